#include "reference/scan.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;

static byte *room(size_t bytes) {
    byte *r = malloc(bytes ? bytes : 1);
    if (!r) abort();
    return r;
}

static bool head_at(const reference_scanning *s, size_t i) { return s->heads ? i == 0 || s->heads[i] : i == 0; }

/* c = c + x, at the first element of a segment the initial value (if there is one to put before it) + x. */
static void advance(const reference_scanning *s, byte *c, const byte *x, size_t i) {
    if (s->heads && head_at(s, i)) {
        memcpy(c, s->initial, s->size);
        if (!s->initial_is_given && !s->exclusive) {
            memcpy(c, x, s->size);
            return;
        }
    }
    s->combine(c, c, x);
}

void reference_scan(const reference_scanning *s, void *out, void *total, const void *x) {
    byte *c = memcpy(room(s->size), s->initial, s->size);
    for (size_t i = 0; i < s->n; i++) {
        byte *o = (byte *)out + i * s->size;
        if (s->exclusive) memcpy(o, s->heads && head_at(s, i) ? (const byte *)s->initial : c, s->size);
        advance(s, c, (const byte *)x + i * s->size, i);
        if (!s->exclusive) memcpy(o, c, s->size);
    }
    if (total) memcpy(total, c, s->size);
    free(c);
}

/* sums[i] = x[0] + … + x[i] by eight runs and what is left of n elements; befores[i] = the runs before i's, where a run
 * after the first one has it in a bracket of its own. */
static void tile_brackets(const reference_scanning *s, byte *out, byte *carry, const byte *x, size_t n) {
    const size_t size = s->size, run = n >= 16 ? n / 8 : 0;
    byte *so_far = room(size), *before = room(size), *sum = room(size);
    for (size_t i = 0; i < n; i++) {
        const byte *e = x + i * size;
        if (i < 8 * run) {
            if (i % run == 0) {
                if (i)
                    s->combine(before, carry, so_far);
                else
                    memcpy(before, carry, size);
                memcpy(sum, e, size);
            } else {
                s->combine(sum, sum, e);
            }
            s->combine(out + i * size, before, sum);
            if (i % run == run - 1) {
                if (i >= run)
                    s->combine(so_far, so_far, sum);
                else
                    memcpy(so_far, sum, size);
            }
        } else {
            if (i)
                s->combine(so_far, so_far, e);
            else
                memcpy(so_far, e, size);
            s->combine(out + i * size, carry, so_far);
        }
    }
    s->combine(carry, carry, so_far);
    free(so_far);
    free(before);
    free(sum);
}

/* A tile's carry with segments: the fold by runs of what follows the last head. */
static void tile_carry(const reference_scanning *s, byte *carry, const byte *x, size_t first, size_t n) {
    const size_t size = s->size;
    size_t from = n;
    while (from > 0 && !head_at(s, first + from - 1)) from--;
    const bool head = from > 0;
    from = head ? from - 1 : 0;
    byte *scans = room(n * size), *sum = room(size);
    /* The last of a tile's brackets without a carry before them: eight runs joined, then what is left. */
    const size_t m = n - from, run = m >= 16 ? m / 8 : 0;
    const byte *e = x + from * size;
    for (size_t r = 0; run && r < 8; r++) {
        memcpy(scans, e + r * run * size, size);
        for (size_t i = 1; i < run; i++) s->combine(scans, scans, e + (r * run + i) * size);
        if (r)
            s->combine(sum, sum, scans);
        else
            memcpy(sum, scans, size);
    }
    for (size_t i = 8 * run; i < m; i++)
        if (i)
            s->combine(sum, sum, e + i * size);
        else
            memcpy(sum, e, size);
    if (!head)
        s->combine(carry, carry, sum);
    else if (s->initial_is_given)
        s->combine(carry, s->initial, sum);
    else
        memcpy(carry, sum, size);
    free(scans);
    free(sum);
}

