/* Rows of tiles: sorts, partitions, permutations and transposes, on random data and on inputs that are made to have shared memory's
 * banks in conflict. What stands beside them is in block_ways.cuh. */
#include "block_ways.cuh"
#include "harness.cuh"
#include "rows.h"

/* ---- inputs ---- */

/* Each tile's ranks, in such an order that in every merge neighbours come from both halves (0), or 32 of them (1); that what lanes of
 * a warp write to their ranks all goes to one bank, with a place more in each 32 (2) or without (3); or in no order (4). */
enum { BITS_REVERSED, RUNS_REVERSED, ONE_BANK_PADDED, ONE_BANK, SHUFFLED };
static __global__ void make_ranks(uint32_t *ranks, size_t n, int bits, int kind) {
    const uint32_t tile = 1u << bits;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        const uint32_t at = uint32_t(i) & (tile - 1), step = tile / 32, bank = at / step, row = at % step, number = uint32_t(i >> bits);
        uint32_t rank = at;
        if (kind == BITS_REVERSED) rank = __brev(at) >> (32 - bits);
        if (kind == RUNS_REVERSED) rank = (__brev(at >> 5) >> (32 - (bits - 5))) << 5 | (at & 31);
        if (kind == ONE_BANK_PADDED) rank = row * 32 + ((bank - row) & 31);
        if (kind == ONE_BANK) rank = row * 32 + bank;
        for (int k = 0; k < 4 && kind == SHUFFLED; k++) {
            rank = (rank * (number * 0x9E3779B1u | 1) + 0x7F4A7C15u * k) & (tile - 1);
            rank ^= rank >> (bits / 2);
        }
        ranks[i] = rank;
    }
}
template <class T> static __global__ void spread_ranks(const uint32_t *ranks, T *x, size_t n, int bits) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = T(ranks[i]) * (T(~T(0)) >> bits);
}

static uint32_t *ranks_array(size_t n, int bits, int kind) {
    uint32_t *ranks = gpu_array<uint32_t>(n);
    make_ranks<<<1024, 256, 0, stream>>>(ranks, n, bits, kind);
    CHECK(cudaGetLastError());
    return ranks;
}

template <class T> static T *adversary(size_t n, int bits, int kind) {
    uint32_t *ranks = ranks_array(n, bits, kind);
    T *x = gpu_array<T>(n);
    spread_ranks<<<1024, 256, 0, stream>>>(ranks, x, n, bits);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(ranks));
    return x;
}

/* ---- sorting ---- */

template <class T, int BITS> static std::vector<way> tile_sorts(const T *x, T *y, size_t n) {
    constexpr int TILE = 1 << BITS, MANY = sizeof(T) == 8 ? 8 : 16;
    std::vector<way> ways;
    ways.push_back({"BlockRadixSort", [=] { CHECK((launch_block_sort<radix_sort, T, TILE / MANY, MANY>(x, y, n, stream))); }});
    ways.push_back({"BlockMergeSort", [=] { CHECK((launch_block_sort<merge_sort, T, TILE / MANY, MANY>(x, y, n, stream))); }});
    ways.push_back({"a bitonic network in shared memory", [=] { CHECK((launch_bitonic_sort<T, TILE / MANY, MANY>(x, y, n, stream))); }});
    ways.push_back({"a padded merge sort", [=] { CHECK((launch_padded_sort<T, TILE / MANY, MANY>(x, y, n, stream))); }});
    if constexpr (sizeof(T) == 4) {
        ways.push_back({"BlockRadixSort, 32 a thread", [=] { CHECK((launch_block_sort<radix_sort, T, TILE / 32, 32>(x, y, n, stream))); }});
        ways.push_back({"BlockMergeSort, 32 a thread", [=] { CHECK((launch_block_sort<merge_sort, T, TILE / 32, 32>(x, y, n, stream))); }});
    }
    return ways;
}

