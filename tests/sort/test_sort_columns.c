/* Rows by several columns against comparisons of rows: types, directions, numbers of columns that fit in one key and that do not, what
 * is carried, computed columns. */
#include <stdio.h>

#include "reference/sort_columns.h"
#include "support/cases.h"

enum { COLUMNS = 5, CARRIED = 3, CARRIED_BYTES = 12 };

/* The columns' types; some of them descend. */
typedef struct table {
    const char *name;
    const ww_type *type[COLUMNS + 1]; /* NULL behind the last */
    unsigned descending;              /* a bit for each */
    unsigned carried;                 /* how many columns go along */
    bool index, wide;                 /* an index is wanted; of u64 */
    bool sorted;                      /* the columns are wanted in their new order */
} table;

#define U8 &ww_type_uint8_t
#define U16 &ww_type_uint16_t
#define U32 &ww_type_uint32_t
#define U64 &ww_type_uint64_t
#define I8 &ww_type_int8_t
#define I16 &ww_type_int16_t
#define I32 &ww_type_int32_t
#define I64 &ww_type_int64_t
#define F32 &ww_type_float
#define F64 &ww_type_double

static const table tables[] = {
    {"u32 alone", {U32}, 0, 1, false, false, true},
    {"u8, u16 down", {U8, U16}, 2, 0, true, false, true},
    {"i32 down, f32", {I32, F32}, 1, 2, false, false, true},
    {"f32, i32 down", {F32, I32}, 2, 1, true, true, false},
    {"u8, i16, u8 down, u32", {U8, I16, U8, U32}, 4, 3, true, false, true},
    {"i64 down, u32", {I64, U32}, 1, 1, false, false, true},
    {"f64, f64 down", {F64, F64}, 2, 0, true, true, true},
    {"u64, f64 down, i8", {U64, F64, I8}, 2, 2, true, false, true},
    {"i8 down, u64, f32, i64 down", {I8, U64, F32, I64}, 9, 3, true, true, true},
    {"u16, u16, u16, u16, i64", {U16, U16, U16, U16, I64}, 5, 0, true, true, false},
    {"f32 down, u64, u64", {F32, U64, U64}, 1, 1, false, false, false},
    {"i64", {I64}, 0, 0, false, false, true},
};
enum { TABLES = sizeof tables / sizeof *tables };

/* Few different numbers where other columns decide, of both signs. */
static void fill_column(void *x, const ww_type *type, size_t n, size_t c, bool few) {
    uint64_t seed = seed_of_run() + c;
    fill(x, type, type->size, n, few ? FEW : c % 2 ? UNIFORM : ADVERSARIAL, seed + n);
}

