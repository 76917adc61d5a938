/* Reductions of blocks. The operator of integers may be bracketed in any way: each rank reduces its block, and all reduce the ranks'
 * results. For other types the brackets are those that ww_reduce sets for the whole array: it is cut into tiles, each of which is
 * folded; the tiles' results are an array, again in blocks, with which the same is done, until one tile holds it all: every rank
 * then folds that. A tile that lies on several ranks is folded by the one where it begins: the others send it their heads. */
#include <string.h>

#include "function/function.h"
#include "group/tiles.h"
#include "warpwise/input.h"
#include "warpwise/primitive.h"

typedef struct reducing {
    ww__tiles tiles;
    const ww_function *op;
} reducing;

enum { COPY, PARTIALS, OTHER_PARTIALS, HEAD, TAIL, RESULT }; /* places of what is kept */

static ww_array elements(const reducing *r, const void *data, uint64_t count) {
    return ww__tiles_array(&r->tiles, data, 0, count);
}

/* ---- tiles ---- */

typedef struct level {
    const void *data; /* memory of the device's, or the caller's */
    uint64_t count;
    void *partials, *head, *tail;
} level;

/* What all need is taken before the ranks agree: between an agreement and the next nothing is left that could fail alone. */
static ww_status rooms(const reducing *r, level *l, size_t place) {
    const ww__tiles *t = &r->tiles;
    WW_TRY(ww__group_room(t->group, place, l->count / t->tile + 1, t->size, &l->partials));
    WW_TRY(ww__group_room(t->group, HEAD, t->tile, t->size, &l->head));
    return ww__group_room(t->group, TAIL, t->tile, t->size, &l->tail);
}

/* What needs nothing from other ranks. */
static ww_status fold_own(const reducing *r, const ww__tile_part *p, const level *l) {
    const ww__tiles *t = &r->tiles;
    WW_TRY(ww__tiles_take(t, p, l->data, l->head, l->tail));
    return ww__tiles_fold(t, r->op, ww__tiles_array(t, l->data, p->head, 0).data, p->whole, l->partials);
}

static ww_status fold_tail(const reducing *r, const ww__tile_part *p, const level *l) {
    if (!p->rest) return WW_OK;
    return ww_reduce(r->tiles.group->device, r->op, ww_from(elements(r, l->tail, p->last)),
                     ww__tiles_array(&r->tiles, l->partials, p->whole, 1));
}

/* Everything is one tile at most: it goes to all ranks. The status is agreed on. */
static ww_status fold_last(const reducing *r, const level *l, const ww_array *result) {
    const ww__tiles *t = &r->tiles;
    ww_group *group = t->group;
    uint64_t *const *number = group->number;
    ww_status status = WW_OK;
    for (uint32_t q = 0; q < group->engine.ranks; q++) {
        number[WW__SEND_AT][q] = 0;
        number[WW__SEND_COUNT][q] = l->count;
    }
    if (l->count)
        status = ww_copy(group->device, ww_from(elements(r, l->data, l->count)), elements(r, l->head, l->count));
    WW_TRY(ww__group_agree(group, status, NULL, NULL, 0));
    WW_TRY(ww__group_trade(group,
                           &(ww__trade){.send = l->head,
                                        .receive = l->tail,
                                        .size = t->size,
                                        .send_at = number[WW__SEND_AT],
                                        .send_count = number[WW__SEND_COUNT],
                                        .receive_at = t->at,
                                        .receive_count = t->count},
                           1));
    status = ww_reduce(group->device, r->op, ww_from(elements(r, l->tail, t->total)), *result);
    return ww__group_agree(group, status, NULL, NULL, 0);
}

/* `status` is what this rank has found so far, `digest` what all are to agree on; what comes back is agreed on. */
static ww_status reduce_tiles(reducing *r, ww_status status, const unsigned char *digest, level l,
                              const ww_array *result) {
    ww_group *group = r->tiles.group;
    size_t place = PARTIALS;
    for (;;) {
        if (!status) status = rooms(r, &l, place);
        WW_TRY(ww__group_agree(group, status, digest, &l.count, 1));
        ww__tiles_lie(&r->tiles);
        if (r->tiles.total <= r->tiles.tile) return fold_last(r, &l, result);
        const ww__tile_part p = ww__tiles_part(&r->tiles, group->engine.rank);
        WW_TRY(ww__group_agree(group, fold_own(r, &p, &l), NULL, NULL, 0));
        WW_TRY(ww__tiles_send_heads(&r->tiles, l.head, l.tail));
        status = fold_tail(r, &p, &l);
        l.data = l.partials;
        l.count = p.whole + (p.rest != 0);
        place = place == PARTIALS ? OTHER_PARTIALS : PARTIALS;
        digest = NULL;
    }
}

