/* The number of this process lies on a page that the kernel gives to a child empty (Linux 4.14): then the child counts one
 * further. The system's own number would not do, for the first process of a new namespace has the number of the first one of
 * the old; and it takes a system call. */
#include "device/cpu/process.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t
    *number; /* on that page; NULL before `once`, and where there is none, so that the system's number has to do */
static uint64_t last; /* that was given; a child goes on from it */

static void take_page(void) {
#ifdef MADV_WIPEONFORK
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *const page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    /* Emulators that take no advice say yes to all of it, also to what does not exist. */
    if (madvise(page, bytes, -1) != 0 && madvise(page, bytes, MADV_WIPEONFORK) == 0)
        __atomic_store_n(&number, page, __ATOMIC_RELEASE);
    else
        munmap(page, bytes);
#endif
}

uint64_t ww__process(void) {
    uint64_t *page = __atomic_load_n(&number, __ATOMIC_ACQUIRE);
    if (!page) {
        pthread_once(&once, take_page);
        if (!(page = __atomic_load_n(&number, __ATOMIC_ACQUIRE))) return (uint64_t)getpid();
    }
    uint64_t mine = __atomic_load_n(page, __ATOMIC_RELAXED);
    if (mine) return mine;
    const uint64_t next = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    return __atomic_compare_exchange_n(page, &mine, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ? next : mine;
}
