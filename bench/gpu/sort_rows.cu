/* Rows of sorting: by digits, the first k and the n-th, by comparison, by segments, of records, and of what lies in the host's
 * memory. */
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/transform_iterator.h>

#include "records.cuh"
#include "rows.h"
#include "sorted_keys.cuh"

/* ---- by digits ---- */

static __global__ void keep_few(uint32_t *x, size_t n, uint32_t distinct) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = (x[i] % distinct) * 2654435761u;
}

static __global__ void turn_round(uint32_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n / 2; i += size_t(gridDim.x) * blockDim.x) {
        const uint32_t y = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = y;
    }
}
/* The highest digit twice: what is sorted by two digits of them is sorted by one. */
static __global__ void take_digits(uint64_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = (x[i] & ~(255ull << 48)) | (x[i] >> 56) << 48;
}
static __global__ void count_keys_up(uint64_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) x[i] = i * 3;
}

/* Words numbered by how often they occur, as Zipf's law has them: about n / (14 k) of the k-th of 2^20; their numbers mixed. */
static __global__ void draw_words(uint64_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = uint64_t(exp(double(x[i] >> 11) * 0x1p-53 * 13.862943611198906)) * 0x9E3779B97F4A7C15ull;
}
/* Doubles of a normal distribution, as bits. */
static __global__ void draw_normal(uint64_t *x, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = uint64_t(__double_as_longlong(normcdfinv((double(x[i] >> 11) + 0.5) * 0x1p-53)));
}

template <class T> static std::vector<way> cub_sorts(const std::string &name, const T *x, T *s, size_t n) {
    return cub_ways(name, n, [=](void *t, size_t &b, auto count) {
        return cub::DeviceRadixSort::SortKeys(t, b, x, s, count, 0, int(8 * sizeof(T)), stream);
    });
}

/* CUB looks at no key before it sorts: few kinds, in order and reversed are as many passes as random keys. Its merge sort is
 * the faster one of the widest keys only (of u32 it reaches 0.4 of the other). */
template <class T> void sort_keys_row(const char *name, const T *x, size_t n, const ww_type *type, double required) {
    T *r = gpu_array<T>(n), *s = gpu_array<T>(n);
    std::vector<way> ways = cub_sorts("DeviceRadixSort::SortKeys", x, s, n);
    if constexpr (sizeof(T) == 16)
        ways.push_back({"DeviceMergeSort::SortKeysCopy", cub_call([=](void *t, size_t &b) {
                            return cub::DeviceMergeSort::SortKeysCopy(t, b, x, s, int(n), below(), stream);
                        })});
    row(name, n, 2 * sizeof(T), required,
        [=] { must(ww_sort(device, ww_memory_of(x, n, type), ww_no_input, ww_array_of(r, n, type), ww_none, nullptr)); }, ways,
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    CHECK(cudaFree(r));
    CHECK(cudaFree(s));
}

template <class T> void sort_pairs_row(const char *name, const T *x, size_t n, const ww_type *type, double required) {
    T *v = random_array<T>(n, 22), *r = gpu_array<T>(n), *s = gpu_array<T>(n), *rv = gpu_array<T>(n), *sv = gpu_array<T>(n);
    row(name, n, 4 * sizeof(T), required,
        [=] {
            must(ww_sort(device, ww_memory_of(x, n, type), ww_memory_of(v, n, type), ww_array_of(r, n, type),
                         ww_array_of(rv, n, type), nullptr));
        },
        cub_ways("DeviceRadixSort::SortPairs", n,
                 [=](void *t, size_t &b, auto count) {
                     return cub::DeviceRadixSort::SortPairs(t, b, x, s, v, sv, count, 0, int(8 * sizeof(T)), stream);
                 }),
        {{whole(r, n), whole(rv, n)}, {whole(s, n), whole(sv, n)}, [=] { return equal(r, s, n) && equal(rv, sv, n); }});
    for (T *p : {v, r, s, rv, sv}) CHECK(cudaFree(p));
}
template <class T> void sort_random_pairs_row(const char *name, size_t n, const ww_type *type, double required) {
    T *x = random_array<T>(n, 21);
    sort_pairs_row(name, x, n, type, required);
    CHECK(cudaFree(x));
}

/* Key i: the 8 bytes from byte i on of a text that is repeated, the first one highest: the first step of a suffix array. */
static __global__ void take_suffixes(uint64_t *x, size_t n, const uint8_t *text, size_t length) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        uint64_t key = 0;
        for (size_t k = 0; k < 8; k++) key = key << 8 | text[(i + k) % length];
        x[i] = key;
    }
}

