/* Sparse matrices times vectors, against loops over rows: all types, shapes of rows, numbers of vectors, factors; what is wrong with
 * matrices; and that floats' bits do not depend on the setting. */
#include <math.h>
#include <stdio.h>

#include "reference/spmv.h"
#include "support/cases.h"

/* ---- matrices ---- */

typedef enum rows_shape {
    EVEN,      /* rows of 7 or so entries */
    POWER_LAW, /* few long rows */
    ONE_LONG,  /* one row has nearly all */
    ALL_EMPTY,
    MOSTLY_EMPTY,
    LONG_ROWS, /* rows of several tiles each */
    ROWS_SHAPES
} rows_shape;
static const char *const shape_names[] = {"even", "power law", "one long", "all empty", "mostly empty", "long rows"};

typedef struct matrix {
    size_t rows, width, entries;
    uint64_t *offsets, *columns, *values; /* values are small */
} matrix;

static size_t row_length(rows_shape shape, size_t row, size_t rows, uint64_t *state) {
    const uint64_t random = random_next(state);
    switch (shape) {
    case EVEN:
        return random % 15;
    case POWER_LAW:
        return random % 64 ? random % 5 : random % 4096 ? random % 200 : 20000;
    case ONE_LONG:
        return row == rows / 2 ? 30000 : row % 3 == 0;
    case MOSTLY_EMPTY:
        return random % 100 ? 0 : random % 40;
    case LONG_ROWS:
        return row % 2 ? 9000 + random % 5000 : 4096;
    default:
        return 0;
    }
}

static matrix matrix_new(rows_shape shape, size_t rows, size_t width, uint64_t seed) {
    matrix m = {rows, width, 0, need(8 * (rows + 1)), NULL, NULL};
    uint64_t state = seed;
    for (size_t r = 0; r < rows; r++) {
        m.offsets[r] = m.entries;
        m.entries += width ? row_length(shape, r, rows, &state) : 0;
    }
    m.offsets[rows] = m.entries;
    m.columns = need(8 * m.entries);
    m.values = need(8 * m.entries);
    for (size_t k = 0; k < m.entries; k++) {
        m.columns[k] = random_next(&state) % width;
        m.values[k] = random_next(&state) % 8;
    }
    return m;
}

static void matrix_free(matrix *m) {
    free(m->offsets);
    free(m->columns);
    free(m->values);
}

/* Numbers as another type's. */
static void *as(const ww_type *type, const uint64_t *x, size_t n) {
    unsigned char *out = need(n * type->size);
    for (size_t i = 0; i < n; i++) {
        const float f = (float)x[i];
        const double d = (double)x[i];
        const void *from = type == &ww_type_float    ? (const void *)&f
                           : type == &ww_type_double ? (const void *)&d
                                                     : &x[i];
        memcpy(out + i * type->size, from, type->size);
    }
    return out;
}

/* ---- all types: small whole numbers, whose sums are exact in any order ---- */

static const ww_type *const elements[] = {&ww_type_float,   &ww_type_double,   &ww_type_uint32_t,
                                          &ww_type_int32_t, &ww_type_uint64_t, &ww_type_int64_t};
static const ww_type *const indices[] = {&ww_type_uint32_t, &ww_type_int32_t, &ww_type_uint64_t, &ww_type_int64_t};

typedef struct factors {
    const char *name;
    int alpha, beta; /* -1: not given */
} factors;
static const factors all_factors[] = {{"", -1, -1}, {"alpha", 3, -1}, {"beta", -1, 1}, {"both", 2, 3}, {"none", 0, 0}};

static ww_value value_of(const ww_type *type, const unsigned char *bytes, int factor) {
    return factor < 0 ? ww_no_value : ww_value_of(bytes, type);
}

