/* Method hybrid on a CPU: sections 2.4 and 2.6.3, a text of its own for each group, on which the group works together.
 *
 * A group is the lanes of a vector, its text a piece; what it does there is method recurrence: fingerprints of successive windows
 * are F[r] = B F[r - 1] + b[r], where b[r] is the character that enters less B^m times the one that leaves, and a scan over
 * that recurrence gives all of a tile's (section 2.3.2, after Blelloch). Each lane has four characters of a tile and folds
 * them; the lanes' sums are scanned in log2 L steps; what came before a lane is added to its four.
 *
 * B is 2^bits and the prime is 2^31 - 1, so that to multiply by a power of B is to turn 31 bits around. Other texts of the same
 * fingerprint are easy to build then, and cost little: what is marked is compared, in time linear in the text. */
#include "device/device.h"
#include "text/named/lanes_cpu.h"
#include "text/named/named_cpu.h"
#include "text/pieces_cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { ITEMS = 4 /* characters of a lane */, PRIME_BITS = 31, TILE_MOST = 64, LANES_MOST = 16, SCANS_MOST = 4 };
static const uint32_t prime = (UINT32_C(1) << PRIME_BITS) - 1;

typedef struct hybrid hybrid;

/* A tile's fingerprints: marks those that are wanted. *before is the fingerprint before the first, then the last one. */
typedef uint64_t scan_tile(const hybrid *h, const unsigned char *entering, const unsigned char *leaving,
                           uint32_t *before);

struct hybrid {
    ww__named_needle needle;
    uint32_t wanted, wanted_too; /* the prime itself stands for 0, too */
    /* Powers of B, as the bits that they turn by: B^m; of each item; of the scan's steps; of each lane; of a tile. */
    unsigned leaving, item[ITEMS], step[SCANS_MOST], tile;
    uint32_t lane[LANES_MOST];
    scan_tile *scan_tile;
    unsigned tile_size;
};

/* Numbers are 0 to the prime, both ends of which stand for 0; sums and products with powers of two are such numbers again. */
#define TIMES_POWER(x, power) (((x) << (power)&prime) | (x) >> (PRIME_BITS - (power)))
#define REDUCED(sum) (((sum)&prime) + ((sum) >> PRIME_BITS))

/* Each lane has what the one `by` below it had, and the lowest ones zero. */
static inline __attribute__((always_inline)) ww__u32_plain up_plain(ww__u32_plain x, unsigned by) {
    const ww__u32_plain by_1 = {0, x[0], x[1], x[2]}, by_2 = {0, 0, x[0], x[1]};
    return by == 1 ? by_1 : by_2;
}

#if defined(__x86_64__)
WW__TARGET_avx2 static inline __attribute__((always_inline)) ww__u32_avx2 up_avx2(ww__u32_avx2 x, unsigned by) {
    const __m256i all = (__m256i)x, half = _mm256_permute2x128_si256(all, all, 0x08); /* by 4: the low half goes up */
    return by == 4   ? (ww__u32_avx2)half
           : by == 2 ? (ww__u32_avx2)_mm256_alignr_epi8(all, half, 8)
                     : (ww__u32_avx2)_mm256_alignr_epi8(all, half, 12);
}

WW__TARGET_avx512 static inline __attribute__((always_inline)) ww__u32_avx512 up_avx512(ww__u32_avx512 x, unsigned by) {
    const __m512i all = (__m512i)x, zero = _mm512_setzero_si512();
    return by == 8   ? (ww__u32_avx512)_mm512_alignr_epi32(all, zero, 8)
           : by == 4 ? (ww__u32_avx512)_mm512_alignr_epi32(all, zero, 12)
           : by == 2 ? (ww__u32_avx512)_mm512_alignr_epi32(all, zero, 14)
                     : (ww__u32_avx512)_mm512_alignr_epi32(all, zero, 15);
}
#endif

#define TILE(width, ignored) \
    WW__COMPILED WW__TARGET_##width static uint64_t scan_tile_##width( \
        const hybrid *h, const unsigned char *entering, const unsigned char *leaving, uint32_t *before) { \
        typedef ww__u32_##width lanes; \
        enum { LANES = sizeof(lanes) / sizeof(uint32_t) }; \
        const unsigned bits = h->needle.bits; \
        const uint32_t alphabet = (1u << bits) - 1; \
        lanes x, y, lane, f[ITEMS], sum = {0}, marks = {0}; \
        uint32_t each[LANES]; \
        memcpy(&x, entering, sizeof x); \
        memcpy(&y, leaving, sizeof y); \
        memcpy(&lane, h->lane, sizeof lane); \
        if (h->needle.fold) x = WW__FOLDED_LANES(lanes, width, x), y = WW__FOLDED_LANES(lanes, width, y); \
        for (unsigned k = 0; k < ITEMS; k++) { \
            const lanes enters = x >> k * 8 & alphabet, leaves = y >> k * 8 & alphabet; \
            const lanes b = enters + (TIMES_POWER(leaves, h->leaving) ^ prime), next = REDUCED(b); \
            sum = TIMES_POWER(sum, bits) + next; \
            f[k] = sum = REDUCED(sum); \
        } \
        for (unsigned s = 0; 1u << s < LANES; s++) { \
            const lanes lower = up_##width(sum, 1u << s); \
            sum = sum + TIMES_POWER(lower, h->step[s]); \
            sum = REDUCED(sum); \
        } \
        lanes carry = *before + (lanes){0}; \
        carry = up_##width(sum, 1) + TIMES_POWER(carry, lane); \
        carry = REDUCED(carry); \
        *before = sum[LANES - 1] + TIMES_POWER(*before, h->tile); \
        *before = REDUCED(*before); \
        for (unsigned k = 0; k < ITEMS; k++) { \
            const lanes all = f[k] + TIMES_POWER(carry, h->item[k]), window = REDUCED(all); \
            marks |= ((lanes)(window == h->wanted) | (lanes)(window == h->wanted_too)) & 1u << k; \
        } \
        uint64_t found = 0; \
        memcpy(each, &marks, sizeof each); \
        for (unsigned l = 0; l < LANES; l++) found |= (uint64_t)each[l] << ITEMS * l; \
        return found; \
    }
