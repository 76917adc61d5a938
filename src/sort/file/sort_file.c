/* ww_sort_file: the checks, the files, and the trips that are made.
 *
 * What is one chunk makes one trip, from the input to the output. Else the first trip makes sorted runs of a chunk each, and the last
 * one merges them: chunk k of the result is what the runs have between two exact ranks (cut.c), one piece behind the other in
 * the order of runs, which is the input's, and is sorted stably. So merging is sorting once more, on any device and by any
 * method, and chunks have the same size on all trips. Where there are more runs than can be merged at once, trips between make
 * longer ones, in the same file behind the others. */
#include "warpwise/sort_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/array.h"
#include "device/options.h"
#include "device/paper.h"
#include "file/file.h"
#include "function/function.h"
#include "sort/file/plan.h"
#include "sort/file/trip.h"
#include "sort/order.h"
#include "sort/records/records.h"

typedef struct work {
    ww__file_sort sort;
    ww_sort_file_options o;
    ww_file_options files; /* the same, for the room file/ */
    ww__file_plan plan;
    ww__source source;
    ww__contents contents;
    ww__output output;
    ww__channel in, out, temporary;
    const char *folder;
    ww__trip trip;
    ww__file_runs from, to; /* of a trip */
    ww__file_cut cut;
    unsigned char *memory; /* of the allocator's */
    size_t memory_bytes;
    unsigned char *store, *tables; /* in it */
    bool first_trip;
    uint64_t total; /* bytes that all trips read and write; 0: not known */
} work;

/* ---- sentences ---- */

static ww_status fail_input(const work *w, const ww__trip *t) {
    const char *name = w->source.transfer.name;
    ww_device *device = w->sort.device;
    const size_t size = w->sort.elements.size;
    if (t->problem == WW__TRIP_INPUT)
        return ww__fail(device, WW_FILE, "%.200s: cannot be read at byte %" PRIu64 ": %s", name, t->at,
                        strerror(t->number));
    if (t->problem == WW__TRIP_SHRANK)
        return ww__fail(device, WW_FILE,
                        "%.200s: shrank while it was read: %" PRIu64 " of its %" PRIu64 " bytes of elements were there",
                        name, t->at, t->n * size);
    if (t->n == UINT64_MAX) return ww__check_multiple(&w->source.transfer, w->sort.elements, t->at);
    return ww__fail(device, WW_FORMAT,
                    "%.200s: its shape has %" PRIu64 " elements of %zu bytes; there are %s%" PRIu64
                    " bytes after the header",
                    name, t->n, size, t->problem == WW__TRIP_LONGER ? "more than " : "", t->at);
}

static ww_status fail_trip(const work *w) {
    const ww__trip *t = &w->trip;
    ww_device *device = w->sort.device;
    if (t->stopped_by_caller)
        return ww__fail(device, WW_FILE, "%.200s: stopped after %" PRIu64 " bytes", w->output.transfer.name, t->done);
    switch (t->problem) {
    case WW__TRIP_FINE:
        return WW_OK;
    case WW__TRIP_OUTPUT:
        return ww__fail(device, WW_FILE, "%.200s: cannot be written after %" PRIu64 " of %" PRIu64 " bytes: %s",
                        w->output.transfer.name, t->at, t->to.header_bytes + t->n * w->sort.elements.size,
                        strerror(t->number));
    case WW__TRIP_TEMPORARY_READ:
    case WW__TRIP_TEMPORARY_WRITE:
        return ww__fail(device, WW_FILE, "%.200s: the temporary file cannot be %s at byte %" PRIu64 ": %s", w->folder,
                        t->problem == WW__TRIP_TEMPORARY_READ ? "read" : "written", t->at, strerror(t->number));
    default:
        return fail_input(w, t);
    }
}

/* ---- checks ---- */

static ww_status check_key(work *w, const ww_sort_options *options) {
    ww__file_sort *s = &w->sort;
    const ww_array *elements = &s->elements;
    s->key = (ww__file_key){.first = w->o.key_first, .bytes = w->o.key_bytes, .is_bytes = true};
    if (w->o.key_bytes) {
        ww_sort_options o;
        WW_TRY(ww__sort_take_options(s->device, options, &o));
        s->key.descending = o.descending;
        return ww__sort_records_check(s->device, w->o.key_first, w->o.key_bytes, elements->size, options);
    }
    WW_CHECK(s->device, !w->o.key_first, WW_INVALID, "key_first is %" PRIu64 " and key_bytes 0", w->o.key_first);
    WW_TRY(ww__sort_check_type(s->device, elements->type));
    s->numbers = (ww__sort_request){.of = {.keys = ww_from(*elements), .keys_out = *elements}};
    WW_TRY(ww__sort_check_options(s->device, options, &s->numbers));
    const ww__sorting *const n = &s->numbers.of;
    s->key = (ww__file_key){
        .bytes = elements->size, .order = ww__radix_order_of(n), .bit_first = n->bit_first, .bit_count = n->bit_count};
    return WW_OK;
}

