/* What equal keys of a batch of replaces become, where the dictionary is empty (replace_gpu.c). The keys are in order, and those that
 * are equal in the order in which they came: so the first of them is what inserts, and the last one's value stays.
 *
 * WW_PLACED: statuses are wanted, and values are still where they came: read at random. Else values have been moved with their keys.
 * Reads the keys once, and positions; writes a byte for each, and statuses and values. */
#include "dictionary/slab/slab.cuh"
#include "dictionary/slab/replace_arguments.cuh"

enum { INSERTED = 3, REPLACED = 4 };

struct replace_arguments : replace_fixed {
#if WW_PLACED && WW_HAS_VALUES
    value_input values;
#endif
};

WW_GPU_KERNEL(replace_mark, replace_arguments, WW_THREADS) {
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (i >= a.count) return;
    const slab_key key = a.key[i];
    a.last[i] = i + 1 == a.count || a.key[i + 1] != key;
#if WW_PLACED
    const uint32_t position = a.position[i];
    a.statuses[position] = i && a.key[i - 1] == key ? REPLACED : INSERTED;
#if WW_HAS_VALUES
    a.sorted[i] = value_at(a.values, position);
#endif
#endif
}
