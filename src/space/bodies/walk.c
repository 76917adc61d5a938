/* Forces. A group of neighbouring bodies walks the tree together (Barnes 1990): nodes that are far enough from the box
 * around the group, and the bodies of leaves that are not, go to a list of sources, with their places relative to the
 * group's middle, f64 differences rounded to f32. When the list is full all of it pulls every body of the group: a loop over
 * sources, and in it one over bodies side by side, which vectors and a GPU's registers like. All pairs are the same without
 * a tree: every body is a source.
 *
 * Sums of a list are f32, those over lists f64. The group's own bodies come last, for there a body must not meet itself.
 *
 * A group whose box is wide beside the distances in it (its bodies lie on two sides of a gap) would lose these in f32; its
 * bodies walk alone, each from its own place. */
#define WARPWISE_FUSED_LOOPS
#include "space/bodies/walk.h"

/* A group's walk: the group, the sources that wait to pull it, and what has pulled it. */
WW_STRUCT_USES((source_list, quadrupole_list, body_group, partial, pulled), group_walk, {
    source_list list;
    quadrupole_list quads;
    body_group group;
    partial part;
    pulled sum;
    double middle[3];
    float half[3];
    float softening2;
    uint32_t first; /* the group's bodies: first … last - 1 */
    uint32_t last;
    uint32_t many; /* in the list */
    uint32_t wholes;
    uint64_t sources; /* that have pulled */
});

IN_EACH_WIDTH void begin_group(const walking *, group_walk *, uint32_t, uint32_t);
IN_EACH_WIDTH void pull_list(group_walk *);
IN_EACH_WIDTH void pull_wholes(group_walk *);
IN_EACH_WIDTH void add_bodies(const walking *, group_walk *, uint32_t, uint32_t);
IN_EACH_WIDTH void add_leaf(const walking *, group_walk *, uint32_t);
IN_EACH_WIDTH void add_wholes(const walking *, group_walk *, const uint32_t *, uint32_t);
IN_EACH_WIDTH void look_at_nodes(const walking *, const group_walk *, uint32_t, uint32_t *);
IN_EACH_WIDTH void walk_tree(const walking *, group_walk *);
IN_EACH_WIDTH void end_group(const walking *, group_walk *);
IN_EACH_WIDTH void walk_together(const walking *, group_walk *, uint32_t, uint32_t);
IN_EACH_WIDTH void ww__body_walk(uint64_t, const walking *, group_walk *);

WW_FUNCTION(
    begin_group, void, (const walking *a, group_walk *w, uint32_t first, uint32_t last),
    {
        const double *bx = a->sorted.x;
        const double *by = a->sorted.y;
        const double *bz = a->sorted.z;
        for (int k = 0; k < 3; k++) {
            const double *at = k == 0 ? bx : k == 1 ? by : bz;
            double low = at[first];
            double high = at[first];
            for (uint32_t i = first + 1; i < last; i++) {
                low = at[i] < low ? at[i] : low;
                high = at[i] > high ? at[i] : high;
            }
            w->middle[k] = low + (high - low) / 2;
            w->half[k] = (float)((high - low) / 2) * 1.0000002f;
        }
        for (uint32_t k = 0; k < 32; k++) {
            const uint32_t i = k < last - first ? first + k : first;
            w->group.x[k] = (float)(bx[i] - w->middle[0]);
            w->group.y[k] = (float)(by[i] - w->middle[1]);
            w->group.z[k] = (float)(bz[i] - w->middle[2]);
            w->sum.x[k] = w->sum.y[k] = w->sum.z[k] = w->sum.potential[k] = 0;
            w->part.x[k] = w->part.y[k] = w->part.z[k] = w->part.potential[k] = 0;
        }
        w->softening2 = a->softening2;
        w->first = first;
        w->last = last;
        w->many = 0;
        w->wholes = 0;
        w->sources = last - first;
    },
    walking, group_walk);

WW_FUNCTION(
    pull_list, void, (group_walk * w),
    {
        source_list *list = &w->list;
        uint32_t many = w->many;
        if (many % 2) { /* sources pull in pairs */
            list->x[many] = list->y[many] = list->z[many] = list->m[many] = 0;
            many++;
        }
        for (uint32_t row = 0; row < w->last - w->first; row += 16)
            pull_row(list, many, &w->group, row, w->softening2, &w->part);
        add_partial(&w->part, &w->sum);
        w->sources += w->many;
        w->many = 0;
    },
    group_walk, source_list, pull_row, add_partial);

