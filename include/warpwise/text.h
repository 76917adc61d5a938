/* Exact text search: every position where a pattern begins (ww_find), the first or the last (ww_find_first, ww_find_last), in
 * each of several texts (ww_find_texts), in text that comes in chunks (ww_find_stream), many patterns at once (ww_find_many),
 * and positions where a pattern matches with at most k mismatches (ww_find_near).
 *
 *     ww_find(device, ww_memory(text, n), "whale", 5, ww_array(positions, 1000), ww_array(&count, 1), NULL);
 *
 * Bytes are bytes: zero bytes and invalid UTF-8 are text like any other. Matches may overlap. Nothing depends on chance: where
 * a fingerprint agrees, the characters are compared. Work is linear in the text for every method, except where a method's own
 * line says otherwise. */
#ifndef WARPWISE_TEXT_H
#define WARPWISE_TEXT_H

#include "primitive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On a GPU each named method searches the text with one kernel; serial uses a single thread, as a baseline. There, work is
 * linear in the text except for two of them: hybrid compares up to 256 characters for each match that overlaps with others,
 * twostage as many as agree wherever the pattern's first 8 or 16 do. Fingerprints of 32 bits (serial, cooperative, divide,
 * hybrid) are modulo primes that are in the source; a text constructed against one makes them compare more. Recurrence's prime
 * differs from handle to handle. */
typedef enum ww_find_method {
    WW_FIND_AUTO = 0,
    WW_FIND_SERIAL,      /* learning: Rabin and Karp's rolling fingerprint, one thread */
    WW_FIND_COOPERATIVE, /* learning: two scans of 2x2 matrices modulo a prime: all threads on one text */
    WW_FIND_RECURRENCE,  /* learning: the same by one scan of a linear recurrence */
    WW_FIND_DIVIDE,      /* learning: each lane rolls the fingerprint, modulo a prime, over a text of its own. It
                            reads its neighbour's first m - 1 characters, too: slow for long patterns */
    WW_FIND_DIVIDE32,    /* learning: the same without a modulus: the characters themselves, in 32 bits */
    WW_FIND_DIVIDE64,    /* learning: and in 64 bits */
    WW_FIND_HYBRID,      /* learning: each group of threads does recurrence's work on a text of its own */
    WW_FIND_TWOSTAGE     /* learning: scans for a part of the pattern as divide does; lanes verify together */
} ww_find_method;

typedef struct ww_find_options {
    size_t size;            /* WW_FIND_OPTIONS fills it */
    uint32_t method;        /* a ww_find_method */
    bool fold;              /* ignoring case: A to Z match as a to z do */
    bool packed;            /* the text has 8 / alphabet_bits characters a byte, the first in the lowest bits */
    uint32_t alphabet_bits; /* characters are numbers below 2^this; 1 to 8, packed 1, 2 or 4; 0 is 8 */
    uint64_t characters;    /* of a packed text; 0 is as many as its bytes hold */
} ww_find_options;
#define WW_FIND_OPTIONS \
    { sizeof(ww_find_options), WW_FIND_AUTO, false, false, 0, 0 }

#define WW_PATTERN_MOST (UINT64_C(1) << 20) /* characters of a pattern */
#define WW_NOT_FOUND UINT64_MAX

