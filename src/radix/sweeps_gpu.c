/* The host side of sorts and splits by sweeps: one launch that counts all digits, where it may pay one that counts those of letters'
 * codes (letters.cuh), and one for the sweep over each digit, which leaves at once where all keys agree in it, or are in order
 * already; of few elements one for all sweeps. Many keys that are in descending order are reversed by one launch more. Nothing is
 * read back. */
#include "radix/sweeps_gpu.h"

#include "device/gpu/batch.h"
#include "radix/count_arguments.cuh"
#include "radix/count_letters_arguments.cuh"
#include "radix/letters.cuh"
#include "radix/sweep_arguments.cuh"
#include "radix/turn_arguments.cuh"

enum { BINS_MOST = 256, BINS_LEAST = 32, DIGIT_BITS = 8, SWEEPS_MOST = 16, WARP = 32 };
enum { FROM_INPUT_TO_OUTPUT = 1 + 0 * 2 + 1 * 8 }; /* of digits.cuh's SWEEP_RUNS, SWEEP_FROM, SWEEP_TO */
enum { RULE_IN_PLACE = 1, RULE_MOVES = 2, RULE_LOOKS = 4, RULE_TURNS = 8, RULE_ALIKE = 16 }; /* of count_digits.cu */

typedef struct sweeps {
    ww_device *device;
    const ww__sweeping *job;
    bool counted, in_place, moves;
    bool general;      /* one plan for all numbers of elements and widths of digits: where nothing compiles */
    bool looks, turns; /* whether keys are in order matters; if they descend, that they are reversed */
    uint32_t sweeps, width, bins; /* digits, the bits of each, and the room for its bins */
    uint32_t letter_bits;         /* of a letter's code, at most, where keys may be coded; or 0 */
} sweeps;

/* ---- tuning ---- */

/* What a tile's plan goes by: whether there are values, and whether digits have all 256 bins, fewer, or are what a function, a
 * division or edges say; of keys alone also whether they are of 8 bytes, or the digit of one bit, or buckets are shifted. */
typedef enum tile_kind {
    KEYS,
    KEYS_ONE_BIT,
    KEYS_ALL_BINS,
    KEYS_ALL_BINS_8,
    KEYS_SHIFTED,
    KEYS_FUNCTION,
    PAIRS,
    PAIRS_ALL_BINS,
    PAIRS_FUNCTION,
    TILE_KINDS
} tile_kind;

typedef struct tile_tuning {
    uint32_t threads, items, items_8, blocks; /* items_8: of keys of 8 bytes */
    uint32_t bytes;                           /* of a thread's elements, at most */
} tile_tuning;

/* Measured on an H100, 2026-11, in G elements a second with the count. Many elements a thread make long runs of a bin, which
 * are written in whole sectors, and few threads leave registers for them.
 *     keys of 4 bytes, 256 bins        384 threads x 33, two blocks   177 (512 x 20: 166, 256 x 32: 172)
 *     fewer bins                       256 x 32, three blocks         218; one bit, 26 each: 223 (32 each: 168)
 *     by functions, edges, divisions   384 x 24, two blocks           173 to 190
 *     8 bytes, 256 bins                256 threads x 33, two blocks  (384 x 36, one block: 0.97 of its rate; 384 x 24, two: 0.85;
 *                                      512 x 28, one: 0.98, 768 x 24, one: 0.82)
 *     4 + 4 bytes, 256 bins            384 x 48, one block            112 (640 x 18: 97, 512 x 28: 103; values not asked for early:
 *                                      107)
 *     8 + 8 bytes, 256 bins            384 x 28, one block            62 (512 x 20: 61)
 *     4 + 4 bytes, fewer bins          256 x 28, three blocks         138; by functions 384 x 20, two: 126
 * Shifted buckets of keys of 4 bytes, half of which are another GPU's (2^29 keys on each of two, a group's split): 384 x 48, one block: 5.14 to
 * 5.29 ms; 384 x 72: 5.15, 384 x 64: 5.18, 512 x 48: 5.30, 768 x 33: 5.35, 384 x 33, two blocks: 5.54.
 * Counters are those of histograms (2026-11): with 32 a bin lanes never meet. Small tiles have 256 threads, so that each has one
 * bin, and words and positions of 64 bits for keys of one byte, so that those are met too. */
