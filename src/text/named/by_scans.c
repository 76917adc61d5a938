/* Methods cooperative and recurrence, on every device, from scan and pack (Ashkiani 2017, section 2.3.2): all threads find the
 * fingerprints of all windows of one text together.
 *
 * Cooperative: characters are 2x2 matrices K modulo a prime, the product of those of their bits, the highest first. One scan has
 * the products S of all characters before each position, another the products T of their inverses in the opposite order; then
 * T[r] S[r + m] is the fingerprint of the window at r.
 *
 * Recurrence: a character is the map x -> base x + c modulo a prime, a pair. One scan composes the maps of all characters
 * before each position; P[r + m] - base^m P[r] is the fingerprint of the window at r. The prime is 2^61 - 1, as 32 bits would give
 * many false candidates, and the base differs from handle to handle: nobody can make a text for it.
 *
 * Windows whose fingerprint is the pattern's are packed, and compared (candidates.h); what stands is marked. Long texts go in
 * chunks, for a scan writes 16 bytes for each character. */
#include "text/named/by_scans.h"

#include <string.h>

#include "device/gpu/gpu.h"
#include "primitive/pack/pack.h"
#include "primitive/scan/scan.h"
#include "text/candidates.h"
#include "text/find_gpu.h"
#include "text/pattern_gpu.h"
#include "text/period.h"
#include "text/pieces_cpu.h"
#include "text/sides.h"

/* ---- characters ---- */

/* A text as an input that begins with what stands before its first character. */
WW_STRUCT(scanned_text, {
    const uint8_t *text;
    uint64_t base;
    uint32_t fold;
    uint32_t bits;
});

WW_FUNCTION(
    scanned_character, uint32_t, (const scanned_text *t, uint64_t i),
    {
        const uint32_t c = t->text[i];
        return t->fold && c >= 65 && c <= 90 ? c | 32 : c;
    },
    scanned_text);

/* ---- recurrence ---- */

WW_CONSTANT(PRIME_61, uint64_t, 0x1FFFFFFFFFFFFFFFull);

WW_FUNCTION(
    modulo_61, uint64_t, (uint64_t x),
    {
        const uint64_t sum = (x & PRIME_61) + (x >> 61);
        return sum >= PRIME_61 ? sum - PRIME_61 : sum;
    },
    PRIME_61);

/* Of halves: 2^64 is 8, and 2^61 is 1. */
WW_FUNCTION(
    times_61, uint64_t, (uint64_t x, uint64_t y),
    {
        const uint64_t x_high = x >> 32;
        const uint64_t x_low = x & 0xFFFFFFFFu;
        const uint64_t y_high = y >> 32;
        const uint64_t y_low = y & 0xFFFFFFFFu;
        const uint64_t middle = x_high * y_low + x_low * y_high;
        const uint64_t low = x_low * y_low;
        const uint64_t shifted = (middle >> 29) + ((middle & 0x1FFFFFFFu) << 32);
        return modulo_61(8 * (x_high * y_high) + shifted + (low & PRIME_61) + (low >> 61));
    },
    PRIME_61, modulo_61);

WW_STRUCT(affine, {
    uint64_t a;
    uint64_t b;
});

WW_COMBINE_USES((times_61, modulo_61), affine_then, affine, x, y, WW_ORDERED, WW_IDENTITY({1, 0}), {
    affine z;
    z.a = times_61(x.a, y.a);
    z.b = modulo_61(times_61(x.b, y.a) + y.b);
    return z;
});

WW_MAP_USES((scanned_character), affine_of, affine, uint64_t, i, scanned_text, t, {
    affine z = {1, 0};
    if (i) {
        z.a = t->base;
        z.b = scanned_character(t, i - 1);
    }
    return z;
});

WW_STRUCT(affine_window, {
    uint64_t power;
    uint64_t wanted;
});

WW_MAP2_USES((times_61, PRIME_61), affine_fits, uint8_t, affine, before, affine, all, affine_window, w, {
    const uint64_t gone = times_61(before.b, w->power);
    const uint64_t left = all.b >= gone ? all.b - gone : all.b + PRIME_61 - gone;
    return (uint8_t)(left == w->wanted);
});

/* ---- cooperative ---- */

WW_CONSTANT(PRIME_31, uint32_t, 0x7FFFFFFFu);
WW_STRUCT(text_matrix, {
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t d;
}); /* rows a b and c d */

WW_FUNCTION(
    dot_31, uint32_t, (uint32_t a, uint32_t b, uint32_t c, uint32_t d),
    { return (uint32_t)(((uint64_t)a * b + (uint64_t)c * d) % PRIME_31); }, PRIME_31);

WW_COMBINE_USES((dot_31), matrix_then, text_matrix, x, y, WW_ORDERED, WW_IDENTITY({1, 0, 0, 1}), {
    text_matrix z;
    z.a = dot_31(x.a, y.a, x.b, y.c);
    z.b = dot_31(x.a, y.b, x.b, y.d);
    z.c = dot_31(x.c, y.a, x.d, y.c);
    z.d = dot_31(x.c, y.b, x.d, y.d);
    return z;
});

