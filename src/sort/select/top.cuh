/* What selecting knows of the element that is looked for: the bits of its number from `low` up, and where it stands among those
 * that share them.
 *
 * WW_MASKED: 1 keys compare by `bits` bits from bit `first` on only. */
#ifndef WW_TOP_CUH
#define WW_TOP_CUH

#include "radix/digits.cuh"
#include "sort/select/top_order_arguments.cuh"

/* Where the elements that have the known bits are. */
enum { IN_INPUT = 0, COPIED_NOW = 1 /* this level copies them to the buffer */, IN_BUFFER = 2 };

struct alignas(16) top_state {
    ww_key value;      /* the known bits; 0 below them */
    uint64_t left;     /* so many of the elements that have them are chosen */
    uint64_t many;     /* how many there are */
    uint64_t buffered; /* elements in the buffer */
    uint32_t low, done, where, unused;
};

WW_DEVICE ww_key ones(uint32_t bits) { return bits ? ww_key(ww_key(~ww_key(0)) >> (8 * WW_KEY - bits)) : ww_key(0); }

/* What a key is compared by. */
template <bool ordered> WW_DEVICE ww_key compared(const top_order &o, ww_key key) {
    const ww_key number = ordered_number<ordered>(o.order, key);
    return WW_MASKED ? ww_key(ww_key(number >> o.first) & ones(o.bits)) : number;
}

/* The bits from `low` up. */
WW_DEVICE ww_key above(ww_key number, uint32_t low) { return ww_key(number & ww_key(~ones(low))); }

WW_DEVICE bool has_known_bits(const top_state &t, ww_key number) {
    return above(number, t.low) == above(t.value, t.low);
}

#endif
