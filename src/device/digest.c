/* See digest.h. */
#include "device/digest.h"

#include "blake2/blake2b-ref.c"

void ww__digest_begin(ww__digest *digest) { blake2b_init(&digest->state, WW__DIGEST); }

void ww__digest_add(ww__digest *digest, const void *bytes, size_t length) {
    blake2b_update(&digest->state, bytes, length);
}

void ww__digest_add_text(ww__digest *digest, const char *text) { ww__digest_add(digest, text, strlen(text) + 1); }

void ww__digest_end(ww__digest *digest, unsigned char bytes[WW__DIGEST]) {
    blake2b_final(&digest->state, bytes, WW__DIGEST);
}

void ww__digest_end_text(ww__digest *digest, char text[WW__DIGEST_TEXT]) {
    static const char digit[] = "0123456789abcdef";
    unsigned char bytes[WW__DIGEST];
    ww__digest_end(digest, bytes);
    for (size_t i = 0; i < WW__DIGEST; i++) {
        text[2 * i] = digit[bytes[i] >> 4];
        text[2 * i + 1] = digit[bytes[i] & 15];
    }
    text[2 * WW__DIGEST] = 0;
}
