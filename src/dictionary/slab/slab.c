/* The public functions of slab hashes: checks, growing and tidying up before a batch, and the batch in parts. */
#include "dictionary/slab/slab.h"

#include <string.h>

#include "device/call.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "device/paper.h"
#include "function/check.h"
#include "function/function.h"

typedef unsigned long long ull;

enum {
    PERCENT = 60,
    PERCENT_LEAST = 10,
    PERCENT_MOST = 1000,
    SUPER_LOG_LEAST = 5,
    SUPER_LOG_MOST = 27,
    BUCKETS_LOG_MOST = 31,
    SUPER_SHARE = 8, /* buckets for each slab of the first super block */
    PART_LEAST = 1 << 16,
    PART_SHARE = 8, /* pairs for each operation of a part that may insert */
    TIDY_SHARE = 4  /* slots for each dead one before buckets are tidied up */
};

/* ---- opening ---- */

static bool is_number(const ww_type *type) { return type == &ww_type_uint32_t || type == &ww_type_uint64_t; }

static ww__slab_layout layout_of(const ww_slab *s) {
    const uint32_t key = (uint32_t)s->key_type->size, value = s->value_type ? (uint32_t)s->value_type->size : 0;
    if (!value) return (ww__slab_layout){key, 0, key == 4 ? 14 : 7, 64};
    if (key == 4 &&
        value == 4) /* the slab of Ashkiani (2017), which a warp reads at once; and half of it, a line of a cache */
        return s->device->gpu ? (ww__slab_layout){key, value, 15, 128} : (ww__slab_layout){key, value, 7, 64};
    return (ww__slab_layout){key, value, key == 8 && value == 8 ? 7 : 10, 128};
}

/* Buckets whose first slabs have so many pairs in `percent` of their slots. */
static uint64_t buckets_for(const ww_slab *s, uint64_t pairs) {
    const double slots = (double)s->layout.slots * s->percent / 100, buckets = (double)pairs / slots;
    const uint64_t most = (uint64_t)1 << BUCKETS_LOG_MOST;
    return buckets < (double)most ? (uint64_t)buckets + 1 : most;
}

static ww_status begin(ww_slab *s, uint64_t expected, const ww_slab_options *o) {
    ww__slab_table *const t = &s->table;
    s->layout = layout_of(s);
    s->percent = o->percent ? o->percent : PERCENT;
    s->fixed = o->fixed;
    s->memory_limit = o->memory_limit;
    t->seed = o->seed;
    t->base_count = o->buckets ? o->buckets : buckets_for(s, expected);
    t->super_log = ww__slab_log(t->base_count / SUPER_SHARE + 1);
    if (t->super_log < SUPER_LOG_LEAST) t->super_log = SUPER_LOG_LEAST;
    if (t->super_log > SUPER_LOG_MOST) t->super_log = SUPER_LOG_MOST;
    ww__slab_set_buckets(s, t->base_count);
    WW_TRY(ww__slab_add_segment(s));
    return ww__slab_add_super(s);
}

static ww_status open_slab(ww_device *device, const ww_type *key_type, const ww_type *value_type, uint64_t expected,
                           ww_slab **slab, const ww_slab_options *options) {
    ww_slab_options o;
    WW_CHECK(device, slab, WW_INVALID, "slab is NULL");
    *slab = NULL;
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__take_options(device, options, "WW_SLAB_OPTIONS", &o, sizeof o));
    WW_CHECK(device, key_type, WW_TYPE, "key_type is NULL");
    WW_CHECK(device, is_number(key_type), WW_TYPE, "keys are of type %s, not u32 or u64", key_type->label);
    WW_CHECK(device, !value_type || is_number(value_type), WW_TYPE, "values are of type %s, not u32 or u64",
             value_type->label);
    WW_CHECK(device, !o.percent || (o.percent >= PERCENT_LEAST && o.percent <= PERCENT_MOST), WW_INVALID,
             "options.percent is %u, not %d to %d", o.percent, PERCENT_LEAST, PERCENT_MOST);
    WW_CHECK(device, o.buckets <= (uint64_t)1 << BUCKETS_LOG_MOST, WW_LIMIT, "options.buckets is %llu, above 2^%d",
             (ull)o.buckets, BUCKETS_LOG_MOST);
    WW_CHECK(device, !o.reserved[0] && !o.reserved[1] && !o.reserved[2], WW_INVALID,
             "reserved bytes of options are set");
    ww_slab *const s = ww__allocate(device, sizeof *s, 64);
    if (!s) return ww__no_memory(device, sizeof *s);
    memset(s, 0, sizeof *s);
    s->device = device;
    s->key_type = key_type;
    s->value_type = value_type;
    const ww_status status = begin(s, expected, &o);
    if (status)
        ww__slab_release(s);
    else
        *slab = s;
    return status;
}