/* The product in the opposite order. */
WW_COMBINE_USES((dot_31), matrix_before, text_matrix, y, x, WW_ORDERED, WW_IDENTITY({1, 0, 0, 1}), {
    text_matrix z;
    z.a = dot_31(x.a, y.a, x.b, y.c);
    z.b = dot_31(x.a, y.b, x.b, y.d);
    z.c = dot_31(x.c, y.a, x.d, y.c);
    z.d = dot_31(x.c, y.b, x.d, y.d);
    return z;
});

/* K of a character; a byte that the alphabet does not have is taken as one of 8 bits. */
WW_MAP_USES((scanned_character), matrix_of, text_matrix, uint64_t, i, scanned_text, t, {
    text_matrix z = {1, 0, 0, 1};
    if (i) {
        const uint32_t c = scanned_character(t, i - 1);
        for (uint32_t bit = c >> t->bits ? 8 : t->bits; bit-- > 0;) {
            if (c >> bit & 1) { /* K(1): 1 1, 0 1 */
                z.b += z.a;
                z.d += z.c;
            } else { /* K(0): 1 0, 1 1 */
                z.a += z.b;
                z.c += z.d;
            }
        }
    }
    return z;
});

/* Its inverse, for the determinant is 1. */
WW_MAP_USES((PRIME_31), inverse_matrix, text_matrix, text_matrix, x, void, none, {
    text_matrix z = {x.d, x.b ? PRIME_31 - x.b : 0, x.c ? PRIME_31 - x.c : 0, x.a};
    return z;
});

WW_MAP2_USES((dot_31), matrix_fits, uint8_t, text_matrix, t, text_matrix, s, text_matrix, w, {
    return (uint8_t)(dot_31(t.a, s.a, t.b, s.c) == w->a && dot_31(t.a, s.b, t.b, s.d) == w->b &&
                     dot_31(t.c, s.a, t.d, s.c) == w->c && dot_31(t.c, s.b, t.d, s.d) == w->d);
});

/* ---- a chunk ---- */

typedef struct scanning {
    ww_device *device;
    const ww__finding *f;
    ww__scans_tuning tuning;
    const unsigned char *text, *pattern; /* in the device's memory */
    uint64_t period;
    affine_window window;
    text_matrix matrix;
    uint32_t *marks;
} scanning;

static bool on_gpu(const scanning *g) { return g->device->backend == WW__BACKEND_GPU; }

static scanned_text scanned(const scanning *g, const unsigned char *text) {
    return (scanned_text){text, g->tuning.base, g->f->fold, g->f->bits};
}

static ww_status scan(const scanning *g, const ww_function *op, const ww_input *in, ww_array *out) {
    *out = (ww_array){.count = in->count, .type = in->type, .size = in->size};
    WW_TRY(ww__scratch_array(g->device, out->count, out->size, &out->data));
    const ww__scanning s = {.op = op, .in = in, .out = out};
    return ww__scan(g->device, &s);
}

/* Elements first … of an array. */
static ww_input part_of(const ww_array *array, uint64_t first, uint64_t many) {
    return ww_memory_of((const unsigned char *)array->data + first * array->size, many, array->type);
}

static ww_status pack(const scanning *g, const ww_input *flags, ww__candidates *c) {
    const ww_input starts = ww_counting(&ww_type_uint32_t, 0, c->starts);
    const ww_array out = ww_array_of(c->candidates, c->starts, &ww_type_uint32_t);
    const ww_array count = ww_array_of(c->count, 1, &ww_type_uint64_t);
    uint64_t kept;
    return ww__pack(g->device, &(ww__pack_request){.in = &starts, .flags = flags, .out = &out, .count = &count}, &kept);
}

static ww_status find_by_recurrence(const scanning *g, ww__candidates *c) {
    const scanned_text text = scanned(g, c->text);
    const ww_input maps = ww_mapped(ww_with(affine_of, &text), ww_counting(&ww_type_uint64_t, 0, c->starts + c->m));
    ww_array p;
    WW_TRY(scan(g, &affine_then_ww, &maps, &p));
    const ww_input flags = ww_mapped2(ww_with(affine_fits, &g->window), part_of(&p, 0, c->starts),
                                      part_of(&p, c->m, c->starts));
    return pack(g, &flags, c);
}

static ww_status find_cooperatively(const scanning *g, ww__candidates *c) {
    const scanned_text text = scanned(g, c->text);
    const ww_input all = ww_mapped(ww_with(matrix_of, &text), ww_counting(&ww_type_uint64_t, 0, c->starts + c->m));
    const ww_input first = ww_mapped(ww_with(matrix_of, &text), ww_counting(&ww_type_uint64_t, 0, c->starts));
    const ww_input inverse = ww_mapped(&inverse_matrix_ww, first);
    ww_array s, t;
    WW_TRY(scan(g, &matrix_then_ww, &all, &s));
    WW_TRY(scan(g, &matrix_before_ww, &inverse, &t));
    const ww_input flags = ww_mapped2(ww_with(matrix_fits, &g->matrix), part_of(&t, 0, c->starts),
                                      part_of(&s, c->m, c->starts));
    return pack(g, &flags, c);
}

