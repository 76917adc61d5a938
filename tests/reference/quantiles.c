#include "reference/quantiles.h"

#include <math.h>

double reference_quantile(const double *sorted, size_t n, double q, int how) {
    const double place = q * (double)(n - 1);
    const size_t below = (size_t)floor(place), above = (size_t)ceil(place);
    const double part = place - (double)below, step = sorted[above] - sorted[below];
    switch (how) {
    case 1:
        return sorted[below];
    case 2:
        return sorted[above];
    case 3:
        return sorted[(size_t)nearbyint(place)];
    case 4:
        return below == above ? sorted[below] : sorted[above] - step / 2;
    }
    if (below == above) return sorted[below];
    return part < 0.5 ? sorted[below] + step * part : sorted[above] - step * (1 - part);
}
