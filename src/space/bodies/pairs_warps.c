/* All pairs by warps. Each lane reads a source and converts it to the group's place; the warp then meets these one after the other,
 * and each of its lanes has one, two or four bodies: the more, the fewer steps go into handing sources on; but there are to be
 * warps enough for the GPU. Bodies of a group that is too wide have a warp each, and a lane keeps what it reads. */
#include "space/bodies/lanes.h"

WW_KERNEL_USES((clear_walker, meet_body, put_away, add_lanes, give), pairs_alone, walking, a, rank, {
    const uint32_t lane = (uint32_t)(rank % WW_WARP);
    const uint64_t warp = rank / WW_WARP;
    const uint64_t self64 = (uint64_t)a->alone[warp / a->group] * a->group + warp % a->group;
    if (self64 >= a->n) return;
    const uint32_t self = (uint32_t)self64;
    const double mx = a->sorted.x[self];
    const double my = a->sorted.y[self];
    const double mz = a->sorted.z[self];
    walker w;
    w.x = w.y = w.z = 0;
    clear_walker(&w, a->softening2);
    uint32_t lately = 0;
    for (uint64_t i = lane; i < a->n; i += WW_WARP) {
        meet_body(&w, (float)(a->sorted.x[i] - mx), (float)(a->sorted.y[i] - my), (float)(a->sorted.z[i] - mz),
                  (float)a->sorted.m[i], i == self ? 0 : 1.0f);
        if (++lately == 64) {
            put_away(&w);
            lately = 0;
        }
    }
    put_away(&w);
    add_lanes(&w, lane);
    if (!lane) give(a, &w, self, a->n);
});

/* The middle of a group's box along one axis, from each lane's bodies. */
WW_FUNCTION(
    middle_of_group, double, (const double *at, uint32_t first, uint32_t behind, uint32_t lane),
    {
        float half;
        double low = at[first];
        double high = at[first];
        for (uint32_t i = first + lane; i < behind; i += WW_WARP) {
            low = at[i] < low ? at[i] : low;
            high = at[i] > high ? at[i] : high;
        }
        return middle_of_lanes(low, high, lane, &half);
    },
    middle_of_lanes);

#define PAIRS(EACH) \
    /* Lane `source` hands its source on, and all bodies of all lanes meet it; `own`: it may be one of them, this lane's which-th. */ \
    WW_FUNCTION( \
        meet_sources_##EACH, void, (walker * w, const lane_source *s, bool own, uint32_t which, uint32_t lane), \
        { \
            for (uint32_t from = 0; from < WW_WARP; from++) { \
                const float x = ww_float_of_lane(s->x, from); \
                const float y = ww_float_of_lane(s->y, from); \
                const float z = ww_float_of_lane(s->z, from); \
                const float m = ww_float_of_lane(s->m, from); \
                for (uint32_t k = 0; k < EACH; k++) \
                    meet_body(w + k, x, y, z, m, own && from == lane && k == which ? 0 : 1.0f); \
            } \
        }, \
        walker, lane_source, meet_body); \
    WW_KERNEL_USES((clear_walker, meet_sources_##EACH, middle_of_group, put_away, give), pairs_##EACH, walking, a, rank, { \
        const uint32_t lane = (uint32_t)(rank % WW_WARP); \
        const uint32_t number = (uint32_t)(rank / WW_WARP); \
        const uint32_t n = (uint32_t)a->n; \
        const uint32_t first = number * a->group; \
        if (a->wide[number] != 0) return; \
        const uint32_t behind = n - first < a->group ? n : first + a->group; \
        const double mx = middle_of_group(a->sorted.x, first, behind, lane); \
        const double my = middle_of_group(a->sorted.y, first, behind, lane); \
        const double mz = middle_of_group(a->sorted.z, first, behind, lane); \
        walker w[EACH]; \
        for (uint32_t k = 0; k < EACH; k++) { \
            const uint32_t i = first + k * WW_WARP + lane; \
            const uint32_t self = i < behind ? i : first; \
            w[k].x = (float)(a->sorted.x[self] - mx); \
            w[k].y = (float)(a->sorted.y[self] - my); \
            w[k].z = (float)(a->sorted.z[self] - mz); \
            clear_walker(&w[k], a->softening2); \
        } \
        for (uint32_t base = 0; base < n; base += WW_WARP) { \
            const uint32_t i = base + lane; \
            lane_source s; \
            s.x = i < n ? (float)(a->sorted.x[i] - mx) : 0; \
            s.y = i < n ? (float)(a->sorted.y[i] - my) : 0; \
            s.z = i < n ? (float)(a->sorted.z[i] - mz) : 0; \
            s.m = i < n ? (float)a->sorted.m[i] : 0; \
            if (base - first < EACH * WW_WARP) \
                meet_sources_##EACH(w, &s, true, (base - first) / WW_WARP, lane); \
            else \
                meet_sources_##EACH(w, &s, false, 0, lane); \
            if (base / WW_WARP % 2) \
                for (uint32_t k = 0; k < EACH; k++) put_away(&w[k]); \
        } \
        for (uint32_t k = 0; k < EACH; k++) { \
            const uint32_t i = first + k * WW_WARP + lane; \
            put_away(&w[k]); \
            if (i < behind) give(a, &w[k], i, n); \
        } \
    });
PAIRS(1)
PAIRS(2)
PAIRS(4)

ww_status ww__bodies_pairs_warps(ww_nbody *nbody, walking *a) {
    const uint32_t each = a->n >= 4 * nbody->two_each ? 4 : a->n >= nbody->two_each ? 2 : 1;
    a->group = 32 * each;
    const uint64_t groups = (a->n + a->group - 1) / a->group;
    WW_TRY(ww__bodies_wide_groups(nbody, a));
    WW_TRY(ww_launch(nbody->device, ww_with(pairs_alone, a), a->alone_groups * a->group * 32));
    const ww_function *const of = each == 4   ? ww_with(pairs_4, a)
                                  : each == 2 ? ww_with(pairs_2, a)
                                              : ww_with(pairs_1, a);
    return ww_launch(nbody->device, of, groups * 32);
}
