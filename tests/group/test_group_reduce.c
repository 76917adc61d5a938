/* Reductions and histograms of groups, beside the same call of one device on the whole array: bytes are the same for every number of
 * ranks and every way of cutting the array. */
#include <stdio.h>

#include "support/affine.h"
#include "support/groups.h"

WW_MAP(low_digits, uint32_t, uint32_t, x, uint32_t, bins, { return x % *bins; });

typedef struct work {
    const ww_type *type;
    size_t size;
    const unsigned char *data;
    size_t first[RANKS_MOST + 1];
    const ww_function *op;
    const ww_function *mapped; /* or NULL */
    unsigned char *out;        /* of each rank, `out_bytes` */
    size_t out_bytes;
    uint64_t bins;
    bool accumulate;
    uint64_t outside[RANKS_MOST];
} work;

static ww_input block_of(const work *w, uint32_t rank) {
    const size_t n = w->first[rank + 1] - w->first[rank];
    const ww_array a = {(void *)(uintptr_t)(w->data + w->first[rank] * w->size), n, w->type, w->size, NULL, 0};
    return w->mapped ? ww_mapped(w->mapped, ww_from(a)) : ww_from(a);
}

static ww_input whole_of(const work *w, uint32_t ranks) {
    const ww_array a = {(void *)(uintptr_t)w->data, w->first[ranks], w->type, w->size, NULL, 0};
    return w->mapped ? ww_mapped(w->mapped, ww_from(a)) : ww_from(a);
}

static ww_status reduce(ww_group *group, void *context) {
    const work *w = context;
    const uint32_t rank = ww_group_rank(group);
    const ww_array out = {w->out + rank * w->out_bytes, 1, w->type, w->size, NULL, 0};
    return ww_group_reduce(group, w->op, block_of(w, rank), out);
}

/* A tree of one tile, of several, of two levels; 4 ranks and more have tiles that lie on several of them. */
static const size_t sizes[] = {0, 1, 2, 5, 100, 4095, 4096, 4097, 20000, 70001};

typedef struct operation {
    const char *name;
    const ww_type *type;
    const ww_function *op, *mapped;
} operation;

static void reduced(const operation *o, uint32_t ranks, cut c, size_t n) {
    work w = {.type = o->type, .size = o->type->size, .op = o->op, .mapped = o->mapped};
    guarded all = guarded_new(n * w.size), out = guarded_new(ranks * w.size);
    unsigned char wanted[64] __attribute__((aligned(16)));
    ww_device *cpu = NULL;
    w.data = all.data;
    w.out = out.data;
    w.out_bytes = w.size;
    fill(all.data, o->type == &affine_ww ? &ww_type_float : o->type, o->type == &affine_ww ? 4 : w.size,
         o->type == &affine_ww ? 2 * n : n, UNIFORM, seed_of_run() + n);
    if (o->type == &affine_ww) /* products that stay near 1 */
        for (size_t i = 0; i < n; i++) ((affine *)all.data)[i].a = 1.0f + (float)(i % 17) * 1e-4f - 8e-4f;
    cut_blocks(c, n, ranks, seed_of_run() + n, w.first);
    expect(!ww_open("cpu:threads=1", &cpu));
    expect_status(cpu, ww_reduce(cpu, o->op, whole_of(&w, ranks), (ww_array){wanted, 1, o->type, w.size, NULL, 0}),
                  WW_OK);
    ww_close(cpu);
    group_do(ranks, reduce, &w);
    for (uint32_t r = 0; r < ranks; r++) expect_bytes(w.out + r * w.size, wanted, w.size);
    guarded_check(&out);
    guarded_free(&out);
    guarded_free(&all);
}

