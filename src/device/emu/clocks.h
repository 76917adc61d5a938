/* What comes before something, in all blocks of a launch: vector clocks with a component for each block, as in FastTrack
 * (Flanagan and Freund 2009), of whose accesses races.h keeps stamps. A clock is a tree of fanout 16 over the blocks that is
 * never changed once it is made: so one is handed on by its address, two share what is the same in both, and joining them
 * costs only where they differ. Memory grows with what is handed on, not with the square of the number of blocks. */
#ifndef WW_EMU_CLOCKS_H
#define WW_EMU_CLOCKS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace emu {

/* When a lane did something: in which block (by its turn), after how many of its barriers, in which warp, at which time of
 * the lane's own. */
struct moment {
    uint32_t block, epoch, warp, time;
};

typedef const void *vector_clock; /* nullptr: nothing comes before */

struct clocks {
    void begin(uint32_t blocks); /* of a launch: all clocks are gone */
    /* What a lane knows of its own block: all before its last barrier, and of its warp what each lane did up to a time. */
    vector_clock of_lane(const moment &now, const uint32_t *times);
    vector_clock join(vector_clock a, vector_clock b) { return a == b || !b ? a : !a ? b : join_at(height, a, b); }
    bool covers(vector_clock c, const moment &m, uint32_t lane) const;

  private:
    vector_clock join_at(uint32_t level, vector_clock a, vector_clock b);
    void *take(size_t bytes);
    uint32_t height = 0;
    std::vector<std::unique_ptr<char[]>> chunks;
    size_t chunk = 0, used = 0;
};

} // namespace emu
#endif
