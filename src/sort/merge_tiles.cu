/* The merge sort: `sort_tiles` sorts each tile in a block; then, for every WAYS runs that stand side by side, `cut_runs`
 * finds how much of each comes before every tile of what they merge to, and `merge_runs` merges the tiles, so that
 * elements go through memory once for WAYS times longer runs. Stable: of equal elements the earlier run's come first.
 *
 * An order that is none gives cuts that are no path. `cut_runs` sees that, among neighbours, and the pass then copies its
 * input: the output is a permutation all the same. */
#if WW_ALONE
#include "sort/merge_bitonic.cuh"
#else
#include "sort/merge_columns.cuh"
#endif

/* ---- from memory ---- */

template <class T> WW_DEVICE void bring_number(T *to, const T *from) {
    if constexpr (alignof(T) == sizeof(T) && sizeof(T) >= 4 && sizeof(T) <= 16)
        ww_copy_ahead(to, from);
    else
        *to = *from;
}

/* Brings a part of a run to slots, from `to` on up, or down. They are there after ww_copies_wait and a barrier. */
template <int STEP>
WW_DEVICE void bring_part(const elements &in, uint64_t first, uint32_t count, element *to) {
    const ww_key *const keys = in.keys + first;
#if WW_VALUE
    const ww_value *const values = in.values + first;
#endif
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < count; i += WW_THREADS) {
        bring_number(&to[STEP * int(i)].key, keys + i);
#if WW_VALUE
        bring_number(&to[STEP * int(i)].value, values + i);
#endif
    }
}

/* ---- tiles ---- */

WW_DEVICE element read_element(const sort_arguments &a, uint64_t i) {
    element x;
#if WW_FAR
    x.key = ww_key(a.in.keys ? a.in.keys[i] : i);
#else
    x.key = a.in.keys[i];
#endif
#if WW_COUNTED
    x.value = ww_value(a.first_value + i);
#elif WW_VALUE
    x.value = a.in.values[i];
#endif
    return x;
}

/* A thread's own elements, stably, by the odd-even transposition network: only neighbours change places, and equal ones never. */
WW_DEVICE void sort_neighbours(const element_order &order, uint32_t many, element (&x)[EACH]) {
#pragma unroll 1
    for (int phase = 0; phase < EACH; phase += 2)
#pragma unroll
        for (int step = 0; step < 2 * (EACH / 2); step++) { /* neighbours from 0 on, then from 1 on */
            const int i = step * 2 < EACH - 1 ? step * 2 : step * 2 - (EACH - 2);
            if (i + 1 >= int(many) || !order.before(x[i + 1], x[i])) continue;
            const element first = x[i + 1];
            x[i + 1] = x[i];
            x[i] = first;
        }
}

/* Takes a thread's elements from its slots, and sorts them; returns whether a network would not have been stable. */
WW_DEVICE bool sort_few(const element_order &order, const element *slot, uint32_t many, element (&x)[EACH]) {
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (k < int(many)) x[k] = slot[k];
#if WW_ALONE
    if (many == EACH) {
        sort_any<EACH, 0, 1, 1>(order, x);
        if (!has_ties(order, x)) return false;
#pragma unroll
        for (int k = 0; k < EACH; k++) x[k] = slot[k];
        sort_neighbours(order, many, x);
        return true;
    }
#endif
    sort_neighbours(order, many, x);
    return false;
}

/* The pair of runs of `width` threads each that a thread is in. */
WW_DEVICE run_pair pair_of_width(uint32_t width, uint32_t tile) {
    run_pair p;
    p.thread = threadIdx.x / (2 * width) * (2 * width);
    p.base = p.thread * EACH;
    p.slots = 2 * width * EACH;
    p.lefts = most(above(tile, p.base), width * EACH);
    p.rights = most(above(tile, p.base + width * EACH), width * EACH);
    return p;
}

