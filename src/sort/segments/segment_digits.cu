/* Sorts segments of one class of lengths on chip, each by a block, by digits (radix/tile.cuh): for long ones of wide keys
 * it takes fewer steps than a network.
 *
 * Few bits tell random keys apart. So keys are sorted by the WINDOW highest bits in which they differ; then neighbours are
 * compared, and those that are out of order exchanged, a few times; only where some still are, all digits in which keys differ
 * are sorted by. Sorting by digits is stable, and only neighbours of which the second is less are exchanged: of equal keys none
 * overtakes another. Reads and writes each element once. */
#include "radix/differences.cuh"
#include "sort/segments/segments.cuh"

/* Bits that leave two pairs of random keys equal on average in a full segment, or fewer, and three keys in hardly any: twice the
 * logarithm of how many there are, less two, in whole digits. These pairs are exchanged, which a digit more would tell apart. */
enum { WINDOW = 8 * ((WW_CAPACITY_BITS * 2 - 2 + 7) / 8) };

/* A round exchanges neighbours of which the first stands at an even place, then those of which it stands at an odd one. One round
 * puts all pairs in order that the window left equal, two any four keys (odd-even transposition: as many steps as keys). More
 * are no accident of random keys, and hardly the only ones: further rounds would be lost, as all digits are sorted by then. */
enum { ROUNDS = 2 };

struct block_segment {
    uint64_t first;
    uint32_t many;
};

WW_DEVICE block_segment segment_of(const segments_arguments &a, uint64_t entry) {
    const uint32_t number = a.lists[a.first[a.length_class] + entry];
    block_segment p;
    p.first = offsets_at(a.offsets, number);
    p.many = uint32_t(offsets_at(a.offsets, uint64_t(number) + 1) - p.first);
    return p;
}

/* The number of the highest bit and 1; 0 where there is none. */
WW_DEVICE uint32_t bits_of(ww_key x) {
#if WW_KEY == 16
    const uint64_t high = uint64_t(x >> 64), low = uint64_t(x);
    return high ? 128 - __clzll(int64_t(high)) : low ? 64 - __clzll(int64_t(low)) : 0;
#else
    return x ? 64 - __clzll(int64_t(x)) : 0;
#endif
}

/* The elements of a thread, which stand at neighbouring places of its warp's part of the segment, WW_WARP apart. */
struct block_elements {
    thread_keys keys;
#if WW_VALUE
    ww_value value[WW_ITEMS];
#endif
};

/* From shared memory. Behind the end are the highest keys. */
WW_DEVICE void load_elements(const tile_shared &s, block_elements &e, uint32_t many) {
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t at = place_in_tile() + i * WW_WARP;
        e.keys.number[i] = at < many ? s.key[at] : ww_key(~ww_key(0));
#if WW_VALUE
        if (at < many) e.value[i] = s.value[at];
#endif
    }
}

/* By bits low ... end - 1; digits in which keys do not differ are left out. Where one was not, elements then stand in order in
 * shared memory, too. */
WW_DEVICE void sort_bits(tile_shared &s, block_elements &e, uint32_t many, ww_key differ, uint32_t low, uint32_t end) {
    const bool busy = place_in_tile() - threadIdx.x % WW_WARP < many; /* the warp has a part */
    for (; low < end; low += 8) {
        e.keys.digit = digit_from(low, end - low < 8 ? end - low : 8);
        if (!digit_in(differ, e.keys.digit)) continue;
        tile_bins bins;
        thread_places places;
        if (busy)
            count_keys(s, e.keys);
        else
            clear_counters(s);
        __syncthreads();
        if (threadIdx.x < BIN_THREADS) count_bins(s, bins);
        place_bins(s, bins);
        if (busy) {
            put_keys<false>(s, e.keys, places);
#if WW_VALUE
            put_values(s, places, e.value);
#endif
        }
        __syncthreads();
        if (busy) load_elements(s, e, many);
    }
}

