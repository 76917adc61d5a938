/* Sorting numbers whose spread is not even, or of which many are equal, by vectors: quicksort, parted in three by a key of a
 * sample, until blocks fit in registers. network_rows.h includes this file; the caller's macros are there, and
 *     NEGATIVE(v)        ones in the lanes whose highest bit is set
 *     BELOW(a, b)        a bit for each lane of a that is less than that of b
 *     PACKED(v, bits)    the lanes whose bits are set, in order, first
 *
 * A part of n numbers has room for as many again elsewhere. In one pass those below the key go where the part's result will be,
 * those above it where it will not; what stays is as long as it was, so both have room for themselves again. Equal ones are
 * counted only: they are written. No store goes beyond what was read, so whole registers are stored whatever they hold.
 *
 * Numbers are written as they come, and each pass gets on by at least the key itself; where keys of the sample were bad too often,
 * spreads finish (sort_by_spreads). Bramas (2017); Blacher et al. (2022); parts that are equal: Bentley and McIlroy,
 * Engineering a Sort Function (1993). */

/* Parts that outgrow a first-level cache are parted in three, since it is stores to the next that cost most. */
enum { NAME(quick_sample) = 4 * LANES };
#define QUICK_IN_THREE ((size_t)(1 << 14) / sizeof(KEY))

/* Passes that a part of n numbers may take. */
INLINE unsigned NAME(quick_depth)(size_t n) { return 2 * (64 - (unsigned)__builtin_clzll((uint64_t)n / MOST | 1)) + 4; }

