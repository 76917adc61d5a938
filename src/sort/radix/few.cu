/* Sorts keys of which there are FEW different ones or fewer, without values, by counting how often each comes: tally_few reads all
 * keys once, fill_few writes as many of each. Which they are a sample tells; every block takes the same one. Where the sample has
 * too many, or misled, nothing is done, and the board does not say DONE. */
#include "radix/digits.cuh"

enum { FEW = 16, SAMPLE_ROWS = 8, SAMPLE = SAMPLE_ROWS * WW_WARP };

/* What blocks tell one another, 0 before the launch. */
struct few_board {
    uint32_t done; /* how many different keys there are, once it is known that there are no others */
    uint32_t others, ticket, unused;
    uint64_t tally[FEW], end[FEW]; /* of each key; where they end, in order */
    ww_key key[FEW];               /* in order */
};

#include "sort/radix/few_arguments.cuh"

struct few_shared {
    ww_key key[FEW];
    uint64_t tally[FEW];
    uint32_t many, others, last;
};

/* Puts the sample's different keys to `found`; returns how many there are, FEW + 1 where they are more. Called by a warp. */
WW_DEVICE uint32_t find_few(const few_arguments &a, ww_key *found) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    uint32_t left = (1u << SAMPLE_ROWS) - 1; /* a bit for each of a lane's keys that was not found yet */
    ww_key own[SAMPLE_ROWS];
#pragma unroll
    for (int r = 0; r < SAMPLE_ROWS; r++) own[r] = a.keys[(r * WW_WARP + lane) * (a.count / SAMPLE)];
    for (uint32_t many = 0;; many++) {
        const uint32_t lanes = __ballot_sync(WW_ALL, left != 0);
        if (!lanes || many == FEW) return lanes ? FEW + 1 : many;
        if (lane == uint32_t(__ffs(int(lanes)) - 1)) {
            ww_key next = own[0];
#pragma unroll
            for (int r = SAMPLE_ROWS - 1; r > 0; r--)
                if (!(left & ((1u << r) - 1))) next = left >> r & 1 ? own[r] : next;
            found[many] = next;
        }
        __syncwarp();
        const ww_key key = found[many];
#pragma unroll
        for (int r = 0; r < SAMPLE_ROWS; r++)
            if (own[r] == key) left &= ~(1u << r);
    }
}

/* Adds N keys to the thread's tallies; returns how many of them are none of the few. */
template <int N>
WW_DEVICE uint32_t tally(const few_shared &s, const ww_key (&key)[N], uint32_t (&tallies)[FEW]) {
    uint32_t known = 0;
#pragma unroll
    for (uint32_t d = 0; d < FEW; d++) {
        if (d >= s.many) break;
        const ww_key one = s.key[d];
        uint32_t equal = 0;
#pragma unroll
        for (int k = 0; k < N; k++) equal += key[k] == one;
        tallies[d] += equal;
        known += equal;
    }
    return N - known;
}

/* A thread that meets another key goes no further. Returns whether it did. */
WW_DEVICE bool tally_keys(const few_arguments &a, const few_shared &s, uint32_t (&tallies)[FEW]) {
    enum { TILE = WW_THREADS * WW_ITEMS * WW_ROWS };
    uint32_t others = 0;
    uint64_t first = blockIdx.x * uint64_t(TILE);
    for (; first + TILE <= a.count && !others; first += uint64_t(gridDim.x) * TILE) {
        ww_key x[WW_ROWS][WW_ITEMS], key[WW_ROWS * WW_ITEMS];
        const uint64_t mine = first + threadIdx.x * WW_ITEMS;
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) ww_fetch(a.keys + mine + r * WW_THREADS * WW_ITEMS, x[r]);
#pragma unroll
        for (int k = 0; k < WW_ROWS * WW_ITEMS; k++) key[k] = x[k / WW_ITEMS][k % WW_ITEMS];
        others = tally(s, key, tallies);
    }
    /* At most one block has the end, which is shorter. */
    if (first < a.count && !others)
        for (uint64_t i = first + threadIdx.x; i < a.count && i < first + TILE; i += WW_THREADS) {
            const ww_key key[1] = {a.keys[i]};
            others += tally(s, key, tallies);
        }
    return others != 0;
}

