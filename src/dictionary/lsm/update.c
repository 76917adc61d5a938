/* Updates of the ordered dictionary, on every device: a batch is sorted, merged with the newest levels, and takes their place.
 *
 * Which levels: from the newest on all that are less than twice as long as the batch with those before it, or shorter than a batch is to
 * be; so only the newest one can be that short. So what is left is at
 * least twice as long as the new level, and the elements of the last one that was merged are in a level half as long again as
 * before: an element of n is merged some log1.5 n times at most, and log2 n times where batches have one length. They are merged two
 * neighbours at a time, of which there are the fewest elements first. So, whatever their lengths are, all of these
 * merges move each element about twice: levels' lengths are powers, and what is long is merged last.
 *
 * Where the oldest level is among them, nothing is behind the new level that deletions could hide: it gets rid of what is hidden, and
 * of deletions. */
#include "device/call.h"
#include "device/gpu/gpu.h"
#include "dictionary/lsm/lsm.h"
#include "function/check.h"
#include "function/types.h"
#include "primitive/gather/gather.h"
#include "primitive/map/map.h"
#include "primitive/merge/merge.h"
#include "primitive/pack/pack.h"
#include "primitive/split/split.h"
#include "sort/sort.h"

typedef unsigned long long ull;

/* ---- one batch ---- */

typedef struct update {
    ww_input keys, values, deletes; /* values and deletes may be none */
    bool delete_all;
} update;

static ww_input marks_of(const ww__lsm_level *l) { return ww_memory((const uint8_t *)l->dead, l->count); }

static ww_status sort_batch(ww_lsm *lsm, const ww_input *keys, const ww_input *values, const ww__lsm_level *level,
                            ww_array values_out) {
    const ww__sorting s = {.keys = *keys,
                           .values = *values,
                           .keys_out = ww__lsm_keys(lsm, level),
                           .values_out = values_out,
                           .bit_count = (unsigned)(8 * lsm->key_size),
                           .by_value = true};
    return ww__sort(lsm->device, &s);
}

static ww_status place(ww_lsm *lsm, const ww__lsm_level *level, const ww__lsm_batch *batch) {
    return lsm->device->gpu ? ww__lsm_place_gpu(lsm, level, batch) : ww__lsm_place_cpu(lsm, level, batch);
}

/* Elements that are read at random. */
static ww_status in_memory(ww_device *device, const ww_input *input, const void **memory) {
    ww_array stored;
    if (!device->gpu) return ww__input_in_memory(device, input, memory);
    WW_TRY(ww__stored(device, input, &stored));
    *memory = stored.data;
    return WW_OK;
}

/* The positions of the batch, those of insertions before those of deletions: a stable sort then puts the one that counts last. */
static ww_status split_positions(ww_device *device, const ww_input *deletes, const ww_array *order) {
    const ww_input positions = ww_counting(order->type, 0, order->count);
    uint64_t *count;
    WW_TRY(ww__scratch(device, sizeof *count, &count));
    const ww_array one = ww_array(count, 1);
    return ww__split(device, &(ww__split_request){.in = &positions, .flags = deletes, .out = order, .zeros = &one});
}

static ww_status sort_mixed(ww_lsm *lsm, const update *u, ww__lsm_level *level) {
    ww_device *const device = lsm->device;
    const uint64_t n = u->keys.count;
    const ww_type *const type = ww__position_type(n);
    const void *keys, *values = NULL, *deletes;
    void *order_data, *sorted_data, *keys_data;
    WW_TRY(in_memory(device, &u->keys, &keys));
    if (lsm->value) WW_TRY(in_memory(device, &u->values, &values));
    WW_TRY(in_memory(device, &u->deletes, &deletes));
    WW_TRY(ww__scratch_array(device, n, type->size, &order_data));
    WW_TRY(ww__scratch_array(device, n, type->size, &sorted_data));
    WW_TRY(ww__scratch_array(device, n, lsm->key_size, &keys_data));
    const ww_array order = ww_array_of(order_data, n, type), sorted = ww_array_of(sorted_data, n, type),
                   gathered = ww_array_of(keys_data, n, lsm->key),
                   from = ww_array_of((void *)(uintptr_t)keys, n, lsm->key);
    const ww_input index = ww_from(order), flags = ww_memory((const uint8_t *)deletes, n), in = ww_from(gathered);
    WW_TRY(split_positions(device, &flags, &order));
    WW_TRY(ww__gather(device, &(ww__gather_request){&from, &index, &gathered}));
    WW_TRY(sort_batch(lsm, &in, &index, level, sorted));
    const ww__lsm_batch batch = {sorted.data, type->size == sizeof(uint64_t), deletes, values};
    return place(lsm, level, &batch);
}

