/* Groups over NCCL: GPUs of one host or of many, a process or a thread a GPU.
 *
 *     if (rank == 0) ww_nccl_id_draw(&id, why);           one rank draws an id; the others get it by what
 *     MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, …);          started the ranks: a file, a socket, MPI
 *     ww_open("cuda", &device);
 *     if (ww_group_open_nccl(device, rank, ranks, &id, &group)) puts(ww_group_error(group));
 *     …
 *     ww_group_close(group);
 *     ww_close(device);
 *
 * NCCL (2.14 or newer) is opened when it is first asked for: the file that WARPWISE_NCCL names, else the libnccl.so.2 that the
 * loader finds, or that lies in the toolkit's folder or in that of Python's packages. Nothing else of the library needs it.
 *
 * Exchanges are groups of ncclSend and ncclRecv between the GPUs' memory; numbers of bytes are of 64 bits. A rank's block for
 * itself is a copy. Ranks of one host, up to 64, pass a few bytes through memory that they share. Communicators are
 * non-blocking: if a rank does not arrive or dies, the others get LOST when the limit has passed, or as soon as NCCL says so;
 * if one gives up, those on its host get it at once. The communicator is then aborted.
 * NCCL has no two ranks on one GPU unless NCCL_MULTI_RANK_GPU_ENABLE=1 allows it (2.30 or newer); ww_engines_local has. */
#ifndef WARPWISE_GROUP_NCCL_H
#define WARPWISE_GROUP_NCCL_H

#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* By this id ranks find each other: ncclUniqueId's bytes. */
typedef struct ww_nccl_id {
    char bytes[128];
} ww_nccl_id;

/* A new id, for one group. `why` (WW_ENGINE_WHY bytes, or NULL) has a sentence where it fails.
 * Statuses: INVALID, UNSUPPORTED (there is no NCCL here, or an old one), LOST (NCCL's own failure). */
WW_API ww_status ww_nccl_id_draw(ww_nccl_id *id, char *why);

/* One rank's engine, for ww_group_open with options. All `ranks` ranks call this with the same id, and wait for each other at
 * most limit_ms milliseconds (0: a minute). The device is a GPU opened by its name, which stays open as long as the engine.
 * Statuses: INVALID, UNSUPPORTED (no NCCL, or no GPU of NVIDIA's), LOST, MEMORY. */
WW_API ww_status ww_engine_nccl(ww_device *device, uint32_t rank, uint32_t ranks, const ww_nccl_id *id,
                                uint64_t limit_ms, ww_engine *engine, char *why);

/* The engine and a group on it in one call. As with ww_group_open, *group is a handle that ww_group_error explains and
 * ww_group_close frees, after a failure too; NULL if not even that could be allocated (MEMORY), or device or group is NULL. */
WW_API ww_status ww_group_open_nccl(ww_device *device, uint32_t rank, uint32_t ranks, const ww_nccl_id *id,
                                    ww_group **group);

#ifdef __cplusplus
}
#endif
#endif
