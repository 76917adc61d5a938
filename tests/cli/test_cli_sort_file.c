/* warpwise sort --memory: options, what it says, results beside those of sorting in memory; resident memory and address space below
 * what was asked for; killed at many moments, stopped by signals, full disks, calls of the system that fail one by one: the input
 * stays, the output is the old or the new one, and nothing else is left. */
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

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

/* A sanitizer takes more memory for itself, and nothing can be loaded before its library. */
#ifdef WARPWISE_FAILING_CALLS
enum { IS_SANITIZED = false };
#else
#define WARPWISE_FAILING_CALLS ""
enum { IS_SANITIZED = true };
#endif

enum { BIG = 3 << 20 }; /* bytes: in 7 MiB that is two passes of merging */

static const char *const files[] = {"big", "big.npy", "in", "old", "wanted"};
enum { FILES = sizeof files / sizeof files[0] };

static char big[BIG], wanted[BIG];

static void slurp(const char *name, char *to, size_t bytes) {
    FILE *f = fopen(name, "rb");
    expect(f != NULL);
    expect(fread(to, 1, bytes, f) == bytes && fgetc(f) == EOF);
    fclose(f);
}

static int set_up(void **state) {
    (void)state;
    static char npy[128 + BIG];
    if (!commands_begin("cli-sort-file", located(WARPWISE_COMMAND), "cpu:threads=1")) return -1;
    char load[4200] = "LD_PRELOAD=";
    if (!IS_SANITIZED) snprintf(load, sizeof load, "LD_PRELOAD=%s", located(WARPWISE_FAILING_CALLS));
    setenv("F", load, 1);
    setenv("FAILED_CALL", "../failed", 1);
    fill(big, &ww_type_uint32_t, 4, BIG / 4, UNIFORM, seed_of_run());
    memset(npy, ' ', 128);
    memcpy(npy, "\x93NUMPY\1\0\x76\0", 10);
    const int length = snprintf(npy + 10, 118, "{'descr': '<u4', 'fortran_order': False, 'shape': (%d,), }", BIG / 4);
    npy[10 + length] = ' ';
    npy[127] = '\n';
    memcpy(npy + 128, big, BIG);
    file_put("big", big, BIG);
    file_put("big.npy", npy, sizeof npy);
    file_put("in", "\5\4\3\2\1", 5);
    file_put("old", "before", 6);
    if (command_run("\"$W\" sort --type=u32 big wanted")) return -1;
    slurp("wanted", wanted, BIG);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink("../failed");
    commands_end(files, FILES);
    return 0;
}

#define SORT "\"$W\" sort --type=u32 --tmp=. "
#define SMALL (IS_SANITIZED ? "64M" : "7M")

static void results(void **state) {
    (void)state;
    static const command_line lines[] = {
        {SORT "--memory=7M big out; cmp out wanted; rm out", 0, "", ""},
        {SORT "--memory=7M --fsync big out; cmp out wanted; rm out", 0, "", ""},
        {SORT "--memory=8M - - < big | cmp - wanted", 0, "", ""},
        {"cat big | " SORT "--memory=8M - - | cmp - wanted", 0, "", ""},
        {"cat big | " SORT "--memory=1G - out; cmp out wanted; rm out", 0, "", ""},
        {SORT "--memory=1G big /dev/stdout > out; cmp out wanted; rm out", 0, "", ""},
        {SORT "--memory=9000K big out; cmp out wanted; rm out", 0, "", ""},
        {SORT "--memory=10000000 big out; cmp out wanted; rm out", 0, "", ""},
        {"cp big out; " SORT "--memory=7M out out; cmp out wanted; rm out", 0, "", ""},
        {"\"$W\" sort --memory=7M --tmp=. big.npy out.npy; \"$W\" sort big.npy two.npy; cmp out.npy two.npy; rm out.npy two.npy",
         0, "", ""},
        {"\"$W\" sort --memory=8M --tmp=. - out < big.npy; cmp out wanted; rm out", 0, "", ""},
        {"\"$W\" sort --type=u32 --memory=7M --descending --method=merge big out; \"$W\" sort --type=u32 --descending big two; cmp "
         "out two; rm out two",
         0, "", ""},
        {"\"$W\" sort --type=u32 --memory=7M --bits=4:9 big out; \"$W\" sort --type=u32 --bits=4:9 big two; cmp out two; rm out two",
         0, "", ""},
        {"\"$W\" sort --type=rec:12 --key=1:2 --memory=8M big out; \"$W\" sort --type=rec:12 --key=1:2 big two; cmp out two; rm out "
         "two",
         0, "", ""},
        {"TMPDIR=. \"$W\" sort --type=u32 --memory=7M big out; cmp out wanted; rm out", 0, "", ""},
        {"\"$W\" sort --type=u8 --memory=9M in -  | od -An -tu1", 0, "   1   2   3   4   5\n", ""},
        {SORT "--memory=7M --time big out; rm out", 0, "", "warpwise sort: 786432 elements of u32 in "},
    };
    if (IS_SANITIZED) {
        left_out("little memory: a sanitizer takes more for itself");
        return;
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) CHECK_COMMAND("cli sort file", &lines[i]);
    expect(files_in_folder() == FILES || cases_asked());
}

