/* A row's contestants – Warpwise, the base, peers – first run once each: outputs are poisoned, the call is made, the
 * result checked; of a row with turns, for each. Those that were right are then timed in turn, one sample of each a round, so
 * that what disturbs the machine disturbs all of them; the last sample of each starts from poisoned outputs again, and its
 * result is checked. Five rounds at least and 25 at most, until the row has had three seconds; whoever takes
 * more than half a second a sample stops after five, more than two seconds after three. A study's contestants have equal
 * parts of the row's time, and two rounds at least.
 *
 * On a GPU the first run compiles, and calls are queued: a second run says how many of them make a sample, at whose end
 * ww_sync waits. On the emulator one makes a sample. */
#include "measuring/measure.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measuring/device_work.h"
#include "measuring/pages.h"
#include "measuring/timing.h"
#include "measuring/user_functions.h"

enum { ROUNDS_LEAST = 5, ROUNDS_MOST = 25, ROUNDS_SLOW = 3, PAUSE_MICROSECONDS = 1000 };
static const double row_seconds = 3, slow_seconds = 0.5, very_slow_seconds = 2;

typedef struct contestant {
    ww_status (*call)(bench_work *); /* of Warpwise; NULL: a peer */
    ww_device *device;               /* NULL: the work's own */
    bool (*right)(const bench_work *);
    const char *(*wait)(void);
    bool base;
    const bench_peer *peer;
    unsigned rounds;
    double samples[256 + 1]; /* with the one that is verified */
    unsigned taken;
    unsigned threads; /* that it has */
} contestant;

/* A row's data, and how much of its work is a sample. */
typedef struct row_work {
    const bench_row *row;
    bench_work *here;  /* the host's */
    bench_work *there; /* the same as the device has it */
    unsigned calls;
    bool cpu, emulated;
} row_work;

static const user_functions *functions_of(const bench_row *row) {
    if (row->user == 1) return &user_functions_here;
#ifdef BENCH_OTHER_COMPILER
    if (row->user == 2) return &user_functions_other;
#endif
    return NULL;
}

bool row_here(const bench_run *run, const bench_row *row) {
    char name[96];
    row_name(run, row, name, sizeof name);
    if (run->options->rows && !strstr(name, run->options->rows)) return false;
    if (row->point)
        return (row->items <= run->most || row->items == row->least) &&
               row_items(run, row) <= run->memory / row->item_bytes;
    if (!run->cpu && row->user > 1) return false;
    return !row->user || functions_of(row);
}

size_t row_items(const bench_run *run, const bench_row *row) {
    const size_t size = run->options->size;
    if (row->point) return row->items < run->most ? row->items : run->most;
    if (row->usual && run->most == SIZE_MAX) return row->usual;
    /* The emulator takes more than a minute to sort 2^20. */
    if (row->items && (strcmp(run->backend, "emu") || row->items < size)) return row->items;
    const size_t n = size / (row->divide ? row->divide : 1);
    return n ? n : 1;
}

void row_name(const bench_run *run, const bench_row *row, char *name, size_t room) {
    const user_functions *functions = run->cpu ? functions_of(row) : NULL;
    if (functions)
        snprintf(name, room, "%s (%s)", row->name, functions->compiler);
    else
        snprintf(name, room, "%s", row->name);
}

/* Whether a call did what it should; if not, why. */
static bool done(ww_status status, ww_device *device, bench_entry *e) {
    e->unsupported = status == WW_UNSUPPORTED;
    if (e->unsupported)
        snprintf(e->why, sizeof e->why, "%s", ww_error(device));
    else if (status)
        snprintf(e->why, sizeof e->why, "%s: %s", ww_status_name(status), ww_error(device));
    return !status;
}

/* Seconds of one sample, of that many calls; negative when one failed, with the reason in e->why. */
static double sample_calls(bench_work *work, const contestant *c, unsigned calls, bench_entry *e) {
    const double start = sample_now();
    for (unsigned k = 0; k < calls * e->queued; k++) {
        work->cannot = NULL;
        if (done(c->call(work), work->device, e)) continue;
        if (work->cannot) snprintf(e->why, sizeof e->why, "%s", work->cannot);
        return -1;
    }
    if (!done(ww_sync(work->device), work->device, e)) return -1;
    const char *const wrong = c->wait ? c->wait() : NULL;
    if (wrong) {
        snprintf(e->why, sizeof e->why, "%s", wrong);
        return -1;
    }
    return sample_seconds(start, c->threads) / e->queued;
}

