/* The leaves of a shuffle on a GPU: a block of threads has a bucket, and finds where each element ends by itself. In step i of Fisher's and
 * Yates's swaps place i, which still has element i, changes with place j(i) <= i. So element e goes to j(e) in step e. If no later
 * step changes with that place, it stays there. Else the first such step, t, brings it to place t, from where the first step that
 * changes with place t, which comes later, brings it on, and so on.
 *
 *   lists    steps are listed by their places j(i), in whatever order threads come
 *   order    each place's list is sorted: it has ln(n / place) steps on the average. Behind the last one stands the place
 *   ends     an element follows the first steps of places until one has none
 *
 * A bucket of more than WW_PLACES elements, of which there is none as far as numbers are random, is moved first and swapped where
 * it lies, by one thread. */
#include "random/shuffle_arguments.cuh"

struct shuffle_arguments : shuffle_fixed {
    ww_environment environment;
};

enum { SHUFFLE_NONE = 0xFFFF, SHUFFLE_PLACE = 0x8000, STAGES = sizeof(ww_item) <= sizeof(uint32_t) };
static_assert(WW_PLACES < SHUFFLE_PLACE - 1, "steps and places are told apart");
struct shuffle_shared {
    union {
        uint32_t first[WW_PLACES]; /* of each place: a step that changes with it, then the first one; or SHUFFLE_NONE */
        ww_item staged[STAGES ? WW_PLACES : 1]; /* then what ends there, if that is small: it is written by neighbours */
    };
    uint16_t later[WW_PLACES]; /* of each step: another one of its place, then the next one, or SHUFFLE_PLACE + its place */
};

/* ww_body gives the words of a block. */
WW_DEVICE uint32_t shuffle_share(const shuffle_arguments &a, uint64_t place, uint32_t bound) {
    const auto words = ww_body(a.again + place, a.environment.at());
    uint64_t carry = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) carry = (words.word[k] * uint64_t(bound) + carry) >> 32;
    return uint32_t(carry);
}

/* The place that element i of the bucket changes with, of the word of where it is. */
WW_DEVICE uint32_t shuffle_with(const shuffle_arguments &a, uint32_t word, uint64_t begin, uint32_t i) {
    const uint32_t bound = i + 1;
    const uint64_t product = word * uint64_t(bound);
    const bool rejected = uint32_t(product) < bound && uint32_t(product) < (0u - bound) % bound;
    return rejected ? shuffle_share(a, begin + i, bound) : uint32_t(product >> 32);
}

/* f(i, j(i)) for the n elements of a bucket, four words of a block at a time, by `threads` of which this is number `thread`. */
template <class F>
WW_DEVICE void shuffle_each(const shuffle_arguments &a, uint64_t begin, uint64_t n, uint32_t thread, uint32_t threads, F f) {
    for (uint64_t b = begin / 4 + thread; b * 4 < begin + n; b += threads) {
        const auto words = ww_body(a.draws + b, a.environment.at());
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint64_t place = b * 4 + k;
            if (place < begin || place >= begin + n) continue;
            const uint32_t i = uint32_t(place - begin);
            f(i, shuffle_with(a, words.word[k], begin, i));
        }
    }
}

/* Steps of a place in their order, by insertion. */
WW_DEVICE void shuffle_sort(shuffle_shared &s, uint32_t place) {
    uint32_t first = SHUFFLE_NONE;
    for (uint32_t step = s.first[place], next; step != SHUFFLE_NONE; step = next) {
        next = s.later[step];
        if (step < first) {
            s.later[step] = uint16_t(first == SHUFFLE_NONE ? SHUFFLE_PLACE + place : first);
            first = step;
            continue;
        }
        uint32_t before = first;
        while (s.later[before] < step) before = s.later[before];
        s.later[step] = s.later[before];
        s.later[before] = uint16_t(step);
    }
    s.first[place] = first;
}

/* Elements e, e + WW_THREADS, ... of a bucket, AT_ONCE of them, each on its way while the others' steps are asked for: what they are,
 * and where they end. */
