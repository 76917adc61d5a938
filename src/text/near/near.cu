/* Marking where a pattern fits but for at most `most` characters.
 *
 * A block has a tile of starts, and the text from there on in shared memory, as far as the pattern reaches. Of most + 1
 * parts of the pattern one is there unchanged where it fits: so, where the parts are long enough, all windows of four
 * characters of the tile are compared with one window of each part, and what agrees gives a candidate, a bit for its start.
 * Then each thread has 16 starts. It compares the few candidates among them, four characters at a time. Where there are
 * more, or no parts were looked for, it takes all 16 at once, a byte of a counter each, and one character of the pattern
 * after the other, until more differ than may at all of them. So no text takes more than m steps for 16 starts.
 *
 * WW_FOLD: 1 letters are made small as they are read. WW_MANY: 1 most is above 127: equal characters are counted, not those
 * that differ. Bytes behind the text are taken for zeros; starts that reach them are not marked. */
#include "device/kernel/types.cuh"
#include "text/near/near_arguments.cuh"

enum { STARTS = 16, TILE = WW_THREADS * STARTS, CHUNKS = TILE / 16 + 20, FEW = 3 };
#define HIGH 0x80808080u
#define LOW 0x7F7F7F7Fu

struct alignas(16) near_shared {
    uint32_t text[CHUNKS * 4]; /* from `off` bytes before the tile on */
    uint32_t candidates[TILE / 32];
};

/* 'a' to 'z' for 'A' to 'Z', in each byte. */
WW_DEVICE uint32_t folded(uint32_t x) {
    const uint32_t low = x & LOW, capital = (low + 0x3F3F3F3Fu) & ~(low + 0x25252525u) & ~x & HIGH;
    return x | capital >> 2;
}

/* The high bit of each byte that is not 0. */
WW_DEVICE uint32_t bytes_set(uint32_t x) { return (((x & LOW) + LOW) | x) & HIGH; }

WW_DEVICE ww_sixteen read_chunk(const near_arguments &a, int64_t at) {
    ww_sixteen x = {{0, 0, 0, 0}};
    if (at >= 0 && uint64_t(at) + 16 <= a.count) {
        x = *reinterpret_cast<const ww_sixteen *>(a.text + at);
    } else {
#pragma unroll
        for (int k = 0; k < 16; k++)
            if (at + k >= 0 && uint64_t(at + k) < a.count) x.word[k / 4] |= uint32_t(a.text[at + k]) << (k % 4 * 8);
    }
#if WW_FOLD
#pragma unroll
    for (int k = 0; k < 4; k++) x.word[k] = folded(x.word[k]);
#endif
    return x;
}

WW_DEVICE void read_tile(const near_arguments &a, near_shared &s, int64_t first) {
    for (uint32_t c = threadIdx.x; c < a.chunks; c += WW_THREADS)
        reinterpret_cast<ww_sixteen *>(s.text)[c] = read_chunk(a, first - int64_t(a.off) + int64_t(c) * 16);
    for (uint32_t w = threadIdx.x; w < TILE / 32; w += WW_THREADS) s.candidates[w] = 0;
}

/* ---- candidates ---- */

/* Bits for 16 starts from `start` on, some of which may lie before the tile or behind it. */
WW_DEVICE void add_candidates(near_shared &s, int start, uint32_t bits) {
    if (start < 0) {
        bits = start > -STARTS ? bits >> -start : 0;
        start = 0;
    }
    const uint64_t both = uint64_t(bits) << (start % 32);
    const int w = start / 32;
    if (w < TILE / 32 && uint32_t(both)) atomicOr(&s.candidates[w], uint32_t(both));
    if (w + 1 < TILE / 32 && both >> 32) atomicOr(&s.candidates[w + 1], uint32_t(both >> 32));
}

WW_DEVICE void find_candidates(const near_arguments &a, near_shared &s) {
    for (uint32_t g = threadIdx.x; g < a.groups; g += WW_THREADS) {
        uint32_t word[5], at[16];
        const ww_sixteen x = reinterpret_cast<const ww_sixteen *>(s.text)[g];
#pragma unroll
        for (int k = 0; k < 4; k++) word[k] = x.word[k];
        word[4] = s.text[4 * g + 4];
#pragma unroll
        for (int k = 0; k < 16; k++) at[k] = k % 4 ? __funnelshift_r(word[k / 4], word[k / 4 + 1], k % 4 * 8) : word[k / 4];
        for (uint32_t p = 0; p < a.parts; p++) {
            const uint32_t window = a.window[p];
            bool any = false;
#pragma unroll
            for (int k = 0; k < 16; k++) any = any || at[k] == window;
            if (!any) continue;
            uint32_t bits = 0;
#pragma unroll
            for (int k = 0; k < 16; k++) bits |= uint32_t(at[k] == window) << k;
            add_candidates(s, int(16 * g) - int(a.off + a.place[p]), bits);
        }
    }
}

