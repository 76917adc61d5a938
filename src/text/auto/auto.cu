/* Finding a pattern in one pass over the text.
 *
 * A window of the pattern is looked for: its rarest 8 characters, or all of a shorter one. A warp reads rows of 32 pieces of 16
 * bytes; each lane sees the windows that begin in its piece, 4 overlapping ones a word by funnel shifts, with the words
 * behind from the next lane. A window goes into one number by multiplying and adding, which the multipliers do beside
 * everything else, and is compared once. That number loses nothing of up to 4 bytes, where the factor shifts what is
 * too much out at the top; of 8 bytes it is a fingerprint. Where it agrees, which is rare, the window itself is
 * compared, and, where the pattern is longer, the pattern (by the lane; by the warp where it is long).
 *
 * Marks of what is left stand in shared memory, a bit for each window. A tile without any tells the tiles behind, and is
 * done; but each 32nd looks back in any case, so that nobody has to look back far. Others write positions in order.
 *
 * Comparing candidates has a budget; whoever exceeds it says so in the state, and the launch behind (auto_again.cu) finds all
 * of it again. What was found by then is right, but there may be more.
 *
 * WW_WORDS: words that a window goes over, 1 or 2. WW_LONG: the pattern is longer than its window, or the window is compared
 * loosely. WW_INLINE_WORDS: of the pattern's image, in the arguments. WW_ROWS: that a warp reads at once; WW_ROUNDS: how
 * often. */
#include "text/auto/auto.cuh"

enum {
    PIECE = 16, /* bytes */
    IN_PIECE = PIECE * 8 / WW_BITS,
    MARK_WORDS = IN_PIECE < 32 ? 1 : IN_PIECE / 32, /* of a piece */
    PIECES = WW_THREADS * WW_ROWS * WW_ROUNDS,
    TILE_BYTES = PIECES * PIECE,
    TILE = PIECES * IN_PIECE,
    TILE_WORDS = TILE / 32,
    OWN_WORDS = TILE_WORDS / WW_THREADS,
    LOOKS_BACK = 32,    /* one tile in so many, at least */
    LANE_WORDS = 16,    /* patterns up to so long are compared by a lane */
    BATCH = 8,          /* words that a lane compares at once */
    LETTERS = 0x20202020
};

struct find_arguments : find_fixed {
#if WW_LONG && WW_INLINE_WORDS
    uint32_t image[WW_INLINE_WORDS];
#endif
};

struct find_shared {
#if WW_BITS == 8
    uint16_t marks[PIECES];
#else
    uint32_t marks[TILE_WORDS];
#endif
    uint64_t before;
    uint32_t tile, of_warp[WARPS];
};

struct piece_marks {
    uint32_t word[MARK_WORDS];
};

/* ---- marks ---- */

WW_DEVICE uint32_t mark_word(const find_shared &s, uint32_t w) {
#if WW_BITS == 8
    return s.marks[2 * w] | uint32_t(s.marks[2 * w + 1]) << 16;
#else
    return s.marks[w];
#endif
}

WW_DEVICE void set_mark_word(find_shared &s, uint32_t w, uint32_t bits) {
#if WW_BITS == 8
    s.marks[2 * w] = uint16_t(bits);
    s.marks[2 * w + 1] = uint16_t(bits >> 16);
#else
    s.marks[w] = bits;
#endif
}

WW_DEVICE void keep_marks(find_shared &s, uint32_t piece, const piece_marks &m) {
#if WW_BITS == 8
    s.marks[piece] = uint16_t(m.word[0]);
#else
#pragma unroll
    for (int w = 0; w < MARK_WORDS; w++) s.marks[piece * MARK_WORDS + w] = m.word[w];
#endif
}

/* The tile's first character; those of bits of marks follow. */
WW_DEVICE uint64_t tile_begin(const find_arguments &a, uint64_t tile) {
    return (a.origin + tile * TILE_BYTES) * (8 / WW_BITS);
}

/* ---- windows ---- */

/* The word that begins at character k of a piece and the words behind. */
WW_DEVICE uint32_t word_at(const uint32_t (&x)[6], int k) {
    const int word = k / CHARACTERS, shift = k % CHARACTERS * WW_BITS;
    return shift ? __funnelshift_r(x[word], x[word + 1], shift) : x[word];
}

