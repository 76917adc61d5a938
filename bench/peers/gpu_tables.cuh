/* What bench-peer-cuco.so and bench-peer-bght.so have alike: a stream, two tables, and pairs of two arrays as an iterator. The file that
 * includes it says `make_table` and `describe`. */
#ifndef BENCH_GPU_TABLES_CUH
#define BENCH_GPU_TABLES_CUH

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdio>
#include <exception>
#include <memory>

#include "gpu_tables.h"

static cudaStream_t stream;
static const uint32_t no_key = 0, no_value = UINT32_MAX;

struct table {
    virtual ~table() = default;
    virtual bool build(const uint32_t *keys, const uint32_t *values, uint64_t n) = 0; /* false: it did not succeed */
    virtual void find(const uint32_t *keys, uint32_t *values, uint64_t n) = 0;
};

static std::unique_ptr<table> tables[GPU_TABLE_WAYS];

static std::unique_ptr<table> make_table(gpu_table_way way, uint64_t slots);
static void describe(char *text, size_t room);

/* Pair number i. */
template <class P> struct pair_at {
    const uint32_t *keys, *values;
    __host__ __device__ P operator()(uint64_t i) const { return P{keys[i], values[i]}; }
};
template <class P> auto pairs_of(const uint32_t *keys, const uint32_t *values) {
    return thrust::make_transform_iterator(thrust::counting_iterator<uint64_t>(0), pair_at<P>{keys, values});
}

static const char *said(cudaError_t error) { return error ? cudaGetErrorString(error) : nullptr; }

/* What is thrown is said. */
template <class F> static const char *tried(F work) {
    static char sentence[200];
    try {
        return work();
    } catch (const std::exception &e) {
        std::snprintf(sentence, sizeof sentence, "%s", e.what());
        return sentence;
    }
}

static cudaError_t begin(const void *memory) {
    cudaPointerAttributes where;
    const cudaError_t error = cudaPointerGetAttributes(&where, memory);
    if (error) return error;
    const cudaError_t failed = cudaSetDevice(where.device);
    return failed ? failed : cudaStreamCreate(&stream); /* in order with what a library does in the default one */
}

static const char *build(gpu_table_way way, uint64_t slots, const uint32_t *keys, const uint32_t *values, uint64_t n) {
    return tried([&]() -> const char * {
        const cudaError_t error = stream ? cudaSuccess : begin(keys);
        if (error) return said(error);
        if (!tables[way]) tables[way] = make_table(way, slots);
        return tables[way]->build(keys, values, n) ? said(cudaGetLastError()) : "the table could not be built";
    });
}

static const char *find(gpu_table_way way, const uint32_t *keys, uint32_t *values, uint64_t n) {
    return tried([&]() -> const char * {
        if (!tables[way]) return "the table is not built";
        tables[way]->find(keys, values, n);
        return said(cudaGetLastError());
    });
}

static const char *wait() { return stream ? said(cudaStreamSynchronize(stream)) : nullptr; }

static void end() {
    for (auto &t : tables) t.reset();
}

extern "C" const gpu_tables bench_gpu_tables = {describe, build, find, wait, end};

#endif
