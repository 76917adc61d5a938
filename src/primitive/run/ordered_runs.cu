/* Reduction by key in the CPU's brackets (docs/determinism.md), behind run_lengths.cu, which has told where runs begin.
 *
 * The CPU cuts values into brackets of a.bracket elements, and runs into pieces where brackets end.
 * fold_pieces: a warp has a bracket at a time, and finds the run that reaches into it by halves. A lane adds up a piece of less than WW_SERIAL
 * elements, a team of lanes (primitive/reduce/fold.cuh) a longer one. Of a run that begins in the bracket the piece goes to the run's
 * place, the piece of an earlier run to the bracket's.
 * join_pieces: a warp looks whether a bracket's last run goes on, and adds the pieces of the brackets behind to it, one after the other. */
#include "device/kernel/counted.cuh"

#include "primitive/run/ordered_runs_arguments.cuh"

struct ordered_runs_arguments : ordered_runs_fixed {
    in_input in;
};

#include "primitive/reduce/fold.cuh"

enum { WARPS = WW_THREADS / WW_WARP, WARP_TEAMS = WW_WARP / WW_TEAM };

/* Run number `runs` begins behind the last element. */
WW_DEVICE uint64_t begin_of(const ordered_runs_arguments &a, uint64_t run) { return a.begins[run]; }

/* The last run that begins at or before element `first`. */
WW_DEVICE uint64_t run_at(const ordered_runs_arguments &a, uint64_t first, uint64_t runs) {
    uint64_t low = 0, high = runs; /* low begins at or before it, high behind it */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (begin_of(a, middle) <= first) low = middle;
        else high = middle;
    }
    return low;
}

struct ww_piece {
    uint64_t run, begin;
    uint32_t length;
    bool begins; /* with its run */
};

WW_DEVICE void put_piece(const ordered_runs_arguments &a, uint64_t bracket, const ww_piece &p, const in_item &sum) {
    if (!p.begins) a.piece[bracket] = sum;
    else if (p.run < a.values_room) a.values[p.run] = sum;
}

/* The pieces of 32 runs, one for each lane. */
WW_DEVICE void fold_runs(const ordered_runs_arguments &a, uint64_t bracket, const ww_piece &p) {
    const uint32_t lane = threadIdx.x % WW_WARP, team = lane / WW_TEAM;
    if (p.length && p.length < WW_SERIAL) {
        in_item sum = in_at(a.in, p.begin);
        for (uint32_t k = 1; k < p.length; k++) sum = ww_op(sum, in_at(a.in, p.begin + k));
        put_piece(a, bracket, p, sum);
    }
    uint32_t left = __ballot_sync(WW_ALL, p.length >= WW_SERIAL);
    while (left) {
        int mine = -1; /* the lane whose piece the team folds */
#pragma unroll
        for (uint32_t t = 0; t < WARP_TEAMS; t++) {
            if (left && team == t) mine = __ffs(int(left)) - 1;
            left &= left - 1;
        }
        const ww_piece q = ww_lane(p, mine < 0 ? 0 : mine);
        const in_item sum = fold_tile(a.in, q.begin, q.length, mine >= 0);
        if (mine >= 0 && lane % WW_TEAM == 0) put_piece(a, bracket, q, sum);
    }
}

WW_DEVICE void fold_bracket(const ordered_runs_arguments &a, uint64_t bracket, uint64_t count, uint64_t runs) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    const uint64_t first = bracket * a.bracket, end = count - first < a.bracket ? count : first + a.bracket;
    bool all = false;
    for (uint64_t run = run_at(a, first, runs); !all; run += WW_WARP) {
        ww_piece p = {run + lane, 0, 0, false};
        uint64_t begin = count, behind = count;
        if (p.run < runs) {
            begin = begin_of(a, p.run);
            behind = begin_of(a, p.run + 1);
        }
        if (begin < end) {
            p.begins = begin >= first;
            p.begin = p.begins ? begin : first;
            p.length = uint32_t((behind < end ? behind : end) - p.begin);
            if (behind >= end) a.open[bracket] = p.begins && behind > end ? p.run + 1 : 0;
        }
        all = __any_sync(WW_ALL, behind >= end);
        fold_runs(a, bracket, p);
    }
}

/* A warp's first bracket, and how many there are. */
WW_DEVICE uint64_t first_bracket() { return blockIdx.x * uint64_t(WARPS) + threadIdx.x / WW_WARP; }
WW_DEVICE uint64_t brackets_of(const ordered_runs_arguments &a, uint64_t count) { return (count + a.bracket - 1) / a.bracket; }

WW_LOOP_KERNEL(fold_pieces, ordered_runs_arguments, WW_THREADS) {
    const uint64_t runs = *a.runs, count = runs ? begin_of(a, runs) : 0, brackets = brackets_of(a, count);
    for (uint64_t b = first_bracket(); b < brackets; b += gridDim.x * uint64_t(WARPS)) fold_bracket(a, b, count, runs);
}

/* Run `run` begins in `bracket`, and goes on behind it. */
WW_DEVICE void join_run(const ordered_runs_arguments &a, uint64_t bracket, uint64_t run) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    const uint64_t last = (begin_of(a, run + 1) - 1) / a.bracket;
    in_item sum = a.values[run], next = a.piece[bracket + 1 + lane <= last ? bracket + 1 + lane : last];
    for (uint64_t b = bracket + 1; b <= last; b += WW_WARP) {
        const in_item now = next;
        const uint64_t further = b + WW_WARP + lane;
        if (b + WW_WARP <= last) next = a.piece[further <= last ? further : last];
        const uint32_t many = last - b + 1 < WW_WARP ? uint32_t(last - b + 1) : WW_WARP;
        for (uint32_t k = 0; k < many; k++) sum = ww_op(sum, ww_lane(now, int(k)));
    }
    __syncwarp(); /* all lanes have read what is replaced */
    if (lane == 0) a.values[run] = sum;
}

WW_LOOP_KERNEL(join_pieces, ordered_runs_arguments, WW_THREADS) {
    const uint64_t runs = *a.runs, brackets = brackets_of(a, runs ? begin_of(a, runs) : 0);
    for (uint64_t b = first_bracket(); b < brackets; b += gridDim.x * uint64_t(WARPS)) {
        const uint64_t open = a.open[b];
        if (open && open <= a.values_room) join_run(a, b, open - 1);
    }
}
