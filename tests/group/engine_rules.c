#include "engine_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GUARD = 64, POISON = 0xa5, LONG_MS = 60000, SHORT_MS = 300 };

#define REQUIRE(condition, ...) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "rank %u of %u, %s: %s: ", e->rank, e->ranks, __func__, #condition); \
            fprintf(stderr, __VA_ARGS__); \
            fprintf(stderr, "\n"); \
            return false; \
        } \
    } while (0)

/* The same number on every rank: nobody needs to be told what others send. */
static uint64_t mixed(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    uint64_t x = a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu + c * 0x165667b19e3779f9u + d * 0x27d4eb2f165667c5u;
    x ^= x >> 31, x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 29, x *= 0x94d049bb133111ebu;
    return x ^ x >> 32;
}

/* A third of the blocks are empty, a third short. */
static uint64_t block_bytes(uint64_t seed, uint64_t operation, uint32_t from, uint32_t to, uint64_t most) {
    uint64_t x = mixed(seed, operation, from, to);
    return x % 3 == 0 ? 0 : x % 3 == 1 ? x / 3 % (most < 9 ? most + 1 : 9) : x / 3 % (most + 1);
}

static unsigned char byte_of(uint64_t seed, uint64_t operation, uint32_t from, uint32_t to, uint64_t i) {
    return (unsigned char)mixed(seed ^ 77, operation, (uint64_t)from << 32 | to, i / 8) >> i % 8;
}

static void pause_ms(uint64_t ms) {
    const struct timespec some = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    nanosleep(&some, NULL);
}

/* One exchange under way: its arrays, one allocation of numbers and two of bytes. */
typedef struct under_way {
    uint64_t *numbers; /* send_at, send_bytes, receive_at, receive_bytes */
    unsigned char *send, *receive;
    uint64_t received; /* bytes of `receive` with all guards */
} under_way;

static void plan(under_way *x, const ww_engine *e, uint64_t seed, uint64_t operation, uint64_t most) {
    const uint32_t p = e->ranks;
    x->numbers = malloc(4 * p * sizeof *x->numbers);
    uint64_t out = 1, in = GUARD;
    for (uint32_t r = 0; r < p; r++) {
        x->numbers[r] = out;
        x->numbers[p + r] = block_bytes(seed, operation, e->rank, r, most);
        out += x->numbers[p + r];
        /* Received blocks lie in the opposite order, with guards between. */
        uint32_t from = p - 1 - r;
        x->numbers[2 * p + from] = in;
        x->numbers[3 * p + from] = block_bytes(seed, operation, from, e->rank, most);
        in += x->numbers[3 * p + from] + GUARD + 1;
    }
    x->received = in;
    x->send = malloc(out);
    x->receive = malloc(in);
    memset(x->receive, POISON, in);
    for (uint32_t r = 0; r < p; r++)
        for (uint64_t i = 0; i < x->numbers[p + r]; i++)
            x->send[x->numbers[r] + i] = byte_of(seed, operation, e->rank, r, i);
}

static ww_status begin(under_way *x, const ww_engine *e, char *why) {
    const uint32_t p = e->ranks;
    return e->exchange(e->state, x->send, x->numbers, x->numbers + p, x->receive, x->numbers + 2 * p,
                       x->numbers + 3 * p, why);
}

static void drop(under_way *x) {
    free(x->numbers);
    free(x->send);
    free(x->receive);
}

/* Whether all blocks are there, and nothing else was written. */
static bool arrived(const under_way *x, const ww_engine *e, uint64_t seed, uint64_t operation) {
    const uint32_t p = e->ranks;
    unsigned char *expected = malloc(x->received);
    memset(expected, POISON, x->received);
    for (uint32_t r = 0; r < p; r++)
        for (uint64_t i = 0; i < x->numbers[3 * p + r]; i++)
            expected[x->numbers[2 * p + r] + i] = byte_of(seed, operation, r, e->rank, i);
    bool equal = !memcmp(expected, x->receive, x->received);
    free(expected);
    return equal;
}

static bool gathers(const ww_engine *e, uint64_t seed, uint64_t operation, size_t bytes) {
    char why[WW_ENGINE_WHY] = "";
    unsigned char *mine = malloc(bytes + 1), *all = malloc(bytes * e->ranks + 1);
    memset(all, POISON, bytes * e->ranks + 1);
    for (size_t i = 0; i < bytes; i++) mine[i] = byte_of(seed, operation, e->rank, 0, i);
    ww_status status = e->gather(e->state, mine, bytes, all, why);
    if (!status) status = e->wait(e->state, LONG_MS, why);
    REQUIRE(status == WW_OK, "%s: %s", ww_status_name(status), why);
    bool equal = all[bytes * e->ranks] == POISON;
    for (uint32_t r = 0; r < e->ranks; r++)
        for (size_t i = 0; i < bytes; i++) equal = equal && all[r * bytes + i] == byte_of(seed, operation, r, 0, i);
    free(mine);
    free(all);
    REQUIRE(equal, "a gather of %zu bytes, seed %llu", bytes, (unsigned long long)seed);
    return true;
}

