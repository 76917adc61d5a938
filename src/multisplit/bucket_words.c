/* How kernels are told what a key's bucket is: bucket.cuh's macros and struct. */
#include "device/gpu/environment.h"
#include "function/types.h"
#include "multisplit/sweeps_gpu.h"

static ww_status say_bad(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    if (value) return ww__bad_edge(device, position);
    return ww__no_bucket(device, position, call->name, call->limit);
}

/* Keys whose buckets are some of their own bits need no function. A signed key below 0 is a number with the highest bit
 * set, which must not be a bucket's. */
static bool is_own_bits(const ww__splitting *s) {
    const size_t bits = 8 * s->keys.size;
    if (ww__splits_by(s, &ww_by_bits)) return true;
    if (!ww__splits_by(s, &ww_by_number)) return false;
    return s->keys.type->kind == WW_KIND_UNSIGNED || bits > 32 || s->by.buckets <= (uint64_t)1 << (bits - 1);
}

static uint32_t checked_of(const ww__splitting *s) {
    const size_t bits = 8 * s->keys.size;
    if (ww__splits_by(s, &ww_by_bits))
        return s->by.buckets < (uint64_t)1 << ((const ww_bits *)s->by.asked->bound)->count ? 2 : 0;
    return bits > 32 || s->by.buckets < (uint64_t)1 << bits ? 1 : 0;
}

ww_status ww__bucket_words_make(const ww__splitting *s, ww__bucket_words *w) {
    *w = (ww__bucket_words){.s = s, .how = s->by.edges ? 2 : is_own_bits(s) ? 0 : 1};
    if (w->how == 1 && ww__division_of(s, &w->division)) w->how = 3;
    if (!w->how) w->checked = checked_of(s);
    return ww__gpu_checking_begin(s->device, say_bad, s->by.edges ? "edges" : s->by.asked->name, s->by.buckets,
                                  &w->checking);
}

uint32_t ww__shared_edges(const ww__bucket_words *w) {
    enum { LEAST = 16, MOST = 1024 };
    uint32_t room = LEAST;
    if (w->how != 2 || w->s->by.edges->count > MOST) return 0;
    while (room < w->s->by.edges->count) room *= 2;
    return room;
}

void ww__recipe_buckets(ww__recipe *recipe, const ww__bucket_words *w, const void *at) {
    const ww__splitting *s = w->s;
    ww__recipe_number(recipe, "WW_BY", w->how);
    ww__recipe_number(recipe, "WW_CHECKED", w->checked);
    if (!w->how) return;
    ww__recipe_number(recipe, "WW_SHARED_EDGES", ww__shared_edges(w));
    if (w->how == 2) {
        ww__recipe_input(recipe, "edges", s->by.edges);
        return;
    }
    const ww_kind kind = s->by.map->result->kind; /* by_delta gives the keys' own type */
    ww__recipe_number(recipe, "WW_KIND", kind == WW_KIND_FLOAT ? 2 : kind == WW_KIND_SIGNED);
    if (w->how == 3) return;
    ww__recipe_type(recipe, "ww_item", s->keys.type, s->keys.size, at);
    ww__recipe_environment(recipe, "ww_environment", s->by.map);
    ww__recipe_function(recipe, "ww_bucket_of", s->by.map);
}

ww_status ww__argument_buckets(ww__arguments *a, const ww__bucket_words *w) {
    const ww__splitting *s = w->s;
    const uint32_t many = (uint32_t)s->by.buckets, unused = 0;
    ww__argument(a, "", 0, 16);
    WW__ARGUMENT(a, w->checking);
    WW__ARGUMENT(a, many);
    WW__ARGUMENT(a, unused);
    if (w->how == 3) {
        WW__ARGUMENT(a, w->division.factor);
        WW__ARGUMENT(a, w->division.shift_first);
        WW__ARGUMENT(a, w->division.shift);
    }
    if (w->how == 2) WW_TRY(ww__argument_input(s->device, a, s->by.edges));
    if (w->how == 1) WW_TRY(ww__argument_environment(s->device, a, s->by.map));
    ww__argument(a, "", 0, 16);
    return WW_OK;
}
