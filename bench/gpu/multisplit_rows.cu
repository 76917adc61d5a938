/* Rows of multisplit and of splits of records. CUB has no multisplit: beside it stands what does the same with CUB, a stable
 * sort on the bits that are the bucket's number, or, where the bucket is no part of the key, labels that are written and sorted
 * with the keys; where there are values, either labels are sorted twice, with the keys and with the values, or with pairs of both,
 * packed and unpacked again. All of it is in the time. */
#include "partition.cuh"
#include "records.cuh"
#include "rows.h"

/* A key's bucket: what a function of the library gives, or how many edges are not above it. */
struct split_way {
    const ww_function *of;
    const void *environment;
    const uint32_t *edges;
    uint32_t buckets;
};
static split_way by(const ww_function &of, const void *environment, uint32_t buckets) {
    return {&of, environment, nullptr, buckets};
}

/* In the GPU's memory; values are NULL where there are none. */
struct split_arrays {
    size_t n;
    uint32_t *keys, *values, *keys_out, *values_out, *keys_wanted, *values_wanted;
};

static split_arrays split_arrays_of(size_t n, bool pairs) {
    split_arrays a = {n, random_array<uint32_t>(n, 51), nullptr, gpu_array<uint32_t>(n), nullptr, gpu_array<uint32_t>(n), nullptr};
    if (!pairs) return a;
    a.values = random_array<uint32_t>(n, 52);
    a.values_out = gpu_array<uint32_t>(n);
    a.values_wanted = gpu_array<uint32_t>(n);
    return a;
}

static void split_arrays_free(const split_arrays &a) {
    CHECK(cudaStreamSynchronize(stream));
    for (uint32_t *p : {a.keys, a.values, a.keys_out, a.values_out, a.keys_wanted, a.values_wanted}) CHECK(cudaFree(p));
}

static results split_results(const split_arrays &a) {
    results r = {{whole(a.keys_out, a.n)}, {whole(a.keys_wanted, a.n)}, [=] {
                     return equal(a.keys_out, a.keys_wanted, a.n) && (!a.values || equal(a.values_out, a.values_wanted, a.n));
                 }};
    if (a.values) r.ours.push_back(whole(a.values_out, a.n)), r.theirs.push_back(whole(a.values_wanted, a.n));
    return r;
}

static double split_bytes(const split_arrays &a) { return a.values ? 16 : 8; }

/* Such a split, to the arrays' outputs, or to where what is wanted stands. */
static std::function<void()> split_call(const split_way &w, const split_arrays &a, ww_multisplit_method method,
                                        uint32_t *offsets = nullptr, bool wanted = false) {
    return [=] {
        const ww_type *u32 = &ww_type_uint32_t;
        ww_multisplit_options options = WW_MULTISPLIT_OPTIONS;
        options.method = method;
        const ww_input keys = ww_memory_of(a.keys, a.n, u32), values = a.values ? ww_memory_of(a.values, a.n, u32) : ww_no_input;
        const ww_array keys_out = ww_array_of(wanted ? a.keys_wanted : a.keys_out, a.n, u32);
        const ww_array values_out = a.values ? ww_array_of(wanted ? a.values_wanted : a.values_out, a.n, u32) : ww_none;
        const ww_array at = offsets ? ww_array_of(offsets, w.buckets + 1, u32) : ww_none;
        if (w.edges) {
            must(ww_multisplit_edges(device, keys, values, ww_memory_of(w.edges, w.buckets - 1, u32), keys_out, values_out, at,
                                     &options));
            return;
        }
        const ww_function with = ww_bound(w.of, w.environment, 1, w.of == &ww_by_bits ? &ww_bits_ww : &ww_delta_ww);
        must(ww_multisplit(device, w.environment ? &with : w.of, w.buckets, keys, values, keys_out, values_out, at, &options));
    };
}

/* ---- beside it ---- */

