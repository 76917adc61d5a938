/* The merge sorts' host side. The input is cut into 2^k chunks of nearly one length that fit in a second-level cache. Workers
 * claim them, and sort each depth first (parts_cpu.h). Then chunks are merged two by two, depth first too, so that what was merged last is
 * still in a cache: by method merge along the merge path, by all workers; by method merge-search each element finds
 * its place in the run beside it by binary search. Elements go to and fro between the output and a scratch copy.
 *
 * An input that is in order already is read once; of one that nearly is, by method auto, what is not is put in its place
 * (nearly_cpu.h). Runs that follow one another are copied, not merged. By the reverse of a caller's order elements are sorted from
 * back to front, and the result is reversed: ties come out right.
 *
 * An order that is none: leaves and merges give each element once. Searches may send two to one place; marks tell, and
 * the runs are then copied as they are. */
#include "sort/by_position.h"
#include "sort/merge/nearly_cpu.h"
#include "sort/merge/samples_cpu.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/function.h"
#include "primitive/merge/merge.h"

enum {
    CHUNK_BYTES = 1 << 18,   /* keys and values of a chunk, at most */
    CHUNK_MOST = 1 << 17,    /* its elements */
    CHUNKS_A_WORKER = 2,     /* so that no worker waits long for another */
    CHUNK_LEAST = 16,        /* … at least, where others would have nothing to do */
    NEEDLES = 256,           /* that a worker searches for at once */
    REVERSED_BYTES = 1 << 16 /* that a worker claims */
};

typedef struct sort {
    ww__sort_buffers b;
    uint64_t chunks;
    int to;         /* where chunks are sorted to */
    uint8_t *notes; /* for each worker, of a chunk's elements: which run each came from */
    size_t room;    /* of notes, for each worker */
    uint64_t *marks;
    bool unordered;
    uint64_t next;
} sort;

/* Where chunk k of `chunks` begins. */
static uint64_t chunk_first(const sort *r, uint64_t k, uint64_t chunks) {
    const uint64_t length = r->b.n / chunks, longer = r->b.n % chunks;
    return k * length + ww__min_u64(k, longer);
}

/* ---- chunks ---- */

static void sort_chunks(void *argument, size_t worker) {
    sort *r = argument;
    for (uint64_t k; (k = ww__claim(&r->next)) < r->chunks;) {
        const uint64_t first = chunk_first(r, k, r->chunks), end = chunk_first(r, k + 1, r->chunks);
        if (end > first)
            ww__part_sort(&r->b, first, (size_t)(end - first), WW__INPUT, r->to, r->notes + worker * r->room);
    }
}

static void look_for_order(void *argument, size_t worker) {
    sort *r = argument;
    (void)worker;
    for (uint64_t k; (k = ww__claim(&r->next)) < r->chunks;) {
        const uint64_t first = chunk_first(r, k, r->chunks), before = first ? 1 : 0;
        const size_t n = (size_t)(chunk_first(r, k + 1, r->chunks) - first + before);
        if (__atomic_load_n(&r->unordered, __ATOMIC_RELAXED)) return;
        if (r->b.loops->sorted(ww__key_in(&r->b, WW__INPUT, first - before), n, r->b.s->less->bound) < n)
            __atomic_store_n(&r->unordered, true, __ATOMIC_RELAXED);
    }
}

/* ---- merging by path ---- */

static ww_input keys_of(const sort *r, int buffer, uint64_t first, uint64_t n) {
    return ww_memory_of(ww__key_in(&r->b, buffer, first), n, r->b.s->type);
}

static ww_input values_of(const sort *r, int buffer, uint64_t first, uint64_t n) {
    return r->b.value_size ? ww_record_memory(ww__value_in(&r->b, buffer, first), n, r->b.value_size) : ww_no_input;
}

typedef struct two_runs { /* that stand one behind the other, and what they merge into */
    uint64_t first, middle, end;
    int to;
} two_runs;

static ww_status merge_by_path(sort *r, const two_runs *t) {
    const uint64_t na = t->middle - t->first, nb = t->end - t->middle;
    const ww_input a = keys_of(r, !t->to, t->first, na), b = keys_of(r, !t->to, t->middle, nb);
    const ww_input a_values = values_of(r, !t->to, t->first, na), b_values = values_of(r, !t->to, t->middle, nb);
    const ww_array out = ww_array_of(ww__key_in(&r->b, t->to, t->first), na + nb, r->b.s->type);
    const ww_array values_out = r->b.value_size
                                    ? ww_records(ww__value_in(&r->b, t->to, t->first), na + nb, r->b.value_size)
                                    : ww_none;
    const ww__scratch_mark mark = ww__scratch_here(r->b.device);
    const ww__merge_request merge = {r->b.s->less, &a, &b, &a_values, &b_values, &out, &values_out, false, 0};
    const ww_status status = ww__merge(r->b.device, &merge);
    ww__scratch_back(r->b.device, &mark);
    return status;
}

