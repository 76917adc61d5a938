/* What sorts and splits by sweeps know before they move anything: how many keys have each digit, for all sweeps at once, and
 * whether every key has a bucket.
 * Each block counts what it reads in shared memory, in WW_COPIES counters for each bin, so that lanes seldom meet;
 * the block that ends last makes of all counts where each bin begins, and the plan: which sweeps run, and from
 * where to where.
 *
 * A sweep over a digit in which all keys agree would only copy, and does not run. Elements go from the input to the
 * output and to scratch memory in turns, so that the last sweep ends in the output. Where the output is the input,
 * an even number of sweeps runs, of which the first goes to scratch memory; the host has seen to it that the number
 * of digits is even then.
 *
 * While it counts it also looks at neighbours. Keys that are in order already need no sweep, or one that only moves them; keys that
 * descend are left to turn_round.cu, where the host has queued that (RULE_TURNS).
 *
 * Where what some of the highest digits leave is to be sorted otherwise (a.most_in_bucket), and a sample says that they leave no more
 * than so many keys in a bucket, only their sweeps run: see find_prefix.
 *
 * Where all sweeps would run and the keys' bytes are few letters, fewer sweeps run, over their codes (letters.cuh), which
 * count_letters.cu counts. WW_LETTERS: 1 the host has queued that. */
#include "device/kernel/counted.cuh"
#include "radix/bin_begins.cuh"
#include "radix/letters.cuh"
#include "radix/count_arguments.cuh"

/* Whether keys may be sorted by codes of their bytes. */
#ifndef WW_LETTERS
#define WW_LETTERS 0
#endif

enum { RULE_IN_PLACE = 1, RULE_MOVES = 2, RULE_LOOKS = 4, RULE_TURNS = 8, RULE_ALIKE = 16 };

struct count_arguments : count_fixed {
#if WW_BY || WW_CHECKED
    ww_buckets by;
#endif
};

enum { WARPS = WW_THREADS / WW_WARP, TILE = WW_THREADS * WW_ITEMS * WW_ROWS, COUNTERS = WW_SWEEPS * BINS };

struct count_shared {
    uint32_t counter[COUNTERS * WW_COPIES];
    uint32_t last, needed, seen; /* needed: a bit for each sweep */
    uint32_t pairs;              /* of the sample, that agree */
#if WW_LETTERS
    uint32_t letters[BINS / WW_WARP]; /* of 32 bytes each, how many are letters */
#endif
    shared_edges edges;
};

/* Counts N keys, of which the first stands at `position`; item k of row r `stride` * r + k further on. */
template <int N>
WW_DEVICE void count_some(const count_arguments &a, count_shared &s, const ww_digit (&digit)[WW_SWEEPS],
                          const ww_key (&key)[N], uint64_t position, uint32_t stride) {
    ww_numeral number[N];
    bool found[N];
#if WW_BY
    bucket_item item[N];
#pragma unroll
    for (int k = 0; k < N; k++) item[k] = ww_as<bucket_item>(key[k]);
    buckets_of(a.by, s.edges, item, number);
#pragma unroll
    for (int k = 0; k < N; k++) found[k] = number[k] < a.by.many;
#else
#pragma unroll
    for (int k = 0; k < N; k++) number[k] = key[k];
#if !WW_CHECKED /* buckets have no order */
    make_numbers(a.order, number);
#endif
#pragma unroll
    for (int k = 0; k < N; k++) {
#if WW_CHECKED == 1
        found[k] = number[k] < a.by.many;
#elif WW_CHECKED == 2
        found[k] = (uint32_t(number[k] >> a.first) & ((1u << a.bits) - 1)) < a.by.many;
#else
        found[k] = true;
#endif
    }
#endif
#pragma unroll
    for (int k = 0; k < N; k++) {
#if WW_BY || WW_CHECKED
        if (!found[k]) {
            ww_report(a.by.checking, position + uint64_t(k / WW_ITEMS) * stride + k % WW_ITEMS, 0);
            continue;
        }
#endif
#pragma unroll
        for (uint32_t p = 0; p < WW_SWEEPS; p++)
            if (p < a.sweeps) {
                const uint32_t bin = p * BINS + digit_in(number[k], digit[p]);
                atomicAdd(&s.counter[bin * WW_COPIES + threadIdx.x % WW_COPIES], 1u);
            }
    }
    (void)found, (void)position, (void)stride;
}

