/* Pictures of bodies. Each body's light falls on the four pixels around its place, by their distance; then all of it is
 * spread a little, twice, for a glow; brightness is the logarithm of the light, color by the mean speed of what shines
 * there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nbody.h"

#ifndef WARPWISE_PNG

bool images_can_be_made(void) { return false; }
int image_make(job *j, const bodies *b, double half_width, uint64_t pixels, ww_array *png) {
    (void)b;
    (void)half_width;
    (void)pixels;
    (void)png;
    return job_fail(j, "this build has no libpng");
}

#else

#include <png.h>

bool images_can_be_made(void) { return true; }

enum { LIGHT, SPEED, CHANNELS }; /* light, and light times speed between 0 and 1 */

typedef struct canvas {
    uint64_t pixels;
    float *channel[CHANNELS], *spare;
} canvas;

static void shine(const canvas *c, double x, double y, float speed) {
    const double limit = (double)c->pixels - 1;
    if (!(x >= 0 && y >= 0 && x < limit && y < limit)) return;
    const uint64_t column = (uint64_t)x, row = (uint64_t)y;
    const float right = (float)(x - (double)column), down = (float)(y - (double)row);
    for (unsigned k = 0; k < 4; k++) {
        const float light = (k & 1 ? right : 1 - right) * (k & 2 ? down : 1 - down);
        const uint64_t at = (row + (k >> 1)) * c->pixels + column + (k & 1);
        c->channel[LIGHT][at] += light;
        c->channel[SPEED][at] += light * speed;
    }
}

static void shine_all(const canvas *c, const bodies *b, double half_width) {
    const double per = (double)c->pixels / 2 / half_width, middle = ((double)c->pixels - 1) / 2;
    double square = 0;
    for (uint64_t i = 0; i < b->count; i++)
        square += b->column[VX][i] * b->column[VX][i] + b->column[VY][i] * b->column[VY][i] +
                  b->column[VZ][i] * b->column[VZ][i];
    const double usual = sqrt(square / (double)(b->count ? b->count : 1));
    for (uint64_t i = 0; i < b->count; i++) {
        const double speed = sqrt(b->column[VX][i] * b->column[VX][i] + b->column[VY][i] * b->column[VY][i] +
                                  b->column[VZ][i] * b->column[VZ][i]);
        const double fast = usual > 0 ? speed / (speed + usual) : 0.5;
        shine(c, middle + b->column[X][i] * per, middle - b->column[Y][i] * per, (float)fast);
    }
}

/* One dimension of a blur: means of 2 r + 1 neighbours, along rows (step 1) or columns. */
static void smear(const float *from, float *to, uint64_t pixels, bool rows, int64_t r) {
    const uint64_t along = rows ? 1 : pixels, across = rows ? pixels : 1;
    const float part = 1.0f / (float)(2 * r + 1);
    for (uint64_t line = 0; line < pixels; line++) {
        double sum = 0;
        for (int64_t k = -r; k < (int64_t)pixels; k++) {
            const int64_t in = k + r, out = k - r - 1;
            if (in < (int64_t)pixels) sum += (double)from[line * across + (uint64_t)in * along];
            if (out >= 0) sum -= (double)from[line * across + (uint64_t)out * along];
            if (k >= 0) to[line * across + (uint64_t)k * along] = part * (float)(sum > 0 ? sum : 0);
        }
    }
}

/* Adds what a wide blur of all light leaves. */
static void glow(const canvas *c, float *blurred) {
    const int64_t r = (int64_t)(c->pixels / 128) + 1;
    for (int channel = 0; channel < CHANNELS; channel++) {
        float *light = c->channel[channel];
        smear(light, c->spare, c->pixels, true, 1);
        smear(c->spare, light, c->pixels, false, 1);
        smear(light, c->spare, c->pixels, true, r);
        smear(c->spare, blurred, c->pixels, false, r);
        smear(blurred, c->spare, c->pixels, true, r);
        smear(c->spare, blurred, c->pixels, false, r);
        for (uint64_t k = 0; k < c->pixels * c->pixels; k++) light[k] += 0.35f * blurred[k];
    }
}

