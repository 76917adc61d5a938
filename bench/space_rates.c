/* warpwise-bench-space DEVICE ROW...: rates of the room for points, trees and bodies, with all data in the device's memory, so that
 * large sizes take seconds. Each line has the least time of some calls with one wait each; results are checked on the device.
 *
 *   copy                   ww_copy of 1 GiB: bytes read and written a second
 *   grid:LOG               a grid of 2^LOG points in a cube, f32, 3 dimensions, a cell a point, by sorting and by atomics
 *   lists:LOG[:CELL]       all pairs of 2^LOG points within the radius that gives 32 neighbours each: offsets, lists, both, counts;
 *                          cells are CELL radii long (1); and, in the grid's order, offsets and lists in one call
 *   radix:LOG              a radix tree of 8 bits a level over 2^LOG sorted u64, and as many look-ups in it, beside ww_lower_bound
 *   binary:LOG             the binary radix tree over as many codes
 *   bodies:SHAPE:N[:mono]  one computation of forces by the tree, theta 0.5, softening 0.01; plummer (the outermost thousandth left
 *                          out), far (all of it) or even. Errors are relative, those of 200 bodies against all pairs in f64
 *   pairs:N                all pairs, beside what multiply-adds and reciprocal square roots in registers allow */
#define WARPWISE_FUSED_LOOPS
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <warpwise.h>

enum { CALLS = 6, SAMPLES = 200, PARTS = 512 };

static ww_device *device;
static bool wrong;
static double copy_rate; /* bytes a second, of the first row `copy` */

