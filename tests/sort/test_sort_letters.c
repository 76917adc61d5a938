/* Sorts of keys of 8 bytes that are few letters, which a GPU sorts by codes: as many letters as codes of so many bits have room for,
 * one more and one less; below and above the sizes from which it looks for them. Against a serial merge sort. Keys share their six
 * highest letters with many others, so that the highest digits are not enough. */
#include "sort/arrays.h"
#include "sort/orders.h"

static const struct kind {
    const ww_type *type;
    size_t value_size;
    bool descending;
} kinds[] = {
    {&ww_type_uint64_t, 0, false}, {&ww_type_uint64_t, 8, false}, {&ww_type_uint64_t, 4, true}, {&ww_type_int64_t, 0, true},
    {&ww_type_double, 8, false},   {&ww_type_uint64_t, 0, true},  {&ww_type_int64_t, 8, false}, {&ww_type_uint64_t, 1, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds, KEY = 8, STEMS = 3 };

/* Bytes in the order of their numbers, `many` of them, drawn at random. */
static void draw_letters(unsigned char *letters, size_t many, uint64_t *random) {
    size_t found = 0;
    for (size_t byte = 0; byte < 256; byte++)
        if (random_next(random) % (256 - byte) < many - found) letters[found++] = (unsigned char)byte;
}

/* The highest byte is the first letter; whatever the order does with it, few bytes stay few. */
static void make_keys(unsigned char *keys, size_t n, size_t many, uint64_t *random) {
    unsigned char letters[256];
    draw_letters(letters, many, random);
    for (size_t i = 0; i < n; i++) {
        const size_t stem = random_next(random) % STEMS;
        for (size_t k = 0; k < KEY; k++)
            keys[i * KEY + k] = letters[(k < 2 ? random_next(random) : stem + k) % many];
    }
}

static void check_letters(ww_device **devices, size_t settings, const struct kind *k, size_t n, size_t many, bool in_place) {
    const reference_order order = {k->type, k->descending, 0, 0};
    unsigned char *keys = need(n * KEY), *values = need(n * k->value_size + 1);
    unsigned char *wanted = need(n * KEY), *values_wanted = need(n * k->value_size + 1);
    uint32_t *positions = need(n * sizeof *positions);
    uint64_t random = seed_of_run() + n + many;
    make_keys(keys, n, many, &random);
    fill(values, &ww_type_record, k->value_size, n, UNIFORM, seed_of_run() + 1);
    reference_sort_positions(order, keys, n, positions);
    for (size_t i = 0; i < n; i++) {
        memcpy(wanted + i * KEY, keys + positions[i] * KEY, KEY);
        memcpy(values_wanted + i * k->value_size, values + positions[i] * k->value_size, k->value_size);
    }
    for (size_t d = 0; d < settings; d++) {
        ww_sort_options o = options_of(order);
        CASE("sort letters", "%s %s+%zu%s n=%zu letters=%zu %s seed=%llu", setting_name(d), k->type->label, k->value_size,
             k->descending ? " descending" : "", n, many, in_place ? "in-place" : "apart", (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        sort_arrays a = sort_arrays_new(k->type, keys, values, n, k->value_size, in_place);
        expect_status(devices[d], ww_sort(devices[d], a.keys_in, a.values_in, a.keys_out, a.values_out, &o), WW_OK);
        sort_arrays_end(&a, wanted, values_wanted);
    }
    free(keys), free(values), free(wanted), free(values_wanted), free(positions);
}

static void letters(void **state) {
    (void)state;
    static const size_t manys[] = {3, 64, 33, 65, 32, 5, 128, 129, 16, 8, 2, 200};
    static const size_t few_sizes[] = {3000, 2999, 3333}, sizes[] = {(3 << 20) + 5, 20011, 3 << 20};
    enum { MANYS = sizeof manys / sizeof *manys };
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count());
    for (size_t k = 0; k < KINDS; k++) {
        if (left_to_gpus(k + 1)) continue;
        for (size_t m = 0; m < MANYS; m++) {
            const size_t s = m % 5 == 4 ? 1 : m % 3 == 1 ? 2 : 0, n = on_emulator() ? few_sizes[s] : sizes[s];
            if (n > 1 << 20 && !on_gpu()) continue;
            check_letters(devices, settings, &kinds[k], n, manys[m], (m + k) % 2);
        }
    }
    settings_close(devices, settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(letters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
