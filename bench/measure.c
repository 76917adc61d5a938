/* A row's contestants – Warpwise, the base, peers – first run once each: outputs are poisoned, the call is made, the
 * result checked. Those that were right are then timed in turn, one sample of each a round, so that what disturbs the
 * machine disturbs all of them. Five rounds at least and 25 at most, until the row has had three seconds; whoever takes
 * more than half a second a sample stops after five, more than two seconds after three. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pages.h"
#include "timing.h"
#include "user_functions.h"

enum { ROUNDS_LEAST = 5, ROUNDS_MOST = 25, ROUNDS_SLOW = 3, PAUSE_MICROSECONDS = 1000 };
static const double row_seconds = 3, slow_seconds = 0.5, very_slow_seconds = 2;

typedef struct contestant {
    ww_status (*call)(bench_work *); /* of Warpwise; NULL: a peer */
    bool base;
    const bench_peer *peer;
    unsigned rounds;
    double samples[256];
    unsigned taken;
} contestant;

static const user_functions *functions_of(const bench_row *row) {
    if (row->user == 1) return &user_functions_here;
#ifdef BENCH_OTHER_COMPILER
    if (row->user == 2) return &user_functions_other;
#endif
    return NULL;
}

bool row_here(const bench_row *row) { return !row->user || functions_of(row); }

size_t row_items(const bench_row *row, size_t size) {
    const size_t n = row->items ? row->items : size / (row->divide ? row->divide : 1);
    return n ? n : 1;
}

/* Seconds of one sample; negative when the call failed, with the reason in e->why. */
static double sample(const bench_row *row, const contestant *c, bench_entry *e, bench_work *work, unsigned calls) {
    work->base = c->base;
    if (c->peer) {
        const double seconds = peer_run(c->peer, row->peer, work, calls);
        if (seconds < 0) snprintf(e->why, sizeof e->why, "it did not run");
        return seconds;
    }
    const double start = seconds_now();
    for (unsigned k = 0; k < calls; k++) {
        const ww_status status = c->call(work);
        if (status) {
            snprintf(e->why, sizeof e->why, "%s: %s", ww_status_name(status), ww_error(work->device));
            return -1;
        }
    }
    return seconds_now() - start;
}

/* The first run: is the result right? Also says how many rounds the contestant gets. */
static bool verify(const bench_row *row, contestant *c, bench_entry *e, bench_work *work, unsigned calls) {
    if (work->out) memset(work->out, 0xa5, work->out_bytes);
    if (work->out_second) memset(work->out_second, 0xa5, work->out_second_bytes);
    work->result = UINT64_MAX - 1;
    const double seconds = sample(row, c, e, work, calls);
    if (seconds < 0) return false;
    if (c->peer && !peer_finish(c->peer, row->peer, work)) {
        snprintf(e->why, sizeof e->why, "its result could not be had");
        return false;
    }
    if (!row->right(work)) {
        snprintf(e->why, sizeof e->why, "WRONG RESULT");
        return false;
    }
    c->rounds = seconds > very_slow_seconds ? ROUNDS_SLOW : seconds > slow_seconds ? ROUNDS_LEAST : ROUNDS_MOST;
    return true;
}

static size_t contestants_of(const bench_run *run, const bench_row *row, contestant *c, bench_result *result) {
    size_t k = 0;
    c[k] = (contestant){.call = row->run};
    result->entry[k++] = (bench_entry){.who = "Warpwise", .call = row->call};
    if (row->base) {
        c[k] = (contestant){.call = row->base, .base = true};
        result->entry[k++] = (bench_entry){.who = "base", .call = row->base_call};
    }
    for (size_t p = 0; p < PEERS; p++) {
        const char *call = peer_call(&run->peers[p], row->peer);
        if (!call) continue;
        c[k] = (contestant){.peer = &run->peers[p]};
        result->entry[k] = (bench_entry){.call = call};
        snprintf(result->entry[k++].who, sizeof result->entry[0].who, "%s", run->peers[p].name);
    }
    return k;
}

static void time_in_turn(const bench_row *row, contestant *c, bench_result *result, bench_work *work, unsigned repeat) {
    const double end = seconds_now() + row_seconds;
    const unsigned most = repeat ? repeat : ROUNDS_MOST;
    for (unsigned round = 0; round < most; round++) {
        if (!repeat && round >= ROUNDS_LEAST && seconds_now() > end) break;
        for (size_t k = 0; k < result->entries; k++) {
            bench_entry *e = &result->entry[k];
            if (!e->ok || (!repeat && round >= c[k].rounds)) continue;
            if (result->entries > 1) usleep(PAUSE_MICROSECONDS); /* threads of the one before come to rest */
            const double seconds = sample(row, &c[k], e, work, result->calls);
            if (seconds < 0)
                e->ok = false;
            else
                c[k].samples[c[k].taken++] = seconds;
        }
    }
    for (size_t k = 0; k < result->entries; k++) result->entry[k].seconds = spread_of(c[k].samples, c[k].taken);
}

void measure_row(const bench_run *run, const bench_family *family, const bench_row *row, bench_result *result) {
    static unsigned serial;
    bench_work work = {.serial = ++serial,
                       .device = run->device,
                       .user = functions_of(row),
                       .parameter = row->parameter,
                       .n = row_items(row, run->options->size)};
    static contestant c[BENCH_CONTESTANTS];
    *result = (bench_result){.row = row, .family = family, .n = work.n, .calls = row->calls ? row->calls : 1};
    if (row->user)
        snprintf(result->name, sizeof result->name, "%s (%s)", row->name, work.user->compiler);
    else
        snprintf(result->name, sizeof result->name, "%s", row->name);
    row->make(&work);
    result->entries = contestants_of(run, row, c, result);
    for (size_t k = 0; k < result->entries; k++)
        result->entry[k].ok = verify(row, &c[k], &result->entry[k], &work, result->calls);
    const unsigned most = BENCH_COUNT(c[0].samples);
    time_in_turn(row, c, result, &work, run->options->repeat < most ? run->options->repeat : most);
    work_free(&work);
}
