/* Rows of reversing, rotating and transposing. Peers are kernels as NVIDIA's texts have them, copies, and cuBLAS where it is found at
 * run time. */
#include <dlfcn.h>
#include <cub/device/device_transform.cuh>
#include <thrust/iterator/reverse_iterator.h>

#include "call_arrays.cuh"
#include "rows.h"

/* Four neighbours a thread, of both ends. */
static __global__ void reverse_vectors(const uint4 *x, uint4 *out, size_t n) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    const uint4 v = x[i];
    out[n - 1 - i] = make_uint4(v.w, v.z, v.y, v.x);
}

static void turn_calls(size_t n) {
    call_arrays a;
    uint32_t *x = a.random<uint32_t>(n, 101), *r = a.empty<uint32_t>(n), *s = a.empty<uint32_t>(n);
    const results same = {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }};
    const ww_input in = ww_memory_of(x, n, u32);
    const ww_array out = ww_array_of(r, n, u32);
    row("reverse u32", n, 8, 0, [=] { must(ww_reverse(device, in, out)); },
        {{"a kernel of 16 bytes a thread",
          [=] { reverse_vectors<<<unsigned((n / 4 + 255) / 256), 256, 0, stream>>>((const uint4 *)x, (uint4 *)s, n / 4); }},
         {"DeviceTransform of reversed elements", [=] {
              CHECK(cub::DeviceTransform::Transform(thrust::make_reverse_iterator(x + n), s, int(n), ::cuda::std::identity(), stream));
          }}},
        same);
    const size_t by = n / 3;
    row("rotate u32", n, 8, 0, [=] { must(ww_rotate(device, int64_t(by), in, out)); },
        {{"two copies",
          [=] {
              CHECK(cudaMemcpyAsync(s + by, x, (n - by) * 4, cudaMemcpyDeviceToDevice, stream));
              CHECK(cudaMemcpyAsync(s, x + (n - by), by * 4, cudaMemcpyDeviceToDevice, stream));
          }},
         {"a kernel, a thread an element", [=] {
              each_once<<<unsigned((n + 255) / 256), 256, 0, stream>>>(n, [=] __device__(size_t i) { s[i] = x[i < by ? i + (n - by) : i - by]; });
          }}},
        same);
}

/* ---- transposes ---- */

/* A tile of 32 x 32, 32 x 8 threads, a row of it an element longer (Ruetsch and Micikevicius 2009). */
template <class T> __global__ void transpose_tiles(const T *x, T *out, size_t rows, size_t columns) {
    __shared__ T tile[32][33];
    const size_t across = (columns + 31) / 32, row = blockIdx.x / across * 32, column = blockIdx.x % across * 32;
#pragma unroll
    for (int k = threadIdx.y; k < 32; k += 8)
        if (row + k < rows && column + threadIdx.x < columns) tile[k][threadIdx.x] = x[(row + k) * columns + column + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int k = threadIdx.y; k < 32; k += 8)
        if (column + k < columns && row + threadIdx.x < rows) out[(column + k) * rows + row + threadIdx.x] = tile[threadIdx.x][k];
}
/* Few rows, or few columns: a thread has an element of each. */
template <class T, int FEW> __global__ void split_few(const T *x, T *out, size_t many) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i >= many) return;
#pragma unroll
    for (int k = 0; k < FEW; k++) out[k * many + i] = x[i * FEW + k];
}
template <class T, int FEW> __global__ void join_few(const T *x, T *out, size_t many) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i >= many) return;
#pragma unroll
    for (int k = 0; k < FEW; k++) out[i * FEW + k] = x[k * many + i];
}

