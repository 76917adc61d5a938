/* Quicksort by scans: all segments at once are split in three by a key of each, the pivot.
 *
 * What is known of a segment stands at places that it covers: every place knows where its segment begins, and there stand the
 * segment's length, 0 once it is in order, and behind that where its pivot is. Segments longer than WW_MOST are live: a
 * round splits them. The others wait in place for the last kernel, which sorts each in a block's shared memory.
 *     quick_pivots     the middle one of nine keys of each live segment, as a median of medians of three
 *     quick_compare    for each place 2^32 where its key goes before the pivot, 1 where neither goes before the other
 *     (a scan adds these up, exclusively, over all segments at once: differences are counts inside one)
 *     quick_split      keys to their new places, stably, and the new segments
 *     quick_finish     short segments to the output in order
 * Rounds are queued without knowing how many it takes: live[r] says whether round r has a live segment, and where it has
 * none the round does nothing, so that data are where the last live round left them. */
#include "sort/named/network.cuh"
#include "sort/ordering.cuh"
#include "sort/named/quick_arguments.cuh"

typedef quick_fixed quick_arguments;

WW_DEVICE uint64_t thread_of_all() { return uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x; }
WW_DEVICE bool round_lives(const quick_arguments &a) { return ww_load_relaxed(&a.live[a.round]) != 0; }

/* The keys are where round 0 reads them. */
WW_GPU_KERNEL(quick_begin, quick_arguments, WW_THREADS) {
    const uint64_t i = thread_of_all();
    if (i <= a.rounds) a.live[i] = i == 0 && a.count > WW_MOST;
    if (i >= a.count) return;
    a.data[0].position[i] = uint32_t(i);
    a.data[0].begin[i] = 0;
    if (i == 0) a.data[0].length[0] = uint32_t(a.count);
}

WW_DEVICE uint32_t middle_of(const quick_arguments &a, const ww_item *key, uint32_t x, uint32_t y, uint32_t z) {
    if (key_before(a.ordering, key[y], key[x])) {
        const uint32_t t = x;
        x = y;
        y = t;
    }
    if (!key_before(a.ordering, key[z], key[y])) return y;
    return key_before(a.ordering, key[z], key[x]) ? x : z;
}

WW_GPU_KERNEL(quick_pivots, quick_arguments, WW_THREADS) {
    const quick_data &d = a.data[a.round % 2];
    const uint64_t i = thread_of_all();
    if (!round_lives(a) || i >= a.count || d.begin[i] != i || d.length[i] <= WW_MOST) return;
    const uint32_t first = uint32_t(i), part = d.length[i] / 8;
    const uint32_t low = middle_of(a, d.key, first, first + part, first + 2 * part);
    const uint32_t mid = middle_of(a, d.key, first + 3 * part, first + 4 * part, first + 5 * part);
    const uint32_t high = middle_of(a, d.key, first + 6 * part, first + 7 * part, first + d.length[i] - 1);
    d.length[i + 1] = middle_of(a, d.key, low, mid, high);
}

/* 0 before the pivot, 1 neither before it nor behind, 2 behind. */
WW_DEVICE uint32_t side_of(const quick_arguments &a, const ww_item &x, const ww_item &pivot) {
    return key_before(a.ordering, x, pivot) ? 0 : key_before(a.ordering, pivot, x) ? 2 : 1;
}

WW_GPU_KERNEL(quick_compare, quick_arguments, WW_THREADS) {
    const quick_data &d = a.data[a.round % 2];
    const uint64_t i = thread_of_all();
    if (!round_lives(a) || i > a.count) return;
    uint64_t what = 0;
    if (i < a.count) {
        const uint32_t begin = d.begin[i];
        if (d.length[begin] > WW_MOST) {
            const uint32_t side = side_of(a, d.key[i], d.key[d.length[begin + 1]]);
            what = side == 0 ? uint64_t(1) << 32 : side == 1 ? 1 : 0;
        }
    }
    a.counts[i] = what;
}

struct quick_place {
    uint32_t at, begin, length;
};

