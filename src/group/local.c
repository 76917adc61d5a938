/* The engine whose ranks are threads of one process.
 *
 * Where all ranks are GPUs, of one driver, blocks lie in their memory, and the copies go from GPU to GPU.
 *
 * Every exchange and gather of a rank is posted in a ring beside the ranks' own, under its number: all ranks make them in the same
 * order. A rank that waits takes from each other rank's posting of that number what is its own, by a copy, and then waits until
 * all others have taken theirs from it. What is posted is seen under the hub's lock, copies are made without it. A rank that gives up
 * posts nothing more, and returns only when nobody copies from its memory: whoever copies looks at `given_up` between pieces.
 *
 * One more operation is for groups alone, where all ranks have GPUs: memory is lent, on which the others' kernels work. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/gpu/gpu.h"
#include "group/group.h"
#include "group/local.h"

typedef unsigned long long ull;

enum {
    POSTINGS = 32,    /* that a rank may have under way */
    PIECE = 1 << 20,  /* bytes copied between two looks at whether the group has been given up */
    BESIDE = 1 << 20, /* bytes from which on copies go beside work, two at a time: each takes its time to begin */
    PATIENCE_US = 200 /* how long a rank with a GPU looks again and again before it sleeps */
};
#define NOBODY UINT32_MAX

typedef struct posting { /* an exchange, or a gather: `bytes` at send, to each rank */
    const unsigned char *send;
    const uint64_t *send_at, *send_bytes; /* NULL for a gather */
    unsigned char *receive;
    const uint64_t *receive_at, *receive_bytes;
    size_t bytes;
    ww__visit *visit; /* of memory that is lent, which `send` says something of; else NULL */
    void *visitor;
    bool on_device; /* one side is a GPU's memory */
    uint32_t taken; /* by so many ranks */
} posting;

typedef struct hub hub;

typedef struct place { /* the k-th rank's part of an operation */
    uint64_t number;
    uint32_t k;
} place;

typedef struct rank { /* all of it under the hub's lock but ring's content, which is under it only where it is posted */
    hub *of;
    uint32_t number;
    pthread_cond_t changed; /* what it waits for may be there */
    uint32_t waits_for;     /* the rank whose posting it waits for; NOBODY; itself: for others to take its own */
    uint64_t posted, done;  /* operations; those from done on are under way */
    uint32_t readers;       /* ranks that copy from its memory now */
    bool left;              /* it gave up, or closed */
    ww_device *device;      /* its group's, from opening on */
    bool on_devices;        /* all ranks are GPUs of one driver */
    bool reaches;           /* this one's kernels reach all others' memory */
    bool beside;            /* copies that have been queued since this rank last settled went beside its work */
    place settled;          /* what was taken before this is done, and others know it */
    bool turns[2];          /* of large copies from others, and from itself, the next goes on the other stream */
    bool may_spin, patient; /* it has a processor to wait with; it has not waited in vain for what it waits for */
    posting ring[POSTINGS];
} rank;

struct hub {
    pthread_mutex_t lock;
    uint32_t ranks, open;
    bool given_up;   /* atomic where it is read without the lock, */
    uint32_t events; /* as is how often anything changed that a rank may wait for */
    char why[WW_ENGINE_WHY];
    rank rank[];
};

static void say(char *why, const char *sentence) { snprintf(why, WW_ENGINE_WHY, "%.*s", WW_ENGINE_WHY - 1, sentence); }

/* With the lock. */
static void tell(hub *h) { __atomic_fetch_add(&h->events, 1, __ATOMIC_RELEASE); }

/* With the lock: the group is of no more use, and everybody who waits is to see it. */
static void give_up(hub *h, const char *why) {
    if (h->given_up) return;
    say(h->why, why);
    __atomic_store_n(&h->given_up, true, __ATOMIC_RELAXED);
    tell(h);
    for (uint32_t r = 0; r < h->ranks; r++) pthread_cond_signal(&h->rank[r].changed);
}

/* Without the lock, on memory that nobody changes before `readers` says so. False where the group was given up meanwhile. */
static bool copy(const hub *h, unsigned char *to, const unsigned char *from, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += PIECE) {
        if (__atomic_load_n(&h->given_up, __ATOMIC_RELAXED)) return false;
        memcpy(to + at, from + at, (size_t)ww__min_u64(PIECE, bytes - at));
    }
    return true;
}

