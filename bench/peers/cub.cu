/* bench-peer-cub.so: tiles by CUB's block sorts and by the other ways of gpu/block_ways.cuh, and CUB's merge sort of an array. */
#include <cub/device/device_merge_sort.cuh>
#include <cub/version.cuh>

#include <cstdio>

#include "../gpu/block_ways.cuh"
#include "cub.h"

static cudaStream_t stream;
static void *temporary; /* DeviceMergeSort's */
static size_t temporary_bytes;

static const char *said(cudaError_t error) { return error ? cudaGetErrorString(error) : nullptr; }

static void describe(char *text, size_t room) {
    std::snprintf(text, room, "%d.%d.%d of CUDA %d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION, CUDART_VERSION / 1000,
                  CUDART_VERSION % 1000 / 10);
}

/* ---- tiles that are sorted ---- */

template <class T, int TILE> static cudaError_t sort_of(cub_way way, const T *x, T *y, size_t n) {
    constexpr int EACH = sizeof(T) == 8 ? 8 : 16;
    switch (way) {
    case CUB_RADIX:
        return launch_block_sort<radix_sort, T, TILE / EACH, EACH>(x, y, n, stream);
    case CUB_MERGE:
        return launch_block_sort<merge_sort, T, TILE / EACH, EACH>(x, y, n, stream);
    case CUB_PADDED:
        return launch_padded_sort<T, TILE / EACH, EACH>(x, y, n, stream);
    case CUB_BITONIC:
        return launch_bitonic_sort<T, TILE / EACH, EACH>(x, y, n, stream);
    default:
        break;
    }
    if constexpr (sizeof(T) == 4) {
        if (way == CUB_RADIX_32) return launch_block_sort<radix_sort, T, TILE / 32, 32>(x, y, n, stream);
        if (way == CUB_MERGE_32) return launch_block_sort<merge_sort, T, TILE / 32, 32>(x, y, n, stream);
    }
    return cudaErrorInvalidValue;
}

template <class T, int TILE> static cudaError_t sort_as(cub_way way, const cub_job *job) {
    return sort_of<T, TILE>(way, static_cast<const T *>(job->in), static_cast<T *>(job->out), job->n);
}

static cudaError_t sort(cub_way way, const cub_job *job) {
    if (job->size == 8) return job->tile == 4096 ? sort_as<uint64_t, 4096>(way, job) : cudaErrorInvalidValue;
    switch (job->tile) {
    case 1024:
        return sort_as<uint32_t, 1024>(way, job);
    case 4096:
        return sort_as<uint32_t, 4096>(way, job);
    case 16384:
        return sort_as<uint32_t, 16384>(way, job);
    default:
        return cudaErrorInvalidValue;
    }
}

/* ---- others ---- */

static cudaError_t merge_array(const uint32_t *x, uint32_t *y, size_t n) {
    size_t bytes = 0;
    cudaError_t error = cub::DeviceMergeSort::SortKeysCopy(nullptr, bytes, x, y, n, below(), stream);
    if (!error && bytes > temporary_bytes) {
        cudaFree(temporary);
        temporary_bytes = 0;
        error = cudaMalloc(&temporary, bytes);
        if (!error) temporary_bytes = bytes;
    }
    return error ? error : cub::DeviceMergeSort::SortKeysCopy(temporary, bytes, x, y, n, below(), stream);
}

static cudaError_t queue(cub_way way, const cub_job *job) {
    const uint32_t *x = static_cast<const uint32_t *>(job->in), *second = static_cast<const uint32_t *>(job->second);
    uint32_t *y = static_cast<uint32_t *>(job->out);
    const unsigned tiles = job->tile ? unsigned(job->n / job->tile) : 0;
    switch (way) {
    case CUB_PERMUTED:
        permute_plainly<<<tiles, 256, 0, stream>>>(x, second, y);
        return cudaGetLastError();
    case CUB_PARTITIONED:
        partition_plainly<<<tiles, 32, 0, stream>>>(x, second, y);
        return cudaGetLastError();
    case CUB_TRANSPOSED:
        transpose_padded<<<tiles, 256, 0, stream>>>(x, y);
        return cudaGetLastError();
    case CUB_DEVICE_MERGE:
        return merge_array(x, y, job->n);
    default:
        return sort(way, job);
    }
}

static cudaError_t begin(const void *memory) {
    cudaPointerAttributes where;
    const cudaError_t error = cudaPointerGetAttributes(&where, memory);
    if (error) return error;
    const cudaError_t failed = cudaSetDevice(where.device);
    return failed ? failed : cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
}

static const char *run(cub_way way, const cub_job *job) {
    const cudaError_t error = stream ? cudaSuccess : begin(job->out);
    return said(error ? error : queue(way, job));
}

static const char *wait() { return stream ? said(cudaStreamSynchronize(stream)) : nullptr; }

static void end() {
    if (!stream) return;
    cudaFree(temporary);
    cudaStreamDestroy(stream);
    stream = nullptr;
}

extern "C" const cub_module bench_cub = {describe, run, wait, end};
