/* Calls that use no function of the caller's, as no command makes them, by the kernel pack alone:
 *     driver_only_calls DEVICE [1/4]
 * (the first of four shares of them, so that four run side by side) prints what the pack lacks, a line a call; results are looked at in the tests of each. With a driver that has no GPU nothing runs,
 * and what comes of it is not looked at. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

enum { N = 5000, ROWS = 50 };
static const uint64_t sizes[] = {300, N, 200000, 6000000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static int lacks;
static unsigned calls;

void made(ww_device *device, const char *call, const ww_type *type, uint64_t n, ww_status status) {
    const ww_status later = ww_sync(device);
    calls++;
    if (!status) status = later;
    if (!status || (status != WW_UNSUPPORTED && status != WW_COMPILE && getenv("WARPWISE_IDLE_GPU"))) return;
    printf("%s, %s, n = %" PRIu64 ": %s: %.300s\n", call, type ? type->label : "-", n, ww_status_name(status),
           ww_error(device));
    lacks++;
}

ww_array take(memory *m, const ww_type *type, uint64_t n) {
    void *block = NULL;
    if (ww_alloc(m->device, (n + 1) * type->size, &block) || m->blocks == sizeof m->block / sizeof *m->block) {
        fprintf(stderr, "no memory: %s\n", ww_error(m->device));
        exit(2);
    }
    m->block[m->blocks++] = block;
    return ww_array_of(block, n, type);
}
void give(memory *m) {
    while (m->blocks) ww_free(m->device, m->block[--m->blocks]);
}

static void put_number(unsigned char *to, const ww_type *type, uint64_t x) {
    const double d = (double)x;
    const float f = (float)x;
    const ww_f16 half = ww_f16_of_float(f);
    const ww_bf16 brain = ww_bf16_of_float(f);
    const uint64_t wide[2] = {x, 0};
    const void *from = wide;
    if (type->kind == WW_KIND_FLOAT)
        from = type->size == 8           ? (const void *)&d
               : type->size == 4         ? (const void *)&f
               : type == &ww_type_ww_f16 ? (const void *)&half
                                         : (const void *)&brain;
    memcpy(to, from, type->size);
}

ww_array filled(memory *m, const ww_type *type, uint64_t n, uint64_t most, bool rising) {
    const ww_array array = take(m, type, n);
    unsigned char *host = calloc(n + 1, type->size);
    uint64_t seed = n;
    if (!host) exit(2);
    for (uint64_t i = 0; i < n; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        const uint64_t x = rising ? i * most / n : (seed >> 33) % most;
        put_number(host + i * type->size, type, x);
    }
    if (ww_copy(m->device, ww_memory_of(host, n, type), array) || ww_sync(m->device)) exit(2);
    free(host);
    return array;
}

static void slabs(memory *m, uint64_t n, const ww_type *key, const ww_type *value) {
    ww_slab *slab = NULL;
    ww_device *const d = m->device;
    const ww_input keys = ww_from(filled(m, key, n, 2 * n < 250 ? 250 : 2 * n, false)),
                   values = value ? ww_from(filled(m, value, n, 1000, false)) : ww_no_input;
    const ww_array found = value ? take(m, value, n) : ww_none, statuses = take(m, &ww_type_uint8_t, n),
                   out = take(m, key, 16 * n), out_values = value ? take(m, value, 16 * n) : ww_none,
                   count = take(m, &ww_type_uint64_t, 1), counts = take(m, &ww_type_uint64_t, n);
    CALL(d, n, ww_slab_open(d, key, value, n, &slab, NULL));
    if (!slab) return;
    CALL(d, n, ww_slab_replace(slab, keys, values, statuses));
    CALL(d, n, ww_slab_insert(slab, keys, values, ww_none));
    CALL(d, n, ww_slab_insert(slab, keys, values, statuses));
    if (value) CALL(d, n, ww_slab_combine(slab, &ww_add, keys, values, statuses));
    if (value) CALL(d, n, ww_slab_combine(slab, &ww_max, keys, values, ww_none));
    CALL(d, n, ww_slab_search(slab, keys, found, statuses));
    CALL(d, n, ww_slab_search(slab, keys, found, ww_none));
    CALL(d, n, ww_slab_count(slab, keys, counts));
    CALL(d, n, ww_slab_pairs(slab, out, out_values, count));
    CALL(d, n, ww_slab_delete(slab, keys, statuses));
    CALL(d, n, ww_slab_flush(slab));
    CALL(d, n, ww_slab_delete_all(slab, keys, ww_none));
    CALL(d, n, ww_slab_clear(slab));
    CALL(d, n, ww_slab_insert(slab, keys, values, statuses));
    ww_slab_close(slab);
}

static void lsms(memory *m, uint64_t n, const ww_type *key, const ww_type *value) {
    ww_lsm *lsm = NULL;
    ww_device *const d = m->device;
    const ww_input keys = ww_from(filled(m, key, n, 2 * n < 250 ? 250 : 2 * n, false)),
                   values = value ? ww_from(filled(m, value, n, 1000, false)) : ww_no_input;
    const ww_array found = value ? take(m, value, n) : ww_none, statuses = take(m, &ww_type_uint8_t, n),
                   out = take(m, key, n), counts = take(m, &ww_type_uint64_t, n);
    CALL(d, n, ww_lsm_open(d, key, value, &lsm, NULL));
    if (!lsm) return;
    for (int times = 0; times < 3; times++) CALL(d, n, ww_lsm_insert(lsm, keys, values));
    CALL(d, n, ww_lsm_delete(lsm, keys));
    CALL(d, n, ww_lsm_insert(lsm, keys, values));
    CALL(d, n, ww_lsm_lookup(lsm, keys, found, statuses));
    CALL(d, n, ww_lsm_count(lsm, keys, keys, counts));
    CALL(d, n, ww_lsm_predecessor(lsm, keys, true, out, found, statuses));
    CALL(d, n, ww_lsm_successor(lsm, keys, false, out, found, statuses));
    ww_lsm_close(lsm);
}

static void bodies(memory *m, uint64_t n, uint32_t method, uint32_t dimensions) {
    ww_device *const d = m->device;
    ww_nbody *nbody = NULL;
    ww_nbody_options o = WW_NBODY_OPTIONS;
    ww_nbody_totals totals = WW_NBODY_TOTALS;
    ww_array x[8];
    if (method == WW_NBODY_EXACT && n > N) return;
    o.method = method;
    o.dimensions = dimensions;
    for (int k = 0; k < 8; k++) x[k] = filled(m, &ww_type_double, n, 1000, false);
    if (dimensions == 2) x[3] = x[6] = ww_none;
    const ww_input z = dimensions == 2 ? ww_no_input : ww_from(x[3]),
                   vz = dimensions == 2 ? ww_no_input : ww_from(x[6]);
    CALL(d, n, ww_nbody_create(d, n, &o, &nbody));
    if (!nbody) return;
    CALL(d, n, ww_nbody_set(nbody, ww_from(x[0]), ww_from(x[1]), ww_from(x[2]), z, ww_from(x[4]), ww_from(x[5]), vz));
    CALL(d, n, ww_nbody_step(nbody, 1e-3, 2));
    CALL(d, n, ww_nbody_forces(nbody, x[1], x[2], x[3], x[7]));
    CALL(d, n, ww_nbody_totals_get(nbody, &totals));
    CALL(d, n, ww_nbody_get(nbody, x[1], x[2], x[3], x[4], x[5], x[6]));
    ww_nbody_destroy(nbody);
}

static void grids(memory *m, uint64_t n, const ww_type *type, uint32_t method, uint32_t domain, bool flat) {
    ww_device *const d = m->device;
    ww_grid *grid = NULL;
    ww_grid_options o = WW_GRID_OPTIONS;
    ww_grid_near_options near = WW_GRID_NEAR_OPTIONS;
    ww_collide_options collide = WW_COLLIDE_OPTIONS;
    ww_array x[6];
    uint64_t total = 0;
    for (int k = 0; k < 6; k++) x[k] = filled(m, type, n, 200, false);
    if (flat) x[2] = x[5] = ww_none;
    const ww_points points = {ww_from(x[0]), ww_from(x[1]), flat ? ww_no_input : ww_from(x[2])};
    const ww_particles particles = {x[0], x[1], x[2], x[3], x[4], x[5]};
    o.method = method;
    o.domain = domain;
    o.cell = 2;
    for (int k = 0; k < (flat ? 2 : 3); k++) o.high[k] = 200;
    collide.radius = 0.5;
    const ww_array counts = take(m, &ww_type_uint32_t, n), offsets = take(m, &ww_type_uint64_t, n + 1),
                   nearest = take(m, &ww_type_uint32_t, 4 * n), far = take(m, type, 4 * n);
    CALL(d, n, ww_grid_create(d, &points, &o, &grid));
    if (!grid) return;
    CALL(d, n, ww_grid_near_counts(grid, &points, 1, counts));
    CALL(d, n, ww_grid_near_offsets(grid, &points, 1, offsets, &total));
    if (!total || total > 4096 * n) total = n;
    const ww_array indices = take(m, &ww_type_uint32_t, total);
    CALL(d, n, ww_grid_near(grid, &points, 1, offsets, indices, &near));
    near.order = WW_GRID_BY_INDEX;
    CALL(d, n, ww_grid_near(grid, &points, 1, offsets, indices, &near));
    CALL(d, n, ww_grid_lists(grid, 1, counts, offsets, indices, NULL));
    CALL(d, n, ww_grid_nearest(grid, &points, 4, nearest, far));
    CALL(d, n, ww_grid_collide(grid, &particles, &collide));
    ww_grid_destroy(grid);
}

static void trees(memory *m, uint64_t n, const ww_type *type) {
    ww_device *const d = m->device;
    ww_radix_tree *tree = NULL;
    /* Sorted, and strings that are equal. */
    const ww_input keys = ww_from(filled(m, type, n, UINT32_MAX, true)),
                   bytes = ww_from(filled(m, &ww_type_uint8_t, 8 * n, 1, false)),
                   offsets = ww_from(filled(m, &ww_type_uint64_t, n + 1, 8 * (n + 1), true));
    const ww_array out = take(m, &ww_type_uint64_t, n);
    CALL(d, n, ww_radix_tree_create(d, NULL, &tree));
    CALL(d, n, ww_radix_tree_build(tree, keys, ww_no_input));
    CALL(d, n, ww_radix_tree_find(tree, keys, out));
    CALL(d, n, ww_radix_tree_match(tree, keys, out));
    CALL(d, n, ww_radix_tree_lower_bound(tree, keys, out));
    CALL(d, n, ww_radix_tree_upper_bound(tree, keys, out));
    CALL(d, n, ww_radix_tree_build_strings(tree, bytes, offsets, ww_no_input));
    for (int query = WW_RADIX_FIND; query <= WW_RADIX_UPPER_BOUND; query++)
        CALL(d, n, ww_radix_tree_strings(tree, (ww_radix_query)query, bytes, offsets, out));
    ww_radix_tree_destroy(tree);
}

