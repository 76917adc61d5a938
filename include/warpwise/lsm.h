/* Dynamic ordered dictionaries: keys with values, updated and queried in batches.
 *
 *     ww_lsm *ages;
 *     ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &ages, NULL);
 *     ww_lsm_insert(ages, ww_memory(keys, n), ww_memory(values, n));
 *     ww_lsm_delete(ages, ww_memory(gone, 3));
 *     ww_lsm_lookup(ages, ww_memory(wanted, m), ww_array(values_out, m), ww_array(found, m));
 *     ww_lsm_count(ages, ww_memory(lows, k), ww_memory(highs, k), ww_array(counts, k));
 *     ww_lsm_close(ages);
 *
 * A ww_lsm is ordered: besides looking up a key, it counts and lists the keys between two bounds, and finds the neighbours of a
 * key. It is a log-structured merge dictionary: a few sorted levels, the newest first, each at least twice as long as the next
 * newer one. A batch is sorted and becomes the newest level, merged with those levels that would be too short next to it.
 * Nothing is changed in place: a deletion is an element that hides older ones, as an insertion of the same key does, and hidden
 * elements are removed when a merge reaches the oldest level, or by ww_lsm_cleanup.
 *
 * What it costs, with n elements in the levels and batches of b:
 *   an update      a sort of the batch, and for each of its elements log2(n / b) merges, over time: whatever the lengths of
 *                  batches are, an element that is merged is in a level at least half as long again afterwards. One batch alone
 *                  may merge all levels, which moves n elements twice
 *   a look-up      a binary search in each level, the newest first, until the key is met; at most log2(n / b) + 2 levels
 *   a count        two binary searches in each level, whatever the width, by the levels' index. The first query that needs the
 *                  index after an update makes it for the levels that are new: a look-up for each of their elements. The oldest
 *                  level, which has half of all elements and more, needs none
 *   a range        a count, and a merge of the elements between the bounds
 * Few large batches are better than many small ones, and after many updates that hide others ww_lsm_cleanup makes queries
 * faster.
 *
 * Keys are u32 or u64, and no key is reserved. Deletions are marked beside the keys, in a byte for each element of levels that
 * have any.
 *
 * A dictionary belongs to the handle that it was opened on, which serves one thread at a time with all that belongs to it, and
 * has to be closed before it. It is in the memory of the device. On a GPU calls are asynchronous, except for those that say
 * otherwise. Updates cannot be part of a CUDA graph (UNSUPPORTED); queries can, after a query that made the index, and are
 * right until the next update.
 *
 * Ashkiani, Li, Farach-Colton, Amenta and Owens, GPU LSM: a dynamic dictionary data structure for the GPU (2018; chapter 4 of
 * Ashkiani 2017), without its fixed length of batches, its bit taken from the keys and its sort of what is
 * counted. */
#ifndef WARPWISE_LSM_H
#define WARPWISE_LSM_H

#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WW_LSM_VALUE_MOST = 64 }; /* bytes of a value */

typedef struct ww_lsm ww_lsm;

typedef struct ww_lsm_options {
    size_t size;       /* WW_LSM_OPTIONS fills it */
    size_t value_size; /* bytes of a value of type ww_type_record; 0 for other types */
    uint64_t batch;    /* levels of fewer elements are always merged with what comes next; 0 is 4096 */
    uint64_t reserved; /* 0 */
} ww_lsm_options;
#define WW_LSM_OPTIONS \
    { sizeof(ww_lsm_options), 0, 0, 0 }

/* Opens an empty dictionary. *lsm is NULL on failure.
 *   key       &ww_type_uint32_t or &ww_type_uint64_t (TYPE)
 *   value     any type of 1 to WW_LSM_VALUE_MOST bytes (LIMIT), or NULL: keys alone. A WW_STRUCT's descriptor must live as long
 *             as the dictionary
 *   options   batch: the expected length of batches, up to 2^32 (LIMIT): with a larger one there are fewer levels, and each
 *             batch, however small, is merged with up to that many elements
 *   memory    5 KiB of the host's. Of the device's, for each element in the levels a key, a value and a byte, and less than
 *             half of that more; half a byte for the index; and up to a quarter of all that, or 64 MiB, in blocks that are kept
 *             for the next levels (ww_lsm_cleanup gives these back). Deletions and what is hidden are elements, too; all levels
 *             together have less than twice as many as the oldest one */
WW_API ww_status ww_lsm_open(ww_device *device, const ww_type *key, const ww_type *value, ww_lsm **lsm,
                             const ww_lsm_options *options);
