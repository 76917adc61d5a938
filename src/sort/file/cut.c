/* Each run has a range of places, between `low` and `high`, in which its cut is. The middles of all ranges, weighted by how long
 * these are, have a median: an element that has at least a quarter of what is undecided on either side. Searches find how many
 * elements of each run come before it; as these are more or less than wanted, ranges end or begin there. So a number of rounds
 * that grows as the logarithm of what is undecided finds the cut, whatever keys there are.
 *
 * Samples tell each number but for one step between them. Where their sums decide already, nothing is read. */
#include "sort/file/cut.h"

#include <errno.h>

/* ---- memory ---- */

/* A page holds some elements, or of longer ones a key. */
static size_t page_bytes(const ww__file_runs *r) {
    const size_t bytes = r->key->bytes > WW__DIRECT_BYTES && r->size > WW__DIRECT_BYTES ? r->key->bytes
                                                                                        : WW__DIRECT_BYTES;
    return r->memory ? 0 : ww__round_up(bytes, 64);
}

size_t ww__file_cut_bytes(const ww__file_runs *r, uint64_t most) {
    const size_t tables = sizeof(ww__file_cut_run) + sizeof(uint32_t);
    return (size_t)most * (tables + page_bytes(r) + (r->memory ? 0 : WW__SAMPLES_BYTES)) + 4 * 64;
}

void ww__file_cut_place(ww__file_cut *cut, const ww__file_runs *r, uint64_t most, void *memory) {
    unsigned char *at = memory;
    cut->runs = r;
    cut->run = (ww__file_cut_run *)(void *)at;
    at += ww__round_up((size_t)most * sizeof *cut->run, 64);
    cut->order = (uint32_t *)(void *)at;
    at += ww__round_up((size_t)most * sizeof *cut->order, 64);
    cut->samples = at;
    if (!r->memory) at += (size_t)most * WW__SAMPLES_BYTES;
    cut->pages = at;
}

/* ---- keys ---- */

static bool read_whole(const ww__file_runs *r, void *to, size_t bytes, uint64_t at) {
    size_t got;
    if (!ww__channel_read(r->file, to, bytes, at, &got)) return false;
    if (got < bytes) errno = EIO;
    return got == bytes;
}

/* A key of a run, where it stays until another one of the same run is wanted; NULL, with errno. */
static const unsigned char *key_at(const ww__file_cut *cut, uint64_t run, uint64_t i) {
    const ww__file_runs *r = cut->runs;
    ww__file_cut_run *const c = &cut->run[run];
    const bool whole = r->size <= WW__DIRECT_BYTES;
    const uint64_t each = whole ? WW__DIRECT_BYTES / r->size : 1;
    const size_t offset = whole ? r->key->first : 0;
    if (r->memory) return r->memory + ww__file_run_at(r, cut->first + run, i) + r->key->first;
    unsigned char *const page = cut->pages + run * page_bytes(r);
    if (i < c->page_first || i - c->page_first >= c->pages) {
        const uint64_t first = i / each * each, count = ww__min_u64(each, c->length - first);
        const uint64_t at = ww__file_run_at(r, cut->first + run, first) + (whole ? 0 : r->key->first);
        c->pages = 0;
        if (!read_whole(r, page, whole ? (size_t)count * r->size : r->key->bytes, at)) return NULL;
        c->page_first = first;
        c->pages = count;
    }
    return page + (i - c->page_first) * (whole ? r->size : 0) + offset;
}

static const unsigned char *sample_at(const ww__file_cut *cut, uint64_t run, uint64_t sample) {
    return cut->samples + run * WW__SAMPLES_BYTES + sample * cut->runs->key->bytes;
}

/* ---- counting ---- */

/* The element that others are compared with. */
typedef struct pivot {
    uint64_t run, place;
    const unsigned char *key;
} pivot;

/* Whether an element of a run with this key comes before the pivot. */
static bool precedes(const ww__file_cut *cut, uint64_t run, const unsigned char *key, const pivot *p) {
    return ww__file_key_compare(cut->runs->key, key, p->key) < (run < p->run);
}

/* As samples have it the number of elements of the run that come before the pivot is between *low and *high. */
static void count_by_samples(const ww__file_cut *cut, uint64_t run, const pivot *p, uint64_t *low, uint64_t *high) {
    const ww__file_cut_run *c = &cut->run[run];
    const uint64_t step = ww__file_runs_step(cut->runs);
    *low = c->low;
    *high = c->high;
    if (!ww__file_runs_samples(cut->runs)) return;
    uint64_t from = (c->low + step - 1) / step, to = (c->high + step - 1) / step;
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        if (precedes(cut, run, sample_at(cut, run, middle), p)) {
            *low = middle * step + 1;
            from = middle + 1;
        } else {
            *high = middle * step;
            to = middle;
        }
    }
}

static bool count_exactly(const ww__file_cut *cut, uint64_t run, const pivot *p, uint64_t *count) {
    uint64_t low, high;
    count_by_samples(cut, run, p, &low, &high);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const unsigned char *key = key_at(cut, run, middle);
        if (!key) return false;
        if (precedes(cut, run, key, p))
            low = middle + 1;
        else
            high = middle;
    }
    *count = low;
    return true;
}

/* ---- the pivot ---- */

/* A place in the middle of the range: a sample's, where there is one. */
static bool find_middle(const ww__file_cut *cut, uint64_t run) {
    ww__file_cut_run *const c = &cut->run[run];
    const uint64_t middle = c->low + (c->high - c->low) / 2, step = ww__file_runs_step(cut->runs);
    const uint64_t sample = middle / step;
    if (ww__file_runs_samples(cut->runs) && sample * step >= c->low) {
        c->middle_at = sample * step;
        c->middle = sample_at(cut, run, sample);
        return true;
    }
    c->middle_at = middle;
    c->middle = key_at(cut, run, middle);
    return c->middle != NULL;
}

