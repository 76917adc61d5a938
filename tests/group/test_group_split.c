/* Splits, first keys and matches of groups beside the same call of one device on the whole array. */
#include <stdio.h>

#include "support/groups.h"

WW_MAP(bucket, uint32_t, uint32_t, x, uint32_t, buckets, { return (x ^ (x >> 16)) % *buckets; });

static ww_device *open_cpu(void) {
    ww_device *cpu = NULL;
    expect(!ww_open("cpu:threads=1", &cpu));
    return cpu;
}

/* ---- splits ---- */

enum { LONG = 300000 }; /* two buckets of so many have long pieces, on up to four ranks */

typedef struct splitting {
    uint32_t *keys;
    uint64_t *values;
    size_t n, first[RANKS_MOST + 1];
    uint32_t buckets;
    const uint64_t *ranges; /* or NULL */
    const ww_function *by;
    bool has_values;
    uint32_t *keys_out; /* n for each rank */
    uint64_t *values_out, *offsets;
    uint64_t first_bucket[RANKS_MOST][RANKS_MOST + 1], came[RANKS_MOST];
} splitting;

/* From and to the rank's own memory, where pieces go straight to their places. */
static ww_status split_in_device_memory(ww_group *group, void *context) {
    splitting *s = context;
    ww_device *device = ww_group_device(group);
    const uint32_t r = ww_group_rank(group);
    const size_t at = s->first[r], n = s->first[r + 1] - at;
    void *memory = NULL;
    ww_status status = ww_alloc(device, 8 * (s->n + n) + 8 * (s->n + n), &memory);
    uint64_t *values = memory, *values_out = values + n;
    uint32_t *keys = (uint32_t *)(void *)(values_out + s->n), *keys_out = keys + n;
    if (!status) status = ww_copy(device, ww_memory(s->keys + at, n), ww_array(keys, n));
    if (!status) status = ww_copy(device, ww_memory(s->values + at, n), ww_array(values, n));
    if (!status) status = ww_copy(device, ww_memory(s->keys_out + r * s->n, s->n), ww_array(keys_out, s->n));
    if (!status)
        status = ww_group_split(group, s->by, s->buckets, s->ranges, ww_memory(keys, n),
                                s->has_values ? ww_memory(values, n) : ww_no_input, ww_array(keys_out, s->n),
                                s->has_values ? ww_array(values_out, s->n) : ww_none,
                                ww_array(s->offsets + r * (s->buckets + 1), s->buckets + 1), s->first_bucket[r],
                                &s->came[r]);
    if (!status) status = ww_copy(device, ww_memory(keys_out, s->n), ww_array(s->keys_out + r * s->n, s->n));
    if (!status && s->has_values)
        status = ww_copy(device, ww_memory(values_out, s->came[r]), ww_array(s->values_out + r * s->n, s->came[r]));
    if (!status) status = ww_sync(device);
    if (memory) ww_free(device, memory);
    return status;
}

static ww_status split(ww_group *group, void *context) {
    splitting *s = context;
    const uint32_t r = ww_group_rank(group);
    const size_t at = s->first[r], n = s->first[r + 1] - at;
    return ww_group_split(group, s->by, s->buckets, s->ranges, ww_memory(s->keys + at, n),
                          s->has_values ? ww_memory(s->values + at, n) : ww_no_input,
                          ww_array(s->keys_out + r * s->n, s->n),
                          s->has_values ? ww_array(s->values_out + r * s->n, s->n) : ww_none,
                          ww_array(s->offsets + r * (s->buckets + 1), s->buckets + 1), s->first_bucket[r], &s->came[r]);
}

