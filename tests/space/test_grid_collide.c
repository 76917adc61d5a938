/* Colliding particles against a serial step, grids that run out of memory, and what grids refuse. */
#include <math.h>
#include <stdio.h>

#include "reference/grid.h"
#include "support/cases.h"

/* ---- collisions ---- */

enum { N = 300, STEPS = 3 };

static const reference_forces forces = {.radius = 0.06,
                                        .time_step = 0.02,
                                        .spring = 0.6,
                                        .damping = 0.03,
                                        .shear = 0.1,
                                        .attraction = 0.01,
                                        .gravity = {0, -0.5, 0.1},
                                        .drag = 0.01,
                                        .low = {-1, -1, -1},
                                        .high = {1, 1, 1},
                                        .bounce = 0.4,
                                        .walls = true};

static ww_collide_options options_of(const reference_forces *f) {
    ww_collide_options o = WW_COLLIDE_OPTIONS;
    o.radius = f->radius;
    o.time_step = f->time_step;
    o.spring = f->spring;
    o.damping = f->damping;
    o.shear = f->shear;
    o.attraction = f->attraction;
    o.drag = f->drag;
    o.bounce = f->bounce;
    o.walls = f->walls;
    for (size_t d = 0; d < 3; d++) {
        o.gravity[d] = f->gravity[d];
        o.low[d] = f->low[d];
        o.high[d] = f->high[d];
    }
    return o;
}

/* Six arrays, and the same again for the oracle. */
typedef struct particles {
    void *at[6], *wanted[6];
    size_t n, size;
    bool wide;
} particles;

static void put(const particles *p, size_t c, size_t i, double x) {
    if (p->wide)
        ((double *)p->at[c])[i] = x;
    else
        ((float *)p->at[c])[i] = (float)x;
}

/* Crowded, some in one place, some beside the walls, one that is not finite. */
static particles particles_new(size_t n, bool wide, uint32_t dimensions, uint64_t seed) {
    particles p = {.n = n, .size = wide ? 8 : 4, .wide = wide};
    for (size_t c = 0; c < 6; c++) {
        if (dimensions == 2 && c % 3 == 2) continue;
        p.at[c] = need(n * 8 + 8);
        p.wanted[c] = malloc(n * 8 + 8);
        expect(p.wanted[c] != NULL);
        for (size_t i = 0; i < n; i++) {
            const double x = (double)(random_next(&seed) >> 11) / 9007199254740992.0;
            const double place = i % 10 == 3 ? 0.25 : i % 11 == 4 ? 2.1 * x - 1.05 : x * 0.6 - 0.3;
            put(&p, c, i, c < 3 ? place : x - 0.5);
        }
        if (n > 7) put(&p, c, 7, c == 1 ? (double)NAN : 0);
        memcpy(p.wanted[c], p.at[c], n * p.size);
    }
    return p;
}

static void particles_free(const particles *p) {
    for (size_t c = 0; c < 6; c++) {
        free(p->at[c]);
        free(p->wanted[c]);
    }
}

static ww_array array_of(const particles *p, size_t c) {
    return p->at[c] ? ww_array_of(p->at[c], p->n, p->wide ? &ww_type_double : &ww_type_float) : ww_none;
}

static ww_particles as_particles(const particles *p) {
    return (ww_particles){array_of(p, 0), array_of(p, 1), array_of(p, 2),
                          array_of(p, 3), array_of(p, 4), array_of(p, 5)};
}

static ww_points as_points(const particles *p) {
    return ww_points_3d(ww_from(array_of(p, 0)), ww_from(array_of(p, 1)),
                        p->at[2] ? ww_from(array_of(p, 2)) : ww_no_input);
}

/* The sums of forces are in another order than the oracle's. */
static void expect_particles(const particles *p) {
    const double most = p->wide ? 1e-11 : 2e-4;
    for (size_t c = 0; c < 6; c++)
        for (size_t i = 0; p->at[c] && i < p->n; i++) {
            const double got = p->wide ? ((double *)p->at[c])[i] : (double)((float *)p->at[c])[i];
            const double wanted = p->wide ? ((double *)p->wanted[c])[i] : (double)((float *)p->wanted[c])[i];
            expect(isnan(wanted) ? isnan(got) : fabs(got - wanted) <= most * (1 + fabs(wanted)));
        }
}

