/* Rows of finding patterns in 100 MB of text: letters, bases, random bytes. CUB has no search: beside stands a simple kernel of
 * ours: 16-byte loads, the first 4 or 8 bytes compared at every place, the warp compares the rest together, places
 * in no order through one counter. The first row, a kernel that only reads, is the floor. Places are held against what memmem
 * finds on the host. */
#include <unordered_map>

#include "harness.cuh"
#include "rows.h"

/* ---- the simple kernel ---- */

enum { TEXT_LANE = 16, TEXT_CHUNK = 32 * TEXT_LANE, TEXT_CHUNKS = 4 /* of a warp */, TEXT_PAD = 2 * TEXT_CHUNK * TEXT_CHUNKS };

/* Bit j: the pattern's first 4 or 8 bytes stand at byte j of the lane's 16. */
static __device__ uint32_t lane_candidates(uint4 own, uint2 next, uint2 pattern, bool eight) {
    const uint32_t w[6] = {own.x, own.y, own.z, own.w, next.x, next.y};
    uint32_t found = 0;
#pragma unroll
    for (int j = 0; j < TEXT_LANE; j++) {
        const uint32_t x = __funnelshift_r(w[j / 4], w[j / 4 + 1], 8 * (j % 4));
        const uint32_t y = __funnelshift_r(w[j / 4 + 1], w[j / 4 + 2 > 5 ? 5 : j / 4 + 2], 8 * (j % 4));
        found |= uint32_t(x == pattern.x && (!eight || y == pattern.y)) << j;
    }
    return found;
}

/* The rest of the pattern at each candidate of the warp, 32 bytes at a time; those that stay are returned. */
static __device__ uint32_t warp_verified(uint32_t candidates, const uint8_t *at, const uint8_t *pattern, uint32_t m) {
    const uint32_t lane = threadIdx.x % 32;
    uint32_t left = candidates;
    for (uint32_t lanes; (lanes = __ballot_sync(~0u, left != 0));) {
        const int from = __ffs(lanes) - 1;
        const int j = __shfl_sync(~0u, __ffs(left) - 1, from);
        const uint8_t *text = reinterpret_cast<const uint8_t *>(__shfl_sync(~0u, reinterpret_cast<unsigned long long>(at), from)) + j;
        bool same = true;
        for (uint32_t i = 8; i < m && same; i += 32) same = __all_sync(~0u, i + lane >= m || text[i + lane] == pattern[i + lane]);
        if (lane == uint32_t(from)) {
            left &= left - 1;
            if (!same) candidates &= ~(1u << j);
        }
    }
    return candidates;
}

/* One add to the counter for the warp. */
static __device__ void warp_write(uint32_t found, size_t at, uint32_t *out, uint32_t room, uint32_t *count) {
    const uint32_t lane = threadIdx.x % 32, own = __popc(found);
    uint32_t before = own;
    if (!__any_sync(~0u, found != 0)) return;
    for (int step = 1; step < 32; step *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, before, step);
        if (lane >= uint32_t(step)) before += other;
    }
    uint32_t base = 0;
    if (lane == 31) base = atomicAdd(count, before);
    base = __shfl_sync(~0u, base, 31) + before - own;
    for (; found; found &= found - 1, base++)
        if (base < room) out[base] = uint32_t(at) + __ffs(found) - 1;
}

