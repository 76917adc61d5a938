/* The k-th call of one rank's engine fails, for every k: that rank's call is LOST, so is the others' unless theirs is done, with the right
 * bytes; nobody hangs; the group is of no more use to anyone; and the ranks that are left open a smaller one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "group/simulated_engine.h"
#include "support/groups.h"
#include "warpwise/group_dictionary.h"

enum { RANKS = 3, N = 700, ALL = RANKS * N, BUCKETS = 6, FIRST = 40 };

WW_MAP(bucket_of, uint32_t, uint32_t, x, void, none, { return x % 6; });

typedef struct member member;
typedef ww_status calling(ww_group *group, member *m);
struct member {
    pthread_t thread;
    uint32_t rank;
    calling *call;
    simulated engine;
    ww_engine smaller; /* of those that are left */
    bool fails;
    const uint32_t *in; /* this rank's block */
    uint32_t out[ALL];
    uint64_t first_bucket[RANKS + 1], came, numbers[BUCKETS];
    ww_status status, again, later;
    char said[256];
};

/* ---- the calls ---- */

static ww_status by_exchange(ww_group *group, member *m) {
    const uint64_t counts[RANKS] = {100, 200, N - 300};
    return ww_group_exchange(group, ww_memory(m->in, N), counts, ww_array(m->out, ALL), NULL);
}
static ww_status by_sort(ww_group *group, member *m) {
    return ww_group_sort(group, ww_memory(m->in, N), ww_no_input, ww_array(m->out, N), ww_none, NULL);
}
static ww_status by_index(ww_group *group, member *m) {
    return ww_group_sort_index(group, ww_memory(m->in, N), ww_array(m->out, N), NULL);
}
static ww_status by_split(ww_group *group, member *m) {
    return ww_group_split(group, &bucket_of_ww, BUCKETS, NULL, ww_memory(m->in, N), ww_no_input, ww_array(m->out, ALL),
                          ww_none, ww_none, m->first_bucket, &m->came);
}
static ww_status by_reduce(ww_group *group, member *m) {
    return ww_group_reduce(group, &ww_add, ww_memory(m->in, N), ww_array(m->out, 1));
}
static ww_status by_floats(ww_group *group, member *m) {
    return ww_group_reduce(group, &ww_add, ww_cast(&ww_type_float, ww_memory(m->in, N)), ww_array((float *)m->out, 1));
}
static ww_status by_scan(ww_group *group, member *m) {
    return ww_group_scan(group, &ww_add, ww_memory(m->in, N), ww_array(m->out, N), NULL);
}
static ww_status by_histogram(ww_group *group, member *m) {
    return ww_group_histogram(group, &bucket_of_ww, ww_memory(m->in, N), ww_array(m->numbers, BUCKETS), ww_none, NULL);
}
static ww_status by_top(ww_group *group, member *m) {
    return ww_group_top_k(group, ww_memory(m->in, N), ww_no_input, ww_array(m->out, FIRST), ww_none, NULL);
}
static ww_status by_find(ww_group *group, member *m) {
    return ww_group_find(group, ww_memory((const uint8_t *)m->in, N * 4), "\x03\x00\x00", 3, ww_none,
                         ww_array(&m->came, 1), NULL, NULL);
}
static ww_status by_slab(ww_group *group, member *m) {
    ww_group_slab *slab = NULL;
    ww_status status = ww_group_slab_open(group, &ww_type_uint32_t, &ww_type_uint32_t, ALL, &slab, NULL);
    if (!status) status = ww_group_slab_replace(slab, ww_memory(m->in, N), ww_memory(m->in, N), ww_none);
    if (!status)
        status = ww_group_slab_search(slab, ww_memory(m->in, N), ww_array(m->out, N),
                                      ww_array((uint8_t *)(m->out + N), N));
    ww_group_slab_close(slab);
    return status;
}
static ww_status by_lsm(ww_group *group, member *m) {
    ww_group_lsm *lsm = NULL;
    ww_status status = ww_group_lsm_open(group, &ww_type_uint32_t, &ww_type_uint32_t, ww_no_input, &lsm, NULL);
    if (!status) status = ww_group_lsm_insert(lsm, ww_memory(m->in, N), ww_memory(m->in, N));
    if (!status)
        status = ww_group_lsm_lookup(lsm, ww_memory(m->in, N), ww_array(m->out, N),
                                     ww_array((uint8_t *)(m->out + N), N));
    ww_group_lsm_close(lsm);
    return status;
}

/* ---- ranks ---- */

