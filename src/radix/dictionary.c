/* A sample's keys, the most frequent ones first to be kept, and a perfect hash of them: a factor, and for each of many small groups of
 * keys the first turn that brings it to free slots, the fullest groups first. A key that gets in another's way is left out, so there
 * always is one; a few factors are tried. A quarter of the slots or more are free.
 * Turns: Fox, Heath, Chen and Daoud, Practical Minimal Perfect Hash Functions for Large Databases (1992). What a sample does not show:
 * Good, The Population Frequencies of Species and the Estimation of Population Parameters (1953). */
#include "radix/dictionary.h"

#include <string.h>

#include "warpwise/function_widths.h"

enum {
    SAMPLE = 8192,
    SAMPLE_FEW = 4096, /* … of fewer than FEW keys */
    FEW = 1 << 19,
    BITS_LEAST = 6,
    FACTORS = 4,
    GROUP_MOST = 16 /* keys of a group */
};
_Static_assert(2 * SAMPLE * 8 <= (int)WW__RADIX_LINES_BYTES, "a sample lies where lines do");
_Static_assert(SAMPLE_FEW * 2 <= (int)WW__RADIX_TABLE_BYTES && SAMPLE * 2 <= (int)WW__RADIX_TABLE_BYTES,
               "and how often its keys come, where tables do");

/* ---- the sample ---- */

#define TAKE(KEY) \
    typedef KEY any_##KEY __attribute__((aligned(1), may_alias)); \
    static void take_##KEY(void *to, const void *keys, size_t n, uint64_t step) { \
        const any_##KEY *k = keys; \
        any_##KEY *t = to; \
        for (size_t i = 0; i < n; i++) t[i] = k[i * step + (i * 0x9e37 >> 4) % step]; \
    }
TAKE(uint32_t)
TAKE(uint64_t)

/* Takes a sample, and returns its keys in the order of their numbers. */
static const unsigned char *sorted_sample(const ww__radix_run *r, uint64_t n, size_t many) {
    const size_t size = r->key_size;
    unsigned char *sample = ww__radix_lines(r, 0), *sorted = sample + many * size;
    ww__network_quick *quick = ww__network_quick_of(r->device->vector, size);
    (size == 4 ? take_uint32_t : take_uint64_t)(sample, ww__radix_key(r, WW__INPUT, 0), many, n / many);
    if (quick) {
        quick(sample, sorted, sample, many, &r->order, &r->order);
        return sorted;
    }
    const ww__radix_leaf leaf = {.keys = {sample, sorted}, .tables = (uint32_t *)(void *)ww__radix_desk(r, 0)};
    const ww__radix_loops *loops = ww__radix_loops_of(size, 0);
    loops->arrange(sample, sample, many, &r->order);
    loops->leaf(&leaf, 0, many, ww__radix_ones((unsigned)(8 * size)));
    loops->restore(sorted, many, &r->order);
    return sorted;
}

/* Keeps the sample's different keys, or of too many the most frequent; `often` says how often each is in the sample. */
static void keep_frequent(ww__dictionary *d, const unsigned char *sample, uint16_t *often) {
    enum { OFTEN_MOST = 64 };
    const size_t taken = (size_t)d->taken;
    size_t different[OFTEN_MOST + 1] = {0}, kept = 0, i = 0, k = 0, least = 1;
    while (i < taken) {
        const uint64_t key = (uint64_t)ww__radix_key_at(sample, d->key_size, i);
        const size_t first = i;
        while (i < taken && (uint64_t)ww__radix_key_at(sample, d->key_size, i) == key) i++;
        often[k++] = (uint16_t)(i - first);
        if ((int64_t)(i - first) > d->most_often) d->most_often = (int64_t)(i - first);
        different[i - first < OFTEN_MOST ? i - first : OFTEN_MOST]++;
    }
    const size_t once = different[1];
    for (size_t left = k; left > WW__DICTIONARY_MOST && least < OFTEN_MOST;) left -= different[least++];
    d->covered = least == 1 ? -(int64_t)once : 0; /* so likely is a key that is not in the sample */
    for (size_t j = 0, first = 0; j < k; first += often[j++]) {
        const uint16_t times = often[j];
        if (times < least || kept == WW__DICTIONARY_MOST) continue;
        d->key[kept] = (uint64_t)ww__radix_key_at(sample, d->key_size, first);
        d->covered += times;
        d->slot[kept++] = times; /* until it has one */
    }
    d->many = kept;
}

