/* What groups take whose ranks are GPUs of one host, a thread each:
 *
 *     build/bench-group-gpus [LOG2 [RANKS [WHAT [DEVICE]]]]          2^LOG2 of u32 a GPU, 2^30 unless said; RANKS: all GPUs
 *                                                           unless said; WHAT: letters, see `rows`; all unless said; DEVICE: all
 *                                                           ranks' ("emu" is to try the program), a GPU each unless said
 *
 * Each row is run by all ranks, from a barrier to the next one; T is the same of one GPU on its share alone, in the same run. L is an
 * exchange by NCCL of equal blocks, 1 GiB a GPU. Medians of SAMPLES, after a run that is not counted. What comes out is checked. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "warpwise.h"

enum { RANKS_MOST = 8, SAMPLES = 5, BUCKETS = 256, FIRST = 1000, ARRAYS = 4 };

WW_MAP2(falls, uint64_t, uint32_t, a, uint32_t, b, void, none, { return a > b; });
WW_MAP2(falls_u64, uint64_t, uint64_t, a, uint64_t, b, void, none, { return a > b; });
WW_MAP(bucket_in, uint32_t, uint32_t, x, void, none, { return x >> 24; });
WW_MAP(key_of, uint32_t, uint32_t, i, void, none, { return i * 2654435761u; });

typedef struct rank {
    pthread_t thread;
    uint32_t number;
    ww_engine local, nccl;
    ww_device *device;
    ww_group *group;
    const char *engine;
    uint32_t *a[ARRAYS]; /* each of 4 n bytes */
    uint64_t n;          /* u32 of this rank */
    ww_group_slab *shards;
    ww_slab *slab;
} rank;

