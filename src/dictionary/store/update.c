/* Updates of a dictionary in a file. The levels that the batch is merged with are checked, ww_lsm's own update makes the new
 * one in memory, and that is written behind the end of the file, or with all others to a new file where more than half would be
 * dead. Then the state says so (layout.h), and the new level is read from the file as the others are. Whatever fails before
 * that, the levels are those of before. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "device/paper.h"
#include "dictionary/store/store.h"

enum { DEAD_ALLOWED = 1 << 16 }; /* bytes, in any file */

static ww_status fail_with(const ww_dict *dict, const char *what) {
    return ww__fail(dict->device, WW_FILE, "%.200s: %s: %s", dict->name, what, strerror(errno));
}

/* ---- to the end of the file ---- */

typedef struct appending {
    ww__store_state *state; /* that is to be */
    ww__store_map map;
} appending;

/* The levels that stay, behind the new one where there is one. */
static void state_of(const ww_dict *dict, ww__store_state *state, ww__store_level *made) {
    const ww_lsm *const lsm = dict->lsm;
    memset(state, 0, sizeof *state);
    state->changes = dict->state.changes + 1;
    state->levels = lsm->levels;
    for (size_t j = 0; j < lsm->levels; j++) {
        if (!lsm->level[j].at) {
            state->level[j] = *made;
            continue;
        }
        for (uint64_t k = 0; k < dict->state.levels; k++)
            if (dict->state.level[k].at == lsm->level[j].at) state->level[j] = dict->state.level[k];
    }
}

static const ww__lsm_level *new_level(const ww_lsm *lsm) {
    return lsm->levels && !lsm->level[0].at ? &lsm->level[0] : NULL;
}

static ww_status write_behind(ww_dict *dict, appending *a) {
    const ww__lsm_level *const made = new_level(dict->lsm);
    const uint64_t begin = dict->state.end;
    ww__store_level at = {.at = begin + WW__STORE_PAGE};
    ww__store_parts parts = {0};
    unsigned char *buffer = NULL;
    if (made) {
        WW_TRY(ww__store_write_level(dict->device, dict->name, dict->fd, &dict->header, made, true, &buffer, &at));
        ww__store_parts_of(&dict->header, made->count, made->dead, &parts);
    }
    state_of(dict, a->state, &at);
    a->state->end = begin + WW__STORE_PAGE + parts.bytes;
    ww__store_state_seal(a->state);
    WW_TRY(ww__store_write_page(dict->device, dict->name, dict->fd, a->state, begin));
    WW_TRY(ww__store_map_new(dict->device, dict->name, dict->fd, a->state->end, &a->map));
    return ww__store_force(dict->fd) ? WW_OK : fail_with(dict, "cannot be flushed to the disk");
}

/* Which pages of the old map were checked is known of the same pages in the new one. */
static void take_map(ww_dict *dict, appending *a) {
    memcpy(a->map.checked, dict->map.checked, (size_t)dict->map.pages);
    ww__store_map_close(dict->device, &dict->map);
    dict->map = a->map;
    dict->state = *a->state;
}

static ww_status append(ww_dict *dict, ww__store_state *state) {
    appending a = {.state = state};
    ww_status status = write_behind(dict, &a);
    if (!status)
        status = ww__store_write_page(dict->device, dict->name, dict->fd, state,
                                      WW__STORE_PAGE * (1 + state->changes % 2));
    if (status) { /* what is left behind the end, if it cannot be cut, counts for nothing */
        ww__store_map_close(dict->device, &a.map);
        if (ftruncate(dict->fd, (off_t)dict->state.end)) errno = 0;
        return status;
    }
    take_map(dict, &a);
    return ww__store_force(dict->fd) ? WW_OK
                                     : fail_with(dict, "the batch is in the file, which cannot be flushed to the disk");
}

/* ---- to a new file ---- */

