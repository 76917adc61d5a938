/* What kernels are told of buckets (ww_buckets of bucket.cuh), but for what the program's recipe declares: edges, an environment. */
#ifndef WW_BUCKET_ARGUMENTS_CUH
#define WW_BUCKET_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct bucket_fixed {
    ww_checking checking;
    uint32_t many, unused;
} bucket_fixed;

/* Of buckets of one width (WW_BY 3). */
typedef struct bucket_division {
    uint64_t factor; /* of up to 32 bits for keys of up to 32 */
    uint32_t shift_first, shift;
} bucket_division;

#endif
