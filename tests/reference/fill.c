#include "reference/fill.h"

void reference_fill(void *to, size_t count, const void *value, size_t size) {
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < size; b++) ((unsigned char *)to)[i * size + b] = ((const unsigned char *)value)[b];
}
