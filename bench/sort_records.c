/* Records sorted by their first bytes. */
#include <string.h>

#include "data.h"
#include "gather.h"
#include "pages.h"
#include "sort_study.h"

static const sort_point *point_of(const bench_work *w) { return w->point; }

/* Random but for the last four bytes, which are the record's position. */
static void make(bench_work *w) {
    const size_t words = point_of(w)->record / 4;
    uint32_t *x = w->in = work_pages(w, w->n * words * 4);
    w->out = work_pages(w, w->out_bytes = w->n * words * 4);
    data_u32(x, w->n * words, 33);
    for (size_t i = 0; i < w->n; i++) x[i * words + words - 1] = (uint32_t)i;
}

static ww_status run(bench_work *w) {
    return ww_sort_records(w->device, 0, point_of(w)->key, ww_from(gather_array(w, w->in)), gather_array(w, w->out),
                           NULL);
}

/* Keys rise, positions where keys are equal, and each record is the one that stood at its position. */
static bool right(const bench_work *w) {
    const sort_point *p = w->point;
    const unsigned char *in = w->in, *out = w->out;
    uint32_t before = 0;
    for (size_t i = 0; i < w->n; i++, out += p->record) {
        uint32_t at;
        memcpy(&at, out + p->record - sizeof at, sizeof at);
        if (at >= w->n || memcmp(out, in + (size_t)at * p->record, p->record)) return false;
        const int order = i ? memcmp(out - p->record, out, p->key) : -1;
        if (order > 0 || (order == 0 && at <= before)) return false;
        before = at;
    }
    return true;
}

const bench_row sort_records_row = {.call = "ww_sort_records",
                                    .make = make,
                                    .run = run,
                                    .right = right,
                                    .seconds = 0.5};