static double sample_peer(const row_work *w, const contestant *c, bench_entry *e) {
    const double seconds = peer_run(c->peer, w->row->peer, w->here, w->calls, c->threads);
    if (seconds < 0) snprintf(e->why, sizeof e->why, "it did not run");
    return seconds;
}

static double sample(const row_work *w, const contestant *c, bench_entry *e) {
    if (c->peer) return sample_peer(w, c, e);
    ww_device *const own = w->there->device;
    if (c->device) w->there->device = c->device;
    const double seconds = sample_calls(w->there, c, w->calls, e);
    w->there->device = own;
    return seconds;
}

/* Brings the result to where the check looks. */
static bool finish(const row_work *w, const contestant *c, bench_entry *e) {
    if (!c->peer) return done(device_work_fetch(w->there, w->here), w->there->device, e);
    if (peer_finish(c->peer, w->row->peer, w->here)) return true;
    snprintf(e->why, sizeof e->why, "its result could not be had");
    return false;
}

/* Of one who takes so long a sample. */
static unsigned rounds_of(const bench_row *row, double seconds, size_t contestants) {
    enum { STUDY_LEAST = 2, STUDY_MOST = 15 };
    if (!row->point)
        return seconds > very_slow_seconds ? ROUNDS_SLOW : seconds > slow_seconds ? ROUNDS_LEAST : ROUNDS_MOST;
    const double rounds = row->seconds / (double)contestants / seconds;
    return rounds < STUDY_LEAST ? STUDY_LEAST : rounds > STUDY_MOST ? STUDY_MOST : (unsigned)rounds;
}

static unsigned turns_of(const bench_row *row) { return row->turns ? row->turns : 1; }

static void set_turn(const row_work *w, unsigned round) { w->here->turn = w->there->turn = round % turns_of(w->row); }

/* One run from poisoned outputs, whose result is looked at; its seconds, or negative where it failed or its result is wrong. */
static double verify_turn(const row_work *w, const contestant *c, bench_entry *e) {
    w->here->result = UINT64_MAX - 1;
    if (!done(device_work_poison(w->there), w->there->device, e)) return -1;
    if (c->wait && !done(ww_sync(w->there->device), w->there->device, e)) return -1; /* it queues elsewhere */
    w->here->cannot = NULL;
    usleep(PAUSE_MICROSECONDS); /* what poisons has threads, too */
    const double seconds = sample(w, c, e);
    e->unsupported |= w->here->cannot != NULL;
    if (w->here->cannot) snprintf(e->why, sizeof e->why, "%s", w->here->cannot);
    if (seconds < 0 || w->here->cannot || !finish(w, c, e)) return -1;
    if ((c->right ? c->right : w->row->right)(w->here)) return seconds;
    snprintf(e->why, sizeof e->why, "WRONG RESULT");
    return -1;
}

/* The first run of each turn: is the result right? Also says how many rounds the contestant gets. */
static bool verify(const row_work *w, contestant *c, size_t contestants, bench_entry *e) {
    double seconds = 0;
    w->here->base = c->base;
    e->queued = 1;
    for (unsigned turn = 0; turn < (c->base ? 1 : turns_of(w->row)); turn++) {
        set_turn(w, turn);
        if ((seconds = verify_turn(w, c, e)) < 0) return false;
    }
    if (!w->cpu && !w->emulated) {
        seconds = sample(w, c, e);
        if (seconds < 0) return false;
        e->queued = calls_between_waits(seconds);
    }
    c->rounds = rounds_of(w->row, seconds * e->queued, contestants);
    return true;
}

static bool one_threaded_peer(const bench_run *run, const bench_row *row) {
    for (size_t p = 0; p < PEERS; p++) {
        const char *call = peer_call(&run->peers[p], row->peer);
        if (call && on_one_thread(call)) return true;
    }
    return false;
}

