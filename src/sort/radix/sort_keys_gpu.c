/* The host side of sorting keys on a GPU: the radix sort, but many wide keys by their highest digits first, and few different
 * keys by counting them. */
#include "sort/radix/sort_keys_gpu.h"

#include "radix/radix_gpu.h"
#include "sort/radix/few_gpu.h"

/* Segments' programs of a kernel pack that it has for this are for whole keys. */
static bool by_prefix(ww_device *device, const ww__sweeping *job) {
    return ww__sorts_by_prefix(device, job) && (job->bit_count == 8 * job->key_size || ww__gpu_compiles(device));
}

ww_status ww__sort_keys_gpu(ww_device *device, const ww__sweeping *job) {
    const bool few = ww__few_pays(device, job), prefix = by_prefix(device, job);
    ww__sweeping sort = *job;
    void *board = NULL;
    /* What a kernel pack has no programs of its own for is swept. */
    if ((!few && !prefix) || job->count_at || ww__radix_in_block(device, job) || !ww__sweeps_ready(device, job))
        return ww__radix_sort_gpu(device, job);
    if (few) WW_TRY(ww__tally_few(device, job, &board));
    sort.looks = true;
    sort.done = board;
    WW_TRY(prefix ? ww__prefix_sort_gpu(device, &sort) : ww__sweeps_gpu(device, &sort, NULL));
    return few ? ww__fill_few(device, job, board) : WW_OK;
}
