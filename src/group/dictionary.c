/* Slab hashes and ordered dictionaries in shards: whose a key is, and what a shard does with what comes (keyed.c moves it). */
#include <string.h>

#include "group/keyed.h"
#include "warpwise/group_dictionary.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

/* A hash that has nothing to do with the one that picks a key's bucket in its shard (Appleby, MurmurHash3's finalizers). */
WW_MAP(shard_of_u32, uint32_t, uint32_t, key, uint32_t, ranks, {
    uint32_t h = key ^ (key >> 16);
    h *= 0x85EBCA6Bu;
    h ^= h >> 13;
    h *= 0xC2B2AE35u;
    h ^= h >> 16;
    return (uint32_t)(((uint64_t)h * *ranks) >> 32);
});
WW_MAP(shard_of_u64, uint32_t, uint64_t, key, uint32_t, ranks, {
    uint64_t h = key ^ (key >> 33);
    h *= 0xFF51AFD7ED558CCDu;
    h ^= h >> 33;
    h *= 0xC4CEB9FE1A85EC53u;
    h ^= h >> 33;
    return (uint32_t)(((h >> 32) * *ranks) >> 32);
});

struct ww_group_slab {
    ww_group *group;
    ww_slab *own;
    const ww_type *key, *value;
    uint32_t ranks;
};

struct ww_group_lsm {
    ww_group *group;
    ww_lsm *own;
    const ww_type *key, *value;
    ww_array bounds; /* in the device's memory; NULL for one rank */
};

/* ---- opening ---- */

static void agree_on(const ww_type *key, const ww_type *value, const void *bounds, size_t bytes,
                     unsigned char alike[WW__DIGEST]) {
    ww__digest digest;
    ww__digest_begin(&digest);
    ww__agree_type(&digest, key, key ? key->size : 0);
    ww__agree_type(&digest, value, value ? value->size : 0);
    if (bytes) ww__digest_add(&digest, bounds, bytes);
    ww__digest_end(&digest, alike);
}

/* Memory of a handle, which its caller sees as there only when all ranks have theirs. */
static ww_status allocate(ww_group *group, size_t bytes, void *pointer_to_pointer) {
    void *made = ww__allocate(group->device, bytes, 64);
    if (!made) return ww__group_say(group, WW_MEMORY, "there is no memory for a dictionary");
    memset(made, 0, bytes);
    memcpy(pointer_to_pointer, &made, sizeof made);
    return WW_OK;
}

ww_status ww_group_slab_open(ww_group *group, const ww_type *key_type, const ww_type *value_type, uint64_t expected,
                             ww_group_slab **slab, const ww_slab_options *options) {
    unsigned char alike[WW__DIGEST];
    ww_group_slab *made = NULL;
    if (!slab) return WW_INVALID;
    *slab = NULL;
    WW_TRY(ww__group_enter(group, "ww_group_slab_open"));
    ww_status status = ww__group_check_begin(group);
    if (!status) status = allocate(group, sizeof *made, &made);
    if (!status) {
        const uint32_t ranks = group->engine.ranks;
        *made = (ww_group_slab){.group = group, .key = key_type, .value = value_type, .ranks = ranks};
        status = ww_slab_open(group->device, key_type, value_type, expected / ranks + expected % ranks, &made->own,
                              options);
    }
    agree_on(key_type, value_type, NULL, 0, alike);
    status = ww__group_agree(group, status, alike, NULL, 0);
    if (status)
        ww_group_slab_close(made);
    else
        *slab = made;
    return ww__group_leave(group, status);
}

void ww_group_slab_close(ww_group_slab *slab) {
    if (!slab) return;
    ww_slab_close(slab->own);
    ww__release(slab->group->device, slab, sizeof *slab);
}

ww_slab *ww_group_slab_own(const ww_group_slab *slab) { return slab ? slab->own : NULL; }

/* The caller's bounds, or even ones, in memory of the dictionary's own. */
static ww_status take_bounds(ww_group_lsm *lsm, const ww_input *given) {
    ww_group *group = lsm->group;
    const uint32_t ranks = group->engine.ranks, many = ranks - 1;
    void *data = NULL;
    ww_input bounds = *given;
    if (!many) return WW_OK;
    if (!bounds.steps) { /* r / ranks of all keys */
        const bool is_narrow = lsm->key == &ww_type_uint32_t;
        const uint64_t step = (is_narrow ? UINT32_MAX : UINT64_MAX) / ranks;
        bounds = ww_strided(ww_counting(&ww_type_uint64_t, 0, (uint64_t)many * step + 1), step, (int64_t)step, many);
        if (is_narrow) bounds = ww_cast(&ww_type_uint32_t, bounds);
    }
    WW_GROUP_CHECK(group, bounds.type == lsm->key, WW_TYPE, "bounds are not of type %s", lsm->key->label);
    WW_GROUP_CHECK(group, bounds.count == many, WW_INVALID, "there are %llu bounds for %u ranks", (ull)bounds.count,
                   ranks);
    WW_TRY(ww_alloc(group->device, (uint64_t)many * lsm->key->size, &data));
    lsm->bounds = (ww_array){data, many, lsm->key, lsm->key->size, NULL, 0};
    return ww_store(group->device, bounds, lsm->bounds);
}

