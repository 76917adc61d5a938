/* Data to run on: every type in every shape, from fixed seeds. */
#include <math.h>
#include <stdio.h>

#include "function/function.h"
#include "reference/half.h"
#include "support/cases.h"

uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t seed_of_run(void) {
    static uint64_t seed;
    if (!seed) {
        const char *asked = getenv("WARPWISE_SEED");
        seed = asked ? strtoull(asked, NULL, 10) : 20261121;
        if (!seed) seed = 1;
        printf("seed: %llu\n", (unsigned long long)seed);
    }
    return seed;
}

const char *shape_name(shape s) {
    static const char *const names[] = {"uniform", "constant", "sorted", "reversed", "few", "skewed", "adversarial"};
    return names[s];
}

/* A number that says where in its shape an element stands; types make of it what they can. */
static uint64_t draw(shape s, uint64_t i, uint64_t n, uint64_t *state) {
    const uint64_t r = random_next(state);
    switch (s) {
    case CONSTANT:
        return 42;
    case SORTED:
        return i * (UINT64_MAX / (n + 1));
    case REVERSED:
        return (n - 1 - i) * (UINT64_MAX / (n + 1));
    case FEW:
        return (r % 7) * 0x1111111111111111u;
    case SKEWED: /* most are 0; one in 2^k is large */
        return r % 8 ? 0 : r >> (random_next(state) % 64);
    default:
        return r;
    }
}

static uint64_t odd_integer(uint64_t *state, unsigned bits) {
    const uint64_t r = random_next(state), power = (uint64_t)1 << (r % bits);
    switch ((r >> 32) % 6) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return (uint64_t)1 << (bits - 1);
    case 3:
        return ((uint64_t)1 << (bits - 1)) - 1;
    case 4:
        return power;
    default:
        return power - 1;
    }
}

static double odd_float(uint64_t *state, bool single) {
    const uint64_t r = random_next(state);
    switch (r % 10) {
    case 0:
        return 0.0;
    case 1:
        return -0.0;
    case 2:
        return INFINITY;
    case 3:
        return -INFINITY;
    case 4:
        return (double)NAN;
    case 5:
        return -(double)NAN;
    case 6:
        return single ? (double)1e-40f : 4e-320;
    case 7:
        return single ? -3e38 : -1e308;
    default:
        return ldexp((double)(int64_t)(r >> 8) / 9e15, (int)(r % 40) - 20);
    }
}

/* memcpy of a few bytes: for these sizes without a call. */
static void put(unsigned char *to, const void *from, size_t size) {
    switch (size) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, size);
    }
}

static void put_record(unsigned char *to, size_t size, uint64_t number) {
    for (; size > sizeof number; size -= sizeof number, to += sizeof number) put(to, &number, sizeof number);
    put(to, &number, size);
}

/* Sorted integers of a signed type begin with the negative ones. */
static void put_integer(unsigned char *to, const ww_type *type, size_t size, uint64_t number, shape s,
                        uint64_t *state) {
    const unsigned bits = (unsigned)(8 * (size < 8 ? size : 8));
    uint64_t value[2] = {number >> (64 - bits), s == CONSTANT ? 0 : number};
    if (s == CONSTANT || s == SKEWED) value[0] = number;
    if (s == ADVERSARIAL) value[0] = odd_integer(state, bits), value[1] = odd_integer(state, 64);
    if ((s == SORTED || s == REVERSED) && type->kind == WW_KIND_SIGNED) value[0] ^= (uint64_t)1 << (bits - 1);
    if (size == 16 && (s == SORTED || s == REVERSED)) {
        value[0] = 0;
        value[1] = number ^ (uint64_t)(type->kind == WW_KIND_SIGNED) << 63;
    }
    put(to, value, size);
}

static void put_float(unsigned char *to, const ww_type *type, size_t size, uint64_t number, shape s, uint64_t *state) {
    double value = s == CONSTANT || s == SKEWED ? (double)number
                                                : ((double)(int64_t)(number - ((uint64_t)1 << 63))) / 1e15;
    if (s == ADVERSARIAL) value = odd_float(state, size == 4);
    if (reference_is_half(type)) {
        reference_put_half(type, s == ADVERSARIAL || s == CONSTANT || s == SKEWED ? value : value / 16, to);
        return;
    }
    const float single = (float)value;
    put(to, size == 4 ? (const void *)&single : (const void *)&value, size);
}

