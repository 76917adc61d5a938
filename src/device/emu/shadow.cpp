/* Two accesses of a byte are in order when one thread does both, when a barrier of the block lies between, or when a chain
 * of __syncwarps leads from the one to the other; lanes keep the times that they know of each other's for the last. */
#include "device/emu/shadow.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

#include "device/emu/run.h"

namespace emu {
namespace {

const int FRESH = 0xA5;

uint64_t epoch_of(stamp s) { return s >> 36; }
uint32_t time_of(stamp s) { return s >> 12 & 0xFFFFFF; }
uint32_t thread_of(stamp s) { return s & 1023; }
bool is_atomic(stamp s) { return s >> 10 & 1; }

stamp stamp_of(const lane &l, uint64_t epoch, int what) {
    return epoch << 36 | static_cast<uint64_t>(l.time & 0xFFFFFF) << 12 | (what & WW_EMU_ATOMIC ? 1024u : 0) | l.index;
}

/* Whether what the stamp says is ordered before what the lane does now. */
bool ordered(stamp s, const lane &l, uint64_t epoch) {
    if (epoch_of(s) != epoch || thread_of(s) == l.index) return true;
    if (thread_of(s) / WARP != l.index / WARP) return false;
    return l.home->warps[l.index / WARP].known[l.index % WARP][thread_of(s) % WARP] >= time_of(s);
}

void race(lane &l, stamp with, size_t at, bool wrote, int what, const void *site) {
    fail(l, site, "%s byte %zu of shared memory, which thread %u %s, with no barrier between them",
         what & WW_EMU_WRITE ? "writes" : "reads", at, thread_of(with), wrote ? "wrote" : "read");
}

void note_reader(cell &c, const lane &l, uint64_t epoch, stamp now) {
    if (ordered(c.readers[0], l, epoch)) {
        c.readers[0] = now;
    } else if (ordered(c.readers[1], l, epoch) || (thread_of(c.readers[0]) / WARP == thread_of(c.readers[1]) / WARP &&
                                                   thread_of(c.readers[0]) / WARP != l.index / WARP)) {
        c.readers[1] = now;
    }
}

} // namespace

shared_memory::~shared_memory() {
    if (room) munmap(reinterpret_cast<void *>(base), room);
}

/* Closed pages on both sides would be mapped by others, so a stack's neighbour is never taken for shared memory. */
bool shared_memory::make(size_t wanted, bool watched) {
    size_t all = SHARED_DECLARED_MOST + (wanted + 4095) / 4096 * 4096;
    if (all > room) {
        if (room) munmap(reinterpret_cast<void *>(base), room);
        room = 0;
        void *at = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) return false;
        base = reinterpret_cast<uintptr_t>(at);
        room = all;
        std::vector<region>(watched ? (room + REGION - 1) / REGION : 0).swap(regions);
        for (region &r : regions) r.of_words.reset(new cell[REGION / WORD]());
        epoch = 0;
    }
    for (region &r : regions) r.bytes = false; /* what words say is older than all blocks to come */
    large = wanted;
    used = 0;
    declarations.clear();
    return true;
}

void shared_memory::begin() {
    next_epoch();
    first_epoch = epoch;
    if (used) memset(reinterpret_cast<void *>(base), FRESH, used);
    if (large) memset(reinterpret_cast<void *>(base + SHARED_DECLARED_MOST), FRESH, large);
}

void shared_memory::next_epoch() {
    if (++epoch >> 28 == 0) return;
    /* Numbers are used up: what is written stays so, and all is ordered. */
    for (region &r : regions)
        for (size_t i = 0; i < (r.bytes ? REGION : REGION / WORD); i++) {
            cell &c = r.bytes ? r.of_bytes[i] : r.of_words[i];
            c = {epoch_of(c.writer) >= first_epoch ? static_cast<stamp>(1) << 36 : 0, {0, 0}};
        }
    first_epoch = 1;
    epoch = 2;
}

void *shared_memory::place(const void *declaration, size_t bytes) {
    if (!declaration) return bytes <= large ? reinterpret_cast<void *>(base + SHARED_DECLARED_MOST) : nullptr;
    for (const declared &d : declarations)
        if (d.declaration == declaration) return reinterpret_cast<void *>(base + d.at);
    size_t at = (used + 127) / 128 * 128;
    if (bytes > SHARED_DECLARED_MOST || at > SHARED_DECLARED_MOST - bytes) return nullptr;
    declarations.push_back({declaration, at, bytes});
    used = at + bytes;
    return reinterpret_cast<void *>(base + at);
}

void shared_memory::split(region &r) {
    if (!r.of_bytes) r.of_bytes.reset(new cell[REGION]);
    for (size_t i = 0; i < REGION; i++) r.of_bytes[i] = r.of_words[i / WORD];
    r.bytes = true;
}

void shared_memory::look(lane &l, uintptr_t address, size_t bytes, int what, const void *site) {
    size_t at = address - base;
    bool inside = at >= SHARED_DECLARED_MOST && at - SHARED_DECLARED_MOST < large &&
                  bytes <= large - (at - SHARED_DECLARED_MOST);
    for (const declared &d : declarations)
        inside |= at >= d.at && at - d.at < d.bytes && bytes <= d.bytes - (at - d.at);
    if (!inside)
        fail(l, site, "%s %zu bytes at byte %zu of shared memory, outside of what the kernel asked for",
             what & WW_EMU_WRITE ? "writes" : "reads", bytes, at);

    /* Structs have padding that nobody writes, at most 15 bytes in a row and 1 of an aligned 4: that much is let pass. */
    size_t unwritten = 0, passed = bytes <= 2 ? 0 : bytes <= 4 ? 1 : bytes <= 15 ? bytes - 1 : 15;
    const stamp now = stamp_of(l, epoch, what);
    const bool atomic = what & WW_EMU_ATOMIC;
    for (size_t i = at, end = at + bytes; i < end;) {
        region &r = regions[i / REGION];
        const size_t in_region = std::min((i / REGION + 1) * REGION, end);
        if (!r.bytes && (i | in_region) % WORD) split(r);
        const size_t by = r.bytes ? 1 : WORD;
        for (cell *c = r.bytes ? &r.of_bytes[i % REGION] : &r.of_words[i % REGION / WORD]; i < in_region;
             i += by, c++) {
            if (!ordered(c->writer, l, epoch) && !(atomic && is_atomic(c->writer)))
                race(l, c->writer, i, true, what, site);
            if (what & WW_EMU_READ) {
                unwritten = epoch_of(c->writer) < first_epoch ? unwritten + by : 0;
                if (unwritten > passed) fail(l, site, "reads byte %zu of shared memory, which nobody wrote", i);
            }
            if (!(what & WW_EMU_WRITE)) {
                note_reader(*c, l, epoch, now);
                continue;
            }
            for (stamp reader : c->readers)
                if (!ordered(reader, l, epoch) && !(atomic && is_atomic(reader))) race(l, reader, i, false, what, site);
            *c = {now, {0, 0}};
        }
    }
}

} // namespace emu
