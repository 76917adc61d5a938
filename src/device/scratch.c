/* Scratch memory: an arena of the handle's that a call takes pieces from and that is given back whole when it leaves. */
#include "device/device.h"

#include <string.h>

#include "device/gpu/memory.h"
#include "device/paper.h"
#include "device/zones.h"

/* On the emulator there is a zone behind each piece, closed to kernels, and so there is on a CPU that tests watch. Zones lie in
 * memory that is taken for them beside what a block counts, so that limits and bounds are the same with them. A piece that
 * finds none left goes to a new block. */
enum { ZONE = 1024, ZONES = WW__BLOCKS };

static bool has_zones(const ww_device *device) { return device->overrun || ww__gpu_finds_closed(device); }

static size_t room_for_zones(const ww_device *device) { return has_zones(device) ? (size_t)ZONES * ZONE : 0; }

/* Behind its last zone. */
static unsigned char *end_of_zones(const ww__block *block) { return block->data + block->used + block->zones * ZONE; }

static bool is_empty(const ww__block *block) { return !block->used && !block->zones; }

void ww__block_reset(ww_device *device, ww__block *block, size_t used, size_t zones) {
    const size_t kept = used + zones * ZONE;
    if (device->overrun) ww__zones_check(device, block->data + kept, end_of_zones(block));
    block->used = used;
    block->zones = zones;
    if (device->gpu) ww__gpu_close_bytes(device, block->data + kept, block->size + room_for_zones(device) - kept);
}

ww_status ww__block_new(ww_device *device, size_t bytes, ww__block *block) {
    const size_t zones = room_for_zones(device);
    void *data = NULL;
    if (bytes > SIZE_MAX - zones) return ww__no_memory(device, bytes);
    if (device->gpu)
        WW_TRY(ww__gpu_allocate(device, bytes + zones, &data));
    else if (!(data = ww__allocate(device, bytes + zones, 64)))
        return ww__no_memory(device, bytes);
    *block = (ww__block){.data = data, .size = bytes};
    ww__block_reset(device, block, 0, 0);
    return WW_OK;
}

/* Takes a piece that there is room for; `counted` is `bytes` rounded up. */
static void *take(ww_device *device, ww__block *block, size_t bytes, size_t counted) {
    unsigned char *piece = end_of_zones(block);
    block->used += counted;
    if (!has_zones(device)) return piece;
    block->zones++;
    if (device->overrun) ww__zone_begin(piece, bytes, end_of_zones(block));
    ww__gpu_open_bytes(device, piece, bytes);
    return piece;
}

void ww__block_release(ww_device *device, const ww__block *block) {
    if (device->overrun) ww__zones_check(device, block->data, end_of_zones(block));
    if (!device->gpu)
        ww__release(device, block->data, block->size + room_for_zones(device));
    else if (!block->captured)
        ww__gpu_release(device, block->data);
}

/* Puts a new block of at least `bytes` behind the others. A last one that is too small for its first piece makes room for it:
 * a call that goes back again and again, and needs a little more each time, would otherwise end with a row of empty blocks. */
static ww_status add_block(ww_device *device, size_t bytes) {
    size_t held = 0;
    if (device->blocks && is_empty(&device->block[device->blocks - 1]))
        ww__block_release(device, &device->block[--device->blocks]);
    for (size_t b = 0; b < device->blocks; b++) held += device->block[b].size;
    if (device->scratch_limit && (bytes > device->scratch_limit || held > device->scratch_limit - bytes))
        return ww__fail(device, WW_LIMIT, "needs %zu bytes of scratch memory more than the %zu held; the limit is %zu",
                        bytes, held, device->scratch_limit);
    if (device->blocks == WW__BLOCKS)
        return ww__fail(device, WW_LIMIT, "takes more than %d pieces of new scratch memory", WW__BLOCKS);
    WW_TRY(ww__block_new(device, bytes, &device->block[device->blocks]));
    device->blocks++;
    return WW_OK;
}

