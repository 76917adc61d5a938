/* An engine that takes the device's memory alone, as one for GPUs does: on the emulator a host's pointer would end the test, and what the
 * engine did not write is nobody's. It goes through buffers of its own and the engine of threads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/gpu/gpu.h"
#include "support/groups.h"

enum { RANKS = 3, KEYS = 3000, MOVES = 4 };

typedef struct move { /* what has begun */
    unsigned char *send, *receive_at_host, *receive;
    const uint64_t *at, *bytes;
} move;
typedef struct card {
    ww_engine under;
    ww_device *device;
    move moves[MOVES];
    size_t begun;
} card;

static size_t span(const uint64_t *at, const uint64_t *bytes) {
    uint64_t end = 0;
    for (uint32_t r = 0; r < RANKS; r++)
        if (bytes[r] && at[r] + bytes[r] > end) end = at[r] + bytes[r];
    return (size_t)end;
}
static ww_status bytes_over(card *c, void *to, const void *from, uint64_t bytes) {
    if (!bytes) return WW_OK;
    return ww_copy(c->device, ww_memory((const uint8_t *)from, bytes), ww_array((uint8_t *)to, bytes));
}
/* Such an engine's own memory: the device's, not pinned. */
static bool is_device_memory(const card *c, const void *memory) {
    ww__gpu *gpu = c->device->gpu;
    return !gpu || gpu->driver->place(gpu->driver, memory) == WW__PLACE_DEVICE;
}

static ww_status card_exchange(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes,
                               void *receive, const uint64_t *receive_at, const uint64_t *receive_bytes, char *why) {
    card *c = state;
    move *m = &c->moves[c->begun];
    if (c->begun == MOVES) return WW_LOST;
    if ((span(send_at, send_bytes) && !is_device_memory(c, send)) ||
        (span(receive_at, receive_bytes) && !is_device_memory(c, receive)))
        return (void)snprintf(why, WW_ENGINE_WHY, "memory of the host's was given"), WW_LOST;
    *m = (move){.send = calloc(1, span(send_at, send_bytes) + 1),
                .receive_at_host = calloc(1, span(receive_at, receive_bytes) + 1),
                .receive = receive,
                .at = receive_at,
                .bytes = receive_bytes};
    if (!m->send || !m->receive_at_host) return WW_MEMORY;
    c->begun++;
    for (uint32_t r = 0; r < RANKS; r++) {
        const ww_status status = bytes_over(c, m->send + send_at[r], (const unsigned char *)send + send_at[r],
                                            send_bytes[r]);
        if (status) return status;
    }
    return c->under.exchange(c->under.state, m->send, send_at, send_bytes, m->receive_at_host, receive_at,
                             receive_bytes, why);
}
static ww_status card_gather(void *state, const void *mine, size_t bytes, void *all, char *why) {
    card *c = state;
    return c->under.gather(c->under.state, mine, bytes, all, why);
}
static ww_status card_wait(void *state, uint64_t limit_ms, char *why) {
    card *c = state;
    ww_status status = c->under.wait(c->under.state, limit_ms, why);
    for (size_t k = 0; k < c->begun; k++) {
        move *m = &c->moves[k];
        for (uint32_t r = 0; r < RANKS && !status; r++)
            status = bytes_over(c, m->receive + m->at[r], m->receive_at_host + m->at[r], m->bytes[r]);
        if (!status) status = ww_sync(c->device);
        free(m->send);
        free(m->receive_at_host);
    }
    c->begun = 0;
    return status;
}
static void card_abort(void *state) {
    card *c = state;
    c->under.abort(c->under.state);
}
static void card_close(void *state) {
    card *c = state;
    c->under.close(c->under.state);
}

typedef struct member {
    card card;
    uint32_t rank;
    pthread_t thread;
    ww_status status;
    char said[256];
    const uint32_t *in;
    uint32_t sorted[KEYS], scanned[KEYS], received[KEYS];
    float sum;
} member;

