/* Random numbers against a serial oracle, bit for bit: the published vectors, every kind and type of number, at all offsets and
 * addresses around blocks and tiles, below bounds that reject half the words; the same numbers inside of maps; errors. Normal
 * numbers are the same bits on all devices, and near those of libm. */
#include <math.h>
#include <stdio.h>

#include "reference/random.h"
#include "support/cases.h"

typedef unsigned long long ull;

static ww_random from_of(uint64_t offset) {
    const ww_random from = {seed_of_run() * 0x9E3779B97F4A7C15u, 0xFEDCBA9876543210u, offset};
    return from;
}

/* ---- the generator ---- */

static void published_vectors(void **state) {
    static const struct {
        uint32_t counter[4], key[2], wanted[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}},
        {{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}},
        {{0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344},
         {0xA4093822, 0x299F31D0},
         {0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}},
    };
    (void)state;
    CASE("random", "published vectors");
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const uint32_t *c = known[k].counter, *key = known[k].key;
        const ww_random_block x = ww_philox(key[0] | (uint64_t)key[1] << 32, c[2] | (uint64_t)c[3] << 32,
                                            c[0] | (uint64_t)c[1] << 32);
        uint32_t oracle[4];
        reference_philox(c, key, oracle);
        expect_bytes(x.word, known[k].wanted, 16);
        expect_bytes(oracle, known[k].wanted, 16);
    }
}

/* ---- fills ---- */

static const size_t counts[] = {0, 1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 1023, 1024, 1025, 4095, 4096, 4097, 20011};
static const uint64_t offsets[] = {0, 1, 2, 3, 7, 1000003, 0xFFFFFFFFFu};
enum { COUNTS = sizeof counts / sizeof *counts, OFFSETS = sizeof offsets / sizeof *offsets };

static void oracle_fill(void *to, const ww_type *type, ww_random from, size_t n) {
    for (size_t i = 0; type->kind == WW_KIND_FLOAT && i < n; i++) {
        const float f = reference_random_f32(from.seed, from.stream, from.offset + i);
        const double d = reference_random_f64(from.seed, from.stream, from.offset + i);
        memcpy((char *)to + i * type->size, type->size == 4 ? (const void *)&f : (const void *)&d, type->size);
    }
    if (type->kind != WW_KIND_FLOAT)
        reference_random_bytes(from.seed, from.stream, 0, from.offset * type->size, n * type->size, to);
}

/* `off`: elements by which the output is behind a multiple of 64 bytes. */
static void check_fill(ww_device *device, const char *setting, const ww_type *type, size_t n, uint64_t offset,
                       size_t off) {
    const ww_random from = from_of(offset);
    CASE("random", "%s fill %s n=%zu offset=%llu off=%zu", setting, type->label, n, (ull)offset, off);
    if (!case_wanted()) return;
    guarded out = guarded_new((n + off) * type->size);
    void *wanted = need(n * type->size + 1);
    oracle_fill(wanted, type, from, n);
    char *at = (char *)out.data + off * type->size;
    expect_status(device, ww_random_fill(device, from, ww_array_of(at, n, type)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(at, wanted, n, type->size);
    for (size_t b = 0; b < off * type->size; b++) expect(((unsigned char *)out.data)[b] == 0xA5);
    guarded_check(&out);
    free(wanted);
    guarded_free(&out);
}

static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_double,   &ww_type_float,   &ww_type_uint8_t,
                                       &ww_type_int64_t,  &ww_type_uint16_t, &ww_type_ww_u128, &ww_type_int8_t,
                                       &ww_type_int16_t,  &ww_type_int32_t,  &ww_type_uint64_t};
enum { TYPES = sizeof types / sizeof *types };

static void fills(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++)
            for (size_t c = 0; c < COUNTS; c++)
                for (size_t o = 0; o < OFFSETS; o++)
                    if (!on_emulator() || (c + o + t) % 5 == 0)
                        check_fill(device, setting_name(s), types[t], counts[c], offsets[o], (c + o) % 3);
        ww_close(device);
    }
}

/* Threads share the tiles, and whole lines go past the caches. */
static void large(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        const size_t n = on_emulator() ? 50021 : 900001;
        for (size_t t = 0; t < 3; t++)
            for (size_t off = 0; off < 2; off++) check_fill(device, setting_name(s), types[t], n, 5 + off, off);
        ww_close(device);
    }
}

/* The end of a stream, and a fill by parts. */
static void parts(void **state) {
    enum { N = 3000 };
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        CASE("random", "%s parts", setting_name(s));
        if (case_wanted()) {
            const uint64_t end = (uint64_t)1 << 60;
            float *whole = need(N * sizeof *whole), *part = need(N * sizeof *part);
            expect_status(device, ww_random_normal(device, from_of(end - N), 1, 2, ww_array(whole, N)), WW_OK);
            for (size_t first = 0, n = 1; first < N; first += n, n = n * 2 + 1) {
                if (n > N - first) n = N - first;
                expect_status(
                    device, ww_random_normal(device, from_of(end - N + first), 1, 2, ww_array(part + first, n)), WW_OK);
            }
            expect_status(device, ww_sync(device), WW_OK);
            expect_elements(part, whole, N, sizeof *whole);
            free(part);
            free(whole);
        }
        ww_close(device);
    }
}

