/* block: a tile that fits in the second-level cache is counted and put in order there, then each bucket's run is copied to
 * its place. */
#include <string.h>

#include "device/cpu/stream.h"
#include "multisplit/pass.h"

enum { TILE_MOST = 8192, TILE_BYTES = 1 << 16, LONG_RUN = 256 };

static size_t tile(size_t bytes) {
    const size_t fit = TILE_BYTES / bytes;
    return fit > TILE_MOST ? TILE_MOST : fit ? fit : 1;
}

/* The desk's room: a table of the buckets, the keys in order, the values in order. */
static size_t table_bytes(const ww__pass *p) { return ww__round_up(sizeof(uint32_t) << p->bits, 64); }
static size_t key_bytes(const ww__pass *p) { return ww__round_up(p->tile * p->key_size, 64); }
static size_t room(const ww__pass *p) {
    return table_bytes(p) + key_bytes(p) + ww__round_up(p->tile * p->value_size, 64);
}

/* Where in the ordered tile each element goes; the table says then where each bucket ends. (Moving keys in the same loop
 * takes twice as long: measured on Zen 3, 2026-11. Loads of counters then wait for stores whose places are not known.) */
static void order_tile(const ww__pass *p, const ww__desk *desk, uint32_t *WW__R table, size_t n) {
    const size_t buckets = (size_t)1 << p->bits;
    const uint32_t *WW__R digits = desk->digits;
    uint64_t *WW__R to = desk->to;
    uint32_t sum = 0;
    memset(table, 0, buckets * sizeof *table);
    for (size_t j = 0; j < n; j++) table[digits[j]]++;
    for (size_t b = 0; b < buckets; b++) {
        const uint32_t many = table[b];
        table[b] = sum;
        sum += many;
    }
    for (size_t j = 0; j < n; j++) to[j] = table[digits[j]]++;
}

static void copy_run(const ww__pass *p, unsigned char *to, const unsigned char *from, size_t bytes) {
    if (bytes >= LONG_RUN)
        ww__stream(p->device, to, from, bytes, p->streaming);
    else
        memcpy(to, from, bytes);
}

static void move(const ww__pass *p, const ww__desk *desk, const ww__split_tile *t, const uint64_t *start,
                 const uint64_t *end) {
    uint32_t *table = (uint32_t *)(void *)desk->room;
    unsigned char *keys = desk->room + table_bytes(p), *values = keys + key_bytes(p);
    const size_t buckets = (size_t)1 << p->bits;
    (void)start;
    order_tile(p, desk, table, t->n);
    ww__place(keys, t->keys, desk->to, NULL, t->n, p->key_size);
    if (t->values) ww__place(values, t->values, desk->to, NULL, t->n, p->value_size);
    size_t begin = 0;
    for (size_t b = 0; b < buckets; b++) {
        const uint64_t left = desk->position[b] < end[b] ? end[b] - desk->position[b] : 0;
        const size_t stop = table[b], many = (size_t)ww__min_u64(stop - begin, left);
        if (many) {
            copy_run(p, p->keys_out + desk->position[b] * p->key_size, keys + begin * p->key_size, many * p->key_size);
            if (t->values)
                copy_run(p, p->values_out + desk->position[b] * p->value_size, values + begin * p->value_size,
                         many * p->value_size);
            desk->position[b] += many;
        }
        begin = stop;
    }
}

const ww__mover ww__move_block = {"block", tile, room, move, NULL};
