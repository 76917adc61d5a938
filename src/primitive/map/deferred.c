/* Outputs that are computed, of calls that write plain arrays alone: the call writes scratch memory, and what it has written there is
 * stored through the function, or to the members' arrays, behind it. That is one write and one read more than a call that does it in its
 * own pass, and works for all of them: a call that says that it writes all of an array, the first so many, those that it has found, or
 * those between two places. */
#include <string.h>

#include "device/call.h"
#include "device/gpu/gpu.h"
#include "function/check.h"
#include "function/function.h"
#include "primitive/map/map.h"

/* "&r.keys_out" is keys_out. */
static const char *name_of(const ww__given *g) {
    const char *name = g->name;
    for (const char *at = name; *at; at++)
        if (*at == '&' || *at == '.' || *at == '>') name = at + 1;
    return name;
}

/* ---- before ---- */

static ww_status check_apart_of_given(ww_device *device, const char *name, const ww_array *array, const ww__given *g) {
    if (g->input && g->input->steps <= WW_INPUT_STEPS && !g->input->problem)
        WW_TRY(ww__check_apart(device, name_of(g), g->input, name, array, WW__APART));
    if (g->function && *g->function) WW_TRY(ww__check_environment_apart(device, *g->function, name, array));
    if (!g->array) return WW_OK;
    if (!g->array->reserved) return ww__check_outputs_apart(device, name, array, name_of(g), g->array);
    ww__into other;
    ww__into_of(g->array, &other);
    for (uint32_t k = 0; k < other.many; k++)
        WW_TRY(ww__check_outputs_apart(device, name, array, name_of(g), &other.array[k]));
    return ww__check_into_reads_apart(device, &other, name, array);
}

/* Nothing that the call reads or writes besides. */
static ww_status check_alone(ww_device *device, const ww__given *given, size_t many, size_t which,
                             const ww__into *into) {
    for (size_t g = 0; g < many; g++) {
        ww__into other = {.many = 0};
        if (g == which) continue;
        if (given[g].array && given[g].array->reserved) ww__into_of(given[g].array, &other);
        if (given[g].array && !given[g].array->reserved)
            WW_TRY(ww__check_into_reads_apart(device, into, name_of(&given[g]), given[g].array));
        for (uint32_t k = 0; k < other.many; k++)
            WW_TRY(ww__check_into_reads_apart(device, into, name_of(&given[g]), &other.array[k]));
        for (uint32_t k = 0; k < into->many; k++) {
            const uint64_t *number = ww__number_of(&given[g]);
            const ww_array *a = &into->array[k];
            WW_TRY(check_apart_of_given(device, name_of(&given[which]), a, &given[g]));
            WW_CHECK(device, !number || !ww__overlap(number, sizeof *number, a->data, (size_t)a->count * a->size),
                     WW_OVERLAP, "the count of %s lies in %s", name_of(&given[g]), name_of(&given[which]));
        }
    }
    return WW_OK;
}

/* An output that says which elements are there: a caller who does not want it has one, too. */
static ww_status need_flags(ww_device *device, const ww__given *given, size_t many, const ww_array *flags,
                            uint64_t count) {
    for (size_t g = 0; g < many; g++) {
        void *bytes;
        if (given[g].array != flags || !ww__is_none(flags)) continue;
        WW_TRY(ww__scratch(device, (size_t)count, &bytes));
        *given[g].array = ww_array_of(bytes, count, &ww_type_uint8_t);
    }
    return WW_OK;
}

static ww_status defer_one(ww_device *device, const ww__given *given, size_t many, size_t which, ww__deferred *d) {
    const ww__given *g = &given[which];
    ww__into into;
    ww__into_of(g->array, &into);
    WW_CHECK(device, g->use != WW__WRITES_SOME, WW_INVALID,
             "%s is an output that is computed, which this call does not take: it reads some of what stands there, or "
             "leaves it, and what it writes is known to it alone",
             name_of(g));
    WW_CHECK(device, d->many < WW__DEFERRED, WW_LIMIT, "more than %d outputs are computed", WW__DEFERRED);
    WW_TRY(ww__check_into_arrays(device, name_of(g), &into));
    WW_TRY(check_alone(device, given, many, which, &into));
    device->stores = WW__STORES_NONE;
    device->stage_wanted = false; /* where the arrays lie matters when they are stored to */
    ww_array held = {.count = into.count, .type = into.type, .size = into.size};
    WW_TRY(ww__scratch_array(device, held.count, held.size, &held.data));
    if (g->use == WW__WRITES_WHERE) WW_TRY(need_flags(device, given, many, g->count, held.count));
    d->at[d->many].given = which;
    d->at[d->many].out = *g->array;
    d->at[d->many++].held = *g->array = held;
    return WW_OK;
}

ww_status ww__defer(ww_device *device, const ww__given *given, size_t many, ww__deferred *d) {
    for (size_t g = 0; g < many; g++)
        if (given[g].array && ww__is_computed(given[g].array)) WW_TRY(defer_one(device, given, many, g, d));
    device->deferred = d;
    device->begin = ww__scratch_here(device);
    return WW_OK;
}

