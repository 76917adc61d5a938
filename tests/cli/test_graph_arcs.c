/* Graph files from inside (cli/graph_arcs.c): texts by table, each cut off at every byte and with every byte another; and
 * graphs by rule (cli/graph_make.c) against what they are defined as. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph_arcs.h"
#include "graph_make.h"
#include "support/cases.h"

static char sentence[GRAPH_SENTENCE];

static bool read_text(const char *text, size_t length, graph_arcs *arcs) {
    graph_source source = {.name = "file", .sentence = sentence};
    /* As long as the text is, so that a sanitizer sees what reads behind it. */
    char *copy = malloc(length ? length : 1);
    memcpy(copy, text, length);
    sentence[0] = '\0';
    bool read = graph_source_memory(&source, copy, length);
    if (read) {
        read = graph_arcs_read(&source, arcs);
        graph_source_close(&source);
    }
    free(copy);
    return read;
}

/* ---- what is right ---- */

typedef struct right {
    const char *text;
    uint64_t vertices;
    unsigned first;
    arc_weights weights;
    const char *arcs; /* "from>to:weight " each, from 0 */
} right;

static const right rights[] = {
    {"c x\np sp 3 2\na 1 2 7\nc\na 3 1 0\n", 3, 1, WEIGHTS_WHOLE, "0>1:7 2>0:0 "},
    {"\n \np  sp\t3 1\r\n  a 1\t2 4294967295 \r\n\n", 3, 1, WEIGHTS_WHOLE, "0>1:4294967295 "},
    {"p sp 5 0", 5, 1, WEIGHTS_WHOLE, ""},
    {"p sp 0 0\n", 0, 1, WEIGHTS_WHOLE, ""},
    {"%%MatrixMarket matrix coordinate pattern general\n% x\n3 3 2\n1 2\n3 3\n", 3, 1, WEIGHTS_NONE, "0>1:1 2>2:1 "},
    {"%%matrixmarket MATRIX Coordinate integer SYMMETRIC\n3 3 2\n2 1 5\n3 3 6\n", 3, 1, WEIGHTS_WHOLE,
     "1>0:5 0>1:5 2>2:6 "},
    {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1e-1\n2 1 3\n", 2, 1, WEIGHTS_REAL, "0>1:0.1 1>0:3 "},
    {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 -0.0", 2, 1, WEIGHTS_REAL, "1>0:0 0>1:0 "},
    {"# x\n0 1\n5 2\n", 6, 0, WEIGHTS_NONE, "0>1:1 5>2:1 "},
    {"0 1 3\n1 0 4", 2, 0, WEIGHTS_WHOLE, "0>1:3 1>0:4 "},
    {"0 1 3\n1 0 2.5\n1 1 4", 2, 0, WEIGHTS_REAL, "0>1:3 1>0:2.5 1>1:4 "},
    {"%x\n\n7 7 +1e2\n", 8, 0, WEIGHTS_REAL, "7>7:100 "},
};

static void check_right(const right *r) {
    graph_arcs arcs;
    char text[200] = "";
    int length = 0;
    expect(read_text(r->text, strlen(r->text), &arcs));
    expect(!sentence[0]);
    expect(arcs.vertices == r->vertices && arcs.first == r->first && arcs.weights == r->weights);
    for (uint64_t i = 0; i < arcs.count; i++) {
        const arc_weight w = arcs.weight[i];
        length += snprintf(text + length, sizeof text - (size_t)length, "%u>%u:", arcs.from[i], arcs.to[i]);
        length += arcs.weights == WEIGHTS_REAL
                      ? snprintf(text + length, sizeof text - (size_t)length, "%g ", (double)w.real)
                      : snprintf(text + length, sizeof text - (size_t)length, "%u ", w.whole);
    }
    expect(strcmp(text, r->arcs) == 0);
    graph_arcs_release(&arcs);
}

static void right_texts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++) {
        CASE("graph arcs", "right text %zu", i);
        if (case_wanted()) check_right(&rights[i]);
    }
}

/* ---- what is wrong ---- */

