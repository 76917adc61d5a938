/* warpwise tour: sort, split, scan, count, search, pack, reduce, gather, scatter, merge and runs on real data. After each
 * step its result is checked against a few plain lines written here, which call nothing of the library; when one is
 * wrong the tour says so and exits with 1. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "tour_data.h"

enum { MOST_BINARY = 64 << 20, MOST_TEXT = 16 << 20, READINGS = 4 << 20, NEEDLES = 1 << 20 };

typedef struct tour {
    job job;
    bool colour;
    size_t steps, wrong;
    double began;
    /* The step that is being measured: up to three rounds, the best counts. */
    int round;
    double best, round_began, spent;
    ww_status status;
    /* Memory of the steps, freed together. */
    void *block[64];
    size_t blocks;
} tour;

/* ---- measuring and reporting ---- */

static bool another_round(tour *t) {
    if (t->round == 3 || t->status || (t->round > 0 && t->spent > 1)) return false;
    t->round_began = seconds_now();
    return true;
}

static void round_took(tour *t, ww_status status) {
    const double seconds = seconds_now() - t->round_began;
    if (t->round == 0 || seconds < t->best) t->best = seconds;
    t->round++;
    t->spent += seconds;
    t->status = status;
}

/* Runs the call up to three times; later rounds find the memory they write to already there. */
#define MEASURE(t, call) \
    for ((t)->round = 0, (t)->spent = 0, (t)->status = WW_OK; another_round(t);) round_took(t, (call))

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
    fflush(stdout);
    t->steps++;
    t->wrong += !right;
    return true;
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

/* Memory for a step; t->status tells when there is none. */
static void *room(tour *t, uint64_t count, size_t size) {
    void *block = NULL;
    if (t->blocks == sizeof t->block / sizeof t->block[0]) abort();
    if (!t->status) t->status = ww_alloc_host(t->job.device, count * size + 1, &block);
    if (block) {
        t->block[t->blocks++] = block;
        memset(block, 0x55, count * size); /* not what a right result would be */
    }
    return block;
}

static void free_rooms(tour *t) {
    while (t->blocks) ww_free(t->job.device, t->block[--t->blocks]);
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
    static uint64_t counts[256], wanted[256];
    uint64_t top_count;
    uint32_t top;
    MEASURE(t, ww_histogram(t->job.device, &ww_byte_itself, NULL, ww_memory(c->bytes, c->length), ww_array(counts, 256),
                            ww_none));
    memset(wanted, 0, sizeof wanted);
    for (size_t i = 0; i < c->length; i++) wanted[c->bytes[i]]++;
    if (!report(t, "count", "how often each of 256 byte values occurs", c->length,
                !memcmp(counts, wanted, sizeof counts))) {
        return false;
    }
    t->status = ww_arg_max(t->job.device, NULL, ww_memory(counts, 256), ww_array(&top_count, 1), ww_array(&top, 1));
    if (short_of_memory(t)) return false;
    remark("most often: 0x%02x, %.1f %% of all", (unsigned)top, 100.0 * (double)top_count / (double)c->length);
    return true;
}

static bool sum_words(tour *t, const uint32_t *words, size_t n) {
    uint64_t sum = 0, wanted = 0;
    MEASURE(t, ww_reduce(t->job.device, &ww_add, ww_mapped(&ww_as_u64, NULL, ww_memory(words, n)), ww_array(&sum, 1)));
    for (size_t i = 0; i < n; i++) wanted += words[i];
    return report(t, "reduce", "the sum of all 32-bit words, in 64 bits", n, sum == wanted);
}

static bool scan_words(tour *t, const uint32_t *words, size_t n, uint32_t *sums) {
    MEASURE(t, ww_scan(t->job.device, &ww_add, ww_memory(words, n), ww_array(sums, n), NULL));
    uint32_t sum = 0;
    bool right = true;
    for (size_t i = 0; i < n; i++) right &= sums[i] == (sum += words[i]);
    return report(t, "scan", "the running sum of the words", n, right);
}

