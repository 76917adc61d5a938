/* Which of a run's records are near a place. Part of the texts of rows.c and lists.c. */
#ifndef WW__GRID_WHICH_H
#define WW__GRID_WHICH_H

#include "space/grid/record.h"

/* 1 below 0. */
WW_FUNCTION(sign_f32, uint32_t, (float x), { return ww_bits_float(x) >> 31; });
WW_FUNCTION(sign_f64, uint32_t, (double x), { return (uint32_t)(ww_bits_double(x) >> 63); });

#define WHICH(N, T) \
    /* Which of the points from `first` on, at most 32, are near: the first one's bit is the highest. Four at a time, of which those \
     * behind the last one do not count. */ \
    WW_FUNCTION( \
        which_of_records_##N, uint32_t, (const record_##N *from, const ww_grid_##N##_walk *w, uint32_t many), \
        { \
            uint32_t far = 0; \
            uint32_t k = 0; \
            for (; k < many; k += 4) \
                for (uint32_t q = 0; q < 4; q++) { \
                    const record_##N r = from[k + q]; \
                    const T dx = record_x_##N(r) - w->x; \
                    const T dy = record_y_##N(r) - w->y; \
                    const T dz = record_z_##N(r) - w->z; \
                    far = far << 1 | sign_##N(w->squared - (dx * dx + dy * dy + dz * dz)); \
                } \
            return ~far << (32 - k) & 0xFFFFFFFFu << (32 - many); \
        }, \
        record_##N, ww_grid_##N##_walk, record_x_##N, record_y_##N, record_z_##N, sign_##N)
WHICH(f32, float);
WHICH(f64, double);
#undef WHICH

#endif