/* As many suffixes as the file has, and n. */
static void suffix_rows(size_t n) {
    FILE *file = text_file ? fopen(text_file, "rb") : nullptr;
    if (text_file && !file) perror(text_file), exit(1);
    if (!file) return;
    std::vector<uint8_t> text(n);
    text.resize(fread(text.data(), 1, n, file));
    fclose(file);
    if (text.empty()) fprintf(stderr, "%s: nothing could be read\n", text_file), exit(1);
    uint8_t *copy = gpu_array<uint8_t>(text.size());
    CHECK(cudaMemcpy(copy, text.data(), text.size(), cudaMemcpyHostToDevice));
    uint64_t *x = gpu_array<uint64_t>(n);
    take_suffixes<<<1024, 256, 0, stream>>>(x, n, copy, text.size());
    for (size_t count : {text.size(), n}) {
        sort_keys_row("sort u64, suffixes of a text", x, count, &ww_type_uint64_t, -1.1);
        sort_pairs_row("sort u64 + u64, suffixes of a text", x, count, &ww_type_uint64_t, -1.1);
    }
    CHECK(cudaFree(x));
    CHECK(cudaFree(copy));
}

static void u64_shapes(size_t n) {
    uint64_t *y = random_array<uint64_t>(n, 26);
    draw_words<<<1024, 256, 0, stream>>>(y, n);
    sort_keys_row("sort u64, words by Zipf's law", y, n, &ww_type_uint64_t, -1.1);
    fill_random<<<1024, 256, 0, stream>>>(y, n, 27);
    draw_normal<<<1024, 256, 0, stream>>>(y, n);
    sort_keys_row("sort u64, normal doubles' bits", y, n, &ww_type_uint64_t, -1.1);
    CHECK(cudaFree(y));
}

