/* Sorting numbers whose spread is not even, or of which many are equal, by vectors: quicksort, parted in three by a key of a
 * sample, until a few blocks are left (network_merge.h). network_rows.h includes this file; the caller's macros are there, and
 *     NEGATIVE(v)        ones in the lanes whose highest bit is set
 *     BELOW(a, b)        a bit for each lane of a that is less than that of b
 *     PACKED(v, bits)    the lanes whose bits are set, in order, first
 *
 * A part of n numbers has room for as many again elsewhere. In one pass those below the first key go where the part's result will be,
 * those above the second where it will not, and so do those between; what stays is as long as it was, so both have room for themselves
 * again. Where a sample has a key several times, equal ones are counted only: they are written. No store goes beyond what was read, so
 * whole registers are stored whatever they hold.
 *
 * Numbers are written as they come, and each pass leaves parts that are smaller, since each has a key of the sample; where keys of the
 * sample were bad too often, spreads finish (sort_by_spreads). Bramas (2017); Blacher et al. (2022); parts that are equal: Bentley and
 * McIlroy, Engineering a Sort Function (1993). */

/* Parts that outgrow a first-level cache are parted in three, since it is stores to the next that cost most. */
enum { NAME(quick_sample) = 4 * LANES };
#define QUICK_IN_THREE ((size_t)(1 << 14) / sizeof(KEY))
/* Parts of two blocks are merged; of larger ones a pass takes out what is there many times. */
#define QUICK_BLOCKS (2 * MOST)

/* Passes that a part of n numbers may take. */
INLINE unsigned NAME(quick_depth)(size_t n) { return 2 * (64 - (unsigned)__builtin_clzll((uint64_t)n / MOST | 1)) + 4; }

/* How a pass parts numbers: below keys[0]; from keys[1] on, where it is in three; and between. What is equal to a key is taken out,
 * where that is many. */
typedef struct NAME(quick_plan) {
    KEY keys[2];
    bool three, equal;
} NAME(quick_plan);

/* By a sample's middle or thirds. One of these that is there twice is equal to many. */
INLINE NAME(quick_plan) NAME(quick_plan_of)(const ANY_KEY *from, size_t n, const ww__radix_order *order) {
    KEY sample[NAME(quick_sample)];
    const bool three = n >= QUICK_IN_THREE;
    const size_t many = three ? (size_t)NAME(quick_sample) : 2 * LANES, step = n / many;
    for (size_t i = 0; i < many; i++) {
        const KEY key = from[i * step + (i * 7 & 15) * step / 16];
        sample[i] = WW_KEY_NUMBER(KEY, key, (KEY)order->flip, (KEY)order->fold);
    }
    NAME(sort_block)(sample, sample, many);
    const size_t first = three ? many / 3 : many / 2, second = three ? 2 * many / 3 : many / 2;
    const bool equal = sample[first] == sample[first - 1] || (three && sample[first] == sample[first + 1]) ||
                       (three && (sample[second] == sample[second - 1] || sample[second] == sample[second + 1]));
    return (NAME(quick_plan)){{sample[first], sample[second]}, three, equal};
}

/* Registers of what keys are flipped and folded by. */
typedef struct NAME(quick_order) {
    VECTOR flip, fold;
    bool any;
} NAME(quick_order);

INLINE NAME(quick_order) NAME(quick_order_of)(const ww__radix_order *order) {
    return (NAME(quick_order)){FILLED((KEY)order->flip), FILLED((KEY)order->fold), (order->flip | order->fold) != 0};
}

/* The numbers of keys. */
INLINE VECTOR NAME(quick_numbers)(VECTOR v, const NAME(quick_order) order) {
    if (order.any) v = WW_KEY_FOLDED(v, NEGATIVE(v), order.flip, order.fold);
    return v;
}

/* How many numbers are below the first key, between the two, above the second; and how many are above the first. Where equal ones are
 * not taken out, a key counts as what is above it. */
typedef struct NAME(quick_counts) {
    size_t low, middle, high, above;
} NAME(quick_counts);

INLINE void NAME(quick_put)(ANY_KEY *to, VECTOR v, LANE_BITS bits, size_t *count, const bool whole) {
    const size_t many = (unsigned)__builtin_popcount(bits);
    if (whole)
        STORE(to + *count, PACKED(v, bits));
    else
        STORE_SOME(to + *count, PACKED(v, bits), many);
    *count += many;
}

