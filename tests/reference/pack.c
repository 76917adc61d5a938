#include "reference/pack.h"

#include <string.h>

size_t reference_pack(void *out, const void *x, const uint8_t *flags, size_t n, size_t size) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (flags[i]) memcpy((char *)out + kept++ * size, (const char *)x + i * size, size);
    return kept;
}
