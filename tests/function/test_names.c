/* Any name may be a caller's: programs compile, as C11 and as C++17, that define functions by what follows ww_ in the names of the
 * library's, and functions, structs and constants by the names of the loops' variables. */
#include <ctype.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cases.h"
#include "support/located.h"

#ifdef C_COMPILER

enum { WORD = 64, WORDS = 4000, PATH = 600 };

typedef struct words {
    char word[WORDS][WORD];
    size_t count;
} words;

/* What cannot be a name: keywords of C and C++, and what the headers of C that Warpwise includes define. */
static bool is_taken(const char *word) {
    static const char taken[] =
        " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const "
        "const_cast constexpr continue decltype default defined delete do double dynamic_cast else enum explicit export extern "
        "false float for friend goto if inline int int8_t int16_t int32_t int64_t long mutable namespace new noexcept not not_eq "
        "nullptr operator or or_eq private protected ptrdiff_t public register reinterpret_cast restrict return short signed "
        "size_t sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid "
        "typename uint8_t uint16_t uint32_t uint64_t uintptr_t union unsigned using virtual void volatile wchar_t while xor xor_eq "
        "main offsetof ";
    char spaced[WORD + 2];
    snprintf(spaced, sizeof spaced, " %s ", word);
    return strstr(taken, spaced) || !strncmp(word, "WW", 2) || !strncmp(word, "WARPWISE", 8) ||
           !strncmp(word, "ww", 2) || word[0] == '_' || (strlen(word) > 3 && !strcmp(word + strlen(word) - 3, "_ww")) ||
           !strncmp(word, "UINT", 4) || !strncmp(word, "INT", 3) || !strcmp(word, "NULL");
}

static void add(words *w, const char *word) {
    if (!word[0] || isdigit((unsigned char)word[0]) || is_taken(word)) return;
    for (size_t i = 0; i < w->count; i++)
        if (!strcmp(w->word[i], word)) return;
    expect(w->count < WORDS);
    snprintf(w->word[w->count++], WORD, "%s", word);
}

/* Adds the words of a file, but those of comments; or what follows ww_ in them. */
static void words_of(words *w, const char *name, bool public) {
    char path[PATH], word[WORD];
    bool comment = false;
    size_t length = 0;
    snprintf(path, sizeof path, "%s/warpwise/%s", located(HEADERS), name);
    FILE *file = fopen(path, "r");
    expect(file != NULL);
    for (int c = 0, before; c != EOF;) {
        before = c;
        c = fgetc(file);
        if (comment || (before == '/' && c == '*')) {
            comment = !(before == '*' && c == '/');
            continue;
        }
        if (isascii(c) && (isalnum(c) || c == '_')) {
            if (length < WORD - 1) word[length++] = (char)c;
            continue;
        }
        word[length] = 0;
        length = 0;
        if (!public) add(w, word);
        if (public && !strncmp(word, "ww_", 3)) add(w, word + 3);
        if (public && !strncmp(word, "ww_type_", 8)) add(w, word + 8);
    }
    fclose(file);
}

/* Syntax and types of a program, by a compiler that is called like this. */
static void expect_compiles(const char *compiler, const char *format, const char *type, const words *w) {
    char base[PATH], source[PATH + 20], output[PATH + 20], command[4 * PATH], said[2000];
    CASE("names", "%s: %s", compiler, type);
    if (!case_wanted()) return;
    expect(folder_make(base, sizeof base, "names"));
    snprintf(source, sizeof source, "%s/names.c", base);
    snprintf(output, sizeof output, "%s/output", base);
    FILE *file = fopen(source, "w");
    expect(file != NULL);
    fprintf(file, "#include <warpwise.h>\n");
    for (size_t i = 0; i < w->count; i++) {
        const char *const name = w->word[i];
        for (const char *f = format; *f; f++)
            if (*f == '@')
                fputs(name, file);
            else
                fputc(*f, file);
    }
    fclose(file);
    snprintf(
        command, sizeof command,
        "%s -fsyntax-only -fno-builtin -Wall -Wextra -Werror -DWARPWISE_LOOPS_UNTUNED -DWARPWISE_WIDTHS=1 -I'%s' '%s' > '%s' 2>&1",
        compiler, located(HEADERS), source, output);
    const int status = system(command);
    file = fopen(output, "r");
    expect(file != NULL);
    said[fread(said, 1, sizeof said - 1, file)] = 0;
    fclose(file);
    remove(source);
    remove(output);
    rmdir(base);
    if (status) fprintf(stderr, "%s\n", said);
    expect(status == 0);
}

