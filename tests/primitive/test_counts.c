/* Counts on the device: every call gives what it gives for the same count on the host, byte for byte, and touches nothing behind it,
 * whether its kernels look at the number or the host waits for it; and loops that end by such a number. */
#include <stdio.h>

#include "device/gpu/gpu.h"
#include "support/cases.h"

enum { BUCKETS = 4 };

/* What calls read, `bound` elements of each, and the number. */
typedef struct world {
    ww_device *device;
    size_t bound;
    uint32_t *x, *index, *runs, *edges;
    uint8_t *flags;
    uint64_t *number;
} world;

/* What they write, poisoned. */
typedef struct outputs {
    guarded a, b, one;
} outputs;

/* How many elements there are: of inputs and of outputs that are as long. */
typedef struct length {
    uint64_t count;
    const uint64_t *at;
} length;

WW_MAP(three_times, uint32_t, uint32_t, x, void, none, { return 3 * x + 1; });
WW_MAP2(differ, uint32_t, uint32_t, x, uint32_t, y, void, none, { return x ^ y; });
WW_MAP(is_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });
WW_MAP(low_two, uint32_t, uint32_t, x, void, none, { return x & 3; });
WW_MAP(as_wide, uint64_t, uint32_t, x, void, none, { return ((uint64_t)x << 17) ^ x; });
WW_LESS(greater, uint32_t, x, y, { return x > y; });
WW_MAP(as_float, float, uint32_t, x, void, none, { return (float)x; });
WW_STRUCT(put_in, { uint32_t *to; });
WW_KERNEL(put_rank, put_in, a, rank, { a->to[rank] = (uint32_t)(5 * rank); });

static ww_input in(const uint32_t *x, length n) { return ww_counted(ww_memory(x, n.count), n.at); }
static ww_array out(const guarded *g, length n) {
    return ww_counted_array(ww_array((uint32_t *)g->data, n.count), n.at);
}
#define X in(w->x, n)
#define INDEX in(w->index, n)
#define FLAGS ww_counted(ww_memory(w->flags, n.count), n.at)
#define A out(&o->a, n)
#define B out(&o->b, n)
#define ROOM_A ww_array((uint32_t *)o->a.data, w->bound)
#define ROOM_B ww_array((uint32_t *)o->b.data, w->bound)
#define ONE ww_array((uint32_t *)o->one.data, 1)
#define TOTAL ww_array((uint64_t *)o->one.data, 1)
#define CALL(name, ...) \
    static ww_status name(const world *w, length n, const outputs *o) { return __VA_ARGS__; }
CALL(mapped, ww_map(w->device, &three_times_ww, X, A))
CALL(mapped2, ww_map2(w->device, &differ_ww, X, ww_counted(ww_constant(ww_value(uint32_t, 77), n.count), n.at), A))
CALL(stored, ww_store(w->device, X, A))
static ww_status launched(const world *w, length n, const outputs *o) {
    const put_in to = {o->a.data};
    if (n.at) return ww_launch_counted(w->device, ww_with(put_rank, &to), n.count, n.at);
    return ww_launch(w->device, ww_with(put_rank, &to), n.count);
}
CALL(scanned, ww_scan(w->device, &ww_add, X, A, NULL))
static ww_status scanned_before(const world *w, length n, const outputs *o) {
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.exclusive = true;
    options.initial = ww_value(uint32_t, 9);
    options.total = ONE;
    return ww_scan(w->device, &ww_add, ww_mapped(&three_times_ww, X), A, &options);
}
CALL(reduced, ww_reduce(w->device, &ww_add, X, ONE))
CALL(packed, ww_pack(w->device, X, FLAGS, ROOM_A, TOTAL, NULL))
CALL(packed_if, ww_pack_if(w->device, &is_odd_ww, X, ROOM_A, TOTAL, NULL))
CALL(gathered, ww_gather(w->device, ww_memory(w->x, w->bound), INDEX, A))
CALL(scattered, ww_scatter(w->device, X, INDEX, ROOM_A, NULL))
CALL(scatter_added, ww_scatter(w->device, X, INDEX, ROOM_A, ww_scatter_by(WW_CONFLICT_ADD)))
CALL(expanded, ww_expand(w->device, X, FLAGS, ROOM_A, ROOM_B, ww_none, TOTAL))
CALL(reduced_floats, ww_reduce(w->device, &ww_add, ww_mapped(&as_float_ww, X), ww_array((float *)o->one.data, 1)))
CALL(split, ww_split(w->device, X, FLAGS, A, TOTAL, NULL))
CALL(sorted, ww_sort(w->device, X, INDEX, A, B, NULL))
CALL(run_lengths, ww_run_lengths(w->device, in(w->runs, n), ROOM_A, ROOM_B, TOTAL))
CALL(unique, ww_unique(w->device, in(w->runs, n), ROOM_A, TOTAL))
CALL(reduced_by_key, ww_reduce_by_key(w->device, &ww_add, in(w->runs, n), X, ROOM_A, ROOM_B, TOTAL))
CALL(scanned_by_key, ww_scan_by_key(w->device, &ww_add, in(w->runs, n), X, A, NULL))
CALL(multisplit, ww_multisplit(w->device, &low_two_ww, BUCKETS, X, INDEX, A, B, ww_none, NULL))
static ww_status split_back(const world *w, length n, const outputs *o) {
    ww_split_options options = WW_SPLIT_OPTIONS;
    options.method = WW_SPLIT_REVERSED;
    return ww_split_if(w->device, &is_odd_ww, X, A, TOTAL, &options);
}
/* Computed keys of 8 bytes, sorted where they are stored, with counted values. */
static ww_status sorted_wide(const world *w, length n, const outputs *o) {
    const ww_array keys = ww_counted_array(ww_array((uint64_t *)o->a.data, n.count), n.at);
    ww_sort_options options = WW_SORT_OPTIONS;
    options.descending = true;
    return ww_sort(w->device, ww_mapped(&as_wide_ww, X), ww_counted(ww_counting(&ww_type_uint32_t, 7, n.count), n.at),
                   keys, B, &options);
}
/* Where buckets begin, by the count and by looking for them. */
CALL(multisplit_keys, ww_multisplit(w->device, &low_two_ww, BUCKETS, X, ww_no_input, A, ww_none,
                                    ww_array((uint32_t *)o->b.data, BUCKETS + 1), NULL))