/* Whether any window that begins in the piece may be the sought one. */
WW_DEVICE bool piece_has(const find_arguments &a, const uint32_t (&x)[6]) {
    bool any = false;
#pragma unroll
    for (int k = 0; k < IN_PIECE; k++) {
        uint32_t print = word_at(x, k) * a.factor[0];
        if (WW_WORDS == 2) print += word_at(x, k + CHARACTERS) * a.factor[1];
        any |= print == a.sought;
    }
    return any;
}

WW_DEVICE piece_marks windows_in(const find_arguments &a, const uint32_t (&x)[6]) {
    piece_marks m;
#pragma unroll
    for (int w = 0; w < MARK_WORDS; w++) m.word[w] = 0;
#pragma unroll
    for (int k = 0; k < IN_PIECE; k++) {
        uint32_t differ = (word_at(x, k) ^ a.window[0]) & a.keep[0];
        if (WW_WORDS == 2) differ |= (word_at(x, k + CHARACTERS) ^ a.window[1]) & a.keep[1];
        if (!differ) m.word[k / 32] |= 1u << (k % 32);
    }
    return m;
}

/* Takes away the marks of windows that no start has. `from`: the piece's first character. */
WW_DEVICE void clip(const find_arguments &a, uint64_t from, piece_marks &m) {
#pragma unroll
    for (int k = 0; k < IN_PIECE; k++)
        if (from + k < a.first || from + k >= a.past) m.word[k / 32] &= ~(1u << (k % 32));
}

template <bool whole> WW_DEVICE ww_sixteen read_piece(const find_arguments &a, uint64_t byte) {
    if (whole) return *reinterpret_cast<const ww_sixteen *>(a.text.base + byte);
    ww_sixteen x;
#pragma unroll
    for (int w = 0; w < 4; w++) x.word[w] = text_word(a.text, byte / 4 + w);
    return x;
}

/* Marks the windows that begin in this thread's pieces of a round; whether there are any. Every lane of the warp calls it. */
template <bool whole> WW_DEVICE bool windows_of_round(const find_arguments &a, find_shared &s, uint64_t tile, uint32_t round) {
    const uint32_t lane = threadIdx.x % WW_WARP, part = threadIdx.x / WW_WARP * WW_ROUNDS + round;
    const uint64_t row = a.origin + tile * TILE_BYTES + part * (WW_ROWS * WW_WARP * PIECE), mine = row + lane * PIECE;
    ww_sixteen piece[WW_ROWS + 1]; /* of the one behind the last row, lane 0 has what follows lane 31's */
    bool any = false;
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) piece[r] = read_piece<whole>(a, mine + r * (WW_WARP * PIECE));
    const uint32_t own = part * (WW_ROWS * WW_WARP) + lane;
    const piece_marks none = {};
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) keep_marks(s, own + r * WW_WARP, none);
    piece[WW_ROWS].word[0] = piece[WW_ROWS].word[1] = 0;
    if (lane == 0) {
        const uint64_t behind = row + WW_ROWS * WW_WARP * PIECE;
        if (whole) {
            const ww_eight x = *reinterpret_cast<const ww_eight *>(a.text.base + behind);
            piece[WW_ROWS].word[0] = x.word[0];
            piece[WW_ROWS].word[1] = x.word[1];
        } else {
            piece[WW_ROWS].word[0] = text_word(a.text, behind / 4);
            piece[WW_ROWS].word[1] = text_word(a.text, behind / 4 + 1);
        }
    }
#pragma unroll
    for (int r = 0; r < WW_ROWS; r++) {
        uint32_t x[6];
#pragma unroll
        for (int w = 0; w < 4; w++) x[w] = piece[r].word[w];
        x[5] = 0;
#pragma unroll
        for (int w = 0; w < WW_WORDS; w++)
            x[4 + w] = __shfl_sync(WW_ALL, lane == 0 ? piece[r + 1].word[w] : piece[r].word[w], (lane + 1) % WW_WARP);
#if WW_FOLD
#pragma unroll
        for (int w = 0; w < 6; w++) x[w] |= LETTERS;
#endif
        if (piece_has(a, x)) {
            piece_marks marks = windows_in(a, x);
            if (!whole) clip(a, (mine + r * (WW_WARP * PIECE)) * (8 / WW_BITS), marks);
#pragma unroll
            for (int w = 0; w < MARK_WORDS; w++) any |= marks.word[w] != 0;
            keep_marks(s, own + r * WW_WARP, marks);
        }
    }
    return any;
}

