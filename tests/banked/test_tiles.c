/* Tiles that are sorted, partitioned, permuted and transposed, against serial oracles: types, values, lengths of tiles,
 * numbers of them, data; what is refused, of which nothing moves; and, by the emulator's counters, that no access of shared
 * memory meets a bank conflict, whatever the data are. */
#include <dlfcn.h>
#include <stdio.h>

#include "device/device.h"
#include "device/emu/emulator.h"
#include "device/gpu/gpu.h"
#include "reference/tiles.h"
#include "support/cases.h"

static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_double,  &ww_type_float,
                                       &ww_type_uint64_t, &ww_type_int32_t, &ww_type_int64_t};
enum { TYPES = sizeof types / sizeof *types };

static const ww_type *value_type(size_t size) { return size == 8 ? &ww_type_uint64_t : &ww_type_uint32_t; }
static ww_input values_in(const void *values, size_t n, size_t size) {
    return size ? ww_memory_of(values, n, value_type(size)) : ww_no_input;
}
static ww_array values_out(void *values, size_t n, size_t size) {
    return size ? ww_array_of(values, n, value_type(size)) : ww_none;
}

/* ---- sorting ---- */

typedef struct sorted {
    const ww_type *type;
    size_t tile, n, value_size;
    unsigned char *keys, *values, *keys_wanted, *values_wanted;
} sorted;

/* Few different values: where keys are equal, too, their order is seen. */
static sorted sorted_new(const ww_type *type, size_t tile, size_t tiles, size_t value_size, shape s) {
    sorted c = {.type = type, .tile = tile, .n = tile * tiles, .value_size = value_size};
    c.keys = need(c.n * type->size + 1), c.keys_wanted = need(c.n * type->size + 1);
    c.values = need(c.n * value_size + 1), c.values_wanted = need(c.n * value_size + 1);
    fill(c.keys, type, type->size, c.n, s, seed_of_run() + c.n);
    if (value_size)
        fill(c.values, value_type(value_size), value_size, c.n, s == FEW ? FEW : UNIFORM, seed_of_run() + 1);
    memcpy(c.keys_wanted, c.keys, c.n * type->size);
    memcpy(c.values_wanted, c.values, c.n * value_size);
    reference_tiles_sort(type, tile, c.n, c.keys_wanted, value_size, c.values_wanted);
    return c;
}

static void sorted_free(sorted *c) { free(c->keys), free(c->values), free(c->keys_wanted), free(c->values_wanted); }

