/* ww_sort_segments against a serial merge sort of each segment: lengths of many kinds, every key type, values, orders, bit
 * ranges, in place and not. */
#include <stdio.h>

#include "sort/arrays.h"
#include "sort/orders.h"
#include "support/traced.h"

static const size_t value_sizes[] = {4, 0, 8, 1, 16, 2, 3, 0, 24};
enum { VALUE_SIZES = sizeof value_sizes / sizeof *value_sizes };

/* ---- lengths ---- */

typedef enum lengths { MIXED, EMPTY_AND_ONE, AROUND_POWERS, ONE, POWER_LAW, LENGTHS } lengths;
static const char *const lengths_name[] = {"mixed", "empty-and-one", "around-powers", "one", "power-law"};

static uint64_t length_of(lengths l, size_t number, uint64_t *random, uint64_t n) {
    const uint64_t r = random_next(random);
    switch (l) {
    case MIXED:
        return r % 5 ? r >> 8 & 63 : r >> 8 & 511;
    case EMPTY_AND_ONE:
        return r % 2;
    case AROUND_POWERS: /* 0, 1, 2, 1, 2, 3, 3, 4, 5, 7, 8, 9, … up to 2^15 */
        return ((uint64_t)1 << number / 3 % 16) + number % 3 - 1;
    case ONE:
        return n;
    default: { /* half of them at least 8, a quarter at least 16, … */
        unsigned doubled = 0;
        while (doubled < 12 && r >> (20 + doubled) & 1) doubled++;
        return ((8 + r % 8) << doubled) / 2;
    }
    }
}

/* Cuts n keys into segments, of which the first begins a little behind the first key, and the last ends before the last one. */
static size_t cut(lengths l, size_t n, uint32_t *offsets, size_t most) {
    uint64_t random = seed_of_run() + n, at = n / 100;
    const uint64_t end = n - n / 90;
    size_t segments = 0;
    offsets[0] = (uint32_t)at;
    while (at < end && segments < most) {
        const uint64_t length = length_of(l, segments, &random, n);
        at = end - at < length ? end : at + length;
        offsets[++segments] = (uint32_t)at;
    }
    return segments;
}

/* ---- a case ---- */

typedef struct sorted {
    reference_order order;
    size_t n, key_size, value_size, segments;
    uint32_t *offsets;
    unsigned char *keys, *values, *keys_wanted, *values_wanted;
} sorted;

static void sort_by_positions(sorted *c, size_t begin, size_t n, uint32_t *positions) {
    reference_sort_positions(c->order, c->keys + begin * c->key_size, n, positions);
    for (size_t i = 0; i < n; i++) {
        const size_t from = begin + positions[i];
        memcpy(c->keys_wanted + (begin + i) * c->key_size, c->keys + from * c->key_size, c->key_size);
        memcpy(c->values_wanted + (begin + i) * c->value_size, c->values + from * c->value_size, c->value_size);
    }
}

static sorted sorted_room(reference_order order, size_t n, size_t value_size) {
    sorted c = {.order = order, .n = n, .key_size = order.type->size, .value_size = value_size};
    c.keys = need(n * c.key_size + 1), c.keys_wanted = need(n * c.key_size + 1);
    c.values = need(n * value_size + 1), c.values_wanted = need(n * value_size + 1);
    c.offsets = need((n + 101) * sizeof *c.offsets);
    return c;
}

/* Values, and what is wanted, where keys and offsets are there. */
static void sorted_want(sorted *c) {
    uint32_t *positions = need(c->n * sizeof *positions + 1);
    fill(c->values, &ww_type_record, c->value_size, c->n, UNIFORM, seed_of_run() + 1);
    memcpy(c->keys_wanted, c->keys, c->n * c->key_size);
    memcpy(c->values_wanted, c->values, c->n * c->value_size);
    for (size_t i = 0; i < c->segments; i++)
        sort_by_positions(c, c->offsets[i], c->offsets[i + 1] - c->offsets[i], positions);
    free(positions);
}

