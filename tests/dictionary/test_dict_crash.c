/* A dictionary's file whatever stops its writer. Each call of the system that changes a file, of each kind of update, in turn:
 * the process ends before it; or in the middle of it, with half of what was to be written; or the call fails, once or from
 * there on. What is written is cut off at bytes all over it. And a process is killed at random moments. Each time the file has the
 * dictionary of before or that of after, whole, the next writer goes on with it, and no other file is left for long.
 *
 * The calls are caught by the linker (--wrap). WARPWISE_TEST_KILLS says how often a process is killed at random. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/cases.h"
#include "warpwise.h"

static char folder[200], path[240];

/* ---- calls that fail ---- */

typedef enum way { WELL, ENDS, HALF, FAILS, FAILS_ON } way;
static struct {
    way way;
    long left; /* calls that still go well */
    int error;
    long calls;
    /* A letter for each call that went well: w of a write, S of a state's; d, s, t, c, r, l, u of the others' names. */
    char log[512];
    size_t logged;
} plan;

static void note(const char *name, off_t at) {
    const char letter = *name == 'p' ? (at == 4096 || at == 8192 ? 'S' : 'w') : *name == 'f' ? name[1] : *name;
    if (plan.logged + 1 < sizeof plan.log) plan.log[plan.logged++] = letter;
    plan.log[plan.logged] = '\0';
}

enum { ENDED = 77 };

/* Whether this call is to fail; where the process is to end before it, it does. */
static bool comes_due(void) {
    plan.calls++;
    if (plan.way == WELL || plan.left-- > 0) return false;
    if (plan.left < -1 && plan.way != FAILS_ON) return false;
    if (plan.way == ENDS) _exit(ENDED);
    errno = plan.error;
    return true;
}

#define WRAPPED(type, name, parameters, arguments) \
    type __real_##name parameters; \
    type __wrap_##name parameters; \
    type __wrap_##name parameters { \
        if (comes_due()) { \
            if (plan.way == HALF) _exit(ENDED); \
            return -1; \
        } \
        note(#name, 0); \
        return __real_##name arguments; \
    }

