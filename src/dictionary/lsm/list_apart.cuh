/* Short ranges of a block whose parts of levels are too long to be merged: each range is looked for in one level after another. What it has
 * is collected by its warp, and each element learns by a look at the others whether it counts (no newer level has its key, and it is no
 * deletion) and how many keys that count are before it. */
#ifndef WW_LSM_LIST_APART_CUH
#define WW_LSM_LIST_APART_CUH

#include "dictionary/lsm/list_parts.cuh"

/* A range's elements in each level: where they begin in the level's part, and how many there are. */
struct elements {
    uint32_t from[WW_LEVELS], many[WW_LEVELS];
};

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
            const ww_key *const keys = s.one.key + p.at;
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
            p.key[to] = part.at != NOT_STAGED ? s.one.key[part.at + i] : lsm_key(&a.runs.run[j], part.first + i);
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
    entry x = {key};
#if WW_VALUES && WW_CARRIED
    x.value = part.values[at.place];
#elif WW_VALUES
    x.place = (part.first + at.place) | uint64_t(at.level) << LEVEL_AT;
#endif
    list_of(a)[to] = x;
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
WW_DEVICE void list_visible(const list_arguments &a, const find_shared &s, const picked &p, uint32_t word,
                            uint32_t many, uint64_t to) {
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

/* Lists a warp's short ranges from number `to` on, as many at once as there is room for; returns how many keys this lane's has. */
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

#endif