static bool split_words(tour *t, const uint32_t *words, size_t n, uint32_t *out) {
    uint64_t zeros = 0;
    MEASURE(t, ww_split_if(t->job.device, &ww_is_odd, NULL, ww_memory(words, n), ww_array(out, n), ww_array(&zeros, 1),
                           NULL));
    size_t even = 0, odd = (size_t)zeros;
    bool right = zeros <= n;
    for (size_t i = 0; i < n && right; i++) {
        size_t *to = words[i] & 1 ? &odd : &even;
        right = *to < n && out[*to] == words[i];
        ++*to;
    }
    return report(t, "split", "even words before odd ones, both in order", n, right && even == zeros && odd == n);
}

static bool sort_words(tour *t, const uint32_t *words, size_t n, uint32_t *sorted, uint32_t *from) {
    MEASURE(t, ww_sort(t->job.device, ww_memory(words, n), ww_no_input(), ww_array(sorted, n), ww_none, NULL));
    bool right = true;
    uint64_t sums[2] = {0, 0};
    for (size_t i = 0; i < n; i++) {
        right &= i == 0 || sorted[i - 1] <= sorted[i];
        sums[0] += words[i] * (words[i] | 1ull);
        sums[1] += sorted[i] * (sorted[i] | 1ull);
    }
    if (!report(t, "sort", "the words", n, right && sums[0] == sums[1])) return false;
    MEASURE(t, ww_sort(t->job.device, ww_memory(words, n), ww_counting(&ww_type_uint32_t, 0, n), ww_array(sorted, n),
                       ww_array(from, n), NULL));
    return report(t, "sort", "the words with where each stood, stably", n, sorted_uint32_t(words, sorted, from, n));
}

static bool count_runs(tour *t, const uint32_t *sorted, size_t n, uint32_t *values, uint32_t *lengths) {
    uint64_t runs = 0, position;
    uint32_t top;
    MEASURE(t, ww_run_lengths(t->job.device, ww_memory(sorted, n), ww_array(values, n), ww_array(lengths, n),
                              ww_array(&runs, 1)));
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
    t->status = ww_arg_max(t->job.device, NULL, ww_memory(lengths, runs), ww_array(&top, 1), ww_array(&position, 1));
    if (short_of_memory(t)) return false;
    remark("%s different words; most often 0x%08x, %.1f %%", with_commas(runs, text), (unsigned)values[position],
           100.0 * top / (double)n);
    return true;
}

static bool search_words(tour *t, const uint32_t *sorted, size_t n, uint32_t *needles, uint32_t *found) {
    uint64_t state = 7;
    for (size_t i = 0; i < NEEDLES; i++) {
        const uint64_t r = next_random(&state);
        needles[i] = i & 1 ? (uint32_t)r : sorted[r % n];
    }
    MEASURE(t, ww_lower_bound(t->job.device, NULL, ww_memory(sorted, n), ww_memory(needles, NEEDLES),
                              ww_array(found, NEEDLES)));
    bool right = true;
    for (size_t i = 0; i < NEEDLES; i++) {
        right &= found[i] <= n && (found[i] == 0 || sorted[found[i] - 1] < needles[i]) &&
                 (found[i] == n || sorted[found[i]] >= needles[i]);
    }
    return report(t, "search", "a million words among the sorted ones", NEEDLES, right);
}

static bool merge_words(tour *t, uint32_t *a, size_t na, uint32_t *b, size_t nb, uint32_t *out) {
    /* Two halves, each sorted first. */
    t->status = ww_sort(t->job.device, ww_memory(a, na), ww_no_input(), ww_array(a, na), ww_none, NULL);
    if (!t->status) t->status = ww_sort(t->job.device, ww_memory(b, nb), ww_no_input(), ww_array(b, nb), ww_none, NULL);
    if (short_of_memory(t)) return false;
    MEASURE(t, ww_merge(t->job.device, NULL, ww_memory(a, na), ww_memory(b, nb), ww_no_input(), ww_no_input(),
                        ww_array(out, na + nb), ww_none));
    bool right = true;
    for (size_t i = 0, j = 0; i + j < na + nb && right;) {
        const uint32_t next = j == nb || (i < na && a[i] <= b[j]) ? a[i] : b[j];
        right = out[i + j] == next;
        *(j == nb || (i < na && a[i] <= b[j]) ? &i : &j) += 1;
    }
    return report(t, "merge", "two sorted halves into one", na + nb, right);
}