/* by: the library's function, or NULL */
static void was_split(uint32_t ranks, cut c, size_t n, uint32_t buckets, bool by_ranges, bool values, shape shape,
                      const ww_function *by) {
    guarded keys = guarded_new(4 * n), numbers = guarded_new(8 * n), keys_out = guarded_new(4 * n * ranks);
    guarded values_out = guarded_new(8 * n * ranks), offsets = guarded_new(8 * ranks * (buckets + 1));
    uint32_t *wanted = need(4 * n + 1);
    uint64_t *wanted_values = need(8 * n + 1), *wanted_offsets = need(8 * (buckets + 1)), ranges[RANKS_MOST + 1];
    const ww_function own = *ww_with(bucket, &buckets);
    splitting s = {.n = n, .by = by ? by : &own, .buckets = buckets, .has_values = values, .ranges = by_ranges ? ranges : NULL};
    ww_device *cpu = open_cpu();
    s.keys = keys.data;
    s.values = numbers.data;
    s.keys_out = keys_out.data;
    s.values_out = values_out.data;
    s.offsets = offsets.data;
    fill(s.keys, &ww_type_uint32_t, 4, n, shape, seed_of_run() + n);
    for (size_t i = 0; i < n; i++) s.values[i] = i;
    for (uint32_t r = 0; r <= ranks; r++)
        ranges[r] = r == ranks ? buckets : (uint64_t)(buckets / 2) * (r > 0); /* some have none */
    cut_blocks(c, n, ranks, seed_of_run() + n, s.first);
    expect_status(cpu,
                  ww_multisplit(cpu, s.by, buckets, ww_memory(s.keys, n), ww_memory(s.values, n),
                                ww_array(wanted, n), ww_array(wanted_values, n), ww_array(wanted_offsets, buckets + 1),
                                NULL),
                  WW_OK);
    ww_close(cpu);
    group_do(ranks, (n >= LONG || by) && on_gpu() ? split_in_device_memory : split, &s);
    for (uint32_t r = 0; r < ranks; r++) {
        const uint64_t *first = s.first_bucket[r];
        expect(!memcmp(first, s.first_bucket[0], 8 * (ranks + 1)) && first[0] == 0 && first[ranks] == buckets);
        if (by_ranges) expect(!memcmp(first, ranges, 8 * (ranks + 1)));
        const uint64_t at = wanted_offsets[first[r]], end = wanted_offsets[first[r + 1]];
        expect(s.came[r] == end - at);
        /* all elements before a rank's first bucket are as many as its share, and were fewer without the last bucket of them */
        if (!by_ranges) expect(at * ranks + ranks >= (uint64_t)n * r);
        if (!by_ranges && first[r]) expect(wanted_offsets[first[r] - 1] * ranks <= (uint64_t)n * r);
        expect_elements(s.keys_out + r * n, wanted + at, end - at, 4);
        if (values) expect_elements(s.values_out + r * n, wanted_values + at, end - at, 8);
        for (size_t i = end - at; i < n; i++) expect(s.keys_out[r * n + i] == 0xA5A5A5A5u);
        expect_elements(s.offsets + r * (buckets + 1), wanted_offsets, buckets + 1, 8);
    }
    guarded *const all[] = {&keys, &numbers, &keys_out, &values_out, &offsets};
    for (size_t k = 0; k < 5; k++) {
        guarded_check(all[k]);
        guarded_free(all[k]);
    }
    free(wanted);
    free(wanted_values);
    free(wanted_offsets);
}

static void splits(void **unused) {
    (void)unused;
    static const uint32_t buckets[] = {1, 2, 13, 256, 1000};
    static const size_t sizes[] = {0, 3, 1000, 20000, LONG};
    const uint32_t *ranks;
    const size_t many = group_sizes(&ranks);
    uint64_t turn = 0;
    for (size_t g = 0; g < many; g++)
        for (size_t b = 0; b < 5; b++)
            for (size_t n = 0; n < 5; n++) {
                turn++;
                const cut c = (cut)(turn % CUTS);
                const shape shape = turn % 3 ? UNIFORM : turn % 2 ? FEW : CONSTANT;
                if (n == 4 && (b != 1 || ranks[g] > 4)) continue;
                if (on_gpu() && n < 4 && (b != 2 || n % 3 != 2)) continue;
                CASE("group split", "ranks=%u buckets=%u n=%zu %s %s turn=%d", ranks[g], buckets[b], sizes[n],
                     cut_name(c), shape_name(shape), (int)turn);
                if (case_wanted()) was_split(ranks[g], c, sizes[n], buckets[b], turn % 4 == 1, turn % 2, shape, NULL);
            }
}

