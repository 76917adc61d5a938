/* What launches in a recorded loop are told (counted.cuh), as the host and kernels see it. */
#ifndef WW_ROUND_OF_LOOP_CUH
#define WW_ROUND_OF_LOOP_CUH

typedef struct ww_round_of_loop {
    const uint64_t *ended; /* not 0 there: the loop has ended. NULL: nobody has to look */
    uint64_t decided;      /* whether it has been written before this launch comes: not for a round's first launch */
} ww_round_of_loop;

#endif
