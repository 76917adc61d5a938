/* How a dictionary lies in a file: docs/dict.md.
 *
 *     page 0       the header: what it is, of which types. It never changes
 *     pages 1, 2   the state, in turn: update number q is page 1 + q % 2
 *     then         levels, each from a whole page on: keys, values and marks, and the pages' checksums; what an update
 *                  appends begins with a page that is its state's copy
 *
 * Committing: what is new is written behind the end that the state tells, and forced to the disk; then the state is written
 * over the older of the two, and forced, too. All that the newer one refers to stays as it is meanwhile. */
#ifndef WW__STORE_LAYOUT_H
#define WW__STORE_LAYOUT_H

#include "dictionary/lsm/lsm.h"

enum {
    WW__STORE_PAGE = 4096,
    WW__STORE_VERSION = 1,
    WW__STORE_ORDER = 0x01020304,
    WW__STORE_LABEL = 48,
    WW__STORE_ALIGN = 64, /* of keys, values and marks in a level */
    WW__STORE_BEGIN = 3 * WW__STORE_PAGE
};

typedef struct ww__store_header {
    char magic[8];
    uint32_t order, version, key_size, value_size; /* value_size 0: no values */
    uint64_t batch;
    char value[WW__STORE_LABEL]; /* the type's label */
    uint8_t zeros[WW__STORE_PAGE - 8 - 4 * 4 - 8 - WW__STORE_LABEL - 4];
    uint32_t crc; /* of all before it */
} ww__store_header;

typedef struct ww__store_level {
    uint64_t at, count;
    uint32_t marks; /* 1: there are marks of deletion, else 0 */
    uint32_t crc;   /* of the checksums */
} ww__store_level;

typedef struct ww__store_state {
    char magic[8];
    uint64_t changes, end, levels;
    ww__store_level level[WW__LSM_LEVELS];
    uint8_t zeros[WW__STORE_PAGE - 8 - 3 * 8 - WW__LSM_LEVELS * 24 - 4];
    uint32_t crc;
} ww__store_state;

_Static_assert(sizeof(ww__store_header) == WW__STORE_PAGE && sizeof(ww__store_state) == WW__STORE_PAGE, "whole pages");

/* Where the parts of a level stand, from its own begin on, in bytes. */
typedef struct ww__store_parts {
    uint64_t values, marks, sums, pages; /* pages: before the checksums, of which there is one for each */
    uint64_t bytes;                      /* of all, whole pages */
} ww__store_parts;
/* False where they are more than a file can have. */
bool ww__store_parts_of(const ww__store_header *header, uint64_t count, bool marks, ww__store_parts *parts);

void ww__store_header_of(const ww_lsm *lsm, ww__store_header *header);
/* Sets the magic and the checksum. */
void ww__store_state_seal(ww__store_state *state);

/* Whether a page is a state; of one that is, whether all of it can be so. */
bool ww__store_is_state(const ww__store_state *state);
ww_status ww__store_header_check(ww_device *device, const char *name, const ww__store_header *header, uint64_t bytes);
ww_status ww__store_state_check(ww_device *device, const char *name, const ww__store_header *header,
                                const ww__store_state *state, uint64_t file_bytes);

#endif
