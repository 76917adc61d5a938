/* What tiles are measured beside, in a block of a GPU each: CUB's block sorts, and a bitonic network and a merge sort whose tile is
 * padded, as one writes them; plain kernels that permute and partition, which go through shared memory as the data say, and a
 * transpose of a padded tile. Shared memory is asked for at launch, since tiles of 8192 keys take more than a kernel has without. */
#ifndef BENCH_BLOCK_WAYS_CUH
#define BENCH_BLOCK_WAYS_CUH

#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>

#include "below.cuh"

/* ---- sorts of a block ---- */

/* CUB's: keys come and go striped, by way of shared memory, which CUB pads where it has to. */
template <class T, int THREADS, int ITEMS> struct radix_sort {
    using Sort = cub::BlockRadixSort<T, THREADS, ITEMS>;
    using Store = cub::BlockStore<T, THREADS, ITEMS, cub::BLOCK_STORE_STRIPED>;
    static __device__ void sort(typename Sort::TempStorage &s, T (&keys)[ITEMS]) { Sort(s).SortBlockedToStriped(keys); }
};

template <class T, int THREADS, int ITEMS> struct merge_sort {
    using Sort = cub::BlockMergeSort<T, THREADS, ITEMS>;
    using Store = cub::BlockStore<T, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    static __device__ void sort(typename Sort::TempStorage &s, T (&keys)[ITEMS]) {
        Sort(s).Sort(keys, below());
        __syncthreads(); /* the store goes through shared memory */
    }
};

template <template <class, int, int> class METHOD, class T, int THREADS, int ITEMS>
struct block_room {
    using Method = METHOD<T, THREADS, ITEMS>;
    using Load = cub::BlockLoad<T, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    union all {
        typename Load::TempStorage load;
        typename Method::Sort::TempStorage sort;
        typename Method::Store::TempStorage store;
    };
};

template <template <class, int, int> class METHOD, class T, int THREADS, int ITEMS>
static __global__ void __launch_bounds__(THREADS) sort_tiles(const T *x, T *y) {
    using Room = block_room<METHOD, T, THREADS, ITEMS>;
    using Method = typename Room::Method;
    using Load = typename Room::Load;
    extern __shared__ __align__(16) unsigned char room[];
    typename Room::all &s = *reinterpret_cast<typename Room::all *>(room);
    T keys[ITEMS];
    const size_t first = size_t(blockIdx.x) * THREADS * ITEMS;
    Load(s.load).Load(x + first, keys);
    __syncthreads();
    Method::sort(s.sort, keys);
    typename Method::Store(s.store).Store(y + first, keys);
}

/* A thread's items by a network, and merges along the merge path, in a tile with a place more in each 32. */
template <class T, int THREADS, int ITEMS>
static __global__ void __launch_bounds__(THREADS) padded_sort_tiles(const T *x, T *y) {
    constexpr int TILE = THREADS * ITEMS;
    extern __shared__ __align__(16) unsigned char room[];
    T *const s = reinterpret_cast<T *>(room); /* TILE + TILE / 32 */
    const auto at = [](int i) { return i + i / 32; };
    const size_t first = size_t(blockIdx.x) * TILE;
    const int thread = threadIdx.x, mine = thread * ITEMS;
    T keys[ITEMS];
    for (int i = 0; i < ITEMS; i++) s[at(i * THREADS + thread)] = x[first + i * THREADS + thread];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) keys[i] = s[at(mine + i)];
#pragma unroll
    for (int phase = 0; phase < ITEMS; phase++)
#pragma unroll
        for (int i = phase % 2; i + 1 < ITEMS; i += 2) {
            const T low = min(keys[i], keys[i + 1]), high = max(keys[i], keys[i + 1]);
            keys[i] = low;
            keys[i + 1] = high;
        }
    for (int run = ITEMS; run < TILE; run *= 2) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) s[at(mine + i)] = keys[i];
        __syncthreads();
        const int pair = mine / (2 * run) * 2 * run, diagonal = mine - pair;
        int low = max(0, diagonal - run), high = min(diagonal, run);
        while (low < high) {
            const int middle = (low + high) / 2;
            if (s[at(pair + middle)] <= s[at(pair + run + diagonal - 1 - middle)]) low = middle + 1;
            else high = middle;
        }
        int i = pair + low, j = pair + run + diagonal - low;
        T a = i < pair + run ? s[at(i)] : T(~T(0)), b = j < pair + 2 * run ? s[at(j)] : T(~T(0));
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const bool left = j == pair + 2 * run || (i < pair + run && a <= b);
            keys[k] = left ? a : b;
            if (left) a = ++i < pair + run ? s[at(i)] : a;
            else b = ++j < pair + 2 * run ? s[at(j)] : b;
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) s[at(mine + i)] = keys[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; i++) y[first + i * THREADS + thread] = s[at(i * THREADS + thread)];
}

