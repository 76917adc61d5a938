/* The command warpwise, run as people run it: results, sentences, exit statuses, and what is left in the folder. Each case
 * is a line for the shell, in which $W is the command, and what it must print. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
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

/* Files that the lines use, and nothing else afterwards. */
static const char *const files[] = {"u8.bin",  "u32.bin",     "keys.npy",    "f64.npy",   "empty.bin", "seven.bin",
                                    "lie.npy", "complex.npy", "records.bin", "flags.bin", "u128.bin", "lowest.txt"};
enum { FILES = sizeof files / sizeof files[0] };

static int set_up(void **state) {
    (void)state;
    const char *device_name = on_gpu() ? setting_name(0) : NULL;
    if (!commands_begin("cli", located(WARPWISE_COMMAND), device_name)) return -1;
#ifdef WARPWISE_BENCH_BUILT
    setenv("PLOT", located(WARPWISE_PLOT), 1);
#endif
    setenv("COMPLETION", located(WARPWISE_COMPLETION), 1);
    static const uint32_t words[] = {5, 1, 4, 1, 3};
    static const double doubles[] = {0.1, -2.5, 1e300, 3};
    static const uint64_t big[] = {UINT64_MAX, UINT64_MAX, 1, 0}; /* 2^128 - 1 and 1 */
    static const char complex[] =
        "\x93NUMPY\x01\x00\x36\x00{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}  \nab";
    ww_device *device;
    if (ww_open("cpu:threads=1", &device)) return -1;
    file_put("u8.bin", "\x05\x00\xff\x03", 4);
    file_put("u32.bin", words, sizeof words);
    file_put("empty.bin", "", 0);
    file_put("seven.bin", "1234567", 7);
    file_put("complex.npy", complex, sizeof complex - 1);
    file_put("records.bin", "2bX1aX2aX1bX0cX", 15);
    file_put("flags.bin", "\1\0\2\0\377", 5);
    file_put("u128.bin", big, sizeof big);
    const char lowest[] = "-1\n170141183460469231731687303715884105727\n0\n-170141183460469231731687303715884105728\n";
    file_put("lowest.txt", lowest, sizeof lowest - 1);
    const int bad = ww_file_write(device, "keys.npy", ww_memory((uint32_t *)words, 5)) ||
                    ww_file_write(device, "f64.npy", ww_memory((double *)doubles, 4)) ||
                    ww_file_write(device, "lie.npy", ww_memory((uint32_t *)words, 5)) || truncate("lie.npy", 140);
    ww_close(device);
    return bad;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

/* ---- what is computed ---- */

static const command_line results[] = {
    {"\"$W\" sort --type=u8 u8.bin - | od -An -tu1", 0, "   0   3   5 255\n", ""},
    {"\"$W\" sort --type=i8 u8.bin - | od -An -td1", 0, "   -1    0    3    5\n", ""},
    {"\"$W\" sort --type=u8 --descending u8.bin - | od -An -tu1", 0, " 255   5   3   0\n", ""},
    {"\"$W\" sort --type=u8 --method=radix - - < u8.bin | od -An -tu1", 0, "   0   3   5 255\n", ""},
    {"for m in multisplit split1 quick merge-plain merge-search bitonic merge-network oddeven; do \"$W\" sort --type=u8 --method=$m u8.bin - | "
     "od -An -tu1; done",
     0,
     "   0   3   5 255\n   0   3   5 255\n   0   3   5 255\n   0   3   5 255\n   0   3   5 255\n   0   3   5 255\n"
     "   0   3   5 255\n   0   3   5 255\n",
     ""},
    {"\"$W\" sort --type=u8 --method=multisplit --digit-bits=4 --descending u8.bin - | od -An -tu1", 0,
     " 255   5   3   0\n", ""},
    {"\"$W\" sort --type=u8 --bits=1:1 u8.bin - | od -An -tu1", 0, "   5   0 255   3\n", ""},
    {"\"$W\" sort --method=auto - - < keys.npy | od -An -tu4", 0,
     "          1          1          3          4\n          5\n", ""},
    {"\"$W\" sort --type=u32 keys.npy - | od -An -tu4 | wc -l", 0, "2\n", ""},
    /* 3.01, nan, -2, 1 and 2050: each sum is rounded from one of floats. */
    {"printf '\\005\\102\\000\\176\\000\\300\\000\\074\\001\\150' > h.bin && \"$W\" sort --type=f16 h.bin - | od -An -tx2; "
     "\"$W\" reduce --op=min,max --type=f16 h.bin; \"$W\" histogram --type=f16 --bins=2 --range=-2:2 h.bin; rm h.bin",
     0, " c000 3c00 4205 6801 7e00\nmin nan\nmax nan\n-2 0 1\n0 2 1\n", "3 of 5 elements lie outside"},
    {"for i in 2048 1 1 1 1; do echo $i; done | \"$W\" convert --from=text --type=bf16 - h.bin && \"$W\" reduce --op=add,mean --type=bf16 h.bin; "
     "\"$W\" convert --type=bf16 --to=text h.bin - | head -n 2; rm h.bin",
     0, "add 2048\nmean 410.4\n2048\n1\n", ""},
    {"printf '3.14159\\n-0.1\\n65504\\n' | \"$W\" convert --from=text --type=f16 - h.npy && \"$W\" reduce --op=max h.npy; \"$W\" convert --to=text h.npy -; rm h.npy",
     0, "65504\n3.14\n-0.1\n65504\n", ""},
    {"\"$W\" sort f64.npy - | od -An -tf8 | head -n 1 | tr -s ' '", 0, " -2.5 0.1\n", ""},
    {"\"$W\" sort --type=u32 --values=flags.bin --values-type=u8 --values-out=v.bin u32.bin k.bin && od -An -tu1 v.bin "
     "&& rm v.bin k.bin",
     0, "   0   0 255   2   1\n", ""},
    {"\"$W\" sort --values=keys.npy --values-out=v.npy keys.npy k.npy && \"$W\" scan --op=max v.npy - | od -An -tu4 -N8; "
     "rm v.npy k.npy",
     0, "          1          1\n", ""},
    {"\"$W\" sort --type=rec:3 --key=0:1 records.bin -", 0, "0cX1aX1bX2bX2aX", ""},
    {"\"$W\" sort --type=rec:3 --key=1:2 records.bin -", 0, "1aX2aX2bX1bX0cX", ""},
    {"\"$W\" sort --type=rec:3 --key=0:2 --descending records.bin -", 0, "2bX2aX1bX1aX0cX", ""},
    {"printf 'bbbbbbbbb2aaaaaaaaa9bbbbbbbbb1' | \"$W\" sort --type=rec:10 --key=0:10 - -", 0,
     "aaaaaaaaa9bbbbbbbbb1bbbbbbbbb2", ""},
    {"printf 'b2a9b1a3' | \"$W\" sort --type=u16 --key=0:1 - -", 0, "a9a3b2b1", ""},
    {"printf 'b2a9b1a3' | \"$W\" sort --type=u16 --key=0:2 - -", 0, "a3a9b1b2", ""},
    {"printf '\\014\\005\\013' | \"$W\" sort --type=u8 --bits=2:2 - - | od -An -tu1", 0, "   5  11  12\n", ""},
    {"\"$W\" sort --type=u64 empty.bin -", 0, "", ""},
    {"cp u32.bin same.bin && \"$W\" sort --type=u32 same.bin same.bin && od -An -tu4 -N8 same.bin; rm same.bin", 0,
     "          1          1\n", ""},

    {"\"$W\" scan --op=add --type=u8 u8.bin - | od -An -tu1", 0, "   5   5   4   7\n", ""},
    {"\"$W\" scan --op=add --exclusive --type=u8 u8.bin - | od -An -tu1", 0, "   0   5   5   4\n", ""},
    {"\"$W\" scan --op=min --type=u8 u8.bin - | od -An -tu1", 0, "   5   0   0   0\n", ""},
    {"\"$W\" scan --op=max --exclusive --type=i8 u8.bin - | od -An -td1", 0, " -128    5    5    5\n", ""},
    {"\"$W\" scan --op=mul keys.npy - | od -An -tu4", 0, "          5          5         20         20\n         60\n",
     ""},
    {"\"$W\" scan --op=add --method=blelloch keys.npy - | od -An -tu4 -N8", 0, "          5          6\n", ""},
    {"\"$W\" scan --op=add --method=hillis-steele keys.npy - | od -An -tu4 -N8", 0, "          5          6\n", ""},
    {"\"$W\" scan --op=add keys.npy s.npy && \"$W\" reduce --op=max s.npy; rm s.npy", 0, "14\n", ""},

    {"\"$W\" reduce --op=add keys.npy", 0, "14\n", ""},
    {"\"$W\" reduce --op=min --type=i8 u8.bin", 0, "-1\n", ""},
    {"\"$W\" reduce --op=mul --type=u32 - < u32.bin", 0, "60\n", ""},
    {"\"$W\" reduce --op=max --type=u128 u128.bin", 0, "340282366920938463463374607431768211455\n", ""},
    {"\"$W\" reduce --op=add --type=u128 u128.bin", 0, "0\n", ""},
    {"\"$W\" convert --from=text --type=i128 lowest.txt - | \"$W\" reduce --op=min,max --type=i128 -", 0,
     "min -170141183460469231731687303715884105728\nmax 170141183460469231731687303715884105727\n", ""},
    {"\"$W\" convert --from=text --type=i128 lowest.txt - | \"$W\" sort --type=i128 - - | \"$W\" convert --to=text --type=i128 - -", 0,
     "-170141183460469231731687303715884105728\n-1\n0\n170141183460469231731687303715884105727\n", ""},
    {"printf '170141183460469231731687303715884105728' | \"$W\" convert --from=text --type=i128 - -", 1, "",
     "170141183460469231731687303715884105728"},
    {"\"$W\" reduce --op=max f64.npy", 0, "1e+300\n", ""},
    {"head -c 136 f64.npy | tail -c 8 | \"$W\" reduce --op=add --type=f64 -", 0, "0.1\n", ""},
    {"printf '\\315\\314\\314\\075' | \"$W\" reduce --op=add --type=f32 -", 0, "0.1\n", ""},
    {"\"$W\" reduce --op=add --type=u32 empty.bin", 0, "0\n", "empty"},
    {"\"$W\" reduce --op=mul --type=f32 empty.bin", 0, "1\n", "empty"},
    {"\"$W\" reduce --op=min --type=u8 empty.bin", 0, "255\n", "empty"},
    {"\"$W\" reduce --op=max --type=i64 empty.bin", 0, "-9223372036854775808\n", "empty"},

    {"\"$W\" histogram --type=u8 --bins=2 --range=0:256 u8.bin", 0, "0 128 3\n128 256 1\n", ""},
    {"\"$W\" histogram --type=u8 --bins=2 --range=0:5 u8.bin", 0, "0 3 1\n3 5 1\n", "2 of 4 elements lie outside"},
    {"\"$W\" histogram --type=i8 --bins=4 --range=-128:128 u8.bin", 0, "-128 -64 0\n-64 0 1\n0 64 3\n64 128 0\n", ""},
    {"\"$W\" histogram --method=warp --type=u8 --bins=2 --range=0:5 u8.bin", 0, "0 3 1\n3 5 1\n",
     "2 of 4 elements lie outside"},
    {"\"$W\" histogram --method=shared --type=u8 --bins=2 --range=0:256 u8.bin", 0, "0 128 3\n128 256 1\n", ""},
    {"\"$W\" histogram --method=warp --type=i8 --edges=-1,0,4 u8.bin", 0, "-1 0 1\n0 4 2\n", "1 of 4"},
    {"\"$W\" histogram --type=i8 --edges=-1,0,4 u8.bin", 0, "-1 0 1\n0 4 2\n", "1 of 4"},
    {"\"$W\" histogram --type=u8 --edges=0,4,0x100 u8.bin", 0, "0 4 2\n4 256 2\n", ""},
    {"\"$W\" histogram --type=u64 --bins=1 --range=0:18446744073709551616 u128.bin", 0, "0 18446744073709551616 4\n",
     ""},
    {"\"$W\" histogram --type=i64 --bins=2 --range=-9223372036854775808:9223372036854775808 u128.bin", 0,
     "-9223372036854775808 0 2\n0 9223372036854775808 2\n", ""},
    {"\"$W\" histogram --edges=-inf,0,0.5,inf f64.npy", 0, "-inf 0 1\n0 0.5 1\n0.5 inf 2\n", ""},
    {"\"$W\" histogram --bins=2 --range=0:1 f64.npy", 0, "0 0.5 1\n0.5 1 0\n", "3 of 4"},
    {"\"$W\" histogram --bins=2 --range=0:6 keys.npy h.npy && \"$W\" reduce --op=max --type=u64 h.npy; rm h.npy", 0,
     "3\n", ""},

    {"\"$W\" pack --type=u32 --flags=flags.bin u32.bin - | od -An -tu4", 0, "          5          4          3\n", ""},
    {"\"$W\" pack --type=rec:3 --flags=- records.bin - < flags.bin", 0, "2bX2aX0cX", ""},
    {"\"$W\" pack --type=u8 --flags=empty.bin empty.bin -", 0, "", ""},

    {"\"$W\" reduce --op=add --device=cpu:threads=3 keys.npy", 0, "14\n", ""},
    {"WARPWISE_DEVICE=cpu:threads=3 \"$W\" info | grep -c 'threads    3'", 0, "1\n", ""},
    {"\"$W\" sort --time --type=u8 u8.bin -  | wc -c", 0, "4\n", "warpwise sort: 4 elements of u8 in "},
    {"\"$W\" --version", 0, "warpwise 0.2.0\n", ""},
    {"\"$W\" sort --type=u8 u8.bin /dev/null", 0, "", ""},
    {"\"$W\" sort --fsync --type=u8 u8.bin - | od -An -tu1", 0, "   0   3   5 255\n", ""},
    {"\"$W\" scan --fsync --op=add --type=u8 u8.bin x.bin && od -An -tu1 x.bin; rm x.bin", 0, "   5   5   4   7\n", ""},

    {"(printf a; \"$W\" sort --type=rec:3 --key=0:1 records.bin /dev/stdout; printf b) > x; cat x; rm x", 0,
     "a0cX1aX1bX2bX2aXb", ""},
    {"(printf a; \"$W\" sort --type=rec:3 --key=0:1 records.bin -; printf b) > x; cat x; rm x", 0, "a0cX1aX1bX2bX2aXb",
     ""},
    {"printf before > x; \"$W\" sort --type=rec:3 --key=0:1 records.bin /dev/stdout >> x; cat x; rm x", 0,
     "before0cX1aX1bX2bX2aX", ""},
    {"\"$W\" sort --type=rec:3 --key=0:1 records.bin /dev/stdout | cat", 0, "0cX1aX1bX2bX2aX", ""},
    {"\"$W\" sort --type=rec:3 --key=0:1 records.bin /proc/self/fd/1 | cat", 0, "0cX1aX1bX2bX2aX", ""},
    {"(\"$W\" sort --type=rec:3 --key=0:1 records.bin /dev/fd/3 3>&1 >/dev/null) | cat", 0, "0cX1aX1bX2bX2aX", ""},
    {"mkfifo p; cat p & \"$W\" sort --type=rec:3 --key=0:1 records.bin p; wait; rm p", 0, "0cX1aX1bX2bX2aX", ""},

    /* What is said does not go to the output, whatever is closed. */
    {"\"$W\" histogram --type=u8 --bins=2 --range=0:5 u8.bin h.bin 2>&-; od -An -tu8 h.bin; rm h.bin", 0,
     "                    1                    1\n", ""},
    {"\"$W\" histogram --type=u8 --bins=2 --range=0:5 u8.bin h.bin <&- >&- 2>&-; od -An -tu8 h.bin; rm h.bin", 0,
     "                    1                    1\n", ""},
    {"\"$W\" sort --time --type=u8 u8.bin h.bin >&- 2>&-; od -An -tu1 h.bin; rm h.bin", 0, "   0   3   5 255\n", ""},
    {"\"$W\" sort --time --type=u8 u8.bin h.bin <&- 2>&-; od -An -tu1 h.bin; rm h.bin", 0, "   0   3   5 255\n", ""},
};

/* On a GPU all of them but what is said to be the CPU's. */
static bool for_cpus(const char *command) { return strstr(command, "info"); }

static void computes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (!(on_gpu() && for_cpus(results[i].command)) && !left_to_gpus(i)) CHECK_COMMAND("cli", &results[i]);
    }
    expect(files_in_folder() == FILES);
}

