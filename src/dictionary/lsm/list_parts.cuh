/* What the kernels of ranges (list.cu) share: where ranges stand, and the parts of levels in which a block's ranges begin. */
#ifndef WW_LSM_LIST_PARTS_CUH
#define WW_LSM_LIST_PARTS_CUH

#include "device/kernel/counted.cuh"
#include "dictionary/lsm/parts.cuh"

#if !WW_VALUES
typedef uint8_t ww_value;
#endif
#include "dictionary/lsm/list_arguments.cuh"
#include "dictionary/lsm/query.cuh"

enum {
    WARPS = WW_THREADS / WW_WARP,
    LEVEL_AT = 56,
    AT_ONCE = 4, /* keys that a lane reads before it writes them */
    EACH = 16 / sizeof(ww_key),
    MERGED = WW_MERGED * (WW_THREADS - WW_LEVELS / 2), /* threads have one pair of levels each */
    TOO_MANY = (MERGED > WW_STAGED ? MERGED : WW_STAGED) / EACH * EACH + EACH
};

/* A key of a list, with its value, or where that is: the place, and from bit LEVEL_AT on the level. So what a range has is one piece
 * of memory, not two that are shorter than what memory is read by. */
struct entry {
    ww_key key;
#if WW_VALUES && WW_CARRIED
    ww_value value;
#elif WW_VALUES
    uint64_t place;
#endif
};
static_assert(sizeof(entry) <= WW_ENTRY_BYTES, "the host has too little room for lists");

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

WW_DEVICE entry *list_of(const list_arguments &a) { return static_cast<entry *>(a.list); }

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

/* Levels one by one: those of them that are in shared memory (list_apart.cuh). */
struct apart {
    alignas(16) ww_key key[WW_STAGED];
    picked by_warp[WARPS];
};

/* All levels' parts, which become one sorted part: keys, and where each was before they were merged (list_merged.cuh). */
struct merging {
    alignas(16) ww_key key[MERGED + EACH];
    uint16_t from[MERGED];
    uint32_t copied[WW_LEVELS];                  /* where levels' parts are before they are merged */
    uint32_t begin[WW_LEVELS], count[WW_LEVELS]; /* of what is sorted */
    uint32_t kept[WARPS];                        /* keys that count, of each warp's */
};
static_assert(MERGED <= 0xFFFF, "a place has 16 bits");

struct find_shared {
    block_parts ends; /* of the block's lower bounds */
    slice part[WW_LEVELS];
    ww_key limit; /* of keys not below it there may be more than the parts have, if they are cut */
    bool is_cut;  /* a level goes on behind its part */
    bool is_wide; /* a part has more than WW_PART_MOST elements */
    bool has_dead;
    bool
        is_merged; /* all parts are in shared memory, at all.key, else some of them at one.key, which is the same place */
    union {
        apart one;
        merging all;
    };
};
static_assert(sizeof(find_shared) <= WW_SHARED_BYTES, "the host asks for too little shared memory");

/* Level j's part, which stands behind the first `staged` keys in shared memory if there is room; returns how many it needs. */
WW_DEVICE uint32_t begin_part(const list_arguments &a, find_shared &s, uint32_t j) {
    const ww_lsm_run &r = a.runs.run[j];
    const uint64_t first = s.ends.place[2 * j], span = s.ends.place[2 * j + 1] - first, rest = r.count - first;
    const uint64_t many = span + SHORT + 1 < rest ? span + SHORT + 1 : rest;
    const uint32_t before = uint32_t(first % EACH);
    s.part[j] = {first,
                 WW_VALUES ? static_cast<const ww_value *>(r.values) + first : nullptr,
                 r.dead ? r.dead + first : nullptr,
                 uint32_t(span),
                 uint32_t(many),
                 before};
    return many > TOO_MANY ? TOO_MANY : (uint32_t(many) + before + EACH - 1) / EACH * EACH;
}

