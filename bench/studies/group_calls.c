/* Ranks are threads that stay from row to row, as long as rows are of as many ranks; each makes its own block on its device when a row
 * begins, and brings it and what came out to the host where that is checked. A sample goes from a meeting of all to the next. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "measuring/data.h"
#include "studies/group_study.h"

enum { BUCKETS = 256, WHERE = 128 };

WW_MAP2(falls, uint64_t, uint32_t, a, uint32_t, b, void, none, { return a > b; });
/* P(x) about 1 / x: as many numbers of each length in bits, up to 27; those beyond are 0 */
WW_MAP(zipf_of, uint32_t, uint32_t, x, void, none, { return (x & 0x7ffffff) >> (x >> 27); });
static const ww_bits low_bits = {0, 8};

typedef struct block { /* of a rank */
    uint32_t *in, *out;
    uint64_t room, out_room; /* elements there is memory for */
    uint64_t came;
    ww_status status;
    char why[256];
    /* for the check */
    uint32_t ends[2];
    uint64_t sums[2], fallen;
} block;

typedef ww_status rank_work(ww_group *group, block *b);

static struct {
    uint32_t ranks; /* 0: not open */
    pthread_t thread;
    pthread_barrier_t begin, done;
    rank_work *work; /* NULL: end */
    group_point point;
    size_t n; /* of a rank, as the row has it in this run */
    ww_status opened, prepared;
    char why[512];
    block blocks[GROUP_RANKS_MOST];
    uint32_t *in, *out; /* the host's: all blocks, one after the other */
} crew;

static uint64_t first_of(uint32_t rank) { return (uint64_t)crew.n * rank; }

/* ---- ranks ---- */

static ww_status serve(ww_group *group, void *unused) {
    (void)unused;
    block *b = &crew.blocks[ww_group_rank(group)];
    for (;;) {
        pthread_barrier_wait(&crew.begin);
        if (!crew.work) break;
        b->status = crew.work(group, b);
        if (b->status) {
            const char *said = ww_group_error(group);
            snprintf(b->why, sizeof b->why, "%s", said[0] ? said : ww_error(ww_group_device(group)));
        }
        pthread_barrier_wait(&crew.done);
    }
    ww_free(ww_group_device(group), b->in);
    ww_free(ww_group_device(group), b->out);
    return WW_OK;
}

/* Where the group does not open no rank comes to the barriers: this thread comes for all. */
static void *open_group(void *unused) {
    const char *devices[GROUP_RANKS_MOST];
    (void)unused;
    for (uint32_t r = 0; r < crew.ranks; r++) devices[r] = group_study_device(r, crew.ranks);
    crew.opened = ww_group_run(devices, crew.ranks, NULL, serve, NULL, crew.why, sizeof crew.why);
    return NULL;
}

static void meet(rank_work *work) {
    crew.work = work;
    pthread_barrier_wait(&crew.begin);
    if (work) pthread_barrier_wait(&crew.done);
}

static void close_crew(void) {
    if (!crew.ranks) return;
    meet(NULL);
    pthread_join(crew.thread, NULL);
    pthread_barrier_destroy(&crew.begin);
    pthread_barrier_destroy(&crew.done);
    crew.ranks = 0;
}

/* Whether the ranks' devices are there: once, as it is quick to say and their threads are not. */
static bool devices_open(uint32_t ranks) {
    static bool known[GROUP_RANKS_MOST];
    for (uint32_t r = 0; r < ranks; r++) {
        ww_device *device = NULL;
        if (known[r]) continue;
        const ww_status status = ww_open(group_study_device(r, ranks), &device);
        snprintf(crew.why, sizeof crew.why, "%s", device ? ww_error(device) : "no memory");
        ww_close(device);
        if (status) return false;
        known[r] = true;
    }
    return true;
}

static ww_status open_crew(uint32_t ranks) {
    static bool registered;
    if (crew.ranks == ranks) return WW_OK;
    close_crew();
    if (!devices_open(ranks)) return WW_UNSUPPORTED;
    if (!registered && atexit(close_crew)) return WW_MEMORY;
    registered = true;
    memset(crew.blocks, 0, sizeof crew.blocks);
    if (pthread_barrier_init(&crew.begin, NULL, ranks + 1) || pthread_barrier_init(&crew.done, NULL, ranks + 1))
        return WW_MEMORY;
    crew.ranks = ranks;
    if (!pthread_create(&crew.thread, NULL, open_group, NULL)) return WW_OK;
    crew.ranks = 0;
    return WW_MEMORY;
}

/* The status of the lowest rank whose is not OK, and its sentence. */
static ww_status do_on_ranks(rank_work *work) {
    meet(work);
    for (uint32_t r = 0; r < crew.ranks; r++)
        if (crew.blocks[r].status) {
            snprintf(crew.why, sizeof crew.why, "%s", crew.blocks[r].why);
            return crew.blocks[r].status;
        }
    return WW_OK;
}

