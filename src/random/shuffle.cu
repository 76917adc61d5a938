/* The leaves of a shuffle on a GPU: a block of threads has a bucket. All draw what each element changes places with, WW_DRAWS at once;
 * one makes the swaps, on the elements' places in shared memory, which are 2 bytes each; then all move elements. In step i place
 * i still has element i, so that a swap reads one place and writes two. A bucket of more than WW_PLACES elements, of which there
 * is none as far as numbers are random, is moved first and swapped where it lies. */
#include "random/shuffle_arguments.cuh"

struct shuffle_arguments : shuffle_fixed {
    ww_environment environment;
};

struct shuffle_shared {
    uint32_t with[WW_DRAWS];
    uint16_t place[WW_PLACES];
};

/* ww_body gives the words of a block. */
WW_DEVICE uint32_t shuffle_share(const shuffle_arguments &a, uint64_t place, uint32_t bound) {
    const auto words = ww_body(a.again + place, a.environment.at());
    uint64_t carry = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) carry = (words.word[k] * uint64_t(bound) + carry) >> 32;
    return uint32_t(carry);
}

/* Draws for elements `first` up to `end` of the bucket that begins at `begin`: a thread has the four places of a block. */
WW_DEVICE void shuffle_draw(const shuffle_arguments &a, shuffle_shared &s, uint64_t begin, uint64_t first, uint64_t end) {
    const uint64_t low = begin + first, high = begin + end;
    for (uint64_t b = low / 4 + threadIdx.x; b * 4 < high; b += WW_THREADS) {
        const auto words = ww_body(a.draws + b, a.environment.at());
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint64_t place = b * 4 + k;
            if (place < low || place >= high) continue;
            const uint32_t bound = uint32_t(place - begin) + 1;
            const uint64_t product = words.word[k] * uint64_t(bound);
            const bool rejected = uint32_t(product) < bound && uint32_t(product) < (0u - bound) % bound;
            s.with[place - low] = rejected ? shuffle_share(a, place, bound) : uint32_t(product >> 32);
        }
    }
}

WW_DEVICE void shuffle_in_shared(const shuffle_arguments &a, shuffle_shared &s, uint64_t begin, uint32_t n) {
    for (uint32_t first = 0; first < n; first += WW_DRAWS) {
        const uint32_t end = n - first < WW_DRAWS ? n : first + WW_DRAWS;
        shuffle_draw(a, s, begin, first, end);
        __syncthreads();
        if (!threadIdx.x)
            for (uint32_t i = first; i < end; i++) {
                const uint32_t with = s.with[i - first];
                if (with != i) s.place[i] = s.place[with];
                s.place[with] = uint16_t(i);
            }
        __syncthreads();
    }
    for (uint32_t i = threadIdx.x; i < n; i += WW_THREADS) a.out[begin + i] = a.in[begin + s.place[i]];
}

WW_DEVICE void shuffle_in_memory(const shuffle_arguments &a, shuffle_shared &s, uint64_t begin, uint64_t n) {
    for (uint64_t i = threadIdx.x; i < n; i += WW_THREADS) a.out[begin + i] = a.in[begin + i];
    for (uint64_t first = 0; first < n; first += WW_DRAWS) {
        const uint64_t end = n - first < WW_DRAWS ? n : first + WW_DRAWS;
        shuffle_draw(a, s, begin, first, end);
        __syncthreads();
        if (!threadIdx.x)
            for (uint64_t i = first; i < end; i++) {
                const uint64_t with = s.with[i - first];
                const ww_item moved = a.out[begin + i];
                a.out[begin + i] = a.out[begin + with];
                a.out[begin + with] = moved;
            }
        __syncthreads();
    }
}

WW_GPU_KERNEL(shuffle, shuffle_arguments, WW_THREADS) {
    WW_SHARED(shuffle_shared, s);
    const uint64_t begin = a.offsets ? a.offsets[blockIdx.x] : 0, end = a.offsets ? a.offsets[blockIdx.x + 1] : a.count;
    if (end - begin <= WW_PLACES) shuffle_in_shared(a, s, begin, uint32_t(end - begin));
    else shuffle_in_memory(a, s, begin, end - begin);
}
