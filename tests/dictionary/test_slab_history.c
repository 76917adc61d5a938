/* Operations of a slab hash that run at once, and whether there is an order of them in which, one after another, they would have said
 * and left the same (Wing and Gong's search, key by key: operations on different keys do not matter to one another).
 *
 * On a CPU the loops are compiled here with threads giving way, at random, between any two steps of theirs that others could come
 * between. Threads of the test's own call them, and note when each operation began and ended: it has its place in between. Batches
 * of ww_slab_mixed, on every device, have all their operations at once. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static void meanwhile(void);
#define WW__SLAB_MEANWHILE() meanwhile()
#define WW__SLAB_LONG 2 /* so that workers remember where lists of three slabs end */
#include "dictionary/slab/loops_cpu.c"
#include "support/cases.h"

/* Now and then another thread runs; for how long that holds this one up the system says. */
static _Thread_local uint64_t meanwhile_state;
static bool meanwhile_gives_way;
static void meanwhile(void) {
    if (!meanwhile_gives_way) return;
    const uint64_t x = random_next(&meanwhile_state) % 64;
    if (x < 6)
        sched_yield();
    else if (x < 16)
        for (uint64_t k = 0; k < x * 40; k++) ww__relax();
}

/* ---- histories of one key ---- */

enum { HISTORY_MOST = 12, HELD_MOST = 24 };

typedef struct event {
    uint64_t begin, end;
    uint8_t operation, status;
    uint64_t value; /* that it brings, or has found */
} event;

/* The values of the key's pairs, the oldest first. */
typedef struct held {
    uint64_t value[HELD_MOST];
    size_t count;
} held;

typedef struct history {
    event event[HISTORY_MOST];
    size_t count;
    held before, after;
} history;

/* Does an operation; whether it says what the event says. */
static bool apply(held *h, const event *e) {
    switch (e->operation) {
    case WW_SLAB_SEARCH:
        return h->count ? e->status == WW_SLAB_FOUND && e->value == h->value[0] : e->status == WW_SLAB_ABSENT;
    case WW_SLAB_INSERT:
        h->value[h->count++] = e->value;
        return e->status == WW_SLAB_INSERTED;
    case WW_SLAB_REPLACE:
        if (!h->count) {
            h->value[h->count++] = e->value;
            return e->status == WW_SLAB_INSERTED;
        }
        h->value[0] = e->value;
        return e->status == WW_SLAB_REPLACED;
    default: /* DELETE */
        if (!h->count) return e->status == WW_SLAB_ABSENT;
        h->count--;
        memmove(h->value, h->value + 1, h->count * sizeof *h->value);
        return e->status == WW_SLAB_DELETED;
    }
}

static bool same_held(const held *a, const held *b) {
    return a->count == b->count && !memcmp(a->value, b->value, a->count * sizeof *a->value);
}

/* Whether those that are not done can follow in some order: next comes one before whose beginning none of them has ended. */
static bool has_order(const history *h, uint32_t done, const held *now) {
    uint64_t first_end = UINT64_MAX;
    if (done == (1u << h->count) - 1) return same_held(now, &h->after);
    for (size_t i = 0; i < h->count; i++)
        if (!(done >> i & 1) && h->event[i].end < first_end) first_end = h->event[i].end;
    for (size_t i = 0; i < h->count; i++) {
        held next = *now;
        if (done >> i & 1 || h->event[i].begin > first_end) continue;
        if (apply(&next, &h->event[i]) && has_order(h, done | 1u << i, &next)) return true;
    }
    return false;
}

static void expect_order(const history *h) {
    static const char *const names[] = {"nothing", "search", "insert", "replace", "delete"};
    if (has_order(h, 0, &h->before)) return;
    for (size_t i = 0; i < h->before.count; i++)
        fprintf(stderr, "before %llu\n", (unsigned long long)h->before.value[i]);
    for (size_t i = 0; i < h->count; i++)
        fprintf(stderr, "%llu to %llu: %s %llu says %d\n", (unsigned long long)h->event[i].begin,
                (unsigned long long)h->event[i].end, names[h->event[i].operation],
                (unsigned long long)h->event[i].value, h->event[i].status);
    for (size_t i = 0; i < h->after.count; i++) fprintf(stderr, "after %llu\n", (unsigned long long)h->after.value[i]);
    expect_at(false, "there is an order", __FILE__, __LINE__);
}

