/* Every kernel's text compiles for the GPUs that we support, over the table of types; no GPU is needed. */
#include <stdio.h>

#include "device/device.h"
#include "device/gpu/gpu.h"
#include "device/gpu/kernels.h"
#include "device/look_back_text.h"
#include "multisplit/ranking_text.h"
#include "primitive/histogram_halves_text.h"
#include "support/cases.h"
#include "support/compile_only.h"
#include "support/scan_operations.h"

enum { N = 1000, TARGETS = 4 };

/* A program takes NVRTC 0.5 CPU seconds as users get it, 0.14 when it hardly optimises, and 0.05 when it stops at PTX. So they
 * become PTX for sm_90, which is looked into for what the assembler would refuse: of those that differ by type or operator alone
 * a third each day. And one of 8 * `turns` becomes machine code for another architecture, each of the
 * three on every third day, one of them optimised. Those that stand alone, without a loop, have a turn's number, too, so that
 * each architecture has some of every family: turn 0 is sm_75's, 1 sm_80's, 3 sm_100's. */
static const struct {
    const char *name;
    int architecture;
    bool all;
    unsigned day; /* modulo 3 */
    compile_only_effort effort;
} targets[TARGETS] = {{"sm_75, quickly", 75, false, 0, COMPILE_QUICKLY},
                      {"sm_80", 80, false, 1, COMPILE_FULLY},
                      {"sm_90, PTX", 90, true, 0, COMPILE_TO_PTX},
                      {"sm_100, quickly", 100, false, 2, COMPILE_QUICKLY}};
static ww_device *devices[TARGETS]; /* loading NVRTC takes as long as a program */
static size_t target;

typedef void calls(ww_device *device);

static bool take_turn(size_t turn, size_t turns) {
    if (targets[target].all) return turns == 1 || turn % 3 == day_of_run() % 3;
    return turn % (8 * turns) == target % (8 * turns);
}

static void for_each_target(calls *run) {
    for (target = 0; target < TARGETS; target++) {
        if (!targets[target].all && (tests_are_short() || targets[target].day != day_of_run() % 3)) continue;
        CASE("kernels", "%s", targets[target].name);
        if (!case_wanted()) continue;
        if (!devices[target]) devices[target] = compile_only_open(targets[target].architecture, targets[target].effort);
        if (!devices[target]) return;
        run(devices[target]);
    }
}

static int close_all(void **state) {
    (void)state;
    for (size_t t = 0; t < TARGETS; t++) ww_close(devices[t]);
    return 0;
}

static _Alignas(64) unsigned char in_bytes[N * 2048], out_bytes[N * 2048], flags[N];

static ww_input in_of(const ww_type *type) { return ww_memory_of(in_bytes, N, type); }
static ww_array out_of(const ww_type *type) { return ww_array_of(out_bytes, N, type); }

static const ww_type *const types[] = {&ww_type_uint8_t, &ww_type_uint16_t, &ww_type_uint32_t, &ww_type_uint64_t,
                                       &ww_type_int8_t,  &ww_type_int16_t,  &ww_type_int32_t,  &ww_type_int64_t,
                                       &ww_type_ww_u128, &ww_type_float,    &ww_type_double,   &ww_type_ww_i128};
enum { TYPES = sizeof types / sizeof *types };

WW_STRUCT(ranks, {
    uint32_t *out;
    uint32_t add;
});
WW_MAP(is_above, float, double, x, double, least, { return x > *least ? 0.5f : 0; });
WW_MAP(looked, double, uint32_t, i, double, table, { return table[i]; });
WW_STRUCT(page, { uint32_t word[300]; });
WW_KERNEL(write_ranks, ranks, a, rank, { a->out[rank] = (uint32_t)rank + a->add; });

WW_STRUCT(tile_of_ranks, {
    uint32_t x[300];
    float y;
    uint64_t z;
});
WW_BLOCK_KERNEL(write_tiles, ranks, a, tile_of_ranks, t, block, {
    WW_LANES(i, 300) { t->x[299 - i] = (uint32_t)block + i; }
    if (t->x[0] > 3) WW_LANES(i, 1) {
            ww_atomic_store(&t->y, 1);
        }
    WW_LANES(i, t->x[1]) { ww_atomic_store(&t->z, ww_atomic_load(&t->z) + 1); }
    WW_LANES(i, 300) { a->out[block * 300 + i] = t->x[i] + a->add + (uint32_t)ww_atomic_load(&t->y); }
});

WW_STRUCT(joined, {
    double a;
    uint64_t b;
    float c;
    uint32_t d;
});

WW_WINDOW(three, uint64_t, uint64_t, x, 1, 1, void, none, { return x[-1] + 2 * x[0] + x[1]; });

/* Views, casts between all types, indices of every type, and zips. */
static void views(ww_device *device) {
    static const ww_type *const indices[] = {&ww_type_uint32_t, &ww_type_uint64_t, &ww_type_int32_t, &ww_type_int64_t};
    for (size_t f = 0; f < TYPES; f++)
        for (size_t t = 0; t < TYPES; t++) {
            const bool numbers = types[f]->kind < WW_KIND_RECORD && types[t]->kind < WW_KIND_RECORD;
            if (f == t || !numbers || !take_turn(f + t, 4)) continue;
            expect_status(device, ww_store(device, ww_cast(types[t], ww_reversed(in_of(types[f]))), out_of(types[t])),
                          WW_OK);
        }
    const ww_input bits = ww_permuted(in_of(&ww_type_uint64_t), in_of(indices[day_of_run() % 4]));
    const ww_input zip = ww_zip(&joined_ww, ww_strided(in_of(&ww_type_double), 0, 1, N), bits,
                                ww_cast(&ww_type_float, ww_reversed(ww_counting(&ww_type_uint32_t, 0, N))),
                                in_of(&ww_type_uint32_t));
    expect_status(device, ww_store(device, zip, ww_array_of(out_bytes, N, &joined_ww)), WW_OK);
    /* Windows on what is computed, one of them on a window. */
    const ww_input squares = ww_mapped(&square_ww, in_of(&ww_type_uint32_t));
    const ww_input near = ww_window(&three_ww, squares, WW_BORDER_WRAP, ww_no_value);
    expect_status(
        device,
        ww_store(device, ww_window(&three_ww, near, WW_BORDER_VALUE, ww_value(uint64_t, 1)), out_of(&ww_type_uint64_t)),
        WW_OK);
}

/* Floats of 16 bits: each once, in what has words of its own for them. */
static void halves(ww_device *device) {
    static const ww_type *const of[] = {&ww_type_ww_f16, &ww_type_ww_bf16};
    for (size_t t = 0; t < 2; t++) {
        const ww_input in = in_of(of[t]), index = ww_memory((uint32_t *)(void *)flags, N / 4);
        const ww_type *other = types[(day_of_run() + t) % TYPES];
        if (take_turn(t, 2)) {
            expect_status(device, ww_store(device, ww_cast(of[t], in_of(of[1 - t])), out_of(of[t])), WW_OK);
            expect_status(device, ww_store(device, ww_cast(of[t], in_of(other)), out_of(of[t])), WW_OK);
            expect_status(device, ww_store(device, ww_cast(other, in), out_of(other)), WW_OK);
        }
        if (take_turn(t + 1, 2)) {
            expect_status(device, ww_scan(device, &ww_add, in, out_of(of[t]), NULL), WW_OK);
            expect_status(device, ww_adjacent_difference(device, in, out_of(of[t])), WW_OK);
            expect_status(device,
                          ww_scatter(device, ww_memory_of(in_bytes, N / 4, of[t]), index, out_of(of[t]),
                                     ww_scatter_by(t ? WW_CONFLICT_ADD : WW_CONFLICT_MIN)),
                          WW_OK);
        }
    }
}

static void maps(ww_device *device) {
    views(device);
    halves(device);
    /* Memory would be copied by the driver. */
    for (size_t t = 0; t < TYPES; t++)
        if (take_turn(t, 2))
            expect_status(device, ww_store(device, ww_constant(ww_value_of(in_bytes, types[t]), N), out_of(types[t])),
                          WW_OK);
    expect_status(device, ww_map(device, &square_ww, ww_counting(&ww_type_uint32_t, 5, N), out_of(&ww_type_uint64_t)),
                  WW_OK);
    const ranks arguments = {(uint32_t *)(void *)out_bytes, 1};
    expect_status(device, ww_launch(device, ww_with(write_ranks, &arguments), N), WW_OK);
    expect_status(device, ww_launch(device, ww_with(write_tiles, &arguments), N), WW_OK);
    /* Environments and a constant that kernels get a pointer to. */
    const double *const table = (const double *)(uintptr_t)((uintptr_t)1 << 60);
    const ww_input looked_up = ww_mapped(ww_with_array(looked, table, 1000), ww_counting(&ww_type_uint32_t, 0, N));
    const ww_input chain = ww_mapped(ww_with_array(is_above, table, 3), looked_up);
    expect_status(device, ww_store(device, chain, out_of(&ww_type_float)), WW_OK);
    expect_status(device, ww_launch(device, ww_with_array(write_ranks, (const ranks *)(const void *)table, 2), N),
                  WW_OK);
    expect_status(device,
                  ww_pack_if(device, ww_with_array(is_above, table, 7), in_of(&ww_type_double), out_of(&ww_type_double),
                             ww_array_of(flags, 1, &ww_type_uint64_t), NULL),
                  WW_OK);
    expect_status(
        device, ww_store(device, ww_constant(ww_value_of(in_bytes, &page_ww), N), ww_array_of(out_bytes, N, &page_ww)),
        WW_OK);
}

static void scans(ww_device *device) {
    for (size_t o = 0; o < OPERATIONS + USER_OPERATIONS; o++) {
        const operation *op = o < OPERATIONS ? &operations[o] : &user_operations[o - OPERATIONS];
        if (op->type->size > 1024 || !take_turn(o, 5)) continue; /* above the GPU's limit */
        ww_scan_options options = WW_SCAN_OPTIONS;
        options.exclusive = o % 2;
        expect_status(device, ww_scan(device, op->op, in_of(op->type), out_of(op->type), &options), WW_OK);
        if (o % 3 && o < OPERATIONS) continue;
        options.initial = ww_value_of(op->op->role == WW_ROLE_COMBINE ? op->op->identity : in_bytes, op->type);
        expect_status(
            device, ww_scan_segmented(device, op->op, in_of(op->type), ww_memory(flags, N), out_of(op->type), &options),
            WW_OK);
        options.initial = ww_no_value;
        expect_status(
            device,
            ww_scan_by_key(device, op->op, in_of(types[o % TYPES]), in_of(op->type), out_of(op->type), &options),
            WW_OK);
    }
    for (ww_scan_method m = WW_SCAN_HILLIS_STEELE; m <= WW_SCAN_BLELLOCH; m++) {
        ww_scan_options options = WW_SCAN_OPTIONS;
        options.method = m;
        if (!take_turn(m, 2)) continue;
        const ww_array floats = out_of(&ww_type_float), matrices = out_of(&matrix_ww);
        expect_status(device, ww_scan(device, &ww_add, in_of(&ww_type_float), floats, &options), WW_OK);
        expect_status(
            device, ww_scan_segmented(device, &multiply_ww, in_of(&matrix_ww), ww_memory(flags, N), matrices, &options),
            WW_OK);
        expect_status(device,
                      ww_scan_by_key(device, &ww_add, in_of(&ww_type_ww_u128), in_of(&ww_type_float), floats, &options),
                      WW_OK);
    }
}

