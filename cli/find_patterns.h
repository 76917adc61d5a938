/* What `warpwise find` looks for: PATTERN, the bytes of --pattern-file, or the lines of -f LIST. */
#ifndef CLI_FIND_PATTERNS_H
#define CLI_FIND_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct patterns {
    unsigned char *bytes; /* one pattern behind the other, of malloc */
    uint64_t *offsets;    /* count + 1 of them, of malloc */
    uint64_t count, longest;
} patterns;

/* Exit statuses; a sentence was printed when it is not DONE. `path` may be "-". */
int patterns_of_text(const char *command, const char *text, patterns *p);
int patterns_of_file(const char *command, const char *path, patterns *p);
int patterns_of_list(const char *command, const char *path, patterns *p);
void patterns_free(patterns *p);

#endif
