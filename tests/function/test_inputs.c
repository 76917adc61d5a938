/* Casts, views, indices and zips as inputs: what each describes is what the oracle says, and every call gives for it the bytes that it
 * gives for the same elements in memory. */
#include <math.h>
#include <stdio.h>

#include "function/types.h"
#include "reference/inputs.h"
#include "support/cases.h"

WW_STRUCT(pair, { uint32_t a, b; });
WW_MAP(mixed_pair, uint32_t, pair, p, void, none, { return p.a * 3u + p.b; });
WW_STRUCT(three, {
    float x;
    uint32_t y;
    float z;
});
WW_STRUCT_USES((pair), nested, {
    uint16_t low;
    int16_t high;
    pair inner;
});
WW_STRUCT(seven_and_padding, {
    uint64_t a;
    uint8_t b;
    uint32_t c;
});
WW_MAP(of_padded, uint32_t, seven_and_padding, s, void, none, { return (uint32_t)s.a + s.b * 7u + s.c; });
WW_MAP2(differ, uint32_t, uint32_t, a, uint32_t, b, void, none, { return a - b; });
WW_MAP(twice, uint32_t, uint32_t, x, void, none, { return 2 * x + 1; });
WW_MAP(below_64, uint32_t, uint32_t, x, void, none, { return x % 64; });
WW_MAP(below_3, uint32_t, uint32_t, x, void, none, { return x % 3; });
WW_MAP(is_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });

/* ---- what there is to read ---- */

enum { APART = 7 };
typedef struct world {
    ww_device *device;
    size_t n;
    uint32_t *x, *far, *wanted;
    uint8_t *bytes;
    int64_t *wide;
    double *reals;
    uint32_t *index;
    int32_t *index_signed;
    int64_t *index_wide;
    uint64_t *places; /* the index, as the oracle takes it */
    uint64_t *number;
    guarded out, more, other, other_more;
} world;

static void world_fill(world *w) {
    uint64_t seed = seed_of_run() + w->n;
    fill(w->x, &ww_type_uint32_t, 4, w->n, UNIFORM, seed + 1);
    fill(w->far, &ww_type_uint32_t, 4, w->n * APART + 64, UNIFORM, seed + 2);
    fill(w->bytes, &ww_type_uint8_t, 1, w->n, UNIFORM, seed + 3);
    fill(w->wide, &ww_type_int64_t, 8, w->n, ADVERSARIAL, seed + 4);
    fill(w->reals, &ww_type_double, 8, w->n, ADVERSARIAL, seed + 5);
    for (size_t i = 0; i < w->n; i++) {
        w->places[i] = random_next(&seed) % w->n;
        w->index[i] = (uint32_t)w->places[i];
        w->index_signed[i] = (int32_t)w->places[i];
        w->index_wide[i] = (int64_t)w->places[i];
        if (i % 3) w->reals[i] = (double)(int64_t)random_next(&seed) / 1e10;
    }
}

static world world_new(ww_device *device, size_t n) {
    world w = {.device = device, .n = n};
    w.x = need(4 * n);
    w.far = need(4 * (n * APART + 64));
    w.wanted = need(4 * n);
    w.bytes = need(n);
    w.wide = need(8 * n);
    w.reals = need(8 * n);
    w.index = need(4 * n);
    w.index_signed = need(4 * n);
    w.index_wide = need(8 * n);
    w.places = need(8 * n);
    w.number = need(8);
    w.out = guarded_new(16 * n + 1024);
    w.more = guarded_new(16 * n + 1024);
    w.other = guarded_new(16 * n + 1024);
    w.other_more = guarded_new(16 * n + 1024);
    world_fill(&w);
    return w;
}

static void world_free(world *w) {
    guarded *const all[] = {&w->out, &w->more, &w->other, &w->other_more};
    for (size_t k = 0; k < 4; k++) {
        guarded_check(all[k]);
        guarded_free(all[k]);
    }
    free(w->x);
    free(w->far);
    free(w->wanted);
    free(w->bytes);
    free(w->wide);
    free(w->reals);
    free(w->index);
    free(w->index_signed);
    free(w->index_wide);
    free(w->places);
    free(w->number);
}

/* ---- windows ---- */

WW_WINDOW(lopsided, uint32_t, uint32_t, x, 1, 3, void, none, { return x[-1] * 7u + x[0] * 5u + x[1] * 3u - x[3]; });
WW_WINDOW(weighted, uint32_t, uint32_t, x, 2, 2, uint32_t, w, {
    uint32_t sum = 0;
    for (int k = -2; k <= 2; k++) sum += x[k] * w[k + 2];
    return sum;
});
WW_WINDOW(code_of_four, uint32_t, uint8_t, c, 0, 3, void, none,
          { return ((c[0] & 3u) << 6) + ((c[1] & 3u) << 4) + ((c[2] & 3u) << 2) + (c[3] & 3u); });
WW_WINDOW(alone, uint32_t, uint32_t, x, 0, 0, void, none, { return x[0] ^ 1u; });
WW_WINDOW(far_back, uint32_t, uint32_t, x, 40, 1, void, none, { return x[-40] + x[1]; });
static const uint32_t weights[5] = {1, 10, 100, 1000, 10000};

static uint32_t near_at(const world *w, ww_border border, int64_t at, uint32_t outside) {
    const int64_t n = (int64_t)w->n;
    if (at >= 0 && at < n) return w->x[at];
    if (border == WW_BORDER_VALUE) return outside;
    if (border == WW_BORDER_CLAMP) return w->x[at < 0 ? 0 : n - 1];
    return w->x[((at % n) + n) % n];
}

static void lopsided_wanted(world *w, ww_border border, uint32_t outside) {
    for (int64_t i = 0; i < (int64_t)w->n; i++)
        w->wanted[i] = near_at(w, border, i - 1, outside) * 7u + w->x[i] * 5u +
                       near_at(w, border, i + 1, outside) * 3u - near_at(w, border, i + 3, outside);
}

/* ---- inputs of u32 ---- */

typedef ww_input builder(world *w); /* and what it is, in w->wanted */

static ww_input cast_u8(world *w) {
    reference_cast(w->wanted, &ww_type_uint32_t, w->bytes, &ww_type_uint8_t, w->n);
    return ww_cast(&ww_type_uint32_t, ww_memory(w->bytes, w->n));
}

static ww_input cast_f64(world *w) {
    reference_cast(w->wanted, &ww_type_uint32_t, w->reals, &ww_type_double, w->n);
    return ww_cast(&ww_type_uint32_t, ww_memory(w->reals, w->n));
}

/* By way of i16, which loses the upper bits, and a float. */
static ww_input cast_thrice(world *w) {
    int16_t *const small = need(2 * w->n);
    float *const real = need(4 * w->n);
    reference_cast(small, &ww_type_int16_t, w->wide, &ww_type_int64_t, w->n);
    reference_cast(real, &ww_type_float, small, &ww_type_int16_t, w->n);
    reference_cast(w->wanted, &ww_type_uint32_t, real, &ww_type_float, w->n);
    free(small);
    free(real);
    return ww_cast(&ww_type_uint32_t, ww_cast(&ww_type_float, ww_cast(&ww_type_int16_t, ww_memory(w->wide, w->n))));
}

static ww_input reversed(world *w) {
    reference_strided(w->wanted, w->x, 4, (int64_t)w->n - 1, -1, w->n);
    return ww_reversed(ww_memory(w->x, w->n));
}

static ww_input column(world *w) {
    reference_strided(w->wanted, w->far, 4, 3, APART, w->n);
    return ww_strided(ww_memory(w->far, w->n * APART), 3, APART, w->n);
}

/* A view of a view, of which the second goes back. */
static ww_input column_backwards(world *w) {
    reference_strided(w->wanted, w->far, 4, (int64_t)(w->n - 1) * APART + 2, -APART, w->n);
    return ww_reversed(ww_strided(ww_memory(w->far, w->n * APART), 2, APART, w->n));
}

static ww_input same_again(world *w) {
    reference_strided(w->wanted, w->x, 4, (int64_t)w->n / 2, 0, w->n);
    return ww_strided(ww_memory(w->x, w->n), w->n / 2, 0, w->n);
}

