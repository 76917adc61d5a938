/* What functions read beside their elements, and long constants, on their way to kernels.
 *
 * One element of up to WW__BY_VALUE_MOST bytes goes by value: it is copied to the struct that a kernel takes. Several elements, and
 * longer ones, go by a pointer to memory that kernels reach: the caller's own, or the copy of it that the call's staging makes
 * (device/call.h: WW_USES). Which of the two depends on nothing but the sizes, so that the checks, staging, the program's
 * text and the arguments agree.
 *
 * A kernel has an environment as one member of its struct, whatever the function is:
 *
 *     ww__recipe_environment(&r, "ww_environment", f);       struct ww_environment, in C: f(x, a.environment.at())
 *     ww__recipe_function(&r, "ww_body", f);
 *     …
 *     WW_TRY(ww__argument_environment(device, &a, f));       where `ww_environment environment;` stands in the struct
 *
 * The environments of an input's maps are members of the input's struct: ww__recipe_input and ww__argument_input see to them. */
#ifndef WW__ENVIRONMENT_H
#define WW__ENVIRONMENT_H

#include "device/gpu/gpu.h"
#include "device/steps.h"

/* What a struct of WW__ARGUMENTS_MOST bytes has room for several times. A WW_KERNEL's has nothing else to hold than its count. */
enum { WW__BY_VALUE_MOST = 256, WW__KERNEL_BY_VALUE_MOST = WW__ARGUMENTS_MOST - 16 };

static inline bool ww__environment_by_pointer(ww_role role, size_t size, uint64_t count) {
    const bool launched = role == WW_ROLE_KERNEL || role == WW_ROLE_BLOCKS;
    return count != 1 || size > (launched ? (size_t)WW__KERNEL_BY_VALUE_MOST : (size_t)WW__BY_VALUE_MOST);
}
static inline bool ww__constant_by_pointer(size_t size) { return size > WW__BY_VALUE_MOST; }

/* Whether a checked input's step has a constant, or a function an environment, that goes by pointer. */
bool ww__step_by_pointer(const ww_input *input, uint32_t s);
bool ww__function_by_pointer(const ww_function *f);

/* The struct `name` of a program: alignas(16), with the member function at(), which gives what f's body takes for its environment;
 * NULL for one that reads none. f has been given its environment. */
void ww__recipe_environment(ww__recipe *r, const char *name, const ww_function *f);
/* The struct's bytes. A single element in the GPU's own memory is waited for. */
WW__LOOKED_AT ww_status ww__argument_environment(ww_device *device, ww__arguments *a, const ww_function *f);

/* An operator's or an order's environment: kernels call these deep inside, so each block keeps it in shared memory
 * (device/kernel/environment.cuh). ww__recipe_function and launches see to that; a plan has so many bytes less. */
static inline bool ww__block_keeps(const ww_function *f) {
    return (f->role == WW_ROLE_COMBINE || f->role == WW_ROLE_LESS) && ww__reads_environment(f);
}
static inline size_t ww__kept_bytes(const ww_function *f) { return ww__block_keeps(f) ? WW__BY_VALUE_MOST : 0; }

/* What step s of an input, a constant or a map, keeps in the input's struct. */
WW__LOOKED_AT ww_status ww__argument_step(ww_device *device, ww__arguments *a, const ww_input *input, uint32_t s);

#endif
