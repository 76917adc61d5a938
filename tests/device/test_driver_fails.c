/* A GPU whose driver fails: at each deed in turn that a call asks it for, until the call succeeds. The status is the driver's,
 * with a sentence; a handle that is not lost makes the same call right afterwards; nothing is written beside the outputs; no
 * copy of the host's memory is under way when the call has returned; and when the handle is closed, all is given back.
 * Copies happen as late as they may meanwhile, so that reading the host's memory before they are done shows.
 *
 * And scratch memory: what a call says that it took is what it needs, and what the driver was asked for. */
#include <stdio.h>

#include "queued_calls.h"
#include "reference/find_many.h"
#include "reference/sort.h"
#include "support/failing_driver.h"

/* ---- what is tried ---- */

typedef struct subject subject;
struct subject {
    const char *name;
    ww_device *device;
    void (*prepare)(subject *s);   /* inputs as they are to be, outputs poisoned */
    ww_status (*call)(subject *s); /* may be several: the first status that is not WW_OK */
    void (*expect_right)(subject *s);
    void (*expect_apart)(subject *s); /* whatever it said: nothing beside the outputs was written */
    void *data;
};

static const char *device_name(void) { return setting_name(0); }

/* Whether the call is made again after failure k: always is twice the time. */
static bool is_repeated(size_t k) { return k % 4 < 2; }

/* Deeds of the host's allocator, which fails in the driver's place. */
enum { FAILS_HOST = 1 << 8 };

/* One failure, of a handle that is closed then. Returns how many deeds the driver was asked for, or the allocator. */
static size_t fails_cold(subject *s, unsigned deeds, ww_status with, size_t k) {
    counting_allocator counter = {.fail_at = SIZE_MAX};
    failing_driver f = {.deeds = deeds, .status = with, .fail_at = SIZE_MAX};
    ww_open_options options = WW_OPEN_OPTIONS;
    CASE("driver fails", "%s %s deeds %u, %s at %zu", device_name(), s->name, deeds, ww_status_name(with), k);
    options.allocator = counting_allocator_use(&counter);
    expect_status(s->device, ww_open_with(device_name(), &s->device, &options), WW_OK);
    failing_driver_begin(s->device, &f);
    s->prepare(s);
    f.count = 0, f.fail_at = k;
    const size_t before = counter.requests;
    if (deeds == FAILS_HOST && k != SIZE_MAX) counter.fail_at = before + k;
    const ww_status status = s->call(s);
    const size_t count = deeds == FAILS_HOST ? counter.requests - before : f.count;
    const bool failed = f.failed;
    counter.fail_at = SIZE_MAX;
    if (status) {
        expect_status(s->device, status, with);
        expect_sentence(s->device, with == WW_LOST ? "close it and open another" : "memory");
    }
    if (failed && with == WW_LOST) {
        /* What is done when the call has ended, the next one says. */
        expect((status == WW_LOST || !status) && s->call(s) == WW_LOST);
        expect_sentence(s->device, "close it and open another");
    } else {
        /* The driver's failure may have been no hindrance: kept programs that do not load are compiled. */
        expect(!f.under_way);
        f.fail_at = SIZE_MAX;
        if (!status) {
            expect_status(s->device, ww_sync(s->device), WW_OK); /* another handle reads what it queued */
            s->expect_right(s);
        }
        if (status && is_repeated(k)) {
            s->prepare(s);
            expect_status(s->device, s->call(s), WW_OK);
            s->expect_right(s);
        }
    }
    s->expect_apart(s);
    ww_close(s->device);
    expect(!f.blocks && !f.bytes && !f.programs);
    expect(!counter.live_blocks && !counter.live_bytes);
    return count;
}

/* The next deed that is tried after the k-th of `all`, where `places` are enough: fewer where a call has very many, which take
 * long. */
static size_t next_place(size_t k, size_t all, size_t places) {
    enum { MANY = 8, FEW_PLACES = 1 };
    const size_t next = k + 1 + all / (all > MANY && places < all ? FEW_PLACES : places);
    return k < all && next > all ? all : next;
}

