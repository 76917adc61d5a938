/* The host side of Blelloch's split (1990) on a GPU: flags of both sides, two scans that give every element its place, and a
 * scatter, which permutes. */
#include "device/gpu/batch.h"
#include "function/types.h"
#include "primitive/gather/gather.h"
#include "primitive/pack/chosen.h"
#include "primitive/scan/scan.h"
#include "primitive/split/sides.h"
#include "primitive/split/split_scans_arguments.cuh"

enum { THREADS = 256 };

typedef struct splitting {
    ww_device *device;
    const ww_input *in;
    ww_input chosen;
    uint8_t *first, *second_reversed;
    ww_array down, behind;
} splitting;

static ww_status launch(const splitting *s, const char *kernel) {
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/split/split_scans.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_type(&r, "ww_position", s->down.type, s->down.size, NULL);
    ww__recipe_input(&r, "by", &s->chosen);
    ww__arguments a;
    const split_scans_fixed fixed = {.first = s->first,
                                     .second_reversed = s->second_reversed,
                                     .down = s->down.data,
                                     .behind = s->behind.data,
                                     .count = s->in->count};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(s->device, &a, &s->chosen));
    return ww__gpu_launch(s->device, &r, kernel, ww__blocks(s->in->count, THREADS), THREADS, 0, &a);
}

static ww_status prepare(splitting *s) {
    const uint64_t n = s->in->count;
    const ww_type *type = ww__position_type(n);
    s->down = s->behind = (ww_array){NULL, n, type, type->size, NULL, 0};
    WW_TRY(ww__scratch(s->device, n, &s->first));
    WW_TRY(ww__scratch(s->device, n, &s->second_reversed));
    WW_TRY(ww__scratch_array(s->device, n, type->size, &s->down.data));
    return ww__scratch_array(s->device, n, type->size, &s->behind.data);
}

/* Leaves every element's place in `down`, and how many go to the first side in *zeros. */
static ww_status find_places(const splitting *s, const ww_array *zeros) {
    const ww_input first = ww_memory(s->first, s->in->count), second = ww_memory(s->second_reversed, s->in->count);
    WW_TRY(launch(s, "mark_sides"));
    WW_TRY(ww__enumerate(s->device, &(ww__enumerate_request){&first, &s->down, zeros}));
    WW_TRY(ww__enumerate(s->device, &(ww__enumerate_request){&second, &s->behind, NULL}));
    return launch(s, "name_places");
}

ww_status ww__split_scans_gpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *second,
                              const ww_array *out, const ww_array *zeros) {
    splitting s = {.device = device, .in = in};
    ww_array total = *zeros;
    WW_TRY(ww__chosen(device, in, flags, second, &s.chosen));
    WW_TRY(prepare(&s));
    WW_TRY(ww__gpu_room(device, zeros->data, zeros->size, &total.data));
    WW_TRY(find_places(&s, &total));
    const ww_input place = ww_from(s.down);
    WW_TRY(ww__scatter_some(device, in, &place, out));
    return ww__gpu_result(device, zeros->data, total.data, zeros->size);
}
