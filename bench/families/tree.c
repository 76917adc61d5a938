/* Trees over sorted keys: a radix tree of 8 bits a level and what is looked up in it, beside a search in the sorted array;
 * the binary radix tree of Morton codes; volumes of random points, and the nearest ones. Trees are built in the memory that
 * the one before left. */
#include <stdlib.h>

#include "measuring/bench.h"
#include "measuring/data.h"
#include "measuring/pages.h"

/* Of the row that is measured. */
static ww_radix_tree *tree;
static ww_volumes *volumes;

static void end(void) {
    ww_radix_tree_destroy(tree);
    ww_volumes_destroy(volumes);
    tree = NULL;
    volumes = NULL;
}

/* ---- radix trees ---- */

/* Keys that differ, uniform in their upper halves. */
static void make_keys(bench_work *w) {
    uint64_t *const keys = work_pages(w, w->n * 8);
    uint32_t *const upper = work_pages(w, w->n * 4);
    w->in = keys;
    w->out = work_pages(w, w->out_bytes = w->n * 8);
    data_sorted(upper, w->n, 71);
    for (size_t i = 0; i < w->n; i++) keys[i] = (uint64_t)upper[i] << 32 | i;
}

static void make_queries(bench_work *w) {
    make_keys(w);
    uint32_t *const order = work_pages(w, w->n * 4);
    uint64_t *const queries = work_pages(w, w->n * 8);
    w->second = queries;
    data_permutation(order, w->n, 72);
    for (size_t i = 0; i < w->n; i++) queries[i] = ((const uint64_t *)w->in)[order[i]];
}

static ww_input keys_of(const bench_work *w) { return ww_memory((const uint64_t *)w->in, w->n); }
static ww_input queries_of(const bench_work *w) { return ww_memory((const uint64_t *)w->second, w->n); }
static ww_array out_of(const bench_work *w) { return ww_array((uint64_t *)w->out, w->n); }

static ww_status run_build(bench_work *w) {
    ww_radix_tree_options o = WW_RADIX_TREE_OPTIONS;
    o.leaf = (uint32_t)w->parameter;
    const ww_status status = tree ? WW_OK : ww_radix_tree_create(w->device, &o, &tree);
    return status ? status : ww_radix_tree_build(tree, keys_of(w), ww_no_input);
}

static bool right_build(const bench_work *w) {
    uint64_t *const positions = w->out;
    if (ww_radix_tree_find(tree, keys_of(w), out_of(w)) || ww_sync(w->device)) return false;
    for (size_t i = 0; i < w->n; i++)
        if (positions[i] != i) return false;
    return true;
}

static ww_status run_find(bench_work *w) {
    const ww_status status = tree ? WW_OK : run_build(w);
    return status ? status : ww_radix_tree_find(tree, queries_of(w), out_of(w));
}

static ww_status run_tree_bound(bench_work *w) {
    const ww_status status = tree ? WW_OK : run_build(w);
    return status ? status : ww_radix_tree_lower_bound(tree, queries_of(w), out_of(w));
}

static ww_status run_search(bench_work *w) {
    return ww_lower_bound(w->device, NULL, keys_of(w), queries_of(w), out_of(w));
}

static bool right_find(const bench_work *w) {
    const uint64_t *const positions = w->out, *const keys = w->in, *const queries = w->second;
    for (size_t i = 0; i < w->n; i++)
        if (positions[i] >= w->n || keys[positions[i]] != queries[i]) return false;
    return true;
}

/* ---- binary radix trees, and volumes ---- */

WW_MAP(code_of_key, uint64_t, uint64_t, key, void, none, { return key >> 1; });

static ww_status run_binary(bench_work *w) {
    const ww_status status = volumes ? WW_OK : ww_volumes_create(w->device, &volumes);
    return status ? status : ww_volumes_build_codes(volumes, ww_mapped(&code_of_key_ww, keys_of(w)));
}

/* Every child has its parent, and every node but the root is a child once. */
static bool right_binary(const bench_work *w) {
    ww_volumes_view v;
    const size_t all = 2 * (w->n - 1);
    uint32_t *const children = malloc(all * 4 + 4), *const parents = malloc(all * 4 + 4);
    bool right = children && parents && !ww_volumes_view_get(volumes, &v) && v.count == w->n &&
                 !ww_copy(w->device, ww_memory(v.children, all), ww_array(children, all)) &&
                 !ww_copy(w->device, ww_memory(v.parents, all), ww_array(parents, all)) && !ww_sync(w->device);
    for (size_t i = 0; right && i < all; i++) {
        const size_t child = children[i] & WW_RADIX_LEAF ? children[i] & ~WW_RADIX_LEAF : w->n + children[i] - 1;
        right = child < all && parents[child] == i / 2;
        if (right) parents[child] = UINT32_MAX;
    }
    free(children);
    free(parents);
    return right;
}