static sorted sorted_new(reference_order order, size_t n, size_t value_size, lengths l, shape s) {
    sorted c = sorted_room(order, n, value_size);
    fill(c.keys, order.type, c.key_size, n, s, seed_of_run() + n);
    c.segments = cut(l, n, c.offsets, n + 100);
    sorted_want(&c);
    return c;
}

static void sorted_free(sorted *c) {
    free(c->keys), free(c->values), free(c->keys_wanted), free(c->values_wanted), free(c->offsets);
}

static size_t scratch_bound(const sorted *c, size_t threads) {
    const bool moved = !(c->value_size & (c->value_size - 1)) && c->value_size <= 16;
    const size_t copy = c->n * (c->key_size + c->value_size + (moved ? 0 : 8));
    if (!on_gpu()) return copy + threads * ((size_t)2 << 20) + ((size_t)1 << 20);
    return copy + c->n + 4 * c->segments + ((size_t)1 << 16);
}

static void check_sorted(ww_device *device, const sorted *c, bool in_place) {
    const ww_sort_options o = options_of(c->order);
    sort_arrays a = sort_arrays_new(c->order.type, c->keys, c->values, c->n, c->value_size, in_place);
    ww_scratch_trim(device);
    expect_status(device,
                  ww_sort_segments(device, a.keys_in, a.values_in, ww_memory(c->offsets, c->segments + 1), a.keys_out,
                                   a.values_out, &o),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    sort_arrays_end(&a, c->keys_wanted, c->values_wanted);
    ww_device_info info = WW_DEVICE_INFO;
    expect_status(device, ww_device_info_get(device, &info), WW_OK);
    expect(info.scratch_peak <= scratch_bound(c, info.threads));
}

/* ---- tables ---- */

/* Keys are made and sorted when the first case is wanted: short tests leave most of them out. */
static void check_case(ww_device **devices, size_t settings, reference_order order, size_t n, size_t value_size,
                       lengths l, shape s, unsigned turn) {
    sorted c = {0};
    for (size_t d = 0; d < settings; d++) {
        const bool in_place = (turn + d) % 2;
        CASE("sort segments", "%s %s+%zu %s %s%s bits=%u+%u n=%zu %s seed=%llu", setting_name(d), order.type->label,
             value_size, lengths_name[l], shape_name(s), order.descending ? " descending" : "", order.bit_first,
             order.bit_count, n, in_place ? "in-place" : "apart", (unsigned long long)seed_of_run());
        if (!case_wanted()) continue;
        if (!c.keys) c = sorted_new(order, n, value_size, l, s);
        check_sorted(devices[d], &c, in_place);
    }
    sorted_free(&c);
}

/* Whether the emulator, which compiles five programs for each, takes the type: each form of elements is there once. */
static bool is_taken(size_t type) { return !on_emulator() || type < 4 || type == KEY_TYPES - 1; }

/* Programs for GPUs are made for an order and a size of values: cases of the same choice share theirs. The emulator has one choice
 * a type, and NVRTC, which takes seconds for the ten programs or so of each, two. */
static unsigned choice_of(size_t type, int l, unsigned turn) {
    if (on_emulator()) return (unsigned)type;
    return on_gpu() ? 2 * (unsigned)type + (unsigned)l % 2 : turn;
}

/* Every type, kind of lengths and shape of data; sizes and values take turns. */
static void types_and_lengths(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 100, 1500, 4100};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    unsigned turn = 0;
    for (size_t t = 0; t < KEY_TYPES; t++)
        for (int l = 0; l < LENGTHS; l++)
            for (size_t i = 0; i < SIZES; i++, turn++)
                if (is_taken(t) && (!on_emulator() || turn % 4 == 1)) {
                    const unsigned choice = choice_of(t, l, turn);
                    check_case(devices, settings, order_of_number(t, choice), sizes[i],
                               value_sizes[choice % VALUE_SIZES], (lengths)l, (shape)(turn % SHAPES), turn);
                }
    settings_close(devices, settings);
}

