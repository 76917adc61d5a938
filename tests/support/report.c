/* A report begins when the program is loaded and is written when it exits; children of fork write none. */
#include "support/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cases.h"

enum { REASONS = 64 };
static char *reasons[REASONS];
static size_t times[REASONS], different, all;
static bool checked;
static pid_t program;

void report_checked(void) { checked = true; }

void left_out(const char *format, ...) {
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    printf("left out: %s\n", reason);
    all++;
    size_t r = 0;
    while (r < different && strcmp(reasons[r], reason)) r++;
    if (r == REASONS) return; /* counted, not named */
    if (r == different) reasons[different++] = strdup(reason);
    times[r]++;
}

static void write_report(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "the report %s could not be written\n", path);
        _exit(1);
    }
    fprintf(file, "cases %zu\n", case_count());
    for (size_t r = 0; r < different; r++) fprintf(file, "left out %zu %s\n", times[r], reasons[r]);
    fclose(file);
}

static void end(void) {
    if (getpid() != program) return;
    const char *path = getenv("WARPWISE_TEST_REPORT");
    printf("%zu cases ran; %zu left out\n", case_count(), all);
    if (path && *path) write_report(path);
    for (size_t r = 0; r < different; r++) free(reasons[r]);
    different = 0;
    if (case_count() || (!cases_asked() && (checked || all))) return;
    fprintf(stderr, "no case ran, so nothing was tested\n");
    fflush(NULL);
    _exit(1);
}

/* Kernels that run are added to a file (device/emu/launched.h), by this program and by those that it starts. */
__attribute__((constructor)) static void begin(void) {
    const char *kernels = getenv("WARPWISE_EMU_LAUNCHED");
    program = getpid();
    if (kernels && *kernels) unlink(kernels);
    atexit(end);
}
