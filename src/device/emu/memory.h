/* The memory that kernels may touch: blocks of all handles together (as the handles of a real GPU reach one another's), with
 * closed zones around and in them. Kernels of one handle run while another one allocates, so everything is under a lock. */
#ifndef WW_EMU_MEMORY_H
#define WW_EMU_MEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <shared_mutex>
#include <vector>

namespace emu {

struct allocation {
    uintptr_t start, end;
    void *base; /* what free gets */
    bool host;
};

struct memory {
    memory() = default;
    memory(const memory &) = delete;
    ~memory();
    void *allocate(size_t bytes, bool host); /* NULL: none left */
    bool release(void *block);
    /* The block that an address lies in; start and end 0 where there is none. `end` itself is in no block. */
    allocation find(uintptr_t address) const;
    void poison(uintptr_t start, uintptr_t end, bool closed);
    bool poisoned(uintptr_t start, uintptr_t end) const {
        return any_closed.load(std::memory_order_relaxed) && in_closed(start, end);
    }

  private:
    void set_closed(uintptr_t start, uintptr_t end, bool closed);
    bool in_closed(uintptr_t start, uintptr_t end) const;
    std::atomic<bool> any_closed{false};
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
