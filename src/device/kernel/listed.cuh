/* Lists of long segments, whose tiles are shared out among all blocks: each has a place for each of its tiles, and those of
 * all follow one another. One atomic addition gives a segment its entry and its places, so that the list is in the order
 * of the places. */
#ifndef WW_LISTED_CUH
#define WW_LISTED_CUH

#include "device/kernel/record.cuh"

struct ww_listed {
    uint64_t begin, end, segment, place; /* place: of its first tile */
};

/* Whether a segment is one of an input of `count` elements; reports the offset that is bad. */
WW_DEVICE bool ww_check_segment(const ww_checking &c, uint64_t number, uint64_t begin, uint64_t end, uint64_t count) {
    const bool good = begin <= end && end <= count;
    if (begin > count)
        ww_report(c, number, begin);
    else if (!good)
        ww_report(c, number + 1, end);
    return good;
}

struct ww_long_list {
    uint64_t *listed; /* 0 before: the number of listed segments, that of their tiles above it */
    ww_listed *list;
    uint64_t list_room, tile_room; /* enough unless offsets are bad */
};

/* Lists a segment of so many tiles; false where there is no room. */
WW_DEVICE bool ww_list_segment(const ww_long_list &l, uint64_t begin, uint64_t end, uint64_t segment, uint64_t tiles,
                               uint32_t &entry) {
    const uint64_t got = atomicAdd(l.listed, tiles << 32 | 1), place = got >> 32;
    entry = uint32_t(got);
    if (entry >= l.list_room || place + tiles > l.tile_room) return false;
    const ww_listed x = {begin, end, segment, place};
    l.list[entry] = x;
    return true;
}

/* The listed segment that has the tile at `place`, of `many`: the last one whose own place is not above. By a whole warp. */
WW_DEVICE uint32_t ww_find_listed(const ww_listed *list, uint32_t many, uint64_t place) {
    uint32_t first = 0;
    while (many > 1) {
        const uint32_t step = (many + WW_WARP - 1) / WW_WARP, probe = threadIdx.x % WW_WARP * step;
        const uint32_t up_to = __ballot_sync(WW_ALL, probe < many && list[first + probe].place <= place);
        const uint32_t skip = (__popc(up_to) - 1) * step;
        first += skip;
        many = many - skip < step ? many - skip : step;
    }
    return first;
}

#endif