ww_status ww_slab_open(ww_device *device, const ww_type *key_type, const ww_type *value_type, uint64_t expected,
                       ww_slab **slab, const ww_slab_options *options) {
    const ww_status status = ww__enter(device, "ww_slab_open");
    if (status && slab) *slab = NULL;
    return status ? status : ww__leave(device, open_slab(device, key_type, value_type, expected, slab, options));
}

void ww_slab_close(ww_slab *slab) {
    if (!slab) return;
    ww__gpu_enter(slab->device);
    ww_device *const device = slab->device;
    ww__slab_release(slab);
    ww__gpu_leave(device);
}

/* ---- checks ---- */

static ww_status check_keys(const ww_slab *s, const ww_input *keys) {
    WW_TRY(ww__check_input(s->device, "keys", keys));
    WW_CHECK(s->device, keys->type == s->key_type, WW_TYPE, "keys is of type %s, the dictionary's keys of type %s",
             keys->type->label, s->key_type->label);
    return WW_OK;
}

static bool is_no_input(const ww_input *input) { return !input->type && !input->problem; }

static ww_status check_values_in(const ww_slab *s, const ww_input *keys, const ww_input *values) {
    ww_device *const device = s->device;
    if (!s->value_type) {
        WW_CHECK(device, is_no_input(values), WW_TYPE, "values is given, and the dictionary has none");
        return WW_OK;
    }
    WW_CHECK(device, !is_no_input(values), WW_INVALID, "values is missing: the dictionary has values of type %s",
             s->value_type->label);
    WW_TRY(ww__check_input(device, "values", values));
    WW_CHECK(device, values->type == s->value_type, WW_TYPE, "values is of type %s, the dictionary's values of type %s",
             values->type->label, s->value_type->label);
    WW_CHECK(device, values->count == keys->count, WW_INVALID, "values has %llu elements, keys %llu",
             (ull)values->count, (ull)keys->count);
    return WW_OK;
}

/* An output of one element for each key, of a type; or none. */
static ww_status check_out(const ww_slab *s, const char *name, const ww_input *keys, const ww_array *out,
                           const ww_type *type, ww__sharing sharing) {
    ww_device *const device = s->device;
    if (ww__is_none(out)) return WW_OK;
    WW_CHECK(device, type, WW_TYPE, "%s is given, and the dictionary has no values", name);
    WW_TRY(ww__check_array(device, name, out));
    WW_CHECK(device, out->type == type, WW_TYPE, "%s is of type %s, not %s", name, out->type->label, type->label);
    WW_CHECK(device, out->count == keys->count, WW_INVALID, "%s has %llu elements, keys %llu", name, (ull)out->count,
             (ull)keys->count);
    return ww__check_apart(device, "keys", keys, name, out, sharing);
}

static ww_status check_statuses(const ww_slab *s, const ww_input *keys, const ww_array *statuses) {
    return check_out(s, "statuses", keys, statuses, &ww_type_uint8_t, WW__APART);
}

/* ---- growing and tidying up ---- */

static ww_status rebuild(ww_slab *s, const ww__slab_rebuilding *r) {
    uint64_t dead = 0;
    switch (s->device->backend) {
    case WW__BACKEND_CPU:
        WW_TRY(ww__slab_rebuild_cpu(s, r, &dead));
        break;
    case WW__BACKEND_GPU:
        WW_TRY(ww__slab_rebuild_gpu(s, r, &dead));
        break;
    }
    s->dead -= dead;
    return WW_OK;
}

/* Adds the buckets that so many pairs want; fewer where there is no memory, for lists may be longer. In one step each bucket is
 * divided once at most. */
ww_status ww__slab_grow(ww_slab *s, uint64_t pairs) {
    const ww__slab_table *const t = &s->table;
    const uint64_t wanted = s->fixed ? 0 : buckets_for(s, pairs);
    while (t->buckets < wanted) {
        const uint32_t doublings = ww__slab_log(t->buckets / t->base_count);
        const uint64_t low = t->base_count << doublings, end = ww__min_u64(wanted, 2 * low);
        if (s->segments < doublings + 2 && ww__slab_add_segment(s)) break;
        const ww__slab_rebuilding r = {
            .first = t->buckets - low, .many = end - t->buckets, .divided = true, .apart = low, .bit = doublings};
        WW_TRY(rebuild(s, &r));
        ww__slab_set_buckets(s, end);
    }
    return WW_OK;
}

