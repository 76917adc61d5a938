/* Checks of arguments, each with the sentence that says what was wrong. */
#include "function/check.h"

#include <stdio.h>

#include "device/call.h"
#include "device/checks.h"
#include "device/gpu/environment.h"
#include "device/gpu/gpu.h"
#include "device/members.h"
#include "function/function.h"

typedef unsigned long long ull;

/* The steps whose values are on the stack: a caller may have put an input together by itself, and every step reads what the ones
 * before it left. */
typedef struct stack {
    uint32_t step[WW_INPUT_STEPS], depth;
} stack;

/* A map's argument: what step s left there. */
static ww_status check_argument(ww_device *device, const char *name, const ww_function *f, const ww_type *wanted,
                                const ww_input *input, uint32_t s) {
    const ww_type *given = ww__step_type(input, s);
    WW_CHECK(device, ww__same_type(wanted, wanted->size, given, ww__step_size(input, s)), WW_TYPE,
             "%s: %s takes elements of type %s and is given %s (%zu bytes)", name, f->name, wanted->label, given->label,
             ww__step_size(input, s));
    return WW_OK;
}

/* As ww__check_environment: a step keeps where the environment lies, and of one of another type only that type. */
static ww_status check_step_environment(ww_device *device, const ww_step *step, ww_step_kind kind) {
    const ww_function *f = step->function;
    if (kind == WW_STEP_MISFIT) {
        const ww_function given = ww_bound(f, step, 1, step->data);
        WW_TRY(ww__check_environment(device, &given, f->environment));
        return ww__fail(device, WW_INVALID, "the environment of %s is called a misfit, and fits", f->name);
    }
    if (!step->data && !step->number) return ww__check_environment(device, f, f->environment);
    WW_CHECK(device, ww__reads_environment(f), WW_INVALID, "%s reads no environment, and is given one", f->name);
    return ww__check_bound(device, f, f->environment, step->data, step->number);
}

static ww_status check_function(ww_device *device, const char *name, const ww_step *step, ww_step_kind kind) {
    const ww_function *f = step->function;
    const bool right = f && (kind == WW_STEP_MAP    ? f->role == WW_ROLE_MAP
                             : kind == WW_STEP_MAP2 ? f->role == WW_ROLE_MAP2
                             : kind == WW_STEP_WINDOW
                                 ? f->role == WW_ROLE_WINDOW
                                 : f->role == WW_ROLE_MAP || f->role == WW_ROLE_MAP2 || f->role == WW_ROLE_WINDOW);
    WW_CHECK(device, right, WW_TYPE, "%s is mapped by %s, which is not a %s", name, f ? f->name : "NULL",
             kind == WW_STEP_MAP2     ? "WW_MAP2"
             : kind == WW_STEP_WINDOW ? "WW_WINDOW"
                                      : "WW_MAP");
    WW_TRY(ww__check_version(device, f));
    return check_step_environment(device, step, kind);
}

static ww_status check_counting(ww_device *device, const char *name, const ww_type *type) {
    WW_CHECK(device, type && (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED), WW_TYPE,
             "%s counts in type %s, which is not an integer", name, type ? type->label : "?");
    return WW_OK;
}

static ww_status check_mapped(ww_device *device, const char *name, const ww_input *input, const ww_step *step,
                              stack *on) {
    WW_TRY(check_function(device, name, step, WW_STEP_MAP));
    WW_CHECK(device, on->depth >= 1, WW_INVALID, "%s maps no input", name);
    return check_argument(device, name, step->function, step->function->first, input, on->step[--on->depth]);
}

static ww_status check_mapped2(ww_device *device, const char *name, const ww_input *input, const ww_step *step,
                               stack *on) {
    const ww_function *f = step->function;
    WW_TRY(check_function(device, name, step, WW_STEP_MAP2));
    WW_CHECK(device, on->depth >= 2, WW_INVALID, "%s maps fewer than two inputs", name);
    on->depth -= 2;
    WW_TRY(check_argument(device, name, f, f->second, input, on->step[on->depth + 1]));
    return check_argument(device, name, f, f->first, input, on->step[on->depth]);
}

