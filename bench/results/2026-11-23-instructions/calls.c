/* Calls of few elements, one function a run, to be counted by callgrind: see README.md. Compiles against 0.1 (-DVERSION_0_1) and
 * against what follows it.
 *
 *     calls NAME [ELEMENTS [CALLS [DEVICE]]]     NAME: a row of the table below; without one their names are printed
 *
 * Prints the nanoseconds of the fastest call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "warpwise.h"

#ifdef VERSION_0_1
#define OWN(name) &ww_##name, NULL
#define WITH_SEVEN(name) &ww_##name, &seven
#define FROM(array, many) ww_array(array, many)
#define NUMBER(x) \
    &(const uint32_t) { x }
#define NO_INPUT ww_no_input()
#define OPEN(name) ww_open(name, &device)
#define ANY WW_CONFLICT_LAST
#else
#define OWN(name) &name##_ww
#define WITH_SEVEN(name) ww_with(name, &seven)
#define FROM(array, many) ww_memory(array, many)
#define NUMBER(x) ww_value(uint32_t, x)
#define NO_INPUT ww_no_input
#define OPEN(name) ww_open(name, &device)
#define ANY NULL
#endif

WW_MAP(thrice, uint32_t, uint32_t, x, void, none, { return 3 * x + 1; });
WW_MAP2(distance, uint32_t, uint32_t, x, uint32_t, y, void, none, { return x > y ? x - y : y - x; });
WW_MAP(modulo, uint32_t, uint32_t, x, uint32_t, by, { return x % *by; });
WW_MAP(is_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });

enum { MOST = 1 << 20 };
static uint32_t in[MOST], other[MOST], sorted[MOST], sorted_too[MOST], index_of[MOST], out[2 * MOST], out_too[2 * MOST];
static float reals[MOST], reals_out[MOST];
static uint8_t flags[MOST];
static uint64_t count, offsets[MOST], position;
static ww_device *device;
static size_t n;

#define A(array, many) ww_array(array, many)
#define M(array) ww_memory(array, n)

static ww_status call(int which) {
    static const uint32_t seven = 7;
    switch (which) {
    case 0:
        return ww_map(device, OWN(thrice), M(in), A(out, n));
    case 1:
        return ww_map2(device, OWN(distance), M(in), M(other), A(out, n));
    case 2:
        return ww_map(device, WITH_SEVEN(modulo), M(in), A(out, n));
    case 3:
        return ww_reduce(device, &ww_add, M(in), A((uint32_t *)&position, 1));
    case 4:
        return ww_reduce(device, &ww_add, M(reals), A((float *)&position, 1));
    case 5:
        return ww_reduce(device, &ww_add, ww_mapped(OWN(thrice), M(in)), A((uint32_t *)&position, 1));
    case 6:
        return ww_scan(device, &ww_add, M(in), A(out, n), NULL);
    case 7:
        return ww_pack(device, M(in), M(flags), A(out, n), A(&count, 1), NULL);
    case 8:
        return ww_pack_if(device, OWN(is_odd), M(in), A(out, n), A(&count, 1), NULL);
    case 9:
        return ww_split(device, M(in), M(flags), A(out, n), A(&count, 1), NULL);
    case 10:
        return ww_gather(device, FROM(in, n), M(index_of), A(out, n));
    case 11:
        return ww_scatter(device, M(in), M(index_of), A(out, n), ANY);
    case 12:
        return ww_histogram_even(device, M(in), NUMBER(0), NUMBER(1u << 30), A(offsets, 64), ww_none, NULL);
    case 13:
        return ww_merge(device, &ww_ascending, M(sorted), M(sorted_too), NO_INPUT, NO_INPUT, A(out, 2 * n), ww_none);
    case 14:
        return ww_lower_bound(device, &ww_ascending, M(sorted), M(in), A(out, n));
    case 15:
        return ww_set_union(device, &ww_ascending, M(sorted), M(sorted_too), A(out, 2 * n), A(&count, 1));
    case 16:
        return ww_run_lengths(device, M(sorted), A(out, n), A(out_too, n), A(&count, 1));
    case 17:
        return ww_unique(device, M(sorted), A(out, n), A(&count, 1));
    case 18:
        return ww_sort(device, M(in), NO_INPUT, A(out, n), ww_none, NULL);
    case 19:
        return ww_sort(device, M(in), M(other), A(out, n), A(out_too, n), NULL);
    case 20:
        return ww_sort(device, M(reals), NO_INPUT, A(reals_out, n), ww_none, NULL);
    case 21:
        return ww_top_k(device, M(in), NO_INPUT, A(out, n / 10), ww_none, NULL);
    case 22:
        return ww_arg_min(device, &ww_ascending, M(in), A((uint32_t *)&count, 1), A(&position, 1));
    case 23:
        return ww_multisplit(device, WITH_SEVEN(modulo), 7, M(in), NO_INPUT, A(out, n), ww_none, A(offsets, 8), NULL);
    case 24:
        return ww_reduce_by_key(device, &ww_add, M(sorted), M(in), A(out, n), A(out_too, n), A(&count, 1));
    }
    return WW_INVALID;
}

static const char *const names[] = {"map",          "map2",        "map with an environment",
                                    "reduce u32",   "reduce f32",  "reduce of a map",
                                    "scan",         "pack",        "pack_if",
                                    "split",        "gather",      "scatter",
                                    "histogram",    "merge",       "lower_bound",
                                    "set_union",    "run_lengths", "unique",
                                    "sort keys",    "sort pairs",  "sort f32",
                                    "top_k",        "arg_min",     "multisplit",
                                    "reduce_by_key"};
enum { NAMES = sizeof names / sizeof *names };

static int by_value(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void make_data(void) {
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        in[i] = (uint32_t)(state >> 33);
        other[i] = (uint32_t)(state >> 20);
        index_of[i] = (uint32_t)((i * 7919) % n);
        sorted[i] = in[i] % (uint32_t)(n / 2 + 1);
        sorted_too[i] = other[i] % (uint32_t)(n / 2 + 1);
        reals[i] = (float)in[i] - (float)(1u << 30);
        flags[i] = in[i] & 1;
    }
    qsort(sorted, n, sizeof *sorted, by_value);
    qsort(sorted_too, n, sizeof *sorted_too, by_value);
}

__attribute__((noinline)) ww_status measured(int which, long calls) {
    ww_status status = WW_OK;
    for (long c = 0; c < calls && !status; c++) status = call(which);
    return status;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static ww_status measure_fastest(int which, long calls) {
    double fastest = 1e18;
    ww_status status = WW_OK;
    for (long c = 0; c < calls && !status; c++) {
        const double before = now();
        status = measured(which, 1);
        const double took = now() - before;
        if (took < fastest) fastest = took;
    }
    if (!status) printf("%.0f\n", fastest);
    return status;
}

int main(int argc, char **argv) {
    int which = 0;
    if (argc < 2) {
        for (int k = 0; k < NAMES; k++) puts(names[k]);
        return 0;
    }
    while (which < NAMES && strcmp(names[which], argv[1])) which++;
    n = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
    make_data();
    if (OPEN(argc > 4 ? argv[4] : "cpu:threads=1")) return 1;
    if (call(which) || measure_fastest(which, argc > 3 ? atol(argv[3]) : 2000)) {
        fprintf(stderr, "%s: %s\n", argv[1], ww_error(device));
        return 1;
    }
    ww_close(device);
    return 0;
}
