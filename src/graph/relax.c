/* The kernels of shortest paths, written once for the three kinds of distances.
 *
 * relax: every arc that leaves a vertex offers its target a distance, and the least one stays (an atomic minimum, so that the
 * order does not matter). Where it has become shorter the target is queued: below `bound` for the next round, once a round;
 * above it in the pile, once an epoch.
 * chase: relax for few strong threads: each goes on with what it has brought near itself.
 * step: relax for graphs without long rows, a round whose length the device alone knows.
 * collect: the same for vertices of a pile when the bound has risen; those that were settled meanwhile are dropped.
 * settle: Dijkstra's algorithm by one rank, with a heap in which each vertex stands once.
 * trace: the arcs that shortest paths go along. */
#include "graph/relax.h"

#include "graph/sums.h"

/* kind: whole, wide or float; number: what a distance is kept as; dist: the member that has them. A vertex whose distance
 * has become shorter is queued alike in relax, chase and step. (Bodies reach a device as they stand here, so that macros
 * cannot share it, nor can functions, whose bodies have no atomics.) */
#define RELAX(kind, number, dist) \
    WW_KERNEL_USES( \
        (ww__walk_end, ww__walk_vertex, ww__walk_first_arc, ww__walk_last_arc, sum_##kind, limit_##kind, one_##kind), \
        relax_##kind, ww__relaxing, a, rank, { \
            const uint64_t last = ww__walk_end(&a->walk, rank); \
            for (uint64_t item = rank * a->walk.group; item < last; item++) { \
                const uint32_t vertex = ww__walk_vertex(&a->walk, item); \
                const uint64_t begin = ww__walk_first_arc(&a->walk, item, vertex); \
                const uint64_t end = ww__walk_last_arc(&a->walk, begin, vertex); \
                if (end - begin > a->walk.hub) { \
                    a->walk.hubs[ww_atomic_add(a->walk.hub_count, 1u)] = vertex; \
                    continue; \
                } \
                const number from = ww_load_relaxed(a->dist + vertex); \
                for (uint64_t i = begin; i < end; i++) { \
                    const uint32_t to = a->walk.targets[i]; \
                    const number sum = sum_##kind(from, a->walk.weights ? a->walk.weights[i] : one_##kind); \
                    if (sum >= ww_load_relaxed(a->dist + to)) { \
                        if (sum >= limit_##kind) ww_atomic_or(a->counts + 3, 1u); \
                        continue; \
                    } \
                    if (sum >= ww_atomic_min(a->dist + to, sum)) continue; \
                    if (sum < a->bound) { \
                        if (ww_load_relaxed(a->mark + to) != a->round && \
                            ww_atomic_exchange(a->mark + to, a->round) != a->round) \
                            a->next[ww_atomic_add(a->counts + 1, 1u)] = to; \
                    } else if (ww_load_relaxed(a->waiting + to) != a->epoch && \
                               ww_atomic_exchange(a->waiting + to, a->epoch) != a->epoch) { \
                        a->pile[ww_atomic_add(a->counts + 2, 1u)] = to; \
                    } \
                } \
            } \
        }); \
    WW_KERNEL_USES((ww__relaxing), collect_##kind, ww__relaxing, a, rank, { \
        if (rank < a->from_count) { \
            const uint32_t vertex = a->from[rank]; \
            const number d = a->dist[vertex]; \
            if (d >= a->low && d < a->bound) { \
                if (ww_atomic_exchange(a->mark + vertex, a->round) != a->round) \
                    a->next[ww_atomic_add(a->counts + 1, 1u)] = vertex; \
            } else if (d >= a->low && ww_atomic_exchange(a->waiting + vertex, a->epoch) != a->epoch) { \
                a->pile[ww_atomic_add(a->counts + 2, 1u)] = vertex; \
            } \
        } \
    }); \
    WW_MAP(least_##kind, number, uint32_t, vertex, ww__bucketing, b, { \
        const number d = b->dist[vertex]; \
        return d >= b->low ? d : (number)-1; \
    }); \
    WW_MAP(bucket_##kind, uint8_t, uint32_t, vertex, ww__bucketing, b, { \
        const number d = b->dist[vertex]; \
        uint32_t bucket = 0; \
        for (int e = 0; e < 9; e++) bucket += d >= b->edge[e]; \
        return (uint8_t)(d >= b->low ? bucket : 10u); \
    })
_Static_assert(WW__BUCKETS == 10, "bucket_… has it as a number");

_Static_assert(WW__COUNT_NEXT == 1 && WW__COUNT_PILE == 2 && WW__COUNT_FLAG == 3 && WW__COUNT_LOWEST == 4 &&
                   WW__COUNT_CLAIMS == 5 && WW__COUNT_STEPS == 6,
               "kernels have these as numbers");

