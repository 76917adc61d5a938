/* Sorting and splitting by sweeps over digits, on a GPU. */
#ifndef WW__SWEEPS_GPU_H
#define WW__SWEEPS_GPU_H

#include "device/gpu/gpu.h"
#include "radix/division.h"
#include "radix/order.h"

/* n keys, and values where value_size is not 0, to the outputs, each of which may be its input. Where `values` is
 * NULL, they are counted up from first_value. */
typedef struct ww__sweeping {
    const void *keys, *values;
    void *keys_out, *values_out;
    uint64_t n, first_value;
    size_t key_size, value_size; /* of 1, 2, 4, 8 or 16 bytes, aligned to that; counted values have up to 8 */
    ww__key_kind order;
    bool descending;
    unsigned bit_first, bit_count;     /* of the keys as numbers; of their buckets, if those are another thing */
    const struct ww__bucket_words *by; /* NULL: a sort */
    bool looks;                        /* whether keys may be in order already: a sort's, by all that is sorted by */
    const uint32_t *done;              /* NULL, or in the GPU's memory: not 0 when nothing is left to be sorted */
    const uint64_t *count_at; /* NULL, or a count on the device: there are as many, of n at most (docs/counts.md) */
    uint64_t most_in_block;   /* with that: sweeps leave so many keys, and fewer, as they are */
    const uint64_t *shift;    /* NULL; or, of one sweep without values: by how many keys each of 256 buckets is put behind its place in keys_out,
                                 modulo 2^64; then these places, where all buckets begin, which are not counted */
} ww__sweeping;

/* How a GPU makes buckets of keys: of their bits, by a map, between edges or by a division. */
typedef struct ww__bucket_words {
    uint32_t how;     /* WW_BY of bucket.cuh */
    uint32_t checked; /* WW_CHECKED of digits.cuh */
    ww__division division;
    ww__gpu_checking checking;
    const ww_function *map; /* on the keys' type, with its environment, where one was asked for */
    const ww_input *edges;  /* buckets - 1; NULL: none */
    uint64_t buckets;
    const ww_type *key_type;
    size_t key_size;
} ww__bucket_words;
/* Edges that shared memory has room for; few programs for all numbers of them. 0: they stay where they are. */
uint32_t ww__shared_edges(const ww__bucket_words *w);
/* bucket.cuh's macros, and the end of a kernel's struct. `at`: where keys lie. */
void ww__recipe_buckets(ww__recipe *recipe, const ww__bucket_words *w, const void *at);
WW__LOOKED_AT ww_status ww__argument_buckets(ww_device *device, ww__arguments *a, const ww__bucket_words *w);

/* digits.cuh's macros for keys, in an order as WW_KEY_ORDER gives it, that are sorted by their own bits, in digits of `bins` values (any, where there are none). */
void ww__recipe_digits(const ww_device *device, ww__recipe *recipe, size_t key_size, uint32_t order, uint32_t bins);
/* The order that kernels are told: buckets have none. */
static inline uint32_t ww__sweeping_order(const ww__sweeping *job) {
    return job->by ? 0 : WW_KEY_ORDER(job->order, job->descending);
}

/* Whether elements of this size, at this place, are moved by sweeps. */
static inline bool ww__sweeps_move(size_t size, const void *at) {
    return size <= 16 && !(size & (size - 1)) && (uintptr_t)at % size == 0;
}

/* Whether sweeps can count these values themselves. */
static inline bool ww__sweeps_count(const ww_input *values) {
    return values->steps == 1 && values->kind[0] == WW_STEP_COUNTING && values->size <= sizeof(uint64_t);
}

/* Threads of a block, elements of each, blocks that a processor should hold. */
typedef struct ww__tile_plan {
    uint32_t threads, items, blocks;
} ww__tile_plan;
/* At least the bytes of struct tile_shared (tile.cuh), for the job's bins. */
size_t ww__tile_shared(const ww__sweeping *job, const ww__tile_plan *p);
/* What all kernels of tiles are made of. */
void ww__recipe_tile(const ww_device *device, ww__recipe *recipe, const ww__sweeping *job, const ww__tile_plan *p,
                     bool wide);

/* What the sweeps leave in the GPU's memory. */
typedef struct ww__swept {
    const uint64_t *first;   /* where the first sweep's bins begin */
    void *keys, *values;     /* the scratch copies, free again; NULL where there was one sweep */
    uint64_t most_in_bucket; /* asked for, or 0: as count_digits.cu says */
    const uint32_t *prefix;  /* its answer, as digits.cuh says */
    uint32_t prefix_bits;    /* of two digits */
} ww__swept;

/* Whether there are, or can be, programs for this job's own plan; else sweeps take one for all, in some more time. */
bool ww__sweeps_ready(ww_device *device, const ww__sweeping *job);

/* Queues the sweeps; takes scratch memory for one copy of keys and values where there are several, and counters. `swept` may be
 * NULL. */
ww_status ww__sweeps_gpu(ww_device *device, const ww__sweeping *job, ww__swept *swept);

#endif