/* A register's numbers whose lanes are in `lanes`. `high_end` is where the high ones end, the first of them stored last; in two they
 * are stored as what is between is. */
INLINE void NAME(quick_step)(VECTOR v, LANE_BITS lanes, const VECTOR keys[2], ANY_KEY *low, ANY_KEY *middle,
                             ANY_KEY *high_end, NAME(quick_counts) * c, const bool three, const bool equal,
                             const bool whole) {
    const LANE_BITS below = whole ? BELOW(v, keys[0]) : (LANE_BITS)(BELOW(v, keys[0]) & lanes);
    LANE_BITS above = (LANE_BITS)(lanes & ~below);
    if (equal) above &= BELOW(keys[0], v);
    NAME(quick_put)(low, v, below, &c->low, whole);
    if (!three) {
        NAME(quick_put)(middle, v, above, &c->middle, whole);
        return;
    }
    const LANE_BITS under = BELOW(v, keys[1]);
    const LANE_BITS high = equal ? (LANE_BITS)(BELOW(keys[1], v) & lanes) : (LANE_BITS)(lanes & ~under);
    const size_t many = (unsigned)__builtin_popcount(high);
    NAME(quick_put)(middle, v, (LANE_BITS)(above & under), &c->middle, whole);
    c->high += many;
    STORE_SOME(high_end - c->high, PACKED(v, high), many);
    if (equal) c->above += (unsigned)__builtin_popcount(above);
}

/* What is written next is asked for with the right to write: 2^20 keys of 32 bits take 0.94 of the time without (a Xeon, 2026-11). */
#define QUICK_AHEAD 512
#define QUICK_ASK(at, away) \
    do { \
        __builtin_prefetch((const char *)(at) + (away), 1); \
        __builtin_prefetch((const char *)(at) + (away) + 64, 1); \
    } while (0)

/* Parts n numbers in one pass, which writes behind itself: `low` or `middle` may be `from`, and the array of one of them ends where
 * the high ones do. A whole register is stored only where as many numbers are still to come. */
INLINE NAME(quick_counts)
    NAME(quick_part)(const ANY_KEY *from, size_t n, const KEY key[2], ANY_KEY *low, ANY_KEY *middle, ANY_KEY *high_end,
                     const NAME(quick_order) order, const bool three, const bool equal) {
    const VECTOR keys[2] = {FILLED(key[0]), FILLED(key[1])};
    const LANE_BITS all = (LANE_BITS)(((uint64_t)1 << LANES) - 1);
    NAME(quick_counts) c = {0, 0, 0, 0};
    const size_t ahead = three ? LANES : 0;
    size_t i = 0;
    for (; i + 4 * LANES + ahead <= n; i += 4 * LANES) {
        VECTOR v[4];
        for (size_t f = 0; f < sizeof v; f += 64) __builtin_prefetch((const char *)(from + i) + WW__AHEAD + f);
        QUICK_ASK(low + c.low, QUICK_AHEAD);
        QUICK_ASK(middle + c.middle, QUICK_AHEAD);
        if (three) QUICK_ASK(high_end - c.high, -QUICK_AHEAD - 64);
        _Pragma("GCC unroll 4") for (size_t j = 0; j < 4; j++)
            v[j] = NAME(quick_numbers)(LOADED(from + i + j * LANES), order);
        _Pragma("GCC unroll 4") for (size_t j = 0; j < 4; j++)
            NAME(quick_step)(v[j], all, keys, low, middle, high_end, &c, three, equal, true);
    }
    for (; i + LANES + ahead <= n; i += LANES) NAME(quick_step)
    (NAME(quick_numbers)(LOADED(from + i), order), all, keys, low, middle, high_end, &c, three, equal, true);
    for (; i < n; i += LANES) {
        const size_t many = n - i < LANES ? n - i : LANES;
        const VECTOR v = many == LANES ? LOADED(from + i) : LOADED_SOME(from + i, many);
        NAME(quick_step)
        (NAME(quick_numbers)(v, order), (LANE_BITS)(all >> (LANES - many)), keys, low, middle, high_end, &c, three,
         equal, false);
    }
    if (!three || !equal) c.above = c.middle + c.high;
    return c;
}

