/* What is written behind options: types, numbers, ranges, lists. Nothing here prints or exits. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <warpwise.h>

/* A number as it was written: exactly, when it is an integer of at most 128 bits (64 where the compiler has no more). */
#if WW_HAS_U128
typedef ww_u128 magnitude;
#else
typedef uint64_t magnitude;
#endif
typedef struct number {
    bool integer; /* sign and size are what it is */
    bool negative;
    magnitude size;
    double value; /* the nearest double, also of an integer */
} number;

enum { MOST_NUMBERS = (1 << 24) + 1 }; /* one edge more than a histogram has bins */

typedef struct number_list {
    number *list; /* freed by the caller */
    size_t count;
} number_list;

/* "u32", "rec:24"; type.data is NULL. */
bool parse_type(const char *text, ww_array *type);

/* "12", "-3", "0xff", "1.5", "1e9", "-inf"; the whole of text[0 … length - 1]. Not "nan". */
bool parse_number(const char *text, size_t length, number *n);

/* An integer from least to most. */
bool parse_count(const char *text, uint64_t least, uint64_t most, uint64_t *count);

/* "512M": a whole number of at least 1, of bytes or of as many times 2^10, 2^20, 2^30 or 2^40 (K, M, G, T). */
bool parse_bytes(const char *text, uint64_t *bytes);

/* "LO:HI", LO below HI and both finite. */
bool parse_range(const char *text, number range[2]);

/* "OFF:LEN". */
bool parse_place(const char *text, uint64_t *offset, uint64_t *length);

/* "a,b,…", rising. *wrong is the position of the one that is no number or does not rise; list->count below 2 when there
 * are too few. */
bool parse_edges(const char *text, number_list *list, size_t *wrong);

/* -1, 0, 1 as a is below, equal to, above b. */
int compare_numbers(const number *a, const number *b);

/* Writes the number as an element of a built-in type; false when the type cannot hold it (floats take the nearest). */
bool put_number(const number *n, const ww_type *type, void *element);

#endif
