/* The ordered dictionary: opening and closing it, the checks of queries and the choice of the machine, and the index. */
#include "dictionary/lsm/lsm.h"

#include <string.h>

#include "device/call.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "device/paper.h"
#include "function/check.h"
#include "primitive/scan/scan.h"

typedef unsigned long long ull;

enum { BATCH = 4096 };
#define BATCH_MOST (UINT64_C(1) << 32)

/* ---- opening and closing ---- */

static ww_status check_types(ww_device *device, const ww_type *key, const ww_type *value, const ww_lsm_options *o,
                             ww_lsm *lsm) {
    WW_CHECK(device, key, WW_INVALID, "key is NULL");
    WW_CHECK(device, key->kind == WW_KIND_UNSIGNED && (key->size == 4 || key->size == 8), WW_TYPE,
             "keys are u32 or u64, and key is %s", key->label);
    lsm->key = key->size == 4 ? &ww_type_uint32_t : &ww_type_uint64_t;
    lsm->key_size = key->size;
    if (!value) {
        WW_CHECK(device, !o->value_size, WW_INVALID, "options.value_size is %zu, and there are no values",
                 o->value_size);
        return WW_OK;
    }
    WW_CHECK(device, value->kind != WW_KIND_VOID, WW_TYPE, "value is %s, which has no elements", value->label);
    const bool record = value->kind == WW_KIND_RECORD;
    WW_CHECK(device, record || !o->value_size || o->value_size == value->size, WW_INVALID,
             "values of type %s have %zu bytes, and options.value_size is %zu", value->label, value->size,
             o->value_size);
    lsm->value = value;
    lsm->value_size = record ? o->value_size : value->size;
    WW_CHECK(device, lsm->value_size, WW_INVALID, "values are records, and options.value_size is 0");
    WW_CHECK(device, lsm->value_size <= WW_LSM_VALUE_MOST, WW_LIMIT, "values have %zu bytes, and can have %d",
             lsm->value_size, WW_LSM_VALUE_MOST);
    return WW_OK;
}

ww_status ww__lsm_open(ww_device *device, const ww_type *key, const ww_type *value, ww_lsm **lsm,
                       const ww_lsm_options *options) {
    ww_lsm_options o;
    ww_lsm made = {.device = device};
    WW_CHECK(device, lsm, WW_INVALID, "lsm is NULL");
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__take_options(device, options, "WW_LSM_OPTIONS", &o, offsetof(ww_lsm_options, reserved)));
    WW_TRY(check_types(device, key, value, &o, &made));
    WW_CHECK(device, o.batch <= BATCH_MOST, WW_LIMIT, "options.batch is %llu, and can be %llu", (ull)o.batch,
             (ull)BATCH_MOST);
    made.batch = o.batch ? o.batch : BATCH;
    *lsm = ww__allocate(device, sizeof **lsm, 64);
    if (!*lsm) return ww__no_memory(device, sizeof **lsm);
    **lsm = made;
    return WW_OK;
}

ww_status ww_lsm_open(ww_device *device, const ww_type *key, const ww_type *value, ww_lsm **lsm,
                      const ww_lsm_options *options) {
    if (lsm) *lsm = NULL;
    const ww_status status = ww__enter(device, "ww_lsm_open");
    return status ? status : ww__leave(device, ww__lsm_open(device, key, value, lsm, options));
}

void ww__lsm_close(ww_lsm *lsm) {
    if (!lsm) return;
    while (lsm->levels) {
        ww__lsm_level_give(lsm, &lsm->level[--lsm->levels]);
        ww__lsm_spares_release(lsm);
    }
    ww__lsm_spares_release(lsm);
    ww__release(lsm->device, lsm, sizeof *lsm);
}

void ww_lsm_close(ww_lsm *lsm) {
    if (!lsm) return;
    ww_device *const device = lsm->device;
    ww__gpu_enter(device);
    ww__lsm_close(lsm);
    ww__gpu_leave(device);
}

/* ---- what it is like ---- */

