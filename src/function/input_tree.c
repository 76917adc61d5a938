/* Inputs in which a window stands on what is computed. The steps are read as a tree, from the last one down: a step asks for the
 * elements of its operands that it wants. A window wants its neighbours besides, so a tile of a window's source is as much longer; near
 * an end of the source it is put together with what stands for those outside. */
#include <string.h>

#include "function/computed.h"

typedef struct tree {
    const ww_device *device;
    const ww_input *input;
    unsigned char *room; /* what is free of it */
} tree;

static unsigned char *take(tree *t, size_t n, size_t size) {
    unsigned char *const room = t->room;
    t->room += ww__round_up(n * size, 64);
    return room;
}

size_t ww__tree_room(const ww_input *input, uint32_t s, size_t n) {
    uint32_t from[WW_ZIP_MOST];
    if (input->kind[s] == WW_STEP_MEMORY) return 0;
    const size_t all = n + ww__near_more(input, s);
    const uint32_t many = ww__step_operands(input, s, from);
    size_t room = ww__round_up(all * ww__step_size(input, s), 64);
    for (uint32_t k = 0; k < many; k++) room += ww__tree_room(input, from[k], all);
    return room;
}

/* Elements first … first + n - 1 of what step s leaves. */
static const void *read(tree *t, uint32_t s, uint64_t first, size_t n, void *to);

/* Position `at`, which is outside, of a source that goes on at both ends. */
static uint64_t inside(ww_border border, int64_t at, uint64_t length) {
    if (border == WW_BORDER_CLAMP) return at < 0 ? 0 : length - 1;
    return at < 0 ? length - 1 - (0 - (uint64_t)at - 1) % length : (uint64_t)at % length;
}

/* The elements from position `at` on, up to `most` of them, to `to`: those that are inside, or those on one side of it as far as they are
 * a run. Returns how many. */
static size_t put_run(tree *t, uint32_t s, const void *outside, int64_t at, size_t most, unsigned char *to) {
    const size_t size = ww__step_size(t->input, s);
    const uint64_t length = t->input->step[s].number;
    const ww_border border = ww__kind_border(t->input->kind[s]);
    const bool is_inside = at >= 0 && (uint64_t)at < length;
    size_t many = at < 0 ? (size_t)ww__min_u64(most, 0 - (uint64_t)at) : most;
    unsigned char *const room = t->room;
    if (is_inside || border == WW_BORDER_WRAP) {
        const uint64_t from = is_inside ? (uint64_t)at : inside(border, at, length);
        many = (size_t)ww__min_u64(many, length - from);
        memcpy(to, read(t, s - 1, from, many, NULL), many * size);
    } else {
        const void *const x = border == WW_BORDER_VALUE ? outside : read(t, s - 1, inside(border, at, length), 1, NULL);
        for (size_t i = 0; i < many; i++) memcpy(to + i * size, x, size);
    }
    t->room = room;
    return many;
}

/* Where element `first` is, its neighbours around it. */
static const void *read_near(tree *t, uint32_t s, uint64_t first, size_t n) {
    const ww_function *const f = t->input->step[s + 1].function;
    const size_t size = ww__step_size(t->input, s), before = ww__window_before(f), all = n + ww__near_more(t->input, s);
    const ww_border border = ww__kind_border(t->input->kind[s]);
    const int64_t from = (int64_t)first - (border == WW_BORDER_INSIDE ? 0 : (int64_t)before);
    const void *outside = NULL;
    if (from >= 0 && (uint64_t)from + all <= t->input->step[s].number)
        return (const unsigned char *)read(t, s - 1, (uint64_t)from, all, NULL) + before * size;
    if (border == WW_BORDER_VALUE) outside = read(t, ww__step_first(t->input, s - 1) - 1, 0, 1, NULL);
    unsigned char *const to = take(t, all, size);
    for (size_t put = 0; put < all;) put += put_run(t, s, outside, from + (int64_t)put, all - put, to + put * size);
    return to + before * size;
}

static const void *read(tree *t, uint32_t s, uint64_t first, size_t n, void *to) {
    const ww_input *const input = t->input;
    const size_t size = ww__step_size(input, s);
    const void *on[WW_ZIP_MOST] = {NULL};
    uint32_t from[WW_ZIP_MOST];
    if (input->kind[s] == WW_STEP_MEMORY) return (const unsigned char *)input->step[s].data + first * size;
    if (ww__kind_is_near_of(input->kind[s])) return read_near(t, s, first, n);
    const uint32_t many = ww__step_operands(input, s, from);
    for (uint32_t k = 0; k < many; k++) on[k] = read(t, from[k], first, n, NULL);
    if (ww__kind_is_near_array(input->kind[s]))
        return ww__read_near(input, s, on[0], first, n, take(t, n + ww__near_more(input, s), size));
    void *const result = to ? to : take(t, n, size);
    ww__compute_step(t->device, input, s, first, n, on, result);
    return result;
}

const void *ww__read_tree(const ww_device *device, const ww_input *input, uint32_t s, uint64_t first, size_t n,
                          void *room, void *to) {
    tree t = {device, input, room};
    return read(&t, s, first, n, to);
}
