/* Writing arrays. Every output is first written whole under a temporary name in its target's folder; then those that are no
 * regular files are written directly; only then are files renamed, one after another. Whatever fails before that, the
 * temporary files are removed and no target has changed.
 *
 * What a renaming replaces is kept until all are done, but for the last one, after which nothing can fail: the new file and the
 * old one exchange their names, or the old one gets a second name. So the others can be undone when one fails. */
#include "warpwise/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/array.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "device/paper.h"
#include "file/access.h"
#include "file/npy.h"
#include "file/place.h"
#include "file/source.h"
#include "file/temporary.h"

enum { PIECE = 8 << 20 };

/* What giving a file its name did, and undoing it has to do. */
typedef enum naming { NAMED_NOT, NAMED_NEW, NAMED_EXCHANGED, NAMED_LINKED, NAMED_FOR_GOOD } naming;

typedef struct target {
    ww__transfer transfer;
    ww_array array; /* what is written */
    ww__file_place place;
    int fd;                                   /* -1: none; of a temporary file until all are renamed, for its lock */
    mode_t mode;                              /* of a new file */
    char temporary[WW__TEMPORARY_NAME_BYTES]; /* what is to be removed at the end: "" nothing */
    naming named;
    bool durable, npy;
    const ww_file_header *shape; /* or NULL */
} target;

static ww_status fail_with(const target *to, const char *what) {
    return ww__fail(to->transfer.device, WW_FILE, "%.200s: %s: %s", to->transfer.name, what, strerror(errno));
}

/* ---- opening ---- */

/* A folder is held as a place only, which is allowed of those that cannot be read, too; to be forced it must be opened, and
 * what can go wrong then is to go wrong now. */