/* ---- waiting ---- */

static struct timespec deadline_in(uint64_t limit_ms) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    const uint64_t most = (uint64_t)1000 * 3600 * 24 * 365 * 100; /* a century is for ever */
    const uint64_t ms = ww__min_u64(limit_ms, most) + (uint64_t)at.tv_nsec / 1000000;
    at.tv_sec += (time_t)(ms / 1000);
    at.tv_nsec = (long)(ms % 1000) * 1000000 + at.tv_nsec % 1000000;
    return at;
}

/* Without the lock: whether something changed soon. */
static bool spin(const hub *h, uint32_t seen) {
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        for (int looks = 0; looks < 64; looks++)
            if (__atomic_load_n(&h->events, __ATOMIC_ACQUIRE) != seen) return true;
        sched_yield();
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 < PATIENCE_US);
    return false;
}

/* With the lock, which is given away meanwhile: false when the time is up; true where it is worth while to look again. */
static bool wait_for(rank *me, uint32_t other, const struct timespec *deadline) {
    if (me->may_spin && me->patient) {
        const uint32_t seen = me->of->events;
        pthread_mutex_unlock(&me->of->lock);
        me->patient = spin(me->of, seen);
        pthread_mutex_lock(&me->of->lock);
        return true;
    }
    me->patient = true;
    me->waits_for = other;
    const int failed = pthread_cond_timedwait(&me->changed, &me->of->lock, deadline);
    me->waits_for = NOBODY;
    return failed != ETIMEDOUT;
}

/* With the lock: rank `other` has posted operation `number`, or the group is given up (LOST). */
static ww_status await_posting(rank *me, uint32_t other, uint64_t number, const struct timespec *deadline,
                               uint64_t limit_ms) {
    hub *h = me->of;
    char why[WW_ENGINE_WHY];
    while (!h->given_up && h->rank[other].posted <= number) {
        if (h->rank[other].left) {
            snprintf(why, sizeof why, "rank %u has left the group", other);
            give_up(h, why);
        } else if (!wait_for(me, other, deadline) && h->rank[other].posted <= number) {
            snprintf(why, sizeof why, "rank %u did not arrive within %llu ms", other, (ull)limit_ms);
            give_up(h, why);
        }
    }
    return h->given_up ? WW_LOST : WW_OK;
}

/* ---- copying ---- */

static uint64_t bytes_from(const posting *mine, uint32_t other) {
    return mine->send_at ? mine->receive_bytes[other] : mine->bytes;
}

/* With the lock: whether the other brings what this rank awaits. */
static ww_status compare(rank *me, uint32_t other, uint64_t number) {
    const posting *mine = &me->ring[number % POSTINGS], *theirs = &me->of->rank[other].ring[number % POSTINGS];
    const uint64_t bytes = bytes_from(mine, other);
    const uint64_t brought = theirs->send_at ? theirs->send_bytes[me->number] : theirs->bytes;
    char why[WW_ENGINE_WHY];
    if (bytes == brought && !mine->send_at == !theirs->send_at && !mine->visit == !theirs->visit) return WW_OK;
    snprintf(why, sizeof why, "rank %u sends %llu bytes to rank %u, which expects %llu", other, (ull)brought,
             me->number, (ull)bytes);
    give_up(me->of, why);
    return WW_LOST;
}

/* Whether this rank's part of the other's posting is the driver's, which queues it. */
static bool is_queued(const rank *me, uint32_t other, uint64_t number) {
    const posting *mine = &me->ring[number % POSTINGS], *theirs = &me->of->rank[other].ring[number % POSTINGS];
    if (mine->visit) return other != me->number;
    return (mine->on_device || theirs->on_device) && bytes_from(mine, other);
}

static ww_status queue(rank *me, bool own, void *to, const void *from, uint64_t bytes) {
    ww__driver *driver = me->device->gpu->driver;
    const ww__aside aside = own == me->turns[own] ? WW__ASIDE_OUT : WW__ASIDE_IN; /* one of each where there are two */
    ww__gpu_enter(me->device);
    const bool beside = bytes >= BESIDE;
    if (beside) {
        me->turns[own] = !me->turns[own];
        me->beside = true;
    }
    const ww_status status = beside ? driver->copy_aside(driver, aside, to, from, (size_t)bytes)
                                    : driver->copy(driver, to, from, (size_t)bytes);
    ww__gpu_leave(me->device);
    return status;
}

