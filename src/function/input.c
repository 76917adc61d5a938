/* Inputs: building their steps, and computing tiles of them.
 *
 * The steps are a program for a stack, in postfix order. A tile is computed step by step, each into a part of the worker's
 * buffer, so a chain of maps goes through the first-level cache and memory is read once. */
#include "warpwise/input.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/check.h"
#include "function/computed.h"
#include "function/function.h"

_Static_assert(WW__CONSTANT_BYTES >= sizeof(((ww_value *)0)->bytes), "a step holds what a value holds");

/* In its place: an input that is returned by another function is copied whole, which takes as long as a call's checks. */
static inline void begin(ww_input *in, ww_step_kind kind, uint64_t count, const ww_type *type, size_t size,
                         const void *data, uint64_t number) {
    memset(in, 0, offsetof(ww_input, step[1])); /* steps that there are not are never read */
    in->count = count;
    in->type = type;
    in->size = size;
    in->steps = 1;
    in->kind[0] = (uint8_t)kind;
    in->step[0].type = type;
    in->step[0].data = data;
    in->step[0].number = number;
}

/* Made where it is returned to: gcc 12 would copy a variable there, which takes longer than clearing the steps that there are not. */
static inline ww_input memory_of(const void *data, uint64_t count, const ww_type *type, size_t size) {
    return (ww_input){.count = count,
                      .type = type,
                      .size = size,
                      .kind = {WW_STEP_MEMORY},
                      .steps = 1,
                      .step = {{.type = type, .data = data}}};
}

ww_input ww_memory_of(const void *data, uint64_t count, const ww_type *type) {
    return memory_of(data, count, type, type ? type->size : 0);
}

ww_input ww_record_memory(const void *data, uint64_t count, size_t bytes) {
    return memory_of(data, count, &ww_type_record, bytes);
}

ww_input ww_from(ww_array array) {
    ww_input in;
    if (ww__is_none(&array)) return ww_no_input;
    begin(&in, WW_STEP_MEMORY, array.count, array.type, array.size, array.data, 0);
    in.count_at = array.count_at;
    if (array.reserved) in.problem = WW_UNSUPPORTED;
    return in;
}

ww_input ww_counting(const ww_type *type, uint64_t first, uint64_t count) {
    ww_input in;
    begin(&in, WW_STEP_COUNTING, count, type, type ? type->size : 0, NULL, first);
    return in;
}

/* A value made from NULL has no size, and so has the input: that is how it is found. */
ww_input ww_constant(ww_value value, uint64_t count) {
    ww_input in;
    begin(&in, WW_STEP_CONSTANT, count, value.type, value.size, value.data, 0);
    if (value.size && value.size <= sizeof value.bytes)
        memcpy((unsigned char *)&in.step[0] + offsetof(ww_step, data), value.bytes, value.size);
    return in;
}

/* Keeps of a function with its environment what outlives it: the function itself, and where the environment lies. One that an older
 * macro made has no such members. */
static void push(ww_input *in, ww_step_kind kind, const ww_function *f) {
    if (in->steps >= WW_INPUT_STEPS) {
        if (!in->problem) in->problem = WW_LIMIT;
        return;
    }
    if (f && !ww__is_function(f)) {
        in->problem = WW_COMPILE;
        return;
    }
    ww_step *step = &in->step[in->steps];
    in->kind[in->steps++] = (uint8_t)kind;
    in->type = f ? f->result : NULL;
    in->size = in->type ? in->type->size : 0;
    *step = (ww_step){.function = f};
    if (!f || f->version < WW_FUNCTION_VERSION_OLDEST || !f->origin) return;
    step->function = f->origin;
    step->data = f->bound;
    step->number = f->bound_count;
    if (ww__reads_environment(f) &&
        ww__same_type(f->environment, f->environment->size, f->bound_type, f->bound_type ? f->bound_type->size : 0))
        return;
    step->data = f->bound_type;
    in->kind[in->steps - 1] = WW_STEP_MISFIT;
}

void ww__put_map(ww_input *input, const ww_function *f) { push(input, WW_STEP_MAP, f); }

void ww__put_window(ww_input *input, const ww_function *f) { push(input, WW_STEP_WINDOW, f); }

