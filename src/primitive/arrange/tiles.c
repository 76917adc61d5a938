/* A square is read a row a register. Registers mix their elements two by two, in as many steps as the number of a row has bits;
 * then each holds a column (Eklundh 1972). */
#include "primitive/arrange/tiles.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef struct sixteen {
    uint64_t half[2];
} __attribute__((aligned(1))) sixteen;

/* ---- what no square holds: the specification ---- */

typedef struct block {
    unsigned char *to;
    const unsigned char *from;
    size_t to_step, from_step, rows, columns, size;
} block;

/* Elements of the rows and columns from `row` and `column` on. */
#define ELEMENTS(T) \
    static void elements_##T(const block *b, size_t row, size_t column) { \
        for (size_t c = column; c < b->columns; c++) { \
            unsigned char *to = b->to + c * b->to_step; \
            const unsigned char *from = b->from + c * sizeof(T); \
            for (size_t r = row; r < b->rows; r++) memcpy(to + r * sizeof(T), from + r * b->from_step, sizeof(T)); \
        } \
    }
ELEMENTS(uint8_t)
ELEMENTS(uint16_t)
ELEMENTS(uint32_t)
ELEMENTS(uint64_t)
ELEMENTS(sixteen)

static void elements_any(const block *b, size_t row, size_t column) {
    for (size_t c = column; c < b->columns; c++)
        for (size_t r = row; r < b->rows; r++)
            memcpy(b->to + c * b->to_step + r * b->size, b->from + r * b->from_step + c * b->size, b->size);
}

static void elements(const block *b, size_t row, size_t column) {
    switch (b->size) {
    case 1:
        elements_uint8_t(b, row, column);
        break;
    case 2:
        elements_uint16_t(b, row, column);
        break;
    case 4:
        elements_uint32_t(b, row, column);
        break;
    case 8:
        elements_uint64_t(b, row, column);
        break;
    case 16:
        elements_sixteen(b, row, column);
        break;
    default:
        elements_any(b, row, column);
    }
}

/* ---- two, three or four rows or columns: structs of arrays, and arrays of structs ---- */

#define ZIPS(width, T, K) \
    WW__LOOP(width) \
    void zip_##T##_##K##_##width(void *out, const unsigned char *from, size_t from_step, size_t columns) { \
        T *WW__R to = WW__TO(T, out); \
        for (size_t c = 0; c < columns; c++) \
            for (size_t r = 0; r < K; r++) to[c * K + r] = WW__SEEN(T, from + r * from_step)[c]; \
    } \
    WW__LOOP(width) void unzip_##T##_##K##_##width(unsigned char *to, size_t to_step, const void *in, size_t rows) { \
        const T *WW__R from = WW__SEEN(T, in); \
        for (size_t r = 0; r < rows; r++) \
            for (size_t c = 0; c < K; c++) WW__TO(T, to + c * to_step)[r] = from[r * K + c]; \
    }
#define FEW(width, T) ZIPS(width, T, 2) ZIPS(width, T, 3) ZIPS(width, T, 4)
typedef uint32_t u32 __attribute__((aligned(1), may_alias));
typedef uint64_t u64 __attribute__((aligned(1), may_alias));
WW__EACH_WIDTH(FEW, u32)
WW__EACH_WIDTH(FEW, u64)

typedef void zip(void *to, const unsigned char *from, size_t from_step, size_t columns);
typedef void unzip(unsigned char *to, size_t to_step, const void *from, size_t rows);
enum { FEWEST = 2, MOST = 4 };
#define ZIP_ROW(width, T) {zip_##T##_2_##width, zip_##T##_3_##width, zip_##T##_4_##width},
#define UNZIP_ROW(width, T) {unzip_##T##_2_##width, unzip_##T##_3_##width, unzip_##T##_4_##width},
static zip *const zips[2][WW_VECTORS][3] = {{WW__EACH_WIDTH(ZIP_ROW, u32)}, {WW__EACH_WIDTH(ZIP_ROW, u64)}};
static unzip *const unzips[2][WW_VECTORS][3] = {{WW__EACH_WIDTH(UNZIP_ROW, u32)}, {WW__EACH_WIDTH(UNZIP_ROW, u64)}};

/* Whether the block was one of few rows that lie side by side in `to`, or of few columns in `from`. */
static bool few(const ww_device *device, const block *b) {
    if (b->size != 4 && b->size != 8) return false;
    if (b->rows >= FEWEST && b->rows <= MOST && b->to_step == b->rows * b->size) {
        zips[b->size == 8][device->vector][b->rows - FEWEST](b->to, b->from, b->from_step, b->columns);
        return true;
    }
    if (b->columns >= FEWEST && b->columns <= MOST && b->from_step == b->columns * b->size) {
        unzips[b->size == 8][device->vector][b->columns - FEWEST](b->to, b->to_step, b->from, b->rows);
        return true;
    }
    return false;
}

