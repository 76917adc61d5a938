/* Nearest items and meeting boxes by looking at all of them; boxes are low and high, 6 floats. */
#ifndef REFERENCE_VOLUMES_H
#define REFERENCE_VOLUMES_H

#include <stddef.h>
#include <stdint.h>

/* The first of the nearest, and its squared distance; UINT64_MAX and infinity: none, or a point that is not finite. */
uint64_t reference_nearest_box(float (*boxes)[6], size_t n, const float point[3], double *squared);
/* Whether two boxes have a point in common; inverted ones have none, nor those with NaN. */
int reference_boxes_meet(const float a[6], const float b[6]);
/* How many first bits the codes at two positions share, equal ones by their positions. */
int reference_shared_bits(const uint64_t *codes, uint64_t i, uint64_t j);

#endif
