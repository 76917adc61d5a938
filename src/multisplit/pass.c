/* Counting, places, and moving by the mover. Rows of places are not changed by moving: positions that move on are a copy on
 * the worker's desk, and where a part's bucket ends is where the next part's begins. */
#include "multisplit/pass.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "primitive/gather/move.h"

enum {
    PARTS_A_WORKER = 4,   /* so that no worker waits long for another */
    PART_LEAST = 1 << 14, /* elements of a part … */
    PART_BUCKETS = 4,     /* … and for each bucket; … */
    PART_LINES = 1024,    /* … where they go through lines, the first and the last of which take longer */
    WIDE_BITS = 10
};

/* ---- memory ---- */

static void cut_parts(ww__pass *p, uint64_t room) {
    const uint64_t least = PART_LEAST + ((uint64_t)(p->mover->finish ? PART_LINES : PART_BUCKETS) << p->bits);
    const uint64_t many = p->n / least + 1, each = ww__min_u64(p->workers, p->n / PART_LEAST + 1);
    p->part_n = p->n / ww__min_u64(room, many > each ? many : each) + 1;
    p->parts = (p->n + p->part_n - 1) / p->part_n;
}

/* Tables count in 32 bits. */
static uint64_t parts_room(const ww__pass *p, uint64_t n) {
    return p->workers == 1 ? 1 + (n >> 31) : PARTS_A_WORKER * p->workers + (n >> 31);
}

ww_status ww__pass_prepare(ww__pass *p, unsigned bits, size_t more) {
    const size_t tables = WW__SPLIT_TABLES * sizeof(uint32_t) << bits; /* at most */
    p->bits = bits;
    p->tile = p->mover->tile(p->key_size + p->value_size);
    p->key_room = ww__input_room(p->keys, p->tile);
    p->value_room = p->values ? ww__input_room(p->values, p->tile) : 0;
    p->mover_room = p->mover->room ? p->mover->room(p) : 0;
    if (p->mover_room < tables) p->mover_room = tables;
    if (p->mover_room < more) p->mover_room = more;
    p->mover_room = ww__round_up(p->mover_room, 64);
    p->desk_bytes = ww__round_up(16 * p->tile, 64) + ww__round_up(sizeof(uint64_t) << bits, 64) + p->mover_room +
                    p->key_room + p->value_room;
    p->desk_bytes = ww__round_up(p->desk_bytes, 64);
    WW_TRY(ww__scratch_array(p->device, p->workers, p->desk_bytes, &p->desks));
    return ww__scratch_array(p->device, parts_room(p, p->n) + 1, sizeof *p->rows << bits, &p->rows);
}

ww__desk ww__pass_desk(const ww__pass *p, size_t worker) {
    unsigned char *at = p->desks + worker * p->desk_bytes;
    ww__desk d = {.to = (uint64_t *)(void *)at};
    d.digits = (uint32_t *)(void *)(at + 8 * p->tile);
    d.order = d.digits + p->tile;
    d.room = at + ww__round_up(16 * p->tile, 64);
    d.key_buffer = d.room + p->mover_room;
    d.value_buffer = (unsigned char *)d.key_buffer + p->key_room;
    d.position = (uint64_t *)(void *)((unsigned char *)d.value_buffer + p->value_room);
    return d;
}

/* ---- tiles ---- */

static const void *read_keys(const ww__pass *p, const ww__desk *desk, uint64_t first, size_t n) {
    /* Maps ask for what comes next themselves. */
    if (!p->numbering->map) ww__input_fetch(p->keys, p->first + first + n, n);
    return ww__input_read(p->device, p->keys, p->first + first, n, desk->key_buffer);
}

static uint32_t make_digits(const ww__pass *p, const ww__desk *desk, const void *keys, size_t n) {
    ww__numbers(p->numbering, desk->digits, keys, n);
    return ww__digits(p->numbering, desk->digits, n, p->low, ((uint32_t)1 << p->bits) - 1);
}