/* ---- squares ---- */

typedef void square(unsigned char *to, size_t to_step, const unsigned char *from, size_t from_step);

#if defined(__x86_64__)

/* Rows r and r + 8 mix, so that the columns come out in order. */
WW__TARGET_avx2 static void square_1(unsigned char *to, size_t to_step, const unsigned char *from, size_t from_step) {
    __m128i x[16], y[16];
    for (size_t r = 0; r < 16; r++) x[r] = _mm_loadu_si128((const __m128i *)(const void *)(from + r * from_step));
    for (int step = 0; step < 4; step++) {
        for (size_t k = 0; k < 8; k++) {
            y[2 * k] = _mm_unpacklo_epi8(x[k], x[k + 8]);
            y[2 * k + 1] = _mm_unpackhi_epi8(x[k], x[k + 8]);
        }
        memcpy(x, y, sizeof x);
    }
    for (size_t c = 0; c < 16; c++) _mm_storeu_si128((__m128i *)(void *)(to + c * to_step), x[c]);
}

WW__TARGET_avx2 static void square_2(unsigned char *to, size_t to_step, const unsigned char *from, size_t from_step) {
    __m128i x[8], y[8];
    for (size_t r = 0; r < 8; r++) x[r] = _mm_loadu_si128((const __m128i *)(const void *)(from + r * from_step));
    for (int step = 0; step < 3; step++) {
        for (size_t k = 0; k < 4; k++) {
            y[2 * k] = _mm_unpacklo_epi16(x[k], x[k + 4]);
            y[2 * k + 1] = _mm_unpackhi_epi16(x[k], x[k + 4]);
        }
        memcpy(x, y, sizeof x);
    }
    for (size_t c = 0; c < 8; c++) _mm_storeu_si128((__m128i *)(void *)(to + c * to_step), x[c]);
}

WW__TARGET_avx2 static void square_4_avx2(unsigned char *to, size_t to_step, const unsigned char *from,
                                          size_t from_step) {
    __m256i x[8], y[8];
    /* Half a register of row r, the other of row r + 4: what is left are squares of four in each half. */
    for (size_t h = 0; h < 2; h++)
        for (size_t r = 0; r < 4; r++) {
            const unsigned char *row = from + r * from_step + 16 * h;
            x[4 * h + r] = _mm256_inserti128_si256(
                _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)row)),
                _mm_loadu_si128((const __m128i *)(const void *)(row + 4 * from_step)), 1);
        }
    for (size_t h = 0; h < 8; h += 4) {
        y[h] = _mm256_unpacklo_epi32(x[h], x[h + 1]);
        y[h + 1] = _mm256_unpackhi_epi32(x[h], x[h + 1]);
        y[h + 2] = _mm256_unpacklo_epi32(x[h + 2], x[h + 3]);
        y[h + 3] = _mm256_unpackhi_epi32(x[h + 2], x[h + 3]);
        x[h] = _mm256_unpacklo_epi64(y[h], y[h + 2]);
        x[h + 1] = _mm256_unpackhi_epi64(y[h], y[h + 2]);
        x[h + 2] = _mm256_unpacklo_epi64(y[h + 1], y[h + 3]);
        x[h + 3] = _mm256_unpackhi_epi64(y[h + 1], y[h + 3]);
    }
    for (size_t c = 0; c < 8; c++) _mm256_storeu_si256((__m256i *)(void *)(to + c * to_step), x[c]);
}

WW__TARGET_avx2 static void square_8_avx2(unsigned char *to, size_t to_step, const unsigned char *from,
                                          size_t from_step) {
    __m256i x[4];
    for (size_t h = 0; h < 2; h++)
        for (size_t r = 0; r < 2; r++) {
            const unsigned char *row = from + r * from_step + 16 * h;
            x[2 * h + r] = _mm256_inserti128_si256(
                _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)row)),
                _mm_loadu_si128((const __m128i *)(const void *)(row + 2 * from_step)), 1);
        }
    for (size_t h = 0; h < 2; h++) {
        _mm256_storeu_si256((__m256i *)(void *)(to + 2 * h * to_step), _mm256_unpacklo_epi64(x[2 * h], x[2 * h + 1]));
        _mm256_storeu_si256((__m256i *)(void *)(to + (2 * h + 1) * to_step),
                            _mm256_unpackhi_epi64(x[2 * h], x[2 * h + 1]));
    }
}

