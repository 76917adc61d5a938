/* warpwise-bench-dict FOLDER [LOG2-OF-ALL LOG2-OF-A-BATCH ROUNDS CONTESTANTS]: a batch of random u32 keys with u32 values,
 * inserted into a dictionary in a file that has many, on the disk when it ends; beside SQLite (a table WITHOUT ROWID, one
 * transaction), LMDB and RocksDB (a synchronous write batch), where they were installed when this was built. Each contestant opens its file for each batch, as a
 * command would, gets the batch's keys in no order, and closes it; contestants take turns. The batches are the same. Printed
 * are medians, of seconds as the clock has them, seconds of processor time, and MiB that the system was given to write; the
 * means of these, in which merges count that come once in many batches; the most seconds; and how many keys there are at the
 * end, which is the same for all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <warpwise.h>

#ifdef BENCH_SQLITE
#include <sqlite3.h>
#endif
#ifdef BENCH_LMDB
#include <lmdb.h>
#include <sys/stat.h>
#endif
#ifdef BENCH_ROCKSDB
#include <rocksdb/c.h>
#endif

enum { ROUNDS_MOST = 512 };

typedef struct batch {
    uint32_t *keys, *values;
    size_t count;
} batch;

static char folder[200];
static ww_device *device;

static void need(bool right, const char *what) {
    if (right) return;
    fprintf(stderr, "warpwise-bench-dict: %s\n", what);
    exit(1);
}

static const char *path_of(const char *name) {
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* B-trees take a sorted batch in less time; sorting it is theirs to do, and ours costs them least. */
static void sort_batch(const batch *b, uint32_t *keys, uint32_t *values) {
    need(!ww_sort(device, ww_memory(b->keys, b->count), ww_memory(b->values, b->count), ww_array(keys, b->count),
                  ww_array(values, b->count), NULL),
         ww_error(device));
}

/* ---- contestants ---- */

typedef struct contestant {
    const char *name;
    void (*make)(void);
    void (*insert)(const batch *b, bool sorted);
    uint64_t (*count)(void);
} contestant;

static void warpwise_make(void) {
    need(!ww_dict_create(device, path_of("warpwise.db"), &ww_type_uint32_t, &ww_type_uint32_t, NULL), ww_error(device));
}

static void warpwise_insert(const batch *b, bool sorted) {
    ww_dict *dict;
    (void)sorted;
    need(!ww_dict_open(device, path_of("warpwise.db"), NULL, true, &dict), ww_error(device));
    need(!ww_dict_insert(dict, ww_memory(b->keys, b->count), ww_memory(b->values, b->count)), ww_error(device));
    ww_dict_close(dict);
}

static uint64_t warpwise_count(void) {
    const uint32_t low = 0, high = UINT32_MAX;
    uint64_t count;
    ww_dict *dict;
    need(!ww_dict_open(device, path_of("warpwise.db"), NULL, false, &dict), ww_error(device));
    need(!ww_dict_count(dict, ww_memory(&low, 1), ww_memory(&high, 1), ww_array(&count, 1)), ww_error(device));
    ww_dict_close(dict);
    return count;
}

#ifdef BENCH_SQLITE
static sqlite3 *sqlite_open_as(const char *mode) {
    sqlite3 *db;
    char line[100];
    need(!sqlite3_open(path_of(mode), &db), "SQLite cannot open its file");
    snprintf(line, sizeof line, "PRAGMA journal_mode=%s; PRAGMA synchronous=FULL; PRAGMA cache_size=-1000000", mode);
    need(!sqlite3_exec(db, line, NULL, NULL, NULL), sqlite3_errmsg(db));
    return db;
}

