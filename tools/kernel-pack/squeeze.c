/* See squeeze.h. At each place the longest copy among the latest that begin with the same bytes is taken, one from an earlier distance
 * where that is about as long, and a literal where the next place has a longer one. */
#include "squeeze.h"

#include <stdlib.h>
#include <string.h>

enum { HASH_BITS = 16, CHANCE_MOVES = 5, PLACE_MOST = 1 << WW__NUMBER_BITS };

typedef struct squeezing {
    ww__coder coder; /* first */
    const unsigned char *data;
    size_t end;
    uint32_t latest[1 << HASH_BITS]; /* place + 1 of the latest with a hash; 0: none */
    uint32_t *before;                /* of each place: the one before it with the same hash */
    int chain_most;                  /* as many of these are tried */
    size_t remembered;               /* places below are in these */
    unsigned char *out;
    size_t done, held; /* held: bytes that a carry may change yet */
    uint64_t low;
    uint32_t range;
    unsigned char first; /* of those */
} squeezing;

/* ---- encoding ---- */

static void shift(squeezing *s) {
    enum { BYTE = 255 };
    if (s->low < (uint64_t)BYTE << 24 || s->low >> 32) {
        const unsigned char carry = (unsigned char)(s->low >> 32);
        for (unsigned char byte = s->first; s->held; s->held--, byte = BYTE)
            s->out[s->done++] = (unsigned char)(byte + carry);
        s->first = (unsigned char)(s->low >> 24);
    }
    s->held++;
    s->low = (s->low & ((1 << 24) - 1)) << 8;
}

static unsigned encode_bit(ww__coder *coder, ww__chance *chance, unsigned bit) {
    enum { LEAST = 1 << 24 };
    squeezing *const s = (squeezing *)(void *)coder;
    const uint32_t bound = (s->range >> WW__CHANCE_BITS) * *chance;
    if (bit) {
        s->low += bound;
        s->range -= bound;
        *chance = (ww__chance)(*chance - (*chance >> CHANCE_MOVES));
    } else {
        s->range = bound;
        *chance = (ww__chance)(*chance + (((1 << WW__CHANCE_BITS) - *chance) >> CHANCE_MOVES));
    }
    while (s->range < LEAST) {
        s->range <<= 8;
        shift(s);
    }
    return bit;
}

/* ---- what is copied ---- */

static uint32_t hash_at(const squeezing *s, size_t at) {
    uint32_t first = 0;
    memcpy(&first, s->data + at, WW__COPY_LEAST);
    return first * UINT32_C(0x9e3779b1) >> (32 - HASH_BITS);
}

static void remember(squeezing *s, size_t up_to) {
    for (; s->remembered < up_to; s->remembered++) {
        const size_t at = s->remembered;
        if (at + WW__COPY_LEAST > s->end) continue;
        uint32_t *latest = &s->latest[hash_at(s, at)];
        s->before[at] = *latest;
        *latest = (uint32_t)at + 1;
    }
}

static size_t length_at(const squeezing *s, size_t at, size_t distance) {
    size_t length = 0;
    if (distance > at) return 0;
    while (at + length < s->end && s->data[at + length - distance] == s->data[at + length]) length++;
    return length;
}

/* How much a copy saves, about: distances of many bits must be worth them. */
static size_t worth(ww__told copy, bool known) {
    enum { FAR = 1 << 12, VERY_FAR = 1 << 17 };
    const size_t price = known ? 0u : copy.distance < FAR ? 1u : copy.distance < VERY_FAR ? 2u : 3u;
    return copy.length > price ? copy.length - price : 0;
}

static ww__told best_copy(const squeezing *s, size_t at) {
    ww__told best = {0};
    size_t best_worth = 0;
    for (int k = 0; k < 2; k++) {
        const ww__told copy = {length_at(s, at, s->coder.last[k]), s->coder.last[k], 0};
        if (copy.length > 1 && worth(copy, true) > best_worth) best = copy, best_worth = worth(copy, true);
    }
    if (at + WW__COPY_LEAST > s->end) return best;
    uint32_t next = s->latest[hash_at(s, at)];
    for (int tried = 0; next && tried < s->chain_most; tried++, next = s->before[next - 1]) {
        const size_t place = next - 1, further = best.length;
        if (at + further < s->end && s->data[place + further] != s->data[at + further]) continue; /* no longer one */
        const ww__told copy = {length_at(s, at, at - place), at - place, 0};
        if (copy.length >= WW__COPY_LEAST && worth(copy, false) > best_worth)
            best = copy, best_worth = worth(copy, false);
    }
    return best;
}

static void run(squeezing *s) {
    enum { LONG = 64 };
    remember(s, s->coder.at);
    ww__told copy = best_copy(s, s->coder.at);
    while (s->coder.at < s->end) {
        const size_t at = s->coder.at;
        ww__told later = {0};
        remember(s, at + 1);
        if (copy.length && copy.length < LONG) later = best_copy(s, at + 1);
        if (later.length > copy.length) copy.length = 0;
        copy.literal = s->data[at];
        ww__code_next(&s->coder, copy);
        s->coder.at += copy.length ? copy.length : 1;
        remember(s, s->coder.at);
        copy = best_copy(s, s->coder.at);
    }
    ww__code_end(&s->coder);
    for (int k = 0; k < 5; k++) shift(s);
}

unsigned char *squeeze(ww__chances *chances, const unsigned char *data, size_t before, size_t bytes, bool quick,
                       size_t *packed_bytes) {
    enum { REST = 64, CHAIN_MOST = 96, CHAIN_QUICK = 2 };
    if (before + bytes >= PLACE_MOST) return NULL;
    squeezing *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->coder.bit = encode_bit;
    ww__coder_begin(&s->coder, chances, data, before);
    s->data = data;
    s->end = before + bytes;
    s->range = UINT32_MAX;
    s->held = 1;
    s->chain_most = quick ? CHAIN_QUICK : CHAIN_MOST;
    s->before = calloc(s->end + 1, sizeof *s->before);
    s->out = malloc(8 * bytes + REST); /* nine bits tell a byte, and each takes seven at most */
    if (s->before && s->out) run(s);
    unsigned char *out = s->before ? s->out : NULL;
    if (!out) free(s->out);
    *packed_bytes = s->done;
    free(s->before);
    free(s);
    return out;
}
