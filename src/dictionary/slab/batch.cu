/* A slab hash's operations on a GPU. WW_ALONE: each thread does the operation that it brings (thread.cuh). Else the warp does its threads'
 * operations one after another, all lanes together (warp.cuh, warp-cooperative work sharing): where a key's whole list is wanted, and
 * where threads would meet at one value.
 *
 * WW_KIND: what the batch does, a ww__slab_kind; WW_TAKES_VALUES: it brings values; WW_COMBINES: replaces combine them by ww_op;
 * WW_DECIDED_SOON: how often one looks whether a claimed slot is decided, before one takes it away; slab_count: the type of counts. */
#include "dictionary/slab/batch_arguments.cuh"
#include "dictionary/slab/slab.cuh"

enum { MIXED, SEARCH, INSERT, REPLACE, DELETE_ONE, DELETE_ALL, COUNT, SEARCH_ALL };
enum { ABSENT, FOUND, DELETED, INSERTED, REPLACED, FULL };

/* Where nobody changes anything meanwhile, words are read as they are, all at once; else the states first, and what they say is full
 * afterwards. */
enum : bool { QUIET = WW_KIND == SEARCH || WW_KIND == COUNT || WW_KIND == SEARCH_ALL };

/* What an operation is, and what operations leave. */
struct operation {
    slab_key key;
    slab_value value;
    uint32_t kind;
};
struct counted {
    uint32_t inserted, deleted, given_up, full;
};

#if WW_ALONE
#include "dictionary/slab/thread.cuh"
#else
/* The value of a full slot becomes another, or what the two combine to; one lane calls it. */
#if WW_COMBINES
WW_DEVICE void set_value(slab_value *at, slab_value value) {
    for (slab_value seen = ww_load_relaxed(at), old;; seen = old) {
        old = atomicCAS(at, seen, slab_value(ww_op(seen, value)));
        if (old == seen) return;
    }
}
#else
WW_DEVICE void set_value(slab_value *at, slab_value value) { ww_store_relaxed(at, value); }
#endif
#include "dictionary/slab/warp.cuh"
#endif

/* ---- a batch ---- */

struct batch_arguments : batch_fixed {
    key_input key;
#if WW_KIND == 0
    operation_input operations;
#endif
#if WW_TAKES_VALUES
    value_input values;
#endif
#if WW_KIND == 7
    offset_input offsets;
#endif
};

#if WW_KIND == 0
WW_DEVICE uint32_t kind_at(const batch_arguments &a, uint64_t i) { return operation_at(a.operations, i); }
#else
WW_DEVICE uint32_t kind_at(const batch_arguments &, uint64_t) { return WW_KIND; }
#endif
#if WW_TAKES_VALUES
WW_DEVICE slab_value value_in(const batch_arguments &a, uint64_t i) { return value_at(a.values, i); }
#else
WW_DEVICE slab_value value_in(const batch_arguments &, uint64_t) { return 0; }
#endif
#if WW_KIND == 7
WW_DEVICE uint64_t room_at(const batch_arguments &a, uint64_t i) { return offset_at(a.offsets, i); }
#else
WW_DEVICE uint64_t room_at(const batch_arguments &, uint64_t) { return 0; }
#endif

WW_DEVICE void out_of_range(const batch_arguments &a, uint64_t i) { atomicMax(&a.tally->nearness, ~i); }

/* ---- a thread's operations ---- */
#if WW_ALONE

WW_DEVICE void thread_operate(const batch_arguments &a, uint64_t i, counted &c) {
    const operation o = {key_at(a.key, i), value_in(a, i), kind_at(a, i)};
    const uint64_t hash = hash_of(a.t, o.key);
    unsigned char *slab = home_of(a.t, hash);
    uint32_t status = ABSENT;
    switch (o.kind) {
    case 0:
        break;
    case SEARCH:
        status = thread_search(a.t, slab, o.key, filter_of(hash), a.found ? a.found + i : nullptr);
        break;
    case INSERT:
        status = thread_insert(a.t, slab, hash, o, a.again == SLAB_THOROUGH, a.tally, c);
        break;
    case REPLACE:
        status = thread_replace(a.t, slab, hash, o, a.again == SLAB_THOROUGH, a.tally, c);
        break;
    case DELETE_ONE:
        status = thread_delete(a.t, slab, filter_of(hash), o, c);
        break;
    case DELETE_ALL:
        while (thread_delete(a.t, slab, filter_of(hash), o, c) == DELETED) status = DELETED;
        break;
    default:
        out_of_range(a, i);
    }
    c.full += status == FULL;
    if (a.statuses) a.statuses[i] = uint8_t(status);
}