/* Puts the few in order, and finds where each one's keys end. Called by a warp. */
WW_DEVICE void order_few(const few_arguments &a, const few_shared &s) {
    few_board &b = *a.board;
    const uint32_t lane = threadIdx.x % WW_WARP;
    if (lane >= s.many) return;
    const ww_key key = s.key[lane];
    uint32_t rank = 0;
    uint64_t end = 0;
    for (uint32_t d = 0; d < s.many; d++) {
        const bool before = number_of(a.order, s.key[d]) < number_of(a.order, key);
        rank += before;
        if (before || d == lane) end += ww_load_relaxed(&b.tally[d]);
    }
    b.key[rank] = key;
    b.end[rank] = end;
    if (lane == 0) b.done = s.many;
}

WW_GPU_KERNEL(tally_few, few_arguments, WW_THREADS) {
    WW_SHARED(few_shared, s);
    few_board &b = *a.board;
    uint32_t tallies[FEW] = {};
    if (threadIdx.x < FEW) s.tally[threadIdx.x] = 0;
    if (threadIdx.x == 0) s.others = 0;
    if (threadIdx.x < WW_WARP) {
        const uint32_t many = find_few(a, s.key);
        if (threadIdx.x == 0) s.many = many;
    }
    __syncthreads();
    if (s.many > FEW) return; /* so does every block */
    if (tally_keys(a, s, tallies)) atomicOr(&s.others, 1u);
#pragma unroll
    for (uint32_t d = 0; d < FEW; d++) {
        if (d >= s.many) break;
        uint32_t sum = tallies[d];
#pragma unroll
        for (int by = 1; by < WW_WARP; by *= 2) sum += __shfl_xor_sync(WW_ALL, sum, by);
        if (threadIdx.x % WW_WARP == 0 && sum) atomicAdd(&s.tally[d], uint64_t(sum));
    }
    __syncthreads();
    if (threadIdx.x < s.many && s.tally[threadIdx.x]) atomicAdd(&b.tally[threadIdx.x], s.tally[threadIdx.x]);
    if (threadIdx.x == 0 && s.others) atomicOr(&b.others, 1u);
    __syncthreads();
    if (threadIdx.x == 0) s.last = ww_add_acq_rel(&b.ticket, 1) == gridDim.x - 1;
    __syncthreads();
    if (s.last && threadIdx.x < WW_WARP && !ww_load_relaxed(&b.others)) order_few(a, s);
}

WW_GPU_KERNEL(fill_few, few_arguments, WW_THREADS) {
    WW_SHARED(few_shared, s);
    enum { TILE = WW_THREADS * WW_ITEMS * WW_ROWS };
    const few_board &b = *a.board;
    const uint32_t many = b.done;
    if (!many) return;
    if (threadIdx.x < many) {
        s.key[threadIdx.x] = b.key[threadIdx.x];
        s.tally[threadIdx.x] = b.end[threadIdx.x];
    }
    __syncthreads();
    uint32_t d = 0;
    for (uint64_t first = blockIdx.x * uint64_t(TILE); first < a.count; first += uint64_t(gridDim.x) * TILE)
#pragma unroll
        for (int r = 0; r < WW_ROWS; r++) {
            const uint64_t mine = first + (r * WW_THREADS + threadIdx.x) * WW_ITEMS;
            ww_key x[WW_ITEMS];
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++) {
                while (d + 1 < many && mine + k >= s.tally[d]) d++;
                x[k] = s.key[d];
            }
            if (mine + WW_ITEMS <= a.count) {
                ww_put(a.keys_out + mine, x);
                continue;
            }
#pragma unroll
            for (int k = 0; k < WW_ITEMS; k++)
                if (mine + k < a.count) a.keys_out[mine + k] = x[k];
        }
}
