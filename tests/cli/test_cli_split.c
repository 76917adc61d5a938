/* warpwise split, run as people run it: results of every rule, option and kind of file, sentences, exit statuses, and what is
 * left in the folder. Each case is a line for the shell, in which $W is the command, and what it must print. */
#include <stdio.h>
#include <unistd.h>

#include "reference/split_records.h"
#include "support/command.h"

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

static const char *const files[] = {"u8.bin",   "u32.bin",     "i16.bin",   "f32.bin",  "rows.bin",
                                    "keys.npy", "records.bin", "empty.bin", "seven.bin"};
enum { FILES = sizeof files / sizeof files[0] };

static int set_up(void **state) {
    (void)state;
    static const uint32_t words[] = {25, 7, 31, 9, 18, 0};
    static const int16_t shorts[] = {-5, 300, 0, -5, 10, 299};
    static const float floats[] = {0.5f, -1.5f, 1.0f, 7.25f, 0.0f, 0.75f};
    ww_device *device;
    const char *device_name = on_gpu() ? setting_name(0) : NULL;
    if (!commands_begin("cli-split", located(WARPWISE_COMMAND), device_name)) return -1;
    if (ww_open("cpu:threads=1", &device)) return -1;
    file_put("u8.bin", "\x05\x00\xff\x03\x81\x04", 6);
    file_put("u32.bin", words, sizeof words);
    file_put("i16.bin", shorts, sizeof shorts);
    file_put("f32.bin", floats, sizeof floats);
    file_put("rows.bin", "abcdef", 6);
    file_put("records.bin", "2bX1aX2aX1bX0cX", 15);
    file_put("empty.bin", "", 0);
    file_put("seven.bin", "1234567", 7);
    const bool bad = ww_file_write(device, "keys.npy", ww_memory((uint32_t *)words, 6)) != WW_OK;
    ww_close(device);
    return bad;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

#define U8 " | od -An -tu1 | tr -s ' '"
#define U32 " | od -An -w64 -tu4 | tr -s ' '"

static const command_line results[] = {
    {"\"$W\" split --type=u32 --buckets=4 --by=delta:10 u32.bin -" U32, 0, " 7 9 0 18 25 31\n", ""},
    {"\"$W\" split --type=u32 --buckets=4 --by=delta:0xa - - < u32.bin" U32, 0, " 7 9 0 18 25 31\n", ""},
    {"\"$W\" split --buckets=1 --by=delta:32 keys.npy -" U32, 0, " 25 7 31 9 18 0\n", ""},
    {"\"$W\" split --type=u8 --buckets=2 --by=bits:0:1 u8.bin -" U8, 0, " 0 4 5 255 3 129\n", ""},
    {"\"$W\" split --type=u8 --buckets=16 --by=bits:7:1 u8.bin -" U8, 0, " 5 0 3 4 255 129\n", ""},
    {"\"$W\" split --type=u8 --buckets=256 --by=bits:0:8 u8.bin -" U8, 0, " 0 3 4 5 129 255\n", ""},
    {"\"$W\" split --type=u32 --buckets=3 --by=edges:9,25 u32.bin -" U32, 0, " 7 0 9 18 25 31\n", ""},
    {"\"$W\" split --type=u32 --buckets=2 --by=edges:9 u32.bin -" U32, 0, " 7 0 25 31 9 18\n", ""},
    {"\"$W\" split --type=u32 --buckets=1 --by=edges: u32.bin -" U32, 0, " 25 7 31 9 18 0\n", ""},
    {"\"$W\" split --type=i16 --buckets=3 --by=edges:-5,300 i16.bin - | od -An -td2 | tr -s ' '", 0,
     " -5 0 -5 10 299 300\n", ""},
    {"\"$W\" split --type=f32 --buckets=3 --by=edges:0,1 f32.bin - | od -An -w64 -tf4 | tr -s ' '", 0,
     " -1.5 0.5 0 0.75 1 7.25\n", ""},
    {"\"$W\" split --type=f32 --buckets=2 --by=bits:31:1 f32.bin - | od -An -w64 -tf4 | tr -s ' '", 0,
     " 0.5 1 7.25 0 0.75 -1.5\n", ""},
    {"\"$W\" split --type=u32 --buckets=4 --by=delta:10 --values=rows.bin --values-type=u8 --values-out=v u32.bin k && cat "
     "v && rm v k",
     0, "bdfeac", ""},
    {"\"$W\" split --type=u32 --buckets=4 --by=delta:10 --values=keys.npy --values-out=v.npy u32.bin k && \"$W\" scan "
     "--op=max v.npy -" U32 "; rm v.npy k",
     0, " 7 9 9 18 25 31\n", ""},
    {"\"$W\" split --type=u32 --buckets=5 --by=delta:10 --offsets=o u32.bin k && od -An -w64 -tu8 o | tr -s ' '; rm o k",
     0, " 0 3 4 5 6 6\n", ""},
    {"\"$W\" split --type=u32 --buckets=3 --by=edges:9,25 --offsets=o.npy u32.bin k.npy && tail -c 32 o.npy | od -An -w64 "
     "-tu8 | tr -s ' '; head -c 6 k.npy | tail -c 5; rm o.npy k.npy",
     0, " 0 2 4 6\nNUMPY", ""},
    {"cp u32.bin x && \"$W\" split --type=u32 --buckets=4 --by=delta:10 x x && od -An -w64 -tu4 x | tr -s ' '; rm x", 0,
     " 7 9 0 18 25 31\n", ""},
    {"\"$W\" split --type=u8 --buckets=4 --by=delta:1 empty.bin k --offsets=- | od -An -w64 -tu8 | tr -s ' '; rm k", 0,
     " 0 0 0 0 0\n", ""},
    /* Records: "0" is 0x30. */
    {"\"$W\" split --type=rec:3 --buckets=4 --by=bits:0:2 records.bin -", 0, "0cX1aX1bX2bX2aX", ""},
    {"\"$W\" split --type=rec:3 --buckets=256 --by=bits:8:8 records.bin -", 0, "1aX2aX2bX1bX0cX", ""},
    {"\"$W\" split --type=rec:3 --buckets=3 --by=bits:0:2 --values=- --values-type=u8 --values-out=v records.bin k "
     "--offsets=o < u8.bin || head -c 5 u8.bin | \"$W\" split --type=rec:3 --buckets=3 --by=bits:0:2 --values=- "
     "--values-type=u8 --values-out=v records.bin k --offsets=o; od -An -tu1 v | tr -s ' '; od -An -w64 -tu8 o | tr -s ' '; "
     "cat k; rm v k o",
     0, " 129 0 3 5 255\n 0 1 3 5\n0cX1aX1bX2bX2aX", "6 values"},
    {"\"$W\" split --type=rec:3 --buckets=6 --by=bits:0:2 records.bin k --offsets=o; od -An -w64 -tu8 o | tr -s ' '; rm k o",
     0, " 0 1 3 5 5 5 5\n", ""},
    {"\"$W\" split --time --type=u8 --buckets=2 --by=bits:0:1 u8.bin -" U8, 0, " 0 4 5 255 3 129\n",
     "split: 6 elements of u8 in "},
    {"\"$W\" --help | grep -c 'split  '", 0, "1\n", ""},
    {"\"$W\" split --help | grep -c 'by=delta:1000'", 0, "1\n", ""},
};

static void right_results(void **state) {
    (void)state;
    CHECK_COMMANDS("cli split", results);
    expect(files_in_folder() == FILES);
}

#define SPLIT "\"$W\" split --type=u32 --buckets=4 --by=delta:10 "

static const command_line refusals[] = {
    {"\"$W\" split --type=u32 --buckets=3 --by=delta:10 u32.bin k", 1, "", "keys[2]: "},
    {"\"$W\" split --type=u32 --buckets=16 --by=bits:0:5 u32.bin k --offsets=o", 1, "", "keys[0]: "},
    {"\"$W\" split --type=i16 --buckets=300 --by=delta:10 i16.bin k", 1, "", "keys[0]: "},
    {"\"$W\" split --type=rec:3 --buckets=2 --by=bits:0:2 records.bin k --offsets=o", 1, "",
     "keys[0]: --by=bits:0:2 gives no bucket below 2"},
    {"\"$W\" split --type=u8 --buckets=2 --by=edges:256 u8.bin k", 1, "", "edges: the one at place 1 is not a u8"},
    {"\"$W\" split --type=u8 --buckets=2 --by=edges:0.5 u8.bin k", 1, "", "edges: the one at place 1 is not a u8"},
    {"\"$W\" split --buckets=2 --by=bits:31:2 keys.npy k", 1, "", "elements of keys.npy have only 32 bits"},
    {"\"$W\" split --type=u8 --buckets=2 --by=edges:1 keys.npy k", 1, "", "keys.npy"},
    {SPLIT "missing k", 1, "", "missing"},
    {SPLIT "seven.bin k", 1, "", "seven.bin"},
    {SPLIT "--values=u8.bin --values-out=v u32.bin k", 1, "", "u8.bin"},
    {SPLIT "--values=rows.bin --values-type=u16 --values-out=v u32.bin k", 1, "", "6 keys, rows.bin has 3 values"},
    {SPLIT "u32.bin nowhere/k", 1, "", "nowhere/k"},
    {SPLIT "--offsets=nowhere/o u32.bin k", 1, "", "nowhere/o"},
    {SPLIT "--values=u32.bin --values-out=nowhere/v --offsets=o u32.bin k", 1, "", "nowhere/v"},
    {SPLIT "--device=none u32.bin k", 1, "", "none"},
    {"\"$W\" split --by=delta:10 --type=u32 u32.bin k", 2, "", "--buckets=M is missing"},
    {"\"$W\" split --buckets=4 --type=u32 u32.bin k", 2, "", "is missing"},
    {"\"$W\" split --buckets=0 --by=delta:1 --type=u32 u32.bin k", 2, "", "--buckets=0: is not a number from 1"},
    {"\"$W\" split --buckets=1073741825 --by=delta:1 --type=u32 u32.bin k", 2, "", "1 to 1073741824"},
    {"\"$W\" split --buckets=2 --by=delta:1 u32.bin k", 2, "", "u32.bin is raw: --type=T is missing"},
    {"\"$W\" split --buckets=2 --by=delta:0 --type=u32 u32.bin k", 2, "", "the width is not a number"},
    {"\"$W\" split --buckets=2 --by=delta --type=u32 u32.bin k", 2, "",
     "is not one of delta:W, bits:LO:COUNT, edges:a,b,..."},
    {"\"$W\" split --buckets=2 --by=bits:1 --type=u32 u32.bin k", 2, "", "is not bits:LO:COUNT"},
    {"\"$W\" split --buckets=2 --by=bits:1:31 --type=u32 u32.bin k", 2, "", "up to 30"},
    {"\"$W\" split --buckets=2 --by=bits:30:3 --type=u32 u32.bin k", 2, "", "elements have only 32 bits"},
    {"\"$W\" split --buckets=3 --by=edges:5,5 --type=u32 u32.bin k", 2, "", "the one at place 2"},
    {"\"$W\" split --buckets=3 --by=edges:5,x --type=u32 u32.bin k", 2, "", "the one at place 2"},
    {"\"$W\" split --buckets=2 --by=edges:, --type=u32 u32.bin k", 2, "", "the one at place 1"},
    {"\"$W\" split --buckets=2 --by=edges:5,6 --type=u32 u32.bin k", 2, "", "2 edges make 3 buckets, --buckets=2"},
    {"\"$W\" split --buckets=2 --by=edges:5 --by=delta:5 --type=u32 u32.bin k", 2, "", "--by was given before"},
    {"\"$W\" split --buckets=2 --by=delta:1 --type=f32 f32.bin k", 2, "", "floats are split by edges"},
    {"\"$W\" split --buckets=2 --by=delta:1 --type=rec:3 records.bin k", 2, "", "records are split by bits"},
    {SPLIT "--method=fast u32.bin k", 2, "", "--method=fast: is not one of auto, direct, warp, block, reduced-bit"},
    {SPLIT "--values=u32.bin u32.bin k", 2, "", "--values=F needs --values-out=F"},
    {SPLIT "--values-out=v u32.bin k", 2, "", "--values-out=F needs --values=F"},
    {SPLIT "--values-type=u8 u32.bin k", 2, "", "--values-type=T needs --values=F"},
    {SPLIT "--values=u32.bin --values-out=k u32.bin k", 2, "", "OUT and --values-out are the same file"},
    {SPLIT "--offsets=k u32.bin k", 2, "", "OUT and --offsets are the same file"},
    {SPLIT "--offsets=- u32.bin -", 2, "", "OUT and --offsets are the same file"},
    {SPLIT "--values=- --values-out=v - k", 2, "", "only one of IN and the values can be standard input"},
    {SPLIT "u32.bin", 2, "", "the file OUT is missing"},
    {SPLIT "u32.bin k more", 2, "", "'more' is one file too many"},
};

static void refused(void **state) {
    (void)state;
    CHECK_COMMANDS("cli split", refusals);
    expect(files_in_folder() == FILES);
}

/* Every method gives what an oracle does, with values and offsets. */
static void methods(void **state) {
    (void)state;
    static const char *const names[] = {"auto", "direct", "warp", "block", "reduced-bit", "recursive", "onepass"};
    enum { N = 20000, M = 37 };
    const size_t n = on_emulator() ? 3000 : N;
    uint32_t *keys = malloc(4 * N), *labels = malloc(4 * N), *positions = malloc(4 * N), *wanted = malloc(4 * N);
    uint64_t begins[M + 1], random = seed_of_run();
    for (size_t i = 0; i < n; i++) {
        keys[i] = (uint32_t)(random_next(&random) % (M * 1000));
        labels[i] = keys[i] / 1000;
    }
    reference_split_labels(labels, n, M, positions, begins);
    for (size_t i = 0; i < n; i++) wanted[i] = keys[positions[i]];
    file_put("k", keys, 4 * n);
    file_put("wk", wanted, 4 * n);
    file_put("wp", positions, 4 * n);
    file_put("wo", begins, sizeof begins);
    for (size_t i = 0; i < n; i++) keys[i] = (uint32_t)i;
    file_put("p", keys, 4 * n);
    for (size_t m = 0; m < sizeof names / sizeof names[0]; m++) {
        char command[400];
        snprintf(
            command, sizeof command,
            "\"$W\" split --method=%s --type=u32 --buckets=%d --by=delta:1000 --values=p --values-out=po --offsets=oo k "
            "ko && cmp ko wk && cmp po wp && cmp oo wo && rm ko po oo",
            names[m], M);
        const command_line l = {command, 0, "", ""};
        CHECK_COMMAND("cli split", &l);
    }
    unlink("k"), unlink("wk"), unlink("wp"), unlink("wo"), unlink("p");
    expect(files_in_folder() == FILES);
    free(keys), free(labels), free(positions), free(wanted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_results),
        cmocka_unit_test(refused),
        cmocka_unit_test(methods),
    };
    return cmocka_run_group_tests_name("cli split", tests, set_up, tear_down);
}
#endif
