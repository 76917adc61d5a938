/* The rules of engines, held against the one of threads, which is let run as it likes, and with pauses at random that change who
 * comes first. */
#include <pthread.h>
#include <time.h>

#include "group/engine_rules.h"
#include "support/cases.h"

enum { RANKS_MOST = 16 };

/* An engine around another one, which sleeps up to so many microseconds before each call. */
typedef struct delayed {
    ww_engine under;
    uint64_t random;
    uint32_t most_us;
} delayed;

static delayed *pause_first(void *state) {
    delayed *d = state;
    d->random = d->random * 6364136223846793005u + 1442695040888963407u;
    const struct timespec some = {0, (long)(d->most_us ? (d->random >> 33) % d->most_us * 1000 : 0)};
    if (d->most_us) nanosleep(&some, NULL);
    return d;
}

static ww_status delayed_exchange(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes, void *receive,
                                  const uint64_t *receive_at, const uint64_t *receive_bytes, char *why) {
    const delayed *d = pause_first(state);
    return d->under.exchange(d->under.state, send, send_at, send_bytes, receive, receive_at, receive_bytes, why);
}

static ww_status delayed_gather(void *state, const void *mine, size_t bytes, void *all, char *why) {
    const delayed *d = pause_first(state);
    return d->under.gather(d->under.state, mine, bytes, all, why);
}

static ww_status delayed_wait(void *state, uint64_t limit_ms, char *why) {
    const delayed *d = pause_first(state);
    return d->under.wait(d->under.state, limit_ms, why);
}

static void delayed_abort(void *state) {
    const delayed *d = pause_first(state);
    d->under.abort(d->under.state);
}

static void delayed_close(void *state) {
    const delayed *d = pause_first(state);
    d->under.close(d->under.state);
}

typedef enum rule { ARRIVE, SILENCE, ABORT, CLOSING, RULES } rule;

typedef struct member {
    pthread_t thread;
    delayed delays;
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
        *m = (member){.delays = {engines[r], seed * 100 + r, delay_us}, .which = which, .seed = seed};
        m->engine = engines[r];
        m->engine.state = &m->delays;
        m->engine.exchange = delayed_exchange;
        m->engine.gather = delayed_gather;
        m->engine.wait = delayed_wait;
        m->engine.abort = delayed_abort;
        m->engine.close = delayed_close;
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
                if (which != ARRIVE && sizes[i] == 1) continue; /* they are about another rank */
                CASE("engines", "local, rule %d, %u ranks, pauses up to %u us", (int)which, sizes[i], delay_us);
                if (!case_wanted()) continue;
                try_rule(which, sizes[i], 11 * i + delay_us, delay_us);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_keep_the_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
