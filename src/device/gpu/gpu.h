/* What the rooms' host sides use of a GPU: programs made of kernel text, the struct that a kernel takes, launches, and
 * memory that is the GPU's or the host's. */
#ifndef WW__GPU_H
#define WW__GPU_H

#include "device/array.h"
#include "device/device.h"
#include "device/gpu/counters.h"
#include "device/gpu/driver.h"
#include "device/gpu/recipe.h"
#include "device/gpu/record.h"

typedef struct ww__program ww__program;

enum { WW__IN_PLACE = 40 };

typedef struct ww__gpu {
    ww__driver *driver;
    const void *in_place[WW__IN_PLACE]; /* arrays of the host's that the call under way uses where they lie */
    size_t in_places;
    ww__program *programs; /* made so far, what was used last first */
    struct ww__pack *pack; /* programs made when the library was; NULL: there is none */
    void **captured;       /* scratch memory that graphs of the caller's use */
    size_t captured_blocks, captured_room;
    ww__gpu_record *record;    /* of bad data; NULL until the first call that checks */
    ww__gpu_counters counters; /* NULL until the first call that counts */
    uint64_t programs_compiled, programs_from_disk, programs_from_pack; /* ww_device_info says so */
} ww__gpu;

/* Gives the handle its driver; the handle closes it. */
ww_status ww__gpu_open(ww_device *device, ww__driver *driver);
/* What programs are made from, whatever compiles them: the version and a hash of the kernel text. For kernel packs. */
void ww__gpu_version(char *text, size_t room);
void ww__gpu_close(ww_device *device);

/* Makes the GPU's context current, and what was current before again. Nothing on a CPU. */
static inline void ww__gpu_enter(ww_device *device) {
    if (device->gpu && device->gpu->driver->enter) device->gpu->driver->enter(device->gpu->driver);
}
static inline void ww__gpu_leave(ww_device *device) {
    if (device->gpu && device->gpu->driver->leave) device->gpu->driver->leave(device->gpu->driver);
}

/* Whether programs can be made for what a call is of: record sizes, and buckets by edges of each type. Where they cannot, calls go
 * ways that few programs serve, which a kernel pack has. */
bool ww__gpu_compiles(const ww_device *device);
/* Whether this program is at hand, or can be made: where nothing compiles, calls that are used most have programs of their own in a
 * kernel pack, and others take a plan that is the same for all sizes and GPUs. */
bool ww__gpu_has(ww_device *device, const ww__recipe *recipe);
/* Shared memory that a block has on every GPU that kernel packs are for: such plans take no more. */
enum { WW__SHARED_EVERYWHERE = 64 << 10 };
/* Whether the call that is under way is recorded in a graph of the caller's, to be run again later. */
bool ww__gpu_capturing(ww_device *device);

/* Passes a driver's status on, with its sentence. After WW_LOST the handle is of no more use. */
ww_status ww__gpu_said(ww_device *device, ww_status status);

/* Whether a call can go on whose kernels use the memory of an array: they reach it, or it is staged (device/call.h). Any can be
 * told of an empty one. */
ww_status ww__gpu_reach(ww_device *device, const char *name, const void *pointer, uint64_t count);

/* Whether the host can read an array: not when it is the GPU's own memory. OK on a CPU. */
ww_status ww__gpu_host_reads(ww_device *device, const char *name, const ww_array *array);

/* Copies any way, in order; fills with a byte. A copy to the host's own memory also reports bad data found before it. */
ww_status ww__gpu_copy(ww_device *device, void *to, const void *from, size_t bytes);
ww_status ww__gpu_fill(ww_device *device, void *to, unsigned char byte, size_t bytes);

/* Where a kernel may write a result that the caller wants at `to`: there, or, where kernels cannot reach it, in scratch
 * memory, from which ww__gpu_result copies it (waiting) afterwards. */
ww_status ww__gpu_room(ww_device *device, void *to, size_t bytes, void *pointer_to_pointer);
/* The same for an output that kernels may leave as it is: of one element, which alone may lie where they do not reach, the room
 * holds what stood there. */
ww_status ww__gpu_room_kept(ww_device *device, const ww_array *out, void *pointer_to_pointer);
ww_status ww__gpu_result(ww_device *device, void *to, const void *room, size_t bytes);

/* The struct that a kernel takes: the room's own part first, then the inputs' as the recipe declares them. */
typedef struct ww__arguments {
    unsigned char bytes[WW__ARGUMENTS_MOST];
    size_t used;
} ww__arguments;
void ww__arguments_begin(ww__arguments *a);
/* The family's own part, as the header that kernel text includes too declares it. */
static inline void ww__arguments_of(ww__arguments *a, const void *fixed, size_t size) {
    __builtin_memcpy(a->bytes, fixed, size);
    a->used = size;
}
#define WW__ARGUMENTS(a, fixed) \
    do { \
        _Static_assert(sizeof(fixed) <= WW__ARGUMENTS_MOST && sizeof(fixed) % 8 == 0, \
                       "laid out alike by all compilers"); \
        ww__arguments_of((a), &(fixed), sizeof(fixed)); \
    } while (0)
/* Adds one member; LIMIT when the struct is full. Members are aligned as the compiler of kernels aligns them. A kernel that is
 * launched without one reads another in its place, so nobody leaves a status unlooked at. */
WW__LOOKED_AT ww_status ww__argument(ww_device *device, ww__arguments *a, const void *value, size_t size,
                                     size_t alignment);
#define WW__ARGUMENT(device, a, value) ww__argument((device), (a), &(value), sizeof(value), _Alignof(__typeof__(value)))
/* The same, for the caller to fill. */
WW__LOOKED_AT ww_status ww__argument_place(ww_device *device, ww__arguments *a, size_t size, size_t alignment,
                                           void **to);
/* What comes next begins where any type may. */
WW__LOOKED_AT ww_status ww__argument_align(ww_device *device, ww__arguments *a);
/* What an input keeps for kernels: the struct that its recipe declares. */
WW__LOOKED_AT ww_status ww__argument_input(ww_device *device, ww__arguments *a, const ww_input *input);
/* What kernels check indices of a type by: `limit`, a uint64_t, and a ww_checking; `into`: of ww_permuted_into, not of ww_permuted. */
WW__LOOKED_AT ww_status ww__argument_indices(ww_device *device, ww__arguments *a, const ww_type *type, uint64_t limit,
                                             bool into);

/* Runs `kernel` of the program that a recipe makes; compiled when it is first wanted. */
WW__LOOKED_AT ww_status ww__gpu_launch(ww_device *device, const ww__recipe *recipe, const char *kernel, uint64_t blocks,
                                       uint32_t threads, size_t shared, const ww__arguments *arguments);
/* The same for a kernel that may begin while the kernel launched before it still runs: that calls ww_launch_next, and this one
 * ww_wait_before (device/kernel/words.cuh). No copy or fill is queued between them. */
WW__LOOKED_AT ww_status ww__gpu_launch_early(ww_device *device, const ww__recipe *recipe, const char *kernel,
                                             uint64_t blocks, uint32_t threads, size_t shared,
                                             const ww__arguments *arguments);
/* The same for blocks that wait for one another: the GPU has room for all of them at once. */
WW__LOOKED_AT ww_status ww__gpu_launch_together(ww_device *device, const ww__recipe *recipe, const char *kernel,
                                                uint64_t blocks, uint32_t threads, size_t shared,
                                                const ww__arguments *arguments);

#endif
