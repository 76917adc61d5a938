/* Files that ranks read and write together.
 *
 * Reading: every rank opens the file and looks at its header; when all have seen the same, each reads from where its part begins.
 *
 * Writing: the ranks tell each other how long their blocks are. Rank 0 makes the files, which every rank opens; it writes its block
 * where it belongs, and forces it to the disk, so that what a disk or another machine has to say is said now. When all have, rank 0
 * gives the files their names.
 *
 * A file has no name meanwhile where all ranks are on one machine whose file system can make such files: the others open it as one of
 * rank 0's descriptors, and nothing is left whoever is killed. Else it gets a temporary name, and whoever sees that something failed
 * removes it: only where it is the file that was begun, as the name may be another process's by then. */
#include "warpwise/group_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/array.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "file/file.h"
#include "group/group.h"

typedef unsigned long long ull;

enum { PIECE = 8 << 20 };

/* ---- reading ---- */

typedef struct reading {
    const char *path;
    ww_array what;
    const ww_file_options *given;
    ww_file_array *file;
    ww_file_options options;
    ww__source source;
    ww__contents contents;
    uint64_t begin; /* bytes before the elements */
    bool open;
} reading;

/* Some files of the system's own say that they are empty, and are not. */
static ww_status know_length(reading *r) {
    ww_device *device = r->source.transfer.device;
    char byte;
    if (r->contents.elements.count != UINT64_MAX) return WW_OK;
    WW_CHECK(device, pread(r->source.fd, &byte, 1, 0) <= 0, WW_INVALID,
             "%.200s: does not say how long it is, so ranks cannot read parts of it", r->source.transfer.name);
    r->contents.elements.count = 0;
    return WW_OK;
}

static ww_status look(ww_device *device, reading *r) {
    struct stat status;
    WW_CHECK(device, r->path, WW_INVALID, "path is NULL");
    WW_CHECK(device, r->file, WW_INVALID, "file is NULL");
    WW_TRY(ww__take_options(device, r->given, "WW_FILE_OPTIONS", &r->options, offsetof(ww_file_options, reserved)));
    WW_CHECK(device, !r->what.type || r->what.size > 0, WW_INVALID, "the wanted type has elements of 0 bytes");
    if (r->what.type) WW_TRY(ww__check_size(device, "what", r->what.type, r->what.size));
    memset(r->file, 0, sizeof *r->file);
    const bool standard = strcmp(r->path, "-") == 0;
    WW_CHECK(device, !standard && (stat(r->path, &status) || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)),
             WW_INVALID, "%.200s: is no regular file, of which ranks can read parts",
             standard ? "standard input" : r->path);
    WW_TRY(ww__source_open(device, r->path, &r->options, &r->source));
    r->open = true;
    WW_TRY(ww__source_contents(&r->source, r->what, &r->contents));
    r->begin = r->source.transfer.done;
    return know_length(r);
}

static ww_status look_at_file(ww_group *group, reading *r) {
    WW_TRY(ww__group_check_begin(group));
    WW_TRY(ww__enter(group->device, group->call));
    return ww__leave(group->device, look(group->device, r));
}

/* Whether all see one file. */
static ww_status compare(ww_group *group, const reading *r) {
    for (uint32_t k = 1; k < group->engine.ranks; k++)
        for (size_t n = 0; n < 2; n++)
            if (group->said[k].number[n] != group->said[0].number[n])
                return ww__group_fail(group, WW_FORMAT,
                                      "rank %u sees another file than rank 0 as %.200s: %s %llu, not %llu", k, r->path,
                                      n ? "bytes before its elements:" : "elements:", (ull)group->said[k].number[n],
                                      (ull)group->said[0].number[n]);
    return WW_OK;
}

static ww_status fill(reading *r, unsigned char *to, uint64_t bytes, uint64_t from) {
    ww__transfer *t = &r->source.transfer;
    t->total = bytes;
    for (t->done = 0; t->done < bytes;) {
        WW_TRY(ww__transfer_tell(t));
        const ssize_t n = pread(r->source.fd, to + t->done, (size_t)ww__min_u64(bytes - t->done, PIECE),
                                (off_t)(from + t->done));
        bool again = false;
        if (n < 0) {
            const int problem = errno;
            WW_TRY(ww__transfer_again(t, r->source.fd, POLLIN, &again));
            WW_CHECK(t->device, again, WW_FILE, "%.200s: cannot be read at byte %llu: %s", t->name,
                     (ull)(from + t->done), strerror(problem));
            continue;
        }
        WW_CHECK(t->device, n > 0, WW_FILE, "%.200s: shrank while it was read: it ends at byte %llu", t->name,
                 (ull)(from + t->done));
        t->done += (uint64_t)n;
    }
    return ww__transfer_tell(t);
}

