/* Groups of many ranks over a network that is not there (support/network.h): the engine keeps the rules of engines; its clocks are what the costs
 * say; results are one device's with a thousand ranks, too; and what calls send grows with elements and ranks as it should: one exchange
 * in proportion to the elements, all else as long as it was. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "group/engine_rules.h"
#include "group/simulated_engine.h"
#include "support/cases.h"
#include "support/network.h"

enum { MOST = 1024, BUCKETS = 4096 };

static const network_costs costs = {.per_host = 4,
                                    .call_s = 1e-6,
                                    .message_s = 2e-6,
                                    .copy_bytes_per_s = 1e10,
                                    .latency_s = {10e-6, 50e-6},
                                    .bytes_per_s = {1e9, 1e8}};

/* ---- the engine ---- */

typedef enum rule { ARRIVE, SILENCE, ABORT, CLOSING, RULES } rule;

typedef struct member {
    pthread_t thread;
    simulated delays;
    ww_engine engine;
    rule which;
    uint64_t seed;
    bool holds;
} member;

static void *hold(void *argument) {
    member *m = argument;
    ww_engine *e = &m->engine;
    m->holds = m->which == ARRIVE    ? rule_bytes_arrive(e, m->seed, 20000)
               : m->which == SILENCE ? rule_silence_is_lost(e)
               : m->which == ABORT   ? rule_abort_is_told(e, true)
                                     : rule_closing_keeps_what_ended(e, m->seed, true);
    return NULL;
}

static void try_rule(rule which, uint32_t ranks, uint32_t delay_us) {
    enum { RANKS = 16 };
    ww_engine engines[RANKS];
    member members[RANKS];
    network *n = network_new(ranks, &costs, delay_us != 0, engines);
    expect(n != NULL);
    for (uint32_t r = 0; r < ranks; r++) {
        member *m = &members[r];
        *m = (member){.which = which, .seed = ranks + delay_us};
        m->delays = (simulated){.under = engines[r], .random = ranks * 100 + r, .most_us = delay_us};
        m->engine = simulated_engine(&m->delays);
        expect(!pthread_create(&m->thread, NULL, hold, m));
    }
    for (uint32_t r = 0; r < ranks; r++) pthread_join(members[r].thread, NULL);
    for (uint32_t r = 0; r < ranks; r++) expect(members[r].holds);
    network_free(n);
}

static void keeps_the_rules(void **state) {
    (void)state;
    const uint32_t sizes[] = {1, 2, 3, 7, 16};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (rule which = ARRIVE; which < RULES; which++) {
            const uint32_t delay_us = i % 2 ? 300 : 0;
            CASE("network", "rule %d, %u ranks, pauses up to %u us", (int)which, sizes[i], delay_us);
            if (case_wanted() && (which == ARRIVE || sizes[i] > 1)) try_rule(which, sizes[i], delay_us);
        }
}

/* ---- clocks ---- */

static void expect_near(double got, double wanted) {
    if (fabs(got - wanted) > 1e-9) print_error("%.9f s, and %.9f were awaited\n", got, wanted);
    expect(fabs(got - wanted) <= 1e-9);
}

/* Five ranks, four of them on one host. */
static void clocks_are_what_costs_say(void **state) {
    (void)state;
    enum { RANKS = 5 };
    CASE("network", "clocks");
    if (!case_wanted()) return;
    uint32_t bytes[RANKS * RANKS] = {0};
    double start[RANKS] = {0, 0, 0, 0, 0}, finish[RANKS];
    network_operation o = {.bytes = bytes};
    /* a rank that sends and gets nothing; one that keeps 10,000 bytes */
    bytes[0] = 10000;
    network_pass(&costs, RANKS, &o, 1, start, finish);
    expect_near(finish[1], 1e-6);
    expect_near(finish[0], 1e-6 + 1e-6);
    /* to the same host, and to another one: in turn, each over a port of its own */
    bytes[0] = 0, bytes[1] = 1000, bytes[2] = 3000, bytes[4] = 100;
    network_pass(&costs, RANKS, &o, 1, start, finish);
    expect_near(finish[0], 1e-6 + 3e-6 + 5e-6);
    expect_near(finish[1], 1e-6 + 3e-6 + 10e-6);
    expect_near(finish[2], 1e-6 + 3e-6 + 5e-6 + 10e-6);
    expect_near(finish[4], 1e-6 + 3e-6 + 50e-6);
    /* a late sender is waited for; longer blocks take longer */
    start[0] = 1e-3;
    network_pass(&costs, RANKS, &o, 10, start, finish);
    expect_near(finish[1], 1e-3 + 1e-6 + 12e-6 + 10e-6);
    expect_near(finish[3], 1e-6);
    /* all to one: its port takes one after the other */
    memset(bytes, 0, sizeof bytes);
    start[0] = 0;
    for (uint32_t r = 1; r < 4; r++) bytes[r * RANKS] = 1000;
    network_pass(&costs, RANKS, &o, 1, start, finish);
    expect_near(finish[0], 1e-6 + 10e-6 + 3 * 3e-6);
    /* a gather of two ranks: both send, and have it a latency later */
    o = (network_operation){.gathers = true, .gathered = 1000};
    network_pass(&costs, 2, &o, 1, start, finish);
    expect_near(finish[0], 1e-6 + 2e-6 + 1e-6 + 10e-6 + 2e-6);
    network_pass(&costs, 1, &o, 1, start, finish);
    expect_near(finish[0], 1e-6);
}

