/* Where buckets begin among labels that are in order: a thread a bucket searches for the first label that is not below it;
 * neighbours read the same few lines. The last offset is the number of labels. */
#include "device/kernel/record.cuh"
#include "multisplit/label_offsets_arguments.cuh"

WW_GPU_KERNEL(label_offsets, label_offsets_arguments, WW_THREADS) {
    const uint64_t bucket = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (ww_stopped(a.checking) || bucket > a.buckets) return;
    uint64_t low = 0, high = a.count;
    if (bucket == a.buckets) low = a.count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (a.labels[middle] < bucket)
            low = middle + 1;
        else
            high = middle;
    }
    a.offsets[bucket] = ww_offset(low);
}
