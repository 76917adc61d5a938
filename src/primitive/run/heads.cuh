/* Heads in kernels: the elements that differ in their bytes from the one before. A tile is read in rows of 32 batches of WW_ITEMS
 * neighbours a warp; a thread's heads are the bits r * WW_ITEMS + k of a word. The place behind the last element counts as a
 * head: it ends the last run, and every run is ended by a head in the same way. Tiles reach over it: there are
 * count / TILE + 1 of them.
 *
 * WW_HEADS: 1 `by` gives the elements, 2 `by` gives flags, for elements that were compared before (mark.cu). WW_EQUAL: whether the
 * caller's ww_equal compares them; then the kernel's arguments have its environment. */
#ifndef WW_HEADS_CUH
#define WW_HEADS_CUH

#include "device/kernel/counted.cuh"
#include "device/kernel/differ.cuh"
#include "device/kernel/rows.cuh"

/* As many tiles as reach over the place behind the last element. A count on the device may be 0: then there is no run, as is written
 * here, and no tile. */
#if WW_COUNT_AT
template <class A> WW_DEVICE A ww_run_tiles(const A &given) {
    A a = ww_counted(given);
    a.tiles = a.count ? a.count / TILE + 1 : 0;
    if (!a.count && !blockIdx.x && !threadIdx.x) *a.runs = 0;
    return a;
}
#else
template <class A> WW_DEVICE const A &ww_run_tiles(const A &given) { return given; }
#endif

/* The batches of a thread from element `mine` on. Behind the end the last element is repeated. */
#define WW_READ_ROWS(name) \
    WW_DEVICE void name##_read_rows(const name##_input &in, uint64_t mine, uint64_t count, bool whole, \
                                    name##_item (&x)[WW_ROWS][WW_ITEMS]) { \
        if (whole) { \
            _Pragma("unroll") for (int r = 0; r < WW_ROWS; r++) name##_read(in, mine + r * ROW, x[r]); \
        } else { \
            _Pragma("unroll") for (int r = 0; r < WW_ROWS; r++) \
            _Pragma("unroll") for (int k = 0; k < WW_ITEMS; k++) { \
                const uint64_t i = mine + r * ROW + k; \
                x[r][k] = name##_at(in, i < count ? i : count - 1); \
            } \
        } \
    }
WW_READ_ROWS(by)

/* The heads among the elements x, which begin at `mine`. inner: neither the first element of all nor the place behind the last is among
 * the tile's. Every lane of the warp calls it. */
template <class A>
WW_DEVICE uint32_t find_heads(const A &a, uint64_t mine, bool inner, const by_item (&x)[WW_ROWS][WW_ITEMS]) {
    const uint64_t count = a.count;
    uint32_t heads = 0;
#if WW_HEADS == 1
    const uint32_t lane = threadIdx.x % WW_WARP;
    by_item before = x[0][0]; /* what precedes the warp's first element */
    if (lane == 0 && mine && mine < count) before = by_at(a.by, mine - 1);
#endif
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
#if WW_HEADS == 1
        /* Lane 0 has the end of the row before from the last lane. */
        const by_item end = lane == WW_WARP - 1 && r ? x[r ? r - 1 : 0][WW_ITEMS - 1] : x[r][WW_ITEMS - 1];
        by_item previous = ww_lane(end, (lane + WW_WARP - 1) % WW_WARP);
        if (r == 0 && lane == 0) previous = before;
#endif
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) {
#if WW_HEADS == 1
            const bool differs = ww_differ(a, previous, x[r][k]);
            previous = x[r][k];
#else
            const bool differs = x[r][k] != 0;
#endif
            heads |= uint32_t(differs) << (r * WW_ITEMS + k);
        }
    }
    if (!inner)
        for (uint32_t b = 0; b < WW_ROWS * WW_ITEMS; b++) {
            const uint64_t i = mine + b / WW_ITEMS * ROW + b % WW_ITEMS;
            if (i >= count) heads &= ~(1u << b);
            if (i == 0 || i == count) heads |= 1u << b;
        }
    return heads;
}

/* Puts an element into shared memory where `there` holds; short ones in words without a branch. */
template <class T> WW_DEVICE void put_if(bool there, T *to, const T &x) {
    if (sizeof(T) % 4 || sizeof(T) > 16) {
        if (there) *to = x;
        return;
    }
    ww_words<T> w;
    w.value = x;
#pragma unroll
    for (int k = 0; k < int(sizeof(T) / 4); k++) ww_store_shared_if(there, reinterpret_cast<uint32_t *>(to) + k, w.word[k]);
}

/* Calls write(i, j) for the i < many that have j = to + i < room: warps begin where the lines of an output of elements of so
 * many bytes do. */
template <class F>
WW_DEVICE void write_in_lines(const void *out, uint32_t size, uint64_t to, uint64_t room, uint32_t many, F write) {
    if (to >= room) return;
    if (many > room - to) many = uint32_t(room - to);
    const uint32_t shift = uint32_t(reinterpret_cast<uintptr_t>(out) / size + to) % WW_WARP;
    for (uint32_t i = threadIdx.x; i < many + shift; i += WW_THREADS)
        if (i >= shift) write(i - shift, to + i - shift);
}

#endif
