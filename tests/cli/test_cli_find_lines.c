/* warpwise find where whole lines, folders and several patterns are concerned: against grep -F, which has the same options, in
 * hundreds of random runs; and what the two have not in common. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/command.h"

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

static int set_up(void **state) {
    (void)state;
    if (!commands_begin("cli-find-lines", located(WARPWISE_COMMAND), on_gpu() ? setting_name(0) : NULL)) return -1;
    setenv("LC_ALL", "C", 1);
    unsetenv("GREP_COLORS");
    unsetenv("GREP_COLOR");
    file_put("a", "one\ntwo\nthree\nfour two\nfive\n", 28);
    file_put("binary", "ab\0\nab\n", 7);
    file_put("list", "two\n\nfour\n", 10);
    file_put("crlf", "two\r\nfour\r\n", 11);
    return mkdir("d", 0777) || mkdir("d/e", 0777);
}

static const char *const files[] = {"a", "binary", "crlf", "list"};
enum { FILES = sizeof files / sizeof files[0] };

static int tear_down(void **state) {
    (void)state;
    rmdir("d/e");
    rmdir("d");
    commands_end(files, FILES);
    return 0;
}

static const command_line results[] = {
    {"\"$W\" find -n two a", 0, "2:two\n4:four two\n", ""},
    {"\"$W\" find -C0 two a", 0, "two\n--\nfour two\n", ""},
    {"\"$W\" find -nC1 two a", 0, "1-one\n2:two\n3-three\n4:four two\n5-five\n", ""},
    {"\"$W\" find -n -A1 thr a binary", 0, "a:3:three\na-4-four two\n", ""},
    {"\"$W\" find -nc two a", 0, "2\n", ""},
    {"\"$W\" find -n --color=always two a | tail -n 1", 0,
     "\033[32m\033[K4\033[m\033[K\033[36m\033[K:\033[m\033[Kfour \033[01;31m\033[Ktwo\033[m\033[K\n", ""},
    {"\"$W\" find -n --color two a", 0, "2:two\n4:four two\n", ""},
    {"printf 'x\\nab' | \"$W\" find -n ab", 0, "2:ab\n", ""},
    {"(echo ab; sleep 0.1; printf 'x\\nab'; sleep 0.1; echo c) | \"$W\" find -n ab", 0, "1:ab\n3:abc\n", ""},
    {"\"$W\" find -n zzz a", 1, "", ""},
    {"\"$W\" find -n --time two a", 0, NULL, "find: 28 bytes in "},
    /* Bytes and lines. */
    {"\"$W\" find -n ab binary", 0, "binary: binary file matches\n", ""},
    {"\"$W\" find -na ab binary | od -An -tx1", 0, " 31 3a 61 62 00 0a 32 3a 61 62 0a\n", ""},
    {"\"$W\" find -n zz binary", 1, "", ""},
    {"\"$W\" find ab binary", 0, "0\n4\n", ""},
    /* Lists. */
    {"\"$W\" find -f list a", 0, "4\t1\n14\t3\n19\t1\n", ""},
    {"\"$W\" find -f crlf a", 0, "4\t1\n14\t2\n19\t1\n", ""},
    {"printf 'two\\r\\nfour' | \"$W\" find -f - a", 0, "4\t1\n14\t2\n19\t1\n", ""},
    {"printf 'two\\r\\nfour\\n' | \"$W\" find -f - a", 0, "14\t2\n", ""},
    {"\"$W\" find -nf crlf a", 0, "2:two\n4:four two\n", ""},
    {"\"$W\" find -nf list a | wc -l", 0, "5\n", ""},
    {"\"$W\" find -cf list a", 0, "3\n", ""},
    {"\"$W\" find -e two -e four a", 0, "4\t1\n14\t2\n19\t1\n", ""},
    {"\"$W\" find -e two -f crlf a", 0, "4\t1\n4\t2\n14\t3\n19\t1\n19\t2\n", ""},
    {"\"$W\" find -e two a", 0, "4\n19\n", ""},
    {"\"$W\" find \"$(printf 'two\\nth')\" a", 0, "4\n", ""},
    {"\"$W\" find -n \"$(printf 'one\\nth')\" a", 0, "1:one\n3:three\n", ""},
    /* Files. */
    {"\"$W\" find -l two a binary crlf", 0, "a\ncrlf\n", ""},
    {"\"$W\" find -l zzz a", 1, "", ""},
    {"\"$W\" find -l '' a", 0, "a\n", ""},
    {"\"$W\" find -l -e '' -e zzz a d/none", 2, "a\n", "d/none: No such file"},
    {"\"$W\" find -l two - < a", 0, "(standard input)\n", ""},
    {"cp a d/b.c; cp a d/e/c.h; ln -s ../a d/link; \"$W\" find -r two d; rm d/b.c d/e/c.h d/link", 0,
     "d/b.c:4\nd/b.c:19\nd/e/c.h:4\nd/e/c.h:19\n", ""},
    {"cp a d/b.c; cp a d/e/c.h; cd d; \"$W\" find -rn --include='*.h' --include=x two; rm b.c e/c.h", 0,
     "e/c.h:2:two\ne/c.h:4:four two\n", ""},
    {"cp a d/b.c; \"$W\" find -rl --include='*.h' two d a; s=$?; rm d/b.c; exit $s", 1, "", ""},
    {"mkfifo d/p; cp a d/b.c; \"$W\" find -rc two d/; rm d/p d/b.c", 0, "d/b.c:2\n", ""},
    {"\"$W\" find -rl two a", 0, "a\n", ""},
    {"\"$W\" find -rn two a", 0, "2:two\n4:four two\n", ""},
    {"\"$W\" find -n two d a", 2, "a:2:two\na:4:four two\n", "find: d: is a directory"},
    {"\"$W\" find -n two a > /dev/full", 2, "", "standard output cannot be written"},
    {"\"$W\" find --pattern-file=a -n a", 2, "", "--pattern-file=F searches bytes, not lines"},
    {"\"$W\" find -lc two a", 2, "", "-c and -l exclude each other"},
    {"\"$W\" find --color=green two a", 2, "", "--color=green: is not one of always, never, auto"},
    {"\"$W\" find -A x two a", 2, "", "--after-context=x: is not a number"},
    {"\"$W\" find -e '' a", 2, "", "has only empty lines, and an empty pattern has no position"},
};