static void volumes(memory *m, uint64_t n) {
    ww_device *const d = m->device;
    ww_volumes *v = NULL;
    uint64_t total = 0;
    const ww_array numbers = filled(m, &ww_type_float, 6 * n, 1000, true);
    const ww_input points = ww_memory_of(numbers.data, n, &ww_volume_point_ww),
                   boxes = ww_memory_of(numbers.data, n, &ww_volume_box_ww);
    const ww_array nearest = take(m, &ww_volume_nearest_ww, n), offsets = take(m, &ww_type_uint64_t, n + 1),
                   found = take(m, &ww_type_uint32_t, 64 * n);
    CALL(d, n, ww_volumes_create(d, &v));
    CALL(d, n, ww_volumes_build_points(v, points));
    CALL(d, n, ww_volumes_nearest(v, points, nearest));
    CALL(d, n, ww_volumes_build_boxes(v, boxes));
    CALL(d, n, ww_volumes_nearest(v, points, nearest));
    const ww_status status = ww_volumes_meet(v, boxes, offsets, found, &total);
    if (status != WW_LIMIT) made(d, "ww_volumes_meet", NULL, n, status);
    ww_volumes_destroy(v);
}

/* Whether this share of the work, one of `shares`, has the next piece of it. */
static unsigned share, shares = 1;
static bool mine(void) {
    static unsigned pieces;
    return pieces++ % shares == share;
}
#define PIECE(m, ...) \
    do { \
        if (mine()) __VA_ARGS__, give(m); \
    } while (0)

