/* The compression of code in kernel packs: bytes are copied from the packed form, then again from what was unpacked, in
 * turns.
 *
 *     packed = (literals, so many bytes, match, distance)…      numbers: 7 bits a byte, the low ones first, 128 added
 *                                                               to all but the last byte
 *
 * What comes before the output may be copied from, too: another program, of which most is the same.
 *
 * A match says how many bytes beyond WW__MATCH_LEAST are copied, the distance how many bytes before the last one they
 * begin. After the literals that fill the output nothing follows. (The idea is LZ77's, the shape LZ4's.) */
#ifndef WW__UNPACK_H
#define WW__UNPACK_H

#include <stdbool.h>
#include <stddef.h>

enum { WW__MATCH_LEAST = 5 };

/* Whether `packed` stands for exactly `bytes` bytes, which are then at `out`, behind `before` bytes that are there. Any input is
 * safe. */
bool ww__unpack(const unsigned char *packed, size_t packed_bytes, unsigned char *out, size_t before, size_t bytes);

#endif