static const struct {
    const char *text, *says;
} wrongs[] = {
    {"", "file: is empty"},
    {"\n \n", "file: is empty"},
    {"hello\n", "line 1: expected a graph, but 'hello' comes"},
    {"c x\n", "ends before 'p sp"},
    {"a 1 2 3\n", "line 1: expected 'p sp VERTICES ARCS', but 'a' comes first"},
    {"p max 3 1\n", "line 1: the problem 'max' is not sp"},
    {"p sp 3\n", "line 1: the number of arcs is missing"},
    {"p sp 4294967296 1\n", "the number of vertices '4294967296' is not from 0 to 4294967295"},
    {"p sp 3 99999999999999999999\n", "the number of arcs '99999999999999999999' is too large"},
    {"p sp 3 1 1\n", "line 1: unexpected '1' after the end"},
    {"p sp 3 1152921504606846976\na 1 2 3\n", "ends after 1 of the 1152921504606846976 arcs that line 1 declares"},
    {"p sp 4000000000 1\na 1 2 3\n", "has 4000000000 vertices but only 1 arcs"},
    {"p sp 3 1\na 1 2 3\na 1 2 3\n", "line 3: one more than the 1 arcs that line 1 declares"},
    {"p sp 3 1\na 0 2 3\n", "line 2: the vertex '0' is not from 1 to 3"},
    {"p sp 3 1\na 1 4 3\n", "line 2: the vertex '4' is not from 1 to 3"},
    {"p sp 3 1\na 1 2 -3\n", "line 2: the weight '-3' is negative"},
    {"p sp 3 1\na 1 2 nan\n", "line 2: the weight 'nan' is not a whole number"},
    {"p sp 3 1\na 1 2 4294967296\n", "line 2: the weight '4294967296' is not from 0 to 4294967295"},
    {"p sp 3 1\na 1 2\n", "line 2: the weight is missing"},
    {"p sp 3 1\na 1 2 3 4\n", "line 2: unexpected '4' after the end"},
    {"p sp 3 1\np sp 3 1\n", "line 2: expected 'a FROM TO WEIGHT', but 'p' comes"},
    {"%%MatrixMarket vector coordinate real general\n", "the object 'vector'"},
    {"%%MatrixMarket matrix array real general\n", "the layout 'array'"},
    {"%%MatrixMarket matrix coordinate complex general\n", "the field 'complex'"},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n", "the symmetry 'skew-symmetric'"},
    {"%%MatrixMarket matrix coordinate real\n", "the symmetry is missing"},
    {"%%MatrixMarket matrix coordinate real general\n%\n", "ends before the line of its size"},
    {"%%MatrixMarket matrix coordinate real general\n2 3 1\n",
     "line 2: a graph's matrix is square, this has 2 rows and 3"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 nan\n", "line 3: the weight 'nan' is not a number"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 inf\n", "line 3: the weight 'inf' is infinite"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1e39\n", "the weight '1e39' is infinite, or too large"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -1e-9\n", "line 3: the weight '-1e-9' is negative"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2 1\n", "line 3: unexpected '1' after the end"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n",
     "ends after 1 of the 2 arcs that line 2 declares"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n", "line 3: the column '3' is not from 1 to 2"},
    {"0 1\n1 2 3\n", "line 2: unexpected '3' after the end"},
    {"0 1 3\n1 2\n", "line 2: the weight is missing"},
    {"0 1\n1\n", "line 2: the vertex is missing"},
    {"0 4294967295\n", "the vertex '4294967295' is not from 0 to 4294967294"},
    {"0 4000000000\n", "has 4000000001 vertices but only 1 arcs"},
    {"0 -1\n", "line 1: the vertex '-1' is not a whole number"},
    {"0 1 -0.5\n", "line 1: the weight '-0.5' is negative"},
    {"0 1 nan\n", "line 1: the weight 'nan' is not a number"},
    {"0 1 1x\n", "line 1: the weight '1x' is not a number"},
};

static void wrong_texts(void **state) {
    (void)state;
    graph_arcs arcs;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        CASE("graph arcs", "wrong text %zu: %s", i, wrongs[i].says);
        if (!case_wanted()) continue;
        expect(!read_text(wrongs[i].text, strlen(wrongs[i].text), &arcs));
        expect(strncmp(sentence, "file: ", 6) == 0 && strstr(sentence, wrongs[i].says));
        graph_arcs_release(&arcs);
    }
}

/* A line of a megabyte, with and without an end, as a comment and as an arc; a byte of 0. */
static void long_lines(void **state) {
    (void)state;
    enum { LONG = (1 << 20) + 4096 };
    char *text = malloc(LONG + 1);
    graph_arcs arcs;
    static const char marks[] = "c#0";
    for (size_t i = 0; i < sizeof marks - 1; i++) {
        for (int ended = 0; ended < 2; ended++) {
            CASE("graph arcs", "a long line of '%c', %d", marks[i], ended);
            if (!case_wanted()) continue;
            memset(text, marks[i] == '0' ? ' ' : 'x', LONG);
            memcpy(text, "0 1\n", 4);
            text[4] = marks[i];
            if (ended) text[LONG - 1] = '\n';
            expect(!read_text(text, LONG, &arcs));
            expect(strstr(sentence, "file: line 2 is longer than 4096 bytes"));
            graph_arcs_release(&arcs);
        }
    }
    CASE("graph arcs", "a byte of 0");
    if (case_wanted()) {
        expect(!read_text("0 1\n0\0 1\n", 9, &arcs));
        expect(strstr(sentence, "line 2 holds a byte of 0"));
        graph_arcs_release(&arcs);
    }
    free(text);
}

