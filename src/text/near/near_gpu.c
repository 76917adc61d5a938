/* The host side of finding with mismatches on a GPU: a launch that marks where the pattern fits, those that make a list of the
 * marks, and one that counts the differences of what is in the list. Scratch: a bit for each start, and the text where it
 * is computed. */
#include <string.h>

#include "device/gpu/batch.h"
#include "function/function.h"
#include "text/find_gpu.h"
#include "text/near/near.h"
#include "text/near/near_arguments.cuh"
#include "text/near/near_differences_arguments.cuh"
#include "text/pattern_gpu.h"

enum {
    STARTS = 16, /* of a thread */
    WINDOW = 4,  /* characters of a part that are looked for */
    BLOCKS_A_PROCESSOR = 8
};

static uint32_t threads_of(const ww_device *device) {
    static const uint32_t threads[WW__TILINGS] = {[WW__TILES_GPU] = 256, [WW__TILES_SMALL] = 64};
    return threads[device->gpu->driver->tiles];
}

static ww_status text_in_memory(ww_device *device, ww__finding *f) {
    const void *memory;
    WW_TRY(ww__text_in_memory(device, &f->text, &memory));
    f->text = ww_memory_of(memory, f->n, f->text.type);
    return WW_OK;
}

/* ---- marks ---- */

typedef struct parts {
    uint32_t count, window[NEAR_PARTS_MOST], place[NEAR_PARTS_MOST];
} parts;

static unsigned distinct(const unsigned char *window) {
    unsigned many = 1;
    for (unsigned i = 1; i < WINDOW; i++) many += !memchr(window, window[i], i);
    return many;
}

/* Of each part the first window with the most characters that are not alike: texts repeat single characters. */
static parts parts_of(const ww__nearing *near) {
    parts p = {0};
    const uint64_t count = near->most + 1, length = near->find.m / count;
    if (length < WINDOW || count > NEAR_PARTS_MOST) return p;
    p.count = (uint32_t)count;
    for (uint32_t k = 0; k < p.count; k++) {
        const unsigned char *const part = near->find.pattern + k * length, *best = part;
        for (uint64_t i = 1; i + WINDOW <= length; i++)
            if (distinct(part + i) > distinct(best)) best = part + i;
        memcpy(&p.window[k], best, WINDOW);
        p.place[k] = (uint32_t)(best - near->find.pattern);
    }
    return p;
}

static ww_status mark(ww_device *device, const ww__nearing *near, uint32_t *marks) {
    const ww__finding *f = &near->find;
    const parts p = parts_of(near);
    const uint32_t threads = threads_of(device), tile = threads * STARTS;
    const void *const text = ww__input_memory(&f->text);
    const uint64_t halves = 2 * ww__blocks(f->starts, 32);
    const uint32_t off = (uint32_t)((uintptr_t)text % 16), m = (uint32_t)f->m;
    const uint32_t chunks = (off + tile + m + 31) / 16, groups = (off + tile + m - WINDOW + 15) / 16;
    const uint32_t last = m % 4 ? (1U << 8 * (m % 4)) - 1 : UINT32_MAX;
    ww__recipe r;
    ww__recipe_begin(&r, "text/near/near.cu");
    ww__recipe_number(&r, "WW_THREADS", threads);
    ww__recipe_number(&r, "WW_FOLD", f->fold);
    ww__recipe_number(&r, "WW_MANY", near->most > 127);
    ww__arguments a;
    near_arguments all = {.marks = (void *)marks,
                          .text = text,
                          .count = f->n,
                          .starts = f->starts,
                          .halves = halves,
                          .off = off,
                          .chunks = chunks,
                          .groups = groups,
                          .m = m,
                          .most = (uint32_t)near->most,
                          .parts = p.count,
                          .last = last};
    memcpy(all.window, p.window, sizeof all.window);
    memcpy(all.place, p.place, sizeof all.place);
    memcpy(all.pattern, f->pattern, m);
    WW__ARGUMENTS(&a, all);
    return ww__gpu_launch(device, &r, "mark_near", ww__blocks(f->starts, tile), threads, 0, &a);
}

/* ---- differences ---- */

static ww_status count_differences(ww_device *device, const ww__finding *f, const ww_array *differences) {
    const uint32_t threads = threads_of(device), m = (uint32_t)f->m;
    const uint64_t blocks = ww__min_u64(ww__blocks(ww__min_u64(differences->count, f->starts), threads),
                                        (uint64_t)BLOCKS_A_PROCESSOR * device->gpu->driver->processors);
    const void *const text = ww__input_memory(&f->text);
    ww__recipe r;
    ww__recipe_begin(&r, "text/near/near_differences.cu");
    ww__recipe_number(&r, "WW_THREADS", threads);
    ww__recipe_number(&r, "WW_FOLD", f->fold);
    ww__recipe_type(&r, "ww_position", f->positions.type, f->positions.size, NULL);
    ww__recipe_type(&r, "ww_difference", differences->type, differences->size, NULL);
    ww__recipe_type(&r, "ww_count", f->count.type, f->count.size, NULL);
    ww__arguments a;
    differences_arguments all = {.positions = f->positions.data,
                                 .differences = differences->data,
                                 .count = f->count.data,
                                 .text = text,
                                 .room = differences->count,
                                 .m = m};
    memcpy(all.pattern, f->pattern, m);
    for (uint32_t i = 0; i < m; i++) all.case_bits[i] = ww__case_bit(f, i);
    WW__ARGUMENTS(&a, all);
    return ww__gpu_launch(device, &r, "count_differences", blocks, threads, 0, &a);
}

/* What is written is kept where kernels reach it until the differences are counted. */
ww_status ww__find_near_gpu(ww_device *device, const ww__nearing *near) {
    ww__nearing inner = *near;
    ww__finding *f = &inner.find;
    const ww__finding *given = &near->find;
    const bool wanted = !ww__is_none(&near->differences) && near->differences.count;
    uint32_t *marks;
    if (!f->starts) return ww__put_count(device, &f->count, 0);
    WW_TRY(text_in_memory(device, f));
    WW_TRY(ww__gpu_room(device, given->count.data, given->count.size, &f->count.data));
    if (given->positions.count) WW_TRY(ww__gpu_room_kept(device, &given->positions, &f->positions.data));
    if (wanted) WW_TRY(ww__gpu_room_kept(device, &near->differences, &inner.differences.data));
    WW_TRY(ww__scratch_array(device, ww__blocks(f->starts, 32), sizeof *marks, &marks));
    WW_TRY(mark(device, &inner, marks));
    WW_TRY(ww__find_marks_gpu(device, f, marks));
    if (wanted) WW_TRY(count_differences(device, f, &inner.differences));
    if (wanted) WW_TRY(ww__gpu_result(device, near->differences.data, inner.differences.data, near->differences.size));
    if (given->positions.count)
        WW_TRY(ww__gpu_result(device, given->positions.data, f->positions.data, given->positions.size));
    return ww__gpu_result(device, given->count.data, f->count.data, given->count.size);
}
