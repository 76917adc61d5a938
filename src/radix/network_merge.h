/* Merging blocks that are sorted (network_rows.h) by bitonic merges, for what is a few blocks: no key is chosen that could part numbers
 * badly, nothing depends on what they are, and no branch on how they compare. network_rows.h includes this file; its caller's
 * macros are there.
 *
 * Two runs lie one behind the other, the first as many rows as a power of two. Numbers of the second that are not there count as ONES: they
 * would stay behind all others, so rows of them are not touched. To be bitonic together, the second run would have to be read
 * backwards; instead each of its rows is held, reversed, against the one as far from the end of the first run. What is larger is
 * left reversed: rows are bitonic both ways, and lanes are compared with lanes of their own number until rows are all that is left.
 *
 * Batcher, Sorting Networks and Their Applications (1968). */

#define FEW (WW__NETWORK_FEW / sizeof(KEY))

/* Sorts two rows that are each bitonic. */
INLINE void NAME(finish_rows)(VECTOR *u, VECTOR *v) {
    CROSS(*u, *v, SWAPPED_HALVES, LANES / 2);
#if LANES >= 16
    CROSS(*u, *v, SWAPPED_4, 4);
#endif
    CROSS(*u, *v, SWAPPED_2, 2);
    CROSS(*u, *v, SWAPPED_1, 1);
    UNCROSS_ROWS(*u, *v);
}

/* Sorts a bitonic sequence of `rows` rows, of which `there` are there. */
INLINE void NAME(clean_rows)(KEY *at, size_t there, const size_t rows) {
    VECTOR v[ROWS];
    _Pragma("GCC unroll 16") for (size_t i = 0; i < rows; i++) v[i] = i < there ? LOADED(at + i * LANES) : ONES;
    _Pragma("GCC unroll 4") for (size_t half = rows / 2; half; half /= 2)
        _Pragma("GCC unroll 8") for (size_t i = 0; i < rows / 2; i++) {
        const size_t a = i / half * 2 * half + i % half;
        COMPARE(v[a], v[a + half]);
    }
    _Pragma("GCC unroll 8") for (size_t i = 0; i < rows; i += 2) NAME(finish_rows)(&v[i], &v[i + 1]);
    _Pragma("GCC unroll 16") for (size_t i = 0; i < rows; i++) if (i < there) STORE(at + i * LANES, v[i]);
}

/* Two rows of memory. */
INLINE void NAME(compare_rows)(KEY *low, KEY *high, const bool reverse) {
    VECTOR a = LOADED(low), b = LOADED(high);
    if (reverse) b = REVERSED_ROW(b);
    COMPARE(a, b);
    STORE(low, a);
    STORE(high, b);
}

/* The same of up to `rows` rows, a power of two from ROWS on. */
JOINED(WW__TARGET, WIDTH)
static void NAME(clean)(KEY *at, size_t there, size_t rows) {
    while (rows > ROWS) {
        rows /= 2;
        for (size_t i = rows; i < there; i++) NAME(compare_rows)(at + (i - rows) * LANES, at + i * LANES, false);
        if (there > rows) {
            NAME(clean)(at + rows * LANES, there - rows, rows);
            there = rows;
        }
    }
    if (there > 8)
        NAME(clean_rows)(at, there, ROWS);
    else if (there > 2)
        NAME(clean_rows)(at, there, 8);
    else
        NAME(clean_rows)(at, there, 2);
}

/* Merges two runs, of `rows` rows and of `others`, no more. */
JOINED(WW__TARGET, WIDTH)
static void NAME(merge_runs)(KEY *at, size_t rows, size_t others) {
    for (size_t i = 0; i < others; i++) NAME(compare_rows)(at + (rows - 1 - i) * LANES, at + (rows + i) * LANES, true);
    NAME(clean)(at, rows, rows);
    NAME(clean)(at + rows * LANES, others, rows);
}

/* Sorts up to FEW numbers, behind which there is room up to a whole row. */
JOINED(WW__TARGET, WIDTH)
static void NAME(sort_few)(KEY *at, size_t n) {
    const size_t rows = (n + LANES - 1) / LANES;
    if (n % LANES) STORE(at + n / LANES * LANES, LOADED_SOME(at + n / LANES * LANES, n % LANES));
    for (size_t i = 0; i < rows; i += ROWS) {
        const size_t many = rows - i < ROWS ? rows - i : (size_t)ROWS;
        NAME(sort_block)((ANY_KEY *)at + i * LANES, (ANY_KEY *)at + i * LANES, many * LANES);
    }
    for (size_t run = ROWS; run < rows; run *= 2)
        for (size_t i = 0; i + run < rows; i += 2 * run)
            NAME(merge_runs)(at + i * LANES, run, rows - i - run < run ? rows - i - run : run);
}