/* A view of a chain: each of its leaves is viewed, and the constant stays what it is. */
static ww_input chain_backwards(world *w) {
    for (size_t i = 0; i < w->n; i++) {
        const uint32_t at = (uint32_t)(w->n - 1 - i);
        w->wanted[i] = 2 * (w->x[at] - (5 + at)) + 1 - 9;
    }
    const ww_input chain = ww_mapped(
        &twice_ww, ww_mapped2(&differ_ww, ww_memory(w->x, w->n), ww_counting(&ww_type_uint32_t, 5, w->n)));
    return ww_reversed(ww_mapped2(&differ_ww, chain, ww_constant(ww_value(uint32_t, 9), w->n)));
}

/* first + 3 i, cast from a type in which it wraps. */
static ww_input steps_of_three(world *w) {
    for (size_t i = 0; i < w->n; i++) w->wanted[i] = (uint8_t)(200 + 3 * i);
    return ww_cast(&ww_type_uint32_t, ww_strided(ww_counting(&ww_type_uint8_t, 200, 3 * w->n), 0, 3, w->n));
}

static ww_input window_clamped(world *w) {
    lopsided_wanted(w, WW_BORDER_CLAMP, 0);
    return ww_window(&lopsided_ww, ww_memory(w->x, w->n), WW_BORDER_CLAMP, ww_no_value);
}

static ww_input window_wrapped(world *w) {
    for (int64_t i = 0; i < (int64_t)w->n; i++) {
        w->wanted[i] = 0;
        for (int64_t k = -2; k <= 2; k++) w->wanted[i] += near_at(w, WW_BORDER_WRAP, i + k, 0) * weights[k + 2];
    }
    return ww_window(ww_with_array(weighted, weights, 5), ww_memory(w->x, w->n), WW_BORDER_WRAP, ww_no_value);
}

/* More neighbours than elements, where n is small, of which there is one more step. */
static ww_input window_of_value(world *w) {
    for (int64_t i = 0; i < (int64_t)w->n; i++)
        w->wanted[i] = 2 * (near_at(w, WW_BORDER_VALUE, i - 40, 77) + near_at(w, WW_BORDER_VALUE, i + 1, 77)) + 1;
    return ww_mapped(&twice_ww,
                     ww_window(&far_back_ww, ww_memory(w->x, w->n), WW_BORDER_VALUE, ww_value(uint32_t, 77)));
}

/* Inside, of elements of another type; the array is as much longer. Beside it a window that is no longer than its element. */
static ww_input window_inside(world *w) {
    const uint8_t *const c = (const uint8_t *)w->far;
    for (size_t i = 0; i < w->n; i++)
        w->wanted[i] = ((c[i] & 3u) << 6) + ((c[i + 1] & 3u) << 4) + ((c[i + 2] & 3u) << 2) + (c[i + 3] & 3u) -
                       (w->x[i] ^ 1u);
    return ww_mapped2(&differ_ww, ww_window(&code_of_four_ww, ww_memory(c, w->n + 3), WW_BORDER_INSIDE, ww_no_value),
                      ww_window(&alone_ww, ww_memory(w->x, w->n), WW_BORDER_CLAMP, ww_no_value));
}

/* ---- windows on what is computed ---- */

/* Element `at` of a source y of n elements that goes on at its ends. */
static uint32_t beside(const uint32_t *y, size_t n, ww_border border, int64_t at, uint32_t outside) {
    const int64_t many = (int64_t)n;
    if (at >= 0 && at < many) return y[at];
    if (border == WW_BORDER_VALUE) return outside;
    if (border == WW_BORDER_CLAMP) return y[at < 0 ? 0 : many - 1];
    return y[((at % many) + many) % many];
}

static void lopsided_of(world *w, const uint32_t *y, ww_border border, uint32_t outside) {
    for (int64_t i = 0; i < (int64_t)w->n; i++)
        w->wanted[i] = beside(y, w->n, border, i - 1, outside) * 7u + y[i] * 5u +
                       beside(y, w->n, border, i + 1, outside) * 3u - beside(y, w->n, border, i + 3, outside);
}

static ww_input window_of_a_map(world *w) {
    uint32_t *const y = need(4 * w->n);
    for (size_t i = 0; i < w->n; i++) y[i] = 2 * w->x[i] + 1;
    lopsided_of(w, y, WW_BORDER_CLAMP, 0);
    free(y);
    return ww_window(&lopsided_ww, ww_mapped(&twice_ww, ww_memory(w->x, w->n)), WW_BORDER_CLAMP, ww_no_value);
}

/* More neighbours than elements, where n is small. */
static ww_input window_of_a_view(world *w) {
    for (int64_t i = 0; i < (int64_t)w->n; i++) {
        w->wanted[i] = 0;
        for (int64_t k = -40; k <= 1; k += 41)
            w->wanted[i] += w->x[w->n - 1 - (size_t)((((i + k) % (int64_t)w->n) + (int64_t)w->n) % (int64_t)w->n)];
    }
    return ww_window(&far_back_ww, ww_reversed(ww_memory(w->x, w->n)), WW_BORDER_WRAP, ww_no_value);
}

static ww_input window_of_indices(world *w) {
    uint32_t *const y = need(4 * w->n);
    reference_permuted(y, w->x, 4, w->places, w->n);
    lopsided_of(w, y, WW_BORDER_VALUE, 13);
    free(y);
    return ww_window(&lopsided_ww, ww_permuted(ww_memory(w->x, w->n), ww_memory(w->index, w->n)), WW_BORDER_VALUE,
                     ww_value(uint32_t, 13));
}

/* A window on a zip, which is no longer than n with its neighbours, and an input beside it that is. */
WW_WINDOW(of_pairs, uint32_t, pair, p, 1, 1, void, none, { return p[-1].a + p[0].b * 3u - p[1].a; });
static ww_input window_of_a_zip(world *w) {
    const uint32_t *const far = w->far;
    for (size_t i = 0; i < w->n; i++)
        w->wanted[i] = far[i] + (uint32_t)(uint8_t)(i + 1 + 7) * 3u - far[i + 2] - w->x[i];
    const ww_input steps = ww_cast(&ww_type_uint32_t, ww_counting(&ww_type_uint8_t, 7, w->n + 2));
    const ww_input pairs = ww_zip(&pair_ww, ww_memory(far, w->n + 2), steps);
    const ww_input windows = ww_window(&of_pairs_ww, pairs, WW_BORDER_INSIDE, ww_no_value);
    return ww_mapped2(&differ_ww, windows, ww_memory(w->x, w->n));
}

/* Windows on a window, each with another border. */
static ww_input window_of_windows(world *w) {
    uint32_t *const y = need(4 * w->n), *const z = need(4 * w->n);
    for (size_t i = 0; i < w->n; i++) y[i] = 2 * w->far[3 * i] + 1;
    for (int64_t i = 0; i < (int64_t)w->n; i++) {
        z[i] = 0;
        for (int64_t k = -2; k <= 2; k++) z[i] += beside(y, w->n, WW_BORDER_WRAP, i + k, 0) * weights[k + 2];
    }
    lopsided_of(w, z, WW_BORDER_VALUE, 5);
    free(y);
    free(z);
    const ww_input thirds = ww_strided(ww_memory(w->far, 3 * w->n), 0, 3, w->n);
    const ww_input sums = ww_window(ww_with_array(weighted, weights, 5), ww_mapped(&twice_ww, thirds), WW_BORDER_WRAP,
                                    ww_no_value);
    return ww_window(&lopsided_ww, sums, WW_BORDER_VALUE, ww_value(uint32_t, 5));
}

static ww_input permuted(world *w) {
    reference_permuted(w->wanted, w->x, 4, w->places, w->n);
    return ww_permuted(ww_memory(w->x, w->n), ww_memory(w->index, w->n));
}

static ww_input permuted_i32(world *w) {
    reference_permuted(w->wanted, w->x, 4, w->places, w->n);
    return ww_permuted(ww_memory(w->x, w->n), ww_memory(w->index_signed, w->n));
}

/* An index that is computed, of a source that is; which is permuted again. */
static ww_input permuted_twice(world *w) {
    uint32_t *const once = need(4 * w->n);
    reference_permuted(once, w->index, 4, w->places, w->n);
    for (size_t i = 0; i < w->n; i++) w->wanted[i] = w->x[once[w->n - 1 - i]];
    free(once);
    const ww_input index = ww_permuted(ww_memory(w->index, w->n), ww_reversed(ww_memory(w->index_wide, w->n)));
    return ww_permuted(ww_memory(w->x, w->n), ww_cast(&ww_type_uint64_t, index));
}

