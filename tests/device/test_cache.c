/* The cache of compiled programs: what is kept is found; a file that is cut short, changed or for something else is not;
 * folders that are missing, read-only or open to others are done without. */
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/gpu/cache.h"
#include "device/gpu/included.h"
#include "support/cases.h"

static char folder[200];
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

/* Programs of more than 256 MiB together: those that were used longest ago go, and nothing else, until the rest is small enough. */
static void the_oldest_go(void **state) {
    (void)state;
    enum { FILES = 8, GONE = 3, OTHER = FILES };
    const ww__code code = {bytes, sizeof bytes};
    char path[FILES + 1][300];
    CASE("cache", "the oldest go");
    if (!case_wanted()) return;
    expect(folder_make(folder, sizeof folder, "cache"));
    setenv("WARPWISE_CACHE", folder, 1);
    for (int i = 0; i <= OTHER; i++) {
        const int age = i * 3 % FILES; /* two to a second */
        const struct timespec used = {i == OTHER ? 1 : 1000 + age / 2, age % 2 ? 500 : 100}, times[2] = {used, used};
        snprintf(path[i], sizeof path[i], "%s/%016d.%s", folder, i, i == OTHER ? "kept" : "code");
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
        const uint64_t before = ww__included_hash(programs[p], headers);
        expect(ww__included_hash(programs[p], headers) == before);
        for (size_t h = 0; h < HEADERS; h++) {
            char changed[100];
            const char *kept = headers[h].text;
            snprintf(changed, sizeof changed, "%s ", kept);
            headers[h].text = changed;
            expect((ww__included_hash(programs[p], headers) != before) == depends[p][h]);
            headers[h].text = kept;
        }
    }
    expect(ww__included_hash(programs[0], headers) != ww__included_hash(programs[1], headers));
    expect(ww__included_hash(programs[2], headers) != ww__included_hash(programs[3], headers));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept_and_found), cmocka_unit_test(damage),
                                       cmocka_unit_test(folders), cmocka_unit_test(the_oldest_go),
                                       cmocka_unit_test(included_text)};
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
