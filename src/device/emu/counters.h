/* Counts what a profiler would. Lanes note what they touch; whenever all lanes of a warp have come to the same point, their
 * notes are put together: what each did at one site for the k-th time since the last such point is one warp access. */
#ifndef WW_EMU_COUNTERS_H
#define WW_EMU_COUNTERS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/emu/emulator.h"

namespace emu {

struct lane;

/* One access of a lane. */
struct seen {
    const void *site;
    uintptr_t address;
    uint32_t bytes;
    bool shared, whole; /* whole: moved by one instruction */
};

struct counters {
    ww__counters total = {};
    /* Puts the notes of the lanes of a warp together and empties them. */
    void gather(lane *lanes, size_t count);

  private:
    struct access {
        uint32_t mask, bytes;
        bool shared, whole;
        uintptr_t address[32];
    };
    struct place {
        const void *site;
        uint32_t turn, lane, taken; /* of the lane that is being gone through */
        std::vector<access> accesses;
    };
    std::vector<place> places;
    std::vector<uint32_t> buckets; /* places by site, + 1 */
    std::vector<uint32_t> touched;
    uint32_t turn = 0;

    place &place_of(const void *site);
    void count_access(const access &a);
    void count_global(const access &a);
    void count_shared(const access &a);
};

} // namespace emu
#endif