/* ---- at indices, of what is computed ---- */

static ww_input permuted_map(world *w) {
    for (size_t i = 0; i < w->n; i++) w->wanted[i] = 2 * (uint32_t)w->bytes[w->places[i]] + 1;
    const ww_input bytes = ww_cast(&ww_type_uint32_t, ww_memory(w->bytes, w->n));
    return ww_permuted(ww_mapped(&twice_ww, bytes), ww_memory(w->index, w->n));
}

/* Columns forwards and backwards, and of one element again and again, viewed by more. */
static ww_input permuted_views(world *w) {
    const size_t n = w->n;
    for (size_t i = 0; i < n; i++) {
        const size_t at = w->places[n - 1 - i];
        w->wanted[i] = w->far[2 + at * APART] - w->far[(n - 1 - at) * APART + 3];
    }
    const ww_input far = ww_memory(w->far, n * APART), index = ww_memory(w->index_signed, n);
    const ww_input back = ww_reversed(ww_strided(far, 3, APART, n));
    return ww_reversed(ww_permuted(ww_mapped2(&differ_ww, ww_strided(far, 2, APART, n), back), index));
}

/* Sources shorter and longer than the index: a count by threes, and a constant. */
static ww_input permuted_counts(world *w) {
    for (size_t i = 0; i < w->n; i++) w->wanted[i] = (uint32_t)(uint8_t)(200 + 3 * (w->x[i] % 3)) - 9;
    const ww_input threes = ww_strided(ww_counting(&ww_type_uint8_t, 200, 9), 0, 3, 3);
    const ww_input source = ww_mapped2(&differ_ww, ww_cast(&ww_type_uint32_t, threes),
                                       ww_constant(ww_value(uint32_t, 9), 3));
    return ww_permuted(source, ww_mapped(&below_3_ww, ww_memory(w->x, w->n)));
}

static ww_input permuted_zip(world *w) {
    for (size_t i = 0; i < w->n; i++) {
        const size_t at = w->places[i];
        w->wanted[i] = (uint32_t)w->wide[at] + w->bytes[at] * 7u + w->x[at];
    }
    const ww_input wide = ww_cast(&ww_type_uint64_t, ww_memory(w->wide, w->n));
    const ww_input all = ww_zip(&seven_and_padding_ww, wide, ww_memory(w->bytes, w->n), ww_memory(w->x, w->n));
    return ww_mapped(&of_padded_ww, ww_permuted(all, ww_memory(w->index_wide, w->n)));
}

/* Windows in an array, and on what is computed. */
static ww_input permuted_window(world *w) {
    uint32_t *const y = need(4 * w->n), *const z = need(4 * w->n);
    for (size_t i = 0; i < w->n; i++) y[i] = 2 * w->far[i] + 1;
    for (int64_t i = 0; i < (int64_t)w->n; i++)
        z[i] = beside(y, w->n, WW_BORDER_VALUE, i - 40, 13) + beside(y, w->n, WW_BORDER_VALUE, i + 1, 13);
    for (size_t i = 0; i < w->n; i++) w->wanted[i] = z[w->places[i]];
    free(y);
    free(z);
    const ww_input sums = ww_window(&far_back_ww, ww_mapped(&twice_ww, ww_memory(w->far, w->n)), WW_BORDER_VALUE,
                                    ww_value(uint32_t, 13));
    return ww_permuted(sums, ww_memory(w->index, w->n));
}
static ww_input permuted_window_of_memory(world *w) {
    lopsided_wanted(w, WW_BORDER_WRAP, 0);
    uint32_t *const y = need(4 * w->n);
    memcpy(y, w->wanted, 4 * w->n);
    reference_permuted(w->wanted, y, 4, w->places, w->n);
    free(y);
    return ww_permuted(ww_window(&lopsided_ww, ww_memory(w->x, w->n), WW_BORDER_WRAP, ww_no_value),
                       ww_memory(w->index_wide, w->n));
}

/* Elements at indices at indices, the sources being computed, viewed and under a window. */
static ww_input permuted_permuted(world *w) {
    uint32_t *const y = need(4 * w->n);
    for (size_t i = 0; i < w->n; i++) {
        const size_t at = w->places[w->places[w->n - 1 - i]];
        y[i] = 2 * w->x[w->n - 1 - at] + 1;
    }
    lopsided_of(w, y, WW_BORDER_CLAMP, 0);
    free(y);
    const ww_input once = ww_permuted(ww_reversed(ww_memory(w->x, w->n)), ww_memory(w->index, w->n));
    const ww_input twice = ww_permuted(ww_mapped(&twice_ww, once), ww_memory(w->index_signed, w->n));
    return ww_window(&lopsided_ww, ww_reversed(twice), WW_BORDER_CLAMP, ww_no_value);
}
static ww_input permuted_of_indices(world *w) {
    uint32_t *const once = need(4 * w->n);
    reference_permuted(once, w->x, 4, w->places, w->n);
    reference_permuted(w->wanted, once, 4, w->places, w->n);
    for (size_t i = 0; i < w->n; i++) w->wanted[i] -= w->x[i];
    free(once);
    const ww_input of = ww_permuted(ww_permuted(ww_memory(w->x, w->n), ww_memory(w->index, w->n)),
                                    ww_memory(w->index_wide, w->n));
    return ww_mapped2(&differ_ww, of, ww_memory(w->x, w->n));
}

static ww_input zipped_pair(world *w) {
    for (size_t i = 0; i < w->n; i++) w->wanted[i] = w->x[i] * 3 + (uint32_t)w->bytes[i];
    const ww_input bytes = ww_cast(&ww_type_uint32_t, ww_memory(w->bytes, w->n));
    return ww_mapped(&mixed_pair_ww, ww_zip(&pair_ww, ww_memory(w->x, w->n), bytes));
}

static ww_input zipped_with_padding(world *w) {
    for (size_t i = 0; i < w->n; i++) w->wanted[i] = (uint32_t)w->wide[i] + w->bytes[i] * 7u + w->x[w->places[i]];
    const ww_input picked = ww_permuted(ww_memory(w->x, w->n), ww_memory(w->index, w->n));
    const ww_input wide = ww_cast(&ww_type_uint64_t, ww_memory(w->wide, w->n));
    return ww_mapped(&of_padded_ww, ww_zip(&seven_and_padding_ww, wide, ww_memory(w->bytes, w->n), picked));
}

/* Every kind of step, as many as there may be: the zip is viewed backwards. */
static ww_input everything(world *w) {
    for (size_t i = 0; i < w->n; i++) {
        const size_t at = w->n - 1 - i;
        w->wanted[i] = (w->x[w->places[at]] * 3 + (uint32_t)w->bytes[at]) - (uint32_t)at - 7;
    }
    const ww_input picked = ww_permuted(ww_memory(w->x, w->n), ww_memory(w->index_wide, w->n));
    const ww_input bytes = ww_cast(&ww_type_uint32_t, ww_memory(w->bytes, w->n));
    const ww_input pairs = ww_mapped(&mixed_pair_ww, ww_zip(&pair_ww, picked, bytes));
    return ww_reversed(
        ww_mapped2(&differ_ww, pairs, ww_strided(ww_counting(&ww_type_uint32_t, 0, w->n + 7), 7, 1, w->n)));
}

