/* Records sorted by their first bytes: 4 where no study says another number. */
#include <string.h>

#include "measuring/data.h"
#include "families/gather.h"
#include "measuring/pages.h"
#include "studies/sort_study.h"

static size_t key_of(const bench_work *w) {
    enum { KEY = 4 };
    const sort_point *p = w->point;
    return p ? p->key : KEY;
}

/* Random but for the last four bytes, which are the record's position. */
void sort_records_make(bench_work *w) {
    const size_t words = w->parameter / 4;
    uint32_t *x = w->in = work_pages(w, w->n * words * 4);
    w->out = work_pages(w, w->out_bytes = w->n * words * 4);
    data_u32(x, w->n * words, 33);
    for (size_t i = 0; i < w->n; i++) x[i * words + words - 1] = (uint32_t)i;
}

ww_status sort_records_run(bench_work *w) {
    return ww_sort_records(w->device, 0, key_of(w), ww_from(gather_array(w, w->in)), gather_array(w, w->out), NULL);
}

/* Keys rise, positions where keys are equal, and each record is the one that stood at its position. */
bool sort_records_right(const bench_work *w) {
    const size_t record = w->parameter, key = key_of(w);
    const unsigned char *in = w->in, *out = w->out;
    uint32_t before = 0;
    for (size_t i = 0; i < w->n; i++, out += record) {
        uint32_t at;
        memcpy(&at, out + record - sizeof at, sizeof at);
        if (at >= w->n || memcmp(out, in + (size_t)at * record, record)) return false;
        const int order = i ? memcmp(out - record, out, key) : -1;
        if (order > 0 || (order == 0 && at <= before)) return false;
        before = at;
    }
    return true;
}

const bench_row sort_records_row = {.call = "ww_sort_records",
                                    .make = sort_records_make,
                                    .run = sort_records_run,
                                    .right = sort_records_right,
                                    .seconds = 0.5};