static ww_status drop_supers(ww_slab *s, bool spare) {
    uint64_t used[WW__SLAB_SUPERS];
    WW_TRY(ww__slab_used(s, used));
    ww__slab_drop_supers(s, used, spare);
    return WW_OK;
}

static ww_status merge(ww_slab *s, uint64_t many, bool *done) {
    switch (s->device->backend) {
    case WW__BACKEND_CPU:
        return ww__slab_merge_cpu(s, many, done);
    case WW__BACKEND_GPU:
        return ww__slab_merge_gpu(s, many, done);
    }
    return WW_UNSUPPORTED;
}

/* Takes buckets away until there are `wanted`, or as many as at the opening; `most` at most. Each goes to the one that it was divided
 * from. Where there is no slab for that it stays. */
static ww_status shrink_to(ww_slab *s, uint64_t wanted, uint64_t most) {
    const ww__slab_table *const t = &s->table;
    const uint64_t end = wanted > t->base_count ? wanted : t->base_count;
    const uint64_t at_once = s->device->gpu ? WW__SLAB_MERGED_GPU : WW__SLAB_MERGED_CPU;
    bool done = true;
    if (s->fixed) return WW_OK;
    while (t->buckets > end && most && done) {
        const uint64_t low = t->base_count << ww__slab_log((t->buckets - 1) / t->base_count);
        const uint64_t here = t->buckets - (end > low ? end : low);
        const uint64_t many = ww__min_u64(ww__min_u64(here, most), at_once);
        WW_TRY(merge(s, many, &done));
        most -= many;
        if (done && ww__slab_drop_segments(s)) WW_TRY(drop_supers(s, true));
    }
    return WW_OK;
}

/* Once there are many more buckets than `pairs` want: as many are taken away as there are operations, until there are twice as many. */
static ww_status shrink(ww_slab *s, uint64_t pairs, uint64_t operations) {
    const uint64_t wanted = buckets_for(s, pairs), begin = 4, end = 2;
    if (s->table.buckets / begin >= wanted) s->shrinks = true;
    if (s->table.buckets / end <= wanted) s->shrinks = s->cleared = false;
    return s->shrinks && !s->cleared ? shrink_to(s, end * wanted, operations) : WW_OK;
}

/* What that, and tidying up, take of scratch memory at most. */
static ww_status shrink_on_paper(ww_slab *s, uint64_t operations) {
    uint64_t used[WW__SLAB_SUPERS];
    bool done = true;
    if (!s->device->gpu) return WW_OK;
    if (!s->fixed) WW_TRY(ww__slab_merge_gpu(s, ww__min_u64(operations, WW__SLAB_MERGED_GPU), &done));
    return ww__slab_used(s, used);
}

/* Once many slots are dead: as many buckets as there are operations, going round; whole groups, where they share slabs. */
static ww_status tidy(ww_slab *s, uint64_t operations) {
    const uint64_t buckets = s->table.buckets, group = (uint64_t)1 << s->share_log;
    if (s->dead < buckets * s->layout.slots / TIDY_SHARE + 1) return WW_OK;
    for (uint64_t left = ww__min_u64(operations, buckets), many; left; left -= ww__min_u64(left, many)) {
        s->tidy = s->tidy < buckets ? s->tidy / group * group : 0;
        many = ww__min_u64(ww__round_up(left, group), buckets - s->tidy);
        const ww__slab_rebuilding r = {.first = s->tidy, .many = many};
        WW_TRY(rebuild(s, &r));
        s->tidy += many;
        if (s->tidy == buckets) WW_TRY(drop_supers(s, true));
    }
    return WW_OK;
}

/* No pairs, and all memory as it is. */
static ww_status clear(ww_slab *s) {
    const ww__slab_table *const t = &s->table;
    for (uint32_t k = 0; k < s->segments; k++)
        WW_TRY(ww__slab_clear(s, t->segment[k], ww__slab_segment_buckets(t, k) * s->layout.bytes));
    for (uint32_t k = 0; k < t->supers; k++) {
        const uint64_t slabs = ww__slab_super_slabs(t, k);
        WW_TRY(ww__slab_clear(s, t->super[k] + slabs * s->layout.bytes, slabs / 8));
    }
    s->pairs = s->dead = s->next_word = 0;
    s->share_log = 0;
    s->viewed = false;
    s->cleared = true;
    return WW_OK;
}

