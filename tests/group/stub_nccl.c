/* What stands in for NCCL where there is no GPU: a library of the same functions, whose ranks are threads or processes of one machine and
 * whose memory is the emulator's, which the host can touch. A communicator is a file that all its ranks map, with a box for each pair of
 * ranks through which bytes go a piece at a time. They move when a rank asks for its communicator's state, and that is "in
 * progress" until they have. As with NCCL, nobody learns that another rank has gone, and sends meet receives in the order in which
 * each pair has them. */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "group/nccl_api.h"

enum { RANKS = 16, OPERATIONS = 256, PIECE = 32 << 10, INVALID_ARGUMENT = 4, REMOTE_ERROR = 6 };

typedef struct operation {
    bool sends;
    int peer;
    const char *from;
    char *to;
    size_t bytes, at; /* moved: up to there */
    bool done;
} operation;

typedef struct box { /* the sender's while it is not full, then the receiver's */
    uint32_t full;   /* atomic */
    uint32_t bytes;
    uint64_t of; /* bytes of the whole send */
    char piece[PIECE];
} box;

typedef struct room { /* zero when the file is made */
    uint32_t ranks, joined, finalised;
    uint32_t taken[RANKS];
    box boxes[RANKS][RANKS];
} room;

struct ncclComm {
    room *of;
    ww_nccl_id id;
    int rank;
    bool ended; /* finalised */
    ncclResult_t failure;
    size_t many;
    operation operations[OPERATIONS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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

/* The file's name. */
ncclResult_t ncclGetUniqueId(ww_nccl_id *id) {
    memset(id, 0, sizeof *id);
    pthread_mutex_lock(&lock);
    snprintf(id->bytes, sizeof id->bytes, "/warpwise-stub-nccl-%d-%llu", (int)getpid(), (unsigned long long)++drawn);
    pthread_mutex_unlock(&lock);
    return NCCL_SUCCESS;
}

static room *enter(const ww_nccl_id *id, int ranks) {
    uint32_t none = 0;
    const int file = shm_open(id->bytes, O_RDWR | O_CREAT, 0600);
    room *r = MAP_FAILED;
    if (file >= 0 && !ftruncate(file, sizeof *r))
        r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    if (r == MAP_FAILED) return NULL;
    __atomic_compare_exchange_n(&r->ranks, &none, (uint32_t)ranks, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    if (r->ranks == (uint32_t)ranks) return r;
    munmap(r, sizeof *r);
    return NULL;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *made, int ranks, ww_nccl_id id, int rank, ncclConfig *config) {
    *made = NULL;
    if (config->blocking || config->magic != 0xcafebeefu || ranks > RANKS) return INVALID_ARGUMENT;
    ncclComm_t c = calloc(1, sizeof *c);
    room *r = c ? enter(&id, ranks) : NULL;
    if (!r || __atomic_exchange_n(&r->taken[rank], 1, __ATOMIC_ACQ_REL)) {
        if (r) munmap(r, sizeof *r);
        free(c);
        return INVALID_ARGUMENT;
    }
    c->of = r;
    c->id = id;
    c->rank = rank;
    if (__atomic_add_fetch(&r->joined, 1, __ATOMIC_ACQ_REL) == (uint32_t)ranks) shm_unlink(id.bytes);
    *made = c;
    return NCCL_IN_PROGRESS;
}

/* One piece at most; whether one was moved. */
static bool move(ncclComm_t c, operation *o) {
    box *b = o->sends ? &c->of->boxes[c->rank][o->peer] : &c->of->boxes[o->peer][c->rank];
    const bool full = __atomic_load_n(&b->full, __ATOMIC_ACQUIRE);
    if (full == o->sends) return false;
    if (o->sends) {
        b->of = o->bytes;
        b->bytes = (uint32_t)(o->bytes - o->at < PIECE ? o->bytes - o->at : PIECE);
        memcpy(b->piece, o->from + o->at, b->bytes);
    } else if (b->of != o->bytes) {
        c->failure = INVALID_ARGUMENT;
        return false;
    } else {
        memcpy(o->to + o->at, b->piece, b->bytes);
    }
    o->at += b->bytes;
    o->done = o->at == o->bytes;
    __atomic_store_n(&b->full, o->sends, __ATOMIC_RELEASE);
    return true;
}

/* Moves what can be moved, of each pair of ranks and direction the first that is not done; whether any is left. */
static bool progress(ncclComm_t c) {
    bool any = true, moved = true;
    while (any && moved && !c->failure) {
        bool waits[2][RANKS] = {{false}};
        any = moved = false;
        for (size_t k = 0; k < c->many && !c->failure; k++) {
            operation *o = &c->operations[k];
            if (o->done) continue;
            any = true;
            if (!waits[o->sends][o->peer]) moved |= move(c, o);
            waits[o->sends][o->peer] |= !o->done;
        }
    }
    if (!any) c->many = 0;
    return any;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t c, ncclResult_t *result) {
    const uint32_t ranks = c->of->ranks, joined = __atomic_load_n(&c->of->joined, __ATOMIC_ACQUIRE);
    const bool busy = progress(c);
    *result = c->failure       ? c->failure
              : joined < ranks ? NCCL_IN_PROGRESS
              : c->ended
                  ? (__atomic_load_n(&c->of->finalised, __ATOMIC_ACQUIRE) < ranks ? NCCL_IN_PROGRESS : NCCL_SUCCESS)
              : busy ? NCCL_IN_PROGRESS
                     : NCCL_SUCCESS;
    return NCCL_SUCCESS;
}

/* Where not all have come the file still has its name. */
static ncclResult_t leave(ncclComm_t c) {
    shm_unlink(c->id.bytes);
    munmap(c->of, sizeof *c->of);
    free(c);
    return NCCL_SUCCESS;
}

ncclResult_t ncclCommFinalize(ncclComm_t c) {
    c->ended = true;
    __atomic_add_fetch(&c->of->finalised, 1, __ATOMIC_ACQ_REL);
    return NCCL_IN_PROGRESS;
}

ncclResult_t ncclCommDestroy(ncclComm_t c) { return leave(c); }
ncclResult_t ncclCommAbort(ncclComm_t c) { return leave(c); }
ncclResult_t ncclGroupStart(void) { return NCCL_SUCCESS; }

ncclResult_t ncclGroupEnd(void) {
    pthread_mutex_lock(&lock);
    const bool fails = fails_in >= 0 && !fails_in--;
    pthread_mutex_unlock(&lock);
    return fails ? REMOTE_ERROR : NCCL_IN_PROGRESS;
}

static ncclResult_t add(ncclComm_t c, operation o) {
    if (c->many == OPERATIONS || o.peer < 0 || o.peer >= (int)c->of->ranks) return INVALID_ARGUMENT;
    o.done = !o.bytes;
    c->operations[c->many++] = o;
    return NCCL_SUCCESS;
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
    for (int r = 0; r < (int)c->of->ranks && !result; r++) {
        result = ncclSend(from, count, type, r, c, stream);
        if (!result) result = ncclRecv((char *)to + (size_t)r * count, count, type, r, c, stream);
    }
    return result;
}
