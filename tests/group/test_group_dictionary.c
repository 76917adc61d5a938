/* Dictionaries in shards beside a plain table: rounds of batches, each rank's of another length, every key looked for after each. */
#include <stdio.h>

#include "support/groups.h"

enum { KEYS = 3000, ROUNDS = 4 };

typedef struct round {
    uint64_t keys[KEYS]; /* in a slab hash all different, so that statuses are known */
    uint64_t values[KEYS];
    size_t inserts, deletes; /* the first so many are inserted, the last so many deleted in another call */
    size_t first[RANKS_MOST + 1], first_delete[RANKS_MOST + 1];
    uint8_t wanted_insert[KEYS], wanted_delete[KEYS];
    bool there[KEYS]; /* after the round */
    uint64_t value[KEYS];
} round_;

typedef struct work {
    bool ordered, narrow, has_values;
    uint32_t ranks;
    round_ round[ROUNDS];
    size_t searched[RANKS_MOST + 1]; /* blocks of all keys */
    /* of each round: what came */
    uint8_t insert_statuses[ROUNDS][KEYS], delete_statuses[ROUNDS][KEYS], search_statuses[ROUNDS][KEYS];
    uint64_t found[ROUNDS][KEYS];
    bool own_bounds;
} work;

/* Keys spread over all that they may be. */
static uint64_t key_of(const work *w, uint64_t number) {
    return w->narrow ? (uint32_t)(number * 1431655u + 7) : number * 6148914691236517ull + 11;
}

static void plan(work *w, uint64_t seed) {
    static bool there[KEYS];
    static uint64_t value[KEYS];
    uint64_t state = seed, order[KEYS];
    memset(there, 0, sizeof there);
    for (size_t k = 0; k < ROUNDS; k++) {
        round_ *r = &w->round[k];
        for (size_t i = 0; i < KEYS; i++) order[i] = i;
        for (size_t i = KEYS; i > 1; i--) {
            const size_t j = (size_t)(random_next(&state) % i);
            const uint64_t swapped = order[i - 1];
            order[i - 1] = order[j];
            order[j] = swapped;
        }
        r->inserts = k == 2 ? 0 : (size_t)(random_next(&state) % KEYS);
        r->deletes = (size_t)(random_next(&state) % (KEYS / 2));
        for (size_t i = 0; i < KEYS; i++) {
            const uint64_t number = w->ordered && i < r->inserts ? order[i] % (KEYS / 2)
                                                                 : order[i]; /* some come twice */
            r->keys[i] = key_of(w, number);
            r->values[i] = random_next(&state) & 0xFFFFFFFF;
            if (i >= r->inserts) continue;
            r->wanted_insert[i] = there[number] ? WW_SLAB_REPLACED : WW_SLAB_INSERTED;
            there[number] = true;
            value[number] = r->values[i];
        }
        for (size_t i = KEYS - r->deletes; i < KEYS; i++) {
            const uint64_t number = w->ordered && i < r->inserts ? order[i] % (KEYS / 2) : order[i];
            r->wanted_delete[i] = there[number] ? WW_SLAB_DELETED : WW_SLAB_ABSENT;
            there[number] = false;
        }
        memcpy(r->there, there, sizeof there);
        memcpy(r->value, value, sizeof value);
        cut_blocks((cut)(k % CUTS), r->inserts, w->ranks, seed + k, r->first);
        cut_blocks((cut)((k + 1) % CUTS), r->deletes, w->ranks, seed + k, r->first_delete);
    }
    cut_blocks(CUT_AT_RANDOM, KEYS, w->ranks, seed, w->searched);
}

/* A rank's part of a batch, in its keys' type; and of results, which go back to where all can be seen. */
typedef struct batch {
    uint32_t narrow[KEYS];
    uint64_t wide[KEYS], values[KEYS];
    uint8_t statuses[KEYS];
} batch;

static ww_input keys_in(const work *w, batch *b, const uint64_t *keys, size_t n) {
    for (size_t i = 0; i < n; i++) {
        b->narrow[i] = (uint32_t)keys[i];
        b->wide[i] = keys[i];
    }
    return w->narrow ? ww_memory(b->narrow, n) : ww_memory(b->wide, n);
}

