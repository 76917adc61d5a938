/* Sorting pairs in registers, stably: for numbers and values of 32 bits, one a 64-bit word, whose high half is the number.
 * network_rows.h includes this file at its end.
 *
 * A bucket's numbers differ by less than 2^(32 - INDEX_BITS), and a block has no more than 2^INDEX_BITS pairs. So a word of 32
 * bits has room for what a pair's number is above the bucket's least, and below that for its place in the block: these
 * words are sorted. Equal numbers stay in order by their places, and places say where values are. */

#define INDEX_BITS (LANES == 16 ? 8 : 7)
_Static_assert(MOST == 1 << INDEX_BITS, "a place in a block is INDEX_BITS long");

#define HIGH_HALF(pair) ((uint32_t)((pair) >> 32))
typedef uint64_t NAME(pair) __attribute__((aligned(1), may_alias));
TO_SLOTS(pairs_to_slots, NAME(pair), HIGH_HALF)

INLINE void NAME(sort_pairs)(ANY_KEY *keys, ANY_KEY *values, const NAME(pair) * pairs, size_t n, uint32_t base) {
    uint32_t words[MOST];
    for (size_t i = 0; i < n; i++) words[i] = (HIGH_HALF(pairs[i]) - base) << INDEX_BITS | (uint32_t)i;
    NAME(sort_block)((ANY_KEY *)words, (ANY_KEY *)words, n);
    for (size_t i = 0; i < n; i++) keys[i] = base + (words[i] >> INDEX_BITS);
    for (size_t i = 0; i < n; i++) values[i] = (uint32_t)pairs[words[i] & (MOST - 1)];
}

JOINED(WW__TARGET, WIDTH)
static bool NAME(pairs)(const void *from, void *keys, void *values, size_t n, ww__word mask, void *slots) {
    const NAME(pair) *pairs = from;
    NAME(pair) *in_slots = slots;
    ANY_KEY *k = keys, *v = values;
    const uint32_t first = HIGH_HALF(pairs[0]), bits = (uint32_t)mask;
    uint32_t next[BUCKETS_MOST];
    const NAME(spread) s = NAME(spread_of)(first & ~bits, first | bits, n / AIM + 1);
    const uint64_t width = ((((uint64_t)1 << 32) / s.factor + 1) >> s.up) + 2; /* of a bucket, at most */
    if (width > (uint64_t)1 << (32 - INDEX_BITS) || !NAME(pairs_to_slots)(&s, pairs, n, in_slots, next)) return false;
    for (size_t b = 0; b < s.buckets; b++) {
        const size_t slot = b * PADDED(NAME(pair)), many = next[b] - slot;
        const uint32_t base = s.least +
                              (uint32_t)(((uint64_t)b << 32) / s.factor >> s.up); /* no more than any number there */
        if (many) NAME(sort_pairs)(k, v, in_slots + slot, many, base);
        k += many;
        v += many;
    }
    return true;
}

#undef INDEX_BITS
#undef HIGH_HALF