static void reductions(void **unused) {
    (void)unused;
    const operation operations[] = {
        {"u32 add", &ww_type_uint32_t, &ww_add, NULL}, {"f32 add", &ww_type_float, &ww_add, NULL},
        {"f64 mul", &ww_type_double, &ww_mul, NULL},   {"f32 add of halves", &ww_type_float, &ww_add, &half_ww},
        {"affine then", &affine_ww, &then_ww, NULL},   {"i64 min", &ww_type_int64_t, &ww_min, NULL},
        {"u8 max", &ww_type_uint8_t, &ww_max, NULL},   {"f64 max", &ww_type_double, &ww_max, NULL},
    };
    const uint32_t *ranks;
    const size_t many = group_sizes(&ranks);
    uint64_t turn = 0;
    for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
        for (size_t g = 0; g < many; g++)
            for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
                const cut c = (cut)(turn++ % CUTS);
                if (on_gpu() && (left_to_gpus(o) || n % 3 != g % 3)) continue;
                CASE("group reduce", "%s ranks=%u n=%zu %s", operations[o].name, ranks[g], sizes[n], cut_name(c));
                if (case_wanted()) reduced(&operations[o], ranks[g], c, sizes[n]);
            }
}

/* ---- histograms ---- */

static ww_status count(ww_group *group, void *context) {
    work *w = context;
    const uint32_t rank = ww_group_rank(group);
    const uint32_t bins = (uint32_t)w->bins;
    ww_histogram_options o = WW_HISTOGRAM_OPTIONS;
    o.accumulate = w->accumulate;
    const ww_array counts = {w->out + rank * w->out_bytes, w->bins, &ww_type_uint32_t, 4, NULL, 0};
    const ww_array outside = ww_array(&w->outside[rank], 1);
    if (w->op == &ww_add)
        return ww_group_histogram(group, ww_with(low_digits, &bins), block_of(w, rank), counts, ww_none, &o);
    return ww_group_histogram_even(group, block_of(w, rank), ww_value(uint32_t, 1000), ww_value(uint32_t, 3000000000u),
                                   counts, outside, &o);
}

static void counted(uint32_t ranks, cut c, size_t n, uint64_t bins, bool even, bool accumulate) {
    work w = {
        .type = &ww_type_uint32_t, .size = 4, .bins = bins, .op = even ? NULL : &ww_add, .accumulate = accumulate};
    guarded all = guarded_new(n * 4), out = guarded_new(ranks * bins * 4);
    uint32_t *wanted = need(bins * 4);
    const uint32_t number = (uint32_t)bins;
    uint64_t outside = 0;
    ww_device *cpu = NULL;
    w.data = all.data;
    w.out = out.data;
    w.out_bytes = bins * 4;
    fill(all.data, &ww_type_uint32_t, 4, n, SKEWED, seed_of_run() + n);
    cut_blocks(c, n, ranks, seed_of_run() + n, w.first);
    expect(!ww_open("cpu:threads=1", &cpu));
    if (even)
        expect_status(cpu,
                      ww_histogram_even(cpu, whole_of(&w, ranks), ww_value(uint32_t, 1000),
                                        ww_value(uint32_t, 3000000000u), ww_array(wanted, bins), ww_array(&outside, 1),
                                        NULL),
                      WW_OK);
    else
        expect_status(
            cpu,
            ww_histogram(cpu, ww_with(low_digits, &number), whole_of(&w, ranks), ww_array(wanted, bins), ww_none, NULL),
            WW_OK);
    ww_close(cpu);
    group_do(ranks, count, &w);
    for (uint64_t b = 0; accumulate && b < bins; b++) wanted[b] += 0xA5A5A5A5u; /* the poison that was there */
    for (uint32_t r = 0; r < ranks; r++) {
        expect_elements(w.out + r * w.out_bytes, wanted, bins, 4);
        expect(!even || w.outside[r] == outside);
    }
    guarded_check(&out);
    guarded_free(&out);
    guarded_free(&all);
    free(wanted);
}

static void histograms(void **unused) {
    (void)unused;
    static const uint64_t bins[] = {1, 7, 1024, 1025, 5000};
    const uint32_t *ranks;
    const size_t many = group_sizes(&ranks);
    uint64_t turn = 0;
    for (size_t g = 0; g < many; g++)
        for (size_t b = 0; b < sizeof bins / sizeof *bins; b++)
            for (int even = 0; even < 2; even++) {
                const cut c = (cut)(turn % CUTS);
                const size_t n = turn % 5 == 4 ? 0 : 10000 + turn;
                turn++;
                if (on_gpu() && (b % 3 != 1 || g % 2)) continue;
                CASE("group histogram", "%s bins=%d ranks=%u n=%zu %s", even ? "even" : "function", (int)bins[b],
                     ranks[g], n, cut_name(c));
                if (case_wanted()) counted(ranks[g], c, n, bins[b], even, turn % 2);
            }
}