/* By a range of the keys' bits. CUB takes the same range. */
template <class T> static void bits_row(const char *type, const T *x, size_t n, const ww_type *is, uint32_t first, uint32_t count) {
    const std::string name = std::string("sort ") + type + " by bits " + std::to_string(first) + " to " + std::to_string(first + count);
    T *r = gpu_array<T>(n), *s = gpu_array<T>(n);
    ww_sort_options options = WW_SORT_OPTIONS;
    options.bit_first = first;
    options.bit_count = count;
    row(name.c_str(), n, 2 * sizeof(T), 0,
        [=] { must(ww_sort(device, ww_memory_of(x, n, is), ww_no_input, ww_array_of(r, n, is), ww_none, &options)); },
        cub_ways("DeviceRadixSort::SortKeys of these", n,
                 [=](void *t, size_t &b, auto many) {
                     return cub::DeviceRadixSort::SortKeys(t, b, x, s, many, int(first), int(first + count), stream);
                 }),
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    CHECK(cudaFree(r));
    CHECK(cudaFree(s));
}

static void bits_rows(size_t n) {
    ww_u128 *z = random_array<ww_u128>(n, 28);
    const uint64_t *y = reinterpret_cast<const uint64_t *>(z);
    for (uint32_t count : {16u, 32u, 48u}) bits_row("u64", y, n, &ww_type_uint64_t, 8, count);
    for (uint32_t count : {32u, 64u, 96u, 120u}) bits_row("u128", z, n, &ww_type_ww_u128, 8, count);
    CHECK(cudaFree(z));
}

static void radix_rows(size_t n) {
    uint32_t *x = random_array<uint32_t>(n, 20);
    sort_keys_row("sort u32", x, n, &ww_type_uint32_t, 42.5);
    sort_keys_row("sort u32", x, size_t(1) << 20, &ww_type_uint32_t, 15);
    keep_few<<<1024, 256, 0, stream>>>(x, n, 16);
    sort_keys_row("sort u32, 16 distinct", x, n, &ww_type_uint32_t, -1);
    CHECK(cudaFree(x));
    x = sorted_array(n, 20);
    sort_keys_row("sort u32, already sorted", x, n, &ww_type_uint32_t, -1);
    turn_round<<<1024, 256, 0, stream>>>(x, n);
    sort_keys_row("sort u32, reversed", x, n, &ww_type_uint32_t, -1);
    CHECK(cudaFree(x));
    uint64_t *y = random_array<uint64_t>(n, 23);
    sort_keys_row("sort u64", y, n, &ww_type_uint64_t, 18);
    take_digits<<<1024, 256, 0, stream>>>(y, n);
    sort_keys_row("sort u64, two correlated digits", y, n, &ww_type_uint64_t, 0);
    count_keys_up<<<1024, 256, 0, stream>>>(y, n);
    sort_keys_row("sort u64, already sorted", y, n, &ww_type_uint64_t, -1);
    CHECK(cudaFree(y));
    u64_shapes(n / 2);
    suffix_rows(n / 2);
    bits_rows(n / 4);
    ww_u128 *z = random_array<ww_u128>(n / 4, 24);
    sort_keys_row("sort u128", z, n / 4, &ww_type_ww_u128, 6);
    CHECK(cudaFree(z));
    sort_random_pairs_row<uint32_t>("sort u32 + u32", n, &ww_type_uint32_t, 29);
    sort_random_pairs_row<uint64_t>("sort u64 + u64", n, &ww_type_uint64_t, 8.6);
}

/* ---- the first k, the n-th, the order alone ---- */

/* CUB 3.0 has no selection. Its sort of all keys gives it, and so do four of its parts: keys are counted by their highest byte;
 * of the bytes from that of the first wanted key to that of the last one keys are picked out; they are counted on the host, and
 * sorted. */
struct byte_range {
    uint32_t first, last, before; /* keys before those of the first byte */
};
static __global__ void find_bytes(const uint32_t *counts, size_t first_wanted, size_t last_wanted, byte_range *range) {
    size_t before = 0;
    bool begun = false;
    for (uint32_t byte = 0; byte < 256; byte++) {
        const size_t end = before + counts[byte];
        if (!begun && first_wanted < end) {
            begun = true;
            range->first = byte;
            range->before = uint32_t(before);
        }
        if (last_wanted < end) {
            range->last = byte;
            return;
        }
        before = end;
    }
}
struct has_bytes {
    const byte_range *range;
    __device__ bool operator()(uint32_t x) const { return x >> 24 >= range->first && x >> 24 <= range->last; }
};
struct highest_byte {
    __host__ __device__ uint8_t operator()(uint32_t x) const { return uint8_t(x >> 24); }
};

struct cub_selection {
    size_t n;
    const uint32_t *x;
    uint32_t *picked, *sorted, *counts, *many;
    byte_range *range;
    std::function<void()> count, pick;
    cub_selection(const uint32_t *keys, size_t of)
        : n(of), x(keys), picked(gpu_array<uint32_t>(n)), sorted(gpu_array<uint32_t>(n)), counts(gpu_array<uint32_t>(256)),
          many(gpu_array<uint32_t>(1)), range(gpu_array<byte_range>(1)) {
        const uint32_t *from = x;
        uint32_t *to = picked, *histogram = counts, *total = many;
        const byte_range *in = range;
        const int items = int(n);
        count = cub_call([=](void *t, size_t &b) {
            const auto bytes = thrust::make_transform_iterator(from, highest_byte());
            return cub::DeviceHistogram::HistogramEven(t, b, bytes, histogram, 257, 0, 256, items, stream);
        });
        pick = cub_call([=](void *t, size_t &b) {
            return cub::DeviceSelect::If(t, b, from, to, total, items, has_bytes{in}, stream);
        });
        cub_sorts("", picked, sorted, n); /* takes its memory */
    }
    /* Wanted: the keys of places first … last in order. Says where the first of them is in `sorted`. */
    const uint32_t *run(size_t first, size_t last) const {
        byte_range bytes;
        uint32_t found;
        count();
        find_bytes<<<1, 1, 0, stream>>>(counts, first, last, range);
        pick();
        CHECK(cudaMemcpyAsync(&found, many, sizeof found, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaMemcpyAsync(&bytes, range, sizeof bytes, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
        size_t room = temporary_bytes;
        CHECK(cub::DeviceRadixSort::SortKeys(temporary, room, picked, sorted, int64_t(found), 0, 32, stream));
        return sorted + (first - bytes.before);
    }
    void free() const {
        for (void *p : {(void *)picked, (void *)sorted, (void *)counts, (void *)many, (void *)range}) CHECK(cudaFree(p));
    }
};

static void select_rows(size_t n) {
    const ww_type *u32 = &ww_type_uint32_t;
    uint32_t *x = random_array<uint32_t>(n, 25), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n),
             *positions = gpu_array<uint32_t>(n), *order = gpu_array<uint32_t>(n);
    const cub_selection selection(x, n);
    static const uint32_t *theirs; /* where the wanted ones begin */
    const auto ways = [&](size_t first, size_t last) {
        std::vector<way> all = cub_sorts("DeviceRadixSort::SortKeys of all", x, s, n);
        for (way &w : all) {
            const auto sort = w.call;
            w.call = [=] {
                sort();
                theirs = s + first;
            };
        }
        return joined_ways(all, {{"HistogramEven of bytes, DeviceSelect::If, DeviceRadixSort of what is left",
                                  [=, &selection] { theirs = selection.run(first, last); }}});
    };
    const std::vector<output> all_theirs = {whole(s, n), whole(selection.sorted, n)};
    const auto top_row = [&](const char *name, size_t k) {
        row(name, n, 4 + 4.0 * k / n, 0,
            [=] { must(ww_top_k(device, ww_memory_of(x, n, u32), ww_no_input, ww_array_of(r, k, u32), ww_none, nullptr)); },
            ways(0, k - 1), {{whole(r, k)}, all_theirs, [=] { return equal<uint32_t>(r, theirs, k); }});
    };
    top_row("top 1000 of u32", 1000);
    top_row("top n/16 of u32", n / 16);
    row("n-th of u32, the middle", n, 4, 0,
        [=] { must(ww_nth(device, n / 2, ww_memory_of(x, n, u32), ww_array_of(r, 1, u32), nullptr)); }, ways(n / 2, n / 2),
        {{whole(r, 1)}, all_theirs, [=] { return equal<uint32_t>(r, theirs, 1); }});
    selection.free();
    make_positions<<<1024, 256, 0, stream>>>(positions, n);
    row("sort index of u32", n, 8, 0, [=] { must(ww_sort_index(device, ww_memory_of(x, n, u32), ww_array_of(r, n, u32), nullptr)); },
        {{"DeviceRadixSort::SortPairs of positions made before", cub_call([=](void *t, size_t &b) {
              return cub::DeviceRadixSort::SortPairs(t, b, x, s, positions, order, int(n), 0, 32, stream);
          })}},
        {{whole(r, n)}, {whole(s, n), whole(order, n)}, [=] { return equal(r, order, n); }});
    for (uint32_t *p : {x, r, s, positions, order}) CHECK(cudaFree(p));
}

/* ---- by comparison ---- */

WW_LESS(less_u32, uint32_t, a, b, { return a < b; });

/* Keys whose merges go to and fro: neighbours in the result come from the two halves of every merge. */
static __global__ void reverse_bits(uint32_t *x, size_t n, int bits) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = __brev(uint32_t(i)) >> (32 - bits);
}
/* The same in runs of 32: each thread's part of a merge comes from one side, its neighbour's from the other. */
static __global__ void reverse_bits_of_runs(uint32_t *x, size_t n, int bits) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        x[i] = (__brev(uint32_t(i >> 5)) >> (32 - (bits - 5))) << 5 | uint32_t(i & 31);
}

static double merge_sort_row(const char *name, const uint32_t *x, size_t n, double required,
                             ww_sort_method method = WW_SORT_MERGE) {
    const ww_type *u32 = &ww_type_uint32_t;
    uint32_t *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n);
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = method;
    const double rate = row(name, n, 8, required,
        [=] {
            must(ww_sort_by(device, &less_u32_ww, ww_memory_of(x, n, u32), ww_no_input, ww_array_of(r, n, u32), ww_none, &options));
        },
        {{"DeviceMergeSort::SortKeysCopy", cub_call([=](void *t, size_t &b) {
              return cub::DeviceMergeSort::SortKeysCopy(t, b, x, s, int(n), below(), stream);
          })}},
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    for (uint32_t *p : {r, s}) CHECK(cudaFree(p));
    return rate;
}

static void merge_sort_rows(int bits) {
    const size_t n = size_t(1) << bits, few = n / 4;
    const ww_type *u32 = &ww_type_uint32_t;
    uint32_t *x = random_array<uint32_t>(n, 61), *v = random_array<uint32_t>(few, 62), *r = gpu_array<uint32_t>(few),
             *s = gpu_array<uint32_t>(few), *rv = gpu_array<uint32_t>(few), *sv = gpu_array<uint32_t>(few);
    const double random = merge_sort_row("merge sort u32", x, n, bits == 25 ? 22 : 20);
    merge_sort_row("merge sort u32 by merge-plain", x, n, 0, WW_SORT_MERGE_PLAIN);
    row("merge sort u32 + u32", few, 16, 10.5,
        [=] {
            must(ww_sort_by(device, &less_u32_ww, ww_memory_of(x, few, u32), ww_memory_of(v, few, u32), ww_array_of(r, few, u32),
                            ww_array_of(rv, few, u32), nullptr));
        },
        {{"DeviceMergeSort::SortPairsCopy", cub_call([=](void *t, size_t &b) {
              return cub::DeviceMergeSort::SortPairsCopy(t, b, x, v, s, sv, int(few), below(), stream);
          })}},
        {{whole(r, few), whole(rv, few)}, {whole(s, few), whole(sv, few)},
         [=] { return equal(r, s, few) && equal(rv, sv, few); }});
    reverse_bits<<<1024, 256, 0, stream>>>(x, n, bits);
    merge_sort_row("merge sort u32, bits reversed", x, n, 0.99 * random);
    reverse_bits_of_runs<<<1024, 256, 0, stream>>>(x, n, bits);
    merge_sort_row("merge sort u32, bits of runs reversed", x, n, 0.99 * random);
    merge_sort_row("merge sort u32 by merge-plain, bits of runs reversed", x, n, 0, WW_SORT_MERGE_PLAIN);
    make_positions<<<1024, 256, 0, stream>>>(x, n);
    merge_sort_row("merge sort u32, already sorted", x, n, 0.9 * random);
    turn_round<<<1024, 256, 0, stream>>>(x, n);
    merge_sort_row("merge sort u32, reversed", x, n, 0.9 * random);
    for (uint32_t *p : {x, v, r, s, rv, sv}) CHECK(cudaFree(p));
}

/* ---- segments ---- */

/* Of each key the number of its segment, and both as one number. */
static __global__ void number_segments(const uint32_t *offsets, uint32_t segments, uint32_t *numbers, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        uint32_t first = 0, end = segments; /* offsets[first] <= i < offsets[end] */
        while (end - first > 1) {
            const uint32_t middle = first + (end - first) / 2;
            if (offsets[middle] <= i) first = middle;
            else end = middle;
        }
        numbers[i] = first;
    }
}
static __global__ void join_keys(const uint32_t *numbers, const uint32_t *x, uint64_t *joined, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        joined[i] = uint64_t(numbers[i]) << 32 | x[i];
}
static __global__ void part_keys(const uint64_t *joined, uint32_t *keys, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        keys[i] = uint32_t(joined[i]);
}