/* The batch as a level, in which the first of equal keys is the one that counts. */
static ww_status sort_update(ww_lsm *lsm, const update *u, ww__lsm_level *level) {
    const ww_input none = ww_no_input;
    const ww__lsm_batch batch = {NULL, false, NULL, NULL};
    if (u->deletes.steps) return sort_mixed(lsm, u, level);
    if (u->delete_all) {
        static const uint8_t one = 1;
        WW_TRY(sort_batch(lsm, &u->keys, &none, level, ww_none));
        if (lsm->device->gpu) return ww__gpu_fill(lsm->device, level->dead, one, (size_t)level->count);
        if (!lsm->device->on_paper) __builtin_memset(level->dead, one, (size_t)level->count);
        return WW_OK;
    }
    level->dead = NULL;
    if (!lsm->value) return sort_batch(lsm, &u->keys, &none, level, ww_none);
    WW_TRY(sort_batch(lsm, &u->keys, &u->values, level, ww__lsm_values(lsm, level)));
    return place(lsm, level, &batch);
}

/* ---- merging ---- */

static ww_status merge_with(ww_lsm *lsm, const ww__lsm_level *a, const ww__lsm_level *b, const ww_input *a_values,
                            const ww_input *b_values, const ww__lsm_level *out, const ww_array *values_out) {
    const ww_function *const order = ww__order(&ww_ascending, lsm->key, lsm->key_size);
    const ww_input a_keys = ww_from(ww__lsm_keys(lsm, a)), b_keys = ww_from(ww__lsm_keys(lsm, b));
    const ww_array keys = ww__lsm_keys(lsm, out);
    return ww__merge(lsm->device, &(ww__merge_request){.order = order,
                                                       .a = &a_keys,
                                                       .b = &b_keys,
                                                       .a_values = a_values,
                                                       .b_values = b_values,
                                                       .out = &keys,
                                                       .values_out = values_out,
                                                       .is_sorted = true});
}

/* The marks of a level, which may have none. */
static ww_input marks_or_zeros(const ww__lsm_level *l) {
    return l->dead ? marks_of(l) : ww_constant(ww_value(uint8_t, 0), l->count);
}

/* Merges a, the newer one, and b; of equal keys a's come first. Marks are a second merge, of the same keys. */
static ww_status merge_levels(ww_lsm *lsm, const ww__lsm_level *a, const ww__lsm_level *b, ww__lsm_level *out) {
    const bool dead = a->dead || b->dead;
    const ww_input none = ww_no_input;
    const ww_array no_array = ww_none;
    if (lsm->value) {
        const ww_input a_values = ww_from(ww__lsm_values(lsm, a)), b_values = ww_from(ww__lsm_values(lsm, b));
        const ww_array values = ww__lsm_values(lsm, out);
        WW_TRY(merge_with(lsm, a, b, &a_values, &b_values, out, &values));
    } else if (!dead) {
        WW_TRY(merge_with(lsm, a, b, &none, &none, out, &no_array));
    }
    if (!dead) {
        out->dead = NULL;
        return WW_OK;
    }
    const ww_input a_marks = marks_or_zeros(a), b_marks = marks_or_zeros(b);
    const ww_array marks = ww_array(out->dead, out->count);
    return merge_with(lsm, a, b, &a_marks, &b_marks, out, &marks);
}

