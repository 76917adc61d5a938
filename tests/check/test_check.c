/* What WARPWISE_CHECK finds: each fault is planted in a small function, and the sentence has the macro's place and name, and what is
 * wrong. Functions that are right are in test_check_right.c. */
#include <math.h>
#include <stdio.h>

#include "support/cases.h"
#include "support/traced.h"

enum { N = 1000 };

static uint32_t numbers[N], numbers_out[N];
static float floats[N], floats_out[N];
static uint64_t one[2];

static ww_device *open_checked(void) {
    ww_open_options o = WW_OPEN_OPTIONS;
    ww_device *device;
    o.checks = WW_CHECKS_ON;
    assert_int_equal(ww_open_with("cpu:threads=2", &device, &o), WW_OK);
    return device;
}

/* Without it only the functions are tried, not their texts; sets it again. */
static void hide_emulator(bool hide) {
    static char kept[4096];
    const char *emulator = getenv("WARPWISE_EMULATOR");
    if (hide) {
        snprintf(kept, sizeof kept, "%s", emulator ? emulator : "");
        setenv("WARPWISE_EMULATOR", "/nowhere/libwarpwise-emu.so", 1);
    } else if (*kept) {
        setenv("WARPWISE_EMULATOR", kept, 1);
    } else {
        unsetenv("WARPWISE_EMULATOR");
    }
}

static void fill_numbers(void) {
    uint64_t random = 7;
    for (size_t i = 0; i < N; i++) {
        numbers[i] = (uint32_t)random_next(&random) % 1000;
        floats[i] = (float)((double)(random_next(&random) % 20001) / 16 - 625);
    }
}

/* The call fails, with the macro's place and the words; nothing was written. */
static void expect_found_at(ww_device *device, ww_status status, ww_status wanted, const ww_function *f,
                            const char *role, const char *words, const char *more, int line) {
    char place[512];
    snprintf(place, sizeof place, "%s:%d: %s %s ", __FILE__, f->line, role, f->name);
    expect_status_at(device, status, wanted, __FILE__, line);
    expect_sentence_at(device, __FILE__, line, place, words, more, (const char *)NULL);
}
#define EXPECT_FOUND(call, status, name, role, words, more) \
    do { \
        CASE("check", "%s", #name); \
        if (case_wanted()) expect_found_at(device, call, status, &name##_ww, role, words, more, __LINE__); \
    } while (0)

/* ---- operators ---- */

WW_COMBINE(minus, uint32_t, a, b, WW_ORDERED, WW_IDENTITY(0), { return a == 0 ? b : b == 0 ? a : a - b; });
WW_COMBINE(minus_floats, float, a, b, WW_ORDERED, WW_IDENTITY(0), { return a == 0 ? b : a - b; });
WW_COMBINE(mean, float, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a == 0 ? b : b == 0 ? a : (a + b) / 2; });
WW_COMBINE(first, uint32_t, a, b, WW_COMMUTES, WW_IDENTITY(UINT32_MAX), { return a == UINT32_MAX ? b : a; });
WW_COMBINE(product, uint32_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a * b; });
WW_COMBINE(least, float, a, b, WW_COMMUTES, WW_IDENTITY(100), { return a < b ? a : b; });
WW_COMBINE(larger, float, a, b, WW_ORDERED, WW_IDENTITY(-INFINITY), { return a > b ? a : b; });
/* Its identity is one: only what is between a NaN's neighbours is lost. */
WW_COMBINE(largest, float, a, b, WW_ORDERED, WW_IDENTITY(-1e30f), { return b == -1e30f ? a : a > b ? a : b; });
static uint32_t calls_so_far;
static uint32_t calls_of_drifts;
WW_COMBINE(drifts, uint32_t, a, b, WW_ORDERED, WW_IDENTITY(0), { return a + b + (calls_of_drifts++ > 2000); });
WW_COMBINE(counts, uint32_t, a, b, WW_ORDERED, WW_IDENTITY(0), { return a + b + calls_so_far++ / 200; });
WW_STRUCT(pair, {
    uint8_t kind;
    double weight[2];
});
WW_COMBINE(add_pairs, pair, a, b, WW_COMMUTES, WW_IDENTITY({0, {0, 0}}), {
    pair p = a;
    p.weight[0] += b.weight[0];
    p.weight[1] = a.weight[1] - b.weight[1];
    return p;
});

