/* What the kernels that sort by segments share: the struct that they take, and how their keys compare.
 *
 * WW_CLASSES: lengths that have lists of their own; class c holds segments of up to 2^(WW_FIRST + c * WW_STEP) elements, from class
 * WW_WIDER_FROM on, before class WW_WIDER_END, of one in WW_WIDER more.
 * WW_CHUNK: longer segments than the last class holds are cut into chunks of so many. WW_MASKED: 1 keys
 * compare by bits a.low ... a.low + a.bits - 1 only. WW_VALUE: bytes of the values that go with the keys, 0 where there
 * are none. WW_COUNTED: 1 the values are positions, counted up from a.first_value. */
#ifndef WW_SEGMENTS_CUH
#define WW_SEGMENTS_CUH

#include "device/kernel/counted.cuh"
#include "device/kernel/listed.cuh"
#include "radix/digits.cuh"

typedef ww_number<WW_VALUE>::type ww_value;

#include "sort/segments/segments_arguments.cuh"

struct segments_arguments : segments_fixed {
    offsets_input offsets;
    WW_DEVICE_MEMBER ww_long_list longs() const { return {listed, list, list_room, tile_room}; }
};

/* What a number is compared by. */
WW_DEVICE ww_key compared(const segments_arguments &a, ww_key number) {
#if WW_MASKED
    const ww_key all = ww_key(~ww_key(0));
    return ww_key(ww_key(number >> a.low) & ww_key(all >> (8 * WW_KEY - a.bits)));
#else
    (void)a;
    return number;
#endif
}

/* Long segments are sorted in chunks, and merged by so many passes. */
WW_DEVICE uint32_t passes_of(uint64_t many) {
    uint32_t passes = 0;
    while ((uint64_t(WW_CHUNK) << passes) < many) passes++;
    return passes;
}

/* Whether a listed segment, entry `entry`, is to be sorted. */
WW_DEVICE bool to_sort(const segments_arguments &a, uint32_t entry) { return !a.unlike || a.unlike[entry]; }

/* Whether what `passes` passes of merging still follow lies in scratch memory: the last one writes to the output. */
WW_DEVICE bool in_scratch(uint32_t passes) { return passes % 2; }

#endif
