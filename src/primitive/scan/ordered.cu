/* Scans in one pass over memory, plain and segmented, that set the CPU's brackets (docs/determinism.md): the same bytes whichever
 * block is the faster.
 *
 * A bracket is what the CPU calls a tile, WW_BRACKET elements; a block has WW_BRACKETS of them, its tile, in shared memory. Eight
 * threads sum a run of a bracket each, from left to right, and leave what they have so far in its place. The block publishes its brackets' sums.
 * A carry is the carry before it + a bracket's sum, one after the other: of the blocks that wait for theirs, one at a
 * time joins the sums that are there, in order, and hands the tiles their carries, until it has its own. That is an addition for a bracket, fewer than
 * memory would bring, and nobody waits for a block with a higher number. At last each element gets what precedes its run.
 *
 * With segments (WW_SEGMENTS: 1 by head flags, 2 by changes of keys) a tile is one bracket, its sum is of what follows its last head, and
 * one thread adds the elements to the carry from left to right.
 *
 * WW_EXCLUSIVE, and with segments WW_INITIAL: 0 not, 1 yes, 2 as the arguments say, in one program for both.
 * WW_BEHIND: the total goes behind the last element, too. */
struct ww_carrier {
    ww_item value;
    uint32_t head; /* it begins with a segment */
};
WW_DEVICE ww_carrier ww_join(const ww_carrier &x, const ww_carrier &y) {
    ww_carrier z = y;
    if (!y.head) {
        z.value = ww_op(x.value, y.value);
        z.head = x.head;
    }
    return z;
}
#if WW_PACKED
WW_DEVICE uint64_t ww_pack(const ww_carrier &c) {
    ww_words<ww_item> w;
    w.word[0] = 0;
    w.value = c.value;
    return uint64_t(w.word[0]) << 32 | uint64_t(c.head) << 2;
}
WW_DEVICE ww_carrier ww_unpack(uint64_t word) {
    ww_words<ww_item> w;
    w.word[0] = uint32_t(word >> 32);
    ww_carrier c;
    c.value = w.value;
    c.head = uint32_t(word) >> 2 & 1;
    return c;
}
#endif

#include "device/kernel/counted.cuh"
#include "device/kernel/lookback.cuh"

#include "primitive/scan/ordered_arguments.cuh"

#ifndef WW_BEHIND
#define WW_BEHIND 0
#endif

#ifndef WW_INTO
#define WW_INTO 0 /* 1: the output is computed */
#endif
#if WW_INTO
#include "device/kernel/into.cuh"
#endif

struct ordered_arguments : ordered_fixed {
    alignas(16) ww_item initial; /* what precedes the first element, or a segment's: the identity where none is given */
    in_input in;
#if WW_SEGMENTS
    by_input by;
#endif
#if WW_INTO
    ww_into into;
#endif
};

enum {
    FROM_LEFT = 16, /* so few elements have no runs */
    RUNS = 8,
    RUN = WW_BRACKET < FROM_LEFT ? WW_BRACKET : WW_BRACKET / RUNS,
    STRIDE = WW_SEGMENTS ? RUN : RUN | 1, /* of runs in shared memory: where all threads of a warp have one, they use different banks */
    PLACES = (WW_BRACKET + RUN - 1) / RUN * STRIDE,
    TILE = WW_BRACKET * WW_BRACKETS,
    AHEAD = sizeof(ww_item) <= 16 ? 8 : 1 /* elements that a thread has read before it adds them */
};
struct ordered_shared {
    uint32_t tile, last_head; /* last_head: + 1; 0: there is none */
    uint32_t heads[(TILE + 31) / 32];
    ww_item carry;
    ww_item before[WW_BRACKETS][RUNS + 1]; /* what precedes a run in its bracket; of its first that is nothing, and not kept */
    ww_item sum[WW_BRACKETS];
    ww_carrier joined[WW_WARP * WW_BRACKETS];
    alignas(16) ww_item x[WW_BRACKETS * PLACES];
};

WW_DEVICE bool is_exclusive(const ordered_arguments &a) { return WW_EXCLUSIVE == 2 ? a.exclusive : WW_EXCLUSIVE; }
#if WW_SEGMENTS
WW_DEVICE bool has_initial(const ordered_arguments &a) { return WW_INITIAL == 2 ? a.initial_given : WW_INITIAL; }
#endif

