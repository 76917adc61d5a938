#include "primitive/merge/window.h"

#include <string.h>

#include "device/cpu/stream.h"

/* Longer elements are fetched well enough by the hardware, and lines of them that are asked for may be gone before use. */
enum { FETCHED_ELEMENT = 256 };

size_t ww__window_room(const ww_input *input, size_t most) {
    if (ww__input_memory(input)) return 0;
    return ww__round_up(2 * most * input->size, 64) + ww__input_room(input, most);
}

ww__window ww__window_of(const ww_device *device, const ww_input *input, size_t most, void *buffer) {
    ww__window w = {.device = device, .input = input, .memory = ww__input_memory(input), .most = most};
    w.held = buffer;
    if (!w.memory && input->steps) w.room = w.held + ww__round_up(2 * most * input->size, 64);
    return w;
}

/* Asks for what the next two calls may want, each line once. */
static void fetch(ww__window *w, uint64_t first, uint64_t limit) {
    const size_t size = w->input->size;
    if (size > FETCHED_ELEMENT) return;
    if (w->fetched < first) w->fetched = first;
    const uint64_t to = ww__min_u64(limit, first + 2 * w->most + WW__AHEAD / size);
    if (to <= w->fetched) return;
    ww__fetch_all(w->memory + w->fetched * size, (size_t)(to - w->fetched) * size);
    w->fetched = to;
}

static void hold(ww__window *w, uint64_t first, uint64_t limit) {
    const size_t size = w->input->size;
    if (first >= w->held_end)
        w->held_first = w->held_end = first;
    else
        memmove(w->held, w->held + (first - w->held_first) * size, (size_t)(w->held_end - first) * size);
    w->held_first = first;
    const size_t kept = (size_t)(w->held_end - first);
    const size_t more = (size_t)ww__min_u64(w->most, limit - w->held_end);
    memcpy(w->held + kept * size, ww__input_read(w->device, w->input, w->held_end, more, w->room), more * size);
    w->held_end += more;
}

const void *ww__window_at(ww__window *w, uint64_t first, uint64_t end, uint64_t limit) {
    if (first >= end) return NULL;
    if (w->memory) {
        fetch(w, first, limit);
        return w->memory + first * w->input->size;
    }
    if (first < w->held_first || end > w->held_end) hold(w, first, limit);
    return w->held + (first - w->held_first) * w->input->size;
}