/* ---- batches ---- */

static ww_status run_part(ww_slab *s, const ww__slab_batch *b, ww__slab_outcome *all) {
    ww__slab_outcome o = {.fault = UINT64_MAX};
    ww_status status = WW_UNSUPPORTED;
    if (!b->count) return WW_OK;
    switch (s->device->backend) {
    case WW__BACKEND_CPU:
        status = ww__slab_batch_cpu(s, b, &o);
        break;
    case WW__BACKEND_GPU:
        status = ww__slab_batch_gpu(s, b, &o);
        break;
    }
    s->pairs += o.inserted - o.deleted;
    s->dead += o.deleted + o.given_up;
    all->full += o.full;
    all->fault = ww__min_u64(all->fault, o.fault);
    return status;
}

/* Operations of which it is not known how many insert: in parts, and before each the dictionary grows to what it has by then. */
static ww_status run_parts(ww_slab *s, ww__slab_batch *b, uint64_t count, ww__slab_outcome *all) {
    for (uint64_t done = 0; done < count; done += b->count) {
        const uint64_t left = count - done, share = s->pairs / PART_SHARE;
        const bool fit = s->fixed || buckets_for(s, s->pairs + left) <= s->table.buckets;
        b->first = done;
        b->count = fit ? left : ww__min_u64(left, share > PART_LEAST ? share : PART_LEAST);
        WW_TRY(ww__slab_grow(s, s->pairs));
        const ww__scratch_mark mark = ww__scratch_here(s->device);
        WW_TRY(run_part(s, b, all));
        ww__scratch_back(s->device, &mark);
    }
    return WW_OK;
}

static ww_status check_outcome(const ww_slab *s, const ww__slab_batch *b, const ww__slab_outcome *o) {
    ww_device *const device = s->device;
    if (o->full) {
        device->room_short = true; /* the outputs hold what has been done */
        return ww__fail(device, WW_MEMORY,
                        "out of memory: %llu of %llu operations found no memory, and changed nothing", (ull)o->full,
                        (ull)b->keys->count);
    }
    if (o->fault == UINT64_MAX) return WW_OK;
    if (b->kind == WW__SLAB_KIND_SEARCH_ALL)
        return ww__fail(device, WW_RANGE, "the offsets of key %llu do not give it as many places as it has pairs",
                        (ull)o->fault);
    return ww__fail(device, WW_RANGE, "operation %llu is none", (ull)o->fault);
}

/* On paper it is not known whether the pairs that are there have been deleted by kernels, and dead slots are tidied up
 * before. */
static bool is_empty(const ww_slab *s) { return s->device->on_paper ? !s->pairs || s->viewed : !s->pairs && !s->dead; }

static ww_status build_on(ww_slab *s, const ww__slab_batch *b, uint64_t buckets, bool *built, ww__slab_outcome *o) {
    switch (s->device->backend) {
    case WW__BACKEND_CPU:
        if (!ww__slab_may_build_cpu(s, b, buckets)) return WW_OK;
        WW_TRY(ww__slab_build_cpu(s, b, buckets, built, o));
        return *built || s->device->on_paper ? WW_OK : clear(s);
    case WW__BACKEND_GPU:
        if (!ww__slab_may_build_gpu(s, b, buckets)) return WW_OK;
        return ww__slab_build_gpu(s, b, buckets, built, o);
    }
    return WW_UNSUPPORTED;
}

/* All of a batch of insertions at once, where that is worth it and there is memory. */
static ww_status build(ww_slab *s, const ww__slab_batch *b, bool *built) {
    ww__slab_outcome o = {.fault = UINT64_MAX};
    *built = false;
    if (b->kind != WW__SLAB_KIND_INSERT || !is_empty(s)) return WW_OK;
    const uint64_t wanted = s->device->on_paper && !s->fixed ? buckets_for(s, b->count) : 0;
    const ww_status status = build_on(s, b, wanted > s->table.buckets ? wanted : s->table.buckets, built, &o);
    if (!s->device->on_paper) s->pairs += o.inserted;
    return status;
}

