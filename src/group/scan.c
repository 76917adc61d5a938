/* Scans of blocks. The operator of integers may be bracketed in any way: each rank reduces its block, learns what all reduce to, and scans
 * with what comes before as its initial value. For other types the brackets are those that ww_scan sets on a CPU for the whole array: it
 * is cut into tiles, each is folded, and the carry into a tile is the sum of the initial value and the folds before it, one after
 * another. So all folds go to all ranks; each follows the chain of carries to its own first tile. A tile that lies on several ranks
 * is folded and scanned by the one where it begins: the others send it their heads, and get results back. */
#include <string.h>

#include "function/check.h"
#include "function/function.h"
#include "group/tiles.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

enum { COPY, FOLDS, ALL_FOLDS, HEAD, TAIL, CARRIES, SUMS }; /* places of what is kept */
enum { CHAIN };                                             /* the host's */

typedef struct scanning {
    ww__tiles tiles;
    const ww_function *op;
    ww_function in_order; /* the operator, folded as one that does not commute */
    ww_input in;
    ww_array out;
    ww_scan_options options;
    /* of tiles */
    const void *data;
    void *folds, *all_folds, *head, *tail;
    unsigned char *carries; /* the device's memory: into the block, into the last tile, of all; one element each */
} scanning;

static ww_array elements(const scanning *s, const void *data, uint64_t first, uint64_t count) {
    return ww__tiles_array(&s->tiles, data, first, count);
}

/* ww_scan of elements of the block, with what comes before them. */
static ww_status scan(const scanning *s, ww_input in, ww_array out, ww_value before) {
    ww_scan_options o = WW_SCAN_OPTIONS;
    if (!in.count) return WW_OK;
    o.exclusive = s->options.exclusive;
    o.initial = before;
    return ww_scan(s->tiles.group->device, s->op, in, out, &o);
}

static ww_value value_at(const scanning *s, const void *data) {
    return s->tiles.type == &ww_type_record ? ww_record_value(data, s->tiles.size) : ww_value_of(data, s->tiles.type);
}

/* The initial value, or nothing, as the first of `room` elements: how many there are. */
static size_t put_initial(const scanning *s, void *room) {
    const ww_value *v = &s->options.initial;
    if (!v->type) return 0;
    memcpy(room, v->data ? v->data : v->bytes, s->tiles.size);
    return 1;
}

/* ---- integers ---- */

/* A few elements of the host's memory, which a host begins with at once. What an operator's environment holds may lie on a GPU alone. */
static bool folds_on_host(const scanning *s) { return s->tiles.group->device->gpu && s->op && !s->op->bound; }

static ww_status fold_few(const scanning *s, const void *few, uint64_t count, void *out) {
    const ww_group *group = s->tiles.group;
    return ww_reduce(folds_on_host(s) ? group->host : group->device, s->op, ww_from(elements(s, few, 0, count)),
                     elements(s, out, 0, 1));
}

/* What comes back is agreed on; *total is there then, where one is wanted. */
static ww_status scan_exactly(scanning *s, ww_status status, const unsigned char *digest, void *total) {
    ww_group *group = s->tiles.group;
    const size_t size = s->tiles.size;
    const uint32_t me = group->engine.rank, ranks = group->engine.ranks;
    uint64_t mine[2] __attribute__((aligned(16))) = {0, 0}, before[2] __attribute__((aligned(16)));
    unsigned char *all = (unsigned char *)
                             group->bytes; /* which has room for more than an element of each rank, and one */
    if (!status && folds_on_host(s)) status = ww__group_host(group);
    if (!status) status = ww_reduce(group->device, s->op, s->in, elements(s, mine, 0, 1));
    WW_TRY(ww__group_agree(group, status, digest, mine, 2));
    const size_t first = put_initial(s, all);
    for (uint32_t q = 0; q < ranks; q++) memcpy(all + (first + q) * size, group->said[q].number, size);
    status = fold_few(s, all, first + me, before);
    if (!status && s->options.total.type) status = fold_few(s, all, first + ranks, total);
    if (!status) status = scan(s, s->in, s->out, value_at(s, before));
    if (!status) status = ww_sync(group->device);
    return ww__group_agree(group, status, NULL, NULL, 0);
}

/* ---- tiles ---- */

