/* Elements at indices (ww_permuted): those outside are reported, with the element's position, and are 0 bytes. */
#ifndef WW_PERMUTED_CUH
#define WW_PERMUTED_CUH

#include "device/kernel/record.cuh"

/* As the host pushes it (device/gpu/gpu.c): of a source in memory, and of one that is computed. */
template <class T> struct ww_permuted_source {
    const T *from;
    uint64_t limit;
    ww_checking checking;
};

struct ww_permuted_places {
    uint64_t limit;
    ww_checking checking;
};

template <class T> WW_DEVICE T ww_zero_bytes() {
    ww_words<T> w;
#pragma unroll
    for (int k = 0; k < ww_words<T>::many; k++) w.word[k] = 0;
    return w.value;
}

/* A negative index becomes a number that no array is as long as. */
template <class T, class I>
WW_DEVICE T ww_permuted_by(const ww_permuted_source<T> &source, uint64_t position, I index) {
    const uint64_t at = uint64_t(index);
    if (at < source.limit) return source.from[at];
    ww_report(source.checking, position, at);
    return ww_zero_bytes<T>();
}

template <class T, class I, class S>
WW_DEVICE T ww_permuted_of(const ww_permuted_places &places, uint64_t position, I index, S source) {
    const uint64_t at = uint64_t(index);
    if (at < places.limit) return source(at);
    ww_report(places.checking, position, at);
    return ww_zero_bytes<T>();
}

#endif
