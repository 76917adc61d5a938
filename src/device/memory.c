/* Memory: the default allocator, the caller's allocations, copying and filling. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device/array.h"
#include "device/call.h"
#include "device/checks.h"
#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "device/device.h"
#include "device/gpu/memory.h"
#include "warpwise/input.h"

enum { HUGE_PAGE = 2 << 20 };

/* Large blocks lie on 2 MiB pages where the system has them: a pass over 4 KiB pages waits for their tables. */
static void *default_allocate(void *context, size_t bytes, size_t alignment) {
    (void)context;
    const bool huge = bytes >= 2 * (size_t)HUGE_PAGE;
    if (huge && alignment < HUGE_PAGE) alignment = HUGE_PAGE;
    if (alignment < sizeof(void *)) alignment = sizeof(void *);
    void *block;
    if (posix_memalign(&block, alignment, bytes)) return NULL;
#ifdef MADV_HUGEPAGE
    if (huge) madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return block;
}

static void default_release(void *context, void *block, size_t bytes) {
    (void)context;
    (void)bytes;
    free(block);
}

const ww_allocator ww__default_allocator = {default_allocate, default_release, NULL};

void *ww__allocate(ww_device *device, size_t bytes, size_t alignment) {
    return device->allocator.allocate(device->allocator.context, bytes, alignment);
}

void ww__release(ww_device *device, void *block, size_t bytes) {
    if (block) device->allocator.release(device->allocator.context, block, bytes);
}

void *ww__host_allocate(ww_device *device, size_t bytes) {
    void *block = NULL;
    if (!device->gpu) return ww__allocate(device, bytes, 64);
    return ww__gpu_allocate_host(device, bytes, &block) ? NULL : block;
}

void ww__host_release(ww_device *device, void *block, size_t bytes) {
    if (!device->gpu)
        ww__release(device, block, bytes);
    else if (block)
        ww__gpu_release(device, block);
}

/* A caller's block has 64 bytes before it that remember its size for the allocator. */
enum { HEADER = 64 };

static ww_status allocate(ww_device *device, uint64_t bytes, void **block) {
    WW_CHECK(device, block, WW_INVALID, "block is NULL");
    *block = NULL;
    if (!bytes) return WW_OK;
    if (device->gpu) return ww__gpu_allocate(device, bytes, block);
    if (bytes > SIZE_MAX - HEADER) return ww__no_memory(device, SIZE_MAX);
    const size_t whole = (size_t)bytes + HEADER;
    unsigned char *data = ww__allocate(device, whole, 64);
    if (!data) return ww__no_memory(device, (size_t)bytes);
    memcpy(data, &whole, sizeof whole);
    *block = data + HEADER;
    if (device->checks) ww__checks_allocated(device, *block, (size_t)bytes);
    return WW_OK;
}

ww_status ww_alloc(ww_device *device, uint64_t bytes, void **block) {
    const ww_status status = ww__enter(device, "ww_alloc");
    return status ? status : ww__leave(device, allocate(device, bytes, block));
}

static ww_status allocate_host(ww_device *device, uint64_t bytes, void **block) {
    if (!device->gpu || !block || !bytes) return allocate(device, bytes, block);
    return ww__gpu_allocate_host(device, bytes, block);
}

ww_status ww_alloc_host(ww_device *device, uint64_t bytes, void **block) {
    const ww_status status = ww__enter(device, "ww_alloc_host");
    return status ? status : ww__leave(device, allocate_host(device, bytes, block));
}

ww_status ww_free(ww_device *device, void *block) {
    WW_TRY(ww__enter(device, "ww_free"));
    if (device->gpu) return ww__leave(device, ww__gpu_release(device, block));
    if (block) {
        if (device->checks) ww__checks_freed(device, block);
        unsigned char *data = (unsigned char *)block - HEADER;
        size_t whole;
        memcpy(&whole, data, sizeof whole);
        ww__release(device, data, whole);
    }
    return ww__leave(device, WW_OK);
}

/* Both work on pieces of 1 MiB that workers claim. */
enum { PIECE = 1 << 20 };

typedef struct copying {
    const ww_device *device;
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
    bool streaming;
    uint64_t next;
} copying;

static void copy_pieces(void *argument, size_t worker) {
    copying *c = argument;
    for (uint64_t p; (p = ww__claim_light(c->device, worker, &c->next)) < (c->bytes + PIECE - 1) / PIECE;) {
        const size_t at = p * PIECE;
        ww__stream_memory(c->device, c->to + at, c->from + at, ww__min_u64(PIECE, c->bytes - at), c->streaming);
    }
    ww__stream_done();
}

