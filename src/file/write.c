/* Writing arrays. Every output is first written whole under a temporary name in its target's folder; then those that are no
 * regular files are written directly; only then are files renamed, one after another. Whatever fails before that, the
 * temporary files are removed and no target has changed.
 *
 * What a renaming replaces is kept until all are done, but for the last one, after which nothing can fail: the new file and the
 * old one exchange their names, or the old one gets a second name. So the others can be undone when one fails. */
#include "warpwise/file.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "device/array.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "device/paper.h"
#include "file/file.h"

enum { PIECE = 8 << 20 };

/* ---- writing ---- */

static ww_status write_bytes(ww__output *to, const void *from, uint64_t bytes) {
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

static ww_status write_array(ww__output *to, const ww_array *array) {
    char header[WW__NPY_WRITTEN_BYTES];
    const uint64_t bytes = array->count * array->size;
    const size_t header_bytes = to->npy ? ww__npy_header(array, to->shape, header) : 0;
    to->transfer.total = bytes + header_bytes;
    WW_TRY(write_bytes(to, header, header_bytes));
    WW_TRY(write_bytes(to, array->data, bytes));
    return ww__transfer_tell(&to->transfer);
}

static ww_status write_target(ww__output *to) {
    WW_TRY(ww__output_open(to));
    WW_TRY(write_array(to, &to->array));
    return ww__output_finish(to);
}

/* ---- the public functions ---- */

static ww_status find_places(ww__output *targets, size_t count) {
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

static ww_status write_targets(ww__output *targets, size_t count) {
    WW_TRY(find_places(targets, count));
    for (size_t i = 0; i < count; i++)
        if (ww__file_place_is_replaced(&targets[i].place)) WW_TRY(write_target(&targets[i]));
    for (size_t i = 0; i < count; i++)
        if (!ww__file_place_is_replaced(&targets[i].place)) WW_TRY(write_target(&targets[i]));
    if (count) WW_TRY(ww__transfer_tell(&targets[count - 1].transfer)); /* from here on all are to be written */
    return ww__output_name_all(targets, count);
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
    ww__output *targets;
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
        targets[i].npy = strcmp(path, "-") ? ww__named_npy(path) : o.npy;
        if (i == 0) targets[i].shape = o.header;
        WW_TRY(check_shape(device, targets[i].shape, &targets[i].array));
    }
    const ww_status status = write_targets(targets, count);
    for (size_t i = 0; i < count; i++) ww__output_drop(&targets[i]);
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
