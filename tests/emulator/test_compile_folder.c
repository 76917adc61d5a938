/* The emulator's temporary folders are gone when a compile ends, however it ends: the compiler is killed, or the process with it; and
 * what a killed process left after all, the next one removes. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/gpu/emulator.h"
#include "support/cases.h"

static char top[200], temporary[300];

static void in(char path[400], const char *folder, const char *name) {
    snprintf(path, 400, "%.299s/%.90s", folder, name);
}

/* Names that begin so in the folder for temporary files. */
static size_t folders_like(const char *beginning) {
    size_t many = 0;
    DIR *d = opendir(temporary);
    expect(d != NULL);
    for (struct dirent *e; (e = readdir(d));)
        many += *e->d_name != '.' && !strncmp(e->d_name, beginning, strlen(beginning));
    closedir(d);
    return many;
}

static int begin(void **state) {
    (void)state;
    expect(folder_make(top, sizeof top, "compiling"));
    snprintf(temporary, sizeof temporary, "%s/tmp", top);
    expect(!mkdir(temporary, 0700));
    return 0;
}

static int end(void **state) {
    char path[400];
    (void)state;
    static const char *const files[] = {"c++", "compiling"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        in(path, top, files[i]);
        unlink(path);
    }
    rmdir(temporary);
    rmdir(top);
    return 0;
}

/* A child that opens the emulator, and then makes it compile; `compile` is what its compiler does. */
static pid_t start(const char *compile) {
    char script[400];
    in(script, top, "c++");
    FILE *f = fopen(script, "w");
    expect(f &&
           fprintf(f, "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'a compiler 1.0'; exit; fi\n%s\n", compile) > 0);
    expect(!fchmod(fileno(f), 0700) && !fclose(f));
    fflush(NULL);
    const pid_t child = fork();
    expect(child >= 0);
    if (child) return child;
    // A shell has what it starts in the background ignore SIGINT, and children inherit that.
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    setenv("TMPDIR", temporary, 1);
    setenv("WARPWISE_EMU_CXX", script, 1);
    setenv("WARPWISE_CACHE", "off", 1);
    setenv("TOP", top, 1);
    ww_device *device;
    uint32_t sum;
    if (ww_open("emu", &device)) {
        fprintf(stderr, "%s\n", ww_error(device));
        _exit(2);
    }
    const ww_status status = ww_reduce(device, &ww_add, ww_counting(&ww_type_uint32_t, 1, 10), ww_array(&sum, 1));
    ww_close(device);
    _exit(status == WW_COMPILE ? 0 : 1);
}

static int ended(pid_t child) {
    int status;
    expect(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void compiler_is_killed(void **state) {
    (void)state;
    CASE("compiling", "the compiler is killed");
    if (!case_wanted()) return;
    expect(ended(start("mkdir left; echo >left/a; echo >b; echo >\"$TMPDIR/cc1.s\"; kill -9 $$")) == 0);
    expect(folders_like("") == 0);
}

static void process_is_killed(void **state) {
    (void)state;
    static const int signals[] = {SIGKILL, SIGTERM, SIGINT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        CASE("compiling", "the process is killed, signal %d", signals[i]);
        if (!case_wanted()) continue;
        char told[400];
        long compiler = 0;
        in(told, top, "compiling");
        const pid_t child = start(
            "echo >left; echo $$ >\"$TOP/told\"; mv \"$TOP/told\" \"$TOP/compiling\"; exec sleep 600");
        for (int waited = 0; access(told, F_OK) && waited < 60000; waited++) usleep(1000);
        expect(folders_like("warpwise-compile-") == 1);
        expect(!kill(child, signals[i]) && ended(child) == 128 + signals[i]);
        for (int waited = 0; folders_like("") && waited < 60000; waited++) usleep(1000);
        expect(folders_like("") == 0);
        FILE *f = fopen(told, "r");
        expect(f && fscanf(f, "%ld", &compiler) == 1 && compiler > 1 && !fclose(f));
        kill((pid_t)compiler, SIGKILL);
        unlink(told);
    }
}

static void left_by_others(void **state) {
    (void)state;
    CASE("compiling", "folders that were left");
    if (!case_wanted()) return;
    char left[400], below[400], file[400], held[400], foreign[400], link[400];
    in(left, temporary, "warpwise-compile-left00");
    in(held, temporary, "warpwise-compile-held00");
    in(foreign, temporary, "warpwise-compile-else00");
    in(link, temporary, "warpwise-compile-link00");
    expect(!mkdir(left, 0700) && !mkdir(held, 0700) && !mkdir(foreign, 0700) && !symlink(top, link));
    in(below, left, "src");
    in(file, below, "kernel.cu");
    expect(!mkdir(below, 0700) && fclose(fopen(file, "w")) == 0);
    in(file, foreign, "theirs");
    expect(fclose(fopen(file, "w")) == 0);
    if (geteuid())
        left_out("another user's folder: only root can make one");
    else
        expect(!chown(foreign, 65534, (gid_t)-1));
    const int lock = open(held, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    expect(lock >= 0 && !flock(lock, LOCK_EX));
    expect(ended(start("exit 1")) == 0);
    expect(access(left, F_OK) && !access(held, F_OK) && !access(top, F_OK) && !unlink(link));
    expect(!access(file, F_OK) == !geteuid());
    close(lock);
    expect(ended(start("exit 1")) == 0);
    expect(access(held, F_OK));
    unlink(file);
    rmdir(foreign);
    expect(folders_like("") == 0);
}

/* This process itself does not open the emulator: it looks for folders that were left once. */
int main(void) {
    char why[1024];
    if (!ww__emulator_there(why, sizeof why)) {
        left_out("the emulator: %s", why);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(compiler_is_killed), cmocka_unit_test(process_is_killed),
                                       cmocka_unit_test(left_by_others)};
    return cmocka_run_group_tests_name("compiling", tests, begin, end);
}