/* ---- a GPU gives the CPU's bytes ---- */

/* Several tiles each; "some.bin" has 40,000 random bytes and "marks.bin" 10,000 flags. */
static const char *const same_everywhere[] = {
    "\"$W\" sort --type=u32 some.bin -",
    "\"$W\" sort --type=u16 --descending some.bin -",
    "\"$W\" sort --type=f32 --values=some.bin --values-type=u32 --values-out=- some.bin k.bin; cat k.bin; rm k.bin",
    "\"$W\" sort --type=rec:10 --key=2:3 some.bin -",
    "\"$W\" sort --type=rec:40 --key=0:1 --descending --values=marks.bin --values-type=rec:10 --values-out=- some.bin k.bin; "
    "cat k.bin; rm k.bin",
    "\"$W\" scan --op=add --type=u32 some.bin -",
    "\"$W\" scan --op=max --exclusive --type=u8 some.bin -",
    "\"$W\" scan --op=min --method=lookback --type=f64 some.bin -",
    "\"$W\" scan --op=add --method=hillis-steele --exclusive --type=u64 some.bin -",
    "\"$W\" reduce --op=add --type=u32 some.bin",
    "\"$W\" reduce --op=max --type=u128 some.bin",
    "\"$W\" histogram --type=u8 --bins=256 --range=0:256 some.bin",
    "\"$W\" histogram --type=i16 --edges=-20000,-1,7,8,32767 some.bin",
    "\"$W\" histogram --type=f32 --bins=10 --range=-1:1 some.bin -",
    "\"$W\" pack --type=u32 --flags=marks.bin some.bin -",
    "\"$W\" pack --type=rec:4 --flags=marks.bin some.bin -",
    "head -c 4 some.bin > one.bin; for c in 'sort' 'scan --op=add' 'pack --flags=flag.bin'; do printf 1 > flag.bin; "
    "\"$W\" $c --type=u32 one.bin -; \"$W\" $c --type=rec:4 --key=0:4 one.bin -; done; "
    "\"$W\" reduce --op=min --type=u32 one.bin; \"$W\" histogram --type=u32 --bins=1 --range=0:9 one.bin; rm one.bin flag.bin",
    "for c in 'sort' 'scan --op=mul' 'pack --flags=empty.bin'; do \"$W\" $c --type=u32 empty.bin -; done; "
    "\"$W\" histogram --type=u32 --bins=3 --range=0:9 empty.bin",
};

