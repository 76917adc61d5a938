/* warpwise find, run as people run it: offsets, counts and lists, of files and of streams, against a plain loop; sentences,
 * exit statuses, and what goes wrong with one file among several. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/command.h"

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

static const char *const files[] = {"a", "b", "bytes", "empty", "list", "long", "zero"};
enum { FILES = sizeof files / sizeof files[0], LONG = 1 << 20 };

static int set_up(void **state) {
    (void)state;
    const char *device_name = on_gpu() ? setting_name(0) : NULL;
    static char many[LONG + 1];
    memset(many, 'x', sizeof many);
    if (!commands_begin("cli-find", located(WARPWISE_COMMAND), device_name)) return -1;
    file_put("a", "abcABcaba", 9);
    file_put("b", "--ab-", 5);
    file_put("bytes", "\xff\0\xff\0\xff\x80\n", 7);
    file_put("empty", "", 0);
    file_put("list", "ab\nb\nab\nnone\nca\n", 16);
    file_put("long", many, sizeof many);
    file_put("zero", "\xff\0", 2);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

static const command_line results[] = {
    {"\"$W\" find ab a", 0, "0\n6\n", ""},
    {"\"$W\" find aba a", 0, "6\n", ""},
    {"\"$W\" find -i ab a", 0, "0\n3\n6\n", ""},
    {"\"$W\" find --ignore-case ABC a", 0, "0\n3\n", ""},
    {"\"$W\" find -c ab a", 0, "2\n", ""},
    {"\"$W\" find a -c a", 0, "3\n", ""},
    {"\"$W\" find ab a b empty", 0, "a:0\na:6\nb:2\n", ""},
    {"\"$W\" find -c ab a b empty", 0, "a:2\nb:1\nempty:0\n", ""},
    {"\"$W\" find ab a a", 0, "a:0\na:6\na:0\na:6\n", ""},
    {"\"$W\" find ab < a", 0, "0\n6\n", ""},
    {"\"$W\" find ab - < a", 0, "0\n6\n", ""},
    {"cat a | \"$W\" find -c ab", 0, "2\n", ""},
    {"cat a | \"$W\" find ab b - empty", 0, "b:2\n(standard input):0\n(standard input):6\n", ""},
    {"mkfifo p && (cat a > p & \"$W\" find ab p); rm p", 0, "0\n6\n", ""},
    {"(dd bs=4 count=1 status=none > empty; \"$W\" find ab; cat) < a; : > empty", 0, "2\n", ""},
    {"printf aaaa | \"$W\" find aa", 0, "0\n1\n2\n", ""},
    {"(printf xa; sleep 0.1; printf bx; sleep 0.1; printf a; sleep 0.1; printf b) | \"$W\" find ab", 0, "1\n4\n", ""},
    {"\"$W\" find -- -a b; \"$W\" find -- --ab b", 0, "1\n0\n", ""},
    {"\"$W\" find --pattern-file=zero bytes", 0, "0\n2\n", ""},
    {"\"$W\" find --pattern-file=bytes bytes zero", 0, "bytes:0\n", ""},
    {"\"$W\" find --pattern-file=- bytes < zero", 0, "0\n2\n", ""},
    {"\"$W\" find \"$(printf '\\200')\" bytes", 0, "5\n", ""},
    {"\"$W\" find zzz a b", 1, "", ""},
    {"\"$W\" find -c zzz a b", 1, "a:0\nb:0\n", ""},
    {"\"$W\" find ab empty", 1, "", ""},
    {"\"$W\" find abcABcabab a", 1, "", ""},
    {"\"$W\" find -c abcABcabab a", 1, "0\n", ""},
    {"\"$W\" find ab < empty", 1, "", ""},
    {"printf 'a\\n\\nb\\n' | \"$W\" find -f - a", 0, "0\t1\n1\t3\n6\t1\n7\t3\n8\t1\n", ""},
    {"\"$W\" find --time -c ab a", 0, "2\n", "find: 9 bytes in "},
    {"\"$W\" find ab missing a", 2, "a:0\na:6\n", "find: missing: No such file"},
    {"\"$W\" find zzz missing a", 2, "", "find: missing: "},
    {"mkdir d; \"$W\" find -c ab d a; status=$?; rmdir d; exit $status", 2, "a:2\n", "find: d: is a directory\n"},
    {"\"$W\" find ab .", 2, "", "find: .: is a directory\n"},
    {"\"$W\" find ab - < .", 2, "", "find: (standard input): is a directory\n"},
    {"\"$W\" find ab a > /dev/full", 2, "", "standard output cannot be written"},
    {"\"$W\" find -c none a > /dev/full", 2, "", "standard output cannot be written"},
    {"\"$W\" find -c MHz /proc/cpuinfo | grep -c '^[0-9]'", 0, "1\n", ""},
    {"\"$W\" find --help | grep -c 'exit status: 0 found\\|Exit status: 0 found'", 0, "1\n", ""},
};

static void right_results(void **state) {
    (void)state;
    CHECK_COMMANDS("cli find", results);
    expect(files_in_folder() == FILES);
}

static const command_line refusals[] = {
    {"\"$W\" find", 2, "", "PATTERN, -e PATTERN, --pattern-file=F or -f LIST is missing"},
    {"\"$W\" find '' a", 2, "", "the pattern is empty"},
    {"\"$W\" find --pattern-file=empty a", 2, "", "empty: is empty"},
    {"\"$W\" find --pattern-file=long a", 2, "", "long: has more than 1048576 bytes"},
    {"\"$W\" find --pattern-file=missing a", 2, "", "missing: No such file"},
    {"\"$W\" find --pattern-file=. a", 2, "", ".: Is a directory"},
    {"\"$W\" find --pattern-file=b --list=list a", 2, "", "exclude each other"},
    {"\"$W\" find --pattern-file=- -", 2, "", "cannot both be standard input"},
    {"\"$W\" find -f -", 2, "", "cannot both be standard input"},
    {"\"$W\" find -f empty a", 2, "", "empty: is empty"},
    {"\"$W\" find -f missing a", 2, "", "missing: No such file"},
    {"\"$W\" find -f long a", 2, "", "long: line 1 has 1048577 bytes"},
    {"printf '\\n\\n' | \"$W\" find -f - a", 2, "", "-: has only empty lines"},
    {"yes | head -n 1048577 | \"$W\" find -f - a", 2, "", "-: has more than 1048576 lines"},
    {"\"$W\" find -f list --method=serial a", 2, "", "found by auto"},
    {"\"$W\" find --method=fast x a", 2, "",
     "--method=fast: is not one of auto, serial, cooperative, recurrence, divide"},
    {"\"$W\" find --method=divide32 abcde a", 2, "", "patterns of up to 4 characters"},
    {"\"$W\" find --method=divide64 abcdefghi empty", 2, "", "patterns of up to 8 characters"},
    {"\"$W\" find --device=none ab a", 2, "", "none"},
};

static void refused(void **state) {
    (void)state;
    CHECK_COMMANDS("cli find", refusals);
    expect(files_in_folder() == FILES);
}

static void methods(void **state) {
    static const char *const names[] = {"auto",     "serial",   "cooperative", "recurrence", "divide",
                                        "divide32", "divide64", "hybrid",      "twostage"};
    (void)state;
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++) {
        char line[200];
        snprintf(line, sizeof line, "\"$W\" find --method=%s ab a b && \"$W\" find --method=%s -c ba a", names[m],
                 names[m]);
        const command_line l = {line, 0, "a:0\na:6\nb:2\n1\n", ""};
        CHECK_COMMAND("cli find", &l);
    }
}

/* ---- against a plain loop ---- */

