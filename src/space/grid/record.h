/* Records of a point's coordinates and its index: what is moved or read of a point is one line of memory, not three or four. Part of
 * the texts of build.c, rows.c and lists.c. */
#ifndef WW__GRID_RECORD_H
#define WW__GRID_RECORD_H

#include "space/grid/grid.h"

WW_STRUCT(record_f32, { ww_u128 word; });
WW_STRUCT(record_f64, {
    ww_u128 word;
    ww_u128 second;
});
WW_FUNCTION(
    record_of_f32, record_f32, (float x, float y, float z, uint32_t index),
    {
        record_f32 r;
        const uint64_t low = ww_bits_float(x) | (uint64_t)ww_bits_float(y) << 32;
        const uint64_t high = ww_bits_float(z) | (uint64_t)index << 32;
        r.word = low | (ww_u128)high << 64;
        return r;
    },
    record_f32);
WW_FUNCTION(
    record_of_f64, record_f64, (double x, double y, double z, uint32_t index),
    {
        record_f64 r;
        r.word = ww_bits_double(x) | (ww_u128)ww_bits_double(y) << 64;
        r.second = ww_bits_double(z) | (ww_u128)index << 64;
        return r;
    },
    record_f64);
WW_FUNCTION(
    record_x_f32, float, (record_f32 r), { return ww_float_of_bits((uint32_t)r.word); }, record_f32);
WW_FUNCTION(
    record_y_f32, float, (record_f32 r), { return ww_float_of_bits((uint32_t)(r.word >> 32)); }, record_f32);
WW_FUNCTION(
    record_z_f32, float, (record_f32 r), { return ww_float_of_bits((uint32_t)(r.word >> 64)); }, record_f32);
WW_FUNCTION(
    record_index_f32, uint32_t, (record_f32 r), { return (uint32_t)(r.word >> 96); }, record_f32);
WW_FUNCTION(
    record_x_f64, double, (record_f64 r), { return ww_double_of_bits((uint64_t)r.word); }, record_f64);
WW_FUNCTION(
    record_y_f64, double, (record_f64 r), { return ww_double_of_bits((uint64_t)(r.word >> 64)); }, record_f64);
WW_FUNCTION(
    record_z_f64, double, (record_f64 r), { return ww_double_of_bits((uint64_t)r.second); }, record_f64);
WW_FUNCTION(
    record_index_f64, uint32_t, (record_f64 r), { return (uint32_t)(r.second >> 64); }, record_f64);

#endif
