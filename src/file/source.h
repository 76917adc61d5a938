/* Where bytes come from: a file, a pipe, or memory (for tests of the parsers); and where they go. */
#ifndef WW__FILE_SOURCE_H
#define WW__FILE_SOURCE_H

#include "device/device.h"
#include "warpwise/file.h"

enum { WW__SOURCE_PEEK = 8 };

/* Tells the caller how far a transfer is. */
typedef struct ww__transfer {
    ww_device *device;
    const char *path;               /* as given */
    const char *name;               /* as sentences call it */
    const ww_file_options *options; /* or NULL */
    uint64_t done, total;           /* bytes; total 0: not known */
} ww__transfer;

/* FILE when the caller wants to stop. */
ww_status ww__transfer_tell(ww__transfer *transfer);

typedef struct ww__source {
    ww__transfer transfer;
    int fd; /* -1: memory */
    const unsigned char *memory;
    bool sized;                            /* transfer.total is the whole length */
    unsigned char peeked[WW__SOURCE_PEEK]; /* read ahead, not yet taken */
    size_t peeks;
} ww__source;

ww_status ww__source_open(ww_device *device, const char *path, const ww_file_options *options, ww__source *source);
void ww__source_memory(ww_device *device, const char *name, const void *bytes, size_t length, ww__source *source);
void ww__source_close(ww__source *source);

/* Reads until `bytes` are there or the source ends; *got says how many. */
ww_status ww__source_read(ww__source *source, void *to, size_t bytes, size_t *got);

/* Shows the first bytes (at most WW__SOURCE_PEEK) without taking them. Once, before reading. */
ww_status ww__source_peek(ww__source *source, size_t bytes);

/* What is left, where it is known; UINT64_MAX where not. */
uint64_t ww__source_left(const ww__source *source);

/* Reads an array from a source, as .npy or raw. */
ww_status ww__read_npy(ww__source *source, ww_array what, ww_file_array *file);
ww_status ww__read_raw(ww__source *source, ww_array what, ww_file_array *file);

#endif