static inline void count_bytes(ww_device *device, size_t counted) { device->scratch_used += counted; }

/* A piece of the last block, where that is all there is to do: on a CPU, when there is room. A call of few elements takes longer
 * over its pieces than over anything else. */
static inline bool take_at_once(ww_device *device, size_t bytes, void **pointer) {
    if (device->gpu || device->overrun || device->on_paper || !device->blocks) return false;
    ww__block *const block = &device->block[device->blocks - 1];
    const size_t left = block->size - block->used, counted = ww__round_up(bytes ? bytes : 1, 64);
    if (bytes > left || counted > left) return false;
    *pointer = block->data + block->used;
    block->used += counted;
    count_bytes(device, counted);
    return true;
}

static ww_status take_somewhere(ww_device *device, size_t bytes, void **pointer) {
    *pointer = NULL;
    WW_TRY(ww__stage_due(device));
    if (bytes > SIZE_MAX - 4096)
        return ww__fail(device, WW_MEMORY, "out of memory: %zu bytes of scratch memory are more than there can be",
                        bytes);
    const size_t counted = ww__round_up(bytes ? bytes : 1, 64);
    if (device->on_paper) return ww__paper_piece(device, counted, pointer);
    ww__block *block = device->blocks ? &device->block[device->blocks - 1] : NULL;
    if (!block || block->size - block->used < counted || block->zones == ZONES) {
        WW_TRY(add_block(device, counted));
        block = &device->block[device->blocks - 1];
    }
    if (device->gpu && !block->captured) WW_TRY(ww__gpu_keep_captured(device, block));
    *pointer = take(device, block, bytes, counted);
    count_bytes(device, counted);
    return WW_OK;
}

ww_status ww__scratch(ww_device *device, size_t bytes, void *pointer_to_pointer) {
    return take_at_once(device, bytes, pointer_to_pointer) ? WW_OK : take_somewhere(device, bytes, pointer_to_pointer);
}

void ww__scratch_merge(ww_device *device, size_t first) {
    size_t all = 0;
    if (device->blocks <= first + 1) return;
    for (size_t b = first; b < device->blocks; b++) {
        all += device->block[b].size;
        ww__block_release(device, &device->block[b]);
    }
    device->blocks = first;
    char sentence[sizeof device->error]; /* of the call: this is no failure of its */
    memcpy(sentence, device->error, sizeof sentence);
    if (!ww__block_new(device, all, &device->block[first]))
        device->blocks++;
    else if (!device->failed)
        memcpy(device->error, sentence, sizeof sentence);
}

void ww__scratch_note_peak(ww_device *device) {
    size_t *const peak = device->on_paper ? &device->paper_peak : &device->scratch_peak;
    if (device->scratch_used > *peak) *peak = device->scratch_used;
}

ww__scratch_mark ww__scratch_here(const ww_device *device) {
    /* Without empty ones at the end: ww__scratch_back makes one of them and what comes after. */
    size_t blocks = device->blocks;
    while (blocks && is_empty(&device->block[blocks - 1])) blocks--;
    const ww__block *last = blocks ? &device->block[blocks - 1] : NULL;
    return (ww__scratch_mark){blocks, last ? last->used : 0, last ? last->zones : 0, device->scratch_used};
}

void ww__scratch_back(ww_device *device, const ww__scratch_mark *mark) {
    ww__scratch_note_peak(device);
    device->scratch_used = mark->total;
    if (device->on_paper) return;
    ww__scratch_merge(device, mark->blocks);
    if (device->blocks > mark->blocks)
        ww__block_reset(device, &device->block[device->blocks - 1], 0, 0);
    else if (mark->blocks)
        ww__block_reset(device, &device->block[mark->blocks - 1], mark->used, mark->zones);
}

