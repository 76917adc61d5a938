/* An element in a network that sorts a segment: a key, with its place in the segment where WW_TAGGED is 1. */
#ifndef WW_NETWORK_ITEM_CUH
#define WW_NETWORK_ITEM_CUH

#include "radix/digits.cuh"

#if !WW_TAGGED
typedef ww_key network_item;
#elif WW_KEY <= 2
typedef uint32_t network_item;
#elif WW_KEY == 4
typedef uint64_t network_item;
#else
struct network_item {
    ww_key number;
    uint32_t place;
};
#endif

#if WW_TAGGED && WW_KEY > 4
WW_DEVICE network_item item_of(ww_key number, uint32_t place) {
    network_item x;
    x.number = number;
    x.place = place;
    return x;
}
WW_DEVICE ww_key number_in(const network_item &x) { return x.number; }
WW_DEVICE uint32_t place_in(const network_item &x) { return x.place; }
WW_DEVICE bool before(const network_item &x, const network_item &y) {
    return x.number < y.number || (x.number == y.number && x.place < y.place);
}
WW_DEVICE network_item across(const network_item &x, uint32_t lanes) {
    return item_of(ww_lane_across(x.number, lanes), __shfl_xor_sync(WW_ALL, x.place, lanes));
}
#else
enum { PLACE_BITS = WW_TAGGED ? 16 : 0 };
WW_DEVICE network_item item_of(ww_key number, uint32_t place) {
    return network_item(network_item(number) << PLACE_BITS | network_item(WW_TAGGED ? place : 0));
}
WW_DEVICE ww_key number_in(const network_item &x) { return ww_key(x >> PLACE_BITS); }
WW_DEVICE uint32_t place_in(const network_item &x) { return uint32_t(x) & 0xFFFF; }
WW_DEVICE bool before(const network_item &x, const network_item &y) { return x < y; }
WW_DEVICE network_item across(const network_item &x, uint32_t lanes) { return ww_lane_across(x, lanes); }
#endif

#endif
