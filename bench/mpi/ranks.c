/* What a group over MPI takes, beside MPI itself and beside one process:
 *
 *     mpirun -n 4 build/bench-mpi-openmpi [KEYS]          KEYS of u32 a rank, 2^24 unless said
 *
 *   exchange   blocks of random, unequal lengths from each rank to each, by the engine and by MPI_Alltoallv, in turn
 *   sort       ww_group_sort of all ranks' keys, each rank on one thread, and ww_sort of the whole array by rank 0 alone on two
 *              threads with a copy of it, in turn; the sorted blocks are held against it
 *
 * Medians of REPEATS; the slowest rank counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warpwise.h"
#include "warpwise/group_mpi.h"

enum { REPEATS = 7 };

static int rank, ranks;

static void stop(const char *what, const char *why) {
    fprintf(stderr, "rank %d: %s: %s\n", rank, what, why);
    exit(EXIT_FAILURE); /* mpirun ends the others */
}

static void *take(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) stop("memory", "none");
    return memset(memory, 1, bytes);
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds) {
    qsort(seconds, REPEATS, sizeof *seconds, by_value);
    return seconds[REPEATS / 2];
}

/* The time from when all are here until the slowest one is done. */
static double since(double begin) {
    double mine = MPI_Wtime() - begin, slowest = 0;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

static double now_all(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static uint32_t mixed(uint64_t x) {
    x ^= x >> 31, x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 29, x *= 0x94d049bb133111ebu;
    return (uint32_t)(x ^ x >> 32);
}

/* Between half of an equal part and one and a half. */
static uint64_t part(uint64_t bytes, int from, int to) {
    const uint64_t equal = bytes / (uint64_t)ranks;
    return equal / 2 + mixed((uint64_t)from * 1000 + (uint64_t)to + 1) % (equal + 1);
}

static void exchange(ww_engine *e, uint64_t bytes) {
    uint64_t at[4][64], out = 0, in = 0;
    int numbers[4][64];
    char why[WW_ENGINE_WHY] = "";
    double ours[REPEATS], theirs[REPEATS];
    for (int r = 0; r < ranks; r++) {
        at[0][r] = out, at[1][r] = part(bytes, rank, r), out += at[1][r];
        at[2][r] = in, at[3][r] = part(bytes, r, rank), in += at[3][r];
        for (int k = 0; k < 4; k++) numbers[k][r] = (int)at[k][r];
    }
    unsigned char *send = take(out), *receive = take(in), *expected = take(in);
    for (uint64_t i = 0; i < out; i++) send[i] = (unsigned char)mixed(i + ((uint64_t)rank << 40));
    for (int k = 0; k < REPEATS; k++) {
        double begin = now_all();
        ww_status status = e->exchange(e->state, send, at[0], at[1], receive, at[2], at[3], why);
        if (!status) status = e->wait(e->state, 60000, why);
        ours[k] = since(begin);
        if (status) stop("exchange", why);
        begin = now_all();
        MPI_Alltoallv(send, numbers[1], numbers[0], MPI_BYTE, expected, numbers[3], numbers[2], MPI_BYTE, MPI_COMM_WORLD);
        theirs[k] = since(begin);
        if (memcmp(receive, expected, in)) stop("exchange", "not what MPI_Alltoallv gives");
    }
    const double us = median(ours), them = median(theirs);
    if (!rank)
        printf("exchange of %9llu bytes a rank  %8.3f ms   MPI_Alltoallv %8.3f ms   rate %5.2f of it\n", (unsigned long long)bytes,
               us * 1e3, them * 1e3, them / us);
    free(send), free(receive), free(expected);
}

static void sort(ww_device *device, ww_group *group, size_t n) {
    uint32_t *keys = take(n * 4), *sorted = take(n * 4), *whole = NULL, *all = NULL, *copied = NULL;
    double ours[REPEATS], one[REPEATS];
    ww_device *two = NULL;
    for (size_t i = 0; i < n; i++) keys[i] = mixed(i + ((uint64_t)rank << 40));
    if (!rank) {
        whole = take(n * 4 * (size_t)ranks), all = take(n * 4 * (size_t)ranks), copied = take(n * 4 * (size_t)ranks);
        if (ww_open("cpu:threads=2", &two)) stop("ww_open", ww_error(two));
    }
    MPI_Gather(keys, (int)n, MPI_UINT32_T, whole, (int)n, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    for (int k = 0; k < REPEATS; k++) {
        double begin = now_all();
        if (ww_group_sort(group, ww_from(ww_array(keys, n)), ww_no_input, ww_array(sorted, n), ww_none, NULL))
            stop("ww_group_sort", ww_group_error(group));
        ours[k] = since(begin);
        begin = now_all();
        if (!rank) {
            if (ww_sort(two, ww_from(ww_array(whole, n * (size_t)ranks)), ww_no_input, ww_array(all, n * (size_t)ranks), ww_none, NULL))
                stop("ww_sort", ww_error(two));
            memcpy(copied, all, n * 4 * (size_t)ranks);
        }
        one[k] = MPI_Wtime() - begin;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    const uint32_t *expected = keys;
    MPI_Scatter(all, (int)n, MPI_UINT32_T, keys, (int)n, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    if (memcmp(expected, sorted, n * 4)) stop("ww_group_sort", "not what ww_sort gives");
    const double us = median(ours), them = median(one);
    if (!rank)
        printf("sort of %9zu u32 a rank        %8.3f ms   one process, 2 threads, and a copy %8.3f ms   %5.2f times as long\n", n,
               us * 1e3, them * 1e3, us / them);
    ww_close(two);
    free(keys), free(sorted), free(whole), free(all), free(copied);
    (void)device;
}

int main(int count, char **arguments) {
    int provided;
    ww_engine engine, second;
    ww_device *device;
    ww_group *group;
    char why[WW_ENGINE_WHY];
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const size_t n = count > 1 ? strtoull(arguments[1], NULL, 10) : (size_t)1 << 24;
    if (ranks > 64) stop("ranks", "at most 64");
    if (ww_open("cpu:threads=1", &device)) stop("ww_open", ww_error(device));
    if (ww_engine_mpi(MPI_COMM_WORLD, 0, &engine, why) || ww_engine_mpi(MPI_COMM_WORLD, 0, &second, why)) stop("ww_engine_mpi", why);
    if (ww_group_open(device, &engine, NULL, &group)) stop("ww_group_open", ww_group_error(group));
    for (uint64_t bytes = 1 << 10; bytes <= 1 << 26; bytes *= 16) exchange(&second, bytes);
    for (size_t keys = 1 << 12; keys < n; keys *= 64) sort(device, group, keys);
    sort(device, group, n);
    second.close(second.state);
    ww_group_close(group);
    ww_close(device);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
