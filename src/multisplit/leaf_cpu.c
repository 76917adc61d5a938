/* A leaf: keys' numbers are found once and moved with them, digit by digit, least significant first. */
#include "multisplit/leaf_cpu.h"

#include <string.h>

void ww__put_offset(const ww_array *offsets, uint64_t bucket, uint64_t place) {
    if (ww__is_none(offsets) || bucket >= offsets->count) return;
    if (offsets->size == sizeof(uint32_t))
        ((uint32_t *)offsets->data)[bucket] = (uint32_t)place;
    else
        ((uint64_t *)offsets->data)[bucket] = place;
}

/* Counts become the sums of those before them. */
static void find_begins(uint32_t *table, unsigned bits, const uint32_t *numbers, size_t n, unsigned low) {
    const uint32_t digit = ((uint32_t)1 << bits) - 1;
    uint32_t sum = 0;
    memset(table, 0, sizeof *table << bits);
    for (size_t i = 0; i < n; i++) table[numbers[i] >> low & digit]++;
    for (size_t b = 0; b <= digit; b++) {
        const uint32_t many = table[b];
        table[b] = sum;
        sum += many;
    }
}

/* One digit: elements of a buffer to the other one. */
static void split_digit(const ww__leaves *l, const ww__desk *desk, size_t tile, int from, uint64_t first, size_t n,
                        const uint32_t *numbers, uint32_t *numbers_out, uint32_t *table, unsigned low, unsigned bits) {
    const uint32_t digit = ((uint32_t)1 << bits) - 1;
    const unsigned char *keys = l->keys[from] + first * l->key_size;
    const unsigned char *values = l->value_size ? l->values[from] + first * l->value_size : NULL;
    unsigned char *keys_out = l->keys[!from] + first * l->key_size;
    unsigned char *values_out = l->value_size ? l->values[!from] + first * l->value_size : NULL;
    find_begins(table, bits, numbers, n, low);
    for (size_t i = 0; i < n; i += tile) {
        const size_t many = n - i < tile ? n - i : tile;
        for (size_t j = 0; j < many; j++) {
            const uint32_t to = table[numbers[i + j] >> low & digit]++;
            desk->to[j] = to;
            numbers_out[to] = numbers[i + j];
        }
        ww__place(keys_out, keys + i * l->key_size, desk->to, NULL, many, l->key_size);
        if (values) ww__place(values_out, values + i * l->value_size, desk->to, NULL, many, l->value_size);
    }
}

static void put_offsets(const ww__leaves *l, uint64_t first, size_t n, const uint32_t *numbers, uint64_t bucket,
                        unsigned bits) {
    uint64_t next = 0;
    if (ww__is_none(&l->offsets)) return;
    for (size_t i = 0; i < n; i++)
        while (next <= numbers[i]) ww__put_offset(&l->offsets, bucket + next++, first + i);
    while (next < (uint64_t)1 << bits && bucket + next < l->offsets.count)
        ww__put_offset(&l->offsets, bucket + next++, first + n);
}

/* Digits no wider than it takes to number the elements: a table is not to take longer than they do. */
static unsigned digit_bits(size_t n, unsigned bits) {
    unsigned most = 4;
    while (most < WW__LEAF_BITS && (size_t)1 << most < n) most++;
    const unsigned digits = (bits + most - 1) / most;
    return digits ? (bits + digits - 1) / digits : 0;
}

void ww__split_leaf(const ww__leaves *l, const ww__desk *desk, size_t tile, int from, uint64_t first, size_t n,
                    uint64_t bucket, unsigned bits) {
    uint32_t *numbers[2] = {(uint32_t *)(void *)desk->room, (uint32_t *)(void *)desk->room + WW__LEAF_MOST};
    uint32_t *table = numbers[1] + WW__LEAF_MOST;
    const unsigned wide = digit_bits(n, bits);
    int at = 0;
    ww__numbers(l->numbering, numbers[0], l->keys[from] + first * l->key_size, n);
    ww__digits(l->numbering, numbers[0], n, 0, (uint32_t)(((uint64_t)1 << bits) - 1));
    for (unsigned low = 0; n > 1 && low < bits; low += wide) {
        const unsigned many = bits - low < wide ? bits - low : wide;
        split_digit(l, desk, tile, from, first, n, numbers[at], numbers[!at], table, low, many);
        from = !from;
        at = !at;
    }
    if (from == 0) {
        memcpy(l->keys[1] + first * l->key_size, l->keys[0] + first * l->key_size, n * l->key_size);
        if (l->value_size)
            memcpy(l->values[1] + first * l->value_size, l->values[0] + first * l->value_size, n * l->value_size);
    }
    put_offsets(l, first, n, numbers[at], bucket, bits);
}
