/* The quicksort of pairs for one size; pairs_quick.c includes this file with
 *     KEY, BITS       the numbers' type, and its bits: values are moved as such
 *     LANES, MASK     numbers in a register, and a bit for each
 *     PLACE_BITS      of a pair's place in a block; BLOCK is 2^PLACE_BITS
 * and it undefines them. */

#define NAME(what) JOINED(what, BITS)
typedef KEY NAME(key) __attribute__((aligned(1), may_alias));
#define ANY_KEY NAME(key) /* at any address */
#define INLINE TARGET static inline __attribute__((always_inline))
#if BITS == 32
#define FILLED(x) _mm512_set1_epi32((int)(x))
#define NOT_ABOVE(a, b) _mm512_cmple_epu32_mask(a, b)
#define PACKED(bits, v) _mm512_maskz_compress_epi32(bits, v)
#define STORE_SOME(to, bits, v) _mm512_mask_storeu_epi32((void *)(to), bits, v)
#define LOADED_SOME(bits, from) _mm512_maskz_loadu_epi32(bits, (const void *)(from))
#define NEGATIVE(v) _mm512_srai_epi32(v, 31)
#define COLLECT(all, bits, v) _mm512_mask_or_epi32(all, bits, all, v)
#define COLLECTED(all) ((uint32_t)_mm512_reduce_or_epi32(all))
#else
#define FILLED(x) _mm512_set1_epi64((long long)(x))
#define NOT_ABOVE(a, b) _mm512_cmple_epu64_mask(a, b)
#define PACKED(bits, v) _mm512_maskz_compress_epi64(bits, v)
#define STORE_SOME(to, bits, v) _mm512_mask_storeu_epi64((void *)(to), bits, v)
#define LOADED_SOME(bits, from) _mm512_maskz_loadu_epi64(bits, (const void *)(from))
#define NEGATIVE(v) _mm512_srai_epi64(v, 63)
#define COLLECT(all, bits, v) _mm512_mask_or_epi64(all, bits, all, v)
#define COLLECTED(all) ((uint64_t)_mm512_reduce_or_epi64(all))
#endif

/* ---- a block ---- */

/* Words of numbers and places below them, in order: of 32 bits, where numbers are that near to each other, else of 64. */
#if BITS == 32
TARGET static void NAME(order_block)(const KEY *keys, size_t n, uint8_t *order, KEY *below) {
    KEY least = keys[0], most = keys[0];
    *below = 0;
    for (size_t i = 0; i < n; i++) {
        least = keys[i] < least ? keys[i] : least;
        most = keys[i] > most ? keys[i] : most;
    }
    if ((most - least) >> (32 - PLACE_BITS) == 0) {
        uint32_t words[BLOCK];
        for (size_t i = 0; i < n; i++) words[i] = (keys[i] - least) << PLACE_BITS | (uint32_t)i;
        sort_words(words, sizeof *words, n);
        for (size_t i = 0; i < n; i++) order[i] = (uint8_t)words[i];
        return;
    }
    uint64_t words[BLOCK];
    for (size_t i = 0; i < n; i++) words[i] = (uint64_t)keys[i] << PLACE_BITS | (uint64_t)i;
    sort_words(words, sizeof *words, n);
    for (size_t i = 0; i < n; i++) order[i] = (uint8_t)words[i];
}
#else
/* The lowest bits that words have no room for are left, where they differ. */
TARGET static void NAME(order_block)(const KEY *keys, size_t n, uint8_t *order, KEY *below) {
    uint64_t words[BLOCK];
    KEY differ = 0;
    for (size_t i = 0; i < n; i++) differ |= keys[i] ^ keys[0];
    const unsigned span = differ ? 64 - (unsigned)__builtin_clzll(differ) : 0;
    const unsigned low = span > 64 - PLACE_BITS ? span - (64 - PLACE_BITS) : 0;
    const KEY mask = span ? ~(KEY)0 >> (BITS - span) : 0;
    for (size_t i = 0; i < n; i++) words[i] = (keys[i] & mask) >> low << PLACE_BITS | (uint64_t)i;
    sort_words(words, sizeof *words, n);
    for (size_t i = 0; i < n; i++) order[i] = (uint8_t)(words[i] & (BLOCK - 1));
    *below = differ & (((KEY)1 << low) - 1);
}
#endif

