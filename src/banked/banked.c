/* The public functions: checks, the matrix filled, the run, and the results taken out of it. */
#include "warpwise/banked.h"

#include <inttypes.h>
#include <string.h>

#include "call.h"
#include "device/array.h"
#include "device/call.h"
#include "device/options.h"
#include "network.h"
#include "permute.h"

enum { LEAST_COUNTERS = 16 };

/* ---- the matrix ---- */

static uint64_t *word_of(const ww__banked_call *c, uint64_t area, uint64_t k) {
    return ww__machine_word(&c->run.machine, (uint32_t)(k / c->columns), area + k % c->columns);
}

/* More columns may take fewer steps: blocks of rows want a multiple of theirs. */
static ww__plan best_columns(ww__banked_call *c, ww__how how) {
    const uint64_t least = c->columns, banks = c->banks;
    ww__plan best = ww__sort_plan(&c->run, banks, least, how);
    for (uint64_t d = 1; d <= banks; d++) {
        if (banks % d) continue;
        uint64_t columns = ww__max_u64(least, how == WW__HOW_WIDE ? banks * banks : how == WW__HOW_SQUARE ? banks : 1);
        columns = (columns + d - 1) / d * d;
        if (columns > 2 * least || columns == c->columns) continue;
        const ww__plan plan = ww__sort_plan(&c->run, banks, columns, how);
        if (plan.steps >= best.steps) continue;
        best = plan;
        c->columns = columns;
    }
    return best;
}

static uint32_t bits_of(uint64_t x) {
    uint32_t bits = 0;
    for (; x; x /= 2) bits++;
    return bits;
}

/* A run that sorts the matrix by its words' labels, of `labels` values, or by all of the words (0). */
static ww_status new_sort(ww__banked_call *c, ww__how how, uint64_t labels, const char *wants) {
    const uint64_t counted = ww__max_u64(LEAST_COUNTERS, c->columns);
    memset(&c->run, 0, sizeof c->run);
    c->run.key_bits = labels ? bits_of(labels) : 0;
    c->run.counted = counted;
    const ww__plan plan = best_columns(c, how);
    WW_CHECK(c->device, plan.steps < UINT64_MAX, WW_INVALID, "%s; here are %" PRIu32 " banks of %" PRIu64 " columns",
             wants, c->banks, c->columns);
    WW_TRY(ww__run_new(&c->run, c->device, c->banks, plan.room, 2, labels ? counted : 0));
    c->run.key_bits = labels ? bits_of(labels) : 0;
    c->run.counted = counted;
    c->run.key_first = WW__ITEM_BITS;
    c->method = ww__banked_method_of(plan.how);
    return WW_OK;
}

static ww_status sort_all(ww__banked_call *c, ww__how how) {
    ww__rows all;
    WW_TRY(ww__rows_all(&c->run, c->columns, &all));
    WW_TRY(ww__sort_matrices(&c->run, &all, how));
    return ww__machine_check(c->device, &c->run.machine);
}

static ww_status end(const ww__banked_call *c, ww_banked_result *result) {
    const ww__machine *m = &c->run.machine;
    ww_banked_result r = WW_BANKED_RESULT;
    if (!result) return WW_OK;
    r.steps = ww__machine_steps(m);
    r.conflicts = m->conflicts;
    r.bound = ww__banked_bound(c->problem, c->method, c->banks, c->columns);
    r.work = r.steps * c->banks;
    r.accesses = m->accesses;
    r.columns = c->columns;
    r.method = c->method;
    return ww__give_struct(c->device, &r, "WW_BANKED_RESULT", result, sizeof r);
}

/* The numbers of the items that stand in the area now, in row-major order. */
static ww_status order_of(const ww__banked_call *c, uint64_t area, uint32_t **item) {
    const uint64_t columns = c->count / c->banks;
    WW_TRY(ww__scratch_array(c->device, c->count, sizeof **item, item));
    for (uint64_t k = 0; k < c->count; k++)
        (*item)[k] = (uint32_t)*ww__machine_word(&c->run.machine, (uint32_t)(k / columns), area + k % columns);
    return WW_OK;
}