WW_GPU_KERNEL_HELD(sort_tiles, sort_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED_LARGE(round_shared, s);
    const element_order order(a.far);
    const uint64_t first = blockIdx.x * uint64_t(TILE);
    const uint32_t tile = uint32_t(least(TILE, a.n - first));
    uint32_t mine = most(above(tile, threadIdx.x * EACH), EACH);
    element x[EACH];
#if WW_COUNTED || WW_FAR
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const uint32_t at = k * WW_THREADS + threadIdx.x;
        if (at < tile) s.slot[at] = read_element(a, first + at);
    }
#else
    bring_part<1>(a.in, first, tile, s.slot);
    ww_copies_wait();
#endif
    __syncthreads();
    bool straight = __any_sync(WW_ALL, sort_few(order, s.slot + threadIdx.x * EACH, mine, x));
    __syncthreads();
    for (uint32_t width = 1; width < WW_THREADS && width * EACH < tile; width *= 2) {
        const run_pair p = pair_of_width(width, tile);
        const uint32_t thread = threadIdx.x - p.thread;
        const bool in_warp = 2 * width <= WW_WARP;
        put_run(s.slot, p, thread >= width, thread % width * EACH, mine, x);
        meet(in_warp);
        mine = merge_round(order, s, p, in_warp, straight, x);
    }
    if (straight && threadIdx.x % WW_WARP == 0 && a.ties) atomicOr(a.ties, 1u);
    write_tile(s, x, mine, tile, a.out, first);
}

/* ---- cuts ---- */

/* Runs that become one. */
struct run_group {
    uint64_t first, run, count; /* `count` elements from `first` on */
};

WW_DEVICE run_group group_of(const merge_arguments &a, uint32_t tile) {
    run_group g;
    g.first = a.run * WAYS * (tile / a.in_group);
    g.run = a.run;
    g.count = least(a.run * WAYS, a.n - g.first);
    return g;
}

WW_DEVICE uint64_t run_length(const run_group &g, int k) {
    const uint64_t begin = k * g.run;
    return g.count > begin ? least(g.count - begin, g.run) : 0;
}

/* How the merge of a group's runs stands when it has gone through some of their samples: a run's sample is the last one of
 * each `step` elements. Their keys are kept: each run's next one, and the last that was taken. */
struct run_cut {
    uint64_t step, sum;
    uint64_t taken[WAYS], limit[WAYS]; /* samples */
    element next[WAYS], last[WAYS];
};

/* Sample i of a run, from 1 on. */
WW_DEVICE element sample_at(const merge_arguments &a, const run_group &g, const run_cut &c, int run, uint64_t i) {
    element x;
    x.key = a.in.keys[g.first + run * g.run + i * c.step - 1];
    return x;
}

/* The run whose next sample comes first; of equal ones the earliest run. -1: none is left. */
WW_DEVICE int next_of(const element_order &order, const run_cut &c, element &next) {
    int run = -1;
#pragma unroll
    for (int k = 0; k < WAYS; k++) {
        if (c.taken[k] == c.limit[k] || (run >= 0 && !order.before(c.next[k], next))) continue;
        run = k;
        next = c.next[k];
    }
    return run;
}

/* The run whose last sample that was taken comes last; of equal ones the latest run. -1: none was taken. */
WW_DEVICE int last_of(const element_order &order, const run_cut &c, element &last) {
    int run = -1;
#pragma unroll
    for (int k = 0; k < WAYS; k++) {
        if (!c.taken[k] || (run >= 0 && order.before(c.last[k], last))) continue;
        run = k;
        last = c.last[k];
    }
    return run;
}

WW_DEVICE void take_sample(const merge_arguments &a, const run_group &g, run_cut &c, int run) {
    c.sum++;
#pragma unroll
    for (int k = 0; k < WAYS; k++) {
        if (k != run) continue;
        c.last[k] = c.next[k];
        if (++c.taken[k] < c.limit[k]) c.next[k] = sample_at(a, g, c, k, c.taken[k] + 1);
    }
}