/* The text has TEXT_PAD readable bytes behind it. */
static __global__ void simple_find(const uint8_t *text, size_t n, const uint8_t *pattern, uint32_t m, uint32_t *out, uint32_t room,
                            uint32_t *count) {
    const size_t warp = (blockIdx.x * size_t(blockDim.x) + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const size_t first = warp * TEXT_CHUNK * TEXT_CHUNKS + lane * TEXT_LANE;
    if (warp * TEXT_CHUNK * TEXT_CHUNKS >= n) return;
    const uint2 begin = *reinterpret_cast<const uint2 *>(pattern);
    uint4 own[TEXT_CHUNKS];
    uint2 next[TEXT_CHUNKS];
#pragma unroll
    for (int k = 0; k < TEXT_CHUNKS; k++) {
        const uint8_t *at = text + first + k * TEXT_CHUNK;
        own[k] = *reinterpret_cast<const uint4 *>(at);
        next[k].x = __shfl_down_sync(~0u, own[k].x, 1);
        next[k].y = __shfl_down_sync(~0u, own[k].y, 1);
        if (lane == 31) next[k] = *reinterpret_cast<const uint2 *>(at + TEXT_LANE);
    }
#pragma unroll
    for (int k = 0; k < TEXT_CHUNKS; k++) {
        const size_t at = first + k * TEXT_CHUNK;
        uint32_t found = lane_candidates(own[k], next[k], begin, m >= 8);
        if (found && at + TEXT_LANE - 1 + m > n)
            for (int j = 0; j < TEXT_LANE; j++)
                if (at + j + m > n) found &= ~(1u << j);
        if (m > 8) found = warp_verified(found, text + at, pattern, m);
        warp_write(found, at, out, room, count);
    }
}

/* ---- texts ---- */

/* Random bytes of the GPU, each the character that `table` has for it, on both sides. */
struct text_of {
    std::vector<uint8_t> host;
    uint8_t *there;
    size_t n;
    text_of(size_t count, const std::function<uint8_t(uint8_t)> &character, uint64_t seed) : host(count + TEXT_PAD), n(count) {
        const size_t words = (count + TEXT_PAD) / 8 * 8;
        there = random_array<uint8_t>(count + TEXT_PAD, seed);
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy(host.data(), there, words, cudaMemcpyDeviceToHost));
        uint8_t table[256];
        for (int i = 0; i < 256; i++) table[i] = character(uint8_t(i));
        for (size_t i = 0; i < count; i++) host[i] = table[host[i]];
        std::fill(host.begin() + count, host.end(), uint8_t(0));
        send();
    }
    void send() { CHECK(cudaMemcpy(there, host.data(), host.size(), cudaMemcpyHostToDevice)); }
    ww_input input() const { return ww_memory_of(there, n, &ww_type_uint8_t); }
    /* A part of it, which then stands at twenty more places. */
    std::vector<uint8_t> plant(size_t m) {
        const std::vector<uint8_t> pattern(host.begin() + n / 3, host.begin() + n / 3 + m);
        for (size_t k = 1; k <= 20; k++) std::copy(pattern.begin(), pattern.end(), host.begin() + k * (n / 22) + k * 7);
        send();
        return pattern;
    }
};

static std::vector<uint32_t> places_of(const text_of &text, const std::vector<uint8_t> &pattern) {
    std::vector<uint32_t> places;
    const uint8_t *begin = text.host.data(), *end = begin + text.n, *at = begin;
    while ((at = static_cast<const uint8_t *>(memmem(at, end - at, pattern.data(), pattern.size()))))
        places.push_back(uint32_t(at++ - begin));
    return places;
}

/* What calls write: places, a second number for each, how many. */
struct text_results {
    enum { ROOM = 1 << 21 };
    uint32_t *places = gpu_array<uint32_t>(ROOM), *second = gpu_array<uint32_t>(ROOM), *count = gpu_array<uint32_t>(1);
    ww_array out() const { return ww_array_of(places, ROOM, &ww_type_uint32_t); }
    ww_array more() const { return ww_array_of(second, ROOM, &ww_type_uint32_t); }
    std::vector<output> outputs() const { return {whole(places, ROOM), whole(second, ROOM), whole(count, 1)}; }
    ww_array number() const { return ww_array_of(count, 1, &ww_type_uint32_t); }
    std::vector<uint32_t> host(const uint32_t *from) const {
        uint32_t found = 0;
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy(&found, count, 4, cudaMemcpyDeviceToHost));
        std::vector<uint32_t> x(std::min<size_t>(found, ROOM));
        CHECK(cudaMemcpy(x.data(), from, x.size() * 4, cudaMemcpyDeviceToHost));
        return x;
    }
    void free() const {
        for (uint32_t *p : {places, second, count}) CHECK(cudaFree(p));
    }
};

/* ---- rows ---- */

static void read_row(const text_of &text) {
    static uint32_t *sink = gpu_array<uint32_t>(1);
    row("text: a kernel that only reads", text.n, 1, 0,
        [&] {
            read_all<<<1056, 512, 0, stream>>>(reinterpret_cast<const uint4 *>(text.there), text.n / 16, sink);
            CHECK(cudaGetLastError());
        },
        {}, {{}, {}, [] { return true; }});
}

