/* Elements of one byte: how often each of the 256 occurs is counted first, whatever the bins; then the bins of those that occur
 * are found, once each, and their numbers added. The input is read once, eight elements at a time, and what limits counting is one
 * store an element. Each of the eight has a table of its own, so that equal neighbours do not wait for one another's stores; 64
 * equal ones, as pictures and padded files have them, are one addition.
 *
 * Where an element has no bin and that is a fault, the input is read again up to the first one. */
#include "primitive/histogram/sides.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "function/function.h"

enum {
    VALUES = 256,
    LANES = 8,
    TILE = 16384,
    TILES_A_PIECE = 2, /* some ten microseconds */
    LINE = 64,
    AHEAD = 768, /* bytes that memory is asked for ahead of time */
};
static const uint64_t ROUND = (uint64_t)1 << 31; /* elements after which the tables, of u32, are added up */

typedef struct worker_counts {
    uint32_t lane[LANES][VALUES];
    uint64_t all[VALUES];
    uint64_t counted; /* in `lane` */
} worker_counts;

typedef struct counting {
    const ww_device *device;
    const ww_input *in;
    size_t tile, room;
    worker_counts *counts;
    unsigned char *buffers;
    uint64_t next;
} counting;

static inline uint64_t eight_at(const uint8_t *x) {
    uint64_t word;
    memcpy(&word, x, sizeof word);
    return word;
}

/* By two bytes: both of the lowest two are read from a register without a shift on x86-64. */
#define COUNT_TWO(l) \
    lane[l][(uint8_t)word]++; \
    lane[l + 1][(uint16_t)word >> 8]++;

static inline __attribute__((always_inline)) void count_eight(uint32_t (*WW__R lane)[VALUES], uint64_t word) {
    COUNT_TWO(0)
    word >>= 16;
    COUNT_TWO(2)
    word >>= 16;
    COUNT_TWO(4)
    word >>= 16;
    COUNT_TWO(6)
}

static bool all_equal(const uint8_t *x, uint64_t first) {
    uint64_t different = 0;
    for (size_t k = 8; k < LINE; k += 8) different |= eight_at(x + k) ^ first;
    return !different;
}

/* A word is read before the one in front of it is counted: the processor does not see that a counter's store leaves it alone. */
__attribute__((noinline)) static void count_tile(uint32_t (*WW__R lane)[VALUES], const uint8_t *x, size_t n) {
    size_t i = 0;
    uint64_t even = n >= LINE + 8 ? eight_at(x) : 0, odd;
    for (; i + LINE + 8 <= n; i += LINE) {
        __builtin_prefetch(x + i + AHEAD);
        if (even == (even << 8 | even >> 56) && all_equal(x + i, even)) {
            lane[0][even & 255] += LINE;
            even = eight_at(x + i + LINE);
            continue;
        }
        odd = eight_at(x + i + 8), count_eight(lane, even), even = eight_at(x + i + 16), count_eight(lane, odd);
        odd = eight_at(x + i + 24), count_eight(lane, even), even = eight_at(x + i + 32), count_eight(lane, odd);
        odd = eight_at(x + i + 40), count_eight(lane, even), even = eight_at(x + i + 48), count_eight(lane, odd);
        odd = eight_at(x + i + 56), count_eight(lane, even), even = eight_at(x + i + LINE), count_eight(lane, odd);
    }
    for (; i < n; i++) lane[i % LANES][x[i]]++;
}

/* A round's counts are below 2^32. */
#define ADD_LANES(width, unused) \
    WW__LOOP(width) void add_lanes_##width(uint64_t *WW__R all, const uint32_t *WW__R lanes) { \
        for (size_t v = 0; v < VALUES; v++) { \
            uint32_t sum = 0; \
            _Pragma("GCC unroll 8") for (size_t l = 0; l < LANES; l++) sum += lanes[l * VALUES + v]; \
            all[v] += sum; \
        } \
    } \
    static add_loop *const ww__loops_add_##width = add_lanes_##width;
typedef void add_loop(uint64_t *WW__R all, const uint32_t *WW__R lanes);
WW__EACH_WIDTH(ADD_LANES, 0)
static add_loop *const *const add_by_width[WW_VECTORS] = WW__TABLES(add);

static void add_lanes(const counting *c, worker_counts *mine) {
    (*add_by_width[c->device->vector])(mine->all, mine->lane[0]);
}

static void begin_round(worker_counts *mine) {
    memset(mine->lane, 0, sizeof mine->lane);
    mine->counted = 0;
}

