/* Mistakes that compilers find: what the first line says that they print. Each program is compiled as C11 and as C++17, by gcc and by
 * clang where they are there. */
#include <stdio.h>
#include <unistd.h>

#include "support/cases.h"
#include "support/located.h"

#ifdef COMPILERS

enum { PATH = 600 };

/* What the programs begin with: a header, which each compiler compiles once. */
static const char begin[] = "#include <warpwise.h>\n"
                            "#ifdef __cplusplus\n"
                            "#include <vector>\n"
                            "#endif\n"
                            "WW_STRUCT(point, { float x, y; });\n"
                            "WW_MAP(square, float, float, x, void, none, { return x * x; });\n"
                            "WW_MAP(scaled, float, float, x, float, by, { return x * *by; });\n"
                            "extern ww_device *device;\n"
                            "extern point points[9];\n"
                            "extern void *bytes;\n"
                            "extern double wrong;\n"
                            "extern float right, numbers[9];\n"
                            "extern ww_input in;\n"
                            "extern ww_array out;\n"
                            "ww_status call(void);\n";

enum { C = 1, CXX = 2, GNU = 4, CLANG = 8, BOTH = GNU | CLANG, ANY = C | CXX | BOTH };

typedef struct mistake {
    const char *what, *program;
    unsigned who;     /* languages and compilers that this row is about */
    const char *says; /* a part of the first line; NULL: there is nothing to say */
} mistake;

#define CALL(...) "ww_status call(void) { " __VA_ARGS__ " }\n"

static const mistake mistakes[] = {
    {"array of structs", CALL("return ww_store(device, in, ww_array(points, 9));"), ANY,
     "ww_array_of(pointer, count, &point_ww)"},
    {"memory of structs", CALL("return ww_store(device, ww_memory(points, 9), out);"), ANY,
     "ww_array_of(pointer, count, &point_ww)"},
    {"array of bytes", CALL("return ww_store(device, in, ww_array(bytes, 9));"), ANY, "of bytes ww_records"},
    {"vector", "extern std::vector<float> v;\n" CALL("return ww_store(device, in, ww_array(v, 9));"), CXX | BOTH,
     "v.data()"},
    {"vector", "extern std::vector<float> v;\n" CALL("return ww_store(device, ww_memory(v, 9), out);"), CXX | BOTH,
     "v.data()"},
    {"no identity", "WW_COMBINE(sum, float, a, b, WW_COMMUTES, { return a + b; });\n", ANY, "lacks its identity"},
    {"bare identity", "WW_COMBINE(sum, float, a, b, WW_COMMUTES, 0, { return a + b; });\n", ANY, "WW_IDENTITY(0)"},
    {"plain function", CALL("return ww_store(device, in, out) || ww_reduce(device, square, in, out);"), C | BOTH,
     "incompatible pointer type"},
    {"plain function", CALL("return ww_reduce(device, square, in, out);"), CXX | GNU, "cannot convert"},
    {"plain function", CALL("return ww_reduce(device, square, in, out);"), CXX | CLANG, "no matching function"},
    {"inside a function", CALL("WW_MAP(inner, float, float, x, void, none, { return x; }); return WW_OK;"), C | GNU,
     "this_macro_stands_outside_of_functions"},
    {"inside a function", CALL("WW_LESS(inner, float, x, y, { return x < y; }); return WW_OK;"), CXX | GNU,
     "function-definition is not allowed here"},
    {"inside a function", CALL("WW_LESS(inner, float, x, y, { return x < y; }); return WW_OK;"), C | CXX | CLANG,
     "function definition is not allowed here"},
    {"environment", CALL("return ww_with(scaled, &wrong) ? WW_OK : WW_LOST;"), C | BOTH,
     "not a pointer to the environment that scaled takes"},
    {"environment", CALL("return ww_with(scaled, &wrong) ? WW_OK : WW_LOST;"), CXX | GNU, "cannot convert"},
    {"environment", CALL("return ww_with(scaled, &wrong) ? WW_OK : WW_LOST;"), CXX | CLANG, "no matching function"},
    {"unknown type", "typedef uint32_t pixel;\nWW_LESS(darker, pixel, a, b, { return a < b; });\n", ANY,
     "definition_of_pixel"},
    {"long double", "WW_LESS(less, long double, a, b, { return a < b; });\n", ANY, "long_double_is_no_type"},
    /* And what is right. */
    {"right",
     CALL("const float *const f = &right; return ww_with(scaled, f) && ww_with(scaled, &right) ? WW_OK : WW_LOST;"),
     ANY, NULL},
    {"right", CALL("return ww_store(device, ww_memory(numbers, 9), ww_array(numbers, 9));"), ANY, NULL},
    {"right", CALL("return ww_with_array(scaled, numbers, 9) ? WW_OK : WW_LOST;"), ANY, NULL},
    {"right", CALL("return ww_scatter(device, in, in, out, ww_scatter_by(WW_CONFLICT_ADD));"), ANY, NULL},
    {"typedef", "WW_TYPEDEF(pixel, unsigned short);\nWW_LESS(darker, pixel, a, b, { return a < b; });\n", ANY, NULL},
};