/* By functions of the library's, of keys that are memory of the devices' own. */
static void splits_by_built_in(void **unused) {
    (void)unused;
    static const ww_bits one = {3, 1}, five = {0, 5}, eight = {24, 8}, nine = {7, 9};
    static const ww_delta width = {(1ull << 32) / 13 + 1};
    const size_t sizes[] = {0, 1000, 12000, on_gpu() && !on_emulator() ? 12000000 : 50000}; /* whole tiles for all processors */
    uint64_t turn = 0;
    for (uint32_t ranks = 1; ranks <= 3; ranks++)
        for (int how = 0; how < 5; how++)
            for (size_t n = 0; n < 4; n++) {
                turn++;
                const cut c = (cut)(turn % CUTS);
                const shape shape = turn % 3 ? UNIFORM : turn % 2 ? FEW : CONSTANT;
                const ww_function by = how == 0   ? *ww_with(ww_by_bits, &one)
                                       : how == 1 ? *ww_with(ww_by_bits, &five)
                                       : how == 2 ? *ww_with(ww_by_bits, &eight)
                                       : how == 3 ? *ww_with(ww_by_bits, &nine)
                                                  : *ww_with(ww_by_delta, &width);
                static const uint32_t buckets[] = {2, 32, 256, 512, 13};
                CASE("group split", "built in, ranks=%u how=%d n=%zu %s %s turn=%d", ranks, how, sizes[n], cut_name(c),
                     shape_name(shape), (int)turn);
                if (case_wanted())
                    was_split(ranks, c, sizes[n], buckets[how], turn % 4 == 1, turn % 5 == 4, shape, &by);
            }
}

/* The same where there is too little room on one rank, and where one has keys without a bucket, far behind in its block. */
typedef struct lacking {
    int kind;
    ww_status status[3];
    uint64_t came[3];
    char said[3][256];
} lacking;
static ww_status lack(ww_group *group, void *context) {
    static const ww_bits two = {0, 2};
    enum { N = 30000 };
    lacking *l = context;
    ww_device *device = ww_group_device(group);
    const uint32_t r = ww_group_rank(group);
    void *memory = NULL;
    uint32_t *host = malloc(4 * N), changed = 0; /* need is for one thread */
    if (!host) return WW_MEMORY;
    for (uint32_t i = 0; i < N; i++) host[i] = 4 * i + i % 3;
    if (l->kind == 1 && r > 0) host[20000 + r] |= 3;
    ww_status status = ww_alloc(device, 4 * 4 * N, &memory);
    uint32_t *in = memory, *out = in + N;
    if (!status) status = ww_copy(device, ww_memory(host, N), ww_array(in, N));
    if (!status) status = ww_fill(device, ww_array(out, 3 * N), ww_value(uint32_t, 77));
    if (!status) {
        l->status[r] = ww_group_split(group, ww_with(ww_by_bits, &two), 3, NULL, ww_memory(in, N), ww_no_input,
                                      ww_array(out, r == 1 && l->kind == 0 ? N - 1 : 3 * N), ww_none, ww_none, NULL,
                                      &l->came[r]);
        snprintf(l->said[r], sizeof l->said[r], "%s", ww_group_error(group));
    }
    for (int part = 0; part < 3 && !status; part++) {
        status = ww_copy(device, ww_memory(out + part * N, N), ww_array(host, N));
        if (!status) status = ww_sync(device);
        for (uint32_t i = 0; i < N; i++) changed += host[i] != 77;
    }
    if (memory) ww_free(device, memory);
    free(host);
    return status ? status : changed ? WW_FORMAT : WW_OK;
}
static void built_in_that_fail(void **unused) {
    (void)unused;
    if (!on_gpu()) return;
    for (int kind = 0; kind < 2; kind++) {
        lacking l = {.kind = kind};
        CASE("group split", "built in, failing, kind=%d", kind);
        if (!case_wanted()) continue;
        group_do(3, lack, &l);
        for (uint32_t r = 0; r < 3; r++) {
            expect(l.status[r] == (kind ? WW_RANGE : WW_LIMIT));
            expect(strstr(l.said[r], "ww_group_split: rank 1: ") == l.said[r] && !strcmp(l.said[r], l.said[0]));
            expect(strstr(l.said[r], kind ? "keys[20001]: by_bits gives no bucket below 3"
                                          : "keys_out has a capacity of 29999 elements, and 30000 come") != NULL);
        }
        if (!kind) expect(l.came[0] == 30000 && l.came[1] == 30000);
    }
}

