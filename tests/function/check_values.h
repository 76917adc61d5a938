/* ww_with, ww_with_array, ww_bound, ww_value and inputs that are kept in variables, as callers write them. This file is compiled as C
 * and as C++; CHECK_VALUES is the name of the function that it makes. That returns NULL, or what went wrong on `device`. */
#include <stdio.h>
#include <string.h>

#include "warpwise.h"

WW_STRUCT(straight, { float slope, offset; });
WW_STRUCT(three, { uint64_t word[3]; });
WW_MAP(along, float, float, x, straight, s, { return x * s->slope + s->offset; });
WW_MAP(listed, uint32_t, uint32_t, i, uint32_t, list, { return list[i % 4]; });
WW_MAP2(weighted, uint32_t, uint32_t, a, uint32_t, b, uint32_t, weight, { return a + b * *weight; });
WW_MAP(doubled, uint32_t, uint32_t, x, void, none, { return 2 * x; });
WW_STRUCT(writing, { uint32_t *to; });
WW_KERNEL(write_rank, writing, a, rank, { a->to[rank] = (uint32_t)rank + 1; });

#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            snprintf(said, sizeof said, "check_values.h:%d: not true: %s (%s)", __LINE__, #condition, \
                     ww_error(device)); \
            return said; \
        } \
    } while (0)

#ifdef __cplusplus
extern "C"
#endif
    const char *
    CHECK_VALUES(ww_device *device);

const char *CHECK_VALUES(ww_device *device) {
    static char said[512];
    enum { N = 100 };
    static uint32_t x[N], out[N];
    static float f[N];
    static three t[N];
    static const uint32_t list[4] = {7, 5, 3, 1};
    const straight s = {2, 1};
    const uint32_t weight = 10;
    for (uint32_t i = 0; i < N; i++) x[i] = i, f[i] = (float)i;

    EXPECT(!ww_map(device, ww_with(along, &s), ww_memory(f, N), ww_array(f, N)));
    for (uint32_t i = 0; i < N; i++) EXPECT(f[i] == 2.0f * (float)i + 1.0f);
    EXPECT(!ww_map(device, ww_with_array(listed, list, 4), ww_memory(x, N), ww_array(out, N)));
    for (uint32_t i = 0; i < N; i++) EXPECT(out[i] == list[i % 4]);

    /* What ww_with made is gone when an input is used. */
    const ww_input places = ww_mapped(ww_with_array(listed, list, 4), ww_memory(x, N));
    const ww_input sums = ww_mapped2(ww_with(weighted, &weight), places, ww_mapped(&doubled_ww, ww_memory(x, N)));
    const ww_input twice[2] = {sums, places};
    EXPECT(!ww_store(device, twice[0], ww_array(out, N)));
    for (uint32_t i = 0; i < N; i++) EXPECT(out[i] == list[i % 4] + 2 * i * weight);
    EXPECT(!ww_store(device, twice[1], ww_array(out, N)));
    for (uint32_t i = 0; i < N; i++) EXPECT(out[i] == list[i % 4]);

    /* Chosen at run time. */
    const ww_function *const plain[] = {&doubled_ww, &listed_ww};
    const ww_function chosen = ww_bound(plain[1], list, 4, &uint32_t_ww);
    EXPECT(!ww_map(device, &chosen, ww_memory(x, N), ww_array(out, N)));
    EXPECT(out[1] == 5 && out[3] == 1);
    const ww_bits bits = {1, 2};
    EXPECT(!ww_histogram(device, ww_with_array(listed, list, 4), ww_memory(x, N), ww_array(out, 8), ww_none, NULL));
    EXPECT(out[7] == 25 && out[6] == 0);
    EXPECT(!ww_multisplit(device, ww_with(ww_by_bits, &bits), 4, ww_memory(x, N), ww_no_input, ww_array(out, N),
                          ww_none, ww_none, NULL));
    EXPECT(out[0] == 0 && out[1] == 1 && out[2] == 8);
#ifndef __cplusplus
    EXPECT(!ww_multisplit(device, ww_with(ww_by_delta, &(ww_delta){50}), 2, ww_memory(x, N), ww_no_input,
                          ww_array(out, N), ww_none, ww_none, NULL));
    EXPECT(!ww_map(device, ww_with(along, &(straight){0, 3}), ww_memory(f, N), ww_array(f, N)) && f[7] == 3.0f);
#endif

    /* Values. */
    const three long_one = {{1, 2, 3}};
    EXPECT(!ww_fill(device, ww_array(out, N), ww_value(uint32_t, weight + 1)) && out[0] == 11 && out[N - 1] == 11);
    EXPECT(!ww_fill(device, ww_array(f, N), ww_value(float, 0.5f)) && f[N - 1] == 0.5f);
    EXPECT(!ww_fill(device, ww_array_of(t, N, &three_ww), ww_value(three, long_one)));
    EXPECT(!memcmp(&t[N - 1], &long_one, sizeof long_one));
    EXPECT(!ww_store(device, ww_constant(ww_value(three, {{4, 5, 6}}), N), ww_array_of(t, N, &three_ww)));
    EXPECT(t[N - 1].word[0] == 4 && t[N - 1].word[2] == 6);
    EXPECT(!ww_fill(device, ww_records(t, N, 24), ww_record_value(&long_one, 24)) && t[5].word[1] == 2);
    const ww_input ones = ww_constant(ww_value(uint32_t, 1), N);
    EXPECT(!ww_store(device, ones, ww_array(out, N)) && out[5] == 1);
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.initial = ww_value(uint32_t, 100);
    EXPECT(!ww_scan(device, &ww_add, ones, ww_array(out, N), &options) && out[0] == 101 && out[N - 1] == 100 + N);
    options.initial = ww_no_value;
    EXPECT(!ww_scan(device, &ww_add, ones, ww_array(out, N), &options) && out[0] == 1);
    EXPECT(!ww_histogram_even(device, ww_memory(x, N), ww_value(uint32_t, 0), ww_value(uint32_t, 50), ww_array(out, 5),
                              ww_none, NULL));
    EXPECT(out[0] == 10 && out[4] == 10);
    EXPECT(ww_fill(device, ww_array(out, N), ww_value(float, 1)) == WW_TYPE);
    EXPECT(ww_fill(device, ww_array(out, N), ww_no_value) == WW_INVALID);

    writing w = {out};
    static uint32_t *reached;
    void *block;
    EXPECT(!ww_alloc_host(device, N * sizeof *reached, &block));
    w.to = reached = (uint32_t *)block;
    EXPECT(!ww_launch(device, ww_with(write_rank, &w), N) && !ww_sync(device) && reached[N - 1] == N);
    EXPECT(!ww_free(device, block));
    return NULL;
}
