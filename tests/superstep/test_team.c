/* Teams of threads against a serial oracle: long random series of forks, kills, splits and sorts, all columns looked at after
 * each; what they cost beside the paper's table; teams that are empty, too large, or run out of memory. */
#include <stdlib.h>

#include "reference/team.h"
#include "support/cases.h"
#include "warpwise.h"

/* ---- a team and what it should be ---- */

enum { RECORD = 12, MOST = 6000 };

typedef struct model {
    ww_device *device;
    ww_team *team;
    ww_column value, number, record, older, rank;
    size_t n;
    uint32_t values[MOST];
    uint64_t numbers[MOST];
    unsigned char records[MOST][RECORD];
    uint64_t index[MOST], among[MOST], keys[MOST];
    uint8_t flags[MOST];
} model;

static model m;

static void begin(ww_device *device, size_t n) {
    m.device = device;
    m.n = n;
    fill(m.values, &ww_type_uint32_t, 4, n, UNIFORM, seed_of_run());
    fill(m.records, &ww_type_record, RECORD, n, UNIFORM, seed_of_run() + 1);
    for (size_t i = 0; i < n; i++) m.numbers[i] = i;
    void *records = need(n * RECORD + 1);
    uint32_t *values = need(4 * n + 1);
    memcpy(records, m.records, n * RECORD);
    memcpy(values, m.values, 4 * n);
    expect_status(device, ww_team_create(device, n, &m.team), WW_OK);
    expect_status(device, ww_team_add(m.team, ww_memory(values, n), &m.value), WW_OK);
    expect_status(device, ww_team_add(m.team, ww_counting(&ww_type_uint64_t, 0, n), &m.number), WW_OK);
    expect_status(device, ww_team_add(m.team, ww_record_memory(records, n, RECORD), &m.record), WW_OK);
    expect_status(device, ww_team_add(m.team, ww_constant(ww_value(uint32_t, 7), n), &m.older), WW_OK);
    expect_status(device, ww_team_add(m.team, ww_constant(ww_value(uint64_t, 7), n), &m.rank), WW_OK);
    free(values);
    free(records);
}

/* The model's columns by m.index. */
static void carry(size_t n) {
    static unsigned char moved[MOST * RECORD];
    reference_team_carry(m.values, sizeof *m.values, m.index, n, moved);
    memcpy(m.values, moved, n * sizeof *m.values);
    reference_team_carry(m.numbers, sizeof *m.numbers, m.index, n, moved);
    memcpy(m.numbers, moved, n * sizeof *m.numbers);
    reference_team_carry(m.records, RECORD, m.index, n, moved);
    memcpy(m.records, moved, n * RECORD);
    m.n = n;
}

static void expect_column(ww_column column, const void *wanted, size_t size) {
    const ww_array array = ww_team_array(m.team, column);
    expect(array.count == m.n && array.size == size && array.data == ww_team_data(m.team, column));
    guarded got = guarded_new(m.n * size);
    const ww_array to = {got.data, m.n, array.type, size, NULL, 0};
    expect_status(m.device, ww_copy(m.device, ww_from(array), to), WW_OK);
    expect_status(m.device, ww_sync(m.device), WW_OK);
    expect_elements(got.data, wanted, m.n, size);
    guarded_check(&got);
    guarded_free(&got);
}

static void expect_team(bool forked) {
    uint32_t *older = need(4 * m.n + 1);
    expect(ww_team_size(m.team) == m.n);
    expect_column(m.value, m.values, sizeof *m.values);
    expect_column(m.number, m.numbers, sizeof *m.numbers);
    expect_column(m.record, m.records, RECORD);
    for (size_t i = 0; i < m.n; i++) older[i] = (uint32_t)m.index[i];
    expect_column(m.older, older, sizeof *older);
    if (forked) expect_column(m.rank, m.among, sizeof *m.among);
    free(older);
}

/* ---- one renumbering, random ---- */

/* Random counts that leave the team between empty and MOST; keys and counts in reachable memory, of a type by `wide`. */
static ww_input keys_of(const uint64_t *x, size_t n, unsigned log_size, void **block) {
    static const ww_type *const of[] = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t};
    const size_t size = (size_t)1 << log_size;
    *block = need(n * size + 1);
    for (size_t i = 0; i < n; i++) memcpy((char *)*block + i * size, x + i, size); /* little-endian */
    return ww_memory_of(*block, n, of[log_size]);
}

