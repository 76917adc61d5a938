// StringZilla's sz_find, from its headers, for the vectors of this machine.
#include <stringzilla/stringzilla.h>

#include <cstdio>

#include "halves.h"

namespace {

void find(bench_work *w) {
    const char *pattern = halves::pattern(w);
    const size_t m = halves::pattern_bytes(w);
    halves::run_next(
        w, [=](const char *at, size_t bytes) { return static_cast<const char *>(sz_find(at, bytes, pattern, m)); });
}

const peer_operation operations[] = {{"find", "sz_find, again and again", nullptr, find, halves::join}};

void describe(char *text, size_t room) {
    std::snprintf(text, room, "StringZilla %d.%d.%d, %s, %u threads", STRINGZILLA_H_VERSION_MAJOR,
                  STRINGZILLA_H_VERSION_MINOR, STRINGZILLA_H_VERSION_PATCH,
                  SZ_USE_SKYLAKE   ? "AVX-512"
                  : SZ_USE_HASWELL ? "AVX2"
                                   : "no AVX",
                  halves::threads);
}

void threads(unsigned n) { halves::threads = n; }

} // namespace

extern "C" const peer bench_peer = {"StringZilla", describe, threads, operations,
                                    sizeof operations / sizeof operations[0]};
