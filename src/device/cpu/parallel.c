/* The pool: threads that are started at the first large call, wait for the next one, and end with the handle.
 *
 * One round: the caller stores the task, offers the worker numbers 1, 2, … (`left` counts them down), wakes threads that sleep, and
 * begins with number 0 at once. A thread that is awake takes a number, runs its part, and takes the next one. When the caller
 * has come to the end of its own part it takes numbers too, so it waits for parts that were begun and never for a thread that is
 * still waking, which takes 50 microseconds and more where processors are virtual. Tasks claim their work in pieces, so
 * such a part is empty as a rule.
 *
 * Threads look for a new round for some microseconds before they sleep, so that calls that follow one another do not pay for
 * waking; they do not where there are more of them than processors, for then others could use the time.
 *
 * After fork the child has none of the threads: it sees that it is not the pool's process and starts its own. */
#include "device/cpu/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "device/cpu/futex.h"
#include "device/cpu/process.h"
#include "device/cpu/spin.h"

typedef struct ww__pool ww__pool;

struct ww__pool {
    /* Atomic: worker numbers of the round that nobody has taken: left, left - 1, … 1. Whoever counts it down has the number that it
     * was, of the round that is under way: there is no other one until that part is done. */
    uint32_t left __attribute__((aligned(64)));
    uint32_t sleeping; /* atomic: threads that sleep until `left` is not 0, or are about to */
    ww__task *task;    /* of the round; NULL: end */
    void *argument;
    uint32_t pending __attribute__((aligned(64))); /* atomic: parts but the caller's own that are not done */
    uint32_t waiting;                              /* atomic: the caller sleeps until that is 0, or is about to */
    uint32_t
        late; /* numbers of the round that are to be offered when it has taken some time; the caller's own, as is: */
    uint64_t alone,
        last; /* how long such rounds, one soon after the other, have lately taken in which nothing was offered; the last's end */
    uint64_t late_since;            /* … when that round began */
    uint64_t due;                   /* … after how long threads that sleep are woken for one, … */
    uint64_t woken;                 /* … when they were; 0: not in this round */
    ww__task *lone;                 /* the last task in which nothing was offered, … */
    uint64_t lone_bytes, lone_time; /* … what it moved, and how long it took */
    uint64_t process;
    bool spins;
    size_t room, started;
    pthread_t threads[];
};