#if WW_BY || WW_CHECKED
enum { LOOKS = 0 }; /* buckets have no order that keys could be in */
#else
enum { LOOKS = 1 };
#endif

/* How the key at `at` compares with the one before it. */
WW_DEVICE uint32_t seen_between(const count_arguments &a, const ww_key &before, const ww_key &at) {
    const ww_key bits = ww_key(ww_key(ww_key(~ww_key(0)) >> (8 * WW_KEY - a.bits)) << a.first);
    const ww_key x = ww_key(number_of(a.order, before) & bits), y = ww_key(number_of(a.order, at) & bits);
    return x < y ? SEEN_RISE : y < x ? SEEN_FALL : SEEN_EQUAL;
}

/* Looks at N keys, and from the last one to what follows at `next`. A thread that has seen a rise and a fall knows enough: of random
 * keys hardly any is looked at. */
template <int N>
WW_DEVICE void look(const count_arguments &a, const ww_key (&key)[N], uint64_t next, uint32_t &seen) {
    if ((seen & (SEEN_RISE | SEEN_FALL)) == (SEEN_RISE | SEEN_FALL)) return;
#pragma unroll
    for (int k = 1; k < N; k++) seen |= seen_between(a, key[k - 1], key[k]);
    if (next < a.count) seen |= seen_between(a, key[N - 1], a.keys[next]);
}

/* Returns what the thread has seen of neighbours. */
WW_DEVICE uint32_t count_keys(const count_arguments &a, count_shared &s, uint32_t blocks) {
    uint32_t seen = LOOKS && a.rule & RULE_LOOKS ? 0 : SEEN_RISE | SEEN_FALL;
    ww_digit digit[WW_SWEEPS];
#pragma unroll
    for (int p = 0; p < int(WW_SWEEPS); p++) digit[p] = digit_of_sweep(a.sweeps, a.width, a.first, a.bits, p);
    uint64_t first = blockIdx.x * uint64_t(TILE);
    for (; first + TILE <= a.count; first += uint64_t(blocks) * TILE) {
        ww_key x[WW_ROWS][WW_ITEMS], key[WW_ROWS * WW_ITEMS];
        const uint64_t mine = first + threadIdx.x * WW_ITEMS;
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) ww_fetch(a.keys + mine + r * WW_THREADS * WW_ITEMS, x[r]);
#pragma unroll
        for (int k = 0; k < WW_ROWS * WW_ITEMS; k++) key[k] = x[k / WW_ITEMS][k % WW_ITEMS];
        count_some(a, s, digit, key, mine, WW_THREADS * WW_ITEMS);
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) look(a, x[r], mine + (r * WW_THREADS + 1) * WW_ITEMS, seen);
    }
    /* At most one block has the end, which is shorter. */
    if (first < a.count)
        for (uint64_t i = first + threadIdx.x; i < a.count; i += WW_THREADS) {
            const ww_key key[1] = {a.keys[i]};
            count_some(a, s, digit, key, i, 0);
            look(a, key, i + 1, seen);
        }
    return seen;
}

/* Adds what a warp has seen to what the block has. */
WW_DEVICE void share_seen(count_shared &s, uint32_t seen) {
    uint32_t all = 0;
#pragma unroll
    for (uint32_t bit = SEEN_RISE; bit <= SEEN_EQUAL; bit *= 2) all |= __any_sync(WW_ALL, seen & bit) ? bit : 0;
    if (threadIdx.x % WW_WARP == 0) atomicOr(&s.seen, all);
}

