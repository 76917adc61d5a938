/* Multisplit by each method, on the same keys. The serial check splits the keys once for all contestants of a row. */
#include <string.h>

#include "measuring/data.h"
#include "measuring/pages.h"
#include "studies/split_study.h"

static ww_delta width_of(const split_point *p) {
    return (ww_delta){(((uint64_t)1 << 32) + p->buckets - 1) / p->buckets};
}

static void make_keys(bench_work *w, uint32_t width) {
    const split_point *p = w->point;
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    switch (p->keys) {
    case KEYS_QUARTER:
        data_buckets_quarter(w->in, w->n, p->buckets, width, 21);
        break;
    case KEYS_BINOMIAL:
        data_buckets_binomial(w->in, w->n, p->buckets, width, 22);
        break;
    case KEYS_EQUAL:
        data_below(w->in, w->n, 1, 23);
        break;
    default:
        data_buckets(w->in, w->n, p->buckets, width, 24);
    }
    if (!p->values) return;
    uint32_t *values = w->second = work_pages(w, w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * 4);
    for (size_t i = 0; i < w->n; i++) values[i] = (uint32_t)i;
}

/* Of 2^32 where there is one bucket, which no point has. */
static void make_delta(bench_work *w) { make_keys(w, (uint32_t)width_of(w->point).width); }
static void make_identity(bench_work *w) { make_keys(w, 1); }

/* ---- calls ---- */

static ww_input keys_of(const bench_work *w) { return ww_memory((const uint32_t *)w->in, w->n); }
static ww_input values_of(const bench_work *w) {
    return w->second ? ww_memory((const uint32_t *)w->second, w->n) : ww_no_input;
}
static ww_array keys_out_of(const bench_work *w) { return ww_array((uint32_t *)w->out, w->n); }
static ww_array values_out_of(const bench_work *w) {
    return w->out_second ? ww_array((uint32_t *)w->out_second, w->n) : ww_none;
}

static ww_status split(bench_work *w, ww_multisplit_method method) {
    const split_point *p = w->point;
    const ww_delta width = width_of(p);
    const bool delta = p->kind == SPLIT_DELTA;
    ww_multisplit_options options = WW_MULTISPLIT_OPTIONS;
    options.method = method;
    return ww_multisplit(w->device, delta ? ww_with(ww_by_delta, &width) : &ww_by_number, p->buckets, keys_of(w),
                         values_of(w), keys_out_of(w), values_out_of(w), ww_none, &options);
}

static ww_status by_auto(bench_work *w) { return split(w, WW_MULTISPLIT_AUTO); }
static ww_status by_direct(bench_work *w) { return split(w, WW_MULTISPLIT_DIRECT); }
static ww_status by_warp(bench_work *w) { return split(w, WW_MULTISPLIT_WARP); }
static ww_status by_block(bench_work *w) { return split(w, WW_MULTISPLIT_BLOCK); }
static ww_status by_reduced_bit(bench_work *w) { return split(w, WW_MULTISPLIT_REDUCED_BIT); }
static ww_status by_recursive(bench_work *w) { return split(w, WW_MULTISPLIT_RECURSIVE); }
static ww_status by_onepass(bench_work *w) { return split(w, WW_MULTISPLIT_ONEPASS); }

/* By all bits of the keys; of identity by those of the buckets. */
static ww_status by_sort(bench_work *w) {
    const split_point *p = w->point;
    ww_sort_options options = WW_SORT_OPTIONS;
    if (p->kind == SPLIT_IDENTITY)
        while (p->buckets > 1u << options.bit_count) options.bit_count++;
    return ww_sort(w->device, keys_of(w), values_of(w), keys_out_of(w), values_out_of(w), &options);
}

/* ---- checks ---- */

/* The row's keys and values, split by a serial loop. */
static struct {
    unsigned serial;
    size_t bytes;
    uint32_t *keys, *values;
} wanted;

static void split_serially(const bench_work *w) {
    const split_point *p = w->point;
    const uint32_t *x = w->in, *values = w->second;
    const uint64_t width = p->kind == SPLIT_DELTA ? width_of(p).width : 1;
    const size_t bytes = ((size_t)p->buckets + 1) * sizeof(size_t);
    size_t *next = pages_new(bytes);
    memset(next, 0, bytes);
    for (size_t i = 0; i < w->n; i++) next[x[i] / width + 1]++;
    for (size_t b = 0; b < p->buckets; b++) next[b + 1] += next[b];
    for (size_t i = 0; i < w->n; i++) {
        const size_t to = next[x[i] / width]++;
        wanted.keys[to] = x[i];
        if (values) wanted.values[to] = values[i];
    }
    pages_free(next, bytes);
}

static bool right(const bench_work *w) {
    if (wanted.serial != w->serial) {
        pages_free(wanted.keys, wanted.bytes);
        pages_free(wanted.values, wanted.bytes);
        wanted.serial = w->serial;
        wanted.bytes = w->n * 4;
        wanted.keys = pages_new(wanted.bytes);
        wanted.values = w->second ? pages_new(wanted.bytes) : NULL;
        split_serially(w);
    }
    return !memcmp(w->out, wanted.keys, wanted.bytes) &&
           (!w->second || !memcmp(w->out_second, wanted.values, wanted.bytes));
}

/* Values are positions: a key stands where its value is from, and equal keys are in order. */
static bool right_sorted(const bench_work *w) {
    const uint32_t *in = w->in, *out = w->out, *values = w->out_second;
    if (!values) return check_sorted_u32(out, in, w->n);
    for (size_t i = 0; i < w->n; i++) {
        if (values[i] >= w->n || in[values[i]] != out[i]) return false;
        if (i && (out[i] < out[i - 1] || (out[i] == out[i - 1] && values[i] <= values[i - 1]))) return false;
    }
    return true;
}

/* ---- rows ---- */

static const char call[] = "ww_multisplit";
static const bench_rival methods[] = {
    {"direct", call, by_direct, NULL},
    {"warp", call, by_warp, NULL},
    {"block", call, by_block, NULL},
    {"reduced-bit", call, by_reduced_bit, NULL},
    {"recursive", call, by_recursive, NULL},
    {"onepass", call, by_onepass, NULL},
    {"sort", "ww_sort, by all bits", by_sort, right_sorted}, /* last: not all points have it */
};
static const bench_rival identity_methods[] = {
    {"warp", call, by_warp, NULL},
    {"block", call, by_block, NULL},
    {"onepass", call, by_onepass, NULL},
    {"sort", "ww_sort, by the buckets' bits", by_sort, NULL},
};

const bench_row split_delta_row = {.call = "ww_multisplit by each method",
                                   .make = make_delta,
                                   .run = by_auto,
                                   .right = right,
                                   .rivals = methods,
                                   .rival_count = BENCH_COUNT(methods),
                                   .seconds = 2};
const bench_row split_identity_row = {.call = "ww_multisplit by methods, and ww_sort",
                                      .make = make_identity,
                                      .run = by_auto,
                                      .right = right,
                                      .rivals = identity_methods,
                                      .rival_count = BENCH_COUNT(identity_methods),
                                      .seconds = 1.2};
