/* Queries for few keys: what a search meets is checked page by page, and the rest of the file is not read.
 *
 * A key is searched for in one level after the other, the newest first. Counts and ranges take the slice between the bounds of
 * each level and merge these, as ww_lsm's ranges do: of equal keys the first one in the newest level counts. */
#include <string.h>

#include "device/array.h"
#include "dictionary/store/store.h"
#include "function/function.h"

enum {
    SEARCH_PAGES = 16, /* that a search in one level reads, at most about */
    TILE = 256         /* keys that are read of an input at once */
};

bool ww__store_few(const ww_dict *dict, uint64_t keys) {
    if (dict->map.all || keys > dict->map.pages) return false;
    return keys * SEARCH_PAGES * dict->state.levels < dict->map.pages;
}

/* ---- one level ---- */

static uint64_t load(const unsigned char *at, size_t size) {
    uint64_t wide;
    uint32_t narrow;
    if (size == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

static uint64_t key_of(const ww_dict *dict, uint64_t j, uint64_t p) {
    const size_t size = dict->header.key_size;
    return load(dict->lsm->level[j].keys + p * size, size);
}

static ww_status need_key(ww_dict *dict, uint64_t j, uint64_t p) {
    const size_t size = dict->header.key_size;
    return ww__store_need(dict, j, p * size, (p + 1) * size);
}

static const unsigned char *value_of(const ww_dict *dict, uint64_t j, uint64_t p) {
    return dict->lsm->level[j].values + p * dict->header.value_size;
}

static bool is_dead(const ww_dict *dict, uint64_t j, uint64_t p) {
    return dict->lsm->level[j].dead && dict->lsm->level[j].dead[p];
}

/* The elements `from` … `end` - 1 of a part of level j that has `size` bytes each and stands at `part`. */
static ww_status need_part(ww_dict *dict, uint64_t j, const void *part, size_t size, uint64_t from, uint64_t end) {
    if (!part || from >= end) return WW_OK;
    const uint64_t at = (uint64_t)((const unsigned char *)part - dict->lsm->level[j].keys);
    return ww__store_need(dict, j, at + from * size, at + end * size);
}

/* The first of the places from `from` on whose key is not below `key` (above: is above it). */
static ww_status find_bound(ww_dict *dict, uint64_t j, uint64_t from, uint64_t key, bool above, uint64_t *place) {
    uint64_t end = dict->lsm->level[j].count;
    while (from < end) {
        const uint64_t middle = from + (end - from) / 2;
        WW_TRY(need_key(dict, j, middle));
        const uint64_t x = key_of(dict, j, middle);
        if (x < key || (above && x == key))
            from = middle + 1;
        else
            end = middle;
    }
    *place = from;
    return WW_OK;
}

/* ---- look-ups ---- */

/* The newest element of a key, where it is there: *j is the number of levels where it is not. */
static ww_status find(ww_dict *dict, uint64_t key, uint64_t *j, uint64_t *place) {
    for (*j = 0; *j < dict->lsm->levels; ++*j) {
        const ww__lsm_level *const l = &dict->lsm->level[*j];
        WW_TRY(find_bound(dict, *j, 0, key, false, place));
        if (*place == l->count) continue;
        WW_TRY(need_key(dict, *j, *place));
        if (key_of(dict, *j, *place) != key) continue;
        WW_TRY(need_part(dict, *j, l->dead, 1, *place, *place + 1));
        if (is_dead(dict, *j, *place)) break;
        return WW_OK;
    }
    *j = dict->lsm->levels;
    return WW_OK;
}

static ww_status look_up(ww_dict *dict, uint64_t key, unsigned char *value, uint8_t *found) {
    const size_t size = dict->header.value_size;
    uint64_t j, place = 0;
    WW_TRY(find(dict, key, &j, &place));
    const bool is = j < dict->lsm->levels;
    if (found) *found = is;
    if (!is || !value) return WW_OK;
    WW_TRY(need_part(dict, j, dict->lsm->level[j].values, size, place, place + 1));
    memcpy(value, value_of(dict, j, place), size);
    return WW_OK;
}

ww_status ww__store_lookup(ww_dict *dict, const ww_input *keys, const ww_array *values, const ww_array *found) {
    const size_t key_size = dict->header.key_size, size = dict->header.value_size;
    unsigned char *room;
    WW_TRY(ww__scratch(dict->device, ww__input_room(keys, TILE), &room));
    for (uint64_t first = 0; first < keys->count; first += TILE) {
        const size_t m = (size_t)ww__min_u64(TILE, keys->count - first);
        const unsigned char *const tile = ww__input_read(dict->device, keys, first, m, room);
        for (size_t q = 0; q < m; q++)
            WW_TRY(look_up(dict, load(tile + q * key_size, key_size),
                           values->data ? (unsigned char *)values->data + (first + q) * size : NULL,
                           found->data ? (uint8_t *)found->data + first + q : NULL));
    }
    return WW_OK;
}

/* ---- slices ---- */

typedef struct slices {
    uint64_t from[WW__LSM_LEVELS], end[WW__LSM_LEVELS];
} slices;

static ww_status slices_of(ww_dict *dict, uint64_t low, uint64_t high, slices *s, uint64_t *elements) {
    *elements = 0;
    for (uint64_t j = 0; j < dict->lsm->levels; j++) {
        s->from[j] = s->end[j] = 0;
        if (low > high) continue;
        WW_TRY(find_bound(dict, j, 0, low, false, &s->from[j]));
        WW_TRY(find_bound(dict, j, s->from[j], high, true, &s->end[j]));
        *elements += s->end[j] - s->from[j];
    }
    return WW_OK;
}

static ww_status need_slices(ww_dict *dict, const slices *s, bool values) {
    for (uint64_t j = 0; j < dict->lsm->levels; j++) {
        const ww__lsm_level *const l = &dict->lsm->level[j];
        WW_TRY(need_part(dict, j, l->keys, dict->header.key_size, s->from[j], s->end[j]));
        WW_TRY(need_part(dict, j, l->dead, 1, s->from[j], s->end[j]));
        if (values) WW_TRY(need_part(dict, j, l->values, dict->header.value_size, s->from[j], s->end[j]));
    }
    return WW_OK;
}

/* Where keys and values that are listed go; keys NULL: they are counted. */
typedef struct listing {
    unsigned char *keys, *values;
    uint64_t room, count; /* of elements; how many there were */
} listing;

static void put(const ww_dict *dict, listing *to, uint64_t j, uint64_t p) {
    const size_t key_size = dict->header.key_size, value_size = dict->header.value_size;
    const uint64_t at = to->count++;
    if (!to->keys || at >= to->room) return;
    memcpy(to->keys + at * key_size, dict->lsm->level[j].keys + p * key_size, key_size);
    if (to->values) memcpy(to->values + at * value_size, value_of(dict, j, p), value_size);
}

/* Merges slices that have been checked. */
static void list(const ww_dict *dict, slices *s, listing *to) {
    const uint64_t levels = dict->lsm->levels;
    for (;;) {
        uint64_t newest = levels, least = 0;
        for (uint64_t j = 0; j < levels; j++) {
            if (s->from[j] == s->end[j]) continue;
            const uint64_t key = key_of(dict, j, s->from[j]);
            if (newest < levels && key >= least) continue;
            least = key;
            newest = j;
        }
        if (newest == levels) return;
        if (!is_dead(dict, newest, s->from[newest])) put(dict, to, newest, s->from[newest]);
        for (uint64_t j = newest; j < levels; j++)
            while (s->from[j] < s->end[j] && key_of(dict, j, s->from[j]) == least) s->from[j]++;
    }
}

/* ---- counts and ranges ---- */

typedef struct bounds {
    ww_dict *dict;
    const ww_input *lows, *highs;
    unsigned char *room, *highs_room;
} bounds;

static ww_status bounds_of(ww_dict *dict, const ww_input *lows, const ww_input *highs, bounds *b) {
    const size_t part = ww__round_up(ww__input_room(lows, 1), 64);
    *b = (bounds){.dict = dict, .lows = lows, .highs = highs};
    WW_TRY(ww__scratch(dict->device, part + ww__input_room(highs, 1), &b->room));
    b->highs_room = b->room + part;
    return WW_OK;
}

static ww_status slices_between(const bounds *b, uint64_t i, slices *s, uint64_t *elements) {
    const size_t size = b->dict->header.key_size;
    const uint64_t low = load(ww__input_read(b->dict->device, b->lows, i, 1, b->room), size);
    const uint64_t high = load(ww__input_read(b->dict->device, b->highs, i, 1, b->highs_room), size);
    return slices_of(b->dict, low, high, s, elements);
}

ww_status ww__store_count(ww_dict *dict, const ww_input *lows, const ww_input *highs, uint64_t *sums, bool *wide) {
    bounds b;
    slices s;
    uint64_t all = 0, elements, sum = 0;
    WW_TRY(bounds_of(dict, lows, highs, &b));
    for (size_t j = 0; j < dict->lsm->levels; j++) all += dict->lsm->level[j].count;
    *wide = false;
    for (uint64_t i = 0; i < lows->count; i++) {
        listing to = {.keys = NULL};
        WW_TRY(slices_between(&b, i, &s, &elements));
        sum += elements;
        *wide = sum > all / 4;
        if (*wide) return WW_OK;
        WW_TRY(need_slices(dict, &s, false));
        list(dict, &s, &to);
        sums[i] = to.count;
    }
    return WW_OK;
}

ww_status ww__store_range(ww_dict *dict, const ww_input *lows, const ww_input *highs, const uint64_t *offsets,
                          const ww_array *keys_out, const ww_array *values_out) {
    bounds b;
    slices s;
    uint64_t elements;
    WW_TRY(bounds_of(dict, lows, highs, &b));
    for (uint64_t i = 0; i < lows->count; i++) {
        const uint64_t at = ww__min_u64(offsets[i], keys_out->count);
        listing to = {.keys = (unsigned char *)keys_out->data + at * dict->header.key_size,
                      .room = keys_out->count - at};
        if (values_out->data) to.values = (unsigned char *)values_out->data + at * dict->header.value_size;
        if (!to.room) return WW_OK;
        WW_TRY(slices_between(&b, i, &s, &elements));
        WW_TRY(need_slices(dict, &s, to.values));
        list(dict, &s, &to);
    }
    return WW_OK;
}

/* ---- all in order ---- */

/* Up to the least key that stands `each` elements behind the begin of what is left of a level: so each level has at most as
 * many different keys before it. */
static ww_status next_slices(ww_dict *dict, uint64_t first, uint64_t each, slices *s, uint64_t *last, bool *more) {
    *last = UINT64_MAX;
    *more = false;
    for (uint64_t j = 0; j < dict->lsm->levels; j++) {
        WW_TRY(find_bound(dict, j, 0, first, false, &s->from[j]));
        if (dict->lsm->level[j].count - s->from[j] <= each) continue;
        WW_TRY(need_key(dict, j, s->from[j] + each - 1));
        *last = ww__min_u64(*last, key_of(dict, j, s->from[j] + each - 1));
        *more = true;
    }
    for (uint64_t j = 0; j < dict->lsm->levels; j++) WW_TRY(find_bound(dict, j, s->from[j], *last, true, &s->end[j]));
    return WW_OK;
}

ww_status ww__store_list(ww_dict *dict, uint64_t first, const ww_array *keys_out, const ww_array *values_out,
                         uint64_t *listed) {
    const uint64_t each = keys_out->count / (dict->lsm->levels ? dict->lsm->levels : 1);
    listing to = {.keys = keys_out->data, .values = values_out->data, .room = keys_out->count};
    slices s;
    bool more = true;
    while (more && !to.count) {
        uint64_t last;
        WW_TRY(next_slices(dict, first, each, &s, &last, &more));
        WW_TRY(need_slices(dict, &s, to.values));
        list(dict, &s, &to);
        more = more && last != UINT64_MAX;
        first = last + 1;
    }
    *listed = to.count;
    return WW_OK;
}