static const struct {
    const char *name;
    builder *make;
    bool few; /* so much in it that the emulator runs every call on it */
} builders[] = {
    {"cast u8", cast_u8, false},
    {"cast f64", cast_f64, false},
    {"cast thrice", cast_thrice, false},
    {"reversed", reversed, false},
    {"column", column, false},
    {"column backwards", column_backwards, false},
    {"same again", same_again, false},
    {"chain backwards", chain_backwards, false},
    {"steps of three", steps_of_three, false},
    {"permuted", permuted, false},
    {"permuted by i32", permuted_i32, false},
    {"permuted twice", permuted_twice, false},
    {"permuted map", permuted_map, false},
    {"permuted views", permuted_views, false},
    {"permuted counts", permuted_counts, false},
    {"permuted zip", permuted_zip, false},
    {"permuted window", permuted_window, true},
    {"permuted window of memory", permuted_window_of_memory, true},
    {"permuted permuted", permuted_permuted, true},
    {"permuted of indices", permuted_of_indices, false},
    {"zipped", zipped_pair, false},
    {"zipped with padding", zipped_with_padding, false},
    {"window clamped", window_clamped, false},
    {"window wrapped", window_wrapped, false},
    {"window of a value", window_of_value, false},
    {"window inside", window_inside, true},
    {"window of a map", window_of_a_map, false},
    {"window of a view", window_of_a_view, false},
    {"window of indices", window_of_indices, false},
    {"window of a zip", window_of_a_zip, true},
    {"window of windows", window_of_windows, true},
    {"everything", everything, true},
};
enum { BUILDERS = sizeof builders / sizeof *builders };

/* ---- calls on an input of u32, which write to a and b ---- */

#define U32(g, n) ww_array((uint32_t *)(g)->data, (n))
#define CALL(name, ...) \
    static ww_status call_##name(world *w, ww_input in, const guarded *a, const guarded *b) { \
        const size_t n = w->n; \
        (void)a; \
        (void)b; \
        (void)n; \
        return __VA_ARGS__; \
    }
CALL(store, ww_store(w->device, in, U32(a, n)))
CALL(map, ww_map(w->device, &twice_ww, in, U32(a, n)))
CALL(map2, ww_map2(w->device, &differ_ww, ww_memory(w->x, n), in, U32(a, n)))
CALL(reduce, ww_reduce(w->device, &ww_add, in, U32(a, 1)))
CALL(reduce_wide, ww_reduce(w->device, &ww_max, ww_cast(&ww_type_uint64_t, in), ww_array((uint64_t *)a->data, 1)))
CALL(arg_min, ww_arg_min(w->device, NULL, in, U32(a, 1), U32(b, 1)))
CALL(scan, ww_scan(w->device, &ww_add, in, U32(a, n), NULL))
CALL(pack_if, ww_pack_if(w->device, &is_odd_ww, in, U32(a, n), U32(b, 1), NULL))
CALL(split_if, ww_split_if(w->device, &is_odd_ww, in, U32(a, n), U32(b, 1), NULL))
CALL(enumerate, ww_enumerate(w->device, ww_mapped(&is_odd_ww, in), U32(a, n), U32(b, 1)))
CALL(gather, ww_gather(w->device, ww_memory(w->far, 64), ww_mapped(&below_64_ww, in), U32(a, n)))
CALL(scatter, ww_scatter(w->device, in, ww_reversed(ww_counting(&ww_type_uint32_t, 0, n)), U32(a, n), NULL))
CALL(expand, ww_expand(w->device, ww_memory(w->x, n), ww_mapped(&below_3_ww, in), U32(a, 2 * n + 16), ww_none, ww_none,
                       ww_array(w->number, 1)))
CALL(histogram, ww_histogram(w->device, &below_64_ww, in, U32(a, 64), ww_none, NULL))
CALL(adjacent, ww_adjacent_difference(w->device, in, U32(a, n)))
CALL(run_lengths, ww_run_lengths(w->device, ww_mapped(&below_3_ww, in), U32(a, n), U32(b, n), ww_array(w->number, 1)))
CALL(lower_bound, ww_lower_bound(w->device, NULL, ww_counting(&ww_type_uint32_t, 100, n), in, U32(a, n)))
CALL(sort, ww_sort(w->device, in, ww_no_input, U32(a, n), ww_none, NULL))
CALL(sort_values, ww_sort(w->device, ww_memory(w->x, n), in, U32(a, n), U32(b, n), NULL))
CALL(sort_by, ww_sort_by(w->device, &ww_descending, in, ww_no_input, U32(a, n), ww_none, NULL))
CALL(top_k, ww_top_k(w->device, in, ww_no_input, U32(a, n < 10 ? n : 10), ww_none, NULL))
CALL(multisplit, ww_multisplit(w->device, &below_3_ww, 3, in, ww_no_input, U32(a, n), ww_none, U32(b, 4), NULL))

static const struct {
    const char *name;
    ww_status (*make)(world *w, ww_input in, const guarded *a, const guarded *b);
} calls[] = {
    {"store", call_store},
    {"map", call_map},
    {"map2", call_map2},
    {"reduce", call_reduce},
    {"reduce wide", call_reduce_wide},
    {"arg_min", call_arg_min},
    {"scan", call_scan},
    {"pack_if", call_pack_if},
    {"split_if", call_split_if},
    {"enumerate", call_enumerate},
    {"gather", call_gather},
    {"scatter", call_scatter},
    {"expand", call_expand},
    {"histogram", call_histogram},
    {"adjacent difference", call_adjacent},
    {"run_lengths", call_run_lengths},
    {"lower_bound", call_lower_bound},
    {"sort", call_sort},
    {"sort values", call_sort_values},
    {"sort_by", call_sort_by},
    {"top_k", call_top_k},
    {"multisplit", call_multisplit},
};
enum { CALLS = sizeof calls / sizeof *calls };

static void poison(world *w) {
    guarded *const all[] = {&w->out, &w->more, &w->other, &w->other_more};
    for (size_t k = 0; k < 4; k++) memset(all[k]->data, 0xA5, all[k]->bytes);
    *w->number = 0;
}

/* What stands in memory goes to a CPU, whose results are the same: emulating takes most of the time. */
static ww_device *of_memory;
static void in_memory_open(void) {
    if (on_gpu()) expect_status(NULL, ww_open("cpu:threads=2", &of_memory), WW_OK);
}
static void in_memory_close(void) {
    ww_close(of_memory);
    of_memory = NULL;
}

static void check_call(world *w, size_t b, size_t c) {
    ww_device *const device = w->device;
    poison(w);
    const ww_input in = builders[b].make(w);
    expect_status(w->device, calls[c].make(w, in, &w->out, &w->more), WW_OK);
    expect_status(w->device, ww_sync(w->device), WW_OK);
    const uint64_t number = *w->number;
    if (of_memory) w->device = of_memory;
    expect_status(w->device, calls[c].make(w, ww_memory(w->wanted, w->n), &w->other, &w->other_more), WW_OK);
    expect_status(w->device, ww_sync(w->device), WW_OK);
    w->device = device;
    expect_elements(w->out.data, w->other.data, w->out.bytes / 4, 4);
    expect_elements(w->more.data, w->other_more.data, w->out.bytes / 4, 4);
    expect(number == *w->number);
    if (c == 0) expect_elements(w->out.data, w->wanted, w->n, 4); /* ww_store alone says what it is */
}

/* Every call on every input. */
static void in_every_call(void **state) {
    (void)state;
    in_memory_open();
    static const size_t sizes[] = {1, 33, 5000, 70001};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            if (on_emulator() && sizes[i] == 5000) continue; /* tiles are small there: 9001 are as many of every kind */
            const size_t n = on_emulator() && sizes[i] > 6000 ? 9001 : sizes[i];
            world w = world_new(device, n);
            for (size_t b = 0; b < BUILDERS; b++)
                for (size_t c = 0; c < CALLS; c++) {
                    /* The emulator takes a fifth of a second for a program, and all of them are one text. */
                    if (on_emulator() && c && !builders[b].few && (b + c) % 5) continue;
                    CASE("inputs", "%s %s of %s n=%zu", setting_name(s), calls[c].name, builders[b].name, n);
                    if (case_wanted()) check_call(&w, b, c);
                }
            world_free(&w);
        }
        ww_close(device);
    }
    in_memory_close();
}

/* Sizes around all boundaries, stored. */
static void of_every_size(void **state) {
    (void)state;
    in_memory_open();
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        size_t many;
        const size_t *sizes = sizes_of(4, &many);
        for (size_t i = 0; i < many; i++) {
            if (!sizes[i]) continue;
            world w = world_new(device, sizes[i]);
            for (size_t b = 0; b < BUILDERS; b++) {
                CASE("inputs", "%s stored %s n=%zu", setting_name(s), builders[b].name, sizes[i]);
                if (case_wanted()) check_call(&w, b, 0);
            }
            world_free(&w);
        }
        ww_close(device);
    }
    in_memory_close();
}

