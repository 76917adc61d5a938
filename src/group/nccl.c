/* The engine over NCCL.
 *
 * exchange and gather are noted; wait does them, in their order, each as one group of NCCL's: sends and receives between GPUs, a rank's
 * block for itself as a copy beside them. An exchange before which nothing waits begins at once, on a stream beside the device's
 * own, so that what the caller queues there does not keep it waiting. What is gathered lies in the host's memory. Where all ranks are on one
 * host, as they find out when they open, it goes by a board in memory that they share (board.h), for a group of NCCL's takes longer
 * than what it says; else through the GPU's memory, as NCCL takes that alone.
 * The communicator is non-blocking, so that nothing waits for other ranks beyond the limit: after each group NCCL is asked until it has
 * queued everything, then the GPU until all is done. Whatever fails, the communicator is aborted before wait returns: then nothing of
 * NCCL's touches memory of the caller's any more. */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "device/between.h"
#include "device/gpu/gpu.h"
#include "group/board.h"
#include "group/group.h"
#include "group/nccl_api.h"

typedef unsigned long long ull;

enum {
    UNDER_WAY = 32,   /* exchanges and gathers that a rank may have begun */
    BESIDE = 4 << 20, /* bytes from which on a block for the rank itself is copied on a stream of its own */
    MINUTE = 60000,
    LINGER_MS = 1000, /* closing: for the others to have what this rank has sent */
    ENDING_MS = 10000 /* for the GPU to stop what was aborted */
};

typedef struct moving { /* an exchange, or a gather: `bytes` at send, to each rank */
    const unsigned char *send;
    const uint64_t *send_at, *send_bytes; /* NULL for a gather */
    unsigned char *receive;
    const uint64_t *receive_at, *receive_bytes;
    size_t bytes, staged; /* a gather's: where it lies in the GPU's memory, this rank's own bytes before all */
} moving;

typedef struct rank_state {
    ww_device *device;
    ww__nccl_api api;
    ncclComm_t communicator; /* NULL when it has been aborted */
    ww__board *board; /* NULL: there is none */
    uint32_t rank, ranks;
    size_t begun, started;         /* operations; those of NCCL's before `started` have been queued */
    ncclResult_t result;           /* of the latest one */
    bool beside;                   /* something has been queued beside the device's stream */
    moving moves[UNDER_WAY];
    ww__kept stage;
} rank_state;

static uint64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static uint64_t deadline_in(uint64_t limit_ms) {
    const uint64_t now = milliseconds();
    return limit_ms > UINT64_MAX - now ? UINT64_MAX : now + limit_ms;
}

/* Between two looks. Exchanges of few bytes are done before the first pause. */
static void pause_between(unsigned looks) {
    enum { YIELDS = 4000, SLEEP_NS = 20000 };
    if (looks < YIELDS) {
        sched_yield();
    } else {
        const struct timespec some = {0, SLEEP_NS};
        nanosleep(&some, NULL);
    }
}

static ww__driver *driver_of(const rank_state *s) { return s->device->gpu->driver; }

/* ---- failures ---- */

static ww_status fails(const rank_state *s, ncclResult_t result, const char *what, char *why) {
    const char *text = s->api.ncclGetErrorString(result);
    snprintf(why, WW_ENGINE_WHY, "rank %u: %s: NCCL says: %.120s", s->rank, what,
             text ? text : "an error without a name");
    return WW_LOST;
}

static ww_status silent(uint64_t limit_ms, char *why) {
    snprintf(why, WW_ENGINE_WHY, "another rank has not arrived within %llu ms", (ull)limit_ms);
    return WW_LOST;
}

static ww_status device_fails(const rank_state *s, ww_status status, char *why) {
    snprintf(why, WW_ENGINE_WHY, "rank %u: %.200s", s->rank, driver_of(s)->why);
    return status == WW_MEMORY ? WW_MEMORY : WW_LOST;
}

static ww_status left(const rank_state *s, uint32_t who, char *why) {
    snprintf(why, WW_ENGINE_WHY, who == s->rank ? "rank %u has given up" : "rank %u has left the group", who);
    return WW_LOST;
}

/* Kernels of NCCL's end when they see it; until then they may write. */
static void abort_now(rank_state *s) {
    if (!s->communicator) return;
    ww__driver *driver = driver_of(s);
    if (s->board) ww__board_give_up(s->board);
    s->api.ncclCommAbort(s->communicator);
    s->communicator = NULL;
    if (s->beside) driver->meet(driver);
    const uint64_t deadline = deadline_in(ENDING_MS);
    bool idle = !driver->idle;
    for (unsigned looks = 0; !idle && milliseconds() < deadline; looks++) {
        if (driver->idle(driver, &idle)) return;
        if (!idle) pause_between(looks);
    }
}