/* The bounds in the host's memory, where it is seen whether they rise; all ranks' are compared. */
static ww_status read_bounds(const ww_group_lsm *lsm, void **read) {
    ww_group *group = lsm->group;
    const ww_array *own = &lsm->bounds;
    WW_TRY(ww__group_host_room(group, 0, own->count + 1, sizeof(uint64_t), read));
    if (!own->count) return WW_OK;
    WW_TRY(ww_copy(group->device, ww_from(*own), (ww_array){*read, own->count, own->type, own->size, NULL, 0}));
    WW_TRY(ww_sync(group->device));
    const uint32_t *narrow = *read;
    const uint64_t *wide = *read;
    for (uint64_t i = 1; i < own->count; i++)
        WW_GROUP_CHECK(group, lsm->key == &ww_type_uint32_t ? narrow[i - 1] < narrow[i] : wide[i - 1] < wide[i],
                       WW_INVALID, "bound %llu is not above the one before it", (ull)i);
    return WW_OK;
}

static ww_status open_lsm(ww_group *group, ww_group_lsm **made, const ww_input *bounds, const ww_type *key,
                          const ww_type *value, const ww_lsm_options *options) {
    WW_TRY(ww__group_check_begin(group));
    WW_TRY(allocate(group, sizeof **made, made));
    **made = (ww_group_lsm){.group = group, .key = key, .value = value};
    WW_TRY(ww_lsm_open(group->device, key, value, &(*made)->own, options));
    return take_bounds(*made, bounds);
}

ww_status ww_group_lsm_open(ww_group *group, const ww_type *key_type, const ww_type *value_type, ww_input bounds,
                            ww_group_lsm **lsm, const ww_lsm_options *options) {
    unsigned char alike[WW__DIGEST];
    ww_group_lsm *made = NULL;
    if (!lsm) return WW_INVALID;
    *lsm = NULL;
    WW_TRY(ww__group_enter(group, "ww_group_lsm_open"));
    void *read = NULL; /* the bounds, which have to be the same on all ranks */
    ww_status status = open_lsm(group, &made, &bounds, key_type, value_type, options);
    if (!status) status = read_bounds(made, &read);
    agree_on(key_type, value_type, read, status ? 0 : made->bounds.count * made->bounds.size, alike);
    status = ww__group_agree(group, status, alike, NULL, 0);
    if (status)
        ww_group_lsm_close(made);
    else
        *lsm = made;
    return ww__group_leave(group, status);
}

void ww_group_lsm_close(ww_group_lsm *lsm) {
    if (!lsm) return;
    ww_lsm_close(lsm->own);
    if (lsm->bounds.data) ww_free(lsm->group->device, lsm->bounds.data);
    ww__release(lsm->group->device, lsm, sizeof *lsm);
}

ww_lsm *ww_group_lsm_own(const ww_group_lsm *lsm) { return lsm ? lsm->own : NULL; }

/* ---- the slab hash ---- */

/* What was not done for want of memory is FULL, whatever the shard came to write. */
static ww_status slab_insert(const ww__keyed *k, ww_input keys, ww_input values, ww_array values_out,
                             ww_array statuses) {
    (void)values_out;
    WW_TRY(ww_fill(k->group->device, statuses, ww_value(uint8_t, WW_SLAB_FULL)));
    return ww_slab_insert(k->shard, keys, values, statuses);
}
static ww_status slab_replace(const ww__keyed *k, ww_input keys, ww_input values, ww_array values_out,
                              ww_array statuses) {
    (void)values_out;
    WW_TRY(ww_fill(k->group->device, statuses, ww_value(uint8_t, WW_SLAB_FULL)));
    return ww_slab_replace(k->shard, keys, values, statuses);
}
static ww_status slab_delete(const ww__keyed *k, ww_input keys, ww_input values, ww_array values_out,
                             ww_array statuses) {
    (void)values;
    (void)values_out;
    return ww_slab_delete(k->shard, keys, statuses);
}
static ww_status slab_search(const ww__keyed *k, ww_input keys, ww_input values, ww_array values_out,
                             ww_array statuses) {
    (void)values;
    return ww_slab_search(k->shard, keys, values_out, statuses);
}

