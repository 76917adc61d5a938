/* The host side of Blelloch's scan on a GPU: 2 + 2 log2 n launches, of which those near the root have few threads. */
#include "primitive/scan/blelloch_arguments.cuh"
#include "primitive/scan/superstep_gpu.h"

typedef struct job {
    const ww__scanning *s;
    ww__recipe recipe;
    void *x, *heads, *up, *spine, *total;
} job;

static ww_status superstep(const job *j, const char *kernel, uint64_t d, uint64_t threads) {
    ww__arguments a;
    const blelloch_fixed fixed = {.x = j->x,
                                  .heads = j->heads,
                                  .up = j->up,
                                  .spine = j->spine,
                                  .out = j->s->out->data,
                                  .total = j->total,
                                  .count = j->s->in->count,
                                  .d = d,
                                  .exclusive = j->s->exclusive,
                                  .initial_given = j->s->initial != NULL};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__superstep_arguments(j->s, &a));
    return ww__superstep_launch(j->s, &j->recipe, kernel, threads, &a);
}

static ww_status prepare(job *j) {
    const ww__scanning *s = j->s;
    const uint64_t n = s->in->count;
    const size_t size = s->in->size;
    WW_TRY(ww__superstep_recipe(s, "primitive/scan/blelloch.cu", &j->recipe));
    WW_TRY(ww__scratch_array(s->device, n, size, &j->x));
    if (s->heads || s->keys) {
        WW_TRY(ww__scratch(s->device, n, &j->heads));
        WW_TRY(ww__scratch(s->device, n, &j->up));
    }
    WW_TRY(ww__scratch(s->device, size, &j->spine));
    return ww__gpu_room(s->device, s->total, size, &j->total);
}

ww_status ww__scan_blelloch_gpu(const ww__scanning *s) {
    const uint64_t n = s->in->count;
    const size_t size = s->in->size;
    job j = {.s = s};
    uint64_t d = 1;
    WW_TRY(prepare(&j));
    WW_TRY(superstep(&j, "blelloch_begin", d, n));
    for (; 2 * d <= n; d *= 2) WW_TRY(superstep(&j, "blelloch_up", d, n / (2 * d)));
    /* The root is of size d, or reaches past the end and is of size 2 d. */
    for (d = d == n ? d / 2 : d; d; d /= 2) WW_TRY(superstep(&j, "blelloch_down", d, n / (2 * d) + 1));
    WW_TRY(superstep(&j, "blelloch_finish", d, n));
    return s->total ? ww__gpu_result(s->device, s->total, j.total, size) : WW_OK;
}