static pthread_barrier_t meeting;
static uint32_t ranks;
static uint64_t whole;
static const char *device_name;
static const char *what = "xsSfoicrhtFndk";
static ww_nccl_id id;
static bool has_nccl;
static double shared_ms, link_rate;
static const ww_bits highest = {24, 8};

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void must(const rank *r, ww_status status, const char *doing) {
    if (!status) return;
    const char *said = r->group && ww_group_error(r->group)[0] ? ww_group_error(r->group) : ww_error(r->device);
    fprintf(stderr, "rank %u: %s: %s: %s\n", r->number, doing, ww_status_name(status), said);
    exit(EXIT_FAILURE);
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All ranks do it, or rank 0 alone: milliseconds of the slowest, the same on all ranks. */
typedef ww_status work(rank *r);
static double timed(rank *r, work *before, work *w, bool alone, int samples, const char *doing) {
    double ms[SAMPLES];
    for (int k = -1; k < samples; k++) {
        if (before && (!alone || !r->number)) must(r, before(r), doing);
        must(r, ww_sync(r->device), doing);
        pthread_barrier_wait(&meeting);
        const double begin = milliseconds();
        if (!alone || !r->number) {
            must(r, w(r), doing);
            must(r, ww_sync(r->device), doing);
        }
        pthread_barrier_wait(&meeting);
        if (k >= 0) ms[k] = milliseconds() - begin;
    }
    qsort(ms, (size_t)samples, sizeof *ms, by_value);
    if (!r->number) shared_ms = ms[samples / 2];
    pthread_barrier_wait(&meeting);
    const double median = shared_ms;
    pthread_barrier_wait(&meeting);
    return median;
}

static void tell(const rank *r, const char *row, uint64_t n, double ms, double alone_ms, const char *ratio_name,
                 double ratio) {
    if (r->number) return;
    printf("%-36s %-5s ranks %u  n %-11llu %9.3f ms", row, r->engine, ranks, (unsigned long long)n, ms);
    if (alone_ms > 0) printf("  T %9.3f ms", alone_ms);
    printf("  %s %.3f\n", ratio_name, ratio);
    fflush(stdout);
}

/* ---- data ---- */

static void fill(rank *r, char how) {
    ww_status status = WW_OK;
    const uint64_t n = r->n, first = n * r->number;
    const ww_random from = {.seed = 2026, .stream = 0, .offset = first};
    const ww_array keys = ww_array(r->a[0], n);
    if (how == 'u') status = ww_random_fill(r->device, from, keys);
    if (how == 'f') status = ww_random_below(r->device, from, 16, keys);
    if (how == 's') status = ww_store(r->device, ww_counting(&ww_type_uint32_t, first, n), keys);
    if (how == 'r')
        status = ww_store(r->device, ww_reversed(ww_counting(&ww_type_uint32_t, n * ranks - first - n, n)), keys);
    must(r, status, "data");
}

/* ---- exchanges ---- */

static uint64_t send_at[RANKS_MOST][RANKS_MOST], send[RANKS_MOST][RANKS_MOST], come_at[RANKS_MOST][RANKS_MOST],
    come[RANKS_MOST][RANKS_MOST];

static ww_status exchange_raw(rank *r) {
    const uint32_t me = r->number;
    char why[WW_ENGINE_WHY] = "";
    ww_status status = r->nccl.exchange(r->nccl.state, r->a[0], send_at[me], send[me], r->a[1], come_at[me], come[me],
                                        why);
    if (!status) status = r->nccl.wait(r->nccl.state, 60000, why);
    if (status) fprintf(stderr, "%s\n", why);
    return status;
}

static ww_status exchange(rank *r) {
    uint64_t counts[RANKS_MOST];
    for (uint32_t q = 0; q < ranks; q++) counts[q] = send[r->number][q] / 4;
    return ww_group_exchange(r->group, ww_memory(r->a[0], r->n), counts, ww_array(r->a[1], 2 * r->n), NULL);
}

/* Blocks of `bytes` a rank in all: equal ones; or of which 1.25 equal parts go to each other rank, the rest to itself. Fills the
 * numbers of rank r; the bytes that leave a GPU. */
static uint64_t plan(const rank *r, uint64_t bytes, bool equal) {
    const uint64_t part = bytes / ranks / 4 * 4, more = equal ? part : part / 4 * 5 / 4 * 4;
    uint64_t leaves = 0;
    for (uint32_t q = 0; q < ranks; q++) send[r->number][q] = q == r->number ? bytes - (ranks - 1) * more : more;
    pthread_barrier_wait(&meeting);
    uint64_t out = 0, in = 0;
    for (uint32_t q = 0; q < ranks; q++) {
        send_at[r->number][q] = out;
        come_at[r->number][q] = in;
        come[r->number][q] = send[q][r->number];
        out += send[r->number][q];
        in += send[q][r->number];
        if (q != r->number) leaves += send[r->number][q];
    }
    pthread_barrier_wait(&meeting);
    return leaves;
}

static void rows_of_exchange(rank *r, bool raw) {
    const uint64_t most = whole * 4, bytes = most < 1u << 30 ? most : 1u << 30;
    for (int unequal = 0; unequal < 2; unequal++) {
        const uint64_t leaves = plan(r, bytes, !unequal);
        r->n = bytes / 4;
        const double ms = timed(r, NULL, raw ? exchange_raw : exchange, false, SAMPLES, "exchange");
        const double rate = (double)leaves / ms * 1e-6;
        pthread_barrier_wait(&meeting);
        if (raw && !unequal && !r->number) link_rate = rate;
        pthread_barrier_wait(&meeting);
        if (!r->number) printf("%-36s %-5s %.1f GB/s leave a GPU; ", "", r->engine, rate);
        tell(r,
             raw       ? "NCCL's sends and receives"
             : unequal ? "exchange, unequal blocks"
                       : "exchange, equal blocks",
             r->n, ms, 0, "of L", link_rate > 0 ? rate / link_rate : 0);
    }
}

/* ---- sorting ---- */

static ww_status sort_all(rank *r) {
    return ww_group_sort(r->group, ww_memory(r->a[0], r->n), ww_no_input, ww_array(r->a[1], r->n), ww_none, NULL);
}
static ww_status sort_own(rank *r) {
    return ww_sort(r->device, ww_memory(r->a[0], r->n), ww_no_input, ww_array(r->a[1], r->n), ww_none, NULL);
}
static ww_status sort_pairs(rank *r) {
    uint64_t *const *x = (uint64_t *const *)(const void *)r->a;
    return ww_group_sort(r->group, ww_memory(x[0], r->n), ww_memory(x[1], r->n), ww_array(x[2], r->n),
                         ww_array(x[3], r->n), NULL);
}
static ww_status sort_own_pairs(rank *r) {
    uint64_t *const *x = (uint64_t *const *)(const void *)r->a;
    return ww_sort(r->device, ww_memory(x[0], r->n), ww_memory(x[1], r->n), ww_array(x[2], r->n), ww_array(x[3], r->n),
                   NULL);
}

/* In order within the block and from block to block, and of the same sum. */
static void check_sorted(rank *r, bool pairs) {
    static uint64_t first[RANKS_MOST], last[RANKS_MOST], sum[2];
    const uint64_t n = r->n, *wide = (const uint64_t *)(const void *)r->a[2];
    const uint32_t *narrow = r->a[1];
    uint64_t bad = 0, sums[2] = {0, 0};
    const ww_input before = pairs ? ww_memory((const uint64_t *)(const void *)r->a[0], n)
                                  : ww_cast(&ww_type_uint64_t, ww_memory(r->a[0], n));
    const ww_input after = pairs ? ww_memory(wide, n) : ww_cast(&ww_type_uint64_t, ww_memory(narrow, n));
    must(r,
         ww_reduce(r->device, &ww_add,
                   pairs ? ww_mapped2(&falls_u64_ww, ww_memory(wide, n - 1), ww_memory(wide + 1, n - 1))
                         : ww_mapped2(&falls_ww, ww_memory(narrow, n - 1), ww_memory(narrow + 1, n - 1)),
                   ww_array(&bad, 1)),
         "check");
    must(r, ww_group_reduce(r->group, &ww_add, before, ww_array(&sums[0], 1)), "check");
    must(r, ww_group_reduce(r->group, &ww_add, after, ww_array(&sums[1], 1)), "check");
    uint64_t ends[2] = {0, 0};
    uint32_t small[2];
    if (pairs) {
        must(r, ww_copy(r->device, ww_memory(wide, 1), ww_array(&ends[0], 1)), "check");
        must(r, ww_copy(r->device, ww_memory(wide + n - 1, 1), ww_array(&ends[1], 1)), "check");
    } else {
        must(r, ww_copy(r->device, ww_memory(narrow, 1), ww_array(&small[0], 1)), "check");
        must(r, ww_copy(r->device, ww_memory(narrow + n - 1, 1), ww_array(&small[1], 1)), "check");
        must(r, ww_sync(r->device), "check");
        ends[0] = small[0], ends[1] = small[1];
    }
    must(r, ww_sync(r->device), "check");
    first[r->number] = ends[0], last[r->number] = ends[1];
    if (!r->number) sum[0] = sums[0], sum[1] = sums[1];
    pthread_barrier_wait(&meeting);
    for (uint32_t q = 1; q < ranks; q++) bad += first[q] < last[q - 1];
    if (bad || sum[0] != sum[1]) {
        fprintf(stderr, "rank %u: not sorted: %llu falls\n", r->number, (unsigned long long)bad);
        exit(EXIT_FAILURE);
    }
    pthread_barrier_wait(&meeting);
}

static double uniform_ms;
static void row_of_sort(rank *r, char how, const char *name) {
    r->n = whole;
    fill(r, how);
    const double ms = timed(r, NULL, sort_all, false, SAMPLES, name);
    check_sorted(r, false);
    if (how == 'u') {
        const double alone = timed(r, NULL, sort_own, true, SAMPLES, name);
        if (!r->number) uniform_ms = ms;
        tell(r, name, r->n, ms, alone, "T / time", alone / ms);
    } else {
        tell(r, name, r->n, ms, 0, "time / uniform's", uniform_ms > 0 ? ms / uniform_ms : 0);
    }
}

static void row_of_pairs(rank *r) {
    r->n = whole / 4;
    for (int k = 0; k < 2; k++)
        must(r,
             ww_random_fill(r->device, (ww_random){.seed = 7, .stream = (uint32_t)k, .offset = r->n * r->number},
                            ww_array((uint64_t *)(void *)r->a[k], r->n)),
             "data");
    const double ms = timed(r, NULL, sort_pairs, false, SAMPLES, "pairs");
    check_sorted(r, true);
    const double alone = timed(r, NULL, sort_own_pairs, true, SAMPLES, "pairs");
    tell(r, "sort, u64 + u64, uniform", r->n, ms, alone, "T / time", alone / ms);
}

static void rows_of_small_sorts(rank *r) {
    for (unsigned lg = 10; lg <= 24 && (uint64_t)1 << lg <= whole; lg += lg == 10 ? 10 : 4) {
        r->n = (uint64_t)1 << lg;
        fill(r, 'u');
        const double ms = timed(r, NULL, sort_all, false, SAMPLES, "sort");
        check_sorted(r, false);
        const double alone = timed(r, NULL, sort_own, true, SAMPLES, "sort");
        tell(r, "sort, u32, few", r->n, ms, alone, "µs more", (ms - alone) * 1e3);
    }
}

/* ---- the others ---- */

static uint64_t came[RANKS_MOST];
static ww_status split_all(rank *r) {
    return ww_group_split(r->group, ww_with(ww_by_bits, &highest), BUCKETS, NULL, ww_memory(r->a[0], r->n), ww_no_input,
                          ww_array(r->a[1], r->n + r->n / 2), ww_none, ww_none, NULL, &came[r->number]);
}
/* Buckets in order, and all keys there. */
static void check_split(rank *r) {
    const uint64_t many = came[r->number];
    uint64_t falls_found = 0, sums[2] = {0, 0};
    if (many > 1)
        must(r,
             ww_reduce(r->device, &ww_add,
                       ww_mapped2(&falls_ww, ww_mapped(&bucket_in_ww, ww_memory(r->a[1], many - 1)),
                                  ww_mapped(&bucket_in_ww, ww_memory(r->a[1] + 1, many - 1))),
                       ww_array(&falls_found, 1)),
             "check");
    must(r,
         ww_group_reduce(r->group, &ww_add, ww_cast(&ww_type_uint64_t, ww_memory(r->a[0], r->n)), ww_array(&sums[0], 1)),
         "check");
    must(r,
         ww_group_reduce(r->group, &ww_add, ww_cast(&ww_type_uint64_t, ww_memory(r->a[1], many)), ww_array(&sums[1], 1)),
         "check");
    must(r, ww_sync(r->device), "check");
    if (falls_found || sums[0] != sums[1]) must(r, WW_LOST, "not split");
}
static ww_status split_own(rank *r) {
    return ww_multisplit(r->device, ww_with(ww_by_bits, &highest), BUCKETS, ww_memory(r->a[0], r->n), ww_no_input,
                         ww_array(r->a[1], r->n), ww_none, ww_none, NULL);
}
static void row_of_split(rank *r) {
    r->n = whole / 2; /* outputs have room for more than comes */
    fill(r, 'u');
    plan(r, r->n * 4, true);
    const double ms = timed(r, NULL, split_all, false, SAMPLES, "split");
    check_split(r);
    const double apart = timed(r, NULL, split_own, true, SAMPLES, "multisplit"),
                 moved = timed(r, NULL, exchange, false, SAMPLES, "exchange");
    tell(r, "split, 256 buckets", r->n, ms, apart + moved, "time / (multisplit + exchange)", ms / (apart + moved));
}

static uint32_t results[RANKS_MOST][1024];
static ww_status reduce_all(rank *r) {
    return ww_group_reduce(r->group, &ww_add, ww_memory(r->a[0], r->n), ww_array(results[r->number], 1));
}
static ww_status reduce_own(rank *r) {
    return ww_reduce(r->device, &ww_add, ww_memory(r->a[0], r->n), ww_array(results[r->number], 1));
}
static ww_status count_all(rank *r) {
    return ww_group_histogram(r->group, ww_with(ww_by_bits, &highest), ww_memory(r->a[0], r->n),
                              ww_array(results[r->number], BUCKETS), ww_none, NULL);
}
static ww_status count_own(rank *r) {
    return ww_histogram(r->device, ww_with(ww_by_bits, &highest), ww_memory(r->a[0], r->n),
                        ww_array(results[r->number], BUCKETS), ww_none, NULL);
}
static ww_status choose_all(rank *r) {
    return ww_group_top_k(r->group, ww_memory(r->a[0], r->n), ww_no_input, ww_array(results[r->number], FIRST), ww_none,
                          NULL);
}
static ww_status choose_own(rank *r) {
    return ww_top_k(r->device, ww_memory(r->a[0], r->n), ww_no_input, ww_array(results[r->number], FIRST), ww_none,
                    NULL);
}
static uint64_t found[RANKS_MOST];
static ww_status find_all(rank *r) {
    return ww_group_find(r->group, ww_memory((const uint8_t *)r->a[0], r->n * 4), "pattern", 7, ww_none,
                         ww_array(&found[r->number], 1), NULL, NULL);
}
static ww_status find_own(rank *r) {
    return ww_find(r->device, ww_memory((const uint8_t *)r->a[0], r->n * 4), "pattern", 7, ww_none,
                   ww_array(&found[r->number], 1), NULL);
}
static ww_status scan_all(rank *r) {
    return ww_group_scan(r->group, &ww_add, ww_memory(r->a[0], r->n), ww_array(r->a[1], r->n), NULL);
}
static ww_status scan_own(rank *r) {
    return ww_scan(r->device, &ww_add, ww_memory(r->a[0], r->n), ww_array(r->a[1], r->n), NULL);
}
static void row_beside(rank *r, const char *name, work *all, work *own) {
    r->n = whole;
    const double ms = timed(r, NULL, all, false, SAMPLES, name), alone = timed(r, NULL, own, true, SAMPLES, name);
    tell(r, name, r->n, ms, alone, "T / time", alone / ms);
}

/* ---- dictionaries: u32 to u32, 2^26 pairs a rank where n is 2^30; into an empty one, and a search of each ---- */

static ww_status open_shards(rank *r) {
    ww_group_slab_close(r->shards);
    return ww_group_slab_open(r->group, &ww_type_uint32_t, &ww_type_uint32_t, r->n * ranks, &r->shards, NULL);
}
static ww_status open_own(rank *r) {
    ww_slab_close(r->slab);
    return ww_slab_open(r->device, &ww_type_uint32_t, &ww_type_uint32_t, r->n, &r->slab, NULL);
}
static ww_status insert_all(rank *r) {
    return ww_group_slab_insert(r->shards, ww_memory(r->a[0], r->n), ww_memory(r->a[1], r->n), ww_none);
}
static ww_status insert_own(rank *r) {
    return ww_slab_insert(r->slab, ww_memory(r->a[0], r->n), ww_memory(r->a[1], r->n), ww_none);
}
static ww_status search_all(rank *r) {
    return ww_group_slab_search(r->shards, ww_memory(r->a[0], r->n), ww_array(r->a[2], r->n),
                                ww_array((uint8_t *)r->a[3], r->n));
}
static ww_status search_own(rank *r) {
    return ww_slab_search(r->slab, ww_memory(r->a[0], r->n), ww_array(r->a[2], r->n),
                          ww_array((uint8_t *)r->a[3], r->n));
}
static void rows_of_slabs(rank *r) {
    uint64_t all = 0;
    r->n = whole / 16;
    must(r,
         ww_map(r->device, &key_of_ww, ww_counting(&ww_type_uint32_t, r->n * r->number, r->n), ww_array(r->a[0], r->n)),
         "data");
    must(r, ww_copy(r->device, ww_memory(r->a[0], r->n), ww_array(r->a[1], r->n)), "data");
    const double ms = timed(r, open_shards, insert_all, false, 3, "insert"),
                 search_ms = timed(r, NULL, search_all, false, SAMPLES, "search");
    must(r,
         ww_reduce(r->device, &ww_add, ww_cast(&ww_type_uint64_t, ww_memory((const uint8_t *)r->a[3], r->n)),
                   ww_array(&all, 1)),
         "check");
    if (all != r->n) must(r, WW_LOST, "not all were found");
    ww_group_slab_close(r->shards);
    r->shards = NULL;
    const double alone = timed(r, open_own, insert_own, true, 3, "insert"),
                 search_alone = timed(r, NULL, search_own, true, SAMPLES, "search");
    ww_slab_close(r->slab);
    r->slab = NULL;
    tell(r, "slab hash: insert", r->n, ms, alone, "of one GPU's rate", alone * ranks / ms);
    tell(r, "slab hash: find", r->n, search_ms, search_alone, "of one GPU's rate", search_alone * ranks / search_ms);
}

/* ---- ranks ---- */

static bool wanted(char row) { return strchr(what, row) != NULL; }

static void rows(rank *r) {
    if (wanted('x')) rows_of_exchange(r, false);
    if (wanted('s')) row_of_sort(r, 'u', "sort, u32, uniform");
    if (wanted('S')) row_of_pairs(r);
    if (wanted('k')) rows_of_small_sorts(r);
    if (wanted('f')) row_of_sort(r, 'f', "sort, u32, 16 values");
    if (wanted('o')) row_of_sort(r, 's', "sort, u32, sorted");
    if (wanted('i')) row_of_sort(r, 'r', "sort, u32, reversed");
    if (wanted('c')) row_of_split(r);
    r->n = whole;
    fill(r, 'u');
    if (wanted('r')) row_beside(r, "reduce, u32", reduce_all, reduce_own);
    if (wanted('h')) row_beside(r, "histogram, 256", count_all, count_own);
    if (wanted('t')) row_beside(r, "first 1000", choose_all, choose_own);
    if (wanted('F')) row_beside(r, "find", find_all, find_own);
    if (wanted('n')) row_beside(r, "scan, u32", scan_all, scan_own);
    if (wanted('d')) rows_of_slabs(r);
}

static void with_nccl(rank *r) {
    char why[WW_ENGINE_WHY];
    r->engine = "nccl";
    if (ww_engine_nccl(r->device, r->number, ranks, &id, 0, &r->nccl, why)) {
        fprintf(stderr, "rank %u: %s\n", r->number, why);
        exit(EXIT_FAILURE);
    }
    rows_of_exchange(r, true);
    must(r, ww_group_open(r->device, &r->nccl, NULL, &r->group), "open");
    rows(r);
    ww_group_close(r->group);
    r->group = NULL;
}

static void *serve(void *argument) {
    rank *r = argument;
    char name[32];
    snprintf(name, sizeof name, "cuda:%u", r->number);
    must(r, ww_open(device_name ? device_name : name, &r->device), "open");
    for (int k = 0; k < ARRAYS; k++) must(r, ww_alloc(r->device, whole * 4, (void **)&r->a[k]), "memory");
    r->n = whole;
    fill(r, 'u');
    if (has_nccl) {
        const char *all = what;
        if (!r->number) what = "xsk"; /* by NCCL these are enough */
        pthread_barrier_wait(&meeting);
        with_nccl(r);
        pthread_barrier_wait(&meeting);
        if (!r->number) what = all;
        pthread_barrier_wait(&meeting);
    }
    r->engine = "local";
    must(r, ww_group_open(r->device, &r->local, NULL, &r->group), "open");
    rows(r);
    ww_group_close(r->group);
    for (int k = 0; k < ARRAYS; k++) ww_free(r->device, r->a[k]);
    ww_close(r->device);
    return NULL;
}

static uint32_t count_gpus(void) {
    uint32_t there = 0;
    for (bool is = true; is && there < RANKS_MOST; there += is) {
        char name[32];
        ww_device *device = NULL;
        snprintf(name, sizeof name, "cuda:%u", there);
        is = !ww_open(name, &device);
        ww_close(device);
    }
    return there;
}

int main(int argc, char **argv) {
    static rank all[RANKS_MOST];
    ww_engine engines[RANKS_MOST];
    char why[WW_ENGINE_WHY];
    device_name = argc > 4 ? argv[4] : NULL;
    const uint32_t gpus = device_name ? RANKS_MOST : count_gpus();
    whole = (uint64_t)1 << (argc > 1 ? atoi(argv[1]) : 30);
    ranks = argc > 2 ? (uint32_t)atoi(argv[2]) : gpus;
    if (argc > 3) what = argv[3];
    if (!gpus || ranks < 1 || ranks > gpus) {
        fprintf(stderr, "there are %u GPUs, and %u ranks\n", gpus, ranks);
        return EXIT_FAILURE;
    }
    has_nccl = wanted('x') && !ww_nccl_id_draw(&id, why);
    if (wanted('x') && !has_nccl) printf("without NCCL: %s\n", why);
    pthread_barrier_init(&meeting, NULL, ranks);
    ww_engines_local(ranks, engines);
    for (uint32_t r = 0; r < ranks; r++) {
        all[r] = (rank){.number = r, .local = engines[r]};
        pthread_create(&all[r].thread, NULL, serve, &all[r]);
    }
    for (uint32_t r = 0; r < ranks; r++) pthread_join(all[r].thread, NULL);
    return EXIT_SUCCESS;
}
