/* Multisplit on a GPU.
 *
 * Keys and values that sweeps move (sweeps_gpu.h) are counted and swept: the method `onepass`, over each digit of the bucket's
 * number; or split in three stages. For others the buckets' numbers are swept, with positions, and then both are gathered. Outputs are written by
 * kernels that look first whether every key had a bucket. */
#include <string.h>

#include "device/call.h"
#include "device/gpu/batch.h"
#include "function/types.h"
#include "multisplit/check_edges_arguments.cuh"
#include "multisplit/labels_arguments.cuh"
#include "multisplit/multisplit_gpu.h"
#include "multisplit/offsets_arguments.cuh"
#include "primitive/map/map.h"
#include "radix/radix_gpu.h"

enum { THREADS = 256 };

/* ---- how kernels make buckets ---- */

static ww_status say_bad(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    if (value) return ww__bad_edge(device, position);
    return ww__no_bucket(device, position, call->name, call->limit);
}

/* Keys whose buckets are some of their own bits need no function. A signed key below 0 is a number with the highest bit
 * set, which must not be a bucket's. */
static bool is_own_bits(const ww__splitting *s) {
    const size_t bits = 8 * s->keys.size;
    if (ww__splits_by(s, &ww_by_bits)) return true;
    if (!ww__splits_by(s, &ww_by_number)) return false;
    return s->keys.type->kind == WW_KIND_UNSIGNED || bits > 32 || s->by.buckets <= (uint64_t)1 << (bits - 1);
}

static uint32_t checked_of(const ww__splitting *s) {
    const size_t bits = 8 * s->keys.size;
    if (ww__splits_by(s, &ww_by_bits))
        return s->by.buckets < (uint64_t)1 << ((const ww_bits *)s->by.asked->bound)->count ? 2 : 0;
    return bits > 32 || s->by.buckets < (uint64_t)1 << bits ? 1 : 0;
}

ww_status ww__bucket_words_make(const ww__splitting *s, ww__bucket_words *w) {
    *w = (ww__bucket_words){.how = s->by.edges      ? 2
                                   : is_own_bits(s) ? 0
                                                    : 1,
                            .map = s->by.map,
                            .edges = s->by.edges,
                            .buckets = s->by.buckets,
                            .key_type = s->keys.type,
                            .key_size = s->keys.size};
    if (w->how == 1 && ww__division_of(ww__delta_width(s), s->keys.size, &w->division)) w->how = 3;
    if (!w->how) w->checked = checked_of(s);
    return ww__gpu_checking_begin(s->device, say_bad, s->by.edges ? "edges" : s->by.asked->name, s->by.buckets,
                                  &w->checking);
}

static ww_status check_edges(const ww__splitting *s, const ww__bucket_words *w) {
    const uint64_t count = s->by.edges->count;
    ww__recipe r;
    ww__recipe_begin(&r, "multisplit/check_edges.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_input(&r, "edges", s->by.edges);
    ww__arguments a;
    const check_edges_fixed fixed = {.count = count, .checking = w->checking};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(s->device, &a, s->by.edges));
    return ww__gpu_launch(s->device, &r, "check_edges", ww__blocks(count, THREADS), THREADS, 0, &a);
}

/* ---- labels ---- */

static ww_status make_labels(const ww__splitting *s, const ww__bucket_words *w, const ww_type *type, void *labels) {
    const ww_array out = {.data = labels, .count = s->keys.count, .type = type, .size = type->size};
    const uint32_t items = ww__batch_items(&s->keys, &out);
    ww__bucket_words by = *w;
    ww__recipe r;
    ww__recipe_begin(&r, "multisplit/labels.cu");
    if (by.how != 2) by.how = 1;
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_batch(&r, items);
    ww__recipe_buckets(&r, &by, ww__input_memory(&s->keys));
    ww__recipe_type(&r, "ww_label", type, type->size, NULL);
    ww__recipe_input(&r, "in", &s->keys);
    ww__arguments a;
    const labels_fixed fixed = {.labels = labels, .count = s->keys.count};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(s->device, &a, &s->keys));
    WW_TRY(ww__argument_buckets(s->device, &a, &by));
    return ww__gpu_launch(s->device, &r, "label", ww__blocks(s->keys.count, (uint64_t)THREADS * items), THREADS, 0, &a);
}

