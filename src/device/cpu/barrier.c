/* ww_barrier where ranks are threads: those of a launch count themselves in, and wait until a multiple of their number has come.
 * The word is never set back, so that the next barrier needs no other one. */
#include <sched.h>

#include "device/cpu/spin.h"
#include "warpwise/function.h"

void ww_barrier(uint64_t *word, uint64_t ranks) {
    enum { LOOKS = 4000 }; /* before the system is asked for other threads */
    const uint64_t before = __atomic_fetch_add(word, 1, __ATOMIC_ACQ_REL), wanted = before - before % ranks + ranks;
    for (unsigned looks = 0; __atomic_load_n(word, __ATOMIC_ACQUIRE) < wanted; looks++) {
        if (looks < LOOKS)
            ww__relax();
        else
            sched_yield();
    }
}
