/* Outputs with poisoned insides and guarded edges, and an allocator that counts and can fail. */
#include <stdio.h>

#include "support/cases.h"
#include "support/reachable.h"

enum { GUARD = 64, POISON = 0xA5, EDGE = 0x5A };

guarded guarded_in_host(size_t bytes, size_t off) {
    guarded g;
    void *memory;
    if (posix_memalign(&memory, GUARD, bytes + off + 2 * GUARD)) abort();
    unsigned char *const block = memory;
    memset(block, EDGE, off + GUARD);
    memset(block + off + GUARD, POISON, bytes);
    memset(block + off + GUARD + bytes, EDGE, GUARD);
    g.block = block;
    g.data = block + off + GUARD;
    g.bytes = bytes;
    return g;
}

guarded guarded_new(size_t bytes) {
    guarded g;
    setting_count();
    unsigned char *block = reachable_take(bytes + 2 * GUARD);
    memset(block, EDGE, GUARD);
    memset(block + GUARD, POISON, bytes);
    memset(block + GUARD + bytes, EDGE, GUARD);
    reachable_close(block, GUARD);
    reachable_close(block + GUARD + bytes, GUARD);
    g.block = block;
    g.data = block + GUARD;
    g.bytes = bytes;
    return g;
}

void guarded_check(const guarded *g) {
    const unsigned char *const data = g->data;
    for (size_t i = 0; i < GUARD; i++) {
        expect_at(*(data - 1 - i) == EDGE, "the bytes before an output are untouched", __FILE__, __LINE__);
        expect_at(data[g->bytes + i] == EDGE, "the bytes behind an output are untouched", __FILE__, __LINE__);
    }
}

void guarded_free(guarded *g) {
    free(g->block);
    g->block = g->data = NULL;
}

static void *counted_allocate(void *context, size_t bytes, size_t alignment) {
    counting_allocator *counter = context;
    if (counter->requests++ == counter->fail_at) return NULL;
    void *block;
    if (posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes)) return NULL;
    counter->live_blocks++;
    counter->live_bytes += bytes;
    if (counter->live_bytes > counter->peak_bytes) counter->peak_bytes = counter->live_bytes;
    return block;
}

static void counted_release(void *context, void *block, size_t bytes) {
    counting_allocator *counter = context;
    counter->live_blocks--;
    counter->live_bytes -= bytes;
    free(block);
}

ww_allocator counting_allocator_use(counting_allocator *counter) {
    return (ww_allocator){counted_allocate, counted_release, counter};
}