/* With the lock: this rank is done with the other's posting. */
static void mark(rank *me, uint32_t other, uint64_t number) {
    hub *h = me->of;
    rank *from = &h->rank[other];
    posting *theirs = &from->ring[number % POSTINGS];
    theirs->taken++;
    tell(h);
    if (from->waits_for == from->number && (h->given_up || theirs->taken == h->ranks))
        pthread_cond_signal(&from->changed);
}

/* With the lock, which is given away while it copies: this rank's part of the other's posting. Whether it
 * was queued, and is not done yet. */
static bool take(rank *me, uint32_t other, uint64_t number) {
    hub *h = me->of;
    rank *from = &h->rank[other];
    const posting *mine = &me->ring[number % POSTINGS], *theirs = &from->ring[number % POSTINGS];
    const bool gather = !mine->send_at, queued = is_queued(me, other, number);
    const uint64_t bytes = bytes_from(mine, other);
    ww_status status = WW_OK;
    if (mine->visit && queued) {
        from->readers++;
        pthread_mutex_unlock(&h->lock);
        mine->visit(mine->visitor, theirs->send);
        pthread_mutex_lock(&h->lock);
        return true;
    }
    if (bytes) {
        const unsigned char *source = theirs->send + (gather ? 0 : theirs->send_at[me->number]);
        unsigned char *to = mine->receive + (gather ? bytes * other : mine->receive_at[other]);
        from->readers++;
        pthread_mutex_unlock(&h->lock);
        if (queued)
            status = queue(me, other == me->number, to, source, bytes);
        else
            copy(h, to, source, bytes);
        pthread_mutex_lock(&h->lock);
        if (status) give_up(h, me->device->gpu->driver->why);
        if (queued) return true;
        from->readers--;
    }
    mark(me, other, number);
    return false;
}

/* In the order in which a rank takes, from itself on, so that not all begin with the same. */
static uint32_t next_of(const rank *me, uint32_t k) { return (uint32_t)(((uint64_t)me->number + k) % me->of->ranks); }
static place behind(const rank *me, place at) {
    return at.k + 1 < me->of->ranks ? (place){at.number, at.k + 1} : (place){at.number + 1, 0};
}

static bool is_before(place at, uint64_t number, uint32_t k) {
    return at.number < number || (at.number == number && at.k < k);
}

/* With the lock, which is given away meanwhile: all that was queued before the k-th of operation `number` is done, and others are told. */
static void settle(rank *me, uint64_t number, uint32_t k) {
    hub *h = me->of;
    ww__driver *driver = me->on_devices ? me->device->gpu->driver : NULL;
    bool any = false;
    for (place at = me->settled; is_before(at, number, k); at = behind(me, at))
        any |= is_queued(me, next_of(me, at.k), at.number);
    if (any && driver) {
        pthread_mutex_unlock(&h->lock);
        ww__gpu_enter(me->device);
        ww_status status = me->beside ? driver->meet(driver) : WW_OK;
        me->beside = false;
        const ww_status synced = driver->sync(driver);
        if (!status) status = synced;
        ww__gpu_leave(me->device);
        pthread_mutex_lock(&h->lock);
        if (status) give_up(h, driver->why);
    }
    for (place *at = &me->settled; is_before(*at, number, k); *at = behind(me, *at)) {
        const uint32_t other = next_of(me, at->k);
        if (!is_queued(me, other, at->number)) continue;
        h->rank[other].readers--;
        mark(me, other, at->number);
    }
}

/* With the lock: all ranks have posted operation `number`. So visits to all of them are settled together: the last one may queue what works on
 * the memory of all. */
static ww_status await_all(rank *me, uint64_t number, const struct timespec *deadline, uint64_t limit_ms) {
    hub *h = me->of;
    ww_status status = WW_OK;
    settle(me, number, 0);
    for (uint32_t r = 0; r < h->ranks && !status; r++) status = await_posting(me, r, number, deadline, limit_ms);
    return status;
}

