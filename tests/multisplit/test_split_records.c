/* Splits of records by a field of their bits, and of what belongs to several buckets, against serial oracles: record sizes ×
 * bit ranges × counts, records and numbers, records of any address, indexes of both types. */
#include <unistd.h>

#include "reference/split_records.h"
#include "support/cases.h"

enum { BIG_BUCKETS = 1 << 16 };

/* ---- by bits ---- */

typedef struct range {
    size_t size; /* of records */
    uint64_t first, count;
    bool on_emulator; /* the emulator compiles programs for each size */
} range;

static const range ranges[] = {
    {1, 0, 8, true},       {1, 3, 4, false},       {1, 7, 1, false},     {1, 8, 0, false},    {2, 5, 8, false},
    {2, 8, 8, false},      {2, 0, 16, false},      {3, 0, 8, false},     {3, 9, 8, true},     {3, 16, 8, false},
    {3, 2, 21, false},     {4, 0, 8, false},       {4, 13, 8, true},     {4, 24, 8, false},   {4, 0, 32, true},
    {4, 1, 31, false},     {5, 3, 30, false},      {8, 29, 8, false},    {8, 60, 3, false},   {8, 0, 64, false},
    {8, 1, 63, false},     {12, 41, 9, true},      {12, 8, 33, false},   {16, 63, 8, false},  {16, 0, 65, false},
    {16, 0, 128, true},    {16, 1, 120, false},    {24, 95, 8, false},   {24, 100, 0, false}, {32, 250, 6, false},
    {100, 5, 8, true},     {100, 61, 64, true},    {100, 799, 1, false}, {100, 0, 800, true}, {1000, 0, 8000, false},
    {128, 512, 96, false}, {1000, 7995, 5, false},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

/* The field comes from few values sometimes, so that order inside buckets shows. */
static void fill_records(unsigned char *x, const range *g, size_t n, shape s, uint64_t seed) {
    fill(x, &ww_type_record, g->size, n, UNIFORM, seed);
    if (s == UNIFORM) return;
    for (size_t i = 0; i < n; i++)
        for (uint64_t k = g->first; k < g->first + g->count; k++) {
            const uint64_t from_lowest = k - g->first;
            const bool keeps = s == FEW && (from_lowest == 1 || from_lowest + 1 == g->count);
            if (!keeps) x[i * g->size + k / 8] &= (unsigned char)~(1u << k % 8);
        }
}

typedef struct expected {
    unsigned char *in, *out;
    uint32_t *gather, *scatter;
    uint64_t *begins; /* NULL for many bits */
} expected;

/* `off`: records begin at an address of no alignment. */
static expected expect_of(const range *g, size_t n, shape s, size_t off, unsigned char **block) {
    expected e = {.out = malloc(n * g->size + 1), .gather = malloc(4 * n + 4), .scatter = malloc(4 * n + 4)};
    *block = need(n * g->size + off + 1);
    e.in = *block + off;
    fill_records(e.in, g, n, s, seed_of_run() + n + g->first);
    reference_split_bits(e.in, n, g->size, g->first, g->count, e.gather);
    for (size_t i = 0; i < n; i++) {
        memcpy(e.out + i * g->size, e.in + e.gather[i] * g->size, g->size);
        e.scatter[e.gather[i]] = (uint32_t)i;
    }
    if (g->count > 16) return e;
    e.begins = malloc((((size_t)1 << g->count) + 1) * sizeof *e.begins);
    reference_split_begins(e.in, n, g->size, g->first, g->count, e.begins);
    return e;
}

static void expected_free(expected *e, unsigned char *block) {
    free(block), free(e->out), free(e->gather), free(e->scatter), free(e->begins);
}

static void expect_numbers(const void *got, const uint64_t *wanted, size_t n, size_t size) {
    for (size_t i = 0; i < n; i++)
        expect(wanted[i] == (size == 4 ? ((const uint32_t *)got)[i] : ((const uint64_t *)got)[i]));
}

/* Elements of the type, if the records are some, and of records otherwise. */
static ww_array elements(void *data, size_t n, size_t size, const ww_type *type) {
    return type ? ww_array_of(data, n, type) : ww_records(data, n, size);
}

static void check_split(ww_device *device, const range *g, const expected *e, size_t n, size_t off, const ww_type *type,
                        bool wide) {
    const size_t many = e->begins ? ((size_t)1 << g->count) + 1 : 0;
    const ww_type *const number = wide ? &ww_type_uint64_t : &ww_type_uint32_t;
    guarded out = guarded_new(n * g->size + off), offsets = guarded_new(many * number->size);
    unsigned char *to = (unsigned char *)out.data + off;
    const ww_array in = elements(e->in, n, g->size, type), out_array = elements(to, n, g->size, type);
    const ww_array offsets_out = e->begins ? ww_array_of(offsets.data, many, number) : ww_none;
    const ww_status status = g->count != 8
                                 ? ww_split_bits(device, g->first, g->count, ww_from(in), out_array, offsets_out)
                             : wide ? ww_split8(device, g->first, ww_from(in), out_array, offsets_out)
                                    : ww_split8_unstable(device, g->first, ww_from(in), out_array, offsets_out);
    expect_status(device, status, WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(to, e->out, n, g->size); /* the unstable form is the stable one today */
    if (e->begins) expect_numbers(offsets.data, e->begins, many, number->size);
    guarded_check(&out), guarded_check(&offsets);
    guarded_free(&out), guarded_free(&offsets);
}

static void check_index(ww_device *device, const range *g, const expected *e, size_t n, bool wide, bool scatter) {
    const size_t many = e->begins ? ((size_t)1 << g->count) + 1 : 0;
    const ww_type *const number = wide ? &ww_type_uint64_t : &ww_type_uint32_t;
    guarded out = guarded_new(n * number->size), offsets = guarded_new(many * number->size);
    const ww_input in = ww_record_memory(e->in, n, g->size);
    const ww_array index = ww_array_of(out.data, n, number);
    const ww_array offsets_out = e->begins ? ww_array_of(offsets.data, many, number) : ww_none;
    expect_status(device,
                  scatter ? ww_split_scatter_index(device, g->first, g->count, in, index, offsets_out)
                          : ww_split_gather_index(device, g->first, g->count, in, index, offsets_out),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    const uint32_t *wanted = scatter ? e->scatter : e->gather;
    for (size_t i = 0; i < n; i++)
        expect(wanted[i] == (wide ? ((const uint64_t *)out.data)[i] : ((const uint32_t *)out.data)[i]));
    if (e->begins) expect_numbers(offsets.data, e->begins, many, number->size);
    guarded_check(&out), guarded_check(&offsets);
    guarded_free(&out), guarded_free(&offsets);
}

static const ww_type *number_of(size_t size, bool is_signed) {
    switch (size) {
    case 1:
        return is_signed ? &ww_type_int8_t : &ww_type_uint8_t;
    case 2:
        return is_signed ? &ww_type_int16_t : &ww_type_uint16_t;
    case 4:
        return is_signed ? &ww_type_float : &ww_type_uint32_t;
    case 8:
        return is_signed ? &ww_type_int64_t : &ww_type_double;
    }
    return NULL;
}

static void check_range(size_t setting, ww_device *device, const range *g, size_t n, unsigned turn) {
    const size_t off = turn % 3 == 2;
    const shape s = turn % 4 == 1 ? FEW : turn % 4 == 3 ? CONSTANT : UNIFORM;
    const ww_type *const type = off || turn % 2 ? NULL : number_of(g->size, turn % 4);
    CASE("split records", "%s size=%zu bits=%llu+%llu n=%zu %s off=%zu %s turn=%u seed=%llu", setting_name(setting),
         g->size, (unsigned long long)g->first, (unsigned long long)g->count, n, shape_name(s), off,
         type ? type->label : "records", turn, (unsigned long long)seed_of_run());
    if (!case_wanted()) return;
    unsigned char *block;
    expected e = expect_of(g, n, s, off, &block);
    check_split(device, g, &e, n, off, type, turn % 2);
    check_index(device, g, &e, n, turn % 2 == 0, turn % 3 == 1);
    expected_free(&e, block);
}

static void by_bits(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 31, 33, 500, 1024, 4099, 20000, 70001};
    unsigned turn = 0;
    for (size_t s = 0; s < (tests_are_short() ? setting_count_short() : setting_count()); s++) {
        ww_device *device = setting_open(s);
        for (size_t g = 0; g < RANGES; g++) {
            if (on_emulator() && !ranges[g].on_emulator) continue;
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++, turn++) {
                if (counts[c] * ranges[g].size > (on_emulator() ? 20000 : 4000000)) continue;
                if (counts[c] > 2000 && (c + g + s) % (tests_are_short() ? 7 : 3)) continue;
                check_range(s, device, &ranges[g], counts[c], on_emulator() ? (unsigned)(g + c % 3) : turn);
            }
        }
        ww_close(device);
    }
    expect(case_count() > 0);
}

/* The longest records, whose field is at the end. */
static void longest_records(void **state) {
    (void)state;
    static const range g = {65536, 65536 * 8 - 8, 8, true}, far = {65536, 65536 * 8 - 70, 70, true};
    ww_device *device = setting_open(0);
    check_range(0, device, &g, 37, 1);
    check_range(0, device, &far, 37, 1);
    ww_close(device);
}

WW_STRUCT(pair_of_words, { uint32_t a, b; });
WW_MAP(paired, pair_of_words, uint32_t, x, void, none, {
    pair_of_words p = {x * 2654435761u, x};
    return p;
});

/* Computed records are stored first. */
static void computed_records(void **state) {
    (void)state;
    enum { N = 3001 };
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        pair_of_words *x = need(N * sizeof *x), *out = need(N * sizeof *out);
        uint32_t *positions = malloc(4 * N), *index = need(4 * N);
        const ww_input in = ww_mapped(&paired_ww, ww_counting(&ww_type_uint32_t, 7, N));
        for (uint32_t i = 0; i < N; i++) x[i] = paired(i + 7, NULL);
        for (uint64_t count = 5; count < 60; count += 27) {
            CASE("split records", "%s computed bits=3+%llu", setting_name(s), (unsigned long long)count);
            if (!case_wanted()) continue;
            reference_split_bits(x, N, 8, 3, count, positions);
            expect_status(device, ww_split_bits(device, 3, count, in, ww_array_of(out, N, &pair_of_words_ww), ww_none),
                          WW_OK);
            expect_status(device, ww_split_gather_index(device, 3, count, in, ww_array(index, N), ww_none), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            expect_elements(index, positions, N, 4);
            for (size_t i = 0; i < N; i++) expect(!memcmp(&out[i], &x[positions[i]], 8));
        }
        free(x), free(out), free(positions), free(index);
        ww_close(device);
    }
}

/* A GPU writes a single result to the host's own memory. */
static void single_record(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    unsigned char *in = need(100), out[100];
    uint64_t index = 77;
    fill(in, &ww_type_record, 100, 1, UNIFORM, 1);
    for (uint64_t count = 3; count < 200; count += 70) {
        memset(out, 0, 100);
        expect_status(device,
                      ww_split_bits(device, 9, count, ww_record_memory(in, 1, 100), ww_records(out, 1, 100), ww_none),
                      WW_OK);
        expect_bytes(out, in, 100);
        index = 77;
        expect_status(
            device, ww_split_gather_index(device, 9, count, ww_record_memory(in, 1, 100), ww_array(&index, 1), ww_none),
            WW_OK);
        expect(index == 0);
        index = 77;
        expect_status(
            device,
            ww_split_scatter_index(device, 9, count, ww_record_memory(in, 1, 100), ww_array(&index, 1), ww_none),
            WW_OK);
        expect(index == 0);
    }
    free(in);
    ww_close(device);
}

static void bad_records(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    unsigned char *x = need(70000), *out = need(70000);
    uint32_t *few = need(4 * 300);
    const ww_input in = ww_record_memory(x, 10, 12);
    const ww_array to = ww_records(out, 10, 12), index = ww_array(few, 10);
    memset(out, 0x5a, 70000);

    expect_status(device, ww_split8(device, 89, in, to, ww_none), WW_INVALID);
    expect_sentence(device, "ww_split8: ", "8 bits from bit 89", "96 bits");
    expect_status(device, ww_split8(device, UINT64_MAX, in, to, ww_none), WW_INVALID);
    expect_status(device, ww_split8_unstable(device, 89, in, to, ww_none), WW_INVALID);
    expect_sentence(device, "ww_split8_unstable: ");
    expect_status(device, ww_split_bits(device, 1, 96, in, to, ww_none), WW_INVALID);
    expect_status(device, ww_split_bits(device, 0, UINT64_MAX, in, to, ww_none), WW_INVALID);
    expect_status(device, ww_split_gather_index(device, 97, 0, in, index, ww_none), WW_INVALID);
    expect_status(device, ww_split_scatter_index(device, 96, 1, in, index, ww_none), WW_INVALID);
    expect_status(device, ww_split8(device, 0, ww_record_memory(x, 10, 0), ww_records(out, 10, 0), ww_none),
                  WW_INVALID);
    expect_status(device, ww_split_gather_index(device, 0, 0, ww_record_memory(x, 10, 0), index, ww_none), WW_INVALID);
    expect_sentence(device, "records of 0 bytes", "1 to 65536");
    expect_status(device, ww_split8(device, 0, ww_record_memory(x, 1, 65537), ww_records(out, 1, 65537), ww_none),
                  WW_INVALID);
    expect_sentence(device, "records of 65537 bytes");
    expect_status(device, ww_split8(device, 0, ww_no_input, to, ww_none), WW_INVALID);
    expect_status(device, ww_split8(device, 0, in, ww_none, ww_none), WW_INVALID);
    expect_status(device, ww_split8(device, 0, in, ww_records(out, 9, 12), ww_none), WW_INVALID);
    expect_sentence(device, "in has 10 elements, out 9");
    expect_status(device, ww_split8(device, 0, in, ww_records(out, 10, 13), ww_none), WW_TYPE);
    expect_status(device, ww_split8(device, 0, in, ww_records(x + 60, 10, 12), ww_none), WW_OVERLAP);
    expect_status(device, ww_split8(device, 0, in, to, ww_array(few, 256)), WW_INVALID);
    expect_sentence(device, "offsets has 256 elements", "256 buckets have 257");
    expect_status(device, ww_split8(device, 0, in, to, ww_array((uint16_t *)few, 257)), WW_TYPE);
    expect_status(device, ww_split_bits(device, 0, 31, in, to, ww_array(few, 300)), WW_INVALID);
    expect_sentence(device, "offsets of up to 30 bits");
    expect_status(device, ww_split_gather_index(device, 0, 1, in, index, ww_array(few + 8, 3)), WW_OVERLAP);
    expect_status(device, ww_split_gather_index(device, 0, 1, in, ww_array((uint16_t *)few, 10), ww_none), WW_TYPE);
    expect_status(device, ww_split_gather_index(device, 0, 1, in, ww_array(few, 11), ww_none), WW_INVALID);
    expect(ww_split8(NULL, 0, in, to, ww_none) == WW_INVALID);
    for (size_t i = 0; i < 70000; i++) expect(out[i] == 0x5a);
    free(x), free(out), free(few);
    ww_close(device);
}

/* ---- several buckets ---- */

static uint64_t mask_of(uint64_t random, uint64_t buckets, shape s) {
    const uint64_t all = buckets == 64 ? UINT64_MAX : ((uint64_t)1 << buckets) - 1;
    switch (s) {
    case CONSTANT:
        return all;
    case FEW: /* mostly none or one */
        return random % 3 ? 0 : (uint64_t)1 << (random >> 8) % buckets;
    case SKEWED:
        return 1;
    default:
        return random & random >> 13 & all;
    }
}

static void check_several(ww_device *device, const uint64_t *masks, size_t n, uint64_t buckets, bool wide) {
    uint64_t *begins = malloc(65 * 8), *wanted, count = 77;
    const size_t listed = reference_several(masks, n, buckets, NULL, begins);
    wanted = malloc(8 * listed + 8);
    reference_several(masks, n, buckets, wanted, begins);
    const ww_type *const number = wide ? &ww_type_uint64_t : &ww_type_uint32_t;
    guarded index = guarded_new((listed + 3) * number->size), offsets = guarded_new((buckets + 1) * number->size);
    expect_status(device,
                  ww_multisplit_several(device, buckets, ww_memory(masks, n),
                                        ww_array_of(index.data, listed + 3, number),
                                        ww_array_of(offsets.data, buckets + 1, number), ww_array(&count, 1)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect(count == listed);
    expect_numbers(index.data, wanted, listed, number->size);
    expect_numbers(offsets.data, begins, buckets + 1, number->size);
    for (size_t i = listed * number->size; i < index.bytes; i++) expect(((unsigned char *)index.data)[i] == 0xa5);
    guarded_check(&index), guarded_check(&offsets);
    guarded_free(&index), guarded_free(&offsets);
    free(begins), free(wanted);
}

static void several(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 100, 1023, 5000, 40000};
    static const uint64_t buckets[] = {1, 2, 7, 33, 63, 64};
    static const shape shapes[] = {UNIFORM, CONSTANT, FEW, SKEWED};
    unsigned turn = 0;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t b = 0; b < sizeof buckets / sizeof *buckets; b++)
                for (size_t h = 0; h < sizeof shapes / sizeof *shapes; h++, turn++) {
                    if (counts[c] > 2000 && (turn % 5 || on_emulator())) continue;
                    if (on_emulator() && (turn % 3 != 1 || counts[c] > 500)) continue;
                    CASE("several", "%s n=%zu buckets=%llu %s turn=%u seed=%llu", setting_name(s), counts[c],
                         (unsigned long long)buckets[b], shape_name(shapes[h]), turn,
                         (unsigned long long)seed_of_run());
                    if (!case_wanted()) continue;
                    uint64_t *masks = need(8 * counts[c] + 8), random = seed_of_run() + turn;
                    for (size_t i = 0; i < counts[c]; i++)
                        masks[i] = mask_of(random_next(&random), buckets[b], shapes[h]);
                    check_several(device, masks, counts[c], buckets[b], turn % 2);
                    free(masks);
                }
        ww_close(device);
    }
}