static ww_status give_info(ww_lsm *lsm, ww_lsm_info *info) {
    ww_lsm_info i = WW_LSM_INFO;
    WW_CHECK(lsm->device, info, WW_INVALID, "info is NULL");
    i.levels = lsm->levels;
    for (size_t j = 0; j < lsm->levels; j++) {
        i.elements += lsm->level[j].count;
        i.level_bytes += lsm->level[j].block.bytes;
        i.index_bytes += lsm->level[j].index.bytes;
        i.needed_bytes += lsm->level[j].count * (lsm->key_size + lsm->value_size + (lsm->level[j].dead ? 1 : 0));
    }
    for (size_t s = 0; s < lsm->spares; s++) i.spare_bytes += lsm->spare[s].bytes;
    i.oldest = lsm->levels ? lsm->level[lsm->levels - 1].count : 0;
    i.bytes = i.level_bytes + i.index_bytes + i.spare_bytes;
    return ww__give_struct(lsm->device, &i, "WW_LSM_INFO", info, sizeof i);
}

ww_status ww_lsm_info_get(ww_lsm *lsm, ww_lsm_info *info) {
    if (!lsm) return WW_INVALID;
    WW_TRY(ww__enter(lsm->device, "ww_lsm_info_get"));
    return ww__leave(lsm->device, give_info(lsm, info));
}

void ww__lsm_runs_of(const ww_lsm *lsm, ww_lsm_runs *runs) {
    memset(runs, 0, sizeof *runs);
    runs->many = lsm->levels;
    for (size_t j = 0; j < lsm->levels; j++) {
        const ww__lsm_level *l = &lsm->level[j];
        runs->run[j] = (ww_lsm_run){l->keys, l->values, l->dead, l->before, l->bits, l->count};
    }
}

/* ---- the index ---- */

ww_status ww__lsm_sum(ww_device *device, uint64_t *sums, uint64_t count) {
    const ww_array out = ww_array(sums, count + 1);
    const ww_input in = ww_from(out);
    const ww__scanning s = {
        .op = ww__operator(&ww_add, &ww_type_uint64_t, sizeof *sums), .in = &in, .out = &out, .exclusive = true};
    if (device->gpu)
        WW_TRY(ww__gpu_fill(device, sums + count, 0, sizeof *sums)); /* nobody has written it */
    else if (!device->on_paper)
        sums[count] = 0;
    return ww__scan(device, &s);
}

static ww_status index_level(ww_lsm *lsm, size_t j) {
    ww__lsm_level *const level = &lsm->level[j];
    WW_CHECK(lsm->device, !lsm->device->gpu || !ww__gpu_capturing(lsm->device), WW_UNSUPPORTED,
             "the index is not made yet, which cannot be part of a graph; ww_lsm_size makes it");
    WW_TRY(ww__lsm_index_new(lsm, level->count, level));
    const ww_status weighed = lsm->device->gpu ? ww__lsm_weigh_gpu(lsm, j) : ww__lsm_weigh_cpu(lsm, j);
    const ww_status status = weighed ? weighed : ww__lsm_sum(lsm->device, level->before, level->count / WW__LSM_WORD);
    if (status || lsm->device->on_paper) ww__lsm_index_give(lsm, level);
    return status;
}

/* The oldest level counts each of its elements. */
ww_status ww__lsm_index(ww_lsm *lsm) {
    for (size_t j = 0; j + 1 < lsm->levels; j++)
        if (!lsm->level[j].before) WW_TRY(index_level(lsm, j));
    return WW_OK;
}

static ww_status size_of(ww_lsm *lsm, uint64_t *size) {
    uint64_t sum = 0;
    WW_CHECK(lsm->device, size, WW_INVALID, "size is NULL");
    WW_TRY(ww__lsm_index(lsm));
    if (lsm->device->on_paper) return WW_OK;
    for (size_t j = 0; j < lsm->levels; j++) {
        const ww__lsm_level *const l = &lsm->level[j];
        const uint64_t words = l->count / WW__LSM_WORD;
        uint64_t before = l->count;
        uint32_t bits[2] = {0, 0};
        if (l->before && lsm->device->gpu) {
            WW_TRY(ww__gpu_copy(lsm->device, &before, l->before + words, sizeof before));
            WW_TRY(ww__gpu_copy(lsm->device, bits, l->bits + 2 * words, sizeof bits));
        } else if (l->before) {
            before = l->before[words];
            memcpy(bits, l->bits + 2 * words, sizeof bits);
        }
        sum += before + (uint64_t)__builtin_popcount(bits[0]) - (uint64_t)__builtin_popcount(bits[1]);
    }
    *size = sum;
    return WW_OK;
}

