/* Equal bins: bin(x) = floor((x - low) * bins / range), range = high - low, exactly for integers.
 *
 * With d = x - low < range: where range / bins is a power of two, a shift. Else bins / range = whole + fraction,
 * and d * fraction is d times a number F that is fraction * 2^k rounded up, shifted right by k. That is exact: F is
 * too large by less than 1, d * F / 2^k by less than d / 2^k < 1 / range when range^2 <= 2^k, and the true value, a
 * multiple of 1 / range, lies at least 1 / range below the next integer. k is 64 for types of up to 32 bits and 128
 * for 64 bits; 128-bit integers are divided bit by bit. */
#include "primitive/histogram/histogram.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* The upper half of a 128-bit product. */
static inline uint64_t upper_product(uint64_t a, uint64_t b) {
#if WW_HAS_U128
    return (uint64_t)(((ww_u128)a * b) >> 64);
#else
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
#endif
}

/* ---- the loops ---- */

/* The bins of x, 32 bits wide, where a multiplication is needed; out may be x. */
static void scale_plain(const ww__even *e, uint32_t *out, const uint32_t *x, size_t n) {
    const uint32_t low = (uint32_t)e->low, range = (uint32_t)e->range, whole = (uint32_t)e->whole;
    const uint64_t f1 = e->upper >> 32, f0 = (uint32_t)e->upper;
    for (size_t i = 0; i < n; i++) {
        const uint32_t d = x[i] - low, q = d * whole + (uint32_t)((d * f1 + (d * f0 >> 32)) >> 32);
        out[i] = d < range ? q : e->bins;
    }
}

#if defined(__x86_64__)
#define WIDTH avx2
#define VECTOR __m256i
#define LOADED(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define FILLED(x) _mm256_set1_epi32((int)(x))
#define FILLED_64(x) _mm256_set1_epi64x((int64_t)(x))
#define MINUS(a, b) _mm256_sub_epi32(a, b)
#define PLUS_64(a, b) _mm256_add_epi64(a, b)
#define DOWN_32(x) _mm256_srli_epi64(x, 32)
#define EVEN_PRODUCTS(a, b) _mm256_mul_epu32(a, b)
#define ODD_OF(even, odd) _mm256_blend_epi32(even, odd, 0xAA)
#define UP_TO(x, last, yes, no) _mm256_blendv_epi8(no, yes, _mm256_cmpeq_epi32(_mm256_min_epu32(x, last), x))
#include "primitive/histogram/even_scale.h"

#define WIDTH avx512
#define VECTOR __m512i
#define LOADED(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define FILLED(x) _mm512_set1_epi32((int)(x))
#define FILLED_64(x) _mm512_set1_epi64((int64_t)(x))
#define MINUS(a, b) _mm512_sub_epi32(a, b)
#define PLUS_64(a, b) _mm512_add_epi64(a, b)
#define DOWN_32(x) _mm512_srli_epi64(x, 32)
#define EVEN_PRODUCTS(a, b) _mm512_mul_epu32(a, b)
#define ODD_OF(even, odd) _mm512_mask_blend_epi32(0xAAAA, even, odd)
#define UP_TO(x, last, yes, no) _mm512_mask_blend_epi32(_mm512_cmple_epu32_mask(x, last), no, yes)
#include "primitive/histogram/even_scale.h"
#endif

#define EVEN_NARROW(width, T, label) \
    WW__LOOP(width) void even_##label##_##width(const void *plan, uint32_t *WW__R out, const void *from, size_t n) { \
        const ww__even *e = plan; \
        const T *WW__R x = from; \
        const uint32_t low = (uint32_t)e->low, range = (uint32_t)e->range, bins = e->bins, shift = e->shift; \
        if (e->shifted) { \
            for (size_t i = 0; i < n; i++) { \
                const uint32_t d = (uint32_t)x[i] - low; \
                out[i] = d < range ? d >> shift : bins; \
            } \
            return; \
        } \
        const uint32_t *wide = out; \
        if (sizeof(T) == sizeof(uint32_t)) \
            wide = from; \
        else \
            for (size_t i = 0; i < n; i++) out[i] = (uint32_t)x[i]; \
        (e->whole ? scale_plain : scale_##width)(e, out, wide, n); \
    }