/* A modulus that they do not take at each step. */
WW_COMBINE_WITH(add_half_modulo, uint32_t, a, b, uint32_t, m, WW_ORDERED, WW_IDENTITY(0),
                { return b == 0 ? a : (a % *m) + b; });

static ww_status reduce_numbers(ww_device *device, const ww_function *op) {
    return ww_reduce(device, op, ww_memory(numbers, N), ww_array(numbers_out, 1));
}
static ww_status reduce_floats(ww_device *device, const ww_function *op) {
    return ww_reduce(device, op, ww_memory(floats, N), ww_array(floats_out, 1));
}

static void operators(void **state) {
    (void)state;
    ww_device *device = open_checked();
    static pair pairs[N];
    hide_emulator(true);
    fill_numbers();
    for (size_t i = 0; i < N; i++) {
        memset(&pairs[i], (int)i, sizeof pairs[i]);
        pairs[i].kind = 3, pairs[i].weight[0] = floats[i], pairs[i].weight[1] = 2 * floats[i];
    }
    EXPECT_FOUND(reduce_numbers(device, &minus_ww), WW_INVALID, minus, "WW_COMBINE",
                 "is not associative: (a + b) + c = ", ", a + (b + c) = ");
    EXPECT_FOUND(ww_scan(device, &minus_ww, ww_memory(numbers, N), ww_array(numbers_out, N), NULL), WW_INVALID, minus,
                 "WW_COMBINE", "is not associative", " for a = ");
    EXPECT_FOUND(reduce_floats(device, &minus_floats_ww), WW_INVALID, minus_floats, "WW_COMBINE",
                 "is not associative: (a + b) + c = ", ", a + (b + c) = ");
    EXPECT_FOUND(reduce_floats(device, &mean_ww), WW_INVALID, mean, "WW_COMBINE", "is not associative", ", c = ");
    EXPECT_FOUND(reduce_numbers(device, &first_ww), WW_INVALID, first, "WW_COMBINE",
                 "is declared to commute (WW_COMMUTES), but does not: a + b = ", ", b + a = ");
    EXPECT_FOUND(reduce_numbers(device, &product_ww), WW_INVALID, product, "WW_COMBINE",
                 "has no identity in 0: identity + x = 0 for x = ", "");
    EXPECT_FOUND(reduce_floats(device, &least_ww), WW_INVALID, least, "WW_COMBINE",
                 "has no identity in 100:", "= 100 for x");
    EXPECT_FOUND(reduce_numbers(device, &counts_ww), WW_INVALID, counts, "WW_COMBINE", "", "");
    EXPECT_FOUND(ww_reduce(device, &add_pairs_ww, ww_memory_of(pairs, N, &pair_ww), ww_array_of(pairs, 1, &pair_ww)),
                 WW_INVALID, add_pairs, "WW_COMBINE", "{kind = 3, weight = {", "}}");
    assert_int_equal(reduce_floats(device, &larger_ww), WW_OK);
    floats[N / 2] = NAN;
    EXPECT_FOUND(reduce_floats(device, &larger_ww), WW_INVALID, larger, "WW_COMBINE", "nan", "");
    EXPECT_FOUND(reduce_floats(device, &largest_ww), WW_INVALID, largest, "WW_COMBINE", "is not associative", "nan");
    EXPECT_FOUND(reduce_numbers(device, &drifts_ww), WW_INVALID, drifts, "WW_COMBINE", "is not pure", "called again");
    EXPECT_FOUND(ww_reduce_by_key(device, &minus_ww, ww_memory(numbers, N), ww_memory(numbers, N), ww_none,
                                  ww_array(numbers_out, N), ww_array(one, 1)),
                 WW_INVALID, minus, "WW_COMBINE", "is not associative", "");
    const uint32_t modulus = 97;
    EXPECT_FOUND(reduce_numbers(device, ww_with(add_half_modulo, &modulus)), WW_INVALID, add_half_modulo, "WW_COMBINE",
                 "(a + b) + c = ", "");
    /* What is computed is what is tried. */
    EXPECT_FOUND(ww_reduce(device, &minus_ww, ww_counting(&ww_type_uint32_t, 5, N), ww_array(numbers_out, 1)),
                 WW_INVALID, minus, "WW_COMBINE", "is not associative", "");
    ww_close(device);
    hide_emulator(false);
}