/* Parts a sample in two, or by keys[0] and keys[1] in three. */
INLINE void NAME(quick_keys)(const ANY_KEY *from, size_t n, const ww__radix_order *order, KEY keys[2]) {
    KEY sample[NAME(quick_sample)];
    const bool three = n >= QUICK_IN_THREE;
    const size_t many = three ? (size_t)NAME(quick_sample) : 2 * LANES, step = n / many;
    for (size_t i = 0; i < many; i++) {
        const KEY key = from[i * step + (i * 7 & 15) * step / 16];
        sample[i] = WW_KEY_NUMBER(KEY, key, (KEY)order->flip, (KEY)order->fold);
    }
    NAME(sort_block)(sample, sample, many);
    keys[0] = sample[three ? many / 3 : many / 2];
    keys[1] = sample[three ? 2 * many / 3 : many / 2];
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

/* How many numbers are below the first key, between the two, above the second; and how many are above the first. */
typedef struct NAME(quick_counts) {
    size_t low, middle, high, above;
} NAME(quick_counts);

INLINE void NAME(quick_put)(ANY_KEY *to, VECTOR v, unsigned bits, size_t *count, const bool whole) {
    const size_t many = (unsigned)__builtin_popcount(bits);
    if (whole)
        STORE(to + *count, PACKED(v, bits));
    else
        STORE_SOME(to + *count, PACKED(v, bits), many);
    *count += many;
}

/* A register's numbers whose lanes are in `lanes`. `high_end` is where the high ones end, the first of them stored last. */
INLINE void NAME(quick_step)(VECTOR v, unsigned lanes, const VECTOR keys[2], ANY_KEY *low, ANY_KEY *middle,
                             ANY_KEY *high_end, NAME(quick_counts) * c, const bool three, const bool whole) {
    const unsigned below = BELOW(v, keys[0]) & lanes, above = BELOW(keys[0], v) & lanes;
    NAME(quick_put)(low, v, below, &c->low, whole);
    if (!three) {
        NAME(quick_put)(middle, v, above, &c->middle, whole);
        return;
    }
    const unsigned high = BELOW(keys[1], v) & lanes, many = (unsigned)__builtin_popcount(high);
    NAME(quick_put)(middle, v, above & BELOW(v, keys[1]), &c->middle, whole);
    c->high += many;
    STORE_SOME(high_end - c->high, PACKED(v, high), many);
    c->above += (unsigned)__builtin_popcount(above);
}

/* Parts n numbers in one pass, which writes behind itself: `low` or `middle` may be `from`, and the array of one of them ends where
 * the high ones do. A whole register is stored only where as many numbers are still to come. */
INLINE NAME(quick_counts)
    NAME(quick_part)(const ANY_KEY *from, size_t n, const KEY key[2], ANY_KEY *low, ANY_KEY *middle, ANY_KEY *high_end,
                     const NAME(quick_order) order, const bool three) {
    const VECTOR keys[2] = {FILLED(key[0]), FILLED(key[1])};
    const unsigned all = (unsigned)(((uint64_t)1 << LANES) - 1);
    NAME(quick_counts) c = {0, 0, 0, 0};
    const size_t ahead = three ? LANES : 0;
    size_t i = 0;
    for (; i + 4 * LANES + ahead <= n; i += 4 * LANES) {
        VECTOR v[4];
        __builtin_prefetch((const char *)(from + i) + WW__AHEAD);
        _Pragma("GCC unroll 4") for (size_t j = 0; j < 4; j++)
            v[j] = NAME(quick_numbers)(LOADED(from + i + j * LANES), order);
        _Pragma("GCC unroll 4") for (size_t j = 0; j < 4; j++)
            NAME(quick_step)(v[j], all, keys, low, middle, high_end, &c, three, true);
    }
    for (; i + LANES + ahead <= n; i += LANES) NAME(quick_step)
    (NAME(quick_numbers)(LOADED(from + i), order), all, keys, low, middle, high_end, &c, three, true);
    for (; i < n; i += LANES) {
        const size_t many = n - i < LANES ? n - i : LANES;
        const VECTOR v = many == LANES ? LOADED(from + i) : LOADED_SOME(from + i, many);
        NAME(quick_step)
        (NAME(quick_numbers)(v, order), all >> (LANES - many), keys, low, middle, high_end, &c, three, false);
    }
    if (!three) c.above = c.middle;
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

INLINE void NAME(quick_block)(ANY_KEY *to, const ANY_KEY *from, size_t n, const ww__radix_order *order) {
    NAME(sort_block)(to, from, n);
    NAME(quick_done)(to, n, order);
}

/* … by the keys of a sample, to three arrays as above. The equal ones are written to the result, `to`: the first key behind the low
 * ones, the second before the high ones. `in` makes numbers of what is read, `out` keys of what is in its place. */
JOINED(WW__TARGET, WIDTH)
static NAME(quick_counts) NAME(quick_pass)(const ANY_KEY *from, size_t n, ANY_KEY *to, ANY_KEY *middle,
                                           ANY_KEY *high_end, const ww__radix_order *in, const ww__radix_order *out) {
    const NAME(quick_order) order = NAME(quick_order_of)(in);
    KEY keys[2];
    NAME(quick_counts) c;
    NAME(quick_keys)(from, n, in, keys);
    if (n < QUICK_IN_THREE)
        c = NAME(quick_part)(from, n, keys, to, middle, high_end, order, false);
    else if (order.any)
        c = NAME(quick_part)(from, n, keys, to, middle, high_end, order, true);
    else
        c = NAME(quick_part)(from, n, keys, to, middle, high_end, NAME(quick_order_of)(&as_they_are), true);
    NAME(quick_fill)(to + c.low, n - c.low - c.above, keys[0], out);
    NAME(quick_fill)(to + n - c.above + c.middle, c.above - c.middle - c.high, keys[1], out);
    return c;
}

JOINED(WW__TARGET, WIDTH)
static void NAME(quick_from)(ANY_KEY *from, ANY_KEY *to, size_t n, unsigned depth, const ww__radix_order *order);

/* Sorts the n numbers of `to`; `room` has room for as many. */
JOINED(WW__TARGET, WIDTH)
static void NAME(quick_there)(ANY_KEY *to, ANY_KEY *room, size_t n, unsigned depth, const ww__radix_order *order) {
    while (n > MOST) {
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
    while (n > MOST) {
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
    return (ww__network_part){from, to, room, n, of->depth ? of->depth - 1 : 0};
}

/* ww__network_parts: a pass makes numbers of keys, and leaves these as they are, where they are in neither array. */
JOINED(WW__TARGET, WIDTH)
static void NAME(quick_divide)(const ww__network_part *part, ww__network_part into[3], const ww__radix_order *in,
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
    if (n <= MOST) {
        for (size_t i = 0; i < n; i++) to[i] = WW_KEY_NUMBER(KEY, from[i], (KEY)in->flip, (KEY)in->fold);
        NAME(quick_block)(to, to, n, out);
        return;
    }
    const ww__network_part all = {(void *)(uintptr_t)keys, result, scratch, n, NAME(quick_depth)(n) + 1};
    ww__network_part part[3];
    NAME(quick_divide)(&all, part, in, out);
    for (size_t i = 0; i < 3; i++) NAME(quick_finish)(&part[i], out);
}

#undef QUICK_IN_THREE