WW_DEVICE uint32_t run_of(uint32_t n) { return n < FROM_LEFT ? 0 : n / RUNS; }
WW_DEVICE uint32_t place_of(uint32_t i) { return i / RUN * STRIDE + i % RUN; }
WW_DEVICE uint32_t bracket_length(uint32_t many, uint32_t bracket) {
    const uint32_t left = many - bracket * WW_BRACKET;
    return left < WW_BRACKET ? left : WW_BRACKET;
}

/* Sums x[0] to x[n - 1] from left to right, and leaves each sum so far where its element was. */
template <int n> WW_DEVICE ww_item sum_run(ww_item *x) {
    ww_item sum = x[0], next[AHEAD];
    int k = 1;
    if (n > AHEAD) {
#pragma unroll
        for (int j = 0; j < AHEAD; j++) next[j] = x[k + j];
        for (; k + 2 * AHEAD <= n; k += AHEAD) {
            ww_item now[AHEAD];
#pragma unroll
            for (int j = 0; j < AHEAD; j++) now[j] = next[j];
#pragma unroll
            for (int j = 0; j < AHEAD; j++) next[j] = x[k + AHEAD + j];
#pragma unroll
            for (int j = 0; j < AHEAD; j++) {
                sum = ww_op(sum, now[j]);
                x[k + j] = sum;
            }
        }
    }
    for (; k < n; k++) {
        sum = ww_op(sum, x[k]);
        x[k] = sum;
    }
    return sum;
}

/* Brackets' sums; `many` elements are there. Every thread calls it. */
WW_DEVICE void sum_brackets(ordered_shared &s, uint32_t many) {
    const uint32_t there = (many + WW_BRACKET - 1) / WW_BRACKET;
    const uint32_t bracket = threadIdx.x / RUNS, r = threadIdx.x % RUNS;
    if (bracket < there) {
        const uint32_t n = bracket_length(many, bracket), run = run_of(n);
        ww_item *const x = s.x + bracket * PLACES;
        if (WW_BRACKET >= FROM_LEFT && n == WW_BRACKET) {
            s.before[bracket][r + 1] = sum_run<RUN>(x + r * STRIDE);
        } else if (run) {
            ww_item sum = x[place_of(r * run)];
            for (uint32_t k = r * run + 1; k < (r + 1) * run; k++) {
                sum = ww_op(sum, x[place_of(k)]);
                x[place_of(k)] = sum;
            }
            s.before[bracket][r + 1] = sum;
        }
    }
    __syncthreads();
    if (threadIdx.x < there) {
        const uint32_t n = bracket_length(many, threadIdx.x), run = run_of(n);
        ww_item *const x = s.x + threadIdx.x * PLACES, *const before = s.before[threadIdx.x];
        ww_item sum = run ? before[1] : x[0];
        for (uint32_t r = 2; run && r <= RUNS; r++) before[r] = sum = ww_op(sum, before[r]);
        for (uint32_t i = run ? RUNS * run : 1; i < n; i++) x[place_of(i)] = sum = ww_op(sum, x[place_of(i)]);
        s.sum[threadIdx.x] = sum;
    }
}

/* Elements of a tile into shared memory, and their heads. Every thread calls it. */
WW_DEVICE void read_tile(const ordered_arguments &a, ordered_shared &s, uint64_t begin, uint32_t many) {
    if (many == TILE) {
#pragma unroll 16
        for (uint32_t i = threadIdx.x; i < TILE; i += WW_THREADS)
            s.x[i / WW_BRACKET * PLACES + place_of(i % WW_BRACKET)] = in_at(a.in, begin + i);
    } else {
        for (uint32_t i = threadIdx.x; i < many; i += WW_THREADS)
            s.x[i / WW_BRACKET * PLACES + place_of(i % WW_BRACKET)] = in_at(a.in, begin + i);
    }
#if WW_SEGMENTS
    if (threadIdx.x == 0) s.last_head = 0;
    __syncthreads();
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < (many + WW_WARP - 1) / WW_WARP * WW_WARP; i += WW_THREADS) {
        bool head = false;
        if (i < many) {
#if WW_SEGMENTS == 1
            head = by_at(a.by, begin + i) != 0;
#else
            head = begin + i && !ww_same(by_at(a.by, begin + i - 1), by_at(a.by, begin + i));
#endif
            head |= begin + i == 0;
        }
        const uint32_t heads = __ballot_sync(WW_ALL, head);
        if (threadIdx.x % WW_WARP) continue;
        s.heads[i / 32] = heads;
        if (heads) atomicMax(&s.last_head, i + 32 - __clz(int(heads)));
    }
