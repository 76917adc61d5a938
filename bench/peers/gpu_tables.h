/* Others' hash tables on a GPU, beside the slab hash: what bench-peer-cuco.so (cuCollections) and bench-peer-bght.so (BGHT) offer, which
 * nvcc makes where these libraries' headers are, and how the program finds them. Plain C, as peers/cub.h. */
#ifndef BENCH_GPU_TABLES_H
#define BENCH_GPU_TABLES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Two tables of each library, static ones of u32 keys and values; key 0 and value UINT32_MAX are none. */
typedef enum gpu_table_way { GPU_TABLE_FIRST, GPU_TABLE_SECOND, GPU_TABLE_WAYS } gpu_table_way;

/* Each is queued in a stream of the module's own, on the GPU that has the memory. NULL, or what went wrong. */
typedef struct gpu_tables {
    void (*describe)(char *text, size_t room);
    /* Empties a table of so many slots and inserts n pairs. It is made at the first call. */
    const char *(*build)(gpu_table_way way, uint64_t slots, const uint32_t *keys, const uint32_t *values, uint64_t n);
    const char *(*find)(gpu_table_way way, const uint32_t *keys, uint32_t *values, uint64_t n); /* absent: UINT32_MAX */
    const char *(*wait)(void);
    void (*end)(void); /* gives the tables back */
} gpu_tables;

/* A module's one symbol. */
#define GPU_TABLES_SYMBOL "bench_gpu_tables"

typedef enum gpu_tables_of { GPU_TABLES_CUCO, GPU_TABLES_BGHT, GPU_TABLES_MODULES } gpu_tables_of;

/* The folder where they lie: the program's own. */
void gpu_tables_find_in(const char *directory);
/* NULL, and why, where it is not there. Opened when it is asked for the first time. */
const gpu_tables *gpu_tables_open(gpu_tables_of which, const char **why);
/* The library's version; NULL unless it was opened. */
const char *gpu_tables_about(gpu_tables_of which);
/* Waits for what was queued in either; NULL, or what went wrong. */
const char *gpu_tables_wait(void);
void gpu_tables_end(void);

#ifdef __cplusplus
}
#endif
#endif
