/* ww_lsm_check: a walk through all levels, in the host's memory, by the plainest means. It shares nothing with what makes them. */
#include "device/gpu/gpu.h"
#include "device/paper.h"
#include "dictionary/lsm/lsm.h"

typedef unsigned long long ull;

typedef struct checking {
    ww_device *device;
    ww_lsm *lsm;
    size_t levels;
    ww__lsm_level level[WW__LSM_LEVELS]; /* as in lsm, in memory that the host reads */
} checking;

static uint64_t key_at(const checking *c, size_t j, uint64_t p) {
    const unsigned char *const at = c->level[j].keys + p * c->lsm->key_size;
    uint64_t wide;
    uint32_t narrow;
    if (c->lsm->key_size == sizeof narrow) {
        __builtin_memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    __builtin_memcpy(&wide, at, sizeof wide);
    return wide;
}

static bool is_dead(const checking *c, size_t j, uint64_t p) { return c->level[j].dead && c->level[j].dead[p]; }

/* ---- copies of a GPU's levels ---- */

/* One part of a level: keys, marks, and the index's two. */
typedef struct part {
    const void *from;
    size_t bytes;
} part;
enum { PARTS = 4 };

static void parts_of(const ww_lsm *lsm, const ww__lsm_level *l, part parts[PARTS]) {
    const size_t words = (size_t)(l->count / WW__LSM_WORD) + 1;
    parts[0] = (part){l->keys, (size_t)l->count * lsm->key_size};
    parts[1] = (part){l->dead, (size_t)l->count};
    parts[2] = (part){l->before, words * sizeof *l->before};
    parts[3] = (part){l->bits, 2 * words * sizeof *l->bits};
}

/* Where a part is put, and what comes behind it; NULL where there is none. */
static ww_status bring(ww_device *device, const part *p, unsigned char **free_room, void *pointer_to_pointer) {
    void **const to = pointer_to_pointer;
    if (!p->from) return WW_OK;
    *to = *free_room;
    *free_room += ww__round_up(p->bytes, sizeof(uint64_t));
    return ww__gpu_copy(device, *to, p->from, p->bytes);
}

static ww_status bring_levels(checking *c) {
    size_t bytes = 0;
    unsigned char *room;
    part parts[PARTS];
    for (size_t j = 0; j < c->levels; j++) {
        c->level[j] = c->lsm->level[j];
        parts_of(c->lsm, &c->level[j], parts);
        for (int k = 0; k < PARTS; k++) bytes += parts[k].from ? ww__round_up(parts[k].bytes, sizeof(uint64_t)) : 0;
    }
    if (!c->device->gpu || !bytes) return WW_OK;
    WW_TRY(ww__host_scratch(c->device, bytes, &room));
    for (size_t j = 0; j < c->levels; j++) {
        ww__lsm_level *const l = &c->level[j];
        parts_of(c->lsm, l, parts);
        WW_TRY(bring(c->device, &parts[0], &room, &l->keys));
        WW_TRY(bring(c->device, &parts[1], &room, &l->dead));
        WW_TRY(bring(c->device, &parts[2], &room, &l->before));
        WW_TRY(bring(c->device, &parts[3], &room, &l->bits));
    }
    return WW_OK;
}

/* ---- one level ---- */

static ww_status check_length(const checking *c, size_t j) {
    const ww__lsm_level *const level = c->lsm->level;
    const uint64_t count = level[j].count;
    WW_CHECK(c->device, count && level[j].keys, WW_FORMAT, "level %zu has no elements", j);
    WW_CHECK(c->device, !j || level[j - 1].count <= count / 2, WW_FORMAT,
             "level %zu has %llu elements, and the newer one %llu: more than half as many", j, (ull)count,
             (ull)level[j - 1].count);
    WW_CHECK(c->device, !j || count >= c->lsm->batch, WW_FORMAT, "level %zu has %llu elements, and a batch %llu", j,
             (ull)count, (ull)c->lsm->batch);
    WW_CHECK(c->device, !level[j].dead || j + 1 < c->levels, WW_FORMAT, "level %zu, the oldest, has marks of deletion",
             j);
    return WW_OK;
}

static ww_status check_order(const checking *c, size_t j) {
    const bool oldest = j + 1 == c->levels;
    for (uint64_t p = 1; p < c->level[j].count; p++) {
        const uint64_t before = key_at(c, j, p - 1), key = key_at(c, j, p);
        WW_CHECK(c->device, before <= key, WW_FORMAT, "level %zu: key %llu at place %llu is below the one before, %llu",
                 j, (ull)key, (ull)p, (ull)before);
        WW_CHECK(c->device, !oldest || before != key, WW_FORMAT,
                 "level %zu, the oldest: key %llu at place %llu is there twice", j, (ull)key, (ull)p);
    }
    return WW_OK;
}

static ww_status check_marks(const checking *c, size_t j) {
    if (!c->level[j].dead) return WW_OK;
    for (uint64_t p = 0; p < c->level[j].count; p++)
        WW_CHECK(c->device, c->level[j].dead[p] <= 1, WW_FORMAT, "level %zu: the mark at place %llu is %d", j, (ull)p,
                 (int)c->level[j].dead[p]);
    return WW_OK;
}

/* ---- the index ---- */

/* Whether a key is there if levels up to number j are left out. */
static bool is_in_older(const checking *c, size_t j, uint64_t key) {
    for (size_t i = j + 1; i < c->levels; i++) {
        uint64_t low = 0, high = c->level[i].count;
        while (low < high) {
            const uint64_t middle = (low + high) / 2;
            if (key_at(c, i, middle) < key)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < c->level[i].count && key_at(c, i, low) == key) return !is_dead(c, i, low);
    }
    return false;
}

static int weight_of(const checking *c, size_t j, uint64_t p) {
    const uint64_t key = key_at(c, j, p);
    if (p && key_at(c, j, p - 1) == key) return 0;
    return !is_dead(c, j, p) - is_in_older(c, j, key);
}

static ww_status check_index(const checking *c, size_t j) {
    const ww__lsm_level *const l = &c->level[j];
    const uint64_t words = l->count / WW__LSM_WORD + 1;
    uint64_t sum = 0;
    if (!l->before) return WW_OK;
    for (uint64_t w = 0; w < words; w++) {
        WW_CHECK(c->device, l->before[w] == sum, WW_FORMAT, "level %zu: the index has %lld before place %llu, not %lld",
                 j, (long long)l->before[w], (ull)(w * WW__LSM_WORD), (long long)sum);
        for (uint64_t p = w * WW__LSM_WORD; p < (w + 1) * WW__LSM_WORD; p++) {
            const int more = l->bits[2 * w] >> p % WW__LSM_WORD & 1, less = l->bits[2 * w + 1] >> p % WW__LSM_WORD & 1;
            const int weight = p < l->count ? weight_of(c, j, p) : 0;
            WW_CHECK(c->device, more - less == weight && !(more && less), WW_FORMAT,
                     "level %zu: the index counts %d for place %llu, not %d", j, more - less, (ull)p, weight);
            sum += (uint64_t)(int64_t)weight;
        }
    }
    return WW_OK;
}

ww_status ww__lsm_check(ww_lsm *lsm) {
    checking c = {.device = lsm->device, .lsm = lsm, .levels = lsm->levels};
    WW_TRY(ww__not_on_paper(c.device));
    WW_CHECK(c.device, c.levels <= WW__LSM_LEVELS, WW_FORMAT, "there are %zu levels, and can be %d", c.levels,
             WW__LSM_LEVELS);
    for (size_t j = 0; j < c.levels; j++) WW_TRY(check_length(&c, j));
    WW_TRY(bring_levels(&c));
    for (size_t j = 0; j < c.levels; j++) {
        WW_TRY(check_order(&c, j));
        WW_TRY(check_marks(&c, j));
    }
    for (size_t j = 0; j < c.levels; j++) WW_TRY(check_index(&c, j));
    return WW_OK;
}

ww_status ww_lsm_check(ww_lsm *lsm) {
    if (!lsm) return WW_INVALID;
    WW_TRY(ww__enter(lsm->device, "ww_lsm_check"));
    return ww__leave(lsm->device, ww__lsm_check(lsm));
}