/* As many elements as a number on the device says. */
static void counted(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        world w = world_new(device, 3000);
        for (size_t b = 0; b < BUILDERS; b++)
            for (uint64_t k = 0; k < 4; k++) {
                static const uint64_t numbers[] = {0, 1, 1777, 5000};
                const size_t wanted = numbers[k] < w.n ? (size_t)numbers[k] : w.n;
                CASE("inputs", "%s counted %s %zu", setting_name(s), builders[b].name, wanted);
                if (!case_wanted()) continue;
                poison(&w);
                *w.number = numbers[k];
                const ww_input in = ww_counted(builders[b].make(&w), w.number);
                expect_status(device, ww_store(device, in, ww_counted_array(U32(&w.out, w.n), w.number)), WW_OK);
                expect_status(device, ww_reduce(device, &ww_add, in, U32(&w.more, 1)), WW_OK);
                expect_status(device, ww_sync(device), WW_OK);
                uint32_t sum = 0;
                for (size_t i = 0; i < wanted; i++) sum += w.wanted[i];
                expect_elements(w.out.data, w.wanted, wanted, 4);
                for (size_t i = wanted; i < w.n; i++) expect(((uint32_t *)w.out.data)[i] == 0xA5A5A5A5u);
                expect(*(uint32_t *)w.more.data == sum);
            }
        world_free(&w);
        ww_close(device);
    }
}

/* ---- casts between all types ---- */

static void check_cast(ww_device *device, const char *setting, const ww_type *from, const ww_type *to, shape shape,
                       size_t n) {
    CASE("cast", "%s %s to %s %s n=%zu", setting, from->label, to->label, shape_name(shape), n);
    if (!case_wanted()) return;
    unsigned char *in = need(n * from->size), *wanted = need(n * to->size);
    uint64_t seed = seed_of_run() + n;
    fill(in, from, from->size, n, shape, seed);
    /* Floats near the ends of integers. */
    for (size_t i = 0; from->kind == WW_KIND_FLOAT && shape == UNIFORM && i < n; i++) {
        const double x = ldexp((double)(int64_t)random_next(&seed), (int)(random_next(&seed) % 140) - 70);
        const float y = (float)x;
        memcpy(in + i * from->size, from->size == 8 ? (const void *)&x : &y, from->size);
    }
    reference_cast(wanted, to, in, from, n);
    guarded out = guarded_new(n * to->size);
    expect_status(device, ww_store(device, ww_cast(to, ww_memory_of(in, n, from)), ww_array_of(out.data, n, to)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, n, to->size);
    guarded_check(&out);
    guarded_free(&out);
    free(in);
    free(wanted);
}

static void casts(void **state) {
    (void)state;
    static const char *const labels[] = {"u8",  "u16",  "u32", "u64", "i8",  "i16",  "i32",
                                         "i64", "u128", "f32", "f64", "f16", "bf16", "i128"};
    enum { LABELS = sizeof labels / sizeof *labels };
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t f = 0; f < LABELS; f++)
            for (size_t t = 0; t < LABELS; t++) {
                const ww_type *from = ww_type_named(labels[f]), *to = ww_type_named(labels[t]);
                if (!from || !to) continue;
                if (on_emulator() && (f + 3 * t + s) % 4 != 1) continue; /* a program for each pair */
                check_cast(device, setting_name(s), from, to, UNIFORM, 4321);
                check_cast(device, setting_name(s), from, to, ADVERSARIAL, 777);
            }
        ww_close(device);
    }
}

/* Sums of what is cast to wider integers are made in one loop on a CPU: bytes that fill its lanes as far as they go, and any others. */
static void check_widened(ww_device *device, const char *setting, const ww_type *from, const ww_type *to, size_t n) {
    CASE("widened sum", "%s %s to %s n=%zu", setting, from->label, to->label, n);
    if (!case_wanted()) return;
    static const int bytes[] = {0x00, 0x7f, 0x80, 0xff, -1};
    unsigned char *in = need(n * from->size), *wide = need(n * 8);
    uint64_t *got = need(8);
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
        uint64_t sum = 0;
        if (bytes[b] < 0)
            fill(in, from, from->size, n, UNIFORM, seed_of_run() + n);
        else
            memset(in, bytes[b], n * from->size);
        reference_cast(wide, to->kind == WW_KIND_SIGNED ? &ww_type_int64_t : &ww_type_uint64_t, in, from, n);
        for (size_t i = 0; i < n; i++) sum += ((const uint64_t *)(const void *)wide)[i];
        *got = 0;
        expect_status(
            device, ww_reduce(device, &ww_add, ww_cast(to, ww_memory_of(in, n, from)), ww_array_of(got, 1, to)), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(!memcmp(got, &sum, to->size));
    }
    free(in);
    free(wide);
    free(got);
}

static void widened(void **state) {
    (void)state;
    static const char *const labels[] = {"u8", "u16", "u32", "i8", "i16", "i32", "u64", "i64"};
    static const size_t sizes[] = {0, 1, 127, 128, 129, 4096, 100003};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t f = 0; f < 6; f++)
            for (size_t t = 0; t < 8; t++) {
                const ww_type *from = ww_type_named(labels[f]), *to = ww_type_named(labels[t]);
                if (from->size >= to->size || (on_gpu() && (f + t) % 5)) continue;
                for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
                    check_widened(device, setting_name(s), from, to, sizes[i]);
            }
        ww_close(device);
    }
}

/* Sums of elements that are apart are made where they lie, forwards and backwards. Nothing stands behind the last one. */
static void check_apart_sum(ww_device *device, const char *setting, const ww_type *type, int64_t apart, size_t n) {
    CASE("sum of elements apart", "%s %s by %lld n=%zu", setting, type->label, (long long)apart, n);
    if (!case_wanted()) return;
    const size_t far = (size_t)(apart < 0 ? -apart : apart), size = type->size, begin = 3;
    const size_t many = begin + (n ? (n - 1) * far + 1 : 0);
    unsigned char *in = need(many * size);
    const uint64_t first = apart < 0 && n ? many - 1 : begin;
    guarded got = guarded_new(size);
    uint64_t sum = 0;
    fill(in, type, size, many, UNIFORM, seed_of_run() + n);
    for (size_t i = 0; i < n; i++) {
        uint64_t one = 0;
        memcpy(&one, in + (size_t)((int64_t)first + (int64_t)i * apart) * size, size);
        sum += one;
    }
    expect_status(device,
                  ww_reduce(device, &ww_add, ww_strided(ww_memory_of(in, many, type), first, apart, n),
                            ww_array_of(got.data, 1, type)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(!memcmp(got.data, &sum, size));
    guarded_check(&got), guarded_free(&got);
    free(in);
}

static void sums_apart(void **state) {
    (void)state;
    static const char *const labels[] = {"u32", "u64", "u8", "i16", "i32", "i64", "u16", "i8"};
    static const int64_t apart[] = {0, 2, 3, 4, 5, 17, -1, -2, -3, -4, -70};
    static const size_t sizes[] = {1, 2, 15, 16, 17, 33, 64, 4095, 4097, 10007};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < sizeof labels / sizeof *labels; t++)
            for (size_t a = 0; a < sizeof apart / sizeof *apart; a++)
                for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                    if (!on_gpu() || (t < 2 && (a + k) % 4 == 0))
                        check_apart_sum(device, setting_name(s), ww_type_named(labels[t]), apart[a], sizes[k]);
        ww_close(device);
    }
}

/* ---- zips ---- */

