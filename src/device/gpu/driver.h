/* What a GPU's driver does for the library: the CUDA driver with NVRTC (device/cuda), or the emulator (device/emu), which
 * is a shared object of its own, in C++. Everything above this table is one host code for both.
 *
 * Work is queued in order on one stream: copy, fill and launch return at once, sync waits. Copies can go beside it, on a stream
 * for each direction, until all three meet. A function that fails returns a
 * ww_status and leaves the sentence in `why`. Functions are called by one thread at a time. */
#ifndef WW__DRIVER_H
#define WW__DRIVER_H

#include "warpwise/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a pointer is to the GPU. */
typedef enum ww__place {
    WW__PLACE_UNREACHABLE, /* the host's own memory: copies can be made of it */
    WW__PLACE_HOST,        /* the host's memory that kernels can reach too: pinned, managed */
    WW__PLACE_DEVICE       /* the GPU's, which the host cannot touch (the emulator's it can) */
} ww__place;

/* The streams beside the one for work, for copies to the GPU and from it. */
typedef enum ww__aside { WW__ASIDE_IN, WW__ASIDE_OUT, WW__ASIDES } ww__aside;

/* Which row of each family's table of tunings plans are made from. A table stands beside the plans and is indexed by this; what
 * the rows differ in is numbers, never code of their own. */
typedef enum ww__tiles {
    WW__TILES_GPU,   /* what was measured on GPUs */
    WW__TILES_SMALL, /* as small as they can be, so that few elements make many tiles (the emulator) */
    WW__TILINGS
} ww__tiles;

/* A file that kernel text includes: its name as included, and its text. */
typedef struct ww__header {
    const char *name, *text;
} ww__header;

/* A program in the form that load takes. */
typedef struct ww__code {
    void *bytes; /* freed by free() */
    size_t size;
} ww__code;

/* When a launch begins. */
typedef enum ww__launch_when {
    WW__LAUNCH_AFTER, /* when the launch before it has ended */
    WW__LAUNCH_EARLY, /* perhaps while the launch before, of this library's, still runs, as soon as all blocks of that have called
                         ww_launch_next or ended; it calls ww_wait_before */
    WW__LAUNCH_EARLY_IN_LOOPS, /* the same where a loop is recorded: every thread calls ww_wait_before before all else */
    WW__LAUNCH_TOGETHER        /* as AFTER, and all blocks are on the processors before any waits for another in vain */
} ww__launch_when;

typedef struct ww__driver ww__driver;
struct ww__driver {
    const char *backend;   /* "cuda" or "emu" */
    char description[128]; /* for people: "NVIDIA H100 80GB HBM3, 132 processors" */
    char compiler[128];    /* what compiles, with its version and target; a part of the keys of caches */
    uint32_t architecture; /* 90 for sm_90: which programs of kernel packs run; 0: none does */
    uint32_t processors;   /* blocks of which kind run at once, about */
    uint32_t blocks_most;  /* blocks of a launch */
    size_t shared_most;    /* bytes of shared memory that one block can have */
    uint64_t memory;       /* bytes of the GPU's memory */
    bool reaches_all;      /* kernels reach all of the host's memory, also what `place` calls unreachable */
    ww__tiles tiles;       /* whose tunings plans are made from */
    uint32_t sooner;       /* what only many elements are worth is done for 2^sooner times fewer: 0 but in tests */
    char why[1024];

    void (*close)(ww__driver *driver);
    /* Around every call of the library; NULL where nothing needs to be done. */
    void (*enter)(ww__driver *driver);
    void (*leave)(ww__driver *driver);

    ww_status (*allocate)(ww__driver *driver, size_t bytes, void **block); /* the GPU's memory, 256-byte aligned */
    void (*release)(ww__driver *driver, void *block);
    ww_status (*allocate_host)(ww__driver *driver, size_t bytes, void **block); /* WW__PLACE_HOST */
    void (*release_host)(ww__driver *driver, void *block);
    ww__place (*place)(ww__driver *driver, const void *pointer);
    bool (*reaches)(ww__driver *driver,
                    const void *pointer); /* whether it is not WW__PLACE_UNREACHABLE; NULL: place says */
    /* Closes bytes of a block, whole or in part, to kernels, copies and fills, or opens them again: what lies between the
     * pieces that a block is cut into. NULL where nobody would look. */
    void (*poison)(ww__driver *driver, const void *start, size_t bytes, bool closed);

