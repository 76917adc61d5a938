#include "reference/reduce.h"

#include <stdlib.h>
#include <string.h>

static void *copy_of(const void *x, size_t bytes) {
    void *copy = malloc(bytes ? bytes : 1);
    if (!copy) abort();
    return memcpy(copy, x, bytes);
}

void reference_reduce(void *result, const void *x, size_t n, size_t size, reference_combine *combine,
                      const void *identity) {
    const unsigned char *element = x;
    memcpy(result, n ? element : identity, size);
    for (size_t i = 1; i < n; i++) combine(result, result, element + i * size);
}

static size_t lanes_of(size_t size) {
    if (size <= 1) return 128;
    if (size <= 2) return 64;
    if (size <= 4) return 32;
    if (size <= 8) return 16;
    if (size <= 16) return 8;
    return size <= 32 ? 4 : 2;
}

/* A tile of a commutative operator: element i goes to lane i mod L; then halves of the lanes are joined. */
static void fold_lanes(unsigned char *result, const unsigned char *x, size_t n, size_t size, reference_combine *combine) {
    const size_t lanes = lanes_of(size);
    if (n < lanes) {
        reference_reduce(result, x, n, size, combine, NULL);
        return;
    }
    unsigned char *lane = copy_of(x, lanes * size);
    for (size_t i = lanes; i < n; i++)
        combine(lane + i % lanes * size, lane + i % lanes * size, x + i * size);
    for (size_t half = lanes / 2; half; half /= 2)
        for (size_t l = 0; l < half; l++) combine(lane + l * size, lane + l * size, lane + (l + half) * size);
    memcpy(result, lane, size);
    free(lane);
}

/* A tile of an ordered operator: eight runs of n / 8, joined in order, then what is left. */
static void fold_runs(unsigned char *result, const unsigned char *x, size_t n, size_t size, reference_combine *combine) {
    if (n < 16) {
        reference_reduce(result, x, n, size, combine, NULL);
        return;
    }
    const size_t run = n / 8;
    unsigned char *part = copy_of(x, size);
    reference_reduce(result, x, run, size, combine, NULL);
    for (size_t r = 1; r < 8; r++) {
        reference_reduce(part, x + r * run * size, run, size, combine, NULL);
        combine(result, result, part);
    }
    for (size_t i = 8 * run; i < n; i++) combine(result, result, x + i * size);
    free(part);
}

void reference_reduce_tree(void *result, const void *x, size_t n, size_t size, bool commutes, reference_combine *combine,
                           const void *identity) {
    if (!n) {
        memcpy(result, identity, size);
        return;
    }
    size_t tile = 16384 / size;
    if (tile > 4096) tile = 4096;
    if (tile < 2) tile = 2;
    unsigned char *level = copy_of(x, n * size);
    do {
        const size_t tiles = (n + tile - 1) / tile;
        for (size_t t = 0; t < tiles; t++) {
            const size_t many = n - t * tile < tile ? n - t * tile : tile;
            unsigned char *part = copy_of(level, size);
            (commutes ? fold_lanes : fold_runs)(part, level + t * tile * size, many, size, combine);
            memcpy(level + t * size, part, size);
            free(part);
        }
        n = tiles;
    } while (n > 1);
    memcpy(result, level, size);
    free(level);
}

size_t reference_extreme(const void *x, size_t n, size_t size, bool greatest, reference_less *less) {
    const unsigned char *e = x;
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (greatest ? less(e + best * size, e + i * size) : less(e + i * size, e + best * size)) best = i;
    return best;
}
