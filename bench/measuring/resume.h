/* A run that goes on where one was stopped: what its JSON has is not measured again. */
#ifndef BENCH_RESUME_H
#define BENCH_RESUME_H

#include "measuring/json_read.h"
#include "measuring/report.h"

/* Reads the file of an earlier run; *earlier is NULL where there is none. Says why, and returns false, where it is no such
 * file, or of another machine, device, build or set of options. */
bool resume_read(const bench_report *report, const char *path, json **earlier);

/* Fills the report's slots with rows that were verified, and the copy's samples. Returns how many rows. */
size_t resume_fill(bench_report *report, const json *earlier);

#endif