static void sentences(void **state) {
    (void)state;
    static const command_line lines[] = {
        {SORT "--memory=0 big old", 2, "", "--memory=0: is not a number of bytes"},
        {SORT "--memory=7X big old", 2, "", "--memory=7X: is not a number of bytes"},
        {SORT "--memory=M big old", 2, "", "--memory=M: is not a number of bytes"},
        {SORT "--memory=99999999999T big old", 2, "", "is not a number of bytes"},
        {"\"$W\" sort --type=u32 --tmp=. big old", 2, "", "--tmp=DIR needs --memory=BYTES"},
        {SORT "--memory=9M --values=big --values-out=v big old", 2, "", "cannot be combined with --values"},
        {SORT "--memory=9M --index-out=v big old", 2, "", "cannot be combined with --index-out"},
        {"\"$W\" sort --memory=9M big old", 2, "", "--type=T is missing"},
        {"\"$W\" sort --memory=9M - old < big", 2, "", "is raw, so the type"},
        {SORT "--memory=1M big old", 1, "", "sorting such a file takes at least "},
        {SORT "--memory=9M no old", 1, "", "no: cannot be opened: No such file"},
        {SORT "--memory=9M in old", 1, "", "in: has 5 bytes, which are 1 elements of 4 bytes and 1 bytes more"},
        {SORT "--memory=9M big no/out", 1, "", "no file can be made in the folder no/"},
        {"head -c 99999 big.npy > cut.npy; \"$W\" sort --memory=9M cut.npy old; S=$?; rm cut.npy; exit $S", 1, "",
         "cut.npy: its shape has 786432 elements of 4 bytes; there are 99871 bytes after the header"},
        {"exec 3<>big; \"$W\" sort --type=u32 --memory=9M big /dev/fd/3", 1, "", "/dev/fd/3: is the input"},
    };
    static const command_line with_little[] = {
        {"\"$W\" sort --type=u32 --memory=7M --tmp=no big old", 1, "", "no: no temporary file can be made there"},
        {"\"$W\" sort --type=u32 --memory=7M --tmp=in big old", 1, "", "in: no temporary file can be made there"},
        {"export GCOV_PREFIX=/proc/none; ulimit -f 1000; " SORT "--memory=7M big old", 1, "",
         ".: the temporary file cannot be written at byte "},
        {"export GCOV_PREFIX=/proc/none; ulimit -f 1000; " SORT "--memory=1G big old", 1, "",
         "old: cannot be written after "},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) CHECK_COMMAND("cli sort file", &lines[i]);
    for (size_t i = 0; i < sizeof with_little / sizeof *with_little && !IS_SANITIZED; i++)
        CHECK_COMMAND("cli sort file", &with_little[i]);
    const command_line untouched = {"cat old", 0, "before", ""};
    CHECK_COMMAND("cli sort file", &untouched);
    expect(files_in_folder() == FILES || cases_asked());
}

/* ---- memory ---- */

/* Of the library's file the system maps more pages than are touched: where they came into memory in large pieces, as a linker writes
 * them, whole pieces of up to 2 MiB (Linux 6.18: 9.7 MiB in all, otherwise 4.3). Of pages of files so many KiB are counted. */
enum { FILES_MOST = 4500 };

