/* Stable sorts, out of place: of keys, with values, of the order alone, of segments, by a user's order, of records; and the
 * first k and the n-th beside a sort of all. Peers sort in place, on a copy that is made before their clock runs. Highway and
 * NumPy run on one thread: --threads=1 sets Warpwise beside them. */
#include <string.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "measuring/user_functions.h"
#include "studies/sort_data.h"
#include "studies/sort_study.h"

static void make_u32(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_u32(w->in, w->n, 12);
}

static void make_few(bench_work *w) {
    make_u32(w);
    uint32_t *keys = w->in;
    for (size_t i = 0; i < w->n; i++) keys[i] = (keys[i] >> 28) * 2654435761u; /* that differ in all their bits */
}

/* The row's parameter says which data; floats are the numbers' values. */
static void make_data_u32(bench_work *w) {
    make_u32(w);
    sort_data_u32(w->in, w->n, (sort_data)w->parameter, 35);
}

static void make_data_u64(bench_work *w) {
    w->in = work_pages(w, w->n * 8);
    w->out = work_pages(w, w->out_bytes = w->n * 8);
    sort_data_u64(w->in, w->n, (sort_data)w->parameter, 36);
}

static void make_data_f32(bench_work *w) {
    make_data_u32(w);
    uint32_t *keys = w->in;
    for (size_t i = 0; i < w->n; i++) {
        const float x = (float)keys[i];
        memcpy(&keys[i], &x, sizeof x);
    }
}

static void make_data_f64(bench_work *w) {
    make_data_u64(w);
    uint64_t *keys = w->in;
    for (size_t i = 0; i < w->n; i++) {
        const double x = (double)keys[i];
        memcpy(&keys[i], &x, sizeof x);
    }
}

static void make_sorted(bench_work *w) {
    make_u32(w);
    data_sorted(w->in, w->n, 12);
}

static void make_u64(bench_work *w) {
    w->in = work_pages(w, w->n * 8);
    w->out = work_pages(w, w->out_bytes = w->n * 8);
    data_u64(w->in, w->n, 13);
}

/* Values are the keys' positions, so that the check sees whether equal keys (some hundred thousand pairs of them) kept
 * their order. The peers sort structs, which they keep in `aside`. */
static void make_pairs(bench_work *w) {
    make_u32(w);
    uint32_t *values = w->second = work_pages(w, w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * 4);
    w->aside = work_pages(w, w->n * 8);
    for (size_t i = 0; i < w->n; i++) values[i] = (uint32_t)i;
}

/* The same with the row's data, and of u64 with u64 values; without peers. */
static void make_data_pairs(bench_work *w) {
    make_pairs(w);
    sort_data_u32(w->in, w->n, (sort_data)w->parameter, 37);
}

static void make_data_pairs_u64(bench_work *w) {
    make_data_u64(w);
    uint64_t *values = w->second = work_pages(w, w->n * 8);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * 8);
    for (size_t i = 0; i < w->n; i++) values[i] = i;
}

/* Of both signs, between -1 and 1. */
static void make_f32(bench_work *w) {
    make_u32(w);
    uint32_t *keys = w->in;
    for (size_t i = 0; i < w->n; i++) {
        const float x = (float)(int32_t)keys[i] / 2147483648.0f;
        memcpy(&keys[i], &x, sizeof x);
    }
}

/* m is k: how many of the first there are to be, or which one. */
static void make_thousand(bench_work *w) {
    enum { THOUSAND = 1000 };
    make_u32(w);
    w->m = w->n < THOUSAND ? w->n : THOUSAND;
}

static void make_sixteenth(bench_work *w) {
    make_u32(w);
    w->m = (w->n + 15) / 16;
}

static void make_middle(bench_work *w) {
    make_u32(w);
    w->m = w->n / 2;
}

static void make_middle_zipf(bench_work *w) {
    make_middle(w);
    sort_data_u32(w->in, w->n, SORT_DATA_ZIPF, 38);
}

/* The worst order for one that keeps the first so far. */
static void make_thousand_falling(bench_work *w) {
    make_thousand(w);
    uint32_t *keys = w->in;
    for (size_t i = 0; i < w->n; i++) keys[i] = (uint32_t)(w->n - i) * 3;
}

/* m segments of as many keys as the row's parameter says; the last one has what is left. */
static void make_segments(bench_work *w) {
    make_u32(w);
    w->m = (w->n - 1) / w->parameter + 1;
    uint32_t *offsets = w->second = work_pages(w, (w->m + 1) * 4);
    for (size_t s = 0; s < w->m; s++) offsets[s] = (uint32_t)(s * w->parameter);
    offsets[w->m] = (uint32_t)w->n;
}

