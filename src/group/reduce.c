/* Reductions of blocks. The operator of integers may be bracketed in any way: each rank reduces its block, and all reduce the ranks'
 * results. For other types the brackets are those that ww_reduce sets for the whole array: it is cut into tiles, each of which is
 * folded; the tiles' results are an array, again in blocks, with which the same is done, until one tile holds it all: every rank
 * then folds that. A tile that lies on several ranks is folded by the one where it begins: the others send it their heads. */
#include <string.h>

#include "device/steps.h"
#include "function/function.h"
#include "group/group.h"
#include "warpwise/input.h"
#include "warpwise/primitive.h"

typedef struct reducing {
    ww_group *group;
    const ww_function *op;
    const ww_type *type;
    size_t size;
    size_t tile;
} reducing;

enum { COPY, PARTIALS, OTHER_PARTIALS, HEAD, TAIL, RESULT }; /* places of what is kept */

static ww_array elements(const reducing *r, const void *data, uint64_t count) {
    return (ww_array){(void *)(uintptr_t)data, count, r->type, r->size, NULL, 0};
}
static ww_input memory(const reducing *r, const void *data, uint64_t count) {
    return ww_from(elements(r, data, count));
}

static const void *element(const reducing *r, const void *data, uint64_t i) {
    return (const unsigned char *)data + (size_t)i * r->size;
}

/* ---- where tiles lie ---- */

typedef struct blocks {
    const uint64_t *at, *count; /* each rank's */
    uint64_t total;
} blocks;

/* How many of rank q's first elements belong to a tile that begins on an earlier rank. */
static uint64_t head_of(const reducing *r, const blocks *b, uint32_t q) {
    const uint64_t into = b->at[q] % r->tile;
    return into ? ww__min_u64(r->tile - into, b->count[q]) : 0;
}

/* The rank where the tile begins that q's head belongs to. */
static uint32_t owner_of_head(const reducing *r, const blocks *b, uint32_t q) {
    const uint64_t begin = b->at[q] / r->tile * r->tile;
    while (b->at[q] > begin) q--;
    while (!b->count[q]) q++;
    return q;
}

/* ---- one level ---- */

typedef struct level {
    const void *data; /* memory of the device's, or the caller's */
    uint64_t count;
    void *partials, *head, *tail;
} level;

/* What all need is taken before the ranks agree: between an agreement and the next nothing is left that could fail alone. */
static ww_status rooms(const reducing *r, level *l, size_t place) {
    WW_TRY(ww__group_room(r->group, place, l->count / r->tile + 1, r->size, &l->partials));
    WW_TRY(ww__group_room(r->group, HEAD, r->tile, r->size, &l->head));
    return ww__group_room(r->group, TAIL, r->tile, r->size, &l->tail);
}

/* Sends heads to where their tiles begin; tail gets this rank's last tile, of which it has `own` elements, all of its length. */
static ww_status trade_heads(const reducing *r, const blocks *b, const level *l, uint64_t own) {
    ww_group *group = r->group;
    uint64_t *const *number = group->number;
    const uint32_t me = group->engine.rank;
    uint64_t behind = own;
    for (uint32_t q = 0; q < group->engine.ranks; q++) {
        number[WW__SEND_AT][q] = number[WW__SEND_COUNT][q] = number[WW__RECEIVE_AT][q] = number[WW__RECEIVE_COUNT][q] =
            0;
        const uint64_t head = head_of(r, b, q);
        if (!head || owner_of_head(r, b, q) != me) continue;
        number[WW__RECEIVE_AT][q] = behind;
        number[WW__RECEIVE_COUNT][q] = head;
        behind += head;
    }
    const uint64_t mine = head_of(r, b, me);
    if (mine) number[WW__SEND_COUNT][owner_of_head(r, b, me)] = mine;
    return ww__group_trade(group,
                           &(ww__trade){.send = l->head,
                                        .receive = l->tail,
                                        .size = r->size,
                                        .send_at = number[WW__SEND_AT],
                                        .send_count = number[WW__SEND_COUNT],
                                        .receive_at = number[WW__RECEIVE_AT],
                                        .receive_count = number[WW__RECEIVE_COUNT]},
                           1);
}

