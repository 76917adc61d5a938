#include "find_lines.h"

#include <stdlib.h>
#include <string.h>

#include "print.h"

enum {
    LEAST_ROOM = 4 << 20,                       /* bytes of lines */
    LOW = 10000,                                /* four digits */
    COPIED = 32,                                /* bytes of a head that are copied at once */
    DIGITS = 20,                                /* of 2^64 */
    ROUND_IT = DIGITS + 1 + DIGITS + 1 + COPIED /* bytes of a line, beside its name */
};

static char *put_pair(char *to, unsigned pair) {
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
        "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
        "9899";
    memcpy(to, pairs + 2 * pair, 2);
    return to + 2;
}

bool lines_open(lines *l, size_t longest_name) {
    const size_t head = longest_name + 1 + ROUND_IT;
    *l = (lines){.room = head < LEAST_ROOM / 2 ? LEAST_ROOM : 2 * head};
    l->bytes = malloc(l->room);
    l->head = malloc(head);
    return l->bytes && l->head;
}

void lines_close(lines *l) {
    free(l->bytes);
    free(l->head);
}

void lines_name(lines *l, const char *name) {
    const size_t length = name ? strlen(name) : 0;
    if (name) {
        memcpy(l->head, name, length);
        l->head[length] = ':';
    }
    l->name = l->head_length = length + (name != NULL);
    l->head_number = 0; /* which has no digits */
}

bool lines_full(const lines *l) { return l->room - l->used < l->name + ROUND_IT; }

static char *put_head(const lines *l, char *to) {
    if (l->head_length <= COPIED)
        memcpy(to, l->head, COPIED); /* what is too much is written over */
    else
        memcpy(to, l->head, l->head_length);
    return to + l->head_length;
}

void lines_put(lines *l, uint64_t offset, uint64_t number) {
    const uint64_t high = offset / LOW;
    const unsigned low = (unsigned)(offset % LOW);
    char *to = l->bytes + l->used;
    if (high != l->head_number) {
        l->head_number = high;
        l->head_length = high ? (size_t)(put_digits(l->head + l->name, high) - l->head) : l->name;
    }
    to = put_head(l, to);
    to = high ? put_pair(put_pair(to, low / 100), low % 100) : put_digits(to, low);
    if (number) {
        *to++ = '\t';
        to = put_digits(to, number);
    }
    *to++ = '\n';
    l->used = (size_t)(to - l->bytes);
}
