/* What one benchmark row works on, and what a peer – another library that does the same – offers. Plain C, so that a peer
 * in C++ is one file with one table; it is built as a module of its own, only where its library is installed, and loaded
 * when --peers asks for it. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_PAGES = 8 };

/* Patterns of a text row, in the host's memory: pattern k is bytes[offsets[k]] … bytes[offsets[k + 1] - 1]. */
typedef struct bench_patterns {
    size_t count;
    const uint64_t *offsets;
    const uint8_t *bytes;
} bench_patterns;

/* A row's data: its make function fills it, ours and the peers' run functions read it and write `out`. */
typedef struct bench_work {
    size_t n;           /* items: what the rate counts */
    size_t m;           /* elements of `second`, where it has another number of them */
    uint64_t parameter; /* of the row: bins, bytes of a record */
    void *in;
    void *second;     /* flags, heads, indices, values, the other run */
    void *out;        /* n elements */
    void *out_second; /* values, lengths */
    void *aside;      /* n elements of room for a peer that needs them; NULL where none does */
    size_t out_bytes, out_second_bytes;
    bench_patterns patterns; /* of a text row */
    const char *cannot;      /* a peer puts here why it cannot do this, which is no failure; a rival why it returns UNSUPPORTED */
    unsigned turn;           /* which of the row's turns is measured: of a text row, which pattern is looked for */
    uint64_t result;         /* a sum, or how many were written: what the check looks at, and where peers put it */
    void *number;            /* where a call of Warpwise puts it, as a u64 or a u32; 0 before */
    int base;                /* the row's base runs, not the row itself */
    unsigned serial;         /* differs from row to row */
    struct ww_device *device;
    const struct user_functions *user;
    const void *point;        /* of a study's row */
    void *pages[BENCH_PAGES]; /* what to give back */
    size_t pages_bytes[BENCH_PAGES];
} bench_work;

typedef struct peer_operation {
    const char *row;                   /* the row it stands beside */
    const char *call;                  /* what is timed */
    void (*prepare)(bench_work *work); /* before each run, not timed: for calls that work in place; or NULL */
    void (*run)(bench_work *work);
    void (*finish)(bench_work *work); /* before the check, not timed: brings the result to where ours is; or NULL */
} peer_operation;

typedef struct peer {
    const char *name;                          /* "TBB" */
    void (*describe)(char *text, size_t room); /* library and version, compiler, threads */
    void (*threads)(unsigned threads);
    const peer_operation *operations;
    size_t count;
} peer;

/* The one symbol of a peer's module. */
#define BENCH_PEER_SYMBOL "bench_peer"

#ifdef __cplusplus
}
#endif
#endif
