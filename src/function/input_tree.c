/* Inputs in which a window or an index stands on what is computed. The steps are read as a tree, from the last one down: a step asks for
 * the elements of its operands that it wants. A window wants its neighbours besides, so a tile of a window's source is as much longer; near
 * an end of the source it is put together with what stands for those outside. An index wants its source at places, which go down to
 * what lies in memory. */
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

/* Indices that are looked up at a time: all that the source's steps leave of so many lies in the first-level cache. */
enum { LOOKED_UP = 512 };
static size_t looked_up(size_t n) { return n < LOOKED_UP ? n : LOOKED_UP; }

/* Of read_at. */
static size_t places_room(const ww_input *input, uint32_t s, size_t n) {
    uint32_t from[WW_ZIP_MOST];
    size_t room = ww__round_up(n * sizeof(uint64_t), 64) + ww__round_up(n * ww__step_size(input, s), 64);
    if (input->kind[s] == WW_STEP_WINDOW) return room + ww__tree_room(input, s, 1);
    const uint32_t many = ww__step_operands(input, s, from);
    for (uint32_t k = 0; k < many; k++) room += places_room(input, from[k], n);
    return room;
}

size_t ww__tree_room(const ww_input *input, uint32_t s, size_t n) {
    uint32_t from[WW_ZIP_MOST];
    if (input->kind[s] == WW_STEP_MEMORY) return 0;
    if (input->kind[s] == WW_STEP_PERMUTED_OF) {
        ww__step_operands(input, s, from);
        return ww__tree_room(input, from[0], n) + ww__round_up(looked_up(n) * sizeof(uint64_t), 64) +
               places_room(input, from[1], looked_up(n)) + ww__round_up(n * ww__step_size(input, s), 64);
    }
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

/* ---- at places ---- */

/* The elements of what step s leaves at n places, all of which it has, to `to`; NULL: to some of the room. */
static const void *read_at(tree *t, uint32_t s, const uint64_t *place, size_t n, void *to);

/* Indices as places of a source of so many elements, which has one. Those outside are place 0, and are kept: of element first + i, or
 * where `position` is given position[i]. */
static uint64_t *places_of(tree *t, const ww_type *type, const void *index, uint64_t limit, uint64_t first,
                           const uint64_t *position, size_t n, bool *good) {
    uint64_t *const place = (uint64_t *)(void *)take(t, n, sizeof *place);
    *good = ww__all_inside(t->device, type, index, n, limit);
    if (type->size == 8)
        memcpy(place, index, n * sizeof *place);
    else
        for (size_t i = 0; i < n; i++) place[i] = ((const uint32_t *)index)[i];
    for (size_t i = 0; !*good && i < n; i++) {
        const uint64_t at = ww__index_at(type, index, i);
        if (at < limit) continue;
        ww__keep_outside(t->device, position ? position[i] : first + i, at, limit, type);
        place[i] = 0;
    }
    return place;
}

/* 0 bytes for those outside. */
static void clear_outside(const ww_type *type, const void *index, uint64_t limit, unsigned char *out, size_t size,
                          size_t n) {
    for (size_t i = 0; i < n; i++)
        if (ww__index_at(type, index, i) >= limit) memset(out + i * size, 0, size);
}

/* What step s, a source at indices that is computed, has at n of these, at most LOOKED_UP. */
static void read_some_of_source(tree *t, uint32_t s, const ww_type *type, const void *index, uint64_t first,
                                const uint64_t *position, size_t n, unsigned char *result) {
    const uint64_t limit = t->input->step[s].number;
    bool good;
    const uint64_t *const place = places_of(t, type, index, limit, first, position, n, &good);
    if (limit) read_at(t, s - 1, place, n, result);
    if (!good) clear_outside(type, index, limit, result, ww__step_size(t->input, s), n);
}

static const void *read_of_source(tree *t, uint32_t s, const void *index, uint64_t first, const uint64_t *position,
                                  size_t n, void *to) {
    const ww_type *const type = ww__step_type(t->input, ww__step_first(t->input, s - 1) - 1);
    const size_t size = ww__step_size(t->input, s);
    unsigned char *const result = to ? to : take(t, n, size), *const room = t->room;
    for (size_t i = 0; i < n; i += LOOKED_UP, t->room = room)
        read_some_of_source(t, s, type, (const unsigned char *)index + i * type->size, first + i,
                            position ? position + i : NULL, looked_up(n - i), result + i * size);
    return result;
}

/* Elements of an array that lie apart: places count from the lowest of those that the step has. */
static void strided_at(tree *t, uint32_t s, const uint64_t *place, size_t n, void *to) {
    const ww_step *const step = &t->input->step[s];
    const int64_t stride = (int64_t)step->number;
    const uint64_t last = ww__step_count(t->input, s) - 1;
    const uint64_t apart = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    const ww__step_memory memory = ww__step_reads(t->input, s);
    uint64_t *const at = (uint64_t *)(void *)take(t, n, sizeof *at);
    for (size_t i = 0; i < n; i++) at[i] = (stride < 0 ? last - place[i] : place[i]) * apart;
    ww__move_from(t->device, to, memory.data, at, ww__step_size(t->input, s), n,
                  memory.bytes / ww__step_size(t->input, s));
}

static void counting_at(const ww_input *input, uint32_t s, const uint64_t *place, size_t n, void *to) {
    const ww_step *const step = &input->step[s];
    const size_t size = step->type->size;
    const ww__counting_by by = input->kind[s] == WW_STEP_COUNTING_BY ? ww__step_counting_by(step)
                                                                     : (ww__counting_by){step->number, 1};
    if (size > sizeof(uint64_t)) memset(to, 0, n * size);
    for (size_t i = 0; i < n; i++) {
        const uint64_t number = by.first + place[i] * by.stride;
        memcpy((unsigned char *)to + i * size, &number, size < sizeof number ? size : sizeof number);
    }
}

/* Elements at indices in memory, the indices being computed at places. */
static void permuted_at(tree *t, uint32_t s, const void *index, const uint64_t *place, size_t n, unsigned char *to) {
    const ww_step *const step = &t->input->step[s];
    const ww_type *const type = ww__step_type(t->input, s - 1);
    const size_t size = ww__step_size(t->input, s);
    if (ww__all_inside(t->device, type, index, n, step->number)) {
        ww__read_permuted(t->device, step, size, type, index, 0, n, to);
        return;
    }
    for (size_t i = 0; i < n; i++)
        ww__read_permuted(t->device, step, size, type, (const unsigned char *)index + i * type->size, place[i], 1,
                          to + i * size);
}

/* A window's neighbours are those of one element after the other. */
static void windows_at(tree *t, uint32_t s, const uint64_t *place, size_t n, unsigned char *to) {
    const size_t size = ww__step_size(t->input, s);
    unsigned char *const room = t->room;
    for (size_t i = 0; i < n; i++, t->room = room) memcpy(to + i * size, read(t, s, place[i], 1, NULL), size);
}

static const void *read_at(tree *t, uint32_t s, const uint64_t *place, size_t n, void *to) {
    const ww_input *const input = t->input;
    const size_t size = ww__step_size(input, s);
    const void *on[WW_ZIP_MOST] = {NULL};
    uint32_t from[WW_ZIP_MOST];
    void *const result = to ? to : take(t, n, size);
    if (input->kind[s] == WW_STEP_WINDOW) {
        windows_at(t, s, place, n, result);
        return result;
    }
    const uint32_t many = input->kind[s] == WW_STEP_PERMUTED_OF ? 0 : ww__step_operands(input, s, from);
    for (uint32_t k = 0; k < many; k++) on[k] = read_at(t, from[k], place, n, NULL);
    switch ((ww_step_kind)input->kind[s]) {
    case WW_STEP_MEMORY:
        ww__move_from(t->device, result, input->step[s].data, place, size, n, ww__step_count(input, s));
        break;
    case WW_STEP_STRIDED:
        strided_at(t, s, place, n, result);
        break;
    case WW_STEP_COUNTING:
    case WW_STEP_COUNTING_BY:
        counting_at(input, s, place, n, result);
        break;
    case WW_STEP_PERMUTED:
        permuted_at(t, s, on[0], place, n, result);
        break;
    case WW_STEP_PERMUTED_OF:
        read_of_source(t, s, read_at(t, ww__step_first(input, s - 1) - 1, place, n, NULL), 0, place, n, result);
        break;
    default:
        ww__compute_step(t->device, input, s, 0, n, on, result);
    }
    return result;
}

static const void *read(tree *t, uint32_t s, uint64_t first, size_t n, void *to) {
    const ww_input *const input = t->input;
    const size_t size = ww__step_size(input, s);
    const void *on[WW_ZIP_MOST] = {NULL};
    uint32_t from[WW_ZIP_MOST];
    if (input->kind[s] == WW_STEP_MEMORY) return (const unsigned char *)input->step[s].data + first * size;
    if (ww__kind_is_near_of(input->kind[s])) return read_near(t, s, first, n);
    if (input->kind[s] == WW_STEP_PERMUTED_OF) {
        const void *const index = read(t, ww__step_first(input, s - 1) - 1, first, n, NULL);
        return read_of_source(t, s, index, first, NULL, n, to);
    }
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
