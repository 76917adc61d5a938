/* Binary radix trees against their definition, and bounding volumes against looking at all items: of points and boxes, uniform,
 * in one place, on lines, one far away from all others. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "reference/volumes.h"
#include "support/cases.h"
#include "warpwise.h"

enum { MOST = 2000, QUERIES = 150 };

static const char *const shapes[] = {"uniform",      "one place",  "on an axis", "on a diagonal",
                                     "one far away", "few places", "huge"};
enum { SHAPES_OF_SPACE = sizeof shapes / sizeof *shapes };

static float boxes[MOST][6], asked[QUERIES][6];

static float unit(uint64_t *seed) { return (float)(random_next(seed) >> 40) / 16777216.0f; }

static void make_box(float box[6], unsigned shape, bool points, size_t i, uint64_t *seed) {
    const float t = unit(seed);
    for (int k = 0; k < 3; k++) {
        float x = unit(seed);
        if (shape == 1) x = 0.75f;
        if (shape == 2) x = k == 1 ? t : -3.0f;
        if (shape == 3) x = t * (float)(k + 1);
        if (shape == 4) x = i == 5 ? 1e30f : x;
        if (shape == 5) x = (float)(int)(x * 3);
        if (shape == 6) x = (x - 0.5f) * 2 * FLT_MAX;
        box[k] = x;
        box[3 + k] = points ? x : x + (shape == 6 ? 0 : unit(seed) * 0.1f);
    }
}

static void make(size_t n, unsigned shape, bool points) {
    uint64_t seed = seed_of_run() + 31 * shape + n;
    for (size_t i = 0; i < n; i++) make_box(boxes[i], shape, points, i, &seed);
    for (size_t i = 0; i < QUERIES; i++) {
        make_box(asked[i], i % 3 ? shape : 0, i % 2, i + 6, &seed);
        if (i % 5 == 1 && n) memcpy(asked[i], boxes[i % n], sizeof *asked);
    }
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) asked[QUERIES - 1 - k][k] = bad[k];
    for (int k = 0; k < 3; k++) asked[QUERIES - 4][k] = -INFINITY, asked[QUERIES - 4][3 + k] = INFINITY;
    asked[QUERIES - 5][0] = asked[QUERIES - 5][3] + 1;
}

/* ---- the tree ---- */

typedef struct tree_copy {
    ww_volumes_view v;
    uint64_t *code;
    uint32_t *children, *parents, *item;
    ww_volume_node *node;
    size_t seen;
} tree_copy;

static void *copied(ww_device *device, const void *from, size_t n, const ww_type *type) {
    void *to = need(n * type->size + 1);
    if (from && n) expect_status(device, ww_copy(device, ww_memory_of(from, n, type), ww_array_of(to, n, type)), WW_OK);
    return to;
}

static void copy_tree(ww_device *device, const ww_volumes *volumes, tree_copy *t) {
    expect(ww_volumes_view_get(volumes, &t->v) == WW_OK);
    const size_t n = t->v.count, inner = n ? n - 1 : 0;
    t->code = copied(device, t->v.code, n, &ww_type_uint64_t);
    t->item = copied(device, t->v.item, n, &ww_type_uint32_t);
    t->children = copied(device, t->v.children, 2 * inner, &ww_type_uint32_t);
    t->parents = copied(device, t->v.parents, 2 * inner, &ww_type_uint32_t);
    t->node = copied(device, t->v.node, inner, &ww_volume_node_ww);
    t->seen = 0;
    expect_status(device, ww_sync(device), WW_OK);
}

static void free_tree(tree_copy *t) {
    free(t->code);
    free(t->item);
    free(t->children);
    free(t->parents);
    free(t->node);
}

typedef struct extent {
    float box[6];
    uint32_t least;
} extent;

/* What a slot is for places first … last: the leaf, or an inner node whose children part them where the first bit differs.
 * Returns the box of its items. */
