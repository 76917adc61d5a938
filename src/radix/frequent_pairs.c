/* Keys that come often, with values: a dictionary has nearly all of them (dictionary.c). One pass over the keys notes each one's slot, and
 * counts it; keys without a slot are the rest, which is sorted with its values. Then each value goes to its place among those of its key:
 * one store an element, where a pass that parts pairs has two. Keys are not moved: each is written as often as it was counted, and pieces
 * of the rest between them.
 *     memory     1 n of keys read; 1 n of slots, of 2 bytes, written and read; 1 n of values read and written; 1 n of keys written
 *
 * Where values are sorted in place they go to the scratch copy first. Room: keys of the rest as they are found, and their places, lie in
 * the scratch copy's values, of the rest as it is sorted in the result's keys, which are written last, and the scratch copy's keys, behind
 * the slots. So the rest may be no more than an eighth.
 * After Dong, Dhulipala, Gu and Sun, Parallel Integer Sort: Theory and Practice (DovetailSort, 2024). */
#include "radix/frequent_pairs.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "radix/dictionary.h"
#include "warpwise/function_widths.h"

enum {
    LEAST = 1 << 15, /* pairs to be sorted: a sample of them has to be worth it */
    REPEATED = 16,   /* of the small sample's 256 keys so many are there again, or no large one is taken */
    DOMINATING = 8,  /* one key in so many is a large part: then as many pairs are sorted by vectors, if they are there, up to … */
    COMPARED_MOST = 1 << 21,
    REST = 8,        /* one in so many may have no slot */
    BLOCK = WW__DICTIONARY_BLOCK
};

typedef struct frequent {
    const ww__radix_run *r;
    uint64_t n, part_n, parts, next;
    uint64_t part_rest; /* room for a part's rest */
    uint16_t *found;    /* the slots of all keys */
    unsigned char *rest_keys; /* as they are found, part by part */
    uint32_t *rest_places;    /* … and where, from the part's first on */
    unsigned char *to_values; /* where values go */
    bool overrun;             /* the rest is too much */
    uint64_t rest, below[WW__DICTIONARY_MOST]; /* how many they are; and of them, below a key */
    uint64_t end[WW__DICTIONARY_MOST];         /* where a key's last element ends */
    unsigned char *sorted_keys, *sorted_values;
    ww__dictionary dictionary;
} frequent;

static uint64_t part_first(const frequent *f, uint64_t number) { return ww__min_u64(number * f->part_n, f->n); }

/* How often each key is in a part, and how long its rest is; then where a part's values of each key go. */
static uint64_t *counts_of(const frequent *f, uint64_t number) {
    return f->r->frequent_counts + number * WW__RADIX_BUCKETS;
}

static void run(frequent *f, ww__task *task) {
    f->next = 0;
    ww__parallel(f->r->device, f->r->workers, task, f);
}

/* ---- slots ---- */

static void find_part(frequent *f, uint64_t number, uint32_t *counters) {
    const ww__radix_run *r = f->r;
    const ww__dictionary *d = &f->dictionary;
    const uint64_t first = part_first(f, number), n = part_first(f, number + 1) - first;
    const unsigned char *keys = ww__radix_key(r, WW__INPUT, first);
    unsigned char *rest = f->rest_keys + number * f->part_rest * r->key_size;
    uint32_t *places = f->rest_places + number * f->part_rest;
    ww__dictionary_find *find = ww__dictionary_find_of(r->key_size);
    uint64_t *counts = counts_of(f, number), m = 0;
    ww__dictionary_clear(d, counters);
    for (uint64_t i = 0; i < n; i += BLOCK) {
        const size_t many = (size_t)ww__min_u64(BLOCK, n - i);
        if (m + BLOCK + 1 > f->part_rest) {
            __atomic_store_n(&f->overrun, true, __ATOMIC_RELAXED);
            return;
        }
        WW__LINES_FETCH(keys + i * r->key_size, BLOCK * r->key_size);
        m += find(d, keys + i * r->key_size, many, f->found + first + i, rest + m * r->key_size, places + m, (uint32_t)i);
        ww__dictionary_count(f->found + first + i, many, counters);
    }
    ww__dictionary_counts(d, counters, counts);
    counts[d->many] = m;
}

static void find_parts(void *argument, size_t worker) {
    frequent *f = argument;
    for (uint64_t number; (number = ww__claim(&f->next)) < f->parts;) {
        if (__atomic_load_n(&f->overrun, __ATOMIC_RELAXED)) return;
        find_part(f, number, ww__dictionary_counters(f->r, worker));
    }
}

/* ---- the rest ---- */

