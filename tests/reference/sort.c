#include "reference/sort.h"

#include <pthread.h>
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

static int compare_words(const unsigned char *a, const unsigned char *b) {
    uint32_t x, y;
    memcpy(&x, a, 4);
    memcpy(&y, b, 4);
    return (x > y) - (x < y);
}

static int compare(reference_order o, const unsigned char *a, const unsigned char *b) {
    const size_t size = o.type->size;
    if (o.bit_count) return compare_bits(a, b, o.bit_first, o.bit_count);
    if (o.type->kind == WW_KIND_FLOAT) return compare_floats(a, b, size);
    if (o.type->kind == WW_KIND_SIGNED && size == 16) { /* two's complement: the sign's bit counts the other way */
        const int x = a[15] >> 7, y = b[15] >> 7;
        return x != y ? y - x : compare_bits(a, b, 0, 127);
    }
    if (o.type->kind == WW_KIND_SIGNED) {
        const int64_t x = signed_number(a, size), y = signed_number(b, size);
        return (x > y) - (x < y);
    }
    if (size == 4) return compare_words(a, b);
    for (size_t byte = size; byte-- > 0;)
        if (a[byte] != b[byte]) return a[byte] - b[byte];
    return 0;
}

static bool goes_before(reference_order o, const unsigned char *keys, uint32_t later, uint32_t earlier) {
    const int c = compare(o, keys + later * o.type->size, keys + earlier * o.type->size);
    return o.descending ? c > 0 : c < 0;
}

static void merge_sort(reference_order o, const unsigned char *keys, size_t n, uint32_t *positions, uint32_t *room) {
    if (n < 2) return;
    const size_t half = n / 2;
    merge_sort(o, keys, half, positions, room);
    merge_sort(o, keys, n - half, positions + half, room);
    if (!goes_before(o, keys, positions[half], positions[half - 1])) return; /* in order as they are */
    memcpy(room, positions, n * sizeof *room);
    for (size_t i = 0, a = 0, b = half; i < n; i++) {
        const bool take_b = a == half || (b < n && goes_before(o, keys, room[b], room[a]));
        positions[i] = take_b ? room[b++] : room[a++];
    }
}

static void sort_positions(reference_order order, const void *keys, size_t n, uint32_t *positions) {
    uint32_t *room = malloc(n * sizeof *room + 1);
    if (!room) abort();
    for (size_t i = 0; i < n; i++) positions[i] = (uint32_t)i;
    merge_sort(order, keys, n, positions, room);
    free(room);
}

/* ---- what was sorted last: tests have every setting and method sort the same keys ---- */

enum { KEPT = 16, KEPT_LEAST = 256, KEPT_MOST = 1 << 24 };
static struct kept {
    reference_order order;
    uint32_t kind; /* another type may stand where the order's was */
    size_t size, n;
    unsigned char *keys;
    uint32_t *positions;
} kept[KEPT];
static size_t next_kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static bool find_kept(reference_order o, const void *keys, size_t n, uint32_t *positions) {
    for (size_t k = 0; k < KEPT; k++) {
        const struct kept *p = &kept[k];
        if (p->n != n || p->kind != o.type->kind || p->size != o.type->size || p->order.descending != o.descending ||
            p->order.bit_first != o.bit_first || p->order.bit_count != o.bit_count ||
            memcmp(p->keys, keys, n * p->size))
            continue;
        memcpy(positions, p->positions, n * sizeof *positions);
        return true;
    }
    return false;
}

static void keep(reference_order o, const void *keys, size_t n, const uint32_t *positions) {
    struct kept *k = &kept[next_kept++ % KEPT];
    free(k->keys), free(k->positions);
    *k = (struct kept){o, o.type->kind, o.type->size, n, malloc(n * o.type->size), malloc(n * sizeof *positions)};
    if (!k->keys || !k->positions) abort();
    memcpy(k->keys, keys, n * o.type->size);
    memcpy(k->positions, positions, n * sizeof *positions);
}

void reference_sort_positions(reference_order order, const void *keys, size_t n, uint32_t *positions) {
    if (n < KEPT_LEAST || n > KEPT_MOST / order.type->size) {
        sort_positions(order, keys, n, positions);
        return;
    }
    pthread_mutex_lock(&kept_lock);
    if (!find_kept(order, keys, n, positions)) {
        sort_positions(order, keys, n, positions);
        keep(order, keys, n, positions);
    }
    pthread_mutex_unlock(&kept_lock);
}
