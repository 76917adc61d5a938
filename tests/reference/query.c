#include "reference/query.h"

size_t reference_count_if(const void *x, size_t n, size_t size, reference_predicate *holds) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += holds((const unsigned char *)x + i * size);
    return count;
}

size_t reference_find_if(const void *x, size_t n, size_t size, reference_predicate *holds, bool wanted) {
    for (size_t i = 0; i < n; i++)
        if (holds((const unsigned char *)x + i * size) == wanted) return i;
    return n;
}

size_t reference_in_order(const void *x, size_t n, size_t size, reference_less *less) {
    for (size_t i = 1; i < n; i++)
        if (less((const unsigned char *)x + i * size, (const unsigned char *)x + (i - 1) * size)) return i;
    return n;
}
