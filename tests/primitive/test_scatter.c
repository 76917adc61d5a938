/* Scattering against a serial oracle: every policy, type and many record sizes, indices in every shape, good and
 * bad. The result may not depend on the number of threads, also for float sums; `any` has to leave one whole
 * element. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "function/types.h"
#include "reference/gather.h"
#include "reference/run.h"
#include "support/cases.h"
#include "support/traced.h"

static const size_t record_sizes[] = {1,  2,  3,  4,  5,  7,  8,   9,   12,  15,   16,   17,   24,   31,
                                      32, 33, 48, 63, 64, 65, 100, 128, 129, 1000, 4095, 4096, 4100, 20000};
enum { RECORDS = sizeof record_sizes / sizeof *record_sizes };

#define LISTED(T, label) &ww_type_##T,
static const ww_type *const types[] = {WW__EACH_NUMBER(LISTED)};
enum { TYPES = sizeof types / sizeof *types };

static const char *const policies[] = {"last", "any", "add", "min", "max", "unique"};
enum { POLICIES = sizeof policies / sizeof *policies };

typedef enum order { RANDOM, ALL_ONE, FORWARD, BACKWARD, SKEWED_TO_ONE, ORDERS } order; /* BACKWARD: one each */
static const char *const order_names[] = {"random", "all one", "forward", "backward", "skewed"};

static void fill_index(uint64_t *index, size_t n, size_t count, order o, uint64_t seed) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = random_next(&seed);
        index[i] = (o == RANDOM     ? r
                    : o == ALL_ONE  ? count / 3
                    : o == FORWARD  ? i
                    : o == BACKWARD ? n - 1 - i
                    : r % 3         ? 5
                                    : r) %
                   count;
    }
}

static ww_input index_input(const uint64_t *index, size_t n, bool wide, uint32_t **narrow) {
    *narrow = NULL;
    if (wide) return ww_memory(index, n);
    *narrow = need(n * sizeof **narrow);
    for (size_t i = 0; i < n; i++) (*narrow)[i] = (uint32_t)index[i];
    return ww_memory(*narrow, n);
}

/* Which NaN a sum gives is not promised. */
static void settle_nans(void *data, const ww_type *type, size_t n) {
#define SETTLE(T, label) \
    if (type == &ww_type_##T) \
        for (size_t i = 0; i < n; i++) \
            if (isnan(((T *)data)[i])) ((T *)data)[i] = (T)NAN;
    WW__EACH_FLOAT(SETTLE)
}

/* Under `any` each place holds, whole, an element whose index names it, or what was there before. */
static void expect_one_whole(const unsigned char *got, const unsigned char *before, const unsigned char *in,
                             const uint64_t *index, size_t n, size_t count, size_t size) {
    unsigned char *seen = need(count);
    memset(seen, 0, count); /* 1: named by an index, 2: holds such an element */
    for (size_t i = 0; i < n; i++) {
        if (index[i] >= count) continue;
        seen[index[i]] |= 1;
        if (!memcmp(got + index[i] * size, in + i * size, size)) seen[index[i]] |= 2;
    }
    for (size_t p = 0; p < count; p++)
        expect(seen[p] ? seen[p] == 3 : !memcmp(got + p * size, before + p * size, size));
    free(seen);
}

static bool are_unique(const uint64_t *index, size_t n, size_t count) {
    unsigned char *seen = need(count);
    bool unique = true;
    memset(seen, 0, count);
    for (size_t i = 0; i < n; i++)
        if (index[i] < count && seen[index[i]]++) unique = false;
    free(seen);
    return unique;
}

/* A broken promise of `unique`: every byte of a place that is named is the byte of an element that goes there. */
static void expect_only_named_written(const unsigned char *got, const unsigned char *before, const unsigned char *in,
                                      const uint64_t *index, size_t n, size_t count, size_t size) {
    unsigned char *found = need(count * size), *named = need(count);
    memset(found, 0, count * size);
    memset(named, 0, count);
    for (size_t i = 0; i < n; i++) {
        if (index[i] >= count) continue;
        named[index[i]] = 1;
        for (size_t b = 0; b < size; b++) found[index[i] * size + b] |= got[index[i] * size + b] == in[i * size + b];
    }
    for (size_t p = 0; p < count; p++)
        for (size_t b = 0; b < size; b++)
            expect(named[p] ? found[p * size + b] : got[p * size + b] == before[p * size + b]);
    free(found);
    free(named);
}

/* A GPU finds bad indices while it works: the next ww_sync says so. */
static ww_status finished(ww_device *device, ww_status status) {
    return on_gpu() && !status ? ww_sync(device) : status;
}

/* The sums of a GPU, which adds in any order: within the error that additions can have, of `add`s per place. Where the sizes
 * add up to more than there are floats one order may overflow and another not: anything goes. */
#define EXPECT_SUMS(T, label, EPSILON, MOST, LEAST) \
    static void expect_sums_##label(const T *got, const T *before, const T *in, const uint64_t *index, size_t n, \
                                    size_t count) { \
        double *sum = need(count * sizeof *sum), *sizes = need(count * sizeof *sizes), \
               *adds = need(count * sizeof *adds); \
        for (size_t p = 0; p < count; p++) { \
            sum[p] = before[p]; \
            sizes[p] = isfinite(before[p]) ? fabs((double)before[p]) : 0; \
            adds[p] = 0; \
        } \
        for (size_t i = 0; i < n; i++) { \
            if (index[i] >= count) continue; \
            sum[index[i]] += in[i]; \
            sizes[index[i]] += isfinite(in[i]) ? fabs((double)in[i]) : 0; \
            adds[index[i]]++; \
        } \
        for (size_t p = 0; p < count; p++) { \
            if (adds[p] == 0) { \
                expect(!memcmp(&got[p], &before[p], sizeof *got)); \
            } else if (!(sizes[p] > (MOST) / 2)) { \
                const double off = fabs((double)got[p] - sum[p]), \
                             bound = 2 * adds[p] * (sizes[p] * (EPSILON) + (LEAST)); \
                expect(isnan(sum[p]) ? isnan(got[p]) : isinf(sum[p]) ? (double)got[p] == sum[p] : off <= bound); \
            } \
        } \
        free(sum); \
        free(sizes); \
        free(adds); \
    }