/* Sorts up to BLOCK pairs; from and to may be the same. */
TARGET static void NAME(sort_block)(pairs_at from, pairs_at to, size_t n, const ww__radix_order *out) {
    const KEY flip = (KEY)out->flip, fold = (KEY)out->fold;
    uint8_t order[BLOCK];
    KEY keys[BLOCK], values[BLOCK], below;
    ANY_KEY *k = (ANY_KEY *)to.keys, *v = (ANY_KEY *)to.values;
    memcpy(keys, from.keys, n * sizeof(KEY));
    memcpy(values, from.values, n * sizeof(KEY));
    NAME(order_block)(keys, n, order, &below);
    for (size_t i = 0; i < n; i++) {
        k[i] = keys[order[i]];
        v[i] = values[order[i]];
    }
    if (below) /* ties */
        for (size_t i = 1; i < n; i++) {
            const KEY key = k[i], value = v[i];
            size_t j = i;
            for (; j > 0 && k[j - 1] > key; j--) k[j] = k[j - 1], v[j] = v[j - 1];
            k[j] = key, v[j] = value;
        }
    if (flip | fold)
        for (size_t i = 0; i < n; i++) k[i] = WW_NUMBER_KEY(KEY, k[i], flip, fold);
}

/* … and up to FEW_MOST, where their numbers are far enough from each other. */
static bool NAME(sort_few)(pairs_at from, pairs_at to, size_t n, const ww__radix_order *out) {
    const ww__few few = {from.keys, from.values, to.keys, to.values, n, sizeof(KEY)};
    return ww__few_pairs_of(WW_VECTOR_AVX512, sizeof(KEY))(&few, &as_they_are, out);
}

/* ---- a pass ---- */

TARGET static plan NAME(plan_of)(const ANY_KEY *from, size_t n, const ww__radix_order *order) {
    uint64_t sample[SAMPLE_MOST];
    const size_t many = n >= FEW ? (size_t)SAMPLE_MOST : (size_t)SAMPLE_FEW, step = n / many;
    for (size_t i = 0; i < many; i++) {
        const KEY key = from[i * step + (i * 7 & 15) * step / 16];
        sample[i] = WW_KEY_NUMBER(KEY, key, (KEY)order->flip, (KEY)order->fold);
    }
    sort_words(sample, sizeof *sample, many);
    const bool equal = sample[0] == sample[many / 2];
    return (plan){sample[many / 2] - !equal, equal};
}

INLINE __m512i NAME(numbers)(__m512i v, const ww__radix_order *order, const bool made) {
    if (!made) return v;
    return WW_KEY_FOLDED(v, NEGATIVE(v), FILLED(order->flip), FILLED(order->fold));
}

