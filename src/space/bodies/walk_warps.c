/* Forces by warps: a group's bodies are the lanes of one, and look for what pulls them together (as Bédorf, Gaburov and Portegies
 * Zwart 2012, and Miki and Umemura's GOTHIC, 2017). Nodes that are to be opened wait on a stack that lies across the lanes; in
 * each turn some are taken, and every lane looks at one of their children: whether it is far enough, is a leaf, or has to be opened
 * too. What pulls is then handed from its lane to all others, one source after the other, so that it is read and converted once.
 *
 * A group is better taken apart whose box has many others in it or beside it: one far out whose bodies lie around all of the middle
 * would meet nearly every body. It gives up, and in a second launch each of its bodies has a warp: the box is the body's place, each
 * lane keeps the sources that it finds, and nodes are taken from half as far again, for errors to be those of groups. Where groups
 * are few several warps walk for each, and their sums are added.
 *
 * Which groups are taken apart is the same in every run; their order is not, and does not matter. Sums go to f64 after 64 sources or
 * some more, those of lanes and of warps always in the same order: every run has the same bits. */
#include "space/bodies/lanes.h"

/* Which bit of the word is its i-th one, from 0; it has more than i. */
WW_FUNCTION(place_of_bit, uint32_t, (uint32_t word, uint32_t i), {
    uint32_t at = 0;
    for (uint32_t half = 16; half; half /= 2) {
        const uint32_t below = (uint32_t)ww_popcount(word >> at & ((1u << half) - 1));
        at += i >= below ? half : 0;
        i -= i >= below ? below : 0;
    }
    return at;
});

/* Bodies, or single masses, of the lanes in `which`: all lanes meet each or, where a warp is one body's, each its own. */
WW_FUNCTION(
    meet_bodies, void, (walker * w, const lane_source *own, uint32_t which, uint32_t lane, bool alone),
    {
        if (alone) {
            if (which >> lane & 1) meet_body(w, own->x, own->y, own->z, own->m, 1);
            return;
        }
        while (which) {
            const uint32_t from = (uint32_t)ww_ffs(which) - 1;
            which &= which - 1;
            meet_body(w, ww_float_of_lane(own->x, from), ww_float_of_lane(own->y, from), ww_float_of_lane(own->z, from),
                      ww_float_of_lane(own->m, from), 1);
        }
    },
    walker, lane_source, meet_body);

WW_FUNCTION(
    meet_nodes, void,
    (walker * w, const lane_source *own, const node_moments *moments, uint32_t which, uint32_t lane, bool alone),
    {
        if (alone) {
            if (which >> lane & 1) meet_node(w, own->x, own->y, own->z, own->m, *moments);
            return;
        }
        while (which) {
            const uint32_t from = (uint32_t)ww_ffs(which) - 1;
            node_moments s;
            which &= which - 1;
            s.xx = ww_float_of_lane(moments->xx, from);
            s.yy = ww_float_of_lane(moments->yy, from);
            s.xy = ww_float_of_lane(moments->xy, from);
            s.xz = ww_float_of_lane(moments->xz, from);
            s.yz = ww_float_of_lane(moments->yz, from);
            s.trace = ww_float_of_lane(moments->trace, from);
            meet_node(w, ww_float_of_lane(own->x, from), ww_float_of_lane(own->y, from), ww_float_of_lane(own->z, from),
                      ww_float_of_lane(own->m, from), s);
        }
    },
    walker, lane_source, node_moments, meet_node);

/* The bodies of leaves, one after the other, a lane each: this lane's leaf has `bodies` of them, behind them `end`. Those of the
 * group (first … last - 1) do not pull here. Returns how many did. */
WW_FUNCTION(
    meet_leaves, uint32_t,
    (const walking *a, walker *w, const place *middle, uint32_t bodies, uint32_t end, uint32_t first, uint32_t last,
     uint32_t lane, bool alone),
    {
        uint32_t met = 0;
        uint32_t behind = bodies; /* up to this lane's */
        for (uint32_t step = 1; step < WW_WARP; step *= 2) {
            const uint32_t before = ww_u32_of_lane(behind, lane - step);
            behind += lane >= step ? before : 0;
        }
        const uint32_t all = ww_u32_of_lane(behind, WW_WARP - 1);
        for (uint32_t from = 0; from < all; from += WW_WARP) {
            const uint32_t at = from + lane;
            uint32_t holder = 0;
            for (uint32_t step = WW_WARP / 2; step; step /= 2)
                holder += ww_u32_of_lane(behind, holder + step - 1) <= at ? step : 0;
            const uint32_t i = ww_u32_of_lane(end, holder) - (ww_u32_of_lane(behind, holder) - at);
            const bool pulls = at < all && !(i >= first && i < last);
            const uint32_t which = ww_ballot(pulls);
            lane_source own;
            own.x = pulls ? (float)(a->sorted.x[i] - middle->x) : 0;
            own.y = pulls ? (float)(a->sorted.y[i] - middle->y) : 0;
            own.z = pulls ? (float)(a->sorted.z[i] - middle->z) : 0;
            own.m = pulls ? (float)a->sorted.m[i] : 0;
            meet_bodies(w, &own, which, lane, alone);
            met += (uint32_t)ww_popcount(which);
            if (from / WW_WARP % 2) put_away(w);
        }
        return met;
    },
    walking, walker, place, lane_source, meet_bodies, put_away);

