/* A thread a rank, each with its own device. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/cpu/parallel.h"
#include "group/group.h"

typedef struct runner {
    const char *name;
    ww_engine engine;
    const ww_group_options *options;
    ww_group_body *body;
    void *context;
    uint32_t threads; /* of a CPU that is named without a number */
    bool started;
    pthread_t thread;
    ww_status status;
    char why[512];
} runner;

static void run_group(runner *r, ww_device *device) {
    ww_group *group = NULL;
    r->status = ww_group_open(device, &r->engine, r->options, &group);
    if (!group) r->engine.close(r->engine.state);
    if (!r->status) r->status = r->body(group, r->context);
    if (r->status) {
        const char *said = group && ww_group_error(group)[0] ? ww_group_error(group) : ww_error(device);
        snprintf(r->why, sizeof r->why, "%s", said[0] ? said : ww_status_text(r->status));
    }
    ww_group_close(group);
}

static void *run_rank(void *argument) {
    runner *r = argument;
    ww_device *device = NULL;
    ww_open_options o = WW_OPEN_OPTIONS;
    o.threads = r->threads;
    r->status = ww_open_with(r->name, &device, &o);
    if (r->status) {
        snprintf(r->why, sizeof r->why, "rank %u: %s", r->engine.rank,
                 device ? ww_error(device) : ww_status_text(r->status));
        r->engine.close(r->engine.state);
    } else {
        run_group(r, device);
    }
    ww_close(device);
    return NULL;
}

/* Of all ranks; LOST is what the others get of one that failed. */
static const runner *reason(const runner *runners, uint32_t ranks) {
    const runner *lost = NULL;
    for (uint32_t r = 0; r < ranks; r++) {
        if (runners[r].status && runners[r].status != WW_LOST) return &runners[r];
        if (runners[r].status && !lost) lost = &runners[r];
    }
    return lost;
}

static void run_all(runner *runners, uint32_t ranks) {
    for (uint32_t r = 0; r < ranks; r++) {
        runner *one = &runners[r];
        one->started = !pthread_create(&one->thread, NULL, run_rank, one);
        if (one->started) continue;
        one->status = WW_MEMORY;
        snprintf(one->why, sizeof one->why, "rank %u: its thread could not be started", r);
        one->engine.close(one->engine.state);
    }
    for (uint32_t r = 0; r < ranks; r++)
        if (runners[r].started) pthread_join(runners[r].thread, NULL);
}

static ww_status say(char *why, size_t capacity, ww_status status, const char *sentence) {
    if (why && capacity) snprintf(why, capacity, "%s", sentence);
    return status;
}

ww_status ww_group_run(const char *const *devices, uint32_t ranks, const ww_group_options *options, ww_group_body *body,
                       void *context, char *why, size_t capacity) {
    if (!devices || !body) return say(why, capacity, WW_INVALID, "ww_group_run: devices or body is NULL");
    if (!ranks || ranks > WW_RANKS_MOST)
        return say(why, capacity, WW_INVALID, "ww_group_run: there have to be 1 to 65536 ranks");
    const uint32_t cores = ww__usable_threads(), share = cores / ranks, more = cores % ranks;
    runner *runners = calloc(ranks, sizeof *runners);
    ww_engine *engines = calloc(ranks, sizeof *engines);
    ww_status status = runners && engines ? ww_engines_local(ranks, engines) : WW_MEMORY;
    if (status) {
        say(why, capacity, status, "ww_group_run: there is no memory for the ranks");
    } else {
        for (uint32_t r = 0; r < ranks; r++)
            runners[r] = (runner){.name = devices[r],
                                  .engine = engines[r],
                                  .options = options,
                                  .body = body,
                                  .context = context,
                                  .threads = share ? share + (r < more) : 1};
        run_all(runners, ranks);
        const runner *failed = reason(runners, ranks);
        if (failed) status = say(why, capacity, failed->status, failed->why);
    }
    free(engines);
    free(runners);
    return status;
}
