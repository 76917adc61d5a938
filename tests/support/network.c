/* Every exchange and gather of a rank is noted in a ring. The rank that is the last one to make the k-th moves all bytes of it, for all, and
 * says when each rank's clock is through; all others wait for that. */
#include "support/network.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long long ull;

enum { UNDER_WAY = 32 };

typedef struct call { /* a rank's */
    const unsigned char *send;
    const uint64_t *send_at, *send_bytes; /* NULL for a gather */
    unsigned char *receive;
    const uint64_t *receive_at, *receive_bytes;
    size_t bytes;
    double start, finish; /* on the rank's clock */
} call;

typedef struct end {
    network *of;
    uint32_t rank;
    uint64_t made, done; /* calls; those that were waited for */
    bool left;
    double clock, processor_s; /* the thread's processor time when its last call returned */
    call calls[UNDER_WAY];
} end;

struct network {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    network_costs costs;
    uint32_t ranks, came; /* to the operation that is next */
    uint64_t operations;  /* moved */
    bool keeps, measures, given_up;
    char why[WW_ENGINE_WHY];
    network_operation *kept;
    size_t many, room;
    double *start, *finish; /* of one operation */
    end ends[];
};

/* ---- costs ---- */

static double most_of(double a, double b) { return a > b ? a : b; }

static int reach(const network_costs *c, uint32_t a, uint32_t b) {
    return !c->per_host || a / c->per_host == b / c->per_host ? NETWORK_NEAR : NETWORK_FAR;
}

static void pass_exchange(const network_costs *c, uint32_t ranks, const uint32_t *bytes, double times,
                          const double *start, double *finish) {
    double *in = calloc((size_t)ranks * NETWORK_REACHES, sizeof *in), *first = malloc(ranks * sizeof *first);
    if (!in || !first) abort();
    for (uint32_t r = 0; r < ranks; r++) {
        finish[r] = start[r] + c->call_s + (double)bytes[(size_t)r * ranks + r] * times / c->copy_bytes_per_s;
        first[r] = -1;
    }
    for (uint32_t s = 0; s < ranks; s++) {
        double out[NETWORK_REACHES] = {0, 0};
        for (uint32_t i = 1; i < ranks; i++) {
            const uint32_t r = (uint32_t)(((uint64_t)s + i) % ranks);
            const uint32_t b = bytes[(size_t)s * ranks + r];
            if (!b) continue;
            const int far = reach(c, s, r);
            const double takes = c->message_s + (double)b * times / c->bytes_per_s[far], begun = start[s] + c->call_s;
            out[far] += takes;
            in[(size_t)r * NETWORK_REACHES + (size_t)far] += takes;
            finish[r] = most_of(finish[r], begun + out[far] + c->latency_s[far]);
            if (first[r] < 0 || begun + c->latency_s[far] < first[r]) first[r] = begun + c->latency_s[far];
        }
        finish[s] = most_of(finish[s], start[s] + c->call_s + most_of(out[0], out[1]));
    }
    for (uint32_t r = 0; r < ranks; r++)
        if (first[r] >= 0)
            finish[r] = most_of(finish[r],
                                most_of(first[r], start[r] + c->call_s) +
                                    most_of(in[(size_t)r * NETWORK_REACHES], in[(size_t)r * NETWORK_REACHES + 1]));
    free(in);
    free(first);
}

static void pass_gather(const network_costs *c, uint32_t ranks, double bytes, const double *start, double *finish) {
    double *before = malloc(ranks * sizeof *before);
    if (!before) abort();
    for (uint32_t r = 0; r < ranks; r++) finish[r] = start[r] + c->call_s;
    for (uint64_t step = 1; step < ranks; step *= 2) {
        const double brought = bytes * (double)(step < ranks - step ? step : ranks - step);
        memcpy(before, finish, ranks * sizeof *before);
        for (uint32_t r = 0; r < ranks; r++) {
            const uint32_t from = (uint32_t)((r + step) % ranks), to = (uint32_t)((r + ranks - step) % ranks);
            const int in = reach(c, r, from), out = reach(c, r, to);
            const double sent = before[r] + c->message_s + brought / c->bytes_per_s[out];
            const double came = before[from] + c->message_s + brought / c->bytes_per_s[in] + c->latency_s[in];
            finish[r] = most_of(sent, came) + c->message_s;
        }
    }
    free(before);
}