/* Elements in memory, of an input's step: the size of a record is the whole input's. */
static ww_status check_memory(ww_device *device, const char *name, const ww_input *input, uint32_t s) {
    const ww_step *step = &input->step[s];
    const ww_type *type = step->type;
    const size_t size = type && type->kind != WW_KIND_RECORD ? type->size : input->size;
    const uint64_t count = ww__step_count(input, s);
    WW_TRY(ww__check_elements(device, name, step->data, count, type, size));
    return device->gpu ? ww__gpu_reach(device, name, step->data, count) : WW_OK;
}

static ww_status check_constant(ww_device *device, const char *name, const ww_input *input, const ww_step *step) {
    const ww_type *type = step->type;
    const size_t size = type && type->kind != WW_KIND_RECORD ? type->size : input->size;
    WW_CHECK(device, type, WW_INVALID, "%s is missing", name);
    WW_CHECK(device, size && (input->steps > 1 || input->size), WW_INVALID, "%s repeats a value that is NULL", name);
    if (size <= WW__CONSTANT_BYTES) return WW_OK;
    WW_TRY(ww__check_elements(device, name, step->data, 1, type, size));
    return device->gpu && ww__constant_by_pointer(size) ? ww__gpu_reach(device, name, step->data, 1) : WW_OK;
}

/* ---- steps of function/build.c ---- */

static bool is_number(const ww_type *type) {
    return type && (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED || type->kind == WW_KIND_FLOAT);
}

/* All that it reads is memory: of the last element, as far as it lies away, only that it can be somewhere. */
static ww_status check_strided(ww_device *device, const char *name, const ww_input *input, uint32_t s) {
    const ww_step *step = &input->step[s];
    const uint64_t count = ww__step_count(input, s);
    const int64_t stride = (int64_t)step->number;
    const uint64_t apart = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    size_t bytes;
    WW_TRY(check_memory(device, name, input, s));
    const size_t size = step->type->kind != WW_KIND_RECORD ? step->type->size : input->size;
    WW_CHECK(device,
             !count ||
                 (ww__bytes(apart, size, &bytes) && ww__bytes(count - 1, bytes, &bytes) && bytes <= PTRDIFF_MAX - size),
             WW_INVALID, "%s has %llu elements, %lld of %zu bytes apart: more than memory can hold", name, (ull)count,
             (long long)stride, size);
    return WW_OK;
}

static ww_status check_cast(ww_device *device, const char *name, const ww_input *input, const ww_step *step,
                            stack *on) {
    WW_CHECK(device, on->depth >= 1, WW_INVALID, "%s casts no input", name);
    const ww_type *from = ww__step_type(input, on->step[--on->depth]), *to = step->type;
    WW_CHECK(device, is_number(from) && is_number(to), WW_TYPE,
             "%s is cast from type %s to %s; both have to be numbers", name, from->label, to ? to->label : "NULL");
    return WW_OK;
}

static ww_status check_index_type(ww_device *device, const char *name, const ww_type *index) {
    WW_CHECK(device,
             (index->kind == WW_KIND_UNSIGNED || index->kind == WW_KIND_SIGNED) &&
                 (index->size == 4 || index->size == 8),
             WW_TYPE, "%s is permuted by indices of type %s, not u32, u64, i32 or i64", name, index->label);
    return WW_OK;
}

static ww_status check_permuted(ww_device *device, const char *name, const ww_input *input, const ww_step *step,
                                stack *on) {
    WW_CHECK(device, on->depth >= 1, WW_INVALID, "%s is permuted by no index", name);
    const ww_type *const type = step->type;
    const size_t size = type && type->kind != WW_KIND_RECORD ? type->size : input->size;
    WW_TRY(check_index_type(device, name, ww__step_type(input, on->step[--on->depth])));
    WW_TRY(ww__check_elements(device, name, step->data, step->number, type, size));
    return device->gpu ? ww__gpu_reach(device, name, step->data, step->number) : WW_OK;
}

