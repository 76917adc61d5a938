/* ww_by_number, ww_by_bits and ww_by_delta on every integer type, wherever a call takes a WW_MAP. */
#include "device/gpu/gpu.h"
#include "function/built_in.h"
#include "function/function.h"
#include "warpwise/multisplit.h"

#define NUMBER(T, label) WW_MAP(by_number_##label, T, T, x, void, none, { return x; });

/* A key of up to 64 bits goes to 32 of them at once: 31 are wanted at most. */
#define BITS(T, label) \
    WW_MAP(by_bits_##label, uint32_t, T, x, ww_bits, b, \
           { return (uint32_t)((uint64_t)x >> b->first) & ((1u << b->count) - 1); });
#define BITS_LONG(T, label) \
    WW_MAP(by_bits_##label, uint32_t, T, x, ww_bits, b, { return (uint32_t)(x >> b->first) & ((1u << b->count) - 1); });
#define BITS_WIDE(T, label) \
    WW_MAP(by_bits_##label, uint32_t, T, x, ww_bits, b, \
           { return (uint32_t)((ww_u128)x >> b->first) & ((1u << b->count) - 1); });

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
#define DELTA_WIDE_SIGNED(T, label) \
    WW_MAP(by_delta_##label, T, T, x, ww_delta, d, { return x < 0 ? -1 : (T)((ww_u128)x / d->width); });

WW__EACH_INTEGER(NUMBER)
WW__EACH_UNSIGNED(BITS)
WW__EACH_SIGNED(BITS)
WW__EACH_U128(BITS_LONG)
WW__EACH_I128(BITS_WIDE)
DELTA(uint8_t, u8)
DELTA(uint16_t, u16)
DELTA(uint32_t, u32)
DELTA_LONG(uint64_t, u64)
DELTA_SIGNED(int8_t, i8)
DELTA_SIGNED(int16_t, i16)
DELTA_SIGNED(int32_t, i32)
DELTA_LONG_SIGNED(int64_t, i64)
WW__EACH_U128(DELTA_LONG)
WW__EACH_I128(DELTA_WIDE_SIGNED)

static const ww__built_in numbers = {WW__TABLE_INTEGERS(by_number)}, bits = {WW__TABLE_INTEGERS(by_bits)},
                          deltas = {WW__TABLE_INTEGERS(by_delta)};

WW__BUILT_IN(ww_by_number, "by_number");
WW__BUILT_IN(ww_by_bits, "by_bits");
WW__BUILT_IN(ww_by_delta, "by_delta");

const ww_function *ww__bucket_map(const ww_function *f, const ww_type *type, size_t size) {
    static const ww__built_in_family families[] = {
        {&ww_by_number, &numbers}, {&ww_by_bits, &bits}, {&ww_by_delta, &deltas}};
    return ww__resolve(f, WW_ROLE_MAP, type, size, families, sizeof families / sizeof *families);
}

static ww_status check_bits(ww_device *device, const ww_bits *b, size_t size) {
    WW_CHECK(device, b->count <= 31 && b->first < 8 * size && b->count <= 8 * size - b->first, WW_INVALID,
             "%u bits from bit %u on are not up to 31 bits of keys of %zu bits", b->count, b->first, 8 * size);
    return WW_OK;
}

/* The host reads what a built-in function was given. */
static ww_status check_given(ww_device *device, const ww_function *f, size_t size) {
    const ww_array given = {(void *)(uintptr_t)f->bound, 1, f->bound_type, f->bound_type->size, NULL, 0};
    WW_CHECK(device, f->bound_count == 1, WW_INVALID, "%s is given %llu elements of type %s, and takes one", f->name,
             (unsigned long long)f->bound_count, f->bound_type->label);
    WW_TRY(ww__gpu_host_reads(device, "the environment of the bucket function", &given));
    if (ww__origin(f) == &ww_by_bits) return check_bits(device, f->bound, size);
    const ww_delta *d = f->bound;
    WW_CHECK(device, d->width > 0, WW_INVALID, "by_delta's width is 0");
    return WW_OK;
}

ww_status ww__resolve_map(ww_device *device, const ww_function **f, const ww_type *type, size_t size,
                          ww_function *with) {
    const ww_function *asked = *f;
    if (!asked || !ww__is_function(asked) || asked->role != WW_ROLE_BUILT_IN) return WW_OK;
    const ww_function *map = ww__bucket_map(asked, type, size);
    if (!map) return WW_OK; /* an operator or an order: the call says that it is no map */
    WW_TRY(ww__check_environment(device, asked, map->environment));
    /* What a built-in function stands for has the environment that the built-in one was given. */
    if (asked->origin) {
        *with = ww_bound(map, asked->bound, asked->bound_count, asked->bound_type);
        map = with;
        WW_TRY(check_given(device, asked, size));
    }
    *f = map;
    return WW_OK;
}
