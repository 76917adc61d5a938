/* A sparse matrix times vectors on a GPU: rows' ends and entries in one order, the merge path, are cut into tiles of TILE of them
 * (Merrill and Garland 2016). Three launches:
 *   cut     eight lanes a tile: how many rows end before it, by a search in the offsets, eight of them a step;
 *   tiles   a block a tile. Products of entries and components go to shared memory, in the entries' order, so that memory is read by
 *           neighbours. Where the tile's rows are about as long as one another, each gets as many threads, which add up every
 *           so-manieth product. Otherwise each thread walks WW_EACH steps of the path, adding products up or ending a row; what
 *           rows have from threads before comes from a segmented scan. A row that begins in an earlier tile leaves its sum in `head`, the row
 *           that stays open at the end in `carry`;
 *   join    a warp a tile: puts together the rows of several tiles, which end in it.
 * Of few tiles each looks for its rows itself, and there is no `cut`. Reads everything once, and offsets twice; nothing is added by atomics, so that floats have the same bits in every run.
 *
 * Offsets that are not in order are found by the tile whose rows they are of: `cut` gives all rows to tiles whatever the offsets are.
 * Bad columns are reported behind bad offsets: their positions have the highest bit set.
 *
 * Few entries, and several vectors, go row by row: spmv_rows.cu. Of so many vectors that a row's threads would be more than a warp a
 * tile's entries stay in shared memory, and as many threads as there are vectors, side by side in memory, add up each row; a tile
 * with a row that is too long for that is done vector by vector, as above.
 *
 * WW_EACH: odd, so that threads which walk side by side are in different banks. WW_SCALED, WW_ACCUMULATES: there is alpha, beta.
 * WW_MANY: 0 there is one vector, else a power of two that is not below their number; WW_PACK divides both. WW_WIDE: 2^32 columns or more.
 * WW_CUT: 1 where there is `cut`. */
#include "sparse/spmv.cuh"

typedef spmv_matrix spmv_arguments;

enum { TILE = WW_THREADS * WW_EACH, WARPS = WW_THREADS / WW_WARP, CUT_LANES = 8 };
#define NO_ROW UINT64_MAX

/* A word is left out in 32, so that rows whose lengths are powers of two begin in different banks. */
WW_DEVICE uint32_t place_of(uint32_t entry) { return entry + entry / WW_WARP; }

struct spmv_shared {
#if WW_MANY
    ww_column column[TILE + TILE / WW_WARP + 1];
#endif
    ww_item product[TILE + TILE / WW_WARP + 1];
    uint32_t end[TILE + 1]; /* behind the rows' the tile's own */
    uint64_t row[2];        /* where there is no cut: those that end before the tile, and before the next */
    ww_item warp_sum[WARPS];
    uint32_t warp_ends[WARPS];
};

/* Entries from the first row's begin on; of bad offsets any number that arrays have. */
WW_DEVICE uint64_t entries_of(const spmv_arguments &a, uint64_t base) {
    const uint64_t end = offset_at(a, a.rows);
    return base > end || end > a.entries ? 0 : end - base;
}

/* The same by a warp: 32 rows are looked at in a step. */
WW_DEVICE uint64_t warp_rows_before(const spmv_arguments &a, uint64_t base, uint64_t entries, uint64_t place) {
    uint64_t low = place > entries ? place - entries : 0, high = place < a.rows ? place : a.rows;
    if (place >= a.rows + entries) return a.rows;
    while (low < high) { /* rows below `low` end before the place, row `high` does not */
        const uint64_t step = (high - low + WW_WARP - 1) / WW_WARP, at = low + (threadIdx.x % WW_WARP + 1) * step - 1;
        const bool before = at < high && offset_at(a, at + 1) - base + at < place;
        low += __popc(__ballot_sync(WW_ALL, before)) * step;
        if (high > low + step - 1) high = low + step - 1;
    }
    return low;
}

