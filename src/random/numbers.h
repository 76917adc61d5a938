/* Words of Philox turned to numbers: what the CPU's loops and the GPU's kernels both do to them, so that the bytes agree. */
#ifndef WW__RANDOM_NUMBERS_H
#define WW__RANDOM_NUMBERS_H

#include <math.h>

#include "warpwise/random_kernel.h"

/* What a fill is made from: the stream, and what its kind of numbers takes. */
WW_STRUCT(random_source, {
    uint64_t seed;
    uint64_t stream;
    uint64_t bound;  /* below: 1 … 2^32, or of 64 bits 1 … 2^64 - 1 */
    uint64_t reject; /* 2^32 mod bound, or 2^64 mod bound */
    double mean;
    double deviation;
});

WW_FUNCTION(join_words, uint64_t, (uint32_t low, uint32_t high), { return (uint64_t)high << 32 | low; });

/* ---- uniform ---- */

WW_FUNCTION(unit_f32, float, (uint32_t word), { return (float)(word >> 8) * 5.9604644775390625e-8f; });

/* In halves, each of which is a sum's part of a number near 2^52: no vector unit before AVX-512 converts 64-bit integers. */
WW_FUNCTION(unit_f64, double, (uint64_t word), {
    const uint64_t x = word >> 11;
    const double high = ww_double_of_bits(0x4330000000000000u | x >> 32) - 4503599627370496.0;
    const double low = ww_double_of_bits(0x4330000000000000u | (x & 0xFFFFFFFFu)) - 4503599627370496.0;
    return (high * 4294967296.0 + low) * 1.1102230246251565404e-16;
});

/* ---- below a bound ---- */

/* The product's high 64 bits, of products of halves. */
WW_FUNCTION(high_product, uint64_t, (uint64_t a, uint64_t b), {
    const uint64_t al = a & 0xFFFFFFFFu;
    const uint64_t bl = b & 0xFFFFFFFFu;
    const uint64_t ah = a >> 32;
    const uint64_t bh = b >> 32;
    const uint64_t middle = ah * bl + (al * bl >> 32);
    return ah * bh + (middle >> 32) + (((middle & 0xFFFFFFFFu) + al * bh) >> 32);
});

/* Number i drawn anew: the share of a block. */
WW_FUNCTION(
    again_32, uint32_t, (uint64_t i, const random_source *s),
    { return ww_philox_share(ww_philox(s->seed, s->stream, WW_PHILOX_AGAIN + i), s->bound); }, random_source, ww_philox,
    ww_philox_share, WW_PHILOX_AGAIN);

WW_FUNCTION(
    again_64, uint64_t, (uint64_t i, const random_source *s),
    {
        const ww_random_block x = ww_philox(s->seed, s->stream, WW_PHILOX_AGAIN + i);
        const uint64_t low = join_words(x.word[0], x.word[1]);
        const uint64_t high = join_words(x.word[2], x.word[3]);
        const uint64_t sum = high * s->bound + high_product(low, s->bound);
        return high_product(high, s->bound) + (sum < high * s->bound);
    },
    random_source, ww_philox, WW_PHILOX_AGAIN, join_words, high_product);

/* Number i, whose word this is. */
WW_FUNCTION(
    below_32, uint32_t, (uint32_t word, uint64_t i, const random_source *s),
    {
        const uint64_t product = word * s->bound;
        return (uint32_t)product < s->reject ? again_32(i, s) : (uint32_t)(product >> 32);
    },
    random_source, again_32);

WW_FUNCTION(
    below_64, uint64_t, (uint64_t word, uint64_t i, const random_source *s),
    { return word * s->bound < s->reject ? again_64(i, s) : high_product(word, s->bound); }, random_source, again_64,
    high_product);

/* ---- normal: a distance from one word, an angle from another ---- */

/* A GPU's are in device/kernel/words.cuh. a b + c where a b is exact, so that one rounding gives what two do; and the root of 0, or
 * of a number from 2^-60 to 2^60. */
WW__INLINE float ww__exactly_times_plus(float a, float b, float c) { return a * b + c; }
WW__INLINE float ww__root(float x) { return sqrtf(x); }

/* Polynomials fitted by Remez's exchanges; a quarter of pi times y, |y| <= 1, to 3e-9 (f32) and 2e-21 (f64) of the value. */
WW_FUNCTION(sine_f32, float, (float y), {
    const float t = y * y;
    return y * (0.785398160854f + t * (-0.0807454325295f + t * (0.00249000102438f + t * -3.59504522902e-5f)));
});
WW_FUNCTION(cosine_f32, float, (float y), {
    const float t = y * y;
    const float p = 0.0158543239122f + t * (-0.000325936500413f + t * 3.52876161018e-6f);
    return 1.0f + t * (-0.308425134891f + t * p);
});
WW_FUNCTION(sine_f64, double, (double y), {
    const double t = y * y;
    double p = 6.94815203829201e-12 + t * -2.022531394381899e-14;
    p = 3.133616889173276e-07 + t * (-1.757247417621029e-09 + t * p);
    p = 0.0024903945701927163 + t * (-3.65762041821464e-05 + t * p);
    return y * (0.7853981633974483 + t * (-0.08074551218828079 + t * p));
});
WW_FUNCTION(cosine_f64, double, (double y), {
    const double t = y * y;
    double p = -3.8979002630707347e-13 + t * 9.927503949095902e-16;
    p = -2.4611369494376507e-08 + t * (1.1501157359372392e-10 + t * p);
    p = -0.00032599188692738926 + t * (3.5908604485877933e-06 + t * p);
    p = -0.30842513753404244 + t * (0.015854344243815502 + t * p);
    return 1.0 + t * p;
});

