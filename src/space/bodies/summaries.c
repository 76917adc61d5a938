/* What each node's bodies are together, from the deepest level up: the box around them, their mass, its centre, and how far
 * away a group has to be that takes the node as a whole. Children and bodies are summed in one order, so that sums have
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

/* What nodes sum up. A node has a team of lanes on a GPU, eight of a warp, as what it reads takes longer than what it computes; each
 * lane takes every eighth part. On a CPU, whose warps are one rank, a team is that. */
WW_STRUCT_USES((node_box), node_sums, {
    double m;
    double x;
    double y;
    double z;
    node_box box;
});
WW_FUNCTION(team, uint32_t, (void), { return WW_WARP < 8 ? WW_WARP : 8; });
WW_FUNCTION(
    sum_of_team, double, (double x, uint32_t lane),
    {
        for (uint32_t by = 1; by < team(); by *= 2) x += ww_double_of_lane(x, lane ^ by);
        return x;
    },
    team);

WW_FUNCTION(
    widen, void, (node_box * box, uint32_t axis, double low, double high),
    {
        box->low[axis] = low < box->low[axis] ? low : box->low[axis];
        box->high[axis] = high > box->high[axis] ? high : box->high[axis];
    },
    node_box);

WW_FUNCTION(
    sum_parts, node_sums, (const node_parts *p, const node_box *boxes, uint32_t lane),
    {
        node_sums s;
        s.m = s.x = s.y = s.z = 0;
        for (uint32_t k = 0; k < 3; k++) {
            s.box.low[k] = 1e300;
            s.box.high[k] = -1e300;
        }
        for (uint32_t k = lane % team(); k < p->many; k += team()) {
            const uint32_t i = p->first + k;
            const double m = p->m[i];
            node_box box;
            box.low[0] = box.high[0] = p->x[i];
            box.low[1] = box.high[1] = p->y[i];
            box.low[2] = box.high[2] = p->z[i];
            s.m += m;
            s.x += m * box.low[0];
            s.y += m * box.low[1];
            s.z += m * box.low[2];
            if (boxes) box = boxes[i];
            for (uint32_t axis = 0; axis < 3; axis++) widen(&s.box, axis, box.low[axis], box.high[axis]);
        }
        s.m = sum_of_team(s.m, lane);
        s.x = sum_of_team(s.x, lane);
        s.y = sum_of_team(s.y, lane);
        s.z = sum_of_team(s.z, lane);
        for (uint32_t by = 1; by < team(); by *= 2)
            for (uint32_t axis = 0; axis < 3; axis++) {
                const double low = ww_double_of_lane(s.box.low[axis], lane ^ by);
                const double high = ww_double_of_lane(s.box.high[axis], lane ^ by);
                widen(&s.box, axis, low, high);
            }
        return s;
    },
    node_parts, node_sums, team, sum_of_team, widen);

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

/* The second moments of parts about a place, all lanes' sums. */
WW_FUNCTION(
    moments_of_parts, node_moments,
    (const node_parts *p, const node_moments *moments, double x, double y, double z, uint32_t lane),
    {
        double sum[6];
        for (int k = 0; k < 6; k++) sum[k] = 0;
        for (uint32_t k = lane % team(); k < p->many; k += team()) {
            const uint32_t i = p->first + k;
            add_moments(sum, p->m[i], p->x[i] - x, p->y[i] - y, p->z[i] - z);
            if (!moments) continue;
            sum[0] += moments[i].xx;
            sum[1] += moments[i].yy;
            sum[2] += moments[i].xy;
            sum[3] += moments[i].xz;
            sum[4] += moments[i].yz;
            sum[5] += moments[i].trace;
        }
        node_moments of;
        of.xx = (float)sum_of_team(sum[0], lane);
        of.yy = (float)sum_of_team(sum[1], lane);
        of.xy = (float)sum_of_team(sum[2], lane);
        of.xz = (float)sum_of_team(sum[3], lane);
        of.yz = (float)sum_of_team(sum[4], lane);
        of.trace = (float)sum_of_team(sum[5], lane);
        return of;
    },
    node_parts, node_moments, team, sum_of_team, add_moments);

/* Node `number` by its team; `there`: or no node. */
WW_FUNCTION(
    summarise, void, (const summing *a, uint32_t number, bool there, uint32_t lane),
    {
        const tree_node *node = a->nodes + number;
        const node_places *places = &a->places;
        const bool inner = there && node->child != 0;
        node_parts p;
        p.m = inner ? places->m : a->sorted.m;
        p.x = inner ? places->x : a->sorted.x;
        p.y = inner ? places->y : a->sorted.y;
        p.z = inner ? places->z : a->sorted.z;
        p.first = inner ? node->child : node->first;
        p.many = !there ? 0 : inner ? node->children : node->last - node->first;
        const node_sums s = sum_parts(&p, inner ? a->boxes : 0, lane);
        double side = 0;
        double away = 0;
        double middle[3];
        for (int k = 0; k < 3; k++) {
            const double length = s.box.high[k] - s.box.low[k];
            middle[k] = s.box.low[k] + length / 2;
            side = length > side ? length : side;
        }
        const bool weighs = s.m != 0 && side > 0;
        const double x = weighs ? s.x / s.m : middle[0];
        const double y = weighs ? s.y / s.m : middle[1];
        const double z = weighs ? s.z / s.m : middle[2];
        away += (x - middle[0]) * (x - middle[0]);
        away += (y - middle[1]) * (y - middle[1]);
        away += (z - middle[2]) * (z - middle[2]);
        const double open = side > 0 ? side / a->theta + away * inverse_root((float)away + 1e-35f) : 0;
        node_moments moments;
        if (a->moments) moments = moments_of_parts(&p, inner ? a->moments : 0, x, y, z, lane);
        if (!there || lane % team()) return;
        places->x[number] = x;
        places->y[number] = y;
        places->z[number] = z;
        places->m[number] = s.m;
        places->open[number] = open < 1e15 ? (float)(open * open) : 1e30f;
        a->boxes[number] = s.box;
        if (a->moments) a->moments[number] = moments;
    },
    summing, node_sums, node_parts, sum_parts, moments_of_parts, inverse_root, team);

/* The deepest level first; its ranks wait for one another before they go up. WW__BODIES_BESIDE places behind the last are read, for
 * nothing. */
WW_KERNEL_USES((summarise, team), summarise_levels, summing, a, rank, {
    const uint32_t lane = (uint32_t)(rank % WW_WARP);
    const uint32_t behind = a->levels->first[a->levels->many];
    if (rank == 0) a->levels->apart = 0; /* the walk that follows counts */
    for (uint64_t at = behind + rank; at < behind + 8; at += a->ranks) {
        a->places.x[at] = a->places.y[at] = a->places.z[at] = a->places.m[at] = 0;
        a->places.open[at] = 0;
    }
    for (uint32_t level = a->levels->many; level-- > 0;) {
        const uint32_t end = a->levels->first[level + 1];
        const uint64_t begin = a->levels->first[level];
        for (uint64_t at = begin + (rank - lane) / team(); at < end; at += a->ranks / team()) {
            const uint64_t number = at + lane / team();
            summarise(a, number < end ? (uint32_t)number : end - 1, number < end, lane);
        }
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
