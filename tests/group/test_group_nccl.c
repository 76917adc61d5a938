/* The engine over NCCL. On the emulator a library of the tests' stands in for it (stub_nccl.c); on GPUs it is NCCL itself, a thread a
 * GPU. The engine is held against the rules of engines, whose memory lies in the host's, by way of the GPU's. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "group/engine_rules.h"
#include "support/groups.h"
#include "support/located.h"
#include "warpwise/group_nccl.h"

enum { MOVES = 8, KEYS = 80000 /* of two ranks so many that they are merged while more comes */ };

/* An engine around another one, which brings what it is given to the GPU's memory, and back. */
typedef struct move {
    void *send, *receive;
    unsigned char *receive_at_host;
    const uint64_t *at, *bytes;
} move;
typedef struct carrier {
    ww_engine under;
    ww_device *device;
    move moves[MOVES];
    size_t begun;
} carrier;

static uint64_t span(const carrier *c, const uint64_t *at, const uint64_t *bytes) {
    uint64_t end = 1;
    for (uint32_t r = 0; r < c->under.ranks; r++)
        if (bytes[r] && at[r] + bytes[r] > end) end = at[r] + bytes[r];
    return end;
}

static ww_status carry(const carrier *c, void *to, const void *from, uint64_t bytes) {
    return ww_copy(c->device, ww_memory((const uint8_t *)from, bytes), ww_array((uint8_t *)to, bytes));
}

static ww_status carried_exchange(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes,
                                  void *receive, const uint64_t *receive_at, const uint64_t *receive_bytes, char *why) {
    carrier *c = state;
    move *m = &c->moves[c->begun++];
    const uint64_t out = span(c, send_at, send_bytes), in = span(c, receive_at, receive_bytes);
    *m = (move){.receive_at_host = receive, .at = receive_at, .bytes = receive_bytes};
    if (c->begun == MOVES || ww_alloc(c->device, out, &m->send) || ww_alloc(c->device, in, &m->receive))
        return WW_MEMORY;
    for (uint32_t r = 0; r < c->under.ranks; r++)
        if (send_bytes[r] && carry(c, (char *)m->send + send_at[r], (const char *)send + send_at[r], send_bytes[r]))
            return WW_LOST;
    if (ww_sync(c->device)) return WW_LOST;
    return c->under.exchange(c->under.state, m->send, send_at, send_bytes, m->receive, receive_at, receive_bytes, why);
}

static ww_status carried_gather(void *state, const void *mine, size_t bytes, void *all, char *why) {
    carrier *c = state;
    return c->under.gather(c->under.state, mine, bytes, all, why);
}

static ww_status carried_wait(void *state, uint64_t limit_ms, char *why) {
    carrier *c = state;
    ww_status status = c->under.wait(c->under.state, limit_ms, why);
    for (size_t k = 0; k < c->begun; k++) {
        const move *m = &c->moves[k];
        for (uint32_t r = 0; r < c->under.ranks && !status; r++)
            if (m->bytes[r])
                status = carry(c, m->receive_at_host + m->at[r], (char *)m->receive + m->at[r], m->bytes[r]);
        ww_free(c->device, m->send);
        ww_free(c->device, m->receive);
    }
    c->begun = 0;
    return status;
}

static void carried_abort(void *state) {
    carrier *c = state;
    c->under.abort(c->under.state);
}

static void carried_close(void *state) {
    carrier *c = state;
    c->under.close(c->under.state);
}

/* ---- ranks ---- */

/* GROUP: what a group does over it, from and to the GPUs' own memory; OVER_THREADS: the same over the engine of threads. */
typedef enum rule { ARRIVE, SILENCE, ABORT, CLOSING, REMOTE, GROUP, OVER_THREADS, RULES } rule;

typedef struct member {
    pthread_t thread;
    uint32_t rank, ranks;
    const ww_nccl_id *id;
    ww_engine threads;
    rule which;
    uint64_t seed;
    const uint32_t *in;
    uint32_t sorted[KEYS], places[KEYS];
    uint64_t sum;
    uint32_t received[KEYS];
    bool holds;
} member;

static size_t first_of(const member *m, uint32_t rank) { return (size_t)KEYS * rank / m->ranks; }

/* What another rank's failure looks like, when NCCL finds it. */
static bool failure_is_told(ww_engine *e) {
    uint64_t mine = e->rank, all[RANKS_MOST];
    char why[WW_ENGINE_WHY] = "";
    ww_status status = e->gather(e->state, &mine, sizeof mine, all, why);
    if (!status) status = e->wait(e->state, 2000, why);
    const bool told = status == WW_LOST && strstr(why, e->rank ? "" : "NCCL says: remote process exited");
    if (!told) print_error("rank %u: %s: %s\n", e->rank, ww_status_name(status), why);
    e->close(e->state);
    return told;
}

