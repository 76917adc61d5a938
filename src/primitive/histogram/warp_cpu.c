/* Counting by ballots on a CPU (Ashkiani 2017, 3.5.5.1): 64 elements are the warp, their bins a byte each, in one
 * vector register with AVX-512, in two with AVX2. A ballot is a word with a bit for each element: one for each bit of a bin's
 * number. Lanes of 64 bits look after bins: a lane's low three bits choose between the lowest three ballots and what they are
 * not, which gives eight lanes' words; a tree over the other ballots gives a word for each eight bins; the bits that both
 * have are the elements of the bin. They are counted in the eight bytes of a lane, which are added up every GROUPS warps.
 *
 * The number of bins itself stands for no bin, and for what fills up the last warp. With 256 bins that takes a ninth ballot. */
#include <string.h>

#include "function/function.h"
#include "primitive/histogram/sides.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    ELEMENTS = 64, /* of a warp */
    BYTE_BALLOTS = 8,
    BALLOTS = 9,
    LANES = 8,
    LANE_BALLOTS = 3,
    EIGHTS = WW__WARP_BINS_MOST / LANES,
    GROUPS = 31 /* warps that bytes can count: each adds at most 8 */
};

#define PLAIN WW__TARGET_plain static inline __attribute__((always_inline, unused))

/* set[b]: bit b of 64 bytes. The order of the elements in it is of no matter, as long as it is the same in all. */
PLAIN void ballots_plain(uint64_t *set, const uint8_t *bins) {
    for (unsigned b = 0; b < BYTE_BALLOTS; b++) {
        set[b] = 0;
        for (size_t i = 0; i < ELEMENTS; i += 8) { /* the product brings a bit of eight bytes into its highest byte */
            uint64_t eight;
            memcpy(&eight, bins + i, sizeof eight);
            set[b] = set[b] << 8 | (eight >> b & 0x0101010101010101) * 0x0102040810204080 >> 56;
        }
    }
}

#if defined(__x86_64__)
WW__TARGET_avx2 static inline __attribute__((always_inline)) void ballots_avx2(uint64_t *set, const uint8_t *bins) {
    __m256i low = _mm256_loadu_si256((const void *)bins), high = _mm256_loadu_si256((const void *)(bins + 32));
    for (unsigned b = BYTE_BALLOTS; b-- > 0;) {
        set[b] = (uint64_t)(uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
        low = _mm256_add_epi8(low, low);
        high = _mm256_add_epi8(high, high);
    }
}

WW__TARGET_avx512 static inline __attribute__((always_inline)) void ballots_avx512(uint64_t *set, const uint8_t *bins) {
    const __m512i x = _mm512_loadu_si512((const void *)bins);
    for (unsigned b = 0; b < BYTE_BALLOTS; b++) set[b] = _mm512_test_epi8_mask(x, _mm512_set1_epi8((char)(1 << b)));
}
#endif

/* each[e]: which elements' bins are of the eight from 8 * e on. */
PLAIN void choose_eights(uint64_t *each, const uint64_t *set, unsigned ballots) {
    each[0] = ballots == BALLOTS ? ~set[BALLOTS - 1] : UINT64_MAX;
    for (unsigned b = LANE_BALLOTS, many = 1; b < ballots && b < BYTE_BALLOTS; b++, many *= 2)
        for (unsigned e = 0; e < many; e++) {
            each[e + many] = each[e] & set[b];
            each[e] &= ~set[b];
        }
}

/* The lanes that look after eight bins: one register with AVX-512, else several. */
typedef uint64_t eight_lanes __attribute__((vector_size(64)));

/* All ones where that bit of the lane's number is 0. */
#define ONES UINT64_MAX
static const eight_lanes unlike[LANE_BALLOTS] = {{ONES, 0, ONES, 0, ONES, 0, ONES, 0},
                                                 {ONES, ONES, 0, 0, ONES, ONES, 0, 0},
                                                 {ONES, ONES, ONES, ONES, 0, 0, 0, 0}};

/* sum[e]: eight counters for each of eight bins. A warp's bins are `low`, and for the ninth ballot `high`. */
#define COUNT_WARP(width, unused) \
    WW__COMPILED WW__TARGET_##width static void count_warp_##width( \
        eight_lanes *WW__R sum, unsigned ballots, unsigned eights, const uint8_t *low, const uint8_t *high) { \
        uint64_t set[BALLOTS + BYTE_BALLOTS - 1], each[EIGHTS]; \
        ballots_##width(set, low); \
        if (ballots == BALLOTS) ballots_##width(set + BYTE_BALLOTS, high); \
        choose_eights(each, set, ballots); \
        const eight_lanes lane = (set[0] ^ unlike[0]) & (set[1] ^ unlike[1]) & (set[2] ^ unlike[2]); \
        for (unsigned e = 0; e < eights; e++) { \
            eight_lanes with = lane & each[e]; /* the bits in each of its bytes are counted */ \
            with = with - (with >> 1 & 0x5555555555555555); \
            with = (with & 0x3333333333333333) + (with >> 2 & 0x3333333333333333); \
            sum[e] += (with + (with >> 4)) & 0x0F0F0F0F0F0F0F0F; \
        } \
    } \
    static const struct warp_loops ww__loops_warp_##width = {count_warp_##width};

typedef struct warp_loops {
    void (*count)(eight_lanes *sum, unsigned ballots, unsigned eights, const uint8_t *low, const uint8_t *high);
} warp_loops;
WW__EACH_WIDTH(COUNT_WARP, 0)
static const void *const loops_by_width[WW_VECTORS] = WW__TABLES(warp);

/* Eight counters of a bin, added up. */
static uint32_t sum_of_bytes(uint64_t x) {
    x = (x & 0x00FF00FF00FF00FF) + (x >> 8 & 0x00FF00FF00FF00FF);
    return (uint32_t)(x * 0x0001000100010001 >> 48);
}

/* Up to GROUPS warps. */
static void count_warps(const warp_loops *loops, uint32_t *counters, uint32_t many, const uint32_t *bins, size_t n) {
    enum { MOST = GROUPS * ELEMENTS };
    const unsigned ballots = 32 - (unsigned)__builtin_clz(many), eights = (many + LANES - 1) / LANES;
    uint8_t low[MOST], high[MOST];
    eight_lanes sum[EIGHTS];
    const size_t filled = ww__round_up(n, ELEMENTS);
    uint32_t found = 0;
    for (size_t i = 0; i < n; i++) low[i] = (uint8_t)bins[i];
    memset(low + n, (int)(many & 255), filled - n);
    if (ballots == BALLOTS) {
        for (size_t i = 0; i < n; i++) high[i] = (uint8_t)(bins[i] >> 8);
        memset(high + n, 1, filled - n);
    }
    memset(sum, 0, eights * sizeof *sum);
    for (size_t i = 0; i < filled; i += ELEMENTS) loops->count(sum, ballots, eights, low + i, high + i);
    for (uint32_t b = 0; b < many; b++) {
        const uint32_t count = sum_of_bytes(sum[b / LANES][b % LANES]);
        counters[b] += count;
        found += count;
    }
    counters[many] += (uint32_t)n - found;
}

void ww__count_by_ballots(const ww_device *device, uint32_t *counters, uint32_t many, const uint32_t *bins, size_t n) {
    const warp_loops *loops = loops_by_width[device->vector];
    for (size_t i = 0; i < n; i += GROUPS * ELEMENTS) {
        const size_t left = n - i;
        count_warps(loops, counters, many, bins + i, left < GROUPS * ELEMENTS ? left : GROUPS * ELEMENTS);
    }
}
