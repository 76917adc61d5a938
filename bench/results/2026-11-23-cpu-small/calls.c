/* One and two threads on the same calls, by the number of elements: see README.md.
 *
 *     calls [NAME [LEAST [MOST]]]     NAME: a row of `functions`; elements from LEAST to MOST in steps of ten
 *
 * For each function and number of elements: the median time of a call in microseconds, on one thread and on two, where calls follow one
 * another ("busy") and where each comes after a millisecond's rest ("rested"). The two handles take turns. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "warpwise.h"

WW_MAP(thrice, uint32_t, uint32_t, x, void, none, { return 3 * x + 1; });
WW_MAP(is_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });
WW_MAP(bucket_256, uint32_t, uint32_t, x, void, none, { return x >> 24; });

static uint32_t *in, *out, *index_of;
static uint8_t *flags, *bytes;
static uint64_t *places, *bins, count;
static uint32_t small;

#define M(array) ww_memory(array, n)
#define A(array, many) ww_array(array, many)

typedef ww_status call(ww_device *d, size_t n);

static ww_status run_reduce(ww_device *d, size_t n) { return ww_reduce(d, &ww_add, M(in), A(&small, 1)); }
static ww_status run_scan(ww_device *d, size_t n) { return ww_scan(d, &ww_add, M(in), A(out, n), NULL); }
static ww_status run_pack(ww_device *d, size_t n) { return ww_pack(d, M(in), M(flags), A(out, n), A(&count, 1), NULL); }
static ww_status run_pack_if(ww_device *d, size_t n) {
    return ww_pack_if(d, &is_odd_ww, M(in), A(out, n), A(&count, 1), NULL);
}
static ww_status run_map(ww_device *d, size_t n) { return ww_map(d, &thrice_ww, M(in), A(out, n)); }
static ww_status run_gather(ww_device *d, size_t n) { return ww_gather(d, M(in), M(index_of), A(out, n)); }
static ww_status run_histogram(ww_device *d, size_t n) { return ww_bincount(d, M(bytes), A(bins, 256), ww_none, NULL); }
static ww_status run_multisplit(ww_device *d, size_t n) {
    return ww_multisplit(d, &bucket_256_ww, 256, M(in), ww_no_input, A(out, n), ww_none, A(bins, 257), NULL);
}
static ww_status run_sort(ww_device *d, size_t n) { return ww_sort(d, M(in), ww_no_input, A(out, n), ww_none, NULL); }
static ww_status run_find(ww_device *d, size_t n) {
    static const uint8_t pattern[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    return ww_find(d, M(bytes), pattern, 8, A(places, n), A(&count, 1), NULL);
}

static const struct {
    const char *name;
    call *run;
} functions[] = {
    {"reduce", run_reduce},
    {"scan", run_scan},
    {"map", run_map},
    {"pack", run_pack},
    {"pack_if", run_pack_if},
    {"gather", run_gather},
    {"histogram", run_histogram},
    {"multisplit", run_multisplit},
    {"sort", run_sort},
    {"find", run_find},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, ROUNDS = 41 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}
static void rest(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }
static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Microseconds of one call, after a rest of the threads or after `calls` calls without any. */
static double sample(call *run, ww_device *d, size_t n, bool rested, int calls) {
    if (rested) {
        rest();
        calls = 1;
    } else {
        run(d, n);
    }
    const double begin = now();
    for (int c = 0; c < calls; c++)
        if (run(d, n)) exit((fprintf(stderr, "%s\n", ww_error(d)), 1));
    return (now() - begin) / calls;
}

static void *room(size_t size) {
    void *p = aligned_alloc(1 << 21, (size + (1 << 21) - 1) >> 21 << 21);
    if (!p) exit(1);
    memset(p, 0, size);
    return p;
}

int main(int argc, char **argv) {
    const size_t least = argc > 2 ? strtoull(argv[2], NULL, 0) : 1000,
                 most = argc > 3 ? strtoull(argv[3], NULL, 0) : 10000000;
    ww_device *d[2];
    for (int t = 0; t < 2; t++) {
        ww_open_options options = WW_OPEN_OPTIONS;
        options.threads = (uint32_t)t + 1;
        if (ww_open_with("cpu", &d[t], &options)) return 1;
    }
    in = room(most * 4), out = room(most * 4), index_of = room(most * 4), flags = room(most), bytes = room(most);
    places = room(most * 8), bins = room(8 * 4096);
    uint64_t x = 88172645463325252u;
    for (size_t i = 0; i < most; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        in[i] = (uint32_t)(x >> 32), flags[i] = x >> 20 & 1, bytes[i] = (uint8_t)(x >> 8);
    }
    printf("%-11s %9s  %10s %10s %6s  %10s %10s %6s\n", "", "elements", "busy 1", "busy 2", "ratio", "rested 1",
           "rested 2", "ratio");
    for (int f = 0; f < FUNCTIONS; f++) {
        if (argc > 1 && *argv[1] && strcmp(argv[1], functions[f].name)) continue;
        for (size_t n = least; n <= most; n *= 10) {
            for (size_t i = 0; i < n; i++) index_of[i] = (uint32_t)(in[i] % n);
            double times[2][2][ROUNDS], median[2][2];
            const double once = sample(functions[f].run, d[0], n, false, 1);
            const int rounds = once > 20000  ? 5
                               : once > 2000 ? 11
                                             : ROUNDS,
                      calls = once < 200 ? (int)(400 / once) + 1 : 1;
            for (int r = 0; r < rounds; r++)
                for (int rested = 0; rested < 2; rested++)
                    for (int t = 0; t < 2; t++) times[rested][t][r] = sample(functions[f].run, d[t], n, rested, calls);
            for (int k = 0; k < 4; k++) {
                qsort(times[k / 2][k % 2], (size_t)rounds, sizeof(double), by_value);
                median[k / 2][k % 2] = times[k / 2][k % 2][rounds / 2];
            }
            printf("%-11s %9zu  %10.1f %10.1f %6.2f  %10.1f %10.1f %6.2f\n", functions[f].name, n, median[0][0],
                   median[0][1], median[0][0] / median[0][1], median[1][0], median[1][1], median[1][0] / median[1][1]);
            fflush(stdout);
        }
    }
    for (int t = 0; t < 2; t++) ww_close(d[t]);
}