static void make_power_law(bench_work *w) {
    make_u32(w);
    uint32_t *offsets = w->second = work_pages(w, (w->n / DATA_SEGMENT_LEAST + 2) * 4);
    w->m = data_segments(offsets, w->n, 34);
}

static ww_status run_u32(bench_work *w) {
    return ww_sort(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_no_input, ww_array((uint32_t *)w->out, w->n),
                   ww_none, NULL);
}

static ww_status run_u64(bench_work *w) {
    return ww_sort(w->device, ww_memory((const uint64_t *)w->in, w->n), ww_no_input, ww_array((uint64_t *)w->out, w->n),
                   ww_none, NULL);
}

static ww_status run_pairs(bench_work *w) {
    return ww_sort(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_memory((const uint32_t *)w->second, w->n),
                   ww_array((uint32_t *)w->out, w->n), ww_array((uint32_t *)w->out_second, w->n), NULL);
}

static ww_status run_pairs_u64(bench_work *w) {
    return ww_sort(w->device, ww_memory((const uint64_t *)w->in, w->n), ww_memory((const uint64_t *)w->second, w->n),
                   ww_array((uint64_t *)w->out, w->n), ww_array((uint64_t *)w->out_second, w->n), NULL);
}

static void make_half(bench_work *w) {
    w->in = work_pages(w, w->n * 2);
    w->out = work_pages(w, w->out_bytes = w->n * 2);
    data_u32(w->in, w->n / 2, 38);
}
static ww_status run_half(bench_work *w) {
    return ww_sort(w->device, ww_memory((const ww_f16 *)w->in, w->n), ww_no_input, ww_array((ww_f16 *)w->out, w->n),
                   ww_none, NULL);
}
static ww_status run_u16(bench_work *w) {
    return ww_sort(w->device, ww_memory((const uint16_t *)w->in, w->n), ww_no_input, ww_array((uint16_t *)w->out, w->n),
                   ww_none, NULL);
}

static ww_status run_f32(bench_work *w) {
    return ww_sort(w->device, ww_memory((const float *)w->in, w->n), ww_no_input, ww_array((float *)w->out, w->n),
                   ww_none, NULL);
}

static ww_status run_f64(bench_work *w) {
    return ww_sort(w->device, ww_memory((const double *)w->in, w->n), ww_no_input, ww_array((double *)w->out, w->n),
                   ww_none, NULL);
}

static ww_status run_top(bench_work *w) {
    return ww_top_k(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_no_input,
                    ww_array((uint32_t *)w->out, w->m), ww_none, NULL);
}

static ww_status run_nth(bench_work *w) {
    return ww_nth(w->device, w->m, ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->number, 1), NULL);
}

static ww_status run_index(bench_work *w) {
    return ww_sort_index(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->out_second, w->n),
                         NULL);
}

static ww_status run_segments(bench_work *w) {
    return ww_sort_segments(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_no_input,
                            ww_memory((const uint32_t *)w->second, w->m + 1), ww_array((uint32_t *)w->out, w->n),
                            ww_none, NULL);
}

static ww_status run_user(bench_work *w) {
    return ww_sort_by(w->device, w->user->before, ww_memory((const uint32_t *)w->in, w->n), ww_no_input,
                      ww_array((uint32_t *)w->out, w->n), ww_none, NULL);
}

static bool right_u32(const bench_work *w) { return check_sorted_u32(w->out, w->in, w->n); }
static bool right_u64(const bench_work *w) { return check_sorted_u64(w->out, w->in, w->n); }

/* Whether `order` holds the keys' positions as a stable sort leaves them: keys rise, positions where keys are equal. So each is
 * there once. */
static bool right_order(const uint32_t *keys, const uint32_t *order, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (order[i] >= n) return false;
        if (!i) continue;
        const uint32_t before = keys[order[i - 1]], key = keys[order[i]];
        if (key < before || (key == before && order[i] <= order[i - 1])) return false;
    }
    return true;
}

static bool right_pairs(const bench_work *w) {
    const uint32_t *in = w->in, *keys = w->out, *values = w->out_second;
    if (!right_order(in, values, w->n)) return false;
    for (size_t i = 0; i < w->n; i++)
        if (in[values[i]] != keys[i]) return false;
    return true;
}

