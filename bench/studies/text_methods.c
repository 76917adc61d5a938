/* The study's rows: a text of a point, and each method of its group. */
#include <string.h>

#include "measuring/pages.h"
#include "studies/text_study.h"

static const text_point *point_of(const bench_work *w) { return w->point; }

/* ---- characters of a byte each ---- */

static void make(bench_work *w) {
    const text_point *p = point_of(w);
    text_make(w, p->kind, p->bits, TEXT_TURNS, p->m, p->m);
    text_make_room(w, p->m * p->bits < 4 ? 1 : 8); /* of two bits, every fourth place */
}

static ww_status find(bench_work *w, ww_find_method method) {
    size_t m;
    const uint8_t *pattern = text_pattern(w, &m);
    ww_find_options options = WW_FIND_OPTIONS;
    options.method = method;
    options.alphabet_bits = point_of(w)->bits;
    return ww_find(w->device, ww_memory((const uint8_t *)w->in, w->n), pattern, m,
                   ww_array((uint32_t *)w->out, text_room(w)), ww_array((uint64_t *)w->number, 1), &options);
}

/* ---- packed ones: w->second; the check looks at the characters ---- */

static void make_packed(bench_work *w) {
    const unsigned bits = point_of(w)->bits, to_a_byte = 8 / bits;
    make(w);
    const uint8_t *text = w->in;
    uint8_t *packed = w->second = work_pages(w, w->n / to_a_byte + 1);
    memset(packed, 0, w->n / to_a_byte + 1);
    for (size_t i = 0; i < w->n; i++) packed[i / to_a_byte] |= (uint8_t)(text[i] << i % to_a_byte * bits);
}

static ww_status find_packed(bench_work *w, ww_find_method method) {
    size_t m;
    const uint8_t *pattern = text_pattern(w, &m);
    ww_find_options options = WW_FIND_OPTIONS;
    options.method = method;
    options.packed = true;
    options.alphabet_bits = point_of(w)->bits;
    options.characters = w->n;
    return ww_find(w->device, ww_memory((const uint8_t *)w->second, w->n / (8 / options.alphabet_bits) + 1), pattern, m,
                   ww_array((uint32_t *)w->out, text_room(w)), ww_array((uint64_t *)w->number, 1), &options);
}

/* ---- methods: those with a limit last, the narrower behind the wider ---- */

#define RUN(name, METHOD) \
    static ww_status by_##METHOD(bench_work *w) { return find(w, WW_FIND_##METHOD); }
#define RUN_PACKED(name, METHOD) \
    static ww_status packed_by_##METHOD(bench_work *w) { return find_packed(w, WW_FIND_##METHOD); }
#define RIVAL(name, METHOD) {name, "ww_find, method " name, by_##METHOD, NULL},
#define RIVAL_PACKED(name, METHOD) {name, "ww_find, packed, method " name, packed_by_##METHOD, NULL},

#define EACH_OF_ANY_LENGTH(X) X("divide", DIVIDE)
#define EACH_LIMITED(X) X("divide64", DIVIDE64) X("divide32", DIVIDE32)
#define EACH_SCAN(X) X("cooperative", COOPERATIVE) X("recurrence", RECURRENCE) X("hybrid", HYBRID)
#define EACH_FAST(X) X("twostage", TWOSTAGE) EACH_OF_ANY_LENGTH(X) EACH_LIMITED(X)
#define EACH_PACKED(X) EACH_OF_ANY_LENGTH(X) EACH_LIMITED(X)
enum { LIMITED = 2 };

RUN("auto", AUTO)
RUN("serial", SERIAL)
EACH_FAST(RUN)
EACH_SCAN(RUN)
RUN_PACKED("auto", AUTO)
EACH_PACKED(RUN_PACKED)

static const bench_rival fast[] = {EACH_FAST(RIVAL)}, scans[] = {EACH_SCAN(RIVAL)}, alone[] = {RIVAL("serial", SERIAL)},
                         packed[] = {EACH_PACKED(RIVAL_PACKED)};
const bench_rival text_named[TEXT_NAMED] = {EACH_SCAN(RIVAL) EACH_FAST(RIVAL)};

size_t text_rivals(const text_point *p) {
    const size_t bits = p->m * p->bits, past = bits <= 32 ? 0 : bits <= 64 ? 1 : LIMITED;
    return text_group_rows[p->group].rival_count - (p->group == TEXT_SCANS || p->group == TEXT_SERIAL ? 0 : past);
}

/* clang-format off */
const bench_row text_group_rows[TEXT_GROUPS] = {
    [TEXT_FAST] = {.call = "ww_find", .make = make, .run = by_AUTO, .right = text_right_one, .turns = TEXT_TURNS,
                   .peer = "find", .rivals = fast, .rival_count = BENCH_COUNT(fast), .seconds = 1},
    [TEXT_SCANS] = {.call = "ww_find", .make = make, .run = by_AUTO, .right = text_right_one, .turns = 2, .rivals = scans,
                    .rival_count = BENCH_COUNT(scans), .seconds = 1},
    [TEXT_SERIAL] = {.call = "ww_find", .make = make, .run = by_AUTO, .right = text_right_one, .turns = 2, .rivals = alone,
                     .rival_count = BENCH_COUNT(alone), .seconds = 0.5},
    [TEXT_PACKED] = {.call = "ww_find, packed", .make = make_packed, .run = packed_by_AUTO, .right = text_right_one,
                     .turns = 2, .rivals = packed, .rival_count = BENCH_COUNT(packed), .seconds = 1},
    [TEXT_EVERY] = {.call = "ww_find", .make = make, .run = by_AUTO, .right = text_right_one, .turns = 2, .rivals = text_named,
                    .rival_count = TEXT_NAMED, .seconds = 1},
};
/* clang-format on */