static void right_results(void **state) {
    (void)state;
    CHECK_COMMANDS("cli find lines", results);
    expect(files_in_folder() == FILES + 1);
}

/* ---- beside grep ---- */

static size_t random_letters(uint64_t *random, const char *letters, size_t most, char *text) {
    const size_t n = random_next(random) % (most + 1), kinds = strlen(letters);
    for (size_t i = 0; i < n; i++) text[i] = letters[random_next(random) % kinds];
    text[n] = '\0';
    return n;
}

static void put_option(uint64_t *random, char *line, const char *option, unsigned one_in, unsigned numbers) {
    char number[16] = "";
    if (random_next(random) % one_in) return;
    if (numbers) snprintf(number, sizeof number, "%u", (unsigned)(random_next(random) % numbers));
    strcat(strcat(strcat(line, " "), option), number);
}

static void put_patterns(uint64_t *random, const char *letters, char *line) {
    char list[200] = "", one[8];
    const size_t count = 1 + random_next(random) % 4;
    for (size_t i = 0; i < count; i++) {
        random_letters(random, letters, 5, one);
        strcat(strcat(list, one), "\n");
        if (random_next(random) % 2) strcat(strcat(strcat(line, " -e '"), one), "'");
    }
    if (strstr(line, "-e") && random_next(random) % 2) return;
    file_put("patterns", list, strlen(list));
    strcat(line, " -f patterns");
}

