/* One partition of the CPU's radix sort (radix_cpu.c), and what is counted before it. Parts of the input are counted and
 * moved by whichever worker comes first; a part's counts become its places in every bucket. */
#include <string.h>

#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "radix/radix_cpu.h"
#include "radix/slots.h"

enum {
    BUCKET_BYTES = 1 << 17,  /* what a partition aims at, */
    NETWORK_BYTES = 1 << 18, /* where vectors sort the buckets */
    CROWDED = 2,  /* the fullest share of 16 of small keys with values, as a power of 2: splitters are better */
    REPEATED = 8, /* keys of a sample that are there again: many are equal */
    OFTEN_REPEATED = WW__RADIX_SAMPLE / 2, /* … so many that digits do not part them, either */
    COMPARED_MOST = 1 << 22 /* elements, up to which vectors that compare are better already where many are equal */
};

/* ---- counting, and moving ---- */

/* Different keys, as they lie in the input, and the bucket of each. */
struct ww__radix_few {
    ww__word keys[WW__TALLY_MOST]; /* packed */
    size_t bucket[WW__TALLY_MOST], many;
    ww__tally *tally;
};
typedef struct ww__radix_few few;

/* Counts a part's keys. What it returns is not 0 where there are others. */
static ww__word tally_part(const ww__radix_split *p, const void *keys, size_t n, uint64_t *counts) {
    uint64_t tallies[WW__TALLY_MOST];
    if (!p->few->tally(keys, n, p->few->keys, p->few->many, tallies)) return 1;
    memset(counts, 0, sizeof *counts << p->bits);
    for (size_t v = 0; v < p->few->many; v++) counts[p->few->bucket[v]] = tallies[v];
    return 0;
}

static void count_parts(void *argument, size_t worker) {
    ww__radix_split *p = argument;
    const ww__radix_run *r = p->r;
    const ww__radix_range *a = p->range;
    for (uint64_t number; (number = ww__claim(&p->next)) < p->parts;) {
        const uint64_t before = number * p->part_n;
        const ww__radix_count count = {.keys = ww__radix_key(r, a->buffer, a->first + before),
                                       .n = (size_t)ww__min_u64(p->part_n, a->n - before),
                                       .order = ww__radix_order_in(r, a->buffer),
                                       .first = ww__radix_key(r, a->buffer, a->first),
                                       .low = p->low,
                                       .bits = p->bits,
                                       .only = p->only,
                                       .tables = (uint32_t *)(void *)ww__radix_desk(r, worker),
                                       .counts = r->parts[number].counts};
        const bool nibbles = r->nibbles && !p->only && p->bits <= WW__NIBBLE;
        r->parts[number].differ = p->few    ? tally_part(p, count.keys, count.n, count.counts)
                                  : nibbles ? r->nibbles(&count)
                                            : r->loops->count(&count);
    }
}

static void move_parts(void *argument, size_t worker) {
    ww__radix_split *p = argument;
    const ww__radix_run *r = p->r;
    const ww__radix_range *a = p->range;
    uint64_t *starts = (uint64_t *)(void *)(ww__radix_desk(r, worker) + WW__RADIX_TABLE_BYTES);
    for (uint64_t number; (number = ww__claim(&p->next)) < p->parts;) {
        const uint64_t before = number * p->part_n;
        const ww__radix_partition job = {
            .keys = ww__radix_key(r, a->buffer, a->first + before),
            .values = ww__radix_value(r, a->buffer, a->first + before),
            .n = (size_t)ww__min_u64(p->part_n, a->n - before),
            .order = ww__radix_order_in(r, a->buffer),
            .low = p->low,
            .bits = p->bits,
            .lines = {.keys_out = r->keys[p->to],
                      .values_out = r->values[p->to],
                      .position = r->parts[number].counts,
                      .start = starts,
                      .key_lines = ww__radix_lines(r, worker),
                      .value_lines = ww__radix_lines(r, worker) + WW__RADIX_LINES_BYTES / 2,
                      .streaming = ww__streams(r->device, a->n * (r->key_size + r->value_size))}};
        memcpy(starts, job.lines.position, sizeof *starts << p->bits);
        (p->pairs ? ww__radix_partition_pairs : r->loops->partition)(&job);
    }
    ww__stream_done();
}

void ww__radix_move(ww__radix_split *p) {
    p->next = 0;
    ww__parallel(p->r->device, p->r->workers, move_parts, p);
}

