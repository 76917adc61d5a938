/* A public call, from entering to leaving it, and the arrays that it is given.
 *
 *     ww_status ww_map(ww_device *device, const ww_function *f, ww_input in, ww_array out) {
 *         WW_CALL(device, "ww_map", map(device, f, &in, &out), WW_USES(&f), WW_READS(&in), WW_WRITES(&out));
 *     }
 *
 * On a GPU the arrays may lie in the host's own memory, which kernels do not reach. The checks find that out and go on, so that
 * what is wrong with the arguments is said before a byte is copied, and with the addresses that the caller knows. Then the first
 * thing that would have the GPU do something gives WW__STAGE back: the arrays get copies in scratch memory (device/gpu/stage.h),
 * `in` and `out` are turned to these, and the same function runs again, from the start. A call whose arrays are the GPU's runs
 * once and knows nothing of this.
 *
 * Where nothing compiles, inputs that no program at hand computes are stored in scratch memory by programs that take any
 * (primitive/map/stored_inputs.c), when the arguments have been checked or the first kernel finds that it is not there; and the
 * function runs again with these.
 *
 * Outputs that are computed (warpwise/output.h): calls that write through one in their own pass take it apart before they come here.
 * In all others it gets an array in scratch memory, which the body knows alone, and from which it is stored when the body has ended
 * (primitive/map/deferred.c). */
#ifndef WW__CALL_H
#define WW__CALL_H

#include "device/device.h"
#include "warpwise/input.h"

/* What a call does to an array that the caller gave it. */
typedef enum ww__use {
    WW__READS,
    WW__WRITES,       /* all of it, if it succeeds */
    WW__WRITES_SOME,  /* the rest stays as it was */
    WW__WRITES_FIRST, /* as many elements as `count` then says, from the first on; all, if there are fewer */
    WW__WRITES_WHERE, /* those whose byte in `count`, an output of the call's that may be ww_none, then is 1 */
    WW__WRITES_BETWEEN /* those from the first to below the second u64 of `count`, which the body makes (ww__put_range) */
} ww__use;

typedef struct ww__given {
    ww__use use;
    ww_input *input; /* one of these two, as the caller gave it; or none, where it did not give it */
    ww_array *array;
    const ww_array *count;
    const ww_function **function; /* or this: its environment is read */
    const char *name;             /* as the call has it: "&keys" */
} ww__given;