/* Merges `many` levels into one: the last time into a block of its own (`kept`), else into scratch memory. One level stays as it is. */
static ww_status merge_all(ww_lsm *lsm, ww__lsm_level *parts, size_t many, bool kept, ww__lsm_level *out) {
    while (many > 1) {
        size_t at = 0;
        ww__lsm_level merged;
        for (size_t k = 1; k + 1 < many; k++)
            if (parts[k].count + parts[k + 1].count < parts[at].count + parts[at + 1].count) at = k;
        const uint64_t count = parts[at].count + parts[at + 1].count;
        if (kept && many == 2)
            WW_TRY(ww__lsm_level_new(lsm, count, &merged));
        else
            WW_TRY(ww__lsm_level_scratch(lsm, count, &merged));
        const ww_status status = merge_levels(lsm, &parts[at], &parts[at + 1], &merged);
        if (status) {
            ww__lsm_level_give(lsm, &merged);
            return status;
        }
        parts[at] = merged;
        many--;
        for (size_t k = at + 1; k < many; k++) parts[k] = parts[k + 1];
    }
    *out = parts[0];
    return WW_OK;
}

/* ---- the oldest level ---- */

static ww_status pack(ww_device *device, const ww_array *from, const uint8_t *flags, const ww_array *out) {
    const ww_input in = ww_from(*from), by = ww_memory(flags, from->count);
    uint64_t *count, kept;
    WW_TRY(ww__scratch(device, sizeof *count, &count));
    const ww_array one = ww_array(count, 1);
    return ww__pack(device, &(ww__pack_request){.in = &in, .flags = &by, .out = out, .count = &one}, &kept);
}

/* What queries see of a level, by flags, to outputs that have room for it or for a part of it. values_out may be none. */
static ww_status pack_level(ww_lsm *lsm, const ww__lsm_level *from, const uint8_t *flags, const ww_array *keys_out,
                            const ww_array *values_out) {
    const ww_array keys = ww__lsm_keys(lsm, from);
    WW_TRY(pack(lsm->device, &keys, flags, keys_out));
    if (!lsm->value || ww__is_none(values_out)) return WW_OK;
    const ww_array values = ww__lsm_values(lsm, from);
    return pack(lsm->device, &values, flags, values_out);
}

static ww_status flag(ww_lsm *lsm, const ww__lsm_level *level, uint8_t **flags, uint64_t *kept) {
    WW_TRY(ww__scratch(lsm->device, (size_t)level->count, flags));
    return lsm->device->gpu ? ww__lsm_flag_gpu(lsm, level, *flags, kept) : ww__lsm_flag_cpu(lsm, level, *flags, kept);
}

/* The level without what is hidden in it and without deletions. It has a block of its own, or is given another one. */
static ww_status clean(ww_lsm *lsm, ww__lsm_level *level) {
    uint8_t *flags;
    uint64_t kept;
    ww__lsm_level packed;
    WW_TRY(flag(lsm, level, &flags, &kept));
    if (lsm->device->on_paper && level->count) kept = level->count - 1; /* so that it is packed */
    if (kept == level->count) {
        level->dead = NULL;
        return WW_OK;
    }
    WW_TRY(ww__lsm_level_new(lsm, kept, &packed));
    const ww_array keys = ww__lsm_keys(lsm, &packed), values = lsm->value ? ww__lsm_values(lsm, &packed) : ww_none;
    const ww_status status = kept ? pack_level(lsm, level, flags, &keys, &values) : WW_OK;
    if (status) {
        ww__lsm_level_give(lsm, &packed);
        return status;
    }
    packed.dead = NULL;
    ww__lsm_level_give(lsm, level);
    *level = packed;
    return WW_OK;
}

/* ---- taking their place ---- */

