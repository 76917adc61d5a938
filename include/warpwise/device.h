/* Devices: where the work is done, and what every call shares – statuses, errors, memory.
 *
 *     ww_device *device;
 *     if (ww_open(NULL, &device)) { puts(ww_error(device)); ww_close(device); return 1; }
 *     …
 *     ww_close(device);
 *
 * A handle takes up to 6 KiB, and keeps as much scratch memory as the largest call has taken (each function's `scratch` says
 * how much, for small arrays too; ww_scratch_trim frees it). The first large call starts its threads; calls on small arrays
 * start none. A handle serves one thread at a time (a second one gets WW_BUSY); different handles are independent. After
 * fork a child may continue to use its copy of a CPU's handle: its threads are started again. If another thread was in a
 * call on it when the process was forked, the child's calls on it return WW_LOST, and its scratch memory is not
 * freed. */
#ifndef WARPWISE_DEVICE_H
#define WARPWISE_DEVICE_H

#include "type.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WW_VERSION_MAJOR 0
#define WW_VERSION_MINOR 2
#define WW_VERSION_PATCH 0

/* The version of the header as one number: major * 1,000,000 + minor * 1000 + patch. */
#define WW_VERSION_NUMBER ((WW_VERSION_MAJOR * 1000 + WW_VERSION_MINOR) * 1000 + WW_VERSION_PATCH)

/* The version of the library at run time, which may be newer than the header that a program was compiled with: "0.2.0", and
 * the same as a number. A program runs with every library of its major version (while that is 0: of its minor version) that is
 * at least as new as its header. */
WW_API const char *ww_version(void);
WW_API uint32_t ww_version_number(void);

/* Every status, with a general sentence; ww_error has the details. Values never change. */
#define WW_STATUSES(X) \
    X(OK, 0, "success") \
    X(INVALID, 1, "an argument is not allowed") \
    X(TYPE, 2, "element types do not fit together") \
    X(OVERLAP, 3, "arrays overlap where they may not") \
    X(RANGE, 4, "an index, bucket or offset in the data is out of range") \
    X(LIMIT, 5, "a documented limit, or the capacity of an output, is too small") \
    X(MEMORY, 6, "out of memory") \
    X(UNSUPPORTED, 7, "this machine or device cannot do that") \
    X(NO_DEVICE, 8, "no such device") \
    X(BUSY, 9, "another thread is using this handle") \
    X(FILE, 10, "a file could not be read or written") \
    X(FORMAT, 11, "a file does not hold what it should") \
    X(COMPILE, 12, "a function could not be compiled for the device") \
    X(LOST, 13, "the device failed in the middle of its work; this handle is of no more use")

typedef enum ww_status {
#define WW__STATUS(name, value, text) WW_##name = value,
    WW_STATUSES(WW__STATUS)
#undef WW__STATUS
} ww_status;

/* "WW_RANGE", and its general sentence. Never NULL, for any value. */
WW_API const char *ww_status_name(ww_status status);
WW_API const char *ww_status_text(ww_status status);

typedef struct ww_device ww_device;

/* Arrays in ordinary host memory – from malloc, static, on the stack, mapped from a file – may be given to any call on
 * any device: a program that runs on the CPU runs on a GPU unchanged. Most GPUs cannot access such memory, so the call
 * stages it:
 *
 *   what happens   inputs are copied to the GPU through pinned memory, 4 MiB at a time, and results are copied back before the
 *                  call returns; if a count says how many elements of an output are written, only these. Arrays may overlap
 *                  wherever they may on a CPU, and inputs may be read-only memory
 *   costs          all that is read or written crosses the bus. The call waits. Copies are scratch memory: they count towards
 *                  its limit (LIMIT, or MEMORY: the sentence says how many bytes are for copies), are kept for the next call,
 *                  and are freed by ww_scratch_trim, with up to 8 MiB of pinned memory. A second call like the first allocates
 *                  nothing
 *   errors         errors in the data (RANGE) are reported by the call itself, as on a CPU. A call that fails has written
 *                  nothing to staged arrays, with two exceptions: LIMIT for too little capacity leaves what fits if the
 *                  function's contract says so, and if the GPU is lost while more than 4 MiB of results are being copied back,
 *                  some may have been written
 *   in place       a GPU that can access all of the host's memory (CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) uses such arrays
 *                  in place; the call waits even so
 *   environments   environments of functions (function.h) are staged as inputs are: arrays, and elements of more than 256
 *                  bytes. Shorter ones are passed with the call, and so are a kernel's arguments up to 4080 bytes
 *   not staged     results of one element, which may be anywhere; ww_copy, ww_sort_large and files, which take any memory;
 *                  memory behind pointers in the arguments of a WW_KERNEL or in an environment, which the GPU must be able to
 *                  access; calls that are captured in a graph (INVALID)
 *   fast programs  take memory from ww_alloc, and leave it there from call to call. WARPWISE_TRACE=1 prints
 *                  "warpwise: CALL staged in=BYTES out=BYTES device=NAME" for each call that stages, and with
 *                  WW_HOST_MEMORY_REFUSED in its options a handle refuses to (INVALID, with the array's name) */
