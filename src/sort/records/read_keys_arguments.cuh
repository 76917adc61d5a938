/* What read_keys.cu takes. */
#ifndef WW_READ_KEYS_ARGUMENTS_CUH
#define WW_READ_KEYS_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct read_keys_arguments {
    WW_FROM(unsigned char) records; /* from the first one's key on */
    WW_FROM(position) order;
    WW_TO(ww_key) out;
    uint64_t count, size; /* records, and bytes of each */
    uint64_t beyond;      /* bits of the last word that are not the key's */
} read_keys_arguments;

#endif