static void tables(memory *m, uint64_t n, const ww_type *key, const ww_type *real) {
    static const ww_type *const values[] = {&ww_type_uint32_t, &ww_type_uint64_t, NULL};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        PIECE(m, slabs(m, n, key, values[v]));
        PIECE(m, lsms(m, n, key, values[v]));
    }
    PIECE(m, trees(m, n, key));
    for (uint32_t method = WW_GRID_SORTING; method <= WW_GRID_ATOMICS; method++)
        for (uint32_t domain = WW_GRID_FITTING; n < 1000000 && domain <= WW_GRID_UNBOUNDED; domain++) {
            PIECE(m, grids(m, n, real, method, domain, false));
            PIECE(m, grids(m, n, real, method, domain, true));
        }
}

/* fixed: of a deterministic handle. */
static void try_all(memory *m, memory *fixed, uint64_t n) {
    static const ww_type *const numbers[] = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t,
                                             &ww_type_int8_t,  &ww_type_int16_t,  &ww_type_int32_t,  &ww_type_int64_t,
                                             &ww_type_float,   &ww_type_double,   &ww_type_ww_f16,   &ww_type_ww_bf16,
                                             &ww_type_ww_u128, &ww_type_ww_i128};
    for (size_t t = 0; n <= 200000 && t < sizeof numbers / sizeof *numbers; t++) {
        PIECE(m, primitives(m, n, numbers[t]));
        PIECE(m, computed(m, n, numbers[t]));
        if (numbers[t]->kind == WW_KIND_FLOAT) PIECE(fixed, in_fixed_order(fixed, n, numbers[t]));
    }
    tables(m, n, &ww_type_uint32_t, &ww_type_float);
    tables(m, n, &ww_type_uint64_t, &ww_type_double);
    for (uint32_t method = WW_NBODY_TREE; n < 1000000 && method <= WW_NBODY_EXACT; method++)
        for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) PIECE(m, bodies(m, n, method, dimensions));
    PIECE(m, volumes(m, n));
}

int main(int argc, char **argv) {
    memory m = {NULL, {NULL}, 0}, fixed = m;
    ww_open_options options = WW_OPEN_OPTIONS;
    if (argc > 2 && (sscanf(argv[2], "%u/%u", &share, &shares) != 2 || !share-- || share >= shares)) {
        fprintf(stderr, "%s is no share, as 1/4\n", argv[2]);
        return 2;
    }
    options.deterministic = 1;
    if (ww_open(argc > 1 ? argv[1] : "cuda", &m.device) ||
        ww_open_with(argc > 1 ? argv[1] : "cuda", &fixed.device, &options)) {
        fprintf(stderr, "%s\n", ww_error(fixed.device ? fixed.device : m.device));
        return 2;
    }
    for (size_t s = 0; s < SIZES; s++) {
        if (sizes[s] > 1000000 && getenv("WARPWISE_IDLE_GPU")) continue; /* memory that is the host's */
        try_all(&m, &fixed, sizes[s]);
        fflush(stdout);
    }
    ww_close(fixed.device);
    ww_close(m.device);
    printf("%u calls were made with the driver alone, %d failed\n", calls, lacks);
    return lacks != 0;
}
