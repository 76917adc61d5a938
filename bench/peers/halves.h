// A text searched by two threads, each in its half: what the peers that find text share. A match begins in one half, and may
// end in the other. Each thread writes positions to a half of the room; `join` moves them together.
#ifndef BENCH_PEER_HALVES_H
#define BENCH_PEER_HALVES_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "peer.h"

namespace halves {

inline unsigned threads = 2;

// What one thread has found.
struct part {
    uint32_t *positions;
    size_t room, count;
    void found(size_t at) {
        if (count < room) positions[count] = static_cast<uint32_t>(at);
        count++;
    }
};
inline std::vector<part> parts;

inline size_t room_of(const bench_work *w) { return w->out_bytes / sizeof(uint32_t); }

inline const char *pattern(const bench_work *w) {
    const bench_patterns &p = w->patterns;
    return reinterpret_cast<const char *>(p.bytes + p.offsets[w->turn % p.count]);
}
inline size_t pattern_bytes(const bench_work *w) {
    const bench_patterns &p = w->patterns;
    return p.offsets[w->turn % p.count + 1] - p.offsets[w->turn % p.count];
}

// search(part, thread, first, end): matches that begin at first … end - 1. The last part is the caller's own thread's.
template <class F> void run(bench_work *w, F search) {
    const size_t n = w->n, room = room_of(w) / threads;
    std::vector<std::thread> others;
    parts.assign(threads, part{});
    for (unsigned t = 0; t < threads; t++) {
        parts[t] = {static_cast<uint32_t *>(w->out) + t * room, room, 0};
        const size_t first = n * t / threads, end = n * (t + 1) / threads;
        if (t + 1 < threads)
            others.emplace_back([=] { search(parts[t], t, first, end); });
        else
            search(parts[t], t, first, end);
    }
    for (std::thread &t : others) t.join();
}

// Where a part has more than its room, what lies behind it is not there: the check then sees a wrong position.
inline void join(bench_work *w) {
    uint32_t *out = static_cast<uint32_t *>(w->out);
    size_t at = 0, all = 0;
    for (const part &p : parts) {
        const size_t kept = std::min(p.count, p.room);
        std::memmove(out + at, p.positions, kept * sizeof *out);
        at += kept;
        all += p.count;
    }
    w->result = all;
}

// A loop over a function that finds the next place, or nullptr: find(text, bytes) -> const char *.
template <class F> void run_next(bench_work *w, F find) {
    const char *text = static_cast<const char *>(w->in);
    const size_t n = w->n, m = pattern_bytes(w);
    run(w, [=](part &p, unsigned, size_t first, size_t end) {
        const size_t last = std::min(n, end + m - 1); // of what a match may reach
        const char *at = text + first;
        while ((at = find(at, static_cast<size_t>(text + last - at)))) {
            p.found(static_cast<size_t>(at - text));
            at++;
        }
    });
}

} // namespace halves

#endif
