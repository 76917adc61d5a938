/* A group's engine over MPI.
 *
 * An exchange is an MPI_Irecv and an MPI_Isend for each piece of each peer's block, and a gather is an exchange of equal blocks.
 * All stand in one list of requests, which `wait` tests until none is left. MPI keeps messages between two ranks in order, and
 * exchanges come in the same order on every rank, so one tag does for all of them.
 *
 * A rank that leaves sends everyone a notice: how many operations it has taken part in. Operations that it has begun and then
 * closed go on; all others are LOST for those who wait for them. A notice has the number that the ranks drew when they opened:
 * one that a group before has left behind, on a communicator that had the same place in MPI, is passed by.
 *
 * A communicator is freed when every rank's notice has come and this one's has been received: no message is under way then. One that
 * comes for a communicator which is no more, Open MPI 4.1 takes for the next one's. Until then, or until MPI_Finalize, closed
 * engines stand in a list, which the next one that is opened looks through. */
#include "warpwise/group_mpi.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_BYTES = 1, TAG_NOTICE = 2 };

typedef struct notice {
    uint64_t number; /* the group's */
    uint64_t took;   /* the operations that the sender has taken part in */
} notice;

typedef struct rank_state {
    MPI_Comm communicator;
    uint32_t rank, ranks;
    uint64_t number;
    uint64_t piece;    /* bytes of a message at most */
    uint64_t begun;    /* exchanges and gathers of this rank, in all */
    uint64_t finished; /* and how many of them had ended when it last waited */
    MPI_Request *requests;
    bool *receives; /* which of them are receives: only these can be cancelled */
    size_t used, capacity;
    notice *left;      /* of each rank; took is UINT64_MAX while it is there */
    MPI_Request *sent; /* this rank's own notice, to each */
    notice own;
    bool told, lost, ends_mpi;
    struct rank_state *next; /* of those that are closed */
} rank_state;

static uint64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Between two looks at what MPI has done: other ranks may need this core. */
static void pause_between(unsigned looks) {
    enum { YIELDS = 2000, SLEEP_NS = 50000 };
    if (looks < YIELDS) {
        sched_yield();
    } else {
        const struct timespec some = {0, SLEEP_NS};
        nanosleep(&some, NULL);
    }
}

static ww_status fails(char *why, int error, const char *what) {
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0;
    if (MPI_Error_string(error, text, &length)) text[0] = 0;
    snprintf(why, WW_ENGINE_WHY, "%s: MPI says: %.180s", what, text);
    return WW_LOST;
}

/* ---- notices ---- */

static void tell_others(rank_state *s, uint64_t took) {
    if (s->told) return;
    s->told = true;
    s->own = (notice){s->number, took};
    for (uint32_t r = 0; r < s->ranks; r++)
        if (r != s->rank &&
            MPI_Issend(&s->own, (int)sizeof s->own, MPI_BYTE, (int)r, TAG_NOTICE, s->communicator, &s->sent[r]))
            s->sent[r] = MPI_REQUEST_NULL;
}

static int hear_notices(rank_state *s) {
    for (;;) {
        int there = 0;
        MPI_Status from;
        int error = MPI_Iprobe(MPI_ANY_SOURCE, TAG_NOTICE, s->communicator, &there, &from);
        if (error || !there) return error;
        notice heard;
        error = MPI_Recv(&heard, (int)sizeof heard, MPI_BYTE, from.MPI_SOURCE, TAG_NOTICE, s->communicator,
                         MPI_STATUS_IGNORE);
        if (error) return error;
        if (heard.number == s->number) s->left[from.MPI_SOURCE] = heard;
    }
}

/* The first rank that has not taken part in all that this one has begun, and never will; `ranks` if there is none. */
static uint32_t first_gone(const rank_state *s) {
    uint32_t r = 0;
    while (r < s->ranks && s->left[r].took >= s->begun) r++;
    return r;
}

/* ---- the engine's functions ---- */

