/* What is asked of bounding volumes: each query walks from the root, with a stack of nodes that it has still to see. There
 * are at most as many as levels: 64 bits of codes, 32 of positions. */
#include "space/tree/volumes.h"
#include "warpwise/primitive.h"

typedef unsigned long long ull;

/* The squared distance of a point from a box. Each step rounds monotonically: a box inside of another is never nearer, so
 * that what a node's distance leaves out could not win. */
WW_FUNCTION(
    squared_distance, double, (const ww_volume_box *box, const ww_volume_point *p),
    {
        double sum = 0;
        for (uint32_t k = 0; k < 3; k++) {
            const double below = (double)box->low[k] - (double)p->x[k];
            const double above = (double)p->x[k] - (double)box->high[k];
            const double away = below > above ? below : above;
            if (away > 0) sum += away * away;
        }
        return sum;
    },
    ww_volume_box, ww_volume_point);

/* The nearer child first, the other one for later; of two as near the one with the least item. */
WW_MAP_USES((squared_distance, WW_RADIX_LEAF, ww_volume_nearest), nearest_item, ww_volume_nearest, ww_volume_point, p,
            ww_volumes_view, v, {
                double later_squared[96];
                uint32_t later[96];
                uint32_t later_least[96];
                uint32_t waiting = 0;
                uint32_t slot = 0;
                bool going = v->count > 0;
                ww_volume_nearest best;
                best.squared = ww_double_of_bits(0x7FF0000000000000u);
                best.item = (uint64_t)-1;
                for (uint32_t k = 0; k < 3; k++)
                    if ((ww_bits_float(p.x[k]) >> 23 & 255) == 255) going = false;
                while (going) {
                    const ww_volume_node *node = &v->node[slot];
                    double squared[2];
                    for (uint32_t side = 0; side < 2; side++) squared[side] = squared_distance(&node->box[side], &p);
                    uint32_t near = squared[1] < squared[0] ? 1 : 0;
                    if (squared[1] == squared[0] && node->least[1] < node->least[0]) near = 1;
                    going = false;
                    for (uint32_t turn = 0; turn < 2; turn++) {
                        const uint32_t side = turn ? 1 - near : near;
                        const uint32_t child = node->child[side];
                        const bool better = squared[side] < best.squared ||
                                            (squared[side] == best.squared && node->least[side] < best.item);
                        if (better && child & WW_RADIX_LEAF) {
                            best.squared = squared[side];
                            best.item = node->least[side];
                        } else if (better && !going) {
                            slot = child;
                            going = true;
                        } else if (better) {
                            later[waiting] = child;
                            later_squared[waiting] = squared[side];
                            later_least[waiting] = node->least[side];
                            waiting++;
                        }
                    }
                    while (!going && waiting) {
                        waiting--;
                        slot = later[waiting];
                        going = later_squared[waiting] < best.squared ||
                                (later_squared[waiting] == best.squared && later_least[waiting] < best.item);
                    }
                }
                return best;
            });

/* ---- what meets a box ---- */

WW_FUNCTION(
    boxes_meet, bool, (const ww_volume_box *a, const ww_volume_box *b),
    {
        for (uint32_t k = 0; k < 3; k++)
            if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k])) return false;
        return true;
    },
    ww_volume_box);

/* Counts the items that a box meets, and with `found` writes them, by the order of places. A leaf beyond the last is the
 * second child of the root that one item has. */
WW_FUNCTION(
    walk_met, uint64_t, (const ww_volumes_view *v, const ww_volume_box *box, uint32_t *found),
    {
        uint32_t later[100];
        uint32_t waiting = 0;
        uint64_t many = 0;
        if (v->count && boxes_meet(box, box)) later[waiting++] = 0;
        while (waiting) {
            const uint32_t slot = later[--waiting];
            if (slot & WW_RADIX_LEAF) {
                const uint64_t place = slot & ~WW_RADIX_LEAF;
                if (place >= v->count) continue;
                if (found) found[many] = v->item[place];
                many++;
                continue;
            }
            const ww_volume_node *node = &v->node[slot];
            if (boxes_meet(box, &node->box[1])) later[waiting++] = node->child[1];
            if (boxes_meet(box, &node->box[0])) later[waiting++] = node->child[0];
        }
        return many;
    },
    ww_volumes_view, ww_volume_box, boxes_meet, WW_RADIX_LEAF);

