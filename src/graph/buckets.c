/* Buckets: the pile is split by distance, into nine buckets of one width from its least distance on and one for all beyond,
 * and they become the frontier one after another. What is shortened meanwhile to beyond the present bucket waits in a new
 * pile, which is looked through with each bucket; so a vertex may stand in both, and is taken from where its distance says.
 * When the last bucket's turn comes it and the pile are split anew. */
#include "graph/search.h"
#include "warpwise/multisplit.h"
#include "warpwise/sort.h"

typedef struct buckets {
    ww__search *s;
    bool by_sort;
    uint64_t edge[WW__BUCKETS - 1];
    uint32_t *split;                   /* vertices, bucket after bucket */
    uint64_t offsets[WW__BUCKETS + 2]; /* where each begins; behind them what is settled */
    size_t at;                         /* the present one */
} buckets;

static void set_edges(buckets *b, uint64_t least) {
    for (size_t e = 0; e < WW__BUCKETS - 1; e++) b->edge[e] = least = ww__search_above(b->s, least);
}

static uint64_t begins(const buckets *b, size_t bucket) { return b->offsets[bucket]; }
static uint64_t many(const buckets *b, size_t bucket) { return b->offsets[bucket + 1] - b->offsets[bucket]; }

/* The pile, in buckets from `least` on. */
static ww_status split(buckets *b, uint64_t least) {
    ww_graph *graph = b->s->graph;
    ww__bucketing how = {.dist32 = b->s->a.dist32, .dist64 = b->s->a.dist64, .low = least};
    const ww_function bucket = ww_bound(b->s->kind->bucket, &how, 1, &ww__bucketing_ww);
    const uint64_t count = b->s->pile_count;
    const ww_input pile = ww_memory((const uint32_t *)b->s->a.pile, count);
    const ww_array to = ww_array(b->split, count), offsets = ww_array(b->offsets, WW__BUCKETS + 2);
    uint8_t *numbers;
    for (size_t e = 0; e < WW__BUCKETS - 1; e++) how.edge[e] = b->edge[e];
    b->s->report.regrouped += count;
    if (!b->by_sort)
        return ww_multisplit(graph->device, &bucket, WW__BUCKETS + 1, pile, ww_no_input, to, ww_none, offsets, NULL);
    WW_TRY(ww__graph_work_room(graph, WW__GRAPH_NUMBERS, graph->vertices, sizeof *numbers, &numbers));
    const ww_array sorted = ww_array(numbers, count);
    WW_TRY(ww_sort(graph->device, ww_mapped(&bucket, pile), pile, sorted, to, NULL));
    return ww_lower_bound(graph->device, NULL, ww_from(sorted), ww_counting(&ww_type_uint8_t, 0, WW__BUCKETS + 2),
                          offsets);
}

/* The bucket at `at`, and those in the pile whose turn has come with it, become the frontier. */
static ww_status take(buckets *b, uint64_t low, uint64_t bound) {
    const uint32_t *pile;
    uint64_t piled;
    WW_TRY(ww__search_collect_begin(b->s, low, bound, &pile, &piled));
    WW_TRY(ww__search_collect(b->s, b->split + begins(b, b->at), many(b, b->at)));
    WW_TRY(ww__search_collect(b->s, pile, piled));
    return ww__search_collect_end(b->s);
}

/* All that waits is split anew, and its first bucket becomes the frontier. */
static ww_status regroup(buckets *b) {
    uint64_t least;
    const uint32_t *pile;
    uint64_t piled;
    b->at = WW__BUCKETS - 1;
    WW_TRY(take(b, b->edge[WW__BUCKETS - 2], b->edge[WW__BUCKETS - 2]));
    if (!b->s->pile_count) return WW_OK;
    WW_TRY(ww__search_least(b->s, b->edge[WW__BUCKETS - 2], &least));
    set_edges(b, least);
    WW_TRY(split(b, least));
    b->at = 0;
    WW_TRY(ww__search_collect_begin(b->s, least, b->edge[0], &pile, &piled));
    WW_TRY(ww__search_collect(b->s, b->split, many(b, 0)));
    return ww__search_collect_end(b->s);
}

static bool all_empty(const buckets *b) { return !b->s->pile_count && begins(b, b->at + 1) == begins(b, WW__BUCKETS); }

ww_status ww__search_buckets(ww__search *s, bool by_sort) {
    buckets b = {.s = s, .by_sort = by_sort};
    set_edges(&b, 0);
    WW_TRY(ww__graph_work_room(s->graph, WW__GRAPH_SPLIT, s->graph->vertices, sizeof(uint32_t), &b.split));
    for (;;) {
        WW_TRY(ww__search_settle(s));
        if (all_empty(&b)) return WW_OK;
        b.at++;
        if (b.at < WW__BUCKETS - 1) {
            if (many(&b, b.at) || s->pile_count) WW_TRY(take(&b, b.edge[b.at - 1], b.edge[b.at]));
        } else {
            WW_TRY(regroup(&b));
            if (!s->frontier_count) return WW_OK;
        }
    }
}
