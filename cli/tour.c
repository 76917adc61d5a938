/* warpwise tour: sort, select, split, scan, count, search, pack, reduce, gather, scatter, merge, runs and find on real data.
 * After each step its result is checked against a few plain lines written here, which call nothing of the library; when one
 * is wrong the tour says so and exits with 1. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "standard.h"
#include "tour_data.h"

typedef struct amounts {
    size_t binary, text; /* bytes at most */
    size_t readings, needles;
} amounts;
static const amounts usual = {64 << 20, 16 << 20, 4 << 20, 1 << 20};
static const amounts emulated = {1 << 17, 1 << 16, 1 << 14, 1 << 12}; /* some 10^4 times as slow */

/* Memory of the steps: what the plain loops read and write, and what a GPU's kernels do (on a CPU the same). */
typedef struct place {
    unsigned char *host, *device;
    uint64_t bytes;
} place;

typedef struct tour {
    job job;
    bool colour;
    size_t steps, wrong;
    double began;
    /* The step that is being measured: up to three rounds, the best counts. */
    int round;
    double best, round_began, spent;
    ww_status status;
    const amounts *most;
    bool gpu;
    place place[64]; /* of one part, freed together */
    size_t places;
} tour;

/* ---- measuring and reporting ---- */

static bool another_round(tour *t) {
    const int least = t->gpu ? 2 : 1; /* a GPU's first round compiles */
    if (t->round == 3 || t->status || (t->round >= least && t->spent > 1)) return false;
    t->round_began = seconds_now();
    return true;
}

static void round_took(tour *t, ww_status status) {
    if (!status) status = ww_sync(t->job.device);
    const double seconds = seconds_now() - t->round_began;
    if (t->round == 0 || seconds < t->best) t->best = seconds;
    t->round++;
    t->spent += seconds;
    t->status = status;
}

/* Runs the call up to three times; later rounds find the memory they write to already there. */
#define MEASURE(t, call) \
    for ((t)->round = 0, (t)->spent = 0; another_round(t);) round_took(t, (call))

/* 16,777,216 */
static const char *with_commas(uint64_t n, char text[32]) {
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, n);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

static void begin_part(const char *title) { printf("\n%s\n", title); }

/* The line of a step. Returns whether the tour can go on: a wrong result is counted, a failed call ends it. */
static bool report(tour *t, const char *verb, const char *what, uint64_t items, bool right) {
    char count[32];
    if (t->status) {
        fflush(stdout);
        job_check(&t->job, t->status);
        return false;
    }
    const double rate = t->best > 0 ? (double)items / t->best / 1e6 : 0;
    const char *on = !t->colour ? "" : right ? "\033[32m" : "\033[1;31m", *off = t->colour ? "\033[0m" : "";
    printf("  %-8s %-46s %11s %9.2f ms %7.0f M/s  %s%s%s\n", verb, what, with_commas(items, count), 1e3 * t->best, rate,
           on, right ? "verified" : "WRONG", off);
    t->steps++;
    t->wrong += !right;
    if (standard_flush()) return true;
    job_fail(&t->job, "standard output cannot be written");
    return false;
}