/* The input of a sort of the rest: keys one behind the other, and their values. */
static void gather_rest(frequent *f, unsigned char *values) {
    const ww__radix_run *r = f->r;
    const size_t size = r->value_size;
    f->rest = 0;
    for (uint64_t number = 0; number < f->parts; number++) {
        const uint64_t many = counts_of(f, number)[f->dictionary.many];
        const uint32_t *places = f->rest_places + number * f->part_rest;
        const unsigned char *from = ww__radix_value(r, WW__INPUT, part_first(f, number));
        memmove(f->rest_keys + f->rest * r->key_size, f->rest_keys + number * f->part_rest * r->key_size,
                (size_t)many * r->key_size);
        if (size == 4)
            for (uint64_t i = 0; i < many; i++) memcpy(values + (f->rest + i) * 4, from + (size_t)places[i] * 4, 4);
        else
            for (uint64_t i = 0; i < many; i++) memcpy(values + (f->rest + i) * 8, from + (size_t)places[i] * 8, 8);
        f->rest += many;
    }
}

/* How many of the sorted rest are below each frequent key. */
static void find_below(frequent *f) {
    const ww__radix_run *r = f->r;
    uint64_t low = 0;
    for (size_t k = 0; k < f->dictionary.many; k++) {
        const ww__word number = ww__radix_number(f->dictionary.key[k], r->key_size, &r->order);
        uint64_t high = f->rest;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (ww__radix_number_at(f->sorted_keys, r->key_size, middle, &r->order) < number)
                low = middle + 1;
            else
                high = middle;
        }
        f->below[k] = low;
    }
}

static void sort_gathered(frequent *f, void sort_rest(const ww__radix_run *run, uint64_t n)) {
    const ww__radix_run *r = f->r;
    const uint64_t room = f->parts * f->part_rest;
    ww__radix_run rest = *r;
    unsigned char *free_room = ww__radix_key(r, WW__RESULT, 0);
    rest.pairs = NULL;
    rest.keys[WW__INPUT] = f->rest_keys;
    rest.values[WW__INPUT] = free_room;
    rest.values[WW__SCRATCH] = free_room + room * r->value_size;
    rest.keys[WW__SCRATCH] = free_room + 2 * room * r->value_size;
    rest.keys[WW__RESULT] = f->sorted_keys;
    rest.values[WW__RESULT] = f->sorted_values;
    gather_rest(f, rest.values[WW__INPUT]);
    if (f->rest) sort_rest(&rest, f->rest);
    find_below(f);
}

/* ---- values ---- */

/* Counts become places: of all keys, key after key, part after part. */
static void place_parts(frequent *f) {
    uint64_t place = 0;
    for (size_t k = 0; k < f->dictionary.many; k++) {
        place += f->below[k] - (k ? f->below[k - 1] : 0);
        for (uint64_t number = 0; number < f->parts; number++) {
            uint64_t *count = &counts_of(f, number)[k], first = place;
            place += *count;
            *count = first;
        }
        f->end[k] = place;
    }
}

/* n values to where each slot's next one goes; the line that comes next there is asked for. */
#define MOVE(VALUE) \
    typedef VALUE any_##VALUE __attribute__((aligned(1), may_alias)); \
    static void move_##VALUE(const void *values, const uint16_t *WW__R found, size_t n, unsigned char **WW__R to) { \
        const any_##VALUE *v = values; \
        for (size_t j = 0; j < n; j++) { \
            any_##VALUE *at = (any_##VALUE *)(void *)to[found[j]]; \
            to[found[j]] += sizeof(VALUE); \
            __builtin_prefetch((const char *)at + 64, 1); \
            *at = v[j]; \
        } \
    }
MOVE(uint32_t)
MOVE(uint64_t)

static void move_parts(void *argument, size_t worker) {
    frequent *f = argument;
    const ww__radix_run *r = f->r;
    const ww__dictionary *d = &f->dictionary;
    unsigned char **to = (unsigned char **)(void *)ww__radix_desk(r, worker);
    for (uint64_t number; (number = ww__claim(&f->next)) < f->parts;) {
        const uint64_t end = part_first(f, number + 1);
        for (size_t k = 0; k < d->many; k++)
            to[d->slot[k]] = f->to_values + counts_of(f, number)[k] * r->value_size;
        for (uint64_t i = part_first(f, number); i < end; i += BLOCK) {
            const size_t many = (size_t)ww__min_u64(BLOCK, end - i);
            const unsigned char *values = ww__radix_value(r, WW__INPUT, i);
            WW__LINES_FETCH(values, BLOCK * r->value_size);
            to[ww__dictionary_none(d)] = ww__radix_lines(r, worker); /* of no use there */
            (r->value_size == 4 ? move_uint32_t : move_uint64_t)(values, f->found + i, many, to);
        }
    }
}
_Static_assert((WW__DICTIONARY_SLOTS + 1) * sizeof(unsigned char *) <= WW__RADIX_TABLE_BYTES + WW__RADIX_START_BYTES,
               "where values go lies where tables and starts do");

