/* Blelloch's scan, a launch for each level of the tree and a thread for each of its nodes; blelloch_cpu.c has the algorithm.
 * `begin` copies the input to the tree, `up` and `down` are the sweeps over the whole nodes of a level; one thread more of
 * `down` has the node that reaches past the end, whose preceding sum stands in `spine`. `finish` writes what is wanted. */
#include "primitive/scan/blelloch_arguments.cuh"
#include "primitive/scan/heads.cuh"

struct blelloch_arguments : blelloch_fixed {
    alignas(16) ww_item initial; /* the identity where none is given */
    in_input in;
#if WW_SEGMENTS
    by_input by;
#endif
};

WW_GPU_KERNEL(blelloch_begin, blelloch_arguments, WW_THREADS) {
    const uint64_t k = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (k >= a.count) return;
    if (k == 0) *a.spine = a.initial;
    a.x[k] = a.count == 1 ? a.initial : in_at(a.in, k); /* one element is the root */
#if WW_SEGMENTS
    a.heads[k] = a.up[k] = begins_segment(a, k);
#endif
}

WW_GPU_KERNEL(blelloch_up, blelloch_arguments, WW_THREADS) {
    const uint64_t node = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (node >= a.count / (2 * a.d)) return;
    const uint64_t l = node * 2 * a.d + a.d - 1, r = l + a.d;
    if (2 * a.d == a.count) { /* a whole root: nobody needs its sum, and the initial value precedes it */
        a.x[r] = a.initial;
        return;
    }
#if WW_SEGMENTS
    if (!a.up[r]) a.x[r] = ww_op(a.x[l], a.x[r]);
    a.up[r] |= a.up[l];
#else
    a.x[r] = ww_op(a.x[l], a.x[r]);
#endif
}

/* What precedes a right child: from what precedes the node and the sum of the left child, which ends at l. */
WW_DEVICE ww_item precede(const blelloch_arguments &a, uint64_t l, const ww_item &before, const ww_item &left) {
#if WW_SEGMENTS
    if (a.heads[l + 1]) return a.initial;
    if (a.up[l]) return a.initial_given ? ww_op(a.initial, left) : left;
#else
    (void)a, (void)l;
#endif
    return ww_op(before, left);
}

WW_GPU_KERNEL(blelloch_down, blelloch_arguments, WW_THREADS) {
    const uint64_t node = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x, nodes = a.count / (2 * a.d);
    if (node > nodes) return;
    const uint64_t l = node * 2 * a.d + a.d - 1, r = l + a.d;
    if (l >= a.count) return; /* the left child is the one that reaches past the end (or there is none) */
    const bool whole = node < nodes;
    ww_item *const after = whole ? a.x + r : a.spine;
    const ww_item left = a.x[l], before = *after;
    a.x[l] = before;
    if (whole || l + 1 < a.count) *after = precede(a, l, before, left);
}

WW_GPU_KERNEL(blelloch_finish, blelloch_arguments, WW_THREADS) {
    const uint64_t k = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (k >= a.count) return;
    const bool total = a.total && k + 1 == a.count;
    ww_item y = a.x[k];
    if (!a.exclusive || total) {
        const ww_item sum = ww_op(y, in_at(a.in, k));
        if (total) *a.total = sum;
        if (!a.exclusive) y = sum;
    }
    a.out[k] = y;
}
