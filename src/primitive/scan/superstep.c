#include "primitive/scan/superstep.h"

static void do_parts(void *argument, size_t worker) {
    ww__superstep *s = argument;
    for (uint64_t first; (first = ww__claim(&s->next) * s->at_once) < s->count;)
        s->part(s->job, worker, first, (size_t)ww__min_u64(s->at_once, s->count - first));
}

void ww__superstep_run(ww_device *device, uint64_t bytes, uint64_t count, size_t at_once, ww__part *part, void *job) {
    ww__superstep s = {.job = job, .part = part, .count = count, .at_once = at_once};
    if (count) ww__parallel(device, ww__workers(device, bytes), do_parts, &s);
}

void ww__move(void *to, size_t to_step, const void *from, size_t from_step, size_t n, size_t size) {
    unsigned char *t = to;
    const unsigned char *f = from;
    switch (size) {
#define MOVE(bytes) \
    case bytes: \
        for (size_t i = 0; i < n; i++) memcpy(t + i * to_step * bytes, f + i * from_step * bytes, bytes); \
        return;
        MOVE(1)
        MOVE(2)
        MOVE(4)
        MOVE(8)
        MOVE(16)
#undef MOVE
    default:
        for (size_t i = 0; i < n; i++) memcpy(t + i * to_step * size, f + i * from_step * size, size);
    }
}
