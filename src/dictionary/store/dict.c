/* A dictionary in a file: opening and closing it, and which way queries go – for few keys by the pages on their way (search.c),
 * else by ww_lsm's own loops over all levels, once every page has been checked. */
#include "device/array.h"
#include "device/call.h"
#include "device/options.h"
#include "device/paper.h"
#include "dictionary/store/store.h"
#include "function/function.h"

typedef unsigned long long ull;

/* ---- opening and closing ---- */

static ww_status open_dict(ww_device *device, const char *path, const ww_type *value, bool writes, ww_dict **dict) {
    WW_TRY(ww__not_on_paper(device));
    WW_CHECK(device, dict, WW_INVALID, "dict is NULL");
    WW_CHECK(device, !device->gpu, WW_UNSUPPORTED,
             "a dictionary in a file is a CPU's; ww_lsm_load brings it into a GPU's memory");
    return ww__store_open(device, path, value, writes, dict);
}

ww_status ww_dict_open(ww_device *device, const char *path, const ww_type *value, bool writes, ww_dict **dict) {
    if (dict) *dict = NULL;
    const ww_status status = ww__enter(device, "ww_dict_open");
    return status ? status : ww__leave(device, open_dict(device, path, value, writes, dict));
}

void ww_dict_close(ww_dict *dict) {
    if (dict) ww__store_close(dict);
}

/* ---- queries ---- */

static ww_status lookup(ww_dict *dict, const ww_input *keys, const ww_array *values, const ww_array *found) {
    WW_TRY(ww__not_on_paper(dict->device));
    WW_TRY(ww__lsm_lookup_checks(dict->lsm, keys, values, found));
    if (ww__store_few(dict, keys->count)) return ww__store_lookup(dict, keys, values, found);
    if (keys->count) WW_TRY(ww__store_need_all(dict));
    return ww__lsm_lookup(dict->lsm, keys, values, found);
}

ww_status ww_dict_lookup(ww_dict *dict, ww_input keys, ww_array values, ww_array found) {
    if (!dict) return WW_INVALID;
    WW_CALL(dict->device, "ww_dict_lookup", lookup(dict, &keys, &values, &found), WW_READS(&keys),
            WW_WRITES_WHERE(&values, &found), WW_WRITES(&found));
}

static void put_counts(const ww_array *counts, const uint64_t *sums) {
    for (uint64_t i = 0; i < counts->count; i++) {
        if (counts->size == sizeof *sums)
            ((uint64_t *)counts->data)[i] = sums[i];
        else
            ((uint32_t *)counts->data)[i] = (uint32_t)sums[i];
    }
}

static ww_status count(ww_dict *dict, const ww_input *lows, const ww_input *highs, const ww_array *counts) {
    WW_TRY(ww__not_on_paper(dict->device));
    WW_TRY(ww__lsm_count_checks(dict->lsm, lows, highs, counts));
    if (ww__store_few(dict, 2 * lows->count)) {
        uint64_t *sums;
        bool wide;
        WW_TRY(ww__scratch_array(dict->device, lows->count, sizeof *sums, &sums));
        WW_TRY(ww__store_count(dict, lows, highs, sums, &wide));
        if (!wide) put_counts(counts, sums);
        if (!wide) return WW_OK;
    }
    if (lows->count) WW_TRY(ww__store_need_all(dict));
    return ww__lsm_count(dict->lsm, lows, highs, counts);
}

ww_status ww_dict_count(ww_dict *dict, ww_input lows, ww_input highs, ww_array counts) {
    if (!dict) return WW_INVALID;
    WW_CALL(dict->device, "ww_dict_count", count(dict, &lows, &highs, &counts), WW_READS(&lows), WW_READS(&highs),
            WW_WRITES(&counts));
}

static ww_status range_of_few(ww_dict *dict, const ww_input *lows, const ww_input *highs, uint64_t *offsets,
                              const ww_array *keys_out, const ww_array *values_out, bool *wide) {
    const uint64_t n = lows->count;
    uint64_t sum = 0;
    WW_TRY(ww__store_count(dict, lows, highs, offsets, wide));
    if (*wide) return WW_OK;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t before = sum;
        sum += offsets[i];
        offsets[i] = before;
    }
    offsets[n] = sum;
    if (ww__is_none(keys_out)) return WW_OK;
    WW_TRY(ww__store_range(dict, lows, highs, offsets, keys_out, values_out));
    WW_CHECK_ROOM(dict->device, sum <= keys_out->count,
                  "there are %llu keys between the bounds, and keys_out has a capacity of %llu", (ull)sum,
                  (ull)keys_out->count);
    return WW_OK;
}

