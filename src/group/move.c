/* Moving elements between ranks, from and to whatever memory they lie in. An engine is given memory of one kind: what lies in the
 * other goes through a kept copy there. */
#include <string.h>

#include "device/gpu/gpu.h"
#include "group/group.h"
#include "warpwise/input.h"

enum { SEND_AT, SEND_BYTES, RECEIVE_AT, RECEIVE_BYTES, SIDES };

uint64_t ww__group_places(const ww_group *group, const uint64_t *count, uint64_t *at) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < group->engine.ranks; r++) {
        at[r] = sum;
        sum += count[r];
    }
    return sum;
}

uint64_t ww__group_blocks(const ww_group *group, size_t which, uint64_t *block_at) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < group->engine.ranks; r++) {
        block_at[r] = sum;
        sum += group->said[r].number[which];
    }
    return sum;
}

ww_status ww__group_room(ww_group *group, size_t place, uint64_t count, size_t size, void *pointer_to_pointer) {
    WW_TRY(ww__kept_capacity(group->device, &group->kept[place], count ? count : 1, size, 0));
    memcpy(pointer_to_pointer, &group->kept[place].data, sizeof(void *));
    return WW_OK;
}

ww_status ww__group_host_room(ww_group *group, size_t place, uint64_t count, size_t size, void *pointer_to_pointer) {
    ww__kept *room = &group->kept_host[place];
    const uint64_t bytes = count * size; /* a few numbers for each rank */
    void *data = NULL;
    if (room->bytes < bytes) {
        ww__kept_drop(group->device, room);
        WW_TRY(ww_alloc_host(group->device, bytes, &data));
        *room = (ww__kept){data, (size_t)bytes};
    }
    memcpy(pointer_to_pointer, &room->data, sizeof(void *));
    return WW_OK;
}

bool ww__group_own_memory(const ww_group *group, const ww_array *array) {
    if (!group->device->gpu || !array->count) return true;
    ww__driver *driver = group->device->gpu->driver;
    ww__gpu_enter(group->device);
    const bool is = driver->place(driver, array->data) == WW__PLACE_DEVICE;
    ww__gpu_leave(group->device);
    return is;
}

static bool is_hosts(const ww_group *group, const void *memory) {
    ww__driver *driver = group->device->gpu->driver;
    ww__gpu_enter(group->device);
    const bool is = driver->place(driver, memory) != WW__PLACE_DEVICE;
    ww__gpu_leave(group->device);
    return is;
}

ww_status ww__group_put(ww_group *group, ww_array from, ww_array to) {
    const bool by_host = group->host && is_hosts(group, from.data) && is_hosts(group, to.data);
    return ww_copy(by_host ? group->host : group->device, ww_from(from), to);
}

/* ---- one trade ---- */

/* Whether the engine cannot be given the trade's memory. On a CPU all memory is of one kind. */
bool ww__group_is_far(const ww_group *group, bool host) {
    const bool wants_device = group->engine.memory == WW_ENGINE_DEVICE;
    return group->device->gpu && group->engine.memory != WW_ENGINE_ANY && host == wants_device;
}
static bool is_far(const ww_group *group, const ww__trade *t) { return ww__group_is_far(group, t->host); }

/* Memory of the kind that the engine wants, kept. */
static ww_status far_room(ww_group *group, ww__kept *room, uint64_t bytes) {
    void *data = NULL;
    if (room->bytes >= bytes) return WW_OK;
    ww__kept_drop(group->device, room);
    WW_TRY(group->engine.memory == WW_ENGINE_DEVICE ? ww_alloc(group->device, bytes, &data)
                                                    : ww_alloc_host(group->device, bytes, &data));
    *room = (ww__kept){data, (size_t)bytes};
    return WW_OK;
}

static ww_status copy_bytes(ww_group *group, void *to, const void *from, uint64_t bytes) {
    if (!bytes) return WW_OK;
    return ww_copy(group->device, ww_memory((const uint8_t *)from, bytes), ww_array((uint8_t *)to, bytes));
}

static uint64_t end_of(const ww_group *group, const uint64_t *at, const uint64_t *bytes) {
    uint64_t end = 0;
    for (uint32_t r = 0; r < group->engine.ranks; r++)
        if (bytes[r] && at[r] + bytes[r] > end) end = at[r] + bytes[r];
    return end;
}

static void in_bytes(const ww_group *group, const ww__trade *t, uint64_t *const side[SIDES]) {
    const uint64_t *const counts[SIDES] = {t->send_at, t->send_count, t->receive_at, t->receive_count};
    for (size_t s = 0; s < SIDES; s++)
        for (uint32_t r = 0; r < group->engine.ranks; r++) side[s][r] = counts[s][r] * t->size;
}