static ww_status multisplit_edges(const world *w, length n, const outputs *o) {
    static const uint32_t edges[] = {1000, 1u << 30, 1u << 31, 3u << 30};
    for (size_t e = 0; e < 4; e++) w->edges[e] = edges[e];
    return ww_multisplit_edges(w->device, X, INDEX, ww_memory(w->edges, 4), A, B, ww_none, NULL);
}
/* For these the host waits. */
CALL(sorted_by, ww_sort_by(w->device, &greater_ww, X, ww_no_input, A, ww_none, NULL))
static ww_status multisplit_in_stages(const world *w, length n, const outputs *o) {
    ww_multisplit_options options = WW_MULTISPLIT_OPTIONS;
    options.method = WW_MULTISPLIT_WARP;
    return ww_multisplit(w->device, &low_two_ww, BUCKETS, X, INDEX, A, B, ww_none, &options);
}
static ww_status scanned_in_steps(const world *w, length n, const outputs *o) {
    ww_scan_options options = WW_SCAN_OPTIONS;
    options.method = WW_SCAN_BLELLOCH;
    return ww_scan(w->device, &ww_add, X, A, &options);
}

static const struct {
    const char *name;
    ww_status (*make)(const world *w, length n, const outputs *o);
    bool taken; /* by kernels */
} calls[] = {
    {"map", mapped, true},
    {"map2", mapped2, true},
    {"store", stored, true},
    {"launch", launched, true},
    {"scan", scanned, true},
    {"scan before, total", scanned_before, true},
    {"reduce", reduced, true},
    {"pack", packed, true},
    {"pack_if", packed_if, true},
    {"gather", gathered, true},
    {"scatter", scattered, true},
    {"scatter add", scatter_added, true},
    {"expand", expanded, true},
    {"reduce floats", reduced_floats, true},
    {"split", split, true},
    {"split_if, reversed", split_back, true},
    {"sort pairs", sorted, true},
    {"sort u64 down", sorted_wide, true},
    {"run lengths", run_lengths, true},
    {"unique", unique, true},
    {"reduce by key", reduced_by_key, true},
    {"scan by key", scanned_by_key, true},
    {"multisplit", multisplit, true},
    {"multisplit of keys", multisplit_keys, true},
    {"multisplit by edges", multisplit_edges, true},
    {"sort by an order", sorted_by, false},
    {"multisplit in stages", multisplit_in_stages, false},
    {"scan by Blelloch", scanned_in_steps, false},
};
enum { CALLS = sizeof calls / sizeof *calls };