struct segment_arrays {
    size_t n, segments;
    uint32_t *offsets, *x, *v, *r, *s, *rv, *sv, *numbers;
    uint64_t *joined, *joined_sorted;
};

/* CUB's sort of segments by their lengths, its radix sort a block a segment, and a sort of all keys with the numbers of their
 * segments, made before the clock runs, above them. */
static std::vector<way> cub_segment_sorts(const segment_arrays &a, bool pairs) {
    const int n = int(a.n), segments = int(a.segments);
    int bits = 32;
    while (a.segments - 1 >> (bits - 32)) bits++;
    const uint32_t *end = a.offsets + 1;
    const auto sort = pairs ? cub_call([=](void *t, size_t &b) {
        return cub::DeviceRadixSort::SortPairs(t, b, a.joined, a.joined_sorted, a.v, a.sv, n, 0, bits, stream);
    })
                            : cub_call([=](void *t, size_t &b) {
        return cub::DeviceRadixSort::SortKeys(t, b, a.joined, a.joined_sorted, n, 0, bits, stream);
    });
    const way joined = {"DeviceRadixSort with the segments' numbers", [=] {
                            join_keys<<<4096, 256, 0, stream>>>(a.numbers, a.x, a.joined, a.n);
                            sort();
                            part_keys<<<4096, 256, 0, stream>>>(a.joined_sorted, a.s, a.n);
                        }};
    if (pairs)
        return {{"DeviceSegmentedSort::StableSortPairs", cub_call([=](void *t, size_t &b) {
                     return cub::DeviceSegmentedSort::StableSortPairs(t, b, a.x, a.s, a.v, a.sv, n, segments, a.offsets, end, stream);
                 })},
                {"DeviceSegmentedRadixSort::SortPairs", cub_call([=](void *t, size_t &b) {
                     return cub::DeviceSegmentedRadixSort::SortPairs(t, b, a.x, a.s, a.v, a.sv, n, segments, a.offsets, end, 0, 32,
                                                                     stream);
                 })},
                joined};
    return {{"DeviceSegmentedSort::SortKeys", cub_call([=](void *t, size_t &b) {
                 return cub::DeviceSegmentedSort::SortKeys(t, b, a.x, a.s, n, segments, a.offsets, end, stream);
             })},
            {"DeviceSegmentedRadixSort::SortKeys", cub_call([=](void *t, size_t &b) {
                 return cub::DeviceSegmentedRadixSort::SortKeys(t, b, a.x, a.s, n, segments, a.offsets, end, 0, 32, stream);
             })},
            joined};
}