/* ---- waiting ---- */

/* Until NCCL has done on the host what it was told. */
static ww_status settle(const rank_state *s, ncclResult_t result, const char *what, uint64_t deadline,
                        uint64_t limit_ms, char *why) {
    uint32_t who;
    for (unsigned looks = 0; result == NCCL_IN_PROGRESS; looks++) {
        const ncclResult_t asked = s->api.ncclCommGetAsyncError(s->communicator, &result);
        if (asked) result = asked;
        if (result != NCCL_IN_PROGRESS) break;
        if (milliseconds() >= deadline) return silent(limit_ms, why);
        if (s->board && ww__board_given_up(s->board, &who)) return left(s, who, why);
        pause_between(looks);
    }
    return result ? fails(s, result, what, why) : WW_OK;
}

/* Until the GPU has done it. Other ranks' failures are NCCL's to find. */
static ww_status await_gpu(const rank_state *s, uint64_t deadline, uint64_t limit_ms, char *why) {
    ww__driver *driver = driver_of(s);
    bool idle = !driver->idle;
    uint32_t who;
    for (unsigned looks = 0; !idle; looks++) {
        ncclResult_t result = NCCL_SUCCESS;
        const ww_status status = driver->idle(driver, &idle);
        if (status) return device_fails(s, status, why);
        if (idle) break;
        if (looks % 64 == 63) {
            s->api.ncclCommGetAsyncError(s->communicator, &result);
            if (result && result != NCCL_IN_PROGRESS) return fails(s, result, "an exchange failed", why);
            if (milliseconds() >= deadline) return silent(limit_ms, why);
            if (s->board && ww__board_given_up(s->board, &who)) return left(s, who, why);
        }
        pause_between(looks);
    }
    return WW_OK;
}

/* ---- one exchange, one gather ---- */

/* NULL on the emulator, where nothing looks at it. */
static void *stream_of(rank_state *s, bool beside) {
    ww__driver *driver = driver_of(s);
    s->beside |= beside;
    if (beside && driver->stream_aside) return driver->stream_aside(driver, WW__ASIDE_IN);
    return driver->stream ? driver->stream(driver) : NULL;
}

/* Sends and receives with others, so that no rank is everybody's first. */
static ncclResult_t queue_peers(rank_state *s, const moving *m, bool *any) {
    void *stream = stream_of(s, true);
    ncclResult_t result = NCCL_SUCCESS;
    for (uint32_t i = 1; i < s->ranks && !result; i++) {
        const uint32_t to = (s->rank + i) % s->ranks, from = (s->rank + s->ranks - i) % s->ranks;
        if (m->send_bytes[to])
            result = s->api.ncclSend(m->send + m->send_at[to], m->send_bytes[to], NCCL_UINT8, (int)to, s->communicator,
                                     stream);
        if (!result && m->receive_bytes[from])
            result = s->api.ncclRecv(m->receive + m->receive_at[from], m->receive_bytes[from], NCCL_UINT8, (int)from,
                                     s->communicator, stream);
        *any |= m->send_bytes[to] || m->receive_bytes[from];
    }
    return result;
}

static ww_status copy_own(rank_state *s, const moving *m, char *why) {
    ww__driver *driver = driver_of(s);
    const uint64_t bytes = m->send_bytes[s->rank];
    if (!bytes) return WW_OK;
    unsigned char *to = m->receive + m->receive_at[s->rank];
    const unsigned char *from = m->send + m->send_at[s->rank];
    const bool apart = bytes >= BESIDE;
    s->beside |= apart;
    const ww_status status = apart ? driver->copy_aside(driver, WW__ASIDE_OUT, to, from, (size_t)bytes)
                                   : driver->copy(driver, to, from, (size_t)bytes);
    return status ? device_fails(s, status, why) : WW_OK;
}

/* Queues one operation, as a group of its own: NCCL's groups have to be the same on all ranks, whenever these wait. What came before has
 * been settled; this one will be. */
