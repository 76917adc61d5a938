/* N-body simulation: bodies that attract each other, by Barnes and Hut's tree or between all pairs, in steps of time.
 *
 *     ww_nbody *bodies;
 *     ww_nbody_create(device, n, NULL, &bodies);
 *     ww_nbody_set(bodies, mass, x, y, z, vx, vy, vz);              inputs of n f64 each
 *     ww_nbody_step(bodies, 0.01, 100);                             100 steps of 0.01
 *     ww_nbody_get(bodies, x_out, y_out, z_out, vx_out, vy_out, vz_out);
 *     ww_nbody_destroy(bodies);
 *
 * The gravitational constant is 1, with Plummer's softening: a body of mass m at distance r attracts with m r / (r^2 +
 * e^2)^(3/2), and has the potential -m / (r^2 + e^2)^(1/2). Steps are kick-drift-kick leapfrog: half a step of velocities, one
 * of positions, another half of velocities by the new forces.
 *
 *   forces     positions, velocities and sums over bodies are f64, each pair's attraction f32: its relative error is some
 *              2^-22, on top of the tree's
 *   tree       an octree (in two dimensions a quadtree) of codes along Hilbert's curve, each node with its mass, its centre
 *              and, if wanted, its second moments. Up to 32 neighbouring bodies walk it together: a node is taken as a whole if
 *              it is farther than l / theta + d from the box around them, l being the longest side of the box around its bodies
 *              and d the distance between this box's centre and its centre of mass (Barnes 1994)
 *   results    the same bytes from run to run on one device, whatever its threads; other devices' differ in last bits
 *   mass       any finite number. Negative ones repel; the tree then takes twice the time, one pass for each sign
 *   bodies     up to WW_NBODY_MOST; none is fine, and every call does nothing. Bodies in one place do not attract each other.
 *              The softening is taken as at least 2^-41 of the longest side of the box around all bodies
 *   memory     of the device: some 150 bytes a body and 160 a node, about n / 4 nodes; on a GPU up to 320 a body more where
 *              these are fewer than 2^16; kept until ww_nbody_destroy. In a steady state a step allocates nothing
 *   a GPU      the host waits twice in a step, for the box around the bodies and for the tree's size (all pairs: for how many
 *              walk alone); reciprocal square roots are the GPU's own
 *   statuses   OK, INVALID, TYPE, BUSY, MEMORY, UNSUPPORTED (on paper: ww_scratch_ask), and what the primitives return that are
 *              made use of; the sentence is in the device's ww_error
 *
 * Barnes and Hut, A hierarchical O(N log N) force-calculation algorithm (1986); its six steps on GPUs: Burtscher and
 * Pingali, An efficient CUDA implementation of the tree-based Barnes Hut n-body algorithm (2011); walks of groups: Barnes
 * (1990). All of it is made of this library's public primitives and kernels (docs/space.md). */
#ifndef WARPWISE_NBODY_H
#define WARPWISE_NBODY_H

#include "device.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ww_nbody ww_nbody;

enum { WW_NBODY_MOST = 0x7fffffff };

typedef enum ww_nbody_method {
    WW_NBODY_AUTO = 0, /* the tree; with theta 0 all pairs */
    WW_NBODY_TREE,     /* O(n log n) */
    WW_NBODY_EXACT     /* all pairs, O(n^2) */
} ww_nbody_method;

/* WW_NBODY_OPTIONS has the defaults, and NULL is that. Unlike in other options 0 is a value of theta and of softening. */
typedef struct ww_nbody_options {
    size_t size;         /* of this struct; WW_NBODY_OPTIONS fills it */
    uint32_t method;     /* a ww_nbody_method */
    uint32_t dimensions; /* 2 or 3; 0 is 3 */
    double theta;        /* the opening angle, 0 or more: the smaller, the more exact; 0 opens every node */
    double softening;    /* e, 0 or more */
    bool quadrupoles;    /* nodes have second moments too: a fourth of the error, a third more time */
    uint32_t reserved;   /* 0 */
} ww_nbody_options;
#define WW_NBODY_OPTIONS \
    { sizeof(ww_nbody_options), WW_NBODY_AUTO, 3, 0.5, 0.01, true, 0 }

/* Memory for `bodies` bodies, all of mass 0 at the origin, at rest. It has to be destroyed before the device is closed; NULL is
 * fine for ww_nbody_destroy. LIMIT above WW_NBODY_MOST. */
WW_API ww_status ww_nbody_create(ww_device *device, uint64_t bodies, const ww_nbody_options *options, ww_nbody **nbody);
WW_API void ww_nbody_destroy(ww_nbody *nbody);

/* Masses, positions and velocities, f64 each (TYPE), as many as there are bodies (INVALID). In two dimensions z and vz are
 * ww_no_input. A number that is NaN, infinite or beyond 1e150 is RANGE, with the first body that has one; then all bodies are
 * as after ww_nbody_create. */
WW_API ww_status ww_nbody_set(ww_nbody *nbody, ww_input mass, ww_input x, ww_input y, ww_input z, ww_input vx,
                              ww_input vy, ww_input vz);

/* Where the bodies are and how fast they move, in the order in which they were set; each output f64, or ww_none. */
WW_API ww_status ww_nbody_get(ww_nbody *nbody, ww_array x, ww_array y, ww_array z, ww_array vx, ww_array vy,
                              ww_array vz);

/* Accelerations and potentials where the bodies are (a body's own not counted), each output f64, or ww_none. They are
 * computed where that has not been done since the bodies moved. */
WW_API ww_status ww_nbody_forces(ww_nbody *nbody, ww_array ax, ww_array ay, ww_array az, ww_array potential);

/* `steps` steps of dt, which may be negative (back in time) and is finite (INVALID). RANGE if a body has gone beyond 1e150 or
 * has a NaN: the sentence says which, and after which step; bodies stay as they then are. */
WW_API ww_status ww_nbody_step(ww_nbody *nbody, double dt, uint64_t steps);

/* What is conserved, and how much work it was. */
typedef struct ww_nbody_totals {
    size_t size; /* of this struct; WW_NBODY_TOTALS fills it */
    double mass, kinetic, potential;
    double momentum[3], angular_momentum[3]; /* about the origin */
    double center[3];                        /* of mass; 0 where the mass is 0 */
    uint64_t interactions;                   /* of the last forces: how often a body met a body or a node */
    uint64_t nodes;                          /* of their tree; all pairs: 0 */
} ww_nbody_totals;
#define WW_NBODY_TOTALS \
    { sizeof(ww_nbody_totals), 0, 0, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0 }

/* Sums over all bodies, by pairs of pairs (docs/determinism.md); *totals begins as WW_NBODY_TOTALS. The energy is kinetic +
 * potential. Forces are computed as in ww_nbody_forces. */
WW_API ww_status ww_nbody_totals_get(ww_nbody *nbody, ww_nbody_totals *totals);

#ifdef __cplusplus
}
#endif
#endif
