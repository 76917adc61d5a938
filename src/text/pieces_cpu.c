/* Going through a text in pieces on a CPU.
 *
 * A piece is so many starts, of which a method marks those where a match begins, a bit each, in a worker's own bits. How many
 * there are is handed on in the pieces' order (ww__turn), so that each piece knows the place of its first match; the marks are
 * turned into positions, and cleared. A piece is long beside the pattern, so that what a method does at its begin is little.
 * The first match is looked for in rising pieces, the last one in falling ones; a piece that cannot have it any more is not
 * looked at. */
#include "text/pieces_cpu.h"

#include <string.h>

#include "device/check.h"
#include "device/cpu/parallel.h"
#include "function/function.h"

enum {
    PIECE_LEAST = 1 << 16, /* starts; a multiple of 64 */
    PIECE_PATTERNS = 4     /* and at least so many times the pattern */
};

typedef struct going {
    ww_device *device;
    const ww__finding *f;
    const unsigned char *text;
    const ww__scanner *scanner;
    uint64_t piece, pieces;
    uint64_t *marks; /* of each worker, marks_words of them */
    size_t marks_words;
    uint64_t next, total;
    ww__turn turn;
    uint64_t best;    /* the first or last match so far */
} going;

/* ---- texts that lie one behind the other ---- */

static uint64_t offset_at(const going *g, uint64_t i) { return ww__input_number(g->device, g->f->offsets, i); }

static void count_in_text(const ww_array *counts, uint64_t t, uint64_t more) {
    if (counts->type == &ww_type_uint32_t)
        __atomic_fetch_add((uint32_t *)counts->data + t, (uint32_t)more, __ATOMIC_RELAXED);
    else __atomic_fetch_add((uint64_t *)counts->data + t, more, __ATOMIC_RELAXED);
}

/* The text that a position lies in: the last that begins at or before it; offsets - 1 where it lies before all. */
static uint64_t text_of(const going *g, uint64_t position) {
    uint64_t low = 0, high = g->f->offsets->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (offset_at(g, middle) <= position) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}

/* Takes away marks of matches that do not lie in one text, and counts the others in theirs. */
static uint64_t keep_in_texts(const going *g, uint64_t first, uint64_t starts, uint64_t *marks) {
    const uint64_t texts = g->f->offsets->count - 1;
    uint64_t kept = 0;
    for (uint64_t w = 0; w * 64 < starts; w++)
        for (uint64_t left = marks[w]; left; left &= left - 1) {
            const uint64_t at = first + w * 64 + (uint64_t)__builtin_ctzll(left), t = text_of(g, at);
            const bool inside = t < texts && at + g->f->m <= offset_at(g, t + 1);
            if (!inside) marks[w] ^= left & -left;
            else if (!ww__is_none(&g->f->counts)) count_in_text(&g->f->counts, t, 1);
            kept += inside;
        }
    return kept;
}

static ww_status check_offsets(ww_device *device, const ww__finding *f) {
    uint64_t before = 0;
    for (uint64_t i = 0; i < f->offsets->count; i++) {
        const uint64_t offset = ww__input_number(device, f->offsets, i);
        WW_CHECK(device, offset >= before && offset <= f->n, WW_INVALID,
                 "offsets[%llu] is %llu, below the one before or above the text's %llu bytes", (unsigned long long)i,
                 (unsigned long long)offset, (unsigned long long)f->n);
        before = offset;
    }
    if (!ww__is_none(&f->counts)) memset(f->counts.data, 0, (size_t)f->counts.count * f->counts.size);
    return WW_OK;
}

/* ---- pieces ---- */

static void put_positions(const ww_array *positions, uint64_t place, uint64_t first, uint64_t starts, const uint64_t *marks) {
    const uint64_t room = positions->count;
    for (uint64_t w = 0; w * 64 < starts && place < room; w++)
        for (uint64_t left = marks[w]; left && place < room; left &= left - 1) {
            const uint64_t at = first + w * 64 + (uint64_t)__builtin_ctzll(left);
            if (positions->type == &ww_type_uint32_t) ((uint32_t *)positions->data)[place++] = (uint32_t)at;
            else ((uint64_t *)positions->data)[place++] = at;
        }
}

