/* How a CPU looks for a pattern of which some characters may differ. */
#ifndef WW__NEAR_CPU_H
#define WW__NEAR_CPU_H

#include "text/near/near.h"
#include "text/pieces_cpu.h"

/* One character of the pattern. */
typedef struct ww__near_character {
    unsigned char offset, character, case_bit;
} ww__near_character;

/* The pattern made ready. */
typedef struct ww__near_needle {
    size_t m, most;
    bool fold;
    unsigned char pattern[WW_NEAR_MOST], case_bits[WW_NEAR_MOST];
    ww__near_character rarest[WW_NEAR_MOST]; /* those first that are rare in the text: they tell soonest */
} ww__near_needle;

/* In how many characters the text at `at` differs from the pattern. It is not counted further once it is above `limit`. */
size_t ww__near_differences(const ww__near_needle *needle, const unsigned char *at, size_t limit);

/* The loop of the device's vector width, for needles whose `most` is not 0. */
ww__text_scan *ww__near_scan(const ww_device *device);

#endif
