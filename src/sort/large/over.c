/* ww_sort_large_over through the host: a thread for each device. Both trips of large_gpu.c are made by all devices together, each taking the next chunk
 * that nobody has taken, so that a slow one takes fewer. Between the trips, and before the first, all meet: chunks are as long as the
 * device with the least memory can have them, and the second trip begins when all runs are there. The runs lie in pinned memory of
 * the first GPU's handle, which all GPUs copy at the bus's rate.
 *
 * Chunks of a trip are many for each device, as its first one comes and its last one goes while it does nothing else. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "device/gpu/gpu.h"
#include "device/paper.h"
#include "function/function.h"
#include "sort/large/large_gpu.h"

enum { CHUNKS_EACH = 16, CHUNK_LEAST = 1 << 16, CHUNK_LEAST_SMALL = 1 << 10 };

/* Where all threads wait for each other. */
typedef struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t all_here;
    uint32_t parties, here;
    uint64_t times;
    bool failed, ends; /* one has failed so far; and had when all met last, which is the same for all who were there */
} meeting;

typedef struct over over;
typedef struct worker {
    over *of;
    ww_device *device;
    ww__sort_request r;
    uint64_t chunk; /* what it can have */
    ww_status status;
    bool started;
    pthread_t thread;
} worker;

struct over {
    ww__sort_request r;
    const ww_sort_options *options;
    worker worker[WW_SORT_DEVICES_MOST];
    uint32_t many, keeper; /* whose handle has the runs */
    meeting meeting;
    ww__large_share share;
    uint64_t next[2]; /* of each trip */
    uint32_t failed;  /* atomic */
};

/* ---- meeting ---- */

static void all_are_here(meeting *m) {
    m->here = 0;
    m->times++;
    m->ends = m->failed;
    pthread_cond_broadcast(&m->all_here);
}

/* Whether all go on. */
static bool meet(meeting *m, bool failed) {
    pthread_mutex_lock(&m->lock);
    const uint64_t times = m->times;
    m->failed |= failed;
    if (++m->here >= m->parties) all_are_here(m);
    while (m->times == times) pthread_cond_wait(&m->all_here, &m->lock);
    const bool ends = m->ends;
    pthread_mutex_unlock(&m->lock);
    return !ends;
}

/* One will not come. */
static void stay_away(meeting *m) {
    pthread_mutex_lock(&m->lock);
    m->failed = true;
    m->parties--;
    if (m->here && m->here >= m->parties) all_are_here(m);
    pthread_mutex_unlock(&m->lock);
}

/* Who fails stops the others at their next chunk. */
static bool all_go_on(over *o, ww_status status) {
    if (status) __atomic_store_n(&o->failed, 1, __ATOMIC_RELAXED);
    return meet(&o->meeting, status != WW_OK);
}

/* ---- a device ---- */

static bool is_gpu(const ww_device *device) { return device->backend == WW__BACKEND_GPU; }

/* Memory of one GPU's is not what the others work in. */
static ww_status check_host(ww_device *device, const char *name, const void *memory) {
    ww__driver *driver = is_gpu(device) ? device->gpu->driver : NULL;
    WW_CHECK(device, !driver || !memory || driver->place(driver, memory) != WW__PLACE_DEVICE, WW_INVALID,
             "%s is a GPU's memory, and several devices sort the host's", name);
    return WW_OK;
}

static ww_status check(ww_device *device, ww__sort_request *r, const ww_sort_options *options) {
    const ww__sorting *s = &r->of;
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__sort_large_check(device, r, options));
    WW_TRY(check_host(device, "keys", ww__input_memory(&s->keys)));
    WW_TRY(check_host(device, "keys_out", s->keys_out.data));
    if (!s->values.steps) return WW_OK;
    WW_TRY(check_host(device, "values", ww__input_memory(&s->values)));
    return check_host(device, "values_out", s->values_out.data);
}

static uint64_t wanted_chunk(const over *o) {
    uint64_t least = CHUNK_LEAST;
    for (uint32_t k = 0; k < o->many; k++) {
        const ww_device *device = o->worker[k].device;
        if (is_gpu(device) && device->gpu->driver->tiles == WW__TILES_SMALL) least = CHUNK_LEAST_SMALL;
    }
    const uint64_t share = o->r.of.keys.count / ((uint64_t)CHUNKS_EACH * o->many) + 1;
    return share > least ? share : least;
}

static ww_status prepare(worker *w) {
    WW_TRY(check(w->device, &w->r, w->of->options));
    w->chunk = wanted_chunk(w->of);
    return is_gpu(w->device) && w->r.of.keys.count ? ww__large_gpu_hold(w->device, &w->r, w->chunk, &w->chunk) : WW_OK;
}

/* By the keeper, when all are prepared. */
static ww_status share_out(worker *w) {
    over *o = w->of;
    const ww__sorting *s = &w->r.of;
    const size_t each = s->keys.size + (s->values.steps ? s->values.size : 0);
    size_t bytes;
    o->r = w->r;
    o->share = (ww__large_share){.r = &o->r, .chunk = w->chunk, .stop = &o->failed};
    for (uint32_t k = 0; k < o->many; k++) o->share.chunk = ww__min_u64(o->share.chunk, o->worker[k].chunk);
    if (!ww__bytes(s->keys.count, each, &bytes)) return ww__no_memory(w->device, SIZE_MAX);
    return ww__pinned_scratch(w->device, bytes, &o->share.runs);
}

