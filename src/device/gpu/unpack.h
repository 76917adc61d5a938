/* The compression of code in kernel packs. Bytes are told one by one, or copied from before; each decision is a bit with a
 * chance of its own, which an arithmetic decoder takes from the packed bytes and which every such bit changes.
 *
 *     packed = (0 literal | 1 copy)… end
 *     copy   = 0 length distance | 1 which length      of a new distance, or of one of the last two
 *
 * A literal's chances go by the highest bits of the byte before it; behind a copy, by the byte that would have come next in it. Numbers
 * are told by how many bits they have, then the bits below the first. What was unpacked before the output may be copied from, too, and
 * chances go on as it left them: another program, of which most is the same. (Ziv and Lempel 1977, Martin 1979; the shape is that of
 * Pavlov's LZMA, made small.) */
#ifndef WW__UNPACK_H
#define WW__UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WW__COPY_LEAST = 3, /* of a new distance */
    WW__CHANCE_BITS = 11,
    WW__ALIGNMENTS = 16,  /* instructions are of 16 bytes */
    WW__NUMBER_BITS = 28, /* at most */
    WW__DETAIL_BITS = 5,  /* of a number, below the first, that have chances by how many there are */
    WW__LOW_BITS = 4,     /* and its lowest ones, that have chances */
    WW__LATEST = 3,       /* what came last: a literal, a copy of a new distance, of another */
    WW__END = 0xa53c,
    WW__END_BITS = 16
};

typedef uint16_t ww__chance; /* that a bit is 0, of 1 << WW__CHANCE_BITS */

typedef struct ww__number_chances {
    ww__chance bits[32], detail[32][1 << WW__DETAIL_BITS], low[1 << WW__LOW_BITS];
} ww__number_chances;

/* All that is known where a program begins. */
typedef struct ww__chances {
    ww__chance is_copy[WW__LATEST][WW__ALIGNMENTS], is_known[WW__LATEST], is_older[WW__LATEST];
    ww__chance literal[8][256], behind_copy[2][256];
    ww__number_chances length[2], distance[4]; /* of new distances and others; by how short the copy is */
} ww__chances;
void ww__chances_begin(ww__chances *c);

/* What tells bits: a decoder gives the next one, an encoder (tools/kernel-pack/squeeze.c) takes and gives `bit`. So the same
 * functions say what packed bytes are made of, both ways. */
typedef struct ww__coder ww__coder;
struct ww__coder {
    unsigned (*bit)(ww__coder *coder, ww__chance *chance, unsigned bit);
    ww__chances *chances;
    const unsigned char *data; /* all bytes, of which those before `at` are known */
    size_t at;
    uint32_t last[2]; /* distances */
    unsigned latest;
};
void ww__coder_begin(ww__coder *coder, ww__chances *chances, const unsigned char *data, size_t at);

/* The next thing: a copy, or with length 0 a literal. */
typedef struct ww__told {
    size_t length, distance; /* from 1 */
    unsigned char literal;
} ww__told;
ww__told ww__code_next(ww__coder *coder, ww__told next);
unsigned ww__code_end(ww__coder *coder);

/* Whether `packed` stands for exactly `bytes` bytes, which are then at `out`, behind `before` bytes that are there. Any input is
 * safe. */
bool ww__unpack(ww__chances *chances, const unsigned char *packed, size_t packed_bytes, unsigned char *out,
                size_t before, size_t bytes);

#endif
