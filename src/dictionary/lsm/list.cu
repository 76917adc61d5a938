/* Ranges, up to some millions at a time.
 *
 * find: a thread for each range finds where its elements lie in each level. Levels' parts in which a block's ranges begin are in shared memory
 * as far as there is room for them, the shorter levels' first: ranges that come in order are near one another. Of a short range, which has
 * few elements, hidden ones and deletions among them, these are collected, and each learns by a look at the others whether it counts (no
 * newer level has its key, and it is no deletion) and how many keys that count are before it: so a warp writes its ranges' lists in
 * whole lines. bring: when a scan has made offsets of how many keys each range has, these lists go to where they belong, in the order of
 * all ranges, so that what is written is in whole lines too. list: of long ranges a thread for each element, so that one long range is no
 * more work than many shorter ones, sees whether it counts, and how many keys there are before it in the range, by its place in each level
 * and the indexes: that is where it goes. A scan of how many elements long ranges have gives each of these a number.
 *
 * Reads the bounds once; reads the elements between the bounds once, of long ranges those of the other levels between them by binary search,
 * and writes 16 bytes for each of these and level; writes what is listed once, of short ranges twice.
 *
 * WW_VALUES: 1 values are wanted; WW_CARRIED: they stand in the lists, else their places do. WW_ORDERED: 1 ranges come in the order of
 * order.cu, by their lower bounds. WW_LEVELS: as many levels or more than there are. WW_STAGED: keys of levels' parts in shared memory,
 * WW_PICKED: elements that a warp collects at once, in WW_SHARED_BYTES. WW_PART_MOST: elements of a level's part; where there are more a
 * block's ranges are taken for long ones. */
#include "device/kernel/counted.cuh"
#include "dictionary/lsm/parts.cuh"

#if !WW_VALUES
typedef uint8_t ww_value;
#endif
#include "dictionary/lsm/list_arguments.cuh"
#include "dictionary/lsm/query.cuh"

#if WW_CARRIED
typedef ww_value ww_with;
#else
typedef uint64_t ww_with; /* the place, and from bit LEVEL_AT on the level */
#endif

enum { WARPS = WW_THREADS / WW_WARP, LEVEL_AT = 56, EACH = 16 / sizeof(ww_key) };

/* Keys that are moved and compared together. */
struct alignas(16) some_keys {
    ww_key key[EACH];
};

#define SHORT uint32_t(WW_LSM_SHORT)
#define IS_LONG UINT32_MAX
#define NOT_STAGED UINT32_MAX

struct list_arguments : list_fixed {
#if !WW_ORDERED
    low_input low;
#endif
    high_input high;
};

/* Where range q's upper bound and offset stand. */
WW_DEVICE uint64_t standing_at(const list_arguments &a, uint64_t q) {
#if WW_ORDERED
    return query_at(a.queries, q).position;
#else
    return a.first + q;
#endif
}

WW_DEVICE ww_key lower_bound_of(const list_arguments &a, uint64_t q) {
#if WW_ORDERED
    return query_at(a.queries, q).key;
#else
    return low_at(a.low, a.first + q);
#endif
}

/* ---- where ranges begin ---- */

/* A part of a level: the places where a block's ranges begin, and what a short one has behind the last of them. */
struct slice {
    uint64_t first;
    const ww_value *values; /* those of the part; of deletions likewise, or null */
    const uint8_t *dead;
    uint32_t span, many, at; /* at: in shared memory, as many places behind a word of 16 bytes as in the level */
};

/* What a warp's short ranges have: the keys, those of each range from a word of 16 bytes on, filled up with the largest key; and one behind
 * the other the place in its level's part, and the lane and the level. */
enum { LEVEL_BIT = 5, VISIBLE = 1 << 15 };
struct picked {
    alignas(16) ww_key key[WW_PICKED];
    uint32_t place[WW_PICKED];
    uint16_t of[WW_PICKED];
};

