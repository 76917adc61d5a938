/* Holding what a block keeps. */
#include "primitive/pack/held.h"

#include <string.h>

#include "primitive/pack/bits.h"

enum { LONG = 64 }; /* elements that are copied one by one */

void ww__held_begin(ww__held *held, ww__compress *compress, void *room, size_t size) {
    *held = (ww__held){.compress = compress, .elements = room, .size = size};
}

/* How many bits are set before the first that is not. */
static size_t leading(const uint64_t *bits, size_t n) {
    size_t w = 0;
    while (64 * w < n && bits[w] == UINT64_MAX) w++;
    return 64 * w < n ? 64 * w + (size_t)__builtin_ctzll(~bits[w]) : n;
}

void ww__held_add(ww__held *held, const void *elements, const uint64_t *bits, size_t n) {
    const size_t size = held->size;
    const unsigned char *from = elements;
    unsigned char *to = held->elements + held->many * size;
    size_t kept = 0;
    if (held->leading == held->read) held->leading += leading(bits, n);
    held->read += n;
    if (size <= LONG) {
        kept = held->compress(to, from, bits, 0, n, size, 0);
    } else {
        for (size_t i = 0; i < n; i++)
            if (bits[i / 64] >> i % 64 & 1) memcpy(to + kept++ * size, from + i * size, size);
    }
    held->many += kept;
}

/* All but the first `skip` of them. */
static void put(const ww__held *held, void *out, uint64_t at, size_t skip) {
    if (held->many > skip)
        memcpy((unsigned char *)out + (at + skip) * held->size, held->elements + skip * held->size,
               (held->many - skip) * held->size);
}

void ww__held_put(const ww__held *held, void *out, uint64_t at) { put(held, out, at, 0); }

void ww__held_put_moved(const ww__held *held, void *out, uint64_t first, uint64_t at) {
    put(held, out, at, at == first ? held->leading : 0);
}