static void bad_several(void **state) {
    (void)state;
    enum { N = 100 };
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        uint64_t *masks = need(8 * N), count = 77;
        uint32_t *index = need(4 * 300), *offsets = need(4 * 65);
        const ww_input in = ww_memory(masks, N);
        memset(index, 0xa5, 4 * 300), memset(offsets, 0xa5, 4 * 65);
        for (size_t i = 0; i < N; i++) masks[i] = 3;

        expect_status(
            device,
            ww_multisplit_several(device, 2, in, ww_array(index, 199), ww_array(offsets, 3), ww_array(&count, 1)),
            WW_LIMIT);
        expect_sentence(device, "ww_multisplit_several: ", "200 positions", "capacity of 199");
        expect(count == 200);
        count = 77;
        masks[40] = 4, masks[71] = (uint64_t)1 << 63;
        expect_status(
            device,
            ww_multisplit_several(device, 2, in, ww_array(index, 300), ww_array(offsets, 3), ww_array(&count, 1)),
            WW_RANGE);
        expect_sentence(device, "categories[40]", "not below 2");
        expect_status(device, ww_multisplit_several(device, 63, in, ww_array(index, 300), ww_none, ww_none), WW_RANGE);
        expect_sentence(device, "categories[71]", "not below 63");
        expect_status(device, ww_multisplit_several(device, 0, in, ww_array(index, 300), ww_none, ww_none), WW_INVALID);
        expect_status(device, ww_multisplit_several(device, 65, in, ww_array(index, 300), ww_none, ww_none),
                      WW_INVALID);
        expect_sentence(device, "65 buckets", "1 to 64");
        expect_status(device,
                      ww_multisplit_several(device, 64, in, ww_array(index, 300), ww_array(offsets, 64), ww_none),
                      WW_INVALID);
        expect_status(
            device,
            ww_multisplit_several(device, 2, ww_memory((uint32_t *)masks, N), ww_array(index, 300), ww_none, ww_none),
            WW_TYPE);
        expect_status(device, ww_multisplit_several(device, 64, in, ww_array((uint8_t *)index, 300), ww_none, ww_none),
                      WW_TYPE);
        expect_status(device, ww_multisplit_several(device, 64, in, ww_array(masks, 90), ww_none, ww_none), WW_OVERLAP);
        expect_status(device,
                      ww_multisplit_several(device, 64, in, ww_array(index, 300), ww_array(index + 200, 65), ww_none),
                      WW_OVERLAP);
        expect_status(
            device,
            ww_multisplit_several(device, 2, in, ww_array(index, 300), ww_array(offsets, 3), ww_array(offsets + 1, 1)),
            WW_OVERLAP);
        expect(count == 77);
        for (size_t i = 0; i < 300; i++) expect(index[i] == 0xa5a5a5a5);
        for (size_t i = 0; i < 65; i++) expect(offsets[i] == 0xa5a5a5a5);
        free(masks), free(index), free(offsets);
        ww_close(device);
    }
}