static ww_status rounds(work *w, ww_group_slab *slab, ww_group_lsm *lsm, uint32_t rank, batch *b) {
    for (size_t k = 0; k < ROUNDS; k++) {
        round_ *r = &w->round[k];
        size_t at = r->first[rank], n = r->first[rank + 1] - at;
        ww_input values = w->has_values ? ww_memory(r->values + at, n) : ww_no_input;
        ww_input keys = keys_in(w, b, r->keys + at, n);
        ww_status status = w->ordered ? ww_group_lsm_insert(lsm, keys, values)
                                      : ww_group_slab_replace(slab, keys, values, ww_array(b->statuses, n));
        if (status) return status;
        memcpy(w->insert_statuses[k] + at, b->statuses, n);
        at = KEYS - r->deletes + r->first_delete[rank];
        n = r->first_delete[rank + 1] - r->first_delete[rank];
        keys = keys_in(w, b, r->keys + at, n);
        status = w->ordered ? ww_group_lsm_delete(lsm, keys)
                            : ww_group_slab_delete(slab, keys, ww_array(b->statuses, n));
        if (status) return status;
        memcpy(w->delete_statuses[k] + at, b->statuses, n);
        at = w->searched[rank];
        n = w->searched[rank + 1] - at;
        uint64_t all[KEYS];
        for (size_t i = 0; i < n; i++) all[i] = key_of(w, at + i);
        keys = keys_in(w, b, all, n);
        for (size_t i = 0; i < n; i++) b->values[i] = 99;
        const ww_array found = w->has_values ? ww_array(b->values, n) : ww_none, statuses = ww_array(b->statuses, n);
        status = w->ordered ? ww_group_lsm_lookup(lsm, keys, found, statuses)
                            : ww_group_slab_search(slab, keys, found, statuses);
        if (status) return status;
        memcpy(w->search_statuses[k] + at, b->statuses, n);
        memcpy(w->found[k] + at, b->values, n * sizeof *b->values);
    }
    return WW_OK;
}

static ww_status body(ww_group *group, void *context) {
    work *w = context;
    const ww_type *key = w->narrow ? &ww_type_uint32_t : &ww_type_uint64_t;
    const ww_type *value = w->has_values ? &ww_type_uint64_t : NULL;
    const uint32_t ranks = ww_group_ranks(group);
    uint64_t bounds[RANKS_MOST];
    uint32_t narrow[RANKS_MOST];
    ww_group_slab *slab = NULL;
    ww_group_lsm *lsm = NULL;
    batch *b = malloc(sizeof *b);
    for (uint32_t r = 0; r + 1 < ranks; r++) narrow[r] = (uint32_t)(bounds[r] = key_of(w, 100 * (r + 1)));
    const ww_input own = w->narrow ? ww_memory(narrow, ranks - 1) : ww_memory(bounds, ranks - 1);
    ww_status status = w->ordered ? ww_group_lsm_open(group, key, value, w->own_bounds ? own : ww_no_input, &lsm, NULL)
                                  : ww_group_slab_open(group, key, value, KEYS, &slab, NULL);
    if (!status && b) status = rounds(w, slab, lsm, ww_group_rank(group), b);
    ww_group_slab_close(slab);
    ww_group_lsm_close(lsm);
    free(b);
    return b ? status : WW_MEMORY;
}

static void check(const work *w) {
    for (size_t k = 0; k < ROUNDS; k++) {
        const round_ *r = &w->round[k];
        if (!w->ordered) {
            expect_bytes(w->insert_statuses[k], r->wanted_insert, r->inserts);
            expect_bytes(w->delete_statuses[k] + KEYS - r->deletes, r->wanted_delete + KEYS - r->deletes, r->deletes);
        }
        for (size_t i = 0; i < KEYS; i++) {
            expect(w->search_statuses[k][i] == r->there[i]);
            expect(!w->has_values || w->found[k][i] == (r->there[i] ? r->value[i] : 99));
        }
    }
}

static void batches(void **unused) {
    (void)unused;
    const uint32_t *ranks;
    const size_t many = group_sizes(&ranks);
    work *w = need(sizeof *w);
    for (size_t g = 0; g < many; g++)
        for (int kind = 0; kind < 8; kind++) {
            memset(w, 0, sizeof *w);
            w->ordered = kind & 1;
            w->narrow = kind & 2;
            w->has_values = kind < 4 || kind == 6;
            w->own_bounds = g % 2;
            w->ranks = ranks[g];
            if (on_gpu() && (kind > 3 || g == 0)) continue;
            CASE("group dictionary", "%s %s%s ranks=%u", w->ordered ? "lsm" : "slab", w->narrow ? "u32" : "u64",
                 w->has_values ? " values" : "", ranks[g]);
            if (!case_wanted()) continue;
            plan(w, seed_of_run() + g);
            group_do(ranks[g], body, w);
            check(w);
        }
    free(w);
}

