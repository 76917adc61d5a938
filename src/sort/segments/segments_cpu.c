/* Sorting by segments on a CPU. Offsets are checked first. Then workers claim pieces of the elements, and sort the segments that
 * begin there, one after the other in cache: keys alone by vectors, where these sort them (network_leaf.h), else short ones by
 * insertion and others by the radix sort's leaf (radix_pairs.h). Keys of neighbouring segments become numbers, and keys again,
 * together. Segments that are larger than a leaf are listed, and then sorted one by one by all workers (radix_cpu.c).
 *     memory     each element read and written once, in long segments as by the radix sort */
#include "sort/segments/segments.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "function/check.h"
#include "function/function.h"
#include "radix/network_leaf.h"

typedef unsigned long long ull;

enum {
    LEAF_BYTES = 1 << 20,  /* keys and values of a segment that one worker sorts */
    PIECE_BYTES = 1 << 17, /* keys and values that a worker claims */
    CHECK_PIECE = 1 << 14, /* offsets that a worker claims */
    TABLE_BYTES = 2 * WW__RADIX_LEAF_BUCKETS * sizeof(uint32_t)
};

typedef struct segmenting {
    ww_device *device;
    const ww__radix *job;
    const ww__radix_loops *loops;
    ww__network_leaf *network; /* or NULL */
    const ww_input *offsets_in;
    const void *offsets; /* in memory */
    size_t offset_size, element, workers;
    uint64_t segments, leaf, piece; /* elements of a leaf and of a piece, at most */
    unsigned char *desks;           /* of each worker: tables or slots, then the keys and the values of a leaf */
    size_t desk_bytes, table_bytes;
    uint64_t *longs, long_count; /* segments that are no leaf */
    uint64_t next;
    ww__fault fault;
} segmenting;

static uint64_t offset_at(const segmenting *g, uint64_t i) {
    return g->offset_size == 4 ? ((const uint32_t *)g->offsets)[i] : ((const uint64_t *)g->offsets)[i];
}

/* ---- checking ---- */

static void check_pieces(void *argument, size_t worker) {
    segmenting *g = argument;
    const uint64_t most = ww__offset_most(g->offsets_in, g->job->n);
    (void)worker;
    for (uint64_t first; (first = ww__claim(&g->next) * CHECK_PIECE) <= g->segments;) {
        const uint64_t end = ww__min_u64(first + CHECK_PIECE, g->segments + 1);
        uint64_t before = first ? offset_at(g, first - 1) : 0;
        for (uint64_t i = first; i < end; i++) {
            const uint64_t offset = offset_at(g, i);
            if (offset < before || offset > most) {
                ww__fault_at(&g->fault, i);
                break;
            }
            before = offset;
        }
    }
}

static ww_status check_offsets(segmenting *g) {
    ww__fault_clear(&g->fault);
    ww__parallel(g->device, ww__workers(g->device, g->segments * g->offset_size), check_pieces, g);
    const uint64_t i = g->fault.position;
    uint64_t offset;
    if (i == UINT64_MAX) return WW_OK;
    WW_TRY(ww__input_number(g->device, g->offsets_in, i, &offset));
    if (offset > g->job->n)
        return ww__fail(g->device, WW_RANGE, "offsets[%llu] is %s, and there are %llu keys", (ull)i,
                        ww__number_said(g->offsets_in->type->label, offset).text, (ull)g->job->n);
    return ww__fail(g->device, WW_RANGE, "offsets[%llu] is %llu, below the one before it", (ull)i, (ull)offset);
}

/* ---- pieces ---- */

static unsigned char *key_out_at(const segmenting *g, uint64_t i) {
    return (unsigned char *)g->job->keys_out + i * g->job->key_size;
}
static unsigned char *value_out_at(const segmenting *g, uint64_t i) {
    return (unsigned char *)g->job->values_out + i * g->job->value_size;
}

static bool has_order(const segmenting *g) { return g->job->order.flip || g->job->order.fold; }

/* To the output, keys as numbers. */
static void arrange(const segmenting *g, uint64_t first, uint64_t n) {
    const ww__radix *job = g->job;
    if (has_order(g) || job->keys != job->keys_out)
        g->loops->arrange(key_out_at(g, first), (const unsigned char *)job->keys + first * job->key_size, n,
                          &job->order);
    if (job->value_size && job->values != job->values_out)
        memcpy(value_out_at(g, first), (const unsigned char *)job->values + first * job->value_size,
               n * job->value_size);
}

/* To the output as they are. */
static void copy(const segmenting *g, uint64_t first, uint64_t end) {
    const ww__radix *job = g->job;
    if (first >= end) return;
    if (job->keys != job->keys_out)
        memcpy(key_out_at(g, first), (const unsigned char *)job->keys + first * job->key_size,
               (end - first) * job->key_size);
    if (job->value_size && job->values != job->values_out)
        memcpy(value_out_at(g, first), (const unsigned char *)job->values + first * job->value_size,
               (end - first) * job->value_size);
}