/* Every type by the words of C, and its descriptor. */
static const char *const types[][2] = {
    {"bool", "uint8_t"},
    {"char", "uint8_t"},
    {"signed char", "int8_t"},
    {"unsigned char", "uint8_t"},
    {"short", "int16_t"},
    {"short int", "int16_t"},
    {"unsigned short", "uint16_t"},
    {"short unsigned int", "uint16_t"},
    {"int", "int32_t"},
    {"signed", "int32_t"},
    {"signed int", "int32_t"},
    {"unsigned", "uint32_t"},
    {"unsigned int", "uint32_t"},
    {"long", "int64_t"},
    {"long int", "int64_t"},
    {"unsigned long", "uint64_t"},
    {"long unsigned int", "uint64_t"},
    {"long long", "int64_t"},
    {"long long int", "int64_t"},
    {"unsigned long long", "uint64_t"},
    {"unsigned long long int", "uint64_t"},
    {"size_t", "uint64_t"},
    {"ptrdiff_t", "int64_t"},
    {"intptr_t", "int64_t"},
    {"uintptr_t", "uint64_t"},
    {"intmax_t", "int64_t"},
    {"uintmax_t", "uint64_t"},
    {"int_fast8_t", "int8_t"},
    {"uint_fast8_t", "uint8_t"},
    {"int_fast64_t", "int64_t"},
    {"uint_fast64_t", "uint64_t"},
    {"int_least8_t", "int8_t"},
    {"uint_least8_t", "uint8_t"},
    {"int_least16_t", "int16_t"},
    {"uint_least16_t", "uint16_t"},
    {"int_least32_t", "int32_t"},
    {"uint_least32_t", "uint32_t"},
    {"int_least64_t", "int64_t"},
    {"uint_least64_t", "uint64_t"},
    {"float", "float"},
    {"double", "double"},
    {"struct point", NULL},
    {"int_fast16_t", NULL},
    {"int_fast32_t", NULL},
    {"uint_fast16_t", NULL},
    {"uint_fast32_t", NULL},
};

/* A command line for each compiler: what it starts with, what it is, and for which language. */
static const struct compiler {
    const char *command;
    unsigned who;
} compilers[] = {COMPILERS};

static char folder[PATH];
static const char flags[] = "-Wall -Wextra -DWARPWISE_LOOPS_UNTUNED -DWARPWISE_WIDTHS=1";

static void put(const char *name, const char *text) {
    char path[PATH + 20];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    expect(file != NULL);
    expect(fputs(text, file) >= 0 && fclose(file) == 0);
}

static void leave(void) {
    static const char *const files[] = {"begin.h", "begin.h.gch", "begin.h.pch", "mistake.c", "said"};
    char path[PATH + 20];
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k]);
        remove(path);
    }
    expect(rmdir(folder) == 0);
}

/* A folder with the header, compiled; a compiler that cannot do that reads it as it is. */
static void enter(const struct compiler *by) {
    char command[4 * PATH];
    expect(folder_make(folder, sizeof folder, "mistakes"));
    put("begin.h", begin);
    snprintf(command, sizeof command, "%s -x %s-header -c %s -I'%s' '%s/begin.h' -o '%s/begin.h.%s' 2> '%s/said'",
             by->command, by->who & CXX ? "c++" : "c", flags, located(HEADERS), folder, folder, by->who & GNU ? "gch" : "pch",
             folder);
    (void)!system(command);
}

/* The first line with an error or a warning in it; "" where there is none. */
static void compile(const char *compiler, const char *program, char *line, size_t room) {
    char path[PATH + 20], command[4 * PATH];
    put("mistake.c", program);
    snprintf(command, sizeof command,
             "%s %s -I'%s' -include '%s/begin.h' -c '%s/mistake.c' -o /dev/null 2>&1 | "
             "grep -m 1 -E 'error|warning' > '%s/said'",
             compiler, flags, located(HEADERS), folder, folder, folder);
    (void)!system(command);
    snprintf(path, sizeof path, "%s/said", folder);
    FILE *file = fopen(path, "r");
    expect(file != NULL);
    if (!fgets(line, (int)room, file)) line[0] = 0;
    fclose(file);
}

static void first_lines(void **state) {
    (void)state;
    char line[4000];
    for (size_t c = 0; c < sizeof compilers / sizeof *compilers; c++) {
        enter(&compilers[c]);
        for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; m++) {
            const mistake *const x = &mistakes[m];
            if ((x->who & compilers[c].who) != compilers[c].who) continue;
            CASE("mistakes", "%s: %s, row %zu", compilers[c].command, x->what, m);
            if (!case_wanted()) continue;
            compile(compilers[c].command, x->program, line, sizeof line);
            const bool right = x->says ? strstr(line, x->says) != NULL : !line[0];
            if (!right) fprintf(stderr, "says: %s", line[0] ? line : "nothing\n");
            expect(right);
        }
        leave();
    }
}

static void words_of_types(void **state) {
    (void)state;
    static char program[1 << 15];
    char line[4000];
    size_t at = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        at += (size_t)snprintf(program + at, sizeof program - at,
                               "WW_MAP(map_%zu, %s, %s, x, %s, e, { (void)e; return x; });\n"
                               "WW_LESS(less_%zu, %s, x, y, { (void)x; (void)y; return false; });\n"
                               "WW_TYPEDEF(another_%zu, %s);\n",
                               t, types[t][0], types[t][0], types[t][0], t, types[t][0], t,
                               strncmp(types[t][0], "struct", 6) ? types[t][0] : "int");
    for (size_t c = 0; c < sizeof compilers / sizeof *compilers; c++) {
        CASE("types", "%s", compilers[c].command);
        if (!case_wanted()) continue;
        expect(folder_make(folder, sizeof folder, "mistakes"));
        put("begin.h", begin);
        compile(compilers[c].command, program, line, sizeof line);
        leave();
        if (line[0]) fprintf(stderr, "says: %s", line);
        expect(!line[0]);
    }
}

#else
static void first_lines(void **state) {
    (void)state;
    left_out("this machine's compilers are not the ones that the library is built with");
}
static void words_of_types(void **state) { (void)state; }
#endif

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(first_lines), cmocka_unit_test(words_of_types)};
    return cmocka_run_group_tests_name("mistakes", tests, NULL, NULL);
}
