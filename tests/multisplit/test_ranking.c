/* Ordered ranking inside a block (Patidar and Narayanan 2009, appendix A: an atomic increment of each bin's index that takes
 * threads in the order of their numbers), as tile.cuh has it for sorts and splits, by itself: block sizes × elements of a
 * thread × bins × the ways in which lanes find their equals × shapes × lengths. The oracle is the appendix's loop. */
#include "device/device.h"
#include "device/gpu/gpu.h"
#include "device/gpu/kernels.h"
#include "multisplit/ranking_text.h"
#include "support/cases.h"

enum { BINS_MOST = 256, TILES = 3 };

/* ---- the oracle ---- */

static uint32_t digit_of(uint32_t key, const ranking_arguments *a) { return key >> a->low & ((1u << a->bits) - 1); }

/* One tile: bins one after another, and in a bin keys as they come, each taking the index that the one before left. */
static void rank_serially(const uint32_t *keys, size_t tile, const ranking_arguments *a, uint32_t *sorted,
                          uint32_t *places) {
    uint32_t index[BINS_MOST] = {0}, before = 0;
    for (size_t i = 0; i < tile; i++) index[digit_of(keys[i], a)]++;
    for (size_t b = 0; b < BINS_MOST; b++) {
        const uint32_t many = index[b];
        index[b] = before;
        before += many;
    }
    for (size_t i = 0; i < tile; i++) {
        places[i] = index[digit_of(keys[i], a)]++;
        sorted[places[i]] = keys[i];
    }
}

/* ---- programs of one kind of tile ---- */

typedef struct program {
    ww__driver *driver;
    void *loaded, *kernel[2]; /* the second is for skewed keys */
} program;

static program program_make(ww_device *device, const ranking *r) {
    static const char *const names[] = {"rank", "rank_skewed"};
    program p = {.driver = device->gpu->driver};
    char text[RANKING_ROOM];
    ww__code code = {NULL, 0};
    ranking_text(text, r);
    const ww_status status = p.driver->compile(p.driver, text, ww__kernel_headers, &code);
    if (status) fprintf(stderr, "%s\n", p.driver->why);
    expect(!status && !p.driver->load(p.driver, &code, &p.loaded));
    free(code.bytes);
    for (size_t k = 0; k < 2; k++) expect(!p.driver->find(p.driver, p.loaded, names[k], &p.kernel[k]));
    return p;
}

static void check_tiles(const program *p, const ranking *r, size_t kernel, ranking_arguments a, const uint32_t *keys) {
    const size_t tile = (size_t)r->threads * r->items, n = TILES * tile;
    uint32_t *all = need(4 * n), *sorted = need(4 * n), *places = need(4 * n);
    guarded sorted_out = guarded_new(4 * n), places_out = guarded_new(4 * n);
    a.keys = keys;
    a.sorted = sorted_out.data;
    a.places = places_out.data;
    ww_status status = p->driver->launch(p->driver, p->kernel[kernel], TILES, r->threads, 0, &a, sizeof a, false);
    if (!status) status = p->driver->sync(p->driver);
    if (status) fprintf(stderr, "%s\n", p->driver->why);
    expect(!status);
    for (size_t i = 0; i < n; i++) all[i] = i < a.count ? keys[i] : UINT32_MAX;
    for (size_t t = 0; t < n; t += tile) rank_serially(all + t, tile, &a, sorted + t, places + t);
    expect_elements(places_out.data, places, n, 4);
    expect_elements(sorted_out.data, sorted, n, 4);
    guarded_check(&sorted_out), guarded_check(&places_out);
    guarded_free(&sorted_out), guarded_free(&places_out);
    free(all), free(sorted), free(places);
}

/* ---- shapes of digits ---- */

/* By rows of a warp's lanes: any; all equal; no two equal in a row; pairs; the last lane another; all equal but one in eight. */
enum { ANY, EQUAL, DIFFERENT, PAIRS, LAST_LANE, MOST_EQUAL, RANKED_SHAPES };
static const char *const shape_names[] = {"any", "equal", "different", "pairs", "last lane", "most equal"};

static uint32_t digit_in_shape(int s, size_t i, uint32_t bins, uint64_t random) {
    switch (s) {
    case EQUAL:
        return bins - 1;
    case DIFFERENT:
        return (uint32_t)(31 - i % 32 + i / 32) % bins;
    case PAIRS:
        return (uint32_t)(i / 2) % bins;
    case LAST_LANE:
        return i % 32 == 31 ? 0 : bins / 2;
    case MOST_EQUAL:
        return random % 8 ? bins / 3 : (uint32_t)(random >> 8) % bins;
    default:
        return (uint32_t)(random >> 8) % bins;
    }
}

static void check_ranking(ww_device *device, const ranking *r) {
    const size_t tile = (size_t)r->threads * r->items, n = TILES * tile;
    const size_t counts[] = {n, n - 1, 2 * tile + 1, tile - 1, 1};
    enum { COUNTS = 5 };
    const program p = program_make(device, r);
    uint32_t *keys = need(4 * n), width = 0;
    while (r->ballots ? width < r->ballots : 1u << width < r->bins) width++;
    uint64_t random = seed_of_run();
    for (int turn = 0; turn < 2 * RANKED_SHAPES; turn++) {
        const int shape = turn / 2;
        const uint32_t bits = shape == PAIRS && width > 1 ? width - 1 : width;
        const ranking_arguments a = {.count = counts[turn % COUNTS], .low = (uint32_t)turn % (33 - bits), .bits = bits};
        CASE("ranking", "threads=%u items=%u bins=%u ballots=%u group=%u %s%s bits=%u+%u n=%zu", r->threads, r->items,
             r->bins, r->ballots, r->group, shape_names[shape], turn % 2 ? " skewed" : "", a.low, a.bits,
             (size_t)a.count);
        /* Keys differ outside the digit, so that order shows in them too. */
        for (size_t i = 0; i < n; i++) {
            const uint32_t digit = digit_in_shape(shape, i, 1u << bits, random_next(&random));
            const uint32_t others = (uint32_t)random_next(&random), mask = ((1u << bits) - 1) << a.low;
            keys[i] = (others & ~mask) | digit << a.low;
        }
        if (case_wanted()) check_tiles(&p, r, (size_t)turn % 2, a, keys);
    }
    free(keys);
    p.driver->unload(p.driver, p.loaded);
}

static void ranks_in_order(void **state) {
    (void)state;
    static const ranking rankings[] = {{256, 2, 256, 0, 2}, {32, 7, 256, 0, 1},  {384, 5, 256, 0, 2},
                                       {512, 3, 256, 0, 1}, {64, 4, 32, 0, 2},   {256, 1, 32, 0, 1},
                                       {96, 3, 64, 0, 3},   {32, 1, 32, 1, 1},   {128, 6, 32, 3, 2},
                                       {256, 3, 32, 2, 2},  {256, 2, 256, 8, 1}, {64, 5, 128, 7, 2}};
    if (!on_gpu()) {
        left_out("a GPU's blocks rank");
        return;
    }
    ww_device *device = setting_open(0);
    ww__gpu_enter(device);
    for (size_t k = 0; k < sizeof rankings / sizeof *rankings; k++) check_ranking(device, &rankings[k]);
    ww__gpu_leave(device);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_in_order)};
    return cmocka_run_group_tests_name("ranking", tests, NULL, NULL);
}