static ww_status copy_of(const ww__banked_call *c, const ww_array *array, unsigned char **copy) {
    WW_TRY(ww__scratch_array(c->device, array->count, array->size, copy));
    memcpy(*copy, array->data, (size_t)array->count * array->size);
    return WW_OK;
}

static void reorder(const ww_array *array, const unsigned char *copy, const uint32_t *item) {
    for (uint64_t k = 0; k < array->count; k++)
        memcpy((unsigned char *)array->data + k * array->size, copy + item[k] * array->size, array->size);
}

/* ---- sort ---- */

static ww_status sort_by_network(ww__banked_call *c, const ww_array *keys, ww_banked_result *result) {
    const ww__network network = c->method == WW_BANKED_ODDEVEN ? WW__NETWORK_ODDEVEN : WW__NETWORK_BITONIC;
    ww__machine *m = &c->run.machine;
    uint64_t words = 1, *kept;
    while (words < c->count) words *= 2;
    c->columns = (words + c->banks - 1) / c->banks;
    memset(&c->run, 0, sizeof c->run);
    WW_TRY(ww__machine_new(c->device, c->banks, c->columns, m));
    WW_TRY(ww__scratch_array(c->device, c->banks, 2 * sizeof *kept, &kept));
    for (uint64_t k = 0; k < words; k++)
        *ww__machine_word(m, (uint32_t)(k % c->banks), k / c->banks) = k < c->count ? ww__number(keys, k) : UINT64_MAX;
    ww__network_sort(m, network, words, kept);
    WW_TRY(ww__machine_check(c->device, m));
    WW_TRY(end(c, result));
    for (uint64_t k = 0; k < c->count; k++)
        ww__set_number(keys, k, *ww__machine_word(m, (uint32_t)(k % c->banks), k / c->banks));
    return WW_OK;
}

static ww_status sort(ww_device *device, const ww_array *keys, uint64_t banks, const ww_banked_options *options,
                      ww_banked_result *result) {
    ww__banked_call c = {.device = device, .problem = WW__PROBLEM_SORT};
    WW_TRY(ww__banked_begin(&c, "keys", keys, banks, false, options));
    if (c.method == WW_BANKED_ODDEVEN || c.method == WW_BANKED_BITONIC) return sort_by_network(&c, keys, result);
    const ww__banked_way *way = ww__banked_way_of(c.method);
    WW_TRY(new_sort(&c, way->how, 0, way->wants));
    for (uint64_t k = 0; k < c.banks * c.columns; k++)
        *word_of(&c, c.run.at, k) = k < c.count ? ww__number(keys, k) : UINT64_MAX;
    WW_TRY(sort_all(&c, way->how));
    WW_TRY(end(&c, result));
    for (uint64_t k = 0; k < c.count; k++) ww__set_number(keys, k, *word_of(&c, c.run.at, k));
    return WW_OK;
}

/* ---- partition ---- */

/* Each row gets items of its own label in the columns that were added, which then end in that row again; they are left out. */
static void pad_rows(ww__banked_call *c, bool add) {
    ww__machine *m = &c->run.machine;
    const uint64_t real = c->count / c->banks;
    if (real == c->columns) return;
    for (uint32_t q = 0; q < c->banks; q++) {
        ww__own own = ww__own_begin(m, q);
        uint64_t kept = 0;
        for (uint64_t k = real; add && k < c->columns; k++)
            ww__own_write(&own, c->run.at + k, (uint64_t)q << WW__ITEM_BITS | UINT32_MAX);
        for (uint64_t k = 0; !add && k < c->columns; k++) {
            const uint64_t word = ww__own_read(&own, c->run.at + k);
            if ((uint32_t)word != UINT32_MAX) ww__own_write(&own, c->run.at + kept++, word);
        }
        ww__own_end(&own);
    }
    ww__alone_end(m);
}

