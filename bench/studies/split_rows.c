/* The points of all studies, each once. */
#include <stdlib.h>

#include "studies/split_study.h"

const char *const split_keys_names[SPLIT_KEYS] = {"uniform", "0.25-uniform", "binomial", "all equal"};
const uint32_t split_bucket_counts[BUCKET_COUNTS] = {2, 4, 8, 16, 32, 64, 128, 256};
const size_t split_compared_sizes[COMPARED_SIZES] = {100000, 3000000, 90000000};
const uint32_t split_compared_counts[COMPARED_COUNTS] = {3, 7, 33, 100, 1000, 65537};
const size_t split_lengths[LENGTHS] = {1 << 23, 1 << 24, 1 << 25, 1 << 26};
const uint32_t split_fields[FIELDS] = {8, 16, 32, 64};
const uint32_t split_narrow[NARROW] = {4, 8, 12, 16};
const uint32_t split_sizes[SIZES] = {4, 8, 16, 32, 64, 128, 256};
const size_t split_moves[MOVES] = {1 << 22, 1 << 24, 1 << 26};

enum { POINTS = 200, SCRATCH_BYTES = 40 /* of a method that sorts, an element */ };

static struct {
    split_point point[POINTS];
    bench_row row[POINTS];
    char name[POINTS][96];
    size_t count;
} all;

bool split_point_moves(size_t n, uint32_t record) { return n * record <= (size_t)1 << 31; }

const char *split_count(size_t n, char text[24]) {
    unsigned bits = 0;
    while ((size_t)1 << bits < n) bits++;
    if ((size_t)1 << bits == n)
        snprintf(text, 24, "2^%u", bits);
    else
        snprintf(text, 24, "%zu", n);
    return text;
}

static void name_point(const split_point *p, char *name, size_t room) {
    char n[24];
    split_count(p->n, n);
    switch (p->kind) {
    case SPLIT_DELTA:
    case SPLIT_IDENTITY:
        snprintf(name, room, "methods: u32%s, %s, m = %u, %s, n = %s", p->values ? " + u32" : "",
                 p->kind == SPLIT_DELTA ? "delta" : "identity", p->buckets, split_keys_names[p->keys], n);
        break;
    case SPLIT_RECORDS:
    case SPLIT_INDEX:
        snprintf(name, room, "%s: %u bytes, %u bits, n = %s", p->kind == SPLIT_RECORDS ? "split bits" : "split index",
                 p->record, p->bits, n);
        break;
    case SPLIT_EIGHT:
    case SPLIT_MOVE:
        snprintf(name, room, "%s: %u bytes, n = %s", p->kind == SPLIT_EIGHT ? "split8" : "gather and scatter",
                 p->record, n);
    }
}

bool split_same(const split_point *a, const split_point *b) {
    return a->kind == b->kind && a->n == b->n && a->buckets == b->buckets && a->keys == b->keys &&
           a->values == b->values && a->record == b->record && a->bits == b->bits;
}

/* least: the smallest n of points that are otherwise the same. */
static void add(split_point point, size_t least) {
    static const bench_row *const rows[] = {
        [SPLIT_DELTA] = &split_delta_row, [SPLIT_IDENTITY] = &split_identity_row, [SPLIT_RECORDS] = &split_records_row,
        [SPLIT_EIGHT] = &split_eight_row, [SPLIT_INDEX] = &split_index_row,       [SPLIT_MOVE] = &split_move_row};
    for (size_t i = 0; i < all.count; i++)
        if (split_same(&all.point[i], &point)) return;
    if (all.count == POINTS) abort();
    split_point *p = &all.point[all.count];
    bench_row *row = &all.row[all.count];
    *p = point;
    name_point(p, all.name[all.count], sizeof all.name[0]);
    *row = *rows[p->kind];
    if (p->kind == SPLIT_DELTA) row->rival_count -= !p->sort;
    row->name = all.name[all.count++];
    row->point = p;
    row->items = p->n;
    row->least = least;
    row->parameter = p->record ? p->record : p->buckets;
    row->element = p->record ? p->record : p->values ? 8 : 4;
    row->bytes = 2.0 * (double)row->element + (p->kind == SPLIT_MOVE ? 4 : 0);
    row->item_bytes = 3 * row->element + SCRATCH_BYTES;
}

static void add_keys(split_kind kind, uint32_t buckets, split_keys keys, size_t n, size_t least, bool sort) {
    for (int values = 0; values < 2; values++)
        add((split_point){.kind = kind, .n = n, .sort = sort, .buckets = buckets, .keys = keys, .values = values},
            least);
}

static void add_records(split_kind kind, size_t n, size_t least, uint32_t record, uint32_t bits) {
    add((split_point){.kind = kind, .n = n, .record = record, .bits = bits}, least);
}

/* Tables 3.4 to 3.7, figures 3.6 to 3.8. */
static void add_dissertation(void) {
    for (size_t b = 0; b < BUCKET_COUNTS; b++) {
        const uint32_t m = split_bucket_counts[b];
        add_keys(SPLIT_DELTA, m, KEYS_UNIFORM, KEYS_N, KEYS_N, true);
        add_keys(SPLIT_DELTA, m, KEYS_BINOMIAL, KEYS_N, KEYS_N, false);
        add_keys(SPLIT_IDENTITY, m, KEYS_UNIFORM, KEYS_N, KEYS_N, false);
    }
    add_keys(SPLIT_DELTA, 256, KEYS_QUARTER, KEYS_N, KEYS_N, false);
    add_keys(SPLIT_DELTA, 256, KEYS_EQUAL, KEYS_N, KEYS_N, false);
}

static void add_compared(void) {
    for (size_t b = 0; b < COMPARED_COUNTS; b++)
        for (size_t i = 0; i < COMPARED_SIZES; i++)
            add_keys(SPLIT_DELTA, split_compared_counts[b], KEYS_UNIFORM, split_compared_sizes[i],
                     split_compared_sizes[0], false);
}

/* Figures 8 to 12. */
static void add_paper(void) {
    for (size_t f = 0; f < FIELDS; f++) {
        for (size_t i = 0; i < LENGTHS; i++)
            add_records(SPLIT_RECORDS, split_lengths[i], split_lengths[0], 8, split_fields[f]);
        for (size_t r = 0; r < NARROW; r++)
            if (split_fields[f] <= 8 * split_narrow[r])
                add_records(SPLIT_RECORDS, RECORDS_N, RECORDS_N, split_narrow[r], split_fields[f]);
        for (size_t i = 0; i < MOVES; i++) add_records(SPLIT_INDEX, split_moves[i], split_moves[0], 8, split_fields[f]);
    }
    for (size_t r = 0; r < SIZES; r++) {
        add_records(SPLIT_EIGHT, SIZES_N, SIZES_N, split_sizes[r], 8);
        for (size_t i = 0; i < MOVES; i++)
            if (split_moves[i] == SIZES_N ||
                (split_sizes[r] >= 32 && split_point_moves(split_moves[i], split_sizes[r])))
                add_records(SPLIT_MOVE, split_moves[i], SIZES_N, split_sizes[r], 0);
    }
}

const bench_row *split_studies(size_t *count) {
    if (!all.count) {
        add_dissertation();
        add_compared();
        add_paper();
    }
    *count = all.count;
    return all.row;
}
