/* Files that the ranks of a group read and write together: each reads its part of one file, and writes its part of one file.
 *
 *     ww_file_array keys;
 *     if (!ww_group_file_read(group, "keys", ww_array(NULL, 0, uint32_t), &keys, NULL))
 *         status = ww_group_sort(group, ww_from(keys.array), ww_no_input, keys.array, ww_none, NULL);
 *     …
 *     const ww_file_output sorted = {"sorted", ww_from(keys.array)};
 *     status = ww_group_file_write_all(group, &sorted, 1, NULL);
 *
 * All ranks have to see the files: on several machines they lie in a file system that these share. As with every call of a
 * group all ranks make it, with the same arguments, and get the same status and sentence. A rank waits for the others until the
 * group's limit: where files are large and disks slow, that is to be long (ww_group_options). */
#ifndef WARPWISE_GROUP_FILE_H
#define WARPWISE_GROUP_FILE_H

#include "file.h"
#include "group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads this rank's part of an array: of n elements and m ranks each gets n / m, in the order of the ranks, and the first n % m
 * ranks one more. Path, type, options and what is refused are as ww_file_read_with's, but that the file is a regular one
 * (INVALID).
 *   file         this rank's part, freed by ww_file_release with the rank's device
 *   header_only  the array has its type and this rank's count
 *   passes       each rank reads the header and its own part
 * Statuses: FILE (also where the file has become shorter meanwhile), FORMAT (also where ranks see files of other lengths or
 * types), INVALID, MEMORY, LOST. */
WW_API ww_status ww_group_file_read(ww_group *group, const char *path, ww_array what, ww_file_array *file,
                                    const ww_file_options *options);

/* Writes the whole arrays: of each output every rank gives its block, of any length, in memory, and the file has the blocks in
 * the order of the ranks. As ww_file_write_all, .npy by the name, all outputs or none, with the old files' permissions, and no
 * file has its name before it is whole: rank 0 makes each, and takes the room for it on the disk where the file system can;
 * every rank writes its part and forces it to the disk; when all have, rank 0 gives it its name. Until then it has none where
 * all ranks are on one machine whose file system has such files; else a temporary one, which the ranks that are left remove
 * when one fails or is lost.
 *   outputs    1 to WW_GROUP_FILES_MOST, files (INVALID: standard output, pipes, devices); inputs may be among them
 *   options    header is NULL (INVALID): an array is one row. durable: rank 0 forces folders to the disk, too
 * Statuses: FILE, INVALID, MEMORY, LIMIT, LOST. */
enum { WW_GROUP_FILES_MOST = 4 };
WW_API ww_status ww_group_file_write_all(ww_group *group, const ww_file_output *outputs, size_t count,
                                         const ww_file_options *options);

#ifdef __cplusplus
}
#endif
#endif
