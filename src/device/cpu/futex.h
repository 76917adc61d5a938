/* Sleeping until another thread changes a word, and waking who sleeps: Linux's futex, for threads of one process. */
#ifndef WW__FUTEX_H
#define WW__FUTEX_H

#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sleeps while the word is `value`; may return before it changes. */
static inline void ww__futex_sleep(const uint32_t *word, uint32_t value) {
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

/* Wakes up to `most` threads that sleep on the word. */
static inline void ww__futex_wake(const uint32_t *word, uint32_t most) {
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}

#endif