/* What is written directly is there when the input is read. */
static ww_status check_apart(const work *w) {
    const ww__file_place *place = &w->output.place;
    const struct stat *in = &w->source.status, *out = &place->status;
    WW_CHECK(w->sort.device,
             ww__file_place_is_replaced(place) || !place->there || !S_ISREG(out->st_mode) ||
                 in->st_dev != out->st_dev || in->st_ino != out->st_ino,
             WW_INVALID, "%.200s: is the input, and would be written while that is read", w->output.transfer.name);
    return WW_OK;
}

static ww_status take_arguments(work *w, const char *in, ww_array what, const char *out,
                                const ww_sort_file_options *file_options) {
    ww_device *device = w->sort.device;
    WW_CHECK(device, in && out, WW_INVALID, "%s is NULL", in ? "out" : "in");
    WW_TRY(ww__take_options(device, file_options, "WW_SORT_FILE_OPTIONS", &w->o,
                            offsetof(ww_sort_file_options, reserved)));
    WW_CHECK(device, !what.type || what.size > 0, WW_INVALID, "the requested type has elements of 0 bytes");
    if (what.type) WW_TRY(ww__check_size(device, "what", what.type, what.size));
    WW_TRY(ww__not_on_paper(device));
    w->files = (ww_file_options)WW_FILE_OPTIONS;
    w->files.progress = w->o.progress;
    w->files.context = w->o.context;
    w->files.header = w->o.header;
    w->output.transfer = (ww__transfer){device, out, strcmp(out, "-") ? out : "standard output", &w->files, 0, 0};
    w->output.durable = w->o.durable;
    w->output.npy = strcmp(out, "-") ? ww__named_npy(out) : w->o.npy;
    w->output.nameless = true;
    return WW_OK;
}

/* ---- memory ---- */

static uint64_t memory_wanted(const work *w) {
    if (w->o.memory) return w->o.memory;
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes / 2 : (uint64_t)1 << 30;
}

/* Buffers begin at whole pages. */
static ww_status take_memory(work *w) {
    ww_device *device = w->sort.device;
    const size_t size = w->sort.elements.size, chunk = (size_t)w->plan.chunk * size;
    const size_t buffer = ww__round_up(chunk, WW__DIRECT_BYTES) + WW__DIRECT_BYTES;
    const uint64_t n = w->trip.n;
    const bool one = n <= w->plan.chunk;
    ww__file_runs runs = {.key = &w->sort.key, .size = size, .length = w->plan.chunk, .file = &w->temporary, .n = n};
    const size_t store = w->plan.in_memory ? ww__round_up((size_t)n * size, WW__DIRECT_BYTES) : 0;
    if (store) runs.memory = (unsigned char *)w; /* some; the place is not known yet */
    const size_t tables = one ? 0 : WW__SAMPLES_BYTES + ww__file_cut_bytes(&runs, w->plan.merged);
    w->memory_bytes = WW__DIRECT_BYTES + store + (one ? 1 : 2) * buffer + tables;
    w->memory = ww__host_allocate(device, w->memory_bytes);
    if (!w->memory) return ww__no_memory(device, w->memory_bytes);
    const uintptr_t begin = (uintptr_t)w->memory;
    unsigned char *at = w->memory + (ww__round_up(begin, WW__DIRECT_BYTES) - begin);
    w->trip.buffer[0] = at + store;
    w->trip.buffer[1] = one ? NULL : w->trip.buffer[0] + buffer;
    w->trip.to.samples = w->trip.buffer[0] + 2 * buffer;
    w->tables = w->trip.to.samples + WW__SAMPLES_BYTES;
    runs.memory = store ? at : NULL;
    w->to = runs;
    return ww__scratch_hold(device, (size_t)w->plan.scratch);
}

/* ---- files ---- */

