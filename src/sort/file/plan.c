/* Memory is what the library itself needs, the scratch memory that sorting a chunk takes (asked on paper, device/paper.h), and
 *
 *     all is one chunk               n elements
 *     runs that stay in memory       n elements and two chunks, a chunk being an eighth of the n or less
 *     runs in a file                 two chunks, and the tables of merging
 *
 * The first of these that fits is chosen. Runs in a file are merged as many at a time as leave pieces of 64 KiB, below which a disk
 * is slower. */
#include "sort/file/plan.h"

#include "device/gpu/gpu.h"
#include "device/paper.h"
#include "sort/file/channel.h"
#include "sort/file/cut.h"
#include "sort/file/trip.h"
#include "sort/large/large_gpu.h"
#include "sort/order.h"
#include "sort/records/records.h"

typedef unsigned long long ull;

enum {
    LIBRARY_BYTES =
        5 << 20, /* its code and tables, and what the C library takes: 3.4 MiB of a process that only opens a device */
    THREAD_BYTES = 1 << 16, /* of each thread's stack, and of the kernel's */
    LEAST_CHUNK = 1 << 17,
    LEAST_PIECE = 1 << 16,
    OVERLAPPED = 8, /* chunks at least, where there are several: so one comes and one goes most of the time */
    OVERLAPPED_CHUNK = 32 << 20 /* but chunks are this large, if they can be */
};

/* ---- sorting ---- */

static bool on_gpu(const ww__file_sort *s) { return s->device->backend == WW__BACKEND_GPU; }

static ww_array elements_at(const ww__file_sort *s, void *data, uint64_t count) {
    ww_array array = s->elements;
    array.data = data;
    array.count = count;
    return array;
}

/* A GPU sorts records in its own memory. */
static ww_status sort_records(const ww__file_sort *s, ww_array records) {
    ww_device *device = s->device;
    ww_array inside = records;
    const size_t bytes = (size_t)(records.count * records.size);
    if (!on_gpu(s)) return ww__sort_records(device, s->key.first, s->key.bytes, records, s->key.descending);
    ww__driver *driver = device->gpu->driver;
    WW_TRY(ww__scratch(device, bytes, &inside.data));
    if (!device->on_paper) WW_TRY(ww__gpu_said(device, driver->copy(driver, inside.data, records.data, bytes)));
    WW_TRY(ww__sort_records(device, s->key.first, s->key.bytes, inside, s->key.descending));
    if (device->on_paper) return WW_OK;
    WW_TRY(ww__gpu_said(device, driver->copy(driver, records.data, inside.data, bytes)));
    WW_TRY(ww__gpu_said(device, driver->sync(driver)));
    return ww__gpu_look(device);
}

ww_status ww__file_sort_elements(const ww__file_sort *s, void *data, uint64_t count) {
    const ww_array elements = elements_at(s, data, count);
    if (count < 2) return WW_OK;
    const ww__scratch_mark mark = ww__scratch_here(s->device);
    if (s->key.is_bytes) {
        WW_TRY(sort_records(s, elements));
    } else {
        ww__sort_request numbers = s->numbers;
        numbers.of.keys = ww_from(elements);
        numbers.of.keys_out = elements;
        WW_TRY(ww__sort_large(s->device, &numbers));
    }
    ww__scratch_back(s->device, &mark);
    return WW_OK;
}

/* ---- memory ---- */

/* The most scratch memory that sorting so many elements takes. */
static ww_status ask_scratch(const ww__file_sort *s, uint64_t count, uint64_t *bytes) {
    ww_device *device = s->device;
    const size_t used = device->scratch_used, peak = device->paper_peak;
    void *data;
    device->on_paper = true;
    ww_status status = ww__scratch_array(device, count, s->elements.size, &data);
    const size_t begin = device->scratch_used;
    device->paper_peak = begin;
    if (!status) status = ww__file_sort_elements(s, data, count);
    *bytes = device->paper_peak - begin;
    device->on_paper = false;
    device->scratch_used = used;
    device->paper_peak = peak;
    return status;
}

static uint64_t merged_most(const ww__file_sort *s, uint64_t chunk) {
    const uint64_t most = chunk * s->elements.size / LEAST_PIECE;
    return most < 2 ? 2 : most;
}

static uint64_t tables_bytes(const ww__file_sort *s, uint64_t runs, bool in_memory) {
    static unsigned char memory[1];
    const ww__file_runs r = {
        .key = &s->key, .size = s->elements.size, .memory = in_memory ? memory : NULL, .length = 1};
    return ww__file_cut_bytes(&r, runs) + WW__SAMPLES_BYTES;
}

typedef enum way { WHOLE, IN_MEMORY, IN_FILE } way;

