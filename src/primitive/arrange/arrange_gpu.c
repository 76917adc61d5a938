/* The host side of reversing, rotating and transposing on a GPU. */
#include "device/gpu/batch.h"
#include "function/function.h"
#include "primitive/arrange/sides.h"
#include "primitive/arrange/transpose_arguments.cuh"
#include "primitive/arrange/turn_arguments.cuh"
#include "primitive/gather/gather.h"

enum { THREADS = 256, ELEMENT_MOST = 1024, ROTATED_AT_ONCE = 16 << 20 };

/* `items`: of a batch; `batches`: how many threads have one. */
static ww_status launch(ww_device *device, const char *kernel, const ww_input *in, const ww_array *out, uint32_t items,
                        uint64_t batches, turn_fixed fixed) {
    ww__recipe r;
    void *to;
    const uint32_t rows = ww__batches_in_flight(items * in->size);
    WW_CHECK(device, in->size <= ELEMENT_MOST, WW_LIMIT,
             "elements of %zu bytes are arranged on a CPU only; a GPU takes up to %d", in->size, ELEMENT_MOST);
    ww__recipe_begin(&r, "primitive/arrange/turn.cu");
    ww__recipe_number(&r, "WW_THREADS", THREADS);
    ww__recipe_number(&r, "WW_ROWS", rows);
    ww__recipe_batch(&r, items);
    ww__recipe_type(&r, "ww_item", out->type, out->size, out->data);
    ww__recipe_input(&r, "in", in);
    WW_TRY(ww__gpu_room(device, out->data, out->size, &to));
    fixed.out = to;
    ww__arguments a;
    WW__ARGUMENTS(&a, fixed);
    WW_TRY(ww__argument_input(device, &a, in));
    WW_TRY(ww__gpu_launch(device, &r, kernel, ww__blocks(batches, (uint64_t)THREADS * rows), THREADS, 0, &a));
    return ww__gpu_result(device, out->data, to, out->size);
}

/* Batches whose images are batches: where the count is a multiple. */
ww_status ww__reverse_gpu(ww_device *device, const ww__reverse_request *r) {
    uint32_t items = ww__batch_items(r->in, r->out);
    if (r->in->count % items) items = 1;
    const uint64_t batches = r->in->count / items;
    return launch(device, "reverse", r->in, r->out, items, batches - batches / 2, (turn_fixed){.count = batches});
}

/* Memory is copied in two parts, by the driver; little of it by a kernel, which is one launch. */
ww_status ww__rotate_gpu(ww_device *device, const ww__rotate_request *r) {
    const uint64_t n = r->in->count;
    const unsigned char *from = ww__input_memory(r->in);
    unsigned char *to = r->out->data;
    const size_t wrapped = (size_t)r->by * r->in->size, rest = (size_t)(n - r->by) * r->in->size;
    if (!from || (n * r->in->size <= ROTATED_AT_ONCE && r->in->size <= ELEMENT_MOST))
        return launch(device, "rotate", r->in, r->out, 1, n, (turn_fixed){.count = n, .by = r->by});
    if (wrapped) WW_TRY(ww__gpu_copy(device, to, from + rest, wrapped));
    return ww__gpu_copy(device, to + wrapped, from, rest);
}

/* ---- transposing ---- */

WW_STRUCT(matrix_shape, { uint64_t rows, columns; });
WW_MAP(place_of_transposed, uint64_t, uint64_t, i, matrix_shape, m, { return i % m->rows * m->columns + i / m->rows; });

/* Items that are longer than a tile's: each is gathered, by several lanes. */
static ww_status gather(ww_device *device, const ww__transpose_request *r, const void *from) {
    const matrix_shape shape = {r->rows, r->columns};
    const ww_array memory = {
        .data = (void *)(uintptr_t)from, .count = r->in->count, .type = r->in->type, .size = r->in->size};
    const ww_input index = ww_mapped(ww_with(place_of_transposed, &shape),
                                     ww_counting(&ww_type_uint64_t, 0, r->in->count));
    return ww__gather(device, &(ww__gather_request){&memory, &index, r->out});
}