/* The search itself: what has an order, and what has none. */
static void orders(void **state) {
    (void)state;
    CASE("slab history", "orders");
    if (!case_wanted()) return;
    history h = {.event = {{0, 1, WW_SLAB_INSERT, WW_SLAB_INSERTED, 5}, {2, 3, WW_SLAB_SEARCH, WW_SLAB_FOUND, 5}},
                 .count = 2,
                 .after = {{5}, 1}};
    expect(has_order(&h, 0, &h.before));
    h.event[1].status = WW_SLAB_ABSENT;
    expect(!has_order(&h, 0, &h.before));
    h.event[1].begin = 1; /* at once with the insert, if only for a moment */
    expect(has_order(&h, 0, &h.before));
    h.event[1] = (event){0, 9, WW_SLAB_REPLACE, WW_SLAB_INSERTED, 6};
    expect(!has_order(&h, 0, &h.before)); /* an insert and a replace that inserts: in this order only */
    h.after = (held){{6, 5}, 2};
    expect(has_order(&h, 0, &h.before));
    h.after = (held){{5, 6}, 2};
    expect(!has_order(&h, 0, &h.before));
}

/* ---- threads that call the loops themselves ---- */

enum { THREADS = 3, EACH = 4, KEYS = 2 };

typedef struct arena {
    ww_slab *slab;
    const ww__slab_loops *loops;
    uint64_t clock, ready; /* atomic */
    uint64_t seed;
} arena;

typedef struct actor {
    arena *arena;
    uint32_t number;
    event event[EACH];
    uint32_t key[EACH];
    ww__slab_outcome outcome;
    uint64_t word;
    uint32_t free;
} actor;

static uint64_t tick(arena *a) { return __atomic_fetch_add(&a->clock, 1, __ATOMIC_SEQ_CST); }

static void *act(void *argument) {
    actor *const me = argument;
    arena *const a = me->arena;
    uint64_t state = a->seed + me->number;
    meanwhile_state = state ^ 77;
    ww__slab_hint end[2][WW__SLAB_WAYS], oldest[2][WW__SLAB_WAYS];
    ww__slab_worker w = {.table = &a->slab->table,
                         .next_word = &a->slab->next_word,
                         .outcome = &me->outcome,
                         .hints = {.end = end, .oldest = oldest, .log = 1}};
    __atomic_fetch_add(&a->ready, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&a->ready, __ATOMIC_ACQUIRE) < THREADS) sched_yield();
    for (uint32_t i = 0; i < EACH; i++) {
        event *const e = &me->event[i];
        uint32_t value = 100 * me->number + i + 1, found = 0;
        const uint8_t operation = (uint8_t)(WW_SLAB_SEARCH + random_next(&state) % 4);
        me->key[i] = (uint32_t)(random_next(&state) % KEYS);
        *e = (event){.operation = operation, .value = value};
        w.keys = &me->key[i];
        w.values = &value;
        w.operations = &operation;
        w.statuses = &e->status;
        w.found = &found;
        e->begin = tick(a);
        const size_t done = a->loops->run(
            &w, operation == WW_SLAB_SEARCH && i % 2 ? WW__SLAB_KIND_SEARCH : WW__SLAB_KIND_MIXED, 0, 1);
        e->end = tick(a);
        if (!done) abort();
        if (operation == WW_SLAB_SEARCH) e->value = found;
    }
    me->word = w.word;
    me->free = w.free;
    return NULL;
}

static held held_of(ww_device *device, ww_slab *slab, uint32_t key) {
    held h = {.count = 0};
    uint32_t values[HELD_MOST];
    uint64_t count, offsets[2] = {0, 0};
    expect_status(device, ww_slab_count(slab, ww_memory(&key, 1), ww_array(&count, 1)), WW_OK);
    expect(count <= HELD_MOST);
    offsets[1] = h.count = (size_t)count;
    expect_status(device, ww_slab_search_all(slab, ww_memory(&key, 1), ww_memory(offsets, 2), ww_array(values, count)),
                  WW_OK);
    for (size_t i = 0; i < h.count; i++) h.value[i] = values[i];
    return h;
}