/* The same by few ranks, each of which goes on with what it has brought near, for as long as it has room to note that down:
 * most rounds need no launch of their own. Vertices are taken sixteen at a time, from the frontier while there are any; their
 * rows are asked for before the first is gone through. `done` has the distance with which a vertex was last gone through: who
 * lowers it does so. */
#define CHASE(kind, number, dist, done) \
    WW_KERNEL_USES((sum_##kind, limit_##kind, one_##kind), chase_##kind, ww__relaxing, a, rank, { \
        const uint64_t *const offsets = a->walk.offsets; \
        const uint32_t *const targets = a->walk.targets; \
        const uint32_t *const weights = a->walk.weights; \
        const uint64_t count = a->walk.count; \
        const number bound = (number)a->bound; \
        number *const least = a->dist; \
        uint32_t own[1024]; \
        uint32_t batch[16]; \
        uint32_t head = 0; \
        uint32_t tail = 0; \
        bool claims = true; \
        bool too_long = false; \
        uint64_t expanded = 0; \
        for (;;) { \
            uint32_t many = 0; \
            bool ours = false; \
            if (claims) { \
                uint64_t item = 16 * (uint64_t)ww_load_relaxed(a->counts + 5); \
                if (item < count) item = 16 * (uint64_t)ww_atomic_add(a->counts + 5, 1u); \
                claims = item < count; \
                for (; item < count && many < 16; item++) batch[many++] = a->walk.items[item]; \
            } \
            if (!many) { \
                ours = true; \
                while (head != tail && many < 16) batch[many++] = own[head++ % 1024]; \
            } \
            if (!many) break; \
            for (uint32_t k = 0; k < many; k++) { \
                ww_prefetch(offsets + batch[k]); \
                ww_prefetch(least + batch[k]); \
                ww_prefetch(a->done + batch[k]); \
            } \
            for (uint32_t k = 0; k < many; k++) { \
                const uint64_t begin = offsets[batch[k]]; \
                ww_prefetch(targets + begin); \
                ww_prefetch(targets + begin + 16); \
                if (weights) ww_prefetch(weights + begin); \
                if (weights) ww_prefetch(weights + begin + 16); \
            } \
            for (uint32_t k = 0; k < many; k++) { \
                const uint32_t vertex = batch[k]; \
                const uint64_t begin = offsets[vertex]; \
                const uint64_t end = offsets[vertex + 1]; \
                const number from = ww_load_relaxed(least + vertex); \
                if (ours && end - begin > a->walk.hub) { \
                    if (ww_atomic_exchange(a->mark + vertex, a->round) != a->round) \
                        a->next[ww_atomic_add(a->counts + 1, 1u)] = vertex; \
                    continue; \
                } \
                if (ww_load_relaxed(a->done + vertex) <= from || ww_atomic_min(a->done + vertex, from) <= from) \
                    continue; \
                if (end - begin > a->walk.hub) { \
                    a->walk.hubs[ww_atomic_add(a->walk.hub_count, 1u)] = vertex; \
                    continue; \
                } \
                expanded++; \
                for (uint64_t i = begin; i < end; i++) { \
                    const uint32_t to = targets[i]; \
                    const number sum = sum_##kind(from, weights ? weights[i] : one_##kind); \
                    if (sum >= ww_load_relaxed(least + to)) { \
                        too_long = too_long || sum >= limit_##kind; \
                        continue; \
                    } \
                    if (sum >= ww_atomic_min(least + to, sum)) continue; \
                    if (sum < bound && tail - head < 1024) { \
                        own[tail++ % 1024] = to; \
                    } else if (sum < bound) { \
                        if (ww_load_relaxed(a->mark + to) != a->round && \
                            ww_atomic_exchange(a->mark + to, a->round) != a->round) \
                            a->next[ww_atomic_add(a->counts + 1, 1u)] = to; \
                    } else if (ww_load_relaxed(a->waiting + to) != a->epoch && \
                               ww_atomic_exchange(a->waiting + to, a->epoch) != a->epoch) { \
                        a->pile[ww_atomic_add(a->counts + 2, 1u)] = to; \
                    } \
                } \
            } \
        } \
        if (too_long) ww_atomic_or(a->counts + 3, 1u); \
        if (expanded) ww_atomic_add(a->expanded, expanded); \
    })

/* The same of rows that are short, without the host: how many vertices there are is in the first of three words that take
 * turns, the next frontier is counted in the second, and the third, of the round before, is made 0 for the one that
 * follows. */