/* Files, streams, and streams that come in pieces, with one pattern. */
static const char *const ways[] = {
    "\"$W\" find --pattern-file=p t > out", "\"$W\" find --pattern-file=p < t > out",
    "cat t | \"$W\" find --pattern-file=p > out",
    "\"$W\" find --pattern-file=p t t | sed -n 's/^t://p' > out; cat wanted wanted > w2; mv w2 wanted",
    ("(head -c 3 t; sleep 0.02; tail -c +4 t | head -c 70001; sleep 0.02; tail -c +70005 t) | "
     "\"$W\" find --pattern-file=p > out")};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* Where machines are slow the plain loop takes longer than what it checks: few texts are long there. */
static bool is_slow(void) { return tests_one_in() > 3; }

static void random_text(uint64_t *random, unsigned char *text, size_t n, unsigned letters) {
    for (size_t i = 0; i < n; i++) text[i] = (unsigned char)('a' + random_next(random) % letters);
}

static size_t write_wanted(const unsigned char *text, size_t n, const unsigned char *pattern, size_t m) {
    size_t found = 0;
    FILE *f = fopen("wanted", "wb");
    for (size_t i = 0; i + m <= n; i++) {
        if (memcmp(text + i, pattern, m) != 0) continue;
        fprintf(f, "%zu\n", i);
        found++;
    }
    fclose(f);
    return found;
}

