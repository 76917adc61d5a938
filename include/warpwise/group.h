/* Groups: several devices, in one process or on many machines, that work on one array together.
 *
 *     static ww_status sum(ww_group *group, void *context) {                    every rank runs this, on a thread of its own
 *         const ww_array *block = (const ww_array *)context + ww_group_rank(group);
 *         uint64_t total;
 *         return ww_group_reduce(group, &ww_add, ww_from(*block), ww_array(&total, 1));
 *     }
 *
 *     const char *devices[] = {"cpu", "cpu"};
 *     char why[256];
 *     if (ww_group_run(devices, 2, NULL, sum, blocks, why, sizeof why)) puts(why);
 *
 * A group has `ranks` ranks. Each owns a device and a handle, and has its own block of every array, of any length, 0 too: the
 * array is the blocks in the order of the ranks. All ranks make the same calls in the same order, each with its own block.
 * Results have the same bytes as one device gives for the whole array, for any number of ranks, any lengths of blocks and any
 * engine; for floats wherever docs/determinism.md promises this for one device.
 *
 *   agreement  before data are moved all ranks exchange what they were called with: the function, types, options, the texts of
 *              functions, and whether their arguments and memory are in order. If not, or if ranks differ, all ranks return the
 *              same status with the same sentence, which names the rank, and nothing has been changed. Errors that only the
 *              data show (RANGE), or later ones (MEMORY for scratch of a last step), are also returned by all ranks; outputs
 *              are then unspecified
 *   LOST       if a rank died, left (ww_group_close, or returned from ww_group_run's body) or does not arrive within the
 *              group's limit, every other rank's call returns WW_LOST within that time. The group can then no longer be used;
 *              the process can go on, and the remaining ranks may open a smaller group
 *   BUSY       a group serves one thread at a time, as a device does, and its device is used by its calls
 *   waiting    every call returns when its result is complete
 *   memory     the handle keeps what the largest call took, in the device's memory, until ww_group_close */
#ifndef WARPWISE_GROUP_H
#define WARPWISE_GROUP_H

#include "multisplit.h"
#include "sort.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- engines: how bytes get from rank to rank ---- */

/* The kind of memory that an engine is given for an exchange. */
typedef enum ww_engine_memory {
    WW_ENGINE_HOST = 0, /* in the host's: what lies on a GPU the group copies through pinned memory */
    WW_ENGINE_DEVICE,   /* in that of the rank's device, from its ww_alloc */
    WW_ENGINE_ANY       /* in either, as the group has it: what is sent in one, what is received in one */
} ww_engine_memory;

enum {
    WW_ENGINE_GATHER_MOST = 4096, /* bytes that one rank brings to a gather */
    WW_ENGINE_WHY = 256           /* bytes of a sentence, its ending 0 with them */
};

/* One rank's end of what carries bytes between ranks: threads, sockets, MPI, NCCL. The library has one for the threads of a
 * process (ww_engines_local); a caller may bring any other.
 *
 * One thread at a time calls these functions, and on every rank the exchanges and gathers come in the same order, though they
 * need not come at the same time. exchange and gather begin: they may return before anything has moved, they do not wait for
 * other ranks (an engine may do all its work in `wait`), and there may be several under way, of each kind, up to 16. Their
 * arguments, memory and arrays of counts both, do not change until wait returns.
 *
 *   exchange   `send_bytes[r]` bytes at send + send_at[r] go to rank r, which has them at receive + receive_at[…] as its own
 *              call says; receive_bytes[r] bytes come from rank r, as many as r sends: the group has agreed on the numbers
 *              before. Blocks may have 0 bytes, any alignment, and any place: those that are received do not overlap each other
 *              or what is sent. A rank's block for itself is to be copied, too. Numbers are of 64 bits, whatever the
 *              transport's are. All arrays have `ranks` elements. With WW_ENGINE_DEVICE both are memory of the device, on which
 *              no work is under way; else they are memory of the host. A pointer may be NULL where it has no bytes
 *   gather     `bytes` bytes at `mine`, the same number on every rank and up to WW_ENGINE_GATHER_MOST, are at all + r * bytes
 *              on every rank for rank r. Always the host's memory
 *   wait       returns OK when all that this rank has begun is done here: what it sends may be changed, what it receives is
 *              there. After `limit_ms` milliseconds without that it is LOST. It may be called with nothing under way: OK
 *   abort      this rank gives up: its transfers end, and other ranks' waits, future ones too, are LOST as soon as they can
 *              learn of it. Called again, it does nothing. It does not wait for others
 *   close      the last call. Frees what the engine has. Where others still have something to come from this rank, that is LOST
 *              there, as after abort; what this rank has waited for is done for the others too, and closing does not undo it
 *
 * Statuses: OK; LOST where a rank is gone, stays away or the transport fails; MEMORY; UNSUPPORTED. After any other than OK
 * the group calls abort, then nothing but close. When wait has returned, whatever it says, and when abort has, nothing reads or
 * writes memory of the caller's any more: an engine whose transport cannot take back what it has begun goes through memory of
 * its own. What is wrong is written to `why`, as a sentence without a full stop at its end that names the rank, at most
 * WW_ENGINE_WHY bytes; it may be left as it is ("" before). */