static ww_status partition(ww_device *device, const ww_array *labels, const ww_array *values, uint64_t banks,
                           const ww_banked_options *options, ww_banked_result *result) {
    ww__banked_call c = {.device = device, .problem = WW__PROBLEM_PARTITION};
    const bool with = !ww__is_none(values);
    uint32_t *item;
    unsigned char *copy = NULL;
    WW_TRY(ww__banked_begin(&c, "labels", labels, banks, true, options));
    if (with) WW_TRY(ww__banked_check_values(&c, "labels", labels, values));
    WW_TRY(ww__banked_check_labels(&c, labels));
    const ww__banked_way *way = ww__banked_way_of(c.method);
    WW_TRY(new_sort(&c, way->how, c.banks, way->wants));
    const uint64_t real = c.count / c.banks;
    for (uint64_t k = 0; k < c.count; k++)
        *ww__machine_word(&c.run.machine, (uint32_t)(k / real),
                          c.run.at + k % real) = ww__number(labels, k) << WW__ITEM_BITS | k;
    pad_rows(&c, true);
    WW_TRY(sort_all(&c, way->how));
    pad_rows(&c, false);
    WW_TRY(ww__machine_check(device, &c.run.machine));
    WW_TRY(order_of(&c, c.run.at, &item));
    if (with) WW_TRY(copy_of(&c, values, &copy));
    WW_TRY(end(&c, result));
    for (uint64_t k = 0; k < c.count; k++)
        ww__set_number(labels, k,
                       *ww__machine_word(&c.run.machine, (uint32_t)(k / real), c.run.at + k % real) >> WW__ITEM_BITS);
    if (with) reorder(values, copy, item);
    return WW_OK;
}

/* ---- permute ---- */

static ww_status new_permutation(ww__banked_call *c, ww__permutation *p) {
    const uint64_t counted = ww__max_u64(LEAST_COUNTERS, c->columns + 1);
    memset(&c->run, 0, sizeof c->run);
    c->run.key_bits = bits_of(c->count);
    c->run.counted = counted;
    /* The last labels' matrix is never wider, and what it takes grows with its width. */
    const ww__plan plan = ww__sort_plan(&c->run, c->banks, ww__max_u64(1, c->columns / 64), WW__HOW_AUTO);
    const uint64_t room = ww__max_u64(c->columns, plan.room);
    WW_TRY(ww__run_new(&c->run, c->device, c->banks, room, WW__PERMUTE_AREAS, counted + 1));
    c->run.key_bits = bits_of(c->count);
    c->run.key_first = WW__ITEM_BITS;
    c->run.counted = counted;
    *p = (ww__permutation){.run = &c->run,
                           .width = c->columns,
                           .arrived = 2 * room,
                           .mail = c->run.counters + counted,
                           .random = ww__mixed(c->options.seed + 0x9e3779b97f4a7c15u)};
    WW_TRY(ww__rows_all(&c->run, c->columns, &p->rows));
    return ww__scratch_array(c->device, c->banks, sizeof *p->left, &p->left);
}

static void fill_labels(const ww__banked_call *c, const ww_array *index) {
    const uint64_t real = c->count / c->banks;
    for (uint64_t k = 0; k < c->count; k++)
        *ww__machine_word(&c->run.machine, (uint32_t)(k / real),
                          c->run.at + k % real) = ww__number(index, k) << WW__ITEM_BITS | k;
}

/* Each place is the label of one item: sorted, item k stands at place k, also in a matrix that was filled up. */
static ww_status permute_by_sorting(ww__banked_call *c, const ww_array *index, uint64_t *arrived) {
    WW_TRY(new_sort(c, WW__HOW_AUTO, c->count, ""));
    for (uint64_t k = 0; k < c->banks * c->columns; k++) *word_of(c, c->run.at, k) = UINT64_MAX;
    for (uint64_t k = 0; k < c->count; k++) *word_of(c, c->run.at, k) = ww__number(index, k) << WW__ITEM_BITS | k;
    WW_TRY(sort_all(c, WW__HOW_AUTO));
    *arrived = c->run.at;
    c->method = WW_BANKED_SORTING;
    return WW_OK;
}

