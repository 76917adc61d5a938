/* The order of numbers, as CUB's merge sorts want it. */
#ifndef BENCH_BELOW_CUH
#define BENCH_BELOW_CUH

struct below {
    template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};

#endif
