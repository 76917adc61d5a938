/* How each kind of device walks over arcs, and which method and width ww_sssp takes by itself. */
#include <string.h>

#include "graph/graph.h"
#include "warpwise/primitive.h"

/* A CPU's ww_launch starts threads for 4096 ranks or more and deals out at least 256 at a time: groups leave some thousand
 * ranks, and fewer are filled up with idle ones. A GPU's rank is one of many thousands, so that it takes one row and of a long
 * one one arc. The widths of a CPU were measured (a Xeon, 2026-11, weights 1 … 255, two threads): best are a quarter of the mean weight
 * for 32 arcs a vertex, R-MAT and uniform, and three mean weights for grids. A GPU, which has to have much to do at once, gets
 * wider ones: on an H100 (2026-11) 32 mean weights were best for grids, 64 for roads, and for R-MAT and uniform graphs of
 * 6 to 32 arcs a vertex five over the degree; with few arcs rounds cost more than arcs that are gone through twice. Its warps go on
 * alone twice where rows are long, so that no one has all of what is near, and eight times elsewhere. The emulator has small numbers,
 * so that small graphs have all of it. */
/* clang-format off */
static const struct {
    const char *backend;
    ww__graph_plan plan;
} plans[] = {
    {"cpu", {512, 256, 2048, 64, 1 << 16, 4096, true, 0, 0, WW__TOGETHER_FEW, 1 << 14, 1, 0, 0, 0, 1 << 16, true, WW_SSSP_NEAR_FAR,
             48, 0.23, UINT32_MAX, 0, 0, 8, 256, 1 << 17}},
    {"emu", {4, 2, 64, 3, UINT64_MAX, 0, true, 3, 4, WW__TOGETHER_MANY, 1, 32, 2, 3, 24, 4, true, WW_SSSP_BUCKETS,
             256, 0.5, 8, 4, 500, 0, 0, 64}},
    {"cuda", /* and any other, such as the one that kernel packs are made with */
     {8, 1, UINT64_MAX, 1, UINT64_MAX, 0, false, 16, 64, WW__TOGETHER_MANY, 1, 32, 2, 8, 128, 1024, false, WW_SSSP_NEAR_FAR,
      512, 1, 16, 5, 1 << 22, 0, 0, UINT64_MAX}},
};
/* clang-format on */

ww_status ww__graph_plan_of(ww_device *device, ww__graph_plan *plan) {
    const size_t many = sizeof plans / sizeof *plans;
    ww_device_info info = WW_DEVICE_INFO;
    uint64_t ranks = 0;
    size_t i = 0;
    WW_TRY(ww_device_info_get(device, &info));
    while (i + 1 < many && strcmp(plans[i].backend, info.backend)) i++;
    *plan = plans[i].plan;
    WW_TRY(ww_together(device, &ranks));
    if (ranks < info.threads) plan->together = WW__TOGETHER_NOT; /* a caller's executor */
    return WW_OK;
}