/* ---- memory ---- */

static void out_of_memory(void **state) {
    (void)state;
    if (left_out_on_gpu("it opens the CPU")) return;
    enum { N = 50000 };
    unsigned char *x = need(12 * N), *out = need(12 * N);
    uint64_t *masks = need(8 * N);
    uint32_t *index = need(4 * 3 * N);
    fill(x, &ww_type_record, 12, N, UNIFORM, 3);
    for (size_t i = 0; i < N; i++) masks[i] = x[i] & 7;
    for (int kind = 0; kind < 4; kind++) {
        size_t fail_at = 0;
        for (bool done = false; !done; fail_at++) {
            counting_allocator counter = {.fail_at = fail_at};
            ww_open_options options = WW_OPEN_OPTIONS;
            options.allocator = counting_allocator_use(&counter);
            const ww_input in = ww_record_memory(x, N, 12);
            ww_device *device;
            ww_status status = ww_open_with("cpu:threads=2", &device, &options);
            if (status)
                ;
            else if (kind == 0)
                status = ww_split8(device, 5, in, ww_records(out, N, 12), ww_none);
            else if (kind == 1)
                status = ww_split_bits(device, 5, 80, in, ww_records(out, N, 12), ww_none);
            else if (kind == 2)
                status = ww_split_scatter_index(device, 5, 20, in, ww_array(index, N), ww_none);
            else
                status = ww_multisplit_several(device, 3, ww_memory(masks, N), ww_array(index, 3 * N), ww_none,
                                               ww_none);
            expect(status == WW_OK || status == WW_MEMORY);
            done = counter.requests <= fail_at;
            ww_close(device);
            expect(counter.live_blocks == 0);
        }
        expect(fail_at > 2);
    }
    free(x), free(out), free(masks), free(index);
}