/* The source stands on the index. */
static ww_status check_permuted_of(ww_device *device, const char *name, const ww_input *input, const ww_step *step,
                                   stack *on) {
    WW_CHECK(device, on->depth >= 2 && step->type, WW_INVALID, "%s is permuted by no index", name);
    on->depth -= 2;
    const uint32_t source = on->step[on->depth + 1];
    WW_TRY(check_index_type(device, name, ww__step_type(input, on->step[on->depth])));
    return ww__check_same_type(device, "what is permuted", ww__step_type(input, source), ww__step_size(input, source),
                               name, step->type, step->type->kind != WW_KIND_RECORD ? step->type->size : input->size);
}

/* Their elements: an array's, or those that the steps below leave. */
static ww_status check_near_elements(ww_device *device, const char *name, const ww_input *input, uint32_t s,
                                     stack *on) {
    const ww_step *step = &input->step[s];
    const ww_type *type = step->type;
    const size_t size = type && type->kind != WW_KIND_RECORD ? type->size : input->size;
    if (ww__kind_is_near_array(input->kind[s])) {
        WW_TRY(ww__check_elements(device, name, step->data, step->number, type, size));
        return device->gpu ? ww__gpu_reach(device, name, step->data, step->number) : WW_OK;
    }
    WW_CHECK(device, on->depth >= 1 && type, WW_INVALID, "%s is a window on no input", name);
    const uint32_t source = on->step[--on->depth];
    return ww__check_same_type(device, "the source of a window", ww__step_type(input, source),
                               ww__step_size(input, source), name, type, size);
}

/* Neighbours stand under their window, which says how far they are read. */
static ww_status check_near(ww_device *device, const char *name, const ww_input *input, uint32_t s, stack *on) {
    enum { GPU_BYTES = 4096 };
    const ww_step *step = &input->step[s];
    const bool has_window = s + 1u < input->steps &&
                            (input->kind[s + 1] == WW_STEP_WINDOW || input->kind[s + 1] == WW_STEP_MISFIT);
    WW_CHECK(device, has_window, WW_INVALID, "%s has neighbours, and no window on them", name);
    WW_TRY(check_function(device, name, step + 1, (ww_step_kind)input->kind[s + 1]));
    const uint64_t before = ww__window_before(step[1].function), after = ww__window_after(step[1].function);
    const uint64_t count = ww__step_count(input, s);
    const ww_border border = ww__kind_border(input->kind[s]);
    const uint64_t lost = border == WW_BORDER_INSIDE ? before + after : 0;
    WW_CHECK(device, count <= step->number && lost <= step->number - count, WW_INVALID,
             "%s has %llu windows on %llu elements", name, (ull)count, (ull)step->number);
    WW_TRY(check_near_elements(device, name, input, s, on));
    WW_CHECK(device, !device->gpu || (before + after + 1) * ww__step_size(input, s) <= GPU_BYTES, WW_LIMIT,
             "%s is a window of %llu bytes, and a GPU takes %d at most", name,
             (ull)((before + after + 1) * ww__step_size(input, s)), GPU_BYTES);
    if (border == WW_BORDER_VALUE) {
        WW_CHECK(device, on->depth >= 1 && input->kind[on->step[on->depth - 1]] == WW_STEP_CONSTANT, WW_INVALID,
                 "%s has no value for what is outside of a window", name);
        const uint32_t value = on->step[--on->depth];
        WW_TRY(ww__check_same_type(device, "the value outside", ww__step_type(input, value),
                                   ww__step_size(input, value), name, step->type, ww__step_size(input, s)));
    }
    return WW_OK;
}

static ww_status check_window(ww_device *device, const char *name, const ww_input *input, const ww_step *step,
                              stack *on) {
    WW_TRY(check_function(device, name, step, WW_STEP_WINDOW));
    WW_CHECK(device, on->depth >= 1 && ww__kind_is_near(input->kind[on->step[on->depth - 1]]), WW_INVALID,
             "%s is a window on no neighbours", name);
    return check_argument(device, name, step->function, step->function->first, input, on->step[--on->depth]);
}

