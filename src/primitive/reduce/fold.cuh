/* The fold of a tile, bracketed as docs/determinism.md says. A team of WW_TEAM threads has a tile at a time. Where the operator
 * commutes (WW_COMMUTING), the tile's WW_LANES lanes are dealt out to the team, WW_ITEMS neighbours a thread, so that the team
 * reads whole lines; the lanes' sums are then added by halves. Where it does not, each of a team of eight adds up one of
 * eight runs. */

/* Elements of the input and of results are read by the same code: S is the input's struct, or a pointer. */
#if WW_EXTREME
WW_DEVICE ww_item element(const in_input &in, uint64_t i) { return {in_at(in, i), i}; }
WW_DEVICE void batch(const in_input &in, uint64_t i, ww_item (&x)[WW_ITEMS]) {
    for (int k = 0; k < WW_ITEMS; k++) x[k] = element(in, i + k);
}
#else
WW_DEVICE ww_item element(const in_input &in, uint64_t i) { return in_at(in, i); }
WW_DEVICE void batch(const in_input &in, uint64_t i, ww_item (&x)[WW_ITEMS]) { in_read(in, i, x); }
#endif
WW_DEVICE ww_item element(const ww_item *level, uint64_t i) { return level[i]; }
WW_DEVICE void batch(const ww_item *level, uint64_t i, ww_item (&x)[WW_ITEMS]) {
    for (int k = 0; k < WW_ITEMS; k++) x[k] = level[i + k];
}

#if WW_COMMUTING
enum { TAIL = (WW_UNROLL + 1) / 2 };

/* The result is the team's first thread's. */
template <class S> WW_DEVICE ww_item fold_tile(const S &source, uint64_t first, uint32_t n, bool there) {
    const uint32_t t = threadIdx.x % WW_TEAM;
    ww_item lane[WW_ITEMS];
    if (there && n >= WW_LANES) {
        batch(source, first + t * WW_ITEMS, lane);
        uint32_t i = WW_LANES;
        for (; i + WW_UNROLL * WW_LANES <= n; i += WW_UNROLL * WW_LANES) {
            ww_item x[WW_UNROLL][WW_ITEMS];
#pragma unroll
            for (int u = 0; u < WW_UNROLL; u++) batch(source, first + i + u * WW_LANES + t * WW_ITEMS, x[u]);
#pragma unroll
            for (int u = 0; u < WW_UNROLL; u++)
#pragma unroll
                for (int k = 0; k < WW_ITEMS; k++) lane[k] = ww_op(lane[k], x[u][k]);
        }
        /* The end, several batches at a time too, for segments are often short. */
        for (; i < n; i += TAIL * WW_LANES) {
            const uint32_t mine = i + t * WW_ITEMS;
            ww_item x[TAIL][WW_ITEMS];
#pragma unroll
            for (int u = 0; u < TAIL; u++)
#pragma unroll
                for (int k = 0; k < WW_ITEMS; k++)
                    if (mine + u * WW_LANES + k < n) x[u][k] = element(source, first + mine + u * WW_LANES + k);
#pragma unroll
            for (int u = 0; u < TAIL; u++)
#pragma unroll
                for (int k = 0; k < WW_ITEMS; k++)
                    if (mine + u * WW_LANES + k < n) lane[k] = ww_op(lane[k], x[u][k]);
        }
    } else if (there && t == 0) {
        lane[0] = element(source, first);
        for (uint32_t i = 1; i < n; i++) lane[0] = ww_op(lane[0], element(source, first + i));
    }
    /* Every lane of the warp takes part in the shuffles, whatever its team does. */
    for (int by = WW_TEAM / 2; by; by /= 2)
#pragma unroll
        for (int k = 0; k < WW_ITEMS; k++) {
            const ww_item other = ww_lane_after(lane[k], by);
            if (there && n >= WW_LANES && t < by) lane[k] = ww_op(lane[k], other);
        }
    if (there && n >= WW_LANES)
#pragma unroll
        for (int by = WW_ITEMS / 2; by; by /= 2)
#pragma unroll
            for (int k = 0; k < by; k++) lane[k] = ww_op(lane[k], lane[k + by]);
    return lane[0];
}
#else
template <class S> WW_DEVICE ww_item fold_tile(const S &source, uint64_t first, uint32_t n, bool there) {
    const uint32_t t = threadIdx.x % WW_TEAM, run = n / WW_TEAM;
    ww_item sum;
    if (there && n >= 16) {
        sum = element(source, first + t * run);
        for (uint32_t k = 1; k < run; k++) sum = ww_op(sum, element(source, first + t * run + k));
    } else if (there && t == 0) {
        sum = element(source, first);
        for (uint32_t i = 1; i < n; i++) sum = ww_op(sum, element(source, first + i));
    }
    const ww_item own = sum;
    for (int by = 1; by < WW_TEAM; by++) {
        const ww_item next = ww_lane_after(own, by);
        if (there && n >= 16 && t == 0) sum = ww_op(sum, next);
    }
    if (there && n >= 16 && t == 0)
        for (uint32_t i = WW_TEAM * run; i < n; i++) sum = ww_op(sum, element(source, first + i));
    return sum;
}
#endif

/* Tiles of `count` elements, the teams number `team`, team + teams, ...; results at `to`. Rounds are the same for all teams of
 * a warp. */
template <class S> WW_DEVICE void fold_tiles(const S &source, uint64_t count, uint64_t team, uint64_t teams, ww_item *to) {
    const uint64_t tiles = (count + WW_TILE - 1) / WW_TILE, warp_team = team / (WW_WARP / WW_TEAM) * (WW_WARP / WW_TEAM);
    for (uint64_t round = 0; warp_team + round < tiles; round += teams) {
        const uint64_t tile = team + round;
        const bool there = tile < tiles;
        const uint64_t left = there ? count - tile * WW_TILE : 0;
        const ww_item sum = fold_tile(source, tile * WW_TILE, left < WW_TILE ? uint32_t(left) : WW_TILE, there);
        if (there && threadIdx.x % WW_TEAM == 0) to[tile] = sum;
    }
}