static extent expect_slot(tree_copy *t, uint32_t slot, uint32_t parent, size_t first, size_t last, int depth) {
    extent mine, of[2];
    const size_t n = t->v.count;
    expect(depth < 97 && !(slot & WW_RADIX_LEAF) == (first < last));
    t->seen++;
    if (slot & WW_RADIX_LEAF) {
        expect((slot & ~WW_RADIX_LEAF) == first && t->parents[first] == parent);
        mine.least = t->v.item ? t->item[first] : 0;
        memcpy(mine.box, boxes[mine.least], sizeof mine.box);
        return mine;
    }
    expect(slot < n - 1 && (slot == first || slot == last) && (depth ? t->parents[n + slot - 1] == parent : slot == 0));
    const int shared = reference_shared_bits(t->code, first, last);
    size_t split = first;
    while (reference_shared_bits(t->code, first, split + 1) > shared) split++;
    of[0] = expect_slot(t, t->children[2 * slot], slot, first, split, depth + 1);
    of[1] = expect_slot(t, t->children[2 * slot + 1], slot, split + 1, last, depth + 1);
    mine = of[0];
    if (of[1].least < mine.least) mine.least = of[1].least;
    for (int k = 0; k < 3; k++) {
        if (of[1].box[k] < mine.box[k]) mine.box[k] = of[1].box[k];
        if (of[1].box[3 + k] > mine.box[3 + k]) mine.box[3 + k] = of[1].box[3 + k];
    }
    for (int side = 0; t->v.node && side < 2; side++) {
        const ww_volume_node *node = &t->node[slot];
        expect(node->child[side] == t->children[2 * slot + (size_t)side] && node->least[side] == of[side].least);
        for (int k = 0; k < 3; k++)
            expect(node->box[side].low[k] == of[side].box[k] && node->box[side].high[k] == of[side].box[3 + k]);
    }
    return mine;
}

static void expect_tree(ww_device *device, const ww_volumes *volumes, size_t n) {
    tree_copy t;
    copy_tree(device, volumes, &t);
    expect(t.v.count == n && ww_volumes_count(volumes) == n);
    for (size_t i = 1; i < n; i++)
        expect(t.code[i - 1] < t.code[i] || (t.code[i - 1] == t.code[i] && (!t.v.item || t.item[i - 1] < t.item[i])));
    if (n > 1) {
        expect_slot(&t, 0, 0, 0, n - 1, 0);
        expect(t.seen == 2 * n - 1);
    }
    free_tree(&t);
}

/* ---- queries ---- */