#endif
    __syncthreads();
}

#if WW_SEGMENTS
/* The sum of what follows the last head, with the initial value before it if there is both. Every thread calls it. */
WW_DEVICE void sum_after_head(const ordered_arguments &a, ordered_shared &s, uint32_t many) {
    const uint32_t from = s.last_head ? s.last_head - 1 : 0, n = many - from, run = run_of(n), r = threadIdx.x;
    if (run && r < RUNS) {
        ww_item sum = s.x[place_of(from + r * run)];
#pragma unroll 8
        for (uint32_t k = from + r * run + 1; k < from + (r + 1) * run; k++) sum = ww_op(sum, s.x[place_of(k)]);
        s.before[0][r + 1] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0 && many) {
        ww_item sum = run ? s.before[0][1] : s.x[place_of(from)];
        for (uint32_t q = 2; run && q <= RUNS; q++) sum = ww_op(sum, s.before[0][q]);
        for (uint32_t i = run ? RUNS * run : 1; i < n; i++) sum = ww_op(sum, s.x[place_of(from + i)]);
        s.sum[0] = has_initial(a) && s.last_head ? ww_op(a.initial, sum) : sum;
    }
}
#endif

/* What is known of the tiles' sums and carries: words that say whether a value is there, and have it, where it is short. Others stand in
 * arrays beside the words, which are released after them. */
WW_DEVICE void publish(uint64_t *word, ww_item *values, uint64_t i, const ww_item &value, uint32_t head) {
    ww_carrier c;
    c.value = value;
    c.head = head;
#if WW_PACKED
    (void)values;
    ww_store_relaxed(word + i, ww_pack(c) | 1);
#else
    values[i] = value;
    ww_store_release(word + i, uint64_t(head) << 2 | 1);
#endif
}
/* Words of several brackets are loaded one behind the other without waiting, and acquired together. */
enum { ACQUIRED_TOGETHER = !WW_PACKED && WW_BRACKETS > 1 };
WW_DEVICE void acquire() {
    if (ACQUIRED_TOGETHER) ww_fence();
}
/* The word, 0 where nothing is there yet. */
WW_DEVICE uint64_t look(const uint64_t *word, uint64_t i) {
#if WW_PACKED
    return ww_load_relaxed(word + i);
#else
    return ww_load_acquire(word + i);
#endif
}
WW_DEVICE ww_carrier take(uint64_t seen, const ww_item *values, uint64_t i) {
#if WW_PACKED
    (void)values, (void)i;
    return ww_unpack(seen);
#else
    ww_carrier c;
    c.value = values[i];
    c.head = uint32_t(seen) >> 2 & 1;
    return c;
#endif
}

/* The words of 32 tiles' brackets from `tile` on, as far as tiles hand sums on: all but the last. */
WW_DEVICE void look_at_tiles(const ordered_arguments &a, uint64_t tile, uint64_t (&seen)[WW_BRACKETS]) {
    const uint64_t first = tile * WW_BRACKETS, end = (a.tiles - 1) * WW_BRACKETS;
#pragma unroll
    for (int k = 0; k < WW_BRACKETS; k++) {
        const uint64_t i = first + k * WW_WARP + threadIdx.x % WW_WARP;
        seen[k] = 0;
        if (i < end) seen[k] = ACQUIRED_TOGETHER ? ww_load_relaxed(a.known + i) : look(a.known, i);
    }
}
/* How many of them, in a row, have all their sums. */
WW_DEVICE uint32_t tiles_seen(const uint64_t (&seen)[WW_BRACKETS]) {
    uint32_t brackets = 0;
    bool whole = true;
#pragma unroll
    for (int k = 0; k < WW_BRACKETS; k++) {
        const uint32_t missing = __ballot_sync(WW_ALL, !seen[k]);
        if (whole) brackets += missing ? __ffs(int(missing)) - 1 : WW_WARP;
        whole = whole && !missing;
    }
    return brackets / WW_BRACKETS;
}

/* The carries of the tiles behind `done`, of which `many` have told their sums. */
WW_DEVICE void hand_carries(const ordered_arguments &a, ordered_shared &s, uint64_t done, uint32_t many,
                            const uint64_t (&seen)[WW_BRACKETS], ww_item &carry) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    __syncwarp(); /* nobody reads what was there before; and what one lane acquired, the others read */
