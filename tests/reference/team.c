#include "reference/team.h"

#include <string.h>

size_t reference_team_fork(const uint64_t *counts, size_t n, uint64_t *older, uint64_t *rank) {
    size_t all = 0;
    for (size_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < counts[i]; k++, all++) {
            older[all] = i;
            if (rank) rank[all] = k;
        }
    return all;
}

size_t reference_team_kill(const uint8_t *flags, size_t n, uint64_t *older) {
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        if (!flags[i]) older[left++] = i;
    return left;
}

/* By merging halves, top down. */
static void sort(const uint64_t *keys, uint64_t *x, uint64_t *spare, size_t n) {
    if (n < 2) return;
    const size_t half = n / 2;
    sort(keys, x, spare, half);
    sort(keys, x + half, spare, n - half);
    memcpy(spare, x, half * sizeof *x);
    for (size_t i = 0, j = half, k = 0; i < half; k++)
        x[k] = j < n && keys[x[j]] < keys[spare[i]] ? x[j++] : spare[i++];
}

size_t reference_team_order(const uint64_t *keys, size_t n, uint64_t *older) {
    uint64_t spare[n / 2 + 1];
    for (size_t i = 0; i < n; i++) older[i] = i;
    sort(keys, older, spare, n);
    return n;
}

void reference_team_carry(const void *from, size_t size, const uint64_t *older, size_t n, void *to) {
    for (size_t i = 0; i < n; i++) memcpy((char *)to + i * size, (const char *)from + older[i] * size, size);
}