WW_FUNCTION(
    pull_wholes, void, (group_walk * w),
    {
        quadrupole_list *quads = &w->quads;
        uint32_t many = w->wholes;
        if (many % 2) {
            quads->x[many] = 1; /* away from all, as the fifth power of the root is to be finite */
            quads->y[many] = quads->z[many] = quads->m[many] = quads->w[many] = 0;
            quads->xx[many] = quads->yy[many] = quads->zz[many] = 0;
            quads->xy[many] = quads->xz[many] = quads->yz[many] = 0;
            many++;
        }
        for (uint32_t row = 0; row < w->last - w->first; row += 16)
            pull_quadrupoles(quads, many, &w->group, row, w->softening2, &w->part);
        add_partial(&w->part, &w->sum);
        w->sources += w->wholes;
        w->wholes = 0;
    },
    group_walk, quadrupole_list, pull_quadrupoles, add_partial);

/* Bodies at … end - 1, but those of the group. */
WW_FUNCTION(
    add_bodies, void, (const walking *a, group_walk *w, uint32_t at, uint32_t end),
    {
        source_list *list = &w->list;
        while (at < end) {
            if (at >= w->first && at < w->last) {
                at = w->last;
                continue;
            }
            const uint32_t until = at < w->first && w->first < end ? w->first : end;
            const uint32_t some = until - at < 64 - w->many ? until - at : 64 - w->many;
            for (uint32_t k = 0; k < some; k++) {
                list->x[w->many + k] = (float)(a->sorted.x[at + k] - w->middle[0]);
                list->y[w->many + k] = (float)(a->sorted.y[at + k] - w->middle[1]);
                list->z[w->many + k] = (float)(a->sorted.z[at + k] - w->middle[2]);
                list->m[w->many + k] = (float)a->sorted.m[at + k];
            }
            at += some;
            w->many += some;
            if (w->many == 64) pull_list(w);
        }
    },
    walking, group_walk, source_list, pull_list);

/* A node that pulls as one point or, a leaf that is near, body by body. All bodies of a leaf that is a point are in one place, those
 * of the group among them perhaps. */
WW_FUNCTION(
    add_leaf, void, (const walking *a, group_walk *w, uint32_t node),
    {
        const uint32_t number = node & 0x7fffffffu;
        const tree_node *of = a->nodes + number;
        const bool point = a->places.open[number] == 0 || number != node;
        if (!point) {
            add_bodies(a, w, of->first, of->last);
            return;
        }
        double m = a->places.m[number];
        const uint32_t low = of->first > w->first ? of->first : w->first;
        const uint32_t high = of->last < w->last ? of->last : w->last;
        for (uint32_t i = low; i < high; i++) m -= a->sorted.m[i];
        w->list.x[w->many] = (float)(a->places.x[number] - w->middle[0]);
        w->list.y[w->many] = (float)(a->places.y[number] - w->middle[1]);
        w->list.z[w->many] = (float)(a->places.z[number] - w->middle[2]);
        w->list.m[w->many] = (float)m;
        if (++w->many == 64) pull_list(w);
    },
    walking, group_walk, tree_node, add_bodies, pull_list);

WW_FUNCTION(
    add_wholes, void, (const walking *a, group_walk *w, const uint32_t *node, uint32_t many),
    {
        quadrupole_list *quads = &w->quads;
        for (uint32_t k = 0; k < many; k++) {
            const uint32_t i = node[k];
            const node_moments *s = a->moments + i;
            const uint32_t to = w->wholes + k;
            quads->x[to] = (float)(a->places.x[i] - w->middle[0]);
            quads->y[to] = (float)(a->places.y[i] - w->middle[1]);
            quads->z[to] = (float)(a->places.z[i] - w->middle[2]);
            quads->m[to] = (float)a->places.m[i];
            quads->xx[to] = s->xx;
            quads->yy[to] = s->yy;
            quads->zz[to] = -s->xx - s->yy;
            quads->xy[to] = s->xy;
            quads->xz[to] = s->xz;
            quads->yz[to] = s->yz;
            quads->w[to] = -w->softening2 * s->trace;
        }
        w->wholes += many;
    },
    walking, group_walk, node_moments, quadrupole_list);

