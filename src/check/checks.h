/* What the files of this room share. The room tries the caller's functions before a call's work begins (device/checks.h says when):
 *
 *   text.c       each is compiled as the text that a GPU gets
 *   samples.c    elements of the data; the maps of an input on the way, each called twice
 *   operator.c   the laws of a WW_COMBINE             order.c      those of a WW_LESS
 *   memory.c     what a GPU would not reach
 *   members.c    the members of an element (device/members.h), without its padding: to compare and to show them
 *
 * All of them work in one room of memory that the handle has for it: scratch memory, its limit and its peak are as without. What does
 * not fit, since elements are huge, is not tried. */
#ifndef WW__CHECK_CHECKS_H
#define WW__CHECK_CHECKS_H

#include <stdio.h>

#include "device/checks.h"
#include "device/members.h"
#include "function/function.h"

enum { WW__CHECK_ROOM = 1 << 20, WW__CHECK_NOTES = 256, WW__CHECK_BLOCKS = 1024 };

typedef struct ww__reached { /* a block from ww_alloc */
    uintptr_t start, end;
} ww__reached;

typedef struct ww__checks {
    bool prints;
    bool compiles;                  /* until no compiler is found */
    uint64_t note[WW__CHECK_NOTES]; /* digests of those that were printed */
    size_t notes;
    ww__reached block[WW__CHECK_BLOCKS];
    size_t blocks;
    bool more_blocks; /* than there is room for: nothing is known of the rest */
    size_t used;      /* of the room */
    unsigned char room[WW__CHECK_ROOM] __attribute__((aligned(64)));
} ww__checks;

/* A piece of the room, 64-byte aligned; NULL when it does not fit. All are gone when `used` is set back. */
void *ww__check_take(ww__checks *c, uint64_t count, size_t size);

/* A line on standard error, once for a handle. */
void ww__check_note(ww_device *device, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "sums.c:12: WW_COMBINE total", to begin a sentence with. */
#define WW__PLACE "%s:%d: %s %s"
#define WW__PLACE_OF(f) (f)->file, (f)->line, ww__role_name(f), (f)->name
const char *ww__role_name(const ww_function *f);

/* ---- members.c ---- */

/* Numbers are equal, or both no numbers. `bits`: zeros have one sign, too. */
bool ww__members_same(const ww__members *m, const void *a, const void *b, bool bits);
bool ww__members_finite(const ww__members *m, const void *element);
bool ww__members_nan(const ww__members *m, const void *element);
double ww__member_float(const ww__member *m, const void *element, size_t k);
/* Every float one ulp up or down, as `random` says. */
void ww__members_nudge(const ww__members *m, void *element, uint64_t *random);

/* An element as text, cut off where there is no room for all of it. */
enum { WW__SHOWN = 160 };
typedef struct ww__shown {
    char text[WW__SHOWN];
} ww__shown;
ww__shown ww__show(const ww__members *m, size_t size, const void *element);

/* ---- samples.c ---- */

typedef struct ww__samples {
    size_t many, size;
    const unsigned char *data;
} ww__samples;
static inline const void *ww__sample(const ww__samples *s, size_t i) { return s->data + i * s->size; }

/* Up to `most` elements of an input, in its order: ends, neighbours spread over it and, with `unusual`, its first NaN and its first
 * infinity, if `m` has floats. None where they do not fit. */
ww_status ww__samples_take(ww_device *device, const ww_input *input, size_t most, const ww__members *unusual,
                           ww__samples *s);

/* The next number of a fixed row. */
static inline uint64_t ww__random(uint64_t *state) {
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* ---- text.c, memory.c ---- */

/* The function, and all that it uses, is a program's text for a GPU. */
ww_status ww__check_text(ww_device *device, const ww_function *f);
/* Notes pointers in an environment, or in a kernel's arguments, that lead to what a GPU does not reach. */
void ww__check_pointers(ww_device *device, const ww_function *f, const void *environment, uint64_t count);
/* A digest of an environment, to see whether it was changed. */
uint64_t ww__environment_digest(const ww_function *f, const void *environment, uint64_t count);

#endif
