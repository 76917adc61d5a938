/* The source text that devices compile: what a function uses, each once and before its use, with the caller's lines; cut
 * where there is too little room; and accepted, and computing the same, by this machine's C++ compiler. */
#include <stdio.h>
#include <unistd.h>

#include "support/cases.h"

#define PLAIN_DEFINE 40

WW_CONSTANT(PRIME, uint32_t, 2654435761u);
WW_CONSTANT(UNUSED, uint32_t, 1);
WW_FUNCTION(
    mix, uint32_t, (uint32_t x), { return x * PRIME; }, PRIME);
WW_FUNCTION(
    mix_twice, uint32_t, (uint32_t x), { return mix(mix(x) ^ PRIME); }, mix, PRIME);
WW_STRUCT(point, { float x, y; });
WW_STRUCT_USES((point), segment, {
    point from, to;
    uint32_t marks[2];
});

WW_MAP_USES((mix_twice, mix, PRIME), hashed, uint32_t, uint32_t, x, void, none,
            { return mix_twice(x) ^ mix(x) ^ PRIME; });
WW_MAP(length_squared, float, segment, s, void, none, {
    const float dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
    return dx * dx + dy * dy;
});
WW_FUNCTION(inside, bool, (bool low, bool high), {
    const bool both = low && high;
    return both;
});
WW_MAP2_USES((inside), between, bool, float, x, float, y, segment, s, {
    const bool not_Bool = inside(s->from.x <= x, y < s->to.x);
    return not_Bool;
});
WW_COMBINE(lower, point, a, b, WW_COMMUTES, WW_IDENTITY({0, 1e30f}), { return a.y < b.y ? a : b; });
WW_LESS(by_x, point, a, b, { return a.x < b.x; });
WW_COMBINE_WITH(apart, float, a, b, segment, s, WW_ORDERED, WW_IDENTITY(0), { return a + b * s->to.x; });
WW_LESS_WITH_USES((mix), by_table, uint8_t, a, b, uint32_t, t, { return t[a] < t[b] + mix(0); });
WW_KERNEL_USES((mix), scramble, segment, s, rank, { (void)mix((uint32_t)rank + s->marks[0]); });
WW_MAP(with_a_define, uint32_t, uint32_t, x, void, none, { return x + PLAIN_DEFINE; });
/* C, but not C++. */
WW_MAP(not_common, uint32_t, uint32_t, x, void, none, {
    uint32_t class = x;
    return class;
});

static char *source_of(const ww_function *f) {
    const size_t bytes = ww_function_source(f, NULL, 0);
    char *text = need(bytes);
    expect(ww_function_source(f, text, bytes) == bytes);
    expect(strlen(text) == bytes - 1);
    return text;
}

static size_t times_in(const char *text, const char *part) {
    size_t times = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) times++;
    return times;
}

/* Each part comes once, behind the one before it. */
static void expect_in_order(const char *text, const char *const *parts) {
    const char *at = text;
    for (; *parts; parts++) {
        if (times_in(text, *parts) != 1) fprintf(stderr, "\"%s\" in:\n%s", *parts, text);
        expect(times_in(text, *parts) == 1);
        const char *found = strstr(at, *parts);
        expect(found != NULL);
        if (found) at = found;
    }
}

