/* See unpack.h. */
#include "device/gpu/unpack.h"

enum { HALF = 1 << (WW__CHANCE_BITS - 1), CHANCE_MOVES = 5 };

/* ---- what packed bytes are made of ---- */

void ww__chances_begin(ww__chances *c) {
    ww__chance *const all = (ww__chance *)(void *)c;
    for (size_t k = 0; k < sizeof *c / sizeof *all; k++) all[k] = HALF;
}

void ww__coder_begin(ww__coder *coder, ww__chances *chances, const unsigned char *data, size_t at) {
    coder->chances = chances;
    coder->data = data;
    coder->at = at;
    coder->last[0] = coder->last[1] = 1;
    coder->latest = 0;
}

/* The highest bit first, each with chances by those before it. */
static uint32_t code_bits(ww__coder *c, ww__chance *chances, unsigned bits, uint32_t value) {
    uint32_t node = 1;
    for (unsigned b = bits; b-- > 0;) node = 2 * node + c->bit(c, &chances[node], value >> b & 1);
    return node - ((uint32_t)1 << bits);
}

static uint32_t code_evenly(ww__coder *c, unsigned bits, uint32_t value) {
    uint32_t number = 0;
    for (unsigned b = bits; b-- > 0;) {
        ww__chance even = HALF;
        number = 2 * number + c->bit(c, &even, value >> b & 1);
    }
    return number;
}

static uint32_t code_number(ww__coder *c, ww__number_chances *n, uint32_t value) {
    enum { BITS_OF_BITS = 5 };
    unsigned bits = 0;
    while (bits < WW__NUMBER_BITS && value >> bits) bits++;
    bits = code_bits(c, n->bits, BITS_OF_BITS, bits);
    if (bits <= 1) return bits;
    const unsigned rest = bits - 1, detail = rest < WW__DETAIL_BITS ? rest : WW__DETAIL_BITS, other = rest - detail,
                   low = other < WW__LOW_BITS ? other : WW__LOW_BITS, middle = other - low;
    const uint32_t high_part = code_bits(c, n->detail[bits], detail, value >> other & ((1u << detail) - 1));
    const uint32_t middle_part = code_evenly(c, middle, value >> low & ((1u << middle) - 1));
    const uint32_t low_part = code_bits(c, n->low, low, value & ((1u << low) - 1));
    return (((((uint32_t)1 << detail | high_part) << middle) | middle_part) << low) | low_part;
}

static unsigned char code_literal(ww__coder *c, unsigned char value) {
    enum { SHIFT = 5 };
    const unsigned char before = c->at ? c->data[c->at - 1] : 0;
    const bool behind = c->latest && c->last[0] <= c->at;
    unsigned expected = behind ? c->data[c->at - c->last[0]] : 0, node = 1;
    bool as_expected = behind;
    for (unsigned b = 8; b-- > 0;) {
        const unsigned there = expected >> b & 1;
        ww__chance *const chance = as_expected ? &c->chances->behind_copy[there][node]
                                               : &c->chances->literal[before >> SHIFT][node];
        const unsigned bit = c->bit(c, chance, value >> b & 1u);
        as_expected &= bit == there;
        node = 2 * node + bit;
    }
    return (unsigned char)node;
}

static ww__told code_copy(ww__coder *c, ww__told next) {
    enum { SHORT = 3 };
    ww__chances *const k = c->chances;
    const bool known = c->bit(c, &k->is_known[c->latest], next.distance == c->last[0] || next.distance == c->last[1]);
    const unsigned latest = c->latest;
    if (known) {
        const bool older = c->bit(c, &k->is_older[latest], next.distance != c->last[0]);
        next.distance = c->last[older];
        next.length = (size_t)code_number(c, &k->length[1], (uint32_t)next.length - 1) + 1;
        if (!older) return next;
    } else {
        const uint32_t more = code_number(c, &k->length[0], (uint32_t)next.length - WW__COPY_LEAST);
        next.length = (size_t)more + WW__COPY_LEAST;
        next.distance = (size_t)code_number(c, &k->distance[more < SHORT ? more : SHORT], (uint32_t)next.distance - 1) +
                        1;
    }
    c->last[1] = c->last[0];
    c->last[0] = (uint32_t)next.distance;
    return next;
}

ww__told ww__code_next(ww__coder *c, ww__told next) {
    const bool copy = c->bit(c, &c->chances->is_copy[c->latest][c->at % WW__ALIGNMENTS], next.length != 0);
    if (!copy) {
        next = (ww__told){.literal = code_literal(c, next.literal)};
        c->latest = 0;
        return next;
    }
    const uint32_t before = c->last[0];
    next = code_copy(c, next);
    c->latest = next.distance == before ? 2 : 1;
    return next;
}

unsigned ww__code_end(ww__coder *c) { return code_evenly(c, WW__END_BITS, WW__END); }

/* ---- decoding ---- */

typedef struct decoder {
    ww__coder coder; /* first */
    const unsigned char *next, *end;
    uint32_t range, code;
    bool cut; /* there were too few bytes */
} decoder;

static unsigned next_byte(decoder *d) {
    if (d->next < d->end) return *d->next++;
    d->cut = true;
    return 0;
}

static unsigned decode_bit(ww__coder *coder, ww__chance *chance, unsigned bit) {
    enum { LEAST = 1 << 24 };
    decoder *const d = (decoder *)(void *)coder;
    const uint32_t bound = (d->range >> WW__CHANCE_BITS) * *chance;
    bit = d->code >= bound;
    if (bit) {
        d->code -= bound;
        d->range -= bound;
        *chance = (ww__chance)(*chance - (*chance >> CHANCE_MOVES));
    } else {
        d->range = bound;
        *chance = (ww__chance)(*chance + (((1 << WW__CHANCE_BITS) - *chance) >> CHANCE_MOVES));
    }
    while (d->range < LEAST) {
        d->range <<= 8;
        d->code = d->code << 8 | next_byte(d);
    }
    return bit;
}

bool ww__unpack(ww__chances *chances, const unsigned char *packed, size_t packed_bytes, unsigned char *out,
                size_t before, size_t bytes) {
    enum { AHEAD = 5 };
    decoder d = {.coder = {.bit = decode_bit}, .next = packed, .end = packed + packed_bytes, .range = UINT32_MAX};
    const size_t end = before + bytes;
    ww__coder_begin(&d.coder, chances, out, before);
    for (int k = 0; k < AHEAD; k++) d.code = d.code << 8 | next_byte(&d);
    while (d.coder.at < end && !d.cut) {
        const ww__told next = ww__code_next(&d.coder, (ww__told){0});
        if (!next.length) {
            out[d.coder.at++] = next.literal;
            continue;
        }
        if (next.length > end - d.coder.at || next.distance > d.coder.at) return false;
        /* One by one: what is copied may be what was just written. */
        for (size_t k = 0; k < next.length; k++, d.coder.at++) out[d.coder.at] = out[d.coder.at - next.distance];
    }
    return ww__code_end(&d.coder) == WW__END && !d.cut && d.next == d.end;
}
