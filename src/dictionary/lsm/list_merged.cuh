/* Short ranges of a block whose parts of levels are in shared memory: they are merged, pair by pair, and what does not count (a newer level
 * has the key, or it is a deletion) is left out. Then a range is one search, and what it has stands in one piece. A thread makes WW_MERGED
 * neighbours of what comes out, in registers, since it takes the place of what went in; they are an odd number, so that threads that do
 * the same meet in no bank. */
#ifndef WW_LSM_LIST_MERGED_CUH
#define WW_LSM_LIST_MERGED_CUH

#include "dictionary/lsm/list_parts.cuh"

static_assert(WW_MERGED % 2 && WW_MERGED < 32, "no banks meet; a word has a bit for each");

/* A power of two, and all levels but one are not more than it and those below it. */
enum { LEVEL_STEP = WW_LEVELS > 32 ? 32 : WW_LEVELS > 16 ? 16 : WW_LEVELS / 2 };

struct neighbours {
    uint32_t many;
    ww_key key[WW_MERGED];
    uint32_t from[(WW_MERGED + 1) / 2]; /* two in a word */
};

/* In the order of e. */
WW_DEVICE void set_from(neighbours &n, uint32_t e, uint32_t from) {
    n.from[e / 2] = e % 2 ? n.from[e / 2] | from << 16 : from;
}
WW_DEVICE uint16_t from_of(const neighbours &n, uint32_t e) { return uint16_t(n.from[e / 2] >> 16 * (e % 2)); }

/* ---- merging ---- */

/* What is left of a sorted part. */
struct rest {
    uint32_t at, end;
};

/* Part number j of `many`, or nothing. */
WW_DEVICE rest part_at(const merging &m, uint32_t many, uint32_t j) {
    if (j >= many) return {0, 0};
    return {m.begin[j], m.begin[j] + m.count[j]};
}

