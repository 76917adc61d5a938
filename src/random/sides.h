/* The backends of random.h. */
#ifndef WW__RANDOM_SIDES_H
#define WW__RANDOM_SIDES_H

#include "random/random.h"

ww_status ww__random_cpu(ww_device *device, const ww__random_request *r);
ww_status ww__random_gpu(ww_device *device, const ww__random_request *r);

/* How elements go to buckets: by `levels` digits, the first ones of 8 bits, the last one of what is left. */
enum { WW__SHUFFLE_DIGIT = 8, WW__SHUFFLE_LEVELS = 5 };
typedef struct ww__shuffle_plan {
    unsigned bits, levels;
} ww__shuffle_plan;
static inline ww__shuffle_plan ww__shuffle_plan_of(const ww__shuffle_request *r) {
    ww__shuffle_plan p = {0, 0};
    while (p.bits < WW__SHUFFLE_LEVELS * WW__SHUFFLE_DIGIT && r->out->count >> p.bits > r->leaf) p.bits++;
    p.levels = (p.bits + WW__SHUFFLE_DIGIT - 1) / WW__SHUFFLE_DIGIT;
    return p;
}
/* The digit of a level, 0 the first. */
static inline unsigned ww__shuffle_bits(ww__shuffle_plan p, unsigned level) {
    return level + 1 < p.levels ? WW__SHUFFLE_DIGIT : p.bits - level * WW__SHUFFLE_DIGIT;
}

/* Of elements of 1, 2, 4, 8 or 16 bytes. */
ww_status ww__shuffle_cpu(ww_device *device, const ww__shuffle_request *r);
ww_status ww__shuffle_gpu(ww_device *device, const ww__shuffle_request *r);

#endif