static ww_status work(ww_group *group, member *m) {
    const uint64_t counts[RANKS] = {100, 200, 700};
    float x[KEYS / RANKS];
    enum { N = KEYS / RANKS };
    for (uint32_t i = 0; i < N; i++) x[i] = (float)(m->in[m->rank * N + i] % 1000);
    const ww_input in = ww_memory(m->in + m->rank * N, N);
    ww_status status = ww_group_sort(group, in, ww_no_input, ww_array(m->sorted, N), ww_none, NULL);
    if (!status) status = ww_group_scan(group, &ww_add, in, ww_array(m->scanned, N), NULL);
    if (!status) status = ww_group_reduce(group, &ww_add, ww_memory(x, N), ww_array(&m->sum, 1));
    if (!status) status = ww_group_exchange(group, in, counts, ww_array(m->received, KEYS), NULL);
    return status;
}

static void *serve(void *argument) {
    member *m = argument;
    const ww_engine engine = {.size = sizeof engine,
                              .state = &m->card,
                              .rank = m->rank,
                              .ranks = RANKS,
                              .memory = WW_ENGINE_DEVICE,
                              .exchange = card_exchange,
                              .gather = card_gather,
                              .wait = card_wait,
                              .abort = card_abort,
                              .close = card_close};
    ww_group *group = NULL;
    m->status = ww_open(on_gpu() ? setting_name(0) : "cpu:threads=1", &m->card.device);
    if (!m->status) m->status = ww_group_open(m->card.device, &engine, NULL, &group);
    if (!group) engine.close(engine.state);
    if (!m->status) m->status = work(group, m);
    snprintf(m->said, sizeof m->said, "%s", ww_group_error(group));
    ww_group_close(group);
    ww_close(m->card.device);
    return NULL;
}

static int ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void all_of_it(void **unused) {
    (void)unused;
    enum { N = KEYS / RANKS };
    static member members[RANKS];
    static uint32_t keys[KEYS], wanted[KEYS];
    static const size_t from[RANKS] = {0, 100, 300}, count[RANKS] = {100, 200, 700};
    ww_engine engines[RANKS];
    uint32_t sum = 0;
    double total = 0;
    setting_count(); /* the device is looked for once, before there are threads that ask for it */
    CASE("group device", "sort, scan, reduce, exchange");
    if (!case_wanted()) return;
    fill(keys, &ww_type_uint32_t, 4, KEYS, UNIFORM, seed_of_run());
    memcpy(wanted, keys, sizeof keys);
    qsort(wanted, KEYS, 4, ascending);
    expect(ww_engines_local(RANKS, engines) == WW_OK);
    for (uint32_t r = 0; r < RANKS; r++) {
        members[r] = (member){.card = {.under = engines[r]}, .rank = r, .in = keys};
        expect(!pthread_create(&members[r].thread, NULL, serve, &members[r]));
    }
    for (uint32_t r = 0; r < RANKS; r++) pthread_join(members[r].thread, NULL);
    for (size_t i = 0; i < KEYS; i++) total += keys[i] % 1000;
    for (uint32_t r = 0; r < RANKS; r++) {
        const member *m = &members[r];
        if (m->status) print_error("%s\n", m->said);
        expect(m->status == WW_OK);
        expect_elements(m->sorted, wanted + r * N, N, 4);
        for (size_t i = 0; i < N; i++) expect(m->scanned[i] == (sum += keys[r * N + i]));
        expect((double)m->sum > total - 1 && (double)m->sum < total + 1);
        for (uint32_t q = 0; q < RANKS; q++)
            expect_elements(m->received + q * count[r], keys + q * N + from[r], count[r], 4);
    }
}

/* Two ranks' sorts of blocks in the devices' own memory: long ones are merged while they come, each rank merges short ones out of both
 * ranks' memory. On the emulator by the plans of GPUs, for which less is long. */
