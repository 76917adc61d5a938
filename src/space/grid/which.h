/* Which of a run's records are near a place, and the indices of those near a point. Part of the texts of rows.c and lists.c. */
#ifndef WW__GRID_WHICH_H
#define WW__GRID_WHICH_H

#include <math.h>

#include "space/grid/record.h"

/* 1 below 0. */
WW_FUNCTION(sign_f32, uint32_t, (float x), { return ww_bits_float(x) >> 31; });
WW_FUNCTION(sign_f64, uint32_t, (double x), { return (uint32_t)(ww_bits_double(x) >> 63); });

/* Which of the points from `first` on, at most 32, are near: the first one's bit is the highest. Four at a time, of which those behind
 * the last one do not count. */
#define WHICH(name, N, T) \
    WW_FUNCTION( \
        name, uint32_t, (const record_##N *from, const ww_grid_##N##_walk *w, uint32_t many), \
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
WHICH(which_of_records_f64, f64, double);
WHICH(which_exactly_f32, f32, float);
#undef WHICH

/* The same by fused products, which are fewer instructions and round elsewhere. With u = 2^-24 and S the radius squared, d^2 as it is
 * defined is off by 3 u d^2, and the fused difference from S by 3 u max(S, d^2): both together by less than 12.1 u S where d^2 is below 2 S,
 * and elsewhere their signs are the same. Of S (1 + 32 u) a difference is therefore not below 0 only if the point is not near, and
 * below -64 u S only if it is. What lies between, as integers the least of all, has the run compared as it is defined; so has an S whose
 * products might be rounded to numbers that are not normal. */
WW_FUNCTION(
    which_of_records_f32, uint32_t, (const record_f32 *from, const ww_grid_f32_walk *w, uint32_t many),
    {
        const float edge = -(w->squared + w->squared * 1.9073486328125e-6f);
        const int32_t sure = w->squared >= 8.2718061e-25f ? (int32_t)ww_bits_float(w->squared * -3.814697265625e-6f)
                                                          : 0x7FFFFFFF;
        int32_t least = 0x7FFFFFFF;
        uint32_t near = 0;
        uint32_t k = 0;
        for (; k < many; k += 4)
            for (uint32_t q = 0; q < 4; q++) {
                const record_f32 r = from[k + q];
                const float dx = record_x_f32(r) - w->x;
                const float dy = record_y_f32(r) - w->y;
                const float dz = record_z_f32(r) - w->z;
                const float beyond = fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, edge)));
                const int32_t bits = (int32_t)ww_bits_float(beyond);
                least = bits < least ? bits : least;
                near = near << 1 | sign_f32(beyond);
            }
        if (least <= sure) return which_exactly_f32(from, w, many);
        return near << (32 - k) & 0xFFFFFFFFu << (32 - many);
    },
    record_f32, ww_grid_f32_walk, record_x_f32, record_y_f32, record_z_f32, sign_f32, which_exactly_f32);

/* Of a run's points from `first` on, at most 32, those that are near and not `self`: their indices go behind the *found in `slot`, as
 * far as it has room. Those that have none are returned, as which_of_records does, and counted in *found all the same. */
#define TAKING(N) \
    WW_FUNCTION( \
        take_near_##N, uint32_t, \
        (const record_##N *record, const uint32_t *indices, const ww_grid_##N##_walk *w, uint32_t first, \
         uint32_t self, uint32_t *slot, uint32_t room, uint32_t *found), \
        { \
            const uint32_t many = w->end - first < 32 ? w->end - first : 32; \
            const uint32_t *const index = indices + first; \
            uint32_t near = which_of_records_##N(record + first, w, many); \
            uint32_t next = *found; \
            if (self - first < 32) near &= ~(0x80000000u >> (self - first)); \
            *found += (uint32_t)ww_popcount(near); \
            if (*found <= room) \
                for (uint32_t *to = slot + next; near; to++) { \
                    const uint32_t k = (uint32_t)ww_clz(near); \
                    near ^= 0x80000000u >> k; \
                    *to = index[k]; \
                } \
            for (; near && next < room; next++) { \
                const uint32_t k = (uint32_t)ww_clz(near); \
                near ^= 0x80000000u >> k; \
                slot[next] = index[k]; \
            } \
            return near; \
        }, \
        record_##N, ww_grid_##N##_walk, which_of_records_##N)
TAKING(f32);
TAKING(f64);
#undef TAKING

#endif