static world begin(ww_device *device, size_t bound) {
    world w = {device,          bound,  need(4 * bound + 4), need(4 * bound + 4), need(4 * bound + 4), need(16),
               need(bound + 1), need(8)};
    uint64_t state = seed_of_run() + bound;
    for (size_t i = 0; i < bound; i++) {
        w.x[i] = (uint32_t)random_next(&state);
        w.index[i] = (uint32_t)(random_next(&state) >> 8) % (uint32_t)bound;
        w.runs[i] = (uint32_t)(i / 3);
        w.flags[i] = (uint8_t)(random_next(&state) & 1);
    }
    return w;
}

static void end(world *w) {
    free(w->x);
    free(w->index);
    free(w->runs);
    free(w->edges);
    free(w->flags);
    free(w->number);
}

static outputs outputs_new(const world *w) {
    const outputs o = {guarded_new(8 * w->bound), guarded_new(4 * w->bound + 4 * BUCKETS), guarded_new(8)};
    memset(o.a.data, 0x11, 8 * w->bound); /* scatters leave some of it */
    return o;
}

static void outputs_end(outputs *o) {
    guarded *const each[] = {&o->a, &o->b, &o->one};
    for (size_t k = 0; k < 3; k++) {
        guarded_check(each[k]);
        guarded_free(each[k]);
    }
}

static bool always(ww__driver *driver) { return driver != NULL; }

/* As if calls were captured in a graph, nothing can wait: kernels look at the number, or the call is refused. */
static void check_taken(const world *w, size_t c, length n, const outputs *o) {
    if (!on_gpu()) return;
    ww__driver *driver = w->device->gpu->driver;
    bool (*const before)(ww__driver *) = driver->capturing;
    driver->capturing = always;
    const ww_status status = calls[c].make(w, n, o);
    driver->capturing = before;
    if (calls[c].taken) {
        expect_status(w->device, status, WW_OK);
    } else {
        expect_status(w->device, status, WW_UNSUPPORTED);
        expect_sentence(w->device, "count on the device", "captured");
    }
}

static void check_call(const world *w, const char *setting, size_t c, uint64_t number) {
    CASE("counts", "%s %s bound=%zu count=%llu", setting, calls[c].name, w->bound, (unsigned long long)number);
    if (!case_wanted()) return;
    const length counted = {w->bound, w->number}, plain = {number < w->bound ? number : w->bound, NULL};
    outputs got = outputs_new(w), wanted = outputs_new(w), again = outputs_new(w);
    *w->number = number;
    expect_status(w->device, calls[c].make(w, counted, &got), WW_OK);
    expect_status(w->device, ww_sync(w->device), WW_OK);
    expect_status(w->device, calls[c].make(w, plain, &wanted), WW_OK);
    if (w->bound > 1) check_taken(w, c, counted, &again);
    expect_status(w->device, ww_sync(w->device), WW_OK);
    expect(*w->number == number);
    expect_elements(got.a.data, wanted.a.data, 2 * w->bound, 4);
    expect_elements(got.b.data, wanted.b.data, w->bound + BUCKETS, 4);
    expect_bytes(got.one.data, wanted.one.data, 8);
    if (on_gpu() && calls[c].taken && w->bound > 1) expect_elements(again.a.data, wanted.a.data, 2 * w->bound, 4);
    outputs_end(&got);
    outputs_end(&wanted);
    outputs_end(&again);
}

static void as_counted_by_the_host(void **state) {
    static const size_t bounds[] = {1, 2, 300, 6001};
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
            world w = begin(device, bounds[b]);
            /* 512 are a small tile's elements, and what one of its blocks sorts. */
            const uint64_t numbers[] = {0, 1, w.bound / 2 + 1, w.bound - 1, w.bound, w.bound + 1, UINT64_MAX, 512, 513};
            const size_t many = sizeof numbers / sizeof *numbers - (w.bound < 512 ? 2 : 0);
            for (size_t c = 0; c < CALLS; c++)
                for (size_t k = 0; k < many; k++) check_call(&w, setting_name(s), c, numbers[k]);
            end(&w);
        }
        ww_close(device);
    }
}