/* What is known of all parts. The first warp calls it, a lane for each level, or for several. */
WW_DEVICE void set_parts(const list_arguments &a, find_shared &s) {
    uint32_t staged = 0;
    bool is_wide = false, is_cut = false, has_dead = false;
    ww_key limit = ww_key(~ww_key(0));
    for (uint32_t j = threadIdx.x; j - threadIdx.x < a.runs.many; j += WW_WARP) {
        const bool is = j < a.runs.many;
        const uint32_t own = is ? begin_part(a, s, j) : 0;
        uint32_t until = own;
        for (uint32_t by = 1; by < WW_WARP; by *= 2) {
            const uint32_t other = __shfl_up_sync(WW_ALL, until, by);
            if (threadIdx.x >= by) until += other;
        }
        if (is) {
            slice &p = s.part[j];
            p.at += staged + until - own;
            is_wide = is_wide || p.many > WW_PART_MOST;
            has_dead = has_dead || p.dead;
            if (p.first + p.many < a.runs.run[j].count) {
                const ww_key last = lsm_key(&a.runs.run[j], p.first + p.many - 1);
                is_cut = true;
                limit = last < limit ? last : limit;
            }
        }
        staged += __shfl_sync(WW_ALL, until, WW_WARP - 1);
    }
    for (int by = WW_WARP / 2; by; by /= 2) {
        const ww_key other = __shfl_xor_sync(WW_ALL, limit, by);
        limit = other < limit ? other : limit;
    }
    is_wide = __any_sync(WW_ALL, is_wide);
    is_cut = __any_sync(WW_ALL, is_cut);
    has_dead = __any_sync(WW_ALL, has_dead);
    if (threadIdx.x) return;
    s.limit = limit;
    s.is_cut = is_cut;
    s.is_wide = is_wide;
    s.is_merged = staged <= MERGED;
    if (s.is_merged) s.all.key[staged] = 0; /* what is behind a part can be read */
    s.has_dead = has_dead;
}

/* Where not all parts have room those that have are the first, which are the shortest. A lane for each level. */
WW_DEVICE void leave_parts(const list_arguments &a, find_shared &s) {
    for (uint32_t j = threadIdx.x; j < a.runs.many; j += WW_WARP) {
        slice &p = s.part[j];
        if (p.many > WW_STAGED || p.at + p.many > WW_STAGED) p.at = NOT_STAGED;
    }
}

/* Warps take turns at what they copy at once, a word of 16 bytes a lane. Levels begin at such words. */
WW_DEVICE void stage_parts(const list_arguments &a, find_shared &s) {
    uint32_t turn = threadIdx.x / WW_WARP; /* of this warp, from the level's first on */
    for (uint32_t j = 0; j < a.runs.many; j++) {
        const slice &p = s.part[j];
        if (p.at == NOT_STAGED) continue;
        const uint32_t before = p.at % EACH, end = before + p.many,
                       turns = (end + EACH * WW_WARP - 1) / (EACH * WW_WARP);
        const ww_key *const from = static_cast<const ww_key *>(a.runs.run[j].keys) + p.first - before;
        ww_key *const to = s.all.key + p.at - before;
        for (; turn < turns; turn += WARPS) {
            const uint32_t e = (turn * WW_WARP + threadIdx.x % WW_WARP) * EACH;
            if (e + EACH <= end)
                ww_copy_ahead(reinterpret_cast<some_keys *>(to + e), reinterpret_cast<const some_keys *>(from + e));
            else if (e < end)
                for (uint32_t k = e; k < e + EACH; k++)
                    if (k < end)
                        ww_copy_ahead(to + k, from + k);
                    else
                        to[k] = 0; /* likewise */
        }
        turn -= turns;
    }
    ww_copies_wait();
}

/* Every thread calls it. */
WW_DEVICE void find_parts(const list_arguments &a, bool is, ww_key low, find_shared &s) {
    find_places(&a.runs, is, low, s.ends);
    if (threadIdx.x < WW_WARP) {
        set_parts(a, s);
        __syncwarp();
        if (!s.is_merged) leave_parts(a, s);
    }
    __syncthreads();
    stage_parts(a, s);
    __syncthreads();
}

/* ---- what a warp's ranges have ---- */

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

/* The lane whose share element e of a warp's is in; `until`: of all up to this lane. */
WW_DEVICE uint32_t lane_of(uint32_t until, uint32_t e) {
    uint32_t lane = 0;
    for (uint32_t step = WW_WARP / 2; step; step /= 2)
        if (__shfl_sync(WW_ALL, until, int(lane + step - 1)) <= e) lane += step;
    return lane;
}

#endif
