/* Where segments begin: head flags that are given, or the changes of keys. */
#ifndef WW__SCAN_HEADS_H
#define WW__SCAN_HEADS_H

#include "primitive/scan/sides.h"

/* Scratch bytes that one worker needs to find n heads, without the n flags themselves. */
size_t ww__heads_room(const ww__scanning *s, size_t n);

/* Flags first … first + n - 1 at `heads`, not 0 where a segment begins; element 0 always begins one. */
void ww__heads_read(const ww__scanning *s, uint64_t first, size_t n, uint8_t *heads, void *room);

/* Bytes that finding all heads reads. */
uint64_t ww__heads_bytes(const ww__scanning *s);

#endif
