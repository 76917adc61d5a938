/* Groups over MPI, on as many ranks as mpirun has started: what comes out has the bytes of one device's call on the whole array, which
 * every rank makes for itself. (What groups do in all cases is tested on threads; this is about the way through MPI.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warpwise.h"
#include "warpwise/group_mpi.h"

enum { MOST = 200000 };

static int rank, ranks;

/* Where rank r's block begins: some are empty, the last ones longer. */
static size_t begin_of(size_t n, int r) {
    if (r >= ranks) return n;
    return r % 3 == 1 ? begin_of(n, r + 1) : (size_t)r * (size_t)r * n / ((size_t)ranks * (size_t)ranks);
}

#define REQUIRE(condition)                                                                           \
    do {                                                                                             \
        if (!(condition)) {                                                                          \
            fprintf(stderr, "rank %d of %d, line %d: %s\n", rank, ranks, __LINE__, #condition);      \
            return false;                                                                            \
        }                                                                                            \
    } while (0)

typedef struct whole { /* one device's */
    uint64_t keys[MOST], sorted[MOST];
    uint32_t values[MOST], moved[MOST];
    float numbers[MOST];
} whole;

static bool sorts(ww_device *device, ww_group *group, whole *w, size_t n) {
    static uint64_t sorted[MOST];
    static uint32_t moved[MOST];
    const size_t first = begin_of(n, rank), count = begin_of(n, rank + 1) - first;
    REQUIRE(!ww_sort(device, ww_from(ww_array(w->keys, n)), ww_from(ww_array(w->values, n)), ww_array(w->sorted, n),
                     ww_array(w->moved, n), NULL));
    memset(sorted, 0xa5, sizeof sorted);
    REQUIRE(!ww_group_sort(group, ww_from(ww_array(w->keys + first, count)), ww_from(ww_array(w->values + first, count)),
                           ww_array(sorted, count), ww_array(moved, count), NULL));
    REQUIRE(!memcmp(sorted, w->sorted + first, count * sizeof *sorted));
    REQUIRE(!memcmp(moved, w->moved + first, count * sizeof *moved));
    return true;
}

static bool reduces(ww_device *device, ww_group *group, whole *w, size_t n) {
    const size_t first = begin_of(n, rank), count = begin_of(n, rank + 1) - first;
    float one = 0, all = 1;
    uint32_t expected[100], counts[100];
    REQUIRE(!ww_reduce(device, &ww_add, ww_from(ww_array(w->numbers, n)), ww_array(&one, 1)));
    REQUIRE(!ww_group_reduce(group, &ww_add, ww_from(ww_array(w->numbers + first, count)), ww_array(&all, 1)));
    REQUIRE(!memcmp(&one, &all, sizeof one));
    const ww_value low = ww_value(uint64_t, 0), high = ww_value(uint64_t, 1000);
    REQUIRE(!ww_histogram_even(device, ww_from(ww_array(w->keys, n)), low, high, ww_array(expected, 100), ww_none, NULL));
    REQUIRE(!ww_group_histogram_even(group, ww_from(ww_array(w->keys + first, count)), low, high, ww_array(counts, 100), ww_none,
                                     NULL));
    REQUIRE(!memcmp(expected, counts, sizeof counts));
    return true;
}

static bool refuses(ww_group *group) {
    uint32_t one = 1;
    if (ranks < 2) return true;
    char named[32];
    snprintf(named, sizeof named, "rank %d", ranks - 1);
    ww_status status = rank == ranks - 1
                           ? ww_group_reduce(group, &ww_add, ww_from(ww_array(&one, 1)), ww_array(&one, 0))
                           : ww_group_reduce(group, &ww_add, ww_from(ww_array(&one, 1)), ww_array(&one, 1));
    REQUIRE(status == WW_INVALID && strstr(ww_group_error(group), named) && one == 1);
    return true;
}

static bool all_right(ww_device *device, ww_group *group, whole *w) {
    const size_t sizes[] = {0, 1, 100, 4097, MOST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t n = sizes[i];
        for (size_t k = 0; k < n; k++) {
            w->keys[k] = (k * 2654435761u + i) % 1000; /* many are equal */
            w->values[k] = (uint32_t)k;
            w->numbers[k] = (float)((k * 7919 + i) % 1013) / 7;
        }
        if (!sorts(device, group, w, n) || !reduces(device, group, w, n)) return false;
    }
    return refuses(group);
}

int main(void) {
    int provided;
    ww_device *device;
    ww_engine engine;
    ww_group *group;
    char why[WW_ENGINE_WHY];
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    whole *w = malloc(sizeof *w);
    bool right = w && !ww_open("cpu:threads=1", &device) && !ww_engine_mpi(MPI_COMM_WORLD, 0, &engine, why) &&
                 !ww_group_open(device, &engine, NULL, &group) && all_right(device, group, w);
    if (!right) return EXIT_FAILURE; /* mpirun ends the others */
    ww_group_close(group);
    ww_close(device);
    free(w);
    MPI_Finalize();
    if (!rank) printf("%d ranks: right\n", ranks);
    return EXIT_SUCCESS;
}