template <bool whole> WW_DEVICE bool find_windows(const find_arguments &a, find_shared &s, uint64_t tile) {
    bool any = false;
#pragma unroll 1
    for (uint32_t round = 0; round < WW_ROUNDS; round++) any |= windows_of_round<whole>(a, s, tile, round);
    return any;
}

/* ---- candidates ---- */

#if WW_LONG

WW_DEVICE const uint32_t *image_of(const find_arguments &a) {
#if WW_INLINE_WORDS
    return a.pattern.memory ? a.pattern.memory : a.image;
#else
    return a.pattern.memory;
#endif
}

WW_DEVICE bool lane_fits(const find_arguments &a, const uint32_t *image, uint64_t bit) {
    uint32_t differ = 0;
    for (uint32_t w = 0; w < a.pattern.words && !differ; w++)
        differ = (text_bits(a.text, bit + 32 * uint64_t(w)) ^ image[w]) & image_keeps(a.pattern, image, w);
    return !differ;
}

/* `inside`: words around the pattern's place are all of the text. */
template <bool inside>
WW_DEVICE bool warp_fits(const find_arguments &a, const uint32_t *image, uint64_t bit, uint32_t &spent) {
    const uint32_t lane = threadIdx.x % WW_WARP, words = a.pattern.words, shift = uint32_t(bit % 32);
    const uint32_t *text = reinterpret_cast<const uint32_t *>(a.text.base) + bit / 32;
    for (uint32_t from = 0; from < words; from += BATCH * WW_WARP) {
        uint32_t differ = 0;
#pragma unroll
        for (uint32_t b = 0; b < BATCH; b++) {
            const uint32_t next = from + b * WW_WARP + lane, w = next < words ? next : words - 1;
            const uint32_t x = inside ? __funnelshift_r(text[w], text[w + 1], shift) : text_bits(a.text, bit + 32 * uint64_t(w));
            differ |= (x ^ image[w]) & image_keeps(a.pattern, image, w);
        }
        spent += BATCH * WW_WARP * 4;
        if (__any_sync(WW_ALL, differ != 0)) return false;
    }
    return true;
}

/* Compares the candidates of a word of this lane's; returns those that are matches. `first`: the bits of the first one. */
WW_DEVICE uint32_t lane_compare(const find_arguments &a, uint32_t candidates, uint64_t first, uint32_t &spent) {
    const uint32_t *image = image_of(a);
    uint32_t kept = candidates;
    for (; candidates; candidates &= candidates - 1) {
        const uint32_t k = __ffs(int(candidates)) - 1;
        if (!lane_fits(a, image, first + k * WW_BITS)) kept &= ~(1u << k);
        spent += a.pattern.words * 4;
    }
    return kept;
}

/* The same by the warp, for the words of all lanes. */
WW_DEVICE uint32_t warp_compare(const find_arguments &a, uint32_t candidates, uint64_t first, uint32_t &spent) {
    const uint32_t *image = image_of(a), lane = threadIdx.x % WW_WARP;
    uint32_t kept = candidates;
    for (uint32_t lanes; (lanes = __ballot_sync(WW_ALL, candidates != 0)) != 0;) {
        const int from = __ffs(int(lanes)) - 1;
        const uint32_t k = __ffs(int(__shfl_sync(WW_ALL, candidates, from))) - 1;
        const uint64_t bit = __shfl_sync(WW_ALL, first, from) + k * WW_BITS, byte = bit / 32 * 4;
        const bool affordable = spent < a.limit_warp;
        const bool inside = byte >= a.text.begin && byte + 4 * (uint64_t(a.pattern.words) + 1) <= a.text.end;
        const bool fits = affordable && (inside ? warp_fits<true>(a, image, bit, spent) : warp_fits<false>(a, image, bit, spent));
        if (lane == uint32_t(from)) {
            candidates &= candidates - 1;
            if (!fits) kept &= ~(1u << k);
        }
        if (!affordable) {
            if (lane == 0) ww_store_relaxed(&a.state->exceeded, 1u);
            return 0;
        }
    }
    return kept;
}