static size_t contestants_of(const bench_run *run, const bench_row *row, contestant *c, bench_result *result) {
    size_t k = 0;
    c[k] = (contestant){.call = row->run};
    result->entry[k++] = (bench_entry){.who = "Warpwise", .call = row->call};
    if (row->base) {
        c[k] = (contestant){.call = row->base, .base = true};
        result->entry[k++] = (bench_entry){.who = "base", .call = row->base_call};
    }
    for (size_t r = 0; r < row->rival_count; r++) {
        const bench_rival *rival = &row->rivals[r];
        c[k] = (contestant){.call = rival->run, .right = rival->right, .wait = row->rivals_wait};
        result->entry[k] = (bench_entry){.call = rival->call};
        snprintf(result->entry[k++].who, sizeof result->entry[0].who, "%s", rival->who);
    }
    if (run->one && one_threaded_peer(run, row)) {
        c[k] = (contestant){.call = row->run, .device = run->one};
        result->entry[k++] = (bench_entry){.who = BENCH_ONE, .call = BENCH_ONE_CALL};
    }
    for (size_t p = 0; p < PEERS; p++) {
        const char *call = peer_call(&run->peers[p], row->peer);
        if (!call) continue;
        c[k] = (contestant){.peer = &run->peers[p]};
        result->entry[k] = (bench_entry){.call = call};
        snprintf(result->entry[k++].who, sizeof result->entry[0].who, "%s", run->peers[p].name);
    }
    for (size_t i = 0; i < k; i++) c[i].threads = on_one_thread(result->entry[i].call) ? 1 : run->options->threads;
    return k;
}

static void time_in_turn(const row_work *w, contestant *c, bench_result *result, unsigned repeat) {
    const double end = seconds_now() + row_seconds;
    const unsigned most = repeat ? repeat : ROUNDS_MOST;
    for (unsigned round = 0; round < most; round++) {
        if (!repeat && !w->row->point && round >= ROUNDS_LEAST && seconds_now() > end) break;
        set_turn(w, round);
        for (size_t k = 0; k < result->entries; k++) {
            bench_entry *e = &result->entry[k];
            if (!e->ok || (!repeat && round >= c[k].rounds)) continue;
            if (result->entries > 1) usleep(PAUSE_MICROSECONDS); /* threads of the one before come to rest */
            const double seconds = sample(w, &c[k], e);
            if (seconds < 0)
                e->ok = false;
            else
                c[k].samples[c[k].taken++] = seconds;
        }
    }
}

/* One more sample of each, whose result is checked. (Not of a study's, which has no time for another check.) */
static void time_verified(const row_work *w, contestant *c, bench_result *result) {
    if (w->row->point) return;
    set_turn(w, 0);
    for (size_t k = 0; k < result->entries; k++) {
        bench_entry *e = &result->entry[k];
        if (!e->ok) continue;
        w->here->base = c[k].base;
        const double seconds = verify_turn(w, &c[k], e);
        if (seconds < 0)
            e->ok = false;
        else
            c[k].samples[c[k].taken++] = seconds;
    }
}

/* Calls of a sample: the emulator is slow, and not to be measured by. */
static unsigned row_calls(const bench_run *run, const bench_row *row) {
    enum { EMULATED_MOST = 5 };
    const unsigned calls = row->calls ? row->calls : 1;
    return !strcmp(run->backend, "emu") && calls > EMULATED_MOST ? EMULATED_MOST : calls;
}

static void measure_work(const bench_run *run, const row_work *w, bench_result *result) {
    static contestant c[BENCH_CONTESTANTS];
    result->entries = contestants_of(run, w->row, c, result);
    const ww_status status = device_work_begin(w->here, w->cpu, w->there);
    for (size_t k = 0; k < result->entries; k++) {
        bench_entry *e = &result->entry[k];
        e->ok = done(status, run->device, e) && verify(w, &c[k], result->entries, e);
    }
    const unsigned most = BENCH_COUNT(c[0].samples) - 1;
    time_in_turn(w, c, result, run->options->repeat < most ? run->options->repeat : most);
    time_verified(w, c, result);
    for (size_t k = 0; k < result->entries; k++) result->entry[k].seconds = spread_of(c[k].samples, c[k].taken);
    device_work_end(w->there);
}

void measure_row(const bench_run *run, const bench_family *family, const bench_row *row, bench_result *result) {
    static unsigned serial;
    bench_work there, here = {.serial = ++serial,
                              .device = run->device,
                              .user = functions_of(row),
                              .point = row->point,
                              .parameter = row->parameter,
                              .n = row_items(run, row)};
    const row_work w = {row, &here, &there, row_calls(run, row), run->cpu, !strcmp(run->backend, "emu")};
    *result = (bench_result){.row = row, .family = family, .n = here.n, .calls = w.calls};
    row_name(run, row, result->name, sizeof result->name);
    row->make(&here);
    measure_work(run, &w, result);
    if (row->end) row->end();
    work_free(&here);
}
