/* What the files of the durable dictionary share. */
#ifndef WW__STORE_H
#define WW__STORE_H

#include "dictionary/store/layout.h"
#include "warpwise/dict.h"

/* The pages of a file that its state refers to, as they lie in memory, and which of them have been checked. */
typedef struct ww__store_map {
    const unsigned char *bytes; /* NULL: none */
    size_t length;
    uint8_t *checked; /* 1 for each page of the file whose checksum was right */
    uint64_t pages;
    bool sums[WW__LSM_LEVELS]; /* whether the level's checksums themselves were */
    bool all;                  /* whether every page was */
} ww__store_map;

struct ww_dict {
    ww_device *device;
    char *name;
    size_t name_bytes;
    int fd, lock;      /* lock: another descriptor that has the file's lock, or -1 */
    bool writes, half; /* half: one of the two states is damaged */
    ww__store_header header;
    ww__store_state state;
    ww__store_map map;
    ww_lsm *lsm; /* its levels are the map's, but for what an update has just made */
};

/* ---- opening (open.c) ---- */

ww_status ww__store_open(ww_device *device, const char *path, const ww_type *value, bool writes, ww_dict **dict);
void ww__store_close(ww_dict *dict);
/* Takes the lock of a file, which is to be the one of that name; FILE where another process has it. */
ww_status ww__store_lock(ww_device *device, const char *name, int fd);
/* Has the dictionary's levels be what the state and the map say. */
void ww__store_attach(ww_dict *dict);

/* ---- pages (map.c) ---- */

ww_status ww__store_map_new(ww_device *device, const char *name, int fd, uint64_t end, ww__store_map *map);
void ww__store_map_close(ww_device *device, ww__store_map *map);
/* Checks the pages of level j from byte `from` of it to before byte `end` that have not been. */
ww_status ww__store_need(ww_dict *dict, uint64_t j, uint64_t from, uint64_t end);
ww_status ww__store_need_level(ww_dict *dict, uint64_t j);
ww_status ww__store_need_all(ww_dict *dict);

/* ---- writing (write.c) ---- */

/* Writes a level from byte at->at on, and fills the rest of `at`; `in_host`: it lies in the host's memory, whatever the device
 * is. *buffer: NULL, or what another level of this call was written through. */
ww_status ww__store_write_level(ww_device *device, const char *name, int fd, const ww__store_header *header,
                                const ww__lsm_level *level, bool in_host, unsigned char **buffer, ww__store_level *at);
ww_status ww__store_write_page(ww_device *device, const char *name, int fd, const void *page, uint64_t at);
bool ww__store_force(int fd);

/* ---- whole files (save.c) ---- */

/* Writes the dictionary's levels to a file and gives it the name; what was there is replaced, or if `fresh` must not be.
 * `replaced` is the open file that is to be replaced, whose lock is held, or -1. Where it succeeds *fd and *lock are the new
 * file's. */
typedef struct ww__store_saving {
    ww_lsm *lsm;
    const ww__store_header *header;
    const char *path;
    bool in_host, fresh, keeps; /* keeps: *fd, *lock and *map are wanted */
    int replaced;
    uint64_t changes;
    ww__store_state *state; /* filled */
    int *fd, *lock;
    ww__store_map *map;
    bool renamed; /* filled: the file has its name, whatever else failed */
} ww__store_saving;
ww_status ww__store_save(ww_device *device, ww__store_saving *saving);

/* ---- queries for few keys (search.c) ---- */

/* Whether these are few enough that reading the pages on their way takes less than reading all. */
bool ww__store_few(const ww_dict *dict, uint64_t keys);
ww_status ww__store_lookup(ww_dict *dict, const ww_input *keys, const ww_array *values, const ww_array *found);
/* sums[i] = the number of keys between the bounds; *wide: these are so many that nothing was counted. */
ww_status ww__store_count(ww_dict *dict, const ww_input *lows, const ww_input *highs, uint64_t *sums, bool *wide);
ww_status ww__store_range(ww_dict *dict, const ww_input *lows, const ww_input *highs, const uint64_t *offsets,
                          const ww_array *keys_out, const ww_array *values_out);
ww_status ww__store_list(ww_dict *dict, uint64_t first, const ww_array *keys_out, const ww_array *values_out,
                         uint64_t *listed);

#endif
