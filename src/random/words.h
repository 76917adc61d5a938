/* Words of Philox on a CPU, many blocks at once. */
#ifndef WW__RANDOM_WORDS_H
#define WW__RANDOM_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Writes blocks `block` … `block` + blocks - 1, four words each; a multiple of WW__PHILOX_BLOCKS of them. */
enum { WW__PHILOX_BLOCKS = 8 };
typedef void ww__philox_words(uint32_t *words, uint64_t seed, uint64_t stream, uint64_t block, size_t blocks);

/* The function for a device's vector width. */
ww__philox_words *ww__philox_words_of(int vector);

#endif
