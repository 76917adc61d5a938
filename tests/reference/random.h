/* Random numbers by counter, serially: Philox4x32-10 as its paper writes it, and what its words become. */
#ifndef REFERENCE_RANDOM_H
#define REFERENCE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

void reference_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* Bytes first … first + n - 1 of a stream whose blocks begin with `block`. */
void reference_random_bytes(uint64_t seed, uint64_t stream, uint64_t block, uint64_t first, size_t n, void *out);
uint32_t reference_random_word(uint64_t seed, uint64_t stream, uint64_t block, uint64_t i);

float reference_random_f32(uint64_t seed, uint64_t stream, uint64_t i);
double reference_random_f64(uint64_t seed, uint64_t stream, uint64_t i);

/* Number i below a bound, of a word of 32 or 64 bits; *rejected is set to 1 where the word was rejected. */
uint64_t reference_random_below(uint64_t seed, uint64_t stream, uint64_t i, uint64_t bound, int bits, int *rejected);

/* A normal number in double precision, of the distance and the angle that its words say, and the distance. */
double reference_normal_f32(uint64_t seed, uint64_t stream, uint64_t i, double *distance);
double reference_normal_f64(uint64_t seed, uint64_t stream, uint64_t i, double *distance);

/* The order of n positions by the shuffle that stands for (seed, stream, offset): out[i] is the position that comes i-th. leaf: on the
 * average so many elements need no buckets. */
void reference_permutation(uint64_t seed, uint64_t stream, uint64_t offset, uint64_t leaf, size_t n, uint64_t *out);

#endif