static ww_status open_folder(target *to) {
    const int place = to->place.folder;
    to->place.folder = ww__above_standard(openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const int problem = errno;
    close(place);
    errno = problem;
    return to->place.folder < 0 ? fail_with(to, "its folder cannot be opened to be forced to the disk") : WW_OK;
}

static ww_status open_temporary(target *to) {
    const ww__file_place *place = &to->place;
    if (to->durable) WW_TRY(open_folder(to));
    to->mode = place->there ? WW__MODE_UNKNOWN : ww__mode_of_new(place->folder);
    const bool as_made = !place->there && to->mode == WW__MODE_UNKNOWN;
    return ww__temporary_open(&to->transfer, place->folder, place->name, as_made ? 0666 : 0600, to->temporary, &to->fd);
}

/* What is written to a descriptor goes through a copy of it, so that its closing says what went wrong. */
static ww_status open_directly(target *to) {
    if (to->place.descriptor >= 0)
        to->fd = fcntl(to->place.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    else
        WW_TRY(ww__transfer_open(&to->transfer, to->transfer.path, O_WRONLY | O_NOCTTY, &to->fd));
    return to->fd < 0 ? fail_with(to, "cannot be opened for writing") : WW_OK;
}

/* ---- writing ---- */

static ww_status write_bytes(target *to, const void *from, uint64_t bytes) {
    ww__transfer *t = &to->transfer;
    for (uint64_t at = 0; at < bytes;) {
        WW_TRY(ww__transfer_tell(t));
        const ssize_t n = write(to->fd, (const unsigned char *)from + at, (size_t)ww__min_u64(bytes - at, PIECE));
        if (n <= 0) {
            const int problem = n == 0 ? ENOSPC : errno;
            bool again = false;
            if (n < 0) WW_TRY(ww__transfer_again(t, to->fd, POLLOUT, &again));
            if (again) continue;
            return ww__fail(t->device, WW_FILE, "%.200s: cannot be written after %llu of %llu bytes: %s", t->name,
                            (unsigned long long)t->done, (unsigned long long)t->total, strerror(problem));
        }
        at += (uint64_t)n;
        t->done += (uint64_t)n;
    }
    return WW_OK;
}

static ww_status write_array(target *to, const ww_array *array) {
    char header[WW__NPY_WRITTEN_BYTES];
    const uint64_t bytes = array->count * array->size;
    const size_t header_bytes = to->npy ? ww__npy_header(array, to->shape, header) : 0;
    to->transfer.total = bytes + header_bytes;
    WW_TRY(write_bytes(to, header, header_bytes));
    WW_TRY(write_bytes(to, array->data, bytes));
    return ww__transfer_tell(&to->transfer);
}

/* ---- finishing ---- */

/* The old file is read for its attributes; where that is not allowed being able to write it is enough for some. */
static ww_status give_access(target *to) {
    enum { FLAGS = O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC };
    const ww__file_place *place = &to->place;
    if (!place->there) {
        return to->mode == WW__MODE_UNKNOWN || fchmod(to->fd, to->mode) == 0
                   ? WW_OK
                   : fail_with(to, "cannot have its permissions");
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
static ww_status finish(target *to) {
    const bool replaces = ww__file_place_is_replaced(&to->place);
    if (replaces) WW_TRY(give_access(to));
    if (to->durable && !force(to->fd) && (replaces || (errno != EINVAL && errno != ENOTSUP && errno != EROFS)))
        return fail_with(to, "cannot be forced to the disk");
    int failed;
    do {
        const int copy = fcntl(to->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        failed = copy < 0 || close(copy);
    } while (failed && errno == EINTR);
    return failed ? fail_with(to, "cannot be written to its end") : WW_OK;
}

static ww_status write_target(target *to) {
    WW_TRY(ww__file_place_is_replaced(&to->place) ? open_temporary(to) : open_directly(to));
    WW_TRY(write_array(to, &to->array));
    return finish(to);
}

/* ---- renaming ---- */

/* A second name for what is to be replaced, one of those that the next process looks at. */
static bool keep_by_link(const target *to, char kept[WW__TEMPORARY_NAME_BYTES]) {
    const int folder = to->place.folder;
    for (unsigned i = 0; i < WW__TEMPORARY_NAMES; i++) {
        ww__temporary_name(to->place.name, i, kept);
        if (linkat(folder, to->place.name, folder, kept, 0) == 0) return true;
        if (errno != EEXIST) return false;
    }
    return false;
}

static ww_status give_name(target *to, bool last) {
    const int folder = to->place.folder;
    const char *name = to->place.name;
    char kept[WW__TEMPORARY_NAME_BYTES] = "";
    if (!last) {
        if (renameat2(folder, to->temporary, folder, name, RENAME_EXCHANGE) == 0) {
            to->named = NAMED_EXCHANGED;
            return WW_OK;
        }
        if (errno != ENOENT && !keep_by_link(to, kept)) kept[0] = '\0';
    }
    const bool nothing = !last && !kept[0] && faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) && errno == ENOENT;
    if (renameat(folder, to->temporary, folder, name)) {
        const int problem = errno;
        if (kept[0]) unlinkat(folder, kept, 0);
        errno = problem;
        return fail_with(to, "the finished file cannot be renamed to it");
    }
    to->named = kept[0] ? NAMED_LINKED : nothing ? NAMED_NEW : NAMED_FOR_GOOD;
    strcpy(to->temporary, kept);
    return WW_OK;
}

/* Nobody else has put another file there meanwhile. */
static bool has_its_name(const target *to) {
    struct stat here, named;
    return fstat(to->fd, &here) == 0 && fstatat(to->place.folder, to->place.name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           here.st_dev == named.st_dev && here.st_ino == named.st_ino;
}

/* The name leads to what stood there before. What cannot be brought back stays under its temporary name. */
static bool undo(target *to) {
    const int folder = to->place.folder;
    bool undone = true;
    if (to->named == NAMED_EXCHANGED)
        undone = renameat2(folder, to->temporary, folder, to->place.name, RENAME_EXCHANGE) == 0;
    else if (to->named == NAMED_LINKED)
        undone = renameat(folder, to->temporary, folder, to->place.name) == 0;
    else if (to->named == NAMED_NEW)
        undone = has_its_name(to) && unlinkat(folder, to->place.name, 0) == 0;
    else if (to->named == NAMED_FOR_GOOD)
        undone = false;
    if (!undone || to->named == NAMED_LINKED) to->temporary[0] = '\0';
    return undone;
}

/* The sentence of what failed is there already; one about what stays new is added to it. */
static void undo_all(target *targets, size_t count) {
    for (size_t i = count; i-- > 0;) {
        char before[1024];
        const target *to = &targets[i];
        if (undo(&targets[i])) continue;
        ww_device *device = to->transfer.device;
        const char *sentence = strstr(device->error, ": ");
        snprintf(before, sizeof before, "%.1000s", sentence ? sentence + 2 : device->error);
        ww__fail(device, WW_FILE, "%s; %.200s has its new content already", before, to->transfer.name);
    }
}

static ww_status force_folder(const target *to) {
    return force(to->place.folder) ? WW_OK : fail_with(to, "is written, but its folder cannot be forced to the disk");
}

static ww_status give_names(target *targets, size_t count) {
    size_t last = count;
    for (size_t i = 0; i < count; i++)
        if (ww__file_place_is_replaced(&targets[i].place)) last = i;
    for (size_t i = 0; i < count; i++) {
        if (!ww__file_place_is_replaced(&targets[i].place)) continue;
        const ww_status status = give_name(&targets[i], i == last);
        if (status) {
            undo_all(targets, i);
            return status;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (targets[i].durable && ww__file_place_is_replaced(&targets[i].place)) WW_TRY(force_folder(&targets[i]));
    return WW_OK;
}

static void drop_target(target *to) {
    if (to->temporary[0]) unlinkat(to->place.folder, to->temporary, 0);
    if (to->fd >= 0) close(to->fd);
    ww__file_place_close(&to->place);
}

/* ---- the public functions ---- */

static ww_status find_places(target *targets, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const ww__transfer *t = &targets[i].transfer;
        WW_TRY(ww__file_place_find(t, &targets[i].place));
        for (size_t k = 0; k < i; k++) {
            WW_CHECK(t->device, !ww__file_place_same(&targets[k].place, &targets[i].place), WW_INVALID,
                     "outputs[%zu] and outputs[%zu] would be one file: %.200s and %.200s", k, i,
                     targets[k].transfer.name, t->name);
        }
    }
    return WW_OK;
}

static ww_status write_targets(target *targets, size_t count) {
    WW_TRY(find_places(targets, count));
    for (size_t i = 0; i < count; i++)
        if (ww__file_place_is_replaced(&targets[i].place)) WW_TRY(write_target(&targets[i]));
    for (size_t i = 0; i < count; i++)
        if (!ww__file_place_is_replaced(&targets[i].place)) WW_TRY(write_target(&targets[i]));
    if (count) WW_TRY(ww__transfer_tell(&targets[count - 1].transfer)); /* from here on all are to be written */
    return give_names(targets, count);
}

static bool named_npy(const char *path) {
    const size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

static ww_status check_shape(ww_device *device, const ww_file_header *shape, const ww_array *array) {
    uint64_t product = 1;
    if (!shape) return WW_OK;
    WW_CHECK(device, shape->dimensions <= WW_FILE_DIMENSIONS, WW_INVALID, "a shape of %llu dimensions; at most %d",
             (unsigned long long)shape->dimensions, WW_FILE_DIMENSIONS);
    for (uint64_t d = 0; d < shape->dimensions; d++) {
        if (__builtin_mul_overflow(product, shape->shape[d], &product)) product = UINT64_MAX;
        if (!shape->shape[d]) {
            product = 0;
            break;
        }
    }
    WW_CHECK(device, product == array->count, WW_INVALID, "the shape has %llu elements, the array %llu",
             (unsigned long long)product, (unsigned long long)array->count);
    return WW_OK;
}

static ww_status write_outputs(ww_device *device, const ww_file_output *outputs, size_t count,
                               const ww_file_options *options) {
    WW_CHECK(device, outputs || count == 0, WW_INVALID, "outputs is NULL");
    ww_file_options o;
    WW_TRY(ww__take_options(device, options, "WW_FILE_OPTIONS", &o, offsetof(ww_file_options, reserved)));
    target *targets;
    size_t bytes;
    if (!ww__bytes(count, sizeof *targets, &bytes)) return ww__no_memory(device, SIZE_MAX);
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__host_scratch(device, bytes, &targets));
    for (size_t i = 0; i < count; i++) {
        const char *path = outputs[i].path;
        WW_CHECK(device, path, WW_INVALID, "path is NULL");
        memset(&targets[i], 0, sizeof targets[i]);
        WW_TRY(ww__check_memory(device, "in", &outputs[i].in, &targets[i].array));
        WW_TRY(ww__gpu_host_reads(device, "in", &targets[i].array));
        targets[i].transfer = (ww__transfer){device, path, strcmp(path, "-") ? path : "standard output", &o, 0, 0};
        targets[i].fd = targets[i].place.folder = targets[i].place.descriptor = -1;
        targets[i].durable = o.durable;
        targets[i].npy = strcmp(path, "-") ? named_npy(path) : o.npy;
        if (i == 0) targets[i].shape = o.header;
        WW_TRY(check_shape(device, targets[i].shape, &targets[i].array));
    }
    const ww_status status = write_targets(targets, count);
    for (size_t i = 0; i < count; i++) drop_target(&targets[i]);
    return status;
}

ww_status ww_file_write(ww_device *device, const char *path, ww_input in) {
    const ww_file_output output = {path, in};
    const ww_status status = ww__enter(device, "ww_file_write");
    return status ? status : ww__leave(device, write_outputs(device, &output, 1, NULL));
}

ww_status ww_file_write_all(ww_device *device, const ww_file_output *outputs, size_t count,
                            const ww_file_options *options) {
    const ww_status status = ww__enter(device, "ww_file_write_all");
    return status ? status : ww__leave(device, write_outputs(device, outputs, count, options));
}
