/* The slab hash: a dynamic, unordered dictionary (hash table) – insert, replace, delete and search, in bulk or mixed.
 *
 *     ww_slab *slab;
 *     ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint64_t, 1000000, &slab, NULL);
 *     ww_slab_replace(slab, ww_memory(keys, n), ww_memory(values, n), ww_none);
 *     ww_slab_search(slab, ww_memory(wanted, m), ww_array(found_values, m), ww_array(statuses, m));
 *     ww_slab_close(slab);
 *
 * It holds pairs of a key (u32 or u64) and a value (u32, u64, or none); any number may be a key or a value, 0 and the largest
 * too. A key may have several pairs (ww_slab_insert) or one (ww_slab_replace). A search for one costs one access to memory for
 * most keys: keys are hashed to buckets, a bucket is a list of slabs, and a slab, 64 or 128 bytes with up to 15 pairs, is
 * compared with the key at once, by vectors or by a warp.
 *
 * Order. The pairs of one key are in the order in which they arrived: a search finds the oldest, a delete deletes the oldest.
 * Within a call all operations run concurrently, on all threads: their order is not known, but there is one. Each takes effect
 * at one moment between the beginning and the end of the call (it is linearizable), as if they had come one after another. So
 * of two replaces of one key in a batch either may come last, and a key never gets two pairs from them. Only DELETE_ALL is not
 * atomic: it is several deletes, one after another, the last of which finds nothing.
 *
 * There are no locks. An operation that meets a slot whose pair another thread is about to write waits for some hundred cycles,
 * then takes the slot away from it; the other starts again. A thread that stops does not hold up the others.
 *
 * The caller's own kernels use a dictionary through a view: slab_kernel.h.
 *
 * A dictionary belongs to its handle, has to be closed before it, and is in the memory of its device. On a GPU all these calls
 * wait until they are done. Where pairs are stored differs from run to run, and so does the order of ww_slab_pairs; the results
 * of calls do not, unless operations of a batch share a key.
 *
 * Ashkiani, Farach-Colton, Owens, A Dynamic Hash Table for the GPU (the slab hash, its lists and its allocator); Litwin, Linear
 * Hashing. */
#ifndef WARPWISE_SLAB_H
#define WARPWISE_SLAB_H

#include "device.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The result of an operation: one u8 for each. */
typedef enum ww_slab_status {
    WW_SLAB_ABSENT = 0, /* a search, a delete: there was no such key; nothing was to be done */
    WW_SLAB_FOUND,      /* a search */
    WW_SLAB_DELETED,    /* a delete; DELETE_ALL: one or more */
    WW_SLAB_INSERTED,   /* an insert; a replace: there was no such key */
    WW_SLAB_REPLACED,   /* a replace: the value of the key's oldest pair was set (combine: combined) */
    WW_SLAB_FULL        /* an insert, a replace: there was no memory for it, and it has changed nothing */
} ww_slab_status;

/* The operations of ww_slab_mixed: one u8 for each. */
typedef enum ww_slab_operation {
    WW_SLAB_NOTHING = 0,
    WW_SLAB_SEARCH,
    WW_SLAB_INSERT,
    WW_SLAB_REPLACE,
    WW_SLAB_DELETE,
    WW_SLAB_DELETE_ALL
} ww_slab_operation;

typedef struct ww_slab_options {
    size_t size;           /* WW_SLAB_OPTIONS fills it */
    uint64_t buckets;      /* initially; 0: as many as the expected pairs need */
    uint64_t memory_limit; /* bytes that it may take of the device's memory; 0: all there is */
    uint64_t seed;         /* of the hash function: other keys share buckets */
    uint32_t percent;      /* pairs for 100 slots of the buckets' first slabs, above which buckets are added; 0: 60 */
    bool fixed;            /* the number of buckets does not change: lists grow instead */
    uint8_t reserved[3];   /* 0 */
} ww_slab_options;
#define WW_SLAB_OPTIONS \
    { \
        sizeof(ww_slab_options), 0, 0, 0, 0, false, { 0, 0, 0 } \
    }

typedef struct ww_slab ww_slab;

/* Opens an empty dictionary.
 *   key_type    &ww_type_uint32_t or &ww_type_uint64_t (TYPE)
 *   value_type  one of these, or NULL for keys alone
 *   expected    approximate number of pairs: it has buckets for that many, and adds some as needed
 *   options     or NULL. buckets: up to 2^31 (LIMIT). percent: 10 to 1000 (INVALID)
 *   memory      a first slab for each bucket, of 64 bytes (u32 alone, u32 to u32 on a CPU, u64 alone; 14, 7 and 7 slots) or 128
 *               (u32 to u32 on a GPU: 15 slots; u32 to u64, u64 to u32: 10; u64 to u64: 7), and as many slabs more as lists
 *               want, taken in super blocks of which each is as large as all before it
 * *slab is NULL on failure. */