/* ---- orders ---- */

WW_LESS(not_above, uint32_t, a, b, { return a <= b; });
WW_LESS(unequal, uint32_t, a, b, { return a != b; });
WW_LESS(below, float, a, b, { return a < b; });
WW_LESS(about, float, a, b, { return a < b - 8; });
WW_LESS(beats, uint32_t, a, b, { return (b + 3 - a % 3) % 3 == 1; });
static uint32_t comparisons;
WW_LESS(forgetful, uint32_t, a, b, { return comparisons++ < 10000 && a < b; });

WW_LESS_WITH(by_table_value, uint32_t, a, b, float, value, { return value[a] < value[b]; });

static ww_status sort_numbers(ww_device *device, const ww_function *less) {
    return ww_sort_by(device, less, ww_memory(numbers, N), ww_no_input, ww_array(numbers_out, N), ww_none, NULL);
}
static ww_status sort_floats(ww_device *device, const ww_function *less) {
    return ww_sort_by(device, less, ww_memory(floats, N), ww_no_input, ww_array(floats_out, N), ww_none, NULL);
}

static void orders(void **state) {
    (void)state;
    ww_device *device = open_checked();
    hide_emulator(true);
    fill_numbers();
    const ww_input keys = ww_memory(floats, N);
    EXPECT_FOUND(sort_numbers(device, &not_above_ww), WW_INVALID, not_above, "WW_LESS",
                 "is not a strict weak order: a goes before itself, for a = ", "<= in place of <");
    EXPECT_FOUND(sort_numbers(device, &unequal_ww), WW_INVALID, unequal, "WW_LESS",
                 "a goes before b and b before a, for a = ", ", b = ");
    EXPECT_FOUND(sort_floats(device, &about_ww), WW_INVALID, about, "WW_LESS",
                 "neither of a and b goes before the other, nor of b and c, but a goes before c", ", c = ");
    EXPECT_FOUND(sort_numbers(device, &beats_ww), WW_INVALID, beats, "WW_LESS", "is not a strict weak order", "");
    EXPECT_FOUND(sort_numbers(device, &forgetful_ww), WW_INVALID, forgetful, "WW_LESS", "is not pure", "");
    assert_int_equal(sort_floats(device, &below_ww), WW_OK);
    /* One among many, wherever it is, and in whichever input. */
    for (size_t at = 0; at < N; at += 333) {
        floats[at] = NAN;
        EXPECT_FOUND(sort_floats(device, &below_ww), WW_INVALID, below, "WW_LESS", "nan", "There are NaNs in the data");
        EXPECT_FOUND(ww_lower_bound(device, &below_ww, ww_memory(floats_out, N), keys, ww_array(numbers_out, N)),
                     WW_INVALID, below, "WW_LESS", "nan", "There are NaNs");
        EXPECT_FOUND(ww_arg_min(device, &below_ww, keys, ww_none, ww_array(one, 1)), WW_INVALID, below, "WW_LESS",
                     "nan", "");
        floats[at] = 0;
    }
    /* By way of a table: the elements are positions in it, and nothing else is asked for. */
    for (size_t i = 0; i < N; i++) numbers[i] = (uint32_t)(i * 7 % N);
    assert_int_equal(sort_numbers(device, ww_with_array(by_table_value, floats, N)), WW_OK);
    floats[numbers[0]] = NAN;
    EXPECT_FOUND(sort_numbers(device, ww_with_array(by_table_value, floats, N)), WW_INVALID, by_table_value, "WW_LESS",
                 "neither of a and b goes before the other", "");
    floats[5] = NAN;
    EXPECT_FOUND(ww_set_union(device, &below_ww, keys, keys, ww_array(floats_out, N), ww_array(one, 1)), WW_INVALID,
                 below, "WW_LESS", "nan", "");
    EXPECT_FOUND(ww_merge(device, &below_ww, keys, ww_memory(floats, 0), ww_no_input, ww_no_input,
                          ww_array(floats_out, N), ww_none),
                 WW_INVALID, below, "WW_LESS", "nan", "");
    ww_close(device);
    hide_emulator(false);
}

