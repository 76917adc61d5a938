/* Bits of numbers by vectors: bits_plain of two_cpu.c, which says what a width does for it and includes this once for each.
 *
 * WIDTH: avx2 or avx512. VECTOR: its type. NOTHING: one of zeros. LOADED(p): one from memory. EITHER(a, b): the bits of both.
 * ODD(x): a bit for each lane of 32 bits, whether it is odd. */
#define JOINED(a, b) JOINED_EXPANDED(a, b)
#define JOINED_EXPANDED(a, b) a##_##b

JOINED(WW__TARGET, WIDTH)
static uint32_t JOINED(bits, WIDTH)(uint64_t *bits, const uint32_t *numbers, size_t n) {
    enum { LANES = sizeof(VECTOR) / sizeof(uint32_t) };
    VECTOR all = NOTHING;
    for (size_t i = 0; i < n; i += 64) {
        uint64_t word = 0;
        for (size_t k = 0; k < 64; k += LANES) {
            const VECTOR x = LOADED(numbers + i + k);
            all = EITHER(all, x);
            word |= (uint64_t)(ODD(x)) << k;
        }
        bits[i / 64] = word;
    }
    uint32_t lanes[LANES], any = 0;
    memcpy(lanes, &all, sizeof all);
    for (size_t l = 0; l < LANES; l++) any |= lanes[l];
    return any;
}

#undef WIDTH
#undef VECTOR
#undef NOTHING
#undef LOADED
#undef EITHER
#undef ODD
#undef JOINED
#undef JOINED_EXPANDED
