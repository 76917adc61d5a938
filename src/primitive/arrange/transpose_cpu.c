/* The matrix is cut into blocks, which workers claim along its rows. A block is transposed tile by tile into a buffer of the
 * worker's in the first-level cache, while the next one is asked for; from there its columns, of which each is 512 bytes or all
 * of a column, go past the caches to memory. So lines are read whole, and written whole, whatever powers of two lie between
 * rows. The input is read once, the output written once.
 *
 * Blocks of rows of one line, with columns of 512 bytes, were the best or close to it for items of 1, 4 and 8 bytes among
 * fifteen shapes on an EPYC with AVX-512, 2026-11. */
#include "device/cpu/parallel.h"
#include "device/cpu/stream.h"
#include "function/function.h"
#include "primitive/arrange/sides.h"
#include "primitive/arrange/tiles.h"

enum { BLOCK_BYTES = 32768, COLUMN_BYTES = 512, LINE = 64, BLOCKS_AT_ONCE = 16 };

typedef struct transposing {
    const ww_device *device;
    const unsigned char *from;
    unsigned char *to, *buffers;
    uint64_t rows, columns, blocks_across, blocks;
    size_t size, block_rows, block_columns, step, room; /* step: bytes between columns in a buffer */
    bool streaming;
    uint64_t next;
} transposing;

/* Columns of 512 bytes, rows of a line. Where all of a column is less, or a row is shorter than a line, the other side is longer:
 * then a block's columns, or its rows, lie behind one another in memory. */
static void cut(transposing *t) {
    size_t rows = COLUMN_BYTES / t->size, columns = LINE / t->size;
    if (!rows) rows = 1;
    if (!columns) columns = 1;
    if (rows >= t->rows) {
        rows = (size_t)t->rows;
        columns = BLOCK_BYTES / (rows * t->size);
        if (!columns) columns = 1;
    }
    if (columns >= t->columns) {
        columns = (size_t)t->columns;
        rows = BLOCK_BYTES / (columns * t->size);
        if (!rows) rows = 1;
        if (rows > t->rows) rows = (size_t)t->rows;
    }
    t->block_rows = rows;
    t->block_columns = columns;
}

static const unsigned char *block_at(const transposing *t, uint64_t number) {
    const uint64_t row = number / t->blocks_across * t->block_rows,
                   column = number % t->blocks_across * t->block_columns;
    return t->from + (row * t->columns + column) * t->size;
}

/* Asks for a block, which is not the matrix's end, to come to the second-level cache: the first would lose it between rows of
 * powers of two. */
static void fetch_block(const transposing *t, uint64_t number) {
    const unsigned char *from = block_at(t, number);
    const size_t bytes = t->block_columns * t->size, step = (size_t)t->columns * t->size;
    __asm__ volatile(""); /* gcc 12 takes out calls of a function that does nothing but this */
    for (size_t r = 0; r < t->block_rows; r++)
        for (size_t b = 0; b < bytes; b += LINE) __builtin_prefetch(from + r * step + b, 0, 2);
}

static void transpose_block(const transposing *t, uint64_t number, unsigned char *buffer) {
    const uint64_t row = number / t->blocks_across * t->block_rows,
                   column = number % t->blocks_across * t->block_columns;
    const size_t rows = (size_t)ww__min_u64(t->block_rows, t->rows - row);
    const size_t columns = (size_t)ww__min_u64(t->block_columns, t->columns - column);
    unsigned char *const to = t->to + (column * t->rows + row) * t->size;
    ww__transpose_block(t->device, buffer, t->step, t->from + (row * t->columns + column) * t->size,
                        t->columns * t->size, rows, columns, t->size);
    if (rows == t->rows) { /* the block's columns lie behind one another in memory, as in the buffer */
        ww__stream(t->device, to, buffer, columns * t->step, t->streaming);
        return;
    }
    for (size_t c = 0; c < columns; c++)
        ww__stream(t->device, to + c * t->rows * t->size, buffer + c * t->step, rows * t->size, t->streaming);
}

static void transpose_blocks(void *argument, size_t worker) {
    transposing *t = argument;
    for (uint64_t b; (b = ww__claim_light(t->device, worker, &t->next) * BLOCKS_AT_ONCE) < t->blocks;)
        for (const uint64_t end = ww__min_u64(b + BLOCKS_AT_ONCE, t->blocks); b < end; b++) {
            if (t->streaming && b + 1 < t->blocks) fetch_block(t, b + 1);
            transpose_block(t, b, t->buffers + worker * t->room);
        }
    ww__stream_done();
}

ww_status ww__transpose_cpu(ww_device *device, const ww__transpose_request *r, const void *from) {
    transposing t = {.device = device,
                     .from = from,
                     .to = r->out->data,
                     .rows = r->rows,
                     .columns = r->columns,
                     .size = r->in->size};
    const uint64_t bytes = r->in->count * t.size;
    const size_t workers = ww__workers(device, 2 * bytes);
    cut(&t);
    t.blocks_across = (t.columns - 1) / t.block_columns + 1;
    t.blocks = t.blocks_across * ((t.rows - 1) / t.block_rows + 1);
    t.step = t.block_rows == t.rows ? t.block_rows * t.size : ww__round_up(t.block_rows * t.size, 64) + 64;
    t.room = ww__round_up(t.step * t.block_columns, 64);
    t.streaming = ww__streams(device, bytes);
    WW_TRY(ww__scratch_array(device, workers, t.room, &t.buffers));
    ww__trace(device, "blocks", NULL, r->in->count, 2 * bytes, workers);
    if (device->on_paper) return WW_OK;
    ww__parallel_light(device, workers, 2 * bytes, transpose_blocks, &t);
    return WW_OK;
}
