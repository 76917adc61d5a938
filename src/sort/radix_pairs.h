/* The radix sort's loops that move elements, for one key size and one value size; radix_keys.h includes this file with
 *     VALUE       a type of the values' size
 *     VALUED      0: there are no values, and no code for them
 *     VALUE_NAME  a name for the pair of sizes */

#define PAIR(what) JOINED(what, VALUE_NAME)
#define VALUES_A_LINE (WW__RADIX_LINE / sizeof(VALUE))

typedef VALUE PAIR(value) __attribute__((aligned(1), may_alias));
#define ANY_VALUE PAIR(value)

/* ---- partition: each bucket collects a line of the output, which is written as a whole ---- */

typedef struct PAIR(writer) {
    ANY_KEY *keys;
    ANY_VALUE *values;
    KEY *key_lines;
    VALUE *value_lines;
    size_t key_shift, value_shift; /* where in a line element 0 of the output is */
    const uint64_t *start;
    bool stream_keys, stream_values;
} PAIR(writer);
#define WRITER PAIR(writer)

/* Writes what bucket b has collected in its line, up to the output's position p: the elements since the line began or,
 * in its first line, since the bucket did. */
static __attribute__((noinline)) void PAIR(drain_keys)(const WRITER *w, size_t b, uint64_t p) {
    const size_t place = (size_t)(p + w->key_shift - 1) % KEYS_A_LINE;
    const uint64_t held = ww__min_u64(place + 1, p - w->start[b]);
    for (uint64_t k = held; k > 0; k--) w->keys[p - k] = w->key_lines[b * KEYS_A_LINE + place + 1 - k];
}

static __attribute__((noinline)) void PAIR(drain_values)(const WRITER *w, size_t b, uint64_t p) {
    const size_t place = (size_t)(p + w->value_shift - 1) % VALUES_A_LINE;
    const uint64_t held = ww__min_u64(place + 1, p - w->start[b]);
    for (uint64_t k = held; k > 0; k--) w->values[p - k] = w->value_lines[b * VALUES_A_LINE + place + 1 - k];
}

/* A line is written when its bucket's next element comes: by then its last element has reached the cache, and the wide
 * loads do not have to wait for narrow stores. */
INLINE void PAIR(write_keys)(const WRITER *w, size_t b, uint64_t p) {
    if (p - w->start[b] >= KEYS_A_LINE)
        write_line(w->keys + p - KEYS_A_LINE, w->key_lines + b * KEYS_A_LINE, w->stream_keys);
    else
        PAIR(drain_keys)(w, b, p);
}

INLINE void PAIR(write_values)(const WRITER *w, size_t b, uint64_t p) {
    if (p - w->start[b] >= VALUES_A_LINE)
        write_line(w->values + p - VALUES_A_LINE, w->value_lines + b * VALUES_A_LINE, w->stream_values);
    else
        PAIR(drain_values)(w, b, p);
}

/* together: lines of keys and of values fill up at the same elements. */
INLINE void PAIR(put)(const WRITER *w, size_t b, uint64_t p, KEY key, const ANY_VALUE *value, bool together) {
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

static void PAIR(partition)(const ww__radix_partition *job) {
    const ANY_KEY *keys = job->keys;
    const ANY_VALUE *values = job->values;
    const KEY flip = (KEY)job->order.flip, fold = (KEY)job->order.fold;
    const unsigned low = job->low;
    const size_t buckets = (size_t)1 << job->bits;
    const KEY digit = (KEY)(buckets - 1);
    uint64_t *position = job->position;
    const WRITER w = {.keys = job->keys_out,
                      .values = job->values_out,
                      .key_lines = job->key_lines,
                      .value_lines = job->value_lines,
                      .key_shift = (uintptr_t)job->keys_out % WW__RADIX_LINE / sizeof(KEY),
                      .value_shift = (uintptr_t)job->values_out % WW__RADIX_LINE / sizeof(VALUE),
                      .start = job->start,
                      .stream_keys = job->streaming && (uintptr_t)job->keys_out % sizeof(KEY) == 0,
                      .stream_values = job->streaming && (uintptr_t)job->values_out % sizeof(VALUE) == 0};
    const bool together = VALUED && sizeof(KEY) == sizeof(VALUE) && w.key_shift == w.value_shift;
    memcpy(job->start, position, buckets * sizeof *position);
    ANY_KEY room[BLOCK];
    for (size_t i = 0; i < job->n; i += BLOCK) {
        const size_t n = (size_t)ww__min_u64(BLOCK, job->n - i);
        FETCH(keys + i, BLOCK_BYTES);
        if (VALUED) FETCH(values + i, BLOCK * sizeof(VALUE));
        const ANY_KEY *number = NAME(numbers)(room, keys + i, n, flip, fold);
        if (together)
            for (size_t j = 0; j < n; j++) {
                const size_t b = (size_t)(number[j] >> low & digit);
                PAIR(put)(&w, b, position[b]++, number[j], values + i + j, true);
            }
        else
            for (size_t j = 0; j < n; j++) {
                const size_t b = (size_t)(number[j] >> low & digit);
                PAIR(put)(&w, b, position[b]++, number[j], VALUED ? values + i + j : NULL, false);
            }
    }
    for (size_t b = 0; b < buckets; b++) {
        if (position[b] == w.start[b]) continue;
        PAIR(drain_keys)(&w, b, position[b]);
        if (VALUED) PAIR(drain_values)(&w, b, position[b]);
    }
}

/* ---- leaf: elements that are in cache ---- */

/* Moves elements to where the buckets of a digit begin. */
static void PAIR(move)(const ANY_KEY *restrict keys, const ANY_VALUE *restrict values, ANY_KEY *restrict keys_out,
                       ANY_VALUE *restrict values_out, size_t n, unsigned low, unsigned bits,
                       uint32_t *restrict begins) {
    const KEY digit = (KEY)(((size_t)1 << bits) - 1);
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t j = i; j < i + 8; j++) {
            const KEY key = keys[j];
            const uint32_t to = begins[(size_t)(key >> low & digit)]++;
            keys_out[to] = key;
            if (VALUED) values_out[to] = values[j];
        }
    for (; i < n; i++) {
        const uint32_t to = begins[(size_t)(keys[i] >> low & digit)]++;
        keys_out[to] = keys[i];
        if (VALUED) values_out[to] = values[i];
    }
}

