/* Numbers of any type as numbers of any other, as ww_cast says: one program for all pairs of types, where nothing compiles one for each
 * (stored_inputs.c). A thread casts WW_ROWS elements, WW_THREADS apart. */
#include "device/kernel/cast.cuh"
#include "primitive/map/store_step_arguments.cuh"

/* In the order of their numbers. */
#define EACH_TYPE(X) \
    X(0, uint8_t) \
    X(1, uint16_t) \
    X(2, uint32_t) \
    X(3, uint64_t) \
    X(4, int8_t) \
    X(5, int16_t) \
    X(6, int32_t) X(7, int64_t) X(8, ww_u128) X(9, ww_i128) X(10, float) X(11, double) X(12, ww_f16) X(13, ww_bf16)

template <class T, class F> struct cast_of {
    static WW_DEVICE_MEMBER T from(F x) { return ww_cast_to<T>(x); }
};
template <class T> struct cast_of<T, T> {
    static WW_DEVICE_MEMBER T from(T x) { return x; }
};

template <class F> WW_DEVICE void put_cast(const store_cast_fixed &a, uint64_t i, F x) {
    switch (a.to_type) {
#define TO(number, T) \
    case number: \
        static_cast<T *>(a.to)[i] = cast_of<T, F>::from(x); \
        break;
        EACH_TYPE(TO)
#undef TO
    }
}

WW_DEVICE void cast_one(const store_cast_fixed &a, uint64_t i) {
    switch (a.from_type) {
#define FROM(number, F) \
    case number: \
        put_cast(a, i, static_cast<const F *>(a.from)[i]); \
        break;
        EACH_TYPE(FROM)
#undef FROM
    }
}

WW_GPU_KERNEL(store_cast, store_cast_fixed, WW_THREADS) {
    const uint64_t first = blockIdx.x * uint64_t(WW_THREADS) * WW_ROWS + threadIdx.x;
    for (int r = 0; r < WW_ROWS; r++)
        if (first + r * WW_THREADS < a.count) cast_one(a, first + r * WW_THREADS);
}
