/* What the kernels of the named methods share: the struct that they take, and how they read a text.
 *
 * WW_STEP: bits of a character in the text, 8 or, where it is packed, 1, 2 or 4. WW_SIGMA: bits that characters of the pattern
 * have; WW_FOLD: 1 letters of the text are compared as small ones. */
#ifndef WW_NAMED_CUH
#define WW_NAMED_CUH

#include "device/kernel/types.cuh"
#include "text/named/named_arguments.cuh"

enum {
    WORD_CHARACTERS = 32 / WW_STEP,
    STEP_MASK = (1 << WW_STEP) - 1,
    SIGMA_MASK = (1 << WW_SIGMA) - 1,
    /* Bytes may be characters that the pattern's alphabet does not have: hits are compared with the text itself. */
    STRICT = WW_STEP == 8 && WW_SIGMA < 8,
    MARK_BITS = 32
};

/* A to Z as a to z, in four bytes at once. */
WW_DEVICE uint32_t folded(uint32_t word) {
#if WW_FOLD
    const uint32_t low = word & 0x7F7F7F7Fu;
    const uint32_t upper = (low + 0x3F3F3F3Fu) & ~(low + 0x25252525u) & ~word & 0x80808080u;
    return word | upper >> 2;
#else
    return word;
#endif
}

/* Four bytes of the text, as they are compared; 0 behind its end. Aligned words are read, and nothing outside the text. */
WW_DEVICE uint32_t four_bytes(const named_arguments &a, uint64_t at) {
    const uint32_t off = uint32_t(uintptr_t(a.text + at) & 3);
    uint32_t word = 0;
    if (at >= off && at - off + (off ? 8 : 4) <= a.bytes) {
        const uint32_t *p = reinterpret_cast<const uint32_t *>(a.text + at - off);
        word = off ? __funnelshift_r(p[0], p[1], 8 * off) : p[0];
    } else {
        for (uint32_t k = 0; k < 4; k++)
            if (at + k < a.bytes) word |= uint32_t(a.text[at + k]) << 8 * k;
    }
    return folded(word);
}

WW_DEVICE uint32_t character(const named_arguments &a, uint64_t at) {
    const uint64_t bit = at * WW_STEP;
    return folded(uint32_t(a.text[bit / 8])) >> bit % 8 & STEP_MASK;
}

/* Whether characters from ... m - 1 of the pattern stand at a start. */
WW_DEVICE bool fits(const named_arguments &a, uint64_t start, uint64_t from) {
    for (uint64_t i = from; i < a.m; i++)
        if (character(a, start + i) != a.pattern[i]) return false;
    return true;
}

/* The match that was found last. */
struct found {
    uint64_t last;
    bool any;
};

/* Whether the pattern begins where a part of it, or its fingerprint, does; asked for rising starts. Behind a match less than a
 * pattern's length ago only a multiple of the least period can be one (Fine and Wilf; but for the last few distances), and only
 * what is new has to be compared: compare(a, start, from) is `fits` or as it. */
template <class F> WW_DEVICE bool is_match(const named_arguments &a, uint64_t start, found &before, F compare) {
    const uint64_t distance = start - before.last;
    uint64_t from = 0;
    if (before.any && distance < a.m && distance + a.period <= a.m) {
        if (distance % a.period) return false;
        from = a.m - distance;
    }
    if (!compare(a, start, from)) return false;
    before.last = start;
    before.any = true;
    return true;
}

/* The first `many` of a word of marks. */
WW_DEVICE uint32_t marks_before(uint32_t marks, uint64_t many) {
    return many >= MARK_BITS ? marks : marks & ((1u << many) - 1);
}

#endif
