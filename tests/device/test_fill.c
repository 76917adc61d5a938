/* ww_fill, ww_store and ww_copy against loops, on every device: elements of many sizes, counts around powers of two and tiles,
 * arrays that begin anywhere. And ww_scratch_reserve: what it makes room for is not taken again. */
#include <stdio.h>

#include "reference/fill.h"
#include "support/cases.h"

static const size_t counts[] = {0,  1,  2,  3,   4,   5,   7,   8,    9,    31,   33,
                                63, 64, 65, 100, 127, 255, 257, 1000, 1023, 1025, 4100};
enum { COUNTS = sizeof counts / sizeof *counts };

/* ---- one value ---- */

/* Which of a value's bytes are the same: any, all, all but the last. */
enum { ANY_BYTES, ONE_BYTE, ONE_BYTE_NEARLY };
static const char *const bytes_names[] = {"", " of one byte", " of one byte but the last"};

/* The array begins `skipped` bytes behind a multiple of 64. */
static void check_fill(ww_device *device, const char *setting, size_t size, size_t count, size_t skipped, int bytes) {
    /* A family of its own: some of these always run. */
    CASE(bytes == ONE_BYTE_NEARLY && size > 2 ? "fill nearly" : "fill", "%s elements of %zu bytes n=%zu at %zu%s",
         setting, size, count, skipped, bytes_names[bytes]);
    if (!case_wanted()) return;
    uint64_t random = seed_of_run() + size + count;
    unsigned char value[80], *wanted = need(skipped + count * size + 1);
    for (size_t b = 0; b < size; b++) value[b] = bytes && b ? value[0] : (unsigned char)random_next(&random);
    if (bytes == ONE_BYTE_NEARLY) value[size - 1] ^= 0x5A;
    guarded out = guarded_new(skipped + count * size);
    memset(wanted, 0xA5, skipped);
    reference_fill(wanted + skipped, count, value, size);
    expect_status(
        device,
        ww_fill(device, ww_records((unsigned char *)out.data + skipped, count, size), ww_record_value(value, size)),
        WW_OK);
    expect_bytes(out.data, wanted, out.bytes);
    guarded_check(&out);
    guarded_free(&out);
    free(wanted);
}

static void fills(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 33, 72};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++)
            for (size_t c = 0; c < COUNTS; c++)
                check_fill(device, setting_name(s), sizes[z], counts[c], (z + c) % 3 ? (z + c) % 7 : 0,
                           (z + c) % 5 == 0   ? ONE_BYTE
                           : (z + c) % 5 == 1 ? ONE_BYTE_NEARLY
                                              : ANY_BYTES);
        ww_close(device);
    }
}

/* In memory of the device's own, from an address that ends where it does; the value of a type that has one. */
static void fills_own_memory(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        enum { SIZE = 3, MOST = 1025 };
        unsigned char got[SIZE * MOST], wanted[SIZE * MOST];
        for (size_t count = 1; count <= MOST; count += count / 2 + 1) {
            void *block;
            CASE("fill", "%s own memory n=%zu", setting_name(s), count);
            if (!case_wanted()) continue;
            reference_fill(wanted, count, "\7\0\377", SIZE);
            expect_status(device, ww_alloc(device, SIZE * count, &block), WW_OK);
            expect_status(device, ww_fill(device, ww_records(block, count, SIZE), ww_record_value("\7\0\377", SIZE)),
                          WW_OK);
            expect_status(device, ww_copy(device, ww_record_memory(block, count, SIZE), ww_records(got, count, SIZE)), WW_OK);
            expect_bytes(got, wanted, SIZE * count);
            expect_status(device, ww_free(device, block), WW_OK);
        }
        ww_close(device);
    }
}

/* ---- a value for each position ---- */

#define SIZED(name, bytes) \
    WW_STRUCT(name, { uint8_t byte[bytes]; }); \
    WW_MAP(name##_of, name, uint32_t, x, void, none, { \
        name s; \
        for (uint32_t i = 0; i < bytes; i++) s.byte[i] = (uint8_t)((x >> i % 3 * 4) + 37 * i); \
        return s; \
    }); \
    static void reference_##name(unsigned char *to, uint32_t x) { \
        for (uint32_t i = 0; i < (bytes); i++) to[i] = (unsigned char)((x >> i % 3 * 4) + 37 * i); \
    }
