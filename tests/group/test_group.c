/* Groups and their engine of threads: what moves, and what becomes of the others when a rank dies, stays away, runs out of memory, or
 * is of another build. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "support/groups.h"

/* ---- engines that fail ---- */

/* A rank's engine around another one: at its call number `at`, counted over all functions but close, it fails. */
typedef enum failing { FAILS_NOT, FAILS_WITH_STATUS, DIES, STAYS_AWAY, SAYS_OTHERWISE } failing;
typedef struct shim {
    ww_engine under;
    failing how;
    size_t at, calls;
    size_t byte; /* of what it says first, which is changed */
    bool failed;
} shim;

static bool due(shim *s) {
    if (s->calls++ != s->at || s->how == FAILS_NOT || s->how == SAYS_OTHERWISE) return false;
    s->failed = true;
    if (s->how == STAYS_AWAY) { /* for longer than the others wait */
        nanosleep(&(struct timespec){0, 200000000}, NULL);
        return false;
    }
    if (s->how == DIES) s->under.abort(s->under.state);
    return true;
}
static ww_status shim_exchange(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes,
                               void *receive, const uint64_t *receive_at, const uint64_t *receive_bytes, char *why) {
    shim *s = state;
    if (due(s)) return WW_LOST;
    return s->under.exchange(s->under.state, send, send_at, send_bytes, receive, receive_at, receive_bytes, why);
}
static ww_status shim_gather(void *state, const void *mine, size_t bytes, void *all, char *why) {
    shim *s = state;
    if (due(s)) return WW_LOST;
    if (s->how == SAYS_OTHERWISE && !s->failed) {
        static _Thread_local unsigned char other[WW_ENGINE_GATHER_MOST]; /* stays until wait returns */
        memcpy(other, mine, bytes);
        other[s->byte] ^= 1;
        s->failed = true;
        return s->under.gather(s->under.state, other, bytes, all, why);
    }
    return s->under.gather(s->under.state, mine, bytes, all, why);
}
static ww_status shim_wait(void *state, uint64_t limit_ms, char *why) {
    shim *s = state;
    if (due(s)) return WW_LOST;
    return s->under.wait(s->under.state, limit_ms, why);
}
static void shim_abort(void *state) {
    shim *s = state;
    s->under.abort(s->under.state);
}
static void shim_close(void *state) {
    shim *s = state;
    s->under.close(s->under.state);
}

/* ---- ranks on threads of the test's own ---- */

typedef struct crew {
    uint32_t ranks;
    ww_group_body *body;
    uint64_t limit_ms;
    shim shim[RANKS_MOST];
    ww_status opened[RANKS_MOST], status[RANKS_MOST];
    char said[RANKS_MOST][512];
    counting_allocator *memory; /* of rank 1, or NULL */
} crew;
typedef struct member {
    crew *of;
    uint32_t rank;
    pthread_t thread;
} member;

static void *serve(void *argument) {
    const member *me = argument;
    crew *c = me->of;
    shim *s = &c->shim[me->rank];
    const ww_engine engine = {.size = sizeof engine,
                              .state = s,
                              .rank = s->under.rank,
                              .ranks = s->under.ranks,
                              .memory = s->under.memory,
                              .exchange = shim_exchange,
                              .gather = shim_gather,
                              .wait = shim_wait,
                              .abort = shim_abort,
                              .close = shim_close};
    ww_open_options open_options = WW_OPEN_OPTIONS;
    ww_group_options options = WW_GROUP_OPTIONS;
    ww_device *device = NULL;
    ww_group *group = NULL;
    options.limit_ms = c->limit_ms;
    if (c->memory && me->rank == 1) open_options.allocator = counting_allocator_use(c->memory);
    const bool is_open = !ww_open_with("cpu:threads=1", &device, &open_options);
    c->status[me->rank] = c->opened[me->rank] = is_open ? ww_group_open(device, &engine, &options, &group) : WW_MEMORY;
    if (!group) engine.close(engine.state);
    if (!c->status[me->rank]) c->status[me->rank] = c->body(group, c);
    if (group) snprintf(c->said[me->rank], sizeof c->said[me->rank], "%s", ww_group_error(group));
    ww_group_close(group);
    ww_close(device);
    return NULL;
}

