/* Where this program comes from. */
#ifndef BENCH_ORIGIN_H
#define BENCH_ORIGIN_H

/* The folders of its source and its build, and the commit. Arrays of a fixed size, in a file of their own: all else of the
 * program is the same in every clone, and tools/run-tests can look past them. */
extern const char bench_source[4096], bench_build[4096], bench_commit[64];

#endif