/* Something found out, below its step. */
static void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void remark(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("           ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

/* ---- memory ---- */

/* Gives memory of ww_alloc_host, which is freed with the rooms, its place on the device. */
static void settle(tour *t, void *host, uint64_t bytes) {
    void *block = host;
    if (t->places == sizeof t->place / sizeof t->place[0]) abort();
    if (!t->status && t->gpu) t->status = ww_alloc(t->job.device, bytes, &block);
    t->place[t->places++] = (place){host, t->status ? NULL : block, bytes};
}

/* The same memory as kernels know it. */
static void *there(const tour *t, const void *host) {
    for (size_t i = 0; i < t->places; i++) {
        const size_t offset = (size_t)((uintptr_t)host - (uintptr_t)t->place[i].host);
        if (offset < t->place[i].bytes) return t->place[i].device + offset;
    }
    abort();
}

static ww_input input_there(const tour *t, ww_input in) {
    in.step[0].data = there(t, in.step[0].data);
    return in;
}

static ww_array array_there(const tour *t, ww_array array) {
    array.data = there(t, array.data);
    return array;
}

#define IN(pointer, count) input_there(t, ww_memory(pointer, count))
#define OUT(pointer, count) array_there(t, ww_array(pointer, count))

/* What the host has written goes to the device, what a step has written comes back. */
static void send(tour *t, const ww_array array) {
    if (!t->status && t->gpu) t->status = ww_copy(t->job.device, ww_from(array), array_there(t, array));
}

static void fetch(tour *t, const ww_array array) {
    if (!t->status && t->gpu) t->status = ww_copy(t->job.device, ww_from(array_there(t, array)), array);
    if (!t->status && t->gpu) t->status = ww_sync(t->job.device);
}

/* Memory for a step; t->status tells when there is none. */
static void *room(tour *t, uint64_t count, size_t size) {
    void *block = NULL;
    const uint64_t bytes = count * size + 1;
    if (!t->status) t->status = ww_alloc_host(t->job.device, bytes, &block);
    if (!block) return NULL;
    memset(block, 0x55, bytes); /* not what a right result would be */
    settle(t, block, bytes);
    send(t, ww_array((unsigned char *)block, bytes));
    return block;
}

static void free_rooms(tour *t) {
    while (t->places) {
        const place *p = &t->place[--t->places];
        if (t->gpu) ww_free(t->job.device, p->device);
        ww_free(t->job.device, p->host);
    }
}

/* Says that memory is short; true when it is. */
static bool short_of_memory(tour *t) { return t->status && job_check(&t->job, t->status); }

/* ---- checks: plain loops ---- */

/* sorted[i] = keys[from[i]], rising, equal keys in their old order, and every position once. */
#define CHECK_SORTED(type) \
    static bool sorted_##type(const type *keys, const type *sorted, const uint32_t *from, size_t n) { \
        unsigned char *taken = calloc(n + 1, 1); \
        bool right = taken != NULL; \
        for (size_t i = 0; i < n && right; i++) { \
            right = from[i] < n && !taken[from[i]] && keys[from[i]] == sorted[i] && \
                    (i == 0 || sorted[i - 1] < sorted[i] || (sorted[i - 1] == sorted[i] && from[i - 1] < from[i])); \
            if (right) taken[from[i]] = 1; \
        } \
        free(taken); \
        return right; \
    }
CHECK_SORTED(uint32_t)
CHECK_SORTED(uint64_t)

/* ---- the libraries, as bytes and as words ---- */

WW_MAP(byte_itself, uint32_t, uint8_t, x, void, none, { return x; });
WW_MAP(as_u64, uint64_t, uint32_t, x, void, none, { return x; });
WW_MAP(is_odd, uint32_t, uint32_t, x, void, none, { return x & 1u; });

static bool count_bytes(tour *t, const collection *c) {
    uint64_t *counts = room(t, 256, 8), wanted[256] = {0};
    uint64_t top_count;
    uint32_t top;
    if (short_of_memory(t)) return false;
    send(t, ww_array(c->bytes, c->length));
    MEASURE(t, ww_histogram(t->job.device, &byte_itself_ww, IN(c->bytes, c->length), OUT(counts, 256), ww_none, NULL));
    fetch(t, ww_array(counts, 256));
    for (size_t i = 0; i < c->length; i++) wanted[c->bytes[i]]++;
    if (!report(t, "count", "how often each of 256 byte values occurs", c->length,
                !memcmp(counts, wanted, sizeof wanted))) {
        return false;
    }
    t->status = ww_arg_max(t->job.device, NULL, IN(counts, 256), ww_array(&top_count, 1), ww_array(&top, 1));
    if (short_of_memory(t)) return false;
    remark("most often: 0x%02x, %.1f %% of all", (unsigned)top, 100.0 * (double)top_count / (double)c->length);
    return true;
}

static bool sum_words(tour *t, const uint32_t *words, size_t n) {
    uint64_t sum = 0, wanted = 0;
    MEASURE(t, ww_reduce(t->job.device, &ww_add, ww_mapped(&as_u64_ww, IN(words, n)), ww_array(&sum, 1)));
    for (size_t i = 0; i < n; i++) wanted += words[i];
    return report(t, "reduce", "the sum of all 32-bit words, in 64 bits", n, sum == wanted);
}

static bool scan_words(tour *t, const uint32_t *words, size_t n, uint32_t *sums) {
    MEASURE(t, ww_scan(t->job.device, &ww_add, IN(words, n), OUT(sums, n), NULL));
    fetch(t, ww_array(sums, n));
    uint32_t sum = 0;
    bool right = true;
    for (size_t i = 0; i < n; i++) right &= sums[i] == (sum += words[i]);
    return report(t, "scan", "the running sum of the words", n, right);
}

static bool split_words(tour *t, const uint32_t *words, size_t n, uint32_t *out) {
    uint64_t zeros = 0;
    MEASURE(t, ww_split_if(t->job.device, &is_odd_ww, IN(words, n), OUT(out, n), ww_array(&zeros, 1), NULL));
    fetch(t, ww_array(out, n));
    size_t even = 0, odd = (size_t)zeros;
    bool right = zeros <= n;
    for (size_t i = 0; i < n && right; i++) {
        size_t *to = words[i] & 1 ? &odd : &even;
        right = *to < n && out[*to] == words[i];
        ++*to;
    }
    return report(t, "split", "even words before odd ones, both in order", n, right && even == zeros && odd == n);
}

static bool deal_words(tour *t, const uint32_t *words, size_t n, uint32_t *out) {
    enum { BUCKETS = 256 };
    const ww_bits highest_byte = {24, 8};
    uint64_t *begins = room(t, BUCKETS + 1, 8), next[BUCKETS];
    if (short_of_memory(t)) return false;
    MEASURE(t, ww_multisplit(t->job.device, ww_with(ww_by_bits, &highest_byte), BUCKETS, IN(words, n), ww_no_input,
                             OUT(out, n), ww_none, OUT(begins, BUCKETS + 1), NULL));
    fetch(t, ww_array(out, n));
    fetch(t, ww_array(begins, BUCKETS + 1));
    memcpy(next, begins, sizeof next);
    bool right = begins[0] == 0 && begins[BUCKETS] == n;
    for (size_t i = 0; i < n && right; i++) {
        uint64_t *to = &next[words[i] >> 24];
        right = *to < n && out[*to] == words[i];
        ++*to;
    }
    right = right && memcmp(next, begins + 1, sizeof next) == 0;
    return report(t, "split", "words to 256 buckets by their highest byte", n, right);
}

static bool sort_words(tour *t, const uint32_t *words, size_t n, uint32_t *sorted, uint32_t *from) {
    MEASURE(t, ww_sort(t->job.device, IN(words, n), ww_no_input, OUT(sorted, n), ww_none, NULL));
    fetch(t, ww_array(sorted, n));
    bool right = true;
    uint64_t sums[2] = {0, 0};
    for (size_t i = 0; i < n; i++) {
        right &= i == 0 || sorted[i - 1] <= sorted[i];
        sums[0] += words[i] * (words[i] | 1ull);
        sums[1] += sorted[i] * (sorted[i] | 1ull);
    }
    if (!report(t, "sort", "the words", n, right && sums[0] == sums[1])) return false;
    MEASURE(t, ww_sort(t->job.device, IN(words, n), ww_counting(&ww_type_uint32_t, 0, n), OUT(sorted, n), OUT(from, n),
                       NULL));
    fetch(t, ww_array(sorted, n));
    fetch(t, ww_array(from, n));
    return report(t, "sort", "the words with where each stood, stably", n, sorted_uint32_t(words, sorted, from, n));
}

static bool count_runs(tour *t, const uint32_t *sorted, size_t n, uint32_t *values, uint32_t *lengths) {
    uint64_t runs = 0, position;
    uint32_t top;
    MEASURE(t, ww_run_lengths(t->job.device, IN(sorted, n), OUT(values, n), OUT(lengths, n), ww_array(&runs, 1)));
    fetch(t, ww_array(values, n));
    fetch(t, ww_array(lengths, n));
    size_t run = 0;
    bool right = true;
    for (size_t i = 0, begin = 0; i < n && right; i++) {
        if (i + 1 < n && sorted[i + 1] == sorted[i]) continue;
        right = run < runs && values[run] == sorted[i] && lengths[run] == i + 1 - begin;
        begin = i + 1;
        run++;
    }
    char text[32];
    if (!report(t, "runs", "each different word and how often it occurs", n, right && run == runs)) return false;
    t->status = ww_arg_max(t->job.device, NULL, IN(lengths, runs), ww_array(&top, 1), ww_array(&position, 1));
    if (short_of_memory(t)) return false;
    remark("%s different words; most often 0x%08x, %.1f %%", with_commas(runs, text), (unsigned)values[position],
           100.0 * top / (double)n);
    return true;
}

static bool search_words(tour *t, const uint32_t *sorted, size_t n, uint32_t *needles, uint32_t *found) {
    const size_t many = t->most->needles;
    uint64_t state = 7;
    for (size_t i = 0; i < many; i++) {
        const uint64_t r = next_random(&state);
        needles[i] = i & 1 ? (uint32_t)r : sorted[r % n];
    }
    send(t, ww_array(needles, many));
    MEASURE(t, ww_lower_bound(t->job.device, NULL, IN(sorted, n), IN(needles, many), OUT(found, many)));
    fetch(t, ww_array(found, many));
    bool right = true;
    for (size_t i = 0; i < many; i++) {
        right &= found[i] <= n && (found[i] == 0 || sorted[found[i] - 1] < needles[i]) &&
                 (found[i] == n || sorted[found[i]] >= needles[i]);
    }
    return report(t, "search", "random words among the sorted ones", many, right);
}

static bool merge_words(tour *t, uint32_t *a, size_t na, uint32_t *b, size_t nb, uint32_t *out) {
    /* Two halves, each sorted first. */
    t->status = ww_sort(t->job.device, IN(a, na), ww_no_input, OUT(a, na), ww_none, NULL);
    if (!t->status) t->status = ww_sort(t->job.device, IN(b, nb), ww_no_input, OUT(b, nb), ww_none, NULL);
    fetch(t, ww_array(a, na));
    fetch(t, ww_array(b, nb));
    if (short_of_memory(t)) return false;
    MEASURE(t,
            ww_merge(t->job.device, NULL, IN(a, na), IN(b, nb), ww_no_input, ww_no_input, OUT(out, na + nb), ww_none));
    fetch(t, ww_array(out, na + nb));
    bool right = true;
    for (size_t i = 0, j = 0; i + j < na + nb && right;) {
        const uint32_t next = j == nb || (i < na && a[i] <= b[j]) ? a[i] : b[j];
        right = out[i + j] == next;
        *(j == nb || (i < na && a[i] <= b[j]) ? &i : &j) += 1;
    }
    return report(t, "merge", "two sorted halves into one", na + nb, right);
}

/* The libraries cut into records. */
enum { PIECE = 64, PIECE_KEY = 12 };

static bool sorted_pieces(const unsigned char *pieces, const unsigned char *sorted, const uint32_t *from, size_t n) {
    unsigned char *taken = calloc(n + 1, 1);
    bool right = taken != NULL;
    for (size_t i = 0; i < n && right; i++) {
        const int order = i ? memcmp(sorted + (i - 1) * PIECE, sorted + i * PIECE, PIECE_KEY) : -1;
        right = from[i] < n && !taken[from[i]] &&
                !memcmp(pieces + from[i] * (size_t)PIECE, sorted + i * PIECE, PIECE) &&
                (order < 0 || (order == 0 && from[i - 1] < from[i]));
        if (right) taken[from[i]] = 1;
    }
    free(taken);
    return right;
}

static bool sort_pieces(tour *t, const collection *c, unsigned char *sorted, uint32_t *from) {
    const size_t n = c->length / PIECE;
    const ww_input pieces = input_there(t, ww_from(ww_records(c->bytes, n, PIECE)));
    const ww_array out = ww_records(sorted, n, PIECE);
    MEASURE(t, ww_sort_records(t->job.device, 0, PIECE_KEY, pieces, array_there(t, out), NULL));
    fetch(t, out);
    if (!t->status) t->status = ww_sort_records_index(t->job.device, 0, PIECE_KEY, pieces, OUT(from, n), NULL);
    fetch(t, ww_array(from, n));
    return report(t, "sort", "records of 64 bytes by their first 12", n,
                  t->status || sorted_pieces(c->bytes, sorted, from, n));
}

static bool visit_libraries(tour *t, const collection *c) {
    const size_t n = c->length / 4;
    bool go_on = count_bytes(t, c);
    uint32_t *words = room(t, n, 4), *one = room(t, n, 4), *two = room(t, n, 4), *three = room(t, n, 4);
    uint32_t *needles = room(t, t->most->needles, 4), *found = room(t, t->most->needles, 4);
    if (!go_on || short_of_memory(t)) return false;
    memcpy(words, c->bytes, n * 4);
    send(t, ww_array(words, n));
    go_on = sum_words(t, words, n) && scan_words(t, words, n, one) && split_words(t, words, n, one) &&
            deal_words(t, words, n, one) && sort_words(t, words, n, one, two) && count_runs(t, one, n, two, three) &&
            search_words(t, one, n, needles, found) && sort_pieces(t, c, (unsigned char *)one, two);
    if (!go_on) return false;
    return merge_words(t, words, n / 2, words + n / 2, n - n / 2, two);
}

/* ---- the texts, as lines ---- */

WW_MAP(is_newline, uint8_t, uint8_t, x, void, none, { return x == 10; });

WW_STRUCT(line_keys, {
    const unsigned char *text;
    const uint32_t *ends;
    uint64_t *keys;
});

/* The first eight bytes of a line as a number that orders as the bytes do. */
WW_KERNEL(read_line, line_keys, l, rank, {
    uint32_t at = rank ? l->ends[rank - 1] + 1 : 0;
    uint64_t key = 0;
    for (int b = 0; b < 8; b++) {
        key = key << 8 | (at < l->ends[rank] ? l->text[at] : 0);
        at += at < l->ends[rank];
    }
    l->keys[rank] = key;
});

static bool pack_lines(tour *t, const collection *c, uint32_t *ends, uint64_t *lines) {
    const ww_input flags = ww_mapped(&is_newline_ww, IN(c->bytes, c->length));
    const uint64_t most = *lines;
    MEASURE(t, ww_pack(t->job.device, ww_counting(&ww_type_uint32_t, 0, c->length), flags, OUT(ends, most),
                       ww_array(lines, 1), NULL));
    fetch(t, ww_array(ends, most));
    size_t line = 0;
    bool right = true;
    for (size_t i = 0; i < c->length && right; i++) {
        if (c->bytes[i] != '\n') continue;
        right = line < *lines && ends[line] == i;
        line++;
    }
    return report(t, "pack", "where the lines of the texts end", c->length, right && line == *lines);
}

static bool measure_lines(tour *t, const uint32_t *ends, size_t n, uint32_t *lengths, uint32_t *back) {
    uint64_t longest;
    uint32_t length;
    MEASURE(t, ww_adjacent_difference(t->job.device, IN(ends, n), OUT(lengths, n)));
    fetch(t, ww_array(lengths, n));
    bool right = true;
    for (size_t i = 0; i < n; i++) right &= lengths[i] == ends[i] - (i ? ends[i - 1] : 0);
    if (!report(t, "differ", "how long each line is", n, right)) return false;
    t->status = ww_arg_max(t->job.device, NULL, IN(lengths, n), ww_array(&length, 1), ww_array(&longest, 1));
    if (short_of_memory(t)) return false;
    char text[32];
    remark("%s lines; the longest has %u characters", with_commas(n, text), (unsigned)length - 1);
    MEASURE(t, ww_scan(t->job.device, &ww_add, IN(lengths, n), OUT(back, n), NULL));
    fetch(t, ww_array(back, n));
    return report(t, "scan", "from the lengths back to the ends", n, memcmp(back, ends, n * 4) == 0);
}

static bool longest_lines(tour *t, const uint32_t *lengths, size_t n) {
    enum { MOST = 100 };
    const size_t k = n < MOST ? n : MOST;
    uint32_t *longest = room(t, k, 4), *line = room(t, k, 4);
    ww_sort_options options = WW_SORT_OPTIONS;
    options.descending = true;
    if (short_of_memory(t)) return false;
    MEASURE(t, ww_top_k(t->job.device, IN(lengths, n), ww_counting(&ww_type_uint32_t, 0, n), OUT(longest, k),
                        OUT(line, k), &options));
    fetch(t, ww_array(longest, k));
    fetch(t, ww_array(line, k));
    /* In order, and no other line goes before the last of them. */
    bool right = true;
    size_t before = 0;
    for (size_t i = 0; i < k && right; i++)
        right = line[i] < n && lengths[line[i]] == longest[i] &&
                (i == 0 || longest[i - 1] > longest[i] || (longest[i - 1] == longest[i] && line[i - 1] < line[i]));
    for (size_t i = 0; i < n && k; i++)
        before += lengths[i] > longest[k - 1] || (lengths[i] == longest[k - 1] && i <= line[k - 1]);
    return report(t, "select", "the hundred longest lines, in order", n, right && before == k);
}

static bool sort_lines(tour *t, const collection *c, const uint32_t *ends, size_t n, uint64_t *keys, uint64_t *sorted,
                       uint32_t *from) {
    const line_keys lines = {there(t, c->bytes), there(t, ends), there(t, keys)};
    t->status = ww_launch(t->job.device, ww_with(read_line, &lines), n);
    if (short_of_memory(t)) return false;
    MEASURE(t, ww_sort(t->job.device, IN(keys, n), ww_counting(&ww_type_uint32_t, 0, n), OUT(sorted, n), OUT(from, n),
                       NULL));
    fetch(t, ww_array(keys, n));
    fetch(t, ww_array(sorted, n));
    fetch(t, ww_array(from, n));
    /* Neighbours compared as the texts' own bytes, not as the keys made of them. */
    bool right = sorted_uint64_t(keys, sorted, from, n);
    for (size_t i = 0; i + 1 < n && right; i++) {
        unsigned char line[2][9] = {{0}, {0}};
        for (int k = 0; k < 2; k++) {
            const size_t begin = from[i + (size_t)k] ? ends[from[i + (size_t)k] - 1] + 1u : 0u;
            const size_t length = ends[from[i + (size_t)k]] - begin;
            memcpy(line[k], c->bytes + begin, length < 8 ? length : 8);
        }
        right = memcmp(line[0], line[1], 8) <= 0;
    }
    return report(t, "sort", "the lines by their first eight characters", n, right);
}

/* ---- what stands where in them ---- */

static unsigned char small_letter(unsigned char c) { return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c; }

static bool stands_at(const collection *c, size_t at, const char *word, bool fold) {
    for (size_t i = 0; word[i]; i++, at++) {
        if (at == c->length || (fold ? small_letter(c->bytes[at]) : c->bytes[at]) != (unsigned char)word[i])
            return false;
    }
    return true;
}

static bool find_word(tour *t, const collection *c) {
    static const char word[] = "license";
    const size_t m = sizeof word - 1, most = c->length / m + 1; /* it cannot overlap itself */
    uint32_t *at = room(t, most, 4);
    uint64_t count = 0;
    char text[32];
    ww_find_options options = WW_FIND_OPTIONS;
    options.fold = true;
    if (short_of_memory(t)) return false;
    MEASURE(t, ww_find(t->job.device, IN(c->bytes, c->length), word, m, OUT(at, most), ww_array(&count, 1), &options));
    fetch(t, ww_array(at, most));
    size_t next = 0;
    bool right = true;
    for (size_t i = 0; i < c->length && right; i++) {
        if (!stands_at(c, i, word, true)) continue;
        right = next < count && at[next] == i;
        next++;
    }
    if (!report(t, "find", "\"license\", in large letters or small", c->length, right && next == count)) return false;
    remark("it occurs there %s times", with_commas(count, text));
    return true;
}

static bool visit_texts(tour *t, const collection *c) {
    uint64_t lines = 0;
    for (size_t i = 0; i < c->length; i++) lines += c->bytes[i] == '\n';
    const size_t n = (size_t)lines;
    uint32_t *ends = room(t, n, 4), *lengths = room(t, n, 4), *back = room(t, n, 4);
    uint64_t *keys = room(t, n, 8), *sorted = room(t, n, 8);
    if (short_of_memory(t)) return false;
    send(t, ww_array(c->bytes, c->length));
    return pack_lines(t, c, ends, &lines) && measure_lines(t, ends, n, lengths, back) && longest_lines(t, lengths, n) &&
           sort_lines(t, c, ends, n, keys, sorted, back) && find_word(t, c);
}

/* ---- the readings, as records ---- */

WW_MAP(time_of, uint64_t, reading, r, void, none, { return r.time; });
WW_MAP(sensor_of, uint32_t, reading, r, void, none, { return r.sensor; });
WW_MAP(is_high, uint8_t, reading, r, void, none, { return r.value >= 0.75f; });

WW_STRUCT(extremes, {
    float low;
    float high;
});
WW_MAP(value_of, extremes, reading, r, void, none, {
    extremes e;
    e.low = r.value;
    e.high = r.value;
    return e;
});
WW_COMBINE(wider, extremes, a, b, WW_COMMUTES, WW_IDENTITY({2, -2}), {
    extremes e;
    e.low = a.low < b.low ? a.low : b.low;
    e.high = a.high > b.high ? a.high : b.high;
    return e;
});

static ww_input reading_input(const tour *t, const reading *readings, size_t n) {
    return input_there(t, ww_memory_of(readings, n, &reading_ww));
}
static ww_array reading_array(reading *readings, size_t n) { return ww_array_of(readings, n, &reading_ww); }

static bool count_sensors(tour *t, const reading *readings, size_t n, uint32_t *counts, uint32_t *wanted) {
    MEASURE(t, ww_histogram(t->job.device, &sensor_of_ww, reading_input(t, readings, n), OUT(counts, SENSORS), ww_none,
                            NULL));
    fetch(t, ww_array(counts, SENSORS));
    memset(wanted, 0, SENSORS * sizeof *wanted);
    for (size_t i = 0; i < n; i++) wanted[readings[i].sensor]++;
    return report(t, "count", "readings of each of 65,536 sensors", n, !memcmp(counts, wanted, SENSORS * 4));
}

static bool extremes_of_values(tour *t, const reading *readings, size_t n) {
    extremes found = {0, 0}, wanted = {2, -2};
    MEASURE(t, ww_reduce(t->job.device, &wider_ww, ww_mapped(&value_of_ww, reading_input(t, readings, n)),
                         ww_array_of(&found, 1, &extremes_ww)));
    for (size_t i = 0; i < n; i++) {
        if (readings[i].value < wanted.low) wanted.low = readings[i].value;
        if (readings[i].value > wanted.high) wanted.high = readings[i].value;
    }
    return report(t, "reduce", "lowest and highest value, by an own operator", n,
                  found.low == wanted.low && found.high == wanted.high);
}

static bool pack_high(tour *t, const reading *readings, size_t n, reading *out) {
    uint64_t kept = 0;
    MEASURE(t, ww_pack_if(t->job.device, &is_high_ww, reading_input(t, readings, n),
                          array_there(t, reading_array(out, n)), ww_array(&kept, 1), NULL));
    fetch(t, reading_array(out, n));
    size_t next = 0;
    bool right = true;
    for (size_t i = 0; i < n && right; i++) {
        if (readings[i].value < 0.75f) continue;
        right = next < kept && memcmp(&out[next], &readings[i], sizeof *out) == 0;
        next++;
    }
    return report(t, "pack", "the readings of 0.75 and more", n, right && next == kept);
}

static bool order_by_time(tour *t, const reading *readings, size_t n, uint64_t *times, uint64_t *sorted,
                          uint32_t *from) {
    MEASURE(t, ww_sort(t->job.device, ww_mapped(&time_of_ww, reading_input(t, readings, n)),
                       ww_counting(&ww_type_uint32_t, 0, n), OUT(sorted, n), OUT(from, n), NULL));
    fetch(t, ww_array(sorted, n));
    fetch(t, ww_array(from, n));
    for (size_t i = 0; i < n; i++) times[i] = readings[i].time;
    return report(t, "sort", "their times with the position of each", n, sorted_uint64_t(times, sorted, from, n));
}

static bool move_readings(tour *t, reading *readings, size_t n, const uint32_t *from, reading *ordered, reading *back) {
    MEASURE(t, ww_gather(t->job.device, ww_from(array_there(t, reading_array(readings, n))), IN(from, n),
                         array_there(t, reading_array(ordered, n))));
    fetch(t, reading_array(ordered, n));
    bool right = true;
    for (size_t i = 0; i < n; i++) right &= memcmp(&ordered[i], &readings[from[i]], sizeof *ordered) == 0;
    if (!report(t, "gather", "the readings in the order of their times", n, right)) return false;
    MEASURE(t, ww_scatter(t->job.device, reading_input(t, ordered, n), IN(from, n),
                          array_there(t, reading_array(back, n)), ww_scatter_by(WW_CONFLICT_ANY)));
    fetch(t, reading_array(back, n));
    return report(t, "scatter", "and back to where they stood", n, memcmp(back, readings, n * sizeof *back) == 0);
}

static bool visit_readings(tour *t) {
    const size_t n = t->most->readings;
    reading *readings = room(t, n, sizeof *readings), *one = room(t, n, sizeof *one), *two = room(t, n, sizeof *two);
    uint64_t *times = room(t, n, 8), *sorted = room(t, n, 8);
    uint32_t *from = room(t, n, 4), *counts = room(t, SENSORS, 4), *wanted = room(t, SENSORS, 4);
    if (short_of_memory(t)) return false;
    make_readings(readings, n, 20260101);
    send(t, reading_array(readings, n));
    return count_sensors(t, readings, n, counts, wanted) && extremes_of_values(t, readings, n) &&
           pack_high(t, readings, n, one) && order_by_time(t, readings, n, times, sorted, from) &&
           move_readings(t, readings, n, from, one, two);
}

/* ---- the tour ---- */

static void describe(const char *name, const collection *c) {
    if (c->files) {
        printf("  %-10s %zu files, %.1f MB, from %s …\n", name, c->files, (double)c->length / 1e6, c->from);
    } else {
        printf("  %-10s none found that could be read; %.1f MB made up in their place\n", name,
               (double)c->length / 1e6);
    }
}

static bool walk(tour *t) {
    collection libraries = {0}, texts = {0};
    ww_device_info info = WW_DEVICE_INFO;
    job *j = &t->job;
    if (job_check(j, ww_device_info_get(j->device, &info))) return false;
    printf("warpwise %s on %s: %s\n", ww_version(), info.backend, info.description);
    t->gpu = strcmp(info.backend, "cpu") != 0;
    t->most = strcmp(info.backend, "emu") ? &usual : &emulated;
    bool go_on = !collect_binaries(j, t->most->binary, &libraries) && !collect_texts(j, t->most->text, &texts);
    if (go_on) {
        describe("libraries", &libraries);
        describe("texts", &texts);
        printf("  %-10s %zu records of %zu bytes, generated\n", "readings", t->most->readings, sizeof(reading));
        printf("\n  %-8s %-46s %11s %12s %11s  %s\n", "step", "", "elements", "time", "rate", "checked");
        begin_part("This machine's libraries, as bytes and as 32-bit words");
        settle(t, libraries.bytes, libraries.length);
        go_on = visit_libraries(t, &libraries);
        free_rooms(t);
        libraries.bytes = NULL;
    }
    if (go_on) {
        begin_part("Its texts, as lines");
        settle(t, texts.bytes, texts.length);
        go_on = visit_texts(t, &texts);
        free_rooms(t);
        texts.bytes = NULL;
    }
    if (go_on) {
        begin_part("Readings of sensors, as records");
        go_on = visit_readings(t);
        free_rooms(t);
    }
    if (libraries.bytes) ww_free(j->device, libraries.bytes);
    if (texts.bytes) ww_free(j->device, texts.bytes);
    return go_on;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    tour *t = state->input;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = &t->job;
        return 0;
    }
    if (key == ARGP_KEY_ARG) argp_error(state, "'%s': tour takes no files", argument);
    return ARGP_ERR_UNKNOWN;
}