/* Whether neighbours in shared memory are out of order. All threads call it, and learn the same. */
WW_DEVICE bool disordered(const segments_arguments &a, tile_shared &s, uint32_t many, const ww_key (&number)[WW_ITEMS]) {
    if (threadIdx.x == 0) s.skewed = 0;
    __syncthreads();
    bool found = false;
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t at = place_in_tile() + i * WW_WARP;
        if (at && at < many) found = found || compared(a, number[i]) < compared(a, s.key[at - 1]);
    }
    if (found) atomicOr(&s.skewed, 1u);
    __syncthreads();
    return s.skewed;
}

/* Exchanges neighbours in shared memory that are out of order, of which the first stands at an even place or, with odd = 1, at an
 * odd one: no two threads have the same element. */
WW_DEVICE void exchange_neighbours(const segments_arguments &a, tile_shared &s, uint32_t many, uint32_t odd) {
#pragma unroll
    for (int i = 0; i < (WW_ITEMS + 1) / 2; i++) {
        const uint32_t at = 2 * (i * WW_THREADS + threadIdx.x) + odd;
        if (at + 1 >= many) continue;
        const ww_key first = s.key[at], second = s.key[at + 1];
        if (!(compared(a, second) < compared(a, first))) continue;
        s.key[at] = second;
        s.key[at + 1] = first;
#if WW_VALUE
        const ww_value value = s.value[at];
        s.value[at] = s.value[at + 1];
        s.value[at + 1] = value;
#endif
    }
    __syncthreads();
}

/* Puts the few elements in order that the window left out of it; false: they are more than a few. Takes them from shared memory,
 * and leaves them there and with the threads, equal keys in their order either way. */
WW_DEVICE bool settle(const segments_arguments &a, tile_shared &s, block_elements &e, uint32_t many) {
#pragma unroll 1
    for (int round = 0; disordered(a, s, many, e.keys.number); round++) {
        if (round == ROUNDS) return false;
        exchange_neighbours(a, s, many, 0);
        exchange_neighbours(a, s, many, 1);
        load_elements(s, e, many);
    }
    return true;
}

WW_DEVICE void sort_segment(const segments_arguments &a, tile_shared &s, const block_segment &p) {
    const uint32_t mine = place_in_tile();
    block_elements e;
    read_keys<false>(a.keys + p.first, a.order, mine, p.many, e.keys.number);
#if WW_VALUE
    read_values<false>(a.values + (WW_COUNTED ? 0 : p.first), true, a.first_value + p.first, mine, p.many, e.value);
#endif
    ww_key differ = find_differences(s, number_of(a.order, a.keys[p.first]), p.many, e.keys.number);
#if WW_MASKED
    differ = ww_key(differ & ww_key(ww_key(ww_key(~ww_key(0)) >> (8 * WW_KEY - a.bits)) << a.low));
#endif
    const uint32_t low = WW_MASKED ? a.low : 0, end = bits_of(differ), begin = end > low + WINDOW ? end - WINDOW : low;
    sort_bits(s, e, p.many, differ, begin, end);
    /* Where bits lie below the window, the digit with the highest bit has been sorted by: shared memory has the elements. */
    if (begin > low && !settle(a, s, e, p.many)) sort_bits(s, e, p.many, differ, low, end);
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t at = mine + i * WW_WARP;
        if (at >= p.many) continue;
        a.keys_out[p.first + at] = key_of(a.order, e.keys.number[i]);
#if WW_VALUE
        a.values_out[p.first + at] = e.value[i];
#endif
    }
    __syncthreads();
}

WW_GPU_KERNEL_HELD(sort_segments_by_digits, segments_arguments, WW_THREADS, WW_BLOCKS) {
    WW_SHARED_LARGE(tile_shared, s);
    ww_in_line();
    if (ww_found_bad(a.checking)) return;
    const uint32_t many = a.counts[a.length_class];
    for (uint64_t task = blockIdx.x; task < many; task += gridDim.x) sort_segment(a, s, segment_of(a, task));
}
