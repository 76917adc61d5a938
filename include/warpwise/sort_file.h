/* Sorting files of any size within a given amount of memory.
 *
 *     ww_sort_file_options o = WW_SORT_FILE_OPTIONS;
 *     o.memory = 512u << 20;
 *     ww_sort_file(device, "keys.bin", ww_array(NULL, 0, uint32_t), "sorted.bin", NULL, &o);      raw
 *     ww_sort_file(device, "x.npy", ww_none, "x.npy", NULL, &o);                                  the type is inside
 *     o.key_first = 0, o.key_bytes = 10;
 *     ww_sort_file(device, "people", ww_records(NULL, 0, 100), "sorted", NULL, &o);               by a part of their bytes
 *
 * docs/files.md says which passes are made, and what memory and temporary space they take. */
#ifndef WARPWISE_SORT_FILE_H
#define WARPWISE_SORT_FILE_H

#include "file.h"
#include "sort.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ww_sort_file_options {
    size_t size; /* WW_SORT_FILE_OPTIONS fills it */
    /* Bytes of the host's memory that the call may take, with what the library itself and its threads need: the resident memory
     * of a process that had little before stays below, but for pages of the library's file that the system maps unasked.
     * 0: half of the machine's. Too little is LIMIT, with the least in a sentence. */
    uint64_t memory;
    const char *folder; /* of the temporary file; NULL: what TMPDIR names (not in a setuid program), else /tmp */
    /* key_bytes not 0: elements are sorted by so many of their bytes from key_first on, as ww_sort_records does it. */
    uint64_t key_first, key_bytes;
    /* As ww_file_options', from the calling thread, with the output's path and the bytes read and written so far and in all (0:
     * not known yet). */
    bool (*progress)(void *context, const char *path, uint64_t done, uint64_t total);
    void *context;
    ww_file_header *header; /* filled when the input is opened, before anything is written; or NULL */
    bool durable;           /* as ww_file_options' */
    bool npy;               /* what goes to "-" is .npy, not raw */
    uint8_t reserved[6];    /* 0 */
} ww_sort_file_options;
#define WW_SORT_FILE_OPTIONS \
    { \
        sizeof(ww_sort_file_options), 0, NULL, 0, 0, NULL, NULL, NULL, false, false, { 0 } \
    }

/* Sorts the elements of a file into another, stably, as ww_sort would (or ww_sort_records, with a key of bytes).
 *   in, what     as ww_file_read has them; "-" and pipes, too
 *   out          as for ww_file_write: a file has no name until it is complete (if the file system supports that), and then
 *                takes the old one's place, with its permissions; in and out may be the same file, unless that is written
 *                directly (/dev/fd/3): INVALID
 *   options      as ww_sort's (with a key of bytes: ww_sort_records')
 *   passes       a file that fits in memory (up to some three quarters of it) is read once and written once. Otherwise sorted
 *                runs of about a third of the memory are written to a temporary file that never has a name, while the next one
 *                is read, and are merged: each chunk of the result consists of the runs' elements between two exact ranks, and
 *                is sorted while the next is read and the last written. With m bytes of memory some m^2 / 600,000 bytes are
 *                merged in one pass; more take one more pass for each such factor
 *   disk         the temporary file: the input's bytes; where there are passes between, twice that. Merged blocks are freed as
 *                the output grows, if the file system supports that
 *   threads      the device's; one that reads and one that writes
 *   memory       scratch memory, and buffers of the allocator's (for a GPU: as ww_alloc_host), which it does not keep
 * Statuses: FILE (cannot be read or written, or has changed meanwhile; the caller stops it), FORMAT, INVALID, TYPE, LIMIT,
 * MEMORY. Whatever fails, nothing of the output or the temporary file is left, and the input is unchanged. Merging pieces
 * between ranks: Varman et al., Merging Multiple Lists on Hierarchical-Memory Multiprocessors (1991). Ranks by weighted medians
 * of the runs: Frederickson and Johnson, The Complexity of Selection and Ranking in X+Y and Matrices with Sorted Columns
 * (1982). */
WW_API ww_status ww_sort_file(ww_device *device, const char *in, ww_array what, const char *out,
                              const ww_sort_options *options, const ww_sort_file_options *file_options);

#ifdef __cplusplus
}
#endif
#endif
