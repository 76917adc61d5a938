/* The files that `warpwise find` searches: those of the line, and with -r all that folders hold. */
#ifndef CLI_FIND_FILES_H
#define CLI_FIND_FILES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct find_files {
    char **names; /* each of malloc */
    size_t count, room;
    const char **globs; /* --include; none: all files */
    size_t glob_count;
    bool folders;    /* one of the line's was a folder */
    bool complained; /* about a folder that cannot be read */
} find_files;

/* Takes a file of the line; with `recursive` a folder's files instead of it, by name, but for links. False: no memory. */
bool find_files_add(find_files *f, const char *command, const char *path, bool recursive);
void find_files_free(find_files *f);

#endif