/* ---- the prefix ---- */

/* Whether keys may be sorted by their highest digits alone. */
#if WW_KEY >= 8 && !WW_BY && !WW_CHECKED && !WW_COUNT_AT
enum { PREFIXES = 1 };
#else
enum { PREFIXES = 0 };
#endif

/* The lowest of the `many` highest digits of those that are needed. */
WW_DEVICE uint32_t highest_digits(uint32_t needed, uint32_t many) {
    uint32_t digit = 32;
    for (; many; many--) {
        digit = 31 - __clz(int(needed));
        needed &= ~(1u << digit);
    }
    return digit % 32;
}
WW_DEVICE uint32_t lowest_of(const count_arguments &a, uint32_t needed, uint32_t many) {
    return a.first + digit_begin(a.sweeps, a.width, a.bits, highest_digits(needed, many));
}

/* A table of different numbers, each with how often it was there, in place of the counters. */
enum { SLOTS = COUNTERS * WW_COPIES / 2, SAMPLE_MOST = SLOTS / 2 };
static_assert((SLOTS & (SLOTS - 1)) == 0, "a number's first slot is its hash by a mask");

WW_DEVICE uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

/* So many keys are drawn that PAIRS pairs of them are expected to agree if each is in a bucket of a.most_in_bucket. */
WW_DEVICE uint32_t sample_of(const count_arguments &a) {
    enum { PAIRS = 512 };
    const double wanted = sqrt(2.0 * PAIRS * double(a.count) / double(a.most_in_bucket));
    return wanted < SAMPLE_MOST ? uint32_t(wanted) : uint32_t(SAMPLE_MOST);
}

/* Notes a number in the table. Returns how often it has been there before; numbers of equal tags and slots pass for one, of 2^45. */
WW_DEVICE uint32_t note(count_shared &s, ww_key x) {
    const uint64_t hash = mixed(uint64_t(x) ^ mixed(uint64_t(x >> (WW_KEY > 8 ? 64 : 0)) + 1));
    const uint32_t tag = uint32_t(hash >> 32) | 1;
    uint32_t slot = uint32_t(hash) % SLOTS;
    for (;; slot = (slot + 1) % SLOTS) {
        const uint32_t there = atomicCAS(&s.counter[2 * slot], 0u, tag);
        if (!there || there == tag) return atomicAdd(&s.counter[2 * slot + 1], 1u);
    }
}

/* How many pairs of the sample's keys agree from bit `low` on. Drawn at random: in keys that are nearly in order those that stand at
 * equal distances have other buckets. Called by the block. */
WW_DEVICE uint32_t agreeing_pairs(const count_arguments &a, count_shared &s, uint32_t sample, uint32_t low) {
    enum { AT_ONCE = 4 };
    const ww_key bits = ww_key(ww_key(ww_key(~ww_key(0)) >> (8 * WW_KEY - a.bits)) << a.first);
    uint32_t pairs = 0;
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < 2 * SLOTS; k += WW_THREADS) s.counter[k] = 0;
    if (threadIdx.x == 0) s.pairs = 0;
    __syncthreads();
    for (uint32_t first = threadIdx.x; first < sample; first += AT_ONCE * WW_THREADS) {
        ww_key key[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const uint64_t drawn = mixed((first + k * WW_THREADS + 1) * 0x9E3779B97F4A7C15ull) >> 40;
            if (first + k * WW_THREADS < sample) key[k] = a.keys[drawn * a.count >> 24];
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            if (first + k * WW_THREADS < sample) pairs += note(s, ww_key(ww_key(number_of(a.order, key[k]) & bits) >> low));
    }
    if (pairs) atomicAdd(&s.pairs, pairs);
    __syncthreads();
    return s.pairs;
}

