/* Texts and patterns of the text family, always the same for the same size (and the same files), and checks that share no code
 * with the library. */
#ifndef BENCH_TEXT_DATA_H
#define BENCH_TEXT_DATA_H

#include "measuring/bench.h"

typedef enum text_kind {
    TEXT_ENGLISH, /* a file, or words by Zipf's law: 120 that are frequent in English, then made ones */
    TEXT_DNA,     /* a file, or random ACGT */
    TEXT_PROTEIN, /* a file, or random letters of 20 amino acids */
    TEXT_RANDOM,  /* numbers of so many bits */
    TEXT_LETTERS, /* a to z, random */
    TEXT_SOURCES, /* the library's own sources */
    TEXT_KINDS
} text_kind;
extern const char *const text_names[TEXT_KINDS]; /* the first BENCH_TEXTS are options, too */

/* Takes a file for one of the first kinds; says why it cannot. A shorter one is repeated. */
bool text_use(text_kind kind, const char *path);
/* What a text is: a file's name and bytes, or how it is made. */
const char *text_title(text_kind kind);
/* Bytes of the file, or of the sources; 0 where the text is made. */
size_t text_file_bytes(text_kind kind);

void text_fill(uint8_t *text, size_t n, text_kind kind, unsigned bits, uint64_t seed);

/* Makes a row's text (w->in) of n characters, and patterns that are parts of it: `count` of `shortest` to `longest` characters. In a
 * text that is shorter than they are they go on at its begin. */
void text_make(bench_work *w, text_kind kind, unsigned bits, size_t count, size_t shortest, size_t longest);
/* Room for positions (w->out, u32): as many as the text has characters over `one_in`, and some. Peers that share the work halve
 * it. */
void text_make_room(bench_work *w, size_t one_in);
size_t text_room(const bench_work *w);

/* The pattern of this turn. */
const uint8_t *text_pattern(const bench_work *w, size_t *length);

/* Whether w->out and w->result are what memmem, called again and again, finds; or all patterns, those of at least 8
 * characters, with their numbers in w->out_second; or the pattern but for `most` characters. */
bool text_right_one(const bench_work *w);
bool text_right_many(const bench_work *w);
bool text_right_near(const bench_work *w, unsigned most);

#endif
