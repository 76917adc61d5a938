/* What `warpwise find` looks for: the bytes of PATTERN or of --pattern-file, or many: those of -e and the lines of -f LIST. */
#ifndef CLI_FIND_PATTERNS_H
#define CLI_FIND_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct patterns {
    unsigned char *bytes; /* one pattern behind the other, of malloc */
    uint64_t *offsets;    /* count + 1 of them, of malloc */
    uint64_t *numbers;    /* of each: the number of its line, from 1; of malloc */
    uint64_t count, longest;
    bool empty;     /* one of the lines is, which every line of a text matches, and no place in it */
    uint64_t lines; /* in all */
    size_t used, room, places;
} patterns;

/* Exit statuses; a sentence was printed when it is not DONE. `path` may be "-". */
int patterns_of_text(const char *command, const char *text, patterns *p);
int patterns_of_file(const char *command, const char *path, patterns *p);

/* Add lines to those that there are: of a text, whose end is a line's; and of a file. A list whose every line ends in CRLF is
 * taken for one whose lines end in LF. */
int patterns_add_text(const char *command, const char *text, patterns *p);
int patterns_add_list(const char *command, const char *path, patterns *p);
void patterns_free(patterns *p);

#endif
