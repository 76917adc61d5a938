/* Inputs: what a call only reads. Memory, a counting sequence, a constant, or maps, casts, views, indices and windows
 * applied on the fly, so that a chain makes one pass: the sum of squared differences of two arrays reads each once and
 * writes nothing between:
 *
 *     ww_input d = ww_mapped2(&difference_ww, ww_memory(a, n), ww_memory(b, n));
 *     ww_reduce(device, &ww_add, ww_mapped(&square_ww, d), ww_array(&sum, 1));
 *
 * A ww_input is passed by value and made of up to WW_INPUT_STEPS steps in postfix order. What it points to (arrays,
 * constants of more than 16 bytes, environments) must live until the call returns; a function that ww_with made need
 * not. The builders never fail: errors in an input are reported by the call that gets it (TYPE if a function does not match
 * what it is applied to, or an environment the function; INVALID if two counts differ, LIMIT if there are too many steps).
 * docs/inputs.md has an example of each. */
#ifndef WARPWISE_INPUT_H
#define WARPWISE_INPUT_H

#include "function.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WW_INPUT_STEPS = 10, WW_ZIP_MOST = 8 };

typedef enum ww_step_kind {
    WW_STEP_MEMORY = 1,  /* push elements of an array */
    WW_STEP_COUNTING,    /* push first, first + 1, … */
    WW_STEP_CONSTANT,    /* push one value again and again */
    WW_STEP_MAP,         /* replace the top by a WW_MAP of it */
    WW_STEP_MAP2,        /* replace the two on top by a WW_MAP2 of them, the top being the second */
    WW_STEP_MISFIT,      /* a function that was given an environment of another type than its own: TYPE */
    WW_STEP_STRIDED,     /* push elements of an array that are `number` elements apart (signed), from data on */
    WW_STEP_COUNTING_BY, /* push first, first + stride, …: both stand in data and number, as a constant does */
    WW_STEP_CAST,        /* replace the top, a number, by the same of another type */
    WW_STEP_PERMUTED, /* replace the top, an index, by that element of the array at data, which has `number` elements */
    WW_STEP_ZIP,      /* replace the `number` on top by a struct of them */
    WW_STEP_NEAR_INSIDE, /* push neighbours in the array at data, which has `number` elements: under a WW_STEP_WINDOW */
    WW_STEP_NEAR_CLAMP,
    WW_STEP_NEAR_WRAP,
    WW_STEP_NEAR_VALUE,     /* and take the top, which stands for what is outside */
    WW_STEP_WINDOW,         /* replace neighbours by a WW_WINDOW of them */
    WW_STEP_NEAR_OF_INSIDE, /* replace the top, an input of `number` elements, by neighbours in that */
    WW_STEP_NEAR_OF_CLAMP,
    WW_STEP_NEAR_OF_WRAP,
    WW_STEP_NEAR_OF_VALUE, /* and the value below it, which stands for what is outside */
    WW_STEP_PERMUTED_OF /* replace the top, an input of `number` elements, and the index below it by those elements */
} ww_step_kind;

typedef struct ww_step {
    union {
        const ww_type *type; /* of an array's elements, of a count, of a constant */
        const ww_function *function;
    };
    const void *data; /* the array; the environment, or for a misfit its ww_type; a constant: see below */
    uint64_t number;  /* where a count begins; the environment's elements; what the kind says */
} ww_step;            /* a constant of up to 16 bytes stands in data and number; data points to a longer one */