static void same_on_a_gpu(void **state) {
    (void)state;
    if (!on_gpu()) return;
    static unsigned char some[40000], marks[10000];
    static char cpu_out[COMMAND_TEXT];
    uint64_t random = seed_of_run();
    for (size_t i = 0; i < sizeof some; i++) some[i] = (unsigned char)(random_next(&random) >> 56);
    for (size_t i = 0; i < sizeof marks; i++) marks[i] = random_next(&random) >> 63 != 0;
    file_put("some.bin", some, sizeof some);
    file_put("marks.bin", marks, sizeof marks);
    for (size_t i = 0; i < sizeof same_everywhere / sizeof same_everywhere[0]; i++) {
        CASE("cli", "same: %s", same_everywhere[i]);
        if (!case_wanted()) continue;
        setenv("WARPWISE_DEVICE", "cpu", 1);
        const int wanted = command_run(same_everywhere[i]);
        memcpy(cpu_out, command_out, sizeof command_out);
        char cpu_err[COMMAND_TEXT];
        memcpy(cpu_err, command_err, sizeof command_err);
        setenv("WARPWISE_DEVICE", setting_name(0), 1);
        const int status = command_run(same_everywhere[i]);
        expect_bytes(command_out, cpu_out, sizeof command_out);
        if (strcmp(command_err, cpu_err)) fprintf(stderr, "%s--- on the CPU\n%s", command_err, cpu_err);
        expect(status == wanted && !strcmp(command_err, cpu_err));
    }
    unlink("some.bin");
    unlink("marks.bin");
    expect(files_in_folder() == FILES);
}

/* What only GPUs say; the limit on files leaves room for a compiled kernel's. */
static const command_line gpu_lines[] = {
    {"WARPWISE_TRACE=1 \"$W\" reduce --op=add keys.npy", 0, "14\n", "kernel=reduce"},
    {"WARPWISE_TRACE=1 \"$W\" scan --op=add --method=blelloch keys.npy - >x.npy; rm x.npy", 0, "",
     "kernel=blelloch_up"},
    {"ulimit -f 1000; head -c 1000000 /dev/zero | \"$W\" scan --op=add --type=u8 - x.npy", 1, "",
     "x.npy: cannot be written after"},
};

static void says_what_gpus_lack(void **state) {
    (void)state;
    if (!on_gpu()) return;
    CHECK_COMMANDS("cli", gpu_lines);
    expect(files_in_folder() == FILES);
    const command_line info = {"\"$W\" info", 0, NULL, ""};
    if (CHECK_COMMAND("cli", &info))
        expect(strstr(command_out, "first call") && strstr(command_out, "next call") &&
               !strstr(command_out, "vectors  "));
}

/* ---- bench on a GPU: every row of every family, each verified by the program itself ---- */