static ww_status start(rank_state *s, const moving *m, char *why) {
    bool any = !m->send_at;
    unsigned char *stage = (unsigned char *)s->stage.data + m->staged;
    if (m->send_at) {
        const ww_status status = copy_own(s, m, why);
        if (status) return status;
    } else {
        const ww_status status = driver_of(s)->copy(driver_of(s), stage, m->send, m->bytes);
        if (status) return device_fails(s, status, why);
    }
    ncclResult_t result = s->api.ncclGroupStart();
    if (!result) {
        result = m->send_at ? queue_peers(s, m, &any)
                            : s->api.ncclAllGather(stage, stage + m->bytes, m->bytes, NCCL_UINT8, s->communicator,
                                                   stream_of(s, false));
        const ncclResult_t ended = s->api.ncclGroupEnd();
        if (!result || result == NCCL_IN_PROGRESS) result = ended;
    }
    s->result = any ? result : NCCL_SUCCESS;
    return WW_OK;
}

static ww_status settle_latest(rank_state *s, uint64_t deadline, uint64_t limit_ms, char *why) {
    const ncclResult_t result = s->result;
    s->result = NCCL_SUCCESS;
    return settle(s, result, "an exchange could not begin", deadline, limit_ms, why);
}

/* ---- gathers ---- */

static ww_status gather_by_board(const rank_state *s, const moving *m, uint64_t deadline, uint64_t limit_ms,
                                 char *why) {
    uint32_t who = 0;
    ww__board_say(s->board, m->send, m->bytes);
    for (unsigned looks = 0;; looks++) {
        ncclResult_t result = NCCL_SUCCESS;
        const ww__board_state state = ww__board_look(s->board, m->bytes, m->receive, &who);
        if (state == WW__BOARD_DONE) return WW_OK;
        if (state == WW__BOARD_LOST || (looks % 64 == 63 && ww__board_given_up(s->board, &who)))
            return left(s, who, why);
        if (looks % 1024 == 1023) {
            s->api.ncclCommGetAsyncError(s->communicator, &result);
            if (result && result != NCCL_IN_PROGRESS) return fails(s, result, "a gather failed", why);
            if (milliseconds() >= deadline) return silent(limit_ms, why);
        }
        if (looks > 64) pause_between(looks);
    }
}

static bool by_board(const rank_state *s, const moving *m) { return s->board && !m->send_at; }

/* What was gathered comes from the GPU. */
static ww_status bring(const rank_state *s, char *why) {
    ww__driver *driver = driver_of(s);
    ww_status status = WW_OK;
    for (size_t k = 0; k < s->begun && !status; k++) {
        const moving *m = &s->moves[k];
        if (!m->send_at && m->bytes)
            status = driver->copy(driver, m->receive, (unsigned char *)s->stage.data + m->staged + m->bytes,
                                  m->bytes * s->ranks);
    }
    if (!status) status = driver->sync(driver);
    return status ? device_fails(s, status, why) : WW_OK;
}

/* ---- all that has begun ---- */

static ww_status do_all(rank_state *s, uint64_t limit_ms, char *why) {
    const uint64_t deadline = deadline_in(limit_ms);
    bool any = false;
    for (size_t k = 0; k < s->begun; k++) {
        const moving *m = &s->moves[k];
        if (by_board(s, m)) {
            WW_TRY(gather_by_board(s, m, deadline, limit_ms, why));
            continue;
        }
        any = true;
        WW_TRY(settle_latest(s, deadline, limit_ms, why));
        if (k >= s->started && (m->send_at || m->bytes)) WW_TRY(start(s, m, why));
    }
    WW_TRY(settle_latest(s, deadline, limit_ms, why));
    if (!any) return WW_OK;
    if (s->beside) {
        const ww_status status = driver_of(s)->meet(driver_of(s));
        if (status) return device_fails(s, status, why);
    }
    WW_TRY(await_gpu(s, deadline, limit_ms, why));
    s->beside = false;
    return s->board ? WW_OK : bring(s, why);
}

/* ---- the five functions ---- */

static ww_status note(rank_state *s, const moving *m, char *why) {
    if (s->begun < UNDER_WAY) {
        s->moves[s->begun++] = *m;
        return WW_OK;
    }
    snprintf(why, WW_ENGINE_WHY, "rank %u has too many exchanges and gathers under way", s->rank);
    return WW_LOST;
}

/* The latest one, if no other waits before it. */
static ww_status start_at_once(rank_state *s, char *why) {
    for (size_t k = s->started; k + 1 < s->begun; k++)
        if (!by_board(s, &s->moves[k])) return WW_OK;
    if (s->result || !s->communicator) return WW_OK;
    ww__gpu_enter(s->device);
    const ww_status status = start(s, &s->moves[s->begun - 1], why);
    ww__gpu_leave(s->device);
    s->started = s->begun;
    return status;
}

