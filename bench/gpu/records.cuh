/* Records, and the plain kernels that move them: CUB has no gather and no scatter. */
#ifndef BENCH_GPU_RECORDS_CUH
#define BENCH_GPU_RECORDS_CUH

#include "harness.cuh"

/* A permutation of 0 ... 2^bits - 1 that looks random. */
static __global__ void permute(uint32_t *x, uint32_t bits) {
    const uint32_t mask = (uint32_t)((1ull << bits) - 1);
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i <= mask; i += gridDim.x * blockDim.x) {
        uint32_t z = i;
        for (int round = 0; round < 3; round++) {
            z = z * 0x9E3779B1u + 0x7F4A7C15u & mask;
            z ^= z >> bits / 2;
        }
        x[i] = z;
    }
}

/* A thread a part of a record: of 16 bytes, or of what a smaller one has. */
template <class T> struct record_part {
    typedef T type;
    enum { PARTS = 1 };
};
template <size_t size> struct words16 {
    uint4 word[size / 16];
};
template <size_t size> struct record_part<words16<size>> {
    typedef uint4 type;
    enum { PARTS = size / 16 };
};

template <class T>
__global__ void gather_parts(const typename record_part<T>::type *from, const uint32_t *index, typename record_part<T>::type *to,
                             size_t n) {
    enum { P = record_part<T>::PARTS };
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n * P; i += size_t(gridDim.x) * blockDim.x)
        to[i] = from[size_t(index[i / P]) * P + i % P];
}
template <class T>
__global__ void scatter_parts(const typename record_part<T>::type *from, const uint32_t *index, typename record_part<T>::type *to,
                              size_t n) {
    enum { P = record_part<T>::PARTS };
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n * P; i += size_t(gridDim.x) * blockDim.x)
        to[size_t(index[i / P]) * P + i % P] = from[i];
}

template <class T> void gather_plainly(const T *from, const uint32_t *index, T *to, size_t n) {
    typedef typename record_part<T>::type part;
    gather_parts<T><<<4096, 256, 0, stream>>>(reinterpret_cast<const part *>(from), index, reinterpret_cast<part *>(to), n);
}
template <class T> void scatter_plainly(const T *from, const uint32_t *index, T *to, size_t n) {
    typedef typename record_part<T>::type part;
    scatter_parts<T><<<4096, 256, 0, stream>>>(reinterpret_cast<const part *>(from), index, reinterpret_cast<part *>(to), n);
}

#endif
