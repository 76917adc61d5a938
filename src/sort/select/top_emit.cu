/* Gives out, in any order, the chosen keys that no level has (top_digits.cu): the output is sorted afterwards, and of keys that are equal in
 * all that they are compared by, which is all of them, it does not matter which one stands where. Of what is left after the levels all that
 * is below the known bits is chosen, and as many of those that have them as are wanted; they are in the buffer, or else all over the
 * input. */
#include "sort/select/top.cuh"
#include "sort/select/top_emit_arguments.cuh"

enum { TILE = WW_THREADS * WW_ITEMS };

struct emit_arguments : top_emit_fixed {
    keys_input keys;
};

struct emit_shared {
    top_room room;
};

template <bool ordered, bool buffered> WW_DEVICE void emit_tile(const emit_arguments &a, emit_shared &s, const top_state &t, uint64_t tile) {
    const uint64_t many = buffered ? t.buffered : a.count;
    ww_key number[WW_ITEMS];
    uint32_t named[2] = {0, 0};
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) {
        const uint64_t i = tile * TILE + k * WW_THREADS + threadIdx.x;
        number[k] = 0;
        if (i < many) number[k] = buffered ? a.buffer[i] : compared<ordered>(a.order, ww_as<ww_key>(keys_at(a.keys, i)));
        const bool equal = has_known_bits(t, number[k]);
        named[0] |= uint32_t(i < many && !equal && number[k] < t.value) << k;
        named[1] |= uint32_t(i < many && equal) << k;
    }
    uint64_t *const cursor[2] = {a.emitted, a.taken};
    uint64_t place[2];
    take_places(s.room, named, cursor, place);
#pragma unroll
    for (int k = 0; k < WW_ITEMS; k++) {
        const ww_key key = ordered ? ordered_key<true>(a.order.order, number[k]) : number[k];
        if (named[0] >> k & 1 && place[0] < a.wanted) a.keys_out[place[0]++] = key;
        if (named[1] >> k & 1 && place[1] < t.left) a.keys_out[a.wanted - t.left + place[1]++] = key;
    }
}

template <bool ordered> WW_DEVICE void emit(const emit_arguments &a, emit_shared &s) {
    const top_state t = *a.state;
    const bool buffered = t.where == IN_BUFFER;
    const uint64_t tiles = ((buffered ? t.buffered : a.count) + TILE - 1) / TILE;
    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        if (buffered)
            emit_tile<ordered, true>(a, s, t, tile);
        else
            emit_tile<ordered, false>(a, s, t, tile);
    }
}

WW_GPU_KERNEL(emit_top, emit_arguments, WW_THREADS) {
    WW_SHARED(emit_shared, s);
    if (order_of(a.order.order))
        emit<true>(a, s);
    else
        emit<false>(a, s);
}
