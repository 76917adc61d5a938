/* Making and printing tables. */
#include "studies/study.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void study_begin(bench_table *t, const char *unit, const char *over, bool drawn, const char *title, ...) {
    va_list a;
    *t = (bench_table){.unit = unit, .over = over, .drawn = drawn};
    va_start(a, title);
    vsnprintf(t->title, sizeof t->title, title, a);
    va_end(a);
}

size_t study_column(bench_table *t, const char *name, ...) {
    va_list a;
    va_start(a, name);
    vsnprintf(t->column[t->columns], sizeof t->column[0], name, a);
    va_end(a);
    return t->columns++;
}

size_t study_line(bench_table *t, const char *name, ...) {
    va_list a;
    va_start(a, name);
    vsnprintf(t->line[t->lines], sizeof t->line[0], name, a);
    va_end(a);
    for (size_t c = 0; c < TABLE_COLUMNS; c++) t->value[t->lines][c] = NAN;
    return t->lines++;
}

static bool line_has_values(const bench_table *t, size_t line) {
    for (size_t c = 0; c < t->columns; c++)
        if (!isnan(t->value[line][c])) return true;
    return false;
}

bool study_has_values(const bench_table *t) {
    for (size_t l = 0; l < t->lines; l++)
        if (line_has_values(t, l)) return true;
    return false;
}

static int longest_note(const bench_table *t) {
    size_t longest = 0;
    for (size_t l = 0; l < t->lines; l++)
        for (size_t c = 0; c < t->columns; c++)
            if (strlen(t->note[l][c]) > longest) longest = strlen(t->note[l][c]);
    return (int)longest;
}

/* Three digits, and no exponent. */
static void print_value(double value, int width) {
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.*f", width, value == floor(value) ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0, value);
}

void study_print(const bench_table *t, void *nothing) {
    enum { WIDTH = 8 };
    const int note = longest_note(t);
    (void)nothing;
    if (!study_has_values(t)) return;
    printf("\n%s\n%-34s", t->title, t->over);
    for (size_t c = 0; c < t->columns; c++) printf(" %*s", note ? WIDTH + 1 + note : WIDTH, t->column[c]);
    printf("   %s\n", t->unit);
    for (size_t l = 0; l < t->lines; l++) {
        if (!line_has_values(t, l)) continue;
        printf("%-34s", t->line[l]);
        for (size_t c = 0; c < t->columns; c++) {
            print_value(t->value[l][c], WIDTH);
            if (note) printf(" %-*s", note, t->note[l][c]);
        }
        printf("\n");
    }
}
