/* Bodies: their memory, what is put in and taken out, and the public functions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/options.h"
#include "device/paper.h"
#include "space/bodies/bodies.h"

typedef unsigned long long ull;

/* ---- memory ---- */

ww_status ww__bodies_room(ww_nbody *nbody, ww__kept *block, uint64_t count, size_t size, size_t keep) {
    if (count <= block->bytes / size) return WW_OK;
    return ww__kept_capacity(nbody->device, block, count + count / 4, size, keep);
}

/* What does not depend on the tree: 16 arrays of 8 bytes a body (work has one for each group), and the index. */
static ww_status fixed_memory(ww_nbody *nbody) {
    enum { COLUMNS = 17 };
    const uint64_t stride = (nbody->n + 7) / 8 * 8;
    double *at[COLUMNS];
    WW_TRY(ww__kept_capacity(nbody->device, &nbody->fixed, stride, COLUMNS * sizeof(double) + sizeof(uint32_t), 0));
    for (size_t k = 0; k < COLUMNS; k++) at[k] = (double *)nbody->fixed.data + k * stride;
    nbody->column = (body_columns){at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8], at[9], at[10]};
    nbody->sorted = (sorted_bodies){at[11], at[12], at[13], at[14]};
    nbody->codes = (uint64_t *)at[15];
    nbody->work = (uint64_t *)at[16];
    nbody->index = (uint32_t *)(at[16] + stride);
    return WW_OK;
}

/* All bodies at the origin, at rest. */
static ww_status clear(ww_nbody *nbody) {
    const uint64_t columns = (nbody->n + 7) / 8 * 8 * 11;
    nbody->forced = false;
    return ww_fill(nbody->device, ww_array((double *)nbody->fixed.data, columns), ww_value(double, 0));
}

/* ---- made and destroyed ---- */

/* On which devices ranks have neighbours that they walk with (WW_WARP), on others vectors want a loop. From how many bodies on
 * there are warps enough, all pairs, where a lane has two; up to how many warps a group has several; and how many leaves about a
 * group's box are a crowd: up to 160 are usual in 99 of 100 groups. (The emulator is to see all that with few.) */
static const struct {
    const char *backend;
    bool warps;
    uint64_t two_each, walks;
    uint32_t crowd;
} walks[] = {{"cpu", false, 0, 0, 0}, {"cuda", true, 1 << 16, 4096, 256}, {"emu", true, 60, 30, 40}};

static ww_status create(ww_device *device, uint64_t bodies, const ww_nbody_options *options, ww_nbody **made) {
    ww_nbody_options o = WW_NBODY_OPTIONS;
    WW_CHECK(device, made, WW_INVALID, "nbody is NULL");
    *made = NULL;
    WW_TRY(ww__not_on_paper(device));
    if (options) WW_TRY(ww__take_options(device, options, "WW_NBODY_OPTIONS", &o, sizeof o));
    if (!o.dimensions) o.dimensions = 3;
    WW_CHECK(device, bodies <= WW_NBODY_MOST, WW_LIMIT, "%llu bodies, and there can be %llu", (ull)bodies,
             (ull)WW_NBODY_MOST);
    WW_CHECK(device, o.method <= WW_NBODY_EXACT, WW_INVALID, "options.method is %u", o.method);
    WW_CHECK(device, o.dimensions == 2 || o.dimensions == 3, WW_INVALID, "options.dimensions is %u", o.dimensions);
    WW_CHECK(device, o.theta >= 0 && isfinite(o.theta), WW_INVALID, "options.theta is %g", o.theta);
    WW_CHECK(device, o.softening >= 0 && o.softening <= 1e150, WW_INVALID, "options.softening is %g", o.softening);
    ww_nbody *const nbody = ww__allocate(device, sizeof *nbody, _Alignof(ww_nbody));
    if (!nbody) return ww__no_memory(device, sizeof *nbody);
    memset(nbody, 0, sizeof *nbody);
    nbody->device = device;
    nbody->options = o;
    nbody->n = bodies;
    nbody->exact = o.method == WW_NBODY_EXACT || (o.method == WW_NBODY_AUTO && o.theta == 0);
    *made = nbody;
    return WW_OK;
}

ww_status ww_nbody_create(ww_device *device, uint64_t bodies, const ww_nbody_options *options, ww_nbody **nbody) {
    ww_device_info info = WW_DEVICE_INFO;
    WW_TRY(ww__enter(device, "ww_nbody_create"));
    WW_TRY(ww__leave(device, create(device, bodies, options, nbody)));
    ww_status status = ww_device_info_get(device, &info);
    for (size_t k = 0; !status && k < sizeof walks / sizeof *walks; k++)
        if (!strcmp(info.backend, walks[k].backend)) {
            (*nbody)->warps = walks[k].warps;
            (*nbody)->two_each = walks[k].two_each;
            (*nbody)->crowd = walks[k].crowd;
            (*nbody)->walks = walks[k].walks;
        }
    if (!status && bodies) status = fixed_memory(*nbody);
    if (!status && bodies) status = clear(*nbody);
    if (!status) return WW_OK;
    ww_nbody_destroy(*nbody);
    *nbody = NULL;
    return status;
}