static void check_exact(ww_device *device, const char *setting, const matrix *m, const char *shape, const ww_type *type,
                        const ww_type *column, const ww_type *offset, size_t vectors, const factors *f) {
    CASE("spmv", "%s %s %s columns=%s offsets=%s rows=%zu entries=%zu vectors=%zu %s", setting, shape, type->label,
         column->label, offset->label, m->rows, m->entries, vectors, f->name);
    if (!case_wanted()) return;
    const size_t xs = m->width * vectors, ys = m->rows * vectors;
    uint64_t *x = need(8 * xs), *before = need(8 * ys), *wanted = need(8 * ys);
    uint64_t state = seed_of_run() + ys;
    for (size_t i = 0; i < xs; i++) x[i] = random_next(&state) % 8;
    for (size_t i = 0; i < ys; i++) before[i] = random_next(&state) % 100;
    reference_spmv_u64(m->values, m->columns, m->offsets, m->rows, x, vectors, wanted);
    for (size_t i = 0; i < ys; i++)
        wanted[i] = (f->alpha < 0 ? 1 : (uint64_t)f->alpha) * wanted[i] +
                    (f->beta < 0 ? 0 : (uint64_t)f->beta) * before[i];
    void *const values_of = as(type, m->values, m->entries), *const x_of = as(type, x, xs);
    void *const columns_of = as(column, m->columns, m->entries), *const offsets_of = as(offset, m->offsets,
                                                                                        m->rows + 1);
    void *const before_of = as(type, before, ys), *const wanted_of = as(type, wanted, ys);
    const uint64_t alpha = f->alpha < 0 ? 1 : (uint64_t)f->alpha, beta = f->beta < 0 ? 0 : (uint64_t)f->beta;
    void *const alpha_of = as(type, &alpha, 1), *const beta_of = as(type, &beta, 1);
    guarded y = guarded_new(ys * type->size);
    if (f->beta > 0 && ys) memcpy(y.data, before_of, ys * type->size); /* else y is poison, which is not read */
    ww_spmv_options o = WW_SPMV_OPTIONS;
    o.alpha = value_of(type, alpha_of, f->alpha);
    o.beta = value_of(type, beta_of, f->beta);
    const ww_input values = ww_memory_of(values_of, m->entries, type),
                   columns = ww_memory_of(columns_of, m->entries, column);
    const ww_input offsets = ww_memory_of(offsets_of, m->rows + 1, offset), xs_in = ww_memory_of(x_of, xs, type);
    const ww_array out = ww_array_of(y.data, ys, type);
    const ww_spmv_options *const options = f->alpha < 0 && f->beta < 0 ? NULL : &o;
    for (int call = 0; call < (f->beta > 0 ? 1 : 2); call++) /* the second finds what the first has left on the device */
        expect_status(device,
                      vectors == 1 ? ww_spmv(device, values, columns, offsets, xs_in, out, options)
                                   : ww_spmm(device, values, columns, offsets, xs_in, vectors, out, options),
                      WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    expect_elements(y.data, wanted_of, ys, type->size);
    guarded_check(&y);
    guarded_free(&y);
    void *const all[] = {x,          before,    wanted,    values_of, x_of,   columns_of,
                         offsets_of, before_of, wanted_of, alpha_of,  beta_of};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static void exact(void **state) {
    static const size_t many[] = {1, 2, 3, 8, 13, 64};
    static const size_t sizes[] = {1, 2, 31, 700, 4095, 4096, 4097, 9000};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        size_t turn = 0;
        for (int shape = 0; shape < ROWS_SHAPES; shape++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                const size_t rows = shape == LONG_ROWS ? sizes[i] % 13 + 1 : sizes[i];
                if (on_emulator() && (rows > 4097 || (int)(i % 2) != shape % 2)) continue;
                matrix m = matrix_new((rows_shape)shape, rows, i % 3 ? 1000 : 77, seed_of_run() + rows);
                for (size_t k = 0; k < (on_gpu() ? 2 : 6); k++, turn++) {
                    const size_t vectors = turn % 2 ? 1 : many[turn / 2 % 6];
                    if (vectors * m.entries > 400000 || (on_emulator() && vectors * m.entries > 60000)) continue;
                    /* On the emulator, whose compiler takes long, a type has indices of one kind. */
                    const size_t type = turn % 6, column = on_emulator() ? type : turn / 2,
                                 offset = on_emulator() ? type / 2 : turn / 3;
                    check_exact(device, setting_name(s), &m, shape_names[shape], elements[type], indices[column % 4],
                                indices[offset % 4], vectors, &all_factors[turn % 5]);
                }
                matrix_free(&m);
            }
        ww_close(device);
    }
}

/* ---- floats: near the true sums, and the same bits for every number of threads and vector width ---- */

static void check_near(const double *got, const matrix *m, const double *values, const double *x, size_t vectors) {
    const size_t ys = m->rows * vectors;
    long double *wanted = need(ys * sizeof *wanted), *magnitude = need(ys * sizeof *magnitude);
    reference_spmv_f64(values, m->columns, m->offsets, m->rows, x, vectors, wanted, magnitude);
    for (size_t r = 0; r < m->rows; r++)
        for (size_t v = 0; v < vectors; v++) {
            const size_t i = r * vectors + v;
            const long double terms = (long double)(m->offsets[r + 1] - m->offsets[r]) + 1;
            expect(fabsl(got[i] - wanted[i]) <= terms * 0x1p-52L * magnitude[i]);
        }
    free(wanted);
    free(magnitude);
}

static void floats(void **state) {
    static const size_t many[] = {1, 4, 7};
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        const size_t rows = on_emulator() ? 300 : 20000, width = 5000, vectors = many[k];
        matrix m = matrix_new(k == 1 ? EVEN : on_emulator() ? MOSTLY_EMPTY : POWER_LAW, rows, width, 5 + k);
        double *values = need(8 * m.entries), *x = need(8 * width * vectors), *first = need(8 * rows * vectors);
        uint64_t random = seed_of_run();
        for (size_t i = 0; i < m.entries; i++) values[i] = (double)(int64_t)random_next(&random) * 0x1p-60;
        for (size_t i = 0; i < width * vectors; i++) x[i] = (double)(int64_t)random_next(&random) * 0x1p-63;
        for (size_t s = 0; s < setting_count(); s++) {
            ww_device *device = setting_open(s);
            CASE("spmv floats", "%s vectors=%zu", setting_name(s), vectors);
            if (s == 0 || case_wanted()) {
                guarded y = guarded_new(8 * rows * vectors);
                for (int again = 0; again < 2; again++) {
                    memset(y.data, 0xA5, y.bytes);
                    expect_status(device,
                                  ww_spmm(device, ww_memory(values, m.entries), ww_memory(m.columns, m.entries),
                                          ww_memory(m.offsets, rows + 1), ww_memory(x, width * vectors), vectors,
                                          ww_array((double *)y.data, rows * vectors), NULL),
                                  WW_OK);
                    expect_status(device, ww_sync(device), WW_OK);
                    if (s == 0 && !again) {
                        memcpy(first, y.data, y.bytes);
                        check_near(first, &m, values, x, vectors);
                    }
                    expect_elements(y.data, first, rows * vectors, 8);
                }
                guarded_check(&y);
                guarded_free(&y);
            }
            ww_close(device);
        }
        free(values);
        free(x);
        free(first);
        matrix_free(&m);
    }
}