static ww_status exchange(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes,
                          void *receive, const uint64_t *receive_at, const uint64_t *receive_bytes, char *why) {
    const moving m = {.send = send,
                      .send_at = send_at,
                      .send_bytes = send_bytes,
                      .receive = receive,
                      .receive_at = receive_at,
                      .receive_bytes = receive_bytes};
    rank_state *s = state;
    WW_TRY(note(s, &m, why));
    return start_at_once(s, why);
}

static ww_status gather(void *state, const void *mine, size_t bytes, void *all, char *why) {
    const moving m = {.send = mine, .receive = all, .bytes = bytes};
    return note(state, &m, why);
}

/* Memory of the GPU's for all that is gathered, which stays. */
static ww_status rooms(rank_state *s, char *why) {
    enum { ALIGNED = 256 };
    size_t bytes = 0;
    for (size_t k = 0; k < s->begun; k++) {
        moving *m = &s->moves[k];
        m->staged = bytes;
        if (!m->send_at && !s->board) bytes += (m->bytes * (s->ranks + (size_t)1) + ALIGNED - 1) / ALIGNED * ALIGNED;
    }
    const ww_status status = bytes ? ww__kept_capacity(s->device, &s->stage, bytes, 1, 0) : WW_OK;
    if (status) snprintf(why, WW_ENGINE_WHY, "rank %u: %.200s", s->rank, ww_error(s->device));
    return status;
}

static ww_status wait(void *state, uint64_t limit_ms, char *why) {
    rank_state *s = state;
    if (!s->begun) return WW_OK;
    if (!s->communicator) {
        snprintf(why, WW_ENGINE_WHY, "rank %u has given up", s->rank);
        return WW_LOST;
    }
    ww_status status = rooms(s, why);
    ww__gpu_enter(s->device);
    if (!status) status = do_all(s, limit_ms, why);
    if (status) abort_now(s);
    ww__gpu_leave(s->device);
    s->begun = s->started = 0;
    return status;
}

static void abort_state(void *state) {
    rank_state *s = state;
    ww__gpu_enter(s->device);
    abort_now(s);
    ww__gpu_leave(s->device);
    s->begun = s->started = 0;
}

/* All ranks mostly close at the same time: then NCCL ends in order. Whoever is left alone aborts. */
static void end(rank_state *s) {
    ncclResult_t result = s->begun ? NCCL_IN_PROGRESS : s->api.ncclCommFinalize(s->communicator);
    const uint64_t deadline = deadline_in(LINGER_MS);
    for (unsigned looks = 0; !s->begun && result == NCCL_IN_PROGRESS && milliseconds() < deadline; looks++) {
        if (s->api.ncclCommGetAsyncError(s->communicator, &result)) break;
        if (result == NCCL_IN_PROGRESS) pause_between(looks);
    }
    if (result) {
        abort_now(s);
    } else {
        s->api.ncclCommDestroy(s->communicator);
        s->communicator = NULL;
    }
}

static void close_state(void *state) {
    rank_state *s = state;
    ww_device *device = s->device;
    ww__gpu_enter(device);
    if (s->communicator) end(s);
    ww__gpu_leave(device);
    ww__board_close(s->board);
    ww__kept_drop(device, &s->stage);
    ww__release(device, s, sizeof *s);
}

/* ---- opening ---- */

static ww_status says(char *why, ww_status status, const char *sentence) {
    snprintf(why, WW_ENGINE_WHY, "%s", sentence);
    return status;
}

ww_status ww_nccl_id_draw(ww_nccl_id *id, char *why) {
    char unread[WW_ENGINE_WHY];
    rank_state s = {.rank = 0};
    if (!why) why = unread;
    why[0] = 0;
    if (!id) return says(why, WW_INVALID, "id is NULL");
    if (!ww__nccl_api_open(&s.api, why, WW_ENGINE_WHY)) return WW_UNSUPPORTED;
    const ncclResult_t result = s.api.ncclGetUniqueId(id);
    return result ? fails(&s, result, "an id could not be drawn", why) : WW_OK;
}

static ww_status join(rank_state *s, const ww_nccl_id *id, uint64_t limit_ms, char *why) {
    ncclConfig config = NCCL_CONFIG_NON_BLOCKING;
    const ncclResult_t result = s->api.ncclCommInitRankConfig(&s->communicator, (int)s->ranks, *id, (int)s->rank,
                                                              &config);
    if (!s->communicator) return fails(s, result ? result : NCCL_IN_PROGRESS, "the group could not be opened", why);
    const ww_status status = settle(s, result, "the group could not be opened", deadline_in(limit_ms), limit_ms, why);
    if (status) abort_now(s);
    return status;
}