/* How many of the highest digits in which keys differ, which are `digits`, are enough: what they leave is sorted on chip, in the
 * time of two sweeps or so. 0: all are swept. The larger the bucket of a key that is drawn at random on average, the more pairs agree.
 *
 * Where that is too much although no two different keys of the sample agree, some keys are frequent, and have buckets of their own,
 * which need no sort: one digit more sees to it that other keys hardly ever share them. Called by the block. */
WW_DEVICE uint32_t find_prefix(const count_arguments &a, count_shared &s, uint32_t digits) {
    enum { TWO_LEAVE = 2, MORE_LEAVE = 3 };
    const uint32_t sample = sample_of(a);
    const double all = double(sample) * double(sample) / 2, most = all * double(a.most_in_bucket) / double(a.count);
    uint32_t equal = 0;
    for (uint32_t p = 2; p + (p == 2 ? TWO_LEAVE : MORE_LEAVE) <= digits; p++) {
        const uint32_t pairs = agreeing_pairs(a, s, sample, lowest_of(a, s.needed, p));
        if (double(pairs) <= (p == 2 ? most : most / 2)) return p;
        if (p == 2) equal = agreeing_pairs(a, s, sample, 0);
        if (pairs == equal) return p + 1 + MORE_LEAVE <= digits ? p + 1 : 0;
    }
    return 0;
}

/* ---- letters ---- */

/* Gives codes to the bytes that keys have anywhere, where these take at most a.letter_bits bits. Each byte is a digit, and it is known
 * where its bins begin. Returns the bits, or 0. Called by the block. */
#if WW_LETTERS
WW_DEVICE uint32_t find_letters(const count_arguments &a, count_shared &s) {
    const uint32_t byte = threadIdx.x, warp = byte / WW_WARP;
    bool found = false;
    if (byte < BINS)
        for (uint32_t p = 0; p < LETTER_BYTES; p++)
            found |= (byte + 1 < BINS ? a.counts[p * BINS + byte + 1] : a.count) != a.counts[p * BINS + byte];
    const uint32_t among = __ballot_sync(WW_ALL, found);
    if (byte < BINS && byte % WW_WARP == 0) s.letters[warp] = __popc(among);
    __syncthreads();
    uint32_t before = 0, all = 0;
    for (uint32_t w = 0; w < BINS / WW_WARP; w++) {
        before += w < warp ? s.letters[w] : 0;
        all += s.letters[w];
    }
    const uint32_t code = before + __popc(among & ((1u << byte % WW_WARP) - 1)), bits = 32 - __clz(int(all - 1));
    const bool codes = bits <= a.letter_bits;
    if (found && codes) {
        a.letters->code[byte] = uint8_t(code);
        a.letters->letter[code] = uint8_t(byte);
    }
    if (byte == 0) a.letters->bits = codes ? bits : 0;
    return codes ? bits : 0;
}
#else
WW_DEVICE uint32_t find_letters(const count_arguments &, count_shared &) { return 0; }
#endif

/* Whether turning keys round sorts them: equal ones lose their order by that. */
WW_DEVICE bool turns(const count_arguments &a, uint32_t seen) {
    return a.rule & RULE_TURNS && seen & SEEN_FALL && !(seen & SEEN_RISE) && (a.rule & RULE_ALIKE || !(seen & SEEN_EQUAL));
}