static ww_status check_zip(ww_device *device, const char *name, const ww_input *input, const ww_step *step, stack *on) {
    const ww_type *part[WW_ZIP_MOST];
    ww__zipped z[WW_ZIP_MOST];
    WW_CHECK(device, step->number >= 1 && step->number <= WW_ZIP_MOST && step->number <= on->depth, WW_INVALID,
             "%s zips %llu inputs, of %u", name, (ull)step->number, on->depth);
    WW_CHECK(device, step->type && step->type->kind == WW_KIND_STRUCT, WW_TYPE,
             "%s is zipped to type %s, which is not a WW_STRUCT", name, step->type ? step->type->label : "NULL");
    const uint32_t many = (uint32_t)step->number;
    on->depth -= many;
    for (uint32_t k = 0; k < many; k++) part[k] = ww__step_type(input, on->step[on->depth + k]);
    if (ww__zip_members(step->type, part, many, z)) return WW_OK;
    char types[256] = "";
    for (uint32_t k = 0, at = 0; k < many && at < sizeof types; k++)
        at += (uint32_t)snprintf(types + at, sizeof types - at, "%s%s", k ? ", " : "", part[k]->label);
    return ww__fail(device, WW_TYPE,
                    "%s is zipped to %s of inputs of types %s, which are not its members, one for each", name,
                    step->type->label, types);
}

static ww_status check_step(ww_device *device, const char *name, const ww_input *input, uint32_t s, stack *on) {
    const ww_step *step = &input->step[s];
    switch ((ww_step_kind)input->kind[s]) {
    case WW_STEP_MEMORY:
        return check_memory(device, name, input, s);
    case WW_STEP_COUNTING:
        return check_counting(device, name, step->type);
    case WW_STEP_CONSTANT:
        return check_constant(device, name, input, step);
    case WW_STEP_MAP:
        return check_mapped(device, name, input, step, on);
    case WW_STEP_MAP2:
        return check_mapped2(device, name, input, step, on);
    case WW_STEP_MISFIT:
        return check_function(device, name, step, WW_STEP_MISFIT);
    case WW_STEP_STRIDED:
        return check_strided(device, name, input, s);
    case WW_STEP_COUNTING_BY:
        return check_counting(device, name, step->type);
    case WW_STEP_CAST:
        return check_cast(device, name, input, step, on);
    case WW_STEP_PERMUTED:
        return check_permuted(device, name, input, step, on);
    case WW_STEP_ZIP:
        return check_zip(device, name, input, step, on);
    case WW_STEP_NEAR_INSIDE:
    case WW_STEP_NEAR_CLAMP:
    case WW_STEP_NEAR_WRAP:
    case WW_STEP_NEAR_VALUE:
    case WW_STEP_NEAR_OF_INSIDE:
    case WW_STEP_NEAR_OF_CLAMP:
    case WW_STEP_NEAR_OF_WRAP:
    case WW_STEP_NEAR_OF_VALUE:
        return check_near(device, name, input, s, on);
    case WW_STEP_WINDOW:
        return check_window(device, name, input, step, on);
    case WW_STEP_PERMUTED_OF:
        return check_permuted_of(device, name, input, step, on);
    }
    return ww__fail(device, WW_INVALID, "%s has a step of kind %d", name, (int)input->kind[s]);
}

/* Whether a step, and an input, is the host's memory, with nothing to be said against it. */
static inline bool is_fine_step(const ww_device *device, const ww_input *input, uint32_t s) {
    const ww_step *step = &input->step[s];
    return !device->gpu && input->kind[s] == WW_STEP_MEMORY && step->type &&
           ww__elements_fit(step->data, ww__step_count(input, s), step->type, step->type->size);
}
static inline bool is_fine_memory(const ww_device *device, const ww_input *input) {
    return ww__input_is_memory(input) && !input->problem && !input->count_at && input->type &&
           input->type == input->step[0].type && input->size == input->type->size && is_fine_step(device, input, 0);
}

