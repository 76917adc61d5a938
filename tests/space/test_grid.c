/* Grids against comparisons of all pairs: both methods, boxes and hashed cells, two and three dimensions, f32 and f64, and
 * points that are in one place, on a line, far away, NaN and infinite. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "reference/grid.h"
#include "support/cases.h"

enum { MOST = 1500, PLACES = 90, K = 7 };

/* ---- points ---- */

typedef enum cloud { EVENLY, ONE_PLACE, ON_A_LINE, CLUSTERS, ONE_FAR, SOME_NOT_FINITE, ON_CORNERS, CLOUDS } cloud;
static const char *const cloud_name[] = {"even", "one place", "line", "clusters", "one far", "NaN", "corners"};

static double between(uint64_t *seed, double low, double high) {
    return low + (high - low) * (double)(random_next(seed) >> 11) / 9007199254740992.0;
}

static double coordinate(cloud c, size_t i, size_t axis, uint64_t *seed) {
    switch (c) {
    case ONE_PLACE:
        return 0.3;
    case ON_A_LINE:
        return axis == 1 ? (double)i / 100 : 1;
    case CLUSTERS:
        return (double)(i % 4) * 3 + between(seed, 0, 0.2);
    case ONE_FAR:
        return i == 5 ? 1e30 : between(seed, -1, 1);
    case SOME_NOT_FINITE:
        return i % 9 == axis ? (i % 2 ? (double)NAN : axis ? -INFINITY : INFINITY) : between(seed, -1, 1);
    case ON_CORNERS:
        return (double)(random_next(seed) % 9) * 0.25; /* many equal, and distances that are the radius */
    default:
        return between(seed, -1, 1);
    }
}

typedef struct points {
    void *at[3];
    size_t n;
    bool wide;
    uint32_t dimensions;
} points;

static void put(const points *p, size_t axis, size_t i, double x) {
    if (p->wide)
        ((double *)p->at[axis])[i] = x;
    else
        ((float *)p->at[axis])[i] = (float)x;
}

static double get(const points *p, size_t axis, size_t i) {
    return p->wide ? ((double *)p->at[axis])[i] : (double)((float *)p->at[axis])[i];
}

/* The emulator looks at every access: fewer points there. */
static size_t fewer(size_t n) { return on_emulator() && n > 65 ? n / 5 : n; }

static points points_new(cloud c, size_t n, bool wide, uint32_t dimensions, uint64_t seed) {
    points p = {{NULL, NULL, NULL}, n, wide, dimensions};
    for (size_t d = 0; d < dimensions; d++) {
        p.at[d] = need(n * 8 + 8);
        for (size_t i = 0; i < n; i++) put(&p, d, i, coordinate(c, i, d, &seed));
    }
    return p;
}

static void points_free(const points *p) {
    for (size_t d = 0; d < 3; d++) free(p->at[d]);
}

static ww_points as_inputs(const points *p) {
    const ww_type *const type = p->wide ? &ww_type_double : &ww_type_float;
    const ww_input x = ww_memory_of(p->at[0], p->n, type), y = ww_memory_of(p->at[1], p->n, type);
    return p->dimensions == 2 ? ww_points_2d(x, y) : ww_points_3d(x, y, ww_memory_of(p->at[2], p->n, type));
}

static reference_points as_reference(const points *p) {
    return (reference_points){{p->at[0], p->at[1], p->at[2]}, p->n, p->wide};
}

