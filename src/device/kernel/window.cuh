/* Windows on an array: f of neighbours, where they lie or, near the ends, put together with what stands for those outside. */
#ifndef WW_WINDOW_CUH
#define WW_WINDOW_CUH

/* As ww_border counts, from 0. */
enum { WW_NEAR_INSIDE, WW_NEAR_CLAMP, WW_NEAR_WRAP, WW_NEAR_VALUE };

template <int border, class T> WW_DEVICE T ww_near(const T *memory, uint64_t length, int64_t at, const T *outside) {
    if (at >= 0 && uint64_t(at) < length) return memory[at];
    if (border == WW_NEAR_VALUE) return *outside;
    if (border == WW_NEAR_CLAMP) return memory[at < 0 ? 0 : length - 1];
    return memory[at < 0 ? length - 1 - (0 - uint64_t(at) - 1) % length : uint64_t(at) % length];
}

/* N elements from i on. */
template <int border, int before, int after, class T, class R, int N, class F>
WW_DEVICE void ww_window_of(const T *memory, uint64_t length, uint64_t i, const T *outside, F f, R (&x)[N]) {
    if (border == WW_NEAR_INSIDE || (i >= before && i + N + after <= length)) {
        const T *const first = memory + i + (border == WW_NEAR_INSIDE ? before : 0);
#pragma unroll
        for (int k = 0; k < N; k++) x[k] = f(first + k);
        return;
    }
    for (int k = 0; k < N; k++) {
        T w[before + 1 + after];
        for (int j = 0; j < before + 1 + after; j++)
            w[j] = ww_near<border>(memory, length, int64_t(i + k) + j - before, outside);
        x[k] = f(w + before);
    }
}

/* The same of what is computed: source(p) is the element at position p. Each is computed once for the thread's N elements. */
template <int border, int before, int after, class T, class R, int N, class S, class F>
WW_DEVICE void ww_window_of_source(S source, uint64_t length, uint64_t i, const T *outside, F f, R (&x)[N]) {
    enum { all = before + N + after, unrolled = all <= 64 ? all : 1 };
    const int64_t first = int64_t(i) - (border == WW_NEAR_INSIDE ? 0 : before);
    T w[all];
#pragma unroll unrolled
    for (int j = 0; j < all; j++) {
        int64_t at = first + j;
        bool inside = border == WW_NEAR_INSIDE || (at >= 0 && uint64_t(at) < length);
        if (!inside && border == WW_NEAR_CLAMP) at = at < 0 ? 0 : length - 1, inside = true;
        if (!inside && border == WW_NEAR_WRAP)
            at = at < 0 ? length - 1 - (0 - uint64_t(at) - 1) % length : uint64_t(at) % length, inside = true;
        w[j] = inside ? source(uint64_t(at)) : *outside;
    }
#pragma unroll
    for (int k = 0; k < N; k++) x[k] = f(w + before + k);
}

#endif
