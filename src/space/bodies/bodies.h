/* What the files of this room share: the bodies' columns, their order in space, the tree, and the six steps in the order in
 * which forces take them. */
#ifndef WW__BODIES_H
#define WW__BODIES_H

#include <math.h>

#include "device/between.h"
#include "warpwise/nbody.h"
#include "warpwise/primitive.h"

enum {
    WW__BODIES_LEAF = 16,  /* a node of more bodies is divided, as long as their codes differ */
    WW__BODIES_GROUP = 32, /* bodies that walk together, at most */
    WW__BODIES_LIST = 64,  /* sources that are collected before they pull */
    WW__BODIES_BESIDE = 8  /* nodes that are looked at together: as many may be read behind the last one */
};

/* In the caller's order. */
WW_STRUCT(body_columns, {
    double *m;
    double *x, *y, *z;
    double *vx, *vy, *vz;
    double *ax, *ay, *az;
    double *potential;
});

/* In the order of their codes. Lengths in units of a power of two, masses too, so that f32 holds what is computed of them. */
WW_STRUCT(sorted_bodies, {
    double *x, *y, *z;
    double *m;
});

/* A node's bodies are first … last - 1 in that order, its children stand side by side. */
WW_STRUCT(tree_node, {
    uint32_t child; /* 0: a leaf */
    uint32_t children;
    uint32_t first;
    uint32_t last;
});
/* What nodes are to those that walk: an array each, so that children are read side by side. */
WW_STRUCT(node_places, {
    double *x; /* the centre of mass */
    double *y;
    double *z;
    double *m;
    float *open; /* it is opened for what is not further than the root of this */
});
WW_STRUCT(node_box, {
    double low[3];
    double high[3];
});
/* Where each level's nodes begin, and the words by which the ranks that make them agree. */
WW_STRUCT(tree_levels, {
    uint64_t barrier;
    uint32_t made;      /* nodes */
    uint32_t many;      /* levels */
    uint32_t first[34]; /* node of each, and behind the last one's */
    uint32_t grown[34]; /* children of each level's nodes */
    uint32_t apart;     /* groups whose bodies walk one by one */
});
/* Sums over a node's bodies, with masses m and distances d from the centre of mass: of m (3 dd' - d^2), of which zz is
 * -xx - yy, and of m d^2. */
WW_STRUCT(node_moments, { float xx, yy, xy, xz, yz, trace; });

/* x^(-1/2) to some 2^-23, for x from 2^-125 on. The first guess is from the exponent, with constants by Kadlec; then a step of
 * Newton's and one of Halley's. Fused multiplications are asked for by name, and so are the same on every device. */
static inline __attribute__((always_inline, unused)) float inverse_root(float);
WW_FUNCTION(inverse_root, float, (float x), {
    const float guess = ww_float_of_bits(0x5f1ffff9u - (ww_bits_float(x) >> 1));
    const float y = 0.703952253f * guess * fmaf(-(x * guess), guess, 2.38924456f);
    const float h = fmaf(-(x * y), y, 1.0f);
    return fmaf(y * h, fmaf(0.375f, h, 0.5f), y);
});

struct ww_nbody {
    ww_device *device;
    ww_nbody_options options;
    uint64_t n;
    bool exact;
    bool forced;       /* forces are those of where the bodies are */
    bool negative;     /* there are negative masses */
    bool warps;        /* a warp for each group, not a rank */
    uint32_t crowd;    /* the tree by warps: leaves about a group's box from which on its bodies walk one by one */
    uint64_t walks;    /* the same: warps that there are to be, at most, for several of them to walk for one group */
    uint64_t two_each; /* all pairs: from that many bodies on a lane has two, from four times as many four */
    double low[3], scale, mass_scale; /* of the sorted bodies: (x - low) * scale */
    body_columns column;
    sorted_bodies sorted;
    uint64_t *codes;
    uint32_t *index; /* of a sorted body: its place in the columns */
    uint64_t *work;  /* of each group or body: how many interactions */
    uint64_t nodes;
    uint64_t ranks; /* that make trees together */
    node_places place;
    ww__kept fixed, node, places, box, moments, counts, parts, progress;
};

/* ww__kept_capacity, a quarter larger when it grows: the next step's tree may have a few nodes more. */
ww_status ww__bodies_room(ww_nbody *nbody, ww__kept *block, uint64_t count, size_t size, size_t keep);

/* The six steps. */
ww_status ww__bodies_box(ww_nbody *nbody, uint64_t *lost); /* lost: the first body that is nowhere; UINT64_MAX: none */
ww_status ww__bodies_order(ww_nbody *nbody);               /* codes and index */
ww_status ww__bodies_arrange(ww_nbody *nbody, int sign);   /* sorted bodies; -1, 1: those of that mass alone, 0: all */
ww_status ww__bodies_tree(ww_nbody *nbody);
ww_status ww__bodies_summaries(ww_nbody *nbody);
ww_status ww__bodies_walk(ww_nbody *nbody, bool add); /* add: to the forces that are there */
/* All of them. */
ww_status ww__bodies_forces(ww_nbody *nbody, uint64_t *lost);
/* v += a * kick, x += v * drift. */
ww_status ww__bodies_move(ww_nbody *nbody, double kick, double drift);
/* Sums over all bodies; forces are those of where they are. */
ww_status ww__bodies_totals(ww_nbody *nbody, ww_nbody_totals *totals);

#endif
