/* What kernels call, but for barriers and warp operations: where a thread is, shared memory, waiting, and the look at every
 * access of memory before it happens. */
#include <algorithm>

#include "device/emu/run.h"

namespace emu {
namespace {

const ww_emu_place *call_place() { return &lane_now()->place; }

void *call_shared(const void *declaration, unsigned long bytes, int large) {
    lane &l = *lane_now();
    shared_memory &s = l.home->shared;
    void *at = s.place(large ? nullptr : declaration, bytes);
    if (!at && large)
        fail(l, nullptr, "asks for %lu bytes of large shared memory; the launch gave %zu", bytes, s.large);
    if (!at) fail(l, nullptr, "asks for more than %d bytes of shared memory", SHARED_DECLARED_MOST);
    return at;
}

void call_wait() {
    lane &l = *lane_now();
    l.state = state::WAITING;
    l.site = nullptr;
    l.looks = 0;
    give_way(l);
}

void call_trap(const void *site) { fail(*lane_now(), site, "came to a trap"); }

/* The block and the open part of it that an address lies in. */
const allocation &find_known(worker &w, uintptr_t at) {
    for (const allocation &a : w.known)
        if (at - a.open_start < a.open_end - a.open_start) return a;
    const allocation a = w.run->memory->find(at);
    size_t place = KNOWN;
    if (a.open_start < a.open_end) place = w.next_known++ % KNOWN;
    return w.known[place] = a;
}

[[noreturn]] void fail_outside(lane &l, const memory &m, uintptr_t at, unsigned long bytes, const char *does,
                               const void *site) {
    const allocation near = m.beside(at);
    if (near.base && at >= near.end)
        fail(l, site, "%s %lu bytes of global memory, %zu beyond the end of a block of %zu", does, bytes,
             static_cast<size_t>(at - near.end), static_cast<size_t>(near.end - near.start));
    if (near.base)
        fail(l, site, "%s %lu bytes of global memory, %zu before the start of a block of %zu", does, bytes,
             static_cast<size_t>(near.start - at), static_cast<size_t>(near.end - near.start));
    fail(l, site, "%s %lu bytes at %#zx, outside of all memory of the device", does, bytes, static_cast<size_t>(at));
}

[[noreturn]] void fail_closed(lane &l, const memory &m, uintptr_t at, unsigned long bytes, const char *does,
                              const void *site) {
    const allocation a = m.before_closed(at);
    if (a.open_start == a.open_end)
        fail(l, site, "%s %lu bytes of global memory at %zu of a block of %zu, in an inaccessible part", does, bytes,
             static_cast<size_t>(at - a.start), static_cast<size_t>(a.end - a.start));
    fail(l, site, "%s %lu bytes of global memory, %zu beyond the end of a piece of %zu, in an inaccessible part", does,
         bytes, static_cast<size_t>(at - a.open_end), static_cast<size_t>(a.open_end - a.open_start));
}

const allocation &look_global(lane &l, worker &w, uintptr_t at, unsigned long bytes, int what, const void *site) {
    const memory &m = *w.run->memory;
    const char *does = what & WW_EMU_WRITE ? "writes" : "reads";
    static const allocation everything = {0, UINTPTR_MAX, nullptr, true, 0, UINTPTR_MAX};
    const allocation &a = find_known(w, at);
    if (!a.base && w.run->reaches_all && !m.beside(at).base) return everything;
    if (!a.base) fail_outside(l, m, at, bytes, does, site);
    if (bytes > a.end - at)
        fail(l, site, "%s %lu bytes of global memory across the end of a block of %zu", does, bytes,
             static_cast<size_t>(a.end - a.start));
    if (at == a.open_end) fail_closed(l, m, at, bytes, does, site);
    /* Elements of 1 and 2 bytes are changed in the word around them, which the last of them may not fill. */
    const bool word_around = what & WW_EMU_ATOMIC && bytes <= 4;
    if (bytes > a.open_end - at && !word_around)
        fail(l, site, "%s %lu bytes of global memory across the end of a piece of %zu, into an inaccessible part", does,
             bytes, static_cast<size_t>(a.open_end - a.open_start));
    return a;
}

/* Before an access, so that nothing comes between it and what is made of it. */
void give_way_now_and_then(lane &l, int what, bool shared) {
    block &b = *l.home;
    /* Notes are kept short: here all lanes of a warp wait for one another, if all go through the same long loop. */
    if (l.log.size() == LOG_MOST) {
        if (!(what & WW_EMU_ATOMIC)) progressed(*b.home); /* else it may be the loop of one that waits */
        call_wait();
        if (l.log.size() == LOG_MOST) gather_warp(b, l.index / WARP);
    }
    /* A lane that looks at words again and again waits, even if it does not say so. */
    if (what & WW_EMU_ATOMIC && ++l.looks > LOOKS_MOST) call_wait();
    if (b.home->run->random && !shared && what & (WW_EMU_ATOMIC | WW_EMU_WRITE) &&
        put_aside(b, what & WW_EMU_ATOMIC ? WEIGHT_ATOMIC : WEIGHT_STORE)) {
        wake(l);
        give_way(l);
    }
}

void call_fence() {
    lane &l = *lane_now();
    if (l.home->home->run->watched) l.home->home->run->races->fence(l);
}

void call_access(const void *pointer, unsigned long bytes, int what, const void *site) {
    lane &l = *lane_now();
    block &b = *l.home;
    run &r = *b.home->run;
    uintptr_t at = reinterpret_cast<uintptr_t>(pointer);
    if (!r.watched || bytes == 0) return;
    if (what & WW_EMU_ALIGNED && at % std::min(bytes, 8ul))
        fail(l, site, "%s %lu bytes at an address that is not a multiple of that",
             what & WW_EMU_WRITE ? "writes" : "reads", bytes);
    bool whole = !(what & WW_EMU_LONG);
    bool shared = b.shared.holds(at);
    if (!shared && (at - reinterpret_cast<uintptr_t>(r.arguments) < WW__ARGUMENTS_MOST ||
                    at - r.image_start < r.image_end - r.image_start))
        return;
    give_way_now_and_then(l, what, shared);
    if (shared) {
        b.shared.look(l, at, bytes, what & (WW_EMU_READ | WW_EMU_WRITE | WW_EMU_ATOMIC), site);
    } else {
        const allocation &a = look_global(l, *b.home, at, bytes, what, site);
        r.races->look(l, a, at, bytes, what, site);
        if (what & WW_EMU_WRITE) progressed(*b.home);
    }
    if (r.counted) l.log.push_back({site, at, static_cast<uint32_t>(bytes), shared, whole});
}

} // namespace

const ww_emu_calls calls = {call_place, call_shared, call_access, call_barrier,
                            call_warp,  call_fence,  call_wait,   call_trap};

} // namespace emu