#define SMALL_TILE \
    { 256, 2, 3, 1, 136 }
static const struct tuning {
    tile_tuning tile[TILE_KINDS];
    uint64_t letters_least;              /* keys, from so many on, may be coded */
    uint64_t turned_least;               /* descending keys, from so many on, are reversed by a launch more */
    uint64_t narrow_most, narrow_most_1; /* elements whose positions stand in words of 32 bits; of keys of one byte */
    uint32_t copies;                     /* counters of a bin */
    uint32_t count_threads, count_rows, count_held; /* count_held: blocks of a processor, at most */
} tunings[WW__TILINGS] = {
    [WW__TILES_GPU] = {.tile = {[KEYS] = {256, 32, 32, 3, 136},
                                [KEYS_ONE_BIT] = {256, 26, 26, 3, 136},
                                [KEYS_ALL_BINS] = {384, 33, 33, 2, 136},
                                [KEYS_ALL_BINS_8] = {256, 33, 33, 2, 288},
                                [KEYS_SHIFTED] = {384, 48, 36, 1, 288},
                                [KEYS_FUNCTION] = {384, 24, 24, 2, 136},
                                [PAIRS] = {256, 28, 28, 3, 224},
                                [PAIRS_ALL_BINS] = {384, 48, 48, 1, 448},
                                [PAIRS_FUNCTION] = {384, 20, 20, 2, 224}},
                       .letters_least = 3 << 20,
                       .turned_least = 1 << 22,
                       .narrow_most = UINT32_MAX / 4,
                       .narrow_most_1 = UINT32_MAX / 4,
                       .copies = 32,
                       .count_threads = 1024,
                       .count_rows = 4,
                       .count_held = UINT32_MAX},
    [WW__TILES_SMALL] = {.tile = {SMALL_TILE, SMALL_TILE, SMALL_TILE, SMALL_TILE, SMALL_TILE, SMALL_TILE, SMALL_TILE,
                                  SMALL_TILE, SMALL_TILE},
                         .letters_least = 3000,
                         .turned_least = 6000,
                         .narrow_most = UINT32_MAX / 4,
                         .narrow_most_1 = 0,
                         .copies = 2,
                         .count_threads = 256,
                         .count_rows = 1,
                         .count_held = 1},
};

static const struct tuning *tuning_of(const ww_device *device) { return &tunings[device->gpu->driver->tiles]; }

/* Bits of a letter's code for which it pays to count once more: two sweeps less, or one that moves values too. */
static uint32_t letter_bits_of(ww_device *device, const ww__sweeping *job) {
    enum { OF_KEYS = 6, OF_PAIRS = 7 };
    const bool wide = job->key_size == LETTER_BYTES && job->bit_count == 8 * LETTER_BYTES;
    const bool many = job->n >= tuning_of(device)->letters_least >> device->gpu->driver->sooner;
    if (!wide || !many || job->by || job->count_at || !ww__gpu_compiles(device)) return 0;
    return job->value_size == LETTER_BYTES ? OF_PAIRS : OF_KEYS;
}

static sweeps usual_sweeps(ww_device *device, const ww__sweeping *job) {
    sweeps r = {.device = device, .job = job, .counted = job->value_size && !job->values};
    const bool values_stay = job->value_size && job->values == job->values_out;
    r.in_place = job->keys == job->keys_out || values_stay;
    r.moves = job->keys != job->keys_out || (job->value_size && !values_stay);
    r.sweeps = (job->bit_count + DIGIT_BITS - 1) / DIGIT_BITS;
    if (!r.sweeps) r.sweeps = 1;
    /* From the output to scratch memory and back: see count_digits.cu. */
    if (r.in_place) r.sweeps += r.sweeps % 2;
    /* A launch that has nothing to do takes 2 us. */
    r.looks = job->looks && r.sweeps > 1;
    r.turns = r.looks && job->n >= tuning_of(device)->turned_least >> device->gpu->driver->sooner;
    r.letter_bits = letter_bits_of(device, job);
    r.width = (job->bit_count + r.sweeps - 1) / r.sweeps;
    r.bins = BINS_LEAST;
    while (r.bins < 1u << r.width) r.bins *= 2;
    return r;
}

