/* Moving one element of a size that is known to lie between two bounds, without a loop: two moves that may overlap. */
#ifndef WW__MOVE_H
#define WW__MOVE_H

#include <string.h>

/* X(name, size, MOVE) for each way of moving: elements of that size (`given`: one that is passed), MOVE(to, from,
 * size). */
/* clang-format off */
#define WW__EACH_MOVE(X) \
    X(1, 1, memcpy) X(2, 2, memcpy) X(4, 4, memcpy) X(8, 8, memcpy) X(16, 16, memcpy) \
    X(to_4, given, WW__MOVE_TO_4) X(to_8, given, WW__MOVE_TO_8) X(to_16, given, WW__MOVE_TO_16) \
    X(to_32, given, WW__MOVE_TO_32) X(to_64, given, WW__MOVE_TO_64) X(long, given, memcpy)
/* clang-format on */

#define WW__MOVE_ENDS(to, from, size, half) \
    (memcpy(to, from, half), memcpy((to) + (size)-half, (from) + (size)-half, half))
#define WW__MOVE_TO_4(to, from, size) WW__MOVE_ENDS(to, from, size, 2)
#define WW__MOVE_TO_8(to, from, size) WW__MOVE_ENDS(to, from, size, 4)
#define WW__MOVE_TO_16(to, from, size) WW__MOVE_ENDS(to, from, size, 8)
#define WW__MOVE_TO_32(to, from, size) WW__MOVE_ENDS(to, from, size, 16)
#define WW__MOVE_TO_64(to, from, size) WW__MOVE_ENDS(to, from, size, 32)

/* The place of a size's move in a table made by WW__EACH_MOVE. */
static inline size_t ww__move_of(size_t size) {
    switch (size) {
    case 1:
        return 0;
    case 2:
        return 1;
    case 4:
        return 2;
    case 8:
        return 3;
    case 16:
        return 4;
    }
    return size < 4 ? 5 : size < 8 ? 6 : size < 16 ? 7 : size <= 32 ? 8 : size <= 64 ? 9 : 10;
}

/* How many elements ahead to ask for what will be moved: enough to hide a miss, 4 KiB at most. */
static inline size_t ww__move_ahead(size_t size) { return size <= 128 ? 32 : size < 4096 ? 4096 / size : 1; }

/* Asks for an element's lines, to be written or only read; up to 4 KiB of it. Small ones seldom lie in two lines. */
#define WW__MOVE_FETCH(address, size, write) \
    do { \
        const char *const first_ = (const char *)(address); \
        const size_t bytes_ = (size) < 4096 ? (size) : 4096; \
        for (size_t k_ = 0; k_ < bytes_; k_ += 64) __builtin_prefetch(first_ + k_, write); \
        if (bytes_ > 16) __builtin_prefetch(first_ + bytes_ - 1, write); \
    } while (0)

#endif
