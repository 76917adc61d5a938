/* ww_histogram_2d: each number's bin is searched among the edges of its side, and the two make the number of a cell, of which there is
 * one more for what lies outside.
 *
 * Where edges rise a CPU does so tile by tile, by the table of histogram_edges.c, and counts: x and y are read once. On a GPU the
 * cell of a pair is a map of it, where edges are numbers of 32 or 64 bits in memory. Otherwise bins go to memory. */
#include <math.h>
#include <string.h>

#include "device/call.h"
#include "function/function.h"
#include "primitive/histogram/sides.h"
#include "primitive/search/search.h"
#include "warpwise/multisplit.h"

typedef unsigned long long ull;

/* Bins are counted from 1; 0 and those above the last lie outside. */
WW_STRUCT(cell_sides, { uint32_t across, down; });
WW_MAP2(cell_of_bins, uint32_t, uint32_t, x, uint32_t, y, cell_sides, s,
        { return x - 1 < s->across && y - 1 < s->down ? (x - 1) * s->down + (y - 1) : 0xffffffffu; });

static ww_status find_bins(ww_device *device, const ww_input *in, const ww_input *edges, uint32_t **bins) {
    WW_TRY(ww__scratch_array(device, in->count, sizeof **bins, bins));
    const ww_array out = ww_array(*bins, in->count);
    return ww__search(
        device,
        &(ww__search_request){
            .order = ww__order(NULL, in->type, in->size), .sorted = edges, .needles = in, .out = &out, .upper = true});
}

/* ---- a CPU, where edges rise ---- */

typedef struct side {
    ww__edges plan;
    ww__binning binning;
    const unsigned char *x;
    size_t size;
    uint32_t bins,
        zero; /* zero: the bin of -0, which is below 0 in the order of floats, and equal to it for the table's loop */
} side;

typedef struct pairs {
    side across, down;
} pairs;

#define FIND_ZERO(T, label) \
    if (type == &ww_type_##T) { \
        const T *e = edges; \
        while (above <= bins && (e[above] < 0 || (e[above] <= 0 && signbit(e[above])))) above++; \
    }
static uint32_t bin_of_minus_zero(const ww_type *type, const void *edges, uint32_t bins) {
    uint32_t above = 0;
    WW__EACH_FLOAT(FIND_ZERO)
    return above && above <= bins ? above - 1 : bins;
}

#define MOVE_ZEROS(T, bits) \
    static void move_zeros_##T(const side *s, uint32_t *out, const T *x, size_t n) { \
        const T minus_zero = (T)1 << (bits - 1); \
        for (size_t i = 0; i < n; i++) out[i] = x[i] == minus_zero ? s->zero : out[i]; \
    }
MOVE_ZEROS(uint32_t, 32)
MOVE_ZEROS(uint64_t, 64)

static void find_side(const side *s, uint32_t *out, uint64_t first, size_t n) {
    const void *x = s->x + first * s->size;
    s->binning.loop(&s->plan, out, x, n);
    if (s->zero == UINT32_MAX) return;
    if (s->size == sizeof(uint32_t))
        move_zeros_uint32_t(s, out, x, n);
    else
        move_zeros_uint64_t(s, out, x, n);
}

/* The cells of pairs, of which the elements are the numbers. */
static void find_cells(const void *plan, uint32_t *cells, const void *numbers, size_t n) {
    enum { BATCH = 512 };
    const pairs *p = plan;
    const uint32_t across = p->across.bins, down = p->down.bins;
    uint32_t bins[BATCH];
    for (size_t i = 0; i < n; i += BATCH) {
        const size_t many = n - i < BATCH ? n - i : BATCH;
        const uint64_t first = ((const uint64_t *)numbers)[i];
        find_side(&p->across, cells + i, first, many);
        find_side(&p->down, bins, first, many);
        for (size_t k = 0; k < many; k++) {
            const uint32_t a = cells[i + k], d = bins[k];
            cells[i + k] = ((a < across) & (d < down)) ? a * down + d : across * down;
        }
    }
}