/* Keys rise, values where keys are equal, and each value says where its key was. */
static bool right_pairs_u64(const bench_work *w) {
    const uint64_t *in = w->in, *keys = w->out, *values = w->out_second;
    for (size_t i = 0; i < w->n; i++) {
        if (values[i] >= w->n || in[values[i]] != keys[i]) return false;
        if (i && (keys[i] < keys[i - 1] || (keys[i] == keys[i - 1] && values[i] <= values[i - 1]))) return false;
    }
    return true;
}

/* As numbers that are ordered as floats are. */
static bool right_f32(const bench_work *w) {
    const size_t bytes = w->n * 4;
    uint32_t *numbers[2] = {pages_new(bytes), pages_new(bytes)};
    const uint32_t *bits[2] = {w->out, w->in};
    for (size_t i = 0; i < w->n; i++)
        for (int k = 0; k < 2; k++) numbers[k][i] = bits[k][i] ^ (bits[k][i] >> 31 ? ~(uint32_t)0 : (uint32_t)1 << 31);
    const bool right = check_sorted_u32(numbers[0], numbers[1], w->n);
    for (int k = 0; k < 2; k++) pages_free(numbers[k], bytes);
    return right;
}

/* Of no sign: as their bits are. */
static bool right_f64(const bench_work *w) { return right_u64(w); }

/* Each of the 65,536 bit patterns comes out as often as it went in, and no one behind one that is above it. */
static bool right_half(const bench_work *w) {
    const uint16_t *in = w->in, *out = w->out;
    int64_t *left = pages_new(65536 * sizeof *left);
    bool right = true;
    for (size_t i = 0; i < 65536; i++) left[i] = 0;
    for (size_t i = 0; i < w->n; i++) left[in[i]]++;
    for (size_t i = 0; i < w->n; i++) {
        const int before = i && out[i - 1] >> 15 ? -1 - (out[i - 1] & 0x7FFF) : i ? out[i - 1] : INT16_MIN - 1;
        const int here = out[i] >> 15 ? -1 - (out[i] & 0x7FFF) : out[i];
        right &= w->base ? !i || out[i - 1] <= out[i] : before <= here;
        left[out[i]]--;
    }
    for (size_t i = 0; i < 65536; i++) right &= !left[i];
    pages_free(left, 65536 * sizeof *left);
    return right;
}

static bool right_index(const bench_work *w) {
    return w->base ? right_pairs(w) : right_order(w->in, w->out_second, w->n);
}

/* How many keys stand before x, and how many are x. */
static size_t count_around(const bench_work *w, uint32_t x, size_t *equal) {
    const uint32_t *keys = w->in;
    size_t less = 0;
    *equal = 0;
    for (size_t i = 0; i < w->n; i++) {
        less += keys[i] < x;
        *equal += keys[i] == x;
    }
    return less;
}

static bool right_nth(const bench_work *w) {
    size_t equal;
    if (w->base) return right_u32(w);
    const size_t less = count_around(w, (uint32_t)w->result, &equal);
    return less <= w->m && w->m - less < equal;
}

/* What is out rises, its last key is the k-th, and all keys that are less are there: as many, with the same sums. */
static bool right_top(const bench_work *w) {
    const uint32_t *in = w->in, *out = w->out, last = out[w->m - 1];
    size_t equal, chosen = 0;
    if (w->base) return right_u32(w);
    const size_t less = count_around(w, last, &equal);
    if (less >= w->m || w->m - less > equal) return false;
    uint32_t *keys = pages_new(w->m * 4);
    for (size_t i = 0; i < w->n; i++)
        if (in[i] < last) keys[chosen++] = in[i];
    while (chosen < w->m) keys[chosen++] = last;
    const bool right = check_sorted_u32(out, keys, w->m);
    pages_free(keys, w->m * 4);
    return right;
}

static bool right_segments(const bench_work *w) {
    const uint32_t *in = w->in, *out = w->out, *offsets = w->second;
    for (size_t s = 0; s < w->m; s++)
        if (!check_sorted_u32(out + offsets[s], in + offsets[s], offsets[s + 1] - offsets[s])) return false;
    return true;
}