WW_DEVICE uint32_t sum_of_warp(uint32_t x) {
    for (int by = WW_WARP / 2; by; by /= 2) x += __shfl_xor_sync(WW_ALL, x, by);
    return x;
}

WW_DEVICE bool is_wanted(const batch_arguments &a, uint64_t row) {
    return row < a.count && (!a.again || a.statuses[a.first + row] == FULL);
}

#if WW_KIND == 1
#include "dictionary/slab/search.cuh"
#elif WW_KIND == 2
#include "dictionary/slab/insert.cuh"
#elif WW_KIND == 0
#include "dictionary/slab/mixed.cuh"
#else
WW_DEVICE counted operate_all(const batch_arguments &a) {
    counted c = {0, 0, 0, 0};
    for (uint64_t row = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x; row < a.count;
         row += uint64_t(gridDim.x) * WW_THREADS)
        if (is_wanted(a, row)) thread_operate(a, a.first + row, c);
    return c;
}
#endif

WW_DEVICE counted operate(const batch_arguments &a) {
    const counted c = operate_all(a);
    __syncwarp();
    return {sum_of_warp(c.inserted), sum_of_warp(c.deleted), sum_of_warp(c.given_up), sum_of_warp(c.full)};
}

/* ---- a warp's ---- */
#else

/* The operation that lane `source` has brought, at position i. */
WW_DEVICE void warp_operate(const batch_arguments &a, const operation &o, uint32_t source, uint64_t i, resident &r,
                            counted &c) {
    const bool mine = lane_number() == source;
    const uint64_t hash = hash_of(a.t, o.key);
    unsigned char *slab = home_of(a.t, hash);
    uint32_t status = ABSENT;
    if (WW_KIND == COUNT) {
        const uint64_t count = warp_collect(a.t, slab, o.key, filter_of(hash), nullptr, 0);
        if (mine) a.counts[i] = slab_count(count);
        return;
    }
    if (WW_KIND == SEARCH_ALL) {
        const uint64_t from = room_at(a, i), to = room_at(a, i + 1);
        const bool right = from <= to && to <= a.found_room;
        const uint64_t room = right ? to - from : 0;
        const uint64_t count = warp_collect(a.t, slab, o.key, filter_of(hash), a.found + (right ? from : 0), room);
        if (mine && (!right || count != room)) out_of_range(a, i);
        return;
    }
    switch (o.kind) {
    case 0:
        break;
    case SEARCH:
        status = warp_search(a.t, slab, filter_of(hash), o, source, a.found ? a.found + i : nullptr);
        break;
    case INSERT:
        status = warp_insert(a.t, slab, hash, o, r, a.tally, c);
        break;
    case REPLACE:
        status = warp_replace(a.t, slab, hash, o, r, a.tally, c);
        break;
    case DELETE_ONE:
        status = warp_delete(a.t, slab, filter_of(hash), o, c);
        break;
    case DELETE_ALL:
        status = warp_delete_all(a.t, slab, filter_of(hash), o, c);
        break;
    default:
        if (mine) out_of_range(a, i);
    }
    c.full += status == FULL;
    if (mine && a.statuses) a.statuses[i] = uint8_t(status);
}

WW_DEVICE counted operate(const batch_arguments &a) {
    const uint32_t lane = lane_number();
    resident r = resident_begin(a.t);
    counted c = {0, 0, 0, 0};
    for (uint64_t row = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x - lane; row < a.count;
         row += uint64_t(gridDim.x) * WW_THREADS) {
        const uint64_t mine = a.first + row + lane;
        const bool wanted = row + lane < a.count && (!a.again || a.statuses[mine] == FULL);
        operation o = {0, 0, 0};
        if (wanted) o = {key_at(a.key, mine), value_in(a, mine), kind_at(a, mine)};
        for (uint32_t queue = __ballot_sync(WW_ALL, wanted); queue; queue &= queue - 1) {
            const int source = __ffs(int(queue)) - 1;
            const operation next = {__shfl_sync(WW_ALL, o.key, source), __shfl_sync(WW_ALL, o.value, source),
                                    __shfl_sync(WW_ALL, o.kind, source)};
            warp_operate(a, next, uint32_t(source), a.first + row + source, r, c);
        }
    }
    if (lane == 0 && r.spare) give_slab(a.t, r.spare);
    return c;
}
#endif

WW_GPU_KERNEL(slab_batch, batch_arguments, WW_THREADS) {
    const counted c = operate(a);
    if (lane_number()) return;
    add_to(&a.tally->inserted, c.inserted);
    add_to(&a.tally->deleted, c.deleted);
    add_to(&a.tally->given_up, c.given_up);
    add_to(&a.tally->full, c.full);
}
