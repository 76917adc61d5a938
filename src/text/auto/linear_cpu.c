/* The way that no text makes slow: the two-way algorithm of Crochemore and Perrin (Two-way string-matching, 1991).
 *
 * The pattern is cut where its two parts repeat each other as little as possible (a critical factorisation: the later of the
 * begins of the greatest suffixes by the two orders of characters). The right part is compared from left to right: where it
 * differs after k characters, the next k starts are none. Where it fits, the left part is compared, and whatever comes of it,
 * the next start is the pattern's period away. Of a pattern that repeats itself, what the next start has in common with this
 * one is remembered. No memory but a few numbers; fewer than 2 comparisons for each start, and to cut the pattern fewer than 4
 * for each of its characters. A piece is at least four patterns long, so the cut is made again where it is needed. */
#include "text/auto/auto_cpu.h"

typedef enum kind { BYTES, FOLDED, PACKED } kind;

#define EVERY static inline __attribute__((always_inline))

EVERY unsigned char character(const ww__needle *n, const unsigned char *text, uint64_t at, kind k) {
    if (k == BYTES) return text[at];
    if (k == FOLDED) return ww__folded(text[at]);
    const uint64_t bit = at * n->bits;
    return (unsigned char)(text[bit / 8] >> bit % 8 & ((1u << n->bits) - 1));
}

/* Where the greatest suffix begins, less one, and its period; with `up`, of the characters' turned order. */
static int64_t greatest_suffix(const unsigned char *x, int64_t m, bool up, int64_t *period) {
    int64_t begin = -1, j = 0, k = 1;
    *period = 1;
    while (j + k < m) {
        const unsigned char a = x[j + k], b = x[begin + k];
        if (a == b) {
            if (k == *period) {
                j += *period;
                k = 1;
            } else
                k++;
        } else if (up ? a > b : a < b) {
            j += k;
            k = 1;
            *period = j - begin;
        } else {
            begin = j++;
            k = *period = 1;
        }
    }
    return begin;
}

typedef struct cut {
    int64_t last; /* of the left part; -1 where it is empty */
    int64_t period;
    bool repeats; /* the period is the whole pattern's; else it is a number of starts that can be passed by */
} cut;

static cut cut_of(const unsigned char *x, int64_t m) {
    int64_t p, q;
    const int64_t a = greatest_suffix(x, m, false, &p), b = greatest_suffix(x, m, true, &q);
    cut c = {a > b ? a : b, a > b ? p : q, false};
    /* The left part fits a period further on? */
    int64_t i = 0;
    while (i <= c.last && i + c.period < m && x[i] == x[i + c.period]) i++;
    c.repeats = i > c.last;
    if (!c.repeats) c.period = (c.last + 1 > m - c.last - 1 ? c.last + 1 : m - c.last - 1) + 1;
    return c;
}

/* Starts are counted from the piece's begin, character `first` of `text`. */
EVERY uint64_t two_way(const ww__needle *n, const unsigned char *text, uint64_t first, uint64_t from, uint64_t starts,
                       uint64_t *found, kind k) {
    const unsigned char *const x = n->pattern;
    const int64_t m = (int64_t)n->m;
    const cut c = cut_of(x, m);
    uint64_t matches = 0;
    int64_t known = 0; /* characters of this start's begin that fit */
    for (uint64_t at = from; at < starts;) {
        int64_t i = c.last + 1 > known ? c.last + 1 : known;
        if (k == PACKED)
            while (i < m && x[i] == character(n, text, first + at + (uint64_t)i, k)) i++;
        else if (i < m)
            i += (int64_t)ww__common(n, text + at + (uint64_t)i, (uint64_t)i, (uint64_t)(m - i));
        if (i < m) {
            at += (uint64_t)(i - c.last);
            known = 0;
            continue;
        }
        i = c.last;
        while (i >= known && x[i] == character(n, text, first + at + (uint64_t)i, k)) i--;
        if (i < known) {
            found[at / 64] |= UINT64_C(1) << at % 64;
            matches++;
        }
        at += (uint64_t)c.period;
        known = c.repeats ? m - c.period : 0;
    }
    return matches;
}

uint64_t ww__linear_from(const ww__needle *n, const unsigned char *text, uint64_t first, uint64_t from, uint64_t starts,
                         uint64_t *found) {
    if (n->bits < 8) return two_way(n, text, first, from, starts, found, PACKED);
    return n->letters ? two_way(n, text, first, from, starts, found, FOLDED)
                      : two_way(n, text, first, from, starts, found, BYTES);
}
