/* Inputs: what a call only reads. Memory, a counting sequence, a constant, or maps applied on the fly, so that a chain
 * makes one pass: the sum of squared differences of two arrays reads each once and writes nothing between:
 *
 *     ww_input d = ww_mapped2(&difference_ww, NULL, ww_memory(a, n), ww_memory(b, n));
 *     ww_reduce(device, &ww_add, ww_mapped(&square_ww, NULL, d), ww_array(&sum, 1));
 *
 * A ww_input is passed by value and made of up to WW_INPUT_STEPS steps in postfix order. What it points to (arrays,
 * the constant, environments, functions) must live until the call returns. The builders never fail: what is wrong with
 * an input is said by the call that gets it (TYPE where a function does not fit what it is applied to, INVALID where two
 * counts differ, LIMIT where there are too many steps). */
#ifndef WARPWISE_INPUT_H
#define WARPWISE_INPUT_H

#include "function.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WW_INPUT_STEPS = 8 };

typedef enum ww_step_kind {
    WW_STEP_MEMORY = 1, /* push elements of an array */
    WW_STEP_COUNTING,   /* push first, first + 1, … */
    WW_STEP_CONSTANT,   /* push one value again and again */
    WW_STEP_MAP,        /* replace the top by a WW_MAP of it */
    WW_STEP_MAP2        /* replace the two on top by a WW_MAP2 of them */
} ww_step_kind;

typedef struct ww_step {
    ww_step_kind kind;
    const void *data; /* the array, the constant, or the environment */
    const ww_function *function;
    const ww_type *type; /* of what the step leaves on top */
    size_t size;
    uint64_t first; /* of a counting sequence */
} ww_step;

typedef struct ww_input {
    uint64_t count;      /* elements */
    const ww_type *type; /* of the elements; NULL for no input at all */
    size_t size;         /* bytes of one element */
    uint32_t steps;      /* 0 for no input */
    uint32_t problem;    /* a ww_status that the call will return */
    ww_step step[WW_INPUT_STEPS];
} ww_input;

/* The elements of an array. */
WW_API ww_input ww_from(ww_array array);
/* The same for const memory; ww_memory(pointer, count) finds the type of built-in types itself. */
WW_API ww_input ww_memory_of(const void *data, uint64_t count, const ww_type *type);
WW_API ww_input ww_record_memory(const void *data, uint64_t count, size_t bytes);
#define ww_memory(pointer, elements) ww_memory_of(ww__pointer(pointer), (elements), ww__type_at(pointer))

/* first, first + 1, …, `count` numbers of an integer type, wrapping in it. */
WW_API ww_input ww_counting(const ww_type *type, uint64_t first, uint64_t count);

/* `count` times the element at `value`. */
WW_API ww_input ww_constant(const ww_type *type, const void *value, uint64_t count);

/* f(x) for each x of the input; f is a WW_MAP. Its environment may be NULL where f takes none (void), here and
 * everywhere (INVALID). */
WW_API ww_input ww_mapped(const ww_function *f, const void *environment, ww_input input);

/* f(a, b) for two inputs of one count, zipped; f is a WW_MAP2. */
WW_API ww_input ww_mapped2(const ww_function *f, const void *environment, ww_input a, ww_input b);

static inline ww_input ww__no_input(void) {
    ww_input none;
    __builtin_memset(&none, 0, sizeof none);
    return none;
}

/* In place of an input that is not wanted. There is ww_none for arrays and this for inputs, and ww_no_value for values: they are
 * structs of three types, and a C compiler does not look at what is asked for to find out what a word means. */
#define ww_no_input ww__no_input()

#ifdef __cplusplus
}
#endif
#endif
