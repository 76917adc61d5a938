/* What latency and rates of a network make of groups of up to 1,024 GPUs:
 *
 *     build/bench-group-simulated FOLDER [RANKS [TRIAL]]
 *     bench/group/simulated.py FOLDER/simulated.csv FOLDER/simulated.svg
 *
 * writes FOLDER/simulated.csv and FOLDER/messages.csv, and draws the first. RANKS: the most, 1024 unless said (some minutes and 8 GB of memory);
 * TRIAL: log2 of a rank's elements in real runs, 12 unless said.
 *
 * Real: every call is made by so many ranks, threads of this process, over tests/support/network.c, with 2^TRIAL uniform u32 a rank: which
 * messages go from whom to whom in what order, and how long they are, is what the library sends. One exchange of a call grows with the
 * elements: it is found by a second run with twice as many, in which nothing else may have grown (else the program ends with 1).
 * Scaled: that exchange, to the elements that a row is about; and the rounds in which a sort looks for its borders, which are more with
 * longer blocks (`rounds_of`).
 * Modelled: time. Links by tests/support/network.h's costs; a GPU's own work by what an H100 took in kept results (`gpu`), the same for
 * all ranks. Keys are uniform: skew is not in it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/network.h"
#include "warpwise.h"

enum { BUCKETS = 4096, ROWS_MOST = 64, POWERS = 11 };

/* ---- what a GPU takes by itself: an H100, 2^30 u32 ---- */

static const double big = 1073741824.0;
static const struct {
    double reduce_s, scan_s, split_s,
        merge_s;    /* bench/results/2026-11-24-h100x2-group: T, and a merge; multisplit into 5,000 buckets:
                                                  2026-11-21-h100-later, 113.8 G/s */
    double small_s; /* a call of a few elements: an assumption */
    double host_s;  /* the host looks through a sample: a Xeon, 19 ns */
} gpu = {1.405e-3, 3.39e-3, 9.44e-3, 4e-3, 15e-6, 19e-9};

/* 2026-11-24-h100x2-group: 2^10, 2^20, 2^24, 2^30 keys; straight lines between, both axes logarithmic. */
static double sort_s(double n) {
    static const double lg[] = {10, 20, 24, 30}, s[] = {26e-6, 75e-6, 400e-6, 19.2e-3};
    const double x = log2(n > 1 ? n : 1);
    if (x <= lg[0]) return s[0];
    for (size_t k = 1; k < 4; k++)
        if (x <= lg[k] || k == 3) return s[k - 1] * pow(s[k] / s[k - 1], (x - lg[k - 1]) / (lg[k] - lg[k - 1]));
    return 0;
}

static double linear_s(double n, double of_big) { return gpu.small_s + n / big * of_big; }

/* ---- networks ---- */

static const struct {
    const char *name;
    network_costs costs;
} networks[] = {
    /* hosts of eight as two H100s were measured (340 GB/s leave a GPU), 400 Gb/s a GPU between them; 120 µs is what NCCL's non-blocking
     * communicators took for a message of a few bytes */
    {"50 GB/s, 5 us, call 120 us", {8, 120e-6, 1e-6, 1.3e12, {2e-6, 5e-6}, {340e9, 50e9}}},
    {"50 GB/s, 5 us, call 10 us", {8, 10e-6, 1e-6, 1.3e12, {2e-6, 5e-6}, {340e9, 50e9}}},
    {"6 GB/s, 5 us, call 10 us", {8, 10e-6, 1e-6, 1.3e12, {2e-6, 5e-6}, {340e9, 6.25e9}}},
    {"50 GB/s, 50 us, call 10 us", {8, 10e-6, 5e-6, 1.3e12, {2e-6, 50e-6}, {340e9, 50e9}}},
    {"no costs but 340 GB/s", {0, 0, 0, 1.3e12, {0, 0}, {340e9, 340e9}}},
};
enum { NETWORKS = sizeof networks / sizeof networks[0] };

/* ---- the calls, for real ---- */

typedef struct job {
    uint32_t *in, *out; /* blocks of n, and of 2 n */
    size_t n;
} job;

static uint32_t *in_of(const job *j, ww_group *g) { return j->in + ww_group_rank(g) * j->n; }
static uint32_t *out_of(const job *j, ww_group *g) { return j->out + 2 * ww_group_rank(g) * j->n; }