void ww__put_map2(ww_input *a, const ww_input *b, const ww_function *f) {
    if (b->problem && !a->problem) {
        *a = *b;
        return;
    }
    if ((a->count != b->count || a->count_at != b->count_at) && !a->problem) a->problem = WW_INVALID;
    for (uint32_t s = 0; s < b->steps; s++) {
        if (a->steps >= WW_INPUT_STEPS) {
            if (!a->problem) a->problem = WW_LIMIT;
            break;
        }
        a->kind[a->steps] = b->kind[s];
        a->step[a->steps++] = b->step[s];
    }
    push(a, WW_STEP_MAP2, f);
}

ww_input ww_mapped(const ww_function *f, ww_input input) {
    ww__put_map(&input, f);
    return input;
}

ww_input ww_mapped2(const ww_function *f, ww_input a, ww_input b) {
    ww__put_map2(&a, &b, f);
    return a;
}

static size_t steps_room(const ww_input *input, size_t n) {
    size_t room = 0;
    if (ww__has_source(input)) return ww__tree_room(input, input->steps - 1u, n);
    for (uint32_t s = 0; s < input->steps; s++)
        if (input->kind[s] != WW_STEP_MEMORY)
            room += ww__round_up((n + ww__near_more(input, s)) * ww__step_size(input, s), 64);
    return room;
}

size_t ww__input_room(const ww_input *input, size_t n) {
    if (ww__input_is_memory(input)) return 0;
    const size_t room = steps_room(input, n);
    /* Loops ask for what lies WW__AHEAD bytes behind the elements that they read: that must not be the buffer of the next
     * worker, which would lose it from its cache again and again. */
    return room ? room + WW__AHEAD + 128 : 0;
}

static void count_up(void *to, size_t size, uint64_t first, size_t n) {
    switch (size) {
#define COUNT(T) \
    case sizeof(T): \
        for (size_t i = 0; i < n; i++) ((T *)to)[i] = (T)(first + i); \
        return;
        COUNT(uint8_t)
        COUNT(uint16_t)
        COUNT(uint32_t)
        COUNT(uint64_t)
#if WW_HAS_U128
        COUNT(ww_u128)
#endif
#undef COUNT
    }
}

static void repeat(unsigned char *to, const void *value, size_t size, size_t n) {
    size_t filled = n ? 1 : 0;
    if (n) memcpy(to, value, size);
    for (; filled < n; filled *= 2) memcpy(to + filled * size, to, (filled * 2 > n ? n - filled : filled) * size);
}

void ww__compute_step(const ww_device *device, const ww_input *input, uint32_t s, uint64_t first, size_t n,
                      const void *const *on, void *room) {
    const ww_step *step = &input->step[s];
    const ww_map_loops *loops = ww__step_function(input, s) ? ww__loops(device, step->function) : NULL;
    switch ((ww_step_kind)input->kind[s]) {
    case WW_STEP_COUNTING:
        count_up(room, step->type->size, step->number + first, n);
        return;
    case WW_STEP_CONSTANT:
        repeat(room, ww__step_constant(step, ww__step_size(input, s)), ww__step_size(input, s), n);
        return;
    case WW_STEP_MAP:
    case WW_STEP_WINDOW:
        loops->map(room, on[0], NULL, step->data, n);
        return;
    case WW_STEP_MAP2:
        loops->map(room, on[0], on[1], step->data, n);
        return;
    case WW_STEP_STRIDED:
        ww__read_strided(device, step, ww__step_size(input, s), first, n, room);
        return;
    case WW_STEP_COUNTING_BY:
        ww__read_counting_by(step, first, n, room);
        return;
    case WW_STEP_CAST:
        ww__cast(device, step->type, room, ww__step_type(input, s - 1), on[0], n);
        return;
    case WW_STEP_PERMUTED:
        ww__read_permuted(device, step, ww__step_size(input, s), ww__step_type(input, s - 1), on[0], first, n, room);
        return;
    case WW_STEP_ZIP:
        ww__read_zip(device, input, s, on, n, room);
        return;
    case WW_STEP_NEAR_INSIDE: /* have been read */
    case WW_STEP_NEAR_CLAMP:
    case WW_STEP_NEAR_WRAP:
    case WW_STEP_NEAR_VALUE:
    case WW_STEP_NEAR_OF_INSIDE:
    case WW_STEP_NEAR_OF_CLAMP:
    case WW_STEP_NEAR_OF_WRAP:
    case WW_STEP_NEAR_OF_VALUE:
    case WW_STEP_PERMUTED_OF:
    case WW_STEP_MEMORY:
    case WW_STEP_MISFIT: /* has been refused */
        return;
    }
}