typedef struct ww_engine {
    size_t size;       /* of this struct; WW_ENGINE fills it */
    void *state;       /* the engine's own */
    uint32_t rank;     /* 0 … ranks - 1 */
    uint32_t ranks;    /* at least 1 */
    uint32_t memory;   /* a ww_engine_memory */
    uint32_t reserved; /* 0 */
    ww_status (*exchange)(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes,
                          void *receive, const uint64_t *receive_at, const uint64_t *receive_bytes, char *why);
    ww_status (*gather)(void *state, const void *mine, size_t bytes, void *all, char *why);
    ww_status (*wait)(void *state, uint64_t limit_ms, char *why);
    void (*abort)(void *state);
    void (*close)(void *state);
} ww_engine;
#define WW_ENGINE \
    { sizeof(ww_engine), NULL, 0, 1, WW_ENGINE_HOST, 0, NULL, NULL, NULL, NULL, NULL }

/* The engine whose ranks are threads of this process, on any devices: `ranks` (1 to WW_RANKS_MOST) engines at `engines`, one
 * for each rank, to be given to ww_group_open on a thread each. Blocks are copied by the rank that receives them; where all
 * ranks have GPUs, from the one's memory to the other's, straight where the machine lets them map each other's. Waiting takes
 * no processor time, but that ranks with GPUs look for 200 microseconds before they sleep. Each is closed by its group, or by
 * its own `close`; the last one frees what they share. Statuses: MEMORY, INVALID. */
enum { WW_RANKS_MOST = 65536 };
WW_API ww_status ww_engines_local(uint32_t ranks, ww_engine *engines);

/* ---- groups ---- */

typedef struct ww_group ww_group;

typedef struct ww_group_options {
    size_t size;       /* WW_GROUP_OPTIONS fills it */
    uint64_t limit_ms; /* how long a call waits for other ranks; 0: 60,000 (a minute); the same on every rank */
    uint64_t reserved; /* 0 */
} ww_group_options;
#define WW_GROUP_OPTIONS \
    { sizeof(ww_group_options), 0, 0 }

/* This rank's handle, on a device that is the caller's and stays open as long as the group. All ranks open at the same time:
 * they wait for each other, and compare the library's version, the size of a word, the order of bytes and the number of ranks
 * (UNSUPPORTED on all where they differ). The engine is copied, and the group's from here on: ww_group_close closes it, after a
 * failure too. On failure *group is still a handle that ww_group_error explains and ww_group_close frees – or NULL, when not
 * even that could be allocated, or `group`, `engine` or one of its functions is NULL; then the engine is still the caller's.
 * Statuses: INVALID, MEMORY, UNSUPPORTED, LOST. */
WW_API ww_status ww_group_open(ww_device *device, const ww_engine *engine, const ww_group_options *options,
                               ww_group **group);

/* Closes the engine and frees the handle. NULL is fine. It waits for no one; other ranks' next call is LOST, unless they close
 * too. */
WW_API void ww_group_close(ww_group *group);

/* The sentence about the last call of this group that failed, "" when none has; valid until the next call. A sentence begins
 * with the call and, where one rank is the reason, with its number: "ww_group_sort: rank 2: keys_out has 5 elements, …". */
WW_API const char *ww_group_error(const ww_group *group);

WW_API uint32_t ww_group_rank(const ww_group *group);
WW_API uint32_t ww_group_ranks(const ww_group *group);
WW_API ww_device *ww_group_device(const ww_group *group);

/* What a rank does; its status is the rank's. */
typedef ww_status ww_group_body(ww_group *group, void *context);

/* Opens devices[r] for each rank r (NULL: as ww_open has it), a group of them all, and runs body(group, context) of each rank
 * on a thread of its own; then closes all. CPUs that are named without a number of threads share those of this process: each
 * rank has its part of them, at least one. A rank whose body returns has left the group.
 * Returns OK when all ranks do, else the status of the lowest rank whose status is not LOST, or LOST; `why` (`capacity` bytes,
 * or NULL) has its sentence. Statuses beyond the body's: INVALID, MEMORY, and what ww_open returns. */
WW_API ww_status ww_group_run(const char *const *devices, uint32_t ranks, const ww_group_options *options,
                              ww_group_body *body, void *context, char *why, size_t capacity);

