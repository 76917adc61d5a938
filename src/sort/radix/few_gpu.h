/* Keys of which there are only a few different ones, on a GPU: few.cu. */
#ifndef WW__FEW_GPU_H
#define WW__FEW_GPU_H

#include "radix/sweeps_gpu.h"

/* Whether it pays to look for them. */
bool ww__few_pays(const ww_device *device, const ww__sweeping *job);

/* Counts them, if they are few. The board's first word, in scratch memory, then says that filling is all there is left to do. */
ww_status ww__tally_few(ww_device *device, const ww__sweeping *job, void **board);
/* Fills the output if so; else does nothing. */
ww_status ww__fill_few(ww_device *device, const ww__sweeping *job, void *board);

#endif