WW_API void ww_lsm_close(ww_lsm *lsm); /* NULL is fine */

/* ---- updates ---- */

/* Updates are made in batches, whose effect does not depend on the order within them except as stated here:
 *   - after an insertion a key has that value, whatever it had before, or none
 *   - of several insertions of a key in one batch the last one counts
 *   - a deletion of a key that is not there changes nothing
 *   - a key that one batch both inserts and deletes is deleted
 * A call that fails (MEMORY, LIMIT) has changed nothing. An empty batch is fine.
 *   keys      of the dictionary's type (TYPE), any input
 *   values    as many as keys, of the dictionary's type; ww_no_input where it has none
 *   passes    what ww_sort takes for the batch; for each level that is merged with it, what ww_merge takes, once more for
 *             deletions where there are values, too: level after level from the shortest on, so twice the elements of all of
 *             them. Where the oldest level is one of them: 1 n keys read to see what is hidden, and, if anything is, what
 *             ww_pack takes
 *   scratch   the batch, and what ww_sort takes for it; the elements of the levels that are merged, but the last time; for the
 *             oldest level a byte for each element
 *   a GPU     waits where the oldest level is merged, for the number of elements that are left; it is merged each time when
 *             what is newer has grown to half of it. LIMIT for batches that are computed from elements above 1024 bytes */
WW_API ww_status ww_lsm_insert(ww_lsm *lsm, ww_input keys, ww_input values);
WW_API ww_status ww_lsm_delete(ww_lsm *lsm, ww_input keys);

/* Both at once: a key is deleted if its flag (an integer) is not 0, else inserted with its value. Values of deletions are
 * ignored.
 *   passes    of the batch more: flags read twice and positions written, keys, values and flags gathered by them
 *   scratch   of the batch more: two positions of 4 bytes (8 from 2^32 on) and a key for each element; and what is computed */
WW_API ww_status ww_lsm_update(ww_lsm *lsm, ww_input keys, ww_input values, ww_input deletes);

/* Replaces the contents of the dictionary by these keys: a sort, and one level. */
WW_API ww_status ww_lsm_build(ww_lsm *lsm, ww_input keys, ww_input values);

/* Removes hidden elements, and merges all into one level; frees memory kept for the next levels. Queries give the same results,
 * faster. A GPU waits. Passes and scratch as of an update that merges all levels. */
WW_API ww_status ww_lsm_cleanup(ww_lsm *lsm);

/* ---- queries ---- */

/* Looks keys up: found[i] (u8) is 1 where keys[i] is there, else 0; values[i] is then its value, else it is unchanged.
 *   values, found   as many as keys (INVALID); must not overlap them; ww_none where they are not wanted, or there are no values
 *   passes          keys read, found and values written, log2 of its length accesses to each level until a key is met
 *   many keys       (2^18 and more of large levels) are brought in order first, so that neighbours read what is near: what two
 *                   passes of a radix sort take on a GPU, a ww_sort on a CPU; keys and results are moved once more
 *   scratch         a CPU: 32 KiB a thread, and 32 KiB a level where there are many keys. For those brought in order: twice
 *                   two keys and 4 bytes each on a GPU; a key, a value, 5 bytes and what ww_sort takes on a CPU. If there is no
 *                   memory for that, they are not ordered */
WW_API ww_status ww_lsm_lookup(ww_lsm *lsm, ww_input keys, ww_array values, ww_array found);

/* counts[i] (u32 or u64) = how many keys there are with lows[i] <= key <= highs[i]; 0 where lows[i] is above highs[i].
 *   scratch   as ww_lsm_lookup, with a bound and a count for a value */
WW_API ww_status ww_lsm_count(ww_lsm *lsm, ww_input lows, ww_input highs, ww_array counts);

/* Lists them: keys_out[offsets[i]] … keys_out[offsets[i + 1] - 1] are the keys with lows[i] <= key <= highs[i], ascending,
 * values_out their values. To learn the capacity needed, pass ww_none for keys_out: then only offsets are written.
 *   offsets      one u64 more than queries (TYPE, INVALID); its last one is the number of all
 *   keys_out, values_out   of the same length; too little capacity is LIMIT, with offsets correct and as much as fits written.
 *                Elements after the last one are unchanged. values_out may be ww_none
 *   passes       as ww_lsm_count's; the elements between the bounds read, and what is listed written. On a GPU the elements of
 *                ranges of up to 32 are written once more, and each element of a longer one is searched for in the other
 *                levels, between the bounds
 *   scratch      as ww_lsm_lookup; on a GPU, for each of up to 2^23 queries, 32 keys with their values (8 bytes where these are
 *                longer; a key and a value are filled up to 8 or 16), 12 bytes, and 16 for each level; on a CPU these 16 for 64
 *                queries a thread
 *   a GPU        does not wait, and only offsets show too little capacity */