/* With `in_place` the outputs are the inputs; else they are poisoned before. */
static void check_sorted(ww_device *device, const sorted *c, bool in_place) {
    guarded keys = guarded_new(c->n * c->type->size), values = guarded_new(c->n * c->value_size);
    if (in_place) {
        memcpy(keys.data, c->keys, keys.bytes);
        memcpy(values.data, c->values, values.bytes);
    }
    expect_status(device,
                  ww_tiles_sort(device, c->tile, ww_memory_of(in_place ? keys.data : c->keys, c->n, c->type),
                                values_in(in_place ? values.data : c->values, c->n, c->value_size),
                                ww_array_of(keys.data, c->n, c->type), values_out(values.data, c->n, c->value_size)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(keys.data, c->keys_wanted, c->n, c->type->size);
    if (c->value_size) expect_elements(values.data, c->values_wanted, c->n, c->value_size);
    guarded_check(&keys), guarded_check(&values);
    guarded_free(&keys), guarded_free(&values);
}

static void check_sort_case(ww_device **devices, size_t settings, const ww_type *type, size_t tile, size_t tiles,
                            size_t value_size, shape s, unsigned turn) {
    sorted c = {0}; /* made when the first case is wanted */
    for (size_t d = 0; d < settings; d++) {
        const bool in_place = (turn + d) % 2;
        CASE("tiles sort", "%s %s+%zu tile=%zu tiles=%zu %s %s seed=%llu", setting_name(d), type->label, value_size,
             tile, tiles, shape_name(s), in_place ? "in-place" : "apart", (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        if (!c.keys) c = sorted_new(type, tile, tiles, value_size, s);
        check_sorted(devices[d], &c, in_place);
    }
    sorted_free(&c);
}

/* Every type with values and without, every shape; tiles' lengths and numbers take turns. On GPUs, where each length is a program,
 * a type with values has one, and the emulator has few of these. */
static void sorts(void **state) {
    (void)state;
    static const size_t tiles[] = {1, 3, 0, 2, 5}, lengths[] = {64, 1024, 256, 4096, 128, 512, 2048, 8192, 16384};
    static const size_t value_sizes[] = {0, 4, 8};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    unsigned turn = 0;
    for (size_t t = 0; t < TYPES; t++)
        for (size_t v = 0; v < 3; v++)
            for (int s = 0; s < SHAPES; s++, turn++) {
                if (on_emulator() && (t + v) % 3 != 0 && t + v != 1) continue;
                const size_t many = tiles[turn % 5], length = lengths[on_emulator() ? t % 3
                                                                      : on_gpu()    ? (3 * t + v) % 9
                                                                                    : turn % 9];
                if (length * (types[t]->size + value_sizes[v]) > WW_TILE_BYTES) continue;
                check_sort_case(devices, settings, types[t], length, many, value_sizes[v], (shape)s, turn);
            }
    settings_close(devices, settings);
}

/* ---- partitioning and permuting ---- */

typedef struct labelled {
    size_t tile, buckets, n, size; /* buckets = tile: places */
    uint32_t *labels;
    unsigned char *in, *wanted;
} labelled;

typedef enum deal { SHUFFLED, IN_ORDER, BACKWARDS, ONE_BANK, DEALS } deal;
static const char *const deal_name[] = {"shuffled", "in-order", "backwards", "one-bank"};

/* Each tile's labels, dealt out: one-bank places are those of a matrix that is transposed. */
static void deal_labels(labelled *c, deal d) {
    uint64_t random = seed_of_run() + c->n;
    const size_t row = c->tile / c->buckets;
    for (size_t first = 0; first < c->n; first += c->tile) {
        uint32_t *const labels = c->labels + first;
        for (size_t i = 0; i < c->tile; i++) {
            const size_t at = d == BACKWARDS  ? c->tile - 1 - i
                              : d == ONE_BANK ? i % (c->tile / 32) * 32 + i / (c->tile / 32)
                                              : i;
            labels[i] = (uint32_t)(at / row);
        }
        for (size_t i = c->tile; d == SHUFFLED && i-- > 1;) {
            const size_t other = random_next(&random) % (i + 1);
            const uint32_t x = labels[i];
            labels[i] = labels[other], labels[other] = x;
        }
    }
}

static labelled labelled_new(size_t tile, size_t buckets, size_t tiles, size_t size, deal d) {
    labelled c = {.tile = tile, .buckets = buckets, .n = tile * tiles, .size = size};
    c.labels = need(c.n * sizeof *c.labels + 1);
    c.in = need(c.n * size + 1), c.wanted = need(c.n * size + 1);
    fill(c.in, value_type(size), size, c.n, UNIFORM, seed_of_run() + tile);
    deal_labels(&c, d);
    reference_tiles_move(tile, c.n, size, c.labels, c.in, c.wanted);
    return c;
}

static void labelled_free(labelled *c) { free(c->labels), free(c->in), free(c->wanted); }

static ww_status move_call(ww_device *device, const labelled *c, bool permutes, const void *in, void *out) {
    const ww_input items = ww_memory_of(in, c->n, value_type(c->size)), labels = ww_memory(c->labels, c->n);
    const ww_array to = ww_array_of(out, c->n, value_type(c->size));
    return permutes ? ww_tiles_permute(device, c->tile, items, labels, to)
                    : ww_tiles_partition(device, c->tile, c->buckets, items, labels, to);
}

static void check_moved(ww_device *device, const labelled *c, bool permutes, bool in_place) {
    guarded out = guarded_new(c->n * c->size);
    if (in_place) memcpy(out.data, c->in, out.bytes);
    expect_status(device, move_call(device, c, permutes, in_place ? out.data : c->in, out.data), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, c->wanted, c->n, c->size);
    guarded_check(&out), guarded_free(&out);
}

static void moves(void **state) {
    (void)state;
    static const struct {
        size_t tile, buckets, tiles, size;
    } cases[] = {{64, 32, 3, 4},   {256, 256, 2, 8},   {64, 64, 1, 4},     {256, 32, 3, 8},      {256, 32, 0, 8},
                 {1024, 32, 3, 4}, {1024, 1024, 2, 8}, {4096, 4096, 1, 4}, {4096, 32, 2, 4},     {2048, 1, 1, 4},
                 {2048, 2, 2, 8},  {8192, 8192, 1, 8}, {16384, 32, 1, 4},  {16384, 16384, 1, 8}, {128, 128, 5, 4},
                 {512, 512, 7, 8}, {512, 128, 3, 4}};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (size_t i = 0; i < (on_emulator() ? 5 : on_gpu() ? 9 : sizeof cases / sizeof *cases); i++)
        for (int dealt = 0; dealt < DEALS; dealt++) {
            labelled c = {0};
            for (size_t d = 0; d < settings; d++) {
                const bool permutes = cases[i].buckets == cases[i].tile, in_place = (i + d) % 2;
                CASE(permutes ? "tiles permute" : "tiles partition",
                     "%s tile=%zu buckets=%zu n=%zu size=%zu %s %s seed=%llu", setting_name(d), cases[i].tile,
                     cases[i].buckets, cases[i].tile * cases[i].tiles, cases[i].size, deal_name[dealt],
                     in_place ? "in-place" : "apart", (unsigned long long)seed_of_run());
                if (!case_wanted()) continue;
                if (!c.labels)
                    c = labelled_new(cases[i].tile, cases[i].buckets, cases[i].tiles, cases[i].size, (deal)dealt);
                check_moved(devices[d], &c, permutes, in_place);
            }
            labelled_free(&c);
        }
    settings_close(devices, settings);
}

/* Nothing is written, and the sentence names the tile and what is wrong. */
static void bad_labels(void **state) {
    (void)state;
    enum { TILE = 64, TILES = 3, SIZE = 4 };
    static const struct {
        size_t buckets, at, second; /* position second, if it is another, has the label of `at` */
        uint32_t label;
        const char *why;
    } cases[] = {{64, 130, 191, 64, "places of tile 2 are not a permutation: 2 is missing"},
                 {64, 67, 67, 9, "places of tile 1 are not a permutation: 3 is missing"},
                 {64, 73, 73, 3, "places of tile 1 are not a permutation: 3 is there twice"},
                 {64, 0, 0, UINT32_MAX, "places of tile 0 are not a permutation: 0 is missing"},
                 {64, 5, 150, 40, "places of tile 0 are not a permutation: 5 is missing"},
                 {32, 66, 66, 32, "labels of tile 1 are not balanced: 1 is on fewer than 2 items"},
                 {32, 191, 191, 0, "labels of tile 2 are not balanced: 0 is on more than 2 items"},
                 {32, 126, 126, UINT32_MAX, "labels of tile 1 are not balanced: 31 is on fewer than 2 items"}};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        labelled c = labelled_new(TILE, cases[i].buckets, TILES, SIZE, IN_ORDER);
        c.labels[cases[i].at] = c.labels[cases[i].second] = cases[i].label;
        for (size_t d = 0; d < settings; d++) {
            CASE("tiles bad labels", "%s %s", setting_name(d), cases[i].why);
            if (!case_wanted()) continue;
            guarded out = guarded_new(c.n * SIZE);
            unsigned char *before = need(c.n * SIZE);
            memcpy(before, out.data, c.n * SIZE);
            ww_status status = move_call(devices[d], &c, c.buckets == TILE, c.in, out.data);
            if (status == WW_OK) status = ww_sync(devices[d]);
            expect_status(devices[d], status, WW_RANGE);
            expect_sentence(devices[d], c.buckets == TILE ? "ww_tiles_permute" : "ww_tiles_partition", cases[i].why);
            expect_bytes(out.data, before, c.n * SIZE);
            guarded_check(&out), guarded_free(&out), free(before);
        }
        labelled_free(&c);
    }
    settings_close(devices, settings);
}

/* ---- transposing ---- */

static void check_transposed(ww_device *device, size_t rows, size_t columns, size_t tiles, size_t size, uint64_t seed,
                             bool in_place) {
    const size_t n = rows * columns * tiles;
    unsigned char *const in = need(n * size + 1), *const wanted = need(n * size + 1);
    guarded out = guarded_new(n * size);
    fill(in, value_type(size), size, n, UNIFORM, seed_of_run() + seed);
    reference_tiles_transpose(rows, columns, n, size, in, wanted);
    if (in_place) memcpy(out.data, in, n * size);
    expect_status(device,
                  ww_tiles_transpose(device, rows, columns, ww_memory_of(in_place ? out.data : in, n, value_type(size)),
                                     ww_array_of(out.data, n, value_type(size))),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(out.data, wanted, n, size);
    guarded_check(&out), guarded_free(&out);
    free(in), free(wanted);
}

static void transposes(void **state) {
    (void)state;
    static const struct {
        size_t rows, columns, tiles, size;
    } cases[] = {{8, 8, 3, 4},     {2, 128, 2, 4}, {128, 4, 1, 8},   {16, 16, 2, 8},  {8, 8, 0, 4},    {32, 32, 5, 4},
                 {64, 64, 1, 4},   {1, 64, 3, 4},  {64, 1, 3, 8},    {4, 4096, 1, 4}, {512, 32, 1, 8}, {4, 256, 3, 8},
                 {128, 128, 1, 8}, {32, 16, 4, 4}, {16384, 1, 1, 8}, {1024, 2, 1, 4}};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (size_t i = 0; i < (on_emulator() ? 5 : sizeof cases / sizeof *cases); i++) {
        const size_t rows = cases[i].rows, columns = cases[i].columns, size = cases[i].size;
        for (size_t d = 0; d < settings; d++) {
            const bool in_place = (i + d) % 2;
            CASE("tiles transpose", "%s %zu x %zu n=%zu size=%zu %s", setting_name(d), rows, columns,
                 rows * columns * cases[i].tiles, size, in_place ? "in-place" : "apart");
            if (case_wanted()) check_transposed(devices[d], rows, columns, cases[i].tiles, size, i, in_place);
        }
    }
    settings_close(devices, settings);
}

/* ---- other inputs, other calls ---- */

/* Computed keys and positions as values, which make the sort a stable one; arrays that begin where no vector does. */
static void computed(void **state) {
    (void)state;
    enum { TILE = 64, N = 3 * TILE };
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (size_t d = 0; d < settings; d++) {
        CASE("tiles computed", "%s", setting_name(d));
        if (!case_wanted()) continue;
        guarded keys = guarded_new((N + 1) * 4), values = guarded_new((N + 1) * 4);
        static const uint32_t seven = 7;
        expect_status(devices[d],
                      ww_tiles_sort(devices[d], TILE, ww_constant(ww_value(uint32_t, seven), N),
                                    ww_counting(&ww_type_uint32_t, 100, N), ww_array((uint32_t *)keys.data + 1, N),
                                    ww_array((uint32_t *)values.data + 1, N)),
                      WW_OK);
        expect_status(devices[d], ww_sync(devices[d]), WW_OK);
        for (uint32_t i = 0; i < N; i++)
            expect(((uint32_t *)keys.data)[1 + i] == 7 && ((uint32_t *)values.data)[1 + i] == 100 + i);
        expect(((uint32_t *)keys.data)[0] == 0xA5A5A5A5 && ((uint32_t *)values.data)[0] == 0xA5A5A5A5);
        guarded_check(&keys), guarded_check(&values), guarded_free(&keys), guarded_free(&values);
    }
    settings_close(devices, settings);
}

static void refusals(void **state) {
    (void)state;
    enum { N = 256 };
    ww_device *device = setting_open(0);
    uint32_t *const a = need(4 * N * sizeof *a), *const b = a + N, *const c = b + N;
    for (size_t i = 0; i < 4 * N; i++) a[i] = (uint32_t)(i * 77);
    const ww_input x = ww_memory(a, N), none = ww_no_input;
    const ww_array y = ww_array(b, N);
    CASE("tiles", "%s refusals", setting_name(0));
    expect_status(NULL, ww_tiles_sort(NULL, 64, x, none, y, ww_none), WW_INVALID);
    static const uint64_t lengths[] = {0, 63, 96, 32768, UINT64_MAX, (uint64_t)1 << 63};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        expect_status(device, ww_tiles_sort(device, lengths[i], x, none, y, ww_none), WW_INVALID);
        expect_sentence(device, "ww_tiles_sort", "is not a power of two from 64 to 16384");
        expect_status(device, ww_tiles_permute(device, lengths[i], x, ww_memory(c, N), y), WW_INVALID);
        expect_status(device, ww_tiles_partition(device, lengths[i], 1, x, ww_memory(c, N), y), WW_INVALID);
        expect_status(device, ww_tiles_transpose(device, lengths[i], 1, x, y), WW_INVALID);
        expect_status(device, ww_tiles_transpose(device, lengths[i], 64, x, y), WW_INVALID);
    }
    expect_status(device, ww_tiles_sort(device, 64, ww_memory(a, N - 1), none, ww_array(b, N - 1), ww_none),
                  WW_INVALID);
    expect_sentence(device, "keys has 255 items, not a multiple of the tile's 64");
    expect_status(device, ww_tiles_sort(device, 64, x, none, ww_array(b, N / 2), ww_none), WW_INVALID);
    expect_status(device, ww_tiles_sort(device, 64, x, none, ww_array(a + 1, N), ww_none), WW_OVERLAP);
    expect_status(device, ww_tiles_sort(device, 64, x, x, y, y), WW_OVERLAP);
    expect_status(device, ww_tiles_sort(device, 64, x, ww_memory(c, N), y, ww_none), WW_INVALID);
    expect_status(device,
                  ww_tiles_sort(device, 64, ww_memory((uint16_t *)a, N), none, ww_array((uint16_t *)b, N), ww_none),
                  WW_TYPE);
    expect_sentence(device, "keys are not numbers of 4 or 8 bytes");
    expect_status(device, ww_tiles_sort(device, 64, x, ww_record_memory(c, N, 4), y, ww_records(c, N, 4)), WW_TYPE);
    static const uint64_t buckets[] = {0, 3, 128, UINT64_MAX};
    for (size_t i = 0; i < sizeof buckets / sizeof *buckets; i++) {
        expect_status(device, ww_tiles_partition(device, 64, buckets[i], x, ww_memory(c, N), y), WW_INVALID);
        expect_sentence(device, "ww_tiles_partition", "buckets are not a power of two from 1 to 64");
    }
    expect_status(device, ww_tiles_permute(device, 64, x, ww_memory((uint64_t *)c, N / 2), y), WW_TYPE);
    expect_status(device, ww_tiles_permute(device, 64, x, ww_memory(c, N / 2), y), WW_INVALID);
    expect_status(device, ww_tiles_permute(device, 64, x, ww_memory(b, N), y), WW_OVERLAP);
    expect_status(device, ww_tiles_permute(device, 64, x, none, y), WW_INVALID);
    expect_status(device, ww_tiles_transpose(device, 8, 24, x, y), WW_INVALID);
    expect_sentence(device, "8 rows of 24 columns");
    expect_status(device, ww_tiles_transpose(device, 16, 32, x, y), WW_INVALID);
    uint64_t *const wide = need(4 * sizeof *wide);
    expect_status(
        device,
        ww_tiles_sort(device, 16384, ww_memory(wide, 0), ww_memory(wide, 0), ww_array(wide, 0), ww_array(wide, 0)),
        WW_LIMIT);
    expect_sentence(device, "tiles of 16384 times 16 bytes");
    for (size_t i = 0; i < 4 * N; i++) expect(a[i] == (uint32_t)(i * 77)); /* nothing has moved */
    free(wide), free(a);
    ww_close(device);
}

/* A failing allocator: a status, and nothing is left. */
static void no_memory(void **state) {
    (void)state;
    enum { TILE = 64, N = 2 * TILE };
    if (left_out_on_gpu("it is about the host's allocator")) return;
    uint32_t *const x = need(4 * N * sizeof *x), *const places = x + N, *const out = x + 2 * N;
    for (uint32_t i = 0; i < N; i++) x[i] = i * 77 % N, places[i] = i % TILE;
    CASE("tiles", "failing allocator");
    for (size_t k = 0, failed = 1; failed; k++) {
        counting_allocator counter = {.fail_at = k};
        ww_open_options options = WW_OPEN_OPTIONS;
        options.allocator = counting_allocator_use(&counter);
        ww_device *device;
        failed = 0;
        if (ww_open_with("cpu", &device, &options) == WW_OK) {
            const ww_status got[] = {
                ww_tiles_sort(device, TILE, ww_memory(x, N), ww_memory(places, N), ww_array(out, N),
                              ww_array(out + N, N)),
                ww_tiles_permute(device, TILE, ww_constant(ww_value(uint32_t, *x), N), ww_memory(places, N),
                                 ww_array(out, N)),
                ww_tiles_transpose(device, 8, 8, ww_counting(&ww_type_uint32_t, 0, N), ww_array(out, N))};
            for (size_t i = 0; i < sizeof got / sizeof *got; i++) {
                expect(got[i] == WW_OK || got[i] == WW_MEMORY);
                failed |= got[i] == WW_MEMORY;
            }
        } else {
            failed = 1;
        }
        ww_close(device);
        expect(counter.live_blocks == 0);
    }
    free(x);
}

/* ---- bank conflicts ---- */

typedef void read_counters(const ww__driver *driver, struct ww__counters *counters);

/* The emulator's own, of the last launch. */
static read_counters *find_counters(void) {
    read_counters *found = NULL;
    void *library = dlopen(getenv("WARPWISE_EMULATOR"), RTLD_NOW | RTLD_LOCAL);
    if (library) *(void **)&found = dlsym(library, "ww__emulator_counters");
    return found;
}

static void expect_no_conflicts(ww_device *device, read_counters *read, uint64_t least) {
    struct ww__counters counted;
    expect_status(device, ww_sync(device), WW_OK);
    read(device->gpu->driver, &counted);
    expect(counted.shared_accesses >= least);
    expect(counted.bank_conflicts == 0);
}

/* On an emulator that counts. `least`: accesses of a warp for each 32 items that there are at least. */
static void check_conflicts(const char *name, const ww_type *type, size_t tile, size_t tiles, size_t value_size,
                            shape s, uint64_t least) {
    read_counters *const read = find_counters();
    ww_device *device;
    CASE("tiles conflicts", "%s %s+%zu tile=%zu %s", name, type->label, value_size, tile, shape_name(s));
    if (!case_wanted()) return;
    expect(read != NULL);
    expect_status(NULL, ww_open(name, &device), WW_OK);
    sorted c = sorted_new(type, tile, tiles, value_size, s);
    check_sorted(device, &c, false);
    expect_no_conflicts(device, read, c.n / 32 * least);
    sorted_free(&c);
    ww_close(device);
}

static void check_moving_conflicts(size_t tile, size_t buckets, size_t size, deal d) {
    read_counters *const read = find_counters();
    ww_device *device;
    CASE("tiles conflicts", "tile=%zu buckets=%zu size=%zu %s", tile, buckets, size, deal_name[d]);
    if (!case_wanted()) return;
    expect(read != NULL);
    expect_status(NULL, ww_open("emu", &device), WW_OK);
    labelled c = labelled_new(tile, buckets, 3, size, d);
    check_moved(device, &c, buckets == tile, false);
    expect_no_conflicts(device, read, c.n / 32 * 2);
    labelled_free(&c);
    ww_close(device);
}

static void check_transposing_conflicts(const char *name, size_t rows, size_t columns, size_t size) {
    read_counters *const read = find_counters();
    const size_t n = rows * columns;
    ww_device *device;
    CASE("tiles conflicts", "%s %zu x %zu size=%zu", name, rows, columns, size);
    if (!case_wanted()) return;
    expect(read != NULL);
    expect_status(NULL, ww_open(name, &device), WW_OK);
    uint64_t *const x = need(n * size), *const y = need(n * size);
    memset(x, 0, n * size);
    expect_status(device,
                  ww_tiles_transpose(device, rows, columns, ww_memory_of(x, n, value_type(size)),
                                     ww_array_of(y, n, value_type(size))),
                  WW_OK);
    expect_no_conflicts(device, read, n / 32 * 2);
    free(x), free(y);
    ww_close(device);
}

/* One segment: the launch that sorts it is the last one. */
static void check_segment_conflicts(const char *name, size_t n, shape s) {
    read_counters *const read = find_counters();
    ww_device *device;
    CASE("tiles conflicts", "%s segment of %zu %s", name, n, shape_name(s));
    if (!case_wanted()) return;
    expect(read != NULL);
    expect_status(NULL, ww_open(name, &device), WW_OK);
    const uint32_t offsets[] = {0, (uint32_t)n};
    sorted c = sorted_new(&ww_type_uint32_t, n, 1, 0, s);
    guarded out = guarded_new(n * 4);
    expect_status(device,
                  ww_sort_segments(device, ww_memory((uint32_t *)(void *)c.keys, n), ww_no_input, ww_memory(offsets, 2),
                                   ww_array((uint32_t *)(void *)out.data, n), ww_none, NULL),
                  WW_OK);
    expect_no_conflicts(device, read, n / 32 * 10);
    expect_elements(out.data, c.keys_wanted, n, 4);
    guarded_check(&out), guarded_free(&out);
    sorted_free(&c);
    ww_close(device);
}

/* What tools/conflicts has a GPU's profiler count: tiles as real sorts have them. Each launch takes it about a second, so it begins with
 * a few; the others are more types, lengths and shapes of data. */
static const char *profiled_as(bool first) { return first ? "tiles conflicts" : "tiles profiled"; }

static void profiled_sorts(ww_device *device) {
    static const struct {
        const ww_type *type;
        size_t tile, value_size;
    } cases[] = {{&ww_type_uint32_t, 1024, 0}, {&ww_type_uint32_t, 4096, 0},  {&ww_type_uint32_t, 4096, 4},
                 {&ww_type_uint64_t, 4096, 0}, {&ww_type_uint32_t, 16384, 0}, {&ww_type_uint64_t, 1024, 8}};
    static const shape shapes[] = {UNIFORM, REVERSED, FEW};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            const bool first = i < 5 && (!s || (i == 1 && s == 1));
            CASE(profiled_as(first), "sort %s+%zu tile=%zu %s", cases[i].type->label, cases[i].value_size,
                 cases[i].tile, shape_name(shapes[s]));
            if (!case_wanted()) continue;
            sorted c = sorted_new(cases[i].type, cases[i].tile, 3, cases[i].value_size, shapes[s]);
            check_sorted(device, &c, false);
            sorted_free(&c);
        }
}

static void profiled_moves(ww_device *device) {
    static const struct {
        size_t tile, buckets, size;
    } cases[] = {{4096, 32, 4}, {1024, 32, 8}, {4096, 4096, 4}, {1024, 1024, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int d = 0; d < DEALS; d++) {
            const bool permutes = cases[i].buckets == cases[i].tile;
            const bool first = cases[i].tile == 4096 && (d == SHUFFLED || d == ONE_BANK);
            CASE(profiled_as(first), "%s tile=%zu size=%zu %s", permutes ? "permute" : "partition", cases[i].tile,
                 cases[i].size, deal_name[d]);
            if (!case_wanted()) continue;
            labelled c = labelled_new(cases[i].tile, cases[i].buckets, 3, cases[i].size, (deal)d);
            check_moved(device, &c, permutes, false);
            labelled_free(&c);
        }
}

static void profiled_transposes(ww_device *device) {
    static const size_t cases[][3] = {{64, 64, 4}, {128, 128, 4}, {32, 128, 8}, {16, 64, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CASE(profiled_as(i % 2 == 0), "transpose %zu x %zu size=%zu", cases[i][0], cases[i][1], cases[i][2]);
        if (case_wanted()) check_transposed(device, cases[i][0], cases[i][1], 3, cases[i][2], i, false);
    }
}

static void profiled(void) {
    ww_device *device = setting_open(0);
    profiled_sorts(device);
    profiled_moves(device);
    profiled_transposes(device);
    ww_close(device);
}

/* The programs that the tests above have compiled, and those of a GPU's plans. */
static void conflicts(void **state) {
    (void)state;
    if (on_gpu() && !on_emulator()) {
        profiled();
        return;
    }
    if (!on_emulator() || !tiles_are_small()) {
        left_out("it is about the emulator's counters");
        return;
    }
    for (int s = 0; s < SHAPES; s++) check_conflicts("emu", &ww_type_uint32_t, 64, 3, 0, (shape)s, 2);
    for (int s = 0; s < SHAPES; s += 3) check_conflicts("emu", &ww_type_uint32_t, 64, 3, 4, (shape)s, 2);
    for (int s = 0; s < SHAPES; s += 2) check_conflicts("emu", &ww_type_double, 1024, 1, 8, (shape)s, 10);
    for (int d = 0; d < DEALS; d++) {
        check_moving_conflicts(64, 32, 4, (deal)d);
        check_moving_conflicts(256, 256, 8, (deal)d);
    }
    check_transposing_conflicts("emu", 8, 8, 4);
    check_transposing_conflicts("emu", 2, 128, 4);
    check_transposing_conflicts("emu", 128, 4, 8);
    check_transposing_conflicts("emu", 16, 16, 8);
    check_conflicts("emu:tiles=gpu", &ww_type_uint32_t, 4096, 1, 0, UNIFORM, 10);
    check_conflicts("emu:tiles=gpu", &ww_type_uint32_t, 4096, 1, 0, REVERSED, 10);
    check_conflicts("emu:tiles=gpu", &ww_type_uint64_t, 16384, 1, 4, UNIFORM, 20);
    check_conflicts("emu:tiles=gpu", &ww_type_uint32_t, 1024, 1, 4, FEW, 10);
    check_transposing_conflicts("emu:tiles=gpu", 64, 64, 4);
    check_segment_conflicts("emu:tiles=gpu", 4096, UNIFORM);
    check_segment_conflicts("emu:tiles=gpu", 4096, ADVERSARIAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorts),      cmocka_unit_test(moves),
                                       cmocka_unit_test(bad_labels), cmocka_unit_test(transposes),
                                       cmocka_unit_test(computed),   cmocka_unit_test(refusals),
                                       cmocka_unit_test(no_memory),  cmocka_unit_test(conflicts)};
    return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}
