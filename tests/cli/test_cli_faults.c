/* Every call of the system that every subcommand makes fails in turn, or is cut short: the first open, the second, … until a
 * run makes no more of them; then read, write, close, rename, fsync, fchmod, flock. Each with the errors that it can have, once and
 * from there on. Whatever fails: the command ends by itself; where its status is 0 all that it wrote and printed is as without
 * the fault, else one sentence names a file; the outputs are all the old ones or all the new ones; and nothing else
 * is in the folder. A call that was interrupted, found nothing ready or moved less than was asked for is made again.
 *
 * Each fault is tried with every other subcommand, and with the others another day: those beside it in the list, of the same call,
 * are tried with these.
 *
 * Signals that come at each of these calls end the command, and leave as little. The standard descriptors are closed, each and
 * together, and no file gets what was to be said.
 *
 * The calls fail by failing_calls.c, which is loaded before the C library. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/command.h"

#ifndef WARPWISE_FAILING_CALLS
int main(void) {
    left_out("the command is not built, or nothing can be loaded before a sanitizer's own library");
    return 0;
}
#else

enum { OUTPUTS = 3, ARGUMENTS = 14, BYTES = 1 << 16, CALLS_MOST = 200, SECONDS_MOST = 30 };

/* What a file holds, or was printed. */
typedef struct content {
    bool there;
    size_t length;
    char bytes[BYTES];
} content;

typedef struct subcommand {
    const char *arguments[ARGUMENTS];
    const char *outputs[OUTPUTS]; /* those whose names begin with "old" are there before */
    int failed;                   /* the status */
    size_t sentences;             /* at most: find has one for each file */
    const char *tells; /* what the output says where a failure is what the command was asked about; or NULL */
} subcommand;