/* The 16-byte quarters of four registers, transposed. */
#define QUARTERS(a, b, c, d) \
    do { \
        const __m512i ab = _mm512_shuffle_i32x4((a), (b), 0x44), ba = _mm512_shuffle_i32x4((a), (b), 0xee); \
        const __m512i cd = _mm512_shuffle_i32x4((c), (d), 0x44), dc = _mm512_shuffle_i32x4((c), (d), 0xee); \
        (a) = _mm512_shuffle_i32x4(ab, cd, 0x88); \
        (b) = _mm512_shuffle_i32x4(ab, cd, 0xdd); \
        (c) = _mm512_shuffle_i32x4(ba, dc, 0x88); \
        (d) = _mm512_shuffle_i32x4(ba, dc, 0xdd); \
    } while (0)

WW__TARGET_avx512 static void square_4_avx512(unsigned char *to, size_t to_step, const unsigned char *from,
                                              size_t from_step) {
    __m512i x[16], y[4];
    for (size_t r = 0; r < 16; r++) x[r] = _mm512_loadu_si512(from + r * from_step);
    for (size_t r = 0; r < 16; r += 4) {
        y[0] = _mm512_unpacklo_epi32(x[r], x[r + 1]);
        y[1] = _mm512_unpackhi_epi32(x[r], x[r + 1]);
        y[2] = _mm512_unpacklo_epi32(x[r + 2], x[r + 3]);
        y[3] = _mm512_unpackhi_epi32(x[r + 2], x[r + 3]);
        x[r] = _mm512_unpacklo_epi64(y[0], y[2]);
        x[r + 1] = _mm512_unpackhi_epi64(y[0], y[2]);
        x[r + 2] = _mm512_unpacklo_epi64(y[1], y[3]);
        x[r + 3] = _mm512_unpackhi_epi64(y[1], y[3]);
    }
    /* Register r + k now has column k + 4 q of rows r … r + 3 in its quarter q. */
    for (size_t k = 0; k < 4; k++) {
        QUARTERS(x[k], x[k + 4], x[k + 8], x[k + 12]);
        for (size_t q = 0; q < 4; q++) _mm512_storeu_si512(to + (k + 4 * q) * to_step, x[k + 4 * q]);
    }
}

WW__TARGET_avx512 static void square_8_avx512(unsigned char *to, size_t to_step, const unsigned char *from,
                                              size_t from_step) {
    __m512i x[8], y[8];
    for (size_t r = 0; r < 8; r++) x[r] = _mm512_loadu_si512(from + r * from_step);
    for (size_t r = 0; r < 8; r += 2) {
        y[r / 2] = _mm512_unpacklo_epi64(x[r], x[r + 1]);
        y[r / 2 + 4] = _mm512_unpackhi_epi64(x[r], x[r + 1]);
    }
    /* Register k / 4 * 4 + r / 2 has column k / 4 + 2 q of rows r and r + 1 in its quarter q. */
    QUARTERS(y[0], y[1], y[2], y[3]);
    QUARTERS(y[4], y[5], y[6], y[7]);
    for (size_t q = 0; q < 4; q++) {
        _mm512_storeu_si512(to + 2 * q * to_step, y[q]);
        _mm512_storeu_si512(to + (2 * q + 1) * to_step, y[q + 4]);
    }
}

/* The square for elements of that size, and its side; 0: none. */
static size_t square_for(const ww_device *device, size_t size, square **f) {
    const bool widest = device->vector == WW_VECTOR_AVX512;
    *f = NULL;
    if (device->vector == WW_VECTOR_PLAIN) return 0;
    switch (size) {
    case 1:
        *f = square_1;
        return 16;
    case 2:
        *f = square_2;
        return 8;
    case 4:
        *f = widest ? square_4_avx512 : square_4_avx2;
        return widest ? 16 : 8;
    case 8:
        *f = widest ? square_8_avx512 : square_8_avx2;
        return widest ? 8 : 4;
    }
    return 0;
}

#else

static size_t square_for(const ww_device *device, size_t size, square **f) {
    (void)device;
    (void)size;
    *f = NULL;
    return 0;
}

#endif

void ww__transpose_block(const ww_device *device, void *to, size_t to_step, const void *from, size_t from_step,
                         size_t rows, size_t columns, size_t size) {
    block b = {to, from, to_step, from_step, rows, columns, size};
    square *f;
    if (few(device, &b)) return;
    const size_t side = square_for(device, size, &f);
    if (!side || rows < side || columns < side) {
        elements(&b, 0, 0);
        return;
    }
    const size_t whole_rows = rows / side * side, whole_columns = columns / side * side;
    for (size_t r = 0; r < whole_rows; r += side)
        for (size_t c = 0; c < whole_columns; c += side)
            f(b.to + c * to_step + r * size, to_step, b.from + r * from_step + c * size, from_step);
    elements(&b, 0, whole_columns);
    b.columns = whole_columns;
    elements(&b, whole_rows, 0);
}
