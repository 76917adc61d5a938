#include "support/groups.h"

#include <stdio.h>

size_t group_sizes(const uint32_t **sizes) {
    static const uint32_t all[] = {1, 3, 4, 2, 7, 16};
    *sizes = all;
    return tests_are_short() || on_gpu() ? 3 : sizeof all / sizeof *all;
}

const char *cut_name(cut c) {
    static const char *const names[CUTS] = {"evenly", "at-random", "mostly-empty", "one-has-all"};
    return names[c];
}

void cut_blocks(cut c, size_t n, uint32_t ranks, uint64_t seed, size_t first[RANKS_MOST + 1]) {
    uint64_t state = seed + 77;
    first[0] = 0;
    for (uint32_t r = 1; r < ranks; r++) {
        const size_t left = n - first[r - 1];
        size_t length = 0;
        if (c == CUT_EVENLY) length = n * r / ranks - first[r - 1];
        if (c == CUT_AT_RANDOM) length = (size_t)(random_next(&state) % (2 * n / ranks + 1));
        if (c == CUT_MOSTLY_EMPTY && r % 3 == 2) length = (size_t)(random_next(&state) % (n / 2 + 1));
        if (c == CUT_ONE_HAS_ALL && r == ranks / 2) length = n;
        first[r] = first[r - 1] + (length < left ? length : left);
    }
    first[ranks] = n;
}

uint32_t group_gpus(void) {
    static uint32_t gpus;
    if (!on_gpu()) return 0;
    if (on_emulator()) return 1;
    for (bool there = !gpus; there && gpus < RANKS_MOST; gpus += there) {
        char name[32];
        ww_device *device = NULL;
        snprintf(name, sizeof name, "cuda:%u", gpus);
        there = !ww_open(name, &device);
        ww_close(device);
    }
    return gpus;
}

const char *group_device(uint32_t rank, uint32_t ranks) {
    static const char *const gpus[] = {"cuda:0", "cuda:1", "cuda:2", "cuda:3", "cuda:4", "cuda:5", "cuda:6", "cuda:7"};
    enum { NAMES = sizeof gpus / sizeof gpus[0] };
    const uint32_t there = group_gpus(), turns = there > NAMES ? NAMES : there;
    if (turns && (ranks <= 3 || rank % 2 == 0)) return on_emulator() ? setting_name(0) : gpus[rank % turns];
    return rank % 3 == 2 ? "cpu:threads=2" : "cpu:threads=1";
}

char group_why[512];

ww_status group_run(uint32_t ranks, ww_group_body *body, void *context) {
    const char *devices[RANKS_MOST];
    ww_group_options options = WW_GROUP_OPTIONS;
    options.limit_ms = 20000;
    for (uint32_t r = 0; r < ranks; r++) devices[r] = group_device(r, ranks);
    group_why[0] = 0;
    return ww_group_run(devices, ranks, &options, body, context, group_why, sizeof group_why);
}

void group_do(uint32_t ranks, ww_group_body *body, void *context) {
    const ww_status status = group_run(ranks, body, context);
    if (status) print_error("%s: %s\n", ww_status_name(status), group_why);
    expect(status == WW_OK);
}

void expect_group_said(const char *part) {
    if (!strstr(group_why, part)) print_error("\"%s\" does not say \"%s\"\n", group_why, part);
    expect(strstr(group_why, part) != NULL);
}