/* By bits first … end - 1 of the keys. */
static std::vector<way> cub_split(const split_arrays &a, int first, int end) {
    static uint32_t *first_side = gpu_array<uint32_t>(1);
    if (a.values)
        return cub_ways("DeviceRadixSort::SortPairs by the bucket's bits", a.n, [=](void *t, size_t &b, auto n) {
            return cub::DeviceRadixSort::SortPairs(t, b, a.keys, a.keys_wanted, a.values, a.values_wanted, n, first, end, stream);
        });
    if (end - first == 1) return cub_stable_partition(a.keys, a.keys_wanted, first_side, a.n, first);
    return cub_ways("DeviceRadixSort::SortKeys by the bucket's bits", a.n, [=](void *t, size_t &b, auto n) {
        return cub::DeviceRadixSort::SortKeys(t, b, a.keys, a.keys_wanted, n, first, end, stream);
    });
}

struct label_by_width {
    uint32_t width;
    __device__ uint32_t operator()(uint32_t x) const { return x / width; }
};
struct label_by_edges {
    const uint32_t *edges;
    uint32_t many;
    __device__ uint32_t operator()(uint32_t x) const {
        uint32_t first = 0;
        for (uint32_t left = many, half; left; left -= half) {
            half = (left + 1) / 2;
            if (edges[first + half - 1] <= x) first += half;
        }
        return first;
    }
};
struct label_by_hash {
    __device__ uint32_t operator()(uint32_t x) const { return x * 2654435761u >> 28; }
};

/* Labels, and, where there are values, pairs. */
template <class F>
static __global__ void write_labels(const uint32_t *keys, const uint32_t *values, uint8_t *labels, uint64_t *pairs, size_t n, F bucket_of) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        const uint32_t key = keys[i];
        labels[i] = uint8_t(bucket_of(key));
        if (pairs) pairs[i] = uint64_t(values[i]) << 32 | key;
    }
}
static __global__ void unpack_pairs(const uint64_t *pairs, uint32_t *keys, uint32_t *values, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        keys[i] = uint32_t(pairs[i]);
        values[i] = uint32_t(pairs[i] >> 32);
    }
}

/* Its memory is freed by freeing `room`. */
template <class F>
static std::vector<way> cub_label_and_sort(const split_arrays &a, F bucket_of, int bits, std::vector<void *> &room) {
    uint8_t *labels = gpu_array<uint8_t>(a.n), *labels_out = gpu_array<uint8_t>(a.n);
    uint64_t *pairs = a.values ? gpu_array<uint64_t>(a.n) : nullptr, *pairs_out = a.values ? gpu_array<uint64_t>(a.n) : nullptr;
    room = {labels, labels_out, pairs, pairs_out};
    const int n = int(a.n);
    const auto sort_with = [=](const auto *from, auto *to) {
        return cub_call([=](void *t, size_t &b) {
            return cub::DeviceRadixSort::SortPairs(t, b, labels, labels_out, from, to, n, 0, bits, stream);
        });
    };
    const auto write = [=](uint64_t *packed) {
        write_labels<<<4096, 256, 0, stream>>>(a.keys, a.values, labels, packed, a.n, bucket_of);
    };
    const auto sort_keys = sort_with(static_cast<const uint32_t *>(a.keys), a.keys_wanted);
    if (!a.values)
        return {{"labels, DeviceRadixSort::SortPairs of them and keys", [=] {
                     write(nullptr);
                     sort_keys();
                 }}};
    const auto sort_values = sort_with(static_cast<const uint32_t *>(a.values), a.values_wanted);
    const auto sort_pairs = sort_with(static_cast<const uint64_t *>(pairs), pairs_out);
    return {{"labels, DeviceRadixSort::SortPairs of them and keys, and of them and values",
             [=] {
                 write(nullptr);
                 sort_keys();
                 sort_values();
             }},
            {"labels, DeviceRadixSort::SortPairs of them and pairs, packed and unpacked", [=] {
                 write(pairs);
                 sort_pairs();
                 unpack_pairs<<<4096, 256, 0, stream>>>(pairs_out, a.keys_wanted, a.values_wanted, a.n);
             }}};
}

/* ---- buckets of every kind ---- */

