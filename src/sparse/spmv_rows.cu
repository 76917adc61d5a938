/* A sparse matrix times vectors on a GPU, row by row: WW_LANES threads add up a row of each vector, or of WW_PACK vectors, and reduce
 * what they have by shuffles. One launch where there are few entries; else two:
 *   rows       rows as long as the average ones. A row that is long for its threads is added up by its whole block behind the others;
 *              one that is long for a block is listed, in chunks of CHUNK entries
 *   long_rows  a block a listed chunk: leaves the chunk's sum in `carry`. Who ends the last chunk of a row adds these up, in the order of
 *              the chunks
 * Nothing is added by atomics, so that floats have the same bits in every run. Reads everything once.
 *
 * WW_LISTS: whether long rows are listed. The other defines stand in spmv.cuh. */
#include "device/kernel/listed.cuh"
#include "sparse/spmv.cuh"

struct spmv_arguments : spmv_matrix {
    spmv_lists lists;
};

enum {
    WARPS = WW_THREADS / WW_WARP,
    VECTORS = WW_MANY ? WW_MANY / WW_PACK : 1, /* threads of an entry */
    TEAM = VECTORS * WW_LANES,
    ROWS = WW_THREADS / TEAM,
    BLOCK_LANES = WW_THREADS / VECTORS,
    BATCH = 4,                           /* entries of a thread in flight */
    LONG = WW_LANES * 8 * BATCH,         /* entries of a row, at most, that a team adds up */
    CHUNK = BLOCK_LANES * WW_CHUNK_EACH, /* ... that a block does, where longer ones are listed */
};
static_assert(TEAM <= WW_WARP, "a team is in a warp");

struct rows_shared {
    uint64_t row[ROWS];
    uint32_t many, last;
    ww_pack part[WARPS][VECTORS];
};

WW_DEVICE ww_pack nothing() {
    ww_pack sum;
#pragma unroll
    for (int k = 0; k < WW_PACK; k++) sum.x[k] = 0;
    return sum;
}

WW_DEVICE void add(ww_pack &sum, const ww_pack &x) {
#pragma unroll
    for (int k = 0; k < WW_PACK; k++) sum.x[k] += x.x[k];
}

/* The sum over the threads whose numbers differ in bits from `least` on, below `end`. */
WW_DEVICE void add_across(ww_pack &sum, uint32_t least, uint32_t end) {
    for (uint32_t by = end / 2; by >= least; by /= 2)
#pragma unroll
        for (int k = 0; k < WW_PACK; k++) sum.x[k] += ww_lane_across(sum.x[k], by);
}

WW_DEVICE void report_columns(const spmv_arguments &a, uint64_t begin, uint64_t end, uint32_t lanes) {
    for (uint64_t e = begin; e < end; e += lanes) {
        const auto at = columns_at(a.columns, e);
        if (is_outside(a, at)) ww_report(a.checking, IS_COLUMN | e, uint64_t(at));
    }
}

/* Every so-manieth of the entries from `begin` on times components of the vectors from `vector` on. */
WW_DEVICE ww_pack add_entries(const spmv_arguments &a, uint64_t begin, uint64_t end, uint32_t lanes, uint32_t vector) {
    ww_pack sum = nothing();
    bool outside = !a.width;
    for (uint64_t e = begin; a.width && e < end; e += uint64_t(BATCH) * lanes) {
        ww_item value[BATCH];
        ww_column column[BATCH];
        ww_pack x[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            value[k] = 0;
            column[k] = 0;
            if (e + k * lanes >= end) continue;
            const auto at = columns_at(a.columns, e + k * lanes);
            value[k] = ww_item(values_at(a.values, e + k * lanes));
            const bool is_bad = is_outside(a, at);
            column[k] = is_bad ? 0 : ww_column(at);
            outside |= is_bad;
        }
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            if (e + k * lanes < end) x[k] = *reinterpret_cast<const ww_pack *>(a.x + component(a, column[k], vector));
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            if (e + k * lanes >= end) continue;
#pragma unroll
            for (int v = 0; v < WW_PACK; v++) sum.x[v] += value[k] * x[k].x[v];
        }
    }
    if (outside) report_columns(a, begin, end, lanes);
    return sum;
}

WW_DEVICE void put_pack(const spmv_arguments &a, uint64_t row, uint32_t vector, const ww_pack &sum) {
#pragma unroll
    for (int k = 0; k < WW_PACK; k++) put(a, component(a, row, vector + k), sum.x[k]);
}

/* The sum over all of the block's threads, in the first VECTORS of them. */
WW_DEVICE ww_pack add_block(rows_shared &s, ww_pack sum) {
    const uint32_t lane = threadIdx.x % WW_WARP;
    add_across(sum, VECTORS, WW_WARP);
    __syncthreads();
    if (lane < VECTORS) s.part[threadIdx.x / WW_WARP][lane] = sum;
    __syncthreads();
    sum = nothing();
    if (threadIdx.x < VECTORS)
#pragma unroll
        for (int w = 0; w < WARPS; w++) add(sum, s.part[w][threadIdx.x]);
    return sum;
}

/* A row, or a chunk of one, by the block. */
WW_DEVICE ww_pack add_by_block(const spmv_arguments &a, rows_shared &s, uint64_t begin, uint64_t end) {
    const uint32_t vector = threadIdx.x % VECTORS * WW_PACK;
    ww_pack sum = nothing();
    if (vector < a.vectors) sum = add_entries(a, begin + threadIdx.x / VECTORS, end, BLOCK_LANES, vector);
    return add_block(s, sum);
}

