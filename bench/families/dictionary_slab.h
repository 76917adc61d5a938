/* The slab hash's rows of the family of dictionaries. */
#ifndef BENCH_DICTIONARY_SLAB_H
#define BENCH_DICTIONARY_SLAB_H

#include "measuring/bench.h"
#include "peers/gpu_tables.h"

void slab_make_insert(bench_work *w);
void slab_make_there(bench_work *w);
void slab_make_not_there(bench_work *w);
void slab_make_mixed(bench_work *w);
ww_status slab_run_insert(bench_work *w);
ww_status slab_run_search(bench_work *w);
ww_status slab_run_mixed(bench_work *w);
ww_status slab_base_insert(bench_work *w); /* a cuckoo table of the same memory use */
ww_status slab_base_search(bench_work *w);
void slab_make_batches(bench_work *w);
ww_status slab_run_batches(bench_work *w);  /* of as many pairs as the parameter says */
ww_status slab_base_batches(bench_work *w); /* a cuckoo table, built anew for each */
void slab_make_tenths(bench_work *w);       /* so many updates of ten operations */
ww_status slab_run_tenths(bench_work *w);
ww_status slab_run_tenths_of_lists(bench_work *w); /* the same, to lock-free lists */
bool slab_right_tenths(const bench_work *w);
void slab_make_taken(bench_work *w);
ww_status slab_run_taken(bench_work *w);
bool slab_right_taken(const bench_work *w);
bool slab_right_insert(const bench_work *w);
bool slab_right_there(const bench_work *w);
bool slab_right_not_there(const bench_work *w);
bool slab_right_mixed(const bench_work *w);
void slab_end(void);

/* A row's parameter: the memory use that its dictionary is to have, in thousandths; or one of these. Of studies also how many
 * pairs a batch has, or how many of ten operations are updates. */
enum { SLAB_AS_OPENED = 0, SLAB_HIGH = 1, SLAB_PARAMETER_BITS = 16 };
#define SLAB_PARAMETER(use, more) ((uint64_t)(use) | (uint64_t)(more) << SLAB_PARAMETER_BITS)

/* Others' tables on a GPU: cuCollections' and BGHT's. */
enum { SLAB_RIVALS = 4 };
extern const bench_rival slab_insert_rivals[SLAB_RIVALS], slab_there_rivals[SLAB_RIVALS],
    slab_not_there_rivals[SLAB_RIVALS];

/* clang-format off */
#define SLAB_ROWS_OF(use, thousandths, insert_peers, find_peers, rival_tables) \
    {.name = "slab insert, " use, .call = "ww_slab_clear, ww_slab_insert of n u32 keys, u32 values", .make = slab_make_insert, \
     .run = slab_run_insert, .right = slab_right_insert, .end = slab_end, .bytes = 16, .element = 4, .parameter = thousandths, \
     .usual = 1 << 24, .base_call = "a static cuckoo table", .base = slab_base_insert, \
     .rivals = slab_insert_rivals, .rival_count = rival_tables, .rivals_wait = gpu_tables_wait, .peer = insert_peers}, \
    {.name = "slab find all, " use, .call = "ww_slab_search of n u32 keys, u32 values", .make = slab_make_there, \
     .run = slab_run_search, .right = slab_right_there, .end = slab_end, .bytes = 9, .element = 4, .parameter = thousandths, \
     .usual = 1 << 24, .base_call = "a static cuckoo table", .base = slab_base_search, \
     .rivals = slab_there_rivals, .rival_count = rival_tables, .rivals_wait = gpu_tables_wait, .peer = find_peers}, \
    {.name = "slab find none, " use, .call = "ww_slab_search of n u32 keys, u32 values", .make = slab_make_not_there, \
     .run = slab_run_search, .right = slab_right_not_there, .end = slab_end, .bytes = 5, .element = 4, .parameter = thousandths, \
     .usual = 1 << 24, .base_call = "a static cuckoo table", .base = slab_base_search, \
     .rivals = slab_not_there_rivals, .rival_count = rival_tables, .rivals_wait = gpu_tables_wait, .peer = find_peers}
#define SLAB_ROWS \
    SLAB_ROWS_OF("as opened", SLAB_AS_OPENED, "slab insert", "slab find", 0), \
    SLAB_ROWS_OF("memory use 0.66", 655, NULL, NULL, SLAB_RIVALS), \
    SLAB_ROWS_OF("high memory use", SLAB_HIGH, NULL, NULL, SLAB_RIVALS), \
    {.name = "slab mix 20/20/60", .call = "ww_slab_mixed: inserts, deletes, searches among n u32 pairs", .make = slab_make_mixed, \
     .run = slab_run_mixed, .right = slab_right_mixed, .end = slab_end, .bytes = 14, .element = 4, .usual = 1 << 24, .peer = "slab mix"}, \
    {.name = "slab allocation", .call = "n slabs taken and given back, a thread each, by a view", .make = slab_make_taken, \
     .run = slab_run_taken, .right = slab_right_taken, .end = slab_end, .bytes = 4, .element = 4, .usual = 1 << 22}
/* clang-format on */

#endif