/* ---- computed values and columns; offsets that begin behind 0 ---- */

WW_MAP(halved, double, uint32_t, x, void, none, { return x / 2.0; });

static void computed(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        CASE("spmv computed", "%s", setting_name(s));
        if (case_wanted()) {
            enum { ROWS = 500, SKIPPED = 10 };
            matrix m = matrix_new(EVEN, ROWS, 100, 3);
            uint64_t *offsets = need(8 * (ROWS + 1));
            double *x = need(8 * 100), *y = need(8 * ROWS);
            uint32_t *values = need(4 * (m.entries + SKIPPED));
            int32_t *columns = need(4 * (m.entries + SKIPPED));
            for (size_t i = 0; i < 100; i++) x[i] = (double)i;
            for (size_t i = 0; i < m.entries + SKIPPED; i++) {
                values[i] = i < SKIPPED ? 1000 : (uint32_t)m.values[i - SKIPPED];
                columns[i] = i < SKIPPED ? -5 : (int32_t)m.columns[i - SKIPPED]; /* what no row has is not looked at */
            }
            for (size_t r = 0; r <= ROWS; r++) offsets[r] = m.offsets[r] + SKIPPED;
            expect_status(device,
                          ww_spmv(device, ww_mapped(&halved_ww, ww_memory(values, m.entries + SKIPPED)),
                                  ww_memory(columns, m.entries + SKIPPED), ww_memory(offsets, ROWS + 1),
                                  ww_memory(x, 100), ww_array(y, ROWS), NULL),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t r = 0; r < ROWS; r++) {
                double sum = 0;
                for (uint64_t k = m.offsets[r]; k < m.offsets[r + 1]; k++)
                    sum += (double)m.values[k] / 2 * (double)m.columns[k];
                expect(y[r] == sum);
            }
            /* A graph without values: how many entries rows have, by vectors of ones. */
            for (size_t i = 0; i < 100; i++) x[i] = 1;
            expect_status(device,
                          ww_spmv(device, ww_constant(ww_value(double, 1), m.entries), ww_memory(m.columns, m.entries),
                                  ww_cast(&ww_type_uint32_t, ww_memory(m.offsets, ROWS + 1)), ww_memory(x, 100),
                                  ww_array(y, ROWS), NULL),
                          WW_OK);
            expect_status(device, ww_sync(device), WW_OK);
            for (size_t r = 0; r < ROWS; r++) expect(y[r] == (double)(m.offsets[r + 1] - m.offsets[r]));
            free(offsets);
            free(x);
            free(y);
            free(values);
            free(columns);
            matrix_free(&m);
        }
        ww_close(device);
    }
}

