/* Floyd and Rivest's narrowing (1975), again and again, until so few keys are left that each is compared with each.
 *
 * A round compares the keys of a small sample with one another, which takes no branch, and picks what lies between two of them that
 * stand before and behind the rank. Where the rank turns out to lie below or above, that side is picked. A round that leaves more
 * than half makes the next one's bounds narrower, down to one key: then what is equal to it is parted from what is below and above,
 * and something is left out. Samples mislead seldom, and an input made for that ends the rounds: the caller has another way.
 *     memory     1 n keys read; two copies of the keys at most, in turns */
#include "sort/select/few.h"

#include <math.h>
#include <string.h>

#include "warpwise/function_widths.h"

enum {
    COMPARED = 64,             /* keys that are left are compared with one another, up to so many */
    SAMPLE = 32,               /* keys of a sample, … */
    LARGE_SAMPLE = 128,        /* … where more are left than … */
    LARGE_FROM = 1 << 13,      /* … these */
    LANES_uint32_t = 16,       /* a sample, or what is left, is filled up to a multiple of these: 64 bytes */
    LANES_uint64_t = 8,
    BYTES_MOST = LARGE_SAMPLE * sizeof(uint64_t) + 64,
    ROUNDS = 24
};
#define WIDER 1.3 /* a large sample's bounds, in those of a small one: to be misled costs more there */

/* The keys at two places in the order of n: the greatest of those that at most so many are less than. Those from n up to a multiple of
 * LANES are set to the greatest number. */
typedef void ends_loop(void *keys, size_t n, size_t low, size_t high, uint64_t ends[2]);
typedef uint32_t lanes_uint32_t __attribute__((vector_size(LANES_uint32_t * sizeof(uint32_t))));
typedef uint64_t lanes_uint64_t __attribute__((vector_size(LANES_uint64_t * sizeof(uint64_t))));

/* Where it is greater, the key of a lane that at most `place` are less than. */
#define KEEP(T, best, place) \
    do { \
        const lanes_##T kept = key & (lanes_##T)(less <= (T)(place)), more = (lanes_##T)(kept > (best)); \
        (best) = (kept & more) | ((best) & ~more); \
    } while (0)