static void sqlite_make(const char *mode) {
    sqlite3 *const db = sqlite_open_as(mode);
    need(!sqlite3_exec(db, "CREATE TABLE t(k INTEGER PRIMARY KEY, v INTEGER) WITHOUT ROWID", NULL, NULL, NULL),
         sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void sqlite_insert(const char *mode, const batch *b, bool sorted) {
    sqlite3 *const db = sqlite_open_as(mode);
    sqlite3_stmt *statement;
    uint32_t *const keys = malloc(b->count * sizeof *keys), *const values = malloc(b->count * sizeof *values);
    need(keys && values, "memory");
    if (sorted) memcpy(keys, b->keys, b->count * sizeof *keys);
    if (sorted) memcpy(values, b->values, b->count * sizeof *values);
    if (!sorted) sort_batch(b, keys, values);
    need(!sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) &&
             !sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO t VALUES(?, ?)", -1, &statement, NULL),
         sqlite3_errmsg(db));
    for (size_t i = 0; i < b->count; i++) {
        sqlite3_bind_int64(statement, 1, keys[i]);
        sqlite3_bind_int64(statement, 2, values[i]);
        need(sqlite3_step(statement) == SQLITE_DONE, sqlite3_errmsg(db));
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    need(!sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), sqlite3_errmsg(db));
    sqlite3_close(db);
    free(keys);
    free(values);
}

static uint64_t sqlite_count(const char *mode) {
    sqlite3 *const db = sqlite_open_as(mode);
    sqlite3_stmt *statement;
    need(!sqlite3_prepare_v2(db, "SELECT count(*) FROM t", -1, &statement, NULL) &&
             sqlite3_step(statement) == SQLITE_ROW,
         sqlite3_errmsg(db));
    const uint64_t count = (uint64_t)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

static void delete_make(void) { sqlite_make("DELETE"); }
static void delete_insert(const batch *b, bool sorted) { sqlite_insert("DELETE", b, sorted); }
static uint64_t delete_count(void) { return sqlite_count("DELETE"); }
static void wal_make(void) { sqlite_make("WAL"); }
static void wal_insert(const batch *b, bool sorted) { sqlite_insert("WAL", b, sorted); }
static uint64_t wal_count(void) { return sqlite_count("WAL"); }
#endif

#ifdef BENCH_LMDB
static MDB_env *lmdb_open(void) {
    MDB_env *env;
    need(!mdb_env_create(&env) && !mdb_env_set_mapsize(env, (size_t)4 << 30) &&
             !mdb_env_open(env, path_of("lmdb"), MDB_NOSUBDIR, 0600),
         "LMDB cannot open its file");
    return env;
}

static void lmdb_make(void) { mdb_env_close(lmdb_open()); }

static void lmdb_insert(const batch *b, bool sorted) {
    MDB_env *const env = lmdb_open();
    MDB_txn *txn;
    MDB_dbi dbi;
    uint32_t *const keys = malloc(b->count * sizeof *keys), *const values = malloc(b->count * sizeof *values);
    need(keys && values, "memory");
    if (sorted) memcpy(keys, b->keys, b->count * sizeof *keys);
    if (sorted) memcpy(values, b->values, b->count * sizeof *values);
    if (!sorted) sort_batch(b, keys, values);
    need(!mdb_txn_begin(env, NULL, 0, &txn) && !mdb_dbi_open(txn, NULL, MDB_INTEGERKEY, &dbi), "LMDB begins nothing");
    for (size_t i = 0; i < b->count; i++) {
        MDB_val key = {sizeof *keys, &keys[i]}, value = {sizeof *values, &values[i]};
        need(!mdb_put(txn, dbi, &key, &value, sorted ? MDB_APPEND : 0), "LMDB takes no key");
    }
    need(!mdb_txn_commit(txn), "LMDB cannot commit");
    mdb_env_close(env);
    free(keys);
    free(values);
}

static uint64_t lmdb_count(void) {
    MDB_env *const env = lmdb_open();
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_stat stat;
    need(!mdb_txn_begin(env, NULL, MDB_RDONLY, &txn) && !mdb_dbi_open(txn, NULL, MDB_INTEGERKEY, &dbi) &&
             !mdb_stat(txn, dbi, &stat),
         "LMDB counts nothing");
    mdb_txn_abort(txn);
    mdb_env_close(env);
    return stat.ms_entries;
}
#endif

#ifdef BENCH_ROCKSDB
static rocksdb_t *rocksdb_begin(void) {
    char *error = NULL;
    rocksdb_options_t *const options = rocksdb_options_create();
    rocksdb_options_set_create_if_missing(options, 1);
    rocksdb_t *const db = rocksdb_open(options, path_of("rocksdb"), &error);
    need(!error, error);
    rocksdb_options_destroy(options);
    return db;
}

static void rocksdb_make(void) { rocksdb_close(rocksdb_begin()); }

/* Keys that its order of bytes has in the order of numbers. */
static void rocksdb_insert(const batch *b, bool sorted) {
    enum { PART = 1 << 20 }; /* of what it is filled with: a write batch is a piece of memory */
    rocksdb_t *const db = rocksdb_begin();
    rocksdb_writeoptions_t *const options = rocksdb_writeoptions_create();
    rocksdb_writebatch_t *const writes = rocksdb_writebatch_create();
    (void)sorted;
    rocksdb_writeoptions_set_sync(options, 1);
    for (size_t i = 0; i < b->count; i++) {
        const uint32_t key = __builtin_bswap32(b->keys[i]);
        rocksdb_writebatch_put(writes, (const char *)&key, sizeof key, (const char *)&b->values[i],
                               sizeof b->values[i]);
        if (i + 1 < b->count && (i + 1) % PART) continue;
        char *error = NULL;
        rocksdb_write(db, options, writes, &error);
        need(!error, error);
        rocksdb_writebatch_clear(writes);
    }
    rocksdb_writebatch_destroy(writes);
    rocksdb_writeoptions_destroy(options);
    rocksdb_close(db);
}

static uint64_t rocksdb_count(void) {
    uint64_t count = 0;
    rocksdb_t *const db = rocksdb_begin();
    rocksdb_readoptions_t *const options = rocksdb_readoptions_create();
    rocksdb_iterator_t *const at = rocksdb_create_iterator(db, options);
    for (rocksdb_iter_seek_to_first(at); rocksdb_iter_valid(at); rocksdb_iter_next(at)) count++;
    rocksdb_iter_destroy(at);
    rocksdb_readoptions_destroy(options);
    rocksdb_close(db);
    return count;
}
#endif

static const contestant contestants[] = {
    {"warpwise", warpwise_make, warpwise_insert, warpwise_count},
#ifdef BENCH_SQLITE
    {"SQLite, journal", delete_make, delete_insert, delete_count},
    {"SQLite, WAL", wal_make, wal_insert, wal_count},
#endif
#ifdef BENCH_LMDB
    {"LMDB", lmdb_make, lmdb_insert, lmdb_count},
#endif
#ifdef BENCH_ROCKSDB
    {"RocksDB", rocksdb_make, rocksdb_insert, rocksdb_count},
#endif
};
enum { CONTESTANTS = sizeof contestants / sizeof *contestants };

/* ---- measuring ---- */

typedef struct cost {
    double wall, cpu, written; /* seconds, seconds, MiB */
} cost;

static cost now(void) {
    cost c = {0, 0, 0};
    struct timespec t;
    struct rusage usage;
    char line[100];
    FILE *const io = fopen("/proc/self/io", "r");
    clock_gettime(CLOCK_MONOTONIC, &t);
    getrusage(RUSAGE_SELF, &usage);
    c.wall = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    c.cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
            1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    while (io && fgets(line, sizeof line, io))
        if (strncmp(line, "write_bytes:", 12) == 0) c.written = atof(line + 12) / (1 << 20);
    if (io) fclose(io);
    return c;
}

static int rising(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const cost *costs, int rounds, size_t offset) {
    double each[ROUNDS_MOST];
    for (int r = 0; r < rounds; r++) memcpy(&each[r], (const char *)&costs[r] + offset, sizeof *each);
    qsort(each, (size_t)rounds, sizeof *each, rising);
    return each[rounds / 2];
}

static double mean(const cost *costs, int rounds, size_t offset) {
    double each, sum = 0;
    for (int r = 0; r < rounds; r++) {
        memcpy(&each, (const char *)&costs[r] + offset, sizeof each);
        sum += each;
    }
    return sum / rounds;
}

static double most_seconds(const cost *costs, int rounds) {
    double most = 0;
    for (int r = 0; r < rounds; r++)
        if (costs[r].wall > most) most = costs[r].wall;
    return most;
}

static batch batch_new(size_t count) {
    const batch b = {malloc(count * sizeof *b.keys), malloc(count * sizeof *b.values), count};
    need(b.keys && b.values, "memory");
    return b;
}

int main(int argc, char **argv) {
    static cost costs[CONTESTANTS][ROUNDS_MOST];
    need(argc > 1, "a folder for the files is missing");
    const int all = argc > 2 ? atoi(argv[2]) : 24, one = argc > 3 ? atoi(argv[3]) : 16,
              rounds = argc > 4 ? atoi(argv[4]) : 7;
    const size_t taken = argc > 5 && atoi(argv[5]) > 0 && atoi(argv[5]) < CONTESTANTS ? (size_t)atoi(argv[5])
                                                                                      : CONTESTANTS;
    need(all > 0 && all < 32 && one > 0 && one < 32 && rounds > 0 && rounds <= ROUNDS_MOST, "numbers are out of range");
    snprintf(folder, sizeof folder, "%s", argv[1]);
    need(!ww_open("cpu", &device), ww_error(device));
    batch many = batch_new((size_t)1 << all), few = batch_new((size_t)1 << one);
    uint64_t random = 1;
    for (size_t i = 0; i < many.count; i++) {
        const uint64_t width = (UINT64_C(1) << 32) >> all;
        many.keys[i] = (uint32_t)(i * width + random_next(&random) % width);
        many.values[i] = (uint32_t)i;
    }
    for (size_t c = 0; c < taken; c++) {
        contestants[c].make();
        contestants[c].insert(&many, true);
    }
    for (int r = 0; r < rounds; r++) {
        for (size_t i = 0; i < few.count; i++) few.keys[i] = few.values[i] = (uint32_t)random_next(&random);
        for (size_t c = 0; c < taken; c++) {
            const cost before = now();
            contestants[c].insert(&few, false);
            const cost after = now();
            costs[c][r] = (cost){after.wall - before.wall, after.cpu - before.cpu, after.written - before.written};
        }
    }
    printf("%-17s %9s %9s %9s %9s %9s %9s %9s %11s\n", "a batch", "s", "cpu s", "MiB", "mean s", "cpu s", "MiB",
           "most s", "keys then");
    for (size_t c = 0; c < taken; c++) {
        const size_t offsets[] = {offsetof(cost, wall), offsetof(cost, cpu), offsetof(cost, written)};
        printf("%-17s", contestants[c].name);
        for (int k = 0; k < 3; k++) printf(" %9.4f", median(costs[c], rounds, offsets[k]));
        for (int k = 0; k < 3; k++) printf(" %9.4f", mean(costs[c], rounds, offsets[k]));
        printf(" %9.4f %11llu\n", most_seconds(costs[c], rounds), (unsigned long long)contestants[c].count());
    }
    ww_close(device);
    return 0;
}