static ww_status rooms(scanning *s) {
    const ww__tiles *t = &s->tiles;
    void *carries;
    WW_TRY(ww__tiles_in_memory(t, COPY, &s->in, &s->data));
    WW_TRY(ww__group_room(t->group, FOLDS, s->in.count / t->tile + 1, t->size, &s->folds));
    WW_TRY(ww__group_room(t->group, HEAD, t->tile, t->size, &s->head));
    WW_TRY(ww__group_room(t->group, TAIL, t->tile, t->size, &s->tail));
    WW_TRY(ww__group_host_room(t->group, CHAIN, 16 + 3, t->size, &carries));
    s->carries = carries;
    return WW_OK;
}

/* All ranks' folds, in order, on all ranks. */
static ww_status trade_folds(const scanning *s, uint64_t *all) {
    const ww__tiles *t = &s->tiles;
    uint64_t *const *number = t->group->number;
    const uint32_t ranks = t->group->engine.ranks, me = t->group->engine.rank;
    for (uint32_t q = 0; q < ranks; q++) {
        number[WW__SEND_AT][q] = 0;
        number[WW__SEND_COUNT][q] = ww__tiles_begun(t, me);
        number[WW__RECEIVE_COUNT][q] = ww__tiles_begun(t, q);
    }
    *all = ww__group_places(t->group, number[WW__RECEIVE_COUNT], number[WW__RECEIVE_AT]);
    return ww__group_trade(t->group,
                           &(ww__trade){.send = s->folds,
                                        .receive = s->all_folds,
                                        .size = t->size,
                                        .send_at = number[WW__SEND_AT],
                                        .send_count = number[WW__SEND_COUNT],
                                        .receive_at = number[WW__RECEIVE_AT],
                                        .receive_count = number[WW__RECEIVE_COUNT]},
                           1);
}

/* carry + folds[0] + … + folds[count - 1], on a GPU, where carries have no brackets of their own. The folds are in its memory, the
 * carry in the host's, which it reaches too, with room for 15 elements behind it. */
static ww_status chain_on_gpu(const scanning *s, unsigned char *carry, const unsigned char *folds, uint64_t count) {
    ww_device *device = s->tiles.group->device;
    WW_TRY(ww_reduce(device, s->op, ww_from(elements(s, folds, 0, count)), elements(s, carry, 1, 1)));
    WW_TRY(ww_reduce(device, s->op, ww_from(elements(s, carry, 0, 2)), elements(s, carry, 2, 1)));
    WW_TRY(ww_sync(device));
    memcpy(carry, carry + 2 * s->tiles.size, s->tiles.size);
    return WW_OK;
}

/* The same on a CPU, one after another: by the operator's own loop, which goes from left to right below 16. */
static ww_status chain(const scanning *s, unsigned char *carry, const unsigned char *folds, uint64_t count) {
    enum { MOST = 14 };
    const size_t size = s->tiles.size;
    ww_device *device = s->tiles.group->device;
    if (!count) return WW_OK;
    if (device->gpu) return chain_on_gpu(s, carry, folds, count);
    const ww_function *op = ww__operator(s->op, s->tiles.type, size);
    const ww_combine_loops *loops = ww__loops(device, op);
    for (uint64_t at = 0; at < count; at += MOST) {
        const size_t n = (size_t)ww__min_u64(MOST, count - at);
        memcpy(carry + size, folds + at * size, n * size);
        loops->fold_ordered(carry + (MOST + 1) * size, carry, n + 1, op->bound);
        memcpy(carry, carry + (MOST + 1) * size, size);
    }
    return WW_OK;
}

/* Carries into this rank's first tile, into its last one, and of all; where nothing comes before the first tile, that is the identity. */
typedef struct carries {
    unsigned char *first, *last, *total;
} carries;

static ww_status chain_all(const scanning *s, const ww__tile_part *p, uint64_t all, carries *c) {
    const ww__tiles *t = &s->tiles;
    const size_t size = t->size;
    unsigned char *carry = s->carries;
    uint64_t before = 0;
    *c = (carries){carry + 16 * size, carry + 17 * size, carry + 18 * size};
    for (uint32_t q = 0; q < t->group->engine.rank; q++) before += ww__tiles_begun(t, q);
    if (!put_initial(s, carry))
        WW_TRY(ww_reduce(t->group->device, s->op, ww_from(elements(s, NULL, 0, 0)), elements(s, carry, 0, 1)));
    WW_TRY(ww_sync(t->group->device));
    const unsigned char *folds = s->all_folds;
    WW_TRY(chain(s, carry, folds, before));
    memcpy(c->first, carry, size);
    WW_TRY(chain(s, carry, folds + before * size, p->whole));
    memcpy(c->last, carry, size);
    WW_TRY(chain(s, carry, folds + (before + p->whole) * size, all - before - p->whole));
    memcpy(c->total, carry, size);
    return WW_OK;
}