#define ENDS(width, T) \
    WW__LOOP(width) void ends_##T##_##width(void *keys, size_t n, size_t low, size_t high, uint64_t ends[2]) { \
        T *const x = keys; \
        const size_t filled = (n + LANES_##T - 1) / LANES_##T * LANES_##T; \
        lanes_##T at_low = {0}, at_high = {0}; \
        T least = 0, most = 0; \
        for (size_t i = n; i < filled; i++) x[i] = (T)-1; \
        for (size_t i = 0; i < filled; i += LANES_##T) { \
            lanes_##T key, less = {0}; \
            memcpy(&key, x + i, sizeof key); \
            for (size_t j = 0; j < n; j++) less -= (lanes_##T)(x[j] < key); \
            KEEP(T, at_low, low); \
            KEEP(T, at_high, high); \
        } \
        for (size_t l = 0; l < LANES_##T; l++) { \
            least = at_low[l] > least ? at_low[l] : least; \
            most = at_high[l] > most ? at_high[l] : most; \
        } \
        ends[0] = least; \
        ends[1] = most; \
    }
#define ENDS_LOOPS(width, unused) \
    ENDS(width, uint32_t) \
    ENDS(width, uint64_t) \
    static ends_loop *const ww__loops_ends_##width[2] = {ends_uint32_t_##width, ends_uint64_t_##width};
WW__EACH_WIDTH(ENDS_LOOPS, 0)
static ends_loop *const (*const ends_by_width[WW_VECTORS])[2] = WW__TABLES(ends);

bool ww__few_takes(size_t key_size, ww__word mask) {
    return (key_size == sizeof(uint32_t) || key_size == sizeof(uint64_t)) &&
           mask == ww__radix_ones((unsigned)(8 * key_size));
}

static size_t half_room(uint64_t n, size_t key_size) { return ww__round_up((n + 1) * key_size, 64); }

size_t ww__few_room(uint64_t n, size_t key_size) { return 2 * half_room(n, key_size); }

typedef struct narrowing {
    ends_loop *ends;
    ww__pick *pick;
    size_t key_size;
    ww__word most; /* the greatest number */
    double width;  /* of the bounds, in standard deviations of a rank */
    uint32_t random;
} narrowing;

/* Bounds between which the key of the rank probably is. */
static ww__picking bounds_by_sample(narrowing *w, const ww__few *f) {
    const size_t sampled = f->n < LARGE_FROM ? SAMPLE : LARGE_SAMPLE, piece = (size_t)(f->n / sampled);
    const ww__picking any = {.order = f->order, .mask = w->most, .to = w->most};
    _Alignas(64) unsigned char keys[BYTES_MOST], numbers[BYTES_MOST];
    for (size_t i = 0; i < sampled; i++) {
        w->random = w->random * 1664525u + 1013904223u; /* as Press et al. (1992) give it */
        const size_t at = i * piece + (size_t)(((uint64_t)w->random * piece) >> 32);
        if (w->key_size == sizeof(uint32_t))
            memcpy(keys + i * sizeof(uint32_t), (const uint32_t *)f->keys + at, sizeof(uint32_t));
        else
            memcpy(keys + i * sizeof(uint64_t), (const uint64_t *)f->keys + at, sizeof(uint64_t));
    }
    const bool are_numbers = !f->order.flip && !f->order.fold;
    if (!are_numbers) w->pick(&any, keys, sampled, 0, numbers, NULL, NULL);
    const double s = (double)sampled, q = ((double)f->rank + 0.5) / (double)f->n;
    const double deviation = (sampled == SAMPLE ? w->width : WIDER * w->width) * sqrt(s * q * (1 - q));
    const double low = s * q - deviation, high = s * q + deviation;
    const size_t low_place = low > 0 ? (size_t)low : 0, high_place = high < s ? (size_t)high : sampled - 1;
    uint64_t ends[2];
    w->ends(are_numbers ? keys : numbers, sampled, low_place, high_place, ends);
    ww__picking between = any;
    if (low >= 0) between.from = ends[0];
    if (high < s) between.to = ends[1];
    return between;
}

/* Picks what is between the bounds, or the side of them that the rank is on; *between are then those of what was picked. */
static size_t pick_side(const narrowing *w, const ww__few *f, ww__picking *between, void *to, uint64_t *below,
                        bool *misled) {
    *below = 0;
    size_t picked = w->pick(between, f->keys, (size_t)f->n, 0, to, NULL, below);
    *misled = f->rank < *below || f->rank - *below >= picked;
    if (!*misled) return picked;
    if (f->rank < *below) {
        between->to = between->from - 1;
        between->from = 0;
    } else {
        between->from = between->to + 1;
        between->to = w->most;
    }
    *below = 0;
    return w->pick(between, f->keys, (size_t)f->n, 0, to, NULL, below);
}

bool ww__few_nth(const ww_device *device, const ww__few *few, void *room, ww__word *number) {
    static const ww__radix_order as_they_are = {0, 0};
    const size_t wide = few->key_size == sizeof(uint64_t), half = half_room(few->n, few->key_size);
    narrowing w = {.ends = (*ends_by_width[device->vector])[wide],
                   .pick = ww__pick_of(device, few->key_size),
                   .key_size = few->key_size,
                   .most = ww__radix_ones((unsigned)(8 * few->key_size)),
                   .width = 1.5,
                   .random = 1};
    ww__few f = *few;
    for (unsigned round = 0; round < ROUNDS && f.n > COMPARED; round++) {
        uint64_t below;
        bool misled;
        unsigned char *const to = (unsigned char *)room + (round % 2 ? half : 0);
        ww__picking between = bounds_by_sample(&w, &f);
        const size_t picked = pick_side(&w, &f, &between, to, &below, &misled);
        if (between.from == between.to) {
            *number = between.from;
            return true;
        }
        if (picked > f.n / 2 && !misled) w.width = w.width > 0.1 ? w.width / 2 : 0;
        f = (ww__few){to, picked, f.rank - below, as_they_are, w.key_size};
    }
    if (f.n > COMPARED) return false;
    const ww__picking any = {.order = f.order, .mask = w.most, .to = w.most};
    _Alignas(64) unsigned char numbers[BYTES_MOST];
    uint64_t ends[2];
    w.pick(&any, f.keys, (size_t)f.n, 0, numbers, NULL, NULL);
    w.ends(numbers, (size_t)f.n, (size_t)f.rank, (size_t)f.rank, ends);
    *number = ends[0];
    return true;
}
