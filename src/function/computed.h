/* What input.c computes tiles of the newer steps by: casts, strides, elements at indices, zips. */
#ifndef WW__COMPUTED_H
#define WW__COMPUTED_H

#include "function/function.h"

/* How many elements more than n a step of neighbours has in a tile of n; 0 of other steps. */
static inline size_t ww__near_more(const ww_input *input, uint32_t s) {
    if (!ww__kind_is_near(input->kind[s])) return 0;
    const ww_function *f = input->step[s + 1].function;
    return (size_t)ww__window_before(f) + ww__window_after(f);
}

/* n numbers as another type's, as ww_cast says; the types are two different numbers'. */
void ww__cast(const ww_device *device, const ww_type *to, void *out, const ww_type *from, const void *in, size_t n);
/* The same where one of them is f16 or bf16. */
void ww__cast_half(const ww_device *device, const ww_type *to, void *out, const ww_type *from, const void *in,
                   size_t n);

/* Element `first` on of a WW_STEP_STRIDED or a WW_STEP_COUNTING_BY. */
void ww__read_strided(const ww_device *device, const ww_step *step, size_t size, uint64_t first, size_t n, void *out);
void ww__read_counting_by(const ww_step *step, uint64_t first, size_t n, void *out);

/* out[i] = the step's array at index[i]. What is outside becomes 0 bytes, and is kept for the end of the call: it is element
 * first + i of the input. */
void ww__read_permuted(const ww_device *device, const ww_step *step, size_t size, const ww_type *index_type,
                       const void *index, uint64_t first, size_t n, void *out);
/* Whether all of n indices are below a limit; index i as a u64, negative ones above all counts; and keeping one that is outside, which
 * element `position` has. */
bool ww__all_inside(const ww_device *device, const ww_type *type, const void *index, size_t n, uint64_t limit);
uint64_t ww__index_at(const ww_type *type, const void *index, size_t i);
void ww__keep_outside(const ww_device *device, uint64_t position, uint64_t index, uint64_t limit, const ww_type *type);
/* out[i] = the element at place[i] of an array of `count` elements, which has all of these. */
void ww__move_from(const ww_device *device, void *out, const void *array, const uint64_t *place, size_t size, size_t n,
                   uint64_t count);
/* One element of it; NULL where the index is outside. */
const void *ww__permuted_at(const ww_step *step, size_t size, const ww_type *index_type, const void *index, size_t i);

/* Indices of ww_permuted_into, a tile: the first is that of element `first`, and all are to be below `limit`. */
typedef struct ww__at_indices {
    const ww_type *type;
    const void *index;
    uint64_t first, limit;
} ww__at_indices;
/* to[index[i]] = the element at from + i * apart; what is outside is left out, and kept for the end of the call. Elements of 1, 2, 4 and
 * 8 bytes that lie as words are stored at once. */
void ww__put_at_indices(const ww_device *device, const ww__at_indices *at, void *to, size_t size, const void *from,
                        size_t apart, size_t n);

/* Neighbours for the window behind step s: where element `first` lies in memory or, near an end of that, in `room`. `outside` is what
 * a WW_STEP_NEAR_VALUE takes. */
const void *ww__read_near(const ww_input *input, uint32_t s, const void *outside, uint64_t first, size_t n, void *room);

/* What step s leaves of the values on the stack, which belong to element `first` on, into `out`; of no step that is memory or neighbours. */
void ww__compute_step(const ww_device *device, const ww_input *input, uint32_t s, uint64_t first, size_t n,
                      const void *const *on, void *out);

/* An input in which a window or an index stands on what is computed is a tree: each value is computed at the positions that are wanted of
 * it. `room` has ww__tree_room bytes, 64-byte aligned; the value goes to `to`, where that is not NULL and it is not memory. */
static inline bool ww__has_source(const ww_input *input) {
    for (uint32_t s = 1; s < input->steps; s++)
        if (ww__kind_has_source(input->kind[s])) return true;
    return false;
}
size_t ww__tree_room(const ww_input *input, uint32_t s, size_t n);
const void *ww__read_tree(const ww_device *device, const ww_input *input, uint32_t s, uint64_t first, size_t n,
                          void *room, void *to);

/* n structs of what step s takes. */
void ww__read_zip(const ww_device *device, const ww_input *input, uint32_t s, const void *const *on, size_t n,
                  void *out);
/* What the map that follows step s makes of them, without putting them together; false, and nothing done, where no map follows or its loop
 * cannot. */
bool ww__map_zip(const ww_device *device, const ww_input *input, uint32_t s, const void *const *on, size_t n,
                 void *out);

#endif
