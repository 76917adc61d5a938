/* The writer of lines for one key size and one value size; files that move elements include this one with
 *     KEY         a type of the keys' size
 *     KEY_NAME    its short name; ANY_KEY is a key at any address
 *     VALUE       a type of the values' size
 *     VALUED      0: there are no values, and no code for them
 *     VALUE_NAME  a name for the pair of sizes
 *     LINE        bytes of a line
 *     CHECKED     1: buckets may be too full, and lines that reach behind an end are dropped
 * and undefine what it defines by including lines_end.h. */

#define LINES_JOINED(a, b) LINES_JOINED_EXPANDED(a, b)
#define LINES_JOINED_EXPANDED(a, b) a##_##b
#define PAIR(what) LINES_JOINED(what, VALUE_NAME)
#define KEYS_A_LINE (LINE / sizeof(KEY))
#define VALUES_A_LINE (LINE / sizeof(VALUE))

typedef VALUE PAIR(value) __attribute__((aligned(1), may_alias));
#define ANY_VALUE PAIR(value)

typedef struct PAIR(writer) {
    ANY_KEY *keys;
    ANY_VALUE *values;
    KEY *key_lines;
    VALUE *value_lines;
    size_t key_shift, value_shift; /* where in a line element 0 of the output is */
    const uint64_t *start, *end;
    bool stream_keys, stream_values;
} PAIR(writer);
#define WRITER PAIR(writer)

WW__INLINE WRITER PAIR(writer_of)(const ww__lines *lines) {
    return (WRITER){.keys = lines->keys_out,
                    .values = lines->values_out,
                    .key_lines = lines->key_lines,
                    .value_lines = lines->value_lines,
                    .key_shift = (uintptr_t)lines->keys_out % LINE / sizeof(KEY),
                    .value_shift = (uintptr_t)lines->values_out % LINE / sizeof(VALUE),
                    .start = lines->start,
                    .end = lines->end,
                    .stream_keys = lines->streaming && (uintptr_t)lines->keys_out % sizeof(KEY) == 0,
                    .stream_values = lines->streaming && (uintptr_t)lines->values_out % sizeof(VALUE) == 0};
}

/* Lines of keys and of values fill up at the same elements. */
WW__INLINE bool PAIR(together)(const WRITER *w) {
    return VALUED && sizeof(KEY) == sizeof(VALUE) && w->key_shift == w->value_shift;
}

/* Writes what bucket b has collected in its line, up to the output's position p: the elements since the line began or,
 * in its first line, since the bucket did. */
static __attribute__((noinline)) void PAIR(drain_keys)(const WRITER *w, size_t b, uint64_t p) {
    const size_t place = (size_t)(p + w->key_shift - 1) % KEYS_A_LINE;
    const uint64_t held = ww__min_u64(place + 1, p - w->start[b]);
    for (uint64_t k = held; k > 0; k--)
        if (!CHECKED || p - k < w->end[b]) w->keys[p - k] = w->key_lines[b * KEYS_A_LINE + place + 1 - k];
}

static __attribute__((noinline)) void PAIR(drain_values)(const WRITER *w, size_t b, uint64_t p) {
    const size_t place = (size_t)(p + w->value_shift - 1) % VALUES_A_LINE;
    const uint64_t held = ww__min_u64(place + 1, p - w->start[b]);
    for (uint64_t k = held; k > 0; k--)
        if (!CHECKED || p - k < w->end[b]) w->values[p - k] = w->value_lines[b * VALUES_A_LINE + place + 1 - k];
}

/* A line is written when its bucket's next element comes: by then its last element has reached the cache, and the wide
 * loads do not have to wait for narrow stores. */
WW__INLINE void PAIR(write_keys)(const WRITER *w, size_t b, uint64_t p) {
    if (p - w->start[b] < KEYS_A_LINE)
        PAIR(drain_keys)(w, b, p);
    else if (!CHECKED || p <= w->end[b])
        ww__write_line(w->keys + p - KEYS_A_LINE, w->key_lines + b * KEYS_A_LINE, LINE, w->stream_keys);
    if (CHECKED && !w->stream_keys && p + KEYS_A_LINE <= w->end[b]) ww__ask_line(w->keys + p, LINE);
}

WW__INLINE void PAIR(write_values)(const WRITER *w, size_t b, uint64_t p) {
    if (p - w->start[b] < VALUES_A_LINE)
        PAIR(drain_values)(w, b, p);
    else if (!CHECKED || p <= w->end[b])
        ww__write_line(w->values + p - VALUES_A_LINE, w->value_lines + b * VALUES_A_LINE, LINE, w->stream_values);
    if (CHECKED && !w->stream_values && p + VALUES_A_LINE <= w->end[b]) ww__ask_line(w->values + p, LINE);
}

WW__INLINE void PAIR(put)(const WRITER *w, size_t b, uint64_t p, KEY key, const ANY_VALUE *value, bool together) {
    const size_t place = (size_t)(p + w->key_shift) % KEYS_A_LINE;
    if (__builtin_expect(place == 0, 0)) {
        PAIR(write_keys)(w, b, p);
        if (VALUED && together) PAIR(write_values)(w, b, p);
    }
    w->key_lines[b * KEYS_A_LINE + place] = key;
    if (!VALUED) return;
    const size_t value_place = together ? place : (size_t)(p + w->value_shift) % VALUES_A_LINE;
    if (!together && __builtin_expect(value_place == 0, 0)) PAIR(write_values)(w, b, p);
    w->value_lines[b * VALUES_A_LINE + value_place] = *value;
}

/* Writes what is left in the lines. */
static void PAIR(drain)(const WRITER *w, const uint64_t *position, size_t buckets) {
    for (size_t b = 0; b < buckets; b++) {
        if (position[b] == w->start[b]) continue;
        PAIR(drain_keys)(w, b, position[b]);
        if (VALUED) PAIR(drain_values)(w, b, position[b]);
    }
}