/* ---- below a bound ---- */

static void check_below(ww_device *device, const char *setting, const ww_type *type, uint64_t bound, size_t n,
                        uint64_t offset) {
    const ww_random from = from_of(offset);
    CASE("random", "%s below %llu %s n=%zu offset=%llu", setting, (ull)bound, type->label, n, (ull)offset);
    if (!case_wanted()) return;
    guarded out = guarded_new(n * type->size);
    unsigned char *wanted = need(n * type->size + 1);
    int rejected = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = reference_random_below(from.seed, from.stream, offset + i, bound, type->size == 8 ? 64 : 32,
                                                  &rejected);
        memcpy(wanted + i * type->size, &x, type->size); /* little-endian */
    }
    const uint64_t left = type->size == 8 ? (0 - bound) % bound : ((uint64_t)1 << 32) % bound;
    expect(rejected || n < 100 ||
           !(left >> (type->size == 8 ? 62 : 30))); /* of a quarter of the words one is among them */
    expect_status(device, ww_random_below(device, from, bound, ww_array_of(out.data, n, type)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, n, type->size);
    guarded_check(&out);
    free(wanted);
    guarded_free(&out);
}

static void below(void **state) {
    static const struct {
        const ww_type *type;
        uint64_t bound;
    } of[] = {{&ww_type_uint32_t, 1},
              {&ww_type_uint32_t, 1000},
              {&ww_type_uint32_t, 0x80000001},
              {&ww_type_uint32_t, 0xAAAAAAAA},
              {&ww_type_uint32_t, 0x100000000},
              {&ww_type_int32_t, 0x80000000},
              {&ww_type_int32_t, 0x7FFFFFFF},
              {&ww_type_uint64_t, 1},
              {&ww_type_uint64_t, 0x8000000000000001},
              {&ww_type_uint64_t, 0xFFFFFFFFFFFFFFFF},
              {&ww_type_uint64_t, 0xC000000000000001},
              {&ww_type_int64_t, 6},
              {&ww_type_uint8_t, 256},
              {&ww_type_uint8_t, 3},
              {&ww_type_int8_t, 128},
              {&ww_type_uint16_t, 65536},
              {&ww_type_int16_t, 10000}};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof of / sizeof *of; k++)
            for (size_t n = 0; n < 6; n++)
                check_below(device, setting_name(s), of[k].type, of[k].bound, (size_t[]){1, 2, 7, 1027, 5000, 0}[n], n);
        ww_close(device);
    }
}

/* ---- normal numbers ---- */

static void check_normal(ww_device *device, ww_device *other, const char *setting, const ww_type *type, size_t n,
                         uint64_t offset) {
    const ww_random from = from_of(offset);
    CASE("random", "%s normal %s n=%zu offset=%llu", setting, type->label, n, (ull)offset);
    if (!case_wanted()) return;
    guarded out = guarded_new(n * type->size);
    void *wanted = need(n * type->size + 1);
    expect_status(other, ww_random_normal(other, from, 0, 1, ww_array_of(wanted, n, type)), WW_OK);
    expect_status(device, ww_random_normal(device, from, 0, 1, ww_array_of(out.data, n, type)), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, n, type->size);
    for (size_t i = 0; i < n; i++) {
        const bool wide = type->size == 8;
        double distance, z = wide ? reference_normal_f64(from.seed, from.stream, offset + i, &distance)
                                  : reference_normal_f32(from.seed, from.stream, offset + i, &distance);
        const double got = wide ? ((const double *)wanted)[i] : (double)((const float *)wanted)[i];
        expect(fabs(got - z) <= distance * (wide ? 2e-15 : 4e-7));
    }
    guarded_check(&out);
    free(wanted);
    guarded_free(&out);
}

static void normal(void **state) {
    ww_device *one;
    (void)state;
    expect_status(NULL, ww_open("cpu:threads=1", &one), WW_OK);
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < COUNTS; c++)
            for (size_t t = 1; t < 3; t++)
                check_normal(device, one, setting_name(s), types[t], counts[c], offsets[(c + t) % OFFSETS]);
        check_normal(device, one, setting_name(s), &ww_type_float, on_emulator() ? 50000 : 400000, 0);
        check_normal(device, one, setting_name(s), &ww_type_double, on_emulator() ? 50000 : 400000, 0);
        ww_close(device);
    }
    ww_close(one);
}

/* ---- inside of maps ---- */

WW_STRUCT_USES((ww_random), drawing, {
    ww_random from;
    uint32_t bound;
});
WW_STRUCT(drawn, {
    uint64_t wide;
    double unit;
    uint32_t word;
    uint32_t small;
    float half;
    uint32_t spare;
});
WW_MAP_USES((ww_philox_u32, ww_philox_u64, ww_philox_float, ww_philox_double, ww_philox_below), draw, drawn, uint64_t,
            i, drawing, d, {
                drawn x;
                x.wide = ww_philox_u64(d->from.seed, d->from.stream, i);
                x.unit = ww_philox_double(d->from.seed, d->from.stream, i);
                x.word = ww_philox_u32(d->from.seed, d->from.stream, i);
                x.small = ww_philox_below(d->from.seed, d->from.stream, i, d->bound);
                x.half = ww_philox_float(d->from.seed, d->from.stream, i);
                x.spare = 0;
                return x;
            });