static ww_status gather_now(rank_state *s, const void *mine, size_t bytes, void *all, uint64_t limit_ms, char *why) {
    const moving m = {.send = mine, .receive = all, .bytes = bytes};
    WW_TRY(note(s, &m, why));
    return wait(s, limit_ms, why);
}

/* Rank 0 makes a board, the others open it, and it is there if all have it. */
static ww_status share_board(rank_state *s, uint64_t limit_ms, char *why) {
    ww__board_place place = {.there = 0}, places[WW__BOARD_RANKS];
    unsigned char has = 0, have[WW__BOARD_RANKS], all = 1;
    if (s->ranks < 2 || s->ranks > WW__BOARD_RANKS) return WW_OK;
    ww__board *board = s->rank ? NULL : ww__board_make(s->ranks, &place);
    ww_status status = gather_now(s, &place, sizeof place, places, limit_ms, why);
    if (!status && s->rank) board = ww__board_open(s->ranks, s->rank, &places[0]);
    has = board != NULL;
    if (!status) status = gather_now(s, &has, sizeof has, have, limit_ms, why);
    for (uint32_t r = 0; r < s->ranks && !status; r++) all &= have[r];
    if (status || !all) {
        ww__board_close(board);
        return status;
    }
    ww__board_settled(board);
    s->board = board;
    return WW_OK;
}

static ww_status check(const ww_device *device, uint32_t rank, uint32_t ranks, const ww_nccl_id *id, char *why) {
    if (!id) return says(why, WW_INVALID, "id is NULL");
    if (ranks < 1 || ranks > WW_RANKS_MOST || rank >= ranks) {
        snprintf(why, WW_ENGINE_WHY, "there is no rank %u of %u", rank, ranks);
        return WW_INVALID;
    }
    return device->gpu ? WW_OK : says(why, WW_UNSUPPORTED, "NCCL is for NVIDIA's GPUs, and the device is a CPU");
}

ww_status ww_engine_nccl(ww_device *device, uint32_t rank, uint32_t ranks, const ww_nccl_id *id, uint64_t limit_ms,
                         ww_engine *engine, char *why) {
    char unread[WW_ENGINE_WHY];
    if (!why) why = unread;
    why[0] = 0;
    if (!device || !engine) return says(why, WW_INVALID, "device or engine is NULL");
    *engine = (ww_engine)WW_ENGINE;
    WW_TRY(check(device, rank, ranks, id, why));
    rank_state *s = ww__allocate(device, sizeof *s, 64);
    if (!s) return says(why, WW_MEMORY, "there is no memory for the engine");
    *s = (rank_state){.device = device, .rank = rank, .ranks = ranks};
    ww_status status = ww__nccl_api_open(&s->api, why, WW_ENGINE_WHY) ? WW_OK : WW_UNSUPPORTED;
    if (!status && s->api.emulated != !strcmp(device->gpu->driver->backend, "emu"))
        status = says(why, WW_UNSUPPORTED, "NCCL is for NVIDIA's GPUs, and the device is the emulator");
    ww__gpu_enter(device);
    if (!status) status = join(s, id, limit_ms ? limit_ms : MINUTE, why);
    ww__gpu_leave(device);
    if (!status) status = share_board(s, limit_ms ? limit_ms : MINUTE, why);
    if (status) {
        ww__kept_drop(device, &s->stage);
        ww__release(device, s, sizeof *s);
        return status;
    }
    *engine = (ww_engine){.size = sizeof *engine,
                          .state = s,
                          .rank = rank,
                          .ranks = ranks,
                          .memory = WW_ENGINE_DEVICE,
                          .exchange = exchange,
                          .gather = gather,
                          .wait = wait,
                          .abort = abort_state,
                          .close = close_state};
    return WW_OK;
}

ww_status ww_group_open_nccl(ww_device *device, uint32_t rank, uint32_t ranks, const ww_nccl_id *id, ww_group **group) {
    char why[WW_ENGINE_WHY];
    ww_engine engine;
    if (!group) return WW_INVALID;
    *group = NULL;
    if (!device) return WW_INVALID;
    const ww_status status = ww_engine_nccl(device, rank, ranks, id, 0, &engine, why);
    return status ? ww__group_unopened(device, status, "ww_group_open_nccl", why, group)
                  : ww_group_open(device, &engine, NULL, group);
}
