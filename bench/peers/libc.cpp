// The C library's memmem, in a loop over the text.
#include <gnu/libc-version.h>

#include <cstdio>

#include "halves.h"

namespace {

void find(bench_work *w) {
    const char *pattern = halves::pattern(w);
    const size_t m = halves::pattern_bytes(w);
    halves::run_next(
        w, [=](const char *at, size_t bytes) { return static_cast<const char *>(memmem(at, bytes, pattern, m)); });
}

const peer_operation operations[] = {{"find", "memmem, again and again", nullptr, find, halves::join}};

void describe(char *text, size_t room) {
    std::snprintf(text, room, "glibc %s, memmem, %u threads", gnu_get_libc_version(), halves::threads);
}

void threads(unsigned n) { halves::threads = n; }

} // namespace

extern "C" const peer bench_peer = {"libc", describe, threads, operations, sizeof operations / sizeof operations[0]};