static void texts(void **state) {
    static const struct {
        size_t n, m;
        unsigned letters;
    } rows[] = {{3000000, 1, 2},    {2200000, 5, 3},   {1048576, 9, 4},  {1048577, 2, 26},
                {3000000, 3000, 2}, {30000, 20000, 1}, {20000, 20000, 2}};
    uint64_t random = seed_of_run();
    (void)state;
    unsigned char *text = malloc(3000000);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        if (is_slow() && rows[r].n > 1048577) continue;
        const size_t n = on_emulator() ? rows[r].n / 100 + 1 : rows[r].n, m = rows[r].m < n ? rows[r].m : n;
        random_text(&random, text, n, rows[r].letters);
        /* What is looked for stands somewhere, where two pieces meet too. */
        unsigned char *pattern = text + random_next(&random) % (n - m + 1);
        if (n > 1048576 + m) memmove(text + 1048576 - m / 2, pattern, m);
        file_put("p", pattern, m);
        file_put("t", text, n);
        for (size_t w = is_slow() ? r % 2 : 0; w < WAYS; w += is_slow() ? 2 : 1) {
            char line[400];
            const size_t found = write_wanted(text, n, pattern, m);
            snprintf(line, sizeof line, ": %zu of %zu; %s; cmp out wanted && \"$W\" find -c --pattern-file=p t", m, n,
                     ways[w]);
            char count[32];
            snprintf(count, sizeof count, "%zu\n", found);
            const command_line l = {line, 0, count, ""};
            CHECK_COMMAND("cli find", &l);
        }
    }
    free(text);
    unlink("p"), unlink("t"), unlink("out"), unlink("wanted");
    expect(files_in_folder() == FILES);
}

/* ---- lists ---- */

static const command_line list_results[] = {
    {"\"$W\" find -f list a", 0, "0\t1\n0\t3\n1\t2\n5\t5\n6\t1\n6\t3\n7\t2\n", ""},
    {"\"$W\" find -i -f list b a | tail -n 3", 0, "a:6\t1\na:6\t3\na:7\t2\n", ""},
    {"\"$W\" find -c -f list a b empty", 0, "a:7\nb:3\nempty:0\n", ""},
    {"cat a | \"$W\" find -f list", 0, "0\t1\n0\t3\n1\t2\n5\t5\n6\t1\n6\t3\n7\t2\n", ""},
    {"(printf abc; sleep 0.1; printf ABca; sleep 0.1; printf ba) | \"$W\" find -f list", 0,
     "0\t1\n0\t3\n1\t2\n5\t5\n6\t1\n6\t3\n7\t2\n", ""},
    {"cat a | \"$W\" find -c -f list", 0, "7\n", ""},
    {"printf 'zzz\\nABC\\nabcABcabaXX' | \"$W\" find -f - a", 1, "", ""},
    {"printf 'ab' | \"$W\" find -f - a", 0, "0\t1\n6\t1\n", ""},
    {"\"$W\" find -f list empty", 1, "", ""},
};