/* ---- moving ---- */

/* Sends elements to the ranks that they are meant for: `in` has them in the order of these ranks; the first counts[0]
 * elements go to rank 0, the next counts[1] to rank 1, … `out` receives rank 0's elements, then rank 1's, …, each in their
 * order.
 *   in         memory (INVALID where it is computed), of one type on all ranks; as many elements as counts say (INVALID)
 *   counts     a number for each rank, the host's memory
 *   out        in's type; capacity for all that is received: if any rank has less, that is LIMIT on all, and nothing is sent.
 *              Elements after it are unchanged. No overlap with in
 *   received   a number for each rank, the host's memory, or NULL: how many elements come from each rank. Correct after LIMIT,
 *              too
 *   passes     1 n read and written, through the engine; what lies on a GPU is copied to pinned memory and from there where the
 *              engine wants the host's (twice the blocks' sizes) */
WW_API ww_status ww_group_exchange(ww_group *group, ww_input in, const uint64_t *counts, ww_array out,
                                   uint64_t *received);

/* ---- reducing ---- */

/* ww_reduce of the whole array: `out`, one element of in's type in any memory, is the same on all ranks. An empty array gives
 * the identity.
 *   passes     1 n read. Of integers each rank's result goes to all others. Of other types tiles are folded as ww_reduce folds
 *              them (docs/determinism.md), at the places that they have in the whole array: an element for each tile is kept,
 *              and tiles that lie on several ranks (16 KiB each) go to the first of these */
WW_API ww_status ww_group_reduce(ww_group *group, const ww_function *op, ww_input in, ww_array out);

/* ww_histogram, ww_histogram_even and ww_histogram_edges of the whole array: counts, and outside, are the same on all ranks,
 * and of one type and length on all (INVALID).
 *   passes     1 n read; then counts of up to 4096 bytes go from all ranks to all, longer ones to a rank for each part of them,
 *              which adds them up, and from there to all
 *   memory     3 times the counts
 *   RANGE      the sentence has the position in the rank's own block; counts are unchanged on all ranks
 *   edges      have to be the same on all ranks, which is not checked */
WW_API ww_status ww_group_histogram(ww_group *group, const ww_function *bucket_of, ww_input in, ww_array counts,
                                    ww_array outside, const ww_histogram_options *options);
WW_API ww_status ww_group_histogram_even(ww_group *group, ww_input in, ww_value low, ww_value high, ww_array counts,
                                         ww_array outside, const ww_histogram_options *options);
WW_API ww_status ww_group_histogram_edges(ww_group *group, ww_input in, ww_input edges, ww_array counts,
                                          ww_array outside, const ww_histogram_options *options);

/* ---- scanning ---- */

/* ww_scan of the whole array. options.initial comes before rank 0's block, and options.total, one element in any memory, is the
 * same on all ranks.
 *   overlap    out may be exactly the memory that in reads
 *   options    method lookback alone (auto; INVALID)
 *   passes     of integers each rank reduces its block first: 2 n read, 1 n written. Of other types tiles are folded and
 *              scanned at the places that they have in the whole array, with the carries that ww_scan has on one CPU: 2 n read,
 *              1 n written; the folds of all tiles (8 KiB each) go to all ranks, one element for each, and tiles that lie on
 *              several ranks to the first of these and back
 *   floats     the same bytes for any number of ranks, if all of these are CPUs; where one is a GPU the last bits may differ,
 *              as with ww_scan (docs/determinism.md) */
WW_API ww_status ww_group_scan(ww_group *group, const ww_function *op, ww_input in, ww_array out,
                               const ww_scan_options *options);

/* ---- splitting ---- */

/* ww_multisplit of the whole array: buckets go to ranks, each rank gets whole buckets that follow each other, and has them in
 * order, every bucket's elements in the order that they have in the whole array.
 *   buckets    1 to 2^24 (INVALID, LIMIT)
 *   ranges     ranks + 1 numbers of the host's: rank r gets buckets ranges[r] … ranges[r + 1] - 1; they begin with 0, do not
 *              fall, and end with `buckets` (INVALID). NULL: rank r begins with the first bucket that has r / ranks of all
 *              elements before it, so that elements are divided as evenly as whole buckets allow
 *   keys_out, values_out   capacity for what comes: too little on any rank is LIMIT on all, with first_bucket and came right;
 *              what lies behind is left as it is. They do not overlap each other; what is read they may
 *   offsets    buckets + 1 of u32 or u64: where each bucket begins in the whole array; the same on all ranks; or ww_none
 *   first_bucket   ranks + 1 numbers of the host's: the ranges that were taken; or NULL
 *   came       how many elements this rank has now: the host's memory, or NULL
 *   RANGE      a key without a bucket: the sentence has its position in the rank's own block, and nothing has moved
 *   passes     a ww_multisplit of the own block, the exchange, and a ww_multisplit of what comes; 16 bytes a bucket are sent.
 *              Up to 512 buckets whose elements on a rank have 128 KiB on average go straight to places in the devices' memory
 *              (8 bytes a bucket and rank); GPUs of one process store keys of up to 256 built-in buckets there as they split
 *   memory     a copy of the block, one of what comes, 48 bytes a bucket, and what ww_multisplit takes */
