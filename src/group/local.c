/* The engine whose ranks are threads of one process.
 *
 * Every exchange and gather of a rank is posted in a ring beside the ranks' own, under its number: all ranks make them in the same
 * order. A rank that waits takes from each other rank's posting of that number what is its own, by a copy, and then waits until
 * all others have taken theirs from it. What is posted is seen under the hub's lock, copies are made without it. A rank that gives up
 * posts nothing more, and returns only when nobody copies from its memory: whoever copies looks at `given_up` between pieces. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "group/group.h"

typedef unsigned long long ull;

enum {
    POSTINGS = 32,  /* that a rank may have under way */
    PIECE = 1 << 20 /* bytes copied between two looks at whether the group has been given up */
};
#define NOBODY UINT32_MAX

typedef struct posting { /* an exchange, or a gather: `bytes` at send, to each rank */
    const unsigned char *send;
    const uint64_t *send_at, *send_bytes; /* NULL for a gather */
    unsigned char *receive;
    const uint64_t *receive_at, *receive_bytes;
    size_t bytes;
    uint32_t taken; /* by so many ranks */
} posting;

typedef struct hub hub;

typedef struct rank { /* all of it under the hub's lock but ring's content, which is under it only where it is posted */
    hub *of;
    uint32_t number;
    pthread_cond_t changed; /* what it waits for may be there */
    uint32_t waits_for;     /* the rank whose posting it waits for; NOBODY; itself: for others to take its own */
    uint64_t posted, done;  /* operations; those from done on are under way */
    uint32_t readers;       /* ranks that copy from its memory now */
    bool left;              /* it gave up, or closed */
    posting ring[POSTINGS];
} rank;

struct hub {
    pthread_mutex_t lock;
    uint32_t ranks, open;
    bool given_up; /* atomic where it is read without the lock */
    char why[WW_ENGINE_WHY];
    rank rank[];
};

static void say(char *why, const char *sentence) { snprintf(why, WW_ENGINE_WHY, "%s", sentence); }

/* With the lock: the group is of no more use, and everybody who waits is to see it. */
static void give_up(hub *h, const char *why) {
    if (h->given_up) return;
    say(h->why, why);
    __atomic_store_n(&h->given_up, true, __ATOMIC_RELAXED);
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

/* With the lock, which is given away meanwhile: false when the time is up. */
static bool wait_for(rank *me, uint32_t other, const struct timespec *deadline) {
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
            snprintf(why, sizeof why, "rank %u did not come within %llu ms", other, (ull)limit_ms);
            give_up(h, why);
        }
    }
    return h->given_up ? WW_LOST : WW_OK;
}

/* With the lock, which is given away while it copies: this rank's part of the other's posting. */
static ww_status take(rank *me, uint32_t other, uint64_t number) {
    hub *h = me->of;
    rank *from = &h->rank[other];
    posting *theirs = &from->ring[number % POSTINGS];
    const posting *mine = &me->ring[number % POSTINGS];
    const bool gather = !mine->send_at;
    const uint64_t bytes = gather ? mine->bytes : mine->receive_bytes[other];
    const uint64_t brought = !theirs->send_at ? theirs->bytes : theirs->send_bytes[me->number];
    if (bytes != brought || gather != !theirs->send_at) {
        char why[WW_ENGINE_WHY];
        snprintf(why, sizeof why, "rank %u brings %llu bytes for rank %u, which awaits %llu", other, (ull)brought,
                 me->number, (ull)bytes);
        give_up(h, why);
        return WW_LOST;
    }
    if (bytes) {
        const unsigned char *source = theirs->send + (gather ? 0 : theirs->send_at[me->number]);
        unsigned char *to = mine->receive + (gather ? bytes * other : mine->receive_at[other]);
        from->readers++;
        pthread_mutex_unlock(&h->lock);
        copy(h, to, source, bytes);
        pthread_mutex_lock(&h->lock);
        from->readers--;
    }
    theirs->taken++;
    if (from->waits_for == from->number && (h->given_up || theirs->taken == h->ranks))
        pthread_cond_signal(&from->changed);
    return h->given_up ? WW_LOST : WW_OK;
}

/* With the lock: one operation of this rank's, from the rank behind it on, so that not all begin with the same. */
static ww_status finish(rank *me, uint64_t number, const struct timespec *deadline, uint64_t limit_ms) {
    hub *h = me->of;
    const posting *mine = &me->ring[number % POSTINGS];
    for (uint32_t k = 0; k < h->ranks; k++) {
        const uint32_t other = (uint32_t)(((uint64_t)me->number + k) % h->ranks);
        WW_TRY(await_posting(me, other, number, deadline, limit_ms));
        WW_TRY(take(me, other, number));
    }
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
        for (uint32_t r = 0; r < h->ranks; r++)
            if (h->rank[r].waits_for == me->number && r != me->number) pthread_cond_signal(&h->rank[r].changed);
    }
    pthread_mutex_unlock(&h->lock);
    return status;
}

static ww_status local_exchange(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes,
                                void *receive, const uint64_t *receive_at, const uint64_t *receive_bytes, char *why) {
    const posting p = {.send = send,
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
    while (!status && me->done < me->posted) {
        status = finish(me, me->done, &deadline, limit_ms);
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