#ifdef WARPWISE_BENCH_BUILT
static size_t lines_of(const char *text) {
    size_t n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

/* Whether a line of the table that was printed begins with the row's name and has a rate behind it, or the sentence of a call
 * that the device cannot do (any other failure ends the program with 1). */
static bool table_has(const char *name) {
    const size_t length = strlen(name);
    for (const char *l = command_out; l; l = strchr(l, '\n')) {
        if (*l == '\n') l++;
        double rate;
        if (strncmp(l, name, length) || l[length] != ' ') continue;
        if (sscanf(l + length, "%lf", &rate) == 1 || !strncmp(l + length + strspn(l + length, " "), "ww_", 3))
            return true;
    }
    return false;
}

/* Lines of --list: a family, or four spaces, a row's name padded to 44, its call. */
static size_t rows_missing(const char *list, size_t *rows) {
    enum { NAME_AT = 4, NAME = 44 };
    size_t missing = 0;
    for (const char *l = list, *end; (end = strchr(l, '\n')); l = end + 1) {
        char name[NAME + 1] = "";
        if (*l != ' ') continue;
        snprintf(name, sizeof name, "%s", l + NAME_AT);
        for (size_t n = strlen(name); n && name[n - 1] == ' ';) name[--n] = '\0';
        ++*rows;
        if (table_has(name)) continue;
        fprintf(stderr, "there is no row '%s' in\n%s", name, command_out);
        missing++;
    }
    return missing;
}

static void runs_well(const char *command) {
    const int status = command_run(command);
    if (status || *command_err)
        fprintf(stderr, "%s\nexit %d\n--- out\n%s--- err\n%s", command, status, command_out, command_err);
    expect(status == 0 && *command_err == '\0');
}

static void benches(void **state) {
    (void)state;
    if (!on_gpu()) return;
    CASE("cli", "bench");
    if (!case_wanted()) return;
    if (tests_are_short()) {
        left_out("the benchmark (WARPWISE_TEST_SHORT is set)");
        return;
    }
    static char list[COMMAND_TEXT];
    size_t rows = 0;
    runs_well("\"$W\" bench --list");
    snprintf(list, sizeof list, "%s", command_out);
    runs_well("\"$W\" bench --size=600 --repeat=1 --peers --json=b.json");
    expect(rows_missing(list, &rows) == 0 && rows > 30);
    expect(strstr(command_out, "ww_store") && strstr(command_out, "in the device's memory") &&
           strstr(command_out, "TBB       runs on the CPU"));
    expect(!strstr(command_out, "NOT MET") && !strstr(command_out, " x copy"));
    runs_well(
        "grep -c '\"verified\": true' b.json; grep '\"verified\": false, \"unsupported\": false' b.json; rm b.json");
    expect(lines_of(command_out) == 1 && strtoul(command_out, NULL, 10) > 30);
    runs_well("\"$W\" bench map --device=\"$WARPWISE_DEVICE\" --size=10 --repeat=2");
    expect(table_has("store u32") && !table_has("reduce u32"));
    expect(files_in_folder() == FILES);
}

/* ---- bench split: a few rows of its studies, and the tables that they are in ---- */

static void bench_studies(void **state) {
    static const command_line lines[] = {
        {"\"$W\" bench split --list | grep -c 'methods: u32, delta, m = 65537, uniform, n = 90000000 '", 0, "1\n", ""},
        {"\"$W\" bench split --size=2000 --repeat=1 --rows=' m = 8, uniform' --json=b.json", 0, NULL, ""},
        {"grep -c '\"verified\": false' b.json; grep -c '\"study\": true' b.json", 0, "0\n4\n", ""},
        {"grep -o '\"title\": \"[A-Z][a-z]* 3.[4-8]' b.json | sort | uniq -c | tr -s ' '", 0,
         " 2 \"title\": \"Figure 3.6\n 2 \"title\": \"Figure 3.7\n 2 \"title\": \"Figure 3.8\n 1 \"title\": \"Table 3.4\n"
         " 2 \"title\": \"Table 3.5\n 2 \"title\": \"Table 3.7\n",
         ""},
        {"\"$W\" bench split --size=2000 --repeat=1 --rows=' 64 bytes' | sed -n 's/^\\(split8\\|Figure 1[12]\\) of .*/\\1/p'",
         0, "split8\nFigure 11\nFigure 12\n", ""},
        {"\"$W\" bench split --size=2000 --repeat=1 --rows=', 16 bits' | grep -c '^Figure [89] \\|^Figure 10 '", 0,
         "3\n", ""},
        {"\"$W\" bench sort --list | grep -c 'sort records: 128 bytes, key of 4, n = 2^24 '", 0, "1\n", ""},
        {"\"$W\" bench sort --size=700 --repeat=1 --rows='sort records: 128 bytes, key of 4' | grep '^Table' | cut -c 1-32",
         0, "Table 1 of Patidar and Narayanan\n", ""},
        {"\"$W\" bench sort --size=700 --repeat=1 --rows='sort numbers: 96 bits' | grep -c '^Figure 13 '", 0, "1\n",
         ""},
        {"\"$W\" bench text --list | grep -c 'find methods: 8 bits, m = 1024, n = 2^25 '", 0, "1\n", ""},
        {"echo whale > w.txt; \"$W\" bench text --size=700 --repeat=1 --english=w.txt --rows='bit, m = 16,' --json=b.json >w.out; "
         "rm w.txt w.out; grep -o '\"english\": \"[^\"]*\"' b.json; grep -c '\"study\": true' b.json; "
         "grep -c '\"verified\": false, \"unsupported\": false' b.json || true",
         0, "\"english\": \"w.txt of 6 bytes\"\n8\n0\n", ""},
        {"\"$W\" bench banked --size=2048 --repeat=1 --rows='tiles of 1024 u32 sorted, random' | "
         "sed -n 's/^ *\\(Block[a-zA-Z]*\\|padded\\|bitonic\\).* runs on an NVIDIA GPU alone.*/\\1/p' | sort -u",
         0, "BlockMergeSort\nBlockRadixSort\nbitonic\npadded\n", ""},
        {"\"$W\" bench banked --size=10 --repeat=1 --rows=model | grep -c '^Steps of the model'", 0, "12\n", ""},
        {"\"$W\" bench group --device=cpu,cpu,cpu:threads=2,cpu --size=1024 --repeat=1 --rows='sort, ' --json=b.json | "
         "grep '^Groups: sort:\\|^[124] rank' | cut -c 1-13",
         0, "Groups: sort:\n1 rank       \n2 ranks      \n4 ranks      \nGroups: sort:\n", ""},
        {"grep -c '\"verified\": false' b.json; grep -c '\"study\": true' b.json", 0, "0\n7\n", ""},
        {"\"$W\" bench sort --device=cpu,cpu", 2, "", "several devices are those of family group"},
        {"\"$W\" bench text --protein=nothing.txt", 1, "", "warpwise bench: nothing.txt: No such file or directory\n"},
    };
    (void)state;
    if (!on_gpu()) return;
    CHECK_COMMANDS("cli", lines);
    unlink("b.json");
    expect(files_in_folder() == FILES);
}

/* ---- bench sort: all of its rows on a CPU, and that of every named method on a GPU ---- */

#define ROWS_OF(kind) "grep -c '\"name\": \"sort " kind "' b.json; "
#define NO_FALSE "! grep '\"verified\": false' b.json"
/* Who stands in the rows of that name. */
#define WHO_OF(name) \
    "grep '\"name\": \"" name "\"' b.json | grep -o '\"who\": \"[^\"]*' | cut -d'\"' -f4 | tr '\\n' ' '"

static const command_line cpu_sorts[] = {
    {"\"$W\" bench sort --size=10 --repeat=1 --json=b.json", 0, NULL, ""},
    {NO_FALSE, 0, "", ""},
    {WHO_OF("\\(sort index\\|top 1000\\|top n.16\\|n-th\\|segments\\|sort records\\) of .*"), 0,
     "Warpwise base Warpwise base Warpwise base Warpwise Warpwise Warpwise base Warpwise Warpwise Warpwise Warpwise ", ""},
    {WHO_OF("sort by a user.s WW_LESS, u32 (.*)") " | cut -d' ' -f1-2", 0, "Warpwise base\n", ""},
    {ROWS_OF("methods: u32") ROWS_OF("elements: u32") ROWS_OF("elements: 64 bits") ROWS_OF("digits: u32")
         ROWS_OF("numbers: 48 bits") ROWS_OF("records: 64 bytes"),
     0, "2\n18\n3\n3\n1\n3\n", ""},
    {WHO_OF("sort methods: u32 + u32, n = 2^16"), 0,
     "Warpwise radix multisplit merge merge-search quick split1 bitonic merge-network oddeven ", ""},
    {WHO_OF("sort elements: 48 bits, n = 2^[0-9]*"), 0,
     "Warpwise radix multisplit merge merge-search Warpwise quick split1 bitonic merge-network Warpwise oddeven ", ""},
    {WHO_OF("sort digits: 64 bits, n = 2^20"), 0, "Warpwise r = 4 r = 5 r = 6 r = 7 r = 8 ", ""},
    {WHO_OF("sort numbers: 64 bits, n = 2^16"), 0, "Warpwise multisplit ", ""},
    {"grep -o '\"title\": \"[A-Z][a-z]* \\(sort over\\|by key\\|by record\\|of records\\|[0-9.]*\\)' b.json | cut -d'\"' -f4 | sort | uniq -c "
     "| tr -s ' '",
     0,
     " 2 Every sort over\n 2 Figure 13\n 1 Figure 14\n 1 Figure 15\n 1 Methods by key\n 1 Methods by record\n"
     " 1 Sort of records\n 1 Table 1\n 1 Table 3.8\n",
     ""},
    {"\"$W\" bench sort --size=10 --repeat=1 --rows='methods: u32,' | sed -n '/^Every/{n;p}; /^Left out: T/p' | tr -s ' '",
     0,
     "n 2^10 M/s\nLeft out: Table 2 of Hou et al. 2008: radix against merge, u32 keys + u32 values (all its n are above "
     "--size=1024).\n",
     ""},
    {"\"$W\" bench sort --size=10 --repeat=1 --rows='digits: u32, n = 2^25' --plot=b.svg", 1, NULL,
     ": b.svg was not drawn: "},
};

/* Figures of two devices as one; in place of gnuplot a program that keeps what it is told. */
static const command_line two_devices[] = {
    {"mkdir p; printf '#!/bin/sh\\ncat >p/told\\n' >p/gnuplot; chmod +x p/gnuplot; "
     "sed 's/\"cpu\": \"[^\"]*/\"cpu\": \"One (old) 1/' b.json >p/one.json; "
     "sed 's/\"cpu\": \"[^\"]*/\"cpu\": \"Two(R) CPU/; s/2^10/2^9/' b.json >p/two.json; "
     "PATH=\"$PWD/p:$PATH\" python3 \"$PLOT\" p/one.json p/two.json p/figures.svg; "
     "sed -n '/title \"Figure 1[45]/,/^plot/p' p/told | grep -o 'xtics ([^)]*)\\|title \"[^\"F]*\"'; rm -r p",
     0,
     "xtics (\"2^9\" 0, \"2^10\" 1)\ntitle \"multisplit, One\"\ntitle \"radix, One\"\ntitle \"multisplit, Two\"\n"
     "title \"radix, Two\"\nxtics (\"2^9\" 0, \"2^10\" 1)\ntitle \"One\"\ntitle \"Two\"\n",
     ""},
};

static const command_line gpu_sorts[] = {
    {"\"$W\" bench sort --size=8 --repeat=1 --rows='sort methods: u32, n = 2^16' --json=b.json", 0, NULL, ""},
    {NO_FALSE, 0, "", ""},
    {WHO_OF("sort methods: u32, n = 2^16"), 0,
     "Warpwise radix multisplit merge merge-search quick split1 bitonic merge-network oddeven ", ""},
};

static void bench_sorts(void **state) {
    (void)state;
    if (on_gpu())
        CHECK_COMMANDS("cli", gpu_sorts);
    else
        CHECK_COMMANDS("cli", cpu_sorts);
    if (!on_gpu() && command_run("command -v python3") == 0) CHECK_COMMANDS("cli", two_devices);
    unlink("b.json");
    expect(files_in_folder() == FILES);
}

/* ---- bench, stopped and resumed ---- */

#define BENCH "\"$W\" bench --size=1000 --repeat=3 --json=b.json "
/* What rows took, without what a later copy rate changes; of those that the file had in b.txt before. */
#define SECONDS "sed -n 's/.*\"name\": \"\\([a-z0-9 ]*\\)\".*\"seconds\": {\\([^}]*\\)}.*/\\1 \\2/p' b.json | grep u32"

static void bench_resumes(void **state) {
    static const command_line lines[] = {
        {BENCH "map --rows=store", 0, NULL, ""},
        {SECONDS " > b.txt; cut -d' ' -f-2 b.txt", 0, "store u32\n", ""},
        {BENCH "map --rows=u32 reduce --resume | grep -c 'rows are from the run\\|^store u32 \\|^reduce u32 '", 0,
         "3\n", ""},
        {SECONDS " | grep -vxFf b.txt | cut -d' ' -f-2; " SECONDS " | grep -cxFf b.txt", 0, "reduce u32\n1\n", ""},
        {"grep -c '\"finished\": true' b.json", 0, "1\n", ""},
        {"\"$W\" bench map --size=999 --repeat=3 --json=b.json --resume", 1, "",
         "with --size '1000', and here it is '999'"},
        {"cp b.json c.json; sed -i 's/\"cpu\": \"/&Other /' b.json; " BENCH
         "map --resume; status=$?; mv c.json b.json; exit $status",
         1, "", "was measured with the CPU 'Other "},
        {"cp b.json c.json; sed -i 's/\"commit\": \"/&0/' b.json; " BENCH
         "map --resume; status=$?; mv c.json b.json; exit $status",
         1, "", "was measured with commit '0"},
        {"head -c 500 b.json > c.json; \"$W\" bench map --json=c.json --resume; status=$?; rm c.json; exit $status", 1,
         "", "c.json is not the JSON of a run"},
        {"\"$W\" bench map --resume", 2, "", "--resume wants"},
        /* Stopped for good after the first row. */
        {"rm b.json; " BENCH
         "map reduce & while kill -0 $! && ! grep -q verified b.json; do sleep 0.01; done 2>/dev/null; "
         "kill -9 $!; wait $! 2>/dev/null; rm -f b.json.part; grep -c '\"finished\": [a-z]*' b.json",
         0, NULL, NULL},
        {BENCH "map reduce --resume | grep -c 'rows are from the run\\|^store u32 \\|^reduce u32 '", 0, "3\n", ""},
    };
    (void)state;
    if (!on_gpu()) return;
    CHECK_COMMANDS("cli", lines);
    unlink("b.json");
    unlink("b.txt");
    expect(files_in_folder() == FILES);
}
#else
static void benches(void **state) {
    (void)state;
    left_out("the benchmark is not built");
}
static void bench_studies(void **state) { (void)state; }
static void bench_sorts(void **state) { (void)state; }
static void bench_resumes(void **state) { (void)state; }
#endif

/* ---- wrong usage: 2 ---- */

static const command_line misuses[] = {
    {"\"$W\"", 2, "", "Usage"},
    {"\"$W\" nothing", 2, "", "no command 'nothing'"},
    {"\"$W\" splice", 2, "", "no command"},
    {"\"$W\" sort", 2, "", "IN is missing"},
    {"\"$W\" sort --type=u8 u8.bin", 2, "", "OUT is missing"},
    {"\"$W\" sort --type=u8 u8.bin a b", 2, "", "too many"},
    {"\"$W\" sort u8.bin x.bin", 2, "", "--type=T is missing"},
    {"\"$W\" sort - x.bin < u8.bin", 2, "", "type"},
    {"\"$W\" sort --type=u7 u8.bin x.bin", 2, "", "u7"},
    {"\"$W\" sort --type=rec:0 u8.bin x.bin", 2, "", "rec:0"},
    {"\"$W\" sort --type=rec:2 u8.bin x.bin", 2, "", "--key"},
    {"\"$W\" sort --type=rec:2 --key=1:2 u8.bin x.bin", 2, "", "2 bytes"},
    {"\"$W\" sort --type=rec:2 --key=1 u8.bin x.bin", 2, "", "OFF:LEN"},
    {"\"$W\" sort --type=rec:2 --key=0:2 --method=merge u8.bin x.bin", 2, "", "not for --key"},
    {"\"$W\" sort --type=u8 --bits=3 u8.bin x.bin", 2, "", "FIRST:COUNT"},
    {"\"$W\" sort --type=u8 --digit-bits=9 u8.bin x.bin", 2, "", "4 to 8"},
    {"\"$W\" sort --type=u8 --digit-bits=5 --method=radix u8.bin x.bin", 2, "", "--method=multisplit"},
    {"\"$W\" sort --type=u8 --bits=6:3 u8.bin x.bin", 2, "", "--bits=6:3: elements have only 8 bits"},
    {"\"$W\" sort --type=u32 --bits=32:1 u32.bin x.bin", 2, "", "elements have only 32 bits"},
    {"\"$W\" sort --bits=32:1 keys.npy x.bin", 2, "", "--bits=32:1: elements of keys.npy have only 32 bits"},
    {"\"$W\" sort --type=u32 --bits=4294967295:4294967295 u32.bin x.bin", 2, "", "elements have only 32 bits"},
    {"\"$W\" sort --type=u8 --method=bogo u8.bin x.bin", 2, "", "not one of auto, radix"},
    {"\"$W\" sort --type=u8 --values=u8.bin u8.bin x.bin", 2, "", "--values-out"},
    {"\"$W\" sort --type=u8 --values-out=u8.bin u8.bin x.bin", 2, "", "--values=F"},
    {"\"$W\" sort --type=u8 --values=u8.bin --values-out=x.bin u8.bin x.bin", 2, "", "the same file"},
    {"\"$W\" sort --type=u8 --values=u8.bin --values-out=./x.bin u8.bin x.bin", 2, "", "the same file"},
    {"ln -s . here; \"$W\" sort --type=u8 --values=u8.bin --values-out=here/x.bin u8.bin x.bin; S=$?; rm here; exit $S",
     2, "", "the same file"},
    {"ln u8.bin other; \"$W\" sort --type=u8 --values=u8.bin --values-out=u8.bin u8.bin other; S=$?; rm other; exit $S",
     2, "", "the same file"},
    {"\"$W\" sort --type=u8 --values=u8.bin --values-out=- u8.bin x.bin > x.bin; S=$?; rm x.bin; exit $S", 2, "",
     "the same file"},
    {"\"$W\" split --type=u8 --buckets=2 --by=bits:0:1 --offsets=./o u8.bin o", 2, "", "the same file"},
    {"\"$W\" reduce --fsync --op=add keys.npy", 2, "", "--fsync"},
    {"\"$W\" sort --type=u8 --values=- --values-out=y.bin - x.bin", 2, "", "standard input"},
    {"\"$W\" sort --bogus u8.bin x.bin", 2, "", "--bogus"},
    {"\"$W\" help nothing", 2, "", "no command 'nothing'"},
    {"\"$W\" scan --type=u8 u8.bin x.bin", 2, "", "--op"},
    {"\"$W\" scan --op=xor --type=u8 u8.bin x.bin", 2, "", "xor"},
    {"\"$W\" scan --op=add --method=x --type=u8 u8.bin x.bin", 2, "", "--method=x"},
    {"\"$W\" reduce --op=add", 2, "", "IN is missing"},
    {"\"$W\" reduce --op=add --type=u8 u8.bin u8.bin", 2, "", "too many"},
    {"\"$W\" pack --type=u8 u8.bin x.bin", 2, "", "--flags"},
    {"\"$W\" pack --type=u8 --flags=- - x.bin", 2, "", "standard input"},
    {"\"$W\" histogram --type=u8 u8.bin", 2, "", "missing"},
    {"\"$W\" histogram --type=u8 --range=0:5 u8.bin", 2, "", "--bins"},
    {"\"$W\" histogram --method=block --type=u8 --bins=2 --range=0:5 u8.bin", 2, "", "not one of auto, shared, warp"},
    {"\"$W\" histogram --type=u8 --bins=0 --range=0:5 u8.bin", 2, "", "--bins=0"},
    {"\"$W\" histogram --type=u8 --bins=16777217 --range=0:5 u8.bin", 2, "", "--bins"},
    {"\"$W\" histogram --type=u8 --bins=2 --range=5:5 u8.bin", 2, "", "LO below HI"},
    {"\"$W\" histogram --type=u8 --bins=2 --range=5 u8.bin", 2, "", "LO:HI"},
    {"\"$W\" histogram --type=u8 --bins=2 --range=a:b u8.bin", 2, "", "LO:HI"},
    {"\"$W\" histogram --type=u8 --bins=2 --range=0:257 u8.bin", 2, "", "u8"},
    {"\"$W\" histogram --type=u8 --bins=2 --range=0.5:5 u8.bin", 2, "", "u8"},
    {"\"$W\" histogram --type=f32 --bins=2 --range=0:nan u8.bin", 2, "", "LO:HI"},
    {"\"$W\" histogram --type=u8 --edges=1,2,2 u8.bin", 2, "", "place 3"},
    {"\"$W\" histogram --type=u8 --edges=1,x u8.bin", 2, "", "place 2"},
    {"\"$W\" histogram --type=u8 --edges=1 u8.bin", 2, "", "two"},
    {"\"$W\" histogram --type=u8 --edges= u8.bin", 2, "", "edges"},
    {"\"$W\" histogram --type=u8 --edges=1,2 --range=1:2 u8.bin", 2, "", "exclude"},
    {"\"$W\" histogram --type=u8 --edges=1,2,3 --bins=3 u8.bin", 2, "", "2 bins"},
    {"\"$W\" info x", 2, "", "no files"},
    {"\"$W\" tour x", 2, "", "no files"},
    {"\"$W\" banked --size=64", 2, "", "sort, partition or permute is missing"},
    {"\"$W\" banked sort", 2, "", "--size=N is missing"},
    {"\"$W\" banked merge --size=64", 2, "", "is not one of sort, partition, permute"},
    {"\"$W\" banked sort partition --size=64", 2, "", "one argument too many"},
    {"\"$W\" banked sort --size=x", 2, "", "--size=x: is not a number"},
    {"\"$W\" banked sort --size=64 --banks=-1", 2, "", "--banks=-1: is not a number"},
    {"\"$W\" banked sort --size=64 --method=lemma2", 2, "", "lemma2: is not a method of sort"},
    {"\"$W\" banked permute --size=64 --method=quick", 2, "", "not one of auto, lemma1"},
};

static void refuses_misuse(void **state) {
    (void)state;
    if (on_gpu()) return; /* seen before a device is opened, and so are those below */
    CHECK_COMMANDS("cli", misuses);
    expect(files_in_folder() == FILES);
}

/* ---- failures: 1, one sentence, nothing left ---- */

static const command_line failures[] = {
    {"\"$W\" sort --type=f32 --bits=0:3 u32.bin x.bin", 1, "", "not sorted by some of their bits"},
    {"head -c 65537 /dev/zero | \"$W\" sort --type=u8 --method=oddeven - x.bin", 1, "", "oddeven sorts up to 65536"},
    {"\"$W\" sort --type=u32 seven.bin x.bin", 1, "", "seven.bin: has 7 bytes"},
    {"\"$W\" sort --type=u32 - x.bin < seven.bin", 1, "", "standard input"},
    {"\"$W\" sort --type=u8 nothing.bin x.bin", 1, "", "nothing.bin: cannot be opened"},
    {"\"$W\" sort --type=u8 u8.bin missing/x.bin", 1, "", "missing/"},
    {"\"$W\" sort --type=u8 u8.bin .", 1, "", "folder"},
    {"\"$W\" sort --type=u8 . x.bin", 1, "", "folder"},
    {"\"$W\" sort lie.npy x.bin", 1, "", "lie.npy: its shape has 5 elements"},
    {"\"$W\" sort complex.npy x.bin", 1, "", "complex.npy: holds complex numbers"},
    {"\"$W\" sort --type=f32 keys.npy x.bin", 1, "", "keys.npy: holds u32"},
    {"\"$W\" sort --values=u32.bin --values-out=y.bin f64.npy x.bin", 1, "", "u32.bin"},
    {"\"$W\" sort --type=u32 --values=u8.bin --values-type=u8 --values-out=y.bin u32.bin x.bin", 1, "",
     "5 keys, u8.bin has 4 values"},
    {"\"$W\" sort --type=u32 --values=u32.bin --values-out=missing/y.bin u32.bin x.bin", 1, "", "missing/"},
    {"\"$W\" pack --type=u8 --flags=flags.bin u8.bin x.bin", 1, "", "4 elements, flags.bin has 5 flags"},
    {"\"$W\" pack --flags=f64.npy f64.npy x.bin", 1, "", "f64.npy: holds f64"},
    {"\"$W\" scan --op=add --type=rec:5 records.bin x.bin", 1, "", "rec:5"},
    {"\"$W\" reduce --op=add --type=rec:5 records.bin", 1, "", "rec:5"},
    {"\"$W\" histogram --edges=1,2 --type=rec:5 records.bin", 1, "", "rec:5"},
    {"\"$W\" histogram --method=warp --type=u16 --bins=257 --range=0:300 u8.bin", 1, "", "257 bins"},
    {"\"$W\" sort --device=gpu9 --type=u8 u8.bin x.bin", 1, "", "gpu9"},
    {"\"$W\" sort --device=cpu:threads=0 --type=u8 u8.bin x.bin", 1, "", "threads"},
    {"\"$W\" sort --type=u8 u8.bin - > /dev/full", 1, "", "standard output"},
    {"\"$W\" sort --help > /dev/full", 1, "",
     "warpwise sort: standard output cannot be written: No space left on device"},
#ifdef WARPWISE_BENCH_BUILT
    {"\"$W\" bench --help > /dev/full", 1, "",
     "warpwise bench: standard output cannot be written: No space left on device"},
#endif
    {"\"$W\" tour --usage > /dev/full", 1, "", "standard output cannot be written"},
    {"\"$W\" --version > /dev/full", 1, "", "warpwise: standard output cannot be written: No space left on device"},
    {"\"$W\" --help > /dev/full", 1, "", "warpwise: standard output cannot be written: No space left on device"},
    {"\"$W\" --version >&-", 1, "", "warpwise: standard output cannot be written: Bad file descriptor"},
    {"\"$W\" reduce --op=add --type=u8 u8.bin > /dev/full", 1, "", "standard output"},
    {"\"$W\" histogram --bins=2 --range=0:9 keys.npy > /dev/full", 1, "", "standard output"},
    {"ulimit -f 8; \"$W\" sort --type=u8 /dev/stdin x.bin < \"$W\"", 1, "", "x.bin: cannot be written after"},
    {"ulimit -f 8; head -c 100000 \"$W\" | \"$W\" scan --op=add --type=u8 - x.npy", 1, "",
     "x.npy: cannot be written after"},
    {"head -c 100000 \"$W\" > same.bin; cp same.bin old.bin; (ulimit -f 8; \"$W\" sort --type=u8 same.bin same.bin); S=$?; "
     "cmp same.bin old.bin || S=9; rm same.bin old.bin; exit $S",
     1, "", "same.bin: cannot be written"},
};

static void fails_cleanly(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        /* With a limit on files a kernel that is compiled could not be kept. */
        if (!on_gpu() || !strstr(failures[i].command, "ulimit")) CHECK_COMMAND("cli", &failures[i]);
    }
    expect(files_in_folder() == FILES);
}

