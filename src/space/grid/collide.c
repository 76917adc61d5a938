/* A step of colliding particles, in three parts as Green (CUDA Particles, 2008) has them: integration moves them, a grid is
 * built of where they are then, and each particle adds up the forces of those that it touches. The third part reads velocities
 * in the grid's order, from copies, so that each particle's new one can be written where the old one was. */
#include <math.h>

#include "device/array.h"
#include "device/options.h"
#include "space/grid/grid.h"

/* Arrays of the particles, x y z vx vy vz; those of z are NULL in two dimensions. */
typedef struct lent_particles {
    uint64_t count;
    void *at[6];
} lent_particles;

#define COLLIDING(N, T, ROOT) \
    WW_STRUCT(moving_##N, { \
        T *x; \
        T *y; \
        T *z; \
        T *vx; \
        T *vy; \
        T *vz; \
        T step; \
        T keep; \
        T gravity[3]; \
        T low[3]; \
        T high[3]; \
        T bounce; \
        uint32_t walls; \
    }); \
    /* One coordinate of a particle; walls are where its centre may be. */ \
    WW_FUNCTION( \
        move_along_##N, void, (const moving_##N *a, T *x, T *v, uint32_t axis), \
        { \
            T speed = (*v + a->gravity[axis] * a->step) * a->keep; \
            T to = *x + speed * a->step; \
            if (a->walls && to < a->low[axis]) { \
                to = a->low[axis]; \
                speed = -speed * a->bounce; \
            } \
            if (a->walls && to > a->high[axis]) { \
                to = a->high[axis]; \
                speed = -speed * a->bounce; \
            } \
            *x = to; \
            *v = speed; \
        }, \
        moving_##N); \
    WW_KERNEL_USES((move_along_##N), integrate_##N, moving_##N, a, i, { \
        move_along_##N(a, a->x + i, a->vx + i, 0); \
        move_along_##N(a, a->y + i, a->vy + i, 1); \
        if (a->z) move_along_##N(a, a->z + i, a->vz + i, 2); \
    }); \
    WW_STRUCT_USES((ww_grid_##N), colliding_##N, { \
        ww_grid_##N grid; \
        T *vx; \
        T *vy; \
        T *vz; \
        T *sorted_vx; \
        T *sorted_vy; \
        T *sorted_vz; \
        T diameter; \
        T spring; \
        T damping; \
        T shear; \
        T attraction; \
    }); \
    WW_KERNEL(gather_velocities_##N, colliding_##N, a, at, { \
        const uint32_t i = a->grid.index[at]; \
        a->sorted_vx[at] = a->vx[i]; \
        a->sorted_vy[at] = a->vy[i]; \
        if (a->vz) a->sorted_vz[at] = a->vz[i]; \
    }); \
    WW_KERNEL_USES((ww_grid_##N##_walk, ww_grid_##N##_from_point, ww_grid_##N##_next), collide_##N, colliding_##N, a, \
                   at, { \
                       const ww_grid_##N *t = &a->grid; \
                       const bool solid = t->z != 0; \
                       const T vx = a->sorted_vx[at]; \
                       const T vy = a->sorted_vy[at]; \
                       const T vz = solid ? a->sorted_vz[at] : 0; \
                       T fx = 0; \
                       T fy = 0; \
                       T fz = 0; \
                       ww_grid_##N##_walk w; \
                       ww_grid_##N##_from_point(t, &w, (uint32_t)at, a->diameter); \
                       while (ww_grid_##N##_next(t, &w)) { \
                           const T apart = ROOT(w.distance_squared); \
                           if (!(apart < a->diameter)) continue; \
                           const T rx = t->x[w.at] - w.x; \
                           const T ry = t->y[w.at] - w.y; \
                           const T rz = solid ? t->z[w.at] - w.z : 0; \
                           const T nx = apart > 0 ? rx / apart : 0; \
                           const T ny = apart > 0 ? ry / apart : 0; \
                           const T nz = apart > 0 ? rz / apart : 0; \
                           const T wx = a->sorted_vx[w.at] - vx; \
                           const T wy = a->sorted_vy[w.at] - vy; \
                           const T wz = solid ? a->sorted_vz[w.at] - vz : 0; \
                           const T along = wx * nx + wy * ny + wz * nz; \
                           const T push = -a->spring * (a->diameter - apart); \
                           fx += push * nx + a->damping * wx + a->shear * (wx - along * nx) + a->attraction * rx; \
                           fy += push * ny + a->damping * wy + a->shear * (wy - along * ny) + a->attraction * ry; \
                           fz += push * nz + a->damping * wz + a->shear * (wz - along * nz) + a->attraction * rz; \
                       } \
                       const uint32_t i = t->index[at]; \
                       a->vx[i] = vx + fx; \
                       a->vy[i] = vy + fy; \
                       if (solid) a->vz[i] = vz + fz; \
                   }); \
    static ww_status move_##N(ww_grid *grid, const lent_particles *p, const ww_collide_options *o) { \
        moving_##N a = {.x = p->at[0], .y = p->at[1], .z = p->at[2], .vx = p->at[3], .vy = p->at[4], .vz = p->at[5]}; \
        a.step = (T)o->time_step; \
        a.keep = (T)(1 - o->drag); \
        a.bounce = (T)o->bounce; \
        a.walls = o->walls; \
        for (uint32_t d = 0; d < 3; d++) { \
            a.gravity[d] = (T)o->gravity[d]; \
            a.low[d] = (T)o->low[d] + (T)o->radius; \
            a.high[d] = (T)o->high[d] - (T)o->radius; \
        } \
        return ww_launch(grid->device, ww_with(integrate_##N, &a), p->count); \
    } \
    static ww_status collide_all_##N(ww_grid *grid, const lent_particles *p, const ww_collide_options *o) { \
        colliding_##N a = {.vx = p->at[3], .vy = p->at[4], .vz = p->at[5]}; \
        ww__grid_see_##N(grid, &a.grid); \
        a.sorted_vx = grid->block[WW__GRID_VELOCITY].data; \
        a.sorted_vy = grid->block[WW__GRID_VELOCITY + 1].data; \
        a.sorted_vz = grid->block[WW__GRID_VELOCITY + 2].data; \
        a.diameter = 2 * (T)o->radius; \
        a.spring = (T)o->spring; \
        a.damping = (T)o->damping; \
        a.shear = (T)o->shear; \
        a.attraction = (T)o->attraction; \
        WW_TRY(ww_launch(grid->device, ww_with(gather_velocities_##N, &a), p->count)); \
        return ww_launch(grid->device, ww_with(collide_##N, &a), p->count); \
    }
COLLIDING(f32, float, sqrtf)
COLLIDING(f64, double, sqrt)

/* ---- arguments ---- */

static ww_status check_numbers(ww_device *device, const ww_collide_options *given, ww_collide_options *o) {
    WW_TRY(ww__take_options(device, given, "WW_COLLIDE_OPTIONS", o, offsetof(ww_collide_options, reserved)));
    const double numbers[] = {o->radius,     o->time_step,  o->spring,     o->damping, o->shear,  o->attraction,
                              o->gravity[0], o->gravity[1], o->gravity[2], o->drag,    o->bounce, o->low[0],
                              o->low[1],     o->low[2],     o->high[0],    o->high[1], o->high[2]};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        WW_CHECK(device, numbers[i] - numbers[i] == 0, WW_INVALID, "a number of the options is %g", numbers[i]);
    WW_CHECK(device, o->radius > 0, WW_INVALID, "options.radius is %g", o->radius);
    WW_CHECK(device, o->walls <= 1, WW_INVALID, "options.walls is %u", o->walls);
    for (size_t d = 0; o->walls && d < 3; d++)
        WW_CHECK(device, o->low[d] <= o->high[d], WW_INVALID, "options.low and high are %g and %g on axis %zu",
                 o->low[d], o->high[d], d);
    return WW_OK;
}

static const char *const names[] = {"particles.x",  "particles.y",  "particles.z",
                                    "particles.vx", "particles.vy", "particles.vz"};

/* Outside of a call; `each` are six arrays. */
static ww_status check_particles(ww_grid *grid, const char *call, const ww_array *const each[6]) {
    ww_status status;
    for (size_t c = 0; c < 6; c++) {
        if (grid->dimensions == 2 && c % 3 == 2) {
            if (each[c]->type)
                return ww__fail_call(grid->device, call, WW_TYPE, "%s is given, and the grid has two dimensions",
                                     names[c]);
            continue;
        }
        WW_TRY(ww__grid_check_array(grid, call, names[c], each[c], grid->type, each[0]->count));
        for (size_t b = 0; b < c; b++) {
            if (!each[b]->type) continue;
            WW_TRY(ww__enter(grid->device, call));
            status = ww__check_outputs_apart(grid->device, names[b], each[b], names[c], each[c]);
            WW_TRY(ww__leave(grid->device, status));
        }
    }
    if (each[0]->count > WW_GRID_MOST)
        return ww__fail_call(grid->device, call, WW_LIMIT, "particles are %llu, and %llu are the most",
                             (unsigned long long)each[0]->count, (unsigned long long)WW_GRID_MOST);
    return WW_OK;
}

/* All memory that the step needs beside the grid's. */
static ww_status lend(ww_grid *grid, const char *call, const ww_array *const each[6], lent_particles *lent) {
    void *block;
    *lent = (lent_particles){each[0]->count, {NULL, NULL, NULL, NULL, NULL, NULL}};
    for (uint32_t c = 0; c < 6; c++) {
        if (!each[c]->type) continue;
        WW_TRY(ww__grid_lend_array(grid, call, names[c], each[c], true, (ww__grid_use)(WW__GRID_PARTICLE + c),
                                   &lent->at[c]));
        if (c >= 3)
            WW_TRY(
                ww__grid_room(grid, (ww__grid_use)(WW__GRID_VELOCITY + c - 3), lent->count, grid->type->size, &block));
    }
    return WW_OK;
}

static ww_status step(ww_grid *grid, const char *call, const lent_particles *p, const ww_collide_options *o) {
    const ww__grid_points points = {p->count, {p->at[0], p->at[1], p->at[2]}};
    WW_TRY(ww__grid_of(grid, move)(grid, p, o));
    WW_TRY(ww__grid_build(grid, call, &points));
    return ww__grid_of(grid, collide_all)(grid, p, o);
}

ww_status ww_grid_collide(ww_grid *grid, const ww_particles *particles, const ww_collide_options *options) {
    static const char call[] = "ww_grid_collide";
    ww_collide_options o;
    lent_particles lent;
    if (!grid) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(grid->device, call));
    if (!particles) return ww__fail_call(grid->device, call, WW_INVALID, "particles is NULL");
    if (!options) return ww__fail_call(grid->device, call, WW_INVALID, "options is NULL, and has the radius");
    WW_TRY(ww__enter(grid->device, call));
    WW_TRY(ww__leave(grid->device, check_numbers(grid->device, options, &o)));
    WW_TRY(ww__grid_check_radius(grid, call, "2 * options.radius", 2 * o.radius));
    const ww_array *const each[] = {&particles->x,  &particles->y,  &particles->z,
                                    &particles->vx, &particles->vy, &particles->vz};
    WW_TRY(check_particles(grid, call, each));
    WW_TRY(lend(grid, call, each, &lent));
    if (lent.count) {
        WW_TRY(step(grid, call, &lent, &o));
        for (size_t c = 0; c < 6; c++)
            if (each[c]->type) WW_TRY(ww__grid_return(grid, each[c], lent.at[c]));
    } else {
        const ww__grid_points none = {0, {NULL, NULL, NULL}};
        WW_TRY(ww__grid_build(grid, call, &none));
    }
    return WW_OK;
}