static size_t fails_first_time(subject *s, unsigned deeds, ww_status with, size_t places) {
    const size_t all = fails_cold(s, deeds, with, SIZE_MAX);
    for (size_t k = 0; k < all; k = next_place(k, all - 1, places)) fails_cold(s, deeds, with, k);
    return all;
}

/* Failures of a call that was made before, on one handle, at `places` deeds or so: nothing but what is queued is asked for. */
static size_t fails_warm(subject *s, size_t places) {
    failing_driver f = {.deeds = FAILS_MEMORY | FAILS_QUEUE, .status = WW_MEMORY, .fail_at = SIZE_MAX};
    s->device = setting_open(0);
    failing_driver_begin(s->device, &f);
    size_t all = 0;
    for (int again = 0; again < 2; again++) {
        s->prepare(s);
        f.count = 0;
        const ww_status status = s->call(s);
        all = f.count;
        expect_status(s->device, status, WW_OK);
        s->expect_right(s);
    }
    for (size_t k = 0; k <= all; k = next_place(k, all, places)) {
        CASE("driver fails", "%s %s again, at %zu", device_name(), s->name, k);
        s->prepare(s);
        f.failed = false, f.count = 0, f.fail_at = k;
        const ww_status status = s->call(s);
        f.fail_at = SIZE_MAX;
        expect(f.failed == (k < all));
        expect_status(s->device, status, f.failed ? WW_MEMORY : WW_OK);
        if (f.failed) expect_sentence(s->device, "memory");
        expect(!f.under_way);
        if (f.failed && is_repeated(k)) {
            s->prepare(s);
            expect_status(s->device, s->call(s), WW_OK);
            s->expect_right(s);
        }
        if (!f.failed) {
            expect_status(s->device, ww_sync(s->device), WW_OK);
            s->expect_right(s);
        }
        s->expect_apart(s);
    }
    ww_close(s->device);
    expect(!f.blocks && !f.programs);
    return all;
}

/* ---- the queued calls ---- */

typedef struct queued {
    world w;
    ww_device *own; /* of the arrays; it makes no calls */
    const one_call *call;
    outputs wanted;
    ww_patterns *patterns; /* NULL: the call opens them */
} queued;

enum { BEHIND = 64, PATTERN = 0x5A, PLACES = 2 };

static void prepare_queued(subject *s) {
    queued *q = s->data;
    const ww_value pattern = ww_value(uint8_t, PATTERN);
    const size_t bytes = (q->w.n + BEHIND) * 4;
    expect_status(q->own, ww_fill(q->own, ww_array((uint8_t *)q->w.out, bytes), pattern), WW_OK);
    expect_status(q->own, ww_fill(q->own, ww_array((uint8_t *)q->w.second, bytes), pattern), WW_OK);
    expect_status(q->own, ww_fill(q->own, ww_array((uint8_t *)q->w.count, 8), pattern), WW_OK);
}

/* Patterns are a handle's. */
static ww_status make_queued(subject *s) {
    const queued *q = s->data;
    static const uint64_t offsets[] = {0, 2, 5, 9};
    world w = q->w;
    w.device = s->device;
    if (q->patterns) w.patterns = q->patterns;
    if (q->call->make != many_found || q->patterns) return q->call->make(&w, w.n);
    ww_status status = ww_patterns_open(s->device, "\1\1\0\1\0\0\0\0\1", offsets, 3, &w.patterns, NULL);
    if (status) return status;
    status = q->call->make(&w, w.n);
    if (!status) status = ww_sync(s->device);
    ww_patterns_close(w.patterns);
    return status;
}

static outputs read_queued(const queued *q) {
    world w = q->w;
    w.device = q->own;
    return read_outputs(&w);
}

static void expect_queued_right(subject *s) {
    const queued *q = s->data;
    outputs got = read_queued(q);
    expect(got.count == q->wanted.count);
    expect_bytes(got.out, q->wanted.out, q->w.n * 4);
    expect_bytes(got.second, q->wanted.second, q->w.n * 4);
    free_outputs(&got);
}

