/* Threads that fork: a team of n logical threads, with columns of values, that proceeds in supersteps.
 *
 *     WW_STRUCT(walkers, { uint32_t *value, *children; });
 *     WW_KERNEL(walk, walkers, w, rank, { w->children[rank] = w->value[rank]-- ? 2 : 0; });
 *
 *     ww_team *team;
 *     ww_column value, children;
 *     ww_team_create(device, 1, &team);                                            one thread
 *     ww_team_add(team, ww_constant(ww_value(uint32_t, 10), 1), &value);             that has a number,
 *     ww_team_add(team, ww_constant(ww_value(uint32_t, 0), 1), &children);           and a second one
 *     while (ww_team_size(team)) {
 *         walkers w = {ww_team_data(team, value), ww_team_data(team, children)};
 *         ww_team_step(team, ww_with(walk, &w));                                   all threads run the kernel: a superstep
 *         ww_team_fork(team, ww_from(ww_team_array(team, children)), NULL);        each becomes as many as it asked for
 *     }
 *     ww_team_destroy(team);
 *
 * Threads have ranks 0 … size - 1. A column is an array with an element for each thread, in the device's memory, which kernels
 * (WW_KERNEL), and any other call, read and write. Between supersteps the threads may be renumbered: fork replaces each by its
 * children, kill removes some, split and sort_by put them in another order. Columns are moved with their threads: a child
 * begins with its parent's values. Two columns can be filled with something else instead: the older rank, which is the one that
 * the thread (its parent, for a child) had before, and, in a fork, the rank among siblings.
 *
 * That is the model of BSGP (Hou, Zhou and Guo, Bulk-Synchronous GPU Programming, 2008): supersteps between barriers, threads
 * that are renumbered at these. All of it is built from this library's public primitives and kernels: on every device it does
 * what programs could do themselves (docs/superstep.md).
 *
 *   memory     two arrays a column, one of which is unused between calls; they grow by at least half, and never shrink: in a
 *              steady state no call allocates. A fork, split or sort_by that needs them takes 8 bytes a thread more (of before;
 *              sort_by and multisplit: and the keys again)
 *   arrays     that ww_team_array and ww_team_data give are good until the next renumbering, and until the column is removed
 *   statuses   OK, INVALID, TYPE, BUSY, MEMORY, and what the primitives return that are made use of; the sentence, which may
 *              be such a primitive's, is in the device's ww_error
 *   on error   the team is as it was before the call; but after errors that kernels find later, in a GPU's queue (ww_sync:
 *              RANGE), the columns' contents are unspecified
 *   an empty team is valid: every call then applies to no thread at all */
#ifndef WARPWISE_SUPERSTEP_H
#define WARPWISE_SUPERSTEP_H

#include "device.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ww_team ww_team;

/* A column's name in its team; 0 is no column. */
typedef uint32_t ww_column;

enum { WW_TEAM_COLUMNS = 64 };

/* A team of `threads` threads without columns, which uses the device's memory and threads; destroy it before that is closed.
 * NULL is fine for ww_team_destroy. */
WW_API ww_status ww_team_create(ww_device *device, uint64_t threads, ww_team **team);
WW_API void ww_team_destroy(ww_team *team);

/* Starts again with `threads` threads, in the memory that it has: the columns stay, and their contents are unspecified until
 * written. MEMORY leaves the team as it was. */
WW_API ww_status ww_team_restart(ww_team *team, uint64_t threads);

/* How many threads there are. */
WW_API uint64_t ww_team_size(const ww_team *team);

/* A column of the type that `initial` has, and with its elements, one for each thread. It is copied. Up to WW_TEAM_COLUMNS
 * (LIMIT). */
WW_API ww_status ww_team_add(ww_team *team, ww_input initial, ww_column *column);
/* Removes a column, and frees its memory. */
WW_API ww_status ww_team_remove(ww_team *team, ww_column column);

/* The column as an array; ww_none if there is no such column. And its memory alone (which may be NULL in an empty team). */
WW_API ww_array ww_team_array(const ww_team *team, ww_column column);
WW_API void *ww_team_data(const ww_team *team, ww_column column);

/* ---- supersteps ---- */