static bool visit_libraries(tour *t, const collection *c) {
    const size_t n = c->length / 4;
    bool go_on = count_bytes(t, c);
    uint32_t *words = room(t, n, 4), *one = room(t, n, 4), *two = room(t, n, 4), *three = room(t, n, 4);
    uint32_t *needles = room(t, NEEDLES, 4), *found = room(t, NEEDLES, 4);
    if (!go_on || short_of_memory(t)) return false;
    memcpy(words, c->bytes, n * 4);
    go_on = sum_words(t, words, n) && scan_words(t, words, n, one) && split_words(t, words, n, one) &&
            sort_words(t, words, n, one, two) && count_runs(t, one, n, two, three) &&
            search_words(t, one, n, needles, found);
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
    const ww_input flags = ww_mapped(&ww_is_newline, NULL, ww_memory(c->bytes, c->length));
    const uint64_t most = *lines;
    MEASURE(t, ww_pack(t->job.device, ww_counting(&ww_type_uint32_t, 0, c->length), flags, ww_array(ends, most),
                       ww_array(lines, 1), NULL));
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
    MEASURE(t, ww_adjacent_difference(t->job.device, ww_memory(ends, n), ww_array(lengths, n)));
    bool right = true;
    for (size_t i = 0; i < n; i++) right &= lengths[i] == ends[i] - (i ? ends[i - 1] : 0);
    if (!report(t, "differ", "how long each line is", n, right)) return false;
    t->status = ww_arg_max(t->job.device, NULL, ww_memory(lengths, n), ww_array(&length, 1), ww_array(&longest, 1));
    if (short_of_memory(t)) return false;
    char text[32];
    remark("%s lines; the longest has %u characters", with_commas(n, text), (unsigned)length - 1);
    MEASURE(t, ww_scan(t->job.device, &ww_add, ww_memory(lengths, n), ww_array(back, n), NULL));
    return report(t, "scan", "from the lengths back to the ends", n, memcmp(back, ends, n * 4) == 0);
}