static bool split_wanted(const std::string &name, size_t n) { return row_wanted(name.c_str(), n); }
static const char *split_kind(bool pairs) { return pairs ? "multisplit pairs" : "multisplit keys"; }

static double highest_bits_row(const std::string &name, const split_arrays &a, int bits, double required) {
    const ww_bits highest = {uint32_t(32 - bits), uint32_t(bits)};
    return row(name.c_str(), a.n, split_bytes(a), required,
               split_call(by(ww_by_bits, &highest, 1u << bits), a, WW_MULTISPLIT_AUTO), cub_split(a, 32 - bits, 32),
               split_results(a));
}

static void identity_row(size_t n, bool pairs, int bits, double required) {
    const std::string name = std::string(split_kind(pairs)) + ", m = " + std::to_string(1 << bits);
    if (!split_wanted(name, n)) return;
    const split_arrays a = split_arrays_of(n, pairs);
    highest_bits_row(name, a, bits, required);
    split_arrays_free(a);
}

/* CUB does not say where buckets begin; what it costs to say so. */
static void offsets_row(size_t n) {
    const std::string name = "multisplit keys with offsets, m = 256";
    if (!split_wanted(name, n)) return;
    const split_arrays a = split_arrays_of(n, false);
    const ww_bits highest = {24, 8};
    uint32_t *offsets = gpu_array<uint32_t>(257);
    row(name.c_str(), n, 8, 0, split_call(by(ww_by_bits, &highest, 256), a, WW_MULTISPLIT_AUTO, offsets), cub_split(a, 24, 32),
        split_results(a));
    CHECK(cudaFree(offsets));
    split_arrays_free(a);
}

WW_MAP(bucket_by_hash, uint32_t, uint32_t, x, void, none, { return x * 2654435761u >> 28; });

template <class F>
static void labelled_row(const char *what, size_t n, bool pairs, const split_way &w, F label, double required) {
    const std::string name = std::string(split_kind(pairs)) + ", " + what + ", m = 16";
    if (!split_wanted(name, n)) return;
    const split_arrays a = split_arrays_of(n, pairs);
    std::vector<void *> room;
    row(name.c_str(), n, split_bytes(a), required, split_call(w, a, WW_MULTISPLIT_AUTO), cub_label_and_sort(a, label, 4, room),
        split_results(a));
    for (void *p : room) CHECK(cudaFree(p));
    split_arrays_free(a);
}

/* 16 buckets of much the same size. */
static void function_rows(size_t n) {
    const uint32_t width = (1u << 28) + 1;
    const ww_delta delta = {width};
    std::vector<uint32_t> host(15);
    for (uint32_t k = 0; k < 15; k++) host[k] = (k + 1) * (1u << 28) + 12345 * k;
    uint32_t *edges = gpu_array<uint32_t>(15);
    CHECK(cudaMemcpy(edges, host.data(), 15 * sizeof *edges, cudaMemcpyHostToDevice));
    for (int pairs = 0; pairs < 2; pairs++) {
        const double required = pairs ? 115 : 150;
        labelled_row("delta", n, pairs, by(ww_by_delta, &delta, 16), label_by_width{width}, required);
        labelled_row("edges", n, pairs, {nullptr, nullptr, edges, 16}, label_by_edges{edges, 15}, required);
        labelled_row("a user's function", n, pairs, by(bucket_by_hash_ww, nullptr, 16), label_by_hash(), required);
    }
    CHECK(cudaFree(edges));
}

/* ---- distributions ---- */

enum split_shape { SPLIT_UNIFORM, SPLIT_EQUAL, SPLIT_BINOMIAL, SPLIT_SKEWED };

__device__ uint32_t coins(uint64_t seed, uint32_t many) {
    uint32_t heads = 0;
    for (uint32_t k = 0; k < many; k += 64) {
        uint64_t z = seed + (k / 64 + 1) * 0x9E3779B97F4A7C15ull; /* splitmix64 */
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        z ^= z >> 31;
        heads += __popcll(many - k < 64 ? z & ((1ull << (many - k)) - 1) : z);
    }
    return heads;
}