WW_MAP(bucket_of, uint32_t, uint32_t, key, void, none, { return key % 37; });
WW_LESS(above, uint32_t, a, b, { return a > b; });

static void fork_randomly(uint64_t *seed, ww_team_method method) {
    const uint64_t kind = random_next(seed) % 4;
    uint64_t left = MOST;
    ww_team_options o = WW_TEAM_OPTIONS;
    void *block;
    o.method = method;
    o.older = m.older;
    o.rank = m.rank;
    for (size_t i = 0; i < m.n; i++) {
        const uint64_t r = random_next(seed) >> 9;
        uint64_t c = kind == 0   ? r % 3
                     : kind == 1 ? (r % 50 ? 0 : r / 50 % 100)
                     : kind == 2 ? (i ? 1 : r % 900)
                                 : r % 2;
        if (m.n < 50) c = 1 + c * 3;
        if (c > left) c = left;
        left -= c;
        m.keys[i] = c;
    }
    const ww_input counts = keys_of(m.keys, m.n, kind == 2 ? 2 : kind == 1 ? 0 : 3, &block);
    if (kind == 1)
        for (size_t i = 0; i < m.n; i++) m.keys[i] &= 255;
    expect_status(m.device, ww_team_fork(m.team, counts, &o), WW_OK);
    carry(reference_team_fork(m.keys, m.n, m.index, m.among));
    expect_team(true);
    free(block);
}

static void flag_randomly(uint64_t *seed, bool kill) {
    const uint64_t one_in = 2 + random_next(seed) % 5;
    uint8_t *flags = need(m.n + 1);
    uint64_t zeros = 99;
    size_t ones = 0;
    ww_team_options o = WW_TEAM_OPTIONS;
    o.older = m.older;
    for (size_t i = 0; i < m.n; i++) {
        m.flags[i] = flags[i] = random_next(seed) % one_in == 0 ? (uint8_t)(1 + i % 255) : 0;
        ones += flags[i] != 0;
    }
    if (kill) {
        expect_status(m.device, ww_team_kill(m.team, ww_memory(flags, m.n), &o), WW_OK);
        carry(reference_team_kill(m.flags, m.n, m.index));
    } else {
        for (size_t i = 0; i < m.n; i++) m.keys[i] = flags[i] != 0;
        expect_status(m.device, ww_team_split(m.team, ww_memory(flags, m.n), &zeros, &o), WW_OK);
        expect(zeros == m.n - ones);
        carry(reference_team_order(m.keys, m.n, m.index));
    }
    expect_team(false);
    free(flags);
}

/* By the team's own column of values. */
static void order_randomly(uint64_t *seed) {
    const uint64_t how = random_next(seed) % 4;
    const ww_input keys = ww_from(ww_team_array(m.team, m.value));
    ww_team_options o = WW_TEAM_OPTIONS;
    o.older = m.older;
    o.method = how == 2 ? WW_TEAM_PAPER : WW_TEAM_AUTO;
    for (size_t i = 0; i < m.n; i++)
        m.keys[i] = how == 3 ? m.values[i] % 37 : how == 1 ? UINT32_MAX - m.values[i] : m.values[i];
    if (how < 3)
        expect_status(m.device, ww_team_sort_by(m.team, how == 1 ? &above_ww : NULL, keys, &o), WW_OK);
    else
        expect_status(m.device, ww_team_multisplit(m.team, &bucket_of_ww, 37, keys, ww_none, &o), WW_OK);
    carry(reference_team_order(m.keys, m.n, m.index));
    expect_team(false);
}

WW_STRUCT(mixing, {
    uint32_t *value;
    const uint64_t *number;
});
/* Few values, so that sorts meet equal ones. */
WW_KERNEL(mix, mixing, a, rank,
          { a->value[rank] = (uint32_t)(a->value[rank] * 2654435761u + a->number[rank] + rank) & 0x1F001Fu; });

static void step(void) {
    const mixing a = {ww_team_data(m.team, m.value), ww_team_data(m.team, m.number)};
    expect_status(m.device, ww_team_step(m.team, ww_with(mix, &a)), WW_OK);
    for (size_t i = 0; i < m.n; i++) m.values[i] = (uint32_t)(m.values[i] * 2654435761u + m.numbers[i] + i) & 0x1F001Fu;
    expect_column(m.value, m.values, sizeof *m.values);
}

