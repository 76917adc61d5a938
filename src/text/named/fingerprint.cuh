/* The fingerprints that threads roll over their subtexts (Ashkiani 2017, sections 2.6.2 and 2.7.1).
 *
 * WW_MODULO: 1 the characters as a number modulo WW_PRIME, which is below 2^(31 - WW_SIGMA), so that 32 bits do: equal ones have
 * to be compared. 0: the characters themselves, in WW_WINDOW (32 or 64) bits; those that leave are shifted out. */
#ifndef WW_FINGERPRINT_CUH
#define WW_FINGERPRINT_CUH

#include "text/named/subtext.cuh"

#if WW_MODULO
struct fingerprint {
    uint32_t f;
    WW_DEVICE_MEMBER fingerprint() : f(0) {}
    WW_DEVICE_MEMBER void enter(uint32_t c) { f = ((f << WW_SIGMA) + c) % WW_PRIME; }
    WW_DEVICE_MEMBER void roll(uint32_t old, uint32_t c, uint32_t leaving) {
        f = (((f + WW_PRIME - leaving * old % WW_PRIME) << WW_SIGMA) + c) % WW_PRIME;
    }
    WW_DEVICE_MEMBER bool equals(uint64_t wanted, uint64_t) const { return f == uint32_t(wanted); }
};
#else
struct fingerprint {
    ww_number<WW_WINDOW / 8>::type f;
    WW_DEVICE_MEMBER fingerprint() : f(0) {}
    WW_DEVICE_MEMBER void enter(uint32_t c) { f = f << WW_SIGMA | c; }
    WW_DEVICE_MEMBER void roll(uint32_t, uint32_t c, uint32_t) { enter(c); }
    WW_DEVICE_MEMBER bool equals(uint64_t wanted, uint64_t mask) const {
        return (f & ww_number<WW_WINDOW / 8>::type(mask)) == ww_number<WW_WINDOW / 8>::type(wanted);
    }
};
#endif

/* A mask of the bits that `many` characters take. */
WW_DEVICE uint64_t window_mask(uint64_t many) {
    return many * WW_SIGMA >= 64 ? ~uint64_t(0) : (uint64_t(1) << many * WW_SIGMA) - 1;
}

/* The fingerprint of the first `many` characters of a subtext. */
template <class W> WW_DEVICE fingerprint first_fingerprint(const W &words, uint64_t many) {
    fingerprint f;
    uint64_t at = 0;
    for (; at + WORD_CHARACTERS <= many; at += WORD_CHARACTERS) {
        const uint32_t word = words(at / WORD_CHARACTERS);
#pragma unroll
        for (int k = 0; k < WORD_CHARACTERS; k++) f.enter(nth(word, k));
    }
    if (at == many) return f;
    const uint32_t word = words(at / WORD_CHARACTERS);
    for (int k = 0; at + k < many; k++) f.enter(nth(word, k));
    return f;
}

/* Rolls a fingerprint of `many` characters over MARK_BITS starts, from the subtext's start `first` on. Returns marks of those
 * where it is equal. */
template <class W>
WW_DEVICE uint32_t roll_over_marks(const named_arguments &a, const W &words, uint64_t first, uint64_t many, fingerprint &f) {
    const uint64_t mask = window_mask(many);
    uint32_t marks = 0;
#pragma unroll
    for (int w = 0; w < MARK_BITS / WORD_CHARACTERS; w++) {
        const uint64_t at = first + w * WORD_CHARACTERS;
        const uint32_t old = words(at / WORD_CHARACTERS), fresh = characters_from(words, at + many);
#pragma unroll
        for (int k = 0; k < WORD_CHARACTERS; k++) {
            if (f.equals(a.wanted, mask)) marks |= 1u << (w * WORD_CHARACTERS + k);
            f.roll(nth(old, k), nth(fresh, k), uint32_t(a.leaving));
        }
    }
    return marks;
}

#endif
