/* Outputs that are computed (function/into.h), for kernels: what the call gives, a ww_item, goes through a function, where WW_INTO_MAPPED
 * is 1, and its parts go to WW_INTO arrays. The recipe names the arrays' types ww_column0, and so on, and where they stand in a row
 * (WW_AT0, and so on); an array that there is none of is of bytes. Where WW_INTO_PERMUTED is 1, element i goes to place ww_into_index_at(i)
 * of the arrays, and who else writes there does so in no order. WW_INTO_WORDS: there is one array, whose elements stand one behind the other
 * and begin where batches of words may. A kernel's struct has `ww_into into;` last. */
#ifndef WW_INTO_CUH
#define WW_INTO_CUH

#include "device/kernel/record.cuh"

#ifndef WW_INTO_WORDS
#define WW_INTO_WORDS 0
#endif

struct alignas(16) ww_into {
    void *array[8];
#if WW_INTO_PERMUTED
    uint64_t limit;
    ww_checking checking;
    ww_into_index_input index;
#endif
#if WW_INTO_MAPPED
    ww_into_environment environment;
#endif
};

template <class Part, int at, class Row> WW_DEVICE void ww_put_part(void *array, uint64_t i, const Row &row) {
    const Part &part = *reinterpret_cast<const Part *>(reinterpret_cast<const unsigned char *>(&row) + at);
#if WW_INTO_PERMUTED
    ww_store_any(static_cast<Part *>(array) + i, part);
#else
    static_cast<Part *>(array)[i] = part;
#endif
}

/* Where element `position` goes, which may be nowhere. Asked for several elements before one is written: reads do not wait for one
 * another, and writes might change what is read, for all that the compiler knows. */
WW_DEVICE uint64_t ww_into_place(const ww_into &o, uint64_t position) {
#if WW_INTO_PERMUTED
    return uint64_t(ww_into_index_at(o.index, position));
#else
    return position;
#endif
}

WW_DEVICE void ww_put_into_place(const ww_into &o, uint64_t position, uint64_t i, const ww_item &x) {
#if WW_INTO_PERMUTED
    if (i >= o.limit) {
        ww_report(o.checking, position, i);
        return;
    }
#endif
#if WW_INTO_MAPPED
    const ww_row row = ww_into_body(x, o.environment.at());
#else
    const ww_item &row = x;
#endif
    ww_put_part<ww_column0, WW_AT0>(o.array[0], i, row);
    if (WW_INTO > 1) ww_put_part<ww_column1, WW_AT1>(o.array[1], i, row);
    if (WW_INTO > 2) ww_put_part<ww_column2, WW_AT2>(o.array[2], i, row);
    if (WW_INTO > 3) ww_put_part<ww_column3, WW_AT3>(o.array[3], i, row);
    if (WW_INTO > 4) ww_put_part<ww_column4, WW_AT4>(o.array[4], i, row);
    if (WW_INTO > 5) ww_put_part<ww_column5, WW_AT5>(o.array[5], i, row);
    if (WW_INTO > 6) ww_put_part<ww_column6, WW_AT6>(o.array[6], i, row);
    if (WW_INTO > 7) ww_put_part<ww_column7, WW_AT7>(o.array[7], i, row);
}

/* Element `position`. */
WW_DEVICE void ww_put_into(const ww_into &o, uint64_t position, const ww_item &x) {
    ww_put_into_place(o, position, ww_into_place(o, position), x);
}

/* Elements from `position` on, `many` of them: all N where they are a batch. */
template <int N> WW_DEVICE void ww_put_batch_into(const ww_into &o, uint64_t position, uint32_t many, const ww_item (&x)[N]) {
#if WW_INTO_WORDS
    if (many == N) {
        ww_column0 part[N];
#pragma unroll
        for (int k = 0; k < N; k++) {
#if WW_INTO_MAPPED
            const ww_row row = ww_into_body(x[k], o.environment.at());
#else
            const ww_item &row = x[k];
#endif
            part[k] = *reinterpret_cast<const ww_column0 *>(&row);
        }
        ww_put(static_cast<ww_column0 *>(o.array[0]) + position, part);
        return;
    }
#endif
#pragma unroll
    for (int k = 0; k < N; k++)
        if (uint32_t(k) < many) ww_put_into(o, position + k, x[k]);
}

#endif
