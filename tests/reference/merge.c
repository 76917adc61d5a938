#include "reference/merge.h"

#include <string.h>

void reference_merge(void *out, bool *from, const void *a, size_t na, const void *b, size_t nb, size_t size,
                     reference_before *before) {
    const unsigned char *x = a, *y = b;
    size_t i = 0, j = 0;
    for (size_t k = 0; k < na + nb; k++) {
        from[k] = i == na || (j < nb && before(y + j * size, x + i * size));
        memcpy((unsigned char *)out + k * size, from[k] ? y + j++ * size : x + i++ * size, size);
    }
}