static void PAIR(insertion)(ANY_KEY *keys, ANY_VALUE *values, size_t n, KEY mask) {
    for (size_t i = 1; i < n; i++) {
        const KEY key = keys[i];
        size_t j = i;
        if ((keys[j - 1] & mask) <= (key & mask)) continue;
        VALUE value = {0};
        if (VALUED) value = values[i];
        do {
            keys[j] = keys[j - 1];
            if (VALUED) values[j] = values[j - 1];
            j--;
        } while (j > 0 && (keys[j - 1] & mask) > (key & mask));
        keys[j] = key;
        if (VALUED) values[j] = value;
    }
}

static void PAIR(leaf)(const ww__radix_leaf *leaf, int from, uint64_t first, size_t n, ww__word wide_mask);

/* The keys are sorted by the bits `above`. Where two neighbours that agree in them are out of order, all that agree with
 * them are sorted by `mask`, the bits below. */
static void PAIR(sort_ties)(const ww__radix_leaf *leaf, uint64_t first, size_t n, KEY above, KEY mask) {
    const ANY_KEY *keys = (const ANY_KEY *)leaf->keys[1] + first;
    for (size_t i = 1; i < n; i++) {
        if ((keys[i] & (above | mask)) >= (keys[i - 1] & (above | mask))) continue;
        size_t begin = i - 1, end = i + 1;
        while (begin > 0 && ((keys[begin - 1] ^ keys[i]) & above) == 0) begin--;
        while (end < n && ((keys[end] ^ keys[i]) & above) == 0) end++;
        PAIR(leaf)(leaf, 1, first + begin, end - begin, mask);
        i = end - 1;
    }
}

/* Sorts by the bits low … low + bits - 1, one digit or two, and says in which buffer the elements are then. */
static int PAIR(sort_by_digits)(ANY_KEY *const keys[2], ANY_VALUE *const values[2], int from, size_t n, unsigned low,
                                unsigned bits, uint32_t *table) {
    if (bits <= 8) {
        NAME(begins)(keys[from], n, low, bits, table);
        PAIR(move)(keys[from], values[from], keys[!from], values[!from], n, low, bits, table);
        return !from;
    }
    const unsigned half = bits / 2;
    uint32_t *table_2 = table + WW__RADIX_LEAF_BUCKETS;
    NAME(begins_of_two)(keys[from], n, low, half, table, low + half, bits - half, table_2);
    PAIR(move)(keys[from], values[from], keys[!from], values[!from], n, low, half, table);
    PAIR(move)(keys[!from], values[!from], keys[from], values[from], n, low + half, bits - half, table_2);
    return from;
}

/* Sorts by the highest bits that differ, some more than it takes to number the elements, and then the few ties among them
 * by the bits that are left. (A tie that is not sorted by insertion loses 7 bits or more, so calls are at most 19 deep.) */
static void PAIR(leaf)(const ww__radix_leaf *leaf, int from, uint64_t first, size_t n, ww__word wide_mask) {
    ANY_KEY *const keys[2] = {(ANY_KEY *)leaf->keys[0] + first, (ANY_KEY *)leaf->keys[1] + first};
    ANY_VALUE *const values[2] = {VALUED ? (ANY_VALUE *)leaf->values[0] + first : NULL,
                                  VALUED ? (ANY_VALUE *)leaf->values[1] + first : NULL};
    const KEY mask = (KEY)wide_mask, differ = (KEY)(NAME(differ)(keys[from], n, 1, &as_they_are) & mask);
    const bool by_digits = n > INSERTION && differ;
    unsigned low = 0;
    if (by_digits) {
        const unsigned highest = HIGHEST(differ), span = highest + 1 - LOWEST(differ);
        const unsigned wanted = highest_bit(n) + TIES_BITS;
        const unsigned bits = least(span <= wanted + 2 ? span : wanted, 2 * WW__RADIX_LEAF_BITS);
        low = highest + 1 - bits;
        from = PAIR(sort_by_digits)(keys, values, from, n, low, bits, leaf->tables);
    }
    if (from == 0) {
        memcpy(keys[1], keys[0], n * sizeof(KEY));
        if (VALUED) memcpy(values[1], values[0], n * sizeof(VALUE));
    }
    const KEY below = (KEY)(((KEY)1 << low) - 1);
    if (!by_digits)
        PAIR(insertion)(keys[1], values[1], n, mask);
    else if (differ & below)
        PAIR(sort_ties)(leaf, first, n, mask & (KEY)~below, differ & below);
}

static const ww__radix_loops PAIR(loops) = {NAME(differ), NAME(sorted),  NAME(count),  PAIR(partition),
                                            PAIR(leaf),   NAME(arrange), NAME(restore)};

#undef PAIR
#undef ANY_VALUE
#undef WRITER
#undef VALUES_A_LINE
#undef VALUE
#undef VALUED
#undef VALUE_NAME
