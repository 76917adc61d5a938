/* What the engine of threads does beyond the five functions of engines: memory that is lent. Whoever lends clears its memory as
 * soon as it may, which a sanitizer sees where others still read. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "group/local.h"
#include "support/cases.h"

enum { RANKS_MOST = 16, ROUNDS = 40, WORDS = 400, LIMIT_MS = 20000 };

typedef struct lent {
    uint32_t rank;
    uint64_t *words;
} lent;

typedef struct member {
    pthread_t thread;
    ww_engine engine;
    uint64_t seed;
    int gives_up; /* in this round; -1: never */
    uint32_t round, visits, wrong, many;
    const lent *seen[RANKS_MOST]; /* many, in this round */
    ww_status status;
} member;

static uint64_t mixed(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t x = a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu + c * 0x165667b19e3779f9u;
    x ^= x >> 31, x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 29;
}

/* Ranks come at different times. */
static void dawdle(const member *m) {
    const uint64_t x = mixed(m->seed, m->round, m->engine.rank);
    const struct timespec some = {0, (long)(x % 200) * 1000};
    if (x % 4 == 0) nanosleep(&some, NULL);
}

/* The last visit reads what all have lent. */
static void visit(void *visitor, const void *theirs) {
    member *m = visitor;
    const lent *l = theirs;
    m->visits += l->rank != m->engine.rank;
    m->seen[m->many++] = l;
    if (m->many + 1 < m->engine.ranks) return;
    dawdle(m);
    for (uint32_t k = 0; k < m->many; k++) {
        l = m->seen[k];
        for (uint64_t i = 0; i < WORDS; i++) m->wrong += l->words[i] != mixed(m->seed + l->rank, m->round, i);
    }
}

static ww_status one_round(member *m) {
    ww_engine *e = &m->engine;
    char why[WW_ENGINE_WHY];
    uint64_t words[WORDS];
    lent mine = {e->rank, words}; /* gone when this returns */
    uint64_t said = e->rank, heard[RANKS_MOST];
    for (uint64_t i = 0; i < WORDS; i++) mine.words[i] = mixed(m->seed + e->rank, m->round, i);
    m->many = 0;
    dawdle(m);
    ww_status status = ww__local_lend(e, &mine, visit, m, why);
    const bool gathers = m->round % 2; /* which keeps lenders waiting, too */
    if (!status && gathers) status = e->gather(e->state, &said, sizeof said, heard, why);
    if (m->gives_up == (int)m->round) e->abort(e->state);
    const ww_status waited = e->wait(e->state, LIMIT_MS, why);
    if (!status) status = waited;
    for (uint32_t r = 0; !status && gathers && r < e->ranks; r++) m->wrong += heard[r] != r;
    memset(words, 0, sizeof words);
    return status;
}

static void *serve(void *argument) {
    member *m = argument;
    for (m->round = 0; m->round < ROUNDS && !m->status; m->round++) m->status = one_round(m);
    m->engine.close(m->engine.state);
    return NULL;
}

static void lends(void **unused) {
    (void)unused;
    static const uint32_t sizes[] = {1, 2, 3, 7, 16};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int fails = 0; fails < 6; fails++) {
            const uint32_t ranks = sizes[s];
            CASE("group lend", "ranks=%u fails=%d", ranks, fails);
            if (!case_wanted() || (fails && ranks == 1)) continue;
            ww_engine engines[RANKS_MOST];
            static member members[RANKS_MOST];
            expect(ww_engines_local(ranks, engines) == WW_OK);
            for (uint32_t r = 0; r < ranks; r++) {
                const bool last = fails && r == (uint32_t)fails % ranks;
                members[r] = (member){
                    .engine = engines[r], .seed = seed_of_run() + s * 10, .gives_up = last ? 7 * (fails - 1) : -1};
                expect(!pthread_create(&members[r].thread, NULL, serve, &members[r]));
            }
            for (uint32_t r = 0; r < ranks; r++) pthread_join(members[r].thread, NULL);
            for (uint32_t r = 0; r < ranks; r++) {
                const member *m = &members[r];
                expect(!m->wrong && m->status == (fails ? WW_LOST : WW_OK));
                if (!fails) expect(m->visits == ROUNDS * (ranks - 1));
            }
        }
}

/* Ranks that do not make the same of an operation: a sentence, no hang. */
static void *differ(void *argument) {
    member *m = argument;
    ww_engine *e = &m->engine;
    uint64_t word = 1, numbers[2] = {0};
    char why[WW_ENGINE_WHY] = "";
    const lent mine = {e->rank, &word};
    m->status = e->rank ? e->exchange(e->state, NULL, numbers, numbers, NULL, numbers, numbers, why)
                        : ww__local_lend(e, &mine, visit, m, why);
    if (!m->status) m->status = e->wait(e->state, LIMIT_MS, why);
    m->wrong = !strstr(why, "bytes");
    e->close(e->state);
    return NULL;
}

static void ranks_differ(void **unused) {
    (void)unused;
    CASE("group lend", "ranks differ");
    if (!case_wanted()) return;
    ww_engine engines[2];
    static member members[2];
    expect(ww_engines_local(2, engines) == WW_OK);
    for (uint32_t r = 0; r < 2; r++) {
        members[r] = (member){.engine = engines[r]};
        expect(!pthread_create(&members[r].thread, NULL, differ, &members[r]));
    }
    for (uint32_t r = 0; r < 2; r++) pthread_join(members[r].thread, NULL);
    for (uint32_t r = 0; r < 2; r++) expect(members[r].status == WW_LOST && !members[r].wrong);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lends), cmocka_unit_test(ranks_differ)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