static ww_status open_input(work *w, const char *in, ww_array what, const ww_sort_options *options) {
    ww_device *device = w->sort.device;
    ww__source *source = &w->source;
    WW_TRY(ww__source_open(device, in, &w->files, source));
    WW_TRY(ww__source_contents(source, what, &w->contents));
    w->sort.elements = w->contents.elements;
    WW_TRY(check_key(w, options));
    w->in = (ww__channel){.fd = source->fd,
                          .direct = -1,
                          .positional = source->sized,
                          .waits = !S_ISREG(source->status.st_mode),
                          .go_on = ww__trip_goes_on,
                          .context = &w->trip};
    w->trip.n = w->contents.elements.count;
    w->trip.from.input = &w->in;
    if (!source->sized) {
        w->trip.from.head = source->peeked;
        w->trip.from.head_bytes = source->peeks;
        return WW_OK;
    }
    const off_t at = lseek(source->fd, 0, SEEK_CUR);
    WW_CHECK(device, at >= 0, WW_FILE, "%.200s: has no place to read from: %s", source->transfer.name, strerror(errno));
    w->trip.from.first = (uint64_t)at - source->peeks;
    return WW_OK;
}

static ww_status open_output(work *w) {
    ww__output *o = &w->output;
    WW_TRY(ww__file_place_find(&o->transfer, &o->place));
    WW_TRY(check_apart(w));
    WW_TRY(ww__output_open(o));
    const bool replaced = ww__file_place_is_replaced(&o->place);
    w->out = (ww__channel){.fd = o->fd,
                           .direct = -1,
                           .positional = replaced,
                           .waits = !replaced && o->place.there && !S_ISREG(o->place.status.st_mode),
                           .early = o->durable,
                           .go_on = ww__trip_goes_on,
                           .context = &w->trip};
    if (replaced) ww__channel_open_direct(&w->out);
    return WW_OK;
}

static const char *folder_of(const work *w) {
    const char *named = w->o.folder ? w->o.folder : secure_getenv("TMPDIR");
    return named && *named ? named : "/tmp";
}

/* A file that has no name: from its beginning, or where the file system makes no such files from the next moment on. */
static ww_status open_temporary(work *w) {
    char path[PATH_MAX];
    int fd = open(w->folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) &&
        snprintf(path, sizeof path, "%s/.warpwise-sort-XXXXXX", w->folder) < PATH_MAX) {
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0) unlink(path);
    }
    fd = ww__above_standard(fd);
    WW_CHECK(w->sort.device, fd >= 0, WW_FILE, "%.200s: no temporary file can be made there: %s", w->folder,
             strerror(errno));
    w->temporary = (ww__channel){
        .fd = fd, .direct = -1, .positional = true, .go_on = ww__trip_goes_on, .context = &w->trip};
    posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM); /* what is to be read next is said, and nothing beside it is */
    ww__channel_open_direct(&w->temporary);
    return WW_OK;
}

/* ---- trips ---- */

static ww_status sort_elements(void *context, void *elements, uint64_t count) {
    const work *w = context;
    if (w->first_trip && w->contents.swapped) ww__swap_elements(elements, count, w->sort.elements.size);
    return ww__file_sort_elements(&w->sort, elements, count);
}

static bool tell(void *context, uint64_t done) {
    const work *w = context;
    return !w->o.progress || w->o.progress(w->o.context, w->output.transfer.path, done, w->total);
}

static ww_status make_trip(work *w) {
    WW_TRY(ww__trip_make(&w->trip));
    w->first_trip = false;
    return fail_trip(w);
}

static void go_to_output(work *w) {
    ww__trip_to *to = &w->trip.to;
    ww_array all = w->sort.elements;
    all.count = w->trip.n;
    to->runs = NULL;
    to->output = &w->out;
    to->header_bytes = w->output.npy ? ww__npy_header(&all, NULL, to->header) : 0;
}

/* The runs that a trip has made are what the next one begins with. */
static void come_from_runs(work *w) {
    ww__trip_from *from = &w->trip.from;
    w->to.n = w->trip.n;
    w->from = w->to;
    ww__file_cut_place(&w->cut, &w->from, w->plan.merged, w->tables);
    *from = (ww__trip_from){.runs = &w->from, .group = w->plan.merged, .cut = &w->cut};
}

static uint64_t runs_of(const work *w, uint64_t length) { return w->trip.n ? (w->trip.n - 1) / length + 1 : 0; }

static uint64_t total_of(const work *w) {
    const uint64_t bytes = w->trip.n * w->sort.elements.size;
    uint64_t trips = 1;
    if (w->trip.n == UINT64_MAX) return 0;
    if (w->trip.n <= w->plan.chunk || w->plan.in_memory) return 2 * bytes;
    for (uint64_t length = w->plan.chunk; runs_of(w, length) > 1; length *= w->plan.merged) trips++;
    return 2 * bytes * trips;
}