/* The highest bits of random keys, the buckets' numbers, get a shape: binomial is B(2^bits - 1, 1/2), skewed a quarter
 * uniform and all others in one bucket (Ashkiani 2017, section 3.6.4). */
static __global__ void shape_keys(uint32_t *x, size_t n, uint32_t bits, split_shape shape) {
    const uint32_t low = (1u << (32 - bits)) - 1, most = (1u << bits) - 1;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        const uint32_t r = x[i];
        uint32_t bucket = r >> (32 - bits);
        if (shape == SPLIT_EQUAL) x[i] = 0x5A5A5A5A;
        if (shape == SPLIT_BINOMIAL) bucket = coins(i * 8191 + r, most);
        if (shape == SPLIT_SKEWED && r % 4) bucket = most / 3;
        if (shape != SPLIT_EQUAL) x[i] = bucket << (32 - bits) | (r & low);
    }
}

/* Required: no slower than 0.9 of uniform keys in the same run, which are measured with them. */
static void shape_rows(size_t n, bool pairs, int bits) {
    static const char *const names[] = {"uniform", "all equal", "binomial", "skewed"};
    double uniform = 0;
    for (int s = 0; s < 4; s++) {
        const std::string name = std::string(split_kind(pairs)) + ", " + names[s] + ", m = " + std::to_string(1 << bits);
        if (!split_wanted(name, n)) continue;
        const split_arrays a = split_arrays_of(n, pairs);
        shape_keys<<<4096, 256, 0, stream>>>(a.keys, n, bits, split_shape(s));
        CHECK(cudaGetLastError());
        const double rate = highest_bits_row(name, a, bits, 0.9 * uniform);
        if (s == SPLIT_UNIFORM) uniform = rate;
        split_arrays_free(a);
    }
}

/* ---- many buckets ---- */

static __global__ void keep_below(uint32_t *x, size_t n, uint32_t end) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = uint32_t(uint64_t(x[i]) * end >> 32);
}

static void many_buckets_row(size_t n, bool pairs, uint32_t buckets) {
    const std::string name = std::string(split_kind(pairs)) + ", m = " + std::to_string(buckets);
    int bits = 0;
    while (buckets - 1 >> bits) bits++;
    if (!split_wanted(name, n)) return;
    const split_arrays a = split_arrays_of(n, pairs);
    keep_below<<<4096, 256, 0, stream>>>(a.keys, n, buckets);
    row(name.c_str(), n, split_bytes(a), -1, split_call(by(ww_by_number, nullptr, buckets), a, WW_MULTISPLIT_AUTO),
        cub_split(a, 0, bits), split_results(a));
    split_arrays_free(a);
}

/* ---- records ---- */

template <class T> __global__ void read_label(const T *x, uint8_t *labels, uint32_t *positions, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        labels[i] = uint8_t(x[i].word[0].x >> 8);
        positions[i] = uint32_t(i);
    }
}

