/* scale_plain of histogram_even.c by vectors, for whole == 0; that file says what a width does for it and includes this once for
 * each. Even lanes are multiplied where they stand, odd ones shifted down. (Written out because gcc does not see that the factors
 * have 32 bits.)
 *
 * WIDTH: avx2 or avx512. VECTOR: its type. LOADED(p), STORE(p, v): memory. FILLED(x), FILLED_64(x): x in every lane of 32, of 64
 * bits. MINUS(a, b): of 32 bits. PLUS_64(a, b), DOWN_32(x): sums, and shifts by 32, of 64 bits. EVEN_PRODUCTS(a, b): of 64 bits, of
 * the even lanes of 32. ODD_OF(even, odd): the even lanes of one, the odd ones of the other. UP_TO(x, last, yes, no): of `yes` where
 * x is at most `last`. */
#define JOINED(a, b) JOINED_EXPANDED(a, b)
#define JOINED_EXPANDED(a, b) a##_##b

JOINED(WW__TARGET, WIDTH)
static void JOINED(scale, WIDTH)(const ww__even *e, uint32_t *out, const uint32_t *from, size_t n) {
    enum { LANES = sizeof(VECTOR) / sizeof(uint32_t) };
    const VECTOR f1 = FILLED_64(e->upper >> 32), f0 = FILLED_64((uint32_t)e->upper);
    const VECTOR last = FILLED((uint32_t)e->range - 1), none = FILLED(e->bins), low = FILLED((uint32_t)e->low);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const VECTOR x = MINUS(LOADED(from + i), low), odd = DOWN_32(x);
        const VECTOR p0 = DOWN_32(EVEN_PRODUCTS(x, f0)), p1 = DOWN_32(EVEN_PRODUCTS(odd, f0));
        const VECTOR q0 = DOWN_32(PLUS_64(EVEN_PRODUCTS(x, f1), p0)), q1 = PLUS_64(EVEN_PRODUCTS(odd, f1), p1);
        STORE(out + i, UP_TO(x, last, ODD_OF(q0, q1), none));
    }
    scale_plain(e, out + i, from + i, n - i);
}

#undef WIDTH
#undef VECTOR
#undef LOADED
#undef STORE
#undef FILLED
#undef FILLED_64
#undef MINUS
#undef PLUS_64
#undef DOWN_32
#undef EVEN_PRODUCTS
#undef ODD_OF
#undef UP_TO
#undef JOINED
#undef JOINED_EXPANDED
