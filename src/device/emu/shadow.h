/* A block's shared memory, and beside every word of it, or byte, who wrote and who read it last. */
#ifndef WW_EMU_SHADOW_H
#define WW_EMU_SHADOW_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace emu {

struct lane;

/* Who touched a word or byte, and when: epoch << 36 | time << 12 | atomic << 10 | thread. The epoch is the number of barriers of
 * the block's place, so 0 means nobody, and an older epoch than the block's first means somebody in an earlier block. */
typedef uint64_t stamp;

struct cell {
    stamp writer;
    /* Two readers that are not ordered with one another, of two warps if there are; further ones are not kept. */
    stamp readers[2];
};

struct shared_memory {
    shared_memory() = default;
    shared_memory(const shared_memory &) = delete;
    ~shared_memory();
    bool make(size_t large, bool watched); /* room for what kernels declare, and `large` bytes more */
    void begin();                          /* of a block: nobody has written anything */
    void next_epoch();                     /* a barrier */
    /* Where a declaration's bytes are, the same for every thread; NULL: there is no room. NULL declares the large part. */
    void *place(const void *declaration, size_t bytes);
    bool holds(uintptr_t address) const { return address - base < room; }
    /* Reports to fail() what is wrong with an access. */
    void look(lane &l, uintptr_t address, size_t bytes, int what, const void *site);

    struct declared {
        const void *declaration;
        size_t at, bytes;
    };
    uintptr_t base = 0;
    size_t room = 0, used = 0, large = 0;
    uint64_t epoch = 0, first_epoch = 0;
    std::vector<declared> declarations;

  private:
    enum { WORD = 4, REGION = 1024 };
    struct region {
        bool bytes; /* in this launch something smaller than a word, or across two, was touched: cells are of bytes */
        std::unique_ptr<cell[]> of_words, of_bytes;
    };
    void split(region &r);
    std::vector<region> regions;
};

} // namespace emu
#endif