static ww_status by_sort(ww_group *g, void *context) {
    const job *j = context;
    return ww_group_sort(g, ww_memory(in_of(j, g), j->n), ww_no_input, ww_array(out_of(j, g), j->n), ww_none, NULL);
}
static ww_status by_split(ww_group *g, void *context) {
    static const ww_bits highest = {20, 12};
    const job *j = context;
    return ww_group_split(g, ww_with(ww_by_bits, &highest), BUCKETS, NULL, ww_memory(in_of(j, g), j->n), ww_no_input,
                          ww_array(out_of(j, g), 2 * j->n), ww_none, ww_none, NULL, NULL);
}
static ww_status by_reduce(ww_group *g, void *context) {
    const job *j = context;
    return ww_group_reduce(g, &ww_add, ww_memory(in_of(j, g), j->n), ww_array(out_of(j, g), 1));
}
static ww_status by_scan(ww_group *g, void *context) {
    const job *j = context;
    return ww_group_scan(g, &ww_add, ww_memory(in_of(j, g), j->n), ww_array(out_of(j, g), j->n), NULL);
}
static ww_status by_floats(ww_group *g, void *context) {
    const job *j = context;
    return ww_group_scan(g, &ww_add, ww_cast(&ww_type_float, ww_memory(in_of(j, g), j->n)),
                         ww_array((float *)out_of(j, g), j->n), NULL);
}

/* ---- what a rank works before an operation; `k` counts from the call's first one on ---- */

typedef struct moment {
    size_t k, of; /* of so many */
    double n, ranks;
} moment;

static double work_of_sort(const moment *m) {
    double passes = 0;
    for (double runs = 1; runs < m->ranks; runs *= 2) passes++;
    if (!m->k) return sort_s(m->n);
    if (m->k + 1 == m->of) { /* what came: src/group/sort.c */
        if (passes >= 4) return sort_s(m->n);
        return passes * m->n / big * gpu.merge_s + (m->ranks - 1) * gpu.small_s;
    }
    if (m->k + 4 >= m->of) return 0;
    /* rounds: samples are read; they are sorted, and half of them looked through */
    if (m->k % 4 == 1) return gpu.small_s;
    return m->k % 4 == 3 ? sort_s(m->ranks * 128) + m->ranks * 64 * gpu.host_s : 0;
}
static double work_of_split(const moment *m) { return !m->k || m->k + 1 == m->of ? linear_s(m->n, gpu.split_s) : 0; }
static double work_of_reduce(const moment *m) { return m->k ? gpu.small_s : linear_s(m->n, gpu.reduce_s); }
static double work_of_scan(const moment *m) {
    return m->k ? 2 * gpu.small_s + linear_s(m->n, gpu.scan_s) : linear_s(m->n, gpu.reduce_s);
}
static double work_of_floats(const moment *m) {
    if (m->k == 1) return linear_s(m->n, gpu.reduce_s);
    if (m->k != 5) return m->k == 3 ? gpu.small_s : 0;
    return linear_s(m->n * m->ranks / 2048, gpu.reduce_s) +
           linear_s(m->n, gpu.scan_s); /* the folds of all ranks' tiles */
}

static double alone_sort(double n) { return sort_s(n); }
static double alone_split(double n) { return linear_s(n, gpu.split_s); }
static double alone_reduce(double n) { return linear_s(n, gpu.reduce_s); }
static double alone_scan(double n) { return linear_s(n, gpu.scan_s); }

static const struct call {
    const char *name;
    ww_group_body *body;
    double (*work)(const moment *);
    double (*alone)(double n); /* T: one GPU, one call, its share */
    bool has_rounds;
} calls[] = {{"sort u32", by_sort, work_of_sort, alone_sort, true},
             {"split u32, 4096 buckets", by_split, work_of_split, alone_split, false},
             {"reduce u32", by_reduce, work_of_reduce, alone_reduce, false},
             {"scan u32", by_scan, work_of_scan, alone_scan, false},
             {"scan f32", by_floats, work_of_floats, alone_scan, false}};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* ---- real runs ---- */

