/* Outputs that are computed: taking them apart, their checks, and writing them on a CPU. */
#include "function/into.h"

#include <string.h>

#include "device/members.h"
#include "function/check.h"
#include "function/columns.h"
#include "function/computed.h"
#include "function/function.h"
#include "function/into_gpu.h"

typedef unsigned long long ull;

/* Steps over a function or an index, whatever comes first; false where there is neither, or one of them again. */
static bool step_into(ww__into *into, const ww_array **at) {
    const ww_array *const a = *at;
    if (a->reserved == WW_ARRAY_PERMUTED && a->data && !into->permuted) {
        const ww_permuted_array *const p = a->data;
        if (!p->into || !p->index) return false;
        into->permuted = true;
        into->index = *p->index;
        into->counted = into->index.count_at != NULL; /* which is refused, and not looked at before */
        into->index.count_at = NULL;
        *at = p->into;
        return true;
    }
    if (a->reserved != WW_ARRAY_COMPUTED || !a->data || into->function) return false;
    const ww_computed_array *const c = a->data;
    if (!c->function || !c->into || c->many != 1) return false;
    into->function = c->function;
    into->row = c->into->type;
    into->row_size = c->into->size;
    *at = c->into;
    return true;
}

void ww__into_of(const ww_array *out, ww__into *into) {
    const ww_array *at = out;
    uint64_t many = 1;
    memset(into, 0, sizeof *into);
    into->type = into->row = out->type;
    into->size = into->row_size = out->size;
    into->count = out->count;
    while (step_into(into, &at)) {}
    into->room = at->count;
    if (at->reserved == WW_ARRAY_COMPUTED) {
        const ww_computed_array *const c = at->data;
        if (!c || c->function || !c->into) return;
        into->zipped = true;
        at = c->into;
        many = c->many;
    }
    if (!many || many > WW_ZIP_MOST) return;
    for (uint64_t k = 0; k < many; k++)
        if (at[k].reserved) return;
    into->many = (uint32_t)many;
    memcpy(into->array, at, (size_t)many * sizeof *at);
}

static ww_status check_zipped(ww_device *device, const char *name, ww__into *into) {
    const ww_type *part[WW_ZIP_MOST];
    ww__zipped z[WW_ZIP_MOST];
    WW_CHECK(device, into->row && into->row->kind == WW_KIND_STRUCT, WW_TYPE,
             "%s is zipped into arrays of type %s, which is not a WW_STRUCT", name,
             into->row ? into->row->label : "NULL");
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

ww_status ww__check_into_reads_apart(ww_device *device, const ww__into *into, const char *name, const ww_array *array) {
    if (into->permuted) WW_TRY(ww__check_apart(device, "an index", &into->index, name, array, WW__APART));
    return into->function ? ww__check_environment_apart(device, into->function, name, array) : WW_OK;
}

ww_status ww__check_into_form(ww_device *device, const char *name, const ww__into *into) {
    WW_CHECK(
        device, into->many, WW_INVALID,
        "%s has a reserved word that is not 0, nor what ww_mapped_into, ww_permuted_into or ww_zipped_into (1 to %d arrays, which are "
        "not computed in turn) puts there",
        name, WW_ZIP_MOST);
    WW_CHECK(device, into->type, WW_TYPE, "%s has no type", name);
    return WW_OK;
}

ww_status ww__check_into_arrays(ww_device *device, const char *name, ww__into *into) {
    WW_TRY(ww__check_into_form(device, name, into));
    if (into->function) {
        WW_TRY(ww__check_map(device, into->function, into->type, into->size, NULL, 0, false));
        WW_TRY(ww__check_same_type(device, into->function->name, into->function->result, into->function->result->size,
                                   name, into->row, into->row_size));
    }
    if (into->permuted) {
        WW_CHECK(device, !into->counted, WW_UNSUPPORTED, "the index of %s has a count on the device", name);
        WW_TRY(ww__check_index(device, "the index of ww_permuted_into", &into->index));
    }
    for (uint32_t k = 0; k < into->many; k++) {
        const ww_array *a = &into->array[k];
        const uint64_t count = into->permuted ? into->room : into->count;
        WW_TRY(ww__check_array(device, name, a));
        WW_CHECK(device, a->count == count, WW_INVALID, "array %u of %s has %llu elements, array 0 %llu", k, name,
                 (ull)a->count, (ull)count);
        for (uint32_t l = 0; l < k; l++)
            WW_TRY(ww__check_outputs_apart(device, "an array", &into->array[l], "another one", a));
        WW_TRY(ww__check_into_reads_apart(device, into, name, a));
    }
    return into->zipped ? check_zipped(device, name, into) : WW_OK;
}

ww_status ww__check_into(ww_device *device, ww__into *into, const ww_input *in) {
    WW_TRY(ww__check_into_form(device, "out", into));
    WW_TRY(ww__check_same_type(device, "the result", in->type, in->size, "out", into->type, into->size));
    WW_TRY(ww__check_into_arrays(device, "out", into));
    WW_CHECK(device, into->count == in->count, WW_INVALID, "out has %llu elements, the input %llu", (ull)into->count,
             (ull)in->count);
    return ww__check_into_apart(device, "an input", in, into);
}

ww_status ww__check_into_size(ww_device *device, const ww__into *into) {
    WW_CHECK(device, into->size <= WW__INTO_MOST && into->row_size <= WW__INTO_MOST, WW_LIMIT,
             "computed outputs of elements of %zu bytes are written on a CPU only; a GPU takes up to %d",
             into->size > into->row_size ? into->size : into->row_size, WW__INTO_MOST);
    return WW_OK;
}

/* ---- on a CPU ---- */

static size_t rows_room(const ww__into *into, size_t n) {
    return into->function ? ww__round_up(n * into->row_size, 64) : 0;
}

size_t ww__into_room(const ww__into *into, size_t n) {
    return rows_room(into, n) + (into->permuted ? ww__input_room(&into->index, n) : 0);
}

void ww__into_put(const ww_device *device, const ww__into *into, uint64_t first, const void *x, size_t n,
                  void *buffer) {
    void *to[WW_ZIP_MOST];
    size_t sizes[WW_ZIP_MOST];
    const bool straight = !into->zipped && !into->permuted;
    for (uint32_t k = 0; k < into->many; k++) {
        sizes[k] = into->array[k].size;
        to[k] = (unsigned char *)into->array[k].data + (into->permuted ? 0 : first * sizes[k]);
    }
    if (into->function) {
        const ww_map_loops *const loops = ww__loops(device, into->function);
        void *const y = straight ? to[0] : buffer;
        loops->map(y, x, NULL, into->function->bound, n);
        x = y;
    }
    if (into->permuted) {
        unsigned char *const room = (unsigned char *)buffer + rows_room(into, n);
        const void *const index = ww__input_read(device, &into->index, first, n, room);
        const ww__at_indices at = {into->index.type, index, first, into->room};
        for (uint32_t k = 0; k < into->many; k++)
            ww__put_at_indices(device, &at, to[k], sizes[k], (const unsigned char *)x + into->at[k], into->row_size, n);
    } else if (into->zipped) {
        ww__take_apart(device, to, sizes, into->at, into->many, x, into->row_size, n);
    }
}
