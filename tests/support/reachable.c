/* Pieces are taken one behind the other; when all have been given back, from the beginning again. On the emulator all that
 * is in no piece is closed, so that a kernel that reads beyond the end of an input is found, as one that writes is. */
#include "support/reachable.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/gpu/memory.h"
#include "warpwise.h"

enum { LINE = 64 };
static size_t block_bytes;
static unsigned char *block;
static ww_device *device; /* its block's: open as long as the program runs; static, so that leak checkers find it */
static size_t used, live;

void __real_free(void *p);
void __wrap_free(void *p);

static bool in_block(const void *p) { return block && (uintptr_t)p - (uintptr_t)block < block_bytes; }

void __wrap_free(void *p) {
    if (!in_block(p))
        __real_free(p);
    else if (!--live) {
        used = 0;
        ww__gpu_close_bytes(device, block, block_bytes);
    }
}

void reachable_begin(const char *name) {
    /* The emulator is given small arrays only. */
    block_bytes = strncmp(name, "emu", 3) ? (size_t)1 << 30 : (size_t)64 << 20;
    void *memory;
    if (ww_open(name, &device) || ww_alloc_host(device, block_bytes, &memory)) {
        fprintf(stderr, "%s: %s\n", name, ww_error(device));
        abort();
    }
    block = memory;
    ww__gpu_close_bytes(device, block, block_bytes);
}

void reachable_close(const void *start, size_t bytes) {
    if (in_block(start)) ww__gpu_close_bytes(device, start, bytes);
}

void *reachable_take(size_t bytes) {
    void *p = NULL;
    const size_t room = (bytes / LINE + 2) * LINE;
    if (!block) {
        if (posix_memalign(&p, LINE, bytes ? bytes : 1)) abort();
        return p;
    }
    if (room > block_bytes - used) {
        fprintf(stderr, "a test wants more than %zu bytes of memory that the GPU can reach\n", block_bytes);
        abort();
    }
    p = block + used;
    used += room;
    live++;
    ww__gpu_open_bytes(device, p, bytes);
    return p;
}
