/* Staging: arrays in the host's own memory get copies in scratch memory for the length of a call.
 *
 * The bytes that all arrays of a call lie in are ranges of addresses. Ranges that share bytes are joined, and each joined range
 * gets one copy, so that arrays which overlap, or are one, do so there too. Copies begin at a multiple of 64 bytes, which is
 * what the fastest kernels want; where arrays begin at several places of one, as far behind one as the original, so that each
 * stays as aligned as it is. Only what is read is copied in, and only what is written is copied back, when all of the
 * call's work has been done and found right.
 *
 * Bytes go through two halves of pinned memory: while the GPU copies one, the host fills or empties the other. Results that fit
 * in a half have all left the GPU before a byte of the caller's is changed. */
#include "device/gpu/stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/call.h"
#include "device/cpu/parallel.h"
#include "device/gpu/environment.h"
#include "device/steps.h"

enum { HALF = 4 << 20, HALF_LEAST = 32 << 10 };
enum { RANGES = 4 * WW_INPUT_STEPS + 1 + WW__STAGED_OUTPUTS, ALIGNMENT = 64 };

ww_status ww__stage_want(ww_device *device, const char *name, const void *pointer) {
    WW_CHECK(device, device->host_memory != WW_HOST_MEMORY_REFUSED && !device->staged, WW_INVALID,
             "%s at %p is memory that the GPU cannot reach; take memory from ww_alloc and ww_copy to it", name,
             pointer);
    WW_CHECK(
        device, !ww__gpu_capturing(device), WW_INVALID,
        "%s at %p is the host's own memory, which a call that is captured in a graph cannot wait for; take memory from "
        "ww_alloc and ww_copy to it",
        name, pointer);
    ww__gpu *gpu = device->gpu;
    const bool lies_well = gpu->driver->reaches_all && device->host_memory == WW_HOST_MEMORY_AUTO;
    if (!lies_well || gpu->in_places == WW__IN_PLACE) {
        device->stage_wanted = true;
        return WW_OK;
    }
    gpu->in_place[gpu->in_places++] = pointer;
    device->in_place = true;
    return WW_OK;
}

bool ww__stage_in_place(const ww_device *device, const void *pointer) {
    if (!device->in_place) return false;
    for (size_t k = 0; k < device->gpu->in_places; k++)
        if (device->gpu->in_place[k] == pointer) return true;
    return false;
}

/* Waits for the GPU, and looks for what it found wrong. A status that the call has given already stays. */
ww_status ww__stage_wait(ww_device *device, ww_status status) {
    if (device->failed || device->on_paper) return status;
    const ww_status waited = ww__gpu_said(device, device->gpu->driver->sync(device->gpu->driver));
    if (status || waited) return status ? status : waited;
    return ww__gpu_look(device);
}

/* ---- ranges of addresses ---- */

typedef struct range {
    uintptr_t start, end;
    bool several; /* arrays begin in the middle, too */
    unsigned char *copy;
} range;

typedef struct ranges {
    range at[RANGES];
    size_t many;
} ranges;

static ww_status add(ww_device *device, ranges *r, const void *start, size_t bytes) {
    WW_CHECK(device, r->many < RANGES, WW_LIMIT, "more than %d arrays of the host's are given", RANGES);
    r->at[r->many++] = (range){(uintptr_t)start, (uintptr_t)start + bytes, false, NULL};
    return WW_OK;
}

/* By address, and one for those that share bytes. */
static void join(ranges *r) {
    size_t kept = 0;
    for (size_t i = 1; i < r->many; i++) {
        const range moved = r->at[i];
        size_t to = i;
        for (; to && r->at[to - 1].start > moved.start; to--) r->at[to] = r->at[to - 1];
        r->at[to] = moved;
    }
    for (size_t i = 0; i < r->many; i++) {
        range *last = kept ? &r->at[kept - 1] : NULL;
        if (!last || r->at[i].start >= last->end) {
            r->at[kept++] = r->at[i];
            continue;
        }
        last->several = last->several || r->at[i].start > last->start;
        if (r->at[i].end > last->end) last->end = r->at[i].end;
    }
    r->many = kept;
}

