/* Which process this is: what a thread that fork has left behind had to do with is another one's. */
#ifndef WW__PROCESS_H
#define WW__PROCESS_H

#include <stdint.h>

/* A number above 0 that no process has from which this one was forked, by whatever call and in whatever namespace. */
uint64_t ww__process(void);

#endif