EXPECT_SUMS(float, f32, FLT_EPSILON, FLT_MAX, FLT_MIN)
EXPECT_SUMS(double, f64, DBL_EPSILON, DBL_MAX, 0)

static void check_scatter(ww_device *device, const char *setting, const ww_type *type, size_t size, size_t n,
                          size_t count, order o, shape s, bool wide, ww_conflict conflict, size_t bad) {
    CASE("scatter", "%s %s %s size=%zu n=%zu to=%zu %s %s u%d bad=%zu", setting, policies[conflict], type->label, size,
         n, count, order_names[o], shape_name(s), wide ? 64 : 32, bad);
    if (!case_wanted() || (on_emulator() && n * size > 2000000)) return;
    unsigned char *in = need(n * size), *before = need(count * size), *wanted = need(count * size);
    uint64_t *index = need(n * sizeof *index), state = seed_of_run();
    fill(in, type, size, n, s, seed_of_run());
    fill(before, type, size, count, s, seed_of_run() + 1);
    fill_index(index, n, count, o, seed_of_run() + n);
    size_t lowest = SIZE_MAX;
    for (size_t b = 0; b < bad; b++) {
        const size_t at = (size_t)(random_next(&state) % n);
        index[at] = b % 2 ? (wide ? UINT64_MAX : UINT32_MAX) : count;
        if (at < lowest) lowest = at;
    }
    uint32_t *narrow;
    const ww_input at = index_input(index, n, wide, &narrow);
    guarded out = guarded_new(count * size);
    memcpy(out.data, before, count * size);
    const ww_array to = {out.data, count, type, size, NULL, 0};
    const ww_input from = type == &ww_type_record ? ww_record_memory(in, n, size) : ww_memory_of(in, n, type);
    expect_status(device, finished(device, ww_scatter(device, from, at, to, ww_scatter_by(conflict))),
                  bad ? WW_RANGE : WW_OK);
    if (bad) {
        char place[64];
        snprintf(place, sizeof place, "index[%zu] is %llu", lowest, (unsigned long long)index[lowest]);
        expect_sentence(device, on_gpu() ? "ww_scatter (queued): " : "ww_scatter: ", place);
    }
    if (conflict == WW_CONFLICT_UNIQUE && !are_unique(index, n, count)) {
        expect_only_named_written(out.data, before, in, index, n, count, size);
    } else if (conflict == WW_CONFLICT_ANY || conflict == WW_CONFLICT_UNIQUE) {
        expect_one_whole(out.data, before, in, index, n, count, size);
    } else if (on_gpu() && conflict == WW_CONFLICT_ADD && type == &ww_type_float) {
        expect_sums_f32(out.data, (const void *)before, (const void *)in, index, n, count);
    } else if (on_gpu() && conflict == WW_CONFLICT_ADD && type == &ww_type_double) {
        expect_sums_f64(out.data, (const void *)before, (const void *)in, index, n, count);
    } else {
        memcpy(wanted, before, count * size);
        reference_scatter(in, type, size, index, n, wanted, count, conflict);
        settle_nans(wanted, type, count);
        settle_nans(out.data, type, count);
        expect_elements(out.data, wanted, count, size);
    }
    guarded_check(&out);
    guarded_free(&out);
    free(narrow);
    free(index);
    free(wanted);
    free(before);
    free(in);
}