/* The square root of -2 ln u for u in (0, 1]. u is 2^e m with m from the root of 1/2 to the root of 2, whose logarithm is a
 * polynomial (f32), or one of (m - 1) / (m + 1) (f64). In f32 all is -2 times what the logarithm's formula says, ln m = f - f^2 / 2 +
 * f^3 p, and 2^23 e what is left of the bits: factors that are powers of two do not change how anything is rounded. */
WW_FUNCTION(distance_f32, float, (float u), {
    const uint32_t bits = ww_bits_float(u);
    const uint32_t exponent = (bits - 0x3F3504F3u) & 0xFF800000u;
    const float f = ww_float_of_bits(bits - exponent) - 1.0f;
    float p = 0.257536713942f + f * -0.1577779005556f;
    p = 0.28362746855f + f * (-0.262304485292f + f * p);
    p = 0.400046021234f + f * (-0.332521354522f + f * p);
    p = 0.66666633286f + f * (-0.50001524122f + f * p);
    const float square = f * f;
    const float of_m = ww__exactly_times_plus(-2.0f, f, square - square * f * p);
    return ww__root(of_m + (float)(int32_t)exponent * -1.652591664e-7f);
});
WW_FUNCTION(distance_f64, double, (double u), {
    const uint64_t bits = ww_bits_double(u);
    const uint64_t above = bits - 0x3FE6A09E667F3BCDu + 0x4000000000000000u;
    const double e = ww_double_of_bits(0x4330000000000000u | above >> 52) - 4503599627371520.0;
    const double f = ww_double_of_bits(bits - (above & 0xFFF0000000000000u) + 0x4000000000000000u) - 1.0;
    const double s = f / (2.0 + f);
    const double t = s * s;
    double q = 0.1531823944277817 + t * 0.14756423460841447;
    q = 0.22222202224962387 + t * (0.18183389128499813 + t * q);
    q = 0.39999999999614405 + t * (0.2857142870315885 + t * q);
    q = t * (0.6666666666666698 + t * q);
    const double ln = (s + s) + s * q + e * 0.6931471805599453;
    return sqrt(-2.0 * ln);
});

/* A pair of normal numbers of a pair of words: the second word's highest two bits, rounded, are the quarter of the circle. */
WW_STRUCT(pair_f32, {
    float x;
    float y;
});
WW_STRUCT(pair_f64, {
    double x;
    double y;
});
/* The distance, and the angle's cosine and sine. */
WW_STRUCT(polar_f32, {
    float r;
    float x;
    float y;
});
WW_FUNCTION(
    normal_polar_f32, polar_f32, (uint32_t first, uint32_t second),
    {
        const float half = (float)(int32_t)(first >> 1);
        const float angle = (float)(int32_t)(second << 2) * 4.656612873077393e-10f;
        const uint32_t turn = second + 0x20000000u;
        const float s = sine_f32(angle);
        const float c = cosine_f32(angle);
        const float x = turn & 0x40000000u ? s : c;
        const float y = turn & 0x40000000u ? c : s;
        polar_f32 z;
        z.r = distance_f32(ww__exactly_times_plus(half, 4.656612873077393e-10f, 2.3283064365386963e-10f));
        z.x = ww_float_of_bits(ww_bits_float(x) ^ ((turn + 0x40000000u) & 0x80000000u));
        z.y = ww_float_of_bits(ww_bits_float(y) ^ (turn & 0x80000000u));
        return z;
    },
    polar_f32, distance_f32, sine_f32, cosine_f32);
WW_FUNCTION(
    normal_pair_f32, pair_f32, (uint32_t first, uint32_t second),
    {
        const polar_f32 polar = normal_polar_f32(first, second);
        pair_f32 z;
        z.x = polar.r * polar.x;
        z.y = polar.r * polar.y;
        return z;
    },
    pair_f32, polar_f32, normal_polar_f32);
WW_FUNCTION(
    normal_pair_f64, pair_f64, (uint64_t first, uint64_t second),
    {
        const double unit = ww_double_of_bits(0x3FF0000000000000u | first >> 12) - 1.0;
        const double r = distance_f64(unit + 1.1102230246251565404e-16);
        const uint64_t turn = second + 0x2000000000000000u;
        const uint64_t fraction = (turn & 0x3FFFFFFFFFFFFFFFu) >> 10;
        const double half = ww_double_of_bits(0x3FF0000000000000u | fraction) - 1.5;
        const double angle = half + half;
        const uint64_t quarter = turn >> 62;
        const double s = sine_f64(angle);
        const double c = cosine_f64(angle);
        const double x = quarter & 1 ? s : c;
        const double y = quarter & 1 ? c : s;
        pair_f64 z;
        z.x = r * ((quarter + 1) & 2 ? -x : x);
        z.y = r * (quarter & 2 ? -y : y);
        return z;
    },
    pair_f64, distance_f64, sine_f64, cosine_f64);

#endif