/* ---- merging by search ---- */

typedef struct searching {
    const sort *r;
    const two_runs *t;
    bool taken_twice;
    uint64_t next;
} searching;

/* Whether a place was not taken before. */
static bool take(const searching *c, uint64_t place) {
    uint64_t *const word = c->r->marks + place / 64, bit = (uint64_t)1 << place % 64;
    return !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit);
}

/* Elements first … first + n - 1, all of one run. `other` is where the run beside it begins. */
static void search_places(searching *c, uint64_t first, size_t n, uint64_t other, size_t others, bool right) {
    const sort *r = c->r;
    uint64_t rank[NEEDLES];
    const int from = !c->t->to;
    const uint64_t own = first - (right ? c->t->middle : c->t->first);
    r->b.loops->bound(rank, ww__key_in(&r->b, from, other), others, ww__key_in(&r->b, from, first), n, right,
                      r->b.s->less->bound);
    for (size_t i = 0; i < n; i++) {
        const uint64_t place = own + i + rank[i], to = c->t->first + place;
        if (r->marks && !take(c, place)) {
            __atomic_store_n(&c->taken_twice, true, __ATOMIC_RELAXED);
            continue;
        }
        memcpy(ww__key_in(&r->b, c->t->to, to), ww__key_in(&r->b, from, first + i), r->b.key_size);
        if (r->b.value_size)
            memcpy(ww__value_in(&r->b, c->t->to, to), ww__value_in(&r->b, from, first + i), r->b.value_size);
    }
}

static void search_pieces(void *argument, size_t worker) {
    searching *c = argument;
    const two_runs *t = c->t;
    (void)worker;
    for (uint64_t piece; (piece = t->first + ww__claim(&c->next) * NEEDLES) < t->end;) {
        const uint64_t end = ww__min_u64(piece + NEEDLES, t->end), cut = ww__min_u64(end, t->middle);
        if (piece < t->middle)
            search_places(c, piece, (size_t)(cut - piece), t->middle, (size_t)(t->end - t->middle), false);
        if (end > t->middle) {
            const uint64_t first = piece < t->middle ? t->middle : piece;
            search_places(c, first, (size_t)(end - first), t->first, (size_t)(t->middle - t->first), true);
        }
    }
}

static ww_status merge_by_search(sort *r, const two_runs *t) {
    searching c = {.r = r, .t = t};
    const uint64_t n = t->end - t->first;
    if (r->b.device->on_paper) return WW_OK;
    if (r->marks) memset(r->marks, 0, (size_t)((n + 63) / 64) * sizeof *r->marks);
    ww__parallel(r->b.device, r->b.workers, search_pieces, &c);
    if (c.taken_twice) ww__part_copy(&r->b, t->to, !t->to, t->first, n);
    return WW_OK;
}

/* Merges what `chunks` halved until there are r->chunks gives, from part k on, into a buffer. */
static ww_status merge_part(sort *r, uint64_t k, uint64_t chunks, int to) {
    if (chunks == r->chunks) return WW_OK;
    if (!r->b.device->on_paper) { /* the last merge takes the most */
        WW_TRY(merge_part(r, 2 * k, 2 * chunks, !to));
        WW_TRY(merge_part(r, 2 * k + 1, 2 * chunks, !to));
    }
    const uint64_t parts = r->chunks / chunks;
    const two_runs t = {chunk_first(r, k * parts, r->chunks), chunk_first(r, k * parts + parts / 2, r->chunks),
                        chunk_first(r, (k + 1) * parts, r->chunks), to};
    return r->b.s->method == WW_SORT_MERGE_SEARCH ? merge_by_search(r, &t) : merge_by_path(r, &t);
}

/* ---- a reversed order ---- */

typedef struct reversing {
    const unsigned char *from;
    unsigned char *to; /* other memory than `from`, or the same */
    size_t size;
    uint64_t n, piece, next;
} reversing;

static void swap_elements(unsigned char *a, unsigned char *b, size_t size) {
    unsigned char held[64];
    for (size_t done = 0; done < size; done += sizeof held) {
        const size_t some = size - done < sizeof held ? size - done : sizeof held;
        memcpy(held, a + done, some);
        memcpy(a + done, b + done, some);
        memcpy(b + done, held, some);
    }
}

static void reverse_pieces(void *argument, size_t worker) {
    reversing *t = argument;
    const bool in_place = t->to == t->from;
    const uint64_t most = in_place ? t->n / 2 : t->n;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&t->next) * t->piece) < most;)
        for (uint64_t i = first; i < ww__min_u64(first + t->piece, most); i++) {
            unsigned char *const to = t->to + i * t->size;
            if (in_place)
                swap_elements(to, t->to + (t->n - 1 - i) * t->size, t->size);
            else
                memcpy(to, t->from + (t->n - 1 - i) * t->size, t->size);
        }
}

