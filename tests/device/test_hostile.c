/* Hostile folders, links, environments and callers: what others planted is neither run nor written through, by an ordinary program
 * and by a setuid one. Programs are copies of this one (linked with the static library) and of an example (with the shared
 * one), in folders that this makes. Each case has its counterpart: the same plant, asked for by the user himself, works. */
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/cuda/api.h"
#include "device/gpu/cache.h"
#include "device/gpu/pack.h"
#include "device/trust.h"
#include "kernel-pack/writer.h"
#include "support/cases.h"
#include "support/located.h"

enum { NOBODY = 65534, PATH = 600 };

/* ---- what a copy of this program does, by its first argument; its exit status is the answer ---- */

static void no_device(void *context, const char *name, const char *description, const char *why_not) {
    (void)context;
    printf("%s: %s\n", name, why_not ? why_not : description);
}

/* 0 where the device opened, else 10 and the status. */
static int open_device(const char *name) {
    ww_device *device;
    const ww_status status = ww_open(*name ? name : NULL, &device);
    ww_device_info info = WW_DEVICE_INFO;
    const bool cpu = !status && !ww_device_info_get(device, &info) && !strcmp(info.backend, "cpu");
    printf("%s\n", status ? ww_error(device) : info.description);
    ww_close(device);
    return status ? 10 + (int)status : cpu ? 0 : 1;
}

/* 1 where it takes the planted one. */
static int look_for_pack(void) {
    char why[2048], path[PATH_MAX];
    ww_status status;
    ww__pack *pack = ww__pack_look(NULL, &status, why, sizeof why);
    printf("%s%s\n", why, pack ? ww__pack_path(pack) : "");
    const bool found = pack && realpath(ww__pack_path(pack), path) && strstr(path, "/planted/");
    ww__pack_close(pack);
    return status ? 10 + (int)status : found;
}

/* 1 where the cache has it. */
static int find_in_cache(void) {
    static char kept[] = "some code";
    const ww__code code = {kept, sizeof kept};
    ww__code found = {NULL, 0};
    ww__cache_keep("a compiler", "a program", &code);
    const bool is = ww__cache_find("a compiler", "a program", &found);
    free(found.bytes);
    return is;
}

static int open_nvrtc(void) {
    ww__nvrtc_api api;
    void *library = NULL;
    char why[2048] = "";
    const bool opened = ww__nvrtc_api_open(&api, &library, 12, why, sizeof why);
    printf("%s\n", why);
    return opened;
}

WW_COMBINE(left_over, uint32_t, a, b, WW_ORDERED, WW_IDENTITY(0), { return a - b; });

/* Whether the environment has functions tried, which finds this one; and asks for it itself, which starts nothing. */
static int try_functions(void) {
    static const uint32_t numbers[] = {5, 4, 3};
    uint32_t left;
    int found = 0;
    for (uint32_t checks = 2; checks-- > 0;) {
        ww_open_options o = WW_OPEN_OPTIONS;
        ww_device *device;
        o.checks = checks;
        if (!ww_open_with("cpu", &device, &o))
            found = ww_reduce(device, &left_over_ww, ww_memory(numbers, 3), ww_array(&left, 1)) == WW_INVALID;
        ww_close(device);
    }
    return found;
}

static int act(const char *what, const char *argument) {
    if (!strcmp(what, "privileged")) return ww__privileged();
    if (!strcmp(what, "open")) return open_device(argument);
    if (!strcmp(what, "devices")) return ww_devices(no_device, NULL), 0;
    if (!strcmp(what, "pack")) return look_for_pack();
    if (!strcmp(what, "cache")) return find_in_cache();
    if (!strcmp(what, "nvrtc")) return open_nvrtc();
    if (!strcmp(what, "check")) return try_functions();
    return 99;
}

/* ---- folders, plants and children ---- */

static char top[PATH], program[PATH];

static const char *in(char path[PATH], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = snprintf(path, PATH, "%s/", top);
    vsnprintf(path + length, PATH - (size_t)length, format, arguments);
    va_end(arguments);
    return path;
}

static void copy_file(const char *from, const char *to, mode_t mode) {
    char piece[1 << 16];
    FILE *in_file = fopen(from, "rb"), *out = fopen(to, "wb");
    expect(in_file && out);
    for (size_t n; (n = fread(piece, 1, sizeof piece, in_file)) > 0;) expect(fwrite(piece, 1, n, out) == n);
    fclose(in_file);
    expect(!fchmod(fileno(out), mode) && !fclose(out));
}

