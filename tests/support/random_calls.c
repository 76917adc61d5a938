#include "support/random_calls.h"

#include <stdlib.h>
#include <string.h>

#include "reference/expand.h"
#include "reference/gather.h"
#include "reference/histogram.h"
#include "reference/merge.h"
#include "reference/multisplit.h"
#include "reference/pack.h"
#include "reference/run.h"
#include "reference/scan.h"
#include "reference/search.h"
#include "reference/set.h"
#include "reference/sort.h"
#include "reference/split.h"
#include "warpwise.h"

enum { CALLS_MOST = 12, HANDLES = 6, ELEMENT_MOST = 8 };

static void (*when_wrong)(void);

static void check(int right) {
    if (right) return;
    when_wrong();
    abort();
}

/* Kinds of elements; the first four are unsigned. */
static const struct kind {
    const ww_type *type;
    reference_before *up, *down;
} kinds[] = {{&ww_type_uint8_t, reference_u8_up, reference_u8_down},
             {&ww_type_uint16_t, reference_u16_up, reference_u16_down},
             {&ww_type_uint32_t, reference_u32_up, reference_u32_down},
             {&ww_type_uint64_t, reference_u64_up, reference_u64_down},
             {&ww_type_int8_t, reference_i8_up, reference_i8_down},
             {&ww_type_int16_t, reference_i16_up, reference_i16_down},
             {&ww_type_int32_t, reference_i32_up, reference_i32_down},
             {&ww_type_int64_t, reference_i64_up, reference_i64_down},
             {&ww_type_float, reference_f32_up, reference_f32_down},
             {&ww_type_double, reference_f64_up, reference_f64_down}};
enum { UNSIGNED = 4, INTEGERS = 8, KINDS = sizeof kinds / sizeof *kinds };

typedef struct request {
    const uint8_t *at;
    size_t left;
    ww_device *device;
} request;

/* The next byte, 0 behind the last, below `most`. */
static uint32_t take(request *r, uint32_t most) {
    if (!r->left) return 0;
    r->left--;
    return *r->at++ % most;
}

/* Opened once: each width that this machine has, with one thread and with two. */
static ww_device *device_of(uint32_t k) {
    static const char *const widths[] = {"plain", "avx2", "avx512"};
    static ww_device *devices[HANDLES];
    if (devices[k]) return devices[k];
    setenv("WARPWISE_VECTOR", widths[k / 2], 1);
    if (ww_open(k % 2 ? "cpu:threads=2" : "cpu:threads=1", &devices[k])) {
        ww_close(devices[k]);
        devices[k] = k > 1 ? device_of(k % 2) : NULL;
    }
    check(devices[k] != NULL);
    return devices[k];
}

/* ---- arrays ---- */

static void *room(size_t n, size_t size) {
    void *const memory = malloc(n * size);
    check(memory || !n);
    if (n) memset(memory, 0xA5, n * size);
    return memory;
}

static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Mostly short. */
static size_t length_of(request *r) {
    const uint32_t b = take(r, 256);
    return b < 200 ? b : (size_t)(b - 199) * 57;
}

typedef struct array {
    const struct kind *kind;
    unsigned char *data;
    size_t n, size;
} array;

/* Random bits, of which a mask leaves few or many. */
static array array_of(request *r, const struct kind *kind, size_t n) {
    array a = {kind, room(n, kind->type->size), n, kind->type->size};
    uint64_t state = take(r, 256);
    const uint32_t bits = take(r, 65), shift = take(r, 64);
    const uint64_t mask = (bits > 63 ? UINT64_MAX : (UINT64_C(1) << bits) - 1) << shift;
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = next_random(&state) & mask;
        memcpy(a.data + i * a.size, &x, a.size);
    }
    return a;
}

static array any_array(request *r, uint32_t many_kinds) {
    const struct kind *const kind = &kinds[take(r, many_kinds)];
    return array_of(r, kind, length_of(r));
}

static array like(const array *a, size_t n) { return (array){a->kind, room(n, a->size), n, a->size}; }

static ww_input in(const array *a) { return ww_memory_of(a->data, a->n, a->kind->type); }
static ww_array out(const array *a) { return ww_array_of(a->data, a->n, a->kind->type); }

static void same(const void *got, const void *wanted, size_t bytes) { check(!bytes || !memcmp(got, wanted, bytes)); }

static uint64_t number_at(const array *a, size_t i) {
    uint64_t x = 0;
    memcpy(&x, a->data + i * a->size, a->size);
    return x;
}

