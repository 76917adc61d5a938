/* The rules of engines, held against the one over MPI, on as many ranks as mpirun has started. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine_rules.h"
#include "warpwise/group_mpi.h"

static bool opened(ww_engine *engine) {
    char why[WW_ENGINE_WHY];
    ww_status status = ww_engine_mpi(MPI_COMM_WORLD, 0, engine, why);
    if (status) fprintf(stderr, "ww_engine_mpi: %d: %s\n", (int)status, why);
    return status == WW_OK;
}

/* What is wrong before a group is there. */
static bool refuses(void) {
    ww_engine engine;
    char why[WW_ENGINE_WHY];
    return ww_engine_mpi(MPI_COMM_NULL, 0, &engine, why) == WW_INVALID && strstr(why, "none") &&
           ww_engine_mpi(MPI_COMM_WORLD, 0, NULL, why) == WW_INVALID;
}

int main(int count, char **arguments) {
    ww_engine engine;
    char why[WW_ENGINE_WHY];
    const uint64_t most = count > 1 ? strtoull(arguments[1], NULL, 10) : 100000;
    bool right = ww_engine_mpi(MPI_COMM_WORLD, 0, &engine, why) == WW_UNSUPPORTED && strstr(why, "not initialised");
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    right = right && refuses();
    for (uint64_t seed = 1; seed <= 2; seed++)
        right = right && opened(&engine) && rule_bytes_arrive(&engine, seed, most);
    if (ranks > 1) {
        right = right && opened(&engine) && rule_closing_keeps_what_ended(&engine, 3, true);
        right = right && opened(&engine) && rule_abort_is_told(&engine, true);
        right = right && opened(&engine) && rule_silence_is_lost(&engine);
        /* A group that was lost is in nobody's way. */
        MPI_Barrier(MPI_COMM_WORLD);
        right = right && opened(&engine) && rule_bytes_arrive(&engine, 4, 1000);
    }
    if (!right) {
        fprintf(stderr, "rank %d failed\n", rank);
        return EXIT_FAILURE; /* mpirun ends the others */
    }
    MPI_Finalize();
    if (ww_engine_mpi(MPI_COMM_WORLD, 0, &engine, why) != WW_UNSUPPORTED || !strstr(why, "finalised"))
        return EXIT_FAILURE;
    if (!rank) printf("%d ranks: right\n", ranks);
    return EXIT_SUCCESS;
}
