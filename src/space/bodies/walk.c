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

IN_EACH_WIDTH uint64_t walk_together(const walking *, uint32_t, uint32_t, pulled *);
IN_EACH_WIDTH void ww__body_walk(uint64_t, const walking *);

/* Bodies first … last - 1, at most 32; returns the interactions. */
WW_FUNCTION(
    walk_together, uint64_t, (const walking *a, uint32_t first, uint32_t last, pulled *to),
    {
        const double *bx = a->sorted.x;
        const double *by = a->sorted.y;
        const double *bz = a->sorted.z;
        const uint32_t members = last - first;
        source_list list;
        quadrupole_list quads;
        body_group group;
        partial part;
        double middle[3];
        float half[3];
        for (int k = 0; k < 3; k++) {
            const double *at = k == 0 ? bx : k == 1 ? by : bz;
            double low = at[first];
            double high = at[first];
            for (uint32_t i = first + 1; i < last; i++) {
                low = at[i] < low ? at[i] : low;
                high = at[i] > high ? at[i] : high;
            }
            middle[k] = low + (high - low) / 2;
            half[k] = (float)((high - low) / 2) * 1.0000002f;
        }
        for (uint32_t k = 0; k < 32; k++) {
            const uint32_t i = k < members ? first + k : first;
            group.x[k] = (float)(bx[i] - middle[0]);
            group.y[k] = (float)(by[i] - middle[1]);
            group.z[k] = (float)(bz[i] - middle[2]);
            to->x[k] = to->y[k] = to->z[k] = to->potential[k] = 0;
            part.x[k] = part.y[k] = part.z[k] = part.potential[k] = 0;
        }
        uint64_t sources = members;
        uint32_t node = a->nodes ? 0 : 0xffffffffu;
        uint32_t at = 0;
        uint32_t end = a->nodes ? 0 : (uint32_t)a->n;
        while (node != 0xffffffffu || at < end) {
            uint32_t many = 0;
            uint32_t quadrupoles = 0;
            while (many < 64 && quadrupoles < 64 && (node != 0xffffffffu || at < end)) {
                if (at < end) { /* the bodies of a leaf, but those of the group */
                    if (at >= first && at < last) at = last;
                    const uint32_t until = at < first && first < end ? first : end;
                    const uint32_t some = at >= until ? 0 : until - at < 64 - many ? until - at : 64 - many;
                    for (uint32_t k = 0; k < some; k++) {
                        list.x[many + k] = (float)(bx[at + k] - middle[0]);
                        list.y[many + k] = (float)(by[at + k] - middle[1]);
                        list.z[many + k] = (float)(bz[at + k] - middle[2]);
                        list.m[many + k] = (float)a->sorted.m[at + k];
                    }
                    at += some;
                    many += some;
                } else {
                    const tree_node *of = a->nodes + node;
                    const float x = (float)(of->x - middle[0]);
                    const float y = (float)(of->y - middle[1]);
                    const float z = (float)(of->z - middle[2]);
                    const float outx = (x < 0 ? -x : x) - half[0];
                    const float outy = (y < 0 ? -y : y) - half[1];
                    const float outz = (z < 0 ? -z : z) - half[2];
                    const float far = (outx > 0 ? outx * outx : 0) + (outy > 0 ? outy * outy : 0) +
                                      (outz > 0 ? outz * outz : 0);
                    const bool taken = far > of->open;
                    const uint32_t opened = of->child;
                    if (taken && a->moments && of->last - of->first > 1 && of->m != 0) {
                        const node_moments *s = a->moments + node;
                        quads.x[quadrupoles] = x;
                        quads.y[quadrupoles] = y;
                        quads.z[quadrupoles] = z;
                        quads.m[quadrupoles] = (float)of->m;
                        quads.xx[quadrupoles] = s->xx;
                        quads.yy[quadrupoles] = s->yy;
                        quads.zz[quadrupoles] = s->zz;
                        quads.xy[quadrupoles] = s->xy;
                        quads.xz[quadrupoles] = s->xz;
                        quads.yz[quadrupoles] = s->yz;
                        quadrupoles++;
                    } else if (of->m != 0 && (taken || (!opened && of->open == 0))) {
                        /* All of a leaf's bodies are in one place, those of the group among them perhaps. */
                        double m = of->m;
                        const uint32_t low = of->first > first ? of->first : first;
                        const uint32_t high = of->last < last ? of->last : last;
                        for (uint32_t i = low; i < high; i++) m -= a->sorted.m[i];
                        list.x[many] = x;
                        list.y[many] = y;
                        list.z[many] = z;
                        list.m[many] = (float)m;
                        many++;
                    } else if (!taken && !opened && of->m != 0) {
                        at = of->first;
                        end = of->last;
                    }
                    node = taken || !opened || of->m == 0 ? of->next : opened;
                }
            }
            sources += many + quadrupoles;
            if (many % 2) { /* sources pull in pairs */
                list.x[many] = list.y[many] = list.z[many] = list.m[many] = 0;
                many++;
            }
            for (uint32_t row = 0; row < members; row += 16) pull_row(&list, many, &group, row, a->softening2, &part);
            add_partial(&part, to);
            if (!quadrupoles) continue;
            for (uint32_t row = 0; row < members; row += 16)
                pull_quadrupoles(&quads, quadrupoles, &group, row, a->softening2, &part);
            add_partial(&part, to);
        }
        for (uint32_t k = 0; k < members; k++) {
            list.x[k] = group.x[k];
            list.y[k] = group.y[k];
            list.z[k] = group.z[k];
            list.m[k] = (float)a->sorted.m[first + k];
        }
        for (uint32_t row = 0; row < members; row += 16) pull_own(&list, members, &group, row, a->softening2, to);
        return sources * members;
    },
    walking, pull_row, pull_own, pull_quadrupoles, add_partial);

WW_KERNEL_USES((walk_together, too_wide), walk, walking, a, rank, {
    const uint32_t begin = (uint32_t)(rank * a->group);
    const uint32_t end = a->n - begin < a->group ? (uint32_t)a->n : begin + a->group;
    const uint32_t step = too_wide(a, begin, end) ? 1 : a->group;
    uint64_t work = a->add ? a->work[rank] : 0;
    pulled sum;
    for (uint32_t first = begin; first < end; first += step) {
        const uint32_t last = end - first < step ? end : first + step;
        work += walk_together(a, first, last, &sum);
        for (uint32_t k = 0; k < last - first; k++) {
            const uint32_t i = a->index[first + k];
            const double old = a->add ? 1 : 0;
            a->ax[i] = (old != 0 ? a->ax[i] : 0) + sum.x[k] * a->force_unit;
            a->ay[i] = (old != 0 ? a->ay[i] : 0) + sum.y[k] * a->force_unit;
            a->az[i] = (old != 0 ? a->az[i] : 0) + sum.z[k] * a->force_unit;
            a->potential[i] = (old != 0 ? a->potential[i] : 0) - sum.potential[k] * a->potential_unit;
        }
    }
    a->work[rank] = work;
});

ww_status ww__bodies_walk(ww_nbody *nbody, bool add) {
    const double e = nbody->options.softening * nbody->scale;
    walking a = {.sorted = nbody->sorted,
                 .nodes = nbody->exact ? NULL : nbody->node.data,
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