static void collisions(void **state) {
    (void)state;
    size_t number = 0;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t kind = 0; kind < 8; kind++, number++) {
            const bool wide = kind & 1;
            const uint32_t dimensions = 2 + (kind >> 1 & 1), domain = kind >> 2 ? WW_GRID_UNBOUNDED : WW_GRID_FITTING;
            const size_t n = kind == 5 ? 1 : on_emulator() ? N / 3 : N;
            CASE("collide", "%s f%d %u-d domain=%u", setting_name(s), wide ? 64 : 32, dimensions, domain);
            if (!case_wanted()) continue;
            const particles p = particles_new(n, wide, dimensions, seed_of_run() + kind);
            const ww_particles arrays = as_particles(&p);
            const ww_points points = as_points(&p);
            reference_forces f = forces;
            ww_grid_options o = WW_GRID_OPTIONS;
            ww_grid *grid;
            o.cell = kind % 3 ? 0.12 : 0.05;
            o.domain = domain;
            o.method = 1 + number % 2;
            f.walls = kind != 6;
            const ww_collide_options step = options_of(&f);
            expect_status(device, ww_grid_create(device, &points, &o, &grid), WW_OK);
            for (size_t k = 0; k < (wide ? STEPS : 1); k++) {
                expect_status(device, ww_grid_collide(grid, &arrays, &step), WW_OK);
                reference_collide(p.wanted, n, wide, &f);
            }
            expect_status(device, ww_sync(device), WW_OK);
            expect_particles(&p);
            ww_grid_destroy(grid);
            particles_free(&p);
        }
        ww_close(device);
    }
}

