/* Text that grows. Running out of memory is noticed at the end. */
#ifndef WW__TEXT_H
#define WW__TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ww__text {
    char *data;
    size_t length, room;
    bool failed;
} ww__text;

void ww__text_put(ww__text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text, to be freed by free(); NULL where memory ran out. */
char *ww__text_take(ww__text *t);

#endif
