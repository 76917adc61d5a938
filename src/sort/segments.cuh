/* What the kernels that sort by segments share: the struct that they take, and how their keys compare.
 *
 * WW_CLASSES: lengths that have lists of their own; class c holds segments of up to 2^(WW_FIRST + c * WW_STEP) elements.
 * WW_CHUNK: longer segments than the last class holds are cut into chunks of so many. WW_MASKED: 1 keys
 * compare by bits a.low ... a.low + a.bits - 1 only. WW_VALUE: bytes of the values that go with the keys, 0 where there
 * are none. WW_COUNTED: 1 the values are positions, counted up from a.first_value. */
#ifndef WW_SEGMENTS_CUH
#define WW_SEGMENTS_CUH

#include "device/kernel/listed.cuh"
#include "radix/digits.cuh"

enum { CLASSES_MOST = 16 }; /* of any program's */

typedef ww_number<WW_VALUE>::type ww_value;

struct segments_arguments {
    const ww_key *keys;
    ww_key *keys_out, *keys_scratch;
    const ww_value *values;
    ww_value *values_out, *values_scratch;
    uint64_t count, segments, first_value;
    uint64_t first[CLASSES_MOST + 1]; /* where each class's list begins in `lists`, and the last one ends */
    uint32_t *counts;                 /* 0 before: of segments in each list */
    uint32_t *lists;                  /* numbers of segments */
    ww_long_list longs;
    uint32_t low, bits;    /* what is sorted by */
    uint32_t length_class; /* whose list this launch sorts; WW_CLASSES: chunks of the long ones */
    uint32_t pass;         /* of merging: runs have WW_CHUNK << pass elements */
    ww_checking checking;
    offsets_input offsets;
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

/* Whether what `passes` passes of merging still follow lies in scratch memory: the last one writes to the output. */
WW_DEVICE bool in_scratch(uint32_t passes) { return passes % 2; }

#endif
