/* That copies go beside the sort in ww_sort_large: a handle's driver is given functions that note what is queued, and pass it
 * on. Between two meetings of the streams a chunk comes, another one is sorted and a third one goes, the host waits for
 * none of them, and none touches a buffer of the others. A second call takes no new memory. Nothing is timed. */
#include <stdio.h>

#include "device/device.h"
#include "device/gpu/gpu.h"
#include "support/cases.h"

/* ---- what is queued ---- */

typedef enum deed { MEETING, WAIT, COMES, GOES, WORK } deed;

/* WORK is what goes to the stream for work: copies and fills, and for each kernel all words of its struct, which may be addresses. */
typedef struct noted {
    deed deed;
    uintptr_t to, from;
    size_t bytes;
} noted;

enum { NOTED_MOST = 1 << 18 };
static noted record[NOTED_MOST];
static size_t recorded, allocations;
static ww__driver plain; /* the driver's own functions */

static void note(deed d, const void *to, const void *from, size_t bytes) {
    if (recorded == NOTED_MOST) abort();
    record[recorded++] = (noted){d, (uintptr_t)to, (uintptr_t)from, bytes};
}

static void note_wait(void) { note(WAIT, NULL, NULL, 0); }

/* The host waits until memory of its own that is not pinned has been read or written. */
static void note_copy(ww__driver *driver, deed d, const void *to, const void *from, size_t bytes) {
    if (!bytes) return;
    note(d, to, from, bytes);
    if (plain.place(driver, to) == WW__PLACE_UNREACHABLE || plain.place(driver, from) == WW__PLACE_UNREACHABLE)
        note_wait();
}

static ww_status noting_copy(ww__driver *driver, void *to, const void *from, size_t bytes) {
    note_copy(driver, WORK, to, from, bytes);
    return plain.copy(driver, to, from, bytes);
}

static ww_status noting_copy_aside(ww__driver *driver, ww__aside aside, void *to, const void *from, size_t bytes) {
    note_copy(driver, aside == WW__ASIDE_IN ? COMES : GOES, to, from, bytes);
    return plain.copy_aside(driver, aside, to, from, bytes);
}

static ww_status noting_fill(ww__driver *driver, void *to, unsigned char byte, size_t bytes) {
    note(WORK, to, to, bytes);
    return plain.fill(driver, to, byte, bytes);
}

static ww_status noting_launch(ww__driver *driver, void *kernel, uint64_t blocks, uint32_t threads, size_t shared,
                               const void *arguments, size_t bytes, ww__launch_when when) {
    for (size_t at = 0; at + sizeof(void *) <= bytes; at += sizeof(void *)) {
        void *word;
        memcpy(&word, (const unsigned char *)arguments + at, sizeof word);
        note(WORK, word, word, 1);
    }
    return plain.launch(driver, kernel, blocks, threads, shared, arguments, bytes, when);
}

static ww_status noting_meet(ww__driver *driver) {
    note(MEETING, NULL, NULL, 0);
    return plain.meet(driver);
}

static ww_status noting_sync(ww__driver *driver) {
    note_wait();
    return plain.sync(driver);
}

/* Drivers may wait before they give memory, and do before they take it back. */
static ww_status noting_allocate(ww__driver *driver, size_t bytes, void **block) {
    note_wait();
    allocations++;
    return plain.allocate(driver, bytes, block);
}

static ww_status noting_allocate_host(ww__driver *driver, size_t bytes, void **block) {
    note_wait();
    allocations++;
    return plain.allocate_host(driver, bytes, block);
}

static void noting_release(ww__driver *driver, void *block) {
    note_wait();
    plain.release(driver, block);
}

static void noting_release_host(ww__driver *driver, void *block) {
    note_wait();
    plain.release_host(driver, block);
}

static void note_from_now_on(ww_device *device) {
    ww__driver *d = device->gpu->driver;
    recorded = allocations = 0;
    plain = *d;
    d->copy = noting_copy;
    d->copy_aside = noting_copy_aside;
    d->fill = noting_fill;
    d->launch = noting_launch;
    d->meet = noting_meet;
    d->sync = noting_sync;
    d->allocate = noting_allocate;
    d->allocate_host = noting_allocate_host;
    d->release = noting_release;
    d->release_host = noting_release_host;
}

/* ---- what is expected of it ---- */

typedef struct step { /* from one meeting to the next */
    size_t first, end, comes, goes, work, waits;
} step;

static step step_from(size_t first) {
    step s = {.first = first, .end = first};
    for (; s.end < recorded && record[s.end].deed != MEETING; s.end++) {
        s.comes += record[s.end].deed == COMES;
        s.goes += record[s.end].deed == GOES;
        s.work += record[s.end].deed == WORK;
        s.waits += record[s.end].deed == WAIT;
    }
    return s;
}

static bool overlap(uintptr_t a, size_t a_bytes, uintptr_t b, size_t b_bytes) {
    return a < b + b_bytes && b < a + a_bytes;
}

/* The side of a chunk's copy that is its buffer on the GPU. */
static uintptr_t buffer_of(const noted *copy) { return copy->deed == COMES ? copy->to : copy->from; }