static void go_through(void *argument, size_t worker) {
    going *g = argument;
    const ww__finding *f = g->f;
    uint64_t *const marks = g->marks + worker * g->marks_words;
    memset(marks, 0, g->marks_words * sizeof *marks);
    for (uint64_t p; (p = ww__claim(&g->next)) < g->pieces;) {
        const uint64_t first = p * g->piece, starts = ww__min_u64(g->piece, f->starts - first);
        uint64_t found = g->scanner->scan(g->scanner->needle, g->text, first, starts, marks);
        if (found && f->offsets) found = keep_in_texts(g, first, starts, marks);
        ww__turn_wait(&g->turn, p);
        const uint64_t place = g->total;
        g->total += found;
        ww__turn_pass(&g->turn, p);
        if (!found) continue;
        if (!ww__is_none(&f->positions)) put_positions(&f->positions, place, first, starts, marks);
        memset(marks, 0, g->marks_words * sizeof *marks);
    }
}

/* ---- the first and the last ---- */

static uint64_t lowest_mark(uint64_t starts, const uint64_t *marks) {
    uint64_t w = 0;
    while ((w + 1) * 64 < starts && !marks[w]) w++;
    return w * 64 + (uint64_t)__builtin_ctzll(marks[w]);
}

static uint64_t highest_mark(uint64_t starts, const uint64_t *marks) {
    uint64_t w = (starts - 1) / 64;
    while (w && !marks[w]) w--;
    return w * 64 + 63 - (uint64_t)__builtin_clzll(marks[w]);
}

static void look_for_one(void *argument, size_t worker) {
    going *g = argument;
    const ww__finding *f = g->f;
    const bool first_wanted = f->want == WW__FIND_FIRST;
    uint64_t *const marks = g->marks + worker * g->marks_words;
    memset(marks, 0, g->marks_words * sizeof *marks);
    for (uint64_t k; (k = ww__claim(&g->next)) < g->pieces;) {
        /* Pieces are claimed from the side on which the match is wanted: one found ends it for those still to come. */
        if (__atomic_load_n(&g->best, __ATOMIC_RELAXED) != WW_NOT_FOUND) break;
        const uint64_t first = (first_wanted ? k : g->pieces - 1 - k) * g->piece;
        const uint64_t starts = ww__min_u64(g->piece, f->starts - first);
        if (!g->scanner->scan(g->scanner->needle, g->text, first, starts, marks)) continue;
        const uint64_t at = first + (first_wanted ? lowest_mark(starts, marks) : highest_mark(starts, marks));
        uint64_t best = __atomic_load_n(&g->best, __ATOMIC_RELAXED);
        while ((best == WW_NOT_FOUND || (first_wanted ? at < best : at > best)) &&
               !__atomic_compare_exchange_n(&g->best, &best, at, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
        break;
    }
}

ww_status ww__find_pieces(ww_device *device, const ww__finding *f, const unsigned char *text, const ww__scanner *scanner) {
    going g = {.device = device, .f = f, .text = text, .scanner = scanner, .best = WW_NOT_FOUND};
    const size_t workers = scanner->alone ? 1 : ww__workers(device, f->text.count);
    g.piece = PIECE_PATTERNS * f->m > PIECE_LEAST ? ww__round_up(PIECE_PATTERNS * f->m, 64) : PIECE_LEAST;
    g.pieces = f->starts / g.piece + (f->starts % g.piece != 0);
    g.marks_words = g.piece / 64;
    ww__trace(device, ww__find_method_name(f->method), NULL, f->n, f->text.count, workers);
    if (f->offsets) WW_TRY(check_offsets(device, f));
    WW_TRY(ww__scratch_array(device, workers, g.marks_words * sizeof *g.marks, &g.marks));
    if (f->want == WW__FIND_ALL) {
        ww__parallel(device, workers, go_through, &g);
        return ww__put_count(device, &f->count, g.total);
    }
    ww__parallel(device, workers, look_for_one, &g);
    return ww__put_count(device, &f->count, g.best);
}
