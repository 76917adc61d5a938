#include "reference/volumes.h"

#include <math.h>

uint64_t reference_nearest_box(float (*boxes)[6], size_t n, const float point[3], double *squared) {
    uint64_t best = UINT64_MAX;
    *squared = INFINITY;
    if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2])) return best;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            const double x = point[k], low = boxes[i][k], high = boxes[i][3 + k];
            const double away = x < low ? low - x : x > high ? x - high : 0;
            sum += away * away;
        }
        if (sum < *squared) {
            *squared = sum;
            best = i;
        }
    }
    return best;
}

int reference_boxes_meet(const float a[6], const float b[6]) {
    for (int k = 0; k < 3; k++) {
        const float low = a[k] > b[k] ? a[k] : b[k], high = a[3 + k] < b[3 + k] ? a[3 + k] : b[3 + k];
        if (!(a[k] <= a[3 + k] && b[k] <= b[3 + k] && low <= high)) return 0;
    }
    return 1;
}

int reference_shared_bits(const uint64_t *codes, uint64_t i, uint64_t j) {
    int shared = 0;
    for (int b = 63; b >= 0 && (codes[i] >> b & 1) == (codes[j] >> b & 1); b--) shared++;
    if (shared < 64) return shared;
    for (int b = 63; b >= 0 && (i >> b & 1) == (j >> b & 1); b--) shared++;
    return shared;
}