ww_status ww__host_scratch(ww_device *device, size_t bytes, void *pointer_to_pointer) {
    void **const pointer = pointer_to_pointer;
    if (!device->gpu) return ww__scratch(device, bytes, pointer);
    *pointer = NULL;
    if (device->host_blocks == WW__HOST_BLOCKS)
        return ww__fail(device, WW_LIMIT, "takes more than %d pieces of the host's memory", WW__HOST_BLOCKS);
    unsigned char *data = ww__allocate(device, bytes ? bytes : 1, 64);
    if (!data) return ww__no_memory(device, bytes);
    device->host_block[device->host_blocks++] = (ww__block){.data = data, .size = bytes ? bytes : 1};
    *pointer = data;
    return WW_OK;
}

ww_status ww__scratch_array(ww_device *device, uint64_t count, size_t size, void *pointer_to_pointer) {
    size_t bytes;
    if (!ww__bytes(count, size, &bytes))
        return ww__fail(device, WW_MEMORY, "out of memory: %llu times %zu bytes of scratch memory do not fit in a size",
                        (unsigned long long)count, size);
    return ww__scratch(device, bytes, pointer_to_pointer);
}

static ww_status reserve(ww_device *device, size_t bytes) {
    if (device->blocks && device->block[0].size >= bytes) return WW_OK;
    if (device->scratch_limit && bytes > device->scratch_limit)
        return ww__fail(device, WW_LIMIT, "%zu bytes are above the limit of %zu", bytes, device->scratch_limit);
    if (bytes > SIZE_MAX - 4096) return ww__no_memory(device, bytes);
    bytes = ww__round_up(bytes, 64);
    ww__block block;
    WW_TRY(ww__block_new(device, bytes, &block));
    if (device->blocks) ww__block_release(device, &device->block[0]);
    device->block[0] = block;
    device->blocks = 1;
    return WW_OK;
}

static void release_pinned(ww_device *device) {
    ww__host_release(device, device->pinned.data, device->pinned.size);
    device->pinned = (ww__block){0};
}

ww_status ww__pinned_scratch(ww_device *device, size_t bytes, void *pointer_to_pointer) {
    void **const pointer = pointer_to_pointer;
    *pointer = NULL;
    WW_TRY(ww__stage_due(device));
    if (device->on_paper) return ww__paper_piece(device, 0, pointer);
    if (device->pinned.size < bytes) {
        release_pinned(device);
        void *data = NULL;
        if (device->gpu)
            WW_TRY(ww__gpu_allocate_host(device, bytes, &data));
        else if (!(data = ww__allocate(device, bytes, 64)))
            return ww__no_memory(device, bytes);
        device->pinned = (ww__block){.data = data, .size = bytes};
    }
    *pointer = device->pinned.data;
    return WW_OK;
}

static void release_all(ww_device *device) {
    for (size_t b = 0; b < device->blocks; b++) ww__block_release(device, &device->block[b]);
    device->blocks = 0;
}

void ww__scratch_release(ww_device *device) {
    release_all(device);
    release_pinned(device);
}

ww_status ww__scratch_hold(ww_device *device, size_t bytes) {
    if (device->on_paper) {
        if (bytes > device->paper_peak) device->paper_peak = bytes;
        return WW_OK;
    }
    if (device->blocks && device->block[0].size >= bytes) return WW_OK;
    release_all(device);
    return reserve(device, bytes);
}

ww_status ww_scratch_reserve(ww_device *device, size_t bytes) {
    const ww_status status = ww__enter(device, "ww_scratch_reserve");
    return status ? status : ww__leave(device, reserve(device, bytes));
}

ww_status ww_scratch_limit(ww_device *device, size_t bytes) {
    WW_TRY(ww__enter(device, "ww_scratch_limit"));
    device->scratch_limit = bytes;
    return ww__leave(device, WW_OK);
}

ww_status ww_scratch_trim(ww_device *device) {
    WW_TRY(ww__enter(device, "ww_scratch_trim"));
    ww__scratch_release(device);
    const ww_status status = ww__leave(device, WW_OK);
    device->scratch_peak = 0;
    return status;
}
