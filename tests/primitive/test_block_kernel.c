/* Kernels of blocks whose lanes share memory, against serial loops. */
#include "support/cases.h"

enum { TILE = 700, BINS = 33 };

/* Sums a tile by halves, with as many elements as there are in the last one. */
WW_STRUCT(sum_arguments, {
    const uint32_t *in;
    uint64_t count;
    uint32_t *sums;
});
WW_STRUCT(sum_tile, { uint32_t x[700]; });
WW_BLOCK_KERNEL(sum_tiles, sum_arguments, a, sum_tile, t, block, {
    const uint64_t first = block * 700;
    uint32_t left = a->count - first < 700 ? (uint32_t)(a->count - first) : 700;
    WW_LANES(i, left) { t->x[i] = a->in[first + i]; }
    while (left > 1) {
        const uint32_t half = (left + 1) / 2;
        WW_LANES(i, left - half) { t->x[i] += t->x[half + i]; }
        left = half;
    }
    WW_LANES(i, 1) { a->sums[block] = t->x[i]; }
});

/* Reads and writes in different orders through shared memory; loops without lanes, of one, of more lanes than threads. */
WW_STRUCT(turn_arguments, {
    const uint16_t *in;
    uint16_t *out;
    uint64_t count;
});
WW_STRUCT(turn_tile, {
    uint16_t x[700];
    uint32_t none;
});
WW_FUNCTION(mirrored, uint32_t, (uint32_t i, uint32_t many), { return many - 1 - i; });
WW_BLOCK_KERNEL_USES((mirrored), turn_tiles, turn_arguments, a, turn_tile, t, block, {
    const uint64_t first = block * 700;
    const uint32_t many = a->count - first < 700 ? (uint32_t)(a->count - first) : 700;
    WW_LANES(i, 1) { t->none = 0; }
    WW_LANES(i, t->none) { a->out[first] = 7; }
    WW_LANES(i, many) {
        if (i % 2) continue;
        t->x[mirrored(i, many)] = a->in[first + i];
    }
    WW_LANES(i, many) {
        if (i % 2) t->x[mirrored(i, many)] = a->in[first + i];
    }
    WW_LANES(i, many) { a->out[first + i] = t->x[i]; }
});

/* Counts in shared memory by atomics, and hands each block's counts on to all; a bound that stands in shared memory. */
WW_STRUCT(count_arguments, {
    const uint8_t *in;
    uint64_t count;
    uint64_t *counts;
    uint32_t *most; /* the most frequent bin's count of each block */
});
WW_STRUCT(count_tile, {
    uint32_t counts[33];
    uint32_t most;
    int64_t spare;
    double halves;
});
WW_BLOCK_KERNEL(count_tiles, count_arguments, a, count_tile, t, block, {
    const uint64_t first = block * 700;
    const uint32_t many = a->count - first < 700 ? (uint32_t)(a->count - first) : 700;
    WW_LANES(b, 33) { t->counts[b] = 0; }
    WW_LANES(b, 1) {
        t->most = 0;
        t->spare = 0;
        t->halves = 0;
    }
    WW_LANES(i, many) {
        ww_atomic_add(&t->counts[a->in[first + i] % 33], 1);
        ww_atomic_add(&t->spare, -1);
        ww_atomic_add(&t->halves, 0.5);
    }
    WW_LANES(b, 33) {
        ww_atomic_max(&t->most, t->counts[b]);
        if (t->counts[b]) ww_atomic_add(&a->counts[b], (uint64_t)t->counts[b]);
    }
    const uint32_t seen = t->most; /* read by every thread while the next loop's lanes wait */
    WW_LANES(b, 1) {
        t->most = 0;
        a->most[block] = seen + (uint32_t)(t->spare + (int64_t)(2 * t->halves)) + ww_atomic_load(&t->most);
    }
});

static const size_t blocks_of[] = {0, 1, 2, 15, 16, 17, 100, 3000};
enum { MANY = sizeof blocks_of / sizeof *blocks_of };

/* The last block has one element, or half a tile, or all. */
static size_t elements_of(size_t blocks, size_t last) { return blocks ? (blocks - 1) * TILE + last : 0; }
static const size_t lasts[] = {1, 350, TILE};

typedef void check(ww_device *device, const char *setting, size_t blocks, size_t n);

