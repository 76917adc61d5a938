/* The folder that commands are run in has a folder "in" for their files; what they print goes beside it. */
#include "support/command.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char command_out[COMMAND_TEXT], command_err[COMMAND_TEXT];
static char folder[200];

bool commands_begin(const char *name, const char *command, const char *device) {
    if (!folder_make(folder, sizeof folder, name) || chdir(folder) || mkdir("in", 0777) || chdir("in")) return false;
    /* Whoever started the test may ignore some, and what is run here would, too. */
    static const int usual[] = {SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) signal(usual[i], SIG_DFL);
    setenv("W", command, 1);
    unsetenv("WARPWISE_TRACE");
    unsetenv("WARPWISE_DEVICE");
    if (device) setenv("WARPWISE_DEVICE", device, 1);
    return true;
}

void commands_end(const char *const *files, size_t count) {
    for (size_t i = 0; i < count; i++) unlink(files[i]);
    unlink("../out.txt");
    unlink("../err.txt");
    if (chdir("..") || rmdir("in") || chdir("/") || rmdir(folder)) fprintf(stderr, "%s: is not empty\n", folder);
}

void file_put(const char *name, const void *bytes, size_t length) {
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    fclose(f);
}

size_t files_in_folder(void) {
    size_t n = 0;
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d));) n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

static void slurp(const char *name, char *text) {
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    text[fread(text, 1, COMMAND_TEXT - 1, f)] = '\0';
    fclose(f);
}

int command_run(const char *line) {
    char all[2000];
    snprintf(all, sizeof all, "(%s) >../out.txt 2>../err.txt", line);
    const int status = system(all);
    slurp("../out.txt", command_out);
    slurp("../err.txt", command_err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool is_one_line(const char *text) {
    const char *end = strchr(text, '\n');
    return end && !end[1];
}

bool command_check_at(const char *file, const char *family, const command_line *l) {
    case_begin(file, family, "%s", l->command);
    if (!case_wanted()) return false;
    const int status = command_run(l->command);
    const bool right = status == l->status && (!l->out || strcmp(l->out, command_out) == 0) &&
                       (!l->err || (*l->err ? strstr(command_err, l->err) != NULL : *command_err == '\0'));
    if (!right)
        fprintf(stderr, "%s\nexit %d, wanted %d\n--- out\n%s--- err\n%s", l->command, status, l->status, command_out,
                command_err);
    expect(right);
    if (l->status == 1 && !(l->err && !*l->err)) expect(is_one_line(command_err));
    return true;
}