/* ---- constants for values, and vectors that are longer than near caches ---- */

static void check_constant(ww_device *device, const char *setting, const matrix *given, const ww_type *type,
                           const ww_type *column, uint64_t constant) {
    CASE("spmv constant", "%s %s columns=%s rows=%zu width=%zu of %d", setting, type->label, column->label, given->rows,
         given->width, (int)constant);
    if (!case_wanted()) return;
    const matrix m = *given;
    uint64_t *x = need(8 * m.width), *wanted = need(8 * m.rows), *values = need(8 * m.entries);
    for (size_t i = 0; i < m.width; i++) x[i] = i % 251;
    for (size_t k = 0; k < m.entries; k++) values[k] = constant;
    reference_spmv_u64(values, m.columns, m.offsets, m.rows, x, 1, wanted);
    void *const value_of = as(type, &constant, 1), *const values_of = as(type, values, m.entries);
    void *const x_of = as(type, x, m.width), *const columns_of = as(column, m.columns, m.entries);
    void *const wanted_of = as(type, wanted, m.rows);
    for (int in_memory = 0; in_memory < 2; in_memory++) {
        guarded y = guarded_new(m.rows * type->size);
        expect_status(device,
                      ww_spmv(device,
                              in_memory ? ww_memory_of(values_of, m.entries, type)
                                        : ww_constant(ww_value_of(value_of, type), m.entries),
                              ww_memory_of(columns_of, m.entries, column), ww_memory(m.offsets, m.rows + 1),
                              ww_memory_of(x_of, m.width, type), ww_array_of(y.data, m.rows, type), NULL),
                      WW_OK);
        expect_status(device, ww_sync(device), WW_OK);
        expect_elements(y.data, wanted_of, m.rows, type->size);
        guarded_check(&y);
        guarded_free(&y);
    }
    void *const all[] = {x, wanted, values, value_of, values_of, x_of, columns_of, wanted_of};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static void constants(void **state) {
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (int far = 0; far < 2; far++)
            for (int shape = 0; shape < 2; shape++) {
                matrix m = matrix_new(shape ? LONG_ROWS : EVEN, shape ? 3 : 2000, far ? 140000 : 300,
                                      seed_of_run() + 5);
                for (size_t e = 0; e < sizeof elements / sizeof *elements; e++)
                    for (uint64_t constant = 0; constant < 3; constant++)
                        if (!on_emulator() || (e + constant + (size_t)far + (size_t)shape) % 3 == 0)
                            check_constant(device, setting_name(s), &m, elements[e], indices[(e + (size_t)far) % 4],
                                           constant);
                matrix_free(&m);
            }
        ww_close(device);
    }
}

/* ---- what is wrong with a matrix ---- */

typedef struct broken {
    const char *name;
    size_t at;       /* of the offsets or columns */
    uint64_t number; /* what stands there */
    bool offset;
    const char *said;
} broken;

static void check_broken(ww_device *device, const char *setting, const ww_type *type, const broken *b) {
    CASE("spmv broken", "%s %s %s", setting, type->label, b->name);
    if (!case_wanted()) return;
    enum { ROWS = 5000, WIDTH = 300 };
    matrix m = matrix_new(EVEN, ROWS, WIDTH, 9);
    (b->offset ? m.offsets : m.columns)[b->at] = b->number;
    void *const columns = as(type, m.columns, m.entries), *const offsets = as(type, m.offsets, ROWS + 1);
    float *values = need(4 * m.entries), *x = need(4 * WIDTH);
    guarded y = guarded_new(4 * ROWS);
    for (size_t k = 0; k < m.entries; k++) values[k] = 1;
    for (size_t k = 0; k < WIDTH; k++) x[k] = 1;
    ww_status status = ww_spmv(device, ww_memory(values, m.entries), ww_memory_of(columns, m.entries, type),
                               ww_memory_of(offsets, ROWS + 1, type), ww_memory(x, WIDTH),
                               ww_array((float *)y.data, ROWS), NULL);
    if (on_gpu() && !status) status = ww_sync(device);
    expect_status(device, status, WW_RANGE);
    expect_sentence(device, b->said);
    guarded_check(&y);
    guarded_free(&y);
    free(columns);
    free(offsets);
    free(values);
    free(x);
    matrix_free(&m);
}

