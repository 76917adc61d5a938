/* A file's pages in memory, and their checksums: a page is checked once, before it is first used. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "device/cpu/parallel.h"
#include "dictionary/store/crc.h"
#include "dictionary/store/store.h"

typedef unsigned long long ull;

ww_status ww__store_map_new(ww_device *device, const char *name, int fd, uint64_t end, ww__store_map *map) {
    *map = (ww__store_map){.pages = end / WW__STORE_PAGE};
    WW_CHECK(device, end <= SIZE_MAX / 2, WW_MEMORY, "%.200s: %llu bytes are more than this process can map", name,
             (ull)end);
    map->checked = ww__allocate(device, (size_t)map->pages, 64);
    if (!map->checked) return ww__no_memory(device, (size_t)map->pages);
    memset(map->checked, 0, (size_t)map->pages);
    void *const bytes = mmap(NULL, (size_t)end, PROT_READ, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED) {
        const int problem = errno;
        ww__store_map_close(device, map);
        return ww__fail(device, problem == ENOMEM ? WW_MEMORY : WW_FILE, "%.200s: cannot be mapped: %s", name,
                        strerror(problem));
    }
    map->bytes = bytes;
    map->length = (size_t)end;
    return WW_OK;
}

void ww__store_map_close(ww_device *device, ww__store_map *map) {
    if (map->bytes) munmap((void *)(uintptr_t)map->bytes, map->length);
    if (map->checked) ww__release(device, map->checked, (size_t)map->pages);
    *map = (ww__store_map){0};
}

/* ---- checking ---- */

static ww_status need_sums(ww_dict *dict, uint64_t j, const ww__store_parts *parts) {
    const ww__store_level *const l = &dict->state.level[j];
    if (dict->map.sums[j]) return WW_OK;
    const uint32_t crc = ww__crc(dict->map.bytes + l->at + parts->sums, (size_t)parts->pages * sizeof crc);
    WW_CHECK(dict->device, crc == l->crc, WW_FORMAT,
             "%.200s: is damaged: the checksums of level %llu, from byte %llu on", dict->name, (ull)j,
             (ull)(l->at + parts->sums));
    dict->map.sums[j] = true;
    return WW_OK;
}

typedef struct checking {
    const unsigned char *bytes, *sums;
    uint8_t *checked;
    uint64_t end, next; /* pages */
    uint64_t bad;       /* the first page that is damaged */
} checking;

enum { PIECE = 64 };

static void check_pieces(void *argument, size_t worker) {
    checking *const c = argument;
    (void)worker;
    for (uint64_t first; (first = __atomic_fetch_add(&c->next, PIECE, __ATOMIC_RELAXED)) < c->end;) {
        const uint64_t end = ww__min_u64(first + PIECE, c->end);
        for (uint64_t p = first; p < end; p++) {
            uint32_t wanted;
            if (c->checked[p]) continue;
            memcpy(&wanted, c->sums + p * sizeof wanted, sizeof wanted);
            if (ww__crc(c->bytes + p * WW__STORE_PAGE, WW__STORE_PAGE) == wanted) {
                c->checked[p] = 1;
                continue;
            }
            uint64_t bad = __atomic_load_n(&c->bad, __ATOMIC_RELAXED);
            while (p < bad &&
                   !__atomic_compare_exchange_n(&c->bad, &bad, p, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
        }
    }
}

ww_status ww__store_need(ww_dict *dict, uint64_t j, uint64_t from, uint64_t end) {
    const ww__store_level *const l = &dict->state.level[j];
    checking c = {.bytes = dict->map.bytes + l->at,
                  .checked = dict->map.checked + l->at / WW__STORE_PAGE,
                  .end = (end + WW__STORE_PAGE - 1) / WW__STORE_PAGE,
                  .next = from / WW__STORE_PAGE,
                  .bad = UINT64_MAX};
    ww__store_parts parts;
    if (from >= end || (c.end == c.next + 1 && c.checked[c.next])) return WW_OK;
    ww__store_parts_of(&dict->header, l->count, l->marks, &parts);
    WW_TRY(need_sums(dict, j, &parts));
    c.sums = c.bytes + parts.sums;
    if (dict->device->gpu)
        check_pieces(&c, 0);
    else
        ww__parallel(dict->device, ww__workers(dict->device, end - from), check_pieces, &c);
    WW_CHECK(dict->device, c.bad == UINT64_MAX, WW_FORMAT, "%.200s: is damaged: level %llu, the page at byte %llu",
             dict->name, (ull)j, (ull)(l->at + c.bad * WW__STORE_PAGE));
    return WW_OK;
}

ww_status ww__store_need_level(ww_dict *dict, uint64_t j) {
    const ww__store_level *const l = &dict->state.level[j];
    ww__store_parts parts;
    ww__store_parts_of(&dict->header, l->count, l->marks, &parts);
    return ww__store_need(dict, j, 0, parts.sums);
}

ww_status ww__store_need_all(ww_dict *dict) {
    if (dict->map.all) return WW_OK;
    for (uint64_t j = 0; j < dict->state.levels; j++) WW_TRY(ww__store_need_level(dict, j));
    dict->map.all = true;
    return WW_OK;
}