static void check_zip(ww_device *device, const char *setting, size_t n) {
    CASE("zip", "%s n=%zu", setting, n);
    if (!case_wanted()) return;
    world w = world_new(device, n);
    unsigned char *wanted = need(n * sizeof(nested));
    int16_t *small = need(2 * n);
    float *real = need(4 * n);
    fill(small, &ww_type_int16_t, 2, n, UNIFORM, 3);
    fill(real, &ww_type_float, 4, n, UNIFORM, 4);
    const ww_input x = ww_memory(w.x, n), halves = ww_memory(small, n);
    const ww_input reals = ww_memory(real, n);

    reference_member(wanted, sizeof(three), offsetof(three, x), real, 4, n);
    reference_member(wanted, sizeof(three), offsetof(three, y), w.x, 4, n);
    reference_member(wanted, sizeof(three), offsetof(three, z), real, 4, n);
    expect_status(device, ww_store(device, ww_zip(&three_ww, reals, x, reals), ww_array_of(w.out.data, n, &three_ww)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(w.out.data, wanted, n, sizeof(three));

    /* A struct in a struct, itself zipped. */
    reference_member(wanted, sizeof(nested), offsetof(nested, low), small, 2, n);
    reference_member(wanted, sizeof(nested), offsetof(nested, high), small, 2, n);
    reference_member(wanted, sizeof(nested), offsetof(nested, inner.a), w.x, 4, n);
    reference_member(wanted, sizeof(nested), offsetof(nested, inner.b), w.index, 4, n);
    expect_status(device,
                  ww_store(device,
                           ww_zip(&nested_ww, ww_cast(&ww_type_uint16_t, halves), halves,
                                  ww_zip(&pair_ww, x, ww_memory(w.index, n))),
                           ww_array_of(w.out.data, n, &nested_ww)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(w.out.data, wanted, n, sizeof(nested));

    /* One alone. */
    const ww_input alone[] = {ww_zip(&pair_ww, x, ww_memory(w.index, n))};
    expect_status(device, ww_store(device, alone[0], ww_array_of(w.out.data, n, &pair_ww)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = 0; i < n; i++)
        expect(((pair *)w.out.data)[i].a == w.x[i] && ((pair *)w.out.data)[i].b == w.index[i]);
    free(wanted);
    free(small);
    free(real);
    world_free(&w);
}

static void zips(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        static const size_t sizes[] = {1, 31, 1000, 20011};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) check_zip(device, setting_name(s), sizes[i]);
        ww_close(device);
    }
}

WW_STRUCT(eight_numbers, {
    uint64_t a;
    uint32_t b;
    float c;
    uint16_t d;
    int16_t e;
    uint32_t f;
    double g;
    uint64_t h;
});

/* As many as there may be, one of them cast. */
static void eight_arrays(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        const size_t n = 2345;
        CASE("zip", "%s of eight", setting_name(s));
        if (case_wanted()) {
            static const ww_type *const types[8] = {&ww_type_uint64_t, &ww_type_uint32_t, &ww_type_float,
                                                    &ww_type_uint16_t, &ww_type_int16_t,  &ww_type_uint32_t,
                                                    &ww_type_double,   &ww_type_uint64_t};
            static const size_t offsets[8] = {offsetof(eight_numbers, a), offsetof(eight_numbers, b),
                                              offsetof(eight_numbers, c), offsetof(eight_numbers, d),
                                              offsetof(eight_numbers, e), offsetof(eight_numbers, f),
                                              offsetof(eight_numbers, g), offsetof(eight_numbers, h)};
            unsigned char *column[8], *wanted = need(n * sizeof(eight_numbers));
            ww_input in[8];
            guarded out = guarded_new(n * sizeof(eight_numbers));
            for (size_t k = 0; k < 8; k++) {
                column[k] = need(n * types[k]->size);
                fill(column[k], types[k], types[k]->size, n, UNIFORM, k + seed_of_run());
                reference_member(wanted, sizeof(eight_numbers), offsets[k], column[k], types[k]->size, n);
                in[k] = ww_memory_of(column[k], n, types[k]);
            }
            const ww_array to = ww_array_of(out.data, n, &eight_numbers_ww);
            expect_status(device, ww_store(device, ww_zip_of(&eight_numbers_ww, in, 8), to), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_elements(out.data, wanted, n, sizeof(eight_numbers));
            guarded_check(&out);
            guarded_free(&out);
            for (size_t k = 0; k < 8; k++) free(column[k]);
            free(wanted);
        }
        ww_close(device);
    }
}

/* ---- records ---- */

static void records(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 3, 12, 40};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < 4; k++) {
            const size_t n = 999, size = sizes[k];
            CASE("records", "%s of %zu bytes", setting_name(s), size);
            if (!case_wanted()) continue;
            world w = world_new(device, n);
            unsigned char *in = need(n * size), *wanted = need(n * size);
            guarded out = guarded_new(n * size);
            fill(in, &ww_type_uint8_t, 1, n * size, UNIFORM, seed_of_run());
            reference_permuted(wanted, in, size, w.places, n);
            const ww_input all = ww_record_memory(in, n, size);
            expect_status(device,
                          ww_store(device, ww_permuted(all, ww_memory(w.index, n)), ww_records(out.data, n, size)),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_elements(out.data, wanted, n, size);
            reference_strided(wanted, in, size, 998, -2, 400);
            expect_status(device, ww_store(device, ww_strided(all, 998, -2, 400), ww_records(out.data, 400, size)),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_elements(out.data, wanted, 400, size);
            guarded_check(&out);
            guarded_free(&out);
            free(in);
            free(wanted);
            world_free(&w);
        }
        ww_close(device);
    }
}

/* ---- what is refused ---- */

static void expect_refused(ww_device *device, ww_input in, const guarded *out, ww_status status, const char *sentence) {
    const ww_array to = in.type && in.size ? ww_array_of(out->data, in.count, in.type) : U32(out, 10);
    ww_status got = ww_store(device, in, to);
    if (!got) got = ww_sync(device);
    expect_status(device, got, status);
    expect_sentence(device, sentence);
}

static void refusals(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("refused", "%s", setting_name(s));
        if (case_wanted()) {
            world w = world_new(device, 10);
            const ww_input x = ww_memory(w.x, 10), bytes = ww_memory(w.bytes, 10), index = ww_memory(w.index, 10);
            const ww_input all[9] = {x, x, x, x, x, x, x, x, x};
            const guarded *const out = &w.out;
            expect_refused(device, ww_strided(x, 0, 1, 11), out, WW_RANGE,
                           "in is a view of 11 elements from 0 on by steps of 1, which leaves the 10 that there are");
            expect_refused(device, ww_strided(x, 10, 1, 1), out, WW_RANGE, "from 10 on");
            expect_refused(device, ww_strided(x, 1, 3, 4), out, WW_RANGE, "from 1 on by steps of 3");
            expect_refused(device, ww_strided(x, 5, -2, 4), out, WW_RANGE, "steps of -2");
            expect_refused(device, ww_strided(x, 0, INT64_MAX, 3), out, WW_RANGE, "leaves the 10");
            expect_refused(device, ww_strided(x, 9, INT64_MIN, 2), out, WW_RANGE, "leaves the 10");
            expect_refused(device, ww_strided(ww_memory(w.x, 0), 1, 1, 0), out, WW_RANGE, "leaves the 0");
            expect_refused(device, ww_mapped(&twice_ww, ww_strided(x, 0, 1, 12)), out, WW_RANGE,
                           "12 elements from 0 on");
            expect_refused(device, ww_mapped2(&differ_ww, x, ww_strided(x, 0, 1, 12)), out, WW_RANGE,
                           "12 elements from 0");
            expect_refused(device, ww_reversed(ww_counted(x, w.number)), out, WW_UNSUPPORTED,
                           "has a count on the device");
            expect_refused(device, ww_permuted(ww_counted(x, w.number), index), out, WW_UNSUPPORTED,
                           "count on the device");
            expect_refused(device, ww_permuted(ww_counted(ww_reversed(x), w.number), index), out, WW_UNSUPPORTED,
                           "count on the device");
            expect_refused(device, ww_permuted(ww_reversed(x), bytes), out, WW_TYPE,
                           "indices of type u8, not u32, u64, i32 or i64");
            expect_refused(device, ww_permuted(ww_mapped(&is_odd_ww, bytes), index), out, WW_TYPE,
                           "takes elements of type u32 and is given u8");
            expect_refused(device, ww_permuted(ww_strided(x, 0, 1, 11), index), out, WW_RANGE, "leaves the 10");
            expect_refused(device, ww_permuted(ww_permuted(ww_memory_of(NULL, 5, &ww_type_uint32_t), x), index), out,
                           WW_INVALID, "is NULL");
            expect_refused(
                device,
                ww_reversed(ww_permuted(
                    ww_window(&lopsided_ww, ww_reversed(x), WW_BORDER_INSIDE, ww_value(uint32_t, 1)), index)),
                out, WW_INVALID, "does not take");
            ww_input longest = ww_permuted(ww_reversed(x), index);
            while (longest.steps < WW_INPUT_STEPS) longest = ww_mapped(&twice_ww, longest);
            expect_refused(device, ww_permuted(longest, index), out, WW_LIMIT, "made of more than 10 steps");
            expect_status(device, ww_store(device, ww_permuted(ww_reversed(x), index), ww_array(w.x, 10)), WW_OVERLAP);
            expect_refused(device, ww_permuted(x, bytes), out, WW_TYPE, "indices of type u8, not u32, u64, i32 or i64");
            expect_refused(device, ww_permuted(x, ww_memory(w.reals, 10)), out, WW_TYPE, "indices of type f64");
            expect_refused(device, ww_permuted(ww_memory_of(NULL, 5, &ww_type_uint32_t), index), out, WW_INVALID,
                           "is NULL");
            expect_refused(device, ww_cast(&pair_ww, x), out, WW_TYPE,
                           "is cast from type u32 to pair; both have to be");
            expect_refused(device, ww_cast(&ww_type_uint8_t, ww_record_memory(w.x, 10, 4)), out, WW_TYPE,
                           "from type rec");
            expect_refused(device, ww_no_input, out, WW_INVALID, "in is missing");
            expect_refused(device, ww_cast(NULL, x), out, WW_INVALID, "in is cast to a type that is NULL");
            expect_refused(device, ww_mapped(NULL, x), out, WW_INVALID, "in is mapped by a function that is NULL");
            expect_refused(device, ww_mapped2(NULL, x, x), out, WW_INVALID, "in is mapped by a function that is NULL");
            expect_refused(device, ww_window(NULL, x, WW_BORDER_CLAMP, ww_no_value), out, WW_INVALID,
                           "in is a window whose function is NULL");
            expect_refused(device, ww_window(NULL, ww_reversed(x), WW_BORDER_INSIDE, ww_no_value), out, WW_INVALID,
                           "in is a window whose function is NULL");
            expect_refused(device, ww_mapped(&twice_ww, ww_window(NULL, x, WW_BORDER_CLAMP, ww_no_value)), out, WW_TYPE,
                           "in is mapped by NULL, which is not a WW_WINDOW");
            expect_refused(device, ww_zip_of(&pair_ww, all, 0), out, WW_INVALID,
                           "zipped from 0 inputs; there may be 1 to 8");
            expect_refused(device, ww_zip_of(&pair_ww, all, 9), out, WW_INVALID, "zipped from 9 inputs");
            expect_refused(device, ww_zip_of(&pair_ww, NULL, 2), out, WW_INVALID, "zipped from");
            expect_refused(device, ww_zip(&pair_ww, x, ww_memory(w.x, 9)), out, WW_INVALID,
                           "different counts: input 1 has 9 elements, input 0 10");
            expect_refused(device, ww_zip(&pair_ww, x, ww_counted(x, w.number)), out, WW_INVALID,
                           "counts on the device");
            expect_refused(device, ww_zip(&pair_ww, x, bytes), out, WW_TYPE,
                           "zipped to pair of inputs of types u32, u8");
            expect_refused(device, ww_zip(&pair_ww, x, x, x), out, WW_TYPE, "not its members");
            expect_refused(device, ww_zip(&pair_ww, x, ww_memory((float *)(void *)w.x, 10)), out, WW_TYPE, "u32, f32");
            expect_refused(device, ww_zip(&pair_ww, x), out, WW_TYPE, "not its members");
            expect_refused(device, ww_zip(&ww_type_uint64_t, x, x), out, WW_TYPE, "u64, which is not a WW_STRUCT");
            expect_refused(device, ww_zip(NULL, x, x), out, WW_INVALID, "in is zipped to a type that is NULL");
            expect_refused(device, ww_zip(&pair_ww, ww_strided(x, 3, 4, 9), x), out, WW_RANGE, "9 elements from 3 on");
            expect_refused(device, ww_window(&lopsided_ww, ww_counted(x, w.number), WW_BORDER_CLAMP, ww_no_value), out,
                           WW_UNSUPPORTED, "count on the device");
            expect_refused(device, ww_window(&lopsided_ww, ww_memory(w.x, 4), WW_BORDER_INSIDE, ww_no_value), out,
                           WW_INVALID, "in is a window of 5 elements on 4");
            expect_refused(device, ww_window(&lopsided_ww, x, (ww_border)9, ww_no_value), out, WW_INVALID,
                           "with border 9");
            expect_refused(device, ww_window(&lopsided_ww, x, WW_BORDER_VALUE, ww_no_value), out, WW_INVALID,
                           "and no value");
            expect_refused(device, ww_window(&lopsided_ww, x, WW_BORDER_WRAP, ww_value(uint32_t, 1)), out, WW_INVALID,
                           "does not take");
            expect_refused(device, ww_window(&lopsided_ww, x, WW_BORDER_VALUE, ww_value(float, 1)), out, WW_TYPE,
                           "f32");
            expect_refused(device, ww_window(&lopsided_ww, bytes, WW_BORDER_CLAMP, ww_no_value), out, WW_TYPE,
                           "takes elements of type u32 and is given u8");
            expect_refused(device, ww_window(&twice_ww, x, WW_BORDER_CLAMP, ww_no_value), out, WW_TYPE,
                           "is not a WW_WINDOW");
            expect_refused(device, ww_mapped(&lopsided_ww, x), out, WW_TYPE, "which is not a WW_MAP");
            expect_refused(device, ww_window(&weighted_ww, x, WW_BORDER_CLAMP, ww_no_value), out, WW_INVALID,
                           "needs a u32 as its environment");
            expect_refused(device, ww_reversed(ww_window(&lopsided_ww, x, WW_BORDER_CLAMP, ww_no_value)), out,
                           WW_UNSUPPORTED, "a view of a window");
            expect_status(device,
                          ww_store(device, ww_window(&lopsided_ww, x, WW_BORDER_CLAMP, ww_no_value), ww_array(w.x, 10)),
                          WW_OVERLAP);
            /* Where it is read, it is not written. */
            const ww_array in_place = ww_array(w.x, 10);
            expect_status(device, ww_store(device, ww_reversed(x), in_place), WW_OVERLAP);
            expect_status(device, ww_store(device, ww_permuted(x, index), in_place), WW_OVERLAP);
            const ww_input twice = ww_mapped(&twice_ww, x);
            expect_status(device, ww_store(device, ww_permuted(twice, index), in_place), WW_OVERLAP);
            expect_status(device,
                          ww_store(device, ww_window(&lopsided_ww, twice, WW_BORDER_CLAMP, ww_no_value), in_place),
                          WW_OVERLAP);
            expect_status(device, ww_store(device, ww_strided(ww_memory(w.x, 10), 9, -3, 3), ww_array(w.x + 3, 3)),
                          WW_OVERLAP);
            expect_status(device, ww_store(device, ww_strided(ww_memory(w.x, 10), 9, -3, 3), ww_array(w.x, 3)), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            world_free(&w);
        }
        ww_close(device);
    }
}

/* Indices outside: the lowest position is told, and the call after it is as ever. */
static void check_outside(ww_device *device, const char *setting, size_t n, size_t b, bool computed) {
    CASE("outside", "%s n=%zu %zu%s", setting, n, b, computed ? " computed" : "");
    if (!case_wanted()) return;
    world w = world_new(device, n);
    char place[64], value[64];
    const size_t at = n / 3;
    w.index[at] = (uint32_t)n;
    w.index[n - 1] = UINT32_MAX;
    w.index_signed[at] = -3;
    w.index_signed[n - 1] = INT32_MIN;
    w.index_wide[at] = -4;
    w.index_wide[n - 1] = INT64_MAX;
    const ww_input x = ww_memory(w.x, n);
    const ww_input index = b == 0   ? ww_memory(w.index, n)
                           : b == 1 ? ww_memory(w.index_signed, n)
                                    : ww_mapped(&twice_ww, ww_constant(ww_value(uint32_t, 1u << 30), n));
    const ww_input of = computed ? ww_reversed(ww_mapped(&twice_ww, x)) : x;
    const ww_input in = b == 3 ? ww_permuted(of, ww_memory(w.index_wide, n)) : ww_permuted(of, index);
    snprintf(place, sizeof place, "at position %zu is", b == 2 ? 0 : at);
    snprintf(value, sizeof value, "%s%lld, and there are %zu elements", "is ",
             b == 0   ? (long long)n
             : b == 1 ? -3
             : b == 2 ? (1ll << 31) + 1
                      : -4,
             n);
    for (int call = 0; call < 3; call++) {
        ww_status got = call == 0   ? ww_store(device, in, U32(&w.out, n))
                        : call == 1 ? ww_reduce(device, &ww_add, ww_mapped(&twice_ww, in), U32(&w.out, 1))
                                    : ww_sort(device, in, ww_no_input, U32(&w.out, n), ww_none, NULL);
        if (!got) got = ww_sync(device);
        expect_status(device, got, WW_RANGE);
        expect_sentence(device, "ww_permuted", place, value);
    }
    expect_status(device, ww_store(device, x, U32(&w.out, n)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(w.out.data, w.x, n, 4);
    world_free(&w);
}

static void outside(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t b = 0; b < 4; b++) {
            for (int computed = 0; computed < 2; computed++) {
                check_outside(device, setting_name(s), 10, b, computed);
                check_outside(device, setting_name(s), on_emulator() ? 7000 : 300007, b, computed);
            }
        }
        ww_close(device);
    }
}

/* ---- sums of what is mapped, which one loop computes and adds up ---- */

WW_STRUCT(two_words, { uint32_t a, b; });
WW_STRUCT(three_words, { uint32_t a, b, c; });
WW_STRUCT(four_long, { uint64_t a, b, c, d; });
WW_STRUCT(uneven, {
    uint64_t a;
    uint32_t b;
});
WW_MAP(low_byte, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x >> 3); });
WW_MAP2(difference, int32_t, uint32_t, a, uint32_t, b, uint32_t, e,
        { return (int32_t)(a % 1000) - (int32_t)(b % 1000) + (int32_t)*e; });
