/* One pass of a multisplit on the CPU: elements of a range go to the buckets of a digit of their buckets' numbers.
 *
 * Workers count parts of the range; a row of places for each part says where its elements of each bucket go; then workers
 * move parts, tile by tile, as the method has it (a mover). A function may give a key another bucket the second time, so
 * movers never write behind the place where the next part's elements of a bucket begin. */
#ifndef WW__PASS_H
#define WW__PASS_H

#include "function/check.h"
#include "multisplit/numbering.h"
#include "radix/lines.h"

enum {
    WW__SPLIT_BITS = 12, /* of a digit, at most */
    WW__SPLIT_TILE =
        512, /* elements that go from step to step: their digits, places and keys stay in a first-level cache */
    WW__SPLIT_TABLES = 4 /* counters a digit is counted with, so that equal neighbours do not wait for each other */
};

typedef struct ww__split_tile {
    const unsigned char *keys, *values;
    size_t n;
} ww__split_tile;

/* What one worker works with. */
typedef struct ww__desk {
    uint32_t *digits, *order; /* of a tile */
    uint64_t *to;             /* … */
    uint64_t *position;       /* of each bucket: where its next element goes */
    unsigned char *room;      /* the mover's; while there is nothing to move, tables of counters */
    void *key_buffer, *value_buffer;
} ww__desk;

typedef struct ww__pass ww__pass;

/* How a worker moves tiles. */
typedef struct ww__mover {
    const char *name;
    size_t (*tile)(size_t bytes);      /* elements of a tile, from the bytes of one */
    size_t (*room)(const ww__pass *p); /* bytes of a desk; NULL: none */
    /* desk->position, which begins as `start`, moves on; nothing is written at or behind `end` of a bucket. */
    void (*move)(const ww__pass *p, const ww__desk *desk, const ww__split_tile *tile, const uint64_t *start,
                 const uint64_t *end);
    void (*finish)(const ww__pass *p, const ww__desk *desk, const uint64_t *start, const uint64_t *end); /* or NULL */
} ww__mover;

struct ww__pass {
    ww_device *device;
    const ww__numbering *numbering;
    const ww__mover *mover;
    const ww__lines_loops *lines;  /* where the mover wants them */
    const ww_input *keys, *values; /* of all elements; values NULL: none */
    unsigned char *keys_out, *values_out;
    size_t key_size, value_size; /* 0: no values */
    uint64_t first, n;           /* the range */
    unsigned low, bits;          /* the digit */
    bool streaming,
        same_twice; /* keys have the bucket that they had when they were counted, whatever the caller's functions do */
    ww__fault *fault; /* where the keys' buckets have not been seen before; else NULL */
    uint64_t parts, part_n;
    uint64_t *rows; /* places: parts + 1 of 2^bits; the last is where buckets end */
    size_t workers, tile;
    size_t key_room, value_room, mover_room, desk_bytes;
    unsigned char *desks;
    uint64_t next;
};

/* Takes memory for desks on which digits of up to `bits` bits are counted and moved, and rows for as many parts as the range
 * is cut into; `more`: bytes of a desk's room that are wanted besides the mover's. */
ww_status ww__pass_prepare(ww__pass *p, unsigned bits, size_t more);

ww__desk ww__pass_desk(const ww__pass *p, size_t worker);

static inline uint64_t *ww__pass_row(const ww__pass *p, uint64_t part) { return p->rows + (part << p->bits); }

/* Elements of the range first … first + n - 1 (n <= tile): their digits to the desk; and themselves. Returns false where a
 * key has no bucket, and keeps its position. */
bool ww__pass_digits(const ww__pass *p, const ww__desk *desk, uint64_t first, size_t n);
ww__split_tile ww__pass_read(const ww__pass *p, const ww__desk *desk, uint64_t first, size_t n);

/* Counts, and makes places of the counts; bounds: where each of the 2^bits buckets begins, and the last one ends. Returns
 * false where a key has no bucket. */
bool ww__pass_count(ww__pass *p, uint64_t *bounds);
/* Moves all parts. */
void ww__pass_move(ww__pass *p);

/* out[to[k]] = in[order[k]], or in[k] where order is NULL. */
void ww__place(void *out, const void *in, const uint64_t *to, const uint32_t *order, size_t n, size_t size);
/* The same for keys and values of a tile. */
void ww__place_tile(const ww__pass *p, const ww__desk *desk, const ww__split_tile *tile, const uint32_t *order,
                    size_t n);

extern const ww__mover ww__move_direct, ww__move_warp, ww__move_block, ww__move_lines;

/* What auto moves n elements of so many bytes with, by a digit of so many bits; lines: whether they go through lines. */
const ww__mover *ww__auto_mover(const ww_device *device, bool lines, size_t size, uint64_t n, unsigned bits);

/* The same when places are known: of a pass with the mover above, which is to move all parts. */
const ww__mover *ww__auto_mover_of_places(const ww__pass *p);

/* The methods whose passes are others: `bounds` as above. */
ww_status ww__pass_onepass(ww__pass *p, uint64_t *bounds);

/* At most two buckets: elements are compressed by bits. zeros: how many are in bucket 0. */
bool ww__two_serves(const ww__splitting *s);
ww_status ww__two(const ww__splitting *s, const ww__numbering *numbering, ww__fault *fault, uint64_t *zeros);

#endif