/* Whether a step is a map without an environment, of the very type that it takes. */
static inline bool is_fine_map(const ww_input *input, uint32_t s, const stack *on) {
    const ww_step *step = &input->step[s];
    const ww_function *f = step->function;
    return input->kind[s] == WW_STEP_MAP && f && f->role == WW_ROLE_MAP && f->version == WW_FUNCTION_VERSION &&
           !ww__reads_environment(f) && !f->origin && !step->data && !step->number && on->depth &&
           f->first == ww__step_type(input, on->step[on->depth - 1]);
}

static ww_status check_steps(ww_device *device, const char *name, const ww_input *input) {
    stack on;
    on.depth = 0;
    for (uint32_t s = 0; s < input->steps; s++) {
        if (is_fine_map(input, s, &on))
            on.depth--;
        else if (!is_fine_step(device, input, s))
            WW_TRY(check_step(device, name, input, s, &on));
        on.step[on.depth++] = s;
    }
    WW_CHECK(device, on.depth == 1, WW_INVALID, "%s leaves %u values, not one", name, on.depth);
    return WW_OK;
}

/* What of an input without a type is missing: all of it, or what its last step was to be made with. */
static const char *missing(const ww_input *input) {
    const uint32_t last = input->steps && input->steps <= WW_INPUT_STEPS ? input->steps - 1u : 0;
    switch (input->steps ? (ww_step_kind)input->kind[last] : WW_STEP_MEMORY) {
    case WW_STEP_MAP:
    case WW_STEP_MAP2:
        return " is mapped by a function that is NULL";
    case WW_STEP_WINDOW:
        return " is a window whose function is NULL";
    case WW_STEP_CAST:
        return " is cast to a type that is NULL";
    case WW_STEP_ZIP:
        return " is zipped to a type that is NULL";
    default:
        return " is missing";
    }
}

/* Whether programs of the kernel pack read such inputs: numbers that count, and casts of memory. They may be of another call's, or
 * another type's. */
static bool may_be_packed(const ww_input *input) {
    const unsigned kind = input->kind[0];
    return input->steps == 1 ? input->size >= 4 && (kind == WW_STEP_COUNTING || kind == WW_STEP_COUNTING_BY)
                             : input->steps == 2 && kind == WW_STEP_MEMORY && input->kind[1] == WW_STEP_CAST;
}

/* What is computed is stored first where nothing compiles a program for it. */
static void note_computed(ww_device *device, const ww_input *input) {
    if (!device->gpu || ww__input_is_memory(input) || device->stores >= WW__STORES_WANTED || ww__gpu_compiles(device) ||
        !ww__is_built_of_steps(input))
        return;
    device->stores = may_be_packed(input) ? WW__STORES_POSSIBLE : WW__STORES_WANTED;
}

ww_status ww__check_input(ww_device *device, const char *name, const ww_input *input) {
    size_t bytes;
    if (is_fine_memory(device, input)) return ww__try_input(device, input);
    if (input->problem) return ww__input_problem(device, name, input);
    WW_CHECK(device, input->steps && input->type, WW_INVALID, "%s%s", name, missing(input));
    WW_TRY(ww__check_count_at(device, name, input->count_at));
    WW_CHECK(device, input->steps <= WW_INPUT_STEPS, WW_INVALID, "%s has %u steps", name, input->steps);
    if (input->steps == 1 && input->kind[0] == WW_STEP_MEMORY)
        WW_TRY(check_memory(device, name, input, 0));
    else
        WW_TRY(check_steps(device, name, input));
    const uint32_t last = input->steps - 1u;
    const ww_type *type = ww__step_type(input, last);
    WW_CHECK(device, ww__same_type(input->type, input->size, type, ww__step_size(input, last)), WW_TYPE,
             "%s is of type %s (%zu bytes), and its last step of %s (%zu bytes)", name, input->type->label, input->size,
             type->label, ww__step_size(input, last));
    WW_CHECK(device, ww__bytes(input->count, input->size, &bytes) && bytes <= PTRDIFF_MAX, WW_INVALID,
             "%s has %llu elements of %zu bytes: more than memory can hold", name, (ull)input->count, input->size);
    note_computed(device, input);
    return ww__try_input(device, input);
}

