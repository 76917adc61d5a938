/* The loops that a multisplit moves elements with through lines, for every key and value size. A function may give a key
 * another bucket than when it was counted, so ends are looked at: once a line. */
#include "radix/lines.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define CHECKED 1
#define JOINED(a, b) JOINED_EXPANDED(a, b)
#define JOINED_EXPANDED(a, b) a##_##b

/* Elements between two looks ahead. */
enum { BLOCK = 256 };

#define KEY uint8_t
#define KEY_NAME 8
#include "radix/lines_keys.h"
#define KEY uint16_t
#define KEY_NAME 16
#include "radix/lines_keys.h"
#define KEY uint32_t
#define KEY_NAME 32
#include "radix/lines_keys.h"
#define KEY uint64_t
#define KEY_NAME 64
#include "radix/lines_keys.h"
#define KEY ww__sixteen_bytes
#define KEY_NAME 128
#include "radix/lines_keys.h"

#include "radix/lines_joined.h"

const ww__lines_loops *ww__lines_loops_of(size_t key_size, size_t value_size) {
    static const ww__lines_loops *const *const loops[] = {loops_8, loops_16, loops_32, loops_64, loops_128};
    const int key = ww__lines_size(key_size), value = value_size ? ww__lines_size(value_size) + 1 : 0;
    if (key_size == 4 && value_size == 4) return &joined_loops;
    return key < 0 || (value_size && !value) ? NULL : loops[key][value];
}
