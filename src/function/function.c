/* Finding the function that an argument stands for, and the loops of it that this device runs. */
#include "function/function.h"

#include <stdio.h>

#include "device/gpu/environment.h"
#include "function/built_in.h"
#include "function/check.h"
#include "function/types.h"

WW__BUILT_IN(ww_add, "add");
WW__BUILT_IN(ww_mul, "mul");
WW__BUILT_IN(ww_min, "min");
WW__BUILT_IN(ww_max, "max");
WW__BUILT_IN(ww_and, "and");
WW__BUILT_IN(ww_or, "or");
WW__BUILT_IN(ww_ascending, "ascending");
WW__BUILT_IN(ww_descending, "descending");

static const ww__built_in_family operators[] = {{&ww_add, &ww__adds}, {&ww_mul, &ww__muls}, {&ww_min, &ww__mins},
                                                {&ww_max, &ww__maxs}, {&ww_and, &ww__ands}, {&ww_or, &ww__ors}};
static const ww__built_in_family orders[] = {{&ww_ascending, &ww__ascendings}, {&ww_descending, &ww__descendings}};

const ww_function *ww__resolve(const ww_function *f, ww_role role, const ww_type *type, size_t size,
                               const ww__built_in_family *family, size_t families) {
    if (f->role == role) return ww__same_type(f->first, f->first->size, type, size) ? f : NULL;
    if (f->role != WW_ROLE_BUILT_IN) return NULL;
    const int index = ww__number_index(type);
    for (size_t i = 0; index >= 0 && i < families; i++)
        if (family[i].object == ww__origin(f)) return (*family[i].table)[index];
    return NULL;
}

static bool has(const ww__built_in_family *family, size_t families, const ww_function *f) {
    for (size_t i = 0; i < families; i++)
        for (int t = 0; t < WW__NUMBERS; t++)
            if ((*family[i].table)[t] == f) return true;
    return false;
}

bool ww__is_built_in(const ww_function *f) {
    if (f->role == WW_ROLE_BUILT_IN) return true;
    return has(operators, sizeof operators / sizeof *operators, ww__origin(f)) ||
           has(orders, sizeof orders / sizeof *orders, ww__origin(f));
}

bool ww__is_extreme(const ww_function *op) {
    static const ww__built_in_family extremes[] = {{&ww_min, &ww__mins}, {&ww_max, &ww__maxs}};
    return has(extremes, sizeof extremes / sizeof *extremes, op);
}

const ww_function *ww__operator(const ww_function *f, const ww_type *type, size_t size) {
    return f ? ww__resolve(f, WW_ROLE_COMBINE, type, size, operators, sizeof operators / sizeof *operators) : NULL;
}

const ww_function *ww__order(const ww_function *f, const ww_type *type, size_t size) {
    return ww__resolve(f ? f : &ww_ascending, WW_ROLE_LESS, type, size, orders, sizeof orders / sizeof *orders);
}

ww_status ww__check_version(ww_device *device, const ww_function *f) {
    WW_CHECK(device, ww__is_function(f), WW_INVALID, "%s", ww__no_object);
    WW_CHECK(device, f->version >= WW_FUNCTION_VERSION_OLDEST && f->version <= WW_FUNCTION_VERSION, WW_INVALID,
             "function %s was compiled against another version of warpwise/function.h (%u, this is %u)", f->name,
             f->version, WW_FUNCTION_VERSION);
    return WW_OK;
}

/* The bytes of an environment of the right type. */
ww_status ww__check_bound(ww_device *device, const ww_function *f, const ww_type *type, const void *data,
                          uint64_t count) {
    char name[128];
    size_t bytes;
    WW_CHECK(device, data, WW_INVALID, "%s needs a %s as its environment, and is given NULL", f->name, type->label);
    WW_CHECK(device, count, WW_INVALID, "%s is given an environment of 0 elements", f->name);
    WW_CHECK(device, ww__bytes(count, type->size, &bytes) && bytes <= PTRDIFF_MAX, WW_INVALID,
             "the environment of %s has %llu elements of %zu bytes: more than memory can hold", f->name,
             (unsigned long long)count, type->size);
    WW_CHECK(device, !((uintptr_t)data & (type->alignment - 1)), WW_INVALID,
             "the environment of %s at %p is not aligned for elements of type %s", f->name, data, type->label);
    if (!device->gpu || !ww__environment_by_pointer(f->role, type->size, count)) return WW_OK;
    snprintf(name, sizeof name, "the environment of %s", f->name);
    return ww__gpu_reach(device, name, data, count);
}