/* ---- slots ---- */

static uint64_t hash_of(const ww__dictionary *d, uint64_t key) {
    const unsigned shift = (unsigned)(8 * d->key_size) - d->bits - d->group_bits;
    return d->key_size == 4 ? (uint32_t)((uint32_t)key * (uint32_t)d->factor) >> shift : (key * d->factor) >> shift;
}
static size_t group_of(const ww__dictionary *d, uint64_t hash) {
    return (size_t)hash & (((size_t)1 << d->group_bits) - 1);
}

typedef struct placing {
    uint64_t taken[WW__DICTIONARY_SLOTS / 64];
    uint16_t first[WW__DICTIONARY_SLOTS / 2 + 1]; /* of each group in `keys` */
    uint16_t keys[WW__DICTIONARY_MOST];
    uint16_t place[WW__DICTIONARY_MOST]; /* its hash above the group's bits */
    bool out[WW__DICTIONARY_MOST];
} placing;

static bool is_taken(const placing *p, size_t slot) { return p->taken[slot / 64] >> slot % 64 & 1; }

/* Whether all of a group's keys get free slots by a turn. */
static bool is_free(const placing *p, const uint16_t *keys, size_t n, uint32_t turn) {
    for (size_t i = 0; i < n; i++)
        if (is_taken(p, p->place[keys[i]] ^ turn)) return false;
    return true;
}

/* Leaves out keys that share a place in their group, and all but so many. Returns how many stay. */
static size_t make_apart(placing *p, uint16_t *keys, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool other = kept < GROUP_MOST;
        for (size_t j = 0; j < kept; j++) other &= p->place[keys[j]] != p->place[keys[i]];
        p->out[keys[i]] = !other;
        if (other) keys[kept++] = keys[i];
    }
    return kept;
}

static void turn_group(ww__dictionary *d, placing *p, size_t group) {
    const uint32_t slots = (uint32_t)1 << d->bits;
    uint16_t *keys = p->keys + p->first[group];
    size_t n = make_apart(p, keys, (size_t)(p->first[group + 1] - p->first[group]));
    for (; n; p->out[keys[--n]] = true)
        for (uint32_t t = 0; t < slots; t++) {
            const uint32_t turn = (t + (uint32_t)group * 0x9e37u) & (slots - 1);
            if (!is_free(p, keys, n, turn)) continue;
            for (size_t i = 0; i < n; i++) {
                const size_t slot = p->place[keys[i]] ^ turn;
                p->taken[slot / 64] |= (uint64_t)1 << slot % 64;
            }
            d->turn[group] = turn;
            return;
        }
}

/* Finds turns under d->factor. Returns how many keys are left out. */
static size_t find_turns(ww__dictionary *d, placing *p) {
    const size_t groups = (size_t)1 << d->group_bits;
    uint16_t next[WW__DICTIONARY_SLOTS / 2];
    size_t largest = 0, left_out = 0;
    memset(p, 0, sizeof *p);
    memset(d->turn, 0, sizeof d->turn);
    for (size_t k = 0; k < d->many; k++) p->first[group_of(d, hash_of(d, d->key[k])) + 1]++;
    for (size_t g = 0; g < groups; g++) {
        if (p->first[g + 1] > largest) largest = p->first[g + 1];
        next[g] = p->first[g];
        p->first[g + 1] = (uint16_t)(p->first[g + 1] + p->first[g]);
    }
    for (size_t k = 0; k < d->many; k++) {
        const uint64_t hash = hash_of(d, d->key[k]);
        p->place[k] = (uint16_t)(hash >> d->group_bits);
        p->keys[next[group_of(d, hash)]++] = (uint16_t)k;
    }
    for (size_t size = largest; size > 0; size--)
        for (size_t g = 0; g < groups; g++)
            if ((size_t)(p->first[g + 1] - p->first[g]) == size) turn_group(d, p, g);
    for (size_t k = 0; k < d->many; k++) left_out += p->out[k];
    return left_out;
}

