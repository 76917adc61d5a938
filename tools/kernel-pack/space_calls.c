/* See space_calls.h. How calls go on depends on what the host reads of the GPU's memory: positions of what is wrong (all bits are set
 * where nothing is), then how many nodes, levels and pairs there are. So each is made with all bits set as often as DEPTHS says at
 * first, and some numbers, or 0, from then on; that these do not fit together is no mistake. */
#include "space_calls.h"

#include "compile_only.h"
#include "device/gpu/gpu.h"
#include "device/gpu/record.h"

enum { DEPTHS = 6, SOME = 64 };

static void *at(unsigned place) { return (void *)(((uintptr_t)1 << 61) + ((uintptr_t)place << 40)); }
static ww_input input(unsigned place, const ww_type *type, uint64_t n) { return ww_memory_of(at(place), n, type); }
static ww_array array(unsigned place, const ww_type *type, uint64_t n) { return ww_array_of(at(place), n, type); }

static ww_input real(unsigned place, uint64_t n) { return input(place, &ww_type_double, n); }
static ww_array reals(unsigned place, uint64_t n) { return array(place, &ww_type_double, n); }

static compile_only *told(ww_device *device) { return (compile_only *)(void *)device->gpu->driver; }

static void begin_telling(ww_device *device, int depth, uint32_t number) {
    compile_only *const c = told(device);
    c->host_apart = true;
    c->kept_zero = device->gpu->record ? device->gpu->record->memory : NULL; /* what bad data was found: none */
    c->answered = 0;
    for (c->answers = 0; c->answers < COMPILE_ONLY_ANSWERS; c->answers++)
        c->answer[c->answers] = (compile_only_answer){c->answers < (size_t)depth ? UINT32_MAX : number, UINT32_MAX};
}

/* WW_OK but where there is no program. */
static ww_status of_data(ww_status status) {
    return status == WW_COMPILE || status == WW_UNSUPPORTED || status == WW_LOST ? status : WW_OK;
}

static void end_telling(ww_device *device) {
    compile_only *const c = told(device);
    c->host_apart = false;
    c->answers = c->answered = 0;
}

typedef ww_status calls(ww_device *device, const ww_type *type, uint64_t n, size_t variant);

static ww_status each_way(calls *make, ww_device *device, const ww_type *type, uint64_t n, size_t variant) {
    ww_status status = WW_OK;
    if (n > 1 << 23) return WW_OK; /* plans are the same */
    for (int depth = 0; !status && depth < DEPTHS; depth++)
        for (uint32_t number = 0; !status && number <= SOME; number += SOME) {
            begin_telling(device, depth, number);
            status = of_data(make(device, type, n, variant));
            end_telling(device);
        }
    return status;
}

typedef ww_status asking(ww_nbody *nbody, uint64_t n, bool flat);

static ww_status step_bodies(ww_nbody *nbody, uint64_t n, bool flat) {
    (void)n, (void)flat;
    return ww_nbody_step(nbody, 1, 2);
}
static ww_status ask_forces(ww_nbody *nbody, uint64_t n, bool flat) {
    return ww_nbody_forces(nbody, reals(2, n), reals(3, n), flat ? ww_none : reals(4, n), reals(8, n));
}
static ww_status ask_totals(ww_nbody *nbody, uint64_t n, bool flat) {
    (void)n, (void)flat;
    ww_nbody_totals totals = WW_NBODY_TOTALS;
    return ww_nbody_totals_get(nbody, &totals);
}

/* Each call is told in each way by itself: what comes before it has read nothing wrong. */
static ww_status ask_bodies(ww_device *device, ww_nbody *nbody, uint64_t n, bool flat) {
    static asking *const asked[] = {step_bodies, ask_forces, ask_totals};
    ww_status status = WW_OK;
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
        for (int depth = 0; !status && depth < DEPTHS; depth++)
            for (uint32_t number = 0; !status && number <= SOME; number += SOME) {
                begin_telling(device, depth, number);
                status = of_data(asked[k](nbody, n, flat));
            }
    return status;
}

static ww_status make_bodies(ww_device *device, uint64_t n, size_t variant) {
    static const uint32_t methods[] = {WW_NBODY_AUTO, WW_NBODY_TREE, WW_NBODY_EXACT};
    const bool flat = variant / 3 % 2;
    ww_nbody_options o = WW_NBODY_OPTIONS;
    ww_nbody *nbody = NULL;
    o.method = methods[variant % 3];
    o.dimensions = flat ? 2 : 3;
    o.quadrupoles = variant / 6;
    const ww_input z = flat ? ww_no_input : real(4, n), vz = flat ? ww_no_input : real(7, n);
    const ww_array z_out = flat ? ww_none : reals(4, n), vz_out = flat ? ww_none : reals(7, n);
    ww_status status = ww_nbody_create(device, n, &o, &nbody);
    if (!status) status = ww_nbody_set(nbody, real(1, n), real(2, n), real(3, n), z, real(5, n), real(6, n), vz);
    if (!status) status = ask_bodies(device, nbody, n, flat);
    if (!status) begin_telling(device, COMPILE_ONLY_ANSWERS, 0);
    if (!status) status = ww_nbody_get(nbody, reals(2, n), reals(3, n), z_out, reals(5, n), reals(6, n), vz_out);
    ww_nbody_destroy(nbody);
    return status;
}

