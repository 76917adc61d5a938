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
void ww__read_strided(const ww_step *step, size_t size, uint64_t first, size_t n, void *out);
void ww__read_counting_by(const ww_step *step, uint64_t first, size_t n, void *out);

/* out[i] = the step's array at index[i]. What is outside becomes 0 bytes, and is kept for the end of the call: it is element
 * first + i of the input. */
void ww__read_permuted(const ww_device *device, const ww_step *step, size_t size, const ww_type *index_type,
                       const void *index, uint64_t first, size_t n, void *out);
/* One element of it; NULL where the index is outside. */
const void *ww__permuted_at(const ww_step *step, size_t size, const ww_type *index_type, const void *index, size_t i);

/* Neighbours for the window behind step s: where element `first` lies in memory or, near an end of that, in `room`. `outside` is what
 * a WW_STEP_NEAR_VALUE takes. */
const void *ww__read_near(const ww_input *input, uint32_t s, const void *outside, uint64_t first, size_t n, void *room);

/* n structs of what step s takes. */
void ww__read_zip(const ww_device *device, const ww_input *input, uint32_t s, const void *const *on, size_t n,
                  void *out);

#endif