static void find_row(const char *name, const text_of &text, const std::vector<uint8_t> &pattern, double required,
                     ww_find_method method, bool simple) {
    const text_results r, s;
    uint8_t *pattern_there = gpu_array<uint8_t>(pattern.size());
    ww_find_options options = WW_FIND_OPTIONS;
    options.method = method;
    CHECK(cudaMemcpy(pattern_there, pattern.data(), pattern.size(), cudaMemcpyHostToDevice));
    const uint32_t m = uint32_t(pattern.size());
    std::vector<way> theirs;
    if (simple)
        theirs = {{"a simple kernel", [&, m] {
            const size_t warps = (text.n + TEXT_CHUNK * TEXT_CHUNKS - 1) / (TEXT_CHUNK * TEXT_CHUNKS);
            CHECK(cudaMemsetAsync(s.count, 0, 4, stream));
            simple_find<<<unsigned((warps + 7) / 8), 256, 0, stream>>>(text.there, text.n, pattern_there, m, s.places,
                                                                      text_results::ROOM, s.count);
            CHECK(cudaGetLastError());
        }}};
    row(name, text.n, 1, required,
        [&, m] { must(ww_find(device, text.input(), pattern.data(), m, r.out(), r.number(), &options)); }, theirs,
        {r.outputs(), s.outputs(), [&] {
             const std::vector<uint32_t> right = places_of(text, pattern);
             std::vector<uint32_t> unordered = right;
             if (simple) unordered = s.host(s.places), std::sort(unordered.begin(), unordered.end());
             return r.host(r.places) == right && unordered == right;
         }});
    r.free();
    s.free();
    CHECK(cudaFree(pattern_there));
}

static void lengths_rows(const char *kind, text_of &text, double four, double eight, double many) {
    for (size_t m : {4, 8, 16, 64, 256, 1024}) {
        char name[64];
        snprintf(name, sizeof name, "text: %s, m = %zu", kind, m);
        if (!row_wanted(name, text.n)) continue;
        find_row(name, text, text.plant(m), m == 4 ? four : m <= 64 ? eight : many, WW_FIND_AUTO, true);
    }
}

static void method_rows(text_of &text, text_of &small) {
    static const struct {
        const char *name;
        ww_find_method method;
        size_t longest; /* 0: any */
    } methods[] = {{"twostage", WW_FIND_TWOSTAGE, 0},      {"divide", WW_FIND_DIVIDE, 0},
                   {"divide64", WW_FIND_DIVIDE64, 8},      {"divide32", WW_FIND_DIVIDE32, 4},
                   {"hybrid", WW_FIND_HYBRID, 0},          {"recurrence", WW_FIND_RECURRENCE, 0},
                   {"cooperative", WW_FIND_COOPERATIVE, 0}, {"serial", WW_FIND_SERIAL, 0}};
    for (const auto &method : methods)
        for (size_t m : {4, 8, 16, 256}) {
            char name[64];
            text_of &on = method.method == WW_FIND_SERIAL ? small : text; /* one thread */
            snprintf(name, sizeof name, "text: letters, m = %zu, %s", m, method.name);
            if ((method.longest && m > method.longest) || !row_wanted(name, on.n)) continue;
            find_row(name, on, on.plant(m), 0, method.method, false);
        }
}

/* Two bits a character, and the same text with a character a byte to check by. */
static void packed_rows(size_t n) {
    text_of text(n, [](uint8_t x) { return uint8_t(x & 3); }, 73);
    for (size_t m : {16, 64}) {
        char name[64];
        snprintf(name, sizeof name, "text: bases of 2 bits, m = %zu", m);
        if (!row_wanted(name, n)) continue;
        const std::vector<uint8_t> pattern = text.plant(m);
        std::vector<uint8_t> packed(n / 4 + 1);
        for (size_t i = 0; i < n; i++) packed[i / 4] = uint8_t(packed[i / 4] | text.host[i] << i % 4 * 2);
        uint8_t *there = gpu_array<uint8_t>(packed.size());
        CHECK(cudaMemcpy(there, packed.data(), packed.size(), cudaMemcpyHostToDevice));
        const text_results r;
        ww_find_options options = WW_FIND_OPTIONS;
        options.packed = true;
        options.alphabet_bits = 2;
        options.characters = n;
        row(name, n, 0.25, 0,
            [&] {
                must(ww_find(device, ww_memory_of(there, packed.size(), &ww_type_uint8_t), pattern.data(), m, r.out(), r.number(),
                             &options));
            },
            {}, {r.outputs(), {}, [&] { return r.host(r.places) == places_of(text, pattern); }});
        r.free();
        CHECK(cudaFree(there));
    }
    CHECK(cudaFree(text.there));
}

/* ---- many patterns ---- */