static void segments_row(const char *name, const std::vector<uint32_t> &begins, double required, bool pairs) {
    segment_arrays a = {begins.back(), begins.size() - 1};
    const size_t n = a.n, segments = a.segments;
    const ww_type *u32 = &ww_type_uint32_t;
    if (!row_wanted(name, n)) return;
    a.offsets = gpu_array<uint32_t>(segments + 1);
    a.x = random_array<uint32_t>(n, 71);
    a.v = random_array<uint32_t>(n, 72);
    for (uint32_t **p : {&a.r, &a.s, &a.rv, &a.sv, &a.numbers}) *p = gpu_array<uint32_t>(n);
    for (uint64_t **p : {&a.joined, &a.joined_sorted}) *p = gpu_array<uint64_t>(n);
    CHECK(cudaMemcpyAsync(a.offsets, begins.data(), 4 * (segments + 1), cudaMemcpyHostToDevice, stream));
    number_segments<<<4096, 256, 0, stream>>>(a.offsets, uint32_t(segments), a.numbers, n);
    std::vector<output> ours = {whole(a.r, n)}, theirs = {whole(a.s, n)};
    if (pairs) ours.push_back(whole(a.rv, n)), theirs.push_back(whole(a.sv, n));
    row(name, n, pairs ? 16 : 8, required,
        [=] {
            must(ww_sort_segments(device, ww_memory_of(a.x, n, u32), pairs ? ww_memory_of(a.v, n, u32) : ww_no_input,
                                  ww_memory_of(a.offsets, segments + 1, u32), ww_array_of(a.r, n, u32),
                                  pairs ? ww_array_of(a.rv, n, u32) : ww_none, nullptr));
        },
        cub_segment_sorts(a, pairs),
        {ours, theirs, [=] { return equal(a.r, a.s, n) && (!pairs || equal(a.rv, a.sv, n)); }});
    for (uint32_t *p : {a.offsets, a.x, a.v, a.r, a.s, a.rv, a.sv, a.numbers}) CHECK(cudaFree(p));
    for (uint64_t *p : {a.joined, a.joined_sorted}) CHECK(cudaFree(p));
}