/* True where the call was made; a named method may say that it does not do this. */
static bool made(ww_status status, bool named) {
    check(!status ||
          (named && (status == WW_TYPE || status == WW_INVALID || status == WW_LIMIT || status == WW_UNSUPPORTED)));
    return !status;
}

static array flags_of(request *r, size_t n) {
    array flags = array_of(r, &kinds[0], n);
    for (size_t i = 0; i < n; i++) flags.data[i] &= 1;
    return flags;
}

/* ---- the operators, on unsigned numbers ---- */

#define COMBINE(name, T, expression) \
    static void name##_##T(void *result, const void *a, const void *b) { \
        T x, y; \
        memcpy(&x, a, sizeof x); \
        memcpy(&y, b, sizeof y); \
        x = (T)(expression); \
        memcpy(result, &x, sizeof x); \
    }
#define COMBINES(T) \
    COMBINE(add, T, x + y) \
    COMBINE(min, T, x < y ? x : y) \
    COMBINE(max, T, x > y ? x : y)
COMBINES(uint8_t)
COMBINES(uint16_t)
COMBINES(uint32_t)
COMBINES(uint64_t)

static const struct operator{
    const ww_function *f;
    reference_combine *combine[UNSIGNED];
    unsigned char identity; /* each byte of it */
}
operators[] = {{&ww_add, {add_uint8_t, add_uint16_t, add_uint32_t, add_uint64_t}, 0},
               {&ww_min, {min_uint8_t, min_uint16_t, min_uint32_t, min_uint64_t}, 255},
               {&ww_max, {max_uint8_t, max_uint16_t, max_uint32_t, max_uint64_t}, 0}};

/* ---- the calls ---- */

static void reduce(request *r) {
    const struct operator* op = & operators[take(r, 3)];
    array x = any_array(r, UNSIGNED), got = like(&x, 1);
    unsigned char identity[ELEMENT_MOST], wanted[ELEMENT_MOST];
    memset(identity, op->identity, sizeof identity);
    reference_reduce(wanted, x.data, x.n, x.size, op->combine[x.kind - kinds], identity);
    made(ww_reduce(r->device, op->f, in(&x), out(&got)), false);
    same(got.data, wanted, x.size);
    free(x.data);
    free(got.data);
}

static void scan(request *r) {
    const struct operator* op = & operators[take(r, 3)];
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.method = (ww_scan_method)take(r, WW_SCAN_BLELLOCH + 1);
    o.exclusive = take(r, 2);
    array x = any_array(r, UNSIGNED), got = like(&x, x.n), wanted = like(&x, x.n);
    unsigned char identity[ELEMENT_MOST];
    memset(identity, op->identity, sizeof identity);
    const reference_scanning s = {.n = x.n,
                                  .size = x.size,
                                  .combine = op->combine[x.kind - kinds],
                                  .initial = identity,
                                  .exclusive = o.exclusive};
    reference_scan(&s, wanted.data, NULL, x.data);
    if (made(ww_scan(r->device, op->f, in(&x), out(&got), &o), o.method)) same(got.data, wanted.data, x.n * x.size);
    free(x.data);
    free(got.data);
    free(wanted.data);
}

static void pack_or_split(request *r, bool splits) {
    ww_pack_options p = WW_PACK_OPTIONS;
    ww_split_options s = WW_SPLIT_OPTIONS;
    array x = any_array(r, KINDS), flags = flags_of(r, x.n), wanted = like(&x, x.n), got = like(&x, x.n);
    uint64_t count = 0;
    p.method = (ww_pack_method)take(r, WW_PACK_ENUMERATE + 1);
    s.method = (ww_split_method)take(r, WW_SPLIT_SCANS + 1);
    const size_t many = splits ? reference_split(wanted.data, x.data, flags.data, x.n, x.size,
                                                 s.method == WW_SPLIT_REVERSED)
                               : reference_pack(wanted.data, x.data, flags.data, x.n, x.size);
    const ww_status status = splits ? ww_split(r->device, in(&x), in(&flags), out(&got), ww_array(&count, 1), &s)
                                    : ww_pack(r->device, in(&x), in(&flags), out(&got), ww_array(&count, 1), &p);
    if (made(status, splits ? s.method != WW_SPLIT_AUTO : p.method != WW_PACK_AUTO)) {
        check(count == many);
        same(got.data, wanted.data, (splits ? x.n : many) * x.size);
    }
    free(x.data);
    free(flags.data);
    free(wanted.data);
    free(got.data);
}
static void pack(request *r) { pack_or_split(r, false); }
static void split(request *r) { pack_or_split(r, true); }

