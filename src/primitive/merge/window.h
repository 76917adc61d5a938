/* A sequential reader of an input that is asked for more than it then moves on by: a merge looks at a tile of each input
 * and takes part of it. Memory is read in place, ahead of need; other inputs are computed once, into a buffer that keeps
 * what was not taken. */
#ifndef WW__WINDOW_H
#define WW__WINDOW_H

#include "function/function.h"

typedef struct ww__window {
    const ww_device *device;
    const ww_input *input;
    const unsigned char *memory; /* NULL: elements held_first … held_end - 1 are in held */
    unsigned char *held;
    void *room;
    uint64_t held_first, held_end;
    uint64_t fetched; /* memory before this position was asked for */
    size_t most;      /* elements that one call may want */
} ww__window;

/* Bytes of buffer that a window needs which hands out up to `most` elements at once; 0 for memory. */
size_t ww__window_room(const ww_input *input, size_t most);
ww__window ww__window_of(const ww_device *device, const ww_input *input, size_t most, void *buffer);

/* Elements first … end - 1, at most `most` of them, until the next call. `first` never decreases; no element at or after
 * `limit` will be wanted. */
const void *ww__window_at(ww__window *w, uint64_t first, uint64_t end, uint64_t limit);

#endif