/* A row's entries; none where its offsets are bad, which are reported. */
WW_DEVICE bool find_row(const spmv_arguments &a, uint64_t r, uint64_t &begin, uint64_t &end) {
    begin = end = 0;
    if (r >= a.rows) return false;
    begin = offset_at(a, r), end = offset_at(a, r + 1);
    if (begin <= end && end <= a.entries) return true;
    if (threadIdx.x % TEAM == 0) {
        if (r == 0 && begin > a.entries) ww_report(a.checking, 0, begin);
        if (end < begin || end > a.entries) ww_report(a.checking, r + 1, end);
    }
    return false;
}

/* Lists a row that is long for its team: its block's, or everybody's. */
WW_DEVICE void list_row(const spmv_arguments &a, rows_shared &s, uint64_t r, uint64_t begin, uint64_t end) {
#if WW_LISTS
    if (end - begin > CHUNK) {
        uint32_t entry;
        const ww_long_list list = {a.lists.listed, a.lists.list, a.lists.list_room, a.lists.chunk_room};
        if (ww_list_segment(list, begin, end, r, (end - begin + CHUNK - 1) / CHUNK, entry)) a.lists.tickets[entry] = 0;
        return;
    }
#endif
    s.row[atomicAdd(&s.many, 1u)] = r;
}

WW_GPU_KERNEL(rows, spmv_arguments, WW_THREADS) {
    WW_SHARED(rows_shared, s);
    ww_launch_next();
    if (ww_stopped(a.checking)) return;
    if (threadIdx.x == 0) s.many = 0;
    __syncthreads();
    const uint32_t vector = threadIdx.x % VECTORS * WW_PACK, lane = threadIdx.x / VECTORS % WW_LANES;
    const uint64_t r = blockIdx.x * uint64_t(ROWS) + threadIdx.x / TEAM;
    uint64_t begin, end;
    const bool there = find_row(a, r, begin, end), is_long = there && end - begin > LONG;
    if (is_long && threadIdx.x % TEAM == 0) list_row(a, s, r, begin, end);
    ww_pack sum = nothing();
    if (there && !is_long && vector < a.vectors) sum = add_entries(a, begin + lane, end, WW_LANES, vector);
    add_across(sum, VECTORS, TEAM);
    if (there && !is_long && lane == 0 && vector < a.vectors) put_pack(a, r, vector, sum);
    __syncthreads();
    for (uint32_t k = 0; k < s.many; k++) {
        const uint64_t row = s.row[k];
        sum = add_by_block(a, s, offset_at(a, row), offset_at(a, row + 1));
        if (threadIdx.x < VECTORS && vector < a.vectors) put_pack(a, row, vector, sum);
    }
}

#if WW_LISTS
/* What the chunks of a listed row have, in their order. */
WW_DEVICE ww_pack add_chunks(const spmv_arguments &a, rows_shared &s, uint64_t place, uint32_t chunks) {
    const uint32_t vector = threadIdx.x % VECTORS * WW_PACK;
    ww_pack sum = nothing();
    if (vector < a.vectors)
        for (uint32_t c = threadIdx.x / VECTORS; c < chunks; c += BLOCK_LANES)
#pragma unroll
            for (int k = 0; k < WW_PACK; k++) sum.x[k] += a.carry[component(a, place + c, vector + k)];
    return add_block(s, sum);
}

/* By all of a launch's blocks, if something is listed: when all have looked the list is empty again for the next call. */
WW_DEVICE void leave_list(const spmv_lists &lists) {
    uint32_t *const looked = reinterpret_cast<uint32_t *>(lists.listed + 1);
    __syncthreads();
    if (threadIdx.x || ww_add_acq_rel(looked, 1) != gridDim.x - 1) return;
    ww_store_relaxed(looked, uint32_t(0));
    ww_store_relaxed(lists.listed, uint64_t(0));
}

WW_GPU_KERNEL(long_rows, spmv_arguments, WW_THREADS) {
    WW_SHARED(rows_shared, s);
    ww_wait_before();
    const uint64_t listed = ww_load_relaxed(a.lists.listed), all = ww_found_bad(a.checking) ? 0 : listed >> 32;
    if (!listed) return;
    const uint32_t vector = threadIdx.x % VECTORS * WW_PACK;
    for (uint64_t place = blockIdx.x; place < all; place += gridDim.x) {
        const uint32_t entry = ww_find_listed(a.lists.list, uint32_t(listed), place);
        const ww_listed l = a.lists.list[entry];
        const uint64_t begin = l.begin + (place - l.place) * CHUNK, end = l.end - begin > CHUNK ? begin + CHUNK : l.end;
        const uint32_t chunks = uint32_t((l.end - l.begin + CHUNK - 1) / CHUNK);
        ww_pack sum = add_by_block(a, s, begin, end);
        if (threadIdx.x < VECTORS && vector < a.vectors) {
#pragma unroll
            for (int k = 0; k < WW_PACK; k++) a.carry[component(a, place, vector + k)] = sum.x[k];
        }
        __syncthreads();
        if (threadIdx.x == 0) s.last = ww_add_acq_rel(a.lists.tickets + entry, 1) == chunks - 1;
        __syncthreads();
        if (!s.last) continue;
        sum = add_chunks(a, s, l.place, chunks);
        if (threadIdx.x < VECTORS && vector < a.vectors) put_pack(a, l.segment, vector, sum);
    }
    leave_list(a.lists);
}
#endif
