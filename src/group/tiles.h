/* Tiles at their places in the whole array, whose folds have brackets of their own (docs/determinism.md): which of them lie on which rank,
 * and how those that lie on several come together on the one where they begin. */
#ifndef WW__GROUP_TILES_H
#define WW__GROUP_TILES_H

#include "group/group.h"
#include "warpwise/input.h"

typedef struct ww__tiles {
    ww_group *group;
    const ww_type *type;
    size_t size, tile;          /* of an element, in bytes; elements of a tile */
    const uint64_t *at, *count; /* each rank's block */
    uint64_t total;
} ww__tiles;

/* A rank's block: elements of a tile that began on an earlier rank, whole tiles, and the first elements of a tile that goes on
 * elsewhere, or is the last of all and short. */
typedef struct ww__tile_part {
    uint64_t head, whole, rest;
    uint64_t last; /* how many elements the tile of the rest has in all */
} ww__tile_part;

/* After an agreement in which every rank has said its block's length first. */
void ww__tiles_lie(ww__tiles *t);
ww__tile_part ww__tiles_part(const ww__tiles *t, uint32_t rank);
/* How many tiles begin on a rank. */
uint64_t ww__tiles_begun(const ww__tiles *t, uint32_t rank);

/* `count` elements from number `first` on. */
ww_array ww__tiles_array(const ww__tiles *t, const void *data, uint64_t first, uint64_t count);

/* The input where it lies, or, where it is computed, a copy in a place of its own. */
ww_status ww__tiles_in_memory(const ww__tiles *t, size_t place, const ww_input *in, const void **data);

/* Copies the head and the rest of this rank's block to where they are sent from, and put together. */
ww_status ww__tiles_take(const ww__tiles *t, const ww__tile_part *p, const void *data, void *head, void *tail);

/* One fold for each of so many whole tiles. */
ww_status ww__tiles_fold(const ww__tiles *t, const ww_function *op, const void *data, uint64_t tiles, void *folds);

/* Sends this rank's head to where its tile begins; behind the first `rest` elements at `tail` come those of other ranks. And what has
 * become of them goes back. Both hold a tile, in the device's memory. */
ww_status ww__tiles_send_heads(const ww__tiles *t, const void *head, void *tail);
ww_status ww__tiles_return_heads(const ww__tiles *t, const void *tail, void *head);

#endif