/* Keys where they are and values elsewhere, or the other way round, with elements before the first segment and behind the last. */
static void one_of_both_in_place(void **state) {
    (void)state;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (int moved = 0; moved < 2; moved++) {
        sorted c = sorted_new((reference_order){&ww_type_uint32_t, false, 0, 0}, 1500, 4, MIXED, UNIFORM);
        for (size_t d = 0; d < settings; d++) {
            CASE("sort segments", "%s %s in place, %s apart", setting_name(d), moved ? "values" : "keys",
                 moved ? "keys" : "values");
            if (!case_wanted()) continue;
            sort_arrays a = sort_arrays_new(c.order.type, c.keys, c.values, c.n, c.value_size, true);
            if (moved)
                a.keys_in = ww_memory_of(c.keys, c.n, c.order.type), memset(a.keys.data, 0xA5, a.keys.bytes);
            else
                a.values_in = ww_record_memory(c.values, c.n, c.value_size),
                memset(a.values.data, 0xA5, a.values.bytes);
            expect_status(devices[d],
                          ww_sort_segments(devices[d], a.keys_in, a.values_in, ww_memory(c.offsets, c.segments + 1),
                                           a.keys_out, a.values_out, NULL),
                          WW_OK);
            expect_status(devices[d], ww_sync(devices[d]), WW_OK);
            sort_arrays_end(&a, c.keys_wanted, c.values_wanted);
        }
        sorted_free(&c);
    }
    settings_close(devices, settings);
}

/* Vectors sort these on CPUs: every kind of lengths with every shape. */
static void keys_alone(void **state) {
    (void)state;
    if (left_out_on_gpu("it is about the CPU's vectors")) return;
    static const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_float, &ww_type_int64_t};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    unsigned turn = 0;
    for (size_t t = 0; t < 3; t++)
        for (int l = 0; l < LENGTHS; l++)
            for (int s = 0; s < SHAPES; s++, turn++)
                check_case(devices, settings, (reference_order){types[t], turn % 4 > 1, 0, 0}, 4100, 0, (lengths)l,
                           (shape)s, turn);
    settings_close(devices, settings);
}

/* ---- keys that agree in their highest bits ---- */

/* Groups of keys which differ from one another in the highest 16 bits that are sorted by. Those of a group differ in the lowest 16
 * only, and stand in the input in the opposite of their order, unless they are random. A GPU sorts long segments of wide keys by
 * 16 to 32 high bits at first: none or few neighbours of these, or too many, are out of order then. */
typedef struct agreeing {
    const char *name;
    uint32_t groups, least, most; /* so many groups have `least` to `most` keys, 0: all have; the others have one */
    uint32_t low;                 /* bits of the numbers, if they are random, in which keys of a group differ */
} agreeing;
static const agreeing agreeings[] = {{"one pair", 1, 2, 2, 0},
                                     {"pairs", 0, 2, 2, 0},
                                     {"threes", 0, 3, 3, 0},
                                     {"fours", 0, 4, 4, 0},
                                     {"one five", 1, 5, 5, 0},
                                     {"three to six", 0, 3, 6, 0},
                                     {"equal or not", 0, 2, 4, 1},
                                     {"one pair, random", 1, 2, 2, 1},
                                     {"halves", 2, 1 << 20, 1 << 20, 16}};
enum { AGREEINGS = sizeof agreeings / sizeof *agreeings };

#if WW_HAS_U128
typedef ww_u128 widest;
#else
typedef uint64_t widest;
#endif

/* The key that has a number in the bits that are sorted by, and anything in the others. */
static void put_key(reference_order order, widest number, uint64_t *random, unsigned char *key) {
    const uint32_t bits = (uint32_t)(8 * order.type->size), used = order.bit_count ? order.bit_count : bits;
    widest mask = ~(widest)0 >> (8 * sizeof mask - used), any = random_next(random);
    any |= (widest)random_next(random) << 8 * (sizeof any - 8);
    number = (number & mask) << order.bit_first | (any & ~(mask << order.bit_first));
    for (size_t b = 0; b < order.type->size; b++) key[b] = (unsigned char)(number >> 8 * b);
}

