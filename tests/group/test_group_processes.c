/* Groups over NCCL whose ranks are processes, a GPU each: what comes out is right; and when one of them is killed, at whatever moment, the
 * others' call is LOST within the group's limit and what a GPU takes to end, they live, and open a smaller group. On the emulator a
 * library of the tests' stands in for NCCL (stub_nccl.c). Devices are opened in the ranks alone: neither CUDA nor threads
 * outlive a fork. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/cases.h"
#include "support/located.h"
#include "warpwise/group_nccl.h"

enum {
    RANKS = 3,       /* on the emulator; on GPUs as many as there are, up to this */
    KEYS = 20000,    /* of a rank */
    LIMIT_MS = 1500, /* of groups in which somebody dies; the others' is a minute */
    MINUTE_MS = 60000,
    ENDING_MS = 25000,   /* beyond it: what a GPU that was left alone takes to end, and a group to be opened */
    OPENING_MS = 120000, /* a process, a GPU and NCCL, on a machine where much runs */
    TRIALS = 6
};

/* A rank's ends of the launcher's pipes. Ids go through `ids`, the second one, of the smaller group, through `ids_left`. */
typedef struct launch {
    uint32_t ranks, rank, dies; /* dies: which one; `ranks` where none does */
    bool early;                 /* while the group is opened */
    uint64_t seed;
    int ids[2], ids_left[2], ready[2];
} launch;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void pause_ms(double ms) {
    const struct timespec some = {(time_t)(ms / 1e3), (long)(ms * 1e6) % 1000000000};
    nanosleep(&some, NULL);
}

/* ---- a rank ---- */

/* The first rank draws and tells; false where the one that was to draw has died. */
static bool share_id(const int pipe_ends[2], uint32_t rank, uint32_t ranks, ww_nccl_id *id) {
    char why[WW_ENGINE_WHY];
    if (rank) return read(pipe_ends[0], id, sizeof *id) == (ssize_t)sizeof *id;
    if (ww_nccl_id_draw(id, why)) {
        fprintf(stderr, "%s\n", why);
        return false;
    }
    for (uint32_t r = 1; r < ranks; r++)
        if (write(pipe_ends[1], id, sizeof *id) != (ssize_t)sizeof *id) return false;
    return true;
}

static ww_status open_group(ww_device *device, uint32_t rank, uint32_t ranks, const ww_nccl_id *id, uint64_t limit_ms,
                            uint64_t opening_ms, ww_group **group) {
    char why[WW_ENGINE_WHY] = "";
    ww_engine engine;
    ww_group_options options = WW_GROUP_OPTIONS;
    options.limit_ms = limit_ms;
    *group = NULL;
    ww_status status = ww_engine_nccl(device, rank, ranks, id, opening_ms, &engine, why);
    if (status) {
        if (status != WW_LOST) fprintf(stderr, "rank %u: %s\n", rank, why);
        return status;
    }
    status = ww_group_open(device, &engine, &options, group);
    if (!*group) engine.close(engine.state);
    return status;
}

/* Of rank r, element i. */
static uint32_t key(uint64_t seed, uint32_t r, size_t i) {
    uint64_t state = seed + r * 1000003u + i;
    return (uint32_t)random_next(&state) % 50000;
}

typedef struct memory { /* of the device: KEYS each, and what comes of an exchange */
    uint32_t *keys, *sorted, *come;
} memory;

/* One of each kind of call: sorting, exchanging in a ring, reducing. *sum: of all keys. */
static ww_status call_all(ww_group *group, const memory *m, uint64_t *sum) {
    const uint32_t ranks = ww_group_ranks(group), me = ww_group_rank(group);
    uint64_t counts[RANKS] = {0};
    counts[(me + 1) % ranks] = KEYS;
    ww_status status = ww_group_sort(group, ww_memory(m->keys, KEYS), ww_no_input, ww_array(m->sorted, KEYS), ww_none,
                                     NULL);
    if (!status) status = ww_group_exchange(group, ww_memory(m->keys, KEYS), counts, ww_array(m->come, KEYS), NULL);
    if (!status)
        status = ww_group_reduce(group, &ww_add, ww_cast(&ww_type_uint64_t, ww_memory(m->keys, KEYS)),
                                 ww_array(sum, 1));
    return status;
}

