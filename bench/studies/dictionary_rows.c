/* The points of all studies of dictionaries, each once. */
#include "families/dictionary_lsm.h"
#include "families/dictionary_slab.h"
#include "studies/dictionary_study.h"
#include "studies/split_study.h"

const uint32_t study_uses[STUDY_USES] = {200, 300, 400, 500, 600, 655, 700, 800, 850, 900};
const size_t study_slab_lengths[STUDY_LENGTHS] = {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26};
const size_t study_sums[STUDY_SUMS] = {1 << 18, 1 << 19, 1 << 20, 1 << 21};
const uint32_t study_batches[STUDY_PARTS] = {1 << 15, 1 << 16, 1 << 17};
const uint32_t study_updates[STUDY_PARTS] = {10, 4, 2};
const uint32_t study_splits[STUDY_SPLITS] = {1, 4, 16, 64, 256};
const struct study_levels study_levels[STUDY_LEVELS] = {{256, 1}, {192, 2}, {240, 4}, {252, 6}, {255, 8}};

enum {
    SLAB_KINDS = STUDY_NOT_THERE + 1,
    LSM_QUERIES = STUDY_KINDS - STUDY_LSM_THERE,
    POINTS = SLAB_KINDS * (STUDY_USES + STUDY_LENGTHS) + STUDY_PARTS * (STUDY_SUMS + STUDY_USES) + STUDY_SPLITS +
             LSM_QUERIES * STUDY_LEVELS,
    ITEM_BYTES = 256, /* slabs at a memory use of 0.2, and the row's arrays */
    RANGE_SHARE = 16,
    WIDE_SHARE = 1024
};

static struct {
    dictionary_point point[POINTS];
    bench_row row[POINTS];
    char name[POINTS][96];
    size_t count;
} all;

bool dictionary_same(const dictionary_point *a, const dictionary_point *b) {
    return a->kind == b->kind && a->n == b->n && a->use == b->use && a->more == b->more;
}

size_t study_queries(dictionary_kind kind, size_t elements) {
    return elements / (kind == STUDY_LSM_RANGE ? RANGE_SHARE : kind == STUDY_LSM_RANGE_WIDE ? WIDE_SHARE : 1);
}

/* Of these an item is an element, of which a range is asked for every 16th, every 1024th. */
static void make_ranges(bench_work *w) {
    w->n = study_queries(STUDY_LSM_RANGE, w->n);
    lsm_make_ranges(w);
}
static void make_wide_ranges(bench_work *w) {
    w->n = study_queries(STUDY_LSM_RANGE_WIDE, w->n);
    lsm_make_wide_ranges(w);
}

static const bench_rival parts[] = {
    {"first", "the first batch alone", lsm_run_first, lsm_right_first},
    {"but last", "all batches but the last", lsm_run_but_last, lsm_right_but_last},
    {"rebuilt", "keys alone, all sorted anew with each batch", lsm_run_rebuilt, lsm_right_rebuilt},
};

static const bench_rival lists[] = {
    {"lists", "lock-free lists in as many buckets, keys alone", slab_run_tenths_of_lists, slab_right_tenths},
};

/* clang-format off */
static const bench_row kinds[STUDY_KINDS] = {
    [STUDY_INSERT] = {.call = "ww_slab_insert", .make = slab_make_insert, .run = slab_run_insert, .right = slab_right_insert,
                      .end = slab_end, .base = slab_base_insert, .base_call = "a static cuckoo table"},
    [STUDY_THERE] = {.call = "ww_slab_search", .make = slab_make_there, .run = slab_run_search, .right = slab_right_there,
                     .end = slab_end, .base = slab_base_search, .base_call = "a static cuckoo table"},
    [STUDY_NOT_THERE] = {.call = "ww_slab_search", .make = slab_make_not_there, .run = slab_run_search, .right = slab_right_not_there,
                         .end = slab_end, .base = slab_base_search, .base_call = "a static cuckoo table"},
    [STUDY_BATCHES] = {.call = "ww_slab_insert", .make = slab_make_batches, .run = slab_run_batches, .right = slab_right_insert,
                       .end = slab_end, .base = slab_base_batches, .base_call = "a static cuckoo table, built anew for each batch"},
    [STUDY_MIX] = {.call = "ww_slab_mixed", .make = slab_make_tenths, .run = slab_run_tenths, .right = slab_right_tenths,
                   .end = slab_end, .rivals = lists, .rival_count = BENCH_COUNT(lists)},
    [STUDY_LSM_INSERT] = {.call = "ww_lsm_insert", .make = lsm_make_batches, .run = lsm_run_insert, .right = lsm_right_insert,
                          .end = lsm_end, .base = lsm_run_merged, .base_call = "keys alone, each batch merged into one sorted array",
                          .rivals = parts, .rival_count = BENCH_COUNT(parts)},
    [STUDY_LSM_THERE] = {.call = "ww_lsm_lookup", .make = lsm_make_there, .run = lsm_run_lookup, .right = lsm_right_there, .end = lsm_end},
    [STUDY_LSM_NOT_THERE] = {.call = "ww_lsm_lookup", .make = lsm_make_not_there, .run = lsm_run_lookup, .right = lsm_right_not_there,
                             .end = lsm_end},
    [STUDY_LSM_COUNT] = {.call = "ww_lsm_count", .make = lsm_make_narrow, .run = lsm_run_count, .right = lsm_right_count, .end = lsm_end},
    [STUDY_LSM_COUNT_WIDE] = {.call = "ww_lsm_count", .make = lsm_make_wide, .run = lsm_run_count, .right = lsm_right_count, .end = lsm_end},
    [STUDY_LSM_RANGE] = {.call = "ww_lsm_range", .make = make_ranges, .run = lsm_run_range, .right = lsm_right_range, .end = lsm_end},
    [STUDY_LSM_RANGE_WIDE] = {.call = "ww_lsm_range", .make = make_wide_ranges, .run = lsm_run_range, .right = lsm_right_range,
                              .end = lsm_end},
};
/* clang-format on */