WW_API ww_status ww_slab_open(ww_device *device, const ww_type *key_type, const ww_type *value_type, uint64_t expected,
                              ww_slab **slab, const ww_slab_options *options);
WW_API void ww_slab_close(ww_slab *slab); /* NULL is fine */

/* Inserts a pair for each key, whether there is one of the same key or not.
 *   keys       of the dictionary's key type (TYPE), any input
 *   values     as many, of its value type, or ww_no_input where it has none
 *   statuses   as many u8, or ww_none: INSERTED or FULL
 *   overlap    none
 *   growth     buckets are added first, so that the new pairs fit: work in proportion to the new pairs, not to all there are
 *   empty      a large batch into an empty dictionary (2^15 pairs, and one for each 4 slots of first slabs; a CPU: first slabs
 *              larger than its caches): pairs are brought together by ranges of buckets first, and slabs are written whole;
 *              where memory is short they are inserted one by one. Where options.fixed is set and there are 60 to 200 pairs
 *              for 100 slots of first slabs, neighbouring buckets share slabs behind these: with 120 pairs the memory use is
 *              0.91 on a GPU, 0.8 on a CPU (keys and values of 4 bytes), and most searches still read one slab
 *   scratch    a GPU: a byte for each key where statuses is ww_none; an empty dictionary: twice the pairs and 8 bytes for each;
 *              on a CPU the pairs once, 4 MiB a thread, and what ww_multisplit takes
 * Where memory ends or options.memory_limit is reached, the call is MEMORY, all operations that fitted have been done, and
 * statuses says which (even if they are in the host's memory and the device is a GPU); the dictionary is intact.
 */
WW_API ww_status ww_slab_insert(ww_slab *slab, ww_input keys, ww_input values, ww_array statuses);

/* Sets the value of each key's oldest pair, or inserts one if there is none: a key that is only ever replaced has one pair.
 * Arguments and MEMORY as in ww_slab_insert; statuses are REPLACED, INSERTED or FULL. Which of a key's values in one batch
 * remains is unspecified. If the dictionary has no values, a key that is there is unchanged. Buckets are added between parts of
 * the batch, of an eighth of the pairs there are and 2^16 at least.
 *   empty      a large batch into an empty dictionary on a GPU (as of ww_slab_insert) is sorted by its keys first, and what is
 *              left of equal ones is inserted as ww_slab_insert does it; where memory is short, all one by one
 *   scratch    a GPU: an empty dictionary: the pairs three times, 8 bytes for each, and what ww_sort takes */
WW_API ww_status ww_slab_replace(ww_slab *slab, ww_input keys, ww_input values, ww_array statuses);

/* Combines each value with that of its key's oldest pair, by an operator, or inserts the pair where there is none: what sums,
 * counts and extremes by key are made with.
 *
 *     ww_slab_combine(slab, &ww_add, words, ww_constant(ww_value(uint64_t, 1), n), ww_none);   how often each word occurs
 *
 *   combine    a WW_COMBINE on the dictionary's values, or a built-in one (TYPE; a dictionary without values has none: TYPE),
 *              that commutes (INVALID): the order in which a key's values are combined is not known All else as in
 * ww_slab_replace; no value of a batch is lost, however many threads have the same key. */
WW_API ww_status ww_slab_combine(ww_slab *slab, const ww_function *combine, ww_input keys, ww_input values,
                                 ww_array statuses);

/* Deletes the oldest pair of each key (DELETED, else ABSENT), or all of them. As many equal keys delete as many pairs. Slots of
 * deleted pairs are used again when their bucket has been tidied up: calls that change the dictionary do so with as many
 * buckets as they have operations once a quarter of the slots are such, and ww_slab_flush with all.
 *   memory     buckets that were added are taken away once there are four times as many as the pairs want, until there
 *              are twice as many: by each call that changes the dictionary as many as it has operations. Each half of all
 *              buckets goes back to the device when the last of it has been taken away, and so do the super blocks at the end
 *              that have no slab in use, then and when all buckets have been tidied up. Not below the number of buckets at the
 *              opening, nor where options.fixed is set
 *   scratch    a GPU: a byte for each key where statuses is ww_none; where buckets may be taken away, also 4 bytes for each
 *              operation, 4 MiB at most (of all calls that change the dictionary)
 *   statuses   as many u8, or ww_none */
WW_API ww_status ww_slab_delete(ww_slab *slab, ww_input keys, ww_array statuses);
WW_API ww_status ww_slab_delete_all(ww_slab *slab, ww_input keys, ww_array statuses);

