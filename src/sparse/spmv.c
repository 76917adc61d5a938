/* ww_spmv, ww_spmm: the checks, and the choice of the backend. */
#include <string.h>

#include "device/array.h"
#include "device/call.h"
#include "device/options.h"
#include "function/function.h"
#include "sparse/sides.h"
#include "warpwise/sparse.h"

typedef unsigned long long ull;

enum { VECTORS_MOST = 64 };

ww_status ww__say_column(ww_device *device, const char *label, uint64_t width, uint64_t position, uint64_t value) {
    return ww__fail(device, WW_RANGE, "columns[%llu] is %s, and the matrix has %llu columns", (ull)position,
                    ww__number_said(label, value).text, (ull)width);
}

ww_status ww__say_row_offset(ww_device *device, const char *label, uint64_t entries, uint64_t position,
                             uint64_t value) {
    if (label[0] == 'i' && value > INT64_MAX)
        return ww__fail(device, WW_RANGE, "offsets[%llu] is %s, below 0", (ull)position,
                        ww__number_said(label, value).text);
    if (value > entries)
        return ww__fail(device, WW_RANGE, "offsets[%llu] is %s, and there are %llu entries", (ull)position,
                        ww__number_said(label, value).text, (ull)entries);
    return ww__fail(device, WW_RANGE, "offsets[%llu] is %s, below the one before it", (ull)position,
                    ww__number_said(label, value).text);
}

static ww_status on_cpu(ww_device *device, const ww__spmv_request *r) {
    ww__spmv_faults faults;
    uint64_t number;
    ww__fault_clear(&faults.column);
    ww__fault_clear(&faults.offset);
    WW_TRY(ww__spmv_cpu(device, r, &faults));
    if (faults.offset.position != UINT64_MAX) {
        WW_TRY(ww__input_number(device, r->offsets, faults.offset.position, &number));
        return ww__say_row_offset(device, r->offsets->type->label, r->values->count, faults.offset.position, number);
    }
    if (faults.column.position == UINT64_MAX) return WW_OK;
    WW_TRY(ww__input_number(device, r->columns, faults.column.position, &number));
    return ww__say_column(device, r->columns->type->label, r->width, faults.column.position, number);
}

/* ---- the checks ---- */

static bool is_element(const ww_type *type) {
    return (type->kind == WW_KIND_FLOAT || type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED) &&
           (type->size == 4 || type->size == 8);
}

/* A factor: its bytes, or those of `otherwise` (0 or 1) where there is none. *given: it is another number than that. */
static ww_status check_factor(ww_device *device, const char *name, const ww_value *value, const ww_type *type,
                              int otherwise, unsigned char *bytes, bool *given) {
    unsigned char standard[8] = {0};
    const float f = (float)otherwise;
    const double d = otherwise;
    const uint64_t u = (uint64_t)otherwise;
    if (type->kind == WW_KIND_FLOAT)
        memcpy(standard, type->size == 4 ? (const void *)&f : (const void *)&d, type->size);
    else
        memcpy(standard, &u, type->size); /* the library runs on little-endian machines */
    *given = false;
    memcpy(bytes, standard, type->size);
    if (!value->type) return WW_OK;
    WW_TRY(ww__check_value(device, name, value, type, type->size));
    memcpy(bytes, ww__value_at(value), type->size);
    *given = memcmp(bytes, standard, type->size) != 0;
    return WW_OK;
}