static void reductions(ww_device *device) {
    static const ww_function *const built_in[] = {&ww_add, &ww_mul, &ww_min, &ww_max, &ww_and, &ww_or};
    for (size_t t = 0; t < TYPES; t++)
        for (size_t o = 0; o < sizeof built_in / sizeof *built_in; o++) {
            if ((o >= 4 && types[t]->kind == WW_KIND_FLOAT) || !take_turn(t + o, 6)) continue;
            expect_status(device, ww_reduce(device, built_in[o], in_of(types[t]), ww_array_of(out_bytes, 1, types[t])),
                          WW_OK);
        }
    for (size_t o = 0; o < USER_OPERATIONS; o++)
        if (user_operations[o].type->size <= 1024 && take_turn(o, 1))
            expect_status(device,
                          ww_reduce(device, user_operations[o].op, in_of(user_operations[o].type),
                                    ww_array_of(out_bytes, 1, user_operations[o].type)),
                          WW_OK);
}

static ww_input in_of_first(const ww_type *type) { return ww_memory_of(in_bytes, N / 8, type); }

static void gathers(ww_device *device) {
    static const size_t sizes[] = {3, 16, 100, 128};
    const ww_input narrow = ww_memory((uint32_t *)(void *)flags, N / 8),
                   wide = ww_memory((uint64_t *)(void *)flags, N / 8);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const ww_array from = ww_records(in_bytes, N / 8, sizes[s]), to = ww_records(out_bytes, N / 8, sizes[s]);
        if (!take_turn(s, 2)) continue;
        expect_status(device, ww_gather(device, ww_from(from), s % 2 ? wide : narrow, to), WW_OK);
        expect_status(device,
                      ww_scatter(device, ww_from(from), s % 2 ? narrow : wide, to, ww_scatter_by((ww_conflict)(s % 2))),
                      WW_OK);
        expect_status(device, ww_scatter(device, ww_from(from), wide, to, ww_scatter_by(WW_CONFLICT_UNIQUE)), WW_OK);
    }
    for (size_t t = 0; t < TYPES; t++)
        for (ww_conflict c = t % 2; c <= WW_CONFLICT_MAX; c += 2)
            if (take_turn(t + c, 4))
                expect_status(device,
                              ww_scatter(device, in_of_first(types[t]), narrow, out_of(types[t]), ww_scatter_by(c)),
                              WW_OK);
    const ww_type *const atomic[] = {&ww_type_float, &ww_type_double, &ww_type_ww_u128, &ww_type_ww_i128};
    for (size_t t = 0; t < sizeof atomic / sizeof *atomic; t++)
        for (ww_conflict c = WW_CONFLICT_ADD; c <= WW_CONFLICT_MAX; c++)
            if (take_turn(t + c, 3))
                expect_status(device,
                              ww_scatter(device, in_of_first(atomic[t]), wide, out_of(atomic[t]), ww_scatter_by(c)),
                              WW_OK);
}

/* By flags and by predicates; short and long elements, and large inputs' tiles. */
WW_MAP(is_odd, uint8_t, uint32_t, x, void, none, { return (uint8_t)(x & 1); });

/* Each mix of outputs, by counts and by offsets, of types and records of any alignment. */
static void expansions(ww_device *device) {
    uint64_t *const total = (uint64_t *)(void *)out_bytes;
    const ww_input counts = ww_memory((uint32_t *)(void *)flags, N / 8),
                   offsets = ww_memory((uint64_t *)(void *)in_bytes, N / 8 + 1);
    const ww_array numbers = ww_array((uint32_t *)(void *)out_bytes + 4, N / 8), places = ww_array(total + N, N / 8);
    for (size_t t = 0; t < TYPES; t++)
        if (take_turn(t, 3))
            expect_status(device,
                          ww_expand_offsets(device, in_of_first(types[t]), offsets,
                                            ww_array_of(out_bytes, N / 8, types[t]), ww_none, ww_none),
                          WW_OK);
    expect_status(device, ww_expand(device, ww_no_input, counts, ww_none, numbers, places, ww_array(total, 1)), WW_OK);
    for (size_t size = 3; size <= 100; size += 97)
        expect_status(device,
                      ww_expand_offsets(device, ww_record_memory(in_bytes, N / 8, size), offsets,
                                        ww_records(out_bytes, N / 8, size), ww_none, ww_none),
                      WW_OK);
}

/* Outputs that are computed: of members of several widths, through functions. */
WW_STRUCT(members, {
    uint8_t a;
    uint32_t b;
    uint64_t c;
    double d;
});
WW_MAP(members_of, members, uint32_t, x, void, none, {
    members m;
    m.a = (uint8_t)x;
    m.b = x;
    m.c = x;
    m.d = x;
    return m;
});
WW_COMBINE(members_add, members, x, y, WW_ORDERED, WW_IDENTITY({0, 0, 0, 0}), {
    members m;
    m.a = x.a;
    m.b = x.b + y.b;
    m.c = x.c + y.c;
    m.d = x.d + y.d;
    return m;
});
static void computed_outputs(ww_device *device) {
    const ww_input numbers = ww_memory((uint32_t *)(void *)in_bytes, N / 8);
    uint64_t *const out = (uint64_t *)(void *)out_bytes;
    const ww_array a = ww_array((uint8_t *)out, N / 8), b = ww_array((uint32_t *)(void *)(out + N / 8), N / 8),
                   c = ww_array(out + N / 4, N / 8), d = ww_array((double *)(void *)(out + N / 2), N / 8);
    const ww_array into = ww_zipped_into(&members_ww, a, b, c, d);
    const double least = 2;
    expect_status(device, ww_map(device, &members_of_ww, numbers, into), WW_OK);
    expect_status(device, ww_store(device, numbers, ww_mapped_into(&members_of_ww, into)), WW_OK);
    expect_status(device, ww_scan(device, &members_add_ww, ww_mapped(&members_of_ww, numbers), into, NULL), WW_OK);
    expect_status(device,
                  ww_scan(device, &ww_add, ww_memory((double *)(void *)in_bytes, N / 8),
                          ww_mapped_into(ww_with(is_above, &least), ww_array((float *)out, N / 8)), NULL),
                  WW_OK);
    const ww_input places = ww_memory((int32_t *)(void *)flags, N / 8);
    expect_status(device, ww_map(device, &members_of_ww, numbers, ww_permuted_into(into, places)), WW_OK);
    expect_status(device, ww_scan(device, &ww_add, numbers, ww_permuted_into(b, places), NULL), WW_OK);
}

/* Sparse matrices of every type that they have, with and without factors. */
static void sparse_matrices(ww_device *device) {
    static const ww_type *const of[] = {&ww_type_float,    &ww_type_double,  &ww_type_uint32_t,
                                        &ww_type_uint64_t, &ww_type_int32_t, &ww_type_int64_t};
    const ww_input narrow = ww_memory((int32_t *)(void *)flags, N / 8),
                   wide = ww_memory((uint64_t *)(void *)flags, N / 8);
    for (size_t t = 0; t < 6; t++) {
        if (!take_turn(t, 2)) continue;
        ww_spmv_options o = WW_SPMV_OPTIONS;
        o.alpha = ww_value_of(in_bytes + 64, of[t]);
        o.beta = o.alpha;
        expect_status(device,
                      ww_spmm(device, in_of_first(of[t]), t % 2 ? narrow : wide, t % 2 ? wide : narrow, in_of(of[t]),
                              1 + t % 3 / 2, ww_array_of(out_bytes, (N / 8 - 1) * (1 + t % 3 / 2), of[t]),
                              t % 3 ? &o : NULL),
                      WW_OK);
    }
}

/* Matrices of items of every size, with few rows, few columns and many; reversed and rotated elements of any size. */
static void arrangements(ww_device *device) {
    static const uint64_t rows[] = {N / 32, 3, N / 32, N / 40};
    for (size_t t = 0; t < TYPES; t++) {
        const uint64_t columns = N / 8 / rows[t % 4], n = rows[t % 4] * columns;
        const ww_input in = ww_memory_of(in_bytes, n, types[t]);
        const ww_array out = ww_array_of(out_bytes, n, types[t]);
        if (take_turn(t, 3)) expect_status(device, ww_transpose(device, rows[t % 4], columns, in, out), WW_OK);
        if (take_turn(t + 1, 3)) expect_status(device, ww_reverse(device, in, out), WW_OK);
    }
    if (take_turn(0, 1))
        expect_status(device,
                      ww_rotate(device, 5, ww_counting(&ww_type_uint64_t, 0, N / 8),
                                ww_array_of(out_bytes, N / 8, &ww_type_uint64_t)),
                      WW_OK);
    if (take_turn(1, 1))
        expect_status(device,
                      ww_reverse(device, ww_record_memory(in_bytes, N / 8, 100), ww_records(out_bytes, N / 8, 100)),
                      WW_OK);
}

static void choices(ww_device *device) {
    static const size_t bytes[] = {3, 24, 40, 5000};
    uint32_t count;
    const double least = 1;
    const ww_array c = ww_array(&count, 1);
    for (size_t t = 0; t < TYPES; t += 4)
        if (take_turn(t / 4, 1))
            expect_status(device, ww_pack(device, in_of(types[t]), ww_memory(flags, N), out_of(types[t]), c, NULL),
                          WW_OK);
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
        if (!take_turn(b, 1)) continue;
        const ww_input in = ww_record_memory(in_bytes, N / 3, bytes[b]);
        const ww_array out = ww_records(out_bytes, N / 3, bytes[b]);
        expect_status(device, ww_split(device, in, ww_memory(flags, N / 3), out, c, NULL), WW_OK);
    }
    const ww_input counting = ww_counting(&ww_type_uint32_t, 0, (uint64_t)1 << 30);
    if (take_turn(3, 1))
        expect_status(device,
                      ww_pack_if(device, &is_odd_ww, counting, ww_array_of(out_bytes, N, &ww_type_uint32_t), c, NULL),
                      WW_OK);
    for (int m = WW_SPLIT_STABLE; m <= WW_SPLIT_SCANS; m++) {
        ww_split_options options = WW_SPLIT_OPTIONS;
        options.method = (ww_split_method)m;
        if (!take_turn((size_t)m, 1)) continue;
        expect_status(device,
                      ww_split_if(device, ww_with(is_above, &least), in_of(&ww_type_double), out_of(&ww_type_double), c,
                                  &options),
                      WW_OK);
    }
    if (take_turn(1, 1))
        expect_status(device, ww_enumerate(device, ww_memory(flags, N), out_of(&ww_type_uint64_t), c), WW_OK);
    ww_pack_options enumerate = WW_PACK_OPTIONS;
    enumerate.method = WW_PACK_ENUMERATE;
    if (take_turn(0, 1))
        expect_status(device,
                      ww_pack_if(device, ww_with(is_above, &least), in_of(&ww_type_double), out_of(&ww_type_double), c,
                                 &enumerate),
                      WW_OK);
    if (take_turn(3, 1))
        expect_status(device,
                      ww_pack(device, ww_record_memory(in_bytes, N, 100), ww_memory(flags, N),
                              ww_records(out_bytes, N, 100), c, &enumerate),
                      WW_OK);
}