/* Too little room on one rank, a key without a bucket: nothing moves. */
typedef struct failing {
    int kind;
    uint64_t came[3];
    char said[3][256];
    ww_status status[3];
} failing;
static ww_status fail_to_split(ww_group *group, void *context) {
    failing *f = context;
    const uint32_t r = ww_group_rank(group), buckets = f->kind == 1 && r == 1 ? 4 : 3;
    uint32_t x[3] = {0, 1, 3 - (f->kind == 0)}, y[9];
    memset(y, 0xA5, sizeof y);
    f->status[r] = ww_group_split(group, f->kind == 1 ? ww_with(bucket, &(uint32_t){4}) : ww_with(bucket, &buckets), 3,
                                  NULL, ww_memory(x, r == 1 ? 3 : 2), ww_no_input, ww_array(y, r == 0 ? 2 : 9), ww_none,
                                  ww_none, NULL, &f->came[r]);
    snprintf(f->said[r], sizeof f->said[r], "%s", ww_group_error(group));
    for (size_t i = 0; i < 9; i++)
        if (y[i] != 0xA5A5A5A5u) return WW_FORMAT;
    return WW_OK;
}
static void splits_that_fail(void **unused) {
    (void)unused;
    static const struct {
        ww_status status;
        const char *said;
    } wanted[] = {{WW_LIMIT, "ww_group_split: rank 0: keys_out has a capacity of 2 elements, and 3 come"},
                  {WW_RANGE, "ww_group_split: rank 1: "}};
    for (int kind = 0; kind < 2; kind++) {
        failing f = {.kind = kind};
        CASE("group split", "failing, kind=%d", kind);
        if (!case_wanted()) continue;
        group_do(3, fail_to_split, &f);
        for (uint32_t r = 0; r < 3; r++) {
            expect(f.status[r] == wanted[kind].status);
            expect(!strncmp(f.said[r], wanted[kind].said, strlen(wanted[kind].said)));
            expect(!strcmp(f.said[r], f.said[0]));
        }
        if (kind == 0) expect(f.came[0] == 3 && f.came[1] == 3 && f.came[2] == 1);
    }
}

/* ---- the first k ---- */

typedef struct choosing {
    double *keys;
    size_t n, k, first[RANKS_MOST + 1];
    uint32_t *values;
    bool has_values;
    ww_sort_options options;
    double *keys_out; /* k for each rank */
    uint32_t *values_out;
} choosing;

static ww_status choose(ww_group *group, void *context) {
    const choosing *c = context;
    const uint32_t r = ww_group_rank(group);
    const size_t at = c->first[r], n = c->first[r + 1] - at;
    return ww_group_top_k(group, ww_memory(c->keys + at, n), c->has_values ? ww_memory(c->values + at, n) : ww_no_input,
                          ww_array(c->keys_out + r * c->k, c->k),
                          c->has_values ? ww_array(c->values_out + r * c->k, c->k) : ww_none, &c->options);
}

static void was_chosen(uint32_t ranks, cut cut, size_t n, size_t k, bool values, bool descending, shape shape) {
    guarded keys = guarded_new(8 * n), numbers = guarded_new(4 * n), keys_out = guarded_new(8 * k * ranks);
    guarded values_out = guarded_new(4 * k * ranks);
    double *wanted = need(8 * k + 1);
    uint32_t *wanted_values = need(4 * k + 1);
    choosing c = {.n = n, .k = k, .has_values = values, .options = WW_SORT_OPTIONS};
    ww_device *cpu = open_cpu();
    c.options.descending = descending;
    c.keys = keys.data;
    c.values = numbers.data;
    c.keys_out = keys_out.data;
    c.values_out = values_out.data;
    fill(c.keys, &ww_type_double, 8, n, shape, seed_of_run() + n + k);
    for (size_t i = 0; i < n; i++) c.values[i] = (uint32_t)i;
    cut_blocks(cut, n, ranks, seed_of_run() + n, c.first);
    expect_status(cpu,
                  ww_top_k(cpu, ww_memory(c.keys, n), ww_memory(c.values, n), ww_array(wanted, k),
                           ww_array(wanted_values, k), &c.options),
                  WW_OK);
    ww_close(cpu);
    group_do(ranks, choose, &c);
    for (uint32_t r = 0; r < ranks; r++) {
        expect_elements(c.keys_out + r * k, wanted, k, 8);
        if (values) expect_elements(c.values_out + r * k, wanted_values, k, 4);
    }
    guarded *const all[] = {&keys, &numbers, &keys_out, &values_out};
    for (size_t i = 0; i < 4; i++) {
        guarded_check(all[i]);
        guarded_free(all[i]);
    }
    free(wanted);
    free(wanted_values);
}