/* Where the engine is to read and write; a far side's blocks are copied there, each to its own place. */
static ww_status reach(ww_group *group, const ww__trade *t, ww__kept far[2], uint64_t *const side[SIDES],
                       const void **send, void **receive) {
    *send = t->send;
    *receive = t->receive;
    if (!is_far(group, t)) return WW_OK;
    WW_TRY(far_room(group, &far[0], end_of(group, side[SEND_AT], side[SEND_BYTES])));
    WW_TRY(far_room(group, &far[1], end_of(group, side[RECEIVE_AT], side[RECEIVE_BYTES])));
    for (uint32_t r = 0; r < group->engine.ranks; r++)
        if (side[SEND_BYTES][r])
            WW_TRY(copy_bytes(group, (unsigned char *)far[0].data + side[SEND_AT][r],
                              (const unsigned char *)t->send + side[SEND_AT][r], side[SEND_BYTES][r]));
    *send = far[0].data;
    *receive = far[1].data;
    return WW_OK;
}

static ww_status bring_back(ww_group *group, const ww__trade *t, const ww__kept far[2], uint64_t *const side[SIDES]) {
    if (!is_far(group, t)) return WW_OK;
    for (uint32_t r = 0; r < group->engine.ranks; r++)
        if (side[RECEIVE_BYTES][r])
            WW_TRY(copy_bytes(group, (unsigned char *)t->receive + side[RECEIVE_AT][r],
                              (const unsigned char *)far[1].data + side[RECEIVE_AT][r], side[RECEIVE_BYTES][r]));
    return WW_OK;
}

/* A rank whose device fails here has told nobody: the others learn of it as of one that is gone. */
static ww_status gone(ww_group *group, ww_status status) {
    return status ? ww__group_lost(group, WW_LOST, ww_error(group->device)) : WW_OK;
}

ww_status ww__group_trade(ww_group *group, const ww__trade *trades, size_t many) {
    const ww_engine *e = &group->engine;
    uint64_t *side[WW__TRADES][SIDES];
    char why[WW_ENGINE_WHY] = "";
    ww_status status = WW_OK;
    const void *send[WW__TRADES];
    void *receive[WW__TRADES];
    for (size_t t = 0; t < many; t++) {
        for (size_t s = 0; s < SIDES; s++) side[t][s] = group->bytes + (t * SIDES + s) * e->ranks;
        in_bytes(group, &trades[t], side[t]);
        WW_TRY(gone(group, reach(group, &trades[t], &group->far[t < WW__FAR_TRADES ? 2 * t : 0], side[t], &send[t],
                                 &receive[t])));
    }
    if (group->device->gpu) WW_TRY(gone(group, ww_sync(group->device)));
    for (size_t t = 0; t < many && !status; t++)
        status = e->exchange(e->state, send[t], side[t][SEND_AT], side[t][SEND_BYTES], receive[t], side[t][RECEIVE_AT],
                             side[t][RECEIVE_BYTES], why);
    if (!status) status = e->wait(e->state, group->limit_ms, why);
    if (status) return ww__group_lost(group, status, why);
    for (size_t t = 0; t < many; t++)
        WW_TRY(gone(group, bring_back(group, &trades[t], &group->far[t < WW__FAR_TRADES ? 2 * t : 0], side[t])));
    return group->device->gpu ? gone(group, ww_sync(group->device)) : WW_OK; /* copies to pinned memory do not wait */
}

/* An engine of a GPU's memory would take numbers there and back, a gather less: so all ranks have all numbers, and take theirs. */
static ww_status gather_numbers(ww_group *group, const uint64_t *to, uint64_t *from) {
    const uint64_t ranks = group->engine.ranks;
    uint64_t *all = NULL;
    WW_TRY(gone(group, ww__group_host_room(group, WW__GATHERED, ranks * ranks, sizeof *all, &all)));
    WW_TRY(ww__group_gather(group, to, (size_t)(ranks * sizeof *all), all));
    for (uint64_t r = 0; r < ranks; r++) from[r] = all[r * ranks + group->engine.rank];
    return WW_OK;
}

ww_status ww__group_swap_numbers(ww_group *group, const uint64_t *to, uint64_t *from) {
    if (group->engine.memory == WW_ENGINE_DEVICE && group->engine.ranks <= WW_ENGINE_GATHER_MOST / sizeof *to)
        return gather_numbers(group, to, from);
    uint64_t *ones = group->number[WW__NUMBERS_LAST], *at = group->number[WW__NUMBERS_MORE];
    for (uint32_t r = 0; r < group->engine.ranks; r++) ones[r] = 1;
    ww__group_places(group, ones, at);
    return ww__group_trade(group,
                           &(ww__trade){.send = to,
                                        .receive = from,
                                        .size = sizeof *to,
                                        .send_at = at,
                                        .send_count = ones,
                                        .receive_at = at,
                                        .receive_count = ones,
                                        .host = true},
                           1);
}
