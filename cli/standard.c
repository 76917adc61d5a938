/* What is printed goes through a stream whose writing waits: C's own loses what it has when the descriptor does not block. At
 * the exit, wherever it comes from (argp ends the process itself after --help), the stream is emptied and the descriptor
 * closed; what goes wrong there is said, where all was well before. */
#include "standard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *command_name;
static int failed_status;
static int problem;  /* of the last write that failed */
static bool printed; /* something, which its closing may still say is lost */

bool standard_again(int fd, short events) {
    struct pollfd ready = {.fd = fd, .events = events};
    if (errno == EINTR) return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    poll(&ready, 1, -1); /* whatever it says: the call is made again, and says it better */
    return true;
}

static ssize_t write_waiting(void *cookie, const char *from, size_t bytes) {
    size_t done = 0;
    (void)cookie;
    printed = true;
    while (done < bytes) {
        const ssize_t n = write(STDOUT_FILENO, from + done, bytes - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || !standard_again(STDOUT_FILENO, POLLOUT)) {
            problem = errno;
            return 0; /* which says that it failed */
        }
    }
    return (ssize_t)bytes;
}

bool standard_flush(void) {
    const bool well = !fflush(stdout) && !ferror(stdout);
    if (!well) errno = problem;
    return well;
}

static void end(int status, void *context) {
    (void)context;
    if (status) return; /* what is wrong was said */
    if (standard_flush() && (!printed || close(STDOUT_FILENO) == 0 || errno == EBADF || errno == EINTR)) return;
    fprintf(stderr, "%s: standard output cannot be written: %s\n", command_name, strerror(errno));
    _exit(failed_status);
}

/* What is opened in a closed one's place cannot be used for what it is for: who wants to is told, as before. */
static bool take_closed(void) {
    static const int useless[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", useless[fd]) != fd) return false;
    }
    return true;
}

bool standard_begin(const char *command, int failed) {
    static const cookie_io_functions_t functions = {.write = write_waiting};
    command_name = command;
    failed_status = failed;
    if (!take_closed()) return false;
    FILE *const waiting = fopencookie(NULL, "w", functions);
    if (!waiting || on_exit(end, NULL)) return false;
    setvbuf(waiting, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    stdout = waiting;
    return true;
}
