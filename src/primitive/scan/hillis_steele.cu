/* Hillis and Steele's scan, a launch for each superstep and a thread for each element; hillis_steele_cpu.c has the algorithm.
 * `begin` is superstep 0: it reads the input. Each `step` adds to every element the one d places before it, unless its sum
 * reaches back to a head already; it reads one array and writes another, so that no thread sees what another has changed. */
#include "primitive/scan/heads.cuh"
#include "primitive/scan/hillis_steele_arguments.cuh"

struct hillis_steele_arguments : hillis_steele_fixed {
    alignas(16) ww_item initial; /* the identity where none is given */
    in_input in;
#if WW_SEGMENTS
    by_input by;
#endif
};

/* The total is what the last element becomes; for an exclusive scan, and the last element after it. */
WW_DEVICE void put_total(const hillis_steele_arguments &a, uint64_t k, const ww_item &y) {
    if (a.total && k + 1 == a.count) *a.total = a.exclusive ? ww_op(y, *a.last) : y;
}

/* An exclusive scan is the inclusive one of the input moved up by one, with the initial value in the first place. */
WW_DEVICE ww_item first_sum(const hillis_steele_arguments &a, uint64_t k, bool head) {
    if (a.exclusive) return head ? a.initial : in_at(a.in, k - 1);
    const ww_item x = in_at(a.in, k);
    return head && a.initial_given ? ww_op(a.initial, x) : x;
}

WW_GPU_KERNEL(hillis_steele_begin, hillis_steele_arguments, WW_THREADS) {
    const uint64_t k = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (k >= a.count) return;
    const bool head = begins_segment(a, k);
    const ww_item y = first_sum(a, k, head);
    if (k + 1 == a.count) *a.last = in_at(a.in, k); /* the output may take its place */
    put_total(a, k, y);
    a.y[k] = y;
#if WW_SEGMENTS
    a.new_flags[k] = head;
#endif
}

WW_GPU_KERNEL(hillis_steele_step, hillis_steele_arguments, WW_THREADS) {
    const uint64_t k = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    if (k >= a.count) return;
    ww_item y = a.x[k];
    bool complete = k < a.d;
#if WW_SEGMENTS
    const bool flag = a.flags[k];
    a.new_flags[k] = flag || (k >= a.d && a.flags[k - a.d]);
    complete = complete || flag;
#endif
    if (!complete) y = ww_op(a.x[k - a.d], y);
    put_total(a, k, y);
    a.y[k] = y;
}