#define WRAPPED_WRITE(name) \
    ssize_t __real_##name(int fd, const void *from, size_t bytes, off_t at); \
    ssize_t __wrap_##name(int fd, const void *from, size_t bytes, off_t at); \
    ssize_t __wrap_##name(int fd, const void *from, size_t bytes, off_t at) { \
        if (comes_due()) { \
            if (plan.way != HALF) return -1; \
            if (__real_##name(fd, from, bytes / 2, at) < 0) _exit(1); \
            _exit(ENDED); \
        } \
        note(#name, at); \
        return __real_##name(fd, from, bytes, at); \
    }

WRAPPED_WRITE(pwrite)
WRAPPED_WRITE(pwrite64)
WRAPPED(int, fdatasync, (int fd), (fd))
WRAPPED(int, fsync, (int fd), (fd))
WRAPPED(int, ftruncate, (int fd, off_t length), (fd, length))
WRAPPED(int, ftruncate64, (int fd, off_t length), (fd, length))
WRAPPED(int, fchmod, (int fd, mode_t mode), (fd, mode))
WRAPPED(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
WRAPPED(int, renameat2, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags))
WRAPPED(int, linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
WRAPPED(int, unlinkat, (int a, const char *name, int flags), (a, name, flags))

/* ---- a dictionary, as a number ---- */

enum { ROOM = 8192, FIRST = 3000, BATCH = 700 };

typedef struct content {
    uint64_t count, hash;
} content;

static content content_of(ww_dict *dict, ww_device *device) {
    static uint32_t keys[ROOM], values[ROOM];
    content c = {0, 0};
    uint64_t first = 0, listed;
    /* A process that ended while it wrote a state leaves that one damaged, for the next writer. */
    const ww_status checked = ww_dict_check(dict);
    if (checked) expect_sentence(device, "one of its two states is damaged");
    expect(checked == WW_OK || checked == WW_FORMAT);
    do {
        expect_status(device, ww_dict_list(dict, first, ww_array(keys, ROOM), ww_array(values, ROOM), &listed), WW_OK);
        for (uint64_t i = 0; i < listed; i++) c.hash = (c.hash * 31 + keys[i]) * 31 + values[i];
        c.count += listed;
        if (listed) first = (uint64_t)keys[listed - 1] + 1;
    } while (listed);
    return c;
}

static content content_of_file(ww_device *device) {
    ww_dict *dict;
    expect_status(device, ww_dict_open(device, path, NULL, false, &dict), WW_OK);
    const content c = content_of(dict, device);
    ww_dict_close(dict);
    return c;
}

static bool same(content a, content b) { return a.count == b.count && a.hash == b.hash; }

/* ---- updates ---- */

static ww_status insert(ww_dict *dict) {
    const ww_input keys = ww_counting(&ww_type_uint32_t, FIRST / 2, BATCH);
    return ww_dict_insert(dict, keys, ww_counting(&ww_type_uint32_t, 9, BATCH));
}
static ww_status insert_many(ww_dict *dict) { /* merged with all levels */
    const ww_input keys = ww_counting(&ww_type_uint32_t, 10, 3 * FIRST);
    return ww_dict_insert(dict, keys, keys);
}
static ww_status delete (ww_dict *dict) { return ww_dict_delete(dict, ww_counting(&ww_type_uint32_t, 5, BATCH)); }
static ww_status delete_all(ww_dict *dict) {
    return ww_dict_delete(dict, ww_counting(&ww_type_uint32_t, 0, 9 * FIRST));
}

typedef struct update {
    const char *name;
    ww_status (*run)(ww_dict *dict);
    int batches; /* that the file has before, which dead levels come of */
} update;
static const update updates[] = {{"insert", insert, 1},
                                 {"insert behind dead levels", insert_many, 4},
                                 {"delete", delete, 2},
                                 {"delete all", delete_all, 2},
                                 {"cleanup", ww_dict_cleanup, 3}};
enum { UPDATES = sizeof updates / sizeof *updates };

static void make_file(ww_device *device, const update *u) {
    ww_dict *dict;
    ww_lsm_options options = WW_LSM_OPTIONS;
    options.batch = 16;
    plan.way = WELL;
    unlink(path);
    expect_status(device, ww_dict_create(device, path, &ww_type_uint32_t, &ww_type_uint32_t, &options), WW_OK);
    expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
    for (int b = 0; b < u->batches; b++) {
        const ww_input keys = ww_counting(&ww_type_uint32_t, (uint64_t)b, (uint64_t)(FIRST + 700 * b));
        expect_status(device, ww_dict_insert(dict, keys, keys), WW_OK);
    }
    ww_dict_close(dict);
}

/* The updates go on from what is there, and leave one file. */
static void go_on(ww_device *device, const update *u, content after) {
    ww_dict *dict;
    expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
    expect_status(device, u->run(dict), WW_OK);
    expect(same(content_of(dict, device), after));
    expect_status(device, ww_dict_check(dict), WW_OK);
    expect_status(device, ww_dict_cleanup(dict), WW_OK); /* which removes what a killed one left of its new file */
    ww_dict_close(dict);
    expect(same(content_of_file(device), after));
}

/* A process that makes the update, with call number k as the plan says. Whether it came to that call. */
static bool run_in_child(const update *u, way way, long k) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        ww_device *device;
        ww_dict *dict;
        if (ww_open("cpu:threads=1", &device) || ww_dict_open(device, path, NULL, true, &dict)) _exit(1);
        plan.way = way;
        plan.left = k;
        _exit(u->run(dict) ? 1 : 0);
    }
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == ENDED);
    return WEXITSTATUS(status) == ENDED;
}

static content wanted_of(ww_device *device, const update *u, content *before) {
    ww_dict *dict;
    make_file(device, u);
    *before = content_of_file(device);
    expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
    expect_status(device, u->run(dict), WW_OK);
    const content after = content_of(dict, device);
    ww_dict_close(dict);
    return after;
}

