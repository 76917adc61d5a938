/* What is sorted by merging a few blocks (radix/network_merge.h), under every width: zeros and ones of each length, by the zero-one
 * principle; and few pairs (radix/few_pairs.c) of every order, size of values and length, whose keys differ in few bits, in many,
 * or in more than their words have room for. */
#include <stdio.h>

#include "radix/few_pairs.h"
#include "reference/sort.h"
#include "support/cases.h"

enum { GUARD = 16 };

/* ---- keys ---- */

/* A block is sorted before it is merged: what matters is how many zeros each has. */
static void fill_ones(unsigned char *ones, size_t n, size_t block, uint64_t *random) {
    for (size_t first = 0; first < n; first += block) {
        const uint64_t share = random_next(random) % 5 * 16;
        for (size_t i = first; i < n && i < first + block; i++) ones[i] = random_next(random) % 64 < share;
    }
}

static void check_ones(ww__network_quick *sort, size_t size, size_t n, const unsigned char *ones, bool in_place) {
    static unsigned char keys[WW__NETWORK_FEW], out[WW__NETWORK_FEW + GUARD], scratch[WW__NETWORK_FEW];
    static const ww__radix_order as_they_are = {0, 0};
    const uint64_t zero = 0x0101010101010101, one = 0xFEFEFEFEFEFEFEFE;
    size_t zeros = 0, wrong = 0;
    memset(out, 0xA5, sizeof out);
    for (size_t i = 0; i < n; i++) {
        memcpy((in_place ? out : keys) + i * size, ones[i] ? &one : &zero, size);
        zeros += !ones[i];
    }
    sort(in_place ? out : keys, out, scratch, n, &as_they_are, &as_they_are);
    for (size_t i = 0; i < n; i++) wrong += memcmp(out + i * size, i < zeros ? &zero : &one, size) != 0;
    for (size_t i = 0; i < GUARD; i++) wrong += out[n * size + i] != 0xA5;
    expect(wrong == 0);
}

static void zeros_and_ones(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves")) return;
    unsigned char ones[WW__NETWORK_FEW / 4];
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t size = 4; size <= 8; size += 4) {
            ww__network_quick *const sort = ww__network_quick_of(device->vector, size);
            const size_t block = (size_t)(device->vector == WW_VECTOR_AVX512 ? 1024 : 512) / size;
            uint64_t random = seed_of_run();
            if (!sort) continue;
            CASE("sort few", "%s size=%zu zeros and ones seed=%llu", setting_name(s), size,
                 (unsigned long long)seed_of_run());
            if (!case_wanted()) continue;
            for (size_t n = 1; n <= WW__NETWORK_FEW / size; n++)
                for (unsigned mix = 0; mix < (tests_are_short() ? 3 : 25); mix++) {
                    fill_ones(ones, n, block, &random);
                    check_ones(sort, size, n, ones, mix % 2);
                }
        }
        ww_close(device);
    }
}

/* ---- pairs ---- */

typedef enum keys_are { SPREAD, OF_BITS, NEAR, EQUAL, SOME_TIES, MANY_TIES, KINDS } keys_are;
static const char *const kind_names[KINDS] = {"spread", "of n bits", "near", "equal", "some ties", "many ties"};

/* Of 32 bits; the highest of 64. */
static uint64_t number_of(keys_are kind, size_t i, uint64_t r) {
    switch (kind) {
    case NEAR:
        return 0x12340000 + r % 3000;
    case EQUAL:
        return r % 5 * 0x1234567;
    case SOME_TIES:
        return i % 40 ? r & 0xFFFFFFFF : (r & 1023) | 0x80000000;
    case MANY_TIES:
        return i ? (r & 1023) | 0x40000000 : 5;
    default:
        return r & 0xFFFFFFFF;
    }
}

typedef struct pairs_case {
    reference_order order;
    ww__radix_order numbers;
    size_t n, value_size;
    unsigned char keys[8 << 10], values[16 << 10], keys_wanted[8 << 10], values_wanted[16 << 10];
} pairs_case;

