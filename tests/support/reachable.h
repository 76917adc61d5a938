/* Memory for tests that the device under test can reach: on a CPU any; on a GPU a large block from ww_alloc_host, which
 * pieces are taken from. free() takes them back (the tests are linked with --wrap=free). */
#ifndef TESTS_REACHABLE_H
#define TESTS_REACHABLE_H

#include <stddef.h>

/* From now on pieces come from memory of the device of this name. */
void reachable_begin(const char *device);
/* 64-byte aligned; never NULL. */
void *reachable_take(size_t bytes);
/* Closes bytes of a piece to the kernels of an emulator. Nothing happens on other devices, and to what the host does. */
void reachable_close(const void *start, size_t bytes);

#endif