static void gather_or_scatter(request *r, bool gathers) {
    array x = any_array(r, KINDS), index = array_of(r, &kinds[3], gathers ? length_of(r) : x.n);
    const size_t places = gathers ? x.n : length_of(r);
    if (!places) index.n = x.n = 0;
    for (size_t i = 0; i < index.n; i++) {
        const uint64_t k = number_at(&index, i) % places;
        memcpy(index.data + i * 8, &k, 8);
    }
    array wanted = like(&x, gathers ? index.n : places), got = like(&x, wanted.n);
    if (gathers) {
        reference_gather(x.data, x.n, (const uint64_t *)(const void *)index.data, index.n, wanted.data, x.size);
        made(ww_gather(r->device, ww_from(out(&x)), in(&index), out(&got)), false);
    } else {
        reference_scatter(x.data, x.kind->type, x.size, (const uint64_t *)(const void *)index.data, index.n,
                          wanted.data, wanted.n, WW_CONFLICT_LAST);
        made(ww_scatter(r->device, in(&x), in(&index), out(&got), ww_scatter_by(WW_CONFLICT_LAST)), false);
    }
    same(got.data, wanted.data, wanted.n * x.size);
    free(x.data);
    free(index.data);
    free(wanted.data);
    free(got.data);
}
static void gather(request *r) { gather_or_scatter(r, true); }
static void scatter(request *r) { gather_or_scatter(r, false); }

/* Counts of up to 7 children; room for as many as there are, or one less. */
static void expand(request *r) {
    array x = any_array(r, KINDS), counts = array_of(r, &kinds[take(r, UNSIGNED)], x.n);
    uint64_t *wide = malloc(8 * x.n + 1), total = 0;
    check(wide != NULL);
    for (size_t i = 0; i < x.n; i++) {
        wide[i] = number_at(&counts, i) % 8;
        memcpy(counts.data + i * counts.size, &wide[i], counts.size);
    }
    const uint64_t all = reference_expand(x.data, x.size, wide, x.n, 0, NULL, NULL, NULL),
                   room = all - (all && take(r, 2));
    array wanted = like(&x, (size_t)room), got = like(&x, (size_t)room);
    reference_expand(x.data, x.size, wide, x.n, room, wanted.data, NULL, NULL);
    const ww_status status = ww_expand(r->device, in(&x), in(&counts), out(&got), ww_none, ww_none,
                                       ww_array(&total, 1));
    check(status == (room < all ? WW_LIMIT : WW_OK) && total == all);
    if (!status) same(got.data, wanted.data, (size_t)room * x.size);
    free(x.data);
    free(counts.data);
    free(wide);
    free(wanted.data);
    free(got.data);
}

/* Rising edges: those of a sorted array, each once. */
static void histogram(request *r) {
    ww_histogram_options o = WW_HISTOGRAM_OPTIONS;
    o.method = (ww_histogram_method)take(r, WW_HISTOGRAM_WARP + 1);
    array x = any_array(r, INTEGERS), edges = array_of(r, x.kind, length_of(r));
    reference_sort(edges.data, edges.n, edges.size, x.kind->up);
    size_t different = 0;
    for (size_t i = 0; i < edges.n; i++)
        if (!i || x.kind->up(edges.data + (different - 1) * x.size, edges.data + i * x.size))
            memmove(edges.data + different++ * x.size, edges.data + i * x.size, x.size);
    edges.n = different;
    if (edges.n > 1) {
        uint64_t *const wanted = room(edges.n, 8), *const got = room(edges.n, 8), outside[2];
        const bool even = take(r, 2);
        const uint64_t bins = even ? 1 + take(r, (uint32_t)(edges.n < 200 ? edges.n : 200) - 1) : edges.n - 1;
        const void *const low = edges.data, *const high = edges.data + (edges.n - 1) * x.size;
        if (even)
            reference_histogram_even(x.kind->type, x.data, x.n, low, high, bins, wanted, &outside[0]);
        else
            reference_histogram_edges(x.kind->type, x.data, x.n, edges.data, bins, wanted, &outside[0]);
        const ww_array counts = ww_array(got, bins), other = ww_array(&outside[1], 1);
        const ww_status status = even ? ww_histogram_even(r->device, in(&x), ww_value_of(low, x.kind->type),
                                                          ww_value_of(high, x.kind->type), counts, other, &o)
                                      : ww_histogram_edges(r->device, in(&x), in(&edges), counts, other, &o);
        if (made(status, o.method || even)) {
            same(got, wanted, (size_t)bins * 8);
            check(outside[0] == outside[1]);
        }
        free(wanted);
        free(got);
    }
    free(x.data);
    free(edges.data);
}