WW_DEVICE quick_place place_of(const quick_arguments &a, const quick_data &d, uint32_t i) {
    quick_place p;
    p.at = i;
    p.begin = d.begin[i];
    p.length = d.length[p.begin];
    if (p.length <= WW_MOST) return p;
    const uint64_t first = a.counts[p.begin], own = a.counts[i] - first, all = a.counts[p.begin + p.length] - first;
    const uint32_t befores = uint32_t(all >> 32), equals = uint32_t(all), before = uint32_t(own >> 32);
    const uint32_t equal = uint32_t(own), side = side_of(a, d.key[i], d.key[d.length[p.begin + 1]]);
    const uint32_t rank = side == 0 ? before : side == 1 ? equal : i - p.begin - before - equal;
    p.length = side == 0 ? befores : side == 1 ? 0 : p.length - befores - equals;
    p.begin += side == 0 ? 0 : side == 1 ? befores : befores + equals;
    p.at = p.begin + rank;
    return p;
}

WW_GPU_KERNEL(quick_split, quick_arguments, WW_THREADS) {
    const quick_data &d = a.data[a.round % 2], &to = a.data[(a.round + 1) % 2];
    const uint64_t i = thread_of_all();
    if (!round_lives(a) || i >= a.count) return;
    const quick_place p = place_of(a, d, uint32_t(i));
    to.key[p.at] = d.key[i];
    to.position[p.at] = d.position[i];
    to.begin[p.at] = p.begin;
    if (p.at != p.begin) return;
    to.length[p.at] = p.length;
    if (p.length > WW_MOST) ww_store_relaxed(&a.live[a.round + 1], 1u);
}

struct quick_tile {
    ww_item key[2 * WW_MOST];
    uint32_t position[2 * WW_MOST];
    uint32_t begin[2 * WW_MOST];
    WW_DEVICE_MEMBER quick_tile() {}
};

/* A block has the short segments that begin among its WW_MOST places; these end among the next WW_MOST ones at most. In the
 * tile a place that is not theirs says UINT32_MAX, and comparators do nothing between segments: the elements of each stay
 * together as they are, so it is one network over all. Behind the rounds the output may be where the data are. */
WW_GPU_KERNEL(quick_finish, quick_arguments, WW_THREADS) {
    WW_SHARED(quick_tile, s);
    uint32_t round = 0;
    while (round < a.rounds && ww_load_relaxed(&a.live[round])) round++;
    const bool done = ww_load_relaxed(&a.live[a.rounds]) != 0; /* by other means */
    const quick_data &d = a.data[round % 2];
    const uint64_t first = uint64_t(blockIdx.x) * WW_MOST;
    for (uint32_t at = threadIdx.x; at < 2 * WW_MOST; at += WW_THREADS) {
        const uint64_t i = first + at;
        s.begin[at] = UINT32_MAX;
        if (i >= a.count) continue;
        const uint32_t begin = d.begin[i], length = d.length[begin];
        const bool is_short = !done && length && length <= WW_MOST;
        if (is_short && begin >= first && begin < first + WW_MOST) {
            s.begin[at] = begin;
            s.key[at] = d.key[i];
            s.position[at] = d.position[i];
        } else if (!is_short && at < WW_MOST && d.key != a.keys_out) {
            a.keys_out[i] = d.key[i];
            a.positions_out[i] = d.position[i];
        }
    }
    __syncthreads();
    for (uint32_t wide = 0, narrow = 0; wide < WW_LEVELS; network_next(NETWORK_BITONIC, &wide, &narrow)) {
        const ww_phase p = network_phase(NETWORK_BITONIC, wide, narrow);
        for (uint32_t c = threadIdx.x; c < WW_MOST; c += WW_THREADS) {
            const uint64_t low = comparator_low(&p, c), high = comparator_high(&p, low);
            if (s.begin[low] == s.begin[high] && s.begin[low] != UINT32_MAX)
                compare_exchange(a.ordering, s.key, s.position, low, high);
        }
        __syncthreads();
    }
    for (uint32_t at = threadIdx.x; at < 2 * WW_MOST; at += WW_THREADS)
        if (s.begin[at] != UINT32_MAX) {
            a.keys_out[first + at] = s.key[at];
            a.positions_out[first + at] = s.position[at];
        }
}
