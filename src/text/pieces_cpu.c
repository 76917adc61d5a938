/* Going through a text in pieces on a CPU.
 *
 * A piece is so many starts, of which a method marks those where a match begins, a bit each, in a worker's own bits. How many
 * there are is handed on in the pieces' order (ww__turn), so that each piece knows the place of its first match; the marks are
 * turned into positions by groups of words, and cleared. Where there is no match, no mark is written or read but once. A piece is
 * long beside the pattern, so that what a method does at its begin is little. The first match is looked for in rising pieces, the
 * last one in falling ones: one worker looks at short ones that grow, then all look at the rest; a piece that cannot have it any
 * more is not looked at. */
#include "text/pieces_cpu.h"

#include <string.h>

#include "device/cpu/parallel.h"
#include "function/check.h"
#include "function/function.h"

enum {
    PIECE_LEAST = 1 << 16, /* starts; multiples of a group */
    PIECE_MOST = 1 << 18,  /* of a long text, so that taking turns is little beside the fastest search */
    PIECES = 64,           /* that a text has before they are longer than the least */
    PIECE_PATTERNS = 4,    /* and at least so many times the pattern */
    NEAR_LEAST = 1 << 12   /* of the first parts in which one match is looked for; each is twice the one before */
};

typedef struct going {
    ww_device *device;
    const ww__finding *f;
    ww_input offsets; /* of several texts: light */
    const unsigned char *text;
    const ww__scanner *scanner;
    uint64_t piece, pieces;
    uint64_t *marks; /* of each worker, marks_words of them */
    size_t marks_words;
    uint64_t next, total;
    ww__turn turn;
    uint64_t near; /* starts that have been looked at before the pieces, for one match */
    uint64_t best; /* the first or last match so far */
} going;

/* ---- texts that lie one behind the other ---- */

static uint64_t offset_at(const going *g, uint64_t i) {
    uint64_t offset;
    (void)ww__input_number(g->device, &g->offsets, i, &offset);
    return offset;
}

static void count_in_text(const ww_array *counts, uint64_t t, uint64_t more) {
    if (counts->type == &ww_type_uint32_t)
        __atomic_fetch_add((uint32_t *)counts->data + t, (uint32_t)more, __ATOMIC_RELAXED);
    else
        __atomic_fetch_add((uint64_t *)counts->data + t, more, __ATOMIC_RELAXED);
}

/* The text that a position lies in, the last that begins at or before it, and where it ends. Positions rise. */
typedef struct reading {
    bool any; /* false where the position lies in none: before the first or behind the last */
    uint64_t text, end;
} reading;

