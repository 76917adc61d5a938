/* Forces between all pairs in f64, as they are defined. */
#ifndef REFERENCE_NBODY_H
#define REFERENCE_NBODY_H

#include <stddef.h>

/* out: x, y, z of the acceleration, the potential and the sum of the pulls' sizes, n each. place[k]: coordinate k of the
 * bodies. */
void reference_nbody(const double *mass, const double *const place[3], size_t n, double softening,
                     double *const out[5]);

#endif
