/* The merge sort: `sort_tiles` sorts each tile in a block; then, for every WAYS runs that stand side by side, `cut_runs`
 * finds how much of each comes before every tile of what they merge to, and `merge_runs` merges the tiles, so that
 * elements go through memory once for WAYS times longer runs. Stable: of equal elements the earlier run's come first.
 *
 * An order that is none gives cuts that are no path. `cut_runs` sees that, among neighbours, and the pass then copies its
 * input: the output is a permutation all the same. */
#if WW_ALONE
#include "sort/merge/merge_bitonic.cuh"
#else
#include "sort/merge/merge_columns.cuh"
#endif
#include "sort/merge/merge_bring.cuh"

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
    ww_in_line();
    const element_order order(a.far);
    clear_words(a.zeros, a.zero_words);
    if (a.only && !a.only[blockIdx.x]) return;
    const uint64_t first = blockIdx.x * uint64_t(a.tile);
    const uint32_t tile = uint32_t(least(a.tile, a.n - first));
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

/* WAYS lanes side by side find a cut, each for the run of its own number: how much of it comes before. They go through samples of
 * the runs, the last one of each 2^level elements. Of its run a lane keeps the last sample that was taken and the next one; and
 * those beside these two, if has_before or has_after says so. `sum`: samples that were taken of all the runs. */
struct run_cut {
    const ww_key *keys; /* the run's */
    int mine, level;
    uint64_t sum, length, taken, limit;
    element before, last, next, after;
    bool has_before, has_after;
};

/* Sample i, from 1 on. */
WW_DEVICE element sample_at(const run_cut &c, uint64_t i) {
    element x;
    x.key = c.keys[(i << c.level) - 1];
    return x;
}

/* One of the lanes' samples; -1: none has any. */
struct chosen_sample {
    element x;
    int run;
};

WW_DEVICE chosen_sample sample_across(const chosen_sample &c, int lanes) {
    chosen_sample other;
    other.x.key = ww_lane_across(c.x.key, lanes);
    other.run = ww_lane_across(c.run, lanes);
    return other;
}

/* The next sample that comes first; of equal ones the earliest run's. */
WW_DEVICE chosen_sample next_of(const element_order &order, const run_cut &c) {
    chosen_sample x = {c.next, c.taken < c.limit ? c.mine : -1};
#pragma unroll
    for (int lanes = 1; lanes < WAYS; lanes *= 2) {
        const chosen_sample y = sample_across(x, lanes);
        if (y.run >= 0 && (x.run < 0 || (y.run < x.run ? !order.before(x.x, y.x) : order.before(y.x, x.x)))) x = y;
    }
    return x;
}

/* The last sample that comes last; of equal ones the latest run's. */
WW_DEVICE chosen_sample last_of(const element_order &order, const run_cut &c) {
    chosen_sample x = {c.last, c.taken ? c.mine : -1};
#pragma unroll
    for (int lanes = 1; lanes < WAYS; lanes *= 2) {
        const chosen_sample y = sample_across(x, lanes);
        if (y.run >= 0 && (x.run < 0 || (y.run > x.run ? !order.before(y.x, x.x) : order.before(x.x, y.x)))) x = y;
    }
    return x;
}

WW_DEVICE void take_sample(run_cut &c, int run) {
    c.sum++;
    if (run != c.mine) return;
    c.before = c.last;
    c.last = c.next;
    c.next = c.after;
    if (++c.taken < c.limit && !c.has_after) c.next = sample_at(c, c.taken + 1);
    c.has_before = true;
    c.has_after = false;
}

WW_DEVICE void leave_sample(run_cut &c, int run) {
    c.sum--;
    if (run != c.mine) return;
    c.after = c.next;
    c.next = c.last;
    c.last = c.before;
    if (--c.taken && !c.has_before) c.last = sample_at(c, c.taken);
    c.has_after = true;
    c.has_before = false;
}

/* Goes over to samples of half the step: the last one stays, and what was the next one stands behind a new one. Those that are new
 * are read at once, so that few of the moves wait for memory. Returns how many samples there are of all the runs. */
WW_DEVICE uint64_t halve_steps(run_cut &c) {
    c.level--;
    c.sum *= 2;
    c.has_after = c.taken < c.limit;
    c.after = c.next;
    c.taken *= 2;
    c.has_before = c.taken != 0;
    c.limit = c.length >> c.level;
    if (c.taken < c.limit) c.next = sample_at(c, c.taken + 1);
    if (c.has_before) c.before = sample_at(c, c.taken - 1);
    uint64_t samples = c.limit;
#pragma unroll
    for (int lanes = 1; lanes < WAYS; lanes *= 2) samples += ww_lane_across(samples, lanes);
    return samples;
}

/* Brings the cut to the first `target` samples. From those of the level above there are at most WAYS moves of either kind; where
 * the order is none, moves end after twice as many. */
WW_DEVICE void refine_cut(const element_order &order, run_cut &c, uint64_t target) {
    while (__any_sync(WW_ALL, c.sum < target)) {
        const chosen_sample to = next_of(order, c);
        if (c.sum < target) take_sample(c, to.run);
    }
    while (__any_sync(WW_ALL, c.sum > target)) {
        const chosen_sample from = last_of(order, c);
        if (c.sum > target) leave_sample(c, from.run);
    }
    bool moves = true;
    for (int i = 0; i < 2 * WAYS; i++) {
        const chosen_sample to = next_of(order, c), from = last_of(order, c);
        moves = moves && to.run >= 0 && from.run >= 0 && to.run != from.run;
        if (moves) moves = to.run < from.run ? !order.before(from.x, to.x) : order.before(to.x, from.x);
        if (!__any_sync(WW_ALL, moves)) return;
        if (!moves) continue;
        leave_sample(c, from.run);
        take_sample(c, to.run);
    }
}

/* How much of the lane's run is among the first `diagonal` elements of what the runs merge to. */
WW_DEVICE uint64_t cut_group(const merge_arguments &a, const run_group &g, uint64_t diagonal) {
    const element_order order(a.far);
    run_cut c = {};
    c.mine = threadIdx.x % WAYS;
    c.keys = a.in.keys + g.first + c.mine * g.run;
    c.length = run_length(g, c.mine);
    while (g.run >> c.level) c.level++;
    while (c.level) {
        const uint64_t samples = halve_steps(c);
        refine_cut(order, c, least(diagonal >> c.level, samples));
    }
    return c.taken;
}

/* WAYS lanes find where a tile begins. Neighbouring blocks find the cut between them both: each knows its tiles' ends. */
enum { CUTS = WW_CUT_THREADS / WAYS };
struct cut_shared {
    uint64_t taken[WW_CUT_THREADS];
};

WW_GPU_KERNEL(cut_runs, merge_arguments, WW_CUT_THREADS) {
    WW_SHARED(cut_shared, s);
    ww_in_line();
    const uint32_t cut = threadIdx.x / WAYS, tile = blockIdx.x * (CUTS - 1) + cut, in_group = tile % a.in_group;
    const bool there = tile < a.tiles; /* lanes go on together, also those that have nothing to do */
    const uint64_t taken = cut_group(a, group_of(a, there ? tile : 0), there ? uint64_t(in_group) * TILE : 0);
    s.taken[threadIdx.x] = taken;
    __syncthreads();
    if (!there) return;
    if (cut < CUTS - 1 || blockIdx.x + 1 == gridDim.x) a.cut[tile * uint64_t(WAYS) + threadIdx.x % WAYS] = taken;
    if (cut && in_group && taken < s.taken[threadIdx.x - WAYS]) atomicOr(a.broken, 1u);
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
    ww_in_line();
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