struct find_shared {
    block_parts ends; /* of the block's lower bounds */
    slice part[WW_LEVELS];
    bool is_wide; /* a part has more than WW_PART_MOST elements */
    alignas(16) ww_key key[WW_STAGED];
    picked by_warp[WARPS];
};
static_assert(sizeof(find_shared) <= WW_SHARED_BYTES, "the host asks for too little shared memory");

/* The levels' parts, and which of them are in shared memory: as many of the first, which are the shortest, as there is room for. The first
 * warp calls it, a lane for each level. */
WW_DEVICE void set_parts(const list_arguments &a, find_shared &s) {
    uint32_t staged = 0;
    bool is_wide = false;
    for (uint32_t j = threadIdx.x; j - threadIdx.x < a.runs.many; j += WW_WARP) {
        const bool is = j < a.runs.many;
        const ww_lsm_run &r = a.runs.run[is ? j : 0];
        const uint64_t first = is ? s.ends.place[2 * j] : 0, span = is ? s.ends.place[2 * j + 1] - first : 0;
        const uint64_t rest = is ? r.count - first : 0, many = span + SHORT + 1 < rest ? span + SHORT + 1 : rest;
        const uint32_t before = uint32_t(first % EACH);
        const uint32_t own = many > WW_STAGED ? WW_STAGED + 1 : (uint32_t(many) + before + EACH - 1) / EACH * EACH;
        uint32_t until = own;
        for (uint32_t by = 1; by < WW_WARP; by *= 2) {
            const uint32_t other = __shfl_up_sync(WW_ALL, until, by);
            if (threadIdx.x >= by) until += other;
        }
        until += staged;
        if (is)
            s.part[j] = {first,
                         WW_VALUES ? static_cast<const ww_value *>(r.values) + first : nullptr,
                         r.dead ? r.dead + first : nullptr,
                         uint32_t(span),
                         uint32_t(many),
                         until <= WW_STAGED ? until - own + before : NOT_STAGED};
        staged = __shfl_sync(WW_ALL, until, WW_WARP - 1);
        is_wide = is_wide || many > WW_PART_MOST;
    }
    is_wide = __any_sync(WW_ALL, is_wide);
    if (threadIdx.x == 0) s.is_wide = is_wide;
}

/* Warps take turns at what they copy at once, a word of 16 bytes a lane. Levels begin at such words. */
WW_DEVICE void stage_parts(const list_arguments &a, find_shared &s) {
    uint32_t turn = threadIdx.x / WW_WARP; /* of this warp, from the level's first on */
    for (uint32_t j = 0; j < a.runs.many; j++) {
        const slice &p = s.part[j];
        if (p.at == NOT_STAGED) continue;
        const uint32_t before = p.at % EACH, end = before + p.many, turns = (end + EACH * WW_WARP - 1) / (EACH * WW_WARP);
        const ww_key *const from = static_cast<const ww_key *>(a.runs.run[j].keys) + p.first - before;
        ww_key *const to = s.key + p.at - before;
        for (; turn < turns; turn += WARPS) {
            const uint32_t e = (turn * WW_WARP + threadIdx.x % WW_WARP) * EACH;
            if (e + EACH <= end)
                ww_copy_ahead(reinterpret_cast<some_keys *>(to + e), reinterpret_cast<const some_keys *>(from + e));
            else
                for (uint32_t k = e; k < end; k++) ww_copy_ahead(to + k, from + k);
        }
        turn -= turns;
    }
    ww_copies_wait();
}

/* Every thread calls it. */
WW_DEVICE void find_parts(const list_arguments &a, bool is, ww_key low, find_shared &s) {
    find_places(&a.runs, is, low, s.ends);
    if (threadIdx.x < WW_WARP) set_parts(a, s);
    __syncthreads();
    stage_parts(a, s);
    __syncthreads();
}

/* ---- what a range has ---- */

/* Its elements in each level: where they begin in the level's part, and how many there are. */
struct elements {
    uint32_t from[WW_LEVELS], many[WW_LEVELS];
};

