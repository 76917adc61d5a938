/* Bytes whose number is not known before the last: kept in memory while they are few, else in a file without a name, which is
 * gone when it is closed, whatever ends the process. */
#ifndef CLI_SPOOL_H
#define CLI_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spool {
    const char *near; /* a file in whose folder there is to be room; "-": the system's folder for such */
    unsigned char *memory;
    size_t used;      /* of it */
    int fd;           /* -1: all is in memory */
    uint64_t written; /* to the file */
    void *mapped;
} spool;

/* False, here and below: errno says why. */
bool spool_open(spool *s, const char *near);
bool spool_put(spool *s, const void *bytes, size_t length);

/* All bytes, to be read only, until the spool is closed. */
bool spool_bytes(spool *s, void **bytes, uint64_t *length);
void spool_close(spool *s);

#endif