/* Finds every position where the pattern begins, and says how many there are.
 *   text       u8 or i8 (TYPE), any input; a computed one is written to scratch first
 *   pattern    1 (INVALID) to WW_PATTERN_MOST (LIMIT) characters, a byte each even if the text is packed, in the host's memory;
 *              if longer than the text it is not found. A character at or above 2^alphabet_bits is INVALID in the pattern, and
 *              matches nothing in the text
 *   positions  u32 or u64, of any length, or ww_none: where matches begin, in ascending order; if there are more matches than
 *              elements, the first ones. Elements after the last match are unchanged. Must not overlap the text. u32 is TYPE
 *              for texts above 2^32 characters
 *   count      one u32 or u64: all matches, whether or not they fit in positions
 *   options    fold: not with packed (INVALID). divide32 and divide64 take patterns up to 32 and 64 bits long, which is
 *              length times alphabet_bits (LIMIT); packed texts go by divide32, divide64, divide and auto (INVALID)
 *   passes     1 n read (auto: looks for the pattern's rarest part; long patterns allow some of the text to be skipped: on a
 *              CPU one word of 8 or 16 bytes in about m is read, from 64 characters on); matches written once. A text with many
 *              near matches costs no more than a small multiple: the loop then changes to one that never backtracks. On a CPU
 *              auto compares at most 16 characters for each of the text's and the pattern's, counting them as it runs, and
 *              continues with Crochemore and Perrin's two-way algorithm
 *   scratch    a computed text; on a CPU 32 KiB a thread, or pattern_count / 2 bytes where that is more, and for auto
 *              2 * pattern_count + 48 KiB, for serial, divide, hybrid and twostage 5 * pattern_count + 4 KiB; of named methods
 *              on a GPU, and of cooperative and recurrence: a bit for each character and the pattern; cooperative 44,
 *              recurrence 28 bytes more for each of 2^22 characters, the chunk that they go on by, and 32 m bytes. On a GPU
 *              patterns above 32 KiB are copied, and waited for
 *   GPUs       auto: 1 n read in one launch, by the rarest 8 characters of the pattern (all of a shorter one), matches written
 *              in order on the way. For patterns of more than 8 characters (64 bits of a packed text; 1, where letters are
 *              folded and the pattern has others) a second launch searches again, in 2 to 4 n read at some 40 instructions a
 *              character, if comparing candidates took too much: above 2 n bytes in all, or 128 KiB in 2 KiB of text; else it
 *              returns at once. Scratch: n / 2048 bytes and 64 KiB, for the longer patterns n / 8 more, for those above some
 *              2,700 characters (1,400 folded) 2 bytes for each of theirs (4 folded), and the text where it is computed;
 *              several texts as longer patterns. Patterns that take such scratch cannot be part of a graph (UNSUPPORTED). Only
 *              a count, or one position, in memory that the GPU cannot access is waited for
 * Ashkiani (2017), chapter 2; Karp and Rabin, Efficient randomized pattern-matching algorithms (1987). */
WW_API ww_status ww_find(ww_device *device, ww_input text, const void *pattern, uint64_t pattern_count,
                         ww_array positions, ww_array count, const ww_find_options *options);

/* The first match alone, or the last: hardly any of the text after it, or before it, is read.
 *   position   one u64 (INVALID): where it begins, or WW_NOT_FOUND
 *   others     as ww_find's; options' method is auto (INVALID) */
WW_API ww_status ww_find_first(ww_device *device, ww_input text, const void *pattern, uint64_t pattern_count,
                               ww_array position, const ww_find_options *options);
WW_API ww_status ww_find_last(ww_device *device, ww_input text, const void *pattern, uint64_t pattern_count,
                              ww_array position, const ww_find_options *options);

/* Finds the pattern in each of several texts that follow one another: text t is text[offsets[t]] … text[offsets[t + 1] - 1],
 * and may be empty. A match lies within one text.
 *   offsets    one more than texts, u32, u64, i32 or i64; they do not decrease and end at the buffer's count or before
 *              (RANGE with the position of the lowest that does not; outputs are then unspecified). If they are computed from
 *              elements of more than a KiB, a CPU keeps them in scratch memory
 *   positions  in the whole buffer, as ww_find's
 *   counts     one for each text, u32 or u64, or ww_none         count   of all of them
 *   options    packed is INVALID */
WW_API ww_status ww_find_texts(ww_device *device, ww_input text, ww_input offsets, const void *pattern,
                               uint64_t pattern_count, ww_array positions, ww_array counts, ww_array count,
                               const ww_find_options *options);

/* ---- many patterns ---- */

/* Patterns prepared for one device, to be used any number of times. They belong to their handle, and have to be closed before
 * it. A handle, with all that belongs to it, serves one thread at a time. They take memory of the device: at most 112 bytes for
 * each pattern, the patterns' bytes, and 1.1 MiB. */
typedef struct ww_patterns ww_patterns;

/* Prepares `count` patterns (1 to 2^20; LIMIT): pattern k is bytes[offsets[k]] … bytes[offsets[k + 1] - 1], of 1 to
 * WW_PATTERN_MOST bytes each and 2^28 in all (LIMIT; empty: INVALID, with its number), in the host's memory and copied. Offsets
 * that decrease are RANGE, with the lowest position. Equal patterns are found each. options: fold alone (INVALID). *patterns is
 * NULL on failure. The host sorts them: 16 bytes of its memory for each pattern meanwhile (and on a GPU as much as they take
 * there). */
WW_API ww_status ww_patterns_open(ww_device *device, const void *bytes, const uint64_t *offsets, uint64_t count,
                                  ww_patterns **patterns, const ww_find_options *options);