static void types_and_policies(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TYPES; t++) {
            if (left_to_gpus(t + 1) && types[t]->size != 16) continue;
            size_t sizes;
            const size_t *n = sizes_of(types[t]->size, &sizes);
            /* On the emulator, whose compiler takes long, a policy has indices of one width for a type. */
            for (size_t i = 0; i < sizes; i++) {
                const size_t policy = (i + 2 * t + s) % POLICIES;
                check_scatter(device, setting_name(s), types[t], types[t]->size, n[i], 1 + (i + t) * 997 % 30000,
                              (order)((i + t) % ORDERS), (shape)((i + s) % SHAPES),
                              ((on_emulator() ? policy : i + s) + t) % 2, (ww_conflict)policy,
                              n[i] && i % 4 == 0 ? i : 0);
            }
            for (size_t k = 0; k < POLICIES * SHAPES; k++)
                check_scatter(device, setting_name(s), types[t], types[t]->size, 9000, 1 + 1000 * (k % 4),
                              (order)(k % ORDERS), (shape)(k % SHAPES), (on_emulator() ? k % POLICIES + t : k) % 2,
                              (ww_conflict)(k % POLICIES), 0);
        }
        ww_close(device);
    }
}

/* The least and the greatest of signed and unsigned numbers that share a word of 32 bits with their neighbours, and of floats
 * with NaNs and zeros of both signs: lanes that go to a place alone, and many that go to one. */
static void extremes(void **state) {
    (void)state;
    static const ww_type *const of[] = {&ww_type_int8_t,   &ww_type_uint8_t, &ww_type_int16_t,
                                        &ww_type_uint16_t, &ww_type_float,   &ww_type_double};
    static const size_t counts[] = {1, 7, 3000};
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < sizeof of / sizeof *of; t++)
            for (ww_conflict c = WW_CONFLICT_MIN; c <= WW_CONFLICT_MAX; c++)
                for (size_t k = 0; k < 2 * sizeof counts / sizeof *counts; k++)
                    check_scatter(device, setting_name(s), of[t], of[t]->size, 2000 + t, counts[k / 2],
                                  k % 4 == 1 ? SKEWED_TO_ONE : RANDOM, k % 2 ? ADVERSARIAL : UNIFORM, true, c, 0);
        ww_close(device);
    }
}

static void add_f32(void *r, const void *a, const void *b) { *(float *)r = *(const float *)a + *(const float *)b; }
static void add_f64(void *r, const void *a, const void *b) { *(double *)r = *(const double *)a + *(const double *)b; }

/* Elements by their index, in the order of their positions, summed in the brackets of reduction by key; then added once. */
static void sum_in_order(unsigned char *wanted, const unsigned char *in, const uint64_t *index, size_t n, size_t count,
                         size_t size) {
    unsigned char *sorted = need(n * size), *sum = need(size);
    size_t *end = need((count + 1) * sizeof *end);
    reference_combine *const add = size == 4 ? add_f32 : add_f64;
    memset(end, 0, (count + 1) * sizeof *end);
    for (size_t i = 0; i < n; i++) end[index[i] + 1]++;
    for (size_t p = 0; p < count; p++) end[p + 1] += end[p];
    for (size_t i = 0; i < n; i++) memcpy(sorted + end[index[i]]++ * size, in + i * size, size);
    for (size_t p = 0; p < count; p++) {
        const size_t begin = p ? end[p - 1] : 0;
        if (begin == end[p]) continue;
        reference_reduce_run(sum, sorted, begin, end[p], sizeof(uint32_t), size, true, add);
        add(wanted + p * size, wanted + p * size, sum);
    }
    free(sorted);
    free(sum);
    free(end);
}

