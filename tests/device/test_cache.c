/* The cache of compiled programs: what is kept is found; a file that is cut short, changed, for something else or open to others is
 * not; folders that are missing, read-only, links or open to others are done without; drafts of killed writers go. */
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/gpu/cache.h"
#include "device/gpu/included.h"
#include "support/cases.h"

static char folder[512];
static const char maker[] = "a compiler", source[] = "a program";
static unsigned char bytes[3000];

static void begin(void) {
    expect(folder_make(folder, sizeof folder, "cache"));
    setenv("WARPWISE_CACHE", folder, 1);
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 7);
    const ww__code code = {bytes, sizeof bytes};
    ww__cache_keep(maker, source, &code);
}

/* The one file in the folder. */
static void file_in_folder(char *path, size_t room) {
    size_t files = 0;
    DIR *d = opendir(folder);
    expect(d != NULL);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        snprintf(path, room, "%s/%s", folder, e->d_name);
        files++;
    }
    closedir(d);
    expect(files == 1);
}

static void end(void) {
    char path[512];
    file_in_folder(path, sizeof path);
    unlink(path);
    rmdir(folder);
    unsetenv("WARPWISE_CACHE");
}

static bool found(const char *by, const char *text) {
    ww__code code = {NULL, 0};
    if (!ww__cache_find(by, text, &code)) return false;
    expect(code.size == sizeof bytes);
    expect_bytes(code.bytes, bytes, sizeof bytes);
    free(code.bytes);
    return true;
}

static void kept_and_found(void **state) {
    (void)state;
    begin();
    expect(found(maker, source));
    expect(!found("another compiler", source));
    expect(!found(maker, "another program"));
    end();
}

static void damage(void **state) {
    (void)state;
    begin();
    char path[512];
    file_in_folder(path, sizeof path);
    struct stat s;
    expect(!stat(path, &s));
    for (long at = 0; at < s.st_size; at += at < 100 ? 1 : 97) { /* each byte of the head, some of the rest */
        FILE *f = fopen(path, "r+b");
        fseek(f, at, SEEK_SET);
        const int old = fgetc(f);
        fseek(f, at, SEEK_SET);
        fputc(old ^ 1, f);
        fclose(f);
        expect(!found(maker, source));
        f = fopen(path, "r+b");
        fseek(f, at, SEEK_SET);
        fputc(old, f);
        fclose(f);
        expect(found(maker, source));
    }
    for (long length = s.st_size - 1; length >= 0; length -= 1 + length / 5) {
        expect(!truncate(path, length));
        expect(!found(maker, source));
    }
    const ww__code code = {bytes, sizeof bytes};
    ww__cache_keep(maker, source, &code); /* written anew */
    expect(found(maker, source));
    end();
}

static void folders(void **state) {
    (void)state;
    const ww__code code = {bytes, sizeof bytes};
    begin();
    expect(!chmod(folder, 0777)); /* others could put code there */
    expect(!found(maker, source));
    expect(!chmod(folder, 0700));
    expect(found(maker, source));
    end();
    setenv("WARPWISE_CACHE", "/proc/no/such/folder", 1);
    ww__cache_keep(maker, source, &code);
    expect(!found(maker, source));
    setenv("WARPWISE_CACHE", "off", 1);
    ww__cache_keep(maker, source, &code);
    expect(!found(maker, source));
    unsetenv("WARPWISE_CACHE");
}

static void put(char path[512], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(path, 512, format, arguments);
    va_end(arguments);
    expect(length > 0 && length < 512);
}

static void keep(void) {
    const ww__code code = {bytes, sizeof bytes};
    ww__cache_keep(maker, source, &code);
}

static void files_of_others(void **state) {
    (void)state;
    begin();
    char path[512];
    file_in_folder(path, sizeof path);
    static const mode_t open_to_others[] = {0666, 0660, 0602, 0622};
    for (size_t i = 0; i < sizeof open_to_others / sizeof *open_to_others; i++) {
        expect(!chmod(path, open_to_others[i]));
        expect(!found(maker, source));
    }
    keep(); /* written anew, as a file of nobody else's */
    expect(found(maker, source));
    struct stat s;
    expect(!stat(path, &s) && (s.st_mode & 0777) == 0600);
    expect(!unlink(path) && !mkfifo(path, 0600)); /* does not wait for a writer */
    expect(!found(maker, source));
    end();
}

/* Another folder's files are neither taken nor written through a link. */
static void linked_folders(void **state) {
    (void)state;
    char real[512], link[512], below[512];
    begin();
    put(real, "%s", folder);
    put(link, "%s-link", real);
    expect(!symlink(real, link));
    setenv("WARPWISE_CACHE", link, 1);
    expect(!found(maker, source));
    keep();
    put(below, "%s/below", link);
    setenv("WARPWISE_CACHE", below, 1);
    keep(); /* above the folder a link is gone through when it is root's */
    expect(found(maker, source) == !geteuid());
    put(below, "%s/below", real);
    setenv("WARPWISE_CACHE", below, 1);
    expect(found(maker, source) == !geteuid());
    keep();
    expect(found(maker, source));
    put(folder, "%s", below);
    end();
    unlink(link);

    /* HOME's .cache, and the folder in it. */
    setenv("HOME", real, 1);
    unsetenv("XDG_CACHE_HOME");
    keep();
    expect(found(maker, source));
    put(below, "%s/.cache", real);
    put(link, "%s/moved", real);
    expect(!rename(below, link) && !symlink("moved", below));
    expect(!found(maker, source));
    expect(!unlink(below) && !rename(link, below) && found(maker, source));
    expect(!chmod(real, 0777) && !found(maker, source)); /* others could rename .cache */
    expect(!chmod(real, 01777) && found(maker, source)); /* in /tmp they cannot */
    expect(!chmod(below, 0770) && !found(maker, source));
    expect(!chmod(below, 0700) && found(maker, source));
    put(folder, "%s/.cache/warpwise", real);
    end();
    rmdir(below);
    put(folder, "%s", real);
    end();
}

