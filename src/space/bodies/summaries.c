/* What each node's bodies are together, from the deepest level up: the box around them, their mass, its centre, and how far
 * away a group has to be that takes the node as a whole. Children and bodies are summed in their order, so that sums have
 * the same bits in every run. All masses of one tree have one sign: the centre of mass is inside of the box. */
#include "space/bodies/bodies.h"

WW_STRUCT_USES((sorted_bodies, tree_node, tree_levels, node_box, node_moments), summing, {
    sorted_bodies sorted;
    tree_node *nodes;
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

/* Second moments about another place: those about the own centre of mass, and the mass at the distance. */
WW_FUNCTION(add_moments, void, (double *sum, double m, double x, double y, double z), {
    sum[0] += m * x * x;
    sum[1] += m * y * y;
    sum[2] += m * z * z;
    sum[3] += m * x * y;
    sum[4] += m * x * z;
    sum[5] += m * y * z;
});

WW_FUNCTION(
    summarise, void, (const summing *a, uint32_t number),
    {
        tree_node *node = a->nodes + number;
        const tree_node *child = a->nodes + node->child;
        const uint32_t many = node->child ? node->children : node->last - node->first;
        double m = 0;
        double x = 0;
        double y = 0;
        double z = 0;
        for (uint32_t k = 0; k < many; k++) {
            const uint32_t i = node->first + k;
            const double each = node->child ? child[k].m : a->sorted.m[i];
            m += each;
            x += each * (node->child ? child[k].x : a->sorted.x[i]);
            y += each * (node->child ? child[k].y : a->sorted.y[i]);
            z += each * (node->child ? child[k].z : a->sorted.z[i]);
        }
        const node_box box = node->child ? box_of_boxes(a->boxes + node->child, many)
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
        node->m = m;
        node->x = weighs ? x / m : middle[0];
        node->y = weighs ? y / m : middle[1];
        node->z = weighs ? z / m : middle[2];
        away += (node->x - middle[0]) * (node->x - middle[0]);
        away += (node->y - middle[1]) * (node->y - middle[1]);
        away += (node->z - middle[2]) * (node->z - middle[2]);
        const double open = side > 0 ? side / a->theta + away * inverse_root((float)away + 1e-35f) : 0;
        node->open = open < 1e15 ? (float)(open * open) : 1e30f;
        a->boxes[number] = box;
        if (a->moments) {
            double sum[6];
            for (int k = 0; k < 6; k++) sum[k] = 0;
            for (uint32_t k = 0; k < many; k++) {
                const uint32_t i = node->first + k;
                add_moments(sum, node->child ? child[k].m : a->sorted.m[i],
                            (node->child ? child[k].x : a->sorted.x[i]) - node->x,
                            (node->child ? child[k].y : a->sorted.y[i]) - node->y,
                            (node->child ? child[k].z : a->sorted.z[i]) - node->z);
                if (node->child) {
                    const node_moments *of = a->moments + node->child + k;
                    sum[0] += of->xx;
                    sum[1] += of->yy;
                    sum[2] += of->zz;
                    sum[3] += of->xy;
                    sum[4] += of->xz;
                    sum[5] += of->yz;
                }
            }
            node_moments *to = a->moments + number;
            to->xx = (float)sum[0];
            to->yy = (float)sum[1];
            to->zz = (float)sum[2];
            to->xy = (float)sum[3];
            to->xz = (float)sum[4];
            to->yz = (float)sum[5];
        }
    },
    summing, tree_node, node_box, node_moments, box_of_bodies, box_of_boxes, add_moments, inverse_root);

/* The deepest level first; its ranks wait for one another before they go up. */
WW_KERNEL_USES((summarise), summarise_levels, summing, a, rank, {
    for (uint32_t level = a->levels->many; level-- > 0;) {
        const uint32_t end = a->levels->first[level + 1];
        for (uint64_t at = a->levels->first[level] + rank; at < end; at += a->ranks) summarise(a, (uint32_t)at);
        ww_barrier(&a->levels->barrier, a->ranks);
    }
});

ww_status ww__bodies_summaries(ww_nbody *nbody) {
    const summing a = {nbody->sorted,        nbody->node.data,
                       nbody->box.data,      nbody->options.quadrupoles ? nbody->moments.data : NULL,
                       nbody->progress.data, nbody->ranks,
                       nbody->options.theta};
    return ww_launch_together(nbody->device, ww_with(summarise_levels, &a), nbody->ranks);
}
