/* Tiles in rows: a warp has WW_ROWS rows of 32 batches of WW_ITEMS neighbours, a batch of each row a thread. What is said
 * of a thread's elements are the bits r * WW_ITEMS + k of a word. */
#ifndef WW_ROWS_CUH
#define WW_ROWS_CUH

enum { WARPS = WW_THREADS / WW_WARP, ROW = WW_WARP * WW_ITEMS, TILE = WW_THREADS * WW_ROWS * WW_ITEMS };

/* Where this thread's first element stands in its tile; batches of further rows stand ROW further on each. */
WW_DEVICE uint32_t place_in_tile() {
    return (threadIdx.x / WW_WARP * WW_ROWS * WW_WARP + threadIdx.x % WW_WARP) * WW_ITEMS;
}

/* A bit for each element of row r. */
WW_DEVICE uint32_t bits_of_row(uint32_t bits, int r) { return bits >> (r * WW_ITEMS) & ((1u << WW_ITEMS) - 1); }

/* For each row how many bits are set before this lane's batch, in the warp; returns how many are set in all of it. All
 * rows are scanned at once, their counts in fields of FIELD bits, 8 or 16, that ROW fits in. */
template <int FIELD> WW_DEVICE uint32_t warp_ranks(uint32_t bits, uint32_t (&rank)[WW_ROWS]) {
    const int FIELDS = 32 / FIELD, WORDS = (WW_ROWS + FIELDS - 1) / FIELDS;
    const uint32_t lane = threadIdx.x % WW_WARP, field = (1u << FIELD) - 1;
    uint32_t sum[WORDS], own[WORDS], whole = 0;
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        own[w] = 0;
#pragma unroll
        for (int r = w * FIELDS; r < (w + 1) * FIELDS && r < WW_ROWS; r++)
            own[w] |= uint32_t(__popc(bits_of_row(bits, r))) << (r % FIELDS * FIELD);
        sum[w] = own[w];
    }
#pragma unroll
    for (int by = 1; by < WW_WARP; by *= 2)
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            const uint32_t earlier = __shfl_up_sync(WW_ALL, sum[w], by);
            if (lane >= by) sum[w] += earlier;
        }
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        const uint32_t of_rows = __shfl_sync(WW_ALL, sum[w], WW_WARP - 1), before = sum[w] - own[w];
#pragma unroll
        for (int r = w * FIELDS; r < (w + 1) * FIELDS && r < WW_ROWS; r++) {
            rank[r] = whole + (before >> (r % FIELDS * FIELD) & field);
            whole += of_rows >> (r % FIELDS * FIELD) & field;
        }
    }
    return whole;
}

#endif
