/* Flags are copied, keys compared with their neighbours, some thousand bytes of keys at a time. */
#include "primitive/scan/heads.h"

#include <string.h>

static size_t keys_at_once(const ww__scanning *s, size_t n) {
    const size_t tile = ww__tile(s->keys->size);
    return tile < n ? tile : n;
}

size_t ww__heads_room(const ww__scanning *s, size_t n) {
    return ww__round_up(s->heads ? ww__input_room(s->heads, n) : ww__input_room(s->keys, keys_at_once(s, n) + 1), 64);
}

uint64_t ww__heads_bytes(const ww__scanning *s) { return ww__input_bytes(s->heads ? s->heads : s->keys); }

/* heads[i] = key i differs from key i - 1; keys + size is key 0. */
static void compare(uint8_t *heads, const unsigned char *keys, size_t n, size_t size) {
    switch (size) {
#define COMPARE(T) \
    case sizeof(T): \
        for (size_t i = 0; i < n; i++) { \
            T a, b; \
            memcpy(&a, keys + i * sizeof(T), sizeof a); \
            memcpy(&b, keys + (i + 1) * sizeof(T), sizeof b); \
            heads[i] = a != b; \
        } \
        return;
        COMPARE(uint8_t)
        COMPARE(uint16_t)
        COMPARE(uint32_t)
        COMPARE(uint64_t)
#undef COMPARE
    default:
        for (size_t i = 0; i < n; i++) heads[i] = memcmp(keys + i * size, keys + (i + 1) * size, size) != 0;
    }
}

static void read_changes(const ww__scanning *s, uint64_t first, size_t n, uint8_t *heads, void *room) {
    const size_t at_once = keys_at_once(s, n);
    for (size_t done = 0, m; done < n; done += m) {
        const uint64_t at = first + done;
        m = n - done < at_once ? n - done : at_once;
        if (at) {
            compare(heads + done, ww__input_read(s->device, s->keys, at - 1, m + 1, room), m, s->keys->size);
        } else {
            heads[0] = 1;
            compare(heads + 1, ww__input_read(s->device, s->keys, 0, m, room), m - 1, s->keys->size);
        }
    }
}

void ww__heads_read(const ww__scanning *s, uint64_t first, size_t n, uint8_t *heads, void *room) {
    if (s->keys) {
        read_changes(s, first, n, heads, room);
        return;
    }
    memcpy(heads, ww__input_read(s->device, s->heads, first, n, room), n);
    if (!first) heads[0] = 1;
}
