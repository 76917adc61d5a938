/* Fibers on Boost.Context, with their stacks, made known to the address and thread sanitizers when the program has one. */
#ifndef WW_EMU_FIBERS_H
#define WW_EMU_FIBERS_H

#include <cstddef>
#include <vector>

namespace emu {

struct fiber {
    void *context = nullptr;      /* where to go on */
    void *sanitizer = nullptr;    /* the thread sanitizer's name of it; null: it was not told */
    const void *bottom = nullptr; /* its stack, for the address sanitizer */
    size_t size = 0;
    void *shadow = nullptr; /* the address sanitizer's */
};

/* Stacks for the lanes of one block, used again for the next; the page below each is closed. */
struct stacks {
    stacks() = default;
    stacks(const stacks &) = delete;
    ~stacks();
    /* At least so many; false: no memory. `told`: the thread sanitizer is told of each. */
    bool make(size_t count, bool told);
    /* Prepares f to run body(argument) on stack `index` when it is switched to. */
    void prepare(fiber &f, size_t index, void (*body)(void *));

    char *base = nullptr;
    size_t count = 0;
    std::vector<void *> sanitizers;
};

/* What has a fiber of its own already: the thread of the system's that calls this. */
void fiber_of_thread(fiber &f);

/* Leaves `from` and goes on in `to`; body gets `argument` when `to` is new. `last`: `from` is never gone back to. */
void fiber_switch(fiber &from, fiber &to, void *argument, bool last = false);

/* Whether the program runs under the thread sanitizer; whether that has to be told of every fiber, because the emulator was
 * built for it; and the orders that it cannot see by itself. */
bool thread_sanitizer();
bool built_for_thread_sanitizer();
void order_release(void *token);
void order_acquire(void *token);

} // namespace emu
#endif