/* ---- a tile ---- */

static size_t element_bytes(const ww__sweeping *job) { return job->key_size + job->value_size; }
static bool by_function(const ww__sweeping *job) { return job->by && job->by->how; }

/* Whether a key may have no bucket. */
static bool looks(const ww__sweeping *job) { return job->by && (job->by->how || job->by->checked); }

/* Bits of a digit, if lanes find one another by ballots: few are faster than masks in shared memory. */
static uint32_t ballots(uint32_t width) {
    enum { MOST = 3 };
    return width > MOST ? 0 : width ? width : 1;
}

/* Whether keys and values take turns in shared memory: pays while runs of a bin are long. */
static bool takes_turns(const ww__sweeping *job, uint32_t bins) { return job->value_size && bins < BINS_MOST; }

static size_t tile_shared(const ww__sweeping *job, uint32_t bins, uint32_t width, const ww__tile_plan *p) {
    enum { REST = 160 };
    const size_t tile = (size_t)p->threads * p->items, tables = ballots(width) ? 1 : 2;
    const size_t larger = job->key_size > job->value_size ? job->key_size : job->value_size;
    const bool turns = takes_turns(job, bins);
    size_t bytes = tile * (turns ? larger : element_bytes(job)) + tables * p->threads / WARP * bins * sizeof(uint32_t) +
                   bins * sizeof(uint64_t) + REST;
    if (turns || by_function(job)) bytes += tile;
    if (by_function(job)) bytes += job->key_size * (ww__shared_edges(job->by) + 1) + 32;
    return ww__round_up(bytes, 64);
}

size_t ww__tile_shared(const ww__sweeping *job, const ww__tile_plan *p) {
    return tile_shared(job, BINS_MOST, DIGIT_BITS, p);
}

static size_t sweep_shared(const sweeps *r, const ww__tile_plan *p) {
    return tile_shared(r->job, r->bins, r->general ? DIGIT_BITS : r->width, p) + (r->letter_bits ? sizeof(ww_letters) : 0);
}

static tile_kind kind_of(const sweeps *r) {
    const ww__sweeping *job = r->job;
    const bool many = r->bins == BINS_MOST, function = by_function(job);
    if (job->value_size) return many ? PAIRS_ALL_BINS : function ? PAIRS_FUNCTION : PAIRS;
    if (function) return KEYS_FUNCTION;
    if (many && job->shift) return KEYS_SHIFTED;
    if (many) return job->key_size == 8 ? KEYS_ALL_BINS_8 : KEYS_ALL_BINS;
    return r->width <= 1 ? KEYS_ONE_BIT : KEYS;
}

/* What every GPU that kernel packs are for has room for. */
static ww__tile_plan general_plan(const sweeps *r) {
    const ww__driver *driver = r->device->gpu->driver;
    const size_t most = ww__min_u64(driver->shared_most, WW__SHARED_EVERYWHERE);
    ww__tile_plan p = {BINS_MOST, 16, 1};
    while (p.items > 1 && sweep_shared(r, &p) > most) p.items--;
    return p;
}

static ww__tile_plan plan_of(const sweeps *r) {
    enum { ITEMS_LEAST = 6 };
    const ww__driver *driver = r->device->gpu->driver;
    const ww__sweeping *job = r->job;
    if (r->general) return general_plan(r);
    const tile_tuning *t = &tuning_of(r->device)->tile[kind_of(r)];
    ww__tile_plan p = {t->threads, job->key_size == 8 ? t->items_8 : t->items, t->blocks};
    while (p.items > 2 && p.items * element_bytes(job) > t->bytes) p.items--;
    /* Every processor gets a tile; but fewer elements a thread than six, and more tiles to look back over, take longer (an H200, an lsm's
     * insertions of 2^16 pairs, which are a sort of as many above all: 1.65 G/s with six, 1.54 with four, 1.51 with eight). */
    while (p.items > ITEMS_LEAST && job->n / (p.threads * p.items) < driver->processors)
        p.items = p.items / 2 < ITEMS_LEAST ? ITEMS_LEAST : p.items / 2;
    while (p.items > 1 && sweep_shared(r, &p) > driver->shared_most) p.items--;
    if (sweep_shared(r, &p) > driver->shared_most) p.threads = 256;
    return p;
}