void reference_scan_lookback(const reference_scanning *s, void *out, void *total, const void *x) {
    const size_t size = s->size, fit = (s->heads ? 16384 : 8192) / size, tile = fit > 4096 ? 4096 : fit ? fit : 1;
    byte *carry = memcpy(room(size), s->initial, size), *c = room(size);
    for (size_t first = 0; first < s->n; first += tile) {
        const size_t n = s->n - first < tile ? s->n - first : tile;
        const byte *e = (const byte *)x + first * size;
        byte *o = (byte *)out + first * size;
        memcpy(c, carry, size);
        if (!s->heads) {
            tile_brackets(s, o, carry, e, n);
            if (!s->exclusive) continue;
            memmove(o + size, o, (n - 1) * size);
            memcpy(o, c, size);
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            if (s->exclusive) memcpy(o + i * size, head_at(s, first + i) ? (const byte *)s->initial : c, size);
            advance(s, c, e + i * size, first + i);
            if (!s->exclusive) memcpy(o + i * size, c, size);
        }
        tile_carry(s, carry, e, first, n);
    }
    if (total) memcpy(total, carry, size);
    free(carry);
    free(c);
}

void reference_scan_hillis_steele(const reference_scanning *s, void *out, void *total, const void *x) {
    const size_t size = s->size, n = s->n;
    const byte *e = x;
    byte *y = out, *flag = room(n);
    for (size_t i = 0; i < n; i++) {
        const bool head = head_at(s, i);
        flag[i] = head;
        if (s->exclusive)
            memcpy(y + i * size, head ? (const byte *)s->initial : e + (i - 1) * size, size);
        else if (head && s->initial_is_given)
            s->combine(y + i * size, s->initial, e + i * size);
        else
            memcpy(y + i * size, e + i * size, size);
    }
    for (size_t d = 1; d < n; d *= 2)
        for (size_t i = n; i-- > d;) { /* downwards: what is read has not been changed yet */
            if (!s->heads || !flag[i]) s->combine(y + i * size, y + (i - d) * size, y + i * size);
            flag[i] |= flag[i - d];
        }
    if (total) memcpy(total, n ? y + (n - 1) * size : (const byte *)s->initial, size);
    if (total && n && s->exclusive) s->combine(total, total, e + (n - 1) * size);
    free(flag);
}

/* The sum of what follows the last head of elements first … first + span - 1, all of them there; whether there is one. */
static bool node_sum(const reference_scanning *s, byte *sum, const byte *x, size_t first, size_t span) {
    if (span == 1) {
        memcpy(sum, x + first * s->size, s->size);
        return s->heads && head_at(s, first);
    }
    byte *left = room(s->size);
    const bool l = node_sum(s, left, x, first, span / 2), r = node_sum(s, sum, x, first + span / 2, span / 2);
    if (!r) s->combine(sum, left, sum);
    free(left);
    return l || r;
}

static void node_down(const reference_scanning *s, byte *out, const byte *x, size_t first, size_t span,
                      const byte *before) {
    if (first >= s->n) return;
    if (span == 1) {
        memcpy(out + first * s->size, before, s->size);
        return;
    }
    const size_t middle = first + span / 2;
    node_down(s, out, x, first, span / 2, before);
    if (middle >= s->n) return;
    byte *after = room(s->size);
    const bool head = node_sum(s, after, x, first, span / 2);
    if (s->heads && head_at(s, middle))
        memcpy(after, s->initial, s->size);
    else if (!head)
        s->combine(after, before, after);
    else if (s->initial_is_given)
        s->combine(after, s->initial, after);
    node_down(s, out, x, middle, span / 2, after);
    free(after);
}

void reference_scan_blelloch(const reference_scanning *s, void *out, void *total, const void *x) {
    size_t span = 1;
    while (span < s->n) span *= 2;
    node_down(s, out, x, 0, span, s->initial);
    byte *o = out;
    const byte *e = x;
    if (total) memcpy(total, s->initial, s->size);
    if (total && s->n) s->combine(total, o + (s->n - 1) * s->size, e + (s->n - 1) * s->size);
    for (size_t i = 0; !s->exclusive && i < s->n; i++) s->combine(o + i * s->size, o + i * s->size, e + i * s->size);
}