/* The bytes that the documentation has, in every order of blocks. */
static void check_in_order(ww_device *device, const char *setting, const ww_type *type, size_t n, size_t count,
                           order o) {
    CASE("scatter in order", "%s %s n=%zu to=%zu %s", setting, type->label, n, count, order_names[o]);
    if (!case_wanted()) return;
    const size_t size = type->size;
    unsigned char *in = need(n * size), *wanted = need(count * size);
    uint64_t *index = need(n * sizeof *index);
    uint32_t *narrow;
    fill(in, type, size, n, UNIFORM, seed_of_run());
    fill(wanted, type, size, count, UNIFORM, seed_of_run() + 1);
    fill_index(index, n, count, o, seed_of_run() + n);
    guarded out = guarded_new(count * size);
    memcpy(out.data, wanted, count * size);
    expect_status(device,
                  finished(device, ww_scatter(device, ww_memory_of(in, n, type), index_input(index, n, false, &narrow),
                                              ww_array_of(out.data, count, type), ww_scatter_by(WW_CONFLICT_ADD))),
                  WW_OK);
    sum_in_order(wanted, in, index, n, count, size);
    expect_elements(out.data, wanted, count, size);
    guarded_check(&out);
    guarded_free(&out);
    free(in);
    free(wanted);
    free(index);
    free(narrow);
}

static void deterministic(void **state) {
    (void)state;
    static const ww_type *const of[] = {&ww_type_float, &ww_type_double};
    static const size_t counts[] = {1, 7, 3000, 40000};
    if (!on_gpu()) return; /* a CPU adds elements to their places one by one */
    for (size_t s = 0; s < setting_count_short(); s++) {
        setenv("WARPWISE_DETERMINISTIC", "1", 1);
        ww_device *device = setting_open(s);
        unsetenv("WARPWISE_DETERMINISTIC");
        for (size_t t = 0; t < sizeof of / sizeof *of; t++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                check_in_order(device, setting_name(s), of[t], 30011, counts[c], RANDOM);
                check_in_order(device, setting_name(s), of[t], 1 + 5 * c, counts[c], SKEWED_TO_ONE);
            }
        check_scatter(device, setting_name(s), &ww_type_float, 4, 9000, 500, RANDOM, UNIFORM, false, WW_CONFLICT_ADD,
                      3);
        check_scatter(device, setting_name(s), &ww_type_uint32_t, 4, 9000, 500, RANDOM, UNIFORM, false, WW_CONFLICT_ADD,
                      0);
        ww_close(device);
    }
}

static void records(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t r = 0; r < RECORDS; r++) {
            if (left_to_gpus(r)) continue;
            const size_t size = record_sizes[r], many = (on_emulator() ? 40000 : 400000) / size + 3;
            static const ww_conflict for_records[] = {WW_CONFLICT_LAST, WW_CONFLICT_ANY, WW_CONFLICT_UNIQUE};
            check_scatter(device, setting_name(s), &ww_type_record, size, many, many, BACKWARD, UNIFORM, r % 2,
                          WW_CONFLICT_UNIQUE, 0);
            check_scatter(device, setting_name(s), &ww_type_record, size, many, many + 5, FORWARD, UNIFORM, r % 2,
                          WW_CONFLICT_UNIQUE, 3);
            for (size_t p = 0; p < sizeof for_records / sizeof *for_records; p++) {
                const ww_conflict c = for_records[p];
                check_scatter(device, setting_name(s), &ww_type_record, size, many, many / 2 + 1, RANDOM, UNIFORM,
                              r % 2, c, 0);
                check_scatter(device, setting_name(s), &ww_type_record, size, many, 7, (order)(r % ORDERS), UNIFORM,
                              (r + 1) % 2, c, 2);
                check_scatter(device, setting_name(s), &ww_type_record, size, 50, 100, RANDOM, UNIFORM, r % 2, c,
                              r % 3);
            }
        }
        ww_close(device);
    }
}

