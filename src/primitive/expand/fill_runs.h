/* Runs of equal elements, and of rising numbers, one after another: the inner loops of expanding on a CPU. */
#ifndef WW__FILL_RUNS_H
#define WW__FILL_RUNS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that these loops may write behind the last run. */
enum { WW__RUNS_SLACK = 64 };

/* Element i of `from` lengths[i] times, for each of `runs` of them. Returns where the last run ends. */
void *ww__fill_elements(void *to, const void *from, size_t size, const uint32_t *lengths, size_t runs);
/* The number first + i lengths[i] times, as u32 or u64. */
void ww__fill_numbers(void *to, size_t size, uint64_t first, const uint32_t *lengths, size_t runs);
/* 0, 1, … lengths[i] - 1 for each run, as u32 or u64; the first run begins at `begin`. */
void ww__fill_ranks(void *to, size_t size, uint64_t begin, const uint32_t *lengths, size_t runs);

#endif