static void two_sorted(request *r) {
    array a = any_array(r, INTEGERS), b = array_of(r, a.kind, length_of(r));
    reference_sort(a.data, a.n, a.size, a.kind->up);
    reference_sort(b.data, b.n, b.size, a.kind->up);
    array got = like(&a, a.n + b.n), wanted = like(&a, a.n + b.n);
    bool *const from = room(wanted.n, sizeof *from);
    uint64_t count = wanted.n;
    size_t many = wanted.n;
    const ww_input none = ww_no_input;
    switch (take(r, 4)) {
    case 0:
        reference_merge(wanted.data, from, a.data, a.n, b.data, b.n, a.size, a.kind->up);
        made(ww_merge(r->device, NULL, in(&a), in(&b), none, none, out(&got), ww_none), false);
        break;
    case 1:
        many = reference_union(wanted.data, a.data, a.n, b.data, b.n, a.size, a.kind->up);
        made(ww_set_union(r->device, NULL, in(&a), in(&b), out(&got), ww_array(&count, 1)), false);
        break;
    case 2:
        many = reference_intersection(wanted.data, a.data, a.n, b.data, b.n, a.size, a.kind->up);
        made(ww_set_intersection(r->device, NULL, in(&a), in(&b), out(&got), ww_array(&count, 1)), false);
        break;
    default:
        many = reference_difference(wanted.data, a.data, a.n, b.data, b.n, a.size, a.kind->up);
        made(ww_set_difference(r->device, NULL, in(&a), in(&b), out(&got), ww_array(&count, 1)), false);
    }
    check(count == many);
    same(got.data, wanted.data, many * a.size);
    free(a.data);
    free(b.data);
    free(got.data);
    free(wanted.data);
    free(from);
}

static void bounds(request *r) {
    array sorted = any_array(r, KINDS), needles = array_of(r, sorted.kind, length_of(r));
    const bool upper = take(r, 2);
    uint64_t *const wanted = room(needles.n, 8), *const got = room(needles.n, 8);
    reference_sort(sorted.data, sorted.n, sorted.size, sorted.kind->up);
    reference_bounds(wanted, sorted.data, sorted.n, needles.data, needles.n, sorted.size, upper, sorted.kind->up);
    made(
        (upper ? ww_upper_bound : ww_lower_bound)(r->device, NULL, in(&sorted), in(&needles), ww_array(got, needles.n)),
        false);
    same(got, wanted, needles.n * 8);
    free(sorted.data);
    free(needles.data);
    free(wanted);
    free(got);
}

static void runs(request *r) {
    array x = any_array(r, INTEGERS), values = like(&x, x.n);
    uint64_t *const starts = room(x.n, 8), *const lengths = room(x.n, 8), count = 0;
    const size_t many = reference_runs(starts, x.data, x.n, x.size);
    made(ww_run_lengths(r->device, in(&x), out(&values), ww_array(lengths, x.n), ww_array(&count, 1)), false);
    check(count == many);
    for (size_t k = 0; k < many; k++) {
        check(lengths[k] == (k + 1 < many ? starts[k + 1] : x.n) - starts[k]);
        same(values.data + k * x.size, x.data + starts[k] * x.size, x.size);
    }
    free(x.data);
    free(values.data);
    free(starts);
    free(lengths);
}

/* Keys by any order, with the numbers of their places. */
static void sort(request *r) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = (ww_sort_method)take(r, 16);
    o.descending = take(r, 2);
    array x = any_array(r, KINDS), got = like(&x, x.n), index = {&kinds[2], room(x.n, 4), x.n, 4};
    uint32_t *const order = room(x.n, 4);
    if (x.kind - kinds < INTEGERS && take(r, 4) == 0) {
        o.bit_first = take(r, (uint32_t)x.size * 8);
        o.bit_count = take(r, (uint32_t)x.size * 8 - o.bit_first + 1);
        if (!o.bit_count) o.bit_first = 0;
    }
    reference_sort_positions((reference_order){x.kind->type, o.descending, o.bit_first, o.bit_count}, x.data, x.n,
                             order);
    const ww_input places = ww_counting(&ww_type_uint32_t, 0, x.n);
    if (made(ww_sort(r->device, in(&x), places, out(&got), out(&index), &o), o.method)) {
        for (size_t i = 0; i < x.n; i++) same(got.data + i * x.size, x.data + order[i] * x.size, x.size);
        same(index.data, order, x.n * 4);
    }
    free(x.data);
    free(got.data);
    free(index.data);
    free(order);
}