WW_MAP(product_of, uint64_t, two_words, x, void, none, { return (uint64_t)x.a * x.b; });
WW_MAP(short_of, int16_t, three_words, x, void, none, { return (int16_t)(x.a - 3 * x.b + 5 * x.c); });
WW_MAP(long_of, uint64_t, four_long, x, void, none, { return x.a + 3 * x.b - 5 * x.c + 7 * x.d; });
WW_MAP(uneven_of, uint64_t, uneven, x, void, none, { return x.a - x.b; });
WW_MAP(real_of, double, two_words, x, void, none, { return (double)x.a - (double)x.b; });

enum { SUMS = 6 };

/* Sum k of elements first to end, and what it is: its input. */
static uint64_t sum_by_loop(int k, const uint32_t *const *x, const uint64_t *const *y, size_t first, size_t end) {
    uint64_t sum = 0;
    for (size_t i = first; i < end; i++) {
        const uint32_t a = x[0][i], b = x[1][i], c = x[2][i];
        const int32_t apart = (int32_t)(a % 1000) - (int32_t)(b % 1000) + 9;
        const uint64_t of[SUMS] = {(uint8_t)(a >> 3),
                                   (uint64_t)(int64_t)apart,
                                   (uint64_t)a * b,
                                   (uint64_t)(a - 3 * b + 5 * c),
                                   y[0][i] + 3 * y[1][i] - 5 * y[2][i] + 7 * y[3][i],
                                   y[0][i] - b};
        sum += of[k];
    }
    return sum;
}

