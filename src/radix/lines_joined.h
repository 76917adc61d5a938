/* Keys and values of 4 bytes each through lines of pairs, for lines.c: an element is one store, and a line is taken apart when it
 * is written. Where keys and values do not begin at the same place of a line, they have lines of their own. */

typedef struct joined_writer {
    uint32_t *keys, *values;
    uint64_t *lines;
    size_t shift; /* where in a line pair 0 of the output is */
    const uint64_t *start, *end;
    void (*part)(const uint64_t *line, uint32_t *keys, uint32_t *values, size_t pairs, bool stream);
    bool stream;
} joined_writer;

/* A line of pairs to keys and values. */
static void part_plain(const uint64_t *line, uint32_t *keys, uint32_t *values, size_t pairs, bool stream) {
#if defined(__SSE2__)
    for (size_t i = 0; i < pairs; i += 4) {
        const __m128 low = _mm_load_ps((const float *)(const void *)(line + i));
        const __m128 high = _mm_load_ps((const float *)(const void *)(line + i + 2));
        const __m128i key = _mm_castps_si128(_mm_shuffle_ps(low, high, 0x88));
        const __m128i value = _mm_castps_si128(_mm_shuffle_ps(low, high, 0xdd));
        if (stream) {
            _mm_stream_si128((__m128i *)(void *)(keys + i), key);
            _mm_stream_si128((__m128i *)(void *)(values + i), value);
        } else {
            _mm_store_si128((__m128i *)(void *)(keys + i), key);
            _mm_store_si128((__m128i *)(void *)(values + i), value);
        }
    }
#else
    (void)stream;
    for (size_t i = 0; i < pairs; i++) keys[i] = (uint32_t)line[i], values[i] = (uint32_t)(line[i] >> 32);
#endif
}

#if defined(__x86_64__)
WW__TARGET_avx512 static void part_avx512(const uint64_t *line, uint32_t *keys, uint32_t *values, size_t pairs,
                                          bool stream) {
    for (size_t i = 0; i < pairs; i += 16) {
        const __m512i low = _mm512_load_si512(line + i), high = _mm512_load_si512(line + i + 8);
        const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const __m512i key = _mm512_permutex2var_epi32(low, even, high);
        const __m512i value = _mm512_permutex2var_epi32(low, _mm512_add_epi32(even, _mm512_set1_epi32(1)), high);
        if (stream) {
            _mm512_stream_si512((__m512i *)(void *)(keys + i), key);
            _mm512_stream_si512((__m512i *)(void *)(values + i), value);
        } else {
            _mm512_store_si512(keys + i, key);
            _mm512_store_si512(values + i, value);
        }
    }
}
#else
#define part_avx512 part_plain
#endif

static joined_writer joined_writer_of(const ww__lines *l) {
    return (joined_writer){l->keys_out,
                           l->values_out,
                           l->key_lines,
                           (uintptr_t)l->keys_out / 4 % l->pairs,
                           l->start,
                           l->end,
                           l->vector == WW_VECTOR_AVX512 ? part_avx512 : part_plain,
                           l->streaming};
}

static bool may_join(const ww__lines *l) {
    const uintptr_t keys = (uintptr_t)l->keys_out, values = (uintptr_t)l->values_out;
    return keys % 4 == 0 && (keys - values) % ((uintptr_t)l->pairs * 4) == 0;
}

/* What bucket b has collected in its line, up to the output's position p: see lines_pairs.h. */
static __attribute__((noinline)) void joined_drain(const joined_writer *w, size_t pairs, size_t b, uint64_t p) {
    const size_t place = (size_t)(p + w->shift - 1) % pairs;
    const uint64_t held = ww__min_u64(place + 1, p - w->start[b]), *line = w->lines + b * pairs + place + 1;
    for (uint64_t k = held; k > 0; k--) {
        if (p - k >= w->end[b]) continue;
        w->keys[p - k] = (uint32_t)line[-(int64_t)k];
        w->values[p - k] = (uint32_t)(line[-(int64_t)k] >> 32);
    }
}

WW__INLINE void move_joined(const ww__lines *lines, const key_32 *keys, const value_32_32 *values,
                            const uint32_t *buckets, size_t n, const size_t pairs) {
    uint64_t *position = lines->position;
    const joined_writer w = joined_writer_of(lines);
    for (size_t j = 0; j < n; j++) {
        const size_t b = buckets[j];
        const uint64_t p = position[b]++;
        const size_t place = (size_t)(p + w.shift) % pairs;
        uint64_t *line = w.lines + b * pairs;
        if (j % BLOCK == 0) WW__LINES_FETCH(values + j, BLOCK * sizeof *values);
        if (__builtin_expect(place == 0, 0)) {
            if (p - w.start[b] < pairs)
                joined_drain(&w, pairs, b, p);
            else if (p <= w.end[b])
                w.part(line, w.keys + p - pairs, w.values + p - pairs, pairs, w.stream);
            if (!w.stream && p + pairs <= w.end[b]) {
                ww__ask_line(w.keys + p, pairs * 4);
                ww__ask_line(w.values + p, pairs * 4);
            }
        }
        line[place] = keys[j] | (uint64_t)values[j] << 32;
    }
}

static void joined_move(const ww__lines *lines, const void *keys, const void *values, const uint32_t *buckets,
                        size_t n) {
    if (!may_join(lines))
        move_32_32(lines, keys, values, buckets, n);
    else if (lines->pairs == 64)
        move_joined(lines, keys, values, buckets, n, 64);
    else if (lines->pairs == 32)
        move_joined(lines, keys, values, buckets, n, 32);
    else
        move_joined(lines, keys, values, buckets, n, 16);
}

static void joined_finish(const ww__lines *lines, size_t buckets) {
    const joined_writer w = joined_writer_of(lines);
    if (!may_join(lines)) {
        finish_32_32(lines, buckets);
        return;
    }
    for (size_t b = 0; b < buckets; b++)
        if (lines->position[b] != w.start[b]) joined_drain(&w, lines->pairs, b, lines->position[b]);
}

static const ww__lines_loops joined_loops = {joined_move, move_direct_32_32, move_within_32_32, joined_finish};