INLINE passed NAME(part)(pairs_at from, size_t n, pairs_at to, pairs_at rest, const plan p,
                         const ww__radix_order *order, const bool made, const bool equal) {
    const ANY_KEY *k = (const ANY_KEY *)from.keys, *v = (const ANY_KEY *)from.values;
    ANY_KEY *low_keys = (ANY_KEY *)to.keys, *low_values = (ANY_KEY *)to.values;
    ANY_KEY *high_keys = (ANY_KEY *)rest.keys, *high_values = (ANY_KEY *)rest.values;
    const __m512i most = FILLED(p.most);
    __m512i differ = _mm512_setzero_si512();
    size_t low = 0, high = 0, i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        __m512i key[2], value[2];
        FETCH(k + i);
        FETCH(v + i);
        ASK(low_keys + low);
        ASK(low_values + low);
        ASK(high_keys + high);
        ASK(high_values + high);
        for (size_t j = 0; j < 2; j++) {
            key[j] = NAME(numbers)(_mm512_loadu_si512(k + i + j * LANES), order, made);
            value[j] = _mm512_loadu_si512(v + i + j * LANES);
        }
        for (size_t j = 0; j < 2; j++) {
            const MASK below = NOT_ABOVE(key[j], most), above = (MASK)~below;
            const size_t many = (unsigned)__builtin_popcount(below);
            if (equal) differ = COLLECT(differ, below, _mm512_xor_si512(key[j], most));
            _mm512_storeu_si512(low_keys + low, PACKED(below, key[j]));
            _mm512_storeu_si512(low_values + low, PACKED(below, value[j]));
            _mm512_storeu_si512(high_keys + high, PACKED(above, key[j]));
            _mm512_storeu_si512(high_values + high, PACKED(above, value[j]));
            low += many;
            high += LANES - many;
        }
    }
    for (; i < n; i += LANES) {
        const size_t left = n - i < LANES ? n - i : LANES;
        const MASK lanes = (MASK)(((uint32_t)1 << left) - 1);
        const __m512i key = NAME(numbers)(LOADED_SOME(lanes, k + i), order, made), value = LOADED_SOME(lanes, v + i);
        const MASK below = NOT_ABOVE(key, most) & lanes, above = (MASK)(lanes & ~below);
        const size_t many = (unsigned)__builtin_popcount(below), others = left - many;
        if (equal) differ = COLLECT(differ, below, _mm512_xor_si512(key, most));
        const MASK first = (MASK)(((uint32_t)1 << many) - 1), last = (MASK)(((uint32_t)1 << others) - 1);
        STORE_SOME(low_keys + low, first, PACKED(below, key));
        STORE_SOME(low_values + low, first, PACKED(below, value));
        STORE_SOME(high_keys + high, last, PACKED(above, key));
        STORE_SOME(high_values + high, last, PACKED(above, value));
        low += many;
        high += others;
    }
    return (passed){low, equal ? COLLECTED(differ) : 1};
}

/* `to` or `rest` may be `from`. */
TARGET static passed NAME(pass)(pairs_at from, size_t n, pairs_at to, pairs_at rest, const plan p,
                                const ww__radix_order *in) {
    if (in->flip | in->fold) return NAME(part)(from, n, to, rest, p, in, true, true);
    return p.equal ? NAME(part)(from, n, to, rest, p, in, false, true)
                   : NAME(part)(from, n, to, rest, p, in, false, false);
}

/* ---- a pass that parts in four ---- */

/* The most of each quarter, by a sample: a number that is a quarter of it is one alone, and so is what is larger of the rest in two. */
TARGET static void NAME(quarters_of)(quarters *q, const ANY_KEY *from, size_t n, const ww__radix_order *order) {
    uint64_t s[SAMPLE_QUARTERS];
    enum { MANY = SAMPLE_QUARTERS };
    const size_t step = n / MANY;
    size_t first = 0, end = 0; /* of the most frequent one */
    for (size_t i = 0; i < MANY; i++) {
        const KEY key = from[i * step + (i * 7 & 15) * step / 16];
        s[i] = WW_KEY_NUMBER(KEY, key, (KEY)order->flip, (KEY)order->fold);
    }
    sort_words(s, sizeof *s, MANY);
    for (size_t i = 0, same = 0; i < MANY; i++) {
        if (s[i] != s[same]) same = i;
        if (i + 1 - same > end - first) first = same, end = i + 1;
    }
    q->most[QUARTERS - 1] = (KEY)~(KEY)0;
    if (end - first < MANY / QUARTERS) {
        for (size_t k = 0; k < QUARTERS - 1; k++) q->most[k] = s[(k + 1) * MANY / QUARTERS] - 1;
        return;
    }
    const uint64_t often = s[first], below = often ? often - 1 : 0;
    const bool in_two = first >= MANY - end; /* what is below it */
    q->most[0] = in_two && first ? s[first / 2] : below;
    q->most[1] = in_two ? below : often;
    q->most[2] = in_two ? often : s[(end + MANY) / 2];
}

