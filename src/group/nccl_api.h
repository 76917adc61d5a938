/* The part of NCCL's interface that the engine calls: names, types and numbers as its manual gives them. Nothing of it is linked; the
 * library is opened when a group asks for it. */
#ifndef WW__NCCL_API_H
#define WW__NCCL_API_H

#include "warpwise/group_nccl.h"

typedef struct ncclComm *ncclComm_t;
typedef int ncclResult_t, ncclDataType_t;
enum { NCCL_SUCCESS = 0, NCCL_IN_PROGRESS = 7, NCCL_UINT8 = 1 };

/* As of NCCL 2.14, which is the first to have it; newer versions look at `version` and take their own defaults for what is missing. */
typedef struct ncclConfig {
    size_t size;
    unsigned magic, version;
    int blocking, reserved;
} ncclConfig;
enum { NCCL_CONFIG_SINCE = 21400 };
#define NCCL_CONFIG_NON_BLOCKING \
    { sizeof(ncclConfig), 0xcafebeefu, NCCL_CONFIG_SINCE, 0, 0 }

/* X(name, parameters): every function. */
#define WW__NCCL_FUNCTIONS(X) \
    X(ncclGetVersion, (int *version)) \
    X(ncclGetUniqueId, (ww_nccl_id * id)) \
    X(ncclCommInitRankConfig, (ncclComm_t * made, int ranks, ww_nccl_id id, int rank, ncclConfig *config)) \
    X(ncclCommGetAsyncError, (ncclComm_t communicator, ncclResult_t * result)) \
    X(ncclCommFinalize, (ncclComm_t communicator)) \
    X(ncclCommDestroy, (ncclComm_t communicator)) \
    X(ncclCommAbort, (ncclComm_t communicator)) \
    X(ncclGroupStart, (void)) \
    X(ncclGroupEnd, (void)) \
    X(ncclSend, \
      (const void *from, size_t count, ncclDataType_t type, int peer, ncclComm_t communicator, void *stream)) \
    X(ncclRecv, (void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t communicator, void *stream)) \
    X(ncclAllGather, \
      (const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t communicator, void *stream))

typedef struct ww__nccl_api {
#define WW__NCCL_MEMBER(name, parameters) ncclResult_t(*name) parameters;
    WW__NCCL_FUNCTIONS(WW__NCCL_MEMBER)
#undef WW__NCCL_MEMBER
    const char *(*ncclGetErrorString)(ncclResult_t result);
    int version;   /* 22809 is 2.28.9 */
    bool emulated; /* it moves the emulator's memory: a library of the tests' */
} ww__nccl_api;

/* Opens WARPWISE_NCCL (a file), or the libnccl.so.2 that the loader finds, the toolkit's, or that of Python's packages (below HOME only
 * what device/trust.h trusts). It stays loaded, as NCCL has threads of its own. False with a sentence in `why`. */
bool ww__nccl_api_open(ww__nccl_api *api, char *why, size_t room);

#endif