static ww_status range(ww_dict *dict, const ww_input *lows, const ww_input *highs, const ww_array *offsets,
                       const ww_array *keys_out, const ww_array *values_out) {
    WW_TRY(ww__not_on_paper(dict->device));
    WW_TRY(ww__lsm_range_checks(dict->lsm, lows, highs, offsets, keys_out, values_out));
    if (ww__store_few(dict, 2 * lows->count)) {
        bool wide = false;
        const ww_status status = range_of_few(dict, lows, highs, offsets->data, keys_out, values_out, &wide);
        if (status || !wide) return status;
    }
    if (lows->count) WW_TRY(ww__store_need_all(dict));
    return ww__lsm_range(dict->lsm, lows, highs, offsets, keys_out, values_out);
}

ww_status ww_dict_range(ww_dict *dict, ww_input lows, ww_input highs, ww_array offsets, ww_array keys_out,
                        ww_array values_out) {
    if (!dict) return WW_INVALID;
    WW_CALL(dict->device, "ww_dict_range", range(dict, &lows, &highs, &offsets, &keys_out, &values_out),
            WW_READS(&lows), WW_READS(&highs), WW_WRITES(&offsets), WW_WRITES_SOME(&keys_out),
            WW_WRITES_SOME(&values_out));
}

static ww_status list(ww_dict *dict, uint64_t first, const ww_array *keys_out, const ww_array *values_out,
                      uint64_t *listed) {
    ww_device *const device = dict->device;
    const ww_lsm *const lsm = dict->lsm;
    WW_TRY(ww__not_on_paper(device));
    WW_CHECK(device, listed, WW_INVALID, "listed is NULL");
    *listed = 0;
    WW_TRY(ww__check_array(device, "keys_out", keys_out));
    WW_TRY(ww__check_same_type(device, "keys_out", keys_out->type, keys_out->size, "the dictionary", lsm->key,
                               lsm->key_size));
    WW_CHECK(device, keys_out->count >= WW_DICT_LISTED_LEAST, WW_LIMIT,
             "keys_out has a capacity of %llu keys, and %d are the least", (ull)keys_out->count, WW_DICT_LISTED_LEAST);
    if (!ww__is_none(values_out)) {
        WW_CHECK(device, lsm->value, WW_INVALID, "values_out is given, and the dictionary has none");
        WW_TRY(ww__check_array(device, "values_out", values_out));
        WW_TRY(ww__check_same_type(device, "values_out", values_out->type, values_out->size, "the dictionary",
                                   lsm->value, lsm->value_size));
        WW_CHECK(device, values_out->count == keys_out->count, WW_INVALID,
                 "keys_out has %llu elements, values_out %llu", (ull)keys_out->count, (ull)values_out->count);
        WW_TRY(ww__check_outputs_apart(device, "keys_out", keys_out, "values_out", values_out));
    }
    if (lsm->key_size == sizeof(uint32_t) && first > UINT32_MAX) return WW_OK;
    return ww__store_list(dict, first, keys_out, values_out, listed);
}

ww_status ww_dict_list(ww_dict *dict, uint64_t first, ww_array keys_out, ww_array values_out, uint64_t *listed) {
    if (!dict) return WW_INVALID;
    WW_TRY(ww__enter(dict->device, "ww_dict_list"));
    return ww__leave(dict->device, list(dict, first, &keys_out, &values_out, listed));
}

/* ---- what it is like ---- */

static ww_status give_info(ww_dict *dict, ww_dict_info *info) {
    const ww_lsm *const lsm = dict->lsm;
    ww_dict_info i = WW_DICT_INFO;
    WW_CHECK(dict->device, info, WW_INVALID, "info is NULL");
    i.key = lsm->key;
    i.value = lsm->value;
    i.value_size = lsm->value_size;
    i.batch = lsm->batch;
    i.changes = dict->state.changes;
    i.levels = lsm->levels;
    i.file_bytes = dict->state.end;
    i.oldest = lsm->levels ? lsm->level[lsm->levels - 1].count : 0;
    for (size_t j = 0; j < lsm->levels; j++) {
        ww__store_parts parts = {0};
        ww__store_parts_of(&dict->header, lsm->level[j].count, lsm->level[j].dead, &parts);
        i.elements += lsm->level[j].count;
        i.live_bytes += parts.bytes;
    }
    return ww__give_struct(dict->device, &i, "WW_DICT_INFO", info, sizeof i);
}

ww_status ww_dict_info_get(ww_dict *dict, ww_dict_info *info) {
    if (!dict) return WW_INVALID;
    WW_TRY(ww__enter(dict->device, "ww_dict_info_get"));
    return ww__leave(dict->device, give_info(dict, info));
}

static ww_status check(ww_dict *dict) {
    WW_TRY(ww__not_on_paper(dict->device));
    WW_CHECK(dict->device, !dict->half, WW_FORMAT,
             "%.200s: one of its two states is damaged; nothing is lost, and opening it for writing rewrites it",
             dict->name);
    WW_TRY(ww__store_need_all(dict));
    return ww__lsm_check(dict->lsm);
}

ww_status ww_dict_check(ww_dict *dict) {
    if (!dict) return WW_INVALID;
    WW_TRY(ww__enter(dict->device, "ww_dict_check"));
    return ww__leave(dict->device, check(dict));
}