WW_API void ww_patterns_close(ww_patterns *patterns); /* NULL is fine */

/* Finds every position where any of the patterns begins, in one pass over the text.
 *   text       as ww_find's, not packed
 *   positions  as ww_find's, in rising order        numbers   which pattern begins there: u32 or u64, as many as positions
 *              (INVALID), or ww_none; where several do, rising
 *   count      one u32 or u64: all matches. u32 is TYPE where there could be more: a match for each byte, times the most of the
 *              patterns that begin one another
 *   passes     1 n read; matches written once. A prefilter rejects positions at which no pattern's first 8 bytes occur (for
 *              shorter patterns first 4; first 2); its tables are 16 KiB for 1,000 patterns on a CPU, 32 on a GPU, where they
 *              end at 64: above 10,000 patterns there are more and more false candidates
 *   costs      a candidate position takes a look-up, and the comparisons of a binary search among the patterns with its first 8
 *              bytes (shorter ones: 2; and where more than 32 patterns were computed to have one hash, theirs: 2), each only of
 *              what is not known to be alike already. So, whatever the patterns are, it costs at most
 *              what the text has in common with a pattern, plus the logarithm of the number of patterns, plus the matches there
 *              (sorted by number where there are several). Texts that contain the first m - 1 bytes of a pattern of m again and
 *              again, as "aaaa…" does for "aaa…ab", cost m at each position: only here work is not linear in the text
 *   scratch    392 KiB for each thread of a CPU, of one pattern alone ww_find's; on a GPU 8 bytes for each 32 KiB of the
 *              text; and a computed text
 * Rabin and Karp (1987) for the prefilter; Manber and Myers, Suffix arrays (1990), for the search; Langdale's Teddy, in
 * Hyperscan (Wang et al. 2019), for up to 64 patterns on a CPU with vectors. */
WW_API ww_status ww_find_many(ww_patterns *patterns, ww_input text, ww_array positions, ww_array numbers,
                              ww_array count);

/* ---- text that comes in chunks ---- */

typedef struct ww_find_stream ww_find_stream;

/* Begins a text that comes in chunks; the patterns remain the caller's, and must stay open longer than it. *stream is NULL on
 * failure. It keeps the last bytes that a match may need (the longest pattern's, less one): four times as many of the device's
 * memory. Several streams may use one set of patterns at the same time. */
WW_API ww_status ww_find_stream_open(ww_patterns *patterns, ww_find_stream **stream);
WW_API void ww_find_stream_close(ww_find_stream *stream); /* NULL is fine */

/* Continues the text with `chunk` (u8 or i8; of any length, also 0), and gives the matches that end in it as ww_find_many does:
 * positions are counted from the beginning of the text, ascending in this call, u64 (INVALID). If they do not fit in positions,
 * the first ones; `count` says how many end in this chunk. A call that fails leaves the stream unchanged.
 *   passes     the chunk is read once; what is kept, and as many bytes of the chunk, once more with each call, and written
 *              twice: so chunks should be much longer than the longest pattern */
WW_API ww_status ww_find_stream_next(ww_find_stream *stream, ww_input chunk, ww_array positions, ww_array numbers,
                                     ww_array count);

/* ---- k mismatches ---- */

enum { WW_NEAR_MOST = 256 };

/* Finds every position where the pattern matches with at most `most` mismatches (substitutions: Hamming distance).
 *   pattern    1 (INVALID) to WW_NEAR_MOST (LIMIT) bytes        most   below pattern_count (INVALID)
 *   positions, count   as ww_find's        differences   u8 or u32, as many as positions: how many differ there; or ww_none
 *   options    fold alone (INVALID)
 *   passes     1 n read, m characters compared a start at most, and most + 3 or so as a rule: a CPU counts differences of many
 *              starts at once, the text's rarest characters first; a GPU first looks for one of most + 1 parts of the pattern,
 *              which is there whole, if each has 4 characters. differences: m characters more for each match that is written
 *   scratch    a computed text; a CPU 16 KiB a thread + 64 KiB; a GPU n / 4 bytes + 64 KiB */
WW_API ww_status ww_find_near(ww_device *device, ww_input text, const void *pattern, uint64_t pattern_count,
                              uint64_t most, ww_array positions, ww_array differences, ww_array count,
                              const ww_find_options *options);

#ifdef __cplusplus
}
#endif
#endif