static void random_series(void **state) {
    static const size_t sizes[] = {1, 3, 65, 1000, 4097};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            CASE("team", "%s series n=%zu", setting_name(s), sizes[k]);
            if (!case_wanted()) continue;
            uint64_t seed = seed_of_run() + 77 * k;
            begin(device, sizes[k]);
            for (size_t turn = 0; turn < (on_emulator() ? 16 : 24); turn++) {
                step();
                if (turn % 2)
                    order_randomly(&seed);
                else if (turn % 4 == 0)
                    fork_randomly(&seed, turn % 8 ? WW_TEAM_PAPER : WW_TEAM_AUTO);
                else
                    flag_randomly(&seed, turn % 8 == 2);
            }
            ww_team_destroy(m.team);
        }
        ww_close(device);
    }
}

/* A team without columns, and one that loses and gets some. */
static void columns_come_and_go(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    ww_team *team;
    ww_column a, b, c;
    uint8_t *counts = need(16), back[16];
    CASE("team", "columns come and go");
    memset(counts, 4, 4);
    expect_status(device, ww_team_create(device, 4, &team), WW_OK);
    expect_status(device, ww_team_fork(team, ww_memory(counts, 4), NULL), WW_OK);
    expect(ww_team_size(team) == 16 && !ww_team_array(team, 1).type && !ww_team_data(team, 0));
    expect_status(device, ww_team_add(team, ww_counting(&ww_type_uint8_t, 3, 16), &a), WW_OK);
    expect_status(device, ww_team_add(team, ww_constant(ww_value(double, 2.5), 16), &b), WW_OK);
    expect(a && b && a != b);
    expect_status(device, ww_team_remove(team, a), WW_OK);
    expect(!ww_team_array(team, a).type && ww_team_array(team, b).type == &ww_type_double);
    expect_status(device, ww_team_remove(team, a), WW_INVALID);
    expect_sentence(device, "ww_team_remove", "no column");
    expect_status(device, ww_team_add(team, ww_counting(&ww_type_uint8_t, 5, 16), &c), WW_OK);
    expect_status(device, ww_copy(device, ww_from(ww_team_array(team, c)), ww_array(back, 16)), WW_OK);
    for (uint8_t i = 0; i < 16; i++) expect(back[i] == i + 5);
    for (size_t k = 2; k < WW_TEAM_COLUMNS; k++)
        expect_status(device, ww_team_add(team, ww_counting(&ww_type_uint8_t, 0, 16), &c), WW_OK);
    expect(ww_team_array(team, c).count == 16); /* the last one, too */
    expect_status(device, ww_team_add(team, ww_counting(&ww_type_uint8_t, 0, 16), &c), WW_LIMIT);
    expect(!c);
    ww_team_destroy(team);
    ww_team_destroy(NULL);
    free(counts);
    ww_close(device);
}

/* Memory of a limit: blocks are not made twice as large where only as much as is needed can be had. */
typedef struct limited {
    size_t most, blocks;
} limited;

static void *allocate_below(void *context, size_t bytes, size_t alignment) {
    limited *l = context;
    void *block = bytes > l->most ? NULL : aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    l->blocks += block != NULL;
    return block;
}

static void release_counted(void *context, void *block, size_t bytes) {
    limited *l = context;
    (void)bytes;
    l->blocks--;
    free(block);
}

static void room_as_needed(void **state) {
    (void)state;
    if (left_out_on_gpu("the host's allocator is limited")) return;
    limited limit = {SIZE_MAX, 0};
    ww_open_options options = WW_OPEN_OPTIONS;
    ww_device *device;
    ww_team *team;
    ww_column column;
    CASE("team", "room as needed");
    options.threads = 1;
    options.allocator = (ww_allocator){allocate_below, release_counted, &limit};
    expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
    expect_status(device, ww_team_create(device, 100000, &team), WW_OK);
    expect_status(device, ww_team_add(team, ww_counting(&ww_type_uint64_t, 0, 100000), &column), WW_OK);
    expect_status(device, ww_team_restart(team, 100001), WW_OK); /* both of its blocks are there */
    expect_status(device, ww_team_restart(team, 100001), WW_OK);
    limit.most = 8 * 150000 + 4096;
    expect_status(device, ww_team_restart(team, 150000), WW_OK);
    expect(ww_team_size(team) == 150000);
    limit.most = SIZE_MAX;
    expect_status(device, ww_team_restart(team, 200000), WW_OK);
    ww_team_destroy(team);
    ww_close(device);
    expect(limit.blocks == 0);
}