static void beside_grep(void **state) {
    enum { RUNS = 400, MOST = 4000 };
    static const char *const letters[] = {"ab\n", "aab\n\n", "abc \n", "aB\xff\n"};
    static const char *const bare[] = {"ab", "ab", "abc ", "aB\xff"};
    (void)state;
    if (on_gpu() && left_out_on_gpu("it starts hundreds of processes")) return;
    if (command_run("grep --version | grep -q 'GNU grep'")) {
        left_out("there is no GNU grep to compare with");
        return;
    }
    char *text = need(MOST + 1);
    for (unsigned run = 0; run < RUNS; run++) {
        uint64_t random = seed_of_run() + run;
        const unsigned kind = run % 4;
        char options[400] = "", line[1000];
        CASE("cli find lines", "beside grep, run %u", run);
        if (run % tests_one_in() || !case_wanted()) continue;
        for (char name[] = "t1"; name[1] <= '3'; name[1]++) {
            const size_t n = random_letters(&random, letters[kind], random_next(&random) % 3 ? 60 : MOST, text);
            file_put(name, text, n);
        }
        put_option(&random, options, "-i", 4, 0);
        if (random_next(&random) % 5 == 0) {
            strcat(options, " -l");
        } else {
            strcat(options, random_next(&random) % 2 ? " -n" : " -C1");
            put_option(&random, options, "-A", 3, 4);
            put_option(&random, options, "-B", 3, 4);
            put_option(&random, options, "-C", 4, 4);
            put_option(&random, options, "-c", 6, 0);
            put_option(&random, options, "--color=always", 2, 0);
        }
        put_option(&random, options, "--include='*[12]'", 6, 0);
        put_patterns(&random, bare[kind], options);
        static const char *const places[] = {"t1 t2 t3", "t1", "- < t2", "< t3", "t3 - t3 < t1", "-r t1"};
        strcat(strcat(options, " "), places[random_next(&random) % 6]);
        snprintf(line, sizeof line,
                 "\"$W\" find %s > out; a=$?; grep -F %s > wanted; b=$?; cmp out wanted && [ $a = $b ]", options,
                 options);
        const command_line l = {line, 0, "", ""};
        CHECK_COMMAND("cli find lines", &l);
    }
    static const char *const left[] = {"t1", "t2", "t3", "patterns", "out", "wanted"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) unlink(left[i]);
    free(text);
}

/* Blocks, and more matches than there is room for in a line. */
static void large(void **state) {
    static const char *const runs[] = {"-n 999 big",
                                       "-n -C3 99999 big",
                                       "-A2 -B5 7777 big long",
                                       "-n --color=always a long",
                                       "--color=always -n -e aaa -e aaaaa long",
                                       "-n -B300000 199999 big",
                                       "-nc 1 big",
                                       "-C1 -e '' -e 12 big"};
    (void)state;
    if (on_gpu() && left_out_on_gpu("it is of files that are read in blocks")) return;
    if (tests_one_in() > 3 || command_run("grep --version | grep -q 'GNU grep'")) {
        left_out("large files: tests are short, or there is no GNU grep");
        return;
    }
    expect(!command_run(
        "seq 900000 > big; head -c 4500000 /dev/zero | tr '\\0' a > long; (echo; seq 5; cat long) >> long2; cat "
        "long2 >> long; rm long2"));
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char line[500];
        snprintf(line, sizeof line,
                 "\"$W\" find %s > out; a=$?; grep -F %s > wanted; b=$?; cmp out wanted && [ $a = $b ]", runs[i],
                 runs[i]);
        const command_line l = {line, 0, "", ""};
        CHECK_COMMAND("cli find lines", &l);
    }
    command_run("rm -f big long out wanted");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(right_results), cmocka_unit_test(beside_grep),
                                       cmocka_unit_test(large)};
    return cmocka_run_group_tests_name("cli find lines", tests, set_up, tear_down);
}
#endif
