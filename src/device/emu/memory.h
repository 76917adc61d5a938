/* The memory that kernels may touch: blocks of all handles together (as the handles of a real GPU reach one another's), with
 * closed zones around and in them. Kernels of one handle run while another one allocates, so everything is under a lock. */
#ifndef WW_EMU_MEMORY_H
#define WW_EMU_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <shared_mutex>
#include <vector>

namespace emu {

struct allocation {
    uintptr_t start, end;
    void *base; /* what free gets */
    bool host;
    /* Of what `find` gives: the bytes around the address that are not closed. None: the address is. */
    uintptr_t open_start, open_end;
};

struct memory {
    memory() = default;
    memory(const memory &) = delete;
    ~memory();
    void *allocate(size_t bytes, bool host); /* NULL: none left */
    bool release(void *block);
    /* The block that an address lies in; start and end 0 where there is none. `end` itself is in no block. */
    allocation find(uintptr_t address) const;
    /* The block that an address lies just before or behind, in the bytes around it that belong to nobody. */
    allocation beside(uintptr_t address) const;
    void poison(uintptr_t start, uintptr_t end, bool closed);
    /* The block of a closed address, and what is open before it: the piece that an access went beyond the end of. */
    allocation before_closed(uintptr_t address) const;

  private:
    void set_closed(uintptr_t start, uintptr_t end, bool closed);
    allocation block_at(uintptr_t address) const;
    mutable std::shared_mutex lock;
    std::vector<allocation> blocks; /* by address */
    struct zone {
        uintptr_t start, end;
    };
    std::vector<zone> zones; /* by address, none touching another */
};

memory &all_memory();

} // namespace emu
#endif