static ww_status permute(ww_device *device, const ww_array *index, const ww_array *values, uint64_t banks,
                         const ww_banked_options *options, ww_banked_result *result) {
    ww__banked_call c = {.device = device, .problem = WW__PROBLEM_PERMUTE};
    ww__permutation p;
    uint64_t arrived;
    uint32_t *item;
    unsigned char *copy;
    WW_TRY(ww__banked_begin(&c, "index", index, banks, true, options));
    WW_TRY(ww__banked_check_values(&c, "index", index, values));
    WW_TRY(ww__banked_check_places(&c, index));
    if (c.method == WW_BANKED_AUTO) c.method = WW_BANKED_THEOREM4;
    if (c.method == WW_BANKED_SORTING) {
        WW_TRY(permute_by_sorting(&c, index, &arrived));
    } else {
        WW_TRY(new_permutation(&c, &p));
        fill_labels(&c, index);
        WW_TRY(c.method == WW_BANKED_OFFLINE ? ww__permute_offline(&p) : ww__permute_at_random(&p));
        arrived = p.arrived;
    }
    WW_TRY(ww__machine_check(device, &c.run.machine));
    WW_TRY(ww__scratch_array(device, c.count, sizeof *item, &item));
    for (uint64_t k = 0; k < c.count; k++) item[k] = (uint32_t)*word_of(&c, arrived, k);
    WW_TRY(copy_of(&c, values, &copy));
    WW_TRY(end(&c, result));
    reorder(values, copy, item);
    return WW_OK;
}

/* ---- convert ---- */

static ww_status convert(ww_device *device, const ww_array *values, uint64_t banks, bool to_columns,
                         ww_banked_result *result) {
    ww__banked_call c = {.device = device, .problem = WW__PROBLEM_CONVERT};
    uint32_t *item;
    unsigned char *copy;
    ww__rows all;
    WW_TRY(ww__banked_check_device(device));
    WW_TRY(ww__check_array(device, "values", values));
    c.count = values->count;
    WW_TRY(ww__banked_check_banks(&c, "values", banks, true));
    WW_TRY(ww__run_new(&c.run, device, c.banks, c.columns, 1, (c.columns + 63) / 64));
    WW_TRY(ww__rows_all(&c.run, c.columns, &all));
    for (uint64_t k = 0; k < c.count; k++) *word_of(&c, 0, k) = k;
    ww__convert_in_place(&c.run, &all, to_columns);
    WW_TRY(ww__machine_check(device, &c.run.machine));
    WW_TRY(order_of(&c, 0, &item));
    WW_TRY(copy_of(&c, values, &copy));
    WW_TRY(end(&c, result));
    reorder(values, copy, item);
    return WW_OK;
}

ww_status ww_banked_sort(ww_device *device, ww_array keys, uint64_t banks, const ww_banked_options *options,
                         ww_banked_result *result) {
    WW_CALL(device, "ww_banked_sort", sort(device, &keys, banks, options, result), WW_WRITES(&keys));
}

ww_status ww_banked_partition(ww_device *device, ww_array labels, ww_array values, uint64_t banks,
                              const ww_banked_options *options, ww_banked_result *result) {
    WW_CALL(device, "ww_banked_partition", partition(device, &labels, &values, banks, options, result),
            WW_WRITES(&labels), WW_WRITES(&values));
}

ww_status ww_banked_permute(ww_device *device, ww_array index, ww_array values, uint64_t banks,
                            const ww_banked_options *options, ww_banked_result *result) {
    WW_CALL(device, "ww_banked_permute", permute(device, &index, &values, banks, options, result), WW_WRITES(&index),
            WW_WRITES(&values));
}

ww_status ww_banked_convert(ww_device *device, ww_array values, uint64_t banks, bool to_columns,
                            ww_banked_result *result) {
    WW_CALL(device, "ww_banked_convert", convert(device, &values, banks, to_columns, result), WW_WRITES(&values));
}