static void run_crew(crew *c) {
    ww_engine engines[RANKS_MOST];
    member members[RANKS_MOST];
    expect(ww_engines_local(c->ranks, engines) == WW_OK);
    if (!c->limit_ms) c->limit_ms = 20000;
    for (uint32_t r = 0; r < c->ranks; r++) {
        c->shim[r].under = engines[r];
        members[r] = (member){.of = c, .rank = r};
        expect(!pthread_create(&members[r].thread, NULL, serve, &members[r]));
    }
    for (uint32_t r = 0; r < c->ranks; r++) pthread_join(members[r].thread, NULL);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- what every operation does, on small blocks ---- */

#define TRY(call) \
    do { \
        const ww_status tried = (call); \
        if (tried) return tried; \
    } while (0)

WW_MAP(three, uint32_t, uint32_t, x, void, none, { return x % 3; });

static ww_status exchange_some(ww_group *group) {
    const uint32_t rank = ww_group_rank(group), ranks = ww_group_ranks(group);
    uint64_t counts[RANKS_MOST], received[RANKS_MOST];
    uint32_t x[100], y[1600];
    uint32_t n = 0, got = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        counts[r] = (rank * 3 + r) % 5; /* not to all */
        for (uint32_t k = 0; k < counts[r]; k++) x[n++] = rank * 10000 + r * 100 + k;
    }
    ww_status status = ww_group_exchange(group, ww_memory(x, n), counts, ww_array(y, 1600), received);
    for (uint32_t r = 0; r < ranks && !status; r++) {
        if (received[r] != (r * 3 + rank) % 5) return WW_FORMAT;
        for (uint32_t k = 0; k < received[r]; k++)
            if (y[got++] != r * 10000 + rank * 100 + k) return WW_FORMAT;
    }
    return status;
}

static ww_status keep_some(ww_group *group, const uint32_t *x) {
    ww_group_slab *slab = NULL;
    ww_group_lsm *lsm = NULL;
    uint32_t values[50];
    uint8_t statuses[50] = {0};
    ww_status status = ww_group_slab_open(group, &ww_type_uint32_t, &ww_type_uint32_t, 100, &slab, NULL);
    if (!status) status = ww_group_slab_replace(slab, ww_memory(x, 50), ww_memory(x, 50), ww_none);
    if (!status) status = ww_group_slab_search(slab, ww_memory(x, 50), ww_array(values, 50), ww_array(statuses, 50));
    if (!status && (statuses[49] != WW_SLAB_FOUND || values[49] != x[49])) status = WW_FORMAT;
    if (!status) status = ww_group_slab_delete(slab, ww_memory(x, 50), ww_none);
    if (!status) status = ww_group_lsm_open(group, &ww_type_uint32_t, &ww_type_uint32_t, ww_no_input, &lsm, NULL);
    if (!status) status = ww_group_lsm_insert(lsm, ww_memory(x, 50), ww_memory(x, 50));
    if (!status) status = ww_group_lsm_lookup(lsm, ww_memory(x, 50), ww_array(values, 50), ww_array(statuses, 50));
    if (!status && (!statuses[49] || values[49] != x[49])) status = WW_FORMAT;
    if (!status) status = ww_group_lsm_delete(lsm, ww_memory(x, 50));
    ww_group_slab_close(slab);
    ww_group_lsm_close(lsm);
    return status;
}

