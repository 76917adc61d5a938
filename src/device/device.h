/* What the library's source files share about a device: the handle, entering and leaving a call, errors. */
#ifndef WW__DEVICE_H
#define WW__DEVICE_H

#include "warpwise/device.h"

#include "warpwise/function.h"

/* The GPU's backend serves every device that runs kernel text: cuda and emu. */
typedef enum ww__backend { WW__BACKEND_CPU = 1, WW__BACKEND_GPU } ww__backend;

typedef struct ww__block { /* one piece of scratch memory */
    unsigned char *data;
    size_t size, used; /* bytes that count; closed zones do not */
    size_t zones;      /* between the pieces taken from it; only on the emulator and in tests (device/zones.h) */
    bool captured;     /* a graph of the caller's uses it: it stays until ww_close */
} ww__block;

typedef struct ww__scratch_mark { /* what has been taken so far */
    size_t blocks, used, zones, total;
} ww__scratch_mark;

/* Tests have every call made on paper first (device/paper.h), and are told of one that takes more then, or is refused on paper alone. */
typedef struct ww__rehearsing {
    void (*say)(const ww_device *device, const char *wrong, size_t asked, size_t taken); /* NULL: nothing of this */
    bool made; /* the call that is under way was */
    ww_status status;
    size_t asked, peak_before;
} ww__rehearsing;

/* Counts on the device that the call under way was given. */
typedef enum ww__counts {
    WW__COUNTS_SETTLED, /* there are none, or no more: the host has looked at them */
    WW__COUNTS_OPEN,    /* nobody has looked: what would have the GPU do something gives WW__SETTLE */
    WW__COUNTS_TAKEN    /* the call's kernels will look */
} ww__counts;

/* Inputs that are computed by steps for which no program may be at hand (primitive/map/stored_inputs.c). */
typedef enum ww__stores {
    WW__STORES_NONE,
    WW__STORES_POSSIBLE, /* the call was given one for which there may be a program: its first launch finds out */
    WW__STORES_WANTED,   /* … for which there is none: what would have the GPU do something gives WW__STORE */
    WW__STORES_DONE      /* it runs again with what has been stored */
} ww__stores;

enum { WW__BLOCKS = 64, WW__HOST_BLOCKS = 8, WW__REFUSED = 32 };

/* The index outside of a ww_permuted's source, or a ww_permuted_into's array, that a call on a CPU read at the lowest position. */
typedef struct ww__bad_index {
    uint64_t position; /* UINT64_MAX: none */
    uint64_t value, limit;
    bool is_signed, is_output;
    uint32_t lock; /* of the others, while they change */
} ww__bad_index;

