/* The command warpwise: finds the subcommand and hands it its arguments. */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <warpwise.h>

#include "command.h"
#include "standard.h"

typedef struct command {
    const char *name, *full_name, *about;
    int (*run)(int argc, char **argv);
} command;

#define COMMAND(name, about) {#name, "warpwise " #name, about, name##_command},
static const command commands[] = {EACH_COMMAND(COMMAND)};
#undef COMMAND
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to) {
    fputs("Usage: warpwise COMMAND [OPTION...] ...\n"
          "Data-parallel primitives on arrays in files.\n\n",
          to);
    for (size_t i = 0; i < COMMANDS; i++) fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].about);
    fputs("\n"
          "warpwise help COMMAND describes a command, with examples. Every command takes --device=NAME; all but bench "
          "take --time.\n"
          "Exit status: 0 success, 1 failure (one sentence on standard error), 2 wrong usage.\n",
          to);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    const command *called = NULL;
    argp_err_exit_status = MISUSED;
    /* A file that becomes too long is then an error of write, and what was begun is removed. */
    signal(SIGXFSZ, SIG_IGN);
    char help[] = "--help", *asks_help[] = {NULL, help, NULL};
    if (argc == 3 && strcmp(name, "help") == 0) name = argv[2];
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0) called = &commands[i];
    /* find exits with 1 where nothing was found. */
    if (!standard_begin(called ? called->full_name : "warpwise",
                        called && called->run == find_command ? MISUSED : FAILED)) {
        fputs("warpwise: the standard descriptors cannot be opened\n", stderr);
        return FAILED;
    }
    if (called && name == argv[2]) {
        asks_help[0] = (char *)called->full_name;
        return called->run(2, asks_help);
    }
    if (called) {
        argv[1] = (char *)called->full_name; /* for messages of argp and getopt */
        return called->run(argc - 1, argv + 1);
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("warpwise %s\n", ww_version());
        return DONE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-?") == 0 || strcmp(name, "-h") == 0 ||
        strcmp(name, "help") == 0) {
        print_help(stdout);
        return DONE;
    }
    if (!*name) {
        print_help(stderr);
    } else {
        fprintf(stderr, "warpwise: there is no command '%s'; `warpwise --help' lists them.\n", name);
    }
    return MISUSED;
}
