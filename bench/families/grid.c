/* Uniform grids of points in a cube, evenly spread, f32 in 3 dimensions: built with 1 cell a point; lists of all pairs within
 * the radius that gives 32 neighbours each; the 8 nearest; a step of colliding particles. Bytes counted: of a grid the
 * coordinates read, and they and the indices written in its order; of lists the indices written; of a step the positions and
 * velocities read and written. */
#include <math.h>
#include <stdlib.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

enum { NEAR = 32, ROOM = 34, NEAREST = 8, SAMPLES = 12 };
typedef enum kind { BY_SORTING, BY_ATOMICS, HASHED } kind;

/* x, y and z, one after the other. */
static void make_points(bench_work *w, size_t bytes_out) {
    float *x = work_pages(w, w->n * 12);
    uint32_t *bits = work_pages(w, w->n * 12);
    data_u32(bits, 3 * w->n, 71);
    for (size_t i = 0; i < 3 * w->n; i++) x[i] = (float)(bits[i] >> 8) / 16777216.0f;
    w->in = x;
    w->out = work_pages(w, w->out_bytes = bytes_out);
}
static void make_build(bench_work *w) { make_points(w, w->n * 4); }
static void make_lists(bench_work *w) {
    make_points(w, w->n * ROOM * 4);
    w->out_second = work_pages(w, w->out_second_bytes = (w->n + 1) * 8);
}
static void make_nearest(bench_work *w) { make_points(w, w->n * NEAREST * 4); }

/* Of the row that is measured. */
static ww_grid *grid;
static ww_device *device;
static void *offsets; /* of the lists, or the particles */

static void end(void) {
    ww_grid_destroy(grid);
    if (offsets) ww_free(device, offsets);
    grid = NULL;
    offsets = NULL;
}

static ww_points points_of(const bench_work *w) {
    const float *x = w->in;
    return ww_points_3d(ww_memory(x, w->n), ww_memory(x + w->n, w->n), ww_memory(x + 2 * w->n, w->n));
}

static ww_status begin(bench_work *w, kind how, double cell) {
    const ww_points points = points_of(w);
    ww_grid_options options = WW_GRID_OPTIONS;
    options.method = how == BY_ATOMICS ? WW_GRID_ATOMICS : WW_GRID_SORTING;
    options.domain = how == HASHED ? WW_GRID_UNBOUNDED : WW_GRID_BOX;
    options.cell = cell;
    for (size_t d = 0; d < 3; d++) options.high[d] = 1;
    device = w->device;
    return ww_grid_create(w->device, &points, &options, &grid);
}

static double spacing(const bench_work *w) { return cbrt(1 / (double)w->n); }
static double radius_of(const bench_work *w) { return cbrt(NEAR * 3 / (4 * 3.14159265358979 * (double)w->n)); }

static float apart(const bench_work *w, size_t i, size_t j) {
    const float *x = w->in, *y = x + w->n, *z = y + w->n;
    const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    return dx * dx + dy * dy + dz * dz;
}

/* ---- building ---- */

static ww_status run_build(bench_work *w) {
    const ww_points points = points_of(w);
    return grid ? ww_grid_rebuild(grid, &points) : begin(w, (kind)w->parameter, spacing(w));
}

/* Every index once, and points in the order of their cells where these are numbered. */
static bool right_build(const bench_work *w) {
    ww_grid_f32 view;
    uint32_t *index = w->out;
    uint8_t *seen = calloc(w->n, 1);
    bool right = seen && !ww_grid_view_f32(grid, &view) && view.count == w->n &&
                 !ww_copy(w->device, ww_memory(view.index, w->n), ww_array(index, w->n)) && !ww_sync(w->device);
    const float *x = w->in;
    for (size_t i = 0; right && i < w->n; i++) {
        right = index[i] < w->n && !seen[index[i]];
        if (right) seen[index[i]] = 1;
        if (right && i && !view.mask) {
            const float z = x[2 * w->n + index[i]], before = x[2 * w->n + index[i - 1]];
            right = (int)(z * view.inverse) >= (int)(before * view.inverse);
        }
    }
    free(seen);
    return right;
}