/* What is wrong with a count, in a call that takes it and in one that does not. */
static void mistakes(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        world w = begin(device, 64);
        outputs o = outputs_new(&w);
        uint64_t *other = need(8);
        CASE("counts", "mistakes %s", setting_name(s));
        *w.number = *other = 10;
        const ww_input x = ww_counted(ww_memory(w.x, 64), w.number);
        const ww_array a = ww_array((uint32_t *)o.a.data, 64);
        const uint64_t *askew = (const uint64_t *)(const void *)((const char *)w.number + 4);
        expect_status(device, ww_map(device, &three_times_ww, x, a), WW_INVALID);
        expect_status(device, ww_map(device, &three_times_ww, x, ww_counted_array(ww_array(w.index, 60), w.number)),
                      WW_INVALID);
        expect_sentence(device, "one count", "64", "60");
        expect_status(device, ww_map(device, &three_times_ww, ww_counted(x, askew), ww_counted_array(a, askew)),
                      WW_INVALID);
        expect_sentence(device, "not aligned");
        expect_status(device, ww_pack_if(device, &is_odd_ww, x, a, ww_array(w.number, 1), NULL), WW_OVERLAP);
        expect_sentence(device, "is the count of what is read");
        expect_status(
            device,
            ww_reduce(device, &ww_max, ww_counted(ww_memory((uint64_t *)o.a.data, 1), w.number), ww_array(w.number, 1)),
            WW_OVERLAP);
        expect_status(device,
                      ww_map(device, &three_times_ww, ww_counted(ww_memory(w.index, 2), w.number),
                             ww_counted_array(ww_array((uint32_t *)(void *)w.number, 2), w.number)),
                      WW_OVERLAP);
        expect_sentence(device, "the count of in", "lies in out");
        expect_status(
            device,
            ww_map(device, &three_times_ww, ww_mapped2(&differ_ww, x, ww_counted(ww_memory(w.index, 64), other)), a),
            WW_INVALID);
        expect_status(device, ww_copy(device, x, a), WW_UNSUPPORTED);
        expect_sentence(device, "a count on the device", "does not take");
        expect_status(device, ww_fill(device, ww_counted_array(a, w.number), ww_value(uint32_t, 1)), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(((uint32_t *)o.a.data)[9] == 1 && ((uint32_t *)o.a.data)[10] == 0x11111111);
        const put_in to = {o.a.data};
        expect_status(device, ww_launch_counted(device, ww_with(put_rank, &to), 64, NULL), WW_INVALID);
        /* Two numbers that agree are as good as one. */
        expect_status(device, ww_map(device, &three_times_ww, x, ww_counted_array(a, other)), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(((uint32_t *)o.a.data)[9] == 3 * w.x[9] + 1 && ((uint32_t *)o.a.data)[10] == 0x11111111);
        if (on_gpu()) {
            uint64_t of_stack = 3;
            expect_status(device, ww_reduce(device, &ww_add, ww_counted(x, &of_stack), ww_array(w.index, 1)),
                          WW_INVALID);
            expect_sentence(device, "cannot reach");
        }
        free(other);
        outputs_end(&o);
        end(&w);
        ww_close(device);
    }
}

/* ---- loops ---- */

/* Numbers are halved, those that are left are kept, until none is: `left` is how many there are, `more` its copy. */
typedef struct halving {
    uint32_t *now, *next;
    uint64_t *left, *kept, *turns;
    size_t bound;
    size_t rounds_called, fail_at;
} halving;

WW_MAP(half, uint32_t, uint32_t, x, void, none, { return x / 2; });
WW_MAP(is_left, uint8_t, uint32_t, x, void, none, { return x != 0; });
WW_STRUCT(turn, {
    const uint64_t *kept;
    uint64_t *left;
    uint64_t *turns;
});
WW_KERNEL(take_over, turn, a, rank, {
    a->left[rank] = a->kept[rank];
    a->turns[rank]++;
});

static ww_status halve(ww_device *device, void *context) {
    halving *h = context;
    const ww_input now = ww_counted(ww_memory(h->now, h->bound), h->left);
    const turn t = {h->kept, h->left, h->turns};
    if (h->rounds_called++ == h->fail_at)
        return ww_pack_if(device, &is_left_ww, now, ww_array(h->next, h->bound), ww_array(h->next, 1), NULL);
    ww_status status = ww_pack_if(device, &is_left_ww, ww_mapped(&half_ww, now), ww_array(h->next, h->bound),
                                  ww_array(h->kept, 1), NULL);
    if (!status)
        status = ww_store(device, ww_counted(ww_memory(h->next, h->bound), h->kept),
                          ww_counted_array(ww_array(h->now, h->bound), h->kept));
    if (!status) status = ww_launch(device, ww_with(take_over, &t), 1);
    return status;
}

static void check_loop(ww_device *device, const char *setting, size_t bound, uint64_t start, uint64_t most) {
    CASE("counts", "loop %s bound=%zu start=%llu most=%llu", setting, bound, (unsigned long long)start,
         (unsigned long long)most);
    if (!case_wanted()) return;
    halving h = {need(4 * bound), need(4 * bound), need(8), need(8), need(8), bound, 0, SIZE_MAX};
    uint32_t *wanted = need(4 * bound);
    uint64_t state = seed_of_run() + bound, rounds = 99, left = start;
    for (size_t i = 0; i < bound; i++) wanted[i] = h.now[i] = (uint32_t)random_next(&state) >> (i % 32);
    *h.left = start;
    *h.turns = 0;
    expect_status(device, ww_repeat(device, h.left, most, halve, &h, &rounds), WW_OK);
    uint64_t made = 0;
    for (; made < most && left; made++) {
        uint64_t kept = 0;
        for (uint64_t i = 0; i < left; i++)
            if (wanted[i] / 2) wanted[kept++] = wanted[i] / 2;
        left = kept;
    }
    expect(rounds == made && *h.turns == made && *h.left == left);
    expect_elements(h.now, wanted, bound, 4);
    free(wanted);
    free(h.now);
    free(h.next);
    free(h.left);
    free(h.kept);
    free(h.turns);
}

static void loops(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const char *setting = setting_name(s);
        check_loop(device, setting, 500, 500, UINT64_MAX);
        check_loop(device, setting, 500, 123, UINT64_MAX);
        check_loop(device, setting, 500, 500, 1);
        check_loop(device, setting, 500, 500, 2);
        check_loop(device, setting, 500, 500, 7);
        check_loop(device, setting, 500, 500, 0);
        check_loop(device, setting, 500, 0, 9);
        check_loop(device, setting, 1, 1, UINT64_MAX);
        ww_close(device);
    }
}