static ww_status check_arrays(ww_device *device, const ww__spmv_request *r, const ww_input *x) {
    const ww_input *const read[] = {r->values, r->columns, r->offsets, x};
    static const char *const names[] = {"values", "columns", "offsets", "x"};
    WW_CHECK(device, r->values->count == r->columns->count, WW_INVALID, "values has %llu elements, columns %llu",
             (ull)r->values->count, (ull)r->columns->count);
    WW_CHECK(device, is_element(r->values->type), WW_TYPE,
             "values are %s, and have to be floats or integers of 32 or 64 bits", r->values->type->label);
    WW_TRY(ww__check_same_type(device, "values", r->values->type, r->values->size, "x", x->type, x->size));
    WW_TRY(ww__check_same_type(device, "values", r->values->type, r->values->size, "y", r->y->type, r->y->size));
    WW_CHECK(device, x->count % r->vectors == 0, WW_INVALID, "x has %llu elements, which are not those of %llu vectors",
             (ull)x->count, (ull)r->vectors);
    WW_CHECK(device, r->y->count % r->vectors == 0 && r->offsets->count - 1 == r->y->count / r->vectors, WW_INVALID,
             "y has %llu elements, and %llu rows of %llu are needed", (ull)r->y->count, (ull)r->offsets->count - 1,
             (ull)r->vectors);
    for (size_t k = 0; k < 4; k++) WW_TRY(ww__check_apart(device, names[k], read[k], "y", r->y, WW__APART));
    return WW_OK;
}

static ww_status multiply(ww_device *device, ww__spmv_request *r, const ww_input *x, const ww_spmv_options *options) {
    ww_spmv_options o;
    ww_array components;
    WW_TRY(ww__take_options(device, options, "WW_SPMV_OPTIONS", &o, sizeof o));
    WW_CHECK(device, r->vectors && r->vectors <= VECTORS_MOST, WW_INVALID,
             "there are 1 to %d vectors at once, not %llu", VECTORS_MOST, (ull)r->vectors);
    WW_TRY(ww__check_input(device, "values", r->values));
    WW_TRY(ww__check_index(device, "columns", r->columns));
    WW_TRY(ww__check_index(device, "offsets", r->offsets));
    WW_CHECK(device, r->offsets->count, WW_INVALID, "offsets is empty; it has one element more than there are rows");
    WW_TRY(ww__check_memory(device, "x", x, &components));
    WW_TRY(ww__check_input(device, "x", x));
    WW_TRY(ww__check_array(device, "y", r->y));
    WW_TRY(check_arrays(device, r, x));
    WW_TRY(check_factor(device, "options.alpha", &o.alpha, r->y->type, 1, r->alpha, &r->scaled));
    WW_TRY(check_factor(device, "options.beta", &o.beta, r->y->type, 0, r->beta, &r->accumulates));
    r->x = components.data;
    r->width = x->count / r->vectors;
    r->rows = r->offsets->count - 1;
    if (!r->rows) return WW_OK;
    return device->backend == WW__BACKEND_GPU ? ww__spmv_gpu(device, r) : on_cpu(device, r);
}

/* With a beta y is read, and else it is only written. What options say besides is not looked at before they are checked. */
static bool reads_y(const ww_spmv_options *options) {
    return options && options->size == sizeof *options && options->beta.type;
}
#define WRITES_Y \
    { reads_y(options) ? WW__WRITES_SOME : WW__WRITES, NULL, &y, NULL, NULL, "&y" }

ww_status ww_spmv(ww_device *device, ww_input values, ww_input columns, ww_input offsets, ww_input x, ww_array y,
                  const ww_spmv_options *options) {
    ww__spmv_request r = {.values = &values, .columns = &columns, .offsets = &offsets, .vectors = 1, .y = &y};
    WW_CALL(device, "ww_spmv", multiply(device, &r, &x, options), WW_READS(&values), WW_READS(&columns),
            WW_READS(&offsets), WW_READS(&x), WRITES_Y);
}

ww_status ww_spmm(ww_device *device, ww_input values, ww_input columns, ww_input offsets, ww_input x, uint64_t vectors,
                  ww_array y, const ww_spmv_options *options) {
    ww__spmv_request r = {.values = &values, .columns = &columns, .offsets = &offsets, .vectors = vectors, .y = &y};
    WW_CALL(device, "ww_spmm", multiply(device, &r, &x, options), WW_READS(&values), WW_READS(&columns),
            WW_READS(&offsets), WW_READS(&x), WRITES_Y);
}
