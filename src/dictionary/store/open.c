/* Opening a dictionary's file: its header, its lock, and which of its two states counts.
 *
 * The newer one that is whole. Where one of them is damaged – by a machine that stopped while it was written, or by a disk –
 * what it said may be the newer state, whose copy stands behind what the other one refers to and was on the disk before. It
 * counts then, if all that it refers to is there; if there is something else there, nobody knows what is missing, and the file
 * is refused. A writer writes the damaged one anew before it does anything else, and cuts off what a stopped writer left. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dictionary/store/store.h"
#include "file/source.h"

typedef unsigned long long ull;

enum { ATTEMPTS = 100 };

static ww_status fail_with(const ww_dict *dict, const char *what) {
    return ww__fail(dict->device, WW_FILE, "%.200s: %s: %s", dict->name, what, strerror(errno));
}

/* ---- the file and its lock ---- */

ww_status ww__store_lock(ww_device *device, const char *name, int fd) {
    while (flock(fd, LOCK_EX | LOCK_NB)) {
        WW_CHECK(device, errno != EWOULDBLOCK, WW_FILE, "%.200s: another process has it open for writing", name);
        if (errno != EINTR) return ww__fail(device, WW_FILE, "%.200s: cannot be locked: %s", name, strerror(errno));
    }
    return WW_OK;
}

