/* Whether each edge is above the one before; the first one, whether it is a number at all. What stands behind a NaN is not
 * reported as well. */
#include "device/kernel/record.cuh"
#include "multisplit/check_edges_arguments.cuh"

struct edge_arguments : check_edges_fixed {
    edges_input edges;
};

WW_GPU_KERNEL(check_edges, edge_arguments, WW_THREADS) {
    const uint64_t e = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (e >= a.count || ww_stopped(a.checking)) return;
    const edges_item here = edges_at(a.edges, e);
    const edges_item before = edges_at(a.edges, e ? e - 1 : 0);
    if (e ? before == before && !(before < here) : !(here == here)) ww_report(a.checking, e, 1);
}
