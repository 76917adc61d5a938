/* Opening and closing a rank's handle. */
#include <stdio.h>
#include <string.h>

#include "device/gpu/gpu.h"
#include "group/group.h"
#include "group/local.h"

typedef unsigned long long ull;

/* What ranks say to each other first; later versions only add to it behind `more`. Bytes, so that it can be read whatever the order of
 * bytes in a word is. */
typedef struct hello {
    char magic[8];
    unsigned char little, word, status, more;
    unsigned char version[4], ranks[4], said[4];
    unsigned char limit_ms[8];
    char backend[8]; /* of a GPU: "cuda" or "emu" */
    unsigned char reserved[24];
} hello;
_Static_assert(sizeof(hello) == 64, "of the same size everywhere");

static const char magic[8] = "wwgroup";

static void put(unsigned char *to, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char *from, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static bool is_little(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static hello own_hello(const ww_group *group, ww_status status) {
    hello h = {.little = is_little(), .word = sizeof(size_t), .status = (unsigned char)status};
    memcpy(h.magic, magic, sizeof magic);
    if (group->device->gpu) snprintf(h.backend, sizeof h.backend, "%s", group->device->gpu->driver->backend);
    put(h.version, WW_VERSION_NUMBER, sizeof h.version);
    put(h.ranks, group->engine.ranks, sizeof h.ranks);
    put(h.said, sizeof(ww__said), sizeof h.said);
    put(h.limit_ms, group->limit_ms, sizeof h.limit_ms);
    return h;
}

/* What rank r said, beside what rank 0 did. */
static ww_status compare(ww_group *group, uint32_t r, const hello *theirs, const hello *first) {
    if (memcmp(theirs->magic, magic, sizeof magic))
        return ww__group_fail(group, WW_UNSUPPORTED, "rank %u does not open a group", r);
    if (theirs->little != first->little)
        return ww__group_fail(group, WW_UNSUPPORTED, "rank %u has another order of bytes than rank 0", r);
    if (theirs->word != first->word)
        return ww__group_fail(group, WW_UNSUPPORTED, "rank %u has words of %d bytes, rank 0 of %d", r, theirs->word,
                              first->word);
    if (memcmp(theirs->version, first->version, sizeof first->version) ||
        memcmp(theirs->said, first->said, sizeof first->said))
        return ww__group_fail(group, WW_UNSUPPORTED, "rank %u has version %llu of the library, rank 0 %llu", r,
                              (ull)get(theirs->version, 4), (ull)get(first->version, 4));
    if (memcmp(theirs->ranks, first->ranks, sizeof first->ranks))
        return ww__group_fail(group, WW_UNSUPPORTED, "rank %u is of %llu ranks, rank 0 of %llu", r,
                              (ull)get(theirs->ranks, 4), (ull)get(first->ranks, 4));
    if (memcmp(theirs->limit_ms, first->limit_ms, sizeof first->limit_ms))
        return ww__group_fail(group, WW_INVALID, "rank %u has a limit of %llu ms, rank 0 one of %llu", r,
                              (ull)get(theirs->limit_ms, 8), (ull)get(first->limit_ms, 8));
    return WW_OK;
}

/* Whether all ranks have GPUs of one driver. */
static bool all_alike(const ww_group *group, const hello *all) {
    for (uint32_t r = 0; r < group->engine.ranks; r++)
        if (!all[r].backend[0] || memcmp(all[r].backend, all[0].backend, sizeof all[0].backend)) return false;
    return true;
}

static ww_status greet(ww_group *group, ww_status status, hello *all) {
    const hello mine = own_hello(group, status);
    WW_TRY(ww__group_gather(group, &mine, sizeof mine, all));
    for (uint32_t r = 0; r < group->engine.ranks; r++) WW_TRY(compare(group, r, &all[r], &all[0]));
    for (uint32_t r = 0; r < group->engine.ranks; r++)
        if (all[r].status)
            return ww__group_fail(group, (ww_status)all[r].status, "rank %u: %s", r,
                                  ww_status_text((ww_status)all[r].status));
    group->all_gpus = all_alike(group, all);
    if (group->all_gpus) ww__local_on_devices(&group->engine);
    return WW_OK;
}

/* The memory for what other ranks say comes before the first word: a rank that has none cannot even say so, and closes. */
static ww_status rooms(ww_group *group) {
    const uint64_t ranks = group->engine.ranks;
    const size_t per_rank = sizeof(ww__said) + sizeof(uint64_t) * (WW__NUMBERS + 4 * WW__TRADES);
    group->numbers_bytes = ranks * per_rank + WW__NUMBERS * sizeof(uint64_t); /* of WW_RANKS_MOST at most */
    unsigned char *block = ww__allocate(group->device, group->numbers_bytes, 64);
    if (!block) return WW_MEMORY;
    memset(block, 0, group->numbers_bytes);
    group->said = (ww__said *)(void *)block;
    group->bytes = (uint64_t *)(void *)(group->said + ranks); /* aligned as elements are */
    for (size_t n = 0; n < WW__NUMBERS; n++) group->number[n] = group->bytes + 4 * WW__TRADES * ranks + n * (ranks + 1);
    return WW_OK;
}

static ww_status check(ww_group *group, const ww_engine *e, const ww_group_options *options) {
    enum { MINUTE = 60000 };
    ww_group_options o;
    if (options) { /* whose size only the device's functions look at */
        WW_TRY(ww__group_take_options(group, options, "WW_GROUP_OPTIONS", &o, offsetof(ww_group_options, reserved)));
        group->limit_ms = o.limit_ms;
    }
    if (!group->limit_ms) group->limit_ms = MINUTE;
    if (e->ranks < 1 || e->ranks > WW_RANKS_MOST || e->rank >= e->ranks || e->memory > WW_ENGINE_ANY || e->reserved)
        return ww__group_fail(group, WW_INVALID, "the engine is of rank %u of %u, with memory %u", e->rank, e->ranks,
                              e->memory);
    return WW_OK;
}

static ww_status open(ww_group *group, const ww_engine *e, const ww_group_options *options) {
    ww_status status = check(group, e, options);
    if (status == WW_INVALID && !group->error[0]) ww__group_fail(group, status, "%s", ww_error(group->device));
    if (!status && rooms(group)) return ww__group_fail(group, WW_MEMORY, "there is no memory for what ranks say");
    if (status) return status; /* and no word to the others: closing the engine tells them */
    ww__local_device(&group->engine, group->device);
    /* hello is shorter than what is said later, whose memory it takes meanwhile */
    return greet(group, WW_OK, (hello *)(void *)group->said);
}

ww_status ww_group_open(ww_device *device, const ww_engine *engine, const ww_group_options *options,
                        ww_group **group_out) {
    if (!group_out) return WW_INVALID;
    *group_out = NULL;
    if (!device || !engine || engine->size < sizeof *engine || !engine->exchange || !engine->gather || !engine->wait ||
        !engine->abort || !engine->close)
        return WW_INVALID;
    ww_group *group = ww__allocate(device, sizeof *group, 64);
    if (!group) return WW_MEMORY;
    memset(group, 0, sizeof *group);
    group->device = device;
    group->engine = *engine;
    group->call = "ww_group_open";
    *group_out = group;
    group->failure = open(group, &group->engine, options);
    return group->failure;
}

ww_status ww__group_host(ww_group *group) {
    if (group->host) return WW_OK;
    const ww_status status = ww_open("cpu:threads=1", &group->host);
    if (!status) return WW_OK;
    ww__group_say(group, status, "%s", ww_error(group->host));
    ww_close(group->host);
    group->host = NULL;
    return status;
}

ww_status ww__group_unopened(ww_device *device, ww_status status, const char *call, const char *why,
                             ww_group **group_out) {
    ww_group *group = ww__allocate(device, sizeof *group, 64);
    if (!group) return WW_MEMORY;
    memset(group, 0, sizeof *group);
    group->device = device;
    group->engine = (ww_engine)WW_ENGINE;
    group->call = call;
    *group_out = group;
    return group->failure = ww__group_fail(group, status, "%s", why);
}

void ww_group_close(ww_group *group) {
    if (!group) return;
    if (group->engine.close) group->engine.close(group->engine.state);
    for (size_t k = 0; k < WW__KEPT; k++) ww__kept_drop(group->device, &group->kept[k]);
    for (size_t k = 0; k < WW__KEPT_HOST; k++) ww__kept_drop(group->device, &group->kept_host[k]);
    for (size_t k = 0; k < sizeof group->far / sizeof group->far[0]; k++) ww__kept_drop(group->device, &group->far[k]);
    ww_close(group->host);
    if (group->said) ww__release(group->device, group->said, group->numbers_bytes);
    ww__release(group->device, group, sizeof *group);
}

const char *ww_group_error(const ww_group *group) { return group ? group->error : "the group is NULL"; }
uint32_t ww_group_rank(const ww_group *group) { return group ? group->engine.rank : 0; }
uint32_t ww_group_ranks(const ww_group *group) { return group ? group->engine.ranks : 0; }
ww_device *ww_group_device(const ww_group *group) { return group ? group->device : NULL; }
