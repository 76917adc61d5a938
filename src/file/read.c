/* Reading an array. A file whose length is known is checked before memory is taken for it, so that a lying header costs
 * nothing; from a pipe, memory grows with what has really come (doubled, so that n bytes are copied at most once more).
 *
 * .npy: preamble, header, then exactly the elements. Raw: everything, which must be whole elements. */
#include "warpwise/file.h"

#include <inttypes.h>
#include <string.h>

#include "device/array.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "device/paper.h"
#include "file/file.h"

enum { FIRST_ROOM = 1 << 20 };

/* ---- memory that grows ---- */

typedef struct room {
    ww_device *device;
    unsigned char *data;
    size_t bytes, used;
} room;

static ww_status room_grow(room *r, uint64_t bytes) {
    if (bytes > SIZE_MAX / 2) return ww__no_memory(r->device, SIZE_MAX);
    unsigned char *data = ww__host_allocate(r->device, (size_t)bytes);
    if (!data) return ww__no_memory(r->device, (size_t)bytes);
    if (r->used) memcpy(data, r->data, r->used);
    ww__host_release(r->device, r->data, r->bytes);
    r->data = data;
    r->bytes = (size_t)bytes;
    return WW_OK;
}

/* Fills the room with up to `bytes` (UINT64_MAX: all there are). */
static ww_status room_fill(room *r, ww__source *source, uint64_t bytes) {
    const uint64_t left = ww__source_left(source);
    const uint64_t first = left != UINT64_MAX ? ww__min_u64(left, bytes) : ww__min_u64(FIRST_ROOM, bytes);
    if (first) WW_TRY(room_grow(r, first));
    for (;;) {
        size_t got = 0;
        if (r->used < r->bytes) WW_TRY(ww__source_read(source, r->data + r->used, r->bytes - r->used, &got));
        r->used += got;
        if (r->used < r->bytes || r->used == bytes) return WW_OK;
        /* Full; a byte more decides whether there is more to come (a file may have grown since it was measured). */
        unsigned char next;
        WW_TRY(ww__source_read(source, &next, 1, &got));
        if (got == 0) return WW_OK;
        WW_TRY(room_grow(r, ww__min_u64(r->bytes < FIRST_ROOM ? FIRST_ROOM : 2 * (uint64_t)r->bytes, bytes)));
        r->data[r->used++] = next;
    }
}

/* The room's bytes become the file's array. What the allocator gave is kept in the reserved words, to be released. */
static void give(const room *r, const ww_type *type, size_t size, uint64_t count, ww_file_array *file) {
    file->array = type == &ww_type_record ? ww_records(r->data, count, size) : ww_array_of(r->data, count, type);
    file->reserved[0] = (uint64_t)(uintptr_t)r->data;
    file->reserved[1] = r->bytes;
}

/* ---- .npy ---- */

void ww__swap_elements(void *data, uint64_t count, size_t size) {
    uint16_t *two = data;
    uint32_t *four = data;
    uint64_t *eight = data;
    if (size == 2) {
        for (uint64_t i = 0; i < count; i++) two[i] = __builtin_bswap16(two[i]);
    } else if (size == 4) {
        for (uint64_t i = 0; i < count; i++) four[i] = __builtin_bswap32(four[i]);
    } else {
        for (uint64_t i = 0; i < count; i++) eight[i] = __builtin_bswap64(eight[i]);
    }
}

static ww_status read_header(ww__source *source, ww__npy *npy) {
    const ww__transfer *t = &source->transfer;
    unsigned char bytes[WW__NPY_PREAMBLE_BYTES];
    size_t got, more = 0, preamble, length;
    /* Version 1 has no bytes 10 and 11; they are the header's first. */
    WW_TRY(ww__source_read(source, bytes, 10, &got));
    if (got == 10 && bytes[6] > 1) WW_TRY(ww__source_read(source, bytes + 10, 2, &more));
    WW_TRY(ww__npy_lengths(t->device, t->name, bytes, got + more, &preamble, &length));
    const uint64_t left = ww__source_left(source);
    WW_CHECK(t->device, left == UINT64_MAX || length <= left, WW_FORMAT,
             "%.200s: ends inside its header, which should have %zu bytes; there are %" PRIu64, t->name, length, left);
    char *text;
    WW_TRY(ww__host_scratch(t->device, length, &text));
    WW_TRY(ww__source_read(source, text, length, &got));
    WW_CHECK(t->device, got == length, WW_FORMAT, "%.200s: ends inside its header, after %zu of %zu bytes", t->name,
             got, length);
    return ww__npy_parse(t->device, t->name, text, length, npy);
}

