/* Many patterns in one pass over a text (text/many/patterns.h says how they are looked up, and what the tables are).
 *
 * A block keeps the filter in shared memory and takes tile after tile, by tickets, so that a tile only waits for tiles that are
 * under way. Each thread reads 16 bytes a row and the 8 behind them, as words, and asks the filter at each of the 16 places; a bit
 * for each goes to shared memory. What passes is listed in order and looked up, a place a thread, in rounds of a block's
 * threads. How many matches that makes is handed on by look-back; then they are written. Of the first WW_KEPT rounds it is kept
 * what was found; of others it is looked up again. A tile in which nothing is found mostly only says so.
 *
 * WW_TINY: 1 there are patterns of 1 to 3 bytes. WW_FOUR_LOG, WW_EIGHT_LOG: bits of the filters of those of 4 to 7 bytes and of
 * more; 0: there are none. WW_FOLD: 1 capital letters are small ones. */
#include "device/kernel/count.cuh"

enum {
    ROWS = 4,
    ROW = 16, /* bytes of a thread */
    TILE = WW_THREADS * ROWS * ROW,
    WARPS = WW_THREADS / WW_WARP,
    KEPT = WW_KEPT * WW_THREADS,
    TINY_WORDS = WW_TINY ? 2048 : 0,
    FOUR_WORDS = WW_FOUR_LOG ? (1u << WW_FOUR_LOG) / 32 : 0,
    EIGHT_WORDS = WW_EIGHT_LOG ? (1u << WW_EIGHT_LOG) / 32 : 0,
    FILTER_WORDS = TINY_WORDS + FOUR_WORDS + EIGHT_WORDS
};
static_assert(TILE <= 65536, "places in a tile are numbers of 16 bits");
#define NO_NODE 0xFFFFFFFFu

struct pattern_node {
    uint32_t begin, length, parent, jump, total, number, equal, depth;
};

struct alignas(16) pattern_slot {
    uint64_t key;
    uint32_t low, high;
};

#include "text/many/many_arguments.cuh"

struct many_shared {
    alignas(16) uint32_t filter[FILTER_WORDS];
    alignas(16) uint16_t marks[WW_THREADS * ROWS]; /* of each thread's 16 places in each row */
    uint32_t found[KEPT];
    uint16_t list[WW_THREADS];
    uint64_t here[WARPS], before;
    uint32_t warp[WARPS], tile;
};

/* What is found at a place: node and its ancestors, but stop and its. */
struct found_place {
    uint32_t node, stop;
};

/* ---- the filter ---- */

WW_DEVICE uint32_t folded_word(uint32_t x) {
#if WW_FOLD
    const uint32_t low = x & 0x7F7F7F7Fu;
    x |= ((low + 0x3F3F3F3Fu) & ~(low + 0x25252525u) & ~x & 0x80808080u) >> 2;
#endif
    return x;
}

WW_DEVICE uint32_t folded_byte(uint32_t c) { return WW_FOLD && c - 'A' < 26 ? c | 32 : c; }

/* Bit `at` of a row of words. */
WW_DEVICE uint32_t bit_at(const uint32_t *words, uint32_t at) { return __funnelshift_r(words[at / 32], 0, at) & 1; }

/* Whether a pattern may begin with these 8 bytes. */
WW_DEVICE uint32_t may_begin(const many_shared &s, uint32_t low, uint32_t high) {
    uint32_t may = 0;
#if WW_TINY
    may |= bit_at(s.filter, (low & 255) << 8 | (low >> 8 & 255));
#endif
#if WW_FOUR_LOG
    may |= bit_at(s.filter + TINY_WORDS, (low * 0x9E3779B1u) >> (32 - WW_FOUR_LOG));
#endif
#if WW_EIGHT_LOG
    may |= bit_at(s.filter + TINY_WORDS + FOUR_WORDS, (low * 0x9E3779B1u + high * 0x85EBCA77u) >> (32 - WW_EIGHT_LOG));
#endif
    (void)high;
    return may;
}

