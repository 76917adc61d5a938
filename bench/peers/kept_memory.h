// operator new of a peer's module that keeps pieces of a megabyte and more for the next call that wants as much: on 2 MiB pages,
// touched once. One file of a module includes it.
#ifndef BENCH_KEPT_MEMORY_H
#define BENCH_KEPT_MEMORY_H

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

namespace kept_memory {

enum : size_t { LARGE = size_t{1} << 20, PAGE = size_t{2} << 20, PIECES = 64 };

struct piece {
    void *at;
    size_t bytes;
    bool taken;
};
inline piece pieces[PIECES];
inline std::mutex guard;

inline void *fresh(piece &p, size_t bytes) {
    p.bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    p.at = std::aligned_alloc(PAGE, p.bytes);
    if (!p.at) return nullptr;
    p.taken = true;
    madvise(p.at, p.bytes, MADV_HUGEPAGE);
    return std::memset(p.at, 1, p.bytes);
}

// A piece that is free and large enough, not twice as large; else a new one, for which those that are free make room.
inline void *take(size_t bytes) {
    const std::lock_guard<std::mutex> lock(guard);
    for (piece &p : pieces)
        if (p.at && !p.taken && p.bytes >= bytes && p.bytes / 2 < bytes + PAGE) {
            p.taken = true;
            return p.at;
        }
    for (piece &p : pieces)
        if (p.at && !p.taken) std::free(p.at), p.at = nullptr;
    for (piece &p : pieces)
        if (!p.at) return fresh(p, bytes);
    return std::malloc(bytes);
}

inline void give(void *at) {
    if (reinterpret_cast<uintptr_t>(at) % PAGE == 0) {
        const std::lock_guard<std::mutex> lock(guard);
        for (piece &p : pieces)
            if (at && p.at == at) {
                p.taken = false;
                return;
            }
    }
    std::free(at);
}

} // namespace kept_memory

void *operator new(size_t bytes) {
    void *at = bytes < kept_memory::LARGE ? std::malloc(bytes ? bytes : 1) : kept_memory::take(bytes);
    if (!at) throw std::bad_alloc();
    return at;
}
void operator delete(void *at) noexcept { kept_memory::give(at); }
void operator delete(void *at, size_t) noexcept { kept_memory::give(at); }

#endif
