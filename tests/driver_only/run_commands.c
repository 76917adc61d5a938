/* Subcommands of `warpwise`, one after the other in one process, for commands.sh: opening a GPU takes a process a tenth of a second and many
 * of them longer, and there are some thousand commands.
 *
 *     run_commands ASKED TOLD
 *
 * reads from ASKED (a fifo) the words of a command, a line each, and a line of \3 behind the last; runs it with standard output in the
 * file `said` and standard error in `why`; and writes its exit status to TOLD, a line. A handle stays open, so that the GPU does. */
#include <argp.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "standard.h"
#include "warpwise.h"

typedef struct command {
    const char *name, *full_name;
    int (*run)(int argc, char **argv);
} command;
#define COMMAND(name, about) {#name, "warpwise " #name, name##_command},
static const command commands[] = {EACH_COMMAND(COMMAND)};

enum { WORDS = 64, ROOM = 1 << 16 };

/* A command that ends by exit comes back here: the linker puts __wrap_exit in the place of exit. */
static jmp_buf back;
void __wrap_exit(int status);
void __wrap_exit(int status) { longjmp(back, status + 1); }

static const command *find(const char *name) {
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++)
        if (!strcmp(commands[c].name, name)) return &commands[c];
    return NULL;
}

static int run(int argc, char **argv) {
    const command *const called = argc ? find(argv[0]) : NULL;
    if (!called) return 2;
    const int left = setjmp(back);
    if (left) return left - 1;
    argv[0] = (char *)(uintptr_t)called->full_name;
    return called->run(argc, argv);
}

static void turn(int fd, const char *path) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || dup2(file, fd) < 0) _exit(3);
    close(file);
}

/* A command may close standard output: each has a stream of its own, on a descriptor that says whether it did. */
static int run_with_output(int argc, char **argv) {
    turn(STDOUT_FILENO, "said");
    turn(STDERR_FILENO, "why");
    const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *const stream = fd < 0 ? NULL : fdopen(fd, "w");
    if (!stream) _exit(3);
    stdout = stream;
    const int status = run(argc, argv);
    if (fcntl(fd, F_GETFD) >= 0) fclose(stream);
    fflush(stderr);
    return status;
}

/* The words of the next command; 0: there is none. */
static int read_words(FILE *asked, char *text, char *words[WORDS + 1]) {
    int many = 0;
    size_t used = 0;
    while (many < WORDS && fgets(text + used, (int)(ROOM - used), asked)) {
        char *const word = text + used;
        word[strcspn(word, "\n")] = 0;
        if (!strcmp(word, "\3")) {
            words[many] = NULL;
            return many;
        }
        words[many++] = word;
        used += strlen(word) + 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    static char text[ROOM];
    char *words[WORDS + 1];
    ww_device *kept = NULL;
    FILE *const asked = argc == 3 ? fopen(argv[1], "r") : NULL, *const told = argc == 3 ? fopen(argv[2], "w") : NULL;
    if (!asked || !told) return 2;
    ww_open("cuda", &kept); /* where it cannot be, commands say so */
    argp_err_exit_status = MISUSED;
    for (volatile int many; (many = read_words(asked, text, words));) {
        fprintf(told, "%d\n", run_with_output(many, words));
        fflush(told);
    }
    ww_close(kept);
    _exit(0);
}
