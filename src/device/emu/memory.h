/* The memory that kernels may touch: blocks of the driver's, with closed zones around and in them. */
#ifndef WW_EMU_MEMORY_H
#define WW_EMU_MEMORY_H

#include <cstddef>
#include <cstdint>
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
    /* The block that an address lies in, or NULL. `end` itself is in no block. */
    const allocation *find(uintptr_t address) const;
    void poison(uintptr_t start, uintptr_t end, bool closed);
    bool poisoned(uintptr_t start, uintptr_t end) const;

    std::vector<allocation> blocks; /* by address */
    struct zone {
        uintptr_t start, end;
    };
    std::vector<zone> zones; /* by address, none touching another */
};

} // namespace emu
#endif
