/* The pool: threads that are started at the first large call, wait for the next one, and end with the handle.
 *
 * One round: the caller stores the task, adds one to `round` (release) and wakes sleepers; every thread that sees a new
 * round runs its part and counts itself done; the caller runs part 0 and those that no thread could be started for, then
 * waits until all are done. Threads look for a new round for some microseconds before they sleep, so that calls that
 * follow one another do not pay for waking.
 *
 * After fork the child has none of the threads: it sees that it is not the pool's process and starts its own. */
#include "device/cpu/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "device/cpu/process.h"
#include "device/cpu/spin.h"

typedef struct ww__pool ww__pool;

typedef struct pool_thread {
    ww__pool *pool;
    pthread_t thread;
    size_t number; /* its worker number: 1, 2, … */
} pool_thread;

struct ww__pool {
    pthread_mutex_t lock; /* guards sleeping and waking only */
    pthread_cond_t wake, finished;
    uint64_t process;
    uint64_t round; /* atomic */
    size_t done;    /* atomic: threads that have finished the round */
    size_t workers; /* of the round */
    ww__task *task; /* NULL: end */
    void *argument;
    size_t room, started;
    pool_thread threads[];
};

enum { LOOKS = 2000 }; /* before sleeping */

uint32_t ww__usable_threads(void) {
    cpu_set_t set;
    if (!sched_getaffinity(0, sizeof set, &set)) return (uint32_t)CPU_COUNT(&set);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

void ww__turn_wait_long(const ww__turn *turn, uint64_t piece) {
    for (unsigned looks = 0; __atomic_load_n(&turn->next, __ATOMIC_ACQUIRE) != piece; looks++) {
        if (looks < LOOKS)
            ww__relax();
        else
            sched_yield(); /* more threads than cores: let the one that has the turn run */
    }
}

static void wait_for_round(ww__pool *pool, uint64_t seen) {
    for (unsigned looks = 0; looks < LOOKS; looks++) {
        if (__atomic_load_n(&pool->round, __ATOMIC_ACQUIRE) != seen) return;
        ww__relax();
    }
    pthread_mutex_lock(&pool->lock);
    while (__atomic_load_n(&pool->round, __ATOMIC_ACQUIRE) == seen) pthread_cond_wait(&pool->wake, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static void *run_thread(void *argument) {
    pool_thread *me = argument;
    ww__pool *pool = me->pool;
    for (uint64_t seen = 0;; seen++) {
        wait_for_round(pool, seen);
        ww__task *const task = pool->task;
        if (!task) return NULL;
        if (me->number < pool->workers) task(pool->argument, me->number);
        const size_t all = pool->started;
        if (__atomic_add_fetch(&pool->done, 1, __ATOMIC_ACQ_REL) == all) {
            pthread_mutex_lock(&pool->lock);
            pthread_cond_signal(&pool->finished);
            pthread_mutex_unlock(&pool->lock);
        }
    }
}

static void begin_round(ww__pool *pool, size_t workers, ww__task *task, void *argument) {
    pool->workers = workers;
    pool->task = task;
    pool->argument = argument;
    __atomic_store_n(&pool->done, 0, __ATOMIC_RELAXED);
    pthread_mutex_lock(&pool->lock);
    __atomic_add_fetch(&pool->round, 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
}

static void end_round(ww__pool *pool) {
    for (unsigned looks = 0; looks < LOOKS; looks++) {
        if (__atomic_load_n(&pool->done, __ATOMIC_ACQUIRE) == pool->started) return;
        ww__relax();
    }
    pthread_mutex_lock(&pool->lock);
    while (__atomic_load_n(&pool->done, __ATOMIC_ACQUIRE) != pool->started)
        pthread_cond_wait(&pool->finished, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static size_t pool_bytes(size_t room) { return sizeof(ww__pool) + room * sizeof(pool_thread); }

/* Makes the pool's locks and starts its threads; as many as the system gives. */
static void start_threads(ww__pool *pool) {
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->finished, NULL);
    pool->process = ww__process();
    pool->round = 0;
    pool->started = 0;
    /* A thread reads `started` only inside a round, after all of this. */
    size_t started = 0;
    for (; started < pool->room; started++) {
        pool_thread *t = &pool->threads[started];
        *t = (pool_thread){pool, 0, started + 1};
        if (pthread_create(&t->thread, NULL, run_thread, t)) break;
    }
    pool->started = started;
}

/* The pool with its threads running, or NULL when there is no memory for it: then the caller does all the work. */
static ww__pool *ready_pool(ww_device *device) {
    if (device->pool && device->pool->process == ww__process()) return device->pool;
    if (!device->pool) {
        const size_t room = device->threads - 1;
        ww__pool *pool = ww__allocate(device, pool_bytes(room), 64);
        if (!pool) return NULL;
        pool->room = room;
        device->pool = pool;
    }
    start_threads(device->pool);
    return device->pool;
}

size_t ww__workers(const ww_device *device, uint64_t bytes) { return bytes < WW__SERIAL_BYTES ? 1 : device->threads; }

void ww__parallel(ww_device *device, size_t workers, ww__task *task, void *argument) {
    if (device->on_paper) return;
    if (workers <= 1) {
        task(argument, 0);
        return;
    }
    if (device->executor.run) {
        device->executor.run(device->executor.context, workers, task, argument);
        return;
    }
    ww__pool *pool = ready_pool(device);
    const size_t started = pool ? pool->started : 0;
    if (started) begin_round(pool, workers, task, argument);
    task(argument, 0);
    for (size_t w = started + 1; w < workers; w++) task(argument, w);
    if (started) end_round(pool);
}

uint32_t ww__pool_started(const ww_device *device) {
    return device->pool && device->pool->process == ww__process() ? (uint32_t)device->pool->started : 0;
}

void ww__pool_close(ww_device *device) {
    ww__pool *pool = device->pool;
    if (!pool) return;
    if (pool->process == ww__process()) {
        begin_round(pool, 0, NULL, NULL);
        for (size_t t = 0; t < pool->started; t++) pthread_join(pool->threads[t].thread, NULL);
        pthread_cond_destroy(&pool->wake);
        pthread_cond_destroy(&pool->finished);
        pthread_mutex_destroy(&pool->lock);
    }
    ww__release(device, pool, pool_bytes(pool->room));
    device->pool = NULL;
}
