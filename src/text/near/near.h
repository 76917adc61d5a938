/* What the files of finding with mismatches share: the checked request, and its two backends. */
#ifndef WW__NEAR_H
#define WW__NEAR_H

#include "text/find.h"

typedef struct ww__nearing {
    ww__finding find;     /* of everything but what is below */
    uint64_t most;        /* so many characters may differ; below find.m */
    ww_array differences; /* one for each of find.positions, or ww_none */
} ww__nearing;

/* A checked request, inside a call that is under way, on the device's backend. */
ww_status ww__find_near(ww_device *device, const ww__nearing *nearing);

ww_status ww__find_near_cpu(ww_device *device, const ww__nearing *nearing);
ww_status ww__find_near_gpu(ww_device *device, const ww__nearing *nearing);

/* A letter's bit that tells its case: a character fits where it is the pattern's once this is set in it. 0: as it is. */
static inline unsigned char ww__case_bit(const ww__finding *f, uint64_t i) {
    return f->fold && f->pattern[i] >= 'a' && f->pattern[i] <= 'z' ? 32 : 0;
}

#endif
