/* Keys whose bytes are few letters: text, names, digits that are written out. Each letter gets a code, in the order of letters. A
 * key's codes, the highest byte's first, are a number of fewer bits: it is in the keys' order, and tells the key. The first sweep
 * codes keys as it reads them, the last one decodes them as it writes. */
#ifndef WW_LETTERS_CUH
#define WW_LETTERS_CUH

#ifndef __cplusplus
#include <stdint.h>
#endif

enum { LETTER_BYTES = 8, LETTER_BITS_MOST = 7 };

typedef struct ww_letters {
    uint32_t bits; /* of a code; 0: keys are not coded. As many sweeps run as a code has bits: those over the lowest digits. */
    uint32_t unused[3];
    uint8_t code[256]; /* of a letter; what is none has any */
    uint8_t letter[1 << LETTER_BITS_MOST];
} ww_letters;

#ifdef WW_DEVICE
/* A block's copy of either table, by its words; behind a barrier. */
template <uint32_t threads> WW_DEVICE void load_letters(uint8_t *to, const uint8_t *from, uint32_t bytes) {
    for (uint32_t k = threadIdx.x; k < bytes / 4; k += threads)
        reinterpret_cast<uint32_t *>(to)[k] = reinterpret_cast<const uint32_t *>(from)[k];
}

WW_DEVICE uint64_t coded(const uint8_t *code, uint32_t bits, uint64_t number) {
    const uint32_t low = uint32_t(number), high = uint32_t(number >> 32), by = 1u << bits;
    uint32_t low_codes = 0, high_codes = 0;
#pragma unroll
    for (int at = 24; at >= 0; at -= 8) {
        low_codes = low_codes * by + code[low >> at & 255];
        high_codes = high_codes * by + code[high >> at & 255];
    }
    return uint64_t(high_codes) << LETTER_BYTES / 2 * bits | low_codes;
}

WW_DEVICE uint64_t decoded(const uint8_t *letter, uint32_t bits, uint64_t codes) {
    const uint32_t half = LETTER_BYTES / 2 * bits, one = (1u << bits) - 1;
    uint32_t low_codes = uint32_t(codes), high_codes = uint32_t(codes >> half), low = 0, high = 0;
#pragma unroll
    for (int at = 0; at < 32; at += 8) {
        low |= uint32_t(letter[low_codes & one]) << at;
        high |= uint32_t(letter[high_codes & one]) << at;
        low_codes >>= bits;
        high_codes >>= bits;
    }
    return uint64_t(high) << 32 | low;
}
#endif

#endif
