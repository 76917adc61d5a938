/* Arranging: the same elements in another order that needs no look at them.
 *
 *     ww_transpose(device, rows, columns, ww_memory(m, rows * columns), ww_array(t, rows * columns));
 *
 * What primitive.h's first comment says holds here too. Elements of any type, records too; out has in's type and count. */
#ifndef WARPWISE_ARRANGE_H
#define WARPWISE_ARRANGE_H

#include "device.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = in[n - 1 - i].
 *   overlap   out may be exactly the memory that in reads
 *   passes    1 n read, 1 n written
 *   a GPU     elements of up to 1024 bytes (LIMIT); scratch: none */
WW_API ww_status ww_reverse(ww_device *device, ww_input in, ww_array out);

/* out[(i + by) mod n] = in[i]: elements move `by` places towards the end, and those that leave it come in at the front; `by`
 * may be negative, and larger than n. (NumPy: roll by as much. C++: rotate, whose middle is n - by.)
 *   passes    1 n read, 1 n written; overlap: none
 *   a GPU     computed elements of up to 1024 bytes (LIMIT); scratch: none */
WW_API ww_status ww_rotate(ww_device *device, int64_t by, ww_input in, ww_array out);

/* out[c * rows + r] = in[r * columns + c]: a matrix that lies row by row comes to lie column by column. in has rows * columns
 * elements (INVALID where it has not, or where that is 2^64 or more). Structs of `columns` numbers become `columns` arrays, and
 * back.
 *   passes    1 n read, 1 n written; overlap: none. Blocks of 32 KiB go through a CPU's first-level cache, in tiles that are
 *             transposed in vector registers (elements of 1, 2, 4 and 8 bytes); a GPU's tiles of 1024 elements go through
 *             shared memory without conflicts of banks
 *   scratch   a CPU: 64 KiB + 64 KiB a thread; a computed input is first stored: as much as it has, on every device
 *   a GPU     elements of more than 16 bytes are gathered, by a position that is computed for each */
WW_API ww_status ww_transpose(ww_device *device, uint64_t rows, uint64_t columns, ww_input in, ww_array out);

#ifdef __cplusplus
}
#endif
#endif