/* The folds of this rank's tiles; the last one's when heads have come. */
static ww_status fold_whole(const scanning *s, const ww__tile_part *p) {
    WW_TRY(ww__tiles_take(&s->tiles, p, s->data, s->head, s->tail));
    return ww__tiles_fold(&s->tiles, &s->in_order, elements(s, s->data, p->head, 0).data, p->whole, s->folds);
}

/* One tile of its own: a segment, so that it is folded in its brackets, whatever its length. */
static ww_status fold_last(const scanning *s, const ww__tile_part *p) {
    if (!p->rest) return WW_OK;
    ww__tiles last = s->tiles;
    last.tile = p->last;
    return ww__tiles_fold(&last, &s->in_order, s->tail, 1, elements(s, s->folds, p->whole, 0).data);
}

static ww_status scan_own(const scanning *s, const ww__tile_part *p, const carries *c) {
    const uint64_t whole = p->whole * s->tiles.tile;
    const ww_array out = elements(s, s->out.data, p->head, whole);
    WW_TRY(scan(s, ww_from(elements(s, s->data, p->head, whole)), out, value_at(s, c->first)));
    if (p->rest) {
        const ww_array tail = elements(s, s->tail, 0, p->last);
        WW_TRY(scan(s, ww_from(tail), tail, value_at(s, c->last)));
    }
    return ww_sync(s->tiles.group->device);
}

static ww_status put_ends(const scanning *s, const ww__tile_part *p) {
    ww_device *device = s->tiles.group->device;
    const uint64_t end = p->head + p->whole * s->tiles.tile;
    if (p->head)
        WW_TRY(ww_copy(device, ww_from(elements(s, s->head, 0, p->head)), elements(s, s->out.data, 0, p->head)));
    if (!p->rest) return WW_OK;
    return ww_copy(device, ww_from(elements(s, s->tail, 0, p->rest)), elements(s, s->out.data, end, p->rest));
}

/* As scan_exactly. */
static ww_status scan_tiles(scanning *s, ww_status status, const unsigned char *digest, void *total) {
    ww__tiles *t = &s->tiles;
    ww_group *group = t->group;
    uint64_t all = 0;
    carries c = {0};
    if (!status) status = rooms(s);
    WW_TRY(ww__group_agree(group, status, digest, &s->in.count, 1));
    ww__tiles_lie(t);
    const ww__tile_part p = ww__tiles_part(t, group->engine.rank);
    status = ww__group_room(group, ALL_FOLDS, t->total / t->tile + 1, t->size, &s->all_folds);
    if (!status) status = fold_whole(s, &p);
    WW_TRY(ww__group_agree(group, status, NULL, NULL, 0));
    WW_TRY(ww__tiles_send_heads(t, s->head, s->tail));
    WW_TRY(ww__group_agree(group, fold_last(s, &p), NULL, NULL, 0));
    WW_TRY(trade_folds(s, &all));
    status = chain_all(s, &p, all, &c);
    if (!status) status = scan_own(s, &p, &c);
    WW_TRY(ww__group_agree(group, status, NULL, NULL, 0));
    WW_TRY(ww__tiles_return_heads(t, s->tail, s->head));
    WW_TRY(ww__group_agree(group, put_ends(s, &p), NULL, NULL, 0));
    memcpy(total, c.total, t->size);
    return WW_OK;
}

/* ---- the call ---- */

static ww_status check_apart(const scanning *s) {
    ww_device *device = s->tiles.group->device;
    WW_TRY(ww__enter(device, s->tiles.group->call));
    ww_status status = ww__check_input(device, "in", &s->in);
    if (!status) status = ww__check_apart(device, "in", &s->in, "out", &s->out, WW__SAME_ALLOWED);
    return ww__leave(device, status);
}

