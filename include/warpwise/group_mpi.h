/* Groups over MPI: libwarpwise-mpi, a separate library, so that libwarpwise needs no MPI.
 *
 *     MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
 *     ww_open(NULL, &device);
 *     if (ww_engine_mpi(MPI_COMM_WORLD, 0, &engine, why)) puts(why);
 *     else if (ww_group_open(device, &engine, NULL, &group)) puts(ww_group_error(group));
 *     …
 *     ww_group_close(group);
 *     ww_close(device);
 *     MPI_Finalize();
 *
 * It is built once for each implementation of MPI, as libwarpwise-mpi-openmpi.so and libwarpwise-mpi-mpich.so: a program links
 * the one for the MPI that it is compiled with. Blocks on a GPU are copied through pinned host memory.
 *
 * Exchanges are made of MPI_Isend and MPI_Irecv in chunks of at most 1 GiB: their counts fit in 32 bits, and every version of
 * MPI has them. Waiting polls MPI, and yields the processor to others meanwhile.
 *
 * Faults are statuses: MPI_ERRORS_RETURN is set on the communicator's duplicate, and MPI_Abort is never called. A rank that
 * closes or gives up tells the others; one that does not arrive is LOST when the limit has passed. When a rank's process dies,
 * the launcher decides: mpirun ends the other ranks, too, unless it is told otherwise (Open MPI 5: --with-ft ulfm). MPI
 * promises nothing after a fault and cannot always take back what has begun: after an exchange that is LOST, MPI may still
 * write to where it receives, until MPI_Finalize. */
#ifndef WARPWISE_GROUP_MPI_H
#define WARPWISE_GROUP_MPI_H

#include <mpi.h>

#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One rank's engine over a communicator, which is duplicated. All ranks of the communicator call this, and wait for each
 * other at most limit_ms milliseconds (0: a minute). What goes wrong is a sentence in `why` (WW_ENGINE_WHY bytes, or NULL).
 * Statuses: UNSUPPORTED (MPI is not initialised, or finalised already; this is another thread than that of MPI_Init, and MPI
 * was initialised without MPI_THREAD_SERIALIZED), INVALID (an intercommunicator, MPI_COMM_NULL), LOST, MEMORY. */
WW_API ww_status ww_engine_mpi(MPI_Comm communicator, uint64_t limit_ms, ww_engine *engine, char *why);

/* The same over all processes that mpirun started, for programs that know nothing of MPI: it initialises MPI where nobody has.
 * Then the engine's `close` finalises it, and so waits for the other ranks, unless one was LOST. */
WW_API ww_status ww_engine_mpi_world(uint64_t limit_ms, ww_engine *engine, char *why);

#ifdef __cplusplus
}
#endif
#endif
