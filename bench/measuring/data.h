/* What the rows work on, always the same for the same size, and checks that share no code with the library. */
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Uniform numbers of 32, 31 and 64 bits. */
void data_u32(uint32_t *x, size_t n, uint64_t seed);
void data_u31(uint32_t *x, size_t n, uint64_t seed);
void data_u64(uint64_t *x, size_t n, uint64_t seed);

/* Uniform in 0 … below - 1. */
void data_below(uint32_t *x, size_t n, uint32_t below, uint64_t seed);

/* Numbers of 31 bits whose leading part – which of `bins` (a power of two) equal bins they fall in – is distributed as
 * Zipf's law has it: bin b about 1 / (b + 1) as often as bin 0. */
void data_skewed(uint32_t *x, size_t n, uint32_t bins, uint64_t seed);

/* Keys of `buckets` buckets of so many numbers each: bucket b has b * width up to (b + 1) * width - 1, as far as 32 bits go. How
 * many a bucket gets: about as many as every other; a quarter of all so, and the others are in one bucket; as the binomial
 * distribution B(buckets - 1, 0.5) has it (up to 257 buckets). */
void data_buckets(uint32_t *x, size_t n, uint32_t buckets, uint32_t width, uint64_t seed);
void data_buckets_quarter(uint32_t *x, size_t n, uint32_t buckets, uint32_t width, uint64_t seed);
void data_buckets_binomial(uint32_t *x, size_t n, uint32_t buckets, uint32_t width, uint64_t seed);

/* 1 with probability 1 / one_in, else 0. */
void data_flags(uint8_t *x, size_t n, uint32_t one_in, uint64_t seed);

/* Rising numbers, equal ones among them. */
void data_sorted(uint32_t *x, size_t n, uint64_t seed);

/* Runs of equal numbers, of `length` on average; neighbouring runs differ. */
void data_runs(uint32_t *x, size_t n, uint32_t length, uint64_t seed);

/* Where segments of n elements begin, and at last n: as many as the result says, at most n / DATA_SEGMENT_LEAST + 1. Lengths follow
 * a power law: DATA_SEGMENT_LEAST / u^0.8 up to 100,000, u uniform; the last one has what is left. */
enum { DATA_SEGMENT_LEAST = 8 };
size_t data_segments(uint32_t *offsets, size_t n, uint64_t seed);

/* Each of 0 … n - 1 once, in random order. */
void data_permutation(uint32_t *x, size_t n, uint64_t seed);

/* Whether both hold the same numbers, in whatever order (by two sums, one of them over mixed numbers). */
bool check_same_u32(const uint32_t *x, const uint32_t *y, size_t n);
bool check_same_u64(const uint64_t *x, const uint64_t *y, size_t n);

/* Whether `sorted` rises and holds the same numbers as `x`. */
bool check_sorted_u32(const uint32_t *sorted, const uint32_t *x, size_t n);
bool check_sorted_u64(const uint64_t *sorted, const uint64_t *x, size_t n);

#endif
