/* A line on the terminal that says how far the work is, with a bar, the rate and the time that is left where the end is
 * known, from the second second on; none where standard error is no terminal. A thread of its own draws it, the work only
 * stores numbers. */
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

/* The same in steps. */
void progress_steps(progress *p, uint64_t done, uint64_t total);

/* Clears the line. */
void progress_stop(progress *p);

/* The line that is drawn, of at most `columns` characters; for tests. */
typedef struct progress_state {
    const char *command, *what;
    uint64_t done, total; /* total 0: not known */
    bool steps;           /* else bytes */
    double seconds;       /* since this phase began */
} progress_state;
enum { PROGRESS_LINE = 400 };
void progress_line(const progress_state *s, unsigned columns, char line[PROGRESS_LINE]);

#endif
