/* Many patterns on a CPU, in one pass over the text.
 *
 * Workers claim pieces of it. In a piece the filters (filters_cpu.h) mark where a pattern may begin; there the longest one is
 * looked up (patterns.h), and kept in a list of the worker's. How many matches that makes is handed on in the pieces' order, so
 * that each knows the place of its first one, and they are written there. Where several patterns begin at a place, their
 * numbers go through a heap in the output itself, which keeps the lowest where there is not room for all. */
#include "device/cpu/parallel.h"
#include "function/check.h"
#include "text/many/filters_cpu.h"

#include <string.h>

enum { PIECE = 1 << 15 }; /* starts; a multiple of 64 */

/* Matches at a place: `node` and its ancestors, but `stop` and its. */
typedef struct found_place {
    uint32_t at; /* in the piece */
    uint32_t node, stop;
} found_place;

typedef struct searching {
    const ww__searching *s;
    ww_device *device;
    uint64_t pieces, next, total;
    uint64_t *marks;   /* of each worker, PIECE / 64 */
    found_place *list; /* of each worker, PIECE */
    ww__turn turn;
} searching;

/* ---- what begins at a place ---- */

/* How many of pattern v's bytes are the text's, of which `left` are there; the first `known` are. */
static uint64_t common(const ww_patterns *p, uint32_t v, const unsigned char *text, uint64_t left, uint64_t known) {
    const ww__pattern_node *const node = &p->tables.node[v];
    const unsigned char *const bytes = p->tables.bytes + node->begin;
    const uint64_t most = ww__min_u64(node->length, left);
    uint64_t i = known;
    for (; i + 8 <= most; i += 8) {
        uint64_t x, y;
        memcpy(&x, text + i, 8);
        memcpy(&y, bytes + i, 8);
        if ((p->fold ? ww__folded_bytes(x) : x) != y) break;
    }
    for (; i < most; i++) {
        const unsigned char c = text[i];
        if ((p->fold && c >= 'A' && c <= 'Z' ? c + 32 : c) != bytes[i]) break;
    }
    return i;
}