uint32_t ww__usable_threads(void) {
    cpu_set_t set;
    if (!sched_getaffinity(0, sizeof set, &set)) return (uint32_t)CPU_COUNT(&set);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

void ww__turn_wait_long(const ww__turn *turn, uint64_t piece) {
    enum { LOOKS = 2000 };
    for (unsigned looks = 0; __atomic_load_n(&turn->next, __ATOMIC_ACQUIRE) != piece; looks++) {
        if (looks < LOOKS)
            ww__relax();
        else
            sched_yield(); /* more threads than cores: let the one that has the turn run */
    }
}

static uint64_t nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* How long a thread looks at a word before it sleeps: about as long as waking it would take. */
enum { LOOK_NANOSECONDS = 50000, LOOKS_A_TIME = 32 };

/* How long a light call works alone: nanoseconds. What threads share goes from one core's cache to the other's, which costs a call of
 * 30 microseconds half of what they save; waking one costs the caller 10 to 40 microseconds, and the thread comes after 20 to 100.
 * Measured on two cores of an EPYC 9004 in a virtual machine, 2026-11 (bench/results/2026-11-23-cpu-small). */
enum { LATE_AWAKE = 30000, LATE_ASLEEP = 300000 };

/* Where threads were woken for a call in vain, the next ones work alone for twice as long, up to so many times, until waking has been
 * worth it. It was in vain where the same task takes the caller alone no longer; if that is not known, where it was over soon. */
enum { LATE_SOON = 150000, LATE_TIMES = 8 };

/* Whether the word becomes 0, or other than 0, meanwhile. */
static bool comes_soon(const ww__pool *pool, const uint32_t *word, bool zero) {
    uint64_t begin = 0;
    for (unsigned looks = 0;; looks++) {
        if ((__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0) == zero) return true;
        if (!pool->spins) return false;
        if (looks % LOOKS_A_TIME == LOOKS_A_TIME - 1) {
            const uint64_t now = nanoseconds();
            if (!begin)
                begin = now;
            else if (now - begin > LOOK_NANOSECONDS)
                return false;
        }
        ww__relax();
    }
}

/* A number of the round's that nobody has taken, or 0. */
static uint32_t take_number(ww__pool *pool) {
    uint32_t left = __atomic_load_n(&pool->left, __ATOMIC_RELAXED);
    while (left)
        if (__atomic_compare_exchange_n(&pool->left, &left, left - 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return left;
    return 0;
}

/* The caller counts itself waiting and then looks at `pending`, a thread counts `pending` down and then looks whether somebody
 * waits: one of them sees the other, as these are all in one order (SEQ_CST). The same holds of `sleeping` and `left`. */
static void part_done(ww__pool *pool) {
    if (__atomic_sub_fetch(&pool->pending, 1, __ATOMIC_SEQ_CST) == 0 &&
        __atomic_load_n(&pool->waiting, __ATOMIC_SEQ_CST))
        ww__futex_wake(&pool->pending, 1);
}

static void wait_for_round(ww__pool *pool) {
    /* One that has come too late for the round that it was woken for looks for the next. */
    while (!comes_soon(pool, &pool->left, false)) {
        __atomic_add_fetch(&pool->sleeping, 1, __ATOMIC_SEQ_CST);
        if (!__atomic_load_n(&pool->left, __ATOMIC_SEQ_CST)) ww__futex_sleep(&pool->left, 0);
        __atomic_sub_fetch(&pool->sleeping, 1, __ATOMIC_SEQ_CST);
    }
}

static void *run_thread(void *argument) {
    ww__pool *pool = argument;
    for (;;) {
        const uint32_t number = take_number(pool);
        if (!number) {
            wait_for_round(pool);
        } else {
            ww__task *const task = pool->task;
            if (task) task(pool->argument, number);
            part_done(pool);
            if (!task) return NULL;
        }
    }
}

static size_t awake(const ww__pool *pool) { return pool->started - __atomic_load_n(&pool->sleeping, __ATOMIC_SEQ_CST); }

static void offer(ww__pool *pool, uint32_t numbers) {
    __atomic_store_n(&pool->pending, numbers, __ATOMIC_RELAXED);
    __atomic_store_n(&pool->left, numbers, __ATOMIC_SEQ_CST);
    const size_t looking = awake(pool);
    if (looking < pool->started && looking < numbers) ww__futex_wake(&pool->left, numbers - (uint32_t)looking);
}

/* `late`: nothing is offered yet (ww__offer_late). */
static void begin_round(ww__pool *pool, size_t workers, ww__task *task, void *argument, bool late) {
    pool->task = task;
    pool->argument = argument;
    pool->late = late ? (uint32_t)(workers - 1) : 0;
    if (late)
        pool->late_since = nanoseconds();
    else
        offer(pool, (uint32_t)(workers - 1));
}

void ww__offer_late(const ww_device *device) {
    ww__pool *pool = device->pool;
    if (!pool || !pool->late) return;
    /* Calls that follow one another pay for waking together: the threads stay awake between them then. */
    const bool asleep = !awake(pool);
    const uint64_t now = nanoseconds();
    if (now - pool->late_since < (!asleep || pool->alone > pool->due ? LATE_AWAKE : pool->due)) return;
    if (asleep) pool->woken = now;
    offer(pool, pool->late);
    pool->alone = 0;
    pool->late = 0;
}

static void end_round(ww__pool *pool) {
    if (!comes_soon(pool, &pool->pending, true)) {
        __atomic_store_n(&pool->waiting, 1, __ATOMIC_SEQ_CST);
        for (uint32_t pending; (pending = __atomic_load_n(&pool->pending, __ATOMIC_SEQ_CST)) != 0;)
            ww__futex_sleep(&pool->pending, pending);
        __atomic_store_n(&pool->waiting, 0, __ATOMIC_RELAXED);
    }
}

static size_t pool_bytes(size_t room) { return sizeof(ww__pool) + room * sizeof(pthread_t); }

/* Starts the pool's threads; as many as the system gives. */
static void start_threads(ww__pool *pool) {
    pool->left = pool->sleeping = pool->pending = pool->waiting = pool->late = 0;
    pool->alone = pool->last = pool->woken = 0;
    pool->due = LATE_ASLEEP;
    pool->lone = NULL;
    pool->process = ww__process();
    pool->spins = pool->room < ww__usable_threads();
    for (pool->started = 0; pool->started < pool->room; pool->started++)
        if (pthread_create(&pool->threads[pool->started], NULL, run_thread, pool)) break;
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

size_t ww__pool_start(ww_device *device) {
    const ww__pool *pool = device->threads > 1 ? ready_pool(device) : NULL;
    return 1 + (pool ? pool->started : 0);
}

size_t ww__workers(const ww_device *device, uint64_t bytes) { return bytes < WW__SERIAL_BYTES ? 1 : device->threads; }

size_t ww__workers_light(ww_device *device, uint64_t bytes) {
    const size_t most = ww__workers(device, bytes);
    if (most == 1 || bytes >= WW__WAKING_BYTES || device->executor.run || device->on_paper) return most;
    if (bytes < device->light_bytes) return 1;
    const size_t looking = device->pool ? awake(device->pool) : 0;
    return looking || !device->light_bytes ? most : 1;
}

static void judge_waking(ww__pool *pool, ww__task *task, uint64_t bytes) {
    const uint64_t now = nanoseconds(), time = now - pool->late_since;
    const bool known = pool->lone == task && pool->lone_bytes == bytes;
    const bool in_vain = known ? time > pool->lone_time - pool->lone_time / 8 : now - pool->woken < LATE_SOON;
    pool->due = in_vain ? ww__min_u64(2 * pool->due, LATE_TIMES * LATE_ASLEEP) : LATE_ASLEEP;
    pool->woken = 0;
}

/* Whether no part of a round is being run by another thread, as it may be where a task of several workers has one of its own. */
static bool is_idle(const ww_device *device) {
    return !device->executor.run && !(device->pool && __atomic_load_n(&device->pool->pending, __ATOMIC_ACQUIRE));
}

/* bytes: of a light task; 0: it is none. */
static void parallel(ww_device *device, size_t workers, ww__task *task, void *argument, uint64_t bytes) {
    if (device->on_paper) return;
    if (workers <= 1) {
        const bool alone = is_idle(device);
        if (alone) device->alone = true;
        task(argument, 0);
        if (alone) device->alone = false;
        return;
    }
    device->alone = false;
    if (device->executor.run) {
        device->executor.run(device->executor.context, workers, task, argument);
        return;
    }
    ww__pool *pool = ready_pool(device);
    if (!pool || !pool->started) {
        for (size_t w = 0; w < workers; w++) task(argument, w);
        return;
    }
    begin_round(pool, workers, task, argument, bytes && device->light_bytes);
    task(argument, 0);
    if (pool->late) { /* it was over before anything was offered */
        pool->late = 0;
        for (size_t w = 1; w < workers; w++) task(argument, w);
        const uint64_t end = nanoseconds();
        if (pool->late_since - pool->last > LOOK_NANOSECONDS) pool->alone = 0;
        pool->alone += end - pool->late_since;
        pool->last = end;
        pool->lone = task;
        pool->lone_bytes = bytes;
        pool->lone_time = end - pool->late_since;
        return;
    }
    for (uint32_t number; (number = take_number(pool)) != 0; part_done(pool)) task(argument, number);
    end_round(pool);
    if (pool->woken) judge_waking(pool, task, bytes);
}

void ww__parallel(ww_device *device, size_t workers, ww__task *task, void *argument) {
    parallel(device, workers, task, argument, 0);
}

void ww__parallel_light(ww_device *device, size_t workers, uint64_t bytes, ww__task *task, void *argument) {
    parallel(device, workers, task, argument, bytes < WW__WAKING_BYTES ? bytes : 0);
}

uint32_t ww__pool_started(const ww_device *device) {
    return device->pool && device->pool->process == ww__process() ? (uint32_t)device->pool->started : 0;
}

void ww__pool_close(ww_device *device) {
    ww__pool *pool = device->pool;
    if (!pool) return;
    if (pool->process == ww__process() && pool->started) {
        begin_round(pool, pool->started + 1, NULL, NULL, false);
        for (size_t t = 0; t < pool->started; t++) pthread_join(pool->threads[t], NULL);
    }
    ww__release(device, pool, pool_bytes(pool->room));
    device->pool = NULL;
}