/* Pairs of keys that all differ, into an empty dictionary. Not done: it is empty again. */
static ww_status insert_distinct(ww_slab *s, const ww__slab_batch *distinct, bool *done) {
    ww__slab_outcome o = {.fault = UINT64_MAX};
    if (!s->device->on_paper) WW_TRY(ww__slab_grow(s, distinct->count));
    WW_TRY(build(s, distinct, done));
    if (*done) return WW_OK;
    WW_TRY(run_part(s, distinct, &o));
    *done = !o.full;
    return *done ? WW_OK : clear(s);
}

/* All of a batch of replaces at once, where that is worth it and there is memory. */
static ww_status replace_at_once(ww_slab *s, const ww__slab_batch *b, bool *done) {
    ww__slab_batch distinct;
    ww_input keys, values;
    void *statuses;
    *done = false;
    if (!s->device->gpu || b->kind != WW__SLAB_KIND_REPLACE || !is_empty(s)) return WW_OK;
    if (!ww__slab_may_build_gpu(s, b, s->table.buckets)) return WW_OK;
    const ww__scratch_mark mark = ww__scratch_here(s->device);
    ww_status status = ww__slab_distinct_gpu(s, b, &distinct, &keys, &values, &statuses);
    if (!status) status = insert_distinct(s, &distinct, done);
    if (!status && *done && statuses)
        status = ww__gpu_result(s->device, b->statuses->data, statuses, b->statuses->size);
    ww__scratch_back(s->device, &mark);
    return status == WW_MEMORY && !*done ? WW_OK : status;
}

/* A batch, checked. */
static ww_status run(ww_slab *s, ww__slab_batch *b) {
    const uint64_t count = b->keys->count;
    ww__slab_outcome all = {.fault = UINT64_MAX};
    const bool inserts = b->kind == WW__SLAB_KIND_INSERT,
               changes = b->kind == WW__SLAB_KIND_MIXED ||
                         (b->kind >= WW__SLAB_KIND_INSERT && b->kind <= WW__SLAB_KIND_DELETE_ALL);
    WW_TRY(ww__stage_due(s->device));
    WW_CHECK(s->device, !s->device->gpu || !ww__gpu_capturing(s->device), WW_INVALID,
             "calls of dictionaries wait for the GPU, which a graph cannot");
    ww__trace(s->device, "slab", NULL, count, count * s->layout.bytes, s->device->threads);
    b->first = 0;
    b->count = count;
    bool built = false;
    if (s->device->on_paper) {
        if (changes) WW_TRY(shrink_on_paper(s, count));
        WW_TRY(build(s, b, &built));
        WW_TRY(replace_at_once(s, b, &built));
        return run_part(s, b, &all);
    }
    WW_TRY(ww__slab_settle(s));
    if (changes) s->viewed = false;
    if (changes) WW_TRY(tidy(s, count));
    if (changes) WW_TRY(shrink(s, s->pairs + (inserts ? count : 0), count));
    if (inserts) {
        WW_TRY(ww__slab_grow(s, s->pairs + count));
        WW_TRY(build(s, b, &built));
        if (built) return WW_OK;
    }
    WW_TRY(replace_at_once(s, b, &built));
    if (built) return WW_OK;
    WW_TRY(b->kind == WW__SLAB_KIND_MIXED || b->kind == WW__SLAB_KIND_REPLACE ? run_parts(s, b, count, &all)
                                                                              : run_part(s, b, &all));
    return check_outcome(s, b, &all);
}

static const ww_array *given(const ww_array *array) { return ww__is_none(array) ? NULL : array; }

/* Inserts and replaces. */
static ww_status put(ww_slab *s, ww__slab_kind kind, const ww_function *combine, const ww_input *keys,
                     const ww_input *values, const ww_array *statuses) {
    WW_TRY(check_keys(s, keys));
    WW_TRY(check_values_in(s, keys, values));
    WW_TRY(check_statuses(s, keys, statuses));
    if (s->value_type && !ww__is_none(statuses))
        WW_TRY(ww__check_apart(s->device, "values", values, "statuses", statuses, WW__APART));
    ww__slab_batch b = {.kind = kind,
                        .combine = combine,
                        .keys = keys,
                        .values = s->value_type ? values : NULL,
                        .statuses = given(statuses)};
    return run(s, &b);
}

ww_status ww_slab_insert(ww_slab *slab, ww_input keys, ww_input values, ww_array statuses) {
    if (!slab) return WW_INVALID;
    WW_CALL(slab->device, "ww_slab_insert", put(slab, WW__SLAB_KIND_INSERT, NULL, &keys, &values, &statuses),
            WW_READS(&keys), WW_READS(&values), WW_WRITES(&statuses));
}