static ww_status more_requests(rank_state *s, uint64_t count, char *why) {
    if (s->used + count <= s->capacity) return WW_OK;
    if (count > INT_MAX - s->used) { /* MPI's own limit on what it tests at a time */
        snprintf(why, WW_ENGINE_WHY, "an exchange of %llu messages", (unsigned long long)count);
        return WW_UNSUPPORTED;
    }
    size_t capacity = s->used + count + s->used / 2;
    MPI_Request *more = realloc(s->requests, capacity * sizeof *more);
    if (more) s->requests = more;
    bool *kinds = more ? realloc(s->receives, capacity * sizeof *kinds) : NULL;
    if (!kinds) {
        snprintf(why, WW_ENGINE_WHY, "no memory for %zu requests of MPI", capacity);
        return WW_MEMORY;
    }
    s->receives = kinds;
    s->capacity = capacity;
    return WW_OK;
}

/* One block, in pieces. */
static int begin_block(rank_state *s, void *bytes, uint64_t count, uint32_t peer, bool receives) {
    unsigned char *at = bytes;
    while (count) {
        const uint64_t part = count < s->piece ? count : s->piece;
        MPI_Request *request = &s->requests[s->used];
        int error = receives ? MPI_Irecv(at, (int)part, MPI_BYTE, (int)peer, TAG_BYTES, s->communicator, request)
                             : MPI_Isend(at, (int)part, MPI_BYTE, (int)peer, TAG_BYTES, s->communicator, request);
        if (error) return error;
        s->receives[s->used++] = receives;
        at += part;
        count -= part;
    }
    return MPI_SUCCESS;
}

/* What one operation moves: with rank r, bytes[r] at `at[r]`, or `bytes` at r * step where there are no arrays. */
typedef struct blocks {
    const void *base;
    const uint64_t *at, *bytes;
    uint64_t step, equal;
} blocks;

static uint64_t block_bytes(const blocks *b, uint32_t r) { return b->bytes ? b->bytes[r] : b->equal; }

/* NULL where nothing is there. */
static unsigned char *block_at(const blocks *b, uint32_t r) {
    return block_bytes(b, r) ? (unsigned char *)b->base + (b->at ? b->at[r] : b->step * r) : NULL;
}

static ww_status move(rank_state *s, const blocks *out, const blocks *in, char *why) {
    uint64_t count = 0;
    for (uint32_t r = 0; r < s->ranks; r++) count += block_bytes(out, r) / s->piece + block_bytes(in, r) / s->piece + 2;
    ww_status status = more_requests(s, count, why);
    if (status) return status;
    s->begun++;
    int error = MPI_SUCCESS;
    /* Each rank begins with the next one, so that no rank is everybody's first. Receiving first spares MPI a copy. */
    for (uint32_t i = 1; i < s->ranks && !error; i++) {
        const uint32_t from = (s->rank + s->ranks - i) % s->ranks;
        error = begin_block(s, block_at(in, from), block_bytes(in, from), from, true);
    }
    for (uint32_t i = 1; i < s->ranks && !error; i++) {
        const uint32_t to = (s->rank + i) % s->ranks;
        error = begin_block(s, block_at(out, to), block_bytes(out, to), to, false);
    }
    if (error) return fails(why, error, "an exchange could not begin");
    const uint64_t own = block_bytes(out, s->rank);
    if (own) memcpy(block_at(in, s->rank), block_at(out, s->rank), (size_t)own);
    return WW_OK;
}

static ww_status exchange(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes,
                          void *receive, const uint64_t *receive_at, const uint64_t *receive_bytes, char *why) {
    const blocks out = {send, send_at, send_bytes, 0, 0}, in = {receive, receive_at, receive_bytes, 0, 0};
    return move(state, &out, &in, why);
}

static ww_status gather(void *state, const void *mine, size_t bytes, void *all, char *why) {
    const blocks out = {mine, NULL, NULL, 0, bytes}, in = {all, NULL, NULL, bytes, bytes};
    return move(state, &out, &in, why);
}

/* Takes back what can be: receives that nothing has come for. */
static void give_up(rank_state *s) {
    for (size_t i = 0; i < s->used; i++) {
        int done = 0;
        if (s->requests[i] == MPI_REQUEST_NULL || MPI_Test(&s->requests[i], &done, MPI_STATUS_IGNORE) || done) continue;
        if (s->receives[i] && !MPI_Cancel(&s->requests[i])) MPI_Test(&s->requests[i], &done, MPI_STATUS_IGNORE);
    }
    s->lost = true;
    s->used = 0;
}

