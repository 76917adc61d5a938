/* The bytes that the stages of a multisplit ask of memory, an element, where it gives no offsets. K and V: bytes of a key and
 * of a value; m = 2^b buckets; L: bytes of a bucket's number (1, 2 or 4); P = 4: bytes of a position; T: elements of a tile.
 *
 *     on a GPU            prescan           scan                postscan
 *     direct, warp        d (K + 4m/T)      d 8m/T              d (2K + 2V + 4m/T)     T = 512; d: digits of up to 8 bits
 *     block               the same                                                   T = 4096
 *     onepass             K                 d 12m/T             d (2K + 2V)            look-back words: cleared, written, read
 *     reduced-bit         K + L             L + s 2(L + P) - P  P + 2K + 2V            labels; s sweeps of a sort; gathers
 *     recursive           K + L             b (6L + 2P)         P + 2K + 2V            labels; b splits of both; gathers
 *
 *     on a CPU
 *     direct, warp, block K                 16m parts / n       c (2K + 2V)            c: 1 up to 4096 buckets, then 2 (leaves)
 *     onepass             K                 16m / T             c (2K + 2V)
 *     reduced-bit         K + L             L + 4(L + P) - P    P + 2K + 2V            a sort: partition, and leaves
 *     recursive           K + L             b (6L + 2P)         P + 2K + 2V
 *
 * m is 2^b of one digit in them. In recursive, the splits of one round read the bits of all labels twice each, positions and
 * labels once, and write both; in the first, positions are counted and not read, and in the last labels stay. What caches keep
 * from memory is not taken off, and what a gather reads in whole sectors is not added. The source of each is the comment at the
 * top of src/multisplit/three_stage.cu, sweep.cu, reduced_bit.c, recursive.c and multisplit_cpu.c. */
#include <math.h>
#include <string.h>

#include "studies/split_study.h"

enum {
    POSITION = 4,
    GPU_DIGIT = 8,
    CPU_DIGIT = 12,
    WARP_TILE = 512,
    BLOCK_TILE = 4096,
    SWEEP_TILE = 9216,
    CPU_TILE_BYTES = 1 << 16,
    CPU_PARTS = 8
};

typedef struct quantities {
    double key, value, label, n, bins; /* bins: of one digit */
    unsigned bits, digits;
} quantities;

static quantities quantities_of(const split_point *p, bool cpu) {
    quantities q = {.key = 4, .value = p->values ? 4 : 0, .n = (double)p->n};
    while (p->buckets > 1u << q.bits) q.bits++;
    q.label = p->buckets <= 256 ? 1 : p->buckets <= 65536 ? 2 : 4;
    const unsigned most = cpu ? CPU_DIGIT : GPU_DIGIT;
    q.digits = (q.bits + most - 1) / most;
    q.bins = exp2((double)((q.bits + q.digits - 1) / q.digits));
    return q;
}

/* Labels, the order of which `ordering` is, and gathers. */
static void by_labels(const quantities *q, double ordering, double bytes[STAGES]) {
    bytes[PRESCAN] = q->key + q->label;
    bytes[SCAN] = ordering;
    bytes[POSTSCAN] = POSITION + 2 * (q->key + q->value);
}

static void by_rounds(const quantities *q, double bytes[STAGES]) {
    const double first = POSITION, last = 4 * q->label; /* which stay out */
    by_labels(q, q->bits * (6 * q->label + 2 * POSITION) - first - last, bytes);
}

static void in_stages(const quantities *q, double tile, double bytes[STAGES]) {
    bytes[PRESCAN] = q->digits * (q->key + 4 * q->bins / tile);
    bytes[SCAN] = q->digits * 8 * q->bins / tile;
    bytes[POSTSCAN] = q->digits * (2 * (q->key + q->value) + 4 * q->bins / tile);
}

static bool on_gpu(const char *method, const quantities *q, double bytes[STAGES]) {
    const unsigned sweeps = (q->bits + GPU_DIGIT - 1) / GPU_DIGIT, even = sweeps + sweeps % 2; /* a sort in place */
    if (!strcmp(method, "direct") || !strcmp(method, "warp")) return in_stages(q, WARP_TILE, bytes), true;
    if (!strcmp(method, "block")) return in_stages(q, BLOCK_TILE, bytes), true;
    if (!strcmp(method, "reduced-bit"))
        return by_labels(q, q->label + even * 2 * (q->label + POSITION) - POSITION, bytes), true;
    if (!strcmp(method, "recursive")) return by_rounds(q, bytes), true;
    if (strcmp(method, "onepass")) return false;
    bytes[PRESCAN] = q->key;
    bytes[SCAN] = q->digits * 12 * q->bins / SWEEP_TILE;
    bytes[POSTSCAN] = q->digits * 2 * (q->key + q->value);
    return true;
}

static bool on_cpu(const char *method, const quantities *q, double bytes[STAGES]) {
    const double tile = CPU_TILE_BYTES / (q->key + q->value);
    const bool onepass = !strcmp(method, "onepass");
    if (!strcmp(method, "reduced-bit"))
        return by_labels(q, q->label + 4 * (q->label + POSITION) - POSITION, bytes), true;
    if (!strcmp(method, "recursive")) return by_rounds(q, bytes), true;
    if (!onepass && strcmp(method, "direct") && strcmp(method, "warp") && strcmp(method, "block")) return false;
    bytes[PRESCAN] = q->key;
    bytes[SCAN] = onepass ? 16 * q->bins / tile : 16 * q->bins * CPU_PARTS / q->n;
    bytes[POSTSCAN] = (q->digits > 1 ? 2 : 1) * 2 * (q->key + q->value);
    return true;
}

bool split_stage_bytes(const char *method, bool cpu, const split_point *point, double bytes[STAGES]) {
    const quantities q = quantities_of(point, cpu);
    return cpu ? on_cpu(method, &q, bytes) : on_gpu(method, &q, bytes);
}
