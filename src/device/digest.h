/* BLAKE2b of 256 bits (RFC 7693): names and checks files whose content is run. The code is its authors', in third_party/blake2, under
 * names that cannot meet those of another copy in a program that links the static library. */
#ifndef WW__DIGEST_H
#define WW__DIGEST_H

#define blake2 ww__blake2
#define blake2b ww__blake2b
#define blake2b_init ww__blake2b_init
#define blake2b_init_key ww__blake2b_init_key
#define blake2b_init_param ww__blake2b_init_param
#define blake2b_update ww__blake2b_update
#define blake2b_final ww__blake2b_final
#include "blake2/blake2.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WW__DIGEST = 32, WW__DIGEST_TEXT = 2 * WW__DIGEST + 1 };

typedef struct ww__digest {
    blake2b_state state;
} ww__digest;

void ww__digest_begin(ww__digest *digest);
void ww__digest_add(ww__digest *digest, const void *bytes, size_t length);
/* A text with its 0, so that two texts in a row are not one. */
void ww__digest_add_text(ww__digest *digest, const char *text);
void ww__digest_end(ww__digest *digest, unsigned char bytes[WW__DIGEST]);
/* The same as small hexadecimal digits. */
void ww__digest_end_text(ww__digest *digest, char text[WW__DIGEST_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