static void empty_team(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        uint64_t zeros = 5;
        uint64_t *offsets = need(8 * 38);
        ww_team_options o = WW_TEAM_OPTIONS;
        CASE("team", "%s empty", setting_name(s));
        begin(device, 0);
        o.older = m.older;
        const mixing a = {ww_team_data(m.team, m.value), ww_team_data(m.team, m.number)};
        const ww_input flags = ww_memory((uint8_t *)NULL, 0), keys = ww_from(ww_team_array(m.team, m.value));
        expect_status(device, ww_team_step(m.team, ww_with(mix, &a)), WW_OK);
        expect_status(device, ww_team_fork(m.team, keys, &o), WW_OK);
        expect_status(device, ww_team_kill(m.team, flags, &o), WW_OK);
        expect_status(device, ww_team_split(m.team, flags, &zeros, &o), WW_OK);
        expect_status(device, ww_team_multisplit(m.team, &bucket_of_ww, 37, keys, ww_array(offsets, 38), &o), WW_OK);
        expect_status(device, ww_team_sort_by(m.team, NULL, keys, &o), WW_OK);
        expect_status(device, ww_team_sort_by(m.team, &above_ww, keys, &o), WW_OK);
        o.method = WW_TEAM_PAPER;
        expect_status(device, ww_team_sort_by(m.team, NULL, keys, &o), WW_OK);
        expect_status(device, ww_team_fork(m.team, keys, &o), WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect(zeros == 0 && offsets[0] == 0 && offsets[37] == 0);
        expect_team(false);
        ww_team_destroy(m.team);
        free(offsets);
        ww_close(device);
    }
}

/* A CPU with a GiB of memory a piece: sanitizers end programs that ask for what no machine has. */
static void *allocate_some(void *context, size_t bytes, size_t alignment) {
    (void)context;
    return bytes > (size_t)1 << 30 ? NULL : aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *context, void *block, size_t bytes) {
    (void)context;
    (void)bytes;
    free(block);
}

static ww_device *open_small(void) {
    ww_device *device;
    ww_open_options options = WW_OPEN_OPTIONS;
    if (on_gpu()) return setting_open(0);
    options.allocator = (ww_allocator){allocate_some, release, NULL};
    expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
    return device;
}

/* Anew with more threads and with fewer, in columns that stay. */
static void restarted(void **state) {
    (void)state;
    ww_device *device = open_small();
    CASE("team", "restarted");
    begin(device, 100);
    for (size_t n = 3000; n; n = n == 3000 ? 20 : 0) {
        expect_status(device, ww_team_restart(m.team, n), WW_OK);
        expect(ww_team_size(m.team) == n && ww_team_array(m.team, m.number).count == n);
        m.n = n;
        for (size_t i = 0; i < n; i++) m.numbers[i] = 3 + i;
        const ww_input numbers = ww_counting(&ww_type_uint64_t, 3, n);
        expect_status(device, ww_store(device, numbers, ww_team_array(m.team, m.number)), WW_OK);
        expect_column(m.number, m.numbers, sizeof *m.numbers);
    }
    expect_status(device, ww_team_restart(m.team, (uint64_t)1 << 52), WW_MEMORY);
    expect_column(m.number, m.numbers, sizeof *m.numbers);
    ww_team_destroy(m.team);
    ww_close(device);
}

/* ---- what is refused, and leaves the team as it is ---- */

