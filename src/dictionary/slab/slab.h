/* A slab hash's memory, and what its files share.
 *
 * Buckets. Bucket b's first slab, its base slab, lies in a segment: segment 0 has those of the first `base_count` buckets, segment 1 as
 * many more, segment 2 twice as many, and so on, so that adding buckets moves none. A key's hash says a bucket below base_count by
 * its high half, and which of the buckets that this one has been divided into by the low bits of its low half (linear hashing).
 *
 * Slabs behind base slabs are numbered from 1 on, over all super blocks: the first has 2^super_log, and each as many as all before it
 * and 2^super_log more. Behind the slabs of a super block a bit for each of them says whether it is in use. With one super block that
 * is Ashkiani's (2017) light form of the allocator, with several its full one; 32 neighbouring bits are what a CPU's worker takes
 * at once, 1024 are a warp's resident block.
 *
 * A slab, of `bytes` bytes:
 *
 *     keys[slots]   values[slots]   …   states, u32   next, u32: the number of the next slab, 0 at the end
 *
 * Bit i of the states' low half is TAKEN, bit i of the high half DECIDED; slot i is
 *
 *     empty     neither: nobody has had it
 *     claimed   TAKEN: a thread is about to write its pair
 *     full      both: its pair is there
 *     dead      DECIDED: its pair was deleted, or its claim taken away
 *
 * The bits that are left of a first slab's states are a filter, on a CPU: one for each of as many parts of all hashes. It is set before a
 * slot behind the first slab is claimed for a key of that part, so that most searches that find nothing look at no second slab.
 *
 * A GPU's slabs of 15 slots leave two bits. There a first slab whose slots are all full when its bucket is built or made anew, and that has
 * another behind it, is sealed: bit 31 says so. In it no slot is empty or claimed ever after, so TAKEN says whether it is full or dead,
 * and bits 15 to 30 are the filter, DECIDED among them. Slabs become sealed, and others again, while nobody else is at their bucket.
 *
 * Shared slabs. Where a dictionary is built that is dense, and that keeps its number of buckets, first slabs of neighbours may go on in
 * the same slab, which has the pairs of all of them (build.cu, build_cpu.c). A slab has whole keys, so all that operations know of their lists stays
 * as it is: two lists have an end in common. Such neighbours are in one group of 2^share_log, and are made anew together.
 *
 * A slot goes from one state to a later one only. Slots are claimed in order, and a slab has a next one only when none of its slots is empty:
 * the slots of a bucket are one line, of which a first part is not empty. On that the operations stand (loops.h). */
#ifndef WW__SLAB_H
#define WW__SLAB_H

#include "device/device.h"
#include "device/gpu/recipe.h"
#include "dictionary/slab/build_arguments.cuh"
#include "dictionary/slab/slab_arguments.cuh"
#include "warpwise/input.h"
#include "warpwise/slab.h"

enum {
    WW__SLAB_SEGMENTS = SLAB_SEGMENTS,
    WW__SLAB_SUPERS = SLAB_SUPERS,
    WW__SLAB_TILE = 1024,       /* operations that a worker claims at once */
    WW__SLAB_WORD = 32,         /* slabs of one word of a bitmap */
    WW__SLAB_MERGED_CPU = 4096, /* buckets that are taken away at once */
    WW__SLAB_MERGED_GPU = 1 << 20,
    WW__SLAB_TALLY_BYTES = 4096,
    WW__SLAB_GROUP = 1 << SLAB_RANGE_LOG_MOST /* buckets that share slabs, at most */
};

typedef slab_table ww__slab_table;

typedef struct ww__slab_layout {
    uint32_t key_size, value_size; /* in bytes; 0 for no value */
    uint32_t slots, bytes;
} ww__slab_layout;