/* How many keys from number `from` on, and before `end`, are not above `high`. */
WW_DEVICE uint32_t many_of(const ww_key *keys, uint32_t from, uint32_t end, ww_key high) {
    uint32_t i = from;
#pragma unroll 1
    for (; i + 4 <= end; i += 4) {
        const uint32_t here = (keys[i] <= high) + (keys[i + 1] <= high) + (keys[i + 2] <= high) + (keys[i + 3] <= high);
        if (here < 4) return i + here - from;
    }
#pragma unroll 1
    while (i < end && keys[i] <= high) i++;
    return i - from;
}

/* How many elements a range has in all, SHORT + 1 at most. */
WW_DEVICE uint32_t elements_of(const list_arguments &a, const find_shared &s, ww_key low, ww_key high, elements &e) {
    uint32_t sum = 0;
#pragma unroll
    for (uint32_t j = 0; j < WW_LEVELS; j++) {
        e.from[j] = e.many[j] = 0;
        if (j >= a.runs.many || sum > SHORT) continue;
        const slice &p = s.part[j];
        const uint32_t most = SHORT + 1 - sum;
        if (p.at != NOT_STAGED) {
            const ww_key *const keys = s.key + p.at;
            e.from[j] = first_of(keys, p.span, low);
            e.many[j] = many_of(keys, e.from[j], min(p.many, e.from[j] + most), high);
        } else {
            const ww_key *const keys = static_cast<const ww_key *>(a.runs.run[j].keys) + p.first;
            e.from[j] = first_of(keys, p.span, low);
            e.many[j] = many_of(keys, e.from[j], min(p.many, e.from[j] + most), high);
        }
        sum += e.many[j];
    }
    return sum;
}

/* How many keys a long range has. Says where its elements are. */
WW_DEVICE uint64_t leave_for_list(const list_arguments &a, const find_shared &s, uint64_t q, ww_key low, ww_key high) {
    uint64_t sum = 0, keys = 0; /* of elements, and of those that count */
    for (uint64_t j = 0; j < a.runs.many; j++) {
        const ww_lsm_run *const r = &a.runs.run[j];
        const uint64_t from = bound_in_part(&a.runs, s.ends, j, low);
        const uint64_t end = lsm_bound_near(r, from, high, true);
        a.from[j * a.ranges + q] = from;
        a.end[j * a.ranges + q] = end;
        sum += end - from;
        keys += lsm_rank(r, end) - lsm_rank(r, from);
    }
    a.elements[q] = sum;
    return keys;
}

/* ---- short ranges ---- */

/* What a warp's lanes have: `sum` elements each, `before` of them in the lanes before it; room for their keys likewise. */
struct shares {
    uint32_t sum, before, all, keys, keys_before;
};

WW_DEVICE shares shares_of(uint32_t sum) {
    enum { KEYS_AT = 16 };
    const uint32_t lane = threadIdx.x % WW_WARP, keys = (sum + EACH - 1) / EACH * EACH, own = sum | keys << KEYS_AT;
    uint32_t until = own;
    for (uint32_t by = 1; by < WW_WARP; by *= 2) {
        const uint32_t other = __shfl_up_sync(WW_ALL, until, by);
        if (lane >= by) until += other;
    }
    const uint32_t low = (1u << KEYS_AT) - 1;
    return {sum, (until - own) & low, __shfl_sync(WW_ALL, until, WW_WARP - 1) & low, keys, (until - own) >> KEYS_AT};
}