/* Every place of every pattern, also where there are more than a thread has room for. */
static void list_text(size_t n, unsigned letters, const char *const *patterns, size_t count, const char *how) {
    unsigned char *text = malloc(n);
    uint64_t random = seed_of_run(), found = 0;
    random_text(&random, text, n, letters);
    file_put("t", text, n);
    FILE *list = fopen("l", "wb"), *wanted = fopen("wanted", "wb");
    for (size_t k = 0; k < count; k++) fprintf(list, "%s\n", patterns[k]);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < count; k++) {
            const size_t m = strlen(patterns[k]);
            if (m > n - i || memcmp(text + i, patterns[k], m) != 0) continue;
            fprintf(wanted, "%zu\t%zu\n", i, k + 1);
            found++;
        }
    }
    fclose(list);
    fclose(wanted);
    char line[200], number[32];
    snprintf(line, sizeof line, "%s > out; cmp out wanted && \"$W\" find -c -f l t", how);
    snprintf(number, sizeof number, "%llu\n", (unsigned long long)found);
    const command_line l = {line, 0, number, ""};
    CHECK_COMMAND("cli find", &l);
    free(text);
}

static void of_lists(void **state) {
    static const char *const few[] = {"ab", "b", "abba", "ab", "aaaaaaaaaaaaaaaaaaaaaaa"}, *const all[] = {"a", "aaa",
                                                                                                           "a"};
    static const char *const how[] = {"\"$W\" find -f l t", "cat t | \"$W\" find -f l"};
    (void)state;
    CHECK_COMMANDS("cli find", list_results);
    for (size_t h = 0; h < 2; h++) {
        list_text(on_emulator() ? 5000 : is_slow() ? 200000 : 2500000, 2, few, 5, how[h]);
        list_text(on_emulator() ? 5000 : is_slow() ? 100000 : 700000, 1, all, 3, how[h]);
        unlink("t"), unlink("l"), unlink("out"), unlink("wanted");
    }
    expect(files_in_folder() == FILES);
}

/* ---- long names ---- */

/* Names that make more than the 4 MiB of lines that a thread keeps, of one piece of text, alone and beside others. */
static void long_names(void **state) {
    enum { TEXT = 6000, NAME = 1400 };
    static char text[TEXT], name[NAME + 2];
    (void)state;
    if (on_gpu()) return;
    memset(text, 'a', TEXT);
    for (size_t i = 0; i < NAME; i += 2) memcpy(name + i, "./", 2);
    name[NAME] = 't';
    file_put("t", text, TEXT);
    FILE *f = fopen("wanted", "wb");
    for (int file = 0; file < 3; file++)
        for (int i = 0; i < TEXT; i++) fprintf(f, "%s:%d\n", file == 1 ? "t" : name, i);
    fclose(f);
    setenv("N", name, 1);
    static const command_line lines[] = {
        {"\"$W\" find a \"$N\" t \"$N\" > out; cmp out wanted && \"$W\" find -c a \"$N\"", 0, "6000\n", ""},
        {"\"$W\" find --device=cpu:threads=4 a \"$N\" t \"$N\" > out; cmp out wanted", 0, "", ""},
        {"\"$W\" find a \"$N\" t \"$N\" | cmp - wanted", 0, "", ""},
    };
    CHECK_COMMANDS("cli find", lines);
    unlink("t"), unlink("out"), unlink("wanted");
    expect(files_in_folder() == FILES);
}

/* ---- what changes while it is read ---- */

static void shrinking(void **state) {
    static const command_line lines[] = {
        {"truncate -s 100G big; \"$W\" find -c ab big a & until ls -l /proc/$!/fd | grep -q /big; do sleep 0.01; done "
         "2>/dev/null; truncate -s 5 big; wait $!; status=$?; rm big; exit $status",
         2, "a:2\n", "find: big: shrank while it was read\n"},
    };
    (void)state;
    if (on_gpu()) return;
    CHECK_COMMANDS("cli find", lines);
    expect(files_in_folder() == FILES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_results), cmocka_unit_test(refused),  cmocka_unit_test(methods),
        cmocka_unit_test(texts),         cmocka_unit_test(of_lists), cmocka_unit_test(shrinking),
        cmocka_unit_test(long_names),
    };
    return cmocka_run_group_tests_name("cli find", tests, set_up, tear_down);
}
#endif