ww_status ww_slab_replace(ww_slab *slab, ww_input keys, ww_input values, ww_array statuses) {
    if (!slab) return WW_INVALID;
    WW_CALL(slab->device, "ww_slab_replace", put(slab, WW__SLAB_KIND_REPLACE, NULL, &keys, &values, &statuses),
            WW_READS(&keys), WW_READS(&values), WW_WRITES(&statuses));
}

static ww_status combine_values(ww_slab *s, const ww_function *combine, const ww_input *keys, const ww_input *values,
                                const ww_array *statuses) {
    const ww_function *operator;
    WW_CHECK(s->device, s->value_type, WW_TYPE, "the dictionary has no values");
    WW_TRY(ww__check_operator(s->device, combine, s->value_type, s->value_type->size, &operator));
    WW_CHECK(s->device, operator->flags & WW_COMMUTES, WW_INVALID,
             "%s does not commute, and the order of values is not known", combine->name);
    WW_TRY(ww__check_environment_apart(s->device, operator, "statuses", statuses));
    return put(s, WW__SLAB_KIND_REPLACE, operator, keys, values, statuses);
}

ww_status ww_slab_combine(ww_slab *slab, const ww_function *combine, ww_input keys, ww_input values,
                          ww_array statuses) {
    if (!slab) return WW_INVALID;
    WW_CALL(slab->device, "ww_slab_combine", combine_values(slab, combine, &keys, &values, &statuses),
            WW_USES(&combine), WW_READS(&keys), WW_READS(&values), WW_WRITES(&statuses));
}

static ww_status take_out(ww_slab *s, ww__slab_kind kind, const ww_input *keys, const ww_array *statuses) {
    WW_TRY(check_keys(s, keys));
    WW_TRY(check_statuses(s, keys, statuses));
    ww__slab_batch b = {.kind = kind, .keys = keys, .statuses = given(statuses)};
    return run(s, &b);
}

ww_status ww_slab_delete(ww_slab *slab, ww_input keys, ww_array statuses) {
    if (!slab) return WW_INVALID;
    WW_CALL(slab->device, "ww_slab_delete", take_out(slab, WW__SLAB_KIND_DELETE, &keys, &statuses), WW_READS(&keys),
            WW_WRITES(&statuses));
}

ww_status ww_slab_delete_all(ww_slab *slab, ww_input keys, ww_array statuses) {
    if (!slab) return WW_INVALID;
    WW_CALL(slab->device, "ww_slab_delete_all", take_out(slab, WW__SLAB_KIND_DELETE_ALL, &keys, &statuses),
            WW_READS(&keys), WW_WRITES(&statuses));
}

static ww_status search(ww_slab *s, const ww_input *keys, const ww_array *values, const ww_array *statuses) {
    WW_TRY(check_keys(s, keys));
    WW_TRY(check_out(s, "values", keys, values, s->value_type, WW__SAME_ALLOWED));
    WW_TRY(check_statuses(s, keys, statuses));
    if (!ww__is_none(values) && !ww__is_none(statuses))
        WW_TRY(ww__check_outputs_apart(s->device, "values", values, "statuses", statuses));
    ww__slab_batch b = {
        .kind = WW__SLAB_KIND_SEARCH, .keys = keys, .found = given(values), .statuses = given(statuses)};
    return run(s, &b);
}

ww_status ww_slab_search(ww_slab *slab, ww_input keys, ww_array values, ww_array statuses) {
    if (!slab) return WW_INVALID;
    WW_CALL(slab->device, "ww_slab_search", search(slab, &keys, &values, &statuses), WW_READS(&keys),
            WW_WRITES_WHERE(&values, &statuses), WW_WRITES(&statuses));
}

static ww_status count_pairs(ww_slab *s, const ww_input *keys, const ww_array *counts) {
    WW_TRY(check_keys(s, keys));
    WW_TRY(ww__check_counts(s->device, "counts", counts, ww__min_u64(s->pairs, UINT32_MAX)));
    WW_CHECK(s->device, counts->count == keys->count, WW_INVALID, "counts has %llu elements, keys %llu",
             (ull)counts->count, (ull)keys->count);
    WW_TRY(ww__check_apart(s->device, "keys", keys, "counts", counts, WW__APART));
    ww__slab_batch b = {.kind = WW__SLAB_KIND_COUNT, .keys = keys, .counts = counts};
    return run(s, &b);
}

