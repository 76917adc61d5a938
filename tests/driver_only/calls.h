/* What calls that no command makes are tried with (calls.c, primitive_calls.c): arrays on the GPU, and what is said of a call. */
#ifndef DRIVER_ONLY_CALLS_H
#define DRIVER_ONLY_CALLS_H

#include "warpwise.h"

typedef struct memory {
    ww_device *device;
    void *block[64];
    size_t blocks;
} memory;

/* Prints a call that has no program; other mistakes are the data's where nothing ran. */
void made(ww_device *device, const char *call, const ww_type *type, uint64_t n, ww_status status);
#define CALL(device, n, call) made(device, #call, NULL, n, call)
#define CALL_OF(device, type, n, call) made(device, #call, type, n, call)

/* Uninitialised; and numbers below `most`, which the host made. They live until `give`. */
ww_array take(memory *m, const ww_type *type, uint64_t n);
ww_array filled(memory *m, const ww_type *type, uint64_t n, uint64_t most, bool rising);
void give(memory *m);

/* Every primitive and sort, of elements of a number's type; and of inputs that are computed, and counts on the device. */
void primitives(memory *m, uint64_t n, const ww_type *type);
void computed(memory *m, uint64_t n, const ww_type *type);
/* What a deterministic handle, m's, does in another way; of floats. */
void in_fixed_order(memory *m, uint64_t n, const ww_type *type);

#endif