void ww__recipe_digits(const ww_device *device, ww__recipe *recipe, size_t key_size, uint32_t order, uint32_t bins) {
    ww__recipe_number(recipe, "WW_ORDER", ww__gpu_compiles(device) ? order : WW_KEY_ANY);
    ww__recipe_number(recipe, "WW_KEY", key_size);
    ww__recipe_number(recipe, "WW_BINS", bins);
    ww__recipe_number(recipe, "WW_BY", 0);
    ww__recipe_number(recipe, "WW_CHECKED", 0);
}

static void recipe_keys(const ww_device *device, ww__recipe *recipe, const ww__sweeping *job, uint32_t bins) {
    if (!job->by) {
        ww__recipe_digits(device, recipe, job->key_size, ww__sweeping_order(job), bins);
        return;
    }
    ww__recipe_number(recipe, "WW_ORDER", 0);
    ww__recipe_number(recipe, "WW_KEY", job->key_size);
    ww__recipe_number(recipe, "WW_BINS", bins);
    ww__recipe_buckets(recipe, job->by, job->keys);
}

static void recipe_tile(const ww_device *device, ww__recipe *recipe, const ww__sweeping *job, uint32_t bins,
                        uint32_t width, const ww__tile_plan *p, bool wide) {
    enum { GROUP = 2 };
    ww__recipe_number(recipe, "WW_THREADS", p->threads);
    ww__recipe_number(recipe, "WW_ITEMS", p->items);
    ww__recipe_number(recipe, "WW_BLOCKS", p->blocks);
    ww__recipe_number(recipe, "WW_GROUP", GROUP);
    ww__recipe_number(recipe, "WW_WIDE", wide);
    ww__recipe_number(recipe, "WW_VALUE", job->value_size);
    ww__recipe_number(recipe, "WW_COUNTED", job->value_size && !job->values);
    ww__recipe_number(recipe, "WW_BALLOT", ballots(width));
    ww__recipe_number(recipe, "WW_TURNS", takes_turns(job, bins));
    ww__recipe_number(recipe, "WW_FETCHED", job->value_size && bins == BINS_MOST);
    recipe_keys(device, recipe, job, bins);
}

void ww__recipe_tile(const ww_device *device, ww__recipe *recipe, const ww__sweeping *job, const ww__tile_plan *p,
                     bool wide) {
    recipe_tile(device, recipe, job, BINS_MOST, DIGIT_BITS, p, wide);
}

/* ---- the count, and which programs there are ---- */

/* Few programs for all numbers of sweeps. */
static uint32_t sweeps_room(const sweeps *r) {
    uint32_t room = !r->general ? 1 : r->job->key_size > 1 ? (uint32_t)r->job->key_size : 2;
    while (room < r->sweeps) room *= 2;
    return room;
}

/* With 32 counters a bin a sweep's digits take 32 KiB, and few keys are not worth the clearing. */
static uint32_t copies_of(const sweeps *r, uint32_t room) {
    enum { KEYS_A_COUNTER = 16, RESERVE = 1 << 10 };
    const ww__driver *driver = r->device->gpu->driver;
    const uint64_t of_block = r->job->n / driver->processors;
    uint32_t copies = tuning_of(r->device)->copies;
    if (r->general) return 2;
    while (copies > 1 && (room * r->bins * copies * sizeof(uint32_t) + RESERVE > driver->shared_most ||
                          (copies > 4 && of_block < (uint64_t)KEYS_A_COUNTER * copies * r->bins)))
        copies /= 2;
    return copies;
}

/* How digits are counted, with `room` for so many sweeps. */
typedef struct count_plan {
    uint32_t threads, rows, items, room, copies;
} count_plan;