ww_status ww__bucket_labels_gpu(const ww__splitting *s, const ww_type **type, void *pointer_to_labels) {
    ww__bucket_words w;
    void *labels;
    *type = ww__label_type(s->by.buckets);
    WW_TRY(ww__bucket_words_make(s, &w));
    WW_TRY(ww__scratch_array(s->device, s->keys.count, (*type)->size, &labels));
    if (s->by.edges && s->by.edges->count) WW_TRY(check_edges(s, &w));
    memcpy(pointer_to_labels, &labels, sizeof labels);
    return make_labels(s, &w, *type, labels);
}

/* ---- sweeps ---- */

static ww_status find_offsets(const ww__splitting *s, const ww__sweeping *job, const uint64_t *first) {
    const uint32_t low = job->bit_first, bits = ww__splits_by(s, &ww_by_bits) ? job->bit_count : 32;
    /* The count has a bin for each number of these bits; there may be more buckets. */
    const bool few = first && job->bit_count <= 8 && s->by.buckets <= (uint64_t)1 << job->bit_count;
    ww__recipe r;
    ww__recipe_begin(&r, "multisplit/offsets.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_KEY", job->key_size);
    ww__recipe_number(&r, "WW_ORDER", 0);
    ww__recipe_number(&r, "WW_BINS", 256);
    ww__recipe_type(&r, "ww_offset", s->offsets.type, s->offsets.size, NULL);
    ww__recipe_counted(&r, job->count_at);
    ww__recipe_buckets(&r, job->by, job->keys_out);
    ww__arguments a;
    const offsets_fixed fixed = {.offsets = s->offsets.data,
                                 .keys = job->keys_out,
                                 .first = first,
                                 .count = job->n,
                                 .count_at = job->count_at,
                                 .low = low,
                                 .bits = bits,
                                 .many = (uint32_t)s->by.buckets};
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_buckets(s->device, &a, job->by));
    return ww__gpu_launch(s->device, &r, few ? "begin_few" : "begin_many", ww__blocks(s->by.buckets + 1, THREADS),
                          THREADS, 0, &a);
}

static ww__sweeping job_of(const ww__splitting *s, const ww__bucket_words *w) {
    const ww_bits *bits = ww__splits_by(s, &ww_by_bits) ? s->by.asked->bound : NULL;
    return (ww__sweeping){.n = s->keys.count,
                          .key_size = s->keys.size,
                          .bit_first = bits ? bits->first : 0,
                          .bit_count = bits ? bits->count : ww__bucket_bits(s->by.buckets),
                          .by = w,
                          .count_at = s->keys.count_at,
                          .shift = s->shift};
}

static bool by_stages(const ww__splitting *s) {
    return s->method >= WW_MULTISPLIT_DIRECT && s->method <= WW_MULTISPLIT_BLOCK;
}

/* By bits that every bucket's number has a split is a sort, and few keys one block sorts. */
static bool sorts_in_block(const ww__splitting *s, const ww__bucket_words *w, const ww__sweeping *job) {
    return s->method == WW_MULTISPLIT_AUTO && !w->how && !w->checked && !job->shift && !job->count_at &&
           ww__radix_in_block(s->device, job);
}

static ww_status sort_in_block(ww_device *device, const ww__sweeping *job) {
    ww__sweeping sort = *job;
    sort.by = NULL;
    return ww__radix_sort_gpu(device, &sort);
}

static ww_status sweep(const ww__splitting *s, const ww__bucket_words *w) {
    ww_device *device = s->device;
    ww__swept swept = {0};
    ww__sweeping job = job_of(s, w);
    ww_array keys, values = ww_none; /* where they are read */
    WW_TRY(ww__stored(device, &s->keys, &keys));
    job.keys = keys.data;
    WW_TRY(ww__gpu_room_kept(device, &s->keys_out, &job.keys_out));
    if (s->values.steps) {
        job.value_size = s->values.size;
        WW_TRY(ww__gpu_room_kept(device, &s->values_out, &job.values_out));
        if (ww__sweeps_count(&s->values))
            job.first_value = s->values.step[0].number;
        else
            WW_TRY(ww__stored(device, &s->values, &values));
        job.values = values.data;
    }
    if (by_stages(s))
        WW_TRY(ww__three_stages_gpu(device, &job, s->method));
    else if (sorts_in_block(s, w, &job))
        WW_TRY(sort_in_block(device, &job));
    else
        WW_TRY(ww__sweeps_gpu(device, &job, &swept));
    if (!ww__is_none(&s->offsets)) WW_TRY(find_offsets(s, &job, swept.first));
    WW_TRY(ww__gpu_result(device, s->keys_out.data, job.keys_out, job.key_size));
    return s->values.steps ? ww__gpu_result(device, s->values_out.data, job.values_out, job.value_size) : WW_OK;
}