static void keep_fault(const ww__pass *p, const ww__desk *desk, const void *keys, uint64_t first, size_t n) {
    size_t i = 0;
    ww__numbers(p->numbering, desk->digits, keys, n);
    while (i + 1 < n && desk->digits[i] <= p->numbering->last) i++;
    ww__fault_at(p->fault, p->first + first + i);
}

bool ww__pass_digits(const ww__pass *p, const ww__desk *desk, uint64_t first, size_t n) {
    const void *keys = read_keys(p, desk, first, n);
    if (make_digits(p, desk, keys, n) <= p->numbering->last || !p->fault) return true;
    keep_fault(p, desk, keys, first, n);
    return false;
}

ww__split_tile ww__pass_read(const ww__pass *p, const ww__desk *desk, uint64_t first, size_t n) {
    const ww__split_tile tile = {
        read_keys(p, desk, first, n),
        p->values ? ww__input_read(p->device, p->values, p->first + first, n, desk->value_buffer) : NULL, n};
    if (p->same_twice && !p->low && p->numbering->last >> p->bits == 0)
        ww__numbers(p->numbering, desk->digits, tile.keys, n); /* which are digits: counting has seen it */
    else
        make_digits(p, desk, tile.keys, n);
    return tile;
}

/* ---- counting ---- */

static void count_digits(uint32_t *WW__R tables, unsigned bits, const uint32_t *WW__R digits, size_t n) {
    uint32_t *const table_1 = tables + ((size_t)1 << bits), *const table_2 = tables + ((size_t)2 << bits),
                    *const table_3 = tables + ((size_t)3 << bits);
    size_t i = 0;
    for (; i + WW__SPLIT_TABLES <= n; i += WW__SPLIT_TABLES) {
        tables[digits[i]]++;
        table_1[digits[i + 1]]++;
        table_2[digits[i + 2]]++;
        table_3[digits[i + 3]]++;
    }
    for (; i < n; i++) tables[digits[i]]++;
}

/* Two tables fit in a first-level cache where four do not. */
static void count_wide_digits(uint32_t *WW__R tables, unsigned bits, const uint32_t *WW__R digits, size_t n) {
    uint32_t *const table_1 = tables + ((size_t)1 << bits);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        tables[digits[i]]++;
        table_1[digits[i + 1]]++;
        tables[digits[i + 2]]++;
        table_1[digits[i + 3]]++;
    }
    for (; i < n; i++) tables[digits[i]]++;
}

static size_t tables_of(unsigned bits) { return bits > WIDE_BITS ? 2 : WW__SPLIT_TABLES; }

/* The counts of a part to its row. A key without a bucket ends it: those before it have been seen. */
static void count_part(const ww__pass *p, const ww__desk *desk, uint64_t part) {
    const uint64_t end = ww__min_u64((part + 1) * p->part_n, p->n);
    const size_t buckets = (size_t)1 << p->bits;
    uint32_t *tables = (uint32_t *)(void *)desk->room;
    uint64_t *row = ww__pass_row(p, part);
    const size_t many = tables_of(p->bits);
    memset(tables, 0, many * buckets * sizeof *tables);
    for (uint64_t i = part * p->part_n; i < end; i += p->tile) {
        const size_t n = (size_t)ww__min_u64(p->tile, end - i);
        if (!ww__pass_digits(p, desk, i, n)) return;
        (many == 2 ? count_wide_digits : count_digits)(tables, p->bits, desk->digits, n);
    }
    for (size_t b = 0; b < buckets; b++) {
        row[b] = 0;
        for (size_t t = 0; t < many; t++) row[b] += tables[(t << p->bits) + b];
    }
}

static void count_parts(void *argument, size_t worker) {
    ww__pass *p = argument;
    const ww__desk desk = ww__pass_desk(p, worker);
    for (uint64_t part; (part = ww__claim(&p->next)) < p->parts;) count_part(p, &desk, part);
}

