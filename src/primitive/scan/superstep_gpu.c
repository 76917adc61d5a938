#include "primitive/scan/superstep_gpu.h"

#include "device/gpu/batch.h"

enum { ELEMENT_MOST = 1024, THREADS = 256 };

ww_status ww__superstep_recipe(const ww__scanning *s, const char *file, ww__recipe *r) {
    const size_t size = s->in->size;
    const ww_input *by = s->heads ? s->heads : s->keys;
    WW_CHECK(s->device, size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are scanned on a CPU only; a GPU takes up to %d", size, ELEMENT_MOST);
    ww__recipe_begin(r, file);
    ww__recipe_number(r, "WW_THREADS", THREADS);
    ww__recipe_number(r, "WW_SEGMENTS", s->heads ? 1 : s->keys ? 2 : 0);
    ww__recipe_type(r, "ww_item", s->in->type, size, NULL);
    ww__recipe_function(r, "ww_op", s->op);
    ww__recipe_input(r, "in", s->in);
    if (by) ww__recipe_input(r, "by", by);
    if (!ww__gpu_compiles(s->device)) ww__recipe_share_signs(r, s->op);
    return WW_OK;
}

ww_status ww__superstep_arguments(const ww__scanning *s, ww__arguments *a) {
    const ww_input *by = s->heads ? s->heads : s->keys;
    WW_TRY(ww__argument(s->device, a, s->initial ? s->initial : s->op->identity, s->in->size, 16));
    WW_TRY(ww__argument_input(s->device, a, s->in));
    return by ? ww__argument_input(s->device, a, by) : WW_OK;
}

ww_status ww__superstep_launch(const ww__scanning *s, const ww__recipe *r, const char *kernel, uint64_t threads,
                               const ww__arguments *a) {
    return ww__gpu_launch(s->device, r, kernel, ww__blocks(threads, THREADS), THREADS, 0, a);
}
