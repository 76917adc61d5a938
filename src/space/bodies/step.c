/* Steps in time: kick, drift, forces, kick. And what the steps conserve. */
#include "space/bodies/bodies.h"

WW_STRUCT_USES((body_columns), moving, {
    body_columns of;
    double kick;
    double drift;
});

WW_KERNEL(move, moving, a, rank, {
    a->of.vx[rank] += a->of.ax[rank] * a->kick;
    a->of.vy[rank] += a->of.ay[rank] * a->kick;
    a->of.vz[rank] += a->of.az[rank] * a->kick;
    if (a->drift != 0) {
        a->of.x[rank] += a->of.vx[rank] * a->drift;
        a->of.y[rank] += a->of.vy[rank] * a->drift;
        a->of.z[rank] += a->of.vz[rank] * a->drift;
    }
});

ww_status ww__bodies_move(ww_nbody *nbody, double kick, double drift) {
    const moving a = {nbody->column, kick, drift};
    return ww_launch(nbody->device, ww_with(move, &a), nbody->n);
}

/* ---- sums ---- */

enum { MASS, KINETIC, POTENTIAL, MOMENTUM, ANGULAR = MOMENTUM + 3, CENTER = ANGULAR + 3, SUMS = CENTER + 3 };

WW_STRUCT(body_sums, { double of[12]; });

WW_MAP(sums_of, body_sums, uint64_t, i, body_columns, c, {
    body_sums s;
    const double m = c->m[i];
    const double px = m * c->vx[i];
    const double py = m * c->vy[i];
    const double pz = m * c->vz[i];
    s.of[0] = m;
    s.of[1] = 0.5 * (px * c->vx[i] + py * c->vy[i] + pz * c->vz[i]);
    s.of[2] = 0.5 * m * c->potential[i]; /* each pair counts at both of its bodies */
    s.of[3] = px;
    s.of[4] = py;
    s.of[5] = pz;
    s.of[6] = c->y[i] * pz - c->z[i] * py;
    s.of[7] = c->z[i] * px - c->x[i] * pz;
    s.of[8] = c->x[i] * py - c->y[i] * px;
    s.of[9] = m * c->x[i];
    s.of[10] = m * c->y[i];
    s.of[11] = m * c->z[i];
    return s;
});

WW_COMBINE(sums_join, body_sums, a, b, WW_COMMUTES, WW_IDENTITY({{0}}), {
    for (int k = 0; k < 12; k++) a.of[k] += b.of[k];
    return a;
});

ww_status ww__bodies_totals(ww_nbody *nbody, ww_nbody_totals *t) {
    body_sums s = {{0}};
    uint64_t work = 0;
    const uint64_t walks = nbody->warps ? nbody->n : (nbody->n + WW__BODIES_GROUP - 1) / WW__BODIES_GROUP;
    _Static_assert(SUMS == sizeof s / sizeof s.of[0], "a sum for each name");
    WW_TRY(ww_reduce(nbody->device, &sums_join_ww,
                     ww_mapped(ww_with(sums_of, &nbody->column), ww_counting(&ww_type_uint64_t, 0, nbody->n)),
                     ww_array_of(&s, 1, &body_sums_ww)));
    WW_TRY(ww_reduce(nbody->device, &ww_add, ww_memory(nbody->work, walks), ww_array(&work, 1)));
    t->mass = s.of[MASS];
    t->kinetic = s.of[KINETIC];
    t->potential = s.of[POTENTIAL];
    for (int k = 0; k < 3; k++) {
        t->momentum[k] = s.of[MOMENTUM + k];
        t->angular_momentum[k] = s.of[ANGULAR + k];
        t->center[k] = t->mass != 0 ? s.of[CENTER + k] / t->mass : 0;
    }
    t->interactions = work;
    t->nodes = nbody->exact ? 0 : nbody->nodes;
    return WW_OK;
}
