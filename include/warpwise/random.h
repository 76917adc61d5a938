/* Random numbers by counter, random permutations and samples: the same bytes on every device, for every number of threads.
 *
 *     ww_random from = {.seed = 2026, .stream = 0, .offset = 0};
 *     ww_random_fill(device, from, ww_array(x, n));                    x: float, in [0, 1)
 *     ww_random_normal(device, from, 0.0, 1.0, ww_array(z, n));
 *     ww_shuffle(device, from, ww_memory(cards, 52), ww_array(dealt, 52));
 *     ww_sample(device, from, ww_counting(&ww_type_uint64_t, 0, n), ww_array(chosen, 100), WW_SAMPLE_SORTED);
 *
 * A ww_random says where numbers are taken from. Number i of a stream is a function of the seed, the stream and i, and has no
 * state: filling elements 0 … 99 and then, with the offset 100, elements 100 … 199 gives what filling 200 at once does, and any
 * part of a stream can be made anywhere. Streams of one seed, and seeds, are independent as far as Philox can be told from
 * random numbers. What is drawn for one purpose (numbers, permutations, samples) overlaps nothing that is drawn for another.
 * random_kernel.h has the same numbers inside of kernels and maps.
 *
 * The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011), which passes TestU01's BigCrush; it is not for secrets.
 * docs/random.md says what is guaranteed, and what was tested.
 *
 * Beside what primitive.h says of every function:
 *   checked    offset + count is 2^60 at most (LIMIT) */
#ifndef WARPWISE_RANDOM_H
#define WARPWISE_RANDOM_H

#include "primitive.h"
#include "random_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills with uniform random numbers: integers (of any size) with random bits, f32 and f64 with numbers in [0, 1), multiples of
 * 2^-24 and 2^-53. Element i is number offset + i of the stream.
 *   out        numbers (TYPE)
 *   bits       integers of size s: bytes s i … s i + s - 1 of the stream's blocks, whose words are little-endian
 *   passes     1 n written; one block of Philox for 16 bytes */
WW_API ww_status ww_random_fill(ww_device *device, ww_random from, ww_array out);

/* Fills with integers from 0 to bound - 1, each as likely as the others: number i's word of 32 bits (of 64 for elements of 8
 * bytes) is multiplied by the bound, and the few words that are too many are rejected (Lemire 2019). A number that is
 * rejected is the share of a whole block of its own, 128 bits, in place of a loop: so no two numbers' probabilities differ by
 * more than 2^-128, and every number takes a bounded time, which depends on no other number.
 *   out        integers of up to 8 bytes (TYPE); those of 1, 2 and 4 get the same numbers
 *   bound      1 (INVALID) to one more than the type's largest number (RANGE); of 8 bytes to 2^64 - 1
 *   passes     1 n written; one block of Philox for four elements, or two of 8 bytes */
WW_API ww_status ww_random_below(ww_device *device, ww_random from, uint64_t bound, ww_array out);

/* Fills with normally distributed numbers of that mean and that standard deviation, f32 (to 6.6 deviations) or f64 (to 8.5).
 * With the library's own logarithm, sine and cosine, whose operations are the same everywhere: equal bytes, floats too.
 *   out          f32 or f64 (TYPE); element i of f32 is made of words 2 (i / 2) and 2 (i / 2) + 1, of f64 of the block i / 2
 *   mean, deviation   finite numbers, rounded to f32 for f32; the deviation 0 or above (INVALID)
 *   accuracy     a few units in the last place of the distance to the mean
 *   passes       1 n written; one block of Philox for 16 bytes
 * Box and Muller (1958). */
WW_API ww_status ww_random_normal(ww_device *device, ww_random from, double mean, double deviation, ww_array out);

/* ---- permutations and samples ----
 *
 * Each ww_random, its offset too, stands for one permutation (or sample) that has nothing to do with the others. */

/* A random permutation of the input: every order is as likely as every other, as far as Philox's numbers are uniform and
 * independent. No keys are sorted, so that there are no ties.
 *   out        in's count and type; it may be exactly the memory that in reads
 *   passes     a CPU: 1 n read and written for each 8 bits of n / 8192, and once more in the caches. Elements of other than
 *              1, 2, 4, 8 or 16 bytes: positions are shuffled so, and elements gathered
 *   scratch    1 n elements where in and out are the same memory, or n is above 2^21, and of a computed input that is
 *              gathered; n positions of u32 (from 2^32 on u64) for elements of other sizes; 256 KiB + 256 KiB a thread.
 *              A GPU: 2 n elements, 13 n bytes and what ww_multisplit takes
 * Elements go to buckets by random digits until these have some six thousand elements (Rao 1961, Sandelius 1962, Sanders
 * 1998), and each bucket is shuffled by swaps (Fisher and Yates 1938, Durstenfeld 1964). */
WW_API ww_status ww_shuffle(ww_device *device, ww_random from, ww_input in, ww_array out);

/* The positions 0 … n - 1 in the order in which ww_shuffle would put elements: ww_shuffle's out[i] is in[permutation[i]].
 *   out        n of u32 or u64 */
WW_API ww_status ww_permutation(ww_device *device, ww_random from, ww_array out);

typedef enum ww_sample_order {
    WW_SAMPLE_SORTED = 0, /* as they stand in the input */
    WW_SAMPLE_SHUFFLED    /* in random order: every sequence of different elements is as likely as every other */
} ww_sample_order;

/* As many elements of the input as out has, drawn without replacement: every set of so many positions is as likely as every
 * other, as far as Philox's numbers are uniform and independent. Which positions they are depends on the two counts alone:
 * ww_sample of ww_counting(&ww_type_uint64_t, 0, n) says them.
 *   out        in's type; no overlap
 *   checked    more elements than there are: RANGE
 *   work       up to a sixteenth of the input: of the sample's size, whatever the input's is; else of the input's size, a
 *              word of Philox twice for each element. Of inputs that are computed ww_counting of u32 and u64 alone is not
 *              computed whole
 *   scratch    up to a sixteenth: 32 bytes for each element of the sample, and what ww_sort takes of so many; else 16 bytes
 *              for each; 256 KiB + 256 KiB a thread; a computed input takes a copy; SHUFFLED as ww_shuffle
 *   a GPU      the call waits, and can be no part of a graph (UNSUPPORTED)
 * More are drawn than wanted: positions with replacement, of which equal ones are dropped, or, of more than a sixteenth, every
 * position whose word is below a limit. Of these a sample is dropped, drawn the same way, and a few are drawn by Floyd's
 * algorithm (Bentley and Floyd 1987). Where too few were drawn, once in a thousand million times, they are drawn anew. */
WW_API ww_status ww_sample(ww_device *device, ww_random from, ww_input in, ww_array out, ww_sample_order order);

#ifdef __cplusplus
}
#endif
#endif
