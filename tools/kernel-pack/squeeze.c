/* See squeeze.h. At each place the longest match among the latest that begin with the same bytes is taken. */
#include "squeeze.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/gpu/unpack.h"

enum { HASH_BITS = 16, CHAIN_MOST = 64, NUMBER_BYTES = 10 };

typedef struct squeezing {
    const unsigned char *data;
    size_t bytes;
    uint32_t latest[1 << HASH_BITS]; /* place + 1 of the latest with a hash; 0: none */
    uint32_t *before;                /* of each place: the one before it with the same hash */
    unsigned char *out;
    size_t done;
} squeezing;

static uint32_t hash_at(const squeezing *s, size_t at) {
    uint64_t first = 0;
    memcpy(&first, s->data + at, WW__MATCH_LEAST);
    return (uint32_t)((first * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - HASH_BITS));
}

static void remember(squeezing *s, size_t at) {
    if (at + WW__MATCH_LEAST > s->bytes) return;
    uint32_t *latest = &s->latest[hash_at(s, at)];
    s->before[at] = *latest;
    *latest = (uint32_t)at + 1;
}

static size_t longest_match(const squeezing *s, size_t at, size_t *from) {
    size_t best = 0;
    if (at + WW__MATCH_LEAST > s->bytes) return 0;
    uint32_t next = s->latest[hash_at(s, at)];
    for (int tried = 0; next && tried < CHAIN_MOST; tried++) {
        const size_t place = next - 1;
        size_t length = 0;
        while (at + length < s->bytes && s->data[place + length] == s->data[at + length]) length++;
        if (length > best) {
            best = length;
            *from = place;
        }
        next = s->before[place];
    }
    return best;
}

static void put_number(squeezing *s, size_t number) {
    for (; number > 127; number >>= 7) s->out[s->done++] = (unsigned char)(number | 128);
    s->out[s->done++] = (unsigned char)number;
}

static void put_literals(squeezing *s, size_t begin, size_t end) {
    put_number(s, end - begin);
    memcpy(s->out + s->done, s->data + begin, end - begin);
    s->done += end - begin;
}

static void run(squeezing *s, size_t before) {
    size_t begin = before, at = before, from = 0;
    for (size_t known = 0; known < before; known++) remember(s, known);
    while (at < s->bytes) {
        const size_t length = longest_match(s, at, &from);
        if (length < WW__MATCH_LEAST) {
            remember(s, at++);
            continue;
        }
        put_literals(s, begin, at);
        put_number(s, length - WW__MATCH_LEAST);
        put_number(s, at - from - 1);
        for (size_t i = 0; i < length; i++) remember(s, at++);
        begin = at;
    }
    put_literals(s, begin, at);
}

unsigned char *squeeze(const unsigned char *data, size_t before, size_t bytes, size_t *packed_bytes) {
    squeezing *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->data = data;
    s->bytes = before + bytes;
    s->before = calloc(before + bytes + 1, sizeof *s->before);
    /* A match of the least length is replaced by up to three numbers. */
    s->out = bytes < UINT32_MAX / 8 ? malloc(2 * bytes + 4 * NUMBER_BYTES) : NULL;
    if (s->before && s->out) run(s, before);
    unsigned char *out = s->before ? s->out : NULL;
    if (!out) free(s->out);
    *packed_bytes = s->done;
    free(s->before);
    free(s);
    return out;
}
