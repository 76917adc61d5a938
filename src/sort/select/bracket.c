/* Bracketing the n-th key on a CPU (Floyd and Rivest, 1975).
 *
 * The rank of a key in a sample of s keys, times n / s, is its rank among all n but for a standard deviation of n / s * sqrt(s q (1 - q)),
 * q being the rank's part of n. So the key is between two keys of the sample, three deviations below and three above, almost
 * always. One pass picks what is between, a few percent of all, and counts what is below.
 *
 * It is not always so: then what was picked is thrown away. Where so many keys are equal that both of the sample are, those are counted,
 * and one is kept. Where many are equal, and others are between too, it is not tried.
 *     memory     1 n keys read; an eighth of n keys at most, written and kept */
#include "sort/select/bracket.h"

#include <math.h>
#include <string.h>

#include "device/cpu/parallel.h"
#include "sort/select/few.h"

enum {
    SAMPLE_MOST = 1 << 16,
    SAMPLE_OF = 1 << 7,     /* one key of so many */
    SAMPLE_LEAST = 1 << 10, /* below which it is not worth it */
    KEPT_OF = 8,            /* one key of so many at most is kept */
    ASKED = 64,             /* keys of a sample at a time */
    TILE = 1 << 11,
    PIECE = 1 << 16 /* keys that a worker claims */
};

typedef struct bracketing {
    ww__bracket *b;
    ww__pick *pick;
    ww__picking between;
    uint64_t room;        /* elements of b->numbers */
    unsigned char *desks; /* of each worker: a tile of numbers */
    size_t desk_bytes;
    uint64_t next, picked, below;
    bool fits;  /* as far as the sample tells */
    bool alone; /* so many are equal to the one of the rank that they are only counted */
} bracketing;

/* One key at random of each of `sampled` equal pieces. Each is a line from memory: some are asked for at a time. */
static void sample_keys(const ww__bracket *b, uint64_t sampled, unsigned char *to) {
    const uint64_t piece = b->n / sampled;
    const unsigned char *key[ASKED];
    uint32_t random = 1;
    for (uint64_t first = 0; first < sampled; first += ASKED) {
        const uint64_t many = ww__min_u64(ASKED, sampled - first);
        for (uint64_t i = 0; i < many; i++) {
            random = random * 1664525u + 1013904223u; /* as Press et al. (1992) give it */
            key[i] = b->keys + ((first + i) * piece + ((random * piece) >> 32)) * b->key_size;
            __builtin_prefetch(key[i]);
        }
        for (uint64_t i = 0; i < many; i++, to += b->key_size) memcpy(to, key[i], b->key_size);
    }
}

static const ww__radix_order as_they_are = {0, 0};

/* The two at places `low` and `high` of the sample's numbers, which are sorted where they are not narrowed. */
static ww_status find_ends(ww_device *device, bracketing *w, unsigned char *numbers, uint64_t sampled, double low,
                           double high) {
    const ww__bracket *b = w->b;
    ww__few few = {.keys = numbers, .n = sampled, .order = as_they_are, .key_size = b->key_size};
    const ww__scratch_mark mark = ww__scratch_here(device);
    ww__word from = 0, to = b->mask;
    bool found = ww__few_takes(b->key_size, b->mask);
    if (found) {
        void *room;
        WW_TRY(ww__scratch(device, ww__few_room(sampled, b->key_size), &room));
        if (!device->on_paper && low >= 0) {
            few.rank = (uint64_t)low;
            found = ww__few_nth(device, &few, room, &from);
        }
        if (!device->on_paper && high < (double)sampled && found) {
            few.rank = (uint64_t)high;
            found = ww__few_nth(device, &few, room, &to);
        }
        ww__scratch_back(device, &mark);
    }
    if (!found || device->on_paper) {
        const ww__radix job = {
            .keys = numbers, .keys_out = numbers, .n = sampled, .key_size = b->key_size, .mask = b->mask};
        WW_TRY(ww__radix_sort(device, &job));
        if (device->on_paper) return WW_OK;
        if (low >= 0) from = ww__radix_key_at(numbers, b->key_size, (uint64_t)low) & b->mask;
        if (high < (double)sampled) to = ww__radix_key_at(numbers, b->key_size, (uint64_t)high) & b->mask;
    }
    w->between.from = from;
    w->between.to = to;
    return WW_OK;
}

