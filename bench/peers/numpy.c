/* The process runs peer_numpy.py. Data goes to it through a file without a name (memfd), which it inherits and maps; a
 * command is a line, an answer a line of JSON:
 *     load u32 N      copies the file's N numbers to an array of its own        {"ok": true}
 *     sort CALLS      copies that array (untimed), sorts the copy                {"seconds": 1.5}
 *     give            writes the sorted copy to the file                         {"ok": true} */
#include "peers/numpy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measuring/origin.h"

static struct {
    pid_t process;
    FILE *to, *from;
    int file;
    unsigned loaded; /* the serial of the row whose keys the process has; 0: none */
} numpy = {.process = 0, .file = -1};

static bool answer(char *line, size_t room) { return numpy.from && fgets(line, (int)room, numpy.from); }

static bool command(const char *text, char *line, size_t room) {
    return numpy.to && fprintf(numpy.to, "%s\n", text) > 0 && fflush(numpy.to) == 0 && answer(line, room);
}

/* Starts `python` with the script, and with the modules of `path` or NULL; what it says first is its version, or why it cannot. */
static bool start(const char *python, const char *path, char *about, size_t room) {
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC)) return false;
    if (pipe2(up, O_CLOEXEC)) return false;
    const pid_t process = fork();
    if (process < 0) return false;
    if (process == 0) {
        char file[16], script[PATH_MAX + 40];
        snprintf(file, sizeof file, "%d", numpy.file);
        dup2(down[0], STDIN_FILENO);
        dup2(up[1], STDOUT_FILENO);
        setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
        if (path) setenv("PYTHONPATH", path, 1);
        snprintf(script, sizeof script, "%s/bench/peers/peer_numpy.py", bench_source);
        execlp(python, python, script, file, (char *)NULL);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    numpy.process = process;
    numpy.to = fdopen(down[1], "w");
    numpy.from = fdopen(up[0], "r");
    char line[256], version[128];
    if (answer(line, sizeof line) && sscanf(line, "{\"version\": \"%127[^\"]\"}", version) == 1) {
        snprintf(about, room, "%s", version);
        return true;
    }
    numpy_close();
    return false;
}

bool numpy_open(char *about, size_t room) {
    signal(SIGPIPE, SIG_IGN);
    numpy.file = memfd_create("bench-numpy", 0);
    if (numpy.file < 0) {
        snprintf(about, room, "no shared memory: %s", strerror(errno));
        return false;
    }
    /* What tools/setup brought is python3's. The first python3 of the path may be one without NumPy beside a system's that has it. */
    char brought[PATH_MAX + 20];
    snprintf(brought, sizeof brought, "%s/peers/numpy", bench_build);
    if (start("python3", brought, about, room) || start("python3", NULL, about, room) ||
        start("/usr/bin/python3", NULL, about, room))
        return true;
    snprintf(about, room, "not here (it needs a Python with NumPy: tools/setup bench)");
    close(numpy.file);
    numpy.file = -1;
    return false;
}

void numpy_close(void) {
    if (!numpy.process) return;
    if (numpy.to) fclose(numpy.to);
    if (numpy.from) fclose(numpy.from);
    numpy.to = numpy.from = NULL;
    waitpid(numpy.process, NULL, 0);
    numpy.process = 0;
}

static size_t element_of(const char *operation) {
    return !strcmp(operation, "sort u32") ? 4 : !strcmp(operation, "sort u64") ? 8 : 0;
}

const char *numpy_call(const char *operation) { return element_of(operation) ? "ndarray.sort(), 1 thread" : NULL; }

/* Hands a row's keys over, once. */
static bool load(const char *operation, const bench_work *work) {
    if (numpy.loaded == work->serial) return true;
    const size_t bytes = work->n * element_of(operation);
    if (ftruncate(numpy.file, 0) || ftruncate(numpy.file, (off_t)bytes)) return false;
    for (size_t at = 0; at < bytes;) {
        const ssize_t wrote = pwrite(numpy.file, (const char *)work->in + at, bytes - at, (off_t)at);
        if (wrote <= 0) return false;
        at += (size_t)wrote;
    }
    char text[64], line[128];
    snprintf(text, sizeof text, "load u%zu %zu", element_of(operation) * 8, work->n);
    if (!command(text, line, sizeof line) || !strstr(line, "true")) return false;
    numpy.loaded = work->serial;
    return true;
}

double numpy_run(const char *operation, bench_work *work, unsigned calls) {
    char text[32], line[128];
    double seconds;
    snprintf(text, sizeof text, "sort %u", calls);
    if (!load(operation, work) || !command(text, line, sizeof line)) return -1;
    return sscanf(line, "{\"seconds\": %lf", &seconds) == 1 ? seconds : -1;
}

bool numpy_finish(bench_work *work) {
    char line[128];
    if (!command("give", line, sizeof line) || !strstr(line, "true")) return false;
    for (size_t at = 0; at < work->out_bytes;) {
        const ssize_t got = pread(numpy.file, (char *)work->out + at, work->out_bytes - at, (off_t)at);
        if (got <= 0) return false;
        at += (size_t)got;
    }
    return true;
}