static void write_pack(const char *path) {
    static unsigned char code[] = "code";
    const ww__code c = {code, sizeof code};
    uint64_t bytes;
    pack_writer *w = pack_writer_new("a maker");
    expect(w && pack_writer_add(w, "a program", 75, WW__PACK_PTX, &c) && pack_writer_save(w, path, false, &bytes));
    pack_writer_free(w);
}

static void write_text(const char *path, const char *text, mode_t mode) {
    FILE *f = fopen(path, "w");
    expect(f && fputs(text, f) >= 0 && !fchmod(fileno(f), mode) && !fclose(f));
}

static void remove_all(const char *path) {
    struct stat s;
    DIR *d = lstat(path, &s) || !S_ISDIR(s.st_mode) ? NULL : opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        char below[PATH + 300];
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
        snprintf(below, sizeof below, "%s/%s", path, e->d_name);
        remove_all(below);
    }
    if (d) closedir(d);
    remove(path);
}

static size_t files_in(const char *path) {
    size_t files = 0;
    DIR *d = opendir(path);
    expect(d != NULL);
    for (struct dirent *e; (e = readdir(d));) files += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return files;
}

/* Everything that an environment can name points to what was planted. */
static int begin(void **state) {
    char path[PATH], script[PATH + 100];
    (void)state;
    expect(folder_make(top, sizeof top, "hostile") && !chmod(top, 0755));
    expect(!mkdir(in(path, "planted"), 0755) && !mkdir(in(path, "own"), 0755));
    copy_file(located(PLANTED), in(path, "planted/libwarpwise-emu.so"), 0755);
    write_pack(in(path, "planted/warpwise-kernels.pack"));
    snprintf(script, sizeof script, "#!/bin/sh\necho ran >'%s/planted/c++.ran'\necho 'planted 1.0'\n", top);
    write_text(in(path, "planted/c++"), script, 0755);
    copy_file(program, in(path, "own/program"), 0755);
    expect(!mkdir(in(path, "planted/home"), 0755));
    return 0;
}

static int end(void **state) {
    (void)state;
    remove_all(top);
    return 0;
}

/* Whether a plant ran, and forgets it. */
static bool ran(const char *name) {
    char path[PATH];
    return !unlink(in(path, "planted/%s.ran", name));
}

enum { ENVIRONMENT = 12 };
typedef struct surroundings {
    const char *folder;                /* the current one; NULL: own */
    const char *called;                /* argv[0]; NULL: the program's path */
    uid_t user;                        /* who starts it */
    const char *variable[ENVIRONMENT]; /* NAME=value; each %s is the folder of all */
} surroundings;

static void start(const surroundings *around, const char *file, const char *what, const char *argument) {
    char *environment[ENVIRONMENT + 1] = {NULL}, path[PATH];
    for (size_t i = 0; i < ENVIRONMENT && around->variable[i]; i++) {
        environment[i] = malloc(PATH);
        snprintf(environment[i], PATH, around->variable[i], top);
    }
    if (chdir(in(path, "%s", around->folder ? around->folder : "own"))) _exit(98);
    if (around->user != geteuid() && (setgid((gid_t)around->user) || setuid(around->user))) _exit(98);
    const char *called = around->called ? around->called : file;
    char *const arguments[] = {(char *)(uintptr_t)called, (char *)(uintptr_t)what, (char *)(uintptr_t)argument, NULL};
    execve(file, arguments, environment);
    _exit(97);
}

