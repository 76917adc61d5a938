#include "reference/find_many.h"

static unsigned char small(unsigned char c, bool fold) {
    return (unsigned char)(fold && 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c);
}

size_t reference_find_many(const unsigned char *text, size_t n, const unsigned char *bytes, const uint64_t *offsets,
                           size_t count, bool fold, reference_match *matches, size_t room) {
    size_t found = 0;
    for (size_t at = 0; at < n; at++)
        for (size_t k = 0; k < count; k++) {
            const uint64_t length = offsets[k + 1] - offsets[k];
            uint64_t i = 0;
            while (i < length && at + i < n && small(text[at + i], fold) == small(bytes[offsets[k] + i], fold)) i++;
            if (i < length) continue;
            if (found < room) matches[found] = (reference_match){at, k, at + length};
            found++;
        }
    return found;
}
