/* What kernel text calls in the emulator, and what the emulator looks for in a compiled program. Kernel text is compiled
 * with this file and words.h, and with no header of the system's: so only the language's own types stand here. */
#ifndef WW_EMU_CALLS_H
#define WW_EMU_CALLS_H

/* Changed with this file and with what the words do: code of another version is not loaded. */
#define WW_EMU_VERSION 2

/* What an access does: bits. */
enum {
    WW_EMU_READ = 1,
    WW_EMU_WRITE = 2,
    WW_EMU_ATOMIC = 4,
    WW_EMU_ALIGNED = 8, /* as it must be */
    WW_EMU_LONG = 16,   /* of no type that a GPU moves at once: word by word */
    /* Of an atomic one: what its thread does afterwards comes after what was released to the word; what came before is. */
    WW_EMU_ACQUIRE = 32,
    WW_EMU_RELEASE = 64,
    WW_EMU_ANY = 128 /* a plain store beside others of its kind: whichever stays is right */
};

typedef enum ww_emu_barrier_kind {
    WW_EMU_BARRIER,
    WW_EMU_BARRIER_OR,
    WW_EMU_BARRIER_AND,
    WW_EMU_BARRIER_COUNT
} ww_emu_barrier_kind;

typedef enum ww_emu_warp_kind {
    WW_EMU_SYNC,
    WW_EMU_SHUFFLE, /* `source` is the lane whose value is wanted */
    WW_EMU_BALLOT,
    WW_EMU_MATCH,
    WW_EMU_REDUCE_ADD,
    WW_EMU_REDUCE_MIN,
    WW_EMU_REDUCE_MAX,
    WW_EMU_REDUCE_MIN_SIGNED,
    WW_EMU_REDUCE_MAX_SIGNED,
    WW_EMU_REDUCE_OR,
    WW_EMU_REDUCE_AND,
    WW_EMU_REDUCE_XOR
} ww_emu_warp_kind;

/* Where a GPU thread stands. */
typedef struct ww_emu_place {
    unsigned thread, block, threads, blocks;
    unsigned in_order; /* blocks start in the order of their numbers */
} ww_emu_place;

/* `site` is the address in the kernel's code that the call came from. */
typedef struct ww_emu_calls {
    const ww_emu_place *(*place)(void);
    void *(*shared)(const void *declaration, unsigned long bytes, int large);
    void (*access)(const void *pointer, unsigned long bytes, int what, const void *site);
    int (*barrier)(int kind, int predicate, const void *site);
    unsigned long long (*warp)(int kind, unsigned mask, unsigned long long value, unsigned source, const void *site);
    void (*fence)(void);
    void (*wait)(void);
    void (*trap)(const void *site);
} ww_emu_calls;

/* Beside each kernel `name`, the program holds one of these as name_emulated. */
typedef struct ww_emu_kernel {
    void (*entry)(const void *arguments);
    unsigned long bytes; /* of the arguments */
    unsigned threads;    /* of a block, at most */
} ww_emu_kernel;

#endif