template <int AT_ONCE>
WW_DEVICE void shuffle_follow(const shuffle_arguments &a, const shuffle_shared &s, uint64_t begin, uint32_t n, uint32_t e,
                              ww_item (&moved)[AT_ONCE], uint32_t (&end)[AT_ONCE]) {
    bool moves = false;
#pragma unroll
    for (uint32_t k = 0; k < AT_ONCE; k++) {
        const uint32_t i = e + k * WW_THREADS;
        end[k] = SHUFFLE_PLACE;
        if (i >= n) continue;
        moved[k] = a.in[begin + i];
        end[k] = s.later[i];
        moves |= !(end[k] & SHUFFLE_PLACE);
    }
    while (moves) {
        moves = false;
#pragma unroll
        for (uint32_t k = 0; k < AT_ONCE; k++) {
            if (end[k] & SHUFFLE_PLACE) continue;
            const uint32_t next = s.first[end[k]];
            end[k] = next == SHUFFLE_NONE ? SHUFFLE_PLACE + end[k] : next;
            moves = true;
        }
    }
}

WW_DEVICE void shuffle_ends(const shuffle_arguments &a, const shuffle_shared &s, uint64_t begin, uint32_t n) {
    const uint32_t AT_ONCE = 4;
    for (uint32_t e = threadIdx.x; e < n; e += AT_ONCE * WW_THREADS) {
        uint32_t end[AT_ONCE];
        ww_item moved[AT_ONCE];
        shuffle_follow(a, s, begin, n, e, moved, end);
#pragma unroll
        for (uint32_t k = 0; k < AT_ONCE; k++)
            if (e + k * WW_THREADS < n) a.out[begin + end[k] - SHUFFLE_PLACE] = moved[k];
    }
}

/* The same by way of shared memory. */
WW_DEVICE void shuffle_staged(const shuffle_arguments &a, shuffle_shared &s, uint64_t begin, uint32_t n) {
    enum { EACH = STAGES ? (WW_PLACES + WW_THREADS - 1) / WW_THREADS : 1 };
    uint32_t end[EACH];
    ww_item moved[EACH];
    shuffle_follow(a, s, begin, n, threadIdx.x, moved, end);
    __syncthreads();
#pragma unroll
    for (uint32_t k = 0; k < EACH; k++)
        if (threadIdx.x + k * WW_THREADS < n) s.staged[end[k] - SHUFFLE_PLACE] = moved[k];
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < n; i += WW_THREADS) a.out[begin + i] = s.staged[i];
}

WW_DEVICE void shuffle_in_shared(const shuffle_arguments &a, shuffle_shared &s, uint64_t begin, uint32_t n) {
    for (uint32_t i = threadIdx.x; i < n; i += WW_THREADS) s.first[i] = SHUFFLE_NONE;
    __syncthreads();
    shuffle_each(a, begin, n, threadIdx.x, WW_THREADS, [&](uint32_t i, uint32_t with) {
        s.later[i] = uint16_t(atomicExch(&s.first[with], i));
    });
    __syncthreads();
    for (uint32_t place = threadIdx.x; place < n; place += WW_THREADS) shuffle_sort(s, place);
    __syncthreads();
    if (STAGES) shuffle_staged(a, s, begin, n);
    else shuffle_ends(a, s, begin, n);
}

WW_DEVICE void shuffle_in_memory(const shuffle_arguments &a, uint64_t begin, uint64_t n) {
    for (uint64_t i = threadIdx.x; i < n; i += WW_THREADS) a.out[begin + i] = a.in[begin + i];
    __syncthreads();
    if (threadIdx.x) return;
    shuffle_each(a, begin, n, 0, 1, [&](uint32_t i, uint32_t with) {
        const ww_item moved = a.out[begin + i];
        a.out[begin + i] = a.out[begin + with];
        a.out[begin + with] = moved;
    });
}

WW_GPU_KERNEL(shuffle, shuffle_arguments, WW_THREADS) {
    WW_SHARED_LARGE(shuffle_shared, s);
    const uint64_t begin = a.offsets ? a.offsets[blockIdx.x] : 0, end = a.offsets ? a.offsets[blockIdx.x + 1] : a.count;
    if (end - begin <= WW_PLACES) shuffle_in_shared(a, s, begin, uint32_t(end - begin));
    else shuffle_in_memory(a, begin, end - begin);
}