/* What is wrong is said by all; then all goes on. */
typedef struct refusal {
    int kind;
    ww_status status[3];
    char said[3][256];
} refusal;
static ww_status refuse(ww_group *group, void *context) {
    refusal *f = context;
    const uint32_t r = ww_group_rank(group);
    uint32_t keys[3] = {1, 2, 3}, bound[2] = {7, r == 1 ? 8 : 9}, equal[2] = {7, 7};
    uint64_t values[3] = {4, 5, 6}, found[3] = {0, 0, 0};
    uint8_t statuses[3];
    ww_group_slab *slab = NULL, *second = NULL;
    ww_group_lsm *lsm = NULL;
    const ww_type *u32 = &ww_type_uint32_t, *u64 = &ww_type_uint64_t;
    ww_status status = ww_group_slab_open(group, u32, u64, 100, &slab, NULL);
    if (status) return status;
    switch (f->kind) {
    case 0:
        status = ww_group_slab_insert(slab, r == 2 ? ww_memory(values, 3) : ww_memory(keys, 3), ww_memory(values, 3),
                                      ww_none);
        break;
    case 1:
        status = ww_group_slab_insert(slab, ww_memory(keys, 3), r ? ww_memory(values, 3) : ww_no_input, ww_none);
        break;
    case 2:
        status = ww_group_slab_search(slab, ww_memory(keys, 3), ww_none, ww_array(statuses, r == 1 ? 2 : 3));
        break;
    case 3:
        status = ww_group_lsm_open(group, u32, u64, ww_memory(bound, 2), &lsm, NULL);
        break;
    case 4:
        status = ww_group_lsm_open(group, u32, u64, ww_memory(equal, 2), &lsm, NULL);
        break;
    case 5:
        status = ww_group_lsm_open(group, u32, u64, ww_memory(equal, 1), &lsm, NULL);
        break;
    default:
        status = ww_group_slab_open(group, r == 1 ? u64 : u32, u64, 5, &second, NULL);
    }
    f->status[r] = status;
    snprintf(f->said[r], sizeof f->said[r], "%s", ww_group_error(group));
    if (lsm || second) return WW_FORMAT;
    status = ww_group_slab_insert(slab, ww_memory(keys, 3), ww_memory(values, 3), ww_none);
    if (!status) status = ww_group_slab_search(slab, ww_memory(keys, 3), ww_array(found, 3), ww_array(statuses, 3));
    ww_group_slab_close(slab);
    return status || (found[0] == 4 && found[2] == 6 && statuses[1] == WW_SLAB_FOUND) ? status : WW_FORMAT;
}
static void refusals(void **unused) {
    (void)unused;
    static const struct {
        ww_status status;
        const char *said;
    } wanted[] = {
        {WW_TYPE, "ww_group_slab_insert: rank 2: keys are missing, or not of type u32"},
        {WW_TYPE, "ww_group_slab_insert: rank 0: values are missing, or not of type u64"},
        {WW_INVALID, "ww_group_slab_search: rank 1: keys has 3 elements, statuses 2"},
        {WW_INVALID, "ww_group_lsm_open: rank 1 was given other"},
        {WW_INVALID, "ww_group_lsm_open: rank 0: "},
        {WW_INVALID, "ww_group_lsm_open: rank 0: there are 1 bounds for 3 ranks"},
        {WW_INVALID, "ww_group_slab_open: rank 1 was given other"},
    };
    for (int kind = 0; kind < (int)(sizeof wanted / sizeof *wanted); kind++) {
        refusal f = {.kind = kind};
        CASE("group dictionary", "refused, kind=%d", kind);
        if (!case_wanted()) continue;
        group_do(3, refuse, &f);
        for (uint32_t r = 0; r < 3; r++) {
            expect(f.status[r] == wanted[kind].status);
            expect(strstr(f.said[r], wanted[kind].said) != NULL);
            expect(!strcmp(f.said[r], f.said[0]));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(batches), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
