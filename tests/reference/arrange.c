#include "reference/arrange.h"

#include <string.h>

void reference_reverse(void *out, const void *in, size_t n, size_t size) {
    for (size_t i = 0; i < n; i++)
        memcpy((unsigned char *)out + (n - 1 - i) * size, (const unsigned char *)in + i * size, size);
}

void reference_rotate(void *out, const void *in, size_t n, size_t size, int64_t by) {
    const int64_t count = (int64_t)n;
    for (int64_t i = 0; i < count; i++) {
        const int64_t place = ((i + by % count) % count + count) % count;
        memcpy((unsigned char *)out + (size_t)place * size, (const unsigned char *)in + (size_t)i * size, size);
    }
}

void reference_transpose(void *out, const void *in, size_t rows, size_t columns, size_t size) {
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            memcpy((unsigned char *)out + (c * rows + r) * size, (const unsigned char *)in + (r * columns + c) * size,
                   size);
}
