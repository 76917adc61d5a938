/* A piece is searched in spans: so many starts, with what a match may need behind them. A span is the whole piece, until
 * there are more matches than the thread has room for: then those are printed that lie below the last position that there was
 * room for, since no others can lie there, and a shorter span begins at that position. There is room for one match more than
 * there are patterns, so that a span gets past one start at least.
 *
 * Of many patterns also those are found that begin behind the span and end in it: the next one has them again. When matches
 * are only counted, they are counted once more alone, and taken away. */
#include "find_search.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_LEAST = 1 << 20 };

/* ---- rooms ---- */

static int room_for(job *j, uint64_t bytes, void **block) {
    return job_check(j, ww_alloc_host(j->device, bytes, block));
}

static int open_rooms(searcher *s) {
    const search *shared = s->shared;
    const uint64_t text = shared->pieces.most + shared->pieces.overlap;
    job *j = &s->job;
    void *block[4] = {NULL};
    s->room = shared->patterns->count < ROOM_LEAST ? ROOM_LEAST : shared->patterns->count + 1;
    int status = room_for(j, text, &block[0]);
    if (!status && j->gpu) status = job_check(j, ww_alloc(j->device, text, &block[1]));
    if (!status && !shared->output.count_only) status = room_for(j, s->room * sizeof *s->positions, &block[2]);
    if (!status && !shared->output.count_only && shared->many)
        status = room_for(j, s->room * sizeof *s->numbers, &block[3]);
    s->text = block[0];
    s->inside = j->gpu ? block[1] : s->text;
    s->positions = block[2];
    s->numbers = block[3];
    if (status) return status;
    return lines_open(&s->found.lines, shared->longest_name) ? DONE : job_fail(j, "out of memory");
}

void searcher_close(searcher *s) {
    ww_patterns_close(s->ready);
    if (s->inside != s->text) ww_free(s->job.device, s->inside);
    ww_free(s->job.device, s->text);
    ww_free(s->job.device, s->positions);
    ww_free(s->job.device, s->numbers);
    lines_close(&s->found.lines);
}

/* ---- finding ---- */

/* In length bytes of the piece from `from` on. Positions count from there. */
static int find_in(searcher *s, uint64_t from, uint64_t length, bool positions_too, uint64_t *count) {
    const search *shared = s->shared;
    job *j = &s->job;
    const ww_input text = ww_memory(s->inside + from, length);
    const ww_array positions = positions_too ? ww_array(s->positions, s->room) : ww_none;
    const ww_array numbers = positions_too && shared->many ? ww_array(s->numbers, s->room) : ww_none;
    const ww_array counted = ww_array(count, 1);
    ww_status status;
    *count = 0;
    if (shared->many)
        status = ww_find_many(s->ready, text, positions, numbers, counted);
    else
        status = ww_find(j->device, text, shared->patterns->bytes, shared->patterns->longest, positions, counted,
                         &shared->options);
    return job_check(j, status ? status : ww_sync(j->device));
}

int searcher_open(searcher *s, search *shared) {
    uint64_t count;
    job *j = &s->job;
    s->shared = shared;
    int status = open_rooms(s);
    if (status || !shared->patterns->count) return status; /* there is an empty pattern alone */
    if (shared->many) {
        status = job_check(j, ww_patterns_open(j->device, shared->patterns->bytes, shared->patterns->offsets,
                                               shared->patterns->count, &s->ready, &shared->options));
    }
    /* In no text: what is wrong with the pattern is said once, also where files are empty. */
    return status ? status : find_in(s, 0, 0, false, &count);
}

/* ---- a piece ---- */

static int count_piece(searcher *s, const piece *t, uint64_t *count) {
    uint64_t behind = 0;
    int status = find_in(s, 0, t->length, false, count);
    if (!status && *count && s->shared->many && t->length > t->starts)
        status = find_in(s, t->starts, t->length - t->starts, false, &behind);
    *count -= behind;
    return status;
}

/* Prints the first positions, which lie below `limit`, of a span that begins at `begin` in its file. */
static bool put_lines(searcher *s, const piece *t, uint64_t begin, uint64_t limit, uint64_t held, uint64_t *count) {
    lines *const to = &s->found.lines;
    for (uint64_t i = 0; i < held && s->positions[i] < limit; i++) {
        if (lines_full(to) && !output_flush(&s->shared->output, t, &s->found)) return false;
        lines_put(to, begin + s->positions[i], s->numbers ? s->shared->patterns->numbers[s->numbers[i]] : 0);
        ++*count;
    }
    return true;
}

static int print_piece(searcher *s, const piece *t, uint64_t *count) {
    const uint64_t overlap = s->shared->pieces.overlap;
    uint64_t span = t->starts;
    lines_name(&s->found.lines, s->shared->output.names ? t->name : NULL);
    for (uint64_t from = 0; from < t->starts;) {
        uint64_t found, limit;
        if (span > t->starts - from) span = t->starts - from;
        const uint64_t left = t->length - from - span;
        if (find_in(s, from, span + (left < overlap ? left : overlap), true, &found)) return FAILED;
        limit = span;
        if (found > s->room && s->positions[s->room - 1] < span) limit = s->positions[s->room - 1];
        if (!put_lines(s, t, t->begin + from, limit, found < s->room ? found : s->room, count)) return FAILED;
        from += limit;
        span = found > s->room ? limit : 2 * span;
    }
    return DONE;
}

static int search_piece(searcher *s, const piece *t) {
    uint64_t count = 0;
    job *j = &s->job;
    int status = DONE;
    if (s->inside != s->text && t->length)
        status = job_check(j, ww_copy(j->device, ww_memory(s->text, t->length), ww_array(s->inside, t->length)));
    const search *shared = s->shared;
    if (!status && t->starts && shared->output.files_only && shared->patterns->empty)
        count = 1;
    else if (!status && t->starts)
        status = shared->output.count_only ? count_piece(s, t, &count) : print_piece(s, t, &count);
    if (shared->output.files_only && count) pieces_enough(&s->shared->pieces, t);
    if (!status) output_hand_in(&s->shared->output, t, count, &s->found);
    return status;
}

void searcher_run(searcher *s) {
    piece t;
    while (!__atomic_load_n(&s->shared->output.broken, __ATOMIC_RELAXED) &&
           pieces_take(&s->shared->pieces, &t, s->text)) {
        if (!search_piece(s, &t)) continue;
        output_break(&s->shared->output);
        break;
    }
}
