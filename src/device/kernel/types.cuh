/* Elements in kernels: records, moving several neighbours at once, and passing values of any type between the lanes of a
 * warp. */
#ifndef WW_TYPES_CUH
#define WW_TYPES_CUH

/* A record of which nothing is known but its size. */
template <int bytes, int alignment> struct alignas(alignment) ww_record {
    unsigned char byte[bytes];
};

struct alignas(16) ww_sixteen {
    uint32_t word[4];
};
struct alignas(8) ww_eight {
    uint32_t word[2];
};

/* Words of so many bytes, to copy with; of 0 bytes, which are not used, where a program copies nothing in words. */
template <int bytes> struct ww_word {
    typedef uint8_t type;
};
template <> struct ww_word<16> {
    typedef ww_sixteen type;
};
template <> struct ww_word<8> {
    typedef ww_eight type;
};
template <> struct ww_word<4> {
    typedef uint32_t type;
};
template <> struct ww_word<2> {
    typedef uint16_t type;
};
/* The same where 8 bytes are wanted as a number. Copies made of those take more instructions and registers. */
template <int bytes> struct ww_number : ww_word<bytes> {};
template <> struct ww_number<8> {
    typedef uint64_t type;
};

/* What N neighbouring elements are moved as: words of 16 bytes, of 8, of 4, or one by one. WW_VECTORS is 1 where the
 * host has seen that every array begins at a multiple of 16 bytes and every batch at a multiple of N. */
#ifndef WW_VECTORS
#define WW_VECTORS 0
#endif
template <int bytes> struct ww_word_of {
    static const int size = !WW_VECTORS ? 0 : bytes % 16 == 0 ? 16 : bytes == 8 ? 8 : bytes == 4 ? 4 : 0;
};

/* N elements, at once as words or one by one. */
template <class T, int N, int word> struct ww_batch {
    typedef typename ww_word<word>::type W;
    static WW_DEVICE_MEMBER void fetch(const T *from, T (&x)[N]) {
        union {
            W w[sizeof(T) * N / word];
            T t[N];
        } b;
#pragma unroll
        for (int k = 0; k < int(sizeof(T) * N / word); k++) b.w[k] = reinterpret_cast<const W *>(from)[k];
#pragma unroll
        for (int k = 0; k < N; k++) x[k] = b.t[k];
    }
    static WW_DEVICE_MEMBER void put(T *to, const T (&x)[N]) {
        union {
            W w[sizeof(T) * N / word];
            T t[N];
        } b;
#pragma unroll
        for (int k = 0; k < N; k++) b.t[k] = x[k];
#pragma unroll
        for (int k = 0; k < int(sizeof(T) * N / word); k++) reinterpret_cast<W *>(to)[k] = b.w[k];
    }
};
template <class T, int N> struct ww_batch<T, N, 0> {
    static WW_DEVICE_MEMBER void fetch(const T *from, T (&x)[N]) {
#pragma unroll
        for (int k = 0; k < N; k++) x[k] = from[k];
    }
    static WW_DEVICE_MEMBER void put(T *to, const T (&x)[N]) {
#pragma unroll
        for (int k = 0; k < N; k++) to[k] = x[k];
    }
};

template <int N, class T> WW_DEVICE void ww_fetch(const T *from, T (&x)[N]) {
    ww_batch<T, N, N == 1 ? 0 : ww_word_of<int(sizeof(T)) * N>::size>::fetch(from, x);
}
template <int N, class T> WW_DEVICE void ww_put(T *to, const T (&x)[N]) {
    ww_batch<T, N, N == 1 ? 0 : ww_word_of<int(sizeof(T)) * N>::size>::put(to, x);
}

/* Positions of a type that the program is told at run time (recipe.h: ww__recipe_index): 0 64 bits, 1 u32, 2 i32. */
template <class T, int N> WW_DEVICE void ww_fetch_narrow(const void *from, uint64_t i, uint64_t (&x)[N]) {
    T narrow[N];
    ww_fetch(static_cast<const T *>(from) + i, narrow);
#pragma unroll
    for (int k = 0; k < N; k++) x[k] = uint64_t(narrow[k]);
}
template <int N> WW_DEVICE void ww_fetch_index(const uint64_t *from, uint64_t narrow, uint64_t i, uint64_t (&x)[N]) {
    if (narrow == 0)
        ww_fetch(from + i, x);
    else if (narrow == 1)
        ww_fetch_narrow<uint32_t>(from, i, x);
    else
        ww_fetch_narrow<int32_t>(from, i, x);
}

/* A value as 32-bit words, the last one filled up. */
template <class T> struct ww_words {
    static const int many = (sizeof(T) + 3) / 4;
    union {
        uint32_t word[many];
        T value;
    };
    WW_DEVICE_MEMBER ww_words() {}
};

/* The same bytes as another type: records are aligned as where they lie. */
template <class T, class F> union ww_both {
    F from;
    T to;
    WW_DEVICE_MEMBER ww_both() {}
};
template <class T, class F> WW_DEVICE T ww_as(const F &x) {
    ww_both<T, F> b;
    b.from = x;
    return b.to;
}

/* Whether two values have the same bytes. */
template <class T> WW_DEVICE bool ww_same(const T &x, const T &y) {
    ww_words<T> v, w;
    v.word[ww_words<T>::many - 1] = w.word[ww_words<T>::many - 1] = 0;
    v.value = x;
    w.value = y;
    uint32_t differ = 0;
#pragma unroll
    for (int k = 0; k < ww_words<T>::many; k++) differ |= v.word[k] ^ w.word[k];
    return !differ;
}

/* A value whose words each went through f. */
template <class T, class F> WW_DEVICE T ww_by_words(const T &x, F f) {
    ww_words<T> w;
    w.word[ww_words<T>::many - 1] = 0;
    w.value = x;
#pragma unroll
    for (int k = 0; k < ww_words<T>::many; k++) w.word[k] = f(w.word[k]);
    return w.value;
}

/* The value of the lane `by` places before this one, or after it; of lane `lane`; of the lane whose number differs in the bits
 * of `bits`. */
template <class T> WW_DEVICE T ww_lane_before(const T &x, int by) {
    return ww_by_words(x, [&](uint32_t word) { return __shfl_up_sync(WW_ALL, word, by); });
}
template <class T> WW_DEVICE T ww_lane_after(const T &x, int by) {
    return ww_by_words(x, [&](uint32_t word) { return __shfl_down_sync(WW_ALL, word, by); });
}
template <class T> WW_DEVICE T ww_lane(const T &x, int lane) {
    return ww_by_words(x, [&](uint32_t word) { return __shfl_sync(WW_ALL, word, lane); });
}
template <class T> WW_DEVICE T ww_lane_across(const T &x, int bits) {
    return ww_by_words(x, [&](uint32_t word) { return __shfl_xor_sync(WW_ALL, word, bits); });
}

/* The sum of what the lanes before this one have. */
template <class T> WW_DEVICE T ww_sum_before(T x) {
    T sum = x;
#pragma unroll
    for (int by = 1; by < WW_WARP; by *= 2) {
        const T earlier = __shfl_up_sync(WW_ALL, sum, by);
        if (threadIdx.x % WW_WARP >= uint32_t(by)) sum += earlier;
    }
    return sum - x;
}

#endif
