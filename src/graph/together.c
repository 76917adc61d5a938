/* A whole search in one launch, of ranks that live at once and meet at barriers: how many ranks there are. What few strong ones do is in
 * roam.c, what a GPU's warps do in warps.c. */
#include "graph/search.h"
#include "warpwise/primitive.h"

/* Of the ranks that there can be a divisor, so that each has something to do: small graphs are not worth the others' waking and
 * waiting. */
ww_status ww__search_ranks(const ww_graph *graph, uint64_t lanes, uint64_t *ranks) {
    const uint64_t work = graph->vertices + graph->arcs;
    WW_TRY(ww_together(graph->device, ranks));
    while (*ranks > lanes && work / *ranks < graph->plan.rank_work) {
        uint64_t by = 2;
        while (*ranks % by) by++;
        if (*ranks / by % lanes) break;
        *ranks /= by;
    }
    return WW_OK;
}
