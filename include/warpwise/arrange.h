/* Reversing, rotating and transposing: rearrangements that do not depend on the elements' values.
 *
 *     ww_transpose(device, rows, columns, ww_memory(m, rows * columns), ww_array(t, rows * columns));
 *
 * The common rules at the top of primitive.h (checks, statuses, scratch) apply here too. Elements may be of any type, records
 * too; out has in's type (TYPE) and count (INVALID). */
#ifndef WARPWISE_ARRANGE_H
#define WARPWISE_ARRANGE_H

#include "device.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = in[n - 1 - i]. (C++: reverse_copy, reverse.)
 *   overlap   out may be exactly the memory that in reads, where in is plain memory
 *   passes    1 n read, 1 n written
 *   a GPU     elements of up to 1024 bytes (LIMIT); scratch: none */
WW_API ww_status ww_reverse(ww_device *device, ww_input in, ww_array out);

/* out[(i + by) mod n] = in[i]: elements move `by` places towards the end, and those that pass it wrap around to the front. `by`
 * may be negative, and larger than n. (NumPy: roll with the same `by`. C++: rotate, whose middle is n - by.)
 *   passes    1 n read, 1 n written; overlap: none
 *   a GPU     computed elements of up to 1024 bytes (LIMIT); scratch: none */
WW_API ww_status ww_rotate(ww_device *device, int64_t by, ww_input in, ww_array out);

/* out[c * rows + r] = in[r * columns + c]: a matrix in row-major order is written in column-major order. in has rows * columns
 * elements (INVALID if not, or if the product is 2^64 or more). With structs of `columns` numbers read as rows, an array of
 * structs becomes a struct of arrays, and back.
 *   passes    1 n read, 1 n written; overlap: none. A CPU works on blocks of 32 KiB in its first-level cache, and in these on
 *             tiles that are transposed in vector registers (elements of 1, 2, 4 and 8 bytes); a GPU on tiles of 1024
 *             to 16384 elements in shared memory, without bank conflicts
 *   scratch   a CPU: 64 KiB + 64 KiB a thread. A computed input is stored first, on every device: n elements more, and
 *             written and read once more
 *   a GPU     elements of other sizes than 1, 2, 4, 8 and 16 bytes, or not aligned to them, are gathered */
WW_API ww_status ww_transpose(ww_device *device, uint64_t rows, uint64_t columns, ww_input in, ww_array out);

#ifdef __cplusplus
}
#endif
#endif
