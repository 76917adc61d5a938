/* What the library's source files share about functions and inputs. */
#ifndef WW__FUNCTION_H
#define WW__FUNCTION_H

#include "device/device.h"
#include "device/steps.h"
#include "warpwise/input.h"

/* The function that `f` stands for on elements of a type: itself, or the built-in one of that type. NULL where it is of
 * another role or type, or there is none. order may be NULL for ww_ascending. */
const ww_function *ww__operator(const ww_function *f, const ww_type *type, size_t size);
const ww_function *ww__order(const ww_function *f, const ww_type *type, size_t size);
/* A built-in order of that type as a WW_LESS of unsigned words of its size, with its environment (told_order.c); NULL of another function.
 * And whether it is one. */
const ww_function *ww__told_order(const ww_function *f, const ww_type *type);
bool ww__is_told(const ww_function *f);
/* An operator on signed integers in memory becomes the one on unsigned ones where both are of the same bits: for fewer programs. */
struct ww__recipe;
void ww__recipe_share_signs(struct ww__recipe *r, const ww_function *op);
/* Whether it is one of the library's own operators and orders, or stands for them. */
bool ww__is_built_in(const ww_function *f);
/* Whether it is ww_min or ww_max of a type: associative to the bit for floats too, as NaNs become one. */
bool ww__is_extreme(const ww_function *op);
ww_status ww__check_operator(ww_device *device, const ww_function *f, const ww_type *type, size_t size,
                             const ww_function **resolved);
ww_status ww__check_order(ww_device *device, const ww_function *f, const ww_type *type, size_t size,
                          const ww_function **resolved);
/* A WW_MAP (WW_MAP2) of the given input types. `second` is NULL for a WW_MAP. `number`: its result must be a number. */
ww_status ww__check_map(ww_device *device, const ww_function *f, const ww_type *first, size_t size_first,
                        const ww_type *second, size_t size_second, bool number);
/* The WW_MAP that a bucket function, built in or not, is on elements of a type; f is not NULL. NULL where it is none. */
const ww_function *ww__bucket_map(const ww_function *f, const ww_type *type, size_t size);
/* Where *f is a built-in bucket function: takes the WW_MAP for it that it is on elements of a type, with its environment, which is
 * checked; `with` has room for that. Every other function stays as it is, for ww__check_map. */
ww_status ww__resolve_map(ww_device *device, const ww_function **f, const ww_type *type, size_t size,
                          ww_function *with);
/* This library runs what the macros that made a function have made. */
ww_status ww__check_version(ww_device *device, const ww_function *f);
/* A function was given the environment that it reads (`wanted`), and none where it reads none. `f` is as the caller gave it. */
ww_status ww__check_environment_given(ww_device *device, const ww_function *f, const ww_type *wanted);
static inline ww_status ww__check_environment(ww_device *device, const ww_function *f, const ww_type *wanted) {
    if (!f->origin && (!wanted || wanted->kind == WW_KIND_VOID)) return WW_OK;
    return ww__check_environment_given(device, f, wanted);
}
/* The same of an environment of the right type. On a GPU it is staged if it must be (device/gpu/environment.h). */
ww_status ww__check_bound(ww_device *device, const ww_function *f, const ww_type *type, const void *data,
                          uint64_t count);

/* The loops of the device's vector width; a caller's compiler for another target may have made fewer. */
const void *ww__loops_below(const ww_device *device, const ww_function *f);
static inline const void *ww__loops(const ww_device *device, const ww_function *f) {
    const void *const loops = f->loops[device->vector];
    return loops ? loops : ww__loops_below(device, f);
}

/* A tile: elements that go through a loop at once, about 16 KiB, 64 to 4096 of them (one for elements of 16 KiB up). */
enum { WW__TILE_BYTES = 16384, WW__TILE_MOST = 4096 };
static inline size_t ww__tile(size_t element) {
    const size_t fit = WW__TILE_BYTES / element;
    return fit > WW__TILE_MOST ? WW__TILE_MOST : fit ? fit : 1;
}

/* Sums of integers that one loop computes and adds up, without storing them: casts of narrower integers in memory, elements that are apart, and
 * maps of one array, of two or of a zip. */
typedef struct ww__summing ww__summing;
struct ww__summing {
    /* The sum of n elements from `first` on, modulo 2^64. */
    uint64_t (*sum)(const ww__summing *s, uint64_t first, size_t n);
    const unsigned char *array[4];
    size_t size[4]; /* of an array's elements */
    uint32_t arrays;
    int64_t apart; /* of elements that are: from one to the next */
    uint64_t (*widened)(const void *x, size_t n);
    const ww_map_loops *map;
    const void *environment;
};
/* False where `op` does not add up integers, or these are computed in another way. */
bool ww__summing_of(const ww_device *device, const ww_function *op, const ww_input *in, ww__summing *s);

/* Elements first … first + n - 1 of a checked input: a pointer into memory, or into `buffer`, where they are computed.
 * buffer has ww__input_room(input, n) bytes, 64-byte aligned (0 for memory), and belongs to one worker. */
size_t ww__input_room(const ww_input *input, size_t n);
const void *ww__input_read(const ww_device *device, const ww_input *input, uint64_t first, size_t n, void *buffer);

/* The same into `to`, which is none of what the input reads, where anything is computed; else what it returns is to be copied. */
const void *ww__input_read_to(const ww_device *device, const ww_input *input, uint64_t first, size_t n, void *buffer,
                              void *to);

/* Asks for the memory that reading elements first … first + n - 1 will touch, while other work is done. */
void ww__input_fetch(const ww_input *input, uint64_t first, size_t n);

/* All of an input in memory: its own, or a scratch copy of it made by all threads. For algorithms that read at random. */
ww_status ww__input_in_memory(ww_device *device, const ww_input *input, const void **memory);

/* Element `position` of an input of u32, u64, i32 or i64, negative ones above all counts (for sentences and single reads; slow). What it is computed from takes scratch
 * memory where it is large. Of a light input workers may read numbers side by side, and no status but WW_OK comes. */
ww_status ww__input_number(ww_device *device, const ww_input *input, uint64_t position, uint64_t *number);
bool ww__input_is_light(const ww_input *input);

/* Sums and products of f16 and bf16 are folded as floats, and rounded once where they are stored. The operator on floats for such a one;
 * NULL of all others: they are folded as they are. */
const ww_function *ww__wide_operator(const ww_function *op);
/* The input, of f16 or bf16 as floats. */
ww_status ww__widened(ww_device *device, const char *name, const ww_input *in, ww_input *wide);
void ww__widen(const ww_device *device, float *out, const ww_type *half, const void *in, size_t n);
/* The WW_MAP from floats to one of them. */
const ww_function *ww__rounding(const ww_type *half);

/* As ww_mapped and ww_mapped2, of inputs that are not copied again. */
void ww__put_map(ww_input *input, const ww_function *f);
void ww__put_window(ww_input *input, const ww_function *f);
void ww__put_map2(ww_input *a, const ww_input *b, const ww_function *f);

/* Bytes that reading the whole input moves. */
uint64_t ww__input_bytes(const ww_input *input);

#endif
