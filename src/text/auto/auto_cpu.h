/* What the parts of a CPU's automatic method share: the pattern made ready, and the ways through a piece. Each way begins at a
 * start `from` of the piece and marks the matches from there on; `text` is the piece's begin. */
#ifndef WW__TEXT_AUTO_CPU_H
#define WW__TEXT_AUTO_CPU_H

#include "text/pieces_cpu.h"

/* The offsets of a pattern's characters that are compared first, at many starts at once. */
enum { WW__RARE_MOST = 8 };
typedef struct ww__rare {
    unsigned many; /* 0: not chosen yet; 1 to WW__RARE_MOST */
    uint32_t at[WW__RARE_MOST];
    uint8_t byte[WW__RARE_MOST]; /* a start survives where (text[start + at] | letter) is the byte */
    uint8_t letter[WW__RARE_MOST];
} ww__rare;

/* For every byte a character may lie in: which of a byte's starts (bit s: the s-th) the pattern's characters there allow, by
 * the byte's low and high half. A byte allows what both halves allow. */
enum { WW__PACKED_BYTES = 4 };
typedef struct ww__packed_halves {
    uint8_t low[WW__PACKED_BYTES][16], high[WW__PACKED_BYTES][16];
} ww__packed_halves;

typedef struct ww__needle {
    const unsigned char *pattern; /* small letters where case is ignored */
    const unsigned char
        *letters; /* then 32 for a letter and 0 for others: a text fits where (text | letters) is the pattern */
    uint64_t m;
    unsigned bits; /* of a character; 8 where not packed */
    int vector;
    ww__rare rare;            /* of patterns shorter than WW__SKIP_LEAST; for others chosen where it is needed */
    ww__packed_halves halves; /* of packed texts */
} ww__needle;

/* How many characters text[0 …] and pattern[from …] have in common at their begin, n at most. */
uint64_t ww__common(const ww__needle *needle, const unsigned char *text, uint64_t from, uint64_t n);

/* Chooses offsets by a sample of `starts` starts (at least 1) of the text; `wanted` is one of them where it is below m. */
void ww__rare_choose(const ww__needle *needle, const unsigned char *text, uint64_t starts, uint32_t wanted,
                     ww__rare *rare);

uint64_t ww__windows_from(const ww__needle *needle, const unsigned char *text, uint64_t from, uint64_t starts,
                          uint64_t *found);
ww__text_scan ww__windows_scan;

/* Of patterns of WW__SKIP_LEAST characters or more. */
enum { WW__SKIP_LEAST = 64 };
ww_status ww__skip_make(ww_device *device, const ww__needle *needle, ww__scanner *scanner);

/* Whatever the text, it compares 2 characters for each start, and what it takes to get ready: a small multiple of m.
 * `first`: the piece's, in a packed text; else text is the piece's begin. */
uint64_t ww__linear_from(const ww__needle *needle, const unsigned char *text, uint64_t first, uint64_t from,
                         uint64_t starts, uint64_t *found);

/* Fills needle->halves. */
void ww__packed_make(ww__needle *needle);
ww__text_scan ww__packed_scan;

/* Characters that may be compared in vain: so many for each start passed by, and some. Then the way is changed. */
static inline bool ww__too_many(const ww__needle *needle, uint64_t compared, uint64_t passed) {
    return compared > 4 * passed + 2 * needle->m + 4096;
}

#endif