static ww_status work(ww_group *group, member *m) {
    const uint32_t *in = m->in + first_of(m, m->rank);
    const size_t n = first_of(m, m->rank + 1) - first_of(m, m->rank);
    uint64_t counts[RANKS_MOST] = {0};
    ww_device *device = ww_group_device(group);
    uint32_t *on_device = NULL;
    void *memory = NULL;
    counts[m->ranks - 1 - m->rank] = n;
    ww_status status = ww_alloc(device, 2 * n * sizeof *in + 4, &memory);
    on_device = memory;
    /* keys and their places in the array, which agree with a stable sort */
    uint32_t *places = on_device + n;
    if (!status) status = ww_copy(device, ww_memory(in, n), ww_array(on_device, n));
    if (!status)
        status = ww_store(device, ww_counting(&ww_type_uint32_t, first_of(m, m->rank), n), ww_array(places, n));
    if (!status)
        status = ww_group_sort(group, ww_memory(on_device, n), ww_memory(places, n), ww_array(on_device, n),
                               ww_array(places, n), NULL);
    if (!status) status = ww_copy(device, ww_memory(on_device, n), ww_array(m->sorted, n));
    if (!status) status = ww_copy(device, ww_memory(places, n), ww_array(m->places, n));
    if (!status)
        status = ww_group_reduce(group, &ww_add, ww_cast(&ww_type_uint64_t, ww_memory(in, n)), ww_array(&m->sum, 1));
    /* from the device's memory, to the host's */
    if (!status) status = ww_copy(device, ww_memory(in, n), ww_array(on_device, n));
    if (!status) status = ww_group_exchange(group, ww_memory(on_device, n), counts, ww_array(m->received, KEYS), NULL);
    if (memory) ww_free(device, memory);
    return status;
}

static bool group_works(ww_device *device, member *m) {
    ww_group *group = NULL;
    ww_status status = m->which == OVER_THREADS ? ww_group_open(device, &m->threads, NULL, &group)
                                                : ww_group_open_nccl(device, m->rank, m->ranks, m->id, &group);
    if (!status) status = work(group, m);
    if (status) print_error("rank %u: %s\n", m->rank, ww_group_error(group));
    ww_group_close(group);
    return !status;
}

static void *serve(void *argument) {
    member *m = argument;
    char name[64], why[WW_ENGINE_WHY] = "";
    ww_device *device = NULL;
    ww_engine engine;
    snprintf(name, sizeof name, "cuda:%u", m->rank);
    const char *emulated = m->which >= GROUP ? "emu:tiles=gpu,threads=1" : setting_name(0);
    m->holds = !ww_open(on_emulator() ? emulated : name, &device);
    if (m->holds && m->which >= GROUP) {
        m->holds = group_works(device, m);
    } else if (m->holds && ww_engine_nccl(device, m->rank, m->ranks, m->id, 20000, &engine, why)) {
        print_error("rank %u: %s\n", m->rank, why);
        m->holds = false;
    } else if (m->holds) {
        carrier c = {.under = engine, .device = device};
        ww_engine around = engine, *e = &around;
        around.state = &c;
        around.exchange = carried_exchange;
        around.gather = carried_gather;
        around.wait = carried_wait;
        around.abort = carried_abort;
        around.close = carried_close;
        m->holds = m->which == ARRIVE    ? rule_bytes_arrive(e, m->seed, 20000)
                   : m->which == SILENCE ? rule_silence_is_lost(e)
                   : m->which == ABORT   ? rule_abort_is_told(e, false)
                   : m->which == REMOTE  ? failure_is_told(e)
                                         : rule_closing_keeps_what_ended(e, m->seed, false);
    }
    ww_close(device);
    return NULL;
}

/* ---- cases ---- */

static uint32_t most_ranks(void) { return on_emulator() ? 3 : group_gpus(); }

static int ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* What the ranks have is what one device would have. */
static void expect_results(const member *members, uint32_t ranks, const uint32_t *keys) {
    static uint32_t wanted[KEYS];
    uint64_t sum = 0;
    memcpy(wanted, keys, sizeof wanted);
    qsort(wanted, KEYS, sizeof *wanted, ascending);
    for (size_t i = 0; i < KEYS; i++) sum += keys[i];
    for (uint32_t r = 0; r < ranks; r++) {
        const member *m = &members[r];
        const uint32_t from = ranks - 1 - r;
        for (size_t i = 0; i < first_of(m, r + 1) - first_of(m, r); i++) {
            expect(keys[m->places[i]] == m->sorted[i]);
            if (i && m->sorted[i] == m->sorted[i - 1]) expect(m->places[i] > m->places[i - 1]);
        }
        expect_elements(m->sorted, wanted + first_of(m, r), first_of(m, r + 1) - first_of(m, r), 4);
        expect(m->sum == sum);
        expect_elements(m->received, keys + first_of(m, from), first_of(m, from + 1) - first_of(m, from), 4);
    }
}

