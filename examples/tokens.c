/* Splits a text into words, numbers, quoted strings and marks with a small automaton, in parallel: tokens [FILE]
 *
 * Whether a byte begins a token depends on the state in which the bytes before it have left the automaton – a quote may
 * have been opened long ago. But each byte is a function from states to states, and functions compose. There are six
 * states, so a function is a table of six entries, four bits each: one 32-bit word, and composition a few shifts. A scan
 * over these words gives the state before every byte; the positions where tokens begin are packed in the same pass that
 * finds them. Hillis and Steele, Data Parallel Algorithms, 1986. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warpwise.h>

WW_CONSTANT(BLANK, uint32_t, 0);   /* between tokens, or just after a closing quote */
WW_CONSTANT(WORD, uint32_t, 1);    /* letters, digits, _ */
WW_CONSTANT(NUMBER, uint32_t, 2);  /* a digit, then letters, digits, _ and . */
WW_CONSTANT(QUOTED, uint32_t, 3);  /* inside "…" */
WW_CONSTANT(ESCAPED, uint32_t, 4); /* inside "…", after a backslash */
WW_CONSTANT(MARK, uint32_t, 5);    /* any other byte: a token of its own */
WW_CONSTANT(STATES, uint32_t, 6);

/* clang-format off */
WW_FUNCTION(next, uint32_t, (uint32_t state, uint8_t c), {
    if (state == ESCAPED) return QUOTED;
    if (state == QUOTED) return c == '"' ? BLANK : c == '\\' ? ESCAPED : QUOTED;
    if (c == '"') return QUOTED;
    if (c == ' ' || (c >= '\t' && c <= '\r')) return BLANK;
    if (c >= '0' && c <= '9') return state == WORD ? WORD : NUMBER;
    if ((c | 32) >= 'a' && (c | 32) <= 'z') return state == NUMBER ? NUMBER : WORD;
    if (c == '_') return state == NUMBER ? NUMBER : WORD;
    return c == '.' && state == NUMBER ? NUMBER : MARK;
}, BLANK, WORD, NUMBER, QUOTED, ESCAPED, MARK);
/* clang-format on */

WW_MAP_USES((next, STATES), table_of, uint32_t, uint8_t, c, void, none, {
    uint32_t table = 0;
    for (uint32_t s = 0; s < STATES; s++) table |= next(s, c) << 4 * s;
    return table;
});

/* First a, then b. The identity sends each state to itself. */
WW_COMBINE_USES((STATES), then, uint32_t, a, b, WW_ORDERED, WW_IDENTITY(0x543210), {
    uint32_t table = 0;
    for (uint32_t s = 0; s < STATES; s++) table |= (b >> 4 * (a >> 4 * s & 15) & 15) << 4 * s;
    return table;
});

/* A text begins between tokens, so the state before a byte is entry 0 of what all bytes before it do. */
WW_MAP2_USES((next, BLANK, QUOTED, ESCAPED, MARK), begins, uint8_t, uint8_t, c, uint32_t, before, void, none, {
    uint32_t from = before & 15;
    uint32_t to = next(from, c);
    return from != QUOTED && from != ESCAPED && to != BLANK && (to == MARK || to != from);
});

/* The same by a tokeniser of the usual kind, which shares nothing with the automaton. */
static bool in_name(uint8_t c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(uint8_t c) { return c == ' ' || (c >= 9 && c <= 13); }

static size_t tokens_by_hand(const uint8_t *text, size_t n, uint64_t *starts) {
    size_t count = 0;
    for (size_t i = 0; i < n;) {
        const size_t start = i++;
        if (is_blank(text[start])) continue;
        starts[count++] = start;
        if (text[start] == '"') {
            while (i < n && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
            i++;
        } else if (in_name(text[start])) {
            const bool number = text[start] <= '9';
            while (i < n && (in_name(text[i]) || (number && text[i] == '.'))) i++;
        }
    }
    return count;
}

static const char sample[] = "if (x_1 >= 0x1F) { say(\"He said: \\\"pack  it\\\", didn't he?\", 3.25e7); n2 += 1; }\n"
                             "\"\"\"two empty ones before\" 42nd _under.score // and a path: \"C:\\\\\"\n";

int main(int argc, char **argv) {
    /* The bytes of the file, or the sample many times over. */
    const size_t length = sizeof sample - 1, copies = 10000;
    uint8_t *text = (uint8_t *)malloc(length * copies);
    if (!text) return 1;
    for (size_t k = 0; k < copies; k++) memcpy(text + k * length, sample, length);
    ww_file_array file = {ww_array(text, length * copies), {0, 0}};
    ww_device *device;
    if (ww_open(NULL, &device) ||
        (argc > 1 && ww_file_read(device, argv[1], ww_array_of(NULL, 0, &ww_type_uint8_t), &file))) {
        fprintf(stderr, "tokens: %s\n", ww_error(device));
        ww_close(device);
        free(text);
        return 1;
    }

    const uint8_t *c = (const uint8_t *)file.array.data;
    const size_t n = file.array.count;
    uint32_t *before = (uint32_t *)malloc((n + 1) * sizeof *before);
    uint64_t *starts = (uint64_t *)malloc((n + 1) * sizeof *starts), count;
    uint64_t *wanted = (uint64_t *)malloc((n + 1) * sizeof *wanted);
    if (!before || !starts || !wanted) return 1;
    ww_scan_options exclusive = WW_SCAN_OPTIONS;
    exclusive.exclusive = true;
    const ww_input begin = ww_mapped2(&begins_ww, ww_memory(c, n), ww_memory(before, n));
    if (ww_scan(device, &then_ww, ww_mapped(&table_of_ww, ww_memory(c, n)), ww_array(before, n), &exclusive) ||
        ww_pack(device, ww_counting(&ww_type_uint64_t, 0, n), begin, ww_array(starts, n), ww_array(&count, 1), NULL)) {
        fprintf(stderr, "tokens: %s\n", ww_error(device));
        ww_close(device);
        return 1;
    }

    const size_t by_hand = tokens_by_hand(c, n, wanted);
    const int wrong = count != by_hand || memcmp(starts, wanted, by_hand * sizeof *wanted) != 0;
    for (size_t t = 0; t < count && t < 12; t++) {
        size_t end = t + 1 < count ? starts[t + 1] : n;
        while (is_blank(c[end - 1])) end--;
        const size_t shown = end - starts[t] < 40 ? end - starts[t] : 40;
        printf("%s%.*s", t ? " | " : "", (int)shown, (const char *)c + starts[t]);
    }
    printf("%s\n%zu bytes, %llu tokens: %s\n", count > 12 ? " | …" : "", n, (unsigned long long)count,
           wrong ? "WRONG" : "right");
    if (argc > 1) ww_file_release(device, &file);
    ww_close(device);
    free(text);
    free(before);
    free(starts);
    free(wanted);
    return wrong;
}