void network_pass(const network_costs *costs, uint32_t ranks, const network_operation *o, double times,
                  const double *start, double *finish) {
    if (o->gathers)
        pass_gather(costs, ranks, (double)o->gathered * times, start, finish);
    else
        pass_exchange(costs, ranks, o->bytes, times, start, finish);
}

/* ---- moving, with the lock ---- */

static void give_up(network *n, const char *why) {
    if (n->given_up) return;
    snprintf(n->why, sizeof n->why, "%s", why);
    n->given_up = true;
    pthread_cond_broadcast(&n->moved);
}

static call *call_of(network *n, uint32_t rank, uint64_t number) { return &n->ends[rank].calls[number % UNDER_WAY]; }

/* Whether what rank s brings is what rank r awaits. */
static bool agrees(network *n, uint32_t s, uint32_t r, uint64_t number) {
    const call *from = call_of(n, s, number), *to = call_of(n, r, number);
    char why[WW_ENGINE_WHY];
    if (!from->send_at == !to->send_at &&
        (from->send_at ? from->send_bytes[r] == to->receive_bytes[s] : from->bytes == to->bytes))
        return true;
    snprintf(why, sizeof why, "rank %u brings other bytes for rank %u than that awaits", s, r);
    give_up(n, why);
    return false;
}

static void move(network *n, uint32_t s, uint32_t r, uint64_t number) {
    const call *from = call_of(n, s, number), *to = call_of(n, r, number);
    if (!from->send_at && from->bytes)
        memcpy(to->receive + s * from->bytes, from->send, from->bytes);
    else if (from->send_at && from->send_bytes[r])
        memcpy(to->receive + to->receive_at[s], from->send + from->send_at[r], (size_t)from->send_bytes[r]);
}

static void count(network *n, network_operation *o, uint64_t number) {
    const call *first = call_of(n, 0, number);
    o->gathers = !first->send_at;
    o->gathered = first->bytes;
    uint64_t *in = calloc(n->ranks, sizeof *in);
    if (!in) abort();
    for (uint32_t s = 0; s < n->ranks && !o->gathers; s++) {
        uint64_t messages = 0, sum = 0;
        const uint64_t *sent = call_of(n, s, number)->send_bytes;
        for (uint32_t r = 0; r < n->ranks; r++) {
            o->bytes[(size_t)s * n->ranks + r] = (uint32_t)sent[r];
            if (r == s || !sent[r]) continue;
            messages++;
            sum += sent[r];
            in[r] += sent[r];
        }
        o->messages += messages;
        o->sum += sum;
        if (messages > o->most_messages) o->most_messages = messages;
        if (sum > o->most) o->most = sum;
    }
    for (uint32_t r = 0; r < n->ranks; r++)
        if (in[r] > o->most_in) o->most_in = in[r];
    free(in);
}

static void keep(network *n, const network_operation *o) {
    if (n->many == n->room) {
        n->room = n->room ? 2 * n->room : 64;
        n->kept = realloc(n->kept, n->room * sizeof *n->kept);
        if (!n->kept) abort();
    }
    n->kept[n->many++] = *o;
}

/* Operation `number`, which all ranks have come to. */
static void move_all(network *n, uint64_t number) {
    network_operation o = {.bytes = NULL};
    for (uint32_t s = 0; s < n->ranks; s++)
        for (uint32_t r = 0; r < n->ranks; r++)
            if (!agrees(n, s, r, number)) return;
    for (uint32_t r = 0; r < n->ranks; r++) /* where this rank's place in memory is near for all that it gets */
        for (uint32_t s = 0; s < n->ranks; s++) move(n, s, r, number);
    if (call_of(n, 0, number)->send_at && !(o.bytes = malloc((size_t)n->ranks * n->ranks * sizeof *o.bytes))) abort();
    count(n, &o, number);
    for (uint32_t r = 0; r < n->ranks; r++) {
        const call *c = call_of(n, r, number);
        const double before = number ? call_of(n, r, number - 1)->finish : 0; /* ports are busy until then */
        n->start[r] = most_of(c->start, before);
    }
    network_pass(&n->costs, n->ranks, &o, 1, n->start, n->finish);
    for (uint32_t r = 0; r < n->ranks; r++) call_of(n, r, number)->finish = n->finish[r];
    if (n->keeps)
        keep(n, &o);
    else
        free(o.bytes);
    n->operations++;
    n->came = 0;
    for (uint32_t r = 0; r < n->ranks; r++) n->came += n->ends[r].made > n->operations;
    pthread_cond_broadcast(&n->moved);
}

