#include "support/traced.h"

#include <unistd.h>

ww_device *traced_open(void) {
    setenv("WARPWISE_TRACE", "1", 1);
    ww_device *device = setting_open(0);
    unsetenv("WARPWISE_TRACE");
    return device;
}

traced traced_begin(void) {
    traced t = {tmpfile(), -1};
    if (!t.file) abort();
    fflush(stderr);
    t.standard_error = dup(STDERR_FILENO);
    dup2(fileno(t.file), STDERR_FILENO);
    return t;
}

void traced_end(traced *t, char *text, size_t room) {
    fflush(stderr);
    dup2(t->standard_error, STDERR_FILENO);
    close(t->standard_error);
    rewind(t->file);
    text[fread(text, 1, room - 1, t->file)] = 0;
    fclose(t->file);
}

void expect_launches_at(const char *file, int line, const char *text, ...) {
    static const char before[] = "kernel=";
    va_list names;
    va_start(names, text);
    const char *at = strstr(text, before);
    bool right = true;
    for (const char *name; right && (name = va_arg(names, const char *)); at = right ? strstr(at + 1, before) : NULL) {
        const size_t length = strlen(name);
        right = at && !strncmp(at + strlen(before), name, length) && at[strlen(before) + length] == ' ';
    }
    va_end(names);
    if (!right || at) fprintf(stderr, "%s", text);
    expect_at(right && !at, "the kernels that ran", file, line);
}