/* ---- the result ---- */

static void write_rest(const frequent *f, uint64_t to, uint64_t from, uint64_t n) {
    const ww__radix_run *r = f->r;
    memcpy(ww__radix_key(r, WW__RESULT, to), f->sorted_keys + from * r->key_size, (size_t)n * r->key_size);
    memcpy(ww__radix_value(r, WW__RESULT, to), f->sorted_values + from * r->value_size, (size_t)n * r->value_size);
}

static void write_same(const frequent *f, uint64_t first, uint64_t n, size_t k) {
    const ww__radix_run *r = f->r;
    const uint64_t number = (uint64_t)ww__radix_number(f->dictionary.key[k], r->key_size, &r->order);
    const uint32_t four = (uint32_t)number;
    r->loops->repeat(ww__radix_key(r, WW__RESULT, first), (size_t)n,
                     r->key_size == 4 ? (const void *)&four : (const void *)&number, &r->order);
    if (f->to_values != r->values[WW__RESULT])
        memcpy(ww__radix_value(r, WW__RESULT, first), f->to_values + first * r->value_size,
               (size_t)n * r->value_size);
}

/* The first key whose elements end behind place i; or all. */
static size_t key_behind(const frequent *f, uint64_t i) {
    size_t low = 0, high = f->dictionary.many;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (f->end[middle] <= i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void write_pieces(void *argument, size_t worker) {
    frequent *f = argument;
    const uint64_t piece = WW__RADIX_PIECE / f->r->key_size;
    const size_t many = f->dictionary.many;
    (void)worker;
    for (uint64_t first; (first = ww__claim(&f->next) * piece) < f->n;) {
        const uint64_t end = ww__min_u64(first + piece, f->n);
        for (size_t k = key_behind(f, first); first < end; k++) {
            /* The rest between two keys, and then the key. */
            const uint64_t before = k ? f->end[k - 1] : 0, below = k ? f->below[k - 1] : 0;
            const uint64_t same = k < many ? before + f->below[k] - below : f->n;
            const uint64_t stop = ww__min_u64(same, end), same_end = k < many ? ww__min_u64(f->end[k], end) : end;
            if (first < stop) {
                write_rest(f, first, below + first - before, stop - first);
                first = stop;
            }
            if (first < same_end) {
                write_same(f, first, same_end - first, k);
                first = same_end;
            }
        }
    }
}

/* ---- the whole ---- */

/* Where everything lies: what is said at the top. */
static void take_room(frequent *f) {
    const ww__radix_run *r = f->r;
    f->part_n = f->n / r->parts_room + 1;
    f->parts = (f->n + f->part_n - 1) / f->part_n;
    f->part_rest = f->n / REST / f->parts / 64 * 64;
    f->found = (uint16_t *)(void *)r->keys[WW__SCRATCH];
    f->sorted_keys = r->keys[WW__SCRATCH] + ww__round_up((size_t)f->n * sizeof *f->found, 64);
    f->sorted_values = f->sorted_keys + f->parts * f->part_rest * r->key_size;
    f->rest_keys = r->values[WW__SCRATCH];
    f->rest_places = (uint32_t *)(void *)(f->rest_keys + f->parts * f->part_rest * r->key_size);
    f->to_values = r->values[WW__INPUT] == r->values[WW__RESULT] ? r->values[WW__SCRATCH] : r->values[WW__RESULT];
}

/* Whether vectors that compare are faster: they are where one key is a large part, which they part early from all others. */
static bool by_comparing(const frequent *f) {
    return f->r->pairs_parts && f->n <= COMPARED_MOST && f->dictionary.most_often > f->dictionary.taken / DOMINATING;
}

bool ww__radix_frequent_pairs(const ww__radix_run *r, uint64_t n, const ww__radix_sample *sample,
                              void sort_rest(const ww__radix_run *run, uint64_t n)) {
    frequent f = {.r = r, .n = n};
    if ((r->key_size != 4 && r->key_size != 8) || (r->value_size != 4 && r->value_size != 8)) return false;
    if (r->pairs_parts && r->key_size == 4) return false; /* a quicksort is faster: 1.1 to 1.5 times (a Xeon, 2026-11) */
    if (n < LEAST || n >> 32 || ww__radix_repeated(sample, r->key_size) < REPEATED) return false;
    ww__dictionary_look(r, n, &f.dictionary);
    if (!ww__dictionary_suits(&f.dictionary, REST) || by_comparing(&f)) return false;
    ww__dictionary_make(&f.dictionary);
    take_room(&f);
    run(&f, find_parts);
    if (f.overrun) return false;
    sort_gathered(&f, sort_rest);
    place_parts(&f);
    run(&f, move_parts);
    run(&f, write_pieces);
    return true;
}