/* Rounds of what sorts and splits: pairs are sorted, different keys are kept, halved, and split by their lowest bits. */
typedef struct thinning {
    halving h;
    uint32_t *values, *values_next;
} thinning;

static ww_status thin(ww_device *device, void *context) {
    thinning *t = context;
    halving *h = &t->h;
    const size_t room = h->bound;
    const turn turns = {h->kept, h->left, h->turns};
    const ww_input places = ww_counted(ww_counting(&ww_type_uint32_t, 0, room), h->left);
    const ww_array sorted = ww_array(h->next, room), kept = ww_counted_array(ww_array(h->now, room), h->kept);
    h->rounds_called++;
    ww_status status = ww_sort(device, ww_counted(ww_memory(h->now, room), h->left), places,
                               ww_counted_array(sorted, h->left), ww_counted_array(ww_array(t->values, room), h->left),
                               NULL);
    if (!status)
        status = ww_unique(device, ww_counted(ww_memory(h->next, room), h->left), ww_array(h->now, room),
                           ww_array(h->kept, 1));
    if (!status)
        status = ww_multisplit(device, &low_two_ww, BUCKETS, ww_mapped(&half_ww, ww_from(kept)),
                               ww_counted(ww_memory(t->values, room), h->kept), ww_counted_array(sorted, h->kept),
                               ww_counted_array(ww_array(t->values_next, room), h->kept), ww_none, NULL);
    if (!status) status = ww_store(device, ww_counted(ww_memory(h->next, room), h->kept), kept);
    return status ? status : ww_launch(device, ww_with(take_over, &turns), 1);
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint64_t thin_once(uint32_t *x, uint64_t n, uint32_t *room) {
    uint64_t kept = 0, to = 0;
    qsort(x, n, sizeof *x, by_number);
    for (uint64_t i = 0; i < n; i++)
        if (!i || x[i] != x[kept - 1]) x[kept++] = x[i];
    for (uint32_t bucket = 0; bucket < BUCKETS; bucket++)
        for (uint64_t i = 0; i < kept; i++)
            if ((x[i] / 2 & 3) == bucket) room[to++] = x[i] / 2;
    memcpy(x, room, kept * sizeof *x);
    return kept;
}

/* How often a loop's rounds are called: as often as they are made, or twice where the GPU makes them. */
static size_t simple_calls(ww_device *device, size_t bound, uint64_t most) {
    halving h = {need(4 * bound), need(4 * bound), need(8), need(8), need(8), bound, 0, SIZE_MAX};
    for (size_t i = 0; i < bound; i++) h.now[i] = UINT32_MAX;
    *h.left = bound;
    *h.turns = 0;
    expect_status(device, ww_repeat(device, h.left, most, halve, &h, NULL), WW_OK);
    free(h.now);
    free(h.next);
    free(h.left);
    free(h.kept);
    free(h.turns);
    return h.rounds_called;
}

static void check_thinning(ww_device *device, const char *setting, size_t bound, uint64_t start) {
    enum { MOST = 5 };
    CASE("counts", "loop of sorts %s bound=%zu start=%llu", setting, bound, (unsigned long long)start);
    if (!case_wanted()) return;
    thinning t = {{need(4 * bound), need(4 * bound), need(8), need(8), need(8), bound, 0, SIZE_MAX},
                  need(4 * bound),
                  need(4 * bound)};
    uint32_t *wanted = need(4 * bound), *room = need(4 * bound);
    uint64_t state = seed_of_run() + bound, rounds = 0, left = start;
    for (size_t i = 0; i < bound; i++) wanted[i] = t.h.now[i] = (uint32_t)random_next(&state) % 1000;
    *t.h.left = start;
    *t.h.turns = 0;
    expect_status(device, ww_repeat(device, t.h.left, MOST, thin, &t, &rounds), WW_OK);
    for (size_t r = 0; r < MOST; r++) left = thin_once(wanted, left, room);
    expect(rounds == MOST && *t.h.turns == MOST && *t.h.left == left);
    expect_elements(t.h.now, wanted, left, 4);
    expect(t.h.rounds_called == simple_calls(device, bound, MOST));
    free(wanted);
    free(room);
    free(t.values);
    free(t.values_next);
    free(t.h.now);
    free(t.h.next);
    free(t.h.left);
    free(t.h.kept);
    free(t.h.turns);
}

static void loops_of_sorts(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        check_thinning(device, setting_name(s), 6001, 5000);
        check_thinning(device, setting_name(s), 6001, 77);
        check_thinning(device, setting_name(s), 200, 200);
        ww_close(device);
    }
}