/* The type that the caller asked for, where the file has it. */
static ww_status settle_type(const ww__transfer *t, ww_array what, ww__npy *npy) {
    if (!what.type) return WW_OK;
    const bool bytes = npy->type == &ww_type_record &&
                       (what.type->kind == WW_KIND_STRUCT || what.size == 16 || what.type == &ww_type_ww_bf16);
    if (ww__same_type(npy->type, npy->size, what.type, what.size)) return WW_OK;
    if (bytes && npy->size == what.size && (what.type->kind != WW_KIND_SIGNED || what.size == 16) && what.type != &ww_type_ww_f16) {
        npy->type = what.type;
        return WW_OK;
    }
    return ww__fail(t->device, WW_FORMAT, "%.200s: holds %s of %zu bytes, and %s of %zu bytes was requested", t->name,
                    npy->type->label, npy->size, what.type->label, what.size);
}

static ww_status check_length(const ww__transfer *t, const ww__npy *npy, uint64_t wanted, uint64_t got, bool more) {
    if (got == wanted && !more) return WW_OK;
    return ww__fail(t->device, WW_FORMAT,
                    "%.200s: its shape has %" PRIu64 " elements of %zu bytes; there are %s%" PRIu64
                    " bytes after the header",
                    t->name, npy->count, npy->size, more ? "more than " : "", more && got > wanted ? wanted : got);
}

/* For who wants to know. */
static void tell_header(ww__source *source, uint64_t begin, bool swapped, uint64_t dimensions, const uint64_t *shape) {
    const ww_file_options *const options = source->transfer.options;
    ww_file_header *const header = options ? options->header : NULL;
    if (!header) return;
    memset(header, 0, sizeof *header);
    header->dimensions = dimensions;
    for (uint64_t d = 0; d < dimensions; d++) header->shape[d] = shape[d];
    header->begin = begin;
    header->swapped = swapped;
}

static bool header_only(const ww__source *source) {
    return source->transfer.options && source->transfer.options->header_only;
}

/* What a .npy file's header says, with what the caller wants to be there, and how many bytes of elements are to follow. */
static ww_status npy_begin(ww__source *source, ww_array what, ww__npy *npy, size_t *bytes) {
    const ww__transfer *t = &source->transfer;
    WW_TRY(read_header(source, npy));
    WW_TRY(settle_type(t, what, npy));
    tell_header(source, t->done, npy->swapped, npy->dimensions, npy->shape);
    WW_CHECK(t->device, ww__bytes(npy->count, npy->size, bytes), WW_FORMAT,
             "%.200s: its shape has %" PRIu64 " elements of %zu bytes, more than 2^64 bytes", t->name, npy->count,
             npy->size);
    const uint64_t left = ww__source_left(source);
    return left == UINT64_MAX ? WW_OK : check_length(t, npy, *bytes, left, left > *bytes);
}

static ww_status fill_npy(room *r, ww__source *source, const ww__npy *npy, size_t bytes) {
    unsigned char next;
    size_t more;
    if (header_only(source)) return WW_OK;
    WW_TRY(room_fill(r, source, bytes));
    WW_TRY(ww__source_read(source, &next, 1, &more));
    return check_length(&source->transfer, npy, bytes, r->used, more > 0);
}

ww_status ww__read_npy(ww__source *source, ww_array what, ww_file_array *file) {
    const ww__transfer *t = &source->transfer;
    room r = {t->device, NULL, 0, 0};
    ww__npy npy;
    size_t bytes;
    WW_TRY(npy_begin(source, what, &npy, &bytes));
    const ww_status status = fill_npy(&r, source, &npy, bytes);
    if (status) {
        ww__host_release(r.device, r.data, r.bytes);
        return status;
    }
    if (npy.swapped && r.data) ww__swap_elements(r.data, npy.count, npy.size);
    give(&r, npy.type, npy.size, npy.count, file);
    return WW_OK;
}

/* ---- raw ---- */

ww_status ww__check_multiple(const ww__transfer *t, ww_array what, uint64_t bytes) {
    WW_CHECK(t->device, bytes % what.size == 0, WW_FORMAT,
             "%.200s: has %" PRIu64 " bytes, which are %" PRIu64 " elements of %zu bytes and %" PRIu64 " bytes more",
             t->name, bytes, bytes / what.size, what.size, bytes % what.size);
    return WW_OK;
}

static ww_status fill_raw(room *r, ww__source *source, ww_array what) {
    const ww__transfer *t = &source->transfer;
    const uint64_t left = ww__source_left(source);
    if (left != UINT64_MAX) WW_TRY(ww__check_multiple(t, what, left));
    WW_TRY(room_fill(r, source, UINT64_MAX));
    WW_CHECK(t->device, left == UINT64_MAX || r->used >= left || !ww__source_changed(source), WW_FILE,
             "%.200s: shrank while it was read: %zu of its %" PRIu64 " bytes were there", t->name, r->used, left);
    return ww__check_multiple(t, what, r->used);
}

