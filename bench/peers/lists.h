/* The table that slab hashes are held against where kinds of operations are mixed: a lock-free linked list for each bucket, sorted, of a
 * node a key (Misra and Chaudhuri, 2012; the lists are Harris's, 2001). Keys alone. Its kernels are WW_KERNELs, so it is the same on
 * every device: a thread an operation, without prefetching on a CPU.
 *
 * Keys are odd multiples of 2654435761, as the bench's are, and key number i has node i: so no allocator is measured. */
#ifndef BENCH_LISTS_H
#define BENCH_LISTS_H

#include <stddef.h>

#include "warpwise.h"

typedef struct lists_table {
    ww_device *device;
    uint32_t *node; /* key and next of each; behind them heads, as nodes too */
    uint64_t nodes, buckets;
} lists_table;

/* Room for keys number 0 to nodes - 1, in so many buckets; then the first `n` of them inserted. */
ww_status lists_open(ww_device *device, uint64_t nodes, uint64_t buckets, lists_table *table);
ww_status lists_fill(lists_table *table, size_t n);
void lists_close(lists_table *table);
/* Of ten operations `updates` insert and delete, half and half, the others search. statuses are a ww_slab_status each. */
ww_status lists_mixed(const lists_table *table, const uint32_t *keys, uint32_t updates, uint8_t *statuses, size_t n);

#endif