/* `prefix`: of so many digits, or 0. `letter_bits`: of codes, or 0. By one thread. */
WW_DEVICE void make_plan(const count_arguments &a, const count_shared &s, uint32_t prefix, uint32_t letter_bits, bool turned) {
    const uint32_t low = highest_digits(s.needed, prefix);
    uint32_t needed = letter_bits ? (1u << letter_bits) - 1 : prefix ? s.needed & ~0u << low : s.needed;
    const bool neighbours = prefix == 2 && needed >> low == 3;
    *a.prefix = !prefix ? NO_PREFIX : a.first + digit_begin(a.sweeps, a.width, a.bits, low) + (neighbours ? 0 : PREFIX_CUT);
    *a.seen = turned ? TURNED : 0;
    if (turned) return;
    uint32_t many = __popc(needed), wanted = many;
    if (!wanted && a.rule & RULE_MOVES) wanted = 1;
    if (a.rule & RULE_IN_PLACE) wanted += wanted & 1;
    for (uint32_t p = a.sweeps; p > 0 && many < wanted; p--) {
        if (needed >> (p - 1) & 1) continue;
        needed |= 1u << (p - 1);
        many++;
    }
    uint32_t from = PLACE_INPUT, turn = 0;
    for (uint32_t p = 0; p < a.sweeps; p++) {
        uint32_t plan = 0;
        if (needed >> p & 1) {
            const uint32_t to = (many - turn) % 2 ? PLACE_OUTPUT : PLACE_SCRATCH;
            plan = SWEEP_RUNS + from * SWEEP_FROM + to * SWEEP_TO + turn % 2 * SWEEP_ODD;
            if (letter_bits)
                plan += SWEEP_CODED + (turn == 0 ? SWEEP_CODES : 0) + (turn == many - 1 ? SWEEP_DECODES : 0);
            from = to;
            turn++;
        }
        a.plan[p] = plan;
    }
}

WW_DEVICE void count_all(const count_arguments &a) {
    WW_SHARED_LARGE(count_shared, s);
    const uint32_t blocks = ww_counted_blocks((a.count + TILE - 1) / TILE);
#if WW_COUNT_AT
    if (a.count <= a.most_in_block || blockIdx.x >= blocks) return; /* with a plan of no sweeps */
#endif
    if (a.done && *a.done) {
        if (threadIdx.x == 0 && blockIdx.x == 0) *a.prefix = NO_PREFIX;
        return;
    }
    for (uint32_t k = threadIdx.x; k < a.sweeps * BINS * WW_COPIES; k += WW_THREADS) s.counter[k] = 0;
    if (threadIdx.x == 0) s.needed = s.seen = 0;
#if WW_BY || WW_CHECKED
    if (ww_stopped(a.by.checking)) return;
    load_edges(a.by, s.edges);
#endif
    __syncthreads();
    share_seen(s, count_keys(a, s, blocks));
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < a.sweeps * BINS; b += WW_THREADS) {
        uint32_t sum = 0; /* each lane begins with another copy: they lie in different banks */
#pragma unroll
        for (uint32_t k = 0; k < WW_COPIES; k++) sum += s.counter[b * WW_COPIES + (k + threadIdx.x) % WW_COPIES];
        if (sum) atomicAdd(a.counts + b, uint64_t(sum));
    }
    if (threadIdx.x == 0) atomicOr(a.seen, s.seen);
    __syncthreads();
    if (threadIdx.x == 0) s.last = ww_add_acq_rel(a.ticket, 1) == blocks - 1;
    __syncthreads();
    if (!s.last) return;
    for (uint32_t p = threadIdx.x / WW_WARP; p < a.sweeps; p += WARPS) {
        const uint64_t most = begin_bins(a.counts + p * BINS);
        if (threadIdx.x % WW_WARP == 0 && most < a.count) atomicOr(&s.needed, 1u << p); /* keys differ in the digit */
    }
    const uint32_t seen = ww_load_relaxed(a.seen);
    const bool turned = turns(a, seen);
    __syncthreads();
    if (threadIdx.x == 0 && (turned || !(seen & SEEN_FALL))) s.needed = 0;
    __syncthreads();
    const uint32_t prefix = PREFIXES && a.most_in_bucket ? find_prefix(a, s, __popc(s.needed)) : 0;
    const bool whole = !prefix && s.needed == (1u << LETTER_BYTES) - 1;
    const uint32_t letter_bits = whole ? find_letters(a, s) : 0;
    if (threadIdx.x == 0) make_plan(a, s, prefix, letter_bits, turned);
}

WW_LOOP_KERNEL(count_digits, count_arguments, WW_THREADS) {
#if !WW_COUNT_AT
    ww_launch_next();
#endif
    count_all(ww_counted(a));
}