#define STEP(kind, number, dist) \
    WW_KERNEL_USES((sum_##kind, limit_##kind, one_##kind), step_##kind, ww__relaxing, a, rank, { \
        const uint64_t count = ww_load_relaxed(a->counts + 6 + a->turn); \
        uint32_t *const next_count = a->counts + 6 + (a->turn + 1) % 3; \
        if (rank == 0) { \
            ww_atomic_exchange(a->counts + 6 + (a->turn + 2) % 3, 0u); \
            if (count) ww_atomic_add(a->expanded, count); \
            if (count) ww_atomic_add(a->expanded + 1, (uint64_t)1); \
        } \
        for (uint64_t item = rank; item < count; item += a->from_count) { \
            const uint32_t vertex = a->from[item]; \
            const uint64_t end = a->walk.offsets[vertex + 1]; \
            const number from = ww_load_relaxed(a->dist + vertex); \
            for (uint64_t i = a->walk.offsets[vertex]; i < end; i++) { \
                const uint32_t to = a->walk.targets[i]; \
                const number sum = sum_##kind(from, a->walk.weights ? a->walk.weights[i] : one_##kind); \
                if (sum >= ww_load_relaxed(a->dist + to)) { \
                    if (sum >= limit_##kind) ww_atomic_or(a->counts + 3, 1u); \
                    continue; \
                } \
                if (sum >= ww_atomic_min(a->dist + to, sum)) continue; \
                if (sum < a->bound) { \
                    if (ww_load_relaxed(a->mark + to) != a->round && \
                        ww_atomic_exchange(a->mark + to, a->round) != a->round) \
                        a->next[ww_atomic_add(next_count, 1u)] = to; \
                } else if (ww_load_relaxed(a->waiting + to) != a->epoch && \
                           ww_atomic_exchange(a->waiting + to, a->epoch) != a->epoch) { \
                    a->pile[ww_atomic_add(a->counts + 2, 1u)] = to; \
                } \
            } \
        } \
    })

/* The heap has four children a node: from the place `at` a vertex goes up while it is nearer than its parent, or down while a
 * child is nearer. */
#define SETTLE(kind, number, dist) \
    WW_FUNCTION( \
        rise_##kind, void, (const ww__settling *a, uint32_t at, uint32_t vertex), \
        { \
            const number d = a->dist[vertex]; \
            for (; at; at = (at - 1) / 4) { \
                const uint32_t parent = a->heap[(at - 1) / 4]; \
                if (a->dist[parent] <= d) break; \
                a->heap[at] = parent; \
                a->place[parent] = at + 1; \
            } \
            a->heap[at] = vertex; \
            a->place[vertex] = at + 1; \
        }, \
        ww__settling); \
    WW_FUNCTION( \
        sink_##kind, void, (const ww__settling *a, uint32_t size, uint32_t vertex), \
        { \
            const number d = a->dist[vertex]; \
            uint64_t at = 0; \
            for (;;) { \
                const uint64_t first = 4 * at + 1; \
                if (first >= size) break; \
                uint64_t nearest = first; \
                for (uint64_t c = first + 1; c < first + 4 && c < size; c++) \
                    if (a->dist[a->heap[c]] < a->dist[a->heap[nearest]]) nearest = c; \
                const uint32_t child = a->heap[nearest]; \
                if (a->dist[child] >= d) break; \
                a->heap[at] = child; \
                a->place[child] = (uint32_t)at + 1; \
                at = nearest; \
            } \
            a->heap[at] = vertex; \
            a->place[vertex] = (uint32_t)at + 1; \
        }, \
        ww__settling); \
    WW_KERNEL_USES( \
        (rise_##kind, sink_##kind, sum_##kind, limit_##kind, one_##kind), settle_##kind, ww__settling, a, rank, { \
            uint32_t size = 0; \
            uint32_t settled = 0; \
            uint32_t flag = 0; \
            for (uint64_t s = 0; s < a->source_count; s++) { \
                const uint32_t source = a->sources[s]; \
                if (a->place[source] == 0) { \
                    a->dist[source] = 0; \
                    rise_##kind(a, size++, source); \
                } \
            } \
            while (size) { \
                const uint32_t vertex = a->heap[0]; \
                const uint32_t last = a->heap[--size]; \
                if (size) sink_##kind(a, size, last); \
                a->place[vertex] = 0xFFFFFFFFu; \
                settled++; \
                for (uint64_t i = a->walk.offsets[vertex]; i < a->walk.offsets[vertex + 1]; i++) { \
                    const uint32_t to = a->walk.targets[i]; \
                    const number sum = sum_##kind(a->dist[vertex], a->walk.weights ? a->walk.weights[i] : one_##kind); \
                    if (sum < a->dist[to]) { \
                        a->dist[to] = sum; \
                        const uint32_t place = a->place[to]; \
                        rise_##kind(a, place ? place - 1 : size, to); \
                        if (!place) size++; \
                    } else if (sum >= limit_##kind) { \
                        flag = 1; \
                    } \
                } \
            } \
            a->counts[1] = settled; \
            a->counts[3] = flag; \
        })

#define TRACE(kind, number, dist) \
    WW_KERNEL_USES( \
        (ww__walk_end, ww__walk_vertex, ww__walk_first_arc, ww__walk_last_arc, sum_##kind, limit_##kind, one_##kind), \
        trace_##kind, ww__tracing, a, rank, { \
            const uint64_t last = ww__walk_end(&a->walk, rank); \
            for (uint64_t item = rank * a->walk.group; item < last; item++) { \
                const uint32_t vertex = ww__walk_vertex(&a->walk, item); \
                const uint64_t begin = ww__walk_first_arc(&a->walk, item, vertex); \
                const uint64_t end = ww__walk_last_arc(&a->walk, begin, vertex); \
                const number from = a->dist[vertex]; \
                if (from >= limit_##kind || (a->mode == 1 && ww_load_relaxed(a->step + vertex) >= a->round)) continue; \
                if (end - begin > a->walk.hub) { \
                    a->walk.hubs[ww_atomic_add(a->walk.hub_count, 1u)] = vertex; \
                    continue; \
                } \
                for (uint64_t i = begin; i < end; i++) { \
                    const uint32_t to = a->walk.targets[i]; \
                    const number d = a->dist[to]; \
                    if (a->mode == 2) { \
                        if (d >= limit_##kind) ww_atomic_min(a->counts + 4, to); \
                        continue; \
                    } \
                    if (d >= limit_##kind || sum_##kind(from, a->walk.weights ? a->walk.weights[i] : one_##kind) != d) \
                        continue; \
                    if (a->mode == 0 && from < d) { \
                        if (vertex < ww_load_relaxed(a->predecessor + to)) ww_atomic_min(a->predecessor + to, vertex); \
                        if (ww_load_relaxed(a->step + to) != 0) ww_atomic_min(a->step + to, 0u); \
                    } else if (a->mode == 0) { \
                        if (vertex != to) ww_atomic_or(a->counts + 3, 1u); \
                    } else if (from == d) { \
                        const uint32_t step = ww_atomic_cas(a->step + to, 0xFFFFFFFFu, a->round); \
                        if (step == 0xFFFFFFFFu) a->next[ww_atomic_add(a->counts + 1, 1u)] = to; \
                        if (step >= a->round) ww_atomic_min(a->predecessor + to, vertex); \
                    } \
                } \
            } \
        })
_Static_assert(WW__TRACE_BELOW == 0 && WW__TRACE_BESIDE == 1 && WW__TRACE_UNREACHED == 2,
               "kernels have these as numbers");

RELAX(whole, uint32_t, dist32);
RELAX(wide, uint64_t, dist64);
RELAX(float, uint32_t, dist32);
CHASE(whole, uint32_t, dist32, done32);
CHASE(wide, uint64_t, dist64, done64);
CHASE(float, uint32_t, dist32, done32);
STEP(whole, uint32_t, dist32);
STEP(wide, uint64_t, dist64);
STEP(float, uint32_t, dist32);
SETTLE(whole, uint32_t, dist32);
SETTLE(wide, uint64_t, dist64);
SETTLE(float, uint32_t, dist32);
TRACE(whole, uint32_t, dist32);
TRACE(wide, uint64_t, dist64);
TRACE(float, uint32_t, dist32);

#define KIND(kind) \
    &relax_##kind##_ww, &chase_##kind##_ww, &step_##kind##_ww, &collect_##kind##_ww, &least_##kind##_ww, \
        &bucket_##kind##_ww, &settle_##kind##_ww, &trace_##kind##_ww

const ww__distances *ww__distances_of(const ww_type *type) {
    static const ww__distances kinds[] = {
        {&ww_type_uint32_t, &ww_type_uint32_t, &ww_type_uint32_t, UINT32_MAX, KIND(whole)},
        {&ww_type_uint64_t, &ww_type_uint64_t, &ww_type_uint32_t, UINT64_MAX, KIND(wide)},
        {&ww_type_float, &ww_type_uint32_t, &ww_type_float, 0x7F800000u, KIND(float)},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (kinds[k].type == type) return &kinds[k];
    return NULL;
}