/* The first offset above the position, at `low` or later: by steps that grow, then by halving. */
static uint64_t offset_above(const going *g, uint64_t low, uint64_t position) {
    const uint64_t offsets = g->f->offsets->count;
    uint64_t high = low, step = 1;
    while (high < offsets && offset_at(g, high) <= position) {
        low = high + 1;
        high = offsets - high > step ? high + step : offsets;
        step *= 2;
    }
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (offset_at(g, middle) <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void read_on(const going *g, reading *r, uint64_t position) {
    const uint64_t above = offset_above(g, r->any ? r->text + 1 : 0, position);
    r->any = above > 0;
    r->text = above - 1;
    r->end = r->any && above < g->f->offsets->count ? offset_at(g, above) : 0;
}

/* Takes away marks of matches that do not lie in one text, and counts the others in theirs. */
static uint64_t keep_in_texts(const going *g, uint64_t first, uint64_t starts, uint64_t *marks) {
    const bool counted = !ww__is_none(&g->f->counts);
    reading r = {false, 0, 0};
    uint64_t kept = 0, in_text = 0;
    for (uint64_t w = 0; w * 64 < starts; w++)
        for (uint64_t left = marks[w]; left; left &= left - 1) {
            const uint64_t at = first + w * 64 + (uint64_t)__builtin_ctzll(left);
            if (!r.any || at >= r.end) {
                if (in_text && counted) count_in_text(&g->f->counts, r.text, in_text);
                kept += in_text;
                in_text = 0;
                read_on(g, &r, at);
            }
            if (at + g->f->m <= r.end)
                in_text++;
            else
                marks[w] ^= left & -left;
        }
    if (in_text && counted) count_in_text(&g->f->counts, r.text, in_text);
    return kept + in_text;
}

/* Offsets that are computed from large elements are stored: workers have no room for these. */
static ww_status take_offsets(going *g) {
    const void *memory;
    g->offsets = *g->f->offsets;
    if (ww__input_is_light(&g->offsets)) return WW_OK;
    WW_TRY(ww__input_in_memory(g->device, g->f->offsets, &memory));
    g->offsets = ww_memory_of(memory, g->f->offsets->count, g->f->offsets->type);
    return WW_OK;
}

static ww_status check_offsets(const going *g) {
    ww_device *const device = g->device;
    const ww__finding *const f = g->f;
    uint64_t before = 0;
    if (device->on_paper) return WW_OK;
    for (uint64_t i = 0; i < f->offsets->count; i++) {
        const uint64_t offset = offset_at(g, i);
        WW_CHECK(device, offset >= before && offset <= f->n, WW_RANGE,
                 "offsets[%llu] is %s, below the one before or above the text's %llu bytes", (unsigned long long)i,
                 ww__number_said(f->offsets->type->label, offset).text, (unsigned long long)f->n);
        before = offset;
    }
    if (!ww__is_none(&f->counts)) memset(f->counts.data, 0, (size_t)f->counts.count * f->counts.size);
    return WW_OK;
}

/* ---- pieces ---- */

/* The positions of the marks in some words: first, first + 1, … for the bits of the first, and so on. They are made two at a time,
 * so that few branches depend on the text; some of them too many, so `to` has room for 2 more. Returns how many there are. */
enum { WORDS = 8, GROUP = WORDS * 64, POSITIONS = GROUP + 2 };
#define UNPACK(width, T) \
    WW__COMPILED WW__TARGET_##width static uint64_t unpack_##T##_##width(T *to, T first, const uint64_t *marks) { \
        uint64_t n = 0; \
        for (uint64_t w = 0; w < WORDS; w++, first = (T)(first + 64)) { \
            uint64_t word = marks[w], i = n; \
            n += (uint64_t)__builtin_popcountll(word); \
            do { \
                for (unsigned k = 0; k < 2; k++, word &= word - 1) \
                    to[i + k] = (T)(first + (T)__builtin_ctzll(word | UINT64_C(1) << 63)); \
            } while ((i += 2) < n); \
        } \
        return n; \
    }
WW__EACH_WIDTH(UNPACK, uint32_t)
WW__EACH_WIDTH(UNPACK, uint64_t)

static uint64_t unpack(const going *g, void *to, uint64_t first, const uint64_t *marks) {
    const bool narrow = g->f->positions.type == &ww_type_uint32_t;
#if defined(__x86_64__)
    if (g->device->vector == WW_VECTOR_AVX512)
        return narrow ? unpack_uint32_t_avx512(to, (uint32_t)first, marks) : unpack_uint64_t_avx512(to, first, marks);
    if (g->device->vector == WW_VECTOR_AVX2)
        return narrow ? unpack_uint32_t_avx2(to, (uint32_t)first, marks) : unpack_uint64_t_avx2(to, first, marks);
#endif
    return narrow ? unpack_uint32_t_plain(to, (uint32_t)first, marks) : unpack_uint64_t_plain(to, first, marks);
}

/* Turns the marks into positions, as far as there is room, and clears them. */
static void put_positions(const going *g, uint64_t place, uint64_t first, uint64_t starts, uint64_t *marks) {
    const ww_array *const positions = &g->f->positions;
    const uint64_t room = ww__is_none(positions) ? 0 : positions->count;
    const size_t size = positions->size;
    uint64_t made[POSITIONS];
    for (uint64_t i = 0; i < starts; i += GROUP, marks += WORDS) {
        uint64_t any = 0;
        for (unsigned w = 0; w < WORDS; w++) any |= marks[w];
        if (!any) continue;
        if (place < room) {
            const uint64_t matches = ww__min_u64(unpack(g, made, first + i, marks), room - place);
            memcpy((unsigned char *)positions->data + place * size, made, (size_t)matches * size);
            place += matches;
        }
        memset(marks, 0, WORDS * sizeof *marks);
    }
}

static void go_through(void *argument, size_t worker) {
    going *g = argument;
    const ww__finding *f = g->f;
    uint64_t *const marks = g->marks + worker * g->marks_words;
    memset(marks, 0, g->marks_words * sizeof *marks);
    for (uint64_t p; (p = ww__claim_light(g->device, worker, &g->next)) < g->pieces;) {
        const uint64_t first = p * g->piece, starts = ww__min_u64(g->piece, f->starts - first);
        const uint64_t marked = g->scanner->scan(g->scanner->needle, g->text, first, starts, marks);
        const uint64_t found = marked && f->offsets ? keep_in_texts(g, first, starts, marks) : marked;
        ww__turn_wait(&g->turn, p);
        const uint64_t place = g->total;
        g->total += found;
        ww__turn_pass(&g->turn, p);
        if (marked) put_positions(g, place, first, starts, marks);
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

/* Looks at so many starts, `from_side` starts from the side on which the match is wanted. */
static bool look_at_part(going *g, uint64_t from_side, uint64_t starts, uint64_t *marks) {
    const ww__finding *f = g->f;
    const bool first_wanted = f->want == WW__FIND_FIRST;
    const uint64_t first = first_wanted ? from_side : f->starts - from_side - starts;
    if (!g->scanner->scan(g->scanner->needle, g->text, first, starts, marks)) return false;
    const uint64_t at = first + (first_wanted ? lowest_mark(starts, marks) : highest_mark(starts, marks));
    uint64_t best = __atomic_load_n(&g->best, __ATOMIC_RELAXED);
    while ((best == WW_NOT_FOUND || (first_wanted ? at < best : at > best)) &&
           !__atomic_compare_exchange_n(&g->best, &best, at, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return true;
}

static void look_for_one(void *argument, size_t worker) {
    going *g = argument;
    uint64_t *const marks = g->marks + worker * g->marks_words;
    memset(marks, 0, g->marks_words * sizeof *marks);
    for (uint64_t k; (k = ww__claim_light(g->device, worker, &g->next)) < g->pieces;) {
        /* Pieces are claimed from the side on which the match is wanted: one found ends it for those still to come. */
        if (__atomic_load_n(&g->best, __ATOMIC_RELAXED) != WW_NOT_FOUND) break;
        const uint64_t from_side = g->near + k * g->piece;
        if (look_at_part(g, from_side, ww__min_u64(g->piece, g->f->starts - from_side), marks)) break;
    }
}

/* One worker looks near the side first, in parts that grow: an early match is found without starting the others. */
static bool look_near(going *g) {
    memset(g->marks, 0, g->marks_words * sizeof *g->marks);
    for (uint64_t part = NEAR_LEAST; g->near < g->f->starts && part <= g->piece; part *= 2) {
        const uint64_t starts = ww__min_u64(part, g->f->starts - g->near);
        if (look_at_part(g, g->near, starts, g->marks)) return true;
        g->near += starts;
    }
    return false;
}

static uint64_t piece_of(const ww__finding *f) {
    uint64_t piece = f->starts / PIECES < PIECE_LEAST ? PIECE_LEAST : f->starts / PIECES;
    if (piece > PIECE_MOST) piece = PIECE_MOST;
    if (piece < PIECE_PATTERNS * f->m) piece = PIECE_PATTERNS * f->m;
    return ww__round_up(ww__min_u64(piece, f->starts ? f->starts : 1), GROUP);
}

static uint64_t pieces_of(uint64_t starts, uint64_t piece) { return starts / piece + (starts % piece != 0); }

ww_status ww__find_pieces(ww_device *device, const ww__finding *f, const unsigned char *text,
                          const ww__scanner *scanner) {
    going g = {.device = device, .f = f, .text = text, .scanner = scanner, .piece = piece_of(f), .best = WW_NOT_FOUND};
    const size_t workers = scanner->alone ? 1 : ww__workers(device, f->text.count);
    g.pieces = pieces_of(f->starts, g.piece);
    g.marks_words = g.piece / 64;
    ww__trace(device, ww__find_method_name(f->method), NULL, f->n, f->text.count, workers);
    if (f->offsets) {
        WW_TRY(take_offsets(&g));
        WW_TRY(check_offsets(&g));
    }
    WW_TRY(ww__scratch_array(device, workers, g.marks_words * sizeof *g.marks, &g.marks));
    if (device->on_paper) return WW_OK;
    if (f->want == WW__FIND_ALL) {
        ww__parallel_light(device, workers, f->text.count, go_through, &g);
        return ww__put_count(device, &f->count, g.total);
    }
    if (!look_near(&g) && g.near < f->starts) {
        g.pieces = pieces_of(f->starts - g.near, g.piece);
        ww__parallel_light(device, workers, f->text.count, look_for_one, &g);
    }
    return ww__put_count(device, &f->count, g.best);
}