/* ---- data ---- */

static ww_status room(ww_device *device, uint32_t **memory, uint64_t *has, uint64_t wants) {
    void *data = NULL;
    if (*has >= wants) return WW_OK;
    ww_free(device, *memory);
    *memory = NULL;
    *has = 0;
    const ww_status status = ww_alloc(device, wants * sizeof(uint32_t), &data);
    if (status) return status;
    *memory = data;
    *has = wants;
    return WW_OK;
}

/* A split may bring everything to one rank. */
static uint64_t out_elements(void) { return crew.point.call == GROUP_SPLIT ? crew.n * crew.ranks : crew.n + BUCKETS; }

static ww_status prepare(ww_group *group, block *b) {
    ww_device *device = ww_group_device(group);
    const uint64_t n = crew.n, first = first_of(ww_group_rank(group)), all = n * crew.ranks;
    const ww_random from = {.seed = 2026, .stream = 0, .offset = first};
    ww_status status = room(device, &b->in, &b->room, n);
    if (!status) status = room(device, &b->out, &b->out_room, out_elements());
    if (status) return status;
    const ww_array keys = ww_array(b->in, n);
    switch (crew.point.skew) {
    case GROUP_FEW:
        status = ww_random_below(device, from, 16, keys);
        break;
    case GROUP_SORTED:
        status = ww_store(device, ww_counting(&ww_type_uint32_t, first, n), keys);
        break;
    case GROUP_REVERSED:
        status = ww_store(device, ww_reversed(ww_counting(&ww_type_uint32_t, all - first - n, n)), keys);
        break;
    case GROUP_ZIPF:
        status = ww_random_fill(device, from, keys);
        if (!status) status = ww_map(device, &zipf_of_ww, ww_from(keys), keys);
        break;
    default:
        status = ww_random_fill(device, from, keys);
    }
    if (!status) status = ww_fill(device, ww_array(b->out, out_elements()), ww_value(uint32_t, 0xa5a5a5a5));
    return status ? status : ww_sync(device);
}

/* ---- calls ---- */

static ww_status call_sort(ww_group *group, block *b) {
    return ww_group_sort(group, ww_memory(b->in, crew.n), ww_no_input, ww_array(b->out, crew.n), ww_none, NULL);
}
static ww_status call_split(ww_group *group, block *b) {
    return ww_group_split(group, ww_with(ww_by_bits, &low_bits), BUCKETS, NULL, ww_memory(b->in, crew.n), ww_no_input,
                          ww_array(b->out, crew.n * crew.ranks), ww_none, ww_none, NULL, &b->came);
}
static uint64_t part(uint32_t rank) { return crew.n / crew.ranks + (rank < crew.n % crew.ranks); }
static ww_status call_exchange(ww_group *group, block *b) {
    uint64_t counts[GROUP_RANKS_MOST];
    for (uint32_t r = 0; r < crew.ranks; r++) counts[r] = part((r + ww_group_rank(group)) % crew.ranks);
    return ww_group_exchange(group, ww_memory(b->in, crew.n), counts, ww_array(b->out, crew.n + BUCKETS), NULL);
}
static ww_status call_scan(ww_group *group, block *b) {
    return ww_group_scan(group, &ww_add, ww_memory(b->in, crew.n), ww_array(b->out, crew.n), NULL);
}
static ww_status call_reduce(ww_group *group, block *b) {
    return ww_group_reduce(group, &ww_add, ww_memory(b->in, crew.n), ww_array(b->out, 1));
}
static ww_status call_histogram(ww_group *group, block *b) {
    return ww_group_histogram(group, ww_with(ww_by_bits, &low_bits), ww_memory(b->in, crew.n),
                              ww_array(b->out, BUCKETS), ww_none, NULL);
}

static void make(bench_work *w) {
    const group_point *p = w->point;
    crew.prepared = open_crew(p->ranks);
    crew.point = *p;
    crew.n = w->n;
    if (!crew.prepared) crew.prepared = do_on_ranks(prepare);
}

static ww_status run(bench_work *w) {
    static rank_work *const works[GROUP_CALLS] = {call_sort, call_split,  call_exchange,
                                                  call_scan, call_reduce, call_histogram};
    const ww_status status = crew.prepared ? crew.prepared : do_on_ranks(works[crew.point.call]);
    if (status) w->cannot = crew.why;
    return status;
}

/* ---- checks ---- */

static uint64_t came_to(uint32_t rank) {
    switch (crew.point.call) {
    case GROUP_SPLIT:
        return crew.blocks[rank].came;
    case GROUP_REDUCE:
        return 1;
    case GROUP_HISTOGRAM:
        return BUCKETS;
    default:
        return crew.n;
    }
}