/* ---- loops of many rounds, of which a GPU makes several at a time ---- */

WW_MAP(next_of, uint32_t, uint32_t, x, void, none, { return x * 5 + 1; });
WW_STRUCT(going, {
    uint64_t *left;
    uint64_t *turns;
});
WW_KERNEL(go_on, going, a, rank, {
    a->left[rank]--;
    a->turns[rank]++;
});

typedef struct long_loop {
    uint32_t *x, *sum, *copy;
    uint64_t *left, *turns, *there;
    bool copies; /* something that cannot be left out behind the end */
} long_loop;
enum { LONG_ROOM = 100, LONG_THERE = 70 };

static ww_status long_round(ww_device *device, void *context) {
    const long_loop *l = context;
    const going g = {l->left, l->turns};
    const ww_input x = ww_counted(ww_memory(l->x, LONG_ROOM), l->there);
    ww_status status = ww_map(device, &next_of_ww, x, ww_counted_array(ww_array(l->x, LONG_ROOM), l->there));
    if (!status) status = ww_launch(device, ww_with(go_on, &g), 1);
    if (!status) status = ww_reduce(device, &ww_add, x, ww_array(l->sum, 1));
    if (!status && l->copies) status = ww_copy(device, ww_memory((const uint32_t *)l->sum, 1), ww_array(l->copy, 1));
    return status;
}

/* Ends after `n` rounds, by the number or by `most`: nothing of a round behind the last one is seen. */
static void check_long(ww_device *device, const char *setting, uint64_t n, bool by_most, bool copies) {
    long_loop l = {need(4 * LONG_ROOM), need(4), need(4), need(8), need(8), need(8), copies};
    uint32_t wanted[LONG_ROOM], sum = 0;
    uint64_t rounds = 99;
    CASE("counts", "long loop %s n=%llu%s%s", setting, (unsigned long long)n, by_most ? " by most" : "",
         copies ? " with copies" : "");
    if (case_wanted()) {
        for (uint32_t i = 0; i < LONG_ROOM; i++) wanted[i] = l.x[i] = i * 2654435761u;
        for (uint32_t i = 0; i < LONG_THERE; i++) {
            for (uint64_t r = 0; r < n; r++) wanted[i] = wanted[i] * 5 + 1;
            sum += wanted[i];
        }
        *l.left = n + (by_most ? 5 : 0);
        *l.turns = 0;
        *l.there = LONG_THERE;
        expect_status(device, ww_repeat(device, l.left, by_most ? n : UINT64_MAX, long_round, &l, &rounds), WW_OK);
        expect(rounds == n && *l.turns == n && *l.left == (by_most ? 5 : 0) && *l.sum == sum);
        expect(!copies || *l.copy == sum);
        expect_elements(l.x, wanted, LONG_ROOM, 4);
    }
    free(l.x);
    free(l.sum);
    free(l.copy);
    free(l.left);
    free(l.turns);
    free(l.there);
}