/* ---- maps ---- */

static uint32_t tickets;
WW_MAP(ticket, uint32_t, uint32_t, x, void, none, { return x + tickets++; });
WW_STRUCT(tally, { uint32_t seen, step; });
WW_MAP(tallied, uint32_t, uint32_t, x, tally, t, {
    ((tally *)t)->seen += 1;
    return x * t->step;
});
WW_MAP2(ticket_pair, uint32_t, uint32_t, x, uint32_t, y, void, none, { return x + y + tickets++; });
/* What is between members is nothing of theirs. */
WW_MAP(padded, pair, uint32_t, x, void, none, {
    pair p;
    p.kind = (uint8_t)x, p.weight[0] = x, p.weight[1] = 0;
    return p;
});

static void maps(void **state) {
    (void)state;
    static pair pairs[N];
    ww_device *device = open_checked();
    const ww_input in = ww_memory(numbers, N);
    tally t = {0, 3};
    hide_emulator(true);
    fill_numbers();
    memset(numbers_out, 0xA5, sizeof numbers_out);
    EXPECT_FOUND(ww_map(device, &ticket_ww, in, ww_array(numbers_out, N)), WW_INVALID, ticket, "WW_MAP",
                 "is not pure: for ", " when it was called again");
    expect(numbers_out[0] == 0xA5A5A5A5u);
    EXPECT_FOUND(ww_map2(device, &ticket_pair_ww, in, in, ww_array(numbers_out, N)), WW_INVALID, ticket_pair, "WW_MAP2",
                 "is not pure: for ", " and ");
    EXPECT_FOUND(ww_map(device, ww_with(tallied, &t), in, ww_array(numbers_out, N)), WW_INVALID, tallied, "WW_MAP",
                 "is not pure: it changes its environment", "");
    EXPECT_FOUND(ww_reduce(device, &ww_add, ww_mapped(&ticket_ww, in), ww_array(numbers_out, 1)), WW_INVALID, ticket,
                 "WW_MAP", "is not pure", "");
    EXPECT_FOUND(ww_pack_if(device, &ticket_ww, in, ww_array(numbers_out, N), ww_array(one, 1), NULL), WW_INVALID,
                 ticket, "WW_MAP", "is not pure", "");
    EXPECT_FOUND(ww_split_if(device, &ticket_ww, in, ww_array(numbers_out, N), ww_array(one, 1), NULL), WW_INVALID,
                 ticket, "WW_MAP", "is not pure", "");
    EXPECT_FOUND(ww_histogram(device, &ticket_ww, in, ww_array(numbers_out, N), ww_none, NULL), WW_INVALID, ticket,
                 "WW_MAP", "is not pure", "");
    EXPECT_FOUND(
        ww_multisplit(device, &ticket_ww, 8, in, ww_no_input, ww_array(numbers_out, N), ww_none, ww_none, NULL),
        WW_INVALID, ticket, "WW_MAP", "is not pure", "");
    assert_int_equal(ww_map(device, &padded_ww, in, ww_array_of(pairs, N, &pair_ww)), WW_OK);
    ww_close(device);
    hide_emulator(false);
}

/* ---- as a GPU gets them ---- */