/* ---- calls ---- */

typedef struct job {
    network *on;
    uint32_t *in, *out; /* blocks of n, and of 2 n */
    size_t n;
    double works_s; /* of rank 0, before the call */
} job;

static uint32_t *block_in(const job *j, ww_group *group) { return j->in + ww_group_rank(group) * j->n; }
static uint32_t *block_out(const job *j, ww_group *group) { return j->out + 2 * ww_group_rank(group) * j->n; }

static ww_status by_sort(ww_group *group, void *context) {
    const job *j = context;
    return ww_group_sort(group, ww_memory(block_in(j, group), j->n), ww_no_input, ww_array(block_out(j, group), j->n),
                         ww_none, NULL);
}
static ww_status by_split(ww_group *group, void *context) {
    static const ww_bits highest = {20, 12};
    const job *j = context;
    return ww_group_split(group, ww_with(ww_by_bits, &highest), BUCKETS, NULL, ww_memory(block_in(j, group), j->n),
                          ww_no_input, ww_array(block_out(j, group), 2 * j->n), ww_none, ww_none, NULL, NULL);
}
static ww_status by_reduce(ww_group *group, void *context) {
    const job *j = context;
    if (!ww_group_rank(group)) network_works(j->on, 0, j->works_s);
    return ww_group_reduce(group, &ww_add, ww_memory(block_in(j, group), j->n), ww_array(block_out(j, group), 1));
}
static ww_status by_scan(ww_group *group, void *context) {
    const job *j = context;
    return ww_group_scan(group, &ww_add, ww_memory(block_in(j, group), j->n), ww_array(block_out(j, group), j->n),
                         NULL);
}
static ww_status by_floats(ww_group *group, void *context) {
    const job *j = context;
    return ww_group_scan(group, &ww_add, ww_cast(&ww_type_float, ww_memory(block_in(j, group), j->n)),
                         ww_array((float *)block_out(j, group), j->n), NULL);
}

static void run(ww_group_body *body, job *j, uint32_t ranks) {
    ww_engine *engines = calloc(ranks, sizeof *engines);
    char why[256] = "";
    j->on = network_new(ranks, &costs, true, engines);
    expect(j->on != NULL);
    const ww_status status = network_run(j->on, engines, body, j, why);
    if (status) print_error("%s: %s\n", ww_status_name(status), why);
    expect(status == WW_OK);
    free(engines);
}

static job job_of(uint32_t ranks, size_t n) {
    job j = {.in = need(ranks * n * 4), .out = need(2 * ranks * n * 4), .n = n};
    fill(j.in, &ww_type_uint32_t, 4, ranks * n, UNIFORM, seed_of_run());
    return j;
}

static void drop(job *j) {
    network_free(j->on);
    free(j->in);
    free(j->out);
}

static int ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void expect_sorted(job *j, uint32_t ranks) {
    qsort(j->in, ranks * j->n, 4, ascending);
    for (uint32_t r = 0; r < ranks; r++) expect_elements(j->out + 2 * r * j->n, j->in + r * j->n, j->n, 4);
}

static void expect_sums(const job *j, uint32_t ranks) {
    uint32_t sum = 0;
    for (uint32_t r = 0; r < ranks; r++)
        for (size_t i = 0; i < j->n; i++) {
            sum += j->in[r * j->n + i];
            if (j->out[2 * r * j->n + i] != sum) print_error("rank %u, element %zu\n", r, i);
            expect(j->out[2 * r * j->n + i] == sum);
        }
}

/* Ranks whose number needs more than a few steps, and is no power of two. */
static void many_ranks_are_right(void **state) {
    (void)state;
    const uint32_t sizes[] = {37, 200, MOST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t ranks = sizes[i];
        if (ranks > 37 && tests_are_short()) continue;
        CASE("network", "scan, %u ranks", ranks);
        if (case_wanted()) {
            job j = job_of(ranks, 300);
            run(by_scan, &j, ranks);
            expect_sums(&j, ranks);
            drop(&j);
        }
        CASE("network", "sort, %u ranks", ranks);
        if (case_wanted() && ranks < MOST) { /* a thousand owners of borders take a minute */
            job j = job_of(ranks, 300);
            run(by_sort, &j, ranks);
            expect_sorted(&j, ranks);
            drop(&j);
        }
    }
}