struct ww_device {
    ww__backend backend;
    int vector;       /* WW_VECTOR_PLAIN … */
    uint32_t threads; /* a large call uses */
    bool trace;
    uint64_t busy;                 /* atomic: the process (cpu/process.h) in which a call is under way; 0: none is */
    uint64_t refused[WW__REFUSED]; /* atomic: threads whose last call here was WW_BUSY; 0: none (device/refused.h) */
    uint32_t refusals;             /* atomic: how many there ever were */
    bool failed;                   /* ww_open failed: the handle only holds the sentence */
    ww_status failure;             /* … and its status */
    const char *call;              /* the public function that is under way */
    ww_allocator allocator;
    ww_executor executor;
    uint32_t host_memory; /* a ww_host_memory */
    /* Of the call that is under way, on a GPU (device/call.h): */
    bool stage_wanted;         /* it was given an array that kernels do not reach */
    bool staged;               /* such arrays have copies that kernels reach */
    bool in_place;             /* kernels reach such an array where it lies: the call waits before it returns */
    uint8_t counts;            /* a ww__counts: what became of counts on the device */
    uint8_t stores;            /* a ww__stores: what became of inputs that no program at hand computes */
    bool launched;             /* a kernel of it runs, or may: it is not made again for want of a program */
    ww__scratch_mark begin;    /* … what scratch memory there was when its body began, which it then gives back */
    const uint64_t *number[8]; /* … and where these are: no result of one element is written there */
    size_t numbers;
    const struct ww__deferred *deferred; /* the call's outputs that are computed (device/call.h); NULL: none */
    ww__bad_index bad_index;             /* … that it found in an input (ww__leave says it) */
    bool room_short;       /* it fails because a result has too little room; what there is room for has been written */
    struct ww__pool *pool; /* NULL until the first large call */
    bool alone;            /* a task has no worker but the caller: it counts its claims without a lock */
    size_t stream_bytes;   /* outputs from this size on bypass the caches */
    size_t light_bytes;    /* WW__LIGHT_BYTES (cpu/parallel.h); in tests 0: small calls have threads at once, too */
    ww__block block[WW__BLOCKS]; /* block[0] is kept, the others are what a growing call had to add */
    size_t blocks, scratch_used, scratch_peak, scratch_limit;
    ww__block host_block[WW__HOST_BLOCKS]; /* on a GPU: the call's ww__host_scratch */
    size_t host_blocks;
    ww__block pinned;                                       /* on a GPU: kept, as block[0] is */
    void (*overrun)(const ww_device *device, size_t bytes); /* NULL but in tests: device/zones.h */
    bool deterministic;                                     /* ww_open_options says what */
    bool on_paper;             /* calls only say what scratch memory they would take: device/paper.h */
    size_t paper_peak;         /* … the most that one has, so far */
    ww__rehearsing rehearsing; /* in tests: device/paper.h */
    struct ww__gpu *gpu;       /* device/gpu/gpu.h; NULL on a CPU */
    struct ww__checks *checks; /* device/checks.h; NULL where nothing is tried */
    char description[160];
    char error[2048]; /* long enough for what a compiler says */
};

/* The top and the end of every public call that takes a device. ww__enter returns INVALID for NULL, BUSY when another
 * thread is inside, LOST when one was as this process was forked, the old failure for a handle that never opened. ww__leave
 * gives scratch memory back. */
ww_status ww__enter(ww_device *device, const char *call);
ww_status ww__leave(ww_device *device, ww_status status);

/* Of a handle in which another thread was as this process was forked: what that had just changed is not known, so the memory that
 * the handle's calls have taken stays where it is, and every call is LOST. */
void ww__give_up_forked(ww_device *device);