static void ends(void **state) {
    (void)state;
    for (size_t i = 0; i < UPDATES; i++)
        for (way way = ENDS; way <= HALF; way++) {
            const update *const u = &updates[i];
            CASE("dict crash", "%s %s", u->name, way == ENDS ? "ends before a call" : "ends in a call");
            if (!case_wanted()) continue;
            ww_device *const device = setting_open(0);
            content before;
            const content after = wanted_of(device, u, &before);
            long k = 0;
            for (bool came = true; came; k++) {
                make_file(device, u);
                came = run_in_child(u, way, k);
                const content now = content_of_file(device);
                expect(same(now, before) || same(now, after));
                if (!came) expect(same(now, after));
                go_on(device, u, after);
            }
            expect(k > 5);
            ww_close(device);
        }
}

static void fails(void **state) {
    static const int errors[] = {ENOSPC, EIO};
    (void)state;
    for (size_t i = 0; i < UPDATES; i++)
        for (size_t f = 0; f < 4; f++) {
            const update *const u = &updates[i];
            CASE("dict crash", "%s with %s%s", u->name, f % 2 ? "EIO" : "ENOSPC", f < 2 ? "" : " from there on");
            if (!case_wanted()) continue;
            ww_device *const device = setting_open(0);
            content before;
            const content after = wanted_of(device, u, &before);
            bool came = true;
            for (long k = 0; came; k++) {
                ww_dict *dict;
                make_file(device, u);
                expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
                plan.way = f < 2 ? FAILS : FAILS_ON;
                plan.left = k;
                plan.error = errors[f % 2];
                const ww_status status = u->run(dict);
                came = plan.left < 0;
                plan.way = WELL;
                const bool new = status == WW_OK || strstr(ww_error(device), "the batch is in the file") ||
                                 strstr(ww_error(device), "is written, but its folder");
                expect(status == WW_OK || status == WW_FILE);
                if (status) expect_sentence(device, path);
                expect(same(content_of(dict, device), new ? after : before));
                expect(same(content_of_file(device), new ? after : before));
                expect_status(device, u->run(dict), WW_OK); /* by the same handle */
                ww_dict_close(dict);
                go_on(device, u, after);
            }
            ww_close(device);
        }
}

/* Making a file, and saving over one: the old one, a whole new one, or none. */
static void makes(void **state) {
    (void)state;
    for (way way = ENDS; way <= FAILS; way++) {
        CASE("dict crash", "create and save, %s", way == ENDS ? "ended" : way == HALF ? "ended in a call" : "failing");
        if (!case_wanted()) continue;
        ww_device *const device = setting_open(0);
        ww_lsm *lsm;
        const ww_input keys = ww_counting(&ww_type_uint32_t, 0, BATCH);
        expect_status(device, ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &lsm, NULL), WW_OK);
        expect_status(device, ww_lsm_insert(lsm, keys, keys), WW_OK);
        for (int saves = 0; saves < 2; saves++) {
            bool came = true;
            for (long k = 0; came; k++) {
                int ended;
                ww_dict *dict;
                if (saves) make_file(device, &updates[0]);
                if (!saves) unlink(path);
                const pid_t child = fork();
                if (child == 0) {
                    plan.way = way;
                    plan.left = k;
                    plan.error = ENOSPC;
                    const ww_status status = saves ? ww_lsm_save(lsm, path)
                                                   : ww_dict_create(device, path, &ww_type_uint32_t, &ww_type_uint32_t,
                                                                    NULL);
                    _exit(plan.left < 0 && (status || way != FAILS) ? ENDED : status ? 1 : plan.left < 0 ? ENDED : 0);
                }
                assert_true(waitpid(child, &ended, 0) == child && WIFEXITED(ended) && WEXITSTATUS(ended) != 1);
                came = WEXITSTATUS(ended) == ENDED;
                if (!saves && access(path, F_OK)) {
                    expect(came);
                    expect_status(device, ww_dict_create(device, path, &ww_type_uint32_t, &ww_type_uint32_t, NULL),
                                  WW_OK);
                }
                const content now = content_of_file(device);
                expect(now.count == (saves ? FIRST : 0) || (saves && now.count == BATCH));
                if (saves) expect_status(device, ww_lsm_save(lsm, path), WW_OK);
                expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
                expect_status(device, ww_dict_cleanup(dict), WW_OK);
                ww_dict_close(dict);
            }
        }
        ww_lsm_close(lsm);
        ww_close(device);
    }
}