static void what_is_used(void **state) {
    (void)state;
    static const struct {
        const ww_function *function;
        const char *parts[6];
    } texts[] = {
        {&hashed_ww,
         {"PRIME = 2654435761u;", "uint32_t mix(uint32_t x)", "uint32_t mix_twice(uint32_t x)",
          "uint32_t hashed(uint32_t x, const void *none)", "{ return mix_twice(x) ^ mix(x) ^ PRIME; }"}},
        {&length_squared_ww,
         {"struct point {", "struct segment {", "float length_squared(segment s, const void *none)"}},
        {&between_ww,
         {"struct point {", "struct segment {", "bool inside(bool low, bool high)",
          "bool between(float x, float y, const segment *s)", "const bool not_Bool"}},
        {&lower_ww, {"struct point {", "point lower(point a, point b)", "{ return a.y < b.y ? a : b; }"}},
        {&by_x_ww, {"struct point {", "bool by_x(point a, point b)"}},
        {&apart_ww, {"struct point {", "struct segment {", "float apart(float a, float b, const segment *s)"}},
        {&by_table_ww,
         {"PRIME = 2654435761u;", "uint32_t mix(uint32_t x)",
          "bool by_table(uint8_t a, uint8_t b, const uint32_t *t)"}},
        {&scramble_ww,
         {"PRIME = 2654435761u;", "uint32_t mix(uint32_t x)", "void scramble(uint64_t rank, const segment *s)"}},
        /* As it was written: macros of the caller's are not expanded. */
        {&with_a_define_ww, {"{ return x + PLAIN_DEFINE; }"}},
    };
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        CASE("source", "%s", texts[t].function->name);
        if (!case_wanted()) continue;
        char *text = source_of(texts[t].function);
        expect_in_order(text, texts[t].parts);
        expect(!strstr(text, "UNUSED"));
        free(text);
    }
}

/* Every definition stands under its own line of this file. */
static void lines(void **state) {
    (void)state;
    CASE("source", "lines");
    char *text = source_of(&hashed_ww), wanted[512];
    const struct {
        int line;
        const char *text;
    } parts[] = {{ww__definition_of_PRIME.line, ww__definition_of_PRIME.text},
                 {ww__definition_of_mix.line, ww__definition_of_mix.text},
                 {ww__definition_of_mix_twice.line, ww__definition_of_mix_twice.text}};
    for (size_t p = 0; p < 3; p++) {
        snprintf(wanted, sizeof wanted, "#line %d \"%s\"\n%s\n", parts[p].line, __FILE__, parts[p].text);
        expect(times_in(text, wanted) == 1);
    }
    snprintf(wanted, sizeof wanted, "#line %d \"%s\"\nWW_INLINE %s", hashed_ww.line, __FILE__, hashed_ww.signature);
    expect(times_in(text, wanted) == 1);
    expect(times_in(text, "#line ") == 4);
    free(text);
    /* A file whose name has to be quoted. */
    ww_function odd = by_x_ww;
    odd.file = "a \"b\\c\".c";
    text = source_of(&odd);
    expect(times_in(text, "\"a \\\"b\\\\c\\\".c\"\n") == 1);
    free(text);
}

static void too_little_room(void **state) {
    (void)state;
    CASE("source", "room");
    char *text = source_of(&hashed_ww);
    const size_t bytes = strlen(text) + 1;
    expect(ww_function_source(&hashed_ww, NULL, 100) == bytes);
    for (size_t room = 0; room <= bytes + 2; room++) {
        guarded g = guarded_new(room);
        expect(ww_function_source(&hashed_ww, g.data, room) == bytes);
        guarded_check(&g);
        if (room) {
            const size_t length = room < bytes ? room - 1 : bytes - 1;
            expect(((char *)g.data)[length] == 0);
            expect(!memcmp(g.data, text, length));
        }
        guarded_free(&g);
    }
    free(text);
    char one[2] = "x";
    expect(ww_function_source(NULL, one, 2) == 1 && !one[0]);
    one[0] = 'x';
    expect(ww_function_source(&ww_add, one, 2) == 1 && !one[0]);
}

/* ---- the compiler ---- */

#ifdef CXX_COMPILER
static const char prelude[] = "#include <cstddef>\n#include <cstdint>\n#include <cstdio>\n"
                              "#define WW_INLINE static inline\n";