static void large(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        for (size_t c = 0; c < POLICIES; c++)
            check_scatter(device, setting_name(s), &ww_type_float, 4, size_large(), size_large() / 2, RANDOM, UNIFORM,
                          s % 2, (ww_conflict)c, c % 2);
        check_scatter(device, setting_name(s), &ww_type_uint64_t, 8, size_large(), 1, ALL_ONE, UNIFORM, s % 2,
                      WW_CONFLICT_ADD, 0);
        for (ww_conflict c = WW_CONFLICT_ADD; c <= WW_CONFLICT_MAX; c++) {
            check_scatter(device, setting_name(s), &ww_type_ww_u128, 16, size_large(), 1, ALL_ONE, UNIFORM, s % 2, c,
                          0);
            check_scatter(device, setting_name(s), &ww_type_ww_u128, 16, size_large(), 7, RANDOM, FEW, s % 2, c, 0);
            check_scatter(device, setting_name(s), &ww_type_ww_i128, 16, size_large(), 9, RANDOM, UNIFORM, s % 2, c, 0);
            check_scatter(device, setting_name(s), &ww_type_double, 8, size_large(), 1, ALL_ONE, UNIFORM, s % 2, c, 0);
        }
        ww_close(device);
    }
}

/* Records whose address is not aligned for one store each. */
static void unaligned(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        CASE("scatter", "%s any unaligned", setting_name(s));
        enum { N = 200000, COUNT = 1000 };
        unsigned char *in = need(8 * N), *to = need(8 * COUNT + 1), *before = need(8 * COUNT);
        uint64_t *index = need(N * sizeof *index);
        fill(in, &ww_type_record, 8, N, UNIFORM, 3);
        memset(to, 0, 8 * COUNT + 1);
        memset(before, 0, 8 * COUNT);
        fill_index(index, N, COUNT, RANDOM, 4);
        expect_status(device,
                      ww_scatter(device, ww_record_memory(in, N, 8), ww_memory(index, N), ww_records(to + 1, COUNT, 8),
                                 ww_scatter_by(WW_CONFLICT_ANY)),
                      WW_OK);
        expect_one_whole(to + 1, before, in, index, N, COUNT, 8);
        free(index);
        free(before);
        free(to);
        free(in);
        ww_close(device);
    }
}

WW_MAP(backwards, uint64_t, uint64_t, i, uint64_t, last, { return *last - i; });

static void computed(void **state) {
    enum { N = 150000 };
    uint64_t *to = need(N * sizeof *to), last = N - 1;
    const uint64_t three = 3;
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        const ww_input counting = ww_counting(&ww_type_uint64_t, 0, N),
                       index = ww_mapped(ww_with(backwards, &last), counting);
        CASE("scatter", "%s computed inputs", setting_name(s));
        for (ww_conflict c = WW_CONFLICT_LAST; c <= WW_CONFLICT_UNIQUE; c++) {
            for (size_t i = 0; i < N; i++) to[i] = c == WW_CONFLICT_MIN ? UINT64_MAX : 0;
            expect_status(device, ww_scatter(device, counting, index, ww_array(to, N), ww_scatter_by(c)), WW_OK);
            for (size_t i = 0; i < N; i++) expect(to[i] == N - 1 - i);
        }
        to[0] = 1;
        expect_status(device,
                      ww_scatter(device, ww_constant(ww_value(uint64_t, three), N),
                                 ww_constant(ww_value(uint64_t, 0), N), ww_array(to, N),
                                 ww_scatter_by(WW_CONFLICT_ADD)),
                      WW_OK);
        expect(to[0] == 3 * N + 1);
        expect_status(
            device,
            finished(device, ww_scatter(device, counting, index, ww_array(to, N - 2), ww_scatter_by(WW_CONFLICT_LAST))),
            WW_RANGE);
        expect_sentence(device, "index[0] is 149999", "149998 elements");
        ww_close(device);
    }
    free(to);
}

