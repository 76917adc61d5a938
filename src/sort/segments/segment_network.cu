/* Sorts segments of one class of lengths on chip, each by a team of WW_TEAM threads with WW_ITEMS elements in registers each:
 * Batcher's bitonic network (1968) in the form in which all comparisons point one way. An element's place in the network is
 * its thread's number in the team and then its own in the thread; so the low strides are between registers, higher ones
 * between lanes, and the highest, where a team is more than a warp, go through shared memory.
 *
 * A network is not stable. Where that can be seen (WW_TAGGED: values go along, or some bits only are compared) a key carries
 * its position in the segment, which breaks ties, and by which values then are fetched through shared memory. Keys
 * that have no company and are compared whole need none: equal ones are the same.
 *
 * WW_CONVERTED: 1 where a team goes by the network of tiles instead (banked/tiles_network.cuh), whose long strides are no shuffles
 * but conversions through shared memory, without bank conflicts: keys of 4 bytes without a place, 32 a thread. WW_TILE_BITS: a
 * team has 2^WW_TILE_BITS. WW_EACH_BITS, WW_SHUFFLED: see there.
 *
 * Teams of up to a warp share it, in step, and sync by it; a larger team is a block. A team reads all of its segment before
 * it writes: outputs may be the inputs. Reads and writes each element once. */
#include "sort/segments/segments.cuh"

enum {
    CAPACITY = WW_TEAM * WW_ITEMS,
    TEAMS = WW_THREADS / WW_TEAM,
    GROUP = WW_TEAM < WW_WARP ? WW_WARP : WW_TEAM, /* threads that go on together */
    GROUP_TEAMS = GROUP / WW_TEAM
};
static_assert(CAPACITY <= 1 << 16, "places take 16 bits");
static_assert(WW_TEAM <= WW_WARP || WW_TEAM == WW_THREADS, "a team of several warps is a block");

#include "sort/segments/network_item.cuh"

/* ---- shared memory: a room for each team ---- */

/* In the network's order neighbouring threads are WW_ITEMS places apart: one place more in each line of 128 bytes keeps
 * them in different banks. */
enum { LINE = 128 / sizeof(network_item) };
WW_DEVICE uint32_t padded(uint32_t e) { return e + e / LINE; }

#if WW_CONVERTED
typedef network_item tile_head;
struct tile_item {
    tile_head head;
};
WW_DEVICE bool before(const tile_item &x, const tile_item &y) { return x.head < y.head; }
enum { TILE_BITS = WW_TILE_BITS, TILE = 1 << TILE_BITS };
static_assert(TILE == CAPACITY, "a team's elements are a tile");
#define TILES_TAILS 0
#define WW_TAIL 0
#define WW_TEAMS (WW_THREADS / WW_TEAM)
#include "banked/tiles_network.cuh"
#endif

union team_shared {
#if WW_CONVERTED
    team_room room;
#endif
    network_item item[CAPACITY + CAPACITY / LINE];
    ww_key key[CAPACITY];
    ww_value value[CAPACITY];
    WW_DEVICE_MEMBER team_shared() {}
};

struct network_shared {
    team_shared team[TEAMS];
};

WW_DEVICE void sync_team() {
#if WW_TEAM > 32
    __syncthreads();
#else
    __syncwarp();
#endif
}

/* ---- the network ---- */

#if WW_CONVERTED

WW_DEVICE void sort_team(network_item (&x)[WW_ITEMS], team_shared &s, uint32_t rank) {
    tile_item y[WW_ITEMS];
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) y[i].head = x[i];
    sort_tile(y, s.room, rank);
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) x[i] = y[i].head;
}

#else

#include "sort/segments/network.cuh"

#endif

/* ---- segments ---- */

/* A team's segment, and where it goes. */
struct team_part {
    uint64_t first;
    uint32_t many;
    bool to_scratch;
};

WW_DEVICE team_part segment_part(const segments_arguments &a, uint64_t entry, bool there) {
    team_part p = {0, 0, false};
    if (!there) return p;
    const uint32_t number = a.lists[a.first[a.length_class] + entry];
    p.first = offsets_at(a.offsets, number);
    p.many = uint32_t(offsets_at(a.offsets, uint64_t(number) + 1) - p.first);
    return p;
}

#if WW_TEAM >= 32
WW_DEVICE team_part chunk_part(const segments_arguments &a, uint64_t chunk) {
    const uint32_t entry = ww_find_listed(a.list, uint32_t(a.listed[0]), chunk);
    const ww_listed l = a.list[entry];
    const uint64_t first = l.begin + (chunk - l.place) * CAPACITY, left = l.end - first;
    team_part p;
    p.first = first;
    p.many = !to_sort(a, entry) ? 0 : left < CAPACITY ? uint32_t(left) : CAPACITY;
    p.to_scratch = in_scratch(passes_of(l.end - l.begin));
    return p;
}
#endif