/* The model's lines are the same everywhere, so that they can be written down. */
static const command_line banks[] = {
    {"\"$W\" banked sort --banks=32 --size=4096", 0, "steps 19712 conflicts 0 bound 168961\n", ""},
    {"\"$W\" banked sort --size=4096 --method=bitonic", 0, "steps 32768 conflicts 12800 bound 73729\n", ""},
    {"for m in auto lemma1 theorem1 shearsort oddeven; do \"$W\" banked sort --banks=4 --size=77 --method=$m || exit; done | "
     "grep -c steps",
     0, "5\n", ""},
    {"for m in auto theorem2 lemma2 shearsort; do \"$W\" banked partition --banks=64 --size=1024 --method=$m || exit; done | "
     "grep -c 'conflicts 0'",
     0, "4\n", ""},
    {"for m in auto theorem4 offline sorting; do \"$W\" banked permute --banks=64 --size=1024 --seed=3 --method=$m || exit; done "
     "| grep -c 'conflicts 0'",
     0, "4\n", ""},
    {"\"$W\" banked sort --banks=1 --size=9", 1, "", "banks is 1: a machine has at least 2"},
    {"\"$W\" banked sort --size=0", 1, "", "keys has no elements"},
    {"\"$W\" banked partition --size=65", 1, "", "labels has 65 elements, not a multiple of 32 banks"},
    {"\"$W\" banked permute --size=5", 1, "", "there are more banks than items"},
    {"\"$W\" banked partition --banks=0 --size=5", 1, "", "banks is 0"},
    {"\"$W\" banked sort --size=5000000000", 1, "", "--size=5000000000: at most 4294967294 items"},
    {"\"$W\" banked sort --size=64 --method=lemma1", 1, "", "lemma1 needs at least as many columns"},
    {"\"$W\" banked sort --size=64 > /dev/full", 1, "", "standard output cannot be written"},
};