static ww_status search_chunk(const scanning *g, uint64_t first) {
    const ww__finding *f = g->f;
    ww__candidates c = {.text = g->text + first,
                        .pattern = g->pattern,
                        .starts = ww__min_u64(g->tuning.chunk, f->starts - first),
                        .m = f->m,
                        .period = g->period,
                        .fold = f->fold,
                        .marks = g->marks + first / 32};
    WW_TRY(ww__scratch_array(g->device, c.starts, sizeof *c.candidates, &c.candidates));
    WW_TRY(ww__scratch(g->device, sizeof *c.count, &c.count));
    WW_TRY(f->method == WW_FIND_COOPERATIVE ? find_cooperatively(g, &c) : find_by_recurrence(g, &c));
    return ww__mark_candidates(g->device, &c);
}

/* ---- the call ---- */

/* The pattern's own fingerprint. */
static void make_wanted(scanning *g) {
    const scanned_text pattern = scanned(g, g->f->pattern);
    g->window = (affine_window){1, 0};
    g->matrix = (text_matrix){1, 0, 0, 1};
    for (uint64_t i = 1; i <= g->f->m; i++) {
        g->window.power = times_61(g->window.power, g->tuning.base);
        g->window.wanted = modulo_61(times_61(g->window.wanted, g->tuning.base) + pattern.text[i - 1]);
        if (g->f->method == WW_FIND_COOPERATIVE) g->matrix = matrix_then(g->matrix, matrix_of(i, &pattern));
    }
}

static ww_status make_marks(scanning *g) {
    const uint64_t words = g->f->starts / 32 + 2;
    WW_TRY(ww__scratch_array(g->device, words, sizeof *g->marks, &g->marks));
    if (on_gpu(g))
        WW_TRY(ww__gpu_fill(g->device, g->marks, 0, (size_t)words * sizeof *g->marks));
    else if (!g->device->on_paper)
        memset(g->marks, 0, (size_t)words * sizeof *g->marks);
    if (!g->f->starts) return WW_OK;
    WW_TRY(ww__find_period(g->device, g->f, &g->period));
    make_wanted(g);
    for (uint64_t first = 0; first < g->f->starts; first += g->tuning.chunk) {
        const ww__scratch_mark mark = ww__scratch_here(g->device);
        WW_TRY(search_chunk(g, first));
        ww__scratch_back(g->device, &mark);
    }
    return WW_OK;
}

/* Marks that were made before, as a scanner. */
static uint64_t copy_marks(const void *needle, const unsigned char *text, uint64_t first, uint64_t starts,
                           uint64_t *found) {
    const uint32_t *marks = (const uint32_t *)needle + first / 32;
    uint64_t matches = 0;
    (void)text;
    for (uint64_t w = 0; w * 64 < starts; w++) {
        found[w] = marks[2 * w] | (uint64_t)marks[2 * w + 1] << 32;
        matches += (uint64_t)__builtin_popcountll(found[w]);
    }
    return matches;
}

static ww_status find_on_cpu(scanning *g) {
    g->pattern = g->f->pattern;
    WW_TRY(make_marks(g));
    const ww__scanner scanner = {copy_marks, g->marks, false};
    return ww__find_pieces(g->device, g->f, g->text, &scanner);
}

static ww_status find_on_gpu(scanning *g) {
    unsigned char *pattern;
    WW_TRY(ww__find_pattern_gpu(g->device, g->f, &pattern));
    g->pattern = pattern;
    WW_TRY(make_marks(g));
    return ww__find_marks_gpu(g->device, g->f, g->marks);
}

ww_status ww__find_by_scans_tuned(ww_device *device, const ww__finding *f, const ww__scans_tuning *tuning) {
    scanning g = {.device = device, .f = f, .tuning = *tuning};
    const void *text;
    WW_TRY(ww__text_in_memory(device, &f->text, &text));
    g.text = text;
    return on_gpu(&g) ? find_on_gpu(&g) : find_on_cpu(&g);
}

/* Characters of a chunk; CPUs take as many as GPUs. */
static const uint64_t chunk_of[WW__TILINGS] = {[WW__TILES_GPU] = 1 << 22, [WW__TILES_SMALL] = 1 << 13};

ww_status ww__find_by_scans(ww_device *device, const ww__finding *f) {
    enum { LEAST = 1 << 16 };
    const uint64_t chunk = chunk_of[device->gpu ? device->gpu->driver->tiles : WW__TILES_GPU];
    /* Handles lie elsewhere in each run; the multiplier is splitmix64's. */
    const uint64_t mixed = ((uint64_t)(uintptr_t)device ^ 0x9E3779B97F4A7C15u) * UINT64_C(0xBF58476D1CE4E5B9);
    const ww__scans_tuning tuning = {chunk, (mixed ^ mixed >> 29) % (PRIME_61 - LEAST) + LEAST};
    return ww__find_by_scans_tuned(device, f, &tuning);
}
