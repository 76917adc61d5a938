/* The host side of pack by enumerate and scatter (Blelloch 1990) on a GPU: flags, their enumeration, whose total is the count,
 * and a scatter of what is kept, each by launches of its own. What finds no room goes nowhere. */
#include "device/gpu/batch.h"
#include "function/types.h"
#include "primitive/gather/gather.h"
#include "primitive/pack/chosen.h"
#include "primitive/pack/pack_enumerate_arguments.cuh"
#include "primitive/pack/sides.h"
#include "primitive/scan/scan.h"

enum { THREADS = 256 };

typedef struct packing {
    ww_device *device;
    const ww_input *in;
    ww_input chosen;
    uint8_t *flags;
    ww_array place;
} packing;

static ww_status launch(const packing *p, const char *kernel) {
    ww__recipe r;
    ww__recipe_begin(&r, "primitive/pack/pack_enumerate.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_type(&r, "ww_position", p->place.type, p->place.size, NULL);
    ww__recipe_input(&r, "by", &p->chosen);
    ww__arguments a;
    const pack_enumerate_fixed fixed = {.flags = p->flags, .place = p->place.data, .count = p->in->count};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(p->device, &a, &p->chosen));
    return ww__gpu_launch(p->device, &r, kernel, ww__blocks(p->in->count, THREADS), THREADS, 0, &a);
}

/* Where each element goes; the number that are kept goes to *total. */
static ww_status find_places(packing *p, const ww_array *total) {
    const uint64_t n = p->in->count;
    const ww_type *type = ww__position_type(n);
    p->place = (ww_array){NULL, n, type, type->size, NULL, 0};
    WW_TRY(ww__scratch(p->device, n, &p->flags));
    WW_TRY(ww__scratch_array(p->device, n, type->size, &p->place.data));
    WW_TRY(launch(p, "mark"));
    const ww_input flags = ww_memory(p->flags, n);
    WW_TRY(ww__enumerate(p->device, &(ww__enumerate_request){&flags, &p->place, total}));
    return launch(p, "name_places");
}

ww_status ww__pack_enumerate_gpu(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *keep,
                                 const ww_array *out, const ww_array *count, uint64_t *kept) {
    packing p = {.device = device, .in = in};
    ww_array total = *count, to = *out;
    WW_TRY(ww__chosen(device, in, flags, keep, &p.chosen));
    WW_TRY(ww__gpu_room(device, count->data, count->size, &total.data));
    WW_TRY(find_places(&p, &total));
    to.count = ww__min_u64(out->count, in->count); /* so that NOWHERE is beyond it */
    const ww_input place = ww_from(p.place);
    if (to.count) WW_TRY(ww__scatter_some(device, in, &place, &to));
    WW_TRY(ww__gpu_result(device, count->data, total.data, count->size));
    if (total.data == count->data || device->on_paper)
        *kept = 0;
    else
        *kept = count->size == sizeof(uint64_t) ? *(const uint64_t *)count->data : *(const uint32_t *)count->data;
    return WW_OK;
}
