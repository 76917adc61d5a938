/* The text of a histogram's kernel whose threads wait between looking at a counter and taking from it: test_histogram_halves.c
 * runs it, and tests/device/test_kernel_text.c compiles it for GPUs. */
#ifndef TESTS_HISTOGRAM_HALVES_TEXT_H
#define TESTS_HISTOGRAM_HALVES_TEXT_H

static const char histogram_halves_text[] =
    "#include \"device/kernel/words.cuh\"\n"
    "#define WW_THREADS 256\n#define WW_ROWS 1\n#define WW_ITEMS 4\n#define WW_COPIES 1\n#define WW_HALVES 1\n"
    "#define WW_PAIRS 0\n#define WW_PARTS 1\n#define WW_SLOTS 64\n#define WW_BY 2\n#define WW_STRICT 0\n"
    "#define WW_OUTSIDE 0\n#define WW_SHARED_EDGES 0\n#define WW_KIND 0\n"
    "#include \"device/kernel/types.cuh\"\n"
    "#include \"device/kernel/record.cuh\"\n"
    "typedef uint32_t ww_count;\n"
    "typedef uint32_t in_item;\n"
    "struct in_input { const uint32_t *memory; };\n"
    "WW_DEVICE in_item in_at(const in_input &in, uint64_t i) { return in.memory[i]; }\n"
    "template <int N> WW_DEVICE void in_read(const in_input &in, uint64_t first, in_item (&x)[N]) {\n"
    "    for (int k = 0; k < N; k++) x[k] = in.memory[first + k];\n"
    "}\n"
    "WW_DEVICE uint32_t late_cas(uint32_t *word, uint32_t expected, uint32_t desired) {\n"
    "    for (int turn = 0; turn < 3; turn++) ww_wait_a_moment();\n"
    "    return atomicCAS(word, expected, desired);\n"
    "}\n"
    "#define atomicCAS late_cas\n"
    "#include \"primitive/histogram/histogram.cu\"\n";

#endif