struct ww_slab {
    ww_device *device;
    const ww_type *key_type, *value_type; /* NULL for no values */
    ww__slab_layout layout;
    ww__slab_table table;
    uint32_t segments;
    uint32_t percent;
    uint32_t share_log; /* neighbouring buckets, 2^share_log, may share slabs; 0: none does */
    bool fixed;
    uint64_t memory, memory_limit;
    uint64_t pairs, dead;
    uint64_t tidy;      /* the bucket at which tidying up goes on */
    bool shrinks;       /* buckets are being taken away, */
    bool cleared;       /* but not those that were there when it was cleared, before it has been full again */
    uint64_t *tally;    /* of what kernels have done with views (view.c); NULL: there has been none */
    bool viewed;        /* kernels may have changed it since the tally was last read */
    uint64_t next_word; /* on a CPU: words of the bitmaps before this one have been looked at; workers add to it */
};

/* What a batch does. */
typedef enum ww__slab_kind {
    WW__SLAB_KIND_MIXED = 0, /* each operation says so itself */
    WW__SLAB_KIND_SEARCH = WW_SLAB_SEARCH,
    WW__SLAB_KIND_INSERT = WW_SLAB_INSERT,
    WW__SLAB_KIND_REPLACE = WW_SLAB_REPLACE,
    WW__SLAB_KIND_DELETE = WW_SLAB_DELETE,
    WW__SLAB_KIND_DELETE_ALL = WW_SLAB_DELETE_ALL,
    WW__SLAB_KIND_COUNT,
    WW__SLAB_KIND_SEARCH_ALL,
    WW__SLAB_KINDS
} ww__slab_kind;

typedef struct ww__slab_batch {
    ww__slab_kind kind;
    const ww_input *operations, *keys, *values, *offsets; /* NULL where there are none */
    const ww_array *statuses, *found;                     /* the same; found: what values go to */
    const ww_array *counts;
    const ww_function *combine; /* of replaces: values are combined with it; or NULL */
    uint64_t first, count;      /* the part of the batch that is done now */
} ww__slab_batch;

/* What became of a part. */
typedef struct ww__slab_outcome {
    uint64_t inserted, deleted; /* pairs */
    uint64_t given_up;          /* slots whose claim was taken away */
    uint64_t full;              /* operations without memory */
    uint64_t fault;             /* the lowest position that is out of range; UINT64_MAX: none */
} ww__slab_outcome;

/* ---- memory (memory.c), the same for both kinds of device ---- */

/* Bytes of a super block of so many slabs, with its bitmap. */
uint64_t ww__slab_super_bytes(const ww_slab *s, uint64_t slabs);
static inline uint64_t ww__slab_super_slabs(const ww__slab_table *t, uint32_t super) {
    return (uint64_t)1 << (t->super_log + super);
}
/* Slabs of all super blocks. */
static inline uint64_t ww__slab_supers_slabs(const ww__slab_table *t) {
    return ((uint64_t)1 << (t->super_log + t->supers)) - ((uint64_t)1 << t->super_log);
}
/* Buckets of segment k. */
static inline uint64_t ww__slab_segment_buckets(const ww__slab_table *t, uint32_t segment) {
    return segment ? t->base_count << (segment - 1) : t->base_count;
}

/* Take memory of the device, or say that there is none. */
ww_status ww__slab_add_super(ww_slab *s);
ww_status ww__slab_add_segment(ww_slab *s);
ww_status ww__slab_add_tally(ww_slab *s);
void ww__slab_release(ww_slab *s); /* all of it, and the struct */
/* Gives the last super blocks back of which no slab is in use, as used[…] says, slabs of each; the first stays. `spare`: and others
 * without which fewer than half of the slabs that are left would be free. */
void ww__slab_drop_supers(ww_slab *s, const uint64_t *used, bool spare);
/* Gives base slabs back of which the buckets that there are have none. Returns whether there were any. */
bool ww__slab_drop_segments(ww_slab *s);
/* Sets the number of buckets, and the masks that go with it. */
void ww__slab_set_buckets(ww_slab *s, uint64_t buckets);

/* Adds the buckets that so many pairs want (slab.c). */
ww_status ww__slab_grow(ww_slab *s, uint64_t pairs);
/* Brings the numbers up to date with what kernels of the caller's have done (view.c). */
ww_status ww__slab_settle(ww_slab *s);

/* ---- the machines' sides; arguments are checked, and a part of a batch changes nothing but the table's memory ---- */