/* *rises: whether edges do; where not, nothing else is filled. */
static ww_status plan_side(ww_device *device, const ww_input *in, const ww_input *edges, side *s, bool *rises) {
    const void *memory;
    s->bins = (uint32_t)(edges->count - 1);
    s->size = in->size;
    s->zero = UINT32_MAX;
    WW_TRY(ww__input_in_memory(device, edges, &memory));
    *rises = device->on_paper || ww__edges_rise(in->type, memory, edges->count);
    if (!*rises) return WW_OK;
    WW_TRY(ww__edges_plan(device, in->type, memory, s->bins, &s->plan, &s->binning));
    if (in->type->kind == WW_KIND_FLOAT && !device->on_paper) s->zero = bin_of_minus_zero(in->type, memory, s->bins);
    return WW_OK;
}

static ww_status read_side(ww_device *device, const ww_input *in, side *s) {
    const void *x;
    WW_TRY(ww__input_in_memory(device, in, &x));
    s->x = x;
    return WW_OK;
}

/* *done: edges rise, and pairs are counted. */
static ww_status count_pairs(ww_device *device, const ww_input *x, const ww_input *y, const ww_input *x_edges,
                             const ww_input *y_edges, const ww_array *counts, const ww_array *outside, bool *done) {
    pairs p;
    bool rise;
    ww__fault fault;
    WW_TRY(plan_side(device, x, x_edges, &p.across, done));
    WW_TRY(plan_side(device, y, y_edges, &p.down, &rise));
    *done = *done && rise;
    if (!*done) return WW_OK;
    WW_TRY(read_side(device, x, &p.across));
    WW_TRY(read_side(device, y, &p.down));
    const ww__binning binning = {.loop = find_cells, .plan = &p, .method = "pairs", .clamped = true};
    const ww_input numbers = ww_counting(&ww_type_uint64_t, 0, x->count);
    ww__fault_clear(&fault);
    return ww__histogram_cpu(device, WW_HISTOGRAM_SHARED, &numbers, &binning, counts, outside, &fault);
}

/* ---- a GPU, where edges are in memory ---- */

/* Numbers whose order as signed or unsigned integers is that of the elements: of floats totalOrder. */
WW_FUNCTION(order_u32, uint32_t, (uint32_t x), { return x; });
WW_FUNCTION(order_i32, int32_t, (int32_t x), { return x; });
WW_FUNCTION(order_u64, uint64_t, (uint64_t x), { return x; });
WW_FUNCTION(order_i64, int64_t, (int64_t x), { return x; });
WW_FUNCTION(order_f32, uint32_t, (float x), {
    const uint32_t bits = ww_bits_float(x);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
});
WW_FUNCTION(order_f64, uint64_t, (double x), {
    const uint64_t bits = ww_bits_double(x);
    return bits >> 63 ? ~bits : bits | 0x8000000000000000u;
});

