/* A file that takes another's place, from its temporary name to its own; and what is written directly. */
#include "file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file/access.h"

ww_status ww__output_fail(const ww__output *to, const char *what) {
    return ww__fail(to->transfer.device, WW_FILE, "%.200s: %s: %s", to->transfer.name, what, strerror(errno));
}

/* ---- opening ---- */

/* A folder is held as a place only, which is allowed of those that cannot be read, too; to be forced it must be opened, and
 * what can go wrong then is to go wrong now. */
static ww_status open_folder(ww__output *to) {
    const int place = to->place.folder;
    to->place.folder = ww__above_standard(openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const int problem = errno;
    close(place);
    errno = problem;
    return to->place.folder < 0 ? ww__output_fail(to, "its folder cannot be opened to be flushed to the disk") : WW_OK;
}

static ww_status open_temporary(ww__output *to) {
    const ww__file_place *place = &to->place;
    if (to->durable) WW_TRY(open_folder(to));
    to->mode = place->there ? WW__MODE_UNKNOWN : ww__mode_of_new(place->folder);
    const bool as_made = !place->there && to->mode == WW__MODE_UNKNOWN;
    /* It gets a name by its descriptor's, at the end. */
    if (to->nameless && ww__temporary_can_link(place->folder, place->name)) {
        to->fd = ww__above_standard(
            openat(place->folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, as_made ? 0666 : 0600));
        if (to->fd >= 0) return WW_OK;
    }
    to->nameless = false;
    return ww__temporary_open(&to->transfer, place->folder, place->name, as_made ? 0666 : 0600, to->temporary, &to->fd);
}

/* What is written to a descriptor goes through a copy of it, so that its closing says what went wrong. */
static ww_status open_directly(ww__output *to) {
    if (to->place.descriptor >= 0)
        to->fd = fcntl(to->place.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    else
        WW_TRY(ww__transfer_open(&to->transfer, to->transfer.path, O_WRONLY | O_NOCTTY, &to->fd));
    return to->fd < 0 ? ww__output_fail(to, "cannot be opened for writing") : WW_OK;
}

ww_status ww__output_open(ww__output *to) {
    return ww__file_place_is_replaced(&to->place) ? open_temporary(to) : open_directly(to);
}

/* ---- finishing ---- */

/* The old file is read for its attributes; where that is not allowed being able to write it is enough for some. */
static ww_status give_access(ww__output *to) {
    enum { FLAGS = O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC };
    const ww__file_place *place = &to->place;
    if (!place->there) {
        return to->mode == WW__MODE_UNKNOWN || fchmod(to->fd, to->mode) == 0
                   ? WW_OK
                   : ww__output_fail(to, "cannot have its permissions");
    }
    int old = openat(place->folder, place->name, O_RDONLY | FLAGS);
    if (old < 0) old = openat(place->folder, place->name, O_WRONLY | FLAGS);
    const ww_status status = ww__access_copy(&to->transfer, old, &place->status, to->fd);
    if (old >= 0) close(old);
    return status;
}

static bool force(int fd) {
    int failed;
    while ((failed = fsync(fd)) && errno == EINTR) {}
    return !failed;
}

/* close says what the system could only find out late (a full disk of another machine). It is a copy that is closed: the lock
 * of a temporary file is kept. */
ww_status ww__output_finish(ww__output *to) {
    const bool replaces = ww__file_place_is_replaced(&to->place);
    if (replaces) WW_TRY(give_access(to));
    if (to->durable && !force(to->fd) && (replaces || (errno != EINVAL && errno != ENOTSUP && errno != EROFS)))
        return ww__output_fail(to, "cannot be flushed to the disk");
    int failed;
    do {
        const int copy = fcntl(to->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        failed = copy < 0 || close(copy);
    } while (failed && errno == EINTR);
    if (failed) return ww__output_fail(to, "cannot be written to its end");
    return replaces && to->nameless
               ? ww__temporary_link(&to->transfer, to->place.folder, to->place.name, to->fd, to->temporary)
               : WW_OK;
}

/* ---- renaming ---- */

/* A second name for what is to be replaced, one of those that the next process looks at. */
static bool keep_by_link(const ww__output *to, char kept[WW__TEMPORARY_NAME_BYTES]) {
    const int folder = to->place.folder;
    for (unsigned i = 0; i < WW__TEMPORARY_NAMES; i++) {
        ww__temporary_name(to->place.name, i, kept);
        if (linkat(folder, to->place.name, folder, kept, 0) == 0) return true;
        if (errno != EEXIST) return false;
    }
    return false;
}

static ww_status give_name(ww__output *to, bool last) {
    const int folder = to->place.folder;
    const char *name = to->place.name;
    char kept[WW__TEMPORARY_NAME_BYTES] = "";
    if (!last) {
        if (renameat2(folder, to->temporary, folder, name, RENAME_EXCHANGE) == 0) {
            to->named = WW__NAMED_EXCHANGED;
            return WW_OK;
        }
        if (errno != ENOENT && !keep_by_link(to, kept)) kept[0] = '\0';
    }
    const bool nothing = !last && !kept[0] && faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) && errno == ENOENT;
    if (renameat(folder, to->temporary, folder, name)) {
        const int problem = errno;
        if (kept[0]) unlinkat(folder, kept, 0);
        errno = problem;
        return ww__output_fail(to, "the finished file cannot be renamed to it");
    }
    to->named = kept[0] ? WW__NAMED_LINKED : nothing ? WW__NAMED_NEW : WW__NAMED_FOR_GOOD;
    strcpy(to->temporary, kept);
    return WW_OK;
}

/* Nobody else has put another file there meanwhile. */
static bool has_its_name(const ww__output *to) {
    struct stat here, named;
    return fstat(to->fd, &here) == 0 && fstatat(to->place.folder, to->place.name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           here.st_dev == named.st_dev && here.st_ino == named.st_ino;
}

/* The name leads to what stood there before. What cannot be brought back stays under its temporary name. */
static bool undo(ww__output *to) {
    const int folder = to->place.folder;
    bool undone = true;
    if (to->named == WW__NAMED_EXCHANGED)
        undone = renameat2(folder, to->temporary, folder, to->place.name, RENAME_EXCHANGE) == 0;
    else if (to->named == WW__NAMED_LINKED)
        undone = renameat(folder, to->temporary, folder, to->place.name) == 0;
    else if (to->named == WW__NAMED_NEW)
        undone = has_its_name(to) && unlinkat(folder, to->place.name, 0) == 0;
    else if (to->named == WW__NAMED_FOR_GOOD)
        undone = false;
    if (!undone || to->named == WW__NAMED_LINKED) to->temporary[0] = '\0';
    return undone;
}

/* The sentence of what failed is there already; one about what stays new is added to it. */
static void undo_all(ww__output *outputs, size_t count) {
    for (size_t i = count; i-- > 0;) {
        char before[1024];
        const ww__output *to = &outputs[i];
        if (undo(&outputs[i])) continue;
        ww_device *device = to->transfer.device;
        const char *sentence = strstr(device->error, ": ");
        snprintf(before, sizeof before, "%.1000s", sentence ? sentence + 2 : device->error);
        ww__fail(device, WW_FILE, "%s; %.200s has its new content already", before, to->transfer.name);
    }
}

static ww_status force_folder(const ww__output *to) {
    return force(to->place.folder) ? WW_OK
                                   : ww__output_fail(to, "is written, but its folder cannot be flushed to the disk");
}

ww_status ww__output_name_all(ww__output *outputs, size_t count) {
    size_t last = count;
    for (size_t i = 0; i < count; i++)
        if (ww__file_place_is_replaced(&outputs[i].place)) last = i;
    for (size_t i = 0; i < count; i++) {
        if (!ww__file_place_is_replaced(&outputs[i].place)) continue;
        const ww_status status = give_name(&outputs[i], i == last);
        if (status) {
            undo_all(outputs, i);
            return status;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (outputs[i].durable && ww__file_place_is_replaced(&outputs[i].place)) WW_TRY(force_folder(&outputs[i]));
    return WW_OK;
}

void ww__output_drop(ww__output *to) {
    if (to->temporary[0]) unlinkat(to->place.folder, to->temporary, 0);
    if (to->fd >= 0) close(to->fd);
    ww__file_place_close(&to->place);
}
