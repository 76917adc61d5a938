/* Sorting many keys of 8 and 16 bytes, which a GPU does by their highest digits, as many as a sample says, and then on chip: keys that
 * spread over two digits, that only seem to, that agree in what is looked at first, and of which some are frequent. */
#include <stdio.h>

#include "reference/sort.h"
#include "support/cases.h"
#include "support/traced.h"

enum spread {
    ALL_BITS,   /* random */
    FEW_DIGITS, /* buckets of some hundreds or thousands, random below */
    LINKED,     /* the two highest digits are equal: far fuller buckets than each digit by itself promises */
    LATE,       /* buckets whose keys differ in one bit above many agreeing ones, then in the lowest 16 */
    COUNTED,    /* 0 ... n - 1, shuffled: few digits in all */
    PAIRED,     /* buckets in which some pairs of keys differ in the lowest 16 bits only, and hardly ever three */
    REPEATED,   /* the same, and half of these pairs are equal */
    FREQUENT,   /* two keys are most of all: their buckets need no sort */
    INTRUDED,   /* the same, but each of these buckets has a few other keys, of one bit in which they differ */
    SPREADS
};
static const char *const spread_names[SPREADS] = {"all bits", "few digits", "linked",   "late",    "counted",
                                                  "paired",   "repeated",   "frequent", "intruded"};

/* The highest 64 bits of key i. */
static uint64_t spread_key(enum spread s, uint64_t i, uint64_t n, uint64_t *state) {
    const uint64_t r = random_next(state), top = on_emulator() ? 4 : 32, next = on_emulator() ? 8 : 64;
    const uint64_t two = (r % top) << 56 | (r / 64 % next) << 48, linked = r % (on_emulator() ? 8 : 256);
    const uint64_t few = r >> 16 & (on_emulator() ? 0xFFF0 : 0xFFFF);
    switch (s) {
    case ALL_BITS:
        return r;
    case FEW_DIGITS:
        return two | random_next(state) >> 16;
    case LINKED:
        return linked << 56 | linked << 48 | random_next(state) >> 16;
    case LATE:
        return two | (r >> 40 & 1) << 47 | r >> 48;
    case PAIRED:
        return two | few << 32 | r >> 48;
    case REPEATED:
        return two | few << 32 | (r >> 48 & 1);
    case FREQUENT:
    case INTRUDED:
        return (r % 8 < 5 ? 1 + r / 8 % 2 : 3 + r / 8 % 61) * 0x9E3779B97F4A7C15u ^
               (s == INTRUDED && (r >> 40) % 512 == 0);
    default:
        return (i * 7919 + 13) % n;
    }
}

typedef struct wide {
    reference_order order;
    size_t n, value_size;
    unsigned char *keys, *keys_wanted;
    uint32_t *positions;
} wide;

/* Keys of 16 bytes have the 64 bits in their middle, or above, where what is below is random. */
static wide wide_new(reference_order order, size_t n, size_t value_size, enum spread s) {
    const size_t size = order.type->size;
    uint64_t state = seed_of_run() + s;
    wide w = {order, n, value_size, need(n * size), need(n * size), need(n * sizeof(uint32_t))};
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = spread_key(s, i, n, &state);
        if (size == 16) {
            const uint64_t below = s == ALL_BITS || s == LINKED ? random_next(&state) : 5;
            memcpy(w.keys + 16 * i, &below, 8), memcpy(w.keys + 16 * i + 8, &key, 8);
        } else {
            memcpy(w.keys + 8 * i, &key, 8);
        }
    }
    reference_sort_positions(order, w.keys, n, w.positions);
    for (size_t i = 0; i < n; i++) memcpy(w.keys_wanted + i * size, w.keys + w.positions[i] * size, size);
    return w;
}

static void wide_free(wide *w) { free(w->keys), free(w->keys_wanted), free(w->positions); }

