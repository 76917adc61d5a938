/* Outputs that are computed, of calls that write plain arrays alone: the call writes scratch memory, and what it has written there is
 * stored through the function, or to the members' arrays, behind it. That is one write and one read more than a call that does it in its
 * own pass, and works for all of them: a call that says that it writes all of an array, or the first so many. */
#include <string.h>

#include "device/call.h"
#include "device/gpu/gpu.h"
#include "function/check.h"
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

static ww_status defer_one(ww_device *device, const ww__given *given, size_t many, size_t which, ww__deferred *d) {
    const ww__given *g = &given[which];
    ww__into into;
    ww__into_of(g->array, &into);
    WW_CHECK(device, g->use == WW__WRITES || g->use == WW__WRITES_FIRST, WW_INVALID,
             "%s is an output that is computed, which a call that leaves some elements as they are does not take",
             name_of(g));
    WW_CHECK(device, d->many < WW__DEFERRED, WW_LIMIT, "more than %d outputs are computed", WW__DEFERRED);
    WW_TRY(ww__check_into_arrays(device, name_of(g), &into));
    WW_TRY(check_alone(device, given, many, which, &into));
    device->stores = WW__STORES_NONE;
    device->stage_wanted = false; /* where the arrays lie matters when they are stored to */
    ww_array held = {.count = into.count, .type = into.type, .size = into.size};
    WW_TRY(ww__scratch_array(device, held.count, held.size, &held.data));
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

static ww_status store(ww_device *device, const char *name, ww_input *in, ww__into *into, const ww_array *number) {
    WW_TRY(ww__check_into_arrays(device, name, into));
    return ww__map_into(device, &(ww__map_into_request){.in = in, .into = into, .number = number});
}

static ww_status store_one(ww_device *device, const ww__given *g, const ww_array *out, const ww_array *held) {
    const ww_array *number;
    ww_status result;
    uint64_t elements;
    ww__into into;
    ww_input in = ww_from(*held);
    const ww_array *const count = g->use == WW__WRITES_FIRST ? g->count : NULL;
    WW_TRY(written(device, count, held->count, &elements, &number));
    in.count = elements;
    ww__into_of(out, &into);
    device->staged = device->stage_wanted = false;
    device->counts = WW__COUNTS_SETTLED;
    device->stores = WW__STORES_NONE;
    device->launched = false;
    device->begin = ww__scratch_here(device);
    WW__RUN(device, result, store(device, name_of(g), &in, &into, number), WW__USES_INTO(into),
            WW__WRITES_FIRST_INTO(into, count));
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