/* Puts a range's elements at number k and behind it, their keys at `to`. */
WW_DEVICE void pick(const list_arguments &a, const find_shared &s, const elements &e, uint32_t k, uint32_t to,
                    picked &p) {
    const uint32_t lane = threadIdx.x % WW_WARP;
#pragma unroll
    for (uint32_t j = 0; j < WW_LEVELS; j++) {
        if (!e.many[j]) continue;
        const slice &part = s.part[j];
#pragma unroll 1
        for (uint32_t i = e.from[j]; i < e.from[j] + e.many[j]; i++, k++, to++) {
            p.key[to] = part.at != NOT_STAGED ? s.key[part.at + i] : lsm_key(&a.runs.run[j], part.first + i);
            p.place[k] = i;
            p.of[k] = uint16_t(lane | j << LEVEL_BIT);
        }
    }
    while (to % EACH) p.key[to++] = ww_key(~ww_key(0));
}

/* An element that was picked, and its range's: how many there are, where the first stands, and its key. */
struct pick_at {
    uint32_t sum, begin, keys, level, place;
};

/* What a piece of a warp's lanes have, from its first elements and keys on, in a word. */
enum { SUM_BITS = 6, BEGIN_BITS = 13 };
static_assert(WW_LSM_SHORT < 1 << SUM_BITS && WW_PICKED < 1 << BEGIN_BITS, "a word has room for both");
WW_DEVICE uint32_t word_of(const shares &mine, uint32_t done, uint32_t keys_done) {
    return mine.sum | (mine.before - done) << SUM_BITS | (mine.keys_before - keys_done) << (SUM_BITS + BEGIN_BITS);
}

/* All lanes of the warp call it. `word`: of this lane. */
WW_DEVICE pick_at pick_of(const picked &p, uint32_t word, uint32_t k, bool is) {
    const uint32_t of = is ? p.of[k] & (VISIBLE - 1) : 0;
    const uint32_t its = __shfl_sync(WW_ALL, word, int(of % WW_WARP));
    return {is ? its & ((1u << SUM_BITS) - 1) : 0, its >> SUM_BITS & ((1u << BEGIN_BITS) - 1),
            its >> (SUM_BITS + BEGIN_BITS), of >> LEVEL_BIT, is ? p.place[k] : 0};
}

WW_DEVICE void put(const list_arguments &a, const slice &part, uint64_t to, ww_key key, const pick_at &at) {
    a.list[to] = key;
#if WW_VALUES && WW_CARRIED
    static_cast<ww_with *>(a.list_with)[to] = part.values[at.place];
#elif WW_VALUES
    static_cast<ww_with *>(a.list_with)[to] = (part.first + at.place) | uint64_t(at.level) << LEVEL_AT;
#endif
}

WW_DEVICE bool is_dead_at(const slice &part, uint32_t place) { return part.dead && part.dead[place]; }

/* Lists what was picked, `many` elements, as if all of them counted; false: they do not. */
WW_DEVICE bool list_all(const list_arguments &a, const find_shared &s, const picked &p, uint32_t word, uint32_t many,
                        uint64_t to) {
    bool all = true;
    for (uint32_t k = threadIdx.x % WW_WARP; k - threadIdx.x % WW_WARP < many; k += WW_WARP) {
        const bool is = k < many;
        const pick_at at = pick_of(p, word, k, is);
        const slice &part = s.part[at.level];
        const ww_key key = is ? p.key[at.keys + (k - at.begin)] : 0;
        uint32_t below = 0, same = 0;
#pragma unroll 1
        for (uint32_t i = 0; i < at.sum; i += EACH) {
            const some_keys others = *reinterpret_cast<const some_keys *>(&p.key[at.keys + i]);
#pragma unroll
            for (int o = 0; o < EACH; o++) {
                below += others.key[o] < key;
                same += others.key[o] == key;
            }
        }
        if (!is) continue;
        if (same > 1 || is_dead_at(part, at.place))
            all = false;
        else
            put(a, part, to + at.begin + below, key, at);
    }
    return __all_sync(WW_ALL, all);
}

