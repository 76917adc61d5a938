/* The line of progress: a bar, a rate and the time that is left, in no more columns than there are. */
#include <stdio.h>
#include <string.h>

#include "progress.h"
#include "support/cases.h"

static void lines(void **state) {
    static const struct {
        progress_state state;
        unsigned columns;
        const char *line;
    } rows[] = {
        {{"warpwise sort", "reading x.bin", 500000000, 1000000000, false, 2.0},
         120,
         "warpwise sort: reading x.bin  [============>           ]  50 %  250 MB/s, 2 s left"},
        {{"warpwise sort", "reading x.bin", 1000000000, 1000000000, false, 0.5},
         120,
         "warpwise sort: reading x.bin  [========================] 100 %  2.00 GB/s, 0 s left"},
        {{"warpwise nbody", "steps", 1, 1001, true, 10.0},
         120,
         "warpwise nbody: steps  [>                       ] 1 of 1001, 2:46:40 left"},
        {{"warpwise nbody", "steps", 10, 30, true, 100.0},
         120,
         "warpwise nbody: steps  [========>               ] 10 of 30, 3:20 left"},
        {{"warpwise find", "searching", 3000000, 0, false, 1.0}, 120, "warpwise find: searching  3 MB  3 MB/s"},
        {{"warpwise sort", "sorting 9 elements of u8", 0, 0, false, 7.4},
         120,
         "warpwise sort: sorting 9 elements of u8  7 s"},
        {{"warpwise sort", "reading x.bin", 0, 100, false, 61}, 120, "warpwise sort: reading x.bin  1:01"},
        {{"warpwise sort", "a long name", 1, 2, true, 1},
         62,
         "warpwise sort: a   [============>           ] 1 of 2, 1 s left"},
        {{"warpwise sort", "a long name", 1, 2, true, 1}, 20, "warpwise sort:   [=="},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[PROGRESS_LINE];
        CASE("progress", "line %zu", i);
        if (!case_wanted()) continue;
        progress_line(&rows[i].state, rows[i].columns, line);
        if (strcmp(line, rows[i].line)) fprintf(stderr, "%s\n%s\n", line, rows[i].line);
        expect(strlen(line) <= rows[i].columns && strcmp(line, rows[i].line) == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines)};
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