static void fill_pairs(pairs_case *c, keys_are kind, uint64_t *random) {
    static uint32_t positions[1 << 10];
    const size_t size = c->order.type->size;
    for (size_t i = 0; i < c->n; i++) {
        uint64_t key = number_of(kind, i, random_next(random));
        if (kind == OF_BITS)
            key = random_next(random) >> (63 - c->n % 64) >> (size == 4 && c->n % 64 > 31 ? 32 : 0);
        else if (size == 8)
            key = key << 32 | (kind == NEAR || kind == EQUAL ? 0 : random_next(random) >> 40);
        memcpy(c->keys + i * size, &key, size);
        for (size_t b = 0; b < c->value_size; b++)
            c->values[i * c->value_size + b] = (unsigned char)(b % 2 ? i >> 8 : i);
    }
    reference_sort_positions(c->order, c->keys, c->n, positions);
    for (size_t i = 0; i < c->n; i++) {
        memcpy(c->keys_wanted + i * size, c->keys + positions[i] * size, size);
        memcpy(c->values_wanted + i * c->value_size, c->values + positions[i] * c->value_size, c->value_size);
    }
}

/* Whether pairs were sorted; if not, outputs are what they were. */
static bool check_pairs(ww__sort_few_pairs *sort, const pairs_case *c, bool in_place) {
    static unsigned char keys[(8 << 10) + GUARD], values[(16 << 10) + GUARD];
    const size_t key_bytes = c->n * c->order.type->size, value_bytes = c->n * c->value_size;
    size_t wrong = 0;
    memset(keys, 0xA5, sizeof keys);
    memset(values, 0xA5, sizeof values);
    if (in_place) memcpy(keys, c->keys, key_bytes), memcpy(values, c->values, value_bytes);
    const ww__few few = {in_place ? keys : c->keys, in_place ? values : c->values, keys, values, c->n, c->value_size};
    const bool sorted = sort(&few, &c->numbers, &c->numbers);
    if (sorted) {
        wrong += memcmp(keys, c->keys_wanted, key_bytes) != 0;
        wrong += memcmp(values, c->values_wanted, value_bytes) != 0;
    } else if (in_place) {
        wrong += memcmp(keys, c->keys, key_bytes) != 0;
        wrong += memcmp(values, c->values, value_bytes) != 0;
    } else {
        for (size_t i = 0; i < key_bytes; i++) wrong += keys[i] != 0xA5;
        for (size_t i = 0; i < value_bytes; i++) wrong += values[i] != 0xA5;
    }
    for (size_t i = 0; i < GUARD; i++) wrong += keys[key_bytes + i] != 0xA5 || values[value_bytes + i] != 0xA5;
    expect(wrong == 0);
    return sorted;
}

static ww__key_kind key_kind_of(const ww_type *type) {
    return type->kind == WW_KIND_UNSIGNED ? WW_KEY_UNSIGNED
           : type->kind == WW_KIND_FLOAT  ? WW_KEY_FLOAT
                                          : WW_KEY_SIGNED;
}

/* Every length up to the most, with the sizes of values in turn. */
static void check_lengths(ww__sort_few_pairs *sort, pairs_case *c, keys_are kind) {
    static const size_t value_sizes[] = {4, 8, 1, 2, 16};
    uint64_t random = seed_of_run();
    const size_t step = tests_are_short() ? 13 : 3;
    for (size_t n = WW__FEW_PAIRS; n > 0; n -= n < step ? n : step) {
        c->n = n;
        c->value_size = value_sizes[c->n % 5];
        fill_pairs(c, kind, &random);
        const bool sorted = check_pairs(sort, c, c->n / 5 % 2);
        if (kind != MANY_TIES && (kind != SOME_TIES || c->n > 500)) expect(sorted);
        if (kind == MANY_TIES && c->n > 100) expect(!sorted);
    }
}

static void pairs(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's leaves")) return;
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_int32_t, &ww_type_float,
                                           &ww_type_uint64_t, &ww_type_int64_t, &ww_type_double};
    static pairs_case c;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < 2 * sizeof types / sizeof *types; t++)
            for (unsigned kind = 0; kind < KINDS; kind++) {
                c.order = (reference_order){types[t / 2], t % 2, 0, 0};
                c.numbers = ww__radix_order_from(key_kind_of(c.order.type), c.order.descending, c.order.type->size);
                ww__sort_few_pairs *const sort = ww__few_pairs_of(device->vector, c.order.type->size);
                expect((sort != NULL) == (device->vector != WW_VECTOR_PLAIN));
                CASE("sort few", "%s %s%s %s seed=%llu", setting_name(s), c.order.type->label,
                     c.order.descending ? " descending" : "", kind_names[kind], (unsigned long long)seed_of_run());
                if (sort && case_wanted()) check_lengths(sort, &c, (keys_are)kind);
            }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(zeros_and_ones), cmocka_unit_test(pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