/* Where the path is at a place: row r's end is at offsets[r + 1] - base + r. */
WW_GPU_KERNEL(cut, spmv_arguments, WW_THREADS) {
    ww_launch_next();
    if (ww_stopped(a.checking)) return;
    const uint64_t tile = (blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x) / CUT_LANES;
    const uint32_t lane = threadIdx.x % CUT_LANES, votes_at = threadIdx.x % WW_WARP - lane;
    const uint64_t base = offset_at(a, 0), entries = entries_of(a, base), place = tile * TILE;
    uint64_t low = place > entries ? place - entries : 0, high = place < a.rows ? place : a.rows;
    if (place >= a.rows + entries || tile > a.tiles) low = high = a.rows;
    while (__ballot_sync(WW_ALL, low < high)) { /* all tiles of the warp together */
        const uint64_t step = (high - low + CUT_LANES - 1) / CUT_LANES, at = low + (lane + 1) * step - 1;
        const bool before = low < high && at < high && offset_at(a, at + 1) - base + at < place;
        const uint32_t votes = __ballot_sync(WW_ALL, before) >> votes_at & ((1u << CUT_LANES) - 1);
        low += __popc(votes) * step;
        if (step && high > low + step - 1) high = low + step - 1;
    }
    if (lane == 0 && tile <= a.tiles) a.row[tile] = low;
}

/* A tile's part of the path. */
struct part {
    uint64_t row, entry;    /* the first ones; entry counts from the matrix's first */
    uint32_t rows, entries; /* that it has */
    bool begun;             /* its first row began before it */
};

/* Rows whose offsets are not in order. */
WW_DEVICE void report_offsets(const spmv_arguments &a, uint64_t first, uint64_t last) {
    for (uint64_t r = first + threadIdx.x; r < last; r += WW_THREADS) {
        const uint64_t begin = offset_at(a, r), end = offset_at(a, r + 1);
        if (r == 0 && begin > a.entries) ww_report(a.checking, 0, begin);
        if (end < begin || end > a.entries) ww_report(a.checking, r + 1, end);
    }
}

/* The tile's ends of rows, counted from its first entry; whether some are none. */
WW_DEVICE bool load_ends(const spmv_arguments &a, spmv_shared &s, uint64_t base, const part &p) {
    const uint64_t first = base + p.entry;
    bool bad = false;
    for (uint32_t r = threadIdx.x; r < p.rows; r += WW_THREADS) {
        const uint64_t end = offset_at(a, p.row + r + 1), at = end - first;
        bad |= end > a.entries || at > p.entries;
        s.end[r] = uint32_t(at);
    }
    if (threadIdx.x == 0) s.end[p.rows] = p.entries;
    return bad;
}

/* What is added up from the last end of a row on, in the threads before; *ends and sum are this thread's: how many rows end in it, and
 * what it has behind the last one. In the last thread *all is the tile's. */
WW_DEVICE ww_item open_before(spmv_shared &s, uint32_t ends, ww_item sum, ww_item *all) {
    const uint32_t lane = threadIdx.x % WW_WARP, warp = threadIdx.x / WW_WARP;
    uint32_t any = ends != 0;
#pragma unroll
    for (int by = 1; by < WW_WARP; by *= 2) {
        const uint32_t any_before = __shfl_up_sync(WW_ALL, any, by);
        const ww_item sum_before = ww_lane_before(sum, by);
        if (lane >= uint32_t(by)) {
            if (!any) sum = sum_before + sum;
            any |= any_before;
        }
    }
    if (lane == WW_WARP - 1) {
        s.warp_ends[warp] = any;
        s.warp_sum[warp] = sum;
    }
    __syncthreads();
    ww_item before = 0;
#pragma unroll
    for (uint32_t w = 0; w < WARPS; w++) {
        if (w < warp) before = s.warp_ends[w] ? s.warp_sum[w] : before + s.warp_sum[w];
    }
    *all = any ? sum : before + sum;
    const uint32_t any_here = __shfl_up_sync(WW_ALL, any, 1);
    const ww_item sum_here = ww_lane_before(sum, 1);
    return lane == 0 ? before : any_here ? sum_here : before + sum_here;
}