static ww_status fold_whole_tiles(const reducing *r, const void *data, uint64_t tiles, void *partials) {
    if (!tiles) return WW_OK;
    const uint64_t count = tiles * r->tile;
    const ww_input ends = ww_strided(ww_counting(&ww_type_uint64_t, 0, count + 1), 0, (int64_t)r->tile, tiles + 1);
    return ww_reduce_segments(r->group->device, r->op, memory(r, data, count), ends, elements(r, partials, tiles));
}

/* A rank's part of a level: its head, whole tiles, and the first elements of a tile that goes on elsewhere or is the last of all. */
typedef struct part {
    uint64_t head, whole, rest;
    uint64_t last; /* of how many elements the tile of the rest is */
} part;

static part part_of(const reducing *r, const blocks *b) {
    const uint32_t me = r->group->engine.rank;
    part p = {.head = head_of(r, b, me)};
    const uint64_t own = b->count[me] - p.head;
    p.whole = own / r->tile;
    p.rest = own % r->tile;
    p.last = ww__min_u64(r->tile, b->total - (b->at[me] + p.head + p.whole * r->tile));
    return p;
}

/* What needs nothing from other ranks. */
static ww_status fold_own(const reducing *r, const part *p, const level *l) {
    ww_device *device = r->group->device;
    if (p->head) WW_TRY(ww_copy(device, memory(r, l->data, p->head), elements(r, l->head, p->head)));
    if (p->rest)
        WW_TRY(ww_copy(device, memory(r, element(r, l->data, p->head + p->whole * r->tile), p->rest),
                       elements(r, l->tail, p->rest)));
    return fold_whole_tiles(r, element(r, l->data, p->head), p->whole, l->partials);
}

static ww_status fold_tail(const reducing *r, const part *p, const level *l) {
    if (!p->rest) return WW_OK;
    return ww_reduce(r->group->device, r->op, memory(r, l->tail, p->last),
                     elements(r, element(r, l->partials, p->whole), 1));
}

/* Everything is one tile at most: it goes to all ranks. The status is agreed on. */
static ww_status fold_last(const reducing *r, const blocks *b, const level *l, const ww_array *result) {
    ww_group *group = r->group;
    uint64_t *const *number = group->number;
    ww_status status = WW_OK;
    for (uint32_t q = 0; q < group->engine.ranks; q++) {
        number[WW__SEND_AT][q] = 0;
        number[WW__SEND_COUNT][q] = l->count;
    }
    if (l->count) status = ww_copy(group->device, memory(r, l->data, l->count), elements(r, l->head, l->count));
    WW_TRY(ww__group_agree(group, status, NULL, NULL, 0));
    WW_TRY(ww__group_trade(group,
                           &(ww__trade){.send = l->head,
                                        .receive = l->tail,
                                        .size = r->size,
                                        .send_at = number[WW__SEND_AT],
                                        .send_count = number[WW__SEND_COUNT],
                                        .receive_at = b->at,
                                        .receive_count = b->count},
                           1));
    status = ww_reduce(group->device, r->op, memory(r, l->tail, b->total), *result);
    return ww__group_agree(group, status, NULL, NULL, 0);
}

static blocks blocks_of(ww_group *group) {
    uint64_t *count = group->number[WW__NUMBERS_MORE], *at = group->number[WW__BLOCK_AT];
    for (uint32_t q = 0; q < group->engine.ranks; q++) count[q] = group->said[q].number[0];
    return (blocks){.at = at, .count = count, .total = ww__group_blocks(group, 0, at)};
}

/* `status` is what this rank has found so far, `digest` what all are to agree on; what comes back is agreed on. */
static ww_status reduce_tiles(const reducing *r, ww_status status, const unsigned char *digest, level l,
                              const ww_array *result) {
    size_t place = PARTIALS;
    for (;;) {
        if (!status) status = rooms(r, &l, place);
        WW_TRY(ww__group_agree(r->group, status, digest, &l.count, 1));
        const blocks b = blocks_of(r->group);
        if (b.total <= r->tile) return fold_last(r, &b, &l, result);
        const part p = part_of(r, &b);
        WW_TRY(ww__group_agree(r->group, fold_own(r, &p, &l), NULL, NULL, 0));
        WW_TRY(trade_heads(r, &b, &l, p.rest));
        status = fold_tail(r, &p, &l);
        l.data = l.partials;
        l.count = p.whole + (p.rest != 0);
        place = place == PARTIALS ? OTHER_PARTIALS : PARTIALS;
        digest = NULL;
    }
}