#define EVEN_WIDE(width, T, label) \
    WW__LOOP(width) void even_##label##_##width(const void *plan, uint32_t *WW__R out, const void *from, size_t n) { \
        const ww__even *e = plan; \
        const T *WW__R x = from; \
        const uint64_t low = e->low, range = e->range, whole = e->whole, upper = e->upper, lower = e->lower; \
        const uint32_t bins = e->bins, shift = e->shift; \
        if (e->shifted) { \
            for (size_t i = 0; i < n; i++) { \
                const uint64_t d = (uint64_t)x[i] - low; \
                out[i] = d < range ? (uint32_t)(d >> shift) : bins; \
            } \
        } else { \
            for (size_t i = 0; i < n; i++) { \
                const uint64_t d = (uint64_t)x[i] - low, carried = upper_product(d, lower), sum = d * upper + carried; \
                const uint32_t q = (uint32_t)(d * whole + upper_product(d, upper) + (sum < carried)); \
                const uint32_t outside = 0 - (uint32_t)(d >= range); /* a mask: a branch would be missed too often */ \
                out[i] = (q & ~outside) | (bins & outside); \
            } \
        } \
    }

/* Numbers of either precision are placed in double precision. Those outside are first moved to a limit, so that all
 * take the same steps. */
#define EVEN_FLOAT(width, T, label) \
    WW__LOOP(width) void even_##label##_##width(const void *plan, uint32_t *WW__R out, const void *from, size_t n) { \
        WW__EXACT \
        const ww__even *e = plan; \
        const T *WW__R x = from; \
        const T least = (T)e->low_double, most = (T)e->high_double; \
        const double low = e->low_double, span = e->span, bins = (double)e->bins; \
        const int32_t none = (int32_t)e->bins, last = none - 1; \
        for (size_t i = 0; i < n; i++) { \
            const T raised = x[i] > least ? x[i] : least, kept = raised < most ? raised : most; \
            const int32_t b = (int32_t)(((double)kept - low) * bins / span); \
            out[i] = (uint32_t)(b < last ? b : last); \
        } \
        for (size_t i = 0; i < n; i++) out[i] = ((x[i] >= least) & (x[i] < most)) ? out[i] : e->bins; \
    }

#if WW_HAS_U128
/* Horner's rule over the bits of `bins`: q * range + r = d * (the bits so far), r < range, never beyond 128 bits. */
static uint32_t divide_u128(ww_u128 d, uint32_t bins, ww_u128 range) {
    ww_u128 r = 0;
    uint32_t q = 0;
    for (int bit = 31 - __builtin_clz(bins); bit >= 0; bit--) {
        const bool twice = r >= range - r;
        r = twice ? r - (range - r) : r + r;
        q = 2 * q + twice;
        if (!(bins >> bit & 1)) continue;
        const bool once = d >= range - r;
        r = once ? d - (range - r) : r + d;
        q += once;
    }
    return q;
}

#define EVEN_128(width, T, label) \
    static void even_##label##_##width(const void *plan, uint32_t *WW__R out, const void *from, size_t n) { \
        const ww__even *e = plan; \
        const T *WW__R x = from; \
        for (size_t i = 0; i < n; i++) { \
            const ww_u128 d = (ww_u128)x[i] - e->low_u128; \
            out[i] = d >= e->range_u128 ? e->bins \
                     : e->shifted       ? (uint32_t)(d >> e->shift) \
                                        : divide_u128(d, e->bins, e->range_u128); \
        } \
    }
#define EVEN_128_PLACES(width) , [WW__U128] = even_u128_##width, [WW__I128] = even_i128_##width
#else
#define EVEN_128(width, T, label)
#define EVEN_128_PLACES(width)
#endif

/* clang-format off */
#define EVEN_LOOPS(width, unused) \
    EVEN_NARROW(width, uint8_t, u8) EVEN_NARROW(width, uint16_t, u16) EVEN_NARROW(width, uint32_t, u32) \
    EVEN_NARROW(width, int8_t, i8) EVEN_NARROW(width, int16_t, i16) EVEN_NARROW(width, int32_t, i32) \
    EVEN_WIDE(width, uint64_t, u64) EVEN_WIDE(width, int64_t, i64) EVEN_128(width, ww_u128, u128) \
    EVEN_128(width, ww_i128, i128) \
    EVEN_FLOAT(width, float, f32) EVEN_FLOAT(width, double, f64) \
    static ww__bin_loop *const ww__loops_even_##width[WW__NUMBERS] = { \
        [WW__U8] = even_u8_##width, [WW__U16] = even_u16_##width, [WW__U32] = even_u32_##width, \
        [WW__U64] = even_u64_##width, [WW__I8] = even_i8_##width, [WW__I16] = even_i16_##width, \
        [WW__I32] = even_i32_##width, [WW__I64] = even_i64_##width, [WW__F32] = even_f32_##width, \
        [WW__F64] = even_f64_##width EVEN_128_PLACES(width)};
/* clang-format on */
WW__EACH_WIDTH(EVEN_LOOPS, 0)
static ww__bin_loop *const (*const loops_by_width[WW_VECTORS])[WW__NUMBERS] = WW__TABLES(even);

/* ---- the plan ---- */

