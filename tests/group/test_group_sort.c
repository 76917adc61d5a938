/* Sorts of groups beside the serial oracle: every number of ranks, every way of cutting, of keys that are random, equal, in order. */
#include <stdio.h>

#include "reference/sort.h"
#include "support/groups.h"

WW_LESS(by_low_byte, uint32_t, a, b, { return (a & 255) < (b & 255); });

typedef enum kind { VALUE, BY, BY_OWN, INDEX } kind;
typedef struct work {
    kind kind;
    const ww_type *type;
    size_t n;
    const unsigned char *keys;
    const uint64_t *values; /* each key's position, in the whole array */
    size_t first[RANKS_MOST + 1], to[RANKS_MOST + 1];
    unsigned char *keys_out;
    uint64_t *values_out;
    bool has_values, in_place;
    ww_sort_options options;
} work;

static ww_array some(const void *data, const ww_type *type, size_t first, size_t end) {
    return (ww_array){(unsigned char *)(uintptr_t)data + first * type->size, end - first, type, type->size, NULL, 0};
}

static ww_status sort(ww_group *group, void *context) {
    const work *w = context;
    const uint32_t r = ww_group_rank(group);
    const size_t *from = w->first, *to = w->to;
    const ww_input keys = ww_from(some(w->keys, w->type, from[r], from[r + 1]));
    const ww_input values = w->has_values ? ww_from(some(w->values, &ww_type_uint64_t, from[r], from[r + 1]))
                                          : ww_no_input;
    const ww_array out = some(w->keys_out, w->type, to[r], to[r + 1]);
    const ww_array values_out = w->has_values ? some(w->values_out, &ww_type_uint64_t, to[r], to[r + 1]) : ww_none;
    switch (w->kind) {
    case VALUE:
        return ww_group_sort(group, keys, values, out, values_out, &w->options);
    case BY:
        return ww_group_sort_by(group, NULL, keys, values, out, values_out, &w->options);
    case BY_OWN:
        return ww_group_sort_by(group, &by_low_byte_ww, keys, values, out, values_out, &w->options);
    default:
        break;
    }
    return ww_group_sort_index(group, keys, some(w->values_out, &ww_type_uint64_t, to[r], to[r + 1]), &w->options);
}

static void sorted(work *w, uint32_t ranks, cut c, cut out_cut, shape shape, uint64_t seed) {
    const size_t n = w->n, size = w->type->size;
    guarded keys = guarded_new(n * size), keys_out = guarded_new(n * size);
    guarded values = guarded_new(n * 8), values_out = guarded_new(n * 8);
    unsigned char *wanted = need(n * size + 1), *oracle_keys = need(n * size + 1);
    uint64_t *wanted_values = need(n * 8 + 1);
    uint32_t *positions = need(n * 4 + 1);
    fill(keys.data, w->type, size, n, shape, seed);
    for (size_t i = 0; i < n; i++) ((uint64_t *)values.data)[i] = i;
    memcpy(oracle_keys, keys.data, n * size);
    if (w->kind == BY_OWN) /* the oracle compares all of a key */
        for (size_t i = 0; i < n; i++) ((uint32_t *)(void *)oracle_keys)[i] &= 255;
    reference_sort_positions(
        (reference_order){w->type, w->options.descending, w->options.bit_first, w->options.bit_count}, oracle_keys, n,
        positions);
    for (size_t i = 0; i < n; i++) {
        memcpy(wanted + i * size, (unsigned char *)keys.data + positions[i] * size, size);
        wanted_values[i] = positions[i];
    }
    cut_blocks(c, n, ranks, seed, w->first);
    cut_blocks(w->in_place ? c : out_cut, n, ranks, w->in_place ? seed : seed + 1, w->to);
    w->keys = keys.data;
    w->values = values.data;
    w->keys_out = w->in_place ? keys.data : keys_out.data;
    w->values_out = w->in_place ? values.data : values_out.data;
    group_do(ranks, sort, w);
    if (w->kind != INDEX) expect_elements(w->keys_out, wanted, n, size);
    if (w->has_values || w->kind == INDEX) expect_elements(w->values_out, wanted_values, n, 8);
    if (!w->in_place)
        expect_elements(w->kind == BY_OWN ? NULL : keys.data, oracle_keys, w->kind == BY_OWN ? 0 : n, size);
    guarded *const all[] = {&keys, &keys_out, &values, &values_out};
    for (size_t k = 0; k < 4; k++) {
        guarded_check(all[k]);
        guarded_free(all[k]);
    }
    free(wanted);
    free(oracle_keys);
    free(wanted_values);
    free(positions);
}

/* Few elements of each rank: all are seen at once. Then two rounds, and three. */
static const size_t sizes[] = {0, 1, 5, 127, 1000, 4096, 30000, 150000};