ww_status ww_slab_count(ww_slab *slab, ww_input keys, ww_array counts) {
    if (!slab) return WW_INVALID;
    WW_CALL(slab->device, "ww_slab_count", count_pairs(slab, &keys, &counts), WW_READS(&keys), WW_WRITES(&counts));
}

static ww_status search_all(ww_slab *s, const ww_input *keys, const ww_input *offsets, const ww_array *values) {
    ww_device *const device = s->device;
    WW_TRY(check_keys(s, keys));
    WW_TRY(ww__check_index(device, "offsets", offsets));
    WW_CHECK(device, offsets->count == keys->count + 1, WW_INVALID,
             "offsets has %llu elements, not one more than keys, %llu", (ull)offsets->count, (ull)keys->count);
    WW_TRY(ww__check_array(device, "values", values));
    WW_CHECK(device, s->value_type, WW_TYPE, "the dictionary has no values");
    WW_CHECK(device, values->type == s->value_type, WW_TYPE, "values is of type %s, the dictionary's values of type %s",
             values->type->label, s->value_type->label);
    WW_TRY(ww__check_apart(device, "keys", keys, "values", values, WW__APART));
    WW_TRY(ww__check_apart(device, "offsets", offsets, "values", values, WW__APART));
    ww__slab_batch b = {.kind = WW__SLAB_KIND_SEARCH_ALL, .keys = keys, .offsets = offsets, .found = values};
    return run(s, &b);
}

ww_status ww_slab_search_all(ww_slab *slab, ww_input keys, ww_input offsets, ww_array values) {
    if (!slab) return WW_INVALID;
    WW_CALL(slab->device, "ww_slab_search_all", search_all(slab, &keys, &offsets, &values), WW_READS(&keys),
            WW_READS(&offsets), WW_WRITES_SOME(&values));
}

static ww_status mixed(ww_slab *s, const ww_input *operations, const ww_input *keys, const ww_input *values,
                       const ww_array *found, const ww_array *statuses) {
    ww_device *const device = s->device;
    const ww_array *const outputs[] = {found, statuses};
    static const char *const names[] = {"found", "statuses"};
    WW_TRY(check_keys(s, keys));
    WW_TRY(ww__check_input(device, "operations", operations));
    WW_CHECK(device, operations->type == &ww_type_uint8_t, WW_TYPE, "operations is of type %s, not u8",
             operations->type->label);
    WW_CHECK(device, operations->count == keys->count, WW_INVALID, "operations has %llu elements, keys %llu",
             (ull)operations->count, (ull)keys->count);
    WW_TRY(check_values_in(s, keys, values));
    WW_TRY(check_out(s, "found", keys, found, s->value_type, WW__APART));
    WW_TRY(check_statuses(s, keys, statuses));
    for (size_t o = 0; o < 2; o++) {
        if (ww__is_none(outputs[o])) continue;
        WW_TRY(ww__check_apart(device, "operations", operations, names[o], outputs[o], WW__APART));
        if (s->value_type) WW_TRY(ww__check_apart(device, "values", values, names[o], outputs[o], WW__APART));
    }
    if (!ww__is_none(found) && !ww__is_none(statuses))
        WW_TRY(ww__check_outputs_apart(device, "found", found, "statuses", statuses));
    ww__slab_batch b = {.kind = WW__SLAB_KIND_MIXED,
                        .operations = operations,
                        .keys = keys,
                        .values = s->value_type ? values : NULL,
                        .found = given(found),
                        .statuses = given(statuses)};
    return run(s, &b);
}

ww_status ww_slab_mixed(ww_slab *slab, ww_input operations, ww_input keys, ww_input values, ww_array found,
                        ww_array statuses) {
    if (!slab) return WW_INVALID;
    WW_CALL(slab->device, "ww_slab_mixed", mixed(slab, &operations, &keys, &values, &found, &statuses),
            WW_READS(&operations), WW_READS(&keys), WW_READS(&values), WW_WRITES_WHERE(&found, &statuses),
            WW_WRITES(&statuses));
}

/* ---- the whole dictionary ---- */

static ww_status flush(ww_slab *s) {
    WW_TRY(ww__not_on_paper(s->device));
    WW_TRY(ww__slab_settle(s));
    s->viewed = false;
    WW_TRY(shrink_to(s, buckets_for(s, s->pairs), UINT64_MAX));
    const ww__slab_rebuilding r = {.many = s->table.buckets};
    WW_TRY(rebuild(s, &r));
    return drop_supers(s, false);
}