/* Which group each of n keys belongs to, at random places; returns how many groups there are, and their sizes. */
static uint32_t deal_groups(const agreeing *kind, uint32_t n, uint64_t *random, uint32_t *group, uint32_t *size) {
    const uint32_t chosen = kind->groups == 1 ? (uint32_t)(random_next(random) % (n - kind->most)) : 0;
    uint32_t groups = 0;
    for (uint32_t i = 0; i < n; groups++) {
        const bool large = !kind->groups || (groups >= chosen && groups - chosen < kind->groups);
        const uint32_t most = groups ? n - i : n / 2; /* there are two of them at least */
        uint32_t many = large ? kind->least + (uint32_t)(random_next(random) % (kind->most - kind->least + 1)) : 1;
        if (many > most) many = most;
        for (size[groups] = many; many--; i++) group[i] = groups;
    }
    for (uint32_t i = n; i-- > 1;) {
        const uint32_t other = (uint32_t)(random_next(random) % (i + 1)), g = group[i];
        group[i] = group[other], group[other] = g;
    }
    return groups;
}

static void fill_agreeing(const agreeing *kind, reference_order order, uint32_t n, uint64_t *random,
                          unsigned char *keys) {
    const uint32_t used = order.bit_count ? order.bit_count : (uint32_t)(8 * order.type->size);
    uint32_t *group = need(n * sizeof *group), *left = need(n * sizeof *left);
    const uint32_t groups = deal_groups(kind, n, random, group, left);
    for (uint32_t i = 0; i < n; i++) {
        const widest high = (uint64_t)group[i] * 0xFFFF / (groups - 1);
        uint32_t low = order.descending ? 0xFFFF - left[group[i]] : left[group[i]];
        if (kind->low) low = (uint32_t)random_next(random) & ((1u << kind->low) - 1);
        left[group[i]]--;
        put_key(order, high << (used - 16) | low, random, keys + i * order.type->size);
    }
    free(group), free(left);
}

/* Segments of all lengths that a GPU sorts so: in each class of lengths, those of full ones, too. */
static sorted sorted_agreeing(const agreeing *kind, reference_order order, size_t value_size) {
    enum { SEGMENTS = 20, CLASSES = 5, LEAST = 256, SMALL_LEAST = 32, SMALL_MOST = 128 };
    uint64_t random = seed_of_run();
    uint32_t length[SEGMENTS];
    size_t n = 0;
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        const uint32_t below = tiles_are_small() ? SMALL_LEAST : (uint32_t)LEAST << i % CLASSES;
        const uint32_t most = tiles_are_small() ? SMALL_MOST : 2 * below;
        length[i] = i / CLASSES ? below + 1 + (uint32_t)(random_next(&random) % (most - below)) : most;
        n += length[i];
    }
    sorted c = sorted_room(order, n, value_size);
    c.offsets[0] = 0;
    for (c.segments = 0; c.segments < SEGMENTS; c.segments++) {
        const uint32_t at = c.offsets[c.segments], many = length[c.segments];
        fill_agreeing(kind, order, many, &random, c.keys + at * c.key_size);
        c.offsets[c.segments + 1] = at + many;
    }
    sorted_want(&c);
    return c;
}