static bool middle_before(const ww__file_cut *cut, uint32_t a, uint32_t b) {
    const int order = ww__file_key_compare(cut->runs->key, cut->run[a].middle, cut->run[b].middle);
    return order ? order < 0 : a < b;
}

/* A heap sort of runs by their middles. */
static void sift(const ww__file_cut *cut, uint64_t at, uint64_t count) {
    uint32_t *const order = cut->order;
    for (uint64_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && middle_before(cut, order[child], order[child + 1])) child++;
        if (!middle_before(cut, order[at], order[child])) return;
        const uint32_t kept = order[at];
        order[at] = order[child];
        order[child] = kept;
    }
}

static void sort_middles(const ww__file_cut *cut, uint64_t count) {
    for (uint64_t i = count / 2; i-- > 0;) sift(cut, i, count);
    for (uint64_t last = count; last-- > 1;) {
        const uint32_t kept = cut->order[0];
        cut->order[0] = cut->order[last];
        cut->order[last] = kept;
        sift(cut, 0, last);
    }
}

static uint64_t width(const ww__file_cut_run *c) { return c->high - c->low; }

static bool choose_pivot(const ww__file_cut *cut, pivot *p) {
    uint64_t open = 0, all = 0, before = 0, i = 0;
    for (uint64_t run = 0; run < cut->count; run++) {
        if (!width(&cut->run[run])) continue;
        if (!find_middle(cut, run)) return false;
        all += width(&cut->run[run]);
        cut->order[open++] = (uint32_t)run;
    }
    sort_middles(cut, open);
    for (; i + 1 < open; i++) {
        before += width(&cut->run[cut->order[i]]);
        if (before >= all - before) break;
    }
    p->run = cut->order[i];
    p->place = cut->run[p->run].middle_at;
    p->key = cut->run[p->run].middle;
    return true;
}

/* ---- narrowing ---- */

static uint64_t sum_of_low(const ww__file_cut *cut) {
    uint64_t sum = 0;
    for (uint64_t run = 0; run < cut->count; run++) sum += cut->run[run].low;
    return sum;
}

/* The pivot has `rank` elements or more before it, or less: as far as samples tell. */
static bool narrow_by_samples(const ww__file_cut *cut, const pivot *p, uint64_t rank) {
    uint64_t low, high, least = 0, most = 0;
    for (uint64_t run = 0; run < cut->count; run++) {
        low = high = p->place;
        if (run != p->run) count_by_samples(cut, run, p, &low, &high);
        least += low;
        most += high;
    }
    if (most >= rank && least < rank) return false;
    for (uint64_t run = 0; run < cut->count; run++) {
        ww__file_cut_run *const c = &cut->run[run];
        low = high = p->place;
        if (run != p->run)
            count_by_samples(cut, run, p, &low, &high);
        else if (most < rank)
            low++;
        if (most < rank)
            c->low = low;
        else
            c->high = high;
    }
    return true;
}

static bool narrow_exactly(const ww__file_cut *cut, const pivot *p, uint64_t rank) {
    uint64_t sum = 0;
    for (uint64_t run = 0; run < cut->count; run++) {
        ww__file_cut_run *const c = &cut->run[run];
        c->place = p->place;
        if (run != p->run && !count_exactly(cut, run, p, &c->place)) return false;
        sum += c->place;
    }
    for (uint64_t run = 0; run < cut->count; run++) {
        ww__file_cut_run *const c = &cut->run[run];
        if (sum < rank)
            c->low = c->place + (run == p->run);
        else
            c->high = c->place;
    }
    return true;
}

static uint64_t undecided(const ww__file_cut *cut) {
    uint64_t sum = 0;
    for (uint64_t run = 0; run < cut->count; run++) sum += width(&cut->run[run]);
    return sum;
}

/* ---- the functions ---- */

bool ww__file_cut_begin(ww__file_cut *cut, uint64_t first, uint64_t count) {
    const ww__file_runs *r = cut->runs;
    cut->first = first;
    cut->count = count;
    for (uint64_t run = 0; run < count; run++) {
        cut->run[run] = (ww__file_cut_run){.length = ww__file_run_length(r, first + run)};
        if (ww__file_runs_samples(r) && !read_whole(r, cut->samples + run * WW__SAMPLES_BYTES, WW__SAMPLES_BYTES,
                                                    ww__file_run_samples_at(r, first + run)))
            return false;
    }
    return true;
}

bool ww__file_cut_next(ww__file_cut *cut, uint64_t elements) {
    uint64_t rank = elements;
    for (uint64_t run = 0; run < cut->count; run++) {
        ww__file_cut_run *const c = &cut->run[run];
        rank += c->end;
        c->begin = c->low = c->end;
        c->high = c->low + ww__min_u64(elements, c->length - c->low);
    }
    /* As long as some below `low` are missing and some below `high` are too many. */
    for (uint64_t low; (low = sum_of_low(cut)) < rank && low + undecided(cut) > rank;) {
        pivot p;
        if (!choose_pivot(cut, &p)) return false;
        if (narrow_by_samples(cut, &p, rank)) continue;
        if (!narrow_exactly(cut, &p, rank)) return false;
    }
    const bool all = sum_of_low(cut) < rank;
    for (uint64_t run = 0; run < cut->count; run++) cut->run[run].end = all ? cut->run[run].high : cut->run[run].low;
    return true;
}
