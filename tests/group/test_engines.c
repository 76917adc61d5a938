/* The rules of engines, held against the one of threads, which is let run as it likes, and with pauses at random that change who
 * comes first. */
#include <pthread.h>

#include "group/engine_rules.h"
#include "group/simulated_engine.h"
#include "support/cases.h"

enum { RANKS_MOST = 16 };

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

static void try_rule(rule which, uint32_t ranks, uint64_t seed, uint32_t delay_us) {
    ww_engine engines[RANKS_MOST];
    member members[RANKS_MOST];
    expect(ww_engines_local(ranks, engines) == WW_OK);
    for (uint32_t r = 0; r < ranks; r++) {
        member *m = &members[r];
        *m = (member){.which = which, .seed = seed};
        m->delays = (simulated){.under = engines[r], .random = seed * 100 + r, .most_us = delay_us};
        m->engine = simulated_engine(&m->delays);
        expect(!pthread_create(&m->thread, NULL, hold, m));
    }
    for (uint32_t r = 0; r < ranks; r++) pthread_join(members[r].thread, NULL);
    for (uint32_t r = 0; r < ranks; r++) expect(members[r].holds);
}

static void threads_keep_the_rules(void **state) {
    (void)state;
    const uint32_t sizes[] = {1, 2, 3, 7, 16};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t delay_us = 0; delay_us <= 300; delay_us += 300)
            for (rule which = ARRIVE; which < RULES; which++) {
                if (which != ARRIVE && sizes[i] == 1) continue;                   /* they are about another rank */
                if (which != ARRIVE && delay_us != (i % 2 ? 300u : 0u)) continue; /* and wait, so much as a second */
                CASE("engines", "local, rule %d, %u ranks, pauses up to %u us", (int)which, sizes[i], delay_us);
                if (!case_wanted()) continue;
                try_rule(which, sizes[i], 11 * i + delay_us, delay_us);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_keep_the_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