#define FACTOR 3
static const uint32_t table[4] = {1, 2, 3, 4};
WW_FUNCTION(twice, uint32_t, (uint32_t x), { return 2 * x; });
WW_FUNCTION(broken, uint32_t, (uint32_t x), { return x * table[1]; });
WW_MAP(by_macro, uint32_t, uint32_t, x, void, none, { return x * FACTOR; });
WW_MAP(by_table, uint32_t, uint32_t, x, void, none, { return table[x % 4]; });
WW_MAP(unlisted, uint32_t, uint32_t, x, void, none, { return twice(x); });
WW_MAP_USES((twice), listed, uint32_t, uint32_t, x, void, none, { return twice(x); });
WW_MAP_USES((broken), by_way_of, uint32_t, uint32_t, x, void, none, { return broken(x); });
WW_MAP(prints, uint32_t, uint32_t, x, void, none, {
    if (x > 100000) printf("%u", x);
    return x;
});
WW_COMBINE(sum_by_macro, uint32_t, a, b, WW_COMMUTES, WW_IDENTITY(0), { return a + b + 0 * FACTOR; });
WW_LESS(less_by_macro, uint32_t, a, b, { return a * FACTOR < b * FACTOR; });
WW_STRUCT(places, { uint32_t *out; });
WW_KERNEL(kernel_by_macro, places, p, rank, { p->out[rank] = FACTOR; });
WW_MAP(no_cpp, uint32_t, uint32_t, x, void, none, {
    const void *at = &x;
    const uint32_t *p = at;
    return *p;
});

WW_MAP(varying, uint32_t, uint32_t, x, void, none, {
    uint32_t many[x % 4 + 1];
    many[0] = x;
    return many[0];
});

static bool compiler_is_there(void) {
    if (getenv("WARPWISE_EMULATOR")) return true;
    left_out("texts are compiled where WARPWISE_EMULATOR names the emulator");
    return false;
}

static ww_status map_numbers(ww_device *device, const ww_function *f) {
    return ww_map(device, f, ww_memory(numbers, N), ww_array(numbers_out, N));
}

static void texts_by(const char *compiler) {
    ww_device *device = open_checked();
    char place[256];
    fill_numbers();
    if (compiler) setenv("WARPWISE_EMU_CXX", compiler, 1);
    const places p = {numbers_out};
    EXPECT_FOUND(map_numbers(device, &by_macro_ww), WW_COMPILE, by_macro, "WW_MAP", "'FACTOR'", "(WW_MAP_USES:");
    EXPECT_FOUND(map_numbers(device, &by_table_ww), WW_COMPILE, by_table, "WW_MAP", "'table'", "no variable");
    EXPECT_FOUND(map_numbers(device, &unlisted_ww), WW_COMPILE, unlisted, "WW_MAP", "'twice'", "_USES");
    EXPECT_FOUND(map_numbers(device, &prints_ww), WW_COMPILE, prints, "WW_MAP", "'printf'", "no library functions");
    EXPECT_FOUND(map_numbers(device, &no_cpp_ww), WW_COMPILE, no_cpp, "WW_MAP", "cannot be compiled for a GPU: ", "");
    EXPECT_FOUND(map_numbers(device, &varying_ww), WW_COMPILE, varying, "WW_MAP", "cannot be compiled for a GPU: ", "");
    /* What it uses has its own place. */
    snprintf(place, sizeof place, "%s:%d: ", __FILE__, ww__definition_of_broken.line);
    EXPECT_FOUND(map_numbers(device, &by_way_of_ww), WW_COMPILE, by_way_of, "WW_MAP", place, "'table'");
    EXPECT_FOUND(reduce_numbers(device, &sum_by_macro_ww), WW_COMPILE, sum_by_macro, "WW_COMBINE", "'FACTOR'", "");
    EXPECT_FOUND(sort_numbers(device, &less_by_macro_ww), WW_COMPILE, less_by_macro, "WW_LESS", "'FACTOR'", "");
    EXPECT_FOUND(ww_launch(device, ww_with(kernel_by_macro, &p), N), WW_COMPILE, kernel_by_macro, "WW_KERNEL",
                 "'FACTOR'", "");
    /* It is no better when it is called again; and one that is right is not taken for another. */
    EXPECT_FOUND(map_numbers(device, &by_macro_ww), WW_COMPILE, by_macro, "WW_MAP", "'FACTOR'", "");
    for (int again = 0; again < 3; again++) assert_int_equal(map_numbers(device, &listed_ww), WW_OK);
    unsetenv("WARPWISE_EMU_CXX");
    ww_close(device);
}