/* Numbers of 128 bits that differ in one half only, whose places take several values of the other. */
static void halves(void **state) {
    enum { N = 5000, COUNT = 3 };
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        uint64_t *in = need(2 * N * sizeof *in), *index = need(N * sizeof *index), *to = need(2 * COUNT * sizeof *to);
        uint64_t wanted[2 * COUNT], seed = seed_of_run();
        for (size_t round = 0; round < 12; round++) {
            const ww_conflict c = round % 2 ? WW_CONFLICT_MIN : WW_CONFLICT_MAX;
            CASE("scatter", "%s %s of halves, round %zu", setting_name(s), policies[c], round);
            if (!case_wanted()) continue;
            for (size_t i = 0; i < 2 * N; i++) in[i] = random_next(&seed) >> ((i + round) % 2 ? 62 : 4 * round);
            for (size_t i = 0; i < 2 * COUNT; i++) to[i] = wanted[i] = random_next(&seed) >> 62;
            fill_index(index, N, COUNT, (order)(round % ORDERS), seed_of_run());
            reference_scatter(in, &ww_type_ww_u128, 16, index, N, wanted, COUNT, c);
            expect_status(
                device,
                finished(device, ww_scatter(device, ww_memory_of(in, N, &ww_type_ww_u128), ww_memory(index, N),
                                            ww_array_of(to, COUNT, &ww_type_ww_u128), ww_scatter_by(c))),
                WW_OK);
            expect_elements(to, wanted, COUNT, 16);
        }
        free(in);
        free(index);
        free(to);
        ww_close(device);
    }
}

/* Sums of floats that are exact come out exactly, in whatever order they are made. */
static void exact_sums(void **state) {
    enum { N = 20000, COUNT = 17 };
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        float *in = need(N * sizeof *in), *to = need(COUNT * sizeof *to);
        uint64_t *index = need(N * sizeof *index), wanted[COUNT];
        for (size_t o = 0; o < ORDERS; o++) {
            CASE("scatter", "%s exact sums of floats, %s", setting_name(s), order_names[o]);
            if (!case_wanted()) continue;
            fill_index(index, N, COUNT, (order)o, seed_of_run());
            for (size_t p = 0; p < COUNT; p++) to[p] = (float)(wanted[p] = p);
            for (size_t i = 0; i < N; i++) {
                in[i] = (float)(i % 100);
                wanted[index[i]] += i % 100;
            }
            expect_status(device,
                          finished(device, ww_scatter(device, ww_memory(in, N), ww_memory(index, N),
                                                      ww_array(to, COUNT), ww_scatter_by(WW_CONFLICT_ADD))),
                          WW_OK);
            for (size_t p = 0; p < COUNT; p++) expect(to[p] == (float)wanted[p]);
        }
        free(in);
        free(to);
        free(index);
        ww_close(device);
    }
}

/* Standard error of one traced call. */
static void trace_of(ww_conflict conflict, const ww_type *type, size_t size, char *text, size_t room, size_t *scratch) {
    enum { N = 1000 };
    ww_device *device = traced_open();
    unsigned char *in = need(N * size), *to = need(N * size);
    memset(in, 0, N * size);
    memset(to, 0, N * size);
    const ww_input from = type == &ww_type_record ? ww_record_memory(in, N, size) : ww_memory_of(in, N, type);
    traced t = traced_begin();
    const ww_status status = ww_scatter(device, from, ww_counting(&ww_type_uint32_t, 0, N),
                                        (ww_array){to, N, type, size, NULL, 0}, ww_scatter_by(conflict));
    traced_end(&t, text, room);
    expect_status(device, status, WW_OK);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    *scratch = info.scratch_peak;
    free(in);
    free(to);
    ww_close(device);
}