/* How many of the newest levels a batch is merged with. */
size_t ww__lsm_merged_with(const ww_lsm *lsm, uint64_t batch) {
    uint64_t sum = batch;
    size_t j = 0;
    for (; j < lsm->levels && (lsm->level[j].count / 2 < sum || lsm->level[j].count < lsm->batch); j++)
        sum += lsm->level[j].count;
    return j;
}

/* Puts `made`, if it has elements, in the place of the newest `many` levels. The others' weights are what they were: they depend on
 * older levels alone. */
static void take_place(ww_lsm *lsm, size_t many, const ww__lsm_level *made) {
    const size_t to = made->count ? 1 : 0;
    if (lsm->device->on_paper) return;
    for (size_t j = 0; j < many; j++) ww__lsm_level_give(lsm, &lsm->level[j]);
    if (many != to) {
        const size_t left = lsm->levels - many;
        __builtin_memmove(lsm->level + to, lsm->level + many, left * sizeof *lsm->level);
        lsm->levels = left + to;
    }
    if (to) {
        lsm->level[0] = *made;
    } else {
        ww__lsm_level empty = *made;
        ww__lsm_level_give(lsm, &empty);
    }
    ww__lsm_spares_limit(lsm);
}

/* A graph of the caller's would write to levels of now when it is run again. */
static ww_status check_not_captured(ww_lsm *lsm) {
    WW_CHECK(lsm->device, !lsm->device->gpu || !ww__gpu_capturing(lsm->device), WW_UNSUPPORTED,
             "levels are rebuilt, which cannot be part of a graph");
    return WW_OK;
}

/* Merges the newest `many` levels and, before them, the batch, where there is one. */
static ww_status renew(ww_lsm *lsm, const update *u, size_t many) {
    ww__lsm_level parts[WW__LSM_LEVELS + 1], made;
    const size_t batches = u ? 1 : 0;
    const bool alone = u && !many, oldest = many == lsm->levels;
    WW_TRY(check_not_captured(lsm));
    if (u) {
        const uint64_t n = u->keys.count;
        WW_TRY(alone ? ww__lsm_level_new(lsm, n, &parts[0]) : ww__lsm_level_scratch(lsm, n, &parts[0]));
        made = parts[0]; /* sorting leaves it where it is */
        const ww_status status = sort_update(lsm, u, &parts[0]);
        if (status) {
            if (alone) ww__lsm_level_give(lsm, &made);
            return status;
        }
    }
    for (size_t j = 0; j < many; j++) parts[batches + j] = lsm->level[j];
    WW_TRY(merge_all(lsm, parts, batches + many, true, &made));
    if (oldest) {
        const ww_status status = clean(lsm, &made);
        if (status) {
            ww__lsm_level_give(lsm, &made);
            return status;
        }
    }
    take_place(lsm, many, &made);
    return WW_OK;
}

/* ---- the calls ---- */

static ww_status check_update(ww_lsm *lsm, update *u) {
    ww_device *const device = lsm->device;
    WW_TRY(ww__check_input(device, "keys", &u->keys));
    WW_CHECK(device, ww__same_type(u->keys.type, u->keys.size, lsm->key, lsm->key_size), WW_TYPE,
             "keys has elements of type %s (%zu bytes), and the dictionary's keys are %s", u->keys.type->label,
             u->keys.size, lsm->key->label);
    if (u->deletes.steps) WW_TRY(ww__check_flags(device, "deletes", &u->deletes, u->keys.count));
    if (u->delete_all) return WW_OK;
    if (!lsm->value) {
        WW_CHECK(device, !u->values.steps && !u->values.problem, WW_INVALID,
                 "values is given, and the dictionary has none");
        return WW_OK;
    }
    WW_TRY(ww__check_input(device, "values", &u->values));
    WW_CHECK(device, ww__same_type(u->values.type, u->values.size, lsm->value, lsm->value_size), WW_TYPE,
             "values has elements of type %s (%zu bytes), and the dictionary's are %s (%zu bytes)",
             u->values.type->label, u->values.size, lsm->value->label, lsm->value_size);
    WW_CHECK(device, u->values.count == u->keys.count, WW_INVALID, "keys has %llu elements, values %llu",
             (ull)u->keys.count, (ull)u->values.count);
    return WW_OK;
}

