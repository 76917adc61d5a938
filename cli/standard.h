/* The three standard descriptors: taken where they were closed, so that no file gets one; standard output waited for where it
 * does not block, and looked at when the command ends. */
#ifndef CLI_STANDARD_H
#define CLI_STANDARD_H

#include <stdbool.h>

/* At the start of main. `failed` is the status to exit with where standard output cannot be written and that was not said.
 * False: a descriptor could not be taken. */
bool standard_begin(const char *command, int failed);

/* Whether all that was printed so far could be written. */
bool standard_flush(void);

/* After a read or write of a descriptor that failed: waits where there was nothing to be had at once. False: it is an error. */
bool standard_again(int fd, short events);

#endif