static ww_status ask_grid(ww_grid *grid, const ww_type *type, const ww_points *points, uint64_t n, bool flat) {
    const ww_array offsets = array(8, &ww_type_uint64_t, n + 1), indices = array(9, &ww_type_uint32_t, n);
    const ww_particles particles = {array(1, type, n), array(2, type, n), flat ? ww_none : array(3, type, n),
                                    array(4, type, n), array(5, type, n), flat ? ww_none : array(6, type, n)};
    ww_grid_near_options near = WW_GRID_NEAR_OPTIONS;
    ww_collide_options collide = WW_COLLIDE_OPTIONS;
    uint64_t total;
    collide.radius = 1;
    collide.walls = 1;
    ww_status status = ww_grid_rebuild(grid, points);
    if (!status) status = ww_grid_near_counts(grid, points, 1, indices);
    if (!status) status = ww_grid_near_offsets(grid, points, 1, offsets, &total);
    for (near.order = WW_GRID_BY_CELLS; !status && near.order <= WW_GRID_BY_INDEX; near.order++)
        status = of_data(ww_grid_near(grid, points, 1, offsets, indices, &near));
    if (!status) status = of_data(ww_grid_lists(grid, 1, array(10, &ww_type_uint32_t, n), offsets, indices, &total));
    for (uint32_t k = 1; !status && k <= 64; k *= 4)
        status = ww_grid_nearest(grid, points, k, array(9, &ww_type_uint32_t, k * n), array(10, type, k * n));
    return status ? status : ww_grid_collide(grid, &particles, &collide);
}

static ww_status make_grid(ww_device *device, const ww_type *type, uint64_t n, size_t variant) {
    static const uint32_t domains[] = {WW_GRID_FITTING, WW_GRID_BOX, WW_GRID_UNBOUNDED};
    ww_status status = WW_OK;
    for (int flat = 0; !status && flat < 2; flat++) {
        const ww_points points = {input(1, type, n), input(2, type, n), flat ? ww_no_input : input(3, type, n)};
        ww_grid_options o = WW_GRID_OPTIONS;
        ww_grid *grid = NULL;
        o.method = variant % 2 ? WW_GRID_ATOMICS : WW_GRID_SORTING;
        o.domain = domains[variant / 2];
        o.cell = 2;
        for (int k = 0; k < 3; k++) o.high[k] = k == 2 && flat ? 0 : 100;
        status = ww_grid_create(device, &points, &o, &grid);
        if (!status) status = ask_grid(grid, type, &points, n, flat);
        ww_grid_destroy(grid);
    }
    return status;
}

static ww_status ask_tree(ww_radix_tree *tree, ww_input numbers, ww_array out) {
    ww_status status = ww_radix_tree_find(tree, numbers, out);
    if (!status) status = ww_radix_tree_match(tree, numbers, out);
    if (!status) status = ww_radix_tree_lower_bound(tree, numbers, out);
    return status ? status : ww_radix_tree_upper_bound(tree, numbers, out);
}

static ww_status ask_strings(ww_radix_tree *tree, uint64_t n, ww_array out) {
    ww_status status = WW_OK;
    for (int query = WW_RADIX_FIND; !status && query <= WW_RADIX_UPPER_BOUND; query++)
        status = ww_radix_tree_strings(tree, (ww_radix_query)query, input(1, &ww_type_uint8_t, 8 * n),
                                       input(2, &ww_type_uint64_t, n + 1), out);
    return status;
}

static ww_status make_radix_tree(ww_device *device, const ww_type *type, uint64_t n, size_t variant) {
    (void)variant;
    const bool strings = type->size == 1;
    const ww_array out = array(5, &ww_type_uint64_t, n);
    ww_radix_tree *tree = NULL;
    ww_status status = ww_radix_tree_create(device, NULL, &tree);
    if (!status)
        status = strings ? ww_radix_tree_build_strings(tree, input(1, type, 8 * n), input(2, &ww_type_uint64_t, n + 1),
                                                       ww_no_input)
                         : ww_radix_tree_build(tree, input(1, type, n), ww_no_input);
    if (!status) begin_telling(device, COMPILE_ONLY_ANSWERS, 0); /* what is asked is right */
    if (!status) status = strings ? ask_strings(tree, n, out) : ask_tree(tree, input(1, type, n), out);
    ww_radix_tree_destroy(tree);
    return status;
}

static ww_status make_volumes(ww_device *device, const ww_type *type, uint64_t n, size_t variant) {
    (void)type, (void)variant;
    const ww_input boxes = input(1, &ww_volume_box_ww, n), points = input(2, &ww_volume_point_ww, n);
    ww_volumes *volumes = NULL;
    uint64_t total;
    ww_status status = ww_volumes_create(device, &volumes);
    if (!status) status = of_data(ww_volumes_build_codes(volumes, input(3, &ww_type_uint64_t, n)));
    if (!status) status = of_data(ww_volumes_build_points(volumes, points));
    if (!status) status = of_data(ww_volumes_build_boxes(volumes, boxes));
    if (!status) status = of_data(ww_volumes_nearest(volumes, points, array(4, &ww_volume_nearest_ww, n)));
    if (!status)
        status = ww_volumes_meet(volumes, boxes, array(5, &ww_type_uint64_t, n + 1), array(6, &ww_type_uint32_t, n),
                                 &total);
    ww_volumes_destroy(volumes);
    return status;
}

ww_status bodies_calls(ww_device *device, uint64_t n, size_t variant) {
    if (n > 1 << 23) return WW_OK; /* plans are the same */
    begin_telling(device, COMPILE_ONLY_ANSWERS, 0);
    const ww_status status = make_bodies(device, n, variant);
    end_telling(device);
    return of_data(status);
}
ww_status grid_calls(ww_device *device, const ww_type *type, uint64_t n, size_t variant) {
    return each_way(make_grid, device, type, n, variant);
}
ww_status radix_tree_calls(ww_device *device, const ww_type *type, uint64_t n) {
    return each_way(make_radix_tree, device, type, n, 0);
}
ww_status volumes_calls(ww_device *device, uint64_t n) { return each_way(make_volumes, device, NULL, n, 0); }