static ww_status run_update(ww_lsm *lsm, update *u) {
    WW_TRY(check_update(lsm, u));
    if (!u->keys.count) return WW_OK;
    return renew(lsm, u, ww__lsm_merged_with(lsm, u->keys.count));
}

/* What was there is given back when the new level is whole. */
static ww_status run_build(ww_lsm *lsm, update *u) {
    ww__lsm_level made = {0};
    WW_TRY(check_update(lsm, u));
    WW_TRY(check_not_captured(lsm));
    if (u->keys.count) {
        WW_TRY(ww__lsm_level_new(lsm, u->keys.count, &made));
        ww__lsm_level sorted = made;
        ww_status status = sort_update(lsm, u, &sorted);
        if (!status) {
            made = sorted;
            status = clean(lsm, &made);
        }
        if (status) {
            ww__lsm_level_give(lsm, &made);
            return status;
        }
    }
    take_place(lsm, lsm->levels, &made);
    return WW_OK;
}

ww_status ww_lsm_insert(ww_lsm *lsm, ww_input keys, ww_input values) {
    update u = {keys, values, ww_no_input, false};
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_insert", run_update(lsm, &u), WW_READS(&u.keys), WW_READS(&u.values));
}

ww_status ww_lsm_delete(ww_lsm *lsm, ww_input keys) {
    update u = {keys, ww_no_input, ww_no_input, true};
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_delete", run_update(lsm, &u), WW_READS(&u.keys));
}

/* Flags are wanted here: without them it were an insertion. */
static ww_status run_mixed(ww_lsm *lsm, update *u) {
    WW_TRY(ww__check_input(lsm->device, "deletes", &u->deletes));
    return run_update(lsm, u);
}

ww_status ww_lsm_update(ww_lsm *lsm, ww_input keys, ww_input values, ww_input deletes) {
    update u = {keys, values, deletes, false};
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_update", run_mixed(lsm, &u), WW_READS(&u.keys), WW_READS(&u.values),
            WW_READS(&u.deletes));
}

ww_status ww_lsm_build(ww_lsm *lsm, ww_input keys, ww_input values) {
    update u = {keys, values, ww_no_input, false};
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_build", run_build(lsm, &u), WW_READS(&u.keys), WW_READS(&u.values));
}

ww_status ww__lsm_cleanup(ww_lsm *lsm) {
    if (lsm->levels > 1) WW_TRY(renew(lsm, NULL, lsm->levels));
    if (!lsm->device->on_paper) ww__lsm_spares_release(lsm);
    return WW_OK;
}

ww_status ww_lsm_cleanup(ww_lsm *lsm) {
    if (!lsm) return WW_INVALID;
    WW_TRY(ww__enter(lsm->device, "ww_lsm_cleanup"));
    return ww__leave(lsm->device, ww__lsm_cleanup(lsm));
}

ww_status ww__lsm_update(ww_lsm *lsm, const ww_input *keys, const ww_input *values, const ww_input *deletes,
                         bool delete_all) {
    update u = {*keys, *values, deletes ? *deletes : ww_no_input, delete_all};
    return deletes ? run_mixed(lsm, &u) : run_update(lsm, &u);
}

/* ---- all entries ---- */

