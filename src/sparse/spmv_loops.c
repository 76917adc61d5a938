/* Sums of products. A run of one vector that is shorter than ALONE entries is summed from left to right; a longer one by SIDES sums
 * side by side, entry k going to sum k % SIDES, which are then added, and what is left behind them. Of several vectors each is
 * summed from left to right. */
#include "sparse/spmv_loops.h"

#include "function/types.h"
#include "warpwise/function_widths.h"

enum { SIDES = 4, ALONE = 16, AHEAD = 32 };

/* Components are loaded one by one in every vector width: gathers, and putting vectors together of what was loaded, are slower
 * than that on most CPUs. */
#ifdef __clang__
#define ONE_BY_ONE
#else
#define ONE_BY_ONE \
    __attribute__((optimize("O2", "fp-contract=off", "no-tree-loop-vectorize", "no-tree-slp-vectorize")))
#endif
/* Where components are far, those AHEAD entries on are asked for (the last few again), and the next tile's
 * columns. */
#define ONE_LOOP(T, I, NAME, VALUE, FETCH) \
    ONE_BY_ONE static void NAME##_##T##_##I(const ww__spmv_run *run) { \
        WW__EXACT \
        const T *WW__R v = run->values, *WW__R x = run->x; \
        const I *WW__R c = run->columns; \
        T *WW__R sums = run->sums; \
        const size_t n = run->end[run->runs - 1]; \
        size_t k = 0; \
        (void)v; \
        (void)n; \
        for (size_t r = 0; r < run->runs; r++) { \
            const size_t end = run->end[r]; \
            T sum = 0; \
            if (end - k >= ALONE) { \
                T one = 0, two = 0, three = 0; \
                for (; k + SIDES <= end; k += SIDES) { \
                    FETCH(SIDES) \
                    sum += VALUE(k) x[c[k]]; \
                    one += VALUE(k + 1) x[c[k + 1]]; \
                    two += VALUE(k + 2) x[c[k + 2]]; \
                    three += VALUE(k + 3) x[c[k + 3]]; \
                } \
                sum = (sum + two) + (one + three); \
            } \
            for (; k < end; k++) { \
                FETCH(1) \
                sum += VALUE(k) x[c[k]]; \
            } \
            sums[r] = sum; \
        } \
    }
#define ITS_OWN(k) v[k] *
#define IS_ONE(k)
#define NEAR(many)
#define FAR(many) \
    { \
        const size_t ahead = k + AHEAD + (many) <= n ? k + AHEAD : n - (many); \
        for (size_t f = 0; f < (many); f++) __builtin_prefetch(x + c[ahead + f]); \
        __builtin_prefetch(c + n + k); \
    }
#define ONE(T, I) \
    ONE_LOOP(T, I, values_near, ITS_OWN, NEAR) \
    ONE_LOOP(T, I, values_far, ITS_OWN, FAR) \
    ONE_LOOP(T, I, ones_near, IS_ONE, NEAR) \
    ONE_LOOP(T, I, ones_far, IS_ONE, FAR) \
    static void one_##T##_##I(const ww__spmv_run *run) { \
        if (run->values) \
            (run->far ? values_far_##T##_##I : values_near_##T##_##I)(run); \
        else \
            (run->far ? ones_far_##T##_##I : ones_near_##T##_##I)(run); \
    }
ONE(float, uint32_t)
ONE(float, uint64_t)
ONE(double, uint32_t)
ONE(double, uint64_t)
ONE(uint32_t, uint32_t)
ONE(uint32_t, uint64_t)
ONE(uint64_t, uint32_t)
ONE(uint64_t, uint64_t)

/* MANY vectors from vector `from` on. */
#define TOGETHER(width, T, I, MANY) \
    WW__LOOP(width) void together_##MANY##_##T##_##I##_##width(const ww__spmv_run *run, size_t from) { \
        WW__EXACT \
        const T *WW__R v = run->values, *WW__R x = (const T *)run->x + from; \
        const I *WW__R c = run->columns; \
        T *WW__R sums = (T *)run->sums + from; \
        const size_t apart = run->vectors; \
        size_t k = 0; \
        for (size_t r = 0; r < run->runs; r++, sums += apart) { \
            T sum[MANY]; \
            for (size_t l = 0; l < MANY; l++) sum[l] = 0; \
            for (const size_t end = run->end[r]; k < end; k++) { \
                const T *const component = x + c[k] * apart; \
                const T value = v[k]; \
                for (size_t l = 0; l < MANY; l++) sum[l] += value * component[l]; \
            } \
            for (size_t l = 0; l < MANY; l++) sums[l] = sum[l]; \
        } \
    }