static void keys_that_agree(void **state) {
    (void)state;
    static const struct {
        reference_order order;
        size_t value_size;
    } cases[] = {
        {{&ww_type_uint64_t, false, 0, 0}, 0},
        {{&ww_type_uint64_t, false, 0, 0}, 8},
        {{&ww_type_int64_t, true, 0, 0}, 4},
        {{&ww_type_uint64_t, true, 5, 56}, 8},
        {{&ww_type_int64_t, false, 0, 60}, 0},
#if WW_HAS_U128
        {{&ww_type_ww_u128, true, 0, 0}, 0},
        {{&ww_type_ww_u128, false, 9, 100}, 4},
        {{&ww_type_ww_u128, false, 0, 0}, 16}
#endif
    };
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (unsigned turn = 0; turn < sizeof cases / sizeof *cases * AGREEINGS; turn++) {
        const reference_order order = cases[turn / AGREEINGS].order;
        const agreeing *kind = &agreeings[turn % AGREEINGS];
        const size_t value_size = cases[turn / AGREEINGS].value_size;
        sorted c = {0};
        for (size_t d = 0; d < settings; d++) {
            const bool in_place = (turn + d) % 2;
            CASE("sort segments", "%s %s+%zu agreeing: %s%s bits=%u+%u %s seed=%llu", setting_name(d), order.type->label,
                 value_size, kind->name, order.descending ? " descending" : "", order.bit_first, order.bit_count,
                 in_place ? "in-place" : "apart", (unsigned long long)seed_of_run());
            if (!case_wanted()) continue;
            if (!c.keys) c = sorted_agreeing(kind, order, value_size);
            check_sorted(devices[d], &c, in_place);
        }
        sorted_free(&c);
    }
    settings_close(devices, settings);
}

/* Segments longer than what a worker or a block sorts at once, and many pieces. */
static void large(void **state) {
    (void)state;
    static const struct {
        const ww_type *type;
        size_t value_size;
        lengths lengths;
        shape shape;
    } cases[] = {{&ww_type_uint32_t, 0, POWER_LAW, UNIFORM}, {&ww_type_uint32_t, 0, ONE, UNIFORM},
                 {&ww_type_uint64_t, 8, ONE, FEW},           {&ww_type_float, 4, AROUND_POWERS, ADVERSARIAL},
                 {&ww_type_uint16_t, 16, ONE, SKEWED},       {&ww_type_int64_t, 0, POWER_LAW, REVERSED},
                 {&ww_type_uint32_t, 4, ONE, SORTED},        {&ww_type_uint32_t, 4, ONE, CONSTANT},
                 {&ww_type_uint8_t, 3, MIXED, UNIFORM}};
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!on_emulator() || i < 3)
            check_case(devices, settings, (reference_order){cases[i].type, i % 2, 0, 0},
                       on_emulator()       ? 3003
                       : tests_are_short() ? 100003
                                           : 500009,
                       cases[i].value_size, cases[i].lengths, cases[i].shape, (unsigned)i);
    settings_close(devices, settings);
}

/* Segments one shorter than what one worker sorts of 1 MiB of keys and values, just as long, and one longer; then nothing but
 * segments that are one longer, so that the list of those is full. Neighbours are short, or such segments too. */
static sorted sorted_at_leaf(reference_order order, size_t value_size, bool all_longer) {
    const size_t leaf = ((size_t)1 << 20) / (order.type->size + value_size);
    const size_t mixed[] = {3, leaf + 1, 0, leaf, 70, leaf - 1, 1}, longer[] = {leaf + 1, leaf + 1};
    const size_t *const lengths = all_longer ? longer : mixed;
    const size_t many = all_longer ? sizeof longer / sizeof *longer : sizeof mixed / sizeof *mixed;
    size_t n = 0;
    for (size_t i = 0; i < many; i++) n += lengths[i];
    sorted c = sorted_room(order, n, value_size);
    fill(c.keys, order.type, c.key_size, n, UNIFORM, seed_of_run() + n);
    c.offsets[0] = 0;
    for (c.segments = 0; c.segments < many; c.segments++)
        c.offsets[c.segments + 1] = c.offsets[c.segments] + (uint32_t)lengths[c.segments];
    sorted_want(&c);
    return c;
}

