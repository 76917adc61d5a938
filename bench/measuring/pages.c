/* Anonymous mappings that begin on a 2 MiB border, with MADV_HUGEPAGE, written once. */
#include "measuring/pages.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20 };

static size_t whole_pages(size_t bytes) { return (bytes + HUGE - 1) / HUGE * HUGE + (bytes ? 0 : HUGE); }

void *pages_new(size_t bytes) {
    const size_t whole = whole_pages(bytes);
    char *block = mmap(NULL, whole + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        fprintf(stderr, "warpwise bench: there is no memory for %zu MiB; try --size=24\n", whole >> 20);
        exit(1);
    }
    const size_t before = (HUGE - (uintptr_t)block % HUGE) % HUGE;
    if (before) munmap(block, before);
    munmap(block + before + whole, HUGE - before);
    block += before;
#ifdef MADV_HUGEPAGE
    madvise(block, whole, MADV_HUGEPAGE);
#endif
    memset(block, 1, whole);
    return block;
}

void pages_free(void *block, size_t bytes) {
    if (block) munmap(block, whole_pages(bytes));
}

void *work_pages(bench_work *work, size_t bytes) {
    for (size_t i = 0; i < BENCH_PAGES; i++)
        if (!work->pages[i]) {
            work->pages[i] = pages_new(bytes);
            work->pages_bytes[i] = bytes;
            return work->pages[i];
        }
    abort(); /* a row asks for more blocks than bench_work has room for */
}

void work_free(bench_work *work) {
    for (size_t i = 0; i < BENCH_PAGES; i++) {
        pages_free(work->pages[i], work->pages_bytes[i]);
        work->pages[i] = NULL;
    }
}

double pages_huge_share(void) {
    FILE *f = fopen("/proc/self/smaps_rollup", "r");
    if (!f) return -1;
    char line[128];
    unsigned long anonymous = 0, huge = 0;
    while (fgets(line, sizeof line, f)) {
        sscanf(line, "Anonymous: %lu", &anonymous);
        sscanf(line, "AnonHugePages: %lu", &huge);
    }
    fclose(f);
    return anonymous ? (double)huge / (double)anonymous : -1;
}
