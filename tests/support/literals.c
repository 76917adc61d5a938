#include "support/literals.h"

const literals_case literals_cases[] = {
    {"nothing", 0, 26, LITERALS_RANDOM, 3, 1, 5, false},
    {"shorter than all", 7, 26, LITERALS_RANDOM, 3, 8, 9, false},
    {"one pattern", 3000, 2, LITERALS_RANDOM, 1, 5, 5, false},
    {"two letters", 3000, 2, LITERALS_RANDOM, 40, 1, 12, false},
    {"four letters", 5000, 4, LITERALS_TAKEN, 100, 1, 70, false},
    {"words", 5000, 26, LITERALS_TAKEN, 200, 8, 32, false},
    {"words that are not there", 5000, 26, LITERALS_RANDOM, 300, 8, 32, false},
    {"words in any case", 5000, 26, LITERALS_TAKEN, 150, 3, 20, true},
    {"long words in any case", 5000, 26, LITERALS_TAKEN, 100, 9, 30, true},
    {"few words in any case", 4000, 26, LITERALS_TAKEN, 9, 2, 9, true},
    {"few", 5000, 26, LITERALS_TAKEN, 10, 4, 12, false},
    {"few long", 5000, 2, LITERALS_TAKEN, 10, 40, 60, false},
    {"single bytes", 2000, 26, LITERALS_TAKEN, 20, 1, 1, false},
    {"two bytes", 2000, 26, LITERALS_TAKEN, 30, 2, 2, false},
    {"three to seven", 4000, 4, LITERALS_TAKEN, 90, 3, 7, false},
    {"four to seven", 4000, 26, LITERALS_TAKEN, 90, 4, 7, false},
    {"nested", 1500, 1, LITERALS_NESTED, 70, 1, 70, false},
    {"nested, from 8 on", 1500, 1, LITERALS_NESTED, 80, 8, 88, false},
    {"one beginning", 4000, 2, LITERALS_PREFIX, 120, 20, 40, false},
    {"one end", 4000, 2, LITERALS_SUFFIX, 120, 9, 20, false},
    {"equal", 2500, 3, LITERALS_EQUAL, 100, 1, 9, false},
    {"bytes", 4000, 0, LITERALS_BYTES, 200, 1, 10, false},
    {"bytes, folded", 4000, 0, LITERALS_BYTES, 100, 8, 12, true},
    {"thousands long", 9000, 2, LITERALS_TAKEN, 20, 1000, 3000, false},
    {"short and thousands long", 9000, 4, LITERALS_TAKEN, 12, 2, 3000, false},
    {"many", 3000, 26, LITERALS_TAKEN, 3000, 2, 30, false},
    {"many long", 3000, 26, LITERALS_TAKEN, 2000, 8, 30, false},
    {"all of the text", 500, 4, LITERALS_TAKEN, 3, 500, 500, false},
};
const size_t literals_count = sizeof literals_cases / sizeof *literals_cases;

static unsigned char letter(unsigned alphabet, uint64_t *state) {
    const uint64_t r = random_next(state);
    if (alphabet == 1) return r % 50 ? 'a' : (unsigned char)('a' + r / 50 % 3);
    if (alphabet) return (unsigned char)('a' + r % alphabet);
    return r & 3 ? (unsigned char)(r >> 8) : r & 4 ? 0 : 255;
}

static void put_pattern(literals *l, const literals_case *c, size_t k, unsigned char *to, size_t length,
                        uint64_t *state) {
    const size_t at = length <= l->n ? random_next(state) % (l->n - length + 1) : 0;
    if (c->kind == LITERALS_TAKEN && length <= l->n) {
        memcpy(to, l->text + at, length);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        to[i] = letter(c->alphabet, state);
        if (c->kind == LITERALS_NESTED || (c->kind == LITERALS_PREFIX && i + 6 < length) ||
            (c->kind == LITERALS_SUFFIX && i >= 5))
            to[i] = 'a';
        if (c->kind == LITERALS_EQUAL) to[i] = (unsigned char)('a' + (k % 4 + i) % 3);
    }
    /* Some of them are in the text, where nothing else put them. */
    if (c->kind != LITERALS_RANDOM && k % 3 == 0 && length <= l->n) memcpy(l->text + at, to, length);
}

static void mix_case(unsigned char *text, size_t n, uint64_t *state) {
    for (size_t i = 0; i < n; i++)
        if (text[i] >= 'a' && text[i] <= 'z' && random_next(state) & 1) text[i] ^= 32;
}

literals literals_new(const literals_case *c, size_t begin, uint64_t seed) {
    uint64_t state = seed;
    const size_t room = c->count * c->longest;
    literals l = {.n = c->n, .count = c->count, .block = need(begin + c->n ? begin + c->n : 1), .bytes = need(room)};
    l.offsets = need((c->count + 1) * sizeof *l.offsets);
    l.text = l.block + begin;
    for (size_t i = 0; i < l.n; i++) l.text[i] = letter(c->alphabet, &state);
    l.offsets[0] = 0;
    for (size_t k = 0; k < c->count; k++) {
        size_t length = c->shortest + random_next(&state) % (c->longest - c->shortest + 1);
        if (c->kind == LITERALS_NESTED) length = c->shortest + k % (c->longest - c->shortest + 1);
        put_pattern(&l, c, k, l.bytes + l.offsets[k], length, &state);
        l.offsets[k + 1] = l.offsets[k] + length;
    }
    if (c->fold) {
        mix_case(l.text, l.n, &state);
        mix_case(l.bytes, l.offsets[l.count], &state);
    }
    return l;
}

void literals_free(literals *l) {
    free(l->block);
    free(l->bytes);
    free(l->offsets);
}