/* Every thread runs the WW_KERNEL, which has its arguments (ww_with); its rank is the thread's. What kernels may do:
 * ww_launch. */
WW_API ww_status ww_team_step(ww_team *team, const ww_function *kernel);

/* ---- renumbering ---- */

typedef enum ww_team_method {
    WW_TEAM_AUTO = 0,
    WW_TEAM_PAPER /* learning: fork and sort_by as in Hou, Zhou and Guo (listings 1 and 2 of the supplement) */
} ww_team_method;

typedef struct ww_team_options {
    size_t size;       /* WW_TEAM_OPTIONS fills it */
    uint32_t method;   /* a ww_team_method; of ww_team_fork and ww_team_sort_by */
    ww_column older;   /* a column of u32 or u64 that gets the older ranks; 0: none */
    ww_column rank;    /* of ww_team_fork: another such column, which gets the ranks among siblings; 0: none */
    uint32_t reserved; /* 0 */
} ww_team_options;
#define WW_TEAM_OPTIONS \
    { sizeof(ww_team_options), WW_TEAM_AUTO, 0, 0, 0 }

/* Thread i becomes counts[i] threads (u8, u16, u32 or u64; columns too), which stand where it stood; with count 0 it ends.
 *   statuses   LIMIT where counts sum to 2^64 - 1 or more, MEMORY where there is not enough for their columns
 *   methods    auto: a scan of the counts, and ww_expand_offsets of each column: a thread of a million children and a million
 *              threads of one child cost alike. paper: fork_fill, which gives every parent 1, 2, 4 … older ranks at a time,
 *              and a gather of each column
 *   costs      auto: n counts read and scanned, for each column its n elements read and all children's written; the host waits
 *              for the number of children */
WW_API ww_status ww_team_fork(ww_team *team, ww_input counts, const ww_team_options *options);

/* Threads whose flag (u8) is not 0 end; the others keep their order. Costs: for each column a ww_pack; the host waits for the
 * number of those that are left. */
WW_API ww_status ww_team_kill(ww_team *team, ww_input flags, const ww_team_options *options);

/* Threads whose flag (u8) is 0 come first, then the others, each side in its order. *zeros (or NULL) is how many come first;
 * the host waits for it. Costs: for each column a ww_split. */
WW_API ww_status ww_team_split(ww_team *team, ww_input flags, uint64_t *zeros, const ww_team_options *options);

/* The same for any number of buckets: bucket_of is a WW_MAP of the keys, one for each thread, whose result is below `buckets`;
 * offsets (buckets + 1 of u32 or u64, or ww_none) say where each bucket's threads begin. Costs: a ww_multisplit of the keys
 * with the ranks, and for each column a ww_gather. RANGE as ww_multisplit; on a GPU the next ww_sync says so. */
WW_API ww_status ww_team_multisplit(ww_team *team, const ww_function *bucket_of, uint64_t buckets, ww_input keys,
                                    ww_array offsets, const ww_team_options *options);

/* Puts the threads in the order of their keys, stably: by value with NULL for less, or by a WW_LESS.
 *   methods    auto: ww_sort_index, or ww_sort_by for an order of the caller's. paper: each element finds its place in the run
 *              beside by binary search, log2 n times; keys are u8, u16, u32 or u64 (TYPE) by value (INVALID)
 *   costs      a sort of the keys with the ranks, and for each column a ww_gather */
WW_API ww_status ww_team_sort_by(ww_team *team, const ww_function *less, ww_input keys, const ww_team_options *options);

/* ---- costs ---- */

/* What a team has done since it was created, in the terms of the paper's table 1. A superstep ends at a barrier: it is one
 * call of a primitive or launch that the team makes. Its work is the elements that the call goes through, parents and
 * children both, and for searches each element that is looked at. What a primitive does inside counts as the table has it: a
 * reduction, scan, pack, split or gather is 1 superstep of n work; a multisplit 1 and one for each digit of 8 bits; a sort by
 * value 1 of n work for each byte of the keys, one by an order log2 n of n work each. */
typedef struct ww_team_costs {
    uint64_t supersteps, work;
} ww_team_costs;
WW_API ww_team_costs ww_team_cost(const ww_team *team);

#ifdef __cplusplus
}
#endif
#endif