static void around_a_leaf(void **state) {
    (void)state;
    static const struct {
        reference_order order;
        size_t value_size;
    } cases[] = {{{&ww_type_uint32_t, false, 0, 0}, 0},
                 {{&ww_type_uint32_t, true, 0, 0}, 4},
                 {{&ww_type_uint32_t, false, 0, 31}, 0}};
    if (left_out_on_gpu("a worker's megabyte is the CPU's")) return;
    ww_device *devices[DEVICES_MOST];
    const size_t settings = settings_open(devices, setting_count_short());
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned all = 0; all < 2; all++) {
            sorted c = {0};
            for (size_t d = 0; d < settings; d++) {
                const bool in_place = (i + d) % 2;
                CASE("sort segments", "%s %s+%zu around a leaf%s%s bits=%u %s", setting_name(d),
                     cases[i].order.type->label, cases[i].value_size, all ? ", all longer" : "",
                     cases[i].order.descending ? " descending" : "", cases[i].order.bit_count,
                     in_place ? "in-place" : "apart");
                if (!case_wanted()) continue;
                if (!c.keys) c = sorted_at_leaf(cases[i].order, cases[i].value_size, all);
                check_sorted(devices[d], &c, in_place);
            }
            sorted_free(&c);
        }
    settings_close(devices, settings);
}

/* Segments exactly as long as a class of lengths has them, one key longer and one shorter, one behind the other without a key
 * between: so many of one length that the list of their class is full, and all three lengths in turns. */
static void check_bounds_of_classes(ww_device *device, const char *setting, const ww_type *type, size_t value_size,
                                    size_t bound, int mix) {
    const size_t most = on_emulator() ? 2200
                        : on_gpu()    ? 60000
                                      : 12000,
                 segments = most / (bound + 1) > 70 ? 70 : most / (bound + 1) + 2;
    CASE("sort segments", "%s %s+%zu %zu segments of %zu%s", setting, type->label, value_size, segments,
         bound + (size_t)(mix < 3 ? mix : 1) - 1, mix < 3 ? "" : " and one less and one more");
    if (!case_wanted()) return;
    sorted c = sorted_room((reference_order){type, false, 0, 0}, segments * (bound + 1), value_size);
    c.offsets[0] = 0;
    for (c.segments = 0; c.segments < segments; c.segments++)
        c.offsets[c.segments + 1] = c.offsets[c.segments] +
                                    (uint32_t)(bound + (mix < 3 ? (size_t)mix : c.segments % 3) - 1);
    c.n = c.offsets[segments];
    fill(c.keys, type, c.key_size, c.n, UNIFORM, seed_of_run() + bound);
    sorted_want(&c);
    check_sorted(device, &c, mix % 2);
    sorted_free(&c);
}

static void bounds_of_classes(void **state) {
    (void)state;
    const size_t most = tiles_are_small() ? 256 : 16384;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        for (size_t bound = 2; bound <= most; bound *= 2)
            for (int mix = 0; mix < 4; mix++) {
                check_bounds_of_classes(device, setting_name(d), &ww_type_uint32_t, 0, bound, mix);
                check_bounds_of_classes(device, setting_name(d), &ww_type_uint64_t, 8, bound, mix);
            }
        ww_close(device);
    }
}

WW_MAP(tens, uint64_t, uint64_t, x, void, none, { return 10 * x; });
WW_MAP(scrambled, uint32_t, uint32_t, x, void, none, { return x * 2654435761u; });

/* Offsets, keys and values that are computed. */
static void inputs(void **state) {
    (void)state;
    const size_t segments = on_emulator() ? 100 : 20000, n = 10 * segments;
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        CASE("sort segments", "%s computed n=%zu", setting_name(d), n);
        if (case_wanted()) {
            uint32_t *keys = need(n * sizeof *keys), *values = need(n * sizeof *values);
            const ww_input offsets = ww_mapped(&tens_ww, ww_counting(&ww_type_uint64_t, 0, segments + 1)),
                           counted = ww_counting(&ww_type_uint32_t, 0, n);
            expect_status(device,
                          ww_sort_segments(device, ww_mapped(&scrambled_ww, counted), counted, offsets,
                                           ww_array(keys, n), ww_array(values, n), NULL),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t i = 0; i < n; i++) {
                expect(values[i] / 10 == i / 10 && keys[i] == values[i] * 2654435761u);
                expect(i % 10 == 0 || keys[i - 1] < keys[i]);
            }
            free(keys), free(values);
        }
        ww_close(device);
    }
}