static ww_status check_entries(ww_lsm *lsm, const ww_array *keys_out, const ww_array *values_out,
                               const ww_array *count) {
    ww_device *const device = lsm->device;
    uint64_t most = 0;
    for (size_t j = 0; j < lsm->levels; j++) most += lsm->level[j].count;
    WW_TRY(ww__check_array(device, "keys_out", keys_out));
    WW_TRY(ww__check_same_type(device, "keys_out", keys_out->type, keys_out->size, "the dictionary", lsm->key,
                               lsm->key_size));
    WW_TRY(ww__check_one(device, "count", count));
    WW_TRY(ww__check_counts(device, "count", count, most));
    WW_TRY(ww__check_outputs_apart(device, "keys_out", keys_out, "count", count));
    if (ww__is_none(values_out)) return WW_OK;
    WW_CHECK(device, lsm->value, WW_INVALID, "values_out is given, and the dictionary has none");
    WW_TRY(ww__check_array(device, "values_out", values_out));
    WW_TRY(ww__check_same_type(device, "values_out", values_out->type, values_out->size, "the dictionary", lsm->value,
                               lsm->value_size));
    WW_CHECK(device, values_out->count == keys_out->count, WW_INVALID, "keys_out has %llu elements, values_out %llu",
             (ull)keys_out->count, (ull)values_out->count);
    WW_TRY(ww__check_outputs_apart(device, "keys_out", keys_out, "values_out", values_out));
    return ww__check_outputs_apart(device, "values_out", values_out, "count", count);
}

static ww_status copy_first(ww_device *device, const ww_array *from, const ww_array *to) {
    const size_t bytes = (size_t)ww__min_u64(from->count, to->count) * from->size;
    if (!bytes) return WW_OK;
    if (device->gpu) return ww__gpu_copy(device, to->data, from->data, bytes);
    ww__copy_by_threads(device, to->data, from->data, bytes);
    return WW_OK;
}

static ww_status copy_oldest(ww_lsm *lsm, const ww_array *keys_out, const ww_array *values_out) {
    const ww_array keys = ww__lsm_keys(lsm, &lsm->level[0]);
    WW_TRY(copy_first(lsm->device, &keys, keys_out));
    if (ww__is_none(values_out)) return WW_OK;
    const ww_array values = ww__lsm_values(lsm, &lsm->level[0]);
    return copy_first(lsm->device, &values, values_out);
}

/* An output of the caller's as long as what is written to it: packing takes no more room than there is. */
static ww_status pack_all(ww_lsm *lsm, const ww_array *keys_out, const ww_array *values_out, uint64_t *kept) {
    ww__lsm_level parts[WW__LSM_LEVELS], all;
    uint8_t *flags;
    for (size_t j = 0; j < lsm->levels; j++) parts[j] = lsm->level[j];
    WW_TRY(merge_all(lsm, parts, lsm->levels, false, &all));
    WW_TRY(flag(lsm, &all, &flags, kept));
    return pack_level(lsm, &all, flags, keys_out, values_out);
}

static ww_status entries(ww_lsm *lsm, const ww_array *keys_out, const ww_array *values_out, const ww_array *count) {
    ww_device *const device = lsm->device;
    uint64_t kept = lsm->levels ? lsm->level[0].count : 0;
    WW_TRY(check_entries(lsm, keys_out, values_out, count));
    WW_TRY(ww__stage_due(device));
    if (lsm->levels > 1)
        WW_TRY(pack_all(lsm, keys_out, values_out, &kept));
    else if (lsm->levels)
        WW_TRY(copy_oldest(lsm, keys_out, values_out));
    if (device->on_paper) return WW_OK;
    WW_TRY(ww__put_count(device, count, kept));
    WW_CHECK_ROOM(device, kept <= keys_out->count, "there are %llu keys, and keys_out has a capacity of %llu",
                  (ull)kept, (ull)keys_out->count);
    return WW_OK;
}

ww_status ww_lsm_entries(ww_lsm *lsm, ww_array keys_out, ww_array values_out, ww_array count) {
    if (!lsm) return WW_INVALID;
    WW_CALL(lsm->device, "ww_lsm_entries", entries(lsm, &keys_out, &values_out, &count),
            WW_WRITES_FIRST(&keys_out, &count), WW_WRITES_FIRST(&values_out, &count));
}