static void not_from_here(void **state) {
    (void)state;
    begin();
    char *before = getcwd(NULL, 0);
    expect(before && !chdir(folder) && !mkdir("here", 0700));
    setenv("WARPWISE_CACHE", "here", 1);
    keep();
    expect(!found(maker, source) && !rmdir("here"));
    expect(!chdir(before));
    free(before);
    end();
}

static void drafts(void **state) {
    (void)state;
    begin();
    char left[512], held[512];
    put(left, "%s/0123456789abcdef.draft", folder);
    put(held, "%s/fedcba9876543210.draft", folder);
    const int first = open(left, O_WRONLY | O_CREAT, 0600), second = open(held, O_WRONLY | O_CREAT, 0600);
    expect(first >= 0 && second >= 0 && !flock(second, LOCK_EX));
    expect(!close(first)); /* its writer has been killed, the other one's writes still */
    keep();
    expect(access(left, F_OK) && !access(held, F_OK));
    expect(!close(second));
    keep();
    expect(access(held, F_OK));
    expect(found(maker, source));
    end();
}

/* Programs of more than 256 MiB together: those that were used longest ago go, and nothing else, until the rest is small enough. */
static void the_oldest_go(void **state) {
    (void)state;
    enum { FILES = 8, GONE = 3, OTHER = FILES };
    const ww__code code = {bytes, sizeof bytes};
    char path[FILES + 1][600];
    CASE("cache", "the oldest go");
    if (!case_wanted()) return;
    expect(folder_make(folder, sizeof folder, "cache"));
    setenv("WARPWISE_CACHE", folder, 1);
    for (int i = 0; i <= OTHER; i++) {
        const int age = i * 3 % FILES; /* two to a second */
        const struct timespec used = {i == OTHER ? 1 : 1000 + age / 2, age % 2 ? 500 : 100}, times[2] = {used, used};
        snprintf(path[i], sizeof path[i], "%s/%0*d.%s", folder, (int)WW__DIGEST_TEXT - 1, i,
                 i == OTHER ? "kept" : "code");
        FILE *f = fopen(path[i], "w");
        expect(f && !ftruncate(fileno(f), 50 << 20) && !futimens(fileno(f), times));
        fclose(f);
    }
    ww__cache_keep(maker, source, &code);
    for (int i = 0; i <= OTHER; i++) expect(access(path[i], F_OK) == (i != OTHER && i * 3 % FILES < GONE ? -1 : 0));
    expect(found(maker, source));
    for (int i = 0; i <= OTHER; i++) unlink(path[i]);
    end();
}

/* Programs are kept by the kernel text that they include: that and no other changes the hash. */
static void included_text(void **state) {
    (void)state;
    ww__header headers[] = {{"a.cuh", "#pragma once\n#include \"b.cuh\"\nint a;\n"},
                            {"b.cuh", "#include \"a.cuh\"\nint b;\n"},
                            {"c.cuh", "int c;\n#include \"d.cuh\""},
                            {"d.cuh", "int d;"},
                            {NULL, NULL}};
    static const char *const programs[] = {"#include \"a.cuh\"\n", "\n\nint x;\n#include \"c.cuh\"\nint y;\n",
                                           "int none;", "#include \"missing.cuh\"\n"};
    enum { PROGRAMS = sizeof programs / sizeof *programs, HEADERS = 4 };
    static const bool depends[PROGRAMS][HEADERS] = {{true, true, false, false}, {false, false, true, true}};
    for (size_t p = 0; p < PROGRAMS; p++) {
        char before[WW__DIGEST_TEXT], now[WW__DIGEST_TEXT];
        ww__included_digest(programs[p], headers, before);
        ww__included_digest(programs[p], headers, now);
        expect(!strcmp(before, now) && strlen(now) == WW__DIGEST_TEXT - 1);
        for (size_t h = 0; h < HEADERS; h++) {
            char changed[100];
            const char *kept = headers[h].text;
            snprintf(changed, sizeof changed, "%s ", kept);
            headers[h].text = changed;
            ww__included_digest(programs[p], headers, now);
            expect((strcmp(before, now) != 0) == depends[p][h]);
            headers[h].text = kept;
        }
    }
    for (size_t p = 1; p < PROGRAMS; p++) {
        char one[WW__DIGEST_TEXT], other[WW__DIGEST_TEXT];
        ww__included_digest(programs[p - 1], headers, one);
        ww__included_digest(programs[p], headers, other);
        expect(strcmp(one, other) != 0);
    }
}

int main(void) {
    if (!folders_can_be_trusted()) return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_and_found),  cmocka_unit_test(damage),         cmocka_unit_test(folders),
        cmocka_unit_test(files_of_others), cmocka_unit_test(linked_folders), cmocka_unit_test(not_from_here),
        cmocka_unit_test(drafts),          cmocka_unit_test(the_oldest_go),  cmocka_unit_test(included_text)};
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