/* A thread's share of the products of one vector. */
WW_DEVICE void multiply(const spmv_arguments &a, spmv_shared &s, const part &p, const ww_item (&value)[WW_EACH],
                        const ww_column (&column)[WW_EACH], uint64_t vector) {
    ww_item x[WW_EACH];
    ww_item *const product = s.product + place_of(threadIdx.x); /* WW_THREADS is a multiple of a warp */
#pragma unroll
    for (int k = 0; k < WW_EACH; k++)
        if (k * WW_THREADS + threadIdx.x < p.entries) x[k] = a.x[component(a, column[k], vector)];
#pragma unroll
    for (int k = 0; k < WW_EACH; k++)
        if (k * WW_THREADS + threadIdx.x < p.entries) product[place_of(k * WW_THREADS)] = value[k] * x[k];
}

/* Those of a thread's columns that are none, from entry `mine` on. */
WW_DEVICE void report_columns(const spmv_arguments &a, const part &p, uint64_t mine) {
    for (uint32_t k = 0; k * WW_THREADS + threadIdx.x < p.entries; k++) {
        const auto at = columns_at(a.columns, mine + k * WW_THREADS);
        if (is_outside(a, at)) ww_report(a.checking, IS_COLUMN | (mine + k * WW_THREADS), uint64_t(at));
    }
}

enum { VECTORS = WW_MANY ? WW_MANY / WW_PACK : 1, LONG = WW_MANY ? 8 * WW_EACH : 2 * WW_EACH + 2 };

/* How many threads, a power of two up to a warp, each piece of a row gets of each vector: there are p.rows + 1, the last one open. */
WW_DEVICE uint32_t threads_of_row(const part &p) {
    uint32_t lanes = 1;
    while (lanes * VECTORS < WW_WARP && 2 * lanes * VECTORS * (p.rows + 1) <= WW_THREADS) lanes *= 2;
    return lanes;
}

/* Whether a row is too long to be added up so; one that ends before it begins sets *bad, too. */
WW_DEVICE bool has_long_row(const spmv_shared &s, const part &p, uint32_t lanes, bool *bad) {
    bool is_long = false;
    for (uint32_t r = threadIdx.x; r <= p.rows; r += WW_THREADS) {
        const uint32_t length = s.end[r] - (r ? s.end[r - 1] : 0);
        is_long |= length > lanes * LONG;
        *bad |= length > TILE;
    }
    return is_long;
}

/* All rows side by side. */
WW_DEVICE void add_up_rows(const spmv_arguments &a, spmv_shared &s, const part &p, uint32_t lanes) {
    const uint32_t lane = threadIdx.x % lanes;
    for (uint32_t first = 0; first <= p.rows; first += WW_THREADS / lanes) { /* all threads together */
        const uint32_t r = first + threadIdx.x / lanes;
        ww_item sum = 0;
        if (r <= p.rows) {
            const uint32_t end = s.end[r];
#pragma unroll 4
            for (uint32_t e = (r ? s.end[r - 1] : 0) + lane; e < end; e += lanes) sum += s.product[place_of(e)];
        }
        for (uint32_t by = lanes / 2; by; by /= 2) sum += ww_lane_across(sum, by);
        if (lane || r > p.rows) continue;
        if (r == p.rows)
            a.carry[blockIdx.x] = sum;
        else if (r == 0 && p.begun)
            a.head[blockIdx.x] = sum;
        else
            put(a, p.row + r, sum);
    }
}

/* All rows side by side, of all vectors: a row's threads are those of its first entry's, then its second one's, and so on. A thread has
 * WW_PACK vectors, whose components it reads as one word. */