void ww_nbody_destroy(ww_nbody *nbody) {
    if (!nbody) return;
    ww__kept_drop(nbody->device, &nbody->fixed);
    ww__kept_drop(nbody->device, &nbody->node);
    ww__kept_drop(nbody->device, &nbody->places);
    ww__kept_drop(nbody->device, &nbody->box);
    ww__kept_drop(nbody->device, &nbody->moments);
    ww__kept_drop(nbody->device, &nbody->counts);
    ww__kept_drop(nbody->device, &nbody->parts);
    ww__kept_drop(nbody->device, &nbody->progress);
    ww__release(nbody->device, nbody, sizeof *nbody);
}

/* ---- in and out ---- */

enum { IN = 7 };
static const char *const names[IN] = {"mass", "x", "y", "z", "vx", "vy", "vz"};

/* In the order of the names, of which the first are the columns' first. */
static double *column_of(const ww_nbody *nbody, size_t k) {
    double *const at[IN] = {nbody->column.m,  nbody->column.x,  nbody->column.y, nbody->column.z,
                            nbody->column.vx, nbody->column.vy, nbody->column.vz};
    return at[k];
}

WW_MAP(first_wrong, uint64_t, uint64_t, i, body_columns, c, {
    bool right = true;
    right = right && c->m[i] >= -1e150 && c->m[i] <= 1e150;
    right = right && c->x[i] >= -1e150 && c->x[i] <= 1e150;
    right = right && c->y[i] >= -1e150 && c->y[i] <= 1e150;
    right = right && c->z[i] >= -1e150 && c->z[i] <= 1e150;
    right = right && c->vx[i] >= -1e150 && c->vx[i] <= 1e150;
    right = right && c->vy[i] >= -1e150 && c->vy[i] <= 1e150;
    right = right && c->vz[i] >= -1e150 && c->vz[i] <= 1e150;
    return right ? UINT64_MAX : i;
});

/* A sentence about the body whose numbers are not all fine. */
static ww_status say_wrong(ww_nbody *nbody, const char *call, uint64_t body, uint64_t step) {
    double value = 0;
    size_t k = 0;
    for (; k < IN; k++) {
        WW_TRY(ww_copy(nbody->device, ww_memory(column_of(nbody, k) + body, 1), ww_array(&value, 1)));
        WW_TRY(ww_sync(nbody->device));
        if (!(value >= -1e150 && value <= 1e150)) break;
    }
    if (step)
        return ww__fail_call(nbody->device, call, WW_RANGE, "after step %llu body %llu has %s %g", (ull)step, (ull)body,
                             k < IN ? names[k] : "x", value);
    return ww__fail_call(nbody->device, call, WW_RANGE, "body %llu has %s %g: numbers are finite, and up to 1e150",
                         (ull)body, k < IN ? names[k] : "x", value);
}

static ww_status check_in(ww_device *device, const ww_nbody *nbody, const ww_input *in) {
    WW_TRY(ww__not_on_paper(device));
    for (size_t k = 0; k < IN; k++) {
        const bool flat = nbody->options.dimensions == 2 && (k == 3 || k == 6);
        WW_CHECK(device, flat || in[k].type, WW_INVALID, "%s is missing", names[k]);
        WW_CHECK(device, !flat || !in[k].type, WW_INVALID, "%s is given, in two dimensions", names[k]);
        if (!in[k].type) continue;
        WW_CHECK(device, in[k].type == &ww_type_double, WW_TYPE, "%s is %s, and has to be f64", names[k],
                 in[k].type->label);
        WW_CHECK(device, in[k].count == nbody->n, WW_INVALID, "there are %llu bodies, and %s has %llu elements",
                 (ull)nbody->n, names[k], (ull)in[k].count);
    }
    return WW_OK;
}

static ww_status fill_columns(ww_nbody *nbody, const ww_input *in, uint64_t *wrong) {
    for (size_t k = 0; k < IN; k++) {
        const ww_input column = in[k].type ? in[k] : ww_constant(ww_value(double, 0), nbody->n);
        WW_TRY(ww_store(nbody->device, column, ww_array(column_of(nbody, k), nbody->n)));
    }
    const ww_input bodies = ww_counting(&ww_type_uint64_t, 0, nbody->n);
    return ww_reduce(nbody->device, &ww_min, ww_mapped(ww_with(first_wrong, &nbody->column), bodies),
                     ww_array(wrong, 1));
}

ww_status ww_nbody_set(ww_nbody *nbody, ww_input mass, ww_input x, ww_input y, ww_input z, ww_input vx, ww_input vy,
                       ww_input vz) {
    static const char call[] = "ww_nbody_set";
    const ww_input in[IN] = {mass, x, y, z, vx, vy, vz};
    uint64_t wrong = UINT64_MAX;
    if (!nbody) return WW_INVALID;
    WW_TRY(ww__enter(nbody->device, call));
    WW_TRY(ww__leave(nbody->device, check_in(nbody->device, nbody, in)));
    if (!nbody->n) return WW_OK;
    nbody->forced = false;
    ww_status status = fill_columns(nbody, in, &wrong);
    if (!status && wrong == UINT64_MAX) return WW_OK;
    if (!status) status = say_wrong(nbody, call, wrong, 0);
    char sentence[256];
    snprintf(sentence, sizeof sentence, "%s", ww_error(nbody->device));
    if (clear(nbody) || !strstr(sentence, call)) return status;
    return ww__fail_call(nbody->device, call, status, "%s", sentence + strlen(call) + 2);
}