/* ---- cut off at a byte ---- */

/* A process that changes the file, inserting or saving over it, and is stopped by the system where that would make a file longer than
 * `limit` bytes: whether it was not. */
static bool change_within(ww_lsm *saved, off_t limit) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0}, bytes = {(rlim_t)limit, (rlim_t)limit};
        ww_device *device;
        ww_dict *dict;
        signal(SIGXFSZ, SIG_DFL);
        if (setrlimit(RLIMIT_CORE, &none) || setrlimit(RLIMIT_FSIZE, &bytes)) _exit(1);
        if (saved) _exit(ww_lsm_save(saved, path) ? 1 : 0);
        if (ww_open("cpu:threads=1", &device) || ww_dict_open(device, path, NULL, true, &dict)) _exit(1);
        _exit(insert(dict) ? 1 : 0);
    }
    assert_true(waitpid(child, &status, 0) == child);
    expect(WIFSIGNALED(status) ? WTERMSIG(status) == SIGXFSZ : WEXITSTATUS(status) == 0);
    return WIFEXITED(status);
}

static off_t bytes_of_file(void) {
    struct stat s;
    assert_true(stat(path, &s) == 0);
    return s.st_size;
}

static void cut_at_bytes(void **state) {
    const off_t apart = tests_are_short() ? 2039 : 127; /* with each place in a page, over all pages */
    (void)state;
    for (int saves = 0; saves < 2; saves++) {
        CASE("dict crash", "%s is cut off at bytes", saves ? "save" : "insert");
        if (!case_wanted()) continue;
        ww_device *const device = setting_open(0);
        ww_lsm *lsm;
        content before;
        const content after = wanted_of(device, &updates[0], &before);
        const ww_input keys = ww_counting(&ww_type_uint32_t, 0, BATCH);
        expect_status(device, ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &lsm, NULL), WW_OK);
        expect_status(device, ww_lsm_insert(lsm, keys, keys), WW_OK);
        make_file(device, &updates[0]);
        size_t cut = 0;
        bool whole = false;
        for (off_t limit = saves ? 0 : bytes_of_file(); !whole; limit += apart, cut += !whole) {
            whole = change_within(saves ? lsm : NULL, limit);
            const content now = content_of_file(device);
            if (!whole) expect(same(now, before));
            if (whole) expect(saves ? now.count == BATCH : same(now, after));
        }
        expect(cut > (tests_are_short() ? 3 : 50));
        ww_dict *dict;
        expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
        expect_status(device, ww_dict_cleanup(dict), WW_OK); /* which removes what stopped ones left of new files */
        ww_dict_close(dict);
        ww_lsm_close(lsm);
        ww_close(device);
    }
}

/* A machine that stops loses what was not forced to the disk, in any order: so what a state refers to is forced before it, and
 * it itself before the call returns; a new file before it gets its name, and the folder then. */
static void forces(void **state) {
    static const struct {
        const char *name;
        ww_status (*run)(ww_dict *dict);
        const char *log;
    } orders[] = {
        {"insert", insert, "wwwdSd"}, {"delete", delete, "wwwdSd"}, {"cleanup", ww_dict_cleanup, "cwwwSSdrs"}};
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        CASE("dict crash", "%s: what is forced when", orders[i].name);
        if (!case_wanted()) continue;
        ww_device *const device = setting_open(0);
        ww_dict *dict;
        make_file(device, &updates[0]);
        expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
        plan.logged = 0;
        expect_status(device, orders[i].run(dict), WW_OK);
        if (strcmp(plan.log, orders[i].log)) print_message("calls: %s\n", plan.log);
        expect(strcmp(plan.log, orders[i].log) == 0);
        ww_dict_close(dict);
        ww_close(device);
    }
}

/* ---- killed at random ---- */

/* Batch number b is 64 keys, b * 64 …; every third one is followed by the deletion of the one before. So after any number of
 * updates the keys are whole batches. */
