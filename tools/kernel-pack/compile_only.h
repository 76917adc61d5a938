/* A GPU that compiles and does nothing else: every program that a call makes goes through NVRTC for one architecture,
 * and nothing runs. Needs no GPU and no driver. Its memory is addresses that nobody can reach, as much as one likes;
 * copies from there give zeros. */
#ifndef KERNEL_PACK_COMPILE_ONLY_H
#define KERNEL_PACK_COMPILE_ONLY_H

#include "device/cuda/compiler.h"
#include "device/gpu/driver.h"

typedef struct compile_only {
    ww__driver driver; /* first; its functions may be replaced before the handle is made */
    ww__cuda_compiler compiler;
    uintptr_t taken;   /* bytes of addresses */
    bool has_compiler; /* what calls are told: true, but where programs are made for machines that have none */
} compile_only;

/* For sm_`architecture` with the numbers of an H100, without a compiler; NULL where there is no memory. */
compile_only *compile_only_new(int architecture);

/* Opens NVRTC; false, with the reason, where there is none. */
bool compile_only_find_compiler(compile_only *c, char *why, size_t room);

/* A handle, which closes the driver in any case. */
ww_status compile_only_device(compile_only *c, ww_device **device);

#endif