#pragma unroll
    for (int k = 0; k < WW_BRACKETS; k++)
        if (k * WW_WARP + lane < many * WW_BRACKETS)
            s.joined[k * WW_WARP + lane] = take(seen[k], a.sum, done * WW_BRACKETS + k * WW_WARP + lane);
    __syncwarp();
    ww_carrier sum, next[WW_BRACKETS];
    ww_item kept = carry;
    sum.value = carry;
    sum.head = 0;
#pragma unroll
    for (int b = 0; b < WW_BRACKETS; b++) next[b] = s.joined[b];
    for (uint32_t j = 0; j < many; j++) {
        ww_carrier now[WW_BRACKETS];
#pragma unroll
        for (int b = 0; b < WW_BRACKETS; b++) {
            now[b] = next[b];
            if (j + 1 < many) next[b] = s.joined[(j + 1) * WW_BRACKETS + b];
        }
#pragma unroll
        for (int b = 0; b < WW_BRACKETS; b++) {
            if (!WW_SEGMENTS) now[b].head = 0;
            sum = ww_join(sum, now[b]);
        }
        if (lane == j) kept = sum.value;
    }
    carry = sum.value;
    if (lane < many) publish(a.carried, a.carry, done + lane + 1, kept, 0);
}

/* Joins the sums that are there, if nobody else does, and hands carries to the tiles behind them. One warp, that of `tile`, calls it. */
WW_DEVICE void join_sums(const ordered_arguments &a, ordered_shared &s, uint64_t tile) {
    enum { FURTHER = 512 /* tiles behind its own that a warp serves */ };
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint64_t state = 0, seen[WW_BRACKETS], done, before = 0;
    if (lane == 0) state = ww_load_acquire(a.joined);
    state = ww_lane(state, 0);
    if (state & 1) return;
    done = state / 2;
    look_at_tiles(a, done, seen);
    uint32_t many = tiles_seen(seen), mine = 0;
    if (!many) return;
    if (lane == 0)
        mine = atomicCAS(reinterpret_cast<unsigned long long *>(a.joined), (unsigned long long)state,
                         (unsigned long long)state + 1) == state;
    if (!ww_lane(mine, 0)) return;
    __syncwarp();
    if (done) before = look(a.carried, done);
    ww_item carry = done ? take(before, a.carry, done).value : a.initial;
    while (many && done < tile + FURTHER) {
        uint64_t ahead[WW_BRACKETS];
        acquire();
        look_at_tiles(a, done + many, ahead);
        hand_carries(a, s, done, many, seen, carry);
        done += many;
#pragma unroll
        for (int k = 0; k < WW_BRACKETS; k++) seen[k] = ahead[k];
        many = tiles_seen(seen);
        if (!many && done < tile) {
            look_at_tiles(a, done, seen);
            many = tiles_seen(seen);
        }
    }
    __syncwarp();
    if (lane == 0) ww_store_release(a.joined, 2 * done);
}

/* Tells of the tile's sums and waits for its carry. One warp calls it. */
WW_DEVICE void find_carry(const ordered_arguments &a, ordered_shared &s, uint64_t tile) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    if (tile + 1 < a.tiles && lane < WW_BRACKETS)
        publish(a.known, a.sum, tile * WW_BRACKETS + lane, s.sum[lane], WW_SEGMENTS && s.last_head);
    if (tile == 0) {
        if (lane == 0) s.carry = a.initial;
        return;
    }
    for (;;) {
        uint64_t seen = 0;
        if (lane == 0) seen = look(a.carried, tile);
        if (seen) s.carry = take(seen, a.carry, tile).value;
        if (__any_sync(WW_ALL, seen != 0)) return;
        join_sums(a, s, tile);
        ww_wait_a_moment();
    }
}

WW_DEVICE void put(const ordered_arguments &a, uint64_t i, const ww_item &x) {
#if WW_INTO
    ww_put_into(a.into, i, x);
#else
    a.out[i] = x;
#endif
}

WW_DEVICE void put_total(const ordered_arguments &a, const ww_item &total) {
    *a.total = total;
    if (WW_BEHIND) a.out[a.count] = total;
}

#if WW_SEGMENTS
/* Elements that go between shared memory and registers at once: one thread does that alone. */
enum { TOGETHER = sizeof(ww_item) == 1 || sizeof(ww_item) == 2 || sizeof(ww_item) == 4 || sizeof(ww_item) == 8 ? 8 : 1 };
struct alignas(TOGETHER == 1 ? alignof(ww_item) : sizeof(ww_item) == 1 ? 8 : 16) ww_together {
    ww_item x[TOGETHER];
};