static void counts_steps(void **state) {
    (void)state;
    if (on_gpu()) return; /* the model runs on the host */
    CHECK_COMMANDS("cli", banks);
}

static void helps(void **state) {
    (void)state;
    if (on_gpu()) return;
    static const char *const commands[] = {"info",   "sort",  "histogram", "scan",   "reduce", "pack",
                                           "unique", "top",   "merge",     "gather", "join",   "nbody",
                                           "sssp",   "graph", "banked",    "tour"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char command[100];
        snprintf(command, sizeof command, "\"$W\" %s --help", commands[i]);
        const command_line l = {command, 0, NULL, ""};
        if (!CHECK_COMMAND("cli", &l)) continue;
        expect(strstr(command_out, "Examples:") && strstr(command_out, "Exit status:") &&
               strstr(command_out, "--device=NAME") && strstr(command_out, "--time"));
    }
    const command_line all = {"\"$W\" --help", 0, NULL, ""}, info = {"\"$W\" info", 0, NULL, ""};
    if (CHECK_COMMAND("cli", &all))
        expect(strstr(command_out, "histogram") && strstr(command_out, "sssp") && strstr(command_out, "nbody"));
    const command_line asked = {"\"$W\" sort --help > a && \"$W\" help sort | cmp a - && rm a", 0, "", ""};
    CHECK_COMMAND("cli", &asked);
    if (CHECK_COMMAND("cli", &info)) expect(strstr(command_out, "cpu") && strstr(command_out, "vectors"));
}

