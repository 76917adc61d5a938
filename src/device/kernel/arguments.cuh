/* What a kernel takes stands once, in a header that kernel text and the host's C both include: a struct of pointers and numbers of
 * fixed widths, whose bytes are a multiple of 8, so that both lay it out alike. The host fills it by name and hands it over whole
 * (WW__ARGUMENTS of device/gpu/gpu.h).
 *
 * What only the program's recipe can declare (its inputs, environments, buckets) comes behind it:
 *     struct gather_arguments : gather_fixed { index_input index; };
 *
 * WW_TO(T) points to what kernels write, WW_FROM(T) to what they only read; the host, which has no type T, passes them on. */
#ifndef WW_ARGUMENTS_CUH
#define WW_ARGUMENTS_CUH

#ifdef __cplusplus
#define WW_TO(T) T *
#define WW_FROM(T) const T *
#else
#include <stdint.h>
#define WW_TO(T) void *
#define WW_FROM(T) const void *
#endif

/* Where kernels report bad data (record.cuh), and the call that they do it for. */
typedef struct ww_checking {
    WW_TO(struct ww_bad_data) record;
    uint64_t call;
} ww_checking;

#endif