/* How many of the first `d` elements of two parts' merge are of the first one, whose elements go before equal ones. */
WW_DEVICE uint32_t split_of(const merging &m, const rest &a, const rest &b, uint32_t d) {
    const uint32_t of_a = a.end - a.at, of_b = b.end - b.at;
    uint32_t low = d > of_b ? d - of_b : 0, high = min(d, of_a);
#pragma unroll 1
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (m.key[a.at + middle] <= m.key[b.at + d - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first n.many of the merge of a and b. What stands behind the end of one of them is read, and not used. */
WW_DEVICE void merge_neighbours(const merging &m, bool is_first, rest a, rest b, neighbours &n) {
    ww_key of_a = m.key[a.at], of_b = m.key[b.at];
#pragma unroll
    for (uint32_t e = 0; e < WW_MERGED; e++) {
        if (e == n.many) break;
        const bool takes_a = b.at == b.end || (a.at != a.end && of_a <= of_b);
        const uint32_t at = takes_a ? a.at : b.at;
        const ww_key next = m.key[at + 1];
        n.key[e] = takes_a ? of_a : of_b;
        set_from(n, e, is_first ? at : m.from[at]);
        a.at = takes_a ? at + 1 : a.at;
        b.at = takes_a ? b.at : at + 1;
        of_a = takes_a ? next : of_a;
        of_b = takes_a ? of_b : next;
    }
}

/* Makes one sorted part of each two neighbours of `many`. A thread has one pair's elements alone. is_first: keys are where they were
 * copied to. */
WW_DEVICE void merge_pairs(merging &m, uint32_t many, bool is_first) {
    const uint32_t pairs = (many + 1) / 2;
    uint32_t pair = 0, to = 0, sum = 0, own_begin = 0,
             own_count = 0; /* own: of the pair that has the thread's number */
    neighbours n;
    n.many = 0;
    for (uint32_t p = 0, threads = 0; p < pairs; p++) {
        const uint32_t count = m.count[2 * p] + (2 * p + 1 < many ? m.count[2 * p + 1] : 0);
        if (p == threadIdx.x) {
            own_begin = sum;
            own_count = count;
        }
        const uint32_t first = (threadIdx.x - threads) * WW_MERGED;
        if (threadIdx.x >= threads && first < count) {
            pair = p;
            to = first;
            n.many = min(count - first, uint32_t(WW_MERGED));
        }
        sum += count;
        threads += (count + WW_MERGED - 1) / WW_MERGED;
    }
    if (n.many) {
        rest a = part_at(m, many, 2 * pair), b = part_at(m, many, 2 * pair + 1);
        const uint32_t of_a = split_of(m, a, b, to);
        a.at += of_a;
        b.at += to - of_a;
        merge_neighbours(m, is_first, a, b, n);
        for (uint32_t p = 0; p < pair; p++) to += m.count[2 * p] + m.count[2 * p + 1];
    }
    __syncthreads();
#pragma unroll
    for (uint32_t e = 0; e < WW_MERGED; e++) {
        if (e == n.many) break;
        m.key[to + e] = n.key[e];
        m.from[to + e] = from_of(n, e);
    }
    if (threadIdx.x < pairs) {
        m.begin[threadIdx.x] = own_begin;
        m.count[threadIdx.x] = own_count;
    }
    __syncthreads();
}

/* ---- what counts ---- */

/* The level of what was copied to number `at`: the last that begins at it or before it. */
WW_DEVICE uint32_t level_of(const merging &m, uint32_t at) {
    uint32_t level = 0;
#pragma unroll
    for (uint32_t step = LEVEL_STEP; step; step /= 2)
        if (level + step < WW_LEVELS && m.copied[level + step] <= at) level += step;
    return level;
}

WW_DEVICE bool is_dead_of(const find_shared &s, uint32_t at) {
    const slice &part = s.part[level_of(s.all, at)];
    return part.dead && part.dead[at - part.at];
}

/* How many keys that count other threads have before this one's `own`, and all have: `all`. */
WW_DEVICE uint32_t kept_before(merging &m, uint32_t own, uint32_t &all) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    uint32_t until = own;
    for (uint32_t by = 1; by < WW_WARP; by *= 2) {
        const uint32_t other = __shfl_up_sync(WW_ALL, until, by);
        if (lane >= by) until += other;
    }
    if (lane == WW_WARP - 1) m.kept[warp] = until;
    __syncthreads();
    all = 0;
    for (uint32_t w = 0; w < WARPS; w++) {
        if (w == warp) until += all;
        all += m.kept[w];
    }
    return until - own;
}

/* Leaves the keys that count, and returns how many. */
WW_DEVICE uint32_t keep_visible(find_shared &s, bool is_first) {
    merging &m = s.all;
    const uint32_t first = threadIdx.x * WW_MERGED, count = m.count[0], begin = m.begin[0] + first;
    neighbours n;
    uint32_t kept = 0;
    n.many = first < count ? min(count - first, uint32_t(WW_MERGED)) : 0;
    ww_key last = n.many && first ? m.key[begin - 1] : 0;
#pragma unroll
    for (uint32_t e = 0; e < WW_MERGED; e++) {
        if (e == n.many) break;
        n.key[e] = m.key[begin + e];
        kept |= uint32_t(n.key[e] != last) << e;
        last = n.key[e];
    }
    if (n.many && !first) kept |= 1;
    if (s.has_dead)
        for (uint32_t e = 0; e < n.many; e++)
            if (is_dead_of(s, is_first ? begin + e : m.from[begin + e])) kept &= ~(1u << e);
    const uint32_t own = uint32_t(__popc(kept));
    if (__syncthreads_and(own == n.many && !is_first)) return count;
#pragma unroll
    for (uint32_t e = 0; e < WW_MERGED; e++) {
        if (e == n.many) break;
        set_from(n, e, is_first ? begin + e : m.from[begin + e]);
    }
    uint32_t all, to = kept_before(m, own, all);
#pragma unroll
    for (uint32_t e = 0; e < WW_MERGED; e++) {
        if (!(kept >> e & 1)) continue;
        m.key[to] = n.key[e];
        m.from[to++] = from_of(n, e);
    }
    __syncthreads();
    return all;
}

/* Merges the block's parts; returns how many keys count. */
WW_DEVICE uint32_t merge_parts(const list_arguments &a, find_shared &s) {
    const uint32_t levels = uint32_t(a.runs.many);
    for (uint32_t j = threadIdx.x; j < WW_LEVELS; j += WW_THREADS) {
        const bool is = j < levels;
        s.all.copied[j] = is ? s.part[j].at : UINT32_MAX;
        s.all.begin[j] = is ? s.part[j].at : 0;
        s.all.count[j] = is ? s.part[j].many : 0;
    }
    __syncthreads();
    for (uint32_t many = levels; many > 1; many = (many + 1) / 2) merge_pairs(s.all, many, many == levels);
    return keep_visible(s, levels == 1);
}

/* ---- lists ---- */

/* How many keys a range has, of so many that count in all, from number `from` on; SHORT + 1 where there are more or there may be. */
WW_DEVICE uint32_t keys_of(const find_shared &s, uint32_t all, ww_key low, ww_key high, uint32_t &from) {
    from = first_of(s.all.key, all, low);
    if (s.is_cut && high >= s.limit) return SHORT + 1;
    return many_of(s.all.key, from, min(all, from + SHORT + 1), high);
}

WW_DEVICE entry entry_at(const find_shared &s, uint32_t k) {
    entry x = {s.all.key[k]};
#if WW_VALUES
    const uint32_t at = s.all.from[k], level = level_of(s.all, at);
    const slice &part = s.part[level];
#if WW_CARRIED
    x.value = part.values[at - part.at];
#else
    x.place = (part.first + (at - part.at)) | uint64_t(level) << LEVEL_AT;
#endif
#endif
    return x;
}

/* Lists a warp's short ranges from number `to` on. This lane's begins at number `from` of what is merged. */
WW_DEVICE void list_merged(const list_arguments &a, const find_shared &s, const shares &mine, uint32_t from,
                           uint64_t to) {
    const uint32_t less = from - mine.before, until = mine.before + mine.sum;
    for (uint32_t first = threadIdx.x % WW_WARP; first - threadIdx.x % WW_WARP < mine.all; first += AT_ONCE * WW_WARP) {
        entry x[AT_ONCE];
#pragma unroll
        for (uint32_t k = 0; k < AT_ONCE; k++) {
            const uint32_t e = first + k * WW_WARP;
            const int lane = int(lane_of(until, e));
            const uint32_t source = __shfl_sync(WW_ALL, less, lane % WW_WARP) + e;
            if (e < mine.all) x[k] = entry_at(s, source);
        }
#pragma unroll
        for (uint32_t k = 0; k < AT_ONCE; k++)
            if (first + k * WW_WARP < mine.all) list_of(a)[to + first + k * WW_WARP] = x[k];
    }
}

#endif
