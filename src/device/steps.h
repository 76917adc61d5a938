/* What descriptions of functions and inputs say that callers made (warpwise/function.h, warpwise/input.h): read, and no more. */
#ifndef WW__STEPS_H
#define WW__STEPS_H

#include "warpwise/input.h"

/* What is no ww_function: the plain function, which C takes with a warning, is machine code, whose first word is no version. */
static inline bool ww__is_function(const ww_function *f) { return f->version && f->version < 1000; }
extern const char ww__no_object[]; /* the sentence */

/* The function itself, where `f` is one with its environment: for comparing and for keeping. Not NULL. */
static inline const ww_function *ww__origin(const ww_function *f) { return f->origin ? f->origin : f; }

/* Whether a function reads an environment. */
static inline bool ww__reads_environment(const ww_function *f) {
    return f->environment && f->environment->kind != WW_KIND_VOID;
}

/* An input that is nothing but memory; and that memory, else NULL. */
static inline bool ww__input_is_memory(const ww_input *input) {
    return input->steps == 1 && input->kind[0] == WW_STEP_MEMORY;
}
static inline const void *ww__input_memory(const ww_input *input) {
    return ww__input_is_memory(input) ? input->step[0].data : NULL;
}

/* Whether a kind's step has a function. */
static inline bool ww__kind_maps(unsigned kind) {
    return kind == WW_STEP_MAP || kind == WW_STEP_MAP2 || kind == WW_STEP_WINDOW;
}
/* Neighbours in an array; of what the steps below compute; either. */
static inline bool ww__kind_is_near_array(unsigned kind) {
    return kind >= WW_STEP_NEAR_INSIDE && kind <= WW_STEP_NEAR_VALUE;
}
static inline bool ww__kind_is_near_of(unsigned kind) {
    return kind >= WW_STEP_NEAR_OF_INSIDE && kind <= WW_STEP_NEAR_OF_VALUE;
}
/* Steps whose source, which they read at positions of their own, is computed by the steps in front of them: from
 * ww__step_first(input, s - 1) on. What else they take lies below that. */
static inline bool ww__kind_has_source(unsigned kind) {
    return ww__kind_is_near_of(kind) || kind == WW_STEP_PERMUTED_OF;
}
static inline bool ww__kind_is_near(unsigned kind) { return ww__kind_is_near_array(kind) || ww__kind_is_near_of(kind); }
/* The border of neighbours, of either kind. */
static inline ww_border ww__kind_border(unsigned kind) {
    return (ww_border)(kind - (ww__kind_is_near_of(kind) ? WW_STEP_NEAR_OF_INSIDE : WW_STEP_NEAR_INSIDE) +
                       WW_BORDER_INSIDE);
}
/* How far a WW_WINDOW reads. */
static inline uint32_t ww__window_before(const ww_function *f) { return f->flags & 0xFFFF; }
static inline uint32_t ww__window_after(const ww_function *f) { return f->flags >> 16; }

/* What step s of a checked input leaves on top. Functions take no records, so that those are the whole input's. */
static inline const ww_type *ww__step_type(const ww_input *input, uint32_t s) {
    return ww__kind_maps(input->kind[s]) ? input->step[s].function->result : input->step[s].type;
}
static inline size_t ww__step_size(const ww_input *input, uint32_t s) {
    const ww_type *type = ww__step_type(input, s);
    return type->kind == WW_KIND_RECORD ? input->size : type->size;
}
/* The function of a step that maps, else NULL. */
static inline const ww_function *ww__step_function(const ww_input *input, uint32_t s) {
    return ww__kind_maps(input->kind[s]) ? input->step[s].function : NULL;
}

/* Whether a checked input has no functions: the library alone computes it. */
static inline bool ww__is_built_of_steps(const ww_input *input) {
    for (uint32_t s = 0; s < input->steps; s++)
        if (ww__kind_maps(input->kind[s]) || ww__kind_is_near(input->kind[s])) return false;
    return true;
}

/* Whether a step reads an array of elements. */
static inline bool ww__step_is_array(const ww_input *input, uint32_t s) {
    const unsigned kind = input->kind[s];
    return kind == WW_STEP_MEMORY || kind == WW_STEP_STRIDED || kind == WW_STEP_PERMUTED ||
           ww__kind_is_near_array(kind);
}