void ww__radix_take_sample(const ww__radix_run *r, const ww__radix_range *a, ww__radix_sample *s) {
    const uint64_t step = (a->n + WW__RADIX_SAMPLE - 1) / WW__RADIX_SAMPLE;
    unsigned char *to = (unsigned char *)s->keys;
    s->n = 0;
    for (uint64_t i = 0; i < a->n; i += step)
        memcpy(to + s->n++ * r->key_size, ww__radix_key(r, a->buffer, a->first + i), r->key_size);
}

ww__word ww__radix_promise(const ww__radix_split *p, const ww__radix_sample *s) {
    const ww__radix_range *a = p->range;
    const ww__radix_order order = ww__radix_order_in(p->r, a->buffer);
    const ww__word differ = p->r->loops->differ(s->keys, s->n, 1, &order);
    return (differ & a->mask) | (a->mask & (~a->mask + 1));
}

/* How many times as many as evenly spread keys the fullest of 16 equal shares of them holds, as far as the sample tells: the
 * power of 2 below. (256 even keys put 16 into each share, and hardly ever 32 into any.) */
static unsigned crowding(const ww__radix_split *p, const ww__radix_sample *s, unsigned highest) {
    const ww__radix_order order = ww__radix_order_in(p->r, p->range->buffer);
    size_t shares[16] = {0}, fullest = 0;
    if (highest < 4) return 0;
    for (size_t i = 0; i < s->n; i++) {
        const unsigned char *key = (const unsigned char *)s->keys + i * p->r->key_size;
        const size_t many = ++shares[p->r->loops->digit(key, &order, highest - 3, 4)];
        fullest = many > fullest ? many : fullest;
    }
    return ww__highest_bit(16 * fullest / s->n | 1);
}

size_t ww__radix_repeated(const ww__radix_sample *s, size_t size) {
    const unsigned char *keys = (const unsigned char *)s->keys;
    enum { PLACES = 4 * WW__RADIX_SAMPLE };
    uint16_t place[PLACES] = {0}; /* of a key, by a hash, and 1 more; a key that finds another there counts as new */
    size_t again = 0;
    for (size_t i = 0; i < s->n; i++) {
        const uint64_t key = (uint64_t)ww__radix_key_at(keys, size, i);
        const size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 54) % PLACES;
        if (place[at] && (uint64_t)ww__radix_key_at(keys, size, place[at] - 1u) == key)
            again++;
        else
            place[at] = (uint16_t)(i + 1);
    }
    return again;
}

bool ww__radix_even(const ww__radix_split *p, const ww__radix_sample *s, unsigned crowded) {
    const ww__radix_order order = ww__radix_order_in(p->r, p->range->buffer);
    const unsigned char *keys = (const unsigned char *)s->keys;
    const size_t size = p->r->key_size;
    size_t rises = 0;
    for (size_t i = 1; i < s->n; i++)
        rises += ww__radix_number_at(keys, size, i - 1, &order) <= ww__radix_number_at(keys, size, i, &order);
    if (ww__radix_repeated(s, size) >= (p->r->workers == 1 ? REPEATED : OFTEN_REPEATED)) return false;
    if (size < 8 && (rises > s->n / 4 * 3 || rises < s->n / 4)) return false;
    return crowding(p, s, ww__highest_bit(ww__radix_promise(p, s))) <= crowded;
}

bool ww__radix_crowded(const ww__radix_split *p, const ww__radix_sample *s) {
    const bool compared = p->r->pairs_parts && p->range->n <= COMPARED_MOST;
    return ww__radix_repeated(s, p->r->key_size) >= (size_t)(compared ? REPEATED : OFTEN_REPEATED) ||
           crowding(p, s, ww__highest_bit(ww__radix_promise(p, s))) > (p->r->key_size < 8 ? CROWDED : 0);
}

/* The digit whose highest bit is `highest`: all bits that are left, where a digit can hold them; else wide enough for
 * buckets of such size, and for some to each worker. */
static void choose_digit(ww__radix_split *p, const ww__radix_sample *s, unsigned highest) {
    const ww__radix_run *r = p->r;
    const uint64_t bytes = r->network || r->pairs ? NETWORK_BYTES : BUCKET_BYTES;
    const uint64_t pieces = p->range->n * (r->key_size + r->value_size) / bytes, shares = 8 * r->workers;
    const unsigned wanted = ww__highest_bit((pieces > shares ? pieces : shares) - 1) + 1 + crowding(p, s, highest);
    const unsigned left = highest + 1 - ww__lowest_bit(p->range->mask);
    p->bits = left <= WW__RADIX_BITS ? left : (unsigned)ww__min_u64(wanted, WW__RADIX_BITS);
    p->low = highest + 1 - p->bits;
}

