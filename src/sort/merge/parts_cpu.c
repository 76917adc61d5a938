/* A part is halved until few elements are left, which the order's own loop sorts (warpwise/function.h); its positions take values
 * along. Halves go to the other buffer and are merged back; runs that follow one another are copied. */
#include "sort/merge/parts_cpu.h"

#include <string.h>

#include "primitive/gather/move.h"
#include "primitive/merge/merge.h"

void ww__part_copy(const ww__sort_buffers *b, int to, int from, uint64_t first, uint64_t n) {
    if (ww__key_in(b, to, first) != ww__key_in(b, from, first))
        memcpy(ww__key_in(b, to, first), ww__key_in(b, from, first), n * b->key_size);
    if (b->value_size && ww__value_in(b, to, first) != ww__value_in(b, from, first))
        memcpy(ww__value_in(b, to, first), ww__value_in(b, from, first), n * b->value_size);
}

/* ---- few elements ---- */

#define TAKE(name, given, MOVE) \
    static void take_##name(unsigned char *WW__R out, const unsigned char *WW__R in, const uint32_t *WW__R from, \
                            size_t n, size_t size) { \
        (void)size; \
        for (size_t k = 0; k < n; k++) MOVE(out + k * SIZE_##given, in + from[k] * SIZE_##given, SIZE_##given); \
    }
#define SIZE_given size
#define SIZE_1 (size_t)1
#define SIZE_2 (size_t)2
#define SIZE_4 (size_t)4
#define SIZE_8 (size_t)8
#define SIZE_16 (size_t)16
WW__EACH_MOVE(TAKE)

static void take_values(const ww__sort_buffers *b, int to, int from, uint64_t first, const uint32_t *positions,
                        size_t n) {
#define TAKE_ENTRY(name, given, MOVE) take_##name,
    static void (*const takes[])(unsigned char *WW__R out, const unsigned char *WW__R in, const uint32_t *WW__R from,
                                 size_t n, size_t size) = {WW__EACH_MOVE(TAKE_ENTRY)};
    takes[ww__move_of(b->value_size)](ww__value_in(b, to, first), ww__value_in(b, from, first), positions, n,
                                      b->value_size);
}

static void sort_few(const ww__sort_buffers *b, uint64_t first, size_t n, int from, int to) {
    uint32_t positions[WW__PART_LEAST], others[WW__PART_LEAST], *p = b->value_size ? positions : NULL;
    const void *const environment = b->s->less->bound;
    unsigned char *const keys = ww__key_in(b, to, first), *const beside = ww__key_in(b, !to, first);
    for (uint32_t i = 0; p && i < n; i++) p[i] = i;
    if (from == !to) {
        b->loops->sort(beside, keys, p, others, n, 1, environment);
        p = p ? others : NULL;
    } else {
        if (keys != ww__key_in(b, from, first)) memcpy(keys, ww__key_in(b, from, first), n * b->key_size);
        b->loops->sort(keys, beside, p, p ? others : NULL, n, 0, environment);
    }
    if (!p) return;
    if (ww__value_in(b, from, first) == ww__value_in(b, to, first)) {
        memcpy(ww__value_in(b, !to, first), ww__value_in(b, to, first), n * b->value_size);
        from = !to;
    }
    take_values(b, to, from, first, p, n);
}

/* ---- more of them ---- */

/* Whether runs that meet at `middle` are one run already. */
static bool follow(const ww__sort_buffers *b, int buffer, uint64_t middle) {
    return !b->loops->less(ww__key_in(b, buffer, middle), ww__key_in(b, buffer, middle - 1), b->s->less->bound);
}

static void merge(const ww__sort_buffers *b, uint64_t first, size_t na, size_t nb, int to, uint8_t *notes) {
    const uint64_t middle = first + na;
    if (follow(b, !to, middle)) {
        ww__part_copy(b, to, !to, first, na + nb);
        return;
    }
    b->loops->merge(ww__key_in(b, to, first), ww__key_in(b, !to, first), na, ww__key_in(b, !to, middle), nb,
                    b->value_size ? notes : NULL, b->s->less->bound);
    if (b->value_size)
        ww__take_values(ww__value_in(b, to, first), ww__value_in(b, !to, first), ww__value_in(b, !to, middle), notes,
                        na + nb, b->value_size);
}

void ww__part_sort(const ww__sort_buffers *b, uint64_t first, size_t n, int from, int to, uint8_t *notes) {
    if (n <= WW__PART_LEAST && (n <= 4 || n * b->key_size <= WW__PART_BYTES)) {
        sort_few(b, first, n, from, to);
        return;
    }
    /* What is in the input's place must not be written before it is read. */
    const size_t half = n / 2;
    ww__part_sort(b, first, half, from, !to, notes);
    ww__part_sort(b, first + half, n - half, from, !to, notes);
    merge(b, first, half, n - half, to, notes);
}
