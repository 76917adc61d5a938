/* What a program for a GPU is made of: a file of kernel text, and what its words stand for in this call. A recipe is small
 * and has no text of its own, so that a call can look for the program that it made last time by comparing bytes.
 *
 *     ww__recipe r;
 *     ww__recipe_begin(&r, "primitive/map/store.cuh");
 *     ww__recipe_number(&r, "WW_ROWS", 4);                           #define WW_ROWS 4
 *     ww__recipe_type(&r, "ww_item", out->type, out->size, out->data);  typedef … ww_item;
 *     ww__recipe_function(&r, "ww_op", op);                          the function, and ww_op for its name (device/kernel/environment.cuh)
 *     ww__recipe_input(&r, "in", in);                                struct in_input, in_at, in_read (device/kernel/types.cuh) */
#ifndef WW__RECIPE_H
#define WW__RECIPE_H

#include <stdbool.h>

#include "warpwise/input.h"

typedef enum ww__part_kind {
    WW__PART_NUMBER = 1,
    WW__PART_TYPE,
    WW__PART_FUNCTION,
    WW__PART_INPUT,
    WW__PART_STEP,
    WW__PART_ENVIRONMENT
} ww__part_kind;

/* One line of a recipe. Names are string literals: they are compared by address. */
typedef struct ww__part {
    uint16_t kind, step_kind;
    uint32_t by_pointer; /* an environment, also a step's, and a constant: 1 where kernels get a pointer to it */
    const char *name;    /* what is defined; NULL for a step */
    const ww_type *type; /* a type's, a step's */
    const ww_function
        *function;            /* a function's, a step's; without its environment, which is another one in every call */
    uint64_t number;          /* a number's; of a WW_STEP_MAP2: its first operand's step; of neighbours of what is
                                 computed: the first of its steps; steps of an input; 1 of a
                                 function whose environment the block keeps */
    uint32_t size, alignment; /* of a type's, a step's elements */
} ww__part;

enum { WW__PARTS = 64 };

typedef struct ww__recipe {
    const char *file;
    size_t parts;
    bool full;
    bool counted; /* launches may begin early in loops (device/kernel/counted.cuh). Not compared */
    const ww_function
        *kept; /* the operator or order whose environment launches give to blocks to keep; NULL: none. Not compared */
    ww__part part[WW__PARTS];
} ww__recipe;

void ww__recipe_begin(ww__recipe *r, const char *file);
void ww__recipe_number(ww__recipe *r, const char *name, uint64_t number);
/* Whose kernels look at a count on the device (device/kernel/counted.cuh); nothing for NULL. */
static inline void ww__recipe_counted(ww__recipe *r, const uint64_t *count_at) {
    if (count_at) ww__recipe_number(r, "WW_COUNT_AT", 1);
    r->counted |= count_at != NULL;
}
/* `at`: where elements lie, for the alignment of records; NULL: as records of no alignment. */
void ww__recipe_type(ww__recipe *r, const char *name, const ww_type *type, size_t size, const void *at);
/* Of an operator or order that has an environment launches give that to kernels, too (one in a recipe; `f` lives as long). */
void ww__recipe_function(ww__recipe *r, const char *name, const ww_function *f);
void ww__recipe_input(ww__recipe *r, const char *name, const ww_input *input);
/* The same for elements that are only moved, or taken for words of their size: numbers of one size are one type, so that one
 * program serves them all. Inputs that are computed keep their types. */
void ww__recipe_moved_type(ww__recipe *r, const char *name, const ww_type *type, size_t size, const void *at);
void ww__recipe_moved_input(ww__recipe *r, const char *name, const ww_input *input);
/* The same for elements of any size in memory whose size kernels are told: they are bytes. */
void ww__recipe_bytes_input(ww__recipe *r, const char *name, const ww_input *input);

/* Positions: where `any`, kernels are told at run time of which type those in memory are, and get u64, so that one program serves all. */
void ww__recipe_index(ww__recipe *r, const char *name, const ww_input *index, bool any);
/* An operator on numbers in memory becomes its twin, on another type of the same size, if no input is computed. */
void ww__recipe_exchange(ww__recipe *r, const ww_function *op, const ww_function *twin);

/* How elements of a type are aligned in a program; records are moved in words as long as their size and place allow. */
uint32_t ww__alignment(const ww_type *type, size_t size, const void *at);

static inline bool ww__recipe_same(const ww__recipe *a, const ww__recipe *b) {
    return a->file == b->file && a->parts == b->parts &&
           !__builtin_memcmp(a->part, b->part, a->parts * sizeof *a->part);
}

/* The whole text of the program, to be freed by free(); NULL where there is no memory. */
char *ww__recipe_text(const ww__recipe *r);

#endif