ww_status ww__check_environment_given(ww_device *device, const ww_function *f, const ww_type *wanted) {
    const bool reads = wanted && wanted->kind != WW_KIND_VOID;
    WW_CHECK(device, reads, WW_INVALID, "%s reads no environment, and is given one", f->name);
    WW_CHECK(device, f->origin && f->bound_type, WW_INVALID, "%s needs a %s as its environment, and is given none",
             f->name, wanted->label);
    WW_CHECK(device, ww__same_type(wanted, wanted->size, f->bound_type, f->bound_type->size), WW_TYPE,
             "%s needs a %s as its environment, and is given a %s", f->name, wanted->label, f->bound_type->label);
    return ww__check_bound(device, f, wanted, f->bound, f->bound_count);
}

ww_status ww__check_operator(ww_device *device, const ww_function *f, const ww_type *type, size_t size,
                             const ww_function **resolved) {
    WW_CHECK(device, f, WW_INVALID, "the operator is NULL");
    WW_TRY(ww__check_version(device, f));
    *resolved = ww__operator(f, type, size);
    WW_CHECK(device, *resolved, WW_TYPE, "%s is not an operator on elements of type %s (%zu bytes)", f->name,
             type->label, size);
    return ww__check_environment(device, f, (*resolved)->environment);
}

ww_status ww__check_order(ww_device *device, const ww_function *f, const ww_type *type, size_t size,
                          const ww_function **resolved) {
    if (f) WW_TRY(ww__check_version(device, f));
    *resolved = ww__order(f, type, size);
    WW_CHECK(device, *resolved, WW_TYPE, "%s is not an order on elements of type %s (%zu bytes)",
             f ? f->name : "ascending", type->label, size);
    return f ? ww__check_environment(device, f, (*resolved)->environment) : WW_OK;
}

/* One whose loops say what it is as a truth value or a bucket: no f16 and bf16, which are structs in C. */
static bool is_number(const ww_type *type) {
    return type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED ||
           (type->kind == WW_KIND_FLOAT && !ww__is_half(type));
}

ww_status ww__check_map(ww_device *device, const ww_function *f, const ww_type *first, size_t size_first,
                        const ww_type *second, size_t size_second, bool number) {
    WW_CHECK(device, f, WW_INVALID, "the function is NULL");
    WW_TRY(ww__check_version(device, f));
    WW_CHECK(device, f->role == (second ? WW_ROLE_MAP2 : WW_ROLE_MAP), WW_TYPE, "%s is not a WW_MAP%s", f->name,
             second ? "2" : "");
    WW_CHECK(device, ww__same_type(f->first, f->first->size, first, size_first), WW_TYPE,
             "%s takes elements of type %s and is given %s (%zu bytes)", f->name, f->first->label, first->label,
             size_first);
    if (second)
        WW_CHECK(device, ww__same_type(f->second, f->second->size, second, size_second), WW_TYPE,
                 "%s takes second elements of type %s and is given %s (%zu bytes)", f->name, f->second->label,
                 second->label, size_second);
    WW_CHECK(device, !number || is_number(f->result), WW_TYPE, "%s gives %s, which is not a number", f->name,
             f->result->label);
    return ww__check_environment(device, f, f->environment);
}

const void *ww__loops_below(const ww_device *device, const ww_function *f) {
    int v = device->vector;
    while (v > WW_VECTOR_PLAIN && !f->loops[v]) v--;
    return f->loops[v];
}
