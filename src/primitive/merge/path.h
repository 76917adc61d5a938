/* The merge path of two sorted inputs: where a merge stands after so many elements (Green, McColl and Bader 2012). */
#ifndef WW__PATH_H
#define WW__PATH_H

#include "function/function.h"

/* A sorted input, read at single positions: memory, or one element computed at a time into a buffer of
 * ww__input_room(input, 1) bytes. */
typedef struct ww__sorted {
    const ww_device *device;
    const ww_input *input;
    const unsigned char *memory;
    void *buffer;
} ww__sorted;

ww__sorted ww__sorted_of(const ww_device *device, const ww_input *input, void *buffer);

static inline const void *ww__sorted_at(const ww__sorted *s, uint64_t position) {
    if (s->memory) return s->memory + position * s->input->size;
    return ww__input_read(s->device, s->input, position, 1, s->buffer);
}

typedef struct ww__span {
    uint64_t first, end; /* positions */
} ww__span;

/* How many of the first `diagonal` elements of the stable merge of two spans are a's; diagonal is at most their lengths'
 * sum. The result is in both spans whether or not they are sorted. */
uint64_t ww__path_cut(const ww_less_loops *loops, const void *environment, const ww__sorted *a, ww__span in_a,
                      const ww__sorted *b, ww__span in_b, uint64_t diagonal);

/* The first position of a span whose element is not below (upper: is above) the element `wanted`. */
uint64_t ww__path_bound(const ww_less_loops *loops, const void *environment, const ww__sorted *s, ww__span in,
                        const void *wanted, bool upper);

#endif