/* What sorting takes in all. On a GPU scratch memory is its own, and what does not fit there at once has one more copy here. */
static ww_status ask_memory(const ww__file_sort *s, way way, uint64_t n, ww__file_plan *plan, uint64_t *bytes) {
    const uint64_t buffer = plan->chunk * s->elements.size + 2 * WW__DIRECT_BYTES;
    plan->in_memory = way == IN_MEMORY;
    plan->merged = way == IN_FILE ? merged_most(s, plan->chunk) : n / plan->chunk + 1;
    WW_TRY(ask_scratch(s, plan->chunk, &plan->scratch));
    *bytes = LIBRARY_BYTES + (uint64_t)THREAD_BYTES * (s->device->threads + 2) + (on_gpu(s) ? buffer : plan->scratch);
    *bytes += way == WHOLE ? buffer : 2 * buffer + tables_bytes(s, plan->merged, plan->in_memory);
    if (way == IN_MEMORY) *bytes += n * s->elements.size;
    return WW_OK;
}

/* Chunks are whole pages where elements allow it: their bytes can then go past the cache. */
static uint64_t chunk_unit(const ww__file_sort *s) {
    size_t a = s->elements.size, b = WW__DIRECT_BYTES;
    while (b) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    const uint64_t unit = WW__DIRECT_BYTES / a;
    return unit * s->elements.size <= LEAST_CHUNK ? unit : 1;
}

static uint64_t elements_in(const ww__file_sort *s, uint64_t bytes) {
    const uint64_t unit = chunk_unit(s), elements = bytes / s->elements.size / unit * unit;
    return elements < 2 ? unit < 2 ? 2 : unit : elements;
}

/* The largest chunk from `least` to `most` that the memory is enough for; 0: none is. */
static ww_status largest_chunk(const ww__file_sort *s, way way, uint64_t n, uint64_t memory, uint64_t least,
                               uint64_t most, ww__file_plan *plan) {
    const uint64_t unit = chunk_unit(s);
    uint64_t low = 0, high = (most - least) / unit + 1, bytes; /* units above least: below `low` it is enough */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        plan->chunk = least + middle * unit;
        WW_TRY(ask_memory(s, way, n, plan, &bytes));
        if (bytes <= memory)
            low = middle + 1;
        else
            high = middle;
    }
    plan->chunk = low ? least + (low - 1) * unit : 0;
    return low ? ask_memory(s, way, n, plan, &bytes) : WW_OK;
}

/* ---- the plan ---- */

static ww_status plan_whole(const ww__file_sort *s, uint64_t n, uint64_t memory, ww__file_plan *plan) {
    uint64_t bytes;
    plan->chunk = n < 2 ? 2 : n;
    WW_TRY(ask_memory(s, WHOLE, n, plan, &bytes));
    if (bytes > memory) plan->chunk = 0;
    return WW_OK;
}

static uint64_t overlapped(const ww__file_sort *s, uint64_t n) {
    const uint64_t bytes = n / OVERLAPPED * s->elements.size;
    return elements_in(s, bytes < OVERLAPPED_CHUNK ? OVERLAPPED_CHUNK : bytes);
}

static ww_status refuse(const ww__file_sort *s, uint64_t memory, uint64_t least, ww__file_plan *plan) {
    uint64_t bytes;
    plan->chunk = least;
    WW_TRY(ask_memory(s, IN_FILE, 0, plan, &bytes));
    return ww__fail(s->device, WW_LIMIT,
                    "sorting such a file takes at least %llu bytes of memory (%lluM), and may have %llu", (ull)bytes,
                    (ull)((bytes + (1 << 20) - 1) >> 20), (ull)memory);
}

ww_status ww__file_plan_make(const ww__file_sort *s, uint64_t n, uint64_t memory, ww__file_plan *plan) {
    const uint64_t least = elements_in(s, LEAST_CHUNK), most = elements_in(s, memory), bytes = n * s->elements.size;
    const bool fits = n != UINT64_MAX && bytes / s->elements.size == n && bytes < memory;
    if (fits) {
        WW_TRY(plan_whole(s, n, memory, plan));
        if (plan->chunk) return WW_OK;
        const uint64_t eighth = overlapped(s, n), part = elements_in(s, memory / 32);
        if (part >= least && eighth >= part) WW_TRY(largest_chunk(s, IN_MEMORY, n, memory, part, eighth, plan));
        if (plan->chunk) return WW_OK;
    }
    WW_TRY(largest_chunk(s, IN_FILE, n, memory, least, most < least ? least : most, plan));
    if (!plan->chunk) return refuse(s, memory, least, plan);
    const uint64_t wanted = n == UINT64_MAX ? plan->chunk : overlapped(s, n);
    if (wanted >= least && wanted < plan->chunk) {
        uint64_t all;
        plan->chunk = wanted;
        return ask_memory(s, IN_FILE, n, plan, &all);
    }
    return WW_OK;
}