static bool is_index_type(const ww_type *type) { return type == &ww_type_uint32_t || type == &ww_type_uint64_t; }

ww_status ww__check_counts(ww_device *device, const char *name, const ww_array *array, uint64_t largest) {
    WW_TRY(ww__check_array(device, name, array));
    WW_CHECK(device, is_index_type(array->type), WW_TYPE, "%s is of type %s, not u32 or u64", name, array->type->label);
    WW_CHECK(device, array->type == &ww_type_uint64_t || largest <= UINT32_MAX, WW_TYPE,
             "%s is of type u32 and could have to hold %llu; use u64", name, (ull)largest);
    return WW_OK;
}

ww_status ww__check_index(ww_device *device, const char *name, const ww_input *input) {
    WW_TRY(ww__check_input(device, name, input));
    WW_CHECK(device, is_index_type(input->type) || input->type == &ww_type_int32_t || input->type == &ww_type_int64_t,
             WW_TYPE, "%s is of type %s, not u32, u64, i32 or i64", name, input->type->label);
    return WW_OK;
}

ww__number_text ww__number_said(const char *label, uint64_t number) {
    ww__number_text said;
    if (label[0] == 'i')
        snprintf(said.text, sizeof said.text, "%lld", (long long)number);
    else
        snprintf(said.text, sizeof said.text, "%llu", (ull)number);
    return said;
}

WW_MAP(set_of_u16, uint8_t, uint16_t, flag, void, none, { return flag != 0; });
WW_MAP(set_of_u32, uint8_t, uint32_t, flag, void, none, { return flag != 0; });
WW_MAP(set_of_u64, uint8_t, uint64_t, flag, void, none, { return flag != 0; });
WW_MAP(set_of_i16, uint8_t, int16_t, flag, void, none, { return flag != 0; });
WW_MAP(set_of_i32, uint8_t, int32_t, flag, void, none, { return flag != 0; });
WW_MAP(set_of_i64, uint8_t, int64_t, flag, void, none, { return flag != 0; });

/* NULL for flags that are bytes already. */
static const ww_function *set_of(const ww_type *type) {
    const bool is_signed = type->kind == WW_KIND_SIGNED;
    switch (type->size) {
    case 2:
        return is_signed ? &set_of_i16_ww : &set_of_u16_ww;
    case 4:
        return is_signed ? &set_of_i32_ww : &set_of_u32_ww;
    case 8:
        return is_signed ? &set_of_i64_ww : &set_of_u64_ww;
    }
    return NULL;
}

ww_status ww__check_flags(ww_device *device, const char *name, ww_input *input, uint64_t count) {
    WW_TRY(ww__check_input(device, name, input));
    const ww_type *const type = input->type;
    WW_CHECK(device, (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED) && type->size <= sizeof(uint64_t),
             WW_TYPE, "%s is of type %s, and flags are integers of up to 64 bits", name, type->label);
    WW_CHECK(device, input->count == count, WW_INVALID, "%s has %llu elements for %llu", name, (ull)input->count,
             (ull)count);
    if (type->size > 1) *input = ww_mapped(set_of(type), *input);
    WW_CHECK(device, !input->problem, WW_LIMIT, "%s of more than a byte are made of at most %d steps", name,
             WW_INPUT_STEPS - 1);
    return WW_OK;
}

