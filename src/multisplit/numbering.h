/* The buckets of keys on the CPU, tile by tile: by a map's loop, or between edges. */
#ifndef WW__NUMBERING_H
#define WW__NUMBERING_H

#include "multisplit/sides.h"
#include "primitive/histogram/histogram.h"
#include "radix/division.h"

/* How many of the edges are not above each key, from its bin between them. */
typedef void ww__edge_loop(const void *last_edge, uint32_t edges, uint32_t *numbers, const void *keys, size_t n);

/* Keys of 32 bits over a width. */
typedef void ww__division_loop(const ww__division *division, uint32_t *numbers, const void *keys, size_t n);

typedef struct ww__numbering {
    const ww_device *device;
    const ww_map_loops *map;   /* NULL: by edges */
    ww__division_loop *divide; /* instead of the map; or NULL */
    ww__division division;
    const void *environment;
    const void *last_edge; /* NULL: there is none */
    uint32_t edges;
    ww__edges plan; /* for two edges or more */
    ww__binning binning;
    ww__edge_loop *ends;
    const ww_type *half; /* keys of f16 or bf16 lie between edges as floats; NULL: others */
    uint32_t last;       /* the last bucket */
    const char *name;
} ww__numbering;

/* Fails with INVALID where edges do not rise. Takes scratch memory for what edges need. */
ww_status ww__numbering_begin(const ww__splitting *s, ww__numbering *numbering);

/* The numbers of n keys' buckets; above `last` where a key has none. */
void ww__numbers(const ww__numbering *numbering, uint32_t *numbers, const void *keys, size_t n);

/* Makes digits of numbers: of the number's or the last bucket's, whichever is lower, the bits from `low` on that are in the
 * mask. Returns the highest number that there was. */
uint32_t ww__digits(const ww__numbering *numbering, uint32_t *numbers, size_t n, unsigned low, uint32_t mask);

#endif