static ww_status read_part(ww_device *device, reading *r, uint32_t rank, uint32_t ranks) {
    ww_array part = r->contents.elements;
    const uint64_t each = part.count / ranks, more = part.count % ranks, first = each * rank + ww__min_u64(rank, more);
    size_t bytes;
    part.count = each + (rank < more);
    if (!r->options.header_only && part.count) {
        if (!ww__bytes(part.count, part.size, &bytes)) return ww__no_memory(device, SIZE_MAX);
        if (!(part.data = ww__host_allocate(device, bytes))) return ww__no_memory(device, bytes);
        const ww_status status = fill(r, part.data, bytes, r->begin + first * part.size);
        if (status) {
            ww__host_release(device, part.data, bytes);
            return status;
        }
        if (r->contents.swapped) ww__swap_elements(part.data, part.count, part.size);
        r->file->reserved[0] = (uint64_t)(uintptr_t)part.data; /* as ww_file_release has it */
        r->file->reserved[1] = bytes;
    }
    r->file->array = part;
    return WW_OK;
}

static ww_status read_own_part(ww_group *group, reading *r) {
    WW_TRY(ww__enter(group->device, group->call));
    return ww__leave(group->device, read_part(group->device, r, group->engine.rank, group->engine.ranks));
}

static ww_status read_all(ww_group *group, reading *r) {
    unsigned char alike[WW__DIGEST];
    ww__digest digest;
    ww_status status = look_at_file(group, r);
    ww__digest_begin(&digest);
    if (!status) ww__agree_type(&digest, r->contents.elements.type, r->contents.elements.size);
    ww__agree_number(&digest, (uint64_t)r->contents.swapped << 1 | r->options.header_only);
    ww__digest_end(&digest, alike);
    WW_TRY(ww__group_agree(group, status, alike, (const uint64_t[]){r->contents.elements.count, r->begin}, 2));
    WW_TRY(compare(group, r));
    status = ww__group_agree(group, read_own_part(group, r), NULL, NULL, 0);
    if (status) ww_file_release(group->device, r->file);
    return status;
}

ww_status ww_group_file_read(ww_group *group, const char *path, ww_array what, ww_file_array *file,
                             const ww_file_options *options) {
    reading r = {.path = path, .what = what, .given = options, .file = file};
    WW_TRY(ww__group_enter(group, "ww_group_file_read"));
    const ww_status status = read_all(group, &r);
    if (r.open) ww__source_close(&r.source);
    return ww__group_leave(group, status);
}

/* ---- writing ---- */

/* How a file is found that rank 0 has made: by its temporary name, or as a descriptor of rank 0's. That this is the same file, and not
 * another one on another machine, its number says and when it was changed last: nobody writes before all have looked. */
typedef struct begun {
    char temporary[WW__TEMPORARY_NAME_BYTES]; /* "": it has none */
    int32_t process, descriptor;
    uint64_t device, number;
    int64_t seconds, nanoseconds;
} begun;

typedef struct writing {
    const ww_file_output *outputs;
    size_t count;
    const ww_file_options *given;
    ww_file_options options;
    ww__output target[WW_GROUP_FILES_MOST];
    uint64_t before[WW_GROUP_FILES_MOST], all[WW_GROUP_FILES_MOST]; /* elements: of lower ranks; of all */
    begun (*begun)[WW_GROUP_FILES_MOST];                            /* what each rank says, of which rank 0's counts */
    bool first;                                                     /* this is rank 0 */
} writing;

typedef ww_status step(ww_device *device, writing *w);

/* A step as a call of the device's, which has the sentence. */
static ww_status take_step(ww_group *group, step *taken, writing *w) {
    WW_TRY(ww__enter(group->device, group->call));
    return ww__leave(group->device, taken(group->device, w));
}