/* How many values a step takes from the stack. */
static inline uint32_t ww__step_takes(const ww_input *input, uint32_t s) {
    switch ((ww_step_kind)input->kind[s]) {
    case WW_STEP_MAP:
    case WW_STEP_CAST:
    case WW_STEP_PERMUTED:
    case WW_STEP_NEAR_VALUE:
    case WW_STEP_NEAR_OF_INSIDE:
    case WW_STEP_NEAR_OF_CLAMP:
    case WW_STEP_NEAR_OF_WRAP:
    case WW_STEP_WINDOW:
        return 1;
    case WW_STEP_MAP2:
    case WW_STEP_NEAR_OF_VALUE:
    case WW_STEP_PERMUTED_OF:
        return 2;
    case WW_STEP_ZIP:
        return (uint32_t)input->step[s].number;
    default:
        return 0;
    }
}
/* The steps that left what a checked input's step s takes: from[0] the lowest on the stack. Returns how many. */
uint32_t ww__step_operands(const ww_input *input, uint32_t s, uint32_t from[WW_ZIP_MOST]);

/* The first of the steps that compute the value which step s leaves. */
uint32_t ww__step_first(const ww_input *input, uint32_t s);
/* The step whose source step s is part of, the nearest one; the input's steps, where there is none. */
uint32_t ww__step_of_source(const ww_input *input, uint32_t s);
/* At how many positions step s is read: the input's own count, or that of the source that it is part of. */
uint64_t ww__source_count(const ww_input *input, uint32_t s);
static inline uint64_t ww__step_count(const ww_input *input, uint32_t s) {
    return input->steps < 3 ? input->count : ww__source_count(input, s);
}

/* A constant of up to so many bytes stands in its step. */
enum { WW__CONSTANT_BYTES = sizeof(ww_step) - offsetof(ww_step, data) };
static inline const void *ww__step_constant(const ww_step *step, size_t size) {
    return size <= WW__CONSTANT_BYTES ? (const unsigned char *)step + offsetof(ww_step, data) : step->data;
}

/* first, and how far apart the numbers of a WW_STEP_COUNTING_BY lie. */
typedef struct ww__counting_by {
    uint64_t first, stride;
} ww__counting_by;
static inline ww__counting_by ww__step_counting_by(const ww_step *step) {
    ww__counting_by by;
    __builtin_memcpy(&by, (const unsigned char *)step + offsetof(ww_step, data), sizeof by);
    return by;
}

/* What went wrong when an input was built: ww_input.reason. What its sentence tells besides stands in the first steps' numbers. */
typedef enum ww__input_reason {
    WW__REASON_OF_MAPS = 0,
    WW__REASON_STRIDE,         /* RANGE: first, stride, count, elements */
    WW__REASON_STRIDED_COUNT,  /* UNSUPPORTED */
    WW__REASON_PERMUTED_COUNT, /* UNSUPPORTED */
    WW__REASON_ZIP_MANY,       /* INVALID: how many */
    WW__REASON_ZIP_COUNTS,     /* INVALID: which, its elements, the first one's */
    WW__REASON_WINDOW_COUNT,   /* UNSUPPORTED */
    WW__REASON_WINDOW_LONG,    /* INVALID: the window's elements, the source's */
    WW__REASON_WINDOW_BORDER,  /* INVALID: which is none */
    WW__REASON_WINDOW_VALUE,   /* INVALID: there is none, or one too many */
    WW__REASON_WINDOW_VIEW     /* UNSUPPORTED */
} ww__input_reason;

/* The memory that a step reads: an array, a long constant, or the environment of a function; 0 bytes where it reads none. */
typedef struct ww__step_memory {
    const void *data;
    size_t bytes;
} ww__step_memory;
ww__step_memory ww__step_reads_beside(const ww_input *input, uint32_t s);
static inline ww__step_memory ww__step_reads(const ww_input *input, uint32_t s) {
    if (input->kind[s] != WW_STEP_MEMORY) return ww__step_reads_beside(input, s);
    return (ww__step_memory){input->step[s].data, (size_t)ww__step_count(input, s) * ww__step_size(input, s)};
}

#endif