static void count_pieces(void *argument, size_t worker) {
    counting *c = argument;
    worker_counts *const mine = &c->counts[worker];
    const uint64_t piece = c->tile * TILES_A_PIECE;
    memset(mine->all, 0, sizeof mine->all);
    begin_round(mine);
    for (uint64_t first; (first = ww__claim_light(c->device, worker, &c->next) * piece) < c->in->count;) {
        const uint64_t end = ww__min_u64(first + piece, c->in->count);
        if (mine->counted + piece > ROUND) {
            add_lanes(c, mine);
            begin_round(mine);
        }
        mine->counted += end - first;
        for (; first < end; first += c->tile) {
            const size_t n = (size_t)ww__min_u64(c->tile, end - first);
            count_tile(mine->lane, ww__input_read(c->device, c->in, first, n, c->buffers + worker * c->room), n);
        }
    }
    add_lanes(c, mine);
}

/* The first element that is one of those that have no bin. */
static void find_fault(const counting *c, const bool *without, ww__fault *fault) {
    for (uint64_t first = 0; first < c->in->count; first += c->tile) {
        const size_t n = (size_t)ww__min_u64(c->tile, c->in->count - first);
        const uint8_t *x = ww__input_read(c->device, c->in, first, n, c->buffers);
        for (size_t i = 0; i < n; i++)
            if (without[x[i]]) {
                ww__fault_at(fault, first + i);
                return;
            }
    }
}

static void add_to(const ww_array *counts, size_t bin, uint64_t many) {
    if (counts->type == &ww_type_uint32_t)
        ((uint32_t *)counts->data)[bin] += (uint32_t)many;
    else
        ((uint64_t *)counts->data)[bin] += many;
}

/* Whether each value is its own bin, as most bytes are. */
static bool are_their_bins(const uint32_t *bin) {
    uint32_t different = 0;
    for (uint32_t v = 0; v < VALUES; v++) different |= bin[v] ^ v;
    return !different;
}

static void copy_counts(const ww_array *counts, const uint64_t *occurs) {
    uint32_t *const narrow = counts->data;
    if (counts->type == &ww_type_uint32_t)
        for (size_t v = 0; v < VALUES; v++) narrow[v] = (uint32_t)occurs[v];
    else
        memcpy(counts->data, occurs, VALUES * sizeof *occurs);
}

/* counts[b] = how many elements have bin b; returns how many have none, and says which values those are. */
static uint64_t put_bins(const uint64_t *occurs, const ww__binning *binning, const ww_array *counts, bool *without) {
    uint8_t value[VALUES];
    uint32_t bin[VALUES];
    size_t many = 0;
    uint64_t outside = 0;
    for (size_t v = 0; v < VALUES; v++) {
        value[many] = (uint8_t)v;
        many += occurs[v] != 0;
        without[v] = false;
    }
    memset(counts->data, 0, (size_t)counts->count * counts->size);
    if (many)
        binning->loop(binning->plan, bin, value,
                      many); /* values that occur, no others: a caller's function may want that */
    if (many == VALUES && counts->count >= VALUES && are_their_bins(bin)) {
        memset(without, 0, VALUES * sizeof *without);
        copy_counts(counts, occurs);
        return 0;
    }
    for (size_t k = 0; k < many; k++) {
        without[value[k]] = bin[k] >= counts->count;
        if (without[value[k]])
            outside += occurs[value[k]];
        else
            add_to(counts, bin[k], occurs[value[k]]);
    }
    return outside;
}

ww_status ww__histogram_bytes_cpu(ww_device *device, const ww_input *in, const ww__binning *binning,
                                  const ww_array *counts, const ww_array *outside, ww__fault *fault) {
    const size_t workers = ww__workers(device, in->count), tile = ww__tile(1) < TILE ? ww__tile(1) : TILE;
    counting c = {.device = device, .in = in, .tile = tile, .room = ww__round_up(ww__input_room(in, tile), 64)};
    bool without[VALUES];
    ww__trace(device, "bytes", binning->function, in->count, ww__input_bytes(in), workers);
    WW_TRY(ww__scratch_array(device, workers, sizeof *c.counts, &c.counts));
    WW_TRY(ww__scratch_array(device, workers, c.room, &c.buffers));
    if (device->on_paper) return WW_OK;
    ww__parallel_light(device, workers, in->count, count_pieces, &c);
    uint64_t *const all = c.counts[0].all;
    for (size_t w = 1; w < workers; w++)
        for (size_t v = 0; v < VALUES; v++) all[v] += c.counts[w].all[v];
    const uint64_t none = put_bins(all, binning, counts, without);
    if (none && binning->strict) find_fault(&c, without, fault);
    if (!ww__is_none(outside)) *(uint64_t *)outside->data = none;
    return WW_OK;
}
