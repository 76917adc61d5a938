#include "support/failing_driver.h"

#include <stdio.h>

static failing_driver *now;
static ww__driver plain; /* the driver's own functions */

/* ---- failing ---- */

static ww_status deed(ww__driver *driver, unsigned kind) {
    if (now->failed && now->status == WW_LOST) return WW_LOST;
    if (!(now->deeds & kind) || now->count++ != now->fail_at) return WW_OK;
    now->failed = true;
    snprintf(driver->why, sizeof driver->why, "the test's driver fails: memory is short");
    return now->status;
}

#define DEED(kind) \
    do { \
        const ww_status failed = deed(driver, kind); \
        if (failed) return failed; \
    } while (0)

/* ---- entering and leaving ---- */

static void counted_enter(ww__driver *driver) {
    now->entered++, now->entries++;
    if (plain.enter) plain.enter(driver);
}

static void counted_leave(ww__driver *driver) {
    now->entered--;
    if (plain.leave) plain.leave(driver);
}

/* ---- memory ---- */

enum { NOT_YET = 0xEE }; /* bytes that nobody has written yet */

/* On a GPU, whose memory the host does not read, copies that go beside the work are the driver's own. */
static bool can_be_late(ww__driver *driver) { return !strcmp(driver->backend, "emu"); }

enum { BLOCKS_MOST = 4096 };
static struct {
    void *data;
    size_t bytes;
} block[BLOCKS_MOST];

static ww_status keep(ww_status status, void *data, size_t bytes) {
    if (status) return status;
    size_t b = 0;
    while (block[b].data)
        if (++b == BLOCKS_MOST) abort();
    block[b].data = data;
    block[b].bytes = bytes;
    now->blocks++;
    now->allocations++;
    now->bytes += bytes;
    if (now->bytes > now->most_bytes) now->most_bytes = now->bytes;
    return WW_OK;
}

/* What was given before the test began is not counted. */
static void forget(const void *data) {
    for (size_t b = 0; b < BLOCKS_MOST; b++)
        if (block[b].data == data) {
            block[b].data = NULL;
            now->blocks--;
            now->bytes -= block[b].bytes;
            return;
        }
}

static ww_status failing_allocate(ww__driver *driver, size_t bytes, void **data) {
    *data = NULL;
    DEED(FAILS_MEMORY);
    const ww_status status = plain.allocate(driver, bytes, data);
    if (!status && can_be_late(driver)) memset(*data, NOT_YET, bytes); /* a GPU's may hold anything */
    return keep(status, *data, bytes);
}

static ww_status failing_allocate_host(ww__driver *driver, size_t bytes, void **data) {
    *data = NULL;
    DEED(FAILS_MEMORY);
    const ww_status status = plain.allocate_host(driver, bytes, data);
    return keep(status, *data, bytes);
}

/* ---- copies that are late ---- */

typedef struct late_copy {
    unsigned char *to, *image; /* of what it reads, since it was queued */
    const unsigned char *from;
    size_t bytes;
    bool met; /* done on the GPU, and not written to the host's memory yet */
} late_copy;

enum { LATE_MOST = 4096 };
static late_copy late[LATE_MOST];
static size_t lates;

static bool of_host(ww__driver *driver, const void *memory) { return plain.place(driver, memory) != WW__PLACE_DEVICE; }

static ww_status queue_late(ww__driver *driver, void *to, const void *from, size_t bytes, bool met) {
    if (lates == LATE_MOST) abort();
    late_copy c = {.to = to, .from = from, .bytes = bytes, .met = met, .image = malloc(bytes)};
    if (!c.image) abort();
    const ww_status status = plain.copy(driver, c.image, from, bytes);
    if (status) {
        free(c.image);
        return status;
    }
    late[lates++] = c;
    now->under_way = lates;
    return WW_OK;
}

/* The GPU has done all that was queued before a meeting. What was to go to its memory is there; what goes to the host's may
 * still be on its way. */
static ww_status meet_late(ww__driver *driver) {
    ww_status status = WW_OK;
    size_t kept = 0;
    for (size_t i = 0; i < lates; i++)
        if (!late[i].met)
            expect_at(!memcmp(late[i].image, late[i].from, late[i].bytes), "nobody changes what a copy under way reads",
                      __FILE__, __LINE__);
    for (size_t i = 0; i < lates; i++) {
        late_copy c = late[i];
        const bool arrives = !c.met && !of_host(driver, c.to);
        if (arrives && !status) status = plain.copy(driver, c.to, c.image, c.bytes);
        if (!c.met && !arrives) memset(c.to, NOT_YET, c.bytes);
        c.met = true;
        if (arrives)
            free(c.image);
        else
            late[kept++] = c;
    }
    now->under_way = lates = kept;
    return status;
}

/* What has met is the host's to see. */
static void end_late(void) {
    size_t kept = 0;
    for (size_t i = 0; i < lates; i++)
        if (late[i].met) {
            memcpy(late[i].to, late[i].image, late[i].bytes);
            free(late[i].image);
        } else
            late[kept++] = late[i];
    now->under_way = lates = kept;
}

