/* Tiles: short arrays of one length, one after the other, each of which is sorted, partitioned, permuted or transposed
 * separately. On a GPU a block works on a tile, or on several small ones, in registers and shared memory, and no two lanes of a
 * warp ever access the same bank of it at once, whatever the data are: which words an access touches depends on the tile's
 * length alone. So a call takes the same time for any input of one size: there are no slow inputs.
 *
 *     ww_tiles_sort(device, 4096, ww_memory(keys, n), ww_no_input, ww_array(sorted, n), ww_none);       n a multiple of 4096
 *
 * What it costs: a network does some log2(tile) / 4 times the comparisons of a merge sort, and permuting by one costs as much
 * as sorting. Sorting gains from it (bench/results has figures); if destinations are known ww_scatter is faster on nearly any
 * data, and ww_tiles_permute and ww_tiles_partition are for programs whose time must not depend on the data.
 *
 * Common to all of them, besides the common rules in primitive.h:
 *   tile       items of a tile: a power of two from WW_TILE_LEAST to WW_TILE_MOST (INVALID); arrays are whole tiles, and none
 *              is fine (a count that is no multiple: INVALID)
 *   items      numbers of 4 or 8 bytes (u32, i32, f32, u64, i64, f64; others: TYPE)
 *   limits     a tile's items, with what is compared of them (places and labels take 4 bytes), have up to WW_TILE_BYTES
 *              (LIMIT), and no more than a block of the GPU has shared memory (LIMIT)
 *   passes     1 n read, 1 n written
 *   scratch    a CPU: 2 tiles a thread; a GPU: none. Inputs that are computed are written to scratch memory first
 *   on error   nothing is written, also where labels or places are found wrong
 * After Afshani and Sitchinava, Sorting and Permuting without Bank Conflicts on GPUs (2015): a tile is a matrix, of which a
 * step touches no row (bank) twice, and conversions between its layouts are conflict-free transposes. The network in between
 * is Batcher's bitonic one (Sorting Networks and Their Applications, 1968): as many comparisons as a block has registers for
 * between two conversions, and by shuffles what is in one warp. */
#ifndef WARPWISE_TILES_H
#define WARPWISE_TILES_H

#include "device.h"
#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WW_TILE_LEAST = 64, WW_TILE_MOST = 16384, WW_TILE_BYTES = 192 << 10 };

/* Sorts each tile's keys by value (floats by IEEE 754's totalOrder, as ww_sort); values go with their keys, or ww_no_input
 * and ww_none. Not stable: values of equal keys are in ascending order of their bits, as unsigned numbers. Values that are
 * positions make it stable.
 *   overlap    keys_out may be exactly the memory that keys reads, values_out that of values
 *   work       n k (k + 1) / 4 comparisons for tiles of 2^k items
 *   a CPU      radix sort in cache, by vectors where keys are alone or with values of 4 bytes; 512 KiB of scratch a thread
 *              more */
WW_API ww_status ww_tiles_sort(ww_device *device, uint64_t tile, ww_input keys, ww_input values, ww_array keys_out,
                               ww_array values_out);

/* Brings item i of each tile to bucket labels[i] of that tile, stably: the tile is divided into `buckets` parts of tile /
 * buckets places. Labels are u32, and in each tile every one from 0 to buckets - 1 must occur equally often: otherwise RANGE,
 * with the lowest tile where that is not so and its lowest label, and nothing is written. With 32 buckets it is the
 * partitioning of Afshani and Sitchinava, to the rows of a matrix.
 *   buckets    1 to tile, a power of two (INVALID)
 *   overlap    out may be exactly the memory that in reads
 *   work       that of sorting, and of sorting the labels alone, which shows that they are right
 *   passes     labels are read twice */
WW_API ww_status ww_tiles_partition(ww_device *device, uint64_t tile, uint64_t buckets, ww_input in, ww_input labels,
                                    ww_array out);

/* Brings item i of each tile to place places[i] of that tile: out[t * tile + places[t * tile + i]] = in[t * tile + i]. Places
 * are u32, a permutation of 0 … tile - 1 in each tile: otherwise RANGE, with the lowest tile that has none and its lowest
 * place that is missing or there twice, and nothing is written.
 *   overlap    out may be exactly the memory that in reads
 *   work, passes   as ww_tiles_partition */
WW_API ww_status ww_tiles_permute(ww_device *device, uint64_t tile, ww_input in, ww_input places, ww_array out);

/* Transposes each tile, a matrix of `rows` rows, one after the other, each of `columns` items: out[t * tile + c * rows + r] =
 * in[t * tile + r * columns + c], where tile = rows * columns. So items stored by rows are then stored by columns, and back
 * again if rows and columns are exchanged.
 *   rows, columns   powers of two (INVALID), whose product is a tile
 *   overlap    out may be exactly the memory that in reads */
WW_API ww_status ww_tiles_transpose(ww_device *device, uint64_t rows, uint64_t columns, ww_input in, ww_array out);

#ifdef __cplusplus
}
#endif
#endif
