#include "simulated_engine.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static void pause_first(simulated *s) {
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    const struct timespec some = {0, (long)(s->most_us ? (s->random >> 33) % s->most_us * 1000 : 0)};
    if (s->most_us) nanosleep(&some, NULL);
}

static bool fails(simulated *s, char *why) {
    pause_first(s);
    if (++s->calls != s->fails_at) return false;
    snprintf(why, WW_ENGINE_WHY, "rank %u: its link is down", s->under.rank);
    s->under.abort(s->under.state); /* nothing touches the caller's memory any more */
    return true;
}

static ww_status exchange(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes,
                          void *receive, const uint64_t *receive_at, const uint64_t *receive_bytes, char *why) {
    simulated *s = state;
    if (fails(s, why)) return WW_LOST;
    return s->under.exchange(s->under.state, send, send_at, send_bytes, receive, receive_at, receive_bytes, why);
}

static ww_status gather(void *state, const void *mine, size_t bytes, void *all, char *why) {
    simulated *s = state;
    return fails(s, why) ? WW_LOST : s->under.gather(s->under.state, mine, bytes, all, why);
}

static ww_status wait(void *state, uint64_t limit_ms, char *why) {
    simulated *s = state;
    return fails(s, why) ? WW_LOST : s->under.wait(s->under.state, limit_ms, why);
}

static void abort_under(void *state) {
    simulated *s = state;
    pause_first(s);
    s->under.abort(s->under.state);
}

static void close_under(void *state) {
    simulated *s = state;
    pause_first(s);
    s->under.close(s->under.state);
}

ww_engine simulated_engine(simulated *s) {
    ww_engine e = s->under;
    e.state = s;
    e.exchange = exchange;
    e.gather = gather;
    e.wait = wait;
    e.abort = abort_under;
    e.close = close_under;
    return e;
}