static std::vector<uint32_t> equal_segments(uint32_t segments, uint32_t length) {
    std::vector<uint32_t> begins(segments + 1);
    for (uint32_t i = 0; i <= segments; i++) begins[i] = i * length;
    return begins;
}

/* Lengths 8 / u^0.8 up to 100,000, u uniform: 37 on average. */
static std::vector<uint32_t> power_law(uint32_t segments) {
    std::vector<uint32_t> begins(1, 0);
    uint64_t state = 73;
    for (uint32_t i = 0; i < segments; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        const double u = double((state >> 33) + 1) / double(1u << 31), length = 8 / pow(u, 0.8);
        begins.push_back(begins.back() + uint32_t(length < 100000 ? length : 100000));
    }
    return begins;
}

static void segments_rows() {
    segments_row("sort of 2^20 segments of 32 u32", equal_segments(1 << 20, 32), 65, false);
    segments_row("sort of 2^15 segments of 1024 u32", equal_segments(1 << 15, 1024), 30, false);
    segments_row("sort of 2^20 segments of power-law lengths, u32", power_law(1 << 20), 30, false);
    segments_row("sort of 2^20 segments of 32 u32 + u32", equal_segments(1 << 20, 32), 0, true);
    segments_row("sort of 2^15 segments of 1024 u32 + u32", equal_segments(1 << 15, 1024), 0, true);
    segments_row("sort of 2^20 segments of power-law lengths, u32 + u32", power_law(1 << 20), 0, true);
}

