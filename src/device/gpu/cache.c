/* A file holds: a head (magic, lengths, a digest of the head and of all that follows), the name of what made it, the source,
 * the code. It is named by a digest of maker and source (BLAKE2b, device/digest.h), and counts only when both are equal to what
 * is asked for, byte for byte, and the digest in it is right: a file that is cut short or changed is as good as none, and is
 * written again.
 *
 * Code from it is run, so the folder is one that device/trust.h trusts, all is done by openat in it, and a file must be this
 * user's or root's and nobody else's to write. It is written as a draft of a name of its own first and then renamed, so that
 * two processes never see half a file. Who writes a draft holds a lock on it: one that can be locked was left by a process that
 * was killed, and goes. When the files together are larger than a bound, the ones not used for longest go first. */
#include "device/gpu/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "device/digest.h"
#include "device/trust.h"

static const char code_end[] = ".code", draft_end[] = ".draft";
enum { CODE_NAME = WW__DIGEST_TEXT + sizeof code_end - 1, DRAFT_NAME = 16 + sizeof draft_end };
static const uint64_t magic = 0x32657369777072ff, folder_most = 256 << 20;

typedef struct head {
    uint64_t magic, maker_bytes, source_bytes, code_bytes;
    unsigned char digest[WW__DIGEST]; /* taken with zeros here */
} head;

/* The folder, made if it is missing; -1 with what is wrong, or NULL where there is to be none. */
static int open_folder(const char **wrong) {
    const char *named = secure_getenv("WARPWISE_CACHE"), *xdg = secure_getenv("XDG_CACHE_HOME"),
               *home = secure_getenv("HOME");
    *wrong = NULL;
    if (named && !strcmp(named, "off")) return -1;
    if (named && *named) return ww__folder_open(named, "", wrong);
    if (xdg && *xdg == '/') return ww__folder_open(xdg, "warpwise", wrong);
    if (home && *home == '/') return ww__folder_open(home, ".cache/warpwise", wrong);
    return -1;
}

static void name_file(const char *maker, const char *source, char name[CODE_NAME]) {
    ww__digest d;
    ww__digest_begin(&d);
    ww__digest_add_text(&d, maker);
    ww__digest_add_text(&d, source);
    ww__digest_end_text(&d, name);
    memcpy(name + WW__DIGEST_TEXT - 1, code_end, sizeof code_end);
}

static bool read_all(int file, void *to, size_t bytes) {
    for (unsigned char *p = to; bytes;) {
        const ssize_t got = read(file, p, bytes);
        if (got <= 0) return false;
        p += got;
        bytes -= (size_t)got;
    }
    return true;
}

static bool write_all(int file, const void *from, size_t bytes) {
    for (const unsigned char *p = from; bytes;) {
        const ssize_t put = write(file, p, bytes);
        if (put <= 0) return false;
        p += put;
        bytes -= (size_t)put;
    }
    return true;
}

/* What stands behind the head, if the head says what is asked for and the file is as long as it says. */
static unsigned char *read_body(int file, const head *wanted, head *found) {
    struct stat s;
    head undigested;
    ww__digest d;
    unsigned char digest[WW__DIGEST];
    if (!read_all(file, found, sizeof *found) || found->magic != magic || fstat(file, &s)) return NULL;
    if (found->maker_bytes != wanted->maker_bytes || found->source_bytes != wanted->source_bytes) return NULL;
    const uint64_t before = sizeof *found + found->maker_bytes + found->source_bytes;
    if ((uint64_t)s.st_size < before || found->code_bytes != (uint64_t)s.st_size - before || !found->code_bytes)
        return NULL;
    const size_t bytes = (size_t)s.st_size - sizeof *found;
    unsigned char *body = malloc(bytes);
    if (!body || !read_all(file, body, bytes)) {
        free(body);
        return NULL;
    }
    undigested = *found;
    memset(undigested.digest, 0, sizeof undigested.digest);
    ww__digest_begin(&d);
    ww__digest_add(&d, &undigested, sizeof undigested);
    ww__digest_add(&d, body, bytes);
    ww__digest_end(&d, digest);
    if (!memcmp(digest, found->digest, sizeof digest)) return body;
    free(body);
    return NULL;
}