static void expect_queued_apart(subject *s) {
    const queued *q = s->data;
    uint32_t *const outs[] = {q->w.out, q->w.second};
    uint8_t behind[BEHIND * 4];
    ww_sync(s->device);
    for (size_t o = 0; o < 2; o++) {
        const ww_array from = ww_array((uint8_t *)(outs[o] + q->w.n), sizeof behind);
        expect_status(q->own, ww_copy(q->own, ww_from(from), ww_array(behind, sizeof behind)), WW_OK);
        for (size_t i = 0; i < sizeof behind; i++) expect(behind[i] == PATTERN);
    }
}

static subject subject_of(queued *q, const one_call *call) {
    q->call = call;
    return (subject){call->name, q->own, prepare_queued, make_queued, expect_queued_right, expect_queued_apart, q};
}

/* What a handle that nothing happens to gives; the values are other tests' matter. */
static void learn(subject *s) {
    queued *q = s->data;
    s->device = setting_open(0);
    prepare_queued(s);
    expect_status(s->device, make_queued(s), WW_OK);
    q->wanted = read_queued(q);
    ww_close(s->device);
}

static void queued_calls(void **state) {
    (void)state;
    if (!on_gpu()) {
        left_out("a CPU has no driver");
        return;
    }
    queued q = {.own = setting_open(0)};
    q.w = begin(q.own);
    for (size_t c = 0; c < CALLS; c++) {
        subject s = subject_of(&q, &calls[c]);
        CASE("driver fails", "%s %s", device_name(), calls[c].name);
        if (!case_wanted()) continue;
        learn(&s);
        const size_t again = fails_warm(&s, PLACES / 2);
        /* The first time a handle is opened for each failure, and programs that do not load are compiled: of the calls every other one
         * has the driver's, the rest the allocator's and a lost GPU, and another day the other way round. */
        size_t first = 0;
        if ((c + day_of_run()) % 2) {
            first = fails_first_time(&s, FAILS_MEMORY | FAILS_PROGRAMS | FAILS_QUEUE, WW_MEMORY, 2 * PLACES);
        } else {
            fails_first_time(&s, FAILS_ALL, WW_LOST, 1);
            first = fails_first_time(&s, FAILS_HOST, WW_MEMORY, 1);
        }
        printf("%s: ends well at deeds of %zu, and of %zu more the first time\n", calls[c].name, again, first);
        free_outputs(&q.wanted);
    }
    end(&q.w);
    ww_close(q.own);
}

/* ---- sorts of what is larger than the memory ---- */

typedef struct large {
    reference_order order;
    size_t n, value_size, limit;
    bool in_place;
    unsigned char *keys, *values, *keys_wanted, *values_wanted;
    guarded keys_out, values_out;
} large;

static void prepare_large(subject *s) {
    large *l = s->data;
    const size_t size = l->order.type->size;
    void *const keys = l->in_place ? l->keys_out.data : l->keys, *const values = l->in_place ? l->values_out.data
                                                                                             : l->values;
    memset(l->keys_out.data, 0xA5, l->n * size);
    memset(l->values_out.data, 0xA5, l->n * l->value_size);
    fill(keys, l->order.type, size, l->n, UNIFORM, seed_of_run());
    fill(values, &ww_type_record, l->value_size, l->n, UNIFORM, seed_of_run() + 1);
    expect_status(NULL, ww_scratch_limit(s->device, l->limit), WW_OK);
}

static ww_status sort_large(subject *s) {
    const large *l = s->data;
    ww_sort_options o = WW_SORT_OPTIONS;
    o.descending = l->order.descending;
    const ww_array keys_out = ww_array_of(l->keys_out.data, l->n, l->order.type);
    const ww_array values_out = l->value_size ? ww_records(l->values_out.data, l->n, l->value_size) : ww_none;
    const ww_array keys = ww_array_of(l->keys, l->n, l->order.type);
    const ww_array values = l->value_size ? ww_records(l->values, l->n, l->value_size) : ww_none;
    return ww_sort_large(s->device, ww_from(l->in_place ? keys_out : keys), ww_from(l->in_place ? values_out : values),
                         keys_out, values_out, &o);
}