static void a_late_rank_is_waited_for(void **state) {
    (void)state;
    CASE("network", "a rank that comes a second later");
    if (!case_wanted()) return;
    const network_operation *o;
    job j = job_of(8, 100);
    run(by_reduce, &j, 8);
    const double before = network_clock(j.on, 5);
    expect(network_operations(j.on, &o) == 3 && o[1].gathers && o[1].gathered == 512); /* opening, and two agreements */
    drop(&j);
    j = job_of(8, 100);
    j.works_s = 1;
    run(by_reduce, &j, 8);
    for (uint32_t r = 0; r < 8; r++) expect(network_clock(j.on, r) > 1 && network_clock(j.on, r) < 1 + 2 * before);
    drop(&j);
}

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Rank 0 has work for 30 ms before it calls. */
static ww_status by_busy_rank(ww_group *group, void *context) {
    const double end = processor_seconds() + 0.03;
    while (!ww_group_rank(group) && processor_seconds() < end) {}
    return by_reduce(group, context);
}

static void processor_time_counts(void **state) {
    (void)state;
    CASE("network", "clocks by processor time");
    if (!case_wanted()) return;
    for (int measured = 0; measured < 2; measured++) {
        ww_engine engines[3];
        char why[256] = "";
        job j = job_of(3, 100);
        j.on = network_new(3, &costs, false, engines);
        if (measured) network_measures(j.on);
        expect(network_run(j.on, engines, by_busy_rank, &j, why) == WW_OK);
        for (uint32_t r = 0; r < 3; r++) expect((network_clock(j.on, r) >= 0.03) == measured);
        drop(&j);
    }
}

/* ---- how what is sent grows ---- */

static const struct {
    const char *name;
    ww_group_body *body;
    bool has_rounds; /* so many more with the elements' logarithm */
    bool to_all;     /* the exchange that grows brings every rank all of it */
} grown[] = {{"sort", by_sort, true, false},
             {"split", by_split, false, false},
             {"reduce", by_reduce, false, false},
             {"scan", by_scan, false, false},
             {"scan of floats", by_floats, false, true}};

/* The exchange of most bytes among those that have grown, counted from the end on; what all others have brought. */
static void expect_growth(size_t which, uint32_t ranks, const network_operation *a, size_t as,
                          const network_operation *b, size_t bs) {
    const bool moves = which != 2 && which != 3;
    size_t grew = 0;
    if (!grown[which].has_rounds) expect(as == bs);
    if (grown[which].has_rounds) expect(bs >= as && bs - as <= 4 && (bs - as) % 4 == 0);
    for (size_t k = 1; k < as && k < bs; k++) {
        const network_operation *x = &a[as - k], *y = &b[bs - k];
        if (grown[which].has_rounds && k > 4)
            break; /* rounds: their samples are as many as there is room for, at most */
        expect(x->gathers == y->gathers && x->gathered == y->gathered);
        if (x->sum == y->sum) continue;
        grew++;
        const double factor = (double)y->sum / (double)x->sum;
        if (factor < 1.9 || factor > 2.1) print_error("an exchange grew %.3f times\n", factor);
        expect(factor > 1.9 && factor < 2.1);
        expect(x->messages <= (uint64_t)ranks * (ranks - 1));
        if (!grown[which].to_all) expect(x->sum <= (uint64_t)ranks * 4096 * 4); /* each element once */
    }
    expect(grew == (moves && ranks > 1));
}

/* A round brings 128 samples of a rank for each border, or fewer, and 24 bytes back. */
static void expect_rounds(const network_operation *o, size_t many, uint32_t ranks) {
    for (size_t k = 2; k + 4 < many; k += 4) {
        expect(o[k].gathers && !o[k + 1].gathers && o[k + 2].gathers && !o[k + 3].gathers);
        expect(o[k + 1].most <= (uint64_t)(ranks - 1) * 128 * 4);
        expect(o[k + 3].most == (uint64_t)(ranks - 1) * 24);
    }
}

static void what_is_sent_grows_as_it_should(void **state) {
    (void)state;
    const uint32_t sizes[] = {1, 2, 16, 64};
    for (size_t c = 0; c < sizeof grown / sizeof *grown; c++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const uint32_t ranks = sizes[i];
            CASE("network", "%s, %u ranks, twice as many elements", grown[c].name, ranks);
            if (!case_wanted()) continue;
            const network_operation *a, *b;
            job few = job_of(ranks, 4096), many = job_of(ranks, 8192);
            run(grown[c].body, &few, ranks);
            run(grown[c].body, &many, ranks);
            const size_t as = network_operations(few.on, &a), bs = network_operations(many.on, &b);
            expect_growth(c, ranks, a, as, b, bs);
            if (grown[c].has_rounds && ranks > 1) {
                expect_rounds(a, as, ranks);
                expect_rounds(b, bs, ranks);
            }
            drop(&few);
            drop(&many);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_rules),       cmocka_unit_test(clocks_are_what_costs_say),
        cmocka_unit_test(many_ranks_are_right),  cmocka_unit_test(a_late_rank_is_waited_for),
        cmocka_unit_test(processor_time_counts), cmocka_unit_test(what_is_sent_grows_as_it_should)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