/* The 24 bytes from place `at` on, which counts from the last multiple of 16 before the text; 0 where there is no text. */
WW_DEVICE void read_words(const many_arguments &a, uint64_t at, uint32_t (&w)[6]) {
    if (at >= a.lead && at + 24 <= a.lead + a.n) {
        const uint8_t *from = a.text - a.lead + at;
        const ww_sixteen x = *reinterpret_cast<const ww_sixteen *>(from);
        const ww_eight y = *reinterpret_cast<const ww_eight *>(from + 16);
#pragma unroll
        for (int k = 0; k < 4; k++) w[k] = x.word[k];
        w[4] = y.word[0];
        w[5] = y.word[1];
        return;
    }
#pragma unroll
    for (int k = 0; k < 6; k++) {
        w[k] = 0;
        for (int j = 0; j < 4; j++) {
            const uint64_t i = at + 4 * k + j;
            if (i >= a.lead && i - a.lead < a.n) w[k] |= uint32_t(a.text[i - a.lead]) << 8 * j;
        }
    }
}

/* A bit for each of the 16 places from `at` on. */
WW_DEVICE uint32_t mark_row(const many_arguments &a, const many_shared &s, uint64_t at, uint32_t (&w)[6]) {
    uint32_t x[20], marks = 0;
#pragma unroll
    for (int k = 0; k < 6; k++) w[k] = folded_word(w[k]);
#pragma unroll
    for (int i = 0; i < 20; i++) x[i] = i % 4 ? __funnelshift_r(w[i / 4], w[i / 4 + 1], i % 4 * 8) : w[i / 4];
#pragma unroll
    for (int i = 0; i < 16; i++) marks |= may_begin(s, x[i], x[i + 4]) << i;
    /* Places that are none: at the text's begin and end. */
    if (at < a.lead) marks &= 0xFFFFFFFFu << (a.lead - at);
    const uint64_t end = a.lead + a.starts;
    if (at >= end) return 0;
    return end - at < 16 ? marks & ((1u << (end - at)) - 1) : marks;
}

/* Two rows at a time are read: of all four there would not be registers for three blocks of a processor. */
WW_DEVICE void mark_tile(const many_arguments &a, many_shared &s, uint64_t tile) {
#pragma unroll 1
    for (uint32_t chunk = threadIdx.x; chunk < ROWS * WW_THREADS; chunk += 2 * WW_THREADS) {
        const uint64_t at = tile * TILE + uint64_t(chunk) * ROW;
        uint32_t first[6], second[6];
        read_words(a, at, first);
        read_words(a, at + WW_THREADS * ROW, second);
        s.marks[chunk] = uint16_t(mark_row(a, s, at, first));
        s.marks[chunk + WW_THREADS] = uint16_t(mark_row(a, s, at + WW_THREADS * ROW, second));
    }
}

/* ---- what begins at a place ---- */

/* How many of node v's bytes are the text's, of which `left` are there; the first `known` are. */
WW_DEVICE uint64_t common(const many_arguments &a, const pattern_node &v, const uint8_t *text, uint64_t left, uint64_t known) {
    const uint64_t most = v.length < left ? v.length : left;
    uint64_t i = known;
    while (i < most && folded_byte(text[i]) == a.tables.bytes[v.begin + i]) i++;
    return i;
}

WW_DEVICE uint32_t ancestor(const many_arguments &a, uint32_t v, uint64_t most) {
    while (v != NO_NODE && a.tables.node[v].length > most) {
        const uint32_t jump = a.tables.node[v].jump;
        v = jump != NO_NODE && a.tables.node[jump].length > most ? jump : a.tables.node[v].parent;
    }
    return v;
}

/* By how many of the text's first bytes patterns have been found that may fit: none, these 2, or 8. */
enum { BEGUN_NONE, BEGUN_TWO, BEGUN_EIGHT };

