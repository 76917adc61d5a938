#include "tour_data.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const binaries[] = {"/usr/lib/*-linux-gnu*/*.so*",
                                       "/usr/lib64/*.so*",
                                       "/usr/lib/*.so*",
                                       "/lib/*-linux-gnu*/*.so*",
                                       "/usr/bin/*",
                                       "/proc/self/exe",
                                       NULL};
static const char *const texts[] = {"/usr/share/dict/words",
                                    "/usr/share/common-licenses/*",
                                    "/usr/share/doc/*/copyright",
                                    "/usr/include/*.h",
                                    "/usr/share/licenses/*/*",
                                    "/etc/services",
                                    "/etc/mime.types",
                                    NULL};

uint64_t next_random(uint64_t *state) {
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* ---- collecting files ---- */

enum { MOST_FILES = 4096 };

typedef struct seen {
    size_t count;
    struct {
        dev_t device;
        ino_t inode;
    } file[MOST_FILES];
} seen;

/* A library has several names; each file is taken once. */
static bool is_new(seen *s, const struct stat *status) {
    for (size_t i = 0; i < s->count; i++) {
        if (s->file[i].device == status->st_dev && s->file[i].inode == status->st_ino) return false;
    }
    if (s->count == MOST_FILES) return false;
    s->file[s->count].device = status->st_dev;
    s->file[s->count++].inode = status->st_ino;
    return true;
}

/* Appends one file; what cannot be read is passed over. */
static void append_file(job *j, const char *path, size_t most, bool text, seen *s, collection *c) {
    struct stat status;
    ww_file_array file;
    if (stat(path, &status) || !S_ISREG(status.st_mode) || status.st_size <= 0 || !is_new(s, &status)) return;
    const ww_array bytes = ww_array_of(NULL, 0, &ww_type_uint8_t);
    if (status.st_size > (off_t)(256 << 20) || ww_file_read(j->device, path, bytes, &file)) return;
    const size_t room = most - c->length - text;
    const size_t length = file.array.count < room ? (size_t)file.array.count : room;
    if (length) memcpy(c->bytes + c->length, file.array.data, length);
    c->length += length;
    if (text && length && c->bytes[c->length - 1] != '\n') c->bytes[c->length++] = '\n';
    c->files++;
    ww_file_release(j->device, &file);
}

static void append_pattern(job *j, const char *pattern, size_t most, bool text, seen *s, collection *c) {
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0) {
        const size_t before = c->files;
        for (size_t i = 0; i < found.gl_pathc && c->length + text < most; i++) {
            append_file(j, found.gl_pathv[i], most, text, s, c);
        }
        if (before == 0 && c->files > 0) c->from = pattern;
        globfree(&found);
    }
}

static int collect(job *j, const char *const *patterns, size_t most, bool text, collection *c) {
    void *block;
    memset(c, 0, sizeof *c);
    if (job_check(j, ww_alloc_host(j->device, most, &block))) return FAILED;
    c->bytes = block;
    seen *s = calloc(1, sizeof *s);
    if (!s) return job_fail(j, "out of memory");
    for (size_t p = 0; patterns[p] && c->length + text < most; p++) append_pattern(j, patterns[p], most, text, s, c);
    free(s);
    return DONE;
}

int collect_binaries(job *j, size_t most, collection *c) {
    if (collect(j, binaries, most, false, c)) return FAILED;
    c->length = c->length / 4 * 4;
    if (c->length) return DONE;
    uint64_t state = 1;
    for (c->length = 0; c->length < most / 4; c->length++) {
        const uint64_t r = next_random(&state);
        c->bytes[c->length] = r & 0x300 ? (unsigned char)r : 0;
    }
    c->length = c->length / 4 * 4;
    c->from = "made up";
    return DONE;
}

int collect_texts(job *j, size_t most, collection *c) {
    if (collect(j, texts, most, true, c)) return FAILED;
    if (c->length) return DONE;
    uint64_t state = 2;
    while (c->length < most / 4) {
        c->bytes[c->length++] = next_random(&state) % 40 ? (unsigned char)('a' + next_random(&state) % 26) : '\n';
    }
    c->bytes[c->length++] = '\n';
    c->from = "made up";
    return DONE;
}

/* ---- generating readings ---- */

void make_readings(reading *readings, size_t n, uint64_t seed) {
    uint64_t state = seed;
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = next_random(&state);
        const uint64_t sensor = (r & 0xFFFF) * (r >> 16 & 0xFFFF) >> 16; /* the product of two: small ones more often */
        readings[i].time = next_random(&state) >> 24;
        readings[i].sensor = (uint32_t)(sensor * (r >> 32 & 0xFFFF) >> 16);
        readings[i].value = (float)((double)(r >> 40) / (double)(1 << 24));
    }
}
