#include "reference/grid.h"

#include <math.h>
#include <stdlib.h>

static double value(const reference_points *p, size_t axis, size_t i) {
    if (!p->at[axis]) return 0;
    return p->wide ? ((const double *)p->at[axis])[i] : (double)((const float *)p->at[axis])[i];
}

static bool is_finite(const reference_points *p, size_t i) {
    return isfinite(value(p, 0, i)) && isfinite(value(p, 1, i)) && isfinite(value(p, 2, i));
}

/* In the arithmetic of the points' type. */
static double squared(const reference_points *a, size_t i, const reference_points *b, size_t q) {
    const double d[] = {value(a, 0, i) - value(b, 0, q), value(a, 1, i) - value(b, 1, q),
                        value(a, 2, i) - value(b, 2, q)};
    if (a->wide) return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    /* A difference of two floats, rounded from double, is the difference in float. */
    const float x = (float)d[0], y = (float)d[1], z = (float)d[2];
    const float xx = x * x, yy = y * y, zz = z * z, xy = xx + yy;
    return (double)(xy + zz);
}

size_t reference_near(const reference_points *points, const reference_points *places, size_t q, double radius,
                      size_t self, uint32_t *list) {
    const float narrow = (float)radius;
    const double most = points->wide ? radius * radius : (double)(narrow * narrow);
    size_t found = 0;
    if (!is_finite(places, q)) return 0;
    for (size_t i = 0; i < points->count; i++)
        if (i != self && is_finite(points, i) && squared(points, i, places, q) <= most) {
            if (list) list[found] = (uint32_t)i;
            found++;
        }
    return found;
}

void reference_nearest(const reference_points *points, const reference_points *places, size_t q, size_t self, size_t k,
                       uint32_t *list, double *distances) {
    size_t found = 0;
    for (size_t i = 0; is_finite(places, q) && i < points->count; i++) {
        if (i == self || !is_finite(points, i)) continue;
        const double d = squared(points, i, places, q);
        size_t to = found;
        while (to > 0 && distances[to - 1] > d) to--;
        if (to == k) continue;
        if (found < k) found++;
        for (size_t j = found - 1; j > to; j--) {
            list[j] = list[j - 1];
            distances[j] = distances[j - 1];
        }
        list[to] = (uint32_t)i;
        distances[to] = d;
    }
    for (size_t j = 0; j < k; j++) {
        if (j >= found) {
            list[j] = UINT32_MAX;
            distances[j] = INFINITY;
        }
        distances[j] = points->wide ? sqrt(distances[j]) : (double)sqrtf((float)distances[j]);
    }
}

#define COLLIDE(T, name, ROOT) \
    static void move_##name(T *x, T *v, const reference_forces *f, size_t axis) { \
        const T low = (T)f->low[axis] + (T)f->radius, high = (T)f->high[axis] - (T)f->radius; \
        *v = (*v + (T)f->gravity[axis] * (T)f->time_step) * (T)(1 - f->drag); \
        *x = *x + *v * (T)f->time_step; \
        if (f->walls && *x < low) *x = low, *v = -*v * (T)f->bounce; \
        if (f->walls && *x > high) *x = high, *v = -*v * (T)f->bounce; \
    } \
    static void collide_##name(void *const at[6], size_t n, const reference_forces *f) { \
        const size_t axes = at[2] ? 3 : 2; \
        const T reach = 2 * (T)f->radius; \
        T *after = calloc(3 * n + 1, sizeof *after); \
        if (!after) abort(); \
        for (size_t d = 0; d < axes; d++) \
            for (size_t i = 0; i < n; i++) move_##name((T *)at[d] + i, (T *)at[3 + d] + i, f, d); \
        for (size_t i = 0; i < n; i++) \
            for (size_t j = 0; j < n; j++) { \
                T r[3] = {0, 0, 0}, w[3] = {0, 0, 0}, square = 0, along = 0; \
                for (size_t d = 0; d < axes; d++) { \
                    r[d] = ((T *)at[d])[j] - ((T *)at[d])[i]; \
                    w[d] = ((T *)at[3 + d])[j] - ((T *)at[3 + d])[i]; \
                    square += r[d] * r[d]; \
                } \
                const T distance = ROOT(square); \
                if (i == j || !(distance < reach)) continue; \
                for (size_t d = 0; d < axes; d++) along += distance > 0 ? w[d] * (r[d] / distance) : 0; \
                for (size_t d = 0; d < axes; d++) { \
                    const T normal = distance > 0 ? r[d] / distance : 0; \
                    after[3 * i + d] += -(T)f->spring * (reach - distance) * normal + (T)f->damping * w[d] + \
                                        (T)f->shear * (w[d] - along * normal) + (T)f->attraction * r[d]; \
                } \
            } \
        for (size_t d = 0; d < axes; d++) \
            for (size_t i = 0; i < n; i++) ((T *)at[3 + d])[i] += after[3 * i + d]; \
        free(after); \
    }
COLLIDE(float, float, sqrtf)
COLLIDE(double, double, sqrt)

void reference_collide(void *const at[6], size_t n, bool wide, const reference_forces *f) {
    if (wide)
        collide_double(at, n, f);
    else
        collide_float(at, n, f);
}