static count_plan count_plan_of(const sweeps *r) {
    enum { WORD = 16, ITEMS_MOST = 4 };
    const ww__sweeping *job = r->job;
    const struct tuning *const t = tuning_of(r->device);
    const bool vectors = (uintptr_t)job->keys % WORD == 0;
    count_plan p = {.threads = t->count_threads, .rows = t->count_rows, .room = sweeps_room(r)};
    p.items = !vectors || job->key_size == WORD   ? 1
              : WORD / job->key_size < ITEMS_MOST ? (uint32_t)(WORD / job->key_size)
                                                  : ITEMS_MOST;
    /* Every processor gets something to count. */
    while (p.rows > 1 && (r->general || job->n / ((uint64_t)p.threads * p.rows * p.items) <
                                            2 * (uint64_t)r->device->gpu->driver->processors))
        p.rows /= 2;
    p.copies = copies_of(r, p.room);
    return p;
}

static void recipe_count(const sweeps *r, const count_plan *p, ww__recipe *recipe) {
    ww__recipe_begin(recipe, "radix/count_digits.cu");
    ww__recipe_number(recipe, "WW_THREADS", p->threads);
    ww__recipe_number(recipe, "WW_ROWS", p->rows);
    ww__recipe_batch(recipe, p->items);
    ww__recipe_number(recipe, "WW_SWEEPS", p->room);
    ww__recipe_number(recipe, "WW_COPIES", p->copies);
    ww__recipe_counted(recipe, r->job->count_at);
    recipe_keys(r->device, recipe, r->job, r->bins);
    if (r->letter_bits) ww__recipe_number(recipe, "WW_LETTERS", 1);
}

/* The same plan, with room for codes' digits. */
static count_plan letters_plan_of(const sweeps *r) {
    enum { RESERVE = 1 << 10 };
    count_plan p = count_plan_of(r);
    p.room = r->letter_bits;
    p.copies = tuning_of(r->device)->copies;
    while (p.copies > 1 && p.room * BINS_MOST * p.copies * sizeof(uint32_t) + RESERVE > r->device->gpu->driver->shared_most)
        p.copies /= 2;
    return p;
}

static void recipe_letters(const sweeps *r, const count_plan *p, ww__recipe *recipe) {
    ww__recipe_begin(recipe, "radix/count_letters.cu");
    ww__recipe_number(recipe, "WW_THREADS", p->threads);
    ww__recipe_number(recipe, "WW_ROWS", p->rows);
    ww__recipe_batch(recipe, p->items);
    ww__recipe_number(recipe, "WW_BITS", p->room);
    ww__recipe_number(recipe, "WW_COPIES", p->copies);
    ww__recipe_digits(r->device, recipe, r->job->key_size, ww__sweeping_order(r->job), BINS_MOST);
}

static bool is_wide(const sweeps *r) {
    const struct tuning *const t = tuning_of(r->device);
    return r->job->n > (r->job->key_size == 1 ? t->narrow_most_1 : t->narrow_most);
}

static void recipe_sweep(const sweeps *r, const ww__tile_plan *p, ww__recipe *recipe) {
    ww__recipe_begin(recipe, "radix/sweep.cu");
    recipe_tile(r->device, recipe, r->job, r->bins, r->general ? DIGIT_BITS : r->width, p, is_wide(r));
    ww__recipe_counted(recipe, r->job->count_at);
    if (r->job->shift) ww__recipe_number(recipe, "WW_SHIFTED", 1);
    if (r->letter_bits) ww__recipe_number(recipe, "WW_LETTERS", 1);
}

/* A GPU has what sweeps as usual, and what counts for them; shifted buckets were counted before. */
static bool has_programs(const sweeps *r) {
    const ww__tile_plan tile = plan_of(r);
    const count_plan count = count_plan_of(r);
    ww__recipe recipe;
    recipe_sweep(r, &tile, &recipe);
    if (!ww__gpu_has(r->device, &recipe)) return false;
    recipe_count(r, &count, &recipe);
    return r->job->shift || ww__gpu_has(r->device, &recipe);
}