/* By the second byte. Required: 0.7 of what a scatter of the same records to random places reached on 2026-11-21. */
template <size_t size> static void record_rows(uint32_t bits, double required) {
    typedef words16<size> T;
    const size_t n = size_t(1) << bits;
    const std::string name = "split8 of " + std::to_string(size) + " bytes";
    if (!split_wanted(name, n)) return;
    T *x = random_array<T>(n, 53), *r = gpu_array<T>(n), *s = gpu_array<T>(n);
    uint8_t *labels = gpu_array<uint8_t>(n), *labels_out = gpu_array<uint8_t>(n);
    uint32_t *positions = gpu_array<uint32_t>(n), *order = gpu_array<uint32_t>(n);
    const auto sort = cub_call([=](void *t, size_t &b) {
        return cub::DeviceRadixSort::SortPairs(t, b, labels, labels_out, positions, order, int(n), 0, 8, stream);
    });
    row(name.c_str(), n, 2 * size, required,
        [=] { must(ww_split8(device, 8, ww_record_memory(x, n, size), ww_records(r, n, size), ww_none)); },
        {{"labels read, DeviceRadixSort of them with positions, a gather by a kernel",
          [=] {
              read_label<<<4096, 256, 0, stream>>>(x, labels, positions, n);
              sort();
              gather_plainly(x, order, s, n);
          }}},
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    for (void *p : {(void *)x, (void *)r, (void *)s, (void *)labels, (void *)labels_out, (void *)positions, (void *)order})
        CHECK(cudaFree(p));
}

/* ---- methods by name ---- */

static const char *const split_methods[] = {"auto", "direct", "warp", "block", "reduced-bit", "recursive", "onepass"};

static std::string method_name(const char *method, bool pairs, uint32_t buckets) {
    return std::string("multisplit ") + method + (pairs ? " pairs" : "") + ", m = " + std::to_string(buckets);
}

static void method_rows(size_t n, bool pairs, int bits) {
    for (int m = WW_MULTISPLIT_DIRECT; m <= WW_MULTISPLIT_ONEPASS; m++) {
        const std::string name = method_name(split_methods[m], pairs, 1u << bits);
        if (!split_wanted(name, n)) continue;
        const split_arrays a = split_arrays_of(n, pairs);
        const ww_bits highest = {uint32_t(32 - bits), uint32_t(bits)};
        row(name.c_str(), n, split_bytes(a), 0, split_call(by(ww_by_bits, &highest, 1u << bits), a, ww_multisplit_method(m)),
            cub_split(a, 32 - bits, 32), split_results(a));
        split_arrays_free(a);
    }
}

/* Auto beside the named method that is the fastest here, by numbers as keys; it has to come within a tenth. Both outputs are
 * compared: there is one stable order. */
static void auto_row(size_t n, uint32_t buckets) {
    const std::string name = method_name("auto beside the best", false, buckets);
    if (!split_wanted(name, n)) return;
    const split_arrays a = split_arrays_of(n, false);
    const split_way w = by(ww_by_number, nullptr, buckets);
    int best = WW_MULTISPLIT_DIRECT;
    double least = 0;
    keep_below<<<4096, 256, 0, stream>>>(a.keys, n, buckets);
    unsupported = false;
    for (int m = WW_MULTISPLIT_DIRECT; m <= WW_MULTISPLIT_ONEPASS; m++) {
        const double seconds = median_seconds(split_call(w, a, ww_multisplit_method(m), nullptr, true));
        if (!report_only_warms()) printf("    %9.1f by %s\n", n / seconds * 1e-9, split_methods[m]);
        if (!least || seconds < least) best = m, least = seconds;
    }
    row(name.c_str(), n, 8, -0.9, split_call(w, a, WW_MULTISPLIT_AUTO),
        {{split_methods[best], split_call(w, a, ww_multisplit_method(best), nullptr, true)}}, split_results(a));
    split_arrays_free(a);
}

void multisplit_sizes_rows(size_t n) {
    for (int bits : {1, 4, 8}) identity_row(n, false, bits, 0);
    for (int bits : {4, 8}) identity_row(n, true, bits, 0);
}

void multisplit_rows() {
    const size_t n = size_t(1) << 27;
    identity_row(n, false, 1, 200);
    identity_row(n, false, 4, 165);
    identity_row(n, false, 8, 155);
    identity_row(n, true, 4, 126);
    identity_row(n, true, 8, 112);
    offsets_row(n);
    function_rows(n);
    for (int pairs = 0; pairs < 2; pairs++)
        for (int bits : {4, 8}) shape_rows(n, pairs, bits);
    for (int pairs = 0; pairs < 2; pairs++)
        for (uint32_t buckets : {5000u, 1u << 20}) many_buckets_row(n, pairs, buckets);
    record_rows<32>(27, 7.6);
    record_rows<128>(25, 2.6);
    /* As many as in Ashkiani's (2017) tables 3.4 and 3.5. */
    for (int bits : {1, 3, 5, 8}) method_rows(size_t(1) << 25, false, bits);
    method_rows(size_t(1) << 25, true, 5);
    for (size_t many : {size_t(100000), size_t(3000000), size_t(90000000)})
        for (uint32_t buckets : {3u, 7u, 33u, 100u, 1000u, 65537u}) auto_row(many, buckets);
}