static ww_status wait(void *state, uint64_t limit_ms, char *why) {
    rank_state *s = state;
    const uint64_t begin = milliseconds();
    for (unsigned looks = 0; s->used; looks++) {
        int done = 0, error = MPI_Testall((int)s->used, s->requests, &done, MPI_STATUSES_IGNORE);
        if (!error && done) break;
        if (!error) error = hear_notices(s);
        if (error) {
            give_up(s);
            return fails(why, error, "an exchange failed");
        }
        const uint32_t gone = first_gone(s);
        if (gone < s->ranks || milliseconds() - begin >= limit_ms) {
            if (gone < s->ranks)
                snprintf(why, WW_ENGINE_WHY, "rank %u has left", gone);
            else
                snprintf(why, WW_ENGINE_WHY, "another rank has not arrived within %llu ms",
                         (unsigned long long)limit_ms);
            give_up(s);
            return WW_LOST;
        }
        pause_between(looks);
    }
    s->used = 0;
    s->finished = s->begun;
    return WW_OK;
}

static void abort_all(void *state) {
    rank_state *s = state;
    tell_others(s, s->finished);
    if (s->used) give_up(s);
    s->lost = true;
}

static void free_state(rank_state *s) {
    free(s->requests);
    free(s->receives);
    free(s->left);
    free(s->sent);
    free(s);
}

/* Closed engines whose communicator is not free yet. Only one thread at a time may be in MPI as they ask for it. */
static rank_state *closed;

/* Whether every rank has left and knows that this one has: then all is freed. */
static bool freed(rank_state *s) {
    int sent = 0;
    if (hear_notices(s) || MPI_Testall((int)s->ranks, s->sent, &sent, MPI_STATUSES_IGNORE) || !sent) return false;
    for (uint32_t r = 0; r < s->ranks; r++)
        if (r != s->rank && s->left[r].took == UINT64_MAX) return false;
    MPI_Comm_free(&s->communicator);
    free_state(s);
    return true;
}

static void free_closed(void) {
    for (rank_state **at = &closed; *at;) {
        rank_state *s = *at, *next = s->next;
        if (freed(s))
            *at = next;
        else
            at = &s->next;
    }
}

/* Ranks mostly close at the same time, so it is worth while to stay for a moment. What was lost is left to MPI, which may still
 * have addresses in it. */
static void close_state(void *state) {
    enum { LINGER_MS = 50 };
    rank_state *s = state;
    tell_others(s, s->used ? s->finished : s->begun);
    if (s->used) give_up(s);
    if (s->lost) return;
    const bool ends_mpi = s->ends_mpi;
    const uint64_t begin = milliseconds();
    bool stays = true;
    for (unsigned looks = 0; stays && milliseconds() - begin < LINGER_MS; looks++) {
        stays = !freed(s);
        if (stays) pause_between(looks);
    }
    if (stays) s->next = closed, closed = s;
    if (ends_mpi) MPI_Finalize();
}

/* ---- opening ---- */

static ww_status test_until(MPI_Request *request, uint64_t limit_ms, char *why) {
    const uint64_t begin = milliseconds();
    for (unsigned looks = 0;; looks++) {
        int done = 0, error = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (error) return fails(why, error, "the group could not be opened");
        if (done) return WW_OK;
        if (milliseconds() - begin >= limit_ms) {
            snprintf(why, WW_ENGINE_WHY, "another rank has not arrived within %llu ms", (unsigned long long)limit_ms);
            return WW_LOST;
        }
        pause_between(looks);
    }
}

/* Whether MPI may be called from this thread, for all that a group does. */
static ww_status usable(MPI_Comm communicator, char *why) {
    int initialised = 0, finalised = 0, level = MPI_THREAD_SINGLE, main_thread = 0, inter = 0;
    if (MPI_Initialized(&initialised) || !initialised) {
        snprintf(why, WW_ENGINE_WHY, "MPI is not initialised: call MPI_Init_thread first");
        return WW_UNSUPPORTED;
    }
    if (MPI_Finalized(&finalised) || finalised) {
        snprintf(why, WW_ENGINE_WHY, "MPI is finalised already");
        return WW_UNSUPPORTED;
    }
    if (MPI_Query_thread(&level) || MPI_Is_thread_main(&main_thread) ||
        (level < MPI_THREAD_SERIALIZED && !main_thread)) {
        snprintf(
            why, WW_ENGINE_WHY,
            "MPI was initialised for the thread that called MPI_Init, and this is another: ask for MPI_THREAD_SERIALIZED");
        return WW_UNSUPPORTED;
    }
    if (communicator == MPI_COMM_NULL || MPI_Comm_test_inter(communicator, &inter) || inter) {
        snprintf(why, WW_ENGINE_WHY, "the communicator is %s", inter ? "an intercommunicator" : "none");
        return WW_INVALID;
    }
    return WW_OK;
}

