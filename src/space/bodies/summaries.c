/* What each node's bodies are together, from the deepest level up: the box around them, their mass, its centre, and how far
 * away a group has to be that takes the node as a whole. Children and bodies are summed in their order, so that sums have
 * the same bits in every run. All masses of one tree have one sign: the centre of mass is inside of the box. */
#include "space/bodies/bodies.h"

WW_STRUCT_USES((sorted_bodies, tree_node, node_places, tree_levels, node_box, node_moments), summing, {
    sorted_bodies sorted;
    const tree_node *nodes;
    node_places places;
    node_box *boxes;
    node_moments *moments; /* NULL: not wanted */
    tree_levels *levels;
    uint64_t ranks;
    double theta;
});

/* A node's children, or a leaf's bodies, from `first` on: where each one's mass and place stand. */
WW_STRUCT(node_parts, {
    const double *m;
    const double *x;
    const double *y;
    const double *z;
    uint32_t first;
    uint32_t many;
});

/* Parts are read four at a time, so that their reads do not wait for one another; behind the last one it is read again, without
 * mass. */
WW_CONSTANT(PARTS_READ, uint32_t, 4);
WW_STRUCT(some_parts, {
    double m[4];
    double x[4];
    double y[4];
    double z[4];
});

WW_FUNCTION(
    part_at, uint32_t, (const node_parts *p, uint32_t k), { return p->first + (k < p->many ? k : p->many - 1); },
    node_parts);

WW_FUNCTION(
    read_parts, some_parts, (const node_parts *p, uint32_t from),
    {
        some_parts s;
        for (uint32_t k = 0; k < PARTS_READ; k++) {
            const uint32_t i = part_at(p, from + k);
            s.m[k] = from + k < p->many ? p->m[i] : 0;
            s.x[k] = p->x[i];
            s.y[k] = p->y[i];
            s.z[k] = p->z[i];
        }
        return s;
    },
    node_parts, some_parts, part_at, PARTS_READ);

WW_FUNCTION(
    widen, void, (node_box * box, uint32_t axis, double low, double high),
    {
        box->low[axis] = low < box->low[axis] ? low : box->low[axis];
        box->high[axis] = high > box->high[axis] ? high : box->high[axis];
    },
    node_box);

WW_FUNCTION(
    box_of_boxes, node_box, (const node_box *boxes, const node_parts *p),
    {
        node_box box = boxes[p->first];
        for (uint32_t from = 1; from < p->many; from += PARTS_READ) {
            node_box some[4];
            for (uint32_t k = 0; k < PARTS_READ; k++) some[k] = boxes[part_at(p, from + k)];
            for (uint32_t k = 0; k < PARTS_READ; k++)
                for (uint32_t axis = 0; axis < 3; axis++) widen(&box, axis, some[k].low[axis], some[k].high[axis]);
        }
        return box;
    },
    node_box, node_parts, part_at, widen, PARTS_READ);

/* Those of a mass at a distance: what a child's are more about the centre of mass of all than about its own. */
WW_FUNCTION(add_moments, void, (double *sum, double m, double x, double y, double z), {
    const double square = x * x + y * y + z * z;
    sum[0] += m * (3 * x * x - square);
    sum[1] += m * (3 * y * y - square);
    sum[2] += m * 3 * x * y;
    sum[3] += m * 3 * x * z;
    sum[4] += m * 3 * y * z;
    sum[5] += m * square;
});