#define NUMBER(name, type) \
    WW_MAP(name##_of, type, uint32_t, x, void, none, { return (type)(x * 2654435761u); }); \
    static void reference_##name(unsigned char *to, uint32_t x) { \
        const type number = (type)(x * 2654435761u); \
        memcpy(to, &number, sizeof number); \
    }
NUMBER(of_one, uint8_t)
NUMBER(of_two, uint16_t)
NUMBER(of_four, uint32_t)
NUMBER(of_eight, uint64_t)
SIZED(of_three, 3)
SIZED(of_five, 5)
SIZED(of_twelve, 12)
SIZED(of_forty, 40)

static const struct {
    const ww_type *type;
    const ww_function *of;
    void (*reference)(unsigned char *to, uint32_t x);
    bool anywhere; /* the output begins at any element, too: a program of its own on a GPU */
} stored[] = {{&ww_type_uint8_t, &of_one_of_ww, reference_of_one, true},
              {&ww_type_uint16_t, &of_two_of_ww, reference_of_two, false},
              {&ww_type_uint32_t, &of_four_of_ww, reference_of_four, true},
              {&ww_type_uint64_t, &of_eight_of_ww, reference_of_eight, false},
              {&of_three_ww, &of_three_of_ww, reference_of_three, true},
              {&of_five_ww, &of_five_of_ww, reference_of_five, false},
              {&of_twelve_ww, &of_twelve_of_ww, reference_of_twelve, false},
              {&of_forty_ww, &of_forty_of_ww, reference_of_forty, false}};

static void check_store(ww_device *device, const char *setting, size_t k, size_t count, size_t skipped) {
    const size_t size = stored[k].type->size;
    CASE("store", "%s elements of %zu bytes n=%zu at %zu", setting, size, count, skipped);
    if (!case_wanted()) return;
    unsigned char *wanted = need((skipped + count) * size + 1);
    guarded out = guarded_new((skipped + count) * size);
    memset(wanted, 0xA5, skipped * size);
    for (size_t i = 0; i < count; i++) stored[k].reference(wanted + (skipped + i) * size, (uint32_t)(11 + i));
    expect_status(device,
                  ww_store(device, ww_mapped(stored[k].of, ww_counting(&ww_type_uint32_t, 11, count)),
                           ww_array_of((unsigned char *)out.data + skipped * size, count, stored[k].type)),
                  WW_OK);
    expect_elements(out.data, wanted, skipped + count, size);
    /* And memory, wherever it lies. */
    memset((unsigned char *)out.data + skipped * size, 0xA5, count * size);
    expect_status(device,
                  ww_store(device, ww_memory_of(wanted + skipped * size, count, stored[k].type),
                           ww_array_of((unsigned char *)out.data + skipped * size, count, stored[k].type)),
                  WW_OK);
    expect_elements(out.data, wanted, skipped + count, size);
    guarded_check(&out);
    guarded_free(&out);
    free(wanted);
}

static void stores(void **state) {
    (void)state;
    enum { TILE = 256 * 4 }; /* of a GPU's block, times 1 to 16 */
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof stored / sizeof *stored; k++) {
            for (size_t c = 0; c < COUNTS; c++) check_store(device, setting_name(s), k, counts[c], 0);
            for (size_t items = 1; items <= 16; items *= 4) {
                check_store(device, setting_name(s), k, TILE * items, 0);
                check_store(device, setting_name(s), k, 2 * TILE * items + 1, 0);
            }
            for (size_t c = 1; c < COUNTS && stored[k].anywhere; c += 2)
                check_store(device, setting_name(s), k, counts[c], 1 + c % 3);
        }
        ww_close(device);
    }
}

/* ---- scratch memory that is made room for ---- */

