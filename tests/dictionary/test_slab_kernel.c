/* Slab hashes inside of kernels: random programs beside a serial dictionary, each operation on a key of its own; many threads on few keys
 * at once; memory that ends. Calls of the library come between, and must find what kernels have done. */
#include <pthread.h>

#include "reference/slab.h"
#include "support/cases.h"

enum { NOTHING, SEARCH, INSERT, REPLACE, DELETE, PLACE, OPERATIONS };
WW_CONSTANT(OP_SEARCH, uint32_t, 1);
WW_CONSTANT(OP_INSERT, uint32_t, 2);
WW_CONSTANT(OP_REPLACE, uint32_t, 3);
WW_CONSTANT(OP_DELETE, uint32_t, 4);
WW_CONSTANT(OP_PLACE, uint32_t, 5);
WW_CONSTANT(STATUS_PLACED, uint8_t, 77);

/* One kernel for each kind of dictionary: thread i does operation i. A place has the value added to what is there, or to 0. */
#define OPERATE_PAIRS(P, KEY, VALUE) \
    WW_STRUCT_USES((P), work_##P, { \
        P view; \
        const uint8_t *operations; \
        const KEY *keys; \
        const VALUE *values; \
        VALUE *found; \
        uint8_t *statuses; \
    }); \
    WW_KERNEL_USES( \
        (P##_search, P##_insert, P##_replace, P##_delete, P##_place, OP_SEARCH, OP_INSERT, OP_REPLACE, OPS), run_##P, \
        work_##P, a, i, { \
            const uint32_t operation = a->operations[i]; \
            uint32_t status = 0; \
            if (operation == OP_SEARCH) { \
                VALUE value = 0; \
                status = P##_search(&a->view, a->keys[i], &value); \
                if (status) a->found[i] = value; \
            } else if (operation == OP_INSERT) { \
                status = P##_insert(&a->view, a->keys[i], a->values[i]); \
            } else if (operation == OP_REPLACE) { \
                status = P##_replace(&a->view, a->keys[i], a->values[i]); \
            } else if (operation == OP_DELETE) { \
                status = P##_delete(&a->view, a->keys[i]); \
            } else if (operation == OP_PLACE) { \
                VALUE *place = P##_place(&a->view, a->keys[i], 0); \
                status = place ? STATUS_PLACED : WW_SLAB_FULL; \
                if (place) ww_atomic_add(place, a->values[i]); \
            } \
            a->statuses[i] = (uint8_t)status; \
        }); \
    LAUNCH(P, KEY, VALUE)

#define OPERATE_KEYS(P, KEY) \
    WW_STRUCT_USES((P), work_##P, { \
        P view; \
        const uint8_t *operations; \
        const KEY *keys; \
        const uint32_t *values; \
        uint32_t *found; \
        uint8_t *statuses; \
    }); \
    WW_KERNEL_USES((P##_search, P##_insert, P##_replace, P##_delete, OP_SEARCH, OP_INSERT, OP_REPLACE, OPS), run_##P, \
                   work_##P, a, i, { \
                       const uint32_t operation = a->operations[i]; \
                       uint32_t status = 0; \
                       if (operation == OP_SEARCH) status = P##_search(&a->view, a->keys[i]); \
                       if (operation == OP_INSERT) status = P##_insert(&a->view, a->keys[i]); \
                       if (operation == OP_REPLACE) status = P##_replace(&a->view, a->keys[i]); \
                       if (operation == OP_DELETE) status = P##_delete(&a->view, a->keys[i]); \
                       a->statuses[i] = (uint8_t)status; \
                   }); \
    LAUNCH(P, KEY, uint32_t)

/* The last two numbers as one name, for a list has nine. */
static const ww_text *const ops[] = {&ww__definition_of_OP_DELETE, &ww__definition_of_OP_PLACE,
                                     &ww__definition_of_STATUS_PLACED, NULL};
