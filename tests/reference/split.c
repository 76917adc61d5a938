#include "reference/split.h"

#include <string.h>

size_t reference_split(void *out, const void *x, const uint8_t *flags, size_t n, size_t size, bool reversed) {
    size_t zeros = 0, ones = 0;
    for (size_t i = 0; i < n; i++)
        if (!flags[i]) memcpy((char *)out + zeros++ * size, (const char *)x + i * size, size);
    for (size_t i = 0; i < n; i++)
        if (flags[i]) {
            const size_t to = reversed ? n - 1 - ones : zeros + ones;
            memcpy((char *)out + to * size, (const char *)x + i * size, size);
            ones++;
        }
    return zeros;
}
