/* The command when the system fails it: reads, writes, closes and renames that go wrong, at the first call or later,
 * output that nobody takes. The status is not 0, one sentence names the file, and no output is begun and left: what stood
 * there stays. Calls that are interrupted or do less than was asked for go on, and results are right.
 *
 * The calls fail by a library of the test's (failing_calls.c) that is loaded before the C library. */
#include <stdio.h>
#include <unistd.h>

#include "support/command.h"

#ifndef WARPWISE_FAILING_CALLS
int main(void) {
    left_out("the command is not built, or nothing can be loaded before a sanitizer's own library");
    return 0;
}
#else

static const char *const files[] = {"big", "in", "in.npy", "key", "old", "text", "values"};
enum { FILES = sizeof files / sizeof files[0], BIG = 9 << 20 }; /* files are read 8 MiB at a time */

static int set_up(void **state) {
    (void)state;
    static char big[BIG];
    static const char npy[] = "\x93NUMPY\x01\0\x46\0{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }";
    char file[80 + 5];
    if (!commands_begin("cli-errors", located(WARPWISE_COMMAND), "cpu")) return -1;
    char load[4200];
    snprintf(load, sizeof load, "LD_PRELOAD=%s", located(WARPWISE_FAILING_CALLS));
    setenv("F", load, 1);
    memset(big, 'x', sizeof big);
    memcpy(big + (8 << 20) + 100, "abab", 4);
    memset(file, ' ', sizeof file);
    memcpy(file, npy, sizeof npy - 1);
    file[79] = '\n';
    memcpy(file + 80, "\5\4\3\2\1", 5);
    file_put("big", big, sizeof big);
    file_put("in", "\5\4\3\2\1", 5);
    file_put("in.npy", file, sizeof file);
    file_put("key", "ab", 2);
    file_put("old", "before", 6);
    file_put("text", "abxab", 5);
    file_put("values", "edcba", 5);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

/* EIO is 5, ENOSPC 28, EINTR 4. Lines end with what stands in the files that were there before or came. */
#define FAIL(what) "env \"$F\" FAILING='" what "' \"$W\" "
#define SORT "sort --type=u8 "
#define PAIR SORT "--values=values --values-out=v "

static const command_line reads[] = {
    {FAIL("read 5 in 0 99") SORT "in out", 1, "", "in: cannot be read at byte 0: Input/output error"},
    {FAIL("read 5 in.npy 1 1") "sort in.npy out", 1, "", "in.npy: cannot be read at byte "},
    {FAIL("read 5 in.npy 2 1") "sort in.npy out", 1, "", "in.npy: cannot be read at byte 80: Input/output error"},
    {FAIL("read 5 big 1 99") SORT "big out", 1, "", "big: cannot be read at byte 8388608: Input/output error"},
    {FAIL("read 5 values 0 1") SORT "in out --values=values --values-out=v", 1, "", "values: cannot be read at byte 0"},
    {FAIL("read 5 in 0 1") SORT "- out < in", 1, "", "standard input: cannot be read at byte 0: Input/output error"},
    {FAIL("read 5 in 0 1") "reduce --op=add --type=u8 in", 1, "", "in: cannot be read"},
    {FAIL("read 5 in 0 1") "scan --op=add --type=u8 in old; status=$?; cat old; exit $status", 1, "before",
     "in: cannot be read"},
    {FAIL("read 5 in 0 1") "histogram --type=u8 --bins=2 --range=0:9 in", 1, "", "in: cannot be read"},
    {FAIL("read 5 values 0 1") "pack --type=u8 --flags=values in out", 1, "", "values: cannot be read at byte 0"},
    {"\"$W\" " SORT ". out", 1, "", ".: is a folder, not a file"},
    {"\"$W\" " SORT "- out < .", 1, "", "standard input: is a folder, not a file"},
    {"\"$W\" " SORT "- out <&-", 1, "", "standard input: cannot be read at byte 0: Bad file descriptor"},
    {"\"$W\" " SORT "missing out", 1, "", "missing: cannot be opened: No such file or directory"},
    /* find reads by itself */
    {FAIL("read 5 text 0 1") "find ab text", 2, "", "text: Input/output error"},
    {FAIL("read 5 big 0 99") "find -c ab text big key", 2, "text:2\nkey:1\n", "big: Input/output error"},
    {FAIL("read 5 big 1 99") "find -c ab text big", 2, "text:2\n", "big: Input/output error"},
    {FAIL("read 5 text 0 1") "find ab < text", 2, "", "(standard input): Input/output error"},
    {"cat text | " FAIL("read 5 pipe 0 1") "find ab", 2, "", "(standard input): Input/output error"},
    {FAIL("read 5 key 0 1") "find --pattern-file=key text", 2, "", "key: Input/output error"},
    {FAIL("read 5 key 0 1") "find -f key text", 2, "", "key: Input/output error"},
};

static void reading(void **state) {
    (void)state;
    CHECK_COMMANDS("cli errors", reads);
    expect(files_in_folder() == FILES);
}

#define KEPT "; status=$?; cat old; exit $status"
static const command_line writes[] = {
    {FAIL("write 28 .tmp 0 1") SORT "in out", 1, "",
     "out: cannot be written after 0 of 5 bytes: No space left on device"},
    {FAIL("write 5 .tmp 1 1") SORT "big out", 1, "",
     "out: cannot be written after 8388608 of 9437184 bytes: Input/output error"},
    {FAIL("write 28 .tmp 1 1") "sort in.npy out.npy", 1, "", "out.npy: cannot be written after "},
    {FAIL("write 28 .tmp 0 1") SORT "in old" KEPT, 1, "before", "old: cannot be written after 0 of 5 bytes"},
    {FAIL("write 28 .tmp 1 1") SORT "in out --values=values --values-out=v", 1, "",
     "v: cannot be written after 0 of 5 bytes"},
    {FAIL("close 5 .tmp 0 1") SORT "in out", 1, "", "out: cannot be written to its end: Input/output error"},
    {FAIL("close 28 .tmp 0 1") SORT "in old" KEPT, 1, "before", "old: cannot be written to its end: No space left"},
    {FAIL("close 5 .tmp 1 1") SORT "in old --values=values --values-out=v" KEPT, 1, "before",
     "v: cannot be written to its end"},
    {FAIL("rename 5 out 0 1") SORT "in out", 1, "",
     "out: the finished file cannot be renamed to it: Input/output error"},
    {FAIL("rename 13 old 0 1") SORT "in old" KEPT, 1, "before", "old: the finished file cannot be renamed to it"},
    /* The first one is renamed, the second not: exchanged back, the old one linked back, the new one removed. */
    {FAIL("rename 5 v 0 1") PAIR "in old" KEPT, 1, "before", "v: the finished file cannot be renamed to it"},
    {FAIL("rename 5 v 0 1; exchange 22 * 0 99") PAIR "in old" KEPT, 1, "before",
     "v: the finished file cannot be renamed"},
    {FAIL("rename 5 v 0 1") PAIR "in out", 1, "", "v: the finished file cannot be renamed to it: Input/output error"},
    {"cp old v; " FAIL("rename 5 v 0 1") PAIR "in old; status=$?; cat old v; rm v; exit $status", 1, "beforebefore",
     "v: the finished file cannot be renamed to it: Input/output error"},
    /* Where nothing can be brought back that is said. */
    {"cp old x; " FAIL("rename 5 v 0 1; exchange 22 * 0 9; link 1 * 0 9") PAIR
     "in x; status=$?; od -An -tu1 x; rm x; exit $status",
     1, "   1   2   3   4   5\n",
     "v: the finished file cannot be renamed to it: Input/output error; x has its new content already"},
    {FAIL("fsync 5 .tmp 0 1") SORT "--fsync in old" KEPT, 1, "before",
     "old: cannot be flushed to the disk: Input/output"},
    {FAIL("fsync 5 .tmp 0 1") SORT "in out && rm out", 0, "", ""},
    {FAIL("close 5 .tmp 0 1") "scan --op=add --type=u8 in old" KEPT, 1, "before", "old: cannot be written to its end"},
    {FAIL("write 28 .tmp 0 1") "histogram --type=u8 --bins=2 --range=0:9 in old" KEPT, 1, "before",
     "old: cannot be written"},
    {"\"$W\" " SORT "in - > /dev/full", 1, "",
     "standard output: cannot be written after 0 of 5 bytes: No space left on device"},
    {"\"$W\" " SORT "in /dev/full", 1, "", "/dev/full: cannot be written after 0 of 5 bytes: No space left on device"},
    {"\"$W\" " SORT "in - >&-", 1, "", "standard output: cannot be written after 0 of 5 bytes: Bad file descriptor"},
    {"\"$W\" " SORT "in no/out", 1, "", "no/out: no file can be made in the folder no/: No such file or directory"},
    {"\"$W\" reduce --op=add --type=u8 in > /dev/full", 1, "", "standard output cannot be written"},
    {"\"$W\" histogram --type=u8 --bins=2 --range=0:9 in > /dev/full", 1, "", "standard output cannot be written"},
    {"\"$W\" histogram --type=u8 --bins=200 --range=0:200 big > /dev/full", 1, "", "standard output cannot be written"},
    {"\"$W\" info > /dev/full", 1, "", "standard output cannot be written"},
    {"\"$W\" --version > /dev/full", 1, "", "standard output cannot be written"},
    {"\"$W\" --help > /dev/full", 1, "", "standard output cannot be written"},
    {"\"$W\" find -c ab text > /dev/full", 2, "", "find: standard output cannot be written"},
    {"\"$W\" tour > /dev/full", 1, "", "standard output cannot be written"},
    /* A reader that goes away: by a signal, or where that is ignored with a sentence. */
    {"(\"$W\" " SORT "big -; echo $? >&2) | true", 0, "", "141\n"},
    {"trap '' PIPE; (\"$W\" " SORT "big -; echo $? >&2) | true", 0, "", "standard output: cannot be written after "},
    {"trap '' PIPE; (\"$W\" find x big; echo $? >&2) | true", 0, "", "standard output cannot be written: Broken pipe"},
};

static void writing(void **state) {
    (void)state;
    CHECK_COMMANDS("cli errors", writes);
    /* Forced when it has its name. */
    const command_line folder = {
        FAIL("fsync 5 in 0 1") SORT "--fsync in out; status=$?; od -An -tu1 out; rm out; exit $status", 1,
        "   1   2   3   4   5\n", "out: is written, but its folder cannot be flushed to the disk"};
    CHECK_COMMAND("cli errors", &folder);
    expect(files_in_folder() == FILES);
}

/* Signals at the moments that matter: where the mode of what is written is settled, and between two renamings. */
static const command_line signals[] = {
    {"cp old x; chmod 600 x; umask 0; " FAIL("fchmod -19 * 0 1") SORT
     "in x & for i in $(seq 6000); do grep -q '^State:.*stopped' /proc/$!/status && break; sleep 0.01; done; stat -c %a .warpwise*; kill -CONT $!; wait $!; "
     "stat -c %a x; rm x",
     0, "600\n600\n", ""},
    {"cp old x; cp old v; " FAIL("rename -15 x 0 1") PAIR "in x; echo $?; od -An -tu1 x; od -An -c v; rm x v", 0,
     "143\n   1   2   3   4   5\n   a   b   c   d   e\n", NULL},
    {"cp old x; " FAIL("rename -2 v 0 1") PAIR "in x; echo $?; od -An -tu1 x; od -An -c v; rm x v", 0,
     "130\n   1   2   3   4   5\n   a   b   c   d   e\n", NULL},
    {FAIL("write -15 .tmp 1 1") PAIR "in old; echo $?; cat old", 0, "143\nbefore", NULL},
    {"ulimit -c 0; " FAIL("write -3 .tmp 0 1") SORT "in old; echo $?; cat old", 0, "131\nbefore", NULL},
    {FAIL("write -13 .tmp 0 1") SORT "in old; echo $?; cat old", 0, "141\nbefore", NULL},
    {"(" FAIL("write 0 .tmp 0 9") SORT "big - ; echo $? >&2) | head -c 1 > /dev/null", 0, "", "141\n"},
    {"trap '' PIPE; ("
     "\"$W\" " SORT "big out --values=big --values-out=-; echo $? >&2) | true",
     0, "", "standard output: cannot be written after "},
    /* A killed one leaves its file; the next one removes it. */
    {FAIL("fchmod -9 * 0 1") SORT "in old; echo $?; ls -A | grep -c '^.warpwise'; \"$W\" " SORT
                                  "in old; ls -A | grep -c '^.warpwise'; printf before > old",
     0, "137\n1\n0\n", NULL},
    {FAIL("rename -9 v 0 1") PAIR "in old; echo $?; \"$W\" " PAIR
                                  "in old; ls -A | grep -c '^.warpwise'; rm v; printf before > old",
     0, "137\n0\n", NULL},
};

static void signalled(void **state) {
    (void)state;
    CHECK_COMMANDS("cli errors", signals);
    expect(files_in_folder() == FILES);
}

/* Interrupted, and a little at a time. */
static const command_line slow[] = {
    {FAIL("read 4 in 0 3") SORT "in - | od -An -tu1", 0, "   1   2   3   4   5\n", ""},
    {FAIL("read 0 in 0 99") SORT "in - | od -An -tu1", 0, "   1   2   3   4   5\n", ""},
    {FAIL("read 0 in.npy 0 99") "reduce --op=add in.npy", 0, "15\n", ""},
    {FAIL("write 4 .tmp 0 3") SORT "in out && od -An -tu1 out && rm out", 0, "   1   2   3   4   5\n", ""},
    {FAIL("write 0 .tmp 0 99") SORT "in out && od -An -tu1 out && rm out", 0, "   1   2   3   4   5\n", ""},
    {FAIL("read 4 text 0 2") "find ab text", 0, "0\n3\n", ""},
    {FAIL("read 0 text 0 99") "find ab text", 0, "0\n3\n", ""},
    {"cat text | " FAIL("read 0 pipe 0 99") "find ab", 0, "0\n3\n", ""},
    {"cat text | " FAIL("read 4 pipe 0 3") "find -c ab", 0, "2\n", ""},
    {FAIL("read 0 key 0 99") "find --pattern-file=key text", 0, "0\n3\n", ""},
};

static void going_on(void **state) {
    (void)state;
    CHECK_COMMANDS("cli errors", slow);
    expect(files_in_folder() == FILES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reading), cmocka_unit_test(writing),
                                       cmocka_unit_test(signalled), cmocka_unit_test(going_on)};
    return cmocka_run_group_tests_name("cli errors", tests, set_up, tear_down);
}
#endif
