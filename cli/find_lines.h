/* Lines of offsets, as text, fast: neighbours in a rising row share all digits but the last four, most of the time, so the
 * line's head – the file's name and the digits before those four – is kept and copied. */
#ifndef CLI_FIND_LINES_H
#define CLI_FIND_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lines {
    char *bytes; /* of malloc, and stay where they are */
    size_t used, room;
    char *head; /* "FILE:" and the digits but four; of malloc */
    size_t name, head_length;
    uint64_t head_number; /* those digits */
} lines;

/* Room for some megabytes of lines with names up to that long. False: no memory. */
bool lines_open(lines *l, size_t longest_name);
void lines_close(lines *l);

/* The lines that follow begin with "name:"; NULL: with their offset. */
void lines_name(lines *l, const char *name);

/* No room for one line more? */
bool lines_full(const lines *l);

/* "OFFSET\n", or "OFFSET<TAB>NUMBER\n" where number is not 0. Not when the lines are full. */
void lines_put(lines *l, uint64_t offset, uint64_t number);

#endif