/* Values that are sorted by their positions, of which nobody has written any then. Of offsets all bits count. */
static void check_bad_offsets_with_values(ww_device *device, const uint32_t *keys, size_t n) {
    enum { VALUE = 3 };
    uint64_t *offsets = need(3 * sizeof *offsets);
    unsigned char *values = need(n * VALUE);
    guarded out = guarded_new(n * sizeof *keys), values_out = guarded_new(n * VALUE);
    memset(values, 1, n * VALUE);
    for (int high = 0; high < 2; high++) {
        offsets[0] = high ? 0 : 9, offsets[1] = high ? ((uint64_t)1 << 32) + 5 : 7, offsets[2] = n;
        ww_status status = ww_sort_segments(device, ww_memory(keys, n), ww_record_memory(values, n, VALUE),
                                            ww_memory(offsets, 3), ww_array((uint32_t *)out.data, n),
                                            ww_records(values_out.data, n, VALUE), NULL);
        if (status == WW_OK) status = ww_sync(device);
        expect_status(device, status, WW_RANGE);
        expect_sentence(device, "ww_sort_segments", high ? "offsets[1] is 4294967301" : "offsets[1] is 7, below");
    }
    guarded_check(&out), guarded_check(&values_out);
    guarded_free(&out), guarded_free(&values_out);
    free(offsets), free(values);
}

/* Offsets are checked, wherever they are bad; outputs behind a bad one are not the caller's to read, and nothing else is
 * written. */
static void bad_offsets(void **state) {
    (void)state;
    enum { N = 400, SEGMENTS = 40 };
    for (size_t d = 0; d < setting_count_short(); d++) {
        ww_device *device = setting_open(d);
        uint32_t *keys = need(N * sizeof *keys), *offsets = need((SEGMENTS + 1) * sizeof *offsets);
        guarded out = guarded_new(N * sizeof *keys);
        const ww_array keys_out = ww_array((uint32_t *)out.data, N);
        fill(keys, &ww_type_uint32_t, 4, N, UNIFORM, seed_of_run());
        CASE("sort segments", "%s bad offsets", setting_name(d));
        static const struct {
            uint32_t at, offset;
            const char *position, *why;
        } cases[] = {{7, 60, "offsets[8]", "below"},
                     {0, 401, "offsets[0] is 401", "400 keys"},
                     {40, 401, "offsets[40] is 401", "400 keys"},
                     {20, 7, "offsets[20] is 7", "below"}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            for (uint32_t s = 0; s <= SEGMENTS; s++) offsets[s] = 10 * s;
            offsets[8] = 55;
            offsets[9] = 90;
            if (i) offsets[8] = 80;
            if (i == 0) offsets[7] = 60;
            offsets[cases[i].at] = cases[i].offset;
            ww_status status = ww_sort_segments(device, ww_memory(keys, N), ww_no_input,
                                                ww_memory(offsets, SEGMENTS + 1), keys_out, ww_none, NULL);
            if (status == WW_OK) status = ww_sync(device);
            expect_status(device, status, WW_RANGE);
            expect_sentence(device, "ww_sort_segments", cases[i].position, cases[i].why);
        }
        /* Of no keys, and of one. */
        offsets[0] = 2;
        for (size_t n = 0; n < 2; n++) {
            ww_status status = ww_sort_segments(device, ww_memory(keys, n), ww_no_input, ww_memory(offsets, 1),
                                                ww_array((uint32_t *)out.data, n), ww_none, NULL);
            if (status == WW_OK) status = ww_sync(device);
            expect_status(device, status, WW_RANGE);
            expect_sentence(device, "offsets[0] is 2");
        }
        check_bad_offsets_with_values(device, keys, N);
        guarded_check(&out), guarded_free(&out);
        free(keys), free(offsets);
        ww_close(device);
    }
}