/* Where nothing compiles, digits of any width are counted in as many bins as the widest has. */
static sweeps sweeps_of(ww_device *device, const ww__sweeping *job) {
    sweeps r = usual_sweeps(device, job);
    if (ww__gpu_compiles(device)) return r;
    r.general = !has_programs(&r);
    if (r.general) r.bins = BINS_MOST;
    return r;
}

bool ww__sweeps_ready(ww_device *device, const ww__sweeping *job) {
    return ww__gpu_compiles(device) || !sweeps_of(device, job).general;
}

/* ---- sweeps ---- */

/* What the kernels tell one another, in scratch memory. */
typedef struct board {
    uint64_t *counts;        /* bins of each sweep */
    uint32_t *plan;          /* of each sweep */
    uint32_t *tickets;       /* of the count, then of each sweep */
    uint32_t *prefix, *seen; /* behind them */
    uint64_t *arrived;       /* among the tickets */
    ww_letters *letters;
    unsigned char *words;    /* two sets of bins a tile; the first one is cleared */
    void *keys, *values;     /* the scratch copy, where there is more than one sweep */
} board;

static ww_status make_board(const sweeps *r, uint64_t tiles, size_t word, board *b) {
    ww_device *device = r->device;
    const size_t head = SWEEPS_MOST * BINS_MOST * sizeof(uint64_t), plan = 64, tickets = 128, letters = sizeof(ww_letters);
    size_t set, bytes;
    unsigned char *memory;
    WW_CHECK(device, ww__bytes(tiles, r->bins * word, &set) && ww__bytes(set, 2, &bytes), WW_LIMIT,
             "%llu keys are more than a GPU sorts or splits", (unsigned long long)r->job->n);
    WW_TRY(ww__scratch(device, head + plan + tickets + letters + bytes, &memory));
    *b = (board){.counts = (uint64_t *)(void *)memory,
                 .plan = (uint32_t *)(void *)(memory + head),
                 .tickets = (uint32_t *)(void *)(memory + head + plan),
                 .prefix = (uint32_t *)(void *)(memory + head + plan + tickets) - 1,
                 .seen = (uint32_t *)(void *)(memory + head + plan + tickets) - 2,
                 .arrived = (uint64_t *)(void *)(memory + head + plan + tickets - 2 * sizeof(uint64_t)),
                 .letters = (ww_letters *)(void *)(memory + head + plan + tickets),
                 .words = memory + head + plan + tickets + letters};
    if (r->sweeps > 1) {
        WW_TRY(ww__scratch_array(device, r->job->n, r->job->key_size, &b->keys));
        if (r->job->value_size) WW_TRY(ww__scratch_array(device, r->job->n, r->job->value_size, &b->values));
    }
    return ww__gpu_fill(device, memory, 0, head + plan + tickets + letters + set);
}

static uint32_t rules(const sweeps *r) {
    const bool alike = !r->job->value_size && r->job->bit_count == 8 * r->job->key_size;
    return (r->in_place ? RULE_IN_PLACE : 0) | (r->moves ? RULE_MOVES : 0) | (r->looks ? RULE_LOOKS : 0) |
           (r->turns ? RULE_TURNS : 0) | (alike ? RULE_ALIKE : 0);
}

/* As many blocks as a GPU holds at once, of 2048 threads and 227 KiB a processor. */
static uint64_t count_blocks(const sweeps *r, const count_plan *p, size_t shared) {
    const uint64_t fit = ww__min_u64(2048 / p->threads, ((size_t)220 << 10) / shared);
    const uint64_t held = ww__min_u64(fit, tuning_of(r->device)->count_held);
    return ww__min_u64(ww__blocks(r->job->n, (uint64_t)p->threads * p->rows * p->items),
                       r->device->gpu->driver->processors * (held ? held : 1));
}

/* Eight sweeps leave room behind their counts. */
static uint64_t *counts_of_codes(const board *b) { return b->counts + (size_t)LETTER_BYTES * BINS_MOST; }

