/* warpwise sort with several devices: the same result as one device's, and what it refuses. */
#include "support/command.h"

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

static const char *const files[] = {"keys", "values"};

static int set_up(void **state) {
    (void)state;
    static uint32_t keys[10007];
    static uint64_t values[10007];
    if (!commands_begin("cli-devices", located(WARPWISE_COMMAND), "cpu:threads=1")) return -1;
    fill(keys, &ww_type_uint32_t, 4, 10007, SKEWED, seed_of_run());
    for (size_t i = 0; i < 10007; i++) values[i] = i;
    file_put("keys", keys, sizeof keys);
    file_put("values", values, sizeof values);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, 2);
    return 0;
}

static void sorts(void **unused) {
    (void)unused;
    static const command_line lines[] = {
        {"\"$W\" sort --type=u32 keys a && \"$W\" sort --device=cpu,cpu:threads=2,cpu --type=u32 keys b && cmp a b && rm a b",
         0, "", ""},
        {"\"$W\" sort --descending --type=u32 --values=values --values-type=u64 --values-out=va keys a && "
         "\"$W\" sort --descending --device=cpu,cpu --type=u32 --values=values --values-type=u64 --values-out=vb keys b && "
         "cmp a b && cmp va vb && rm a b va vb",
         0, "", ""},
        {"printf '' | \"$W\" sort --device=cpu,cpu --type=u32 - - | wc -c", 0, "0\n", ""},
    };
    CHECK_COMMANDS("cli devices", lines);
    expect(files_in_folder() == 2);
}

static void refused(void **unused) {
    (void)unused;
    static const command_line lines[] = {
        {"\"$W\" sort --device=cpu,abacus --type=u32 keys b", 1, "", "abacus"},
        {"\"$W\" sort --device=cpu,cpu:threads=x --type=u32 keys b", 1, "", "device 2: "},
        {"\"$W\" sort --device=cpu,cpu --type=u32 --index-out=i keys b", 2, "", "several devices sort numbers"},
        {"\"$W\" sort --device=cpu,cpu --type=u32 --memory=9M keys b", 2, "", "several devices sort numbers"},
        {"\"$W\" sort --device=cuda:3-1 --type=u32 keys b", 2, "", "the last GPU is before the first"},
        {"\"$W\" sort --device=cuda:0-99 --type=u32 keys b", 2, "", "more than 64 devices"},
        {"\"$W\" histogram --device=cpu,cpu --bins=3 --range=0:9 --type=u32 keys", 1, "", "cpu,cpu"},
    };
    CHECK_COMMANDS("cli devices", lines);
    expect(files_in_folder() == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorts), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
#endif