static void expect_large_right(subject *s) {
    const large *l = s->data;
    expect_elements(l->keys_out.data, l->keys_wanted, l->n, l->order.type->size);
    if (l->value_size) expect_elements(l->values_out.data, l->values_wanted, l->n, l->value_size);
}

static void expect_large_apart(subject *s) {
    const large *l = s->data;
    guarded_check(&l->keys_out);
    guarded_check(&l->values_out);
}

static large large_new(reference_order order, size_t n, size_t value_size, size_t limit, bool in_place) {
    const size_t size = order.type->size;
    large l = {.order = order, .n = n, .value_size = value_size, .limit = limit, .in_place = in_place};
    uint32_t *positions = need(n * 4);
    l.keys = need(n * size), l.keys_wanted = need(n * size);
    l.values = need(n * value_size + 1), l.values_wanted = need(n * value_size + 1);
    l.keys_out = guarded_new(n * size), l.values_out = guarded_new(n * value_size);
    fill(l.keys, order.type, size, n, UNIFORM, seed_of_run());
    fill(l.values, &ww_type_record, value_size, n, UNIFORM, seed_of_run() + 1);
    reference_sort_positions(order, l.keys, n, positions);
    for (size_t i = 0; i < n; i++) {
        memcpy(l.keys_wanted + i * size, l.keys + positions[i] * size, size);
        memcpy(l.values_wanted + i * value_size, l.values + positions[i] * value_size, value_size);
    }
    free(positions);
    return l;
}

static void large_free(large *l) {
    guarded_free(&l->keys_out), guarded_free(&l->values_out);
    free(l->keys), free(l->values), free(l->keys_wanted), free(l->values_wanted);
}

