/* Definitions of the caller's in one program: two files' of one name, more than a table might hold, and names that kernels have,
 * too. */
#include <string.h>

#include "function/other_file.h"
#include "support/cases.h"

static uint32_t many(void) { return on_gpu() ? 3000 : 30000; }

/* ---- two files ---- */

WW_CONSTANT(PRIME, uint32_t, 2654435761u);
WW_FUNCTION(
    mix, uint32_t, (uint32_t x), { return x * PRIME ^ x >> 7; }, PRIME);
WW_MAP_USES((mix), scrambled, uint32_t, uint32_t, x, void, none, { return mix(x) + 1; });

WW_STRUCT(halves, { uint32_t high, low; });
WW_FUNCTION(
    halves_of, halves, (uint32_t x),
    {
        halves h;
        h.high = x / 3;
        h.low = x;
        return h;
    },
    halves);
WW_MAP_USES((halves, halves_of), turned, uint32_t, uint32_t, x, void, none, {
    const halves h = halves_of(x);
    return h.low << 16 | h.high;
});

static void two_files(void **state) {
    (void)state;
    const struct {
        const char *name;
        const ww_function *own, *other;
        uint32_t (*own_plain)(uint32_t x, const void *none), (*other_plain)(uint32_t x);
    } pairs[] = {{"a constant, two functions deep", &scrambled_ww, other_scrambled, scrambled, other_scramble},
                 {"a struct", &turned_ww, other_turned, turned, other_turn}};
    const uint32_t n = many();
    uint32_t *out = need(n * sizeof *out);
    for (size_t d = 0; d < setting_count_short(); d++)
        for (size_t p = 0; p < 2; p++)
            for (int own_first = 0; own_first < 2; own_first++) {
                CASE("two files", "%s %s, %s first", setting_name(d), pairs[p].name, own_first ? "own" : "other");
                if (!case_wanted()) continue;
                ww_device *device = setting_open(d);
                const ww_function *const first = own_first ? pairs[p].own : pairs[p].other;
                const ww_function *const second = own_first ? pairs[p].other : pairs[p].own;
                const ww_input counting = ww_counting(&ww_type_uint32_t, 70000, n);
                const ww_input chain = ww_mapped(second, ww_mapped(first, counting));
                expect_status(device, ww_store(device, chain, ww_array(out, n)), WW_OK);
                for (uint32_t i = 0; i < n; i++) {
                    const uint32_t x = 70000 + i;
                    expect(out[i] == (own_first ? pairs[p].other_plain(pairs[p].own_plain(x, NULL))
                                                : pairs[p].own_plain(pairs[p].other_plain(x), NULL)));
                }
                ww_close(device);
            }
    free(out);
}

/* ---- very many ---- */

#define CONSTANT(k, before) \
    WW_CONSTANT(CONSTANT_##k, uint32_t, k); \
    WW_FUNCTION( \
        sum_##k, uint32_t, (uint32_t x), { return sum_##before(x) * 3 + CONSTANT_##k; }, sum_##before, CONSTANT_##k)
WW_FUNCTION(sum_0, uint32_t, (uint32_t x), { return x; });
#define TEN(t, before) \
    CONSTANT(t##0, before); \
    CONSTANT(t##1, t##0); \
    CONSTANT(t##2, t##1); \
    CONSTANT(t##3, t##2); \
    CONSTANT(t##4, t##3); \
    CONSTANT(t##5, t##4); \
    CONSTANT(t##6, t##5); \
    CONSTANT(t##7, t##6); \
    CONSTANT(t##8, t##7); \
    CONSTANT(t##9, t##8)
TEN(1, 0);
TEN(2, 19);
TEN(3, 29);
TEN(4, 39);
TEN(5, 49);
WW_MAP_USES((sum_59, sum_58, CONSTANT_59, CONSTANT_58), summed, uint32_t, uint32_t, x, void, none,
            { return sum_59(x) ^ sum_58(x) * CONSTANT_59 ^ CONSTANT_58; });

static void very_many(void **state) {
    (void)state;
    const uint32_t n = many();
    uint32_t *out = need(n * sizeof *out);
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("definitions", "%s a hundred", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        expect_status(device,
                      ww_store(device, ww_mapped(&summed_ww, ww_counting(&ww_type_uint32_t, 0, n)), ww_array(out, n)),
                      WW_OK);
        for (uint32_t i = 0; i < n; i++) expect(out[i] == summed(i, NULL));
        ww_close(device);
    }
    free(out);
}

/* ---- names that kernels have, too ---- */

WW_LESS(before, uint32_t, x, y, { return x % 1000 < y % 1000; });
WW_STRUCT(element, { uint32_t key, value; });
WW_LESS(less, element, a, b, { return a.key < b.key; });
WW_CONSTANT(TILE, uint32_t, 12345);
WW_MAP_USES((TILE), item, element, uint32_t, x, void, none, {
    element e;
    e.key = x * TILE % 997;
    e.value = x;
    return e;
});
WW_COMBINE(exchange, element, a, b, WW_ORDERED, WW_IDENTITY({0, 0}), {
    element e;
    e.key = a.key + b.key;
    e.value = b.value ? b.value : a.value;
    return e;
});

static void names_of_kernels(void **state) {
    (void)state;
    const uint32_t n = many();
    element *out = need(n * sizeof *out);
    for (size_t d = 0; d < setting_count_short(); d++) {
        CASE("definitions", "%s names of kernels", setting_name(d));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(d);
        uint32_t value = 0;
        uint64_t position = 0;
        expect_status(device,
                      ww_arg_min(device, &before_ww, ww_counting(&ww_type_uint32_t, 5500, 2900), ww_array(&value, 1),
                                 ww_array(&position, 1)),
                      WW_OK);
        expect(value == 6000 && position == 500);
        const ww_input items = ww_mapped(&item_ww, ww_counting(&ww_type_uint32_t, 0, n));
        expect_status(device,
                      ww_sort_by(device, &less_ww, items, ww_no_input, ww_array_of(out, n, &element_ww), ww_none, NULL),
                      WW_OK);
        for (uint32_t i = 1; i < n; i++)
            expect(out[i - 1].key < out[i].key || (out[i - 1].key == out[i].key && out[i - 1].value < out[i].value));
        expect_status(device, ww_scan(device, &exchange_ww, items, ww_array_of(out, n, &element_ww), NULL), WW_OK);
        for (uint32_t i = 0, sum = 0; i < n; i++) {
            sum += item(i, NULL).key;
            expect(out[i].key == sum && out[i].value == i);
        }
        ww_close(device);
    }
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_files),
        cmocka_unit_test(very_many),
        cmocka_unit_test(names_of_kernels),
    };
    return cmocka_run_group_tests_name("definitions", tests, NULL, NULL);
}