/* WARPWISE_MPI_PIECE: bytes of a message at most, 1 to 2^30, so that tests have many pieces; 2^30 for anything else. */
static uint64_t piece_bytes(void) {
    const char *asked = secure_getenv("WARPWISE_MPI_PIECE");
    const unsigned long long bytes = asked ? strtoull(asked, NULL, 10) : 0;
    return bytes && bytes <= 1u << 30 ? bytes : 1u << 30;
}

/* Takes the duplicate, and the number that rank 0 has drawn. */
static ww_status join(rank_state *s, MPI_Comm communicator, uint64_t limit_ms, char *why) {
    MPI_Request request;
    int error = MPI_Comm_idup(communicator, &s->communicator, &request);
    if (error) return fails(why, error, "the communicator could not be duplicated");
    ww_status status = test_until(&request, limit_ms, why);
    if (status) return status;
    MPI_Comm_set_errhandler(s->communicator, MPI_ERRORS_RETURN);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    s->number = (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
    error = MPI_Ibcast(&s->number, (int)sizeof s->number, MPI_BYTE, 0, s->communicator, &request);
    if (error) return fails(why, error, "the group could not be opened");
    return test_until(&request, limit_ms, why);
}

static bool take_memory(rank_state *s, MPI_Comm communicator) {
    int rank = 0, ranks = 0;
    if (MPI_Comm_rank(communicator, &rank) || MPI_Comm_size(communicator, &ranks)) return false;
    s->rank = (uint32_t)rank;
    s->ranks = (uint32_t)ranks;
    s->left = malloc(s->ranks * sizeof *s->left);
    s->sent = malloc(s->ranks * sizeof(MPI_Request));
    if (!s->left || !s->sent) return false;
    for (uint32_t r = 0; r < s->ranks; r++) {
        s->left[r].took = UINT64_MAX;
        s->sent[r] = MPI_REQUEST_NULL;
    }
    return true;
}

ww_status ww_engine_mpi(MPI_Comm communicator, uint64_t limit_ms, ww_engine *engine, char *why) {
    char unread[WW_ENGINE_WHY];
    if (!why) why = unread;
    why[0] = 0;
    if (!engine) return WW_INVALID;
    *engine = (ww_engine)WW_ENGINE;
    ww_status status = usable(communicator, why);
    if (status) return status;
    free_closed();
    rank_state *s = calloc(1, sizeof *s);
    if (!s) return WW_MEMORY;
    s->piece = piece_bytes();
    if (!take_memory(s, communicator)) {
        free_state(s);
        return WW_MEMORY;
    }
    status = join(s, communicator, limit_ms ? limit_ms : 60000, why);
    if (status) return status; /* MPI still has addresses in the state, which is not freed */
    *engine = (ww_engine){sizeof *engine, s,      s->rank, s->ranks,  WW_ENGINE_HOST, 0,
                          exchange,       gather, wait,    abort_all, close_state};
    return WW_OK;
}

ww_status ww_engine_mpi_world(uint64_t limit_ms, ww_engine *engine, char *why) {
    int initialised = 0, provided = 0;
    char unread[WW_ENGINE_WHY];
    if (!why) why = unread;
    why[0] = 0;
    const bool begins = !MPI_Initialized(&initialised) && !initialised;
    if (begins && MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided)) {
        snprintf(why, WW_ENGINE_WHY, "MPI could not be initialised");
        return WW_UNSUPPORTED;
    }
    ww_status status = ww_engine_mpi(MPI_COMM_WORLD, limit_ms, engine, why);
    if (status == WW_OK) ((rank_state *)engine->state)->ends_mpi = begins;
    return status;
}
