/* Steps on the model of memory in banks. Its tables count steps, which are the same on every machine: each run of the model is
 * made once, when the family's rows have been measured. What these rows time is the model itself. */
#include <math.h>
#include <stdlib.h>
#include <time.h>
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
    double seconds;          /* that the run took */
} counted;

enum { COUNTED = 600 };
static counted known[COUNTED];
static size_t known_many;

/* The model runs on the calling thread: others on the machine do not count. */
static double thread_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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
        const double begin = thread_seconds();
        if (call(device, c->problem, c->method, c->banks, item, value, c->n, &c->result)) c->result.steps = 0;
        c->seconds = thread_seconds() - begin;
        ww_close(device);
    }
    free(item);
    free(value);
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

static const counted *run_of(int problem, ww_banked_method method, uint64_t banks, uint64_t n) {
    for (size_t k = 0; k < known_many; k++)
        if (known[k].problem == problem && known[k].method == method && known[k].banks == banks && known[k].n == n)
            return &known[k];
    counted *c = &known[known_many < COUNTED ? known_many++ : COUNTED - 1];
    *c = (counted){problem, method, banks, n, WW_BANKED_RESULT, 0};
    count_steps(c);
    return c;
}

static const ww_banked_result *steps_of(int problem, ww_banked_method method, uint64_t banks, uint64_t n) {
    return &run_of(problem, method, banks, n)->result;
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
    bool proved; /* by the theorem that it is named after */
} ways[] = {{SORT, WW_BANKED_LEMMA1, "sort, lemma 1", true},
            {SORT, WW_BANKED_THEOREM1, "sort, theorem 1", true},
            {SORT, WW_BANKED_THEOREM2, "sort, theorem 2", true},
            {SORT, WW_BANKED_SHEARSORT, "sort, Shearsort", false},
            {SORT, WW_BANKED_ODDEVEN, "sort, odd-even network", false},
            {SORT, WW_BANKED_BITONIC, "sort, bitonic network", false},
            {PARTITION, WW_BANKED_LEMMA1, "partition, corollary 1", true},
            {PARTITION, WW_BANKED_THEOREM1, "partition, theorem 1", true},
            {PARTITION, WW_BANKED_THEOREM2, "partition, theorem 2", true},
            {PARTITION, WW_BANKED_LEMMA2, "partition, lemma 2", true},
            {PERMUTE, WW_BANKED_THEOREM4, "permute, theorem 4", true},
            {PERMUTE, WW_BANKED_OFFLINE, "permute, offline", false},
            {PERMUTE, WW_BANKED_SORTING, "permute, by sorting", false}};

static const uint64_t banks_of[] = {8, 32, 128, 1024};
enum { LEAST_BITS = 10, MOST_BITS = 22, FIT_BITS = 18 };

static bool shown(const bench_report *report, uint64_t banks, unsigned bits) {
    return (uint64_t)1 << bits >= banks && (uint64_t)1 << bits <= report->run->most;
}

/* ---- constants ---- */

/* Steps without conflicts over the growth, of all shapes that the method is for: the constant c that leaves the least sum of squares of
 * (steps / growth - c), the least and the largest one. */
typedef struct fit {
    double constant, least, most;
    size_t shapes;
} fit;

static fit fit_of(const bench_report *report, int problem, ww_banked_method method) {
    fit f = {0, INFINITY, 0, 0};
    for (size_t b = 0; b < BENCH_COUNT(banks_of); b++)
        for (unsigned bits = 4; bits <= FIT_BITS; bits += 2) {
            if (!shown(report, banks_of[b], bits)) continue;
            const ww_banked_result *r = steps_of(problem, method, banks_of[b], (uint64_t)1 << bits);
            if (!r->steps) continue;
            const double ratio = (double)(r->steps - r->conflicts) /
                                 growth(problem, method, (double)banks_of[b], (double)r->columns);
            f.constant += ratio;
            f.most = fmax(f.most, ratio);
            f.least = fmin(f.least, ratio);
            f.shapes++;
        }
    f.constant /= f.shapes ? (double)f.shapes : NAN;
    return f;
}

/* ---- tables ---- */

/* Steps a column. */
static double steps_a_column(int problem, ww_banked_method method, uint64_t banks, unsigned bits) {
    const ww_banked_result *r = steps_of(problem, method, banks, (uint64_t)1 << bits);
    return r->steps ? (double)r->steps * (double)banks / pow(2, bits) : NAN;
}

/* The same as the method's theorem has it, times the fitted constant, on the matrix that was worked on. */
static double growth_a_column(const bench_report *report, int problem, ww_banked_method method, uint64_t banks,
                              unsigned bits) {
    const ww_banked_result *r = steps_of(problem, method, banks, (uint64_t)1 << bits);
    if (!r->steps) return NAN;
    return fit_of(report, problem, method).constant * growth(problem, method, (double)banks, (double)r->columns) *
           (double)banks / pow(2, bits);
}

static void columns_of_n(study_maker *k) {
    for (unsigned bits = LEAST_BITS; bits <= MOST_BITS; bits += 2)
        if (shown(k->report, 1, bits)) study_column(&k->table, "2^%u", bits);
}

/* Over n: the best method of a problem, for each number of banks. */
static void over_n(study_maker *k, int problem) {
    bench_table *t = &k->table;
    study_begin(t, "steps / w", "n", true,
                "Steps of the model, a column (w = n / m), of the method that %s takes: m banks", problems[problem]);
    columns_of_n(k);
    for (size_t b = 0; b < BENCH_COUNT(banks_of); b++) {
        const size_t line = study_line(t, "m = %llu", (unsigned long long)banks_of[b]);
        for (unsigned c = 0; c < t->columns; c++)
            if (shown(k->report, banks_of[b], LEAST_BITS + 2 * c))
                t->value[line][c] = steps_a_column(problem, WW_BANKED_AUTO, banks_of[b], LEAST_BITS + 2 * c);
    }
    k->each(t, k->to);
}