static ww_input summed_input(int k, const ww_input *x, const ww_input *y, const uint32_t *environment) {
    switch (k) {
    case 0:
        return ww_mapped(&low_byte_ww, x[0]);
    case 1:
        return ww_mapped2(ww_with(difference, environment), x[0], x[1]);
    case 2:
        return ww_mapped(&product_of_ww, ww_zip(&two_words_ww, x[0], x[1]));
    case 3:
        return ww_mapped(&short_of_ww, ww_zip(&three_words_ww, x[0], x[1], x[2]));
    case 4:
        return ww_mapped(&long_of_ww, ww_zip(&four_long_ww, y[0], y[1], y[2], y[3]));
    default:
        return ww_mapped(&uneven_of_ww, ww_zip(&uneven_ww, y[0], x[1]));
    }
}

static bool same_low_bytes(const void *got, uint64_t wanted, size_t size) { return !memcmp(got, &wanted, size); }

static void check_sums(ww_device *device, size_t n) {
    static const uint32_t environment = 9;
    uint32_t *x[3], *offsets = need(4 * sizeof *offsets);
    uint64_t *y[4], random = seed_of_run() + n;
    ww_input in_x[3], in_y[4];
    for (int k = 0; k < 3; k++) x[k] = need(n * 4);
    for (int k = 0; k < 4; k++) y[k] = need(n * 8);
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) x[k][i] = (uint32_t)random_next(&random);
        for (int k = 0; k < 4; k++) y[k][i] = random_next(&random);
    }
    for (int k = 0; k < 3; k++) in_x[k] = ww_memory(x[k], n);
    for (int k = 0; k < 4; k++) in_y[k] = ww_memory(y[k], n);
    offsets[0] = (uint32_t)(n / 50), offsets[1] = offsets[2] = (uint32_t)(n / 20), offsets[3] = (uint32_t)n;
    for (int k = 0; k < SUMS; k++) {
        const ww_input in = summed_input(k, in_x, in_y, &environment);
        const size_t size = in.size;
        guarded all = guarded_new(size), some = guarded_new(3 * size), stored = guarded_new(n * size);
        expect_status(device, ww_reduce(device, &ww_add, in, ww_array_of(all.data, 1, in.type)), WW_OK);
        expect_status(
            device, ww_reduce_segments(device, &ww_add, in, ww_memory(offsets, 4), ww_array_of(some.data, 3, in.type)),
            WW_OK);
        expect_status(device, ww_store(device, in, ww_array_of(stored.data, n, in.type)), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(same_low_bytes(all.data, sum_by_loop(k, (const uint32_t *const *)x, (const uint64_t *const *)y, 0, n),
                              size));
        for (size_t s = 0; s < 3; s++)
            expect(same_low_bytes(
                (unsigned char *)some.data + s * size,
                sum_by_loop(k, (const uint32_t *const *)x, (const uint64_t *const *)y, offsets[s], offsets[s + 1]),
                size));
        for (size_t i = 0; i < n; i++)
            expect(same_low_bytes((unsigned char *)stored.data + i * size,
                                  sum_by_loop(k, (const uint32_t *const *)x, (const uint64_t *const *)y, i, i + 1),
                                  size));
        guarded *const guards[] = {&all, &some, &stored};
        for (size_t g = 0; g < 3; g++) guarded_check(guards[g]), guarded_free(guards[g]);
    }
    /* Reals keep their brackets: those of the numbers when they are stored. */
    double *stored = need((n + 2) * sizeof *stored);
    const ww_input reals = ww_mapped(&real_of_ww, ww_zip(&two_words_ww, in_x[0], in_x[1]));
    expect_status(device, ww_reduce(device, &ww_add, reals, ww_array(stored + n, 1)), WW_OK);
    expect_status(device, ww_store(device, reals, ww_array(stored, n)), WW_OK);
    expect_status(device, ww_reduce(device, &ww_add, ww_memory(stored, n), ww_array(stored + n + 1, 1)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(!memcmp(stored + n, stored + n + 1, sizeof *stored));
    for (size_t i = 0; i < n; i++)
        expect(!(stored[i] < (double)x[0][i] - x[1][i]) && !(stored[i] > (double)x[0][i] - x[1][i]));
    for (int k = 0; k < 3; k++) free(x[k]);
    for (int k = 0; k < 4; k++) free(y[k]);
    free(offsets), free(stored);
}

static void sums(void **state) {
    (void)state;
    const size_t sizes[] = {1, 7, 64, 65, 1000, 2049, on_emulator() ? 5000 : 100001};
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            CASE("sums", "%s n=%zu", setting_name(s), sizes[k]);
            if (case_wanted()) check_sums(device, sizes[k]);
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),     cmocka_unit_test(in_every_call), cmocka_unit_test(of_every_size),
        cmocka_unit_test(counted),  cmocka_unit_test(casts),         cmocka_unit_test(widened),
        cmocka_unit_test(zips),     cmocka_unit_test(eight_arrays),  cmocka_unit_test(records),
        cmocka_unit_test(refusals), cmocka_unit_test(outside),       cmocka_unit_test(sums_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
