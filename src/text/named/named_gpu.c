/* The methods of Ashkiani (2017) on a GPU: each is one launch that makes marks of all starts, which are then listed. What they are
 * specialised by are the alphabet and a class of lengths: a new pattern needs no new program. */
#include "device/gpu/batch.h"
#include "device/gpu/gpu.h"
#include "function/function.h"
#include "text/find_gpu.h"
#include "text/named/named_arguments.cuh"
#include "text/pattern_gpu.h"
#include "text/period.h"

enum { MARK_BITS = 32, HYBRID_ITEMS = 8 };

typedef struct searching {
    ww_device *device;
    const ww__finding *f;
    named_arguments a;
} searching;

/* ---- fingerprints ---- */

/* The largest primes below 2^(31 - bits): a fingerprint times a character, and one with a character behind it, have 32 bits. */
static uint32_t prime_for(unsigned bits) {
    static const uint32_t below[9] = {0, 35, 3, 57, 39, 5, 39, 3, 15};
    return (1u << (31 - bits)) - below[bits];
}

static void make_modulo(searching *g) {
    const ww__finding *f = g->f;
    const uint64_t prime = prime_for(f->bits);
    g->a.leaving = 1;
    for (uint64_t i = 0; i < f->m; i++) {
        g->a.wanted = ((g->a.wanted << f->bits) + f->pattern[i]) % prime;
        if (i) g->a.leaving = (g->a.leaving << f->bits) % prime;
    }
}

static void make_window(searching *g, uint64_t characters) {
    for (uint64_t i = 0; i < characters; i++) g->a.wanted = g->a.wanted << g->f->bits | g->f->pattern[i];
    g->a.skimmed = characters;
}

static void make_recurrence(searching *g) {
    const uint64_t prime = (UINT64_C(1) << 31) - 1;
    const ww__finding *f = g->f;
    uint64_t power = 1;
    g->a.base = 1103515245u;
    g->a.leaving = 1;
    for (uint64_t i = 0; i < f->m; i++) {
        g->a.wanted = (g->a.wanted * g->a.base + f->pattern[i]) % prime;
        g->a.leaving = g->a.leaving * g->a.base % prime;
    }
    for (uint32_t i = 0; i < HYBRID_ITEMS; i++) power = power * g->a.base % prime;
    for (uint32_t k = 0; k < POWERS; k++, power = power * power % prime) g->a.power[k] = (uint32_t)power;
}

/* ---- launches ---- */

static void begin_recipe(const searching *g, ww__recipe *r, const char *file, uint32_t threads) {
    const ww__finding *f = g->f;
    ww__recipe_begin(r, file);
    ww__recipe_number(r, "WW_THREADS", threads);
    ww__recipe_number(r, "WW_STEP", f->packed ? f->bits : 8);
    ww__recipe_number(r, "WW_SIGMA", f->bits);
    ww__recipe_number(r, "WW_FOLD", f->fold);
}

static ww_status launch(const searching *g, const ww__recipe *r, const char *kernel, uint64_t blocks,
                        uint32_t threads) {
    ww__arguments a;
    WW__ARGUMENTS(&a, g->a);
    return ww__gpu_launch(g->device, r, kernel, blocks, threads, 0, &a);
}

/* Patterns of up to `most` characters go on chip with subtexts of `each`: some 8 to 33 KiB a block. What is longer does not. */
typedef struct near_class {
    uint32_t most, each, threads;
} near_class;

enum { CLASSES = 3 };

static const struct tuning {
    near_class classes[CLASSES]; /* none is longer than the last that is not empty */
    uint32_t hybrid_threads;
} tunings[WW__TILINGS] = {
    [WW__TILES_GPU] = {{{64, 32, 256}, {256, 128, 128}, {1024, 256, 128}}, 256},
    [WW__TILES_SMALL] = {{{64, 32, 64}, {256, 64, 32}}, 64},
};

static const near_class *class_of(const searching *g, uint64_t characters) {
    const struct tuning *const t = &tunings[g->device->gpu->driver->tiles];
    for (const near_class *c = t->classes; c < t->classes + CLASSES; c++)
        if (characters <= c->most) return c;
    return NULL;
}