WW_MAP(low_byte, uint8_t, uint64_t, x, void, none, { return (uint8_t)x; });

/* Bins that take one counter a lane, several, and one ballot more. */
static void histograms_by_warps(ww_device *device, size_t t, const void *low, const void *high) {
    static const size_t bins[] = {20, 200, 256};
    ww_histogram_options warp = WW_HISTOGRAM_OPTIONS;
    warp.method = WW_HISTOGRAM_WARP;
    const ww_array counts = ww_array((uint32_t *)(void *)out_bytes, bins[t % 3]);
    const ww_array wide = ww_array((uint64_t *)(void *)out_bytes, 100), edges = ww_array_of(in_bytes, 101, types[t]);
    expect_status(device,
                  ww_histogram_even(device, in_of(types[t]), ww_value_of(low, types[t]), ww_value_of(high, types[t]),
                                    counts, ww_none, &warp),
                  WW_OK);
    if (t % 2 == 0)
        expect_status(device, ww_histogram_edges(device, in_of(types[t]), ww_from(edges), wide, ww_none, &warp), WW_OK);
}

static void histograms(ww_device *device) {
    static const size_t bins[] = {200, 3000, 60000};
    static _Alignas(16) uint8_t limits[2][16]; /* 0, and 64 (floats: 2 or 32) */
    for (size_t t = 0; t < TYPES; t++) {
        if (!take_turn(t, 3)) continue;
        const bool is_float = types[t]->kind == WW_KIND_FLOAT;
        memset(limits, 0, sizeof limits);
        limits[1][is_float ? types[t]->size - 1 : 0] = 64;
        const ww_input in = in_of(types[t]);
        const ww_array counts = ww_array((uint32_t *)(void *)out_bytes, bins[t % 3]);
        const ww_array wide = ww_array((uint64_t *)(void *)out_bytes, 100),
                       edges = ww_array_of(in_bytes, 101, types[t]);
        expect_status(device,
                      ww_histogram_even(device, in, ww_value_of(limits[0], types[t]), ww_value_of(limits[1], types[t]),
                                        counts, ww_none, NULL),
                      WW_OK);
        if (t % 2) expect_status(device, ww_histogram_edges(device, in, ww_from(edges), wide, ww_none, NULL), WW_OK);
        histograms_by_warps(device, t, limits[0], limits[1]);
    }
    const ww_input in = in_of(&ww_type_uint64_t);
    const ww_array counts = ww_array((uint64_t *)(void *)out_bytes, 256);
    for (int m = WW_HISTOGRAM_SHARED; m <= WW_HISTOGRAM_WARP; m++) {
        ww_histogram_options named = WW_HISTOGRAM_OPTIONS;
        named.method = (ww_histogram_method)m;
        if (!take_turn((size_t)m, 1)) continue;
        expect_status(device, ww_histogram(device, &low_byte_ww, in, counts, ww_none, &named), WW_OK);
    }
}

/* Short and long keys and values, from memory and computed; large inputs' tiles: nothing is read or written. */
WW_STRUCT(long_key, { uint64_t word[9]; });
WW_LESS(by_last_word, long_key, a, b, { return a.word[8] < b.word[8]; });
WW_MAP(keyed, long_key, uint32_t, x, void, none, {
    long_key k = {{0, 0, 0, 0, 0, 0, 0, 0, x}};
    return k;
});

static void *far_away(uint64_t n) { return (void *)((uintptr_t)n << 40); }

static void merges(ww_device *device) {
    const uint64_t n = (uint64_t)1 << 25;
    const ww_input none = ww_no_input;
    for (size_t t = 0; t < TYPES; t++) {
        if (!take_turn(t, 5)) continue;
        const ww_input a = ww_memory_of(far_away(1), n, types[t]), b = ww_memory_of(far_away(2), n, types[t]);
        const ww_array out = ww_array_of(far_away(3), 2 * n, types[t]);
        expect_status(device, ww_merge(device, t % 2 ? &ww_descending : NULL, a, b, none, none, out, ww_none), WW_OK);
    }
    static const size_t bytes[] = {4, 8, 16, 12, 600};
    for (size_t v = 0; v < sizeof bytes / sizeof *bytes; v++) {
        if (!take_turn(v, 1)) continue;
        const ww_array out = ww_array((uint32_t *)far_away(3), 2 * n),
                       values = ww_records(far_away(6), 2 * n, bytes[v]);
        expect_status(device,
                      ww_merge(device, NULL, ww_memory((uint32_t *)far_away(1), n),
                               ww_memory((uint32_t *)far_away(2), n), ww_record_memory(far_away(4), n, bytes[v]),
                               ww_record_memory(far_away(5), n, bytes[v]), out, values),
                      WW_OK);
    }
    const ww_array keys = ww_array_of(out_bytes, 2 * N, &long_key_ww);
    const ww_input counting = ww_mapped(&keyed_ww, ww_counting(&ww_type_uint32_t, 0, N));
    const ww_input one = ww_memory_of(in_bytes, N, &long_key_ww);
    if (take_turn(1, 1))
        expect_status(device, ww_merge(device, &by_last_word_ww, one, one, none, none, keys, ww_none), WW_OK);
    if (take_turn(3, 1))
        expect_status(device,
                      ww_merge(device, &by_last_word_ww, one, counting, counting, one, keys,
                               ww_array_of(far_away(1), 2 * N, &long_key_ww)),
                      WW_OK);
}

WW_MAP2(same_whole, uint8_t, float, a, float, b, void, none, { return (int32_t)a == (int32_t)b; });

/* Keys in registers and long ones; sums packed into a word of the chain, and not. */
static void runs(ww_device *device) {
    static const ww_function *const operators[] = {&compose_ww, &multiply_ww};
    uint32_t count;
    const ww_array c = ww_array(&count, 1), wide = ww_array((uint64_t *)(void *)out_bytes, N);
    const ww_input floats = in_of(&ww_type_float), large = ww_counting(&ww_type_uint32_t, 0, (uint64_t)1 << 34);
    for (size_t t = 0; t < TYPES; t += 4) {
        if (!take_turn(t / 4, 1)) continue;
        const ww_array sums = ww_array_of(out_bytes + sizeof out_bytes / 2, N, types[t]);
        expect_status(device, ww_run_lengths(device, in_of(types[t]), sums, wide, c), WW_OK);
        expect_status(
            device, ww_reduce_by_key(device, &ww_add, floats, in_of(types[t]), out_of(&ww_type_float), sums, c), WW_OK);
    }
    for (size_t o = 0; o < 2; o++) {
        if (!take_turn(3 + o, 1)) continue;
        const ww_type *const type = operators[o]->result;
        expect_status(device,
                      ww_reduce_by_key(device, operators[o], ww_record_memory(in_bytes, N, o ? 5 : 1000), in_of(type),
                                       ww_none, out_of(type), c),
                      WW_OK);
    }
    if (take_turn(2, 1)) {
        const ww_array to = out_of(&ww_type_float);
        expect_status(device, ww_unique_by(device, &same_whole_ww, floats, to, c), WW_OK);
        expect_status(device, ww_unique(device, floats, ww_array((float *)(void *)in_bytes, N), c), WW_OK);
        expect_status(device, ww_reduce_by_key_by(device, &same_whole_ww, &ww_add, floats, floats, ww_none, to, c),
                      WW_OK);
    }
    if (take_turn(0, 1))
        expect_status(device, ww_unique(device, ww_record_memory(in_bytes, N, 40), ww_records(out_bytes, N, 40), c),
                      WW_OK);
    if (take_turn(1, 1))
        expect_status(device, ww_run_lengths(device, large, ww_none, wide, ww_array((uint64_t *)(void *)in_bytes, 1)),
                      WW_OK);
}

/* Both folds of segments, extremes by every kind of order, differences. */
WW_LESS(nearer, int32_t, a, b, { return (a < 0 ? -a : a) < (b < 0 ? -b : b); });

static void segments_and_extremes(ww_device *device) {
    uint64_t at;
    const ww_input narrow = ww_memory((uint32_t *)(void *)flags, 101), wide = ww_memory((uint64_t *)(void *)flags, 101);
    for (size_t t = 0; t < TYPES; t += 2) {
        const ww_array out = ww_array_of(out_bytes, 100, types[t]), value = ww_array_of(out_bytes, 1, types[t]);
        if (take_turn(t / 2, 3))
            expect_status(device, ww_reduce_segments(device, &ww_add, in_of(types[t]), t % 4 ? wide : narrow, out),
                          WW_OK);
        if (take_turn(t / 2 + 1, 3))
            expect_status(device, ww_arg_min(device, NULL, in_of(types[t]), value, ww_array(&at, 1)), WW_OK);
        if (take_turn(t / 2 + 2, 3))
            expect_status(device, ww_adjacent_difference(device, in_of(types[t]), out_of(types[t])), WW_OK);
    }
    for (size_t t = 1; t < TYPES; t += 2) {
        const ww_array value = ww_array_of(out_bytes, 1, types[t]), other = ww_array_of(out_bytes + 64, 1, types[t]);
        if (take_turn(t / 2, 3)) expect_status(device, ww_min_max(device, NULL, in_of(types[t]), value, other), WW_OK);
        if (take_turn(t / 2 + 1, 3))
            expect_status(device, ww_is_sorted(device, &ww_descending, in_of(types[t]), ww_none, ww_array(&at, 1)),
                          WW_OK);
    }
    for (size_t t = 0; t < TYPES; t += 2)
        if (take_turn(t / 2 + 1, 3))
            expect_status(
                device,
                ww_arg_max_segments(device, NULL, in_of(types[t]), t % 4 ? wide : narrow,
                                    ww_array_of(out_bytes, 100, t % 4 ? &ww_type_uint64_t : &ww_type_uint32_t)),
                WW_OK);
    if (take_turn(2, 1))
        expect_status(device, ww_find_if(device, &is_odd_ww, in_of(&ww_type_uint32_t), ww_array(&at, 1)), WW_OK);
    if (take_turn(0, 1))
        expect_status(
            device,
            ww_reduce_segments(device, &multiply_ww, in_of(&matrix_ww), wide, ww_array_of(out_bytes, 100, &matrix_ww)),
            WW_OK);
    if (take_turn(1, 1))
        expect_status(device, ww_arg_max(device, &nearer_ww, in_of(&ww_type_int32_t), ww_none, ww_array(&at, 1)),
                      WW_OK);
    if (take_turn(3, 1))
        expect_status(device, ww_arg_max(device, &ww_descending, in_of(&ww_type_float), ww_none, ww_array(&at, 1)),
                      WW_OK);
}

