/* ww_find_stream: a text in chunks.
 *
 * What stays of the text so far is its tail, one byte less than the longest pattern has. Matches that begin in it and end in the
 * chunk are looked for in the tail with as many bytes of the chunk behind it; they all begin before the others, which lie in the
 * chunk. The tail lies in one of two buffers, which are large enough for the join too; the next tail is made in the other one. */
#include <string.h>

#include "device/call.h"
#include "device/gpu/memory.h"
#include "device/paper.h"
#include "function/check.h"
#include "function/function.h"
#include "text/find.h"
#include "text/many/patterns.h"

struct ww_find_stream {
    const ww_patterns *patterns;
    uint64_t seen;         /* bytes of the text so far */
    size_t most, tail;     /* bytes of a tail: at most, and now */
    unsigned char *buffer; /* 2 of 2 * most bytes each */
    unsigned now;          /* which has the tail */
};

static size_t buffer_bytes(const ww_find_stream *stream) { return stream->most ? 4 * stream->most : 1; }

static void release(ww_device *device, ww_find_stream *stream) {
    if (device->gpu && stream->buffer)
        ww__gpu_release(device, stream->buffer);
    else
        ww__release(device, stream->buffer, buffer_bytes(stream));
    ww__release(device, stream, sizeof *stream);
}

static ww_status allocate(ww_device *device, size_t bytes, unsigned char **block) {
    if (!device->gpu) return (*block = ww__allocate(device, bytes, 64)) ? WW_OK : ww__no_memory(device, bytes);
    void *memory = NULL;
    WW_TRY(ww__gpu_allocate(device, bytes, &memory));
    *block = memory;
    return WW_OK;
}

static ww_status open_stream(const ww_patterns *patterns, ww_find_stream **stream) {
    ww_device *const device = patterns->device;
    WW_CHECK(device, stream, WW_INVALID, "stream is NULL");
    WW_TRY(ww__not_on_paper(device));
    ww_find_stream *const made = ww__allocate(device, sizeof *made, 64);
    if (!made) return ww__no_memory(device, sizeof *made);
    *made = (ww_find_stream){.patterns = patterns, .most = (size_t)patterns->longest - 1};
    const ww_status status = allocate(device, buffer_bytes(made), &made->buffer);
    if (status)
        release(device, made);
    else
        *stream = made;
    return status;
}

ww_status ww_find_stream_open(ww_patterns *patterns, ww_find_stream **stream) {
    if (stream) *stream = NULL;
    if (!patterns) return WW_INVALID;
    const ww_status status = ww__enter(patterns->device, "ww_find_stream_open");
    return status ? status : ww__leave(patterns->device, open_stream(patterns, stream));
}

void ww_find_stream_close(ww_find_stream *stream) {
    if (!stream) return;
    ww_device *const device = stream->patterns->device;
    ww__gpu_enter(device);
    release(device, stream);
    ww__gpu_leave(device);
}

/* ---- the next chunk ---- */

static ww_status move_bytes(ww_device *device, unsigned char *to, const unsigned char *from, size_t bytes) {
    if (!bytes || device->on_paper) return WW_OK;
    if (device->gpu) return ww__gpu_copy(device, to, from, bytes);
    memcpy(to, from, bytes);
    return WW_OK;
}

static unsigned char *buffer_of(const ww_find_stream *stream, unsigned which) {
    return stream->buffer + which * 2 * stream->most;
}

/* Puts the chunk's first bytes behind the tail; returns how many bytes there are then. */
static ww_status join(const ww_find_stream *stream, const unsigned char *chunk, uint64_t count, size_t *joined) {
    const size_t more = (size_t)ww__min_u64(stream->most, count);
    *joined = stream->tail + more;
    return move_bytes(stream->patterns->device, buffer_of(stream, stream->now) + stream->tail, chunk, more);
}

