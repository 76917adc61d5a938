/* What the files of the ordered dictionary share: the structure, its memory, and the machines' sides.
 *
 * Levels stand from the newest to the oldest. What an update makes is put together in blocks of its own, and takes the place of the
 * levels that it is made of as the last thing that is done: so a call that fails has changed nothing. */
#ifndef WW__LSM_H
#define WW__LSM_H

#include "device/device.h"
#include "dictionary/lsm/lsm_arguments.cuh"
#include "function/function.h"
#include "warpwise/lsm.h"

enum {
    WW__LSM_LEVELS = WW_LSM_RUNS,
    WW__LSM_WORD = 32, /* elements of a word of the index */
    WW__LSM_SPARES = 32
};

/* A piece of the device's memory. */
typedef struct ww__lsm_block {
    void *data;
    size_t bytes;
} ww__lsm_block;

typedef struct ww__lsm_level {
    uint64_t count;
    unsigned char *keys, *values; /* values: NULL where the dictionary has none */
    uint8_t *dead;                /* 1 for deletions, else 0; NULL: there are none */
    ww__lsm_block block;          /* that has them; none where they are scratch memory */
    uint64_t *before;             /* the index: logic.cuh; NULL: not made yet, or not needed (the oldest level) */
    uint32_t *bits;
    ww__lsm_block index;
    uint64_t at; /* where it stands in a file (dictionary/store); 0: nowhere */
} ww__lsm_level;

struct ww_lsm {
    ww_device *device;
    const ww_type *key, *value; /* value: NULL for none */
    size_t key_size, value_size;
    uint64_t batch;
    size_t levels;
    ww__lsm_level level[WW__LSM_LEVELS];
    size_t spares;
    ww__lsm_block spare[WW__LSM_SPARES];
};

/* As queries see levels. */
void ww__lsm_runs_of(const ww_lsm *lsm, ww_lsm_runs *runs);

/* ---- memory ---- */

/* Room for a level of `count` elements, or for its index; block_give takes any, also none. */
ww_status ww__lsm_level_new(ww_lsm *lsm, uint64_t count, ww__lsm_level *level);
ww_status ww__lsm_index_new(ww_lsm *lsm, uint64_t count, ww__lsm_level *level);
void ww__lsm_index_give(ww_lsm *lsm, ww__lsm_level *level);
void ww__lsm_level_give(ww_lsm *lsm, ww__lsm_level *level);
/* The same for a level in scratch memory, which nobody gives back. */
ww_status ww__lsm_level_scratch(ww_lsm *lsm, uint64_t count, ww__lsm_level *level);
void ww__lsm_spares_release(ww_lsm *lsm);
/* Gives back the spare blocks that are too much beside the levels. */
void ww__lsm_spares_limit(ww_lsm *lsm);
size_t ww__lsm_element_bytes(const ww_lsm *lsm);

/* The level's keys, values and marks as what inner calls take. */
static inline ww_array ww__lsm_keys(const ww_lsm *lsm, const ww__lsm_level *l) {
    return ww_array_of(l->keys, l->count, lsm->key);
}
static inline ww_array ww__lsm_values(const ww_lsm *lsm, const ww__lsm_level *l) {
    ww_array a = {l->values, l->count, lsm->value, lsm->value_size, NULL, 0};
    return a;
}

/* ---- the machines' sides ---- */

/* Where the elements of a sorted batch come from: element p is position order[p] of the batch, u32 or u64. */
typedef struct ww__lsm_batch {
    const void *order; /* NULL: values are there in the order of the keys already */
    bool wide;
    const uint8_t *deletes; /* of positions; NULL: no deletions, or where order is NULL nothing else */
    const void *values;     /* of positions */
} ww__lsm_batch;
/* Brings a level's values and marks to their places, or where they are there sees that the head of equal keys has the last one's. */
ww_status ww__lsm_place_cpu(ww_lsm *lsm, const ww__lsm_level *level, const ww__lsm_batch *batch);
ww_status ww__lsm_place_gpu(ww_lsm *lsm, const ww__lsm_level *level, const ww__lsm_batch *batch);

