/* Reporting: which case runs, what went wrong in it, and how to run it alone. */
#include "support/cases.h"
#include "support/reachable.h"

#include <errno.h>
#include <stdio.h>

static char current[512];
static char current_file[128];
static bool current_in_turn;
static size_t cases_run;
static const char *wanted_case;

/* tests/primitive/test_scan.c is build/tests/test_scan. */
static const char *program_of(const char *file) {
    const char *slash = strrchr(file, '/');
    snprintf(current_file, sizeof current_file, "%s", slash ? slash + 1 : file);
    char *dot = strrchr(current_file, '.');
    if (dot) *dot = 0;
    return current_file;
}

/* How many cases of a family began so far; programs have few families. */
static size_t begun_of(const char *family) {
    static struct {
        const char *name;
        size_t begun;
    } families[64];
    size_t f = 0;
    while (f < 63 && families[f].name && strcmp(families[f].name, family)) f++;
    if (!families[f].name) families[f].name = family;
    return families[f].begun++;
}

static bool names(const char *part) { return strstr(current, part) != NULL; }

/* FNV-1a. */
static uint32_t hash_of(const char *text, size_t length, uint32_t hash) {
    for (const char *c = text; c < text + length; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
    return hash;
}

/* Where there are three widths every case runs on the widest. On each of the two others it runs every third day, not the same one: what
 * they share shows on all, and what is one's own in a third of its cases. */
static bool in_turn_of_width(void) {
    const bool avx2 = names(",avx2");
    if ((!avx2 && !names(",plain")) || setting_count_short() != 3) return true;
    const char *setting = strstr(current, "cpu:threads=");
    if (!setting) return true;
    const char *behind = setting + strcspn(setting, " ");
    const uint32_t hash = hash_of(behind, strlen(behind), hash_of(current, (size_t)(setting - current), 2166136261u));
    return ((hash >> 8) + day_of_run()) % 3 == avx2;
}

/* Every case runs with two threads; with one, and with more than there are cores, one in four: they only share the work out
 * otherwise. */
static unsigned one_in_for_threads(void) { return names("cpu:threads=1,") || names("cpu:threads=5,") ? 4 : 1; }

/* What is left out: of each family the first few cases always run, and of the others as many as are asked for, by what their
 * texts hash to, so that no loop around them is met in step. */
static bool in_turn(const char *family) {
    enum { ALWAYS = 4 };
    const uint32_t hash = hash_of(current, strlen(current), 2166136261u);
    return begun_of(family) < ALWAYS ||
           ((hash >> 8) % (tests_one_in() * one_in_for_threads()) == 0 && in_turn_of_width());
}

void case_begin(const char *file, const char *family, const char *format, ...) {
    program_of(file);
    const int length = snprintf(current, sizeof current, "%s: ", family);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(current + length, sizeof current - (size_t)length, format, arguments);
    va_end(arguments);
    current_in_turn = in_turn(family);
    if (on_emulator()) emulator_restart();
}

bool case_wanted(void) {
    if (!wanted_case) {
        const char *asked = getenv("WARPWISE_CASE");
        wanted_case = asked ? asked : "";
    }
    const bool wanted = *wanted_case ? strstr(current, wanted_case) != NULL : current_in_turn;
    cases_run += wanted;
    return wanted;
}

size_t case_count(void) { return cases_run; }
bool cases_asked(void) { return wanted_case != NULL; }

static void failed(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void failed(const char *file, int line, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "%s:%d: in case \"%s\"\n    ", file, line, current);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n    again: ");
    if (on_gpu()) fprintf(stderr, "WARPWISE_TEST_DEVICE=%s ", setting_name(0));
    if (on_gpu() && getenv("WARPWISE_EMULATOR")) fprintf(stderr, "WARPWISE_EMULATOR=%s ", getenv("WARPWISE_EMULATOR"));
    fprintf(stderr, "WARPWISE_SEED=%llu WARPWISE_CASE='%s' build/tests/%s\n", (unsigned long long)seed_of_run(),
            current, current_file);
    _fail(file, line);
}

void expect_status_at(ww_device *device, ww_status got, ww_status wanted, const char *file, int line) {
    report_checked();
    if (got != wanted)
        failed(file, line, "status %s, wanted %s; the sentence is \"%s\"", ww_status_name(got), ww_status_name(wanted),
               device ? ww_error(device) : "");
    /* Calls of a GPU may have been queued only: what they wrote is looked at next. */
    if (on_gpu() && device && !got && ww_sync(device)) failed(file, line, "ww_sync: %s", ww_error(device));
}

void expect_at(bool condition, const char *what, const char *file, int line) {
    report_checked();
    if (!condition) failed(file, line, "not true: %s", what);
}

static void print_bytes(const char *name, const unsigned char *bytes, size_t n) {
    fprintf(stderr, "    %s:", name);
    for (size_t i = 0; i < n && i < 32; i++) fprintf(stderr, " %02x", bytes[i]);
    fprintf(stderr, "\n");
}

void expect_bytes_at(const void *got, const void *wanted, size_t bytes, size_t element, const char *file, int line) {
    const unsigned char *g = got, *w = wanted;
    if (!bytes || !memcmp(g, w, bytes)) return;
    size_t at = 0;
    while (g[at] == w[at]) at++;
    const size_t index = at / element, from = index * element;
    const size_t shown = element < bytes - from ? element : bytes - from;
    print_bytes("got", g + from, shown);
    print_bytes("wanted", w + from, shown);
    failed(file, line, "element %zu of %zu differs", index, bytes / element);
}

void expect_sentence_at(ww_device *device, const char *file, int line, ...) {
    va_list parts;
    va_start(parts, line);
    for (const char *part; (part = va_arg(parts, const char *));)
        if (!strstr(ww_error(device), part)) failed(file, line, "\"%s\" does not say \"%s\"", ww_error(device), part);
    va_end(parts);
}

void *need(size_t bytes) {
    setting_count(); /* says which device there is */
    return reachable_take(bytes);
}
