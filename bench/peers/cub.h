/* CUB, and kernels as one writes them without a thought of banks, beside tiles on a GPU: what bench-peer-cub.so offers, which nvcc
 * makes of cub.cu, and how the program finds it. Plain C, so that the program itself needs no CUDA toolkit. */
#ifndef BENCH_CUB_H
#define BENCH_CUB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cub_way {
    /* tiles that are sorted, of 4096 u32 or u64, or of 1024 or 16,384 u32 */
    CUB_RADIX, /* cub::BlockRadixSort; a thread has 16 u32, or 8 u64 */
    CUB_MERGE, /* cub::BlockMergeSort, likewise */
    CUB_RADIX_32,
    CUB_MERGE_32, /* a thread has 32 u32 */
    CUB_PADDED,   /* merges along the merge path, with a place more in each 32 */
    CUB_BITONIC,  /* a bitonic network in shared memory */
    /* tiles of 4096 u32 */
    CUB_PERMUTED,    /* written to their places in shared memory */
    CUB_PARTITIONED, /* by 32 labels: a thread for each bucket */
    CUB_TRANSPOSED,  /* 64 x 64, by way of a tile of 64 x 65 */
    /* an array of u32 */
    CUB_DEVICE_MERGE, /* cub::DeviceMergeSort */
    CUB_WAYS
} cub_way;

typedef struct cub_job {
    const void *in, *second; /* in the GPU's memory; second: places, labels */
    void *out;
    uint64_t n, tile; /* items, whole tiles of so many */
    size_t size;      /* bytes of an item */
} cub_job;

typedef struct cub_module {
    void (*describe)(char *text, size_t room);
    /* Queues a way's work in a stream of the module's own, on the GPU that has the job's memory. NULL, or what went wrong. */
    const char *(*run)(cub_way way, const cub_job *job);
    const char *(*wait)(void);
    void (*end)(void); /* gives back what was taken */
} cub_module;

/* The module's one symbol. */
#define CUB_SYMBOL "bench_cub"

/* The folder where it lies: the program's own. */
void cub_find_in(const char *directory);
/* NULL, and why, where it is not there. Opened when it is asked for the first time. */
const cub_module *cub_open(const char **why);
/* CUB's and the toolkit's version; NULL unless it was opened. */
const char *cub_about(void);
void cub_close(void);

#ifdef __cplusplus
}
#endif
#endif