/* How many edges are not above v, less one; and the cell of a pair. */
#define CELLS(label, T) \
    WW_STRUCT(edges_##label, { \
        const T *x; \
        const T *y; \
        uint32_t across; \
        uint32_t down; \
    }); \
    WW_FUNCTION( \
        bin_among_##label, uint32_t, (T v, const T *edges, uint32_t bins), \
        { \
            uint32_t first = 0; \
            uint32_t left = bins + 1; \
            while (left) { \
                const uint32_t half = left / 2; \
                const bool above = order_##label(edges[first + half]) > order_##label(v); \
                first = above ? first : first + half + 1; \
                left = above ? half : left - half - 1; \
            } \
            return first - 1; \
        }, \
        order_##label); \
    WW_MAP2_USES((bin_among_##label), cell_among_##label, uint32_t, T, x, T, y, edges_##label, e, { \
        const uint32_t a = bin_among_##label(x, e->x, e->across); \
        const uint32_t d = bin_among_##label(y, e->y, e->down); \
        return a < e->across && d < e->down ? a * e->down + d : 0xffffffffu; \
    });
CELLS(u32, uint32_t)
CELLS(i32, int32_t)
CELLS(u64, uint64_t)
CELLS(i64, int64_t)
CELLS(f32, float)
CELLS(f64, double)

/* Pairs of such numbers, and edges as such numbers, of few edges. */
#define PAIRS(label, T, N) \
    WW_STRUCT(pair_##label, { \
        N x; \
        N y; \
    }); \
    WW_MAP2_USES((order_##label), pair_of_##label, pair_##label, T, x, T, y, void, none, { \
        pair_##label p; \
        p.x = order_##label(x); \
        p.y = order_##label(y); \
        return p; \
    }); \
    WW_MAP_USES((order_##label), edge_of_##label, N, T, x, void, none, { return order_##label(x); });
PAIRS(u32, uint32_t, uint32_t)
PAIRS(i32, int32_t, int32_t)
PAIRS(u64, uint64_t, uint64_t)
PAIRS(i64, int64_t, int64_t)
PAIRS(f32, float, uint32_t)
PAIRS(f64, double, uint64_t)

#define TRY_CELLS(label, T) \
    if (x->type == &ww_type_##T && ww__histogram_pairs_suits(x_edges, y_edges)) { \
        const ww_input pairs = ww_mapped2(&pair_of_##label##_ww, *x, *y); \
        const ww_input x_orders = ww_mapped(&edge_of_##label##_ww, *x_edges), \
                       y_orders = ww_mapped(&edge_of_##label##_ww, *y_edges); \
        *done = true; \
        return ww__histogram_pairs_gpu(device, &pairs, &x_orders, &y_orders, counts, outside); \
    } \
    if (x->type == &ww_type_##T) { \
        const edges_##label e = { \
            .x = ww__input_memory(x_edges), .y = ww__input_memory(y_edges), .across = across, .down = down}; \
        const ww_input cells = ww_mapped2(ww_with(cell_among_##label, &e), *x, *y); \
        *done = true; \
        return count_cells(device, &cells, counts, outside); \
    }

static ww_status count_cells(ww_device *device, const ww_input *cells, const ww_array *counts,
                             const ww_array *outside) {
    return ww__histogram(device,
                         &(ww__histogram_request){.method = WW_HISTOGRAM_SHARED,
                                                  .in = cells,
                                                  .counts = counts,
                                                  .outside = outside,
                                                  .bucket_of = ww__bucket_map(&ww_by_number, &ww_type_uint32_t, 4)});
}

static ww_status count_in_one_pass(ww_device *device, const ww_input *x, const ww_input *y, const ww_input *x_edges,
                                   const ww_input *y_edges, const ww_array *counts, const ww_array *outside,
                                   bool *done) {
    const uint32_t across = (uint32_t)(x_edges->count - 1), down = (uint32_t)(y_edges->count - 1);
    *done = false;
    if (x->type != y->type || x->steps + y->steps + 2 > WW_INPUT_STEPS) return WW_OK;
    if (!ww__input_memory(x_edges) || !ww__input_memory(y_edges)) return WW_OK;
    TRY_CELLS(u32, uint32_t)
    TRY_CELLS(i32, int32_t)
    TRY_CELLS(u64, uint64_t)
    TRY_CELLS(i64, int64_t)
    TRY_CELLS(f32, float)
    TRY_CELLS(f64, double)
    return WW_OK;
}

/* ---- checks ---- */

static ww_status check_side(ww_device *device, const char *name, const ww_input *in, const char *edges_name,
                            const ww_input *edges, const ww_array *counts, const ww_array *outside) {
    WW_TRY(ww__check_input(device, name, in));
    WW_CHECK(device, ww__number_index(in->type) >= 0, WW_TYPE, "%s has elements of type %s, which are not numbers",
             name, in->type->label);
    WW_TRY(ww__check_input(device, edges_name, edges));
    WW_TRY(ww__check_same_type(device, name, in->type, in->size, edges_name, edges->type, edges->size));
    WW_CHECK(device, edges->count >= 2 && edges->count - 1 <= WW__BINS_MOST, WW_INVALID,
             "%s has %llu elements; there can be 2 to %d", edges_name, (ull)edges->count, WW__BINS_MOST + 1);
    WW_TRY(ww__check_apart(device, name, in, "counts", counts, WW__APART));
    WW_TRY(ww__check_apart(device, name, in, "outside", outside, WW__APART));
    WW_TRY(ww__check_apart(device, edges_name, edges, "counts", counts, WW__APART));
    return ww__check_apart(device, edges_name, edges, "outside", outside, WW__APART);
}

static ww_status two(ww_device *device, const ww_input *x, const ww_input *y, const ww_input *x_edges,
                     const ww_input *y_edges, const ww_array *counts, const ww_array *outside) {
    uint32_t *across, *down;
    uint64_t *ignored;
    ww_array beyond = *outside;
    WW_TRY(ww__check_input(device, "x", x));
    WW_TRY(ww__check_counts(device, "counts", counts, x->count));
    if (!ww__is_none(outside)) {
        WW_TRY(ww__check_one(device, "outside", outside));
        WW_CHECK(device, outside->type == &ww_type_uint64_t, WW_TYPE, "outside is of type %s, not u64",
                 outside->type->label);
    }
    WW_TRY(check_side(device, "x", x, "x_edges", x_edges, counts, outside));
    WW_TRY(check_side(device, "y", y, "y_edges", y_edges, counts, outside));
    WW_TRY(ww__check_outputs_apart(device, "counts", counts, "outside", outside));
    WW_CHECK(device, x->count == y->count, WW_INVALID, "x has %llu elements, y %llu", (ull)x->count, (ull)y->count);
    const uint64_t bins = (x_edges->count - 1) * (y_edges->count - 1);
    WW_CHECK(device, bins <= WW__BINS_MOST && bins == counts->count, WW_INVALID,
             "counts has %llu bins; the edges make %llu times %llu, of %d at the most", (ull)counts->count,
             (ull)x_edges->count - 1, (ull)y_edges->count - 1, WW__BINS_MOST);
    if (device->backend == WW__BACKEND_CPU) {
        bool done;
        WW_TRY(count_pairs(device, x, y, x_edges, y_edges, counts, outside, &done));
        if (done && !device->on_paper) return WW_OK; /* on paper edges may rise or not */
    }
    if (ww__is_none(outside)) {
        WW_TRY(ww__scratch_array(device, 1, sizeof *ignored, &ignored));
        beyond = ww_array(ignored, 1);
    }
    if (device->backend == WW__BACKEND_GPU) {
        bool done;
        WW_TRY(count_in_one_pass(device, x, y, x_edges, y_edges, counts, &beyond, &done));
        if (done) return WW_OK;
    }
    WW_TRY(find_bins(device, x, x_edges, &across));
    WW_TRY(find_bins(device, y, y_edges, &down));
    const cell_sides sides = {(uint32_t)(x_edges->count - 1), (uint32_t)(y_edges->count - 1)};
    const ww_input cells = ww_mapped2(ww_with(cell_of_bins, &sides), ww_memory(across, x->count),
                                      ww_memory(down, x->count));
    return count_cells(device, &cells, counts, &beyond);
}

ww_status ww_histogram_2d(ww_device *device, ww_input x, ww_input y, ww_input x_edges, ww_input y_edges,
                          ww_array counts, ww_array outside) {
    WW_CALL(device, "ww_histogram_2d", two(device, &x, &y, &x_edges, &y_edges, &counts, &outside), WW_READS(&x),
            WW_READS(&y), WW_READS(&x_edges), WW_READS(&y_edges), WW_WRITES(&counts));
}