/* What a user of bash gets by the tabulator: words after `warpwise`, the last one unfinished. */
#define COMPLETED(words, position) \
    "bash -c 'source \"$COMPLETION\"; compopt() { :; }; COMP_WORDS=(\"$W\" " words "); COMP_CWORD=" position \
    "; _warpwise; echo ${COMPREPLY[@]}'"
static void completes(void **state) {
    (void)state;
    if (on_gpu()) return;
    static const command_line lines[] = {
        {COMPLETED("re", "1"), 0, "reduce\n", ""},
        {COMPLETED("help to", "2"), 0, "top tour\n", ""},
        {COMPLETED("sort --d", "2"), 0, "--descending --device= --digit-bits=\n", ""},
        {COMPLETED("sort u32", "2"), 0, "u32.bin\n", ""},
        {COMPLETED("nothing --", "2"), 0, "\n", ""},
        {COMPLETED("dict c", "2"), 0, "create count cleanup check\n", ""},
        {COMPLETED("graph i", "2"), 0, "info\n", ""},
        {COMPLETED("dict get --t", "3"), 0, "--time\n", ""},
    };
    CHECK_COMMANDS("cli", lines);
}

/* ---- signals ---- */

static void wait_a_little(void) {
    const struct timespec t = {0, 20000000};
    nanosleep(&t, NULL);
}

