/* The host side of warp.cu: bins that lanes look after, rounded up so that few programs do for all numbers of them. */
#include "primitive/histogram/histogram_gpu.h"

enum {
    WARP = 32,
    HELD = 2,       /* blocks a processor: a thread has counters and elements in registers */
    ITEMS_MOST = 16 /* elements of a thread at a time, each of which is text of its own */
};

static const struct {
    uint32_t threads, held; /* held: blocks of a processor that are launched */
} tuning[WW__TILINGS] = {[WW__TILES_GPU] = {512, HELD}, [WW__TILES_SMALL] = {64, 1}};

void ww__counting_by_warps(const ww__counting *c, ww__counting_plan *p) {
    const ww__driver *driver = c->device->gpu->driver;
    const uint64_t bins = p->general ? WW__WARP_BINS_MOST : c->counts->count;
    *p = (ww__counting_plan){
        .file = "primitive/histogram/warp.cu", .kernel = "warp_histogram", .held = HELD, .general = p->general};
    p->threads = tuning[driver->tiles].threads;
    p->slots = WARP;
    while (p->slots < bins) p->slots *= 2;
    while (bins >> p->ballots) p->ballots++;
    ww__counting_read(c, p, ITEMS_MOST);
    p->counters = (size_t)(p->threads / WARP) * p->slots * sizeof(uint32_t);
    if (p->general || ww__counting_bytes(c, p) > driver->shared_most) p->shared_edges = 0;
    p->shared = ww__counting_bytes(c, p);
    p->blocks = ww__min_u64(ww__blocks(c->in->count, (uint64_t)p->threads * p->rows * p->items),
                            (uint64_t)driver->processors * tuning[driver->tiles].held);
}