/* Over n: a method beside its theorem, for each number of banks that it is for. */
static void over_n_by(study_maker *k, size_t way) {
    const int problem = ways[way].problem;
    const ww_banked_method method = ways[way].method;
    bench_table *t = &k->table;
    study_begin(t, "steps / w", "n", true, "Steps of the model, a column: %s, beside the theorem's growth times %.3g",
                ways[way].name, fit_of(k->report, problem, method).constant);
    columns_of_n(k);
    for (size_t b = 0; b < BENCH_COUNT(banks_of); b++) {
        const size_t line = study_line(t, "m = %llu", (unsigned long long)banks_of[b]);
        const size_t theory = study_line(t, "m = %llu: theorem", (unsigned long long)banks_of[b]);
        for (unsigned c = 0; c < t->columns; c++) {
            if (!shown(k->report, banks_of[b], LEAST_BITS + 2 * c)) continue;
            t->value[line][c] = steps_a_column(problem, method, banks_of[b], LEAST_BITS + 2 * c);
            t->value[theory][c] = growth_a_column(k->report, problem, method, banks_of[b], LEAST_BITS + 2 * c);
        }
    }
    k->each(t, k->to);
}

/* Over m, for one n: each theorem. */
static void over_banks(study_maker *k) {
    enum { LEAST = 3, MOST = 10 };
    bench_table *t = &k->table;
    unsigned bits = FIT_BITS;
    while (bits > MOST && !shown(k->report, 1, bits)) bits--;
    study_begin(
        t, "steps / w", "banks", true,
        "Steps of the model, a column, over banks: n = 2^%u, beside the theorems' growth times the constants below",
        bits);
    for (unsigned b = LEAST; b <= MOST; b++) study_column(t, "%u", 1u << b);
    for (size_t y = 0; y < BENCH_COUNT(ways); y++) {
        if (!ways[y].proved) continue;
        const size_t line = study_line(t, "%s", ways[y].name);
        const size_t theory = study_line(t, "%s: theorem", ways[y].name);
        for (unsigned b = LEAST; b <= MOST; b++) {
            if (!shown(k->report, (uint64_t)1 << b, bits)) continue;
            t->value[line][b - LEAST] = steps_a_column(ways[y].problem, ways[y].method, (uint64_t)1 << b, bits);
            t->value[theory][b - LEAST] = growth_a_column(k->report, ways[y].problem, ways[y].method, (uint64_t)1 << b,
                                                          bits);
        }
    }
    k->each(t, k->to);
}

/* How long the largest runs took on this machine. */
static void seconds_of_runs(study_maker *k) {
    bench_table *t = &k->table;
    unsigned bits = MOST_BITS;
    while (bits > LEAST_BITS && !shown(k->report, 1, bits)) bits -= 2;
    study_begin(t, "seconds", "banks", false,
                "Seconds of this machine that a run of the model with n = 2^%u took, on one thread", bits);
    for (size_t b = 0; b < BENCH_COUNT(banks_of); b++) study_column(t, "%llu", (unsigned long long)banks_of[b]);
    for (int problem = 0; problem < PROBLEMS; problem++) {
        const size_t line = study_line(t, "%s", problems[problem]);
        for (size_t b = 0; b < BENCH_COUNT(banks_of); b++)
            if (shown(k->report, banks_of[b], bits))
                t->value[line][b] = run_of(problem, WW_BANKED_AUTO, banks_of[b], (uint64_t)1 << bits)->seconds;
    }
    k->each(t, k->to);
}

/* Partitioning over permuting, on more banks than columns. */
static void separation(study_maker *k) {
    bench_table *t = &k->table;
    study_begin(t, "steps of partition / permute", "columns w", true,
                "Partitioning beside permuting, more banks than columns (w < m); the theorems: L^3 / lglglg m");
    for (unsigned bits = 2; bits <= 9; bits++) study_column(t, "%u", 1u << bits);
    for (int theory = 0; theory < 2; theory++)
        for (size_t b = 2; b < BENCH_COUNT(banks_of); b++) {
            const uint64_t m = banks_of[b];
            const size_t line = study_line(t, theory ? "m = %llu: theorem" : "m = %llu", (unsigned long long)m);
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

static void constants(study_maker *k) {
    bench_table *t = &k->table;
    study_begin(t, "steps without conflicts / growth", "constant", false,
                "Constants: m = 8, 32, 128, 1024, n from m to 2^%d, growth as docs/banked.md has it", FIT_BITS);
    study_column(t, "fitted");
    study_column(t, "least");
    study_column(t, "largest");
    study_column(t, "shapes");
    for (size_t y = 0; y < BENCH_COUNT(ways); y++) {
        const size_t line = study_line(t, "%s", ways[y].name);
        const fit f = fit_of(k->report, ways[y].problem, ways[y].method);
        if (!f.shapes) continue;
        t->value[line][0] = f.constant;
        t->value[line][1] = f.least;
        t->value[line][2] = f.most;
        t->value[line][3] = (double)f.shapes;
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
    for (size_t y = 0; y < BENCH_COUNT(ways); y++)
        if (ways[y].proved) over_n_by(&k, y);
    over_banks(&k);
    separation(&k);
    networks(&k);
    constants(&k);
    seconds_of_runs(&k);
}