static bool sort_lines(tour *t, const collection *c, const uint32_t *ends, size_t n, uint64_t *keys, uint64_t *sorted,
                       uint32_t *from) {
    const line_keys lines = {c->bytes, ends, keys};
    t->status = ww_launch(t->job.device, &ww_read_line, &lines, n);
    if (short_of_memory(t)) return false;
    MEASURE(t, ww_sort(t->job.device, ww_memory(keys, n), ww_counting(&ww_type_uint32_t, 0, n), ww_array(sorted, n),
                       ww_array(from, n), NULL));
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

static bool visit_texts(tour *t, const collection *c) {
    uint64_t lines = 0;
    for (size_t i = 0; i < c->length; i++) lines += c->bytes[i] == '\n';
    const size_t n = (size_t)lines;
    uint32_t *ends = room(t, n, 4), *lengths = room(t, n, 4), *back = room(t, n, 4);
    uint64_t *keys = room(t, n, 8), *sorted = room(t, n, 8);
    if (short_of_memory(t)) return false;
    return pack_lines(t, c, ends, &lines) && measure_lines(t, ends, n, lengths, back) &&
           sort_lines(t, c, ends, n, keys, sorted, back);
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

static ww_input reading_input(const reading *readings, size_t n) { return ww_memory_of(readings, n, &ww_type_reading); }
static ww_array reading_array(reading *readings, size_t n) { return ww_array_of(readings, n, &ww_type_reading); }

static bool count_sensors(tour *t, const reading *readings, size_t n, uint32_t *counts, uint32_t *wanted) {
    MEASURE(t, ww_histogram(t->job.device, &ww_sensor_of, NULL, reading_input(readings, n), ww_array(counts, SENSORS),
                            ww_none));
    memset(wanted, 0, SENSORS * sizeof *wanted);
    for (size_t i = 0; i < n; i++) wanted[readings[i].sensor]++;
    return report(t, "count", "readings of each of 65,536 sensors", n, !memcmp(counts, wanted, SENSORS * 4));
}

static bool extremes_of_values(tour *t, const reading *readings, size_t n) {
    extremes found = {0, 0}, wanted = {2, -2};
    MEASURE(t, ww_reduce(t->job.device, &ww_wider, ww_mapped(&ww_value_of, NULL, reading_input(readings, n)),
                         ww_array_of(&found, 1, &ww_type_extremes)));
    for (size_t i = 0; i < n; i++) {
        if (readings[i].value < wanted.low) wanted.low = readings[i].value;
        if (readings[i].value > wanted.high) wanted.high = readings[i].value;
    }
    return report(t, "reduce", "lowest and highest value, by an own operator", n,
                  found.low == wanted.low && found.high == wanted.high);
}

static bool pack_high(tour *t, const reading *readings, size_t n, reading *out) {
    uint64_t kept = 0;
    MEASURE(t, ww_pack_if(t->job.device, &ww_is_high, NULL, reading_input(readings, n), reading_array(out, n),
                          ww_array(&kept, 1), NULL));
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
    MEASURE(t, ww_sort(t->job.device, ww_mapped(&ww_time_of, NULL, reading_input(readings, n)),
                       ww_counting(&ww_type_uint32_t, 0, n), ww_array(sorted, n), ww_array(from, n), NULL));
    for (size_t i = 0; i < n; i++) times[i] = readings[i].time;
    return report(t, "sort", "their times with where each stands", n, sorted_uint64_t(times, sorted, from, n));
}

static bool move_readings(tour *t, reading *readings, size_t n, const uint32_t *from, reading *ordered, reading *back) {
    MEASURE(t, ww_gather(t->job.device, reading_array(readings, n), ww_memory(from, n), reading_array(ordered, n)));
    bool right = true;
    for (size_t i = 0; i < n; i++) right &= memcmp(&ordered[i], &readings[from[i]], sizeof *ordered) == 0;
    if (!report(t, "gather", "the readings in the order of their times", n, right)) return false;
    MEASURE(t, ww_scatter(t->job.device, reading_input(ordered, n), ww_memory(from, n), reading_array(back, n),
                          WW_CONFLICT_ANY));
    return report(t, "scatter", "and back to where they stood", n, memcmp(back, readings, n * sizeof *back) == 0);
}

static bool visit_readings(tour *t) {
    const size_t n = READINGS;
    reading *readings = room(t, n, sizeof *readings), *one = room(t, n, sizeof *one), *two = room(t, n, sizeof *two);
    uint64_t *times = room(t, n, 8), *sorted = room(t, n, 8);
    uint32_t *from = room(t, n, 4), *counts = room(t, SENSORS, 4), *wanted = room(t, SENSORS, 4);
    if (short_of_memory(t)) return false;
    make_readings(readings, n, 20260101);
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
    ww_device_info info;
    job *j = &t->job;
    if (job_check(j, ww_device_info_get(j->device, &info))) return false;
    printf("warpwise %s on %s: %s\n", ww_version(), info.backend, info.description);
    bool go_on = !collect_binaries(j, MOST_BINARY, &libraries) && !collect_texts(j, MOST_TEXT, &texts);
    if (go_on) {
        describe("libraries", &libraries);
        describe("texts", &texts);
        printf("  %-10s %d records of %zu bytes, generated\n", "readings", READINGS, sizeof(reading));
        printf("\n  %-8s %-46s %11s %12s %11s  %s\n", "step", "", "elements", "time", "rate", "checked");
        begin_part("This machine's libraries, as bytes and as 32-bit words");
        go_on = visit_libraries(t, &libraries);
        free_rooms(t);
    }
    if (go_on) {
        begin_part("Its texts, as lines");
        go_on = visit_texts(t, &texts);
        free_rooms(t);
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
        "Walks through the library on this machine's own files and on generated records: sorts, splits, scans, counts, "
        "searches, packs, reduces, gathers, scatters, merges. Each line says what was done, on how many elements, how fast "
        "(the best of three rounds) and whether a plain loop found the same."
        "\v"
        "Examples:\n"
        "  warpwise tour\n"
        "  warpwise tour --device=cpu:threads=1\n\n"
        "Files that are missing are done without. It reads only, and needs about 600 MB of memory.\n"
        "\nExit status: 0 all verified, 1 a result was wrong or a call failed, 2 wrong usage.";
    static const struct argp_child children[] = {{&device_options, 0, NULL, 0}, {0}};
    static const struct argp argp = {NULL, parse_option, NULL, about, children, NULL, NULL};
    static tour t;
    t.job.command = argv[0];
    argp_parse(&argp, argc, argv, 0, NULL, &t);
    t.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
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
    return job_close(&t.job, finished && !t.wrong && !fflush(stdout) ? DONE : FAILED);
}
