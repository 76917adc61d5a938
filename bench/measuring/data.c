/* Splitmix64 (Steele, Lea and Flood 2014) everywhere. */
#include "measuring/data.h"

#include <math.h>

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t next(uint64_t *state) { return mix(*state += 0x9e3779b97f4a7c15u); }

void data_u32(uint32_t *x, size_t n, uint64_t seed) {
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)(next(&seed) >> 32);
}

void data_u31(uint32_t *x, size_t n, uint64_t seed) {
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)(next(&seed) >> 33);
}

void data_u64(uint64_t *x, size_t n, uint64_t seed) {
    for (size_t i = 0; i < n; i++) x[i] = next(&seed);
}

void data_below(uint32_t *x, size_t n, uint32_t below, uint64_t seed) {
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)((next(&seed) >> 32) * below >> 32);
}

void data_skewed(uint32_t *x, size_t n, uint32_t bins, uint64_t seed) {
    const uint32_t width = (uint32_t)(((uint64_t)1 << 31) / bins);
    const double bits = log2((double)bins);
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = next(&seed);
        const double u = (double)(r >> 32) / 4294967296.0;
        const uint32_t bin = (uint32_t)exp2(u * bits) - 1; /* density 1 / (bin + 1) */
        x[i] = (bin < bins ? bin : bins - 1) * width + (uint32_t)r % width;
    }
}

/* The number of a bucket that `low` picks. */
static uint32_t in_bucket(uint32_t bucket, uint32_t width, uint32_t low) {
    const uint64_t key = (uint64_t)bucket * width + ((uint64_t)low * width >> 32);
    return key <= UINT32_MAX ? (uint32_t)key : UINT32_MAX;
}

static uint32_t any_bucket(uint64_t *state, uint32_t buckets) {
    return (uint32_t)((next(state) >> 32) * buckets >> 32);
}

void data_buckets(uint32_t *x, size_t n, uint32_t buckets, uint32_t width, uint64_t seed) {
    for (size_t i = 0; i < n; i++) x[i] = in_bucket(any_bucket(&seed, buckets), width, (uint32_t)next(&seed));
}

void data_buckets_quarter(uint32_t *x, size_t n, uint32_t buckets, uint32_t width, uint64_t seed) {
    const uint32_t one = any_bucket(&seed, buckets);
    for (size_t i = 0; i < n; i++) {
        const uint32_t bucket = any_bucket(&seed, buckets);
        const uint64_t r = next(&seed);
        x[i] = in_bucket(r >> 62 ? one : bucket, width, (uint32_t)r);
    }
}

/* A bit for each trial but the last, 64 at a time. */
void data_buckets_binomial(uint32_t *x, size_t n, uint32_t buckets, uint32_t width, uint64_t seed) {
    for (size_t i = 0; i < n; i++) {
        uint32_t bucket = 0, trials = buckets - 1;
        for (; trials >= 64; trials -= 64) bucket += (uint32_t)__builtin_popcountll(next(&seed));
        if (trials) bucket += (uint32_t)__builtin_popcountll(next(&seed) >> (64 - trials));
        x[i] = in_bucket(bucket, width, (uint32_t)next(&seed));
    }
}

void data_flags(uint8_t *x, size_t n, uint32_t one_in, uint64_t seed) {
    for (size_t i = 0; i < n; i++) x[i] = (next(&seed) >> 32) * one_in >> 32 == 0;
}

void data_sorted(uint32_t *x, size_t n, uint64_t seed) {
    const uint32_t step = n < ((uint64_t)1 << 31) ? (uint32_t)(((uint64_t)1 << 32) / (n + 1)) : 1;
    uint64_t at = 0; /* steps are 0 … step, so the last number is below 2^32 */
    for (size_t i = 0; i < n; i++) {
        at += (next(&seed) >> 32) * (step + (uint64_t)(step < UINT32_MAX)) >> 32;
        x[i] = (uint32_t)at;
    }
}

void data_runs(uint32_t *x, size_t n, uint32_t length, uint64_t seed) {
    uint32_t value = 0;
    for (size_t i = 0; i < n; i++) {
        value += (next(&seed) >> 32) * length >> 32 == 0;
        x[i] = value;
    }
}

size_t data_segments(uint32_t *offsets, size_t n, uint64_t seed) {
    const double most = 100000;
    size_t segments = 0;
    for (size_t at = 0; at < n;) {
        const double u = (double)((next(&seed) >> 32) + 1) / 4294967296.0;
        offsets[segments++] = (uint32_t)at;
        at += (size_t)fmin(DATA_SEGMENT_LEAST / pow(u, 0.8), most);
    }
    offsets[segments] = (uint32_t)n;
    return segments;
}

void data_permutation(uint32_t *x, size_t n, uint64_t seed) {
    for (size_t i = 0; i < n; i++) x[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        const size_t k = (size_t)((next(&seed) >> 32) * (uint64_t)i >> 32);
        const uint32_t t = x[i - 1];
        x[i - 1] = x[k];
        x[k] = t;
    }
}

#define CHECKS(same, sorted, type) \
    bool same(const type *x, const type *y, size_t n) { \
        uint64_t of_x = 0, of_y = 0, mixed_of_x = 0, mixed_of_y = 0; \
        for (size_t i = 0; i < n; i++) { \
            of_x += x[i]; \
            of_y += y[i]; \
            mixed_of_x += mix(x[i]); \
            mixed_of_y += mix(y[i]); \
        } \
        return of_x == of_y && mixed_of_x == mixed_of_y; \
    } \
    bool sorted(const type *s, const type *x, size_t n) { \
        for (size_t i = 1; i < n; i++) \
            if (s[i] < s[i - 1]) return false; \
        return same(s, x, n); \
    }
CHECKS(check_same_u32, check_sorted_u32, uint32_t)
CHECKS(check_same_u64, check_sorted_u64, uint64_t)
