/* ww_sort_large_over. Where all devices are GPUs of one driver, and together have the memory, each is given an even part of the arrays, the
 * parts are sorted as a group's (sort.c), over the links between GPUs, and brought back: each element goes over the bus once each way.
 * Anything that is wrong there leaves the caller's arrays as they were: outputs are written when all ranks have sorted. Then, and on
 * other devices, chunks are sorted through the host's memory (sort/large/over.c). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/gpu/gpu.h"
#include "function/function.h"
#include "group/group.h"
#include "sort/large/over.h"

typedef struct together together;
typedef struct member {
    together *of;
    ww_device *device;
    ww_engine engine;
    ww_array keys, values; /* of the GPU's memory */
    uint64_t first;        /* of the whole arrays */
    ww_status status;
    bool started;
    pthread_t thread;
} member;

struct together {
    ww_array keys, values, keys_out, values_out; /* the caller's */
    const ww_sort_options *options;
    uint32_t many;
    member *members;
};

/* `count` elements of an array from `first` on. */
static ww_array part_of(ww_array all, uint64_t first, uint64_t count) {
    if (!all.type) return all;
    all.data = (unsigned char *)all.data + first * all.size;
    all.count = count;
    return all;
}

static ww_status bring(member *m, ww_array from, ww_array to) {
    return to.type && to.count ? ww_copy(m->device, ww_from(part_of(from, m->first, to.count)), to) : WW_OK;
}

static ww_status take_back(member *m, ww_array from, ww_array to) {
    return from.type && from.count ? ww_copy(m->device, ww_from(from), part_of(to, m->first, from.count)) : WW_OK;
}

static ww_status sort_part(member *m, ww_group *group) {
    const together *t = m->of;
    const ww_input values = m->values.type ? ww_from(m->values) : ww_no_input;
    ww_status status = bring(m, t->keys, m->keys);
    if (!status) status = bring(m, t->values, m->values);
    if (status) return status; /* and the others are told when the group is closed */
    WW_TRY(ww_group_sort(group, ww_from(m->keys), values, m->keys, m->values, t->options));
    status = take_back(m, m->keys, t->keys_out);
    if (!status) status = take_back(m, m->values, t->values_out);
    return status ? status : ww_sync(m->device);
}

static void *run(void *argument) {
    member *m = argument;
    ww_group *group = NULL;
    m->status = ww_group_open(m->device, &m->engine, NULL, &group);
    if (!group) m->engine.close(m->engine.state);
    if (!m->status) m->status = sort_part(m, group);
    ww_group_close(group);
    return NULL;
}

static void run_all(together *t) {
    for (uint32_t k = 0; k < t->many; k++) {
        member *m = &t->members[k];
        m->started = k && !pthread_create(&m->thread, NULL, run, m);
        if (m->started || !k) continue;
        m->status = WW_MEMORY;
        m->engine.close(m->engine.state);
    }
    run(&t->members[0]);
    for (uint32_t k = 1; k < t->many; k++)
        if (t->members[k].started) pthread_join(t->members[k].thread, NULL);
}

/* ---- memory ---- */

static ww_status room(member *m, ww_array like, uint64_t count, ww_array *to) {
    *to = like;
    to->data = NULL;
    to->count = count;
    return like.type && count ? ww_alloc(m->device, count * like.size, &to->data) : WW_OK;
}

static ww_status take_rooms(together *t) {
    const uint64_t n = t->keys.count, each = n / t->many, more = n % t->many;
    for (uint32_t k = 0; k < t->many; k++) {
        member *m = &t->members[k];
        m->first = each * k + (k < more ? k : more);
        WW_TRY(room(m, t->keys, each + (k < more), &m->keys));
        WW_TRY(room(m, t->values, each + (k < more), &m->values));
    }
    return WW_OK;
}

static ww_status sort_together(together *t, ww_engine *engines) {
    ww_status status = take_rooms(t);
    if (!status) status = ww_engines_local(t->many, engines);
    if (!status) {
        for (uint32_t k = 0; k < t->many; k++) t->members[k].engine = engines[k];
        run_all(t);
    }
    for (uint32_t k = 0; k < t->many; k++) {
        member *m = &t->members[k];
        if (!status) status = m->status;
        ww_free(m->device, m->keys.data);
        ww_free(m->device, m->values.data);
    }
    return status;
}

/* ---- the call ---- */

/* GPUs of one driver, none of which keeps to less memory than it has. */
static bool may_hold_all(ww_device *const *devices, uint32_t many) {
    for (uint32_t k = 0; k < many; k++) {
        const ww_device *d = devices[k];
        if (!d->gpu || d->scratch_limit || strcmp(d->gpu->driver->backend, devices[0]->gpu->driver->backend))
            return false;
    }
    return many > 1;
}

static bool sorted_on_gpus(ww_device *const *devices, uint32_t many, const ww__sorting *s,
                           const ww_sort_options *options) {
    ww_array keys = s->keys_out, values = s->values_out;
    if (!s->keys.count || !may_hold_all(devices, many)) return false;
    keys.data = (void *)(uintptr_t)ww__input_memory(&s->keys); /* which is only read */
    if (s->values.steps) values.data = (void *)(uintptr_t)ww__input_memory(&s->values);
    together t = {.keys = keys,
                  .values = values,
                  .keys_out = s->keys_out,
                  .values_out = s->values_out,
                  .options = options,
                  .many = many};
    ww_engine *engines = calloc(many, sizeof *engines);
    t.members = calloc(many, sizeof *t.members);
    ww_status status = WW_MEMORY;
    if (engines && t.members) {
        for (uint32_t k = 0; k < many; k++) t.members[k] = (member){.of = &t, .device = devices[k]};
        status = sort_together(&t, engines);
    }
    free(engines);
    free(t.members);
    return status == WW_OK;
}

ww_status ww_sort_large_over(ww_device *const *devices, uint32_t many, ww_input keys, ww_input values,
                             ww_array keys_out, ww_array values_out, const ww_sort_options *options) {
    const ww__sorting s = {.keys = keys, .values = values, .keys_out = keys_out, .values_out = values_out};
    WW_TRY(ww__sort_over_check(devices, many, &s, options));
    return sorted_on_gpus(devices, many, &s, options) ? WW_OK : ww__sort_over(devices, many, &s, options);
}