/* Which kernels run, and whether anything is noted of places: `unique` notes nothing. */
static void policies_run_their_own_code(void **state) {
    static const struct {
        ww_conflict conflict;
        const ww_type *type;
        size_t size;
        const char *first, *second; /* kernels, in this order; second: NULL if there is one */
        bool notes;
    } rows[] = {
        {WW_CONFLICT_UNIQUE, &ww_type_uint32_t, 4, "scatter", NULL, false},
        {WW_CONFLICT_UNIQUE, &ww_type_record, 12, "move_records", NULL, false},
        {WW_CONFLICT_UNIQUE, &ww_type_record, 16, "scatter", NULL, false},
        {WW_CONFLICT_UNIQUE, &ww_type_record, 128, "move_records", NULL, false},
        {WW_CONFLICT_ANY, &ww_type_record, 128, "move_records", NULL, true},
        {WW_CONFLICT_LAST, &ww_type_record, 128, "mark", "move_records", true},
        {WW_CONFLICT_ADD, &ww_type_float, 4, "scatter", NULL, false},
        {WW_CONFLICT_ADD, &ww_type_ww_u128, 16, "scatter", NULL, false},
        {WW_CONFLICT_MIN, &ww_type_ww_u128, 16, "scatter_high", "scatter_low", false},
        {WW_CONFLICT_MAX, &ww_type_ww_u128, 16, "scatter_high", "scatter_low", false},
        {WW_CONFLICT_ADD, &ww_type_ww_i128, 16, "scatter", NULL, false},
        {WW_CONFLICT_MIN, &ww_type_ww_i128, 16, "scatter_high", "scatter_low", false},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char text[2048];
        size_t scratch;
        CASE("scatter trace", "%s %s size=%zu", policies[rows[r].conflict], rows[r].type->label, rows[r].size);
        trace_of(rows[r].conflict, rows[r].type, rows[r].size, text, sizeof text, &scratch);
        if (!on_gpu()) {
            char method[32];
            snprintf(method, sizeof method, "method=%s ", policies[rows[r].conflict]);
            expect(strstr(text, method) != NULL);
            continue;
        }
        expect_launches(text, rows[r].first, rows[r].second);
        expect((scratch > 0) == rows[r].notes);
    }
}

static void scratch(void **state) {
    (void)state;
    if (left_out_on_gpu("the bound of the CPU")) return;
    for (size_t r = 0; r < RECORDS; r++) {
        ww_device *device = setting_open(0);
        const size_t size = record_sizes[r], n = ((size_t)1 << 21) / size + 1;
        ww_device_info info = WW_DEVICE_INFO;
        CASE("scratch", "scatter size=%zu", size);
        unsigned char *in = need(n * size), *to = need(10 * size);
        uint64_t last = 9;
        memset(in, 1, n * size);
        for (ww_conflict c = WW_CONFLICT_LAST; c <= WW_CONFLICT_ANY; c++)
            expect_status(device,
                          ww_scatter(device, ww_record_memory(in, n, size), ww_constant(ww_value(uint64_t, last), n),
                                     ww_records(to, 10, size), ww_scatter_by(c)),
                          WW_OK);
        ww_device_info_get(device, &info);
        expect(info.scratch_peak <= 65536 + 65536 * (size_t)info.threads);
        free(in);
        free(to);
        ww_close(device);
    }
}

static void refused(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    ww_device *device = setting_open(0);
    uint32_t x[8] = {0}, to[8], index[8] = {0};
    memset(to, 0x5A, sizeof to);
    const ww_array a = ww_array(to, 8);
    const ww_input in = ww_memory(x, 8), at = ww_memory(index, 8);
    CASE("refused", "scatter");
#define REFUSED(status, call, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
        for (size_t i = 0; i < 8; i++) expect(to[i] == 0x5A5A5A5A); \
    } while (0)
    REFUSED(WW_INVALID, ww_scatter(device, ww_no_input, at, a, ww_scatter_by(WW_CONFLICT_LAST)), "ww_scatter: in");
    REFUSED(WW_INVALID, ww_scatter(device, in, ww_no_input, a, ww_scatter_by(WW_CONFLICT_LAST)), "index");
    REFUSED(WW_INVALID, ww_scatter(device, in, at, ww_none, ww_scatter_by(WW_CONFLICT_LAST)), "out is missing");
    REFUSED(WW_INVALID, ww_scatter(device, in, ww_memory(index, 7), a, ww_scatter_by(WW_CONFLICT_LAST)), "8", "7");
    REFUSED(WW_INVALID, ww_scatter(device, in, at, a, ww_scatter_by((ww_conflict)6)), "conflict is 6");
    REFUSED(WW_TYPE, ww_scatter(device, in, ww_memory((float *)(void *)index, 8), a, ww_scatter_by(WW_CONFLICT_LAST)),
            "f32");
    REFUSED(WW_TYPE, ww_scatter(device, ww_memory((float *)(void *)x, 8), at, a, ww_scatter_by(WW_CONFLICT_LAST)),
            "f32", "u32");
    REFUSED(WW_TYPE,
            ww_scatter(device, ww_record_memory(x, 8, 4), at, ww_records(to, 8, 4), ww_scatter_by(WW_CONFLICT_ADD)),
            "rec");
    REFUSED(WW_OVERLAP, ww_scatter(device, in, ww_memory(to, 8), a, ww_scatter_by(WW_CONFLICT_ANY)), "out");
    REFUSED(WW_OVERLAP,
            ww_scatter(device, ww_memory(to + 1, 7), ww_memory(index, 7), a, ww_scatter_by(WW_CONFLICT_ANY)), "in");
    ww_scatter_options options = WW_SCATTER_OPTIONS;
    options.reserved = 1;
    REFUSED(WW_INVALID, ww_scatter(device, in, at, a, &options), "options that this version does not have are set");
    options.size = 1;
    REFUSED(WW_INVALID, ww_scatter(device, in, at, a, &options), "WW_SCATTER_OPTIONS");
    REFUSED(WW_RANGE, ww_scatter(device, in, at, ww_array(to, 0), ww_scatter_by(WW_CONFLICT_ANY)), "index[0] is 0");
    expect(ww_scatter(NULL, in, at, a, ww_scatter_by(WW_CONFLICT_ANY)) == WW_INVALID);
    expect_status(device, ww_scatter(device, ww_memory(x, 0), ww_memory(index, 0), a, ww_scatter_by(WW_CONFLICT_LAST)),
                  WW_OK);
    ww_close(device);
}