static void searches(ww_device *device) {
    const uint64_t n = (uint64_t)1 << 25;
    for (size_t t = 0; t < TYPES; t++) {
        if (!take_turn(t, 4)) continue;
        const ww_input sorted = ww_memory_of(far_away(1), n, types[t]),
                       needles = ww_memory_of(far_away(2), n, types[t]);
        expect_status(device,
                      (t % 2 ? ww_upper_bound : ww_lower_bound)(device, t % 3 ? NULL : &ww_descending, sorted, needles,
                                                                ww_array((uint32_t *)far_away(3), n)),
                      WW_OK);
    }
    const ww_input one = ww_memory_of(in_bytes, N, &long_key_ww);
    const ww_input counting = ww_mapped(&keyed_ww, ww_counting(&ww_type_uint32_t, 0, (uint64_t)1 << 33));
    if (take_turn(3, 1))
        expect_status(device,
                      ww_lower_bound(device, &by_last_word_ww, counting, one, ww_array((uint64_t *)far_away(3), N)),
                      WW_OK);
}

static void sets(ww_device *device) {
    typedef ww_status set_call(ww_device *, const ww_function *, ww_input, ww_input, ww_array, ww_array);
    static set_call *const kinds[] = {ww_set_union, ww_set_intersection, ww_set_difference};
    const uint64_t n = (uint64_t)1 << 25;
    uint64_t count;
    for (size_t t = 0; t < TYPES; t++) {
        if (!take_turn(t, 4)) continue;
        const ww_input a = ww_memory_of(far_away(1), n, types[t]), b = ww_memory_of(far_away(2), n, types[t]);
        expect_status(device,
                      kinds[t % 3](device, t % 2 ? &ww_descending : NULL, a, b, ww_array_of(far_away(3), n, types[t]),
                                   ww_array(&count, 1)),
                      WW_OK);
    }
    const ww_input one = ww_memory_of(in_bytes, N, &long_key_ww);
    const ww_input counting = ww_mapped(&keyed_ww, ww_counting(&ww_type_uint32_t, 0, N));
    const ww_array out = ww_array_of(out_bytes, N, &long_key_ww);
    if (take_turn(0, 1))
        expect_status(device, ww_set_union(device, &by_last_word_ww, one, one, out, ww_array(&count, 1)), WW_OK);
    if (take_turn(1, 1))
        expect_status(device, ww_set_difference(device, &by_last_word_ww, one, counting, out, ww_array(&count, 1)),
                      WW_OK);
}

/* In one block and by sweeps, with values of every size that is moved, and of one that is not. */
static void sorts(ww_device *device) {
    static const size_t bytes[] = {0, 4, 8, 16, 1, 2, 24};
    enum { SIZES = sizeof bytes / sizeof *bytes };
    for (size_t t = 0; t < TYPES; t++) {
        if (!take_turn(t, TYPES)) continue;
        const size_t many = t % 2 ? N : 40 * N;
        ww_sort_options options = WW_SORT_OPTIONS;
        options.descending = t % 3 == 1;
        const size_t size = bytes[t % SIZES];
        const ww_array keys = ww_array_of(in_bytes, many, types[t]), values = ww_records(out_bytes, many, size);
        expect_status(device,
                      ww_sort(device, ww_from(keys), size ? ww_from(values) : ww_no_input, keys,
                              size ? values : ww_none, &options),
                      WW_OK);
    }
    /* Keys of one word and of several, of every number's size, read as records lie and in an order. */
    static const struct {
        size_t size;
        uint64_t first, bytes;
    } records[] = {{128, 4, 4}, {40, 8, 8}, {12, 2, 3}, {48, 16, 16}, {50, 1, 13}, {30, 0, 30}};
    enum { LAYOUTS = sizeof records / sizeof *records };
    for (size_t l = 0; l < LAYOUTS; l++) {
        if (!take_turn(l, LAYOUTS)) continue;
        const ww_array in = ww_records(in_bytes, N, records[l].size), out = ww_records(out_bytes, N, records[l].size);
        expect_status(device, ww_sort_records(device, records[l].first, records[l].bytes, ww_from(in), out, NULL),
                      WW_OK);
    }
    /* Positions of 64 bits; values that are counted up. Nothing runs, so that no such memory is needed. */
    if (!targets[target].all) return;
    const uint64_t most = (uint64_t)1 << 30;
    const ww_array keys = ww_array_of((void *)((uintptr_t)1 << 40), most, &ww_type_uint8_t),
                   values = ww_array_of((void *)((uintptr_t)1 << 41), most, &ww_type_uint8_t);
    expect_status(device,
                  ww_sort(device, ww_counting(&ww_type_uint8_t, 0, most), ww_counting(&ww_type_uint8_t, 0, most), keys,
                          values, NULL),
                  WW_OK);
}

/* Classes of lengths of segments, chunks of long ones and their merging; levels of selecting, and packing: for each form
 * that elements have there. */
static void partial_sorts(ww_device *device) {
    static const struct {
        const ww_type *type;
        size_t value_size, many;
        uint32_t bits;
    } cases[] = {{&ww_type_float, 4, 40 * N, 0},
                 {&ww_type_uint32_t, 0, N, 0},
                 {&ww_type_int16_t, 1, 50, 5},
                 {&ww_type_uint64_t, 8, 300, 40},
                 {&ww_type_ww_u128, 16, 300, 0}};
    enum { CASES = sizeof cases / sizeof *cases };
    for (size_t c = 0; c < CASES; c++) {
        if (!take_turn(c, CASES)) continue;
        const uint64_t many = cases[c].many;
        const size_t size = cases[c].value_size;
        ww_sort_options options = WW_SORT_OPTIONS;
        options.descending = c % 2;
        options.bit_count = cases[c].bits;
        const ww_array keys = ww_array_of(in_bytes, many, cases[c].type), values = ww_records(out_bytes, many, size),
                       first = ww_array_of(far_away(1), many / 2, cases[c].type),
                       first_values = ww_records(far_away(2), many / 2, size);
        const ww_input in = ww_from(keys), values_in = size ? ww_from(values) : ww_no_input,
                       offsets = ww_counting(c % 2 ? &ww_type_uint64_t : &ww_type_uint32_t, 0, many);
        expect_status(device, ww_sort_segments(device, in, values_in, offsets, keys, size ? values : ww_none, &options),
                      WW_OK);
        expect_status(device, ww_top_k(device, in, values_in, first, size ? first_values : ww_none, &options), WW_OK);
        expect_status(device, ww_nth(device, many / 2, in, ww_array_of(first.data, 1, first.type), &options), WW_OK);
    }
}

/* The other methods, of one size of keys each time, in one block and in many. */
static void sort_methods(ww_device *device) {
    static const ww_sort_method methods[] = {WW_SORT_MULTISPLIT, WW_SORT_SPLIT1,        WW_SORT_QUICK,
                                             WW_SORT_BITONIC,    WW_SORT_MERGE_NETWORK, WW_SORT_ODDEVEN};
    enum { METHODS = sizeof methods / sizeof *methods };
    for (size_t t = 0; t < TYPES; t++)
        for (size_t m = t % 3; m < METHODS; m += 3) {
            if (!take_turn(t, TYPES)) continue;
            ww_sort_options options = WW_SORT_OPTIONS;
            options.method = methods[m];
            options.descending = t % 3 == 1;
            options.digit_bits = (uint32_t)(4 + t % 5);
            const size_t many = m < 4 ? 4 * N : N;
            const ww_array keys = ww_array_of(in_bytes, many, types[t]), values = ww_records(out_bytes, many, 4);
            expect_status(device, ww_sort(device, ww_from(keys), ww_from(values), keys, values, &options), WW_OK);
        }
    ww_sort_options options = WW_SORT_OPTIONS;
    for (size_t m = 2; m < METHODS; m++) {
        if (!take_turn(m - 2, 1)) continue;
        options.method = methods[m];
        const ww_array keys = ww_array_of(in_bytes, 2 * N, &long_key_ww);
        expect_status(device, ww_sort_by(device, &by_last_word_ww, ww_from(keys), ww_no_input, keys, ww_none, &options),
                      WW_OK);
    }
}

/* Merge sorts of tiles of all sizes, of long keys where they are, by search with marks and without. */
static void merge_sorts(ww_device *device) {
    static const size_t bytes[] = {0, 4, 8, 16, 1, 2, 24};
    enum { SIZES = sizeof bytes / sizeof *bytes };
    const uint64_t n = (uint64_t)1 << 25;
    ww_sort_options options = WW_SORT_OPTIONS;
    for (size_t t = 0; t < TYPES; t += 3) {
        if (!take_turn(t, 2)) continue;
        const size_t size = bytes[t % SIZES];
        const ww_array keys = ww_array_of(far_away(1), n, types[t]), values = ww_records(far_away(2), n, size);
        options.method = t % 2 ? WW_SORT_MERGE_SEARCH : WW_SORT_MERGE;
        options.descending = t % 2;
        expect_status(device,
                      ww_sort(device, ww_from(keys), size ? ww_from(values) : ww_no_input, keys,
                              size ? values : ww_none, &options),
                      WW_OK);
    }
    const ww_array keys = ww_array_of(out_bytes, N, &long_key_ww);
    const ww_input long_keys = ww_memory_of(in_bytes, N, &long_key_ww);
    options.method = WW_SORT_MERGE_SEARCH;
    options.descending = true;
    if (take_turn(1, 1))
        expect_status(device, ww_sort_by(device, &by_last_word_ww, long_keys, ww_no_input, keys, ww_none, &options),
                      WW_OK);
}

/* Windows of one word and two, patterns in the arguments and in memory, folded, packed; the first and last match. */
static void finds(ww_device *device) {
    static const struct {
        uint64_t m;
        unsigned bits; /* 0: not packed */
        bool fold;
    } cases[] = {{3, 0, false}, {7, 0, false},   {100, 0, false}, {5000, 0, false}, {4, 0, true},
                 {30, 0, true}, {6000, 0, true}, {40, 1, false},  {16, 2, false},   {20, 4, false}};
    enum { CASES = sizeof cases / sizeof *cases };
    for (size_t c = 0; c < CASES; c++) {
        const bool wide = c % 2;
        ww_find_options options = WW_FIND_OPTIONS;
        if (!take_turn(c, CASES)) continue;
        options.fold = cases[c].fold;
        options.packed = cases[c].bits != 0;
        options.alphabet_bits = cases[c].bits;
        const ww_input text = ww_memory_of(far_away(1), 100 * N, c % 3 ? &ww_type_uint8_t : &ww_type_int8_t);
        const ww_array positions = ww_array_of(far_away(2), N, wide ? &ww_type_uint64_t : &ww_type_uint32_t),
                       count = ww_array_of(far_away(3), 1, positions.type),
                       one = ww_array_of(out_bytes, 1, &ww_type_uint64_t);
        memset(in_bytes, 0, cases[c].m);
        expect_status(device, ww_find(device, text, in_bytes, cases[c].m, positions, count, &options), WW_OK);
        if (c % 3 == 0) expect_status(device, ww_find_first(device, text, in_bytes, cases[c].m, one, &options), WW_OK);
        if (c % 3 == 2) expect_status(device, ww_find_last(device, text, in_bytes, cases[c].m, one, &options), WW_OK);
    }
}