WW_DEVICE void leave_sample(const merge_arguments &a, const run_group &g, run_cut &c, int run) {
    c.sum--;
#pragma unroll
    for (int k = 0; k < WAYS; k++) {
        if (k != run) continue;
        c.next[k] = c.last[k];
        if (--c.taken[k]) c.last[k] = sample_at(a, g, c, k, c.taken[k]);
    }
}

/* Brings the cut to the first `target` samples. From those of steps twice as long there are at most WAYS moves of either
 * kind; where the order is none, moves end after twice as many. */
WW_DEVICE void refine_cut(const merge_arguments &a, const run_group &g, run_cut &c, uint64_t target) {
    const element_order order(a.far);
    element next, last;
#pragma unroll
    for (int k = 0; k < WAYS; k++) {
        if (c.taken[k] < c.limit[k]) c.next[k] = sample_at(a, g, c, k, c.taken[k] + 1);
        if (c.taken[k]) c.last[k] = sample_at(a, g, c, k, c.taken[k]);
    }
    while (c.sum < target) take_sample(a, g, c, next_of(order, c, next));
    while (c.sum > target) leave_sample(a, g, c, last_of(order, c, last));
    for (int moves = 0; moves < 2 * WAYS; moves++) {
        const int to = next_of(order, c, next), from = last_of(order, c, last);
        if (to < 0 || from < 0 || to == from) return;
        if (to < from ? order.before(last, next) : !order.before(next, last)) return;
        leave_sample(a, g, c, from);
        take_sample(a, g, c, to);
    }
}

/* How much of each run is among the first `diagonal` elements of what the runs merge to. */
WW_DEVICE void cut_group(const merge_arguments &a, const run_group &g, uint64_t diagonal, run_cut &c) {
    c.sum = 0;
    c.step = 1;
    while (c.step <= g.run) c.step *= 2;
#pragma unroll
    for (int k = 0; k < WAYS; k++) c.taken[k] = 0;
    if (!diagonal) return;
    while (c.step > 1) {
        uint64_t samples = 0;
        c.step /= 2;
        c.sum *= 2;
#pragma unroll
        for (int k = 0; k < WAYS; k++) {
            c.taken[k] *= 2;
            c.limit[k] = run_length(g, k) / c.step;
            samples += c.limit[k];
        }
        refine_cut(a, g, c, least(diagonal / c.step, samples));
    }
}

struct cut_shared {
    uint64_t taken[WW_CUT_THREADS][WAYS];
};

/* A thread finds where a tile begins. Neighbouring blocks find the cut between them both: each knows its tiles' ends. */
WW_GPU_KERNEL(cut_runs, merge_arguments, WW_CUT_THREADS) {
    WW_SHARED(cut_shared, s);
    const uint32_t tile = blockIdx.x * (WW_CUT_THREADS - 1) + threadIdx.x, in_group = tile % a.in_group;
    const bool mine = threadIdx.x < WW_CUT_THREADS - 1 || blockIdx.x + 1 == gridDim.x;
    run_cut c;
    if (tile < a.tiles) {
        cut_group(a, group_of(a, tile), uint64_t(in_group) * TILE, c);
#pragma unroll
        for (int k = 0; k < WAYS; k++) {
            s.taken[threadIdx.x][k] = c.taken[k];
            if (mine) a.cut[tile * uint64_t(WAYS) + k] = c.taken[k];
        }
    }
    __syncthreads();
    if (!threadIdx.x || !in_group || tile >= a.tiles) return;
    bool broken = false;
#pragma unroll
    for (int k = 0; k < WAYS; k++) broken = broken || s.taken[threadIdx.x][k] < s.taken[threadIdx.x - 1][k];
    if (broken) atomicOr(a.broken, 1u);
}

/* ---- merging ---- */

