/* A whole search in one launch, of few strong ranks: a CPU's threads. It is what together.c does, but for this.
 *
 * A rank takes 64 vertices of the frontier at a time, or of the pile, and goes through the rows of sixteen of them after it has asked for
 * all of these. What it brings near itself it goes on with, when there is nothing left to take and as long as it has room to note
 * it down (delta-stepping's "bucket fusion", Zhang et al., 2020); so that a bucket is a step or two. `done` has the distance
 * with which a vertex was last gone through: who would do so again with the same one does not.
 *
 * Ranks take places in lists by 64, and what they leave of these is filled with WW_NO_VERTEX: a word that two processors add to for
 * each vertex costs more than all else. Rows that are long go to the next frontier in slices. */
#include "graph/sums.h"
#include "graph/together.h"

/* The kernel's text is longer than what C99 promises that every compiler takes; these have no such limit. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

#define ROAM(kind, number, dist, done) \
    WW_KERNEL_USES((sum_##kind, limit_##kind, one_##kind, above_##kind), roam_##kind, ww__running, a, rank, { \
        const uint64_t *const offsets = a->offsets; \
        number *const least = a->dist; \
        uint64_t *const totals = a->totals; \
        uint32_t *vertices = a->near_vertex; \
        uint32_t *slices = a->near_begin; \
        uint32_t *next = a->next_vertex; \
        uint32_t *next_slices = a->next_begin; \
        uint32_t *pile = a->pile; \
        uint32_t *old_pile = a->other_pile; \
        uint32_t own[1024]; \
        for (uint64_t v = a->vertices * rank / a->ranks; v < a->vertices * (rank + 1) / a->ranks; v++) { \
            least[v] = limit_##kind; \
            a->done[v] = limit_##kind; \
            a->mark[v] = 0; \
            a->waiting[v] = 0; \
        } \
        ww_barrier(totals, a->ranks); \
        for (uint64_t s = 0; rank == 0 && s < a->source_count; s++) { \
            const uint32_t vertex = a->sources[s]; \
            least[vertex] = 0; \
            if (a->waiting[vertex]++ == 0) pile[(*a->piled)++] = vertex; \
        } \
        number bound = 0; \
        number far = rank ? limit_##kind : 0; \
        bool too_long = false; \
        uint32_t epoch = 0; \
        uint64_t expanded = 0; \
        for (uint32_t round = 0;; round++) { \
            if (far < limit_##kind) ww_atomic_min(totals + 4 + epoch % 3, (uint64_t)far); \
            ww_barrier(totals, a->ranks); \
            const uint64_t count = ww_load_relaxed(a->lengths + round % 3); \
            const uint32_t wait = ww_load_relaxed(a->piled + epoch % 3); \
            if (!count && !wait) break; \
            if (rank == 0) { \
                ww_atomic_store(a->lengths + (round + 2) % 3, 0); \
                ww_atomic_store(a->claims + (round + 2) % 3, 0); \
                totals[1]++; \
                totals[3] += count ? 0 : wait; \
            } \
            const number low = count ? 0 : bound; \
            const uint32_t *items = vertices; \
            if (!count) { \
                bound = above_##kind((number)ww_load_relaxed(totals + 4 + epoch % 3), (number)a->width); \
                far = limit_##kind; \
                if (rank == 0) ww_atomic_store(a->piled + (epoch + 2) % 3, 0); \
                if (rank == 0) ww_atomic_store(totals + 4 + (epoch + 2) % 3, 0xFFFFFFFFFFFFFFFFu); \
                items = pile; \
                pile = old_pile; \
                old_pile = a->pile == pile ? a->other_pile : a->pile; \
                epoch++; \
            } \
            const uint64_t work = count ? count : wait; \
            uint64_t at = 0; \
            uint64_t last = 0; \
            bool claims = true; \
            uint32_t head = 0; \
            uint32_t tail = 0; \
            uint64_t put = 0; \
            uint64_t put_end = 0; \
            uint64_t far_put = 0; \
            uint64_t far_end = 0; \
            for (;;) { \
                uint32_t batch[16]; \
                uint32_t slice[16]; \
                uint32_t many = 0; \
                if (claims && at == last) { \
                    at = 64 * ww_atomic_add(a->claims + round % 3, (uint64_t)1); \
                    last = at + 64 < work ? at + 64 : work; \
                    claims = at < work; \
                } \
                for (; at < last && many < 16; at++) { \
                    batch[many] = items[at]; \
                    slice[many] = count && slices ? slices[at] : 0; \
                    many += batch[many] != 0xFFFFFFFFu; \
                } \
                const bool ours = !claims; \
                for (; ours && head != tail && many < 16; many++) { \
                    batch[many] = own[head++ % 1024]; \
                    slice[many] = 0; \
                } \
                if (ours && !many) break; \
                for (uint32_t k = 0; k < many; k++) { \
                    ww_prefetch(least + batch[k]); \
                    ww_prefetch(offsets + batch[k]); \
                    ww_prefetch(a->done + batch[k]); \
                } \
                for (uint32_t k = 0; k < many; k++) { \
                    const uint64_t begin = offsets[batch[k]]; \
                    ww_prefetch(a->targets + begin); \
                    ww_prefetch(a->targets + begin + 16); \
                    if (a->weights) ww_prefetch(a->weights + begin); \
                    if (a->weights) ww_prefetch(a->weights + begin + 16); \
                } \
                for (uint32_t k = 0; k < many; k++) { \
                    const uint32_t vertex = batch[k]; \
                    const number from = ww_load_relaxed(least + vertex); \
                    uint64_t i = offsets[vertex]; \
                    uint64_t end = offsets[vertex + 1]; \
                    bool waits = from >= bound; \
                    if (slice[k]) { \
                        i += (slice[k] - 1) * a->row_long; \
                        end = end - i < a->row_long ? end : i + a->row_long; \
                    } else if (from < low || (!waits && ww_load_relaxed(a->done + vertex) <= from)) { \
                        continue; \
                    } else if (waits) { \
                        end = i + 1; \
                    } else if (end - i > a->row_long) { \
                        if (ww_atomic_exchange(a->mark + vertex, round + 1) > round) continue; \
                        ww_atomic_store(a->done + vertex, from); \
                        const uint64_t pieces = (end - i - 1) / a->row_long + 1; \
                        const uint64_t place = ww_atomic_add(a->lengths + (round + 1) % 3, pieces); \
                        for (uint32_t p = 0; p < pieces; p++) { \
                            next[place + p] = vertex; \
                            next_slices[place + p] = p + 1; \
                        } \
                        continue; \
                    } else { \
                        ww_atomic_store(a->done + vertex, from); \
                        expanded++; \
                    } \
                    for (; i < end; i++) { \
                        const uint32_t to = waits ? vertex : a->targets[i]; \
                        const number sum = waits ? from : sum_##kind(from, a->weights ? a->weights[i] : one_##kind); \
                        if (!waits) { \
                            if (sum >= ww_load_relaxed(least + to)) { \
                                too_long = too_long || sum >= limit_##kind; \
                                continue; \
                            } \
                            if (sum >= ww_atomic_min(least + to, sum)) continue; \
                        } \
                        if (sum >= bound) { \
                            if (sum < far) far = sum; \
                            if (ww_load_relaxed(a->waiting + to) > epoch || \
                                ww_atomic_exchange(a->waiting + to, epoch + 1) > epoch) \
                                continue; \
                            if (far_put == far_end) { \
                                far_put = ww_atomic_add(a->piled + epoch % 3, 64u); \
                                far_end = far_put + 64; \
                            } \
                            pile[far_put++] = to; \
                        } else if (tail - head < 1024) { \
                            own[tail++ % 1024] = to; \
                        } else if (ww_load_relaxed(a->mark + to) <= round && \
                                   ww_atomic_exchange(a->mark + to, round + 1) <= round) { \
                            if (put == put_end) { \
                                put = ww_atomic_add(a->lengths + (round + 1) % 3, (uint64_t)64); \
                                put_end = put + 64; \
                            } \
                            if (slices) next_slices[put] = 0; \
                            next[put++] = to; \
                        } \
                    } \
                } \
            } \
            while (far_put < far_end) pile[far_put++] = 0xFFFFFFFFu; \
            while (put < put_end) next[put++] = 0xFFFFFFFFu; \
            vertices = next; \
            slices = next_slices; \
            next = a->near_vertex == next ? a->next_vertex : a->near_vertex; \
            next_slices = a->near_begin == slices ? a->next_begin : a->near_begin; \
        } \
        if (too_long) ww_atomic_store(totals + 7, 1); \
        ww_atomic_add(totals + 2, expanded); \
    })

ROAM(whole, uint32_t, dist32, done32);
ROAM(wide, uint64_t, dist64, done64);
ROAM(float, uint32_t, dist32, done32);

const ww_function *ww__roam_of(const ww_type *type) {
    return type == &ww_type_uint32_t ? &roam_whole_ww : type == &ww_type_uint64_t ? &roam_wide_ww : &roam_float_ww;
}