static void must(bool fine, const char *what, const char *why) {
    if (fine) return;
    fprintf(stderr, "%s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static uint32_t mixed(uint64_t x) {
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 31, x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 29, x *= 0x94d049bb133111ebu;
    return (uint32_t)(x ^ x >> 32);
}

typedef struct trace {
    network *of;
    const network_operation *o; /* of the call: without the one of opening */
    size_t many, grows;         /* which one grows; `many` where none does */
} trace;

static trace run(const struct call *call, uint32_t ranks, size_t n) {
    trace t = {.grows = 0};
    char why[256] = "";
    ww_engine *engines = calloc(ranks, sizeof *engines);
    job j = {malloc(ranks * n * 4), malloc(2 * ranks * n * 4), n};
    must(engines && j.in && j.out, "memory", "none");
    for (size_t i = 0; i < ranks * n; i++) j.in[i] = mixed(i);
    t.of = network_new(ranks, &networks[0].costs, true, engines);
    must(t.of && !network_run(t.of, engines, call->body, &j, why), call->name, why);
    t.many = network_operations(t.of, &t.o) - 1;
    t.o++;
    t.grows = t.many;
    free(j.in);
    free(j.out);
    free(engines);
    return t;
}

/* Rounds of a sort, of four operations each; two come before them, four behind, from which `twice` counts alike. */
static size_t rounds_in(const trace *t) { return t->many > 5 ? (t->many - 5) / 4 : 0; }

/* Which exchange is as long again; nothing else may have grown, but that of rounds' samples, whose most is given. */
static void find_growing(const struct call *call, trace *t, const trace *twice) {
    const size_t fixed = call->has_rounds ? 4 : t->many;
    for (size_t k = 1; k <= fixed && k <= t->many; k++) {
        const network_operation *a = &t->o[t->many - k], *b = &twice->o[twice->many - k];
        must(a->gathers == b->gathers && a->gathered == b->gathered, call->name, "other operations with other lengths");
        if (a->sum == b->sum) continue;
        const double factor = (double)b->sum / (double)a->sum;
        must(factor > 1.8 && factor < 2.2 && t->grows == t->many, call->name,
             "what is sent does not grow as was thought");
        t->grows = t->many - k;
    }
}

/* In real runs of four ranks blocks of 2^8 to 2^13 were cut in 2 rounds, up to 2^18 in 3, 2^19 to 2^24 in 4, 2^25 and 2^26 in 5. So a round leaves
 * one in 51 to 63; beyond 2^26 it is taken to be one in 51. */
static size_t rounds_of(double n) {
    size_t rounds = 1;
    for (double left = n; left > 128; left /= 51) rounds++;
    return rounds;
}

/* ---- clocks ---- */

typedef struct account {
    double all_s, work_s, data_s;
    double messages, bytes; /* that one rank sends, at most */
    size_t rounds;
} account;

static void pass(const network_costs *costs, uint32_t ranks, const network_operation *o, double times, double work,
                 double *clock, double *after, account *a) {
    double before = 0, behind = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        clock[r] += work;
        before = clock[r] > before ? clock[r] : before;
    }
    network_pass(costs, ranks, o, times, clock, after);
    for (uint32_t r = 0; r < ranks; r++) behind = after[r] > behind ? after[r] : behind;
    memcpy(clock, after, ranks * sizeof *clock);
    a->work_s += work;
    if (times > 1) a->data_s += behind - before;
    a->messages += (double)o->most_messages;
    a->bytes += (double)o->most * times;
    if (!o->gathers || ranks < 2) return;
    a->messages += ceil(log2(ranks));
    a->bytes += (double)o->gathered * (ranks - 1);
}

static account play(const struct call *call, const trace *t, uint32_t ranks, double n, double trial,
                    const network_costs *costs) {
    account a = {.rounds = call->has_rounds && ranks > 1 ? rounds_of(n) : 0};
    double *clock = calloc(ranks, sizeof *clock), *after = calloc(ranks, sizeof *after);
    const size_t had = call->has_rounds ? rounds_in(t) : 0;
    must(clock && after, "memory", "none");
    moment m = {.of = t->many, .n = n, .ranks = ranks};
    for (size_t k = 0; k < t->many; k++) {
        m.k = k;
        pass(costs, ranks, &t->o[k], k == t->grows ? n / trial : 1, call->work(&m), clock, after, &a);
        if (!had || ranks < 2 || k != 4) continue;
        for (size_t more = had; more < a.rounds; more++) /* like the first one, of the most samples */
            for (m.k = 1; m.k <= 4; m.k++) pass(costs, ranks, &t->o[m.k], 1, call->work(&m), clock, after, &a);
    }
    for (uint32_t r = 0; r < ranks; r++) a.all_s = clock[r] > a.all_s ? clock[r] : a.all_s;
    free(clock);
    free(after);
    return a;
}

