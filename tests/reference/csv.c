#include "reference/csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct place {
    const char *text;
    size_t at, length;
    bool failed;
} place;

static bool ends(const place *p) { return p->at == p->length; }

/* One field; *plain_empty: it has no byte, and no quotes. */
static size_t field(place *p, char delimiter, char *to, bool *plain_empty) {
    size_t n = 0;
    *plain_empty = false;
    if (!ends(p) && p->text[p->at] == '"') {
        p->at++;
        for (;; p->at++) {
            if (ends(p)) {
                p->failed = true;
                return n;
            }
            if (p->text[p->at] == '"') {
                if (p->at + 1 == p->length || p->text[p->at + 1] != '"') break;
                p->at++;
            }
            to[n++] = p->text[p->at];
        }
        p->at++;
        if (ends(p) || p->text[p->at] == delimiter || p->text[p->at] == '\n') return n;
        if (p->text[p->at] == '\r' && (p->at + 1 == p->length || p->text[p->at + 1] == '\n'))
            p->at++;
        else
            p->failed = true;
        return n;
    }
    while (!ends(p) && p->text[p->at] != delimiter && p->text[p->at] != '\n') to[n++] = p->text[p->at++];
    if (n && to[n - 1] == '\r' && (ends(p) || p->text[p->at] == '\n')) n--;
    *plain_empty = n == 0;
    return n;
}

bool reference_csv(const char *text, size_t length, char delimiter, uint64_t column, size_t longest, char *out,
                   size_t *out_length) {
    place p = {text, length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, length, false};
    uint64_t fields = 0;
    size_t kept = 0; /* of out: up to the last row that is not empty */
    size_t used = 0;
    bool pending = false; /* an error of an empty row, which counts only when another row follows */
    *out_length = 0;
    for (uint64_t row = 1; !ends(&p); row++) {
        bool empty = true, more = true, wrong = false;
        uint64_t count = 0;
        const size_t before = used;
        while (more) {
            char *const to = out + used + 24;
            const size_t n = field(&p, delimiter, to, &empty);
            count++;
            if (p.failed) break;
            if (count == column) {
                wrong |= n > longest;
                if (!wrong) {
                    char number[24];
                    const size_t digits = (size_t)snprintf(number, sizeof number, "%" PRIu64 ":", row);
                    memcpy(out + used, number, digits);
                    memmove(out + used + digits, to, n);
                    used += digits + n;
                    out[used++] = '\n';
                }
            }
            if (wrong) break;
            more = !ends(&p) && p.text[p.at] == delimiter;
            p.at += more;
        }
        empty = empty && count == 1 && !p.failed && !wrong;
        p.at += !ends(&p);
        if (pending && !empty) {
            *out_length = kept;
            return false;
        }
        if (!fields && !p.failed && !wrong) {
            fields = count;
            wrong = column > fields;
        } else if (count != fields) {
            wrong = true;
        }
        if (empty && wrong) {
            if (!pending) kept = before;
            pending = true;
            continue;
        }
        if (p.failed || wrong) {
            *out_length = used;
            return false;
        }
        if (!empty) kept = used;
    }
    *out_length = kept;
    return true;
}
