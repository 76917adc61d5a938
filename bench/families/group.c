/* Groups: four ranks of this process, CPUs that share its processors, beside one device on the whole array. The base is the same
 * call of that device; of those that move all elements, and a copy of them. On a GPU there is nothing to measure here: its ranks would
 * share it. Other numbers of ranks, and ranks of several GPUs, are the study's (studies/group_study.h). */
#include <pthread.h>
#include <string.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"
#include "studies/group_study.h"

enum { RANKS = 4, BUCKETS = 256, FIRST = 1000 };
typedef enum how { UNIFORM, SORTED, FEW } how;

/* Rows' calls run on threads that stay from sample to sample: each waits for the next one. */
typedef ww_status rank_work(ww_group *group, const bench_work *w, uint32_t rank);
static struct {
    bool is_open;
    pthread_t thread;
    pthread_barrier_t begin, done;
    rank_work *work; /* NULL: end */
    const bench_work *on;
    ww_status status[RANKS];
} crew;

static ww_status serve(ww_group *group, void *unused) {
    (void)unused;
    const uint32_t rank = ww_group_rank(group);
    for (;;) {
        pthread_barrier_wait(&crew.begin);
        if (!crew.work) return WW_OK;
        crew.status[rank] = crew.work(group, crew.on, rank);
        pthread_barrier_wait(&crew.done);
    }
}

static void *open_group(void *unused) {
    static const char *const devices[RANKS] = {"cpu", "cpu", "cpu", "cpu"};
    (void)unused;
    ww_group_run(devices, RANKS, NULL, serve, NULL, NULL, 0);
    return NULL;
}

static ww_status run_on_ranks(bench_work *w, rank_work *work) {
    ww_device_info info = WW_DEVICE_INFO;
    if (ww_device_info_get(w->device, &info) || strcmp(info.backend, "cpu")) {
        w->cannot = "ww_group_run is measured on CPUs only";
        return WW_UNSUPPORTED;
    }
    if (!crew.is_open) {
        if (pthread_barrier_init(&crew.begin, NULL, RANKS + 1) || pthread_barrier_init(&crew.done, NULL, RANKS + 1) ||
            pthread_create(&crew.thread, NULL, open_group, NULL))
            return WW_MEMORY;
        crew.is_open = true;
    }
    crew.work = work;
    crew.on = w;
    pthread_barrier_wait(&crew.begin);
    pthread_barrier_wait(&crew.done);
    for (uint32_t r = 0; r < RANKS; r++)
        if (crew.status[r]) return crew.status[r];
    return WW_OK;
}

static void end(void) {
    if (!crew.is_open) return;
    crew.work = NULL;
    pthread_barrier_wait(&crew.begin);
    pthread_join(crew.thread, NULL);
    pthread_barrier_destroy(&crew.begin);
    pthread_barrier_destroy(&crew.done);
    crew.is_open = false;
}

/* ---- data ---- */

static void make(bench_work *w) {
    uint32_t *x = w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    w->out_second = work_pages(w, w->out_second_bytes = w->n * 4);
    if (w->parameter == SORTED) data_sorted(x, w->n, 60);
    if (w->parameter == UNIFORM) data_u32(x, w->n, 60);
    if (w->parameter == FEW) data_below(x, w->n, 10, 60);
}

static void make_floats(bench_work *w) {
    make(w);
    for (size_t i = 0; i < w->n; i++) ((float *)w->in)[i] = (float)(((uint32_t *)w->in)[i] >> 8) * 1e-6f;
}

static size_t first_of(const bench_work *w, uint32_t rank) { return w->n / RANKS * rank; }
static size_t count_of(const bench_work *w, uint32_t rank) {
    return (rank + 1 < RANKS ? first_of(w, rank + 1) : w->n) - first_of(w, rank);
}
static ww_input block(const bench_work *w, uint32_t rank) {
    return ww_memory((const uint32_t *)w->in + first_of(w, rank), count_of(w, rank));
}
static ww_array block_out(const bench_work *w, uint32_t rank) {
    return ww_array((uint32_t *)w->out + first_of(w, rank), count_of(w, rank));
}
static ww_input whole(const bench_work *w) { return ww_memory((const uint32_t *)w->in, w->n); }
static ww_array whole_out(const bench_work *w) { return ww_array((uint32_t *)w->out, w->n); }