ww_status ww__read_raw(ww__source *source, ww_array what, ww_file_array *file) {
    const ww__transfer *t = &source->transfer;
    room r = {t->device, NULL, 0, 0};
    WW_CHECK(t->device, what.type, WW_INVALID, "%.200s: is raw, so the type of its elements must be given", t->name);
    const uint64_t left = ww__source_left(source);
    if (header_only(source)) {
        if (left != UINT64_MAX) {
            WW_TRY(ww__check_multiple(t, what, left));
            r.used = (size_t)left;
        }
    } else {
        const ww_status status = fill_raw(&r, source, what);
        if (status) {
            ww__host_release(r.device, r.data, r.bytes);
            return status;
        }
    }
    const uint64_t count = r.used / what.size;
    tell_header(source, 0, false, 1, &count);
    give(&r, what.type, what.size, count, file);
    return WW_OK;
}

/* ---- the public functions ---- */

static bool ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

bool ww__named_npy(const char *path) { return ends_in(path, ".npy"); }

/* Standard input has no name: its first bytes say it. */
static ww_status is_npy(ww__source *source, bool *npy) {
    const ww__transfer *t = &source->transfer;
    *npy = ww__named_npy(t->path);
    WW_CHECK(t->device, !ends_in(t->path, ".npz"), WW_FORMAT,
             "%.200s: is an archive of .npy files (.npz): unzip it, and name one of the .npy in it", t->name);
    if (strcmp(t->path, "-") != 0) return WW_OK;
    WW_TRY(ww__source_peek(source, WW__NPY_MAGIC_BYTES));
    *npy = ww__npy_begins(source->peeked, source->peeks);
    return WW_OK;
}

static ww_status read_source(ww__source *source, ww_array what, ww_file_array *file) {
    bool npy;
    WW_TRY(is_npy(source, &npy));
    WW_TRY(npy ? ww__read_npy(source, what, file) : ww__read_raw(source, what, file));
    return ww__transfer_tell(&source->transfer);
}

static ww_status npy_contents(ww__source *source, ww_array what, ww__contents *contents) {
    ww__npy npy;
    size_t bytes;
    WW_TRY(npy_begin(source, what, &npy, &bytes));
    contents->elements = npy.type == &ww_type_record ? ww_records(NULL, npy.count, npy.size)
                                                     : ww_array_of(NULL, npy.count, npy.type);
    contents->swapped = npy.swapped;
    return WW_OK;
}

static ww_status raw_contents(ww__source *source, ww_array what, ww__contents *contents) {
    const ww__transfer *t = &source->transfer;
    const uint64_t left = ww__source_left(source);
    WW_CHECK(t->device, what.type, WW_INVALID, "%.200s: is raw, so the type of its elements must be given", t->name);
    contents->elements = what;
    contents->elements.data = NULL;
    contents->elements.count = left == UINT64_MAX ? left : left / what.size;
    if (left != UINT64_MAX) WW_TRY(ww__check_multiple(t, what, left));
    const uint64_t count = left == UINT64_MAX
                               ? 0
                               : contents->elements.count; /* 0: as ww_file_read says of a pipe's header */
    tell_header(source, 0, false, 1, &count);
    return WW_OK;
}

ww_status ww__source_contents(ww__source *source, ww_array what, ww__contents *contents) {
    memset(contents, 0, sizeof *contents);
    WW_TRY(is_npy(source, &contents->npy));
    return contents->npy ? npy_contents(source, what, contents) : raw_contents(source, what, contents);
}

static ww_status read_path(ww_device *device, const char *path, ww_array what, const ww_file_options *options,
                           ww_file_array *file) {
    ww__source source;
    ww_file_options o;
    WW_CHECK(device, path, WW_INVALID, "path is NULL");
    WW_CHECK(device, file, WW_INVALID, "file is NULL");
    WW_TRY(ww__take_options(device, options, "WW_FILE_OPTIONS", &o, offsetof(ww_file_options, reserved)));
    WW_CHECK(device, !what.type || what.size > 0, WW_INVALID, "the requested type has elements of 0 bytes");
    if (what.type) WW_TRY(ww__check_size(device, "what", what.type, what.size));
    memset(file, 0, sizeof *file);
    WW_TRY(ww__not_on_paper(device));
    WW_TRY(ww__source_open(device, path, &o, &source));
    const ww_status status = read_source(&source, what, file);
    ww__source_close(&source);
    if (status) ww_file_release(device, file);
    return status;
}

ww_status ww_file_read(ww_device *device, const char *path, ww_array what, ww_file_array *file) {
    return ww_file_read_with(device, path, what, file, NULL);
}

void ww_file_release(ww_device *device, ww_file_array *file) {
    if (!device || !file) return;
    ww__gpu_enter(device);
    ww__host_release(device, (void *)(uintptr_t)file->reserved[0], (size_t)file->reserved[1]);
    ww__gpu_leave(device);
    memset(file, 0, sizeof *file);
}

ww_status ww_file_read_with(ww_device *device, const char *path, ww_array what, ww_file_array *file,
                            const ww_file_options *options) {
    const ww_status status = ww__enter(device, "ww_file_read");
    return status ? status : ww__leave(device, read_path(device, path, what, options, file));
}
