/* Marks the heads of runs on a GPU, for calls whose programs take flags: those on long elements, and those of kernel packs, which serve keys
 * of any type so. */
#ifndef WW__MARK_H
#define WW__MARK_H

#include "device/gpu/batch.h"
#include "function/function.h"

/* *by becomes an input of flags in scratch memory: 1 where a key differs from the one before it, and first. equal: a WW_MAP2, or NULL for
 * the keys' bytes. */
ww_status ww__mark(ww_device *device, const ww_input *keys, const ww_function *equal, ww_input *by);

/* What compares the keys in a program; NULL for their bytes. */
void ww__recipe_equal(ww__recipe *r, const ww_function *equal);

#endif