static void check_wide(ww_device *device, const wide *w, bool in_place, bool counted) {
    const size_t size = w->order.type->size, n = w->n;
    guarded keys = guarded_new(n * size), values = guarded_new(n * w->value_size);
    ww_sort_options o = WW_SORT_OPTIONS;
    o.descending = w->order.descending, o.bit_first = w->order.bit_first, o.bit_count = w->order.bit_count;
    const ww_type *type = w->value_size == 4 ? &ww_type_uint32_t : &ww_type_uint64_t;
    const ww_array keys_out = ww_array_of(keys.data, n, w->order.type);
    const ww_array values_out = w->value_size ? ww_array_of(values.data, n, type) : ww_none;
    ww_input in = ww_memory_of(w->keys, n, w->order.type);
    if (in_place) {
        memcpy(keys.data, w->keys, n * size);
        in = ww_from(keys_out);
    }
    for (size_t i = 0; w->value_size && i < n; i++) {
        const uint64_t position = i;
        memcpy((unsigned char *)values.data + i * w->value_size, &position, w->value_size);
    }
    const ww_input values_in = !w->value_size ? ww_no_input : counted ? ww_counting(type, 0, n) : ww_from(values_out);
    expect_status(device, ww_sort(device, in, values_in, keys_out, values_out, &o), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(keys.data, w->keys_wanted, n, size);
    for (size_t i = 0; w->value_size && i < n; i++) {
        const uint64_t position = w->positions[i];
        if (memcmp((unsigned char *)values.data + i * w->value_size, &position, w->value_size) != 0)
            expect_elements((unsigned char *)values.data + i * w->value_size, &position, 1, w->value_size);
    }
    guarded_check(&keys), guarded_check(&values);
    guarded_free(&keys), guarded_free(&values);
}

static void spreads(void **state) {
    (void)state;
    static const ww_type *const types[] = {
        &ww_type_uint64_t,
        &ww_type_int64_t,
        &ww_type_double,
#if WW_HAS_U128
        &ww_type_ww_u128
#endif
    };
    const size_t n = on_emulator() ? 3000 : on_gpu() ? ((size_t)1 << 22) + 77 : 150001, value_sizes[] = {0, 8, 4};
    ww_device *device = setting_open(0);
    for (unsigned turn = 0; turn < sizeof types / sizeof *types * SPREADS; turn++) {
        const ww_type *type = types[turn / SPREADS];
        const enum spread s = (enum spread)(turn % SPREADS);
        /* On the emulator each type has one size of values: each size is a program of its own. */
        const size_t value_size = value_sizes[(on_emulator() ? turn / SPREADS : turn) % 3];
        reference_order order = {type, type == &ww_type_int64_t, 0, 0};
        if (type == &ww_type_uint64_t && s == LATE) order.bit_first = 3, order.bit_count = 60;
        const bool in_place = turn % 2, counted = turn / SPREADS % 2;
        CASE("wide sort", "%s %s+%zu %s n=%zu bits=%u+%u%s seed=%llu", setting_name(0), type->label, value_size,
             spread_names[s], n, order.bit_first, order.bit_count, in_place ? " in-place" : "",
             (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        wide w = wide_new(order, n, value_size, s);
        check_wide(device, &w, in_place, counted && !on_emulator());
        wide_free(&w);
    }
    ww_close(device);
}

/* By any number of bits: the highest digit may have fewer than the others, and above it stand bits that are not sorted by. */
static void widths(void **state) {
    (void)state;
    static const uint32_t wanted[] = {25, 26, 27, 28, 30, 31, 32, 33, 36, 40, 44, 55, 60, 61};
    const size_t n = on_emulator() ? 3000 : on_gpu() ? ((size_t)1 << 22) + 77 : 20001;
    ww_device *device = setting_open(0);
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        for (uint32_t first = 0; first <= 3; first += 3) {
            const reference_order order = {&ww_type_uint64_t, k % 5 == 1, first, wanted[k]};
            CASE("wide sort", "%s n=%zu bits=%u+%u%s%s seed=%llu", setting_name(0), n, first, wanted[k],
                 order.descending ? " descending" : "", k % 4 == 3 ? " with values" : "",
                 (unsigned long long)seed_of_run());
            if (!case_wanted()) continue;
            wide w = wide_new(order, n, k % 4 == 3 ? 4 : 0, ALL_BITS);
            check_wide(device, &w, k % 2, false);
            wide_free(&w);
        }
    ww_close(device);
}

/* On a GPU two sweeps of eight do something; what runs then is launched either way. */
static void runs_by_prefix(void **state) {
    (void)state;
    if (!on_gpu()) return;
    const size_t n = tiles_are_small() ? 3000 : ((size_t)1 << 22) + 77;
    char text[8192];
    ww_device *device = traced_open();
    CASE("wide sort", "%s trace", setting_name(0));
    wide w = wide_new((reference_order){&ww_type_uint64_t, false, 0, 0}, n, 0, FEW_DIGITS);
    traced t = traced_begin();
    check_wide(device, &w, false, false);
    traced_end(&t, text, sizeof text);
    expect(strstr(text, "find_bounds") && strstr(text, "list_segments") && strstr(text, "sort_segments_by_digits"));
    wide_free(&w);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spreads), cmocka_unit_test(widths), cmocka_unit_test(runs_by_prefix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