ww_status ww_lsm_size(ww_lsm *lsm, uint64_t *size) {
    if (!lsm) return WW_INVALID;
    WW_TRY(ww__enter(lsm->device, "ww_lsm_size"));
    return ww__leave(lsm->device, size_of(lsm, size));
}

/* ---- checks of queries ---- */

static ww_status check_keys(ww_lsm *lsm, const char *name, const ww_input *keys) {
    WW_TRY(ww__check_input(lsm->device, name, keys));
    return ww__check_same_type(lsm->device, name, keys->type, keys->size, "the dictionary", lsm->key, lsm->key_size);
}

static ww_status check_apart(ww_lsm *lsm, const char *name, const ww_array *out, const ww_input *a, const char *a_name,
                             const ww_input *b, const char *b_name) {
    WW_TRY(ww__check_apart(lsm->device, a_name, a, name, out, WW__APART));
    return b ? ww__check_apart(lsm->device, b_name, b, name, out, WW__APART) : WW_OK;
}

/* An output that may be none, of a type of the dictionary's. */
static ww_status check_elements(ww_lsm *lsm, const char *name, const ww_array *out, const ww_type *type, size_t size) {
    if (ww__is_none(out)) return WW_OK;
    WW_CHECK(lsm->device, type, WW_INVALID, "%s is given, and the dictionary has no values", name);
    WW_TRY(ww__check_array(lsm->device, name, out));
    return ww__check_same_type(lsm->device, name, out->type, out->size, "the dictionary", type, size);
}

static ww_status check_found(ww_device *device, const ww_array *found) {
    if (ww__is_none(found)) return WW_OK;
    WW_TRY(ww__check_array(device, "found", found));
    WW_CHECK(device, found->type == &ww_type_uint8_t, WW_TYPE, "found is %s, and must be u8", found->type->label);
    return WW_OK;
}

static ww_status check_as_many(ww_device *device, const char *name, const ww_array *out, uint64_t count) {
    WW_CHECK(device, ww__is_none(out) || out->count == count, WW_INVALID,
             "%s has %llu elements, and there are %llu keys", name, (ull)out->count, (ull)count);
    return WW_OK;
}

/* Outputs of a query for each key, apart from one another and from the keys. */
static ww_status check_outputs(ww_lsm *lsm, const ww_input *keys, const ww_array *keys_out, const char *values_name,
                               const ww_array *values, const ww_array *found) {
    ww_device *const device = lsm->device;
    const ww_array *const outputs[] = {keys_out, values, found};
    const char *const names[] = {"keys_out", values_name, "found"};
    WW_TRY(check_elements(lsm, "keys_out", keys_out, lsm->key, lsm->key_size));
    WW_TRY(check_elements(lsm, values_name, values, lsm->value, lsm->value_size));
    WW_TRY(check_found(device, found));
    for (int o = 0; o < 3; o++) {
        if (ww__is_none(outputs[o])) continue;
        WW_TRY(check_as_many(device, names[o], outputs[o], keys->count));
        WW_TRY(ww__check_apart(device, "keys", keys, names[o], outputs[o], o ? WW__APART : WW__SAME_ALLOWED));
        for (int b = 0; b < o; b++)
            if (!ww__is_none(outputs[b]))
                WW_TRY(ww__check_outputs_apart(device, names[b], outputs[b], names[o], outputs[o]));
    }
    return WW_OK;
}

/* ---- look-ups ---- */

ww_status ww__lsm_lookup_checks(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found) {
    const ww_array none = ww_none;
    WW_TRY(check_keys(lsm, "keys", keys));
    return check_outputs(lsm, keys, &none, "values", values, found);
}

ww_status ww__lsm_lookup(ww_lsm *lsm, const ww_input *keys, const ww_array *values, const ww_array *found) {
    WW_TRY(ww__lsm_lookup_checks(lsm, keys, values, found));
    if (!keys->count) return WW_OK;
    return lsm->device->gpu ? ww__lsm_lookup_gpu(lsm, keys, values, found)
                            : ww__lsm_lookup_cpu(lsm, keys, values, found);
}