static void reserves(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    ww_device_info info = WW_DEVICE_INFO;
    CASE("reserve", "%s", setting_name(0));
    static const size_t bytes[] = {1, 63, 64, 65, 5000, 4999, 0, 100000};
    size_t most = 0;
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        if (bytes[i] > most) most = bytes[i];
        expect_status(device, ww_scratch_reserve(device, bytes[i]), WW_OK);
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        expect(info.scratch_held >= most && info.scratch_held < most + 64);
    }
    expect_status(device, ww_scratch_reserve(device, SIZE_MAX), WW_MEMORY);
    expect_sentence(device, "ww_scratch_reserve", "memory");
    expect_status(device, ww_scratch_limit(device, 200000), WW_OK);
    expect_status(device, ww_scratch_reserve(device, 200001), WW_LIMIT);
    expect_sentence(device, "ww_scratch_reserve", "200001", "200000");
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_held >= most && info.scratch_held < most + 64);
    expect_status(device, ww_scratch_reserve(device, 200000), WW_OK);
    expect_status(device, ww_scratch_trim(device), WW_OK);
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(!info.scratch_held && !info.scratch_peak && info.scratch_limit == 200000);
    ww_close(device);
    if (on_gpu()) printf("that a call then takes none is test_driver_fails.c's matter\n");
}

/* What is made room for takes the place of what was, and goes with the handle. */
static void reserves_no_more(void **state) {
    (void)state;
    if (left_out_on_gpu("memory of the CPU's allocator")) return;
    counting_allocator counter = {.fail_at = SIZE_MAX};
    ww_open_options options = WW_OPEN_OPTIONS;
    ww_device *device;
    options.allocator = counting_allocator_use(&counter);
    CASE("reserve", "more and more");
    expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
    const size_t blocks = counter.live_blocks, held = counter.live_bytes;
    for (size_t bytes = 64; bytes <= 1 << 16; bytes *= 4) {
        expect_status(device, ww_scratch_reserve(device, bytes), WW_OK);
        expect(counter.live_blocks == blocks + 1 && counter.live_bytes == held + bytes);
    }
    ww_close(device);
    expect(!counter.live_blocks && !counter.live_bytes);
}

static void wrong_arguments(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *x = need(8 * sizeof *x);
    const ww_value one = ww_value(uint32_t, 1);
    double *d = need(8 * sizeof *d);
    memset(x, 0, 8 * sizeof *x);
    CASE("fill", "%s wrong arguments", setting_name(0));
    expect(ww_fill(NULL, ww_array(x, 8), one) == WW_INVALID);
    expect_status(device, ww_fill(device, ww_none, one), WW_INVALID);
    expect_status(device, ww_fill(device, ww_array(x, 8), ww_value_of(NULL, &ww_type_uint32_t)), WW_INVALID);
    expect_sentence(device, "ww_fill", "value is NULL");
    expect_status(device, ww_fill(device, ww_array((uint32_t *)NULL, 8), one), WW_INVALID);
    expect_status(device, ww_fill(device, ww_records(x, 8, 0), one), WW_TYPE);
    expect_status(device, ww_fill(device, ww_array((uint32_t *)NULL, 0), one), WW_OK);
    expect(ww_store(NULL, ww_memory(x, 8), ww_array(x, 8)) == WW_INVALID);
    expect_status(device, ww_store(device, ww_no_input, ww_array(x, 8)), WW_INVALID);
    expect_status(device, ww_store(device, ww_memory(x, 8), ww_none), WW_INVALID);
    expect_status(device, ww_store(device, ww_memory(x, 8), ww_array(d, 8)), WW_TYPE);
    expect_status(device, ww_store(device, ww_memory(x, 8), ww_array(x, 7)), WW_INVALID);
    expect_status(device, ww_store(device, ww_memory(x, 7), ww_array(x + 1, 7)), WW_OVERLAP);
    if (on_gpu()) {
        ww_device *other = setting_open_with(0, WW_HOST_MEMORY_REFUSED);
        uint32_t own[8] = {0};
        expect_status(other, ww_fill(other, ww_array(own, 8), one), WW_INVALID);
        expect_sentence(other, "cannot reach");
        expect_status(other, ww_store(other, ww_memory(own, 8), ww_array(x, 8)), WW_INVALID);
        expect_status(other, ww_store(other, ww_memory(x, 8), ww_array(own, 8)), WW_INVALID);
        expect_sentence(other, "cannot reach");
        for (size_t i = 0; i < 8; i++) expect(!own[i]);
        ww_close(other);
    }
    for (size_t i = 0; i < 8; i++) expect(!x[i]);
    free(x), free(d);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills),    cmocka_unit_test(fills_own_memory), cmocka_unit_test(stores),
        cmocka_unit_test(reserves), cmocka_unit_test(reserves_no_more), cmocka_unit_test(wrong_arguments)};
    return cmocka_run_group_tests_name("fill", tests, NULL, NULL);
}