static void drop_late(void) {
    while (lates) free(late[--lates].image);
    now->under_way = 0;
}

static void failing_release(ww__driver *driver, void *data) {
    end_late(); /* CUDA waits before it takes memory back */
    forget(data);
    plain.release(driver, data);
}

static void failing_release_host(ww__driver *driver, void *data) {
    end_late();
    forget(data);
    plain.release_host(driver, data);
}

static ww_status failing_copy(ww__driver *driver, void *to, const void *from, size_t bytes) {
    DEED(FAILS_QUEUE);
    end_late();
    const bool is_late = can_be_late(driver) && bytes && plain.place(driver, to) == WW__PLACE_HOST &&
                         plain.place(driver, from) != WW__PLACE_UNREACHABLE;
    const ww_status status = plain.copy(driver, to, from, bytes); /* which looks at what it touches */
    if (status || !is_late) return status;
    memset(to, NOT_YET, queue_late(driver, to, to, bytes, true) ? 0 : bytes);
    return WW_OK;
}

static ww_status failing_copy_aside(ww__driver *driver, ww__aside aside, void *to, const void *from, size_t bytes) {
    DEED(FAILS_QUEUE);
    if (!can_be_late(driver)) return plain.copy_aside(driver, aside, to, from, bytes);
    return bytes ? queue_late(driver, to, from, bytes, false) : WW_OK;
}

static ww_status failing_meet(ww__driver *driver) {
    DEED(FAILS_QUEUE);
    const ww_status status = meet_late(driver);
    return status ? status : plain.meet(driver);
}

static ww_status failing_fill(ww__driver *driver, void *to, unsigned char byte, size_t bytes) {
    DEED(FAILS_QUEUE);
    end_late();
    return plain.fill(driver, to, byte, bytes);
}

static ww_status failing_sync(ww__driver *driver) {
    DEED(FAILS_WAITS);
    end_late();
    return plain.sync(driver);
}

static ww_status failing_launch(ww__driver *driver, void *kernel, uint64_t blocks, uint32_t threads, size_t shared,
                                const void *arguments, size_t bytes, ww__launch_when when) {
    DEED(FAILS_QUEUE);
    end_late();
    return plain.launch(driver, kernel, blocks, threads, shared, arguments, bytes, when);
}

/* ---- programs ---- */

static ww_status failing_compile(ww__driver *driver, const char *source, const ww__header *headers, ww__code *code) {
    *code = (ww__code){NULL, 0};
    DEED(FAILS_PROGRAMS);
    return plain.compile(driver, source, headers, code);
}

static ww_status failing_load(ww__driver *driver, const ww__code *code, void **program) {
    DEED(FAILS_PROGRAMS);
    const ww_status status = plain.load(driver, code, program);
    now->programs += !status;
    return status;
}

static void failing_unload(ww__driver *driver, void *program) {
    now->programs--;
    plain.unload(driver, program);
}

static ww_status failing_find(ww__driver *driver, void *program, const char *name, void **kernel) {
    DEED(FAILS_PROGRAMS);
    return plain.find(driver, program, name, kernel);
}

/* ---- taking the functions' places ---- */

static void give_back(ww__driver *driver) {
    driver->enter = plain.enter;
    driver->leave = plain.leave;
    driver->allocate = plain.allocate;
    driver->release = plain.release;
    driver->allocate_host = plain.allocate_host;
    driver->release_host = plain.release_host;
    driver->copy = plain.copy;
    driver->copy_aside = plain.copy_aside;
    driver->meet = plain.meet;
    driver->fill = plain.fill;
    driver->sync = plain.sync;
    driver->launch = plain.launch;
    driver->compile = plain.compile;
    driver->load = plain.load;
    driver->unload = plain.unload;
    driver->find = plain.find;
    driver->close = plain.close;
    now = NULL;
}

static void failing_close(ww__driver *driver) {
    drop_late();
    give_back(driver);
    plain.close(driver);
}

void failing_driver_begin(ww_device *device, failing_driver *f) {
    ww__driver *d = device->gpu->driver;
    now = f; /* whatever a test that failed has left */
    lates = 0;
    plain = *d;
    memset(block, 0, sizeof block);
    f->device = device;
    f->count = f->blocks = f->bytes = f->most_bytes = f->allocations = f->programs = f->under_way = 0;
    f->entered = f->entries = 0;
    f->failed = false;
    d->enter = counted_enter;
    d->leave = counted_leave;
    d->allocate = failing_allocate;
    d->release = failing_release;
    d->allocate_host = failing_allocate_host;
    d->release_host = failing_release_host;
    d->copy = failing_copy;
    d->copy_aside = failing_copy_aside;
    d->meet = failing_meet;
    d->fill = failing_fill;
    d->sync = failing_sync;
    d->launch = failing_launch;
    d->compile = failing_compile;
    d->load = failing_load;
    d->unload = failing_unload;
    d->find = failing_find;
    d->close = failing_close;
}

void failing_driver_end(failing_driver *f) {
    end_late();
    drop_late();
    give_back(f->device->gpu->driver);
}