static void name_point(const dictionary_point *p, char *name, size_t room) {
    static const char *const words[STUDY_KINDS] = {
        "slab insert", "slab find all",  "slab find none",     "slab batches",
        "slab mix",    "lsm insert",     "lsm look up, there", "lsm look up, not there",
        "lsm count 8", "lsm count 1024", "lsm range 8",        "lsm range 1024"};
    char n[24], more[40] = "";
    if (p->kind == STUDY_BATCHES) snprintf(more, sizeof more, ", batches of %u", p->more);
    if (p->kind == STUDY_MIX) snprintf(more, sizeof more, ", %u0%% updates", p->more);
    if (!p->use) snprintf(more, sizeof more, ", %u batches", p->more);
    if (p->use)
        snprintf(name, room, "study: %s, use 0.%u%s, n = %s", words[p->kind], p->use, more, split_count(p->n, n));
    else
        snprintf(name, room, "study: %s%s, n = %s", words[p->kind], more, split_count(p->n, n));
}

/* least: the smallest n of points that are otherwise the same. */
static void add(dictionary_point point, size_t least) {
    dictionary_point *const p = &all.point[all.count];
    bench_row *const row = &all.row[all.count];
    *p = point;
    name_point(p, all.name[all.count], sizeof all.name[0]);
    *row = kinds[p->kind];
    row->name = all.name[all.count++];
    row->point = p;
    row->items = p->n;
    row->least = least;
    row->element = 4;
    row->bytes = 4;
    row->item_bytes = ITEM_BYTES;
    row->seconds = p->kind == STUDY_BATCHES || p->kind == STUDY_LSM_INSERT ? 2 : 0.7;
    row->parameter = p->use ? SLAB_PARAMETER(p->use, p->more) : p->more;
}

static void add_slabs(void) {
    for (int kind = STUDY_INSERT; kind <= STUDY_NOT_THERE; kind++) {
        for (size_t u = 0; u < STUDY_USES; u++)
            add((dictionary_point){(dictionary_kind)kind, STUDY_USE_N, study_uses[u], 0}, STUDY_USE_N);
        for (size_t i = 0; i < STUDY_LENGTHS; i++)
            add((dictionary_point){(dictionary_kind)kind, study_slab_lengths[i], STUDY_LENGTH_USE, 1},
                study_slab_lengths[0]);
    }
    for (size_t b = 0; b < STUDY_PARTS; b++)
        for (size_t i = 0; i < STUDY_SUMS; i++)
            add((dictionary_point){STUDY_BATCHES, study_sums[i], STUDY_BATCH_USE, study_batches[b]}, study_sums[0]);
    for (size_t p = 0; p < STUDY_PARTS; p++)
        for (size_t u = 0; u < STUDY_USES; u++)
            add((dictionary_point){STUDY_MIX, STUDY_USE_N, study_uses[u], study_updates[p]}, STUDY_USE_N);
}

const bench_row *dictionary_studies(size_t *count) {
    *count = all.count;
    if (all.count) return all.row;
    for (size_t s = 0; s < STUDY_SPLITS; s++)
        add((dictionary_point){STUDY_LSM_INSERT, STUDY_LSM_N, 0, study_splits[s]}, STUDY_LSM_N);
    for (int kind = STUDY_LSM_THERE; kind < STUDY_KINDS; kind++)
        for (size_t l = 0; l < STUDY_LEVELS; l++)
            add((dictionary_point){(dictionary_kind)kind, STUDY_LSM_N, 0, study_levels[l].batches}, STUDY_LSM_N);
    add_slabs();
    *count = all.count;
    return all.row;
}
