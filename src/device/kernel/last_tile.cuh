/* The end of an input that is shorter than a tile, element by element. */
#ifndef WW_LAST_TILE_CUH
#define WW_LAST_TILE_CUH

/* use(x, i) for each element x of the input `in`, at place i, from `first` on, by the threads of a block. A thread reads several before it
 * uses one, so that reads do not wait for one another. */
template <class USE> WW_DEVICE void ww_each_of_last(const in_input &in, uint64_t first, uint64_t count, USE use) {
    enum { AT_ONCE = sizeof(in_item) <= 16 ? 4 : 1 };
    for (uint64_t i = first + threadIdx.x; i < count; i += AT_ONCE * WW_THREADS) {
        in_item x[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            if (i + k * WW_THREADS < count) x[k] = in_at(in, i + k * WW_THREADS);
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            if (i + k * WW_THREADS < count) use(x[k], i + k * WW_THREADS);
    }
}

#endif