/* With the lock: takes this rank's parts of one operation. Copies that a GPU's driver has queued go on while more is queued, as long as
 * nobody is waited for. */
static ww_status take_all(rank *me, uint64_t number, const struct timespec *deadline, uint64_t limit_ms) {
    hub *h = me->of;
    ww_status status = me->ring[number % POSTINGS].visit ? await_all(me, number, deadline, limit_ms) : WW_OK;
    for (uint32_t k = 0; k < h->ranks && !status; k++) {
        const uint32_t other = next_of(me, k);
        if (h->rank[other].posted <= number) settle(me, number, k);
        status = await_posting(me, other, number, deadline, limit_ms);
        if (!status) status = compare(me, other, number);
        if (status) {
            settle(me, number, k);
        } else {
            /* what was not queued is never looked at again: the other may already have put something else in its place */
            const bool first = me->settled.number == number && me->settled.k == k;
            if (!take(me, other, number) && first) me->settled = behind(me, me->settled);
            if (h->given_up) {
                settle(me, number, k + 1);
                status = WW_LOST;
            }
        }
    }
    return status;
}

/* With the lock: all others have what is theirs of this rank's operation. */
static ww_status await_taken(rank *me, uint64_t number, const struct timespec *deadline, uint64_t limit_ms) {
    hub *h = me->of;
    const posting *mine = &me->ring[number % POSTINGS];
    while (!h->given_up && mine->taken < h->ranks)
        if (!wait_for(me, me->number, deadline) && mine->taken < h->ranks) {
            char why[WW_ENGINE_WHY];
            snprintf(why, sizeof why, "what rank %u sends was not taken within %llu ms", me->number, (ull)limit_ms);
            give_up(h, why);
        }
    return h->given_up ? WW_LOST : WW_OK;
}

/* With the lock: nobody reads this rank's memory any more, nor will. */
static void retire(rank *me) {
    me->left = true;
    tell(me->of);
    while (me->readers) {
        me->waits_for = me->number;
        pthread_cond_wait(&me->changed, &me->of->lock);
        me->waits_for = NOBODY;
    }
}

/* ---- the five functions ---- */

static ww_status post(rank *me, const posting *p, char *why) {
    hub *h = me->of;
    ww_status status = WW_OK;
    pthread_mutex_lock(&h->lock);
    if (h->given_up || me->left) {
        say(why, h->why);
        status = WW_LOST;
    } else if (me->posted - me->done == POSTINGS) {
        say(why, "too many exchanges and gathers are under way");
        status = WW_LOST;
    } else {
        me->ring[me->posted % POSTINGS] = *p;
        me->posted++;
        tell(h);
        for (uint32_t r = 0; r < h->ranks; r++)
            if (h->rank[r].waits_for == me->number && r != me->number) pthread_cond_signal(&h->rank[r].changed);
    }
    pthread_mutex_unlock(&h->lock);
    return status;
}

static bool is_a_devices(const rank *me, const void *memory) {
    ww__driver *driver = me->device->gpu->driver;
    ww__gpu_enter(me->device);
    const bool is = driver->place(driver, memory) == WW__PLACE_DEVICE;
    ww__gpu_leave(me->device);
    return is;
}

static ww_status local_exchange(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes,
                                void *receive, const uint64_t *receive_at, const uint64_t *receive_bytes, char *why) {
    const rank *me = state;
    const posting p = {.on_device = me->on_devices && (is_a_devices(me, send) || is_a_devices(me, receive)),
                       .send = send,
                       .send_at = send_at,
                       .send_bytes = send_bytes,
                       .receive = receive,
                       .receive_at = receive_at,
                       .receive_bytes = receive_bytes};
    return post(state, &p, why);
}

static ww_status local_gather(void *state, const void *mine, size_t bytes, void *all, char *why) {
    const posting p = {.send = mine, .receive = all, .bytes = bytes};
    return post(state, &p, why);
}