/* The bitonic network as one writes it: a tile in shared memory, and a phase after the other. */
template <class T, int THREADS, int ITEMS>
static __global__ void __launch_bounds__(THREADS) bitonic_sort_tiles(const T *x, T *y) {
    constexpr int TILE = THREADS * ITEMS;
    extern __shared__ __align__(16) unsigned char room[];
    T *const s = reinterpret_cast<T *>(room);
    const size_t first = size_t(blockIdx.x) * TILE;
    for (int i = threadIdx.x; i < TILE; i += THREADS) s[i] = x[first + i];
    for (int size = 2; size <= TILE; size *= 2)
        for (int stride = size / 2; stride; stride /= 2) {
            __syncthreads();
            for (int c = threadIdx.x; c < TILE / 2; c += THREADS) {
                const int low = c / stride * 2 * stride + c % stride, high = low + stride;
                const T a = s[low], b = s[high];
                const bool up = !(low & size);
                s[low] = up ? min(a, b) : max(a, b);
                s[high] = up ? max(a, b) : min(a, b);
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < TILE; i += THREADS) y[first + i] = s[i];
}

/* ---- launches ---- */

/* Queues a block for each tile, with so much shared memory. */
template <class T>
static cudaError_t launch_tiles(void (*kernel)(const T *, T *), size_t tiles, int threads, size_t shared, const T *x, T *y,
                                cudaStream_t stream) {
    if (shared > (48 << 10)) {
        const cudaError_t refused = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared));
        if (refused) return refused;
    }
    kernel<<<unsigned(tiles), threads, shared, stream>>>(x, y);
    return cudaGetLastError();
}

template <template <class, int, int> class METHOD, class T, int THREADS, int ITEMS>
static cudaError_t launch_block_sort(const T *x, T *y, size_t n, cudaStream_t stream) {
    return launch_tiles<T>(sort_tiles<METHOD, T, THREADS, ITEMS>, n / (THREADS * ITEMS), THREADS,
                           sizeof(typename block_room<METHOD, T, THREADS, ITEMS>::all), x, y, stream);
}

template <class T, int THREADS, int ITEMS> static cudaError_t launch_padded_sort(const T *x, T *y, size_t n, cudaStream_t stream) {
    constexpr size_t TILE = THREADS * ITEMS;
    return launch_tiles<T>(padded_sort_tiles<T, THREADS, ITEMS>, n / TILE, THREADS, (TILE + TILE / 32) * sizeof(T), x, y, stream);
}

template <class T, int THREADS, int ITEMS> static cudaError_t launch_bitonic_sort(const T *x, T *y, size_t n, cudaStream_t stream) {
    constexpr size_t TILE = THREADS * ITEMS;
    return launch_tiles<T>(bitonic_sort_tiles<T, THREADS, ITEMS>, n / TILE, THREADS, TILE * sizeof(T), x, y, stream);
}

/* ---- permuting, partitioning, transposing ---- */

/* Items to their places by way of a tile in shared memory. */
static __global__ void __launch_bounds__(256) permute_plainly(const uint32_t *x, const uint32_t *places, uint32_t *y) {
    __shared__ uint32_t s[4096];
    const size_t first = size_t(blockIdx.x) * 4096;
#pragma unroll 8
    for (int i = threadIdx.x; i < 4096; i += 256) s[places[first + i]] = x[first + i];
    __syncthreads();
#pragma unroll 8
    for (int i = threadIdx.x; i < 4096; i += 256) y[first + i] = s[i];
}
/* Items to 32 buckets of 128, a thread for each. */
static __global__ void partition_plainly(const uint32_t *x, const uint32_t *labels, uint32_t *y) {
    const size_t first = size_t(blockIdx.x) * 4096;
    uint32_t *to = y + first + threadIdx.x * 128;
    for (int i = 0; i < 4096; i++)
        if (labels[first + i] == threadIdx.x) *to++ = x[first + i];
}
/* 64 x 64, with a column more. */
static __global__ void __launch_bounds__(256) transpose_padded(const uint32_t *x, uint32_t *y) {
    __shared__ uint32_t s[64][65];
    const size_t first = size_t(blockIdx.x) * 4096;
#pragma unroll
    for (int i = threadIdx.x; i < 4096; i += 256) s[i / 64][i % 64] = x[first + i];
    __syncthreads();
#pragma unroll
    for (int i = threadIdx.x; i < 4096; i += 256) y[first + i] = s[i % 64][i / 64];
}

#endif