static ww_status make_trip(worker *w, unsigned trip) {
    ww__large_share share = w->of->share;
    share.next = &w->of->next[trip];
    return is_gpu(w->device) ? ww__large_gpu_trip(w->device, &share, trip)
                             : ww__large_cpu_trip(w->device, &share, trip);
}

/* What all do with it, inside of a call of the device's. */
static ww_status work(worker *w) {
    over *o = w->of;
    ww_status status = prepare(w);
    if (!all_go_on(o, status) || !w->r.of.keys.count) return status;
    if (w == &o->worker[o->keeper]) status = share_out(w);
    if (!all_go_on(o, status)) return status;
    status = make_trip(w, 0);
    if (!all_go_on(o, status)) return status;
    return make_trip(w, 1);
}

static void *run(void *argument) {
    worker *w = argument;
    over *o = w->of;
    w->status = ww__enter(w->device, "ww_sort_large_over");
    if (w->status)
        all_go_on(o, w->status);
    else
        w->status = ww__leave(w->device, work(w));
    if (w->status) __atomic_store_n(&o->failed, 1, __ATOMIC_RELAXED);
    return NULL;
}

/* ---- all of them ---- */

static void run_all(over *o) {
    for (uint32_t k = 1; k < o->many; k++) {
        worker *w = &o->worker[k];
        w->started = !pthread_create(&w->thread, NULL, run, w);
        if (w->started) continue;
        w->status = WW_MEMORY;
        __atomic_store_n(&o->failed, 1, __ATOMIC_RELAXED);
        stay_away(&o->meeting);
    }
    run(&o->worker[0]);
    for (uint32_t k = 1; k < o->many; k++)
        if (o->worker[k].started) pthread_join(o->worker[k].thread, NULL);
}

ww_status ww__sort_over_said(ww_device *const *devices, uint32_t k, ww_status failure, const char *said) {
    char sentence[1024];
    if (!k) return failure; /* which has said it */
    snprintf(sentence, sizeof sentence, "%.900s", strncmp(said, "ww_sort_large_over: ", 20) ? said : said + 20);
    const ww_status status = ww__enter(devices[0], "ww_sort_large_over");
    return status ? failure : ww__leave(devices[0], ww__fail(devices[0], failure, "devices[%u]: %s", k, sentence));
}

/* Of the lowest device that failed. */
static ww_status result(const over *o, ww_device *const *devices) {
    uint32_t k = 0;
    while (k < o->many && !o->worker[k].status) k++;
    if (k == o->many) return WW_OK;
    const worker *w = &o->worker[k];
    return ww__sort_over_said(devices, k, w->status,
                              k && !w->started       ? "its thread could not be started"
                              : w->status == WW_BUSY ? ww_status_text(WW_BUSY)
                                                     : ww_error(w->device));
}

static ww_status sort_over(over *o, ww_device *const *devices) {
    meeting *m = &o->meeting;
    m->parties = o->many;
    if (pthread_mutex_init(&m->lock, NULL)) return WW_MEMORY;
    if (pthread_cond_init(&m->all_here, NULL)) {
        pthread_mutex_destroy(&m->lock);
        return WW_MEMORY;
    }
    for (uint32_t k = o->many; k-- > 0;) {
        o->worker[k] = (worker){.of = o, .device = devices[k], .r = o->r};
        if (is_gpu(devices[k])) o->keeper = k;
    }
    run_all(o);
    pthread_cond_destroy(&m->all_here);
    pthread_mutex_destroy(&m->lock);
    return result(o, devices);
}

static ww_status refuse(ww_device *device, const char *what, uint32_t number) {
    const ww_status status = ww__enter(device, "ww_sort_large_over");
    return status ? status : ww__leave(device, ww__fail(device, WW_INVALID, what, number));
}

ww_status ww__sort_over_check(ww_device *const *devices, uint32_t many, const ww__sorting *s,
                              const ww_sort_options *options) {
    ww__sort_request r = {.of = *s};
    if (!devices || !many || !devices[0]) return WW_INVALID;
    if (many > WW_SORT_DEVICES_MOST) return refuse(devices[0], "there are %u devices; at most 64 sort together", many);
    for (uint32_t k = 1; k < many; k++) {
        if (!devices[k]) return refuse(devices[0], "devices[%u] is NULL", k);
        for (uint32_t other = 0; other < k; other++)
            if (devices[k] == devices[other]) return refuse(devices[0], "devices[%u] is among those before it", k);
    }
    WW_TRY(ww__enter(devices[0], "ww_sort_large_over"));
    return ww__leave(devices[0], check(devices[0], &r, options));
}

ww_status ww__sort_over(ww_device *const *devices, uint32_t many, const ww__sorting *s,
                        const ww_sort_options *options) {
    over o = {.r = {.of = *s}, .options = options, .many = many};
    if (many == 1) return ww_sort_large(devices[0], s->keys, s->values, s->keys_out, s->values_out, options);
    return sort_over(&o, devices);
}
