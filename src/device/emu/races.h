/* Races in global memory, between blocks and between the lanes of one: beside every word that a launch touches stands who
 * touched it last, and two accesses of which one is a plain write, or one plain and the other an atomic write, must be in
 * order. What makes order is what CUDA's memory model says:
 *   - in a block as in shared memory: a barrier, a chain of __syncwarps;
 *   - a release and the acquire that reads what it wrote, or what atomic operations made of that. What is released is what
 *     came before for the lane: its own accesses, the block's before its last barrier, its warp's before a __syncwarp;
 *   - a fence makes releases of the lane's atomic operations and relaxed stores after it, and acquires of those before it.
 * Relaxed loads, relaxed stores and atomic operations order nothing by themselves. Launches come after each other.
 * All lanes of a launch run on one thread of the system's: nothing here is locked. */
#ifndef WW_EMU_RACES_H
#define WW_EMU_RACES_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "device/emu/clocks.h"

namespace emu {

struct allocation;
struct lane;
struct run;

/* Who and where: moment << 6 | lane of the warp << 1 | atomic, or 0; the place in the program. */
struct touch {
    uint32_t who, site;
};

/* Of a word of 4 bytes, or of a byte. */
struct global_cell {
    touch wrote;   /* the last plain write */
    touch changed; /* the last atomic one */
    /* Two reads since, not ordered with one another, plain ones of two blocks if there are; further ones are not kept. */
    touch read[2];
};

class races {
  public:
    void begin(run &r); /* a launch */
    /* Fails where an access is in no order with another one. Of an atomic one, also hands on what it hands on. */
    void look(lane &l, const allocation &a, uintptr_t at, size_t bytes, int what, const void *site);
    void fence(lane &l);
    /* The lanes of a mask, or of a whole block, know what each of them does. */
    void join(lane *lanes, uint32_t count, uint32_t mask);

  private:
    enum { PAGE = 1024, WORD = 4, BUCKETS = 256 };
    struct page {
        uintptr_t number;
        bool bytes; /* cells are of bytes, not of words */
        std::unique_ptr<global_cell[]> of_words, of_bytes;
        global_cell *at(uintptr_t address) {
            return bytes ? &of_bytes[address % PAGE] : &of_words[address % PAGE / WORD];
        }
    };
    page &page_of(uintptr_t address);
    void split(page &p);
    uint32_t moment_of(lane &l);
    bool ordered(touch t, uint32_t now, const lane &l) const;
    const touch *conflict(const global_cell &c, uint32_t now, const lane &l, int what) const;
    void note(global_cell &c, touch t, const lane &l, int what) const;
    void note_read(global_cell &c, touch t, const lane &l) const;
    [[noreturn]] void fail_race(lane &l, const allocation &a, uintptr_t at, const global_cell &c, const touch &with,
                                int what, const void *site);
    void hand_on(lane &l, uintptr_t at, int what);
    vector_clock clock_of(lane &l);
    vector_clock fenced_clock(lane &l);
    void forget();

    run *r = nullptr;
    emu::clocks clocks;
    std::vector<moment> moments;                       /* by number; 0 is nobody's */
    std::unordered_map<uintptr_t, vector_clock> words; /* what was released to them */
    std::unordered_map<uintptr_t, uint32_t> pages;     /* by address / PAGE, in `made` */
    std::vector<page> made;
    size_t used = 0;
    page *known[BUCKETS] = {};
};

} // namespace emu
#endif