/* What is wrong the launch that made the labels has reported. */
static ww_status say_nothing(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value) {
    (void)device, (void)call, (void)position, (void)value;
    return WW_OK;
}

/* Labels are their own buckets. */
static ww_status split_labels_in_stages(const ww__splitting *s, const ww_type *type, ww__sweeping *job) {
    ww__bucket_words own = {.buckets = s->by.buckets, .key_type = type, .key_size = type->size};
    WW_TRY(ww__gpu_checking_begin(s->device, say_nothing, NULL, 0, &own.checking));
    job->by = &own;
    return ww__three_stages_gpu(s->device, job, s->method);
}

static ww_status sweep_labels(const ww__splitting *s) {
    ww_device *device = s->device;
    const ww_type *type, *positions = ww__position_type(s->keys.count);
    ww__sweeping job = {.n = s->keys.count, .value_size = positions->size, .bit_count = ww__bucket_bits(s->by.buckets)};
    WW_TRY(ww__bucket_labels_gpu(s, &type, &job.keys));
    job.key_size = type->size;
    WW_TRY(ww__scratch_array(device, job.n, type->size, &job.keys_out));
    WW_TRY(ww__scratch_array(device, job.n, positions->size, &job.values_out));
    WW_TRY(by_stages(s) && !ww__gpu_compiles(device) ? split_labels_in_stages(s, type, &job)
                                                     : ww__sweeps_gpu(device, &job, NULL));
    const ww_input labels = ww_memory_of(job.keys_out, job.n, type);
    const ww_input index = ww_memory_of(job.values_out, job.n, positions);
    return ww__multisplit_gather(s, &labels, &index);
}

static bool sweeps_move(const ww_input *in, const ww_array *out) {
    return ww__sweeps_move(in->size, ww__input_memory(in)) && ww__sweeps_move(in->size, out->data);
}

/* Whether sweeps would be programs of these buckets, and there is nothing to compile them: then labels are made, of which sorts'
 * programs do the rest. Those that are used most, of keys' own bits, a kernel pack has. */
static bool by_compiled(const ww__splitting *s, const ww__bucket_words *w) {
    if (ww__gpu_compiles(s->device)) return false;
    if (w->how || by_stages(s)) return true;
    ww__sweeping job = job_of(s, w);
    job.keys = ww__input_memory(&s->keys);
    job.keys_out = s->keys_out.data;
    job.value_size = s->values.steps ? s->values.size : 0;
    job.values_out = s->values_out.data;
    if (s->values.steps && !ww__sweeps_count(&s->values))
        job.values = s->keys_out.data; /* some memory that is not theirs */
    return !ww__sweeps_ready(s->device, &job);
}

bool ww__multisplit_shifts(ww_device *device, const ww_function *bucket_of, uint64_t buckets, const ww_input *keys,
                           const ww_array *keys_out) {
    enum { BITS_MOST = 8 };
    if (!bucket_of || bucket_of->role != WW_ROLE_BUILT_IN || !ww__gpu_compiles(device)) return false;
    const ww__splitting s = {.by = {.asked = bucket_of, .buckets = buckets}, .keys = *keys};
    if (ww__splits_by(&s, &ww_by_bits) && !bucket_of->bound) return false;
    const unsigned bits = ww__splits_by(&s, &ww_by_bits) ? ((const ww_bits *)bucket_of->bound)->count
                                                         : ww__bucket_bits(buckets);
    return bits <= BITS_MOST && buckets <= WW__SHIFTED_MOST && sweeps_move(keys, keys_out);
}

ww_status ww__multisplit_gpu(const ww__splitting *s) {
    ww__bucket_words w;
    if (!sweeps_move(&s->keys, &s->keys_out) || (s->values.steps && !sweeps_move(&s->values, &s->values_out)))
        return s->keys.count_at ? WW__SETTLE : sweep_labels(s);
    ww__take_count(s->device, &s->keys);
    WW_TRY(ww__bucket_words_make(s, &w));
    if (!s->keys.count_at && by_compiled(s, &w)) return sweep_labels(s);
    if (s->by.edges && s->by.edges->count) WW_TRY(check_edges(s, &w));
    return sweep(s, &w);
}