/* The mass of a node or leaf less what of it is the group's. */
WW_FUNCTION(
    mass_of_others, float, (const walking *a, uint32_t node, uint32_t first, uint32_t last),
    {
        const tree_node *of = a->nodes + node;
        const uint32_t low = of->first > first ? of->first : first;
        const uint32_t high = of->last < last ? of->last : last;
        double rest = a->places.m[node];
        for (uint32_t i = low; i < high; i++) rest -= a->sorted.m[i];
        return (float)rest;
    },
    walking, tree_node);

/* How far a place, relative to the group's middle, is from the box around the group: the square. */
WW_FUNCTION(beyond, float, (float x, float half), {
    const float out = ww_float_of_bits(ww_bits_float(x) & 0x7fffffffu) - half;
    return out > 0 ? out : 0;
});
WW_FUNCTION(
    square_from_box, float, (float x, float y, float z, const float *half),
    {
        const float out_x = beyond(x, half[0]);
        const float out_y = beyond(y, half[1]);
        const float out_z = beyond(z, half[2]);
        return out_x * out_x + out_y * out_y + out_z * out_z;
    },
    beyond);

/* The group's own bodies: a lane does not meet itself. */
WW_FUNCTION(
    meet_members, void, (walker * w, float m, uint32_t members, uint32_t lane),
    {
        for (uint32_t from = 0; from < members; from++)
            meet_body(w, ww_float_of_lane(w->x, from), ww_float_of_lane(w->y, from), ww_float_of_lane(w->z, from),
                      ww_float_of_lane(m, from), from == lane ? 0 : 1.0f);
    },
    walker, meet_body);

/* Where several warps walk for a group: nodes with more bodies than a->common are looked at by all of them, and pull in the first; of
 * those below each has its own. */
WW_FUNCTION(
    part_of_node, uint32_t, (const walking *a, const tree_node *of, bool shared),
    { return shared ? 0 : (of->first * 0x9e3779b9u >> 16) % a->parts; }, walking, tree_node);

/* All that pulls the warp's group, bodies first … last - 1, from the tree, or of several parts this one of it; the group itself is
 * left out. *sources grows by how many. False: a->crowd leaves or more are in the group's box, or nearer to it than
 * half of what its corners are from its middle, so that it is better taken apart.
 *
 * A stack of nodes' children, first + many * 2^32, and 2^63 where all parts look at their parent: entry e is in lane e % WW_WARP. Of
 * one level there are never more than a turn makes and those that the turn before left, 39 of 31 levels. */