static void first_ones(void **unused) {
    (void)unused;
    static const size_t sizes[] = {1, 10, 3000, 50000};
    const uint32_t *ranks;
    const size_t many = group_sizes(&ranks);
    uint64_t turn = 0;
    for (size_t g = 0; g < many; g++)
        for (size_t n = 0; n < 4; n++)
            for (int part = 0; part < 4; part++) {
                turn++;
                const cut c = (cut)(turn % CUTS);
                const size_t k = part == 0 ? 0 : part == 1 ? 1 : part == 2 ? sizes[n] / 3 : sizes[n];
                const shape shape = turn % 3 ? ADVERSARIAL : FEW;
                if (on_gpu() && (n != 2 || part % 3 != 1)) continue;
                CASE("group top k", "ranks=%u k=%zu n=%zu %s %s turn=%d", ranks[g], k, sizes[n], cut_name(c),
                     shape_name(shape), (int)turn);
                if (case_wanted()) was_chosen(ranks[g], c, sizes[n], k, turn % 2, turn % 5 < 2, shape);
            }
}

/* ---- matches ---- */

typedef struct finding {
    const uint8_t *text;
    size_t n, m, first[RANKS_MOST + 1], room;
    const uint8_t *pattern;
    uint64_t *positions; /* room for each rank */
    uint32_t count[RANKS_MOST];
    uint64_t all[RANKS_MOST];
} finding;

static ww_status find(ww_group *group, void *context) {
    finding *f = context;
    const uint32_t r = ww_group_rank(group);
    return ww_group_find(group, ww_memory(f->text + f->first[r], f->first[r + 1] - f->first[r]), f->pattern, f->m,
                         ww_array(f->positions + r * f->room, f->room), ww_array(&f->count[r], 1), &f->all[r], NULL);
}

static void was_found(uint32_t ranks, cut c, size_t n, size_t m, size_t room) {
    guarded text = guarded_new(n), pattern = guarded_in_host(m, 0), positions = guarded_new(8 * room * ranks);
    uint64_t *wanted = need(8 * n + 1), state = seed_of_run() + n + m, many = 0;
    finding f = {.text = text.data, .n = n, .m = m, .pattern = pattern.data, .positions = positions.data, .room = room};
    ww_device *cpu = open_cpu();
    /* few letters, so that there are matches; long patterns are of one letter but for one place, now and then */
    for (size_t i = 0; i < n; i++) ((uint8_t *)text.data)[i] = 'a' + (random_next(&state) % (m > 8 ? 300 : 2) == 0);
    memset(pattern.data, 'a', m);
    if (m > 1 && m <= 8) ((uint8_t *)pattern.data)[m / 2] = 'b';
    cut_blocks(c, n, ranks, seed_of_run() + n, f.first);
    expect_status(cpu, ww_find(cpu, ww_memory(f.text, n), f.pattern, m, ww_array(wanted, n), ww_array(&many, 1), NULL),
                  WW_OK);
    ww_close(cpu);
    group_do(ranks, find, &f);
    uint64_t next = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        uint64_t own = 0;
        for (uint64_t i = next; i < many && wanted[i] < f.first[r + 1]; i++) own++;
        expect(f.count[r] == own && f.all[r] == many);
        const size_t there = own < room ? (size_t)own : room;
        expect_elements(f.positions + r * room, wanted + next, there, 8);
        for (size_t i = there; i < room; i++) expect(f.positions[r * room + i] == 0xA5A5A5A5A5A5A5A5u);
        next += own;
    }
    guarded *const all[] = {&text, &pattern, &positions};
    for (size_t i = 0; i < 3; i++) {
        guarded_check(all[i]);
        guarded_free(all[i]);
    }
    free(wanted);
}

static void matches(void **unused) {
    (void)unused;
    static const size_t sizes[] = {0, 5, 40, 1000, 20000}, patterns[] = {1, 2, 5, 33, 600};
    const uint32_t *ranks;
    const size_t many = group_sizes(&ranks);
    uint64_t turn = 0;
    for (size_t g = 0; g < many; g++)
        for (size_t n = 0; n < 5; n++)
            for (size_t m = 0; m < 5; m++) {
                turn++;
                const cut c = (cut)(turn % CUTS);
                const size_t room = turn % 4 ? sizes[n] + 3 : sizes[n] / 20;
                if (on_gpu() && (n < 3 || (m != 2 && m != 3) || n % 2 != g % 2)) continue;
                CASE("group find", "ranks=%u n=%zu m=%zu room=%zu %s", ranks[g], sizes[n], patterns[m], room,
                     cut_name(c));
                if (case_wanted()) was_found(ranks[g], c, sizes[n], patterns[m], room);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(splits), cmocka_unit_test(splits_by_built_in),
                                       cmocka_unit_test(built_in_that_fail), cmocka_unit_test(splits_that_fail),
                                       cmocka_unit_test(first_ones), cmocka_unit_test(matches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
