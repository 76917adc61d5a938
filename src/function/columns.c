/* Two, three or four columns of one width are loops that compilers make vectors of; others are moved one column at a time. */
#include "function/columns.h"

#include <string.h>

#include "warpwise/function_widths.h"

/* Of any alignment, and whatever lies there. */
typedef uint32_t word __attribute__((aligned(1), may_alias));
typedef uint64_t long_word __attribute__((aligned(1), may_alias));

#define JOIN(width, T, MANY) \
    WW__LOOP(width) void join_##MANY##_##T##_##width(void *out, const void *const *columns, size_t n) { \
        T *WW__R to = out; \
        const T *WW__R c0 = columns[0], *WW__R c1 = columns[1], *WW__R c2 = columns[MANY > 2 ? 2 : 0], \
                       *WW__R c3 = columns[MANY > 3 ? 3 : 0]; \
        size_t i = 0; \
        for (; i + 64 <= n; i += 64) { \
            for (size_t f = 0; f < 64 * sizeof(T); f += 128) { \
                WW__FETCH((const char *)(c0 + i) + f); \
                WW__FETCH((const char *)(c1 + i) + f); \
                if (MANY > 2) WW__FETCH((const char *)(c2 + i) + f); \
                if (MANY > 3) WW__FETCH((const char *)(c3 + i) + f); \
            } \
            for (size_t k = i; k < i + 64; k++) { \
                to[MANY * k] = c0[k]; \
                to[MANY * k + 1] = c1[k]; \
                if (MANY > 2) to[MANY * k + 2] = c2[k]; \
                if (MANY > 3) to[MANY * k + 3] = c3[k]; \
            } \
        } \
        for (; i < n; i++) { \
            to[MANY * i] = c0[i]; \
            to[MANY * i + 1] = c1[i]; \
            if (MANY > 2) to[MANY * i + 2] = c2[i]; \
            if (MANY > 3) to[MANY * i + 3] = c3[i]; \
        } \
    } \
    WW__LOOP(width) void split_##MANY##_##T##_##width(void *const *columns, const void *rows, size_t n) { \
        const T *WW__R from = rows; \
        T *WW__R c0 = columns[0], *WW__R c1 = columns[1], *WW__R c2 = columns[MANY > 2 ? 2 : 0], \
                 *WW__R c3 = columns[MANY > 3 ? 3 : 0]; \
        for (size_t i = 0; i < n; i++) { \
            c0[i] = from[MANY * i]; \
            c1[i] = from[MANY * i + 1]; \
            if (MANY > 2) c2[i] = from[MANY * i + 2]; \
            if (MANY > 3) c3[i] = from[MANY * i + 3]; \
        } \
    }

typedef struct tables {
    void (*join[2][3])(void *out, const void *const *columns, size_t n); /* of 4 and 8 bytes; two, three, four */
    void (*split[2][3])(void *const *columns, const void *rows, size_t n);
} tables;

#define LOOPS(width, unused) \
    JOIN(width, word, 2) \
    JOIN(width, word, 3) \
    JOIN(width, word, 4) \
    JOIN(width, long_word, 2) \
    JOIN(width, long_word, 3) \
    JOIN(width, long_word, 4) \
    static const tables ww__loops_columns_##width = { \
        {{join_2_word_##width, join_3_word_##width, join_4_word_##width}, \
         {join_2_long_word_##width, join_3_long_word_##width, join_4_long_word_##width}}, \
        {{split_2_word_##width, split_3_word_##width, split_4_word_##width}, \
         {split_2_long_word_##width, split_3_long_word_##width, split_4_long_word_##width}}};
WW__EACH_WIDTH(LOOPS, 0)

static const tables *const by_width[WW_VECTORS] = WW__TABLES(columns);

bool ww__columns_are_even(const size_t *sizes, uint32_t many, size_t size) {
    if (many < 2 || many > 4 || (sizes[0] != 4 && sizes[0] != 8) || size != many * sizes[0]) return false;
    for (uint32_t k = 1; k < many; k++)
        if (sizes[k] != sizes[0]) return false;
    return true;
}

#define MOVE(bytes) \
    case bytes: \
        for (size_t i = 0; i < n; i++) memcpy(to + i * to_apart, from + i * from_apart, bytes); \
        return;

static void move(unsigned char *to, size_t to_apart, const unsigned char *from, size_t from_apart, size_t size,
                 size_t n) {
    switch (size) {
        MOVE(1)
        MOVE(2)
        MOVE(4)
        MOVE(8)
        MOVE(16)
    default:
        for (size_t i = 0; i < n; i++) memcpy(to + i * to_apart, from + i * from_apart, size);
    }
}

void ww__put_together(const ww_device *device, void *out, size_t size, const void *const *columns, const size_t *sizes,
                      const size_t *at, uint32_t many, size_t n) {
    size_t filled = 0;
    if (ww__columns_are_even(sizes, many, size)) {
        by_width[device->vector]->join[sizes[0] == 8][many - 2](out, columns, n);
        return;
    }
    for (uint32_t k = 0; k < many; k++) filled += sizes[k];
    if (filled != size) memset(out, 0, n * size);
    for (uint32_t k = 0; k < many; k++) move((unsigned char *)out + at[k], size, columns[k], sizes[k], sizes[k], n);
}

void ww__take_apart(const ww_device *device, void *const *columns, const size_t *sizes, const size_t *at, uint32_t many,
                    const void *rows, size_t size, size_t n) {
    if (ww__columns_are_even(sizes, many, size)) {
        by_width[device->vector]->split[sizes[0] == 8][many - 2](columns, rows, n);
        return;
    }
    for (uint32_t k = 0; k < many; k++)
        move(columns[k], sizes[k], (const unsigned char *)rows + at[k], size, sizes[k], n);
}