void ww__copy_by_threads(ww_device *device, void *to, const void *from, size_t bytes) {
    copying c = {device, to, from, bytes, false, 0};
    ww__parallel_light(device, ww__workers(device, bytes), bytes, copy_pieces, &c);
}

static ww_status copy(ww_device *device, const ww_input *in, ww_array to) {
    ww_array from;
    WW_TRY(ww__check_memory(device, "in", in, &from));
    WW_TRY(ww__check_any_array(device, "out", &to));
    WW_TRY(ww__check_same_type(device, "in", from.type, from.size, "out", to.type, to.size));
    WW_CHECK(device, from.count == to.count, WW_INVALID, "in has %llu elements, out %llu",
             (unsigned long long)from.count, (unsigned long long)to.count);
    if (from.data == to.data) return WW_OK;
    WW_TRY(ww__check_outputs_apart(device, "out", &to, "in", &from));
    if (device->gpu) return ww__gpu_copy(device, to.data, from.data, (size_t)from.count * from.size);
    copying c = {device, to.data, from.data, (size_t)from.count * from.size, false, 0};
    c.streaming = ww__streams(device, c.bytes);
    const size_t workers = ww__workers(device, c.bytes);
    ww__trace(device, "stream", NULL, from.count, 2 * (uint64_t)c.bytes, workers);
    ww__parallel_light(device, workers, c.bytes, copy_pieces, &c);
    return WW_OK;
}

ww_status ww_copy(ww_device *device, ww_input in, ww_array out) {
    const ww_status status = ww__enter(device, "ww_copy");
    return status ? status : ww__leave(device, copy(device, &in, out));
}

typedef struct filling {
    const ww_device *device;
    unsigned char *to;
    const unsigned char *pattern; /* whole elements */
    size_t bytes, pattern_bytes;
    uint64_t next;
} filling;

static void fill_pieces(void *argument, size_t worker) {
    filling *f = argument;
    const size_t pieces = (f->bytes + f->pattern_bytes - 1) / f->pattern_bytes;
    for (uint64_t p; (p = ww__claim_light(f->device, worker, &f->next)) < pieces;) {
        const size_t at = p * f->pattern_bytes;
        ww__stream(f->device, f->to + at, f->pattern, ww__min_u64(f->pattern_bytes, f->bytes - at),
                   ww__streams(f->device, f->bytes));
    }
    ww__stream_done();
}

static ww_status fill(ww_device *device, ww_array array, const ww_value *given) {
    WW_TRY(ww__check_array(device, "array", &array));
    WW_TRY(ww__check_value(device, "value", given, array.type, array.size));
    const void *const value = ww__value_at(given);
    if (!array.count) return WW_OK;
    if (device->gpu) return ww__gpu_fill_elements(device, &array, value);
    /* The value again and again, about 16 KiB of it, is what the pieces are copied from. */
    const size_t bytes = (size_t)array.count * array.size;
    const size_t many = array.size >= 16384 ? 1 : (size_t)ww__min_u64(16384 / array.size, array.count);
    unsigned char *pattern;
    WW_TRY(ww__scratch_array(device, many, array.size, &pattern));
    if (device->on_paper) return WW_OK;
    memcpy(pattern, value, array.size);
    for (size_t done = 1; done < many; done *= 2) /* what is there again */
        memcpy(pattern + done * array.size, pattern, (done < many - done ? done : many - done) * array.size);
    filling f = {device, array.data, pattern, bytes, many * array.size, 0};
    const size_t workers = ww__workers(device, bytes);
    ww__trace(device, "stream", NULL, array.count, bytes, workers);
    ww__parallel_light(device, workers, bytes, fill_pieces, &f);
    return WW_OK;
}

ww_status ww_fill(ww_device *device, ww_array array, ww_value value) {
    WW_CALL(device, "ww_fill", fill(device, array, &value), WW_WRITES(&array));
}

static ww_status sync_gpu(ww_device *device) {
    WW_TRY(ww__gpu_said(device, device->gpu->driver->sync(device->gpu->driver)));
    return ww__gpu_look(device);
}

ww_status ww_sync(ww_device *device) {
    WW_TRY(ww__enter(device, "ww_sync"));
    return ww__leave(device, device->gpu ? sync_gpu(device) : WW_OK);
}