static void check(ww_device *device, const char *setting, const table *t, size_t n, bool few, bool computed) {
    CASE("sort_columns", "%s %s n=%zu few=%d computed=%d", setting, t->name, n, few, computed);
    if (!case_wanted() || (on_emulator() && n > 9000)) return;
    ww_sort_column columns[COLUMNS];
    ww_carried_column carried[CARRIED];
    reference_column by[COLUMNS];
    guarded sorted[COLUMNS], out[CARRIED];
    void *x[COLUMNS], *in[CARRIED];
    size_t many = 0;
    for (; t->type[many]; many++) {
        const ww_type *type = t->type[many];
        x[many] = need(n * type->size + 1);
        fill_column(x[many], type, n, many, few || many + 1 < COLUMNS);
        by[many] = (reference_column){x[many], type, t->descending >> many & 1};
        sorted[many] = guarded_new(n * type->size);
        columns[many] = (ww_sort_column){ww_memory_of(x[many], n, type),
                                         t->sorted ? ww_array_of(sorted[many].data, n, type) : ww_none,
                                         by[many].descending,
                                         {0}};
    }
    static const size_t bytes[CARRIED] = {4, CARRIED_BYTES, 1};
    for (size_t c = 0; c < t->carried; c++) {
        in[c] = need(n * bytes[c] + 1);
        fill(in[c], &ww_type_record, bytes[c], n, UNIFORM, seed_of_run() + 7 * c);
        out[c] = guarded_new(n * bytes[c]);
        carried[c] = (ww_carried_column){ww_record_memory(in[c], n, bytes[c]), ww_records(out[c].data, n, bytes[c])};
    }
    guarded index = guarded_new(n * 8);
    const ww_array to = !t->index ? ww_none
                        : t->wide ? ww_array((uint64_t *)index.data, n)
                                  : ww_array((uint32_t *)index.data, n);
    uint64_t *wanted = need(n * 8 + 1);
    reference_sort_columns(by, many, wanted, n);
    expect_status(device, ww_sort_columns(device, columns, many, t->carried ? carried : NULL, t->carried, to), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = 0; t->index && i < n; i++)
        expect((t->wide ? ((uint64_t *)index.data)[i] : ((uint32_t *)index.data)[i]) == wanted[i]);
    for (size_t c = 0; c < many; c++) {
        const size_t size = t->type[c]->size;
        unsigned char *column = need(n * size + 1);
        for (size_t i = 0; i < n; i++) memcpy(column + i * size, (unsigned char *)x[c] + wanted[i] * size, size);
        if (t->sorted) expect_elements(sorted[c].data, column, n, size);
        guarded_check(&sorted[c]);
        guarded_free(&sorted[c]);
        free(column);
        free(x[c]);
    }
    for (size_t c = 0; c < t->carried; c++) {
        unsigned char *column = need(n * bytes[c] + 1);
        for (size_t i = 0; i < n; i++)
            memcpy(column + i * bytes[c], (unsigned char *)in[c] + wanted[i] * bytes[c], bytes[c]);
        expect_elements(out[c].data, column, n, bytes[c]);
        guarded_check(&out[c]);
        guarded_free(&out[c]);
        free(column);
        free(in[c]);
    }
    guarded_check(&index);
    guarded_free(&index);
    free(wanted);
}

static void all_tables(void **state) {
    static const size_t sizes[] = {0, 1, 2, 3, 64, 1000, 4097, 30011};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t t = 0; t < TABLES; t++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes && (!on_emulator() || t % 2 == 0 || i == 5); i++)
                check(device, setting_name(s), &tables[t], sizes[i], i % 2, false);
        ww_close(device);
    }
}

static void large(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short() && !on_emulator(); s++) {
        ww_device *device = setting_open(s);
        check(device, setting_name(s), &tables[2], 400000, true, false);
        check(device, setting_name(s), &tables[8], 300000, true, false);
        ww_close(device);
    }
}

WW_MAP(next_number, int32_t, int32_t, x, void, none, { return x + 1; });
WW_MAP(halved, float, float, x, void, none, { return x / 2; });
WW_MAP(no_zero, float, float, x, void, none, { return x + 0.25f; });

/* Columns of many steps: the key is stored where it has too many, and floats are. */
static void computed(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        const size_t n = on_emulator() ? 3001 : 20011;
        CASE("sort_columns", "%s computed", setting_name(s));
        if (!case_wanted()) continue;
        ww_device *device = setting_open(s);
        int32_t *x = need(n * 4);
        float *y = need(n * 4), *halves = need(n * 4);
        uint32_t *index = need(n * 4);
        uint64_t *wanted = need(n * 8), seed = seed_of_run();
        for (size_t i = 0; i < n; i++) {
            x[i] = (int32_t)(random_next(&seed) % 9) - 4;
            y[i] = (float)(int)(random_next(&seed) % 100) - 50;
            halves[i] = y[i] / 2 + 0.25f;
        }
        ww_input long_one = ww_memory(x, n);
        for (int k = 1; k < WW_INPUT_STEPS; k++) long_one = ww_mapped(&next_number_ww, long_one);
        const ww_input floats = ww_mapped(&no_zero_ww, ww_mapped(&halved_ww, ww_memory(y, n)));
        const ww_input count = ww_counting(&ww_type_int64_t, 0, n);
        const ww_sort_column columns[] = {{long_one, ww_none, true, {0}},
                                          {floats, ww_none, false, {0}},
                                          {ww_mapped(&next_number_ww, ww_memory(x, n)), ww_none, false, {0}},
                                          {count, ww_none, true, {0}}};
        int64_t *counted = need(n * 8);
        for (size_t i = 0; i < n; i++) counted[i] = (int64_t)i;
        const reference_column by[] = {{x, &ww_type_int32_t, true},
                                       {halves, &ww_type_float, false},
                                       {x, &ww_type_int32_t, false},
                                       {counted, &ww_type_int64_t, true}};
        for (size_t many = 2; many <= 4; many++) {
            reference_sort_columns(by, many, wanted, n);
            expect_status(device, ww_sort_columns(device, columns, many, NULL, 0, ww_array(index, n)), WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t i = 0; i < n; i++) expect(index[i] == wanted[i]);
        }
        free(counted);
        free(wanted);
        free(index);
        free(halves);
        free(y);
        free(x);
        ww_close(device);
    }
}