template <bool ordered>
WW_DEVICE void load_keys(const segments_arguments &a, const team_part &p, uint32_t rank, network_item (&x)[WW_ITEMS]) {
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t e = i * WW_TEAM + rank;
        ww_key number = ww_key(~ww_key(0)); /* what is behind the end ranks last */
        if (e < p.many) number = compared(a, ordered_number<ordered>(a.order, a.keys[p.first + e]));
        x[i] = item_of(number, e);
    }
}

WW_DEVICE void load(const segments_arguments &a, const team_part &p, uint32_t rank, network_item (&x)[WW_ITEMS]) {
    if (order_of(a.order))
        load_keys<true>(a, p, rank, x);
    else
        load_keys<false>(a, p, rank, x);
}

#if WW_TAGGED
/* Writes elements that stand at place[] in the segment: all are brought to shared memory before any is written. */
template <class T>
WW_DEVICE void write_by_place(const T *from, T *to, T *room, const team_part &p, uint32_t rank,
                              const uint16_t (&place)[WW_ITEMS]) {
    sync_team();
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t e = i * WW_TEAM + rank;
        if (e < p.many) room[e] = from[p.first + e];
    }
    sync_team();
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t e = i * WW_TEAM + rank;
        if (e < p.many) to[p.first + e] = room[place[i]];
    }
}
#endif

template <bool ordered>
WW_DEVICE void store_in(const segments_arguments &a, const team_part &p, team_shared &s, uint32_t rank,
                        const network_item (&x)[WW_ITEMS]) {
    ww_key *const keys_out = p.to_scratch ? a.keys_scratch : a.keys_out;
    uint16_t place[WW_ITEMS];
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) s.item[padded(rank * WW_ITEMS + i)] = x[i];
    sync_team();
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t e = i * WW_TEAM + rank;
        const network_item y = s.item[padded(e)];
        place[i] = uint16_t(place_in(y));
        if (!WW_MASKED && e < p.many) keys_out[p.first + e] = ordered_key<ordered>(a.order, number_in(y));
    }
#if WW_MASKED
    write_by_place(a.keys, keys_out, s.key, p, rank, place);
#endif
#if WW_VALUE
    ww_value *const values_out = p.to_scratch ? a.values_scratch : a.values_out;
#if WW_COUNTED
#pragma unroll
    for (int i = 0; i < WW_ITEMS; i++) {
        const uint32_t e = i * WW_TEAM + rank;
        if (e < p.many) values_out[p.first + e] = ww_value(a.first_value + p.first + place[i]);
    }
#else
    write_by_place(a.values, values_out, s.value, p, rank, place);
#endif
#endif
    (void)place;
    sync_team();
}

WW_DEVICE void store(const segments_arguments &a, const team_part &p, team_shared &s, uint32_t rank,
                     const network_item (&x)[WW_ITEMS]) {
    if (order_of(a.order))
        store_in<true>(a, p, s, rank, x);
    else
        store_in<false>(a, p, s, rank, x);
}

WW_GPU_KERNEL_HELD(sort_segments, segments_arguments, WW_THREADS, WW_BLOCKS) {
    WW_SHARED_LARGE(network_shared, s);
    const uint32_t rank = threadIdx.x % WW_TEAM;
    team_shared &room = s.team[threadIdx.x / WW_TEAM];
    ww_in_line();
    if (ww_found_bad(a.checking)) return;
    const bool chunks = a.length_class == WW_CLASSES;
    const uint64_t many = chunks ? a.listed[0] >> 32 : a.counts[a.length_class];
    const uint64_t groups = uint64_t(gridDim.x) * (WW_THREADS / GROUP);
    for (uint64_t group = uint64_t(blockIdx.x) * (WW_THREADS / GROUP) + threadIdx.x / GROUP; group * GROUP_TEAMS < many;
         group += groups) {
        const uint64_t task = group * GROUP_TEAMS + threadIdx.x % GROUP / WW_TEAM;
        network_item x[WW_ITEMS];
#if WW_TEAM >= 32
        const team_part p = chunks ? chunk_part(a, task) : segment_part(a, task, true);
        if (!p.many) continue;
#else
        const team_part p = segment_part(a, task, task < many);
#endif
        load(a, p, rank, x);
        sort_team(x, room, rank);
        store(a, p, room, rank, x);
    }
}