static void broken_matrices(void **state) {
    static const broken all[] = {
        {"column", 4567, 300, false, "columns[4567] is 300, and the matrix has 300 columns"},
        {"column far", 17, 0x7FFFFFFF, false, "columns[17] is 2147483647"},
        {"offset falls", 3001, 7, true, "offsets[3001] is 7, below the one before it"},
        {"offset rises", 3001, 0x7FFFFFF0, true, "offsets[3001] is 2147483632"},
        {"first offset", 0, 0x7FFFFFF0, true, "offsets["},
        {"second offset", 1, 40000, true, "offsets["},
        {"last offset", 5000, 3, true, "offsets[5000] is 3, below the one before it"},
        {"last offset far", 5000, 0x7FFFFFF0, true, "offsets[5000] is 2147483632"},
    };
    static const broken negative[] = {
        {"negative column", 99, (uint64_t)-2, false, "columns[99] is -2"},
        {"negative offset", 77, (uint64_t)-3, true, "offsets[77] is -3, below 0"},
    };
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            for (size_t t = k % 2; t < 4; t += 2) check_broken(device, setting_name(s), indices[t], &all[k]);
        for (size_t k = 0; k < 2; k++)
            for (size_t t = 1; t < 4; t += 2) check_broken(device, setting_name(s), indices[t], &negative[k]);
        ww_close(device);
    }
}

static void bad_arguments(void **state) {
    (void)state;
    if (left_out_on_gpu("arguments are checked by the same code")) return;
    CASE("spmv", "bad arguments");
    ww_device *device = setting_open(0);
    const float v[3] = {1, 2, 3}, x[4] = {1, 1, 1, 1};
    const double d[3] = {1, 2, 3};
    const uint32_t c[3] = {0, 1, 2}, o[3] = {0, 1, 3};
    float y[6];
    const ww_input values = ww_memory(v, 3), columns = ww_memory(c, 3), offsets = ww_memory(o, 3), xs = ww_memory(x, 4);
    ww_spmv_options options = WW_SPMV_OPTIONS;
    expect_status(device, ww_spmv(device, values, columns, offsets, xs, ww_array(y, 3), NULL), WW_INVALID);
    expect_status(device, ww_spmv(device, values, ww_memory(c, 2), offsets, xs, ww_array(y, 2), NULL), WW_INVALID);
    expect_status(device, ww_spmv(device, values, columns, ww_memory(o, 0), xs, ww_array(y, 2), NULL), WW_INVALID);
    expect_status(device, ww_spmv(device, ww_memory(d, 3), columns, offsets, xs, ww_array(y, 2), NULL), WW_TYPE);
    expect_status(device, ww_spmv(device, values, values, offsets, xs, ww_array(y, 2), NULL), WW_TYPE);
    expect_status(device,
                  ww_spmv(device, values, columns, offsets, ww_constant(ww_value(float, 1), 4), ww_array(y, 2), NULL),
                  WW_INVALID);
    expect_status(device, ww_spmv(device, values, columns, offsets, ww_memory(y, 4), ww_array(y + 2, 2), NULL),
                  WW_OVERLAP);
    expect_status(device, ww_spmm(device, values, columns, offsets, xs, 0, ww_array(y, 2), NULL), WW_INVALID);
    expect_status(device, ww_spmm(device, values, columns, offsets, xs, 65, ww_array(y, 2), NULL), WW_INVALID);
    expect_status(device, ww_spmm(device, values, columns, offsets, xs, 3, ww_array(y, 6), NULL), WW_INVALID);
    expect_sentence(device, "x has 4 elements");
    options.beta = ww_value(double, 1);
    expect_status(device, ww_spmv(device, values, columns, offsets, xs, ww_array(y, 2), &options), WW_TYPE);
    options.size = 3;
    expect_status(device, ww_spmv(device, values, columns, offsets, xs, ww_array(y, 2), &options), WW_INVALID);
    expect_status(device, ww_spmv(device, values, columns, ww_memory(o, 1), xs, ww_array(y, 0), NULL), WW_OK);
    expect_status(device, ww_spmv(device, values, columns, offsets, xs, ww_array(y, 2), NULL), WW_OK);
    expect(y[0] == 1 && y[1] == 5);
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact),     cmocka_unit_test(floats),          cmocka_unit_test(computed),
        cmocka_unit_test(constants), cmocka_unit_test(broken_matrices), cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests_name("spmv", tests, NULL, NULL);
}