static ww_status on_slab(ww_group_slab *slab, ww__keyed k, const char *call) {
    if (!slab) return WW_INVALID;
    const ww_function *shard_of = slab->key == &ww_type_uint32_t ? ww_with(shard_of_u32, &slab->ranks)
                                                                 : ww_with(shard_of_u64, &slab->ranks);
    k.group = slab->group;
    k.key_type = slab->key;
    k.value_type = slab->value;
    k.shard_of = shard_of;
    k.shard = slab->own;
    k.answers = true;
    k.statuses_name = "statuses";
    k.brings_values = k.brings_values && slab->value;
    k.takes_values = k.takes_values && slab->value;
    return ww__group_keyed(&k, call);
}

ww_status ww_group_slab_insert(ww_group_slab *slab, ww_input keys, ww_input values, ww_array statuses) {
    const ww__keyed k = {.work = slab_insert,
                         .keys = keys,
                         .values = values,
                         .statuses = statuses,
                         .brings_values = true,
                         .goes_on_without_memory = true};
    return on_slab(slab, k, "ww_group_slab_insert");
}

ww_status ww_group_slab_replace(ww_group_slab *slab, ww_input keys, ww_input values, ww_array statuses) {
    const ww__keyed k = {.work = slab_replace,
                         .keys = keys,
                         .values = values,
                         .statuses = statuses,
                         .brings_values = true,
                         .goes_on_without_memory = true};
    return on_slab(slab, k, "ww_group_slab_replace");
}

ww_status ww_group_slab_delete(ww_group_slab *slab, ww_input keys, ww_array statuses) {
    return on_slab(slab, (ww__keyed){.work = slab_delete, .keys = keys, .statuses = statuses}, "ww_group_slab_delete");
}

ww_status ww_group_slab_search(ww_group_slab *slab, ww_input keys, ww_array values, ww_array statuses) {
    const ww__keyed k = {
        .work = slab_search, .keys = keys, .values_out = values, .statuses = statuses, .takes_values = true};
    return on_slab(slab, k, "ww_group_slab_search");
}

/* ---- the ordered dictionary ---- */

static ww_status lsm_insert(const ww__keyed *k, ww_input keys, ww_input values, ww_array values_out,
                            ww_array statuses) {
    (void)values_out;
    (void)statuses;
    return ww_lsm_insert(k->shard, keys, values);
}
static ww_status lsm_delete(const ww__keyed *k, ww_input keys, ww_input values, ww_array values_out,
                            ww_array statuses) {
    (void)values;
    (void)values_out;
    (void)statuses;
    return ww_lsm_delete(k->shard, keys);
}
static ww_status lsm_lookup(const ww__keyed *k, ww_input keys, ww_input values, ww_array values_out,
                            ww_array statuses) {
    (void)values;
    return ww_lsm_lookup(k->shard, keys, values_out, statuses);
}

static ww_status on_lsm(ww_group_lsm *lsm, ww__keyed k, const char *call) {
    if (!lsm) return WW_INVALID;
    k.group = lsm->group;
    k.key_type = lsm->key;
    k.value_type = lsm->value;
    k.bounds = lsm->bounds.data ? lsm->bounds : (ww_array){NULL, 0, lsm->key, lsm->key->size, NULL, 0};
    k.shard = lsm->own;
    k.statuses_name = "found";
    k.brings_values = k.brings_values && lsm->value;
    k.takes_values = k.takes_values && lsm->value;
    return ww__group_keyed(&k, call);
}

ww_status ww_group_lsm_insert(ww_group_lsm *lsm, ww_input keys, ww_input values) {
    const ww__keyed k = {.work = lsm_insert, .keys = keys, .values = values, .brings_values = true};
    return on_lsm(lsm, k, "ww_group_lsm_insert");
}

ww_status ww_group_lsm_delete(ww_group_lsm *lsm, ww_input keys) {
    return on_lsm(lsm, (ww__keyed){.work = lsm_delete, .keys = keys}, "ww_group_lsm_delete");
}

ww_status ww_group_lsm_lookup(ww_group_lsm *lsm, ww_input keys, ww_array values, ww_array found) {
    const ww__keyed k = {.work = lsm_lookup,
                         .keys = keys,
                         .values_out = values,
                         .statuses = found,
                         .answers = true,
                         .takes_values = true};
    return on_lsm(lsm, k, "ww_group_lsm_lookup");
}