/* One list with some pairs, so that operations meet at the end of a slab now and then. */
static ww_slab *begin_slab(ww_device *device, uint64_t *state) {
    ww_slab_options o = WW_SLAB_OPTIONS;
    ww_slab *slab;
    o.buckets = 1;
    o.fixed = true;
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, &o), WW_OK);
    for (uint64_t n = random_next(state) % 9; n; n--) {
        uint32_t key = (uint32_t)(random_next(state) % 3 ? 9 : random_next(state) % KEYS), value = 1000 + (uint32_t)n;
        expect_status(device, ww_slab_insert(slab, ww_memory(&key, 1), ww_memory(&value, 1), ww_none), WW_OK);
    }
    expect_status(device, ww__slab_add_super(slab), WW_OK); /* 32 slabs for each thread: they add none */
    return slab;
}

static uint64_t threads_once(ww_device *device, uint64_t seed) {
    uint64_t state = seed, given_up = 0;
    ww_slab *const slab = begin_slab(device, &state);
    arena a = {.slab = slab, .loops = ww__slab_loops_of(device, &slab->layout), .seed = seed};
    actor actors[THREADS];
    pthread_t threads[THREADS];
    history h[KEYS] = {{.count = 0}};
    for (uint32_t k = 0; k < KEYS; k++) h[k].before = held_of(device, slab, k);
    meanwhile_gives_way = true;
    for (uint32_t t = 0; t < THREADS; t++) {
        actors[t] = (actor){.arena = &a, .number = t + 1, .outcome = {.fault = UINT64_MAX}};
        if (pthread_create(&threads[t], NULL, act, &actors[t])) abort();
    }
    for (uint32_t t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    meanwhile_gives_way = false;
    for (uint32_t t = 0; t < THREADS; t++) {
        const actor *const me = &actors[t];
        slab->pairs += me->outcome.inserted - me->outcome.deleted;
        slab->dead += me->outcome.deleted + me->outcome.given_up;
        given_up += me->outcome.given_up;
        if (me->free) *ww__slab_word(&slab->table, slab->layout.bytes, me->word) &= ~me->free;
        for (uint32_t i = 0; i < EACH; i++) {
            history *const of = &h[me->key[i]];
            of->event[of->count++] = me->event[i];
        }
    }
    for (uint32_t k = 0; k < KEYS; k++) {
        h[k].after = held_of(device, slab, k);
        expect_order(&h[k]);
    }
    expect_status(device, ww_slab_check(slab), WW_OK);
    ww_slab_close(slab);
    return given_up;
}

static void threads(void **state) {
    (void)state;
    const uint64_t rounds = tests_are_short() ? 300 : 2000;
    for (size_t d = 0; d < setting_count_short() && !on_gpu(); d++) {
        CASE("slab history", "%s threads", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        uint64_t given_up = 0;
        for (uint64_t r = 0; r < rounds; r++) given_up += threads_once(device, seed_of_run() + 1000 * r);
        printf("%llu claims were taken away\n", (unsigned long long)given_up);
        ww_close(device);
    }
}

/* ---- batches, all of whose operations run at once ---- */

enum { OF_A_KEY = 6 };

static void batch_once(ww_device *device, uint32_t keys_many, uint64_t seed) {
    const uint32_t n = keys_many * OF_A_KEY;
    uint64_t state = seed, total;
    uint32_t *const keys = need(4 * n), *const values = need(4 * n), *const found = need(4 * n);
    uint32_t *const all_keys = need(8 * n), *const all_values = need(8 * n);
    uint8_t *const operations = need(n), *const statuses = need(n);
    uint64_t *const count = need(8);
    history *const h = calloc(keys_many, sizeof *h);
    ww_slab_options o = WW_SLAB_OPTIONS;
    ww_slab *slab;
    o.buckets = keys_many / 8 + 1;
    o.fixed = true;
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, 0, &slab, &o), WW_OK);
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < n; i++) {
            keys[i] = i % keys_many;
            values[i] = (uint32_t)round * n + i;
            operations[i] = (uint8_t)(WW_SLAB_SEARCH + random_next(&state) % 4);
        }
        for (uint32_t i = n; i > 1; i--) {
            const uint32_t k = (uint32_t)(random_next(&state) % i), key = keys[i - 1];
            keys[i - 1] = keys[k];
            keys[k] = key;
        }
        meanwhile_gives_way = true;
        expect_status(device,
                      ww_slab_mixed(slab, ww_memory(operations, n), ww_memory(keys, n), ww_memory(values, n),
                                    ww_array(found, n), ww_array(statuses, n)),
                      WW_OK);
        meanwhile_gives_way = false;
        for (uint32_t k = 0; k < keys_many; k++) h[k].before = h[k].after, h[k].count = 0, h[k].after.count = 0;
        for (uint32_t i = 0; i < n; i++) {
            history *const of = &h[keys[i]];
            of->event[of->count++] = (event){0, 1, operations[i], statuses[i],
                                             operations[i] == WW_SLAB_SEARCH ? found[i] : values[i]};
        }
        expect_status(device,
                      ww_slab_pairs(slab, ww_array(all_keys, 2 * n), ww_array(all_values, 2 * n), ww_array(count, 1)),
                      WW_OK);
        total = *count;
        for (uint64_t i = 0; i < total; i++) {
            held *const after = &h[all_keys[i]].after;
            expect(after->count < HELD_MOST);
            after->value[after->count++] = all_values[i];
        }
        for (uint32_t k = 0; k < keys_many; k++) expect_order(&h[k]);
        expect_status(device, ww_slab_check(slab), WW_OK);
    }
    ww_slab_close(slab);
    free(keys), free(values), free(found), free(operations), free(statuses), free(count);
    free(all_keys), free(all_values), free(h);
}