/* Flags the elements that are heads and not deleted, and counts them. */
ww_status ww__lsm_flag_cpu(ww_lsm *lsm, const ww__lsm_level *level, uint8_t *flags, uint64_t *kept);
ww_status ww__lsm_flag_gpu(ww_lsm *lsm, const ww__lsm_level *level, uint8_t *flags, uint64_t *kept);

/* Fills the bits of level j's index, and for each word the sum of its weights; a last word of no elements where the number of them
 * is a multiple of 32. */
ww_status ww__lsm_weigh_cpu(ww_lsm *lsm, size_t j);
ww_status ww__lsm_weigh_gpu(ww_lsm *lsm, size_t j);

ww_status ww__lsm_lookup_cpu(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found);
ww_status ww__lsm_lookup_gpu(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found);

ww_status ww__lsm_count_cpu(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts);
ww_status ww__lsm_count_gpu(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts);

typedef struct ww__lsm_ranging {
    const ww_input *lows, *highs;
    uint64_t *offsets;
    ww_array keys_out, values_out;
} ww__lsm_ranging;
/* On a CPU offsets are known, on a GPU they come to be. */
ww_status ww__lsm_list_cpu(ww_lsm *lsm, const ww__lsm_ranging *r);
ww_status ww__lsm_range_gpu(ww_lsm *lsm, const ww__lsm_ranging *r);

typedef struct ww__lsm_stepping {
    const ww_input *keys;
    bool above, or_equal;
    ww_array keys_out, values_out, found; /* each may be none */
} ww__lsm_stepping;
ww_status ww__lsm_next_cpu(ww_lsm *lsm, const ww__lsm_stepping *s);
ww_status ww__lsm_next_gpu(ww_lsm *lsm, const ww__lsm_stepping *s);

/* ---- the public functions' bodies, inside a call ---- */

ww_status ww__lsm_open(ww_device *device, const ww_type *key, const ww_type *value, ww_lsm **lsm,
                       const ww_lsm_options *options);
void ww__lsm_close(ww_lsm *lsm);
/* deletes: NULL, or flags; delete_all: keys alone. An update is merged with the newest ww__lsm_merged_with levels. */
ww_status ww__lsm_update(ww_lsm *lsm, const ww_input *keys, const ww_input *values, const ww_input *deletes,
                         bool delete_all);
size_t ww__lsm_merged_with(const ww_lsm *lsm, uint64_t batch);
ww_status ww__lsm_cleanup(ww_lsm *lsm);
ww_status ww__lsm_lookup_checks(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found);
ww_status ww__lsm_lookup(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found);
ww_status ww__lsm_count_checks(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts);
ww_status ww__lsm_count(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts);
ww_status ww__lsm_range_checks(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *offsets,
                               const ww_array *keys_out, const ww_array *values_out);
ww_status ww__lsm_range(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *offsets,
                        const ww_array *keys_out, const ww_array *values_out);
ww_status ww__lsm_check(ww_lsm *lsm);

/* ---- shared steps ---- */

/* Makes the index of each level that has none and needs it. */
ww_status ww__lsm_index(ww_lsm *lsm);
/* sums[i], for i of 0 … count, becomes the sum of what stood before it. */
ww_status ww__lsm_sum(ww_device *device, uint64_t *sums, uint64_t count);

/* The element of 1, 2, 4, … bytes or any. */
static inline void ww__lsm_copy_value(unsigned char *to, const unsigned char *from, size_t size) {
    switch (size) {
    case 4:
        __builtin_memcpy(to, from, 4);
        return;
    case 8:
        __builtin_memcpy(to, from, 8);
        return;
    default:
        __builtin_memcpy(to, from, size);
    }
}

#endif