/* Where patterns stand that begin with the text's first bytes. */
WW_DEVICE int alike(const many_arguments &a, uint64_t key, uint64_t left, uint32_t &low, uint32_t &high) {
#if WW_EIGHT_LOG
    uint32_t probe = 0;
    if (left >= 8) {
        const uint32_t first = __byte_perm(uint32_t(key >> 32), 0, 0x0123), second = __byte_perm(uint32_t(key), 0, 0x0123);
        const uint32_t home = (first * 0x9E3779B1u + second * 0x85EBCA77u) >> (32 - a.slot_log);
        pattern_slot slot;
        do slot = a.tables.slot[(home + probe) & ((1u << a.slot_log) - 1)];
        while (slot.high && slot.key != key && ++probe < WW_PROBES);
        if (slot.high && probe < WW_PROBES) {
            low = slot.low;
            high = slot.high;
            return BEGUN_EIGHT;
        }
    }
    const bool may_have_no_slot = probe == WW_PROBES;
#else
    const bool may_have_no_slot = false;
#endif
    low = a.tables.pair[key >> 48];
    high = a.tables.pair[(key >> 48) + 1];
    return WW_FOUR_LOG || WW_TINY || may_have_no_slot ? BEGUN_TWO : BEGUN_NONE;
}

/* The longest pattern that begins at a place behind which `left` bytes of the text lie, as on a CPU (many_cpu.c). */
WW_DEVICE uint32_t longest_at(const many_arguments &a, const uint8_t *text, uint64_t left) {
    uint64_t key = 0, with_low = 0, with_high = 0;
#pragma unroll
    for (uint32_t i = 0; i < 8; i++) key = key << 8 | (i < left ? folded_byte(text[i]) : 0);
    uint32_t low, high;
    const int found = alike(a, key, left, low, high);
    if (found == BEGUN_NONE) return NO_NODE;
#if !WW_FOUR_LOG && !WW_TINY
    /* The one pattern with these 8 bytes, where all have as many. */
    if (high - low == 1 && found == BEGUN_EIGHT) {
        const pattern_node v = a.tables.node[low];
        return v.length <= left && common(a, v, text, left, 8) == v.length ? low : NO_NODE;
    }
#endif
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint64_t key_there = a.tables.key[middle];
        bool before = key_there < key;
        if (key_there == key) {
            const pattern_node v = a.tables.node[middle];
            const uint64_t same = common(a, v, text, left, with_low < with_high ? with_low : with_high);
            before = same == v.length || (same < left && a.tables.bytes[v.begin + same] < folded_byte(text[same]));
            if (before) with_low = same;
            else with_high = same;
        }
        if (before) low = middle + 1;
        else high = middle;
    }
    return low ? ancestor(a, low - 1, common(a, a.tables.node[low - 1], text, left, with_low)) : NO_NODE;
}

/* The node found at a place of a tile, and where its ancestors do not count any more. */
WW_DEVICE found_place find_at(const many_arguments &a, uint64_t start) {
    found_place f;
    f.node = longest_at(a, a.text + start, a.n - start);
    f.stop = NO_NODE;
    return f;
}

WW_DEVICE void find_stop(const many_arguments &a, uint64_t start, found_place &f) {
    f.stop = start < a.behind ? ancestor(a, f.node, a.behind - start) : NO_NODE;
}

WW_DEVICE uint32_t matches_of(const many_arguments &a, const found_place &f) {
    return f.node == f.stop ? 0 : a.tables.node[f.node].total - (f.stop == NO_NODE ? 0 : a.tables.node[f.stop].total);
}

/* ---- the outputs ---- */

WW_DEVICE uint64_t number_at(const many_arguments &a, uint64_t i) {
    return a.wide_numbers ? static_cast<const uint64_t *>(a.numbers)[i] : static_cast<const uint32_t *>(a.numbers)[i];
}
WW_DEVICE void put_number(const many_arguments &a, uint64_t i, uint64_t x) {
    if (a.wide_numbers) static_cast<uint64_t *>(a.numbers)[i] = x;
    else static_cast<uint32_t *>(a.numbers)[i] = uint32_t(x);
}
WW_DEVICE void put_position(const many_arguments &a, uint64_t i, uint64_t x) {
    if (a.wide_positions) static_cast<uint64_t *>(a.positions)[i] = x;
    else static_cast<uint32_t *>(a.positions)[i] = uint32_t(x);
}