/* Finds each key's oldest pair.
 *   values     as many as keys, of the value type, or ww_none: those of keys that are there; others are unchanged
 *   statuses   as many u8, or ww_none: FOUND or ABSENT
 *   overlap    values may be exactly the memory that keys reads, where they are of one size
 * Changes nothing. */
WW_API ww_status ww_slab_search(ww_slab *slab, ww_input keys, ww_array values, ww_array statuses);

/* How many pairs each key has: the first half of finding them all.
 *   counts     as many as keys, u32 or u64 */
WW_API ww_status ww_slab_count(ww_slab *slab, ww_input keys, ww_array counts);

/* The values of all of each key's pairs, the oldest first: those of key i become values[offsets[i]] …
 * values[offsets[i + 1] - 1]. The offsets are the sums of the counts of ww_slab_count:
 *
 *     ww_slab_count(slab, keys, ww_array(offsets + 1, n));
 *     ww_scan(device, &ww_add, ww_memory(offsets + 1, n), ww_array(offsets + 1, n), NULL);   offsets[0] is 0
 *     ww_slab_search_all(slab, keys, ww_memory(offsets, n + 1), ww_array(values, offsets[n]));
 *
 *   offsets    one more than keys, u32, u64, i32 or i64 (INVALID)
 *   values     of the value type; a dictionary without values has none (TYPE)
 * Offsets that decrease, or end behind values, or leave more or fewer places than the key has pairs, are RANGE with the lowest
 * such position; nothing is written outside of a key's own places. */
WW_API ww_status ww_slab_search_all(ww_slab *slab, ww_input keys, ww_input offsets, ww_array values);

/* Operations of all kinds at once.
 *   operations  u8, a ww_slab_operation each; others do nothing, and are RANGE with the lowest position when all is done
 *   keys        as many
 *   values      as many, for the inserts and replaces among them, or ww_no_input where the dictionary has no values
 *   found       as many of the value type, or ww_none: what searches find; the others are unchanged
 *   statuses    as many u8, or ww_none; NOTHING is ABSENT
 *   overlap     none
 * MEMORY and growth as in ww_slab_replace. */
WW_API ww_status ww_slab_mixed(ww_slab *slab, ww_input operations, ww_input keys, ww_input values, ww_array found,
                               ww_array statuses);

/* Rebuilds all buckets: no slot of a deleted pair is left, lists are as short as they can be, and slabs that are no longer
 * needed are free for other buckets. Buckets that the pairs do not need are removed (ww_slab_delete). Super blocks at the end
 * that have no slab in use are freed. Passes over all slabs once; over those that buckets share once for each of these, and
 * which buckets share them stays as it is. */
WW_API ww_status ww_slab_flush(ww_slab *slab);

/* Deletes all pairs. The memory is kept, with all buckets and super blocks: filling the dictionary again takes no memory and
 * adds none. Writes all first slabs once. */
WW_API ww_status ww_slab_clear(ww_slab *slab);

/* All pairs, in no order except among those of a key.
 *   keys, values   capacity for as many as there are (LIMIT), or ww_none; values of a dictionary without: ww_none
 *   count          one u32 or u64: how many there are, written in any case */
WW_API ww_status ww_slab_pairs(ww_slab *slab, ww_array keys, ww_array values, ww_array count);

typedef struct ww_slab_info {
    size_t size;         /* of this struct; WW_SLAB_INFO fills it */
    uint64_t pairs;      /* that it holds */
    uint64_t dead;       /* slots of pairs that were deleted, or given up */
    uint64_t buckets;    /* and as many first slabs */
    uint64_t slabs;      /* in use behind these */
    uint64_t slab_bytes; /* of a slab; and its capacity in pairs */
    uint64_t slab_slots;
    uint64_t memory;      /* bytes of the device's memory that it has taken */
    double memory_use;    /* bytes of pairs / bytes of slabs in use (Ashkiani's memory utilization, 2017), 0 to 1 */
    uint64_t reserved[4]; /* 0 */
} ww_slab_info;
#define WW_SLAB_INFO \
    { \
        sizeof(ww_slab_info), 0, 0, 0, 0, 0, 0, 0, 0, { 0, 0, 0, 0 } \
    }

/* What the dictionary is; *info begins as WW_SLAB_INFO. */
WW_API ww_status ww_slab_info_get(ww_slab *slab, ww_slab_info *info);

/* Walks all of it, on the host, and reports what is broken (INVALID, with the bucket): a slab in two lists or in none that is
 * not free, a pair in another bucket than its key's, a half-written slot, counts that do not agree. For tests; a correct
 * program never sees it fail. Scratch: a GPU: as much of the host's memory as the dictionary takes of its own. */
WW_API ww_status ww_slab_check(ww_slab *slab);

#ifdef __cplusplus
}
#endif
#endif