WW_API ww_status ww_lsm_range(ww_lsm *lsm, ww_input lows, ww_input highs, ww_array offsets, ww_array keys_out,
                              ww_array values_out);

/* The largest key below each of `keys` (or_equal: not above it), and the smallest one above (not below): keys_out[i], with its
 * value. found[i] (u8) is 1 if there is one; else it is 0, and keys_out[i] and values_out[i] are unchanged.
 *   keys_out, values_out, found   as many as keys (INVALID); ww_none where they are not wanted. keys_out may be exactly the
 *                                 memory that keys reads; the others must not overlap anything
 *   passes     a binary search in each level, and another for each of up to 4 deleted keys in a row; where there are more, 32
 *              (64) rounds of such searches, by the index */
WW_API ww_status ww_lsm_predecessor(ww_lsm *lsm, ww_input keys, bool or_equal, ww_array keys_out, ww_array values_out,
                                    ww_array found);
WW_API ww_status ww_lsm_successor(ww_lsm *lsm, ww_input keys, bool or_equal, ww_array keys_out, ww_array values_out,
                                  ww_array found);

/* The smallest key, and the largest: one element each, or ww_none; found is 0 where the dictionary is empty. */
WW_API ww_status ww_lsm_minimum(ww_lsm *lsm, ww_array key, ww_array value, ww_array found);
WW_API ww_status ww_lsm_maximum(ww_lsm *lsm, ww_array key, ww_array value, ww_array found);

/* All keys in ascending order, with their values, as ww_lsm_cleanup would leave them; the dictionary is unchanged.
 *   keys_out, values_out   of the same length; too little capacity is LIMIT, with `count` right and as much as fits
 *                          written. values_out may be ww_none
 *   count                  one u32 or u64: how many there are
 *   scratch                twice the elements of all levels, and a byte for each; none where there is one level
 *   a GPU                  waits where there are several levels */
WW_API ww_status ww_lsm_entries(ww_lsm *lsm, ww_array keys_out, ww_array values_out, ww_array count);

/* ---- what it is like ---- */

/* How many keys there are. Makes the index; a GPU waits. */
WW_API ww_status ww_lsm_size(ww_lsm *lsm, uint64_t *size);

typedef struct ww_lsm_info {
    size_t size;          /* of this struct; WW_LSM_INFO fills it */
    uint64_t elements;    /* in all levels: insertions and deletions, hidden or not */
    uint64_t levels;      /* that are searched */
    uint64_t oldest;      /* elements of the oldest level, none of which is a deletion or hidden by another one of it */
    uint64_t bytes;       /* of the device's memory, in all: levels, index, and what is kept */
    uint64_t level_bytes; /* of which the levels have */
    uint64_t index_bytes; /* of which the index has, as far as it is made */
    uint64_t spare_bytes; /* of which are kept for the next levels */
    uint64_t
        needed_bytes; /* that the elements' keys, values and deletion marks would take without any overhead */
} ww_lsm_info;
#define WW_LSM_INFO \
    { sizeof(ww_lsm_info), 0, 0, 0, 0, 0, 0, 0, 0 }

/* What it contains and uses; `*info` begins as WW_LSM_INFO. Only the host's own records are read. */
WW_API ww_status ww_lsm_info_get(ww_lsm *lsm, ww_lsm_info *info);

/* Walks through the structure, and says in a sentence (ww_error) what is broken (FORMAT). In an intact one:
 *   - in each level keys do not fall; of equal ones the first is the newest, by which the others are hidden
 *   - each level is at least twice as long as the one that is newer, and but for the newest none is shorter than
 *     options.batch
 *   - in the oldest level keys rise, and none is deleted
 *   - marks of deletion are 0 or 1, and there are none where the level says so
 *   - the index, as far as it is made, says for each element how it changes the number of keys
 * These are the building invariants of section 4.3.4 there, and those of the levels' lengths. For tests, and where memory
 * may have been written over: a look-up for each element that the index counts. On a GPU each level is copied to the host's
 * memory (all of them at once, as scratch). */
WW_API ww_status ww_lsm_check(ww_lsm *lsm);

#ifdef __cplusplus
}
#endif
#endif
