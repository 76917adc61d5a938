#include "device/emu/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace emu {
namespace {

/* Bytes on both sides of a block that belong to nobody, so that small steps across an edge never meet another block. */
const size_t AROUND = 1024;
const int FRESH = 0xA5; /* what memory holds before it is written */

} // namespace

memory &all_memory() {
    static memory all;
    return all;
}

memory::~memory() {
    for (const allocation &a : blocks) free(a.base);
}

void *memory::allocate(size_t bytes, bool host) {
    if (bytes > SIZE_MAX / 2) return nullptr;
    void *base;
    if (posix_memalign(&base, 256, bytes + 2 * AROUND)) return nullptr;
    memset(base, FRESH, bytes + 2 * AROUND);
    uintptr_t start = reinterpret_cast<uintptr_t>(base) + AROUND;
    allocation a = {start, start + bytes, base, host, start, start};
    std::unique_lock<std::shared_mutex> held(lock);
    blocks.insert(std::upper_bound(blocks.begin(), blocks.end(), a,
                                   [](const allocation &x, const allocation &y) { return x.start < y.start; }),
                  a);
    return reinterpret_cast<void *>(start);
}

bool memory::release(void *block) {
    std::unique_lock<std::shared_mutex> held(lock);
    for (size_t i = 0; i < blocks.size(); i++)
        if (blocks[i].start == reinterpret_cast<uintptr_t>(block)) {
            set_closed(blocks[i].start, blocks[i].end, false);
            free(blocks[i].base);
            blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
    return false;
}

allocation memory::block_at(uintptr_t address) const {
    const allocation none = {0, 0, nullptr, false, 0, 0};
    auto after = std::upper_bound(blocks.begin(), blocks.end(), address,
                                  [](uintptr_t at, const allocation &a) { return at < a.start; });
    if (after == blocks.begin()) return none;
    --after;
    return address < after->end ? *after : none;
}

allocation memory::find(uintptr_t address) const {
    std::shared_lock<std::shared_mutex> held(lock);
    allocation a = block_at(address);
    a.open_start = a.start;
    a.open_end = a.end;
    auto after = std::upper_bound(zones.begin(), zones.end(), address,
                                  [](uintptr_t at, const zone &z) { return at < z.start; });
    if (after != zones.end()) a.open_end = std::min(a.open_end, after->start);
    if (after != zones.begin()) a.open_start = std::max(a.open_start, std::prev(after)->end);
    if (a.open_start > address) a.open_start = a.open_end = address; /* in the zone that begins before it */
    return a;
}

allocation memory::beside(uintptr_t address) const {
    std::shared_lock<std::shared_mutex> held(lock);
    for (const allocation &a : blocks)
        if (address >= a.start - AROUND && address < a.end + AROUND) return a;
    return {0, 0, nullptr, false, 0, 0};
}

allocation memory::before_closed(uintptr_t address) const {
    std::shared_lock<std::shared_mutex> held(lock);
    allocation a = block_at(address);
    a.open_start = a.start;
    a.open_end = address;
    for (const zone &z : zones) {
        if (z.start > address) break;
        a.open_end = z.start;
        if (z.end <= address) a.open_start = std::max(a.open_start, z.end);
    }
    a.open_end = std::max(a.open_end, a.open_start);
    return a;
}

void memory::poison(uintptr_t start, uintptr_t end, bool closed) {
    std::unique_lock<std::shared_mutex> held(lock);
    set_closed(start, end, closed);
}

void memory::set_closed(uintptr_t start, uintptr_t end, bool closed) {
    std::vector<zone> kept;
    for (const zone &z : zones) {
        if (z.start < start) kept.push_back({z.start, std::min(z.end, start)});
        if (z.end > end) kept.push_back({std::max(z.start, end), z.end});
    }
    if (closed && start < end) kept.push_back({start, end});
    std::sort(kept.begin(), kept.end(), [](const zone &x, const zone &y) { return x.start < y.start; });
    zones.swap(kept);
}

} // namespace emu
