/* Waiting for what another thread does within nanoseconds, and a lock for so short a time. */
#ifndef WW__SPIN_H
#define WW__SPIN_H

#include <sched.h>
#include <stdbool.h>

/* Between two looks at what another thread will change. */
static inline void ww__relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* After so many looks, some ten microseconds, a thread gives up the core: who is waited for may be without one. */
enum { WW__PATIENCE = 500 };

/* The lock is false before; what was done under it is seen by the next that holds it. */
static inline void ww__spin_acquire(bool *lock) {
    for (unsigned looks = 0; __atomic_exchange_n(lock, true, __ATOMIC_ACQUIRE); looks++)
        if (looks < WW__PATIENCE)
            ww__relax();
        else
            sched_yield();
}
static inline void ww__spin_release(bool *lock) { __atomic_store_n(lock, false, __ATOMIC_RELEASE); }

#endif