static void make_points(bench_work *w) {
    float *const points = work_pages(w, w->n * 12);
    float *const queries = work_pages(w, w->n * 12);
    w->in = points;
    w->second = queries;
    w->out = work_pages(w, w->out_bytes = w->n * sizeof(ww_volume_nearest));
    uint32_t *const random = work_pages(w, w->n * 12);
    for (int second = 0; second < 2; second++) {
        data_u32(random, 3 * w->n, 73 + (uint64_t)second);
        for (size_t i = 0; i < 3 * w->n; i++) (second ? queries : points)[i] = (float)(random[i] >> 8) / 16777216.0f;
    }
}

static ww_status run_volumes(bench_work *w) {
    const ww_status status = volumes ? WW_OK : ww_volumes_create(w->device, &volumes);
    return status ? status : ww_volumes_build_points(volumes, ww_memory_of(w->in, w->n, &ww_volume_point_ww));
}

static ww_status ask_nearest(const bench_work *w, const void *points) {
    return ww_volumes_nearest(volumes, ww_memory_of(points, w->n, &ww_volume_point_ww),
                              ww_array_of(w->out, w->n, &ww_volume_nearest_ww));
}

static ww_status run_nearest(bench_work *w) {
    const ww_status status = volumes ? WW_OK : run_volumes(w);
    return status ? status : ask_nearest(w, w->second);
}

/* Every point is nearest to itself, or to one before it in its place. */
static bool right_volumes(const bench_work *w) {
    const ww_volume_nearest *const nearest = w->out;
    if (ask_nearest(w, w->in) || ww_sync(w->device)) return false;
    for (size_t i = 0; i < w->n; i++)
        if (nearest[i].item > i || nearest[i].squared != 0) return false;
    return true;
}

/* What is said of some points, by looking at all. */
static bool right_nearest(const bench_work *w) {
    enum { LOOKED_AT = 8 };
    const ww_volume_nearest *const nearest = w->out;
    const float *const points = w->in;
    for (size_t q = 0; q < w->n; q += w->n / LOOKED_AT + 1) {
        const float *const x = (const float *)w->second + 3 * q;
        double least = 1e30;
        for (size_t i = 0; i < w->n; i++) {
            double sum = 0;
            for (size_t k = 0; k < 3; k++)
                sum += ((double)points[3 * i + k] - x[k]) * ((double)points[3 * i + k] - x[k]);
            if (sum < least) least = sum;
        }
        if (nearest[q].squared != least) return false;
    }
    return true;
}

/* clang-format off */
static const bench_rival search[] = {{.who = "lower bound", .call = "ww_lower_bound in the sorted keys", .run = run_search}};
#define BUILD(title, how) \
    {.name = "radix tree, " title, .call = "ww_radix_tree_build of sorted u64", .make = make_keys, .run = run_build, \
     .right = right_build, .end = end, .bytes = 8, .element = 8, .usual = 1 << 24, .parameter = how}
#define LOOK(title, calls, runs) \
    {.name = title, .call = calls " of n random keys of a tree of n", .make = make_queries, .run = runs, .right = right_find, \
     .end = end, .bytes = 16, .element = 8, .usual = 1 << 24, .rivals = search, .rival_count = BENCH_COUNT(search)}
static const bench_row rows[] = {
    BUILD("leaves of 4", 4),
    BUILD("a leaf a key", 1),
    LOOK("radix tree, find", "ww_radix_tree_find", run_find),
    LOOK("radix tree, bound", "ww_radix_tree_lower_bound", run_tree_bound),
    {.name = "binary radix tree", .call = "ww_volumes_build_codes of sorted u64", .make = make_keys, .run = run_binary,
     .right = right_binary, .end = end, .bytes = 24, .element = 8, .usual = 1 << 24},
    {.name = "volumes of points", .call = "ww_volumes_build_points", .make = make_points, .run = run_volumes,
     .right = right_volumes, .end = end, .bytes = 12, .element = 12, .usual = 1 << 20},
    {.name = "nearest point", .call = "ww_volumes_nearest of n random points among n", .make = make_points, .run = run_nearest,
     .right = right_nearest, .end = end, .bytes = 28, .element = 12, .usual = 1 << 20},
};
/* clang-format on */

const bench_family family_tree = {.name = "tree",
                                  .title = "Trees over sorted keys",
                                  .rows = rows,
                                  .count = BENCH_COUNT(rows)};
