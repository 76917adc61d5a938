#include "graph_make.h"

/* Draws of one arc or crossing: R-MAT takes one a bit of its vertices' numbers. */
enum { WEIGHT = 60, FROM, TO, STREET, DRAWS };

/* The number with this position in the sequence of a seed: SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t draw(const graph_plan *p, uint64_t item, unsigned which) {
    uint64_t x = p->seed + (item * DRAWS + which + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* From 0 to below `most`, which is at most 2^32, each as likely but for 2^-32. */
static uint64_t below(uint64_t random, uint64_t most) { return (random >> 32) * most >> 32; }

static uint32_t weight_of(const graph_plan *p, uint64_t item) {
    return (uint32_t)(1 + below(draw(p, item, WEIGHT), p->weight_most));
}

/* An arc whose ends are no vertices is drawn again, from another part of the sequence. */
static bool rmat(const graph_plan *p, graph_take *take, void *context) {
    for (uint64_t arc = 0; arc < p->arcs; arc++) {
        uint32_t from = UINT32_MAX, to = UINT32_MAX;
        for (uint64_t again = 0; from >= p->vertices || to >= p->vertices; again++) {
            from = to = 0;
            for (unsigned bit = 0; bit < p->scale; bit++) {
                const uint64_t chance = below(draw(p, arc + (again << 32), bit), 10); /* 0-4, 5, 6, 7-9: the quarters */
                from = from << 1 | (chance >= 6);
                to = to << 1 | (chance == 5 || chance >= 7);
            }
        }
        if (!take(context, from, to, weight_of(p, arc))) return false;
    }
    return true;
}

static bool uniform(const graph_plan *p, graph_take *take, void *context) {
    for (uint64_t arc = 0; arc < p->arcs; arc++) {
        const uint64_t from = below(draw(p, arc, FROM), p->vertices), to = below(draw(p, arc, TO), p->vertices);
        if (!take(context, (uint32_t)from, (uint32_t)to, weight_of(p, arc))) return false;
    }
    return true;
}

static bool street(const graph_plan *p, uint64_t a, uint64_t b, uint64_t item, graph_take *take, void *context) {
    const uint32_t weight = weight_of(p, item);
    return take(context, (uint32_t)a, (uint32_t)b, weight) && take(context, (uint32_t)b, (uint32_t)a, weight);
}

static bool grid(const graph_plan *p, graph_take *take, void *context) {
    for (uint64_t v = 0; v < p->vertices; v++) {
        const bool above = v >= p->width, left = v % p->width != 0;
        const uint64_t random = draw(p, v, STREET);
        const bool both = (uint32_t)random < (uint32_t)(0.38 * 4294967296.0), upwards = random >> 63;
        if (above && (!left || both || upwards) && !street(p, v, v - p->width, 2 * v, take, context)) return false;
        if (left && (!above || both || !upwards) && !street(p, v, v - 1, 2 * v + 1, take, context)) return false;
    }
    return true;
}

bool graph_plan_each(const graph_plan *p, graph_take *take, void *context) {
    return p->kind == GRAPH_RMAT   ? rmat(p, take, context)
           : p->kind == GRAPH_GRID ? grid(p, take, context)
                                   : uniform(p, take, context);
}

static bool count_one(void *context, uint32_t from, uint32_t to, uint32_t weight) {
    (void)from, (void)to, (void)weight;
    ++*(uint64_t *)context;
    return true;
}

uint64_t graph_plan_arcs(const graph_plan *p) {
    uint64_t arcs = 0;
    if (p->kind != GRAPH_GRID) return p->arcs;
    graph_plan_each(p, count_one, &arcs);
    return arcs;
}
