/* warpwise sssp and warpwise graph, run as people run them: every format, each result by hand or against another method,
 * sentences, exit statuses, and what is left in the folder. */
#include <stdio.h>
#include <unistd.h>

#include "support/command.h"

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

/* Little memory for a command; a sanitizer takes more than that for itself. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IN_LITTLE_MEMORY
#else
#define IN_LITTLE_MEMORY "ulimit -v 4000000; "
#endif

static const char *const files[] = {"a.gr",    "a.mtx",     "a.txt",    "pattern.mtx", "real.txt",
                                    "two.npy", "three.npy", "flat.npy", "cut.gr",      "bare.gr"};
enum { FILES = sizeof files / sizeof files[0] };

/* An array of u32 as NumPy writes it. */
static void put_npy(const char *name, const char *shape, const uint32_t *values, size_t count) {
    char file[128 + 64], header[118];
    memset(header, ' ', sizeof header);
    header[snprintf(header, sizeof header, "{'descr': '<u4', 'fortran_order': False, 'shape': %s, }", shape)] = ' ';
    header[sizeof header - 1] = '\n';
    memcpy(file, "\x93NUMPY\x01\0\x76\0", 10);
    memcpy(file + 10, header, sizeof header);
    memcpy(file + 128, values, count * sizeof *values);
    file_put(name, file, 128 + count * sizeof *values);
}

static void put_text(const char *name, const char *text) { file_put(name, text, strlen(text)); }