static void write_row(FILE *to, const struct call *call, const char *how, size_t net, uint32_t ranks, double n,
                      double alone, const account *a) {
    fprintf(to, "%s;%s;%s;%u;%.0f;%.4f;%.4f;%.4f;%.4f;%.4f;%zu;%.0f;%.0f\n", call->name, how, networks[net].name, ranks,
            n, a->all_s * 1e3, a->work_s * 1e3, a->data_s * 1e3, (a->all_s - a->work_s - a->data_s) * 1e3,
            alone / a->all_s, a->rounds, a->messages, a->bytes);
}

/* Weak: n a rank, T / time; strong: n in all, one GPU's time of all / time. */
static void rows_of(FILE *to, const struct call *call, const trace *t, uint32_t ranks, double trial) {
    for (size_t net = 0; net < NETWORKS; net++) {
        for (int lg = 20; lg <= 30; lg += 5) {
            const double n = ldexp(1, lg);
            const account a = play(call, t, ranks, n, trial, &networks[net].costs);
            write_row(to, call,
                      lg == 30   ? "weak 2^30"
                      : lg == 25 ? "weak 2^25"
                                 : "weak 2^20",
                      net, ranks, n, call->alone(n), &a);
        }
        const account a = play(call, t, ranks, big / ranks, trial, &networks[net].costs);
        write_row(to, call, "strong 2^30", net, ranks, big / ranks, call->alone(big), &a);
    }
    fflush(to);
}

/* What was really sent. */
static void messages_of(FILE *to, const struct call *call, const trace *t, uint32_t ranks, size_t n) {
    for (size_t k = 0; k < t->many; k++) {
        const network_operation *o = &t->o[k];
        fprintf(to, "%s;%u;%zu;%zu;%s;%s;%llu;%llu;%llu;%llu\n", call->name, ranks, n, k,
                o->gathers ? "gather" : "exchange", k == t->grows ? "grows" : "",
                (unsigned long long)(o->gathers ? o->gathered : o->sum), (unsigned long long)o->most_messages,
                (unsigned long long)o->most, (unsigned long long)o->most_in);
    }
    fflush(to);
}

static FILE *file_in(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    must(f != NULL, path, "cannot be written");
    return f;
}

int main(int argc, char **argv) {
    const uint32_t most = argc > 2 ? (uint32_t)atoi(argv[2]) : 1024;
    const size_t n = (size_t)1 << (argc > 3 ? atoi(argv[3]) : 12);
    must(argc > 1, argv[0], "FOLDER [RANKS [TRIAL]]");
    FILE *rows = file_in(argv[1], "simulated.csv"), *messages = file_in(argv[1], "messages.csv");
    fputs("call;scaling;network;ranks;elements a rank;ms;work ms;data ms;messages ms;efficiency or speedup;rounds;"
          "messages a rank;bytes a rank\n",
          rows);
    fputs(
        "call;ranks;elements a rank;operation;kind;grows;bytes (of a gather: a rank's);messages of a rank;bytes of a rank;bytes to a rank\n",
        messages);
    for (size_t c = 0; c < CALLS; c++)
        for (uint32_t ranks = 1; ranks <= most; ranks *= 2) {
            fprintf(stderr, "%s, %u ranks\n", calls[c].name, ranks);
            trace t = run(&calls[c], ranks, n), twice = run(&calls[c], ranks, 2 * n);
            find_growing(&calls[c], &t, &twice);
            messages_of(messages, &calls[c], &t, ranks, n);
            messages_of(messages, &calls[c], &twice, ranks, 2 * n);
            rows_of(rows, &calls[c], &t, ranks, (double)n);
            network_free(t.of);
            network_free(twice.of);
        }
    return ferror(rows) | fclose(rows) | ferror(messages) | fclose(messages) ? EXIT_FAILURE : EXIT_SUCCESS;
}