static void refused(void **state) {
    (void)state;
    ww_device *device = open_small();
    uint64_t *counts = need(8 * 3);
    ww_team_options o = WW_TEAM_OPTIONS;
    ww_column column;
    CASE("team", "refused");
    begin(device, 3);
    for (size_t i = 0; i < 3; i++) m.index[i] = 7;
    const ww_input by = ww_memory(counts, 3);
#define REFUSED(status, call, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
        expect_team(false); \
    } while (0)
    counts[0] = counts[1] = counts[2] = UINT64_MAX / 2;
    REFUSED(WW_LIMIT, ww_team_fork(m.team, by, NULL), "ww_team_fork", "2^64 - 1 or more");
    counts[2] = 0;
    REFUSED(WW_MEMORY, ww_team_fork(m.team, by, NULL), "memory");
    counts[0] = counts[1] = (uint64_t)1 << 52;
    REFUSED(WW_MEMORY, ww_team_fork(m.team, by, NULL), "ww_alloc");
    o.method = WW_TEAM_PAPER;
    REFUSED(WW_MEMORY, ww_team_fork(m.team, by, &o), "ww_alloc");
    o.method = 2;
    REFUSED(WW_INVALID, ww_team_fork(m.team, by, &o), "options.method");
    o.method = WW_TEAM_PAPER;
    REFUSED(WW_INVALID, ww_team_kill(m.team, ww_memory(m.flags, 3), &o), "options.method");
    REFUSED(WW_INVALID, ww_team_split(m.team, ww_memory(m.flags, 3), NULL, &o), "options.method");
    REFUSED(WW_INVALID, ww_team_sort_by(m.team, &above_ww, ww_memory(m.values, 3), &o), "paper's method");
    REFUSED(WW_TYPE, ww_team_sort_by(m.team, NULL, ww_constant(ww_value(float, 1), 3), &o), "paper's method", "f32");
    o.method = 0;
    o.older = 60;
    REFUSED(WW_INVALID, ww_team_fork(m.team, by, &o), "options.older is 60");
    o.older = m.record;
    REFUSED(WW_TYPE, ww_team_fork(m.team, by, &o), "options.older");
    o.older = o.rank = m.rank;
    REFUSED(WW_INVALID, ww_team_fork(m.team, by, &o), "one column");
    REFUSED(WW_INVALID, ww_team_split(m.team, ww_memory(m.flags, 3), NULL, &o), "options.rank");
    REFUSED(WW_INVALID, ww_team_fork(m.team, ww_no_input, NULL), "counts is missing");
    REFUSED(WW_INVALID, ww_team_fork(m.team, ww_memory(counts, 2), NULL), "3 threads", "counts has 2");
    REFUSED(WW_TYPE, ww_team_fork(m.team, ww_constant(ww_value(int32_t, 1), 3), NULL), "i32");
    REFUSED(WW_TYPE, ww_team_kill(m.team, by, NULL), "flags are u64");
    REFUSED(WW_TYPE, ww_team_split(m.team, by, NULL, NULL), "flags are u64");
    REFUSED(WW_INVALID, ww_team_add(m.team, ww_memory(counts, 2), &column), "3 threads", "2 elements");
    REFUSED(WW_INVALID, ww_team_add(m.team, ww_no_input, &column), "in");
    REFUSED(WW_INVALID, ww_team_add(m.team, by, NULL), "column is NULL");
    REFUSED(WW_TYPE, ww_team_step(m.team, &bucket_of_ww), "is not a WW_KERNEL");
    REFUSED(WW_TYPE, ww_team_sort_by(m.team, NULL, ww_from(ww_team_array(m.team, m.record)), NULL), "ww_sort_index");
    expect(ww_team_fork(NULL, by, NULL) == WW_INVALID && ww_team_size(NULL) == 0);
    expect(ww_team_create(NULL, 1, &m.team) == WW_INVALID);
    ww_team_destroy(m.team);
    free(counts);
    ww_close(device);
}

/* ---- costs: the paper's table 1 ---- */

/* Of one renumbering: a fork by `counts`, a kill, a split, a sort or a multisplit into `hub` buckets of n threads with two
 * columns. */
typedef enum deed { KILL, SPLIT, FORK, FORK_PAPER, SORT_PAPER, SORT, SORT_BY, MULTISPLIT } deed;