static ww_status everything(ww_group *group, void *context) {
    (void)context;
    const uint32_t rank = ww_group_rank(group), ranks = ww_group_ranks(group);
    uint32_t x[5000], split[60000], sum = 0, counts[3] = {0, 0, 0};
    const uint8_t text[RANKS_MOST + 1] = "abcabcabcabcabca";
    float f[5000], total = 0;
    const size_t n = 3000 + 500 * (rank % 3);
    for (uint32_t i = 0; i < n; i++) f[i] = (float)(x[i] = i);
    TRY(exchange_some(group));
    TRY(ww_group_reduce(group, &ww_add, ww_memory(x, n), ww_array(&sum, 1)));
    TRY(ww_group_reduce(group, &ww_add, ww_memory(f, n), ww_array(&total, 1)));
    TRY(ww_group_histogram(group, &three_ww, ww_memory(x, n), ww_array(counts, 3), ww_none, NULL));
    TRY(ww_group_sort(group, ww_memory(x, n), ww_memory(f, n), ww_array(x, n), ww_array(f, n), NULL));
    for (uint32_t i = 0; i < n; i++)
        if ((float)x[i] != f[i] || (i && x[i] < x[i - 1])) return WW_FORMAT;
    uint32_t top[5], positions[4];
    uint64_t matches = 0, came = 0;
    TRY(ww_group_top_k(group, ww_memory(x, n), ww_no_input, ww_array(top, 5), ww_none, NULL));
    TRY(ww_group_scan(group, &ww_add, ww_memory(f, n), ww_array(f, n), NULL));
    TRY(ww_group_scan(group, &ww_add, ww_memory(x, n), ww_array(x, n), NULL));
    TRY(ww_group_split(group, &three_ww, 3, NULL, ww_memory(x, n), ww_no_input, ww_array(split, 60000), ww_none,
                       ww_none, NULL, &came));
    TRY(ww_group_find(group, ww_memory(text, rank), "abc", 3, ww_array(positions, 4), ww_array(counts, 1), &matches,
                      NULL));
    if (top[4] > 4 || came > 60000 || matches > 8 * ranks) return WW_FORMAT;
    TRY(keep_some(group, x));
    uint32_t all = 0;
    for (uint32_t r = 0; r < ranks; r++) all += (3000 + 500 * (r % 3)) * (2999 + 500 * (r % 3)) / 2;
    return sum == all ? WW_OK : WW_FORMAT;
}

/* ---- the tests ---- */

static void all_goes_well(void **unused) {
    (void)unused;
    const uint32_t *sizes;
    const size_t many = group_sizes(&sizes);
    for (size_t g = 0; g < many; g++) {
        CASE("group", "all operations, ranks=%u", sizes[g]);
        if (case_wanted()) group_do(sizes[g], everything, NULL);
    }
}

/* At each of its calls in turn rank 1 of 3 dies, or its transport fails, or it stays away: the others are LOST, or had come to the end;
 * nobody hangs. */
static void failures(void **unused) {
    (void)unused;
    size_t calls = 0;
    for (failing how = FAILS_WITH_STATUS; how <= STAYS_AWAY; how++) {
        bool was_due = true;
        for (size_t at = 0; how == STAYS_AWAY ? at < calls : was_due; at += how == STAYS_AWAY ? calls / 6 : 1) {
            crew c = {.ranks = 3, .body = everything, .limit_ms = how == STAYS_AWAY ? 50 : 20000};
            c.shim[1].how = how;
            c.shim[1].at = at;
            CASE("group failures", "how=%d at=%zu", (int)how, at);
            const double begin = seconds();
            run_crew(&c);
            expect(seconds() - begin < 15);
            was_due = c.shim[1].failed;
            if (!was_due)
                for (uint32_t r = 0; r < 3; r++) expect(c.status[r] == WW_OK);
            else
                expect(c.status[1] == WW_LOST);
            for (uint32_t r = 0; r < 3 && was_due; r += 2) {
                expect(c.status[r] == WW_LOST || c.status[r] == WW_OK);
                expect(c.status[r] == WW_OK || strstr(c.said[r], "rank ") != NULL);
            }
            expect(at > 0 || c.status[0] == WW_LOST);
            calls = at > calls ? at : calls;
            expect(at < 1000);
        }
    }
}

/* A group that is lost stays so, and the ranks that are left make a smaller one. */
static ww_status leave_early(ww_group *group, void *context) {
    (void)context;
    uint32_t x = 1, sum = 0;
    if (ww_group_rank(group) == 2) return WW_OK;
    const ww_status first = ww_group_reduce(group, &ww_add, ww_memory(&x, 1), ww_array(&sum, 1));
    const ww_status second = ww_group_reduce(group, &ww_add, ww_memory(&x, 1), ww_array(&sum, 1));
    return first == WW_LOST && second == WW_LOST && !sum ? WW_UNSUPPORTED : WW_FORMAT;
}
static void a_rank_returns(void **unused) {
    (void)unused;
    CASE("group", "a rank returns early");
    expect(group_run(4, leave_early, NULL) == WW_UNSUPPORTED);
    expect_group_said("rank 2 has left the group");
    group_do(3, everything, NULL);
}

