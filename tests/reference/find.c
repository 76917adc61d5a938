#include "reference/find.h"

#include <ctype.h>
#include <string.h>

/* In the C locale, which tests do not leave, tolower changes A to Z alone. */
static int small(unsigned char c) { return tolower(c); }

/* The ends first: sanitizers look at all that memcmp might read, which for long patterns is most of a test's time. */
static bool fits(const unsigned char *at, const unsigned char *pattern, uint64_t m, bool fold) {
    if (!fold) return at[0] == pattern[0] && at[m - 1] == pattern[m - 1] && !memcmp(at, pattern, (size_t)m);
    for (uint64_t i = 0; i < m; i++)
        if (small(at[i]) != small(pattern[i])) return false;
    return true;
}

uint64_t ref_find(const unsigned char *text, uint64_t n, const unsigned char *pattern, uint64_t m, bool fold,
                  uint64_t *positions, uint64_t room) {
    uint64_t found = 0;
    for (uint64_t i = 0; i + m <= n; i++)
        if (fits(text + i, pattern, m, fold)) {
            if (found < room) positions[found] = i;
            found++;
        }
    return found;
}

uint64_t ref_find_first(const unsigned char *text, uint64_t n, const unsigned char *pattern, uint64_t m, bool fold) {
    for (uint64_t i = 0; i + m <= n; i++)
        if (fits(text + i, pattern, m, fold)) return i;
    return UINT64_MAX;
}

uint64_t ref_find_last(const unsigned char *text, uint64_t n, const unsigned char *pattern, uint64_t m, bool fold) {
    for (uint64_t i = n + 1; i-- > 0;)
        if (i + m <= n && fits(text + i, pattern, m, fold)) return i;
    return UINT64_MAX;
}

uint64_t ref_find_texts(const uint64_t *offsets, uint64_t texts, const unsigned char *text,
                        const unsigned char *pattern, uint64_t m, bool fold, uint64_t *positions, uint64_t room,
                        uint64_t *counts) {
    uint64_t found = 0;
    for (uint64_t t = 0; t < texts; t++) {
        const uint64_t length = offsets[t + 1] - offsets[t], before = found;
        for (uint64_t i = 0; i + m <= length; i++)
            if (fits(text + offsets[t] + i, pattern, m, fold)) {
                if (found < room) positions[found] = offsets[t] + i;
                found++;
            }
        if (counts) counts[t] = found - before;
    }
    return found;
}

uint64_t ref_find_near(const unsigned char *text, uint64_t n, const unsigned char *pattern, uint64_t m, uint64_t most,
                       bool fold, uint64_t *positions, uint64_t *differences, uint64_t room) {
    uint64_t found = 0;
    for (uint64_t i = 0; i + m <= n; i++) {
        uint64_t differ = 0;
        for (uint64_t k = 0; k < m; k++)
            differ += fold ? small(text[i + k]) != small(pattern[k]) : text[i + k] != pattern[k];
        if (differ > most) continue;
        if (found < room) {
            positions[found] = i;
            if (differences) differences[found] = differ;
        }
        found++;
    }
    return found;
}
