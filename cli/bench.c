/* warpwise bench: runs the program warpwise-bench, which lies beside this one (in the build folder) or in libexec. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <warpwise.h>

#include "command.h"

/* It measures CPUs; a GPU is measured where CUB is compiled beside it. */
static bool wants_gpu(char **argv) {
    ww_device *device;
    ww_device_info info;
    const char *name = NULL;
    for (size_t i = 1; argv[i]; i++) {
        if (!strncmp(argv[i], "--device=", 9)) name = argv[i] + 9;
    }
    const bool gpu = !ww_open(name, &device) && !ww_device_info_get(device, &info) && strcmp(info.backend, "cpu") != 0;
    ww_close(device);
    return gpu;
}

int bench_command(int argc, char **argv) {
    static const char *const places[] = {"warpwise-bench", "../libexec/warpwise/warpwise-bench"};
    char self[PATH_MAX], program[PATH_MAX + 64];
    (void)argc;
    if (wants_gpu(argv)) {
        fprintf(stderr, "warpwise bench: measures CPUs; `make bench-gpu' measures an NVIDIA GPU, beside CUB\n");
        return FAILED;
    }
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (!slash) {
        fprintf(stderr, "warpwise bench: cannot find where this program lies: %s\n", strerror(errno));
        return FAILED;
    }
    slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(program, sizeof program, "%s%s", self, places[i]);
        if (access(program, X_OK)) continue;
        execv(program, argv);
        fprintf(stderr, "warpwise bench: %s cannot be run: %s\n", program, strerror(errno));
        return FAILED;
    }
    fprintf(stderr,
            "warpwise bench: the program warpwise-bench is not built or installed: it is neither in %s nor in "
            "%s../libexec/warpwise\n",
            self, self);
    return FAILED;
}