/* Which of them count: no newer level has the key, and it is no deletion. */
WW_DEVICE void mark_visible(const find_shared &s, picked &p, uint32_t word, uint32_t many) {
    for (uint32_t k = threadIdx.x % WW_WARP; k - threadIdx.x % WW_WARP < many; k += WW_WARP) {
        const bool is = k < many;
        const pick_at at = pick_of(p, word, k, is);
        if (!is) continue;
        const uint32_t own = at.keys + (k - at.begin);
        bool hidden = is_dead_at(s.part[at.level], at.place);
        for (uint32_t i = at.keys; i < own && !hidden; i++) hidden = p.key[i] == p.key[own];
        if (!hidden) p.of[k] |= VISIBLE;
    }
}

/* Lists those that count. */
WW_DEVICE void list_visible(const list_arguments &a, const find_shared &s, const picked &p, uint32_t word, uint32_t many,
                            uint64_t to) {
    for (uint32_t k = threadIdx.x % WW_WARP; k - threadIdx.x % WW_WARP < many; k += WW_WARP) {
        const bool is = k < many;
        const pick_at at = pick_of(p, word, k, is);
        if (!is || !(p.of[k] & VISIBLE)) continue;
        const ww_key key = p.key[at.keys + (k - at.begin)];
        uint32_t below = 0;
        for (uint32_t i = 0; i < at.sum; i++) below += p.of[at.begin + i] & VISIBLE && p.key[at.keys + i] < key;
        put(a, s.part[at.level], to + at.begin + below, key, at);
    }
}

/* Lists a warp's short ranges from a.list[to] on, as many at once as there is room for; returns how many keys this lane's has. */
WW_DEVICE uint32_t list_short(const list_arguments &a, const find_shared &s, const elements &e, const shares &mine,
                              picked &p, uint64_t to) {
    uint32_t keys = mine.sum, keys_done = 0;
    for (uint32_t done = 0; done < mine.all;) {
        const uint32_t until = mine.before + mine.sum - done, keys_until = mine.keys_before + mine.keys - keys_done;
        const bool here = mine.before >= done && mine.sum && keys_until <= WW_PICKED;
        const uint32_t last = 31 - __clz(int(__ballot_sync(WW_ALL, here))), word = word_of(mine, done, keys_done);
        const uint32_t many = __shfl_sync(WW_ALL, until, int(last));
        if (here) pick(a, s, e, mine.before - done, mine.keys_before - keys_done, p);
        __syncwarp();
        const bool all = list_all(a, s, p, word, many, to + done);
        __syncwarp();
        if (!all) {
            mark_visible(s, p, word, many);
            __syncwarp();
            list_visible(a, s, p, word, many, to + done);
            if (here) {
                keys = 0;
                for (uint32_t i = mine.before - done; i < until; i++) keys += (p.of[i] & VISIBLE) != 0;
            }
            __syncwarp();
        }
        done += many;
        keys_done += __shfl_sync(WW_ALL, keys_until, int(last));
    }
    return keys;
}

WW_GPU_KERNEL_HELD(find, list_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED_LARGE(find_shared, s);
    ww_in_line();
    const uint64_t q = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x, warp = q / WW_WARP * WW_WARP;
    const bool is = q < a.ranges;
    const ww_key low = is ? lower_bound_of(a, q) : 0;
    find_parts(a, is, low, s);
    const uint64_t standing = is ? standing_at(a, q) : 0;
    const ww_key high = is ? high_at(a.high, standing) : 0;
    const bool some = is && low <= high;
    elements e = {};
    uint32_t sum = 0;
    if (some) sum = s.is_wide ? SHORT + 1 : elements_of(a, s, low, high, e);
    const bool is_short = sum <= SHORT;
    const shares mine = shares_of(is_short ? sum : 0);
    uint64_t keys = list_short(a, s, e, mine, s.by_warp[threadIdx.x / WW_WARP], warp * SHORT);
    if (!is) return;
    if (is_short)
        a.elements[q] = 0;
    else
        keys = leave_for_list(a, s, q, low, high);
    a.list_at[standing - a.first] = is_short ? uint32_t(warp * SHORT + mine.before) : IS_LONG;
    a.offsets[standing + 1] = keys;
}

