/* A large batch of replaces, or of values that are combined, into an empty dictionary on a GPU. A stable radix sort brings equal keys
 * together; of each the last pair is kept, or what its values combine to. What is left are keys that all differ, which are inserted: built,
 * where that is worth it (build_gpu.c), else one by one. So a key that comes a million times is no place that a million threads wait for.
 *
 * Nothing that anybody sees has changed until then. Where memory ends before all are in, the dictionary is cleared, which it was, and the
 * batch is done operation by operation, for then each has to be told what became of it.
 *
 * Passes: the sort's over keys and values (with statuses: positions, and values read at random); the keys once more; the pairs read and
 * those that differ written once; an insertion of these. */
#include "device/gpu/batch.h"
#include "dictionary/slab/replace_arguments.cuh"
#include "dictionary/slab/slab.h"
#include "primitive/pack/pack.h"
#include "primitive/run/run.h"
#include "sort/sort.h"

enum { THREADS = 256 };

typedef struct replacing {
    ww_slab *s;
    const ww__slab_batch *b;
    uint64_t n;
    ww_array key, value;       /* pairs in order of their keys; value is none where there are none */
    ww_array kept, kept_value; /* those of keys that differ */
    uint32_t *position;        /* NULL: no statuses are wanted, and values are moved with their keys */
    uint8_t *last, *statuses;
} replacing;

static ww_status new_array(ww_slab *s, const ww_type *type, uint64_t count, ww_array *a) {
    void *room;
    *a = ww_none;
    if (!type) return WW_OK;
    WW_TRY(ww__scratch_array(s->device, count, type->size, &room));
    *a = ww_array_of(room, count, type);
    return WW_OK;
}

static ww_status put_in_order(replacing *p) {
    ww_slab *const s = p->s;
    ww__sorting sorting = {.keys = *p->b->keys, .bit_count = 8 * s->layout.key_size};
    WW_TRY(new_array(s, s->key_type, p->n, &p->key));
    WW_TRY(new_array(s, s->value_type, p->n, &p->value));
    if (p->b->statuses) WW_TRY(ww__scratch_array(s->device, p->n, sizeof *p->position, &p->position));
    sorting.keys_out = p->key;
    if (p->position) {
        sorting.values = ww_counting(&ww_type_uint32_t, 0, p->n);
        sorting.values_out = ww_array(p->position, p->n);
    } else if (p->b->values) {
        sorting.values = *p->b->values;
        sorting.values_out = p->value;
    }
    return ww__sort(s->device, &sorting);
}

/* Which are the last of equal keys, and what statuses are. */
static ww_status mark(replacing *p) {
    ww_slab *const s = p->s;
    ww__recipe r;
    ww__arguments a;
    WW_TRY(ww__scratch(s->device, p->n, &p->last));
    ww__slab_recipe(&r, "dictionary/slab/replace.cu", s, THREADS);
    ww__recipe_number(&r, "WW_PLACED", p->position != NULL);
    const bool moves = p->position && p->b->values;
    if (moves) ww__recipe_input(&r, "value", p->b->values);
    const replace_fixed fixed = {.count = p->n,
                                 .key = p->key.data,
                                 .position = p->position,
                                 .last = p->last,
                                 .statuses = p->statuses,
                                 .sorted = p->value.data};
    WW__ARGUMENTS(&a, fixed);
    if (moves) WW_TRY(ww__argument_input(s->device, &a, p->b->values));
    return ww__gpu_launch(s->device, &r, "replace_mark", ww__blocks(p->n, THREADS), THREADS, 0, &a);
}

static ww_status pack(const replacing *p, const ww_array *from, const ww_array *to, uint64_t *count) {
    const ww_input in = ww_from(*from), flags = ww_memory(p->last, p->n);
    const ww_array total = ww_array(count, 1);
    uint64_t kept;
    return ww__pack(p->s->device,
                    &(ww__pack_request){.in = &in, .flags = &flags, .out = to, .count = &total, .method = WW_PACK_AUTO},
                    &kept);
}

static ww_status keep_last(const replacing *p, uint64_t *count) {
    WW_TRY(pack(p, &p->key, &p->kept, count));
    return p->b->values ? pack(p, &p->value, &p->kept_value, count) : WW_OK;
}

static ww_status combine(const replacing *p, uint64_t *count) {
    const ww_input keys = ww_from(p->key), values = ww_from(p->value);
    const ww_array total = ww_array(count, 1);
    uint64_t runs;
    return ww__reduce_by_key(p->s->device,
                             &(ww__reduce_by_key_request){.op = p->b->combine,
                                                          .keys = &keys,
                                                          .values = &values,
                                                          .keys_out = &p->kept,
                                                          .values_out = &p->kept_value,
                                                          .total = &total},
                             &runs);
}

/* The pairs of keys that differ, in scratch memory that stays; all that the sort took is given back. */
static ww_status make_distinct(replacing *p, uint64_t *many) {
    ww_slab *const s = p->s;
    uint64_t *count;
    WW_TRY(new_array(s, s->key_type, p->n, &p->kept));
    WW_TRY(new_array(s, s->value_type, p->n, &p->kept_value));
    WW_TRY(ww__scratch_array(s->device, 1, sizeof *count, &count));
    const ww__scratch_mark before = ww__scratch_here(s->device);
    WW_TRY(put_in_order(p));
    if (!p->b->combine || p->position) WW_TRY(mark(p));
    WW_TRY(p->b->combine ? combine(p, count) : keep_last(p, count));
    ww__scratch_back(s->device, &before);
    *many = p->n; /* as on paper, and as a GPU that only compiles leaves it */
    return ww__gpu_copy(s->device, many, count, sizeof *many);
}

ww_status ww__slab_distinct_gpu(ww_slab *s, const ww__slab_batch *b, ww__slab_batch *distinct, ww_input *keys,
                                ww_input *values, void **statuses) {
    replacing p = {.s = s, .b = b, .n = b->count};
    void *room = NULL;
    uint64_t many;
    if (b->statuses) WW_TRY(ww__gpu_room_kept(s->device, b->statuses, &room));
    p.statuses = room;
    *statuses = room;
    WW_TRY(make_distinct(&p, &many));
    *keys = ww_memory_of(p.kept.data, many, s->key_type);
    if (b->values) *values = ww_memory_of(p.kept_value.data, many, s->value_type);
    *distinct = (ww__slab_batch){
        .kind = WW__SLAB_KIND_INSERT, .keys = keys, .values = b->values ? values : NULL, .count = many};
    return WW_OK;
}