static void long_loops(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        const bool recorded = on_gpu() && !tiles_are_small(); /* elsewhere the host makes each round */
        for (uint64_t n = recorded ? 126 : 136; n <= (recorded ? 150 : 137); n++)
            check_long(device, setting_name(s), n, n % 2, n % 5 == 0);
        ww_close(device);
    }
}

static void loops_that_fail(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("counts", "loops that fail %s", setting_name(s));
        for (size_t fail_at = 0; fail_at < 3; fail_at++) {
            halving h = {need(40), need(40), need(8), need(8), need(8), 10, 0, fail_at};
            uint64_t rounds = 99;
            for (uint32_t i = 0; i < 10; i++) h.now[i] = UINT32_MAX - i;
            *h.left = 10;
            *h.turns = 0;
            /* On a GPU that records, the round that fails is called once more, by the host, and works then. */
            const ww_status status = ww_repeat(device, h.left, 5, halve, &h, &rounds);
            if (status || !on_gpu() || tiles_are_small()) {
                expect_status(device, status, WW_OVERLAP);
                expect(rounds == fail_at && *h.turns == fail_at);
                expect_sentence(device, "ww_pack_if", "overlaps");
            }
            rounds = 99;
            expect_status(device, ww_repeat(device, NULL, 5, halve, &h, &rounds), WW_INVALID);
            expect(rounds == 0);
            const uint64_t of_stack = 1;
            if (on_gpu()) expect_status(device, ww_repeat(device, &of_stack, 5, halve, &h, NULL), WW_INVALID);
            if (on_gpu()) expect_sentence(device, "cannot reach");
            expect_status(device, ww_repeat(device, h.left, 5, NULL, &h, NULL), WW_INVALID);
            expect_status(
                device,
                ww_repeat(device, (const uint64_t *)(const void *)((const char *)h.left + 1), 5, halve, &h, NULL),
                WW_INVALID);
            free(h.now);
            free(h.next);
            free(h.left);
            free(h.kept);
            free(h.turns);
        }
        ww_close(device);
    }
}

/* ---- loops that a driver runs by itself ---- */

/* The emulator's driver with one that records, whose recorded rounds count `more` down. */
typedef struct recording {
    ww__driver plain;
    uint64_t *more;
    uint64_t most;                           /* that the loop was given */
    size_t called, recorded, begun, dropped; /* rounds by the host and into a recording; of the driver */
    size_t waited;                           /* since the last round that the host made */
    size_t nexts, in_body;                   /* rounds that were put behind another one, in all and in this body */
    bool is_recording, cannot, fails_recorded;
    bool several, fails_several; /* whether bodies may have several rounds; whether such a loop fails */
} recording;
static recording rec;

static ww_status rec_begin(ww__driver *driver) {
    (void)driver;
    expect(!rec.is_recording);
    rec.begun++;
    rec.in_body = 0;
    if (rec.cannot) return WW_UNSUPPORTED;
    rec.is_recording = true;
    return WW_OK;
}
static ww_status rec_end(ww__driver *driver, const uint64_t *go_on, uint64_t most, uint64_t *rounds) {
    (void)driver;
    expect(rec.is_recording && go_on == rec.more);
    rec.is_recording = false;
    if (rec.in_body && rec.fails_several) return WW_UNSUPPORTED;
    rec.most = most;
    for (*rounds = 0; *rounds < most && *rec.more; ++*rounds) --*rec.more;
    return WW_OK;
}
static void rec_drop(ww__driver *driver) {
    (void)driver;
    expect(rec.is_recording);
    rec.is_recording = false;
    rec.dropped++;
}
static bool rec_several(ww__driver *driver) {
    (void)driver;
    return rec.several;
}
static ww_status rec_next(ww__driver *driver, const uint64_t *go_on, uint64_t most) {
    (void)driver;
    expect(rec.is_recording && go_on == rec.more && most);
    rec.nexts++;
    rec.in_body++;
    return WW_OK;
}
static ww_status rec_sync(ww__driver *driver) {
    rec.waited++;
    return rec.plain.sync(driver);
}

static ww_status count_down(ww_device *device, void *context) {
    (void)context;
    if (rec.is_recording) {
        rec.recorded++;
        return rec.fails_recorded ? ww_fill(device, ww_none, ww_value(uint32_t, 0)) : WW_OK;
    }
    rec.called++;
    rec.waited = 0;
    --*rec.more;
    return WW_OK;
}