/* The first segment that does not begin before element `at`; `segments` where there is none. */
static uint64_t segment_from(const segmenting *g, uint64_t at) {
    uint64_t low = 0, high = g->segments;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (offset_at(g, middle) < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Neighbouring segments, all of them leaves. */
static void sort_leaves(const segmenting *g, uint64_t first, uint64_t end, size_t worker) {
    const uint64_t begin = offset_at(g, first), n = offset_at(g, end) - begin;
    unsigned char *const desk = g->desks + worker * g->desk_bytes, *const keys = desk + g->table_bytes;
    unsigned char *const values = keys + ww__round_up(g->leaf * g->job->key_size, 64);
    if (!n) return;
    arrange(g, begin, n);
    for (uint64_t s = first; s < end; s++) {
        const uint64_t at = offset_at(g, s), many = offset_at(g, s + 1) - at;
        const ww__radix_leaf leaf = {.keys = {keys, key_out_at(g, at)},
                                     .values = {values, g->job->value_size ? value_out_at(g, at) : NULL},
                                     .tables = (uint32_t *)(void *)desk};
        if (many <= 1) continue;
        if (g->network)
            g->network(leaf.keys, 1, many, g->job->mask, desk);
        else
            g->loops->leaf(&leaf, 1, many, g->job->mask);
    }
    if (has_order(g)) g->loops->restore(key_out_at(g, begin), n, &g->job->order);
}

static void sort_segments(segmenting *g, uint64_t first, uint64_t end, size_t worker) {
    uint64_t leaves = first;
    for (uint64_t s = first; s < end; s++)
        if (offset_at(g, s + 1) - offset_at(g, s) > g->leaf) {
            sort_leaves(g, leaves, s, worker);
            g->longs[ww__claim(&g->long_count)] = s;
            leaves = s + 1;
        }
    if (leaves < end) sort_leaves(g, leaves, end, worker);
}

static void sort_pieces(void *argument, size_t worker) {
    segmenting *g = argument;
    const uint64_t begin = offset_at(g, 0), end = offset_at(g, g->segments), n = g->job->n;
    for (uint64_t first; (first = ww__claim(&g->next) * g->piece) < n;) {
        const uint64_t behind = ww__min_u64(first + g->piece, n);
        copy(g, first, ww__min_u64(begin, behind));
        copy(g, first > end ? first : end, behind);
        const uint64_t s = segment_from(g, first), last = behind == n ? g->segments : segment_from(g, behind);
        if (s < last) sort_segments(g, s, last, worker);
    }
}

/* ---- long segments ---- */

static ww_status sort_longs(const segmenting *g) {
    const ww__scratch_mark mark = ww__scratch_here(g->device);
    /* One segment may have all keys. */
    if (g->device->on_paper) return g->job->n > g->leaf ? ww__radix_sort(g->device, g->job) : WW_OK;
    for (uint64_t i = 0; i < g->long_count; i++) {
        const uint64_t at = offset_at(g, g->longs[i]);
        ww__radix job = *g->job;
        job.n = offset_at(g, g->longs[i] + 1) - at;
        job.keys = (const unsigned char *)job.keys + at * job.key_size;
        job.keys_out = key_out_at(g, at);
        if (job.value_size) {
            job.values = (const unsigned char *)job.values + at * job.value_size;
            job.values_out = value_out_at(g, at);
        }
        WW_TRY(ww__radix_sort(g->device, &job));
        ww__scratch_back(g->device, &mark);
    }
    return WW_OK;
}

/* ---- all ---- */

ww_status ww__sort_segments_cpu(ww_device *device, const ww__radix *job, const ww_input *offsets) {
    segmenting g = {.device = device,
                    .job = job,
                    .loops = ww__radix_loops_of(job->key_size, job->value_size),
                    .offsets_in = offsets,
                    .offset_size = offsets->size,
                    .element = job->key_size + job->value_size,
                    .segments = offsets->count - 1};
    g.workers = ww__workers(device, job->n * g.element);
    g.leaf = ww__min_u64(LEAF_BYTES / g.element, job->n);
    g.piece = PIECE_BYTES / g.element;
    if (!job->value_size && ww__radix_all_bits(job)) g.network = ww__network_leaf_of(device->vector, job->key_size);
    g.table_bytes = g.network ? (size_t)WW__NETWORK_SLOTS : (size_t)TABLE_BYTES;
    g.desk_bytes = g.table_bytes + ww__round_up(g.leaf * job->key_size, 64) +
                   ww__round_up(g.leaf * job->value_size, 64);
    WW_CHECK(device, g.loops, WW_UNSUPPORTED, "sorts no keys of %zu bytes here", job->key_size);
    WW_TRY(ww__input_in_memory(device, offsets, &g.offsets));
    WW_TRY(check_offsets(&g));
    if (!job->n) return WW_OK;
    WW_TRY(ww__scratch_array(device, g.workers, g.desk_bytes, &g.desks));
    WW_TRY(ww__scratch_array(device, job->n / (g.leaf + 1), sizeof *g.longs, &g.longs));
    ww__trace(device, "segments", NULL, job->n, job->n * g.element, g.workers);
    g.next = 0;
    ww__parallel(device, g.workers, sort_pieces, &g);
    return sort_longs(&g);
}
