/* Keys as unsigned numbers, and digits of these, or of the keys' buckets (bucket.cuh).
 *
 * WW_KEY: bytes of a key. WW_ORDER: the order of keys (WW_KEY_ORDER of key_order.cuh), or WW_KEY_ANY where the kernel's arguments say
 * which: one program for all orders, where nothing compiles one for each. Where the order is 0 keys are their numbers. WW_BINS: of a digit, a power of two from 32 to 256. WW_CHECKED, where keys are split by
 * their own bits: 0 each has a bucket, 1 those below ww_buckets.many have, 2 those have whose bits from a.first on, a.bits
 * of them, are. */
#ifndef WW_DIGITS_CUH
#define WW_DIGITS_CUH

#include "device/kernel/key_number.cuh"
#include "radix/bucket.cuh"

#if WW_KEY == 16
typedef ww_u128 ww_key;
#else
typedef ww_number<WW_KEY>::type ww_key;
#endif

/* What has digits. */
#if WW_BY
typedef uint32_t ww_numeral;
#else
typedef ww_key ww_numeral;
#endif

enum { BINS = WW_BINS };

/* What the first kernel tells the sweep over a digit: 0, or where elements are and go. */
enum {
    SWEEP_RUNS = 1,
    SWEEP_FROM = 2, /* a place, times this */
    SWEEP_TO = 8,
    SWEEP_ODD = 32, /* the number of the sweep among those that run */
    SWEEP_CODED = 64, /* keys are codes (letters.cuh); */
    SWEEP_CODES = 128, /* it makes them, */
    SWEEP_DECODES = 256, /* or keys of them again */
    PLACE_INPUT = 0,
    PLACE_OUTPUT = 1,
    PLACE_SCRATCH = 2,
    PLACES = 4
};

/* What neighbours tell of whether keys are in order; TURNED: they are descending, and to be reversed. */
enum { SEEN_RISE = 1, SEEN_FALL = 2, SEEN_EQUAL = 4, TURNED = 8 };

/* What the first kernel tells of a prefix by which alone keys were swept: its lowest bit, and PREFIX_CUT unless it is of two
 * neighbouring digits, above which keys agree; or that all digits were. */
#define PREFIX_CUT 0x100u
#define NO_PREFIX UINT32_MAX

/* The order, of which `told` is what the arguments say. */
WW_DEVICE uint32_t order_of(uint32_t told) { return WW_ORDER == WW_KEY_ANY ? told : WW_ORDER; }

WW_DEVICE ww_key flip_of(uint32_t order) {
    return WW_KEY_FLIP(ww_key, 8 * WW_KEY, order % WW_KEY_REVERSED, order & WW_KEY_REVERSED);
}
WW_DEVICE ww_key fold_of(uint32_t order) { return WW_KEY_FOLD(ww_key, 8 * WW_KEY, order % WW_KEY_REVERSED); }
/* `ordered`: whether the order is another one than 0. Code that is all of one or the other looks at it once, outside of loops. */
template <bool ordered> WW_DEVICE ww_key ordered_number(uint32_t told, ww_key key) {
    const uint32_t order = order_of(told);
    return ordered ? WW_KEY_NUMBER(ww_key, key, flip_of(order), fold_of(order)) : key;
}
template <bool ordered> WW_DEVICE ww_key ordered_key(uint32_t told, ww_key number) {
    const uint32_t order = order_of(told);
    return ordered ? WW_NUMBER_KEY(ww_key, number, flip_of(order), fold_of(order)) : number;
}
WW_DEVICE ww_key number_of(uint32_t order, ww_key key) { return order_of(order) ? ordered_number<true>(order, key) : key; }
WW_DEVICE ww_key key_of(uint32_t order, ww_key number) { return order_of(order) ? ordered_key<true>(order, number) : number; }
template <int N> WW_DEVICE void make_numbers(uint32_t order, ww_key (&key)[N]) {
    if (!order_of(order)) return;
#pragma unroll
    for (int k = 0; k < N; k++) key[k] = ordered_number<true>(order, key[k]);
}

/* `bits` bits from bit `low` on. */
struct ww_digit {
    uint32_t low, mask;
};

WW_DEVICE ww_digit digit_from(uint32_t low, uint32_t bits) {
    ww_digit d;
    d.low = bits ? low : 0;
    d.mask = (1u << bits) - 1;
    return d;
}

/* Digits of keys, `sweeps` of them and `width` bits each, are whole from the highest of `bits` bits down, so that the two highest tell
 * as much as they can: what is left is the lowest's. Digit p ends before this bit of those that are sorted by. */
WW_DEVICE uint32_t digit_end(uint32_t sweeps, uint32_t width, uint32_t bits, uint32_t p) {
    const uint32_t above = (sweeps - 1 - p) * width;
    return p < sweeps && above < bits ? bits - above : 0;
}
WW_DEVICE uint32_t digit_begin(uint32_t sweeps, uint32_t width, uint32_t bits, uint32_t p) {
    const uint32_t end = digit_end(sweeps, width, bits, p);
    return end > width ? end - width : 0;
}
/* `first`: the lowest of these bits. */
WW_DEVICE ww_digit digit_of_sweep(uint32_t sweeps, uint32_t width, uint32_t first, uint32_t bits, uint32_t p) {
    const uint32_t begin = digit_begin(sweeps, width, bits, p);
    return digit_from(first + begin, digit_end(sweeps, width, bits, p) - begin);
}

WW_DEVICE uint32_t digit_in(ww_numeral number, ww_digit d) { return uint32_t(WW_KEY_DIGIT(number, d.low, d.mask)); }

#endif