/* ---- starts ---- */

/* Four characters, from byte 4 * w and `shift` bits on. */
WW_DEVICE uint32_t four(const near_shared &s, uint32_t w, uint32_t shift) {
    return __funnelshift_r(s.text[w], s.text[w + 1], shift);
}

/* Whether the pattern fits at a byte of the tile. */
WW_DEVICE bool fits(const near_arguments &a, const near_shared &s, uint32_t at) {
    const uint32_t words = (a.m + 3) / 4;
    uint32_t differ = 0;
    for (uint32_t j = 0; j < words && differ <= a.most; j++) {
        const uint32_t x = four(s, at / 4 + j, at % 4 * 8) ^ a.pattern[j];
        differ += __popc(bytes_set(j + 1 < words ? x : x & a.last));
    }
    return differ <= a.most;
}

/* Counters begin so that their high bits are set by the character that decides; these are kept, and cleared before the others
 * could overflow. */
struct counting {
    uint32_t counter[4], decided[4];
};

/* Counts a character of the pattern: it is every byte of `character`, and x[q] has the text's for four starts. */
WW_DEVICE void count_one(counting &c, int q, uint32_t x, uint32_t character) {
    const uint32_t differ = bytes_set(x ^ character);
    c.counter[q] += (WW_MANY ? differ ^ HIGH : differ) >> 7;
}

/* Whether the 16 starts are all decided: out. (Where equal characters are counted, all are counted.) */
WW_DEVICE bool decide(counting &c) {
    uint32_t all = HIGH;
#pragma unroll
    for (int q = 0; q < 4; q++) {
        c.decided[q] |= c.counter[q] & HIGH;
        c.counter[q] &= LOW;
        all &= c.decided[q];
    }
    return all == HIGH && !WW_MANY;
}

/* At which of 16 starts, from a byte of the tile on, the pattern fits. */
WW_DEVICE uint32_t count_sixteen(const near_arguments &a, const near_shared &s, uint32_t at) {
    const uint32_t begin = WW_MANY ? 128 - (a.m - a.most) : 127 - a.most, base = at / 4, shift = at % 4 * 8;
    uint32_t x[5], bits = 0;
    counting c;
#pragma unroll
    for (int q = 0; q < 4; q++) {
        c.counter[q] = begin * 0x01010101u;
        c.decided[q] = 0;
    }
#pragma unroll
    for (int k = 0; k < 5; k++) x[k] = four(s, base + k, shift);
    for (uint32_t j = 0; 4 * j < a.m; j++) {
        const uint32_t pattern = a.pattern[j], left = a.m - 4 * j;
#pragma unroll
        for (int r = 0; r < 4; r++)
            if (uint32_t(r) < left) {
                const uint32_t character = __byte_perm(pattern, 0, 0x1111 * r);
#pragma unroll
                for (int q = 0; q < 4; q++) count_one(c, q, r ? __funnelshift_r(x[q], x[q + 1], r * 8) : x[q], character);
            }
        if (decide(c)) return 0;
#pragma unroll
        for (int k = 0; k < 4; k++) x[k] = x[k + 1];
        x[4] = four(s, base + 5 + j, shift);
    }
#pragma unroll
    for (int q = 0; q < 4; q++) {
        const uint32_t fit = (WW_MANY ? c.decided[q] : ~c.decided[q]) >> 7 & 0x01010101u;
        bits |= fit * 0x01020408u >> 24 << (4 * q); /* the four bytes' bits, side by side */
    }
    return bits;
}

/* Which of the starts that `bits` names fit. */
WW_DEVICE uint32_t keep_fitting(const near_arguments &a, const near_shared &s, uint32_t at, uint32_t bits) {
    if (!a.parts || __popc(bits) > FEW) return bits & count_sixteen(a, s, at);
    uint32_t kept = 0;
    for (uint32_t look = bits; look; look &= look - 1) {
        const uint32_t k = uint32_t(__ffs(int(look)) - 1);
        if (fits(a, s, at + k)) kept |= 1u << k;
    }
    return kept;
}

WW_GPU_KERNEL(mark_near, near_arguments, WW_THREADS) {
    WW_SHARED(near_shared, s);
    const uint64_t first = uint64_t(blockIdx.x) * TILE, mine = first + threadIdx.x * STARTS;
    read_tile(a, s, int64_t(first));
    __syncthreads();
    if (a.parts) {
        find_candidates(a, s);
        __syncthreads();
    }
    const uint64_t left = mine < a.starts ? a.starts - mine : 0;
    uint32_t bits = a.parts ? s.candidates[threadIdx.x / 2] >> (threadIdx.x % 2 * STARTS) & 0xFFFF : 0xFFFF;
    if (left < STARTS) bits &= (1u << left) - 1;
    if (bits) bits = keep_fitting(a, s, a.off + threadIdx.x * STARTS, bits);
    if (mine / STARTS < a.halves) a.marks[mine / STARTS] = uint16_t(bits);
}
