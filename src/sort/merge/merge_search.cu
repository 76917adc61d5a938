/* Merging by search (Hou, Zhou and Guo, BSGP: Bulk-Synchronous GPU Programming, 2008): every element of a run looks for its
 * place in the run beside it by binary search, and goes where both places together say. Of equal elements the left run's
 * come first.
 *
 * In an order that is none two elements may find one place. Where the order is the caller's (WW_CHECKED), each place that is
 * taken is marked; when one is taken twice, `mend_runs` copies all elements, from where they still are. */
#include "sort/merge/merge_element.cuh"

/* How many elements of the run `first` ... `end` go before x, which stands behind (or before) all of that run. */
WW_DEVICE uint64_t rank_in(const search_arguments &a, uint64_t first, uint64_t end, const element &x, bool behind) {
    const element_order order(a.far);
    uint64_t low = first, high = end;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const element y = element_at(a.in, middle);
        if (behind ? !order.before(x, y) : order.before(y, x))
            low = middle + 1;
        else
            high = middle;
    }
    return low - first;
}

WW_GPU_KERNEL(search_runs, search_arguments, WW_THREADS) {
    const uint64_t i = blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x;
    if (i >= a.n) return;
    const uint64_t pair = i / (2 * a.run) * (2 * a.run), middle = least(pair + a.run, a.n);
    const bool right = i >= middle;
    const element x = element_at(a.in, i);
    const uint64_t rank = right ? rank_in(a, pair, middle, x, true)
                                : rank_in(a, middle, least(middle + a.run, a.n), x, false);
    const uint64_t to = right ? i - a.run + rank : i + rank;
#if WW_CHECKED
    const uint32_t bit = 1u << to % 32;
    if (atomicOr(a.marks + to / 32, bit) & bit) {
        atomicOr(a.broken, 1u);
        return;
    }
#endif
    put_element(a.out, to, x);
}

WW_GPU_KERNEL(mend_runs, search_arguments, WW_THREADS) {
    const uint64_t i = blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x;
    if (i < a.n && *a.broken) put_element(a.out, i, element_at(a.in, i));
}
