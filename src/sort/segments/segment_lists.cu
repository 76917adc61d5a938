/* Lists segments by their lengths, so that those of one class are sorted by teams of threads that suit it: reads each offset
 * twice, writes a number for each segment. Checks the offsets, too: after a bad one nothing that was listed is sorted.
 * Segments of one element, and what no segment has, go to the output at once. Long segments are looked through whether keys differ,
 * where the output is the input: frequent keys make long segments that are in order. */
#include "sort/segments/segments.cuh"

enum { NO_CLASS = WW_CLASSES };

struct list_shared {
    uint32_t count[WW_CLASSES + 1], begin[WW_CLASSES];
};

WW_DEVICE void copy_one(const segments_arguments &a, uint64_t i) {
    if (a.keys != a.keys_out) a.keys_out[i] = a.keys[i];
#if WW_COUNTED
    a.values_out[i] = ww_value(a.first_value + i);
#elif WW_VALUE
    if (a.values != a.values_out) a.values_out[i] = a.values[i];
#endif
}

WW_DEVICE uint64_t longest_of(uint32_t c) {
    const uint64_t capacity = uint64_t(1) << (WW_FIRST + c * WW_STEP);
    return c < WW_WIDER_FROM || c >= WW_WIDER_END ? capacity : capacity + capacity / WW_WIDER;
}

/* The class of a length above 1; NO_CLASS for those that are cut into chunks. */
WW_DEVICE uint32_t class_of(uint64_t many) {
    uint32_t c = 0;
    while (c < WW_CLASSES && many > longest_of(c)) c++;
    return c;
}

/* Checks a segment, copies a short one, lists a long one, and tells the class of the others. */
WW_DEVICE uint32_t look_at(const segments_arguments &a, uint64_t number) {
    if (number >= a.segments) return NO_CLASS;
    const uint64_t begin = offsets_at(a.offsets, number), end = offsets_at(a.offsets, number + 1);
    if (!ww_check_segment(a.checking, number, begin, end, a.count) || begin == end) return NO_CLASS;
    const uint64_t many = end - begin;
    uint32_t entry;
    if (many == 1) {
        copy_one(a, begin);
        return NO_CLASS;
    }
    const uint32_t c = class_of(many);
    if (c == NO_CLASS) ww_list_segment(a.longs(), begin, end, number, (many + WW_CHUNK - 1) / WW_CHUNK, entry);
    return c;
}

/* The next place in the block's part of a list; all lanes of a warp call it. */
WW_DEVICE uint32_t take_place(list_shared &s, uint32_t c) {
    const uint32_t lane = threadIdx.x % WW_WARP, equal = __match_any_sync(WW_ALL, c), leader = __ffs(int(equal)) - 1;
    uint32_t old = 0;
    if (lane == leader) old = atomicAdd(&s.count[c], uint32_t(__popc(equal)));
    return __shfl_sync(WW_ALL, old, leader) + __popc(equal & ((1u << lane) - 1));
}

WW_DEVICE void copy_outside(const segments_arguments &a) {
    const uint64_t me = uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x, all = uint64_t(gridDim.x) * WW_THREADS;
    const uint64_t first = offsets_at(a.offsets, 0), last = offsets_at(a.offsets, a.segments);
    if (me == 0 && !a.segments) ww_check_segment(a.checking, 0, first, first, a.count);
    if (first > a.count || last < first || last > a.count) return;
    if (a.keys == a.keys_out && (!WW_VALUE || (!WW_COUNTED && a.values == a.values_out))) return;
    for (uint64_t i = me; i < first; i += all) copy_one(a, i);
    for (uint64_t i = last + me; i < a.count; i += all) copy_one(a, i);
}

WW_GPU_KERNEL(list_segments, segments_arguments, WW_THREADS) {
    WW_SHARED(list_shared, s);
    ww_in_line();
    const uint64_t first = uint64_t(blockIdx.x) * WW_THREADS * WW_ITEMS + threadIdx.x;
    uint32_t c[WW_ITEMS], place[WW_ITEMS];
    if (ww_stopped(a.checking)) return;
    if (threadIdx.x <= WW_CLASSES) s.count[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        c[i] = look_at(a, first + i * WW_THREADS);
        place[i] = take_place(s, c[i]);
    }
    __syncthreads();
    if (threadIdx.x < WW_CLASSES) {
        const uint32_t many = s.count[threadIdx.x];
        s.begin[threadIdx.x] = many ? atomicAdd(a.counts + threadIdx.x, many) : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        if (c[i] == NO_CLASS) continue;
        const uint64_t at = a.first[c[i]] + s.begin[c[i]] + place[i];
        if (at < a.first[c[i] + 1]) a.lists[at] = uint32_t(first + i * WW_THREADS);
    }
    copy_outside(a);
}

/* Looks through long segments, chunk by chunk, unless one of another chunk has been found to differ. */
WW_GPU_KERNEL(find_unlike, segments_arguments, WW_THREADS) {
    ww_in_line();
    if (ww_found_bad(a.checking)) return;
    const uint64_t chunks = a.listed[0] >> 32;
    for (uint64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
        const uint32_t entry = ww_find_listed(a.list, uint32_t(a.listed[0]), chunk);
        const ww_listed l = a.list[entry];
        const uint64_t first = l.begin + (chunk - l.place) * WW_CHUNK, end = first + WW_CHUNK < l.end ? first + WW_CHUNK : l.end;
        if (__any_sync(WW_ALL, ww_load_relaxed(a.unlike + entry))) continue; /* lanes may read at different times */
        const ww_key one = compared(a, number_of(a.order, a.keys[l.begin]));
        bool differ = false;
#pragma unroll 8
        for (uint64_t i = first + threadIdx.x; i < end; i += WW_THREADS)
            differ |= compared(a, number_of(a.order, a.keys[i])) != one;
        if (__any_sync(WW_ALL, differ) && threadIdx.x % WW_WARP == 0) ww_store_relaxed(a.unlike + entry, 1u);
    }
}
