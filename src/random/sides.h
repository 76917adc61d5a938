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

/* The positions below n whose words are below `limit` (up to 2^32), in order; `out` (u32 or u64) is written where there are at
 * least `least` and at most out->count of them. *chosen: how many there are; on paper out->count. */
typedef struct ww__choosing {
    random_source source;
    uint64_t n, limit, least;
    ww_array out;
} ww__choosing;
ww_status ww__draw_positions_cpu(ww_device *device, const ww__choosing *c, uint64_t *chosen);
ww_status ww__draw_positions_gpu(ww_device *device, const ww__choosing *c, uint64_t *chosen);

/* out gets `in` without the elements at the positions `dropped`, which rise and are of the same type, u32 or u64. */
typedef struct ww__dropping {
    ww_array in, dropped, out;
} ww__dropping;
ww_status ww__drop_cpu(ww_device *device, const ww__dropping *d);
ww_status ww__drop_gpu(ww_device *device, const ww__dropping *d);

#endif
