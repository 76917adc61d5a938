/* warpwise dict: what each action writes and prints, what is refused, and a program of batches beside a plain sorted array. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "reference/dictionary.h"
#include "support/command.h"

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

static const char *const files[] = {"empty", "highs", "keys", "keys.npy", "lows", "text", "values"};
enum { FILES = sizeof files / sizeof files[0] };

static int set_up(void **state) {
    static const uint32_t keys[] = {5, 7, 5, 4294967295u}, values[] = {50, 70, 51, 1}, lows[] = {0, 9, 6},
                          highs[] = {5, 3, 4294967295u};
    ww_device *device;
    (void)state;
    if (!commands_begin("cli-dict", located(WARPWISE_COMMAND), "cpu:threads=2")) return -1;
    if (ww_open("cpu:threads=1", &device)) return -1;
    file_put("empty", "", 0);
    file_put("highs", highs, sizeof highs);
    file_put("keys", keys, sizeof keys);
    file_put("lows", lows, sizeof lows);
    file_put("text", "key,value\n", 10);
    file_put("values", values, sizeof values);
    const bool bad = ww_file_write(device, "keys.npy", ww_memory((uint32_t *)keys, 4)) != WW_OK;
    ww_close(device);
    return bad;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

#define NEW "rm -f db; \"$W\" dict create db && "
#define FILLED NEW "\"$W\" dict insert db keys values && "
#define END "; rm -f db out out2 out3"
#define OD4 "od -An -v -w40 -tu4"
#define OD8 "od -An -v -w40 -tu8"

static const command_line results[] = {
    {FILLED "\"$W\" dict dump db" END, 0, "5\t51\n7\t70\n4294967295\t1\n", ""},
    {NEW "\"$W\" dict insert db keys.npy values && \"$W\" dict dump db" END, 0, "5\t51\n7\t70\n4294967295\t1\n", ""},
    {NEW "\"$W\" dict insert db - values <keys && \"$W\" dict dump db" END, 0, "5\t51\n7\t70\n4294967295\t1\n", ""},
    {NEW "\"$W\" dict dump db && \"$W\" dict check db && \"$W\" dict cleanup db" END, 0, "", ""},
    {FILLED "\"$W\" dict insert db values keys && \"$W\" dict delete db keys && \"$W\" dict dump db" END, 0,
     "1\t4294967295\n50\t5\n51\t5\n70\t7\n", ""},
    {FILLED "\"$W\" dict delete db values && \"$W\" dict insert db empty empty && \"$W\" dict delete db empty && "
            "\"$W\" dict dump db | wc -l" END,
     0, "3\n", ""},
    {FILLED "\"$W\" dict get db values out out2 && " OD4 " out && od -An -tu1 out2" END, 0,
     "          0          0          0          0\n   0   0   0   0\n", ""},
    {FILLED "\"$W\" dict get db keys out.npy out2 && tail -c 16 out.npy | " OD4 " && od -An -tu1 out2; rm out.npy" END,
     0, "         51         70         51          1\n   1   1   1   1\n", ""},
    {FILLED "\"$W\" dict get db empty out out2 && cat out out2" END, 0, "", ""},
    {FILLED "\"$W\" dict count db lows highs - | " OD8 END, 0,
     "                    1                    0                    2\n", ""},
    {FILLED "\"$W\" dict range db lows highs out out2 out3 && " OD8 " out && " OD4 " out2 && " OD4 " out3" END, 0,
     "                    0                    1                    1                    3\n"
     "          5          7 4294967295\n         51         70          1\n",
     ""},
    {FILLED "\"$W\" dict range db lows highs out out2 && " OD4 " out2" END, 0, "          5          7 4294967295\n",
     ""},
    {FILLED "\"$W\" dict range db empty empty out out2 && " OD8 " out && wc -c <out2" END, 0,
     "                    0\n0\n", ""},
    {"\"$W\" dict create --value=none --key=u32 db && \"$W\" dict insert db keys && \"$W\" dict dump db && "
     "\"$W\" dict get db keys out out2 && wc -c <out && \"$W\" dict info db | head -3" END,
     0, "5\n7\n4294967295\n0\nkeys       u32\nvalues     none\nbatch      4096\n", ""},
    {"\"$W\" dict create db --key=u64 --value=u64 --batch=10 && \"$W\" dict insert db keys keys && "
     "\"$W\" dict dump db && \"$W\" dict info db" END,
     0,
     "30064771077\t30064771077\n18446744069414584325\t18446744069414584325\n"
     "keys       u64\nvalues     u64\nbatch      10\nchanges    1\nlevels     1\nelements   2\noldest     2\nbytes      24576\n"
     "live       8192\n",
     ""},
    {FILLED "\"$W\" dict insert --time db keys values" END, 0, "", "warpwise dict: 4 elements of u32 in "},
    {"\"$W\" dict --help | head -1", 0, "Usage: warpwise dict [OPTION...] create DB\n", ""},
};

static const command_line refusals[] = {
    {FILLED "\"$W\" dict create db; s=$?; \"$W\" dict dump db | wc -l" END "; exit $s", 1, "3\n",
     "dict: db: already exists"},
    {"\"$W\" dict dump text", 1, "", "dict: text: is not a dictionary"},
    {"\"$W\" dict insert empty keys values", 1, "", "dict: empty: is not a dictionary"},
    {"\"$W\" dict dump .", 1, "", "is not a regular file"},
    {"\"$W\" dict check nothing", 1, "", "dict: nothing: cannot be opened: "},
    {"\"$W\" dict insert nothing keys values", 1, "", "dict: nothing: cannot be opened for writing: "},
    {NEW "\"$W\" dict insert db keys; s=$?" END "; exit $s", 1, "",
     "db has values of type u32, and the file VALUES is missing"},
    {NEW "\"$W\" dict insert db keys lows; s=$?" END "; exit $s", 1, "", "keys has 4 elements, lows has 3"},
    {NEW "\"$W\" dict insert db keys text; s=$?" END "; exit $s", 1, "", "text"},
    {"\"$W\" dict create db --key=u64 && \"$W\" dict delete db keys.npy; s=$?" END "; exit $s", 1, "", "keys.npy"},
    {"\"$W\" dict create db --value=none && \"$W\" dict insert db keys values; s=$?" END "; exit $s", 1, "",
     "db has no values, and values is given"},
    {"\"$W\" dict create db --value=none && \"$W\" dict range db lows highs out out2 out3; s=$?" END "; exit $s", 1, "",
     "db has no values, and out3 is given"},
    {FILLED "\"$W\" dict count db keys highs out; s=$?" END "; exit $s", 1, "", "keys has 4 elements, highs has 3"},
    {FILLED "truncate -s 13000 db; \"$W\" dict dump db; s=$?" END "; exit $s", 1, "",
     "dict: db: is truncated: it has 13000 bytes"},
    {FILLED "printf x | dd of=db bs=1 seek=16400 conv=notrunc 2>out; \"$W\" dict dump db; s=$?" END "; exit $s", 1, "",
     "dict: db: is damaged: level 0, the page at byte 16384"},
    {"\"$W\" dict", 2, "", "the action is missing"},
    {"\"$W\" dict put db", 2, "", "'put' is not one of create"},
    {"\"$W\" dict get db keys out", 2, "", "the file FOUND-OUT is missing"},
    {"\"$W\" dict dump db keys", 2, "", "'keys' is one file too many for dict dump"},
    {"\"$W\" dict insert db - -", 2, "", "only one of KEYS and VALUES can be standard input"},
    {"\"$W\" dict dump -", 2, "", "DB is a file of its own"},
    {FILLED "\"$W\" dict get db keys db out; s=$?; \"$W\" dict check db" END "; exit $s", 2, "",
     "DB and VALUES-OUT are the same file"},
    {"\"$W\" dict get db keys out ./out", 2, "", "VALUES-OUT and FOUND-OUT are the same file"},
    {"\"$W\" dict insert --batch=4 db keys values", 2, "", "--key, --value and --batch are only for create"},
    {"\"$W\" dict create --batch=0 db", 2, "", "--batch=0: is not a number from 1 to 4294967296"},
    {"\"$W\" dict create --key=f32 db", 2, "", "--key=f32: is neither u32 nor u64"},
    {"\"$W\" dict create --value=i32 db", 2, "", "--value=i32: is not one of none, u32 and u64"},
};

static void right_results(void **state) {
    (void)state;
    if (on_gpu()) return;
    CHECK_COMMANDS("cli dict", results);
    expect(files_in_folder() == FILES);
}

static void refused(void **state) {
    (void)state;
    if (on_gpu()) return;
    CHECK_COMMANDS("cli dict", refusals);
    expect(files_in_folder() == FILES);
}

/* What a GPU does of it. Lines name their device, $D. */
static void on_a_gpu(void **state) {
    static const command_line lines[] = {
        {FILLED "\"$W\" dict --device=$D get db keys out out2 && " OD4 " out && od -An -tu1 out2" END, 0,
         "         51         70         51          1\n   1   1   1   1\n", ""},
        {FILLED "\"$W\" dict --device=$D count db lows highs - | " OD8 END, 0,
         "                    1                    0                    2\n", ""},
        {FILLED "\"$W\" dict --device=$D range db lows highs out out2 out3 && " OD8 " out && " OD4 " out2 && " OD4
                " out3" END,
         0,
         "                    0                    1                    1                    3\n"
         "          5          7 4294967295\n         51         70          1\n",
         ""},
        {FILLED "\"$W\" dict --device=$D insert db keys values; s=$?" END "; exit $s", 1, "",
         "dict: insert runs only on the CPU (--device=cpu)"},
        {"\"$W\" dict --device=$D get text keys out out2", 1, "", "dict: text: is not a dictionary"}};
    (void)state;
    if (!on_gpu()) return;
    setenv("D", setting_name(0), 1);
    CHECK_COMMANDS("cli dict", lines);
    expect(files_in_folder() == FILES);
}

