/* Writing pages: a level's parts go through a buffer of whole pages, whose checksums are taken as they pass. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "device/gpu/gpu.h"
#include "dictionary/store/crc.h"
#include "dictionary/store/store.h"

enum { BUFFER = 1 << 20 };

static ww_status write_bytes(ww_device *device, const char *name, int fd, const void *from, size_t bytes, uint64_t at) {
    for (size_t done = 0; done < bytes;) {
        const ssize_t n = pwrite(fd, (const unsigned char *)from + done, bytes - done, (off_t)(at + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return ww__fail(device, WW_FILE, "%.200s: cannot be written at byte %llu: %s", name,
                            (unsigned long long)(at + done), strerror(n ? errno : ENOSPC));
        done += (size_t)n;
    }
    return WW_OK;
}

ww_status ww__store_write_page(ww_device *device, const char *name, int fd, const void *page, uint64_t at) {
    return write_bytes(device, name, fd, page, WW__STORE_PAGE, at);
}

bool ww__store_force(int fd) {
    int failed;
    while ((failed = fdatasync(fd)) && errno == EINTR) {}
    return !failed;
}

typedef struct writing {
    ww_device *device;
    const char *name;
    int fd;
    bool in_host;
    uint64_t at; /* in the file, of the buffer's first byte */
    unsigned char *buffer;
    size_t filled;
    uint32_t *sums;
    uint64_t pages;
} writing;

static ww_status flush(writing *w) {
    for (size_t page = 0; page < w->filled; page += WW__STORE_PAGE)
        w->sums[w->pages++] = ww__crc(w->buffer + page, WW__STORE_PAGE);
    WW_TRY(write_bytes(w->device, w->name, w->fd, w->buffer, w->filled, w->at));
    w->at += w->filled;
    w->filled = 0;
    return WW_OK;
}

static ww_status put(writing *w, const unsigned char *from, uint64_t bytes) {
    while (bytes) {
        const size_t part = (size_t)ww__min_u64(bytes, BUFFER - w->filled);
        if (w->in_host || !w->device->gpu)
            memcpy(w->buffer + w->filled, from, part);
        else
            WW_TRY(ww__gpu_copy(w->device, w->buffer + w->filled, from, part));
        from += part;
        bytes -= part;
        w->filled += part;
        if (w->filled == BUFFER) WW_TRY(flush(w));
    }
    return WW_OK;
}

static ww_status pad(writing *w, size_t to) {
    const size_t wanted = ww__round_up(w->filled, to);
    memset(w->buffer + w->filled, 0, wanted - w->filled);
    w->filled = wanted;
    return w->filled == BUFFER ? flush(w) : WW_OK;
}

static ww_status write_parts(writing *w, const ww__store_header *h, const ww__lsm_level *level) {
    WW_TRY(put(w, level->keys, level->count * h->key_size));
    WW_TRY(pad(w, WW__STORE_ALIGN));
    WW_TRY(put(w, level->values, h->value_size ? level->count * h->value_size : 0));
    WW_TRY(pad(w, WW__STORE_ALIGN));
    WW_TRY(put(w, level->dead, level->dead ? level->count : 0));
    WW_TRY(pad(w, WW__STORE_PAGE));
    return flush(w);
}

ww_status ww__store_write_level(ww_device *device, const char *name, int fd, const ww__store_header *h,
                                const ww__lsm_level *level, bool in_host, unsigned char **buffer, ww__store_level *at) {
    writing w = {.device = device, .name = name, .fd = fd, .in_host = in_host, .at = at->at};
    ww__store_parts parts;
    WW_CHECK(device, ww__store_parts_of(h, level->count, level->dead, &parts), WW_LIMIT,
             "%.200s: %llu elements are more than a file can have", name, (unsigned long long)level->count);
    const size_t sums_bytes = (size_t)(parts.bytes - parts.sums);
    if (!*buffer) WW_TRY(ww__host_scratch(device, BUFFER, buffer));
    w.buffer = *buffer;
    WW_TRY(ww__host_scratch(device, sums_bytes, &w.sums));
    WW_TRY(write_parts(&w, h, level));
    memset(w.sums + parts.pages, 0, sums_bytes - (size_t)parts.pages * sizeof *w.sums);
    WW_TRY(write_bytes(device, name, fd, w.sums, sums_bytes, at->at + parts.sums));
    at->count = level->count;
    at->marks = level->dead ? 1 : 0;
    at->crc = ww__crc(w.sums, (size_t)parts.pages * sizeof *w.sums);
    return WW_OK;
}
