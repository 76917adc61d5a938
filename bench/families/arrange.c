/* Elements in another order: reversed, rotated, and matrices transposed, with rows whose distance is a power of two (which
 * caches like least) and others, and structs taken apart. */
#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

/* Rows of a matrix of n elements, whose columns are n / rows: about square, and the row's parameter more or fewer. */
static size_t rows_of(const bench_work *w) {
    size_t rows = 1;
    if (w->parameter) return w->parameter;
    while (4 * rows * rows <= w->n) rows *= 2;
    return rows;
}
static size_t columns_of(const bench_work *w) { return w->n / rows_of(w); }

static void make(bench_work *w, size_t size) {
    w->in = work_pages(w, w->n * size);
    w->out = work_pages(w, w->out_bytes = w->n * size);
    data_u32(w->in, w->n * size / 4, 9);
}
static void make_u8(bench_work *w) { make(w, 1); }
static void make_u32(bench_work *w) { make(w, 4); }
static void make_u64(bench_work *w) { make(w, 8); }

static ww_status run_reverse(bench_work *w) {
    return ww_reverse(w->device, ww_memory((const uint32_t *)w->in, w->n), ww_array((uint32_t *)w->out, w->n));
}
static ww_status run_rotate(bench_work *w) {
    return ww_rotate(w->device, (int64_t)(w->n / 3), ww_memory((const uint32_t *)w->in, w->n),
                     ww_array((uint32_t *)w->out, w->n));
}
#define TRANSPOSE(T) \
    static ww_status run_##T(bench_work *w) { \
        const size_t rows = rows_of(w), n = rows * columns_of(w); \
        return ww_transpose(w->device, rows, columns_of(w), ww_memory((const T *)w->in, n), ww_array((T *)w->out, n)); \
    } \
    static bool right_##T(const bench_work *w) { \
        const T *x = w->in, *out = w->out; \
        const size_t rows = rows_of(w), columns = columns_of(w); \
        for (size_t r = 0; r < rows; r++) \
            for (size_t c = r % 7; c < columns; c += 7) \
                if (out[c * rows + r] != x[r * columns + c]) return false; \
        return true; \
    }
TRANSPOSE(uint8_t)
TRANSPOSE(uint32_t)
TRANSPOSE(uint64_t)

static bool right_reverse(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    for (size_t i = 0; i < w->n; i++)
        if (out[i] != x[w->n - 1 - i]) return false;
    return true;
}

static bool right_rotate(const bench_work *w) {
    const uint32_t *x = w->in, *out = w->out;
    for (size_t i = 0; i < w->n; i++)
        if (out[(i + w->n / 3) % w->n] != x[i]) return false;
    return true;
}

/* clang-format off */
#define TRANSPOSED(text, T, size, how_many, with) \
    {.name = text, .call = "ww_transpose", .make = make_##with, .run = run_##T, .right = right_##T, .bytes = 2 * (size), \
     .element = (size), .parameter = (how_many), .target = {AGAINST_COPY, 0.5, 0}, .peer = text}

static const bench_row rows[] = {
    {.name = "reverse u32", .call = "ww_reverse", .make = make_u32, .run = run_reverse, .right = right_reverse, .bytes = 8,
     .element = 4, .peer = "reverse u32"},
    {.name = "rotate u32", .call = "ww_rotate", .make = make_u32, .run = run_rotate, .right = right_rotate, .bytes = 8,
     .element = 4, .peer = "rotate u32"},
    TRANSPOSED("transpose u8", uint8_t, 1, 0, u8),
    TRANSPOSED("transpose u32", uint32_t, 4, 0, u32),
    TRANSPOSED("transpose u32, 5000 rows", uint32_t, 4, 5000, u32),
    TRANSPOSED("transpose u64", uint64_t, 8, 0, u64),
    TRANSPOSED("transpose u32, 3 rows", uint32_t, 4, 3, u32),
};
/* clang-format on */

const bench_family family_arrange = {.name = "arrange", .title = "Arranging", .rows = rows, .count = BENCH_COUNT(rows)};