static void map_kernels(void **state) {
    (void)state;
    for_each_target(maps);
}
static void scan_kernels(void **state) {
    (void)state;
    for_each_target(scans);
}
static void reduce_kernels(void **state) {
    (void)state;
    for_each_target(reductions);
}
/* Kernels that look at a count on the device. */
static void counts_there(ww_device *device) {
    static uint64_t number;
    const ww_input x = ww_counted(in_of(&ww_type_uint32_t), &number), by = ww_counted(ww_memory(flags, N), &number);
    const ww_array out = out_of(&ww_type_uint32_t), found = ww_counted_array(out, &number);
    const ww_array one = ww_array_of(out_bytes, 1, &ww_type_uint64_t);
    const ranks arguments = {(uint32_t *)(void *)out_bytes, 1};
    expect_status(device, ww_launch_counted(device, ww_with(write_ranks, &arguments), N, &number), WW_OK);
    expect_status(device, ww_store(device, x, found), WW_OK);
    expect_status(device, ww_scan(device, &ww_add, x, found, NULL), WW_OK);
    expect_status(device, ww_reduce(device, &ww_add, x, ww_array_of(out_bytes, 1, &ww_type_uint32_t)), WW_OK);
    expect_status(device, ww_pack(device, x, by, ww_array_of(out_bytes + 64, N / 8, &ww_type_uint32_t), one, NULL),
                  WW_OK);
    expect_status(device, ww_gather(device, in_of(&ww_type_uint32_t), x, found), WW_OK);
    expect_status(device, ww_scatter(device, x, x, out, NULL), WW_OK);
    expect_status(device,
                  ww_expand(device, ww_no_input, by, ww_none, ww_array_of(out_bytes + 64, N / 8, &ww_type_uint32_t),
                            ww_none, one),
                  WW_OK);
    expect_status(device,
                  ww_reduce(device, &ww_add, ww_counted(in_of(&ww_type_float), &number),
                            ww_array_of(out_bytes, 1, &ww_type_float)),
                  WW_OK);
    expect_status(device, ww_split(device, x, by, found, ww_array_of(out_bytes + 4 * N, 1, &ww_type_uint64_t), NULL),
                  WW_OK);
    expect_status(device,
                  ww_run_lengths(device, x, ww_array_of(out_bytes + 64, N, &ww_type_uint32_t),
                                 ww_array_of(out_bytes + 8 * N, N, &ww_type_uint32_t), one),
                  WW_OK);
    expect_status(device,
                  ww_reduce_by_key(device, &ww_add, x, x, ww_array_of(out_bytes + 64, N, &ww_type_uint32_t),
                                   ww_array_of(out_bytes + 8 * N, N, &ww_type_uint32_t), one),
                  WW_OK);
    expect_status(device, ww_scan_by_key(device, &ww_add, x, x, found, NULL), WW_OK);
    expect_status(device,
                  ww_multisplit(device, &ww_by_number, 4, x, ww_no_input, found, ww_none,
                                ww_array_of(out_bytes + 4 * N, 5, &ww_type_uint32_t), NULL),
                  WW_OK);
    /* What a block holds, and more. */
    const ww_input many = ww_counted(ww_memory_of(in_bytes, 100 * N, &ww_type_uint32_t), &number);
    const ww_array keys = ww_counted_array(ww_array_of(out_bytes, 100 * N, &ww_type_uint32_t), &number);
    const ww_array values = ww_counted_array(ww_array_of(out_bytes + 400 * N, 100 * N, &ww_type_uint32_t), &number);
    expect_status(device, ww_sort(device, many, many, keys, values, NULL), WW_OK);
}
static void counted_kernels(void **state) {
    (void)state;
    for_each_target(counts_there);
}
/* Each kind of numbers; leaves of elements of each size, with buckets and without. (What a sample's steps are depends on numbers
 * that are not here.) */
static void random_numbers(ww_device *device) {
    static const ww_random from = {1, 2, 3};
    static const size_t sizes[] = {1, 2, 4, 8, 16, 12};
    const ww_type *const floats[] = {&ww_type_float, &ww_type_double};
    for (size_t t = 0; t < TYPES; t++) {
        const bool number = types[t]->kind <= WW_KIND_FLOAT && types[t]->size < 16;
        if (number) expect_status(device, ww_random_fill(device, from, out_of(types[t])), WW_OK);
        if (number && types[t]->kind != WW_KIND_FLOAT)
            expect_status(device, ww_random_below(device, from, 100, out_of(types[t])), WW_OK);
    }
    for (size_t t = 0; t < 2; t++)
        expect_status(device, ww_random_normal(device, from, 0, 1, out_of(floats[t])), WW_OK);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        if (take_turn(s, 3))
            expect_status(device,
                          ww_shuffle(device, from, ww_record_memory(in_bytes, N / 16, sizes[s]),
                                     ww_records(out_bytes, N / 16, sizes[s])),
                          WW_OK);
    expect_status(device, ww_permutation(device, from, ww_array((uint32_t *)(void *)out_bytes, 100 * N)), WW_OK);
}
static void random_kernels(void **state) {
    (void)state;
    for_each_target(random_numbers);
}
static void gather_kernels(void **state) {
    (void)state;
    for_each_target(gathers);
}
static void expand_kernels(void **state) {
    (void)state;
    for_each_target(expansions);
}
static void computed_output_kernels(void **state) {
    (void)state;
    for_each_target(computed_outputs);
}
static void sparse_kernels(void **state) {
    (void)state;
    for_each_target(sparse_matrices);
}
static void arrange_kernels(void **state) {
    (void)state;
    for_each_target(arrangements);
}
static void choice_kernels(void **state) {
    (void)state;
    for_each_target(choices);
}
static void run_kernels(void **state) {
    (void)state;
    for_each_target(runs);
}
static void segment_kernels(void **state) {
    (void)state;
    for_each_target(segments_and_extremes);
}
static void histogram_kernels(void **state) {
    (void)state;
    for_each_target(histograms);
}

static void merge_kernels(void **state) {
    (void)state;
    for_each_target(merges);
}
static void search_kernels(void **state) {
    (void)state;
    for_each_target(searches);
}
static void find_kernels(void **state) {
    (void)state;
    for_each_target(finds);
}
static void set_kernels(void **state) {
    (void)state;
    for_each_target(sets);
}

static void sort_kernels(void **state) {
    (void)state;
    for_each_target(sorts);
}
static void merge_sort_kernels(void **state) {
    (void)state;
    for_each_target(merge_sorts);
}
static void partial_sort_kernels(void **state) {
    (void)state;
    for_each_target(partial_sorts);
}
static void sort_method_kernels(void **state) {
    (void)state;
    for_each_target(sort_methods);
}

/* Up to 8 bits of records of many sizes, more bits, indexes; and records in several buckets, whose length is not known here. */
static void record_splits(ww_device *device) {
    static const size_t sizes[] = {3, 4, 16, 24, 100};
    uint32_t *const numbers = (uint32_t *)(void *)flags;
    const ww_array offsets = ww_array(numbers, 17), index = ww_array((uint32_t *)(void *)(out_bytes + N * 512), N);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const ww_input in = ww_record_memory(in_bytes, N, sizes[s]);
        const ww_array to = ww_records(out_bytes, N, sizes[s]);
        if (!take_turn(s, 5)) continue;
        expect_status(device, ww_split8(device, 5, in, to, ww_none), WW_OK);
        expect_status(device, ww_split_bits(device, 1, s ? 8 * sizes[s] - 2 : 12, in, to, ww_none), WW_OK);
        expect_status(device, ww_split_gather_index(device, 3, 4, in, index, offsets), WW_OK);
        expect_status(device, ww_split_scatter_index(device, 3, 17, in, index, ww_none), WW_OK);
    }
    if (!take_turn(5, 5)) return;
    const ww_status several = ww_multisplit_several(device, 64, ww_memory((uint64_t *)(void *)in_bytes, N), index,
                                                    ww_none, ww_none);
    expect(several == WW_OK || several == WW_LIMIT);
    ww_multisplit_options options = WW_MULTISPLIT_OPTIONS;
    for (options.method = WW_MULTISPLIT_REDUCED_BIT; options.method <= WW_MULTISPLIT_RECURSIVE; options.method++)
        expect_status(device,
                      ww_multisplit(device, &ww_by_number, 16, in_of(&ww_type_uint32_t),
                                    ww_record_memory(in_bytes, N, 24), out_of(&ww_type_uint32_t),
                                    ww_records(out_bytes + N * 512, N, 24), offsets, &options),
                      WW_OK);
}

/* Operators and orders with an environment: by value and by pointer, in every kernel that calls one. */
WW_STRUCT(counted, { uint32_t m, more[20]; });
WW_COMBINE_WITH(add_counted, uint32_t, a, b, counted, c, WW_COMMUTES, WW_IDENTITY(0), { return (a + b) % c->m; });
WW_COMBINE_WITH(multiply_modulo, matrix, m, n, uint64_t, modulus, WW_ORDERED, WW_IDENTITY({1, 0, 0, 1}), {
    matrix p = {(m.a * n.a + m.b * n.c) % *modulus, (m.a * n.b + m.b * n.d) % *modulus,
                (m.c * n.a + m.d * n.c) % *modulus, (m.c * n.b + m.d * n.d) % *modulus};
    return p;
});
WW_LESS_WITH(by_table, uint32_t, a, b, float, table, { return table[a] < table[b]; });
WW_LESS_WITH(long_by_counted, long_key, a, b, counted, c, { return a.word[8] % c->m < b.word[8] % c->m; });

static void combines_with(ww_device *device) {
    const counted c = {7, {0}};
    const uint64_t modulus = 5;
    uint32_t count;
    const ww_function operators[] = {*ww_with(add_counted, &c), *ww_with(multiply_modulo, &modulus)};
    for (size_t o = 0; o < 2; o++) {
        const ww_function *const op = &operators[o];
        const ww_type *const type = op->result;
        const ww_input in = in_of(type), offsets = ww_memory((uint32_t *)(void *)flags, 101);
        if (take_turn(o, 5)) {
            expect_status(device, ww_reduce(device, op, in, ww_array_of(out_bytes, 1, type)), WW_OK);
            expect_status(device, ww_reduce_segments(device, op, in, offsets, ww_array_of(out_bytes, 100, type)),
                          WW_OK);
            expect_status(
                device,
                ww_reduce_by_key(device, op, in_of(&ww_type_uint32_t), in, ww_none, out_of(type), ww_array(&count, 1)),
                WW_OK);
        }
        for (ww_scan_method m = WW_SCAN_LOOKBACK; m <= WW_SCAN_BLELLOCH; m++) {
            ww_scan_options options = WW_SCAN_OPTIONS;
            options.method = m;
            options.exclusive = m % 2;
            if (!take_turn(m + o, 5)) continue;
            expect_status(device, ww_scan(device, op, in, out_of(type), &options), WW_OK);
            expect_status(device, ww_scan_segmented(device, op, in, ww_memory(flags, N), out_of(type), &options),
                          WW_OK);
        }
    }
}

