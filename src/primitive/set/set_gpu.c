/* The host side of sets on a GPU: a launch that cuts the inputs into tiles, where there are several, and one that makes them,
 * after the words of the chain are cleared. */
#include "device/gpu/batch.h"
#include "device/gpu/chain.h"
#include "device/gpu/environment.h"
#include "primitive/map/map.h"
#include "primitive/merge/order_gpu.h"
#include "primitive/merge/path_gpu.h"
#include "primitive/set/set_arguments.cuh"
#include "primitive/set/sides.h"

enum { ELEMENT_MOST = 1024 };

typedef struct setting {
    ww__set_kind kind;
    const ww_function *order;
    const ww_input *a, *b;
    const ww_array *out, *count;
    ww__path_plan plan;
} setting;

/* Bytes of shared memory: struct set_shared. */
static size_t shared_bytes(const setting *s) {
    const size_t threads = s->plan.threads, tile = threads * s->plan.each;
    const size_t keys = ww__round_up((tile + 2) * s->a->size, 8), words = 8 + 4 + 4 * (threads / 32) + 4 * threads;
    return ww__round_up(keys + words + 2 * (tile + 1), 16);
}

static void make_recipe(ww__recipe *r, const setting *s) {
    ww__recipe_begin(r, "primitive/set/set.cu");
    ww__recipe_number(r, "WW_SET", (uint64_t)s->kind);
    ww__recipe_type(r, "ww_count", s->count->type, s->count->size, NULL);
    ww__path_recipe(r, &s->plan, s->order, s->a, s->b);
}

static ww_status launch(ww_device *device, const setting *s, uint64_t most, void *out, void *total) {
    const uint64_t tiles = ww__blocks(s->a->count + s->b->count, (uint64_t)s->plan.threads * s->plan.each);
    const uint64_t groups = s->plan.cut_threads / s->plan.cut_lanes;
    uint64_t *cut_left = NULL, *cut_right = NULL;
    ww__gpu_chain chain;
    ww__recipe r;
    make_recipe(&r, s);
    WW_TRY(ww__gpu_chain_begin(device, tiles, 0, &chain));
    if (tiles > 1) {
        WW_TRY(ww__scratch_array(device, tiles + 1, sizeof *cut_left, &cut_left));
        WW_TRY(ww__scratch_array(device, tiles + 1, sizeof *cut_right, &cut_right));
    }
    ww__arguments a;
    const set_fixed fixed = {.out = out,
                             .total = total,
                             .room = s->out->count,
                             .most = most,
                             .lefts = s->a->count,
                             .rights = s->b->count,
                             .tiles = tiles,
                             .cut_left = cut_left,
                             .cut_right = cut_right,
                             .chain = chain};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, s->a));
    WW_TRY(ww__argument_input(device, &a, s->b));
    if (cut_left)
        WW_TRY(ww__gpu_launch(device, &r, "cut_tiles", ww__blocks(tiles + 1, groups), s->plan.cut_threads, 0, &a));
    return ww__gpu_launch(device, &r, "set", tiles, s->plan.threads, shared_bytes(s), &a);
}

static ww_status make_set(ww_device *device, const ww__set_request *r, uint64_t *found) {
    enum { EACH_MOST = 11, WARP = 32 };
    const ww_input *const a = r->a, *const b = r->b;
    const ww_array *const out = r->out, *const count = r->count;
    setting s = {
        .kind = r->kind, .order = ww__order_told(device, r->order, a, b), .a = a, .b = b, .out = out, .count = count};
    void *to, *total;
    *found = 0;
    if (!a->count && !b->count) return ww__put_count(device, count, 0);
    WW_CHECK(device, a->size <= ELEMENT_MOST, WW_LIMIT,
             "sets of elements of %zu bytes are made on a CPU only; a GPU takes up to %d", a->size, ELEMENT_MOST);
    s.plan = ww__path_plan_of(device, a->count + b->count, a->size, ww__path_piece(a, b, out), false, EACH_MOST);
    const size_t shared_most = device->gpu->driver->shared_most - ww__kept_bytes(s.order);
    while (s.plan.threads > WARP && shared_bytes(&s) > shared_most) s.plan.threads /= 2;
    WW_TRY(ww__gpu_room_kept(device, out, &to)); /* the result may have no element */
    WW_TRY(ww__gpu_room(device, count->data, count->size, &total));
    WW_TRY(launch(device, &s, r->most, to, total));
    WW_TRY(ww__gpu_result(device, out->data, to, out->size));
    WW_TRY(ww__gpu_result(device, count->data, total, count->size));
    /* On the GPU only the count says how many there are. */
    if (total != count->data && !device->on_paper)
        *found = count->size == sizeof(uint64_t) ? *(const uint64_t *)count->data : *(const uint32_t *)count->data;
    return WW_OK;
}

ww_status ww__set_gpu(ww_device *device, const ww__set_request *r, uint64_t *found) {
    ww__set_request of = *r;
    ww_array wide;
    WW_TRY(ww__wide_count(device, r->count, &wide));
    of.count = &wide;
    WW_TRY(make_set(device, &of, found));
    return ww__narrow_count(device, r->count, &wide, found);
}