typedef struct flowing {
    size_t n[2];
    const uint32_t *keys; /* of both ranks */
    uint32_t *sorted, *places;
    bool descending;
} flowing;

static ww_status flow(ww_group *group, void *context) {
    const flowing *f = context;
    ww_device *device = ww_group_device(group);
    const uint32_t r = ww_group_rank(group);
    const size_t n = f->n[r], first = r ? f->n[0] : 0;
    ww_sort_options options = WW_SORT_OPTIONS;
    options.descending = f->descending;
    void *memory[2] = {NULL, NULL};
    ww_status status = ww_alloc(device, 4 * n + 4, &memory[0]);
    if (!status) status = ww_alloc(device, 4 * n + 4, &memory[1]);
    const ww_array keys = ww_array((uint32_t *)memory[0], n), places = ww_array((uint32_t *)memory[1], n);
    if (!status) status = ww_copy(device, ww_memory(f->keys + first, n), keys);
    if (!status) status = ww_store(device, ww_counting(&ww_type_uint32_t, first, n), places);
    if (!status) status = ww_group_sort(group, ww_from(keys), ww_from(places), keys, places, &options);
    if (!status) status = ww_copy(device, ww_from(keys), ww_array(f->sorted + first, n));
    if (!status) status = ww_copy(device, ww_from(places), ww_array(f->places + first, n));
    for (size_t k = 0; k < 2; k++)
        if (memory[k]) ww_free(device, memory[k]);
    return status;
}

static void flows(void **unused) {
    (void)unused;
    enum { KINDS = 6 };
    static const size_t short_ones[] = {80000, 12000, 1500, 1}, long_ones[] = {40000000, 500000, 1500, 1};
    enum { SIZES = sizeof short_ones / sizeof *short_ones };
    static const char *const emulated[2] = {"emu:tiles=gpu,threads=1", "emu:tiles=gpu,threads=1"};
    if (!on_gpu()) return;
    for (int turn = 0; turn < KINDS * SIZES; turn++) {
        const int kind = turn % KINDS;
        const size_t n = (on_emulator() ? short_ones : long_ones)[turn / KINDS], all = 2 * n;
        CASE("group device", "two ranks, n=%zu, kind=%d", all, kind);
        if (!case_wanted()) continue;
        uint32_t *keys = need(4 * all), *sorted = need(4 * all), *places = need(4 * all);
        const char *const devices[2] = {group_device(0, 2), group_device(1, 2)};
        const size_t more = turn % 4 == 3 ? n : n / 5; /* one has all */
        flowing f = {
            .n = {n - more, n + more}, .keys = keys, .sorted = sorted, .places = places, .descending = kind == 4};
        char why[512] = "";
        fill(keys, &ww_type_uint32_t, 4, all, UNIFORM, seed_of_run());
        for (size_t i = 0; i < all; i++) {
            if (kind == 1) keys[i] %= 5;
            if (kind == 2) keys[i] = (uint32_t)(all - i); /* all must move */
            if (kind == 3) keys[i] = i < f.n[0] ? 1000 + keys[i] % 10 : keys[i] % 1000;
            if (kind == 5) keys[i] = 7;
        }
        const ww_status status = ww_group_run(on_emulator() ? emulated : devices, 2, NULL, flow, &f, why, sizeof why);
        if (status) print_error("%s\n", why);
        expect(status == WW_OK);
        uint64_t sum = 0;
        for (size_t i = 0; i < all; i++) {
            expect(places[i] < all && keys[places[i]] == sorted[i]);
            sum += places[i];
            if (!i) continue;
            expect(f.descending ? sorted[i] <= sorted[i - 1] : sorted[i] >= sorted[i - 1]);
            if (sorted[i] == sorted[i - 1]) expect(places[i] > places[i - 1]);
        }
        expect(sum == all * (all - 1) / 2);
        free(keys);
        free(sorted);
        free(places);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_it), cmocka_unit_test(flows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
