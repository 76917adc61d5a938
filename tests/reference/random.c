#include "reference/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void reference_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; round++) {
        const uint64_t a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
        const uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k[1],
                                  (uint32_t)a};
        for (int i = 0; i < 4; i++) c[i] = next[i];
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    for (int i = 0; i < 4; i++) out[i] = c[i];
}

static void block_of(uint64_t seed, uint64_t stream, uint64_t block, uint32_t out[4]) {
    const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    reference_philox(counter, key, out);
}

uint32_t reference_random_word(uint64_t seed, uint64_t stream, uint64_t block, uint64_t i) {
    uint32_t words[4];
    block_of(seed, stream, block + i / 4, words);
    return words[i % 4];
}

static uint64_t long_word(uint64_t seed, uint64_t stream, uint64_t i) {
    return reference_random_word(seed, stream, 0, 2 * i) | (uint64_t)reference_random_word(seed, stream, 0, 2 * i + 1)
                                                               << 32;
}

void reference_random_bytes(uint64_t seed, uint64_t stream, uint64_t block, uint64_t first, size_t n, void *out) {
    unsigned char *to = out;
    uint32_t words[4];
    for (uint64_t i = first; i < first + n; i++) {
        if (i == first || i % 16 == 0) block_of(seed, stream, block + i / 16, words);
        to[i - first] = (unsigned char)(words[i % 16 / 4] >> 8 * (i % 4));
    }
}

float reference_random_f32(uint64_t seed, uint64_t stream, uint64_t i) {
    return ldexpf((float)(reference_random_word(seed, stream, 0, i) >> 8), -24);
}

double reference_random_f64(uint64_t seed, uint64_t stream, uint64_t i) {
    return ldexp((double)(long_word(seed, stream, i) >> 11), -53);
}

__extension__ typedef unsigned __int128 u128;

uint64_t reference_random_below(uint64_t seed, uint64_t stream, uint64_t i, uint64_t bound, int bits, int *rejected) {
    const u128 all = (u128)1 << bits;
    const u128 word = bits == 32 ? reference_random_word(seed, stream, 0, i) : long_word(seed, stream, i);
    const u128 product = word * bound;
    uint32_t w[4];
    if (product % all >= all % bound) return (uint64_t)(product / all);
    *rejected = 1;
    block_of(seed, stream, ((uint64_t)1 << 60) + i, w);
    const u128 low = ((uint64_t)w[1] << 32 | w[0]), high = ((uint64_t)w[3] << 32 | w[2]);
    return (uint64_t)((high * bound + (low * bound >> 64)) >> 64);
}

static double normal(double u, double turns, int odd, double *distance) {
    const double pi = 3.14159265358979323846;
    *distance = sqrt(-2 * log(u));
    return *distance * (odd ? sin(2 * pi * turns) : cos(2 * pi * turns));
}

double reference_normal_f32(uint64_t seed, uint64_t stream, uint64_t i, double *distance) {
    const uint64_t pair = i & ~(uint64_t)1;
    const uint32_t a = reference_random_word(seed, stream, 0, pair),
                   b = reference_random_word(seed, stream, 0, pair + 1);
    const float u = ldexpf((float)(a / 2), -31) + ldexpf(1, -32);
    return normal((double)u, ldexp((double)b, -32), i & 1, distance);
}

double reference_normal_f64(uint64_t seed, uint64_t stream, uint64_t i, double *distance) {
    const uint64_t pair = i & ~(uint64_t)1, a = long_word(seed, stream, pair), b = long_word(seed, stream, pair + 1);
    const double u = ldexp((double)(a >> 12), -52) + ldexp(1, -53);
    return normal(u, ldexp((double)(int64_t)b, -64), i & 1,
                  distance); /* within half a turn, where it is exact enough */
}

/* ---- permutations ---- */

typedef struct order {
    uint64_t seed, stream;
    unsigned bits; /* of buckets, in all */
} order;

/* Durstenfeld's swaps of the leaf whose first place is `begin`. */
static void shuffle_leaf(const order *o, uint64_t begin, uint64_t n, uint64_t *x) {
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t place = begin + i, bound = i + 1;
        const uint64_t product = reference_random_word(o->seed, o->stream, (uint64_t)3 << 60, place) * bound;
        uint64_t with = product >> 32;
        if ((product & 0xFFFFFFFFu) < ((uint64_t)1 << 32) % bound) {
            uint32_t w[4];
            block_of(o->seed, o->stream, ((uint64_t)4 << 60) + place, w);
            const u128 low = ((uint64_t)w[1] << 32 | w[0]), high = ((uint64_t)w[3] << 32 | w[2]);
            with = (uint64_t)((high * bound + (low * bound >> 64)) >> 64);
        }
        const uint64_t moved = x[i];
        x[i] = x[with];
        x[with] = moved;
    }
}

/* A level has a digit of 8 bits, the last one what is left. */
static void shuffle_level(const order *o, unsigned level, uint64_t begin, uint64_t n, uint64_t *x, uint64_t *other) {
    const unsigned left = o->bits - 8 * level, bits = left < 8 ? left : 8;
    uint64_t end[256] = {0}, at = 0;
    if (8 * level >= o->bits) {
        shuffle_leaf(o, begin, n, x);
        return;
    }
    uint8_t *digit = malloc(n + 1);
    reference_random_bytes(o->seed, o->stream, (uint64_t)(5 + level) << 60, begin, n, digit);
    for (int bucket = 0; bucket < 1 << bits; bucket++) {
        for (uint64_t i = 0; i < n; i++)
            if (digit[i] >> (8 - bits) == bucket) other[at++] = x[i];
        end[bucket] = at;
    }
    memcpy(x, other, n * sizeof *x);
    for (int bucket = 0; bucket < 1 << bits; bucket++) {
        const uint64_t first = bucket ? end[bucket - 1] : 0;
        shuffle_level(o, level + 1, begin + first, end[bucket] - first, x + first, other);
    }
    free(digit);
}

void reference_permutation(uint64_t seed, uint64_t stream, uint64_t offset, uint64_t leaf, size_t n, uint64_t *out) {
    uint32_t w[4];
    block_of(seed, stream, ((uint64_t)2 << 60) + offset, w);
    order o = {(uint64_t)w[1] << 32 | w[0], (uint64_t)w[3] << 32 | w[2], 0};
    uint64_t *other = malloc((n + 1) * sizeof *other);
    while (n >> o.bits > leaf) o.bits++;
    for (size_t i = 0; i < n; i++) out[i] = i;
    shuffle_level(&o, 0, 0, n, out, other);
    free(other);
}
