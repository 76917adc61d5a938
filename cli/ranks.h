/* --group=mpi: the processes that mpirun started do a subcommand's work together, each with its part of every file.
 *
 * All of MPI is in libwarpwise-mpi, which is looked for when a line says --group=mpi, and not before. The ranks first compare
 * their lines. From then on what they say is said once: sentences are held, and when ranks agree on what became of a step, that
 * of the lowest one that failed is printed, and all have its exit status. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include <warpwise.h>

typedef struct mpi_ranks mpi_ranks;

/* Whether a line asks for it, by any spelling that argp takes. */
bool ranks_asked(int argc, char *const *argv);

/* Opens MPI, and compares lines. What is printed until ranks_parsed only rank 0 prints: the line is parsed meanwhile, which
 * ends the process where it is wrong. NULL: it failed with *status, and that is said. MPI ends with the process
 * at the latest. */
mpi_ranks *ranks_begin(const char *command, int argc, char *const *argv, int *status);
void ranks_parsed(mpi_ranks *r);

/* This rank among those of its machine, and the threads that a CPU of its own should have. */
uint32_t ranks_on_host(const mpi_ranks *r);
uint32_t ranks_threads(const mpi_ranks *r);
bool ranks_is_first(const mpi_ranks *r); /* rank 0 */

/* Opens the group on this rank's device; false: the status and sentence of ranks_group_failed. */
ww_status ranks_open(mpi_ranks *r, ww_device *device);
ww_group *ranks_group(const mpi_ranks *r);
void ranks_close(mpi_ranks *r); /* before the device is closed */

/* Keeps a sentence in place of printing it. */
void ranks_hold(mpi_ranks *r, const char *sentence);

/* Every rank comes with its status so far, and all leave with that of the lowest one that failed, or DONE; its sentence is
 * printed. A number, if not NULL, becomes the sum of all ranks'. */
int ranks_agree(mpi_ranks *r, const char *command, int status, uint64_t *number);

/* After a call of the group's that returned LOST: nobody is asked any more. */
void ranks_lost(mpi_ranks *r);

#endif