static void try_rule(rule which, uint32_t ranks, uint64_t seed) {
    static member members[RANKS_MOST];
    static uint32_t keys[KEYS];
    ww_engine threads[RANKS_MOST];
    char why[WW_ENGINE_WHY] = "";
    ww_nccl_id id;
    expect(ww_nccl_id_draw(&id, why) == WW_OK);
    fill(keys, &ww_type_uint32_t, 4, KEYS, UNIFORM, seed_of_run());
    for (size_t i = 0; i < KEYS; i++) keys[i] %= 1000;
    expect(ww_engines_local(ranks, threads) == WW_OK);
    for (uint32_t r = 0; r < ranks; r++) {
        members[r] = (member){
            .rank = r, .ranks = ranks, .id = &id, .threads = threads[r], .which = which, .seed = seed, .in = keys};
        expect(!pthread_create(&members[r].thread, NULL, serve, &members[r]));
    }
    for (uint32_t r = 0; r < ranks; r++) pthread_join(members[r].thread, NULL);
    for (uint32_t r = 0; r < ranks; r++) {
        expect(members[r].holds);
        if (which != OVER_THREADS) threads[r].close(threads[r].state);
    }
    if (which >= GROUP) expect_results(members, ranks, keys);
}

static void use_stub(void) {
    if (on_emulator()) expect(!setenv("WARPWISE_NCCL", located(STUB_NCCL), 1));
}

static void keeps_the_rules(void **state) {
    (void)state;
    if (!on_gpu()) return;
    use_stub();
    const uint32_t most = most_ranks();
    for (uint32_t ranks = 1; ranks <= most; ranks++)
        for (rule which = ARRIVE; which < RULES; which++) {
            CASE("nccl", "rule %d, %u ranks", (int)which, ranks);
            if (!case_wanted() || which == REMOTE || (ranks == 1 && which != ARRIVE && which < GROUP)) continue;
            try_rule(which, ranks, 5 * ranks);
        }
}

/* The library that stands in says so in the next group: one rank is told, the other one is LOST after its limit. */
static void nccl_fails(void **state) {
    (void)state;
    CASE("nccl", "a failure that NCCL finds");
    if (!case_wanted() || !on_emulator()) return;
    use_stub();
    void *stub = dlopen(located(STUB_NCCL), RTLD_NOW);
    expect(stub != NULL);
    void (*fail_in)(int) = NULL;
    void *found = dlsym(stub, "stub_nccl_fail_in");
    memcpy(&fail_in, &found, sizeof fail_in);
    fail_in(0);
    try_rule(REMOTE, 1, 1);
    dlclose(stub);
}

static void expect_refused(ww_device *device, uint32_t rank, const ww_nccl_id *id, ww_status wanted, const char *part) {
    ww_group *group = NULL;
    const ww_status status = ww_group_open_nccl(device, rank, 2, id, &group);
    const bool said = strstr(ww_group_error(group), part) && strstr(ww_group_error(group), "ww_group_open_nccl: ");
    if (!said) print_error("%s\n", ww_group_error(group));
    expect(status == wanted && said);
    /* the handle says the same whatever is called */
    uint64_t one = 1;
    expect(ww_group_reduce(group, &ww_add, ww_memory(&one, 1), ww_array(&one, 1)) == wanted);
    expect(strstr(ww_group_error(group), part) != NULL);
    ww_group_close(group);
}

static void refusals(void **state) {
    (void)state;
    CASE("nccl", "no NCCL, no GPU, wrong arguments");
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    ww_nccl_id id = {{0}};
    char why[WW_ENGINE_WHY];
    ww_group *group = NULL;
    expect(!setenv("WARPWISE_NCCL", "/nowhere/libnccl.so.2", 1));
    expect(ww_nccl_id_draw(&id, why) == WW_UNSUPPORTED);
    expect(strstr(why, "WARPWISE_NCCL names no library that can be opened: /nowhere/libnccl.so.2") != NULL);
    expect(ww_nccl_id_draw(NULL, why) == WW_INVALID);
    expect_refused(device, 0, NULL, WW_INVALID, "id is NULL");
    expect_refused(device, 2, &id, WW_INVALID, "there is no rank 2 of 2");
    expect_refused(device, 0, &id, WW_UNSUPPORTED, on_gpu() ? "/nowhere/libnccl.so.2" : "the device is a CPU");
    expect(!setenv("WARPWISE_NCCL", "libc.so.6", 1)); /* a library, and not this one */
    expect(ww_nccl_id_draw(&id, why) == WW_UNSUPPORTED);
    expect(strstr(why, "is too old, or not NCCL: it has no ncclGetVersion; NCCL 2.14 or newer is needed") != NULL);
    expect(ww_group_open_nccl(NULL, 0, 1, &id, &group) == WW_INVALID && !group);
    expect(ww_group_open_nccl(device, 0, 1, &id, NULL) == WW_INVALID);
    if (!on_emulator()) expect(!unsetenv("WARPWISE_NCCL"));
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(refusals), cmocka_unit_test(keeps_the_rules),
                                       cmocka_unit_test(nccl_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
