/* A line on the terminal that says how far the work is, from the second second on; none where standard error is no
 * terminal. A thread of its own draws it, the work only stores numbers. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress progress;

/* NULL when there is nothing to draw on. All of these take NULL. */
progress *progress_start(const char *command);

/* What is being done now ("reading x.npy"; copied), and how far, of how many bytes (0: not known). */
void progress_phase(progress *p, const char *what);
void progress_bytes(progress *p, uint64_t done, uint64_t total);

/* The same in steps, with the time that is left. */
void progress_steps(progress *p, uint64_t done, uint64_t total);

/* Clears the line. */
void progress_stop(progress *p);

#endif