/* Takes away the marks of this warp's windows around which the pattern does not fit. The lanes have written them. */
WW_DEVICE void compare_candidates(const find_arguments &a, find_shared &s, uint64_t tile) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP, words = TILE_WORDS / WARPS;
    uint32_t spent = 0;
    __syncwarp();
    const bool over = __any_sync(WW_ALL, ww_load_relaxed(&a.state->exceeded) != 0);
    for (uint32_t k = 0; k < words; k += WW_WARP) {
        const uint32_t w = warp * words + k + lane;
        const bool there = k + lane < words;
        const uint32_t candidates = there && !over ? mark_word(s, w) : 0;
        const uint64_t first = (tile_begin(a, tile) + uint64_t(w) * 32 - a.at) * WW_BITS;
        const uint32_t kept = a.pattern.words <= LANE_WORDS ? lane_compare(a, candidates, first, spent)
                                                            : warp_compare(a, candidates, first, spent);
        if (there) set_mark_word(s, w, kept);
    }
    if (a.pattern.words <= LANE_WORDS)
#pragma unroll
        for (int by = 1; by < WW_WARP; by *= 2) spent += __shfl_xor_sync(WW_ALL, spent, by);
    if (lane == 0 && spent && atomicAdd(&a.state->work, uint64_t(spent)) + spent > a.limit)
        ww_store_relaxed(&a.state->exceeded, 1u);
}

#endif

/* ---- results ---- */

/* This thread's marks: OWN_WORDS neighbouring words. */
WW_DEVICE uint32_t own_word(const find_shared &s, int k) { return mark_word(s, threadIdx.x * OWN_WORDS + k); }

/* Writes a tile's positions: each thread those of its words, or, where there are many, the warps together, whole lines. */
WW_DEVICE void list_tile(const find_arguments &a, const find_shared &s, uint64_t tile, uint32_t before, uint32_t all) {
    const uint64_t start = tile_begin(a, tile) - a.first; /* below 0 in the first tile, whose marks make up for it */
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    uint64_t rank = s.before + before;
    if (all < TILE / 16) {
#pragma unroll
        for (int k = 0; k < OWN_WORDS; k++) {
            const uint32_t bits = own_word(s, k);
            put_positions(a.results, bits, rank, start + (threadIdx.x * OWN_WORDS + k) * 32);
            rank += __popc(bits);
        }
        return;
    }
    rank = __shfl_sync(WW_ALL, rank, 0);
    for (uint32_t k = 0; k < WW_WARP * OWN_WORDS; k++) {
        const uint32_t w = warp * (WW_WARP * OWN_WORDS) + k, bits = mark_word(s, w);
        if (bits >> lane & 1) put_position(a.results, rank + __popc(bits & ((1u << lane) - 1)), start + w * 32 + lane);
        rank += __popc(bits);
    }
}

/* Tells the tiles behind how many matches this one has, and finds how many there are before. By one warp. */
WW_DEVICE void find_before(const find_arguments &a, find_shared &s, uint64_t tile, uint32_t all) {
    ww_count_far_before(a.chain, tile, all, [&](uint64_t before, uint64_t with_these) {
        s.before = before;
        if (tile + 1 == a.tiles) *a.results.total = ww_count(with_these);
    });
}

/* A tile without matches. */
WW_DEVICE void pass_by(const find_arguments &a, find_shared &s, uint64_t tile) {
    if (threadIdx.x >= WW_WARP) return;
    if (tile % LOOKS_BACK == LOOKS_BACK - 1 || tile == 0 || tile + 1 == a.tiles) {
        find_before(a, s, tile, 0);
    } else if (threadIdx.x == 0) {
        ww_carrier none;
        none.many = 0;
        ww_publish(a.chain, tile, WW_OWN_SUM, none);
    }
}