/* Arrays that a GPU does not reach, and particles of which there are none; two that touch push each other apart alike. */
static void few_particles(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    float x[] = {0, 0.1f}, y[] = {0, 0}, vx[] = {0, 0}, vy[] = {0, 0};
    ww_particles two = {ww_array(x, 2), ww_array(y, 2), ww_none, ww_array(vx, 2), ww_array(vy, 2), ww_none};
    ww_particles none = {ww_array(x, 0), ww_array(y, 0), ww_none, ww_array(vx, 0), ww_array(vy, 0), ww_none};
    const ww_points points = ww_points_2d(ww_memory(x, 2), ww_memory(y, 2));
    ww_collide_options step = WW_COLLIDE_OPTIONS;
    ww_grid_options o = WW_GRID_OPTIONS;
    ww_grid *grid;
    CASE("collide", "few");
    o.cell = 1;
    step.radius = 0.1;
    step.time_step = 0.5;
    expect_status(device, ww_grid_create(device, &points, &o, &grid), WW_OK);
    expect_status(device, ww_grid_collide(grid, &two, &step), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(x[0] == 0 && x[1] == 0.1f && vy[0] == 0 && vx[0] < 0 && vx[0] == -vx[1]);
    expect(fabs(vx[1] - 0.05) < 1e-6);
    /* Two radii apart they do not touch. */
    float p[] = {0, 0.25f}, q[] = {0, 0}, vp[] = {0, 0}, vq[] = {0, 1};
    ww_particles apart = {ww_array(p, 2), ww_array(q, 2), ww_none, ww_array(vp, 2), ww_array(vq, 2), ww_none};
    step.radius = 0.125;
    step.time_step = 0;
    expect_status(device, ww_grid_collide(grid, &apart, &step), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(vp[0] == 0 && vp[1] == 0 && vq[0] == 0 && vq[1] == 1);
    expect_status(device, ww_grid_collide(grid, &none, &step), WW_OK);
    ww_grid_info info = WW_GRID_INFO;
    expect_status(device, ww_grid_info_get(grid, &info), WW_OK);
    expect(info.points == 0 && info.placed == 0);
    ww_grid_destroy(grid);
    ww_close(device);
}

/* ---- out of memory ---- */

static ww_status everything(ww_device *device, const particles *p, ww_grid_method method) {
    static uint32_t counts[N], near[40000], nearest[3 * N];
    static uint64_t offsets[N + 1];
    const ww_points points = as_points(p);
    const ww_particles arrays = as_particles(p);
    const ww_collide_options step = options_of(&forces);
    ww_grid_options o = WW_GRID_OPTIONS;
    ww_grid_near_options sorted = WW_GRID_NEAR_OPTIONS;
    ww_grid *grid;
    uint64_t total = 0;
    o.cell = 0.1;
    o.method = method;
    sorted.order = WW_GRID_BY_INDEX;
    ww_status status = ww_grid_create(device, &points, &o, &grid);
    expect(!status == !!grid);
    if (!status) status = ww_grid_near_counts(grid, NULL, 0.05, ww_array(counts, N));
    if (!status) status = ww_grid_near_offsets(grid, &points, 0.05, ww_array(offsets, N + 1), &total);
    expect(total <= sizeof near / sizeof *near);
    if (!status) status = ww_grid_near(grid, &points, 0.05, ww_array(offsets, N + 1), ww_array(near, total), &sorted);
    if (!status)
        status = ww_grid_lists(grid, 0.05, ww_array(counts, N), ww_array(offsets, N + 1), ww_array(near, total), &total);
    if (!status) status = ww_grid_nearest(grid, NULL, 3, ww_array(nearest, 3 * N), ww_none);
    if (!status) status = ww_grid_collide(grid, &arrays, &step);
    if (grid && status) { /* it is a grid still, with points or without */
        ww_grid_info info = WW_GRID_INFO;
        const ww_status after = ww_grid_info_get(grid, &info);
        expect(after == WW_OK || after == WW_MEMORY);
        expect(after || info.points == 0 || info.points == N);
    }
    ww_grid_destroy(grid);
    return status;
}

static void out_of_memory(void **state) {
    (void)state;
    if (left_out_on_gpu("the allocator that fails is a CPU's")) return;
    for (uint32_t method = WW_GRID_SORTING; method <= WW_GRID_ATOMICS; method++) {
        size_t failed = 0;
        CASE("grid", "out of memory method=%u", method);
        const particles p = particles_new(N, true, 3, 3);
        for (size_t k = 0;; k++) {
            counting_allocator counter = {.fail_at = k};
            ww_open_options open = WW_OPEN_OPTIONS;
            ww_device *device;
            open.allocator = counting_allocator_use(&counter);
            ww_status status = ww_open_with("cpu:threads=2", &device, &open);
            if (!status) status = everything(device, &p, method);
            expect(status == WW_OK || status == WW_MEMORY);
            ww_close(device);
            expect(counter.live_blocks == 0);
            failed += status == WW_MEMORY;
            if (counter.requests <= k) break; /* none was refused; some a call can do without */
        }
        expect(failed >= 15); /* blocks of the grid's, and scratch memory */
        particles_free(&p);
    }
}

/* ---- what is refused ---- */

static void refused(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    float *x = need(4 * 8), *y = need(4 * 8);
    double *wide = need(8 * 8);
    uint32_t *u32 = need(4 * 64);
    uint64_t *u64 = need(8 * 16);
    ww_grid *grid, *other;
    ww_grid_f64 view;
    ww_grid_options o = WW_GRID_OPTIONS;
    ww_grid_near_options order = WW_GRID_NEAR_OPTIONS;
    ww_collide_options step = WW_COLLIDE_OPTIONS;
    for (size_t i = 0; i < 8; i++) x[i] = y[i] = (float)i;
    const ww_points good = ww_points_2d(ww_memory(x, 8), ww_memory(y, 8));
    const ww_points solid = ww_points_3d(ww_memory(x, 8), ww_memory(y, 8), ww_memory(x, 8));
    const ww_points mixed = ww_points_2d(ww_memory(x, 8), ww_memory(wide, 8));
    const ww_points uneven = ww_points_2d(ww_memory(x, 8), ww_memory(y, 7));
    const ww_points whole = ww_points_2d(ww_memory(u32, 8), ww_memory(u32, 8));
    const ww_points missing = ww_points_2d(ww_no_input, ww_memory(y, 8));
    const ww_points many = ww_points_2d(ww_constant(ww_value(float, 1), (uint64_t)1 << 32),
                                        ww_constant(ww_value(float, 1), (uint64_t)1 << 32));
    const ww_array counts = ww_array(u32, 8), offsets = ww_array(u64, 9);
    CASE("grid", "refused");
#define REFUSED(status, call, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
    } while (0)
#define NOT_MADE(status, points, ...) \
    do { \
        grid = (ww_grid *)1; \
        REFUSED(status, ww_grid_create(device, points, &o, &grid), "ww_grid_create", __VA_ARGS__); \
        expect(!grid); \
    } while (0)
    NOT_MADE(WW_INVALID, &good, "options.cell is 0");
    o.cell = NAN;
    NOT_MADE(WW_INVALID, &good, "options.cell is nan");
    o.cell = 1e-40;
    NOT_MADE(WW_INVALID, &good, "options.cell", "f32");
    o.cell = 1e300;
    NOT_MADE(WW_INVALID, &good, "options.cell", "f32");
    o.cell = 1;
    o.method = 3;
    NOT_MADE(WW_INVALID, &good, "options.method is 3");
    o.method = 0;
    o.domain = 3;
    NOT_MADE(WW_INVALID, &good, "options.domain is 3");
    o.domain = WW_GRID_BOX;
    o.low[1] = 1;
    NOT_MADE(WW_INVALID, &good, "1 and 0 on the y axis");
    o.low[1] = -INFINITY;
    NOT_MADE(WW_INVALID, &good, "-inf and 0 on the y axis");
    o.low[1] = -1e9;
    o.high[0] = 1e9;
    expect_status(device, ww_grid_create(device, &good, &o, &grid), WW_LIMIT);
    expect_sentence(device, "2^30", "unbounded");
    o.domain = WW_GRID_FITTING;
    NOT_MADE(WW_INVALID, NULL, "points is NULL");
    NOT_MADE(WW_TYPE, &mixed, "points.y is f64", "points.x f32");
    NOT_MADE(WW_TYPE, &whole, "points.x is u32");
    NOT_MADE(WW_INVALID, &uneven, "points.y has 7", "points.x 8");
    NOT_MADE(WW_INVALID, &missing, "points.x");
    NOT_MADE(WW_LIMIT, &many, "4294967296", "4294967294");
    o.reserved[0] = 1;
    NOT_MADE(WW_INVALID, &good, "options");
    o.reserved[0] = 0;
    REFUSED(WW_INVALID, ww_grid_create(device, &good, &o, NULL), "grid is NULL");
    expect_status(device, ww_grid_create(device, &good, &o, &grid), WW_OK);
    REFUSED(WW_TYPE, ww_grid_rebuild(grid, &solid), "ww_grid_rebuild", "3 dimensions", "2");
    REFUSED(WW_INVALID, ww_grid_rebuild(grid, NULL), "points is NULL");
    REFUSED(WW_INVALID, ww_grid_info_get(grid, NULL), "info is NULL");
    REFUSED(WW_TYPE, ww_grid_view_f64(grid, &view), "ww_grid_view_f64", "f32");
    REFUSED(WW_INVALID, ww_grid_view_f32(grid, NULL), "view is NULL");
    REFUSED(WW_INVALID, ww_grid_near_counts(grid, NULL, -1, counts), "ww_grid_near_counts", "radius is -1");
    REFUSED(WW_INVALID, ww_grid_near_counts(grid, NULL, NAN, counts), "radius is");
    REFUSED(WW_INVALID, ww_grid_near_counts(grid, NULL, 1e20, counts), "radius is 1e+20", "finite square");
    REFUSED(WW_TYPE, ww_grid_near_counts(grid, &solid, 1, counts), "at are of 3 dimensions");
    REFUSED(WW_TYPE, ww_grid_near_counts(grid, NULL, 1, ww_array(x, 8)), "counts is f32");
    REFUSED(WW_INVALID, ww_grid_near_counts(grid, NULL, 1, ww_array(u32, 9)), "counts has 9", "8");
    REFUSED(WW_INVALID, ww_grid_near_counts(grid, NULL, 1, ww_none), "counts is missing");
    REFUSED(WW_INVALID, ww_grid_near_offsets(grid, NULL, 1, ww_array(u64, 8), NULL), "offsets has 8", "9");
    REFUSED(WW_TYPE, ww_grid_near_offsets(grid, NULL, 1, ww_array(u32, 9), NULL), "offsets is u32");
    REFUSED(WW_TYPE, ww_grid_near(grid, NULL, 1, offsets, ww_array(u64, 9), NULL), "indices is u64");
    REFUSED(WW_OVERLAP, ww_grid_near(grid, NULL, 1, offsets, ww_array((uint32_t *)u64, 9), NULL), "offsets", "indices");
    order.order = 2;
    REFUSED(WW_INVALID, ww_grid_near(grid, NULL, 1, offsets, ww_array(u32, 9), &order), "options.order is 2");
    const ww_array some = ww_array(u32 + 8, 56);
    REFUSED(WW_INVALID, ww_grid_lists(grid, -1, counts, offsets, some, NULL), "ww_grid_lists", "radius is -1");
    REFUSED(WW_INVALID, ww_grid_lists(grid, 1, ww_array(u32, 7), offsets, some, NULL), "points has 7", "8");
    REFUSED(WW_TYPE, ww_grid_lists(grid, 1, ww_array(x, 8), offsets, some, NULL), "points is f32");
    REFUSED(WW_INVALID, ww_grid_lists(grid, 1, counts, ww_array(u64, 8), some, NULL), "offsets has 8", "9");
    REFUSED(WW_INVALID, ww_grid_lists(grid, 1, counts, ww_none, some, NULL), "offsets is missing");
    REFUSED(WW_INVALID, ww_grid_lists(grid, 1, counts, offsets, ww_none, NULL), "indices is missing");
    REFUSED(WW_TYPE, ww_grid_lists(grid, 1, counts, offsets, ww_array(u64, 9), NULL), "indices is u64");
    REFUSED(WW_OVERLAP, ww_grid_lists(grid, 1, counts, offsets, ww_array((uint32_t *)u64, 9), NULL), "offsets", "indices");
    REFUSED(WW_OVERLAP, ww_grid_lists(grid, 1, counts, offsets, ww_array(u32 + 7, 9), NULL), "points", "indices");
    expect(ww_grid_lists(NULL, 1, counts, offsets, some, NULL) == WW_INVALID);
    REFUSED(WW_LIMIT, ww_grid_lists(grid, 1.5, counts, offsets, ww_array(u32 + 8, 13), NULL), "indices has 13", "14");
    REFUSED(WW_INVALID, ww_grid_nearest(grid, NULL, 0, counts, ww_none), "ww_grid_nearest", "k is 0");
    REFUSED(WW_LIMIT, ww_grid_nearest(grid, NULL, 1025, counts, ww_none), "k is 1025");
    REFUSED(WW_INVALID, ww_grid_nearest(grid, NULL, 2, counts, ww_none), "indices has 8", "16");
    REFUSED(WW_TYPE, ww_grid_nearest(grid, NULL, 1, counts, ww_array(wide, 8)), "distances is f64");
    REFUSED(WW_OVERLAP, ww_grid_nearest(grid, NULL, 1, counts, ww_array((float *)u32, 8)), "indices", "distances");
    ww_particles p = {ww_array(x, 4), ww_array(y, 4), ww_none, ww_array(x + 4, 4), ww_array(y + 4, 4), ww_none};
    REFUSED(WW_INVALID, ww_grid_collide(grid, &p, NULL), "options is NULL");
    REFUSED(WW_INVALID, ww_grid_collide(grid, NULL, &step), "particles is NULL");
    REFUSED(WW_INVALID, ww_grid_collide(grid, &p, &step), "options.radius is 0");
    step.radius = 1;
    step.spring = INFINITY;
    REFUSED(WW_INVALID, ww_grid_collide(grid, &p, &step), "inf");
    step.spring = 1;
    step.walls = 1;
    step.low[0] = 2;
    REFUSED(WW_INVALID, ww_grid_collide(grid, &p, &step), "2 and 0");
    step.walls = 2;
    REFUSED(WW_INVALID, ww_grid_collide(grid, &p, &step), "options.walls is 2");
    step.walls = 0;
    step.radius = 1e19;
    REFUSED(WW_INVALID, ww_grid_collide(grid, &p, &step), "2 * options.radius");
    step.radius = 1;
    p.z = ww_array(wide, 4);
    REFUSED(WW_TYPE, ww_grid_collide(grid, &p, &step), "particles.z is given");
    p.z = ww_none;
    p.vx = ww_array(x + 2, 4);
    REFUSED(WW_OVERLAP, ww_grid_collide(grid, &p, &step), "particles.x", "particles.vx");
    p.vx = ww_array(wide, 4);
    REFUSED(WW_TYPE, ww_grid_collide(grid, &p, &step), "particles.vx is f64");
    p.vx = ww_none;
    REFUSED(WW_INVALID, ww_grid_collide(grid, &p, &step), "particles.vx is missing");
    expect_status(device, ww_scratch_ask(device), WW_OK);
    REFUSED(WW_UNSUPPORTED, ww_grid_create(device, &good, &o, &other), "ww_grid_create");
    REFUSED(WW_UNSUPPORTED, ww_grid_rebuild(grid, &good), "ww_grid_rebuild");
    REFUSED(WW_UNSUPPORTED, ww_grid_near_counts(grid, NULL, 1, counts), "ww_grid_near_counts");
    size_t bytes;
    expect_status(device, ww_scratch_asked(device, &bytes), WW_OK);
    expect(ww_grid_create(NULL, &good, &o, &other) == WW_INVALID && !other);
    expect(ww_grid_rebuild(NULL, &good) == WW_INVALID && ww_grid_collide(NULL, &p, &step) == WW_INVALID);
    expect(ww_grid_near_counts(NULL, NULL, 1, counts) == WW_INVALID);
    /* What was refused has changed nothing. */
    expect_status(device, ww_grid_near_counts(grid, NULL, 1.5, counts), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = 0; i < 8; i++) expect(u32[i] == (i && i < 7 ? 2 : 1) && x[i] == (float)i);
    ww_grid_destroy(grid);
    ww_grid_destroy(NULL);
    free(x);
    free(y);
    free(wide);
    free(u32);
    free(u64);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(collisions), cmocka_unit_test(few_particles),
                                       cmocka_unit_test(out_of_memory), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