static ww_status prepare(ww_device *device, writing *w) {
    WW_CHECK(device, w->count >= 1 && w->count <= WW_GROUP_FILES_MOST, WW_INVALID, "%zu outputs; it takes 1 to %d",
             w->count, WW_GROUP_FILES_MOST);
    WW_CHECK(device, w->outputs, WW_INVALID, "outputs is NULL");
    WW_TRY(ww__take_options(device, w->given, "WW_FILE_OPTIONS", &w->options, offsetof(ww_file_options, reserved)));
    WW_CHECK(device, !w->options.header, WW_INVALID, "options.header is not NULL: ranks write arrays of one row");
    for (size_t i = 0; i < w->count; i++) {
        ww__output *to = &w->target[i];
        const char *path = w->outputs[i].path;
        WW_CHECK(device, path, WW_INVALID, "path is NULL");
        WW_TRY(ww__check_memory(device, "in", &w->outputs[i].in, &to->array));
        WW_TRY(ww__gpu_host_reads(device, "in", &to->array));
        to->transfer = (ww__transfer){device, path, strcmp(path, "-") ? path : "standard output", &w->options, 0, 0};
        to->durable = w->options.durable;
        to->npy = ww__named_npy(path);
        WW_TRY(ww__file_place_find(&to->transfer, &to->place));
        WW_CHECK(device, ww__file_place_is_replaced(&to->place), WW_INVALID,
                 "%.200s: is no regular file, of which ranks can write parts", to->transfer.name);
        for (size_t k = 0; k < i; k++)
            WW_CHECK(device, !ww__file_place_same(&w->target[k].place, &to->place), WW_INVALID,
                     "outputs[%zu] and outputs[%zu] would be one file: %.100s and %.100s", k, i,
                     w->target[k].transfer.name, to->transfer.name);
    }
    return WW_OK;
}

static ww_status prepare_all(ww_group *group, writing *w) {
    WW_TRY(ww__group_check_begin(group));
    WW_TRY(take_step(group, prepare, w));
    return ww__group_host_room(group, WW__GATHERED, group->engine.ranks, sizeof *w->begun, &w->begun);
}

/* Where this rank's blocks begin in the whole arrays. */
static ww_status add_up(ww_group *group, writing *w) {
    for (size_t i = 0; i < w->count; i++) {
        uint64_t sum = 0, bytes;
        for (uint32_t r = 0; r < group->engine.ranks; r++) {
            if (r == group->engine.rank) w->before[i] = sum;
            if (__builtin_add_overflow(sum, group->said[r].number[i], &sum) ||
                __builtin_mul_overflow(sum, w->target[i].array.size, &bytes) ||
                bytes > (uint64_t)INT64_MAX - WW__NPY_WRITTEN_BYTES)
                return ww__group_fail(group, WW_LIMIT, "%.200s: no file has so many bytes", w->outputs[i].path);
        }
        w->all[i] = sum;
    }
    return WW_OK;
}

static size_t header_of(const writing *w, size_t i, char header[WW__NPY_WRITTEN_BYTES]) {
    ww_array whole = w->target[i].array;
    whole.count = w->all[i];
    return w->target[i].npy ? ww__npy_header(&whole, NULL, header) : 0;
}

static ww_status write_at(ww__output *to, const void *from, uint64_t bytes, uint64_t at) {
    ww__transfer *t = &to->transfer;
    t->total = bytes;
    for (t->done = 0; t->done < bytes;) {
        WW_TRY(ww__transfer_tell(t));
        const ssize_t n = pwrite(to->fd, (const unsigned char *)from + t->done,
                                 (size_t)ww__min_u64(bytes - t->done, PIECE), (off_t)(at + t->done));
        if (n <= 0) {
            const int problem = n == 0 ? ENOSPC : errno;
            bool again = false;
            if (n < 0) WW_TRY(ww__transfer_again(t, to->fd, POLLOUT, &again));
            WW_CHECK(t->device, again, WW_FILE, "%.200s: cannot be written at byte %llu: %s", t->name,
                     (ull)(at + t->done), strerror(problem));
            continue;
        }
        t->done += (uint64_t)n;
    }
    return ww__transfer_tell(t);
}

