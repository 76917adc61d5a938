/* Stable multisplits of uniform numbers, and of skewed ones: by their leading bits, by ranges of equal width, by a user's function. (Each method
 * by itself is measured by the studies of the family split.) Bytes are counted as one read and one write of the elements, although buckets must be counted first. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "measuring/user_functions.h"

enum { RANGES = 100 };
static const ww_delta range = {42949673}; /* 2^32 / RANGES, rounded up */

static void make(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n, 14);
}

static void make_31(bench_work *w) {
    make(w);
    data_u31(w->in, w->n, 15);
}

/* Values are the keys' positions. */
static void make_pairs(bench_work *w) {
    make(w);
    uint32_t *values = w->second = work_pages(w, w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * 4);
    for (size_t i = 0; i < w->n; i++) values[i] = (uint32_t)i;
}

/* Bucket b is met about 1 / (b + 1) times as often as bucket 0. */
static void skew(bench_work *w) {
    uint32_t *keys = w->in;
    data_skewed(keys, w->n, (uint32_t)w->parameter, 19);
    for (size_t i = 0; i < w->n; i++) keys[i] *= 2; /* all 32 bits */
}

static void make_skewed(bench_work *w) {
    make(w);
    skew(w);
}

static void make_skewed_pairs(bench_work *w) {
    make_pairs(w);
    skew(w);
}

static ww_bits leading_bits(uint64_t buckets) {
    ww_bits bits = {32, 0};
    for (; buckets > 1; buckets /= 2) bits.first--, bits.count++;
    return bits;
}

static ww_status split(bench_work *w, const ww_function *by) {
    return ww_multisplit(w->device, by, w->parameter, ww_memory((const uint32_t *)w->in, w->n),
                         w->second ? ww_memory((const uint32_t *)w->second, w->n) : ww_no_input,
                         ww_array((uint32_t *)w->out, w->n),
                         w->second ? ww_array((uint32_t *)w->out_second, w->n) : ww_none, ww_none, NULL);
}

static ww_status run(bench_work *w) {
    const ww_bits bits = leading_bits(w->parameter);
    return split(w, ww_with(ww_by_bits, &bits));
}

static ww_status run_delta(bench_work *w) { return split(w, ww_with(ww_by_delta, &range)); }
static ww_status run_user(bench_work *w) { return split(w, w->user->top8); }

/* Every key, in order, stands at the next place of its bucket; so does its value. */
static bool right_by(const bench_work *w, size_t (*bucket)(uint32_t x, uint64_t buckets)) {
    const uint32_t *x = w->in, *out = w->out, *values = w->second, *values_out = w->out_second;
    const size_t bytes = (w->parameter + 1) * sizeof(size_t);
    size_t *next = pages_new(bytes);
    bool same = true;
    for (size_t b = 0; b <= w->parameter; b++) next[b] = 0;
    for (size_t i = 0; i < w->n; i++) next[bucket(x[i], w->parameter) + 1]++;
    for (size_t b = 0; b < w->parameter; b++) next[b + 1] += next[b];
    for (size_t i = 0; i < w->n; i++) {
        const size_t at = next[bucket(x[i], w->parameter)]++;
        same = same && out[at] == x[i] && (!values || values_out[at] == values[i]);
    }
    pages_free(next, bytes);
    return same;
}

static size_t bucket_bits(uint32_t x, uint64_t buckets) { return (size_t)(x * buckets >> 32); }
static size_t bucket_range(uint32_t x, uint64_t buckets) { return (void)buckets, x / range.width; }
static size_t bucket_user(uint32_t x, uint64_t buckets) { return (void)buckets, x >> 23; }

static bool right(const bench_work *w) { return right_by(w, bucket_bits); }
static bool right_delta(const bench_work *w) { return right_by(w, bucket_range); }
static bool right_user(const bench_work *w) { return right_by(w, bucket_user); }

/* clang-format off */
#define KEYS(buckets, fraction, rate) \
    {.name = "multisplit u32, m = " #buckets, .call = "ww_multisplit, by bits", .make = make, .run = run, \
     .right = right, .bytes = 8, .element = 4, .parameter = buckets, .target = {AGAINST_COPY, fraction, rate}}
#define PAIRS(buckets, text, maker) \
    {.name = "multisplit u32 + u32, m = " #buckets text, .call = "ww_multisplit, by bits, with values", .make = maker, \
     .run = run, .right = right, .bytes = 16, .element = 8, .parameter = buckets}

static const bench_row rows[] = {
    KEYS(2, 0.30, 1750),
    KEYS(32, 0.117, 0),
    KEYS(256, 0.108, 0),
    KEYS(4096, 0.105, 0),
    {.name = "multisplit u32 + u32, m = 256", .call = "ww_multisplit, by bits, with values", .make = make_pairs,
     .run = run, .right = right, .bytes = 16, .element = 8, .parameter = 256, .target = {AGAINST_COPY, 0.165, 0}},
    PAIRS(4096, "", make_pairs),
    {.name = "multisplit u32, m = 256, Zipf", .call = "ww_multisplit, by bits", .make = make_skewed, .run = run,
     .right = right, .bytes = 8, .element = 4, .parameter = 256},
    {.name = "multisplit u32, m = 4096, Zipf", .call = "ww_multisplit, by bits", .make = make_skewed, .run = run,
     .right = right, .bytes = 8, .element = 4, .parameter = 4096},
    PAIRS(256, ", Zipf", make_skewed_pairs),
    PAIRS(4096, ", Zipf", make_skewed_pairs),
    {.name = "multisplit u32, m = 1048576", .call = "ww_multisplit, by bits", .make = make, .run = run, .right = right,
     .bytes = 8, .element = 4, .parameter = 1048576},
    {.name = "multisplit u32, m = 100, delta", .call = "ww_multisplit, by delta", .make = make, .run = run_delta,
     .right = right_delta, .bytes = 8, .element = 4, .parameter = RANGES},
    {.name = "multisplit u32, m = 256, user's WW_MAP", .call = "ww_multisplit(x >> 23)", .make = make_31,
     .run = run_user, .right = right_user, .bytes = 8, .element = 4, .parameter = 256, .user = 1},
};
/* clang-format on */

const bench_family family_multisplit = {.name = "multisplit",
                                        .title = "Multisplit",
                                        .rows = rows,
                                        .count = BENCH_COUNT(rows)};