static ww_status reduce_once(ww_group *group, uint32_t wanted) {
    uint32_t one = 1, sum = 0;
    const ww_status status = ww_group_reduce(group, &ww_add, ww_memory(&one, 1), ww_array(&sum, 1));
    return status ? status : sum == wanted ? WW_OK : WW_FORMAT;
}

static void *serve(void *argument) {
    member *m = argument;
    ww_device *device = NULL;
    ww_group *group = NULL, *smaller = NULL;
    ww_group_options options = WW_GROUP_OPTIONS;
    options.limit_ms = 20000;
    const ww_engine engine = simulated_engine(&m->engine);
    m->status = ww_open("cpu:threads=1", &device);
    if (!m->status) m->status = ww_group_open(device, &engine, &options, &group);
    if (!m->status) m->status = m->call(group, m);
    m->again = group ? reduce_once(group, RANKS) : WW_LOST;
    snprintf(m->said, sizeof m->said, "%s", ww_group_error(group));
    ww_group_close(group);
    if (!m->fails) {
        m->later = ww_group_open(device, &m->smaller, &options, &smaller);
        if (!m->later) m->later = reduce_once(smaller, RANKS - 1);
        ww_group_close(smaller);
    }
    ww_close(device);
    return NULL;
}

/* One run, in which rank `failing` fails at its k-th call: whether it came that far. */
static bool run(calling *call, const uint32_t *keys, member *members, uint32_t failing, uint64_t k, uint32_t pause_us) {
    ww_engine engines[RANKS], left[RANKS - 1];
    expect(ww_engines_local(RANKS, engines) == WW_OK && ww_engines_local(RANKS - 1, left) == WW_OK);
    for (uint32_t r = 0, used = 0; r < RANKS; r++) {
        member *m = &members[r];
        memset(m, 0, sizeof *m);
        m->rank = r;
        m->call = call;
        m->in = keys + r * N;
        m->fails = r == failing;
        m->engine = (simulated){.under = engines[r], .random = 10 * k + r, .most_us = pause_us};
        if (m->fails)
            m->engine.fails_at = k;
        else
            m->smaller = left[used++];
        expect(!pthread_create(&m->thread, NULL, serve, m));
    }
    for (uint32_t r = 0; r < RANKS; r++) pthread_join(members[r].thread, NULL);
    return members[failing].engine.calls >= k;
}

static const struct {
    const char *name;
    calling *call;
} calls[] = {{"exchange", by_exchange}, {"sort", by_sort},           {"sort_index", by_index},
             {"split", by_split},       {"reduce", by_reduce},       {"reduce of floats", by_floats},
             {"scan", by_scan},         {"histogram", by_histogram}, {"top_k", by_top},
             {"find", by_find},         {"slab", by_slab},           {"lsm", by_lsm}};

/* Whether rank r has what it has when nothing fails. */
static bool same(const member *m, const member *right) {
    return !memcmp(m->out, right->out, sizeof m->out) && m->came == right->came &&
           !memcmp(m->numbers, right->numbers, sizeof m->numbers);
}

static void one_call_fails(calling *call, const uint32_t *keys) {
    static member right[RANKS], members[RANKS];
    const uint64_t most = 400;              /* calls of an engine; none of the library's takes so many here */
    run(call, keys, right, 0, most + 1, 0); /* nothing fails */
    for (uint32_t r = 0; r < RANKS; r++) expect(right[r].status == WW_OK && right[r].again == WW_OK);
    uint64_t k = 1;
    for (; k <= most; k++) {
        const uint32_t failing = (uint32_t)(k % RANKS), pause_us = k % 4 ? 0 : 200;
        if (!run(call, keys, members, failing, k, pause_us)) break;
        for (uint32_t r = 0; r < RANKS; r++) {
            const member *m = &members[r];
            const bool as_wanted = m->again == WW_LOST && (m->fails || m->later == WW_OK) &&
                                   (m->status == WW_LOST || (m->status == WW_OK && same(m, &right[r])));
            if (!as_wanted)
                print_error("k=%d rank %u: %s, then %s, later %s: %s\n", (int)k, r, ww_status_name(m->status),
                            ww_status_name(m->again), ww_status_name(m->later), m->said);
            expect(as_wanted);
        }
    }
    expect(k > 3 && k <= most);
}

static void every_call_fails(void **unused) {
    (void)unused;
    static uint32_t keys[ALL];
    fill(keys, &ww_type_uint32_t, 4, ALL, UNIFORM, seed_of_run());
    for (size_t i = 0; i < ALL; i++) keys[i] %= 1000;
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        CASE("group failures", "%s", calls[c].name);
        if (case_wanted()) one_call_fails(calls[c].call, keys);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
