#include "reference/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t longer(const reference_arcs *g, reference_kind kind, uint64_t d, size_t arc) {
    const uint32_t one = kind == DISTANCE_F32 ? 0x3F800000u : 1, bits = g->weight ? g->weight[arc] : one;
    if (d == UINT64_MAX) return d;
    if (kind == DISTANCE_F32) {
        float a, w, sum;
        uint32_t result;
        const uint32_t low = (uint32_t)d;
        memcpy(&a, &low, 4);
        memcpy(&w, &bits, 4);
        sum = a + w;
        memcpy(&result, &sum, 4);
        return isinf(sum) ? UINT64_MAX : result;
    }
    const uint64_t sum = d + bits;
    return kind == DISTANCE_U32 && sum >= UINT32_MAX ? UINT64_MAX : sum;
}

uint32_t reference_distances(const reference_arcs *g, reference_kind kind, const uint32_t *sources, size_t many,
                             uint64_t *distance) {
    uint32_t lowest = UINT32_MAX;
    for (size_t v = 0; v < g->n; v++) distance[v] = UINT64_MAX;
    for (size_t s = 0; s < many; s++) distance[sources[s]] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < g->m; i++) {
            const uint64_t sum = longer(g, kind, distance[g->from[i]], i);
            if (sum < distance[g->to[i]]) {
                distance[g->to[i]] = sum;
                changed = true;
            }
        }
    }
    for (size_t i = 0; i < g->m; i++)
        if (distance[g->from[i]] != UINT64_MAX && distance[g->to[i]] == UINT64_MAX && g->to[i] < lowest)
            lowest = g->to[i];
    return lowest;
}

void reference_predecessors(const reference_arcs *g, reference_kind kind, const uint32_t *sources, size_t many,
                            const uint64_t *distance, uint32_t *predecessor) {
    size_t *found = malloc(g->n * sizeof *found + 1); /* the round in which it was */
    for (size_t v = 0; v < g->n; v++) {
        predecessor[v] = UINT32_MAX;
        found[v] = SIZE_MAX;
    }
    for (size_t s = 0; s < many; s++) found[sources[s]] = 0;
    size_t left = 1;
    for (size_t round = 0; left; round++) {
        left = round == 0;
        for (size_t i = 0; i < g->m; i++) {
            const uint32_t u = g->from[i], v = g->to[i];
            if (distance[v] == UINT64_MAX || longer(g, kind, distance[u], i) != distance[v]) continue;
            const bool below = distance[u] < distance[v];
            if (round == 0 ? !below : below || found[u] >= round || found[v] < round) continue;
            found[v] = round;
            left = 1;
            if (u < predecessor[v]) predecessor[v] = u;
        }
    }
    free(found);
}

uint64_t reference_components(const reference_arcs *g, uint32_t *label) {
    uint64_t count = 0;
    for (size_t v = 0; v < g->n; v++) label[v] = (uint32_t)v;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < g->m; i++) {
            const uint32_t a = label[g->from[i]], b = label[g->to[i]], least = a < b ? a : b;
            changed = changed || a != b;
            label[g->from[i]] = label[g->to[i]] = least;
        }
    }
    for (size_t v = 0; v < g->n; v++) count += label[v] == v;
    return count;
}

uint32_t reference_pagerank(const reference_arcs *g, double damping, double tolerance, uint32_t iterations,
                            double *rank, double *change) {
    double *next = malloc(g->n * sizeof *next + 1);
    size_t *leaving = calloc(g->n + 1, sizeof *leaving);
    uint32_t done = 0;
    for (size_t i = 0; i < g->m; i++) leaving[g->from[i]]++;
    for (size_t v = 0; v < g->n; v++) rank[v] = 1 / (double)g->n;
    *change = INFINITY;
    while (done<iterations && * change> tolerance) {
        double ends = 0;
        for (size_t v = 0; v < g->n; v++) {
            next[v] = 0;
            if (!leaving[v]) ends += rank[v];
        }
        for (size_t i = 0; i < g->m; i++) next[g->to[i]] += rank[g->from[i]] / (double)leaving[g->from[i]];
        *change = 0;
        for (size_t v = 0; v < g->n; v++) {
            next[v] = (1 - damping) / (double)g->n + damping * (next[v] + ends / (double)g->n);
            *change += fabs(next[v] - rank[v]);
            rank[v] = next[v];
        }
        done++;
    }
    free(next);
    free(leaving);
    return done;
}