    /* Any direction. From or to memory that is WW__PLACE_UNREACHABLE it has happened when it returns. */
    ww_status (*copy)(ww__driver *driver, void *to, const void *from, size_t bytes);
    /* The same on a stream of its own (aside of WW__ASIDE_IN or WW__ASIDE_OUT), in order with other copies there; it may be under
     * way when it returns whatever memory it is of. What is queued on one of the streams after they have met comes after all
     * that was queued before on any. */
    ww_status (*copy_aside)(ww__driver *driver, ww__aside aside, void *to, const void *from, size_t bytes);
    ww_status (*meet)(ww__driver *driver);
    /* Memory of another handle's GPU, of the same backend, can always be copied from. From here on such copies go straight from GPU to
     * GPU where the machine has a way, and kernels reach that memory: whether they do. NULL: all handles are on one GPU. */
    bool (*reach)(ww__driver *driver, const ww__driver *other);
    ww_status (*fill)(ww__driver *driver, void *to, unsigned char byte, size_t bytes);
    ww_status (*sync)(ww__driver *driver);
    /* The stream that work is queued on, as others of the GPU's libraries take it, and whether all is done there. NULL: what is queued
     * is done when the call returns. */
    void *(*stream)(ww__driver *driver);
    void *(*stream_aside)(ww__driver *driver, ww__aside aside); /* the same of those beside it; NULL is a failure */
    ww_status (*idle)(ww__driver *driver, bool *is);
    /* Whether what is queued now is recorded, to be run again later: memory that it uses has to stay. NULL: never. */
    bool (*capturing)(ww__driver *driver);

    /* Whether loop_end gave UNSUPPORTED for what it does otherwise when the round is recorded once more; NULL: never. */
    bool (*loop_retry)(ww__driver *driver);
    /* A loop that the GPU runs by itself; NULL: it cannot. What is queued between loop_begin and loop_end is not run but recorded, and
     * is one round. loop_end has the GPU run a round, and others while the number at `go_on` is not 0 after one, `most` in all at
     * most; waits; and says how many there were. loop_drop, in its place, forgets what was recorded. UNSUPPORTED, from either:
     * nothing was run, and loops are to be run by the host. */
    ww_status (*loop_begin)(ww__driver *driver);
    ww_status (*loop_end)(ww__driver *driver, const uint64_t *go_on, uint64_t most, uint64_t *rounds);
    void (*loop_drop)(ww__driver *driver);
    /* Whether what has been recorded since loop_begin may have another round behind it in one body; then loop_next comes between
     * these, and the second does nothing where the first was the loop's last one. */
    bool (*loop_several)(ww__driver *driver);
    ww_status (*loop_next)(ww__driver *driver, const uint64_t *go_on, uint64_t most);

    /* Whether compile can: false where nothing but a driver is here, and programs are what a kernel pack has. NULL: always. */
    bool (*compiles)(ww__driver *driver);
    /* In place of looking for a program in packs and caches, where calls only ask whether it is there; NULL but where packs are made. */
    bool (*has)(ww__driver *driver, const char *source);
    /* Compiles a whole program: `source` includes nothing but the names in `headers` (ended by a NULL name). A mistake
     * is WW_COMPILE with the compiler's messages in `why`. */
    ww_status (*compile)(ww__driver *driver, const char *source, const ww__header *headers, ww__code *code);
    ww_status (*load)(ww__driver *driver, const ww__code *code, void **program);
    void (*unload)(ww__driver *driver, void *program);
    ww_status (*find)(ww__driver *driver, void *program, const char *name, void **kernel);

    /* Queues blocks × threads of a kernel, which takes one struct, `bytes` bytes of which are copied now. `shared` bytes
     * of shared memory are added to what the kernel declares. */
    ww_status (*launch)(ww__driver *driver, void *kernel, uint64_t blocks, uint32_t threads, size_t shared,
                        const void *arguments, size_t bytes, ww__launch_when when);
};

enum { WW__ARGUMENTS_MOST = 4096 }; /* bytes of a kernel's struct */

/* Opens device `index`; options are what stands behind "emu:" or "cuda:K,". NULL with the sentence in `why` on failure. */
typedef ww__driver *ww__driver_open(const char *options, ww_status *status, char *why, size_t room);

/* Has the C++ compiler read a program, and make nothing of it. A mistake is WW_COMPILE with its messages in `why`; any other status
 * but WW_OK says why there is no compiler. */
typedef ww_status ww__driver_look(const char *source, const ww__header *headers, char *why, size_t room);

/* The names that the library looks up in the emulator's shared object. */
#define WW__EMULATOR_OPEN "ww__emulator_open"
#define WW__EMULATOR_LOOK "ww__emulator_look"

#ifdef __cplusplus
}
#endif
#endif
