/* A GPU that compiles and does nothing else: every program that a call makes goes through NVRTC for one architecture,
 * and nothing runs. Needs no GPU and no driver. Its memory is addresses that nobody can reach, as much as one likes;
 * copies from there give zeros, or what they were told to. */
#ifndef KERNEL_PACK_COMPILE_ONLY_H
#define KERNEL_PACK_COMPILE_ONLY_H

#include "device/cuda/compiler.h"
#include "device/gpu/driver.h"

/* A number is the word; of an array words are that where a bit is set, and else 0. */
typedef struct compile_only_answer {
    uint32_t word, where;
} compile_only_answer;
enum { COMPILE_ONLY_ANSWERS = 32 };

typedef struct compile_only {
    ww__driver driver; /* first; its functions may be replaced before the handle is made */
    ww__cuda_compiler compiler;
    uintptr_t taken; /* bytes of addresses */
    bool host_apart; /* the GPU does not reach the host's own memory, so that results are copied there */
    compile_only_answer answer[COMPILE_ONLY_ANSWERS]; /* what the next copies from its memory give, */
    size_t answers, answered;
    const void *kept_zero; /* but from here always 0 */
    bool has_compiler;     /* what calls are told: true, but where programs are made for machines that have none */
} compile_only;

/* For sm_`architecture` with the numbers of an H100, without a compiler; NULL where there is no memory. */
compile_only *compile_only_new(int architecture);

/* Opens NVRTC; false, with the reason, where there is none. */
bool compile_only_find_compiler(compile_only *c, char *why, size_t room);

/* A handle, which closes the driver in any case. */
ww_status compile_only_device(compile_only *c, ww_device **device);

#endif