ww_status ww__slab_batch_cpu(ww_slab *s, const ww__slab_batch *batch, ww__slab_outcome *outcome);
ww_status ww__slab_batch_gpu(ww_slab *s, const ww__slab_batch *batch, ww__slab_outcome *outcome);

/* Begins the recipe of a kernel of `threads` threads a block, with what slab.cuh wants. */
void ww__slab_recipe(ww__recipe *r, const char *file, const ww_slab *s, uint32_t threads);

/* Whether buckets that are built with so many pairs share slabs. Where buckets are added, lists are divided one after another, each by
 * itself; with more than DENSE_MOST pairs for 100 slots of first slabs most lists would have several slabs. */
static inline bool ww__slab_shares(const ww_slab *s, uint64_t pairs) {
    enum { DENSE = 60, DENSE_MOST = 200 };
    const uint64_t slots = s->table.buckets * s->layout.slots;
    return s->fixed && pairs >= slots * DENSE / 100 && pairs <= slots * DENSE_MOST / 100;
}

/* Whether a batch of insertions into an empty dictionary of `buckets` buckets is worth bringing into the order of buckets first, and
 * doing so. Where there is no memory for that `built` is false: a GPU has changed nothing then, a CPU may have inserted some. buckets: as
 * many as there are; on paper as many as there may be by then. */
bool ww__slab_may_build_cpu(const ww_slab *s, const ww__slab_batch *batch, uint64_t buckets);
bool ww__slab_may_build_gpu(const ww_slab *s, const ww__slab_batch *batch, uint64_t buckets);
ww_status ww__slab_build_cpu(ww_slab *s, const ww__slab_batch *batch, uint64_t buckets, bool *built,
                             ww__slab_outcome *outcome);
ww_status ww__slab_build_gpu(ww_slab *s, const ww__slab_batch *batch, uint64_t buckets, bool *built,
                             ww__slab_outcome *outcome);

/* A batch of replaces, or of values that are combined, into an empty dictionary becomes one of insertions, where these would be built: the
 * keys that differ, with their values, as *keys and *values, which *distinct is of, in scratch memory; *statuses: what became of
 * the batch's operations once these are in, or NULL where that is not wanted. */
ww_status ww__slab_distinct_gpu(ww_slab *s, const ww__slab_batch *batch, ww__slab_batch *distinct, ww_input *keys,
                                ww_input *values, void **statuses);

/* Makes the lists of buckets first … first + many - 1 as short as they can be, and says how many dead slots that freed; `divided`: their
 * pairs go to these and to as many buckets `apart` further on, by bit `bit` of their hashes; `merged`: the pairs of these come to them,
 * for which a slab may be wanted: of `spare`, the first *spare_used of which are in use. */
typedef struct ww__slab_rebuilding {
    uint64_t first, many;
    bool divided;
    uint64_t apart;
    uint32_t bit;
    bool merged;
    const uint32_t *spare;
    uint64_t *spare_used; /* a GPU's buckets have one of `spare` each, which is 0 where none is wanted */
} ww__slab_rebuilding;
ww_status ww__slab_rebuild_cpu(ww_slab *s, const ww__slab_rebuilding *r, uint64_t *dead);
ww_status ww__slab_rebuild_gpu(ww_slab *s, const ww__slab_rebuilding *r, uint64_t *dead);

/* Takes the last `many` buckets away, WW__SLAB_MERGED_… at most, all of one doubling; *done, true before, says whether there were slabs for
 * that. */
ww_status ww__slab_merge_cpu(ww_slab *s, uint64_t many, bool *done);
ww_status ww__slab_merge_gpu(ww_slab *s, uint64_t many, bool *done);

/* Slabs in use of each super block; used[…] has room for WW__SLAB_SUPERS. */
ww_status ww__slab_used(ww_slab *s, uint64_t *used);
ww_status ww__slab_used_gpu(ww_slab *s, uint64_t *used);

ww_status ww__slab_pairs_cpu(ww_slab *s, const ww_array *keys, const ww_array *values);
ww_status ww__slab_pairs_gpu(ww_slab *s, const ww_array *keys, const ww_array *values);

