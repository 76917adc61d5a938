#include "find_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "job.h"

static bool keep(find_files *f, char *name) {
    if (!name) return false;
    if (f->count == f->room) {
        const size_t room = f->room ? 2 * f->room : 64;
        char **const larger = realloc(f->names, room * sizeof *larger);
        if (!larger) {
            free(name);
            return false;
        }
        f->names = larger;
        f->room = room;
    }
    f->names[f->count++] = name;
    return true;
}

static bool included(const find_files *f, const char *path) {
    const char *const slash = strrchr(path, '/'), *const base = slash ? slash + 1 : path;
    for (size_t g = 0; g < f->glob_count; g++)
        if (fnmatch(f->globs[g], base, 0) == 0) return true;
    return !f->glob_count;
}

static char *joined(const char *folder, const char *name) {
    const size_t length = strlen(folder);
    char *path;
    const bool slash = length && folder[length - 1] != '/';
    return asprintf(&path, "%s%s%s", folder, slash ? "/" : "", name) < 0 ? NULL : path;
}

static bool complain(find_files *f, const char *command, const char *path) {
    misuse(command, "%s: %s", path, strerror(errno));
    f->complained = true;
    return true;
}

static bool add_folder(find_files *f, const char *command, const char *path);

/* What a folder holds: files, and what is in its folders; no links, pipes or devices, which may not end. */
static bool add_entry(find_files *f, const char *command, char *path) {
    struct stat about;
    if (!path) return false;
    bool right = true;
    if (lstat(path, &about)) {
        right = complain(f, command, path);
    } else if (S_ISDIR(about.st_mode)) {
        right = add_folder(f, command, path);
    } else if (S_ISREG(about.st_mode) && included(f, path)) {
        return keep(f, path);
    }
    free(path);
    return right;
}

static int no_dots(const struct dirent *entry) { return strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."); }

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

/* "" is the folder where the process is, whose files have their names alone. */
static bool add_folder(find_files *f, const char *command, const char *path) {
    struct dirent **entries;
    const int count = scandir(*path ? path : ".", &entries, no_dots, by_name);
    if (count < 0) return errno != ENOMEM && complain(f, command, *path ? path : ".");
    bool right = true;
    for (int i = 0; i < count; i++) {
        right = right && add_entry(f, command, joined(path, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return right;
}

bool find_files_add(find_files *f, const char *command, const char *path, bool recursive) {
    struct stat about;
    const bool standard = strcmp(path, "-") == 0;
    if (recursive && !standard && (!*path || (stat(path, &about) == 0 && S_ISDIR(about.st_mode)))) {
        f->folders = true;
        return add_folder(f, command, path);
    }
    return standard || included(f, path) ? keep(f, strdup(path)) : true;
}

void find_files_free(find_files *f) {
    for (size_t i = 0; i < f->count; i++) free(f->names[i]);
    free(f->names);
    free(f->globs);
}
