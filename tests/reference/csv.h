/* Comma-separated values by the book: all of the text at once, every field copied. */
#ifndef REFERENCE_CSV_H
#define REFERENCE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fields of column `column` (from 1), one behind the other in `out`, each with a newline behind it and its row before it
 * as "ROW:". False where the text is refused; what came before it is in `out` all the same. `out` has room for 24 bytes a
 * byte of text and 64 more. `longest` is the most that a field of the column may have. */
bool reference_csv(const char *text, size_t length, char delimiter, uint64_t column, size_t longest, char *out,
                   size_t *out_length);

#endif