/* All at once, and in chunks of some 1,000 elements; programs are those of test_sort_large.c. */
static void large_sorts(void **state) {
    (void)state;
    enum { FLOOR = (1 << 20) + 4096 };
    if (!on_gpu()) {
        left_out("a CPU has no driver");
        return;
    }
    static const struct {
        const char *name;
        reference_order order;
        size_t n, value_size, limit;
        bool in_place;
    } cases[] = {{"sort large, at once", {&ww_type_uint32_t, false, 0, 0}, 1500, 0, 0, true},
                 {"sort large, chunks", {&ww_type_uint32_t, false, 0, 0}, 2049, 0, FLOOR + (24 << 10), false},
                 {"sort large, chunks of pairs", {&ww_type_float, true, 0, 0}, 2500, 4, FLOOR + (40 << 10), true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        CASE("driver fails", "%s %s", device_name(), cases[c].name);
        if (!case_wanted()) continue;
        large l = large_new(cases[c].order, cases[c].n, cases[c].value_size, cases[c].limit, cases[c].in_place);
        subject s = {cases[c].name, NULL, prepare_large, sort_large, expect_large_right, expect_large_apart, &l};
        const size_t again = fails_warm(&s, l.value_size ? 2 * PLACES : SIZE_MAX);
        printf("%s: ends well at deeds of %zu", s.name, again);
        if (!l.value_size) {
            const size_t memory = fails_first_time(&s, FAILS_MEMORY | FAILS_PROGRAMS | FAILS_QUEUE, WW_MEMORY,
                                                   2 * PLACES);
            const size_t lost = fails_first_time(&s, FAILS_ALL, WW_LOST, SIZE_MAX);
            fails_first_time(&s, FAILS_HOST, WW_MEMORY, SIZE_MAX);
            printf(", at each of %zu more the first time, and of %zu whereafter it is lost", memory, lost);
        }
        printf("\n");
        large_free(&l);
    }
}

/* Where the driver has not all that is asked for, half of it does: at once, or in chunks of what then fits. */
static void large_sorts_in_half_the_memory(void **state) {
    (void)state;
    enum { HALF = (1 << 20) + 4096 + (24 << 10), N = 2049 };
    static const size_t limits[] = {0, 2 * HALF};
    if (!on_gpu()) {
        left_out("a CPU has no driver");
        return;
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        CASE("driver fails once", "%s sort large, limit %zu, the first time that it asks for memory", device_name(),
             limits[i]);
        if (!case_wanted()) continue;
        failing_driver f = {.deeds = FAILS_MEMORY, .status = WW_MEMORY, .fail_at = SIZE_MAX};
        large l = large_new((reference_order){&ww_type_uint32_t, false, 0, 0}, N, 0, limits[i], false);
        subject s = {
            "sort large", setting_open(0), prepare_large, sort_large, expect_large_right, expect_large_apart, &l};
        failing_driver_begin(s.device, &f);
        prepare_large(&s);
        f.count = 0, f.fail_at = 0;
        const ww_status status = sort_large(&s);
        expect(f.failed);
        expect_status(s.device, status, WW_OK);
        expect_large_right(&s);
        expect_large_apart(&s);
        ww_close(s.device);
        expect(!f.blocks && !f.programs);
        large_free(&l);
    }
}

/* ---- streams ---- */

enum { TEXT = 900, PIECES = 4, PATTERNS = 3, MATCHES_MOST = 2 * TEXT };
static const uint64_t pattern_offsets[PATTERNS + 1] = {0, 2, 5, 12};
static const uint64_t piece_first[PIECES + 1] = {0, 300, 303, 307, TEXT};
static const unsigned char pattern_bytes[] = "ab"
                                             "bab"
                                             "aabbabb";

typedef struct streamed {
    unsigned char *text;
    guarded positions, numbers;
    uint64_t *count, found;
    reference_match wanted[MATCHES_MOST];
    uint64_t wanted_found;
} streamed;

static void prepare_stream(subject *s) {
    streamed *d = s->data;
    memset(d->positions.data, 0xA5, d->positions.bytes);
    memset(d->numbers.data, 0xA5, d->numbers.bytes);
    d->found = 0;
}

/* A piece that fails leaves the stream as it was: it is given again, and after another one nothing is missing. */
static ww_status take_piece(subject *s, ww_find_stream *stream, uint64_t first, uint64_t end) {
    streamed *d = s->data;
    uint64_t *positions = (uint64_t *)d->positions.data + d->found, *numbers = (uint64_t *)d->numbers.data + d->found;
    const uint64_t room = MATCHES_MOST - d->found;
    ww_status failed = WW_OK, status = WW_LOST;
    for (int turn = 0; turn < 2 && status; turn++) {
        status = ww_find_stream_next(stream, ww_memory(d->text + first, end - first), ww_array(positions, room),
                                     ww_array(numbers, room), ww_array(d->count, 1));
        if (!status) status = ww_sync(s->device);
        if (status == WW_LOST) return status;
        if (!turn) failed = status;
    }
    if (!status) d->found += *d->count;
    return status ? status : failed;
}

static ww_status stream(subject *s) {
    streamed *d = s->data;
    ww_patterns *patterns;
    ww_find_stream *stream = NULL;
    d->found = 0;
    ww_status status = ww_patterns_open(s->device, pattern_bytes, pattern_offsets, PATTERNS, &patterns, NULL),
              failed = WW_OK;
    if (!status) status = ww_find_stream_open(patterns, &stream);
    for (size_t p = 0; p < PIECES && !status; p++) {
        status = take_piece(s, stream, piece_first[p], piece_first[p + 1]);
        if (status && status != WW_LOST) failed = status, status = WW_OK;
    }
    if (!status && failed) { /* in spite of which all was found */
        expect(d->found == d->wanted_found);
        status = failed;
    }
    ww_find_stream_close(stream);
    ww_patterns_close(patterns);
    return status;
}

static void expect_stream_right(subject *s) {
    const streamed *d = s->data;
    const uint64_t *positions = d->positions.data, *numbers = d->numbers.data;
    expect(d->found == d->wanted_found);
    /* Matches are told with the piece in which they end: a longer one may come after one that begins behind it. */
    uint64_t i = 0;
    for (size_t p = 0; p < PIECES; p++)
        for (uint64_t m = 0; m < d->wanted_found; m++) {
            if (d->wanted[m].end <= piece_first[p] || d->wanted[m].end > piece_first[p + 1]) continue;
            expect(positions[i] == d->wanted[m].position && numbers[i] == d->wanted[m].number);
            i++;
        }
    expect(i == d->found);
}

static void expect_stream_apart(subject *s) {
    const streamed *d = s->data;
    guarded_check(&d->positions);
    guarded_check(&d->numbers);
}

static void streams(void **state) {
    (void)state;
    if (!on_gpu()) {
        left_out("a CPU has no driver");
        return;
    }
    static streamed d;
    subject s = {"find stream", NULL, prepare_stream, stream, expect_stream_right, expect_stream_apart, &d};
    CASE("driver fails", "%s stream", device_name());
    if (!case_wanted()) return;
    uint64_t random = seed_of_run();
    d.text = need(TEXT), d.count = need(sizeof *d.count);
    d.positions = guarded_new(MATCHES_MOST * 8), d.numbers = guarded_new(MATCHES_MOST * 8);
    for (size_t i = 0; i < TEXT; i++) d.text[i] = random_next(&random) % 2 ? 'a' : 'b';
    memcpy(d.text + 298, "aabbabb", 7); /* over three pieces */
    d.wanted_found = reference_find_many(d.text, TEXT, pattern_bytes, pattern_offsets, PATTERNS, false, d.wanted,
                                         MATCHES_MOST);
    expect(d.wanted_found < MATCHES_MOST);
    const size_t again = fails_warm(&s, SIZE_MAX),
                 memory = fails_first_time(&s, FAILS_MEMORY | FAILS_PROGRAMS | FAILS_QUEUE, WW_MEMORY, 2 * PLACES);
    const size_t lost = fails_first_time(&s, FAILS_ALL, WW_LOST, SIZE_MAX);
    printf("%s: ends well at each of %zu deeds, of %zu more the first time, and of %zu whereafter it is lost\n", s.name,
           again, memory, lost);
    guarded_free(&d.positions), guarded_free(&d.numbers);
    free(d.text), free(d.count);
}

/* ---- scratch memory ---- */

/* A call that says that it took `peak` bytes of scratch memory makes do with that much, held before or allowed, and not with
 * less; and the driver has not been asked for more of it. */
static void expect_scratch(subject *s) {
    enum { PIECE = 64, ZONES = 64 << 10 /* that the emulator lays between pieces of a block */, RECORD = 64 };
    failing_driver f = {.fail_at = SIZE_MAX};
    ww_device_info info = WW_DEVICE_INFO;
    queued *q = s->data;
    s->device = setting_open(0);
    q->patterns = open_patterns(s->device);
    failing_driver_begin(s->device, &f);
    s->prepare(s);
    expect_status(s->device, s->call(s), WW_OK);
    expect_status(s->device, ww_device_info_get(s->device, &info), WW_OK);
    const size_t peak = info.scratch_peak, allowed = peak + RECORD + (tiles_are_small() ? f.allocations * ZONES : 0);
    expect(f.most_bytes <= allowed);
    expect(info.scratch_held >= peak);
    for (int less = 0; less < 2; less++) {
        if (peak < PIECE + (size_t)less * PIECE) continue;
        expect_status(s->device, ww_scratch_trim(s->device), WW_OK);
        expect_status(s->device, ww_scratch_reserve(s->device, peak - (size_t)less * PIECE), WW_OK);
        f.allocations = 0;
        expect_status(s->device, s->call(s), WW_OK);
        expect(!f.allocations == !less);
        expect_status(s->device, ww_scratch_trim(s->device), WW_OK);
        expect_status(s->device, ww_scratch_limit(s->device, peak - (size_t)less * PIECE), WW_OK);
        expect_status(s->device, s->call(s), less ? WW_LIMIT : WW_OK);
        expect_status(s->device, ww_scratch_limit(s->device, 0), WW_OK);
    }
    ww_patterns_close(q->patterns);
    ww_close(s->device);
}

static void scratch_is_what_it_is_said_to_be(void **state) {
    (void)state;
    if (!on_gpu()) {
        left_out("a CPU has no driver");
        return;
    }
    queued q = {.own = setting_open(0)};
    q.w = begin(q.own);
    for (size_t c = 0; c < CALLS; c++) {
        subject s = subject_of(&q, &calls[c]);
        CASE("scratch", "%s %s", device_name(), calls[c].name);
        if (case_wanted()) expect_scratch(&s);
    }
    end(&q.w);
    ww_close(q.own);
}

/* A program that nobody has kept and that does not compile, load or have its kernel: the call says so, and the next one makes it
 * anew. (A program out of the cache that does not load is compiled instead.) */
static void programs_that_are_new(void **state) {
    (void)state;
    if (!on_gpu()) {
        left_out("a CPU has no driver");
        return;
    }
    const char *const cache = getenv("WARPWISE_CACHE");
    char kept[4096] = "";
    if (cache) snprintf(kept, sizeof kept, "%s", cache);
    setenv("WARPWISE_CACHE", "off", 1);
    ww_device *device = setting_open(0);
    const world w = begin(device);
    failing_driver f = {.deeds = FAILS_PROGRAMS, .status = WW_MEMORY};
    for (f.fail_at = 0; f.fail_at < 3; f.fail_at++) { /* compile, load, find */
        CASE("new programs", "%s deed %zu", device_name(), f.fail_at);
        if (!case_wanted()) continue;
        ww_device *own = setting_open(0);
        failing_driver_begin(own, &f);
        expect_status(own, ww_map(own, &triple_ww, ww_memory(w.x, w.n), ww_array(w.out, w.n)), WW_MEMORY);
        expect(f.failed);
        expect_status(own, ww_map(own, &triple_ww, ww_memory(w.x, w.n), ww_array(w.out, w.n)), WW_OK);
        expect_status(own, ww_sync(own), WW_OK);
        ww_close(own);
        expect(!f.programs);
    }
    end((world *)&w);
    ww_close(device);
    if (cache)
        setenv("WARPWISE_CACHE", kept, 1);
    else
        unsetenv("WARPWISE_CACHE");
}

/* A caller's own context is the current one again behind every call, and behind the last. */
static void what_is_entered_is_left(void **state) {
    (void)state;
    if (!on_gpu()) {
        left_out("a CPU has no driver");
        return;
    }
    queued q = {.own = setting_open(0)};
    q.w = begin(q.own);
    for (size_t c = 0; c < CALLS; c++) {
        CASE("entered and left", "%s %s", device_name(), calls[c].name);
        if (!case_wanted()) continue;
        failing_driver f = {.fail_at = SIZE_MAX};
        subject s = subject_of(&q, &calls[c]);
        s.device = setting_open(0);
        q.patterns = open_patterns(s.device);
        failing_driver_begin(s.device, &f);
        s.prepare(&s);
        expect_status(s.device, s.call(&s), WW_OK);
        expect(f.entries && !f.entered);
        expect_status(s.device, ww_sync(s.device), WW_OK);
        ww_patterns_close(q.patterns);
        expect(!f.entered);
        const size_t entries = f.entries;
        ww_close(s.device);
        expect(f.entries > entries && !f.entered);
    }
    end(&q.w);
    ww_close(q.own);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(queued_calls),
                                       cmocka_unit_test(large_sorts),
                                       cmocka_unit_test(large_sorts_in_half_the_memory),
                                       cmocka_unit_test(streams),
                                       cmocka_unit_test(scratch_is_what_it_is_said_to_be),
                                       cmocka_unit_test(what_is_entered_is_left),
                                       cmocka_unit_test(programs_that_are_new)};
    return cmocka_run_group_tests_name("driver fails", tests, NULL, NULL);
}
