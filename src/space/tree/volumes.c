/* Bounding volumes: handles, and builds. Boxes are checked, their centres get Morton codes in the box of all, the codes are
 * sorted with the items' numbers; then come the tree and its boxes. */
#include <string.h>

#include "space/tree/volumes.h"
#include "warpwise/primitive.h"
#include "warpwise/sort.h"

typedef unsigned long long ull;

/* ---- handles ---- */

static ww_status create(ww_device *device, ww_volumes **made) {
    ww_volumes *v;
    WW_CHECK(device, made, WW_INVALID, "volumes is NULL");
    *made = NULL;
    v = ww__allocate(device, sizeof *v, _Alignof(ww_volumes));
    if (!v) return ww__no_memory(device, sizeof *v);
    memset(v, 0, sizeof *v);
    v->device = device;
    *made = v;
    return WW_OK;
}

ww_status ww_volumes_create(ww_device *device, ww_volumes **volumes) {
    WW_TRY(ww__enter(device, "ww_volumes_create"));
    return ww__leave(device, create(device, volumes));
}

void ww_volumes_destroy(ww_volumes *v) {
    if (!v) return;
    ww__kept *const blocks[] = {&v->codes,    &v->items,   &v->children, &v->parents, &v->nodes, &v->boxes,
                                &v->unsorted, &v->arrived, &v->asked,    &v->offsets, &v->found};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) ww__kept_drop(v->device, blocks[i]);
    ww__release(v->device, v, sizeof *v);
}

uint64_t ww_volumes_count(const ww_volumes *v) { return v ? v->view.count : 0; }

ww_status ww_volumes_view_get(const ww_volumes *v, ww_volumes_view *view) {
    if (!v || !view) return WW_INVALID;
    *view = v->view;
    return WW_OK;
}

static ww_status begin(ww_volumes *v, const char *call, const char *name, const ww_input *in) {
    if (!v) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(v->device, call));
    memset(&v->view, 0, sizeof v->view);
    if (!in->type) return ww__fail_call(v->device, call, WW_INVALID, "%s is missing", name);
    if (in->count > WW__TREE_MOST)
        return ww__fail_call(v->device, call, WW_LIMIT, "there are %llu %s, and at most 2^31 - 1 can be",
                             (ull)in->count, name);
    return WW_OK;
}

static void see(ww_volumes *v, uint64_t n, bool boxes) {
    v->view = (ww_volumes_view){.code = v->codes.data,
                                .item = boxes ? v->items.data : NULL,
                                .children = v->children.data,
                                .parents = v->parents.data,
                                .node = boxes ? v->nodes.data : NULL,
                                .count = n};
}

/* ---- codes ---- */

WW_MAP(unsorted_code, uint64_t, uint64_t, i, uint64_t, code, { return code[i] < code[i - 1] ? i : (uint64_t)-1; });

ww_status ww_volumes_build_codes(ww_volumes *v, ww_input codes) {
    static const char call[] = "ww_volumes_build_codes";
    uint64_t wrong = UINT64_MAX;
    WW_TRY(begin(v, call, "codes", &codes));
    const uint64_t n = codes.count;
    if (codes.type != &ww_type_uint64_t)
        return ww__fail_call(v->device, call, WW_TYPE, "codes are %s, and have to be u64", codes.type->label);
    WW_TRY(ww__kept_capacity(v->device, &v->codes, n, sizeof(uint64_t), 0));
    const uint64_t *const code = v->codes.data;
    WW_TRY(ww_store(v->device, codes, ww_array((uint64_t *)v->codes.data, n)));
    if (n) {
        const ww_input pairs = ww_counting(&ww_type_uint64_t, 1, n - 1);
        WW_TRY(ww_reduce(v->device, &ww_min, ww_mapped(ww_with_array(unsorted_code, code, n), pairs),
                         ww_array(&wrong, 1)));
    }
    if (wrong != UINT64_MAX)
        return ww__fail_call(v->device, call, WW_RANGE, "code %llu is below the one before it: codes have to be sorted",
                             (ull)wrong);
    WW_TRY(ww__volumes_tree(v, n));
    see(v, n, false);
    return WW_OK;
}

/* ---- boxes ---- */

WW_FUNCTION(finite, uint32_t, (float x), { return (ww_bits_float(x) >> 23 & 255) != 255; });
WW_MAP_USES((finite), bad_box, uint64_t, uint64_t, i, ww_volume_box, boxes, {
    for (uint32_t k = 0; k < 3; k++)
        if (!finite(boxes[i].low[k]) || !finite(boxes[i].high[k]) || boxes[i].low[k] > boxes[i].high[k]) return i;
    return (uint64_t)-1;
});
WW_COMBINE(joined_box, ww_volume_box, a, b, WW_COMMUTES,
           WW_IDENTITY({{3.402823466e38f, 3.402823466e38f, 3.402823466e38f},
                        {-3.402823466e38f, -3.402823466e38f, -3.402823466e38f}}),
           {
               ww_volume_box c = a;
               for (uint32_t k = 0; k < 3; k++) {
                   if (b.low[k] < c.low[k]) c.low[k] = b.low[k];
                   if (b.high[k] > c.high[k]) c.high[k] = b.high[k];
               }
               return c;
           });