/* cublasSgeam and cublasDgeam. */
struct blas {
    typedef int create(void **);
    typedef int set_stream(void *, cudaStream_t);
    template <class T> using geam = int(void *, int, int, int, int, const T *, const T *, int, const T *, const T *, int, T *, int);
    void *at = dlopen("libcublas.so.13", RTLD_NOW), *handle = nullptr;
    template <class F> F *of(const char *name) const { return reinterpret_cast<F *>(dlsym(at, name)); }
    blas() {
        if (!at || of<create>("cublasCreate_v2")(&handle)) return;
        of<set_stream>("cublasSetStream_v2")(handle, stream);
    }
    template <class T> std::vector<way> ways(const T *x, T *out, size_t rows, size_t columns) const {
        if (!handle) return {};
        const blas b = *this;
        const char *name = sizeof(T) == 4 ? "cublasSgeam" : "cublasDgeam";
        return {{name, [=] {
                     const T one = 1, none = 0;
                     b.of<geam<T>>(name)(b.handle, 1, 0, int(rows), int(columns), &one, x, int(columns), &none, out, int(rows), out, int(rows));
                 }}};
    }
};

template <class T>
static void transpose_call(const std::string &name, size_t rows, size_t columns, const ww_type *type) {
    static const blas library;
    const size_t n = rows * columns;
    const std::string label = "transpose " + name;
    if (!row_wanted(label.c_str(), n)) return;
    call_arrays a;
    T *x = a.random<T>(n, 103), *r = a.empty<T>(n), *s = a.empty<T>(n);
    const unsigned blocks = unsigned((rows + 31) / 32 * ((columns + 31) / 32));
    std::vector<way> ways = {{"a kernel of tiles of 32 x 32", [=] { transpose_tiles<<<blocks, dim3(32, 8), 0, stream>>>(x, s, rows, columns); }}};
    if (rows == 3)
        ways.push_back({"a kernel, a thread a column", [=] {
                            join_few<T, 3><<<unsigned((columns + 255) / 256), 256, 0, stream>>>(x, s, columns);
                        }});
    if (columns == 3)
        ways.push_back({"a kernel, a thread a row", [=] {
                            split_few<T, 3><<<unsigned((rows + 255) / 256), 256, 0, stream>>>(x, s, rows);
                        }});
    const auto in = type ? ww_memory_of(x, n, type) : ww_record_memory(x, n, sizeof(T));
    const auto out = type ? ww_array_of(r, n, type) : ww_records(r, n, sizeof(T));
    row(label.c_str(), n, 2 * sizeof(T), 0, [=] { must(ww_transpose(device, rows, columns, in, out)); }, ways,
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    if (sizeof(T) < 4) return;
    /* Numbers, not any bits: cuBLAS multiplies them by one, which NaNs need not survive. */
    std::vector<way> own;
    if constexpr (sizeof(T) == 4) own = library.ways((const float *)x, (float *)s, rows, columns);
    if constexpr (sizeof(T) == 8) own = library.ways((const double *)x, (double *)s, rows, columns);
    if (own.empty()) return;
    each(n, [=] __device__(size_t i) {
        if (sizeof(T) == 4) ((float *)x)[i] = float(i);
        if (sizeof(T) == 8) ((double *)x)[i] = double(i);
    });
    row(("transpose " + name + ", beside cuBLAS").c_str(), n, 2 * sizeof(T), 0, [=] { must(ww_transpose(device, rows, columns, in, out)); }, own,
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
}

void arrange_rows() {
    for (size_t n : call_sizes) {
        size_t side = 1;
        while (4 * side * side <= n) side *= 2;
        turn_calls(n);
        transpose_call<uint8_t>("u8", side, n / side, u8);
        transpose_call<uint16_t>("u16", side, n / side, u16);
        transpose_call<uint32_t>("u32", side, n / side, u32);
        transpose_call<uint64_t>("u64", side, n / side, u64);
        transpose_call<uint4>("16 bytes", side / 2, n / side, nullptr);
        transpose_call<uint32_t>("u32, 3 rows", 3, n / 4, u32);
        transpose_call<uint32_t>("u32, 3 columns", n / 4, 3, u32);
        transpose_call<uint8_t>("u8, 3 columns", n / 4, 3, u8);
    }
    transpose_call<uint32_t>("u32, 5000 rows", 5000, 13421, u32);
    transpose_call<uint8_t>("u8, 5000 rows", 5000, 13421, u8);
    transpose_call<uint64_t>("u64, 5000 rows", 5000, 13421, u64);
}