/* While this process has the file's lock, which the library would have while it has it open for writing. */
static void second_writer(void **state) {
    static const command_line lines[] = {
        {"\"$W\" dict insert db keys values", 1, "", "dict: db: another process has it open for writing"},
        {"\"$W\" dict cleanup db", 1, "", "dict: db: another process has it open for writing"},
        {"\"$W\" dict dump db", 0, "", ""}};
    (void)state;
    if (on_gpu()) return;
    command_run("\"$W\" dict create db");
    const int fd = open("db", O_RDONLY);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    CHECK_COMMANDS("cli dict", lines);
    close(fd);
    unlink("db");
}

/* Calls that fail, as on a full disk and on one that can only be read. */
static void no_disk(void **state) {
    (void)state;
    if (on_gpu()) return;
#ifndef WARPWISE_FAILING_CALLS
    left_out("a full disk: nothing can be loaded before a sanitizer's own library");
#else
    static const command_line lines[] = {
        {"LD_PRELOAD=\"$F\" FAILING='pwrite 28 * 0 99' \"$W\" dict insert db values keys", 1, "",
         "dict: db: cannot be written at byte 28672: No space left on device"},
        {"LD_PRELOAD=\"$F\" FAILING='pwrite 28 * 2 99' \"$W\" dict cleanup db", 1, "", "No space left on device"},
        {"LD_PRELOAD=\"$F\" FAILING='fdatasync 5 * 0 1' \"$W\" dict insert db values keys", 1, "",
         "dict: db: cannot be flushed to the disk: Input/output error"},
        {"LD_PRELOAD=\"$F\" FAILING='open 30 db 0 1' \"$W\" dict insert db values keys", 1, "",
         "dict: db: cannot be opened for writing: Read-only file system"},
        {"LD_PRELOAD=\"$F\" FAILING='flock 37 db 0 1' \"$W\" dict insert db values keys", 1, "",
         "dict: db: cannot be locked: No locks available"},
        {"LD_PRELOAD=\"$F\" FAILING='pwrite 0 * 0 999999' \"$W\" dict insert db keys values", 0, "", ""},
        {"\"$W\" dict check db && \"$W\" dict dump db", 0, "5\t51\n7\t70\n4294967295\t1\n", ""}};
    setenv("F", located(WARPWISE_FAILING_CALLS), 1);
    expect(command_run("\"$W\" dict create db && \"$W\" dict insert db keys values") == 0);
    CHECK_COMMANDS("cli dict", lines);
    unlink("db");
#endif
}