ww_status ww_slab_flush(ww_slab *slab) {
    if (!slab) return WW_INVALID;
    const ww_status status = ww__enter(slab->device, "ww_slab_flush");
    return status ? status : ww__leave(slab->device, flush(slab));
}

ww_status ww_slab_clear(ww_slab *slab) {
    if (!slab) return WW_INVALID;
    const ww_status status = ww__enter(slab->device, "ww_slab_clear");
    return status ? status : ww__leave(slab->device, clear(slab));
}

static ww_status check_room(const ww_slab *s, const char *name, const ww_array *out, const ww_type *type) {
    ww_device *const device = s->device;
    if (ww__is_none(out)) return WW_OK;
    WW_CHECK(device, type, WW_TYPE, "%s is given, and the dictionary has no values", name);
    WW_TRY(ww__check_array(device, name, out));
    WW_CHECK(device, out->type == type, WW_TYPE, "%s is of type %s, not %s", name, out->type->label, type->label);
    return WW_OK;
}

static ww_status pairs(ww_slab *s, const ww_array *keys, const ww_array *values, const ww_array *count) {
    ww_device *const device = s->device;
    const ww_array *const outputs[] = {keys, values};
    static const char *const names[] = {"keys", "values"};
    WW_TRY(ww__slab_settle(s));
    WW_TRY(check_room(s, "keys", keys, s->key_type));
    WW_TRY(check_room(s, "values", values, s->value_type));
    WW_TRY(ww__check_counts(device, "count", count, ww__min_u64(s->pairs, UINT32_MAX)));
    WW_TRY(ww__check_one(device, "count", count));
    if (!ww__is_none(keys) && !ww__is_none(values))
        WW_TRY(ww__check_outputs_apart(device, "keys", keys, "values", values));
    for (size_t o = 0; o < 2; o++)
        if (!ww__is_none(outputs[o])) WW_TRY(ww__check_outputs_apart(device, names[o], outputs[o], "count", count));
    WW_TRY(ww__stage_due(device));
    WW_TRY(ww__put_count(device, count, s->pairs));
    for (size_t o = 0; o < 2; o++)
        WW_CHECK(device, ww__is_none(outputs[o]) || outputs[o]->count >= s->pairs, WW_LIMIT,
                 "%s has a capacity of %llu pairs, and there are %llu", names[o], (ull)outputs[o]->count,
                 (ull)s->pairs);
    switch (device->backend) {
    case WW__BACKEND_CPU:
        return ww__slab_pairs_cpu(s, given(keys), given(values));
    case WW__BACKEND_GPU:
        return ww__slab_pairs_gpu(s, given(keys), given(values));
    }
    return WW_UNSUPPORTED;
}

ww_status ww_slab_pairs(ww_slab *slab, ww_array keys, ww_array values, ww_array count) {
    if (!slab) return WW_INVALID;
    WW_CALL(slab->device, "ww_slab_pairs", pairs(slab, &keys, &values, &count), WW_WRITES_FIRST(&keys, &count),
            WW_WRITES_FIRST(&values, &count));
}

static ww_status inform(ww_slab *s, ww_slab_info *info) {
    uint64_t used[WW__SLAB_SUPERS];
    WW_CHECK(s->device, info, WW_INVALID, "info is NULL");
    WW_TRY(ww__not_on_paper(s->device));
    ww_slab_info i = WW_SLAB_INFO;
    WW_TRY(ww__slab_settle(s));
    WW_TRY(ww__slab_used(s, used));
    for (uint32_t k = 0; k < s->table.supers; k++) i.slabs += used[k];
    i.pairs = s->pairs;
    i.dead = s->dead;
    i.buckets = s->table.buckets;
    i.slab_bytes = s->layout.bytes;
    i.slab_slots = s->layout.slots;
    i.memory = s->memory;
    i.memory_use = (double)s->pairs * (s->layout.key_size + s->layout.value_size) /
                   ((double)(i.buckets + i.slabs) * s->layout.bytes);
    return ww__give_struct(s->device, &i, "WW_SLAB_INFO", info, sizeof i);
}

ww_status ww_slab_info_get(ww_slab *slab, ww_slab_info *info) {
    if (!slab) return WW_INVALID;
    const ww_status status = ww__enter(slab->device, "ww_slab_info_get");
    return status ? status : ww__leave(slab->device, inform(slab, info));
}
