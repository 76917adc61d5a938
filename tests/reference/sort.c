#include "reference/sort.h"

#include <stdlib.h>
#include <string.h>

/* Some bits of a number of `size` bytes, one by one. */
static int compare_bits(const unsigned char *a, const unsigned char *b, uint32_t first, uint32_t count) {
    for (uint32_t bit = first + count; bit-- > first;) {
        const int x = a[bit / 8] >> bit % 8 & 1, y = b[bit / 8] >> bit % 8 & 1;
        if (x != y) return x - y;
    }
    return 0;
}

static int64_t signed_number(const void *x, size_t size) {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    if (size == 1) return memcpy(&i8, x, 1), i8;
    if (size == 2) return memcpy(&i16, x, 2), i16;
    if (size == 4) return memcpy(&i32, x, 4), i32;
    return memcpy(&i64, x, 8), i64;
}

/* totalOrder: the sign, then the magnitude's bits, backwards for negative numbers. */
static int compare_floats(const unsigned char *a, const unsigned char *b, size_t size) {
    const int x = a[size - 1] >> 7, y = b[size - 1] >> 7;
    if (x != y) return y - x;
    const int magnitude = compare_bits(a, b, 0, (uint32_t)(8 * size - 1));
    return x ? -magnitude : magnitude;
}

static int compare(reference_order o, const unsigned char *a, const unsigned char *b) {
    const size_t size = o.type->size;
    if (o.bit_count) return compare_bits(a, b, o.bit_first, o.bit_count);
    if (o.type->kind == WW_KIND_FLOAT) return compare_floats(a, b, size);
    if (o.type->kind == WW_KIND_SIGNED) {
        const int64_t x = signed_number(a, size), y = signed_number(b, size);
        return (x > y) - (x < y);
    }
    for (size_t byte = size; byte-- > 0;)
        if (a[byte] != b[byte]) return a[byte] - b[byte];
    return 0;
}

static void merge_sort(reference_order o, const unsigned char *keys, size_t n, uint32_t *positions, uint32_t *room) {
    if (n < 2) return;
    const size_t half = n / 2;
    merge_sort(o, keys, half, positions, room);
    merge_sort(o, keys, n - half, positions + half, room);
    memcpy(room, positions, n * sizeof *room);
    for (size_t i = 0, a = 0, b = half; i < n; i++) {
        bool take_b = a == half;
        if (a < half && b < n) {
            const int c = compare(o, keys + room[b] * o.type->size, keys + room[a] * o.type->size);
            take_b = o.descending ? c > 0 : c < 0;
        }
        positions[i] = take_b ? room[b++] : room[a++];
    }
}

void reference_sort_positions(reference_order order, const void *keys, size_t n, uint32_t *positions) {
    uint32_t *room = malloc(n * sizeof *room + 1);
    if (!room) abort();
    for (size_t i = 0; i < n; i++) positions[i] = (uint32_t)i;
    merge_sort(order, keys, n, positions, room);
    free(room);
}
