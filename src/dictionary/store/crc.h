/* CRC-32C: the checksums of files. It finds each change of one to three bits in a page, and each that lies within 32 bits.
 * (BLAKE2b, which the library has for names of compiled kernels, takes eight times as long, and nobody is kept out here.) */
#ifndef WW__STORE_CRC_H
#define WW__STORE_CRC_H

#include <stddef.h>
#include <stdint.h>

uint32_t ww__crc(const void *bytes, size_t length);

/* The same without the processor's instruction. */
uint32_t ww__crc_plain(const void *bytes, size_t length);

#endif