struct literals {
    std::vector<uint8_t> bytes;
    std::vector<uint64_t> offsets = {0};
    /* Parts of the text, of 8 to 32 bytes. */
    literals(const text_of &text, size_t count) {
        for (size_t k = 0; k < count; k++) {
            const size_t length = 8 + k * 7 % 25, from = (k * 7919 + 11) * 4093 % (text.n - 32);
            bytes.insert(bytes.end(), text.host.begin() + from, text.host.begin() + from + length);
            offsets.push_back(bytes.size());
        }
    }
    /* Places and numbers, by a table of the literals' first 8 bytes. */
    std::pair<std::vector<uint32_t>, std::vector<uint32_t>> found_in(const text_of &text) const {
        std::unordered_map<uint64_t, std::vector<uint32_t>> begins;
        std::vector<bool> filter(1 << 20);
        const auto word = [](const uint8_t *at) {
            uint64_t w;
            memcpy(&w, at, 8);
            return w;
        };
        const auto bit = [](uint64_t w) { return size_t(w * 0x9E3779B97F4A7C15ull >> 44); };
        for (uint32_t k = 0; k + 1 < offsets.size(); k++) {
            const uint64_t w = word(&bytes[offsets[k]]);
            begins[w].push_back(k);
            filter[bit(w)] = true;
        }
        std::pair<std::vector<uint32_t>, std::vector<uint32_t>> all;
        for (size_t at = 0; at + 8 <= text.n; at++) {
            const uint64_t w = word(&text.host[at]);
            if (!filter[bit(w)]) continue;
            const auto those = begins.find(w);
            if (those == begins.end()) continue;
            for (uint32_t k : those->second) {
                const size_t length = offsets[k + 1] - offsets[k];
                if (at + length > text.n || memcmp(&text.host[at], &bytes[offsets[k]], length)) continue;
                all.first.push_back(uint32_t(at));
                all.second.push_back(k);
            }
        }
        return all;
    }
};

static void many_row(const text_of &text, size_t count, double required) {
    char name[64];
    snprintf(name, sizeof name, "text: letters, %zu literals of 8 to 32", count);
    if (!row_wanted(name, text.n)) return;
    const literals all(text, count);
    const text_results r;
    ww_patterns *patterns = nullptr;
    unsupported = false;
    must(ww_patterns_open(device, all.bytes.data(), all.offsets.data(), count, &patterns, nullptr));
    if (!patterns)
        printf("%-52s not on GPUs in this version\n", name);
    else
        row(name, text.n, 1, required, [&] { must(ww_find_many(patterns, text.input(), r.out(), r.more(), r.number())); }, {},
            {r.outputs(), {}, [&] {
                 const auto right = all.found_in(text);
                 return r.host(r.places) == right.first && r.host(r.second) == right.second;
             }});
    ww_patterns_close(patterns);
    r.free();
}

/* ---- nearly ---- */

static void near_row(const char *kind, text_of &text, size_t m, uint32_t most) {
    char name[64];
    snprintf(name, sizeof name, "text: %s, m = %zu but %u", kind, m, most);
    if (!row_wanted(name, text.n)) return;
    const std::vector<uint8_t> pattern = text.plant(m);
    const text_results r;
    row(name, text.n, 1, 0,
        [&] { must(ww_find_near(device, text.input(), pattern.data(), m, most, r.out(), r.more(), r.number(), nullptr)); },
        {}, {r.outputs(), {}, [&] {
                 std::vector<uint32_t> places, differences;
                 for (size_t at = 0; at + m <= text.n; at++) {
                     uint32_t differ = 0;
                     for (size_t i = 0; i < m && differ <= most; i++) differ += text.host[at + i] != pattern[i];
                     if (differ <= most) places.push_back(uint32_t(at)), differences.push_back(differ);
                 }
                 return r.host(r.places) == places && r.host(r.second) == differences;
             }});
    r.free();
}

void text_rows(size_t n) {
    const size_t few = size_t(1) << 20;
    if (!report_wants_family("text")) return; /* the texts take seconds to make */
    const auto letter = [](uint8_t x) { return uint8_t('a' + x * 26 / 256); };
    text_of letters(n, letter, 70), small(few, letter, 71), random(n, [](uint8_t x) { return x; }, 72),
        bases(n, [](uint8_t x) { return uint8_t("ACGT"[x & 3]); }, 74);
    read_row(letters);
    lengths_rows("letters", letters, 2300, 2300, 2300);
    lengths_rows("random bytes", random, 2300, 2300, 2300);
    lengths_rows("bases", bases, 1500, 2200, 2200);
    many_row(letters, 1000, 500);
    many_row(letters, 10000, 0);
    for (size_t m : {16, 32})
        for (uint32_t most : {1u, 2u, 4u}) {
            near_row("letters", letters, m, most);
            near_row("bases", bases, m, most);
        }
    method_rows(letters, small);
    packed_rows(n);
    for (uint8_t *p : {letters.there, small.there, random.there, bases.there}) CHECK(cudaFree(p));
}
