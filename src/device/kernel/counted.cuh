/* Counts on the device, for kernels: the host gives a bound as `count`, plans and launches for it, and where the recipe says
 * WW_COUNT_AT the number at `count_at` says how many elements there are. A kernel's body is a function of the arguments that
 * ww_counted makes of what was launched; without WW_COUNT_AT these are the launch's own, and nothing is copied or read. */
#ifndef WW_COUNTED_CUH
#define WW_COUNTED_CUH

#ifndef WW_COUNT_AT
#define WW_COUNT_AT 0
#endif

/* Whether launches take part in loops that a GPU runs by itself (ww_repeat): of programs that look at a count, and of those that say so.
 * Their kernels are WW_LOOP_KERNELs. */
#ifndef WW_IN_LOOPS
#define WW_IN_LOOPS WW_COUNT_AT
#endif

/* In such loops launches overlap: blocks of the launch behind may come as soon as all of this one's are there, and a block waits for the
 * end of the launch before, before it reads or writes anything. That one has waited for the one before it: so what has been written by
 * any launch before is seen, and several launches stand ready behind the one that works.
 *
 * Where a loop's body has several rounds, launches of the second and later ones do nothing when *ended is not 0, which is decided between
 * rounds. The round's first launch lets the next one come when that has been written: so the others may look before they wait, which
 * costs them nothing. */
#include "device/kernel/round_of_loop.cuh"
#if WW_IN_LOOPS && !defined(WW_EMULATED)
WW_DEVICE bool ww_in_turn(const ww_round_of_loop &round) {
    const bool first = round.ended && !round.decided;
    uint64_t ended = 0;
    if (first) {
        ww_wait_before();
        ended = ww_load_relaxed(round.ended);
        ww_launch_next();
    } else {
        ww_launch_next();
        if (round.ended) ended = ww_load_relaxed(round.ended);
        ww_wait_before();
    }
    return !ended;
}
#define WW_LOOP_KERNEL_HELD(name, arguments, threads, blocks) \
    WW_DEVICE void name##_in_turn(const arguments &a); \
    extern "C" __global__ void __launch_bounds__(threads, blocks) \
        name(const __grid_constant__ arguments a, const __grid_constant__ ww_round_of_loop round) { \
        if (ww_in_turn(round)) name##_in_turn(a); \
    } \
    WW_DEVICE void name##_in_turn(const arguments &a)
#define WW_LOOP_KERNEL(name, arguments, threads) WW_LOOP_KERNEL_HELD(name, arguments, threads, 0)
#else /* no launch of this program takes part, or the host runs all rounds */
#define WW_LOOP_KERNEL_HELD(name, arguments, threads, blocks) WW_GPU_KERNEL_HELD(name, arguments, threads, blocks)
#define WW_LOOP_KERNEL(name, arguments, threads) WW_GPU_KERNEL(name, arguments, threads)
#endif

/* Of a launch that was made early (ww__gpu_launch_early), before all else: launches behind it may come at once, and wait likewise. */
WW_DEVICE void ww_in_line() {
    ww_launch_next();
    ww_wait_before();
}

#if WW_COUNT_AT
template <class A> WW_DEVICE A ww_counted(const A &given) {
    A a = given;
    const uint64_t there = *a.count_at;
    if (there < a.count) a.count = there;
    return a;
}
/* As many tiles as there are elements for, and at least one. */
template <class A> WW_DEVICE A ww_counted_tiles(const A &given, uint64_t tile) {
    A a = ww_counted(given);
    a.tiles = a.count ? (a.count + tile - 1) / tile : 1;
    return a;
}
/* Of the launch's blocks those that have something to do, where `wanted` would do: at least one. */
WW_DEVICE uint32_t ww_counted_blocks(uint64_t wanted) {
    return wanted < gridDim.x ? wanted ? uint32_t(wanted) : 1 : gridDim.x;
}
#else
WW_DEVICE uint32_t ww_counted_blocks(uint64_t) { return gridDim.x; }
template <class A> WW_DEVICE const A &ww_counted(const A &given) { return given; }
template <class A> WW_DEVICE const A &ww_counted_tiles(const A &given, uint64_t) { return given; }
#endif

#endif
