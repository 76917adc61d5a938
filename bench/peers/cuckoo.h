/* The static table that slab hashes are held against: cuckoo hashing with four functions, a slot of 64 bits a pair (Alcantara et al.,
 * 2009; Alcantara, 2011). All keys differ; it is built once, and nothing comes or goes afterwards. Its kernels are WW_KERNELs, so it is
 * the same on every device: a thread a key, without prefetching on a CPU. */
#ifndef BENCH_CUCKOO_H
#define BENCH_CUCKOO_H

#include <stddef.h>

#include "warpwise.h"

typedef struct cuckoo_table {
    ww_device *device;
    uint64_t *slot;   /* in the device's memory */
    uint32_t *failed; /* pairs that found no place, in memory that the host reads too */
    uint64_t slots, seed;
} cuckoo_table;

/* Room for so many pairs; then all of them at once. FULL tables are built again by other functions. */
ww_status cuckoo_open(ww_device *device, uint64_t slots, cuckoo_table *table);
void cuckoo_close(cuckoo_table *table);
ww_status cuckoo_build(cuckoo_table *table, const uint32_t *keys, const uint32_t *values, size_t n);
/* statuses: WW_SLAB_FOUND, with the value, or WW_SLAB_ABSENT. */
ww_status cuckoo_search(const cuckoo_table *table, const uint32_t *keys, uint32_t *values, uint8_t *statuses, size_t n);

#endif