static int ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* What this rank has is its part of all ranks' keys in order, the keys of the one before, and the sum. */
static bool is_right(ww_device *device, const launch *l, const uint32_t *of, uint32_t ranks, uint32_t me,
                     const memory *m, uint64_t sum) {
    uint32_t *all = need(ranks * KEYS * sizeof *all), *got = need(KEYS * sizeof *got);
    bool right = true;
    uint64_t wanted = 0;
    for (uint32_t r = 0; r < ranks; r++)
        for (size_t i = 0; i < KEYS; i++) wanted += all[r * KEYS + i] = key(l->seed, of[r], i);
    right = wanted == sum && !ww_copy(device, ww_memory(m->come, KEYS), ww_array(got, KEYS)) && !ww_sync(device) &&
            !memcmp(got, all + (me + ranks - 1) % ranks * KEYS, KEYS * sizeof *got);
    qsort(all, ranks * KEYS, sizeof *all, ascending);
    right = right && !ww_copy(device, ww_memory(m->sorted, KEYS), ww_array(got, KEYS)) && !ww_sync(device) &&
            !memcmp(got, all + me * KEYS, KEYS * sizeof *got);
    free(all);
    free(got);
    return right;
}

static bool take_memory(ww_device *device, const launch *l, memory *m) {
    void *data = NULL;
    uint32_t *mine = need(KEYS * sizeof *mine);
    for (size_t i = 0; i < KEYS; i++) mine[i] = key(l->seed, l->rank, i);
    bool fine = !ww_alloc(device, 3 * KEYS * sizeof *mine, &data);
    m->keys = data;
    m->sorted = m->keys + KEYS;
    m->come = m->sorted + KEYS;
    fine = fine && !ww_copy(device, ww_memory(mine, KEYS), ww_array(m->keys, KEYS)) && !ww_sync(device);
    free(mine);
    return fine;
}

/* What a rank exits with. */
enum { RIGHT, NO_DEVICE = 10, NO_GROUP, WRONG_STATUS, TOO_LATE, WRONG_BYTES, NO_SMALLER };

/* Those that are left, in their order. */
static int go_on(ww_device *device, const launch *l, const memory *m) {
    uint32_t of[RANKS], left = 0, me = 0;
    ww_nccl_id id;
    ww_group *group = NULL;
    uint64_t sum = 0;
    for (uint32_t r = 0; r < l->ranks; r++) {
        if (r == l->rank) me = left;
        if (r != l->dies) of[left++] = r;
    }
    ww_status status = share_id(l->ids_left, me, left, &id)
                           ? open_group(device, me, left, &id, MINUTE_MS, MINUTE_MS, &group)
                           : WW_LOST;
    if (!status) status = call_all(group, m, &sum);
    const bool right = !status && is_right(device, l, of, left, me, m, sum);
    if (status)
        fprintf(stderr, "rank %u, in the smaller group: %s\n", l->rank, group ? ww_group_error(group) : "not opened");
    ww_group_close(group);
    return right ? RIGHT : NO_SMALLER;
}

/* Calls until one fails; whether it fails as it should, in time. */
static int call_until_lost(ww_group *group, const memory *m) {
    ww_status status = WW_OK;
    double begun = 0;
    uint64_t sum;
    while (!status) {
        begun = seconds();
        status = call_all(group, m, &sum);
    }
    const double took = seconds() - begun;
    if (status != WW_LOST) {
        fprintf(stderr, "%s: %s\n", ww_status_name(status), ww_group_error(group));
        return WRONG_STATUS;
    }
    if (took > (LIMIT_MS + ENDING_MS) * 1e-3) {
        fprintf(stderr, "LOST after %.1f s\n", took);
        return TOO_LATE;
    }
    printf("    LOST %.2f s after the call began: %s\n", took, ww_group_error(group));
    fflush(stdout);
    return RIGHT;
}