static void sorts(void **unused) {
    (void)unused;
    const ww_type *const types[] = {&ww_type_uint32_t, &ww_type_int64_t, &ww_type_float,
                                    &ww_type_uint8_t,  &ww_type_double,  &ww_type_uint16_t};
    static const char *const kinds[] = {"value", "by", "by own", "index"};
    const uint32_t *ranks;
    const size_t many = group_sizes(&ranks);
    uint64_t turn = 0;
    for (size_t g = 0; g < many; g++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int shape = 0; shape < SHAPES; shape++) {
                turn++;
                work w = {.kind = (kind)(turn % 4), .n = sizes[s], .options = WW_SORT_OPTIONS};
                w.type = w.kind == BY_OWN ? &ww_type_uint32_t : types[turn % 6];
                w.has_values = turn % 3 && w.kind != INDEX;
                w.in_place = turn % 5 == 0 && w.kind != INDEX;
                w.options.descending = turn % 7 < 3 && w.kind != BY_OWN;
                if (turn % 11 == 0 && w.kind == VALUE && w.type->kind != WW_KIND_FLOAT) {
                    w.options.bit_first = 2;
                    w.options.bit_count = 5;
                }
                if (on_gpu() && (s % 3 != 1 || shape % 3 || w.n > 5000)) continue;
                CASE("group sort", "%s %s%s%s%s ranks=%u n=%zu %s %s turn=%d", kinds[w.kind], w.type->label,
                     w.has_values ? " values" : "", w.options.descending ? " descending" : "",
                     w.options.bit_count ? " bits" : "", ranks[g], w.n, shape_name((enum shape)shape),
                     cut_name((cut)(turn % CUTS)), (int)turn);
                if (!case_wanted()) continue;
                sorted(&w, ranks[g], (cut)(turn % CUTS), (cut)(turn / 4 % CUTS), (enum shape)shape,
                       seed_of_run() + turn);
            }
}

/* So many that cuts take several rounds, and pieces are copied in parts. */
static void a_large_sort(void **unused) {
    (void)unused;
    if (on_gpu()) return;
    work w = {.kind = VALUE, .n = size_large(), .type = &ww_type_uint32_t, .options = WW_SORT_OPTIONS};
    CASE("group sort", "large, n=%zu", w.n);
    if (case_wanted()) sorted(&w, 3, CUT_EVENLY, CUT_AT_RANDOM, SKEWED, seed_of_run());
}

/* What only shows on all ranks together; then a sort that works. */
typedef struct refusal {
    int kind;
    ww_status status[4];
    char said[4][256];
} refusal;
static ww_status refuse(ww_group *group, void *context) {
    refusal *f = context;
    const uint32_t r = ww_group_rank(group);
    uint32_t x[10] = {3, 1, 2, 9, 8, 7, 5, 5, 5, 0}, y[10] = {0};
    uint16_t z[10] = {0};
    uint64_t wide[10] = {0};
    ww_sort_options o = WW_SORT_OPTIONS;
    const ww_input keys = ww_memory(x, 10);
    ww_status status = WW_OK;
    switch (f->kind) {
    case 0:
        status = ww_group_sort(group, keys, ww_no_input, ww_array(y, r == 1 ? 9 : 10), ww_none, NULL);
        break;
    case 1:
        status = ww_group_sort(group, keys, ww_no_input, r == 2 ? ww_array(wide, 10) : ww_array(y, 10), ww_none, NULL);
        break;
    case 2:
        o.descending = r == 3;
        status = ww_group_sort(group, keys, ww_no_input, ww_array(y, 10), ww_none, &o);
        break;
    case 3:
        o.descending = true;
        status = ww_group_sort_by(group, &by_low_byte_ww, keys, ww_no_input, ww_array(y, 10), ww_none, &o);
        break;
    case 4:
        status = ww_group_sort(group, keys, r ? keys : ww_no_input, ww_array(y, 10), r ? ww_array(x, 10) : ww_none,
                               NULL);
        break;
    case 5:
        status = ww_group_sort(group, keys, ww_memory(wide, 9), ww_array(y, 10), ww_array(wide, 9), NULL);
        break;
    default:
        status = ww_group_sort_index(group, keys, r == 1 ? ww_array(z, 10) : ww_array(y, 10), NULL);
    }
    f->status[r] = status;
    snprintf(f->said[r], sizeof f->said[r], "%s", ww_group_error(group));
    for (size_t i = 0; i < 10; i++)
        if (y[i] || wide[i] || z[i]) return WW_FORMAT;
    status = ww_group_sort(group, keys, ww_no_input, ww_array(y, 10), ww_none, NULL);
    return status || y[0] == (r < 1 ? 0 : r < 2 ? 2 : r < 3 ? 5 : 7) ? status : WW_FORMAT;
}
static void refusals(void **unused) {
    (void)unused;
    static const struct {
        ww_status status;
        const char *said;
    } wanted[] = {
        {WW_INVALID, "the blocks have 40 keys in all, and the outputs a capacity of 39"},
        {WW_TYPE, "ww_group_sort: rank 2: keys is of type u32 (4 bytes), keys_out of u64 (8)"},
        {WW_INVALID, "ww_group_sort: rank 3 was given other"},
        {WW_INVALID, "ww_group_sort_by: rank 0: descending"},
        {WW_INVALID, "was given other"},
        {WW_INVALID, "ww_group_sort: rank 0: keys has 10 elements, values 9"},
        {WW_TYPE, "ww_group_sort_index: rank 1: index_out is of type u16"},
    };
    for (int kind = 0; kind < (int)(sizeof wanted / sizeof *wanted); kind++) {
        refusal f = {.kind = kind};
        CASE("group sort", "refused, kind=%d", kind);
        if (!case_wanted()) continue;
        group_do(4, refuse, &f);
        for (uint32_t r = 0; r < 4; r++) {
            expect(f.status[r] == wanted[kind].status);
            expect(strstr(f.said[r], wanted[kind].said) != NULL);
            expect(!strcmp(f.said[r], f.said[0]));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorts), cmocka_unit_test(a_large_sort),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
