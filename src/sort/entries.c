/* Entries of keys, their loops for each kind and width (entry_loops.h), and the sorts that go by them: all entries are made,
 * sorted by a network (network_cpu.c) or quicksort (quick_cpu.c), and their positions written. */
#include "sort/entries.h"
#include "sort/order.h"

#include "device/cpu/parallel.h"

#define JOINED(a, b) JOINED_EXPANDED(a, b)
#define JOINED_EXPANDED(a, b) a##_##b
#define LOOP(width) WW__LOOP(width)

enum { PIECE = 1 << 14 /* entries that a worker claims */ };

/* ---- keys ---- */

static inline ww__word number_at(const ww__entry_order *o, uint64_t i) {
    return WW_KEY_DIGIT(ww__radix_number_at(o->keys, o->size, i, &o->number), o->first, o->mask);
}

static inline bool key_before(const ww__entry_order *o, uint32_t a, uint32_t b) {
    if (!o->less) return number_at(o, a) < number_at(o, b);
    const uint32_t x = o->descending ? b : a, y = o->descending ? a : b;
    return o->less->less(o->keys + x * o->size, o->keys + y * o->size, o->environment);
}

static inline bool place_before(const ww__entry_order *o, uint32_t a, uint32_t b) {
    return key_before(o, a, b) || (a < b && !key_before(o, b, a));
}

/* ---- loops ---- */

#define ENTRY uint64_t
#define ENTRY_NAME words
#define MADE(o, i) ((uint64_t)number_at(o, i) << 32 | (i))
#define POSITION(e) (uint32_t)(e)
#define BEFORE(o, a, b) ((a) < (b))
#define KEY_BEFORE(o, a, b) ((a) >> 32 < (b) >> 32)
#define WIDTH plain
#include "sort/entry_loops.h"
#if defined(__x86_64__)
#define WIDTH avx2
#include "sort/entry_loops.h"
#define WIDTH avx512
#include "sort/entry_loops.h"
static const ww__entry_loops *const words_by_width[WW_VECTORS] = {&loops_words_plain, &loops_words_avx2,
                                                                  &loops_words_avx512};
#else
static const ww__entry_loops *const words_by_width[WW_VECTORS] = {&loops_words_plain, NULL, NULL};
#endif
#undef ENTRY
#undef ENTRY_NAME
#undef MADE
#undef KEY_BEFORE

#if WW_HAS_U128
#define ENTRY ww_u128
#define ENTRY_NAME pairs
#define MADE(o, i) ((ww_u128)number_at(o, i) << 64 | (i))
#define KEY_BEFORE(o, a, b) ((uint64_t)((a) >> 64) < (uint64_t)((b) >> 64))
#define WIDTH plain
#include "sort/entry_loops.h"
#undef ENTRY
#undef ENTRY_NAME
#undef MADE
#undef KEY_BEFORE
#endif
#undef POSITION
#undef BEFORE

#define ENTRY uint32_t
#define ENTRY_NAME places
#define MADE(o, i) (uint32_t)(i)
#define POSITION(e) (e)
#define BEFORE place_before
#define KEY_BEFORE key_before
#define WIDTH plain
#include "sort/entry_loops.h"

/* ---- the choice ---- */

/* The order of keys in memory, and the loops for it. */
static const ww__entry_loops *choose(const ww_device *device, const ww__sorting *s, const void *keys,
                                     ww__entry_order *o) {
    *o = (ww__entry_order){.keys = keys, .size = s->keys.size, .descending = s->descending};
    if (s->less) {
        o->less = ww__loops(device, s->less);
        o->environment = s->less->bound;
        return &loops_places_plain;
    }
    o->number = ww__radix_order_of(s);
    o->mask = ww__radix_ones(s->bit_count);
    o->first = s->bit_first;
    if (s->bit_count <= 32) return words_by_width[device->vector];
#if WW_HAS_U128
    if (s->bit_count <= 64) return &loops_pairs_plain;
#endif
    return &loops_places_plain;
}

/* ---- all entries ---- */

typedef struct passing {
    const ww__entry_loops *loops;
    const ww__entry_order *order;
    unsigned char *entries;
    uint32_t *positions;
    uint64_t n, next;
} passing;

static void make_pieces(void *argument, size_t worker) {
    passing *p = argument;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&p->next) * PIECE) < p->n;)
        p->loops->make(p->order, p->entries + first * p->loops->size, first, (size_t)ww__min_u64(PIECE, p->n - first));
}

static void write_pieces(void *argument, size_t worker) {
    passing *p = argument;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&p->next) * PIECE) < p->n;)
        p->loops->positions(p->positions + first, p->entries + first * p->loops->size,
                            (size_t)ww__min_u64(PIECE, p->n - first));
}

/* Makes entries; or, where there is room for them, writes positions. */
static void pass(ww_device *device, const ww__entry_loops *loops, const ww__entry_order *o, const void *entries,
                 uint32_t *positions, uint64_t n) {
    passing p = {loops, o, (unsigned char *)(uintptr_t)entries, positions, n, 0};
    ww__parallel(device, ww__workers(device, n * loops->size), positions ? write_pieces : make_pieces, &p);
}

void ww__entries_positions(ww_device *device, const ww__entry_loops *loops, const void *entries, uint32_t *positions,
                           uint64_t n) {
    pass(device, loops, NULL, entries, positions, n);
}

ww_status ww__order_positions_cpu(ww_device *device, const ww__sorting *s, ww_sort_method method, const void *keys,
                                  uint32_t *positions) {
    const uint64_t n = s->keys.count;
    ww__entry_order o;
    const ww__entry_loops *loops = choose(device, s, keys, &o);
    void *entries[2];
    unsigned at = 0;
    for (int k = 0; k < 2; k++) WW_TRY(ww__scratch_array(device, n, loops->size, &entries[k]));
    pass(device, loops, &o, entries[0], NULL, n);
    if (method == WW_SORT_QUICK) return ww__quick_cpu(device, loops, &o, n, entries, positions);
    WW_TRY(ww__network_cpu(device, loops, &o, ww__network_of(method), n, entries, &at));
    ww__entries_positions(device, loops, entries[at], positions, n);
    return WW_OK;
}
