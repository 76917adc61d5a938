/* ww_sort_large_over. Where all devices are GPUs of one driver, and together have the memory, each is given an even part of the arrays, the
 * parts are sorted as a group's (sort.c), over the links between GPUs, and brought back: each element goes over the bus once each way.
 * Outputs are written when all ranks have sorted. What is wrong before that leaves the caller's arrays as they were, and chunks are sorted
 * through the host's memory (sort/large/over.c), as on other devices. */
#include <pthread.h>
#include <string.h>

#include "device/gpu/gpu.h"
#include "function/function.h"
#include "group/group.h"
#include "sort/sort.h"

typedef struct together together;
typedef struct member {
    together *of;
    ww_device *device;
    uint32_t number;
    ww_engine engine;
    ww_array keys, values; /* of the GPU's memory */
    ww__kept room[2];      /* … which is theirs */
    uint64_t first;        /* of the whole arrays */
    ww_status status;
    bool started;
    pthread_t thread;
} member;

struct together {
    ww_array keys, values, keys_out, values_out; /* the caller's */
    const ww_sort_options *options;
    uint32_t many;
    uint32_t writes; /* atomic: outputs are no longer what they were */
    member members[WW_SORT_DEVICES_MOST];
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

static ww_status room(member *m, size_t which, ww_array like, uint64_t count, ww_array *to) {
    *to = like;
    to->count = count;
    if (like.type && count) WW_TRY(ww__kept_capacity(m->device, &m->room[which], count, like.size, 0));
    to->data = m->room[which].data;
    return WW_OK;
}

/* From pinned memory the part comes while the group is opened and takes its own memory. */
static ww_status begin(member *m) {
    const together *t = m->of;
    const uint64_t n = t->keys.count, each = n / t->many, more = n % t->many, k = m->number;
    m->first = each * k + ww__min_u64(k, more);
    WW_TRY(room(m, 0, t->keys, each + (k < more), &m->keys));
    WW_TRY(room(m, 1, t->values, each + (k < more), &m->values));
    WW_TRY(bring(m, t->keys, m->keys));
    return bring(m, t->values, m->values);
}

static ww_status sort_part(member *m, ww_group *group) {
    together *t = m->of;
    const ww_input values = m->values.type ? ww_from(m->values) : ww_no_input;
    WW_TRY(ww_group_sort(group, ww_from(m->keys), values, m->keys, m->values, t->options));
    __atomic_store_n(&t->writes, 1, __ATOMIC_RELAXED);
    ww_status status = take_back(m, m->keys, t->keys_out);
    if (!status) status = take_back(m, m->values, t->values_out);
    return status ? status : ww_sync(m->device);
}

/* Whoever cannot go on closes its engine, and the others learn of it. */
static void *run(void *argument) {
    member *m = argument;
    ww_group *group = NULL;
    m->status = begin(m);
    if (!m->status) m->status = ww_group_open(m->device, &m->engine, NULL, &group);
    if (!group) m->engine.close(m->engine.state);
    if (!m->status) m->status = sort_part(m, group);
    ww_group_close(group);
    for (size_t k = 0; k < 2; k++) ww__kept_drop(m->device, &m->room[k]);
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

/* Whether it is done, well or not: *status. */
static bool sort_together(together *t, ww_device *const *devices, ww_status *status) {
    ww_engine engines[WW_SORT_DEVICES_MOST];
    uint32_t k = 0;
    if (ww_engines_local(t->many, engines)) return false;
    for (uint32_t m = 0; m < t->many; m++) t->members[m].engine = engines[m];
    run_all(t);
    while (k < t->many && !t->members[k].status) k++;
    *status = k == t->many ? WW_OK : t->members[k].status;
    if (*status && !t->writes) return false;
    if (*status) *status = ww__sort_over_said(devices, k, *status, ww_error(devices[k]));
    return true;
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
                           const ww_sort_options *options, ww_status *status) {
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
    for (uint32_t k = 0; k < many; k++) t.members[k] = (member){.of = &t, .device = devices[k], .number = k};
    return sort_together(&t, devices, status);
}

ww_status ww_sort_large_over(ww_device *const *devices, uint32_t many, ww_input keys, ww_input values,
                             ww_array keys_out, ww_array values_out, const ww_sort_options *options) {
    const ww__sorting s = {.keys = keys, .values = values, .keys_out = keys_out, .values_out = values_out};
    ww_status status = WW_OK;
    WW_TRY(ww__sort_over_check(devices, many, &s, options));
    return sorted_on_gpus(devices, many, &s, options, &status) ? status : ww__sort_over(devices, many, &s, options);
}
