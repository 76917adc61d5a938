/* Outputs that are computed: taking them apart, their checks, and writing them on a CPU. */
#include "function/into.h"

#include <string.h>

#include "device/members.h"
#include "function/check.h"
#include "function/columns.h"
#include "function/function.h"
#include "function/into_gpu.h"

typedef unsigned long long ull;

void ww__into_of(const ww_array *out, ww__into *into) {
    const ww_computed_array *c = out->data;
    memset(into, 0, sizeof *into);
    into->type = into->row = out->type;
    into->size = into->row_size = out->size;
    into->count = out->count;
    if (out->reserved != WW_ARRAY_COMPUTED || !c || !c->into) return;
    const ww_array *arrays = c->into;
    uint64_t many = c->many;
    if (c->function) {
        into->function = c->function;
        into->row = arrays->type;
        into->row_size = arrays->size;
        into->zipped = arrays->reserved == WW_ARRAY_COMPUTED;
        if (into->zipped) {
            c = arrays->data;
            if (!c || !c->into || c->function) return;
            arrays = c->into;
            many = c->many;
        }
    } else {
        into->zipped = true;
    }
    if (!many || many > WW_ZIP_MOST || (!into->zipped && many > 1)) return;
    for (uint64_t k = 0; k < many; k++)
        if (arrays[k].reserved) return;
    into->many = (uint32_t)many;
    memcpy(into->array, arrays, (size_t)many * sizeof *arrays);
}

static ww_status check_zipped(ww_device *device, const char *name, ww__into *into) {
    const ww_type *part[WW_ZIP_MOST];
    ww__zipped z[WW_ZIP_MOST];
    WW_CHECK(device, into->row && into->row->kind == WW_KIND_STRUCT, WW_TYPE,
             "%s is zipped into arrays of type %s, which is no WW_STRUCT", name, into->row ? into->row->label : "NULL");
    for (uint32_t k = 0; k < into->many; k++) part[k] = into->array[k].type;
    WW_CHECK(device, ww__zip_members(into->row, part, into->many, z), WW_TYPE,
             "%s is zipped into %u arrays, whose types are not those of the members of %s", name, into->many,
             into->row->label);
    for (uint32_t k = 0; k < into->many; k++) into->at[k] = z[k].offset;
    return WW_OK;
}

ww_status ww__check_into_apart(ww_device *device, const char *name, const ww_input *in, const ww__into *into) {
    for (uint32_t k = 0; k < into->many; k++)
        WW_TRY(ww__check_apart(device, name, in, "out", &into->array[k], WW__APART));
    return WW_OK;
}

/* Whether it is one at all. */
static ww_status check_form(ww_device *device, const char *name, const ww__into *into) {
    WW_CHECK(
        device, into->many, WW_INVALID,
        "%s has a reserved word that is not 0, nor what ww_mapped_into or ww_zipped_into (1 to %d arrays, which are not computed in turn) "
        "puts there",
        name, WW_ZIP_MOST);
    WW_CHECK(device, into->type, WW_TYPE, "%s has no type", name);
    return WW_OK;
}

ww_status ww__check_into_arrays(ww_device *device, const char *name, ww__into *into) {
    WW_TRY(check_form(device, name, into));
    if (into->function) {
        WW_TRY(ww__check_map(device, into->function, into->type, into->size, NULL, 0, false));
        WW_TRY(ww__check_same_type(device, into->function->name, into->function->result, into->function->result->size,
                                   name, into->row, into->row_size));
    }
    for (uint32_t k = 0; k < into->many; k++) {
        const ww_array *a = &into->array[k];
        WW_TRY(ww__check_array(device, name, a));
        WW_CHECK(device, a->count == into->count, WW_INVALID, "array %u of %s has %llu elements, array 0 %llu", k, name,
                 (ull)a->count, (ull)into->count);
        for (uint32_t l = 0; l < k; l++)
            WW_TRY(ww__check_outputs_apart(device, "an array", &into->array[l], "another one", a));
        if (into->function) WW_TRY(ww__check_environment_apart(device, into->function, name, a));
    }
    return into->zipped ? check_zipped(device, name, into) : WW_OK;
}

ww_status ww__check_into(ww_device *device, ww__into *into, const ww_input *in) {
    WW_TRY(check_form(device, "out", into));
    WW_TRY(ww__check_same_type(device, "the result", in->type, in->size, "out", into->type, into->size));
    WW_TRY(ww__check_into_arrays(device, "out", into));
    WW_CHECK(device, into->count == in->count, WW_INVALID, "out has %llu elements, the input %llu", (ull)into->count,
             (ull)in->count);
    return ww__check_into_apart(device, "an input", in, into);
}

ww_status ww__check_into_size(ww_device *device, const ww__into *into) {
    WW_CHECK(device, into->size <= WW__INTO_MOST && into->row_size <= WW__INTO_MOST, WW_LIMIT,
             "outputs that are computed of elements of %zu bytes are a CPU's only; a GPU takes up to %d",
             into->size > into->row_size ? into->size : into->row_size, WW__INTO_MOST);
    return WW_OK;
}

/* ---- on a CPU ---- */

size_t ww__into_room(const ww__into *into, size_t n) {
    return into->function ? ww__round_up(n * into->row_size, 64) : 0;
}

void ww__into_put(const ww_device *device, const ww__into *into, uint64_t first, const void *x, size_t n,
                  void *buffer) {
    void *to[WW_ZIP_MOST];
    for (uint32_t k = 0; k < into->many; k++)
        to[k] = (unsigned char *)into->array[k].data + first * into->array[k].size;
    if (into->function) {
        const ww_map_loops *const loops = ww__loops(device, into->function);
        void *const y = into->zipped ? buffer : to[0];
        loops->map(y, x, NULL, into->function->bound, n);
        x = y;
    }
    if (!into->zipped) return;
    size_t sizes[WW_ZIP_MOST];
    for (uint32_t k = 0; k < into->many; k++) sizes[k] = into->array[k].size;
    ww__take_apart(device, to, sizes, into->at, into->many, x, into->row_size, n);
}