/* x is there with what is before it, sum, or begins a segment; it becomes the result. */
WW_DEVICE void add_next(const ordered_arguments &a, bool head, ww_item &sum, ww_item &x) {
    const ww_item so_far = head ? a.initial : sum, own = x;
    sum = ww_op(so_far, own);
    if (head && !has_initial(a) && !is_exclusive(a)) sum = own;
    x = is_exclusive(a) ? so_far : sum;
}

WW_DEVICE void write_tile(const ordered_arguments &a, ordered_shared &s, uint64_t begin, uint32_t many) {
    if (threadIdx.x == 0) {
        ww_item sum = s.carry;
        ww_together *const x = reinterpret_cast<ww_together *>(s.x), next;
        const uint32_t whole = many / TOGETHER;
        if (whole) next = x[0];
        for (uint32_t i = 0; i < whole; i++) {
            const uint32_t heads = s.heads[i * TOGETHER / 32] >> i * TOGETHER % 32;
            ww_together now = next;
            if (i + 1 < whole) next = x[i + 1];
#pragma unroll
            for (int k = 0; k < TOGETHER; k++) add_next(a, heads >> k & 1, sum, now.x[k]);
            x[i] = now;
        }
        for (uint32_t i = whole * TOGETHER; i < many; i++) add_next(a, s.heads[i / 32] >> i % 32 & 1, sum, s.x[i]);
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < many; i += WW_THREADS) put(a, begin + i, s.x[i]);
}
#else
WW_DEVICE void write_tile(const ordered_arguments &a, ordered_shared &s, uint64_t begin, uint32_t many) {
    const uint32_t there = (many + WW_BRACKET - 1) / WW_BRACKET;
    /* before becomes carry + before; behind the runs the carry alone precedes. */
    for (uint32_t t = threadIdx.x; t < there * (RUNS + 1); t += WW_THREADS) {
        const uint32_t bracket = t / (RUNS + 1), r = t % (RUNS + 1);
        ww_item carry = s.carry;
        for (uint32_t b = 0; b < bracket; b++) carry = ww_op(carry, s.sum[b]);
        if (r && r < RUNS && run_of(bracket_length(many, bracket))) carry = ww_op(carry, s.before[bracket][r]);
        s.before[bracket][r] = carry;
    }
    if (threadIdx.x == 0 && begin + many == a.count && a.total) {
        ww_item carry = s.carry;
        for (uint32_t b = 0; b < there; b++) carry = ww_op(carry, s.sum[b]);
        put_total(a, carry);
    }
    __syncthreads();
    const bool full = many == TILE && WW_BRACKET >= FROM_LEFT;
    for (uint32_t i = threadIdx.x; i < many; i += WW_THREADS) {
        const uint32_t bracket = i / WW_BRACKET;
        uint32_t in = i % WW_BRACKET;
        if (is_exclusive(a) && in == 0) {
            put(a, begin + i, s.before[bracket][0]);
            continue;
        }
        in -= is_exclusive(a);
        uint32_t r = in / RUN;
        if (!full) {
            const uint32_t run = run_of(bracket_length(many, bracket));
            r = run && in < RUNS * run ? in / run : RUNS;
        }
        put(a, begin + i, ww_op(s.before[bracket][r], s.x[bracket * PLACES + place_of(in)]));
    }
}
#endif

WW_DEVICE void scan_tile(const ordered_arguments &a, ordered_shared &s, uint64_t tile) {
    const uint64_t begin = tile * TILE, left = a.count - begin;
    const uint32_t many = left < TILE ? uint32_t(left) : TILE;
    read_tile(a, s, begin, many);
#if WW_SEGMENTS
    sum_after_head(a, s, many);
#else
    sum_brackets(s, many);
#endif
    __syncthreads();
    if (threadIdx.x < WW_WARP) find_carry(a, s, tile);
    __syncthreads();
    write_tile(a, s, begin, many);
}

WW_DEVICE void scan_tiles(const ordered_arguments &a) {
    WW_SHARED_LARGE(ordered_shared, s);
    ww_each_tile(a.chain, a.tiles, s.tile, [&](uint64_t tile) { scan_tile(a, s, tile); });
}

WW_LOOP_KERNEL_HELD(scan_ordered, ordered_arguments, WW_THREADS, WW_HELD) { scan_tiles(ww_counted_tiles(a, TILE)); }