WW_FUNCTION(
    summarise, void, (const summing *a, uint32_t number),
    {
        const tree_node *node = a->nodes + number;
        const node_places *places = &a->places;
        const bool inner = node->child != 0;
        node_parts p;
        p.m = inner ? places->m : a->sorted.m;
        p.x = inner ? places->x : a->sorted.x;
        p.y = inner ? places->y : a->sorted.y;
        p.z = inner ? places->z : a->sorted.z;
        p.first = inner ? node->child : node->first;
        p.many = inner ? node->children : node->last - node->first;
        double m = 0;
        double x = 0;
        double y = 0;
        double z = 0;
        node_box box;
        box.low[0] = box.high[0] = p.x[p.first];
        box.low[1] = box.high[1] = p.y[p.first];
        box.low[2] = box.high[2] = p.z[p.first];
        for (uint32_t from = 0; from < p.many; from += PARTS_READ) {
            const some_parts s = read_parts(&p, from);
            for (uint32_t k = 0; k < PARTS_READ; k++) {
                m += s.m[k];
                x += s.m[k] * s.x[k];
                y += s.m[k] * s.y[k];
                z += s.m[k] * s.z[k];
                widen(&box, 0, s.x[k], s.x[k]);
                widen(&box, 1, s.y[k], s.y[k]);
                widen(&box, 2, s.z[k], s.z[k]);
            }
        }
        if (inner) box = box_of_boxes(a->boxes, &p);
        double side = 0;
        double away = 0;
        double middle[3];
        for (int k = 0; k < 3; k++) {
            const double length = box.high[k] - box.low[k];
            middle[k] = box.low[k] + length / 2;
            side = length > side ? length : side;
        }
        const bool weighs = m != 0 && side > 0;
        x = weighs ? x / m : middle[0];
        y = weighs ? y / m : middle[1];
        z = weighs ? z / m : middle[2];
        away += (x - middle[0]) * (x - middle[0]);
        away += (y - middle[1]) * (y - middle[1]);
        away += (z - middle[2]) * (z - middle[2]);
        const double open = side > 0 ? side / a->theta + away * inverse_root((float)away + 1e-35f) : 0;
        places->x[number] = x;
        places->y[number] = y;
        places->z[number] = z;
        places->m[number] = m;
        places->open[number] = open < 1e15 ? (float)(open * open) : 1e30f;
        a->boxes[number] = box;
        if (a->moments) {
            double sum[6];
            for (int k = 0; k < 6; k++) sum[k] = 0;
            for (uint32_t from = 0; from < p.many; from += PARTS_READ) {
                const some_parts s = read_parts(&p, from);
                for (uint32_t k = 0; k < PARTS_READ; k++) add_moments(sum, s.m[k], s.x[k] - x, s.y[k] - y, s.z[k] - z);
            }
            for (uint32_t from = 0; inner && from < p.many; from += PARTS_READ) {
                node_moments some[4];
                for (uint32_t k = 0; k < PARTS_READ; k++) some[k] = a->moments[part_at(&p, from + k)];
                for (uint32_t k = 0; k < PARTS_READ && from + k < p.many; k++) {
                    sum[0] += some[k].xx;
                    sum[1] += some[k].yy;
                    sum[2] += some[k].xy;
                    sum[3] += some[k].xz;
                    sum[4] += some[k].yz;
                    sum[5] += some[k].trace;
                }
            }
            node_moments *to = a->moments + number;
            to->xx = (float)sum[0];
            to->yy = (float)sum[1];
            to->xy = (float)sum[2];
            to->xz = (float)sum[3];
            to->yz = (float)sum[4];
            to->trace = (float)sum[5];
        }
    },
    summing, part_at, read_parts, widen, box_of_boxes, add_moments, inverse_root, PARTS_READ);

/* The deepest level first; its ranks wait for one another before they go up. WW__BODIES_BESIDE places behind the last are read, for
 * nothing. */
WW_KERNEL_USES((summarise), summarise_levels, summing, a, rank, {
    const uint32_t behind = a->levels->first[a->levels->many];
    if (rank == 0) a->levels->apart = 0; /* the walk that follows counts */
    for (uint64_t at = behind + rank; at < behind + 8; at += a->ranks) {
        a->places.x[at] = a->places.y[at] = a->places.z[at] = a->places.m[at] = 0;
        a->places.open[at] = 0;
    }
    for (uint32_t level = a->levels->many; level-- > 0;) {
        const uint32_t end = a->levels->first[level + 1];
        for (uint64_t at = a->levels->first[level] + rank; at < end; at += a->ranks) summarise(a, (uint32_t)at);
        ww_barrier(&a->levels->barrier, a->ranks);
    }
});

ww_status ww__bodies_summaries(ww_nbody *nbody) {
    const summing a = {nbody->sorted,
                       nbody->node.data,
                       nbody->place,
                       nbody->box.data,
                       nbody->options.quadrupoles ? nbody->moments.data : NULL,
                       nbody->progress.data,
                       nbody->ranks,
                       nbody->options.theta};
    return ww_launch_together(nbody->device, ww_with(summarise_levels, &a), nbody->ranks);
}
