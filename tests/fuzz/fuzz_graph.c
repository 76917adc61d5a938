/* Any bytes at all as a graph file, compressed ones too: the reader says what is wrong in a sentence that names the file, or
 * gives arcs between vertices that there are, with weights that a graph may have. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph_arcs.h"

static void check(int right) {
    if (!right) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    char sentence[GRAPH_SENTENCE] = "";
    graph_source source = {.name = "fuzz.gr", .sentence = sentence};
    graph_arcs arcs = {0};
    bool read = graph_source_memory(&source, bytes, length);
    if (read) {
        read = graph_arcs_read(&source, &arcs);
        graph_source_close(&source);
    }
    check(read ? !sentence[0] : strncmp(sentence, "fuzz.gr: ", 9) == 0 && sentence[9]);
    if (read) {
        check(arcs.first <= 1 && arcs.count <= arcs.room);
        check(arcs.vertices <= LONELY_MOST + LONELY_EACH * arcs.count && arcs.vertices <= UINT32_MAX);
        for (uint64_t i = 0; i < arcs.count; i++) {
            check(arcs.from[i] < arcs.vertices && arcs.to[i] < arcs.vertices);
            const arc_weight w = arcs.weight[i];
            if (arcs.weights == WEIGHTS_REAL) check(w.real >= 0 && !isinf(w.real) && !signbit(w.real));
            if (arcs.weights == WEIGHTS_NONE) check(w.whole == 1);
        }
    }
    graph_arcs_release(&arcs);
    return 0;
}