static void work(int ready) {
    ww_device *device;
    ww_dict *dict;
    if (ww_open("cpu:threads=1", &device) || ww_dict_open(device, path, NULL, true, &dict)) _exit(1);
    ww_dict_info info = WW_DICT_INFO;
    if (ww_dict_info_get(dict, &info)) _exit(1);
    for (uint64_t b = info.changes;; b++) {
        const ww_input keys = ww_counting(&ww_type_uint32_t, b * 64, 64);
        if (b % 50 == 0  ? ww_dict_cleanup(dict)
            : b % 3 == 2 ? ww_dict_delete(dict, ww_counting(&ww_type_uint32_t, (b - 1) * 64, 64))
                         : ww_dict_insert(dict, keys, keys))
            _exit(1);
        if (b == info.changes && write(ready, "", 1) != 1) _exit(1);
    }
}

/* What is there after `changes` updates. */
static uint64_t keys_after(uint64_t changes) {
    uint64_t keys = 0;
    for (uint64_t b = 0; b < changes; b++) {
        const bool inserted_before = b && (b - 1) % 50 != 0 && (b - 1) % 3 != 2;
        if (b % 50 == 0) continue;
        if (b % 3 != 2) keys += 64;
        if (b % 3 == 2 && inserted_before) keys -= 64;
    }
    return keys;
}

static void kills(void **state) {
    const char *const wanted = getenv("WARPWISE_TEST_KILLS");
    const int times = wanted ? atoi(wanted) : 12;
    uint64_t random = seed_of_run();
    (void)state;
    CASE("dict crash", "killed %d times", times);
    if (!case_wanted()) return;
    ww_device *const device = setting_open(0);
    ww_lsm_options options = WW_LSM_OPTIONS;
    uint64_t before = 0;
    plan.way = WELL;
    options.batch = 32;
    unlink(path);
    expect_status(device, ww_dict_create(device, path, &ww_type_uint32_t, &ww_type_uint32_t, &options), WW_OK);
    for (int i = 0; i < times; i++) {
        int status, ready[2];
        char byte;
        ww_dict *dict;
        ww_dict_info info = WW_DICT_INFO;
        assert_int_equal(pipe(ready), 0);
        const pid_t child = fork();
        if (child == 0) work(ready[1]);
        close(ready[1]);
        assert_true(read(ready[0], &byte, 1) == 1); /* its first update is done */
        close(ready[0]);
        const uint64_t nanoseconds = 1000000 + random_next(&random) % 30000000;
        const struct timespec end = {0, (long)nanoseconds};
        /* A reader while it writes sees whole batches, too. */
        nanosleep(&(struct timespec){0, end.tv_nsec / 2}, NULL);
        expect_status(device, ww_dict_open(device, path, NULL, false, &dict), WW_OK);
        expect_status(device, ww_dict_info_get(dict, &info), WW_OK);
        expect(content_of(dict, device).count == keys_after(info.changes));
        ww_dict_close(dict);
        nanosleep(&(struct timespec){0, end.tv_nsec / 2}, NULL);
        kill(child, SIGKILL);
        assert_true(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        expect_status(device, ww_dict_open(device, path, NULL, i % 2, &dict), WW_OK);
        expect_status(device, ww_dict_info_get(dict, &info), WW_OK);
        expect(info.changes > before);
        before = info.changes;
        expect(content_of(dict, device).count == keys_after(info.changes));
        ww_dict_close(dict);
    }
    ww_dict *dict;
    expect_status(device, ww_dict_open(device, path, NULL, true, &dict), WW_OK);
    expect_status(device, ww_dict_cleanup(dict), WW_OK);
    ww_dict_close(dict);
    ww_close(device);
}

static int set_up(void **state) {
    (void)state;
    if (!folder_make(folder, sizeof folder, "dict-crash")) return -1;
    snprintf(path, sizeof path, "%s/a.db", folder);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder); /* nothing else was left there */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends),   cmocka_unit_test(fails),
                                       cmocka_unit_test(makes),  cmocka_unit_test(cut_at_bytes),
                                       cmocka_unit_test(forces), cmocka_unit_test(kills)};
    return cmocka_run_group_tests_name("dict crash", tests, set_up, tear_down);
}