/* The two keys of the sample that the one of the rank is probably between; the ends of all numbers where the sample has none. */
static ww_status choose(ww_device *device, bracketing *w, uint64_t sampled) {
    const ww__bracket *b = w->b;
    const double s = (double)sampled, q = (double)b->rank / (double)b->n;
    const double deviation = 3 * sqrt(s * q * (1 - q)) + 1, low = s * q - deviation, high = s * q + deviation;
    const ww__picking any = {.order = b->order, .mask = b->mask, .to = b->mask};
    unsigned char *keys, *numbers;
    w->between = any;
    w->between.order = as_they_are;
    WW_TRY(ww__scratch_array(device, sampled + 1, b->key_size, &keys));
    WW_TRY(ww__scratch_array(device, sampled + 1, b->key_size, &numbers));
    if (!device->on_paper) {
        sample_keys(b, sampled, keys);
        w->pick(&any, keys, (size_t)sampled, 0, numbers, NULL, NULL);
    }
    WW_TRY(find_ends(device, w, numbers, sampled, low, high));
    if (device->on_paper) return WW_OK;
    const uint64_t between = w->pick(&w->between, numbers, (size_t)sampled, 0, keys, NULL, NULL);
    w->between.order = b->order;
    w->fits = between * KEPT_OF < sampled;
    if (!w->fits && w->between.from == w->between.to) w->fits = w->alone = true;
    return WW_OK;
}

/* What a worker picks goes wherever there is room: the order of the keys that are left does not matter. */
static void pick_pieces(void *argument, size_t worker) {
    bracketing *w = argument;
    const ww__bracket *b = w->b;
    unsigned char *const desk = w->desks + worker * w->desk_bytes;
    uint64_t below = 0;
    for (uint64_t first; (first = ww__claim(&w->next) * PIECE) < b->n;)
        for (uint64_t i = first; i < ww__min_u64(first + PIECE, b->n); i += TILE) {
            const size_t n = (size_t)ww__min_u64(TILE, b->n - i);
            const size_t many = w->pick(&w->between, b->keys + i * b->key_size, n, i, desk, NULL, &below);
            const uint64_t to = __atomic_fetch_add(&w->picked, many, __ATOMIC_RELAXED);
            if (w->alone && (to || !many)) continue; /* the first one picked is all that is kept */
            if (w->alone)
                memcpy(b->numbers, desk, b->key_size);
            else if (to + many <= w->room)
                memcpy(b->numbers + to * b->key_size, desk, many * b->key_size);
        }
    __atomic_fetch_add(&w->below, below, __ATOMIC_RELAXED);
}

ww_status ww__bracket_nth(ww_device *device, ww__bracket *b) {
    const uint64_t sampled = ww__min_u64(b->n / SAMPLE_OF, SAMPLE_MOST);
    bracketing w = {.b = b, .pick = ww__pick_of(device, b->key_size), .room = b->n / KEPT_OF};
    b->numbers = NULL;
    /* Keys that are left lose their order, which shows where they are compared by some of their bits. */
    if (sampled < SAMPLE_LEAST || b->mask != ww__radix_ones((unsigned)(8 * b->key_size))) return WW_OK;
    w.desk_bytes = ww__round_up((TILE + 1) * b->key_size, 64);
    WW_TRY(ww__scratch_array(device, w.room, b->key_size, &b->numbers));
    WW_TRY(ww__scratch_array(device, b->workers, w.desk_bytes, &w.desks));
    WW_TRY(choose(device, &w, sampled));
    if (w.fits) ww__parallel(device, b->workers, pick_pieces, &w);
    b->left = w.picked;
    b->below = w.below;
    const bool found = (w.alone || b->left <= w.room) && b->rank >= b->below && b->rank - b->below < b->left;
    if (!found) b->numbers = NULL;
    if (found && w.alone) {
        b->left = 1;
        b->below = b->rank;
    }
    return WW_OK;
}