/* A bit for each lane that is in a quarter. `before` has those of the quarters before it, and gets these, too. */
INLINE MASK NAME(in_quarter)(__m512i key, const __m512i *most, size_t k, MASK *before, MASK lanes) {
    const MASK up_to = k == QUARTERS - 1 ? lanes : (MASK)(NOT_ABOVE(key, most[k]) & lanes);
    const MASK bits = (MASK)(up_to & ~*before);
    *before = up_to;
    return bits;
}

INLINE void NAME(count_quarters)(quarters *q, const ANY_KEY *k, size_t n, const ww__radix_order *order, const bool made) {
    __m512i most[QUARTERS - 1];
    size_t up_to[QUARTERS - 1] = {0};
    for (size_t j = 0; j < QUARTERS - 1; j++) most[j] = FILLED(q->most[j]);
    for (size_t i = 0; i < n; i += LANES) {
        const size_t left = n - i < LANES ? n - i : LANES;
        const MASK lanes = (MASK)(((uint32_t)1 << left) - 1);
        __builtin_prefetch((const char *)(k + i) + WW__AHEAD);
        const __m512i key = NAME(numbers)(LOADED_SOME(lanes, k + i), order, made);
        _Pragma("GCC unroll 4") for (size_t j = 0; j < QUARTERS - 1; j++)
            up_to[j] += (unsigned)__builtin_popcount((MASK)(NOT_ABOVE(key, most[j]) & lanes));
    }
    q->first[0] = 0;
    for (size_t j = 0; j < QUARTERS - 1; j++) q->first[j + 1] = up_to[j];
    q->first[QUARTERS] = n;
}

INLINE void NAME(move_quarters)(const quarters *q, pairs_at from, size_t n, pairs_at to, const ww__radix_order *order,
                                const bool made) {
    const ANY_KEY *k = (const ANY_KEY *)from.keys, *v = (const ANY_KEY *)from.values;
    ANY_KEY *to_keys = (ANY_KEY *)to.keys, *to_values = (ANY_KEY *)to.values;
    __m512i most[QUARTERS - 1];
    size_t next[QUARTERS];
    for (size_t j = 0; j < QUARTERS; j++) next[j] = q->first[j];
    for (size_t j = 0; j < QUARTERS - 1; j++) most[j] = FILLED(q->most[j]);
    for (size_t i = 0; i < n; i += LANES) {
        const size_t left = n - i < LANES ? n - i : LANES;
        const MASK lanes = (MASK)(((uint32_t)1 << left) - 1);
        __builtin_prefetch((const char *)(k + i) + WW__AHEAD);
        __builtin_prefetch((const char *)(v + i) + WW__AHEAD);
        const __m512i key = NAME(numbers)(LOADED_SOME(lanes, k + i), order, made), value = LOADED_SOME(lanes, v + i);
        MASK before = 0;
        _Pragma("GCC unroll 4") for (size_t j = 0; j < QUARTERS; j++) {
            const MASK bits = NAME(in_quarter)(key, most, j, &before, lanes);
            const unsigned many = (unsigned)__builtin_popcount(bits);
            const MASK some = (MASK)(((uint32_t)1 << many) - 1);
            __builtin_prefetch((const char *)(to_keys + next[j]) + AHEAD, 1);
            __builtin_prefetch((const char *)(to_values + next[j]) + AHEAD, 1);
            STORE_SOME(to_keys + next[j], some, PACKED(bits, key));
            STORE_SOME(to_values + next[j], some, PACKED(bits, value));
            next[j] += many;
        }
    }
}

TARGET static void NAME(quarter)(quarters *q, pairs_at from, size_t n, pairs_at to, const ww__radix_order *in) {
    NAME(quarters_of)(q, (const ANY_KEY *)from.keys, n, in);
    if (in->flip | in->fold) {
        NAME(count_quarters)(q, (const ANY_KEY *)from.keys, n, in, true);
        NAME(move_quarters)(q, from, n, to, in, true);
    } else {
        NAME(count_quarters)(q, (const ANY_KEY *)from.keys, n, in, false);
        NAME(move_quarters)(q, from, n, to, in, false);
    }
}

