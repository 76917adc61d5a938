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

WW_FUNCTION(
    box_of_bodies, node_box, (const sorted_bodies *s, uint32_t first, uint32_t last),
    {
        node_box box;
        for (int k = 0; k < 3; k++) {
            const double *at = k == 0 ? s->x : k == 1 ? s->y : s->z;
            double low = at[first];
            double high = at[first];
            for (uint32_t i = first + 1; i < last; i++) {
                low = at[i] < low ? at[i] : low;
                high = at[i] > high ? at[i] : high;
            }
            box.low[k] = low;
            box.high[k] = high;
        }
        return box;
    },
    node_box, sorted_bodies);

WW_FUNCTION(
    box_of_boxes, node_box, (const node_box *boxes, uint32_t many),
    {
        node_box box = boxes[0];
        for (uint32_t i = 1; i < many; i++)
            for (int k = 0; k < 3; k++) {
                box.low[k] = boxes[i].low[k] < box.low[k] ? boxes[i].low[k] : box.low[k];
                box.high[k] = boxes[i].high[k] > box.high[k] ? boxes[i].high[k] : box.high[k];
            }
        return box;
    },
    node_box);

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
        const uint32_t many = inner ? node->children : node->last - node->first;
        double m = 0;
        double x = 0;
        double y = 0;
        double z = 0;
        for (uint32_t k = 0; k < many; k++) {
            const uint32_t i = (inner ? node->child : node->first) + k;
            const double each = inner ? places->m[i] : a->sorted.m[i];
            m += each;
            x += each * (inner ? places->x[i] : a->sorted.x[i]);
            y += each * (inner ? places->y[i] : a->sorted.y[i]);
            z += each * (inner ? places->z[i] : a->sorted.z[i]);
        }
        const node_box box = inner ? box_of_boxes(a->boxes + node->child, many)
                                   : box_of_bodies(&a->sorted, node->first, node->last);
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
            for (uint32_t k = 0; k < many; k++) {
                const uint32_t i = (inner ? node->child : node->first) + k;
                add_moments(sum, inner ? places->m[i] : a->sorted.m[i], (inner ? places->x[i] : a->sorted.x[i]) - x,
                            (inner ? places->y[i] : a->sorted.y[i]) - y, (inner ? places->z[i] : a->sorted.z[i]) - z);
                if (inner) {
                    const node_moments *of = a->moments + i;
                    sum[0] += of->xx;
                    sum[1] += of->yy;
                    sum[2] += of->xy;
                    sum[3] += of->xz;
                    sum[4] += of->yz;
                    sum[5] += of->trace;
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
    summing, tree_node, node_box, node_moments, box_of_bodies, box_of_boxes, add_moments, inverse_root);

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
