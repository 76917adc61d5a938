#include "device/refused.h"

#include <pthread.h>

static uint64_t this_thread(void) { return (uint64_t)(uintptr_t)pthread_self(); }

/* The slot with this thread's number; WW__REFUSED where there is none. */
static size_t slot_of_this_thread(const ww_device *device) {
    const uint64_t thread = this_thread();
    if (!__atomic_load_n(&device->refusals, __ATOMIC_RELAXED)) return WW__REFUSED;
    for (size_t i = 0; i < WW__REFUSED; i++)
        if (__atomic_load_n(&device->refused[i], __ATOMIC_RELAXED) == thread) return i;
    return WW__REFUSED;
}

void ww__refuse(ww_device *device) {
    if (slot_of_this_thread(device) < WW__REFUSED) return;
    const uint32_t before = __atomic_fetch_add(&device->refusals, 1, __ATOMIC_RELAXED);
    /* A free slot, from the next one on; else that one. A count that has come round to 0 is set right by the next refusal. */
    for (size_t i = 0; i < WW__REFUSED; i++) {
        uint64_t none = 0;
        if (__atomic_compare_exchange_n(&device->refused[(before + i) % WW__REFUSED], &none, this_thread(), false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
    }
    __atomic_store_n(&device->refused[before % WW__REFUSED], this_thread(), __ATOMIC_RELAXED);
}

void ww__admit_refused(ww_device *device) {
    const size_t slot = slot_of_this_thread(device);
    uint64_t thread = this_thread();
    if (slot < WW__REFUSED)
        __atomic_compare_exchange_n(&device->refused[slot], &thread, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

bool ww__is_refused(const ww_device *device) { return slot_of_this_thread(device) < WW__REFUSED; }