static void orders_with(ww_device *device) {
    static const ww_sort_method methods[] = {WW_SORT_QUICK,   WW_SORT_MERGE,         WW_SORT_MERGE_SEARCH,
                                             WW_SORT_BITONIC, WW_SORT_MERGE_NETWORK, WW_SORT_ODDEVEN};
    const counted c = {7, {0}};
    uint64_t at;
    const ww_function orders[] = {*ww_with_array(by_table, (const float *)(const void *)in_bytes, N),
                                  *ww_with(long_by_counted, &c)};
    for (size_t o = 0; o < 2; o++) {
        const ww_function *const less = &orders[o];
        const ww_type *const type = less->first;
        const ww_input in = in_of(type);
        const ww_array out = out_of(type), one = ww_array(&at, 1), both = ww_array_of(far_away(1), 2 * N, type);
        if (take_turn(o, 5)) {
            expect_status(device, ww_arg_min(device, less, in, ww_none, one), WW_OK);
            expect_status(device, ww_merge(device, less, in, in, ww_no_input, ww_no_input, both, ww_none), WW_OK);
            expect_status(device, ww_set_intersection(device, less, in, in, out, one), WW_OK);
            expect_status(device, ww_upper_bound(device, less, in, in, ww_array((uint32_t *)far_away(3), N)), WW_OK);
        }
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            ww_sort_options options = WW_SORT_OPTIONS;
            options.method = methods[m];
            options.descending = m % 2;
            if (take_turn(m + o, 5))
                expect_status(device, ww_sort_by(device, less, in, ww_no_input, out, ww_none, &options), WW_OK);
        }
    }
}

static void kernels_with(void **state) {
    (void)state;
    for_each_target(combines_with);
    for_each_target(orders_with);
}

static void record_split_kernels(void **state) {
    (void)state;
    for_each_target(record_splits);
}

/* Buckets by a key's own bits, by the key over a width, between edges, by callers' functions with every kind of result; of up to
 * a few, 256 and more buckets; by sweeps and in three stages; values of every size that is moved, and of one that is not:
 * labels do then. */
WW_STRUCT(shifting, { uint32_t by; });
WW_MAP(shifted, int32_t, int64_t, x, shifting, s, { return (int32_t)(x >> s->by); });
WW_MAP(sixteenth, float, float, x, void, none, { return x * 16; });
WW_MAP(rounded, int16_t, double, x, void, none, { return (int16_t)x; });
WW_MAP(highest_word, uint64_t, ww_u128, x, void, none, { return (uint64_t)(x >> 64); });
WW_MAP(byte_of_long, uint8_t, long_key, x, void, none, { return (uint8_t)x.word[1]; });

/* function NULL: between edges. */
static void multisplit(ww_device *device, const ww_function *function, const ww_type *type, uint64_t buckets,
                       uint64_t n, size_t turn) {
    static const size_t sizes[] = {0, 4, 8, 0, 1, 2, 16, 24};
    static const ww_multisplit_method methods[] = {WW_MULTISPLIT_ONEPASS, WW_MULTISPLIT_BLOCK,   WW_MULTISPLIT_ONEPASS,
                                                   WW_MULTISPLIT_WARP,    WW_MULTISPLIT_ONEPASS, WW_MULTISPLIT_ONEPASS,
                                                   WW_MULTISPLIT_DIRECT};
    const size_t size = sizes[turn % (sizeof sizes / sizeof *sizes)];
    ww_multisplit_options options = WW_MULTISPLIT_OPTIONS;
    options.method = methods[turn % (sizeof methods / sizeof *methods)];
    const ww_input keys = ww_memory_of(far_away(1), n, type),
                   values = size ? ww_record_memory(far_away(2), n, size) : ww_no_input;
    const ww_array keys_out = ww_array_of(far_away(3), n, type),
                   values_out = size ? ww_records(far_away(4), n, size) : ww_none,
                   offsets = ww_array_of(far_away(5), buckets + 1, turn % 2 ? &ww_type_uint32_t : &ww_type_uint64_t);
    if (function)
        expect_status(device,
                      ww_multisplit(device, function, buckets, keys, values, keys_out, values_out, offsets, &options),
                      WW_OK);
    else
        expect_status(device,
                      ww_multisplit_edges(device, keys, values, ww_memory_of(far_away(6), buckets - 1, type), keys_out,
                                          values_out, offsets, &options),
                      WW_OK);
}

static void multisplits(ww_device *device) {
    static const uint64_t counts[] = {256, 2, 5000, 32, 100}, sizes[] = {N, 50 * N, (uint64_t)1 << 27};
    enum { COUNTS = 5, TURNS = 32 };
    const ww_bits bits = {1, 5};
    const ww_delta delta = {13};
    const shifting by = {7};
    const struct {
        const ww_function *function;
        const ww_type *type;
        uint64_t buckets;
    } maps[] = {{ww_with(shifted, &by), &ww_type_int64_t, 40},
                {&sixteenth_ww, &ww_type_float, 16},
                {&rounded_ww, &ww_type_double, 1000},
                {&highest_word_ww, &ww_type_ww_u128, 3},
                {&byte_of_long_ww, &long_key_ww, 256},
                {ww_with(ww_by_bits, &bits), &ww_type_uint32_t, 20}, /* which some keys do not have */
                {&ww_by_number, &ww_type_int8_t, 256}};
    size_t turn = 0;
    for (size_t t = 0; t < TYPES; t++) {
        const bool is_float = types[t]->kind == WW_KIND_FLOAT;
        const uint64_t most = types[t]->size == 1 ? 100 : types[t]->size == 2 ? 2000 : UINT64_MAX;
        for (size_t way = 0; way < 4; way++, turn++) {
            const uint64_t wanted = counts[turn % COUNTS], buckets = wanted < most ? wanted : most;
            const uint64_t n = sizes[(turn + t) % 3];
            if ((is_float && way) || (way == 3 && t % 3) || !take_turn(turn, TURNS)) continue;
            if (way == 0) multisplit(device, NULL, types[t], buckets, n, turn);
            if (way == 1) multisplit(device, &ww_by_number, types[t], buckets, n, turn);
            if (way == 2) multisplit(device, ww_with(ww_by_delta, &delta), types[t], buckets, n, turn);
            if (way == 3) multisplit(device, ww_with(ww_by_bits, &bits), types[t], 32, n, turn);
        }
    }
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++, turn++)
        if (take_turn(turn, TURNS))
            multisplit(device, maps[m].function, maps[m].type, maps[m].buckets, sizes[m % 3], turn);
    /* Positions of 64 bits, by sweeps and in three stages. */
    if (!targets[target].all) return;
    const uint64_t many = ((uint64_t)1 << 31) + 3;
    for (turn = 0; turn < 2; turn++) multisplit(device, &ww_by_number, &ww_type_uint8_t, 8, many, turn);
}

static void multisplit_kernels(void **state) {
    (void)state;
    for_each_target(multisplits);
}

/* The kernels of tests/multisplit/test_ranking.c, by masks and by ballots. */
static void rankings(ww_device *device) {
    static const ranking both[] = {{384, 5, 256, 0, 2}, {256, 3, 32, 2, 2}};
    ww__driver *driver = device->gpu->driver;
    for (size_t k = 0; k < 2; k++) {
        char text[RANKING_ROOM];
        ww__code code = {NULL, 0};
        if (!take_turn(k, 2)) continue;
        ranking_text(text, &both[k]);
        const ww_status status = driver->compile(driver, text, ww__kernel_headers, &code);
        if (status) fprintf(stderr, "%s\n", driver->why);
        expect(!status);
        free(code.bytes);
    }
}

static void ranking_kernels(void **state) {
    (void)state;
    for_each_target(rankings);
}

/* The kernels of test_look_back.c and tests/primitive/test_histogram_halves.c. */
static void tests_own(ww_device *device) {
    ww__driver *driver = device->gpu->driver;
    for (size_t k = 0; k < 3; k++) {
        char text[sizeof look_back_text + 32];
        ww__code code = {NULL, 0};
        if (!take_turn(k, 3)) continue;
        snprintf(text, sizeof text, "#define WW_PACKED %d\n%s", (int)k, look_back_text);
        const ww_status status = driver->compile(driver, k < 2 ? text : histogram_halves_text, ww__kernel_headers,
                                                 &code);
        if (status) fprintf(stderr, "%s\n", driver->why);
        expect(!status);
        free(code.bytes);
    }
}

static void kernels_of_tests(void **state) {
    (void)state;
    for_each_target(tests_own);
}

/* ---- text ---- */

/* A named method; several texts and counts by one in two. */
static void find(ww_device *device, const ww_find_options *options, uint64_t m, size_t turn) {
    static unsigned char pattern[3000];
    static uint64_t offsets[2];
    const ww_input text = ww_memory_of(in_bytes + turn % 2, 20 * N, &ww_type_uint8_t);
    const ww_array positions = out_of(turn % 4 < 2 ? &ww_type_uint32_t : &ww_type_uint64_t);
    const ww_array count = ww_array_of(flags, 1, turn % 8 < 4 ? &ww_type_uint64_t : &ww_type_uint32_t);
    if (turn % 2 || options->packed)
        expect_status(device, ww_find(device, text, pattern, m, positions, count, options), WW_OK);
    else
        expect_status(device,
                      ww_find_texts(device, text, ww_memory(offsets, 2), pattern, m, positions,
                                    ww_array_of(out_bytes + N * 1024, 1, positions.type), count, options),
                      WW_OK);
}

static void named_finds(ww_device *device) {
    static const struct {
        ww_find_method method;
        uint64_t m;
        uint32_t bits;
        bool packed, fold;
    } rows[] = {{WW_FIND_SERIAL, 5, 8, false, false},       {WW_FIND_COOPERATIVE, 9, 1, false, false},
                {WW_FIND_RECURRENCE, 2500, 8, false, true}, {WW_FIND_DIVIDE, 20, 8, false, true},
                {WW_FIND_DIVIDE, 200, 1, true, false},      {WW_FIND_DIVIDE, 1000, 2, false, false},
                {WW_FIND_DIVIDE32, 8, 4, true, false},      {WW_FIND_DIVIDE32, 4, 8, false, true},
                {WW_FIND_DIVIDE64, 30, 2, true, false},     {WW_FIND_DIVIDE64, 12, 5, false, false},
                {WW_FIND_HYBRID, 1000, 8, false, true},     {WW_FIND_TWOSTAGE, 2000, 8, false, false},
                {WW_FIND_TWOSTAGE, 70, 2, false, false}};
    enum { ROWS = sizeof rows / sizeof *rows };
    for (size_t k = 0; k < ROWS; k++) {
        ww_find_options options = WW_FIND_OPTIONS;
        if (!take_turn(k, ROWS)) continue;
        options.method = rows[k].method;
        options.alphabet_bits = rows[k].bits;
        options.packed = rows[k].packed;
        options.fold = rows[k].fold;
        find(device, &options, rows[k].m, k);
    }
}

static void named_find_kernels(void **state) {
    (void)state;
    for_each_target(named_finds);
}

