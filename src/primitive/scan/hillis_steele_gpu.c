/* The host side of Hillis and Steele's scan on a GPU: 1 + log2 n launches (rounded up), of which the last writes the output. */
#include "primitive/scan/hillis_steele_arguments.cuh"
#include "primitive/scan/superstep_gpu.h"

typedef struct job {
    const ww__scanning *s;
    ww__recipe recipe;
    void *array[2], *flags[2], *last, *total;
} job;

/* Superstep i reads array[(i + 1) % 2] and writes array[i % 2]. */
static ww_status superstep(const job *j, int i) {
    const uint64_t d = i ? UINT64_C(1) << (i - 1) : 0, n = j->s->in->count;
    const bool is_last = i ? 2 * d >= n : n == 1;
    void *const x = j->array[(i + 1) % 2], *const y = is_last ? j->s->out->data : j->array[i % 2];
    void *const total = is_last ? j->total : NULL;
    ww__arguments a;
    const hillis_steele_fixed fixed = {.x = x,
                                       .y = y,
                                       .flags = j->flags[(i + 1) % 2],
                                       .new_flags = j->flags[i % 2],
                                       .last = j->last,
                                       .total = total,
                                       .count = n,
                                       .d = d,
                                       .exclusive = j->s->exclusive,
                                       .initial_given = j->s->initial != NULL};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__superstep_arguments(j->s, &a));
    return ww__superstep_launch(j->s, &j->recipe, i ? "hillis_steele_step" : "hillis_steele_begin", n, &a);
}

ww_status ww__scan_hillis_steele_gpu(const ww__scanning *s) {
    const uint64_t n = s->in->count;
    const size_t size = s->in->size;
    job j = {.s = s};
    WW_TRY(ww__superstep_recipe(s, "primitive/scan/hillis_steele.cu", &j.recipe));
    for (int i = 0; i < 2; i++) {
        WW_TRY(ww__scratch_array(s->device, n, size, &j.array[i]));
        if (s->heads || s->keys) WW_TRY(ww__scratch(s->device, n, &j.flags[i]));
    }
    WW_TRY(ww__scratch(s->device, size, &j.last));
    WW_TRY(ww__gpu_room(s->device, s->total, size, &j.total));
    WW_TRY(superstep(&j, 0));
    for (int i = 1; UINT64_C(1) << (i - 1) < n; i++) WW_TRY(superstep(&j, i));
    return s->total ? ww__gpu_result(s->device, s->total, j.total, size) : WW_OK;
}