static const char c_compiler[] = "'" C_COMPILER "' -std=c11";
#ifdef CXX_COMPILER
static const char cxx_compiler[] = "'" CXX_COMPILER "' -x c++ -std=c++17";
#endif

static void expect_names(const char *format, const char *type, const words *w, bool cxx) {
    expect_compiles(c_compiler, format, type, w);
#ifdef CXX_COMPILER
    if (cxx) expect_compiles(cxx_compiler, format, type, w);
#endif
    (void)cxx;
}

/* Of every header. */
static void maps(void **state) {
    (void)state;
    static const char *const headers[] = {"device.h",    "file.h",      "function.h", "function_loops.h", "function_widths.h",
                                          "input.h",     "sort.h",      "primitive.h", "text.h",          "multisplit.h",
                                          "type.h"};
    words *w = need(sizeof *w);
    w->count = 0;
    for (size_t h = 0; h < sizeof headers / sizeof *headers; h++) words_of(w, headers[h], true);
    expect(w->count > 100);
    expect_names("WW_MAP(@, uint32_t, uint32_t, x_given, void, no_environment, { return x_given + 1; });\n"
                 "static const ww_function *function_@(void) { return &@_ww; }\n"
                 "const ww_function *pointer_@(void);\n"
                 "const ww_function *pointer_@(void) { return function_@(); }\n",
                 "maps", w, true);
    free(w);
}

/* Of the loops, whose variables they meet. */
static void others(void **state) {
    (void)state;
    static const struct {
        const char *what, *format;
    } kinds[] = {
        {"operators",
         "WW_COMBINE(@, uint32_t, x_given, y_given, WW_COMMUTES, WW_IDENTITY(0), { return x_given + y_given; });\n"},
        {"orders", "WW_LESS(@, uint32_t, x_given, y_given, { return x_given < y_given; });\n"},
        {"operators with an environment",
         "WW_COMBINE_WITH(@, uint32_t, x_given, y_given, uint32_t, m_given, WW_COMMUTES, WW_IDENTITY(0), {\n"
         "    return (x_given + y_given) % *m_given;\n"
         "});\n"
         "const ww_function *bound_@(const uint32_t *m_given);\n"
         "const ww_function *bound_@(const uint32_t *m_given) { return ww_with(@, m_given)->origin; }\n"},
        {"orders with an environment",
         "WW_LESS_WITH(@, uint32_t, x_given, y_given, float, t_given, { return t_given[x_given] < t_given[y_given]; });\n"},
        {"kernels", "WW_KERNEL(@, uint32_t, x_given, y_given, { (void)x_given; (void)y_given; });\n"},
        {"constants and functions",
         "WW_CONSTANT(@, uint32_t, 1); WW_FUNCTION(f_@, uint32_t, (uint32_t given), { return given + @; }, @);\n"},
        {"structs", "WW_STRUCT(@, { uint32_t given; });\n"
                    "WW_MAP2(map_@, @, @, x_given, @, y_given, @, environment_given, {\n"
                    "    @ r_given = x_given;\n"
                    "    r_given.given += y_given.given + environment_given->given;\n"
                    "    return r_given;\n"
                    "});\n"
                    "WW_COMBINE(sum_@, @, x_given, y_given, WW_ORDERED, WW_IDENTITY({0}), {\n"
                    "    x_given.given += y_given.given;\n"
                    "    return x_given;\n"
                    "});\n"
                    "WW_LESS(less_@, @, x_given, y_given, { return x_given.given < y_given.given; });\n"
                    "WW_LESS_WITH(by_@, @, x_given, y_given, @, e_given, {\n"
                    "    return e_given->given < y_given.given - x_given.given;\n"
                    "});\n"},
    };
    words *w = need(sizeof *w);
    w->count = 0;
    words_of(w, "function_loops.h", false);
    words_of(w, "function_widths.h", false);
    add(w, "record");
    add(w, "named");
    add(w, "nothing");
    expect(w->count > 100);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        expect_names(kinds[k].format, kinds[k].what, w, !strcmp(kinds[k].what, "structs"));
    free(w);
}
#else
static void maps(void **state) {
    (void)state;
    left_out("this machine's compiler is not the one that the library is built with");
}
static void others(void **state) { (void)state; }
#endif

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(maps), cmocka_unit_test(others)};
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