/* part / range * 2^bits, rounded up, for part < range, by long division; bits: 64 or 128. */
static void divide_fraction(uint64_t part, uint64_t range, int bits, uint64_t *upper, uint64_t *lower) {
    uint64_t high = 0, low = 0, r = part;
    for (int b = 0; b < bits; b++) {
        const bool one = r >= range - r;
        r = one ? r - (range - r) : r + r;
        high = high << 1 | low >> 63;
        low = low << 1 | one;
    }
    if (r) high += ++low == 0;
    *upper = bits == 64 ? low : high;
    *lower = bits == 64 ? 0 : low;
}

static void plan_integers(ww__even *plan, size_t size) {
    const uint64_t width = plan->range / plan->bins;
    plan->shifted = plan->range % plan->bins == 0 && (width & (width - 1)) == 0;
    if (plan->shifted) plan->shift = (uint32_t)__builtin_ctzll(width);
    /* Also where bins are found by a shift: a kernel pack's programs divide in any case. */
    plan->whole = plan->bins / plan->range;
    divide_fraction(plan->bins % plan->range, plan->range, size <= 4 ? 64 : 128, &plan->upper, &plan->lower);
}

#if WW_HAS_U128
static void plan_wide(ww__even *plan) {
    const ww_u128 width = plan->range_u128 / plan->bins;
    plan->shifted = plan->range_u128 % plan->bins == 0 && (width & (width - 1)) == 0;
    if (plan->shifted)
        plan->shift = (uint32_t)((uint64_t)width ? __builtin_ctzll((uint64_t)width)
                                                 : 64 + __builtin_ctzll((uint64_t)(width >> 64)));
}
#endif

/* Reads the limits into the plan; false unless low < high. */
static bool read_limits(const ww_type *type, const void *low, const void *high, ww__even *plan) {
#define READ_INTEGER(T, label) \
    if (type == &ww_type_##T) { \
        const T from = *(const T *)low, to = *(const T *)high; \
        plan->low = (uint64_t)from; \
        plan->range = (uint64_t)to - (uint64_t)from; \
        return from < to; \
    }
#define READ_FLOAT(T, label) \
    if (type == &ww_type_##T) { \
        plan->low_double = (double)*(const T *)low; \
        plan->high_double = (double)*(const T *)high; \
        plan->span = plan->high_double - plan->low_double; \
        return plan->low_double < plan->high_double; \
    }
    WW__EACH_UNSIGNED(READ_INTEGER)
    WW__EACH_SIGNED(READ_INTEGER)
    WW__EACH_FLOAT(READ_FLOAT)
#if WW_HAS_U128
    plan->low_u128 = *(const ww_u128 *)low;
    plan->range_u128 = *(const ww_u128 *)high - plan->low_u128;
    return type == &ww_type_ww_i128 ? *(const ww_i128 *)low < *(const ww_i128 *)high
                                    : *(const ww_u128 *)low < *(const ww_u128 *)high;
#else
    return false;
#endif
}

static ww_status refuse_limits(ww_device *device, const ww_type *type, const ww__even *plan) {
    const long long low = (long long)plan->low, high = (long long)(plan->low + plan->range);
    if (type->kind == WW_KIND_FLOAT)
        return ww__fail(device, WW_INVALID, "low is %.17g and high is %.17g, not above it", plan->low_double,
                        plan->high_double);
    if (type->kind == WW_KIND_SIGNED && type->size <= sizeof(int64_t))
        return ww__fail(device, WW_INVALID, "low is %lld and high is %lld, not above it", low, high);
    if (type->size <= sizeof(uint64_t))
        return ww__fail(device, WW_INVALID, "low is %llu and high is %llu, not above it", (unsigned long long)low,
                        (unsigned long long)high);
    return ww__fail(device, WW_INVALID, "high is not above low");
}

ww_status ww__even_plan(ww_device *device, const ww_type *type, const void *low, const void *high, uint64_t bins,
                        ww__even *plan, ww__binning *binning) {
    const int index = ww__number_index(type);
    *plan = (ww__even){.bins = (uint32_t)bins};
    if (!read_limits(type, low, high, plan)) return refuse_limits(device, type, plan);
    WW_CHECK(device, type->kind != WW_KIND_FLOAT || isfinite(plan->span * (double)bins), WW_INVALID,
             "(high - low) * bins is beyond double precision: low is %.17g, high %.17g, and there are %llu bins",
             plan->low_double, plan->high_double, (unsigned long long)bins);
#if WW_HAS_U128
    if (type->size == sizeof(ww_u128)) plan_wide(plan);
#endif
    if (type->size <= sizeof(uint64_t) && type->kind != WW_KIND_FLOAT) plan_integers(plan, type->size);
    *binning = (ww__binning){(*loops_by_width[device->vector])[index], plan, "even", NULL, true, false, false};
    return WW_OK;
}