static ww_status bring(ww_group *group, block *b) {
    ww_device *device = ww_group_device(group);
    uint64_t at = 0;
    for (uint32_t r = 0; r < ww_group_rank(group); r++) at += came_to(r);
    const uint64_t came = came_to(ww_group_rank(group));
    ww_status status = ww_copy(device, ww_memory(b->in, crew.n),
                               ww_array(crew.in + first_of(ww_group_rank(group)), crew.n));
    if (!status && came) status = ww_copy(device, ww_memory(b->out, came), ww_array(crew.out + at, came));
    return status ? status : ww_sync(device);
}

static bool right_split(size_t all) {
    size_t begin[BUCKETS + 1] = {0};
    for (size_t i = 0; i < all; i++) begin[crew.in[i] % BUCKETS + 1]++;
    for (size_t b = 0; b < BUCKETS; b++) begin[b + 1] += begin[b];
    for (size_t i = 0; i < all; i++)
        if (crew.out[begin[crew.in[i] % BUCKETS]++] != crew.in[i]) return false;
    return true;
}

/* Rank s's piece for rank r is as long as part((r + s) % ranks), and lies behind those for the ranks before. */
static bool right_exchange(void) {
    const uint32_t *out = crew.out;
    for (uint32_t r = 0; r < crew.ranks; r++)
        for (uint32_t s = 0; s < crew.ranks; s++) {
            const uint32_t *in = crew.in + first_of(s);
            for (uint32_t q = 0; q < r; q++) in += part((q + s) % crew.ranks);
            const size_t length = part((r + s) % crew.ranks);
            if (memcmp(out, in, length * sizeof *out)) return false;
            out += length;
        }
    return true;
}

static bool right_numbers(size_t all) {
    uint32_t sum = 0, counts[BUCKETS] = {0};
    for (size_t i = 0; i < all; i++) {
        sum += crew.in[i];
        counts[crew.in[i] % BUCKETS]++;
        if (crew.point.call == GROUP_SCAN && crew.out[i] != sum) return false;
    }
    for (uint32_t r = 0; r < crew.ranks; r++) {
        if (crew.point.call == GROUP_REDUCE && crew.out[r] != sum) return false;
        if (crew.point.call == GROUP_HISTOGRAM && memcmp(crew.out + (size_t)r * BUCKETS, counts, sizeof counts))
            return false;
    }
    return true;
}

static bool right_on_host(void) {
    const size_t all = crew.n * crew.ranks;
    crew.in = malloc(all * sizeof *crew.in);
    crew.out = malloc((all + BUCKETS * (size_t)crew.ranks) * sizeof *crew.out);
    bool right = crew.in && crew.out && !do_on_ranks(bring);
    if (right)
        right = crew.point.call == GROUP_SORT       ? check_sorted_u32(crew.out, crew.in, all)
                : crew.point.call == GROUP_SPLIT    ? right_split(all)
                : crew.point.call == GROUP_EXCHANGE ? right_exchange()
                                                    : right_numbers(all);
    free(crew.in);
    free(crew.out);
    return right;
}

static ww_status look(ww_group *group, block *b) {
    ww_device *device = ww_group_device(group);
    const uint64_t n = crew.n;
    ww_status status = ww_reduce(device, &ww_add,
                                 ww_mapped2(&falls_ww, ww_memory(b->out, n - 1), ww_memory(b->out + 1, n - 1)),
                                 ww_array(&b->fallen, 1));
    if (!status)
        status = ww_reduce(device, &ww_add, ww_cast(&ww_type_uint64_t, ww_memory(b->in, n)), ww_array(&b->sums[0], 1));
    if (!status)
        status = ww_reduce(device, &ww_add, ww_cast(&ww_type_uint64_t, ww_memory(b->out, n)), ww_array(&b->sums[1], 1));
    if (!status) status = ww_copy(device, ww_memory(b->out, 1), ww_array(&b->ends[0], 1));
    if (!status) status = ww_copy(device, ww_memory(b->out + n - 1, 1), ww_array(&b->ends[1], 1));
    return status ? status : ww_sync(device);
}

static bool right_on_devices(void) {
    uint64_t sums[2] = {0, 0};
    if (do_on_ranks(look)) return false;
    for (uint32_t r = 0; r < crew.ranks; r++) {
        const block *b = &crew.blocks[r];
        if (b->fallen || (r && b->ends[0] < crew.blocks[r - 1].ends[1])) return false;
        for (int k = 0; k < 2; k++) sums[k] += b->sums[k];
    }
    return sums[0] == sums[1];
}

static bool right(const bench_work *w) {
    (void)w;
    if (crew.n <= GROUP_CHECKED) return right_on_host();
    return crew.point.call != GROUP_SORT || right_on_devices();
}

const bench_row group_study_row =
    {.call = "ww_group_*", .make = make, .run = run, .right = right, .bytes = 4, .element = 4};
