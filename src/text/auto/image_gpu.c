/* The pattern's image, and which window of it is looked for. */
#include "text/auto/image_gpu.h"

#include <string.h>

#include "device/gpu/batch.h"

/* ---- the window ---- */

/* How rare a byte is, about: minus the binary logarithm of its share in texts of many kinds. */
static unsigned rarity(unsigned char c) {
    static const char often[] = " etaoinsrhldcumfpgwybvkxjqz"; /* the letters of English by how often they are met */
    enum { STEP = 4, FIRST = 3, ELSE = 9 };
    if (!c) return FIRST; /* of binary data */
    const char *at = strchr(often, c);
    return at ? FIRST + (unsigned)(at - often) / STEP : ELSE;
}

/* The place of the rarest `span` characters. One that repeats the one before adds little: texts have runs. */
static uint64_t rarest(const ww__finding *f, uint64_t span) {
    uint64_t best_at = 0;
    unsigned best = 0;
    for (uint64_t at = 0; at + span <= f->m && at < 4096; at++) {
        unsigned sum = 0;
        for (uint64_t i = at; i < at + span; i++)
            sum += i > at && f->pattern[i] == f->pattern[i - 1] ? 1 : rarity(f->pattern[i]);
        if (sum > best) {
            best = sum;
            best_at = at;
        }
    }
    return best_at;
}

static bool is_letter(unsigned char c) { return c >= 'a' && c <= 'z'; }

void ww__window_choose(const ww__finding *f, ww__window *w) {
    enum { BITS_MOST = 64, WORD_BITS = 32 };
    const uint32_t odd = 0x9E3779B1;
    const unsigned width = f->packed ? f->bits : 8;
    const uint64_t span = ww__min_u64(f->m, BITS_MOST / width);
    const unsigned bits = (unsigned)span * width;
    uint64_t both = 0, keep = bits < BITS_MOST ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    *w = (ww__window){.words = bits > WORD_BITS ? 2 : 1};
    w->at = f->packed ? 0 : rarest(f, span);
    for (uint64_t i = 0; i < span; i++) {
        const unsigned char c = f->pattern[w->at + i];
        both |= (uint64_t)(f->fold ? c | 32 : c) << (i * width);
        w->loose |= f->fold && !is_letter(c); /* '@' looks like '`' there */
    }
    w->word[0] = (uint32_t)both;
    w->word[1] = (uint32_t)(both >> WORD_BITS);
    w->keep[0] = (uint32_t)keep;
    w->keep[1] = (uint32_t)(keep >> WORD_BITS);
    /* A factor shifts out at the top what does not belong to the window. */
    w->factor[0] = w->words == 2 ? odd : UINT32_C(1) << (WORD_BITS - bits);
    w->factor[1] = w->words == 2 ? UINT32_C(1) << (BITS_MOST - bits) : 0;
    w->sought = w->word[0] * w->factor[0] + w->word[1] * w->factor[1];
}

/* ---- the image ---- */

/* Sets the bit of each distance below m at which the pattern fits on itself: m less the lengths of its borders. */
static void mark_periods(const unsigned char *pattern, uint64_t m, uint32_t *border, uint32_t *fits) {
    border[0] = 0;
    for (uint32_t i = 1, b = 0; i < m; i++) {
        while (b && pattern[b] != pattern[i]) b = border[b - 1];
        b += pattern[b] == pattern[i];
        border[i] = b;
    }
    for (uint32_t b = border[m - 1]; b; b = border[b - 1]) {
        const uint64_t distance = m - b;
        fits[distance / 32] |= UINT32_C(1) << (distance % 32);
    }
}

static void draw(const ww__finding *f, uint32_t width, const ww__image *image) {
    uint32_t *const keep = image->host + image->words + 1;
    for (uint64_t i = 0; i < f->m; i++) {
        const unsigned char c = f->pattern[i];
        const uint64_t bit = i * width;
        image->host[bit / 32] |= (uint32_t)c << (bit % 32);
        if (f->fold) keep[bit / 32] |= (uint32_t)(is_letter(c) ? 0xDF : 0xFF) << (bit % 32);
    }
}

ww_status ww__image_make(ww_device *device, const ww__finding *f, ww__image *image) {
    const uint32_t width = f->packed ? f->bits : 8;
    const uint64_t bits = f->m * width, words = ww__blocks(bits, 32), drawn = (words + 1) * (f->fold ? 2 : 1);
    uint32_t borders[16 * WW__IMAGE_INLINE], *border = borders;
    image->words = (uint32_t)words;
    image->last = bits % 32 ? (UINT32_C(1) << (bits % 32)) - 1 : UINT32_MAX;
    image->length = drawn + ww__blocks(f->m, 32);
    image->host = image->own;
    image->memory = NULL;
    if (image->length > WW__IMAGE_INLINE) {
        /* Replays would copy from memory that is gone when this call ends. */
        WW_CHECK(device, !ww__gpu_capturing(device), WW_UNSUPPORTED,
                 "a pattern of %llu characters is copied to the GPU, and cannot be part of a graph",
                 (unsigned long long)f->m);
        WW_TRY(ww__host_scratch(device, image->length * sizeof *image->host, &image->host));
        WW_TRY(ww__host_scratch(device, f->m * sizeof *border, &border));
        WW_TRY(ww__scratch_array(device, image->length, sizeof *image->memory, &image->memory));
    }
    memset(image->host, 0, image->length * sizeof *image->host);
    draw(f, width, image);
    mark_periods(f->pattern, f->m, border, image->host + drawn);
    return image->memory ? ww__gpu_copy(device, image->memory, image->host, image->length * sizeof *image->host)
                         : WW_OK;
}
