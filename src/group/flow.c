/* What comes is cut into chunks of one length. Of its own run a rank knows where each chunk's last key belongs, when the other one has
 * said what these keys are; so a chunk can be merged with a part of its own run as soon as it is there, while the next one is on its
 * way. Copies between GPUs go beside the work of both.
 *
 * Chunks begin at multiples of 16 elements, the first one too, with some that nobody wants: NCCL moves what is aligned to 16 bytes on both
 * sides in a half of the time and less. */
#include "group/flow.h"

#include <string.h>

#include "device/gpu/gpu.h"
#include "warpwise/input.h"
#include "warpwise/primitive.h"

enum { CHUNKS_MOST = 8, CHUNKS_SLOWER = 4, ENDS_MOST = CHUNKS_MOST - 1, LEAST_BYTES = 64 << 20 };
enum { HOST_PLACE = 4 };

bool ww__group_flows(const ww_group *group, bool direct, uint64_t moved, size_t size) {
    const uint64_t least = group->device->gpu ? LEAST_BYTES >> group->device->gpu->driver->sooner : LEAST_BYTES;
    return direct && group->engine.ranks == 2 && group->all_gpus && group->engine.memory != WW_ENGINE_HOST &&
           moved * size >= least && size * ENDS_MOST <= WW_ENGINE_GATHER_MOST;
}

/* An engine that is not the threads' takes some 100 us to begin (two H100s, NCCL: 28.4 ms of a sort by four chunks, 29.9 by eight). */
static uint64_t chunks_of(const ww__flow *o) {
    return o->group->engine.memory == WW_ENGINE_ANY ? CHUNKS_MOST : CHUNKS_SLOWER;
}
static uint64_t ends_of(const ww__flow *o) { return chunks_of(o) - 1; }

/* Keys of both ranks and of this one, their places, and where they belong. */
ww_status ww__group_flow_room(ww_group *group, size_t size) {
    void *unused;
    return ww__group_host_room(group, HOST_PLACE, 4 * CHUNKS_MOST, size + 2 * sizeof(uint64_t), &unused);
}

enum { ALIGNED = WW__FLOW_MORE };

/* Where a chunk begins, and the one before it ends, of `count` elements of a run from `at` on: counted from there. */
static uint64_t end_of(uint64_t at, uint64_t count, uint64_t chunk, uint64_t chunks) {
    const uint64_t end = at + count / chunks * chunk + count % chunks * chunk / chunks,
                   aligned = end / ALIGNED * ALIGNED;
    return chunk == chunks ? count : aligned > at ? aligned - at : 0;
}
static uint64_t go_end(const ww__flow *o, uint64_t chunk) { return end_of(o->go_at, o->go, chunk, chunks_of(o)); }
static uint64_t come_end(const ww__flow *o, uint64_t chunk) { return end_of(o->come_at, o->come, chunk, chunks_of(o)); }

/* Elements that go before the first one. */
static uint64_t more_of(uint64_t at, uint64_t count) { return count ? at % ALIGNED : 0; }

static ww_array part(const ww_array *all, uint64_t first, uint64_t count) {
    return (ww_array){(unsigned char *)all->data + first * all->size, count, all->type, all->size, NULL, 0};
}

/* ---- where chunks end in the own run ---- */

typedef struct ends {
    ww_array mine, all, theirs; /* the last keys of chunks: this rank's, both ranks', the other's */
    uint64_t *places, *belong;
} ends;

static ends rooms(const ww__flow *o) {
    const ww_array *keys = &o->sorted[0];
    unsigned char *data = o->group->kept_host[HOST_PLACE].data;
    ends e = {.mine = {data, ends_of(o), keys->type, keys->size, NULL, 0}};
    e.all = part(&e.mine, ends_of(o), 2 * ends_of(o));
    e.places = (uint64_t *)(void *)(data + 4 * (CHUNKS_MOST * keys->size)); /* aligned, whatever elements are */
    e.theirs = part(&e.all, o->group->engine.rank ? 0 : ends_of(o), ends_of(o));
    e.belong = e.places + ends_of(o);
    return e;
}

/* This rank's keys at the ends of what it sends. */
static ww_status read_keys(const ww__flow *o, const ends *e) {
    if (!o->go) return WW_OK;
    for (uint64_t c = 0; c < ends_of(o); c++) {
        const uint64_t end = go_end(o, c + 1);
        e->places[c] = o->go_at + (end ? end - 1 : 0);
    }
    WW_TRY(ww_gather(o->group->device, ww_from(o->sorted[0]), ww_memory(e->places, ends_of(o)), e->mine));
    return ww_sync(o->group->device);
}

