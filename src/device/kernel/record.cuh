/* The record of bad data (device/gpu/record.h): which call found some first, the lowest position in it, the value there. The
 * bad element is skipped. Calls that are queued behind one that found bad data leave at once, so that only one call reports
 * until the host has looked and cleared the record. */
#ifndef WW_RECORD_CUH
#define WW_RECORD_CUH

#include "device/kernel/arguments.cuh"

struct ww_bad_data {
    uint64_t call;     /* 0: nothing bad so far */
    uint64_t nearness; /* ~position: 0 while there is none, larger for lower positions */
    uint64_t value;
    uint32_t lock, unused;
};

/* Whether an earlier call found bad data: then this one does nothing. All threads of a launch get the same answer. */
WW_DEVICE bool ww_stopped(const ww_checking &c) {
    const uint64_t call = ww_load_relaxed(&c.record->call);
    return call && call < c.call;
}

/* Whether this call or an earlier one found bad data: asked by launches behind the one that looks. */
WW_DEVICE bool ww_found_bad(const ww_checking &c) {
    const uint64_t call = ww_load_relaxed(&c.record->call);
    return call && call <= c.call;
}

/* The lowest position wins by atomicMax; who improved it brings its value under the lock, unless it was bettered meanwhile. A
 * lane that does not get the lock goes round again, and the one that has it gives it back within its round: lanes of one
 * warp do not wait for each other. */
WW_DEVICE void ww_report(const ww_checking &c, uint64_t position, uint64_t value) {
    ww_bad_data *r = c.record;
    const uint64_t nearness = ~position;
    if (ww_load_relaxed(&r->nearness) >= nearness || atomicMax(&r->nearness, nearness) >= nearness) return;
    ww_store_relaxed(&r->call, c.call);
    for (bool done = false; !done;) {
        if (atomicCAS(&r->lock, 0u, 1u) == 0) {
            __threadfence();
            if (ww_load_relaxed(&r->nearness) == nearness) ww_store_relaxed(&r->value, value);
            __threadfence();
            atomicExch(&r->lock, 0u);
            done = true;
        } else {
            ww_wait_a_moment();
        }
    }
}

#endif
