/* warpwise unique, top, merge, gather, join and sort --index-out, beside plain loops on the same arrays; what they refuse. */
#include <stdio.h>
#include <unistd.h>

#include "support/command.h"

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

static const char *const files[] = {"bytes", "floats", "keys.npy", "none", "records", "rising", "words"};
enum { FILES = sizeof files / sizeof files[0] };

static int set_up(void **state) {
    (void)state;
    const char *device_name = on_gpu() ? setting_name(0) : NULL;
    if (!commands_begin("cli-arrays", WARPWISE_COMMAND, device_name)) return -1;
    static const uint32_t words[] = {5, 1, 4, 1, 3};
    static const float floats[] = {-1.0f, -0.0f, 0.0f, 2.5f};
    ww_device *device;
    if (ww_open("cpu:threads=1", &device)) return -1;
    file_put("bytes", "\5\0\377\3", 4);
    file_put("floats", floats, sizeof floats);
    file_put("none", "", 0);
    file_put("records", "aabbaa", 6);
    file_put("rising", "\1\1\2\3\5\5\5", 7);
    file_put("words", words, sizeof words);
    const bool bad = ww_file_write(device, "keys.npy", ww_memory((uint32_t *)words, 5)) != WW_OK;
    ww_close(device);
    return bad;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

#define NUMBERS " | od -An -v -tu1 -w20"
static const command_line results[] = {
    {"\"$W\" unique --type=u8 rising -" NUMBERS, 0, "   1   2   3   5\n", ""},
    {"\"$W\" unique --type=u8 --counts=c rising - >o && od -An -tu8 -w32 c | tr -s ' '; rm c o", 0, " 2 1 1 3\n", ""},
    {"\"$W\" unique --type=f32 floats - | wc -c", 0, "16\n", ""},
    {"\"$W\" unique --type=rec:2 records -", 0, "aabbaa", ""},
    {"\"$W\" unique --type=rec:1 --counts=c records - && od -An -tu8 -w24 c | tr -s ' '; rm c", 0, "aba 2 2 2\n", ""},
    {"\"$W\" unique --type=u64 --counts=c none - && wc -c <c; rm c", 0, "0\n", ""},

    {"\"$W\" top -k 2 --type=u8 bytes -" NUMBERS, 0, "   0   3\n", ""},
    {"\"$W\" top -k 2 --largest --type=i8 bytes - | od -An -td1 -w20", 0, "    5    3\n", ""},
    {"\"$W\" top -k 3 --index-out=i --type=u32 words - | od -An -tu4 -w20 | tr -s ' ' && od -An -tu8 -w24 i | tr -s ' '; rm i",
     0, " 1 1 3\n 1 3 4\n", ""},
    {"\"$W\" top -k 99 keys.npy - | od -An -tu4 -w20 | tr -s ' '", 0, " 1 1 3 4 5\n", ""},
    {"\"$W\" top -k 0 --type=u8 bytes - | wc -c", 0, "0\n", ""},
    {"\"$W\" top -k 1 --type=f32 floats - | od -An -tf4 | tr -d ' '", 0, "-1\n", ""},

    {"\"$W\" merge --type=u8 rising rising -" NUMBERS, 0, "   1   1   1   1   2   2   3   3   5   5   5   5   5   5\n",
     ""},
    {"\"$W\" merge --type=u8 none rising -" NUMBERS, 0, "   1   1   2   3   5   5   5\n", ""},
    {"\"$W\" merge --type=u8 none none - | wc -c", 0, "0\n", ""},
    {"\"$W\" merge --type=f32 floats floats - | wc -c", 0, "32\n", ""},
    {"cp rising same && \"$W\" merge --type=u8 same rising same && wc -c <same; rm same", 0, "14\n", ""},

    {"printf '\\3\\0\\0\\0\\0\\0\\0\\0' | \"$W\" gather --type=u8 bytes - -" NUMBERS, 0, "   3\n", ""},
    {"printf '\\2\\0\\0\\0\\2\\0\\0\\0' | \"$W\" gather --index-type=u32 --type=rec:2 records - -", 0, "aaaa", ""},
    {"printf '\\1\\0\\0\\0\\0\\0\\0\\0' | \"$W\" gather keys.npy - o.npy && \"$W\" reduce --op=add o.npy; rm o.npy", 0,
     "1\n", ""},
    {"\"$W\" gather --type=u8 bytes none - | wc -c", 0, "0\n", ""},
    {"\"$W\" gather --type=u8 none none - | wc -c", 0, "0\n", ""},

    {"\"$W\" join --type=u8 bytes rising a b && od -An -tu8 -w40 a b | tr -s ' '; rm a b", 0, " 0 0 0 3 4\n 5 6 3\n",
     ""},
    {"\"$W\" join --type=u8 rising none a b && cat a b | wc -c; rm a b", 0, "0\n", ""},
    {"\"$W\" join --type=u8 none rising a b && cat a b | wc -c; rm a b", 0, "0\n", ""},
    {"\"$W\" join --type=f32 floats floats a b && cmp a b && wc -c <a; rm a b", 0, "32\n", ""},

    {"\"$W\" sort --type=u32 --index-out=i words - | od -An -tu4 -w20 | tr -s ' ' && od -An -tu8 -w40 i | tr -s ' '; rm i",
     0, " 1 1 3 4 5\n 1 3 4 2 0\n", ""},
    {"\"$W\" sort --type=rec:2 --key=0:1 --descending --index-out=i records - && od -An -tu8 -w24 i | tr -s ' '; rm i",
     0, "bbaaaa 1 0 2\n", ""},
};

static const command_line refusals[] = {
    {"\"$W\" unique --type=u8 bytes x", 1, "", "bytes: is not sorted: element 1 (0) is below the one before it (5)"},
    {"\"$W\" unique keys.npy x", 1, "", "keys.npy: is not sorted: element 1 (1)"},
    {"\"$W\" unique --type=u8 --counts=./x bytes x", 2, "", "OUT and --counts are one file"},
    {"\"$W\" unique bytes x", 2, "", "--type"},
    {"\"$W\" unique --type=u8 bytes", 2, "", "the file OUT is missing"},
    {"\"$W\" top --type=u8 bytes x", 2, "", "-k N is missing"},
    {"\"$W\" top -k -1 --type=u8 bytes x", 2, "", "no number of elements"},
    {"\"$W\" top -k 1.5 --type=u8 bytes x", 2, "", "no number of elements"},
    {"\"$W\" top -k 1 --type=rec:2 records x", 1, "", "records: holds rec:2, and records have no order"},
    {"\"$W\" top -k 1 --index-out=x --type=u8 bytes x", 2, "", "OUT and --index-out are one file"},
    {"\"$W\" merge --type=u8 rising bytes x", 1, "", "bytes: is not sorted: element 1"},
    {"printf '\\0\\0\\0\\0\\0\\0\\0\\200' > f; \"$W\" merge --type=f32 f f x; S=$?; rm f; exit $S", 1, "",
     "f: is not sorted: element 1 (-0) is below the one before it (0)"},
    {"\"$W\" merge --type=rec:2 records records x", 1, "", "records: holds rec:2, and records have no order"},
    {"\"$W\" merge --type=u16 keys.npy rising x", 1, "", "keys.npy: holds u32 of 4 bytes"},
    {"\"$W\" merge --type=u8 rising rising x y", 2, "", "'y' is one file too many: merge takes A, B and OUT"},
    {"\"$W\" merge --type=u8 - - x", 2, "", "only one of A and B can be standard input"},
    {"printf '\\4\\0\\0\\0\\0\\0\\0\\0' | \"$W\" gather --type=u8 bytes - x", 1, "",
     "-: index[0] is 4, and there are 4 elements"},
    {"\"$W\" gather --index-type=i32 --type=u8 bytes words x", 2, "", "--index-type=i32: is neither u32 nor u64"},
    {"\"$W\" gather --type=u8 bytes words x", 1, "", "words"},
    {"\"$W\" gather --type=u8 - - x", 2, "", "only one of IN and INDEX can be standard input"},
    {"\"$W\" join --type=u8 bytes rising x ./x", 2, "", "both positions would go to one file"},
    {"\"$W\" join --type=rec:2 records records x y", 1, "", "records: holds rec:2, and records have no order"},
    {"\"$W\" join --type=u8 bytes rising x", 2, "", "the file B-INDEX-OUT is missing"},
    {"\"$W\" sort --type=u8 --index-out=x bytes x", 2, "", "--index-out and another output are one file"},
    {"\"$W\" sort --type=u8 --values=bytes --values-out=v --index-out=./v bytes x", 2, "",
     "--index-out and another output"},
};

static void right_results(void **state) {
    (void)state;
    CHECK_COMMANDS("cli arrays", results);
    expect(files_in_folder() == FILES);
}

static void refused(void **state) {
    (void)state;
    if (on_gpu()) {
        left_out("on a GPU: files and arguments are looked at before");
        return;
    }
    CHECK_COMMANDS("cli arrays", refusals);
    expect(files_in_folder() == FILES);
}

/* ---- larger arrays ---- */

enum { A = 1000, B = 700 };

static int rising(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void put_numbers(const char *name, const uint64_t *x, size_t n) { file_put(name, x, 8 * n); }

/* Writes as files what the commands are to give. */
static void put_wanted(const uint64_t *a, const uint64_t *b, uint64_t *rooms) {
    uint64_t *merged = rooms, *distinct = rooms + (A + B), *counts = distinct + (A + B), *from_a = counts + (A + B);
    uint64_t *from_b = from_a + A * B;
    size_t kinds = 0, pairs = 0;
    memcpy(merged, a, 8 * A);
    memcpy(merged + A, b, 8 * B);
    qsort(merged, A + B, 8, rising);
    for (size_t i = 0; i < A + B; i++) {
        if (!i || merged[i] != merged[i - 1]) distinct[kinds] = merged[i], counts[kinds++] = 0;
        counts[kinds - 1]++;
    }
    for (size_t i = 0; i < A; i++)
        for (size_t k = 0; k < B; k++)
            if (a[i] == b[k]) from_a[pairs] = i, from_b[pairs++] = k;
    put_numbers("wm", merged, A + B);
    put_numbers("wu", distinct, kinds);
    put_numbers("wc", counts, kinds);
    put_numbers("wa", from_a, pairs);
    put_numbers("wb", from_b, pairs);
}

/* Each kind of data is drawn from so many numbers. */
static void beside_loops(void **state) {
    (void)state;
    static const uint64_t kinds[] = {1, 3, 100, 5000, UINT64_MAX};
    static const char *const outputs[] = {"a",  "b", "wm", "wu", "wc", "wa", "wb", "sa",
                                          "sb", "m", "u",  "c",  "ia", "ib", "ka", "kb"};
    uint64_t *a = malloc(8 * A), *b = malloc(8 * B), *rooms = malloc(8 * (3 * (A + B) + 2 * A * B)),
             random = seed_of_run();
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k += on_emulator() ? 2 : 1) {
        const command_line l = {
            "\"$W\" sort --type=u64 a sa && \"$W\" sort --type=u64 b sb && \"$W\" merge --type=u64 sa sb m && "
            "\"$W\" unique --type=u64 --counts=c m u && \"$W\" join --type=u64 a b ia ib && "
            "cmp m wm && cmp u wu && cmp c wc && cmp ia wa && cmp ib wb && "
            "\"$W\" sort --type=u64 --index-out=ia a ka && \"$W\" gather --type=u64 a ia kb && cmp ka sa && "
            "cmp kb sa && \"$W\" top -k 300 --type=u64 --index-out=ib a ka && head -c 2400 sa | cmp ka - && "
            "head -c 2400 ia | cmp ib -",
            0, "", ""};
        for (size_t i = 0; i < A; i++) a[i] = random_next(&random) % kinds[k];
        for (size_t i = 0; i < B; i++) b[i] = random_next(&random) % kinds[k];
        put_numbers("a", a, A);
        put_numbers("b", b, B);
        put_wanted(a, b, rooms);
        CHECK_COMMAND("cli arrays", &l);
        for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) unlink(outputs[i]);
    }
    expect(files_in_folder() == FILES);
    free(a), free(b), free(rooms);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_results),
        cmocka_unit_test(refused),
        cmocka_unit_test(beside_loops),
    };
    return cmocka_run_group_tests_name("cli arrays", tests, set_up, tear_down);
}
#endif
