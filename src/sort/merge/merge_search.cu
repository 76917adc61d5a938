/* Merging by search (Hou, Zhou and Guo, BSGP: Bulk-Synchronous GPU Programming, 2008), of WW_WAYS runs at once: every element of a
 * run looks for its place in each of the runs beside it by binary search, in all of them at the same time, and goes where its
 * places together say. Of equal elements the earlier run's come first. One launch makes a run of WW_WAYS ones, so that few
 * elements take few launches; each element reads WW_WAYS times as many others as a merge path does.
 *
 * In an order that is none two elements may find one place. Where the order is the caller's (WW_CHECKED), each place that is
 * taken is marked; when one is taken twice, the pass is none (merge_mend.cuh). Marks are two sets in turn: a pass clears the next
 * one's.
 *
 * WW_WAYS: at least 2. WW_PLACE: bytes of an element's number. WW_THREADS: of a block. */
#include "sort/merge/merge_mend.cuh"

enum { WAYS = WW_WAYS, OTHERS = WAYS - 1 };
typedef ww_number<WW_PLACE>::type place;

WW_DEVICE place above(place x, place from) { return x > from ? x - from : 0; }

/* How many elements of the group's other runs go before x, which is in run `mine`: those that are not behind x of the runs
 * before, those that are before x of the runs behind. `count`: the group's elements. */
WW_DEVICE place rank_in_others(const search_arguments &a, const ww_key *group, place count, uint32_t mine, const element &x) {
    const element_order order(a.far);
    const place run = place(a.run);
    place rank[OTHERS] = {};
    for (place step = place(a.step); step; step /= 2) {
        element y[OTHERS];
#pragma unroll
        for (int k = 0; k < OTHERS; k++) {
            const place first = run * place(k + (k >= int(mine))), length = least(above(count, first), run);
            y[k].key = group[rank[k] + step <= length ? first + rank[k] + step - 1 : 0];
        }
#pragma unroll
        for (int k = 0; k < OTHERS; k++) {
            const bool behind = k < int(mine);
            const place first = run * place(k + !behind), length = least(above(count, first), run);
            const bool goes = order.before(behind ? x : y[k], behind ? y[k] : x) != behind;
            if (rank[k] + step <= length && goes) rank[k] += step;
        }
    }
    place sum = 0;
#pragma unroll
    for (int k = 0; k < OTHERS; k++) sum += rank[k];
    return sum;
}

WW_GPU_KERNEL(search_runs, search_arguments, WW_THREADS) {
    ww_in_line();
    const place i = place(blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x), n = place(a.n), run = place(a.run);
#if WW_CHECKED
    enum { BITS = 32 };
    if (i <= (n - 1) / BITS) a.marks_next[i] = 0;
    if (*a.left) return;
#endif
    if (i >= n) return;
    const place first = i / (run * WAYS) * (run * WAYS), in_group = i - first;
    const uint32_t mine = uint32_t(in_group / run);
    const element x = element_at(a.in, i);
    const place rank = rank_in_others(a, a.in.keys + first, least(n - first, run * WAYS), mine, x);
    const place to = first + rank + (in_group - mine * run);
#if WW_CHECKED
    const uint32_t bit = 1u << to % BITS;
    if (atomicOr(a.marks + to / BITS, bit) & bit) {
        atomicOr(a.broken, 1u);
        return;
    }
#endif
    put_element(a.out, to, x);
}