/* What a part's numbers become when they are in their places: keys, by the order's `flip` and `fold`. */
INLINE void NAME(quick_done)(ANY_KEY *to, size_t n, const ww__radix_order *order) {
    const NAME(quick_order) o = NAME(quick_order_of)(order);
    if (!o.any) return;
    for (size_t i = 0; i < n; i += LANES) {
        const size_t many = n - i < LANES ? n - i : LANES;
        const VECTOR key = (many == LANES ? LOADED(to + i) : LOADED_SOME(to + i, many)) ^ o.flip;
        STORE_SOME(to + i, WW_KEY_FOLDED(key, NEGATIVE(key), FILLED(0), o.fold), many);
    }
}

INLINE void NAME(quick_fill)(ANY_KEY *to, size_t n, KEY number, const ww__radix_order *order) {
    const VECTOR all = FILLED(WW_NUMBER_KEY(KEY, number, (KEY)order->flip, (KEY)order->fold));
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) STORE(to + i, all);
    if (i < n) STORE_SOME(to + i, all, n - i);
}

/* Up to FEW keys, which `in` makes numbers of, into `to`, which may be where they are. Not in the frame of what calls itself. */
JOINED(WW__TARGET, WIDTH)
static __attribute__((noinline)) void NAME(quick_few)(const ANY_KEY *from, ANY_KEY *to, size_t n,
                                                      const ww__radix_order *in, const ww__radix_order *out) {
    const NAME(quick_order) order = NAME(quick_order_of)(in);
    KEY room[FEW] __attribute__((aligned(64)));
    for (size_t i = 0; i < n; i += LANES) {
        const size_t many = n - i < LANES ? n - i : LANES;
        const VECTOR key = many == LANES ? LOADED(from + i) : LOADED_SOME(from + i, many);
        STORE(room + i, NAME(quick_numbers)(key, order));
    }
    NAME(sort_few)(room, n);
    memcpy(to, room, n * sizeof(KEY));
    NAME(quick_done)(to, n, out);
}

INLINE void NAME(quick_block)(ANY_KEY *to, const ANY_KEY *from, size_t n, const ww__radix_order *order) {
    if (n > MOST) {
        NAME(quick_few)(from, to, n, &as_they_are, order);
        return;
    }
    NAME(sort_block)(to, from, n);
    NAME(quick_done)(to, n, order);
}

#define QUICK_PART(order, three, equal) NAME(quick_part)(from, n, plan.keys, to, middle, high_end, order, three, equal)

/* … by a plan, to three arrays as above. The equal ones are written to the result, `to`: the first key behind the low ones, the second
 * before the high ones. `in` makes numbers of
 * what is read, `out` keys of what is in its place. */
JOINED(WW__TARGET, WIDTH)
static NAME(quick_counts) NAME(quick_pass)(const ANY_KEY *from, size_t n, ANY_KEY *to, ANY_KEY *middle,
                                           ANY_KEY *high_end, const ww__radix_order *in, const ww__radix_order *out) {
    const NAME(quick_order) order = NAME(quick_order_of)(in), none = NAME(quick_order_of)(&as_they_are);
    const NAME(quick_plan) plan = NAME(quick_plan_of)(from, n, in);
    const NAME(quick_counts)
        c = order.any    ? (plan.three ? QUICK_PART(order, true, plan.equal) : QUICK_PART(order, false, plan.equal))
            : plan.three ? (plan.equal ? QUICK_PART(none, true, true) : QUICK_PART(none, true, false))
            : plan.equal ? QUICK_PART(none, false, true)
                         : QUICK_PART(none, false, false);
    NAME(quick_fill)(to + c.low, n - c.low - c.above, plan.keys[0], out);
    NAME(quick_fill)(to + n - c.above + c.middle, c.above - c.middle - c.high, plan.keys[1], out);
    return c;
}
#undef QUICK_PART

JOINED(WW__TARGET, WIDTH)
static void NAME(quick_from)(ANY_KEY *from, ANY_KEY *to, size_t n, unsigned depth, const ww__radix_order *order);

