/* A file's levels in the device's memory. */
#include "device/array.h"
#include "device/gpu/gpu.h"
#include "device/paper.h"
#include "dictionary/store/store.h"

static ww_status bring(ww_device *device, void *to, const void *from, uint64_t bytes) {
    if (!bytes) return WW_OK;
    if (device->gpu) return ww__gpu_copy(device, to, from, (size_t)bytes);
    ww__copy_by_threads(device, to, from, (size_t)bytes);
    return WW_OK;
}

static ww_status bring_level(ww_lsm *lsm, const ww__lsm_level *from) {
    ww__lsm_level *const to = &lsm->level[lsm->levels];
    WW_TRY(ww__lsm_level_new(lsm, from->count, to));
    lsm->levels++; /* which is given back with it */
    WW_TRY(bring(lsm->device, to->keys, from->keys, from->count * lsm->key_size));
    if (lsm->value) WW_TRY(bring(lsm->device, to->values, from->values, from->count * lsm->value_size));
    if (from->dead) return bring(lsm->device, to->dead, from->dead, from->count);
    to->dead = NULL;
    return WW_OK;
}

/* The levels go from the file's own dictionary, whose memory is the map, to another one of the same types. */
static ww_status bring_levels(ww_dict *dict, ww_lsm **lsm) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    options.batch = dict->header.batch;
    options.value_size = dict->header.value_size;
    WW_TRY(ww__store_need_all(dict));
    WW_TRY(ww__lsm_open(dict->device, dict->lsm->key, dict->lsm->value, lsm, &options));
    for (size_t j = 0; j < dict->lsm->levels; j++) {
        const ww_status status = bring_level(*lsm, &dict->lsm->level[j]);
        if (!status) continue;
        ww__lsm_close(*lsm);
        *lsm = NULL;
        return status;
    }
    return WW_OK;
}

static ww_status load(ww_device *device, const char *path, const ww_type *value, ww_lsm **lsm) {
    ww_dict *dict;
    WW_TRY(ww__not_on_paper(device));
    WW_CHECK(device, lsm, WW_INVALID, "lsm is NULL");
    WW_TRY(ww__store_open(device, path, value, false, &dict));
    const ww_status status = bring_levels(dict, lsm);
    ww__store_close(dict);
    return status;
}

ww_status ww_lsm_load(ww_device *device, const char *path, const ww_type *value, ww_lsm **lsm) {
    if (lsm) *lsm = NULL;
    const ww_status status = ww__enter(device, "ww_lsm_load");
    return status ? status : ww__leave(device, load(device, path, value, lsm));
}