static void recorded_loops(void **state) {
    (void)state;
    if (!tiles_are_small()) return; /* the emulator, whose memory the host reaches */
    static const struct {
        uint64_t start, most, rounds, given; /* given: `most` of the recorded loop; 0: there is none */
        size_t called;
        bool cannot, fails_recorded;
        size_t begun, nexts; /* parts of the loop, and rounds behind another one */
        bool several, fails_several;
    } loops[] = {
        {10, UINT64_MAX, 10, UINT64_MAX - 1, 1, false, false, 1, 0, false, false},
        {10, 7, 7, 6, 1, false, false, 1, 0, false, false},
        {10, 1, 1, 0, 1, false, false, 0, 0, false, false},
        {1, 9, 1, 0, 1, false, false, 0, 0, false, false},
        {0, 9, 0, 0, 0, false, false, 0, 0, false, false},
        {10, 7, 7, 0, 7, true, false, 1, 0, false, false}, /* the host runs what cannot be recorded */
        {10, 7, 7, 0, 7, false, true, 1, 0, false, false},
        {300, 1000, 300, 999, 1, false, false, 1, 0, false, false},
        {300, 1000, 300, 871, 1, false, false, 2, 3, true, false}, /* several in a body when 129 have been made */
        {300, 200, 200, 71, 1, false, false, 2, 3, true, false},
        {300, 1000, 300, 871, 1, false, false, 3, 3, true, true},
        {129, 1000, 129, 128, 1, false, false, 1, 0, true, false},
        {300, 129, 129, 128, 1, false, false, 1, 0, true, false},
        {50, 1000, 50, 128, 1, false, false, 1, 0, true, false},
    };
    ww_device *device = setting_open(0);
    ww__driver *const driver = device->gpu->driver;
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
        uint64_t rounds = 99;
        CASE("counts", "recorded loops %zu", k);
        rec = (recording){.plain = *driver,
                          .cannot = loops[k].cannot,
                          .fails_recorded = loops[k].fails_recorded,
                          .several = loops[k].several,
                          .fails_several = loops[k].fails_several};
        driver->loop_several = rec_several, driver->loop_next = rec_next;
        driver->loop_begin = rec_begin, driver->loop_end = rec_end, driver->loop_drop = rec_drop;
        driver->sync = rec_sync;
        rec.more = need(8);
        *rec.more = loops[k].start;
        const ww_status status = ww_repeat(device, rec.more, loops[k].most, count_down, NULL, &rounds);
        const size_t waited = rec.waited;
        expect_status(device, status, WW_OK);
        expect(rounds == loops[k].rounds && rec.most == loops[k].given && rec.called == loops[k].called);
        expect(*rec.more == loops[k].start - loops[k].rounds);
        expect(!rec.is_recording && rec.begun == loops[k].begun && rec.dropped == loops[k].fails_recorded);
        expect(rec.nexts == loops[k].nexts && rec.recorded == (loops[k].cannot ? 0 : rec.begun + rec.nexts));
        expect(waited || rec.most || !rec.called); /* a loop that is recorded waits itself */
        free(rec.more);
        driver->loop_begin = rec.plain.loop_begin, driver->loop_end = rec.plain.loop_end;
        driver->loop_drop = rec.plain.loop_drop, driver->sync = rec.plain.sync;
        driver->loop_several = rec.plain.loop_several, driver->loop_next = rec.plain.loop_next;
    }
    ww_close(device);
}

static void loops_on_paper(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        halving h = {need(2000), need(2000), need(8), need(8), need(8), 500, 0, SIZE_MAX};
        size_t bytes = SIZE_MAX;
        CASE("counts", "loops on paper %s", setting_name(s));
        *h.left = 500;
        *h.turns = 0;
        expect_status(device, ww_scratch_ask(device), WW_OK);
        expect_status(device, ww_repeat(device, h.left, 5, halve, &h, NULL), WW_OK);
        expect_status(device, ww_scratch_asked(device, &bytes), WW_OK);
        expect(h.rounds_called == 1 && *h.turns == 0 && bytes < SIZE_MAX);
        free(h.now);
        free(h.next);
        free(h.left);
        free(h.kept);
        free(h.turns);
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_counted_by_the_host), cmocka_unit_test(mistakes),        cmocka_unit_test(loops),
        cmocka_unit_test(loops_of_sorts),         cmocka_unit_test(loops_that_fail), cmocka_unit_test(recorded_loops),
        cmocka_unit_test(loops_on_paper),         cmocka_unit_test(long_loops)};
    return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