/* Sorts the n numbers of `to`; `room` has room for as many. */
JOINED(WW__TARGET, WIDTH)
static void NAME(quick_there)(ANY_KEY *to, ANY_KEY *room, size_t n, unsigned depth, const ww__radix_order *order) {
    while (n > QUICK_BLOCKS) {
        if (!depth--) {
            NAME(sort_by_spreads)(to, room, to, n);
            NAME(quick_done)(to, n, order);
            return;
        }
        const NAME(quick_counts) c = NAME(quick_pass)(to, n, to, room, room + n, &as_they_are, order);
        NAME(quick_from)(room, to + n - c.above, c.middle, depth, order);
        NAME(quick_from)(room + n - c.high, to + n - c.high, c.high, depth, order);
        n = c.low;
    }
    NAME(quick_block)(to, to, n, order);
}

/* Sorts the n numbers of `from` into `to`; `from` loses what it held. */
JOINED(WW__TARGET, WIDTH)
static void NAME(quick_from)(ANY_KEY *from, ANY_KEY *to, size_t n, unsigned depth, const ww__radix_order *order) {
    while (n > QUICK_BLOCKS) {
        if (!depth--) {
            NAME(sort_by_spreads)(from, to, to, n);
            NAME(quick_done)(to, n, order);
            return;
        }
        const NAME(quick_counts) c = NAME(quick_pass)(from, n, to, from, to + n, &as_they_are, order);
        NAME(quick_there)(to, from + c.middle, c.low, depth, order);
        NAME(quick_there)(to + n - c.high, from + c.middle, c.high, depth, order);
        to += n - c.above;
        n = c.middle;
    }
    NAME(quick_block)(to, from, n, order);
}

INLINE ww__network_part NAME(quick_child)(ANY_KEY *from, ANY_KEY *to, ANY_KEY *room, size_t n,
                                          const ww__network_part *of) {
    return (ww__network_part){from, to, room, n, of->depth ? of->depth - 1 : 0, NULL, NULL, NULL};
}

/* ww__network_parts: a pass makes numbers of keys, and leaves these as they are, where they are in neither array. */
JOINED(WW__TARGET, WIDTH)
static void NAME(quick_divide)(const ww__network_part *part, ww__network_part into[WW__NETWORK_PARTS], const ww__radix_order *in,
                               const ww__radix_order *out) {
    ANY_KEY *from = part->from, *to = part->to, *room = part->room;
    const size_t n = part->n;
    const bool there = from != room;
    const NAME(quick_counts) c = NAME(quick_pass)(from, n, to, room, there ? room + n : to + n, in, out);
    ANY_KEY *const high = to + n - c.high;
    into[0] = NAME(quick_child)(to, to, room + c.middle, c.low, part);
    into[1] = NAME(quick_child)(room, to + n - c.above, room, c.middle, part);
    into[2] = there ? NAME(quick_child)(room + n - c.high, high, room + n - c.high, c.high, part)
                    : NAME(quick_child)(high, high, room + c.middle + c.low, c.high, part);
    into[3] = NAME(quick_child)(to, to, room, 0, part);
}

JOINED(WW__TARGET, WIDTH)
static void NAME(quick_finish)(const ww__network_part *part, const ww__radix_order *out) {
    if (part->from == part->room)
        NAME(quick_from)(part->from, part->to, part->n, part->depth, out);
    else
        NAME(quick_there)(part->to, part->room, part->n, part->depth, out);
}

static const ww__network_parts NAME(parts) = {NAME(quick_divide), NAME(quick_finish)};

/* ww__network_quick. */
JOINED(WW__TARGET, WIDTH)
static void NAME(quick)(const void *keys, void *result, void *scratch, size_t n, const ww__radix_order *in,
                        const ww__radix_order *out) {
    const ANY_KEY *from = keys;
    ANY_KEY *to = result;
    if (n <= FEW) {
        NAME(quick_few)(from, to, n, in, out);
        return;
    }
    const ww__network_part all = {
        .from = (void *)(uintptr_t)keys, .to = result, .room = scratch, .n = n, .depth = NAME(quick_depth)(n) + 1};
    ww__network_part part[WW__NETWORK_PARTS];
    NAME(quick_divide)(&all, part, in, out);
    for (size_t i = 0; i < WW__NETWORK_PARTS; i++) NAME(quick_finish)(&part[i], out);
}

#undef QUICK_IN_THREE
#undef QUICK_BLOCKS
#undef QUICK_AHEAD
#undef QUICK_ASK