/* Keeps the sentence "call: …" and returns the status. */
ww_status ww__fail(ww_device *device, ww_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* In front of a declaration: compilers warn of a call that leaves the result as it is. */
#define WW__LOOKED_AT __attribute__((warn_unused_result))

/* A check at the top of a public function, one line each. */
#define WW_CHECK(device, condition, status, ...) \
    do { \
        if (!(condition)) return ww__fail(device, status, __VA_ARGS__); \
    } while (0)

/* Where the result has been made and there is not enough room for it: the outputs hold what there is room for. */
#define WW_CHECK_ROOM(device, condition, ...) \
    do { \
        (device)->room_short = !(condition); \
        WW_CHECK(device, condition, WW_LIMIT, __VA_ARGS__); \
    } while (0)

/* Returns from the function when a step failed. */
#define WW_TRY(call) \
    do { \
        const ww_status ww__status = (call); \
        if (ww__status) return ww__status; \
    } while (0)

/* What a call gives back that was given arrays which kernels do not reach, when its arguments have been checked and its work
 * would begin: it is made again with copies of them (device/call.h). No caller of the library's sees it. */
#define WW__STAGE ((ww_status)-1)

/* What a call gives back that was given counts on the device when its work would begin, and whose kernels do not look at them by
 * themselves: the host waits for the numbers, and the call is made again with these (device/call.h). */
#define WW__SETTLE ((ww_status)-2)

/* What a call gives back that was given inputs which no program at hand computes: they are stored, and it is made again with these
 * (device/call.h). */
#define WW__STORE ((ww_status)-3)

/* At the top of whatever has the GPU do something. */
static inline ww_status ww__stage_due(const ww_device *device) {
    if (device->counts == WW__COUNTS_OPEN) return WW__SETTLE;
    if (device->stage_wanted) return WW__STAGE;
    return device->stores == WW__STORES_WANTED ? WW__STORE : WW_OK;
}

/* The handle's allocator. NULL means there is no memory; the caller of these says so with ww__no_memory. */
void *ww__allocate(ww_device *device, size_t bytes, size_t alignment);
void ww__release(ww_device *device, void *block, size_t bytes);
ww_status ww__no_memory(ww_device *device, size_t bytes);

/* The host's memory that the device's kernels reach too: the allocator's, or for a GPU pinned memory. NULL where there is none. */
void *ww__host_allocate(ww_device *device, size_t bytes);
void ww__host_release(ww_device *device, void *block, size_t bytes);

/* Copies memory of the host's, on all threads where it is much. */
void ww__copy_by_threads(ww_device *device, void *to, const void *from, size_t bytes);

/* Scratch memory for the call that is under way, 64-byte aligned, of the GPU where the device is one; gone when it leaves. Fails with MEMORY or LIMIT. */
ww_status ww__scratch(ww_device *device, size_t bytes, void *pointer_to_pointer);
/* Scratch memory that the host works in, whatever the device is. */
ww_status ww__host_scratch(ww_device *device, size_t bytes, void *pointer_to_pointer);
/* Scratch memory of the host's that the GPU copies at the bus's rate; one piece a call, which staging takes where there is any.
 * It stays for the next one. */
ww_status ww__pinned_scratch(ww_device *device, size_t bytes, void *pointer_to_pointer);
/* Gives all that is kept back. */
void ww__scratch_release(ww_device *device);
/* Remembers what is taken now, if it is the most so far. */
void ww__scratch_note_peak(ww_device *device);
/* ww__scratch for count * size bytes, the product checked. */
ww_status ww__scratch_array(ww_device *device, uint64_t count, size_t size, void *pointer_to_pointer);

/* For calls that fill the memory there is: one block of at least so many bytes is held, before any is taken; what was held is
 * given back first where it is smaller. */
ww_status ww__scratch_hold(ww_device *device, size_t bytes);

/* For calls that work in rounds: gives back what was taken since the mark was set. Work that is queued may still use it: what
 * is queued later comes later. */
ww__scratch_mark ww__scratch_here(const ww_device *device);
void ww__scratch_back(ww_device *device, const ww__scratch_mark *mark);

/* A call that found its blocks too small took more of them. Those from `first` on are given back together, and one that would
 * have held them all takes their place; none, if there is no memory for it. */
void ww__scratch_merge(ww_device *device, size_t first);

/* A block of scratch memory: the allocator's memory, or the GPU's. On the emulator all of it is closed to kernels but the
 * pieces that the call under way has taken. ww__block_reset goes back to where so much of it was used, and closes the rest. */
ww_status ww__block_new(ww_device *device, size_t bytes, ww__block *block);
void ww__block_reset(ww_device *device, ww__block *block, size_t used, size_t zones);
void ww__block_release(ww_device *device, const ww__block *block);

/* A line on standard error under WARPWISE_TRACE: what the call runs. function may be NULL. */
void ww__trace(const ww_device *device, const char *method, const ww_function *function, uint64_t items, uint64_t bytes,
               size_t workers);

/* count * size as bytes; false when it does not fit. */
static inline bool ww__bytes(uint64_t count, size_t size, size_t *bytes) {
    return !__builtin_mul_overflow(count, size, bytes);
}

static inline uint64_t ww__min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline size_t ww__round_up(size_t x, size_t to) { return (x + to - 1) / to * to; }

#endif