/* ---- records ---- */

typedef words16<128> record_128;

static __global__ void read_record_keys(const record_128 *x, uint32_t *keys, uint32_t *positions, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        keys[i] = __byte_perm(x[i].word[0].x, 0, 0x0123);
        positions[i] = uint32_t(i);
    }
}

/* Beside it: keys read, CUB's sort of keys and positions, and a gather by eight threads a record. */
static void records_row(size_t n) {
    const char *name = "sort of records of 128 bytes by 4";
    if (!row_wanted(name, n)) return;
    record_128 *x = random_array<record_128>(n, 81), *r = gpu_array<record_128>(n), *s = gpu_array<record_128>(n);
    uint32_t *k = gpu_array<uint32_t>(n), *p = gpu_array<uint32_t>(n), *ks = gpu_array<uint32_t>(n), *ps = gpu_array<uint32_t>(n);
    const auto sort = cub_call(
        [=](void *t, size_t &b) { return cub::DeviceRadixSort::SortPairs(t, b, k, ks, p, ps, int(n), 0, 32, stream); });
    row(name, n, 256, n / 3e-3 * 1e-9,
        [=] { must(ww_sort_records(device, 0, 4, ww_record_memory(x, n, 128), ww_records(r, n, 128), nullptr)); },
        {{"keys read, DeviceRadixSort of them with positions, a gather by a kernel",
          [=] {
              read_record_keys<<<1024, 256, 0, stream>>>(x, k, p, n);
              sort();
              gather_plainly(x, ps, s, n);
          }}},
        {{whole(r, n)}, {whole(s, n)}, [=] { return equal(r, s, n); }});
    for (void *m : {(void *)x, (void *)r, (void *)s, (void *)k, (void *)p, (void *)ks, (void *)ps}) CHECK(cudaFree(m));
}

/* ---- what lies in the host's memory ---- */

static uint32_t *pinned_array(size_t n) {
    void *p;
    must(ww_alloc_host(device, n * sizeof(uint32_t), &p));
    return static_cast<uint32_t *>(p);
}