/* What the header says. */
static void scratch_bound(void **state) {
    (void)state;
    if (left_out_on_gpu("tiles of the emulator are small")) return;
    enum { N = 200000, SIZE = 24 };
    unsigned char *x = need(SIZE * N), *out = need(SIZE * N);
    uint64_t *masks = need(8 * N), count;
    uint32_t *index = need(4 * 4 * N);
    fill(x, &ww_type_record, SIZE, N, UNIFORM, 3);
    for (size_t i = 0; i < N; i++) masks[i] = x[i] & 15;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        ww_device_info info = WW_DEVICE_INFO;
        const ww_input in = ww_record_memory(x, N, SIZE);
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        const size_t fixed = (1 << 20) + (size_t)info.threads * (384 << 10);
        for (uint64_t bits = 9; bits < 192; bits += 61) {
            expect_status(device, ww_scratch_trim(device), WW_OK);
            expect_status(device, ww_split_bits(device, 0, bits, in, ww_records(out, N, SIZE), ww_none), WW_OK);
            expect_status(device, ww_device_info_get(device, &info), WW_OK);
            expect(info.scratch_peak <= 32 * N + fixed);
        }
        expect_status(device, ww_scratch_trim(device), WW_OK);
        expect_status(
            device,
            ww_multisplit_several(device, 4, ww_memory(masks, N), ww_array(index, 4 * N), ww_none, ww_array(&count, 1)),
            WW_OK);
        expect_status(device, ww_device_info_get(device, &info), WW_OK);
        expect(info.scratch_peak <= 8 * N + 10 * count + fixed);
        ww_close(device);
    }
    free(x), free(out), free(masks), free(index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_bits),       cmocka_unit_test(longest_records), cmocka_unit_test(computed_records),
        cmocka_unit_test(single_record), cmocka_unit_test(bad_records),     cmocka_unit_test(several),
        cmocka_unit_test(bad_several),   cmocka_unit_test(out_of_memory),   cmocka_unit_test(scratch_bound),
    };
    return cmocka_run_group_tests_name("split records", tests, NULL, NULL);
}
