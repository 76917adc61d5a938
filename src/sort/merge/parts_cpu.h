/* What the sorts by comparing on a CPU share: elements in three buffers, and sorting some of them in a cache. */
#ifndef WW__SORT_PARTS_H
#define WW__SORT_PARTS_H

#include "sort/merge/merge_sort.h"

/* The result, a scratch copy, the input. */
enum { WW__RESULT, WW__SCRATCH, WW__INPUT };
enum {
    WW__PART_LEAST = 512,    /* elements, at most, that are sorted without merging runs of them … */
    WW__PART_BYTES = 1 << 15 /* … and their keys' bytes; four elements in any case */
};

typedef struct ww__sort_buffers {
    ww_device *device;
    const ww__merge_sorting *s;
    const ww_less_loops *loops;
    size_t key_size, value_size, workers; /* value_size 0: there are no values */
    uint64_t n;
    unsigned char *keys[3], *values[3]; /* the input is only read, where it is not the result */
} ww__sort_buffers;

static inline unsigned char *ww__key_in(const ww__sort_buffers *b, int buffer, uint64_t i) {
    return b->keys[buffer] + i * b->key_size;
}
static inline unsigned char *ww__value_in(const ww__sort_buffers *b, int buffer, uint64_t i) {
    return b->value_size ? b->values[buffer] + i * b->value_size : NULL;
}

/* Elements first … first + n - 1, to the same places of another buffer. */
void ww__part_copy(const ww__sort_buffers *b, int to, int from, uint64_t first, uint64_t n);

/* Sorts them, from the buffer `from` to RESULT or SCRATCH: runs of a few, merged depth first. There the other one of these two
 * is written, too. notes: n bytes where there are values. */
void ww__part_sort(const ww__sort_buffers *b, uint64_t first, size_t n, int from, int to, uint8_t *notes);

#endif