/* Sides of a tile: few rows or columns have long tiles. */
static uint32_t side(uint64_t length) { return length <= 4 ? 4 : length <= 8 ? 8 : 32; }

/* Whether a matrix is transposed by words of four items: of small items, where there are tiles enough for all processors. */
static bool by_words(const ww_device *device, const ww__transpose_request *r, uint32_t *rows, uint32_t *columns) {
    static const struct {
        uint32_t rows, columns, least; /* least: rows and columns */
    } tiles[WW__TILINGS][5] = {[WW__TILES_GPU] = {[1] = {128, 128, 32}, [2] = {64, 128, 32}, [4] = {64, 128, 32}},
                               [WW__TILES_SMALL] = {[1] = {128, 32, 20}, [2] = {64, 64, 20}, [4] = {32, 128, 20}}};
    const ww__tiles t = device->gpu->driver->tiles;
    const size_t size = r->in->size;
    if (size > 4) return false;
    *rows = tiles[t][size].rows;
    *columns = tiles[t][size].columns;
    return r->rows >= tiles[t][size].least && r->columns >= tiles[t][size].least &&
           (t == WW__TILES_SMALL || ww__blocks(r->rows, *rows) * ww__blocks(r->columns, *columns) >=
                                        4 * (uint64_t)device->gpu->driver->processors);
}

/* Whether each row of so many bytes begins where words of four items may. */
static bool in_words(const void *begin, uint64_t row_bytes, size_t size) {
    return ((uintptr_t)begin | row_bytes) % (4 * size) == 0;
}

ww_status ww__transpose_gpu(ww_device *device, const ww__transpose_request *r, const void *from) {
    enum { TILE = 1024, WORD = 4, FEW_MOST = 8, FEW_BYTES = 32, FEW_ROWS = 4 };
    const size_t size = r->in->size;
    const bool fits = (size & (size - 1)) == 0 && size <= 16 && ((uintptr_t)from | (uintptr_t)r->out->data) % size == 0;
    const bool few = r->columns <= FEW_MOST && r->columns * size <= FEW_BYTES;
    uint32_t rows, columns;
    const bool words = fits && !few && by_words(device, r, &rows, &columns);
    if (!words) {
        rows = side(r->rows);
        columns = side(r->columns);
    }
    if (!fits) return gather(device, r, from);
    if (!words && rows == columns)
        rows = columns = 32;
    else if (!words && rows < columns)
        columns = TILE / rows;
    else if (!words)
        rows = TILE / columns;
    ww__recipe recipe;
    ww__recipe_begin(&recipe, "primitive/arrange/transpose.cu");
    ww__recipe_number(&recipe, "WW_THREADS", THREADS);
    ww__recipe_number(&recipe, "WW_SIZE", size);
    ww__recipe_number(&recipe, "WW_FEW", few ? r->columns : 0);
    ww__recipe_number(&recipe, "WW_ROWS", FEW_ROWS);
    ww__recipe_number(&recipe, "WW_WORD", words ? WORD : 0);
    ww__recipe_number(&recipe, "WW_IN_WORDS", words && in_words(from, r->columns * size, size));
    ww__recipe_number(&recipe, "WW_OUT_WORDS", words && in_words(r->out->data, r->rows * size, size));
    ww__recipe_number(&recipe, "WW_TILE_ROWS", rows);
    ww__recipe_number(&recipe, "WW_TILE_COLUMNS", columns);
    const transpose_matrix_fixed fixed = {.out = r->out->data,
                                          .in = from,
                                          .rows = r->rows,
                                          .columns = r->columns,
                                          .tiles_across = ww__blocks(r->columns, columns)};
    ww__arguments a;
    WW__ARGUMENTS(&a, fixed);
    if (few)
        return ww__gpu_launch(device, &recipe, "transpose_few", ww__blocks(r->rows, (uint64_t)THREADS * FEW_ROWS),
                              THREADS, 0, &a);
    return ww__gpu_launch(device, &recipe, words ? "transpose_words" : "transpose_matrix",
                          fixed.tiles_across * ww__blocks(r->rows, rows), THREADS, 0, &a);
}