static void inside_of_maps(void **state) {
    enum { N = 2000, FIRST = 11 };
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        CASE("random", "%s inside of maps", setting_name(s));
        if (case_wanted()) {
            const drawing d = {from_of(0), 0xC0000000u};
            drawn *x = need(N * sizeof *x);
            int rejected = 0;
            expect_status(device,
                          ww_map(device, ww_with(draw, &d), ww_counting(&ww_type_uint64_t, FIRST, N),
                                 ww_array_of(x, N, &drawn_ww)),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (uint64_t k = 0; k < N; k++) {
                const uint64_t i = FIRST + k, seed = d.from.seed, stream = d.from.stream;
                uint64_t wide;
                reference_random_bytes(seed, stream, 0, 8 * i, 8, &wide);
                expect(x[k].wide == wide && x[k].word == reference_random_word(seed, stream, 0, i));
                expect(x[k].small == reference_random_below(seed, stream, i, d.bound, 32, &rejected));
                expect(!memcmp(&x[k].half, (float[]){reference_random_f32(seed, stream, i)}, 4));
                expect(!memcmp(&x[k].unit, (double[]){reference_random_f64(seed, stream, i)}, 8));
            }
            expect(rejected);
            free(x);
        }
        ww_close(device);
    }
}

/* ---- errors ---- */

static void errors(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("random", "%s errors", setting_name(s));
        if (case_wanted()) {
            float *f = need(64);
            uint8_t *b = need(64);
            const ww_random late = from_of(((uint64_t)1 << 60) - 3);
            memset(f, 0xA5, 64);
            expect_status(device, ww_random_fill(device, late, ww_array(f, 4)), WW_LIMIT);
            expect_sentence(device, "ww_random_fill", "a stream has 2^60");
            expect_status(device, ww_random_fill(device, from_of(UINT64_MAX), ww_array(f, 4)), WW_LIMIT);
            expect_status(device, ww_random_fill(device, late, ww_records(f, 3, 4)), WW_TYPE);
            expect_sentence(device, "not numbers");
            expect_status(device, ww_random_fill(device, late, ww_none), WW_INVALID);
            expect_status(device, ww_random_below(device, late, 0, ww_array(b, 3)), WW_INVALID);
            expect_sentence(device, "ww_random_below", "below 0");
            expect_status(device, ww_random_below(device, late, 257, ww_array(b, 3)), WW_RANGE);
            expect_sentence(device, "below 257 do not fit in uint8_t");
            expect_status(device, ww_random_below(device, late, 129, ww_array((int8_t *)b, 3)), WW_RANGE);
            expect_status(device,
                          ww_random_below(device, late, ((uint64_t)1 << 63) + 1, ww_array_of(f, 3, &ww_type_int64_t)),
                          WW_RANGE);
            expect_status(device, ww_random_below(device, late, 3, ww_array(f, 3)), WW_TYPE);
            expect_status(device, ww_random_below(device, late, 3, ww_array_of(f, 1, &ww_type_ww_u128)), WW_TYPE);
            expect_status(device, ww_random_normal(device, late, 0, 1, ww_array(b, 3)), WW_TYPE);
            expect_status(device, ww_random_normal(device, late, 0, -1, ww_array(f, 3)), WW_INVALID);
            expect_sentence(device, "the deviation is -1");
            expect_status(device, ww_random_normal(device, late, (double)NAN, 1, ww_array(f, 3)), WW_INVALID);
            expect_status(device, ww_random_normal(device, late, 0, (double)INFINITY, ww_array(f, 3)), WW_INVALID);
            expect_status(device, ww_random_normal(device, late, 1e300, 1, ww_array(f, 3)), WW_RANGE);
            expect_status(device, ww_random_fill(NULL, late, ww_array(f, 3)), WW_INVALID);
            for (size_t i = 0; i < 64; i++) expect(((unsigned char *)f)[i] == 0xA5);
            expect_status(device, ww_random_fill(device, late, ww_array(f, 3)), WW_OK);
            expect_status(device, ww_random_normal(device, late, 3, 0, ww_array(f, 3)), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect(f[0] == 3 && f[1] == 3 && f[2] == 3);
            float one = 7; /* in the host's own memory */
            expect_status(device, ww_random_normal(device, late, 3, 0, ww_array(&one, 1)), WW_OK);
            expect(one == 3);
            free(b);
            free(f);
        }
        ww_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors),
        cmocka_unit_test(fills),
        cmocka_unit_test(large),
        cmocka_unit_test(parts),
        cmocka_unit_test(below),
        cmocka_unit_test(normal),
        cmocka_unit_test(inside_of_maps),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
