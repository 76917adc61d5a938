/* Points near places, and colliding particles, serially: all pairs are compared. */
#ifndef REFERENCE_GRID_H
#define REFERENCE_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Coordinates of float, or where `wide` double; at[2] is NULL in two dimensions. */
typedef struct reference_points {
    const void *at[3];
    size_t count;
    bool wide;
} reference_points;

/* Points within the radius of place q, without the one of number `self` (SIZE_MAX: all), rising, into `list` (or NULL); how
 * many. */
size_t reference_near(const reference_points *points, const reference_points *places, size_t q, double radius,
                      size_t self, uint32_t *list);
/* The k nearest: the nearer first, then the lower number; UINT32_MAX and infinity where there are fewer. */
void reference_nearest(const reference_points *points, const reference_points *places, size_t q, size_t self, size_t k,
                       uint32_t *list, double *distances);

typedef struct reference_forces {
    double radius, time_step, spring, damping, shear, attraction, gravity[3], drag, low[3], high[3], bounce;
    bool walls;
} reference_forces;
/* One step of particles: x y z vx vy vz, those of z NULL in two dimensions. */
void reference_collide(void *const at[6], size_t n, bool wide, const reference_forces *f);

#endif