/* Keys that have slots stay; d->slot has how often each is in the sample. */
static void take_slots(ww__dictionary *d, const placing *p) {
    size_t kept = 0;
    for (size_t k = 0; k < d->many; k++) {
        const uint16_t times = d->slot[k];
        const uint32_t turn = d->turn[group_of(d, hash_of(d, d->key[k]))];
        d->key[kept] = d->key[k];
        d->slot[kept] = (uint16_t)(p->place[k] ^ turn);
        if (p->out[k])
            d->covered -= times;
        else
            kept++;
    }
    d->many = kept;
    for (size_t s = 0; s < (size_t)1 << d->bits; s++) ww__radix_put_key(d->slots, d->key_size, s, d->key[0]);
    for (size_t k = 0; k < d->many; k++) ww__radix_put_key(d->slots, d->key_size, d->slot[k], d->key[k]);
}

void ww__dictionary_look(const ww__radix_run *r, uint64_t n, ww__dictionary *d) {
    d->key_size = r->key_size;
    d->taken = n < FEW ? SAMPLE_FEW : SAMPLE;
    d->most_often = 0;
    d->slots = ww__radix_lines(r, 0);
    keep_frequent(d, sorted_sample(r, n, (size_t)d->taken), (uint16_t *)(void *)ww__radix_desk(r, 0));
}

void ww__dictionary_make(ww__dictionary *d) {
    placing p;
    d->bits = BITS_LEAST;
    while (d->bits < WW__DICTIONARY_BITS && d->many * 4 > (size_t)3 << d->bits) d->bits++;
    d->group_bits = d->bits - 1;
    d->factor = 0x9e3779b97f4a7c15u;
    for (size_t t = 1; find_turns(d, &p) > 0 && t < FACTORS; t++)
        d->factor = (d->factor * 6364136223846793005u + 1442695040888963407u) | 1;
    take_slots(d, &p);
}

/* ---- looking up: by gathers of AVX-512 it is no faster (a Xeon, 2026-11) ---- */

#define FIND(KEY, BITS) \
    static size_t find_##KEY(const ww__dictionary *d, const void *keys, size_t n, uint16_t *WW__R found, void *rest, \
                             uint32_t *WW__R places, uint32_t place) { \
        const any_##KEY *k = keys, *slots = d->slots; \
        any_##KEY *to = rest; \
        const KEY factor = (KEY)d->factor, groups = (KEY)(((KEY)1 << d->group_bits) - 1); \
        const unsigned shift = BITS - d->bits - d->group_bits, group_bits = d->group_bits; \
        const uint16_t none = (uint16_t)ww__dictionary_none(d); \
        size_t m = 0; \
        for (size_t i = 0; i < n; i++) { \
            const KEY key = k[i], hash = (KEY)(key * factor) >> shift; \
            const size_t slot = (size_t)(hash >> group_bits) ^ d->turn[(size_t)(hash & groups)]; \
            const bool other = slots[slot] != key; \
            found[i] = other ? none : (uint16_t)slot; \
            to[m] = key; \
            places[m] = place + (uint32_t)i; \
            m += other; \
        } \
        return m; \
    }
FIND(uint32_t, 32)
FIND(uint64_t, 64)

ww__dictionary_find *ww__dictionary_find_of(size_t size) { return size == 4 ? find_uint32_t : find_uint64_t; }