/* ---- what ranks do not agree on ---- */

typedef struct wrong {
    int kind;
    ww_status status[RANKS_MOST];
    char said[RANKS_MOST][256];
    uint32_t out[RANKS_MOST];
} wrong;

WW_MAP(one_way, uint32_t, uint32_t, x, void, none, { return x & 1; });

/* Rank 2 does something else than the others; then all do the same, which has to work. */
static ww_status disagree(ww_group *group, void *context) {
    wrong *w = context;
    const uint32_t rank = ww_group_rank(group);
    const bool odd_one = rank == 2;
    uint32_t x[4] = {1, 2, 3, 4}, counts[2] = {7, 7};
    uint64_t y = 9;
    const ww_array out = ww_array(&w->out[rank], 1);
    ww_status status = WW_OK;
    switch (w->kind) {
    case 0:
        status = ww_group_reduce(group, odd_one ? &ww_min : &ww_add, ww_memory(x, 4), out);
        break;
    case 1:
        status = ww_group_reduce(group, &ww_add, ww_memory(x, 4), odd_one ? ww_array(&y, 1) : out);
        break;
    case 2:
        status = odd_one ? ww_group_histogram(group, &one_way_ww, ww_memory(x, 4), ww_array(counts, 2), ww_none, NULL)
                         : ww_group_reduce(group, &ww_add, ww_memory(x, 4), out);
        break;
    case 3:
        status = ww_group_histogram(group, &one_way_ww, ww_memory(x, 4), ww_array(counts, odd_one ? 1 : 2), ww_none,
                                    NULL);
        break;
    case 4:
        status = ww_group_reduce(group, odd_one ? NULL : &ww_add, ww_memory(x, 4), out);
        break;
    default:
        status = ww_group_histogram(group, ww_with(low_digits, &(uint32_t){odd_one ? 3 : 2}), ww_memory(x, 4),
                                    ww_array(counts, 2), ww_none, NULL);
    }
    w->status[rank] = status;
    snprintf(w->said[rank], sizeof w->said[rank], "%s", ww_group_error(group));
    if (counts[0] != 7 || counts[1] != 7 || y != 9 || w->out[rank] != 5) return WW_FORMAT; /* nothing changed */
    status = ww_group_reduce(group, &ww_add, ww_memory(x, 4), out);
    return !status && w->out[rank] != 10 * ww_group_ranks(group) ? WW_FORMAT : status;
}

static void disagreements(void **unused) {
    (void)unused;
    static const struct {
        ww_status status;
        const char *said;
    } wanted[] = {
        {WW_INVALID, "ww_group_reduce: rank 2 was given other functions"},
        {WW_TYPE, "ww_group_reduce: rank 2: in is of type u32 (4 bytes), out of u64 (8)"},
        {WW_INVALID, "rank 2 called ww_group_histogram where rank 0 called ww_group_reduce"},
        {WW_RANGE, "ww_group_histogram: rank 2: "}, /* one bin is too few for 1 */
        {WW_INVALID, "ww_group_reduce: rank 2: op is NULL"},
        {WW_RANGE, "ww_group_histogram: rank 2: "},
    };
    for (int kind = 0; kind < (int)(sizeof wanted / sizeof *wanted); kind++) {
        wrong w = {.kind = kind};
        for (size_t r = 0; r < RANKS_MOST; r++) w.out[r] = 5;
        CASE("group disagreements", "kind=%d", kind);
        if (!case_wanted()) continue;
        group_do(4, disagree, &w);
        for (uint32_t r = 0; r < 4; r++) {
            expect(w.status[r] == wanted[kind].status);
            if (kind == 2)
                expect(strstr(w.said[r], "called") != NULL);
            else
                expect(strstr(w.said[r], wanted[kind].said) != NULL);
            expect(!strcmp(strchr(w.said[r], ' '), strchr(w.said[0], ' ')));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions),
        cmocka_unit_test(histograms),
        cmocka_unit_test(disagreements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
