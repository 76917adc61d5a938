/* Bins between edges, by search. The range of the edges is cut into equal cells, and for each cell a table says
 * which is the first edge that can stand in it; an element's cell is arithmetic, and what is left to search is as
 * many edges as the fullest cell has: one step for evenly spaced edges, log2 of all edges at worst. A batch takes
 * each step together, without branches.
 *
 * The last edge is compared once, before: what is searched is the `bins` edges where bins begin. The function from
 * elements to cells never decreases, so an edge in a lower cell than x is below x, and one in a higher cell above
 * it. */
#include "primitive/histogram/histogram.h"

#include <math.h>
#include <string.h>

enum { CELLS_LEAST = 64, CELLS_MOST = 1 << 14, CELLS_AN_EDGE = 4, BATCH = 256 };

/* X(…, T, label, U, CELL): CELL(U, plan, x, origin) is the cell of x, by arithmetic on U for integers. */
/* clang-format off */
#define EACH_TYPE(X, ...) \
    X(__VA_ARGS__, uint8_t, u8, uint8_t, CELL_INTEGER) X(__VA_ARGS__, uint16_t, u16, uint16_t, CELL_INTEGER) \
    X(__VA_ARGS__, uint32_t, u32, uint32_t, CELL_INTEGER) X(__VA_ARGS__, uint64_t, u64, uint64_t, CELL_INTEGER) \
    X(__VA_ARGS__, int8_t, i8, uint8_t, CELL_INTEGER) X(__VA_ARGS__, int16_t, i16, uint16_t, CELL_INTEGER) \
    X(__VA_ARGS__, int32_t, i32, uint32_t, CELL_INTEGER) X(__VA_ARGS__, int64_t, i64, uint64_t, CELL_INTEGER) \
    X(__VA_ARGS__, float, f32, double, CELL_FLOAT) X(__VA_ARGS__, double, f64, double, CELL_FLOAT) \
    EACH_128(X, __VA_ARGS__)
/* clang-format on */
#if WW_HAS_U128
#define EACH_128(X, ...) \
    X(__VA_ARGS__, ww_u128, u128, ww_u128, CELL_INTEGER) X(__VA_ARGS__, ww_i128, i128, ww_u128, CELL_INTEGER)
#define PLACE_128(entry) , [WW__U128] = entry(u128), [WW__I128] = entry(i128)
#else
#define EACH_128(X, ...)
#define PLACE_128(entry)
#endif
#define TABLE(entry) \
    { \
        [WW__U8] = entry(u8), [WW__U16] = entry(u16), [WW__U32] = entry(u32), [WW__U64] = entry(u64), \
        [WW__I8] = entry(i8), [WW__I16] = entry(i16), [WW__I32] = entry(i32), [WW__I64] = entry(i64), \
        [WW__F32] = entry(f32), [WW__F64] = entry(f64) PLACE_128(entry) \
    }

#define CELL_INTEGER(U, p, x, origin) ((uint32_t)((U)((U)(x) - (U)(origin)) >> (p)->shift))
/* No number at all, as from an infinite edge, is in the last cell. */
#define CELL_FLOAT(U, p, x, origin) cell_float(((double)(x) - (double)(origin)) * (p)->scale, (p)->last_cell)
WW__INLINE uint32_t cell_float(double at, double last) { return (uint32_t)(int32_t)(at < last ? at : last); }

/* ---- the loops ---- */

#define SEARCH(width, T, label, U, CELL) \
    WW__LOOP(width) \
    void search_batch_##label##_##width(const ww__edges *p, uint32_t *WW__R out, const T *WW__R x, size_t n) { \
        WW__EXACT \
        const T *e = p->edges, first = e[0], end = e[p->bins]; \
        const uint32_t *start = p->start; \
        const uint32_t bins = p->bins; \
        T v[BATCH]; \
        uint32_t at[BATCH]; \
        for (size_t i = 0; i < n; i++) v[i] = ((x[i] >= first) & (x[i] < end)) ? x[i] : first; \
        for (size_t i = 0; i < n; i++) at[i] = CELL(U, p, v[i], first); \
        for (size_t i = 0; i < n; i++) at[i] = start[at[i]]; \
        for (uint32_t left = p->most, half; left > 1; left -= half) { \
            half = left / 2; \
            const T *middle = e + half - 1; \
            for (size_t i = 0; i < n; i++) at[i] += half & (0 - (uint32_t)(middle[at[i]] <= v[i])); \
        } \
        for (size_t i = 0; i < n; i++) at[i] -= e[at[i]] > v[i]; \
        for (size_t i = 0; i < n; i++) out[i] = ((x[i] >= first) & (x[i] < end)) ? at[i] : bins; \
    } \
    static void search_##label##_##width(const void *plan, uint32_t *out, const void *from, size_t n) { \
        for (size_t i = 0; i < n; i += BATCH) \
            search_batch_##label##_##width(plan, out + i, (const T *)from + i, n - i < BATCH ? n - i : BATCH); \
    }
#define SEARCH_plain(label) search_##label##_plain
#define SEARCH_avx2(label) search_##label##_avx2
#define SEARCH_avx512(label) search_##label##_avx512
#define SEARCH_LOOPS(width, unused) \
    EACH_TYPE(SEARCH, width) \
    static ww__bin_loop *const ww__loops_search_##width[WW__NUMBERS] = TABLE(SEARCH_##width);
