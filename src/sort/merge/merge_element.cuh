/* What moves in a merge sort, and its order. A program says: ww_item, the keys' type, and their order (order.cuh);
 * WW_REVERSED: 1 where it is reversed; WW_FAR: 0, or keys are long, stay where they are, and positions of so many bytes
 * move in their place; WW_VALUE: bytes of the value that goes with each key, or 0; WW_COUNTED: values of the input are
 * counted up. */
#ifndef WW_MERGE_ELEMENT_CUH
#define WW_MERGE_ELEMENT_CUH

#include "device/kernel/counted.cuh"
#include "primitive/merge/order.cuh"

#if WW_FAR
typedef ww_number<WW_FAR>::type ww_key;
#else
typedef ww_item ww_key;
#endif
typedef ww_number<WW_VALUE>::type ww_value;

struct element {
    ww_key key;
#if WW_VALUE
    ww_value value;
#endif
};

struct element_order {
    const ww_item *far;
    WW_DEVICE_MEMBER explicit element_order(const ww_item *keys) : far(keys) {}
    WW_DEVICE_MEMBER bool before(const element &x, const element &y) const {
#if WW_FAR && WW_REVERSED
        return ww_before(far[y.key], far[x.key]);
#elif WW_FAR
        return ww_before(far[x.key], far[y.key]);
#elif WW_REVERSED
        return ww_before(y.key, x.key);
#else
        return ww_before(x.key, y.key);
#endif
    }
};

/* Elements in memory. */
#include "sort/merge/merge_sort_arguments.cuh"

WW_DEVICE element element_at(const elements &e, uint64_t i) {
    element x;
    x.key = e.keys[i];
#if WW_VALUE
    x.value = e.values[i];
#endif
    return x;
}

WW_DEVICE void put_element(const elements &e, uint64_t i, const element &x) {
    e.keys[i] = x.key;
#if WW_VALUE
    e.values[i] = x.value;
#endif
}

/* Whether two numbers are the same: floats that equal one another may not be. */
template <class T> WW_DEVICE bool same_bits(const T &x, const T &y) { return x == y; }
WW_DEVICE bool same_bits(const float &x, const float &y) { return ww_bits_float(x) == ww_bits_float(y); }
WW_DEVICE bool same_bits(const double &x, const double &y) { return ww_bits_double(x) == ww_bits_double(y); }

/* All blocks of a launch do it together. */
WW_DEVICE void clear_words(uint32_t *words, uint64_t many) {
    for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < many; i += gridDim.x * uint64_t(blockDim.x)) words[i] = 0;
}

WW_DEVICE uint64_t least(uint64_t x, uint64_t y) { return x < y ? x : y; }

#endif