/* Where a handle takes all its memory from. `allocate` returns NULL when there is none; `alignment` is a power of two. */
typedef struct ww_allocator {
    void *(*allocate)(void *context, size_t bytes, size_t alignment);
    void (*release)(void *context, void *block, size_t bytes);
    void *context;
} ww_allocator;

/* Runs task(argument, 0) … task(argument, count - 1), all of which must be able to wait for one another (each on a
 * thread of its own, or one of them on the calling thread), and returns when all have returned. */
typedef struct ww_executor {
    void (*run)(void *context, size_t count, void (*task)(void *argument, size_t index), void *argument);
    void *context;
} ww_executor;

/* What happens to arrays in ordinary host memory that are given to a GPU; see above. */
typedef enum ww_host_memory {
    WW_HOST_MEMORY_AUTO = 0, /* used in place if this GPU can access all of the host's memory, else staged */
    WW_HOST_MEMORY_STAGED,   /* staged: copied to the GPU, and the results copied back */
    WW_HOST_MEMORY_REFUSED   /* INVALID, with the array's name */
} ww_host_memory;

/* Whether the functions and the data of each call are tested for what would fail on a GPU. On a CPU, before its work, a call
 * then examines each function that it is given (docs/check.md):
 *
 *   compiled     as the text that a GPU gets, by the machine's C++ compiler: COMPILE for a name that is not listed (…_USES),
 *                for a macro, a variable or a function of the program's own, for C that is not valid C++
 *   WW_COMBINE   identity, associativity and, with WW_COMMUTES, commutativity on samples of the data: INVALID. Rounding is not
 *                a fault: floats differ if grossly, and by more than moving each argument by one ulp does
 *   WW_LESS      a strict weak order, on samples and whatever NaN the data has: INVALID
 *   all          called twice, and their environment compared: INVALID where results differ, or where it was changed
 *
 * The sentence has the macro's file and line, and the elements. Other findings are notes on standard error, once a handle, if
 * WARPWISE_CHECK or WARPWISE_TRACE asks for them: arrays that a GPU would stage, pointers in environments to memory that it
 * cannot access, a missing compiler. Built-in functions are trusted. Results and scratch memory are the same; the handle takes
 * 1 MiB more, and a call some milliseconds, 50 more for a function that is compiled, and a pass over floats that looks for
 * NaNs. */
typedef enum ww_checks {
    WW_CHECKS_AUTO = 0, /* if the environment variable WARPWISE_CHECK is set, and not to 0 */
    WW_CHECKS_ON,
    WW_CHECKS_OFF
} ww_checks;

/* Options of calls. Every options struct begins with its size, which its macro fills in, and ends, where padding allows,
 * with reserved words; zero is the default of everything else, so start from `ww_open_options o = WW_OPEN_OPTIONS;`. Later
 * versions add members at the end. A program that was compiled with a shorter struct gets their defaults; one that sets members
 * that the library does not have is refused (INVALID), as is one that sets reserved words. Enumerators are stored in a struct
 * as numbers of 32 bits, whatever size the compiler gives an enum. */
typedef struct ww_open_options {
    size_t size;            /* of this struct; WW_OPEN_OPTIONS fills it */
    uint32_t threads;       /* 0: as in the name, else as many as the process may use */
    uint32_t host_memory;   /* a ww_host_memory; for GPUs */
    size_t scratch_limit;   /* bytes of scratch memory; 0: no limit */
    ww_allocator allocator; /* allocate == NULL: the C library's */
    ww_executor executor;   /* run == NULL: threads of the handle's own */
    void *cuda_context; /* a caller's CUcontext and CUstream: calls are queued there; NULL: the GPU's primary context */
    void *cuda_stream;  /* and a stream of the handle's own */
    uint32_t checks;    /* a ww_checks; for CPUs */
    /* Not 0: on a GPU float scans and sums by key, too, give the CPU's bytes, and scattered sums the same in every run
     * (docs/determinism.md); else if the environment variable WARPWISE_DETERMINISTIC is set, and not to 0. */
    uint32_t deterministic;
} ww_open_options;
#define WW_OPEN_OPTIONS \
    { sizeof(ww_open_options), 0, 0, 0, {NULL, NULL, NULL}, {NULL, NULL}, NULL, NULL, 0, 0 }