static void texts(void **state) {
    (void)state;
    if (!compiler_is_there()) return;
    texts_by(NULL);
    if (system("clang++ --version >/dev/null 2>&1"))
        left_out("texts by clang++, which is not here");
    else
        texts_by("clang++");
}

/* ---- notes ---- */

WW_STRUCT(lookup, {
    uint32_t many;
    const uint32_t *entry;
});
WW_MAP(look, uint32_t, uint32_t, x, lookup, l, { return x < l->many ? l->entry[x] : 0; });

WW_MAP(look_up, uint32_t, uint32_t, x, uint32_t, entry, { return entry[x % 4]; });

static void expect_note(const char *text, const char *words, bool wanted) {
    if (!strstr(text, words) != !wanted) fprintf(stderr, "%s\n", text);
    expect(!strstr(text, words) == !wanted);
}

static void notes(void **state) {
    (void)state;
    char text[8192];
    ww_device *device;
    void *block;
    setenv("WARPWISE_CHECK", "1", 1);
    assert_int_equal(ww_open("cpu:threads=1", &device), WW_OK);
    unsetenv("WARPWISE_CHECK");
    assert_int_equal(ww_alloc(device, sizeof numbers, &block), WW_OK);
    const ww_input in = ww_memory(numbers, N), reached = ww_memory((uint32_t *)block, N);
    const ww_array out = ww_array(numbers_out, N), reached_out = ww_array((uint32_t *)block, N);
    lookup l = {4, table};

    CASE("check", "notes");
    traced t = traced_begin();
    ww_sort(device, in, ww_no_input, reached_out, ww_none, NULL);
    ww_sort(device, in, ww_no_input, reached_out, ww_none, NULL);
    traced_end(&t, text, sizeof text);
    expect_note(text, "warpwise: check: ww_sort: a GPU would have to stage keys (4000 bytes in); ", true);
    expect(strstr(text, "stage") == strstr(text, "stage") && !strstr(strstr(text, "stage") + 1, "stage")); /* once */

    t = traced_begin();
    ww_sort(device, reached, ww_no_input, out, ww_none, NULL);
    ww_store(device, reached, reached_out);
    ww_store(device, ww_memory((uint32_t *)block, 1), ww_array(numbers_out, 1));
    ww_reduce(device, &ww_add, reached, ww_array(numbers_out, 1));
    traced_end(&t, text, sizeof text);
    expect_note(text, "stage keys_out (4000 bytes out)", true);
    expect_note(text, "ww_store", false);
    expect_note(text, "ww_reduce", false);

    t = traced_begin();
    ww_map(device, ww_with(look, &l), reached, reached_out);
    traced_end(&t, text, sizeof text);
    expect_note(text, "WW_MAP look is given entry, a pointer to memory that is not from ww_alloc", true);
    t = traced_begin();
    l.entry = block;
    ww_store(device, ww_mapped(ww_with(look, &l), ww_memory((uint32_t *)block, 4)), ww_array((uint32_t *)block + 8, 4));
    traced_end(&t, text, sizeof text);
    expect_note(text, "look", false);

    /* Arrays that functions read are staged as others are; what is one element goes with the call. */
    t = traced_begin();
    ww_map(device, ww_with_array(look_up, table, 4), reached, reached_out);
    assert_int_equal(ww_pack_if(device, ww_with_array(look_up, table, 4), ww_memory((uint32_t *)block, N / 2),
                                ww_array((uint32_t *)block + N / 2, N / 2), ww_array(one, 1), NULL),
                     WW_OK);
    traced_end(&t, text, sizeof text);
    expect_note(text, "ww_map: a GPU would have to stage f (16 bytes in)", true);
    expect_note(text, "ww_pack_if: a GPU would have to stage keep (16 bytes in)", true);

    assert_int_equal(ww_free(device, block), WW_OK);
    t = traced_begin();
    ww_store(device, reached, out);
    traced_end(&t, text, sizeof text);
    expect_note(text, "stage in (4000 bytes in), out (4000 bytes out)", true);
    ww_close(device);
}