static int run(const surroundings *around, const char *file, const char *what, const char *argument) {
    int status;
    fflush(NULL);
    const pid_t child = fork();
    expect(child >= 0);
    if (!child) start(around, file, what, argument);
    expect(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static const char *own_program(void) {
    static char path[PATH];
    return in(path, "own/program");
}

/* ---- the working directory, and the program's name, which is the caller's to choose ---- */

static void not_the_working_folder(void **state) {
    (void)state;
    static const char *const called[] = {"program", "./program", "%s/planted/program", "", "planted/program"};
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
        char name[PATH];
        snprintf(name, sizeof name, called[i], top);
        const surroundings around = {.folder = "planted", .called = name, .user = geteuid()};
        CASE("hostile", "called '%s' in a planted folder", called[i]);
        if (!case_wanted()) continue;
        expect(run(&around, own_program(), "pack", "") == 0);
        run(&around, own_program(), "open", "emu"); /* there may be one where the loader looks */
        expect(!ran("libwarpwise-emu.so"));
    }
    CASE("hostile", "beside the program");
    if (!case_wanted()) return;
    char from[PATH], to[PATH];
    copy_file(own_program(), in(to, "planted/program"), 0755);
    const surroundings around = {.user = geteuid(), .called = "elsewhere"};
    expect(run(&around, to, "pack", "") == 1);
    expect(run(&around, to, "open", "emu") == 10 + WW_NO_DEVICE && ran("libwarpwise-emu.so"));
    /* One that others may write to is left, and named. */
    expect(!chmod(in(from, "planted/warpwise-kernels.pack"), 0666) && run(&around, to, "pack", "") == 0);
    expect(!chmod(in(from, "planted/libwarpwise-emu.so"), 0777));
    expect(run(&around, to, "open", "emu") == 10 + WW_NO_DEVICE && !ran("libwarpwise-emu.so"));
    expect(!chmod(in(from, "planted/warpwise-kernels.pack"), 0644) &&
           !chmod(in(to, "planted/libwarpwise-emu.so"), 0755));
    expect(!unlink(in(to, "planted/program")));
}

/* ---- only when asked ---- */

static void listing_loads_nothing(void **state) {
    (void)state;
    surroundings around = {
        .user = geteuid(),
        .variable = {"WARPWISE_EMULATOR=%s/planted/libwarpwise-emu.so", "PATH=%s/planted:/usr/bin:/bin"}};
    CASE("hostile", "ww_devices");
    if (case_wanted()) {
        expect(run(&around, own_program(), "devices", "") == 0 && !ran("libwarpwise-emu.so"));
        expect(run(&around, own_program(), "open", "emu") == 10 + WW_NO_DEVICE && ran("libwarpwise-emu.so"));
    }
#ifdef EMULATOR
    static char emulator[PATH];
    snprintf(emulator, sizeof emulator, "WARPWISE_EMULATOR=%s", located(EMULATOR));
    around.variable[0] = emulator;
    CASE("hostile", "ww_devices runs no compiler");
    if (case_wanted()) {
        expect(run(&around, own_program(), "devices", "") == 0 && !ran("c++"));
        expect(run(&around, own_program(), "open", "emu") == 1 && ran("c++"));
    }
#ifdef WARPWISE_COMMAND
    CASE("hostile", "warpwise info");
    if (case_wanted()) {
        expect(run(&around, located(WARPWISE_COMMAND), "info", NULL) == 0 && !ran("c++"));
        run(&around, located(WARPWISE_COMMAND), "info", "--device=emu"); /* which this compiler does not make a device of */
        expect(ran("c++"));
    }
#endif
#else
    left_out("what the emulator does when devices are listed: it is not built");
#endif
}

/* ---- packs, folders and files of others ---- */

/* `owner` may be another user where this runs as root. */
static void folders_of(uid_t owner, const char *whose) {
    char home[PATH], path[PATH], target[PATH];
    surroundings around = {.user = geteuid(), .variable = {"HOME=%s/home/me"}};
    struct stat s;
    expect(!mkdir(in(path, "home"), 0755) && !mkdir(in(home, "home/me"), 0700));
    CASE("hostile", "HOME below a folder of %s", whose);
    if (case_wanted()) {
        expect(run(&around, own_program(), "cache", "") == 1); /* all of it the user's own */
        remove_all(in(target, "home/me/.cache"));
        expect(!chown(in(path, "home"), owner, (gid_t)-1) && (owner != geteuid() || !chmod(path, 0777)));
        expect(run(&around, own_program(), "cache", "") == 0 && files_in(home) == 0);
        expect(!chown(path, geteuid(), (gid_t)-1) && !chmod(path, 0755));
    }
    CASE("hostile", ".cache is a link of %s", whose);
    if (case_wanted()) {
        expect(!mkdir(in(target, "target"), 0700) && !symlink(target, in(path, "home/me/.cache")));
        expect(!lchown(path, owner, (gid_t)-1));
        expect(run(&around, own_program(), "cache", "") == 0 && files_in(target) == 0);
        expect(!unlink(path) && !rmdir(target));
    }
    CASE("hostile", "a link on the way, of %s", whose);
    if (case_wanted() && owner != 0) {
        around.variable[0] = "HOME=%s/way/me";
        expect(!symlink(in(target, "home"), in(path, "way")) && !lchown(path, owner, (gid_t)-1));
        expect(run(&around, own_program(), "cache", "") == 0 && files_in(home) == 0);
        around.variable[0] = "HOME=%s/home/me";
        expect(!unlink(path));
    }
    CASE("hostile", "an entry of %s", whose);
    if (case_wanted()) {
        expect(run(&around, own_program(), "cache", "") == 1 && files_in(in(path, "home/me/.cache/warpwise")) == 1);
        DIR *d = opendir(path);
        for (struct dirent *e; (e = readdir(d));)
            if (*e->d_name != '.') in(target, "home/me/.cache/warpwise/%s", e->d_name);
        closedir(d);
        expect(!chown(target, owner, (gid_t)-1) && (owner != geteuid() || !chmod(target, 0666)));
        expect(!chmod(path, 0500)); /* root may write there all the same */
        if (geteuid()) expect(run(&around, own_program(), "cache", "") == 0);
        expect(!chmod(path, 0700) && !stat(target, &s) && s.st_uid == owner);
        expect(run(&around, own_program(), "cache", "") == 1); /* written anew */
        expect(!stat(target, &s) && s.st_uid == geteuid() && (s.st_mode & 0777) == 0600);
    }
    remove_all(in(path, "home"));
    around.variable[0] = "WARPWISE_KERNEL_PACK=%s/planted/warpwise-kernels.pack";
    CASE("hostile", "a kernel pack of %s", whose);
    if (case_wanted()) {
        expect(run(&around, own_program(), "pack", "") == 1);
        expect(!chown(in(path, "planted/warpwise-kernels.pack"), owner, (gid_t)-1));
        expect(owner != geteuid() || !chmod(path, 0666));
        expect(run(&around, own_program(), "pack", "") == 10 + WW_FILE);
        expect(!chown(path, geteuid(), (gid_t)-1) && !chmod(path, 0644));
    }
    around.variable[0] = "HOME=%s/home/me";
    CASE("hostile", "NVRTC below a HOME of %s", whose);
    if (case_wanted()) {
        char folder[PATH];
        expect(!mkdir(in(path, "home"), 0755) && !mkdir(in(path, "home/me"), 0755));
        in(folder, "home/me");
        static const char *const below[] = {".local", "lib", "python3.9", "site-packages", "nvidia", "cu12", "lib"};
        for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
            snprintf(folder + strlen(folder), sizeof folder - strlen(folder), "/%s", below[i]);
            expect(!mkdir(folder, 0755));
        }
        copy_file(located(PLANTED), in(path, "%s/libnvrtc.so.12", folder + strlen(top) + 1), 0755);
        in(target, "%s/libnvrtc.so.12.ran", folder + strlen(top) + 1);
        if (run(&around, own_program(), "nvrtc", "")) {
            left_out("NVRTC below HOME: this machine has another, which is found before");
        } else {
            expect(!unlink(target)); /* the user's own is loaded */
            expect(!chown(in(path, "home"), owner, (gid_t)-1) && (owner != geteuid() || !chmod(path, 0777)));
            run(&around, own_program(), "nvrtc", "");
            expect(access(target, F_OK));
            expect(!chown(in(path, "home"), geteuid(), (gid_t)-1));
        }
        in(path, "home");
        remove_all(path);
    }
}

