/* A CPU's part of a sort that several devices make (over.c): it sorts in the host's memory, where runs lie. */
#include <string.h>

#include "function/function.h"
#include "sort/large/large_gpu.h"
#include "sort/large/rank.h"

/* Chunk k of an array: memory that only one device touches. */
static ww_array part_of(unsigned char *memory, uint64_t first, uint64_t count, const ww_type *type, size_t size) {
    return (ww_array){.data = memory ? memory + first * size : NULL, .count = count, .type = type, .size = size};
}

static unsigned char *memory_of(const ww_input *in) {
    return in->steps ? (unsigned char *)(uintptr_t)ww__input_memory(in) : NULL; /* which is only read */
}

typedef struct places {
    unsigned char *keys, *values;
} places;

static ww_status sort_chunk(ww_device *device, const ww__sort_request *all, uint64_t first, uint64_t count, places from,
                            places to) {
    ww__sort_request r = *all;
    ww__sorting *const s = &r.of;
    const ww__scratch_mark mark = ww__scratch_here(device);
    s->keys_out = part_of(to.keys, first, count, s->keys.type, s->keys.size);
    s->keys = ww_from(part_of(from.keys, first, count, s->keys.type, s->keys.size));
    if (s->values.steps) {
        s->values_out = part_of(to.values, first, count, s->values.type, s->values.size);
        s->values = ww_from(part_of(from.values, first, count, s->values.type, s->values.size));
    }
    WW_TRY(ww__sort_by_method(device, &r));
    ww__scratch_back(device, &mark);
    return WW_OK;
}

/* The pieces of all runs that make a chunk of the result, in the order of runs. */
static void bring_pieces(const ww__sorting *s, const uint64_t *begin, const uint64_t *end, uint64_t runs, places from,
                         places to, uint64_t first) {
    const size_t key = s->keys.size, value = s->values.steps ? s->values.size : 0;
    for (uint64_t run = 0; run < runs; run++) {
        const uint64_t count = end[run] - begin[run];
        if (!count) continue;
        memcpy(to.keys + first * key, from.keys + begin[run] * key, count * key);
        if (value) memcpy(to.values + first * value, from.values + begin[run] * value, count * value);
        first += count;
    }
}

ww_status ww__large_cpu_trip(ww_device *device, const ww__large_share *share, unsigned trip) {
    const ww__sorting *const s = &share->r->of;
    const uint64_t n = s->keys.count, chunks = (n - 1) / share->chunk + 1;
    const ww__runs sorted = ww__runs_of(s, share->runs, share->chunk);
    const places in = {memory_of(&s->keys), memory_of(&s->values)}, out = {s->keys_out.data, s->values_out.data},
                 runs = {share->runs, share->runs + n * s->keys.size};
    const ww__scratch_mark mark = ww__scratch_here(device);
    uint64_t *begin, chunk;
    WW_TRY(ww__host_scratch(device, 4 * chunks * sizeof *begin, &begin));
    uint64_t *const end = begin + chunks, *const room = end + chunks;
    while (!__atomic_load_n(share->stop, __ATOMIC_RELAXED) &&
           (chunk = __atomic_fetch_add(share->next, 1, __ATOMIC_RELAXED)) < chunks) {
        const uint64_t first = chunk * share->chunk, count = ww__min_u64(share->chunk, n - first);
        if (trip) {
            ww__rank_cut(&sorted, first, begin, room);
            ww__rank_cut(&sorted, first + count, end, room);
            bring_pieces(s, begin, end, chunks, runs, out, first);
        }
        WW_TRY(sort_chunk(device, share->r, first, count, trip ? out : in, trip ? out : runs));
    }
    ww__scratch_back(device, &mark);
    return WW_OK;
}
