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

/* How many bytes a call has to move for threads to be worth it. Measured with calls that follow one another and with calls after a
 * millisecond's rest, on two cores of an EPYC 9004, 2026-11 (bench/results/2026-11-23-cpu-small):
 *
 *     WW__SERIAL_BYTES   any call: below it is over sooner than a thread that is awake has its part
 *     WW__LIGHT_BYTES    a call that does little more than move, and whose parts cost more than its whole (a scan's blocks are read
 *                        twice): below, what lies in one core's cache is done there while another would fetch it
 *     WW__WAKING_BYTES   the same where threads sleep: below it is over before they are awake */
enum { WW__SERIAL_BYTES = 1 << 18, WW__LIGHT_BYTES = 1 << 22, WW__WAKING_BYTES = 9 << 20 };

/* How many workers a call that moves `bytes` should use. */
size_t ww__workers(const ww_device *device, uint64_t bytes);
size_t ww__workers_light(ww_device *device, uint64_t bytes); /* WW__LIGHT_BYTES and WW__WAKING_BYTES count too */

void ww__parallel(ww_device *device, size_t workers, ww__task *task, void *argument);

/* The same for a task that may be over within microseconds, who knows: the caller works alone at first. Its claims are
 * ww__claim_light, which offer the other parts to threads when that has taken so long that these are worth it. */
void ww__parallel_light(ww_device *device, size_t workers, uint64_t bytes, ww__task *task, void *argument);
void ww__offer_late(const ww_device *device);

/* Starts the pool, and says how many workers can run at once with it: as many as the device has threads, or fewer. */
size_t ww__pool_start(ww_device *device);
void ww__pool_close(ww_device *device);
uint32_t ww__pool_started(const ww_device *device);

/* The next piece of work, 0, 1, 2, … from a counter that starts at 0. */
static inline uint64_t ww__claim(uint64_t *counter) { return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

static inline uint64_t ww__claim_light(const ww_device *device, size_t worker, uint64_t *counter) {
    if (device->alone) return (*counter)++; /* two claims with a lock are a tenth of a call on 1,000 elements */
    if (!worker) ww__offer_late(device);    /* worker 0 is the caller */
    return ww__claim(counter);
}

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
static inline bool ww__turn_is(const ww__turn *turn, uint64_t piece) {
    return __atomic_load_n(&turn->next, __ATOMIC_ACQUIRE) == piece;
}
static inline void ww__turn_pass(ww__turn *turn, uint64_t piece) {
    __atomic_store_n(&turn->next, piece + 1, __ATOMIC_RELEASE);
}

#endif