static void expect_nearest(ww_device *device, ww_volumes *volumes, size_t n) {
    ww_volume_point *points = need(QUERIES * sizeof *points);
    guarded got = guarded_new(QUERIES * sizeof(ww_volume_nearest));
    const ww_volume_nearest *const near = got.data;
    for (size_t i = 0; i < QUERIES; i++) memcpy(points[i].x, asked[i], sizeof points[i].x);
    expect_status(device,
                  ww_volumes_nearest(volumes, ww_memory_of(points, QUERIES, &ww_volume_point_ww),
                                     ww_array_of(got.data, QUERIES, &ww_volume_nearest_ww)),
                  WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    for (size_t i = 0; i < QUERIES; i++) {
        double squared;
        const uint64_t item = reference_nearest_box(boxes, n, asked[i], &squared);
        expect(near[i].item == item && near[i].squared == squared);
    }
    guarded_check(&got);
    guarded_free(&got);
    free(points);
}

static void expect_met(ww_device *device, ww_volumes *volumes, size_t n) {
    ww_volume_box *box = need(sizeof asked);
    uint64_t total = 7, all = 0;
    memcpy(box, asked, sizeof asked);
    for (size_t i = 0; i < QUERIES; i++)
        for (size_t j = 0; j < n; j++) all += (uint64_t)reference_boxes_meet(asked[i], boxes[j]);
    guarded offsets = guarded_new(8 * (QUERIES + 1)), found = guarded_new(4 * all);
    const ww_input in = ww_memory_of(box, QUERIES, &ww_volume_box_ww);
    const ww_array to = ww_array((uint64_t *)offsets.data, QUERIES + 1), list = ww_array((uint32_t *)found.data, all);
    expect_status(device, ww_volumes_meet(volumes, in, to, ww_none, &total), WW_OK);
    expect(total == all);
    expect_status(device, ww_volumes_meet(volumes, in, to, list, NULL), WW_OK);
    expect_status(device, ww_sync(device), WW_OK);
    const uint64_t *const at = offsets.data;
    const uint32_t *const items = found.data;
    static bool seen[MOST];
    expect(at[0] == 0 && at[QUERIES] == all);
    for (size_t i = 0; i < QUERIES; i++) {
        size_t many = 0;
        memset(seen, 0, sizeof seen);
        expect(at[i] <= at[i + 1] && at[i + 1] <= all);
        for (uint64_t e = at[i]; e < at[i + 1]; e++) {
            expect(items[e] < n && !seen[items[e]] && reference_boxes_meet(asked[i], boxes[items[e]]));
            seen[items[e]] = true;
        }
        for (size_t j = 0; j < n; j++) many += (size_t)reference_boxes_meet(asked[i], boxes[j]);
        expect(many == at[i + 1] - at[i]);
    }
    guarded_check(&offsets);
    guarded_check(&found);
    guarded_free(&offsets);
    guarded_free(&found);
    free(box);
}

static ww_status build(ww_volumes *volumes, size_t n, bool points) {
    ww_volume_box *box = need(n * sizeof *box + 1);
    ww_volume_point *point = need(n * sizeof *point + 1);
    for (size_t i = 0; i < n; i++) {
        memcpy(&box[i], boxes[i], sizeof *box);
        memcpy(&point[i], boxes[i], sizeof *point);
    }
    const ww_status status = points ? ww_volumes_build_points(volumes, ww_memory_of(point, n, &ww_volume_point_ww))
                                    : ww_volumes_build_boxes(volumes, ww_memory_of(box, n, &ww_volume_box_ww));
    free(box);
    free(point);
    return status;
}

static void volumes_of_space(void **state) {
    static const size_t sizes[] = {0, 1, 2, 3, 65, 500, MOST};
    (void)state;
    for (size_t s = 0; s < setting_count(); s++) {
        ww_device *device = setting_open(s);
        ww_volumes *volumes;
        size_t number = s;
        expect_status(device, ww_volumes_create(device, &volumes), WW_OK);
        for (unsigned shape = 0; shape < SHAPES_OF_SPACE; shape++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, number++) {
                const bool points = (number + shape) % 2;
                CASE("bounding_volumes", "%s %s n=%zu %s", setting_name(s), shapes[shape], sizes[i],
                     points ? "points" : "boxes");
                if (number % (on_emulator() ? 4 : s ? 5 : 1) || !case_wanted()) continue;
                make(sizes[i], shape, points);
                expect_status(device, build(volumes, sizes[i], points), WW_OK);
                expect_tree(device, volumes, sizes[i]);
                expect_nearest(device, volumes, sizes[i]);
                expect_met(device, volumes, sizes[i]);
            }
        ww_volumes_destroy(volumes);
        ww_close(device);
    }
}

/* Codes of all 64 bits, with long runs of equal ones and ladders, each code having one bit more in common with the last. */
static void trees_of_codes(void **state) {
    static const size_t sizes[] = {0, 1, 2, 64, 65, 300, MOST};
    (void)state;
    for (size_t s = 0; s < setting_count_short(); s++) {
        ww_device *device = setting_open(s);
        ww_volumes *volumes;
        expect_status(device, ww_volumes_create(device, &volumes), WW_OK);
        for (unsigned shape = 0; shape < 4; shape++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                static const char *const of[] = {"uniform", "equal", "ladder", "runs"};
                const size_t n = sizes[i];
                CASE("bounding_volumes", "%s codes n=%zu %s", setting_name(s), n, of[shape]);
                if ((on_emulator() && (shape + i) % 3) || !case_wanted()) continue;
                uint64_t *codes = need(8 * n + 1), seed = seed_of_run();
                fill(codes, &ww_type_uint64_t, 8, n, shape ? CONSTANT : SORTED, seed);
                for (size_t k = 0; shape == 2 && k < n; k++) codes[k] = k < 64 ? ((uint64_t)1 << k) - 1 : UINT64_MAX;
                for (size_t k = 0; shape == 3 && k < n; k++) codes[k] = k / 37 * 1000;
                expect_status(device, ww_volumes_build_codes(volumes, ww_memory(codes, n)), WW_OK);
                expect_tree(device, volumes, n);
                free(codes);
            }
        ww_volumes_destroy(volumes);
        ww_close(device);
    }
}

/* ---- what is refused ---- */

static void refused(void **state) {
    (void)state;
    ww_device *device = setting_open(0);
    ww_volumes *volumes;
    ww_volume_point point = {{0, 0, 0}};
    uint64_t *codes = need(8 * 3), *offsets = need(8 * 5), total = 0;
    uint32_t *found = need(4 * 100);
    CASE("bounding_volumes", "refused");
    expect_status(device, ww_volumes_create(device, NULL), WW_INVALID);
    expect_status(device, ww_volumes_create(device, &volumes), WW_OK);
    make(4, 0, false);
    const ww_input none = ww_no_input, one = ww_memory_of(&point, 1, &ww_volume_point_ww);
#define REFUSED(status, call, ...) \
    do { \
        make(4, 0, false); \
        expect_status(device, build(volumes, 4, false), WW_OK); \
        expect_status(device, call, status); \
        expect_sentence(device, __VA_ARGS__); \
        expect(ww_volumes_count(volumes) == 0); \
    } while (0)
    codes[0] = codes[1] = 9, codes[2] = 8;
    REFUSED(WW_RANGE, ww_volumes_build_codes(volumes, ww_memory(codes, 3)), "ww_volumes_build_codes",
            "code 2 is below");
    REFUSED(WW_TYPE, ww_volumes_build_codes(volumes, one), "codes are");
    REFUSED(WW_INVALID, ww_volumes_build_codes(volumes, none), "codes is missing");
    REFUSED(WW_TYPE, ww_volumes_build_boxes(volumes, one), "boxes are ww_volume_point");
    REFUSED(WW_TYPE, ww_volumes_build_points(volumes, ww_memory(codes, 3)), "points are u64");
    REFUSED(WW_LIMIT, ww_volumes_build_codes(volumes, ww_counting(&ww_type_uint64_t, 0, (uint64_t)1 << 31)),
            "2^31 - 1");
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t k = 0; k < 3; k++) {
        expect_status(device, build(volumes, 4, false), WW_OK);
        boxes[k + 1][k] = boxes[k + 1][3 + k] = bad[k];
        for (int points = 0; points < 2; points++) {
            expect_status(device, build(volumes, 4, points), WW_RANGE);
            expect_sentence(device, points ? "points[" : "boxes[",
                            k == 0   ? "1]"
                            : k == 1 ? "2]"
                                     : "3]",
                            "NaN or infinite");
            expect(ww_volumes_count(volumes) == 0);
        }
        make(4, 0, false);
    }
    for (size_t k = 0; k < 2; k++) { /* of the higher end alone */
        boxes[2][3 + k] = bad[k];
        expect_status(device, build(volumes, 4, false), WW_RANGE);
        expect_sentence(device, "boxes[2]", "NaN or infinite");
        make(4, 0, false);
    }
    boxes[2][4] = boxes[2][1] - 1;
    expect_status(device, build(volumes, 4, false), WW_RANGE);
    expect_sentence(device, "ww_volumes_build_boxes", "boxes[2]", "low is above its high");
    make(4, 0, false);
    expect_status(device, build(volumes, 4, false), WW_OK);
    float every[4][6];
    for (size_t i = 0; i < 4; i++)
        for (int k = 0; k < 6; k++) every[i][k] = k < 3 ? -10.0f : 10.0f;
    ww_volume_box *box = need(sizeof every);
    memcpy(box, every, sizeof every);
    const ww_input in = ww_memory_of(box, 4, &ww_volume_box_ww);
    const ww_array to = ww_array(offsets, 5);
    expect_status(device, ww_volumes_meet(volumes, in, to, ww_array(found, 15), &total), WW_LIMIT);
    expect_sentence(device, "ww_volumes_meet", "capacity of 15", "are 16");
    expect_status(device, ww_sync(device), WW_OK);
    expect(total == 16 && offsets[4] == 16);
    /* What is no box meets none. */
    for (int k = 0; k < 6; k++) boxes[0][k] = k < 3 ? -10.0f : 10.0f;
    expect_status(device, build(volumes, 4, false), WW_OK);
    box[0].low[0] = 1, box[0].high[0] = -1, box[1].low[1] = NAN;
    expect_status(
        device,
        ww_volumes_meet(volumes, ww_memory_of(box, 2, &ww_volume_box_ww), ww_array(offsets, 3), ww_none, &total),
        WW_OK);
    expect(total == 0);
    make(4, 0, false);
    expect_status(device, build(volumes, 4, false), WW_OK);
    expect_status(device, ww_volumes_meet(volumes, in, ww_array(offsets, 4), ww_none, NULL), WW_INVALID);
    expect_status(device, ww_volumes_meet(volumes, in, ww_array(found, 5), ww_none, NULL), WW_TYPE);
    expect_status(device, ww_volumes_meet(volumes, in, to, ww_array(offsets, 5), NULL), WW_TYPE);
    expect_status(device, ww_volumes_meet(volumes, one, to, ww_none, NULL), WW_TYPE);
    expect_status(device, ww_volumes_nearest(volumes, none, to), WW_INVALID);
    codes[2] = 9;
    expect_status(device, ww_volumes_build_codes(volumes, ww_memory(codes, 3)), WW_OK);
    expect_status(device, ww_volumes_nearest(volumes, one, ww_none), WW_INVALID);
    expect_sentence(device, "ww_volumes_nearest", "codes alone");
    expect(ww_volumes_nearest(NULL, one, to) == WW_INVALID && ww_volumes_meet(NULL, in, to, to, NULL) == WW_INVALID);
    expect(ww_volumes_build_codes(NULL, one) == WW_INVALID && ww_volumes_view_get(NULL, NULL) == WW_INVALID);
    expect(ww_volumes_count(NULL) == 0);
    ww_volumes_destroy(volumes);
    ww_volumes_destroy(NULL);
    free(box);
    free(codes);
    free(offsets);
    free(found);
    ww_close(device);
}