/* Lines over the boundaries of what is read at once: as many arcs as were written, whatever their lengths. */
static void many_lines(void **state) {
    (void)state;
    enum { ARCS = 300000 };
    char *text = malloc(ARCS * 28); /* two numbers of 6 digits, one of 10 */
    size_t length = 0;
    graph_arcs arcs;
    uint64_t wrong = 0;
    CASE("graph arcs", "%d lines", ARCS);
    if (case_wanted()) {
        for (uint32_t i = 0; i < ARCS; i++)
            length += (size_t)sprintf(text + length, "%u %u %u\n", i, i * 7919u % ARCS, i * 2654435761u);
        expect(length > 3 << 20 && read_text(text, length, &arcs));
        expect(arcs.count == ARCS && arcs.vertices == ARCS);
        for (uint32_t i = 0; i < ARCS && arcs.count == ARCS; i++)
            wrong += arcs.from[i] != i || arcs.to[i] != i * 7919u % ARCS || arcs.weight[i].whole != i * 2654435761u;
        expect(wrong == 0);
        graph_arcs_release(&arcs);
    }
    free(text);
}

/* Whatever is made of a text: a sentence, or arcs between vertices that there are. A text that declares how many arcs it has
 * is never right when it is cut off before its last arc. */
static void check_sane(const char *text, size_t length, bool cut) {
    graph_arcs arcs;
    if (read_text(text, length, &arcs)) {
        expect(!cut && !sentence[0]);
        for (uint64_t i = 0; i < arcs.count; i++) expect(arcs.from[i] < arcs.vertices && arcs.to[i] < arcs.vertices);
    } else {
        expect(strncmp(sentence, "file: ", 6) == 0);
    }
    graph_arcs_release(&arcs);
}

static void damaged_texts(void **state) {
    (void)state;
    char text[200];
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++) {
        CASE("graph arcs", "text %zu, cut off and damaged", i);
        if (!case_wanted()) continue;
        const size_t length = strlen(rights[i].text);
        const bool declares = rights[i].first == 1 && *rights[i].arcs;
        /* Where the line of the last arc begins: that a number lost its last digits nobody sees. */
        size_t last = length;
        while (last && (rights[i].text[last - 1] < '0' || rights[i].text[last - 1] > '9')) last--;
        while (last && rights[i].text[last - 1] != '\n') last--;
        for (size_t n = 0; n < length; n++) check_sane(rights[i].text, n, declares && n <= last + 2);
        for (size_t n = 0; n < length; n++) {
            for (int bit = 0; bit < 8; bit++) {
                memcpy(text, rights[i].text, length);
                text[n] = (char)(text[n] ^ 1 << bit);
                check_sane(text, length, false);
            }
        }
    }
}

/* ---- graphs by rule ---- */

typedef struct seen {
    uint64_t arcs, quarters[4], outside, weights[2]; /* least and most */
    uint64_t hash;
    uint32_t vertices;
    uint32_t *parent; /* of a tree of each component; or NULL */
} seen;

static uint32_t root(const seen *s, uint32_t v) {
    while (s->parent[v] != v) v = s->parent[v] = s->parent[s->parent[v]];
    return v;
}

static bool look(void *context, uint32_t from, uint32_t to, uint32_t weight) {
    seen *s = context;
    s->outside += from >= s->vertices || to >= s->vertices;
    s->quarters[2 * (from >= s->vertices / 2) + (to >= s->vertices / 2)]++;
    if (!s->arcs || weight < s->weights[0]) s->weights[0] = weight;
    if (weight > s->weights[1]) s->weights[1] = weight;
    s->hash = (s->hash ^ from ^ (uint64_t)to << 20 ^ (uint64_t)weight << 40) * UINT64_C(0x100000001b3);
    if (s->parent && from < s->vertices && to < s->vertices) s->parent[root(s, from)] = root(s, to);
    s->arcs++;
    return true;
}

static void near_part(uint64_t count, uint64_t all, double part) {
    const double difference = (double)count / (double)all - part;
    expect(difference < 0.01 && difference > -0.01);
}