WW_STRUCT_USES((ww_volumes_view, ww_volume_box), met_lists, {
    ww_volumes_view volumes;
    const ww_volume_box *boxes;
    const uint64_t *offsets;
    uint32_t *found;
});
WW_MAP_USES((walk_met), count_met, uint64_t, ww_volume_box, box, ww_volumes_view, v, { return walk_met(v, &box, 0); });
WW_KERNEL_USES((walk_met), list_met, met_lists, a, i,
               { walk_met(&a->volumes, &a->boxes[i], a->found + a->offsets[i]); });

/* ---- public ---- */

static ww_status begin(const ww_volumes *v, const char *call, const char *name, const ww_input *in,
                       const ww_type *type) {
    if (!v) return WW_INVALID;
    WW_TRY(ww__call_not_on_paper(v->device, call));
    if (!in->type) return ww__fail_call(v->device, call, WW_INVALID, "%s is missing", name);
    if (in->size != type->size)
        return ww__fail_call(v->device, call, WW_TYPE, "%s are %s, and have to be %s", name, in->type->label,
                             type->label);
    if (v->view.count && !v->view.item)
        return ww__fail_call(v->device, call, WW_INVALID, "the tree was built of codes alone, and has no boxes");
    return WW_OK;
}

ww_status ww_volumes_nearest(ww_volumes *v, ww_input points, ww_array out) {
    WW_TRY(begin(v, "ww_volumes_nearest", "points", &points, &ww_volume_point_ww));
    return ww_map(v->device, ww_with(nearest_item, &v->view), points, out);
}

/* Where each box's items begin, and how many they are. */
static ww_status count_all(ww_volumes *v, const ww_input *boxes, uint64_t *total) {
    const uint64_t m = boxes->count;
    ww_scan_options options = WW_SCAN_OPTIONS;
    WW_TRY(ww__kept_capacity(v->device, &v->asked, m, sizeof(ww_volume_box), 0));
    WW_TRY(ww__kept_capacity(v->device, &v->offsets, m + 1, sizeof(uint64_t), 0));
    uint64_t *const offsets = v->offsets.data;
    const ww_array asked = ww_array_of(v->asked.data, m, &ww_volume_box_ww);
    WW_TRY(ww_store(v->device, *boxes, asked));
    WW_TRY(ww_map(v->device, ww_with(count_met, &v->view), ww_from(asked), ww_array(offsets, m)));
    options.exclusive = true;
    options.total = ww_array(offsets + m, 1);
    WW_TRY(ww_scan(v->device, &ww_add, ww_memory(offsets, m), ww_array(offsets, m), &options));
    return ww_copy(v->device, ww_memory(offsets + m, 1), ww_array(total, 1));
}

ww_status ww_volumes_meet(ww_volumes *v, ww_input boxes, ww_array offsets_out, ww_array found_out, uint64_t *total) {
    static const char call[] = "ww_volumes_meet";
    uint64_t all = 0;
    WW_TRY(begin(v, call, "boxes", &boxes, &ww_volume_box_ww));
    if (boxes.count == UINT64_MAX || offsets_out.count != boxes.count + 1)
        return ww__fail_call(v->device, call, WW_INVALID, "there are %llu boxes, and offsets_out has %llu elements",
                             (ull)boxes.count, (ull)offsets_out.count);
    if (offsets_out.type != &ww_type_uint64_t)
        return ww__fail_call(v->device, call, WW_TYPE, "offsets_out has to be u64");
    if (found_out.type && found_out.type != &ww_type_uint32_t)
        return ww__fail_call(v->device, call, WW_TYPE, "found_out is %s, and has to be u32", found_out.type->label);
    WW_TRY(count_all(v, &boxes, &all));
    if (total) *total = all;
    WW_TRY(ww_copy(v->device, ww_memory((const uint64_t *)v->offsets.data, boxes.count + 1), offsets_out));
    if (!found_out.type || !all) return WW_OK;
    if (found_out.count < all)
        return ww__fail_call(v->device, call, WW_LIMIT, "found_out has a capacity of %llu items, and there are %llu",
                             (ull)found_out.count, (ull)all);
    WW_TRY(ww__kept_capacity(v->device, &v->found, all, sizeof(uint32_t), 0));
    const met_lists a = {v->view, v->asked.data, v->offsets.data, v->found.data};
    WW_TRY(ww_launch(v->device, ww_with(list_met, &a), boxes.count));
    found_out.count = all;
    return ww_copy(v->device, ww_memory((const uint32_t *)v->found.data, all), found_out);
}
