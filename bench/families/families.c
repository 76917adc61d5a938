/* The list, and counting through it. */
#include "families/families.h"

const bench_family *const families[FAMILIES] = {
    &family_reduce,     &family_scan,      &family_map,    &family_pack,  &family_split,   &family_histogram,
    &family_multisplit, &family_sort,      &family_gather, &family_merge, &family_runs,    &family_text,
    &family_dictionary, &family_superstep, &family_graph,  &family_tree,  &family_grid,    &family_nbody,
    &family_small,      &family_steps,     &family_banked, &family_query, &family_arrange, &family_random,
    &family_inputs,
};

const bench_row *family_row(const bench_family *family, size_t i) {
    size_t more = 0;
    if (i < family->count) return &family->rows[i];
    if (!family->studies) return NULL;
    const bench_row *rows = family->studies(&more);
    return i - family->count < more ? &rows[i - family->count] : NULL;
}

size_t family_slot(size_t f) {
    size_t slot = 0;
    for (size_t k = 0; k < f; k++)
        for (size_t i = 0; family_row(families[k], i); i++) slot++;
    return slot;
}
