/* Forces. A group of neighbouring bodies walks the tree together (Barnes 1990): nodes that are far enough from the box around the
 * group, and the bodies of leaves that are not, go to a list of sources, with their places relative to the group's middle, f64
 * differences rounded to f32. When the list is full all of it pulls every body of the group: a loop over sources, and in it one over
 * bodies side by side, which vectors and a GPU's registers like. All pairs are the same without a tree: every body is a source.
 *
 * Sums of a list are f32, those over lists f64. The group's own bodies come last, for there a body must not meet itself.
 *
 * A group whose box is wide beside the distances in it (its bodies lie on two sides of a gap) would lose these in f32; its bodies
 * walk alone, each from its own place. */
#include "space/bodies/bodies.h"

WW_STRUCT_USES((sorted_bodies, tree_node, node_moments), walking, {
    sorted_bodies sorted;
    const tree_node *nodes; /* NULL: all pairs */
    const node_moments *moments;
    const uint32_t *index;
    uint64_t *work;
    double *ax;
    double *ay;
    double *az;
    double *potential;
    double force_unit;
    double potential_unit;
    uint64_t n;
    uint32_t group;
    float softening2; /* e^2, and at least 2^-80: what is in one place then pulls with no force */
    uint32_t add;
});

/* What pulls: 64 of them. */
WW_STRUCT(source_list, { float x[64]; float y[64]; float z[64]; float m[64]; });
WW_STRUCT(quadrupole_list, {
    float x[64];
    float y[64];
    float z[64];
    float m[64];
    float xx[64];
    float yy[64];
    float zz[64];
    float xy[64];
    float xz[64];
    float yz[64];
});
/* What is pulled: two rows of 16 bodies. */
WW_STRUCT(body_group, { float x[32]; float y[32]; float z[32]; });
WW_STRUCT(pulled, { double x[32]; double y[32]; double z[32]; double potential[32]; });

/* All of a walk is one function for each vector width: what would be called is compiled for the narrowest. */
#define IN_EACH_WIDTH static inline __attribute__((always_inline, unused))
IN_EACH_WIDTH void pull_row(const source_list *, uint32_t, const body_group *, uint32_t, float, pulled *);
IN_EACH_WIDTH void pull_own(const source_list *, uint32_t, const body_group *, uint32_t, float, pulled *);
IN_EACH_WIDTH void pull_quadrupoles(const quadrupole_list *, uint32_t, const body_group *, uint32_t, float, pulled *);
IN_EACH_WIDTH uint64_t walk_together(const walking *, uint32_t, uint32_t, pulled *);
IN_EACH_WIDTH void ww__body_walk(uint64_t, const walking *);

/* Two sources at a time, step for step: each alone is a chain of some twenty operations that wait for one another. `many` is even. The
 * roots are inverse_root's. */
WW_FUNCTION(pull_row, void,
            (const source_list *s, uint32_t many, const body_group *g, uint32_t row, float softening2, pulled *to), {
    float gx[16];
    float gy[16];
    float gz[16];
    float ax[16];
    float ay[16];
    float az[16];
    float ap[16];
    for (uint32_t k = 0; k < 16; k++) {
        gx[k] = g->x[row + k];
        gy[k] = g->y[row + k];
        gz[k] = g->z[row + k];
        ax[k] = ay[k] = az[k] = ap[k] = 0;
    }
    for (uint32_t j = 0; j < many; j += 2)
        for (uint32_t k = 0; k < 16; k++) {
            const float x = s->x[j] - gx[k];
            const float u = s->x[j + 1] - gx[k];
            const float y = s->y[j] - gy[k];
            const float v = s->y[j + 1] - gy[k];
            const float z = s->z[j] - gz[k];
            const float w = s->z[j + 1] - gz[k];
            const float a = x * x + y * y + z * z + softening2;
            const float b = u * u + v * v + w * w + softening2;
            const float guess_a = ww_float_of_bits(0x5f1ffff9u - (ww_bits_float(a) >> 1));
            const float guess_b = ww_float_of_bits(0x5f1ffff9u - (ww_bits_float(b) >> 1));
            const float near_a = 0.703952253f * guess_a * (2.38924456f - a * guess_a * guess_a);
            const float near_b = 0.703952253f * guess_b * (2.38924456f - b * guess_b * guess_b);
            const float off_a = 1.0f - a * near_a * near_a;
            const float off_b = 1.0f - b * near_b * near_b;
            const float root_a = near_a + near_a * off_a * (0.5f + 0.375f * off_a);
            const float root_b = near_b + near_b * off_b * (0.5f + 0.375f * off_b);
            const float p = s->m[j] * root_a;
            const float q = s->m[j + 1] * root_b;
            const float f = p * (root_a * root_a);
            const float g = q * (root_b * root_b);
            ax[k] += f * x + g * u;
            ay[k] += f * y + g * v;
            az[k] += f * z + g * w;
            ap[k] += p + q;
        }
    for (uint32_t k = 0; k < 16; k++) {
        to->x[row + k] += ax[k];
        to->y[row + k] += ay[k];
        to->z[row + k] += az[k];
        to->potential[row + k] += ap[k];
    }
}, source_list, body_group, pulled);

