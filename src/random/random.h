/* The inner interface of random numbers: fills, permutations, samples. */
#ifndef WW__RANDOM_H
#define WW__RANDOM_H

#include "device/device.h"
#include "random/numbers.h"
#include "warpwise/random.h"

/* What a block's four words become. */
typedef enum ww__random_kind {
    WW__RANDOM_BITS, /* 16 bytes of any integers */
    WW__RANDOM_UNIT_F32,
    WW__RANDOM_UNIT_F64,
    WW__RANDOM_BELOW_32, /* four integers of 1, 2 or 4 bytes */
    WW__RANDOM_BELOW_64,
    WW__RANDOM_NORMAL_F32,
    WW__RANDOM_NORMAL_F64
} ww__random_kind;

/* Blocks for different purposes differ in the highest four bits of their numbers. */
typedef enum ww__random_purpose {
    WW__FOR_NUMBERS = 0,
    WW__FOR_NUMBERS_AGAIN = 1, /* WW_PHILOX_AGAIN: what is rejected */
    WW__FOR_SHUFFLE = 2,       /* a seed and a stream of each shuffle's own, of which the next three are taken */
    WW__FOR_SWAPS = 3,
    WW__FOR_SWAPS_AGAIN = 4,
    WW__FOR_DIGITS = 5, /* and the numbers above, one for each level of buckets */
    WW__FOR_SAMPLE = 15 /* a seed and a stream of each sample's own */
} ww__random_purpose;
static inline uint64_t ww__first_block(uint64_t purpose) { return purpose << 60; }

/* The seed and stream that stand for one permutation or sample: a block. */
static inline random_source ww__random_own(const ww_random *from, ww__random_purpose purpose) {
    const ww_random_block x = ww_philox(from->seed, from->stream, ww__first_block(purpose) + from->offset);
    return (random_source){.seed = join_words(x.word[0], x.word[1]), .stream = join_words(x.word[2], x.word[3])};
}

typedef struct ww__random_request {
    ww__random_kind kind;
    random_source source;
    uint64_t first_block; /* of number 0 */
    uint64_t offset;      /* the number of out's first element */
    const ww_array *out;
} ww__random_request;

/* Elements that a block makes. */
static inline uint64_t ww__random_batch(const ww__random_request *r) {
    return r->kind == WW__RANDOM_BELOW_32 ? 4 : 16 / r->out->size;
}

/* The largest offset + count. */
#define WW__RANDOM_MOST ((uint64_t)1 << 60)
ww_status ww__random_check_range(ww_device *device, const ww_random *from, uint64_t count);

/* A checked request, inside a call that is under way, on the device's backend. */
ww_status ww__random(ww_device *device, const ww__random_request *r);

/* out gets a permutation of `in`, of the same count and type; it may be the memory that is read. `own` is the shuffle's. */
typedef struct ww__shuffle_request {
    random_source own;
    const ww_input *in;
    const ww_array *out;
    uint64_t leaf; /* elements of a bucket that needs no buckets below it, WW__SHUFFLE_LEAF; tests have fewer */
} ww__shuffle_request;
enum { WW__SHUFFLE_LEAF = 8192 };
ww_status ww__shuffle(ww_device *device, const ww__shuffle_request *r);

/* k = out's count of the positions 0 … n - 1 (u32 or u64), in order. `own` is the sample's. `spread`: by how many standard
 * deviations more than wanted are drawn at first, WW__SAMPLE_SPREAD; tests take fewer, for which draws fail and are made anew. */
typedef struct ww__sample_request {
    random_source own;
    uint64_t n, spread;
    const ww_array *out;
} ww__sample_request;
enum { WW__SAMPLE_SPREAD = 6 };
ww_status ww__sample(ww_device *device, const ww__sample_request *r);

#endif