WW_API ww_status ww_group_split(ww_group *group, const ww_function *bucket_of, uint64_t buckets, const uint64_t *ranges,
                                ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                                ww_array offsets, uint64_t *first_bucket, uint64_t *came);

/* ---- sorting ---- */

/* ww_sort of the whole array, and of its values with the keys: rank r gets as many of the sorted keys as its keys_out has
 * elements, rank 0 the first ones. So blocks keep their lengths, or get others: the lengths of all keys_out have the sum of all
 * keys' (INVALID).
 *   stable     equal keys come in the order that they have in the whole array
 *   overlap    keys_out and values_out do not overlap; either may be what keys or values read (sorting in place)
 *   options    as ww_sort's, alike on all ranks (but for the method, which is each rank's own)
 *   passes     a ww_sort of the own block; then each key and value goes to another rank, once at most, and is read and written
 *              once for each doubling from one to the number of ranks, when sorted runs are merged (by bits of the keys, and
 *              more than 8 runs of keys up to 8 bytes: a ww_sort again). Where blocks are cut is found in some five rounds of
 *              short messages, with 128 keys of each rank for each other one; up to 16 ranks that are all GPUs send all of each
 *              other 1024 for each border. Two GPUs merge what arrives while more is on its way; in one process, up to 256 MiB
 *              of keys are merged out of both ranks' memory at once
 *   memory     twice the larger one of a block and its output, and what ww_sort and ww_merge take
 *   elements   keys as ww_sort takes them. By an order of the caller's (ww_group_sort_by: a WW_LESS; ww_ascending, which NULL
 *              is, or ww_descending) of any type; options.descending is not for these (INVALID), and an order that is no strict
 *              weak order gives some permutation of the keys, or INVALID
 * Exact splitters from regular samples: Shi and Schaeffer, Parallel Sorting by Regular Sampling (1992), refined until no key is
 * left in doubt, as Varman et al., Merging Multiple Lists on Hierarchical-Memory Multiprocessors (1991) do. */
WW_API ww_status ww_group_sort(ww_group *group, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                               const ww_sort_options *options);
WW_API ww_status ww_group_sort_by(ww_group *group, const ww_function *less, ww_input keys, ww_input values,
                                  ww_array keys_out, ww_array values_out, const ww_sort_options *options);

/* The order that ww_group_sort would give, without moving keys: index_out has positions in the whole array, u32 or u64 (TYPE
 * where a u32 is too small for them). Its lengths are as those of keys_out above. */
WW_API ww_status ww_group_sort_index(ww_group *group, ww_input keys, ww_array index_out,
                                     const ww_sort_options *options);

/* The first k keys that ww_group_sort would give, with their values: k is keys_out's count, the same on all ranks and at most
 * all keys (INVALID), and so is what comes out. Options as ww_top_k's.
 *   passes     a ww_top_k of the own block; k keys and values go from each rank to all others, which take the first k of all
 *   memory     ranks + 2 times k keys and values, and what ww_top_k takes */
WW_API ww_status ww_group_top_k(ww_group *group, ww_input keys, ww_input values, ww_array keys_out, ww_array values_out,
                                const ww_sort_options *options);

/* ---- text ---- */

/* ww_find of the whole text: each rank gets the matches that begin in its block, as positions in the whole text, also those
 * that go on in blocks behind it.
 *   text       u8 or i8; not packed (INVALID)
 *   pattern    the same on all ranks (INVALID); characters and options as ww_find's
 *   positions  u32 or u64, of any length, or ww_none: the first matches of the block; u32 is TYPE for texts above 2^32
 *              characters
 *   count      one u32 or u64 in any memory: the matches that begin in this rank's block, whether or not they fit
 *   all        the matches in the whole text: the host's memory, or NULL
 *   passes     a ww_find of the block; up to pattern_count - 1 characters go to each rank that a match may come from
 *   memory     3 times the pattern, positions, the block where it is computed, and what ww_find takes */
WW_API ww_status ww_group_find(ww_group *group, ww_input text, const void *pattern, uint64_t pattern_count,
                               ww_array positions, ww_array count, uint64_t *all, const ww_find_options *options);

#ifdef __cplusplus
}
#endif
#endif
