/* Keys sorted by each method, and by each width of digits, on the same keys: of 32 to 128 bits, alone or with values. Keys whose
 * width is no type's lie in the next wider one, and are sorted by so many bits; the bits above are 0, for merge sorts compare
 * whole keys. */
#include <string.h>

#include "measuring/data.h"
#include "measuring/pages.h"
#include "studies/sort_study.h"

enum { NETWORK_MOST = 1 << 22 /* keys: beyond, their passes take all of a row's time */ };

static const sort_point *point_of(const bench_work *w) { return w->point; }

static size_t key_bytes(const sort_point *p) { return p->bits <= 32 ? 4 : p->bits <= 64 ? 8 : 16; }

/* ---- data ---- */

static void make_wide_keys(uint64_t *x, size_t n, uint32_t bits) {
    const size_t words = bits > 64 ? 2 : 1;
    const uint64_t mask = bits % 64 ? ((uint64_t)1 << bits % 64) - 1 : UINT64_MAX;
    data_u64(x, n * words, 16);
    for (size_t i = words - 1; i < n * words; i += words) x[i] &= mask;
}

/* Random but for their first four bytes, which are their position. */
static void make_values(uint32_t *x, size_t n, size_t words) {
    if (words > 1) data_u32(x, n * words, 17);
    for (size_t i = 0; i < n; i++) x[i * words] = (uint32_t)i;
}

static void make(bench_work *w) {
    const sort_point *p = point_of(w);
    w->in = work_pages(w, w->n * key_bytes(p));
    w->out = work_pages(w, w->out_bytes = w->n * key_bytes(p));
    if (p->bits == 32)
        data_u32(w->in, w->n, 12);
    else
        make_wide_keys(w->in, w->n, p->bits);
    if (!p->value) return;
    w->second = work_pages(w, w->n * p->value);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * p->value);
    make_values(w->second, w->n, p->value / 4);
}

/* ---- checks ---- */

static bool wide_keys_right(const uint64_t *x, const uint64_t *in, size_t n) {
    for (size_t i = 2; i < 2 * n; i += 2)
        if (x[i + 1] < x[i - 1] || (x[i + 1] == x[i - 1] && x[i] < x[i - 2])) return false;
    return check_same_u64(x, in, 2 * n);
}

/* Of u32 keys: each value is the one of its position, its key is that of the position, and positions rise among equal keys. */
static bool values_right(const bench_work *w) {
    const uint32_t *in = w->in, *keys = w->out;
    const size_t bytes = point_of(w)->value;
    const char *values_in = w->second, *value = w->out_second;
    uint32_t before = 0;
    for (size_t i = 0; i < w->n; i++, value += bytes) {
        uint32_t at;
        memcpy(&at, value, sizeof at);
        if (at >= w->n || in[at] != keys[i] || memcmp(value, values_in + at * bytes, bytes)) return false;
        if (i && (keys[i] < keys[i - 1] || (keys[i] == keys[i - 1] && at <= before))) return false;
        before = at;
    }
    return true;
}

static bool right(const bench_work *w) {
    const sort_point *p = point_of(w);
    if (p->value) return values_right(w);
    return p->bits == 32   ? check_sorted_u32(w->out, w->in, w->n)
           : p->bits <= 64 ? check_sorted_u64(w->out, w->in, w->n)
                           : wide_keys_right(w->out, w->in, w->n);
}

/* ---- calls ---- */

static ww_array keys_at(const bench_work *w, void *keys) {
    const size_t bytes = key_bytes(point_of(w));
#if WW_HAS_U128
    if (bytes == 16) return ww_array_of(keys, w->n, &ww_type_ww_u128);
#endif
    return bytes == 4 ? ww_array((uint32_t *)keys, w->n) : ww_array((uint64_t *)keys, w->n);
}

static ww_array values_at(const bench_work *w, void *values) {
    const size_t bytes = point_of(w)->value;
    if (!bytes) return ww_none;
    return bytes == 4 ? ww_array((uint32_t *)values, w->n) : ww_records(values, w->n, bytes);
}

static ww_status sort(bench_work *w, ww_sort_method method, uint32_t digit_bits) {
    const sort_point *p = point_of(w);
    const bool whole = p->bits == 8 * key_bytes(p) || method == WW_SORT_MERGE || method == WW_SORT_MERGE_SEARCH;
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = method;
    options.digit_bits = digit_bits;
    options.bit_count = whole ? 0 : p->bits;
    return ww_sort(w->device, ww_from(keys_at(w, w->in)), p->value ? ww_from(values_at(w, w->second)) : ww_no_input,
                   keys_at(w, w->out), values_at(w, w->out_second), &options);
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
enum { SPLITS = 1, SLOW = 4, NETWORKS = 6, FEW = 8 }; /* where multisplit is, and the first of each, from 0 on */

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

const sort_group sort_groups[SORT_GROUPS] = {{1 << 20, 0, SLOW},
                                             {1 << 18, SLOW, FEW - SLOW},
                                             {1 << 12, FEW, SORT_METHOD_COUNT - FEW}};
const bench_rival *sort_group_rivals(const sort_group *group) { return methods + group->first; }

#define EACH_DIGIT(X) X(4) X(5) X(6) X(7) X(8)
#define RUN_DIGIT(bits) \
    static ww_status by_digits_of_##bits(bench_work *w) { return sort(w, WW_SORT_MULTISPLIT, bits); }
EACH_DIGIT(RUN_DIGIT)
#define DIGIT_RIVAL(bits) {"r = " #bits, "ww_sort, multisplit by digits of " #bits " bits", by_digits_of_##bits, NULL},
static const bench_rival digits[] = {EACH_DIGIT(DIGIT_RIVAL)};

/* ---- rows ---- */

const bench_row sort_methods_row = {.call = "ww_sort",
                                    .make = make,
                                    .run = by_AUTO,
                                    .right = right,
                                    .rivals = methods,
                                    .rival_count = SORT_METHOD_COUNT,
                                    .seconds = 2};
const bench_row sort_elements_row = {.call = "ww_sort", .make = make, .run = by_AUTO, .right = right, .seconds = 1};
const bench_row sort_digits_row = {.call = "ww_sort",
                                   .make = make,
                                   .run = by_AUTO,
                                   .right = right,
                                   .rivals = digits,
                                   .rival_count = BENCH_COUNT(digits),
                                   .seconds = 2};
const bench_row sort_width_row = {.call = "ww_sort, by bits",
                                  .make = make,
                                  .run = by_AUTO,
                                  .right = right,
                                  .rivals = methods + SPLITS,
                                  .rival_count = 1,
                                  .seconds = 1};
