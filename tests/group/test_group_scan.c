/* Scans of groups beside ww_scan of the whole array on one CPU: the same bytes, floats too, however the array is cut. */
#include <stdio.h>

#include "support/affine.h"
#include "support/groups.h"

typedef struct operation {
    const char *name;
    const ww_type *type;
    const ww_function *op, *mapped;
} operation;

typedef struct work {
    const operation *o;
    unsigned char *data, *out, *totals;
    size_t n, first[RANKS_MOST + 1];
    bool exclusive, initial, in_place;
} work;

static ww_input some(const work *w, size_t first, size_t end) {
    const ww_array a = {w->data + first * w->o->type->size, end - first, w->o->type, w->o->type->size, NULL, 0};
    return w->o->mapped ? ww_mapped(w->o->mapped, ww_from(a)) : ww_from(a);
}

static ww_scan_options options_of(const work *w, void *total) {
    static const affine start_affine = {1.5f, -2};
    ww_scan_options o = WW_SCAN_OPTIONS;
    o.exclusive = w->exclusive;
    o.total = (ww_array){total, 1, w->o->type, w->o->type->size, NULL, 0};
    if (!w->initial) return o;
    if (w->o->type == &affine_ww)
        o.initial = ww_value_of(&start_affine, &affine_ww);
    else /* the first element, as it is */
        o.initial = ww_value_of("\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17", w->o->type);
    return o;
}

static ww_status scan(ww_group *group, void *context) {
    const work *w = context;
    const uint32_t r = ww_group_rank(group);
    const size_t size = w->o->type->size;
    const ww_scan_options o = options_of(w, w->totals + r * size);
    unsigned char *to = (w->in_place ? w->data : w->out) + w->first[r] * size;
    return ww_group_scan(group, w->o->op, some(w, w->first[r], w->first[r + 1]),
                         (ww_array){to, w->first[r + 1] - w->first[r], w->o->type, size, NULL, 0}, &o);
}

static void scanned(work *w, uint32_t ranks, cut c, uint64_t seed) {
    const size_t size = w->o->type->size, bytes = w->n * size;
    const bool is_affine = w->o->type == &affine_ww;
    guarded data = guarded_new(bytes), out = guarded_new(bytes), totals = guarded_new(ranks * size);
    unsigned char *wanted = need(bytes + 1), total[16] __attribute__((aligned(16)));
    const ww_scan_options o = options_of(w, total);
    ww_device *cpu = NULL;
    fill(data.data, is_affine ? &ww_type_float : w->o->type, is_affine ? 4 : size, is_affine ? 2 * w->n : w->n, UNIFORM,
         seed);
    for (size_t i = 0; is_affine && i < w->n; i++) /* products that stay near 1 */
        ((affine *)data.data)[i].a = 1.0f + (float)(i % 17) * 1e-4f - 8e-4f;
    if (on_gpu()) /* whose carries have brackets of their own: sums that are exact */
        for (size_t i = 0; w->o->type == &ww_type_float && i < w->n; i++) ((float *)data.data)[i] = (float)(i % 7);
    w->data = data.data;
    w->out = out.data;
    w->totals = totals.data;
    cut_blocks(c, w->n, ranks, seed, w->first);
    expect(!ww_open("cpu:threads=1", &cpu));
    expect_status(
        cpu, ww_scan(cpu, w->o->op, some(w, 0, w->n), (ww_array){wanted, w->n, w->o->type, size, NULL, 0}, &o), WW_OK);
    ww_close(cpu);
    group_do(ranks, scan, w);
    expect_elements(w->in_place ? data.data : out.data, wanted, w->n, size);
    for (uint32_t r = 0; r < ranks; r++) expect_bytes(w->totals + r * size, total, size);
    guarded *const all[] = {&data, &out, &totals};
    for (size_t k = 0; k < 3; k++) {
        guarded_check(all[k]);
        guarded_free(all[k]);
    }
    free(wanted);
}

static void scans(void **unused) {
    (void)unused;
    const operation operations[] = {
        {"u32 add", &ww_type_uint32_t, &ww_add, NULL}, {"f32 add", &ww_type_float, &ww_add, NULL},
        {"f64 add", &ww_type_double, &ww_add, NULL},   {"f32 add of halves", &ww_type_float, &ww_add, &half_ww},
        {"affine then", &affine_ww, &then_ww, NULL},   {"i64 max", &ww_type_int64_t, &ww_max, NULL},
        {"u8 mul", &ww_type_uint8_t, &ww_mul, NULL},   {"u64 add", &ww_type_uint64_t, &ww_add, NULL},
    };
    static const size_t sizes[] = {0, 1, 15, 100, 2047, 2048, 2049, 5000, 40000, 100001};
    const uint32_t *ranks;
    const size_t many = group_sizes(&ranks);
    uint64_t turn = 0;
    for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
        for (size_t g = 0; g < many; g++)
            for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
                turn++;
                const cut c = (cut)(turn % CUTS);
                work w = {.o = &operations[o], .n = sizes[n], .exclusive = turn % 3 == 1, .initial = turn % 2};
                w.in_place = turn % 5 == 0 && !w.o->mapped;
                if (on_gpu() && (o > 1 || n % 4 != 1 + o)) continue;
                CASE("group scan", "%s%s%s ranks=%u n=%zu %s turn=%d", w.o->name, w.exclusive ? " exclusive" : "",
                     w.initial ? " initial" : "", ranks[g], w.n, cut_name(c), (int)turn);
                if (case_wanted()) scanned(&w, ranks[g], c, seed_of_run() + turn);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