/* Counts all parts. Returns the bits in which keys differ. */
static ww__word count_all(ww__radix_split *p) {
    ww__word differ = 0;
    p->next = 0;
    ww__parallel(p->r->device, p->r->workers, count_parts, p);
    for (uint64_t number = 0; number < p->parts; number++) differ |= p->r->parts[number].differ;
    return differ;
}

ww__word ww__radix_count_range(ww__radix_split *p, const ww__radix_sample *s, ww__word promised) {
    for (;;) {
        choose_digit(p, s, ww__highest_bit(promised));
        const ww__word differ = count_all(p) & p->range->mask;
        if (ww__highest_bit(differ) <= ww__highest_bit(promised)) return differ;
        promised |= differ;
    }
}

/* The sample's different keys; false where they are more than a tally takes. */
static bool find_few(const ww__radix_split *p, const ww__radix_sample *s, few *f) {
    const size_t size = p->r->key_size;
    const ww__radix_order order = ww__radix_order_in(p->r, p->range->buffer);
    const unsigned char *keys = (const unsigned char *)s->keys;
    unsigned char *found = (unsigned char *)f->keys;
    f->many = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t v = 0;
        while (v < f->many && memcmp(found + v * size, keys + i * size, size)) v++;
        if (v < f->many) continue;
        if (v == WW__TALLY_MOST) return false;
        memcpy(found + v * size, keys + i * size, size);
        f->bucket[v] = p->r->loops->digit(keys + i * size, &order, p->low, p->bits);
        f->many++;
    }
    f->tally = ww__tally_slots_of(p->r->device->vector, size, f->many);
    if (!f->tally) f->tally = p->r->look->tally;
    return true;
}

bool ww__radix_count_few(ww__radix_split *p, const ww__radix_sample *s, ww__word promised) {
    const ww__radix_run *r = p->r;
    const ww__radix_order order = ww__radix_order_in(r, p->range->buffer);
    few tallied;
    choose_digit(p, s, ww__highest_bit(promised));
    if (!r->loops->alone(s->keys, s->n, &order, p->low, p->bits, r->only)) return false;
    if (find_few(p, s, &tallied)) {
        p->few = &tallied;
        const bool all = count_all(p) == 0;
        p->few = NULL;
        if (all) return true;
    }
    p->only = r->only;
    const bool all = count_all(p) == 0;
    p->only = NULL;
    return all;
}

void ww__radix_place(const ww__radix_split *p, uint64_t *bounds) {
    uint64_t position = p->range->first;
    const size_t buckets = (size_t)1 << p->bits;
    for (size_t b = 0; b < buckets; b++) {
        bounds[b] = position;
        for (uint64_t number = 0; number < p->parts; number++) {
            uint64_t *count = &p->r->parts[number].counts[b], begin = position;
            position += *count;
            *count = begin;
        }
    }
    bounds[buckets] = position;
}

/* ---- few numbers: each is written as often as it was counted ---- */

typedef struct filling {
    const ww__radix_run *r;
    const uint64_t *bounds;
    size_t buckets;
    uint64_t piece, next;
} filling;

static void fill_pieces(void *argument, size_t worker) {
    filling *f = argument;
    const ww__radix_run *r = f->r;
    const uint64_t n = f->bounds[f->buckets], room = WW__RADIX_TABLE_BYTES / r->key_size;
    const bool streaming = ww__streams(r->device, n * r->key_size);
    unsigned char *same = ww__radix_desk(r, worker);
    size_t b = 0, repeated = 0; /* so often number b is in `same` */
    for (uint64_t first; (first = ww__claim(&f->next) * f->piece) < n;)
        for (const uint64_t end = ww__min_u64(first + f->piece, n); first < end;) {
            while (f->bounds[b + 1] <= first) b++, repeated = 0;
            const size_t many = (size_t)ww__min_u64(ww__min_u64(f->bounds[b + 1], end) - first, room);
            if (many > repeated) {
                r->loops->repeat(same, many, (const unsigned char *)r->only + b * r->key_size, &r->order);
                repeated = many;
            }
            ww__stream(r->device, ww__radix_key(r, WW__RESULT, first), same, many * r->key_size, streaming);
            first += many;
        }
    ww__stream_done();
}

void ww__radix_fill(const ww__radix_split *p, const uint64_t *bounds) {
    filling f = {p->r, bounds, (size_t)1 << p->bits, WW__RADIX_PIECE / p->r->key_size, 0};
    ww__parallel(p->r->device, p->r->workers, fill_pieces, &f);
}