/* Of equal keys rank 0's come first. */
static ww_status place_keys(const ww__flow *o, const ends *e) {
    const ww_input run = ww_from(part(&o->sorted[0], o->own_at, o->own));
    memset(e->belong, 0, ends_of(o) * sizeof *e->belong);
    if (!o->come || !o->own) return WW_OK;
    const ww_array found = ww_array(e->belong, ends_of(o));
    WW_TRY(o->group->engine.rank ? ww_lower_bound(o->group->device, o->less, run, ww_from(e->theirs), found)
                                 : ww_upper_bound(o->group->device, o->less, run, ww_from(e->theirs), found));
    WW_TRY(ww_sync(o->group->device));
    for (uint64_t c = 0; c < ends_of(o); c++)
        if (!come_end(o, c + 1)) e->belong[c] = 0; /* nothing has come by then */
    return WW_OK;
}

/* ---- chunk after chunk ---- */

typedef struct moving { /* of a side */
    uint64_t send_at[2], send[2], receive_at[2], receive[2];
} moving;

static ww_status begin_chunk(const ww__flow *o, uint64_t c, moving move[2], char *why) {
    const ww_engine *e = &o->group->engine;
    const uint32_t other = 1 - e->rank;
    const uint64_t go_more = more_of(o->go_at, o->go), come_more = more_of(o->come_at, o->come);
    ww_status status = WW_OK;
    for (size_t side = 0; side < o->sides && !status; side++) {
        const size_t size = o->sorted[side].size;
        moving *m = &move[side];
        memset(m, 0, sizeof *m);
        m->send_at[other] = (o->go_at + go_end(o, c) - (c ? 0 : go_more)) * size;
        m->send[other] = (go_end(o, c + 1) - go_end(o, c) + (c ? 0 : go_more)) * size;
        m->receive_at[other] = c ? (come_more + come_end(o, c)) * size : 0;
        m->receive[other] = (come_end(o, c + 1) - come_end(o, c) + (c ? 0 : come_more)) * size;
        status = e->exchange(e->state, o->sorted[side].data, m->send_at, m->send, o->landing[side].data, m->receive_at,
                             m->receive, why);
    }
    return status;
}

static ww_status merge_chunk(const ww__flow *o, const ends *e, uint64_t c) {
    const uint64_t own = c ? e->belong[c - 1] : 0, own_end = c < ends_of(o) ? e->belong[c] : o->own;
    const uint64_t come = come_end(o, c), end = come_end(o, c + 1), more = more_of(o->come_at, o->come);
    ww_input in[2][2];
    ww_array out[2] = {ww_none, ww_none};
    const bool first = !o->group->engine.rank;
    in[1][0] = in[1][1] = ww_no_input;
    for (size_t side = 0; side < o->sides; side++) {
        in[side][!first] = ww_from(part(&o->sorted[side], o->own_at + own, own_end - own));
        in[side][first] = ww_from(part(&o->landing[side], more + come, end - come));
        out[side] = part(&o->out[side], own + come, own_end - own + end - come);
    }
    return ww_merge(o->group->device, o->less, in[0][0], in[0][1], in[1][0], in[1][1], out[0], out[1]);
}

static ww_status lost(const ww__flow *o) { return ww__group_lost(o->group, WW_LOST, ww_error(o->group->device)); }

ww_status ww__group_flow(const ww__flow *o, ww_status *own_failure) {
    ww_group *group = o->group;
    const ww_engine *engine = &group->engine;
    const ends e = rooms(o);
    moving move[2];
    *own_failure = WW_OK;
    if (read_keys(o, &e)) return lost(o);
    WW_TRY(ww__group_gather(group, e.mine.data, (size_t)ends_of(o) * e.mine.size, e.all.data));
    if (place_keys(o, &e)) return lost(o);
    for (uint64_t c = 0; c <= chunks_of(o); c++) {
        char why[WW_ENGINE_WHY] = "";
        ww_status status = c < chunks_of(o) ? begin_chunk(o, c, move, why) : WW_OK;
        if (c && !*own_failure) *own_failure = merge_chunk(o, &e, c - 1);
        if (c < chunks_of(o) && !status) status = engine->wait(engine->state, group->limit_ms, why);
        if (status) return ww__group_lost(group, status, why);
    }
    return WW_OK;
}
