/* The benchmark's own words: a row is one thing that is measured, a family a file of rows. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "device_list.h"
#include "peers/peer.h"
#include "warpwise.h"

/* Texts that can be given as files: --english, --dna, --protein. */
enum { BENCH_TEXTS = 3 };

typedef struct bench_options {
    bool peers, list, resume, processors; /* processors: samples are timed by them */
    const char *json, *plot, *date;
    const char *rows;               /* only rows whose name has it; NULL: all */
    const char *texts[BENCH_TEXTS]; /* files; NULL: the text is made */
    const char *device;             /* NULL: as WARPWISE_DEVICE says, else the CPU */
    device_list devices;            /* of family group, where --device names several; `device` is the first */
    unsigned threads;
    size_t size;     /* items of most rows; 0: as many as suit the device */
    unsigned repeat; /* 0: as many as fit into the row's time */
} bench_options;

/* What a row is to reach on the CPU, and beside what. */
typedef enum bench_against {
    AGAINST_NOTHING = 0,
    AGAINST_COPY,    /* the copy rate of the row's element */
    AGAINST_TBB,     /* the peer of that name in the same row */
    AGAINST_HIGHWAY, /* likewise */
    AGAINST_BASE     /* the row's base: the same work on other data, or by the built-in function */
} bench_against;

typedef struct bench_target {
    bench_against against;
    double ratio;    /* at least this many times the other's rate */
    double absolute; /* M items/s, also asked where the copy rate is 42 to 50 GB/s; 0: none */
} bench_target;

/* One more contestant of a row, on the same data: a method by its name, another call to hold it against. */
typedef struct bench_rival {
    const char *who, *call;
    ww_status (*run)(bench_work *work);
    bool (*right)(const bench_work *work); /* NULL: the row's */
} bench_rival;

typedef struct bench_row {
    const char *name;
    const char *call;                      /* what is timed */
    void (*make)(bench_work *work);        /* in the host's memory */
    ww_status (*run)(bench_work *work);    /* on arrays that the device reaches */
    bool (*right)(const bench_work *work); /* an independent check of one result */
    double bytes;                          /* counted per item, read and written */
    size_t element;                        /* bytes of the item that the copy rate is taken of */
    bench_target target;
    const char *base_call; /* the base, when the row has one */
    ww_status (*base)(bench_work *work);
    const char *peer;   /* the peers' name of the row; NULL: none */
    unsigned divide;    /* n = size / divide; 0: 1 */
    size_t items;       /* n, when it does not depend on the size; on emu not above it either */
    size_t usual;       /* n, unless --size says another or the device is emu; 0: as other rows */
    unsigned turns;     /* samples are of so many different works in turn, each verified (work->turn); 0: 1 */
    void (*end)(void);  /* gives back what run has kept; or NULL */
    unsigned calls;     /* a sample is that many calls; 0: 1 */
    uint64_t parameter; /* for make and run */
    bool named;         /* measured only where the family is named */
    int user;           /* 1, 2: with the user's functions, as this, the other compiler makes them */
    const bench_rival *rivals;
    size_t rival_count;
    /* Waits for what rivals queue where ww_sync does not look, and says what went wrong, or NULL. NULL: they do not. */
    const char *(*rivals_wait)(void);
    /* A study's row, which stands in tables (bench_table) instead of a line of its own: */
    const void *point; /* what is measured, for make and run; NULL: no such row */
    size_t least;      /* the smallest n of the rows that differ in n alone: the one for a smaller --size */
    size_t item_bytes; /* of memory; the row is left out where there is less */
    double seconds;    /* that samples take together */
} bench_row;

struct bench_report;
struct bench_table;
typedef void bench_each_table(const struct bench_table *table, void *to);

typedef struct bench_family {
    const char *name, *title;
    const bench_row *rows;
    size_t count;
    /* Measured only where the family is named: rows of studies, and the tables that are made of them. NULL: none. */
    const bench_row *(*studies)(size_t *count);
    void (*tables)(const struct bench_report *report, bench_each_table *each, void *to);
} bench_family;

extern const bench_family family_reduce, family_scan, family_map, family_pack, family_split, family_histogram,
    family_multisplit, family_sort, family_gather, family_merge, family_runs, family_text, family_dictionary,
    family_superstep, family_graph, family_tree, family_grid, family_nbody, family_small, family_steps, family_banked,
    family_query, family_arrange, family_random, family_inputs, family_group, family_sparse;

#define BENCH_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What the samples of one thing were, in seconds. */
typedef struct bench_spread {
    double min, median, max;
    unsigned count;
} bench_spread;

enum { BENCH_CONTESTANTS = 12 };

/* One column of a row: Warpwise, its base, a rival, a peer; and Warpwise on one thread, where a peer runs on one (its `call`
 * says so). */
#define BENCH_ONE "Warpwise-1"
#define BENCH_ONE_CALL "the same on 1 thread"
typedef struct bench_entry {
    char who[24];
    const char *call;
    bool ok;          /* ran, and its result was verified */
    bool unsupported; /* the device cannot do it: no failure */
    unsigned queued;  /* samples are means of that many, one after another with one wait; 1 on the CPU */
    char why[200];
    bench_spread seconds; /* of one sample */
} bench_entry;

typedef struct bench_result {
    const bench_row *row; /* NULL: not measured */
    const bench_family *family;
    char name[96];
    size_t n;
    unsigned calls;
    bench_entry entry[BENCH_CONTESTANTS]; /* [0] is Warpwise */
    size_t entries;
} bench_result;

#endif