WW_DEVICE void add_up_vectors(const spmv_arguments &a, spmv_shared &s, const part &p, uint32_t lanes) {
#if WW_MANY
    const uint32_t vector = threadIdx.x % VECTORS * WW_PACK, lane = threadIdx.x / VECTORS % lanes, team = VECTORS * lanes;
    for (uint32_t first = 0; first <= p.rows; first += WW_THREADS / team) { /* all threads together */
        const uint32_t r = first + threadIdx.x / team;
        const bool there = r <= p.rows && vector < a.vectors;
        ww_pack sum;
#pragma unroll
        for (int k = 0; k < WW_PACK; k++) sum.x[k] = 0;
        if (there && a.width) {
            const uint32_t end = s.end[r];
#pragma unroll 4
            for (uint32_t e = (r ? s.end[r - 1] : 0) + lane; e < end; e += lanes) {
                const ww_pack x = *reinterpret_cast<const ww_pack *>(a.x + component(a, s.column[place_of(e)], vector));
#pragma unroll
                for (int k = 0; k < WW_PACK; k++) sum.x[k] += s.product[place_of(e)] * x.x[k];
            }
        }
        for (uint32_t by = lanes / 2; by; by /= 2)
#pragma unroll
            for (int k = 0; k < WW_PACK; k++) sum.x[k] += ww_lane_across(sum.x[k], by * VECTORS);
        if (lane || !there) continue;
#pragma unroll
        for (int k = 0; k < WW_PACK; k++) {
            if (r == p.rows)
                a.carry[component(a, blockIdx.x, vector + k)] = sum.x[k];
            else if (r == 0 && p.begun)
                a.head[component(a, blockIdx.x, vector + k)] = sum.x[k];
            else
                put(a, component(a, p.row + r, vector + k), sum.x[k]);
        }
    }
#endif
}

/* A thread's entries to shared memory, as they are. */
WW_DEVICE void keep_entries(spmv_shared &s, const part &p, const ww_item (&value)[WW_EACH], const ww_column (&column)[WW_EACH]) {
#if WW_MANY
    const uint32_t at = place_of(threadIdx.x);
#pragma unroll
    for (int k = 0; k < WW_EACH; k++)
        if (k * WW_THREADS + threadIdx.x < p.entries) {
            s.product[at + place_of(k * WW_THREADS)] = value[k];
            s.column[at + place_of(k * WW_THREADS)] = column[k];
        }
#endif
}

/* A thread's steps, from a row on. */
WW_DEVICE void add_up(const spmv_arguments &a, spmv_shared &s, const part &p, uint32_t first_row, uint64_t vector) {
    uint32_t row = first_row, entry = threadIdx.x * WW_EACH - first_row, ends = 0;
    uint32_t end = row < p.rows ? s.end[row] : UINT32_MAX;
    ww_item sum = 0, first_sum = 0;
#pragma unroll
    for (int k = 0; k < WW_EACH; k++) {
        if (end <= entry) {
            if (ends++ == 0)
                first_sum = sum;
            else
                put(a, component(a, p.row + row, vector), sum);
            sum = 0;
            end = ++row < p.rows ? s.end[row] : UINT32_MAX;
        } else if (entry < p.entries) {
            sum += s.product[place_of(entry++)];
        }
    }
    ww_item all;
    const ww_item before = open_before(s, ends, sum, &all);
    if (ends) {
        first_sum = before + first_sum;
        if (first_row == 0 && p.begun)
            a.head[component(a, blockIdx.x, vector)] = first_sum;
        else
            put(a, component(a, p.row + first_row, vector), first_sum);
    }
    if (threadIdx.x == WW_THREADS - 1) a.carry[component(a, blockIdx.x, vector)] = all;
}

