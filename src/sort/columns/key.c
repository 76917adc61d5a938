/* Keys of several columns: functions for each type of key and each size of a column. Signed numbers and floats are read as unsigned
 * ones of their size. */
#include "sort/columns/key.h"

ww__key_place ww__key_place_of(const ww_type *type, bool descending, unsigned shift) {
    const unsigned bits = (unsigned)(8 * type->size);
    ww__key_place p = {.top = (uint64_t)1 << (bits - 1), .shift = shift, .is_float = type->kind == WW_KIND_FLOAT};
    p.mask = p.top - 1 + p.top;
    p.flip = type->kind == WW_KIND_UNSIGNED ? 0 : p.top;
    p.reverse = descending ? p.mask : 0;
    return p;
}

/* One function to put a column into a key, and one to take it out. */
#define KEY_WITH(K, T) \
    WW_MAP2(with_##K##_##T, K, K, key, T, x, ww__key_place, p, { \
        const uint64_t number = x; \
        const uint64_t rising = number ^ (p->is_float && (number & p->top) ? p->mask : p->flip) ^ p->reverse; \
        return key | (K)rising << p->shift; \
    }); \
    WW_MAP(taken_##K##_##T, T, K, key, ww__key_place, p, { \
        const uint64_t rising = ((uint64_t)(key >> p->shift) & p->mask) ^ p->reverse; \
        return (T)(rising ^ (p->is_float && !(rising & p->top) ? p->mask : p->flip)); \
    });
#define EACH_COLUMN(K) KEY_WITH(K, uint8_t) KEY_WITH(K, uint16_t) KEY_WITH(K, uint32_t) KEY_WITH(K, uint64_t)
EACH_COLUMN(uint32_t)
EACH_COLUMN(uint64_t)
#if WW_HAS_U128
EACH_COLUMN(ww_u128)
#endif

typedef struct functions {
    const ww_type *key;
    const ww_function *with[4], *taken[4]; /* of columns of 1, 2, 4 and 8 bytes */
} functions;

#define FUNCTIONS(K) \
    { \
        &ww_type_##K, \
            {&with_##K##_uint8_t_ww, &with_##K##_uint16_t_ww, &with_##K##_uint32_t_ww, &with_##K##_uint64_t_ww}, \
            {&taken_##K##_uint8_t_ww, &taken_##K##_uint16_t_ww, &taken_##K##_uint32_t_ww, &taken_##K##_uint64_t_ww}, \
    }
static const functions keys[] = {
    FUNCTIONS(uint32_t),
    FUNCTIONS(uint64_t),
#if WW_HAS_U128
    FUNCTIONS(ww_u128),
#endif
};
enum { KEYS = sizeof keys / sizeof *keys };

const ww_type *ww__key_type(unsigned bits) {
    for (size_t k = 0; k < KEYS; k++)
        if (bits <= 8 * keys[k].key->size) return keys[k].key;
    return NULL;
}

static const functions *functions_of(const ww_type *key_type) {
    size_t k = 0;
    while (keys[k].key != key_type) k++;
    return &keys[k];
}

static size_t log_of(size_t size) { return (size_t)__builtin_ctzll(size); }

ww_input ww__key_with(const ww_type *key_type, const ww__key_place *place, ww_input key, ww_input column) {
    const ww_function f = ww_bound(functions_of(key_type)->with[log_of(column.size)], place, 1, &ww__key_place_ww);
    return ww_mapped2(&f, key, column);
}

ww_input ww__key_column(const ww_type *key_type, const ww_type *type, const ww__key_place *place, ww_input key) {
    const ww_function f = ww_bound(functions_of(key_type)->taken[log_of(type->size)], place, 1, &ww__key_place_ww);
    return ww_mapped(&f, key);
}

const ww_type *ww__key_numbers(const ww_type *type) {
    static const ww_type *const numbers[] = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t};
    return numbers[log_of(type->size)];
}
