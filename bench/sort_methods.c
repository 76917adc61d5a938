/* Numbers sorted by each method, by each width of digits, and by their own width, on the same keys. */
#include "data.h"
#include "pages.h"
#include "sort_study.h"

enum { NETWORK_MOST = 1 << 22 /* keys: beyond, their passes take all of a row's time */ };

static const sort_point *point_of(const bench_work *w) { return w->point; }

/* ---- u32 keys, with values or without ---- */

static void make(bench_work *w) { point_of(w)->values ? sort_make_pairs(w) : sort_make_u32(w); }
static bool right(const bench_work *w) { return w->second ? sort_right_pairs(w) : sort_right_u32(w); }

static ww_status sort(bench_work *w, ww_sort_method method, uint32_t digit_bits) {
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = method;
    options.digit_bits = digit_bits;
    return ww_sort(w->device, ww_memory((const uint32_t *)w->in, w->n),
                   w->second ? ww_memory((const uint32_t *)w->second, w->n) : ww_no_input(),
                   ww_array((uint32_t *)w->out, w->n), w->second ? ww_array((uint32_t *)w->out_second, w->n) : ww_none,
                   &options);
}

/* X(name, METHOD): methods of any number of keys, networks, the one of few keys. */
#define EACH_METHOD(X) \
    X("radix", RADIX) \
    X("multisplit", MULTISPLIT) \
    X("merge", MERGE) \
    X("merge-search", MERGE_SEARCH) \
    X("quick", QUICK) \
    X("split1", SPLIT1) \
    X("bitonic", BITONIC) \
    X("merge-network", MERGE_NETWORK) \
    X("oddeven", ODDEVEN)
enum { NETWORKS = 6, FEW = 8 }; /* the first of them, from 0 on */

static ww_status by_AUTO(bench_work *w) { return sort(w, WW_SORT_AUTO, 0); }
#define RUN(name, METHOD) \
    static ww_status by_##METHOD(bench_work *w) { return sort(w, WW_SORT_##METHOD, 0); }
EACH_METHOD(RUN)

#define NAME(name, METHOD) name,
const char *const sort_method_names[SORT_METHOD_COUNT] = {EACH_METHOD(NAME)};
#define RIVAL(name, METHOD) {name, "ww_sort, method " name, by_##METHOD, NULL},
static const bench_rival methods[SORT_METHOD_COUNT] = {EACH_METHOD(RIVAL)};

size_t sort_methods_for(size_t n) {
    return n <= WW_ODDEVEN_MOST ? SORT_METHOD_COUNT : n <= NETWORK_MOST ? FEW : NETWORKS;
}

#define EACH_DIGIT(X) X(4) X(5) X(6) X(7) X(8)
#define RUN_DIGIT(bits) \
    static ww_status by_digits_of_##bits(bench_work *w) { return sort(w, WW_SORT_MULTISPLIT, bits); }
EACH_DIGIT(RUN_DIGIT)
#define DIGIT_RIVAL(bits) {"r = " #bits, "ww_sort, multisplit by digits of " #bits " bits", by_digits_of_##bits, NULL},
static const bench_rival digits[] = {EACH_DIGIT(DIGIT_RIVAL)};

/* ---- numbers of other widths: in the next number of the machine's, sorted by so many bits ---- */

static void make_width(bench_work *w) {
    const uint32_t bits = point_of(w)->bits;
    const size_t words = bits > 64 ? 2 : 1;
    const uint64_t mask = bits % 64 ? ((uint64_t)1 << bits % 64) - 1 : UINT64_MAX;
    uint64_t *x = w->in = work_pages(w, w->n * words * 8);
    w->out = work_pages(w, w->out_bytes = w->n * words * 8);
    data_u64(x, w->n * words, 16);
    for (size_t i = words - 1; i < w->n * words; i += words) x[i] &= mask;
}

static ww_status by_width(bench_work *w) {
    ww_sort_options options = WW_SORT_OPTIONS;
    options.bit_count = point_of(w)->bits;
    const ww_type *type = &ww_type_uint64_t;
#if WW_HAS_U128
    if (options.bit_count > 64) type = &ww_type_ww_u128;
#endif
    return ww_sort(w->device, ww_memory_of(w->in, w->n, type), ww_no_input(), ww_array_of(w->out, w->n, type), ww_none,
                   &options);
}

/* Numbers rise, and their words are the input's. */
static bool right_width(const bench_work *w) {
    const uint64_t *x = w->out;
    if (point_of(w)->bits <= 64) return check_sorted_u64(w->out, w->in, w->n);
    for (size_t i = 2; i < 2 * w->n; i += 2)
        if (x[i + 1] < x[i - 1] || (x[i + 1] == x[i - 1] && x[i] < x[i - 2])) return false;
    return check_same_u64(w->out, w->in, 2 * w->n);
}

/* ---- rows ---- */

const bench_row sort_methods_row = {.call = "ww_sort",
                                    .make = make,
                                    .run = by_AUTO,
                                    .right = right,
                                    .rivals = methods,
                                    .rival_count = SORT_METHOD_COUNT,
                                    .seconds = 2};
const bench_row sort_digits_row = {.call = "ww_sort",
                                   .make = make,
                                   .run = by_AUTO,
                                   .right = right,
                                   .rivals = digits,
                                   .rival_count = BENCH_COUNT(digits),
                                   .seconds = 2};
const bench_row sort_width_row = {.call = "ww_sort, by bits",
                                  .make = make_width,
                                  .run = by_width,
                                  .right = right_width,
                                  .seconds = 0.5};
