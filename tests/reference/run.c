#include "reference/run.h"

#include <stdlib.h>
#include <string.h>

size_t reference_runs(uint64_t *starts, const void *x, size_t n, size_t size) {
    size_t runs = 0;
    for (size_t i = 0; i < n; i++)
        if (!i || memcmp((const char *)x + i * size, (const char *)x + (i - 1) * size, size)) starts[runs++] = i;
    return runs;
}

size_t reference_runs_by(uint64_t *starts, const void *x, size_t n, size_t size, reference_equal *equal) {
    size_t runs = 0;
    for (size_t i = 0; i < n; i++)
        if (!i || !equal((const char *)x + (i - 1) * size, (const char *)x + i * size)) starts[runs++] = i;
    return runs;
}

void reference_reduce_run(void *result, const void *values, uint64_t begin, uint64_t end, size_t key_size,
                          size_t value_size, bool commutes, reference_combine *combine) {
    const char *x = values;
    size_t tile = 8192 / (key_size > value_size ? key_size : value_size);
    if (tile > 2048) tile = 2048;
    if (tile < 1) tile = 1;
    void *piece = malloc(value_size);
    if (!piece) abort();
    for (uint64_t at = begin; at < end;) {
        const uint64_t boundary = (at / tile + 1) * tile, stop = boundary < end ? boundary : end;
        reference_reduce_tree(piece, x + at * value_size, stop - at, value_size, commutes, combine, NULL);
        if (at == begin)
            memcpy(result, piece, value_size);
        else
            combine(result, result, piece);
        at = stop;
    }
    free(piece);
}