/* The first or last of this thread's matches. */
WW_DEVICE void improve_best(const find_arguments &a, const find_shared &s, uint64_t tile) {
    const uint64_t start = tile_begin(a, tile) - a.first;
#pragma unroll
    for (int k = 0; k < OWN_WORDS; k++) {
        const uint32_t bits = own_word(s, k);
        const uint64_t from = start + (threadIdx.x * OWN_WORDS + k) * 32;
        if (!bits) continue;
        if (WW_WANT == FIND_FIRST)
            atomicMin(a.results.best, from + (__ffs(int(bits)) - 1));
        else /* as signed numbers, of which "none" is the lowest */
            atomicMax(reinterpret_cast<int64_t *>(a.results.best), int64_t(from + (31 - __clz(int(bits)))));
    }
}

/* Sets the marks of starts, which are 0 before: words of windows lie across them. */
WW_DEVICE void mark_starts(const find_arguments &a, const find_shared &s, uint64_t tile) {
    const int64_t start = int64_t(tile_begin(a, tile) - a.first);
#pragma unroll
    for (int k = 0; k < OWN_WORDS; k++) {
        const uint32_t bits = own_word(s, k);
        if (!bits) continue;
        const int64_t from = start + int64_t((threadIdx.x * OWN_WORDS + k) * 32), word = from >> 5;
        const uint32_t shift = uint32_t(from & 31), low = bits << shift, high = shift ? bits >> (32 - shift) : 0;
        if (low) atomicOr(a.results.marks + word, low);
        if (high) atomicOr(a.results.marks + word + 1, high);
    }
}

/* Whether a match is known that no match in this tile is better than. */
WW_DEVICE bool is_late(const find_arguments &a, uint64_t tile) {
    if (WW_WANT == FIND_FIRST) {
        const uint64_t begin = tile_begin(a, tile);
        return ww_load_relaxed(a.results.best) <= (begin < a.first ? 0 : begin - a.first);
    }
    if (WW_WANT == FIND_LAST) return int64_t(ww_load_relaxed(a.results.best)) >= int64_t(tile_begin(a, tile + 1) - a.first) - 1;
    return false;
}

WW_DEVICE uint64_t which_tile(const find_arguments &a, find_shared &s) {
    if (WW_WANT == FIND_ALL) return ww_take_tile(a.chain, s.tile);
    return WW_WANT == FIND_LAST ? a.tiles - 1 - blockIdx.x : blockIdx.x;
}

/* Clears what kernels behind share. The first of them begins to read the text meanwhile. */
WW_GPU_KERNEL(clear_state, clear_arguments, WW_THREADS) {
    ww_launch_next();
    for (uint64_t i = blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x; i < a.words; i += gridDim.x * uint64_t(WW_THREADS))
        a.word[i] = 0;
}

WW_GPU_KERNEL_HELD(find_pattern_once, find_arguments, WW_THREADS, WW_HELD) {
    WW_SHARED(find_shared, s);
    ww_launch_next();
    if (WW_WANT != FIND_ALL || !WW_STARTED_IN_ORDER) ww_wait_before();
    const uint64_t tile = which_tile(a, s), begin = a.origin + tile * TILE_BYTES;
    if ((WW_WANT == FIND_FIRST || WW_WANT == FIND_LAST) && __syncthreads_or(is_late(a, tile))) return;
    const bool whole = begin >= a.text.begin && begin + TILE_BYTES + PIECE <= a.text.end && tile_begin(a, tile) >= a.first &&
                       tile_begin(a, tile + 1) <= a.past;
    const bool any = whole ? find_windows<true>(a, s, tile) : find_windows<false>(a, s, tile);
    ww_wait_before();
    if (!__syncthreads_or(any)) {
        if (WW_WANT == FIND_ALL) pass_by(a, s, tile);
        return;
    }
#if WW_LONG
    compare_candidates(a, s, tile);
#endif
    __syncthreads();
    if (WW_WANT == FIND_MARKS) return mark_starts(a, s, tile);
    if (WW_WANT != FIND_ALL) return improve_best(a, s, tile);
    uint32_t own = 0, all;
#pragma unroll
    for (int k = 0; k < OWN_WORDS; k++) own += __popc(own_word(s, k));
    const uint32_t before = block_ranks(s.of_warp, own, all);
    if (!all) return pass_by(a, s, tile);
    if (threadIdx.x < WW_WARP) find_before(a, s, tile, all);
    __syncthreads();
    list_tile(a, s, tile, before, all);
}