/* What numbers in their places become. */
static void NAME(restore)(pairs_at at, size_t n, const ww__radix_order *out) {
    if (out->flip | out->fold) ww__radix_loops_of(sizeof(KEY), 0)->restore(at.keys, n, out);
}

/* ---- the recursion ---- */

static void NAME(by_digits)(pairs_at room, pairs_at to, int from, size_t n, const ww__radix_order *out) {
    uint32_t tables[2 * WW__RADIX_LEAF_BUCKETS];
    const ww__radix_leaf leaf = {{room.keys, to.keys}, {room.values, to.values}, tables};
    ww__radix_loops_of(sizeof(KEY), sizeof(KEY))->leaf(&leaf, from, n, ww__radix_ones(BITS));
    NAME(restore)(to, n, out);
}

static void NAME(sort_from)(pairs_at from, pairs_at to, size_t n, unsigned depth, const ww__radix_order *out);

static ww__network_part NAME(child)(pairs_at from, pairs_at to, pairs_at room, size_t n, const ww__network_part *of) {
    return (ww__network_part){from.keys,   to.keys,   room.keys,  n, of->depth ? of->depth - 1 : 0,
                              from.values, to.values, room.values};
}

/* To the result, where the pairs are not there, else to the room. */
static void NAME(divide_in_four)(const ww__network_part *part, ww__network_part *into, const ww__radix_order *in,
                                 const ww__radix_order *out) {
    const pairs_at from = {part->from, part->from_values}, to = {part->to, part->to_values},
                   room = {part->room, part->room_values};
    const bool there = from.keys == to.keys || from.values == to.values;
    quarters q;
    NAME(quarter)(&q, from, part->n, there ? room : to, in);
    for (size_t k = 0; k < QUARTERS; k++) {
        const size_t n = q.first[k + 1] - q.first[k];
        const pairs_at there_to = moved(to, q.first[k], sizeof(KEY)), there_room = moved(room, q.first[k], sizeof(KEY));
        const bool done = is_one_number(&q, k);
        into[k] = NAME(child)(there ? there_room : there_to, there_to, there_room, done ? 0 : n, part);
        if (!done) continue;
        if (there) {
            memcpy(there_to.keys, there_room.keys, n * sizeof(KEY));
            memcpy(there_to.values, there_room.values, n * sizeof(KEY));
        }
        NAME(restore)(there_to, n, out);
    }
}

static void NAME(finish)(const ww__network_part *part, const ww__radix_order *out);

static void NAME(sort_quarters)(pairs_at from, pairs_at to, pairs_at room, size_t n, unsigned depth,
                                const ww__radix_order *out) {
    const ww__network_part all = {from.keys,   to.keys,   room.keys,  n, depth,
                                  from.values, to.values, room.values};
    ww__network_part into[QUARTERS];
    NAME(divide_in_four)(&all, into, &as_they_are, out);
    for (size_t k = 0; k < QUARTERS; k++) NAME(finish)(&into[k], out);
}

/* All pairs of `to` are up to p.most, and some below it: these part from those that are equal to it. */
static size_t NAME(part_largest)(pairs_at to, pairs_at room, size_t n, plan p, const ww__radix_order *out) {
    p.most--;
    p.equal = false;
    const size_t low = NAME(pass)(to, n, to, room, p, &as_they_are).low;
    const pairs_at equal = moved(to, low, sizeof(KEY));
    memcpy(equal.keys, room.keys, (n - low) * sizeof(KEY));
    memcpy(equal.values, room.values, (n - low) * sizeof(KEY));
    NAME(restore)(equal, n - low, out);
    return low;
}

