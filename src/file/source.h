/* Where bytes come from: a file, a pipe, or memory (for tests of the parsers); and where they go. */
#ifndef WW__FILE_SOURCE_H
#define WW__FILE_SOURCE_H

#include <stddef.h>
#include <sys/stat.h>

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

/* After a read or a write that failed: whether it is to be tried again, when a signal came (the caller is asked) or there was
 * nothing to be had at once (then this waits until there is). FILE when the caller wants to stop. */
ww_status ww__transfer_again(ww__transfer *transfer, int fd, short events, bool *again);

/* open, with the caller asked whenever a signal interrupts it; FILE when he wants to stop. Else *fd is -1, with errno, or a
 * descriptor above 2, lest what a program prints goes to a file when it was started without these. */
ww_status ww__transfer_open(ww__transfer *transfer, const char *path, int flags, int *fd);

/* A descriptor above 2 in this one's place, which it is already or is closed; -1, with errno, when there is none. */
int ww__above_standard(int fd);

typedef struct ww__source {
    ww__transfer transfer;
    int fd;   /* -1: memory */
    bool own; /* the descriptor is to be closed */
    const unsigned char *memory;
    bool sized;                            /* transfer.total is the whole length */
    struct stat status;                    /* of the descriptor, when it was opened */
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

/* A file that ended before its length was reached: whether it is another one than when it was opened. (The system's own files, in
 * /sys, may say more than they have.) */
bool ww__source_changed(const ww__source *source);

/* What is left, where it is known; UINT64_MAX where not. */
uint64_t ww__source_left(const ww__source *source);

/* Reads an array from a source, as .npy or raw. */
ww_status ww__read_npy(ww__source *source, ww_array what, ww_file_array *file);
ww_status ww__read_raw(ww__source *source, ww_array what, ww_file_array *file);

#endif