static unsigned char byte_of(double x) { return (unsigned char)(x <= 0 ? 0 : x >= 1 ? 255 : 255 * x + 0.5); }

/* From light to color: dark is nearly black, bright goes to white, in between orange where slow and blue where fast. */
static void color(const canvas *c, uint64_t at, double usual, double brightest, unsigned char rgb[3]) {
    static const double warm[3] = {1, 0.55, 0.22}, cold[3] = {0.30, 0.58, 1};
    const double light = (double)c->channel[LIGHT][at];
    const double bright = log1p(light / usual) / brightest;
    const double speed = light > 0 ? (double)c->channel[SPEED][at] / light : 0.5;
    const double fast = speed < 0.3 ? 0 : speed > 0.65 ? 1 : (speed - 0.3) / 0.35;
    for (int k = 0; k < 3; k++) {
        const double hue = warm[k] + (cold[k] - warm[k]) * fast, white = bright * bright * bright;
        rgb[k] = byte_of(0.012 * (k == 2 ? 2 : 1) + bright * (hue + (1 - hue) * white));
    }
}

static void color_all(const canvas *c, unsigned char *rgb) {
    const uint64_t all = c->pixels * c->pixels;
    double sum = 0, most = 0;
    uint64_t lit = 0;
    for (uint64_t k = 0; k < all; k++) {
        const double light = (double)c->channel[LIGHT][k];
        sum += light;
        lit += light > 1e-4;
        most = light > most ? light : most;
    }
    const double usual = lit ? 0.2 * sum / (double)lit + 1e-6 : 1, brightest = most > 0 ? log1p(most / usual) : 1;
    for (uint64_t k = 0; k < all; k++) color(c, k, usual, brightest, rgb + 3 * k);
}

/* Libpng's own memory writer takes its rows and tells how many bytes there are. */
static int encode(job *j, const unsigned char *rgb, uint64_t pixels, ww_array *png) {
    static uint8_t like;
    png_image image;
    png_alloc_size_t bytes = 0;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = image.height = (png_uint_32)pixels;
    image.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_memory(&image, NULL, &bytes, 0, rgb, 0, NULL))
        return job_fail(j, "libpng: %s", image.message);
    if (job_room(j, ww_array(&like, 1), bytes, png)) return FAILED;
    if (!png_image_write_to_memory(&image, png->data, &bytes, 0, rgb, 0, NULL))
        return job_fail(j, "libpng: %s", image.message);
    png->count = bytes;
    return DONE;
}

int image_make(job *j, const bodies *b, double half_width, uint64_t pixels, ww_array *png) {
    static float like;
    ww_array room;
    const uint64_t all = pixels * pixels;
    if (job_room(j, ww_array(&like, 1), 5 * all, &room)) return FAILED;
    float *light = room.data;
    memset(light, 0, 5 * all * sizeof *light);
    const canvas c = {pixels, {light, light + all}, light + 2 * all};
    unsigned char *rgb = (unsigned char *)(light + 4 * all);
    shine_all(&c, b, half_width);
    glow(&c, light + 3 * all);
    color_all(&c, rgb);
    const int status = encode(j, rgb, pixels, png);
    job_free(j, &room);
    return status;
}

#endif

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 1.3 times what 95 of 100 of a sample of them are in, about the origin. */
int image_view(job *j, const bodies *b, double *half_width) {
    enum { SAMPLE = 4096 };
    double *far = malloc(SAMPLE * sizeof *far);
    if (!far) return job_fail(j, "out of memory");
    const uint64_t many = b->count < SAMPLE ? b->count : SAMPLE;
    for (uint64_t k = 0; k < many; k++) {
        const uint64_t i = k * (b->count / (many ? many : 1));
        far[k] = fmax(fabs(b->column[X][i]), fabs(b->column[Y][i]));
    }
    qsort(far, many, sizeof *far, by_size);
    *half_width = many ? 1.3 * far[many * 95 / 100] : 1;
    if (!(*half_width > 0)) *half_width = 1;
    free(far);
    return DONE;
}