/* Few characters that may differ and many; what is marked, and what is counted of it. */
static void nears(ww_device *device) {
    static const uint64_t mosts[] = {2, 150, 0, 200};
    for (size_t t = 0; t < 4; t++) {
        if (!take_turn(t, 2)) continue;
        ww_find_options options = WW_FIND_OPTIONS;
        options.fold = t % 4 > 1;
        expect_status(device,
                      ww_find_near(device, ww_memory(in_bytes, N), flags, 256, mosts[t],
                                   out_of(t % 2 ? &ww_type_uint32_t : &ww_type_uint64_t),
                                   ww_array_of(out_bytes + 8 * N, N, t % 2 ? &ww_type_uint8_t : &ww_type_uint32_t),
                                   ww_array_of(out_bytes + 16 * N, 1, &ww_type_uint64_t), &options),
                      WW_OK);
    }
}

static void near_kernels(void **state) {
    (void)state;
    for_each_target(nears);
}

/* Sets of patterns of one length or of two: the kinds that there are, with filters of all sizes. */
static void patterns_of_lengths(ww_device *device, uint64_t count, uint64_t shorter, uint64_t longer, bool fold) {
    ww_find_options options = WW_FIND_OPTIONS;
    uint64_t *offsets = need((count + 1) * sizeof *offsets);
    unsigned char *bytes = need(count * longer);
    ww_patterns *patterns;
    offsets[0] = 0;
    for (uint64_t k = 0; k < count; k++) offsets[k + 1] = offsets[k] + (k % 2 ? shorter : longer);
    for (uint64_t i = 0; i < count * longer; i++) bytes[i] = (unsigned char)(i * i % 251);
    options.fold = fold;
    expect_status(device, ww_patterns_open(device, bytes, offsets, count, &patterns, &options), WW_OK);
    expect_status(device,
                  ww_find_many(patterns, ww_memory(in_bytes, N), ww_array((uint32_t *)far_away(1), N),
                               ww_array((uint64_t *)far_away(2), N), ww_array((uint64_t *)far_away(3), 1)),
                  WW_OK);
    ww_patterns_close(patterns);
    free(offsets);
    free(bytes);
}

static void find_many(ww_device *device) {
    if (take_turn(0, 1)) patterns_of_lengths(device, 1000, 8, 32, false);
    if (take_turn(1, 1)) patterns_of_lengths(device, 3000, 3, 9, true);
    if (take_turn(2, 1)) patterns_of_lengths(device, 10, 5, 6, false);
    if (take_turn(3, 1)) patterns_of_lengths(device, 300, 4, 20, true);
}

/* Heads and tails of both sizes, alone and joined, in the layouts of short and long tiles; matrices with fewer rows than lanes, and
 * with more. */
static void tiles(ww_device *device) {
    static const struct {
        const ww_type *keys, *values;
        uint64_t tile;
    } sorts[] = {{&ww_type_uint32_t, NULL, 4096},           {&ww_type_float, &ww_type_uint32_t, 64},
                 {&ww_type_double, &ww_type_uint64_t, 512}, {&ww_type_uint64_t, &ww_type_float, 16384},
                 {&ww_type_int32_t, &ww_type_int64_t, 128}, {&ww_type_int64_t, NULL, 8192}};
    enum { SORTS = sizeof sorts / sizeof *sorts };
    for (size_t i = 0; i < SORTS; i++) {
        const ww_array keys = ww_array_of(in_bytes, 16384, sorts[i].keys),
                       values = sorts[i].values ? ww_array_of(out_bytes, 16384, sorts[i].values) : ww_none;
        if (take_turn(i, SORTS))
            expect_status(device,
                          ww_tiles_sort(device, sorts[i].tile, ww_from(keys),
                                        sorts[i].values ? ww_from(values) : ww_no_input, keys, values),
                          WW_OK);
    }
    for (size_t i = 0; i < 2; i++) {
        const ww_type *const type = i ? &ww_type_uint64_t : &ww_type_uint32_t;
        const ww_input in = ww_memory_of(in_bytes, 4096, type),
                       labels = ww_memory_of(in_bytes + sizeof in_bytes / 2, 4096, &ww_type_uint32_t);
        const ww_array out = ww_array_of(out_bytes, 4096, type);
        if (take_turn(i, 2)) expect_status(device, ww_tiles_partition(device, 1024, 32, in, labels, out), WW_OK);
        if (take_turn(i + 1, 2)) expect_status(device, ww_tiles_permute(device, 2048, in, labels, out), WW_OK);
        if (take_turn(i, 2)) expect_status(device, ww_tiles_transpose(device, i ? 4 : 64, 64, in, out), WW_OK);
    }
}

static void tile_kernels(void **state) {
    (void)state;
    for_each_target(tiles);
}

/* Slab hashes inside of a kernel. */
WW_STRUCT_USES((ww_slab_u32_u32, ww_slab_u64), slab_views, {
    ww_slab_u32_u32 pairs;
    ww_slab_u64 keys;
});
WW_KERNEL_USES((ww_slab_u32_u32_search, ww_slab_u32_u32_insert, ww_slab_u32_u32_replace, ww_slab_u32_u32_place,
                ww_slab_u64_search, ww_slab_u64_insert, ww_slab_u64_replace, ww_slab_u64_delete),
               use_slabs, slab_views, a, i, {
                   uint32_t value = 0;
                   if (ww_slab_u32_u32_search(&a->pairs, (uint32_t)i, &value) == WW_SLAB_ABSENT)
                       ww_slab_u32_u32_insert(&a->pairs, (uint32_t)i, 1);
                   ww_slab_u32_u32_replace(&a->pairs, value, 2);
                   uint32_t *place = ww_slab_u32_u32_place(&a->pairs, 3, 0);
                   if (place) ww_atomic_add(place, 1u);
                   if (!ww_slab_u64_search(&a->keys, i)) ww_slab_u64_insert(&a->keys, i);
                   if (ww_slab_u64_replace(&a->keys, 1) == WW_SLAB_REPLACED) ww_slab_u64_delete(&a->keys, 2);
               });

/* Atomic operations on every type. */
WW_STRUCT(numbers_of_all_types, {
    uint32_t *u;
    uint64_t *v;
    int32_t *i;
    int64_t *l;
    float *f;
    double *d;
});
WW_KERNEL(use_atomics, numbers_of_all_types, a, rank, {
    ww_atomic_store(a->u, ww_atomic_add(a->u, 1) + ww_atomic_load(a->u));
    ww_fence();
    ww_atomic_store(a->v, ww_atomic_add(a->v, 1) + ww_atomic_load(a->v));
    ww_atomic_store(a->i, ww_atomic_add(a->i, -1) + ww_atomic_load(a->i));
    ww_atomic_store(a->l, ww_atomic_add(a->l, -1) + ww_atomic_load(a->l));
    ww_atomic_store(a->f, ww_atomic_add(a->f, 0.5f) + ww_atomic_load(a->f));
    ww_atomic_store(a->d, ww_atomic_add(a->d, 0.5) + ww_atomic_load(a->d));
    a->u[rank] = 1;
});
/* Ranks that wait for one another. */
WW_KERNEL(use_barrier, numbers_of_all_types, a, rank, {
    a->u[ww_append(a->u)] = (uint32_t)ww_append_row(a->v, a->u[1]);
    ww_barrier(a->v, 1024);
    a->u[rank] = 2;
});

static void slabs_in_kernels(ww_device *device) {
    const numbers_of_all_types numbers = {NULL, NULL, NULL, NULL, NULL, NULL};
    ww_slab *pairs, *keys;
    slab_views views;
    expect_status(device, ww_launch(device, ww_with(use_atomics, &numbers), N), WW_OK);
    expect_status(device, ww_launch_together(device, ww_with(use_barrier, &numbers), 1), WW_OK);
    expect_status(device, ww_slab_open(device, &ww_type_uint32_t, &ww_type_uint32_t, N, &pairs, NULL), WW_OK);
    expect_status(device, ww_slab_open(device, &ww_type_uint64_t, NULL, N, &keys, NULL), WW_OK);
    expect_status(device, ww_slab_u32_u32_view(pairs, N, &views.pairs), WW_OK);
    expect_status(device, ww_slab_u64_view(keys, N, &views.keys), WW_OK);
    expect_status(device, ww_launch(device, ww_with(use_slabs, &views), N), WW_OK);
    ww_slab_close(pairs);
    ww_slab_close(keys);
}

/* Batches that are large enough to be sorted and built, each into an empty dictionary. */
static void slabs_at_once(ww_device *device, ww_slab *slab, size_t k, const ww_type *key, const ww_type *value) {
    enum { LARGE = 1 << 15 };
    const ww_input keys = ww_counting(key, 0, LARGE), values = value ? ww_counting(value, 0, LARGE) : ww_no_input;
    const ww_array statuses = ww_array_of(out_bytes, LARGE, &ww_type_uint8_t);
    for (size_t call = 0; call < 4; call++) {
        if (!take_turn(k + call, 6)) continue;
        expect_status(device, ww_slab_clear(slab), WW_OK);
        if (call == 0) expect_status(device, ww_slab_insert(slab, keys, values, ww_none), WW_OK);
        if (call == 1) expect_status(device, ww_slab_replace(slab, keys, values, ww_none), WW_OK);
        if (call == 2) expect_status(device, ww_slab_replace(slab, keys, values, statuses), WW_OK);
        if (call == 3 && value) expect_status(device, ww_slab_combine(slab, &ww_add, keys, values, ww_none), WW_OK);
    }
    expect_status(device, ww_slab_clear(slab), WW_OK);
}

static void slabs(ww_device *device) {
    static const ww_type *const numbers[] = {NULL, &ww_type_uint32_t, &ww_type_uint64_t};
    const ww_array statuses = out_of(&ww_type_uint8_t);
    for (size_t k = 0; k < 6; k++) {
        const ww_type *const key = numbers[1 + k % 2], *const value = numbers[k / 2];
        const ww_input keys = in_of(key), values = value ? in_of(value) : ww_no_input;
        const ww_array found = value ? ww_array_of(in_bytes + sizeof in_bytes / 2, N, value) : ww_none;
        ww_slab *slab;
        expect_status(device, ww_slab_open(device, key, value, N, &slab, NULL), WW_OK);
        if (take_turn(k, 6)) expect_status(device, ww_slab_insert(slab, keys, values, statuses), WW_OK);
        slabs_at_once(device, slab, k, key, value);
        if (take_turn(k + 1, 6)) expect_status(device, ww_slab_replace(slab, keys, values, statuses), WW_OK);
        if (take_turn(k + 2, 6)) expect_status(device, ww_slab_delete(slab, keys, statuses), WW_OK);
        if (take_turn(k + 3, 6)) expect_status(device, ww_slab_delete_all(slab, keys, statuses), WW_OK);
        if (take_turn(k + 4, 6)) expect_status(device, ww_slab_search(slab, keys, found, statuses), WW_OK);
        if (take_turn(k + 5, 6)) expect_status(device, ww_slab_count(slab, keys, out_of(numbers[1 + k % 2])), WW_OK);
        if (take_turn(k, 6))
            expect_status(device, ww_slab_mixed(slab, in_of(&ww_type_uint8_t), keys, values, found, statuses), WW_OK);
        if (value && take_turn(k + 1, 6))
            expect_status(device, ww_slab_combine(slab, &ww_max, keys, values, statuses), WW_OK);
        if (value && take_turn(k + 2, 6))
            expect_status(device, ww_slab_search_all(slab, keys, ww_counting(&ww_type_uint64_t, 0, N + 1), found),
                          WW_OK);
        if (take_turn(k + 3, 6)) expect_status(device, ww_slab_flush(slab), WW_OK);
        ww_slab_close(slab);
    }
}