/* Eight nodes side by side: 1 for one that has to be opened, 2 that is far enough, 4 that is as a point; 0 where there is no
 * mass. */
WW_FUNCTION(
    look_at_nodes, void, (const walking *a, const group_walk *w, uint32_t first, uint32_t *found),
    {
        const double *x = a->places.x + first;
        const double *y = a->places.y + first;
        const double *z = a->places.z + first;
        const double *m = a->places.m + first;
        const float *open = a->places.open + first;
        const double middle_x = w->middle[0];
        const double middle_y = w->middle[1];
        const double middle_z = w->middle[2];
        const float half_x = w->half[0];
        const float half_y = w->half[1];
        const float half_z = w->half[2];
        for (uint32_t k = 0; k < 8; k++) {
            const float at_x = (float)(x[k] - middle_x);
            const float at_y = (float)(y[k] - middle_y);
            const float at_z = (float)(z[k] - middle_z);
            const float out_x = fabsf(at_x) - half_x;
            const float out_y = fabsf(at_y) - half_y;
            const float out_z = fabsf(at_z) - half_z;
            const float far_x = 0.5f * (out_x + fabsf(out_x));
            const float far_y = 0.5f * (out_y + fabsf(out_y));
            const float far_z = 0.5f * (out_z + fabsf(out_z));
            /* Of the root of what is nearer the fifth power overflows. Sums of truths, as vectors of AVX2 have no other branches. */
            const uint32_t apart = open[k] > 0x1p-50f ? 1u : 0u;
            const uint32_t far = far_x * far_x + far_y * far_y + far_z * far_z > open[k] ? 1u : 0u;
            const uint32_t weighs = (float)m[k] != 0 ? 1u : 0u;
            found[k] = weighs * (1 + far * (3 - 2 * apart));
        }
    },
    walking, group_walk);

/* Nodes that are to be opened wait on a stack, as the first of their children and how many these are. All children of one are looked
 * at without a branch, which would be guessed wrong as often as not: each is written behind the lists of what is to be opened, what
 * pulls as a whole, and what else pulls, and those lists grow that it belongs to. Of one level no more nodes wait than children of
 * one: 7 for 21 levels. */
WW_FUNCTION(
    walk_tree, void, (const walking *a, group_walk *w),
    {
        uint64_t stack[192];
        uint32_t whole[8];
        uint32_t other[8];
        uint32_t found[8];
        const uint32_t points = a->moments ? 0u : 1u;
        uint32_t top = 1;
        stack[0] = (uint64_t)1 << 32; /* the root */
        while (top) {
            const uint32_t first = (uint32_t)stack[--top];
            const uint32_t many = (uint32_t)(stack[top] >> 32);
            uint32_t wholes = 0;
            uint32_t others = 0;
            look_at_nodes(a, w, first, found);
            for (uint32_t k = 0; k < many; k++) {
                const tree_node *of = a->nodes + first + k;
                const uint32_t near = found[k] & 1;
                const uint32_t taken = found[k] >> 1 & 1;
                const uint32_t single = of->last - of->first == 1 ? 1u : points;
                const uint32_t point = (taken & single) | found[k] >> 2;
                const uint32_t leaf = of->child ? 0u : 1u;
                stack[top] = of->child | (uint64_t)of->children << 32;
                top += near & (1 - leaf);
                whole[wholes] = first + k;
                wholes += taken & (1 - single);
                other[others] = (first + k) | point << 31;
                others += point | (near & leaf);
            }
            if (w->wholes + wholes > 64) pull_wholes(w);
            if (wholes) add_wholes(a, w, whole, wholes);
            for (uint32_t k = 0; k < others; k++) add_leaf(a, w, other[k]);
        }
    },
    walking, group_walk, tree_node, look_at_nodes, pull_wholes, add_wholes, add_leaf);

/* What still waits, and the group's own bodies. */
WW_FUNCTION(
    end_group, void, (const walking *a, group_walk *w),
    {
        const uint32_t members = w->last - w->first;
        pull_list(w);
        pull_wholes(w);
        const uint32_t many = members + members % 2;
        w->list.x[members] = w->list.y[members] = w->list.z[members] = w->list.m[members] = 0;
        for (uint32_t k = 0; k < members; k++) {
            w->list.x[k] = w->group.x[k];
            w->list.y[k] = w->group.y[k];
            w->list.z[k] = w->group.z[k];
            w->list.m[k] = (float)a->sorted.m[w->first + k];
        }
        for (uint32_t row = 0; row < members; row += 16)
            pull_own(&w->list, many, &w->group, row, w->softening2, &w->part);
        add_partial(&w->part, &w->sum);
    },
    walking, group_walk, pull_list, pull_wholes, pull_own, add_partial);