/* Elements of a step that is memory. */
static const void *memory_from(const ww_input *input, uint32_t s, uint64_t first) {
    return (const unsigned char *)input->step[s].data + first * ww__step_size(input, s);
}

static void *map_tile(const ww_device *device, const ww_step *step, void *to, const void *a, const void *b, size_t n) {
    const ww_map_loops *const loops = ww__loops(device, step->function);
    loops->map(to, a, b, step->data, n);
    return to;
}

/* Step after step; the last one goes to `to`, unless that is NULL. */
static const void *read_steps(const ww_device *device, const ww_input *input, uint64_t first, size_t n, void *buffer,
                              void *to) {
    const void *on[WW_INPUT_STEPS]; /* the stack */
    unsigned char *room = buffer;
    size_t depth = 0;
    for (uint32_t s = 0; s < input->steps; s++) {
        const size_t size = ww__step_size(input, s);
        if (input->kind[s] == WW_STEP_MEMORY) {
            on[depth++] = memory_from(input, s, first);
            continue;
        }
        depth -= ww__step_takes(input, s);
        if (ww__kind_is_near(input->kind[s])) {
            on[depth] = ww__read_near(input, s, depth < s ? on[depth] : NULL, first, n, room);
            depth++;
            room += ww__round_up((n + ww__near_more(input, s)) * size, 64);
            continue;
        }
        void *const result = to && s + 1 == input->steps ? to : room;
        if (input->kind[s] == WW_STEP_ZIP) {
            void *const mapped = to && s + 2 == input->steps ? to : room + ww__round_up(n * size, 64);
            if (ww__map_zip(device, input, s, on + depth, n, mapped)) {
                on[depth++] = mapped;
                s++;
                room += ww__round_up(n * size, 64) + ww__round_up(n * ww__step_size(input, s), 64);
                continue;
            }
        }
        ww__compute_step(device, input, s, first, n, on + depth, result);
        on[depth++] = result;
        room += ww__round_up(n * size, 64);
    }
    return on[0];
}

/* The same, where there are several steps by parts of the tile: all that the steps leave of one lies in the first-level cache, beside what
 * is on its way to it. */
static const void *read_parts(const ww_device *device, const ww_input *input, uint64_t first, size_t n, void *buffer,
                              void *to) {
    enum { PART = 512 };
    const size_t size = input->size;
    unsigned char *const all = to ? to : buffer, *const room = to ? buffer : all + ww__round_up(n * size, 64);
    for (size_t i = 0; i < n; i += PART)
        read_steps(device, input, first + i, n - i < PART ? n - i : PART, room, all + i * size);
    return all;
}

/* A map of arrays that are zipped, where it reads them as they lie: one step, that is. */
static bool maps_zip(const ww_device *device, const ww_input *input, uint64_t first, size_t n, void *out) {
    const void *on[WW_ZIP_MOST];
    if (input->steps < 4 || input->kind[input->steps - 2] != WW_STEP_ZIP) return false;
    const uint32_t zip = input->steps - 2u;
    for (uint32_t s = 0; s < zip; s++) {
        if (input->kind[s] != WW_STEP_MEMORY) return false;
        on[s] = memory_from(input, s, first);
    }
    return ww__map_zip(device, input, zip, on, n, out);
}

/* The last step goes to `to`, unless that is neighbours in memory. */
__attribute__((always_inline)) static inline const void *read_to(const ww_device *device, const ww_input *input,
                                                                 uint64_t first, size_t n, void *buffer, void *to) {
    enum { SMALL = 1024 };
    const uint8_t *const kind = input->kind;
    if (kind[0] == WW_STEP_MEMORY) { /* memory, a map of it, a map of two: most inputs, whose steps are seen at once */
        if (input->steps == 1) return memory_from(input, 0, first);
        if (input->steps == 2 && kind[1] == WW_STEP_MAP)
            return map_tile(device, &input->step[1], to ? to : buffer, memory_from(input, 0, first), NULL, n);
        if (input->steps == 3 && kind[1] == WW_STEP_MEMORY && kind[2] == WW_STEP_MAP2)
            return map_tile(device, &input->step[2], to ? to : buffer, memory_from(input, 0, first),
                            memory_from(input, 1, first), n);
    }
    if (ww__has_source(input)) return ww__read_tree(device, input, input->steps - 1u, first, n, buffer, to);
    if (kind[input->steps - 1] == WW_STEP_MAP && maps_zip(device, input, first, n, to ? to : buffer))
        return to ? to : buffer;
    return (n > SMALL && input->steps > 2 ? read_parts : read_steps)(device, input, first, n, buffer, to);
}