/* Sets the states of `slabs` slabs from `at` on to empty. */
ww_status ww__slab_clear(ww_slab *s, void *at, uint64_t bytes);

/* ---- addresses ---- */

static inline uint64_t ww__slab_hash(uint64_t seed, uint64_t key) {
    uint64_t x = (key ^ seed) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

static inline uint64_t ww__slab_bucket(const ww__slab_table *t, uint64_t hash) {
    const uint64_t home = (uint64_t)(((hash >> 32) * t->base_count) >> 32);
    const uint64_t bucket = home + (hash & t->high_mask) * t->base_count;
    return bucket < t->buckets ? bucket : home + (hash & t->low_mask) * t->base_count;
}

static inline uint32_t ww__slab_log(uint64_t x) { return 63 - (uint32_t)__builtin_clzll(x); }

/* The base slab of a bucket that is home + part * base_count. */
static inline unsigned char *ww__slab_base(const ww__slab_table *t, uint32_t bytes, uint64_t bucket, uint64_t part) {
    const uint32_t segment = part ? ww__slab_log(part) + 1 : 0;
    return t->segment[segment] + (bucket - (part ? t->base_count << (segment - 1) : 0)) * bytes;
}
static inline unsigned char *ww__slab_base_of(const ww__slab_table *t, uint32_t bytes, uint64_t bucket) {
    return ww__slab_base(t, bytes, bucket, bucket / t->base_count);
}

/* Where slab `unit` of the super blocks is, from 0 on. */
static inline uint32_t ww__slab_super_of(const ww__slab_table *t, uint64_t unit, uint64_t *within) {
    const uint64_t v = unit + ((uint64_t)1 << t->super_log);
    const uint32_t log = ww__slab_log(v);
    *within = v - ((uint64_t)1 << log);
    return log - t->super_log;
}
static inline unsigned char *ww__slab_unit(const ww__slab_table *t, uint32_t bytes, uint64_t unit) {
    uint64_t within;
    const uint32_t super = ww__slab_super_of(t, unit, &within);
    return t->super[super] + within * bytes;
}
/* The word of the bitmaps that has its bit. */
static inline uint32_t *ww__slab_word(const ww__slab_table *t, uint32_t bytes, uint64_t word) {
    uint64_t within;
    const uint32_t super = ww__slab_super_of(t, word * WW__SLAB_WORD, &within);
    return (uint32_t *)(void *)(t->super[super] + ww__slab_super_slabs(t, super) * bytes) + within / WW__SLAB_WORD;
}

static inline uint32_t *ww__slab_states(unsigned char *slab, uint32_t bytes) {
    return (uint32_t *)(void *)(slab + bytes - 8);
}
static inline uint32_t *ww__slab_next(unsigned char *slab, uint32_t bytes) {
    return (uint32_t *)(void *)(slab + bytes - 4);
}

/* The states of a GPU's slab as others are, if it is sealed. */
static inline uint32_t ww__slab_plain(uint32_t states, uint32_t all) {
    return states >> 31 ? (states & all) | all << 16 : states;
}

/* Bits of slots, of a word of states; `all`: those of the layout. */
static inline uint32_t ww__slab_full(uint32_t states, uint32_t all) { return states & states >> 16 & all; }
static inline uint32_t ww__slab_claimed(uint32_t states, uint32_t all) { return states & ~(states >> 16) & all; }
static inline uint32_t ww__slab_touched(uint32_t states, uint32_t all) { return (states | states >> 16) & all; }
static inline uint32_t ww__slab_dead(uint32_t states, uint32_t all) { return ~states & states >> 16 & all; }

/* The bit of a first slab's states that stands for a key behind it; on a GPU, of a sealed one's. */
static inline uint32_t ww__slab_filter(uint64_t hash, uint32_t slots) {
    const uint32_t half = 16 - slots, number = (uint32_t)(hash >> 20 & 0xFFF) * 2 * half >> 12;
    return 1u << (slots + number + (number < half ? 0 : slots));
}

static inline uint32_t ww__slab_sealed_filter(uint64_t hash) { return (uint32_t)1 << (15 + (hash >> 20 & 15)); }

#endif
