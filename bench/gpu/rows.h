/* Families of rows, in the order in which they are measured. */
#ifndef BENCH_GPU_ROWS_H
#define BENCH_GPU_ROWS_H

#include <cstddef>

void map_rows(size_t n);
void reduce_rows(size_t n, double required);
void scan_rows(size_t n, double required);
void float_scan_rows(size_t n);
void wide_scan_rows(size_t n);
void segmented_rows(size_t n);
void matrix_rows(size_t n);
void pack_rows(size_t n);
void permute_rows();
void histogram_rows(size_t n);
void merge_rows(size_t n);
void search_rows(size_t n);
void run_rows(size_t n);
void sort_rows(size_t n);
void tile_rows(size_t n);
void multisplit_rows();
void random_rows(size_t n);
void text_rows(size_t n);
void half_rows(size_t n);
void query_rows();
void arrange_rows();
void input_rows();
void group_rows();
void sparse_rows();

/* Of --sizes: families whose rows have counts of their own. */
void histogram_sizes_rows(size_t n);
void sort_sizes_rows(size_t n);
void multisplit_sizes_rows(size_t n);

#endif