/* Nothing is scanned, so that what does not fit together is refused before anything is done. */
static ww_status check(scanning *s, const ww_scan_options *given) {
    ww_group *group = s->tiles.group;
    ww_scan_options trial = WW_SCAN_OPTIONS;
    WW_TRY(ww__group_check_begin(group));
    WW_TRY(ww__group_take_options(group, given, "WW_SCAN_OPTIONS", &s->options, sizeof s->options));
    WW_GROUP_CHECK(group, s->op, WW_INVALID, "op is NULL");
    WW_GROUP_CHECK(group, s->in.steps && s->in.type && s->in.size, WW_INVALID, "in is missing");
    WW_GROUP_CHECK(group, s->options.method <= WW_SCAN_LOOKBACK, WW_INVALID,
                   "the method of a group's scan is lookback");
    WW_TRY(ww__group_check_array(group, "out", &s->out));
    WW_GROUP_CHECK(group, s->out.type == s->in.type && s->out.size == s->in.size, WW_TYPE,
                   "in is of type %s (%zu bytes), out of %s (%zu)", s->in.type->label, s->in.size, s->out.type->label,
                   s->out.size);
    WW_GROUP_CHECK(group, s->out.count == s->in.count, WW_INVALID, "in has %llu elements, out %llu", (ull)s->in.count,
                   (ull)s->out.count);
    if (s->options.total.type) {
        WW_TRY(ww__group_check_array(group, "options.total", &s->options.total));
        WW_GROUP_CHECK(group, s->options.total.count == 1 && s->options.total.type == s->in.type, WW_TYPE,
                       "options.total is not one element of in's type");
    }
    WW_TRY(check_apart(s));
    trial.exclusive = s->options.exclusive;
    trial.initial = s->options.initial;
    return ww_scan(group->device, s->op, ww_from(elements(s, NULL, 0, 0)), elements(s, NULL, 0, 0), &trial);
}

static void agree_on(const scanning *s, unsigned char alike[WW__DIGEST]) {
    const ww_value *initial = &s->options.initial;
    ww__digest digest;
    ww__digest_begin(&digest);
    ww__agree_function(s->tiles.group, &digest, s->op);
    ww__agree_type(&digest, s->tiles.type, s->tiles.size);
    ww__agree_number(&digest, s->options.exclusive);
    ww__agree_type(&digest, initial->type, initial->size);
    if (initial->type && initial->size)
        ww__digest_add(&digest, initial->data ? initial->data : initial->bytes, initial->size);
    ww__digest_end(&digest, alike);
}

static bool is_integer(const ww_type *type) {
    return type && (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED);
}

/* Sums of f16 and bf16 are scanned as floats, and rounded at the end. */
static ww_status widen(scanning *s, float *initial) {
    ww__tiles *t = &s->tiles;
    void *sums;
    WW_TRY(ww__group_room(t->group, SUMS, s->out.count, sizeof(float), &sums));
    if (s->options.initial.type) {
        ww__widen(t->group->device, initial, t->type, s->options.initial.bytes, 1);
        s->options.initial = ww_value_of(initial, &ww_type_float);
    }
    s->in = ww_cast(&ww_type_float, s->in);
    s->out = ww_array_of(sums, s->out.count, &ww_type_float);
    t->type = &ww_type_float;
    t->size = sizeof(float);
    return WW_OK;
}

static ww_status put_rounded(const scanning *s, const void *from, const ww_array *out) {
    const ww_input in = ww_from(elements(s, from, 0, out->count));
    return ww_store(s->tiles.group->device, out->type == s->tiles.type ? in : ww_cast(out->type, in), *out);
}

/* Memory for the total that is in the host's and aligned: the group's records of what was said first. */
static ww_status scan_blocks(scanning *s, const ww_scan_options *options) {
    ww__tiles *t = &s->tiles;
    unsigned char alike[WW__DIGEST];
    void *total = NULL;
    float initial;
    const ww_array out = s->out;
    ww_status status = check(s, options);
    if (!status && ww__wide_operator(ww__operator(s->op, t->type, t->size))) status = widen(s, &initial);
    if (!status) status = ww__group_host_room(t->group, CHAIN + 1, 1, t->size, &total);
    agree_on(s, alike);
    if (is_integer(t->type)) {
        WW_TRY(scan_exactly(s, status, alike, total));
    } else {
        const ww_function *op = status ? NULL : ww__operator(s->op, t->type, t->size);
        t->tile = t->size ? ww__tile(2 * t->size) : 1; /* 8 KiB */
        if (op) {
            s->in_order = *op;
            s->in_order.flags &= ~WW_COMMUTES;
        }
        WW_TRY(scan_tiles(s, status, alike, total));
    }
    if (s->out.data != out.data) WW_TRY(put_rounded(s, s->out.data, &out));
    return s->options.total.type ? put_rounded(s, total, &s->options.total) : WW_OK;
}

ww_status ww_group_scan(ww_group *group, const ww_function *op, ww_input in, ww_array out,
                        const ww_scan_options *options) {
    scanning s = {.tiles = {.group = group, .type = in.type, .size = in.size}, .op = op, .in = in, .out = out};
    WW_TRY(ww__group_enter(group, "ww_group_scan"));
    return ww__group_leave(group, scan_blocks(&s, options));
}