/* ---- clocks ---- */

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void begin_call(end *e) {
    if (!e->of->measures) return;
    if (e->processor_s > 0) e->clock += processor_seconds() - e->processor_s;
}

static void end_call(end *e) {
    if (e->of->measures) e->processor_s = processor_seconds();
}

/* ---- the five functions ---- */

static ww_status note(end *e, call c, char *why) {
    network *n = e->of;
    ww_status status = WW_OK;
    begin_call(e);
    pthread_mutex_lock(&n->lock);
    if (n->given_up || e->left || e->made - e->done == UNDER_WAY - 1) {
        snprintf(why, WW_ENGINE_WHY, "%s", n->given_up ? n->why : "too many exchanges and gathers are under way");
        status = WW_LOST;
    } else {
        c.start = e->clock;
        e->calls[e->made % UNDER_WAY] = c;
        n->came += e->made++ == n->operations;
        while (n->came == n->ranks && !n->given_up) move_all(n, n->operations);
    }
    pthread_mutex_unlock(&n->lock);
    end_call(e);
    return status;
}

static ww_status exchange(void *state, const void *send, const uint64_t *send_at, const uint64_t *send_bytes,
                          void *receive, const uint64_t *receive_at, const uint64_t *receive_bytes, char *why) {
    return note(state,
                (call){.send = send,
                       .send_at = send_at,
                       .send_bytes = send_bytes,
                       .receive = receive,
                       .receive_at = receive_at,
                       .receive_bytes = receive_bytes},
                why);
}

static ww_status gather(void *state, const void *mine, size_t bytes, void *all, char *why) {
    return note(state, (call){.send = mine, .receive = all, .bytes = bytes}, why);
}

/* With the lock: a rank that has left before it came to the next operation. */
static bool somebody_left(network *n) {
    char why[WW_ENGINE_WHY];
    for (uint32_t r = 0; r < n->ranks; r++)
        if (n->ends[r].left && n->ends[r].made <= n->operations) {
            snprintf(why, sizeof why, "rank %u has left the group", r);
            give_up(n, why);
            return true;
        }
    return false;
}

/* With the lock. */
static void await(end *e, const struct timespec *deadline, uint64_t limit_ms) {
    network *n = e->of;
    char why[WW_ENGINE_WHY];
    while (!n->given_up && n->operations < e->made && !somebody_left(n)) {
        if (pthread_cond_timedwait(&n->moved, &n->lock, deadline) != ETIMEDOUT || n->operations >= e->made) continue;
        uint32_t missing = 0;
        while (n->ends[missing].made > n->operations) missing++;
        snprintf(why, sizeof why, "rank %u did not come within %llu ms", missing, (ull)limit_ms);
        give_up(n, why);
    }
}

static ww_status wait(void *state, uint64_t limit_ms, char *why) {
    end *e = state;
    network *n = e->of;
    struct timespec deadline;
    begin_call(e);
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += (time_t)(limit_ms / 1000);
    deadline.tv_nsec += (long)(limit_ms % 1000) * 1000000;
    deadline.tv_sec += deadline.tv_nsec / 1000000000;
    deadline.tv_nsec %= 1000000000;
    pthread_mutex_lock(&n->lock);
    if (e->done < e->made) await(e, &deadline, limit_ms);
    const bool done = n->operations >= e->made; /* what was moved before somebody gave up is there */
    if (!done) snprintf(why, WW_ENGINE_WHY, "%s", n->why);
    if (done && e->done < e->made) e->clock = most_of(e->clock, e->calls[(e->made - 1) % UNDER_WAY].finish);
    e->done = e->made;
    pthread_mutex_unlock(&n->lock);
    end_call(e);
    return done ? WW_OK : WW_LOST;
}

static void leave(end *e, const char *how) {
    network *n = e->of;
    char why[WW_ENGINE_WHY];
    pthread_mutex_lock(&n->lock);
    if (!e->left && how) {
        snprintf(why, sizeof why, "rank %u %s", e->rank, how);
        give_up(n, why);
    }
    e->left = true;
    pthread_cond_broadcast(&n->moved);
    pthread_mutex_unlock(&n->lock);
}

