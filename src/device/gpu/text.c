#include "device/gpu/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool make_room(ww__text *t, size_t more) {
    if (t->length + more + 1 <= t->room) return true;
    const size_t room = 2 * (t->length + more + 1);
    char *data = realloc(t->data, room);
    if (!data) return false;
    t->data = data;
    t->room = room;
    return true;
}

void ww__text_put(ww__text *t, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (!t->failed && length >= 0 && make_room(t, (size_t)length)) {
        vsnprintf(t->data + t->length, (size_t)length + 1, format, again);
        t->length += (size_t)length;
    } else {
        t->failed = true;
    }
    va_end(again);
}

char *ww__text_take(ww__text *t) {
    if (!t->failed && t->data) return t->data;
    free(t->data);
    return NULL;
}