static void need(ww_status status, const char *what) {
    if (!status) return;
    fprintf(stderr, "warpwise-bench-space: %s: %s\n", what, device ? ww_error(device) : ww_status_name(status));
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *room(uint64_t bytes) {
    void *block = NULL;
    need(ww_alloc(device, bytes, &block), "memory");
    return block;
}

/* The least time of some calls; the first one, which may compile, is not counted. */
static double least_of(ww_status (*call)(void *), void *of, const char *what) {
    const double begin = now();
    double least = 1e9;
    for (int k = 0; k <= CALLS; k++) {
        const double from = now();
        need(call(of), what);
        need(ww_sync(device), what);
        const double took = now() - from;
        if (k && took < least) least = took;
        if (k > 1 && now() - begin > 2) break;
    }
    return least;
}

static void check(bool right) {
    wrong = wrong || !right;
    printf("%s\n", right ? "" : " WRONG");
    fflush(stdout);
}

/* The number with this position in a sequence: SplitMix64 (Steele, Lea and Flood 2014). */
WW_FUNCTION(drawn, uint64_t, (uint64_t position), {
    uint64_t x = (position + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
});

/* ---- copying ---- */

typedef struct copying {
    uint64_t *from, *to;
} copying;
enum { COPIED = 1 << 27 }; /* words */
static ww_status run_copy(void *of) {
    const copying *c = of;
    return ww_copy(device, ww_memory((const uint64_t *)c->from, COPIED), ww_array(c->to, COPIED));
}
static void row_copy(void) {
    copying c = {room(8ull * COPIED), room(8ull * COPIED)};
    need(ww_fill(device, ww_array(c.from, COPIED), ww_value(uint64_t, 7)), "copy");
    copy_rate = 16.0 * COPIED / least_of(run_copy, &c, "copy");
    printf("copy: %.3f TB/s read and written", copy_rate * 1e-12);
    check(true);
    ww_free(device, c.from);
    ww_free(device, c.to);
}

/* ---- grids ---- */

WW_MAP_USES((drawn), coordinate, float, uint64_t, i, void, none, { return (float)(drawn(i) >> 40) / 16777216.0f; });
WW_MAP(seen_once, uint64_t, uint32_t, x, void, none, { return (uint64_t)x * x + 1; });

typedef struct pointing {
    uint64_t n;
    float *x; /* and y and z */
    ww_points points;
    ww_grid *grid;
    double radius;
    uint64_t *offsets;
    uint32_t *lists, *counts;
    uint64_t total, total_ordered;
} pointing;

static pointing points_of(uint64_t n) {
    pointing p = {.n = n, .x = room(12 * n)};
    need(ww_map(device, &coordinate_ww, ww_counting(&ww_type_uint64_t, 0, 3 * n), ww_array(p.x, 3 * n)), "points");
    const float *x = p.x;
    p.points = ww_points_3d(ww_memory(x, n), ww_memory(x + n, n), ww_memory(x + 2 * n, n));
    return p;
}
static void make_grid(pointing *p, uint32_t method, double cell) {
    ww_grid_options o = WW_GRID_OPTIONS;
    o.method = method;
    o.domain = WW_GRID_BOX;
    o.cell = cell;
    o.high[0] = o.high[1] = o.high[2] = 1;
    need(ww_grid_create(device, &p->points, &o, &p->grid), "a grid");
}
static ww_status run_rebuild(void *of) { return ww_grid_rebuild(((pointing *)of)->grid, &((pointing *)of)->points); }

/* The sum of squares of all indices says that each is there once, as far as a sum can. */
static bool whole_grid(const pointing *p) {
    ww_grid_f32 v;
    uint64_t sum = 0;
    const uint64_t n = p->n;
    const uint64_t half = (n - 1) * n / 2, want = (half % 3 ? half * ((2 * n - 1) / 3) : half / 3 * (2 * n - 1)) + n;
    need(ww_grid_view_f32(p->grid, &v), "a view");
    need(ww_reduce(device, &ww_add, ww_mapped(&seen_once_ww, ww_memory(v.index, n)), ww_array(&sum, 1)), "indices");
    return sum == want;
}

static void row_grid(unsigned log) {
    static const char *const names[] = {"", "sorting", "atomics"};
    for (uint32_t method = WW_GRID_SORTING; method <= WW_GRID_ATOMICS; method++) {
        pointing p = points_of((uint64_t)1 << log);
        make_grid(&p, method, cbrt(1 / (double)p.n));
        printf("grid of 2^%u by %s: %.3f ms", log, names[method], 1e3 * least_of(run_rebuild, &p, "a grid"));
        check(whole_grid(&p));
        ww_grid_destroy(p.grid);
        ww_free(device, p.x);
    }
}

/* ---- lists ---- */

static ww_status run_offsets(void *of) {
    pointing *p = of;
    return ww_grid_near_offsets(p->grid, NULL, p->radius, ww_array(p->offsets, p->n + 1), NULL);
}
static ww_status run_lists(void *of) {
    pointing *p = of;
    return ww_grid_near(p->grid, NULL, p->radius, ww_array(p->offsets, p->n + 1), ww_array(p->lists, p->total), NULL);
}
static ww_status run_both(void *of) {
    const ww_status status = run_offsets(of);
    return status ? status : run_lists(of);
}
static ww_status run_ordered(void *of) {
    pointing *p = of;
    return ww_grid_lists(p->grid, p->radius, ww_none, ww_array(p->offsets, p->n + 1), ww_array(p->lists, p->total),
                         &p->total_ordered);
}
static ww_status run_counts(void *of) {
    pointing *p = of;
    return ww_grid_near_counts(p->grid, NULL, p->radius, ww_array(p->counts, p->n));
}

/* Every index of every list is near, and no point its own; with the lengths, which are counted apart, that is all. */
WW_STRUCT(looking, {
    const uint32_t *whose; /* NULL: list i is of point i */
    const float *x;
    const uint64_t *offsets;
    const uint32_t *lists;
    uint64_t n;
    float squared;
});
WW_MAP(far_ones, uint64_t, uint64_t, list, looking, a, {
    const uint64_t i = a->whose ? a->whose[list] : list;
    uint64_t far = 0;
    for (uint64_t e = a->offsets[list]; e < a->offsets[list + 1]; e++) {
        const uint32_t j = a->lists[e];
        const float dx = a->x[j] - a->x[i];
        const float dy = a->x[a->n + j] - a->x[a->n + i];
        const float dz = a->x[2 * a->n + j] - a->x[2 * a->n + i];
        far += j == i || !(dx * dx + dy * dy + dz * dz <= a->squared * 1.00001f) ||
               (e > a->offsets[list] && j == a->lists[e - 1]);
    }
    return far;
});
WW_MAP(wide, uint64_t, uint32_t, x, void, none, { return x; });

static uint64_t far_of(const looking *a) {
    uint64_t far = 1;
    need(ww_reduce(device, &ww_add, ww_mapped(ww_with(far_ones, a), ww_counting(&ww_type_uint64_t, 0, a->n)),
                   ww_array(&far, 1)),
         "lists");
    return far;
}

static void row_lists(unsigned log, double cell) {
    pointing p = points_of((uint64_t)1 << log);
    const uint64_t n = p.n;
    uint64_t counted = 0;
    p.radius = cbrt(32 * 3 / (4 * 3.14159265358979 * (double)n));
    make_grid(&p, WW_GRID_SORTING, cell * p.radius);
    p.offsets = room(8 * (n + 1));
    p.counts = room(4 * n);
    need(ww_grid_near_offsets(p.grid, NULL, p.radius, ww_array(p.offsets, n + 1), &p.total), "offsets");
    p.lists = room(4 * p.total);
    const double counts = least_of(run_counts, &p, "counts"), offsets = least_of(run_offsets, &p, "offsets"),
                 lists = least_of(run_lists, &p, "lists"), both = least_of(run_both, &p, "both");
    const double bytes = 4.0 * (double)p.total, of = copy_rate > 0 ? copy_rate : 1;
    const looking a = {NULL, p.x, p.offsets, p.lists, n, (float)p.radius * (float)p.radius};
    need(ww_reduce(device, &ww_add, ww_mapped(&wide_ww, ww_memory((const uint32_t *)p.counts, n)),
                   ww_array(&counted, 1)),
         "counts");
    const uint64_t wrong_ones = far_of(&a);
    printf(
        "lists of 2^%u, cells of %g: lists %.3f ms = %.0f GB/s = %.3f of copy; offsets %.3f ms; both %.3f ms = %.3f of copy; "
        "counts %.3f ms; %.2f each",
        log, cell, lists * 1e3, bytes / lists * 1e-9, bytes / lists / of, offsets * 1e3, both * 1e3, bytes / both / of,
        counts * 1e3, (double)p.total / (double)n);
    check(counted == p.total && !wrong_ones);
    ww_grid_f32 view;
    const double ordered = least_of(run_ordered, &p, "lists in the grid's order");
    need(ww_grid_view_f32(p.grid, &view), "a view");
    const looking ordered_a = {view.index, p.x, p.offsets, p.lists, n, a.squared};
    printf("lists of 2^%u, cells of %g: in the grid's order, with offsets %.3f ms = %.0f GB/s = %.3f of copy", log, cell,
           ordered * 1e3, bytes / ordered * 1e-9, bytes / ordered / of);
    check(p.total_ordered == p.total && !far_of(&ordered_a));
    ww_grid_destroy(p.grid);
    ww_free(device, p.x);
    ww_free(device, p.offsets);
    ww_free(device, p.lists);
    ww_free(device, p.counts);
}

/* ---- trees ---- */

typedef struct planting {
    uint64_t n, *keys, *queries, *out;
    ww_radix_tree *tree;
    ww_volumes *volumes;
} planting;
static ww_input keys_of(const planting *t) { return ww_memory((const uint64_t *)t->keys, t->n); }
static ww_input queries_of(const planting *t) { return ww_memory((const uint64_t *)t->queries, t->n); }
static ww_status run_radix(void *of) {
    const planting *t = of;
    return ww_radix_tree_build(t->tree, keys_of(t), ww_no_input);
}
static ww_status run_find(void *of) {
    const planting *t = of;
    return ww_radix_tree_find(t->tree, queries_of(t), ww_array(t->out, t->n));
}
static ww_status run_bound(void *of) {
    const planting *t = of;
    return ww_lower_bound(device, NULL, keys_of(t), queries_of(t), ww_array(t->out, t->n));
}
static ww_status run_binary(void *of) {
    const planting *t = of;
    return ww_volumes_build_codes(t->volumes, keys_of(t));
}

WW_MAP_USES((drawn), any_key, uint64_t, uint64_t, i, void, none, { return drawn(i) >> 1; });
WW_STRUCT(picking, {
    const uint64_t *keys;
    uint64_t n;
});
WW_MAP_USES((drawn), picked, uint64_t, uint64_t, i, picking, a, { return a->keys[drawn(i + 77777) % a->n]; });
WW_STRUCT(finding, {
    const uint64_t *keys;
    const uint64_t *queries;
    const uint64_t *out;
    uint64_t n;
});
WW_MAP(lost, uint64_t, uint64_t, i, finding, a, { return a->out[i] >= a->n || a->keys[a->out[i]] != a->queries[i]; });

static planting plant(uint64_t n) {
    planting t = {.n = n, .keys = room(8 * n), .queries = room(8 * n), .out = room(8 * n)};
    const picking a = {t.keys, n};
    need(ww_map(device, &any_key_ww, ww_counting(&ww_type_uint64_t, 0, n), ww_array(t.queries, n)), "keys");
    need(ww_sort(device, queries_of(&t), ww_no_input, ww_array(t.keys, n), ww_none, NULL), "keys");
    need(ww_map(device, ww_with(picked, &a), ww_counting(&ww_type_uint64_t, 0, n), ww_array(t.queries, n)), "queries");
    return t;
}
static void uproot(planting *t) {
    ww_radix_tree_destroy(t->tree);
    ww_volumes_destroy(t->volumes);
    ww_free(device, t->keys);
    ww_free(device, t->queries);
    ww_free(device, t->out);
}
static bool all_found(const planting *t) {
    const finding a = {t->keys, t->queries, t->out, t->n};
    uint64_t not_found = 1;
    need(ww_reduce(device, &ww_add, ww_mapped(ww_with(lost, &a), ww_counting(&ww_type_uint64_t, 0, t->n)),
                   ww_array(&not_found, 1)),
         "look-ups");
    return !not_found;
}

static void row_radix(unsigned log) {
    planting t = plant((uint64_t)1 << log);
    need(ww_radix_tree_create(device, NULL, &t.tree), "a tree");
    const double build = least_of(run_radix, &t, "a tree"), bound = least_of(run_bound, &t, "lower bound"),
                 find = least_of(run_find, &t, "look-ups");
    printf("radix tree over 2^%u sorted u64: %.3f ms; 2^%u random look-ups %.2f G/s, lower bound %.2f G/s", log,
           build * 1e3, log, (double)t.n / find * 1e-9, (double)t.n / bound * 1e-9);
    check(all_found(&t));
    uproot(&t);
}

/* Every node but the root is some node's child, and says whose. */
WW_STRUCT(parenthood, {
    const uint32_t *children;
    const uint32_t *parents;
    uint64_t n;
});
WW_MAP(orphans, uint64_t, uint64_t, i, parenthood, a, {
    const uint32_t c = a->children[i];
    const uint64_t child = c & 0x80000000u ? c & 0x7fffffffu : a->n + c - 1;
    return child >= 2 * (a->n - 1) || a->parents[child] != i / 2;
});
static void row_binary(unsigned log) {
    planting t = plant((uint64_t)1 << log);
    ww_volumes_view v;
    uint64_t strange = 1;
    need(ww_volumes_create(device, &t.volumes), "volumes");
    const double build = least_of(run_binary, &t, "a binary tree");
    need(ww_volumes_view_get(t.volumes, &v), "a view");
    const parenthood a = {v.children, v.parents, t.n};
    need(ww_reduce(device, &ww_add, ww_mapped(ww_with(orphans, &a), ww_counting(&ww_type_uint64_t, 0, 2 * (t.n - 1))),
                   ww_array(&strange, 1)),
         "a binary tree");
    printf("binary radix tree over 2^%u codes: %.3f ms", log, build * 1e3);
    check(!strange);
    uproot(&t);
}

/* ---- bodies ---- */

enum { MASS, X, Y, Z, COLUMNS };
typedef struct moving {
    uint64_t n;
    double *column[COLUMNS]; /* the device's */
    double *out[4];
    ww_nbody *nbody;
} moving;

static double uniform(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

/* As the bench's bodies: the first n of one sequence, so that other sizes have the same ones. */
static void draw_body(const char *shape, uint64_t *state, double at[3]) {
    if (!strcmp(shape, "even")) {
        for (int k = 0; k < 3; k++) at[k] = uniform(state);
        return;
    }
    const double inside = (strcmp(shape, "far") ? 0.999 : 1) * uniform(state) + 1e-12;
    const double r = 1 / sqrt(pow(inside < 1 ? inside : 0.5, -2.0 / 3) - 1), z = 2 * uniform(state) - 1;
    const double angle = 6.283185307179586 * uniform(state), flat = sqrt(1 - z * z);
    at[0] = r * flat * cos(angle);
    at[1] = r * flat * sin(angle);
    at[2] = r * z;
}

/* Drawn once for a shape, for as many as any row before wanted. */
static const double *drawn_bodies(const char *shape, uint64_t n) {
    static char of[16];
    static double *places;
    static uint64_t there, state;
    if (strcmp(of, shape)) {
        snprintf(of, sizeof of, "%s", shape);
        there = 0;
        state = 60;
    }
    if (n > there) {
        places = realloc(places, n * 3 * sizeof *places);
        if (!places) need(WW_MEMORY, "bodies");
        for (; there < n; there++) draw_body(shape, &state, places + 3 * there);
    }
    return places;
}

static moving bodies_of(const char *shape, uint64_t n) {
    moving b = {.n = n};
    const double *places = drawn_bodies(shape, n);
    double *host = malloc(n * sizeof *host);
    if (!host) need(WW_MEMORY, "bodies");
    for (int k = 0; k < COLUMNS; k++) {
        b.column[k] = room(8 * n);
        b.out[k] = room(8 * n);
        for (uint64_t i = 0; i < n; i++) host[i] = k == MASS ? 1 / (double)n : places[3 * i + (uint64_t)k - 1];
        need(ww_copy(device, ww_memory((const double *)host, n), ww_array(b.column[k], n)), "bodies");
        need(ww_sync(device), "bodies");
    }
    free(host);
    return b;
}

static void begin_bodies(moving *b, uint32_t method, bool quadrupoles) {
    ww_nbody_options o = WW_NBODY_OPTIONS;
    const ww_input rest = ww_constant(ww_value(double, 0), b->n);
    o.method = method;
    o.quadrupoles = quadrupoles;
    need(ww_nbody_create(device, b->n, &o, &b->nbody), "bodies");
    need(ww_nbody_set(b->nbody, ww_memory((const double *)b->column[MASS], b->n),
                      ww_memory((const double *)b->column[X], b->n), ww_memory((const double *)b->column[Y], b->n),
                      ww_memory((const double *)b->column[Z], b->n), rest, rest, rest),
         "bodies");
}

/* Nothing moves, and forces are computed once. */
static ww_status run_step(void *of) { return ww_nbody_step(((moving *)of)->nbody, 0, 1); }

/* What a part of all bodies does to a sample, in f64. */
WW_STRUCT(exactly, {
    const double *m;
    const double *x;
    const double *y;
    const double *z;
    double *sums;
    uint64_t n;
});
WW_KERNEL(pull_exactly, exactly, a, rank, {
    const uint64_t i = rank / 512 * (a->n / 200);
    double sx = 0;
    double sy = 0;
    double sz = 0;
    for (uint64_t j = rank % 512; j < a->n; j += 512) {
        const double x = a->x[j] - a->x[i];
        const double y = a->y[j] - a->y[i];
        const double z = a->z[j] - a->z[i];
        const double square = 1e-4 + x * x + y * y + z * z;
        const double pull = a->m[j] / (square * sqrt(square));
        sx += pull * x;
        sy += pull * y;
        sz += pull * z;
    }
    a->sums[3 * rank] = sx;
    a->sums[3 * rank + 1] = sy;
    a->sums[3 * rank + 2] = sz;
});

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Relative errors of the sample, ascending. */
static void find_errors(const moving *b, double *errors) {
    enum { RANKS = SAMPLES * PARTS };
    static double sums[3 * RANKS];
    const exactly a = {b->column[MASS], b->column[X], b->column[Y], b->column[Z], room(sizeof sums), b->n};
    need(ww_launch(device, ww_with(pull_exactly, &a), RANKS), "all pairs");
    need(ww_copy(device, ww_memory((const double *)a.sums, 3 * RANKS), ww_array(sums, 3 * RANKS)), "all pairs");
    for (uint64_t s = 0; s < SAMPLES; s++) {
        double got[3], off = 0, size = 0;
        for (int k = 0; k < 3; k++)
            need(ww_copy(device, ww_memory((const double *)b->out[k] + s * (b->n / SAMPLES), 1), ww_array(got + k, 1)),
                 "forces");
        need(ww_sync(device), "forces");
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (uint64_t p = 0; p < PARTS; p++) sum += sums[3 * (s * PARTS + p) + (uint64_t)k];
            off += (got[k] - sum) * (got[k] - sum);
            size += sum * sum;
        }
        errors[s] = sqrt(off / size);
    }
    qsort(errors, SAMPLES, sizeof *errors, by_size);
    ww_free(device, a.sums);
}

/* All bits of the forces in one number. */
WW_MAP(mixed, uint64_t, uint64_t, x, void, none, { return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u; });

static uint64_t end_bodies(moving *b, double *errors) {
    uint64_t bits = 0, each = 0;
    need(ww_nbody_forces(b->nbody, ww_array(b->out[0], b->n), ww_array(b->out[1], b->n), ww_array(b->out[2], b->n),
                         ww_array(b->out[3], b->n)),
         "forces");
    for (int k = 0; k < 4; k++) {
        need(ww_reduce(device, &ww_add, ww_mapped(&mixed_ww, ww_memory((const uint64_t *)(void *)b->out[k], b->n)),
                       ww_array(&each, 1)),
             "bits");
        need(ww_sync(device), "bits");
        bits = bits * 31 + each;
    }
    find_errors(b, errors);
    ww_nbody_destroy(b->nbody);
    for (int k = 0; k < COLUMNS; k++) {
        ww_free(device, b->column[k]);
        ww_free(device, b->out[k]);
    }
    return bits;
}

static void row_bodies(const char *shape, uint64_t n, bool quadrupoles) {
    moving b = bodies_of(shape, n);
    ww_nbody_totals t = WW_NBODY_TOTALS;
    double errors[SAMPLES];
    begin_bodies(&b, WW_NBODY_TREE, quadrupoles);
    const double step = least_of(run_step, &b, "a step");
    need(ww_nbody_totals_get(b.nbody, &t), "totals");
    const uint64_t bits = end_bodies(&b, errors);
    printf(
        "bodies n=%llu %s%s: %.3f ms a step, %.1f interactions a body, %.3g/s, nodes %llu, errors %.2g, of 99 in 100 %.2g, bits "
        "%016llx",
        (unsigned long long)n, shape, quadrupoles ? "" : " monopoles", step * 1e3, (double)t.interactions / (double)n,
        (double)t.interactions / step, (unsigned long long)t.nodes, errors[SAMPLES / 2],
        errors[SAMPLES - 1 - SAMPLES / 100], (unsigned long long)bits);
    /* Where bodies are evenly spread the pulls on those in the middle cancel, and errors are relative to what is left. */
    check(errors[SAMPLES - 1 - SAMPLES / 100] <= (quadrupoles ? 1e-3 : 1e-2) * (strcmp(shape, "even") ? 1 : 2));
}

/* A pair's operations: 13 multiply-adds and a root of the device's, eight chains side by side. */
WW_STRUCT(chains, {
    float factor;
    float term;
    float *to;
});
WW_KERNEL(chain_rooted, chains, a, rank, {
    float x[8];
    float sum = 0;
    for (uint32_t k = 0; k < 8; k++) x[k] = a->factor + a->term;
    for (uint32_t turn = 0; turn < 512; turn++)
        for (uint32_t k = 0; k < 8; k++) {
            for (uint32_t i = 0; i < 13; i++) x[k] = fmaf(x[k], a->factor, a->term);
            x[k] = ww_rsqrt(x[k]);
        }
    for (uint32_t k = 0; k < 8; k++) sum += x[k];
    a->to[rank] = sum / 8;
});
static uint64_t chained; /* ranks: a GPU's want many */
static ww_status run_chains(void *of) {
    const chains a = {0.5f, 0.5f, of};
    return ww_launch(device, ww_with(chain_rooted, &a), chained);
}

static void row_pairs(uint64_t n) {
    moving b = bodies_of("plummer", n);
    double errors[SAMPLES];
    float *to = room(4 * chained);
    begin_bodies(&b, WW_NBODY_EXACT, false);
    const double step = least_of(run_step, &b, "a step"),
                 peak = (double)chained * 4096 / least_of(run_chains, to, "the peak");
    (void)end_bodies(&b, errors);
    const double rate = (double)n * (double)n / step;
    printf("all pairs n=%llu: %.3f ms, %.3g pairs/s, %.3f of the peak %.3g; errors of 99 in 100 %.2g",
           (unsigned long long)n, step * 1e3, rate, rate / peak, peak, errors[SAMPLES - 1 - SAMPLES / 100]);
    check(errors[SAMPLES - 1 - SAMPLES / 100] <= 1e-5);
    ww_free(device, to);
}

/* ---- rows ---- */

static bool row(const char *text) {
    unsigned log = 0;
    unsigned long long n = 0;
    double cell = 1;
    char shape[16], more[8] = "";
    if (!strcmp(text, "copy"))
        row_copy();
    else if (sscanf(text, "grid:%u", &log) == 1)
        row_grid(log);
    else if (sscanf(text, "lists:%u:%lf", &log, &cell) >= 1)
        row_lists(log, cell);
    else if (sscanf(text, "radix:%u", &log) == 1)
        row_radix(log);
    else if (sscanf(text, "binary:%u", &log) == 1)
        row_binary(log);
    else if (sscanf(text, "pairs:%llu", &n) == 1 && n >= SAMPLES)
        row_pairs(n);
    else if (sscanf(text, "bodies:%15[a-z]:%llu:%7s", shape, &n, more) >= 2 && n >= SAMPLES)
        row_bodies(shape, n, !more[0]);
    else
        return false;
    return true;
}

int main(int many, char **words) {
    ww_device_info info = WW_DEVICE_INFO;
    if (many < 3) {
        fputs("Usage: warpwise-bench-space DEVICE ROW...\n", stderr);
        return 2;
    }
    need(ww_open(words[1], &device), "opening the device");
    need(ww_device_info_get(device, &info), "the device");
    chained = strcmp(info.backend, "cuda") ? 1 << 8 : 1 << 22;
    printf("%s\n", info.description);
    for (int k = 2; k < many; k++)
        if (!row(words[k])) {
            fprintf(stderr, "warpwise-bench-space: %s is not a row\n", words[k]);
            return 2;
        }
    ww_close(device);
    return wrong;
}