/* The lane whose share element e of a warp's is in; `until`: of all up to this lane. */
WW_DEVICE uint32_t lane_of(uint32_t until, uint32_t e) {
    uint32_t lane = 0;
    for (uint32_t step = WW_WARP / 2; step; step /= 2)
        if (__shfl_sync(WW_ALL, until, int(lane + step - 1)) <= e) lane += step;
    return lane;
}

WW_GPU_KERNEL(bring, list_arguments, WW_THREADS) {
    ww_in_line();
    const uint64_t i = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x;
    const uint32_t at = i < a.ranges ? a.list_at[i] : IS_LONG;
    const uint64_t offset = i < a.ranges ? a.offsets[a.first + i] : 0;
    const shares mine = shares_of(at == IS_LONG ? 0 : uint32_t(a.offsets[a.first + i + 1] - offset));
    const uint64_t less = offset - mine.before; /* what element e's place is more than e */
    const uint32_t from = at - mine.before;
    for (uint32_t first = 0; first < mine.all; first += WW_WARP) {
        const uint32_t e = first + threadIdx.x % WW_WARP;
        const int lane = int(lane_of(mine.before + mine.sum, e));
        const uint64_t to = __shfl_sync(WW_ALL, less, lane % WW_WARP) + e;
        const uint32_t source = __shfl_sync(WW_ALL, from, lane % WW_WARP) + e;
        if (e >= mine.all || to >= a.room) continue;
        a.keys_out[to] = a.list[source];
#if WW_VALUES
        const ww_with with = static_cast<const ww_with *>(a.list_with)[source];
#if WW_CARRIED
        a.values_out[to] = with;
#else
        a.values_out[to] = static_cast<const ww_value *>(
            a.runs.run[with >> LEVEL_AT].values)[with & ((1ull << LEVEL_AT) - 1)];
#endif
#endif
    }
}

/* ---- long ranges ---- */

/* The range that element number c is of: the last one that begins at it or before it. */
WW_DEVICE uint64_t range_of(const list_arguments &a, uint64_t c) {
    uint64_t low = 0, high = a.ranges;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (a.elements[middle] <= c)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where an element of range q goes: place p of level `own`; false where it does not count. */
WW_DEVICE bool position_of(const list_arguments &a, uint64_t q, uint64_t own, uint64_t p, uint64_t &to) {
    const ww_lsm_run *const mine = &a.runs.run[own];
    const ww_key key = lsm_key(mine, p);
    if (!lsm_is_head(mine, p) || lsm_is_dead(mine, p)) return false;
    to = a.offsets[standing_at(a, q)];
    for (uint64_t j = 0; j < a.runs.many; j++) {
        const ww_lsm_run *const r = &a.runs.run[j];
        const uint64_t from = a.from[j * a.ranges + q], end = a.end[j * a.ranges + q];
        const uint64_t at = j == own ? p : lsm_bound(r, from, end, key, false);
        if (j < own && at < end && lsm_key(r, at) == key) return false;
        to += lsm_rank(r, at) - lsm_rank(r, from);
    }
    return true;
}

WW_GPU_KERNEL(list, list_arguments, WW_THREADS) {
    ww_in_line();
    const uint64_t all = a.elements[a.ranges];
    for (uint64_t c = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x; c < all; c += uint64_t(gridDim.x) * WW_THREADS) {
        const uint64_t q = range_of(a, c);
        uint64_t left = c - a.elements[q], own = 0, to = 0;
        for (;; own++) {
            const uint64_t here = a.end[own * a.ranges + q] - a.from[own * a.ranges + q];
            if (left < here) break;
            left -= here;
        }
        const uint64_t p = a.from[own * a.ranges + q] + left;
        if (!position_of(a, q, own, p, to) || to >= a.room) continue;
        a.keys_out[to] = lsm_key(&a.runs.run[own], p);
#if WW_VALUES
        a.values_out[to] = static_cast<const ww_value *>(a.runs.run[own].values)[p];
#endif
    }
}
