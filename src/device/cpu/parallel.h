/* Threads of a CPU device: one function that runs a task on several of them, and what tasks use to meet.
 *
 * A task is called once for each worker number. Workers may run at once or one after another in any order, so a task
 * claims its work from a shared counter (ww__claim) or is given a part that depends on no other; it never waits for
 * something that a not yet claimed piece would have to do. Several phases are several calls. */
#ifndef WW__PARALLEL_H
#define WW__PARALLEL_H

#include "device/device.h"

typedef void ww__task(void *argument, size_t worker);

/* How many threads this process may run at a time. */
uint32_t ww__usable_threads(void);

/* How many workers a call that moves `bytes` should use: one below WW__SERIAL_BYTES. */
enum { WW__SERIAL_BYTES = 1 << 18 };
size_t ww__workers(const ww_device *device, uint64_t bytes);

void ww__parallel(ww_device *device, size_t workers, ww__task *task, void *argument);

void ww__pool_close(ww_device *device);
uint32_t ww__pool_started(const ww_device *device);

/* The next piece of work, 0, 1, 2, … from a counter that starts at 0. */
static inline uint64_t ww__claim(uint64_t *counter) { return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

/* Pieces that are claimed in order and must hand something on in order (a scan's carry, a pack's position): piece p waits
 * until piece p - 1 has passed the turn on; what was written before ww__turn_pass is seen after ww__turn_wait. Piece
 * p - 1 was claimed earlier, so its worker is running and does not wait for p. */
typedef struct ww__turn {
    uint64_t next __attribute__((aligned(64)));
} ww__turn;
void ww__turn_wait_long(const ww__turn *turn, uint64_t piece);
static inline void ww__turn_wait(const ww__turn *turn, uint64_t piece) {
    if (__atomic_load_n(&turn->next, __ATOMIC_ACQUIRE) != piece) ww__turn_wait_long(turn, piece);
}
static inline void ww__turn_pass(ww__turn *turn, uint64_t piece) {
    __atomic_store_n(&turn->next, piece + 1, __ATOMIC_RELEASE);
}

#endif