/* Runs a sort of "big" in so much address space, and returns its status; its largest resident memory is in *peak. */
static int run(const char *option, rlim_t space, long *peak) {
    int status;
    long files = 0;
    FILE *f;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {space, space};
        setrlimit(RLIMIT_AS, &limit);
        setenv("LD_PRELOAD", located(WARPWISE_FAILING_CALLS), 1);
        setenv("PEAK", "../peak", 1);
        execl(located(WARPWISE_COMMAND), "warpwise", "sort", "--type=u32", "--tmp=.", option, "big", "out", (char *)NULL);
        _exit(99);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    expect((f = fopen("../peak", "r")) && fscanf(f, "%ld %ld", peak, &files) == 2);
    if (files > FILES_MOST) *peak -= files - FILES_MOST;
    fclose(f);
    unlink("../peak");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void memory(void **state) {
    (void)state;
    static const struct {
        const char *text;
        long kib;
    } limits[] = {{"7M", 7 << 10},   {"8M", 8 << 10},   {"9M", 9 << 10},
                  {"10M", 10 << 10}, {"12M", 12 << 10}, {"20M", 20 << 10}};
    static char got[BIG];
    if (IS_SANITIZED) {
        left_out("resident memory: a sanitizer takes more for itself");
        return;
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        CASE("cli sort file", "resident memory of --memory=%s", limits[i].text);
        if (!case_wanted()) continue;
        char option[40];
        long peak = 0;
        snprintf(option, sizeof option, "--memory=%s", limits[i].text);
        /* Address space is more: stacks of 8 MiB, what is shared with other processes. */
        expect(run(option, ((rlim_t)limits[i].kib << 10) + ((rlim_t)64 << 20), &peak) == 0);
        if (peak >= limits[i].kib) printf("%ld KiB of %ld\n", peak, limits[i].kib);
        expect(peak > 0 && peak < limits[i].kib);
        slurp("out", got, BIG);
        expect_bytes(got, wanted, BIG);
        unlink("out");
    }
}

/* ---- what goes through a file once ---- */

/* Files of several pieces (of 32 MiB) in little memory: results as those of the part that they repeat, or of sorting. */
static void streams(void **state) {
    (void)state;
    enum { TIMES = 23 };
    char line[400], sum[40];
    uint32_t all = 0;
    for (size_t i = 0; i < BIG / 4; i++) {
        uint32_t key;
        memcpy(&key, big + 4 * i, 4);
        all += key;
    }
    snprintf(sum, sizeof sum, "%u\n", all * TIMES);
    snprintf(line, sizeof line, "for i in $(seq %d); do cat big; done > many; \"$W\" reduce --op=add --type=u32 many",
             TIMES);
    const char *const little = IS_SANITIZED ? "" : "ulimit -v 250000; ";
    const command_line first = {line, 0, sum, ""};
    CHECK_COMMAND("cli streams", &first);
    static const char *const lines[] = {
        "\"$W\" reduce --op=add --type=u32 many > out; cat many | \"$W\" reduce --op=add --type=u32 - | cmp - out; rm out",
        "\"$W\" reduce --op=max --type=f32 many > out; \"$W\" reduce --op=max --type=f32 big | cmp - out; rm out",
        "\"$W\" histogram --type=u32 --bins=100 --range=0:4294967296 many > out; \"$W\" histogram --type=u32 --bins=100 "
        "--range=0:4294967296 big | awk '{ print $1, $2, $3 * 23 }' | cmp - out; rm out",
        "\"$W\" histogram --type=u8 --edges=3,9,77 many out; \"$W\" histogram --type=u8 --edges=3,9,77 big two; od -An -v -w8 -tu8 two "
        "| awk '{ print $1 * 23 }' > three; od -An -v -w8 -tu8 out | awk '{ print $1 * 1 }' | cmp - three; rm out two three",
    };
    static const char *const top[] = {
        "\"$W\" top -k 5000 --type=u32 --index-out=i many out; \"$W\" sort --type=u32 --index-out=j many two; head -c 20000 two | cmp - "
        "out; head -c 40000 j | cmp - i; rm out two i j",
        "\"$W\" top -k 999 --largest --type=f32 many out; \"$W\" sort --descending --type=f32 many two; head -c 3996 two | cmp - out; "
        "rm out two",
        "\"$W\" top -k 0 --type=f32 many out; wc -c < out; rm out",
        "\"$W\" top -k 18446744073709551615 --type=u8 in - | od -An -tu1",
    };
    static const char *const told[] = {"", "", "0\n", "   1   2   3   4   5\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line, "%s%s", little, lines[i]);
        const command_line l = {line, 0, "", NULL};
        CHECK_COMMAND("cli streams", &l);
    }
    for (size_t i = 0; i < sizeof top / sizeof *top; i++) {
        const command_line l = {top[i], 0, told[i], ""};
        CHECK_COMMAND("cli streams", &l);
    }
    unlink("many");
    expect(files_in_folder() == FILES || cases_asked());
}

/* ---- ends before the end ---- */

/* A process that is killed between two calls may leave a file under a temporary name: the next to write that file removes it. */
static void expect_removed_by_next(void) {
    if (files_in_folder() > FILES) expect(command_run("\"$W\" sort --type=u32 in out && rm out") == 0);
}

static void expect_whole(bool output_may_be_there, bool killed_between) {
    static char got[BIG];
    slurp("big", got, BIG);
    expect_bytes(got, big, BIG);
    const bool there = access("out", F_OK) == 0;
    expect(output_may_be_there || !there);
    if (there) {
        slurp("out", got, BIG);
        expect_bytes(got, wanted, BIG);
        unlink("out");
    }
    if (killed_between) expect_removed_by_next();
    expect(files_in_folder() == FILES);
}

static void killed(void **state) {
    (void)state;
    static const int signals[] = {SIGKILL, SIGTERM, SIGKILL, SIGINT};
    char option[40];
    snprintf(option, sizeof option, "--memory=%s", SMALL);
    uint64_t random = seed_of_run();
    const unsigned kills = getenv("WARPWISE_TEST_KILLS") ? (unsigned)atoi(getenv("WARPWISE_TEST_KILLS")) : 30;
    for (unsigned k = 0; k < kills; k++) {
        const int signal = signals[k % 4];
        const long delay = (long)(random_next(&random) % 40000000);
        int status;
        CASE("cli sort file", "signal %d after %ld us, the %u-th", signal, delay / 1000, k);
        if (!case_wanted()) continue;
        const pid_t child = fork();
        if (child == 0) {
            execl(located(WARPWISE_COMMAND), "warpwise", "sort", "--type=u32", "--tmp=.", option, "big", "out", (char *)NULL);
            _exit(99);
        }
        nanosleep(&(struct timespec){0, delay}, NULL);
        kill(child, signal);
        assert_int_equal(waitpid(child, &status, 0), child);
        expect((WIFEXITED(status) && WEXITSTATUS(status) == 0) || (WIFSIGNALED(status) && WTERMSIG(status) == signal));
        expect_whole(true, true);
    }
}

/* ---- calls that fail ---- */

static void every_call_fails(void **state) {
    (void)state;
    static const struct {
        const char *call;
        int number;
        bool for_good, goes_on;
    } faults[] = {{"pwrite", EIO, false, false},   {"pwrite", ENOSPC, true, false}, {"pwrite", EINTR, false, true},
                  {"pwrite", EINVAL, false, true}, {"pwrite", 0, false, true},      {"read", EIO, false, false},
                  {"read", EINTR, false, true},    {"read", 0, false, true},        {"open", EIO, false, false},
                  {"close", EIO, false, false},    {"flock", ENOLCK, false, true},  {"link", EIO, false, false},
                  {"fsync", EIO, false, false},    {"rename", EIO, false, false},   {"fchmod", EIO, false, false}};
    enum { CALLS_MOST = 400 };
    if (IS_SANITIZED) {
        left_out("calls that fail: nothing can be loaded before a sanitizer's own library");
        return;
    }
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        size_t at = 0;
        /* All of the first ones, then one in nine, others each day. */
        for (; at < CALLS_MOST; at += at < 8 ? 1 : at == 8 ? 1 + (size_t)(day_of_run() % 9) : 9) {
            char line[300];
            CASE("cli sort file", "%s fails by %d%s after %zu", faults[f].call, faults[f].number,
                 faults[f].for_good ? " for good" : "", at);
            if (!case_wanted()) continue;
            unlink("../failed");
            snprintf(line, sizeof line, "env \"$F\" FAILING='%s %d * %zu %d' %s --fsync --memory=7M big out",
                     faults[f].call, faults[f].number, at, faults[f].for_good ? 1000000 : 1, SORT);
            const int status = command_run(line);
            const bool failed = access("../failed", F_OK) == 0;
            if (!failed || faults[f].goes_on) {
                expect(status == 0);
            } else if (status) {
                const char *end = strchr(command_err, '\n');
                expect(status == 1 && end && !end[1] && strstr(command_err, "warpwise sort: "));
            }
            /* Where only the folder could not be forced to the disk the file is there. */
            expect_whole(status == 0 || strcmp(faults[f].call, "fsync") == 0, false);
            if (!failed) break;
        }
        expect((at > 0 && at < CALLS_MOST) || cases_asked());
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(results), cmocka_unit_test(sentences),
                                       cmocka_unit_test(memory),  cmocka_unit_test(streams),
                                       cmocka_unit_test(killed),  cmocka_unit_test(every_call_fails)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
#endif
