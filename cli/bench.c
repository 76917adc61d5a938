/* warpwise bench: runs the program warpwise-bench, which lies beside this one (in the build folder) or in libexec. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

int bench_command(int argc, char **argv) {
    static const char *const places[] = {"warpwise-bench", "../libexec/warpwise/warpwise-bench"};
    char self[PATH_MAX], program[PATH_MAX + 64];
    (void)argc;
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (!slash) {
        fprintf(stderr, "warpwise bench: cannot find where this program is: %s\n", strerror(errno));
        return FAILED;
    }
    slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(program, sizeof program, "%s%s", self, places[i]);
        if (access(program, X_OK)) continue;
        argv[0] = program; /* by which it finds what lies beside it */
        execv(program, argv);
        fprintf(stderr, "warpwise bench: %s cannot be run: %s\n", program, strerror(errno));
        return FAILED;
    }
    fprintf(
        stderr,
        "warpwise bench: the program warpwise-bench is not installed: it is neither in %s nor in %s../libexec/warpwise; "
        "build warpwise with -DWARPWISE_BENCH=ON, and install it from there\n",
        self, self);
    return FAILED;
}
