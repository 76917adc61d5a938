/* Texts and patterns that tests of finding run on. */
#ifndef TESTS_TEXTS_H
#define TESTS_TEXTS_H

#include "support/cases.h"

typedef enum text_kind {
    TEXT_BYTES, /* any byte as often as any other */
    TEXT_ONE,   /* one letter */
    TEXT_TWO,   /* two letters */
    TEXT_DNA,
    TEXT_ENGLISH,   /* words of letters as often as English has them, some capitals */
    TEXT_PERIODIC,  /* a stretch of 7 characters again and again, with a slip now and then */
    TEXT_FIBONACCI, /* the Fibonacci word: periodic nearly everywhere */
    TEXT_ZEROS,     /* zero bytes, and a one now and then */
    TEXT_HIGH,      /* bytes from 0xF0 on */
    TEXT_KINDS
} text_kind;
const char *text_kind_name(text_kind kind);
void text_fill(unsigned char *text, size_t n, text_kind kind, uint64_t seed);

/* A pattern of m characters for a text of n: a part of it (where it has one), planted again at a few places (`text` is
 * changed); the same with its last character changed; or a new one of the text's kind. */
typedef enum pattern_way { PATTERN_PLANTED, PATTERN_SPOILT, PATTERN_NEW, PATTERN_WAYS } pattern_way;
void pattern_choose(unsigned char *pattern, size_t m, unsigned char *text, size_t n, text_kind kind, pattern_way way,
                    uint64_t seed);
/* Turns the case of some letters. */
void text_turn_cases(unsigned char *text, size_t n, uint64_t seed);

/* Memory for a text, so that what reads beside it is found: by the address sanitizer, or by the emulator. It begins
 * `off` bytes behind a multiple of 64. */
typedef struct held_text {
    unsigned char *data;
    void *block;
    guarded around;
} held_text;
held_text held_text_new(size_t n, size_t off);
void held_text_free(held_text *t);

/* Numbers of u32 or u64 in an output. */
uint64_t number_in(const ww_array *array, size_t i);

/* An output of u32 or u64 whose edges are guarded and whose numbers are poisoned; or, of `hosts`, one number on a GPU that
 * lies in the host's own memory. */
typedef struct numbers_out {
    guarded memory;
    ww_array array;
    uint64_t own;
} numbers_out;
void numbers_begin(numbers_out *out, size_t n, bool wide, bool hosts);
/* The first `wanted` numbers are these, and nothing behind them was written. */
void numbers_check(numbers_out *out, const uint64_t *numbers, uint64_t wanted);
void numbers_end(numbers_out *out);

#endif