/* Rows by two columns, the first of few distinct numbers: their order. */
static void make_columns(bench_work *w) {
    w->in = work_pages(w, w->n * 4);
    w->second = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    data_below(w->in, w->n, 1000, 41);
    data_u32(w->second, w->n, 42);
}
static ww_status run_columns(bench_work *w) {
    const ww_sort_column by[] = {{.keys = ww_memory((const uint32_t *)w->in, w->n), .sorted = ww_none},
                                 {.keys = ww_memory((const uint32_t *)w->second, w->n), .sorted = ww_none}};
    return ww_sort_columns(w->device, by, 2, NULL, 0, ww_array((uint32_t *)w->out, w->n));
}
static bool right_columns(const bench_work *w) {
    const uint32_t *a = w->in, *b = w->second, *order = w->out;
    uint64_t sum = 0;
    for (size_t i = 0; i < w->n; i++) {
        const size_t now = order[i], before = i ? order[i - 1] : now;
        if (now >= w->n) return false;
        sum += now;
        if (a[before] > a[now] ||
            (a[before] == a[now] && (b[before] > b[now] || (b[before] == b[now] && before > now))))
            return false;
    }
    return sum == (uint64_t)w->n * (w->n - 1) / 2;
}

/* clang-format off */
#define TOP(text, maker, counted) \
    {.name = "top " text " of u32", .call = "ww_top_k", .make = maker, .run = run_top, .right = right_top, .bytes = counted, \
     .element = 4, .base_call = "ww_sort", .base = run_u32, .peer = "top " text " of u32"}
#define SEGMENTS(text, maker, counted, length) \
    {.name = "segments of " text, .call = "ww_sort_segments, stable", .make = maker, .run = run_segments, \
     .right = right_segments, .bytes = counted, .element = 4, .parameter = length, .peer = "segments of u32"}
