/* What the kernels of merge sorts take. */
#ifndef WW_MERGE_SORT_ARGUMENTS_CUH
#define WW_MERGE_SORT_ARGUMENTS_CUH

#include "device/kernel/arguments.cuh"

typedef struct elements {
    WW_TO(ww_key) keys;
    WW_TO(ww_value) values;
} elements;

/* network_tiles */
typedef struct network_arguments {
    WW_FROM(ww_key) in;
    WW_TO(ww_key) out;
    uint64_t n;
    WW_TO(uint32_t) again; /* for each tile, whether sort_tiles is to sort it; null where the order is the library's */
    WW_TO(uint32_t) ties;  /* whether any is; 0 before the launch, or null */
    WW_TO(uint32_t) zeros; /* words that the passes behind want to be 0 */
    uint64_t zero_words;
} network_arguments;

/* sort_tiles */
typedef struct sort_arguments {
    elements in, out; /* keys or values of `in` that are null are counted up */
    WW_FROM(ww_item) far;
    uint64_t n, first_value;
    uint32_t tile;          /* elements of one */
    WW_FROM(uint32_t) only; /* null, or for each tile whether it is to be sorted */
    WW_TO(uint32_t) ties;   /* whether keys that are equal and not the same were met; 0 before the launch, or null */
    WW_TO(uint32_t) zeros;  /* words that the passes behind want to be 0 */
    uint64_t zero_words;
} sort_arguments;

/* cut_runs, merge_runs */
typedef struct merge_arguments {
    elements in, out;
    WW_FROM(ww_item) far;
    uint64_t n, run;          /* runs' elements; the last one's may be fewer */
    uint32_t tiles, in_group; /* of all; of WAYS runs that become one */
    WW_TO(uint64_t) cut;      /* for each tile, where it begins in each of its runs */
    WW_TO(uint32_t) broken;   /* whether cuts are no path; 0 before the launch */
    WW_FROM(uint32_t) ties;   /* of sort_tiles */
} merge_arguments;

/* merge_pairs */
typedef struct pairs_arguments {
    elements in, out;
    WW_FROM(ww_item) far;
    uint64_t n, run;        /* runs' elements; the last one's may be fewer */
    uint64_t in_group;      /* tiles of two runs that become one */
    WW_FROM(uint32_t) left; /* whether the pass before was none: then what it read is in `out` */
    WW_TO(uint32_t) broken; /* whether this one is; 0 before the launch */
    WW_FROM(uint32_t) ties; /* of sort_tiles */
} pairs_arguments;

/* search_runs */
typedef struct search_arguments {
    elements in, out;
    WW_FROM(ww_item) far;
    uint64_t n, run;            /* runs' elements; the last one's may be fewer */
    uint64_t step;              /* the greatest power of two that is not above run */
    WW_TO(uint32_t) marks;      /* a bit for each place, 0 before the launch */
    WW_TO(uint32_t) marks_next; /* of the next pass, which this one clears */
    WW_FROM(uint32_t) left;     /* whether the pass before took a place twice: then what it read is in `out` */
    WW_TO(uint32_t) broken;     /* whether this one does; 0 before the launch */
} search_arguments;

/* mend_runs */
typedef struct mend_arguments {
    elements in, out;
    uint64_t n;
    WW_FROM(uint32_t) left; /* of the last pass */
} mend_arguments;

#endif