/* What a byte of the caller's has for a copy; NULL: none. */
static unsigned char *copy_of(const ranges *r, const void *pointer) {
    const uintptr_t at = (uintptr_t)pointer;
    for (size_t i = 0; i < r->many; i++)
        if (at >= r->at[i].start && at < r->at[i].end) return r->at[i].copy + (at - r->at[i].start);
    return NULL;
}

/* ---- what the call was given ---- */

static bool is_reached(const ww_device *device, const void *pointer) {
    return device->gpu->driver->place(device->gpu->driver, pointer) != WW__PLACE_UNREACHABLE;
}

/* Results of one element may lie anywhere without staging. */
static bool has_copy(const ww_device *device, const ww_array *array) {
    return array && array->count > 1 && !is_reached(device, array->data);
}

static bool is_read(const ww__given *g) { return g->use != WW__WRITES && g->use != WW__WRITES_FIRST; }

/* What kernels read where it lies. */
static bool is_pointed_to(const ww_input *input, uint32_t step) {
    const ww_step_kind kind = (ww_step_kind)input->kind[step];
    if (kind == WW_STEP_PERMUTED || ww__kind_is_near_array(kind)) return input->step[step].number > 0;
    return ww__step_is_array(input, step) ? ww__step_count(input, step) > 0 : ww__step_by_pointer(input, step);
}
static bool step_has_copy(const ww_device *device, const ww_input *input, uint32_t step) {
    return is_pointed_to(input, step) && !is_reached(device, input->step[step].data);
}
static bool environment_has_copy(const ww_device *device, const ww__given *g) {
    const ww_function *f = g->function ? *g->function : NULL;
    return f && f->origin && ww__environment_by_pointer(f->role, f->bound_type->size, f->bound_count) &&
           !is_reached(device, f->bound);
}

static ww_status add_read(ww_device *device, ranges *all, ranges *read, const void *data, size_t bytes) {
    WW_TRY(add(device, all, data, bytes));
    return add(device, read, data, bytes);
}

/* Adds what is given to `all`, and what of it is read to `read`. The checks have seen that sizes are right. */
static ww_status find_ranges(ww_device *device, const ww__given *g, ranges *all, ranges *read) {
    for (uint32_t s = 0; g->input && s < g->input->steps; s++) {
        if (!step_has_copy(device, g->input, s)) continue;
        const ww__step_memory at = ww__step_reads(g->input, s);
        WW_TRY(add_read(device, all, read, at.data, at.bytes));
    }
    if (environment_has_copy(device, g)) {
        const ww_function *f = *g->function;
        WW_TRY(add_read(device, all, read, f->bound, (size_t)f->bound_count * f->bound_type->size));
    }
    if (!has_copy(device, g->array)) return WW_OK;
    WW_TRY(add(device, all, g->array->data, (size_t)g->array->count * g->array->size));
    return is_read(g) ? add(device, read, g->array->data, (size_t)g->array->count * g->array->size) : WW_OK;
}

/* Turns what is given to its copies, and keeps where results belong. */
static ww_status turn(ww_device *device, const ww__given *g, const ranges *all, ww__staged *staged) {
    for (uint32_t s = 0; g->input && s < g->input->steps; s++)
        if (step_has_copy(device, g->input, s)) g->input->step[s].data = copy_of(all, g->input->step[s].data);
    if (environment_has_copy(device, g)) {
        WW_CHECK(device, staged->functions < WW__STAGED_FUNCTIONS, WW_LIMIT, "more than %d functions are given",
                 WW__STAGED_FUNCTIONS);
        ww_function *const f = &staged->function[staged->functions++];
        *f = **g->function;
        f->bound = copy_of(all, f->bound);
        *g->function = f;
    }
    if (!has_copy(device, g->array)) return WW_OK;
    unsigned char *const copy = copy_of(all, g->array->data);
    if (g->use != WW__READS) {
        WW_CHECK(device, staged->outputs < WW__STAGED_OUTPUTS, WW_LIMIT, "more than %d outputs are given",
                 WW__STAGED_OUTPUTS);
        staged->output[staged->outputs++] = (ww__staged_output){g->array->data, copy, g->array->count, g->array->size,
                                                                g->use == WW__WRITES_FIRST ? g->count : NULL};
    }
    g->array->data = copy;
    return WW_OK;
}