/* Puts x in the place of the highest of a heap of `many` numbers from `place` on. */
WW_DEVICE void replace_highest(const many_arguments &a, uint64_t place, uint64_t many, uint64_t x) {
    uint64_t i = 0;
    for (uint64_t child; (child = 2 * i + 1) < many; i = child) {
        if (child + 1 < many && number_at(a, place + child + 1) > number_at(a, place + child)) child++;
        if (number_at(a, place + child) <= x) break;
        put_number(a, place + i, number_at(a, place + child));
    }
    put_number(a, place + i, x);
}

WW_DEVICE void add_to_heap(const many_arguments &a, uint64_t place, uint64_t many, uint64_t x) {
    uint64_t i = many;
    for (; i && number_at(a, place + (i - 1) / 2) < x; i = (i - 1) / 2) put_number(a, place + i, number_at(a, place + (i - 1) / 2));
    put_number(a, place + i, x);
}

/* The lowest `room` numbers of what is found at a place, rising. */
WW_DEVICE void put_numbers(const many_arguments &a, const found_place &f, uint64_t place, uint64_t room) {
    uint64_t many = 0;
    for (uint32_t v = f.node; v != f.stop; v = a.tables.node[v].parent) {
        const pattern_node node = a.tables.node[v];
        for (uint32_t k = 0; k < node.equal; k++) {
            const uint64_t number = a.tables.number[node.number + k];
            if (many < room) add_to_heap(a, place, many++, number);
            else if (number < number_at(a, place)) replace_highest(a, place, many, number);
            else break; /* those behind it are higher */
        }
    }
    for (; many > 1; many--) {
        const uint64_t highest = number_at(a, place), last = number_at(a, place + many - 1);
        replace_highest(a, place, many - 1, last);
        put_number(a, place + many - 1, highest);
    }
}

WW_DEVICE void put_place(const many_arguments &a, const found_place &f, uint32_t matches, uint64_t start, uint64_t place) {
    if (place >= a.room) return;
    const uint64_t room = matches < a.room - place ? matches : a.room - place;
    for (uint64_t i = 0; i < room; i++) put_position(a, place + i, start + a.bias);
    if (!a.numbers) return;
    if (matches == 1) put_number(a, place, a.tables.number[a.tables.node[f.node].number]);
    else put_numbers(a, f, place, room);
}

/* ---- a tile ---- */

/* The sum of what the threads before this one have; `all` of all. Every thread calls it. */
WW_DEVICE uint32_t block_sum_before(many_shared &s, uint32_t x, uint32_t &all) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    uint32_t before = ww_sum_before(x);
    if (lane == WW_WARP - 1) s.warp[warp] = before + x;
    __syncthreads();
    all = 0;
#pragma unroll
    for (uint32_t w = 0; w < WARPS; w++) {
        const uint32_t other = s.warp[w];
        before += w < warp ? other : 0;
        all += other;
    }
    __syncthreads();
    return before;
}

/* The places of a tile that have passed, in order: 64 that lie side by side are a thread's. */
struct passed_places {
    uint64_t left;    /* bits of its own that are not listed yet */
    uint32_t ordinal; /* of the lowest of them */
    uint32_t all;     /* in the tile */
};

WW_DEVICE passed_places passed_of(many_shared &s) {
    const ww_eight own = reinterpret_cast<const ww_eight *>(s.marks)[threadIdx.x];
    passed_places p;
    p.left = own.word[0] | uint64_t(own.word[1]) << 32;
    p.ordinal = block_sum_before(s, uint32_t(__popc(own.word[0]) + __popc(own.word[1])), p.all);
    return p;
}

/* Lists the places that a round takes, from number `base` on. */
WW_DEVICE void list_round(many_shared &s, passed_places &p, uint32_t base) {
    for (; p.left && p.ordinal < base + WW_THREADS; p.left &= p.left - 1)
        s.list[p.ordinal++ - base] = uint16_t(threadIdx.x * 64 + __ffsll((long long)p.left) - 1);
    __syncthreads();
}