/* Sorts the n pairs of `to`; `room` has room for as many. */
static void NAME(sort_there)(pairs_at to, pairs_at room, size_t n, unsigned depth, const ww__radix_order *out) {
    while (n > BLOCK) {
        if (n <= FEW_MOST && NAME(sort_few)(to, to, n, out)) return;
        if (!depth--) {
            NAME(by_digits)(room, to, 1, n, out);
            return;
        }
        if (n * sizeof(KEY) >= QUARTERED_BYTES) {
            NAME(sort_quarters)(to, to, room, n, depth, out);
            return;
        }
        const plan p = NAME(plan_of)((const ANY_KEY *)to.keys, n, &as_they_are);
        const passed c = NAME(pass)(to, n, to, room, p, &as_they_are);
        if (p.equal && !c.differ) {
            NAME(restore)(to, c.low, out);
            NAME(sort_from)(room, moved(to, c.low, sizeof(KEY)), n - c.low, depth, out);
            return;
        }
        if (p.equal && c.low == n) {
            n = NAME(part_largest)(to, room, n, p, out);
            continue;
        }
        NAME(sort_from)(room, moved(to, c.low, sizeof(KEY)), n - c.low, depth, out);
        n = c.low;
    }
    if (n && !NAME(sort_few)(to, to, n, out)) NAME(sort_block)(to, to, n, out);
}

/* Sorts the n pairs of `from` into `to`; `from` loses what it held. */
static void NAME(sort_from)(pairs_at from, pairs_at to, size_t n, unsigned depth, const ww__radix_order *out) {
    while (n > BLOCK) {
        if (n <= FEW_MOST && NAME(sort_few)(from, to, n, out)) return;
        if (!depth--) {
            NAME(by_digits)(from, to, 0, n, out);
            return;
        }
        if (n * sizeof(KEY) >= QUARTERED_BYTES) {
            NAME(sort_quarters)(from, to, from, n, depth, out);
            return;
        }
        const plan p = NAME(plan_of)((const ANY_KEY *)from.keys, n, &as_they_are);
        const passed c = NAME(pass)(from, n, to, from, p, &as_they_are);
        if (p.equal && !c.differ)
            NAME(restore)(to, c.low, out);
        else
            NAME(sort_there)(to, moved(from, n - c.low, sizeof(KEY)), c.low, depth, out);
        to = moved(to, c.low, sizeof(KEY));
        n -= c.low;
    }
    if (n && !NAME(sort_few)(from, to, n, out)) NAME(sort_block)(from, to, n, out);
}

static void NAME(finish)(const ww__network_part *part, const ww__radix_order *out) {
    const pairs_at to = {part->to, part->to_values}, room = {part->room, part->room_values};
    if (part->from == part->room)
        NAME(sort_from)(room, to, part->n, part->depth, out);
    else
        NAME(sort_there)(to, room, part->n, part->depth, out);
}

static void NAME(divide_in_two)(const ww__network_part *part, ww__network_part *into, const ww__radix_order *in,
                                const ww__radix_order *out) {
    const pairs_at from = {part->from, part->from_values}, to = {part->to, part->to_values},
                   room = {part->room, part->room_values};
    const plan p = NAME(plan_of)(part->from, part->n, in);
    const passed c = NAME(pass)(from, part->n, to, room, p, in);
    const bool done = p.equal && !c.differ;
    const size_t high = part->n - c.low;
    size_t low = c.low;
    if (done)
        NAME(restore)(to, low, out);
    else if (p.equal && !high)
        low = NAME(part_largest)(to, room, low, p, out);
    into[0] = NAME(child)(to, to, moved(room, high, sizeof(KEY)), done ? 0 : low, part);
    into[1] = NAME(child)(room, moved(to, c.low, sizeof(KEY)), room, high, part);
    into[2] = into[3] = NAME(child)(to, to, room, 0, part);
}

static void NAME(divide)(const ww__network_part *part, ww__network_part into[WW__NETWORK_PARTS],
                         const ww__radix_order *in, const ww__radix_order *out) {
    if (part->n * sizeof(KEY) >= DIVIDED_BYTES)
        NAME(divide_in_four)(part, into, in, out);
    else
        NAME(divide_in_two)(part, into, in, out);
}

#undef NAME
#undef ANY_KEY
#undef INLINE
#undef FILLED
#undef NOT_ABOVE
#undef PACKED
#undef STORE_SOME
#undef LOADED_SOME
#undef NEGATIVE
#undef COLLECT
#undef COLLECTED
#undef KEY
#undef BITS
#undef LANES
#undef MASK
#undef PLACE_BITS
#undef BLOCK