static ww_team_costs cost_of(ww_device *device, size_t n, deed d, size_t hub) {
    ww_team *team;
    ww_column keys, flags;
    ww_team_options o = WW_TEAM_OPTIONS;
    uint32_t *x = need(4 * n);
    o.method = d == FORK_PAPER || d == SORT_PAPER ? WW_TEAM_PAPER : WW_TEAM_AUTO;
    for (size_t i = 0; i < n; i++) x[i] = d == SORT_PAPER ? (uint32_t)(i * 2654435761u) : 1;
    if (d == FORK || d == FORK_PAPER) x[n / 2] = (uint32_t)hub;
    expect_status(device, ww_team_create(device, n, &team), WW_OK);
    expect_status(device, ww_team_add(team, ww_memory(x, n), &keys), WW_OK);
    expect_status(device, ww_team_add(team, ww_constant(ww_value(uint8_t, 0), n), &flags), WW_OK);
    const ww_input by = ww_from(ww_team_array(team, keys)), flag = ww_from(ww_team_array(team, flags));
    const ww_team_costs before = ww_team_cost(team);
    expect_status(device,
                  d == KILL         ? ww_team_kill(team, flag, NULL)
                  : d == SPLIT      ? ww_team_split(team, flag, NULL, NULL)
                  : d == SORT_PAPER ? ww_team_sort_by(team, NULL, by, &o)
                  : d == SORT       ? ww_team_sort_by(team, NULL, by, NULL)
                  : d == SORT_BY    ? ww_team_sort_by(team, &above_ww, by, NULL)
                  : d == MULTISPLIT ? ww_team_multisplit(team, &bucket_of_ww, hub, by, ww_none, NULL)
                                    : ww_team_fork(team, by, &o),
                  WW_OK);
    const ww_team_costs after = ww_team_cost(team);
    ww_team_destroy(team);
    free(x);
    return (ww_team_costs){after.supersteps - before.supersteps, after.work - before.work};
}

static uint64_t log2_down(uint64_t x) {
    uint64_t log = 0;
    while (x >>= 1) log++;
    return log;
}

static void costs(void **state) {
    enum { LEAST = 256, MOST_THREADS = 1 << 14 };
    (void)state;
    ww_device *device = setting_open(0);
    for (size_t n = LEAST; n <= MOST_THREADS; n *= 4) {
        CASE("team", "costs n=%zu", n);
        if (!case_wanted()) continue;
        /* O(n) work in O(1) supersteps: the same number of them for all n, each of n. */
        for (int d = KILL; d <= SPLIT; d++) {
            const ww_team_costs c = cost_of(device, n, (deed)d, 0), least = cost_of(device, LEAST, (deed)d, 0);
            expect(c.supersteps >= 2 && c.supersteps <= 4 && c.supersteps == least.supersteps);
            expect(c.work == least.work / LEAST * n && c.work <= c.supersteps * n);
        }
        for (uint64_t hub = 1; hub <= 8 * MOST_THREADS; hub *= 8) {
            const uint64_t children = n - 1 + hub, rounds = log2_down(hub) + 1;
            /* Ours: O(n') work in O(1) supersteps, whatever the most children of a thread are. */
            const ww_team_costs c = cost_of(device, n, FORK, hub);
            expect(c.supersteps == 3 && c.work == n + 2 * (n + children));
            /* The paper's: O(n') work in O(log m) supersteps. Seven in each of log2 m + 1 rounds (fill, go on, and a kill of
             * four columns, which the last round does not carry); seven more to begin and to carry two columns. Beyond the
             * first round one parent is left. */
            const ww_team_costs p = cost_of(device, n, FORK_PAPER, hub);
            uint64_t work = 5 * n + 2 * children;
            for (uint64_t k = 0; k < rounds; k++) work += (k ? 1 : n) * ((1ull << k) + 2 + (k + 1 < rounds ? 4 : 0));
            expect(p.supersteps == 7 * rounds - 4 + 7 && p.work == work);
            expect(p.work <= 12 * (n + children));
        }
        /* O(n log^2 n) work in O(log n) supersteps. */
        const uint64_t log = log2_down(n);
        const ww_team_costs s = cost_of(device, n, SORT_PAPER, 0);
        expect(s.supersteps == log + 8);
        expect(s.work >= n * log * (log - 1) / 2 && s.work <= n * (log * (log + 3) / 2 + log + 10));
    }
    /* A step for each byte of the keys, one for each level of an order, one for each digit of 8 bits and one more; and two
     * columns are gathered. */
    static const struct {
        deed deed;
        size_t buckets;
        uint64_t supersteps;
    } others[] = {{SORT, 0, 4 + 2}, {SORT_BY, 0, 8 + 2}, {MULTISPLIT, 37, 2 + 2}, {MULTISPLIT, 257, 3 + 2}};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        CASE("team", "costs of other orders %zu", k);
        const ww_team_costs c = cost_of(device, LEAST, others[k].deed, others[k].buckets);
        expect(c.supersteps == others[k].supersteps && c.work == LEAST * c.supersteps);
    }
    ww_close(device);
}

/* ---- memory ---- */