/* 0 -> 1 of 4, 0 -> 2 of 1, 2 -> 1 of 2, 3 -> 3 of 5; nothing leads to 3. */
static int set_up(void **state) {
    (void)state;
    static const uint32_t three[] = {0, 1, 4, 0, 2, 1, 2, 1, 2, 3, 3, 5}, two[] = {0, 1, 0, 2, 2, 1, 3, 3};
    if (!commands_begin("cli-graph", located(WARPWISE_COMMAND), on_gpu() ? setting_name(0) : NULL)) return -1;
    put_text("a.gr", "c four\np sp 4 4\na 1 2 4\na 1 3 1\na 3 2 2\na 4 4 5\n");
    put_text("a.mtx", "%%MatrixMarket matrix coordinate integer general\n4 4 4\n1 2 4\n1 3 1\n3 2 2\n4 4 5\n");
    put_text("a.txt", "# four\n0 1 4\n0 2 1\n2 1 2\n3 3 5\n");
    put_text("pattern.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n3 2\n");
    put_text("real.txt", "0 1 0.5\n1 2 0.25\n3 3 1\n");
    put_text("cut.gr", "p sp 4 4\na 1 2 4\n");
    put_text("bare.gr", "p sp 2 0\n");
    put_npy("three.npy", "(4, 3)", three, 12);
    put_npy("two.npy", "(4, 2)", two, 8);
    put_npy("flat.npy", "(8,)", two, 8);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

static const command_line results[] = {
    {"\"$W\" sssp --source=1 a.gr", 0, "1 0\n2 3\n3 1\n4 inf\n", ""},
    {"\"$W\" sssp --source=0 a.txt", 0, "0 0\n1 3\n2 1\n3 inf\n", ""},
    {"\"$W\" sssp --source=2 pattern.mtx -", 0, "1 1\n2 0\n3 1\n4 inf\n", ""},
    {"\"$W\" sssp --source=0 real.txt", 0, "0 0\n1 0.5\n2 0.75\n3 inf\n", ""},
    {"\"$W\" sssp --source=1 bare.gr", 0, "1 0\n2 inf\n", ""},
    {"\"$W\" graph bfs --source=1 a.gr", 0, "1 0\n2 1\n3 1\n4 inf\n", ""},
    {"\"$W\" graph components a.gr", 0, "1 1\n2 1\n3 1\n4 4\n", ""},
};

static const command_line results_of_host[] = {
    {"\"$W\" sssp --source=1 a.mtx", 0, "1 0\n2 3\n3 1\n4 inf\n", ""},
    {"\"$W\" sssp --source=1 - < a.mtx", 0, "1 0\n2 3\n3 1\n4 inf\n", ""},
    {"\"$W\" sssp --source=0 three.npy", 0, "0 0\n1 3\n2 1\n3 inf\n", ""},
    {"\"$W\" sssp --source=0 two.npy", 0, "0 0\n1 1\n2 1\n3 inf\n", ""},
    {"\"$W\" sssp --source=0 a.txt o.npy && tail -c 32 o.npy | od -An -td8 -w32 | tr -s ' ' && rm o.npy", 0,
     " 0 3 1 -1\n", ""},
    {"\"$W\" graph bfs --source=0 a.txt o && cat o && rm o", 0, "0 0\n1 1\n2 1\n3 inf\n", ""},
    {"\"$W\" graph components a.txt", 0, "0 0\n1 0\n2 0\n3 3\n", ""},
    {"\"$W\" graph pagerank --damping=0 a.gr", 0, "1 0.25\n2 0.25\n3 0.25\n4 0.25\n", ""},
    {"\"$W\" graph pagerank --iterations=1 a.gr > /dev/null", 0, "", "after 1 iterations ranks still change by"},
    {"\"$W\" graph info real.txt", 0,
     "format edge list\nvertices 4\narcs 3\nweights f32\nweight least 0.25\nweight most 1\nweight mean "
     "0.5833333333333334\narcs a vertex 0.75, at most 1\nvertices without arcs of their own 1\nloops 1\n",
     ""},
    {"\"$W\" graph make --grid=2x2 --seed=1 --weights=1 | head -n 1", 0, NULL, ""},
    {"\"$W\" graph make --rmat=3 --arcs=2 | wc -l", 0, "3\n", ""},
    {"\"$W\" graph make --vertices=5 --rmat=3 | head -n 1", 0, "p sp 5 30\n", ""},
    {"\"$W\" graph make --rmat=0 --weights=1 --arcs=1 o.mtx && cat o.mtx && rm o.mtx", 0,
     "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1\n", ""},
    {"\"$W\" graph make --uniform=1 --weights=1 --arcs=2 o.txt && cat o.txt && rm o.txt", 0, "0 0 1\n0 0 1\n", ""},
    {"\"$W\" graph make --uniform=1 --weights=1 --arcs=1", 0, "p sp 1 1\na 1 1 1\n", ""},
    {"for f in gr mtx txt; do \"$W\" graph make --rmat=6 --seed=9 o.$f; done; \"$W\" sssp --source=5 o.gr > p && "
     "\"$W\" sssp --source=5 o.mtx | cmp - p && \"$W\" sssp --source=4 o.txt o.npy && wc -l < p; rm o.* p",
     0, "64\n", ""},
    {"\"$W\" graph make --grid=30x20 o && \"$W\" sssp --source=7 --method=dijkstra o p && for m in auto bellman-ford "
     "near-far buckets-sort buckets; do \"$W\" sssp --source=7 --method=$m o | cmp - p; done; grep -c inf p; rm o p",
     0, "0\n", ""},
    {"\"$W\" sssp --time --source=1 a.gr o && rm o", 0, "", " s, "},
};

static void right_results(void **state) {
    (void)state;
    CHECK_COMMANDS("cli graph", results);
    if (on_gpu()) return;
    CHECK_COMMANDS("cli graph", results_of_host);
}

static const command_line refusals[] = {
    {"\"$W\" sssp a.gr", 2, "", "--source=V is missing"},
    {"\"$W\" sssp --source=1", 2, "", "the file GRAPH is missing"},
    {"\"$W\" sssp --source=x a.gr", 2, "", "--source=x: is not the number of a vertex"},
    {"\"$W\" sssp --source=1 --method=astar a.gr", 2, "", "--method=astar: is not one of auto, dijkstra"},
    {"\"$W\" sssp --source=1 a.gr o p", 2, "", "one file too many"},
    {"\"$W\" sssp --source=5 a.gr o", 1, "", "--source=5: vertices of a.gr are 1 to 4"},
    {"\"$W\" sssp --source=0 a.gr o", 1, "", "--source=0: vertices of a.gr are 1 to 4"},
    {"\"$W\" sssp --source=4 a.txt o", 1, "", "--source=4: vertices of a.txt are 0 to 3"},
    {"echo p sp 0 0 | \"$W\" sssp --source=1 - o", 1, "", "standard input has no vertices"},
    {"\"$W\" sssp --source=1 cut.gr o", 1, "", "cut.gr: ends after 1 of the 4 arcs that line 1 declares"},
    {"\"$W\" sssp --source=1 missing.gr", 1, "", "missing.gr: cannot be opened: No such file"},
    {"\"$W\" sssp --source=1 .", 1, "", "cannot be read after 0 bytes: Is a directory"},
    {"\"$W\" sssp --source=0 flat.npy", 1, "", "flat.npy: its shape is neither (arcs, 2) nor (arcs, 3)"},
    {"head -c 150 two.npy > o.npy; \"$W\" sssp --source=0 o.npy; rm o.npy", 0, "", "o.npy: "},
    {"\"$W\" sssp --source=1 a.gr no/o", 1, "", "no/o"},
    {"\"$W\" sssp --source=1 a.gr > /dev/full", 1, "", "cannot be written"},
    {"printf 'p sp 9 1152921504606846976\\n' | (" IN_LITTLE_MEMORY "\"$W\" sssp --source=1 - o)", 1, "",
     "ends after 0 of the 1152921504606846976 arcs"},
    {"\"$W\" graph", 2, "", "the action is missing"},
    {"\"$W\" graph dfs a.gr", 2, "", "'dfs' is not one of bfs, components"},
    {"\"$W\" graph bfs a.gr", 2, "", "--source=V is missing"},
    {"\"$W\" graph components --source=1 a.gr", 2, "", "--source is not for graph components"},
    {"\"$W\" graph info a.gr o", 2, "", "one file too many for graph info"},
    {"\"$W\" graph pagerank --damping=1 a.gr", 2, "", "--damping=1: is not a number that is at least 0 and below 1"},
    {"\"$W\" graph pagerank --iterations=0 a.gr", 2, "", "--iterations=0: is not a number from 1"},
    {"\"$W\" graph make o", 2, "", "one of --rmat, --grid and --uniform"},
    {"\"$W\" graph make --rmat=3 --uniform=4 o", 2, "", "one of --rmat, --grid and --uniform"},
    {"\"$W\" graph make --rmat=32 o", 2, "", "--rmat=32: is not a number from 0 to 31"},
    {"\"$W\" graph make --grid=70000x70000 o", 2, "", "--grid=70000x70000: is not a WIDTHxHEIGHT"},
    {"\"$W\" graph make --rmat=3 --vertices=4 o", 2, "", "--vertices=4: --rmat=3 has from 5 to 8"},
    {"\"$W\" graph make --uniform=3 --vertices=3 o", 2, "", "--vertices is for --rmat"},
    {"\"$W\" graph make --grid=3x o", 2, "", "--grid=3x: is not a WIDTHxHEIGHT"},
    {"\"$W\" graph make --grid=3x3 --arcs=4 o", 2, "", "--arcs is not for --grid"},
    {"\"$W\" graph make --rmat=3 o.npy", 2, "", "o.npy: make writes text"},
    {"\"$W\" graph make --rmat=3 o.gr.gz", 2, "", "o.gr.gz: make writes text"},
};

/* Vertices of .npy that are too many, or below 0. */
static const command_line rows[] = {
    {"{ head -c 128 two.npy; head -c 32 /dev/zero | tr '\\0' '\\377'; } > o.npy; \"$W\" sssp --source=0 o.npy p; rm o.npy",
     0, "", "row 0: the first vertex 4294967295 is not from 0 to 4294967294"},
    {"{ head -c 128 two.npy | sed s/u4/i4/; head -c 32 /dev/zero | tr '\\0' '\\377'; } > o.npy; \"$W\" sssp --source=0 "
     "o.npy p; rm o.npy",
     0, "", "row 0: the first vertex -1 is not from"},
    {"{ head -c 128 three.npy | sed s/u4/i4/; head -c 8 /dev/zero; head -c 40 /dev/zero | tr '\\0' '\\377'; } > o.npy; \"$W\" "
     "sssp --source=0 o.npy p; rm o.npy",
     0, "", "row 0: the weight -1 is not from 0 to 4294967295"},
    {"sed 's/(4, 2)/(2, 4)/' two.npy > o.npy; \"$W\" sssp --source=0 o.npy p; rm o.npy", 0, "",
     "o.npy: its shape is neither (arcs, 2) nor (arcs, 3)"},
    {"{ head -c 128 two.npy | sed s/u4/f4/; head -c 32 /dev/zero; } > o.npy; \"$W\" sssp --source=0 o.npy p; rm o.npy",
     0, "", "o.npy: holds f32; arcs are rows of whole numbers"},
};

static void refused(void **state) {
    (void)state;
    if (on_gpu()) return;
    CHECK_COMMANDS("cli graph", refusals);
    CHECK_COMMANDS("cli graph", rows);
    expect(files_in_folder() == FILES);
}

static void compressed(void **state) {
    (void)state;
    if (on_gpu()) return;
#ifdef WARPWISE_ZLIB
    static const command_line lines[] = {
        {"gzip -c a.gr | \"$W\" sssp --source=1 -", 0, "1 0\n2 3\n3 1\n4 inf\n", ""},
        {"{ head -c 20 a.gr | gzip; tail -c +21 a.gr | gzip; head -c 9 /dev/zero; } > o && \"$W\" sssp --source=1 o; rm o",
         0, "1 0\n2 3\n3 1\n4 inf\n", ""},
        {"{ gzip -c a.gr; echo more; } | \"$W\" graph info -", 1, "", "bytes after the end of its compressed data"},
        {"gzip -nc a.gr > o; for n in $(seq 2 $(($(wc -c < o) - 1))); do head -c $n o | \"$W\" graph info - 2>&1 | "
         "grep -cv 'standard input: is truncated'; done | sort -u; rm o",
         0, "0\n", ""},
        {"{ gzip -nc a.gr | head -c 30; head -c 60 /dev/zero; } | \"$W\" graph info -", 1, "", "is damaged"},
        /* A few KiB that are 100 MB of lines. */
        {"{ echo p sp 2 1; yes a 1 2 3 | head -c 100000000; } | gzip -1 | (" IN_LITTLE_MEMORY "\"$W\" graph info -)", 1,
         "", "line 3: one more than the 1 arcs"},
        {"{ echo 0 1; yes '#' | head -c 100000000; } | gzip -1 | (" IN_LITTLE_MEMORY "\"$W\" graph info -)", 1, "",
         "more than 67108864 bytes of comments"},
    };
    CHECK_COMMANDS("cli graph", lines);
#else
    const command_line line = {"gzip -c a.gr | \"$W\" sssp --source=1 -", 1, "", "was built without zlib"};
    CHECK_COMMAND("cli graph", &line);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_results),
        cmocka_unit_test(refused),
        cmocka_unit_test(compressed),
    };
    return cmocka_run_group_tests_name("cli graph", tests, set_up, tear_down);
}
#endif
