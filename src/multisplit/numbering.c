/* The numbers of buckets, as loops over tiles. Between edges, the histogram's search gives bins; what is below all of them
 * or not below the last has no bin there and is told apart here. */
#include "multisplit/numbering.h"

#include <string.h>

#include "function/function.h"

/* NaN is not above or at any edge. */
#define ENDS_OF(width, T, label) \
    WW__LOOP(width) \
    void ends_##label##_##width(const void *last_edge, uint32_t edges, uint32_t *WW__R numbers, const void *keys, \
                                size_t n) { \
        const T *WW__R x = keys, last = *(const T *)last_edge; \
        const uint32_t bins = edges - 1; \
        for (size_t i = 0; i < n; i++) { \
            const uint32_t bin = numbers[i], inside = bin == bins ? 0 : bin + 1; \
            numbers[i] = x[i] >= last ? edges : inside; \
        } \
    }
#define ENDS_plain(T, label) ENDS_OF(plain, T, label)
#define ENDS_avx2(T, label) ENDS_OF(avx2, T, label)
#define ENDS_avx512(T, label) ENDS_OF(avx512, T, label)
#define PLACE_plain(T, label) &ends_##label##_plain,
#define PLACE_avx2(T, label) &ends_##label##_avx2,
#define PLACE_avx512(T, label) &ends_##label##_avx512,

/* Keys below 0 have no bucket. A division in each lane takes some 6 ns a key, this less than 1 (Zen 3, 2026-11). */
#define DIVIDE(width, T, name, no_bucket) \
    WW__LOOP(width) \
    void name##_##width(const ww__division *d, uint32_t *WW__R numbers, const void *keys, size_t n) { \
        const T *WW__R x = keys; \
        const uint32_t factor = (uint32_t)d->factor, first = d->shift_first, second = d->shift; \
        for (size_t i = 0; i < n; i++) { \
            const uint32_t key = (uint32_t)x[i], half = (uint32_t)((uint64_t)key * factor >> 32); \
            const uint32_t bucket = (half + ((key - half) >> first)) >> second; \
            numbers[i] = (no_bucket) ? UINT32_MAX : bucket; \
        } \
    }

/* In the order of the types' places in tables (function/types.h), the 128-bit ones apart. */
#if WW_HAS_U128
#define PLACES_128(width) ends_u128_##width, ends_i128_##width
#else
#define PLACES_128(width) NULL, NULL
#endif
#define LOOPS(width, unused) \
    WW__EACH_NUMBER(ENDS_##width) \
    WW__LOOP(width) uint32_t digits_##width(uint32_t *WW__R b, size_t n, uint32_t last, uint32_t low, uint32_t mask) { \
        uint32_t most = 0; \
        for (size_t i = 0; i < n; i++) { \
            const uint32_t x = b[i], inside = x < last ? x : last; \
            most = x > most ? x : most; \
            b[i] = inside >> low & mask; \
        } \
        return most; \
    } \
    DIVIDE(width, uint32_t, divide, 0) \
    DIVIDE(width, int32_t, divide_signed, x[i] < 0) \
    static const numbering_loops ww__loops_numbering_##width = {{WW__EACH_UNSIGNED(PLACE_##width) \
                                                                     WW__EACH_SIGNED(PLACE_##width) PLACES_128(width), \
                                                                 WW__EACH_FLOAT(PLACE_##width)}, \
                                                                digits_##width, \
                                                                {divide_##width, divide_signed_##width}};

typedef struct numbering_loops {
    ww__edge_loop *ends[WW__PLAIN_NUMBERS];
    uint32_t (*digits)(uint32_t *b, size_t n, uint32_t last, uint32_t low, uint32_t mask);
    ww__division_loop *divide[2]; /* of unsigned keys, of signed ones */
} numbering_loops;

WW__EACH_WIDTH(LOOPS, 0)
static const numbering_loops *const loops_by_width[WW_VECTORS] = WW__TABLES(numbering);

static bool is_number(const void *x, const ww_type *type) {
    if (type == &ww_type_float) return *(const float *)x == *(const float *)x;
    return type != &ww_type_double || *(const double *)x == *(const double *)x;
}

/* One edge has no bins beside it, so all keys begin below it. */
static ww_status begin_edges(const ww__splitting *s, ww__numbering *m) {
    const ww_input *edges = s->by.edges;
    const ww_type *type = s->keys.type;
    ww_input wide;
    const void *memory;
    m->name = "edges";
    if (!edges->count) return WW_OK;
    if (ww__is_half(type)) {
        m->half = type;
        type = &ww_type_float;
        WW_TRY(ww__widened(s->device, "edges", edges, &wide));
        edges = &wide;
    }
    WW_TRY(ww__input_in_memory(s->device, edges, &memory));
    m->edges = (uint32_t)edges->count;
    m->last_edge = (const unsigned char *)memory + (edges->count - 1) * edges->size;
    m->ends = loops_by_width[s->device->vector]->ends[ww__number_index(type)];
    if (!s->device->on_paper && !is_number(memory, type)) return ww__bad_edge(s->device, 0);
    return edges->count == 1 ? WW_OK : ww__edges_plan(s->device, type, memory, edges->count - 1, &m->plan, &m->binning);
}

ww_status ww__numbering_begin(const ww__splitting *s, ww__numbering *m) {
    *m = (ww__numbering){.device = s->device, .last = (uint32_t)(s->by.buckets - 1)};
    if (!s->by.map) return begin_edges(s, m);
    m->map = ww__loops(s->device, s->by.map);
    m->environment = s->by.map->bound;
    if (s->keys.size == sizeof(uint32_t) && ww__division_of(ww__delta_width(s), s->keys.size, &m->division))
        m->divide = loops_by_width[s->device->vector]->divide[s->keys.type->kind == WW_KIND_SIGNED];
    m->name = s->by.asked->name;
    return WW_OK;
}

/* Keys of f16 and bf16 that are read as floats at once. */
enum { HALVES = 1024 };

static void between(const ww__numbering *m, uint32_t *numbers, const void *keys, size_t n) {
    if (m->edges >= 2)
        m->binning.loop(&m->plan, numbers, keys, n);
    else
        memset(numbers, 0, n * sizeof *numbers);
    if (m->edges) m->ends(m->last_edge, m->edges, numbers, keys, n);
}

void ww__numbers(const ww__numbering *m, uint32_t *numbers, const void *keys, size_t n) {
    if (m->divide) {
        m->divide(&m->division, numbers, keys, n);
        return;
    }
    if (m->map) {
        m->map->number(numbers, keys, NULL, m->environment, n);
        return;
    }
    if (!m->half) {
        between(m, numbers, keys, n);
        return;
    }
    for (size_t i = 0; i < n; i += HALVES) {
        float wide[HALVES];
        const size_t many = n - i < HALVES ? n - i : HALVES;
        ww__widen(m->device, wide, m->half, (const unsigned char *)keys + i * m->half->size, many);
        between(m, numbers + i, wide, many);
    }
}

uint32_t ww__digits(const ww__numbering *m, uint32_t *numbers, size_t n, unsigned low, uint32_t mask) {
    return loops_by_width[m->device->vector]->digits(numbers, n, m->last, low, mask);
}