static ww_device *open_counting(counting_allocator *counter) {
    ww_device *device;
    ww_open_options options = WW_OPEN_OPTIONS;
    options.threads = 1;
    options.allocator = counting_allocator_use(counter);
    expect_status(NULL, ww_open_with("cpu", &device, &options), WW_OK);
    return device;
}

/* A thousand threads become ten. */
static ww_status shrink(ww_team *team, ww_column value, ww_column older) {
    ww_team_options o = WW_TEAM_OPTIONS;
    static uint8_t flags[1000];
    o.older = older;
    for (size_t i = 0; i < 1000; i++) flags[i] = i % 100 != 0;
    ww_status status = ww_team_sort_by(team, NULL, ww_from(ww_team_array(team, value)), &o);
    if (!status) status = ww_team_split(team, ww_memory(flags, 1000), NULL, &o);
    if (!status)
        status = ww_team_multisplit(team, &bucket_of_ww, 37, ww_from(ww_team_array(team, value)), ww_none, NULL);
    if (!status) status = ww_team_kill(team, ww_memory(flags, 1000), &o);
    return status;
}

/* Ten become a thousand, and ten again. */
static ww_status grow_and_shrink(ww_team *team, ww_column value, ww_column older) {
    ww_team_options o = WW_TEAM_OPTIONS;
    o.older = older;
    const ww_status status = ww_team_fork(team, ww_constant(ww_value(uint8_t, 100), 10), &o);
    return status ? status : shrink(team, value, older);
}

static ww_status make(ww_device *device, ww_team **team, ww_column *value, ww_column *older) {
    ww_status status = ww_team_create(device, 10, team);
    if (!status) status = ww_team_add(*team, ww_counting(&ww_type_uint32_t, 0, 10), value);
    if (!status) status = ww_team_add(*team, ww_counting(&ww_type_uint64_t, 0, 10), older);
    return status;
}

static void steady_state(void **state) {
    (void)state;
    if (left_out_on_gpu("the host's allocator is counted")) return;
    counting_allocator counter = {.fail_at = SIZE_MAX};
    ww_device *device = open_counting(&counter);
    ww_team *team = NULL;
    ww_column value = 0, older = 0;
    CASE("team", "a steady state allocates nothing");
    expect_status(device, make(device, &team, &value, &older), WW_OK);
    size_t requests = 0;
    for (size_t round = 0; round < 6; round++) {
        expect_status(device, grow_and_shrink(team, value, older), WW_OK);
        expect(ww_team_size(team) == 10);
        if (round == 2) requests = counter.requests;
    }
    expect(counter.requests == requests);
    ww_team_destroy(team);
    ww_close(device);
    expect(counter.live_blocks == 0);
}

/* Each allocation fails in turn: the call says so, and the team is what it was; then it goes on. */
static void out_of_memory(void **state) {
    (void)state;
    if (left_out_on_gpu("the host's allocator fails")) return;
    for (size_t k = 1, done = 0; !done; k++) {
        counting_allocator counter = {.fail_at = SIZE_MAX};
        ww_device *device = open_counting(&counter);
        ww_team *team = NULL;
        ww_column value = 0, older = 0;
        uint32_t got[10];
        CASE("team", "request %zu fails", k);
        counter.fail_at = k;
        ww_status status = make(device, &team, &value, &older);
        const bool made = !status;
        if (made) {
            status = ww_team_fork(team, ww_constant(ww_value(uint8_t, 100), 10), NULL);
            if (status) {
                const ww_status copied = ww_copy(device, ww_from(ww_team_array(team, value)), ww_array(got, 10));
                expect(ww_team_size(team) == 10 && !copied);
                for (uint32_t i = 0; i < 10; i++) expect(got[i] == i);
            } else {
                status = shrink(team, value, older);
            }
        }
        done = !status;
        if (!done) expect_status(device, status, WW_MEMORY);
        if (!done) expect_sentence(device, "memory");
        if (done) expect_status(device, ww_team_remove(team, older), WW_OK); /* and all of its memory goes */
        ww_team_destroy(team);
        ww_close(device);
        expect(counter.live_blocks == 0 && counter.live_bytes == 0 && k < 200 && (made || k < 10));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_series),  cmocka_unit_test(columns_come_and_go),
        cmocka_unit_test(empty_team),     cmocka_unit_test(restarted),
        cmocka_unit_test(refused),        cmocka_unit_test(costs),
        cmocka_unit_test(steady_state),   cmocka_unit_test(out_of_memory),
        cmocka_unit_test(room_as_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