/* Bodies first … last - 1, at most 32: what has pulled them is in w->sum. */
WW_FUNCTION(
    walk_together, void, (const walking *a, group_walk *w, uint32_t first, uint32_t last),
    {
        begin_group(a, w, first, last);
        if (a->nodes)
            walk_tree(a, w);
        else
            add_bodies(a, w, 0, (uint32_t)a->n);
        end_group(a, w);
    },
    walking, group_walk, begin_group, walk_tree, add_bodies, end_group);

/* A group is a block, of one lane: few of them are already worth all threads. */
WW_BLOCK_KERNEL_USES((walk_together, too_wide), walk, walking, a, group_walk, w, block, {
    WW_LANES(lane, 1) {
        const uint32_t begin = (uint32_t)block * a->group;
        const uint32_t end = a->n - begin < a->group ? (uint32_t)a->n : begin + a->group;
        const uint32_t step = too_wide(a, begin, end) ? 1 : a->group;
        uint64_t work = a->add ? a->work[block] : 0;
        for (uint32_t first = begin + lane; first < end; first += step) {
    const uint32_t last = end - first < step ? end : first + step;
    walk_together(a, w, first, last);
    work += w->sources * (last - first);
    for (uint32_t k = 0; k < last - first; k++) {
        const uint32_t i = a->index[first + k];
        const double old = a->add ? 1 : 0;
        a->ax[i] = (old != 0 ? a->ax[i] : 0) + w->sum.x[k] * a->force_unit;
        a->ay[i] = (old != 0 ? a->ay[i] : 0) + w->sum.y[k] * a->force_unit;
        a->az[i] = (old != 0 ? a->az[i] : 0) + w->sum.z[k] * a->force_unit;
        a->potential[i] = (old != 0 ? a->potential[i] : 0) - w->sum.potential[k] * a->potential_unit;
    }
        }
        a->work[block] = work;
}
});

ww_status ww__bodies_walk(ww_nbody *nbody, bool add) {
    const double e = nbody->options.softening * nbody->scale;
    walking a = {.sorted = nbody->sorted,
                 .nodes = nbody->exact ? NULL : nbody->node.data,
                 .places = nbody->place,
                 .moments = nbody->exact || !nbody->options.quadrupoles ? NULL : nbody->moments.data,
                 .index = nbody->index,
                 .work = nbody->work,
                 .ax = nbody->column.ax,
                 .ay = nbody->column.ay,
                 .az = nbody->column.az,
                 .potential = nbody->column.potential,
                 .force_unit = nbody->scale * nbody->scale / nbody->mass_scale,
                 .potential_unit = nbody->scale / nbody->mass_scale,
                 .n = nbody->n,
                 .group = WW__BODIES_GROUP,
                 .softening2 = e * e > 0x1p-80 ? (float)(e * e) : 0x1p-80f,
                 .add = add,
                 .digits = 1u << nbody->options.dimensions};
    if (nbody->warps) return nbody->exact ? ww__bodies_pairs_warps(nbody, &a) : ww__bodies_walk_warps(nbody, &a);
    return ww_launch(nbody->device, ww_with(walk, &a), (nbody->n + a.group - 1) / a.group);
}

ww_status ww__bodies_forces(ww_nbody *nbody, uint64_t *lost) {
    WW_TRY(ww__bodies_box(nbody, lost));
    if (*lost != UINT64_MAX) return WW_OK;
    WW_TRY(ww__bodies_order(nbody));
    if (!nbody->exact) WW_TRY(ww__bodies_tree(nbody));
    const bool both = nbody->negative && !nbody->exact;
    for (int sign = both ? -1 : 0; sign <= (both ? 1 : 0); sign += 2) {
        WW_TRY(ww__bodies_arrange(nbody, sign));
        if (!nbody->exact) WW_TRY(ww__bodies_summaries(nbody));
        WW_TRY(ww__bodies_walk(nbody, sign > 0));
    }
    nbody->forced = true;
    return WW_OK;
}