/* ---- through pinned memory ---- */

/* Of what there is to move in all, so that small calls take little. */
static ww_status take_halves(ww_device *device, uint64_t bytes, unsigned char *half[2], size_t *size) {
    *size = HALF_LEAST;
    while (*size < HALF && *size < bytes) *size *= 2;
    WW_TRY(ww__pinned_scratch(device, 2 * *size, &half[0]));
    half[1] = half[0] + *size;
    return WW_OK;
}

static ww_status queue(ww_device *device, void *to, const void *from, size_t bytes) {
    return ww__gpu_said(device, device->gpu->driver->copy(device->gpu->driver, to, from, bytes));
}

static ww_status wait(ww_device *device) {
    return ww__gpu_said(device, device->gpu->driver->sync(device->gpu->driver));
}

/* Copies ranges to their copies, whose addresses `all` has. The wait before a half's first copy is for the other half's: when it
 * is over, that one can be filled again, while this one is copied. */
static ww_status copy_in(ww_device *device, const ranges *read, const ranges *all, uint64_t bytes) {
    unsigned char *half[2];
    size_t size, used = 0, halves = 0;
    if (!bytes || device->on_paper) return WW_OK;
    WW_TRY(take_halves(device, bytes, half, &size));
    for (size_t i = 0; i < read->many; i++) {
        const unsigned char *const from = (const unsigned char *)read->at[i].start;
        unsigned char *const to = copy_of(all, from);
        const size_t length = read->at[i].end - read->at[i].start;
        for (size_t done = 0, piece; done < length; done += piece) {
            const bool is_next = used == size;
            if (is_next) halves++, used = 0;
            unsigned char *const at = half[halves % 2] + used;
            piece = (size_t)ww__min_u64(length - done, size - used);
            ww__copy_by_threads(device, at, from + done, piece);
            if (is_next) WW_TRY(wait(device));
            WW_TRY(queue(device, to + done, at, piece));
            used += piece;
        }
    }
    return WW_OK;
}

/* What a half holds of results. */
typedef struct held {
    unsigned char *to[WW__STAGED_OUTPUTS];
    const unsigned char *from[WW__STAGED_OUTPUTS];
    size_t bytes[WW__STAGED_OUTPUTS], pieces;
} held;

/* Where copying back has come to. */
typedef struct place_out {
    size_t output;
    uint64_t done;
} place_out;

/* Has the GPU copy as much as fits in a half. */
static ww_status fill_half(ww_device *device, const ww__staged *staged, const uint64_t *bytes, place_out *p,
                           unsigned char *half, size_t size, held *h) {
    size_t used = 0;
    h->pieces = 0;
    while (p->output < staged->outputs && used < size) {
        const ww__staged_output *o = &staged->output[p->output];
        const size_t piece = (size_t)ww__min_u64(bytes[p->output] - p->done, size - used);
        if (piece) {
            WW_TRY(queue(device, half + used, (const unsigned char *)o->copy + p->done, piece));
            h->to[h->pieces] = (unsigned char *)o->to + p->done;
            h->from[h->pieces] = half + used;
            h->bytes[h->pieces++] = piece;
        }
        used += piece;
        p->done += piece;
        if (p->done == bytes[p->output]) *p = (place_out){p->output + 1, 0};
    }
    return WW_OK;
}

static void empty_half(ww_device *device, const held *h) {
    for (size_t i = 0; i < h->pieces; i++) ww__copy_by_threads(device, h->to[i], h->from[i], h->bytes[i]);
}

static ww_status copy_out(ww_device *device, const ww__staged *staged, const uint64_t *bytes, uint64_t all) {
    unsigned char *half[2];
    size_t size;
    held now, next;
    place_out at = {0, 0};
    WW_TRY(take_halves(device, all, half, &size));
    WW_TRY(fill_half(device, staged, bytes, &at, half[0], size, &now));
    for (size_t halves = 1; now.pieces; halves++) {
        WW_TRY(wait(device));
        WW_TRY(fill_half(device, staged, bytes, &at, half[halves % 2], size, &next));
        empty_half(device, &now);
        now = next;
    }
    return WW_OK;
}