static int serve(const launch *l) {
    const bool dies = l->dies < l->ranks;
    uint32_t of[RANKS];
    char name[64];
    ww_device *device = NULL;
    ww_group *group = NULL;
    ww_nccl_id id;
    memory m;
    uint64_t sum = 0;
    int end = RIGHT;
    for (uint32_t r = 0; r < RANKS; r++) of[r] = r;
    snprintf(name, sizeof name, "cuda:%u", l->rank);
    if (ww_open(on_emulator() ? setting_name(0) : name, &device) || !take_memory(device, l, &m)) {
        fprintf(stderr, "rank %u: %s\n", l->rank, ww_error(device));
        return NO_DEVICE;
    }
    ww_status status = share_id(l->ids, l->rank, l->ranks, &id)
                           ? open_group(device, l->rank, l->ranks, &id, dies ? LIMIT_MS : MINUTE_MS,
                                        l->early ? 2 * LIMIT_MS : MINUTE_MS, &group)
                           : WW_LOST;
    if (!status && write(l->ready[1], "+", 1) != 1) status = WW_LOST;
    if (status && !(dies && status == WW_LOST)) {
        fprintf(stderr, "rank %u: %s\n", l->rank, group ? ww_group_error(group) : ww_status_name(status));
        end = NO_GROUP;
    } else if (!dies) {
        for (int turn = 0; turn < 3 && !status; turn++) status = call_all(group, &m, &sum);
        if (status) fprintf(stderr, "rank %u: %s\n", l->rank, ww_group_error(group));
        end = !status && is_right(device, l, of, l->ranks, l->rank, &m, sum) ? RIGHT : WRONG_BYTES;
    } else if (!status) {
        end = call_until_lost(group, &m);
    }
    ww_group_close(group);
    if (dies && end == RIGHT) end = go_on(device, l, &m);
    ww_free(device, m.keys);
    ww_close(device);
    return end;
}

/* ---- the launcher ---- */

/* Only what this rank is to have stays open, so that an end of file is one. */
static void keep_ends(const launch *l) {
    close(l->ready[0]);
    close(l->ids[l->rank ? 1 : 0]);
    close(l->ids_left[l->rank == (l->dies ? 0u : 1u) ? 0 : 1]);
}

static pid_t start(launch l, uint32_t rank) {
    fflush(NULL);
    const pid_t process = fork();
    if (process) return process;
    l.rank = rank;
    keep_ends(&l);
    signal(SIGPIPE, SIG_IGN);      /* of an id for one that is gone */
    alarm(OPENING_MS / 1000 + 60); /* whatever becomes of the launcher */
    _exit(serve(&l));
}

