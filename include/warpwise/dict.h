/* Ordered dictionaries in files: saved and loaded as a whole, or updated in place, a batch at a time.
 *
 *     ww_dict *ages;
 *     ww_dict_create(device, "ages.db", &ww_type_uint32_t, &ww_type_uint32_t, NULL);
 *     ww_dict_open(device, "ages.db", NULL, true, &ages);
 *     ww_dict_insert(ages, ww_memory(keys, n), ww_memory(values, n));       on the disk when it returns
 *     ww_dict_lookup(ages, ww_memory(wanted, m), ww_array(values_out, m), ww_array(found, m));
 *     ww_dict_close(ages);
 *
 *     ww_lsm_save(lsm, "copy.db");                                          the same kind of file
 *     ww_lsm_load(device, "copy.db", NULL, &lsm);
 *
 * A file holds the sorted levels of a ww_lsm (lsm.h describes them and their costs). A batch is sorted, merged with the newest
 * levels that would be too short next to it, and written at the end of the file; then a page at its beginning is made to refer
 * to it. So each batch is there wholly or not at all, whenever the process or the machine stops, and costs only its merges:
 * log2(n / b) elements written for each of its own, over time; the file's other levels are unchanged. Levels that were merged
 * are dead; when dead bytes outnumber live ones the next batch is written to a new file with all that is live, which takes the
 * old one's name (as by ww_lsm_save), if one can be made in its folder.
 *
 * One process writes, any number read. A writer has the file's lock (flock) while it has it open; a second one is refused with
 * a sentence. Readers take no lock and see the dictionary as it was when they opened it, whatever is written meanwhile.
 *
 * Each page of 4096 bytes has a CRC-32C, which is checked before a handle first uses the page: queries for few keys read only
 * some pages of each level, log2 of their number for each key; those for many keys read the whole file once, at some GB/s.
 * Damage is reported as FORMAT with the file's name and the place, and no query is answered from it. The file is mapped: if a
 * program shortens it meanwhile, which this library does not, its readers get SIGBUS.
 *
 * Numbers have the byte order of the machine that made the file, which the file records; docs/dict.md describes the layout, of
 * which this is version 1. Files of another version or order are refused. The device is a CPU (UNSUPPORTED); ww_lsm_load loads
 * a file into a GPU's memory. Statuses beyond the common ones: FILE (the system refuses), FORMAT (the file is not a dictionary,
 * or is damaged). */
#ifndef WARPWISE_DICT_H
#define WARPWISE_DICT_H

#include "lsm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a dictionary in memory, and its copy in a file ---- */

/* Writes the levels to a file of this name, replacing the old one: there is either the old file or the new one, complete,
 * whenever the process or the machine stops. It is flushed to the disk, and so is its folder. Permissions are kept as file.h
 * says. A dictionary that another process has open for writing is not replaced (FILE). A GPU waits.
 *   scratch   1 MiB, and less than 1/500 of the bytes of the largest level */
WW_API ww_status ww_lsm_save(ww_lsm *lsm, const char *path);

/* Reads a file into the device's memory, each page checked. *lsm is NULL on failure. The file is not needed afterwards.
 *   value   the type of values, which must be the file's (TYPE): its label and size; NULL: as the file says, or records if the
 *           library has no type of that name */
WW_API ww_status ww_lsm_load(ww_device *device, const char *path, const ww_type *value, ww_lsm **lsm);

/* ---- a dictionary in a file ---- */

typedef struct ww_dict ww_dict;

/* Makes an empty one; FILE if the name exists already. Types and options as of ww_lsm_open. */
WW_API ww_status ww_dict_create(ww_device *device, const char *path, const ww_type *key, const ww_type *value,
                                const ww_lsm_options *options);

/* Opens one for reading, or for reading and writing. *dict is NULL on failure. It belongs to the handle; close it first.
 *   value    as of ww_lsm_load
 *   memory   of the host's 10 KiB and a byte for each page */
WW_API ww_status ww_dict_open(ww_device *device, const char *path, const ww_type *value, bool writes, ww_dict **dict);
WW_API void ww_dict_close(ww_dict *dict); /* NULL is fine */

/* Batches, as described for ww_lsm_insert, ww_lsm_delete, ww_lsm_update and ww_lsm_cleanup. They are on the disk when the call
 * returns OK. A call that fails has changed nothing, unless the sentence says that the batch is in the file and only could not
 * be flushed to the disk. ww_dict_cleanup merges all into one level in a new file, the smallest possible for these keys. FILE
 * if the dictionary was opened for reading. */
WW_API ww_status ww_dict_insert(ww_dict *dict, ww_input keys, ww_input values);
WW_API ww_status ww_dict_delete(ww_dict *dict, ww_input keys);
WW_API ww_status ww_dict_update(ww_dict *dict, ww_input keys, ww_input values, ww_input deletes);
WW_API ww_status ww_dict_cleanup(ww_dict *dict);

/* Queries, as ww_lsm_lookup, ww_lsm_count and ww_lsm_range. */
WW_API ww_status ww_dict_lookup(ww_dict *dict, ww_input keys, ww_array values, ww_array found);
WW_API ww_status ww_dict_count(ww_dict *dict, ww_input lows, ww_input highs, ww_array counts);
WW_API ww_status ww_dict_range(ww_dict *dict, ww_input lows, ww_input highs, ww_array offsets, ww_array keys_out,
                               ww_array values_out);

/* The next keys that are not below `first`, in ascending order with their values: as many as can be listed without more memory,
 * at least one where there is any, and at most as many as the capacity of keys_out (WW_DICT_LISTED_LEAST or more: LIMIT).
 * `*listed` is their number; 0: there are no more.
 *   values_out   as long as keys_out, or ww_none */
enum { WW_DICT_LISTED_LEAST = 64 };
WW_API ww_status ww_dict_list(ww_dict *dict, uint64_t first, ww_array keys_out, ww_array values_out, uint64_t *listed);

typedef struct ww_dict_info {
    size_t size;                /* of this struct; WW_DICT_INFO fills it */
    const ww_type *key, *value; /* value: NULL for none */
    uint64_t value_size, batch;
    uint64_t changes;    /* batches since the file was made, and cleanups */
    uint64_t elements;   /* in all levels: insertions and deletions, hidden or not */
    uint64_t levels;     /* that are searched */
    uint64_t oldest;     /* elements of the oldest level, none of which is a deletion or hidden by another one of it */
    uint64_t file_bytes; /* that the file has, or needs: what a stopped writer left after them is not counted */
    uint64_t live_bytes; /* of which levels have */
} ww_dict_info;
#define WW_DICT_INFO \
    { sizeof(ww_dict_info), NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0 }

/* `*info` begins as WW_DICT_INFO. Nothing is read from the file. */
WW_API ww_status ww_dict_info_get(ww_dict *dict, ww_dict_info *info);

/* Reads all of the file, and says in a sentence what is damaged or broken (FORMAT): each page's checksum, and what ww_lsm_check
 * checks. */
WW_API ww_status ww_dict_check(ww_dict *dict);

#ifdef __cplusplus
}
#endif
#endif
