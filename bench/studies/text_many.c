/* Many patterns at once, made ready before the clock runs; and patterns that need not fit everywhere. */
#include "measuring/pages.h"
#include "studies/text_study.h"

/* Positions, and as many numbers of patterns. */
void text_many_make(bench_work *w) {
    enum { SHORTEST = 8, LONGEST = 32 };
    text_make(w, text_row_kind(w), 8, text_row_m(w), SHORTEST, LONGEST);
    text_make_room(w, 2); /* ten thousand parts of an English text begin at many of its places */
    w->out_second = work_pages(w, w->out_second_bytes = w->out_bytes);
}

/* Of the row that is measured. */
static ww_patterns *ready;

ww_status text_many_run(bench_work *w) {
    const bench_patterns *p = &w->patterns;
    if (!ready) {
        const ww_status status = ww_patterns_open(w->device, p->bytes, p->offsets, p->count, &ready, NULL);
        if (status) return status;
    }
    return ww_find_many(ready, ww_memory((const uint8_t *)w->in, w->n), ww_array((uint32_t *)w->out, text_room(w)),
                        ww_array((uint32_t *)w->out_second, text_room(w)), ww_array((uint64_t *)w->number, 1));
}

void text_many_end(void) {
    ww_patterns_close(ready);
    ready = NULL;
}

bool text_many_right(const bench_work *w) { return w->base ? text_find_right(w) : text_right_many(w); }

/* ---- nearly ---- */

void text_near_make(bench_work *w) {
    text_find_make(w);
    w->out_second = work_pages(w, w->out_second_bytes = text_room(w));
}

ww_status text_near_run(bench_work *w) {
    size_t m;
    const uint8_t *pattern = text_pattern(w, &m);
    return ww_find_near(w->device, ww_memory((const uint8_t *)w->in, w->n), pattern, m, text_row_most(w),
                        ww_array((uint32_t *)w->out, text_room(w)), ww_array((uint8_t *)w->out_second, text_room(w)),
                        ww_array((uint64_t *)w->number, 1), NULL);
}

bool text_near_right(const bench_work *w) {
    return w->base ? text_find_right(w) : text_right_near(w, text_row_most(w));
}