/* The group's own bodies: source j is body j. */
WW_FUNCTION(pull_own, void,
            (const source_list *s, uint32_t many, const body_group *g, uint32_t row, float softening2, pulled *to), {
    for (uint32_t j = 0; j < many; j++)
        for (uint32_t k = row; k < row + 16; k++) {
            const float x = s->x[j] - g->x[k];
            const float y = s->y[j] - g->y[k];
            const float z = s->z[j] - g->z[k];
            const float inverse = inverse_root(x * x + y * y + z * z + softening2);
            const float p = k == j ? 0.0f : s->m[j] * inverse;
            const float f = p * (inverse * inverse);
            to->x[k] += f * x;
            to->y[k] += f * y;
            to->z[k] += f * z;
            to->potential[k] += p;
        }
}, source_list, body_group, pulled, inverse_root);

/* Nodes with second moments S: the potential of the masses around d is -m / R + tr S / (2 R^3) - 3 d'Sd / (2 R^5), with
 * R^2 = d^2 + e^2, and the pull is its gradient. */
WW_FUNCTION(pull_quadrupoles, void,
            (const quadrupole_list *s, uint32_t many, const body_group *g, uint32_t row, float softening2, pulled *to), {
    float ax[16];
    float ay[16];
    float az[16];
    float ap[16];
    for (uint32_t k = 0; k < 16; k++) ax[k] = ay[k] = az[k] = ap[k] = 0;
    for (uint32_t j = 0; j < many; j++) {
        const float trace = 0.5f * (s->xx[j] + s->yy[j] + s->zz[j]);
        for (uint32_t k = 0; k < 16; k++) {
            const float x = s->x[j] - g->x[row + k];
            const float y = s->y[j] - g->y[row + k];
            const float z = s->z[j] - g->z[row + k];
            const float inverse = inverse_root(x * x + y * y + z * z + softening2);
            const float inverse2 = inverse * inverse;
            const float inverse3 = inverse * inverse2;
            const float qx = s->xx[j] * x + s->xy[j] * y + s->xz[j] * z;
            const float qy = s->xy[j] * x + s->yy[j] * y + s->yz[j] * z;
            const float qz = s->xz[j] * x + s->yz[j] * y + s->zz[j] * z;
            const float q = 1.5f * inverse2 * (x * qx + y * qy + z * qz);
            const float f = inverse3 * (s->m[j] + inverse2 * (5.0f * q - 3.0f * trace));
            const float t = 3.0f * inverse2 * inverse3;
            ax[k] += f * x - t * qx;
            ay[k] += f * y - t * qy;
            az[k] += f * z - t * qz;
            ap[k] += s->m[j] * inverse + inverse3 * (q - trace);
        }
    }
    for (uint32_t k = 0; k < 16; k++) {
        to->x[row + k] += ax[k];
        to->y[row + k] += ay[k];
        to->z[row + k] += az[k];
        to->potential[row + k] += ap[k];
    }
}, quadrupole_list, body_group, pulled, inverse_root);

/* Bodies first … last - 1, at most 32; returns the interactions. */
WW_FUNCTION(walk_together, uint64_t, (const walking *a, uint32_t first, uint32_t last, pulled *to), {
    const double *bx = a->sorted.x;
    const double *by = a->sorted.y;
    const double *bz = a->sorted.z;
    const uint32_t members = last - first;
    source_list list;
    quadrupole_list quads;
    body_group group;
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
        for (uint32_t row = 0; row < members; row += 16) {
            pull_row(&list, many, &group, row, a->softening2, to);
            if (quadrupoles) pull_quadrupoles(&quads, quadrupoles, &group, row, a->softening2, to);
        }
    }
    for (uint32_t k = 0; k < members; k++) {
        list.x[k] = group.x[k];
        list.y[k] = group.y[k];
        list.z[k] = group.z[k];
        list.m[k] = (float)a->sorted.m[first + k];
    }
    for (uint32_t row = 0; row < members; row += 16) pull_own(&list, members, &group, row, a->softening2, to);
    return sources * members;
}, walking, pull_row, pull_own, pull_quadrupoles);

/* Whether distances between neighbours get lost in f32 when places are relative to the middle of all. */
WW_FUNCTION(too_wide, bool, (const walking *a, uint32_t first, uint32_t last), {
    double widest = 0;
    double nearest = 1e300;
    for (uint32_t i = first; i < last; i++) {
        const double x = a->sorted.x[i] - a->sorted.x[first];
        const double y = a->sorted.y[i] - a->sorted.y[first];
        const double z = a->sorted.z[i] - a->sorted.z[first];
        const double far = x * x + y * y + z * z;
        widest = far > widest ? far : widest;
        if (i > first) {
            const double dx = a->sorted.x[i] - a->sorted.x[i - 1];
            const double dy = a->sorted.y[i] - a->sorted.y[i - 1];
            const double dz = a->sorted.z[i] - a->sorted.z[i - 1];
            const double near = dx * dx + dy * dy + dz * dz;
            nearest = near > 0 && near < nearest ? near : nearest;
        }
    }
    nearest = nearest > (double)a->softening2 ? nearest : (double)a->softening2;
    return widest > 1048576.0 * nearest; /* 1024^2 */
}, walking);

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
    const walking a = {nbody->sorted,
                       nbody->exact ? NULL : nbody->node.data,
                       nbody->exact || !nbody->options.quadrupoles ? NULL : nbody->moments.data,
                       nbody->index,
                       nbody->work,
                       nbody->column.ax,
                       nbody->column.ay,
                       nbody->column.az,
                       nbody->column.potential,
                       nbody->scale * nbody->scale / nbody->mass_scale,
                       nbody->scale / nbody->mass_scale,
                       nbody->n,
                       (uint32_t)nbody->group,
                       e * e > 0x1p-80 ? (float)(e * e) : 0x1p-80f,
                       add};
    return ww_launch(nbody->device, ww_with(walk, &a), (nbody->n + nbody->group - 1) / nbody->group);
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
