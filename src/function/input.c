/* Inputs: building their steps, and computing tiles of them.
 *
 * The steps are a program for a stack, in postfix order. A tile is computed step by step, each into a part of the worker's
 * buffer, so a chain of maps goes through the first-level cache and memory is read once. */
#include "warpwise/input.h"

#include <string.h>

#include "device/check.h"
#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/function.h"

static ww_input one_step(ww_step_kind kind, uint64_t count, const ww_type *type, size_t size, const void *data,
                         uint64_t first) {
    ww_input in;
    memset(&in, 0, sizeof in);
    in.count = count;
    in.type = type;
    in.size = size;
    in.steps = 1;
    in.step[0] = (ww_step){kind, data, NULL, type, size, first};
    return in;
}

ww_input ww_memory_of(const void *data, uint64_t count, const ww_type *type) {
    return one_step(WW_STEP_MEMORY, count, type, type ? type->size : 0, data, 0);
}

ww_input ww_record_memory(const void *data, uint64_t count, size_t bytes) {
    return one_step(WW_STEP_MEMORY, count, &ww_type_record, bytes, data, 0);
}

ww_input ww_from(ww_array array) {
    if (ww__is_none(&array)) return ww_no_input;
    ww_input in = one_step(WW_STEP_MEMORY, array.count, array.type, array.size, array.data, 0);
    if (array.reserved[0] || array.reserved[1]) in.problem = WW_UNSUPPORTED;
    return in;
}

ww_input ww_counting(const ww_type *type, uint64_t first, uint64_t count) {
    return one_step(WW_STEP_COUNTING, count, type, type ? type->size : 0, NULL, first);
}

ww_input ww_constant(const ww_type *type, const void *value, uint64_t count) {
    return one_step(WW_STEP_CONSTANT, count, type, type ? type->size : 0, value, 0);
}

static void push(ww_input *in, ww_step_kind kind, const ww_function *f, const void *environment, uint64_t operand) {
    if (in->steps >= WW_INPUT_STEPS) {
        if (!in->problem) in->problem = WW_LIMIT;
        return;
    }
    if (f && !ww__is_function(f)) {
        in->problem = WW_COMPILE;
        return;
    }
    in->type = f ? f->result : NULL;
    in->size = in->type ? in->type->size : 0;
    in->step[in->steps++] = (ww_step){kind, environment, f, in->type, in->size, operand};
}

ww_input ww_mapped(const ww_function *f, const void *environment, ww_input input) {
    push(&input, WW_STEP_MAP, f, environment, 0);
    return input;
}

/* `first` of a WW_STEP_MAP2 is the step that made its first operand; the second's is the step before. */
ww_input ww_mapped2(const ww_function *f, const void *environment, ww_input a, ww_input b) {
    if (b.problem && !a.problem) a.problem = b.problem;
    if (a.count != b.count && !a.problem) a.problem = WW_INVALID;
    const uint32_t behind = a.steps;
    for (uint32_t s = 0; s < b.steps; s++) {
        if (a.steps >= WW_INPUT_STEPS) {
            if (!a.problem) a.problem = WW_LIMIT;
            break;
        }
        ww_step step = b.step[s];
        if (step.kind == WW_STEP_MAP2) step.first += behind;
        a.step[a.steps++] = step;
    }
    push(&a, WW_STEP_MAP2, f, environment, behind ? behind - 1 : 0);
    return a;
}

static size_t step_room(const ww_step *step, size_t n) {
    return step->kind == WW_STEP_MEMORY ? 0 : ww__round_up(n * step->size, 64);
}

static size_t steps_room(const ww_input *input, size_t n) {
    size_t room = 0;
    for (uint32_t s = 0; s < input->steps; s++) room += step_room(&input->step[s], n);
    return room;
}

size_t ww__input_room(const ww_input *input, size_t n) {
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

const void *ww__input_read(const ww_device *device, const ww_input *input, uint64_t first, size_t n, void *buffer) {
    const void *made[WW_INPUT_STEPS];
    unsigned char *room = buffer;
    for (uint32_t s = 0; s < input->steps; s++) {
        const ww_step *step = &input->step[s];
        const ww_map_loops *loops = step->function ? ww__loops(device, step->function) : NULL;
        made[s] = room;
        switch (step->kind) {
        case WW_STEP_MEMORY:
            made[s] = (const unsigned char *)step->data + first * step->size;
            break;
        case WW_STEP_COUNTING:
            count_up(room, step->size, step->first + first, n);
            break;
        case WW_STEP_CONSTANT:
            repeat(room, step->data, step->size, n);
            break;
        case WW_STEP_MAP:
            loops->map(room, made[s - 1], NULL, step->data, n);
            break;
        case WW_STEP_MAP2:
            loops->map(room, made[step->first], made[s - 1], step->data, n);
            break;
        }
        room += step_room(step, n);
    }
    return made[input->steps - 1];
}

void ww__input_fetch(const ww_input *input, uint64_t first, size_t n) {
    if (first >= input->count) return;
    n = (size_t)ww__min_u64(n, input->count - first);
    for (uint32_t s = 0; s < input->steps; s++) {
        const ww_step *step = &input->step[s];
        if (step->kind == WW_STEP_MEMORY)
            ww__fetch_all((const unsigned char *)step->data + first * step->size, n * step->size);
    }
}

uint64_t ww__input_bytes(const ww_input *input) {
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < input->steps; s++)
        if (input->step[s].kind == WW_STEP_MEMORY) bytes += input->count * input->step[s].size;
    return bytes;
}

/* Numbers are small, and so is what maps to them in practice; a step's element may be a large struct, though. */
enum { LIGHT_BYTES = 1024 };

bool ww__input_is_light(const ww_input *input) { return steps_room(input, 1) <= LIGHT_BYTES; }

ww_status ww__input_number(ww_device *device, const ww_input *input, uint64_t position, uint64_t *number) {
    unsigned char small[LIGHT_BYTES] __attribute__((aligned(64)));
    const size_t bytes = input->size < sizeof *number ? input->size : sizeof *number;
    void *room = small;
    *number = 0;
    if (ww__input_is_light(input)) {
        memcpy(number, ww__input_read(device, input, position, 1, room), bytes);
        return WW_OK;
    }
    const ww__scratch_mark mark = ww__scratch_here(device);
    WW_TRY(ww__scratch(device, steps_room(input, 1), &room));
    memcpy(number, ww__input_read(device, input, position, 1, room), bytes);
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