static void refusals(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    uint32_t *const a = need(100 * sizeof *a), *const b = a + 20, *const o = a + 40;
    float *const f = (float *)(void *)(a + 60);
    memset(a, 0, 100 * sizeof *a);
    const ww_input none = ww_no_input, offsets = ww_memory(o, 2), keys = ww_memory(a, 4);
    CASE("sort segments", "%s refusals", setting_name(0));
    expect_status(NULL, ww_sort_segments(NULL, keys, none, offsets, ww_array(b, 4), ww_none, NULL), WW_INVALID);
    expect_status(device, ww_sort_segments(device, keys, none, none, ww_array(b, 4), ww_none, NULL), WW_INVALID);
    expect_sentence(device, "ww_sort_segments", "offsets");
    expect_status(device, ww_sort_segments(device, keys, none, ww_memory(o, 0), ww_array(b, 4), ww_none, NULL),
                  WW_INVALID);
    expect_sentence(device, "offsets is empty");
    expect_status(device, ww_sort_segments(device, keys, none, ww_memory(f, 2), ww_array(b, 4), ww_none, NULL),
                  WW_TYPE);
    expect_status(device, ww_sort_segments(device, keys, none, offsets, ww_array(b, 5), ww_none, NULL), WW_INVALID);
    expect_status(device, ww_sort_segments(device, keys, none, offsets, ww_array(o, 4), ww_none, NULL), WW_OVERLAP);
    expect_status(device,
                  ww_sort_segments(device, keys, ww_memory(a + 4, 4), offsets, ww_array(b, 4), ww_array(o, 4), NULL),
                  WW_OVERLAP);
    ww_sort_options options = WW_SORT_OPTIONS;
    options.method = WW_SORT_RADIX;
    expect_status(device, ww_sort_segments(device, keys, none, offsets, ww_array(b, 4), ww_none, &options), WW_INVALID);
    expect_sentence(device, "method");
    free(a);
    ww_close(device);
}

/* Each class of lengths has its launch; long segments their chunks and as many passes as they may need. */
static void kernels(void **state) {
    (void)state;
    if (!tiles_are_small()) {
        CASE("sort segments", "kernels: the emulator's");
        return;
    }
    enum { N = 600 };
    ww_device *device = traced_open();
    char text[4096];
    uint32_t *keys = need(N * sizeof *keys), *out = need(N * sizeof *out), *offsets = need(2 * sizeof *offsets);
    fill(keys, &ww_type_uint32_t, 4, N, UNIFORM, seed_of_run());
    offsets[0] = 0, offsets[1] = N;
    CASE("sort segments", "%s kernels", setting_name(0));
    traced t = traced_begin();
    const ww_status status = ww_sort_segments(device, ww_memory(keys, N), ww_no_input, ww_memory(offsets, 2),
                                              ww_array(out, N), ww_none, NULL);
    traced_end(&t, text, sizeof text);
    expect_status(device, status, WW_OK);
    expect_launches(text, "list_segments", "sort_segments", "sort_segments", "sort_segments", "sort_segments",
                    "merge_segments", "merge_segments", "merge_segments");
    free(keys), free(out), free(offsets);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(types_and_lengths),
                                       cmocka_unit_test(one_of_both_in_place),
                                       cmocka_unit_test(keys_alone),
                                       cmocka_unit_test(keys_that_agree),
                                       cmocka_unit_test(large),
                                       cmocka_unit_test(around_a_leaf),
                                       cmocka_unit_test(bounds_of_classes),
                                       cmocka_unit_test(inputs),
                                       cmocka_unit_test(bad_offsets),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(kernels)};
    return cmocka_run_group_tests_name("sort by segments", tests, NULL, NULL);
}