/* ---- lists ---- */

static ww_status prepare_lists(bench_work *w) {
    uint64_t total = 0;
    ww_status status = begin(w, (kind)w->parameter, radius_of(w));
    if (!status) status = ww_alloc(w->device, (w->n + 1) * 8, &offsets);
    if (!status)
        status = ww_grid_near_offsets(grid, NULL, radius_of(w), ww_array((uint64_t *)offsets, w->n + 1), &total);
    return !status && total > w->n * ROOM ? WW_LIMIT : status;
}

static ww_status run_lists(bench_work *w) {
    const ww_status status = grid ? WW_OK : prepare_lists(w);
    if (status) return status;
    return ww_grid_near(grid, NULL, radius_of(w), ww_array((uint64_t *)offsets, w->n + 1),
                        ww_array((uint32_t *)w->out, w->n * ROOM), NULL);
}

/* What is kept on a GPU when offsets are made is made anew. */
static ww_status run_lists_and_offsets(bench_work *w) {
    ww_status status = grid ? WW_OK : prepare_lists(w);
    if (!status)
        status = ww_grid_near_offsets(grid, NULL, radius_of(w), ww_array((uint64_t *)offsets, w->n + 1), NULL);
    return status ? status : run_lists(w);
}

static ww_status run_counts(bench_work *w) {
    const ww_status status = grid ? WW_OK : begin(w, (kind)w->parameter, radius_of(w));
    return status ? status : ww_grid_near_counts(grid, NULL, radius_of(w), ww_array((uint32_t *)w->out, w->n));
}

static size_t near_by_all(const bench_work *w, size_t i) {
    const float radius = (float)radius_of(w);
    size_t found = 0;
    for (size_t j = 0; j < w->n; j++) found += j != i && apart(w, i, j) <= radius * radius;
    return found;
}

static bool right_lists(const bench_work *w) {
    const float radius = (float)radius_of(w);
    const uint32_t *list = w->out;
    uint64_t *at = w->out_second;
    if (ww_copy(w->device, ww_memory((const uint64_t *)offsets, w->n + 1), ww_array(at, w->n + 1)) ||
        ww_sync(w->device))
        return false;
    for (size_t k = 0; k < SAMPLES; k++) {
        const size_t i = k * (w->n - 1) / SAMPLES;
        if (at[i + 1] - at[i] != near_by_all(w, i)) return false;
        for (uint64_t e = at[i]; e < at[i + 1]; e++)
            if (list[e] >= w->n || list[e] == i || !(apart(w, i, list[e]) <= radius * radius)) return false;
    }
    return true;
}

static bool right_counts(const bench_work *w) {
    const uint32_t *counts = w->out;
    for (size_t k = 0; k < SAMPLES; k++)
        if (counts[k * (w->n - 1) / SAMPLES] != near_by_all(w, k * (w->n - 1) / SAMPLES)) return false;
    return true;
}

/* ---- nearest ---- */

static ww_status run_nearest(bench_work *w) {
    const ww_status status = grid ? WW_OK : begin(w, BY_SORTING, spacing(w));
    return status ? status
                  : ww_grid_nearest(grid, NULL, NEAREST, ww_array((uint32_t *)w->out, w->n * NEAREST), ww_none);
}

/* The last of the list has as many nearer ones as it should. */
static bool right_nearest(const bench_work *w) {
    const uint32_t *list = w->out;
    for (size_t k = 0; k < SAMPLES && w->n > NEAREST; k++) {
        const size_t i = k * (w->n - 1) / SAMPLES;
        const uint32_t last = list[i * NEAREST + NEAREST - 1];
        size_t nearer = 0;
        if (last >= w->n || last == i) return false;
        for (size_t j = 0; j < w->n; j++) nearer += j != i && apart(w, i, j) < apart(w, i, last);
        if (nearer >= NEAREST) return false;
    }
    return true;
}