static void made_by_chance(void **state) {
    (void)state;
    static const double chances[] = {0.5, 0.1, 0.1, 0.3};
    for (int kind = GRAPH_RMAT; kind <= GRAPH_UNIFORM; kind += GRAPH_UNIFORM - GRAPH_RMAT) {
        CASE("graph make", "kind %d", kind);
        if (!case_wanted()) continue;
        const graph_plan plan = {
            .kind = (graph_kind)kind, .scale = 12, .vertices = 1 << 12, .arcs = 100000, .seed = 5, .weight_most = 50};
        seen s = {.vertices = 1 << 12};
        expect(graph_plan_each(&plan, look, &s));
        expect(s.arcs == 100000 && s.outside == 0 && s.weights[0] == 1 && s.weights[1] == 50);
        expect(graph_plan_arcs(&plan) == 100000);
        for (int q = 0; q < 4; q++) near_part(s.quarters[q], s.arcs, kind == GRAPH_RMAT ? chances[q] : 0.25);
    }
}

/* Fewer vertices than a power of two: arcs between those that there are stay as they were, the others are drawn again. */
static void made_of_fewer(void **state) {
    (void)state;
    CASE("graph make", "R-MAT of fewer vertices");
    if (!case_wanted()) return;
    graph_plan plan = {.kind = GRAPH_RMAT, .scale = 12, .vertices = 2049, .arcs = 20000, .seed = 5, .weight_most = 50};
    seen s = {.vertices = 2049};
    expect(graph_plan_each(&plan, look, &s));
    expect(s.arcs == 20000 && s.outside == 0 && s.weights[0] == 1 && s.weights[1] == 50);
    plan.vertices = 4096;
    seen all = {.vertices = 2049};
    expect(graph_plan_each(&plan, look, &all));
    expect(all.outside > 0 && all.hash != s.hash);
}

static void made_like_roads(void **state) {
    (void)state;
    static const uint64_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 5}, {300, 200}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        CASE("graph make", "a grid of %d x %d", (int)sizes[i][0], (int)sizes[i][1]);
        if (!case_wanted()) continue;
        const uint32_t n = (uint32_t)(sizes[i][0] * sizes[i][1]);
        const graph_plan plan = {.kind = GRAPH_GRID,
                                 .width = sizes[i][0],
                                 .height = sizes[i][1],
                                 .vertices = n,
                                 .seed = 3,
                                 .weight_most = 9};
        seen s = {.vertices = n, .parent = malloc(n * sizeof(uint32_t))};
        for (uint32_t v = 0; v < n; v++) s.parent[v] = v;
        expect(graph_plan_each(&plan, look, &s));
        expect(s.arcs == graph_plan_arcs(&plan) && s.outside == 0 && s.arcs % 2 == 0 && s.weights[1] <= 9);
        uint64_t roots = 0;
        for (uint32_t v = 0; v < n; v++) roots += root(&s, v) == v;
        expect(roots == 1); /* connected */
        if (n > 1000) near_part(s.arcs, 4 * (uint64_t)n, 0.69);
        free(s.parent);
    }
}

/* The same on every machine, so these numbers stay. They come from a program that was written from the definition anew. */
static void made_the_same(void **state) {
    (void)state;
    static const uint64_t hashes[] = {UINT64_C(12041968806000369557), UINT64_C(11545532328933591271),
                                      UINT64_C(13546950660931425099)};
    for (int kind = GRAPH_RMAT; kind <= GRAPH_UNIFORM; kind++) {
        CASE("graph make", "kind %d is the same graph for ever", kind);
        if (!case_wanted()) continue;
        graph_plan plan = {.kind = (graph_kind)kind, .scale = 6, .width = 8, .height = 8, .vertices = 64, .arcs = 300};
        plan.seed = 42;
        plan.weight_most = 1000;
        seen s = {.vertices = 64}, other = {.vertices = 64};
        expect(graph_plan_each(&plan, look, &s));
        expect(s.hash == hashes[kind - GRAPH_RMAT]);
        plan.seed = 43;
        expect(graph_plan_each(&plan, look, &other) && other.hash != s.hash);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_texts),   cmocka_unit_test(wrong_texts),     cmocka_unit_test(long_lines),
        cmocka_unit_test(many_lines),    cmocka_unit_test(damaged_texts),   cmocka_unit_test(made_by_chance),
        cmocka_unit_test(made_of_fewer), cmocka_unit_test(made_like_roads), cmocka_unit_test(made_the_same),
    };
    return cmocka_run_group_tests_name("graph arcs", tests, NULL, NULL);
}