static void batches(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count(); d++)
        for (uint32_t r = 0; r < (on_emulator() ? 12 : 4); r++) {
            const uint32_t keys = on_emulator() ? 3 + r * 7 : r % 2 ? 1400 : 700 + 100 * r;
            CASE("slab history", "%s %u keys", setting_name(d), keys);
            if (!case_wanted()) continue;
            ww_device *device = setting_open(d);
            batch_once(device, keys, seed_of_run() + r);
            ww_close(device);
        }
}

/* Threads that add to few values: none of the sums loses anything. */
static void sums(void **state) {
    (void)state;
    const uint32_t n = on_emulator() ? 500 : 30000, keys_many = 5;
    for (size_t d = 0; d < setting_count(); d++) {
        CASE("slab history", "%s sums", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        uint64_t state_of_keys = seed_of_run(), wanted[5] = {0};
        uint32_t *const keys = need(4 * n);
        uint64_t *const values = need(8 * n), *const got = need(8 * keys_many);
        ww_slab *slab;
        expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint64_t, 0, &slab, NULL), WW_OK);
        for (uint32_t i = 0; i < n; i++) {
            keys[i] = (uint32_t)(random_next(&state_of_keys) % keys_many);
            values[i] = random_next(&state_of_keys);
            wanted[keys[i]] += values[i];
        }
        meanwhile_gives_way = true;
        expect_status(device, ww_slab_combine(slab, &ww_add, ww_memory(keys, n), ww_memory(values, n), ww_none), WW_OK);
        meanwhile_gives_way = false;
        expect_status(
            device,
            ww_slab_search(slab, ww_counting(&ww_type_uint32_t, 0, keys_many), ww_array(got, keys_many), ww_none),
            WW_OK);
        expect_elements(got, wanted, keys_many, 8);
        free(keys), free(values), free(got);
        ww_slab_close(slab);
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders), cmocka_unit_test(threads), cmocka_unit_test(batches),
                                       cmocka_unit_test(sums)};
    return cmocka_run_group_tests_name("slab_history", tests, NULL, NULL);
}