/* Where the thread's steps begin: how many rows end before. */
WW_DEVICE uint32_t rows_before(const spmv_shared &s, const part &p) {
    const uint32_t diagonal = threadIdx.x * WW_EACH;
    uint32_t low = diagonal > p.entries ? diagonal - p.entries : 0, high = diagonal < p.rows ? diagonal : p.rows;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (s.end[middle] + middle < diagonal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

WW_GPU_KERNEL(tiles, spmv_arguments, WW_THREADS) {
    WW_SHARED(spmv_shared, s);
    ww_wait_before();
    ww_launch_next();
    if (ww_stopped(a.checking)) return;
    const uint64_t base = offset_at(a, 0), entries = entries_of(a, base), all = a.rows + entries;
    const uint64_t place = blockIdx.x * uint64_t(TILE), next = place + TILE < all ? place + TILE : all;
#if WW_CUT
    const uint64_t row = a.row[blockIdx.x], last_row = a.row[blockIdx.x + 1];
#else
    if (threadIdx.x < 2 * WW_WARP) {
        const uint32_t which = threadIdx.x / WW_WARP;
        const uint64_t found = warp_rows_before(a, base, entries, place + which * TILE);
        if (threadIdx.x % WW_WARP == 0) s.row[which] = found;
    }
    __syncthreads();
    const uint64_t row = s.row[0], last_row = s.row[1];
#endif
    if (threadIdx.x == 0) a.head_row[blockIdx.x] = NO_ROW;
    if (place >= all) return;
    part p;
    p.row = row;
    p.entry = place - row;
    p.rows = uint32_t(last_row - row);
    p.entries = uint32_t(next - last_row - p.entry);
    if (last_row < row || last_row - row > next - place || next - last_row < place - row || (base > a.entries && row == 0) ||
        (entries == 0 && offset_at(a, a.rows) != base)) {
        report_offsets(a, row, last_row);
        return;
    }
    ww_item value[WW_EACH];
    ww_column column[WW_EACH];
    const uint64_t mine = base + p.entry + threadIdx.x; /* entries of this thread: from here on, WW_THREADS apart */
    bool outside = false;
#pragma unroll
    for (int k = 0; k < WW_EACH; k++) {
        if (k * WW_THREADS + threadIdx.x < p.entries) {
            value[k] = ww_item(values_at(a.values, mine + k * WW_THREADS));
            const auto at = columns_at(a.columns, mine + k * WW_THREADS);
            const bool is_bad = is_outside(a, at);
            column[k] = is_bad ? 0 : ww_column(at);
            outside |= is_bad;
        }
    }
    bool bad = load_ends(a, s, base, p);
    const uint64_t first_begin = offset_at(a, row);
    if (outside) report_columns(a, p, mine);
    if (WW_MANY) keep_entries(s, p, value, column);
    else if (a.width) multiply(a, s, p, value, column, 0);
    __syncthreads();
    p.begun = p.rows && first_begin - base < p.entry;
    if (threadIdx.x == 0 && p.begun) a.head_row[blockIdx.x] = row;
    bad |= p.rows && first_begin - base > p.entry + s.end[0];
    const uint32_t lanes = threads_of_row(p);
    const bool long_row = has_long_row(s, p, lanes, &bad), even = !__syncthreads_or(long_row || bad);
    if (!even && __syncthreads_or(bad)) {
        report_offsets(a, row, last_row);
        return;
    }
    if (even) {
        if (WW_MANY) add_up_vectors(a, s, p, lanes);
        else add_up_rows(a, s, p, lanes);
        return;
    }
    const uint32_t first_row = rows_before(s, p);
    if (!WW_MANY) add_up(a, s, p, first_row, 0);
    for (uint64_t vector = 0; WW_MANY && vector < a.vectors; vector++) {
        __syncthreads();
        if (a.width) multiply(a, s, p, value, column, vector);
        __syncthreads();
        add_up(a, s, p, first_row, vector);
    }
}

/* The row that began before the tile: all that the tiles before have of it, and the head. */
WW_GPU_KERNEL(join, spmv_arguments, WW_THREADS) {
    const uint64_t tile = (blockIdx.x * uint64_t(WW_THREADS) + threadIdx.x) / WW_WARP;
    ww_wait_before();
    if (tile >= a.tiles || ww_found_bad(a.checking)) return;
    const uint64_t row = a.head_row[tile];
    if (row == NO_ROW) return;
    const uint64_t first = (offset_at(a, row) - offset_at(a, 0) + row) / TILE;
    for (uint64_t vector = 0; vector < a.vectors; vector++) {
        ww_item sum = 0;
#pragma unroll 4
        for (uint64_t t = first + threadIdx.x % WW_WARP; t < tile; t += WW_WARP) sum += a.carry[component(a, t, vector)];
#pragma unroll
        for (int by = WW_WARP / 2; by; by /= 2) sum += ww_lane_across(sum, by);
        if (threadIdx.x % WW_WARP == 0) put(a, component(a, row, vector), sum + a.head[component(a, tile, vector)]);
    }
}