/* Counts become places: bucket after bucket, in each part after part. Rows are gone through one after another, which vectors do. */
static void place_parts(const ww__pass *p, uint64_t *WW__R bounds) {
    const size_t buckets = (size_t)1 << p->bits;
    uint64_t *WW__R next = ww__pass_row(p, p->parts);
    uint64_t place = p->first;
    memset(next, 0, buckets * sizeof *next);
    for (uint64_t part = 0; part < p->parts; part++) {
        const uint64_t *WW__R counts = ww__pass_row(p, part);
        for (size_t b = 0; b < buckets; b++) next[b] += counts[b];
    }
    for (size_t b = 0; b < buckets; b++) {
        const uint64_t many = next[b];
        bounds[b] = next[b] = place;
        place += many;
    }
    bounds[buckets] = place;
    for (uint64_t part = 0; part < p->parts; part++) {
        uint64_t *WW__R row = ww__pass_row(p, part);
        for (size_t b = 0; b < buckets; b++) {
            const uint64_t many = row[b];
            row[b] = next[b];
            next[b] += many;
        }
    }
}

bool ww__pass_count(ww__pass *p, uint64_t *bounds) {
    cut_parts(p, parts_room(p, p->n));
    p->next = 0;
    ww__parallel(p->device, p->workers, count_parts, p);
    if (p->fault && p->fault->position != UINT64_MAX) return false;
    place_parts(p, bounds);
    return true;
}

/* ---- moving ---- */

static void move_part(const ww__pass *p, const ww__desk *desk, uint64_t part) {
    const uint64_t *start = ww__pass_row(p, part), *stop = ww__pass_row(p, part + 1);
    const uint64_t end = ww__min_u64((part + 1) * p->part_n, p->n);
    memcpy(desk->position, start, sizeof *start << p->bits);
    for (uint64_t i = part * p->part_n; i < end; i += p->tile) {
        const ww__split_tile tile = ww__pass_read(p, desk, i, (size_t)ww__min_u64(p->tile, end - i));
        p->mover->move(p, desk, &tile, start, stop);
    }
    if (p->mover->finish) p->mover->finish(p, desk, start, stop);
}

static void move_parts(void *argument, size_t worker) {
    ww__pass *p = argument;
    const ww__desk desk = ww__pass_desk(p, worker);
    for (uint64_t part; (part = ww__claim(&p->next)) < p->parts;) move_part(p, &desk, part);
    ww__stream_done();
}

void ww__pass_move(ww__pass *p) {
    p->next = 0;
    ww__parallel(p->device, p->workers, move_parts, p);
}

/* ---- elements to their places ---- */

#define PLACE(name, given, MOVE) \
    static void place_##name(unsigned char *WW__R out, const unsigned char *WW__R in, const uint64_t *WW__R to, \
                             const uint32_t *WW__R order, size_t n, size_t size) { \
        (void)size; \
        if (order) \
            for (size_t k = 0; k < n; k++) \
                MOVE(out + to[k] * SIZE_##given, in + order[k] * SIZE_##given, SIZE_##given); \
        else \
            for (size_t k = 0; k < n; k++) MOVE(out + to[k] * SIZE_##given, in + k * SIZE_##given, SIZE_##given); \
    }
#define SIZE_given size
#define SIZE_1 (size_t)1
#define SIZE_2 (size_t)2
#define SIZE_4 (size_t)4
#define SIZE_8 (size_t)8
#define SIZE_16 (size_t)16
WW__EACH_MOVE(PLACE)

void ww__place(void *out, const void *in, const uint64_t *to, const uint32_t *order, size_t n, size_t size) {
#define PLACE_ENTRY(name, given, MOVE) place_##name,
    static void (*const places[])(unsigned char *WW__R out, const unsigned char *WW__R in, const uint64_t *WW__R to,
                                  const uint32_t *WW__R order, size_t n, size_t size) = {WW__EACH_MOVE(PLACE_ENTRY)};
    places[ww__move_of(size)](out, in, to, order, n, size);
}

void ww__place_tile(const ww__pass *p, const ww__desk *desk, const ww__split_tile *tile, const uint32_t *order,
                    size_t n) {
    ww__place(p->keys_out, tile->keys, desk->to, order, n, p->key_size);
    if (tile->values) ww__place(p->values_out, tile->values, desk->to, order, n, p->value_size);
}
