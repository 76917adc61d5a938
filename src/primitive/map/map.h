/* The inner interface of map: storing what an input describes, and launching a kernel for ranks. */
#ifndef WW__MAP_H
#define WW__MAP_H

#include "device/device.h"
#include "function/into.h"
#include "warpwise/input.h"

/* out[i] = in[i]. */
typedef struct ww__map_request {
    const ww_input *in;
    const ww_array *out;          /* of the input's type and count; it may be the memory that is read */
    const ww_function *outermost; /* the function that the trace names, or NULL */
} ww__map_request;

/* The same to an output that is computed. */
typedef struct ww__map_into_request {
    const ww_input *in;
    const ww__into *into;
    const ww_function *outermost;
    const ww_array
        *number; /* on a GPU: a u32 or u64 there that says how many there are, of in's count at most; or NULL */
    /* Where the device reads them, or NULL: a byte for each element, of which those that have 1 are stored; two u64, from the first to below
     * the second of which they are. */
    const ww_array *only, *range;
} ww__map_into_request;

/* The kernel's body for each of `count` ranks. */
typedef struct ww__launch_request {
    const ww_function *kernel; /* with its arguments */
    uint64_t count;
    const uint64_t *count_at; /* on a GPU: how many there are, of `count` at most; or NULL */
} ww__launch_request;

/* Checked requests, inside a call that is under way, on the device's backend. */
ww_status ww__map(ww_device *device, const ww__map_request *r);
ww_status ww__map_into(ww_device *device, const ww__map_into_request *r);
ww_status ww__launch(ww_device *device, const ww__launch_request *r);

/* On a GPU without a compiler: whether an output without a function is stored to behind a call, member by member, from memory; and one of
 * them (stored_inputs.c), by a program that takes any. */
bool ww__stores_members(const ww_device *device, const ww__into *into);
ww_status ww__store_member(ww_device *device, const ww__map_into_request *r, const unsigned char *from,
                           size_t from_apart, const ww_array *to);

/* How many ranks can live at once; and the kernel for a divisor of that. */
uint64_t ww__together(const ww_device *device);
ww_status ww__launch_together(ww_device *device, const ww_function *kernel, uint64_t ranks);

/* All of what an input describes in memory that the device reads at random: the input's own, or a scratch copy that is computed first.
 * (ww__input_in_memory is a CPU's side, which starts no other primitive.) */
ww_status ww__stored(ww_device *device, const ww_input *in, ww_array *memory);
ww_status ww__stored_copy(ww_device *device, const ww_input *in, ww_array *copy); /* of memory, too */

/* Where nothing compiles, programs of some calls write counts of u64 alone: `wide` is the caller's count, or scratch memory in its place, from
 * which the other stores the caller's. Of one in the host's own memory *found is the count then. */
ww_status ww__wide_count(ww_device *device, const ww_array *count, ww_array *wide);
ww_status ww__narrow_count(ww_device *device, const ww_array *count, const ww_array *wide, uint64_t *found);

/* The public calls, where `out` is a computed output. */
ww_status ww__map_to_computed(ww_device *device, const ww_function *f, ww_input *in, const ww_array *out);
ww_status ww__map2_to_computed(ww_device *device, const ww_function *f, ww_input *a, ww_input *b, const ww_array *out);
/* Which call it is: ww_store, or one that is a store of what it makes of its inputs. */
ww_status ww__store_to_computed(ww_device *device, const char *call, ww_input *in, const ww_array *out);

#endif