/* Copies to the GPU and from it at once, on two streams between what `stream` did before and what it does next. */
struct bus {
    cudaStream_t in, out;
    cudaEvent_t ready, came, went;
    bus() {
        for (cudaStream_t *s : {&in, &out}) CHECK(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
        for (cudaEvent_t *e : {&ready, &came, &went}) CHECK(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
    }
    ~bus() {
        for (cudaStream_t s : {in, out}) CHECK(cudaStreamDestroy(s));
        for (cudaEvent_t e : {ready, came, went}) CHECK(cudaEventDestroy(e));
    }
    void copy(uint32_t *to_gpu, const uint32_t *host, uint32_t *to_host, const uint32_t *gpu, size_t n) const {
        CHECK(cudaEventRecord(ready, stream));
        for (cudaStream_t s : {in, out}) CHECK(cudaStreamWaitEvent(s, ready, 0));
        CHECK(cudaMemcpyAsync(to_gpu, host, n * sizeof *host, cudaMemcpyHostToDevice, in));
        CHECK(cudaMemcpyAsync(to_host, gpu, n * sizeof *gpu, cudaMemcpyDeviceToHost, out));
        CHECK(cudaEventRecord(came, in));
        CHECK(cudaEventRecord(went, out));
        for (cudaEvent_t e : {came, went}) CHECK(cudaStreamWaitEvent(stream, e, 0));
    }
};

/* In eight chunks, so that each element goes over the bus twice in and twice out: beside the bus doing no more than that, both
 * ways at once. The ratio is the part of what the bus allows that the sort reached. Verified against CUB's sort of all. */
static void large_row(size_t n) {
    enum { CHUNKS = 8, CHUNK_BYTES = 18 }; /* an element's: four copies of it, and two bytes that ww_sort takes */
    const char *name = "sort_large u32, 8 chunks";
    if (!row_wanted(name, n)) return;
    const ww_type *u32 = &ww_type_uint32_t;
    uint32_t *x = random_array<uint32_t>(n, 91), *r = gpu_array<uint32_t>(n), *s = gpu_array<uint32_t>(n);
    uint32_t *from = pinned_array(n), *to = pinned_array(n), *other = pinned_array(n);
    const bus both;
    CHECK(cudaMemcpyAsync(from, x, n * sizeof *x, cudaMemcpyDeviceToHost, stream));
    cub_sorts("", x, s, n)[0].call();
    CHECK(cudaStreamSynchronize(stream));
    must(ww_scratch_trim(device));
    must(ww_scratch_limit(device, n / CHUNKS * CHUNK_BYTES + (2 << 20)));
    row(name, n, 8, 0,
        [=] { must(ww_sort_large(device, ww_memory_of(from, n, u32), ww_no_input, ww_array_of(to, n, u32), ww_none, nullptr)); },
        {{"the bus, twice both ways at once",
          [=, &both] {
              for (int trip = 0; trip < 2; trip++) both.copy(r, from, other, x, n);
          }}},
        {{{to, n * sizeof *to, true}}, {}, [=] {
             CHECK(cudaMemcpyAsync(r, to, n * sizeof *to, cudaMemcpyHostToDevice, stream));
             return equal(r, s, n);
         }});
    must(ww_scratch_trim(device));
    must(ww_scratch_limit(device, 0));
    for (uint32_t *p : {from, to, other}) must(ww_free(device, p));
    for (uint32_t *p : {x, r, s}) CHECK(cudaFree(p));
}

void sort_sizes_rows(size_t n) {
    uint64_t *x = random_array<uint64_t>(n, 20);
    const uint32_t *narrow = reinterpret_cast<const uint32_t *>(x);
    sort_keys_row("sort u32", narrow, n, &ww_type_uint32_t, 0);
    sort_keys_row("sort u64", x, n, &ww_type_uint64_t, 0);
    sort_random_pairs_row<uint32_t>("sort u32 + u32", n, &ww_type_uint32_t, 0);
    sort_random_pairs_row<uint64_t>("sort u64 + u64", n, &ww_type_uint64_t, 0);
    merge_sort_row("merge sort u32", narrow, n, 0);
    CHECK(cudaFree(x));
    select_rows(n);
}

void sort_rows(size_t n) {
    radix_rows(n);
    select_rows(n);
    merge_sort_rows(25);
    merge_sort_rows(27);
    segments_rows();
    records_row(size_t(1) << 24);
    large_row(n);
}