/* Copies columns to outputs, those that are wanted. */
static ww_status check_out(ww_device *device, const ww_nbody *nbody, const ww_array *out, const char *const *name,
                           size_t many) {
    WW_TRY(ww__not_on_paper(device));
    for (size_t k = 0; k < many; k++) {
        if (!out[k].type) continue;
        WW_CHECK(device, out[k].type == &ww_type_double, WW_TYPE, "%s is %s, and has to be f64", name[k],
                 out[k].type->label);
        WW_CHECK(device, out[k].count == nbody->n, WW_INVALID, "there are %llu bodies, and %s has %llu elements",
                 (ull)nbody->n, name[k], (ull)out[k].count);
    }
    return WW_OK;
}

static ww_status copy_out(ww_nbody *nbody, const ww_array *out, double *const *from, size_t many) {
    for (size_t k = 0; k < many && nbody->n; k++)
        if (out[k].type) WW_TRY(ww_copy(nbody->device, ww_memory(from[k], nbody->n), out[k]));
    return WW_OK;
}

ww_status ww_nbody_get(ww_nbody *nbody, ww_array x, ww_array y, ww_array z, ww_array vx, ww_array vy, ww_array vz) {
    if (!nbody) return WW_INVALID;
    const body_columns *c = &nbody->column;
    const ww_array out[] = {x, y, z, vx, vy, vz};
    double *const from[] = {c->x, c->y, c->z, c->vx, c->vy, c->vz};
    WW_TRY(ww__enter(nbody->device, "ww_nbody_get"));
    WW_TRY(ww__leave(nbody->device, check_out(nbody->device, nbody, out, names + 1, 6)));
    return copy_out(nbody, out, from, 6);
}

/* ---- forces and steps ---- */

static ww_status force(ww_nbody *nbody, const char *call, uint64_t step) {
    uint64_t lost = UINT64_MAX;
    if (nbody->forced || !nbody->n) return WW_OK;
    WW_TRY(ww__bodies_forces(nbody, &lost));
    return lost == UINT64_MAX ? WW_OK : say_wrong(nbody, call, lost, step);
}

ww_status ww_nbody_forces(ww_nbody *nbody, ww_array ax, ww_array ay, ww_array az, ww_array potential) {
    static const char call[] = "ww_nbody_forces";
    static const char *const out_names[] = {"ax", "ay", "az", "potential"};
    if (!nbody) return WW_INVALID;
    const ww_array out[] = {ax, ay, az, potential};
    WW_TRY(ww__enter(nbody->device, call));
    WW_TRY(ww__leave(nbody->device, check_out(nbody->device, nbody, out, out_names, 4)));
    WW_TRY(force(nbody, call, 0));
    double *const from[] = {nbody->column.ax, nbody->column.ay, nbody->column.az, nbody->column.potential};
    return copy_out(nbody, out, from, 4);
}

static ww_status check_step(ww_device *device, double dt) {
    WW_TRY(ww__not_on_paper(device));
    WW_CHECK(device, isfinite(dt), WW_INVALID, "dt is %g", dt);
    return WW_OK;
}

ww_status ww_nbody_step(ww_nbody *nbody, double dt, uint64_t steps) {
    static const char call[] = "ww_nbody_step";
    if (!nbody) return WW_INVALID;
    WW_TRY(ww__enter(nbody->device, call));
    WW_TRY(ww__leave(nbody->device, check_step(nbody->device, dt)));
    for (uint64_t step = 1; nbody->n && step <= steps; step++) {
        WW_TRY(force(nbody, call, 0));
        WW_TRY(ww__bodies_move(nbody, dt / 2, dt));
        nbody->forced = false;
        WW_TRY(force(nbody, call, step));
        WW_TRY(ww__bodies_move(nbody, dt / 2, 0));
    }
    return WW_OK;
}

ww_status ww_nbody_totals_get(ww_nbody *nbody, ww_nbody_totals *totals) {
    static const char call[] = "ww_nbody_totals_get";
    ww_nbody_totals made = WW_NBODY_TOTALS;
    if (!nbody) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(nbody->device, call));
    WW_TRY(ww__enter(nbody->device, call));
    WW_TRY(ww__leave(nbody->device, ww__give_struct(nbody->device, &made, "WW_NBODY_TOTALS", totals, sizeof made)));
    WW_TRY(force(nbody, call, 0));
    if (nbody->n) WW_TRY(ww__bodies_totals(nbody, &made));
    WW_TRY(ww__enter(nbody->device, call));
    return ww__leave(nbody->device, ww__give_struct(nbody->device, &made, "WW_NBODY_TOTALS", totals, sizeof made));
}
