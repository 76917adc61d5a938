#include "support/texts.h"

#include <ctype.h>

const char *text_kind_name(text_kind kind) {
    static const char *const names[] = {"bytes",    "one letter", "two letters", "DNA", "English",
                                        "periodic", "Fibonacci",  "zeros",       "high"};
    return names[kind];
}

static unsigned char english(uint64_t *state) {
    static const char letters[] = "      eeeeeettttaaaooiinnsshhrrdlcumwfgypbvkETA.,qz\n";
    return (unsigned char)letters[random_next(state) % (sizeof letters - 1)];
}

static unsigned char character(text_kind kind, size_t i, uint64_t *state) {
    const uint64_t r = random_next(state);
    switch (kind) {
    case TEXT_ONE:
        return 'a';
    case TEXT_TWO:
        return (unsigned char)("ab"[r >> 17 & 1]);
    case TEXT_DNA:
        return (unsigned char)("ACGT"[r >> 17 & 3]);
    case TEXT_ENGLISH:
        return english(state);
    case TEXT_PERIODIC:
        return (unsigned char)(r % 500 ? "abcabca"[i % 7] : 'c');
    case TEXT_ZEROS:
        return r % 300 == 0;
    case TEXT_HIGH:
        return (unsigned char)(0xF0 | (r >> 17 & 15));
    default:
        return (unsigned char)(r >> 17);
    }
}

/* a, ab, aba, abaab, …: each is the two before it. */
static void fibonacci(unsigned char *text, size_t n) {
    size_t before = 1, have = 2;
    if (n) text[0] = 'a';
    if (n > 1) text[1] = 'b';
    while (have < n) {
        const size_t more = before < n - have ? before : n - have;
        memcpy(text + have, text, more);
        before = have, have += more;
    }
}

void text_fill(unsigned char *text, size_t n, text_kind kind, uint64_t seed) {
    uint64_t state = seed;
    if (kind == TEXT_FIBONACCI)
        fibonacci(text, n);
    else
        for (size_t i = 0; i < n; i++) text[i] = character(kind, i, &state);
}

void pattern_choose(unsigned char *pattern, size_t m, unsigned char *text, size_t n, text_kind kind, pattern_way way,
                    uint64_t seed) {
    enum { PLANTED = 5 };
    uint64_t state = seed + 1;
    text_fill(pattern, m, kind, seed + 2);
    if (way == PATTERN_NEW || m > n) return;
    memcpy(pattern, text + random_next(&state) % (n - m + 1), m);
    for (int i = 0; i < PLANTED && kind != TEXT_ONE; i++) memcpy(text + random_next(&state) % (n - m + 1), pattern, m);
    if (way == PATTERN_SPOILT) pattern[m - 1] ^= 1;
}

void text_turn_cases(unsigned char *text, size_t n, uint64_t seed) {
    uint64_t state = seed;
    for (size_t i = 0; i < n; i++)
        if (isalpha(text[i]) && random_next(&state) & 1 << 9) text[i] ^= 32;
}

held_text held_text_new(size_t n, size_t off) {
    held_text t = {0};
    off %= 64;
    if (on_gpu()) {
        t.around = guarded_new(n + off);
        t.data = (unsigned char *)t.around.data + off;
    } else {
        if (posix_memalign(&t.block, 64, n + off ? n + off : 1)) abort();
        t.data = (unsigned char *)t.block + off;
    }
    return t;
}

void held_text_free(held_text *t) {
    if (t->block)
        free(t->block);
    else
        guarded_free(&t->around);
}

uint64_t number_in(const ww_array *array, size_t i) {
    return array->size == 8 ? ((const uint64_t *)array->data)[i] : ((const uint32_t *)array->data)[i];
}

void numbers_begin(numbers_out *out, size_t n, bool wide, bool hosts) {
    const ww_type *type = wide ? &ww_type_uint64_t : &ww_type_uint32_t;
    out->memory = guarded_new(n * type->size);
    out->own = UINT64_C(0xA5A5A5A5A5A5A5A5);
    out->array = ww_array_of(hosts && n == 1 ? (void *)&out->own : out->memory.data, n, type);
}

void numbers_check(numbers_out *out, const uint64_t *numbers, uint64_t wanted) {
    const size_t n = (size_t)out->array.count, size = out->array.size;
    unsigned char *right = need(n * size + 1);
    memset(right, 0xA5, n * size);
    for (size_t i = 0; i < n && i < wanted; i++) {
        const uint32_t narrow = (uint32_t)numbers[i];
        if (size == 8)
            memcpy(right + 8 * i, &numbers[i], 8);
        else
            memcpy(right + 4 * i, &narrow, 4);
    }
    if (n) expect_elements(out->array.data, right, n, size);
    free(right);
    guarded_check(&out->memory);
}

void numbers_end(numbers_out *out) { guarded_free(&out->memory); }
