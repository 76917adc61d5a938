#include "reference/nbody.h"

#include <math.h>

void reference_nbody(const double *mass, const double *const place[3], size_t n, double softening,
                     double *const out[5]) {
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 5; k++) out[k][i] = 0;
        for (size_t j = 0; j < n; j++) {
            double d[3], square = softening * softening, length = 0;
            if (i == j) continue;
            for (size_t k = 0; k < 3; k++) {
                d[k] = place[k][j] - place[k][i];
                length += d[k] * d[k];
            }
            square += length;
            if (square == 0) continue;
            for (size_t k = 0; k < 3; k++) out[k][i] += mass[j] * d[k] / (square * sqrt(square));
            out[3][i] -= mass[j] / sqrt(square);
            out[4][i] += fabs(mass[j]) * sqrt(length) / (square * sqrt(square));
        }
    }
}
