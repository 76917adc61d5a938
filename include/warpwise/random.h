/* Counter-based random numbers, random permutations and samples: the same bytes on every device, for any number of threads.
 *
 *     ww_random from = {.seed = 2026, .stream = 0, .offset = 0};
 *     ww_random_fill(device, from, ww_array(x, n));                    x: float, in [0, 1)
 *     ww_random_normal(device, from, 0.0, 1.0, ww_array(z, n));
 *     ww_shuffle(device, from, ww_memory(cards, 52), ww_array(dealt, 52));
 *     ww_sample(device, from, ww_counting(&ww_type_uint64_t, 0, n), ww_array(chosen, 100), WW_SAMPLE_SORTED);
 *
 * A ww_random says where numbers are taken from. Number i of a stream is a function of the seed, the stream and i; there is no
 * state. Filling elements 0 … 99 and then, with the offset 100, elements 100 … 199 gives the same as filling 200 at once, and
 * any part of a stream can be computed anywhere. Different streams of a seed, and different seeds, are statistically
 * independent as far as Philox is. Numbers, permutations and samples each draw from a part of the generator of their own.
 * random_kernel.h has the same numbers inside kernels and maps.
 *
 * The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011), which passes TestU01's BigCrush by its authors' report.
 * It is not cryptographically secure. docs/random.md says what is guaranteed, and what was tested.
 *
 * The common rules at the top of primitive.h (checks, statuses, overlap, scratch) apply here too, and
 *   checked    offset + count is at most 2^60 (LIMIT) */
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
 * bytes) is multiplied by the bound, and words that would cause a bias are rejected (Lemire 2019). Where a word is rejected
 * there is no loop: a block of 128 bits of its own is scaled to the bound instead. So no two numbers' probabilities differ by
 * more than 2^-128, and each number takes a bounded time and does not depend on any other.
 *   out        integers of up to 8 bytes (TYPE); those of 1, 2 and 4 get the same numbers
 *   bound      1 (INVALID) to one more than the type's largest number (RANGE); of 8 bytes to 2^64 - 1
 *   passes     1 n written; one block of Philox for four elements, or two of 8 bytes */
WW_API ww_status ww_random_below(ww_device *device, ww_random from, uint64_t bound, ww_array out);

/* Fills with normally distributed numbers of the given mean and standard deviation: f32 (up to 6.6 deviations from the mean)
 * or f64 (up to 8.5). Logarithm, sine and cosine are the library's own, so that the bytes are the same on every device.
 *   out          f32 or f64 (TYPE); element i of f32 is made of words 2 (i / 2) and 2 (i / 2) + 1, of f64 of the block i / 2
 *   mean, deviation   finite numbers, rounded to f32 for f32; the deviation 0 or above (INVALID)
 *   accuracy     a few units in the last place of the distance to the mean
 *   passes       1 n written; one block of Philox for 16 bytes
 * Box and Muller (1958). */
WW_API ww_status ww_random_normal(ww_device *device, ww_random from, double mean, double deviation, ww_array out);

/* ---- permutations and samples ----
 *
 * Each ww_random, its offset included, gives one permutation (or sample), independent of the others. */

/* A random permutation of the input: every order is as likely as every other, as far as Philox's numbers are uniform and
 * independent. It does not sort random keys, so there are no ties. (C++: shuffle.)
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
    WW_SAMPLE_SORTED = 0, /* in the order of the input */
    WW_SAMPLE_SHUFFLED    /* in random order: every sequence of different elements is as likely as every other */
} ww_sample_order;

/* out.count elements of the input, drawn without replacement: every set of that many positions is as likely as every other, as
 * far as Philox's numbers are uniform and independent. Which positions are drawn depends on `from` and the two counts
 * only: ww_sample of ww_counting(&ww_type_uint64_t, 0, n) gives them. (C++: sample; NumPy: choice without replacement.)
 *   out        in's type; no overlap
 *   checked    more elements than there are: RANGE; an unknown order: INVALID
 *   work       samples of up to a sixteenth of the input: proportional to the sample, whatever the input's size. Larger ones:
 *              proportional to the input, two words of Philox an element. A computed input is computed and stored whole,
 *              except for ww_counting of u32 and u64
 *   scratch    up to a sixteenth: 32 bytes for each element of the sample, and what ww_sort takes for as many; else 16 bytes
 *              for each; 256 KiB + 256 KiB a thread; a copy of a computed input; SHUFFLED as ww_shuffle
 *   a GPU      the call waits, and cannot be captured in a graph (UNSUPPORTED)
 * More positions are drawn than wanted: with replacement and without the duplicates or, for more than a sixteenth, every
 * position whose word is below a limit. A sample of these, drawn in the same way, is then dropped. Samples of up to 256 are
 * drawn by Floyd's algorithm (Bentley and Floyd 1987). If too few were drawn, all are drawn again. */
WW_API ww_status ww_sample(ww_device *device, ww_random from, ww_input in, ww_array out, ww_sample_order order);

#ifdef __cplusplus
}
#endif
#endif
