/* Whole lines that have a match, as `grep -F` shows them: with numbers, lines around them, and colours. */
#ifndef CLI_FIND_SHOWN_H
#define CLI_FIND_SHOWN_H

#include "find_patterns.h"
#include "job.h"

typedef struct shown {
    job *job;
    const patterns *patterns;
    ww_find_options options;
    char *const *names;
    size_t count;
    bool numbers, name_files, colour, count_only;
    bool text;             /* zero bytes are characters too */
    long before, after;    /* lines around; -1: not asked for, which shows no line between groups */
    uint64_t lines, bytes; /* out: that had a match; that were read */
    bool complained;       /* out: about a file */
} shown;

/* Goes through all files. FAILED: it ended before their end, and a sentence was printed. */
int show_lines(shown *s);

#endif