/* The pairs that a tile's runs are in a round, one behind the other, each in the slots of its own threads and some more: as
 * if the pair's last thread were the last one of its warp. The slots that lanes of one warp take of both runs are
 * neighbours then, counted round. */
WW_DEVICE void place_pairs(const uint32_t (&size)[WAYS], run_pair (&pair)[WAYS / 2]) {
    uint32_t thread = 0, base = 0;
#pragma unroll
    for (int i = 0; i < WAYS / 2; i++) {
        const uint32_t all = size[2 * i] + size[2 * i + 1], threads = (all + EACH - 1) / EACH;
        pair[i].thread = thread;
        pair[i].base = base;
        pair[i].slots = ((thread + threads + WW_WARP - 1) / WW_WARP * WW_WARP - thread) * EACH;
        pair[i].lefts = size[2 * i];
        pair[i].rights = size[2 * i + 1];
        thread += threads;
        base += pair[i].slots;
    }
}

/* Merges a tile's runs, which stand in their pairs' slots, in rounds until there is one; returns how many elements this
 * thread has of it. */
WW_DEVICE uint32_t merge_rounds(const element_order &order, round_shared &s, uint32_t (&size)[WAYS],
                                run_pair (&pair)[WAYS / 2], bool straight, element (&out)[EACH]) {
#pragma unroll 1
    for (;;) {
        uint32_t mine = 0;
        run_pair p = pair[0];
        bool more = false;
#pragma unroll
        for (int i = 0; i < WAYS; i++) {
            if (i && i < WAYS / 2 && threadIdx.x >= pair[i].thread) {
                p = pair[i];
                mine = i;
            }
            if (i >= 2 && size[i]) more = true;
            size[i] = i < WAYS / 2 ? size[2 * i] + size[2 * i + 1] : 0;
        }
        const uint32_t first = (threadIdx.x - p.thread) * EACH, many = merge_round(order, s, p, false, straight, out);
        if (!more) return many;
        place_pairs(size, pair);
        p = pair[0];
#pragma unroll
        for (int i = 1; i < WAYS / 2; i++)
            if (mine / 2 == i) p = pair[i];
        put_run(s.slot, p, mine % 2, first, many, out);
        __syncthreads();
    }
}

WW_GPU_KERNEL_HELD(merge_runs, merge_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED_LARGE(round_shared, s);
    const run_group g = group_of(a, blockIdx.x);
    const uint64_t first = blockIdx.x % a.in_group * uint64_t(TILE), end = least(first + TILE, g.count);
    const uint32_t tile = uint32_t(end - first);
    if (*a.broken) {
        for (uint64_t i = first + threadIdx.x; i < end; i += WW_THREADS)
            put_element(a.out, g.first + i, element_at(a.in, g.first + i));
        return;
    }
    uint64_t begin[WAYS];
    uint32_t size[WAYS];
    run_pair pair[WAYS / 2];
#pragma unroll
    for (int k = 0; k < WAYS; k++) {
        const uint64_t from = a.cut[blockIdx.x * uint64_t(WAYS) + k];
        const uint64_t until = end == g.count ? run_length(g, k) : a.cut[(blockIdx.x + 1) * uint64_t(WAYS) + k];
        begin[k] = k * g.run + from;
        size[k] = uint32_t(until - from);
    }
    place_pairs(size, pair);
#pragma unroll
    for (int k = 0; k < WAYS; k += 2) {
        element *const slot = s.slot + pair[k / 2].base;
        bring_part<1>(a.in, g.first + begin[k], size[k], slot);
        bring_part<-1>(a.in, g.first + begin[k + 1], size[k + 1], slot + pair[k / 2].slots - 1);
    }
    ww_copies_wait();
    __syncthreads();
    element out[EACH];
    const uint32_t mine = merge_rounds(element_order(a.far), s, size, pair, *a.ties, out);
    write_tile(s, out, mine, tile, a.out, g.first + first);
}