/* On a GPU, behind a call that found bad data and has not said it yet, scatters write nothing and find nothing: the report stays
 * that of the first call, though what is bad in the later ones stands lower. */
static void behind_bad_data(void **state) {
    enum { N = 3000 };
    static const ww_conflict conflicts[] = {WW_CONFLICT_LAST, WW_CONFLICT_UNIQUE, WW_CONFLICT_ADD, WW_CONFLICT_MIN,
                                            WW_CONFLICT_MAX};
    (void)state;
    if (!on_gpu()) {
        left_out("a CPU's calls are not queued");
        return;
    }
    ww_device *device = setting_open(0);
    uint32_t *x = need(N * sizeof *x), *index = need(N * sizeof *index), *bad = need(N * sizeof *bad),
             *low = need(N * sizeof *low);
    for (uint32_t i = 0; i < N; i++) {
        x[i] = i + 7;
        index[i] = i;
        bad[i] = i == 17 ? N + 17 : i;
        low[i] = i == 5 ? N + 5 : i;
    }
    for (size_t c = 0; c < sizeof conflicts / sizeof *conflicts; c++) {
        CASE("scatter", "%s behind bad data, conflict=%d", setting_name(0), (int)conflicts[c]);
        if (!case_wanted()) continue;
        guarded first = guarded_new(N * sizeof *x), second = guarded_new(N * sizeof *x);
        const ww_array to = ww_array((uint32_t *)second.data, N);
        uint32_t *poison = need(N * sizeof *x);
        memcpy(poison, second.data, second.bytes);
        expect(!ww_gather(device, ww_memory(x, N), ww_memory(bad, N), ww_array((uint32_t *)first.data, N)));
        expect(!ww_scatter(device, ww_memory(x, N), ww_memory(index, N), to, ww_scatter_by(conflicts[c])));
        expect(!ww_scatter(device, ww_memory(x, N), ww_memory(low, N), to, ww_scatter_by(conflicts[c])));
        expect_status(device, ww_sync(device), WW_RANGE);
        expect_sentence(device, "ww_gather (queued): index[17] is 3017, and there are 3000 elements");
        expect_bytes(second.data, poison, second.bytes);
        guarded_check(&second);
        guarded_free(&first), guarded_free(&second);
        free(poison);
    }
    free(x), free(index), free(bad), free(low);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_and_policies),
        cmocka_unit_test(extremes),
        cmocka_unit_test(deterministic),
        cmocka_unit_test(records),
        cmocka_unit_test(large),
        cmocka_unit_test(unaligned),
        cmocka_unit_test(computed),
        cmocka_unit_test(halves),
        cmocka_unit_test(exact_sums),
        cmocka_unit_test(policies_run_their_own_code),
        cmocka_unit_test(scratch),
        cmocka_unit_test(refused),
        cmocka_unit_test(behind_bad_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