int tour_command(int argc, char **argv) {
    static const char about[] =
        "Demonstrates the library on this machine's own files and on generated records: it sorts, selects, splits, "
        "scans, counts, searches, packs, reduces, gathers, scatters, merges and finds. Each line says what was done, "
        "on how many elements, how fast (the best of three rounds), and whether a plain loop found the same."
        "\v"
        "Examples:\n"
        "  warpwise tour\n"
        "  warpwise tour --device=cpu:threads=1\n\n"
        "Missing files are skipped. It only reads files, and needs about 600 MB of memory. On a GPU, arrays are in its "
        "memory and are copied back for the checks; the emulator is given less.\n\n"
        "Exit status: 0 all verified, 1 a result was wrong or a call failed, 2 wrong usage.";
    static const struct argp argp = {NULL, parse_option, NULL, about, device_children, NULL, NULL};
    static tour t;
    t.job.command = argv[0];
    argp_parse(&argp, argc, argv, 0, NULL, &t);
    t.colour = isatty(STDOUT_FILENO) && !secure_getenv("NO_COLOR");
    t.began = seconds_now();
    /* No progress line: each step says its own. */
    if (job_check(&t.job, ww_open(t.job.device_name, &t.job.device))) return job_close(&t.job, FAILED);
    const bool finished = walk(&t);
    free_rooms(&t);
    const double seconds = seconds_now() - t.began;
    if (finished) {
        printf("\n%zu steps, %zu verified, %zu wrong, in %.1f s\n", t.steps, t.steps - t.wrong, t.wrong, seconds);
    }
    if (t.wrong) job_fail(&t.job, "%zu of %zu results were wrong", t.wrong, t.steps);
    if (t.job.time)
        fprintf(stderr, "%s: %zu steps in %.6f s, %.1f steps/s\n", argv[0], t.steps, seconds,
                (double)t.steps / seconds);
    t.job.time = false;
    return job_close(&t.job, finished && !t.wrong ? DONE : FAILED);
}