WW_DEVICE uint64_t start_of(const many_arguments &a, const many_shared &s, uint64_t tile) {
    return tile * TILE + s.list[threadIdx.x] - a.lead;
}

/* Looks all places up that have passed; returns a thread's matches. */
WW_DEVICE uint64_t count_matches(const many_arguments &a, many_shared &s, uint64_t tile, passed_places p) {
    uint64_t matches = 0;
    for (uint32_t base = 0; base < p.all; base += WW_THREADS) {
        const uint32_t own = base + threadIdx.x;
        list_round(s, p, base);
        if (own < p.all) {
            const uint64_t start = start_of(a, s, tile);
            found_place f = find_at(a, start);
            if (own < KEPT) s.found[own] = f.node;
            find_stop(a, start, f);
            matches += matches_of(a, f);
        }
        __syncthreads();
    }
    return matches;
}

WW_DEVICE void write_matches(const many_arguments &a, many_shared &s, uint64_t tile, passed_places p, uint64_t place) {
    for (uint32_t base = 0; base < p.all && place < a.room; base += WW_THREADS) {
        const uint32_t own = base + threadIdx.x;
        uint64_t start = 0;
        uint32_t matches = 0, all;
        found_place f = {NO_NODE, NO_NODE};
        list_round(s, p, base);
        if (own < p.all) {
            start = start_of(a, s, tile);
            if (own < KEPT) f.node = s.found[own];
            else f = find_at(a, start);
            find_stop(a, start, f);
            matches = matches_of(a, f);
        }
        const uint32_t before = block_sum_before(s, matches, all);
        if (matches) put_place(a, f, matches, start, place + before);
        place += all;
    }
}

/* The sum over the block, for every thread. */
WW_DEVICE uint64_t block_sum(many_shared &s, uint64_t x) {
    const uint64_t before = ww_sum_before(x);
    if (threadIdx.x % WW_WARP == WW_WARP - 1) s.here[threadIdx.x / WW_WARP] = before + x;
    __syncthreads();
    uint64_t sum = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) sum += s.here[w];
    return sum;
}

/* Hands the tile's matches on. Where there are none, nothing is waited for, but in every 16th tile, so that those behind need
 * not look far back. */
WW_DEVICE void hand_on(const many_arguments &a, many_shared &s, uint64_t tile, uint64_t here) {
    ww_carrier own, nothing;
    own.many = here;
    nothing.many = 0;
    if (!here && tile % 16 && tile + 1 < a.tiles) {
        if (threadIdx.x == 0) ww_publish(a.chain, tile, WW_OWN_SUM, own);
        return;
    }
    const uint64_t earlier = a.before ? *a.before : 0;
    ww_find_before(a.chain, tile, own, nothing, [&](const ww_carrier &before, const ww_carrier &all) {
        s.before = before.many + earlier;
        if (tile + 1 < a.tiles) return;
        if (a.wide_total) *static_cast<uint64_t *>(a.total) = all.many + earlier;
        else *static_cast<uint32_t *>(a.total) = uint32_t(all.many + earlier);
    });
}

WW_GPU_KERNEL_HELD(find_many, many_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED_LARGE(many_shared, s);
    for (uint32_t k = threadIdx.x; k < FILTER_WORDS; k += WW_THREADS) s.filter[k] = a.tables.filter[k];
    for (;;) {
        if (threadIdx.x == 0) s.tile = atomicAdd(a.chain.ticket, 1u);
        __syncthreads();
        const uint64_t tile = s.tile;
        if (tile >= a.tiles) return;
        mark_tile(a, s, tile);
        __syncthreads();
        const passed_places p = passed_of(s);
        const uint64_t here = block_sum(s, count_matches(a, s, tile, p));
        if (threadIdx.x < WW_WARP) hand_on(a, s, tile, here);
        __syncthreads();
        if (here && a.room) write_matches(a, s, tile, p, s.before);
        __syncthreads(); /* before the next tile's number and marks */
    }
}
