/* A whole file at once: written and forced to the disk under another name, and given the one that it is to have. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/paper.h"
#include "dictionary/store/store.h"
#include "file/access.h"
#include "file/place.h"
#include "file/temporary.h"

typedef struct target {
    ww__store_saving *s;
    ww__transfer transfer;
    ww__file_place place;
    char temporary[WW__TEMPORARY_NAME_BYTES];
    int lock, fd,
        old;    /* lock: the temporary file as it was made; fd: opened again, to be read, too; old: what is replaced */
    int folder; /* to be forced */
} target;

static ww_status fail_with(const target *to, const char *what) {
    return ww__fail(to->transfer.device, WW_FILE, "%.200s: %s: %s", to->transfer.name, what, strerror(errno));
}

/* ---- the place ---- */

/* The name may have become another file's since this one was opened. */
static ww_status check_replaced(const target *to) {
    struct stat opened;
    const struct stat *const named = &to->place.status;
    const bool same = to->place.there && fstat(to->s->replaced, &opened) == 0 && opened.st_dev == named->st_dev &&
                      opened.st_ino == named->st_ino;
    WW_CHECK(to->transfer.device, same, WW_FILE, "%.200s: is another file than the one that was opened", to->s->path);
    return WW_OK;
}

static ww_status find_place(target *to) {
    ww__store_saving *const s = to->s;
    WW_TRY(ww__file_place_find(&to->transfer, &to->place));
    if (s->replaced >= 0) WW_TRY(check_replaced(to));
    WW_CHECK(to->transfer.device, !s->fresh || !to->place.there, WW_FILE, "%.200s: already exists", s->path);
    WW_CHECK(to->transfer.device, ww__file_place_is_replaced(&to->place), WW_FILE,
             "%.200s: is not a regular file, and a dictionary needs one", s->path);
    to->folder = ww__above_standard(openat(to->place.folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (to->folder < 0) return fail_with(to, "its folder cannot be opened to be flushed to the disk");
    if (!to->place.there || s->replaced >= 0) return WW_OK;
    /* Nobody writes to the file while another takes its name. One that cannot be read is no dictionary of this user's. */
    to->old = ww__above_standard(
        openat(to->place.folder, to->place.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    return to->old < 0 ? WW_OK : ww__store_lock(to->transfer.device, s->path, to->old);
}

static ww_status open_temporary(target *to) {
    const mode_t mode = to->place.there ? WW__MODE_UNKNOWN : ww__mode_of_new(to->place.folder);
    const bool as_made = !to->place.there && mode == WW__MODE_UNKNOWN;
    WW_TRY(ww__temporary_open(&to->transfer, to->place.folder, to->place.name, as_made ? 0666 : 0600, to->temporary,
                              &to->lock));
    to->fd = ww__above_standard(
        openat(to->place.folder, to->temporary, O_RDWR | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (to->fd < 0) return fail_with(to, "cannot be written");
    if (!to->place.there)
        return as_made || fchmod(to->fd, mode) == 0 ? WW_OK : fail_with(to, "cannot have its permissions");
    const int old = to->s->replaced >= 0 ? to->s->replaced : to->old;
    return ww__access_copy(&to->transfer, old, &to->place.status, to->fd);
}

/* ---- what is written ---- */

static ww_status write_all(target *to) {
    ww__store_saving *const s = to->s;
    ww__store_state *const state = s->state;
    ww_device *const device = to->transfer.device;
    unsigned char *buffer = NULL;
    memset(state, 0, sizeof *state);
    state->changes = s->changes;
    state->levels = s->lsm->levels;
    state->end = WW__STORE_BEGIN;
    for (size_t j = 0; j < s->lsm->levels; j++) {
        ww__store_parts parts;
        const ww__lsm_level *const level = &s->lsm->level[j];
        state->level[j].at = state->end;
        WW_TRY(ww__store_write_level(device, s->path, to->fd, s->header, level, s->in_host, &buffer, &state->level[j]));
        ww__store_parts_of(s->header, level->count, level->dead, &parts);
        state->end += parts.bytes;
    }
    ww__store_state_seal(state);
    WW_TRY(ww__store_write_page(device, s->path, to->fd, s->header, 0));
    WW_TRY(ww__store_write_page(device, s->path, to->fd, state, WW__STORE_PAGE));
    WW_TRY(ww__store_write_page(device, s->path, to->fd, state, 2 * WW__STORE_PAGE));
    return ww__store_force(to->fd) ? WW_OK : fail_with(to, "cannot be flushed to the disk");
}

/* ---- its name ---- */

static ww_status give_name(target *to) {
    const int folder = to->place.folder;
    if (!to->s->fresh) {
        if (renameat(folder, to->temporary, folder, to->place.name))
            return fail_with(to, "the finished file cannot be renamed to it");
        to->temporary[0] = '\0';
    } else if (renameat2(folder, to->temporary, folder, to->place.name, RENAME_NOREPLACE) == 0) {
        to->temporary[0] = '\0';
    } else { /* where the file system knows no such renaming */
        WW_CHECK(to->transfer.device, errno != EEXIST, WW_FILE, "%.200s: already exists", to->s->path);
        if (linkat(folder, to->temporary, folder, to->place.name, 0))
            return fail_with(to, "the finished file cannot be renamed to it");
    }
    to->s->renamed = true;
    return WW_OK;
}

static ww_status force_folder(const target *to) {
    int failed;
    while ((failed = fsync(to->folder)) && errno == EINTR) {}
    return failed ? fail_with(to, "is written, but its folder cannot be flushed to the disk") : WW_OK;
}

static ww_status save(target *to) {
    ww__store_saving *const s = to->s;
    WW_TRY(find_place(to));
    WW_TRY(open_temporary(to));
    WW_TRY(write_all(to));
    if (s->keeps) WW_TRY(ww__store_map_new(to->transfer.device, s->path, to->fd, s->state->end, s->map));
    WW_TRY(give_name(to));
    if (s->keeps) {
        *s->fd = to->fd;
        *s->lock = to->lock;
        to->fd = to->lock = -1;
    }
    return force_folder(to);
}

ww_status ww__store_save(ww_device *device, ww__store_saving *s) {
    target to = {
        .s = s, .transfer = {device, s->path, s->path, NULL, 0, 0}, .lock = -1, .fd = -1, .old = -1, .folder = -1};
    to.place.folder = -1;
    const ww_status status = save(&to);
    if (status && s->keeps && !s->renamed) ww__store_map_close(device, s->map);
    if (to.temporary[0]) unlinkat(to.place.folder, to.temporary, 0);
    const int descriptors[] = {to.lock, to.fd, to.old, to.folder};
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        if (descriptors[i] >= 0) close(descriptors[i]);
    ww__file_place_close(&to.place);
    return status;
}

/* ---- the public functions ---- */

static ww_status save_lsm(ww_lsm *lsm, const char *path) {
    ww__store_header *header;
    ww__store_state *state;
    WW_TRY(ww__not_on_paper(lsm->device));
    WW_CHECK(lsm->device, path, WW_INVALID, "path is NULL");
    WW_TRY(ww__host_scratch(lsm->device, sizeof *header, &header));
    WW_TRY(ww__host_scratch(lsm->device, sizeof *state, &state));
    ww__store_header_of(lsm, header);
    ww__store_saving s = {.lsm = lsm, .header = header, .path = path, .replaced = -1, .state = state};
    return ww__store_save(lsm->device, &s);
}

ww_status ww_lsm_save(ww_lsm *lsm, const char *path) {
    if (!lsm) return WW_INVALID;
    WW_TRY(ww__enter(lsm->device, "ww_lsm_save"));
    return ww__leave(lsm->device, save_lsm(lsm, path));
}

static ww_status create(ww_device *device, const char *path, const ww_type *key, const ww_type *value,
                        const ww_lsm_options *options) {
    ww_lsm *lsm;
    ww__store_header *header;
    ww__store_state *state;
    WW_TRY(ww__not_on_paper(device));
    WW_CHECK(device, path, WW_INVALID, "path is NULL");
    WW_TRY(ww__host_scratch(device, sizeof *header, &header));
    WW_TRY(ww__host_scratch(device, sizeof *state, &state));
    WW_TRY(ww__lsm_open(device, key, value, &lsm, options));
    ww__store_header_of(lsm, header);
    ww__store_saving s = {.lsm = lsm, .header = header, .path = path, .fresh = true, .replaced = -1, .state = state};
    const ww_status status = ww__store_save(device, &s);
    ww__lsm_close(lsm);
    return status;
}

ww_status ww_dict_create(ww_device *device, const char *path, const ww_type *key, const ww_type *value,
                         const ww_lsm_options *options) {
    const ww_status status = ww__enter(device, "ww_dict_create");
    return status ? status : ww__leave(device, create(device, path, key, value, options));
}
