/* Look-back by itself (src/device/kernel/lookback.cuh): words and sums lie there as tiles leave them, one tile that knows all
 * before it and up to 200 behind it that know their own sum only, and warps look back from each of these. So far back they look
 * only where as many tiles wait at once, which no scan on the emulator brings about. Joining depends on the order: a sum is
 * what x → a·x + b makes of any x, one after the other. */
#include <stdio.h>

#include "device/device.h"
#include "device/gpu/gpu.h"
#include "device/gpu/kernels.h"
#include "device/look_back_text.h"
#include "support/cases.h"

enum { MASK = 0x7FFFFF, DEEPEST = 200, WHOLE_MOST = 70, TILES = WHOLE_MOST + DEEPEST };

typedef struct affine {
    uint32_t a, b;
} affine;

/* As the kernel takes them. */
typedef struct arguments {
    uint32_t *ticket;
    uint64_t *word;
    affine *own, *all;
    affine *before; /* of each tile behind `whole` */
    uint64_t whole; /* the tile that knows all before it */
} arguments;

/* What the tiles say, and what each should find. */
static void check_look_back(ww__driver *driver, void *kernel, bool packed, uint64_t whole) {
    enum { OWN_SUM = 1, ALL_BEFORE_TOO = 2 };
    uint64_t random = seed_of_run() + whole, *word = need(TILES * sizeof *word);
    affine *own = need(TILES * sizeof *own), *all = need(TILES * sizeof *all), wanted[DEEPEST], sum;
    guarded before = guarded_new(sizeof wanted);
    memset(word, 0, TILES * sizeof *word);
    memset(own, 0xA5, TILES * sizeof *own), memset(all, 0xA5, TILES * sizeof *all);
    for (size_t i = 0; i < DEEPEST; i++) {
        const uint32_t a = (uint32_t)random_next(&random) & MASK, b = (uint32_t)random_next(&random) & MASK;
        const affine x = {a | 1, b}; /* what is odd loses nothing of what comes before */
        sum = i ? (affine){x.a * sum.a & MASK, (x.a * sum.b + x.b) & MASK} : x;
        wanted[i] = sum;
        word[whole + i] = i ? OWN_SUM : ALL_BEFORE_TOO;
        if (packed)
            word[whole + i] |= ((uint64_t)x.a << 23 | x.b) << 2;
        else
            (i ? own : all)[whole + i] = x;
    }
    arguments a = {NULL, word, own, all, before.data, whole};
    ww_status status = driver->launch(driver, kernel, DEEPEST, 32, 0, &a, sizeof a, false);
    if (!status) status = driver->sync(driver);
    if (status) fprintf(stderr, "%s\n", driver->why);
    expect(!status);
    expect_elements(before.data, wanted, DEEPEST, sizeof *wanted);
    guarded_check(&before);
    guarded_free(&before);
    free(word), free(own), free(all);
}

static void looks_far_back(void **state) {
    (void)state;
    static const uint64_t wholes[] = {0, 1, 31, 32, WHOLE_MOST};
    if (!on_gpu()) {
        left_out("a GPU's tiles look back");
        return;
    }
    ww_device *device = setting_open(0);
    ww__gpu_enter(device);
    ww__driver *driver = device->gpu->driver;
    for (int packed = 0; packed < 2; packed++) {
        char all[sizeof look_back_text + 32];
        ww__code code = {NULL, 0};
        void *program = NULL, *kernel = NULL;
        snprintf(all, sizeof all, "#define WW_PACKED %d\n%s", packed, look_back_text);
        const ww_status status = driver->compile(driver, all, ww__kernel_headers, &code);
        if (status) fprintf(stderr, "%s\n", driver->why);
        expect(!status && !driver->load(driver, &code, &program));
        free(code.bytes);
        expect(!driver->find(driver, program, "look_back", &kernel));
        for (size_t w = 0; w < sizeof wholes / sizeof *wholes; w++) {
            CASE("look-back", "%s, %d tiles behind tile %d", packed ? "packed" : "sums beside words", DEEPEST,
                 (int)wholes[w]);
            if (case_wanted()) check_look_back(driver, kernel, packed, wholes[w]);
        }
        driver->unload(driver, program);
    }
    ww__gpu_leave(device);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(looks_far_back)};
    return cmocka_run_group_tests_name("look-back", tests, NULL, NULL);
}