static const ww_text ww__definition_of_OPS = {"OPS", "struct OPS {};", __FILE__, __LINE__, ops};

typedef struct program {
    ww_device *device;
    ww_slab *slab;
    reference_slab model;
    uint64_t state;
    size_t most;
    uint8_t *operations, *statuses;
    void *keys, *values, *found;
    const ww_type *key, *value;
} program;

#define LAUNCH(P, KEY, VALUE) \
    static ww_status launch_##P(program *p, uint64_t room, size_t n) { \
        work_##P w = {.operations = p->operations, \
                      .keys = (const KEY *)p->keys, \
                      .values = (const VALUE *)p->values, \
                      .found = (VALUE *)p->found, \
                      .statuses = p->statuses}; \
        const ww_status status = P##_view(p->slab, room, &w.view); \
        return status ? status : ww_launch(p->device, ww_with(run_##P, &w), n); \
    }

OPERATE_PAIRS(ww_slab_u32_u32, uint32_t, uint32_t)
OPERATE_PAIRS(ww_slab_u64_u64, uint64_t, uint64_t)
OPERATE_PAIRS(ww_slab_u64_u32, uint64_t, uint32_t)
OPERATE_PAIRS(ww_slab_u32_u64, uint32_t, uint64_t)
OPERATE_KEYS(ww_slab_u32, uint32_t)
OPERATE_KEYS(ww_slab_u64, uint64_t)

static const struct {
    const char *name;
    const ww_type *key, *value;
    ww_status (*launch)(program *p, uint64_t room, size_t n);
} kinds[] = {{"u32-none", &ww_type_uint32_t, NULL, launch_ww_slab_u32},
             {"u32-u32", &ww_type_uint32_t, &ww_type_uint32_t, launch_ww_slab_u32_u32},
             {"u64-u32", &ww_type_uint64_t, &ww_type_uint32_t, launch_ww_slab_u64_u32},
             {"u64-none", &ww_type_uint64_t, NULL, launch_ww_slab_u64},
             {"u64-u64", &ww_type_uint64_t, &ww_type_uint64_t, launch_ww_slab_u64_u64},
             {"u32-u64", &ww_type_uint32_t, &ww_type_uint64_t, launch_ww_slab_u32_u64}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void put(void *array, const ww_type *type, size_t i, uint64_t x) {
    if (type->size == 8)
        ((uint64_t *)array)[i] = x;
    else
        ((uint32_t *)array)[i] = (uint32_t)x;
}
static uint64_t get(const void *array, const ww_type *type, size_t i) {
    return type->size == 8 ? ((const uint64_t *)array)[i] : ((const uint32_t *)array)[i];
}

static program begin(ww_device *device, size_t k, uint64_t buckets, bool fixed, uint64_t limit, size_t most) {
    const ww_type *const value = kinds[k].value ? kinds[k].value : &ww_type_uint32_t;
    ww_slab_options o = WW_SLAB_OPTIONS;
    program p = {.device = device, .state = seed_of_run() + k, .most = most, .key = kinds[k].key, .value = value};
    o.buckets = buckets;
    o.fixed = fixed;
    o.memory_limit = limit;
    expect_status(device, ww_slab_open(device, kinds[k].key, kinds[k].value, 0, &p.slab, &o), WW_OK);
    p.operations = need(most);
    p.statuses = need(most);
    p.keys = need(most * p.key->size);
    p.values = need(most * value->size);
    p.found = need(most * value->size);
    return p;
}

static void end(program *p) {
    ww_slab_close(p->slab);
    reference_slab_free(&p->model);
    free(p->operations);
    free(p->statuses);
    free(p->keys);
    free(p->values);
    free(p->found);
}

/* Key number i: the ends of the type among them. */
static uint64_t key_number(const program *p, size_t i) {
    if (i < 3) return (p->key->size == 8 ? UINT64_MAX : UINT32_MAX) - i;
    return p->key->size == 8 ? (uint64_t)i << 33 | i : (uint64_t)i * 5;
}

static void launch(program *p, size_t k, uint64_t room, size_t n) {
    memset(p->statuses, 0xEE, n);
    memset(p->found, 0x77, n * p->value->size);
    expect_status(p->device, kinds[k].launch(p, room, n), WW_OK);
    expect_status(p->device, ww_sync(p->device), WW_OK);
}

static void expect_whole(program *p) {
    ww_slab_info info = WW_SLAB_INFO;
    expect_status(p->device, ww_slab_check(p->slab), WW_OK);
    expect_status(p->device, ww_slab_info_get(p->slab, &info), WW_OK);
    expect(info.pairs == p->model.count);
}

/* ---- each operation on a key of its own ---- */

static void expect_operation(program *p, bool has_values, size_t i) {
    const uint64_t key = get(p->keys, p->key, i), value = get(p->values, p->value, i);
    uint64_t found = p->value->size == 8 ? UINT64_C(0x7777777777777777) : 0x77777777;
    uint8_t wanted = WW_SLAB_ABSENT;
    reference_pair *const pair = reference_slab_search(&p->model, key);
    switch (p->operations[i]) {
    case SEARCH:
        if (pair) wanted = WW_SLAB_FOUND;
        if (pair && has_values) found = pair->value;
        break;
    case INSERT:
        reference_slab_insert(&p->model, key, value);
        wanted = WW_SLAB_INSERTED;
        break;
    case REPLACE:
        wanted = reference_slab_replace(&p->model, key, value) ? WW_SLAB_REPLACED : WW_SLAB_INSERTED;
        break;
    case DELETE:
        if (reference_slab_delete(&p->model, key)) wanted = WW_SLAB_DELETED;
        break;
    case PLACE:
        if (!has_values) break;
        reference_slab_replace(&p->model, key, value + (pair ? pair->value : 0));
        wanted = STATUS_PLACED;
        break;
    }
    expect(p->statuses[i] == wanted);
    expect(get(p->found, p->value, i) == found);
}

static void expect_searches(program *p, bool has_values, size_t n) {
    for (size_t i = 0; i < n; i++) put(p->keys, p->key, i, key_number(p, i));
    expect_status(p->device,
                  ww_slab_search(p->slab, ww_memory_of(p->keys, n, p->key),
                                 has_values ? ww_array_of(p->found, n, p->value) : ww_none, ww_array(p->statuses, n)),
                  WW_OK);
    for (size_t i = 0; i < n; i++) {
        const reference_pair *const pair = reference_slab_search(&p->model, key_number(p, i));
        expect(p->statuses[i] == (pair ? WW_SLAB_FOUND : WW_SLAB_ABSENT));
        if (pair && has_values)
            expect(get(p->found, p->value, i) == (p->value->size == 8 ? pair->value : (uint32_t)pair->value));
    }
}

/* All keys by one call, which a GPU builds so that neighbouring buckets share slabs (docs/slab.md): 120 pairs for 100 slots. */
static program begin_dense(ww_device *device, size_t k, size_t n) {
    ww_slab_info info = WW_SLAB_INFO;
    program p = begin(device, k, 1, true, 0, n);
    expect_status(device, ww_slab_info_get(p.slab, &info), WW_OK);
    end(&p);
    p = begin(device, k, n * 100 / (120 * info.slab_slots), true, 0, n);
    for (size_t i = 0; i < n; i++) {
        put(p.keys, p.key, i, key_number(&p, i));
        put(p.values, p.value, i, i);
        reference_slab_insert(&p.model, key_number(&p, i), i);
    }
    expect_status(device,
                  ww_slab_insert(p.slab, ww_memory_of(p.keys, n, p.key),
                                 kinds[k].value ? ww_memory_of(p.values, n, p.value) : ww_no_input, ww_none),
                  WW_OK);
    expect_whole(&p);
    return p;
}

static void random_programs(void **state) {
    static const struct {
        uint64_t buckets;
        bool fixed, dense;
    } starts[] = {{1, true, false}, {1, false, false}, {40, true, false}, {5, false, false}, {0, true, true}};
    enum { STARTS = sizeof starts / sizeof *starts, LAUNCHES = 6 };
    (void)state;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        for (size_t k = 0; k < KINDS; k++)
            for (size_t s = 0; s < STARTS; s++) {
                const size_t n = on_emulator() ? 150 : starts[s].fixed ? 400 : 1500;
                CASE("slab kernel", "%s %s, start %zu", setting_name(d), kinds[k].name, s);
                if (left_to_gpus(k) || !case_wanted() || (on_emulator() && (s + k) % 2)) continue;
                program p = starts[s].dense ? begin_dense(device, k, n)
                                            : begin(device, k, starts[s].buckets, starts[s].fixed, 0, n);
                for (int l = 0; l < LAUNCHES; l++) {
                    /* Distinct keys: from somewhere on, going round. */
                    const size_t from = random_next(&p.state) % n;
                    for (size_t i = 0; i < n; i++) {
                        p.operations[i] = (uint8_t)(l || starts[s].dense ? random_next(&p.state) % OPERATIONS : INSERT);
                        put(p.keys, p.key, i, key_number(&p, (i + from) % n));
                        put(p.values, p.value, i, random_next(&p.state) >> 40);
                    }
                    launch(&p, k, n, n);
                    for (size_t i = 0; i < n; i++) expect_operation(&p, kinds[k].value != NULL, i);
                    if (l % 2) expect_searches(&p, kinds[k].value != NULL, n);
                    if (l == 3) expect_status(device, ww_slab_flush(p.slab), WW_OK);
                    expect_whole(&p);
                }
                expect_status(device, ww_slab_clear(p.slab), WW_OK);
                p.model.count = 0;
                expect_whole(&p);
                expect_searches(&p, kinds[k].value != NULL, n);
                end(&p);
            }
        ww_close(device);
    }
}

/* ---- many threads on few keys ---- */

/* All operations at once. Of each key as many pairs are left as were inserted and not deleted; sums of places are whole; a key that
 * is replaced alone has one pair, with a value of one of them. */
static void few_keys(void **state) {
    enum { FEW = 7, U32_U32 = 1 };
    (void)state;
    for (size_t d = 0; d < setting_count_short(); d++)
        for (int round = 0; round < 8; round++) {
            const size_t n = on_emulator() ? 400 : on_gpu() ? 300000 : 20000;
            uint32_t sums[FEW] = {0}, inserted[FEW] = {0}, deleted[FEW] = {0}, last[FEW] = {0};
            CASE("slab kernel, few keys", "%s round %d", setting_name(d), round);
            if (!case_wanted()) continue;
            ww_device *device = setting_open(d);
            program p = begin(device, U32_U32, round % 2 ? 1 : 64, round % 2, 0, n);
            uint32_t *const keys = p.keys, *const values = p.values, *const found = p.found;
            for (size_t i = 0; i < n; i++) {
                keys[i] = (uint32_t)(random_next(&p.state) % FEW);
                values[i] = (uint32_t)i + 1;
                p.operations[i] = round < 2   ? PLACE
                                  : round < 4 ? REPLACE
                                  : round < 6 ? (i % 3 ? DELETE : INSERT)
                                              : (uint8_t)(SEARCH + i % 4);
            }
            launch(&p, U32_U32, n, n);
            for (size_t i = 0; i < n; i++) {
                const uint32_t key = keys[i];
                if (p.operations[i] == PLACE) sums[key] += values[i];
                inserted[key] += p.statuses[i] == WW_SLAB_INSERTED;
                deleted[key] += p.statuses[i] == WW_SLAB_DELETED;
                expect(p.statuses[i] != WW_SLAB_FULL);
                if (p.operations[i] == SEARCH && p.statuses[i] == WW_SLAB_FOUND)
                    expect(found[i] && found[i] <= n && keys[found[i] - 1] == key);
            }
            expect_status(device, ww_slab_check(p.slab), WW_OK);
            uint32_t *const counts = need(4 * FEW), *const ends = need(4 * FEW);
            const ww_input all = ww_counting(&ww_type_uint32_t, 0, FEW);
            expect_status(device, ww_slab_count(p.slab, all, ww_array(counts, FEW)), WW_OK);
            expect_status(device, ww_slab_search(p.slab, all, ww_array(ends, FEW), ww_none), WW_OK);
            for (size_t i = 0; i < n; i++) last[keys[i]] |= ends[keys[i]] == values[i];
            for (uint32_t k = 0; k < FEW; k++) {
                if (round < 2) expect(counts[k] == 1 && ends[k] == sums[k]);
                if (round >= 2 && round < 4) expect(counts[k] == 1 && inserted[k] == 1 && last[k]);
                if (round >= 4) expect(counts[k] == inserted[k] - deleted[k] && (!counts[k] || last[k]));
            }
            free(counts);
            free(ends);
            end(&p);
            ww_close(device);
        }
}

/* ---- memory that ends ---- */

static void memory_ends(void **state) {
    (void)state;
    for (size_t d = 0; d < setting_count_short(); d++) {
        const uint32_t n = on_emulator() ? 500 : 8000;
        size_t full = 0;
        CASE("slab kernel, full", "%s", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        program p = begin(device, 1, 1, true, n * 6 + 8500, n);
        for (uint32_t i = 0; i < n; i++) {
            ((uint32_t *)p.keys)[i] = ((uint32_t *)p.values)[i] = i;
            p.operations[i] = i % 3 == 0 ? INSERT : i % 3 == 1 ? REPLACE : PLACE;
        }
        launch(&p, 1, n, n);
        uint8_t *const was = need(n);
        for (uint32_t i = 0; i < n; i++) {
            was[i] = p.statuses[i];
            full += was[i] == WW_SLAB_FULL;
            if (was[i] != WW_SLAB_FULL) reference_slab_insert(&p.model, key_number(&p, i), 0);
        }
        expect(full > 0 && full < n);
        expect_whole(&p);
        expect_status(
            device, ww_slab_search(p.slab, ww_memory((uint32_t *)p.keys, n), ww_none, ww_array(p.statuses, n)), WW_OK);
        for (uint32_t i = 0; i < n; i++) expect((p.statuses[i] == WW_SLAB_FOUND) == (was[i] != WW_SLAB_FULL));
        free(was);
        end(&p);
        ww_close(device);
    }
}

/* ---- what is refused ---- */

/* ---- threads of the program's own ---- */

enum { OWN_THREADS = 4, OWN_KEYS = 5000, SHARED = 60, SHARED_FROM = 1000000, SUM_FROM = 2000000 };

typedef struct own_thread {
    const ww_slab_u32_u32 *view;
    uint32_t number;
    uint64_t faults;
} own_thread;

/* Keys of its own are there as long as it says so; those that all threads replace and delete have a value that one has written, or are
 * not there; and each thread adds to sums. */
static void *operate_alone(void *argument) {
    own_thread *const t = argument;
    for (uint32_t i = 0; i < OWN_KEYS; i++) {
        const uint32_t own = i * OWN_THREADS + t->number, shared = SHARED_FROM + i % SHARED;
        uint32_t value = 0;
        t->faults += ww_slab_u32_u32_insert(t->view, own, own + 1) != WW_SLAB_INSERTED;
        t->faults += ww_slab_u32_u32_search(t->view, own, &value) != WW_SLAB_FOUND || value != own + 1;
        const uint32_t replaced = ww_slab_u32_u32_replace(t->view, shared, shared + t->number);
        t->faults += replaced != WW_SLAB_INSERTED && replaced != WW_SLAB_REPLACED;
        if (ww_slab_u32_u32_search(t->view, shared, &value) == WW_SLAB_FOUND)
            t->faults += value - shared >= OWN_THREADS;
        if (i % 5 == t->number) ww_slab_u32_u32_delete(t->view, shared);
        if (i % 3 == 0) t->faults += ww_slab_u32_u32_delete(t->view, own) != WW_SLAB_DELETED;
        uint32_t *const sum = ww_slab_u32_u32_place(t->view, SUM_FROM + i % 7, 0);
        t->faults += !sum;
        if (sum) __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

/* On a CPU a view's functions are of any thread of the program. */
static void own_threads(void **state) {
    (void)state;
    enum { ALL = OWN_THREADS * OWN_KEYS };
    if (on_gpu()) return;
    CASE("slab kernel, threads of the program", "%s", setting_name(0));
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    const ww_type *const u32 = &ww_type_uint32_t;
    ww_slab *slab;
    ww_slab_u32_u32 view;
    pthread_t threads[OWN_THREADS];
    own_thread own[OWN_THREADS];
    uint32_t sums[7];
    uint8_t *const statuses = need(ALL);
    expect_status(device, ww_slab_open(device, u32, u32, 64, &slab, NULL), WW_OK);
    expect_status(device, ww_slab_u32_u32_view(slab, ALL + 2 * ALL, &view), WW_OK);
    for (uint32_t t = 0; t < OWN_THREADS; t++) {
        own[t] = (own_thread){&view, t, 0};
        expect(!pthread_create(&threads[t], NULL, operate_alone, &own[t]));
    }
    for (uint32_t t = 0; t < OWN_THREADS; t++) expect(!pthread_join(threads[t], NULL) && !own[t].faults);
    expect_status(device, ww_slab_check(slab), WW_OK);
    expect_status(device, ww_slab_search(slab, ww_counting(u32, 0, ALL), ww_none, ww_array(statuses, ALL)), WW_OK);
    for (uint32_t k = 0; k < ALL; k++) expect(statuses[k] == (k / OWN_THREADS % 3 ? WW_SLAB_FOUND : WW_SLAB_ABSENT));
    expect_status(device, ww_slab_search(slab, ww_counting(u32, SUM_FROM, 7), ww_array(sums, 7), ww_none), WW_OK);
    uint64_t all = 0;
    for (uint32_t k = 0; k < 7; k++) all += sums[k];
    expect(all == ALL);
    ww_slab_close(slab);
    free(statuses);
    ww_close(device);
}

static void refused(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    CASE("slab kernel, refused", "%s", setting_name(0));
    if (!case_wanted()) {
        ww_close(device);
        return;
    }
    program p = begin(device, 1, 0, false, 0, 1);
    ww_slab_u64_u32 wide;
    ww_slab_u32_u64 long_values;
    ww_slab_u32 keys;
    expect_status(device, ww_slab_u64_u32_view(p.slab, 1, &wide), WW_TYPE);
    expect_sentence(device, "keys of type u64", "of u32");
    expect_status(device, ww_slab_u32_u64_view(p.slab, 1, &long_values), WW_TYPE);
    expect_sentence(device, "values of type u64", "of u32");
    expect_status(device, ww_slab_u32_view(p.slab, 1, &keys), WW_TYPE);
    expect_sentence(device, "values of type none");
    expect_status(device, ww_slab_u32_u32_view(p.slab, 1, NULL), WW_INVALID);
    expect_sentence(device, "view is NULL");
    expect(ww_slab_u32_view(NULL, 1, &keys) == WW_INVALID);
    end(&p);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(random_programs),
                                       cmocka_unit_test(few_keys), cmocka_unit_test(memory_ends),
                                       cmocka_unit_test(own_threads)};
    return cmocka_run_group_tests_name("slab_kernel", tests, NULL, NULL);
}
