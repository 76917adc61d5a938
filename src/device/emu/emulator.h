/* The emulator: a GPU made of fibers, behind the driver's table (device/gpu/driver.h). It is for tests and for learning:
 * slow, and strict. A shared object of its own, opened by dlopen; these are the names that it shows.
 *
 * Options, separated by commas:
 *     threads=N   N times as many blocks are resident (1). They take turns on one thread of the system's
 *     seed=N      blocks and lanes run in a random order that N decides, and blocks are put aside in the middle of their
 *                 work, so that others overtake them. In about every second launch blocks start in the order of their numbers, and
 *                 kernels are told so (WW_STARTED_IN_ORDER). Each launch of a handle has another order, and the same calls of
 *                 another handle with that seed have the same ones. (In order, and kernels are not told so)
 *     counters=0  nothing is counted: faster (1)
 *     reach=all   kernels reach all memory of the process, as those of some GPUs do; what they touch outside of the driver's
 *                 blocks is not looked at, but for races. (own: that is a fault)
 *     tsan=1      kernels are built for the real thread sanitizer, which the program must have been started with; the
 *                 emulator's own checks and counters are off. Blocks then run on N threads of the system's, nothing is put
 *                 aside, and a seed says only how blocks and lanes start. (1 in a program that has that sanitizer, which sees
 *                 nothing of kernels with tsan=0; else 0)
 * WARPWISE_EMU_CXX names the compiler (c++), WARPWISE_EMU_FLAGS more flags for it.
 *
 * A fault in a kernel ends the launch with WW_LOST and a sentence that names kernel, block, thread and source line:
 *   - shared memory that is read before anyone wrote it, and touched outside of what was asked for;
 *   - shared memory that two threads touch, one writing, with no __syncthreads or __syncwarp between them. As CUDA has
 *     it, shuffles and ballots order nothing in memory;
 *   - global memory that two threads of a launch touch, one by a plain write, or one plainly and the other by an atomic
 *     operation or relaxed store, where nothing that CUDA's memory model knows orders the two (races.h);
 *   - global memory outside of all blocks of the driver's, or in a part that is closed. The library closes what a block from
 *     ww_alloc was rounded up by, and all scratch memory but the pieces of the call under way, with closed bytes between
 *     them (device/scratch.c); copies and fills that go there fail too. An atomic operation on 4 bytes may reach over the end
 *     of a piece that ends inside of them: so elements of 1 and 2 bytes are changed;
 *   - a barrier or a warp operation that not all threads come to;
 *   - blocks that wait for blocks which cannot start before they end. */
#ifndef WW__EMULATOR_H
#define WW__EMULATOR_H

#include "device/gpu/driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a profiler would count, since the last launch began. One warp access is what the lanes of a warp do at one place
 * in the code, the k-th time that each of them comes there. Exact with gcc; clang takes structs such as uint4 apart, and
 * counts each part. Nothing is counted with tsan=1. */
struct ww__counters {
    uint64_t warp_accesses;   /* of global memory */
    uint64_t sectors;         /* pieces of 32 bytes that these touched */
    uint64_t shared_accesses; /* warp accesses of shared memory */
    uint64_t bank_conflicts;  /* passes that these took beyond their first; 32 banks of 4 bytes */
    uint64_t warp_operations; /* shuffles, votes, matches, reductions and __syncwarps that whole masks came to */
};

ww__driver *ww__emulator_open(const char *options, ww_status *status, char *why, size_t room);
ww_status ww__emulator_look(const char *source, const ww__header *headers, char *why, size_t room);
void ww__emulator_counters(const ww__driver *driver, struct ww__counters *counters);
/* From here on the launches of each handle come in the order that a new handle's would. */
void ww__emulator_restart(void);
/* The table's poison, for programs that have only the shared object. */
void ww__emulator_poison(ww__driver *driver, const void *start, size_t bytes, int closed);

#ifdef __cplusplus
}
#endif
#endif
