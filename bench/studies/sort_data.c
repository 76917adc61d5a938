/* Keys as they are outside benchmarks. Ranks by Zipf's law are drawn from the continuous law that is nearest: 2^(25 u) for exponent 1,
 * u^-2 for 1.5, u uniform in (0, 1). */
#include "studies/sort_data.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measuring/data.h"
#include "studies/text_data.h"

static const uint64_t scatter = 0x9e3779b97f4a7c15u;

/* Key i of n, of 64 bits; of 32 it is the highest ones, but for timestamps. */
static uint64_t key_at(sort_data what, size_t i, size_t n, uint64_t random) {
    const double u = ((double)(random >> 11) + 0.5) / 9007199254740992.0;
    switch (what) {
    case SORT_DATA_ZIPF:
        return (uint64_t)exp2(25 * u) * scatter;
    case SORT_DATA_ZIPF_15:
        return (uint64_t)fmin(1 / (u * u), 33554432) * scatter;
    case SORT_DATA_THOUSAND:
        return (random % 1024 + 1) * scatter;
    case SORT_DATA_TIMESTAMPS:
        return 1000 * (uint64_t)i + random % 100000;
    case SORT_DATA_SWAPPED:
        return i * (~(uint64_t)0 / n);
    case SORT_DATA_LOW:
        return random >> 40;
    default:
        return (uint64_t)(-log(u) * 288230376151711744.0);
    }
}

/* The pair of places that is exchanged as number k. */
static size_t place(size_t k, size_t n) { return (size_t)((k + 1) * scatter >> 11) % n; }

static void prefixes(uint64_t *keys, size_t n) {
    uint8_t *text = (uint8_t *)keys + 7 * n; /* behind what is written before it is read: key i takes 8 i … 8 i + 7 */
    text_fill(text, n, TEXT_ENGLISH, 8, 1);
    uint64_t key = 0;
    for (size_t i = 0; i < 8; i++) key = key << 8 | (n ? text[i % n] : 0);
    for (size_t i = 0; i < n; i++) {
        const uint8_t after = i + 8 < n ? text[i + 8] : 0;
        keys[i] = key;
        key = key << 8 | after;
    }
}

/* Up to `most` bytes of a file; how many. */
static size_t read_file(const char *name, unsigned char *to, size_t most) {
    FILE *const file = fopen(name, "rb");
    const size_t got = file ? fread(to, 1, most, file) : 0;
    if (file) fclose(file);
    return got;
}

static void libraries(unsigned char *to, size_t bytes) {
    static const char *const places[] = {"/usr/lib/*-linux-gnu/*.so*", "/usr/lib64/*.so*", "/usr/lib/*.so*"};
    size_t done = 0;
    for (size_t p = 0; p < sizeof places / sizeof *places && !done; p++) {
        glob_t found;
        if (glob(places[p], 0, NULL, &found)) continue;
        for (size_t i = 0; i < found.gl_pathc && done < bytes; i++)
            done += read_file(found.gl_pathv[i], to + done, bytes - done);
        globfree(&found);
    }
    for (size_t i = done; i < bytes; i++) to[i] = done ? to[i - done] : (unsigned char)(i >> 16);
}

void sort_data_u64(uint64_t *keys, size_t n, sort_data what, uint64_t seed) {
    if (what == SORT_DATA_PREFIXES) {
        prefixes(keys, n);
        return;
    }
    if (what == SORT_DATA_LIBRARIES) {
        libraries((unsigned char *)keys, n * sizeof *keys);
        return;
    }
    data_u64(keys, n, seed);
    for (size_t i = 0; i < n; i++) keys[i] = key_at(what, i, n, keys[i]);
    for (size_t k = 0; what == SORT_DATA_SWAPPED && k < n / 200; k++) {
        const size_t a = place(2 * k, n), b = place(2 * k + 1, n);
        const uint64_t key = keys[a];
        keys[a] = keys[b], keys[b] = key;
    }
}

void sort_data_u32(uint32_t *keys, size_t n, sort_data what, uint64_t seed) {
    enum { BLOCK = 1024 };
    uint64_t random[BLOCK];
    if (what == SORT_DATA_LIBRARIES) {
        libraries((unsigned char *)keys, n * sizeof *keys);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (i % BLOCK == 0) data_u64(random, BLOCK, seed + i);
        const uint64_t key = key_at(what, i, n, random[i % BLOCK]);
        keys[i] = (uint32_t)(what == SORT_DATA_TIMESTAMPS ? key / 10 : what == SORT_DATA_LOW ? key >> 8 : key >> 32);
    }
    for (size_t k = 0; what == SORT_DATA_SWAPPED && k < n / 200; k++) {
        const size_t a = place(2 * k, n), b = place(2 * k + 1, n);
        const uint32_t key = keys[a];
        keys[a] = keys[b], keys[b] = key;
    }
}