/* A program that rolls fingerprints; window: its bits without modulo, else 0. */
static void rolling_recipe(const searching *g, ww__recipe *r, const char *file, const near_class *c, uint32_t window) {
    begin_recipe(g, r, file, c->threads);
    ww__recipe_number(r, "WW_EACH", c->each);
    ww__recipe_number(r, "WW_MOST", c->most);
    ww__recipe_number(r, "WW_MODULO", !window);
    ww__recipe_number(r, "WW_WINDOW", window);
    ww__recipe_number(r, "WW_PRIME", prime_for(g->f->bits));
}

static ww_status launch_near(const searching *g, const char *file, const char *kernel, const near_class *c,
                             uint32_t window) {
    ww__recipe r;
    rolling_recipe(g, &r, file, c, window);
    return launch(g, &r, kernel, ww__blocks(g->a.starts, (uint64_t)c->threads * c->each), c->threads);
}

static ww_status divide(searching *g, uint32_t window) {
    const near_class *const c = class_of(g, g->f->m);
    if (window)
        make_window(g, g->f->m);
    else
        make_modulo(g);
    if (c) return launch_near(g, "text/named/divide.cu", "divide", c, window);
    const near_class far = {1, MARK_BITS, 64};
    ww__recipe r;
    rolling_recipe(g, &r, "text/named/divide.cu", &far, 0);
    g->a.each = ww__round_up(g->f->m, MARK_BITS);
    return launch(g, &r, "divide_far", ww__blocks(g->a.starts, g->a.each * far.threads), far.threads);
}

static ww_status serial(searching *g) {
    const near_class far = {1, MARK_BITS, 64};
    ww__recipe r;
    make_modulo(g);
    rolling_recipe(g, &r, "text/named/divide.cu", &far, 0);
    g->a.each = ww__round_up(g->a.starts, MARK_BITS);
    return launch(g, &r, "divide_far", 1, 1);
}

static ww_status hybrid(searching *g) {
    enum { CHUNKS = 8, PATTERNS = 2 };
    const uint32_t threads = tunings[g->device->gpu->driver->tiles].hybrid_threads;
    const uint64_t chunk = (uint64_t)threads * HYBRID_ITEMS;
    ww__recipe r;
    make_recurrence(g);
    begin_recipe(g, &r, "text/named/hybrid.cu", threads);
    g->a.each = ww__round_up(PATTERNS * g->f->m, chunk);
    if (g->a.each < CHUNKS * chunk) g->a.each = CHUNKS * chunk;
    return launch(g, &r, "hybrid", ww__blocks(g->a.starts, g->a.each), threads);
}

static ww_status twostage(searching *g) {
    enum { SHORT = 8, LONG = 16, WINDOW = 64 };
    const uint64_t most = g->f->bits > 4 ? SHORT : LONG;
    make_window(g, ww__min_u64(g->f->m, most));
    return launch_near(g, "text/named/twostage.cu", "twostage", class_of(g, g->a.skimmed), WINDOW);
}

static ww_status make_marks(searching *g) {
    switch (g->f->method) {
    case WW_FIND_SERIAL:
        return serial(g);
    case WW_FIND_DIVIDE32:
        return divide(g, 32);
    case WW_FIND_DIVIDE64:
        return divide(g, 64);
    case WW_FIND_HYBRID:
        return hybrid(g);
    case WW_FIND_TWOSTAGE:
        return twostage(g);
    default:
        return divide(g, 0);
    }
}

/* ---- the call ---- */

static ww_status search(searching *g) {
    const ww__finding *f = g->f;
    const void *text;
    unsigned char *pattern;
    const uint64_t to_a_byte = f->packed ? 8 / f->bits : 1;
    WW_TRY(ww__text_in_memory(g->device, &f->text, &text));
    WW_TRY(ww__find_pattern_gpu(g->device, f, &pattern));
    WW_TRY(ww__find_period(g->device, f, &g->a.period));
    g->a.text = text;
    g->a.pattern = pattern;
    g->a.bytes = ww__blocks(f->n, to_a_byte);
    g->a.starts = f->starts;
    g->a.m = f->m;
    return make_marks(g);
}

ww_status ww__find_named_gpu(ww_device *device, const ww__finding *f) {
    searching g = {.device = device, .f = f};
    WW_TRY(ww__scratch_array(device, ww__blocks(f->starts, MARK_BITS), sizeof(uint32_t), &g.a.marks));
    if (f->starts) WW_TRY(search(&g));
    return ww__find_marks_gpu(device, f, g.a.marks);
}
