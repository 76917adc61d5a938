#include "reference/radix_tree.h"

static int bit(reference_bits x, size_t i) { return x.bytes[i / 8] >> (7 - i % 8) & 1; }

size_t reference_bits_common(reference_bits a, reference_bits b) {
    size_t i = 0;
    while (i < a.bits && i < b.bits && bit(a, i) == bit(b, i)) i++;
    return i;
}

int reference_bits_order(reference_bits a, reference_bits b) {
    const size_t i = reference_bits_common(a, b);
    if (i == a.bits || i == b.bits) return (i == b.bits) - (i == a.bits);
    return bit(a, i) ? 1 : -1;
}

uint64_t reference_bits_find(const reference_bits *keys, size_t n, reference_bits query) {
    for (size_t i = 0; i < n; i++)
        if (reference_bits_order(keys[i], query) == 0) return i;
    return UINT64_MAX;
}

uint64_t reference_bits_match(const reference_bits *keys, size_t n, reference_bits query) {
    uint64_t best = UINT64_MAX;
    for (size_t i = 0; i < n; i++)
        if (reference_bits_common(keys[i], query) == keys[i].bits &&
            (best == UINT64_MAX || keys[i].bits > keys[best].bits))
            best = i;
    return best;
}

uint64_t reference_bits_bound(const reference_bits *keys, size_t n, reference_bits query, int upper) {
    uint64_t at = 0;
    while (at < n && reference_bits_order(keys[at], query) < (upper ? 1 : 0)) at++;
    return at;
}