/* All elements once more, as an exchange moves them. */
static ww_status copy_too(const bench_work *w, ww_status status) {
    return status ? status : ww_copy(w->device, whole(w), ww_array((uint32_t *)w->out_second, w->n));
}

/* ---- what is measured ---- */

static ww_status sort_block(ww_group *group, const bench_work *w, uint32_t rank) {
    return ww_group_sort(group, block(w, rank), ww_no_input, block_out(w, rank), ww_none, NULL);
}
static ww_status run_sort(bench_work *w) { return run_on_ranks(w, sort_block); }
static ww_status base_sort(bench_work *w) {
    return copy_too(w, ww_sort(w->device, whole(w), ww_no_input, whole_out(w), ww_none, NULL));
}
static bool right_sort(const bench_work *w) { return check_sorted_u32(w->out, w->in, w->n); }

/* A rank's room is the whole output: only what comes is written. */
static ww_status split_block(ww_group *group, const bench_work *w, uint32_t rank) {
    static const ww_bits highest = {24, 8};
    static const uint64_t ranges[RANKS + 1] = {0, 64, 128, 192, 256};
    /* uniform keys: a quarter comes to each rank, and a little more or less */
    const size_t room = w->n / RANKS + w->n / 16;
    uint32_t *out = (uint32_t *)(rank % 2 ? w->out_second : w->out) + rank / 2 * (w->n / 2);
    return ww_group_split(group, ww_with(ww_by_bits, &highest), BUCKETS, ranges, block(w, rank), ww_no_input,
                          ww_array(out, room), ww_none, ww_none, NULL, NULL);
}
static ww_status run_split(bench_work *w) { return run_on_ranks(w, split_block); }
static ww_status base_split(bench_work *w) {
    static const ww_bits highest = {24, 8};
    return copy_too(w, ww_multisplit(w->device, ww_with(ww_by_bits, &highest), BUCKETS, whole(w), ww_no_input,
                                     whole_out(w), ww_none, ww_none, NULL));
}
static bool right_split(const bench_work *w) { /* rank 0 begins with bucket 0's first key */
    const uint32_t *x = w->in, *out = w->out;
    size_t first = 0;
    while (first < w->n && x[first] >> 24) first++;
    return first == w->n || out[0] == x[first];
}

static ww_status sum_block(ww_group *group, const bench_work *w, uint32_t rank) {
    return ww_group_reduce(group, &ww_add, ww_memory((const float *)w->in + first_of(w, rank), count_of(w, rank)),
                           ww_array((float *)w->out + rank, 1));
}
static ww_status run_sum(bench_work *w) { return run_on_ranks(w, sum_block); }
static ww_status base_sum(bench_work *w) {
    return ww_reduce(w->device, &ww_add, ww_memory((const float *)w->in, w->n), ww_array((float *)w->out, 1));
}
static bool right_sum(const bench_work *w) {
    const float *out = w->out;
    double sum = 0;
    for (size_t i = 0; i < w->n; i++) sum += (double)((const float *)w->in)[i];
    return (double)out[0] > sum * 0.999 && (double)out[0] < sum * 1.001;
}

static ww_status scan_block(ww_group *group, const bench_work *w, uint32_t rank) {
    return ww_group_scan(group, &ww_add, block(w, rank), block_out(w, rank), NULL);
}
static ww_status run_scan(bench_work *w) { return run_on_ranks(w, scan_block); }
static ww_status base_scan(bench_work *w) { return ww_scan(w->device, &ww_add, whole(w), whole_out(w), NULL); }
static bool right_scan(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    uint32_t sum = 0;
    for (size_t i = 0; i < w->n; i++)
        if (out[i] != (sum += x[i])) return false;
    return true;
}

