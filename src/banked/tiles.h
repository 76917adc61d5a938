/* Tiles, as the sides know them: checked requests, inside a call that is under way. */
#ifndef WW__BANKED_TILES_H
#define WW__BANKED_TILES_H

#include "device/device.h"
#include "radix/order.h"

/* What decides where an item goes. */
typedef enum ww__tiles_kind {
    WW__TILES_SORT,      /* its key, and its value after that */
    WW__TILES_PARTITION, /* its label, and where it stood after that */
    WW__TILES_PERMUTE    /* its place */
} ww__tiles_kind;

/* Heads are what is compared: keys, labels or places. Tails go with them: values or items; tail_size is 0 where there are
 * none. */
typedef struct ww__tiles_request {
    ww__tiles_kind kind;
    uint64_t n, tile; /* items of all tiles; of one */
    uint64_t row;     /* items of a bucket; of a partition */
    const void *heads, *tails;
    void *heads_out, *tails_out; /* heads_out: of a sort */
    size_t head_size, tail_size;
    ww__key_kind order; /* of a sort's keys */
} ww__tiles_request;

typedef struct ww__tiles_matrices {
    uint64_t n, rows, columns;
    const void *in;
    void *out;
    size_t size;
} ww__tiles_matrices;

/* What is wrong with a tile's labels or places: when heads are sorted, `value` stands at `position`, the lowest one where
 * another should stand. Both sides say it so. */
ww_status ww__tiles_say(ww_device *device, ww__tiles_kind kind, uint64_t tile, uint64_t row, uint64_t position,
                        uint64_t value);

ww_status ww__tiles_cpu(ww_device *device, const ww__tiles_request *r);
ww_status ww__tiles_gpu(ww_device *device, const ww__tiles_request *r);
ww_status ww__tiles_transpose_cpu(ww_device *device, const ww__tiles_matrices *m);
ww_status ww__tiles_transpose_gpu(ww_device *device, const ww__tiles_matrices *m);

#endif