/* Compiles the text and runs it; what the compiler or the program prints is in `said`. */
static bool compiles_and_runs(const char *text, const char *main_text, char *said, size_t room) {
    char base[512], source[600], program[600], output[600], command[4000];
    expect(folder_make(base, sizeof base, "source"));
    snprintf(source, sizeof source, "%s/source.cpp", base);
    snprintf(program, sizeof program, "%s/program", base);
    snprintf(output, sizeof output, "%s/output", base);
    FILE *file = fopen(source, "w");
    expect(file != NULL);
    fprintf(file, "%s%s%s", prelude, text, main_text);
    fclose(file);
    snprintf(command, sizeof command,
             "'%s' -std=c++17 -Wall -Wno-unused-function -o '%s' '%s' > '%s' 2>&1 && '%s' >> '%s'", CXX_COMPILER,
             program, source, output, program, output);
    const bool works = system(command) == 0;
    file = fopen(output, "r");
    expect(file != NULL);
    said[fread(said, 1, room - 1, file)] = 0;
    fclose(file);
    remove(source);
    remove(program);
    remove(output);
    rmdir(base);
    return works;
}

static void compiled(void **state) {
    (void)state;
    static const struct {
        const ww_function *function;
        const char *main_text;
    } programs[] = {
        {&hashed_ww, "int main() { std::printf(\"%u\", (unsigned)hashed(12345u, nullptr)); }\n"},
        {&length_squared_ww, "int main() { segment s = {{1, 2}, {4, 6}, {0, 0}};"
                             " std::printf(\"%g\", (double)length_squared(s, nullptr)); }\n"},
        {&between_ww,
         "int main() { segment s = {{1, 2}, {4, 6}, {0, 0}}; std::printf(\"%d\", (int)between(2, 3, &s)); }\n"},
        {&lower_ww, "int main() { point a = {1, 2}, b = {3, 1}; std::printf(\"%g\", (double)lower(a, b).x); }\n"},
        {&by_x_ww, "int main() { point a = {1, 2}, b = {3, 1}; std::printf(\"%d\", (int)by_x(a, b)); }\n"},
        {&apart_ww,
         "int main() { segment s = {{1, 2}, {4, 6}, {0, 0}}; std::printf(\"%g\", (double)apart(2, 3, &s)); }\n"},
        {&by_table_ww, "int main() { const uint32_t t[2] = {7, 5}; std::printf(\"%d\", (int)by_table(1, 0, t)); }\n"},
        {&scramble_ww,
         "int main() { segment s = {{1, 2}, {4, 6}, {0, 0}}; scramble(3, &s); std::printf(\"done\"); }\n"},
    };
    char wanted[64], said[4096];
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        CASE("source compiled", "%s", programs[p].function->name);
        if (!case_wanted()) continue;
        char *text = source_of(programs[p].function);
        const bool works = compiles_and_runs(text, programs[p].main_text, said, sizeof said);
        if (!works) fprintf(stderr, "%s\n%s\n", said, text);
        expect(works);
        static const char *const prints[] = {NULL, "25", "1", "3", "1", "14", "1", "done"};
        snprintf(wanted, sizeof wanted, "%u", (unsigned)hashed(12345u, NULL));
        expect(!strcmp(said, p ? prints[p] : wanted));
        free(text);
    }
}

/* What is wrong is said of the caller's file and line. */
static void complaint(void **state) {
    (void)state;
    CASE("source compiled", "complaint");
    char said[4096], place[300];
    char *text = source_of(&not_common_ww);
    expect(!compiles_and_runs(text, "int main() {}\n", said, sizeof said));
    snprintf(place, sizeof place, "%s:%d:", __FILE__, not_common_ww.line);
    expect(strstr(said, place) != NULL);
    free(text);
}
#else
static void compiled(void **state) {
    (void)state;
    left_out("there is no C++ compiler here, or programs that it makes do not run here");
}
static void complaint(void **state) { (void)state; }
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_used), cmocka_unit_test(lines),     cmocka_unit_test(too_little_room),
        cmocka_unit_test(compiled),     cmocka_unit_test(complaint),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
