/* The command warpwise, run as people run it: lines for the shell, in which $W is the command, in a folder of their own.
 *
 *     set up      if (!commands_begin("cli", WARPWISE_COMMAND, "cpu")) return -1;
 *                 file_put("u8.bin", "\5\0", 2);
 *     test        static const command_line lines[] = {{"\"$W\" sort --type=u8 u8.bin - | od -An -tu1", 0, "   0   5\n", ""}};
 *                 CHECK_COMMANDS("cli", lines);
 *                 expect(files_in_folder() == 1);
 *     tear down   commands_end((const char *const[]){"u8.bin"}, 1); */
#ifndef TESTS_COMMAND_H
#define TESTS_COMMAND_H

#include "support/cases.h"
#include "support/located.h"

/* What the line that ran last printed, as text. */
enum { COMMAND_TEXT = 1 << 16 };
extern char command_out[COMMAND_TEXT], command_err[COMMAND_TEXT];

/* Makes an empty folder and goes there. `device` is every line's WARPWISE_DEVICE; NULL: none is named. */
bool commands_begin(const char *name, const char *command, const char *device);
/* Removes the folder, which must hold these files and no more; else it stays, and is named. */
void commands_end(const char *const *files, size_t count);

void file_put(const char *name, const void *bytes, size_t length);
size_t files_in_folder(void);

/* Runs a line. Returns its exit status, or 128 and the signal that ended it. */
int command_run(const char *line);

typedef struct command_line {
    const char *command;
    int status;      /* 1: there is one sentence on standard error, unless `err` is "" (not found) */
    const char *out; /* all of standard output; NULL: whatever */
    const char *err; /* a part of standard error; "": it is empty; NULL: whatever */
} command_line;

/* Runs a line, which is a case, and expects what it says. False: the case is not wanted. */
bool command_check_at(const char *file, const char *family, const command_line *l);
#define CHECK_COMMAND(family, l) command_check_at(__FILE__, family, l)
#define CHECK_COMMANDS(family, lines) \
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) CHECK_COMMAND(family, &lines[i])

#endif