#define DATA(text, type, counted, what) \
    {.name = "sort " #type ", " text, .call = "ww_sort, stable", .make = make_data_##type, .run = run_##type, \
     .right = right_##type, .bytes = counted, .element = counted / 2, .divide = 4, .parameter = what, .peer = "sort " #type}
#define DATA_PAIRS(text, type, made, counted, what) \
    {.name = "sort " type ", " text, .call = "ww_sort, stable, with values", .make = make_data_##made, .run = run_##made, \
     .right = right_##made, .bytes = counted, .element = counted / 2, .divide = 4, .parameter = what}
#define EACH_DATA(type, counted) \
    DATA("Zipf 1.0", type, counted, SORT_DATA_ZIPF), DATA("Zipf 1.5", type, counted, SORT_DATA_ZIPF_15), \
    DATA("2^10 distinct", type, counted, SORT_DATA_THOUSAND), DATA("exponential", type, counted, SORT_DATA_EXPONENTIAL), \
    DATA("timestamps", type, counted, SORT_DATA_TIMESTAMPS), DATA("almost sorted", type, counted, SORT_DATA_SWAPPED), \
    DATA("low bits only", type, counted, SORT_DATA_LOW)
#define EACH_DATA_PAIRS(type, made, counted) \
    DATA_PAIRS("Zipf 1.0", type, made, counted, SORT_DATA_ZIPF), DATA_PAIRS("Zipf 1.5", type, made, counted, SORT_DATA_ZIPF_15), \
    DATA_PAIRS("2^10 distinct", type, made, counted, SORT_DATA_THOUSAND), \
    DATA_PAIRS("exponential", type, made, counted, SORT_DATA_EXPONENTIAL), \
    DATA_PAIRS("timestamps", type, made, counted, SORT_DATA_TIMESTAMPS), \
    DATA_PAIRS("almost sorted", type, made, counted, SORT_DATA_SWAPPED), \
    DATA_PAIRS("low bits only", type, made, counted, SORT_DATA_LOW)
#define USER_ROW(which) \
    {.name = "sort by a user's WW_LESS, u32", .call = "ww_sort_by(a < b), stable", .make = make_u32, .run = run_user, \
     .right = right_u32, .bytes = 8, .element = 4, .divide = 4, .user = which, .base_call = "ww_sort", .base = run_u32, \
     .peer = "sort by order u32"}

static const bench_row rows[] = {
    {.name = "sort u32", .call = "ww_sort, stable", .make = make_u32, .run = run_u32, .right = right_u32, .bytes = 8,
     .element = 4, .peer = "sort u32", .target = {AGAINST_COPY, 0.058, 338}},
    {.name = "sort u64", .call = "ww_sort, stable", .make = make_u64, .run = run_u64, .right = right_u64, .bytes = 16,
     .element = 8, .peer = "sort u64", .target = {AGAINST_COPY, 0.058, 169}},
    {.name = "sort f16", .call = "ww_sort, stable", .make = make_half, .run = run_half, .right = right_half, .bytes = 4,
     .element = 2, .base_call = "ww_sort of their bits as u16", .base = run_u16},
    {.name = "sort u32 + u32", .call = "ww_sort, stable, with values", .make = make_pairs, .run = run_pairs,
     .right = right_pairs, .bytes = 16, .element = 8, .peer = "sort u32 + u32", .target = {AGAINST_COPY, 0.055, 160}},
    {.name = "sort u32, 16 distinct", .call = "ww_sort, stable", .make = make_few, .run = run_u32, .right = right_u32,
     .bytes = 8, .element = 4, .divide = 4, .peer = "sort u32", .target = {AGAINST_COPY, 0.35, 0}},
    {.name = "sort u32, sorted already", .call = "ww_sort, stable", .make = make_sorted, .run = run_u32, .right = right_u32,
     .bytes = 8, .element = 4, .divide = 4, .peer = "sort u32", .target = {AGAINST_COPY, 0.55, 0}},
    {.name = "sort u32, 2^20", .call = "ww_sort, stable", .make = make_u32, .run = run_u32, .right = right_u32, .bytes = 8,
     .element = 4, .items = 1 << 20, .peer = "sort u32", .target = {AGAINST_HIGHWAY, 0.95, 0}},
    EACH_DATA(u32, 8),
    DATA("shared libraries", u32, 8, SORT_DATA_LIBRARIES),
    EACH_DATA(u64, 16),
    DATA("shared libraries", u64, 16, SORT_DATA_LIBRARIES),
    DATA("a text's prefixes", u64, 16, SORT_DATA_PREFIXES),
    {.name = "sort f32, between -1 and 1", .call = "ww_sort, stable", .make = make_f32, .run = run_f32, .right = right_f32,
     .bytes = 8, .element = 4, .divide = 4},
    EACH_DATA(f32, 8),
    EACH_DATA(f64, 16),
    EACH_DATA_PAIRS("u32 + u32", pairs, 16),
    DATA_PAIRS("shared libraries", "u32 + u32", pairs, 16, SORT_DATA_LIBRARIES),
    EACH_DATA_PAIRS("u64 + u64", pairs_u64, 32),
    DATA_PAIRS("shared libraries", "u64 + u64", pairs_u64, 32, SORT_DATA_LIBRARIES),
    DATA_PAIRS("a text's prefixes", "u64 + u64", pairs_u64, 32, SORT_DATA_PREFIXES),
    {.name = "sort index of u32", .call = "ww_sort_index, stable", .make = make_pairs, .run = run_index, .right = right_index,
     .bytes = 8, .element = 4, .base_call = "ww_sort with positions as values", .base = run_pairs, .peer = "sort u32 + u32"},
    TOP("1000", make_thousand, 4),
    TOP("n/16", make_sixteenth, 4.25),
    {.name = "top 1000 of u32, falling", .call = "ww_top_k", .make = make_thousand_falling, .run = run_top,
     .right = right_top, .bytes = 4, .element = 4, .peer = "top 1000 of u32"},
    {.name = "n-th of u32, the middle, Zipf's ranks", .call = "ww_nth", .make = make_middle_zipf, .run = run_nth,
     .right = right_nth, .bytes = 4, .element = 4, .peer = "n-th of u32"},
    {.name = "n-th of u32, the middle", .call = "ww_nth", .make = make_middle, .run = run_nth, .right = right_nth,
     .bytes = 4, .element = 4, .base_call = "ww_sort", .base = run_u32, .peer = "n-th of u32"},
    SEGMENTS("32 u32", make_segments, 8.125, 32),
    SEGMENTS("1024 u32", make_segments, 8, 1024),
    SEGMENTS("power-law lengths, u32", make_power_law, 8.1, 0),
    USER_ROW(1),
    USER_ROW(2),
    {.name = "order of rows by two u32", .call = "ww_sort_columns, stable", .make = make_columns, .run = run_columns,
     .right = right_columns, .bytes = 12, .element = 4, .peer = "order by two u32"},
    {.name = "sort records of 128 bytes by 4", .call = "ww_sort_records, stable", .make = sort_records_make,
     .run = sort_records_run, .right = sort_records_right, .bytes = 256, .element = 128, .parameter = 128, .divide = 8,
     .peer = "sort records of 128 bytes by 4"},
};
/* clang-format on */

const bench_family family_sort = {.name = "sort",
                                  .title = "Sort",
                                  .rows = rows,
                                  .count = BENCH_COUNT(rows),
                                  .studies = sort_studies,
                                  .tables = sort_tables};