/* Room on the disk for the whole file, so that a full one is known before anyone writes; without it where there is no such call. */
static ww_status take_room(ww__output *to, uint64_t bytes) {
    int failed;
    if (!bytes) return WW_OK;
    while ((failed = fallocate(to->fd, 0, 0, (off_t)bytes)) && errno == EINTR) WW_TRY(ww__transfer_tell(&to->transfer));
    if (failed && (errno == EOPNOTSUPP || errno == ENOSYS)) failed = ftruncate(to->fd, (off_t)bytes);
    return failed ? ww__output_fail(to, "cannot be written as long as it is to be") : WW_OK;
}

/* Rank 0's. */
static ww_status begin_files(ww_device *device, writing *w) {
    (void)device;
    for (size_t i = 0; i < w->count; i++) {
        char header[WW__NPY_WRITTEN_BYTES];
        ww__output *to = &w->target[i];
        const size_t header_bytes = header_of(w, i, header);
        to->nameless = true;
        WW_TRY(ww__output_open(to));
        WW_TRY(take_room(to, header_bytes + w->all[i] * to->array.size));
        WW_TRY(write_at(to, header, header_bytes, 0));
    }
    return WW_OK;
}

static ww_status give_temporary_names(ww_device *device, writing *w) {
    (void)device;
    for (size_t i = 0; i < w->count; i++) {
        ww__output *to = &w->target[i];
        if (to->nameless)
            WW_TRY(ww__temporary_link(&to->transfer, to->place.folder, to->place.name, to->fd, to->temporary));
        to->nameless = false;
    }
    return WW_OK;
}

/* By all; what rank 0 says comes to the others. */
static ww_status tell_of_files(ww_group *group, writing *w) {
    begun mine[WW_GROUP_FILES_MOST];
    memset(mine, 0, sizeof mine);
    for (size_t i = 0; i < w->count && w->first; i++) {
        const ww__output *to = &w->target[i];
        struct stat status;
        memcpy(mine[i].temporary, to->temporary, sizeof mine[i].temporary);
        if (fstat(to->fd, &status)) memset(&status, 0, sizeof status); /* which no file is like */
        mine[i].process = (int32_t)getpid();
        mine[i].descriptor = to->fd;
        mine[i].device = status.st_dev;
        mine[i].number = status.st_ino;
        mine[i].seconds = status.st_mtim.tv_sec;
        mine[i].nanoseconds = status.st_mtim.tv_nsec;
    }
    return ww__group_gather(group, mine, sizeof mine, w->begun);
}

/* Rank 0's file without a name; -1 where this is another machine, or rank 0 in another container. */
static int open_descriptor(const begun *b) {
    char path[60];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)b->process, (int)b->descriptor);
    const int fd = ww__above_standard(open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (fd < 0) return -1;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0 && status.st_dev == b->device &&
        status.st_ino == b->number && status.st_mtim.tv_sec == b->seconds && status.st_mtim.tv_nsec == b->nanoseconds)
        return fd;
    close(fd);
    return -1;
}

/* Whether all of rank 0's files that have no name are open here. */
static bool open_descriptors(writing *w) {
    bool all = true;
    for (size_t i = 0; i < w->count && !w->first; i++) {
        const begun *b = &w->begun[0][i];
        if (!*b->temporary) w->target[i].fd = open_descriptor(b);
        all &= *b->temporary || w->target[i].fd >= 0;
    }
    return all;
}