/* Several exchanges, and a gather in the middle, before anyone waits. */
static bool several(const ww_engine *e, uint64_t seed, uint64_t most) {
    enum { AT_A_TIME = 5 };
    char why[WW_ENGINE_WHY] = "";
    under_way x[AT_A_TIME];
    uint64_t *ranks = malloc(e->ranks * sizeof *ranks), mine = e->rank + seed;
    ww_status status = WW_OK;
    for (uint64_t k = 0; k < AT_A_TIME; k++) {
        plan(&x[k], e, seed, k, most);
        if (!status) status = begin(&x[k], e, why);
        if (!status && k == 2) status = e->gather(e->state, &mine, sizeof mine, ranks, why);
    }
    if (!status) status = e->wait(e->state, LONG_MS, why);
    REQUIRE(status == WW_OK, "%s: %s", ww_status_name(status), why);
    for (uint64_t k = 0; k < AT_A_TIME; k++) {
        REQUIRE(arrived(&x[k], e, seed, k), "exchange %llu, seed %llu", (unsigned long long)k,
                (unsigned long long)seed);
        drop(&x[k]);
    }
    for (uint32_t r = 0; r < e->ranks; r++) REQUIRE(ranks[r] == r + seed, "gathered of rank %u", r);
    free(ranks);
    return true;
}

bool rule_bytes_arrive(ww_engine *e, uint64_t seed, uint64_t most) {
    char why[WW_ENGINE_WHY] = "";
    ww_status status = e->wait(e->state, LONG_MS, why);
    REQUIRE(status == WW_OK, "nothing is under way: %s", why);
    const size_t lengths[] = {0, 1, 7, 8, 1000, WW_ENGINE_GATHER_MOST};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (!gathers(e, seed, i, lengths[i])) return false;
    const uint64_t blocks[] = {0, 1, 100, most};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (uint64_t turn = 0; turn < 3; turn++)
            if (!several(e, seed + 100 * i + turn, blocks[i])) return false;
    e->close(e->state);
    return true;
}

bool rule_silence_is_lost(ww_engine *e) {
    char why[WW_ENGINE_WHY] = "";
    if (e->rank == e->ranks - 1) {
        pause_ms(3 * SHORT_MS);
    } else {
        under_way x;
        plan(&x, e, 1, 1, 1000);
        uint64_t number = e->rank, *all = calloc(e->ranks, sizeof number);
        ww_status status = begin(&x, e, why);
        if (!status) status = e->gather(e->state, &number, sizeof number, all, why);
        if (!status) status = e->wait(e->state, SHORT_MS, why);
        REQUIRE(status == WW_LOST && why[0], "%s: %s", ww_status_name(status), why);
        e->abort(e->state);
        e->abort(e->state);
        drop(&x);
        free(all);
    }
    e->close(e->state);
    return true;
}

bool rule_abort_is_told(ww_engine *e, bool can_tell) {
    char why[WW_ENGINE_WHY] = "", name[32];
    uint64_t number = e->rank, *all = calloc(e->ranks, sizeof number);
    const uint32_t last = e->ranks - 1;
    if (e->rank == last) {
        e->abort(e->state);
    } else {
        ww_status status = e->gather(e->state, &number, sizeof number, all, why);
        if (!status) status = e->wait(e->state, can_tell ? LONG_MS : SHORT_MS, why);
        snprintf(name, sizeof name, "rank %u ", last);
        REQUIRE(status == WW_LOST && (!can_tell || strstr(why, name)), "%s: %s", ww_status_name(status), why);
        /* The engine stays open until all have heard of it: that others gave up, too, is another reason. */
        pause_ms(SHORT_MS);
        e->abort(e->state);
    }
    free(all);
    e->close(e->state);
    return true;
}

bool rule_closing_keeps_what_ended(ww_engine *e, uint64_t seed, bool can_tell) {
    char why[WW_ENGINE_WHY] = "";
    under_way x;
    plan(&x, e, seed, 0, 1 << 14);
    if (e->rank) pause_ms(e->rank * 20);
    ww_status status = begin(&x, e, why);
    if (!status) status = e->wait(e->state, LONG_MS, why);
    REQUIRE(status == WW_OK && arrived(&x, e, seed, 0), "%s: %s", ww_status_name(status), why);
    if (e->rank) {
        uint64_t number = e->rank, *all = calloc(e->ranks, sizeof number);
        pause_ms(2 * SHORT_MS); /* who is LOST may take along who is still at the first exchange */
        status = e->gather(e->state, &number, sizeof number, all, why);
        if (!status) status = e->wait(e->state, can_tell ? LONG_MS : SHORT_MS, why);
        REQUIRE(status == WW_LOST && (!can_tell || strstr(why, "rank 0 ")), "%s: %s", ww_status_name(status), why);
        pause_ms(SHORT_MS);
        e->abort(e->state);
        free(all);
    }
    drop(&x);
    e->close(e->state);
    return true;
}
