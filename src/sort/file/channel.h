/* Reading and writing on threads that may not touch the device's sentence: what fails is an errno. */
#ifndef WW__FILE_CHANNEL_H
#define WW__FILE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ww__channel {
    int fd;
    int direct;      /* the same file, for aligned writes that go past the page cache; -1: none */
    bool positional; /* else bytes come and go in order */
    bool waits;      /* no regular file */
    bool early;      /* what is written is on its way to the disk at once: it will be forced there */
    /* Asked before a read or write that might wait, and while it does: false to give up, as if with ECANCELED. */
    bool (*go_on)(void *context);
    void *context;
} ww__channel;

enum {
    WW__DIRECT_BYTES = 4096
}; /* addresses, places and lengths of writes that go past the cache are multiples of it */

/* Opens `direct` where the file system has it. */
void ww__channel_open_direct(ww__channel *channel);
void ww__channel_close_direct(ww__channel *channel);

/* Reads until `bytes` are there, or the end. False, with errno. */
bool ww__channel_read(const ww__channel *channel, void *to, size_t bytes, uint64_t at, size_t *got);

/* Writes all. *done says how much has been written. False, with errno. */
bool ww__channel_write(const ww__channel *channel, const void *from, size_t bytes, uint64_t at, size_t *done);

/* Has the system read these bytes ahead; gives the disk's blocks of these back, where it can. */
void ww__channel_ahead(const ww__channel *channel, uint64_t at, uint64_t bytes);
void ww__channel_punch(const ww__channel *channel, uint64_t at, uint64_t bytes);

#endif