/* Memory as it is, or what is computed in a copy. */
static ww_status in_memory(const reducing *r, const ww_input *in, level *l) {
    void *copy;
    l->count = in->count;
    l->data = ww__input_memory(in);
    if (ww__input_is_memory(in)) return WW_OK;
    WW_TRY(ww__group_room(r->group, COPY, in->count, r->size, &copy));
    l->data = copy;
    return ww_store(r->group->device, *in, elements(r, copy, in->count));
}

/* ---- integers ---- */

/* As reduce_tiles. */
static ww_status reduce_exactly(const reducing *r, ww_status status, const unsigned char *digest, const ww_input *in,
                                const ww_array *result) {
    ww_group *group = r->group;
    uint64_t mine[2] __attribute__((aligned(16))) = {0, 0};
    unsigned char *all = (unsigned char *)group->bytes; /* which has room for more than an element of each rank */
    if (!status) status = ww_reduce(group->device, r->op, *in, elements(r, mine, 1));
    WW_TRY(ww__group_agree(group, status, digest, mine, 2));
    for (uint32_t q = 0; q < group->engine.ranks; q++) memcpy(all + q * r->size, group->said[q].number, r->size);
    status = ww_reduce(group->device, r->op, memory(r, all, group->engine.ranks), *result);
    return ww__group_agree(group, status, NULL, NULL, 0);
}

/* ---- the call ---- */

/* An operator that does not fit is refused before anything is done for it: nothing is reduced, to where the result will be. */
static ww_status check(const reducing *r, const ww_input *in, const ww_array *out, ww_array *result) {
    ww_group *group = r->group;
    void *one;
    WW_TRY(ww__group_check_begin(group));
    WW_GROUP_CHECK(group, r->op, WW_INVALID, "op is NULL");
    WW_GROUP_CHECK(group, in->steps && in->type && in->size, WW_INVALID, "in is missing");
    WW_TRY(ww__group_check_array(group, "out", out));
    WW_GROUP_CHECK(group, out->count == 1, WW_INVALID, "out has %llu elements; it takes 1",
                   (unsigned long long)out->count);
    WW_GROUP_CHECK(group, out->type == in->type && out->size == in->size, WW_TYPE,
                   "in is of type %s (%zu bytes), out of %s (%zu)", in->type->label, in->size, out->type->label,
                   out->size);
    WW_TRY(ww__group_room(group, RESULT, 1, r->size, &one));
    *result = elements(r, one, 1);
    return ww_reduce(group->device, r->op, memory(r, NULL, 0), *result);
}

static bool is_integer(const ww_type *type) {
    return type && (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED);
}

static void agree_on(const reducing *r, unsigned char alike[WW__DIGEST]) {
    ww__digest digest;
    ww__digest_begin(&digest);
    ww__agree_function(r->group, &digest, r->op);
    ww__agree_type(&digest, r->type, r->size);
    ww__digest_end(&digest, alike);
}

static ww_status reduce(reducing *r, const ww_input *in, const ww_array *out) {
    unsigned char alike[WW__DIGEST];
    ww_array result = ww_none;
    ww_status status = check(r, in, out, &result);
    agree_on(r, alike);
    if (is_integer(r->type)) {
        WW_TRY(reduce_exactly(r, status, alike, in, &result));
    } else {
        level l = {.count = 0};
        r->tile = ww__tile(r->size ? r->size : 1);
        if (r->tile < 2) r->tile = 2;
        if (!status) status = in_memory(r, in, &l);
        WW_TRY(reduce_tiles(r, status, alike, l, &result));
    }
    return ww_copy(r->group->device, ww_from(result), *out);
}

ww_status ww_group_reduce(ww_group *group, const ww_function *op, ww_input in, ww_array out) {
    reducing r = {.group = group, .op = op, .type = in.type, .size = in.size};
    WW_TRY(ww__group_enter(group, "ww_group_reduce"));
    return ww__group_leave(group, reduce(&r, &in, &out));
}
