/* Steps on the model of memory in banks. Its tables count steps, which are the same on every machine: each run of the model is
 * made once, when the family's rows have been measured. What these rows time is the model itself. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "measuring/pages.h"
#include "measuring/report.h"
#include "studies/banked_study.h"

enum { SORT, PARTITION, PERMUTE, PROBLEMS };
static const char *const problems[PROBLEMS] = {"sort", "partition", "permute"};

/* ---- one run ---- */

static uint64_t next_random(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Keys of 32 random bits, or 0, 1, … modulo `kinds`, shuffled. */
static void fill_items(uint32_t *item, size_t n, int problem, uint64_t kinds) {
    uint64_t state = 1;
    for (size_t k = 0; k < n; k++) item[k] = problem == SORT ? (uint32_t)next_random(&state) : (uint32_t)(k % kinds);
    for (size_t k = n; k > 1 && problem != SORT; k--) {
        const size_t other = next_random(&state) % k;
        const uint32_t kept = item[k - 1];
        item[k - 1] = item[other];
        item[other] = kept;
    }
}

static ww_status call(ww_device *device, int problem, ww_banked_method method, uint64_t banks, uint32_t *item,
                      uint32_t *value, size_t n, ww_banked_result *result) {
    ww_banked_options o = WW_BANKED_OPTIONS;
    o.method = method;
    switch (problem) {
    case SORT:
        return ww_banked_sort(device, ww_array(item, n), banks, &o, result);
    case PARTITION:
        return ww_banked_partition(device, ww_array(item, n), ww_none, banks, &o, result);
    default:
        return ww_banked_permute(device, ww_array(item, n), ww_array(value, n), banks, &o, result);
    }
}

/* ---- rows ---- */

typedef struct banked_point {
    int problem;
    uint64_t banks;
} banked_point;

static const banked_point points[PROBLEMS] = {{SORT, 32}, {PARTITION, 32}, {PERMUTE, 32}};

static void make(bench_work *w) {
    const banked_point *p = &points[w->parameter];
    w->in = work_pages(w, w->n * 4);
    w->out = work_pages(w, w->out_bytes = w->n * 4);
    fill_items(w->in, w->n, p->problem, p->problem == PARTITION ? p->banks : w->n);
}

static ww_status run(bench_work *w) {
    const banked_point *p = &points[w->parameter];
    uint32_t *out = w->out;
    for (size_t k = 0; k < w->n; k++) out[k] = p->problem == PERMUTE ? (uint32_t)k : ((const uint32_t *)w->in)[k];
    if (p->problem == PERMUTE) return call(w->device, PERMUTE, WW_BANKED_AUTO, p->banks, w->in, out, w->n, NULL);
    return call(w->device, p->problem, WW_BANKED_AUTO, p->banks, out, NULL, w->n, NULL);
}

static bool right(const bench_work *w) {
    const banked_point *p = &points[w->parameter];
    const uint32_t *in = w->in, *out = w->out;
    uint64_t sums = 0;
    for (size_t k = 0; k < w->n; k++) {
        sums += (uint64_t)in[k] - out[k];
        if (p->problem == PERMUTE ? out[in[k]] != k : k && out[k - 1] > out[k]) return false;
    }
    return sums == 0;
}

/* clang-format off */
#define ROW(problem, text) \
    {.name = "model: " text ", 32 banks", .call = "ww_banked_" text, .make = make, .run = run, .right = right, .bytes = 8, \
     .element = 4, .items = 1 << 16, .least = 1 << 16, .item_bytes = 100, .seconds = 0.3, .parameter = problem, \
     .point = &points[problem]}
static const bench_row rows[] = {ROW(SORT, "sort"), ROW(PARTITION, "partition"), ROW(PERMUTE, "permute")};
/* clang-format on */

const bench_row *banked_studies(size_t *count) {
    *count = BENCH_COUNT(rows);
    return rows;
}

/* ---- steps, each counted once ---- */

typedef struct counted {
    int problem;
    ww_banked_method method;
    uint64_t banks, n;
    ww_banked_result result; /* 0 steps: the method is not for this shape */
} counted;

enum { COUNTED = 600 };
static counted known[COUNTED];
static size_t known_many;

static void count_steps(counted *c) {
    ww_device *device;
    uint32_t *item = malloc(c->n * sizeof *item), *value = malloc(c->n * sizeof *value);
    c->result = (ww_banked_result)WW_BANKED_RESULT;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rcounting steps: %s, %llu banks, n = %llu\033[K", problems[c->problem],
                (unsigned long long)c->banks, (unsigned long long)c->n);
    if (item && value && !ww_open("cpu:threads=1", &device)) {
        fill_items(item, c->n, c->problem, c->problem == PARTITION ? c->banks : c->n);
        for (size_t k = 0; k < c->n; k++) value[k] = (uint32_t)k;
        if (call(device, c->problem, c->method, c->banks, item, value, c->n, &c->result)) c->result.steps = 0;
        ww_close(device);
    }
    free(item);
    free(value);
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

static const ww_banked_result *steps_of(int problem, ww_banked_method method, uint64_t banks, uint64_t n) {
    for (size_t k = 0; k < known_many; k++)
        if (known[k].problem == problem && known[k].method == method && known[k].banks == banks && known[k].n == n)
            return &known[k].result;
    counted *c = &known[known_many < COUNTED ? known_many++ : COUNTED - 1];
    *c = (counted){problem, method, banks, n, WW_BANKED_RESULT};
    count_steps(c);
    return &c->result;
}

/* ---- how they are to grow, as include/warpwise/banked.h has it ---- */

static double lg(double x) { return fmax(1, log2(x)); }

static double growth(int problem, ww_banked_method method, double m, double w) {
    const double levels = fmax(1, lg(m) / lg(w));
    switch (method) {
    case WW_BANKED_LEMMA1:
        return problem == SORT ? w * lg(w) : w;
    case WW_BANKED_THEOREM1:
        return problem == SORT ? w * lg(m * w) : w;
    case WW_BANKED_SHEARSORT:
        return w * lg(m * w) * lg(m);
    case WW_BANKED_LEMMA2:
        return w * pow(levels, 3);
    case WW_BANKED_THEOREM4:
        return w * lg(lg(lg(m))) + lg(m) * lg(m);
    case WW_BANKED_OFFLINE:
        return w;
    case WW_BANKED_ODDEVEN:
    case WW_BANKED_BITONIC:
        return w * lg(m * w) * lg(m * w);
    default:
        return w * lg(m * w) * fmin(lg(m), levels * levels);
    }
}

static const struct {
    int problem;
    ww_banked_method method;
    const char *name;
} ways[] = {{SORT, WW_BANKED_LEMMA1, "sort, lemma 1"},
            {SORT, WW_BANKED_THEOREM1, "sort, theorem 1"},
            {SORT, WW_BANKED_THEOREM2, "sort, theorem 2"},
            {SORT, WW_BANKED_SHEARSORT, "sort, Shearsort"},
            {SORT, WW_BANKED_ODDEVEN, "sort, odd-even network"},
            {SORT, WW_BANKED_BITONIC, "sort, bitonic network"},
            {PARTITION, WW_BANKED_LEMMA1, "partition, corollary 1"},
            {PARTITION, WW_BANKED_THEOREM1, "partition, theorem 1"},
            {PARTITION, WW_BANKED_THEOREM2, "partition, theorem 2"},
            {PARTITION, WW_BANKED_LEMMA2, "partition, lemma 2"},
            {PERMUTE, WW_BANKED_THEOREM4, "permute, theorem 4"},
            {PERMUTE, WW_BANKED_OFFLINE, "permute, offline"},
            {PERMUTE, WW_BANKED_SORTING, "permute, by sorting"}};

static const uint64_t banks_of[] = {8, 32, 128, 1024};
enum { LEAST_BITS = 10, MOST_BITS = 22, FIT_BITS = 18 };

static bool shown(const bench_report *report, uint64_t banks, unsigned bits) {
    return (uint64_t)1 << bits >= banks && (uint64_t)1 << bits <= report->run->most;
}

/* ---- tables ---- */

/* Steps a column over n: the best method of a problem, for each number of banks. */
static void over_n(study_maker *k, int problem) {
    bench_table *t = &k->table;
    study_begin(t, "steps / w", "n", true,
                "Steps of the model, a column (w = n / m), of the method that %s takes: m banks", problems[problem]);
    for (unsigned bits = LEAST_BITS; bits <= MOST_BITS; bits += 2)
        if (shown(k->report, 1, bits)) study_column(t, "2^%u", bits);
    for (size_t b = 0; b < BENCH_COUNT(banks_of); b++) {
        const size_t line = study_line(t, "m = %llu", (unsigned long long)banks_of[b]);
        for (size_t c = 0; c < t->columns; c++) {
            const unsigned bits = LEAST_BITS + 2 * (unsigned)c;
            if (!shown(k->report, banks_of[b], bits)) continue;
            const ww_banked_result *r = steps_of(problem, WW_BANKED_AUTO, banks_of[b], (uint64_t)1 << bits);
            if (r->steps) t->value[line][c] = (double)r->steps * (double)banks_of[b] / pow(2, bits);
        }
    }
    k->each(t, k->to);
}

/* Partitioning over permuting, on more banks than columns. */
static void separation(study_maker *k) {
    bench_table *t = &k->table;
    study_begin(t, "steps of partition / permute", "columns", true,
                "Partitioning beside permuting, more banks than columns (w < m)");
    for (unsigned bits = 2; bits <= 9; bits++) study_column(t, "w = %u", 1u << bits);
    for (int theory = 0; theory < 2; theory++)
        for (size_t b = 2; b < BENCH_COUNT(banks_of); b++) {
            const uint64_t m = banks_of[b];
            const size_t line = study_line(t, theory ? "m = %llu: L^3 / lglglg m" : "m = %llu: measured",
                                           (unsigned long long)m);
            for (size_t c = 0; c < t->columns; c++) {
                const uint64_t w = (uint64_t)4 << c;
                if (w >= m || m * w > k->report->run->most) continue;
                const double levels = fmax(1, lg((double)m) / lg((double)w));
                const ww_banked_result *partition = steps_of(PARTITION, WW_BANKED_AUTO, m, m * w),
                                       *permute = steps_of(PERMUTE, WW_BANKED_THEOREM4, m, m * w);
                if (theory)
                    t->value[line][c] = pow(levels, 3) / lg(lg(lg((double)m)));
                else if (permute->steps)
                    t->value[line][c] = (double)partition->steps / (double)permute->steps;
            }
        }
    k->each(t, k->to);
}

/* Conflicts of the networks, beside the methods for banks. */
static void networks(study_maker *k) {
    static const ww_banked_method methods[] = {WW_BANKED_BITONIC, WW_BANKED_ODDEVEN, WW_BANKED_SHEARSORT,
                                               WW_BANKED_AUTO};
    static const char *const names[] = {"bitonic network", "odd-even network", "Shearsort", "best for banks"};
    bench_table *t = &k->table;
    study_begin(t, "steps / w (of these, waited)", "n", false, "Sorting on 32 banks: networks wait for conflicts");
    for (unsigned bits = LEAST_BITS; bits <= FIT_BITS; bits += 2)
        if (shown(k->report, 32, bits)) study_column(t, "2^%u", bits);
    for (size_t m = 0; m < BENCH_COUNT(methods); m++) {
        const size_t line = study_line(t, "%s", names[m]);
        for (size_t c = 0; c < t->columns; c++) {
            const unsigned bits = LEAST_BITS + 2 * (unsigned)c;
            const ww_banked_result *r = steps_of(SORT, methods[m], 32, (uint64_t)1 << bits);
            if (!r->steps) continue;
            t->value[line][c] = (double)r->steps * 32 / pow(2, bits);
            snprintf(t->note[line][c], sizeof t->note[0][0], "(%.0f%%)", 100 * (double)r->conflicts / (double)r->steps);
        }
    }
    k->each(t, k->to);
}

/* The constant c of steps = c growth that leaves the least sum of squares of (steps / growth - c), the least and the largest
 * one. */
static void constants(study_maker *k) {
    bench_table *t = &k->table;
    study_begin(t, "steps without conflicts / growth", "constant", false,
                "Constants: m = 8, 32, 128, 1024, n from m to 2^%d, growth as docs/banked.md has it", FIT_BITS);
    study_column(t, "fitted");
    study_column(t, "least");
    study_column(t, "largest");
    study_column(t, "shapes");
    for (size_t y = 0; y < BENCH_COUNT(ways); y++) {
        double sum = 0, most = 0, little = INFINITY;
        size_t many = 0;
        for (size_t b = 0; b < BENCH_COUNT(banks_of); b++)
            for (unsigned bits = 4; bits <= FIT_BITS; bits += 2) {
                if (!shown(k->report, banks_of[b], bits)) continue;
                const ww_banked_result *r = steps_of(ways[y].problem, ways[y].method, banks_of[b], (uint64_t)1 << bits);
                if (!r->steps) continue;
                const double ratio = (double)(r->steps - r->conflicts) /
                                     growth(ways[y].problem, ways[y].method, (double)banks_of[b], (double)r->columns);
                sum += ratio;
                most = fmax(most, ratio);
                little = fmin(little, ratio);
                many++;
            }
        const size_t line = study_line(t, "%s", ways[y].name);
        if (!many) continue;
        t->value[line][0] = sum / (double)many;
        t->value[line][1] = little;
        t->value[line][2] = most;
        t->value[line][3] = (double)many;
    }
    k->each(t, k->to);
}

void banked_tables(const bench_report *report, bench_each_table *each, void *to) {
    study_maker k = {.report = report, .each = each, .to = to};
    bool measured = false;
    for (size_t i = 0; i < report->count; i++)
        measured |= report->results[i].family == &family_banked && report->results[i].row &&
                    report->results[i].row->point;
    if (!measured) return;
    for (int problem = 0; problem < PROBLEMS; problem++) over_n(&k, problem);
    separation(&k);
    networks(&k);
    constants(&k);
}