ww_status ww_lsm_lookup(ww_lsm *lsm, ww_input keys, ww_array values, ww_array found) {
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_lookup", ww__lsm_lookup(lsm, &keys, &values, &found), WW_READS(&keys),
            WW_WRITES_WHERE(&values, &found), WW_WRITES(&found));
}

/* ---- counts and ranges ---- */

static ww_status check_bounds(ww_lsm *lsm, const ww_input *lows, const ww_input *highs) {
    WW_TRY(check_keys(lsm, "lows", lows));
    WW_TRY(check_keys(lsm, "highs", highs));
    WW_CHECK(lsm->device, lows->count == highs->count, WW_INVALID, "lows has %llu elements, highs %llu",
             (ull)lows->count, (ull)highs->count);
    return WW_OK;
}

static ww_status count_run(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts) {
    WW_TRY(ww__lsm_index(lsm));
    return lsm->device->gpu ? ww__lsm_count_gpu(lsm, lows, highs, counts) : ww__lsm_count_cpu(lsm, lows, highs, counts);
}

ww_status ww__lsm_count_checks(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts) {
    uint64_t most = 0;
    for (size_t j = 0; j < lsm->levels; j++) most += lsm->level[j].count;
    WW_TRY(check_bounds(lsm, lows, highs));
    WW_TRY(ww__check_counts(lsm->device, "counts", counts, most));
    WW_CHECK(lsm->device, counts->count == lows->count, WW_INVALID, "lows has %llu elements, counts %llu",
             (ull)lows->count, (ull)counts->count);
    return check_apart(lsm, "counts", counts, lows, "lows", highs, "highs");
}

ww_status ww__lsm_count(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *counts) {
    WW_TRY(ww__lsm_count_checks(lsm, lows, highs, counts));
    return lows->count ? count_run(lsm, lows, highs, counts) : WW_OK;
}

ww_status ww_lsm_count(ww_lsm *lsm, ww_input lows, ww_input highs, ww_array counts) {
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_count", ww__lsm_count(lsm, &lows, &highs, &counts), WW_READS(&lows), WW_READS(&highs),
            WW_WRITES(&counts));
}

ww_status ww__lsm_range_checks(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *offsets,
                               const ww_array *keys_out, const ww_array *values_out) {
    ww_device *const device = lsm->device;
    WW_TRY(check_bounds(lsm, lows, highs));
    WW_TRY(ww__check_array(device, "offsets", offsets));
    WW_CHECK(device, offsets->type == &ww_type_uint64_t, WW_TYPE, "offsets is %s, and must be u64",
             offsets->type->label);
    WW_CHECK(device, offsets->count && offsets->count - 1 == lows->count, WW_INVALID,
             "lows has %llu elements, and offsets %llu, not one more", (ull)lows->count, (ull)offsets->count);
    WW_TRY(check_apart(lsm, "offsets", offsets, lows, "lows", highs, "highs"));
    WW_TRY(check_elements(lsm, "keys_out", keys_out, lsm->key, lsm->key_size));
    WW_TRY(check_elements(lsm, "values_out", values_out, lsm->value, lsm->value_size));
    WW_CHECK(device, ww__is_none(values_out) || (!ww__is_none(keys_out) && values_out->count == keys_out->count),
             WW_INVALID, "keys_out has %llu elements, values_out %llu", (ull)keys_out->count, (ull)values_out->count);
    if (!ww__is_none(keys_out)) {
        WW_TRY(check_apart(lsm, "keys_out", keys_out, lows, "lows", highs, "highs"));
        WW_TRY(ww__check_outputs_apart(device, "offsets", offsets, "keys_out", keys_out));
    }
    if (ww__is_none(values_out)) return WW_OK;
    WW_TRY(check_apart(lsm, "values_out", values_out, lows, "lows", highs, "highs"));
    WW_TRY(ww__check_outputs_apart(device, "offsets", offsets, "values_out", values_out));
    return ww__check_outputs_apart(device, "keys_out", keys_out, "values_out", values_out);
}