static void abort_end(void *state) { leave(state, "gave up"); }

static void close_end(void *state) {
    end *e = state;
    pthread_mutex_lock(&e->of->lock);
    const bool working = e->done < e->made;
    pthread_mutex_unlock(&e->of->lock);
    leave(e, working ? "closed in the middle of its work" : NULL);
}

/* ---- networks ---- */

network *network_new(uint32_t ranks, const network_costs *costs, bool keeps, ww_engine *engines) {
    network *n = calloc(1, sizeof *n + ranks * sizeof n->ends[0]);
    pthread_condattr_t clock;
    if (!n) return NULL;
    n->start = calloc(ranks, sizeof *n->start);
    n->finish = calloc(ranks, sizeof *n->finish);
    if (!n->start || !n->finish) {
        network_free(n);
        return NULL;
    }
    n->ranks = ranks;
    n->costs = *costs;
    n->keeps = keeps;
    pthread_mutex_init(&n->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&n->moved, &clock);
    pthread_condattr_destroy(&clock);
    for (uint32_t r = 0; r < ranks; r++) {
        n->ends[r].of = n;
        n->ends[r].rank = r;
        engines[r] = (ww_engine)WW_ENGINE;
        engines[r].state = &n->ends[r];
        engines[r].rank = r;
        engines[r].ranks = ranks;
        engines[r].exchange = exchange;
        engines[r].gather = gather;
        engines[r].wait = wait;
        engines[r].abort = abort_end;
        engines[r].close = close_end;
    }
    return n;
}

void network_forget(network *n) {
    for (size_t k = 0; k < n->many; k++) free(n->kept[k].bytes);
    n->many = 0;
}

void network_free(network *n) {
    if (!n) return;
    if (n->ranks) { /* else it was never made whole */
        pthread_cond_destroy(&n->moved);
        pthread_mutex_destroy(&n->lock);
    }
    network_forget(n);
    free(n->kept);
    free(n->start);
    free(n->finish);
    free(n);
}

void network_works(network *n, uint32_t rank, double seconds) { n->ends[rank].clock += seconds; }
double network_clock(const network *n, uint32_t rank) { return n->ends[rank].clock; }
void network_measures(network *n) { n->measures = true; }

size_t network_operations(const network *n, const network_operation **operations) {
    *operations = n->kept;
    return n->many;
}

/* ---- groups ---- */

typedef struct runner {
    pthread_t thread;
    const ww_engine *engine;
    ww_group_body *body;
    void *context;
    ww_status status;
    char why[256];
} runner;

static void *run_rank(void *argument) {
    runner *r = argument;
    ww_device *device = NULL;
    ww_group *group = NULL;
    ww_group_options options = WW_GROUP_OPTIONS;
    options.limit_ms = 600000; /* a thousand ranks take their time */
    r->status = ww_open("cpu:threads=1", &device);
    if (!r->status) r->status = ww_group_open(device, r->engine, &options, &group);
    if (!group) r->engine->close(r->engine->state);
    if (!r->status) r->status = r->body(group, r->context);
    if (r->status) snprintf(r->why, sizeof r->why, "%s", group ? ww_group_error(group) : "its device did not open");
    ww_group_close(group);
    ww_close(device);
    return NULL;
}

ww_status network_run(network *n, const ww_engine *engines, ww_group_body *body, void *context, char why[256]) {
    enum { STACK = 1 << 20 };
    runner *runners = calloc(n->ranks, sizeof *runners);
    pthread_attr_t small;
    ww_status status = WW_OK;
    if (!runners) abort();
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    for (uint32_t r = 0; r < n->ranks; r++) {
        runners[r] = (runner){.engine = &engines[r], .body = body, .context = context};
        if (pthread_create(&runners[r].thread, &small, run_rank, &runners[r])) abort();
    }
    for (uint32_t r = 0; r < n->ranks; r++) pthread_join(runners[r].thread, NULL);
    pthread_attr_destroy(&small);
    for (uint32_t r = n->ranks; r--;)
        if (runners[r].status) {
            status = runners[r].status;
            memcpy(why, runners[r].why, sizeof runners[r].why);
        }
    free(runners);
    return status;
}
