/* What stands in for NCCL where there is no GPU: a library of the same functions, whose ranks are threads of one process and whose memory
 * is the emulator's, which the host can touch. Bytes move when a rank asks for its communicator's state, and that is "in progress" until
 * they have. As with NCCL, nobody learns that another rank has gone, and sends meet receives in the order in which each pair has
 * them. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "group/nccl_api.h"

enum { RANKS = 16, OPERATIONS = 256, INVALID_ARGUMENT = 4, REMOTE_ERROR = 6 };

typedef struct operation {
    bool sends, done;
    int peer;
    const void *from;
    void *to;
    size_t bytes;
} operation;

typedef struct room room;
struct ncclComm {
    room *of;
    int rank;
    bool ended; /* finalised */
    ncclResult_t failure;
    size_t many;
    operation operations[OPERATIONS];
};

struct room {
    ww_nccl_id id;
    int ranks, joined, left, finalised;
    ncclComm_t member[RANKS];
    room *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static room *rooms;
static uint64_t drawn;
static int fails_in = -1; /* so many groups from now */

__attribute__((visibility("default"))) int warpwise_emulated_nccl = 1;

#define SHOWN __attribute__((visibility("default")))

/* For tests: another rank's failure is found in the `groups`-th group from now, on whichever rank. */
SHOWN void stub_nccl_fail_in(int groups);
void stub_nccl_fail_in(int groups) { fails_in = groups; }

#define DECLARE(name, parameters) SHOWN ncclResult_t name parameters;
WW__NCCL_FUNCTIONS(DECLARE)
SHOWN const char *ncclGetErrorString(ncclResult_t result);

const char *ncclGetErrorString(ncclResult_t result) {
    return result == REMOTE_ERROR ? "remote process exited" : "invalid argument";
}

ncclResult_t ncclGetVersion(int *version) {
    *version = NCCL_CONFIG_SINCE;
    return NCCL_SUCCESS;
}

ncclResult_t ncclGetUniqueId(ww_nccl_id *id) {
    memset(id, 0, sizeof *id);
    pthread_mutex_lock(&lock);
    drawn++;
    memcpy(id->bytes, &drawn, sizeof drawn);
    pthread_mutex_unlock(&lock);
    return NCCL_SUCCESS;
}

static room *room_of(const ww_nccl_id *id, int ranks) {
    room *r = rooms;
    while (r && memcmp(&r->id, id, sizeof *id)) r = r->next;
    if (r || !(r = calloc(1, sizeof *r))) return r;
    r->id = *id;
    r->ranks = ranks;
    r->next = rooms;
    return rooms = r;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *made, int ranks, ww_nccl_id id, int rank, ncclConfig *config) {
    ncclComm_t c = NULL;
    *made = NULL;
    if (config->blocking || config->magic != 0xcafebeefu || ranks > RANKS) return INVALID_ARGUMENT;
    pthread_mutex_lock(&lock);
    room *r = room_of(&id, ranks);
    if (r && r->ranks == ranks && !r->member[rank] && (c = calloc(1, sizeof *c))) {
        c->of = r;
        c->rank = rank;
        r->member[rank] = c;
        r->joined++;
    }
    pthread_mutex_unlock(&lock);
    *made = c;
    return c ? NCCL_IN_PROGRESS : INVALID_ARGUMENT;
}

static operation *first_send(ncclComm_t from, int to) {
    for (size_t k = 0; from && k < from->many; k++)
        if (from->operations[k].sends && !from->operations[k].done && from->operations[k].peer == to)
            return &from->operations[k];
    return NULL;
}

/* Receives what is there; whether anything is still to come or to go. */
static bool progress(ncclComm_t c) {
    bool waits[RANKS] = {false}, any = false;
    for (size_t k = 0; k < c->many; k++) {
        operation *o = &c->operations[k], *sent = NULL;
        if (!o->done && !o->sends && !waits[o->peer]) sent = first_send(c->of->member[o->peer], c->rank);
        if (sent && sent->bytes != o->bytes) c->failure = INVALID_ARGUMENT;
        if (sent && !c->failure) {
            memcpy(o->to, sent->from, o->bytes);
            sent->done = o->done = true;
        }
        if (!o->sends) waits[o->peer] |= !o->done;
        any |= !o->done;
    }
    if (!any) c->many = 0;
    return any;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t c, ncclResult_t *result) {
    pthread_mutex_lock(&lock);
    const bool busy = progress(c);
    *result = c->failure                     ? c->failure
              : c->of->joined < c->of->ranks ? NCCL_IN_PROGRESS
              : c->ended                     ? (c->of->finalised < c->of->ranks ? NCCL_IN_PROGRESS : NCCL_SUCCESS)
              : busy                         ? NCCL_IN_PROGRESS
                                             : NCCL_SUCCESS;
    pthread_mutex_unlock(&lock);
    return NCCL_SUCCESS;
}

static void leave(ncclComm_t c) {
    room *r = c->of;
    pthread_mutex_lock(&lock);
    r->member[c->rank] = NULL;
    if (++r->left == r->joined) {
        room **at = &rooms;
        while (*at != r) at = &(*at)->next;
        *at = r->next;
        free(r);
    }
    free(c);
    pthread_mutex_unlock(&lock);
}

ncclResult_t ncclCommFinalize(ncclComm_t c) {
    pthread_mutex_lock(&lock);
    c->ended = true;
    c->of->finalised++;
    pthread_mutex_unlock(&lock);
    return NCCL_IN_PROGRESS;
}

ncclResult_t ncclCommDestroy(ncclComm_t c) {
    leave(c);
    return NCCL_SUCCESS;
}

ncclResult_t ncclCommAbort(ncclComm_t c) {
    leave(c);
    return NCCL_SUCCESS;
}

ncclResult_t ncclGroupStart(void) { return NCCL_SUCCESS; }

ncclResult_t ncclGroupEnd(void) {
    pthread_mutex_lock(&lock);
    const bool fails = fails_in >= 0 && !fails_in--;
    pthread_mutex_unlock(&lock);
    return fails ? REMOTE_ERROR : NCCL_IN_PROGRESS;
}

static ncclResult_t add(ncclComm_t c, operation o) {
    pthread_mutex_lock(&lock);
    const bool fits = c->many < OPERATIONS && o.peer >= 0 && o.peer < c->of->ranks;
    if (fits) c->operations[c->many++] = o;
    pthread_mutex_unlock(&lock);
    return fits ? NCCL_SUCCESS : INVALID_ARGUMENT;
}

ncclResult_t ncclSend(const void *from, size_t count, ncclDataType_t type, int peer, ncclComm_t c, void *stream) {
    (void)stream;
    if (type != NCCL_UINT8) return INVALID_ARGUMENT;
    return add(c, (operation){.sends = true, .peer = peer, .from = from, .bytes = count});
}

ncclResult_t ncclRecv(void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t c, void *stream) {
    (void)stream;
    if (type != NCCL_UINT8) return INVALID_ARGUMENT;
    return add(c, (operation){.peer = peer, .to = to, .bytes = count});
}

ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t c, void *stream) {
    ncclResult_t result = NCCL_SUCCESS;
    for (int r = 0; r < c->of->ranks && !result; r++) {
        result = ncclSend(from, count, type, r, c, stream);
        if (!result) result = ncclRecv((char *)to + (size_t)r * count, count, type, r, c, stream);
    }
    return result;
}
