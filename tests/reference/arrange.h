/* Oracles of reversing, rotating and transposing: each element to its place. */
#ifndef REFERENCE_ARRANGE_H
#define REFERENCE_ARRANGE_H

#include <stddef.h>
#include <stdint.h>

void reference_reverse(void *out, const void *in, size_t n, size_t size);
void reference_rotate(void *out, const void *in, size_t n, size_t size, int64_t by);
void reference_transpose(void *out, const void *in, size_t rows, size_t columns, size_t size);

#endif