static ww_status count_digits(const sweeps *r, const board *b, uint64_t most_in_bucket) {
    const ww__sweeping *job = r->job;
    const count_plan p = count_plan_of(r);
    const size_t edges = by_function(job) ? job->key_size * (ww__shared_edges(job->by) + 1) + 16 : 0;
    const size_t words = (size_t)p.room * r->bins * p.copies + (r->letter_bits ? 16 : 8);
    const size_t shared = ww__round_up(words * sizeof(uint32_t) + edges, 16);
    ww__recipe recipe;
    recipe_count(r, &p, &recipe);
    ww__arguments a;
    const count_fixed fixed = {.keys = job->keys,
                               .counts = b->counts,
                               .plan = b->plan,
                               .ticket = b->tickets,
                               .count = job->n,
                               .count_at = job->count_at,
                               .most_in_block = job->most_in_block,
                               .first = job->bit_first,
                               .bits = job->bit_count,
                               .width = r->width,
                               .rule = rules(r),
                               .sweeps = r->sweeps,
                               .order = ww__sweeping_order(job),
                               .most_in_bucket = most_in_bucket,
                               .prefix = b->prefix,
                               .seen = b->seen,
                               .done = job->done,
                               .letters = r->letter_bits ? b->letters : NULL,
                               .letter_bits = r->letter_bits};
    WW__ARGUMENTS(&a, fixed);
    if (looks(job)) WW_TRY(ww__argument_buckets(r->device, &a, job->by));
    return ww__gpu_launch(r->device, &recipe, "count_digits", count_blocks(r, &p, shared), p.threads, shared, &a);
}

static ww_status count_letters(const sweeps *r, const board *b) {
    const ww__sweeping *job = r->job;
    const count_plan p = letters_plan_of(r);
    const size_t shared = (size_t)p.room * BINS_MOST * p.copies * sizeof(uint32_t) + sizeof(ww_letters);
    ww__recipe recipe;
    recipe_letters(r, &p, &recipe);
    ww__arguments a;
    const count_letters_arguments fixed = {.keys = job->keys,
                                           .letters = b->letters,
                                           .counts = counts_of_codes(b),
                                           .ticket = b->tickets + 1 + SWEEPS_MOST,
                                           .count = job->n,
                                           .order = ww__sweeping_order(job)};
    WW__ARGUMENTS(&a, fixed);
    return ww__gpu_launch_early(r->device, &recipe, "count_letters", count_blocks(r, &p, shared), p.threads, shared, &a);
}

/* So many tiles are on a GPU's processors at once, each of which has some shared memory to itself for every block. */
static bool together(const sweeps *r, const ww__tile_plan *p, uint64_t tiles) {
    enum { OF_BLOCK = 1 << 10 };
    const ww__driver *driver = r->device->gpu->driver;
    const uint64_t fit = (driver->shared_most + OF_BLOCK) / (sweep_shared(r, p) + OF_BLOCK);
    return r->sweeps > 1 && !r->job->count_at && ww__gpu_compiles(r->device) &&
           tiles <= ww__min_u64(fit, p->blocks) * driver->processors;
}

/* The sweep with this number, or, with number 0, all of them in one launch. */
static ww_status sweep(const sweeps *r, const board *b, const ww__tile_plan *p, uint64_t tiles, uint32_t number, bool all) {
    const ww__sweeping *job = r->job;
    /* digits.cuh's digit_end and digit_begin. */
    const uint32_t above = (r->sweeps - 1 - number) * r->width, end = above < job->bit_count ? job->bit_count - above : 0,
                   begin = end > r->width ? end - r->width : 0;
    ww__recipe recipe;
    recipe_sweep(r, p, &recipe);
    if (all) ww__recipe_number(&recipe, "WW_TOGETHER", 1);
    ww__arguments a;
    const sweep_fixed fixed = {.keys = job->keys,
                               .keys_out = job->keys_out,
                               .keys_scratch = b->keys,
                               .values = job->values,
                               .values_out = job->values_out,
                               .values_scratch = b->values,
                               .first = job->shift ? job->shift + BINS_MOST : b->counts + (size_t)number * r->bins,
                               .shift = job->shift,
                               .first_coded = counts_of_codes(b) + (size_t)number * BINS_MOST,
                               .letters = r->letter_bits ? b->letters : NULL,
                               .plan = b->plan + number,
                               .ticket = b->tickets + 1 + number,
                               .arrived = b->arrived,
                               .words = b->words,
                               .count = job->n,
                               .tiles = tiles,
                               .count_at = job->count_at,
                               .first_value = job->first_value,
                               .low = job->bit_first + (all ? 0 : begin),
                               .bits = all ? job->bit_count : end - begin,
                               .order = ww__sweeping_order(job),
                               .sweeps = r->sweeps,
                               .width = r->width};
    WW__ARGUMENTS(&a, fixed);
    if (looks(job)) WW_TRY(ww__argument_buckets(r->device, &a, job->by));
    const size_t shared = sweep_shared(r, p);
    if (all) return ww__gpu_launch_together(r->device, &recipe, "sweep_digits", tiles, p->threads, shared, &a);
    const uint64_t held = (uint64_t)r->device->gpu->driver->processors * p->blocks;
    return (job->count_at || job->shift ? ww__gpu_launch : ww__gpu_launch_early)(
        r->device, &recipe, "sweep_digit", job->count_at ? ww__min_u64(tiles, held) : tiles, p->threads, shared, &a);
}

