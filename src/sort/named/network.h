/* A sorting network in passes over memory, for every device: which phases one pass does. */
#ifndef WW__NETWORK_H
#define WW__NETWORK_H

#include "sort/sort.h"

#include "sort/named/network.cuh"

/* A network over n elements, on a machine that holds `window` of them close by: a power of two, 8 at least. */
typedef struct ww__network {
    uint32_t kind; /* NETWORK_BITONIC … */
    uint32_t window;
    uint64_t n;
} ww__network;

/* `phases` phases from (wide, narrow) on. Where it goes by windows, each is read, goes through the phases, and is written
 * but for `halo` elements at either end, whose neighbours are not there: they belong to the windows beside it. Elements
 * go to another place then, as neighbours still read them. Else it is one phase, whose comparators reach too far. */
typedef struct ww__network_pass {
    bool windows;
    uint32_t wide, narrow, phases, halo;
} ww__network_pass;

uint32_t ww__network_of(ww_sort_method method);

/* The first pass goes by windows. _next returns false behind the last one. */
ww__network_pass ww__network_first(const ww__network *network);
bool ww__network_next(const ww__network *network, ww__network_pass *pass);

/* Passes with a halo behind the first one. */
uint32_t ww__network_moves(const ww__network *network);

#endif