/* Whether the file that is open still is the one of the name; another writer may have put a new one in its place. */
static bool has_its_name(const ww_dict *dict) {
    struct stat opened, named;
    return fstat(dict->fd, &opened) == 0 && stat(dict->name, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static ww_status open_file(ww_dict *dict) {
    struct stat status;
    ww__transfer t = {dict->device, dict->name, dict->name, NULL, 0, 0};
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        WW_TRY(
            ww__transfer_open(&t, dict->name, (dict->writes ? O_RDWR : O_RDONLY) | O_NOCTTY | O_NONBLOCK, &dict->fd));
        if (dict->fd < 0) return fail_with(dict, dict->writes ? "cannot be opened for writing" : "cannot be opened");
        if (fstat(dict->fd, &status)) return fail_with(dict, "cannot be opened");
        WW_CHECK(dict->device, S_ISREG(status.st_mode), WW_FORMAT,
                 "%.200s: is not a dictionary: it is not a regular file", dict->name);
        if (!dict->writes) return WW_OK;
        WW_TRY(ww__store_lock(dict->device, dict->name, dict->fd));
        if (has_its_name(dict)) return WW_OK;
        close(dict->fd);
        dict->fd = -1;
    }
    return ww__fail(dict->device, WW_FILE, "%.200s: another process has it open for writing", dict->name);
}

/* As much of a page as there is; the rest is 0. */
static ww_status read_page(const ww_dict *dict, uint64_t at, void *page) {
    ww__transfer t = {dict->device, dict->name, dict->name, NULL, 0, 0};
    size_t done = 0;
    memset(page, 0, WW__STORE_PAGE);
    while (done < WW__STORE_PAGE) {
        const ssize_t n = pread(dict->fd, (unsigned char *)page + done, WW__STORE_PAGE - done, (off_t)(at + done));
        bool again = false;
        if (n < 0) WW_TRY(ww__transfer_again(&t, dict->fd, POLLIN, &again));
        if (again) continue;
        if (n < 0) return fail_with(dict, "cannot be read");
        if (n == 0) return WW_OK;
        done += (size_t)n;
    }
    return WW_OK;
}

/* ---- the state ---- */

static ww_status map_state(ww_dict *dict, uint64_t bytes) {
    WW_TRY(ww__store_state_check(dict->device, dict->name, &dict->header, &dict->state, bytes));
    return ww__store_map_new(dict->device, dict->name, dict->fd, dict->state.end, &dict->map);
}

static ww_status check_behind(ww_dict *dict, uint64_t before) {
    for (uint64_t j = 0; j < dict->state.levels; j++)
        if (dict->state.level[j].at >= before) WW_TRY(ww__store_need_level(dict, j));
    return WW_OK;
}

/* One state is damaged, and the other one is in dict->state. */
static ww_status take_copy(ww_dict *dict, uint64_t bytes, const ww__store_state *copy) {
    const uint64_t end = dict->state.end;
    if (bytes <= end) return map_state(dict, bytes);
    const bool follows = ww__store_is_state(copy) && copy->changes == dict->state.changes + 1;
    ww_status status = follows ? WW_OK : WW_FORMAT;
    if (follows) {
        dict->state = *copy;
        status = map_state(dict, bytes);
        if (!status) status = check_behind(dict, end);
    }
    WW_CHECK(dict->device, status != WW_FORMAT, WW_FORMAT,
             "%.200s: is damaged: one of its two states, and what lies beyond the end of the other, at byte %llu",
             dict->name, (ull)end);
    return status;
}

static ww_status heal(ww_dict *dict, uint64_t page) {
    WW_TRY(ww__store_write_page(dict->device, dict->name, dict->fd, &dict->state, page * WW__STORE_PAGE));
    dict->half = false;
    return ww__store_force(dict->fd) ? WW_OK : fail_with(dict, "cannot be flushed to the disk");
}

static ww_status find_state(ww_dict *dict) {
    ww__store_state *states; /* the two, and the copy behind one of them */
    struct stat status;
    WW_TRY(ww__host_scratch(dict->device, 3 * sizeof *states, &states));
    WW_TRY(read_page(dict, WW__STORE_PAGE, &states[0]));
    WW_TRY(read_page(dict, 2 * WW__STORE_PAGE, &states[1]));
    const bool whole[2] = {ww__store_is_state(&states[0]), ww__store_is_state(&states[1])};
    WW_CHECK(dict->device, whole[0] || whole[1], WW_FORMAT, "%.200s: is damaged: neither of its two states is intact",
             dict->name);
    const int newest = !whole[0] || (whole[1] && states[1].changes > states[0].changes);
    dict->state = states[newest];
    /* What the states refer to was there before they were written. */
    if (fstat(dict->fd, &status)) return fail_with(dict, "cannot be read");
    const uint64_t bytes = (uint64_t)status.st_size;
    if (whole[0] && whole[1]) {
        WW_TRY(map_state(dict, bytes));
    } else {
        if (dict->state.end < bytes) WW_TRY(read_page(dict, dict->state.end, &states[2]));
        WW_TRY(take_copy(dict, bytes, &states[2]));
        dict->half = true;
        if (dict->writes) WW_TRY(heal(dict, whole[0] ? 2 : 1));
    }
    if (dict->writes && bytes > dict->state.end && ftruncate(dict->fd, (off_t)dict->state.end)) errno = 0; /* as well */
    return WW_OK;
}

static ww_status read_header(ww_dict *dict) {
    struct stat status;
    WW_TRY(read_page(dict, 0, &dict->header));
    if (fstat(dict->fd, &status)) return fail_with(dict, "cannot be read");
    return ww__store_header_check(dict->device, dict->name, &dict->header, (uint64_t)status.st_size);
}

/* ---- types ---- */

static ww_status find_value(const ww_dict *dict, const ww_type *value, const ww_type **type) {
    const ww__store_header *const h = &dict->header;
    *type = NULL;
    if (value) {
        WW_CHECK(dict->device, h->value_size, WW_TYPE, "%.200s: has no values, and value is %s", dict->name,
                 value->label);
        const bool fits = strncmp(value->label, h->value, sizeof h->value - 1) == 0 &&
                          (value->size == h->value_size || value->kind == WW_KIND_RECORD);
        WW_CHECK(dict->device, fits, WW_TYPE, "%.200s: has values of type %s (%u bytes), and value is %s (%zu bytes)",
                 dict->name, h->value, h->value_size, value->label, value->size);
        *type = value;
    } else if (h->value_size) {
        const ww_type *const named = ww_type_named(h->value);
        *type = named && named->size == h->value_size ? named : &ww_type_record;
    }
    return WW_OK;
}

static ww_status open_lsm(ww_dict *dict, const ww_type *value) {
    const ww_type *type;
    ww_lsm_options options = WW_LSM_OPTIONS;
    WW_TRY(find_value(dict, value, &type));
    options.batch = dict->header.batch;
    options.value_size = type ? dict->header.value_size : 0;
    return ww__lsm_open(dict->device, dict->header.key_size == sizeof(uint32_t) ? &ww_type_uint32_t : &ww_type_uint64_t,
                        type, &dict->lsm, &options);
}

void ww__store_attach(ww_dict *dict) {
    ww_lsm *const lsm = dict->lsm;
    const ww__store_state *const s = &dict->state;
    for (size_t j = 0; j < lsm->levels; j++) ww__lsm_level_give(lsm, &lsm->level[j]);
    lsm->levels = (size_t)s->levels;
    for (size_t j = 0; j < lsm->levels; j++) {
        ww__store_parts parts;
        unsigned char *const begin = (unsigned char *)(uintptr_t)dict->map.bytes + s->level[j].at;
        ww__store_parts_of(&dict->header, s->level[j].count, s->level[j].marks, &parts);
        lsm->level[j] = (ww__lsm_level){.count = s->level[j].count, .keys = begin, .at = s->level[j].at};
        if (dict->header.value_size) lsm->level[j].values = begin + parts.values;
        if (s->level[j].marks) lsm->level[j].dead = begin + parts.marks;
    }
}

/* ---- all of it ---- */

static ww_status open_parts(ww_dict *dict, const ww_type *value) {
    WW_TRY(open_file(dict));
    WW_TRY(read_header(dict));
    WW_TRY(open_lsm(dict, value));
    WW_TRY(find_state(dict));
    ww__store_attach(dict);
    return WW_OK;
}

ww_status ww__store_open(ww_device *device, const char *path, const ww_type *value, bool writes, ww_dict **dict) {
    WW_CHECK(device, path, WW_INVALID, "path is NULL");
    const size_t name_bytes = strlen(path) + 1;
    ww_dict *const made = ww__allocate(device, sizeof *made, 64);
    if (!made) return ww__no_memory(device, sizeof *made);
    *made = (ww_dict){.device = device, .fd = -1, .lock = -1, .writes = writes, .name_bytes = name_bytes};
    made->name = ww__allocate(device, name_bytes, 64);
    if (made->name) memcpy(made->name, path, name_bytes);
    const ww_status status = made->name ? open_parts(made, value) : ww__no_memory(device, name_bytes);
    if (status) {
        ww__store_close(made);
        return status;
    }
    *dict = made;
    return WW_OK;
}

void ww__store_close(ww_dict *dict) {
    ww_device *const device = dict->device;
    ww__lsm_close(dict->lsm);
    ww__store_map_close(device, &dict->map);
    if (dict->fd >= 0) close(dict->fd);
    if (dict->lock >= 0) close(dict->lock);
    if (dict->name) ww__release(device, dict->name, dict->name_bytes);
    ww__release(device, dict, sizeof *dict);
}