/* ---- a program of batches ---- */

enum { STEPS = 12, MOST = 300 };

static size_t put_batch(uint64_t *random, uint32_t *keys, uint32_t *values) {
    const size_t n = (size_t)(random_next(random) % MOST);
    for (size_t i = 0; i < n; i++) {
        keys[i] = (uint32_t)(random_next(random) % 500);
        values[i] = (uint32_t)random_next(random);
    }
    file_put("k", keys, n * sizeof *keys);
    file_put("v", values, n * sizeof *values);
    return n;
}

static void expect_dump(const reference_dictionary *wanted) {
    static char text[COMMAND_TEXT];
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < wanted->count; i++) {
        uint32_t value;
        memcpy(&value, wanted->entry[i].value, sizeof value);
        at += (size_t)snprintf(text + at, sizeof text - at, "%u\t%u\n", (unsigned)wanted->entry[i].key,
                               (unsigned)value);
    }
    const command_line l = {"\"$W\" dict dump db", 0, text, ""};
    CHECK_COMMAND("cli dict", &l);
}

static void programs(void **state) {
    uint32_t keys[MOST], values[MOST];
    uint64_t random = seed_of_run();
    reference_dictionary wanted = {NULL, 0, 0};
    (void)state;
    CASE("cli dict", "a program, seed %llu", (unsigned long long)random);
    if (on_gpu() || (cases_asked() && !case_wanted())) return;
    expect(command_run("\"$W\" dict create db --batch=20") == 0);
    for (int i = 0; i < STEPS; i++) {
        const size_t n = put_batch(&random, keys, values);
        const bool deletes = i % 3 == 2;
        expect(command_run(deletes ? "\"$W\" dict delete db k" : "\"$W\" dict insert db k v") == 0);
        for (size_t k = 0; k < n && deletes; k++) reference_dictionary_delete(&wanted, keys[k]);
        for (size_t k = 0; k < n && !deletes; k++) reference_dictionary_insert(&wanted, keys[k], &values[k], 4);
        if (i == 7) expect(command_run("\"$W\" dict cleanup db") == 0);
        expect_dump(&wanted);
    }
    expect(command_run("\"$W\" dict check db") == 0);
    reference_dictionary_clear(&wanted);
    unlink("db"), unlink("k"), unlink("v");
    expect(files_in_folder() == FILES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(right_results), cmocka_unit_test(refused),
                                       cmocka_unit_test(second_writer), cmocka_unit_test(on_a_gpu),
                                       cmocka_unit_test(no_disk),       cmocka_unit_test(programs)};
    return cmocka_run_group_tests_name("cli dict", tests, set_up, tear_down);
}
#endif