/* ---- calls ---- */

/* Says what the memory is for that there is too little of. */
static ww_status taken(ww_device *device, ww_status status, uint64_t bytes) {
    const size_t length = strlen(device->error);
    if (status == WW_MEMORY || status == WW_LIMIT)
        snprintf(device->error + length, sizeof device->error - length,
                 "; arrays in the host's own memory take %" PRIu64 " bytes for copies that the GPU reaches", bytes);
    return status;
}

static ww_status take_copies(ww_device *device, ranges *all) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < all->many; i++) bytes += all->at[i].end - all->at[i].start;
    for (size_t i = 0; i < all->many; i++) {
        range *r = &all->at[i];
        const size_t offset = r->several ? r->start % ALIGNMENT : 0;
        WW_TRY(taken(device, ww__scratch(device, r->end - r->start + offset, &r->copy), bytes));
        r->copy += offset;
    }
    return WW_OK;
}

ww_status ww__stage_in(ww_device *device, const ww__given *given, size_t many, ww__staged *staged) {
    ranges all = {.many = 0}, read = {.many = 0};
    *staged = (ww__staged){.outputs = 0};
    device->stage_wanted = false;
    device->stores = WW__STORES_NONE;
    device->staged = true;
    for (size_t g = 0; g < many; g++) WW_TRY(find_ranges(device, &given[g], &all, &read));
    join(&all);
    join(&read);
    WW_TRY(take_copies(device, &all));
    for (size_t i = 0; i < read.many; i++) staged->bytes_in += read.at[i].end - read.at[i].start;
    WW_TRY(taken(device, copy_in(device, &read, &all, staged->bytes_in), 2 * HALF));
    for (size_t g = 0; g < many; g++) WW_TRY(turn(device, &given[g], &all, staged));
    return WW_OK;
}

/* Elements of an output that the call has written. */
static ww_status written(ww_device *device, const ww__staged_output *o, uint64_t *elements) {
    uint64_t count = 0;
    uint32_t narrow;
    *elements = o->elements;
    if (!o->count) return WW_OK;
    const bool wide = o->count->size == sizeof count;
    void *const to = wide ? (void *)&count : (void *)&narrow;
    if (is_reached(device, o->count->data))
        WW_TRY(ww__gpu_copy(device, to, o->count->data, o->count->size));
    else
        memcpy(to, o->count->data, o->count->size);
    *elements = ww__min_u64(o->elements, wide ? count : narrow);
    return WW_OK;
}

static ww_status results_out(ww_device *device, const ww__staged *staged, uint64_t *bytes_out) {
    uint64_t bytes[WW__STAGED_OUTPUTS], elements;
    for (size_t o = 0; o < staged->outputs; o++) {
        WW_TRY(written(device, &staged->output[o], &elements));
        bytes[o] = elements * staged->output[o].size;
        *bytes_out += bytes[o];
    }
    return *bytes_out ? copy_out(device, staged, bytes, *bytes_out) : WW_OK;
}

static void trace(const ww_device *device, const ww__staged *staged, uint64_t bytes_out) {
    if (device->trace)
        fprintf(stderr, "warpwise: %s staged in=%" PRIu64 " out=%" PRIu64 " device=%s\n", device->call,
                staged->bytes_in, bytes_out, device->gpu->driver->backend);
}

ww_status ww__stage_out(ww_device *device, const ww__staged *staged, ww_status status) {
    uint64_t bytes_out = 0;
    if (device->on_paper) return status;
    status = ww__stage_wait(device, status);
    if (!status || device->room_short) {
        const ww_status copied = results_out(device, staged, &bytes_out);
        /* What has been queued before it failed must not go on when the call has returned. */
        if (copied) status = ww__stage_wait(device, copied);
    }
    trace(device, staged, bytes_out);
    return status;
}