ww_status ww__check_not_deferred(ww_device *device, const char *name, const ww_array *one) {
    const ww__deferred *d = device->deferred;
    for (size_t k = 0; k < d->many; k++) {
        ww__into into;
        ww__into_of(&d->at[k].out, &into);
        for (uint32_t j = 0; j < into.many; j++)
            WW_TRY(ww__check_outputs_apart(device, name, one, "an output that is computed", &into.array[j]));
        WW_TRY(ww__check_into_reads_apart(device, &into, name, one));
    }
    return WW_OK;
}

/* ---- behind ---- */

/* How many elements the call has written, where the host can know it; else *number is where a GPU's kernels see it. */
static ww_status written(ww_device *device, const ww_array *count, uint64_t most, uint64_t *elements,
                         const ww_array **number) {
    uint64_t wide = most;
    uint32_t narrow = 0;
    *elements = most;
    *number = NULL;
    if (!count || device->on_paper) return WW_OK;
    if (device->gpu && device->gpu->driver->place(device->gpu->driver, count->data) != WW__PLACE_UNREACHABLE) {
        *number = count;
        return WW_OK;
    }
    memcpy(count->size == sizeof wide ? (void *)&wide : (void *)&narrow, count->data, count->size);
    *elements = ww__min_u64(most, count->size == sizeof wide ? wide : narrow);
    return WW_OK;
}

ww_status ww__put_range(ww_device *device, const ww_input *offsets, uint64_t ends[2], ww_array *range) {
    const uint64_t last = offsets->count - 1;
    *range = ww_none;
    if (!device->deferred || !device->deferred->many) return WW_OK;
    *range = ww_array_of(ends, 2, &ww_type_uint64_t);
    if (!device->gpu) {
        WW_TRY(ww__input_number(device, offsets, 0, &ends[0]));
        return ww__input_number(device, offsets, last, &ends[1]);
    }
    const ww_input both = ww_strided(ww_counting(&ww_type_uint64_t, 0, offsets->count), 0, (int64_t)last, 2);
    const ww_input in = ww_cast(&ww_type_uint64_t, ww_permuted(*offsets, both));
    WW_TRY(ww__scratch_array(device, 2, sizeof *ends, &range->data));
    WW_TRY(ww__check_input(device, "offsets", &in));
    return ww__map(device, &(ww__map_request){&in, range, NULL});
}

/* Flags where the device reads them: one alone may be the host's. */
static ww_status reach_flags(ww_device *device, ww_array *flags) {
    void *copy;
    if (!device->gpu || device->gpu->driver->place(device->gpu->driver, flags->data) != WW__PLACE_UNREACHABLE)
        return WW_OK;
    WW_TRY(ww__scratch(device, (size_t)flags->count, &copy));
    WW_TRY(ww__gpu_copy(device, copy, flags->data, (size_t)flags->count));
    flags->data = copy;
    return WW_OK;
}

static ww_status store(ww_device *device, const char *name, ww__map_into_request *r, ww__into *into) {
    WW_TRY(ww__check_into_arrays(device, name, into));
    return ww__map_into(device, r);
}

static ww_status store_one(ww_device *device, const ww__given *g, const ww_array *out, const ww_array *held) {
    const ww_array *number;
    ww_status result;
    uint64_t elements;
    ww__into into;
    ww_input in = ww_from(*held);
    const bool where = g->use == WW__WRITES_WHERE, between = g->use == WW__WRITES_BETWEEN;
    const ww__use use = where || between ? WW__WRITES_SOME : WW__WRITES_FIRST;
    const ww_array *const count = g->use == WW__WRITES_FIRST ? g->count : NULL;
    ww_array flags = ww_none;
    if (between && !g->count->data) return WW_OK; /* the call had nothing to do */
    if (where) {
        flags = *g->count;
        if (flags.count) WW_TRY(reach_flags(device, &flags));
    }
    WW_TRY(written(device, count, held->count, &elements, &number));
    in.count = elements;
    ww__into_of(out, &into);
    device->staged = device->stage_wanted = false;
    device->counts = WW__COUNTS_SETTLED;
    device->stores = WW__STORES_NONE;
    device->launched = false;
    device->begin = ww__scratch_here(device);
    ww__map_into_request r = {
        .in = &in, .into = &into, .number = number, .only = where ? &flags : NULL, .range = between ? g->count : NULL};
    WW__RUN(device, result, store(device, name_of(g), &r, &into), WW__USES_INTO(into),
            WW__WRITES_ALL_INTO(into, use, count));
    if (device->checks && !result && !device->on_paper) {
        const ww__given arrays[] = {WW__USES_INTO(into), WW__WRITES_INTO(into)};
        ww__checks_memory(device, arrays, sizeof arrays / sizeof *arrays);
    }
    return result;
}

ww_status ww__store_deferred(ww_device *device, const ww__given *given, const ww__deferred *d, ww_status status) {
    const bool some = !status || device->room_short;
    device->deferred = NULL;
    for (size_t k = 0; k < d->many; k++) {
        const ww__given *g = &given[d->at[k].given];
        if (some) WW_TRY(store_one(device, g, &d->at[k].out, &d->at[k].held));
        g->array->count = 0; /* nobody's any more */
    }
    return status;
}