static ww_status rewrite(ww_dict *dict, ww__store_state *state, bool *done) {
    appending a = {.state = state};
    int fd = -1, lock = -1;
    for (size_t j = 0; j < dict->lsm->levels; j++) {
        uint64_t k = 0;
        while (k < dict->state.levels && dict->state.level[k].at != dict->lsm->level[j].at) k++;
        if (k < dict->state.levels) WW_TRY(ww__store_need_level(dict, k));
    }
    ww__store_saving s = {.lsm = dict->lsm,
                          .header = &dict->header,
                          .path = dict->name,
                          .in_host = true,
                          .keeps = true,
                          .replaced = dict->fd,
                          .changes = dict->state.changes + 1,
                          .state = state,
                          .fd = &fd,
                          .lock = &lock,
                          .map = &a.map};
    const ww_status status = ww__store_save(dict->device, &s);
    *done = s.renamed;
    if (!s.renamed) return status;
    ww__store_map_close(dict->device, &dict->map);
    close(dict->fd);
    if (dict->lock >= 0) close(dict->lock);
    dict->fd = fd;
    dict->lock = lock;
    dict->map = a.map;
    dict->state = *state;
    return status;
}

/* ---- which of them ---- */

static bool is_mostly_dead(const ww_dict *dict) {
    const ww_lsm *const lsm = dict->lsm;
    uint64_t live = 0, end = dict->state.end + WW__STORE_PAGE;
    for (size_t j = 0; j < lsm->levels; j++) {
        ww__store_parts parts = {0};
        ww__store_parts_of(&dict->header, lsm->level[j].count, lsm->level[j].dead, &parts);
        live += parts.bytes;
        if (!lsm->level[j].at) end += parts.bytes;
    }
    return end - WW__STORE_BEGIN > 2 * live + DEAD_ALLOWED;
}

/* Has the file say what the dictionary's levels are now. */
static ww_status commit(ww_dict *dict, bool anew, bool *done) {
    ww__store_state *state;
    WW_TRY(ww__host_scratch(dict->device, sizeof *state, &state));
    if (anew) return rewrite(dict, state, done);
    if (is_mostly_dead(dict)) {
        const ww_status status = rewrite(dict, state, done);
        if (*done || status != WW_FILE) return status;
    }
    const uint64_t before = dict->state.changes;
    const ww_status status = append(dict, state);
    *done = dict->state.changes != before;
    return status;
}

/* After an update of dict->lsm: the levels are the file's again, those of before where nothing has been written. */
static ww_status finish(ww_dict *dict, bool anew) {
    bool done = false;
    const ww_status status = commit(dict, anew, &done);
    ww__store_attach(dict);
    return status;
}

static ww_status check_writes(const ww_dict *dict) {
    WW_TRY(ww__not_on_paper(dict->device));
    WW_CHECK(dict->device, dict->writes, WW_FILE, "%.200s: was opened for reading only", dict->name);
    return WW_OK;
}

static ww_status update(ww_dict *dict, const ww_input *keys, const ww_input *values, const ww_input *deletes,
                        bool delete_all) {
    ww_lsm *const lsm = dict->lsm;
    WW_TRY(check_writes(dict));
    const uint64_t count = keys->count;
    const size_t merged = ww__lsm_merged_with(lsm, count);
    for (size_t j = 0; count && j < merged; j++) WW_TRY(ww__store_need_level(dict, j));
    const ww_status status = ww__lsm_update(lsm, keys, values, deletes, delete_all);
    if (status || !count) return status;
    return finish(dict, false);
}

static ww_status cleanup(ww_dict *dict) {
    WW_TRY(check_writes(dict));
    WW_TRY(ww__store_need_all(dict));
    const ww_status status = ww__lsm_cleanup(dict->lsm);
    return status ? status : finish(dict, true);
}

/* ---- the public functions ---- */

#define BODY(name, body) \
    do { \
        if (!dict) return WW_INVALID; \
        WW_TRY(ww__enter(dict->device, name)); \
        return ww__leave(dict->device, body); \
    } while (0)

ww_status ww_dict_insert(ww_dict *dict, ww_input keys, ww_input values) {
    BODY("ww_dict_insert", update(dict, &keys, &values, NULL, false));
}

ww_status ww_dict_delete(ww_dict *dict, ww_input keys) {
    const ww_input none = ww_no_input;
    BODY("ww_dict_delete", update(dict, &keys, &none, NULL, true));
}

ww_status ww_dict_update(ww_dict *dict, ww_input keys, ww_input values, ww_input deletes) {
    BODY("ww_dict_update", update(dict, &keys, &values, &deletes, false));
}

ww_status ww_dict_cleanup(ww_dict *dict) { BODY("ww_dict_cleanup", cleanup(dict)); }