static bool touches(const noted *work, const noted *copy) {
    const uintptr_t buffer = buffer_of(copy);
    return overlap(work->to, work->bytes, buffer, copy->bytes) || overlap(work->from, work->bytes, buffer, copy->bytes);
}

static bool touched_in(const step *s, const noted *copy) {
    for (size_t i = s->first; i < s->end; i++)
        if (record[i].deed == WORK && touches(&record[i], copy)) return true;
    return false;
}

/* Sorting is queued first, so that it is under way while the host waits for copies of memory that is not pinned. */
static bool work_is_first(const step *s) {
    bool copies = false;
    for (size_t i = s->first; i < s->end; i++) {
        copies |= record[i].deed != WORK;
        if (copies && record[i].deed == WORK) return false;
    }
    return true;
}

/* What comes and what goes share no buffer, and no kernel touches it. */
static void expect_apart(const step *s) {
    for (size_t i = s->first; i < s->end; i++) {
        if (record[i].deed != COMES && record[i].deed != GOES) continue;
        expect(!touched_in(s, &record[i]));
        for (size_t k = s->first; record[i].deed == COMES && k < s->end; k++)
            if (record[k].deed == GOES)
                expect(!overlap(record[i].to, record[i].bytes, record[k].from, record[k].bytes));
    }
}

/* What came in the step before is sorted, and what was sorted then goes. */
static void expect_turns(const step *before, const step *s) {
    size_t came = before->first;
    expect(before->comes);
    while (record[came].deed != COMES) came++;
    expect(touched_in(s, &record[came]));
    for (size_t i = s->first; i < s->end; i++)
        if (record[i].deed == GOES) expect(touched_in(before, &record[i]));
}

/* Two trips, in each of which all chunks but the first and the last one have a step with a chunk on either side of them. */
static void expect_steps(uint64_t n, size_t key, size_t value) {
    uint64_t chunk = 0, full = 0, came = 0, gone = 0;
    step before = {0};
    for (size_t i = 0; i < recorded; i++) {
        if (record[i].deed == COMES && !chunk) chunk = record[i].bytes / key;
        came += record[i].deed == COMES ? record[i].bytes : 0;
        gone += record[i].deed == GOES ? record[i].bytes : 0;
    }
    expect(came == 2 * n * (key + value) && gone == came);
    for (size_t i = 0; i < recorded; i = before.end) {
        const step s = step_from(i + (record[i].deed == MEETING));
        expect(!s.waits || !(s.comes || s.goes));
        expect(work_is_first(&s) || !(s.comes || s.goes));
        expect_apart(&s);
        if (s.comes && s.work && s.goes) {
            expect_turns(&before, &s);
            full++;
        }
        before = s;
    }
    const uint64_t chunks = (n - 1) / chunk + 1;
    expect(chunks >= 5 && full == 2 * (chunks - 2));
}

/* ---- sorting ---- */

enum { FLOOR = (1 << 20) + 4096 }; /* of scratch memory, for any number of elements */

typedef struct job {
    const ww_type *type;
    size_t value_size, bytes; /* which an element of a chunk takes, or a little more */
    ww_sort_method method;
} job;

static void check_job(ww_device *device, const job *j) {
    const size_t chunk = on_emulator() ? 1100 : 50000, n = 6 * chunk, key = j->type->size;
    unsigned char *keys = need(n * key), *values = need(n * j->value_size + 1);
    const ww_array all = ww_array_of(keys, n, j->type);
    const ww_array with = j->value_size ? ww_records(values, n, j->value_size) : ww_none;
    ww_sort_options o = WW_SORT_OPTIONS;
    o.method = j->method;
    fill(keys, j->type, key, n, UNIFORM, seed_of_run());
    memset(values, 0, n * j->value_size + 1);
    expect_status(device, ww_scratch_trim(device), WW_OK);
    expect_status(device, ww_scratch_limit(device, FLOOR + chunk * j->bytes), WW_OK);
    /* Programs are made and loaded, and memory is taken. */
    expect_status(device, ww_sort_large(device, ww_from(all), ww_from(with), all, with, &o), WW_OK);
    fill(keys, j->type, key, n, UNIFORM, seed_of_run() + 1);
    note_from_now_on(device);
    const ww_status status = ww_sort_large(device, ww_from(all), ww_from(with), all, with, &o);
    *device->gpu->driver = plain;
    expect_status(device, status, WW_OK);
    expect(allocations == 0);
    expect_steps(n, key, j->value_size);
    free(keys), free(values);
}

static void copies_go_beside_the_sort(void **state) {
    (void)state;
    static const job jobs[] = {{&ww_type_uint32_t, 0, 24, WW_SORT_AUTO},
                               {&ww_type_uint64_t, 8, 73, WW_SORT_AUTO},
                               {&ww_type_uint32_t, 4, 40, WW_SORT_MERGE},
                               {&ww_type_uint32_t, 4, 72, WW_SORT_QUICK}};
    if (!on_gpu()) {
        left_out("there are no copies on a CPU");
        return;
    }
    ww_device *device = setting_open(0);
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++) {
        CASE("sort large steps", "%s method=%d %s+%zu", setting_name(0), (int)jobs[k].method, jobs[k].type->label,
             jobs[k].value_size);
        if (case_wanted()) check_job(device, &jobs[k]);
    }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_go_beside_the_sort)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
