/* What a test program did: how many cases ran, and what was left out and why. It is printed at the end, and, where
 * WARPWISE_TEST_REPORT names a file, written there for tools/test-report. A program that checked nothing fails. */
#ifndef TESTS_REPORT_H
#define TESTS_REPORT_H

#include <stdbool.h>

/* Prints a line that says what this run does without, and counts it. */
void left_out(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Something was checked outside of cases: tests that have none call this through expect. */
void report_checked(void);

#endif