/* Where there is no compiler, or it does not do what it is asked, the rest is tried, and a note says so once. */
static void strange_compiler(void **state) {
    (void)state;
    char text[8192];
    ww_device *device;
    if (!compiler_is_there()) return;
    static const char *const compilers[] = {"/nowhere/c++", "false", "c++ --no-such-option"};
    for (size_t c = 0; c < sizeof compilers / sizeof *compilers; c++) {
        CASE("check", "compiler %s", compilers[c]);
        if (!case_wanted()) continue;
        setenv("WARPWISE_CHECK", "1", 1);
        setenv("WARPWISE_EMU_CXX", compilers[c], 1);
        assert_int_equal(ww_open("cpu", &device), WW_OK);
        traced t = traced_begin();
        const ww_status status = map_numbers(device, &by_macro_ww);
        traced_end(&t, text, sizeof text);
        unsetenv("WARPWISE_EMU_CXX");
        unsetenv("WARPWISE_CHECK");
        expect_status(device, status, WW_OK);
        expect_note(text, "functions are not compiled as a GPU would have them: ", true);
        ww_close(device);
    }
}

static void without_compiler(void **state) {
    (void)state;
    char text[8192];
    ww_device *device;
    CASE("check", "without a compiler");
    setenv("WARPWISE_CHECK", "1", 1);
    hide_emulator(true);
    assert_int_equal(ww_open("cpu", &device), WW_OK);
    traced t = traced_begin();
    const ww_status right = map_numbers(device, &by_macro_ww), wrong = reduce_numbers(device, &product_ww);
    traced_end(&t, text, sizeof text);
    unsetenv("WARPWISE_CHECK");
    hide_emulator(false);
    expect(right == WW_OK && wrong == WW_INVALID);
    expect_note(text, "functions are not compiled as a GPU would have them: the emulator is not installed", true);
    ww_close(device);
}

/* ---- whether it is on ---- */

static bool finds(const char *variable, uint32_t checks) {
    ww_open_options o = WW_OPEN_OPTIONS;
    ww_device *device;
    o.checks = checks;
    if (variable) setenv("WARPWISE_CHECK", variable, 1);
    assert_int_equal(ww_open_with("cpu", &device, &o), WW_OK);
    unsetenv("WARPWISE_CHECK");
    const ww_status status = reduce_numbers(device, &product_ww);
    ww_close(device);
    return status == WW_INVALID;
}

static void switches(void **state) {
    (void)state;
    CASE("check", "switches");
    traced t = traced_begin(); /* WARPWISE_CHECK prints notes */
    char text[8192];
    const bool right = !finds(NULL, WW_CHECKS_AUTO) && !finds("0", WW_CHECKS_AUTO) && !finds("", WW_CHECKS_AUTO) &&
                       !finds("1", WW_CHECKS_OFF) && finds("1", WW_CHECKS_AUTO) && finds(NULL, WW_CHECKS_ON);
    traced_end(&t, text, sizeof text);
    expect(right);
    ww_open_options o = WW_OPEN_OPTIONS;
    ww_device *device;
    o.checks = 3;
    assert_int_equal(ww_open_with("cpu", &device, &o), WW_INVALID);
    expect_sentence(device, "options.checks is 3");
    ww_close(device);
    /* The handle, and what it tries functions in. */
    o.checks = WW_CHECKS_ON;
    for (size_t fail_at = 0; fail_at < 3; fail_at++) {
        counting_allocator counter = {.fail_at = fail_at};
        o.allocator = counting_allocator_use(&counter);
        const ww_status status = ww_open_with("cpu", &device, &o);
        expect(status == (counter.requests > fail_at ? WW_MEMORY : WW_OK));
        ww_close(device);
        expect(!counter.live_blocks && !counter.live_bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(operators),
                                       cmocka_unit_test(orders),
                                       cmocka_unit_test(maps),
                                       cmocka_unit_test(texts),
                                       cmocka_unit_test(notes),
                                       cmocka_unit_test(without_compiler),
                                       cmocka_unit_test(strange_compiler),
                                       cmocka_unit_test(switches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