static ww_status local_wait(void *state, uint64_t limit_ms, char *why) {
    rank *me = state;
    const struct timespec deadline = deadline_in(limit_ms);
    ww_status status = WW_OK;
    pthread_mutex_lock(&me->of->lock);
    for (uint64_t k = me->done; k < me->posted && !status; k++) status = take_all(me, k, &deadline, limit_ms);
    if (!status) settle(me, me->posted, 0);
    while (!status && me->done < me->posted) {
        status = await_taken(me, me->done, &deadline, limit_ms);
        if (!status) me->done++;
    }
    if (status) {
        say(why, me->of->why);
        retire(me);
    }
    pthread_mutex_unlock(&me->of->lock);
    return status;
}

static void local_abort(void *state) {
    rank *me = state;
    char why[WW_ENGINE_WHY];
    pthread_mutex_lock(&me->of->lock);
    if (!me->left) {
        snprintf(why, sizeof why, "rank %u gave up", me->number);
        give_up(me->of, why);
        retire(me);
    }
    pthread_mutex_unlock(&me->of->lock);
}

static void hub_free(hub *h, uint32_t conditions) {
    for (uint32_t r = 0; r < conditions; r++) pthread_cond_destroy(&h->rank[r].changed);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

static void local_close(void *state) {
    rank *me = state;
    hub *h = me->of;
    char why[WW_ENGINE_WHY];
    pthread_mutex_lock(&h->lock);
    if (me->done < me->posted && !h->given_up) {
        snprintf(why, sizeof why, "rank %u closed in the middle of its work", me->number);
        give_up(h, why);
    }
    retire(me);
    for (uint32_t r = 0; r < h->ranks; r++)
        if (h->rank[r].waits_for == me->number && r != me->number) pthread_cond_signal(&h->rank[r].changed);
    const bool last = !--h->open;
    pthread_mutex_unlock(&h->lock);
    if (last) hub_free(h, h->ranks);
}

/* ---- what a group does when it opens ---- */

void ww__local_device(const ww_engine *engine, ww_device *device) {
    if (engine->exchange == local_exchange) ((rank *)engine->state)->device = device;
}

bool ww__local_on_devices(ww_engine *engine) {
    rank *me = engine->state;
    if (engine->exchange != local_exchange || !me->device->gpu) return false;
    ww__driver *driver = me->device->gpu->driver;
    ww__gpu_enter(me->device);
    me->reaches = true;
    for (uint32_t r = 0; driver->reach && r < engine->ranks; r++)
        if (r != me->number && !driver->reach(driver, me->of->rank[r].device->gpu->driver)) me->reaches = false;
    ww__gpu_leave(me->device);
    engine->memory = WW_ENGINE_ANY;
    me->on_devices = true;
    me->may_spin = me->patient = driver->tiles == WW__TILES_GPU;
    return true;
}

/* ---- what groups do beyond the five functions ---- */

bool ww__local_lends(const ww_engine *engine) {
    return engine->exchange == local_exchange && ((const rank *)engine->state)->reaches;
}

ww_status ww__local_lend(const ww_engine *engine, const void *mine, ww__visit *visit, void *visitor, char *why) {
    const posting p = {.send = mine, .visit = visit, .visitor = visitor};
    return post(engine->state, &p, why);
}

bool ww__local_has_devices(const ww_engine *engine) {
    return engine->exchange == local_exchange && ((const rank *)engine->state)->on_devices;
}

ww_status ww_engines_local(uint32_t ranks, ww_engine *engines) {
    pthread_condattr_t clock;
    if (!engines || ranks < 1 || ranks > WW_RANKS_MOST) return WW_INVALID;
    hub *h = calloc(1, sizeof *h + ranks * sizeof h->rank[0]);
    if (!h) return WW_MEMORY;
    h->ranks = h->open = ranks;
    pthread_mutex_init(&h->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    for (uint32_t r = 0; r < ranks; r++) {
        rank *me = &h->rank[r];
        *me = (rank){.of = h, .number = r, .waits_for = NOBODY};
        pthread_cond_init(&me->changed, &clock);
        engines[r] = (ww_engine){.size = sizeof(ww_engine),
                                 .state = me,
                                 .rank = r,
                                 .ranks = ranks,
                                 .memory = WW_ENGINE_HOST,
                                 .exchange = local_exchange,
                                 .gather = local_gather,
                                 .wait = local_wait,
                                 .abort = local_abort,
                                 .close = local_close};
    }
    pthread_condattr_destroy(&clock);
    return WW_OK;
}
