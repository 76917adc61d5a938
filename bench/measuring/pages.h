/* Memory to measure on: 2 MiB pages where the kernel gives them, touched before any clock runs. */
#ifndef BENCH_PAGES_H
#define BENCH_PAGES_H

#include <stddef.h>

#include "peers/peer.h"

/* Ends the program when there is no memory. The whole block is written once. */
void *pages_new(size_t bytes);
void pages_free(void *block, size_t bytes);

/* The same for a row's data, given back with work_free. */
void *work_pages(bench_work *work, size_t bytes);
void work_free(bench_work *work);

/* Of this process's anonymous memory, how much lies on huge pages: 0 to 1; negative where the kernel does not say. */
double pages_huge_share(void);

#endif