#define WW_READS(input) \
    { WW__READS, (input), NULL, NULL, NULL, #input }
#define WW_WRITES(array) \
    { WW__WRITES, NULL, (array), NULL, NULL, #array }
#define WW_WRITES_SOME(array) \
    { WW__WRITES_SOME, NULL, (array), NULL, NULL, #array }
#define WW_WRITES_FIRST(array, count) \
    { WW__WRITES_FIRST, NULL, (array), (count), NULL, #array }
#define WW_WRITES_WHERE(array, found) \
    { WW__WRITES_WHERE, NULL, (array), (found), NULL, #array }
#define WW_WRITES_BETWEEN(array, range) \
    { WW__WRITES_BETWEEN, NULL, (array), (range), NULL, #array }
#define WW_USES(function) \
    { WW__READS, NULL, NULL, NULL, (function), #function }

/* An output of the caller's that has a copy. */
typedef struct ww__staged_output {
    void *to;
    const void *copy;
    uint64_t elements;
    size_t size;
    const ww_array *count; /* of WW__WRITES_FIRST */
} ww__staged_output;

enum { WW__STAGED_OUTPUTS = 24, WW__STAGED_FUNCTIONS = 2 };
typedef struct ww__staged {
    ww__staged_output output[WW__STAGED_OUTPUTS];
    size_t outputs;
    ww_function function[WW__STAGED_FUNCTIONS]; /* the call's, with the copies of their environments */
    size_t functions;
    uint64_t bytes_in;
} ww__staged;

/* Copies what is read of the arrays that kernels do not reach, and turns all of these to their copies. */
ww_status ww__stage_in(ww_device *device, const ww__given *given, size_t many, ww__staged *staged);
/* Ends a call that gave `status`: waits, and copies its results back if it has succeeded, or has filled what room there was. */
ww_status ww__stage_out(ww_device *device, const ww__staged *staged, ww_status status);

/* Stores what is computed of what a call is given, and turns inputs to that; those that functions of the caller's compute stay. */
ww_status ww__store_inputs(ww_device *device, const ww__given *given, size_t many);

/* Between two runs of a call's body: whether it is to run again, after what *result asks for (WW__SETTLE, WW__STAGE, WW__STORE) has been
 * done. When it is not, *result is the call's, and what was staged has been copied back. Begins with staged = false. */
typedef struct ww__again {
    bool staged;
    ww__staged copies;
} ww__again;
bool ww__run_again(ww_device *device, const ww__given *given, size_t many, ww__again *again, ww_status *result);

/* In tests: every call is made on paper first (device/paper.h). What it was given is kept, for paper copies of it take its place. */
typedef struct ww__rehearsed {
    ww_input input;
    ww_array array;
    const ww_function *function;
} ww__rehearsed;
typedef struct ww__rehearsal {
    ww__rehearsed *given; /* as many as there are */
    char error[sizeof((ww_device *)0)->error];
} ww__rehearsal;
void ww__rehearsal_begin(ww_device *device, const ww__given *given, size_t many, ww__rehearsal *before);
void ww__rehearsal_end(ww_device *device, const ww__given *given, size_t many, const ww__rehearsal *before,
                       ww_status status);

/* Notes which of these a GPU would stage; only where device->checks is (device/checks.h). */
void ww__checks_memory(ww_device *device, const ww__given *given, size_t many);

/* Counts on the device (docs/counts.md). Most calls know nothing of them: before the body runs, the host waits for the numbers, and
 * inputs and arrays get them for their counts. On a CPU that is all there is to it. A call that may have kernels which look at the
 * numbers says so by WW_CALL_COUNTED, if what it was given is as those want it (`open`): then the body runs with counts that are
 * bounds, and whichever method takes them says so (ww__take_count) before it has the GPU do anything. Where none does,
 * ww__stage_due gives WW__SETTLE, and the body runs again with counts that the host has looked at. */
ww_status ww__counts_found(ww_device *device, bool open, const ww__given *given, size_t many);
static inline const uint64_t *ww__number_of(const ww__given *g) {
    return g->input ? g->input->count_at : g->array ? g->array->count_at : NULL;
}
/* Most calls are given none: that is seen here, where the compiler knows what they are given. */
static inline __attribute__((always_inline)) ww_status ww__counts_begin(ww_device *device, bool open,
                                                                        const ww__given *given, size_t many) {
    bool any = false;
    _Pragma("GCC unroll 8") for (size_t k = 0; k < many; k++) any |= ww__number_of(&given[k]) != NULL;
    return any ? ww__counts_found(device, open, given, many) : WW_OK;
}
ww_status ww__counts_settle(ww_device *device, const ww__given *given, size_t many);
/* One number, after all that is queued; a call that is captured in a graph is refused (UNSUPPORTED). */
ww_status ww__count_look(ww_device *device, const uint64_t *number, uint64_t *value);
/* The number of an input that has one, which the caller's kernels are going to look at; else NULL. */
static inline const uint64_t *ww__take_count(ww_device *device, const ww_input *in) {
    if (in->count_at) device->counts = WW__COUNTS_TAKEN;
    return in->count_at;
}

/* ---- outputs that are computed ---- */

enum { WW__DEFERRED = 8 };
typedef struct ww__deferred {
    size_t many;
    struct {
        size_t given;       /* which of the call's */
        ww_array out, held; /* what the caller gave, and the scratch memory in its place */
    } at[WW__DEFERRED];
} ww__deferred;

static inline __attribute__((always_inline)) bool ww__are_deferred(const ww__given *given, size_t many) {
    uint64_t any = 0;
    _Pragma("GCC unroll 8") for (size_t k = 0; k < many; k++) any |= given[k].array ? given[k].array->reserved : 0;
    return any;
}
/* One result, which is not listed as given, is not written to where these are stored. */
ww_status ww__check_not_deferred(ww_device *device, const char *name, const ww_array *one);
/* Where such a call writes, of WW__WRITES_BETWEEN: from the first offset to the last. `ends` is a CPU's memory for them; range is none where
 * nothing is stored by it. */
ww_status ww__put_range(ww_device *device, const ww_input *offsets, uint64_t ends[2], ww_array *range);
/* Gives each of them its scratch memory; and stores that, when the body has given `status`. */
ww_status ww__defer(ww_device *device, const ww__given *given, size_t many, ww__deferred *deferred);
ww_status ww__store_deferred(ww_device *device, const ww__given *given, const ww__deferred *deferred, ww_status status);

/* Runs `body`, and again where counts are settled, arrays are staged, or inputs stored. */
#define WW__RUN(device, result, body, ...) \
    do { \
        (result) = (body); \
        if ((result) == WW__SETTLE || (result) == WW__STAGE || (result) == WW__STORE) { \
            const ww__given ww__each_given[] = {__VA_ARGS__}; \
            const size_t ww__all_given = sizeof ww__each_given / sizeof *ww__each_given; \
            ww__again ww__next; \
            ww__next.staged = false; \
            while (ww__run_again(device, ww__each_given, ww__all_given, &ww__next, &(result))) (result) = (body); \
        } \
    } while (0)

/* The same behind what comes before it, and before what comes behind it. */
#define WW__RUN_GIVEN(device, open, result, body, ...) \
    do { \
        ww__deferred ww__outputs; \
        ww__outputs.many = 0; \
        { \
            const ww__given ww__arrays[] = {__VA_ARGS__}; \
            const size_t ww__many = sizeof ww__arrays / sizeof *ww__arrays; \
            (result) = ww__are_deferred(ww__arrays, ww__many) ? ww__defer(device, ww__arrays, ww__many, &ww__outputs) \
                                                              : WW_OK; \
            if (!(result)) (result) = ww__counts_begin(device, open, ww__arrays, ww__many); \
        } \
        if (!(result)) WW__RUN(device, result, body, __VA_ARGS__); \
        if (ww__outputs.many) { \
            const ww__given ww__arrays[] = {__VA_ARGS__}; \
            (result) = ww__store_deferred(device, ww__arrays, &ww__outputs, (result)); \
        } \
    } while (0)

/* The body of a public function: enters `device`, runs `body`, leaves, and returns its status. */
#define WW_CALL(device, name, body, ...) WW_CALL_COUNTED(device, name, false, body, __VA_ARGS__)
#define WW_CALL_COUNTED(device, name, open, body, ...) \
    do { \
        ww_status ww__result; \
        WW_TRY(ww__enter(device, name)); \
        if ((device)->rehearsing.say && !(device)->on_paper) { \
            const ww__given ww__arrays[] = {__VA_ARGS__}; \
            ww__rehearsed ww__each[sizeof ww__arrays / sizeof *ww__arrays]; \
            ww__rehearsal ww__before; \
            ww__before.given = ww__each; \
            ww__rehearsal_begin(device, ww__arrays, sizeof ww__arrays / sizeof *ww__arrays, &ww__before); \
            WW__RUN_GIVEN(device, open, ww__result, body, __VA_ARGS__); \
            ww__rehearsal_end(device, ww__arrays, sizeof ww__arrays / sizeof *ww__arrays, &ww__before, ww__result); \
        } \
        WW__RUN_GIVEN(device, open, ww__result, body, __VA_ARGS__); \
        if ((device)->checks && !ww__result && !(device)->on_paper) { \
            const ww__given ww__arrays[] = {__VA_ARGS__}; \
            ww__checks_memory(device, ww__arrays, sizeof ww__arrays / sizeof *ww__arrays); \
        } \
        return ww__leave(device, ww__result); \
    } while (0)

#endif