static void make(void *data, const ww_type *type, size_t size, size_t n, shape s, uint64_t seed) {
    uint64_t state = seed * 8191 + (uint64_t)s;
    unsigned char *to = data;
    for (size_t i = 0; i < n; i++, to += size) {
        const uint64_t number = draw(s, i, n, &state);
        if (type->kind == WW_KIND_FLOAT)
            put_float(to, type, size, number, s, &state);
        else if (type->kind == WW_KIND_UNSIGNED || type->kind == WW_KIND_SIGNED)
            put_integer(to, type, size, number, s, &state);
        else
            put_record(to, size, number);
    }
}

/* The same data is asked for under every setting and by every method: making it anew was half of the time of some tests. */
static struct kept {
    ww_kind kind;
    bool bf16;
    shape shape;
    uint64_t seed;
    size_t size, n;
    void *data;
} kept[8];

static bool depends_on_count(shape s) { return s == SORTED || s == REVERSED; }

/* Whether the one's data begins as the other's, as far as both go. */
static bool begin_alike(const struct kept *k, const struct kept *other) {
    return k->data && k->kind == other->kind && k->bf16 == other->bf16 && k->shape == other->shape &&
           k->seed == other->seed && k->size == other->size && (k->n == other->n || !depends_on_count(k->shape));
}

/* Keeps a copy, in the place of fewer elements of the same data or of the oldest. */
static void keep(struct kept k, const void *data) {
    enum { PLACES = sizeof kept / sizeof *kept, BYTES_MOST = 16 << 20 };
    static size_t next;
    if (k.size * k.n > BYTES_MOST) return;
    size_t at = 0;
    while (at < PLACES && !begin_alike(&kept[at], &k)) at++;
    struct kept *const place = &kept[at < PLACES ? at : next++ % PLACES];
    free(place->data);
    k.data = malloc(k.size * k.n);
    if (k.data) memcpy(k.data, data, k.size * k.n);
    *place = k;
}

void fill(void *data, const ww_type *type, size_t size, size_t n, shape s, uint64_t seed) {
    const struct kept wanted = {
        .kind = type->kind, .bf16 = type == &ww_type_ww_bf16, .shape = s, .seed = seed, .size = size, .n = n};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (begin_alike(&kept[i], &wanted) && n <= kept[i].n) {
            memcpy(data, kept[i].data, size * n);
            return;
        }
    make(data, type, size, n, s, seed);
    if (size && n) keep(wanted, data);
}

enum { SIZES = 40 };

/* The emulator is slow and its tiles are small: few elements go a long way. */
static const size_t *sizes_for_emulator(size_t *count) {
    static const size_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 127, 128, 129, 511, 512, 513, 3001, 9001};
    *count = sizeof sizes / sizeof *sizes;
    return sizes;
}

const size_t *sizes_of(size_t element, size_t *count) {
    static size_t sizes[SIZES];
    if (on_emulator()) return sizes_for_emulator(count);
    const size_t tile = ww__tile(element), serial = ((size_t)1 << 18) / element;
    const size_t around[] = {8, 16, 32, 64, 128, tile, 2 * tile, 8 * tile, serial};
    size_t n = 0;
    sizes[n++] = 0;
    sizes[n++] = 1;
    sizes[n++] = 2;
    sizes[n++] = 3;
    for (size_t a = 0; a < sizeof around / sizeof *around; a++)
        for (size_t d = 0; d < 3; d++)
            if (around[a] + d > sizes[n - 1] + 1) sizes[n++] = around[a] + d - 1;
    sizes[n++] = 3 * serial + 17;
    if (tests_are_short()) { /* every third, and one that several threads share */
        size_t kept = 0;
        for (size_t i = 0; i < n; i += 3) sizes[kept++] = sizes[i];
        n = kept;
    }
    *count = n;
    return sizes;
}

size_t size_large(void) { return on_emulator() ? 30011 : tests_are_short() ? 150001 : 3000017; }
