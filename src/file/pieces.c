/* Reading an array of any length, one piece after another, each into the same memory. */
#include <inttypes.h>
#include <string.h>

#include "device/array.h"
#include "device/gpu/gpu.h"
#include "device/options.h"
#include "device/paper.h"
#include "file/file.h"

/* Pieces have so many bytes, or an element: always the same ones of a file, whatever the machine is. */
enum { PIECE = 32 << 20 };

struct ww_file_reader {
    ww__source source;
    ww_file_options options;
    ww__contents contents;
    uint64_t taken; /* elements */
    void *data;
    size_t bytes;
    bool ended;
};

static ww_status take_room(ww_device *device, ww_file_reader *r) {
    const ww_array *elements = &r->contents.elements;
    uint64_t most = PIECE / elements->size;
    if (!most) most = 1;
    if (r->source.sized) most = ww__min_u64(most, elements->count);
    r->bytes = (size_t)(most * elements->size);
    if (!r->bytes) return WW_OK;
    r->data = ww__host_allocate(device, r->bytes);
    return r->data ? WW_OK : ww__no_memory(device, r->bytes);
}

static void drop(ww_device *device, ww_file_reader *r) {
    ww__source_close(&r->source);
    if (r->data) ww__host_release(device, r->data, r->bytes);
    ww__release(device, r, sizeof *r);
}

static ww_status open_reader(ww_device *device, const char *path, ww_array what, ww_file_reader **reader,
                             const ww_file_options *options) {
    ww_file_options o;
    WW_CHECK(device, reader, WW_INVALID, "reader is NULL");
    *reader = NULL;
    WW_CHECK(device, path, WW_INVALID, "path is NULL");
    WW_TRY(ww__take_options(device, options, "WW_FILE_OPTIONS", &o, offsetof(ww_file_options, reserved)));
    WW_CHECK(device, !what.type || what.size > 0, WW_INVALID, "the requested type has elements of 0 bytes");
    if (what.type) WW_TRY(ww__check_size(device, "what", what.type, what.size));
    WW_TRY(ww__not_on_paper(device));
    ww_file_reader *r = ww__allocate(device, sizeof *r, 64);
    if (!r) return ww__no_memory(device, sizeof *r);
    memset(r, 0, sizeof *r);
    r->options = o;
    ww_status status = ww__source_open(device, path, &r->options, &r->source);
    if (!status) status = ww__source_contents(&r->source, what, &r->contents);
    r->ended = o.header_only;
    if (!status && !o.header_only) status = take_room(device, r);
    if (status) {
        drop(device, r);
        return status;
    }
    *reader = r;
    return WW_OK;
}

/* The file has ended where its header, or its length when it was opened, did not say so; or goes on. */
static ww_status check_end(const ww_file_reader *r, uint64_t bytes, bool more) {
    const ww__transfer *t = &r->source.transfer;
    const ww_array *elements = &r->contents.elements;
    if (!more && !r->contents.npy && elements->count != UINT64_MAX)
        return ww__fail(t->device, WW_FILE,
                        "%.200s: shrank while it was read: %" PRIu64 " of its %" PRIu64 " bytes were there", t->name,
                        bytes, elements->count * elements->size);
    if (elements->count == UINT64_MAX) return ww__check_multiple(t, *elements, bytes);
    return ww__fail(t->device, WW_FORMAT,
                    "%.200s: its shape has %" PRIu64 " elements of %zu bytes; there are %s%" PRIu64
                    " bytes after the header",
                    t->name, elements->count, elements->size, more ? "more than " : "", bytes);
}

static ww_status check_no_more(ww_file_reader *r) {
    unsigned char next;
    size_t got;
    if (!r->contents.npy) return WW_OK;
    WW_TRY(ww__source_read(&r->source, &next, 1, &got));
    return got ? check_end(r, r->taken * r->contents.elements.size, true) : WW_OK;
}

static ww_status next_piece(ww_device *device, ww_file_reader *r, ww_array *piece) {
    WW_CHECK(device, r && piece, WW_INVALID, "%s is NULL", r ? "piece" : "reader");
    const ww_array *elements = &r->contents.elements;
    const size_t size = elements->size;
    const bool known = elements->count != UINT64_MAX;
    const uint64_t room = r->bytes / size, count = known ? ww__min_u64(room, elements->count - r->taken) : room;
    size_t got = 0;
    *piece = *elements;
    piece->data = r->data;
    piece->count = 0;
    if (r->ended) return WW_OK;
    if (count) WW_TRY(ww__source_read(&r->source, r->data, (size_t)count * size, &got));
    const bool is_short = got < count * size;
    if (is_short && (known || got % size)) return check_end(r, r->taken * size + got, false);
    piece->count = got / size;
    r->taken += piece->count;
    r->ended = is_short || (known && r->taken == elements->count);
    if (r->ended) WW_TRY(check_no_more(r));
    if (r->contents.swapped) ww__swap_elements(r->data, piece->count, size);
    return ww__transfer_tell(&r->source.transfer);
}

/* ---- the public functions ---- */

ww_status ww_file_open(ww_device *device, const char *path, ww_array what, ww_file_reader **reader,
                       const ww_file_options *options) {
    const ww_status status = ww__enter(device, "ww_file_open");
    return status ? status : ww__leave(device, open_reader(device, path, what, reader, options));
}

ww_status ww_file_next(ww_device *device, ww_file_reader *reader, ww_array *piece) {
    const ww_status status = ww__enter(device, "ww_file_next");
    return status ? status : ww__leave(device, next_piece(device, reader, piece));
}

void ww_file_close(ww_device *device, ww_file_reader *reader) {
    if (!device || !reader) return;
    ww__gpu_enter(device);
    drop(device, reader);
    ww__gpu_leave(device);
}