WW_FUNCTION(
    meet_tree, bool,
    (const walking *a, walker *w, const place *middle, const float *half, uint32_t first, uint32_t last, uint32_t lane,
     uint32_t part, bool alone, uint64_t *sources),
    {
        uint64_t stack[1280 / WW_WARP];
        uint32_t top = 1;
        stack[0] = (uint64_t)1 << 32 | (uint64_t)(!alone && a->parts > 1) << 63; /* the root */
        uint32_t lately = 0;
        uint32_t crowd = 0;
        const float around = 0.25f * (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
        const uint32_t turn = WW_WARP / a->digits;
        /* A group's bodies are mostly further away than its box; a body is not. */
        const float further = alone ? 2.25f : 1.0f;
        while (top) {
            const uint32_t many = top < turn ? top : turn;
            const uint32_t slot = lane / a->digits;
            const uint32_t mine = top - 1 - (top - 1 - lane) % WW_WARP; /* this lane's highest entry */
            const uint64_t entry = ww_u64_of_lane(mine < top ? stack[mine / WW_WARP] : 0, top - many + slot);
            const bool here = slot < many && lane % a->digits < (uint32_t)(entry >> 32 & 0xff);
            const uint32_t node = here ? (uint32_t)entry + lane % a->digits : 0;
            top -= many;
            const tree_node *of = a->nodes + node;
            const uint32_t child = of->child;
            const uint32_t bodies = of->last - of->first;
            const float open = a->places.open[node];
            const double mass = a->places.m[node];
            const bool shared = entry >> 63 && bodies > a->common;
            const bool in_part = !(entry >> 63) || part_of_node(a, of, shared) == part;
            const bool weighs = here && mass != 0 && (in_part || shared);
            lane_source own;
            own.x = (float)(a->places.x[node] - middle->x);
            own.y = (float)(a->places.y[node] - middle->y);
            own.z = (float)(a->places.z[node] - middle->z);
            own.m = (float)mass;
            const float square = square_from_box(own.x, own.y, own.z, half);
            const bool taken = weighs && square > open * further;
            const bool pulls = weighs && in_part;
            /* Of the root of what is nearer the fifth power overflows. */
            const bool whole = pulls && taken && a->moments && bodies > 1 && open > 0x1p-50f;
            /* All of a leaf's bodies are in one place, those of the group among them perhaps. */
            const bool point = pulls && !whole && (taken || (!child && open == 0));
            const bool leaf = pulls && !taken && !point && !child;
            const uint32_t wholes = ww_ballot(whole);
            const uint32_t points = ww_ballot(point);
            const uint32_t leaves = ww_ballot(leaf);
            const uint32_t openings = ww_ballot(weighs && !taken && child);
            if (wholes) {
                node_moments moments = a->moments[node];
                moments.trace *= -w->softening2;
                meet_nodes(w, &own, &moments, wholes, lane, alone);
            }
            if (points) {
                if (point) own.m = mass_of_others(a, node, first, last);
                meet_bodies(w, &own, points, lane, alone);
            }
            uint32_t met = (uint32_t)(ww_popcount(wholes) + ww_popcount(points));
            if (leaves) {
                crowd += (uint32_t)ww_popcount(ww_ballot(leaf && square <= around));
                if (!alone && crowd >= a->crowd) return false;
                met += meet_leaves(a, w, middle, leaf ? bodies : 0, of->last, first, last, lane, alone);
            }
            *sources += met;
            lately += met;
            if (lately >= 64) {
                put_away(w);
                lately = 0;
            }
            if (openings) {
                const uint32_t added = (uint32_t)ww_popcount(openings);
                const uint32_t which = (lane - top) % WW_WARP;
                const uint64_t children = child | (uint64_t)of->children << 32 | (uint64_t)shared << 63;
                const uint64_t pushed = ww_u64_of_lane(children, place_of_bit(openings, which < added ? which : 0));
                if (which < added) stack[(top + which) / WW_WARP] = pushed;
                top += added;
            }
        }
        put_away(w);
        return true;
    },
    place_of_bit, part_of_node, meet_nodes, meet_bodies, meet_leaves, mass_of_others, square_from_box, put_away);

/* Whether distances between neighbours of a group, whose places are relative to the middle of all, get lost in f32. */
WW_FUNCTION(
    loses_neighbours, bool, (const walking *a, uint32_t self, uint32_t lane, const float *half),
    {
        const double x = a->sorted.x[self];
        const double y = a->sorted.y[self];
        const double z = a->sorted.z[self];
        const double dx = x - ww_double_of_lane(x, lane - 1);
        const double dy = y - ww_double_of_lane(y, lane - 1);
        const double dz = z - ww_double_of_lane(z, lane - 1);
        const double square = dx * dx + dy * dy + dz * dz;
        float nearest = lane && square > 0 ? (float)square : 1e30f;
        for (uint32_t by = 1; by < WW_WARP; by *= 2) {
            const float other = ww_float_of_lane(nearest, lane ^ by);
            nearest = other < nearest ? other : nearest;
        }
        nearest = nearest > a->softening2 ? nearest : a->softening2;
        return half[0] * half[0] + half[1] * half[1] + half[2] * half[2] > 262144.0f * nearest; /* (1024 / 2)^2 */
    },
    walking);

/* One of a group's parts keeps its sums, for collect. */
WW_FUNCTION(
    keep_part, void, (const walking *a, const walker *w, uint32_t self, uint32_t part, uint64_t sources),
    {
        for (uint32_t k = 0; k < 4; k++) a->part_sums[((uint64_t)part * 4 + k) * a->n + self] = w->sum[k];
        a->part_sources[part * a->n + self] = sources;
    },
    walking, walker);

/* Groups that are better taken apart go to a list or, where several warps walk for one, are marked. */
WW_KERNEL_USES((meet_tree, loses_neighbours, meet_members, begin_walker, put_away, keep_part, give), walk_warps,
               walking, a, rank, {
                   const uint32_t lane = (uint32_t)(rank % WW_WARP);
                   const uint32_t number = (uint32_t)(rank / WW_WARP / a->parts);
                   const uint32_t part = (uint32_t)(rank / WW_WARP % a->parts);
                   const uint32_t first = number * a->group;
                   const uint32_t last = a->n - first < a->group ? (uint32_t)a->n : first + a->group;
                   const uint32_t self = first + lane < last ? first + lane : last - 1;
                   uint64_t sources = part ? 0 : last - first;
                   walker w;
                   place middle;
                   float half[3];
                   begin_walker(a, &w, self, lane, &middle, half);
                   const bool apart = loses_neighbours(a, self, lane, half);
                   if (apart || !meet_tree(a, &w, &middle, half, first, last, lane, part, false, &sources)) {
                       if (!lane && a->parts > 1) ww_atomic_store(a->marks + number, 1u);
                       if (!lane && a->parts == 1) a->apart[ww_append(&a->levels->apart)] = number;
                       return;
                   }
                   if (!part) meet_members(&w, (float)a->sorted.m[self], last - first, lane);
                   put_away(&w);
                   if (first + lane >= last) return;
                   if (a->parts == 1)
                       give(a, &w, self, sources);
                   else
                       keep_part(a, &w, self, part, sources);
               });

/* Adds the parts of each body of a group that is not taken apart, always in the same order. */
WW_KERNEL_USES((walker, give), collect, walking, a, rank, {
    const uint32_t number = (uint32_t)(rank / a->group);
    if (a->marks[number]) {
        if (rank % a->group == 0) a->apart[ww_append(&a->levels->apart)] = number;
        return;
    }
    walker w;
    uint64_t sources = 0;
    for (uint32_t k = 0; k < 4; k++) w.sum[k] = 0;
    for (uint32_t part = 0; part < a->parts; part++) {
        for (uint32_t k = 0; k < 4; k++) w.sum[k] += a->part_sums[((uint64_t)part * 4 + k) * a->n + rank];
        sources += a->part_sources[part * a->n + rank];
    }
    give(a, &w, (uint32_t)rank, sources);
});

/* Their bodies: a warp takes one after the other. */
WW_KERNEL_USES((meet_tree, begin_walker, add_lanes, give), walk_apart, walking, a, rank, {
    const uint32_t lane = (uint32_t)(rank % WW_WARP);
    const uint64_t bodies = (uint64_t)a->levels->apart * a->group;
    for (uint64_t at = rank / WW_WARP; at < bodies; at += a->warps) {
        const uint64_t self = (uint64_t)a->apart[at / a->group] * a->group + at % a->group;
        if (self >= a->n) continue;
        uint64_t sources = 1;
        walker w;
        place middle;
        float half[3];
        begin_walker(a, &w, (uint32_t)self, lane, &middle, half);
        meet_tree(a, &w, &middle, half, (uint32_t)self, (uint32_t)self + 1, lane, 0, true, &sources);
        add_lanes(&w, lane);
        if (!lane) give(a, &w, (uint32_t)self, sources);
    }
});

/* Few groups leave most of a GPU idle: several warps walk for each then. */
static ww_status take_parts(ww_nbody *nbody, walking *a, uint64_t groups) {
    enum { MOST = 8, COMMON = 64 };
    a->parts = 1;
    while (a->parts < MOST && groups * a->parts * 2 <= nbody->walks) a->parts *= 2;
    a->crowd = a->parts > 1 ? nbody->crowd / 2 : nbody->crowd;
    a->common = (uint32_t)(a->n / COMMON);
    if (a->parts == 1) return WW_OK;
    const uint64_t each = a->n * a->parts;
    WW_TRY(ww__bodies_room(nbody, &nbody->parts, each * 5 + (groups + 1) / 2, sizeof(uint64_t), 0));
    a->part_sums = nbody->parts.data;
    a->part_sources = (uint64_t *)nbody->parts.data + 4 * each;
    a->marks = (uint32_t *)(a->part_sources + each);
    return ww_fill(nbody->device, ww_array(a->marks, groups), ww_value(uint32_t, 0));
}

ww_status ww__bodies_walk_warps(ww_nbody *nbody, walking *a) {
    enum { MOST = 4096 }; /* warps: as many as a large GPU has at a time, about */
    const uint64_t groups = (a->n + a->group - 1) / a->group;
    WW_TRY(ww__bodies_room(nbody, &nbody->counts, groups, sizeof(uint32_t), 0));
    a->levels = nbody->progress.data;
    a->apart = nbody->counts.data;
    a->warps = a->n < MOST ? a->n : MOST;
    WW_TRY(take_parts(nbody, a, groups));
    WW_TRY(ww_launch(nbody->device, ww_with(walk_warps, a), groups * a->parts * 32));
    if (a->parts > 1) WW_TRY(ww_launch(nbody->device, ww_with(collect, a), a->n));
    return ww_launch(nbody->device, ww_with(walk_apart, a), a->warps * 32);
}