static ww_status merge_runs(work *w) {
    w->total = total_of(w);
    come_from_runs(w);
    while (runs_of(w, w->from.length) > w->plan.merged) {
        w->to.first = ww__file_run_at(&w->from, ww__file_runs_count(&w->from), 0);
        w->to.length = w->from.length * w->plan.merged;
        w->trip.to.runs = &w->to;
        ww__trip_begin(&w->trip);
        WW_TRY(make_trip(w));
        come_from_runs(w);
    }
    go_to_output(w);
    ww__trip_begin(&w->trip);
    return make_trip(w);
}

/* Nothing, but a header. */
static ww_status write_empty(work *w) {
    size_t done;
    go_to_output(w);
    const ww__trip_to *to = &w->trip.to;
    if (ww__channel_write(&w->out, to->header, to->header_bytes, 0, &done)) return fail_trip(w);
    return ww__fail(w->sort.device, WW_FILE, "%.200s: cannot be written after %zu of %zu bytes: %s",
                    w->output.transfer.name, done, to->header_bytes, strerror(errno));
}

/* Where the number of elements is not known, the first chunk says whether there will be a second one. */
static ww_status make_trips(work *w) {
    ww__trip *t = &w->trip;
    const uint64_t chunk = w->plan.chunk;
    const bool open = t->n == UINT64_MAX;
    t->chunk = chunk;
    w->first_trip = true;
    w->total = total_of(w);
    if (t->n <= chunk) go_to_output(w);
    ww__trip_begin(t);
    if (open || !t->n) {
        ww__trip_bring_first(t);
        WW_TRY(fail_trip(w));
        if (open && t->n <= chunk && !w->output.npy) go_to_output(w);
    }
    if (!t->n) return write_empty(w);
    if (t->to.output) return make_trip(w);
    t->to.runs = &w->to;
    if (!w->to.memory) WW_TRY(open_temporary(w));
    WW_TRY(make_trip(w));
    return t->n ? merge_runs(w) : write_empty(w);
}

/* ---- the call ---- */

static ww_status tell_or_stop(work *w, uint64_t done) {
    return tell(w, done) ? WW_OK
                         : ww__fail(w->sort.device, WW_FILE, "%.200s: stopped after %" PRIu64 " bytes",
                                    w->output.transfer.name, w->trip.done);
}

static ww_status write_output(work *w) {
    WW_TRY(make_trips(w));
    WW_TRY(tell_or_stop(w, w->total));
    WW_TRY(ww__output_finish(&w->output));
    return ww__output_name_all(&w->output, 1);
}

static ww_status sort_opened(work *w) {
    WW_TRY(tell_or_stop(w, 0));
    WW_TRY(ww__file_plan_make(&w->sort, w->trip.n, memory_wanted(w), &w->plan));
    WW_TRY(open_output(w));
    WW_TRY(take_memory(w));
    return write_output(w);
}

static void close_all(work *w) {
    ww__channel_close_direct(&w->out);
    ww__channel_close_direct(&w->temporary);
    if (w->temporary.fd >= 0) close(w->temporary.fd);
    ww__output_drop(&w->output);
    ww__source_close(&w->source);
    if (w->memory) ww__host_release(w->sort.device, w->memory, w->memory_bytes);
    ww__trip_close(&w->trip);
}

static ww_status sort_file(ww_device *device, const char *in, ww_array what, const char *out,
                           const ww_sort_options *options, const ww_sort_file_options *file_options) {
    work w = {.sort = {.device = device},
              .source = {.fd = -1},
              .out = {.direct = -1},
              .temporary = {.fd = -1, .direct = -1},
              .output = {.fd = -1, .place = {.folder = -1, .descriptor = -1}}};
    WW_TRY(take_arguments(&w, in, what, out, file_options));
    w.folder = folder_of(&w);
    w.trip.device = device;
    w.trip.sort = sort_elements;
    w.trip.tell = tell;
    w.trip.context = &w;
    ww__trip_open(&w.trip);
    ww_status status = open_input(&w, in, what, options);
    w.trip.size = w.sort.elements.size;
    if (!status) status = sort_opened(&w);
    close_all(&w);
    return status;
}

ww_status ww_sort_file(ww_device *device, const char *in, ww_array what, const char *out,
                       const ww_sort_options *options, const ww_sort_file_options *file_options) {
    const ww_status status = ww__enter(device, "ww_sort_file");
    return status ? status : ww__leave(device, sort_file(device, in, what, out, options, file_options));
}
