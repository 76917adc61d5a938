/* Rows of sparse matrices times vectors. cuSPARSE is a way where it is found at run time, with its preprocessing before the clock
 * runs; so are kernels with a thread, and with a warp, a row. Sums are compared within rounding. */
#include <cusparse.h>
#include <dlfcn.h>

#include <cmath>

#include "call_arrays.cuh"
#include "rows.h"

/* ---- matrices ---- */

enum shape { ANYWHERE, POWER_LAW, ROAD, BAND };

struct sparse_matrix {
    uint32_t rows, entries;
    uint32_t *offsets, *columns;
    float *values;
};

static uint64_t random_word(uint64_t &state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

static sparse_matrix make_matrix(call_arrays &a, shape kind, size_t entries) {
    std::vector<uint32_t> offsets = {0}, columns;
    uint64_t state = 1;
    while (offsets.back() < entries) {
        const double u = (double(random_word(state)) + 1) * 0x1p-31;
        size_t length = kind == ANYWHERE ? 8 + random_word(state) % 17 : kind == POWER_LAW ? size_t(3 * std::pow(u, -1 / 1.2))
                                                                      : kind == ROAD       ? 1 + random_word(state) % 4
                                                                                           : 27;
        length = std::min(length, entries / 8 + 1);
        offsets.push_back(uint32_t(std::min(offsets.back() + length, entries)));
    }
    const size_t rows = offsets.size() - 1;
    columns.resize(entries);
    for (size_t r = 0; r < rows; r++)
        for (size_t k = offsets[r]; k < offsets[r + 1]; k++) {
            const size_t near = kind == ROAD ? random_word(state) % 200 : k - offsets[r];
            columns[k] = uint32_t(kind >= ROAD ? (r + rows + near) % rows : random_word(state) % rows);
        }
    sparse_matrix m = {uint32_t(rows), uint32_t(entries), a.empty<uint32_t>(rows + 1), a.empty<uint32_t>(entries), a.empty<float>(entries)};
    uint32_t *random = a.random<uint32_t>(entries, 141);
    float *values = m.values;
    CHECK(cudaMemcpy(m.offsets, offsets.data(), 4 * (rows + 1), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(m.columns, columns.data(), 4 * entries, cudaMemcpyHostToDevice));
    each(entries, [=] __device__(size_t i) { values[i] = float(random[i] >> 29); });
    return m;
}

/* ---- peers ---- */

static __global__ void thread_a_row(sparse_matrix m, const float *x, float *y) {
    const uint32_t r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= m.rows) return;
    float sum = 0;
    for (uint32_t k = m.offsets[r]; k < m.offsets[r + 1]; k++) sum += m.values[k] * x[m.columns[k]];
    y[r] = sum;
}
static __global__ void lanes_a_row(sparse_matrix m, const float *x, float *y, uint32_t lanes) {
    const uint32_t r = (blockIdx.x * blockDim.x + threadIdx.x) / lanes, lane = threadIdx.x % lanes;
    float sum = 0;
    if (r < m.rows)
        for (uint32_t k = m.offsets[r] + lane; k < m.offsets[r + 1]; k += lanes) sum += m.values[k] * x[m.columns[k]];
    for (uint32_t step = lanes / 2; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (r < m.rows && !lane) y[r] = sum;
}
static __global__ void vectors_a_row(sparse_matrix m, const float *x, float *y, uint32_t vectors) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, r = i / vectors, v = i % vectors;
    if (r >= m.rows) return;
    float sum = 0;
    for (uint32_t k = m.offsets[r]; k < m.offsets[r + 1]; k++) sum += m.values[k] * x[size_t(m.columns[k]) * vectors + v];
    y[i] = sum;
}

#define WW_DL(f) (reinterpret_cast<decltype(&f)>(dlsym(at, #f)))
struct sparse_library {
    void *at = dlopen("libcusparse.so.12", RTLD_NOW);
    cusparseHandle_t handle = nullptr;
    sparse_library() {
        if (!at || WW_DL(cusparseCreate)(&handle)) return;
        WW_DL(cusparseSetStream)(handle, stream);
    }
    std::vector<way> ways(call_arrays &a, const sparse_matrix &m, float *x, float *y, uint32_t vectors) const {
        if (!handle) return {};
        const sparse_library l = *this;
        static const float one = 1, none = 0;
        cusparseSpMatDescr_t matrix;
        size_t bytes = 0;
        WW_DL(cusparseCreateCsr)(&matrix, m.rows, m.rows, m.entries, m.offsets, m.columns, m.values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
        if (vectors == 1) {
            cusparseDnVecDescr_t in, out;
            WW_DL(cusparseCreateDnVec)(&in, m.rows, x, CUDA_R_32F);
            WW_DL(cusparseCreateDnVec)(&out, m.rows, y, CUDA_R_32F);
            WW_DL(cusparseSpMV_bufferSize)(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &none, out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
            char *room = a.empty<char>(bytes + 16);
            WW_DL(cusparseSpMV_preprocess)(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &none, out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, room);
            const auto call = WW_DL(cusparseSpMV);
            return {{"cusparseSpMV, preprocessed", [=] {
                         call(l.handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &none, out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, room);
                     }}};
        }
        cusparseDnMatDescr_t in, out;
        WW_DL(cusparseCreateDnMat)(&in, m.rows, vectors, vectors, x, CUDA_R_32F, CUSPARSE_ORDER_ROW);
        WW_DL(cusparseCreateDnMat)(&out, m.rows, vectors, vectors, y, CUDA_R_32F, CUSPARSE_ORDER_ROW);
        WW_DL(cusparseSpMM_bufferSize)(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &none, out, CUDA_R_32F,
                                       CUSPARSE_SPMM_ALG_DEFAULT, &bytes);
        char *room = a.empty<char>(bytes + 16);
        const auto call = WW_DL(cusparseSpMM);
        return {{"cusparseSpMM", [=] {
                     call(l.handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &none, out, CUDA_R_32F,
                          CUSPARSE_SPMM_ALG_DEFAULT, room);
                 }}};
    }
};

static void sparse_row(const char *what, shape kind, size_t entries, uint32_t vectors) {
    static const sparse_library library;
    const std::string name = vectors == 1 ? std::string("spmv f32, ") + what : "spmm f32, " + std::to_string(vectors) + " vectors, " + what;
    if (!row_wanted(name.c_str(), entries)) return;
    call_arrays a;
    const sparse_matrix m = make_matrix(a, kind, entries);
    const size_t components = size_t(m.rows) * vectors;
    uint32_t *random = a.random<uint32_t>(components, 142), *differ = a.empty<uint32_t>(1);
    float *x = a.empty<float>(components), *r = a.empty<float>(components), *s = a.empty<float>(components);
    each(components, [=] __device__(size_t i) { x[i] = float(random[i] >> 29); });
    std::vector<way> ways = library.ways(a, m, x, s, vectors);
    if (vectors == 1) {
        ways.push_back({"a kernel, a thread a row", [=] { thread_a_row<<<(m.rows + 255) / 256, 256, 0, stream>>>(m, x, s); }});
        for (uint32_t lanes : {4u, 16u})
            ways.push_back({"a kernel, " + std::to_string(lanes) + " lanes a row",
                            [=] { lanes_a_row<<<unsigned((size_t(m.rows) * lanes + 255) / 256), 256, 0, stream>>>(m, x, s, lanes); }});
    } else {
        ways.push_back({"a kernel, a thread a sum", [=] { vectors_a_row<<<unsigned((components + 255) / 256), 256, 0, stream>>>(m, x, s, vectors); }});
    }
    const ww_input values = ww_memory_of(m.values, entries, f32), columns = ww_memory_of(m.columns, entries, u32),
                   offsets = ww_memory_of(m.offsets, m.rows + 1, u32), in = ww_memory_of(x, components, f32);
    const ww_array y = ww_array_of(r, components, f32);
    const auto compare = [=] __device__(size_t i) {
        if (!(fabsf(r[i] - s[i]) <= 1e-4f * (fabsf(s[i]) + 1))) *differ = 1;
    };
    row(name.c_str(), entries, 8, 0,
        [=] {
            must(vectors == 1 ? ww_spmv(device, values, columns, offsets, in, y, nullptr)
                              : ww_spmm(device, values, columns, offsets, in, vectors, y, nullptr));
        },
        ways, {{whole(r, components)}, {whole(s, components)}, [=] {
                   CHECK(cudaMemsetAsync(differ, 0, 4, stream));
                   each(components, compare);
                   return !count_at(differ);
               }});
}

void sparse_rows() {
    for (size_t entries : {size_t(10000000), size_t(1000000), size_t(10000)}) {
        sparse_row("anywhere", ANYWHERE, entries, 1);
        sparse_row("lengths by a power law", POWER_LAW, entries, 1);
        sparse_row("near the diagonal", ROAD, entries, 1);
        sparse_row("in a band", BAND, entries, 1);
        sparse_row("anywhere", ANYWHERE, entries, 8);
        sparse_row("lengths by a power law", POWER_LAW, entries, 8);
        sparse_row("in a band", BAND, entries, 8);
    }
}