static void check_sums(ww_device *device, const char *setting, size_t blocks, size_t n) {
    CASE("block kernel", "%s sums blocks=%zu n=%zu", setting, blocks, n);
    if (!case_wanted()) return;
    uint32_t *in = need(4 * n), *wanted = need(4 * blocks);
    guarded sums = guarded_new(4 * blocks);
    fill(in, &ww_type_uint32_t, 4, n, UNIFORM, seed_of_run() + n);
    for (size_t b = 0; b < blocks; b++) wanted[b] = 0;
    for (size_t i = 0; i < n; i++) wanted[i / TILE] += in[i];
    const sum_arguments a = {in, n, sums.data};
    expect_status(device, ww_launch(device, ww_with(sum_tiles, &a), blocks), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(sums.data, wanted, blocks, 4);
    guarded_check(&sums);
    guarded_free(&sums);
    free(in);
    free(wanted);
}

static void check_turned(ww_device *device, const char *setting, size_t blocks, size_t n) {
    CASE("block kernel", "%s turned blocks=%zu n=%zu", setting, blocks, n);
    if (!case_wanted()) return;
    uint16_t *in = need(2 * n), *wanted = need(2 * n);
    guarded out = guarded_new(2 * n);
    fill(in, &ww_type_uint16_t, 2, n, UNIFORM, seed_of_run() + n);
    for (size_t i = 0; i < n; i++) {
        const size_t first = i / TILE * TILE, many = n - first < TILE ? n - first : TILE;
        wanted[i] = in[first + many - 1 - (i - first)];
    }
    const turn_arguments a = {in, out.data, n};
    expect_status(device, ww_launch(device, ww_with(turn_tiles, &a), blocks), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, n, 2);
    guarded_check(&out);
    guarded_free(&out);
    free(in);
    free(wanted);
}

static void check_counts(ww_device *device, const char *setting, size_t blocks, size_t n) {
    CASE("block kernel", "%s counts blocks=%zu n=%zu", setting, blocks, n);
    if (!case_wanted()) return;
    uint8_t *in = need(n);
    uint32_t *most = need(4 * blocks);
    uint64_t *counts = need(8 * BINS), wanted[BINS] = {0};
    guarded got = guarded_new(4 * blocks);
    memset(counts, 0, 8 * BINS);
    fill(in, &ww_type_uint8_t, 1, n, SKEWED, seed_of_run() + n);
    for (size_t b = 0; b < blocks; b++) {
        uint32_t of[BINS] = {0};
        most[b] = 0;
        for (size_t i = b * TILE; i < n && i < (b + 1) * TILE; i++) of[in[i] % BINS]++;
        for (size_t k = 0; k < BINS; k++) {
            wanted[k] += of[k];
            most[b] = of[k] > most[b] ? of[k] : most[b];
        }
    }
    const count_arguments a = {in, n, counts, got.data};
    expect_status(device, ww_launch(device, ww_with(count_tiles, &a), blocks), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(counts, wanted, BINS, 8);
    expect_elements(got.data, most, blocks, 4);
    guarded_check(&got);
    guarded_free(&got);
    free(in);
    free(most);
    free(counts);
}

static void blocks(void **state) {
    static check *const checks[] = {check_sums, check_turned, check_counts};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < 3 * MANY; k++) {
            const size_t many = blocks_of[k / 3];
            if (on_emulator() && many > 17) continue;
            for (size_t l = 0; l < 3; l++)
                if (many > 0 || l == 0) checks[k % 3](device, setting_name(s), many, elements_of(many, lasts[l]));
        }
        ww_close(device);
    }
}

/* As many blocks as a number on the device says. */
static void counted(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("block kernel", "%s counted", setting_name(s));
        if (case_wanted()) {
            uint32_t *in = need(4 * 20 * TILE), *sums = need(4 * 20);
            uint64_t *number = need(sizeof *number);
            *number = 7;
            for (size_t i = 0; i < 20 * TILE; i++) in[i] = 1;
            for (size_t b = 0; b < 20; b++) sums[b] = 5;
            const sum_arguments a = {in, 20 * TILE, sums};
            expect_status(device, ww_launch_counted(device, ww_with(sum_tiles, &a), 20, number), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t b = 0; b < 20; b++) expect(sums[b] == (b < 7 ? TILE : 5));
            free(in);
            free(sums);
            free(number);
        }
        ww_close(device);
    }
}

static void called(void **state) {
    (void)state;
    if (left_out_on_gpu("it is the host's own function")) return;
    CASE("block kernel", "called as a function");
    if (!case_wanted()) return;
    const uint32_t in[3] = {4, 5, 6};
    uint32_t sum = 0;
    sum_tile tile;
    const sum_arguments a = {in, 3, &sum};
    sum_tiles(0, &a, &tile);
    expect(sum == 15);
    ww_device *device = setting_open(0);
    expect_status(device, ww_launch(device, &sum_tiles_ww, 1), WW_INVALID);
    expect_sentence(device, "sum_tiles needs a sum_arguments");
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),
        cmocka_unit_test(counted),
        cmocka_unit_test(called),
    };
    return cmocka_run_group_tests_name("block kernel", tests, NULL, NULL);
}
