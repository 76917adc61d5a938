/* The points of all studies, each once. */
#include <stdlib.h>

#include "studies/sort_study.h"
#include "studies/split_study.h"

const size_t sort_lengths[SORT_LENGTHS] = {1 << 16, 1 << 20, 1 << 21, 1 << 22, 1 << 23,
                                           1 << 24, 1 << 25, 1 << 26, 1 << 27};
const uint32_t sort_widths[SORT_WIDTHS] = {32, 48, 64, 96, 128};
const uint32_t sort_values[SORT_VALUES] = {4, 12, 28, 60, 124};
const size_t sort_lists[SORT_LISTS] = {1 << 23, 1 << 24, 1 << 25, 3 << 24, 1 << 26};
const uint32_t sort_sizes[SORT_SIZES] = {32, 64, 128, 256};
const uint32_t sort_key_bytes[SORT_KEYS] = {4, 6, 8};

enum {
    POINTS = 2 * (SORT_LENGTHS + 1) + SORT_WIDTHS * SORT_LENGTHS + SORT_WIDTHS +
             SORT_GROUPS * (SORT_WIDTHS + SORT_VALUES) + SORT_SIZES * SORT_LISTS * SORT_KEYS,
    SCRATCH_BYTES = 40 /* of an element */
};

static struct {
    sort_point point[POINTS];
    bench_row row[POINTS];
    char name[POINTS][96];
    size_t count;
} all;

bool sort_same(const sort_point *a, const sort_point *b) {
    return a->kind == b->kind && a->n == b->n && a->bits == b->bits && a->value == b->value && a->record == b->record &&
           a->key == b->key;
}

static void name_point(const sort_point *p, char *name, size_t room) {
    char n[24], element[32] = "u32";
    split_count(p->n, n);
    if (p->bits != 32) snprintf(element, sizeof element, "%u bits", p->bits);
    if (p->value) snprintf(element, sizeof element, p->value == 4 ? "u32 + u32" : "u32 + %u bytes", p->value);
    switch (p->kind) {
    case SORT_METHODS:
    case SORT_ELEMENTS:
    case SORT_DIGITS:
        snprintf(name, room, "sort %s: %s, n = %s",
                 p->kind == SORT_METHODS  ? "methods"
                 : p->kind == SORT_DIGITS ? "digits"
                                          : "elements",
                 element, n);
        break;
    case SORT_WIDTH:
        snprintf(name, room, "sort numbers: %u bits, n = %s", p->bits, n);
        break;
    case SORT_RECORDS:
        snprintf(name, room, "sort records: %u bytes, key of %u, n = %s", p->record, p->key, n);
    }
}

static size_t element_of(const sort_point *p) {
    return p->record ? p->record : (p->bits > 64 ? 16 : p->bits > 32 ? 8 : 4) + p->value;
}

/* least: the smallest n of points that are otherwise the same. */
static void add(sort_point point, size_t least) {
    static const bench_row *const rows[] = {[SORT_METHODS] = &sort_methods_row,
                                            [SORT_ELEMENTS] = &sort_elements_row,
                                            [SORT_DIGITS] = &sort_digits_row,
                                            [SORT_WIDTH] = &sort_width_row,
                                            [SORT_RECORDS] = &sort_records_row};
    sort_point *p = &all.point[all.count];
    bench_row *row = &all.row[all.count];
    *p = point;
    name_point(p, all.name[all.count], sizeof all.name[0]);
    *row = *rows[p->kind];
    if (p->kind == SORT_METHODS) row->rival_count = sort_methods_for(p->n);
    if (p->kind == SORT_WIDTH && p->n > SORT_SPLITS_MOST) row->rival_count = 0;
    row->name = all.name[all.count++];
    row->point = p;
    row->items = p->n;
    row->least = least;
    row->element = element_of(p);
    row->parameter = row->element;
    row->bytes = 2.0 * (double)row->element;
    row->item_bytes = 3 * row->element + SCRATCH_BYTES;
}

static bool width_here(uint32_t bits) { return WW_HAS_U128 || bits <= 64; }

static void add_lengths(void) {
    for (uint32_t value = 0; value <= 4; value += 4) {
        for (size_t i = 0; i < SORT_LENGTHS; i++)
            add((sort_point){.kind = SORT_METHODS, .n = sort_lengths[i], .bits = 32, .value = value}, sort_lengths[0]);
        add((sort_point){.kind = SORT_DIGITS, .n = SORT_DIGITS_N, .bits = 32, .value = value}, SORT_DIGITS_N);
    }
    for (size_t b = 1; b < SORT_WIDTHS; b++)
        for (size_t i = 0; i < SORT_LENGTHS && width_here(sort_widths[b]); i++)
            add((sort_point){.kind = SORT_WIDTH, .n = sort_lengths[i], .bits = sort_widths[b]}, sort_lengths[0]);
}

static void add_elements(uint32_t bits, uint32_t value) {
    for (const sort_group *g = sort_groups; g < sort_groups + SORT_GROUPS; g++) {
        bench_row *row = &all.row[all.count];
        add((sort_point){.kind = SORT_ELEMENTS, .n = g->n, .bits = bits, .value = value}, g->n);
        row->rivals = sort_group_rivals(g);
        row->rival_count = g->count;
    }
}

static void add_widths(void) {
    for (size_t b = 0; b < SORT_WIDTHS && width_here(sort_widths[b]); b++) {
        add_elements(sort_widths[b], 0);
        add((sort_point){.kind = SORT_DIGITS, .n = SORT_ELEMENTS_N, .bits = sort_widths[b]}, SORT_ELEMENTS_N);
    }
    for (size_t v = 0; v < SORT_VALUES; v++) add_elements(32, sort_values[v]);
}

static void add_records(void) {
    for (size_t s = 0; s < SORT_SIZES; s++)
        for (size_t k = 0; k < SORT_KEYS; k++)
            for (size_t i = 0; i < SORT_LISTS; i++)
                add(
                    (sort_point){
                        .kind = SORT_RECORDS, .n = sort_lists[i], .record = sort_sizes[s], .key = sort_key_bytes[k]},
                    sort_lists[0]);
}

const bench_row *sort_studies(size_t *count) {
    if (!all.count) {
        add_lengths();
        add_widths();
        add_records();
    }
    *count = all.count;
    return all.row;
}