static void folders_of_others(void **state) {
    (void)state;
    folders_of(geteuid(), "all who may write there");
    if (geteuid())
        left_out("folders, links and files of another user: only root can make them");
    else
        folders_of(NOBODY, "another user");
}

/* ---- programs with rights that their callers lack ---- */

static const char *const all_planted[ENVIRONMENT] = {"WARPWISE_DEVICE=emu",
                                                     "WARPWISE_CHECK=1",
                                                     "WARPWISE_EMULATOR=%s/planted/libwarpwise-emu.so",
                                                     "WARPWISE_EMU_CXX=%s/planted/c++",
                                                     "WARPWISE_KERNEL_PACK=%s/planted/warpwise-kernels.pack",
                                                     "WARPWISE_NVRTC=%s/planted/libwarpwise-emu.so",
                                                     "WARPWISE_CACHE=%s/planted/cache",
                                                     "XDG_CACHE_HOME=%s/planted/home",
                                                     "HOME=%s/planted/home",
                                                     "TMPDIR=%s/planted",
                                                     "PATH=%s/planted"};

/* A setuid copy of a file, of root's; false, with the reason, where there can be none. */
static bool make_privileged(const char *from, char to[PATH], const surroundings *around) {
    char probe[PATH];
    if (geteuid()) {
        left_out("setuid programs: only root can make one that another user starts");
        return false;
    }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    left_out("setuid programs: sanitizers do not run in them");
    return false;
#endif
    copy_file(own_program(), in(probe, "own/probe"), 04755);
    const int is = run(around, probe, "privileged", "");
    unlink(probe);
    if (is == 1) return copy_file(from, in(to, "own/privileged"), 04755), true;
    left_out("setuid programs: the system does not run them with their owner's rights in %s (%d)", top, is);
    return false;
}