ww_status ww__check_one(ww_device *device, const char *name, const ww_array *array) {
    WW_TRY(ww__check_array(device, name, array));
    WW_CHECK(device, !array->count_at, WW_UNSUPPORTED, "%s is one element, and has a count on the device", name);
    for (size_t k = 0; k < device->numbers; k++)
        WW_CHECK(device, !ww__overlap(device->number[k], sizeof(uint64_t), array->data, array->size), WW_OVERLAP,
                 "%s at %p is the count of what is read", name, array->data);
    WW_CHECK(device, array->count == 1, WW_INVALID, "%s has %llu elements, not one", name, (ull)array->count);
    return device->deferred ? ww__check_not_deferred(device, name, array) : WW_OK;
}

ww_status ww__check_apart(ww_device *device, const char *name_in, const ww_input *input, const char *name_out,
                          const ww_array *output, ww__sharing sharing) {
    const size_t out_bytes = (size_t)output->count * output->size;
    for (uint32_t s = 0; s < input->steps; s++) {
        const ww__step_memory at = ww__step_reads(input, s);
        if (!ww__overlap(at.data, at.bytes, output->data, out_bytes)) continue;
        /* What a window or an index has for its source is read elsewhere than where it is written. */
        const bool same = sharing == WW__SAME_ALLOWED && input->kind[s] == WW_STEP_MEMORY && at.data == output->data &&
                          ww__step_size(input, s) == output->size && input->count == output->count &&
                          ww__step_of_source(input, s) == input->steps;
        const ww_function *f = ww__step_function(input, s);
        WW_CHECK(device, same, WW_OVERLAP, "%s (%p, %zu bytes) overlaps %s%s (%p, %zu bytes)", name_out, output->data,
                 out_bytes, f ? "the environment of " : "", f ? f->name : name_in, at.data, at.bytes);
    }
    return WW_OK;
}

bool ww__in_place(const ww_input *input, const ww_array *output) {
    for (uint32_t s = 0; s < input->steps; s++)
        if (input->kind[s] == WW_STEP_MEMORY && output->count && input->step[s].data == output->data) return true;
    return false;
}

ww_status ww__check_environment_read_apart(ww_device *device, const ww_function *f, const char *name_out,
                                           const ww_array *output) {
    const size_t bytes = (size_t)f->bound_count * f->environment->size;
    const size_t out_bytes = (size_t)output->count * output->size;
    WW_CHECK(device, !ww__overlap(f->bound, bytes, output->data, out_bytes), WW_OVERLAP,
             "%s (%p, %zu bytes) overlaps the environment of %s (%p, %zu bytes)", name_out, output->data, out_bytes,
             f->name, f->bound, bytes);
    return WW_OK;
}

ww_status ww__check_values_fit(ww_device *device, const ww_input *keys, const ww_input *values,
                               const ww_array *keys_out, const ww_array *values_out, ww__sharing sharing) {
    WW_TRY(ww__check_same_type(device, "values", values->type, values->size, "values_out", values_out->type,
                               values_out->size));
    WW_CHECK(device, values->count == keys->count, WW_INVALID, "there are %llu keys and %llu values", (ull)keys->count,
             (ull)values->count);
    WW_CHECK(device, keys_out->count == values_out->count, WW_INVALID, "%s has %llu elements, values_out %llu",
             keys_out->count == values->count ? "values" : "keys_out", (ull)keys_out->count, (ull)values_out->count);
    WW_TRY(ww__check_apart(device, "values", values, "values_out", values_out, sharing));
    WW_TRY(ww__check_apart(device, "keys", keys, "values_out", values_out, WW__APART));
    WW_TRY(ww__check_apart(device, "values", values, "keys_out", keys_out, WW__APART));
    return ww__check_outputs_apart(device, "keys_out", keys_out, "values_out", values_out);
}

ww_status ww__check_values(ww_device *device, const ww_input *keys, const ww_input *values, const ww_array *keys_out,
                           const ww_array *values_out, ww__sharing sharing) {
    WW_TRY(ww__check_input(device, "values", values));
    WW_TRY(ww__check_array(device, "values_out", values_out));
    return ww__check_values_fit(device, keys, values, keys_out, values_out, sharing);
}