static bool read_file(int file, const char *maker, const char *source, ww__code *code) {
    const head wanted = {.magic = magic, .maker_bytes = strlen(maker), .source_bytes = strlen(source)};
    head found;
    unsigned char *body = ww__file_distrusted(file, geteuid()) ? NULL : read_body(file, &wanted, &found);
    const bool same = body && !memcmp(body, maker, wanted.maker_bytes) &&
                      !memcmp(body + wanted.maker_bytes, source, wanted.source_bytes);
    code->bytes = same ? malloc(found.code_bytes) : NULL;
    if (code->bytes) {
        code->size = found.code_bytes;
        memcpy(code->bytes, body + wanted.maker_bytes + wanted.source_bytes, code->size);
        futimens(file, NULL); /* used now: the last to go */
    }
    free(body);
    return code->bytes != NULL;
}

bool ww__cache_find(const char *maker, const char *source, ww__code *code) {
    char name[CODE_NAME];
    const char *wrong;
    const int folder = open_folder(&wrong);
    if (folder < 0) return false;
    name_file(maker, source, name);
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const bool found = file >= 0 && read_file(file, maker, source, code);
    if (file >= 0) close(file);
    close(folder);
    return found;
}

static bool ends_with(const char *name, const char *end) {
    const size_t length = strlen(name), of = strlen(end);
    return length >= of && !strcmp(name + length - of, end);
}

/* Nobody holds the lock of a draft whose writer was killed. */
static void remove_left(int folder, const char *draft) {
    const int file = openat(folder, draft, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return;
    if (!flock(file, LOCK_EX | LOCK_NB)) unlinkat(folder, draft, 0);
    close(file);
}

/* Removes drafts that were left, and, where all files together are too large, the one that was used longest ago: then true, and
 * there may be more. */
static bool tidy(int folder) {
    char oldest[CODE_NAME] = "";
    uint64_t all = 0;
    struct timespec least = {0, 0};
    const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *files = again < 0 ? NULL : fdopendir(again);
    if (!files) {
        if (again >= 0) close(again);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(files));) {
        struct stat s;
        if (ends_with(entry->d_name, draft_end)) remove_left(folder, entry->d_name);
        if (strlen(entry->d_name) != CODE_NAME - 1 || !ends_with(entry->d_name, code_end)) continue;
        if (fstatat(folder, entry->d_name, &s, AT_SYMLINK_NOFOLLOW)) continue;
        all += (uint64_t)s.st_size;
        if (*oldest && (s.st_mtim.tv_sec > least.tv_sec ||
                        (s.st_mtim.tv_sec == least.tv_sec && s.st_mtim.tv_nsec >= least.tv_nsec)))
            continue;
        least = s.st_mtim;
        memcpy(oldest, entry->d_name, sizeof oldest);
    }
    closedir(files);
    return all > folder_most && *oldest && !unlinkat(folder, oldest, 0);
}

static bool write_file(int file, const char *maker, const char *source, const ww__code *code) {
    ww__digest d;
    head h = {.magic = magic, .maker_bytes = strlen(maker), .source_bytes = strlen(source), .code_bytes = code->size};
    ww__digest_begin(&d);
    ww__digest_add(&d, &h, sizeof h);
    ww__digest_add(&d, maker, h.maker_bytes);
    ww__digest_add(&d, source, h.source_bytes);
    ww__digest_add(&d, code->bytes, code->size);
    ww__digest_end(&d, h.digest);
    return write_all(file, &h, sizeof h) && write_all(file, maker, h.maker_bytes) &&
           write_all(file, source, h.source_bytes) && write_all(file, code->bytes, code->size);
}

/* A new draft, locked, so that no one who tidies takes it for one that was left; its name's digits are random. */
static int open_draft(int folder, char name[DRAFT_NAME]) {
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number) return -1;
    snprintf(name, DRAFT_NAME, "%016" PRIx64 "%s", number, draft_end);
    const int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB)) {
        close(file);
        unlinkat(folder, name, 0);
        return -1;
    }
    return file;
}

const char *ww__cache_keep(const char *maker, const char *source, const ww__code *code) {
    char name[CODE_NAME], draft[DRAFT_NAME];
    const char *wrong;
    const int folder = open_folder(&wrong);
    if (folder < 0) return wrong;
    const int file = open_draft(folder, draft);
    if (file >= 0) {
        name_file(maker, source, name);
        if (!write_file(file, maker, source, code) || renameat(folder, draft, folder, name)) unlinkat(folder, draft, 0);
        close(file);
    }
    while (tidy(folder)) {}
    close(folder);
    return NULL;
}