/* Opens a device: "cpu", "cpu:threads=N", "cuda" (the first NVIDIA GPU), "cuda:K", "emu" (GPU kernels run on the CPU, for
 * tests; "emu:tiles=gpu": with a GPU's tiles, not small ones), "best" (cuda, else cpu), or NULL for what the environment
 * variable WARPWISE_DEVICE names, else the CPU. WARPWISE_VECTOR=plain|avx2|avx512 forces the width of the CPU's vector
 * loops (a width that this machine lacks is WW_UNSUPPORTED). WARPWISE_TRACE=1 prints a line for every call to standard
 * error, and WARPWISE_CHECK=1 shows on a CPU what would go wrong on a GPU (ww_checks). In a program with
 * privileges that its caller lacks (setuid, setgid, file capabilities) no environment variable counts,
 * compiled programs are not kept, and "emu", which starts a compiler, is WW_UNSUPPORTED (SECURITY.md). On
 * failure *device is still a handle that ww_error explains and ww_close frees – or NULL, when not even that
 * could be allocated. Statuses: INVALID, NO_DEVICE, UNSUPPORTED, MEMORY, LOST (a GPU that failed before in
 * this process); FILE and FORMAT where WARPWISE_KERNEL_PACK, for "cuda", names a file that is not a kernel pack of
 * this version, or that other users own or can write to ("off": none; not set: the installed one, if it is
 * valid). */
WW_API ww_status ww_open(const char *name, ww_device **device);
WW_API ww_status ww_open_with(const char *name, ww_device **device, const ww_open_options *options);

/* Frees everything that the handle owns. NULL is fine. Memory from ww_alloc is the caller's to free first. */
WW_API void ww_close(ww_device *device);

/* The sentence about the last call on this handle that failed, "" if none has; valid until the next call. A thread whose
 * last call was refused with BUSY gets that sentence, while the thread in the call has its own (this holds for up to 32 refused
 * threads; further ones must not call ww_error). */
WW_API const char *ww_error(const ww_device *device);

typedef struct ww_device_info {
    size_t size;             /* of this struct; WW_DEVICE_INFO fills it */
    const char *backend;     /* "cpu", "cuda" or "emu" */
    const char *description; /* for people: "2 threads, AVX-512 vectors" */
    const char *vector;      /* the CPU's vector loops: "plain", "avx2" or "avx512"; "warp" on a GPU */
    uint32_t threads;        /* that a large call uses */
    uint32_t threads_started;
    uint64_t memory;      /* bytes of main memory, or of the GPU's */
    size_t scratch_held;  /* bytes of scratch memory kept now, less the host's that ww_sort_large and staging keep */
    size_t scratch_peak;  /* the most that one call has used since ww_scratch_trim or ww_open */
    size_t scratch_limit; /* 0: none */
    uint64_t programs_compiled, programs_from_disk; /* for a GPU, since ww_open */
    uint64_t programs_from_pack;                    /* the same: made when the library was built */
    const char *kernel_pack;                        /* the file that they come from; NULL where there is none */
    uint64_t kernel_pack_programs;                  /* that it has for this GPU */
} ww_device_info;
#define WW_DEVICE_INFO \
    { sizeof(ww_device_info), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0 }

/* What the handle is; `*info` begins as WW_DEVICE_INFO. Strings live as long as the handle. */
WW_API ww_status ww_device_info_get(ww_device *device, ww_device_info *info);

/* Calls `each` for every possible device: what it is, and why it cannot be used (NULL if it can). "cpu" and "cuda" are
 * opened for this and closed again; for "emu" only the presence of its file is reported: nothing of it is loaded or started.
 */
WW_API void ww_devices(void (*each)(void *context, const char *name, const char *description, const char *why_not),
                       void *context);

/* Memory that the device can reach, 64-byte aligned (2 MiB pages where it is large); *block is NULL for 0 bytes. */
WW_API ww_status ww_alloc(ww_device *device, uint64_t bytes, void **block);
/* The same in the host's memory, where the host and the device's kernels can both reach it (on a CPU that is ww_alloc). */
WW_API ww_status ww_alloc_host(ww_device *device, uint64_t bytes, void **block);
/* Of either. */
WW_API ww_status ww_free(ww_device *device, void *block);

/* Copies an array to another of the same type and count, from and to any memory, also the host's; exact overlap (the same
 * memory) does nothing, partial overlap is OVERLAP.
 *   in   memory (INVALID where it is computed: ww_store writes that) */
struct ww_input; /* input.h */
WW_API ww_status ww_copy(ww_device *device, struct ww_input in, ww_array out);

