#include "device/emu/fibers.h"

#include <boost/context/detail/fcontext.hpp>
#include <sys/mman.h>

/* There when the program was built with, or started under, a sanitizer. */
extern "C" {
__attribute__((weak)) void *__tsan_create_fiber(unsigned flags);
__attribute__((weak)) void *__tsan_get_current_fiber();
__attribute__((weak)) void __tsan_destroy_fiber(void *fiber);
__attribute__((weak)) void __tsan_switch_to_fiber(void *fiber, unsigned flags);
__attribute__((weak)) void __tsan_acquire(void *token);
__attribute__((weak)) void __tsan_release(void *token);
__attribute__((weak)) void __sanitizer_start_switch_fiber(void **shadow, const void *bottom, size_t size);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void *shadow, const void **bottom, size_t *size);
}

namespace emu {
namespace {

using namespace boost::context::detail;

/* The size that accesses.h knows, and room above the last one, so that what lies there is not taken for a stack. */
const size_t STACK = 65536, PAGE = 4096, STRIDE = STACK + PAGE;

/* Where the body's address waits on a stack. Not at the same place of the last page of all, or all would meet in few lines of
 * the first-level cache. */
char *top_of(const void *bottom) {
    const size_t index = reinterpret_cast<size_t>(bottom) / STRIDE;
    return const_cast<char *>(static_cast<const char *>(bottom)) + STACK - 64 - index % 8 * 256;
}

/* A switch takes these along. */
struct passage {
    fiber *from, *to;
    void *argument;
};

/* The first thing in a fiber after a switch: notes where the one before stopped. */
void arrive(const transfer_t &t) {
    passage *p = static_cast<passage *>(t.data);
    p->from->context = t.fctx;
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(p->to->shadow, &p->from->bottom, &p->from->size);
}

} // namespace

stacks::~stacks() {
    if (__tsan_destroy_fiber)
        for (void *s : sanitizers) __tsan_destroy_fiber(s);
    if (base) munmap(base, count * STRIDE + STACK);
}

bool stacks::make(size_t wanted, bool told) {
    if (wanted <= count) return true;
    if (base) munmap(base, count * STRIDE + STACK);
    base = nullptr;
    count = 0;
    void *all = mmap(nullptr, wanted * STRIDE + STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return false;
    base = static_cast<char *>(all);
    count = wanted;
    for (size_t i = 0; i < count; i++)
        if (mprotect(base + i * STRIDE + PAGE, STACK, PROT_READ | PROT_WRITE)) return false;
    if (__tsan_create_fiber && told)
        while (sanitizers.size() < count) sanitizers.push_back(__tsan_create_fiber(0));
    return true;
}

void stacks::prepare(fiber &f, size_t index, void (*body)(void *)) {
    f.bottom = base + index * STRIDE + PAGE;
    f.size = STACK;
    f.shadow = nullptr;
    f.sanitizer = sanitizers.empty() ? nullptr : sanitizers[index];
    /* The body's address waits at the top of the stack: a new fiber starts with nothing but a passage. */
    char *top = top_of(f.bottom);
    *reinterpret_cast<void (**)(void *)>(top) = body;
    f.context = make_fcontext(top, static_cast<size_t>(top - static_cast<const char *>(f.bottom)), [](transfer_t t) {
        passage *p = static_cast<passage *>(t.data);
        void *argument = p->argument;
        auto body = *reinterpret_cast<void (*const *)(void *)>(top_of(p->to->bottom));
        arrive(t);
        body(argument);
    });
}

void fiber_of_thread(fiber &f) {
    f = fiber();
    if (__tsan_get_current_fiber) f.sanitizer = __tsan_get_current_fiber();
}

void fiber_switch(fiber &from, fiber &to, void *argument, bool last) {
    passage p = {&from, &to, argument};
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(last ? nullptr : &from.shadow, to.bottom, to.size);
    if (from.sanitizer && to.sanitizer)
        __tsan_switch_to_fiber(to.sanitizer, 1); /* 1: being switched to orders nothing */
    arrive(jump_fcontext(to.context, &p));
}

bool thread_sanitizer() { return __tsan_switch_to_fiber != nullptr; }
bool built_for_thread_sanitizer() {
#ifdef __SANITIZE_THREAD__
    return true;
#else
    return false;
#endif
}
void order_release(void *token) {
    if (__tsan_release) __tsan_release(token);
}
void order_acquire(void *token) {
    if (__tsan_acquire) __tsan_acquire(token);
}

} // namespace emu