#define PAIRS "--values=values", "--values-out=old_values"
static const subcommand subcommands[] = {
    {{"sort", "--type=u8", "in", "old"}, {"old"}, 1, 1, NULL},
    {{"sort", "--type=u8", "in", "new"}, {"new"}, 1, 1, NULL},
    {{"sort", "--type=u8", "-", "-"}, {NULL}, 1, 1, NULL},
    {{"sort", "--fsync", "in.npy", "old.npy"}, {"old.npy"}, 1, 1, NULL},
    {{"sort", "--type=u8", "--fsync", PAIRS, "in", "old"}, {"old", "old_values"}, 1, 1, NULL},
    {{"sort", "--type=u8", "--memory=9M", "in", "old"}, {"old"}, 1, 1, NULL},
    {{"sort", "--memory=9M", "--fsync", "in.npy", "new"}, {"new"}, 1, 1, NULL},
    {{"split", "--type=u8", "--buckets=4", "--by=bits:0:2", "--offsets=new", PAIRS, "in", "old"},
     {"old", "old_values", "new"},
     1,
     1,
     NULL},
    {{"histogram", "--type=u8", "--bins=4", "--range=0:8", "in"}, {NULL}, 1, 1, NULL},
    {{"histogram", "--type=u8", "--bins=4", "--range=0:8", "in", "old"}, {"old"}, 1, 1, NULL},
    {{"scan", "--op=add", "--type=u8", "in", "new"}, {"new"}, 1, 1, NULL},
    {{"reduce", "--op=add", "in.npy"}, {NULL}, 1, 1, NULL},
    {{"pack", "--type=u8", "--flags=values", "in", "old"}, {"old"}, 1, 1, NULL},
    {{"sort", "--type=u8", "--index-out=new", PAIRS, "in", "old"}, {"old", "old_values", "new"}, 1, 1, NULL},
    {{"unique", "--type=u8", "--counts=new", "sorted", "old"}, {"old", "new"}, 1, 1, NULL},
    {{"top", "--type=u8", "-k", "2", "--index-out=new", "in", "old"}, {"old", "new"}, 1, 1, NULL},
    {{"merge", "--type=u8", "sorted", "sorted", "old"}, {"old"}, 1, 1, NULL},
    {{"gather", "--type=u8", "--index-type=u32", "in", "zeros", "new"}, {"new"}, 1, 1, NULL},
    {{"join", "--type=u8", "in", "values", "old", "new"}, {"old", "new"}, 1, 1, NULL},
    {{"dict", "get", "db", "zeros", "old", "new"}, {"old", "new"}, 1, 1, NULL},
    {{"dict", "dump", "db"}, {NULL}, 1, 1, NULL},
    {{"sssp", "--source=0", "edges", "old"}, {"old"}, 1, 1, NULL},
    {{"graph", "components", "edges", "new"}, {"new"}, 1, 1, NULL},
    {{"graph", "info", "edges"}, {NULL}, 1, 1, NULL},
    {{"graph", "make", "--grid=3x3", "-"}, {NULL}, 1, 1, NULL},
    {{"nbody", "--plummer=3", "--steps=0", "--out=new"}, {"new"}, 1, 1, NULL},
    {{"banked", "sort", "--size=50", "--banks=4"}, {NULL}, 1, 1, NULL},
    {{"find", "ab", "text"}, {NULL}, 2, 1, NULL},
    {{"find", "-c", "-f", "list", "-", "text"}, {NULL}, 2, 2, NULL},
    {{"info"}, {NULL}, 1, 1, "\n  emu        not usable: "},
#ifdef WARPWISE_BENCH_BUILT
    {{"bench", "--list", "map"}, {NULL}, 1, 1, NULL},
#endif
    {{"sort", "--help"}, {NULL}, 1, 1, NULL},
    {{"--version"}, {NULL}, 1, 1, NULL},
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

/* Below 0: a signal comes before the call. `goes_on`: a run whose call failed so ends as if it had not. */
typedef struct fault {
    const char *call;
    int number;
    bool for_good, goes_on;
} fault;

static const fault faults[] = {
    {"open", -SIGQUIT, false, false},   {"write", -SIGPIPE, false, false}, {"close", -SIGHUP, false, false},
    {"rename", -SIGTERM, false, false}, {"fchmod", -SIGINT, false, false}, {"open", EIO, false, false},
    {"open", EMFILE, true, false},      {"open", EINTR, false, false},     {"read", EIO, false, false},
    {"read", EIO, true, false},         {"read", EINTR, false, true},      {"read", 0, true, true},
    {"read", EAGAIN, false, true},      {"write", EIO, true, false},       {"write", 0, true, true},
    {"write", ENOSPC, false, false},    {"write", EDQUOT, false, false},   {"write", EINTR, false, true},
    {"write", EAGAIN, false, true},     {"close", EIO, false, false},      {"close", EINTR, false, true},
    {"close", ENOSPC, true, false},     {"rename", EIO, false, false},     {"rename", EACCES, false, false},
    {"exchange", EINVAL, true, true},   {"link", EPERM, true, true},       {"fsync", EIO, false, false},
    {"fsync", EIO, true, false},        {"fsync", EINTR, false, true},     {"fchmod", EIO, false, false},
    {"fchmod", EPERM, false, false},    {"flock", ENOLCK, true, true},
};
enum { FAULTS = sizeof faults / sizeof faults[0] };

static const char *const files[] = {"db",      "edges",      "in",     "in.npy", "list",   "old",
                                    "old.npy", "old_values", "sorted", "text",   "values", "zeros"};
enum { FILES = sizeof files / sizeof files[0] };

/* ---- a run ---- */

static void slurp(const char *name, content *c) {
    FILE *f = fopen(name, "rb");
    c->length = 0;
    c->there = f != NULL;
    if (!f) return;
    c->length = fread(c->bytes, 1, sizeof c->bytes, f);
    fclose(f);
}

static bool same(const content *a, const content *b) {
    return a->there == b->there && a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

static void redirect(int fd, const char *name, int flags) {
    const int file = open(name, flags, 0600);
    if (file < 0 || dup2(file, fd) < 0) _exit(98);
    close(file);
}

static void put_old(const subcommand *s) {
    for (size_t i = 0; i < OUTPUTS && s->outputs[i]; i++) {
        if (strncmp(s->outputs[i], "old", 3) == 0)
            file_put(s->outputs[i], "before", 6);
        else
            unlink(s->outputs[i]);
    }
}

typedef struct outcome {
    int status; /* 128 and the signal that ended it */
    content out, err, outputs[OUTPUTS];
} outcome;

/* FAILING is `failing`; NULL: nothing fails. Bits of `closed` are standard descriptors that are. */
static void run(const subcommand *s, const char *failing, unsigned closed, outcome *o) {
    static const struct rlimit no_core = {0, 0};
    const char *arguments[ARGUMENTS + 2] = {"warpwise"};
    int status;
    for (size_t i = 0; i < ARGUMENTS; i++) arguments[i + 1] = s->arguments[i];
    put_old(s);
    unlink("../failed");
    const pid_t child = fork();
    if (child == 0) {
        redirect(STDIN_FILENO, "in", O_RDONLY);
        redirect(STDOUT_FILENO, "../out.txt", O_WRONLY | O_CREAT | O_TRUNC);
        redirect(STDERR_FILENO, "../err.txt", O_WRONLY | O_CREAT | O_TRUNC);
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
            if (closed >> fd & 1) close(fd);
        setrlimit(RLIMIT_CORE, &no_core);
        if (failing) {
            setenv("LD_PRELOAD", located(WARPWISE_FAILING_CALLS), 1);
            setenv("FAILING", failing, 1);
        }
        alarm(SECONDS_MOST);
        execv(located(WARPWISE_COMMAND), (char **)arguments);
        _exit(99);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    o->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    slurp("../out.txt", &o->out);
    slurp("../err.txt", &o->err);
    for (size_t i = 0; i < OUTPUTS; i++)
        if (s->outputs[i]) slurp(s->outputs[i], &o->outputs[i]);
}

/* ---- what must hold ---- */

static bool outputs_are(const subcommand *s, const outcome *got, const outcome *wanted) {
    for (size_t i = 0; i < OUTPUTS && s->outputs[i]; i++)
        if (!same(&got->outputs[i], &wanted->outputs[i])) return false;
    return true;
}

static bool has_sentences(const subcommand *s, const content *err) {
    size_t lines = 0;
    for (size_t i = 0; i < err->length; i++) lines += err->bytes[i] == '\n';
    return err->length > 1 && err->bytes[err->length - 1] == '\n' && lines <= s->sentences;
}

static bool contains(const content *c, const char *words) {
    char text[BYTES + 1];
    memcpy(text, c->bytes, c->length);
    text[c->length] = '\0';
    return strstr(text, words) != NULL;
}

/* Of those that the line has, or a standard one. */
static bool names_a_file(const subcommand *s, const content *err) {
    static const char *const always[] = {"db",         "edges", "in",     "in.npy", "values",
                                         "old_values", "list",  "sorted", "text",   "zeros"};
    bool named = contains(err, "standard");
    for (size_t i = 0; i < OUTPUTS && s->outputs[i]; i++) named |= contains(err, s->outputs[i]);
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        char with[40];
        snprintf(with, sizeof with, "%s:", always[i]);
        named |= contains(err, with);
    }
    return named;
}

static size_t files_wanted(const subcommand *s, const outcome *o) {
    size_t n = FILES;
    for (size_t i = 0; i < OUTPUTS && s->outputs[i]; i++)
        n += o->outputs[i].there && strncmp(s->outputs[i], "old", 3) != 0;
    return n;
}

static void complain(const outcome *o) {
    char call[200] = "";
    FILE *f = fopen("../failed", "r");
    if (f && !fgets(call, sizeof call, f)) call[0] = '\0';
    if (f) fclose(f);
    fprintf(stderr, "%s: exit %d\n--- out\n%.*s--- err\n%.*s", call, o->status, (int)o->out.length, o->out.bytes,
            (int)o->err.length, o->err.bytes);
}

/* What sort --memory writes has no name before the end: without links it has none then either. */
static bool needs_link(const subcommand *s, const fault *f) {
    bool nameless = false;
    for (size_t i = 0; i < ARGUMENTS && s->arguments[i]; i++) nameless |= strncmp(s->arguments[i], "--memory", 8) == 0;
    return nameless && strcmp(f->call, "link") == 0;
}

static void check(const subcommand *s, const fault *f, const outcome *got, const outcome *before,
                  const outcome *after) {
    const bool as_well = got->status == 0 && same(&got->out, &after->out) && same(&got->err, &after->err) &&
                         outputs_are(s, got, after);
    const bool none = outputs_are(s, got, before), all = outputs_are(s, got, after);
    /* When only the folder cannot be flushed to the disk the files are there, and all of them. */
    const bool kept = none || (all && strcmp(f->call, "fsync") == 0);
    const bool failed = got->status == s->failed && has_sentences(s, &got->err) && names_a_file(s, &got->err) && kept;
    const bool told = s->tells && got->status == 0 && contains(&got->out, s->tells);
    const bool died = f->number < 0 && got->status == 128 - f->number && (none || all);
    const bool right = (as_well && (f->number >= 0 || access("../failed", F_OK))) ||
                       (failed && (!f->goes_on || needs_link(s, f))) || told || died;
    const bool clean = files_in_folder() == files_wanted(s, got);
    if (!right || !clean) complain(got);
    expect(right);
    expect(clean);
}

/* Lets the fault come at the first call, the second, … Returns how many runs had it. */
static size_t try_all(const subcommand *s, const fault *f, const outcome *before, const outcome *after) {
    static outcome got;
    size_t at = 0;
    for (; at < CALLS_MOST; at++) {
        char failing[100];
        snprintf(failing, sizeof failing, "%s %d * %zu %d", f->call, f->number, at, f->for_good ? 1000000 : 1);
        CASE("cli faults", "%s %s %s %s: %s", s->arguments[0], s->arguments[1] ? s->arguments[1] : "",
             s->arguments[2] ? s->arguments[2] : "", s->arguments[3] ? s->arguments[3] : "", failing);
        if (!case_wanted()) continue;
        run(s, failing, 0, &got);
        check(s, f, &got, before, after);
        if (access("../failed", F_OK)) break;
    }
    expect(at < CALLS_MOST || cases_asked());
    return at;
}

/* ---- tests ---- */

static int set_up(void **state) {
    (void)state;
    static const char npy[] = "\x93NUMPY\x01\0\x46\0{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }";
    char file[80 + 5];
    if (!commands_begin("cli-faults", located(WARPWISE_COMMAND), "cpu:threads=1")) return -1;
    setenv("FAILED_CALL", "../failed", 1);
    memset(file, ' ', sizeof file);
    memcpy(file, npy, sizeof npy - 1);
    file[79] = '\n';
    memcpy(file + 80, "\5\4\3\2\1", 5);
    file_put("in", "\5\4\3\2\1", 5);
    file_put("edges", "0 1 2\n1 2 3\n", 12);
    file_put("in.npy", file, sizeof file);
    file_put("list", "ab\nx\n", 5);
    file_put("old", "before", 6);
    file_put("old.npy", "before", 6);
    file_put("old_values", "before", 6);
    file_put("sorted", "\1\1\2\3\5", 5);
    file_put("text", "abxab", 5);
    file_put("values", "edcba", 5);
    file_put("zeros", "\0\0\0\0\0\0\0\0", 8);
    return command_run("\"$W\" dict create db && \"$W\" dict insert db zeros zeros");
}

static int tear_down(void **state) {
    (void)state;
    unlink("new");
    unlink("../failed");
    commands_end(files, FILES);
    return 0;
}

/* Calls that each subcommand makes at least, so that a library that is not loaded is seen. */
static void every_call_fails(void **state) {
    static outcome before, after;
    size_t touched[FAULTS] = {0};
    (void)state;
    left_out("tour and the rows of bench with calls that fail in turn (a run takes seconds)");
#ifndef WARPWISE_BENCH_BUILT
    left_out("bench --list with calls that fail in turn: this build is without the benchmark");
#endif
    for (size_t i = 0; i < SUBCOMMANDS; i++) {
        const subcommand *s = &subcommands[i];
        put_old(s);
        for (size_t k = 0; k < OUTPUTS && s->outputs[k]; k++) slurp(s->outputs[k], &before.outputs[k]);
        run(s, NULL, 0, &after);
        assert_int_equal(after.status, 0);
        for (size_t f = 0; f < FAULTS; f++)
            if (cases_asked() || (i + f + day_of_run()) % 2) touched[f] += try_all(s, &faults[f], &before, &after);
        put_old(s);
    }
    /* A short run leaves out so many cases that a fault may have none. */
    for (size_t f = 0; f < FAULTS; f++) expect(touched[f] > 0 || cases_asked() || getenv("WARPWISE_TEST_SHORT"));
}

/* What is printed where standard output is closed is an error; files are written all the same, or left, and none holds what was
 * to be said. */
static void every_descriptor_is_closed(void **state) {
    static outcome before, after, got;
    (void)state;
    for (size_t i = 0; i < SUBCOMMANDS; i++) {
        const subcommand *s = &subcommands[i];
        put_old(s);
        for (size_t k = 0; k < OUTPUTS && s->outputs[k]; k++) slurp(s->outputs[k], &before.outputs[k]);
        run(s, NULL, 0, &after);
        for (unsigned closed = 1; closed < 8; closed++) {
            CASE("cli faults", "%s %s %s %s: closed %u", s->arguments[0], s->arguments[1] ? s->arguments[1] : "",
                 s->arguments[2] ? s->arguments[2] : "", s->arguments[3] ? s->arguments[3] : "", closed);
            if (!case_wanted()) continue;
            run(s, NULL, closed, &got);
            const bool prints = after.out.length > 0, needed = (closed >> STDOUT_FILENO & 1 && prints);
            if (got.status == 0)
                expect(!needed && outputs_are(s, &got, &after) && same(&got.out, &after.out));
            else
                expect(got.status == s->failed && outputs_are(s, &got, &before));
            expect(files_in_folder() == files_wanted(s, &got));
        }
        put_old(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_fails),
                                       cmocka_unit_test(every_descriptor_is_closed)};
    return cmocka_run_group_tests_name("cli faults", tests, set_up, tear_down);
}
#endif