/* Its exit status within so much time, or less the signal that ended it; else it is killed, and that is said. */
static int await_end(pid_t process, double limit_s) {
    const double begin = seconds();
    int status = 0;
    pid_t ended;
    while (!(ended = waitpid(process, &status, WNOHANG)) && seconds() - begin < limit_s) pause_ms(5);
    if (!ended) {
        kill(process, SIGKILL);
        waitpid(process, &status, 0);
        print_error("a rank hung, and was killed after %.0f s\n", limit_s);
        return -SIGKILL;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* GPUs are counted by a process of its own. */
static uint32_t count_gpus(void) {
    const pid_t process = fork();
    uint32_t gpus = 0;
    if (!process) {
        for (bool there = true; there && gpus < RANKS; gpus += there) {
            char name[32];
            ww_device *device = NULL;
            snprintf(name, sizeof name, "cuda:%u", gpus);
            there = !ww_open(name, &device);
            ww_close(device);
        }
        _exit((int)gpus);
    }
    const int end = await_end(process, OPENING_MS * 1e-3);
    return end > 0 ? (uint32_t)end : 0;
}

static bool can_run(uint32_t *ranks) {
    if (!on_gpu()) {
        left_out("groups over NCCL are GPUs': two of them, or the emulator");
        return false;
    }
    if (!children_can_have_threads()) return false;
    if (on_emulator()) expect(!setenv("WARPWISE_NCCL", located(STUB_NCCL), 1));
    *ranks = on_emulator() ? RANKS : count_gpus();
    if (*ranks < 2) left_out("it takes two GPUs");
    return *ranks >= 2;
}

static void begin(launch *l, pid_t *processes) {
    expect(!pipe(l->ids) && !pipe(l->ids_left) && !pipe(l->ready));
    for (uint32_t r = 0; r < l->ranks; r++) processes[r] = start(*l, r);
    for (int k = 0; k < 2; k++) {
        close(l->ids[k]);
        close(l->ids_left[k]);
    }
    close(l->ready[1]);
}

static void processes_are_ranks(void **state) {
    (void)state;
    uint32_t ranks;
    if (!can_run(&ranks)) return;
    CASE("processes", "%u ranks", ranks);
    if (!case_wanted()) return;
    pid_t processes[RANKS];
    launch l = {.ranks = ranks, .dies = ranks, .seed = seed_of_run()};
    begin(&l, processes);
    for (uint32_t r = 0; r < ranks; r++) expect(await_end(processes[r], OPENING_MS * 1e-3) == RIGHT);
    close(l.ready[0]);
}

/* Until all have opened the group, or one of them is gone. */
static void await_ready(const launch *l) {
    char one;
    for (uint32_t r = 0; r < l->ranks; r++)
        while (read(l->ready[0], &one, 1) < 0 && errno == EINTR) {}
}

/* How long the survivors took, at most; every third one dies while the group is opened, the others in the middle of calls. */
static double kill_one(uint32_t ranks, unsigned trial, uint64_t *random) {
    const bool early = trial % 3 == 2;
    pid_t processes[RANKS];
    launch l = {.ranks = ranks, .early = early, .seed = seed_of_run()};
    l.dies = (uint32_t)(random_next(random) % ranks);
    begin(&l, processes);
    if (!early) await_ready(&l);
    const double after_ms = (double)(random_next(random) % 100000) / (early ? 50 : 1000); /* up to 2 s; up to 100 ms */
    pause_ms(after_ms);
    expect(!kill(processes[l.dies], SIGKILL));
    const double killed = seconds();
    bool fine = true;
    expect(await_end(processes[l.dies], 10) == -SIGKILL);
    for (uint32_t r = 0; r < ranks; r++) {
        if (r == l.dies) continue;
        const int end = await_end(processes[r], (2 * LIMIT_MS + ENDING_MS + OPENING_MS) * 1e-3);
        if (end)
            print_error("trial %u: rank %u killed after %.2f ms: rank %u ended with %d\n", trial, l.dies, after_ms, r,
                        end);
        fine = fine && end == RIGHT;
    }
    const double took = seconds() - killed;
    print_message(
        "trial %u: rank %u of %u killed %.2f ms after %s: all others had a smaller group's results %.2f s later\n",
        trial, l.dies, ranks, after_ms, early ? "it was started" : "the group was there", took);
    close(l.ready[0]);
    expect(fine);
    return took;
}

static void the_others_live(void **state) {
    (void)state;
    uint32_t ranks;
    uint64_t random = seed_of_run();
    double longest = 0;
    if (!can_run(&ranks)) return;
    const char *asked = getenv("WARPWISE_TEST_KILLS"); /* hundreds, for a trial of its own */
    const unsigned trials = asked ? (unsigned)atoi(asked) : tests_are_short() ? 3 : TRIALS;
    for (unsigned trial = 0; trial < trials; trial++) {
        CASE("processes", "a rank is killed, trial %u", trial);
        if (!case_wanted()) continue;
        const double took = kill_one(ranks, trial, &random);
        longest = took > longest ? took : longest;
    }
    print_message("the longest: %.2f s; the groups' limit is %.1f s\n", longest, LIMIT_MS * 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(processes_are_ranks), cmocka_unit_test(the_others_live)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