/* ---- particles ---- */

static ww_status prepare_particles(bench_work *w) {
    ww_status status = begin(w, BY_SORTING, spacing(w));
    if (!status) status = ww_alloc(w->device, w->n * 24, &offsets);
    if (status) return status;
    float *x = offsets;
    status = ww_copy(w->device, ww_memory((const float *)w->in, 3 * w->n), ww_array(x, 3 * w->n));
    return status ? status : ww_fill(w->device, ww_array(x + 3 * w->n, 3 * w->n), ww_value(float, 0));
}

static ww_status run_particles(bench_work *w) {
    const size_t n = w->n;
    ww_collide_options step = WW_COLLIDE_OPTIONS;
    const ww_status status = grid ? WW_OK : prepare_particles(w);
    if (status) return status;
    float *x = offsets;
    const ww_particles balls = {ww_array(x, n),         ww_array(x + n, n),     ww_array(x + 2 * n, n),
                                ww_array(x + 3 * n, n), ww_array(x + 4 * n, n), ww_array(x + 5 * n, n)};
    step.radius = spacing(w) / 2;
    step.time_step = 1e-3;
    step.walls = 1;
    for (size_t d = 0; d < 3; d++) step.high[d] = 1;
    return ww_grid_collide(grid, &balls, &step);
}

/* All between the walls, and what all speeds sum to stays near 0, as every push has its opposite; but walls take some. */
static bool right_particles(const bench_work *w) {
    float *x = w->out;
    bool right = !ww_copy(w->device, ww_memory((const float *)offsets, w->n), ww_array(x, w->n)) && !ww_sync(w->device);
    for (size_t i = 0; right && i < w->n; i++) right = x[i] >= 0 && x[i] <= 1;
    return right;
}

/* clang-format off */
#define BUILD(title, how) \
    {.name = "build, " title, .call = "ww_grid_rebuild", .make = make_build, .run = run_build, .right = right_build, \
     .end = end, .bytes = 28, .element = 4, .usual = 1 << 24, .parameter = how}
#define LISTS(title, calls, runs, how) \
    {.name = "lists, " title, .call = calls ", about 32 neighbours each", .make = make_lists, .run = runs, \
     .right = right_lists, .end = end, .bytes = 4 * NEAR, .element = 4, .usual = 1 << 22, .parameter = how}
static const bench_row rows[] = {
    BUILD("by sorting", BY_SORTING), BUILD("by atomics", BY_ATOMICS), BUILD("hashed", HASHED),
    LISTS("in a box", "ww_grid_near", run_lists, BY_SORTING),
    LISTS("with offsets", "ww_grid_near_offsets and ww_grid_near", run_lists_and_offsets, BY_SORTING),
    LISTS("hashed", "ww_grid_near", run_lists, HASHED),
    {.name = "counts, in a box", .call = "ww_grid_near_counts, about 32 each", .make = make_build, .run = run_counts,
     .right = right_counts, .end = end, .bytes = 16, .element = 4, .usual = 1 << 22},
    {.name = "nearest 8", .call = "ww_grid_nearest", .make = make_nearest, .run = run_nearest, .right = right_nearest,
     .end = end, .bytes = 4 * NEAREST + 12, .element = 4, .usual = 1 << 22},
    {.name = "colliding particles", .call = "ww_grid_collide", .make = make_build, .run = run_particles,
     .right = right_particles, .end = end, .bytes = 48, .element = 4, .usual = 1 << 22},
};
/* clang-format on */

const bench_family family_grid = {.name = "grid", .title = "Grids of points", .rows = rows, .count = BENCH_COUNT(rows)};
