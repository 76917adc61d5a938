#include "reference/set.h"

#include <string.h>

/* The number of leading elements that are equal to the first. */
static size_t run_of(const unsigned char *x, size_t n, size_t size, reference_before *before) {
    size_t k = 1;
    while (k < n && !before(x, x + k * size)) k++;
    return k;
}

enum { UNION, INTERSECTION, DIFFERENCE };

static size_t set(int kind, unsigned char *out, const unsigned char *a, size_t na, const unsigned char *b, size_t nb,
                  size_t size, reference_before *before) {
    size_t made = 0;
    while (na || nb) {
        const bool has_a = na && (!nb || !before(b, a)), has_b = nb && (!na || !before(a, b));
        const size_t i = has_a ? run_of(a, na, size, before) : 0, j = has_b ? run_of(b, nb, size, before) : 0;
        const size_t less = i < j ? i : j;
        size_t n;
        switch (kind) {
        case UNION:
            memcpy(out + made * size, a, i * size);
            memcpy(out + (made + i) * size, b + less * size, (j - less) * size);
            made += i + j - less;
            break;
        case INTERSECTION:
            memcpy(out + made * size, a, less * size);
            made += less;
            break;
        default:
            n = i - less;
            memcpy(out + made * size, a + less * size, n * size);
            made += n;
        }
        a += i * size;
        b += j * size;
        na -= i;
        nb -= j;
    }
    return made;
}

size_t reference_union(void *out, const void *a, size_t na, const void *b, size_t nb, size_t size,
                       reference_before *before) {
    return set(UNION, out, a, na, b, nb, size, before);
}

size_t reference_intersection(void *out, const void *a, size_t na, const void *b, size_t nb, size_t size,
                              reference_before *before) {
    return set(INTERSECTION, out, a, na, b, nb, size, before);
}

size_t reference_difference(void *out, const void *a, size_t na, const void *b, size_t nb, size_t size,
                            reference_before *before) {
    return set(DIFFERENCE, out, a, na, b, nb, size, before);
}