const void *ww__input_read(const ww_device *device, const ww_input *input, uint64_t first, size_t n, void *buffer) {
    return read_to(device, input, first, n, buffer, NULL);
}

const void *ww__input_read_to(const ww_device *device, const ww_input *input, uint64_t first, size_t n, void *buffer,
                              void *to) {
    return read_to(device, input, first, n, buffer, to);
}

void ww__input_fetch(const ww_input *input, uint64_t first, size_t n) {
    if (first >= input->count || ww__has_source(input)) return;
    n = (size_t)ww__min_u64(n, input->count - first);
    for (uint32_t s = 0; s < input->steps; s++) {
        const size_t size = ww__step_size(input, s);
        if (input->kind[s] == WW_STEP_MEMORY)
            ww__fetch_all((const unsigned char *)input->step[s].data + first * size, n * size);
    }
}

uint64_t ww__input_bytes(const ww_input *input) {
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < input->steps; s++)
        if (ww__step_is_array(input, s)) bytes += input->count * ww__step_size(input, s);
    return bytes;
}

/* Numbers are small, and so is what maps to them in practice; a step's element may be a large struct, though. */
enum { LIGHT_BYTES = 1024 };

/* A number as a u64: of a signed type with its sign, so that a negative one is above all counts. */
static uint64_t number_at(const ww_type *type, const void *at) {
    uint64_t number = 0;
    const size_t bytes = type->size < sizeof number ? type->size : sizeof number;
    memcpy(&number, at, bytes);
    if (type->kind != WW_KIND_SIGNED || bytes == sizeof number) return number;
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    return (number ^ sign) - sign;
}

bool ww__input_is_light(const ww_input *input) { return steps_room(input, 1) <= LIGHT_BYTES; }

ww_status ww__input_number(ww_device *device, const ww_input *input, uint64_t position, uint64_t *number) {
    unsigned char small[LIGHT_BYTES] __attribute__((aligned(64)));
    void *room = small;
    *number = 0;
    if (ww__input_is_light(input)) {
        if (device->on_paper) return WW_OK;
        *number = number_at(input->type, ww__input_read(device, input, position, 1, room));
        return WW_OK;
    }
    const ww__scratch_mark mark = ww__scratch_here(device);
    WW_TRY(ww__scratch(device, steps_room(input, 1), &room));
    if (!device->on_paper) *number = number_at(input->type, ww__input_read(device, input, position, 1, room));
    ww__scratch_back(device, &mark);
    return WW_OK;
}

typedef struct storing {
    const ww_device *device;
    const ww_input *input;
    unsigned char *to, *buffers;
    size_t tile, room;
    uint64_t next;
} storing;

static void store_tiles(void *argument, size_t worker) {
    storing *s = argument;
    unsigned char *buffer = s->buffers + worker * s->room;
    const uint64_t count = s->input->count;
    for (uint64_t t; (t = ww__claim(&s->next)) * s->tile < count;) {
        const uint64_t first = t * s->tile;
        const size_t n = (size_t)ww__min_u64(s->tile, count - first);
        memcpy(s->to + first * s->input->size, ww__input_read(s->device, s->input, first, n, buffer),
               n * s->input->size);
    }
}

ww_status ww__input_in_memory(ww_device *device, const ww_input *input, const void **memory) {
    *memory = ww__input_memory(input);
    if (*memory || !input->count) return WW_OK;
    storing s = {.device = device, .input = input, .tile = ww__tile(input->size)};
    const size_t workers = ww__workers(device, input->count * input->size);
    s.room = ww__input_room(input, s.tile);
    WW_TRY(ww__scratch_array(device, input->count, input->size, &s.to));
    WW_TRY(ww__scratch_array(device, workers, s.room, &s.buffers));
    ww__parallel(device, workers, store_tiles, &s);
    *memory = s.to;
    return WW_OK;
}