#define MANY(width, T, I) \
    TOGETHER(width, T, I, 8) \
    TOGETHER(width, T, I, 4) \
    TOGETHER(width, T, I, 2) \
    TOGETHER(width, T, I, 1) \
    WW__LOOP(width) void many_##T##_##I##_##width(const ww__spmv_run *run) { \
        size_t from = 0; \
        for (; from + 8 <= run->vectors; from += 8) together_8_##T##_##I##_##width(run, from); \
        if (run->vectors & 4) together_4_##T##_##I##_##width(run, from); \
        from += run->vectors & 4; \
        if (run->vectors & 2) together_2_##T##_##I##_##width(run, from); \
        from += run->vectors & 2; \
        if (run->vectors & 1) together_1_##T##_##I##_##width(run, from); \
    }

#define PUT(width, T) \
    WW__LOOP(width) void put_##T##_##width(void *to, const void *from, size_t n, const void *alpha, const void *beta) { \
        WW__EXACT \
        const T *WW__R sums = from; \
        T *WW__R y = to; \
        if (alpha && beta) \
            for (size_t i = 0; i < n; i++) y[i] = *(const T *)alpha * sums[i] + *(const T *)beta * y[i]; \
        else if (alpha) \
            for (size_t i = 0; i < n; i++) y[i] = *(const T *)alpha * sums[i]; \
        else if (beta) \
            for (size_t i = 0; i < n; i++) y[i] = sums[i] + *(const T *)beta * y[i]; \
        else \
            for (size_t i = 0; i < n; i++) y[i] = sums[i]; \
    } \
    WW__LOOP(width) void add_##T##_##width(void *to, const void *what, size_t n) { \
        WW__EXACT \
        T *WW__R sum = to; \
        const T *WW__R x = what; \
        for (size_t i = 0; i < n; i++) sum[i] += x[i]; \
    }

/* Columns, and offsets that become ends in a tile. */
#define INDICES(width, I) \
    WW__LOOP(width) uint64_t largest_##I##_##width(const void *columns, size_t n) { \
        const I *WW__R c = columns; \
        I most = 0; \
        for (size_t i = 0; i < n; i++) most = c[i] > most ? c[i] : most; \
        return most; \
    } \
    WW__LOOP(width) bool ends_##I##_##width(uint32_t *WW__R end, const void *offsets, size_t n, uint64_t base, \
                                            uint64_t least, uint64_t most) { \
        const I *WW__R o = offsets; \
        unsigned fall = n && (o[0] < least || o[n - 1] > most); \
        for (size_t i = 0; i < n; i++) end[i] = (uint32_t)(o[i] - base); \
        for (size_t i = 1; i < n; i++) fall |= o[i] < o[i - 1]; \
        return !fall; \
    }

#define ALL(width, unused) \
    MANY(width, float, uint32_t) \
    MANY(width, float, uint64_t) \
    MANY(width, double, uint32_t) \
    MANY(width, double, uint64_t) \
    MANY(width, uint32_t, uint32_t) \
    MANY(width, uint32_t, uint64_t) \
    MANY(width, uint64_t, uint32_t) \
    MANY(width, uint64_t, uint64_t) \
    PUT(width, float) \
    PUT(width, double) \
    PUT(width, uint32_t) \
    PUT(width, uint64_t) \
    INDICES(width, uint32_t) \
    INDICES(width, uint64_t) \
    static const tables ww__loops_spmv_##width = { \
        {ROW(width, float), ROW(width, double), ROW(width, uint32_t), ROW(width, uint64_t)}, \
        {largest_uint32_t_##width, largest_uint64_t_##width}, \
        {ends_uint32_t_##width, ends_uint64_t_##width}};
#define ROW(width, T) {LOOPS(width, T, uint32_t), LOOPS(width, T, uint64_t)}
#define LOOPS(width, T, I) \
    {one_##T##_##I, many_##T##_##I##_##width, put_##T##_##width, add_##T##_##width}

enum { FLOAT, DOUBLE, WORD, LONG_WORD, ELEMENTS };

typedef struct tables {
    ww__spmv_loops loops[ELEMENTS][2];
    uint64_t (*largest[2])(const void *columns, size_t n);
    bool (*ends[2])(uint32_t *end, const void *offsets, size_t n, uint64_t base, uint64_t least, uint64_t most);
} tables;

WW__EACH_WIDTH(ALL, 0)

static const tables *const by_width[WW_VECTORS] = WW__TABLES(spmv);

const ww__spmv_loops *ww__spmv_loops_of(const ww_device *device, const ww_type *type, size_t column_size) {
    const int element = type->kind == WW_KIND_FLOAT ? (type->size == 4 ? FLOAT : DOUBLE)
                                                    : (type->size == 4 ? WORD : LONG_WORD);
    return &by_width[device->vector]->loops[element][column_size == 8];
}

uint64_t ww__spmv_largest(const ww_device *device, const void *columns, size_t size, size_t n) {
    return by_width[device->vector]->largest[size == 8](columns, n);
}

bool ww__spmv_ends(const ww_device *device, uint32_t *end, const void *offsets, size_t size, size_t n, uint64_t base,
                   uint64_t least, uint64_t most) {
    return by_width[device->vector]->ends[size == 8](end, offsets, n, base, least, most);
}
