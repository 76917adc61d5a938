/* What the host sides of a GPU's histograms share: a call, and what its kernel is made of. */
#ifndef WW__HISTOGRAM_GPU_H
#define WW__HISTOGRAM_GPU_H

#include "device/gpu/batch.h"
#include "primitive/histogram/sides.h"

/* How elements become bins: WW_BY of bins.cuh. */
typedef enum ww__bins_by { WW__BY_EVEN, WW__BY_EDGES, WW__BY_MAP, WW__BY_PAIRS } ww__bins_by;

typedef struct ww__counting {
    ww_device *device;
    ww_histogram_method method;
    ww__bins_by by;
    const ww_input *in, *edges, *down_edges; /* down_edges: of pairs, whose first members are between `edges` */
    const ww__even *even;
    const ww_array *counts, *outside;
    bool strict;
    ww__gpu_checking checking;
} ww__counting;

typedef struct ww__counting_plan {
    const char *file, *kernel;
    bool general; /* asked for: one of few plans for all numbers of bins and all GPUs */
    uint32_t threads, rows, items, slots;
    uint32_t copies, parts; /* histogram.cu */
    bool halves;            /* … */
    uint32_t ballots, held; /* warp.cu */
    uint32_t shared_edges;  /* copies of the edges */
    uint32_t edges;         /* that there is room for */
    size_t counters;        /* bytes of them in shared memory */
    size_t shared;          /* bytes in all */
    uint64_t blocks;
} ww__counting_plan;

/* What a GPU's processors have; measured on an H100, 2026-11. */
enum {
    WW__PROCESSOR_BYTES = 227 << 10, /* of shared memory */
    WW__PROCESSOR_THREADS = 2048,
    WW__BLOCK_OWN = 1 << 10 /* what a block takes besides */
};

/* Items and rows of up to `most` elements a thread, and how often the edges are in shared memory; slots are chosen. */
void ww__counting_read(const ww__counting *c, ww__counting_plan *p, uint32_t most);

/* Bytes of shared memory of these counters and edges. */
size_t ww__counting_bytes(const ww__counting *c, const ww__counting_plan *p);

/* Counting by ballots: warp_gpu.c. */
void ww__counting_by_warps(const ww__counting *c, ww__counting_plan *p);

#endif