/* ---- integers ---- */

static bool is_integer(const ww_type *type) {
    return type && (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED);
}

/* Whether the ranks' results are folded by the host of each: kernels and copies of a few bytes take longer. What an operator's
 * environment holds may lie on a GPU alone. */
static bool folds_on_host(const reducing *r) {
    return r->tiles.group->all_gpus && is_integer(r->tiles.type) && r->op && !r->op->bound;
}

/* As reduce_tiles. */
static ww_status reduce_exactly(const reducing *r, ww_status status, const unsigned char *digest, const ww_input *in,
                                const ww_array *result) {
    const size_t size = r->tiles.size;
    ww_group *group = r->tiles.group;
    uint64_t mine[2] __attribute__((aligned(16))) = {0, 0};
    unsigned char *all = (unsigned char *)group->bytes; /* which has room for more than an element of each rank */
    if (!status) status = ww_reduce(group->device, r->op, *in, elements(r, mine, 1));
    WW_TRY(ww__group_agree(group, status, digest, mine, 2));
    for (uint32_t q = 0; q < group->engine.ranks; q++) memcpy(all + q * size, group->said[q].number, size);
    status = ww_reduce(folds_on_host(r) ? group->host : group->device, r->op,
                       ww_from(elements(r, all, group->engine.ranks)), *result);
    return ww__group_agree(group, status, NULL, NULL, 0);
}

/* ---- the call ---- */

/* An operator that does not fit is refused before anything is done for it: nothing is reduced, to where the result will be. */
static ww_status check(const reducing *r, const ww_input *in, const ww_array *out, ww_array *result) {
    ww_group *group = r->tiles.group;
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
    if (folds_on_host(r)) {
        WW_TRY(ww__group_host(group));
        *result = elements(r, (unsigned char *)group->bytes + group->engine.ranks * r->tiles.size, 1);
        const ww_status status = ww_reduce(group->host, r->op, ww_from(elements(r, NULL, 0)), *result);
        return status ? ww__group_say(group, status, "%s", ww_error(group->host)) : WW_OK;
    }
    WW_TRY(ww__group_room(group, RESULT, 1, r->tiles.size > sizeof(float) ? r->tiles.size : sizeof(float), &one));
    *result = elements(r, one, 1);
    return ww_reduce(group->device, r->op, ww_from(elements(r, NULL, 0)), *result);
}

static void agree_on(const reducing *r, unsigned char alike[WW__DIGEST]) {
    ww__digest digest;
    ww__digest_begin(&digest);
    ww__agree_function(r->tiles.group, &digest, r->op);
    ww__agree_type(&digest, r->tiles.type, r->tiles.size);
    ww__digest_end(&digest, alike);
}

static ww_status reduce(reducing *r, const ww_input *in, const ww_array *out) {
    unsigned char alike[WW__DIGEST];
    ww_array result = ww_none;
    ww_input wide;
    ww_status status = check(r, in, out, &result);
    agree_on(r, alike);
    if (!status && ww__wide_operator(ww__operator(r->op, r->tiles.type, r->tiles.size))) {
        wide = ww_cast(&ww_type_float, *in); /* rounded once, at the end */
        in = &wide;
        r->tiles.type = &ww_type_float;
        r->tiles.size = sizeof(float);
        result = elements(r, result.data, 1);
    }
    if (is_integer(r->tiles.type)) {
        WW_TRY(reduce_exactly(r, status, alike, in, &result));
    } else {
        ww__tiles *t = &r->tiles;
        level l = {.count = in->count};
        t->tile = ww__tile(t->size ? t->size : 1);
        if (t->tile < 2) t->tile = 2;
        if (!status) status = ww__tiles_in_memory(t, COPY, in, &l.data);
        WW_TRY(reduce_tiles(r, status, alike, l, &result));
    }
    if (result.type == out->type) return ww__group_put(r->tiles.group, result, *out);
    return ww_store(r->tiles.group->device, ww_cast(out->type, ww_from(result)), *out);
}

ww_status ww_group_reduce(ww_group *group, const ww_function *op, ww_input in, ww_array out) {
    reducing r = {.tiles = {.group = group, .type = in.type, .size = in.size}, .op = op};
    WW_TRY(ww__group_enter(group, "ww_group_reduce"));
    return ww__group_leave(group, reduce(&r, &in, &out));
}