static void out_of_memory(void **state) {
    (void)state;
    if (left_out_on_gpu("it counts the host's allocations")) return;
    bool done = false;
    CASE("bounding_volumes", "out of memory");
    make(300, 0, true);
    for (size_t k = 0; !done; k++) {
        counting_allocator counter = {.fail_at = k};
        ww_open_options options = WW_OPEN_OPTIONS;
        ww_device *device;
        ww_volumes *volumes = NULL;
        uint64_t offsets[2];
        uint32_t found[300];
        const ww_input box = ww_memory_of(asked, 1, &ww_volume_box_ww);
        options.allocator = counting_allocator_use(&counter);
        ww_status status = ww_open_with("cpu:threads=1", &device, &options);
        if (!status) status = ww_volumes_create(device, &volumes);
        if (!status) status = build(volumes, 300, true);
        if (status) expect(ww_volumes_count(volumes) == 0);
        if (!status) status = ww_volumes_meet(volumes, box, ww_array(offsets, 2), ww_array(found, 300), NULL);
        done = !status;
        if (!done) expect_status(device, status, WW_MEMORY);
        ww_volumes_destroy(volumes);
        ww_close(device);
        expect(counter.live_blocks == 0 && counter.live_bytes == 0 && k < 200);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_of_space),
        cmocka_unit_test(trees_of_codes),
        cmocka_unit_test(refused),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