static void top(request *r) {
    ww_sort_options o = WW_SORT_OPTIONS;
    o.descending = take(r, 2);
    array x = any_array(r, KINDS);
    const size_t k = x.n ? take(r, 256) % (x.n + 1) : 0;
    array got = like(&x, k), one = like(&x, 1);
    uint32_t *const order = room(x.n, 4);
    reference_sort_positions((reference_order){x.kind->type, o.descending, 0, 0}, x.data, x.n, order);
    made(ww_top_k(r->device, in(&x), ww_no_input, out(&got), ww_none, &o), false);
    for (size_t i = 0; i < k; i++) same(got.data + i * x.size, x.data + order[i] * x.size, x.size);
    if (k < x.n) {
        made(ww_nth(r->device, k, in(&x), out(&one), &o), false);
        same(one.data, x.data + order[k] * x.size, x.size);
    }
    free(x.data);
    free(got.data);
    free(one.data);
    free(order);
}

/* By some bits of the keys. */
static void multisplit(request *r) {
    ww_multisplit_options o = WW_MULTISPLIT_OPTIONS;
    o.method = (ww_multisplit_method)take(r, WW_MULTISPLIT_ONEPASS + 1);
    array x = any_array(r, UNSIGNED), got = like(&x, x.n), index = {&kinds[2], room(x.n, 4), x.n, 4};
    ww_bits bits = {take(r, (uint32_t)x.size * 8), 0};
    bits.count = take(r, 13);
    if (bits.count > x.size * 8 - bits.first) bits.count = (uint32_t)x.size * 8 - bits.first;
    const size_t buckets = (size_t)1 << bits.count;
    uint32_t *const bucket = room(x.n, 4), *const order = room(x.n, 4);
    uint64_t *const wanted = room(buckets + 1, 8), *const offsets = room(buckets + 1, 8);
    for (size_t i = 0; i < x.n; i++) bucket[i] = (uint32_t)(number_at(&x, i) >> bits.first) & (uint32_t)(buckets - 1);
    reference_multisplit(bucket, x.n, buckets, order, wanted);
    const ww_input places = ww_counting(&ww_type_uint32_t, 0, x.n);
    if (made(ww_multisplit(r->device, ww_with(ww_by_bits, &bits), buckets, in(&x), places, out(&got), out(&index),
                           ww_array(offsets, buckets + 1), &o),
             o.method)) {
        for (size_t i = 0; i < x.n; i++) same(got.data + i * x.size, x.data + order[i] * x.size, x.size);
        same(index.data, order, x.n * 4);
        same(offsets, wanted, (buckets + 1) * 8);
    }
    free(x.data);
    free(got.data);
    free(index.data);
    free(bucket);
    free(order);
    free(wanted);
    free(offsets);
}

static void sort_segments(request *r) {
    array x = any_array(r, KINDS), got = like(&x, x.n), wanted = like(&x, x.n),
          cuts = array_of(r, &kinds[2], take(r, 40) + 1);
    if (x.n) memcpy(wanted.data, x.data, x.n * x.size);
    uint32_t *const offsets = (uint32_t *)(void *)cuts.data;
    for (size_t i = 0; i < cuts.n; i++) offsets[i] %= (uint32_t)x.n + 1;
    reference_sort(cuts.data, cuts.n, 4, reference_u32_up);
    offsets[0] = 0;
    offsets[cuts.n - 1] = (uint32_t)x.n;
    if (cuts.n > 1) {
        for (size_t s = 0; s + 1 < cuts.n; s++)
            reference_sort(wanted.data + offsets[s] * x.size, offsets[s + 1] - offsets[s], x.size, x.kind->up);
        made(ww_sort_segments(r->device, in(&x), ww_no_input, in(&cuts), out(&got), ww_none, NULL), false);
        same(got.data, wanted.data, x.n * x.size);
    }
    free(x.data);
    free(got.data);
    free(wanted.data);
    free(cuts.data);
}

static void trim(request *r) { made(ww_scratch_trim(r->device), false); }

static void (*const calls[])(request *r) = {reduce,    scan,       pack,          split,  gather, scatter,
                                            histogram, two_sorted, two_sorted,    bounds, runs,   sort,
                                            sort,      multisplit, sort_segments, top,    trim,   expand};

void random_calls(const uint8_t *bytes, size_t length, void (*wrong)(void)) {
    request r = {.at = bytes, .left = length};
    when_wrong = wrong;
    r.device = device_of(take(&r, HANDLES));
    for (int k = 0; k < CALLS_MOST && r.left; k++) calls[take(&r, sizeof calls / sizeof *calls)](&r);
}