/* Bit i of 21 goes to 3 i. */
WW_FUNCTION(spread, uint64_t, (uint64_t x), {
    x = (x | x << 32) & 0x001F00000000FFFFu;
    x = (x | x << 16) & 0x001F0000FF0000FFu;
    x = (x | x << 8) & 0x100F00F00F00F00Fu;
    x = (x | x << 4) & 0x10C30C30C30C30C3u;
    return (x | x << 2) & 0x1249249249249249u;
});
/* Where a box's centre lies between the ends of the box of all, in steps of 2^-21. */
WW_MAP_USES((spread), morton_code, uint64_t, ww_volume_box, b, ww_volume_box, all, {
    uint64_t code = 0;
    for (uint32_t k = 0; k < 3; k++) {
        const double extent = (double)all->high[k] - (double)all->low[k];
        const double at = ((double)b.low[k] - (double)all->low[k]) + ((double)b.high[k] - (double)all->low[k]);
        const double step = extent > 0 ? at / extent * 1048576.0 : 0;
        const uint64_t cell = step < 2097151.0 ? (uint64_t)step : 2097151;
        code |= spread(cell) << (2 - k);
    }
    return code;
});
WW_MAP(box_of_point, ww_volume_box, ww_volume_point, p, void, none, {
    ww_volume_box b;
    for (uint32_t k = 0; k < 3; k++) {
        b.low[k] = p.x[k];
        b.high[k] = p.x[k];
    }
    return b;
});

static ww_status sort_codes(ww_volumes *v, const ww_input *boxes) {
    const uint64_t n = boxes->count;
    ww_volume_box all;
    WW_TRY(ww__kept_capacity(v->device, &v->unsorted, n, sizeof(uint64_t), 0));
    WW_TRY(ww__kept_capacity(v->device, &v->codes, n, sizeof(uint64_t), 0));
    WW_TRY(ww__kept_capacity(v->device, &v->items, n, sizeof(uint32_t), 0));
    WW_TRY(ww_reduce(v->device, &joined_box_ww, *boxes, ww_array_of(&all, 1, &ww_volume_box_ww)));
    const ww_array unsorted = ww_array((uint64_t *)v->unsorted.data, n);
    WW_TRY(ww_map(v->device, ww_with(morton_code, &all), *boxes, unsorted));
    return ww_sort(v->device, ww_from(unsorted), ww_counting(&ww_type_uint32_t, 0, n),
                   ww_array((uint64_t *)v->codes.data, n), ww_array((uint32_t *)v->items.data, n), NULL);
}

static ww_status build(ww_volumes *v, const char *call, const char *name, const ww_input *boxes) {
    const uint64_t n = boxes->count;
    uint64_t wrong = UINT64_MAX;
    WW_TRY(ww__kept_capacity(v->device, &v->boxes, n, sizeof(ww_volume_box), 0));
    const ww_volume_box *const box = v->boxes.data;
    const ww_input copy = ww_memory_of(box, n, &ww_volume_box_ww);
    WW_TRY(ww_store(v->device, *boxes, ww_array_of(v->boxes.data, n, &ww_volume_box_ww)));
    if (n)
        WW_TRY(ww_reduce(v->device, &ww_min,
                         ww_mapped(ww_with_array(bad_box, box, n), ww_counting(&ww_type_uint64_t, 0, n)),
                         ww_array(&wrong, 1)));
    if (wrong != UINT64_MAX)
        return ww__fail_call(v->device, call, WW_RANGE, "%s[%llu] has a coordinate that is NaN or infinite%s", name,
                             (ull)wrong, name[0] == 'b' ? ", or its low is above its high" : "");
    if (n) WW_TRY(sort_codes(v, &copy));
    WW_TRY(ww__volumes_tree(v, n));
    WW_TRY(ww__volumes_join(v, n));
    see(v, n, true);
    return WW_OK;
}

ww_status ww_volumes_build_boxes(ww_volumes *v, ww_input boxes) {
    static const char call[] = "ww_volumes_build_boxes";
    WW_TRY(begin(v, call, "boxes", &boxes));
    if (boxes.size != sizeof(ww_volume_box))
        return ww__fail_call(v->device, call, WW_TYPE, "boxes are %s, and have to be ww_volume_box", boxes.type->label);
    return build(v, call, "boxes", &boxes);
}

ww_status ww_volumes_build_points(ww_volumes *v, ww_input points) {
    static const char call[] = "ww_volumes_build_points";
    WW_TRY(begin(v, call, "points", &points));
    if (points.size != sizeof(ww_volume_point))
        return ww__fail_call(v->device, call, WW_TYPE, "points are %s, and have to be ww_volume_point",
                             points.type->label);
    const ww_input boxes = ww_mapped(&box_of_point_ww, points);
    return build(v, call, "points", &boxes);
}
