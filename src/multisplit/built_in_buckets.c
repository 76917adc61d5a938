/* ww_by_number, ww_by_bits and ww_by_delta on every integer type. */
#include "function/built_in.h"
#include "multisplit/multisplit.h"

#define NUMBER(T, label) WW_MAP(by_number_##label, T, T, x, void, none, { return x; });

/* A key of up to 64 bits goes to 32 of them at once: 31 are wanted at most. */
#define BITS(T, label) \
    WW_MAP(by_bits_##label, uint32_t, T, x, ww_bits, b, \
           { return (uint32_t)((uint64_t)x >> b->first) & ((1u << b->count) - 1); });
#define BITS_LONG(T, label) \
    WW_MAP(by_bits_##label, uint32_t, T, x, ww_bits, b, { return (uint32_t)(x >> b->first) & ((1u << b->count) - 1); });

/* Divisions of 32 bits where they do: those of 64 are many times slower. */
#define DELTA(T, label) \
    WW_MAP(by_delta_##label, T, T, x, ww_delta, d, \
           { return (T)(d->width > UINT32_MAX ? 0 : (uint32_t)x / (uint32_t)d->width); });
#define DELTA_SIGNED(T, label) \
    WW_MAP(by_delta_##label, T, T, x, ww_delta, d, { \
        return (T)(x < 0 ? -1 : d->width > UINT32_MAX ? 0 : (T)((uint32_t)x / (uint32_t)d->width)); \
    });
#define DELTA_LONG(T, label) WW_MAP(by_delta_##label, T, T, x, ww_delta, d, { return x / d->width; });
#define DELTA_LONG_SIGNED(T, label) \
    WW_MAP(by_delta_##label, T, T, x, ww_delta, d, { return x < 0 ? -1 : (T)((uint64_t)x / d->width); });

WW__EACH_INTEGER(NUMBER)
WW__EACH_UNSIGNED(BITS)
WW__EACH_SIGNED(BITS)
WW__EACH_U128(BITS_LONG)
DELTA(uint8_t, u8)
DELTA(uint16_t, u16)
DELTA(uint32_t, u32)
DELTA_LONG(uint64_t, u64)
DELTA_SIGNED(int8_t, i8)
DELTA_SIGNED(int16_t, i16)
DELTA_SIGNED(int32_t, i32)
DELTA_LONG_SIGNED(int64_t, i64)
WW__EACH_U128(DELTA_LONG)

static const ww__built_in numbers = {WW__TABLE_INTEGERS(by_number)}, bits = {WW__TABLE_INTEGERS(by_bits)},
                          deltas = {WW__TABLE_INTEGERS(by_delta)};

WW__BUILT_IN(ww_by_number, "by_number");
WW__BUILT_IN(ww_by_bits, "by_bits");
WW__BUILT_IN(ww_by_delta, "by_delta");

const ww_function *ww__bucket_map(const ww_function *f, const ww_type *type, size_t size) {
    static const ww__built_in_family families[] = {{&ww_by_number, &numbers}, {&ww_by_bits, &bits}, {&ww_by_delta, &deltas}};
    return ww__resolve(f, WW_ROLE_MAP, type, size, families, sizeof families / sizeof *families);
}
