/* The inner interface of finding a pattern. */
#ifndef WW__FIND_H
#define WW__FIND_H

#include "device/device.h"
#include "warpwise/text.h"

typedef enum ww__find_want { WW__FIND_ALL, WW__FIND_FIRST, WW__FIND_LAST } ww__find_want;

/* Positions at which something may begin are called starts: the text's characters but the last m - 1. */
typedef struct ww__finding {
    ww_input text;                /* as it was given: bytes */
    const unsigned char *pattern; /* the host's; of small letters where `fold` */
    uint64_t n, m, starts;        /* characters of text and pattern; starts is 0 where m > n */
    unsigned bits;                /* of a character */
    bool fold, packed;
    ww_find_method method;
    ww__find_want want;
    ww_array positions;      /* of all matches; ww_none where they are not asked for */
    ww_array count;          /* of all; of WW__FIND_FIRST and _LAST the position */
    const ww_input *offsets; /* of texts that matches may not go across; NULL: it is one text */
    ww_array counts;         /* of each text, or ww_none */
} ww__finding;

/* The method's name, for traces and sentences. */
const char *ww__find_method_name(ww_find_method method);

/* A pattern as it is compared, 'a' to 'z' for 'A' to 'Z'; characters of texts likewise. */
static inline unsigned char ww__folded(unsigned char c) { return c >= 'A' && c <= 'Z' ? (unsigned char)(c | 32) : c; }

/* Checks an options struct of find, and the part of a request that it and the pattern fill; the pattern is folded into scratch. */
ww_status ww__find_check_options(ww_device *device, const ww_find_options *options, ww__finding *f);
ww_status ww__find_check_pattern(ww_device *device, const void *pattern, uint64_t count, uint64_t most, ww__finding *f);
ww_status ww__find_check_text(ww_device *device, ww__finding *f);
ww_status ww__find_check_positions(ww_device *device, const ww__finding *f);

/* The text in memory: its own, or scratch memory that a computed one is written to. */
ww_status ww__text_in_memory(ww_device *device, const ww_input *text, const void **memory);

/* A checked request, inside a call that is under way, by its method, on the device's backend. */
ww_status ww__find(ww_device *device, const ww__finding *finding);

#endif
