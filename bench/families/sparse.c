/* Sparse matrices in rows, n entries of f32, times a vector, and times eight: entries in random columns, rows of 8 to 24; as many, rows by
 * a power law; roads, a few entries near the diagonal; bands of 27. The base is the loop over rows that users write, on one
 * thread. */
#include <math.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

enum { UNIFORM, POWER_LAW, ROAD, BANDED, EIGHT = 8 /* and eight vectors */ };

static size_t vectors_of(const bench_work *w) { return w->parameter & EIGHT ? 8 : 1; }

/* `second`: the entries' columns, the rows' offsets, the vectors; m: rows. */
static uint32_t *offsets_of(const bench_work *w) { return (uint32_t *)w->second + w->n; }
static float *x_of(const bench_work *w) { return (float *)(void *)(offsets_of(w) + w->m + 1); }

static size_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(*state >> 33);
}

static size_t row_length(uint64_t kind, uint64_t *state) {
    const size_t random = next_random(state);
    const double u = ((double)random + 1) * 0x1p-31;
    if (kind == POWER_LAW) return (size_t)(3 * pow(u, -1 / 1.2));
    return kind == UNIFORM ? 8 + random % 17 : kind == ROAD ? 1 + random % 4 : 27;
}

static void make(bench_work *w) {
    const uint64_t kind = w->parameter & (EIGHT - 1);
    const size_t rows_most = w->n / (kind == ROAD ? 1 : 3) + 1, vectors = vectors_of(w);
    uint64_t state = 1;
    uint32_t *columns = w->second = work_pages(w, 4 * (w->n + rows_most + 1 + rows_most * vectors));
    uint32_t *const offsets = columns + w->n;
    float *const values = w->in = work_pages(w, 4 * w->n);
    size_t rows = 0;
    for (size_t k = 0; k < w->n; rows++) {
        size_t length = row_length(kind, &state);
        if (length > w->n / 8 + 1) length = w->n / 8 + 1;
        if (length > w->n - k || rows + 1 == rows_most) length = w->n - k;
        offsets[rows] = (uint32_t)k;
        k += length;
    }
    offsets[rows] = (uint32_t)w->n;
    w->m = rows;
    for (size_t r = 0; r < rows; r++)
        for (size_t k = offsets[r]; k < offsets[r + 1]; k++) {
            const size_t near = kind == ROAD ? next_random(&state) % 200 : k - offsets[r];
            columns[k] = (uint32_t)(kind >= ROAD ? (r + rows + near) % rows : next_random(&state) % rows);
            values[k] = (float)(next_random(&state) % 8);
        }
    for (size_t i = 0; i < rows * vectors; i++) x_of(w)[i] = (float)(next_random(&state) % 8);
    w->out = work_pages(w, w->out_bytes = 4 * rows * vectors);
}

static ww_status run(bench_work *w) {
    const size_t vectors = vectors_of(w);
    const ww_input values = ww_memory((const float *)w->in, w->n), columns = ww_memory((const uint32_t *)w->second, w->n);
    const ww_input offsets = ww_memory(offsets_of(w), w->m + 1), x = ww_memory(x_of(w), w->m * vectors);
    const ww_array y = ww_array((float *)w->out, w->m * vectors);
    return vectors == 1 ? ww_spmv(w->device, values, columns, offsets, x, y, NULL)
                        : ww_spmm(w->device, values, columns, offsets, x, vectors, y, NULL);
}

static ww_status run_loop(bench_work *w) {
    const float *values = w->in, *x = x_of(w);
    const uint32_t *columns = w->second, *offsets = offsets_of(w);
    const size_t vectors = vectors_of(w);
    float *y = w->out;
    for (size_t r = 0; r < w->m; r++) {
        if (vectors == 1) {
            float sum = 0;
            for (size_t k = offsets[r]; k < offsets[r + 1]; k++) sum += values[k] * x[columns[k]];
            y[r] = sum;
        } else {
            float sum[8] = {0};
            for (size_t k = offsets[r]; k < offsets[r + 1]; k++)
                for (size_t v = 0; v < 8; v++) sum[v] += values[k] * x[columns[k] * (size_t)8 + v];
            for (size_t v = 0; v < 8; v++) y[8 * r + v] = sum[v];
        }
    }
    return WW_OK;
}

static bool right(const bench_work *w) {
    const float *values = w->in, *x = x_of(w), *y = w->out;
    const uint32_t *columns = w->second, *offsets = offsets_of(w);
    const size_t vectors = vectors_of(w);
    for (size_t r = 0; r < w->m; r++)
        for (size_t v = 0; v < vectors; v++) {
            double sum = 0;
            for (size_t k = offsets[r]; k < offsets[r + 1]; k++)
                sum += (double)values[k] * (double)x[columns[k] * vectors + v];
            if (fabs((double)y[r * vectors + v] - sum) > 1e-4 * (sum + 1)) return false;
        }
    return true;
}

/* clang-format off */
#define ROW(title, kind) \
    {.name = "spmv f32, " title, .call = "ww_spmv", .make = make, .run = run, .right = right, .bytes = 8, .element = 4, \
     .parameter = kind, .divide = 2, .base_call = "a loop over rows, 1 thread", .base = run_loop, .peer = "spmv f32"}
#define ROW_EIGHT(title, kind) \
    {.name = "spmm f32, 8 vectors, " title, .call = "ww_spmm", .make = make, .run = run, .right = right, .bytes = 8, .element = 4, \
     .parameter = kind | EIGHT, .divide = 8, .base_call = "a loop over rows, 1 thread", .base = run_loop}
static const bench_row rows[] = {
    ROW("uniform rows", UNIFORM), ROW("rows by a power law", POWER_LAW), ROW("roads", ROAD), ROW("bands", BANDED),
    ROW_EIGHT("uniform rows", UNIFORM), ROW_EIGHT("bands", BANDED),
};
/* clang-format on */

const bench_family family_sparse = {.name = "sparse",
                                    .title = "Sparse matrices",
                                    .rows = rows,
                                    .count = BENCH_COUNT(rows)};
