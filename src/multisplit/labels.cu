/* The buckets' numbers of all keys, for what splits numbers and positions in place of keys. Reads each key once. A key without a
 * bucket is recorded, and its label is 0. */
#include "multisplit/labels_arguments.cuh"
#include "radix/bucket.cuh"

struct label_arguments : labels_fixed {
    in_input in;
    ww_buckets by;
};

enum { TILE = WW_THREADS * WW_ITEMS };

WW_GPU_KERNEL(label, label_arguments, WW_THREADS) {
    WW_SHARED(shared_edges, s);
    if (ww_stopped(a.by.checking)) return;
    load_edges(a.by, s);
    const uint64_t first = uint64_t(blockIdx.x) * TILE + threadIdx.x * WW_ITEMS;
    const bool whole = first + WW_ITEMS <= a.count;
    in_item x[WW_ITEMS];
    bucket_item key[WW_ITEMS];
    uint32_t bucket[WW_ITEMS];
    ww_label label[WW_ITEMS];
    if (first >= a.count) return;
    if (whole) in_read(a.in, first, x);
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++)
        key[k] = ww_as<bucket_item>(whole ? x[k] : in_at(a.in, first + k < a.count ? first + k : a.count - 1));
    buckets_of(a.by, s, key, bucket);
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) {
        if (first + k < a.count && bucket[k] >= a.by.many) ww_report(a.by.checking, first + k, 0);
        label[k] = ww_label(bucket[k] < a.by.many ? bucket[k] : 0);
        if (!whole && first + k < a.count) a.labels[first + k] = label[k];
    }
    if (whole) ww_put(a.labels + first, label);
}
