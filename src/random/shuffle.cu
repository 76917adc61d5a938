/* The leaves of a shuffle on a GPU: a block of threads has a bucket, and finds where each element ends by itself. In step i of Fisher's and
 * Yates's swaps place i, which still has element i, changes with place j(i) <= i. So element e goes to j(e) in step e, and from
 * there on: from place p, where it is since step t, to place i in the first step i > t with j(i) = p. Steps are listed by their j(i),
 * in whatever order threads come, and lists are short: place p has ln(n / p) steps on the average.
 *
 * A bucket of more than WW_PLACES elements, of which there is none as far as numbers are random, is moved first and swapped where
 * it lies, by one thread. */
#include "random/shuffle_arguments.cuh"

struct shuffle_arguments : shuffle_fixed {
    ww_environment environment;
};

enum { SHUFFLE_NONE = 0xFFFF };
struct shuffle_shared {
    uint32_t last[WW_PLACES];    /* of each place: a step that changes with it */
    uint16_t earlier[WW_PLACES]; /* of each step: another one that changes with the same place */
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

/* Where an element ends that step i has put in place p. */
WW_DEVICE uint32_t shuffle_end(const shuffle_shared &s, uint32_t i, uint32_t p) {
    for (;;) {
        uint32_t next = SHUFFLE_NONE;
        for (uint32_t step = s.last[p]; step != SHUFFLE_NONE; step = s.earlier[step])
            if (step > i && step < next) next = step;
        if (next == SHUFFLE_NONE) return p;
        i = p = next;
    }
}

WW_DEVICE void shuffle_in_shared(const shuffle_arguments &a, shuffle_shared &s, uint64_t begin, uint32_t n) {
    for (uint32_t i = threadIdx.x; i < n; i += WW_THREADS) s.last[i] = SHUFFLE_NONE;
    __syncthreads();
    shuffle_each(a, begin, n, threadIdx.x, WW_THREADS, [&](uint32_t i, uint32_t with) {
        s.earlier[i] = uint16_t(atomicExch(&s.last[with], i));
    });
    __syncthreads();
    shuffle_each(a, begin, n, threadIdx.x, WW_THREADS, [&](uint32_t i, uint32_t with) {
        a.out[begin + shuffle_end(s, i, with)] = a.in[begin + i];
    });
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