static ww_status wait_too_long(ww_group *group, void *context) {
    (void)context;
    uint32_t x = 1, sum = 0;
    if (ww_group_rank(group) == 1) {
        const struct timespec pause = {0, 400000000};
        nanosleep(&pause, NULL);
    }
    return ww_group_reduce(group, &ww_add, ww_memory(&x, 1), ww_array(&sum, 1));
}
static void a_rank_is_late(void **unused) {
    (void)unused;
    const char *devices[] = {"cpu:threads=1", "cpu:threads=1", "cpu:threads=1"};
    ww_group_options options = WW_GROUP_OPTIONS;
    options.limit_ms = 50;
    CASE("group", "a rank is late");
    expect(ww_group_run(devices, 3, &options, wait_too_long, NULL, group_why, sizeof group_why) == WW_LOST);
    expect_group_said("rank 1 did not arrive within 50 ms");
}

/* Ranks of another build: byte 8 is the order of bytes, 9 the word, 12 the version, 16 the ranks, 20 what is said, 24 the limit. */
static void other_builds(void **unused) {
    (void)unused;
    static const struct {
        size_t byte;
        ww_status status;
        const char *said;
    } cases[] = {{0, WW_UNSUPPORTED, "rank 1 does not open a group"},
                 {8, WW_UNSUPPORTED, "order of bytes"},
                 {9, WW_UNSUPPORTED, "words of 9 bytes, rank 0 of 8"},
                 {12, WW_UNSUPPORTED, "version"},
                 {16, WW_UNSUPPORTED, "ranks"},
                 {20, WW_UNSUPPORTED, "version"},
                 {24, WW_INVALID, "limit"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        crew c = {.ranks = 3, .body = everything};
        c.shim[1].how = SAYS_OTHERWISE;
        c.shim[1].byte = cases[k].byte;
        CASE("group", "another build, byte %zu", cases[k].byte);
        run_crew(&c);
        for (uint32_t r = 0; r < 3; r++) {
            expect(c.opened[r] == cases[k].status);
            expect(strstr(c.said[r], cases[k].said) != NULL);
        }
    }
}

/* Each request of rank 1 for memory fails in turn: all ranks have the same status, and nothing is lost. */
static void out_of_memory(void **unused) {
    (void)unused;
    bool done = false;
    for (size_t k = 1; !done; k++) {
        counting_allocator counter = {.fail_at = k};
        crew c = {.ranks = 3, .body = everything, .memory = &counter};
        CASE("group", "request %zu of rank 1 fails", k);
        run_crew(&c);
        done = c.status[1] == WW_OK;
        if (!done) expect(c.status[1] == WW_MEMORY);
        if (!c.opened[0]) expect(c.status[0] == c.status[1] && c.status[2] == c.status[1]);
        if (!c.opened[0] && !done) expect(!strcmp(c.said[0], c.said[2]) && strstr(c.said[0], "rank 1: ") != NULL);
        expect(!counter.live_blocks && !counter.live_bytes && k < 300);
    }
}

/* A second thread comes while a call is under way: it gets BUSY, and the call goes on. */
typedef struct busy {
    int stage;
    ww_group *group;
    ww_status second;
} busy;
static void *come_second(void *argument) {
    busy *b = argument;
    uint32_t x = 1, sum = 0;
    const struct timespec pause = {0, 1000000};
    for (int tries = 0; tries < 5000; tries++) {
        b->second = ww_group_reduce(b->group, &ww_add, ww_memory(&x, 1), ww_array(&sum, 1));
        if (b->second == WW_BUSY) break;
        nanosleep(&pause, NULL);
    }
    __atomic_store_n(&b->stage, 2, __ATOMIC_RELEASE);
    return NULL;
}
static ww_status be_busy(ww_group *group, void *context) {
    busy *b = context;
    uint32_t x = 1, sum = 0;
    pthread_t second;
    const struct timespec pause = {0, 1000000};
    if (ww_group_rank(group) == 0) { /* it waits inside of the call for rank 1, which waits for the second thread */
        b->group = group;
        __atomic_store_n(&b->stage, 1, __ATOMIC_RELEASE);
    } else {
        while (__atomic_load_n(&b->stage, __ATOMIC_ACQUIRE) < 1) nanosleep(&pause, NULL);
        nanosleep(&(struct timespec){0, 50000000}, NULL);
        if (pthread_create(&second, NULL, come_second, b)) return WW_FORMAT;
        pthread_join(second, NULL);
    }
    const ww_status status = ww_group_reduce(group, &ww_add, ww_memory(&x, 1), ww_array(&sum, 1));
    return sum == 2 ? status : WW_FORMAT;
}
static void busy_group(void **unused) {
    (void)unused;
    busy b = {0};
    CASE("group", "two threads");
    group_do(2, be_busy, &b);
    expect(b.second == WW_BUSY);
}

/* Room for what comes: too little on one rank is LIMIT on all, and all know what they need. */
typedef struct rooms {
    uint64_t received[3][3];
    ww_status status[3];
    uint32_t out[3][8];
} rooms;
static ww_status too_little(ww_group *group, void *context) {
    rooms *k = context;
    const uint32_t rank = ww_group_rank(group);
    const uint64_t counts[3] = {1, 2, 3};
    uint32_t x[6] = {0};
    k->status[rank] = ww_group_exchange(group, ww_memory(x, 6), counts, ww_array(k->out[rank], rank == 2 ? 8 : 6),
                                        k->received[rank]);
    return k->status[rank];
}
static void little_room(void **unused) {
    (void)unused;
    rooms k;
    memset(&k, 0xA5, sizeof k);
    CASE("group", "little room");
    expect(group_run(3, too_little, &k) == WW_LIMIT);
    expect_group_said("ww_group_exchange: rank 2: out has a capacity of 8 elements, and 9 come");
    for (uint32_t r = 0; r < 3; r++) {
        expect(k.status[r] == WW_LIMIT);
        for (uint32_t s = 0; s < 3; s++) expect(k.received[r][s] == r + 1);
        for (uint32_t i = 0; i < 8; i++) expect(k.out[r][i] == 0xA5A5A5A5u);
    }
}

static ww_status nothing(ww_group *group, void *context) {
    (void)context;
    return group ? WW_OK : WW_FORMAT;
}
static void refused(void **unused) {
    (void)unused;
    const char *devices[] = {"cpu:threads=1", "abacus"};
    ww_engine engines[2];
    ww_group *group = NULL;
    ww_device *device = NULL;
    CASE("group", "refused");
    expect(ww_group_run(devices, 2, NULL, nothing, NULL, group_why, sizeof group_why) == WW_NO_DEVICE);
    expect_group_said("rank 1");
    expect_group_said("abacus");
    expect(ww_group_run(devices, 0, NULL, nothing, NULL, group_why, sizeof group_why) == WW_INVALID);
    expect(ww_group_run(NULL, 1, NULL, nothing, NULL, NULL, 0) == WW_INVALID);
    expect(ww_group_run(devices, 1, NULL, NULL, NULL, NULL, 0) == WW_INVALID);
    expect(ww_group_run(devices, 1, NULL, nothing, NULL, NULL, 0) == WW_OK);
    expect(ww_engines_local(0, engines) == WW_INVALID && ww_engines_local(1, NULL) == WW_INVALID);
    expect(ww_engines_local(1, engines) == WW_OK && !ww_open("cpu:threads=1", &device));
    ww_engine wrong = engines[0];
    wrong.gather = NULL;
    expect(ww_group_open(device, &wrong, NULL, &group) == WW_INVALID && !group);
    expect(ww_group_open(NULL, engines, NULL, &group) == WW_INVALID && ww_group_open(device, engines, NULL, NULL));
    wrong = engines[0];
    wrong.rank = 1;
    expect(ww_group_open(device, &wrong, NULL, &group) == WW_INVALID && group);
    expect(strstr(ww_group_error(group), "rank 1 of 1") != NULL);
    ww_group_close(group);
    ww_close(device);
    ww_group_close(NULL);
    expect(ww_group_reduce(NULL, &ww_add, ww_no_input, ww_none) == WW_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_goes_well),  cmocka_unit_test(failures),     cmocka_unit_test(a_rank_returns),
        cmocka_unit_test(a_rank_is_late), cmocka_unit_test(other_builds), cmocka_unit_test(out_of_memory),
        cmocka_unit_test(busy_group),     cmocka_unit_test(little_room),  cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