/* The text's last bytes. A chunk that is shorter than they are is in the join, all of it. */
static ww_status keep_tail(ww_find_stream *stream, const unsigned char *chunk, uint64_t count, size_t joined) {
    const size_t kept = (size_t)ww__min_u64(stream->most, stream->tail + count);
    unsigned char *const other = buffer_of(stream, 1 - stream->now);
    const unsigned char *const from = count >= kept ? chunk + (count - kept)
                                                    : buffer_of(stream, stream->now) + (joined - kept);
    WW_TRY(move_bytes(stream->patterns->device, other, from, kept));
    stream->now = 1 - stream->now;
    stream->tail = kept;
    stream->seen += count;
    return WW_OK;
}

static ww_status search_cpu(ww_device *device, const ww__searching *across, const ww__searching *inside,
                            const ww_array *count) {
    uint64_t total = 0;
    if (across->starts) WW_TRY(ww__many_cpu(device, across, 0, &total));
    if (inside->starts) WW_TRY(ww__many_cpu(device, inside, total, &total));
    return ww__put_count(device, count, total);
}

static ww_status search_gpu(ww_device *device, const ww__searching *across, const ww__searching *inside,
                            const ww_array *count) {
    uint64_t *first;
    if (!across->starts && !inside->starts) return ww__put_count(device, count, 0);
    if (!inside->starts) return ww__many_gpu(device, across, NULL, count);
    if (!across->starts) return ww__many_gpu(device, inside, NULL, count);
    WW_TRY(ww__scratch(device, sizeof *first, &first));
    const ww_array total = ww_array(first, 1);
    WW_TRY(ww__many_gpu(device, across, NULL, &total));
    return ww__many_gpu(device, inside, first, count);
}

static ww_status search(ww_device *device, const ww__searching *across, const ww__searching *inside,
                        const ww_array *count) {
    return (device->backend == WW__BACKEND_GPU ? search_gpu : search_cpu)(device, across, inside, count);
}

static ww_status next(ww_find_stream *stream, const ww_input *chunk, const ww_array *positions, const ww_array *numbers,
                      const ww_array *count) {
    const ww_patterns *const p = stream->patterns;
    ww_device *const device = p->device;
    const void *memory;
    size_t joined;
    WW_CHECK(device, ww__is_none(positions) || !positions->type || positions->type == &ww_type_uint64_t, WW_INVALID,
             "positions is of type %s, not u64", positions->type->label);
    const uint64_t end = stream->seen + chunk->count, places = stream->tail + chunk->count;
    WW_TRY(ww__many_check(p, chunk, end, places, positions, numbers, count));
    WW_TRY(ww__text_in_memory(device, chunk, &memory));
    WW_TRY(join(stream, memory, chunk->count, &joined));
    const ww__searching across = {.patterns = p,
                                  .text = buffer_of(stream, stream->now),
                                  .n = joined,
                                  .starts = ww__min_u64(stream->tail, ww__starts_of(p, joined)),
                                  .behind = stream->tail,
                                  .bias = stream->seen - stream->tail,
                                  .positions = *positions,
                                  .numbers = *numbers};
    const ww__searching inside = {.patterns = p,
                                  .text = memory,
                                  .n = chunk->count,
                                  .starts = ww__starts_of(p, chunk->count),
                                  .bias = stream->seen,
                                  .positions = *positions,
                                  .numbers = *numbers};
    /* What fails here leaves the stream where it was. */
    WW_TRY(search(device, &across, &inside, count));
    return device->on_paper ? WW_OK : keep_tail(stream, memory, chunk->count, joined);
}

ww_status ww_find_stream_next(ww_find_stream *stream, ww_input chunk, ww_array positions, ww_array numbers,
                              ww_array count) {
    if (!stream) return WW_INVALID;
    ww_device *const device = stream->patterns->device;
    WW_CALL(device, "ww_find_stream_next", next(stream, &chunk, &positions, &numbers, &count), WW_READS(&chunk),
            WW_WRITES_FIRST(&positions, &count), WW_WRITES_FIRST(&numbers, &count));
}