static bool before_text(const ww_patterns *p, uint32_t v, const unsigned char *text, uint64_t left, uint64_t same) {
    const ww__pattern_node *const node = &p->tables.node[v];
    if (same == node->length) return true;
    if (same == left) return false;
    const unsigned char c = text[same];
    return p->tables.bytes[node->begin + same] < (p->fold && c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* The first ancestor, from v on, of at most `most` bytes. */
static uint32_t ancestor(const ww__pattern_node *node, uint32_t v, uint64_t most) {
    while (v != WW__NO_NODE && node[v].length > most) {
        const uint32_t jump = node[v].jump;
        v = jump != WW__NO_NODE && node[jump].length > most ? jump : node[v].parent;
    }
    return v;
}

/* By how many of the text's first bytes patterns have been found that may fit. */
typedef enum begun { BEGUN_NONE, BEGUN_TWO, BEGUN_EIGHT } begun;

/* Where patterns stand that begin with the text's first bytes. */
static begun alike(const ww_patterns *p, uint64_t bytes, uint64_t key, uint64_t left, uint32_t *low, uint32_t *high) {
    const ww__pattern_tables *const t = &p->tables;
    uint32_t probe = 0;
    if (p->eight && left >= WW__LONG) {
        const uint32_t home = ww__hash_eight((uint32_t)bytes, (uint32_t)(bytes >> 32)) >> (32 - p->slot_log);
        const ww__pattern_slot *slot;
        do slot = &t->slot[(home + probe) & ((1U << p->slot_log) - 1)];
        while (slot->high && slot->key != key && ++probe < WW__PROBES);
        if (slot->high && probe < WW__PROBES) {
            *low = slot->low;
            *high = slot->high;
            return BEGUN_EIGHT;
        }
    }
    *low = t->pair[key >> 48];
    *high = t->pair[(key >> 48) + 1];
    return p->four || p->tiny || probe == WW__PROBES ? BEGUN_TWO : BEGUN_NONE;
}

/* Whether the text is a long pattern, of which it has the first 8 bytes. */
static bool fits(const ww_patterns *p, uint32_t v, const unsigned char *text, uint64_t left) {
    const ww__pattern_node *const node = &p->tables.node[v];
    const unsigned char *const bytes = p->tables.bytes + node->begin;
    if (node->length > left) return false;
    for (uint64_t i = 8; i < node->length; i += 8) {
        const uint64_t at = i + 8 <= node->length ? i : node->length - 8; /* the last 8 may have been compared before */
        uint64_t x, y;
        memcpy(&x, text + at, 8);
        memcpy(&y, bytes + at, 8);
        if ((p->fold ? ww__folded_bytes(x) : x) != y) return false;
    }
    return true;
}

/* The longest pattern that begins at a place behind which `left` bytes of the text lie. What the text has in common with the
 * two patterns between which it is to be found, it has with all between them. */
static uint32_t longest_at(const ww_patterns *p, const unsigned char *text, uint64_t left) {
    const ww__pattern_tables *const t = &p->tables;
    const uint64_t bytes = ww__bytes_at(text, left, 0, p->fold), key = __builtin_bswap64(bytes);
    uint32_t low, high;
    const begun found = alike(p, bytes, key, left, &low, &high);
    if (found == BEGUN_NONE) return WW__NO_NODE;
    /* The one pattern with these 8 bytes, where all have as many. */
    if (high - low == 1 && found == BEGUN_EIGHT && !p->four && !p->tiny)
        return fits(p, low, text, left) ? low : WW__NO_NODE;
    uint64_t with_low = 0, with_high = 0;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        bool before = t->key[middle] < key;
        if (t->key[middle] == key) {
            const uint64_t same = common(p, middle, text, left, ww__min_u64(with_low, with_high));
            before = before_text(p, middle, text, left, same);
            *(before ? &with_low : &with_high) = same;
        }
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? ancestor(t->node, low - 1, common(p, low - 1, text, left, with_low)) : WW__NO_NODE;
}

static uint64_t matches_of(const ww__pattern_node *node, uint32_t v, uint32_t stop) {
    return v == WW__NO_NODE ? 0 : node[v].total - (stop == WW__NO_NODE ? 0 : node[stop].total);
}

/* Looks up the marked places of a piece, and lists those where something begins; *many is how many. Returns the matches. */
static uint64_t list_places(const ww__searching *s, uint64_t first, uint64_t starts, const uint64_t *marks,
                            found_place *list, size_t *many) {
    const ww__pattern_node *const node = s->patterns->tables.node;
    uint64_t matches = 0;
    *many = 0;
    for (uint64_t w = 0; w * 64 < starts; w++)
        for (uint64_t left = marks[w]; left; left &= left - 1) {
            const uint64_t i = w * 64 + (uint64_t)__builtin_ctzll(left), at = first + i;
            const uint32_t v = longest_at(s->patterns, s->text + at, s->n - at);
            const uint32_t stop = at < s->behind ? ancestor(node, v, s->behind - at) : WW__NO_NODE;
            if (v == stop) continue;
            list[(*many)++] = (found_place){(uint32_t)i, v, stop};
            matches += matches_of(node, v, stop);
        }
    return matches;
}

/* ---- the outputs ---- */

static uint64_t number_at(const ww_array *a, uint64_t i) {
    return a->size == sizeof(uint32_t) ? ((const uint32_t *)a->data)[i] : ((const uint64_t *)a->data)[i];
}
static void put_number(const ww_array *a, uint64_t i, uint64_t x) {
    if (a->size == sizeof(uint32_t))
        ((uint32_t *)a->data)[i] = (uint32_t)x;
    else
        ((uint64_t *)a->data)[i] = x;
}

/* Puts x in the place of the highest of a heap of `many` numbers from `place` on. */
static void replace_highest(const ww_array *a, uint64_t place, uint64_t many, uint64_t x) {
    uint64_t i = 0;
    for (uint64_t child; (child = 2 * i + 1) < many; i = child) {
        if (child + 1 < many && number_at(a, place + child + 1) > number_at(a, place + child)) child++;
        if (number_at(a, place + child) <= x) break;
        put_number(a, place + i, number_at(a, place + child));
    }
    put_number(a, place + i, x);
}

static void add_to_heap(const ww_array *a, uint64_t place, uint64_t many, uint64_t x) {
    uint64_t i = many;
    for (; i && number_at(a, place + (i - 1) / 2) < x; i = (i - 1) / 2)
        put_number(a, place + i, number_at(a, place + (i - 1) / 2));
    put_number(a, place + i, x);
}

/* The lowest `room` numbers of what is found at a place, rising. */
static void put_numbers(const ww_patterns *p, const found_place *f, const ww_array *numbers, uint64_t place,
                        uint64_t room) {
    const ww__pattern_tables *const t = &p->tables;
    uint64_t many = 0;
    for (uint32_t v = f->node; v != f->stop; v = t->node[v].parent)
        for (uint32_t k = 0; k < t->node[v].equal; k++) {
            const uint64_t number = t->number[t->node[v].number + k];
            if (many < room)
                add_to_heap(numbers, place, many++, number);
            else if (number < number_at(numbers, place))
                replace_highest(numbers, place, many, number);
            else
                break; /* those behind it are higher */
        }
    for (; many > 1; many--) {
        const uint64_t highest = number_at(numbers, place), last = number_at(numbers, place + many - 1);
        replace_highest(numbers, place, many - 1, last);
        put_number(numbers, place + many - 1, highest);
    }
}

static void put_places(const ww__searching *s, uint64_t first, const found_place *list, size_t many, uint64_t place) {
    const ww_array *const positions = &s->positions, *const numbers = &s->numbers;
    const ww__pattern_tables *const t = &s->patterns->tables;
    for (size_t k = 0; k < many && place < positions->count; k++) {
        const found_place *const f = &list[k];
        const uint64_t room = ww__min_u64(matches_of(t->node, f->node, f->stop), positions->count - place);
        for (uint64_t i = 0; i < room; i++) put_number(positions, place + i, s->bias + first + f->at);
        if (!ww__is_none(numbers)) {
            if (room == 1 && t->node[f->node].parent == f->stop)
                put_number(numbers, place, t->number[t->node[f->node].number]);
            else
                put_numbers(s->patterns, f, numbers, place, room);
        }
        place += room;
    }
}

/* ---- pieces ---- */

static void search_pieces(void *argument, size_t worker) {
    searching *const g = argument;
    const ww__searching *const s = g->s;
    uint64_t *const marks = g->marks + worker * (PIECE / 64);
    found_place *const list = g->list + worker * PIECE;
    ww__marking marking = {.patterns = s->patterns, .text = s->text, .n = s->n, .vector = g->device->vector};
    for (uint64_t p; (p = ww__claim(&g->next)) < g->pieces;) {
        const uint64_t first = p * PIECE, starts = ww__min_u64(PIECE, s->starts - first);
        size_t many;
        memset(marks, 0, PIECE / 8);
        ww__filter_places(&marking, first, starts, marks);
        const uint64_t matches = list_places(s, first, starts, marks, list, &many);
        ww__turn_wait(&g->turn, p);
        const uint64_t place = g->total;
        g->total += matches;
        ww__turn_pass(&g->turn, p);
        if (many && !ww__is_none(&s->positions)) put_places(s, first, list, many, place);
    }
}

ww_status ww__many_cpu(ww_device *device, const ww__searching *s, uint64_t before, uint64_t *total) {
    const size_t workers = ww__workers(device, s->n);
    searching g = {.s = s, .device = device, .pieces = s->starts / PIECE + (s->starts % PIECE != 0), .total = before};
    ww__trace(device, "many", NULL, s->n, s->n, workers);
    WW_TRY(ww__scratch_array(device, workers, PIECE / 8, &g.marks));
    WW_TRY(ww__scratch_array(device, workers, PIECE * sizeof *g.list, &g.list));
    ww__parallel(device, workers, search_pieces, &g);
    *total = g.total;
    return WW_OK;
}