ww_status ww__lsm_range(ww_lsm *lsm, const ww_input *lows, const ww_input *highs, const ww_array *offsets,
                        const ww_array *keys_out, const ww_array *values_out) {
    ww_device *const device = lsm->device;
    WW_TRY(ww__lsm_range_checks(lsm, lows, highs, offsets, keys_out, values_out));
    if (!lows->count) return ww__put_count(device, offsets, 0);
    uint64_t *const sums = offsets->data;
    const ww_array counts = ww_array(sums, lows->count);
    const ww__lsm_ranging r = {lows, highs, sums, *keys_out, *values_out};
    if (device->gpu && keys_out->count && lsm->levels) {
        WW_TRY(ww__lsm_index(lsm));
        return ww__lsm_range_gpu(lsm, &r);
    }
    WW_TRY(count_run(lsm, lows, highs, &counts));
    WW_TRY(ww__lsm_sum(device, sums, lows->count));
    if (ww__is_none(keys_out) || device->gpu) return WW_OK;
    WW_TRY(ww__lsm_list_cpu(lsm, &r));
    if (device->on_paper) return WW_OK;
    WW_CHECK_ROOM(device, sums[lows->count] <= keys_out->count,
                  "there are %llu keys between the bounds, and keys_out has a capacity of %llu", (ull)sums[lows->count],
                  (ull)keys_out->count);
    return WW_OK;
}

ww_status ww_lsm_range(ww_lsm *lsm, ww_input lows, ww_input highs, ww_array offsets, ww_array keys_out,
                       ww_array values_out) {
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_range", ww__lsm_range(lsm, &lows, &highs, &offsets, &keys_out, &values_out),
            WW_READS(&lows), WW_READS(&highs), WW_WRITES(&offsets), WW_WRITES_SOME(&keys_out),
            WW_WRITES_SOME(&values_out));
}

/* ---- neighbours ---- */

/* Deletions can be passed by rank only. */
static ww_status next(ww_lsm *lsm, ww__lsm_stepping *s, const char *values_name) {
    bool dead = false;
    WW_TRY(check_keys(lsm, "keys", s->keys));
    WW_TRY(check_outputs(lsm, s->keys, &s->keys_out, values_name, &s->values_out, &s->found));
    if (!s->keys->count) return WW_OK;
    for (size_t j = 0; j < lsm->levels; j++) dead = dead || lsm->level[j].dead;
    if (dead) WW_TRY(ww__lsm_index(lsm));
    return lsm->device->gpu ? ww__lsm_next_gpu(lsm, s) : ww__lsm_next_cpu(lsm, s);
}

ww_status ww_lsm_predecessor(ww_lsm *lsm, ww_input keys, bool or_equal, ww_array keys_out, ww_array values_out,
                             ww_array found) {
    ww__lsm_stepping s = {&keys, false, or_equal, keys_out, values_out, found};
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_predecessor", next(lsm, &s, "values_out"), WW_READS(&keys),
            WW_WRITES_WHERE(&s.keys_out, &s.found), WW_WRITES_WHERE(&s.values_out, &s.found), WW_WRITES(&s.found));
}

ww_status ww_lsm_successor(ww_lsm *lsm, ww_input keys, bool or_equal, ww_array keys_out, ww_array values_out,
                           ww_array found) {
    ww__lsm_stepping s = {&keys, true, or_equal, keys_out, values_out, found};
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_successor", next(lsm, &s, "values_out"), WW_READS(&keys),
            WW_WRITES_WHERE(&s.keys_out, &s.found), WW_WRITES_WHERE(&s.values_out, &s.found), WW_WRITES(&s.found));
}

/* The key next to an end of all numbers, or that itself. */
static ww_status end_of(ww_lsm *lsm, bool above, const ww_array *key, const ww_array *value, const ww_array *found) {
    const uint64_t end = above ? 0 : UINT64_MAX;
    const ww_input keys = ww_constant(ww_value_of(&end, lsm->key), 1);
    ww__lsm_stepping s = {&keys, above, true, *key, *value, *found};
    return next(lsm, &s, "value");
}

ww_status ww_lsm_minimum(ww_lsm *lsm, ww_array key, ww_array value, ww_array found) {
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_minimum", end_of(lsm, true, &key, &value, &found), WW_WRITES_SOME(&key),
            WW_WRITES_SOME(&value), WW_WRITES(&found));
}

ww_status ww_lsm_maximum(ww_lsm *lsm, ww_array key, ww_array value, ww_array found) {
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_maximum", end_of(lsm, false, &key, &value, &found), WW_WRITES_SOME(&key),
            WW_WRITES_SOME(&value), WW_WRITES(&found));
}
