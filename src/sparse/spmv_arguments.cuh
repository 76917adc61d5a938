/* What spmv.cu takes. */
#ifndef WW_SPMV_ARGUMENTS_CUH
#define WW_SPMV_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct spmv_fixed {
    WW_TO(ww_item) y;
    WW_FROM(ww_item) x;
    WW_TO(ww_item) carry; /* of each tile `vectors` sums: of the row that is open at its end */
    WW_TO(ww_item) head;  /* and of the row that was open at its begin, if it ends in it */
    WW_TO(uint64_t) row;  /* rows that end before each tile, and all of them at last */
    WW_TO(uint64_t) head_row;
    uint64_t rows, entries, width, vectors, tiles; /* entries: of the arrays, at most; width: columns that there are */
    uint64_t alpha, beta;                          /* their bytes */
    ww_checking checking;
} spmv_fixed;

/* What spmv_rows.cu takes behind the inputs: the long rows, and of each how many of its chunks are done. */
typedef struct spmv_lists {
    WW_TO(uint64_t) listed; /* and a word behind it: 0 before and after */
    WW_TO(ww_listed) list;
    WW_TO(uint32_t) tickets;
    uint64_t list_room, chunk_room;
    uint64_t unused; /* inputs begin and end at multiples of 16 bytes, and so does what is behind them */
} spmv_lists;

#endif