static void errors(void **state) {
    (void)state;
    CASE("sort_columns", "errors");
    if (!case_wanted()) return;
    ww_device *device = setting_open(0);
    uint32_t *x = need(8 * 4), *y = need(8 * 4), *out = need(8 * 4);
    memset(x, 0, 32);
    memset(y, 0, 32);
    memset(out, 0x5A, 32);
    const ww_input in = ww_memory(x, 8);
    const ww_array none = ww_none, index = ww_array(out, 8);
    ww_sort_column c[9];
    for (size_t k = 0; k < 9; k++) c[k] = (ww_sort_column){in, none, false, {0}};
    ww_carried_column with = {ww_memory(y, 8), ww_array(out, 8)};
#define REFUSED(status, call, ...) \
    do { \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
        for (size_t i = 0; i < 8; i++) expect(out[i] == 0x5A5A5A5A); \
    } while (0)
    REFUSED(WW_INVALID, ww_sort_columns(device, NULL, 2, NULL, 0, index), "ww_sort_columns: there are no columns");
    REFUSED(WW_INVALID, ww_sort_columns(device, c, 0, NULL, 0, index), "there are no columns");
    REFUSED(WW_LIMIT, ww_sort_columns(device, c, 9, NULL, 0, index), "9 columns sort", "8 can be");
    c[1].keys = ww_memory(y, 7);
    REFUSED(WW_INVALID, ww_sort_columns(device, c, 2, NULL, 0, index), "a column has 7 elements", "8");
    c[1].keys = ww_record_memory(y, 8, 4);
    REFUSED(WW_TYPE, ww_sort_columns(device, c, 2, NULL, 0, index), "integers of up to 64 bits or floats");
    c[1].keys = ww_no_input;
    REFUSED(WW_INVALID, ww_sort_columns(device, c, 2, NULL, 0, index), "a column is missing");
    c[1].keys = in;
    c[1].sorted = ww_array((float *)(void *)out, 8);
    REFUSED(WW_TYPE, ww_sort_columns(device, c, 2, NULL, 0, none), "f32");
    c[1].sorted = ww_array(out, 7);
    REFUSED(WW_INVALID, ww_sort_columns(device, c, 2, NULL, 0, none), "an output has 7 elements", "8 rows");
    c[1].sorted = ww_array(x, 8);
    REFUSED(WW_OVERLAP, ww_sort_columns(device, c, 2, NULL, 0, none), "an output", "a column");
    c[1].sorted = none;
    REFUSED(WW_OVERLAP, ww_sort_columns(device, c, 2, &with, 1, index), "an output", "another output");
    with.in = ww_memory(y, 7);
    REFUSED(WW_INVALID, ww_sort_columns(device, c, 2, &with, 1, none), "a carried column has 7 elements");
    with.in = ww_memory((float *)(void *)y, 8);
    REFUSED(WW_TYPE, ww_sort_columns(device, c, 2, &with, 1, none), "f32");
    REFUSED(WW_TYPE, ww_sort_columns(device, c, 2, NULL, 0, ww_array((int32_t *)(void *)out, 8)), "index_out");
    c[0].reserved[3] = 1;
    REFUSED(WW_INVALID, ww_sort_columns(device, c, 2, NULL, 0, index), "options that this version does not have");
    free(x);
    free(y);
    free(out);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_tables),
        cmocka_unit_test(large),
        cmocka_unit_test(computed),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
