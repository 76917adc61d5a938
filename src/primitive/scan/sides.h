/* The backends of scan.h. */
#ifndef WW__SCAN_SIDES_H
#define WW__SCAN_SIDES_H

#include "function/function.h"
#include "primitive/scan/scan.h"

/* Whether the input reads the very memory that is written. */
static inline bool ww__scan_in_place(const ww_input *in, const ww_array *out) {
    for (uint32_t i = 0; i < in->steps; i++)
        if (in->kind[i] == WW_STEP_MEMORY && in->step[i].data == out->data) return true;
    return false;
}

/* The elements of a bracket (docs/determinism.md): half a tile of the loops, so that on a CPU what is scanned alone, its source and the
 * next fit into the first-level cache; with segments a whole one. */
static inline size_t ww__scan_bracket(size_t element, bool segments) {
    const size_t tile = ww__tile(element), half = WW__TILE_BYTES / 2 / element;
    return segments || half >= tile ? tile : half ? half : 1;
}

ww_status ww__scan_lookback_cpu(const ww__scanning *s);
ww_status ww__scan_segments_lookback_cpu(const ww__scanning *s);
/* Both with segments and without. */
ww_status ww__scan_hillis_steele_cpu(const ww__scanning *s);
ww_status ww__scan_blelloch_cpu(const ww__scanning *s);

/* The same on a GPU, to memory that it reaches; the first one is by look-back, both with segments and without. */
ww_status ww__scan_gpu(const ww__scanning *s);
ww_status ww__scan_ordered_gpu(const ww__scanning *s); /* in the CPU's brackets */
ww_status ww__scan_hillis_steele_gpu(const ww__scanning *s);
ww_status ww__scan_blelloch_gpu(const ww__scanning *s);

ww_status ww__enumerate_cpu(ww_device *device, const ww_input *flags, const ww_array *out, uint64_t *total);
/* total may be NULL. */
ww_status ww__enumerate_gpu(ww_device *device, const ww_input *flags, const ww_array *out, const ww_array *total);
ww_status ww__adjacent_difference_cpu(ww_device *device, const ww_input *in, const ww_array *out);
ww_status ww__adjacent_difference_gpu(ww_device *device, const ww_input *in, const ww_array *out);

#endif
