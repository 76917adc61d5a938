/* Where neighbouring runs are to be cut so that what comes before is the first so many of all; equal keys count in the order of runs,
 * then of places. */
#ifndef WW__FILE_CUT_H
#define WW__FILE_CUT_H

#include "sort/file/runs.h"

/* What is known of one of the runs. */
typedef struct ww__file_cut_run {
    uint64_t length;
    uint64_t begin, end;         /* the piece: where the cut before was, and this one is */
    uint64_t low, high, place;   /* while it is looked for */
    uint64_t page_first, pages;  /* the elements whose keys are in the page: none where pages is 0 */
    uint64_t punched;            /* elements that the file has no more */
    const unsigned char *middle; /* a key */
    uint64_t middle_at;
} ww__file_cut_run;

typedef struct ww__file_cut {
    const ww__file_runs *runs;
    uint64_t first, count; /* of the runs */
    ww__file_cut_run *run;
    uint32_t *order;        /* of middles: count elements */
    unsigned char *samples; /* count times WW__SAMPLES_BYTES; of runs in the file */
    unsigned char *pages;   /* count times the bytes of a page */
} ww__file_cut;

/* Memory for the tables of so many runs, all together, and laying them out in it (aligned as scratch memory is). */
size_t ww__file_cut_bytes(const ww__file_runs *runs, uint64_t most);
void ww__file_cut_place(ww__file_cut *cut, const ww__file_runs *runs, uint64_t most, void *memory);

/* Begins with some runs: all pieces are empty, at the runs' beginnings. False, with errno, where the file cannot be read. */
bool ww__file_cut_begin(ww__file_cut *cut, uint64_t first, uint64_t count);

/* The next pieces, which begin where those before ended: `elements` in all (no more than are left). */
bool ww__file_cut_next(ww__file_cut *cut, uint64_t elements);

#endif