WW__EACH_WIDTH(TILE, 0)

/* The characters before the first window's last one: tiles that nothing leaves. Zeros before them change nothing. */
static uint32_t begun(const hybrid *h, const unsigned char *text) {
    static const unsigned char none[TILE_MOST];
    const uint64_t before = h->needle.m - 1, head = before % h->tile_size;
    unsigned char buffer[TILE_MOST] = {0};
    uint32_t fingerprint = 0;
    memcpy(buffer + h->tile_size - head, text, head);
    h->scan_tile(h, buffer, none, &fingerprint);
    for (uint64_t i = head; i < before; i += h->tile_size) h->scan_tile(h, text + i, none, &fingerprint);
    return fingerprint;
}

/* A tile at the piece's begin, before which no character leaves, or at its end, where there are less. */
static uint64_t scan_edge(const hybrid *h, const unsigned char *entering, const unsigned char *leaving, uint64_t many,
                          bool first, uint32_t *before) {
    unsigned char enters[TILE_MOST] = {0}, leaves[TILE_MOST] = {0};
    memcpy(enters, entering, many);
    memcpy(leaves + first, leaving, many - first);
    const uint64_t found = h->scan_tile(h, enters, leaves, before);
    return many < 64 ? found & ((UINT64_C(1) << many) - 1) : found;
}

static uint64_t scan(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts, uint64_t *found) {
    const hybrid *h = needle;
    const unsigned char *const entering = text + first + h->needle.m - 1, *const windows = text + first;
    uint64_t any = 0;
    uint32_t before = begun(h, windows);
    for (uint64_t i = 0; i < starts; i += h->tile_size) {
        const uint64_t many = ww__min_u64(h->tile_size, starts - i);
        const unsigned char *const leaving = windows + i - (i > 0);
        const uint64_t marks = i && many == h->tile_size ? h->scan_tile(h, entering + i, leaving, &before)
                                                         : scan_edge(h, entering + i, leaving, many, !i, &before);
        found[i / 64] |= marks << i % 64;
        any |= marks;
    }
    return any ? ww__keep_matches(&h->needle, text, first, starts, found) : 0;
}

static const struct {
    scan_tile *scan_tile;
    unsigned lanes;
} tiles[] = {
#define ROW(width, ignored) {scan_tile_##width, WW__VECTOR_BYTES_##width / sizeof(uint32_t)},
    WW__EACH_WIDTH(ROW, 0)};

/* B^exponent. */
static unsigned power(const hybrid *h, uint64_t exponent) { return (unsigned)(exponent * h->needle.bits % PRIME_BITS); }

ww_status ww__scanner_hybrid(ww_device *device, const ww__finding *f, ww__scanner *scanner) {
    const unsigned lanes = tiles[device->vector].lanes;
    hybrid *h;
    WW_TRY(ww__scratch(device, sizeof *h, &h));
    if (device->on_paper) return ww__named_on_paper(device, f);
    *h = (hybrid){.scan_tile = tiles[device->vector].scan_tile, .tile_size = ITEMS * lanes};
    WW_TRY(ww__named_needle_make(device, f, &h->needle));
    for (uint64_t i = 0; i < f->m; i++) {
        h->wanted = TIMES_POWER(h->wanted, f->bits) + f->pattern[i];
        h->wanted = REDUCED(h->wanted) % prime;
    }
    h->wanted_too = h->wanted ? h->wanted : prime;
    h->leaving = power(h, f->m);
    h->tile = power(h, h->tile_size);
    for (unsigned k = 0; k < ITEMS; k++) h->item[k] = power(h, k + 1);
    for (unsigned s = 0; s < SCANS_MOST; s++) h->step[s] = power(h, (uint64_t)ITEMS << s);
    for (unsigned l = 0; l < LANES_MOST; l++) h->lane[l] = power(h, (uint64_t)ITEMS * l);
    *scanner = (ww__scanner){scan, h, false};
    return WW_OK;
}