static ww_status count_block(ww_group *group, const bench_work *w, uint32_t rank) {
    static const ww_bits highest = {24, 8};
    return ww_group_histogram(group, ww_with(ww_by_bits, &highest), block(w, rank),
                              ww_array((uint32_t *)w->out + rank * BUCKETS, BUCKETS), ww_none, NULL);
}
static ww_status run_count(bench_work *w) { return run_on_ranks(w, count_block); }
static ww_status base_count(bench_work *w) {
    static const ww_bits highest = {24, 8};
    return ww_histogram(w->device, ww_with(ww_by_bits, &highest), whole(w), ww_array((uint32_t *)w->out, BUCKETS),
                        ww_none, NULL);
}
static bool right_count(const bench_work *w) {
    uint32_t counts[BUCKETS] = {0};
    for (size_t i = 0; i < w->n; i++) counts[((const uint32_t *)w->in)[i] >> 24]++;
    return !memcmp(w->out, counts, sizeof counts);
}

/* As many as there is room for of each rank. */
static size_t chosen(const bench_work *w) { return w->n / RANKS < FIRST ? w->n / RANKS : FIRST; }
static ww_status choose_block(ww_group *group, const bench_work *w, uint32_t rank) {
    return ww_group_top_k(group, block(w, rank), ww_no_input, ww_array((uint32_t *)w->out + rank * chosen(w), chosen(w)),
                          ww_none, NULL);
}
static ww_status run_choose(bench_work *w) { return run_on_ranks(w, choose_block); }
static ww_status base_choose(bench_work *w) {
    return ww_top_k(w->device, whole(w), ww_no_input, ww_array((uint32_t *)w->out, chosen(w)), ww_none, NULL);
}
static bool right_choose(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    size_t below = 0;
    const size_t first = chosen(w);
    for (size_t i = 1; i < first; i++)
        if (out[i] < out[i - 1]) return false;
    for (size_t i = 0; i < w->n; i++) below += first && x[i] < out[first - 1];
    return below < first || !first;
}

/* clang-format off */
#define SORT(title, how) \
    {.name = "4 ranks, sort u32, " title, .call = "ww_group_sort", .make = make, .run = run_sort, .right = right_sort, \
     .base_call = "ww_sort and ww_copy on one device", .base = base_sort, .bytes = 8, .element = 4, .parameter = how, .end = end}
static const bench_row rows[] = {
    SORT("uniform", UNIFORM),
    SORT("sorted", SORTED),
    SORT("10 values", FEW),
    {.name = "4 ranks, split u32, m = 256", .call = "ww_group_split", .make = make, .run = run_split, .right = right_split,
     .base_call = "ww_multisplit and ww_copy on one device", .base = base_split, .bytes = 8, .element = 4, .end = end},
    {.name = "4 ranks, reduce f32", .call = "ww_group_reduce", .make = make_floats, .run = run_sum, .right = right_sum,
     .base_call = "ww_reduce on one device", .base = base_sum, .bytes = 4, .element = 4, .end = end},
    {.name = "4 ranks, scan u32", .call = "ww_group_scan", .make = make, .run = run_scan, .right = right_scan,
     .base_call = "ww_scan on one device", .base = base_scan, .bytes = 8, .element = 4, .end = end},
    {.name = "4 ranks, histogram u32, 256 bins", .call = "ww_group_histogram", .make = make, .run = run_count,
     .right = right_count, .base_call = "ww_histogram on one device", .base = base_count, .bytes = 4, .element = 4, .end = end},
    {.name = "4 ranks, first 1000 of u32", .call = "ww_group_top_k", .make = make, .run = run_choose, .right = right_choose,
     .base_call = "ww_top_k on one device", .base = base_choose, .bytes = 4, .element = 4, .end = end},
};
/* clang-format on */

const bench_family family_group = {.name = "group",
                                   .title = "Groups of ranks",
                                   .rows = rows,
                                   .count = BENCH_COUNT(rows),
                                   .studies = group_studies,
                                   .tables = group_tables};