/* Grids, and a walk in a caller's kernel. */
#define WALKS(N, T) \
    WW_STRUCT_USES((ww_grid_##N), walks_##N, { \
        ww_grid_##N grid; \
        T *sum; \
    }); \
    WW_KERNEL_USES((ww_grid_##N##_walk, ww_grid_##N##_from, ww_grid_##N##_next), walk_##N, walks_##N, a, i, { \
        ww_grid_##N##_walk w; \
        ww_grid_##N##_from(&a->grid, &w, 1, 2, 3, (T)i); \
        while (ww_grid_##N##_next(&a->grid, &w)) a->sum[i] += w.distance_squared; \
    });
WALKS(f32, float)
WALKS(f64, double)

static void grids(ww_device *device) {
    for (size_t wide = 0; wide < 2; wide++) {
        if (!take_turn(wide, 2)) continue;
        const ww_type *const type = wide ? &ww_type_double : &ww_type_float;
        const ww_input x = ww_memory_of(in_bytes, 64, type);
        const ww_points points = ww_points_3d(x, x, x);
        const ww_array numbers = ww_array_of(out_bytes, 64, &ww_type_uint32_t);
        const ww_particles particles = {ww_array_of(in_bytes, 4, type),       ww_array_of(in_bytes + 64, 4, type),
                                        ww_array_of(in_bytes + 128, 4, type), ww_array_of(out_bytes, 4, type),
                                        ww_array_of(out_bytes + 64, 4, type), ww_array_of(out_bytes + 128, 4, type)};
        ww_collide_options step = WW_COLLIDE_OPTIONS;
        ww_grid_options options = WW_GRID_OPTIONS;
        walks_f32 narrow = {.sum = (float *)(void *)out_bytes};
        walks_f64 walks = {.sum = (double *)(void *)out_bytes};
        ww_grid *grid;
        options.cell = step.radius = 1;
        options.method = 1 + (uint32_t)wide;
        options.domain = WW_GRID_BOX;
        expect_status(device, ww_grid_create(device, &points, &options, &grid), WW_OK);
        expect_status(device, ww_grid_near_counts(grid, NULL, 1, numbers), WW_OK);
        /* Nothing runs, so that what is said of the offsets is what their memory held. */
        const ww_status near = ww_grid_near(grid, NULL, 1, ww_array_of(in_bytes, 65, &ww_type_uint64_t), numbers, NULL);
        expect(near == WW_OK || near == WW_RANGE);
        const ww_status lists =
            ww_grid_lists(grid, 1, ww_none, ww_array_of(in_bytes, 65, &ww_type_uint64_t), numbers, NULL);
        expect(lists == WW_OK || lists == WW_LIMIT);
        expect_status(device, ww_grid_nearest(grid, NULL, 1, numbers, ww_none), WW_OK);
        expect_status(device, ww_grid_collide(grid, &particles, &step), WW_OK);
        if (wide) {
            expect_status(device, ww_grid_view_f64(grid, &walks.grid), WW_OK);
            expect_status(device, ww_launch(device, ww_with(walk_f64, &walks), 64), WW_OK);
        } else {
            expect_status(device, ww_grid_view_f32(grid, &narrow.grid), WW_OK);
            expect_status(device, ww_launch(device, ww_with(walk_f32, &narrow), 64), WW_OK);
        }
        ww_grid_destroy(grid);
    }
}

static void grid_kernels(void **state) {
    (void)state;
    for_each_target(grids);
}

static void slab_kernels(void **state) {
    (void)state;
    for_each_target(slabs);
    for_each_target(slabs_in_kernels);
}

static void find_many_kernels(void **state) {
    (void)state;
    for_each_target(find_many);
}

/* Dictionaries of keys with values of each alignment: all calls that have kernels of their own. */
static void dictionary(ww_device *device, const ww_type *key, const ww_type *value, size_t bytes) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    ww_lsm *lsm;
    uint64_t size;
    options.value_size = value == &ww_type_record ? bytes : 0;
    options.batch = 1;
    expect_status(device, ww_lsm_open(device, key, value, &lsm, &options), WW_OK);
    const ww_input keys = in_of(key);
    const ww_input few = ww_memory_of(in_bytes, N / 8, key);
    const ww_input values = !value               ? ww_no_input
                            : options.value_size ? ww_record_memory(in_bytes, N, bytes)
                                                 : in_of(value);
    const ww_input few_values = !value               ? ww_no_input
                                : options.value_size ? ww_record_memory(in_bytes, N / 8, bytes)
                                                     : ww_memory_of(in_bytes, N / 8, value);
    const ww_array keys_out = ww_array_of(far_away(1), N, key), found = ww_array((uint8_t *)far_away(2), N);
    const ww_array values_out = {value ? far_away(3) : NULL, value ? N : 0, value, bytes, NULL, 0};
    const ww_array offsets = ww_array((uint64_t *)far_away(4), N + 1), counts = ww_array((uint32_t *)far_away(5), N);
    expect_status(device, ww_lsm_insert(lsm, keys, values), WW_OK);
    expect_status(device, ww_lsm_update(lsm, few, few_values, ww_memory((const uint8_t *)in_bytes, N / 8)), WW_OK);
    expect_status(device, ww_lsm_lookup(lsm, keys, values_out, found), WW_OK);
    expect_status(device, ww_lsm_count(lsm, keys, keys, counts), WW_OK);
    expect_status(device, ww_lsm_range(lsm, keys, keys, offsets, keys_out, values_out), WW_OK);
    for (int or_equal = 0; or_equal < 2; or_equal++) {
        expect_status(device, ww_lsm_predecessor(lsm, keys, or_equal, keys_out, values_out, found), WW_OK);
        expect_status(device, ww_lsm_successor(lsm, keys, or_equal, keys_out, values_out, found), WW_OK);
    }
    expect_status(device, ww_lsm_size(lsm, &size), WW_OK);
    expect_status(device, ww_lsm_entries(lsm, keys_out, values_out, ww_array(&size, 1)), WW_OK);
    expect_status(device, ww_lsm_delete(lsm, few), WW_OK);
    ww_lsm_close(lsm);
}

static void dictionaries(ww_device *device) {
    static const struct {
        const ww_type *key, *value;
        size_t bytes;
    } rows[] = {{&ww_type_uint32_t, &ww_type_uint32_t, 4},
                {&ww_type_uint64_t, &ww_type_record, 24},
                {&ww_type_uint64_t, NULL, 0},
                {&ww_type_uint32_t, &ww_type_record, 3},
                {&ww_type_uint64_t, &ww_type_uint64_t, 8},
                {&ww_type_uint32_t, &ww_type_record, 64}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (take_turn(k, 1)) dictionary(device, rows[k].key, rows[k].value, rows[k].bytes);
}

static void dictionary_kernels(void **state) {
    (void)state;
    for_each_target(dictionaries);
}

/* A mistake in a body: the status, the caller's file, the macro's line, the offending text. */
WW_STRUCT(wrong_environment, { uint32_t add; });
WW_FUNCTION(only_on_the_host, uint32_t, (uint32_t x), { return x + (uint32_t)sizeof(FILE); });
WW_MAP_USES((only_on_the_host), wrong, uint32_t, uint32_t, x, wrong_environment, e, {
    uint32_t y = x;
    y += e->add;
    y *= 3;
    y = only_on_the_host(y);
    return y;
});

static void mistake(void **state) {
    (void)state;
    ww_device *device = compile_only_open(90, COMPILE_FULLY);
    if (!device) return;
    const wrong_environment e = {1};
    expect_status(device, ww_map(device, ww_with(wrong, &e), in_of(&ww_type_uint32_t), out_of(&ww_type_uint32_t)),
                  WW_COMPILE);
    expect_sentence(device, "ww_map", "test_kernel_text.c", "FILE");
    ww_close(device);
}

/* What the assembler would refuse is seen in PTX. */
static void assembler_faults(void **state) {
    (void)state;
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"extern \"C\" __global__ void k(int *out) { __shared__ int s[12288]; s[*out] = 1; __syncthreads(); *out = *s; }",
         NULL},
        {"extern \"C\" __global__ void k(int *out) { __shared__ int s[12289]; s[*out] = 1; __syncthreads(); *out = *s; }",
         "48 KiB"},
        {"__device__ int f(int); extern \"C\" __global__ void k(int *out) { *out = f(*out); }", "nobody defined"}};
    ww_device *device = compile_only_open(90, COMPILE_TO_PTX);
    if (!device) return;
    ww__driver *driver = device->gpu->driver;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        ww__code code = {NULL, 0};
        const ww_status status = driver->compile(driver, rows[r].text, ww__kernel_headers, &code);
        expect(status == (rows[r].sentence ? WW_COMPILE : WW_OK));
        expect(!rows[r].sentence || strstr(driver->why, rows[r].sentence));
        free(code.bytes);
    }
    ww_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(map_kernels),
                                       cmocka_unit_test(scan_kernels),
                                       cmocka_unit_test(reduce_kernels),
                                       cmocka_unit_test(random_kernels),
                                       cmocka_unit_test(gather_kernels),
                                       cmocka_unit_test(expand_kernels),
                                       cmocka_unit_test(computed_output_kernels),
                                       cmocka_unit_test(sparse_kernels),
                                       cmocka_unit_test(arrange_kernels),
                                       cmocka_unit_test(choice_kernels),
                                       cmocka_unit_test(run_kernels),
                                       cmocka_unit_test(segment_kernels),
                                       cmocka_unit_test(histogram_kernels),
                                       cmocka_unit_test(merge_kernels),
                                       cmocka_unit_test(search_kernels),
                                       cmocka_unit_test(set_kernels),
                                       cmocka_unit_test(sort_kernels),
                                       cmocka_unit_test(partial_sort_kernels),
                                       cmocka_unit_test(merge_sort_kernels),
                                       cmocka_unit_test(sort_method_kernels),
                                       cmocka_unit_test(kernels_with),
                                       cmocka_unit_test(record_split_kernels),
                                       cmocka_unit_test(multisplit_kernels),
                                       cmocka_unit_test(ranking_kernels),
                                       cmocka_unit_test(kernels_of_tests),
                                       cmocka_unit_test(named_find_kernels),
                                       cmocka_unit_test(near_kernels),
                                       cmocka_unit_test(find_kernels),
                                       cmocka_unit_test(find_many_kernels),
                                       cmocka_unit_test(slab_kernels),
                                       cmocka_unit_test(tile_kernels),
                                       cmocka_unit_test(grid_kernels),
                                       cmocka_unit_test(counted_kernels),
                                       cmocka_unit_test(dictionary_kernels),
                                       cmocka_unit_test(mistake),
                                       cmocka_unit_test(assembler_faults)};
    return cmocka_run_group_tests_name("kernel text", tests, NULL, close_all);
}
