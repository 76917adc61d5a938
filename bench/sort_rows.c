/* The points of all studies, each once. */
#include <stdlib.h>

#include "sort_study.h"
#include "split_study.h"

const size_t sort_lengths[SORT_LENGTHS] = {1 << 16, 1 << 20, 1 << 21, 1 << 22, 1 << 23,
                                           1 << 24, 1 << 25, 1 << 26, 1 << 27};
const uint32_t sort_widths[SORT_WIDTHS] = {48, 64, 96, 128};
const size_t sort_lists[SORT_LISTS] = {1 << 23, 1 << 24, 1 << 25, 3 << 24, 1 << 26};
const uint32_t sort_sizes[SORT_SIZES] = {32, 64, 128, 256};
const uint32_t sort_key_bytes[SORT_KEYS] = {4, 6, 8};

enum {
    POINTS = 2 * SORT_LENGTHS + 2 + SORT_WIDTHS * SORT_LENGTHS + SORT_SIZES * SORT_LISTS * SORT_KEYS,
    SCRATCH_BYTES = 40 /* of an element */
};

static struct {
    sort_point point[POINTS];
    bench_row row[POINTS];
    char name[POINTS][96];
    size_t count;
} all;

bool sort_same(const sort_point *a, const sort_point *b) {
    return a->kind == b->kind && a->n == b->n && a->values == b->values && a->bits == b->bits &&
           a->record == b->record && a->key == b->key;
}

static void name_point(const sort_point *p, char *name, size_t room) {
    char n[24];
    split_count(p->n, n);
    switch (p->kind) {
    case SORT_METHODS:
    case SORT_DIGITS:
        snprintf(name, room, "%s: u32%s, n = %s", p->kind == SORT_METHODS ? "sort methods" : "sort digits",
                 p->values ? " + u32" : "", n);
        break;
    case SORT_WIDTH:
        snprintf(name, room, "sort numbers: %u bits, n = %s", p->bits, n);
        break;
    case SORT_RECORDS:
        snprintf(name, room, "sort records: %u bytes, key of %u, n = %s", p->record, p->key, n);
    }
}

static size_t element_of(const sort_point *p) {
    return p->record ? p->record : p->bits > 64 ? 16 : p->bits ? 8 : p->values ? 8 : 4;
}

/* least: the smallest n of points that are otherwise the same. */
static void add(sort_point point, size_t least) {
    static const bench_row *const rows[] = {[SORT_METHODS] = &sort_methods_row,
                                            [SORT_DIGITS] = &sort_digits_row,
                                            [SORT_WIDTH] = &sort_width_row,
                                            [SORT_RECORDS] = &sort_records_row};
    sort_point *p = &all.point[all.count];
    bench_row *row = &all.row[all.count];
    *p = point;
    name_point(p, all.name[all.count], sizeof all.name[0]);
    *row = *rows[p->kind];
    if (p->kind == SORT_METHODS) row->rival_count = sort_methods_for(p->n);
    row->name = all.name[all.count++];
    row->point = p;
    row->items = p->n;
    row->least = least;
    row->element = element_of(p);
    row->parameter = row->element;
    row->bytes = 2.0 * (double)row->element;
    row->item_bytes = 3 * row->element + SCRATCH_BYTES;
}

const bench_row *sort_studies(size_t *count) {
    *count = all.count;
    if (all.count) return all.row;
    for (int values = 0; values < 2; values++) {
        for (size_t i = 0; i < SORT_LENGTHS; i++)
            add((sort_point){.kind = SORT_METHODS, .n = sort_lengths[i], .values = values}, sort_lengths[0]);
        add((sort_point){.kind = SORT_DIGITS, .n = SORT_DIGITS_N, .values = values}, SORT_DIGITS_N);
    }
    for (size_t b = 0; b < SORT_WIDTHS; b++)
        for (size_t i = 0; i < SORT_LENGTHS && (WW_HAS_U128 || sort_widths[b] <= 64); i++)
            add((sort_point){.kind = SORT_WIDTH, .n = sort_lengths[i], .bits = sort_widths[b]}, sort_lengths[0]);
    for (size_t s = 0; s < SORT_SIZES; s++)
        for (size_t k = 0; k < SORT_KEYS; k++)
            for (size_t i = 0; i < SORT_LISTS; i++)
                add(
                    (sort_point){
                        .kind = SORT_RECORDS, .n = sort_lists[i], .record = sort_sizes[s], .key = sort_key_bytes[k]},
                    sort_lists[0]);
    *count = all.count;
    return all.row;
}