static void setuid_programs(void **state) {
    (void)state;
    char file[PATH], cache[PATH], called[PATH];
    surroundings around = {.user = NOBODY, .folder = "planted", .called = in(called, "planted/program")};
    memcpy(around.variable, all_planted, sizeof all_planted);
    if (!make_privileged(own_program(), file, &around)) return;
    expect(!mkdir(in(cache, "planted/cache"),
                  0755)); /* root's own: nothing but the environment's author is wrong with it */
    static const struct {
        const char *what, *argument;
        int status;
    } acts[] = {{"open", "", 0},    {"open", "emu", 10 + WW_UNSUPPORTED},
                {"devices", "", 0}, {"pack", "", 0},
                {"cache", "", 0},   {"nvrtc", "", 0},
                {"check", "", 0}};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        CASE("hostile", "setuid, %s %s", acts[i].what, acts[i].argument);
        if (!case_wanted()) continue;
        const int status = run(&around, file, acts[i].what, acts[i].argument);
        expect(status == acts[i].status || !strcmp(acts[i].what, "nvrtc"));
        expect(!ran("libwarpwise-emu.so") && !ran("c++") && files_in(cache) == 0);
        /* By a program without such rights they are taken. */
        if (!strcmp(acts[i].what, "devices")) continue;
        surroundings own = around;
        own.user = geteuid();
        expect(run(&own, own_program(), acts[i].what, acts[i].argument) != acts[i].status ||
               !strcmp(acts[i].what, "nvrtc"));
        expect(ran("libwarpwise-emu.so") || !strcmp(acts[i].what, "pack") || !strcmp(acts[i].what, "cache"));
        remove_all(cache);
        expect(!mkdir(cache, 0755));
    }
    expect(!unlink(file) && !rmdir(cache));
}

/* With the shared library, as its users have it. */
static void setuid_example(void **state) {
    (void)state;
#ifdef EXAMPLE
    char file[PATH];
    surroundings around = {.user = NOBODY, .folder = "planted"};
    memcpy(around.variable, all_planted, sizeof all_planted);
    if (!make_privileged(located(EXAMPLE), file, &around)) return;
    CASE("hostile", "setuid copy of an example");
    if (case_wanted()) {
        expect(run(&around, file, NULL, NULL) == 0);
        expect(!ran("libwarpwise-emu.so") && !ran("c++"));
        around.user = geteuid();
        expect(run(&around, located(EXAMPLE), NULL, NULL) != 0 && ran("libwarpwise-emu.so")); /* root asks for it himself */
    }
    expect(!unlink(file));
#else
    left_out("a setuid copy of an example: examples are not built");
#endif
}

int main(int argc, char **argv) {
    if (argc == 3) {
        const int status = act(argv[1], argv[2]);
        fflush(stdout);
        _exit(status);
    }
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
#ifdef TESTS_EMULATED
    left_out("hostile surroundings: the programs that are started would have to be emulated");
    return length < 0;
#endif
    if (length < 0) return 1;
    if (!folders_can_be_trusted()) return 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(not_the_working_folder),
                                       cmocka_unit_test(listing_loads_nothing), cmocka_unit_test(folders_of_others),
                                       cmocka_unit_test(setuid_programs), cmocka_unit_test(setuid_example)};
    return cmocka_run_group_tests_name("hostile", tests, begin, end);
}