static void reverse(const sort *r, void *to, const void *from, size_t size) {
    reversing t = {.from = from, .to = to, .size = size, .n = r->b.n};
    if (!size) return;
    t.piece = REVERSED_BYTES / size + 1;
    ww__parallel(r->b.device, r->b.workers, reverse_pieces, &t);
}

/* The result from back to front: of the input, which is sorted in the result's place then, or of itself. */
static void reverse_all(sort *r, int from) {
    reverse(r, r->b.keys[WW__RESULT], r->b.keys[from], r->b.key_size);
    reverse(r, r->b.values[WW__RESULT], r->b.values[from], r->b.value_size);
    r->b.keys[WW__INPUT] = r->b.keys[WW__RESULT];
    r->b.values[WW__INPUT] = r->b.values[WW__RESULT];
}

/* ---- the whole ---- */

static ww_status copy_input(const sort *r) {
    const ww_input keys = keys_of(r, WW__INPUT, 0, r->b.n), values = values_of(r, WW__INPUT, 0, r->b.n);
    const ww_array keys_out = ww_array_of(r->b.keys[WW__RESULT], r->b.n, r->b.s->type);
    if (r->b.keys[WW__INPUT] != r->b.keys[WW__RESULT]) WW_TRY(ww__sort_store(r->b.device, &keys, &keys_out));
    if (!r->b.value_size || r->b.values[WW__INPUT] == r->b.values[WW__RESULT]) return WW_OK;
    const ww_array out = ww_records(r->b.values[WW__RESULT], r->b.n, r->b.value_size);
    return ww__sort_store(r->b.device, &values, &out);
}

static bool by_samples(const ww__merge_sorting *s) {
    return s->method == WW_SORT_AUTO && s->n >= WW__SAMPLES_LEAST && s->n < WW__SAMPLES_MOST &&
           s->key_size <= WW__SAMPLES_BYTES;
}

static ww_status sort_all(sort *r) {
    const uint64_t longest = r->b.n / r->chunks + 1;
    r->room = r->b.value_size ? ww__round_up((size_t)longest, 64) : 0;
    WW_TRY(ww__scratch_array(r->b.device, r->b.n, r->b.key_size, &r->b.keys[WW__SCRATCH]));
    if (r->b.value_size) WW_TRY(ww__scratch_array(r->b.device, r->b.n, r->b.value_size, &r->b.values[WW__SCRATCH]));
    if (by_samples(r->b.s)) {
        bool done;
        WW_TRY(ww__nearly_sort(&r->b, &done));
        return done ? WW_OK : ww__samples_sort(&r->b);
    }
    WW_TRY(ww__scratch_array(r->b.device, r->b.workers, r->room, &r->notes));
    if (r->chunks > 1 && r->b.s->method == WW_SORT_MERGE_SEARCH && !r->b.s->trusted)
        WW_TRY(ww__scratch_array(r->b.device, (r->b.n + 63) / 64, sizeof *r->marks, &r->marks));
    r->next = 0;
    ww__parallel(r->b.device, r->b.workers, sort_chunks, r);
    return merge_part(r, 0, 1, WW__RESULT);
}

/* Chunks that fit, and some for each worker; each doubling is one more round of merges, between the buffers. */
static void choose_chunks(sort *r) {
    const uint64_t wanted = r->b.workers > 1 ? CHUNKS_A_WORKER * r->b.workers : 1;
    const size_t size = r->b.key_size + r->b.value_size;
    r->to = WW__RESULT;
    for (r->chunks = 1;
         r->b.n / r->chunks >= CHUNK_MOST || r->b.n / r->chunks * size > CHUNK_BYTES || r->chunks < wanted;
         r->chunks *= 2) {
        if (r->b.n / r->chunks <= CHUNK_LEAST) break;
        r->to = !r->to;
    }
}

ww_status ww__merge_sort_cpu(ww_device *device, const ww__merge_sorting *s) {
    const uint64_t bytes = s->n * (s->key_size + s->value_size);
    sort r = {.b = {.device = device,
                    .s = s,
                    .loops = ww__loops(device, s->less),
                    .key_size = s->key_size,
                    .value_size = s->value_size,
                    .workers = ww__workers(device, bytes),
                    .n = s->n,
                    .keys = {s->keys_out, NULL, (unsigned char *)(uintptr_t)s->keys}, /* which are only read */
                    .values = {s->values_out, NULL, (unsigned char *)(uintptr_t)s->values}}};
    if (!r.b.n) return WW_OK;
    const ww_sort_method merge = s->method == WW_SORT_AUTO ? WW_SORT_MERGE : s->method;
    ww__trace(device, by_samples(s) ? "samples" : ww__sort_method_name(merge), s->less, r.b.n, bytes, r.b.workers);
    choose_chunks(&r);
    if (s->reversed) reverse_all(&r, WW__INPUT);
    ww__parallel(device, r.b.workers, look_for_order, &r);
    WW_TRY(r.unordered || device->on_paper ? sort_all(&r) : copy_input(&r));
    if (s->reversed) reverse_all(&r, WW__RESULT);
    return WW_OK;
}
