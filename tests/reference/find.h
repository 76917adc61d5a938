/* Oracles of finding in text: every start is compared with the whole pattern. */
#ifndef REFERENCE_FIND_H
#define REFERENCE_FIND_H

#include <stdbool.h>
#include <stdint.h>

/* Returns how many matches there are; the first `room` positions are written. */
uint64_t ref_find(const unsigned char *text, uint64_t n, const unsigned char *pattern, uint64_t m, bool fold,
                  uint64_t *positions, uint64_t room);

/* UINT64_MAX where there is none. */
uint64_t ref_find_first(const unsigned char *text, uint64_t n, const unsigned char *pattern, uint64_t m, bool fold);
uint64_t ref_find_last(const unsigned char *text, uint64_t n, const unsigned char *pattern, uint64_t m, bool fold);

/* Text t is text[offsets[t]] up to text[offsets[t + 1]]; counts has one for each of `texts`, or is NULL. */
uint64_t ref_find_texts(const uint64_t *offsets, uint64_t texts, const unsigned char *text,
                        const unsigned char *pattern, uint64_t m, bool fold, uint64_t *positions, uint64_t room,
                        uint64_t *counts);

/* Where at most `most` characters differ, and how many do; differences may be NULL. */
uint64_t ref_find_near(const unsigned char *text, uint64_t n, const unsigned char *pattern, uint64_t m, uint64_t most,
                       bool fold, uint64_t *positions, uint64_t *differences, uint64_t room);

#endif