/* The values go to a pipe that nobody reads, so the sorted keys wait under their temporary name. */
static void cleans_up_when_killed(void **state) {
    (void)state;
    if (on_gpu()) return;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGXCPU};
    const struct rlimit no_core = {0, 0};
    static char zeros[1 << 20];
    file_put("big.bin", zeros, sizeof zeros);
    assert_int_equal(mkfifo("pipe", 0666), 0);
    const size_t before = files_in_folder();
    for (int reader = 0; reader < 2; reader++) {
        const int end = reader ? open("pipe", O_RDONLY | O_NONBLOCK) : -1;
        for (size_t s = 0; s < sizeof signals / sizeof signals[0]; s++) {
            CASE("cli", "signal %d, pipe %s", signals[s], reader ? "full" : "without a reader");
            int status = 0;
            const pid_t child = fork();
            if (child == 0) {
                signal(signals[s], SIG_DFL);
                setrlimit(RLIMIT_CORE, &no_core);
                execl(located(WARPWISE_COMMAND), "warpwise", "sort", "--type=u8", "--values=big.bin", "--values-out=pipe",
                      "big.bin", "sorted.bin", (char *)NULL);
                _exit(99);
            }
            for (int i = 0; i < 500 && files_in_folder() == before; i++) wait_a_little();
            expect(files_in_folder() == before + 1);
            /* Again and again: the first may come just before it waits. */
            for (int i = 0; i < 500 && waitpid(child, &status, WNOHANG) == 0; i++) {
                kill(child, signals[s]);
                wait_a_little();
            }
            expect(WIFSIGNALED(status) && WTERMSIG(status) == signals[s]);
            expect(files_in_folder() == before);
        }
        if (reader) close(end);
    }
    unlink("pipe");
    unlink("big.bin");
}

/* ---- descriptors that do not block ---- */

static bool is_asleep(pid_t child) {
    char name[40], state = 'R';
    snprintf(name, sizeof name, "/proc/%d/stat", (int)child);
    FILE *f = fopen(name, "r");
    if (!f) return false;
    if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1) state = 'R';
    fclose(f);
    return state == 'S';
}

/* The command's output is read only when its pipe is full and it waits; its input comes only when it has waited for it. */
static void waits_for_what_does_not_block(void **state) {
    (void)state;
    if (on_gpu()) return;
    enum { MANY = 40000, WAITS = 3000 };
    static char text[MANY], got[8 * MANY];
    int in[2], out[2], status, held = 0, seen = 0;
    CASE("cli", "standard input and output that do not block");
    memset(text, 'x', sizeof text);
    assert_true(pipe2(in, O_NONBLOCK) == 0 && pipe2(out, O_NONBLOCK) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        for (int i = 0; i < 2; i++) close(in[i]), close(out[i]);
        execl(located(WARPWISE_COMMAND), "warpwise", "find", "x", (char *)NULL);
        _exit(99);
    }
    close(in[0]);
    close(out[1]);
    for (int i = 0; i < WAITS && seen < 5; i++) {
        seen = is_asleep(child) ? seen + 1 : 0;
        wait_a_little();
    }
    signal(SIGPIPE, SIG_IGN);
    const ssize_t given = write(in[1], text, sizeof text);
    signal(SIGPIPE, SIG_DFL);
    close(in[1]);
    expect(given == sizeof text);
    for (int i = 0; i < WAITS && held < 60000; i++) { /* of the 65536 bytes that a pipe holds */
        assert_int_equal(ioctl(out[0], FIONREAD, &held), 0);
        wait_a_little();
    }
    expect(held >= 60000);
    assert_int_equal(fcntl(out[0], F_SETFL, 0), 0);
    size_t length = 0, lines = 0;
    for (ssize_t n; (n = read(out[0], got + length, sizeof got - length)) > 0;) length += (size_t)n;
    close(out[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    for (size_t i = 0; i < length; i++) lines += got[i] == '\n';
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0 && lines == MANY);
}

/* ---- progress ---- */

static void shows_progress_on_a_terminal(void **state) {
    (void)state;
    if (on_gpu()) return;
    CASE("cli", "progress");
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) {
        left_out("progress on a terminal (there is none to be had: %s)", strerror(errno));
        return;
    }
    char command[400], seen[2000];
    snprintf(command, sizeof command, "(cat u8.bin; sleep 1.5; cat u8.bin) | \"$W\" sort --type=u8 - /dev/null 2>%s",
             ptsname(terminal));
    const int slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    expect(system(command) == 0);
    const ssize_t length = read(terminal, seen, sizeof seen - 1);
    seen[length > 0 ? length : 0] = '\0';
    expect(strstr(seen, "warpwise sort: reading standard input") != NULL);
    close(slave);
    close(terminal);
    const command_line quiet = {"(cat u8.bin; sleep 1.2; cat u8.bin) | \"$W\" sort --type=u8 - /dev/null", 0, "", ""};
    CHECK_COMMAND("cli", &quiet);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computes),
        cmocka_unit_test(same_on_a_gpu),
        cmocka_unit_test(says_what_gpus_lack),
        cmocka_unit_test(benches),
        cmocka_unit_test(bench_studies),
        cmocka_unit_test(bench_sorts),
        cmocka_unit_test(bench_resumes),
        cmocka_unit_test(refuses_misuse),
        cmocka_unit_test(fails_cleanly),
        cmocka_unit_test(counts_steps),
        cmocka_unit_test(helps),
        cmocka_unit_test(completes),
        cmocka_unit_test(cleans_up_when_killed),
        cmocka_unit_test(waits_for_what_does_not_block),
        cmocka_unit_test(shows_progress_on_a_terminal),
    };
    return cmocka_run_group_tests_name("cli", tests, set_up, tear_down);
}
#endif