static ww_status open_named(ww__output *to, const char *name) {
    WW_TRY(ww__transfer_tell(&to->transfer));
    memcpy(to->temporary, name, sizeof to->temporary);
    to->temporary[sizeof to->temporary - 1] = 0;
    WW_CHECK(to->transfer.device, !strchr(to->temporary, '/') && !strncmp(to->temporary, ".warpwise-", 10), WW_LOST,
             "rank 0 names no temporary file");
    to->fd = ww__above_standard(
        openat(to->place.folder, to->temporary, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (to->fd >= 0) return WW_OK;
    const int problem = errno;
    to->temporary[0] = 0;
    errno = problem;
    return ww__output_fail(to, "rank 0's temporary file in its folder cannot be opened (do all ranks share it?)");
}

static ww_status write_parts(ww_device *device, writing *w) {
    (void)device;
    for (size_t i = 0; i < w->count; i++) {
        char header[WW__NPY_WRITTEN_BYTES];
        ww__output *to = &w->target[i];
        const uint64_t size = to->array.size;
        if (to->fd < 0) WW_TRY(open_named(to, w->begun[0][i].temporary));
        WW_TRY(write_at(to, to->array.data, to->array.count * size, header_of(w, i, header) + w->before[i] * size));
        int failed;
        while ((failed = fsync(to->fd)) && errno == EINTR) WW_TRY(ww__transfer_tell(&to->transfer));
        if (failed) return ww__output_fail(to, "cannot be forced to the disk");
    }
    return WW_OK;
}

static ww_status name_files(ww_device *device, writing *w) {
    (void)device;
    for (size_t i = 0; i < w->count; i++) WW_TRY(ww__output_finish(&w->target[i]));
    WW_TRY(ww__transfer_tell(&w->target[w->count - 1].transfer)); /* from here on all are to be written */
    return ww__output_name_all(w->target, w->count);
}

/* A rank that fails has told nobody yet: what it begins to remove, nobody needs any more. */
static void remove_begun(writing *w) {
    for (size_t i = 0; i < w->count; i++) {
        ww__output *to = &w->target[i];
        struct stat here, named;
        if (to->named || to->fd < 0 || !to->temporary[0]) continue;
        if (fstat(to->fd, &here) == 0 && fstatat(to->place.folder, to->temporary, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
            here.st_dev == named.st_dev && here.st_ino == named.st_ino)
            unlinkat(to->place.folder, to->temporary, 0);
    }
}

/* When they are left: the files are open on all ranks, or have names. */
static ww_status begin_on_all(ww_group *group, writing *w) {
    WW_TRY(ww__group_agree(group, w->first ? take_step(group, begin_files, w) : WW_OK, NULL, NULL, 0));
    WW_TRY(tell_of_files(group, w));
    WW_TRY(ww__group_agree(group, WW_OK, NULL, (const uint64_t[]){open_descriptors(w)}, 1));
    bool all = true;
    for (uint32_t r = 0; r < group->engine.ranks; r++) all &= group->said[r].number[0] == 1;
    if (all) return WW_OK;
    WW_TRY(ww__group_agree(group, w->first ? take_step(group, give_temporary_names, w) : WW_OK, NULL, NULL, 0));
    return tell_of_files(group, w);
}

static ww_status write_and_name(ww_group *group, writing *w) {
    WW_TRY(begin_on_all(group, w));
    const ww_status status = take_step(group, write_parts, w);
    if (status) remove_begun(w);
    WW_TRY(ww__group_agree(group, status, NULL, NULL, 0));
    return ww__group_agree(group, w->first ? take_step(group, name_files, w) : WW_OK, NULL, NULL, 0);
}

static ww_status write_all(ww_group *group, writing *w) {
    unsigned char alike[WW__DIGEST];
    uint64_t counts[WW_GROUP_FILES_MOST] = {0};
    ww__digest digest;
    const ww_status status = prepare_all(group, w);
    ww__digest_begin(&digest);
    ww__agree_number(&digest, w->count);
    for (size_t i = 0; i < w->count && !status; i++) {
        ww__agree_type(&digest, w->target[i].array.type, w->target[i].array.size);
        ww__agree_number(&digest, (uint64_t)w->target[i].npy << 1 | w->options.durable);
        counts[i] = w->target[i].array.count;
    }
    ww__digest_end(&digest, alike);
    WW_TRY(ww__group_agree(group, status, alike, counts, WW_GROUP_FILES_MOST));
    WW_TRY(add_up(group, w));
    return write_and_name(group, w);
}

/* Rank 0's output may have the old file under the temporary name, which goes; of the others only what was begun and is still so. */
static void drop(writing *w, bool failed) {
    if (failed) remove_begun(w);
    for (size_t i = 0; i < WW_GROUP_FILES_MOST; i++) {
        if (!w->first) w->target[i].temporary[0] = 0;
        ww__output_drop(&w->target[i]);
    }
}

ww_status ww_group_file_write_all(ww_group *group, const ww_file_output *outputs, size_t count,
                                  const ww_file_options *options) {
    writing w = {.outputs = outputs, .count = count, .given = options};
    for (size_t i = 0; i < WW_GROUP_FILES_MOST; i++)
        w.target[i].fd = w.target[i].place.folder = w.target[i].place.descriptor = -1;
    WW_TRY(ww__group_enter(group, "ww_group_file_write_all"));
    w.first = group->engine.rank == 0;
    const ww_status status = write_all(group, &w);
    drop(&w, status != WW_OK);
    return ww__group_leave(group, status);
}