WW__EACH_WIDTH(SEARCH_LOOPS, 0)
static ww__bin_loop *const (*const loops_by_width[WW_VECTORS])[WW__NUMBERS] = WW__TABLES(search);

#define PREPARE(unused, T, label, U, CELL) \
    /* The first i with edges[i] not above edges[i - 1]; `count` when they rise. */ \
    static uint64_t rising_##label(const void *edges, uint64_t count) { \
        const T *e = edges; \
        for (uint64_t i = 1; i < count; i++) \
            if (!(e[i - 1] < e[i])) return i; \
        return count; \
    } \
    /* start[c + 1] = how many of the edges are in cell c. */ \
    static void count_cells_##label(const ww__edges *p) { \
        const T *e = p->edges; \
        for (uint32_t b = 0; b < p->bins; b++) p->start[CELL(U, p, e[b], e[0]) + 1]++; \
    }
EACH_TYPE(PREPARE, 0)
#define RISING(label) rising_##label
#define COUNT_CELLS(label) count_cells_##label
static uint64_t (*const rising[WW__NUMBERS])(const void *edges, uint64_t count) = TABLE(RISING);
static void (*const count_cells[WW__NUMBERS])(const ww__edges *plan) = TABLE(COUNT_CELLS);

/* ---- the plan ---- */

/* Cells by a shift: as many as are wanted at most. largest: the largest x - edges[0]; shifted: what was cut from it. */
static void cut_integers(ww__edges *plan, uint64_t largest, uint32_t shifted, uint32_t wanted) {
    uint32_t shift = 0;
    while (largest >> shift >= wanted) shift++;
    plan->cells = (uint32_t)(largest >> shift) + 1;
    plan->shift = shift + shifted;
}

static void cut_floats(ww__edges *plan, double span, uint32_t wanted) {
    const bool finite = isfinite(span) && isfinite((double)wanted / span);
    plan->cells = finite ? wanted : 1;
    plan->scale = finite ? (double)wanted / span : 0;
    plan->last_cell = (double)(plan->cells - 1);
}

static void cut(const ww_type *type, ww__edges *plan, uint32_t wanted) {
#define CUT_INTEGER(T, label) \
    if (type == &ww_type_##T) { \
        const T *e = plan->edges; \
        cut_integers(plan, (uint64_t)e[plan->bins] - (uint64_t)e[0] - 1, 0, wanted); \
        return; \
    }
#define CUT_FLOAT(T, label) \
    if (type == &ww_type_##T) { \
        const T *e = plan->edges; \
        cut_floats(plan, (double)e[plan->bins] - (double)e[0], wanted); \
        return; \
    }
    WW__EACH_UNSIGNED(CUT_INTEGER)
    WW__EACH_SIGNED(CUT_INTEGER)
    WW__EACH_FLOAT(CUT_FLOAT)
#if WW_HAS_U128
    const ww_u128 *e = plan->edges, largest = e[plan->bins] - e[0] - 1;
    const bool wide = largest >> 64 != 0;
    cut_integers(plan, (uint64_t)(wide ? largest >> 64 : largest), wide ? 64 : 0, wanted);
#endif
}

/* From counts in start[1 …] to places in the edges; each leaves `most` edges behind it, so that a search stays
 * inside. */
static void place_cells(ww__edges *plan) {
    plan->most = 0;
    for (uint32_t c = 1; c <= plan->cells; c++) {
        if (plan->start[c] > plan->most) plan->most = plan->start[c];
        plan->start[c] += plan->start[c - 1];
    }
    for (uint32_t c = 0; c <= plan->cells; c++)
        if (plan->start[c] > plan->bins - plan->most) plan->start[c] = plan->bins - plan->most;
}

bool ww__edges_rise(const ww_type *type, const void *edges, uint64_t count) {
    return rising[ww__number_index(type)](edges, count) == count;
}

ww_status ww__edges_plan(ww_device *device, const ww_type *type, const void *edges, uint64_t bins, ww__edges *plan,
                         ww__binning *binning) {
    const int index = ww__number_index(type);
    uint32_t wanted = CELLS_LEAST;
    *plan = (ww__edges){.edges = edges, .bins = (uint32_t)bins};
    const uint64_t falls = device->on_paper ? bins + 1 : rising[index](edges, bins + 1);
    WW_CHECK(device, falls > bins, WW_INVALID, "edges[%llu] is not above the edge before it",
             (unsigned long long)falls);
    while (wanted < CELLS_MOST && wanted < CELLS_AN_EDGE * bins) wanted *= 2;
    *binning = (ww__binning){(*loops_by_width[device->vector])[index], plan, "edges", NULL, true, false, false};
    plan->cells = wanted; /* at most */
    if (!device->on_paper) cut(type, plan, wanted);
    WW_TRY(ww__scratch_array(device, (uint64_t)plan->cells + 1, sizeof *plan->start, &plan->start));
    if (device->on_paper) return WW_OK;
    memset(plan->start, 0, ((size_t)plan->cells + 1) * sizeof *plan->start);
    count_cells[index](plan);
    place_cells(plan);
    return WW_OK;
}