typedef struct ww_input {
    uint64_t count;               /* elements */
    const ww_type *type;          /* of the elements; NULL for no input at all */
    size_t size;                  /* bytes of one element */
    const uint64_t *count_at;     /* NULL, or how many elements there are, on the device: ww_counted */
    uint8_t kind[WW_INPUT_STEPS]; /* a ww_step_kind each */
    uint8_t steps;                /* 0 for no input */
    uint8_t problem;              /* a ww_status that the call will return */
    uint8_t reason;               /* which of its sentences; 0 for the first */
    uint8_t reserved[3];          /* 0 */
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

/* `count` times a value: ww_constant(ww_value(float, 1), n). */
WW_API ww_input ww_constant(ww_value value, uint64_t count);

/* f(x) for each x of the input; f is a WW_MAP. */
WW_API ww_input ww_mapped(const ww_function *f, ww_input input);

/* f(a, b) for two inputs of one count, zipped; f is a WW_MAP2. */
WW_API ww_input ww_mapped2(const ww_function *f, ww_input a, ww_input b);

/* ---- casts, views, indices, zips ---- */

/* Each element, a number, as one of another number type. Integers are converted to integers modulo 2^bits, and to
 * floats by rounding to the nearest. Floats are truncated to integers; where C leaves the result undefined it is the
 * nearest number of the type, and 0 for a NaN. A NaN becomes the quiet NaN of the other float type, a double out of
 * range an infinity. A sum of bytes that does not wrap: ww_reduce(device, &ww_add, ww_cast(&ww_type_uint64_t,
 * ww_memory(bytes, n)), ww_array(&sum, 1)). TYPE where either type is not a number. */
WW_API ww_input ww_cast(const ww_type *to, ww_input input);

/* Element i is element first + i * stride of the input; all `count` of them lie in it (else RANGE). Views a column of a
 * matrix or every tenth sample; a negative stride goes backwards, and a stride of 0 repeats one element. The stride is
 * applied to the arrays below the input's maps, so that elements left out are not computed. An input that contains a window,
 * or has a count on the device, has no such view: UNSUPPORTED. (A view may be given a count: ww_counted(ww_strided(…),
 * count_at).) */
WW_API ww_input ww_strided(ww_input input, uint64_t first, int64_t stride, uint64_t count);

/* The input from its last element to its first: ww_strided(input, count - 1, -1, count). */
WW_API ww_input ww_reversed(ww_input input);

/* Element i is source[index[i]]: as many elements as `index` has, which is any input of u32, u64, i32 or i64 (else
 * TYPE). The source is any input without a count on the device (UNSUPPORTED). One that is computed is so at these indices
 * alone, in the same pass, as often as an index names an element; ww_store writes first what costs more than that. An index
 * outside the source is RANGE, with the lowest position at which one was read; outputs are unspecified then. (Thrust:
 * permutation_iterator.) */
WW_API ww_input ww_permuted(ww_input source, ww_input index);

/* Up to WW_ZIP_MOST inputs of one count as the members of a WW_STRUCT, in order: ww_zip(&point_ww, x, y, z). Each
 * member is a number or a WW_STRUCT of its input's type, not an array or a pointer, and there are as many members as
 * inputs (else TYPE). Padding between members is unspecified, as in what a WW_MAP returns: where elements are compared
 * as bytes, declare it as a member and zip a constant to it. An array of structs is read by ww_memory_of. */
WW_API ww_input ww_zip_of(const ww_type *type, const ww_input *inputs, size_t many);
#ifdef __cplusplus
}
template <class... Inputs> static inline ww_input ww_zip(const ww_type *type, const Inputs &...inputs) {
    const ww_input all[] = {inputs...};
    return ww_zip_of(type, all, sizeof...(inputs));
}
extern "C" {
#else
#define ww_zip(type, ...) \
    ww_zip_of((type), (const ww_input[]){__VA_ARGS__}, sizeof((const ww_input[]){__VA_ARGS__}) / sizeof(ww_input))
#endif

/* What takes the place of neighbours outside an array. */
typedef enum ww_border {
    WW_BORDER_INSIDE = 1, /* there are none: elements that lack a neighbour are left out */
    WW_BORDER_CLAMP,      /* the first element, or the last */
    WW_BORDER_WRAP,       /* the array continues at its other end, periodically */
    WW_BORDER_VALUE       /* a value */
} ww_border;

/* f(neighbours of source[i]) for a WW_WINDOW of the source's element type: moving averages, stencils, k-mers. As many
 * elements as the source has, or with WW_BORDER_INSIDE, f's `before` and `after` fewer: there element i is in the
 * window of source[before + i], and a source of fewer than before + after + 1 elements is INVALID. `outside` is
 * WW_BORDER_VALUE's, of the element type, else ww_no_value. The source is any input without a count on the device
 * (UNSUPPORTED). One that is computed is computed in the same pass: on a CPU once for each tile of elements and its neighbours,
 * on a GPU by each thread for itself, which is before + after + 1 times the work; if that is too much, ww_store writes it
 * first. On a GPU a window may have up to 4096 bytes (LIMIT). */
WW_API ww_input ww_window(const ww_function *f, ww_input source, ww_border border, ww_value outside);

/* The same input, of as many elements as the number at `count_at` says, and of no more than its count; as
 * ww_counted_array. Inputs that ww_mapped2 and ww_zip combine have the same number. */
static inline ww_input ww_counted(ww_input input, const uint64_t *count_at) {
    input.count_at = count_at;
    return input;
}

static inline ww_input ww__no_input(void) {
    ww_input none;
    __builtin_memset(&none, 0, sizeof none);
    return none;
}

/* In place of an input that is not wanted. There are ww_none for arrays, this for inputs, and ww_no_value for values: these are
 * structs of three types, and C does not choose the type of a name by what is expected in its place. */
#define ww_no_input ww__no_input()

#ifdef __cplusplus
}
#endif
#endif
