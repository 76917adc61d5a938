/* Files of arrays: raw little-endian elements, and NumPy's .npy.
 *
 *     ww_file_array in;
 *     if (ww_file_read(device, "x.npy", ww_none, &in)) …            in.array: memory of the file's own
 *     ww_file_write(device, "y.npy", ww_from(in.array));
 *     ww_file_release(device, &in);
 *
 * Reading: .npy versions 1.0 to 3.0 of u1..u8, i1..i8, f2, f4, f8, b1 (as u8), V (|V16 is u128 or i128, |V2 bf16 when asked
 * for, else records of N bytes), C order, both byte orders, any shape (read as one row). Refused with a sentence that names
 * the file, the place and the value: complex, strings, objects, dates, structured types, Fortran order, a truncated header, or
 * a shape that does not match the bytes that follow; .npz, which is an archive. Raw: a size that is not a multiple of the
 * element's.
 *
 * Writing goes to a temporary name in the target's folder (.warpwise-….tmp), which nobody else can open and which is renamed
 * when it is complete: at any time there is the complete old file or the complete new one. It is removed when something fails;
 * if a process is killed, the next one that writes the same file removes it. Reading and writing the same file is fine.
 *
 * The new file has the old one's permissions, its owner and group, its ACL and its user.* attributes, as far as the system
 * lets this process: root may give files away, others may not, and then the file is the caller's. If the group or the ACL
 * cannot be kept, fewer people may use the file, never more. Not kept are setuid and setgid bits, file capabilities, and
 * hard links: other names of the old file keep its contents. A new file gets the mode that the umask and the folder
 * determine.
 *
 * A symbolic link is followed, and stays. Anything but a regular file (a named pipe, a terminal, /dev/null) is written
 * directly, and so are this process's own descriptors by any name (/dev/stdout, /dev/fd/3), from their current position. A
 * non-blocking descriptor is waited for. Nothing is flushed to the disk unless ww_file_options says so (durable). */
#ifndef WARPWISE_FILE_H
#define WARPWISE_FILE_H

#include "device.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ww_file_array {
    ww_array array; /* in memory of the device's allocator (for a GPU: as ww_alloc_host), freed by ww_file_release */
    uint64_t reserved[2];
} ww_file_array;

/* What a file says about its array in addition to the type and number of the elements. */
enum { WW_FILE_DIMENSIONS = 64 }; /* NumPy's maximum */
typedef struct ww_file_header {
    uint64_t dimensions; /* of .npy: how many numbers its shape has; of a raw file 1 */
    uint64_t shape[WW_FILE_DIMENSIONS];
    uint64_t begin; /* bytes before the elements */
    bool swapped;   /* the elements have the other byte order in the file */
    uint8_t reserved[7];
} ww_file_header;

typedef struct ww_file_options {
    size_t size; /* WW_FILE_OPTIONS fills it */
    /* Called at the start, every few MiB, whenever a signal interrupts, and at the end, with the bytes moved so far and
     * of all (0: not known). When it returns false the call stops with FILE, and leaves no file. NULL: not called. */
    bool (*progress)(void *context, const char *path, uint64_t done, uint64_t total);
    void *context;
    /* Reading: is filled, unless NULL. Writing: the shape of the first output, if that is .npy; its product must be the number
     * of elements (INVALID). NULL: one dimension. */
    ww_file_header *header;
    /* Writing: the outputs survive a power cut after the call. Each file is flushed to the disk before it gets its name, and
     * its folder afterwards (fsync). What cannot be flushed (a pipe, a terminal) is only written. */
    bool durable;
    /* Reading: no element is read. The array has its type, size and count (0 for a raw pipe), and no data. */
    bool header_only;
    /* Writing: what goes to "-" is .npy, not raw. */
    bool npy;
    uint8_t reserved[5]; /* 0 */
} ww_file_options;
#define WW_FILE_OPTIONS \
    { \
        sizeof(ww_file_options), NULL, NULL, NULL, false, false, false, { 0 } \
    }

/* Reads a whole file; "-" is standard input. A name that ends in ".npy" (or a "-" whose bytes begin as one) is .npy and
 * says its type itself; any other is raw.
 *   what   an array without data that gives the requested type and its size (which a .npy must then have), or ww_none for "as
 *          the file says", which raw files do not (INVALID). Another size than the type's is TYPE
 * Statuses: FILE (cannot be opened or read), FORMAT (does not hold what it should), INVALID, MEMORY. */
WW_API ww_status ww_file_read(ww_device *device, const char *path, ww_array what, ww_file_array *file);
WW_API ww_status ww_file_read_with(ww_device *device, const char *path, ww_array what, ww_file_array *file,
                                   const ww_file_options *options);

/* Frees what ww_file_read returned; an empty or already released one is fine. */
WW_API void ww_file_release(ww_device *device, ww_file_array *file);

/* Reads a file of any size in chunks, for what reads an array once: sums, counts, the first k.
 *
 *     ww_file_reader *reader;
 *     ww_array piece;
 *     if (ww_file_open(device, "x.npy", ww_none, &reader, NULL)) …
 *     while (!(status = ww_file_next(device, reader, &piece)) && piece.count) …
 *     ww_file_close(device, reader);
 *
 * Path, type, options and statuses are as ww_file_read_with's; the path and what options lead to are the reader's until it is
 * closed. ww_file_next gives the next elements: piece.count of them, 0 at the end (with the type, always), in memory of the
 * reader's that the next call overwrites (for a GPU as ww_alloc_host: what is queued on the piece must have ended). Errors in
 * the file's length are found at its end, if it is not known before. Chunks have 32 MiB, or one element, except the last:
 * always the same ones for a file. With header_only there are none. A reader is one thread's, and is used with the handle that
 * opened it. */
typedef struct ww_file_reader ww_file_reader;
WW_API ww_status ww_file_open(ww_device *device, const char *path, ww_array what, ww_file_reader **reader,
                              const ww_file_options *options);
WW_API ww_status ww_file_next(ww_device *device, ww_file_reader *reader, ww_array *piece);
WW_API void ww_file_close(ww_device *device, ww_file_reader *reader); /* NULL is fine */

/* Writes elements of memory (INVALID where they are computed); "-" is standard output (raw, or .npy by the options of
 * ww_file_write_all). A name that ends in ".npy" makes .npy version 1.0, any other raw little-endian elements. If writing fails
 * the old file is unchanged and no other is left. Options, of which `durable` is one, go to ww_file_write_all. Statuses: FILE,
 * INVALID, MEMORY. */
WW_API ww_status ww_file_write(ww_device *device, const char *path, ww_input in);

/* Writes several that belong together: all are whole under their temporary names before the first is renamed, so when
 * one cannot be written (a full disk) none is replaced; and when one cannot be renamed, those that were get their old files
 * back (where the file system can neither exchange nor link files, the sentence says which were replaced). A process that is
 * killed between the first renaming and the last leaves some new and some old. What is written directly is written after all
 * the others are whole, and cannot be taken back.
 * Two outputs that would be one file are INVALID. Holds two descriptors an output open. */
typedef struct ww_file_output {
    const char *path;
    ww_input in;
} ww_file_output;
WW_API ww_status ww_file_write_all(ww_device *device, const ww_file_output *outputs, size_t count,
                                   const ww_file_options *options);

#ifdef __cplusplus
}
#endif
#endif