/* ---- what is asked ---- */

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Lists in both orders: by index they are the oracle's, by cells a permutation of them. */
static void expect_lists(ww_device *device, ww_grid *grid, const points *p, const points *at, double radius) {
    const reference_points all = as_reference(p), places = at ? as_reference(at) : all;
    const ww_points inputs = at ? as_inputs(at) : as_inputs(p);
    const size_t m = places.count;
    guarded offsets = guarded_new((m + 1) * 8), counts = guarded_new(m * 4);
    uint64_t *o = offsets.data, total = 0, sum = 0;
    uint32_t *list = need(4 * p->n + 4);
    ww_grid_near_options options = WW_GRID_NEAR_OPTIONS;
    expect_status(device, ww_grid_near_offsets(grid, at ? &inputs : NULL, radius, ww_array(o, m + 1), &total), WW_OK);
    expect_status(device, ww_grid_near_counts(grid, at ? &inputs : NULL, radius, ww_array((uint32_t *)counts.data, m)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    guarded near[2] = {guarded_new(total * 4 + 8), guarded_new(total * 4 + 8)};
    for (uint32_t order = WW_GRID_BY_CELLS; order <= WW_GRID_BY_INDEX; order++) {
        options.order = order;
        expect_status(device,
                      ww_grid_near(grid, at ? &inputs : NULL, radius, ww_array(o, m + 1),
                                   ww_array((uint32_t *)near[order].data, total), &options),
                      WW_OK);
    }
    expect_status(device, ww_sync(device), WW_OK);
    expect(o[0] == 0 && o[m] == total);
    for (size_t q = 0; q < m; q++) {
        const size_t found = reference_near(&all, &places, q, radius, at ? SIZE_MAX : q, list);
        expect(o[q] == sum && ((uint32_t *)counts.data)[q] == found);
        sum += found;
        expect(o[q + 1] == sum);
        uint32_t *unsorted = (uint32_t *)near[0].data + o[q];
        expect_elements((uint32_t *)near[1].data + o[q], list, found, 4);
        qsort(unsorted, found, 4, by_number);
        expect_elements(unsorted, list, found, 4);
    }
    for (size_t k = 0; k < 2; k++) {
        guarded_check(&near[k]);
        guarded_free(&near[k]);
    }
    guarded_check(&offsets);
    guarded_check(&counts);
    guarded_free(&offsets);
    guarded_free(&counts);
    free(list);
}

/* Lists in the grid's order: of each point once what ww_grid_near has for it, in the same order. With room for fewer indices than there
 * are, lists that fit are there, and nothing else is written; offsets and the total are right. */
static void expect_ordered_lists(ww_device *device, ww_grid *grid, const points *p, double radius) {
    const size_t n = p->n;
    uint64_t *wanted_offsets = need(8 * (n + 1)), wanted_total = 0;
    bool *met = need(n + 1);
    expect_status(device, ww_grid_near_offsets(grid, NULL, radius, ww_array(wanted_offsets, n + 1), &wanted_total), WW_OK);
    uint32_t *wanted = need(4 * wanted_total + 4);
    expect_status(device,
                  ww_grid_near(grid, NULL, radius, ww_array(wanted_offsets, n + 1), ww_array(wanted, wanted_total), NULL),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    const size_t rooms[] = {wanted_total, wanted_total + 3, wanted_total ? wanted_total - 1 : 0, wanted_total / 2, 0};
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        const size_t room = rooms[r];
        guarded whose = guarded_new(n * 4), offsets = guarded_new((n + 1) * 8), near = guarded_new(room * 4);
        const ww_array points = r == 1 ? ww_none : ww_array((uint32_t *)whose.data, n);
        const uint64_t *o = offsets.data;
        const uint32_t *list = near.data;
        uint64_t total = 77, behind = 0;
        uint32_t poison;
        memset(near.data, 0xA5, room * 4);
        memset(&poison, 0xA5, sizeof poison);
        memset(met, 0, n + 1);
        expect_status(device,
                      ww_grid_lists(grid, radius, points, ww_array((uint64_t *)offsets.data, n + 1),
                                    ww_array((uint32_t *)near.data, room), r == 3 ? NULL : &total),
                      room < wanted_total ? WW_LIMIT : WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect((r == 3 || total == wanted_total) && o[0] == 0 && o[n] == wanted_total);
        for (size_t k = 0; k < n; k++) {
            const uint32_t i = ((uint32_t *)whose.data)[k];
            expect(o[k] <= o[k + 1]);
            for (size_t e = o[k]; o[k + 1] > room && e < room && e < o[k + 1]; e++) expect(list[e] == poison);
            if (o[k + 1] <= room) behind = o[k + 1];
            if (r == 1) continue;
            expect(i < n && !met[i]);
            met[i] = true;
            expect(o[k + 1] - o[k] == wanted_offsets[i + 1] - wanted_offsets[i]);
            if (o[k + 1] <= room) expect_elements(list + o[k], wanted + wanted_offsets[i], o[k + 1] - o[k], 4);
        }
        for (size_t e = behind; e < room; e++) expect(list[e] == poison);
        guarded_check(&whose);
        guarded_check(&offsets);
        guarded_check(&near);
        guarded_free(&whose);
        guarded_free(&offsets);
        guarded_free(&near);
    }
    free(wanted);
    free(wanted_offsets);
    free(met);
}

static void expect_nearest(ww_device *device, ww_grid *grid, const points *p, const points *at, size_t k) {
    const reference_points all = as_reference(p), places = at ? as_reference(at) : all;
    const ww_points inputs = at ? as_inputs(at) : as_inputs(p);
    const size_t m = places.count, size = p->wide ? 8 : 4;
    guarded near = guarded_new(m * k * 4), apart = guarded_new(m * k * size), alone = guarded_new(m * k * 4);
    uint32_t list[64];
    double distances[64];
    const ww_array to = ww_array((uint32_t *)near.data, m * k);
    const ww_array far = ww_array_of(apart.data, m * k, p->wide ? &ww_type_double : &ww_type_float);
    expect_status(device, ww_grid_nearest(grid, at ? &inputs : NULL, (uint32_t)k, to, far), WW_OK);
    expect_status(
        device,
        ww_grid_nearest(grid, at ? &inputs : NULL, (uint32_t)k, ww_array((uint32_t *)alone.data, m * k), ww_none),
        WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(alone.data, near.data, m * k, 4);
    for (size_t q = 0; q < m; q++) {
        reference_nearest(&all, &places, q, at ? SIZE_MAX : q, k, list, distances);
        expect_elements((uint32_t *)near.data + q * k, list, k, 4);
        for (size_t j = 0; j < k; j++)
            expect(distances[j] ==
                   (p->wide ? ((double *)apart.data)[q * k + j] : (double)((float *)apart.data)[q * k + j]));
    }
    guarded_check(&near);
    guarded_check(&apart);
    guarded_check(&alone);
    guarded_free(&near);
    guarded_free(&apart);
    guarded_free(&alone);
}

/* ---- the view, in a kernel ---- */

#define WALKED(N, T) \
    WW_STRUCT_USES((ww_grid_##N), walking_##N, { \
        ww_grid_##N grid; \
        uint64_t *sum; \
        T radius; \
    }); \
    WW_KERNEL_USES((ww_grid_##N##_walk, ww_grid_##N##_from_point, ww_grid_##N##_next), sum_indices_##N, walking_##N, \
                   a, at, { \
                       ww_grid_##N##_walk w; \
                       uint64_t sum = 0; \
                       ww_grid_##N##_from_point(&a->grid, &w, (uint32_t)at, a->radius); \
                       while (ww_grid_##N##_next(&a->grid, &w)) sum += (uint64_t)w.index + 1; \
                       a->sum[a->grid.index[at]] = sum; \
                   });
WALKED(f32, float)
WALKED(f64, double)

static void expect_walks(ww_device *device, ww_grid *grid, const points *p, double radius) {
    const reference_points all = as_reference(p);
    uint64_t *sum = need(8 * p->n + 8);
    uint32_t *list = need(4 * p->n + 4);
    if (p->wide) {
        walking_f64 a = {.sum = sum, .radius = radius};
        expect_status(device, ww_grid_view_f64(grid, &a.grid), WW_OK);
        expect(a.grid.count == p->n);
        expect_status(device, ww_launch(device, ww_with(sum_indices_f64, &a), p->n), WW_OK);
    } else {
        walking_f32 a = {.sum = sum, .radius = (float)radius};
        expect_status(device, ww_grid_view_f32(grid, &a.grid), WW_OK);
        expect(a.grid.count == p->n);
        expect_status(device, ww_launch(device, ww_with(sum_indices_f32, &a), p->n), WW_OK);
    }
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = 0; i < p->n; i++) {
        uint64_t wanted = 0;
        const size_t found = reference_near(&all, &all, i, radius, i, list);
        for (size_t k = 0; k < found; k++) wanted += (uint64_t)list[k] + 1;
        expect(sum[i] == wanted);
    }
    free(list);
    free(sum);
}

/* ---- all of it ---- */

static ww_grid_options options_of(uint32_t method, uint32_t domain, double cell) {
    ww_grid_options o = WW_GRID_OPTIONS;
    o.method = method;
    o.domain = domain;
    o.cell = cell;
    for (size_t d = 0; d < 3; d++) {
        o.low[d] = -0.5; /* some points are outside */
        o.high[d] = 0.75;
    }
    return o;
}

static size_t finite_of(const points *p) {
    size_t many = 0;
    for (size_t i = 0; i < p->n; i++) {
        bool all = true;
        for (size_t d = 0; d < p->dimensions; d++) all = all && isfinite(get(p, d, i));
        many += all;
    }
    return many;
}

static void expect_info(ww_device *device, ww_grid *grid, const points *p, uint32_t domain) {
    ww_grid_info info = WW_GRID_INFO;
    expect_status(device, ww_grid_info_get(grid, &info), WW_OK);
    expect(info.points == p->n && info.dimensions == p->dimensions && info.placed == finite_of(p));
    expect(info.hashed == (domain == WW_GRID_UNBOUNDED || info.hashed) && (domain != WW_GRID_BOX || !info.hashed));
    if (!info.hashed) {
        uint64_t cells = 1;
        for (size_t d = 0; d < p->dimensions; d++) cells *= info.along[d];
        expect(cells == info.cells);
    }
}

static void ask(ww_device *device, ww_grid *grid, const points *p, size_t number, double cell) {
    static const double radii[] = {1, 0, 0.4, 2.5, 20};
    const double radius = radii[number % 5] * cell;
    const points at = points_new((cloud)(number % CLOUDS), fewer(PLACES), p->wide, p->dimensions,
                                 seed_of_run() + number);
    expect_lists(device, grid, p, NULL, radius);
    expect_lists(device, grid, p, &at, radius);
    expect_ordered_lists(device, grid, p, radius);
    expect_nearest(device, grid, p, NULL, number % 3 ? K : 1);
    expect_nearest(device, grid, p, &at, number % 2 ? K : 33);
    if (number % 2) expect_walks(device, grid, p, radius);
    points_free(&at);
}

static void all_pairs(void **state) {
    static const size_t sizes[] = {400, 1, 2, 65, 0, 700};
    size_t number = 0;
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < CLOUDS; c++)
            for (uint32_t domain = WW_GRID_FITTING; domain <= WW_GRID_UNBOUNDED; domain++)
                for (uint32_t method = WW_GRID_SORTING; method <= WW_GRID_ATOMICS; method++, number++) {
                    const size_t n = fewer(sizes[number * 7 / 5 % 6]);
                    const bool wide = number / 2 % 2;
                    const uint32_t dimensions = 2 + (uint32_t)(number / 3 % 2);
                    const double cell = number % 4 == 3 ? 0.05 : 0.25;
                    CASE("grid", "%s %s domain=%u method=%u n=%zu f%d %u-d cell=%g", setting_name(s), cloud_name[c],
                         domain, method, n, wide ? 64 : 32, dimensions, cell);
                    if (!case_wanted()) continue;
                    const ww_grid_options o = options_of(method, domain, cell);
                    const points p = points_new((cloud)c, n, wide, dimensions, seed_of_run() + 3 * number);
                    const ww_points inputs = as_inputs(&p);
                    ww_grid *grid;
                    expect_status(device, ww_grid_create(device, &inputs, &o, &grid), WW_OK);
                    expect_info(device, grid, &p, domain);
                    ask(device, grid, &p, number, cell);
                    ww_grid_destroy(grid);
                    points_free(&p);
                }
        ww_close(device);
    }
}

/* Both methods, dimensions and types of one cloud: what the mixture above does not pair. */
static void every_kind(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    for (uint32_t kind = 0; kind < 16; kind++) {
        const bool wide = kind & 1;
        const uint32_t dimensions = 2 + (kind >> 1 & 1), method = 1 + (kind >> 2 & 1), domain = 1 + (kind >> 3);
        CASE("grid", "every kind f%d %u-d method=%u domain=%u", wide ? 64 : 32, dimensions, method, domain);
        if (!case_wanted()) continue;
        const ww_grid_options o = options_of(method, domain, 0.25);
        const points p = points_new(ON_CORNERS, fewer(300), wide, dimensions, seed_of_run() + kind);
        const ww_points inputs = as_inputs(&p);
        ww_grid *grid;
        expect_status(device, ww_grid_create(device, &inputs, &o, &grid), WW_OK);
        expect_lists(device, grid, &p, NULL, 0.25);
        expect_ordered_lists(device, grid, &p, 0.25);
        expect_nearest(device, grid, &p, NULL, K);
        ww_grid_destroy(grid);
        points_free(&p);
    }
    ww_close(device);
}

/* Lists of a radius after those of another one were counted; of more rows of cells than what was near is kept of; and offsets
 * that have no room, although for that place something is kept. */
static void kept(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        CASE("grid", "%s kept", setting_name(s));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(s);
        const ww_grid_options o = options_of(WW_GRID_AUTO, WW_GRID_BOX, 0.06);
        const points p = points_new(EVENLY, 700, false, 3, seed_of_run());
        const ww_points inputs = as_inputs(&p);
        ww_grid *grid;
        uint64_t *offsets = need(8 * (p.n + 1)), total = 0, other = 0;
        uint64_t *others = need(8 * (p.n + 1));
        uint32_t *near[2] = {need(4 * p.n * p.n), need(4 * p.n * p.n)};
        expect_status(device, ww_grid_create(device, &inputs, &o, &grid), WW_OK);
        expect_lists(device, grid, &p, NULL, 0.9);
        expect_status(device, ww_grid_near_offsets(grid, NULL, 0.9, ww_array(offsets, p.n + 1), &total), WW_OK);
        expect_status(device, ww_grid_near(grid, NULL, 0.9, ww_array(offsets, p.n + 1), ww_array(near[0], total), NULL),
                      WW_OK);
        expect_status(device, ww_grid_near_offsets(grid, NULL, 0.3, ww_array(others, p.n + 1), &other), WW_OK);
        expect_status(device, ww_grid_near(grid, NULL, 0.9, ww_array(offsets, p.n + 1), ww_array(near[1], total), NULL),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(total > 10 * p.n && total > other && !memcmp(near[0], near[1], 4 * total));
        memset(offsets, 0, 8 * (p.n + 1));
        expect_status(device, ww_grid_near_offsets(grid, NULL, 0.3, ww_array(others, p.n + 1), &other), WW_OK);
        expect_status(device, ww_grid_near(grid, NULL, 0.3, ww_array(offsets, p.n + 1), ww_array(near[1], total), NULL),
                      other ? WW_RANGE : WW_OK);
        ww_grid_destroy(grid);
        points_free(&p);
        for (size_t k = 0; k < 2; k++) free(near[k]);
        free(others);
        free(offsets);
        ww_close(device);
    }
}

/* Lists of all lengths beside what a row has room for, and what of it a block collects: points of which some are in one place. */
static void piled(void **state) {
    static const size_t piles[] = {44, 45, 46, 47, 48, 49, 50, 120};
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++)
        for (uint32_t method = WW_GRID_SORTING; method <= WW_GRID_ATOMICS; method++) {
            CASE("grid", "%s piled method=%u", setting_name(s), method);
            if (!case_wanted()) continue;
            ww_device *device = setting_open(s);
            const ww_grid_options o = options_of(method, WW_GRID_BOX, 0.25);
            const points p = points_new(EVENLY, 700, method == WW_GRID_ATOMICS, 3, seed_of_run());
            size_t i = 0;
            for (size_t k = 0; k < sizeof piles / sizeof *piles; k++)
                for (const size_t end = i + piles[k]; i < end; i++)
                    for (size_t d = 0; d < 3; d++) put(&p, d, i, (double)(2 * k + d) / 4 - 1);
            const ww_points inputs = as_inputs(&p);
            ww_grid *grid;
            expect_status(device, ww_grid_create(device, &inputs, &o, &grid), WW_OK);
            expect_lists(device, grid, &p, NULL, 0.25);
            expect_lists(device, grid, &p, NULL, 0.05);
            expect_ordered_lists(device, grid, &p, 0.25);
            expect_ordered_lists(device, grid, &p, 0.05);
            ww_grid_destroy(grid);
            points_free(&p);
            ww_close(device);
        }
}

/* Pairs as far apart as the radius, but for some last bits of their coordinates; radii whose squares are small, or not normal. */
static void at_the_edge(void **state) {
    static const double radii[] = {0.25, 3, 1e-12, 3e-20, 2e-22};
    (void)state;
    ww_device *device = setting_open(0);
    for (size_t k = 0; k < sizeof radii / sizeof *radii; k++) {
        CASE("grid", "at the edge radius=%g", radii[k]);
        if (!case_wanted()) continue;
        const double radius = radii[k];
        const points p = points_new(EVENLY, fewer(2000), false, 3, seed_of_run() + k);
        uint64_t seed = seed_of_run() + 77 * k;
        for (size_t i = 0; i < p.n; i++) {
            double by[3], length = 0;
            for (size_t d = 0; d < 3; d++) {
                by[d] = between(&seed, -1, 1);
                length += by[d] * by[d];
            }
            for (size_t d = 0; d < 3; d++) {
                const double middle = 3 * radius * (double)(i / 4 >> 3 * d & 7);
                put(&p, d, i, middle + (i % 4 ? radius * by[d] / sqrt(length) : 0));
            }
        }
        const ww_points inputs = as_inputs(&p);
        const ww_grid_options o = options_of(WW_GRID_AUTO, WW_GRID_FITTING, radius);
        ww_grid *grid;
        expect_status(device, ww_grid_create(device, &inputs, &o, &grid), WW_OK);
        for (double times = 0.999999; times < 1.0000015; times += 0.0000005) {
            expect_lists(device, grid, &p, NULL, radius * times);
            expect_ordered_lists(device, grid, &p, radius * times);
        }
        ww_grid_destroy(grid);
        points_free(&p);
    }
    ww_close(device);
}

/* ---- anew ---- */

static void rebuilt(void **state) {
    static const size_t sizes[] = {600, 20, 0, 600, 333};
    (void)state;
    counting_allocator counter = {.fail_at = SIZE_MAX};
    ww_open_options open = WW_OPEN_OPTIONS;
    ww_device *device;
    open.allocator = counting_allocator_use(&counter);
    if (on_gpu())
        device = setting_open(0);
    else
        expect_status(NULL, ww_open_with("cpu:threads=2", &device, &open), WW_OK);
    for (uint32_t method = WW_GRID_SORTING; method <= WW_GRID_ATOMICS; method++) {
        CASE("grid", "rebuilt method=%u", method);
        ww_grid_options o = options_of(method, WW_GRID_BOX, 0.1);
        points p = points_new(EVENLY, fewer(700), false, 3, 5);
        ww_points inputs = as_inputs(&p);
        ww_grid *grid;
        size_t after = 0;
        expect_status(device, ww_grid_create(device, &inputs, &o, &grid), WW_OK);
        expect_lists(device, grid, &p, NULL, 0.1);
        expect_ordered_lists(device, grid, &p, 0.1);
        points_free(&p);
        for (size_t k = 0; k < 5; k++) {
            p = points_new(CLUSTERS, fewer(sizes[k]), false, 3, k);
            inputs = as_inputs(&p);
            const size_t before = counter.requests;
            expect_status(device, ww_grid_rebuild(grid, &inputs), WW_OK);
            if (k) after += counter.requests - before;
            expect_lists(device, grid, &p, NULL, 0.1);
            expect_ordered_lists(device, grid, &p, 0.1);
            expect_nearest(device, grid, &p, NULL, 3);
            points_free(&p);
        }
        expect(after == 0); /* a steady state */
        ww_grid_destroy(grid);
    }
    ww_close(device);
    expect(counter.live_blocks == 0);
}

/* By sorting, the same lists in the grid's own order for every number of threads. */
static void same_every_time(void **state) {
    (void)state;
    uint32_t *first = NULL;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("grid", "%s same every time", setting_name(s));
        const size_t n = fewer(MOST);
        const points p = points_new(CLUSTERS, n, false, 2, 9);
        const ww_points inputs = as_inputs(&p);
        const ww_grid_options o = options_of(WW_GRID_AUTO, WW_GRID_UNBOUNDED, 0.02);
        uint64_t *offsets = need(8 * (n + 1)), total;
        ww_grid *grid;
        expect_status(device, ww_grid_create(device, &inputs, &o, &grid), WW_OK);
        expect_status(device, ww_grid_near_offsets(grid, NULL, 0.02, ww_array(offsets, n + 1), &total), WW_OK);
        uint32_t *near = need(4 * total);
        expect_status(device, ww_grid_near(grid, NULL, 0.02, ww_array(offsets, n + 1), ww_array(near, total), NULL),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        if (first) expect_elements(near, first, total, 4);
        if (!first) {
            first = malloc(4 * total);
            expect(first != NULL);
            memcpy(first, near, 4 * total);
        }
        free(near);
        free(offsets);
        ww_grid_destroy(grid);
        points_free(&p);
        ww_close(device);
    }
    free(first);
}

/* Arrays on the stack, which a GPU does not reach; coordinates that are computed; u64 counts; offsets that are not right. */
WW_MAP(third, float, uint32_t, i, void, none, { return (float)(i % 10) / 3; });

static void other_arrays(void **state) {
    (void)state;
    enum { N = 40 };
    ww_device *device = setting_open(0);
    ww_points computed = ww_points_2d(ww_mapped(&third_ww, ww_counting(&ww_type_uint32_t, 0, N)),
                                      ww_constant(ww_value(float, 2), N));
    ww_grid_options o = options_of(WW_GRID_AUTO, WW_GRID_FITTING, 1);
    ww_grid *grid;
    uint64_t counts[N], offsets[N + 1], total;
    uint32_t near[N * 8], nearest[N];
    CASE("grid", "other arrays");
    expect_status(device, ww_grid_create(device, &computed, &o, &grid), WW_OK);
    expect_status(device, ww_grid_near_counts(grid, NULL, 0.3, ww_array(counts, N)), WW_OK);
    expect_status(device, ww_grid_near_offsets(grid, &computed, 0.3, ww_array(offsets, N + 1), &total), WW_OK);
    expect(total == N * 4);
    for (size_t i = 0; i < N * 8; i++) near[i] = 77;
    expect_status(device, ww_grid_near(grid, &computed, 0.3, ww_array(offsets, N + 1), ww_array(near, N * 8), NULL),
                  WW_OK);
    expect_status(device, ww_grid_nearest(grid, NULL, 1, ww_array(nearest, N), ww_none), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = 0; i < N; i++) {
        expect(counts[i] == 3 && offsets[i] == 4 * i && nearest[i] == (i < 10 ? i + 10 : i % 10));
        for (size_t k = 0; k < 4; k++) expect(near[4 * i + k] == i % 10 + 10 * k);
    }
    for (size_t i = N * 4; i < N * 8; i++) expect(near[i] == 77);
    offsets[5]++; /* one list has room for one more, the next for one less */
    expect_status(device, ww_grid_near(grid, &computed, 0.3, ww_array(offsets, N + 1), ww_array(near, N * 8), NULL),
                  WW_RANGE);
    expect(strstr(ww_error(device), "the list of place 4 ") != NULL);
    for (size_t i = 0; i <= N; i++) offsets[i] = i % 3 == 0 ? UINT64_MAX - i : i * 1000 - i / 2;
    expect_status(device, ww_grid_near(grid, NULL, 0.3, ww_array(offsets, N + 1), ww_array(near, N), NULL), WW_RANGE);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = N * 4; i < N * 8; i++) expect(near[i] == 77);
    /* Results of one element lie anywhere. */
    const ww_points one = ww_points_2d(ww_constant(ww_value(float, 1), 1), ww_constant(ww_value(float, 2.5f), 1));
    uint32_t index = 77;
    float apart = 77;
    expect_status(device, ww_grid_nearest(grid, &one, 1, ww_array(&index, 1), ww_array(&apart, 1)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(index == 3 && apart == 0.5f);
    ww_grid_destroy(grid);
    ww_close(device);
}

/* ---- which cells there are ---- */

static ww_grid_info info_of(ww_device *device, const points *p, uint32_t domain, double cell) {
    const ww_grid_options o = options_of(WW_GRID_AUTO, domain, cell);
    const ww_points inputs = as_inputs(p);
    ww_grid_info info = WW_GRID_INFO;
    ww_grid *grid;
    expect_status(device, ww_grid_create(device, &inputs, &o, &grid), WW_OK);
    expect_status(device, ww_grid_info_get(grid, &info), WW_OK);
    ww_grid_destroy(grid);
    return info;
}

static void cells(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    const points few = points_new(EVENLY, 3, false, 2, 1), many = points_new(EVENLY, 65, false, 2, 1);
    CASE("grid", "cells");
    ww_grid_info info = info_of(device, &few, WW_GRID_BOX, 0.25); /* from -0.5 to 0.75 */
    expect(info.along[0] == 6 && info.along[1] == 6 && info.cells == 36 && info.low[0] == -0.5);
    expect(info_of(device, &few, WW_GRID_UNBOUNDED, 0.25).cells == 64);
    expect(info_of(device, &many, WW_GRID_UNBOUNDED, 0.25).cells == 128);
    for (size_t i = 0; i < 3; i++) put(&few, i % 2, i, (double)NAN);
    info = info_of(device, &few, WW_GRID_FITTING, 0.25);
    expect(info.placed == 0 && info.cells == 1 && info.low[0] == 0 && info.low[1] == 0);
    points_free(&few);
    points_free(&many);
    ww_close(device);
}

/* Numbers so large that cells' borders are rounded by a good part of a cell. */
static void far_from_the_origin(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    for (uint32_t domain = WW_GRID_FITTING; domain <= WW_GRID_UNBOUNDED; domain += WW_GRID_UNBOUNDED) {
        points p = points_new(EVENLY, fewer(1000), false, 2, seed_of_run());
        CASE("grid", "far from the origin domain=%u", domain);
        for (size_t i = 0; i < p.n; i++)
            for (size_t d = 0; d < 2; d++) put(&p, d, i, 4194304 + 20 * get(&p, d, i)); /* in steps of 1/2 */
        const ww_points inputs = as_inputs(&p);
        const ww_grid_options o = options_of(WW_GRID_AUTO, domain, 0.7);
        ww_grid *grid;
        expect_status(device, ww_grid_create(device, &inputs, &o, &grid), WW_OK);
        expect_nearest(device, grid, &p, NULL, 1);
        expect_nearest(device, grid, &p, NULL, 4);
        expect_lists(device, grid, &p, NULL, 1.5);
        expect_ordered_lists(device, grid, &p, 1.5);
        ww_grid_destroy(grid);
        points_free(&p);
    }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs),    cmocka_unit_test(every_kind), cmocka_unit_test(kept),
        cmocka_unit_test(piled),        cmocka_unit_test(at_the_edge), cmocka_unit_test(rebuilt),    cmocka_unit_test(same_every_time),
        cmocka_unit_test(other_arrays), cmocka_unit_test(cells),      cmocka_unit_test(far_from_the_origin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