static ww_status sweep_all(const sweeps *r, const board *b, const ww__tile_plan *p, uint64_t tiles) {
    if (together(r, p, tiles)) return sweep(r, b, p, tiles, 0, true);
    for (uint32_t s = 0; s < r->sweeps; s++) WW_TRY(sweep(r, b, p, tiles, s, false));
    return WW_OK;
}

static ww_status turn_round(const sweeps *r, const board *b) {
    enum { THREADS = 256, ROWS = 4, BLOCKS = 8 };
    const ww__sweeping *job = r->job;
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "radix/turn_round.cu");
    ww__recipe_number(&recipe, "WW_THREADS", THREADS);
    ww__recipe_number(&recipe, "WW_VALUE", job->value_size);
    ww__recipe_number(&recipe, "WW_COUNTED", r->counted);
    ww__recipe_counted(&recipe, job->count_at);
    ww__recipe_digits(r->device, &recipe, job->key_size, 0, BINS_LEAST);
    ww__arguments a;
    const turn_arguments fixed = {.keys = job->keys,
                                  .keys_out = job->keys_out,
                                  .values = job->values,
                                  .values_out = job->values_out,
                                  .seen = b->seen,
                                  .count = job->n,
                                  .first_value = job->first_value,
                                  .count_at = job->count_at};
    WW__ARGUMENTS(&a, fixed);
    const uint64_t blocks = ww__min_u64(ww__blocks(job->n / 2, (uint64_t)THREADS * ROWS),
                                        (uint64_t)r->device->gpu->driver->processors * BLOCKS);
    return (job->count_at ? ww__gpu_launch : ww__gpu_launch_early)(r->device, &recipe, "turn_round", blocks, THREADS, 0,
                                                                   &a);
}

ww_status ww__sweeps_gpu(ww_device *device, const ww__sweeping *job, ww__swept *swept) {
    const sweeps r = sweeps_of(device, job);
    const ww__tile_plan p = plan_of(&r);
    const uint64_t tiles = ww__blocks(job->n, (uint64_t)p.threads * p.items);
    board b;
    WW_TRY(make_board(&r, tiles, is_wide(&r) ? sizeof(uint64_t) : sizeof(uint32_t), &b));
    if (job->shift)
        WW_TRY(ww__gpu_fill(device, b.plan, FROM_INPUT_TO_OUTPUT, 1));
    else
        WW_TRY(count_digits(&r, &b, swept ? swept->most_in_bucket : 0));
    if (r.letter_bits) WW_TRY(count_letters(&r, &b));
    WW_TRY(sweep_all(&r, &b, &p, tiles));
    if (r.turns) WW_TRY(turn_round(&r, &b));
    if (!swept) return WW_OK;
    *swept = (ww__swept){.first = b.counts,
                         .keys = b.keys,
                         .values = b.values,
                         .most_in_bucket = swept->most_in_bucket,
                         .prefix = b.prefix,
                         .prefix_bits = 2 * r.width};
    return WW_OK;
}