/* Sets every element of `array` to `value`, which is of its type: ww_fill(device, ww_array(x, n), ww_value(uint32_t, 7)). */
WW_API ww_status ww_fill(ww_device *device, ww_array array, ww_value value);

/* Waits for queued work and returns its first error. On a CPU every call has finished when it returns. */
WW_API ww_status ww_sync(ww_device *device);

/* One round of a loop: makes calls on `device`, and returns the first status that is not OK, or OK. */
typedef ww_status ww_round(ww_device *device, void *context);

/* Runs rounds while the number at `go_on` is not 0, `most` at most, and waits for the last one:
 *
 *     while (made < most && *go_on) { round(device, context); made++; }
 *
 * `go_on` is one u64 on the device (docs/counts.md), which a round's calls change; it is read before each round. *rounds, if it
 * is not NULL, is the number of rounds made, even if one failed.
 *   a CPU       that loop
 *   a GPU       the first round is made by ordinary calls. If the driver supports it (CUDA 12.4 and newer) `round` is then
 *               called a second time, to be captured, and the GPU runs the other rounds without the host: a graph with a
 *               conditional node. After more than a hundred rounds it may be called a few times more, to be captured several
 *               times in a row. So `round` must make the same calls on the same arrays every time and do nothing else; sizes
 *               that vary are counts on the device
 *   otherwise   (older drivers, the emulator, a call in the round that has to wait for the GPU) `round` is called for each
 *               round, and the host waits for the number before each
 *   errors      what `round` returns, if the round is called: the loop ends there. Errors in the data that rounds find while
 *               the GPU runs them (RANGE) stop their later calls from working, and are returned when the loop has ended: bound
 *               it by `most`. INVALID: `go_on` or `round` is NULL, or `go_on` is not aligned or the GPU cannot access it
 *   on paper    (ww_scratch_ask) one round is called */
WW_API ww_status ww_repeat(ww_device *device, const uint64_t *go_on, uint64_t most, ww_round *round, void *context,
                           uint64_t *rounds);

/* Scratch memory: reserves `bytes` now; sets the most that may be held (0: no limit; a call that needs more gives WW_LIMIT);
 * frees all of it, including the host memory that ww_sort_large and staging keep. */
WW_API ww_status ww_scratch_reserve(ww_device *device, size_t bytes);
WW_API ww_status ww_scratch_limit(ww_device *device, size_t bytes);
WW_API ww_status ww_scratch_trim(ww_device *device);

/* How much scratch memory calls take, before they are made:
 *
 *     ww_scratch_ask(device);
 *     ww_sort(device, keys, values, keys_out, values_out, NULL);
 *     ww_scratch_asked(device, &bytes);
 *     ww_scratch_reserve(device, bytes); // then the sort takes no new memory
 *
 * From ww_scratch_ask on, calls check their arguments and report errors in them, but do no work: arrays are neither read
 * nor written and may be any aligned addresses, no kernel is compiled or run, dictionaries and streams stay as they are.
 * Only what is passed with the call is read: values, patterns, and an environment of one element. ww_scratch_asked ends
 * this, and *bytes is the most that any of the calls would take, for ww_scratch_reserve, or to be compared with the memory
 * available.
 *
 *   exact       where memory depends on sizes, types, options and the device (threads, vectors, a GPU's processors): as long as
 *               these are the same, and arrays are in the same kind of memory (host memory: with copies for staging)
 *   at most     where it depends on the data: ww_top_k and ww_nth as if all keys agreed in what tells them apart first,
 *               ww_sort_segments as if one segment had all keys, ww_multisplit_several as if index_out were filled,
 *               ww_histogram_edges and ww_multisplit_edges as if edges were as far apart as can be, sorts of keys that a CPU
 *               finds in order as if they were not, what dictionaries do as if all that is merged were packed, ww_sort_large
 *               on a GPU as if the GPU's memory were free. It is never more than what each function's `scratch` says
 *   no limit    ww_scratch_limit does not apply: a call that would return LIMIT reports what it would need
 *   as usual    ww_alloc, ww_alloc_host, ww_free, ww_sync, ww_device_info_get, and the calls that set and free scratch memory
 *   not at all  UNSUPPORTED: calls that open, check or flush something, files and dictionaries in them, what adds to a
 *               team or renumbers it, graphs, radix trees and volumes, and the model of banked memory
 *
 * The host memory that a GPU's calls also take (ww_device_info: scratch_held) is not counted. ww_scratch_asked without
 * ww_scratch_ask is INVALID. A second ww_scratch_ask starts again. */
WW_API ww_status ww_scratch_ask(ww_device *device);
WW_API ww_status ww_scratch_asked(ww_device *device, size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
