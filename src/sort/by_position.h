/* Bringing inputs to where they are sorted, and moving what goes with keys to where positions say. */
#ifndef WW__BY_POSITION_H
#define WW__BY_POSITION_H

#include "sort/sort.h"

/* An input to an array of its count. */
ww_status ww__sort_store(ww_device *device, const ww_input *in, const ww_array *out);

/* A sort of one key, whose outputs may be the host's on every device. */
ww_status ww__sort_one(ww_device *device, const ww__sorting *s);

/* The memory of an input, or the output's, where it was stored. */
ww_status ww__sort_memory(ww_device *device, const ww_input *in, const ww_array *out, const void **memory);

/* Elements of an input in memory that is not the output's: its own, or a scratch copy of what is computed or sorted in
 * place. */
ww_status ww__sort_readable(ww_device *device, const ww_input *in, const ww_array *out, ww_array *readable);

/* out[i] = from[positions[i]]; positions are all of 0 … n - 1. */
ww_status ww__sort_gather(ww_device *device, const ww_array *from, const ww_input *positions, const ww_array *out);

/* Sorts keys with positions in place of their values, by `sort`, which is handed `with`, and then gathers values. */
typedef ww_status ww__sort_with(ww_device *device, const ww__sorting *s, const void *with);
ww_status ww__sort_positions(ww_device *device, const ww__sorting *s, ww__sort_with *sort, const void *with);

#endif