/* required: times the fastest of the ways. */
template <class T, int BITS>
static void sort_row(const char *data, const T *x, size_t n, double required, const ww_type *type) {
    const size_t tile = size_t(1) << BITS;
    const std::string name = "tiles of " + std::to_string(tile) + " " + type->label + " sorted, " + data;
    if (!row_wanted(name.c_str(), n)) return;
    T *r = gpu_array<T>(n), *s = gpu_array<T>(n);
    row(name.c_str(), n, 2 * sizeof(T), -required,
        [=] { must(ww_tiles_sort(device, tile, ww_memory_of(x, n, type), ww_no_input, ww_array_of(r, n, type), ww_none)); },
        tile_sorts<T, BITS>(x, s, n), {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    for (T *p : {r, s}) CHECK(cudaFree(p));
}

template <class T, int BITS> static void sort_tile_rows(size_t n, const ww_type *type) {
    static const char *const adversaries[] = {"bits reversed", "bits of runs reversed", "one bank, padded", "one bank"};
    T *x = random_array<T>(n, 81);
    sort_row<T, BITS>("random", x, n, 0.9, type);
    CHECK(cudaFree(x));
    for (int kind = 0; kind < 4; kind++) {
        x = adversary<T>(n, BITS, kind);
        sort_row<T, BITS>(adversaries[kind], x, n, kind < 2 ? 1.3 : 0.9, type);
        CHECK(cudaFree(x));
    }
}

/* With values; equal keys are rare, and their values' order is not looked at by CUB: keys alone are compared. */
static void pairs_row(size_t n) {
    constexpr size_t tile = 4096;
    const ww_type *u32 = &ww_type_uint32_t;
    const char *name = "tiles of 4096 u32 + u32 sorted, random";
    if (!row_wanted(name, n)) return;
    uint32_t *x = random_array<uint32_t>(n, 82), *v = random_array<uint32_t>(n, 83), *r = gpu_array<uint32_t>(n),
             *s = gpu_array<uint32_t>(n), *rv = gpu_array<uint32_t>(n), *sv = gpu_array<uint32_t>(n),
             *offsets = gpu_array<uint32_t>(n / tile + 1);
    std::vector<uint32_t> begins;
    for (size_t i = 0; i <= n / tile; i++) begins.push_back(uint32_t(i * tile));
    CHECK(cudaMemcpy(offsets, begins.data(), 4 * begins.size(), cudaMemcpyHostToDevice));
    row(name, n, 16, -0.9,
        [=] {
            must(ww_tiles_sort(device, tile, ww_memory_of(x, n, u32), ww_memory_of(v, n, u32), ww_array_of(r, n, u32),
                               ww_array_of(rv, n, u32)));
        },
        {{"ww_sort_segments", [=] {
              must(ww_sort_segments(device, ww_memory_of(x, n, u32), ww_memory_of(v, n, u32), ww_memory_of(offsets, n / tile + 1, u32),
                                    ww_array_of(s, n, u32), ww_array_of(sv, n, u32), nullptr));
          }}},
        {{whole(r, n), whole(rv, n)}, {whole(s, n), whole(sv, n)}, [=] { return equal(r, s, n); }});
    for (uint32_t *p : {x, v, r, s, rv, sv, offsets}) CHECK(cudaFree(p));
}

/* ---- permuting, partitioning, transposing ---- */

static __global__ void number_buckets(const uint32_t *places, uint32_t *labels, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) labels[i] = places[i] / 128;
}
static void move_row(const char *name, size_t n, int kind, bool partitions) {
    const ww_type *u32 = &ww_type_uint32_t;
    if (!row_wanted(name, n)) return;
    const unsigned tiles = unsigned(n / 4096);
    uint32_t *places = ranks_array(n, 12, kind), *x = random_array<uint32_t>(n, 85), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n);
    if (partitions) number_buckets<<<1024, 256, 0, stream>>>(places, places, n);
    const way plain = partitions ? way{"a thread for each bucket", [=] { partition_plainly<<<tiles, 32, 0, stream>>>(x, places, s); }}
                                 : way{"written to places in shared memory", [=] { permute_plainly<<<tiles, 256, 0, stream>>>(x, places, s); }};
    row(name, n, 12, 0,
        [=] {
            const ww_input in = ww_memory_of(x, n, u32), by = ww_memory_of(places, n, u32);
            const ww_array out = ww_array_of(r, n, u32);
            must(partitions ? ww_tiles_partition(device, 4096, 32, in, by, out) : ww_tiles_permute(device, 4096, in, by, out));
        },
        {plain}, {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    for (uint32_t *p : {places, x, r, s}) CHECK(cudaFree(p));
}

static void transpose_row(size_t n) {
    const ww_type *u32 = &ww_type_uint32_t;
    const char *name = "tiles of 64 x 64 u32 transposed";
    if (!row_wanted(name, n)) return;
    uint32_t *x = random_array<uint32_t>(n, 86), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n);
    row(name, n, 8, -0.98,
        [=] { must(ww_tiles_transpose(device, 64, 64, ww_memory_of(x, n, u32), ww_array_of(r, n, u32))); },
        {{"a tile of 64 x 65", [=] { transpose_padded<<<unsigned(n / 4096), 256, 0, stream>>>(x, s); }}},
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    for (uint32_t *p : {x, r, s}) CHECK(cudaFree(p));
}

void tile_rows(size_t n) {
    sort_tile_rows<uint32_t, 12>(n, &ww_type_uint32_t);
    sort_tile_rows<uint32_t, 10>(n, &ww_type_uint32_t);
    sort_tile_rows<uint32_t, 13>(n, &ww_type_uint32_t);
    sort_tile_rows<uint64_t, 12>(n / 2, &ww_type_uint64_t);
    pairs_row(n / 2);
    move_row("tiles of 4096 u32 permuted, random", n, SHUFFLED, false);
    move_row("tiles of 4096 u32 permuted, one bank", n, ONE_BANK, false);
    move_row("tiles of 4096 u32 partitioned by 32, random", n, SHUFFLED, true);
    transpose_row(n);
}
